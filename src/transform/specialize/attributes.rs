//! What stands beside ids: decorations and execution modes. They go with what they describe, and what they refer to is
//! needed as long as that stays.

use spirv::{BuiltIn, Decoration, LinkageType, Op};

use super::Work;
use super::freeze::Frozen;
use super::marks::Flags;
use crate::analysis::conditions::multi_target::condition_of;
use crate::analysis::{has_place, interface, is_location};
use crate::loader::Instruction;

/// References from decorations and execution modes.
pub struct Attributes {
    /// What is described (a function for what is inside of it) and what that needs; sorted.
    pub edges: Vec<(u32, u32)>,
    /// Functions that lost their last entry point, and so their execution modes; sorted.
    pub without_entry: Vec<u32>,
}

impl Attributes {
    /// What the decorations and execution modes of an id refer to.
    pub fn of(&self, id: u32) -> impl Iterator<Item = u32> {
        let first = self.edges.partition_point(|&(target, _)| target < id);
        self.edges[first..].iter().take_while(move |&&(target, _)| target == id).map(|&(_, operand)| operand)
    }
}

/// Collects decorations and execution modes, and marks what must be kept whether or not it is referred to.
pub fn collect(work: &mut Work, frozen: &Frozen) -> Attributes {
    let module = work.module;
    let mut attributes = Attributes { edges: Vec::new(), without_entry: lost_entries(work) };
    let mut groups = Vec::new();
    for inst in module.globals() {
        match inst.op() {
            Some(Op::Decorate | Op::DecorateId | Op::DecorateString) => {
                decoration(work, &inst, inst.word(2), &mut attributes);
            }
            Some(Op::MemberDecorate | Op::MemberDecorateString) => {
                decoration(work, &inst, inst.word(3), &mut attributes);
            }
            Some(Op::ExecutionMode | Op::ExecutionModeId) => {
                if attributes.without_entry.binary_search(&inst.word(1)).is_ok() {
                    let seeds = &mut work.seeds;
                    module.walk(&inst, &mut |_: usize, id: u32| seeds.push(id));
                } else if !frozen.modes.contains_key(&inst.offset()) {
                    edges(work, &inst, &mut attributes);
                }
            }
            Some(Op::GroupDecorate | Op::GroupMemberDecorate) => groups.push(inst),
            _ => {}
        }
    }
    for group in groups {
        let id = group.word(1);
        let decided =
            work.multi_target.condition(id).is_some_and(|id| work.constants.condition(id).is_some());
        if decided && !work.marks.has(id, Flags::DECORATED) {
            work.marks.set(id, Flags::REMOVED);
            continue;
        }
        let step = if group.is(Op::GroupDecorate) { 1 } else { 2 };
        for &target in group.words_from(2).iter().step_by(step) {
            work.marks.inherit(id, target, Flags::KEPT | Flags::LOCATED);
            edge(work, target, id, &mut attributes);
        }
    }
    attributes.edges.sort_unstable();
    keep_constants(work);
    keep_functions(work);
    keep_interfaces(work);
    attributes
}

/// The functions whose last entry point is removed. Marks those that have one that stays.
fn lost_entries(work: &mut Work) -> Vec<u32> {
    let module = work.module;
    for inst in module.globals().filter(|inst| inst.is(Op::EntryPoint)) {
        work.marks.set(inst.word(2), Flags::ENTRY);
    }
    let mut lost = Vec::new();
    for &offset in &work.multi_target.entry_points {
        let inst = module.instruction(offset);
        match work.constants.condition(inst.word(1)) {
            Some(false) => lost.push(inst.word(3)),
            _ => work.marks.set(inst.word(3), Flags::ENTRY),
        }
    }
    lost.retain(|&function| !work.marks.has(function, Flags::ENTRY));
    lost.sort_unstable();
    lost
}

fn decoration(work: &mut Work, inst: &Instruction, kind: u32, attributes: &mut Attributes) {
    let target = inst.word(1);
    let is = |decoration: Decoration| kind == decoration as u32;
    if condition_of(inst).is_some_and(|condition| work.constants.condition(condition).is_some()) {
        return;
    }
    work.marks.set(target, Flags::DECORATED);
    if is_location(kind) {
        work.marks.set(target, Flags::LOCATED);
    }
    let workgroup_size = is(Decoration::BuiltIn) && inst.word(3) == BuiltIn::WorkgroupSize as u32;
    let exported = is(Decoration::LinkageAttributes)
        && inst.words().last().is_some_and(|&linkage| linkage == LinkageType::Export as u32);
    if (workgroup_size || exported) && inst.is(Op::Decorate) {
        work.marks.set(target, Flags::KEPT);
    }
    edges(work, inst, attributes);
}

/// The references of a decoration or an execution mode, from what it describes.
fn edges(work: &mut Work, inst: &Instruction, attributes: &mut Attributes) {
    let module = work.module;
    module.walk(inst, &mut |at: usize, id: u32| {
        if at > 1 {
            edge(work, inst.word(1), id, attributes);
        }
    });
}

fn edge(work: &mut Work, target: u32, operand: u32, attributes: &mut Attributes) {
    if work.marks.has(target, Flags::REMOVED) {
        work.seeds.push(operand);
    } else {
        let inside = work.module.function_of(target).map(|at| work.module.functions()[at].id);
        attributes.edges.push((inside.unwrap_or(target), operand));
    }
}

/// The host's specialization constants stay.
fn keep_constants(work: &mut Work) {
    for spec_id in work.constants.spec_ids() {
        if !work.marks.has(spec_id.id, Flags::DECIDED) {
            work.marks.set(spec_id.id, Flags::KEPT);
        }
    }
}

/// The functions that are called in the place of others once annotations are applied stay.
fn keep_functions(work: &mut Work) {
    let instead = work.annotated.otherwise.values().filter_map(|otherwise| otherwise.function());
    for function in instead.filter(|&id| work.module.function(id).is_some()) {
        work.marks.set(function, Flags::KEPT);
    }
}

/// Variables with a place in an interface stay.
fn keep_interfaces(work: &mut Work) {
    let module = work.module;
    for inst in module.globals() {
        let stays = match inst.op() {
            Some(Op::EntryPoint) => true,
            Some(Op::ConditionalEntryPointINTEL) => work.constants.condition(inst.word(1)) != Some(false),
            _ => false,
        };
        for &variable in if stays { interface(&inst).1 } else { &[] } {
            if has_place(module, variable, |id| work.marks.has(id, Flags::LOCATED)) {
                work.marks.set(variable, Flags::KEPT);
            }
        }
    }
}
