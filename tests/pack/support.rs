//! Modules in text with names for ids.

use std::collections::BTreeMap;

use crate::common::{run, tool, words_of};

/// Assembles a text; returns the words, and the ids by name: spirv-as numbers names by first appearance.
pub fn assemble(text: &str, version: &str) -> Option<(Vec<u32>, BTreeMap<String, u32>)> {
    let assembler = tool("SPIRV_AS", "spirv-as")?;
    let bytes = run(&assembler, &["--target-env", version, "-o", "-", "-"], text.as_bytes())
        .unwrap_or_else(|error| panic!("{error}\n{}", numbered(text)));
    let mut ids = BTreeMap::new();
    for word in text.lines().filter_map(|line| line.split(';').next()).flat_map(str::split_whitespace) {
        if let Some(name) = word.strip_prefix('%') {
            let next = ids.len() as u32 + 1;
            ids.entry(name.to_string()).or_insert(next);
        }
    }
    let words = words_of(&bytes);
    assert_eq!(words[3] as usize, ids.len() + 1, "the names are numbered as spirv-as numbers them\n{text}");
    Some((words, ids))
}

fn numbered(text: &str) -> String {
    text.lines().enumerate().map(|(number, line)| format!("{:4} {line}\n", number + 1)).collect()
}
