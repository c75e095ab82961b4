//! Instructions that do nothing but compute their results, and functions that only consist of such.

use std::collections::BTreeSet;

use rspirv::grammar::OperandKind;
use spirv::{Capability, Decoration, ImageOperands, MemoryAccess, Op, StorageClass};

use crate::analysis::calls::DirectCalls;
use crate::analysis::debug::{DebugPosition, described_value, is_debug};
use crate::loader::{Function, Instruction, Module, Visitor, views};

/// Facts that decide the effects of a module's instructions.
#[derive(Debug, Default)]
pub struct Effects {
    /// The variables and structures with a Volatile decoration, in order.
    volatile: Vec<u32>,
    /// The variables outside of functions that only code of the module reads and writes, in order.
    internal_variables: Vec<u32>,
    /// True if an instruction may reach other elements than the one that its pointer points to.
    moves_pointers: bool,
    /// The effects of calls, by function.
    calls: Vec<CallEffect>,
    /// The instructions of functions, one function after the other, each with the lines before it.
    kinds: Vec<InstructionKind>,
    /// The place of a function's first instruction in `kinds`, by function.
    starts: Vec<usize>,
}

/// The effect of calls of a function, from the least on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CallEffect {
    /// Calls end, and only compute results.
    None,
    /// Calls also write to variables of functions to which arguments point.
    WritesArguments,
    /// Anything else.
    Other,
}

/// The kind of an instruction of a function, as far as its removal is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionKind {
    /// Has an effect besides computing its result.
    Effect,
    /// A parameter of the function.
    Parameter,
    /// Only computes its result.
    Computes,
    /// A call that only computes its result, and writes to variables of the function ([`Effects::written_by_call`]).
    Calls,
    /// Only writes to a part of a variable ([`Effects::written_part`]).
    Writes,
    /// Debug information on a variable or value.
    Describes,
    /// A position in the source ([`DebugPosition`]).
    Position,
    /// Begins or ends a block, or names the blocks of a construct.
    ControlFlow,
}

impl Effects {
    /// Finds the facts of a module.
    pub fn new(module: &Module, calls: &DirectCalls) -> Effects {
        let decorations = module.annotations().filter_map(views::Decoration::new);
        let is_volatile = |decoration: &views::Decoration| decoration.is_a(Decoration::Volatile);
        let mut volatile: Vec<u32> =
            decorations.filter(is_volatile).map(|decoration| decoration.target()).collect();
        volatile.sort_unstable();
        let is_volatile = |group: &views::GroupDecorate| volatile.binary_search(&group.group()).is_ok();
        let in_groups = module.group_decorations().filter(is_volatile);
        let in_groups: Vec<u32> = in_groups.flat_map(|group| group.targets().collect::<Vec<u32>>()).collect();
        volatile.extend(in_groups);
        volatile.sort_unstable();
        let internal_variables = if volatile.is_empty() { internal_variables(module) } else { Vec::new() };
        let varies_pointers = |inst: views::Capability| {
            [Capability::VariablePointers, Capability::VariablePointersStorageBuffer]
                .iter()
                .any(|&capability| inst.capability() == capability as u32)
        };
        let moves_pointers = module.has_addresses() || module.capabilities().any(varies_pointers);
        let mut effects = Effects { volatile, internal_variables, moves_pointers, ..Effects::default() };
        effects.find_effects_of_calls(module, calls);
        for function in module.functions() {
            effects.starts.push(effects.kinds.len());
            for inst in module.range(function.lines, function.end) {
                effects.kinds.push(effects.kind(module, &inst));
                effects.moves_pointers = effects.moves_pointers || reaches_further(module, &inst);
            }
        }
        effects.kinds.shrink_to_fit();
        effects
    }

    /// Returns the kinds of the instructions of a function, from the lines before it on.
    pub fn kinds(&self, function: usize) -> &[InstructionKind] {
        let end = self.starts.get(function + 1).copied().unwrap_or(self.kinds.len());
        &self.kinds[self.starts[function]..end]
    }

    /// Returns the kind of an instruction of a function.
    pub fn kind(&self, module: &Module, inst: &Instruction) -> InstructionKind {
        match inst.op() {
            Some(Op::FunctionParameter) => InstructionKind::Parameter,
            Some(Op::Label | Op::SelectionMerge | Op::LoopMerge) => InstructionKind::ControlFlow,
            _ if inst.ends_block() => InstructionKind::ControlFlow,
            _ if self.written_part(module, inst).is_some() => InstructionKind::Writes,
            _ if described_value(module, inst).is_some() => InstructionKind::Describes,
            _ if DebugPosition::new(module, inst).is_some() => InstructionKind::Position,
            Some(Op::FunctionCall) => match self.written_by_call(module, views::FunctionCall(*inst)) {
                Some(_) => InstructionKind::Calls,
                None => InstructionKind::Effect,
            },
            _ if !self.is_removable(module, inst) => InstructionKind::Effect,
            _ => InstructionKind::Computes,
        }
    }

