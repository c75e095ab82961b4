//! The series of integers: prefix notation, and an ABI (docs/design/device-if.md, "Changes to the device headers").

use super::names::{MAX_NAME, MAX_NUMBERS};
use super::{ConditionError, Expr, Leaf, LeafKind, MAX_DEPTH, MAX_NODES};

const ASPECT: i32 = -1;
const ARCHITECTURE: i32 = -2;
const NOT: i32 = -3;
const AND: i32 = -4;
const OR: i32 = -5;
const CAPABILITY: i32 = -6;
const EXTENSION: i32 = -7;
const HOST: i32 = -8;
const TARGET: i32 = -9;
const COMPARISON: i32 = -10;
const FEATURE: i32 = -11;

/// Maximum number of integers of a leaf.
const MAX_LEAF: usize = 2 + MAX_NUMBERS;
const _: () = assert!(2 * (1 + MAX_NAME.div_ceil(4)) < MAX_LEAF, "names are shorter");

/// An operator with missing operands.
enum PendingNode {
    Not,
    Left(BinaryNode),
    Right(BinaryNode, Expr),
}

#[derive(Clone, Copy)]
enum BinaryNode {
    And,
    Or,
}

impl Expr {
    /// Reads a series, which must hold exactly one expression. Errors have the index.
    pub fn from_series(series: &[i32]) -> Result<Expr, ConditionError> {
        Expr::from_foreign_series(series, &|_| None)
    }

    /// Like [`Expr::from_series`], but `architecture` returns the number of an architecture for an integer that a compiler writes for it; `None` to read
    /// the integer as it is.
    pub fn from_foreign_series(
        series: &[i32],
        architecture: &dyn Fn(i32) -> Option<u32>,
    ) -> Result<Expr, ConditionError> {
        let mut pending = Vec::new();
        let mut index = 0;
        loop {
            let &node = series.get(index).ok_or(ConditionError::SeriesEnds { index, expected: "a node" })?;
            let kind = match node {
                ASPECT => LeafKind::Aspect,
                ARCHITECTURE => LeafKind::Architecture,
                CAPABILITY => LeafKind::Capability,
                EXTENSION => LeafKind::Extension,
                HOST => LeafKind::Host,
                TARGET => LeafKind::Target,
                COMPARISON => LeafKind::Comparison,
                FEATURE => LeafKind::Feature,
                NOT | AND | OR => {
                    pending.push(match node {
                        NOT => PendingNode::Not,
                        AND => PendingNode::Left(BinaryNode::And),
                        _ => PendingNode::Left(BinaryNode::Or),
                    });
                    // The leaf at the end is one level deeper.
                    if pending.len() >= MAX_DEPTH {
                        return Err(ConditionError::TooDeep);
                    }
                    index += 1;
                    continue;
                }
                value => return Err(ConditionError::SeriesNode { index, value }),
            };
            index += 1;
            let foreign = series.get(index).filter(|_| kind == LeafKind::Architecture);
            let (leaf, length) = match foreign.and_then(|&integer| architecture(integer)) {
                Some(number) => (Leaf::Architecture(number), 1),
                None => leaf(series, index, kind)?,
            };
            index += length;
            if let Some(expr) = complete(&mut pending, leaf.into()) {
                if index < series.len() {
                    return Err(ConditionError::SeriesTrailing { index, count: series.len() - index });
                }
                expr.check_size()?;
                return Ok(expr);
            }
            if index > MAX_LEAF * MAX_NODES {
                return Err(ConditionError::TooLong);
            }
        }
    }

    /// Writes the expression as a series. `true`, `false`, constants and numbers beyond 31 bits have none.
    pub fn to_series(&self) -> Result<Vec<i32>, ConditionError> {
        let mut series = Vec::new();
        for node in self.nodes() {
            match node {
                Expr::True | Expr::False => {
                    return Err(ConditionError::ConstantSeries { value: *node == Expr::True });
                }
                Expr::Leaf(leaf) => series.extend(leaf_series(*leaf)?),
                Expr::Not(_) => series.push(NOT),
                Expr::And(..) => series.push(AND),
                Expr::Or(..) => series.push(OR),
            }
        }
        Ok(series)
    }
}

/// Reads a leaf of a kind at an index, and returns the number of integers read.
fn leaf(series: &[i32], index: usize, kind: LeafKind) -> Result<(Leaf, usize), ConditionError> {
    let expected = match kind {
        _ if kind.has_names() => "a name",
        _ if kind.has_numbers() => "numbers",
        _ => "a number",
    };
    let &value = series.get(index).ok_or(ConditionError::SeriesEnds { index, expected })?;
    let number = u32::try_from(value).map_err(|_| ConditionError::SeriesNumber { index, kind, value })?;
    if let Some(leaf) = kind.leaf(number) {
        return Ok((leaf, 1));
    }
    let words: Vec<u32> = series[index..].iter().take(MAX_LEAF).map(|&word| word as u32).collect();
    kind.read(&words).ok_or(match kind.has_names() {
        true => ConditionError::SeriesName { index, kind },
        false => ConditionError::SeriesNumbers { index, kind },
    })
}

/// Returns the series of the conjunction.
pub fn conjunction(left: &[i32], right: &[i32]) -> Vec<i32> {
    [&[AND], left, right].concat()
}

/// Passes `expr` to the operator that expects it, and so on outwards. Returns the whole expression once no
/// operator is left.
fn complete(pending: &mut Vec<PendingNode>, mut expr: Expr) -> Option<Expr> {
    loop {
        expr = match pending.pop() {
            None => return Some(expr),
            Some(PendingNode::Not) => Expr::Not(Box::new(expr)),
            Some(PendingNode::Left(binary)) => {
                pending.push(PendingNode::Right(binary, expr));
                return None;
            }
            Some(PendingNode::Right(BinaryNode::And, left)) => Expr::And(Box::new(left), Box::new(expr)),
            Some(PendingNode::Right(BinaryNode::Or, left)) => Expr::Or(Box::new(left), Box::new(expr)),
        };
    }
}

fn leaf_series(leaf: Leaf) -> Result<Vec<i32>, ConditionError> {
    let node = match leaf {
        Leaf::Aspect(_) => ASPECT,
        Leaf::Architecture(_) => ARCHITECTURE,
        Leaf::Capability(_) => CAPABILITY,
        Leaf::Extension(_) => EXTENSION,
        Leaf::Host(_) => HOST,
        Leaf::Target(_) => TARGET,
        Leaf::Comparison(_) => COMPARISON,
        Leaf::Feature(_) | Leaf::Limit(_) => FEATURE,
        Leaf::Constant(number) => return Err(ConditionError::NoSeries { kind: leaf.kind(), number }),
    };
    let integer = |number: u32| {
        i32::try_from(number).map_err(|_| ConditionError::NoSeries { kind: leaf.kind(), number })
    };
    std::iter::once(Ok(node)).chain(leaf.to_words().into_iter().map(integer)).collect()
}
