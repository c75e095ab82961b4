//! Packing of a compiler's module into one for every device: the producer of SPV_INTEL_function_variants.
//!
//! The design is docs/design/device-if.md, "Alternate design for non-AOT SPIR-V targets". Conditional calls become calls of their actions
//! (`calls`). Definitions that only conditional code requires get a condition (`plan`), and so do capabilities and extensions (`declarations`). The
//! conditions become specialization-constant expressions ([`ConditionConstants`]).

mod bound_constants;
mod calls;
mod declarations;
mod implied;
mod plan;
mod requirements;
mod summary;
#[cfg(test)]
mod tests;
mod unwritten;

pub use requirements::required;
pub use summary::{PackWarning, Summary};

pub use super::condition_constants::Dialect;
use super::spec_ids::SpecIds;

use std::collections::BTreeSet;

use spirv::Op;
use thiserror::Error;

use super::condition_constants::{ConditionConstants, ConditionIds, UnwritableCondition, names_of_constants};
use super::insertion::InsertionPoints;
use crate::analysis::conditions::multi_target::MultiTarget;
use crate::analysis::{
    Analyses, AnalysisError, ConditionalCalls, Names, PresenceConditions, SimplifiedRequirements,
};
use crate::collections::gather;
use crate::condition::{ConditionError, ConditionId, Leaf};
use crate::device::unknown::unknown_leaves;
use crate::device::{Device, DeviceConfig};
use crate::loader::{Module, views};
use crate::metadata::property_sets::PropertyNames;
use crate::transform::Edits;
use crate::transform::cloning::CloneLimit;
use crate::transform::lower::FeaturesToLower;
use bound_constants::{BoundConstants, by_constants};
use plan::PackPlan;

/// The reason that a module cannot be packed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PackError {
    /// The conditional code is malformed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// A condition is out of bounds.
    #[error(transparent)]
    Condition(#[from] ConditionError),
    /// A condition that cannot be written.
    #[error(transparent)]
    Unwritable(#[from] UnwritableCondition),
    /// An id whose condition comes through a decoration group and must change.
    #[error(
        "{0} is conditional through a decoration group and needs a narrower condition: decorate it alone"
    )]
    Grouped(String),
    /// Annotations that are not expanded.
    #[error("the calls of {0} have an `otherwise`: expand the annotations first")]
    NotExpanded(String),
    /// A function in which one of several pointers would have to be chosen.
    #[error(
        "in {0}, the result of a conditional call is a pointer: with logical addressing, OpConditionalCopyObjectINTEL may not choose \
         between pointers. Have the functions return the value that is read through it, or specialize the module for each device \
         without packing it"
    )]
    PointerResult(String),
}

/// Options of packing a module.
///
/// ```
/// use spirv_if::PackOptions;
/// use spirv_if::pack::Dialect;
/// let options = PackOptions::new().dialect(Dialect::FunctionVariants).exports(["helper"]).strip(true);
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct PackOptions {
    pub(crate) dialect: Dialect,
    pub(crate) exports: Vec<String>,
    pub(crate) keep_exports: bool,
    pub(crate) max_clones: CloneLimit,
    /// The devices that decide which conditional aspects are listed (docs/design/device-if.md, "Simplification of conditionally used
    /// aspects").
    pub(crate) devices: Option<DeviceConfig>,
    pub(crate) property_names: PropertyNames,
    pub(crate) strip: bool,
    /// The features that devices may lack, and for which they get code without them.
    pub(crate) lower: Option<FeaturesToLower>,
    /// The target devices, if the module is for certain devices. Conditions on which they agree are decided, and only
    /// the others are written (docs/design/device-if.md, "Alternate design for AOT targets").
    pub(crate) targets: Vec<Device>,
    /// SpecIds that new constants do not get, besides those of the module: hosts set others by them.
    pub(crate) taken_spec_ids: BTreeSet<u32>,
    /// Names that new constants do not get, besides those of the module's specialization constants.
    pub(crate) taken_names: BTreeSet<String>,
}

