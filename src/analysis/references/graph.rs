//! The reference graph: the ids that each function and each definition outside of functions refers to, each with the kind of the reference.
//!
//! All references between ids come from here, and [`ModuleScopeRole`] is the one list of the opcodes that make them. It is read once for a
//! module, in one pass. What follows from it selects edges by their kinds: definitions without uses (`definition_roots.rs`), presence
//! conditions and requirements (`conditional.rs`), parts of a module (`transform/split`), call paths. Whether an operand is a callee, a type or
//! a variable is a question to its definition.
//!
//! Names and interface lists refer to nothing: they go with what they describe.

use bitflags::bitflags;
use spirv::{Decoration, Op};

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
        /// The operands that go only with what names them.
        const USES = Self::OPERAND.bits() | Self::DESCRIBED.bits();
    }
}

/// The references in a module. The nodes are the functions, with everything inside of them, and the definitions outside.
#[derive(Clone, Debug, Default)]
pub struct ReferenceGraph {
    /// The place behind a row's length in `edges`, or 0, by id. Few ids have a row, and a module may have any bound.
    rows: Vec<u32>,
    /// The rows one after the other, each the number of its edges and these. An edge is an id with the bit of a kind.
    edges: Vec<u32>,
    /// The decorated id (any, inside of functions too) or the function, and the edge from it; sorted.
    attributes: Vec<(u32, u32)>,
    /// The edges from the module itself: of instructions that have no definition to go with.
    of_module: Vec<u32>,
    /// Debug instructions in functions that have an edge of the kind DEBUG, or describe their own function: its number and the offset.
    pub debug: Vec<(usize, u32)>,
}

impl ReferenceGraph {
    /// Reads a module.
    pub fn new(module: &Module) -> ReferenceGraph {
        let mut reader = GraphReader {
            module,
            graph: ReferenceGraph { rows: module.table_by_id(), ..ReferenceGraph::default() },
            continued: None,
            length: 0,
        };
        module.outside_functions().for_each(|inst| reader.outside(&inst));
        reader.functions();
        let mut graph = reader.graph;
        graph.attributes.sort_unstable();
        // They are kept as long as the module.
        [&mut graph.edges, &mut graph.of_module].into_iter().for_each(Vec::shrink_to_fit);
        graph.attributes.shrink_to_fit();
        graph.debug.shrink_to_fit();
        graph
    }

    /// Returns the ids that a node uses. For a function these are ids outside of it, each once if no non-semantic instruction names it.
    #[inline]
    pub fn uses(&self, id: u32) -> impl Iterator<Item = u32> {
        select(self.row(id), EdgeKinds::USES)
    }

    /// Returns the ids that a node refers to by references of some kinds: those of decorations and the like first.
    pub fn of(&self, id: u32, kinds: EdgeKinds) -> impl Iterator<Item = u32> {
        let first = self.attributes.partition_point(|&(source, _)| source < id);
        let attributes = self.attributes[first..].iter().take_while(move |&&(source, _)| source == id);
        let attributes = attributes.filter(move |&&(_, edge)| edge & kinds.bits() != 0);
        attributes.map(|&(_, edge)| edge & ID).chain(select(self.row(id), kinds))
    }

    /// Returns the ids that the module itself refers to.
    pub fn of_module(&self, kinds: EdgeKinds) -> impl Iterator<Item = u32> {
        select(&self.of_module, kinds)
    }

    /// Returns the references from decorations, their groups and execution modes, in the order of the ids that these describe: the described
    /// id, and the other.
    pub fn attributes(&self, kinds: EdgeKinds) -> impl Iterator<Item = (u32, u32)> {
        let edges = self.attributes.iter().filter(move |&&(_, edge)| edge & kinds.bits() != 0);
        edges.map(|&(source, edge)| (source, edge & ID))
    }

    /// Returns what nodes use, each as often as they do.
    pub fn all_uses(&self) -> impl Iterator<Item = u32> {
        let mut rest = &self.edges[..];
        let rows = std::iter::from_fn(move || {
            let (&length, edges) = rest.split_first()?;
            let (row, after) = edges.split_at(length as usize);
            rest = after;
            Some(row)
        });
        rows.flat_map(|row| select(row, EdgeKinds::USES))
    }

    #[inline]
    fn row(&self, id: u32) -> &[u32] {
        let start = self.rows[id as usize] as usize;
        match start.checked_sub(1) {
            Some(length) => &self.edges[start..start + self.edges[length] as usize],
            None => &[],
        }
    }
}

#[inline]
fn select(row: &[u32], kinds: EdgeKinds) -> impl Iterator<Item = u32> {
    row.iter().filter(move |&&edge| edge & kinds.bits() != 0).map(|&edge| edge & ID)
}

