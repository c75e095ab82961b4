//! Clones of functions for calls whose arguments decide branches in them. Cloning runs in rounds, since a clone may call other functions
//! with newly known arguments.

use std::borrow::Cow;

use super::PipelineError;
use crate::analysis::Analyses;
use crate::analysis::constants::{Constants, KnownValues, SetValues};
use crate::analysis::flow::{CallCloneLimits, Solution};
use crate::loader::Module;
use crate::transform::cloning::{CallClone, CallClones, clone_for_calls};
use crate::transform::specialize::UnsetPolicy;
use crate::writer::apply;

/// A module with clones of functions.
#[derive(Debug, Default)]
pub struct CallClonedModule {
    /// `None` if no function is cloned.
    pub module: Option<Module<'static>>,
    pub clones: Vec<CallClone>,
    /// The functions that were not cloned because of the limits, by their names in messages.
    pub too_large: Vec<String>,
    /// The outcome of the values of constants in the unchanged module, if it was required.
    pub solution: Option<Solution>,
}

/// Clones the functions of a module in which values of constants decide branches for some calls, within limits.
///
/// # Errors
/// If the module has no ids left.
pub fn with_call_clones(
    analyses: &Analyses,
    known: &dyn KnownValues,
    set: &SetValues,
    unset: UnsetPolicy,
    limits: &CallCloneLimits,
) -> Result<CallClonedModule, PipelineError> {
    let mut cloned = CallClonedModule::default();
    for _ in 0..limits.rounds {
        let round = match &cloned.module {
            None => round(analyses, known, set, unset, limits).map(|mut round| {
                cloned.solution = round.solution.take();
                round
            }),
            Some(module) => {
                let cloned = analyses.for_edited_module(module, Cow::Borrowed(analyses.annotated()));
                round(&cloned, known, set, unset, limits)
            }
        }?;
        cloned.clones.extend(round.clones);
        cloned.too_large = round.too_large;
        match round.module {
            Some(module) => cloned.module = Some(module),
            None => break,
        }
    }
    Ok(cloned)
}

fn round(
    analyses: &Analyses,
    known: &dyn KnownValues,
    set: &SetValues,
    unset: UnsetPolicy,
    limits: &CallCloneLimits,
) -> Result<CallClonedModule, PipelineError> {
    let module = analyses.module();
    let mut constants = Constants::with(module, known, set.clone(), analyses.spec_constants_by_id().into());
    if unset == UnsetPolicy::Default {
        constants.set_defaults();
    }
    let CallClones { edits, clones, too_large, solution } =
        clone_for_calls(analyses, limits, &mut |id| constants.value(id));
    let module = match edits.is_empty() {
        true => None,
        false => Some(Module::from_words(apply(module, &edits)?)?),
    };
    Ok(CallClonedModule { module, clones, too_large, solution })
}
