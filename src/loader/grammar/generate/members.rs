//! The enumerants of the grammar: their parameters, capabilities and extensions.

use std::ops::Range;

use rspirv::dr;
use rspirv::grammar::{LogicalOperand, OperandKind};

use super::rows;
#[cfg(any(test, feature = "test-support"))]
use crate::loader::grammar::enumerants::{aliased, number_in_rspirv};
use crate::loader::grammar::enumerants::{from_rspirv, is_mask};

/// The facts on a member of an enumeration, or on a bit of a mask.
#[derive(Clone, Debug, PartialEq)]
pub struct Enumerant {
    /// Parameters of the enumerant.
    pub parameters: Vec<LogicalOperand>,
    /// The capabilities of which the enumerant requires one. For a capability, those that it implies.
    pub capabilities: Vec<u32>,
    /// The extensions that add the enumerant; any one of them suffices.
    pub extensions: Vec<&'static str>,
}

/// Returns an enumerant. For a mask, `value` is one of its bits. `None` for an enumerant missing from the
/// grammar, and for kinds that are not enumerations.
pub fn enumerant(kind: OperandKind, value: u32) -> Option<Enumerant> {
    let newer = rows::enumerants(kind).iter().find(|newer| newer.number == value);
    newer.map(rows::GrammarRow::enumerant).or_else(|| from_rspirv(kind, value).map(|known| facts(&known)))
}

/// Returns the number of the enumerant (for a mask, the bit) with a name, of several also another one.
#[cfg(any(test, feature = "test-support"))]
pub fn enumerant_named(kind: OperandKind, name: &str) -> Option<u32> {
    let newer = rows::enumerants(kind).iter().find(|newer| newer.name == name);
    let newer = newer.map(|newer| newer.number).or_else(|| aliased(kind, name));
    newer.or_else(|| number_in_rspirv(kind, name))
}

/// Returns the facts that rspirv has on an enumerant.
pub fn facts(known: &dr::Operand) -> Enumerant {
    Enumerant {
        parameters: known.additional_operands(),
        capabilities: known.required_capabilities().into_iter().map(|capability| capability as u32).collect(),
        extensions: known.required_extensions(),
    }
}

/// Returns the ranges of the values of a kind's enumerants: the specification's, and the blocks of 64 that
/// Khronos assigned to vendors. Trying every number would take longer than loading a shader.
fn ranges(kind: OperandKind) -> &'static [Range<u32>] {
    use OperandKind::*;
    const OWN: Range<u32> = 0..0x80;
    const OWN_AND_VENDORS: [Range<u32>; 8] = [
        OWN,
        0x1040..0x1080,
        0x1140..0x11c0,
        0x1380..0x1440,
        0x1480..0x1540,
        0x15c0..0x1740,
        0x1780..0x1880,
        0x1900..0x19c0,
    ];
    match kind {
        _ if is_mask(kind) => &[],
        ExecutionModel
        | ExecutionMode
        | Decoration
        | AddressingModel
        | StorageClass
        | Dim
        | FunctionParameterAttribute
        | BuiltIn
        | Capability
        | CooperativeMatrixLayout
        | FPEncoding => &OWN_AND_VENDORS,
        // Vulkan's component types.
        ComponentType => &[OWN, 1_000_491_000..1_000_491_004],
        _ => &[OWN],
    }
}

/// Returns all enumerants of a kind, sorted by value (for a mask, its bits), with the grammar that describes
/// them. Empty for kinds that are not enumerations.
fn all(kind: OperandKind) -> Vec<(u32, EnumerantSource)> {
    let newer = rows::enumerants(kind);
    let bits = (0..32).map(|bit| 1 << bit).filter(move |_| is_mask(kind));
    let known = bits.chain(ranges(kind).iter().cloned().flatten());
    let is_newer = |value: u32| newer.iter().any(|newer| newer.number == value);
    // Most numbers of a range are not enumerants, which rspirv detects fast.
    let older = known.filter_map(|value| Some((value, EnumerantSource::Rspirv(from_rspirv(kind, value)?))));
    let older = older.filter(|(value, _)| !is_newer(*value));
    let mut all: Vec<(u32, EnumerantSource)> = older.collect();
    all.extend(newer.iter().map(|newer| (newer.number, EnumerantSource::Newer(newer))));
    all.sort_unstable_by_key(|(value, _)| *value);
    all
}

/// The grammar that has an enumerant.
enum EnumerantSource {
    Rspirv(dr::Operand),
    Newer(&'static rows::GrammarRow),
}

/// Returns all enumerants of a kind with their values, sorted by value (for a mask, its bits). Empty for
/// kinds that are not enumerations.
pub fn members(kind: OperandKind) -> impl Iterator<Item = (u32, Enumerant)> {
    all(kind).into_iter().map(|(value, source)| match source {
        EnumerantSource::Rspirv(known) => (value, facts(&known)),
        EnumerantSource::Newer(newer) => (value, newer.enumerant()),
    })
}

/// Returns the parameters of all enumerants of a kind.
pub fn collect(kind: OperandKind) -> Vec<(u32, Vec<LogicalOperand>)> {
    let parameters = all(kind).into_iter().map(|(value, source)| match source {
        EnumerantSource::Rspirv(known) => (value, known.additional_operands()),
        EnumerantSource::Newer(newer) => (value, newer.operands.clone()),
    });
    parameters.collect()
}