/// The role of an instruction outside of functions in the reference graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleScopeRole {
    /// Names an id or a member, and refers to nothing else.
    Name,
    /// Decorates an id or a member. The other ids are references of the decorated one.
    Decoration,
    /// Applies a group of decorations to ids, which refer to the group.
    Group,
    /// Sets a mode of a function, and its ids are references of the function.
    ExecutionMode,
    /// Declares a pointer that is defined later.
    ForwardPointer,
    /// Makes a function an entry point.
    EntryPoint,
    /// Declares a capability or an extension under a condition.
    ConditionalDeclaration,
    /// Continues the definition before it.
    Continuation,
    /// Has a number that is not in the grammar and must not be taken for an id.
    Number,
    /// Defines an id, and its operands are references of that.
    Definition,
    /// Refers to ids for the whole module, as far as it names any.
    Other,
}

impl ModuleScopeRole {
    /// Returns the role of an instruction.
    #[inline]
    pub fn new(inst: &Instruction) -> ModuleScopeRole {
        match inst.op() {
            Some(Op::Name | Op::MemberName) => ModuleScopeRole::Name,
            Some(
                Op::Decorate
                | Op::DecorateId
                | Op::DecorateString
                | Op::MemberDecorate
                | Op::MemberDecorateString,
            ) => ModuleScopeRole::Decoration,
            Some(Op::GroupDecorate | Op::GroupMemberDecorate) => ModuleScopeRole::Group,
            Some(Op::ExecutionMode | Op::ExecutionModeId) => ModuleScopeRole::ExecutionMode,
            Some(Op::TypeForwardPointer) => ModuleScopeRole::ForwardPointer,
            Some(Op::EntryPoint | Op::ConditionalEntryPointINTEL) => ModuleScopeRole::EntryPoint,
            Some(Op::ConditionalCapabilityINTEL | Op::ConditionalExtensionINTEL) => {
                ModuleScopeRole::ConditionalDeclaration
            }
            Some(
                Op::TypeStructContinuedINTEL
                | Op::ConstantCompositeContinuedINTEL
                | Op::SpecConstantCompositeContinuedINTEL,
            ) => ModuleScopeRole::Continuation,
            None if inst.opcode() == OP_DEVICE_REGISTRY_VERSION => ModuleScopeRole::Number,
            _ if inst.result_id().is_some() => ModuleScopeRole::Definition,
            _ => ModuleScopeRole::Other,
        }
    }
}

/// Returns the one id that an instruction outside of functions describes without being its definition: it is removed with the id.
#[inline]
pub fn described_id(inst: &Instruction) -> Option<u32> {
    match ModuleScopeRole::new(inst) {
        ModuleScopeRole::Name | ModuleScopeRole::Decoration => Some(views::Annotation(*inst).target()),
        ModuleScopeRole::ExecutionMode => Some(views::ExecutionMode(*inst).entry_point()),
        ModuleScopeRole::ForwardPointer => Some(views::TypeForwardPointer(*inst).pointer_type()),
        _ => None,
    }
}

struct GraphReader<'m> {
    module: &'m Module<'m>,
    graph: ReferenceGraph,
    /// The last definition: the next instruction may continue it.
    continued: Option<u32>,
    /// The place of the length of the row that was begun last.
    length: usize,
}

impl<'m> GraphReader<'m> {
    /// Adds an instruction outside of functions.
    fn outside(&mut self, inst: &Instruction) {
        let module = self.module;
        match ModuleScopeRole::new(inst) {
            ModuleScopeRole::Name | ModuleScopeRole::ForwardPointer | ModuleScopeRole::Number => {}
            ModuleScopeRole::Decoration => {
                let condition = views::Decoration::with(*inst, Decoration::ConditionalINTEL);
                self.attribute(inst, condition.map_or(EdgeKinds::DECORATION, |_| EdgeKinds::CONDITION));
            }
            ModuleScopeRole::ExecutionMode => self.attribute(inst, EdgeKinds::EXECUTION_MODE),
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
            role @ (ModuleScopeRole::Continuation | ModuleScopeRole::Other) => {
                let continued = self.continued.filter(|_| role == ModuleScopeRole::Continuation);
                let of_module = &mut self.graph.of_module;
                of_module.extend(continued.map(|id| id | EdgeKinds::OPERAND.bits()));
                module.walk(inst, &mut |_, id: u32| of_module.push(id | EdgeKinds::OPERAND.bits()));
            }
            ModuleScopeRole::Definition => {
                let id = inst.result_id().unwrap_or_default();
                self.continued = Some(id);
                self.open_row(id);
                let (weak, edges) = (WeakOperands::new(module, inst), &mut self.graph.edges);
                module.walk(inst, &mut |at, used: u32| {
                    if used != id {
                        edges.push(used | weak.kind(at, used).bits());
                    }
                });
                self.close_row();
            }
        }
    }

    /// Adds the ids that a decoration or an execution mode names besides its target.
    fn attribute(&mut self, inst: &Instruction, kind: EdgeKinds) {
        let attributes = &mut self.graph.attributes;
        self.module.walk(inst, &mut |at, id: u32| {
            if at > 1 {
                attributes.push((inst.word(1), id | kind.bits()));
            }
        });
    }

