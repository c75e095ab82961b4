//! Evaluation of conditions: which conditional items are kept, removed or undecided.

use std::collections::BTreeSet;

use spirv::Op;

use super::error::PendingError;
use super::flags::Flags;
use super::{SpecializeError, Work};
use crate::analysis::conditions::multi_target::describe;
use crate::analysis::constants::folding::Scalar;
use crate::analysis::constants::{Constants, SetValues, SpecId, find_spec_ids};
use crate::loader::{Module, views};

/// Checks the values that were given for specialization constants.
pub fn check_given(work: &Work) -> Result<(), SpecializeError> {
    let all = work.constants.spec_ids();
    let set: BTreeSet<u32> = work.constants.set_spec_ids().collect();
    if let Some(grouped) = all.iter().find(|own| own.decoration.is_none() && set.contains(&own.spec_id)) {
        let constant = describe(work.module, grouped.id);
        return Err(SpecializeError::GroupedSpecId { spec_id: grouped.spec_id, constant });
    }
    let existing: BTreeSet<u32> = all.iter().map(|own| own.spec_id).collect();
    if let Some(&spec_id) = set.difference(&existing).next() {
        return Err(unknown_spec_id(spec_id, all));
    }
    for spec_id in all.iter().filter(|own| own.decoration.is_some()) {
        let Some(value) = work.constants.given(spec_id) else { continue };
        let scalar = scalar(work.module, spec_id.id);
        if scalar.is_none_or(|scalar| scalar.fit(value).is_none()) {
            return Err(unfit(work.module, spec_id, value.to_string()));
        }
    }
    Ok(())
}

/// The module has other SpecIds.
fn unknown_spec_id(spec_id: u32, all: &[SpecId]) -> SpecializeError {
    let existing: BTreeSet<u32> =
        all.iter().filter(|own| own.decoration.is_some()).map(|own| own.spec_id).collect();
    let existing: Vec<String> = existing.iter().map(u32::to_string).collect();
    let existing = match existing.is_empty() {
        true => "the module has none".to_string(),
        false => format!("the module has {}", existing.join(", ")),
    };
    SpecializeError::UnknownSpecId { spec_id, existing }
}

fn scalar(module: &Module, id: u32) -> Option<Scalar> {
    Scalar::of(module, module.definition(id)?.result_type()?)
}

fn unfit(module: &Module, spec_id: &SpecId, value: String) -> SpecializeError {
    let expected = scalar(module, spec_id.id)
        .map_or("of a type that cannot be set here".to_string(), |scalar| scalar.to_string());
    let constant = describe(module, spec_id.id);
    SpecializeError::Value { spec_id: spec_id.spec_id, value, constant, expected }
}

/// The bits of values that were given as texts, each read by the type of each constant with its SpecId; and the SpecIds that the module
/// does not have, without values.
///
/// # Errors
/// If a text is no value of such a type.
pub fn values(
    module: &Module,
    texts: &[(u32, impl AsRef<str>)],
) -> Result<(SetValues, Vec<u32>), SpecializeError> {
    let mut spec_ids = find_spec_ids(module);
    spec_ids.sort_by_key(|constant| constant.spec_id);
    let (mut values, mut unknown) = (SetValues::default(), Vec::new());
    for (spec_id, text) in texts {
        let (spec_id, text) = (*spec_id, text.as_ref());
        let first = spec_ids.partition_point(|constant| constant.spec_id < spec_id);
        let constants = spec_ids[first..].iter().take_while(|constant| constant.spec_id == spec_id);
        if constants.clone().next().is_none() {
            unknown.push(spec_id);
        }
        for constant in constants {
            let value = scalar(module, constant.id).and_then(|scalar| scalar.parse(text));
            let value = value.ok_or_else(|| unfit(module, constant, text.to_string()))?;
            values.set_constant(constant, value);
        }
    }
    Ok((values, unknown))
}

/// Refuses SpecIds that the module does not have.
///
/// # Errors
/// If there is one.
pub fn refuse_unknown(module: &Module, unknown: &[u32]) -> Result<(), SpecializeError> {
    let first = unknown.first().map(|&spec_id| unknown_spec_id(spec_id, &find_spec_ids(module)));
    first.map_or(Ok(()), Err)
}

