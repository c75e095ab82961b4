//! Names of functions as C++ compilers write them (Itanium C++ ABI, 5.1 "External Names"), through `cpp_demangle`.
//!
//! The crate limits its recursion. Its output is limited here: a name of a few dozen letters that refers to itself can expand to
//! gigabytes.

use std::fmt;

use cpp_demangle::{BorrowedSymbol, DemangleNodeType, DemangleOptions, DemangleWrite};

use super::NameDetail;

/// The maximum length of a mangled name that is read, in bytes. Real names have a few hundred bytes; the time to read a
/// name grows with the square of its length.
const MAX_MANGLED: usize = 1 << 12;
/// The maximum length of the text that a name may expand to, in bytes.
const MAX_WRITTEN: usize = 1 << 16;
/// The prefix of DPC++'s kernel names: a kernel is named after its typeinfo name.
const TYPEINFO_NAME: &str = "typeinfo name for ";

/// Returns a mangled name as C++ would write it. `None` if it is not mangled, or if the result has more than `limit` bytes.
pub(super) fn demangle(mangled: &str, detail: NameDetail, limit: usize) -> Option<String> {
    if !mangled.starts_with("_Z") || mangled.len() > MAX_MANGLED {
        return None;
    }
    let plain = without_address_spaces(mangled);
    let symbol = parsed(mangled).or_else(|| parsed(plain.as_deref()?))?;
    let mut options = DemangleOptions::new().no_return_type().hide_expression_literal_types();
    if detail == NameDetail::Name {
        options = options.no_params();
    }
    let mut text =
        DemangledText { detail, text: String::new(), budget: MAX_WRITTEN, nodes: Vec::new(), closing: false };
    symbol.structured_demangle(&mut text, &options).ok()?;
    // Before the arguments of `operator<<` there is a space.
    let name = text.text.strip_prefix(TYPEINFO_NAME).unwrap_or(&text.text).trim_end();
    (!name.is_empty() && name.len() <= limit).then(|| name.to_string())
}

fn parsed(mangled: &str) -> Option<BorrowedSymbol<'_>> {
    let (symbol, rest) = BorrowedSymbol::with_tail(mangled.as_bytes()).ok()?;
    rest.is_empty().then_some(symbol)
}

/// Returns a mangled name without the address spaces that clang writes for the pointee of `this`, as in `NU3AS4K`: the crate expects only
/// qualifiers like `const` there. `None` if it has none.
fn without_address_spaces(mangled: &str) -> Option<String> {
    const THIS: &str = "NU3AS";
    let mut parts = mangled.split(THIS);
    let mut plain = parts.next()?.to_string();
    if plain.len() == mangled.len() {
        return None;
    }
    for part in parts {
        match part.strip_prefix(|number: char| number.is_ascii_digit()) {
            Some(rest) => plain.extend(["N", rest]),
            None => plain.extend([THIS, part]),
        }
    }
    Some(plain)
}

/// A receiver of demangled text that keeps the requested detail.
struct DemangledText {
    detail: NameDetail,
    text: String,
    /// The number of bytes that may still be written, including dropped ones: dropping takes as long as keeping.
    budget: usize,
    /// The nodes around the current one: true for each that is a list of template arguments.
    nodes: Vec<bool>,
    /// True if the closing bracket of a dropped list is written next.
    closing: bool,
}

impl DemangledText {
    fn is_dropped(&self) -> bool {
        let depth = self.nodes.iter().filter(|&&is_list| is_list).count();
        match self.detail {
            NameDetail::Name => depth > 0,
            NameDetail::Arguments(kept) => depth > kept,
        }
    }
}

impl DemangleWrite for DemangledText {
    fn push_demangle_node(&mut self, node: DemangleNodeType) {
        let was_dropped = self.is_dropped();
        self.nodes.push(node == DemangleNodeType::TemplateArgs);
        if self.is_dropped() && !was_dropped {
            // The opening bracket has been written already.
            match self.detail {
                NameDetail::Name => drop(self.text.pop()),
                NameDetail::Arguments(_) => self.text.push_str("..."),
            }
        }
    }

    fn pop_demangle_node(&mut self) {
        let was_dropped = self.is_dropped();
        self.nodes.pop();
        self.closing = was_dropped && !self.is_dropped() && self.detail == NameDetail::Name;
    }

    fn write_string(&mut self, text: &str) -> fmt::Result {
        self.budget = self.budget.checked_sub(text.len()).ok_or(fmt::Error)?;
        if !self.is_dropped() && !std::mem::take(&mut self.closing) {
            self.text.push_str(text);
        }
        Ok(())
    }
}
