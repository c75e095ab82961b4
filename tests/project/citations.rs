//! Citations of design documents: `docs/design/PAGE.md, "Section"`, or several sections with `and` between them. Every cited section
//! is a heading of its page.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::sources::files;

/// Places of citations in comments and texts, relative to the checkout.
const PLACES: [&str; 11] = [
    "docs",
    "examples",
    "include",
    "inspect",
    "probe",
    "scripts",
    "spec-extensions",
    "src",
    "sycl",
    "tests",
    "README.md",
];
const PAGES: &str = "docs/design/";

/// The headings of each page, by its name.
fn headings(root: &Path) -> BTreeMap<String, Vec<String>> {
    let page = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        let headings = text.lines().filter(|line| line.starts_with('#'));
        let headings = headings.map(|line| line.trim_start_matches('#').trim().to_owned()).collect();
        (path.file_name().unwrap().to_str().unwrap().to_owned(), headings)
    };
    files(root.join(PAGES)).into_iter().map(page).collect()
}

/// A text as one line, without the marks of comments.
fn joined(text: &str) -> String {
    let mark = |character: char| matches!(character, '/' | '!' | '#' | ';' | ' ' | '\t');
    text.lines().map(|line| line.trim_start_matches(mark).trim_end()).collect::<Vec<_>>().join(" ")
}

/// The wrong citations in a text, and the number of right ones.
fn check(text: &str, pages: &BTreeMap<String, Vec<String>>) -> (Vec<String>, usize) {
    let text = joined(text);
    let mut wrong = Vec::new();
    let mut right = 0;
    for (at, _) in text.match_indices(PAGES) {
        let cited = &text[at + PAGES.len()..];
        let shown = || cited.chars().take(100).collect::<String>();
        // The folder itself, or its index by a link.
        let Some((page, headings)) = pages.iter().find(|(page, _)| cited.starts_with(page.as_str())) else {
            if cited.starts_with(|character: char| character.is_alphanumeric()) {
                wrong.push(shown());
            }
            continue;
        };
        let mut rest = &cited[page.len()..];
        let mut separator = ", \"";
        while let Some(section) = rest.strip_prefix(separator) {
            let ends = |heading: &&String| {
                section.strip_prefix(heading.as_str()).is_some_and(|end| end.starts_with('"'))
            };
            let Some(heading) = headings.iter().find(ends) else {
                wrong.push(shown());
                break;
            };
            right += 1;
            rest = &section[heading.len() + 1..];
            separator = " and \"";
        }
    }
    (wrong, right)
}

#[test]
fn cited_sections_are_headings() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = headings(root);
    let mut right = 0;
    let mut wrong = Vec::new();
    for path in PLACES.into_iter().flat_map(|place| files(root.join(place))) {
        // This file has wrong ones, and others are not text.
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        if path.ends_with("tests/project/citations.rs") {
            continue;
        }
        let (in_file, others) = check(&text, &pages);
        right += others;
        wrong.extend(in_file.into_iter().map(|cited| format!("{}: {cited}", path.display())));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(right >= 10, "{right} citations found");
}

#[test]
fn citations_are_found() {
    let pages = BTreeMap::from([("a.md".to_owned(), vec!["One".to_owned(), "A \"b\" c".to_owned()])]);
    let count = |text: &str| {
        let (wrong, right) = check(text, &pages);
        (wrong.len(), right)
    };
    assert_eq!(count("see [a](docs/design/a.md) in docs/design/"), (0, 0));
    assert_eq!(count("/// (docs/design/a.md,\n/// \"One\" and \"A \"b\" c\"), \"Other\""), (0, 2));
    assert_eq!(count("docs/design/a.md, \"Two\"; docs/design/b.md"), (2, 0));
}
