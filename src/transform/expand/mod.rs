//! Expansion of annotations of functions to single conditional calls: the form that [`pack`](super::pack) accepts.
//!
//! A call of a function with an alternative for devices on which its condition is false becomes two calls, and a copy of the result of
//! either. So do calls of functions with clones, and calls in guarded regions.

mod sites;

use std::collections::HashSet;

use thiserror::Error;

use crate::analysis::{Analyses, AnalysisError, Annotated};
use crate::condition::ConditionError;
use crate::transform::Edits;

/// A module with expanded conditional calls.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// The changes to the module.
    pub edits: Edits,
    /// The annotations of the changed module, without the conditions of functions.
    pub annotated: Annotated,
    /// The functions with a condition that nothing calls.
    pub uncalled: Vec<u32>,
}

/// Expands the annotations of a module; `None` if they have no conditions.
///
/// # Errors
/// If the result of a conditional call is used, and no annotation defines it for devices on which the call is not taken. See
/// [`ExpandError`].
pub fn expand(analyses: &Analyses) -> Result<Option<Expanded>, ExpandError> {
    let (module, annotated) = (analyses.module(), analyses.annotated());
    if annotated.when.is_empty() && annotated.clones.is_empty() && annotated.spec_constants.is_empty() {
        return Ok(None);
    }
    let calls = analyses.calls()?;
    let presence = if calls.regions.is_empty() { None } else { Some(analyses.presence()?) };
    let mut expanded = Expanded {
        edits: Edits::new(module),
        annotated: Annotated {
            aspects: annotated.aspects.clone(),
            fixed_targets: annotated.fixed_targets.clone(),
            sources: annotated.sources.clone(),
            spec_constants: annotated.spec_constants.clone(),
            clones: annotated.clones.clone(),
            calls: annotated.calls.clone(),
            joins: annotated.joins.clone(),
            outlined: annotated.outlined.clone(),
            ..Annotated::default()
        },
        uncalled: Vec::new(),
    };
    let called = calls.calls.iter().flat_map(|call| {
        let instead = call.otherwise.iter().filter_map(|(_, otherwise)| otherwise.function());
        instead.chain([call.function])
    });
    let called: HashSet<u32> = called.collect();
    expanded.uncalled = annotated
        .when
        .keys()
        .copied()
        .filter(|&id| module.is_function(id) && !called.contains(&id))
        .collect();
    sites::rewrite(module, calls, annotated, presence, &mut expanded);
    Ok(Some(expanded))
}

/// The reason that annotations cannot be expanded.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExpandError {
    /// The conditional code is malformed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// A condition is out of bounds.
    #[error(transparent)]
    Condition(#[from] ConditionError),
}
