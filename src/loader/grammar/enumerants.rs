//! The enumerants of the grammar: their parameters, capabilities and extensions.

use std::ops::Range;

use rspirv::dr;
use rspirv::grammar::{LogicalOperand, OperandKind};

use super::layout::OperandList;
use super::newer;

/// The facts on a member of an enumeration, or on a bit of a mask.
#[derive(Clone, Debug, PartialEq)]
pub struct Enumerant {
    /// Its parameters.
    pub parameters: Vec<LogicalOperand>,
    /// The capabilities that it requires, any one of them; those that it implies, if it is a capability itself.
    pub capabilities: Vec<u32>,
    /// The extensions that add it, any one of them.
    pub extensions: Vec<&'static str>,
}

/// One enumerant. For a mask, `value` is one of its bits. `None` for an enumerant that the grammar does not have, and for kinds
/// that are no enumeration.
pub fn enumerant(kind: OperandKind, value: u32) -> Option<Enumerant> {
    let newer = newer::enumerants(kind).iter().find(|newer| newer.number == value);
    newer.map(newer::Row::enumerant).or_else(|| of_rspirv(kind, value).map(|known| facts(&known)))
}

/// The facts that rspirv has on an enumerant.
pub(super) fn facts(known: &dr::Operand) -> Enumerant {
    Enumerant {
        parameters: known.additional_operands(),
        capabilities: known.required_capabilities().into_iter().map(|capability| capability as u32).collect(),
        extensions: known.required_extensions(),
    }
}

/// True if a kind is an enumeration (or a mask) none of whose members has parameters.
pub(super) const fn is_plain_enumerant(kind: OperandKind) -> bool {
    is_enumerated(kind) && with_parameters(kind).is_none()
}

macro_rules! kinds {
    (masks: $($mask:ident)*; values: $($kind:ident)*; others: $($other:ident)*;) => {
        /// One enumerant, as rspirv represents it. For a mask, `value` is one of its bits.
        pub fn of_rspirv(kind: OperandKind, value: u32) -> Option<dr::Operand> {
            match kind {
                $(OperandKind::$mask => spirv::$mask::from_bits(value).map(dr::Operand::$mask),)*
                $(OperandKind::$kind => spirv::$kind::from_u32(value).map(dr::Operand::$kind),)*
                _ => None,
            }
        }

        /// True if a kind is a set of bits, whose parameters follow from the lowest bit to the highest.
        pub(super) const fn is_mask(kind: OperandKind) -> bool {
            matches!(kind, $(OperandKind::$mask)|*)
        }

        /// True if a kind is an enumeration or a mask.
        pub const fn is_enumerated(kind: OperandKind) -> bool {
            is_mask(kind) || matches!(kind, $(OperandKind::$kind)|*)
        }

        /// The kind of operands with a name.
        pub(super) fn kind_named(name: &str) -> Option<OperandKind> {
            match name {
                $(stringify!($mask) => Some(OperandKind::$mask),)*
                $(stringify!($kind) => Some(OperandKind::$kind),)*
                $(stringify!($other) => Some(OperandKind::$other),)*
                _ => None,
            }
        }
    };
}

kinds! {
    masks: ImageOperands LoopControl MemoryAccess TensorAddressingOperands TensorOperands FPFastMathMode SelectionControl FunctionControl MemorySemantics KernelProfilingInfo RayFlags FragmentShadingRate RawAccessChainOperands CooperativeMatrixOperands CooperativeMatrixReduce MatrixMultiplyAccumulateOperands;
    values: SourceLanguage ExecutionModel AddressingModel MemoryModel ExecutionMode StorageClass Dim SamplerAddressingMode SamplerFilterMode ImageFormat ImageChannelOrder ImageChannelDataType FPRoundingMode FPDenormMode QuantizationModes FPOperationMode OverflowModes LinkageType AccessQualifier HostAccessQualifier FunctionParameterAttribute Decoration BuiltIn Scope GroupOperation KernelEnqueueFlags Capability RayQueryIntersection RayQueryCommittedIntersectionType RayQueryCandidateIntersectionType PackedVectorFormat CooperativeMatrixLayout CooperativeMatrixUse TensorClampMode InitializationModeQualifier LoadCacheControl StoreCacheControl NamedMaximumNumberOfRegisters FPEncoding CooperativeVectorMatrixLayout ComponentType;
    others: IdResultType IdResult IdRef IdScope IdMemorySemantics LiteralInteger LiteralFloat LiteralString
        LiteralContextDependentNumber LiteralExtInstInteger LiteralSpecConstantOpInteger PairIdRefIdRef
        PairIdRefLiteralInteger PairLiteralIntegerIdRef;
}

