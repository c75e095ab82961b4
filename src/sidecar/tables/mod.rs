//! File tables and symbol files: the lists by which DPC++'s tools hand images on (`spec-extensions/property-sets.md`).

mod file_table;
mod symbols;

use thiserror::Error;

pub use file_table::FileTable;
pub use symbols::{symbols_from_text, symbols_to_text};

/// A malformed table or symbol file, or one that cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TableError {
    /// A line of the text is wrong.
    #[error("{source_name}:{line}: {reason}")]
    Text {
        /// The file.
        source_name: String,
        /// The line, from 1.
        line: usize,
        /// The error.
        reason: String,
    },
    /// Rows are cells, one for each column.
    #[error("a row has one cell for each column: {columns}, not {cells}")]
    RowLength {
        /// The number of cells.
        cells: usize,
        /// The number of columns.
        columns: usize,
    },
    /// A cell, a title or a name would read as something else.
    #[error("`{}` cannot be in {what}: it is empty, or contains a separator", .text.escape_debug())]
    Unwritable {
        /// The place where it should be.
        what: &'static str,
        /// The text.
        text: String,
    },
}

fn line_error(source_name: &str, index: usize, reason: impl Into<String>) -> TableError {
    TableError::Text { source_name: source_name.to_owned(), line: index + 1, reason: reason.into() }
}

#[cfg(test)]
mod tests;
