//! The expression tree.

use std::collections::BTreeSet;
use std::fmt;

use spirv::Op;

use super::limit::is_driver;
use super::{ConditionError, FeatureName, Limit, Name, Numbers};

/// Maximum depth of an expression: the number of nodes from its root to its deepest leaf. All code that reads
/// or creates expressions respects it, so that walking and dropping them fits any thread's stack.
pub const MAX_DEPTH: usize = 512;

/// Maximum number of nodes in an expression.
pub const MAX_NODES: usize = 4096;

/// A property of devices, or a decision of the host, in a condition.
///
/// Leaves are ordered as in canonical expressions: by kind in the order of this list, then by number or name.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Leaf {
    /// The device is of this architecture. A device is of at most one known architecture.
    Architecture(u32),
    /// The device has this aspect.
    Aspect(u32),
    /// The device supports this SPIR-V capability, by its enumerant (this project's addition to the leaves of the design).
    Capability(u32),
    /// The device accepts this SPIR-V extension (this project's addition, like the next).
    Extension(Name),
    /// The host's decision with this name is true.
    Host(Name),
    /// The device has the instruction set and features with these numbers in the device registry: the
    /// literals of OpSpecConstantTargetINTEL.
    Target(Numbers),
    /// The device's architecture compares with one of the device registry: the literals of
    /// OpSpecConstantArchitectureINTEL.
    Comparison(Numbers),
    /// The device has a feature of a provider, such as those of AMD's processors (this project's addition).
    Feature(FeatureName),
    /// A number of the device is at least a constant (this project's addition). Limits with the same name are
    /// not independent.
    Limit(Limit),
    /// A Boolean specialization constant with unknown meaning, by its result id. It occurs only in modules
    /// that were already multi-target, and has no series.
    Constant(u32),
}

/// The kind of a [`Leaf`], which selects the table of its number.
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
    /// See [`Leaf::Target`].
    Target,
    /// See [`Leaf::Comparison`].
    Comparison,
    /// See [`Leaf::Feature`].
    Feature,
    /// See [`Leaf::Limit`].
    Limit,
    /// See [`Leaf::Constant`].
    Constant,
}

impl Leaf {
    /// Returns the kind of the leaf.
    pub fn kind(self) -> LeafKind {
        match self {
            Leaf::Architecture(_) => LeafKind::Architecture,
            Leaf::Aspect(_) => LeafKind::Aspect,
            Leaf::Capability(_) => LeafKind::Capability,
            Leaf::Extension(_) => LeafKind::Extension,
            Leaf::Host(_) => LeafKind::Host,
            Leaf::Target(_) => LeafKind::Target,
            Leaf::Comparison(_) => LeafKind::Comparison,
            Leaf::Feature(_) => LeafKind::Feature,
            Leaf::Limit(_) => LeafKind::Limit,
            Leaf::Constant(_) => LeafKind::Constant,
        }
    }

    /// Returns the number in the table of its kind; for a constant, its result id. `None` for leaves with a
    /// name or several numbers.
    pub fn number(self) -> Option<u32> {
        match self {
            Leaf::Architecture(number)
            | Leaf::Aspect(number)
            | Leaf::Capability(number)
            | Leaf::Constant(number) => Some(number),
            Leaf::Extension(_)
            | Leaf::Host(_)
            | Leaf::Target(_)
            | Leaf::Comparison(_)
            | Leaf::Feature(_)
            | Leaf::Limit(_) => None,
        }
    }

    /// Returns the words after the kind in a series and in property sets. These are the number, the
    /// [name](Name::to_words), the count of `Numbers` followed by them, or the [names of a feature or
    /// limit](FeatureName::to_words) followed by its bound, which is 0 for a feature, and for a driver the count of the version's parts
    /// followed by the parts.
    pub fn to_words(self) -> Vec<u32> {
        match self {
            Leaf::Extension(name) | Leaf::Host(name) => name.to_words(),
            Leaf::Target(numbers) | Leaf::Comparison(numbers) => numbers.to_words(),
            Leaf::Feature(name) => [name.to_words(), vec![0]].concat(),
            Leaf::Limit(limit) => [limit.name().to_words(), limit.bound_to_words()].concat(),
            Leaf::Architecture(number)
            | Leaf::Aspect(number)
            | Leaf::Capability(number)
            | Leaf::Constant(number) => vec![number],
        }
    }

    /// Returns the leaf for a feature. A driver leaf stands for all versions of the driver.
    pub fn of_feature(name: FeatureName) -> Leaf {
        match is_driver(name) {
            true => Leaf::Limit(Limit::any_version(name)),
            false => Leaf::Feature(name),
        }
    }

    pub(super) fn is_architecture(self) -> bool {
        self.kind() == LeafKind::Architecture
    }

    /// Returns a common leaf for all bounds of a number, and other leaves unchanged.
    pub(super) fn of_number(self) -> Leaf {
        match self {
            Leaf::Limit(limit) => Leaf::Limit(limit.last()),
            leaf => leaf,
        }
    }

    /// Returns the value of this leaf if that of `other` is `holds`; `None` if it may be either. Architectures
    /// are left to the caller.
    pub fn follows_from(self, other: Leaf, holds: bool) -> Option<bool> {
        match (self, other) {
            (Leaf::Limit(limit), Leaf::Limit(other)) => limit.follows_from(other, holds),
            _ => (self == other).then_some(holds),
        }
    }
}

