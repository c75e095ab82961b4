//! Decorations and execution modes. They are removed with their target, and use the ids that they name as long as the target is
//! kept.

use spirv::{BuiltIn, Decoration, LinkageType, Op};

use super::bodies::Bodies;
use super::freeze::Frozen;
use super::{Flags, Work};
use crate::analysis::{has_location, is_bound, is_location, push_constants};
use crate::loader::{Instruction, views};

/// References from decorations and execution modes.
#[derive(Clone, Debug)]
pub struct Attributes {
    /// The target (a function for an id inside of it, if that does not change) and the id that is used; sorted.
    pub edges: Vec<(u32, u32)>,
    /// Functions that lost their last entry point, and with it their execution modes; sorted.
    pub without_entry: Vec<u32>,
    /// True if something has a location.
    locates: bool,
}

impl Attributes {
    /// The ids that the decorations and execution modes of an id refer to.
    pub fn of(&self, id: u32) -> impl Iterator<Item = u32> {
        let first = self.edges.partition_point(|&(target, _)| target < id);
        self.edges[first..].iter().take_while(move |&&(target, _)| target == id).map(|&(_, operand)| operand)
    }
}

/// Collects decorations and execution modes, and marks the ids that are kept even if unused.
pub fn collect(work: &mut Work, frozen: &Frozen, bodies: &Bodies) -> Attributes {
    let module = work.module;
    let without_entry = lost_entries(work);
    let mut attributes = Attributes { edges: Vec::new(), without_entry, locates: false };
    let mut groups = Vec::new();
    for decoration in &work.multi_target.decorations {
        let number = work.multi_target.condition_number(decoration.target);
        if number.is_some_and(|number| work.verdicts.of_number(number).is_none()) {
            work.flags.set(decoration.target, Flags::DECORATED);
            edge(work, bodies, decoration.target, decoration.condition, &mut attributes);
        }
    }
    for &offset in &work.scope.attributes {
        let inst = module.instruction(offset);
        match inst.op() {
            Some(
                Op::Decorate
                | Op::DecorateId
                | Op::DecorateString
                | Op::MemberDecorate
                | Op::MemberDecorateString,
            ) => decoration(work, bodies, views::Decoration(inst), &mut attributes),
            Some(Op::ExecutionMode | Op::ExecutionModeId) => {
                let function = views::ExecutionMode(inst).entry_point();
                let is_lost = attributes.without_entry.binary_search(&function).is_ok();
                if !is_lost && !frozen.modes.contains_key(&inst.offset()) {
                    edges(work, bodies, &inst, function, &mut attributes);
                }
            }
            Some(Op::GroupDecorate | Op::GroupMemberDecorate) => groups.push(views::GroupDecorate(inst)),
            _ => {}
        }
    }
    for group in groups {
        let id = group.group();
        let decided = work.multi_target.condition(id).is_some_and(|id| work.verdicts.of(id).is_some());
        if decided && !work.flags.has(id, Flags::DECORATED) {
            work.flags.set(id, Flags::REMOVED);
            continue;
        }
        for target in group.targets() {
            work.flags.inherit(id, target, Flags::LOCATED);
            if work.flags.has(id, Flags::KEPT) {
                work.keep(target);
            }
            edge(work, bodies, target, id, &mut attributes);
        }
    }
    for (&id, value) in &frozen.computed {
        value.each_reference(&mut |used| attributes.edges.push((id, used)));
    }
    attributes.edges.sort_unstable();
    keep_constants(work);
    keep_functions(work);
    keep_interfaces(work, attributes.locates);
    attributes
}

/// The functions whose last entry point is removed. Marks those that keep one.
fn lost_entries(work: &mut Work) -> Vec<u32> {
    let module = work.module;
    let mut lost = Vec::new();
    for entry in module.entry_points() {
        let condition = entry.condition();
        match condition.and_then(|condition| work.verdicts.of(condition)) {
            Some(false) => lost.push(entry.function()),
            _ => work.flags.set(entry.function(), Flags::ENTRY),
        }
    }
    lost.retain(|&function| !work.flags.has(function, Flags::ENTRY));
    lost.sort_unstable();
    lost
}

fn decoration(work: &mut Work, bodies: &Bodies, inst: views::Decoration, attributes: &mut Attributes) {
    let target = inst.target();
    work.flags.set(target, Flags::DECORATED);
    if is_location(inst.decoration()) {
        work.flags.set(target, Flags::LOCATED);
        attributes.locates = true;
    }
    let exported = |inst: views::Decoration| {
        inst.is_a(Decoration::LinkageAttributes) && inst.linkage_type() == LinkageType::Export as u32
    };
    if work.keep_interface && inst.is(Op::Decorate) && is_bound(inst.decoration()) {
        work.keep(target);
    }
    if inst.is(Op::Decorate) && (inst.is_built_in(BuiltIn::WorkgroupSize) || exported(inst)) {
        work.keep(target);
    }
    edges(work, bodies, &inst, target, attributes);
}

/// Adds the ids that a decoration or an execution mode refers to, as uses by its target.
fn edges(work: &Work, bodies: &Bodies, inst: &Instruction, target: u32, attributes: &mut Attributes) {
    let module = work.module;
    module.walk(inst, &mut |at: usize, id: u32| {
        if at > 1 {
            edge(work, bodies, target, id, attributes);
        }
    });
}

fn edge(work: &Work, bodies: &Bodies, target: u32, operand: u32, attributes: &mut Attributes) {
    if !work.flags.has(target, Flags::REMOVED) {
        let function = work.module.function_of(target).filter(|at| bodies.changed.binary_search(at).is_err());
        let function = function.map(|at| work.module.functions()[at].id);
        attributes.edges.push((function.unwrap_or(target), operand));
    }
}

/// Keeps the host's specialization constants.
fn keep_constants(work: &mut Work) {
    let is_open = |id: &u32| !work.flags.has(*id, Flags::DECIDED);
    work.kept.extend(work.constants.spec_ids().iter().map(|own| own.id).filter(is_open));
}

/// Keeps the functions that are called in the place of others once annotations are applied.
fn keep_functions(work: &mut Work) {
    let instead = work.annotated.otherwise.values().filter_map(|otherwise| otherwise.function());
    for function in instead.filter(|&id| work.module.is_function(id)) {
        work.keep(function);
    }
}

/// Keeps the variables with a place in the interface of an entry point that is kept.
fn keep_interfaces(work: &mut Work, locates: bool) {
    let module = work.module;
    if work.keep_interface {
        push_constants(module).for_each(|id| work.keep(id));
    }
    for entry in module.entry_points().filter(|_| locates) {
        if !work.verdicts.keeps(entry.condition()) {
            continue;
        }
        for &variable in entry.interface() {
            if has_location(module, variable, |id| work.flags.has(id, Flags::LOCATED)) {
                work.keep(variable);
            }
        }
    }
}
