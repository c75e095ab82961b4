//! Devices of a vendor with equal results.

use serde::Serialize;

use super::answer::DeviceOutcome;
use super::devices::RootResults;
use spirv_if::device::Device;
use spirv_if::engine::collections::sort_by_key;
use spirv_if::engine::device::products;
use spirv_if::error::Missing;
use spirv_if::specialize::{Compatibility, Verdict};

/// Vendor of devices that the table of products does not have.
const OTHER_VENDOR: &str = "Other devices";

/// Verdicts beside those of [`Verdict`].
const AFTER_REMEDY: &str = "runs after a remedy";
pub(super) const OTHER_KIND: &str = "takes no such modules";

/// Devices of a vendor with equal results for every entry point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeviceGroup {
    /// Name of the vendor.
    pub vendor: &'static str,
    /// The verdict on the module: `runs`, `runs after a remedy`, `does not run`, `not known`, or `takes no such modules`.
    pub verdict: &'static str,
    /// The remedy after which the devices run it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
    /// The first feature that they do not have, or are not known to have; before a remedy, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// The devices, in their order.
    pub devices: Vec<NamedDevice>,
}

/// A device with the names of products.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NamedDevice {
    /// The name of the device.
    pub name: String,
    /// Index of the device among `each`.
    pub index: usize,
    /// Products that are the device, the best known first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub products: Vec<&'static str>,
}

impl DeviceGroup {
    /// Groups devices. `roots` has the results for each entry point, `outcomes` those for the module. Groups that do not run the module
    /// come first, then those after a remedy.
    pub(super) fn all(
        devices: &[&Device],
        roots: &[RootResults],
        outcomes: &[DeviceOutcome],
    ) -> Vec<DeviceGroup> {
        let is_same = |one: usize, other: usize| {
            // What else is missing on a device does not matter if it takes no modules of this kind.
            outcomes[one] == outcomes[other]
                && (outcomes[one] == DeviceOutcome::OtherKind
                    || roots.iter().all(|root| root.device(one) == root.device(other)))
        };
        let mut groups: Vec<(&DeviceOutcome, DeviceGroup)> = Vec::new();
        for (index, (device, outcome)) in devices.iter().zip(outcomes).enumerate() {
            let name = &device.name;
            let vendor = products::vendor(name).unwrap_or(OTHER_VENDOR);
            let products = products::products(name).collect();
            let device = NamedDevice { name: name.to_string(), index, products };
            let belongs = |(_, group): &&mut (&DeviceOutcome, DeviceGroup)| {
                group.vendor == vendor && is_same(group.devices[0].index, index)
            };
            match groups.iter_mut().find(belongs) {
                Some((_, group)) => group.devices.push(device),
                None => {
                    let mut as_is = roots.iter().map(|root| root.device(index).as_is);
                    let before = as_is.find_map(Compatibility::first).map(Missing::name);
                    groups.push((outcome, DeviceGroup::new(vendor, outcome, before, device)));
                }
            }
        }
        sort_by_key(&mut groups, |(outcome, _)| rank(outcome));
        groups.into_iter().map(|(_, group)| group).collect()
    }

    fn new(
        vendor: &'static str,
        outcome: &DeviceOutcome,
        before: Option<String>,
        device: NamedDevice,
    ) -> DeviceGroup {
        let (verdict, remedy, missing) = match outcome {
            DeviceOutcome::OtherKind => (OTHER_KIND, None, None),
            DeviceOutcome::NotRun { verdict, missing } => (verdict.name(), None, Some(missing.name())),
            DeviceOutcome::AfterRemedy(remedy, _) => (AFTER_REMEDY, Some(remedy.words()), before),
            DeviceOutcome::Runs => (Verdict::Runs.name(), None, None),
        };
        DeviceGroup { vendor, verdict, remedy, missing, devices: vec![device] }
    }
}

/// Returns the place of a result in lists: those that differ from the usual come first.
fn rank(outcome: &DeviceOutcome) -> usize {
    match outcome {
        DeviceOutcome::NotRun { verdict: Verdict::DoesNotRun, .. } => 0,
        DeviceOutcome::AfterRemedy(..) => 1,
        DeviceOutcome::NotRun { .. } => 2,
        DeviceOutcome::Runs => 3,
        DeviceOutcome::OtherKind => 4,
    }
}
