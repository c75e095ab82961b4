//! Variants merged to one module, with the requirements of all of them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::property_sets::of_leaves;
use super::{PipelineError, has_conditional_calls};
use crate::analysis::conditions::multi_target::declares_extension;
use crate::analysis::{Analyses, Simplified, join};
use crate::condition::Condition;
use crate::device::DeviceConfig;
use crate::loader::Module;
use crate::sidecar::property_sets::{PropertyNames, PropertySets};
use crate::transform::condition_constants::Dialect;
use crate::transform::merge::{MergeError, MergeInput, MergedModule, merge};
use crate::transform::{Edits, carry, pack};
use crate::writer::apply_in_place;

/// Merges variants. Beside the result: its property sets, which it also carries.
///
/// # Errors
/// See [`PipelineError`].
pub fn merge_variants(
    inputs: &[MergeInput],
    dialect: Dialect,
    devices: Option<&DeviceConfig>,
    names: PropertyNames,
) -> Result<(MergedModule, PropertySets), PipelineError> {
    for input in inputs {
        let analyses = Analyses::new(input.module, Cow::default());
        if has_conditional_calls(&analyses)? {
            return Err(MergeError::ConditionalCalls(input.name.to_owned()).into());
        }
    }
    let mut merged = merge(inputs, dialect)?;
    let conditions = &mut merged.conditions;
    let mut required = BTreeMap::new();
    for variant in &merged.variants {
        let analyses = Analyses::new(inputs[variant.input].module, Cow::default());
        for (requirement, when) in pack::required(&analyses, conditions)? {
            let when = conditions.and(when, variant.condition)?;
            join(&mut required, requirement, when, conditions)?;
        }
    }
    // Where no variant is chosen, nothing else is required.
    for when in required.values_mut() {
        if conditions.implies(merged.any, *when)? {
            *when = Condition::TRUE;
        }
    }
    let mut requirements = Simplified::of(required, conditions, devices)?.to_requirements()?;
    if !merged.any.is_true() {
        requirements.condition = Some(conditions.expr_of(merged.any)?.to_series()?);
    }
    let sets = of_leaves(&merged.leaves, &requirements, names);
    let module = Module::from_words(std::mem::take(&mut merged.words))?;
    let mut edits = Edits::new(&module);
    if declares_extension(&module) || requirements.condition.is_some() {
        carry(&module, Some(&sets), &mut edits)?;
    }
    merged.words = module.into_words();
    apply_in_place(&mut merged.words, &edits)?;
    Ok((merged, sets))
}