/// The enumerants that a value of an enumerated operand stands for: the value itself, or each bit of a mask from the lowest.
pub fn enumerants(kind: OperandKind, value: u32) -> impl Iterator<Item = u32> {
    let (mut mask, value) = if is_mask(kind) { (value, None) } else { (0, Some(value)) };
    let bits = std::iter::from_fn(move || {
        let bit = mask & mask.wrapping_neg();
        mask ^= bit;
        (bit != 0).then_some(bit)
    });
    bits.chain(value)
}

/// The ranges of the values that enumerants of a kind have: the specification's own, and the blocks of 64 that Khronos hands
/// out to vendors, as far as they are in use. Trying every number would take longer than loading a shader.
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

/// The kinds some of whose enumerants have parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParametersOf {
    Decoration,
    ExecutionMode,
    ImageOperands,
    LoopControl,
    MemoryAccess,
    TensorAddressingOperands,
    TensorOperands,
}

/// The parameters of the enumerants of one kind.
#[derive(Debug)]
pub struct EnumerantParameters {
    /// By ascending value.
    parameters: &'static [(u32, OperandList)],
    literals: Literals,
}

/// The enumerants that have only literals of one word each as parameters.
#[derive(Debug)]
enum Literals {
    /// The bits of a mask without a parameter, and those with one.
    Mask { none: u32, one: u32 },
    /// By value, as far as most values go: how many, or [`OTHER`].
    Values([u8; VALUES]),
}

/// The number of values that most enumerants are below.
const VALUES: usize = 0x80;

/// The mark of an enumerant that has other parameters than literals, or that the grammar does not have.
const OTHER: u8 = u8::MAX;

impl EnumerantParameters {
    /// Those of a kind, by ascending value.
    pub(super) const fn new(
        kind: OperandKind,
        parameters: &'static [(u32, OperandList)],
    ) -> EnumerantParameters {
        let (mut none, mut one, mut values) = (0, 0, [OTHER; VALUES]);
        let mut at = 0;
        while at < parameters.len() {
            let (value, list) = parameters[at];
            if let Some(count) = list.literals() {
                none |= if count == 0 { value } else { 0 };
                one |= if count == 1 { value } else { 0 };
                if (value as usize) < VALUES {
                    values[value as usize] = count;
                }
            }
            at += 1;
        }
        let literals = if is_mask(kind) { Literals::Mask { none, one } } else { Literals::Values(values) };
        EnumerantParameters { parameters, literals }
    }

    /// True if these words, which end an instruction, hold no id: an enumerant and its parameters. Most loads, stores and
    /// decorations end so.
    #[inline]
    pub fn is_without_ids(&self, words: &[u32]) -> bool {
        match &self.literals {
            Literals::Mask { none, one } => {
                let with_one = words[0] & one;
                // Most have no bit or one, and to count bits takes long on processors without an instruction for it.
                let is_number = match words.len() {
                    1 => with_one == 0,
                    2 => with_one.is_power_of_two(),
                    count => count as u32 == 1 + with_one.count_ones(),
                };
                is_number && words[0] & !(none | one) == 0
            }
            Literals::Values(literals) => match literals.get(words[0] as usize) {
                Some(&OTHER) | None => false,
                Some(&literals) => words.len() == 1 + usize::from(literals),
            },
        }
    }
}

