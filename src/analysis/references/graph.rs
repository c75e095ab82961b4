//! The reference graph: the ids that each function and each definition outside of functions refers to, each with the kind of the reference.
//!
//! All references between ids come from here, and [`ModuleScopeRole`] is the one list of the opcodes that make them. Those of functions are
//! read once for a module, in one pass; a definition outside says itself what it refers to. What follows from it selects edges by their kinds:
//! definitions without uses (`use_counts.rs`), presence conditions and requirements (`conditional.rs`), parts of a module (`transform/split`),
//! call paths. Whether an operand is a callee, a type or a variable is a question to its definition.
//!
//! Names and interface lists refer to nothing: they go with what they describe.

use bitflags::bitflags;
use spirv::{Decoration, Op};

use super::mode_types::{fast_math_type, mode_types};
use crate::analysis::conditions::multi_target::OP_DEVICE_REGISTRY_VERSION;
use crate::analysis::debug::{is_debug_operand, is_weak};
use crate::loader::{Function, Instruction, MAX_BOUND, Module, SetKind, views};

/// The bits of an edge that an id takes.
const ID: u32 = MAX_BOUND;

bitflags! {
    /// The kinds of the references between ids, in the bits above an id.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct EdgeKinds: u32 {
        /// An operand that the instruction requires: a type, a constant, a variable, a callee, the target of a pointer to a function.
        const OPERAND = 1 << 22;
        /// A function or variable that a non-semantic instruction names. Debug information has a kind of its own.
        const DESCRIBED = 1 << 23;
        /// A function, a variable or a constant of the source that debug information describes.
        const DEBUG = 1 << 24;
        /// An id in a decoration, besides its target.
        const DECORATION = 1 << 25;
        /// The condition of a decoration, an entry point or a declaration.
        const CONDITION = 1 << 26;
        /// The group of decorations that is applied to an id.
        const GROUP = 1 << 27;
        /// An id in an execution mode of a function.
        const EXECUTION_MODE = 1 << 28;
        /// The operands that are kept only as long as the instructions that name them.
        const USES = Self::OPERAND.bits() | Self::DESCRIBED.bits();
    }
}

/// The references in a module. The nodes are the functions, with everything inside of them, and the definitions outside.
///
/// Every method takes the module that was read.
#[derive(Clone, Debug, Default)]
pub struct ReferenceGraph {
    /// The start of the edges of each function, and the end of the last.
    rows: Vec<u32>,
    /// The edges of functions. An edge is an id with the bit of a kind.
    edges: Vec<u32>,
    /// The decorated id (any, inside of functions too) or the function, and the edge from it; sorted.
    attributes: Vec<(u32, u32)>,
    /// The edges from the module itself: of instructions that have no definition to go with.
    of_module: Vec<u32>,
    /// The definitions outside of functions that other instructions continue.
    pub continued: Vec<u32>,
    /// The execution modes that go with a type, by their offsets in order: their references are those of the type.
    mode_types: Vec<(u32, u32)>,
    /// Debug instructions in functions that have an edge of the kind DEBUG, or describe their own function: its number and the offset.
    pub debug: Vec<(usize, u32)>,
}

impl ReferenceGraph {
    /// Reads a module.
    pub fn new(module: &Module) -> ReferenceGraph {
        let graph = ReferenceGraph { mode_types: mode_types(module), ..ReferenceGraph::default() };
        let mut reader = GraphReader { module, graph, last: None };
        module.outside_functions().for_each(|inst| reader.outside(&inst));
        reader.functions();
        let mut graph = reader.graph;
        graph.attributes.sort_unstable();
        // They are kept as long as the module.
        graph.mode_types.shrink_to_fit();
        [&mut graph.edges, &mut graph.of_module, &mut graph.continued]
            .into_iter()
            .for_each(Vec::shrink_to_fit);
        graph.attributes.shrink_to_fit();
        graph.debug.shrink_to_fit();
        graph
    }

    /// Returns the ids that a function uses, by its number: ids outside of it, each once if no non-semantic instruction names it.
    #[inline]
    pub fn function_uses(&self, function: usize) -> impl Iterator<Item = u32> {
        select(self.row(function), EdgeKinds::USES)
    }

    /// Calls a function with each id that a node uses.
    #[inline]
    pub fn each_use(&self, module: &Module, id: u32, each: impl FnMut(u32)) {
        self.each_operand(module, id, EdgeKinds::USES, each);
    }

