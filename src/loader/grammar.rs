//! rspirv's grammar as a dense table by opcode, and the parameters of enumerants.
//!
//! rspirv's own look-up walks its list of instructions; a module has hundreds of thousands of instructions, so the list is
//! flattened once for the operand walk.

use std::ops::Range;
use std::sync::LazyLock;

use rspirv::dr;
use rspirv::grammar::{INSTRUCTION_TABLE, LogicalOperand, OperandKind, OperandQuantifier};
use spirv::Op;

use super::index::is_tracked;
use super::operands::Malformed;
use super::sections::{Place, place};

/// The words after the leading ids of an instruction.
#[derive(Clone, Copy, Debug)]
pub enum Tail {
    /// Nothing, or literals only: no id is among the remaining words.
    NoIds,
    /// Only ids, however many.
    Ids,
    /// Only ids, in pairs.
    Pairs,
    /// A literal string and no id.
    String,
    /// A literal number as wide as the result type.
    Number,
    /// One enumerant without parameters, then ids, at most one for each of the other logical operands.
    Gap(&'static [LogicalOperand]),
    /// One enumerant (or mask), and its parameters.
    Enumerant(&'static [LogicalOperand], &'static Parameters),
    /// Anything else: these logical operands, one after the other.
    Operands(&'static [LogicalOperand]),
}

/// The layout of the words of an instruction.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// The number of words after the first that are ids whatever the others hold (result type and result included).
    pub ids: u8,
    /// True if the first of them is a result type.
    pub has_type: bool,
    /// True if there is a result id.
    pub has_result: bool,
    /// The number of words after the first that may be ids at once: `ids`, or all of them.
    lead: u16,
    /// The number of words that it may have, the first included.
    pub words: Words,
    /// True if it is complete where its last operand ends.
    pub ends: bool,
    /// The sections of a module in which it may be.
    pub place: Place,
    /// True if loading tracks its effect on later instructions.
    pub is_tracked: bool,
    /// True if loading depends neither on its place nor on its opcode.
    pub is_plain: bool,
    /// The words after the ids.
    pub tail: Tail,
}

impl Layout {
    /// The number of the word after those that are ids at once, in an instruction of so many words.
    #[inline]
    pub fn ids_end(&self, count: usize) -> usize {
        count.min(1 + usize::from(self.lead))
    }

    /// The number of the word that holds the result id.
    #[inline]
    pub fn result_word(&self) -> Option<usize> {
        self.has_result.then_some(1 + usize::from(self.has_type))
    }
}

/// The number of words that operands may have. The bounds are exact for operands of fixed sizes; for strings, numbers and
/// parameters of enumerants they are the least and the most of any of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// The fewest.
    least: u16,
    /// The number of optional words.
    more: u16,
}

impl Words {
    /// Any number of them.
    pub const ANY: Words = Words { least: 0, more: u16::MAX };

    /// The words of logical operands, one after the other.
    pub fn of(operands: &[LogicalOperand]) -> Words {
        let (mut least, mut most) = (0, 0_u16);
        for LogicalOperand { kind, quantifier } in operands {
            let (own, is_exact) = words_of(*kind);
            if *quantifier == OperandQuantifier::One {
                least += own;
            }
            let more = if is_exact && *quantifier != OperandQuantifier::ZeroOrMore { own } else { u16::MAX };
            most = most.saturating_add(more);
        }
        Words { least, more: if most == u16::MAX { u16::MAX } else { most - least } }
    }

    /// The same after so many words more.
    fn after(self, words: u16) -> Words {
        Words { least: self.least + words, ..self }
    }

    /// The difference of a number of words from the bounds.
    #[inline]
    pub fn differ(self, count: usize) -> Option<Malformed> {
        let over = (count as u32).wrapping_sub(self.least.into());
        match over <= self.more.into() {
            true => None,
            false if count < self.least.into() => Some(Malformed::Short),
            false => Some(Malformed::Long),
        }
    }
}

