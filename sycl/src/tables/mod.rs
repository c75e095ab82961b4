//! File tables and symbol files: the lists of images that DPC++'s tools exchange
//! (`spec-extensions/property-sets.md`). A [`FileTable`] lists the files of images.
//!
//! ```
//! use spirv_if_sycl::tables::FileTable;
//! let mut table = FileTable::new(&[FileTable::CODE, FileTable::PROPERTIES])?;
//! table.push(vec!["image.spv".to_owned(), "image.prop".to_owned()])?;
//! assert_eq!(table.to_text(), "[Code|Properties]\nimage.spv|image.prop\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod file_table;

pub use file_table::FileTable;

use std::collections::HashSet;

use spirv_if::error::ModuleErrorKind;
use thiserror::Error;

/// A malformed table or symbol file, or one that cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TableError {
    /// A malformed line of the text.
    #[error("{source_name}:{line}: {reason}")]
    Text {
        /// The file.
        source_name: String,
        /// The line, from 1.
        line: usize,
        /// The error.
        reason: String,
    },
    /// A row whose number of cells differs from that of the columns.
    #[error("a row has one cell for each column: {columns}, not {cells}")]
    RowLength {
        /// The number of cells.
        cells: usize,
        /// The number of columns.
        columns: usize,
    },
    /// A cell, a title or a name that would be read as something else.
    #[error("`{}` cannot be in {what}: it is empty, or contains a separator", .text.escape_debug())]
    Unwritable {
        /// The kind of text.
        what: &'static str,
        /// The text.
        text: String,
    },
}

impl From<TableError> for spirv_if::Error {
    fn from(error: TableError) -> spirv_if::Error {
        spirv_if::Error::module(ModuleErrorKind::File, error)
    }
}

fn line_error(source_name: &str, index: usize, reason: impl Into<String>) -> TableError {
    TableError::Text { source_name: source_name.to_owned(), line: index + 1, reason: reason.into() }
}

/// Returns the text of a `.sym` file. Duplicate names are written once.
///
/// # Errors
/// If a name is not a single line.
pub(crate) fn symbols_to_text<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<String, TableError> {
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

/// Returns the names in the text of a `.sym` file, each once. Blank lines are skipped.
pub(crate) fn symbols_from_text(text: &str) -> Vec<String> {
    let mut seen = HashSet::new();
    text.lines().filter(|name| !name.is_empty() && seen.insert(*name)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