/// The value of a condition, if it is known.
fn verdict(module: &Module, constants: &mut Constants, condition: u32) -> Result<Option<bool>, PendingError> {
    let type_id = module.definition(condition).and_then(|inst| inst.result_type());
    if type_id.and_then(|id| module.definition_as(id, Op::TypeBool)).is_none() || !module.is_global(condition)
    {
        return Err(PendingError::Condition(condition));
    }
    Ok(constants.condition(condition))
}

/// Decides all conditional items outside of function bodies, and the decorated calls inside of them.
pub fn decide(work: &mut Work) -> Result<(), SpecializeError> {
    let (module, multi_target) = (work.module, work.multi_target);
    for &offset in &multi_target.capabilities {
        count(work, views::Capability(module.instruction(offset)).condition().unwrap_or(0))?;
    }
    for &offset in &multi_target.extensions {
        count(work, views::Extension(module.instruction(offset)).condition().unwrap_or(0))?;
    }
    for &offset in &multi_target.entry_points {
        let entry = views::EntryPoint(module.instruction(offset));
        if count(work, entry.condition().unwrap_or(0))? == Some(false) {
            work.seeds.push(entry.function());
            work.seeds.extend_from_slice(entry.interface());
        }
    }
    for &target in multi_target.targets() {
        let condition = multi_target.condition(target).unwrap_or(0);
        if count(work, condition)? == Some(false) {
            remove(work, target)?;
        }
    }
    // Groups without targets have conditions too.
    for decoration in &multi_target.decorations {
        let verdict = verdict(module, &mut work.constants, decoration.condition);
        if verdict.map_err(|problem| problem.describe(module))?.is_some() {
            work.seeds.push(decoration.condition);
        }
    }
    Ok(())
}

fn count(work: &mut Work, condition: u32) -> Result<Option<bool>, SpecializeError> {
    let verdict = verdict(work.module, &mut work.constants, condition);
    let verdict = verdict.map_err(|problem| problem.describe(work.module))?;
    match verdict {
        Some(true) => work.report.decided_true += 1,
        Some(false) => work.report.decided_false += 1,
        None => return Ok(None),
    }
    work.seeds.push(condition);
    Ok(verdict)
}

fn remove(work: &mut Work, target: u32) -> Result<(), SpecializeError> {
    let module = work.module;
    work.flags.set(target, Flags::REMOVED);
    if let (Some(_), Some(inst)) = (module.function_of(target), module.definition(target)) {
        match inst.op() {
            Some(Op::Function) => {
                work.removed.push(target);
                work.report.removed_functions.push(target);
            }
            Some(
                Op::FunctionCall | Op::FunctionPointerCallINTEL | Op::ExtInst | Op::ExtInstWithForwardRefsKHR,
            ) => {}
            _ => {
                let target = describe(module, target);
                return Err(SpecializeError::Target { target, opcode: inst.name() });
            }
        }
    } else {
        work.removed.push(target);
    }
    Ok(())
}

/// The outcome of an OpConditionalCopyObjectINTEL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copy {
    /// It copies this operand.
    Decided(u32),
    /// This condition, the first of them, is not known.
    Undecided(u32),
}

/// Decides an OpConditionalCopyObjectINTEL.
pub fn copy(
    module: &Module,
    constants: &mut Constants,
    inst: views::ConditionalCopyObjectINTEL,
) -> Result<Copy, PendingError> {
    let mut chosen: Option<[u32; 2]> = None;
    let mut unknown = None;
    for &[condition, value] in inst.choices() {
        match (verdict(module, constants, condition)?, chosen) {
            (Some(true), Some([first, _])) => {
                return Err(PendingError::TwoCopies { copy: inst.id(), first, second: condition });
            }
            (Some(true), None) => chosen = Some([condition, value]),
            (Some(false), _) => {}
            (None, _) => unknown = unknown.or(Some(condition)),
        }
    }
    match (unknown, chosen) {
        (Some(condition), _) => Ok(Copy::Undecided(condition)),
        (None, Some([_, operand])) => Ok(Copy::Decided(operand)),
        (None, None) => Err(PendingError::NoCopy(inst.id())),
    }
}
