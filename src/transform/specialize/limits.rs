//! Values of constants that break the limits that a module sets to them.

use std::collections::BTreeSet;

use super::bodies::Bodies;
use super::freeze::FrozenState;
use super::{Flags, SpecializeContext, SpecializeError};
use crate::analysis::Analyses;
use crate::analysis::conditions::multi_target::describe;
use crate::analysis::constants::Constants;
use crate::analysis::described_id;
use crate::analysis::limits::layout::{LayoutProblem, LayoutProblemKind};
use crate::analysis::limits::parts::PartLimit;
use crate::analysis::limits::ranges::RangeLimit;
use crate::analysis::limits::relations::{SizeBound, SizeLimit};
use crate::analysis::limits::{BrokenLimit, ValueLimits};
use crate::loader::{Module, views};

/// Refuses values and new defaults that break a limit in the result.
///
/// # Errors
/// [`SpecializeError::Range`], [`SpecializeError::Sizes`].
pub fn check(
    context: &mut SpecializeContext,
    analyses: &Analyses,
    bodies: &Bodies,
    frozen: &FrozenState,
) -> Result<(), SpecializeError> {
    if !context.constants.has_new_defaults() && !frozen.decides() {
        return Ok(());
    }
    let Some(limits) = analyses.limits() else { return Ok(()) };
    let mut broken = Vec::new();
    // An unset constant counts with its default, as in a driver.
    let mut by_default = context.constants.by_default();
    let mut with_new_defaults = context.constants.with_new_defaults();
    let mut value = |id: u32| context.constants.value(id).or_else(|| by_default.value(id));
    limits.check(&mut value, &mut |id| with_new_defaults.value(id), &mut |limit| broken.push(limit));
    let of_defaults = of_new_defaults(context);
    let mut check = LimitCheck { context, limits, bodies, frozen, by_default, of_defaults };
    broken.iter().find_map(|limit| check.error(limit)).map_or(Ok(()), Err)
}

/// The limits of a module, and the decisions that select the applicable ones.
struct LimitCheck<'s, 'm> {
    context: &'s mut SpecializeContext<'m>,
    limits: &'s ValueLimits,
    bodies: &'s Bodies<'s>,
    frozen: &'s FrozenState,
    by_default: Constants<'m>,
    /// The constants that have a new default, or are computed from one.
    of_defaults: BTreeSet<u32>,
}

/// Returns the constants that have a new default, or are computed from one.
fn of_new_defaults(context: &SpecializeContext) -> BTreeSet<u32> {
    let constants = &context.constants;
    let spec_constants = constants.spec_constants().iter().map(|constant| constant.id);
    let mut changed: BTreeSet<u32> =
        spec_constants.filter(|&id| constants.new_default(id).is_some()).collect();
    if changed.is_empty() {
        return changed;
    }
    for &offset in &context.scope.computed {
        let id = views::Value(context.module.instruction(offset)).id();
        let is_changed = context.references.any_use(context.module, id, |used| changed.contains(&used));
        changed.extend(is_changed.then_some(id));
    }
    changed
}

impl LimitCheck<'_, '_> {
    /// Returns the error for a broken limit, unless the limit is removed, or the unchanged module breaks it.
    fn error(&mut self, broken: &BrokenLimit) -> Option<SpecializeError> {
        match broken {
            BrokenLimit::Range(limit, value) => {
                let is_error = self.is_kept(limit.at) && self.is_changed(limit.constant);
                is_error.then(|| self.range(limit, *value))
            }
            BrokenLimit::Part(limit, length) => {
                let is_error = self.is_kept(limit.at) && self.is_changed(limit.constant);
                is_error.then(|| self.part(limit, *length))
            }
            BrokenLimit::Size(limit, sizes) => {
                let is_error = self.is_kept(limit.at) && limit.constants().any(|id| self.is_changed(id));
                is_error.then(|| self.size(limit, *sizes))
            }
            BrokenLimit::Layout(problem) => {
                if self.context.flags.is_removed(problem.type_id) {
                    return None;
                }
                let constants = self.limits.constants_of(problem);
                constants.iter().any(|&id| self.is_changed(id)).then(|| self.layout(problem, &constants))
            }
        }
    }

    /// Returns true if the instruction with a limit is in the result.
    fn is_kept(&self, at: u32) -> bool {
        let (module, flags) = (self.context.module, &self.context.flags);
        let inst = module.instruction(at);
        if let Some(function) = function_at(module, at) {
            return !self.bodies.is_removed(self.context, function)
                && self.bodies.changed(function).is_none_or(|changed| changed.body.has(at));
        }
        match inst.result_id() {
            Some(id) => !flags.is_removed(id),
            // Of an execution mode or a decoration.
            None => !flags.has(inst.word(1), Flags::REMOVED),
        }
    }

