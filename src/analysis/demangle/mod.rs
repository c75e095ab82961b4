//! Names of functions as their source has them, from the mangled ones in a module.

mod glslang;
#[cfg(feature = "demangle")]
mod itanium;
#[cfg(all(test, feature = "demangle"))]
mod tests;
#[cfg(not(feature = "demangle"))]
mod without_itanium;

use std::borrow::Cow;
use std::fmt;

#[cfg(not(feature = "demangle"))]
use without_itanium as itanium;

/// The level of detail of a demangled name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NameDetail {
    /// The name alone: no parameters, no template arguments.
    Name,
    /// The whole name, with template arguments up to a depth: those inside of others are `...` at depth 1, and all are at 0.
    Arguments(usize),
}

/// The longest name that a message shows, in bytes.
const SHOWN: usize = 256;
/// The maximum length of a demangled name, in bytes.
const MAX_NAME_LENGTH: usize = 1 << 14;

/// The name of a function, demangled on use: C++'s (Itanium ABI, and DPC++'s names of kernels) and glslang's. Any other name is as it
/// is.
///
/// Displayed, it is the [name that fits](FunctionName::within) 256 bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionName<'n> {
    raw: Cow<'n, str>,
}

impl<'n> FunctionName<'n> {
    /// Creates the name as a module has it.
    pub fn new(raw: impl Into<Cow<'n, str>>) -> FunctionName<'n> {
        FunctionName { raw: raw.into() }
    }

    /// Returns the name as the module has it.
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// Returns the name alone: without parameters and, in C++, without template arguments. `sum<float>(float*)` and `sum(u1;` are `sum`.
    /// Not longer than 256 bytes.
    pub fn short(&self) -> Cow<'_, str> {
        if let Some(name) = itanium::demangle(&self.raw, NameDetail::Name, SHOWN) {
            return Cow::Owned(name);
        }
        match self.raw.split('(').next() {
            Some(name) if !name.is_empty() => cut(name, SHOWN),
            _ => cut(&self.raw, SHOWN),
        }
    }

    /// Returns the whole name, with known parameters: `sum<float>(float*)`, `sum(uint)`. A name of more than 16 KiB is cut as
    /// [`FunctionName::within`] does.
    pub fn full(&self) -> Cow<'_, str> {
        self.within(MAX_NAME_LENGTH)
    }

    /// Returns the part of the name that fits in a number of bytes. A longer name loses the template arguments inside of others, then all
    /// template arguments (`merge<...>(...)` keeps the text outside of them), then its parameters, then its end. Three dots mark each
    /// omission.
    pub fn within(&self, limit: usize) -> Cow<'_, str> {
        let details = [NameDetail::Arguments(usize::MAX), NameDetail::Arguments(1), NameDetail::Arguments(0)];
        let fitting = |detail: NameDetail| itanium::demangle(&self.raw, detail, limit);
        if let Some(name) = details.into_iter().find_map(fitting) {
            return Cow::Owned(name);
        }
        if let Some(name) = itanium::demangle(&self.raw, NameDetail::Name, limit.saturating_sub(5)) {
            return Cow::Owned(name + "(...)");
        }
        match glslang::signature(&self.raw) {
            Some(signature) => Cow::Owned(cut(&signature, limit).into_owned()),
            None => cut(&self.raw, limit),
        }
    }

    /// Returns the name as a call path shows it: displayed, with parentheses even if the parameters are not known.
    pub fn in_chain(&self) -> String {
        let name = self.to_string();
        if name.ends_with(')') || name.contains('(') { name } else { name + "()" }
    }
}

impl fmt::Display for FunctionName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&in_one_line(&self.within(SHOWN)))
    }
}

/// Returns a name with its control characters escaped, so that it does not break lines of the output.
pub fn in_one_line(name: &str) -> Cow<'_, str> {
    if !name.contains(char::is_control) {
        return Cow::Borrowed(name);
    }
    let mut escaped = String::new();
    for character in name.chars() {
        match character.is_control() {
            true => escaped.extend(character.escape_default()),
            false => escaped.push(character),
        }
    }
    Cow::Owned(escaped)
}

/// Returns the start of a text, with dots for the rest if it does not fit.
fn cut(text: &str, limit: usize) -> Cow<'_, str> {
    if text.len() <= limit {
        return Cow::Borrowed(text);
    }
    let mut end = limit.saturating_sub(3);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    Cow::Owned(format!("{}...", &text[..end]))
}
