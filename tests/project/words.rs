//! Rules for words that a program can check: how doc comments open, and that a type's name is unique in its package.

use std::collections::BTreeMap;
use std::path::Path;

use crate::sources;

/// Openings that announce a riddle instead of saying what an item does or is.
const FORBIDDEN: [&str; 19] = [
    "By", "How", "It", "Its", "Of", "That", "The same", "Their", "There", "They", "Those", "What", "When",
    "Where", "Whether", "Which", "Who", "Whose", "Why",
];

/// Packages other than the library, by their folders.
const PACKAGES: [&str; 14] = [
    "bundle",
    "capi",
    "cli",
    "examples/build-systems",
    "fuzz",
    "generate",
    "inspect",
    "layers/common",
    "layers/opencl",
    "layers/vulkan",
    "probe",
    "python",
    "sycl",
    "web",
];

/// Returns the text after the marker of a doc comment, with the marker.
fn doc_comment(line: &str) -> Option<(&str, &str)> {
    let (marker, text) = line.trim_start().split_at_checked(3)?;
    (["///", "//!"].contains(&marker) && !text.starts_with('/')).then_some((marker, text.trim_start()))
}

/// Returns the lines that open a doc comment with a forbidden word.
fn bad_openings(text: &str) -> Vec<&str> {
    let mut before = None;
    let mut bad = Vec::new();
    for line in text.lines() {
        let comment = doc_comment(line);
        let marker = comment.map(|(marker, _)| marker);
        let is_forbidden = |text: &str, word: &str| {
            let rest = text.strip_prefix(word);
            rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()))
        };
        if let Some((_, text)) = comment
            && marker != before
            && FORBIDDEN.iter().any(|word| is_forbidden(text, word))
        {
            bad.push(line);
        }
        before = marker;
    }
    bad
}

/// Returns the name of the type that a line at the outermost level defines.
fn type_name(line: &str) -> Option<&str> {
    let in_parentheses = || {
        line.split_once(") ").filter(|(visibility, _)| visibility.starts_with("pub(")).map(|(_, rest)| rest)
    };
    let line = line.strip_prefix("pub ").or_else(in_parentheses).unwrap_or(line);
    // A definition of another language in a string.
    if line.ends_with("};") {
        return None;
    }
    let (keyword, rest) = line.split_once(' ')?;
    let name = rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()?;
    (["enum", "struct", "trait", "type", "union"].contains(&keyword) && !name.is_empty()).then_some(name)
}

/// Returns the folder of the package that a file belongs to, or the name of the library.
fn package(file: &Path) -> &'static str {
    PACKAGES.into_iter().find(|package| file.starts_with(package)).unwrap_or("spirv-if")
}

#[test]
fn doc_comments_open_with_a_verb_or_a_noun() {
    let mut bad = Vec::new();
    for (file, text) in &sources::rust_files() {
        bad.extend(bad_openings(text).into_iter().map(|line| format!("{}: {}", file.display(), line.trim())));
    }
    assert!(bad.is_empty(), "start with a verb in the third person or a noun: {bad:#?}");
}

#[test]
fn names_of_types_are_unique_in_their_package() {
    let files = sources::rust_files();
    let mut places: BTreeMap<(&str, &str), Vec<&Path>> = BTreeMap::new();
    for (file, text) in &files {
        for name in text.lines().filter_map(type_name) {
            places.entry((package(file), name)).or_default().push(file);
        }
    }
    assert!(places.len() > 500);
    // The engine's module and the public one, which wraps it, are both the `Module` of SPIR-V.
    let exception = ("spirv-if", "Module");
    assert_eq!(
        places.remove(&exception),
        Some(vec![Path::new("src/api/module.rs"), Path::new("src/loader/module.rs")])
    );
    places.retain(|_, files| files.len() > 1);
    assert!(places.is_empty(), "{places:#?}");
}

#[test]
fn bad_openings_and_types_are_found() {
    let text =
        "/// What it is.\n/// By name.\nstruct A;\n//! Returns a name.\n/// Whatever\n/// Its\n\n/// Of\n";
    assert_eq!(bad_openings(text), ["/// What it is.", "/// Of"]);
    let lines =
        ["pub(crate) struct One<T>;", "enum Two {", "    struct Three;", "pub trait Four: Five {", "x!()"];
    assert_eq!(lines.map(type_name), [Some("One"), Some("Two"), None, Some("Four"), None]);
    assert_eq!(type_name("struct S { int a; };"), None);
}
