//! Devices of a vendor with equal results.

use serde::Serialize;

use super::answer::DeviceOutcome;
use super::devices::DeviceFit;
use crate::compatibility::Verdict;
use crate::device::products;

/// Vendor of devices that the table of products does not have.
const OTHER_VENDOR: &str = "Other devices";

/// Devices of a vendor with equal results for every entry point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeviceGroup {
    /// Name of the vendor.
    pub vendor: &'static str,
    /// The verdict on the module after the best remedy: `runs`, `runs after a remedy`, `does not run` or `not known`.
    pub verdict: &'static str,
    /// The reason of another verdict than `runs`: the first missing feature, or the remedy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
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
    pub(super) fn all(roots: &[Vec<DeviceFit>], outcomes: &[DeviceOutcome]) -> Vec<DeviceGroup> {
        let is_same = |one: usize, other: usize| {
            let equal = |fits: &Vec<DeviceFit>| {
                let facts = |at: usize| (&fits[at].as_is, &fits[at].after_pack, &fits[at].specialize);
                facts(one) == facts(other)
            };
            // What a device lacks besides does not matter if it takes no modules of this kind.
            outcomes[one] == outcomes[other]
                && (outcomes[one] == DeviceOutcome::OtherKind || roots.iter().all(equal))
        };
        let mut groups: Vec<(&DeviceOutcome, DeviceGroup)> = Vec::new();
        for (index, (outcome, fit)) in outcomes.iter().zip(roots.first().into_iter().flatten()).enumerate() {
            let vendor = products::vendor(&fit.device).unwrap_or(OTHER_VENDOR);
            let products = products::products(&fit.device).collect();
            let device = NamedDevice { name: fit.device.clone(), index, products };
            let belongs = |(_, group): &&mut (&DeviceOutcome, DeviceGroup)| {
                group.vendor == vendor && is_same(group.devices[0].index, index)
            };
            match groups.iter_mut().find(belongs) {
                Some((_, group)) => group.devices.push(device),
                None => groups.push((outcome, DeviceGroup::new(vendor, outcome, fit, device))),
            }
        }
        groups.sort_by_key(|(outcome, _)| rank(outcome));
        groups.into_iter().map(|(_, group)| group).collect()
    }

    fn new(vendor: &'static str, outcome: &DeviceOutcome, fit: &DeviceFit, device: NamedDevice) -> DeviceGroup {
        let (verdict, reason) = match outcome {
            DeviceOutcome::OtherKind => (Verdict::DoesNotRun.name(), Some("takes no modules of this kind".to_owned())),
            DeviceOutcome::NotRun(verdict, missing) => (verdict.name(), Some(missing.clone())),
            DeviceOutcome::AfterRemedy | DeviceOutcome::AfterSpecialize(_) => {
                ("runs after a remedy", fit.as_is.first().map(|missing| missing.name()))
            }
            DeviceOutcome::Runs => (Verdict::Runs.name(), None),
        };
        DeviceGroup { vendor, verdict, reason, devices: vec![device] }
    }
}

/// Returns the place of a result in lists: those that differ from the usual come first.
fn rank(outcome: &DeviceOutcome) -> usize {
    match outcome {
        DeviceOutcome::NotRun(Verdict::DoesNotRun, _) => 0,
        DeviceOutcome::AfterRemedy | DeviceOutcome::AfterSpecialize(_) => 1,
        DeviceOutcome::NotRun(..) => 2,
        DeviceOutcome::Runs => 3,
        DeviceOutcome::OtherKind => 4,
    }
}
