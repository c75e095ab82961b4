//! Counts of the uses of functions, and of definitions outside of them. Definitions that are unused in the module stay,
//! and the others are removed with their last use.

use super::graph::{EdgeKinds, ModuleScopeRole, ReferenceGraph};
use crate::analysis::calls::scc::referred_first;
use crate::collections::sort_by_key;
use crate::loader::{Module, views};

/// The uses of functions, and of definitions outside of them.
///
/// A count is of the users in the reference graph: a function counts once for all that it has inside. One more stands for what stays without
/// any use: definitions that the module has unused, and operands of instructions without a result. Conditional entry points, conditions, decorations
/// and execution modes do not count, since a result may not have them.
///
/// Definitions that refer to each other in a circle are a component, which counts as one: uses inside of it do not count.
#[derive(Clone, Debug, Default)]
pub struct UseCounts {
    /// Counts by id, that of the component for its members: few reach [`MANY`], which stands for an entry of `many`.
    counts: Vec<u8>,
    /// The ids with the other counts, in order.
    many: Vec<(u32, u32)>,
    /// Ids with a count of 0 outside of cycles: only uses that do not count refer to them.
    pub uncounted: Vec<u32>,
    /// The variables that only interface lists of entry points name, where some of these are conditional. A variable stays with one of the
    /// entry points.
    pub in_interfaces: Vec<u32>,
    /// The component of each id, as one of its members, or 0. Empty if there are no cycles.
    components: Vec<u32>,
    /// The members of components, in the order of these.
    members: Vec<u32>,
}

/// Stands for a count of at least this.
const MANY: u8 = u8::MAX;

impl UseCounts {
    /// Counts the uses in a module.
    pub fn new(module: &Module, references: &ReferenceGraph) -> UseCounts {
        let (components, members) = find_components(module, references);
        let mut counter = UseCounter {
            uses: UseCounts { components, members, ..UseCounts::default() },
            counts: module.table_by_id(),
            is_mentioned: module.table_by_id(),
            removable: Vec::new(),
            module,
            references,
        };
        counter.module_scope();
        counter.removable.extend(module.functions().iter().map(|function| function.id));
        counter.finish()
    }

    /// Returns the number of uses of an id that stands for its component.
    #[inline]
    pub fn count(&self, id: u32) -> u32 {
        match self.counts[id as usize] {
            MANY => {
                let at = self.many.partition_point(|&(other, _)| other < id);
                self.many.get(at).map_or(0, |&(_, count)| count)
            }
            count => count.into(),
        }
    }

    /// Returns the id that stands for the component of an id: itself, unless that is a circle.
    #[inline]
    pub fn component(&self, id: u32) -> u32 {
        match self.components.get(id as usize) {
            None | Some(0) => id,
            Some(&component) => component,
        }
    }

    /// Returns the members of a component.
    pub fn members(&self, component: u32) -> impl Iterator<Item = u32> {
        let first = self.members.partition_point(|&id| self.component(id) < component);
        let members = self.members[first..].iter().copied();
        let members = members.take_while(move |&id| self.component(id) == component);
        let is_single = self.components.get(component as usize).is_none_or(|&component| component == 0);
        members.chain(is_single.then_some(component))
    }
}

/// Finds the circles of references: the component of each id as in [`UseCounts`], and the members of all.
fn find_components(module: &Module, references: &ReferenceGraph) -> (Vec<u32>, Vec<u32>) {
    let offset = |id: u32| module.definition_offset(id).unwrap_or(0);
    let refers_forward = |inst: u32, id: u32| references.any_use(module, id, |used| offset(used) > inst);
    // Definitions refer to earlier ones, except for pointers.
    let mut definitions = module.globals().filter_map(|inst| Some((inst.offset(), inst.result_id()?)));
    let nodes: Vec<u32> = match definitions.any(|(at, id)| refers_forward(at, id)) {
        true => (0..module.bound()).collect(),
        false => module.functions().iter().map(|function| function.id).collect(),
    };
    let is_all = nodes.len() == module.bound() as usize;
    let number = |id: u32| if is_all { Some(id as usize) } else { module.function_index(id) };
    let groups = referred_first(nodes.len(), |node, targets| {
        references.each_use(module, nodes[node], |used| targets.extend(number(used)));
    });
    let (mut components, mut members): (Vec<u32>, Vec<u32>) = Default::default();
    for group in groups.iter().filter(|group| group.len() > 1) {
        components.resize(module.bound() as usize, 0);
        let component = nodes[group[0]];
        for &node in group {
            components[nodes[node] as usize] = component;
            members.push(nodes[node]);
        }
    }
    sort_by_key(&mut members, |&id| components[id as usize]);
    (components, members)
}