    /// Returns true if a node uses an id for which a function returns true.
    pub fn any_use(&self, module: &Module, id: u32, mut is_such: impl FnMut(u32) -> bool) -> bool {
        let mut any = false;
        self.each_use(module, id, |used| any = any || is_such(used));
        any
    }

    /// Calls a function with each id that a node refers to by references of some kinds: those of decorations and the like first.
    pub fn each_target(&self, module: &Module, id: u32, kinds: EdgeKinds, mut each: impl FnMut(u32)) {
        let first = self.attributes.partition_point(|&(source, _)| source < id);
        let attributes = self.attributes[first..].iter().take_while(|&&(source, _)| source == id);
        let attributes = attributes.filter(|&&(_, edge)| edge & kinds.bits() != 0);
        attributes.for_each(|&(_, edge)| each(edge & ID));
        self.each_operand(module, id, kinds, each);
    }

    /// Calls a function with each operand of a definition, or of the instructions of a function, that is of some kinds.
    fn each_operand(&self, module: &Module, id: u32, kinds: EdgeKinds, mut each: impl FnMut(u32)) {
        let Some(definition) = module.definition(id) else { return };
        if definition.offset() >= module.globals_end() {
            if let Some(function) = module.function_index(id) {
                return select(self.row(function), kinds).for_each(each);
            }
            if module.function_of(id).is_some() {
                return;
            }
        }
        if definition.is_extended() {
            let weak = WeakOperands::new(module, &definition);
            return module.walk(&definition, &mut |at, used: u32| {
                if used != id && weak.kind(at, used).intersects(kinds) {
                    each(used);
                }
            });
        }
        if !kinds.contains(EdgeKinds::OPERAND) {
            return;
        }
        module.walk(&definition, &mut |_, used: u32| {
            if used != id {
                each(used);
            }
        });
        if !self.continued.is_empty() {
            for inst in module.continuations(&definition) {
                module.walk(&inst, &mut |_, used: u32| each(used));
            }
        }
    }

    /// Returns the ids that the module itself refers to.
    pub fn module_targets(&self, kinds: EdgeKinds) -> impl Iterator<Item = u32> {
        select(&self.of_module, kinds)
    }

    /// Returns the references from decorations, their groups and execution modes, in the order of the ids that these describe: the described
    /// id, and the other.
    pub fn attributes(&self, kinds: EdgeKinds) -> impl Iterator<Item = (u32, u32)> {
        let edges = self.attributes.iter().filter(move |&&(_, edge)| edge & kinds.bits() != 0);
        edges.map(|&(source, edge)| (source, edge & ID))
    }

    /// Returns the type of floats with which an execution mode goes.
    pub fn mode_type(&self, mode: &Instruction) -> Option<u32> {
        let at = self.mode_types.binary_search_by_key(&mode.offset(), |(offset, _)| *offset).ok()?;
        Some(self.mode_types[at].1)
    }

    #[inline]
    fn row(&self, function: usize) -> &[u32] {
        &self.edges[self.rows[function] as usize..self.rows[function + 1] as usize]
    }
}

#[inline]
fn select(row: &[u32], kinds: EdgeKinds) -> impl Iterator<Item = u32> {
    row.iter().filter(move |&&edge| edge & kinds.bits() != 0).map(|&edge| edge & ID)
}

/// The role of an instruction outside of functions in the reference graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleScopeRole {
    /// Describes one id and refers to nothing else: a name, or the declaration of a pointer that is defined later.
    Description,
    /// Decorates an id or a member. The other ids are references of the decorated id.
    Decoration,
    /// Applies a group of decorations to ids, which refer to the group.
    Group,
    /// Sets a mode of a function, and its ids are references of the function.
    ExecutionMode,
    /// Makes a function an entry point.
    EntryPoint,
    /// Declares a capability or an extension under a condition.
    ConditionalDeclaration,
    /// Continues the definition before it.
    Continuation,
    /// Has a number that is not in the grammar and must not be taken for an id.
    Number,
    /// Defines an id. The operands are references of the defined id.
    Definition,
    /// Refers to ids for the whole module, as far as it names any.
    Other,
}