    /// Finds the effects of functions, callees first. Recursive functions are not known to end.
    fn find_effects_of_calls(&mut self, module: &Module, calls: &DirectCalls) {
        self.calls = vec![CallEffect::Other; module.functions().len()];
        for at in calls.callees_first().filter(|&at| !calls.is_recursive(at)) {
            self.calls[at] =
                self.effect_of_calls(module, &module.functions()[at]).unwrap_or(CallEffect::Other);
        }
    }

    /// Returns the effect of calls of a function. The effects of the functions that it calls are known. Returns `None` if it is a declaration, or
    /// has a loop or another effect.
    fn effect_of_calls(&self, module: &Module, function: &Function) -> Option<CallEffect> {
        if module.is_declaration(function) {
            return None;
        }
        let mut all = CallEffect::None;
        for inst in module.body(function) {
            let effect = match inst.op()? {
                Op::Function | Op::FunctionParameter | Op::FunctionEnd | Op::Label | Op::Nop => continue,
                Op::Line | Op::NoLine | Op::SelectionMerge | Op::Return | Op::ReturnValue => continue,
                Op::Branch | Op::BranchConditional | Op::Switch => {
                    let mut is_back = false;
                    module.walk(&inst, &mut |_: usize, id: u32| {
                        let is_before = module.definition_offset(id).is_none_or(|at| at < inst.offset());
                        let is_label = module.definition(id).is_none_or(|target| target.is(Op::Label));
                        is_back |= is_label && is_before;
                    });
                    if is_back { CallEffect::Other } else { CallEffect::None }
                }
                Op::FunctionCall => {
                    let call = views::FunctionCall(inst);
                    match self.calls[module.function_index(call.callee())?] {
                        CallEffect::WritesArguments => {
                            let pointers =
                                call.arguments().iter().filter(|&&id| is_function_pointer(module, id));
                            pointers
                                .map(|&id| self.effect_of_writing(module, id))
                                .max()
                                .unwrap_or(CallEffect::None)
                        }
                        effect => effect,
                    }
                }
                _ if is_debug(module, &inst) || self.is_removable(module, &inst) => CallEffect::None,
                _ if self.is_mere_write(module, &inst) => self.effect_of_writing(module, inst.word(1)),
                _ => CallEffect::Other,
            };
            all = all.max(effect);
            if all == CallEffect::Other {
                return None;
            }
        }
        Some(all)
    }

    /// Returns the effect that a write through a pointer has for the callers of a function.
    fn effect_of_writing(&self, module: &Module, pointer: u32) -> CallEffect {
        let is_parameter = |root: &Instruction| {
            let id = root.result_id().unwrap_or(0);
            root.is(Op::FunctionParameter)
                && is_function_pointer(module, id)
                && self.volatile.binary_search(&id).is_err()
        };
        match self.part(module, pointer) {
            Some(part) if !module.is_global(part.variable) => CallEffect::None,
            None if self.root(module, pointer).is_some_and(|(root, _)| is_parameter(&root)) => {
                CallEffect::WritesArguments
            }
            _ => CallEffect::Other,
        }
    }

    /// Returns the variables of a function that a call may write to. Returns `None` if the call has another effect.
    pub fn written_by_call(&self, module: &Module, call: views::FunctionCall) -> Option<Vec<u32>> {
        let callee = module.function_index(call.callee())?;
        match self.calls.get(callee)? {
            CallEffect::None => Some(Vec::new()),
            CallEffect::WritesArguments => {
                let pointers = call.arguments().iter().filter(|&&id| is_function_pointer(module, id));
                pointers.map(|&id| Some(self.part(module, id)?.variable)).collect()
            }
            CallEffect::Other => None,
        }
    }

    /// Returns true if an instruction other than a call can be removed once its result has no use.
    fn is_removable(&self, module: &Module, inst: &Instruction) -> bool {
        match inst.op() {
            Some(Op::Variable) => true,
            Some(Op::Load) => {
                let reads_part = || self.part(module, views::Load(*inst).pointer()).is_some();
                !is_volatile(module, inst) && (self.volatile.is_empty() || reads_part())
            }
            Some(op) if is_in(op, &READS) => self.volatile.is_empty() && !is_volatile(module, inst),
            Some(op) => is_in(op, &REMOVABLE) || is_pure(module, inst),
            None => false,
        }
    }

    /// Returns the variables outside of functions that only code of the module reads and writes, in order.
    pub fn internal_variables(&self) -> &[u32] {
        &self.internal_variables
    }

