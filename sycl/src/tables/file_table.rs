//! File tables.

use super::{TableError, line_error};

/// A table of images: a row for each, with the names of its files by column. File names are absolute, or
/// relative to the working directory and not to the table.
#[derive(Clone, Debug, Default)]
pub struct FileTable {
    columns: Vec<String>,
    rows: Vec<TableRow>,
}

#[derive(Clone, Debug)]
struct TableRow {
    cells: Vec<String>,
    /// Line of the row in the text, from 1; 0 if it was not read from a text.
    line: usize,
}

impl FileTable {
    /// Column of the files with the code.
    pub const CODE: &str = "Code";
    /// Column of the files with the property sets.
    pub const PROPERTIES: &str = "Properties";
    /// Column of the symbol files.
    pub const SYMBOLS: &str = "Symbols";
    /// Column of the targets of the images, in a table for several.
    pub const TARGET: &str = "Target";

    /// Creates a table without rows.
    ///
    /// # Errors
    /// If a title is duplicate or cannot be written.
    pub fn new(columns: &[&str]) -> Result<FileTable, TableError> {
        let mut table = FileTable::default();
        for &title in columns {
            let bad = title.is_empty() || title.contains(['|', ']', '\n', '\r']);
            if bad || table.column(title).is_some() {
                return Err(TableError::Unwritable { what: "the titles", text: title.to_owned() });
            }
            table.columns.push(title.to_owned());
        }
        Ok(table)
    }

    /// Returns the index of the column with this title.
    pub fn column(&self, title: &str) -> Option<usize> {
        self.columns.iter().position(|other| other == title)
    }

    /// Returns the cells of each row, by column.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[String]> {
        self.rows.iter().map(|row| &row.cells[..])
    }

    /// Returns the line of a row in the text, from 1; `None` if it was not read from a text.
    pub fn line(&self, row: usize) -> Option<usize> {
        self.rows.get(row).map(|row| row.line).filter(|&line| line > 0)
    }

    /// Adds a row.
    ///
    /// # Errors
    /// If the number of cells differs from that of the columns, or a cell cannot be written.
    pub fn push(&mut self, cells: Vec<String>) -> Result<(), TableError> {
        if cells.len() != self.columns.len() {
            return Err(TableError::RowLength { cells: cells.len(), columns: self.columns.len() });
        }
        // A row of one cell must not be a blank line.
        let blank = |cell: &String| cell.is_empty() && cells.len() == 1;
        if let Some(cell) = cells.iter().find(|cell| cell.contains(['|', '\n', '\r']) || blank(cell)) {
            return Err(TableError::Unwritable { what: "a file table", text: cell.clone() });
        }
        self.rows.push(TableRow { cells, line: 0 });
        Ok(())
    }

    /// Keeps the rows for whose indices `keep` returns true.
    pub fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        let mut index = 0;
        self.rows.retain(|_| {
            index += 1;
            keep(index - 1)
        });
    }

    /// Reads the text of a `.table` file; `source_name` is its name in errors. Blank lines are skipped.
    ///
    /// # Errors
    /// If the first line is not a list of titles, or a title is duplicate. Also if the number of cells in a
    /// row differs, or a carriage return is within a line.
    pub fn parse(source_name: &str, text: &str) -> Result<FileTable, TableError> {
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty());
        let (index, first) = lines.next().unwrap_or_default();
        let error = |index, reason: String| line_error(source_name, index, reason);
        // A carriage return at the end of a cell would be lost when the table is written.
        if let Some(index) = text.lines().position(|line| line.contains('\r')) {
            return Err(error(index, "a carriage return is not at the end of its line".to_owned()));
        }
        let titles = first.strip_prefix('[').and_then(|line| line.strip_suffix(']')).ok_or_else(|| {
            error(
                index,
                "a file table starts with the titles of its columns, as in [Code|Properties]".to_owned(),
            )
        })?;
        let mut table = FileTable::default();
        for title in titles.split('|') {
            if table.column(title).is_some() {
                return Err(error(index, format!("column `{title}` is defined a second time")));
            }
            if title.is_empty() || title.contains(']') {
                return Err(error(index, format!("`{title}` is not a valid column title")));
            }
            table.columns.push(title.to_owned());
        }
        for (index, line) in lines {
            let cells: Vec<String> = line.split('|').map(str::to_owned).collect();
            if cells.len() != table.columns.len() {
                let (cells, columns) = (cells.len(), table.columns.len());
                return Err(error(index, TableError::RowLength { cells, columns }.to_string()));
            }
            table.rows.push(TableRow { cells, line: index + 1 });
        }
        Ok(table)
    }

    /// Returns the text of a `.table` file.
    pub fn to_text(&self) -> String {
        let mut text = format!("[{}]\n", self.columns.join("|"));
        for row in &self.rows {
            text.push_str(&row.cells.join("|"));
            text.push('\n');
        }
        text
    }
}
