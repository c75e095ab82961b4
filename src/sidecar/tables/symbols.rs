//! Symbol files.

use std::collections::HashSet;

use super::TableError;

/// The text of a `.sym` file. Names that stand twice are written once.
///
/// # Errors
/// If a name is not one line.
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

/// The names in the text of a `.sym` file, each once. Blank lines are skipped.
pub fn symbols_from_text(text: &str) -> Vec<String> {
    let mut seen = HashSet::new();
    text.lines().filter(|name| !name.is_empty() && seen.insert(*name)).map(str::to_owned).collect()
}
