//! The devices that run a module, by entry point.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::context::{InspectContext, InspectionError};
use super::model::{EntryPointReport, Inspected};
use crate::analysis::{DeviceRequirement, ModuleRoot};
use crate::compatibility::{Fit, Fits, Missing, ModuleDeclarations};
use crate::condition::Expr;

/// The numbers of devices that run an entry point, of a device configuration or a part of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeviceCounts {
    /// The number of devices.
    pub known: usize,
    /// The number of devices known to run the unchanged module.
    pub as_is: usize,
    /// The number of devices known to run the module once it is packed and specialized for them, or trimmed.
    pub after_pack: usize,
    /// The first missing feature of each of the other devices, for the unchanged module. The most frequent comes first.
    #[serde(rename = "lacking")]
    pub missing: Vec<MissingCount>,
    /// The single devices, if they were requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub each: Vec<DeviceFit>,
}

/// A feature that devices are missing, or are not known to have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MissingCount {
    /// Name of the feature.
    pub missing: String,
    /// The number of devices for which it is the first missing feature.
    pub devices: usize,
}

/// The answers of one device to an entry point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeviceFit {
    /// Name of the device.
    pub device: String,
    /// Result for the unchanged module.
    #[serde(serialize_with = "verdict")]
    pub as_is: Fit,
    /// Result for the packed module.
    #[serde(serialize_with = "verdict")]
    pub after_pack: Fit,
}

/// Serializes whether the device runs it (null if unknown), and the first feature that is missing or unknown.
fn verdict<S: Serializer>(fit: &Fit, serializer: S) -> Result<S::Ok, S::Error> {
    let missing = match fit {
        Fit::Runs => None,
        Fit::Missing(missing) | Fit::Unknown(missing) => Some(missing),
    };
    let mut members = serializer.serialize_struct("Verdict", 1 + usize::from(missing.is_some()))?;
    members.serialize_field("runs", &fit.is_known_to_run())?;
    if let Some(missing) = missing {
        members.serialize_field("missing", &missing.name())?;
    }
    members.end()
}

/// The declarations for an entry point, which decide the devices that run it.
#[derive(PartialEq)]
pub(super) struct RootDeclarations {
    /// Declarations of the unchanged module.
    pub as_is: ModuleDeclarations,
    /// Declarations of the packed module.
    pub after_pack: ModuleDeclarations,
}

impl InspectContext<'_, '_> {
    /// Returns the declarations of the whole module.
    ///
    /// # Errors
    /// If the module cannot be packed.
    pub(super) fn declarations_of_module(&self) -> Result<RootDeclarations, InspectionError> {
        let after_pack = match self.calls.is_empty() {
            true => ModuleDeclarations::after_trim(self.module, self.multi_target, &self.unneeded),
            false => ModuleDeclarations::after_pack(self.analyses)?,
        };
        Ok(RootDeclarations { as_is: ModuleDeclarations::as_is(self.module), after_pack })
    }

    /// Returns the declarations for each entry point, in the order of [`Inspected::roots`].
    ///
    /// # Errors
    /// If the module cannot be packed.
    pub(super) fn declarations_of_roots(
        &self,
        inspected: &Inspected,
    ) -> Result<Vec<RootDeclarations>, InspectionError> {
        let RootDeclarations { as_is, after_pack: packed } = self.declarations_of_module()?;
        let of_root = |(entry_point, root): (&EntryPointReport, ModuleRoot)| {
            // A size that the host can set excludes no devices.
            let size = self.sizes.get(root.function()).and_then(|sizes| sizes.fixed_work_items());
            let required = entry_point.required.clone();
            // Calls become conditional when the module is packed.
            let as_called = |(required, when): &(DeviceRequirement, Expr)| match self.calls.is_empty() {
                true => (*required, when.clone()),
                false => (*required, Expr::True),
            };
            let declared = as_is.with_requirements(size, required.iter().map(as_called).collect());
            RootDeclarations { as_is: declared, after_pack: packed.with_requirements(size, required) }
        };
        Ok(inspected.roots().zip(self.roots()).map(of_root).collect())
    }

    /// Adds the devices that run each entry point; with `each`, the single ones. Modules share the results in
    /// `fits`.
    ///
    /// # Errors
    /// If the module cannot be packed, or the properties are malformed.
    pub fn fit(
        &self,
        inspected: &mut Inspected,
        fits: &Mutex<Fits>,
        each: bool,
    ) -> Result<(), InspectionError> {
        let declarations = self.declarations_of_roots(inspected)?;
        let mut known: Option<(&RootDeclarations, DeviceCounts)> = None;
        let roots = inspected.entry_points.iter_mut().chain(&mut inspected.exported_functions);
        for (entry_point, declared) in roots.zip(&declarations) {
            let devices = match &known {
                Some((before, devices)) if *before == declared => devices.clone(),
                _ => {
                    let mut fits = fits.lock().unwrap_or_else(PoisonError::into_inner);
                    let as_is = fits.for_module(&declared.as_is, self.module, self.properties)?;
                    let packed = fits.for_module(&declared.after_pack, self.module, self.properties)?;
                    let names: Vec<String> = match each {
                        true => fits.devices().iter().map(|device| device.name.clone()).collect(),
                        false => Vec::new(),
                    };
                    drop(fits);
                    summary(names, &as_is, &packed)
                }
            };
            known = Some((declared, devices.clone()));
            entry_point.devices = Some(devices);
        }
        Ok(())
    }
}

/// Counts devices, and lists the results of those in `names`.
fn summary(names: Vec<String>, as_is: &Arc<[Fit]>, packed: &Arc<[Fit]>) -> DeviceCounts {
    let running = |fits: &[Fit]| fits.iter().filter(|fit| fit.runs()).count();
    let fits = names.into_iter().zip(as_is.iter().zip(packed.iter()));
    DeviceCounts {
        known: as_is.len(),
        as_is: running(as_is),
        after_pack: running(packed),
        missing: missing(as_is),
        each: fits
            .map(|(device, (as_is, packed))| DeviceFit {
                device,
                as_is: as_is.clone(),
                after_pack: packed.clone(),
            })
            .collect(),
    }
}

fn missing(fits: &[Fit]) -> Vec<MissingCount> {
    let mut counts: BTreeMap<&Missing, usize> = BTreeMap::new();
    for fit in fits {
        if let Fit::Missing(missing) | Fit::Unknown(missing) = fit {
            *counts.entry(missing).or_default() += 1;
        }
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|&(_, devices)| Reverse(devices));
    counts.into_iter().map(|(missing, devices)| MissingCount { missing: missing.name(), devices }).collect()
}
