//! Packing of a compiler's module into one for every device: the producer of SPV_INTEL_function_variants.
//!
//! The design is docs/design/device-if.md, "Alternate design for non-AOT SPIR-V targets". Conditional calls become calls of their
//! actions (`calls`); definitions that only conditional code requires get a condition (`plan`), and so do capabilities and extensions
//! (`declarations`); the conditions become specialization-constant expressions (`condition_constants`).

mod bound_constants;
mod calls;
mod condition_constants;
mod declarations;
mod error;
mod plan;
mod requirements;
mod summary;
#[cfg(test)]
mod tests;

pub use error::PackError;
pub use summary::{PackWarning, Summary};

use std::collections::BTreeMap;

use super::insertion::InsertionPoints;
use crate::analysis::conditions::multi_target::MultiTarget;
use crate::analysis::{Analyses, ConditionalCalls, Names, PresenceConditions, Simplified};
use crate::condition::{Condition, Leaf};
use crate::device::{Device, DeviceConfig};
use crate::loader::Module;
use crate::transform::Edits;
use condition_constants::ConditionConstants;
use plan::PackPlan;

/// The form in which the leaves of conditions are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// OpSpecConstantFalse with a SpecId: the property set says what sets it (docs/design/device-if.md, "New properties and property
    /// sets").
    #[default]
    SpecConditional,
    /// The device constants of SPV_INTEL_function_variants, which need no property set.
    FunctionVariants,
}

/// The options of packing.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The form in which the leaves of conditions are written.
    pub dialect: Dialect,
    /// The devices that decide which conditional aspects are listed (docs/design/device-if.md, "Simplification of conditionally used
    /// aspects"); those of the embedded table, if none are given.
    pub devices: Option<DeviceConfig>,
    /// The device that the module is for, if it is for one: its known features decide conditions, and only the others are written
    /// (docs/design/device-if.md, "Alternate design for AOT targets").
    pub device: Option<Device>,
}

/// The result of [`pack`].
#[derive(Clone, Debug)]
pub struct Packed {
    /// The changes to the module.
    pub edits: Edits,
    /// The specialization constants that stand for leaves: SpecId and leaf, by ascending SpecId. The host sets those that
    /// hold on its device to true.
    pub leaves: Vec<(u32, Leaf)>,
    /// The requirements of the module on a device besides its declarations.
    pub requirements: Simplified,
    /// A summary for users.
    pub summary: Summary,
}

/// The state that the steps share.
struct Work<'m> {
    module: &'m Module<'m>,
    names: &'m Names<'m>,
    calls: &'m ConditionalCalls,
    multi_target: &'m MultiTarget,
    presence: PresenceConditions,
    points: InsertionPoints,
    edits: Edits,
    summary: Summary,
}

/// Packs a module. A module without conditional calls has no edits. Annotations must be
/// [expanded](crate::transform::expand::expand): only single calls have conditions, never the functions that they call.
///
/// # Errors
/// If a conditional call is malformed, a condition is out of bounds, or the dialect cannot express a leaf. See [`PackError`].
pub fn pack(analyses: &Analyses, options: &Options) -> Result<Packed, PackError> {
    let (module, names, annotated) = (analyses.module(), analyses.names(), analyses.annotated());
    let mut calls = analyses.calls()?.of_functions();
    if let Some(device) = &options.device {
        calls.assume(&|leaf| device.truth(leaf))?;
    }
    if let Some(call) = calls.calls.iter().find(|call| !call.otherwise.is_empty()) {
        return Err(PackError::NotExpanded(names.display(call.function)));
    }
    let mut summary = Summary::default();
    summary.warnings.extend(calls.uncalled.iter().map(|&id| PackWarning::Uncalled(names.display(id))));
    let multi_target = analyses.multi_target()?;
    let undeclared = multi_target.undeclared(module);
    if !undeclared.is_empty() {
        summary.warnings.push(PackWarning::Undeclared(undeclared));
    }
    // For a device, functions are removed whose last call is gone.
    if calls.calls.is_empty() && calls.regions.constants.is_empty() && options.device.is_none() {
        if names.are_stripped() {
            summary.warnings.push(PackWarning::Nameless);
        }
        let edits = Edits::new(module);
        return Ok(Packed {
            edits,
            leaves: Vec::new(),
            requirements: requirements::unconditional(analyses, options)?,
            summary,
        });
    }
    let mut presence = analyses.presence_with(&calls)?;
    if calls::leave_out_never_taken(module, &mut calls, multi_target, &mut presence)? {
        presence = analyses.presence_with(&calls)?;
    }
    let mut work = Work {
        module,
        names,
        calls: &calls,
        multi_target,
        presence,
        points: InsertionPoints::find(module),
        edits: Edits::new(module),
        summary,
    };
    let mut plan = PackPlan::default();
    calls::rewrite(&mut work, &mut plan, annotated, options)?;
    plan.decide(&mut work)?;
    declarations::decide(&mut work, &mut plan)?;
    plan.remove(&mut work, annotated);
    let requirements = requirements::collect(&mut work, analyses, options)?;
    if options.dialect == Dialect::FunctionVariants {
        declarations::decide_leaves(&mut work, &mut plan)?;
    }
    let mut constants = ConditionConstants::new(&work, options.dialect);
    let conditions = constants.emit(&mut work, plan.conditions())?;
    plan.write(&mut work, &conditions, options.dialect, constants.has_device_constants);
    let leaves = constants.leaves;
    work.summary.finish(&mut work.presence, &calls, names, &annotated.outlined)?;
    Ok(Packed { edits: work.edits, leaves, requirements, summary: work.summary })
}

/// The ids of the constants of conditions.
type ConditionIds = BTreeMap<Condition, u32>;
