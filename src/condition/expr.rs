//! The expression tree.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use super::ConditionError;

/// The largest depth of an expression: the number of nodes from its root to its deepest leaf. All code that reads or makes
/// expressions keeps to this, so that walking and dropping them fits any thread's stack.
pub const MAX_DEPTH: usize = 512;

/// The largest number of nodes in an expression.
pub const MAX_NODES: usize = 4096;

/// The largest number of characters in a [`Name`].
pub const MAX_NAME: usize = 64;

/// The largest number of different [`Name`]s in one process, which keeps them: what names leaves is data that anyone may have written.
const MAX_NAMES: usize = 1 << 16;

/// The name that a leaf without a number has: a letter or underscore, then letters, digits and underscores, all of them ASCII. Leaves are
/// copied and compared everywhere, so each name is kept once, for as long as the process runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(&'static str);

/// A property of devices, or a decision of the host, in a condition.
///
/// The order of leaves is the order of canonical expressions: by kind as listed here, then by number or name.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Leaf {
    /// The device is of this architecture. A device is of one known architecture at most.
    Architecture(u32),
    /// The device has this aspect.
    Aspect(u32),
    /// The device supports this SPIR-V capability, by its enumerant (this project's addition to the leaves of the design).
    Capability(u32),
    /// The device accepts this SPIR-V extension (this project's addition, as the next).
    Extension(Name),
    /// The host decides for it.
    Host(Name),
    /// A Boolean specialization constant whose meaning is not known, by its result id: only in modules that were
    /// multi-target already. It has no series.
    Constant(u32),
}

/// The kind of a [`Leaf`], which decides the table of its number.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LeafKind {
    /// See [`Leaf::Architecture`].
    Architecture,
    /// See [`Leaf::Aspect`].
    Aspect,
    /// See [`Leaf::Capability`].
    Capability,
    /// See [`Leaf::Extension`].
    Extension,
    /// See [`Leaf::Host`].
    Host,
    /// See [`Leaf::Constant`].
    Constant,
}

impl Leaf {
    /// The kind of the leaf.
    pub fn kind(self) -> LeafKind {
        match self {
            Leaf::Architecture(_) => LeafKind::Architecture,
            Leaf::Aspect(_) => LeafKind::Aspect,
            Leaf::Capability(_) => LeafKind::Capability,
            Leaf::Extension(_) => LeafKind::Extension,
            Leaf::Host(_) => LeafKind::Host,
            Leaf::Constant(_) => LeafKind::Constant,
        }
    }

    /// Its number in the table of its kind; for a constant, its result id. Leaves with a name have none.
    pub fn number(self) -> Option<u32> {
        match self {
            Leaf::Architecture(number)
            | Leaf::Aspect(number)
            | Leaf::Capability(number)
            | Leaf::Constant(number) => Some(number),
            Leaf::Extension(_) | Leaf::Host(_) => None,
        }
    }

    pub(super) fn is_architecture(self) -> bool {
        self.kind() == LeafKind::Architecture
    }
}

impl LeafKind {
    /// The leaf of this kind with this number; `None` for kinds with names.
    pub fn leaf(self, number: u32) -> Option<Leaf> {
        Some(match self {
            LeafKind::Architecture => Leaf::Architecture(number),
            LeafKind::Aspect => Leaf::Aspect(number),
            LeafKind::Capability => Leaf::Capability(number),
            LeafKind::Constant => Leaf::Constant(number),
            LeafKind::Extension | LeafKind::Host => return None,
        })
    }

    /// The leaf of this kind with this name; `None` for kinds with numbers, and for what cannot be such a name.
    pub fn named(self, name: &str) -> Option<Leaf> {
        match self {
            LeafKind::Extension => {
                Name::new(name).filter(|_| name.starts_with(EXTENSION)).map(Leaf::Extension)
            }
            LeafKind::Host => Name::new(name).map(Leaf::Host),
            _ => None,
        }
    }

    /// True if the leaves of this kind have names of their own.
    pub(super) fn has_names(self) -> bool {
        matches!(self, LeafKind::Extension | LeafKind::Host)
    }
}

/// The beginning of the names of all SPIR-V extensions.
const EXTENSION: &str = "SPV_";

