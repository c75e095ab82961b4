//! Which devices run a module, by entry point.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::model::Inspected;
use super::study::{InspectionError, Study};
use crate::analysis::DeviceRequirement;
use crate::compatibility::{Declarations, Fit, Fits, Missing};
use crate::condition::Expr;

/// How many devices run an entry point: those of a device configuration, or some of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Devices {
    /// How many were looked at.
    pub known: usize,
    /// How many are known to run it from the module as it stands.
    pub as_is: usize,
    /// How many are known to run it once the module is packed and specialized for them, and what nothing needs is gone.
    pub after_pack: usize,
    /// What the others lack first, from the module as it stands; what most of them lack comes first.
    pub lacking: Vec<Lacking>,
    /// The devices one by one, if they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub each: Vec<DeviceFit>,
}

/// Something that devices lack, or are not known to have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Lacking {
    /// What it is.
    pub missing: String,
    /// How many devices it is the first thing for that is missing.
    pub devices: usize,
}

/// Whether one device runs an entry point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeviceFit {
    /// The device's name.
    pub device: String,
    /// From the module as it stands.
    #[serde(serialize_with = "verdict")]
    pub as_is: Fit,
    /// From the packed module.
    #[serde(serialize_with = "verdict")]
    pub after_pack: Fit,
}

/// Whether it runs, null where that is not known, and the first thing that is missing or not known to be there.
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

impl Study<'_, '_> {
    /// Fills in which devices run the entry points; each of them, if asked. Many modules share the answers in `fits`.
    ///
    /// # Errors
    /// Where the module cannot be packed, or the properties are malformed.
    pub fn fit(
        &self,
        inspected: &mut Inspected,
        fits: &Mutex<Fits>,
        each: bool,
    ) -> Result<(), InspectionError> {
        let as_is = Declarations::as_is(self.module);
        let packed = match self.calls.is_empty() {
            true => Declarations::after_trim(self.module, self.multi_target, &self.unneeded),
            false => Declarations::after_pack(self.analyses)?,
        };
        let mut known: Option<(Declarations, Devices)> = None;
        let roots = inspected.entry_points.iter_mut().chain(&mut inspected.exported_functions);
        for (entry_point, root) in roots.zip(self.roots()) {
            // A size that the host can set keeps no device from running it.
            let size = self.sizes.get(&root.function()).and_then(|sizes| sizes.fixed_work_items());
            let needs = std::mem::take(&mut entry_point.needs);
            // Calls are conditional only once the module is packed.
            let as_called = |(need, when): &(DeviceRequirement, Expr)| match self.calls.is_empty() {
                true => (*need, when.clone()),
                false => (*need, Expr::True),
            };
            let own = as_is.with_requirements(size, needs.iter().map(as_called).collect());
            let devices = match &known {
                Some((before, devices)) if *before == own => devices.clone(),
                _ => {
                    let mut fits = fits.lock().unwrap_or_else(PoisonError::into_inner);
                    let as_is = fits.of_module(&own, self.module, self.properties)?;
                    let packed =
                        fits.of_module(&packed.with_requirements(size, needs), self.module, self.properties)?;
                    let names: Vec<String> = match each {
                        true => fits.devices().iter().map(|device| device.name.clone()).collect(),
                        false => Vec::new(),
                    };
                    drop(fits);
                    summary(names, &as_is, &packed)
                }
            };
            known = Some((own, devices.clone()));
            entry_point.devices = Some(devices);
        }
        Ok(())
    }
}

/// How many devices there are of each kind, and what the `names` among them do.
fn summary(names: Vec<String>, as_is: &Arc<[Fit]>, packed: &Arc<[Fit]>) -> Devices {
    let running = |fits: &[Fit]| fits.iter().filter(|fit| fit.runs()).count();
    let fits = names.into_iter().zip(as_is.iter().zip(packed.iter()));
    Devices {
        known: as_is.len(),
        as_is: running(as_is),
        after_pack: running(packed),
        lacking: lacking(as_is),
        each: fits
            .map(|(device, (as_is, packed))| DeviceFit {
                device,
                as_is: as_is.clone(),
                after_pack: packed.clone(),
            })
            .collect(),
    }
}

fn lacking(fits: &[Fit]) -> Vec<Lacking> {
    let mut counts: BTreeMap<&Missing, usize> = BTreeMap::new();
    for fit in fits {
        if let Fit::Missing(missing) | Fit::Unknown(missing) = fit {
            *counts.entry(missing).or_default() += 1;
        }
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|&(_, devices)| Reverse(devices));
    counts.into_iter().map(|(missing, devices)| Lacking { missing: missing.name(), devices }).collect()
}