/// The least number of words of one operand of a kind, with true if it never has more.
fn words_of(kind: OperandKind) -> (u16, bool) {
    use OperandKind::*;
    match kind {
        IdResultType | IdResult | IdRef | IdScope | IdMemorySemantics | LiteralInteger | LiteralFloat => {
            (1, true)
        }
        LiteralString | LiteralContextDependentNumber => (1, false),
        LiteralSpecConstantOpInteger | LiteralExtInstInteger => (1, false),
        PairIdRefIdRef | PairIdRefLiteralInteger => (2, true),
        PairLiteralIntegerIdRef => (2, false),
        _ => (1, with_parameters(kind).is_none()),
    }
}

/// The layouts of all opcodes.
#[derive(Debug)]
pub struct Grammar {
    /// By opcode: 0 for an opcode that is not in the grammar, else 1 + the index in `layouts`.
    index: Vec<u16>,
    layouts: Vec<Layout>,
}

impl Grammar {
    /// The grammar of the core instructions.
    pub fn core() -> &'static Grammar {
        static GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| {
            let opcodes = INSTRUCTION_TABLE.iter().map(|inst| inst.opcode as usize + 1);
            let (count, end) = opcodes.fold((0, 0), |(count, end), opcode| (count + 1, end.max(opcode)));
            let mut grammar = Grammar { index: vec![0; end], layouts: Vec::with_capacity(count) };
            for inst in INSTRUCTION_TABLE.iter() {
                let opcode = inst.opcode as usize;
                grammar.layouts.push(flatten(opcode as u16, inst.opname, inst.operands));
                grammar.index[opcode] = grammar.layouts.len() as u16;
            }
            grammar
        });
        &GRAMMAR
    }

    /// The layout of an opcode, or `None` where the grammar does not have it.
    #[inline]
    pub fn layout(&self, opcode: u16) -> Option<&Layout> {
        self.layouts.get(self.number(opcode))
    }

    /// The opcodes that the grammar has, numbered one after the other; for any other a number that is larger.
    #[inline]
    fn number(&self, opcode: u16) -> usize {
        self.index.get(usize::from(opcode)).map_or(usize::MAX, |&index| usize::from(index).wrapping_sub(1))
    }
}

/// A number for each opcode of the grammar, for tables without gaps: its index in rspirv's table of instructions. A larger one
/// for what the grammar does not have.
#[inline]
pub fn number(opcode: u16) -> usize {
    Grammar::core().number(opcode)
}

/// The layout of an opcode in the grammar of the core instructions.
#[inline]
pub fn layout(opcode: u16) -> Option<&'static Layout> {
    Grammar::core().layout(opcode)
}

/// The name of an opcode as the specification writes it, or `Op<number>` where the grammar does not have it.
pub fn opcode_name(opcode: u16) -> String {
    match Op::from_u32(opcode.into()) {
        Some(op) => format!("Op{op:?}"),
        None => format!("Op{opcode}"),
    }
}

fn is_id(kind: OperandKind) -> bool {
    use OperandKind::*;
    matches!(kind, IdResultType | IdResult | IdRef | IdScope | IdMemorySemantics)
}

fn is_plain_literal(kind: OperandKind) -> bool {
    matches!(
        kind,
        OperandKind::LiteralInteger | OperandKind::LiteralFloat | OperandKind::LiteralContextDependentNumber
    )
}

fn flatten(opcode: u16, name: &str, operands: &'static [LogicalOperand]) -> Layout {
    let leading = operands
        .iter()
        .take_while(|operand| operand.quantifier == OperandQuantifier::One && is_id(operand.kind))
        .count();
    let (head, rest) = operands.split_at(leading);
    let all_ids =
        |operand: &LogicalOperand| is_id(operand.kind) || operand.kind == OperandKind::PairIdRefIdRef;
    let tail = if matches!(rest, [LogicalOperand { kind: OperandKind::LiteralContextDependentNumber, .. }]) {
        Tail::Number
    } else if rest.is_empty() || rest.iter().all(|operand| is_plain_literal(operand.kind)) {
        Tail::NoIds
    } else if matches!(rest, [LogicalOperand { kind: OperandKind::PairIdRefIdRef, .. }]) {
        Tail::Pairs
    } else if rest.iter().all(all_ids) {
        Tail::Ids
    } else if matches!(rest, [LogicalOperand { kind: OperandKind::LiteralString, .. }]) {
        Tail::String
    } else if let [operand] = rest
        && let Some(parameters) = with_parameters(operand.kind)
    {
        Tail::Enumerant(rest, parameters)
    } else if is_gap(rest) {
        Tail::Gap(rest)
    } else {
        Tail::Operands(rest)
    };
    let (place, is_tracked) = (place(opcode), is_tracked(opcode, name));
    Layout {
        ids: leading as u8,
        has_type: head.first().is_some_and(|operand| operand.kind == OperandKind::IdResultType),
        has_result: head.iter().any(|operand| operand.kind == OperandKind::IdResult),
        lead: if matches!(tail, Tail::Ids | Tail::Pairs) { u16::MAX } else { leading as u16 },
        words: Words::of(operands).after(1),
        ends: matches!(tail, Tail::String | Tail::Number | Tail::Pairs),
        place,
        is_tracked,
        is_plain: !is_tracked && !matches!(place, Place::Section(_)),
        tail,
    }
}

