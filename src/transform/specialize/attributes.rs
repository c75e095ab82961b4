//! Decorations and execution modes. They are removed with their target, and use the ids that they name as long as the target is
//! kept.

use spirv::{BuiltIn, Decoration, LinkageType, Op};

use super::bodies::Bodies;
use super::freeze::FrozenState;
use super::{Flags, SpecializeContext};
use crate::analysis::{
    EdgeKinds, ModuleScopeRole, fast_math_type, has_location, is_bound, is_location, push_constants,
};
use crate::loader::views;

/// References from decorations and execution modes.
#[derive(Clone, Debug)]
pub struct Attributes {
    /// The target and the used id; sorted. The target is the function for an id inside of an unchanged function.
    pub edges: Vec<(u32, u32)>,
    /// Functions that lost their last entry point, and with it their execution modes; sorted.
    pub without_entry: Vec<u32>,
    /// True if something has a location.
    locates: bool,
}

impl Attributes {
    /// Returns the ids that the decorations and execution modes of an id refer to.
    pub fn references(&self, id: u32) -> impl Iterator<Item = u32> {
        let first = self.edges.partition_point(|&(target, _)| target < id);
        self.edges[first..].iter().take_while(move |&&(target, _)| target == id).map(|&(_, operand)| operand)
    }
}

/// Collects decorations and execution modes, and marks the ids that are kept even if unused.
pub fn collect(context: &mut SpecializeContext, frozen: &FrozenState, bodies: &Bodies) -> Attributes {
    let module = context.module;
    let without_entry = lost_entries(context);
    let mut attributes = Attributes { edges: Vec::new(), without_entry, locates: false };
    let mut groups = Vec::new();
    for (target, operand) in context.references.attributes(EdgeKinds::DECORATION) {
        edge(context, bodies, target, operand, &mut attributes);
    }
    for decoration in &context.multi_target.decorations {
        let number = context.multi_target.condition_number(decoration.target);
        if number.is_some_and(|number| context.condition_values.value_by_number(number).is_none()) {
            context.flags.set(decoration.target, Flags::DECORATED);
            edge(context, bodies, decoration.target, decoration.condition, &mut attributes);
        }
    }
    for &offset in &context.scope.attributes {
        let inst = module.instruction(offset);
        match ModuleScopeRole::new(&inst) {
            ModuleScopeRole::Decoration => {
                decoration(context, views::Decoration(inst), &mut attributes);
            }
            ModuleScopeRole::ExecutionMode => {
                let function = views::ExecutionMode(inst).entry_point();
                let is_lost = attributes.without_entry.binary_search(&function).is_ok();
                if !is_lost && !frozen.modes.replaced.contains_key(&inst.offset()) {
                    let type_ = fast_math_type(&inst).and_then(|_| context.references.mode_type(&inst));
                    let (target, first) = type_.map_or((function, 2), |type_| (type_, 4));
                    module.walk(&inst, &mut |at: usize, id: u32| {
                        if at >= first {
                            edge(context, bodies, target, id, &mut attributes);
                        }
                    });
                }
            }
            ModuleScopeRole::Group => groups.push(views::GroupDecorate(inst)),
            _ => {}
        }
    }
    for group in groups {
        let id = group.group();
        let decided =
            context.multi_target.condition(id).is_some_and(|id| context.condition_values.value(id).is_some());
        if decided && !context.flags.has(id, Flags::DECORATED) {
            context.flags.set(id, Flags::REMOVED);
            continue;
        }
        for target in group.targets() {
            context.flags.inherit(id, target, Flags::LOCATED);
            if context.flags.has(id, Flags::KEPT) {
                context.keep(target);
            }
            edge(context, bodies, target, id, &mut attributes);
        }
    }
    for (&id, value) in &frozen.computed {
        value.each_reference(&mut |used| attributes.edges.push((id, used)));
    }
    attributes.edges.sort_unstable();
    keep_constants(context);
    keep_functions(context);
    keep_interfaces(context, attributes.locates);
    attributes
}

/// Returns the functions whose last entry point is removed. Marks the ids of functions that keep an entry point.
fn lost_entries(context: &mut SpecializeContext) -> Vec<u32> {
    let module = context.module;
    let mut lost = Vec::new();
    for entry in module.entry_points() {
        let condition = entry.condition();
        match condition.and_then(|condition| context.condition_values.value(condition)) {
            Some(false) => lost.push(entry.function()),
            _ => context.flags.set(entry.function(), Flags::ENTRY),
        }
    }
    lost.retain(|&function| !context.flags.has(function, Flags::ENTRY));
    lost.sort_unstable();
    lost
}

fn decoration(context: &mut SpecializeContext, inst: views::Decoration, attributes: &mut Attributes) {
    let target = inst.target();
    context.flags.set(target, Flags::DECORATED);
    if is_location(inst.decoration()) {
        context.flags.set(target, Flags::LOCATED);
        attributes.locates = true;
    }
    let exported = |inst: views::Decoration| {
        inst.is_a(Decoration::LinkageAttributes) && inst.linkage_type() == LinkageType::Export as u32
    };
    if context.keep_interface && inst.is(Op::Decorate) && is_bound(inst.decoration()) {
        context.keep(target);
    }
    if inst.is(Op::Decorate) && (inst.is_built_in(BuiltIn::WorkgroupSize) || exported(inst)) {
        context.keep(target);
    }
}

/// Adds an id that a decoration or an execution mode refers to, as a use by its target.
fn edge(
    context: &SpecializeContext,
    bodies: &Bodies,
    target: u32,
    operand: u32,
    attributes: &mut Attributes,
) {
    if !context.flags.has(target, Flags::REMOVED) {
        let function = context.module.function_of(target).filter(|&at| bodies.changed(at).is_none());
        let function = function.map(|at| context.module.functions()[at].id);
        attributes.edges.push((function.unwrap_or(target), operand));
    }
}

/// Keeps the host's specialization constants. Those of conditions are kept with their uses.
fn keep_constants(context: &mut SpecializeContext) {
    let constants = context.constants.spec_constants().iter();
    let open = constants.filter(|constant| !context.flags.has(constant.id, Flags::DECIDED));
    let open = open.filter(|constant| context.constants.is_of_host(constant));
    context.kept.extend(open.map(|constant| constant.id));
}

/// Keeps the functions that are called in the place of others once annotations are applied.
fn keep_functions(context: &mut SpecializeContext) {
    let instead = context.annotated.otherwise.values().filter_map(|otherwise| otherwise.function());
    for function in instead.filter(|&id| context.module.is_function(id)) {
        context.keep(function);
    }
}

/// Keeps the variables with a place in the interface of an entry point that is kept.
fn keep_interfaces(context: &mut SpecializeContext, locates: bool) {
    let module = context.module;
    if context.keep_interface {
        push_constants(module).for_each(|id| context.keep(id));
    }
    for entry in module.entry_points().filter(|_| locates) {
        if !context.condition_values.keeps(entry.condition()) {
            continue;
        }
        for &variable in entry.interface() {
            if has_location(module, variable, |id| context.flags.has(id, Flags::LOCATED)) {
                context.keep(variable);
            }
        }
    }
}
