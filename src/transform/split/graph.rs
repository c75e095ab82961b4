//! The reference graph of a module, with other reasons to keep instructions together. It is read once for all parts of
//! the module.

use std::sync::Arc;

use spirv::{BuiltIn, Op};

use super::extended_instructions::ExtendedInstructions;
use crate::analysis::conditions::predicates::{PredicateTable, read_tables};
use crate::analysis::constants::find_spec_constants;
use crate::analysis::{Analyses, EdgeKinds, ModuleScopeRole, ReferenceGraph, described_id, is_location};
use crate::loader::{Instruction, Module, views};

/// The references in a module. The nodes are the functions, with everything inside of them, and the definitions outside.
pub struct SplitGraph<'m> {
    pub(super) module: &'m Module<'m>,
    references: Arc<ReferenceGraph>,
    /// References besides those of definitions and functions, by node, such as those of its decorations. Sorted.
    edges: Vec<(u32, u32)>,
    /// Nodes that are kept with another one that does not refer to them; sorted.
    pub(super) followers: Vec<(u32, u32)>,
    pub(super) runs: RunsById,
    /// The variables and block types with a place in an interface; sorted.
    pub(super) located: Vec<u32>,
    /// The execution modes, by function; they are kept with its entry points. Sorted.
    pub(super) modes: Vec<(u32, u32)>,
    /// The instructions in every part, and the ids that these and others use.
    pub(super) always: Vec<(u32, u32)>,
    pub(super) always_ids: Vec<u32>,
    /// The OpGroupDecorates and OpGroupMemberDecorates, as offsets.
    pub(super) groups: Vec<u32>,
    /// The debug information outside of functions that names functions or variables, or is DebugInfoNone, as offsets.
    pub(super) debug: Vec<u32>,
}