impl PackOptions {
    /// The maximum number of clones of one function where none is set.
    pub const DEFAULT_MAX_CLONES: usize = CloneLimit::DEFAULT.0;

    /// Starts with the default options.
    pub fn new() -> PackOptions {
        PackOptions::default()
    }

    /// Packs a part of a module: for these targets, and without the SpecIds and names that the whole module has.
    #[doc(hidden)]
    pub fn for_part(
        self,
        targets: Vec<Device>,
        taken_spec_ids: BTreeSet<u32>,
        taken_names: BTreeSet<String>,
    ) -> PackOptions {
        PackOptions { targets, taken_spec_ids, taken_names, ..self }
    }

    /// Sets the form in which leaves of conditions are written.
    pub fn dialect(mut self, dialect: Dialect) -> PackOptions {
        self.dialect = dialect;
        self
    }

    /// Adds the linkage names or OpNames of functions that are kept on every device, besides the entry points.
    pub fn exports(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> PackOptions {
        self.exports.extend(names.into_iter().map(Into::into));
        self
    }

    /// Keeps all exported functions and variables on every device, if true.
    pub fn keep_exports(mut self, keep: bool) -> PackOptions {
        self.keep_exports = keep;
        self
    }

    /// Sets the maximum number of clones of one function, 8 by default.
    ///
    /// There is one clone for each combination of values of the constants that guard blocks of the function.
    pub fn max_clones(mut self, count: usize) -> PackOptions {
        self.max_clones = CloneLimit(count);
        self
    }

    /// Sets the devices for which a condition may imply an aspect. By default they are those of the embedded configuration.
    pub fn devices(mut self, devices: impl Into<Option<DeviceConfig>>) -> PackOptions {
        self.devices = devices.into();
        self
    }

    /// Sets the spelling of properties.
    pub fn property_names(mut self, names: PropertyNames) -> PackOptions {
        self.property_names = names;
        self
    }

    /// Sets the features that devices without them do not need: where code requires one, such devices get a lowered twin. Fallbacks of the
    /// source come first, and parts that require no listed feature exist once. With [`FeaturesToLower::Missing`], these are all features of the
    /// module that can be lowered.
    pub fn lower(mut self, features: impl Into<Option<FeaturesToLower>>) -> PackOptions {
        self.lower = features.into();
        self
    }

    /// Removes names, debug information and reflection from the result, if true, as [`strip`](crate::trim::strip) does.
    pub fn strip(mut self, strip: bool) -> PackOptions {
        self.strip = strip;
        self
    }

    /// Calls a function with the known facts of each target device.
    fn with_known<R>(&self, with: impl FnOnce(&[&dyn Fn(Leaf) -> Option<bool>]) -> R) -> R {
        let known: Vec<_> = self.targets.iter().map(|device| |leaf| device.truth(leaf)).collect();
        with(&known.iter().map(|known| known as &dyn Fn(Leaf) -> Option<bool>).collect::<Vec<_>>())
    }
}

/// The result of [`pack`].
#[derive(Clone, Debug)]
pub struct PackResult {
    /// The changes to the module.
    pub edits: Edits,
    /// Specialization constants of leaves: SpecId and leaf, by ascending SpecId. The host sets the constants of true leaves to true.
    pub leaves: Vec<(u32, Leaf)>,
    /// The requirements of the module on a device besides its declarations.
    pub requirements: SimplifiedRequirements,
    /// A summary for users.
    pub summary: Summary,
}

/// The state that the steps share.
struct PackContext<'m> {
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
/// expanded: only single calls have conditions, never the functions that they call.
///
/// # Errors
/// If a conditional call is malformed, a condition is out of bounds, or the dialect cannot express a leaf. See [`PackError`].
pub fn pack(analyses: &Analyses, options: &PackOptions) -> Result<PackResult, PackError> {
    let (module, names, annotated) = (analyses.module(), analyses.names(), analyses.annotated());
    let mut calls = analyses.calls()?.of_functions();
    options.with_known(|known| calls.assume(known))?;
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
    if calls.calls.is_empty() && calls.regions.constants.is_empty() && options.targets.is_empty() {
        if names.are_stripped() {
            summary.warnings.push(PackWarning::Nameless);
        }
        let edits = Edits::new(module);
        return Ok(PackResult {
            edits,
            leaves: Vec::new(),
            requirements: requirements::unconditional(analyses, options)?,
            summary,
        });
    }
    let mut presence = analyses.presence_with(&calls)?;
    if calls::remove_never_taken(module, &mut calls, multi_target, &mut presence)? {
        presence = analyses.presence_with(&calls)?;
    }
    let mut context = PackContext {
        module,
        names,
        calls: &calls,
        multi_target,
        presence,
        points: InsertionPoints::find(module),
        edits: Edits::new(module),
        summary,
    };
    unwritten::warn(&mut context)?;
    let mut plan = PackPlan::default();
    calls::rewrite(&mut context, &mut plan, annotated, options)?;
    plan.decide(&mut context)?;
    declarations::decide(&mut context, &mut plan)?;
    plan.remove(&mut context, annotated);
    calls::settle_decided(&mut context, &plan, analyses.own_actions());
    let requirements = requirements::collect(&mut context, analyses, options)?;
    if options.dialect == Dialect::FunctionVariants {
        declarations::decide_leaves(&mut context, &mut plan)?;
    }
    let (constants, conditions) = write_constants(&mut context, plan.conditions(), options)?;
    plan.write(&mut context, &conditions, options.dialect, constants.has_device_constants);
    let leaves = constants.leaves;
    let unknown = unknown_leaves(leaves.iter().map(|&(_, leaf)| leaf));
    context.summary.warnings.extend(unknown.into_iter().map(PackWarning::Unknown));
    implied::warn(&mut context, analyses)?;
    context.summary.finish(&mut context.presence, &calls, names, &annotated.outlined)?;
    Ok(PackResult { edits: context.edits, leaves, requirements, summary: context.summary })
}

/// Writes the constants of all conditions; the leaves first, in their order.
fn write_constants(
    context: &mut PackContext,
    conditions: BTreeSet<ConditionId>,
    options: &PackOptions,
) -> Result<(ConditionConstants, ConditionIds), PackError> {
    let bool_type = context.module.globals().find(|inst| inst.is(Op::TypeBool));
    let bool_type = bool_type.map(|inst| views::Type(inst).id());
    let spec_ids_of_module = context.module.spec_ids().map(views::SpecId::spec_id);
    let spec_ids = SpecIds::new(spec_ids_of_module.chain(options.taken_spec_ids.iter().copied()));
    let dialect = options.dialect;
    let taken_names =
        context.points.has_names.then(|| &names_of_constants(context.module) | &options.taken_names);
    let mut constants = ConditionConstants::new(dialect, bool_type, spec_ids, taken_names);
    let bound = BoundConstants::read(context, dialect)?;
    let insertion_point = bound.prepare(&mut constants, context);
    let mut leaves: BTreeSet<Leaf> =
        gather(conditions.iter().flat_map(|&condition| context.presence.conditions.leaves(condition)));
    leaves.extend(bound.leaves());
    constants.add_leaves(&leaves, &mut || context.edits.fresh_id())?;
    context.edits.insert_words(context.points.names, &constants.names);
    context.edits.insert_words(context.points.annotations, &constants.decorations);
    let booleans = bound.define(&mut constants, context)?;
    context.edits.insert_words(insertion_point, &std::mem::take(&mut constants.constants));
    let all = &mut context.presence.conditions;
    let mut expressions = Vec::new();
    for &condition in &conditions {
        let expr = match booleans.is_empty() {
            true => None,
            false => by_constants(condition, ConditionId::TRUE, &booleans, all)?,
        };
        expressions.push((expr.map_or_else(|| all.expr_of(condition), Ok)?, condition));
    }
    bound.name(&expressions, &mut constants, context);
    let ids = constants.add_expressions(expressions, &mut || context.edits.fresh_id());
    // Conditions may depend on any constant of the module.
    context.edits.insert_words(context.points.globals, &std::mem::take(&mut constants.constants));
    Ok((constants, ids))
}