/// True if operands are an enumerant without parameters, and ids.
fn is_gap(operands: &[LogicalOperand]) -> bool {
    let is_one_id =
        |operand: &LogicalOperand| is_id(operand.kind) && operand.quantifier != OperandQuantifier::ZeroOrMore;
    let [LogicalOperand { kind, quantifier: OperandQuantifier::One }, ids @ ..] = operands else {
        return false;
    };
    is_plain_enumerant(*kind) && ids.iter().all(is_one_id)
}

/// True if a kind is an enumeration (or a mask) none of whose members has parameters.
fn is_plain_enumerant(kind: OperandKind) -> bool {
    use OperandKind::*;
    let other = is_id(kind)
        || is_plain_literal(kind)
        || matches!(
            kind,
            LiteralString
                | LiteralExtInstInteger
                | LiteralSpecConstantOpInteger
                | PairLiteralIntegerIdRef
                | PairIdRefLiteralInteger
                | PairIdRefIdRef
                | Debuginfo(_)
                | NonsemanticClspvreflection(_)
                | NonsemanticShaderDebuginfo100(_)
                | OpenclDebuginfo100(_)
        );
    !other && with_parameters(kind).is_none()
}

/// True if a kind is a set of bits, whose parameters follow from the lowest bit to the highest.
fn is_mask(kind: OperandKind) -> bool {
    use OperandKind::*;
    matches!(
        kind,
        ImageOperands
            | LoopControl
            | MemoryAccess
            | TensorAddressingOperands
            | TensorOperands
            | FPFastMathMode
            | SelectionControl
            | FunctionControl
            | MemorySemantics
            | KernelProfilingInfo
            | RayFlags
            | FragmentShadingRate
            | RawAccessChainOperands
            | CooperativeMatrixOperands
            | CooperativeMatrixReduce
            | MatrixMultiplyAccumulateOperands
    )
}

/// One enumerant, as rspirv represents it: with its capabilities, extensions and parameters.
///
/// For a mask, `value` is one of its bits. `None` for an enumerant that the grammar does not have, and for kinds that are
/// no enumeration.
pub fn enumerant(kind: OperandKind, value: u32) -> Option<dr::Operand> {
    macro_rules! enumerants {
        (masks: $($mask:ident)*; values: $($kind:ident)*) => {
            match kind {
                $(OperandKind::$mask => spirv::$mask::from_bits(value).map(dr::Operand::$mask),)*
                $(OperandKind::$kind => spirv::$kind::from_u32(value).map(dr::Operand::$kind),)*
                _ => None,
            }
        };
    }
    enumerants! {
        masks: ImageOperands LoopControl MemoryAccess TensorAddressingOperands TensorOperands FPFastMathMode
            SelectionControl FunctionControl MemorySemantics KernelProfilingInfo RayFlags FragmentShadingRate
            RawAccessChainOperands CooperativeMatrixOperands CooperativeMatrixReduce MatrixMultiplyAccumulateOperands;
        values: SourceLanguage ExecutionModel AddressingModel MemoryModel ExecutionMode StorageClass Dim
            SamplerAddressingMode SamplerFilterMode ImageFormat ImageChannelOrder ImageChannelDataType FPRoundingMode
            FPDenormMode QuantizationModes FPOperationMode OverflowModes LinkageType AccessQualifier HostAccessQualifier
            FunctionParameterAttribute Decoration BuiltIn Scope GroupOperation KernelEnqueueFlags Capability
            RayQueryIntersection RayQueryCommittedIntersectionType RayQueryCandidateIntersectionType PackedVectorFormat
            CooperativeMatrixLayout CooperativeMatrixUse TensorClampMode InitializationModeQualifier LoadCacheControl
            StoreCacheControl NamedMaximumNumberOfRegisters FPEncoding CooperativeVectorMatrixLayout ComponentType
    }
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
        | AddressingModel
        | ExecutionMode
        | StorageClass
        | Dim
        | FunctionParameterAttribute
        | Decoration
        | BuiltIn
        | Capability
        | CooperativeMatrixLayout
        | FPEncoding => &OWN_AND_VENDORS,
        // Vulkan's component types.
        ComponentType => &[OWN, 1_000_491_000..1_000_491_004],
        _ => &[OWN],
    }
}

