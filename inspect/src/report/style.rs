//! The layout of texts for people.

/// The maximum width of lines for people.
const MAX_WIDTH: usize = 100;

/// The layout of a text: by default without colour, in lines of up to 100 characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[must_use]
pub struct TextStyle {
    pub(crate) width: Option<usize>,
    pub(crate) verbose: bool,
    pub(crate) color: bool,
}

impl TextStyle {
    /// Starts with the default style.
    pub fn new() -> TextStyle {
        TextStyle::default()
    }

    /// Sets the width of the terminal, in characters. Where it is not known, tables have their full width.
    pub fn width(mut self, width: impl Into<Option<usize>>) -> TextStyle {
        self.width = width.into();
        self
    }

    /// Includes all details, if true.
    pub fn verbose(mut self, verbose: bool) -> TextStyle {
        self.verbose = verbose;
        self
    }

    /// Makes names in headings bold and warnings yellow, if true, by the escape sequences of ECMA-48.
    pub fn color(mut self, color: bool) -> TextStyle {
        self.color = color;
        self
    }

    /// Returns a name in a heading.
    pub(crate) fn heading(&self, text: &str) -> String {
        self.painted("1", text)
    }

    /// Returns a text that deserves attention.
    pub(crate) fn attention(&self, text: &str) -> String {
        self.painted("33", text)
    }

    fn painted(&self, code: &str, text: &str) -> String {
        match self.color {
            true => format!("\x1b[{code}m{text}\x1b[0m"),
            false => text.to_owned(),
        }
    }

    /// Adds a title and items, in lines of a readable width or that of the terminal. Later lines are indented
    /// to the end of the title.
    pub(crate) fn fill(&self, text: &mut String, title: &str, items: &[String], separator: &str) {
        let columns = self.width.unwrap_or(usize::MAX).min(MAX_WIDTH);
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
}