impl ModuleScopeRole {
    /// Returns the role of an instruction.
    #[inline]
    pub fn new(inst: &Instruction) -> ModuleScopeRole {
        // Most instructions are definitions, and no other role defines an id.
        if inst.result_id().is_some() {
            return ModuleScopeRole::Definition;
        }
        match inst.op() {
            Some(Op::Name | Op::MemberName | Op::TypeForwardPointer) => ModuleScopeRole::Description,
            _ if views::Decoration::new(*inst).is_some() => ModuleScopeRole::Decoration,
            Some(Op::GroupDecorate | Op::GroupMemberDecorate) => ModuleScopeRole::Group,
            Some(Op::ExecutionMode | Op::ExecutionModeId) => ModuleScopeRole::ExecutionMode,
            Some(Op::EntryPoint | Op::ConditionalEntryPointINTEL) => ModuleScopeRole::EntryPoint,
            Some(Op::ConditionalCapabilityINTEL | Op::ConditionalExtensionINTEL) => {
                ModuleScopeRole::ConditionalDeclaration
            }
            _ if inst.is_continuation() => ModuleScopeRole::Continuation,
            None if inst.opcode() == OP_DEVICE_REGISTRY_VERSION => ModuleScopeRole::Number,
            _ => ModuleScopeRole::Other,
        }
    }
}

/// Returns the id that an instruction outside of functions describes without defining it. The instruction is removed
/// with that id.
#[inline]
pub fn described_id(inst: &Instruction) -> Option<u32> {
    use ModuleScopeRole::{Decoration, Description, ExecutionMode};
    matches!(ModuleScopeRole::new(inst), Description | Decoration | ExecutionMode).then(|| inst.word(1))
}

struct GraphReader<'m> {
    module: &'m Module<'m>,
    graph: ReferenceGraph,
    /// The last definition: the next instruction may continue it.
    last: Option<u32>,
}

impl<'m> GraphReader<'m> {
    /// Adds an instruction outside of functions.
    fn outside(&mut self, inst: &Instruction) {
        let module = self.module;
        match ModuleScopeRole::new(inst) {
            ModuleScopeRole::Description | ModuleScopeRole::Number => {}
            ModuleScopeRole::Decoration => {
                let condition = views::Decoration::with(*inst, Decoration::ConditionalINTEL);
                self.attribute(inst, condition.map_or(EdgeKinds::DECORATION, |_| EdgeKinds::CONDITION));
            }
            ModuleScopeRole::ExecutionMode => {
                // After the type, there are the flags.
                match fast_math_type(inst).and_then(|_| self.graph.mode_type(inst)) {
                    Some(type_) => self.attribute_of(type_, 4, inst, EdgeKinds::EXECUTION_MODE),
                    None => self.attribute(inst, EdgeKinds::EXECUTION_MODE),
                }
            }
            ModuleScopeRole::Group => {
                let group = views::GroupDecorate(*inst);
                let edge = group.group() | EdgeKinds::GROUP.bits();
                self.graph.attributes.extend(group.targets().map(|target| (target, edge)));
            }
            ModuleScopeRole::EntryPoint => {
                let condition = views::EntryPoint(*inst).condition();
                self.graph.of_module.extend(condition.map(|id| id | EdgeKinds::CONDITION.bits()));
            }
            ModuleScopeRole::ConditionalDeclaration => {
                self.graph.of_module.push(inst.word(1) | EdgeKinds::CONDITION.bits());
            }
            ModuleScopeRole::Continuation if self.last.is_some() => {
                let continued = &mut self.graph.continued;
                continued.extend(self.last.filter(|id| continued.last() != Some(id)));
            }
            ModuleScopeRole::Continuation | ModuleScopeRole::Other => {
                let of_module = &mut self.graph.of_module;
                module.walk(inst, &mut |_, id: u32| of_module.push(id | EdgeKinds::OPERAND.bits()));
            }
            ModuleScopeRole::Definition => self.last = inst.result_id(),
        }
    }

    /// Adds the ids that a decoration or an execution mode names besides its target.
    fn attribute(&mut self, inst: &Instruction, kind: EdgeKinds) {
        self.attribute_of(inst.word(1), 2, inst, kind);
    }

    /// Adds the ids that an instruction names from a word on, as references of a target.
    fn attribute_of(&mut self, target: u32, first: usize, inst: &Instruction, kind: EdgeKinds) {
        let attributes = &mut self.graph.attributes;
        self.module.walk(inst, &mut |at, id: u32| {
            if at >= first {
                attributes.push((target, id | kind.bits()));
            }
        });
    }