impl Name {
    /// The name with these characters; `None` if they can be none, or there are [`MAX_NAMES`] already.
    pub fn new(text: &str) -> Option<Name> {
        static NAMES: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
        let is_first = |first: char| first.is_ascii_alphabetic() || first == '_';
        let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
        let is_name = text.len() <= MAX_NAME && text.starts_with(is_first) && text.chars().all(is_word);
        if !is_name {
            return None;
        }
        let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = names.get(text) {
            return Some(Name(known));
        }
        if names.len() >= MAX_NAMES {
            return None;
        }
        let kept: &'static str = Box::leak(text.into());
        names.insert(kept);
        Some(Name(kept))
    }

    /// Its characters.
    pub fn as_str(self) -> &'static str {
        self.0
    }

    /// The number of its characters, and these, four to a word, the first in the lowest byte.
    pub fn to_words(self) -> Vec<u32> {
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
        std::iter::once(self.0.len() as u32).chain(self.0.as_bytes().chunks(4).map(word)).collect()
    }

    /// The name at the beginning of words such as [`to_words`](Name::to_words) gives, and how many these are.
    pub fn from_words(words: &[u32]) -> Option<(Name, usize)> {
        let (&length, rest) = words.split_first()?;
        let length = usize::try_from(length).ok().filter(|&length| length <= MAX_NAME)?;
        let words = rest.get(..length.div_ceil(4))?;
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let unused = bytes.split_off(length);
        let name = Name::new(str::from_utf8(&bytes).ok()?)?;
        unused.iter().all(|&byte| byte == 0).then_some((name, 1 + words.len()))
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Display for LeafKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LeafKind::Architecture => "architecture",
            LeafKind::Aspect => "aspect",
            LeafKind::Capability => "capability",
            LeafKind::Extension => "SPIR-V extension",
            LeafKind::Host => "decision of the host",
            LeafKind::Constant => "constant",
        })
    }
}

/// A Condition Expression (docs/design/device-if.md, "Definition of terms"), as written: two equivalent expressions can
/// differ. Their [canonical](Expr::canonical) forms do not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Expr {
    /// Holds on every device.
    True,
    /// Holds on no device.
    False,
    /// Holds where the leaf does.
    Leaf(Leaf),
    /// Holds where the other does not.
    Not(Box<Expr>),
    /// Holds where both do.
    And(Box<Expr>, Box<Expr>),
    /// Holds where either does.
    Or(Box<Expr>, Box<Expr>),
}

impl From<Leaf> for Expr {
    fn from(leaf: Leaf) -> Expr {
        Expr::Leaf(leaf)
    }
}

impl Expr {
    /// All leaves that it mentions, whether or not it depends on them.
    pub fn leaves(&self) -> BTreeSet<Leaf> {
        self.nodes().filter_map(|node| if let Expr::Leaf(leaf) = node { Some(*leaf) } else { None }).collect()
    }

    /// All nodes, each before its operands and left before right.
    pub(super) fn nodes(&self) -> impl Iterator<Item = &Expr> {
        let mut rest = vec![self];
        std::iter::from_fn(move || {
            let node = rest.pop()?;
            rest.extend(node.operands().into_iter().rev().flatten());
            Some(node)
        })
    }

    pub(super) fn operands(&self) -> [Option<&Expr>; 2] {
        match self {
            Expr::True | Expr::False | Expr::Leaf(_) => [None, None],
            Expr::Not(operand) => [Some(operand), None],
            Expr::And(left, right) | Expr::Or(left, right) => [Some(left), Some(right)],
        }
    }

    /// Checks the bounds. Callers can build any tree, so recursive functions call this first.
    pub(super) fn check_size(&self) -> Result<(), ConditionError> {
        let mut nodes = 0;
        let mut rest = vec![(self, 1)];
        while let Some((expr, depth)) = rest.pop() {
            nodes += 1;
            if nodes > MAX_NODES {
                return Err(ConditionError::TooLong);
            }
            if depth > MAX_DEPTH {
                return Err(ConditionError::TooDeep);
            }
            rest.extend(expr.operands().into_iter().flatten().map(|operand| (operand, depth + 1)));
        }
        Ok(())
    }
}