impl<'m> SplitGraph<'m> {
    /// Reads a module. `calls` are pairs of caller and callee without a call instruction.
    pub fn new(module: &'m Module<'m>, calls: impl IntoIterator<Item = (u32, u32)>) -> SplitGraph<'m> {
        // A table that cannot be read is an error elsewhere.
        let tables = read_tables(module).unwrap_or_default();
        SplitGraph::with_tables(module, Arc::new(ReferenceGraph::new(module)), &tables, calls)
    }

    /// Like [`new`](SplitGraph::new), with what is known of the module.
    pub fn from_analyses(
        analyses: &Analyses<'m>,
        calls: impl IntoIterator<Item = (u32, u32)>,
    ) -> SplitGraph<'m> {
        let tables = analyses.predicates().unwrap_or_default();
        SplitGraph::with_tables(analyses.module(), Arc::clone(analyses.references()), tables, calls)
    }

    fn with_tables(
        module: &'m Module<'m>,
        references: Arc<ReferenceGraph>,
        tables: &[PredicateTable],
        calls: impl IntoIterator<Item = (u32, u32)>,
    ) -> SplitGraph<'m> {
        let mut graph = SplitGraph {
            module,
            references: Arc::clone(&references),
            edges: calls.into_iter().collect(),
            followers: Vec::new(),
            runs: RunsById::default(),
            located: Vec::new(),
            modes: Vec::new(),
            always: Vec::new(),
            always_ids: Vec::new(),
            groups: Vec::new(),
            debug: Vec::new(),
        };
        let mut state = ModuleScopeState::default();
        for inst in module.outside_functions() {
            graph.module_scope(&inst, &mut state);
        }
        let spec_constants = if tables.is_empty() { Vec::new() } else { find_spec_constants(module) };
        // A table defines the meanings of constants.
        for table in tables {
            let constants = spec_constants.iter().filter(|constant| table.names(constant.spec_id));
            graph.edges.extend(constants.map(|constant| (constant.id, table.variable)));
        }
        for (target, id) in
            references.attributes(EdgeKinds::DECORATION | EdgeKinds::CONDITION | EdgeKinds::GROUP)
        {
            if let Some(node) = state.node(module, target).filter(|&node| node != id) {
                graph.edges.push((node, id));
            }
        }
        state.extended.finish(&mut graph);
        let functions = module.functions().iter();
        functions.for_each(|function| state.runs.push(function.id, function.lines, function.end));
        graph.runs = state.runs.finish(module.bound());
        graph.located.sort_unstable();
        for list in [&mut graph.edges, &mut graph.followers, &mut graph.modes] {
            list.sort_unstable();
            list.dedup();
        }
        graph
    }

    /// Returns true if the module has pointers to functions: a pointer that one kernel makes may be called by another.
    pub fn takes_function_pointers(&self) -> bool {
        self.module.instructions().any(|inst| {
            matches!(inst.op(), Some(Op::ConstantFunctionPointerINTEL | Op::FunctionPointerCallINTEL))
        })
    }

    /// Returns the debug information in functions that names other functions or variables: index of the function and offset.
    pub(super) fn debug_inside(&self) -> &[(usize, u32)] {
        &self.references.debug
    }

    /// Returns the node that an id belongs to: itself, or the function that it is inside of. `None` for an id without a known definition.
    pub(super) fn node(&self, id: u32) -> Option<u32> {
        let module = self.module;
        if module.is_global(id) {
            return Some(id);
        }
        module.definition_offset(id)?;
        Some(module.function_of(id).map_or(id, |at| module.functions()[at].id))
    }

    /// Visits the ids that a node uses, and its followers.
    pub(super) fn for_each(&self, node: u32, mut visit: impl FnMut(u32)) {
        self.references.each_use(self.module, node, &mut visit);
        values_of(&self.edges, node).chain(values_of(&self.followers, node)).for_each(visit);
    }

    /// Visits the ids that the declaration of a function or variable uses: its type, and the types of parameters.
    pub(super) fn declaration(&self, node: u32, mut visit: impl FnMut(u32)) {
        match self.module.function(node) {
            Some(function) => {
                let parameters = self.module.parameters(function);
                for inst in self.module.definition(node).into_iter().chain(parameters) {
                    self.module.walk(&inst, &mut |_, id: u32| {
                        if inst.result_id() != Some(id) {
                            visit(id);
                        }
                    });
                }
            }
            None => {
                let inst = self.module.definition(node);
                inst.and_then(|inst| inst.result_type()).into_iter().for_each(&mut visit);
                let untyped = inst.and_then(views::UntypedVariableKHR::new);
                untyped.map(views::UntypedVariableKHR::data_type).into_iter().for_each(visit);
            }
        }
    }

    /// Returns the functions that a function calls or names.
    pub(super) fn functions_of(&self, index: usize) -> impl Iterator<Item = usize> {
        let function = self.module.functions()[index].id;
        let named = self.references.function_uses(index).chain(values_of(&self.edges, function));
        named.filter_map(|id| self.module.function_index(id))
    }

    /// Reads an instruction outside of functions.
    fn module_scope(&mut self, inst: &Instruction, state: &mut ModuleScopeState) {
        let end = inst.end();
        let start = if state.lines.1 == inst.offset() { state.lines.0 } else { inst.offset() };
        match ModuleScopeRole::new(inst) {
            _ if inst.is_line() => state.lines = (start, end),
            ModuleScopeRole::EntryPoint => {}
            ModuleScopeRole::ExecutionMode => {
                self.modes.push((views::ExecutionMode(*inst).entry_point(), inst.offset()));
            }
            ModuleScopeRole::Group => self.groups.push(inst.offset()),
            ModuleScopeRole::Description => drop(self.annotation(inst, start, state)),
            ModuleScopeRole::Decoration => {
                let node = self.annotation(inst, start, state);
                let inst = views::Decoration(*inst);
                let Some(node) = node.filter(|_| inst.is(Op::Decorate) || inst.is(Op::MemberDecorate)) else {
                    return;
                };
                if is_location(inst.decoration()) {
                    self.located.push(node);
                }
                let is_size = inst.is(Op::Decorate) && inst.is_built_in(BuiltIn::WorkgroupSize);
                if is_size && self.is_constant(node) {
                    // It sets the size although nothing refers to it.
                    self.always_ids.push(node);
                }
            }
            ModuleScopeRole::Continuation if state.last.is_some() => {
                state.runs.push(state.last.unwrap_or_default(), start, end);
            }
            ModuleScopeRole::Definition if inst.op().is_some() => {
                let id = inst.result_id().unwrap_or_default();
                self.lines_of(id, start, inst);
                state.runs.push(id, start, end);
                state.last = Some(id);
                if let Some(inst) = views::ExtInst::new(*inst) {
                    state.extended.read(self, inst);
                    state.last = None;
                }
            }
            _ => self.keep(inst, start),
        }
    }

    /// Reads an instruction that describes an id, and returns the node of the id. An instruction without an id is in
    /// every part.
    fn annotation(&mut self, inst: &Instruction, start: u32, state: &mut ModuleScopeState) -> Option<u32> {
        let node = described_id(inst).and_then(|target| state.node(self.module, target));
        match node {
            Some(node) => state.runs.push(node, start, inst.end()),
            None => self.keep(inst, start),
        }
        node
    }

    /// Adds the strings that the OpLines before an instruction refer to.
    fn lines_of(&mut self, node: u32, start: u32, inst: &Instruction) {
        let lines = self.module.range(start, inst.offset()).filter_map(views::Line::new);
        self.edges.extend(lines.map(|line| (node, line.file())));
    }

    fn is_constant(&self, id: u32) -> bool {
        let inst = self.module.definition(id);
        inst.is_some_and(|inst| inst.is(Op::ConstantComposite) || inst.is(Op::SpecConstantComposite))
    }

    /// Adds an instruction to every part, with all that it refers to.
    fn keep(&mut self, inst: &Instruction, start: u32) {
        let (module, ids) = (self.module, &mut self.always_ids);
        self.always.push((start, inst.end()));
        for inst in module.range(start, inst.end()) {
            module.walk(&inst, &mut |_, id: u32| ids.push(id));
        }
    }
}