/// The enumerants of one kind with their parameters. Made when first used.
pub type Parameters = LazyLock<EnumerantParameters>;

/// The parameters of the enumerants of one kind.
#[derive(Debug)]
pub struct EnumerantParameters {
    /// By ascending value.
    parameters: Vec<(u32, Vec<LogicalOperand>)>,
    literals: Literals,
}

/// The enumerants that have only literals of one word each as parameters.
#[derive(Debug)]
enum Literals {
    /// The bits of a mask without a parameter, and those with one.
    Mask { none: u32, one: u32 },
    /// By value, as far as most values go: how many, or [`OTHER`].
    Values(Vec<u8>),
}

/// The mark of an enumerant that has other parameters than literals, or that the grammar does not have.
const OTHER: u8 = u8::MAX;

impl EnumerantParameters {
    fn new(kind: OperandKind) -> EnumerantParameters {
        const VALUES: u32 = 0x80;
        let parameters = collect(kind);
        let is_literal = |operand: &LogicalOperand| {
            operand.kind == OperandKind::LiteralInteger || is_plain_enumerant(operand.kind)
        };
        let literals = |value: u32| {
            let own = find(&parameters, value)?;
            let all = own.iter().all(|one| one.quantifier == OperandQuantifier::One && is_literal(one));
            all.then_some(own.len() as u8)
        };
        let bits =
            |wanted: u8| (0..32).map(|bit| 1 << bit).filter(|&bit| literals(bit) == Some(wanted)).sum();
        let literals = match is_mask(kind) {
            true => Literals::Mask { none: bits(0), one: bits(1) },
            false => Literals::Values((0..VALUES).map(|value| literals(value).unwrap_or(OTHER)).collect()),
        };
        EnumerantParameters { parameters, literals }
    }

    /// True if these words, which end an instruction, hold no id: an enumerant and its parameters. Most loads, stores and
    /// decorations end so.
    #[inline]
    pub fn is_without_ids(&self, words: &[u32]) -> bool {
        match &self.literals {
            Literals::Mask { none, one } => {
                words[0] & !(none | one) == 0 && words.len() as u32 == 1 + (words[0] & one).count_ones()
            }
            Literals::Values(literals) => match literals.get(words[0] as usize) {
                Some(&OTHER) | None => false,
                Some(&literals) => words.len() == 1 + usize::from(literals),
            },
        }
    }
}

/// All enumerants of a kind, with their values (for a mask, its bits); none for kinds that are no enumeration.
pub fn members(kind: OperandKind) -> impl Iterator<Item = (u32, dr::Operand)> {
    let bits = (0..32).map(|bit| 1 << bit).filter(move |_| is_mask(kind));
    bits.chain(ranges(kind).iter().cloned().flatten())
        .filter_map(move |value| Some((value, enumerant(kind, value)?)))
}

/// A kind, and the kinds of the parameters of its enumerants.
pub fn all_kinds(kind: OperandKind) -> Vec<OperandKind> {
    let mut kinds = vec![kind];
    let mut at = 0;
    while let Some(&kind) = kinds.get(at) {
        let parameters = with_parameters(kind).map_or(&[][..], |known| &known.parameters);
        for parameter in parameters.iter().flat_map(|(_, parameters)| parameters) {
            if !kinds.contains(&parameter.kind) {
                kinds.push(parameter.kind);
            }
        }
        at += 1;
    }
    kinds
}