/// All enumerants of a kind by ascending value (for a mask, its bits), each as rspirv has it, or as a newer grammar does. None
/// for kinds that are no enumeration.
fn all(kind: OperandKind) -> Vec<(u32, Source)> {
    let newer = newer::enumerants(kind);
    let bits = (0..32).map(|bit| 1 << bit).filter(move |_| is_mask(kind));
    let known = bits.chain(ranges(kind).iter().cloned().flatten());
    let is_newer = |value: u32| newer.iter().any(|newer| newer.number == value);
    // Most numbers of a range are no enumerant, which rspirv tells at once.
    let older = known.filter_map(|value| Some((value, Source::Rspirv(of_rspirv(kind, value)?))));
    let older = older.filter(|(value, _)| !is_newer(*value));
    let mut all: Vec<(u32, Source)> = older.collect();
    all.extend(newer.iter().map(|newer| (newer.number, Source::Newer(newer))));
    all.sort_unstable_by_key(|(value, _)| *value);
    all
}

/// The grammar that has an enumerant.
enum Source {
    Rspirv(dr::Operand),
    Newer(&'static newer::Row),
}

/// All enumerants of a kind with their values, in ascending order (for a mask, its bits); none for kinds that are no enumeration.
pub fn members(kind: OperandKind) -> impl Iterator<Item = (u32, Enumerant)> {
    all(kind).into_iter().map(|(value, source)| match source {
        Source::Rspirv(known) => (value, facts(&known)),
        Source::Newer(newer) => (value, newer.enumerant()),
    })
}

/// A kind, and the kinds of the parameters of its enumerants.
#[cfg(test)]
pub fn all_kinds(kind: OperandKind) -> Vec<OperandKind> {
    let mut kinds = vec![kind];
    let mut at = 0;
    while let Some(&kind) = kinds.get(at) {
        let parameters = with_parameters(kind).map_or(&[][..], |known| known.get().parameters);
        for parameter in parameters.iter().flat_map(|(_, list)| list.get()) {
            if !kinds.contains(&parameter.kind) {
                kinds.push(parameter.kind);
            }
        }
        at += 1;
    }
    kinds
}

/// The parameters of all enumerants of a kind.
#[cfg(test)]
pub(super) fn collect(kind: OperandKind) -> Vec<(u32, Vec<LogicalOperand>)> {
    let parameters = all(kind).into_iter().map(|(value, source)| match source {
        Source::Rspirv(known) => (value, known.additional_operands()),
        Source::Newer(newer) => (value, newer.operands.clone()),
    });
    parameters.collect()
}

/// The kinds of the parameters of the enumerants of a kind; `None` for a kind none of whose enumerants has any.
pub(super) const fn with_parameters(kind: OperandKind) -> Option<ParametersOf> {
    Some(match kind {
        OperandKind::Decoration => ParametersOf::Decoration,
        OperandKind::ExecutionMode => ParametersOf::ExecutionMode,
        OperandKind::ImageOperands => ParametersOf::ImageOperands,
        OperandKind::LoopControl => ParametersOf::LoopControl,
        OperandKind::MemoryAccess => ParametersOf::MemoryAccess,
        OperandKind::TensorAddressingOperands => ParametersOf::TensorAddressingOperands,
        OperandKind::TensorOperands => ParametersOf::TensorOperands,
        _ => return None,
    })
}

/// The entry of a value, in a list by ascending value: most values are the first ones, with few gaps.
#[inline]
pub fn find<T>(list: &[(u32, T)], value: u32) -> Option<&T> {
    const GAPS: usize = 4;
    let guess = value as usize;
    let near =
        list.get(guess.saturating_sub(GAPS)..list.len().min(guess.saturating_add(1))).unwrap_or_default();
    match near.iter().rev().find(|(own, _)| *own <= value) {
        Some((own, found)) => (*own == value).then_some(found),
        None => list.binary_search_by_key(&value, |(own, _)| *own).ok().map(|at| &list[at].1),
    }
}

/// The parameters that follow an enumerant (the value of an enumeration, or one bit of a mask); `None` for an enumerant that
/// the grammar does not have, of a kind with parameters: its parameters are not known.
pub fn parameters(kind: OperandKind, value: u32) -> Option<&'static [LogicalOperand]> {
    let Some(known) = with_parameters(kind) else { return Some(&[]) };
    find(known.get().parameters, value).map(|list| list.get())
}