    fn functions(&mut self) {
        let module = self.module;
        let mut collector = OperandCollector::new(module);
        for (at, function) in module.functions().iter().enumerate() {
            let ReferenceGraph { rows, edges, debug, .. } = &mut self.graph;
            rows.push(edges.len() as u32);
            collector.enter(function);
            for inst in module.range(function.lines, function.end) {
                let weak = WeakOperands::new(module, &inst);
                let mut names_removable = false;
                module.walk(&inst, &mut |at, id: u32| {
                    let kind = weak.kind(at, id);
                    names_removable |= kind == EdgeKinds::DEBUG;
                    let is_edge = match kind {
                        EdgeKinds::OPERAND => collector.adds(id),
                        _ => !collector.is_inside(id),
                    };
                    if is_edge {
                        edges.push(id | kind.bits());
                    }
                });
                debug.extend(names_removable.then_some((at, inst.offset())));
            }
        }
        self.graph.rows.push(self.graph.edges.len() as u32);
    }
}

/// Distinguishes the operands that an extended instruction describes from those that it requires.
struct WeakOperands<'i> {
    module: &'i Module<'i>,
    inst: &'i Instruction<'i>,
    /// The kind of the set of a non-semantic instruction.
    set: Option<SetKind>,
}

impl<'i> WeakOperands<'i> {
    #[inline]
    fn new(module: &'i Module<'i>, inst: &'i Instruction<'i>) -> WeakOperands<'i> {
        let set = module.set_kind(inst).filter(|set| *set != SetKind::Semantic);
        WeakOperands { module, inst, set }
    }

    /// Returns the kind of the edge to an id in this word.
    #[inline]
    fn kind(&self, at: usize, id: u32) -> EdgeKinds {
        match self.set {
            Some(set) if is_debug_operand(at) && is_weak(self.module, self.inst, id) => match set {
                SetKind::Debug => EdgeKinds::DEBUG,
                _ => EdgeKinds::DESCRIBED,
            },
            _ => EdgeKinds::OPERAND,
        }
    }
}

/// Finds the operands of a function that are defined outside of it, each once.
pub(super) struct OperandCollector<'m> {
    module: &'m Module<'m>,
    /// The number of the last collection that has an id, by id.
    seen: Vec<u32>,
    /// The number of the current collection, and the greatest so far.
    pub number: u32,
    last_number: u32,
    start: u32,
    len: u32,
}

