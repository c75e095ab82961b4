//! Links of the pages: each leads to a file, and to a heading of it if it names one. The book has every page of docs.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use crate::sources::{files, root};

/// Pages outside of these folders and files of the root are notes beside code.
const PLACES: [&str; 15] = [
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "SECURITY.md",
    "docs",
    "examples",
    "fixtures/README.md",
    "packaging/README.md",
    "python/README.md",
    "spec-extensions",
    "web/README.md",
    "inspect/README.md",
    "probe/README.md",
    "sycl/README.md",
];

/// The table of contents of the book, and the folder with pages that are not in it, since they are records.
const SUMMARY: &str = "docs/SUMMARY.md";
const RECORDS: &str = "docs/results";

/// A link from a page to a file, by its path in the checkout, and to a heading of it.
#[derive(Debug, PartialEq)]
struct PageLink {
    file: PathBuf,
    heading: Option<String>,
}

/// Returns the lines of a page outside of fences.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_fenced = false;
    text.lines().filter(move |line| {
        let is_fence = line.starts_with("```");
        is_fenced ^= is_fence;
        !is_fenced && !is_fence
    })
}

/// Returns a path without `.` and `..`.
fn normalized(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut path, component| {
        match component {
            Component::ParentDir => _ = path.pop(),
            other => path.push(other),
        }
        path
    })
}

/// Returns the links of a page that lead to the checkout.
fn links(page: &Path, text: &str) -> Vec<PageLink> {
    let targets = prose(text).flat_map(|line| line.split("](").skip(1));
    let targets = targets.filter_map(|rest| Some(rest.split_once(')')?.0));
    let link = |target: &str| {
        let (file, heading) = target.split_once('#').map_or((target, None), |(file, id)| (file, Some(id)));
        let file = if file.is_empty() { page.to_owned() } else { page.parent().unwrap().join(file) };
        PageLink { file: normalized(&file), heading: heading.map(str::to_owned) }
    };
    targets.filter(|target| !target.contains("://")).map(link).collect()
}

/// Returns the ids of the headings of a page, as links name them.
fn headings(text: &str) -> BTreeSet<String> {
    let headings = prose(text).filter(|line| line.starts_with('#'));
    let id = |line: &str| -> String {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = |character: &char| character.is_alphanumeric() || " -_".contains(*character);
        title.chars().filter(kept).map(|character| if character == ' ' { '-' } else { character }).collect()
    };
    headings.map(id).collect()
}

/// Returns the pages, by their paths in the checkout, with their text.
fn pages() -> Vec<(PathBuf, String)> {
    let paths = PLACES.iter().flat_map(|place| files(root().join(place)));
    let pages = paths.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let read = |path: PathBuf| {
        (path.strip_prefix(root()).unwrap().to_owned(), std::fs::read_to_string(&path).unwrap())
    };
    pages.map(read).collect()
}

/// Returns true if a link leads somewhere. The book has no page for a folder.
fn leads_somewhere(link: &PageLink) -> bool {
    let path = root().join(&link.file);
    path.is_file()
        && link.heading.as_ref().is_none_or(|id| {
            path.extension().is_none_or(|extension| extension != "md")
                || headings(&std::fs::read_to_string(&path).unwrap()).contains(id)
        })
}

#[test]
fn links_lead_somewhere() {
    let mut count = 0;
    let mut broken = Vec::new();
    for (page, text) in pages() {
        let links = links(&page, &text);
        count += links.len();
        broken
            .extend(links.into_iter().filter(|link| !leads_somewhere(link)).map(|link| (page.clone(), link)));
    }
    assert!(broken.is_empty(), "{broken:#?}");
    assert!(count > 300, "{count} links");
}

#[test]
fn the_book_has_every_page() {
    let summary = std::fs::read_to_string(root().join(SUMMARY)).unwrap();
    let chapters: Vec<PathBuf> =
        links(Path::new(SUMMARY), &summary).into_iter().map(|link| link.file).collect();
    let listed: BTreeSet<&PathBuf> = chapters.iter().collect();
    assert_eq!(listed.len(), chapters.len(), "a page is listed twice");
    let pages = pages();
    let is_in_book = |path: &&PathBuf| !path.starts_with(RECORDS) && path.as_path() != Path::new(SUMMARY);
    let written: BTreeSet<&PathBuf> = pages.iter().map(|(path, _)| path).filter(is_in_book).collect();
    assert_eq!(listed, written);
    // A record has a date, which the book would have to keep up with.
    for (page, text) in pages.iter().filter(|(page, _)| listed.contains(page)) {
        let outside = links(page, text).into_iter().find(|link| link.file.starts_with(RECORDS));
        assert_eq!(outside, None, "{} links to a record: write its path", page.display());
    }
}

#[test]
fn links_are_found() {
    let text =
        "# A b\n[x](../c.md#one-two) and [y](#a-b)\n```\n[z](none)\n```\n![p](p.png) [w](https://a/b)\n";
    let link = |file: &str, heading: Option<&str>| PageLink {
        file: file.into(),
        heading: heading.map(str::to_owned),
    };
    let expected = [link("c.md", Some("one-two")), link("docs/a.md", Some("a-b")), link("docs/p.png", None)];
    assert_eq!(links(Path::new("docs/a.md"), text), expected);
    assert_eq!(
        headings("## `spirv-if/x`, y\n### C++\n"),
        BTreeSet::from(["spirv-ifx-y".to_owned(), "c".to_owned()])
    );
    assert!(!leads_somewhere(&link("docs", None)), "a folder");
    assert!(!leads_somewhere(&link("README.md", Some("nothing"))), "a heading");
}
