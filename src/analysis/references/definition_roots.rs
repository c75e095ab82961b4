//! The definitions that stay in a module even if nothing uses them.

use spirv::Op;

use super::graph::{EdgeKinds, ModuleScopeRole, ReferenceGraph};
use crate::loader::{Module, views};

/// The definitions that can be removed, and the roots among them: all that stays is reached from these and from what is conditional.
#[derive(Clone, Debug, Default)]
pub struct DefinitionRoots {
    /// The ids that can be removed: functions, and definitions before them.
    pub removable: Vec<u32>,
    /// The ids that stay even if nothing uses them: unused definitions, and operands of instructions without a result.
    pub kept: Vec<u32>,
    /// The variables that only interface lists of entry points name, where some of these are conditional. A variable stays with one of the
    /// entry points.
    pub in_interfaces: Vec<u32>,
    /// The functions with an OpConditionalCopyObjectINTEL, in order.
    pub with_copies: Vec<usize>,
}

impl DefinitionRoots {
    /// Finds those of a module.
    pub fn new(module: &Module, references: &ReferenceGraph) -> DefinitionRoots {
        let mut finder = RootFinder {
            roots: DefinitionRoots::default(),
            is_used: module.table_by_id(),
            is_start: module.table_by_id(),
            is_root: module.table_by_id(),
            starts: Vec::new(),
        };
        references.all_uses().for_each(|id| finder.is_used[id as usize] = true);
        finder.module_scope(module, references);
        finder.roots.removable.extend(module.functions().iter().map(|function| function.id));
        finder.finish(references);
        let DefinitionRoots { removable, kept, in_interfaces, with_copies } = &mut finder.roots;
        if module.has_conditional_copies() {
            let functions = module.functions().iter().enumerate();
            let copies = functions.filter(|(_, function)| {
                module.body(function).any(|inst| inst.is(Op::ConditionalCopyObjectINTEL))
            });
            with_copies.extend(copies.map(|(at, _)| at));
        }
        // They are kept as long as the module.
        [removable, kept, in_interfaces].into_iter().for_each(Vec::shrink_to_fit);
        finder.roots
    }
}

struct RootFinder {
    roots: DefinitionRoots,
    /// True for each id that something uses or mentions, so that it may be removed with its users.
    is_used: Vec<bool>,
    /// True for each id that is a root, or that an instruction without a row mentions.
    is_start: Vec<bool>,
    is_root: Vec<bool>,
    /// The ids that are such starts.
    starts: Vec<u32>,
}

impl RootFinder {
    fn module_scope(&mut self, module: &Module, references: &ReferenceGraph) {
        references.module_targets(EdgeKinds::OPERAND).for_each(|id| self.root(id));
        references.module_targets(EdgeKinds::CONDITION).for_each(|id| self.mention(id));
        references.attributes(EdgeKinds::all()).for_each(|(_, id)| self.mention(id));
        for inst in module.outside_functions() {
            match ModuleScopeRole::new(&inst) {
                ModuleScopeRole::EntryPoint => {
                    let entry = views::EntryPoint(inst);
                    if entry.condition().is_none() {
                        self.root(entry.function());
                        continue;
                    }
                    self.mention(entry.function());
                    self.roots.in_interfaces.extend_from_slice(entry.interface());
                }
                // Nothing else may use the type.
                ModuleScopeRole::ExecutionMode => {
                    references.mode_type(&inst).into_iter().for_each(|type_| self.mention(type_));
                }
                ModuleScopeRole::Definition => {
                    let id = inst.result_id().unwrap_or_default();
                    let is_extended = inst.is(Op::ExtInst) || inst.is(Op::ExtInstWithForwardRefsKHR);
                    match inst.offset() < module.globals_end() && !is_extended {
                        true => self.roots.removable.push(id),
                        false => self.root(id),
                    }
                }
                _ => {}
            }
        }
    }

    /// Adds an id that is used as long as an instruction without a row stays.
    fn mention(&mut self, id: u32) {
        self.is_used[id as usize] = true;
        self.start(id);
    }

    fn start(&mut self, id: u32) {
        if !std::mem::replace(&mut self.is_start[id as usize], true) {
            self.starts.push(id);
        }
    }

    fn root(&mut self, id: u32) {
        self.mention(id);
        if !std::mem::replace(&mut self.is_root[id as usize], true) {
            self.roots.kept.push(id);
        }
    }

    /// Finds the roots that nothing uses.
    fn finish(&mut self, references: &ReferenceGraph) {
        let mut in_interfaces = std::mem::take(&mut self.roots.in_interfaces);
        in_interfaces.sort_unstable();
        in_interfaces.dedup();
        in_interfaces.retain(|&id| !self.is_used[id as usize]);
        in_interfaces.iter().for_each(|&id| self.start(id));
        let removable = std::mem::take(&mut self.roots.removable);
        for &id in &removable {
            if !self.is_used[id as usize] && !self.is_start[id as usize] {
                self.root(id);
            }
        }
        // What refers to itself in a circle is not used, either.
        let mut stack = std::mem::take(&mut self.starts);
        while let Some(id) = stack.pop() {
            for used in references.uses(id) {
                if !std::mem::replace(&mut self.is_start[used as usize], true) {
                    stack.push(used);
                }
            }
        }
        self.roots.kept.extend(removable.iter().filter(|&&id| !self.is_start[id as usize]));
        (self.roots.removable, self.roots.in_interfaces) = (removable, in_interfaces);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loader::literal;
    use crate::test_support::instruction;

    /// Variables 8 and 14 to 17 are in the interface lists of conditional entry points, except 17. Types 18 and 19 refer to each other. Function 21
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
    fn roots_are_what_stays_without_uses() {
        let words = module();
        let module = Module::from_words(&words).unwrap();
        let DefinitionRoots { removable, mut kept, in_interfaces, with_copies } =
            DefinitionRoots::new(&module, &ReferenceGraph::new(&module));
        // Neither extended instructions nor what stands after the functions.
        assert_eq!(removable, [1, 2, 3, 4, 6, 5, 8, 14, 15, 16, 17, 19, 18, 9, 12, 21, 7]);
        // An unused variable, a circle, the extended instruction, the definition at the end, the entry point without a condition, and an unused function.
        kept.sort_unstable();
        assert_eq!(kept, [12, 17, 18, 19, 21, 22, 23]);
        // Code uses 8, and a decoration 16.
        assert_eq!(in_interfaces, [14, 15]);
        assert_eq!(with_copies, [0, 2]);
    }
}
