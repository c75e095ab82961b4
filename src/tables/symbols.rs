//! Symbol files.

use std::collections::HashSet;

use super::{TableError, line_error};

/// Reads the names of entry points in the text of a `.sym` file, one a line; `source_name` is what errors call it. Blank lines
/// are skipped.
///
/// # Errors
/// Where a name stands there twice.
pub fn parse_symbols(source_name: &str, text: &str) -> Result<Vec<String>, TableError> {
    let mut seen = HashSet::new();
    let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty());
    lines
        .map(|(index, name)| {
            if seen.insert(name) {
                Ok(name.to_owned())
            } else {
                Err(line_error(source_name, index, format!("`{name}` stands here a second time")))
            }
        })
        .collect()
}

/// The text of a `.sym` file. Names that stand twice are written once.
///
/// # Errors
/// Where a name is not one line.
pub fn symbols_to_text<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<String, TableError> {
    let mut seen = HashSet::new();
    let mut text = String::new();
    for name in names {
        if name.is_empty() || name.contains(['\n', '\r']) {
            return Err(TableError::Unwritable { what: "a symbol file", text: name.to_owned() });
        }
        if seen.insert(name) {
            text.push_str(name);
            text.push('\n');
        }
    }
    Ok(text)
}
