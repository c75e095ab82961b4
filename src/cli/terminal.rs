//! Text that fits the terminal.

use std::io::IsTerminal;

/// How wide lines are that people read, where the terminal allows it.
const WIDEST: usize = 100;

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

/// Adds a title and items, in lines of a width that people read, or that of the terminal if that is less. Lines after the
/// first are indented as far as the title reaches.
pub fn fill(text: &mut String, title: &str, items: &[String], separator: &str) {
    let columns = width().unwrap_or(usize::MAX).min(WIDEST);
    let indent = title.chars().count();
    text.push_str(title);
    let mut at = indent;
    for (index, item) in items.iter().enumerate() {
        let length = item.chars().count();
        if index > 0 && at + separator.len() + length > columns {
            text.push_str(separator.trim_end());
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            at = indent;
        } else if index > 0 {
            text.push_str(separator);
            at += separator.len();
        }
        text.push_str(item);
        at += length;
    }
    text.push('\n');
}
