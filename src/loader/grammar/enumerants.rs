//! The enumerants of the grammar and their parameters, with the additions of newer grammars.

use rspirv::grammar::{LogicalOperand, OperandKind};
use spirv::LoopControl;

use super::generated::{BY_NAME, CAPABILITIES};
use super::layout::OperandList;
use crate::text::csv;

/// Table of the instructions that only newer grammars have, or have with more. `generated.rs` has everything but the
/// names.
pub(super) const NEWER_INSTRUCTIONS: &str = include_str!("../../../spec-extensions/newer-instructions.csv");
/// Table of the enumerants that newer grammars add or change, or that have several names. Capabilities have a
/// table of their own.
pub(super) const NEWER_ENUMERANTS: &str = include_str!("../../../spec-extensions/newer-enumerants.csv");
/// Table of the capabilities that newer grammars add or change, or that have several names.
pub(super) const NEWER_CAPABILITIES: &str = include_str!("../../../spec-extensions/newer-capabilities.csv");

/// Returns true if a kind is an enumeration or a mask without parameters.
pub(super) const fn is_plain_enumerant(kind: OperandKind) -> bool {
    is_enumerated(kind) && with_parameters(kind).is_none()
}

macro_rules! kinds {
    (masks: $($mask:ident)*; values: $($kind:ident)*; others: $($other:ident)*;) => {
        /// Returns one enumerant as rspirv represents it. For a mask, `value` is one of its bits.
        #[cfg(any(test, feature = "generate"))]
        pub fn from_rspirv(kind: OperandKind, value: u32) -> Option<rspirv::dr::Operand> {
            use rspirv::dr;
            match kind {
                $(OperandKind::$mask => spirv::$mask::from_bits(value).map(dr::Operand::$mask),)*
                $(OperandKind::$kind => spirv::$kind::from_u32(value).map(dr::Operand::$kind),)*
                _ => None,
            }
        }

        /// Returns the name of an enumerant, if rspirv has it. For a mask, `value` is one of its bits.
        pub fn enumerant_name(kind: OperandKind, value: u32) -> Option<String> {
            use rspirv::binary::Disassemble;
            match kind {
                $(OperandKind::$mask => spirv::$mask::from_bits(value).map(|bit| bit.disassemble()),)*
                $(OperandKind::$kind => spirv::$kind::from_u32(value).map(|value| format!("{value:?}")),)*
                _ => None,
            }
        }

        /// Returns the number of an enumerant, or of one bit of a mask, that rspirv has by this name.
        #[cfg(any(test, feature = "test-support"))]
        pub(super) fn number_in_rspirv(kind: OperandKind, name: &str) -> Option<u32> {
            let is_it = |&bit: &u32| enumerant_name(kind, bit).as_deref() == Some(name);
            match kind {
                _ if is_mask(kind) && name == "None" => Some(0),
                _ if is_mask(kind) => (0..32).map(|bit| 1 << bit).find(is_it),
                $(OperandKind::$kind => name.parse::<spirv::$kind>().ok().map(|value| value as u32),)*
                _ => None,
            }
        }

        /// Returns true if a kind is a mask. Parameters of its bits follow from the lowest bit to the highest.
        pub const fn is_mask(kind: OperandKind) -> bool {
            matches!(kind, $(OperandKind::$mask)|*)
        }

        /// Returns true if a kind is an enumeration or a mask.
        pub const fn is_enumerated(kind: OperandKind) -> bool {
            is_mask(kind) || matches!(kind, $(OperandKind::$kind)|*)
        }

        /// Returns the operand kind with a name.
        pub fn kind_named(name: &str) -> Option<OperandKind> {
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

/// Returns the enumerants of an enumerated operand's value: the value itself, or each bit of a mask from the
/// lowest.
pub fn enumerants(kind: OperandKind, value: u32) -> impl Iterator<Item = u32> {
    let (mut mask, value) = if is_mask(kind) { (value, None) } else { (0, Some(value)) };
    let bits = std::iter::from_fn(move || {
        let bit = mask & mask.wrapping_neg();
        mask ^= bit;
        (bit != 0).then_some(bit)
    });
    bits.chain(value)
}

/// The kinds with parameters on some of their enumerants.
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
    /// Parameters of each enumerant, sorted by value.
    parameters: &'static [(u32, OperandList)],
    literals: Literals,
}

/// The enumerants whose parameters are only literals of one word each.
#[derive(Debug)]
enum Literals {
    /// The bits of a mask without a parameter, and those with one.
    Mask { none: u32, one: u32 },
    /// Number of parameters by value, for values below [`VALUES`], or [`OTHER`].
    Values([u8; VALUES]),
}

/// Upper limit of most enumerants' values.
const VALUES: usize = 0x80;

/// Mark of an enumerant with other parameters than literals, or of one missing from the grammar.
const OTHER: u8 = u8::MAX;

impl EnumerantParameters {
    /// Creates the table of a kind from parameters sorted by value.
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

    /// Returns true if these last words of an instruction are an enumerant and parameters without ids. Most loads,
    /// stores and decorations end so.
    #[inline]
    pub fn is_without_ids(&self, words: &[u32]) -> bool {
        match &self.literals {
            Literals::Mask { none, one } => {
                let with_one = words[0] & one;
                // Most masks have no bit or one, and counting bits is slow on processors without an
                // instruction for it.
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

/// Returns a kind, and the kinds of the parameters of its enumerants.
#[cfg(any(test, feature = "generate"))]
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

/// Returns the entry of a kind whose enumerants have parameters; `None` for other kinds.
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

/// Returns the entry of a value, in a list sorted by value. Most values are the first ones, with few gaps.
#[inline]
pub fn find<T>(list: &[(u32, T)], value: u32) -> Option<&T> {
    const GAPS: usize = 4;
    let guess = value as usize;
    let near =
        list.get(guess.saturating_sub(GAPS)..list.len().min(guess.saturating_add(1))).unwrap_or_default();
    match near.iter().rev().find(|(entry, _)| *entry <= value) {
        Some((entry, parameters_of)) => (*entry == value).then_some(parameters_of),
        None => list.binary_search_by_key(&value, |(entry, _)| *entry).ok().map(|at| &list[at].1),
    }
}

/// Returns the parameters that follow an enumerant (the value of an enumeration, or one bit of a mask).
/// `None` for an enumerant missing from the grammar if its kind has parameters, which are then unknown.
pub fn parameters(kind: OperandKind, value: u32) -> Option<&'static [LogicalOperand]> {
    let Some(known) = with_parameters(kind) else { return Some(&[]) };
    find(known.get().parameters, value).map(|list| list.get())
}

/// Returns true if a kind has enumerants with parameters, and all of them are ids.
pub fn has_only_ids(kind: OperandKind) -> bool {
    let is_id = |operand: &LogicalOperand| matches!(operand.kind, OperandKind::IdRef | OperandKind::IdScope);
    let known = with_parameters(kind).map(|known| known.get().parameters);
    known.is_some_and(|known| known.iter().flat_map(|(_, list)| list.get()).all(is_id))
}

/// Returns true if an enumerant has more parameters than in rspirv's grammar: arrays and pairs of numbers
/// (SPV_INTEL_fpga_loop_controls).
pub fn is_longer(kind: OperandKind, value: u32) -> bool {
    let longer = LoopControl::DEPENDENCY_ARRAY_ALTERA | LoopControl::LOOP_COUNT_ALTERA;
    kind == OperandKind::LoopControl && longer.bits() & value != 0
}

/// Returns the number of the capability, execution mode or decoration that has `name` as a further name. Also
/// finds capabilities that only newer grammars have.
pub fn aliased(kind: OperandKind, name: &str) -> Option<u32> {
    let has_it = |aliases: &str| aliases.split_whitespace().any(|alias| alias == name);
    let number = if kind == OperandKind::Capability {
        let is_it = |[_, main_name, .., aliases]: &[&str; 5]| *main_name == name || has_it(aliases);
        csv::rows(NEWER_CAPABILITIES).find(is_it)?[0]
    } else {
        let is_it =
            |[row_kind, .., aliases]: &[&str; 7]| has_it(aliases) && kind_named(row_kind) == Some(kind);
        csv::rows(NEWER_ENUMERANTS).find(is_it)?[1]
    };
    number.parse().ok()
}

/// Returns the number of the capability with a name.
pub fn capability(name: &str) -> Option<u32> {
    let capability_at = |at: u16| &CAPABILITIES[usize::from(at)];
    let known = BY_NAME.binary_search_by_key(&name, |&at| capability_at(at).name);
    match known {
        Ok(index) => Some(capability_at(BY_NAME[index]).number),
        Err(_) => aliased(OperandKind::Capability, name),
    }
}

/// Returns the name of an enumerant that only newer grammars have.
pub fn newer_name(kind: OperandKind, value: u32) -> Option<&'static str> {
    let is_it = |number: &str| number.parse() == Ok(value);
    if kind == OperandKind::Capability {
        return csv::rows(NEWER_CAPABILITIES).find(|[number, _]| is_it(number)).map(|[_, name]| name);
    }
    let mut rows = csv::rows(NEWER_ENUMERANTS);
    let row = rows.find(|[row_kind, number, _]| is_it(number) && kind_named(row_kind) == Some(kind));
    row.map(|[.., name]| name)
}

/// Returns the name of an instruction that only newer grammars have, without `Op`.
pub(super) fn newer_instruction_name(opcode: u16) -> Option<&'static str> {
    let mut rows = csv::rows(NEWER_INSTRUCTIONS);
    rows.find(|[number, _]| number.parse() == Ok(opcode)).map(|[_, name]| name)
}