impl LeafKind {
    /// Returns the leaf of this kind with a number; `None` for kinds with names or several numbers.
    pub fn leaf(self, number: u32) -> Option<Leaf> {
        Some(match self {
            LeafKind::Architecture => Leaf::Architecture(number),
            LeafKind::Aspect => Leaf::Aspect(number),
            LeafKind::Capability => Leaf::Capability(number),
            LeafKind::Constant => Leaf::Constant(number),
            LeafKind::Extension
            | LeafKind::Host
            | LeafKind::Target
            | LeafKind::Comparison
            | LeafKind::Feature
            | LeafKind::Limit => return None,
        })
    }

    /// Returns the leaf of this kind with a name; `None` for other kinds, and for invalid names.
    pub fn named(self, name: &str) -> Option<Leaf> {
        match self {
            LeafKind::Extension => {
                Name::new(name).filter(|_| name.starts_with(EXTENSION)).map(Leaf::Extension)
            }
            LeafKind::Host => Name::new(name).map(Leaf::Host),
            LeafKind::Feature => FeatureName::parse(name).map(Leaf::of_feature),
            _ => None,
        }
    }

    /// Returns the leaf of this kind with several numbers; `None` for other kinds, and for invalid numbers.
    pub fn with_numbers(self, numbers: &[u32]) -> Option<Leaf> {
        match self {
            LeafKind::Target => Numbers::new(numbers).map(Leaf::Target),
            LeafKind::Comparison => {
                let &[_, _, operation, _] = numbers else { return None };
                Op::from_u32(operation).filter(|operation| COMPARISONS.contains(operation))?;
                Numbers::new(numbers).map(Leaf::Comparison)
            }
            _ => None,
        }
    }

    /// Reads a leaf of this kind from the start of words in the form of [`Leaf::to_words`], and returns the
    /// number of words read. Features and limits have one form, of which the last word selects the kind.
    pub fn read(self, words: &[u32]) -> Option<(Leaf, usize)> {
        if let Some(leaf) = words.first().and_then(|&number| self.leaf(number)) {
            return Some((leaf, 1));
        }
        if matches!(self, LeafKind::Feature | LeafKind::Limit) {
            let (name, length) = FeatureName::from_words(words)?;
            let bound = words.get(length..)?;
            if bound.first() == Some(&0) {
                return Some((Leaf::of_feature(name), length + 1));
            }
            let (limit, length_of_bound) = Limit::from_bound_words(name, bound)?;
            return Some((Leaf::Limit(limit), length + length_of_bound));
        }
        if self.has_names() {
            let (name, length) = Name::from_words(words)?;
            return Some((self.named(name.as_str())?, length));
        }
        let (&length, rest) = words.split_first()?;
        let numbers = rest.get(..usize::try_from(length).ok()?)?;
        Some((self.with_numbers(numbers)?, 1 + numbers.len()))
    }

    /// Returns true if leaves of this kind have names.
    pub(super) fn has_names(self) -> bool {
        matches!(self, LeafKind::Extension | LeafKind::Host | LeafKind::Feature | LeafKind::Limit)
    }

    /// Returns true if leaves of this kind have several numbers.
    pub(super) fn has_numbers(self) -> bool {
        matches!(self, LeafKind::Target | LeafKind::Comparison)
    }
}

/// Prefix of the names of all SPIR-V extensions.
const EXTENSION: &str = "SPV_";

/// The operations of OpSpecConstantArchitectureINTEL.
pub const COMPARISONS: [Op; 6] =
    [Op::IEqual, Op::INotEqual, Op::UGreaterThan, Op::UGreaterThanEqual, Op::ULessThan, Op::ULessThanEqual];

impl fmt::Display for LeafKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LeafKind::Architecture => "architecture",
            LeafKind::Aspect => "aspect",
            LeafKind::Capability => "capability",
            LeafKind::Extension => "SPIR-V extension",
            LeafKind::Host => "decision of the host",
            LeafKind::Target => "instruction set",
            LeafKind::Comparison => "comparison of architectures",
            LeafKind::Feature => "feature",
            LeafKind::Limit => "limit",
            LeafKind::Constant => "constant",
        })
    }
}

/// A Condition Expression (docs/design/device-if.md, "Definition of terms"), as written. Equivalent
/// expressions may differ, but their [canonical](Expr::canonical) forms are equal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Expr {
    /// Holds on every device.
    True,
    /// Holds on no device.
    False,
    /// Holds if the leaf does.
    Leaf(Leaf),
    /// Holds if the operand does not.
    Not(Box<Expr>),
    /// Holds if both operands do.
    And(Box<Expr>, Box<Expr>),
    /// Holds if either operand does.
    Or(Box<Expr>, Box<Expr>),
}

impl From<Leaf> for Expr {
    fn from(leaf: Leaf) -> Expr {
        Expr::Leaf(leaf)
    }
}

impl Expr {
    /// Returns all leaves in the expression, whether or not it depends on them.
    pub fn leaves(&self) -> BTreeSet<Leaf> {
        let mut leaves = BTreeSet::new();
        leaves.extend(
            self.nodes().filter_map(|node| if let Expr::Leaf(leaf) = node { Some(*leaf) } else { None }),
        );
        leaves
    }

    /// Returns all nodes, each before its operands, and left before right.
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

    /// Checks the limits. Callers can build any tree, so recursive functions call this first.
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
