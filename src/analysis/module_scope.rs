//! Instructions outside of functions, as required by the removal of ids. They are found once for a module.

use std::collections::BTreeSet;

use spirv::{BuiltIn, Decoration};

use super::conditions::multi_target::condition_of;
use super::constants::{find_spec_constants, has_open_part};
use super::debug::is_debug;
use super::entry_points::interface::{is_bound, is_location};
use super::references::graph::{ModuleScopeRole, described_id};
use crate::loader::{Instruction, Module, views};

/// The instructions outside of functions.
#[derive(Debug, Default)]
pub struct ModuleScope {
    /// The instructions that are removed with an id, or change otherwise, in order.
    pub entries: Vec<ModuleScopeEntry>,
    /// The execution modes, the groups of decorations, and the decorations that keep their target, in order. With
    /// groups, these are all decorations. Conditional ones are never among them.
    pub attributes: Vec<u32>,
    /// The specialization constants that are computed from others, or that no host can set, in order.
    pub computed: Vec<u32>,
    /// The definitions in functions with decorations other than RelaxedPrecision, in order.
    pub decorated: Vec<u32>,
}

/// An instruction outside of functions that is removed with an id or changes otherwise, in eight bytes.
#[derive(Clone, Copy, Debug)]
pub struct ModuleScopeEntry {
    offset: u32,
    /// The id, in the lower bits, and flags.
    id: u32,
}

/// The bits that an id takes.
const ID: u32 = (1 << 22) - 1;
const CONDITION: u32 = 1 << 29;
const DEFINES: u32 = 1 << 30;
const CHANGES: u32 = 1 << 31;

impl ModuleScopeEntry {
    /// Returns the offset of the instruction.
    pub fn offset(self) -> u32 {
        self.offset
    }

    /// Returns the id that the instruction defines or describes, or 0.
    pub fn id(self) -> u32 {
        self.id & ID
    }

    /// Returns true if it defines the id.
    pub fn defines(self) -> bool {
        self.id & DEFINES != 0
    }

    /// Returns true if it decorates the id with a condition.
    pub fn is_condition(self) -> bool {
        self.id & CONDITION != 0
    }

    /// Returns true for an instruction that may change otherwise: a conditional declaration, an entry point, an execution mode, a
    /// specialization constant or its SpecId, a group of decorations, or debug information.
    pub fn changes(self) -> bool {
        self.id & CHANGES != 0
    }
}

impl ModuleScope {
    /// Finds those of a module.
    pub fn new(module: &Module) -> ModuleScope {
        let mut scope = ModuleScope::default();
        let has_groups = module.globals().any(|inst| views::GroupDecorate::new(inst).is_some());
        let spec_ids = find_spec_constants(module);
        let can_be_set = |id: u32| spec_ids.binary_search_by_key(&id, |constant| constant.id).is_ok();
        let mut open_composites: BTreeSet<u32> = BTreeSet::new();
        for inst in module.outside_functions() {
            scope.entries.extend(entry(module, &inst));
            if inst.offset() >= module.globals_end() {
                continue;
            }
            scope.decorated.extend(decorated(module, &inst));
            let is_open = |id: u32| {
                open_composites.contains(&id)
                    || module.definition(id).is_some_and(|inst| inst.is_open_constant())
            };
            let is_open_composite = has_open_part(module, &inst, is_open);
            let is_fixed = inst.is_spec_constant() && !can_be_set(views::Value(inst).id());
            if is_open_composite || is_fixed || inst.is_computed_constant() {
                open_composites.extend(inst.result_id().filter(|_| is_open_composite));
                scope.computed.push(inst.offset());
            } else if is_attribute(&inst, has_groups) {
                scope.attributes.push(inst.offset());
            }
        }
        scope.decorated.sort_unstable();
        // They are kept as long as the module.
        scope.entries.shrink_to_fit();
        let lists = [&mut scope.attributes, &mut scope.computed, &mut scope.decorated];
        lists.into_iter().for_each(Vec::shrink_to_fit);
        scope
    }
}

/// Returns the entry of an instruction outside of functions, or `None` if it never changes.
fn entry(module: &Module, inst: &Instruction) -> Option<ModuleScopeEntry> {
    let (id, mut flags) = match inst.result_id() {
        Some(id) => (id, DEFINES),
        None => (described_id(inst).unwrap_or(0), 0),
    };
    match ModuleScopeRole::new(inst) {
        ModuleScopeRole::Decoration => {
            if views::SpecId::new(*inst).is_some() {
                flags = CHANGES;
            } else if condition_of(inst).is_some() {
                flags = CONDITION;
            }
        }
        ModuleScopeRole::Group
        | ModuleScopeRole::ExecutionMode
        | ModuleScopeRole::EntryPoint
        | ModuleScopeRole::ConditionalDeclaration => flags = CHANGES,
        ModuleScopeRole::Definition if inst.is_open_constant() || is_debug(module, inst) => {
            flags |= CHANGES;
        }
        _ => {}
    }
    (id != 0 || flags != 0).then_some(ModuleScopeEntry { offset: inst.offset(), id: id | flags })
}

/// Returns the ids of functions that an instruction decorates, except an OpDecorate with RelaxedPrecision.
fn decorated<'m>(module: &'m Module, inst: &Instruction<'m>) -> impl Iterator<Item = u32> {
    let is_relaxed = |decoration: &views::Decoration| decoration.is_a(Decoration::RelaxedPrecision);
    let single = views::Decoration::new(*inst)
        .filter(|decoration| !is_relaxed(decoration))
        .map(|decoration| decoration.target());
    let grouped = views::GroupDecorate::new(*inst).into_iter().flat_map(views::GroupDecorate::targets);
    let is_inside = |id: &u32| module.definition_offset(*id).is_some_and(|at| at >= module.globals_end());
    single.into_iter().chain(grouped).filter(is_inside)
}

/// Returns true if an instruction is one of [`ModuleScope::attributes`].
fn is_attribute(inst: &Instruction, has_groups: bool) -> bool {
    match ModuleScopeRole::new(inst) {
        ModuleScopeRole::Decoration if condition_of(inst).is_some() => false,
        ModuleScopeRole::Decoration => {
            let decoration = views::Decoration(*inst);
            has_groups
                || is_location(decoration.decoration())
                || is_bound(decoration.decoration())
                || decoration.is_built_in(BuiltIn::WorkgroupSize)
                || decoration.is_a(Decoration::LinkageAttributes)
        }
        role => matches!(role, ModuleScopeRole::Group | ModuleScopeRole::ExecutionMode),
    }
}