    /// Begins the row of an id.
    fn open_row(&mut self, id: u32) {
        self.length = self.graph.edges.len();
        self.graph.edges.push(0);
        self.graph.rows[id as usize] = self.graph.edges.len() as u32;
    }

    fn close_row(&mut self) {
        self.graph.edges[self.length] = (self.graph.edges.len() - self.length - 1) as u32;
    }

    fn functions(&mut self) {
        let module = self.module;
        let mut collector = ReferenceCollector::new(module);
        for (at, function) in module.functions().iter().enumerate() {
            self.open_row(function.id);
            let ReferenceGraph { edges, debug, .. } = &mut self.graph;
            collector.enter(at);
            for inst in module.range(function.lines, function.end) {
                let weak = WeakOperands::new(module, &inst);
                if weak.set.is_none() {
                    module.walk(&inst, &mut |_, id: u32| collector.operand(id, edges));
                    continue;
                }
                let mut names_removable = false;
                module.walk(&inst, &mut |at, id: u32| match weak.kind(at, id) {
                    EdgeKinds::OPERAND => collector.operand(id, edges),
                    kind => {
                        names_removable |= kind == EdgeKinds::DEBUG;
                        if !collector.is_inside(id) {
                            edges.push(id | kind.bits());
                        }
                    }
                });
                debug.extend(names_removable.then_some((at, inst.offset())));
            }
            self.close_row();
        }
    }
}

/// Tells the operands that an extended instruction describes from those that it requires.
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

/// Tells the ids of a function from those outside of it, function by function.
struct ReferenceCollector<'m> {
    module: &'m Module<'m>,
    /// The number of the last function that refers to an id, by id.
    seen: Vec<u16>,
    /// The number of the current function, counted from 1.
    number: u16,
    start: u32,
    len: u32,
}

impl<'m> ReferenceCollector<'m> {
    /// Starts without a function.
    fn new(module: &'m Module<'m>) -> ReferenceCollector<'m> {
        ReferenceCollector { module, seen: module.table_by_id(), number: 0, start: 0, len: 0 }
    }

    /// Turns to a function, which is read once.
    fn enter(&mut self, function: usize) {
        let Function { start, end, .. } = self.module.functions()[function];
        (self.start, self.len) = (start, end - start);
        self.number = self.number.checked_add(1).unwrap_or_else(|| {
            // The numbers are used up.
            self.seen.fill(0);
            1
        });
    }

    /// True if the function defines an id.
    #[inline]
    fn is_inside(&self, id: u32) -> bool {
        self.module.definition_offset(id).unwrap_or(0).wrapping_sub(self.start) < self.len
    }

    /// Adds the edge to an operand from outside of the function, if the function has not had one to it.
    #[inline]
    fn operand(&mut self, id: u32, edges: &mut Vec<u32>) {
        if !self.is_inside(id) && std::mem::replace(&mut self.seen[id as usize], self.number) != self.number {
            edges.push(id | EdgeKinds::OPERAND.bits());
        }
    }
}
#[cfg(test)]
mod tests {
    use super::*;

    /// The first and the last refer to a constant, the others to nothing but types.
    #[test]
    fn functions_that_are_many_refer_to_what_they_refer_to() {
        const FUNCTIONS: u32 = 1 << 16;
        const VOID: u32 = 1;
        const FUNCTION_TYPE: u32 = 2;
        const INT: u32 = 3;
        const CONSTANT: u32 = 4;
        const FIRST: u32 = 5;
        let inst = |op: Op, operands: &[u32]| {
            let first = (operands.len() as u32 + 1) << 16 | op as u32;
            [&[first], operands].concat()
        };
        let mut words = [
            vec![spirv::MAGIC_NUMBER, 0x0001_0600, 0, FIRST + 3 * FUNCTIONS, 0],
            inst(Op::TypeVoid, &[VOID]),
            inst(Op::TypeFunction, &[FUNCTION_TYPE, VOID]),
            inst(Op::TypeInt, &[INT, 32, 0]),
            inst(Op::Constant, &[INT, CONSTANT, 7]),
        ]
        .concat();
        for number in 0..FUNCTIONS {
            let id = FIRST + 3 * number;
            words.extend(inst(Op::Function, &[VOID, id, 0, FUNCTION_TYPE]));
            words.extend(inst(Op::Label, &[id + 1]));
            if number == 0 || number == FUNCTIONS - 1 {
                words.extend(inst(Op::CopyObject, &[INT, id + 2, CONSTANT]));
            }
            words.extend(inst(Op::Return, &[]));
            words.extend(inst(Op::FunctionEnd, &[]));
        }
        let module = Module::from_words(&words).unwrap();
        let references = ReferenceGraph::new(&module);
        let functions = module.functions().iter().map(|function| function.id);
        let with_constant: Vec<u32> =
            functions.filter(|&id| references.uses(id).any(|used| used == CONSTANT)).collect();
        assert_eq!(with_constant, [FIRST, FIRST + 3 * (FUNCTIONS - 1)]);
    }
}