struct UseCounter<'m> {
    uses: UseCounts,
    /// The counts by id.
    counts: Vec<u32>,
    /// True for each id that something uses which does not count.
    is_mentioned: Vec<bool>,
    /// The ids that can be removed: functions, and definitions before them.
    removable: Vec<u32>,
    module: &'m Module<'m>,
    references: &'m ReferenceGraph,
}

impl UseCounter<'_> {
    fn module_scope(&mut self) {
        let (module, references) = (self.module, self.references);
        references.module_targets(EdgeKinds::OPERAND).for_each(|id| self.count(id));
        references.module_targets(EdgeKinds::CONDITION).for_each(|id| self.mention(id));
        references.attributes(EdgeKinds::all()).for_each(|(_, id)| self.mention(id));
        for inst in module.outside_functions() {
            match ModuleScopeRole::new(&inst) {
                ModuleScopeRole::EntryPoint => {
                    let entry = views::EntryPoint(inst);
                    if entry.condition().is_none() {
                        self.count(entry.function());
                        continue;
                    }
                    self.mention(entry.function());
                    self.uses.in_interfaces.extend_from_slice(entry.interface());
                }
                // Nothing else may use the type.
                ModuleScopeRole::ExecutionMode => {
                    references.mode_type(&inst).into_iter().for_each(|type_| self.mention(type_));
                }
                ModuleScopeRole::Definition => {
                    let id = inst.result_id().unwrap_or_default();
                    self.row(id);
                    match inst.offset() < module.globals_end() && !inst.is_extended() {
                        true => self.removable.push(id),
                        false => self.count(id),
                    }
                }
                _ => {}
            }
        }
        module.functions().iter().for_each(|function| self.row(function.id));
    }

    /// Counts the uses by a function or definition.
    fn row(&mut self, user: u32) {
        let component = self.uses.component(user);
        self.references.each_use(self.module, user, |used| {
            let used = self.uses.component(used);
            if used != component {
                self.counts[used as usize] += 1;
            }
        });
    }

    fn count(&mut self, id: u32) {
        let component = self.uses.component(id);
        self.counts[component as usize] += 1;
    }

    /// Adds an id that something uses which does not count.
    fn mention(&mut self, id: u32) {
        let component = self.uses.component(id);
        self.is_mentioned[component as usize] = true;
    }

    /// Finds unused ids, and counts them as used.
    fn finish(mut self) -> UseCounts {
        let mut in_interfaces = std::mem::take(&mut self.uses.in_interfaces);
        in_interfaces.sort_unstable();
        in_interfaces.dedup();
        in_interfaces.retain(|&id| self.counts[id as usize] == 0 && !self.is_mentioned[id as usize]);
        in_interfaces.iter().for_each(|&id| self.mention(id));
        for id in std::mem::take(&mut self.removable) {
            let is_unused = self.uses.component(id) == id && self.counts[id as usize] == 0;
            match is_unused && self.is_mentioned[id as usize] {
                true => self.uses.uncounted.push(id),
                false if is_unused => self.count(id),
                false => {}
            }
        }
        self.uses.in_interfaces = in_interfaces;
        let counts = (0..).zip(&self.counts).filter(|&(_, &count)| count >= MANY.into());
        self.uses.many = counts.map(|(id, &count)| (id, count)).collect();
        let small = |&count: &u32| u8::try_from(count).unwrap_or(MANY);
        self.uses.counts = self.counts.iter().map(small).collect();
        // They are kept as long as the module.
        self.uses.many.shrink_to_fit();
        self.uses.uncounted.shrink_to_fit();
        self.uses.in_interfaces.shrink_to_fit();
        self.uses
    }
}

#[cfg(test)]
mod tests {
    use spirv::Op;

    use super::*;
    use crate::loader::literal;
    use crate::test_support::instruction;

