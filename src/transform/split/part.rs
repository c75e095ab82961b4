//! One part of a module.

use std::collections::HashSet;

use spirv::{Decoration, LinkageType, Op};

use super::graph::values_of;
use super::{SplitGraph, SplitRoot};
use crate::analysis::has_location;
use crate::loader::{Instruction, literal, views};
use crate::transform::Edits;
use crate::transform::removal::{Removal, count_words, entry_point};

/// The ids of a page of [`IdSet`].
const PAGE: u32 = 4096;

/// A set of ids in pages. A module has as many parts as roots, and most parts have few of its ids.
#[derive(Default)]
struct IdSet {
    pages: Vec<Option<Box<[u64; PAGE as usize / 64]>>>,
}

impl IdSet {
    /// Adds an id. Returns true if it is new.
    fn insert(&mut self, id: u32) -> bool {
        let number = (id / PAGE) as usize;
        if number >= self.pages.len() {
            self.pages.resize_with(number + 1, || None);
        }
        let page = self.pages[number].get_or_insert_with(|| Box::new([0; PAGE as usize / 64]));
        let (word, bit) = (&mut page[(id % PAGE / 64) as usize], 1 << (id % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    fn has(&self, id: u32) -> bool {
        let page = self.pages.get((id / PAGE) as usize).and_then(Option::as_ref);
        page.is_some_and(|page| page[(id % PAGE / 64) as usize] & 1 << (id % 64) != 0)
    }
}

/// The nodes that are reachable from some nodes.
pub(super) struct Reach<'g, 'm> {
    graph: &'g SplitGraph<'m>,
    /// The ids that were reached.
    seen: IdSet,
    /// Nodes in the order in which they were found.
    nodes: Vec<u32>,
    stack: Vec<u32>,
    /// The functions and variables whose definition is not used, only the declaration.
    imported: HashSet<u32>,
}

impl<'m> SplitGraph<'m> {
    /// Returns the nodes in every part.
    pub(super) fn reach(&self) -> Reach<'_, 'm> {
        self.reach_without(HashSet::new())
    }

    /// Returns the nodes in every part that has only the declarations of these functions and variables.
    fn reach_without(&self, imported: HashSet<u32>) -> Reach<'_, 'm> {
        let (nodes, stack) = (Vec::new(), Vec::new());
        let mut reach = Reach { graph: self, seen: IdSet::default(), nodes, stack, imported };
        self.always_ids.iter().for_each(|&id| reach.add(id));
        reach
    }
}

impl Reach<'_, '_> {
    /// Adds an id and everything that it uses.
    pub fn add(&mut self, id: u32) {
        self.push(id);
        let graph = self.graph;
        while let Some(node) = self.stack.pop() {
            match self.imported.contains(&node) {
                true => graph.declaration(node, |id| self.push(id)),
                false => graph.for_each(node, |id| self.push(id)),
            }
        }
    }

    fn push(&mut self, id: u32) {
        if !self.seen.insert(id) {
            return;
        }
        match self.graph.node(id) {
            Some(node) if node == id => {
                self.nodes.push(id);
                self.stack.push(id);
            }
            // It is inside of a function: only an annotation can name it.
            Some(node) => self.push(node),
            None => {}
        }
    }

    /// Returns true if an id was reached.
    pub fn has(&self, id: u32) -> bool {
        self.seen.has(id)
    }
}

/// A part of a module: some roots, with the definitions that they use.
pub struct SplitPart<'g, 'm> {
    graph: &'g SplitGraph<'m>,
    reach: Reach<'g, 'm>,
    /// The entry points, as offsets.
    entry_points: Vec<u32>,
    /// The functions that are entry points of the part; sorted.
    entries: Vec<u32>,
}

impl<'g, 'm> SplitPart<'g, 'm> {
    /// Creates the part of these roots.
    pub fn new<'r>(
        graph: &'g SplitGraph<'m>,
        roots: impl IntoIterator<Item = &'r SplitRoot>,
    ) -> SplitPart<'g, 'm> {
        SplitPart::with_imports(graph, roots, &[], HashSet::new())
    }

    /// Returns the part of these roots and definitions. Some functions and variables are only declared in it.
    pub fn with_imports<'r>(
        graph: &'g SplitGraph<'m>,
        roots: impl IntoIterator<Item = &'r SplitRoot>,
        definitions: &[u32],
        imported: HashSet<u32>,
    ) -> SplitPart<'g, 'm> {
        let reach = graph.reach_without(imported);
        let mut part = SplitPart { graph, reach, entry_points: Vec::new(), entries: Vec::new() };
        definitions.iter().for_each(|&id| part.reach.add(id));
        for root in roots {
            part.reach.add(root.function);
            root.companions.iter().for_each(|&id| part.reach.add(id));
            if let Some(offset) = root.entry_point {
                part.entry_point(root.function, offset);
            }
            for &offset in &root.initializers {
                part.entry_point(views::EntryPoint(graph.module.instruction(offset)).function(), offset);
            }
        }
        part.entry_points.sort_unstable();
        part.entry_points.dedup();
        part.entries.sort_unstable();
        part.entries.dedup();
        part
    }

    /// Adds an entry point with its condition, the operands of its execution modes, and the variables with a place in its interface.
    fn entry_point(&mut self, function: u32, offset: u32) {
        let module = self.graph.module;
        let entry = views::EntryPoint(module.instruction(offset));
        entry.condition().into_iter().for_each(|condition| self.reach.add(condition));
        for &variable in entry.interface() {
            if has_location(module, variable, |id| self.graph.located.binary_search(&id).is_ok()) {
                self.reach.add(variable);
            }
        }
        for mode in values_of(&self.graph.modes, function) {
            let (mode, reach) = (module.instruction(mode), &mut self.reach);
            module.walk(&mode, &mut |_, id: u32| reach.add(id));
        }
        self.entry_points.push(offset);
        self.entries.push(function);
    }

    /// Returns the ids that are in the part and not inside of functions, functions included.
    pub fn ids(&self) -> &[u32] {
        &self.reach.nodes
    }

    /// Returns true if an id that is not inside of a function is in the part.
    pub fn has(&self, id: u32) -> bool {
        self.reach.has(id)
    }

    /// Returns the indices of the functions in the part, in the order of the module.
    pub fn functions(&self) -> Vec<usize> {
        let ids = self.ids().iter();
        let mut indices: Vec<usize> = ids.filter_map(|&id| self.graph.module.function_index(id)).collect();
        indices.sort_unstable();
        indices
    }

    /// Returns the entry points in the part, as offsets in words.
    pub fn entry_points(&self) -> &[u32] {
        &self.entry_points
    }

    /// Returns the functions that are entry points in it.
    pub fn entries(&self) -> &[u32] {
        &self.entries
    }

    /// Returns the changes that leave only this part of the module. Ids do not change. If `name` is given, it becomes the name of the entry
    /// points. All capabilities and extensions are kept: see `trim`.
    pub fn edits(&self, name: Option<&str>) -> Edits {
        let module = self.graph.module;
        let mut edits = Edits::new(module);
        let mut end = module.words().len().min(HEADER_WORDS) as u32;
        for (start, next) in self.runs() {
            if start > end {
                edits.drop_range(end, start);
            }
            end = end.max(next);
        }
        if (end as usize) < module.words().len() {
            edits.drop_range(end, module.words().len() as u32);
        }
        self.replace(name, &mut edits);
        // Declarations of functions come before definitions.
        let first = self.functions().first().map(|&at| module.functions()[at].lines).unwrap_or_default();
        let mut imported: Vec<u32> = self.reach.imported.iter().copied().filter(|&id| self.has(id)).collect();
        module.sort_by_definition(&mut imported);
        imported.into_iter().for_each(|id| self.declare(id, first, &mut edits));
        edits
    }

    /// Keeps only the declaration of a function or variable. The declaration of a function is at the offset `first`.
    fn declare(&self, id: u32, first: u32, edits: &mut Edits) {
        let module = self.graph.module;
        let Some(function) = module.function(id) else {
            if let Some(variable) = module.definition(id).and_then(without_initializer) {
                edits.replace_words(&variable.0, &variable.1);
            }
            return;
        };
        let mut kept: HashSet<u32> = HashSet::from([id]);
        for inst in module.range(function.lines, function.end) {
            match inst.op() {
                Some(Op::Function | Op::FunctionEnd) => edits.insert_words(first, inst.words()),
                Some(Op::FunctionParameter) => {
                    kept.extend(inst.result_id());
                    edits.insert_words(first, inst.words());
                }
                _ => {}
            }
        }
        edits.drop_range(function.lines, function.end);
        for &(start, end) in self.graph.runs.runs(id) {
            for inst in module.range(start, end).filter_map(views::Annotation::new) {
                if !kept.contains(&inst.target()) {
                    edits.drop(&inst);
                } else if views::Decoration::with(*inst, Decoration::LinkageAttributes).is_some() {
                    let mut words = inst.words().to_vec();
                    words.pop();
                    words.push(LinkageType::Import as u32);
                    edits.replace_words(&inst, &words);
                }
            }
        }
    }

    /// Returns the words that are kept, in order.
    fn runs(&self) -> Vec<(u32, u32)> {
        let SplitGraph { module, runs: by_id, always, modes, groups, .. } = self.graph;
        let whole = |offset: u32| (offset, module.instruction(offset).end());
        let mut runs = always.clone();
        for &id in self.ids() {
            runs.extend(by_id.runs(id));
        }
        runs.extend(self.entry_points.iter().map(|&offset| whole(offset)));
        runs.extend(self.entries.iter().flat_map(|&function| values_of(modes, function)).map(whole));
        let has = |offset: &&u32| self.reach.has(views::GroupDecorate(module.instruction(**offset)).group());
        runs.extend(groups.iter().filter(has).map(|&offset| whole(offset)));
        runs.sort_unstable();
        runs
    }

    /// Renames the kernels in reflection by clspv (NonSemantic.ClspvReflection, "Kernel").
    fn rename_reflected(&self, name: &str, edits: &mut Edits) {
        let module = self.graph.module;
        for &function in &self.entries {
            for inst in values_of(&self.graph.followers, function).filter_map(|id| module.definition(id)) {
                let (extended, kernel) = (views::ExtInst(inst), views::ReflectedKernel(inst));
                let set = module.imported_set(extended.set());
                let reflects = set.is_some_and(|set| set.name().starts_with(CLSPV_REFLECTION));
                let old = module.definition_as(kernel.name(), Op::String);
                if let (true, KERNEL, Some(old)) = (reflects, extended.instruction(), old) {
                    let string = edits.fresh_id();
                    let mut words = [vec![Op::String as u32, string], literal(name)].concat();
                    count_words(&mut words);
                    edits.insert_words(old.offset(), &words);
                    let mut words = inst.words().to_vec();
                    words[KERNEL_NAME] = string;
                    edits.replace_words(&inst, &words);
                }
            }
        }
    }

    /// Removes ids that are not in the part from its instructions.
    fn replace(&self, name: Option<&str>, edits: &mut Edits) {
        let SplitGraph { module, groups, debug, .. } = self.graph;
        let removed = |id: u32| self.graph.node(id).is_some_and(|node| !self.reach.has(node));
        for &offset in &self.entry_points {
            let inst = views::EntryPoint(module.instruction(offset));
            let mut words = entry_point(inst, &removed);
            if let Some(name) = name {
                let interface = inst.interface_start();
                let at = if inst.condition().is_some() { 4 } else { 3 };
                words.splice(at..interface, literal(name));
            }
            count_words(&mut words);
            if words != inst.words() {
                edits.replace_words(&inst, &words);
            }
        }
        if let Some(name) = name {
            self.rename_reflected(name, edits);
        }
        let mut removal = Removal::default();
        for &offset in groups.iter().chain(debug) {
            let inst = module.instruction(offset);
            let group = views::GroupDecorate::new(inst).map(views::GroupDecorate::group);
            if self.reach.has(group.unwrap_or_else(|| views::ExtInst(inst).id())) {
                removal.outside(module, &inst, &removed, edits);
            }
        }
        for &(function, offset) in self.graph.debug_inside() {
            let function = &module.functions()[function];
            if self.reach.has(function.id) && !self.reach.imported.contains(&function.id) {
                removal.debug(module, &module.instruction(offset), module.definitions_end(), &removed, edits);
            }
        }
    }
}

/// Returns a variable with an initializer, and its words without that.
fn without_initializer(inst: Instruction) -> Option<(Instruction, Vec<u32>)> {
    let length = match inst.op() {
        Some(Op::Variable) => 4,
        Some(Op::UntypedVariableKHR) => 5,
        _ => return None,
    };
    let mut words = inst.words().get(..length).filter(|words| words.len() < inst.words().len())?.to_vec();
    count_words(&mut words);
    Some((inst, words))
}

/// The words of the header (specification, 2.3 "Physical Layout").
const HEADER_WORDS: usize = 5;

/// The start of the name of the set, the number of its instruction for a kernel, and the word of this with the kernel's name.
const CLSPV_REFLECTION: &str = "NonSemantic.ClspvReflection.";
const KERNEL: u32 = 1;
const KERNEL_NAME: usize = 6;