    /// Returns the part of a variable that an instruction only writes to: a variable of a function, or an internal one outside of functions. `None`
    /// if the instruction does more, or writes elsewhere.
    pub fn written_part(&self, module: &Module, inst: &Instruction) -> Option<VariablePart> {
        self.is_mere_write(module, inst).then(|| self.part(module, inst.word(1)))?
    }

    /// Returns true if an instruction only writes to the memory that its first operand points to.
    fn is_mere_write(&self, module: &Module, inst: &Instruction) -> bool {
        let is_write = matches!(
            inst.op(),
            Some(Op::Store | Op::CopyMemory | Op::CopyMemorySized | Op::LifetimeStart | Op::LifetimeStop)
        );
        let reads_others = inst.is(Op::CopyMemory) || inst.is(Op::CopyMemorySized);
        is_write && !is_volatile(module, inst) && (!reads_others || self.volatile.is_empty())
    }

    /// Returns the number of the element of the base's pointee that an access chain leads into. `None` if it is not
    /// known, or if pointers to an element may be moved to others.
    pub fn element(&self, module: &Module, inst: &Instruction) -> Option<u32> {
        let chain = views::AccessChain::new(*inst)?;
        (!self.moves_pointers).then_some(())?;
        module.constant(*chain.indexes().first()?).map(|index| index.low_word())
    }

    /// Returns the part of a variable that a pointer points to or into: a variable of a function, or an internal one outside of functions.
    fn part(&self, module: &Module, pointer: u32) -> Option<VariablePart> {
        let (root, element) = self.root(module, pointer)?;
        let variable = views::Variable::new(root)?;
        let id = variable.id();
        let is_internal = match variable.storage_class() == StorageClass::Function as u32 {
            true => self.volatile.binary_search(&id).is_err(),
            false => self.internal_variables.binary_search(&id).is_ok(),
        };
        is_internal.then_some(VariablePart { variable: id, element })
    }

    /// Returns the instruction from which a pointer is derived, and the number of the element it points into, if known.
    fn root<'m>(&self, module: &'m Module, pointer: u32) -> Option<(Instruction<'m>, Option<u32>)> {
        let mut element = None;
        let root = module.follow_pointer(pointer, |derived| {
            element = self.element(module, &derived);
            Some(())
        })?;
        Some((root, element))
    }
}

/// Returns the variables of a module that neither the host nor another module sees, in order. Those of the storage class Workgroup that have an
/// explicit layout share their memory.
fn internal_variables(module: &Module) -> Vec<u32> {
    let sharing = [
        Capability::WorkgroupMemoryExplicitLayoutKHR,
        Capability::WorkgroupMemoryExplicitLayout8BitAccessKHR,
        Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR,
    ];
    let shares_memory = module
        .capabilities()
        .any(|inst| sharing.iter().any(|&capability| inst.capability() == capability as u32));
    let is_internal = |variable: &views::Variable| match StorageClass::from_u32(variable.storage_class()) {
        Some(StorageClass::Private) => true,
        Some(StorageClass::Workgroup) => !shares_memory,
        _ => false,
    };
    let decorations = module.annotations().filter_map(views::Decoration::new);
    let linked = decorations.filter(|decoration| decoration.is_a(Decoration::LinkageAttributes));
    let linked: BTreeSet<u32> = linked.map(|decoration| decoration.target()).collect();
    let variables = module.variables().filter(is_internal).map(|variable| variable.id());
    let mut internal: Vec<u32> = variables.filter(|id| !linked.contains(id)).collect();
    internal.sort_unstable();
    internal
}

/// A variable, or one of its elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariablePart {
    /// The variable's id.
    pub variable: u32,
    /// The number of the element, if it is one.
    pub element: Option<u32>,
}

/// Returns true if an id is a pointer to a variable of a function.
fn is_function_pointer(module: &Module, id: u32) -> bool {
    let type_ = module.type_of(id).and_then(|type_id| module.definition(type_id));
    let pointer = type_.and_then(views::AnyPointer::new);
    pointer.is_some_and(|pointer| pointer.storage_class() == StorageClass::Function as u32)
}

/// Returns true if an instruction may reach other elements than the one that its pointer points to, as loads of matrices do.
fn reaches_further(module: &Module, inst: &Instruction) -> bool {
    let is_exact = |op: Op| is_in(op, &EXACT) || is_in(op, &PURE) || is_in(op, &REMOVABLE);
    if inst.op().is_some_and(is_exact) || inst.ends_block() || is_debug(module, inst) {
        return false;
    }
    let mut has_pointer = false;
    module.walk(inst, &mut |_: usize, id: u32| {
        let type_ = module.type_of(id).and_then(|type_id| module.definition(type_id));
        has_pointer |= Some(id) != inst.result_id() && type_.and_then(views::AnyPointer::new).is_some();
    });
    has_pointer
}