    /// Returns a module. Variables 8 and 14 to 17 are in the interface lists of conditional entry points, except 17. Types 18 and 19 refer to each other. Function 21
    /// calls entry point 12, and the other entry points are conditional.
    fn module() -> Vec<u32> {
        let inst = |op: Op, operands: &[u32]| instruction(op as u16, operands);
        let named =
            |op: Op, before: &[u32], after: &[u32]| inst(op, &[before, &literal("x"), after].concat());
        let (model, class) = (spirv::ExecutionModel::Kernel as u32, spirv::StorageClass::Private as u32);
        let body = |id: u32, insts: &[Vec<u32>]| {
            let function = [inst(Op::Function, &[2, id, 0, 3]), inst(Op::Label, &[id + 20])];
            let end = [inst(Op::Return, &[]), inst(Op::FunctionEnd, &[])];
            [&function[..], insts, &end].concat().concat()
        };
        let variable = |id: u32| inst(Op::Variable, &[5, id, class]);
        let insts = [
            named(Op::ExtInstImport, &[1], &[]),
            named(Op::ConditionalEntryPointINTEL, &[6, model, 9], &[8, 15, 16]),
            named(Op::ConditionalEntryPointINTEL, &[6, model, 7], &[15, 14]),
            named(Op::EntryPoint, &[model, 12], &[14]),
            inst(Op::DecorateId, &[12, spirv::Decoration::UniformId as u32, 16]),
            inst(Op::TypeVoid, &[2]),
            inst(Op::TypeFunction, &[3, 2]),
            inst(Op::TypeBool, &[4]),
            inst(Op::SpecConstantTrue, &[4, 6]),
            inst(Op::TypePointer, &[5, class, 4]),
            [8, 14, 15, 16, 17].map(variable).concat(),
            inst(Op::TypeForwardPointer, &[18, class]),
            inst(Op::TypeStruct, &[19, 18]),
            inst(Op::TypePointer, &[18, class, 19]),
            inst(Op::ExtInstWithForwardRefsKHR, &[2, 22, 1, 5, 4]),
            body(9, &[inst(Op::ConditionalCopyObjectINTEL, &[4, 24, 6, 6])]),
            body(12, &[inst(Op::Store, &[8, 6])]),
            body(
                21,
                &[inst(Op::FunctionCall, &[2, 25, 12]), inst(Op::ConditionalCopyObjectINTEL, &[4, 26, 6, 6])],
            ),
            body(7, &[]),
            inst(Op::ConstantTrue, &[4, 23]),
        ];
        [vec![spirv::MAGIC_NUMBER, 0x0001_0600, 0, 50, 0], insts.concat()].concat()
    }

    #[test]
    fn what_is_unused_counts_as_used() {
        let words = module();
        let module = Module::from_words(&words).unwrap();
        let uses = UseCounts::new(&module, &ReferenceGraph::new(&module));
        // An unused variable, the extended instruction, an unused function, and the definition at the end.
        assert_eq!([17, 22, 21, 23].map(|id| uses.count(id)), [1; 4]);
        // The entry point without a condition, which is called, too.
        assert_eq!(uses.count(12), 2);
        // A circle is one component.
        assert_eq!(uses.component(18), uses.component(19));
        assert_eq!(uses.count(uses.component(18)), 1);
        let mut members: Vec<u32> = uses.members(uses.component(18)).collect();
        members.sort_unstable();
        assert_eq!(members, [18, 19]);
        assert_eq!(uses.members(17).collect::<Vec<u32>>(), [17]);
        // Conditional entry points, what only their lists name, and what only a decoration names.
        assert_eq!(uses.uncounted, [14, 15, 16, 9, 7]);
        // Code uses 8, and a decoration 16.
        assert_eq!(uses.in_interfaces, [14, 15]);
    }

    #[test]
    fn many_uses_are_counted() {
        // Pointers to a type of which there is one for each use.
        let (uses, class) = (1000, spirv::StorageClass::Private as u32);
        let pointers = (0..uses).map(|at| instruction(Op::TypePointer as u16, &[10 + at, class, 4]));
        let header = vec![spirv::MAGIC_NUMBER, 0x0001_0600, 0, 10 + uses, 0];
        let insts = [vec![header, instruction(Op::TypeBool as u16, &[4])], pointers.collect()];
        let words = insts.concat().concat();
        let module = Module::from_words(&words).unwrap();
        let counts = UseCounts::new(&module, &ReferenceGraph::new(&module));
        assert_eq!([4, 10, 9].map(|id| counts.count(id)), [uses, 1, 0]);
    }
}
