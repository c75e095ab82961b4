//! The table of what the interface asks users to learn names each option of `pack`, `specialize` and `bundle`, and no other.

use std::collections::BTreeSet;
use std::process::Command;

use crate::common::root;

/// The commands that the table is about.
const COMMANDS: [&str; 3] = ["pack", "specialize", "bundle"];
/// Options that every command has.
const OF_ALL: [&str; 2] = ["--help", "--version"];

tests![the_table_names_all_options];

/// Returns the names that begin with two hyphens.
fn options(text: &str) -> BTreeSet<String> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    let words = text.split(|letter: char| !is_part(letter));
    words.filter(|word| word.starts_with("--") && word.len() > 3).map(str::to_owned).collect()
}

/// Returns the options that the help of a command describes.
fn described(command: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_spirv-if")).args([command, "--help"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let heads = text.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
    // A head may end with the start of the explanation.
    heads.flat_map(|line| options(line).into_iter().take(1)).collect()
}

fn the_table_names_all_options() {
    let page = std::fs::read_to_string(root().join("docs/design/interface.md")).unwrap();
    // What stood there before is not an option any more.
    let rows = page.lines().map(|line| match line.starts_with('|') {
        true => line.trim_end_matches('|').rsplit_once('|').map_or(line, |(rest, _)| rest),
        false => line,
    });
    let named = options(&rows.collect::<Vec<_>>().join("\n"));
    let mut existing: BTreeSet<String> = COMMANDS.iter().flat_map(|command| described(command)).collect();
    existing.retain(|option| !OF_ALL.contains(&option.as_str()));
    assert!(existing.len() > 40, "{existing:?}");
    let missing: Vec<&String> = existing.difference(&named).collect();
    let unknown: Vec<&String> = named.difference(&existing).collect();
    assert!(
        missing.is_empty() && unknown.is_empty(),
        "not in the table: {missing:?}; no options: {unknown:?}"
    );
}