/// Returns true if an instruction has a volatile memory access, or a volatile texel.
fn is_volatile(module: &Module, inst: &Instruction) -> bool {
    let mut finder = VolatileAccess(false);
    module.walk(inst, &mut finder);
    finder.0
}

/// True once a volatile access is found.
struct VolatileAccess(bool);

impl Visitor for VolatileAccess {
    fn wants_enumerants(&self) -> bool {
        true
    }

    fn id(&mut self, _at: usize, _id: u32) {}

    fn enumerant(&mut self, _at: usize, kind: OperandKind, value: u32) {
        self.0 |= match kind {
            OperandKind::MemoryAccess => value & MemoryAccess::VOLATILE.bits() != 0,
            OperandKind::ImageOperands => value & ImageOperands::VOLATILE_TEXEL.bits() != 0,
            _ => false,
        };
    }
}

/// Returns true for an instruction that does nothing but compute its result, wherever in a function it stands.
pub fn is_pure(module: &Module, inst: &Instruction) -> bool {
    match inst.op() {
        Some(Op::Load) => !is_volatile(module, inst),
        Some(Op::Undef | Op::PtrAccessChain | Op::InBoundsPtrAccessChain) => true,
        Some(Op::ExtInst) => is_function_of_values(module, views::ExtInst(*inst)),
        // It stays before the instructions that continue it.
        Some(Op::CompositeConstruct) => module.continuations(inst).next().is_none(),
        Some(op) => is_in(op, &PURE),
        None => false,
    }
}

/// Returns true for an extended instruction that computes a value from values. In these sets, instructions with an effect have a pointer
/// operand (`printf`, `modf`). So do interpolations, which depend on other invocations.
fn is_function_of_values(module: &Module, inst: views::ExtInst) -> bool {
    let set = module.definition_as(inst.set(), Op::ExtInstImport);
    let mut only_values = set.is_some_and(|set| SETS.contains(&&*set.string(2)));
    module.walk(&inst, &mut |_, id: u32| {
        let type_ = module.type_of(id).and_then(|type_| module.definition(type_));
        only_values &= type_.and_then(views::AnyPointer::new).is_none();
    });
    only_values
}

const SETS: [&str; 2] = ["GLSL.std.450", "OpenCL.std"];

/// Opcodes, from one to another.
type OpcodeRange = (Op, Op);

fn is_in(op: Op, ranges: &[OpcodeRange]) -> bool {
    ranges.iter().any(|(first, last)| (*first as u32..=*last as u32).contains(&(op as u32)))
}

/// Further instructions that reach only the memory that their pointers point to ("Memory Instructions", "Function
/// Instructions", "Atomic Instructions").
const EXACT: [OpcodeRange; 5] = [
    (Op::ExtInst, Op::ExtInst),
    (Op::Function, Op::FunctionCall),
    (Op::Variable, Op::CopyMemory),
    (Op::AtomicLoad, Op::AtomicXor),
    (Op::LifetimeStart, Op::LifetimeStop),
];

/// Instructions that only compute (specification, "Composite Instructions", "Conversion Instructions", "Arithmetic Instructions", "Bit Instructions",
/// "Relational and Logical Instructions").
const PURE: [OpcodeRange; 5] = [
    (Op::AccessChain, Op::InBoundsAccessChain),
    (Op::VectorExtractDynamic, Op::Transpose),
    (Op::ConvertFToU, Op::Bitcast),
    (Op::SNegate, Op::SMulExtended),
    (Op::Any, Op::BitCount),
];

/// Instructions that read images ("Image Instructions"), or matrices from memory (SPV_KHR_cooperative_matrix).
const READS: [OpcodeRange; 4] = [
    (Op::ImageSampleImplicitLod, Op::ImageRead),
    (Op::ImageSparseSampleImplicitLod, Op::ImageSparseDrefGather),
    (Op::ImageSparseRead, Op::ImageSparseRead),
    (Op::CooperativeMatrixLoadKHR, Op::CooperativeMatrixLoadKHR),
];

/// Further instructions that only compute, although their results depend on their place.
const REMOVABLE: [OpcodeRange; 12] = [
    (Op::ImageTexelPointer, Op::ImageTexelPointer),
    (Op::ArrayLength, Op::GenericPtrMemSemantics),
    (Op::SampledImage, Op::SampledImage),
    (Op::Image, Op::ImageQuerySamples),
    (Op::DPdx, Op::FwidthCoarse),
    (Op::Phi, Op::Phi),
    (Op::ImageSparseTexelsResident, Op::ImageSparseTexelsResident),
    (Op::SizeOf, Op::SizeOf),
    (Op::CopyLogical, Op::PtrDiff),
    (Op::SDot, Op::SUDotAccSat),
    (Op::CooperativeMatrixMulAddKHR, Op::CooperativeMatrixLengthKHR),
    (Op::ExpectKHR, Op::ExpectKHR),
];