    /// Returns true if a constant is decided, or has or is computed from a new default.
    fn is_changed(&self, id: u32) -> bool {
        self.frozen.affects(id) || self.of_defaults.contains(&id)
    }

    fn range(&self, limit: &RangeLimit, value: i64) -> SpecializeError {
        let module = self.context.module;
        let inst = module.instruction(limit.at);
        let target = inst.result_id().unwrap_or(inst.word(1));
        let mut place = format!("the {}", limit.range.operand.replace("{}", &describe(module, target)));
        place += &self.function(limit.at);
        self.out_of_range(place, limit.constant, value, limit.range.limit)
    }

    fn part(&self, limit: &PartLimit, length: u64) -> SpecializeError {
        let relation = if limit.most.is_some() { "made by" } else { "indexed by" };
        let place = format!("the length of what is {relation} {}", self.instruction(limit.at));
        let permitted = match limit.most {
            Some(most) if most == limit.least => most.to_string(),
            Some(most) => format!("a number from {} to {most}", limit.least),
            None => format!("at least {}", limit.least),
        };
        self.out_of_range(place, limit.constant, i64::try_from(length).unwrap_or(i64::MAX), &permitted)
    }

    /// Returns the error for an operand. The limit is one of the setting only if the operand itself is a constant that
    /// a host sets.
    fn out_of_range(&self, place: String, constant: u32, value: i64, permitted: &str) -> SpecializeError {
        let name = describe(self.context.module, constant);
        let limit = match self.is_set_itself(constant) {
            true => format!("set it to {permitted}"),
            false => format!("{name} must be {permitted}"),
        };
        SpecializeError::Range { place, constant: name, value, spec_ids: self.spec_ids(constant), limit }
    }

    fn size(&mut self, limit: &SizeLimit, (size, other): (u64, u64)) -> SpecializeError {
        let instruction = self.instruction(limit.at);
        let mut what = format!("the {} of {instruction} would be {size}", limit.name);
        let mut constants: Vec<u32> = limit.constants().filter(|&id| self.is_changed(id)).collect();
        constants.sort_unstable();
        constants.dedup();
        let permitted = match &limit.bound {
            SizeBound::Equal(_) if !limit.other_name.is_empty() => {
                what += &format!(", but the {} {other}", limit.other_name);
                None
            }
            SizeBound::Equal(_) => Some(other.to_string()),
            SizeBound::MultipleOf(number) => Some(format!("a multiple of {number}")),
            SizeBound::AtMost(number) => Some(format!("at most {number}")),
        };
        let limit = match (&constants[..], permitted) {
            (_, None) => "both must be equal".to_owned(),
            (&[constant], Some(permitted))
                if limit.size.is_constant(constant) && self.is_set_itself(constant) =>
            {
                format!("set it to {permitted}")
            }
            (_, Some(permitted)) => format!("it must be {permitted}"),
        };
        SpecializeError::Sizes { what, constants: self.values(&constants), limit }
    }

    /// Returns true for a constant that a host sets.
    fn is_set_itself(&self, constant: u32) -> bool {
        self.context.constants.spec_constants().binary_search_by_key(&constant, |decl| decl.id).is_ok()
    }

    /// Returns an instruction, and the function that it is in, as a part of a sentence.
    fn instruction(&self, at: u32) -> String {
        let module = self.context.module;
        let inst = module.instruction(at);
        let id = inst.result_id().or_else(|| described_id(&inst));
        match id.map(|id| describe(module, id)) {
            Some(entry_point) if views::ExecutionMode::new(inst).is_some() => entry_point,
            Some(id) => format!("{} {id}{}", inst.name(), self.function(at)),
            None => format!("{}{}", inst.name(), self.function(at)),
        }
    }

    /// Returns the function that an offset is in, as a part of a sentence.
    fn function(&self, at: u32) -> String {
        let module = self.context.module;
        let function = function_at(module, at).map(|function| module.functions()[function].id);
        function.map(|id| format!(" in function {}", describe(module, id))).unwrap_or_default()
    }

