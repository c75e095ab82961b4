//! From a compiler's module to one for every device: the producer of SPV_INTEL_function_variants.
//!
//! This is the device_if seed's "Alternate design for non-AOT SPIR-V targets". Conditional calls become calls of their
//! actions (`calls`); what only conditional code needs gets a condition (`plan`), capabilities and extensions included
//! (`declarations`); and the conditions become specialization-constant expressions (`constants`).

mod bound_constants;
mod calls;
mod constants;
mod declarations;
mod error;
mod plan;
mod requirements;
mod summary;
#[cfg(test)]
mod tests;

pub use error::PackError;
pub use summary::{Summary, Warning};

use std::collections::BTreeMap;

use super::insertion_points::InsertionPoints;
use crate::analysis::conditions::multi_target::MultiTarget;
use crate::analysis::{Analyses, ConditionalCalls, Names, PresenceConditions, Simplified};
use crate::condition::{Condition, Leaf};
use crate::device::{Device, DeviceConfig};
use crate::loader::Module;
use crate::transform::Edits;
use constants::Constants;
use plan::Plan;

/// What the leaves of conditions are written as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// OpSpecConstantFalse with a SpecId: the property set says what sets it (the device_if seed).
    #[default]
    SpecConditional,
    /// The device constants of SPV_INTEL_function_variants, which need no property set.
    FunctionVariants,
}

/// How to pack.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What the leaves of conditions are written as.
    pub dialect: Dialect,
    /// The devices that decide which conditional aspects are worth a mention (the seed's "Simplification of conditionally
    /// used aspects"); those of the embedded table, if none are given.
    pub devices: Option<DeviceConfig>,
    /// The device that the module is for, if it is for one: what is known of it decides conditions, and only the others are
    /// written (the device_if seed's "Alternate design for AOT targets").
    pub device: Option<Device>,
}

/// What [`pack`] found.
#[derive(Clone, Debug)]
pub struct Packed {
    /// The changes to the module.
    pub edits: Edits,
    /// The specialization constants that stand for leaves: SpecId and leaf, by ascending SpecId. The host sets those that
    /// hold on its device to true.
    pub leaves: Vec<(u32, Leaf)>,
    /// What the module requires of a device besides what it declares.
    pub requirements: Simplified,
    /// What happened, for people.
    pub summary: Summary,
}

/// What the steps share.
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

/// Works out the multi-target form of a module. A module without conditional calls has no edits. Annotations are in the form that
/// [`expand`](crate::transform::expand::expand) brings them to: only of single calls, never of the functions that they call.
///
/// # Errors
/// Where a conditional call is malformed, a condition is out of bounds, or the dialect cannot express a leaf. See
/// [`PackError`].
pub fn pack(analyses: &Analyses, options: &Options) -> Result<Packed, PackError> {
    let (module, names, annotated) = (analyses.module(), analyses.names(), analyses.annotated());
    let mut calls = analyses.calls()?.without_regions();
    if let Some(device) = &options.device {
        calls.assume(&|leaf| device.truth(leaf))?;
    }
    if let Some(call) = calls.calls.iter().find(|call| !call.otherwise.is_empty()) {
        return Err(PackError::NotExpanded(names.display(call.function)));
    }
    let mut summary = Summary::default();
    summary.warnings.extend(calls.uncalled.iter().map(|&id| Warning::Uncalled(names.display(id))));
    if calls.calls.is_empty() && calls.regions.constants.is_empty() {
        if names.are_stripped() {
            summary.warnings.push(Warning::Nameless);
        }
        let edits = Edits::new(module);
        return Ok(Packed {
            edits,
            leaves: Vec::new(),
            requirements: requirements::unconditional(analyses, options)?,
            summary,
        });
    }
    let multi_target = analyses.multi_target()?;
    let presence = analyses.presence_with(&calls)?;
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
    let mut plan = Plan::default();
    calls::rewrite(&mut work, &mut plan, annotated, options)?;
    plan.decide(&mut work)?;
    declarations::decide(&mut work, &mut plan)?;
    plan.remove(&mut work, annotated);
    let requirements = requirements::collect(&mut work, analyses, options)?;
    if options.dialect == Dialect::FunctionVariants {
        declarations::decide_leaves(&mut work, &mut plan)?;
    }
    let mut constants = Constants::new(&work, options.dialect);
    let conditions = constants.emit(&mut work, plan.conditions())?;
    plan.write(&mut work, &conditions, options.dialect, constants.asks_device);
    let leaves = constants.leaves;
    work.summary.finish(&mut work.presence, &calls, names)?;
    Ok(Packed { edits: work.edits, leaves, requirements, summary: work.summary })
}

/// The constants that stand for conditions.
type ConditionIds = BTreeMap<Condition, u32>;