impl<'m> OperandCollector<'m> {
    pub fn new(module: &'m Module<'m>) -> OperandCollector<'m> {
        OperandCollector { module, seen: module.table_by_id(), number: 0, last_number: 0, start: 0, len: 0 }
    }

    /// Begins the collection of a function.
    pub fn enter(&mut self, function: &Function) {
        (self.start, self.len) = (function.start, function.end - function.start);
        self.restart();
    }

    /// Begins another collection of the same function.
    pub fn restart(&mut self) {
        self.last_number += 1;
        self.number = self.last_number;
    }

    /// Returns true if the function defines an id.
    #[inline]
    fn is_inside(&self, id: u32) -> bool {
        self.module.definition_offset(id).unwrap_or(0).wrapping_sub(self.start) < self.len
    }

    /// Adds an id. Returns true if the function does not define it, and the collection did not have it.
    #[inline]
    pub fn adds(&mut self, id: u32) -> bool {
        !self.is_inside(id) && std::mem::replace(&mut self.seen[id as usize], self.number) != self.number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inst(op: Op, operands: &[u32]) -> Vec<u32> {
        [&[(operands.len() as u32 + 1) << 16 | op as u32], operands].concat()
    }

    /// Returns a module. `debug` is the name of a set whose instruction 18 describes a global variable.
    fn module(debug: &str, callee: u32) -> Vec<u32> {
        let set = [&[1][..], &crate::loader::literal(debug)].concat();
        let decorations = [Decoration::UniformId as u32, Decoration::ConditionalINTEL as u32];
        let semantic = Decoration::UserSemantic as u32;
        [
            vec![spirv::MAGIC_NUMBER, 0x0001_0600, 0, 30, 0],
            inst(Op::ConditionalCapabilityINTEL, &[6, spirv::Capability::Float64 as u32]),
            inst(Op::ExtInstImport, &set),
            inst(Op::ExecutionMode, &[9, spirv::ExecutionMode::ContractionOff as u32]),
            inst(Op::String, &[&[13][..], &crate::loader::literal("file")].concat()),
            inst(Op::Name, &[&[12][..], &crate::loader::literal("name")].concat()),
            inst(Op::DecorateString, &[&[8, semantic][..], &crate::loader::literal("A")].concat()),
            inst(Op::MemberDecorateString, &[&[11, 0, semantic][..], &crate::loader::literal("B")].concat()),
            inst(Op::DecorateId, &[8, decorations[0], 7]),
            inst(Op::DecorateId, &[9, decorations[1], 6]),
            inst(Op::GroupDecorate, &[10, 8, 21]),
            inst(Op::GroupMemberDecorate, &[10, 11, 0]),
            vec![2 << 16 | u32::from(OP_DEVICE_REGISTRY_VERSION), 7],
            inst(Op::TypeVoid, &[2]),
            inst(Op::TypeFunction, &[3, 2]),
            inst(Op::TypeBool, &[4]),
            inst(Op::SpecConstantTrue, &[4, 6]),
            inst(Op::TypeStruct, &[11, 4]),
            inst(Op::TypeStructContinuedINTEL, &[2]),
            inst(Op::TypeStructContinuedINTEL, &[4]),
            inst(Op::TypePointer, &[5, spirv::StorageClass::Private as u32, 4]),
            inst(Op::Variable, &[5, 8, spirv::StorageClass::Private as u32]),
            inst(Op::Function, &[2, 9, 0, 3]),
            inst(Op::Label, &[20]),
            inst(Op::ExtInst, &[2, 21, 1, 18, 8, 9]),
            inst(Op::FunctionCall, &[2, 22, callee]),
            inst(Op::FunctionCall, &[2, 23, callee]),
            inst(Op::Return, &[]),
            inst(Op::FunctionEnd, &[]),
            inst(Op::Line, &[13, 1, 1]),
            inst(Op::Function, &[2, 12, 0, 3]),
            inst(Op::Label, &[24]),
            inst(Op::Store, &[8, 6]),
            inst(Op::Return, &[]),
            inst(Op::FunctionEnd, &[]),
        ]
        .concat()
    }

    fn targets(module: &Module, references: &ReferenceGraph, id: u32, kinds: EdgeKinds) -> Vec<u32> {
        let mut targets = Vec::new();
        references.each_target(module, id, kinds, |target| targets.push(target));
        targets
    }

    #[test]
    fn edges_have_the_kinds_of_references() {
        let words = module("NonSemantic.Shader.DebugInfo.100", 12);
        let module = Module::from_words(&words).unwrap();
        let references = ReferenceGraph::new(&module);
        let targets = |id, kinds| targets(&module, &references, id, kinds);
        // Each operand once: types, set and callee, and nothing that the function defines.
        assert_eq!(references.function_uses(0).collect::<Vec<u32>>(), [2, 3, 1, 12]);
        assert_eq!(targets(9, EdgeKinds::DEBUG), [8]);
        assert_eq!(targets(9, EdgeKinds::CONDITION), [6]);
        // The lines before a function belong to it.
        assert_eq!(targets(12, EdgeKinds::USES), [13, 2, 3, 8, 6]);
        assert_eq!(targets(8, EdgeKinds::all()), [7, 10, 5]);
        assert_eq!(targets(8, EdgeKinds::DECORATION), [7]);
        // The function uses what decorates its parts only where these stay.
        assert_eq!(
            references.attributes(EdgeKinds::GROUP).collect::<Vec<_>>(),
            [(8, 10), (11, 10), (21, 10)]
        );
        // What continues a definition is a part of it.
        assert_eq!(targets(11, EdgeKinds::OPERAND), [4, 2, 4]);
        assert_eq!(references.continued, [11]);
        // The string of an OpLine outside of functions.
        assert_eq!(references.module_targets(EdgeKinds::OPERAND).collect::<Vec<u32>>(), [13]);
        assert_eq!(references.module_targets(EdgeKinds::CONDITION).collect::<Vec<u32>>(), [6]);
        assert_eq!(references.debug.iter().map(|&(function, _)| function).collect::<Vec<usize>>(), [0]);
        let described = module.outside_functions().filter_map(|inst| described_id(&inst));
        assert_eq!(described.collect::<Vec<u32>>(), [9, 12, 8, 11, 8, 9]);
    }

    #[test]
    fn other_descriptions_are_uses_of_their_own_kind() {
        let words = module("NonSemantic.Other", 9);
        let module = Module::from_words(&words).unwrap();
        let references = ReferenceGraph::new(&module);
        assert_eq!(targets(&module, &references, 9, EdgeKinds::OPERAND), [2, 3, 1]);
        assert_eq!(targets(&module, &references, 9, EdgeKinds::DESCRIBED), [8]);
        assert_eq!(references.function_uses(0).collect::<Vec<u32>>(), [2, 3, 1, 8]);
        assert!(references.debug.is_empty());
    }
}