    fn layout(&mut self, problem: &LayoutProblem, constants: &[u32]) -> SpecializeError {
        let module = self.context.module;
        let type_name = describe(module, problem.type_id);
        let is_array = module.array_type(problem.type_id).is_some();
        let within = match self.limits.block_with(problem.type_id) {
            Some(block) if block == problem.type_id && is_array => format!("the array type {type_name}"),
            Some(block) if block == problem.type_id => format!("the block {type_name}"),
            block => {
                let kind = if is_array { "array type" } else { "structure" };
                let within = block.map(|block| format!(" in the block {}", describe(module, block)));
                format!("the {kind} {type_name}{}", within.unwrap_or_default())
            }
        };
        let member = |index: u32| member(module, problem.type_id, index);
        let (what, limit) = match problem.kind {
            LayoutProblemKind::Overlap { member: index, range: (start, end), next, offset, most } => (
                format!(
                    "{} of {within} would take bytes {start} to {}, but {} begins at byte {offset}",
                    member(index),
                    end - 1,
                    member(next)
                ),
                match most {
                    Some(most) if most > 0 => format!("the array has at most {most} elements"),
                    _ => format!("the member takes at most {} bytes", offset - start),
                },
            ),
            LayoutProblemKind::Misaligned { member: index, offset, alignment } => (
                format!("{} of {within} would be at byte {offset}", member(index)),
                format!("its place is a multiple of {alignment}"),
            ),
            LayoutProblemKind::Stride { size, stride } => (
                format!("an element of {within} would take {size} bytes, but the array stride is {stride}"),
                format!("an element takes at most {stride} bytes"),
            ),
            LayoutProblemKind::MisalignedStride { stride, alignment } => (
                format!("the array stride of {within} would be {stride}"),
                format!("this is a multiple of {alignment}"),
            ),
        };
        let them = if self.count_settings(constants) > 1 { "them" } else { "it" };
        let limit = format!("set {them} so that {limit}");
        SpecializeError::Sizes { what, constants: self.values(constants), limit }
    }

    /// Returns the number of SpecIds from which constants are computed.
    fn count_settings(&self, constants: &[u32]) -> usize {
        let inputs = constants.iter().map(|&id| self.context.constants.inputs(id).spec_ids);
        inputs.flatten().collect::<BTreeSet<u32>>().len()
    }

    /// Returns constants with their values and the SpecIds that they are computed from, as a part of a sentence.
    fn values(&mut self, constants: &[u32]) -> String {
        let module = self.context.module;
        let values = constants.iter().filter_map(|&id| {
            let value = self.context.constants.value(id).or_else(|| self.by_default.value(id))?;
            Some((id, value))
        });
        let values: Vec<(u32, u64)> = values.collect();
        let values = values
            .iter()
            .map(|&(id, value)| format!("{} is {value} by {}", describe(module, id), self.spec_ids(id)));
        values.collect::<Vec<_>>().join(" and ")
    }

    /// Returns the constants that a constant is computed from, by SpecId and name.
    fn spec_ids(&self, constant: u32) -> String {
        let (module, constants) = (self.context.module, &self.context.constants);
        let inputs = constants.inputs(constant);
        let named = |spec_id: &u32| {
            let mut same_spec_id =
                constants.spec_constants().iter().filter(|other| other.spec_id == *spec_id);
            let id = same_spec_id.next().map(|other| other.id).filter(|&id| id != constant);
            let name = id.and_then(|id| module.names().find(|name| name.target() == id));
            match name.map(|name| name.name()).filter(|name| !name.is_empty()) {
                Some(name) => format!("SpecId {spec_id} ({name})"),
                None => format!("SpecId {spec_id}"),
            }
        };
        let spec_ids = inputs.spec_ids.iter().map(named).collect::<Vec<_>>();
        match inputs.device_constants.is_empty() {
            _ if !spec_ids.is_empty() => spec_ids.join(", "),
            true => "specialization constants".to_owned(),
            false => "the device".to_owned(),
        }
    }
}

/// Returns the number of the function that an offset is in.
fn function_at(module: &Module, offset: u32) -> Option<usize> {
    let functions = module.functions();
    let at = functions.partition_point(|function| function.end <= offset);
    functions.get(at).filter(|function| function.start <= offset).map(|_| at)
}

/// Returns a member as messages show it: with its OpMemberName, if it has one.
fn member(module: &Module, structure: u32, index: u32) -> String {
    let names = module.annotations().filter_map(views::MemberName::new);
    let mut member_names = names.filter(|name| name.structure() == structure && name.member() == index);
    match member_names.next().map(|name| name.name()).filter(|name| !name.is_empty()) {
        Some(name) => format!("member {index} ({name})"),
        None => format!("member {index}"),
    }
}
