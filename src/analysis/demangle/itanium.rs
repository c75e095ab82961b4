//! Names of functions as C++ compilers write them (Itanium C++ ABI, 5.1 "External Names"), through `cpp_demangle`.
//!
//! The crate limits how deep it recurses. How much it writes is limited here: a name of a few dozen letters that refers to itself
//! can stand for gigabytes.

use std::fmt;

use cpp_demangle::{BorrowedSymbol, DemangleNodeType, DemangleOptions, DemangleWrite};

/// The longest mangled name that is read, in bytes. Real ones have a few hundred; reading takes time that grows
/// with the square of it.
const MAX_MANGLED: usize = 1 << 12;
/// The most text that a name may stand for, in bytes.
const MAX_WRITTEN: usize = 1 << 16;
/// DPC++ calls a kernel by the name of its typeinfo's name.
const TYPEINFO_NAME: &str = "typeinfo name for ";

/// How much of a name is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// The name alone: no parameters, no template arguments.
    Name,
    /// All of it, but template arguments only so deep: those inside of others are `...` at depth 1, and all are at 0.
    Arguments(usize),
}

/// A mangled name as C++ would write it. `None` if it is none, or if what is wanted has more than `limit` bytes.
pub(super) fn demangle(mangled: &str, detail: Detail, limit: usize) -> Option<String> {
    if !mangled.starts_with("_Z") || mangled.len() > MAX_MANGLED {
        return None;
    }
    let plain = without_address_spaces(mangled);
    let symbol = parsed(mangled).or_else(|| parsed(plain.as_deref()?))?;
    let mut options = DemangleOptions::new().no_return_type().hide_expression_literal_types();
    if detail == Detail::Name {
        options = options.no_params();
    }
    let mut text =
        Text { detail, text: String::new(), budget: MAX_WRITTEN, nodes: Vec::new(), closing: false };
    symbol.structured_demangle(&mut text, &options).ok()?;
    // Before the arguments of `operator<<` there is a space.
    let name = text.text.strip_prefix(TYPEINFO_NAME).unwrap_or(&text.text).trim_end();
    (!name.is_empty() && name.len() <= limit).then(|| name.to_string())
}

fn parsed(mangled: &str) -> Option<BorrowedSymbol<'_>> {
    let (symbol, rest) = BorrowedSymbol::with_tail(mangled.as_bytes()).ok()?;
    rest.is_empty().then_some(symbol)
}

/// A mangled name without the address spaces that clang writes for what `this` points to, as in `NU3AS4K`: the crate expects
/// nothing but `const` and its like there. `None` if it has none.
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

/// Takes the demangled text, as far as it is wanted.
struct Text {
    detail: Detail,
    text: String,
    /// How many bytes may still come, dropped ones included: dropping takes as long as keeping.
    budget: usize,
    /// The nodes around what comes next: whether each is a list of template arguments.
    nodes: Vec<bool>,
    /// Whether the bracket that closes a list of which nothing is kept comes next.
    closing: bool,
}

impl Text {
    fn is_dropped(&self) -> bool {
        let depth = self.nodes.iter().filter(|&&is_list| is_list).count();
        match self.detail {
            Detail::Name => depth > 0,
            Detail::Arguments(kept) => depth > kept,
        }
    }
}

impl DemangleWrite for Text {
    fn push_demangle_node(&mut self, node: DemangleNodeType) {
        let was_dropped = self.is_dropped();
        self.nodes.push(node == DemangleNodeType::TemplateArgs);
        if self.is_dropped() && !was_dropped {
            // The opening bracket is written already.
            match self.detail {
                Detail::Name => drop(self.text.pop()),
                Detail::Arguments(_) => self.text.push_str("..."),
            }
        }
    }

    fn pop_demangle_node(&mut self) {
        let was_dropped = self.is_dropped();
        self.nodes.pop();
        self.closing = was_dropped && !self.is_dropped() && self.detail == Detail::Name;
    }

    fn write_string(&mut self, text: &str) -> fmt::Result {
        self.budget = self.budget.checked_sub(text.len()).ok_or(fmt::Error)?;
        if !self.is_dropped() && !std::mem::take(&mut self.closing) {
            self.text.push_str(text);
        }
        Ok(())
    }
}
