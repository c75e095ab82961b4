//! `merge`: builds of one shader for different devices as one module.

use super::{Condition, Dialect, Error, Module, SpecId};
use crate::condition::Expr;
use crate::device::DeviceConfig;
use crate::pipelines::merge::merge_variants;
use crate::sidecar::property_sets::{PropertyNames, PropertySets};
use crate::transform::merge::MergeInput;

/// A build of a shader, and the condition under which a device gets it if no variant before it is chosen.
#[derive(Clone, Copy, Debug)]
pub struct Variant<'v> {
    /// The module.
    pub module: &'v Module<'v>,
    /// The condition; `None` for all devices that no other variant is for.
    pub condition: Option<&'v Condition>,
}

/// Options of [`merge()`].
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct MergeOptions {
    /// The form of the leaves of conditions.
    pub dialect: Dialect,
    /// The devices for which a condition may imply an aspect; those of the embedded configuration, if none are given.
    pub devices: Option<DeviceConfig>,
    /// The spelling of the properties.
    pub property_names: PropertyNames,
}

/// Variants as one module.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Merged {
    /// The words, in the host's byte order.
    pub words: Vec<u32>,
    /// Its property sets: which specialization constants the host sets, and what the module requires of a device.
    pub properties: PropertySets,
    /// The report on merging.
    pub summary: MergeSummary,
}

/// A report on merging.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct MergeSummary {
    /// The variants that some device gets: the name of each, the condition under which it is chosen, and the bytes that it alone has.
    pub variants: Vec<(String, Condition, usize)>,
    /// The bytes of definitions and functions that several variants have.
    pub shared: usize,
    /// The condition of the whole module: no variant is for other devices. `None` if there is one for every device.
    pub condition: Option<Condition>,
    /// The specialization constants that the host sets to true where a condition holds.
    pub set_by_host: Vec<(SpecId, Condition)>,
    /// Warnings.
    pub warnings: Vec<String>,
}

/// Merges builds of one shader for different devices to one module. On each device, the first variant whose condition holds is chosen:
/// [`Prepared::specialize`](crate::Prepared::specialize) gives it back. What is equal in several variants is there once
/// (`docs/merge.md`).
///
/// # Errors
/// If a condition is too complex, a variant has conditional code already, or they cannot be one module.
///
/// ```
/// use spirv_if::{Condition, Device, MergeOptions, Module, Prepared, Settings, Variant, merge};
/// let half = std::fs::read("fixtures/merge/scale-fp16.spv")?;
/// let plain = std::fs::read("fixtures/merge/scale.spv")?;
/// let [half, plain] = [Module::from_bytes(&half)?, Module::from_bytes(&plain)?];
/// let fp16 = Condition::parse("fp16")?;
/// let variants =
///     [Variant { module: &half, condition: Some(&fp16) }, Variant { module: &plain, condition: None }];
/// let merged = merge(&variants, &MergeOptions::default())?;
/// assert!(merged.summary.shared > 0 && merged.summary.warnings.is_empty());
/// let module = Module::from_words(merged.words)?;
/// let device = Device::embedded("intel_gpu_pvc")?;
/// let chosen = Prepared::new(&module)?.specialize(&device, &Settings::new())?;
/// assert!(spirv_if::inspect(&Module::from_words(chosen.words)?, &Default::default()).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn merge(variants: &[Variant], options: &MergeOptions) -> Result<Merged, Error> {
    if let Some(after) = variants.iter().position(|variant| variant.condition.is_none()).map(|at| at + 1)
        && let Some(later) = variants.get(after)
    {
        return Err(Error::request(format_args!(
            "{} comes after the variant for all remaining devices: that one must be the last",
            later.module.name
        )));
    }
    let lowered = variants.iter().map(|variant| variant.module.lowered()).collect::<Result<Vec<_>, _>>()?;
    let inputs: Vec<MergeInput> = variants
        .iter()
        .zip(lowered)
        .map(|(variant, lowered)| MergeInput {
            name: &variant.module.name,
            module: &lowered.inner,
            condition: variant.condition.map(|condition| &condition.expr),
        })
        .collect();
    let (mut merged, properties) =
        merge_variants(&inputs, options.dialect, options.devices.as_ref(), options.property_names)?;
    let mut summary = MergeSummary { shared: 4 * merged.shared_words, ..MergeSummary::default() };
    for own in &merged.variants {
        let condition = Condition::of(merged.conditions.expr_of(own.condition)?);
        summary.variants.push((inputs[own.input].name.to_owned(), condition, 4 * own.own_words));
    }
    if !merged.any.is_true() {
        summary.condition = Some(Condition::of(merged.conditions.expr_of(merged.any)?));
    }
    for at in merged.never_chosen {
        summary.warnings.push(format!(
            "{}: no device gets this variant, since one before it is for all that it is for; it is left out",
            inputs[at].name
        ));
    }
    let leaf = |&(spec_id, leaf): &(u32, _)| (SpecId(spec_id), Condition::of(Expr::Leaf(leaf)));
    summary.set_by_host = merged.leaves.iter().map(leaf).collect();
    Ok(Merged { words: Module::result(merged.words), properties, summary })
}
