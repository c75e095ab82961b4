//! The expression tree.

use std::collections::BTreeSet;
use std::fmt;

use super::ConditionError;

/// The largest depth of an expression: the number of nodes from its root to its deepest leaf. All code that reads or makes
/// expressions keeps to this, so that walking and dropping them fits any thread's stack.
pub const MAX_DEPTH: usize = 512;

/// The largest number of nodes in an expression.
pub const MAX_NODES: usize = 4096;

/// A property of devices in a condition, by number.
///
/// The order of leaves is the order of canonical expressions: by kind as listed here, then by number.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Leaf {
    /// The device is of this architecture. A device is of one known architecture at most.
    Architecture(u32),
    /// The device has this aspect.
    Aspect(u32),
    /// The device supports this SPIR-V capability, by its enumerant (this project's addition to the leaves of the design).
    Capability(u32),
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
            Leaf::Constant(_) => LeafKind::Constant,
        }
    }

    /// Its number in the table of its kind; for a constant, its result id.
    pub fn number(self) -> u32 {
        match self {
            Leaf::Architecture(number)
            | Leaf::Aspect(number)
            | Leaf::Capability(number)
            | Leaf::Constant(number) => number,
        }
    }

    pub(super) fn is_architecture(self) -> bool {
        self.kind() == LeafKind::Architecture
    }
}

impl LeafKind {
    /// The leaf of this kind with this number.
    pub fn leaf(self, number: u32) -> Leaf {
        match self {
            LeafKind::Architecture => Leaf::Architecture(number),
            LeafKind::Aspect => Leaf::Aspect(number),
            LeafKind::Capability => Leaf::Capability(number),
            LeafKind::Constant => Leaf::Constant(number),
        }
    }
}

impl fmt::Display for LeafKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LeafKind::Architecture => "architecture",
            LeafKind::Aspect => "aspect",
            LeafKind::Capability => "capability",
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
