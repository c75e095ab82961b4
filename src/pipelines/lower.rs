//! Lowering of features that are missing on devices.

use std::borrow::Cow;
use std::collections::BTreeSet;

use spirv::Capability;

use super::error::kinds_of_errors;
use super::{ModuleBuffer, ModuleErrorKind, PipelineError, RequestErrorKind};
use crate::analysis::Annotated;
use crate::analysis::requirements::{closure, is_of_kernels};
use crate::device::{Device, capabilities};
use crate::loader::Module;
use crate::transform::lower::{
    self, FeaturesToLower, LowerError, LowerableFeature, LoweredFeature, NarrowStorage, UnknownFeature,
    lowerable_features, without_unused,
};
use crate::transform::trim::trim_declarations;

kinds_of_errors! {
    LowerError => module(ModuleErrorKind::Lower),
    UnknownFeature => request(RequestErrorKind::Feature),
}

/// Returns the features that annotations list.
///
/// # Errors
/// If there are no rules for one of them.
pub(super) fn annotated_features(annotated: &Annotated) -> Result<Vec<LowerableFeature>, PipelineError> {
    let feature = |&capability: &u32| {
        let name = capabilities::name(capability).unwrap_or_default();
        Ok(LowerableFeature::find(name).ok_or_else(|| UnknownFeature { name: name.to_owned() })?)
    };
    annotated.lower.iter().map(feature).collect()
}

/// Returns the features to lower for devices: those of the request, or those of annotations that are known to be missing on one of the devices.
///
/// # Errors
/// If there are no rules for a listed feature.
pub(super) fn requested<'r>(
    request: Option<&'r FeaturesToLower>,
    annotated: &Annotated,
    devices: &[&Device],
    in_kernels: bool,
) -> Result<Option<Cow<'r, FeaturesToLower>>, PipelineError> {
    if request.is_some() || annotated.lower.is_empty() {
        return Ok(request.map(Cow::Borrowed));
    }
    let mut missing = annotated_features(annotated)?;
    missing.retain(|feature| is_missing(*feature, devices, in_kernels));
    Ok(Some(Cow::Owned(FeaturesToLower::Named(missing))))
}

/// Returns true if a feature is known to be missing on one of the devices.
fn is_missing(feature: LowerableFeature, devices: &[&Device], in_kernels: bool) -> bool {
    devices.iter().any(|device| device.supports_capability(feature.capability(), in_kernels) == Some(false))
}

/// Returns the words of a module without the named features, or those known to be missing on one of the devices, as far as the module declares
/// them. With `wider_halves`, floats in the place of halves are not rounded.
///
/// # Errors
/// If the words are not a module, or something in it cannot be lowered.
pub(super) fn lowered<'m>(
    features: &FeaturesToLower,
    wider_halves: bool,
    devices: &[&Device],
    mut words: ModuleBuffer<'m>,
    changes: &mut Vec<LoweredFeature>,
) -> Result<ModuleBuffer<'m>, PipelineError> {
    let head = Module::from_words(words.before_functions().into_owned())?;
    let in_kernels = is_of_kernels(&head);
    let before = closure(head.capabilities().map(|declared| declared.capability()));
    let is_requested = |feature: &LowerableFeature| match features {
        FeaturesToLower::Missing => is_missing(*feature, devices, in_kernels),
        FeaturesToLower::Named(named) => named.contains(feature),
    };
    let is_int64 = |feature: &&LowerableFeature| feature.capability() == Capability::Int64 as u32;
    let keeps_integers = !lowerable_features().iter().filter(is_int64).any(is_requested);
    for feature in lowerable_features().iter().filter(|feature| is_requested(feature)) {
        let head = Module::from_words(words.before_functions().into_owned())?;
        let declared = closure(head.capabilities().map(|declared| declared.capability()));
        // Halves of kernels become 16-bit integers in memory, which stay.
        if ![&before, &declared].iter().all(|declared| declared.contains(&feature.capability())) {
            continue;
        }
        let mut change = LoweredFeature::new(*feature);
        words = words.changed(&mut |module| {
            let result = lower::lower(module, *feature, keeps_integers, wider_halves)?;
            change.exact = result.exact;
            change.is_wider = wider_halves && feature.capability() == Capability::Float16 as u32;
            change.condition = result.condition;
            change.functions = result.functions;
            change.replaced = result.replaced;
            change.instructions_before = module.instructions().count();
            Ok(result.edits)
        })?;
        if let Some(storage) = NarrowStorage::new(feature.capability()) {
            words = words.changed(&mut |module| Ok(without_unused(module)))?;
            words = words
                .changed(&mut |module| Ok(trim_declarations(module, &|one| storage.may_need(one)).edits))?;
        }
        let head = Module::from_words(words.before_functions().into_owned())?;
        let left = closure(head.capabilities().map(|declared| declared.capability()));
        let is_gone = |other: &&LowerableFeature| {
            *other != feature && declared.contains(&other.capability()) && !left.contains(&other.capability())
        };
        change.also = lowerable_features().iter().filter(is_gone).copied().collect();
        change.instructions_after = Module::from_words(words.whole())?.instructions().count();
        changes.push(change);
    }
    Ok(words)
}

/// Returns the aspects that only code with features that were lowered requires.
pub(super) fn aspects_of<'l>(
    changes: impl IntoIterator<Item = &'l LoweredFeature>,
    in_kernels: bool,
) -> BTreeSet<u32> {
    let features =
        changes.into_iter().flat_map(|change| std::iter::once(&change.feature).chain(&change.also));
    features.flat_map(|feature| capabilities::required_aspects(feature.capability(), in_kernels)).collect()
}
