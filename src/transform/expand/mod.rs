//! From annotations of functions to single conditional calls: the form that [`pack`](super::pack) takes.
//!
//! A call of a function that has another one for where its condition does not hold becomes two calls, and a copy of the result
//! of either. So do calls of functions with variants, and calls in guarded blocks.

mod error;
mod sites;

pub use error::ExpandError;

use std::collections::HashSet;

use crate::analysis::{Analyses, Annotated};
use crate::transform::Edits;

/// A module whose conditional calls stand one by one.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// The changes to the module.
    pub edits: Edits,
    /// What is said of the module that they make. It says nothing any more of when functions are called.
    pub annotated: Annotated,
    /// The functions with a condition that nothing calls.
    pub uncalled: Vec<u32>,
}

/// Works out the expanded form of a module; `None` if the annotations have no conditions.
///
/// # Errors
/// Where a conditional call must have a result, and nothing says which it is where it does not happen. See [`ExpandError`].
pub fn expand(analyses: &Analyses) -> Result<Option<Expanded>, ExpandError> {
    let (module, annotated) = (analyses.module(), analyses.annotated());
    if annotated.when.is_empty() && annotated.variants.is_empty() && annotated.spec_constants.is_empty() {
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
            variants: annotated.variants.clone(),
            calls: annotated.calls.clone(),
            joins: annotated.joins.clone(),
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
        .filter(|&id| module.function(id).is_some() && !called.contains(&id))
        .collect();
    sites::rewrite(module, calls, annotated, presence, &mut expanded);
    Ok(Some(expanded))
}
