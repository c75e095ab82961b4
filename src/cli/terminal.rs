//! Text that fits the terminal.

use std::io::IsTerminal;

use spirv_if::TextStyle;

/// How texts of the library fit the terminal.
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

/// A line that ends where the terminal does.
pub fn cut(line: String, columns: Option<usize>) -> String {
    match columns {
        Some(columns) if line.chars().count() > columns && columns > 0 => {
            line.chars().take(columns - 1).chain(['…']).collect()
        }
        _ => line,
    }
}