fn collect(kind: OperandKind) -> Vec<(u32, Vec<LogicalOperand>)> {
    members(kind).map(|(value, member)| (value, member.additional_operands())).collect()
}

/// The parameters of the enumerants of a kind; `None` for a kind none of whose enumerants has any.
fn with_parameters(kind: OperandKind) -> Option<&'static Parameters> {
    static DECORATION: Parameters = LazyLock::new(|| EnumerantParameters::new(OperandKind::Decoration));
    static EXECUTION_MODE: Parameters =
        LazyLock::new(|| EnumerantParameters::new(OperandKind::ExecutionMode));
    static IMAGE_OPERANDS: Parameters =
        LazyLock::new(|| EnumerantParameters::new(OperandKind::ImageOperands));
    static LOOP_CONTROL: Parameters = LazyLock::new(|| EnumerantParameters::new(OperandKind::LoopControl));
    static MEMORY_ACCESS: Parameters = LazyLock::new(|| EnumerantParameters::new(OperandKind::MemoryAccess));
    static TENSOR_ADDRESSING: Parameters =
        LazyLock::new(|| EnumerantParameters::new(OperandKind::TensorAddressingOperands));
    static TENSOR_OPERANDS: Parameters =
        LazyLock::new(|| EnumerantParameters::new(OperandKind::TensorOperands));
    let table = match kind {
        OperandKind::Decoration => &DECORATION,
        OperandKind::ExecutionMode => &EXECUTION_MODE,
        OperandKind::ImageOperands => &IMAGE_OPERANDS,
        OperandKind::LoopControl => &LOOP_CONTROL,
        OperandKind::MemoryAccess => &MEMORY_ACCESS,
        OperandKind::TensorAddressingOperands => &TENSOR_ADDRESSING,
        OperandKind::TensorOperands => &TENSOR_OPERANDS,
        _ => return None,
    };
    Some(table)
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
    find(&known.parameters, value).map(Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Every kind that the grammar uses and that has enumerants with parameters is in the look-up above: a kind that rspirv
    /// adds one day must not be walked as if it had none.
    #[test]
    fn every_kind_with_parameters_is_looked_up() {
        let kinds = INSTRUCTION_TABLE.iter().flat_map(|inst| inst.operands).map(|operand| operand.kind);
        let mut seen = 0;
        for kind in kinds {
            for (value, operands) in collect(kind) {
                assert_eq!(parameters(kind, value), Some(&operands[..]), "{kind:?} {value}");
                seen += usize::from(!operands.is_empty());
            }
        }
        assert!(seen > 100);
    }

    /// No enumerant is outside of where they are looked for.
    #[test]
    fn every_enumerant_is_found() {
        let kinds: HashSet<OperandKind> =
            INSTRUCTION_TABLE.iter().flat_map(|inst| inst.operands).map(|operand| operand.kind).collect();
        for kind in kinds.into_iter().filter(|&kind| !is_mask(kind)) {
            let expected: Vec<u32> = (0..0x2_0000)
                .chain(1_000_000_000..1_001_000_000)
                .filter(|&value| enumerant(kind, value).is_some())
                .collect();
            assert_eq!(members(kind).map(|(value, _)| value).collect::<Vec<_>>(), expected, "{kind:?}");
        }
    }

    /// Every operand kind of the grammar is an id, a literal, a pair, or an enumeration that `enumerant` knows.
    #[test]
    fn every_kind_is_known() {
        use OperandKind::*;
        for inst in INSTRUCTION_TABLE.iter() {
            for operand in inst.operands {
                let plain = is_id(operand.kind) || is_plain_literal(operand.kind);
                let special = matches!(
                    operand.kind,
                    LiteralString
                        | LiteralExtInstInteger
                        | LiteralSpecConstantOpInteger
                        | PairLiteralIntegerIdRef
                        | PairIdRefLiteralInteger
                        | PairIdRefIdRef
                );
                let value = if is_mask(operand.kind) { 1..=16 } else { 0..=4 };
                let enumerated = value.into_iter().any(|value| enumerant(operand.kind, value).is_some());
                assert!(plain || special || enumerated, "{:?} in {}", operand.kind, inst.opname);
            }
        }
    }
}
