//! Text that fits the terminal.

use std::io::IsTerminal;

use spirv_if::TextStyle;

/// The style of texts for the terminal.
pub fn style() -> TextStyle {
    let mut style = TextStyle::default();
    style.width = width();
    style
}

/// The width of the terminal; None if stdout is none.
pub fn width() -> Option<usize> {
    let (width, _) =
        terminal_size::terminal_size_of(std::io::stdout()).filter(|_| std::io::stdout().is_terminal())?;
    Some(width.0.into())
}

/// A line truncated to the width of the terminal.
pub fn cut(line: String, columns: Option<usize>) -> String {
    match columns {
        Some(columns) if line.chars().count() > columns && columns > 0 => {
            line.chars().take(columns - 1).chain(['…']).collect()
        }
        _ => line,
    }
}