/// Returns the values of an id in a sorted list of pairs.
pub(super) fn values_of(list: &[(u32, u32)], id: u32) -> impl Iterator<Item = u32> {
    let first = list.partition_point(|&(from, _)| from < id);
    list[first..].iter().take_while(move |&&(from, _)| from == id).map(|&(_, to)| to)
}

/// The state while the instructions outside of functions are read.
#[derive(Default)]
struct ModuleScopeState {
    runs: RunsBuilder,
    extended: ExtendedInstructions,
    /// The start and end of the last OpLines.
    lines: (u32, u32),
    /// The last definition: the next instruction may continue it.
    last: Option<u32>,
    /// The function that was found last: names and decorations of ids in one function are next to each other.
    function: Option<usize>,
}

impl ModuleScopeState {
    /// Returns the node of an id: see [`SplitGraph::node`].
    fn node(&mut self, module: &Module, id: u32) -> Option<u32> {
        if module.is_global(id) {
            return Some(id);
        }
        let offset = module.definition_offset(id)?;
        let inside = |at: &usize| {
            let function = module.functions()[*at];
            (function.start..function.end).contains(&offset)
        };
        self.function = self.function.filter(inside).or_else(|| module.function_of(id));
        Some(self.function.map_or(id, |at| module.functions()[at].id))
    }
}

/// Runs of instructions by the id that they belong to: its definition, names and decorations.
#[derive(Debug, Default)]
pub(super) struct RunsById {
    /// Start of the runs of each id in `runs`; one more at the end.
    starts: Vec<u32>,
    runs: Vec<(u32, u32)>,
}

/// Runs in the order of the module. Adjacent runs of one id are joined.
#[derive(Default)]
struct RunsBuilder(Vec<(u32, u32, u32)>);

impl RunsBuilder {
    /// Adds the words from `start` to `end`.
    #[inline]
    fn push(&mut self, id: u32, start: u32, end: u32) {
        match self.0.last_mut() {
            Some(last) if last.0 == id && last.2 == start => last.2 = end,
            _ => self.0.push((id, start, end)),
        }
    }

    /// Sorts them by id.
    fn finish(self, bound: u32) -> RunsById {
        let mut starts = vec![0; bound as usize + 1];
        for &(id, ..) in &self.0 {
            starts[id as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut runs = vec![(0, 0); self.0.len()];
        for (id, start, end) in self.0 {
            runs[next[id as usize] as usize] = (start, end);
            next[id as usize] += 1;
        }
        RunsById { starts, runs }
    }
}

impl RunsById {
    /// Returns the runs of an id.
    pub(super) fn runs(&self, id: u32) -> &[(u32, u32)] {
        let id = id as usize;
        &self.runs[self.starts[id] as usize..self.starts[id + 1] as usize]
    }
}
