//! Errors of conditions.

use super::names::{MAX_NAME, MAX_NUMBERS};
use super::{LeafKind, MAX_DEPTH, MAX_NODES};

/// An error in a condition. Columns count characters from 1, series indices integers from 0.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConditionError {
    /// Text that does not follow the grammar.
    #[error("column {column}: expected {expected}, found {found}")]
    Syntax {
        /// The place of the error.
        column: usize,
        /// The tokens that could stand there.
        expected: &'static str,
        /// The token that stands there.
        found: String,
    },
    /// An opening parenthesis that is never closed.
    #[error("column {column}: this parenthesis is never closed; add `)`")]
    Unclosed {
        /// The column of the parenthesis.
        column: usize,
    },
    /// A closing parenthesis without an opening one.
    #[error("column {column}: no parenthesis is open here; remove this `)`")]
    Unopened {
        /// The column of the parenthesis.
        column: usize,
    },
    /// A name missing from the table of its kind.
    #[error("column {column}: no {kind} is named `{name}`; {hint}")]
    UnknownName {
        /// The place of the error.
        column: usize,
        /// The kind of leaf that is expected.
        kind: LeafKind,
        /// The name.
        name: String,
        /// A suggestion.
        hint: String,
    },
    /// A name that no driver has.
    #[error("column {column}: no driver is named `{name}`; {hint}")]
    UnknownDriver {
        /// The place of the error.
        column: usize,
        /// The name.
        name: String,
        /// A suggestion.
        hint: String,
    },
    /// An invalid name for a leaf of its kind.
    #[error("column {column}: `{name}` is not a name of a {kind}: {}", expected_name(kind))]
    NoName {
        /// The place of the error.
        column: usize,
        /// The kind of leaf that is expected.
        kind: LeafKind,
        /// The name.
        name: String,
    },
    /// Invalid numbers for a leaf of its kind.
    #[error("column {column}: these are not numbers of a {kind}; {}", expected_numbers(kind))]
    NoNumbers {
        /// The place of the error.
        column: usize,
        /// The kind of leaf that is expected.
        kind: LeafKind,
    },
    /// A number above 4294967295.
    #[error("column {column}: the {kind} number {number} does not fit 32 bits")]
    LargeNumber {
        /// The place of the error.
        column: usize,
        /// The kind of leaf that is expected.
        kind: LeafKind,
        /// The number as written.
        number: String,
    },
    /// A series that ends inside its expression.
    #[error("the series ends at index {index}, where {expected} should follow; it was cut short")]
    SeriesEnds {
        /// The index past the last integer.
        index: usize,
        /// The element that should be there.
        expected: &'static str,
    },
    /// An integer that does not stand for a node, where one is expected.
    #[error(
        "index {index} of the series: {value} is not a node; nodes are -1 (aspect), -2 (architecture), -3 (not), \
         -4 (and), -5 (or), -6 (capability), -7 (extension), -8 (host), -9 (target), -10 (architecture), \
         -11 (feature)"
    )]
    SeriesNode {
        /// The place of the error.
        index: usize,
        /// The integer.
        value: i32,
    },
    /// A negative integer where the number of a leaf is expected.
    #[error("index {index} of the series: the {kind} number {value} is negative")]
    SeriesNumber {
        /// The place of the error.
        index: usize,
        /// The kind of leaf.
        kind: LeafKind,
        /// The integer.
        value: i32,
    },
    /// Integers that are not a name, where the name of a leaf is expected.
    #[error("index {index} of the series: not a name of a {kind}: {}", expected_words(kind))]
    SeriesName {
        /// The place of the error.
        index: usize,
        /// The kind of leaf.
        kind: LeafKind,
    },
    /// Integers that are not the numbers of a leaf, where these are expected.
    #[error(
        "index {index} of the series: not a {kind}: expected the number of its literals, up to {MAX_NUMBERS}, and these"
    )]
    SeriesNumbers {
        /// The place of the error.
        index: usize,
        /// The kind of leaf.
        kind: LeafKind,
    },
    /// Integers after the expression.
    #[error(
        "the expression ends before index {index} of the series, but {count} more integers follow; join several \
         expressions with -4 (and) or -5 (or)"
    )]
    SeriesTrailing {
        /// The index of the first invalid element.
        index: usize,
        /// The count.
        count: usize,
    },
    /// A leaf that a series cannot express.
    #[error(
        "{kind} {number} has no integer series; only numbers up to 2147483647 have one, and what constants stand for has none"
    )]
    NoSeries {
        /// The kind of leaf.
        kind: LeafKind,
        /// Number of the leaf.
        number: u32,
    },
    /// `true` or `false`, which a series cannot express. A canonical condition contains neither.
    #[error("a series cannot express `true` or `false`")]
    ConstantSeries {
        /// The constant.
        value: bool,
    },
    /// A deeper expression than `MAX_DEPTH`.
    #[error("the condition is nested or chained more than {MAX_DEPTH} deep; split it up")]
    TooDeep,
    /// A longer expression than `MAX_NODES`.
    #[error("the condition has more than {MAX_NODES} leaves and operators; split it up")]
    TooLong,
    /// Conditions whose decision diagrams outgrow the arena.
    #[error(
        "the conditions are too complex to compare; use fewer different aspects, architectures and capabilities"
    )]
    TooComplex,
    /// A device with two architectures.
    #[error("the device has two architectures, {first} and {second}; name one")]
    TwoArchitectures {
        /// The one with the lower number.
        first: u32,
        /// The other.
        second: u32,
    },
}

fn expected_name(kind: &LeafKind) -> String {
    match kind {
        LeafKind::Limit => format!(
            "the provider, `:` and the number, as in `limit(vulkan:maxComputeWorkGroupInvocations) >= 512`; letters, digits, `_`, `-` and `.`, \
             at most {MAX_NAME} of them each"
        ),
        LeafKind::Feature => format!(
            "the provider, `:` and the feature, as in `amdgpu:gfx12-insts`; letters, digits, `_`, and in the feature `-` and `.`, at most \
             {MAX_NAME} of them each"
        ),
        _ => format!("letters, digits and underscores, at most {MAX_NAME} of them, and a letter first"),
    }
}

fn expected_words(kind: &LeafKind) -> String {
    let name = format!("its number of characters, up to {MAX_NAME}, and these, four to an integer");
    match kind {
        LeafKind::Feature | LeafKind::Limit => {
            format!("for the provider and for the feature {name}, and then 0, or the bound of a number")
        }
        _ => name,
    }
}

fn expected_numbers(kind: &LeafKind) -> String {
    match kind {
        LeafKind::Comparison => "the literals of OpSpecConstantArchitectureINTEL are expected: category, family, opcode of a comparison \
            (170, 171, 172, 174, 176 or 178) and architecture"
            .to_owned(),
        _ => format!("the literals of OpSpecConstantTargetINTEL are expected: target and features, at most {MAX_NUMBERS} of them"),
    }
}
