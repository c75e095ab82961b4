//! Commands that make a module one that more devices run.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use serde::Serialize;

use super::context::InspectContext;
use super::model::{EntryPointReport, Inspected};
use crate::compatibility::{Compatibility, DeviceRemedy, Missing};
use crate::device::{Capability, Device};
use crate::transform::adapt::table::adaptable_declarations;
use crate::transform::trap::DecidingValues;

/// The command that makes a module one that more devices run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Remedy {
    /// `spirv-if trim`.
    #[serde(rename = "trim")]
    Trim,
    /// `spirv-if pack`, and `spirv-if specialize` for each device.
    #[serde(rename = "pack")]
    Pack,
    /// `spirv-if pack` with the annotations of the inspection, and `spirv-if specialize` for each device.
    #[serde(rename = "pack with these annotations")]
    PackWithAnnotations,
    /// `spirv-if specialize` for each device.
    #[serde(rename = "specialize")]
    Specialize,
    /// `spirv-if split`, by entry point.
    #[serde(rename = "split")]
    Split,
    /// `spirv-if split`, by entry point, and `spirv-if specialize` for each device.
    #[serde(rename = "split and specialize")]
    SplitAndSpecialize,
}

impl Remedy {
    /// Returns the command in backticks, without the name of the program.
    pub fn words(self) -> &'static str {
        match self {
            Remedy::Trim => "`trim`",
            Remedy::Pack => "`pack`",
            Remedy::PackWithAnnotations => "`pack` with these annotations",
            Remedy::Specialize => "`specialize`",
            Remedy::Split => "`split --mode kernel`",
            Remedy::SplitAndSpecialize => "`split --mode kernel` and `specialize`",
        }
    }

    /// Returns the commands, in a clause after "it does after".
    pub fn commands(self) -> &'static str {
        match self {
            Remedy::Trim => "`spirv-if trim`",
            Remedy::Pack => "`spirv-if pack` and `spirv-if specialize`",
            Remedy::PackWithAnnotations => "`spirv-if pack` with these annotations and `spirv-if specialize`",
            Remedy::Specialize => "`spirv-if specialize`",
            Remedy::Split => "`spirv-if split --mode kernel`",
            Remedy::SplitAndSpecialize => "`spirv-if split --mode kernel` and `spirv-if specialize`",
        }
    }

    /// Returns the remedy that also splits the module by entry point. A module that is not packed has none, if something in it is conditional.
    pub fn with_split(self) -> Option<Remedy> {
        match self {
            Remedy::Trim | Remedy::Split => Some(Remedy::Split),
            Remedy::Specialize | Remedy::SplitAndSpecialize => Some(Remedy::SplitAndSpecialize),
            Remedy::Pack | Remedy::PackWithAnnotations => None,
        }
    }

    /// True if the module is split.
    pub(super) fn splits(self) -> bool {
        self.with_split() == Some(self)
    }
}

/// Trials of remedies, by specializing the module under inspection.
pub trait RemedyTrials {
    /// Returns values of constants with which fewer blocks run that require what a device is known not to have.
    fn values(&self, device: &Device) -> DecidingValues;

    /// Specializes the module for a device with a remedy, and returns the names of the entry points that the device does not run
    /// then. Returns `None` if it is not known to run the others.
    fn refused(&self, device: &Device, remedy: &DeviceRemedy) -> Option<BTreeSet<String>>;
}

/// Trials that find no remedy.
#[cfg(test)]
pub struct NoTrials;

#[cfg(test)]
impl RemedyTrials for NoTrials {
    fn values(&self, _: &Device) -> DecidingValues {
        DecidingValues::default()
    }

    fn refused(&self, _: &Device, _: &DeviceRemedy) -> Option<BTreeSet<String>> {
        None
    }
}

/// True if a remedy sets constants.
fn sets(remedy: &DeviceRemedy) -> bool {
    !remedy.values.is_empty()
}

/// Returns the command for a device, in a clause after "it does after".
pub(super) fn specialize_with(remedy: &DeviceRemedy) -> String {
    format!("`spirv-if specialize {}`", remedy.options())
}

impl InspectContext<'_, '_> {
    /// Returns, by entry point and device, the remedy of single devices that do not run the entry point. `results` are their results, by
    /// entry point.
    pub(super) fn device_remedies(
        &self,
        inspected: &Inspected,
        devices: &[&Device],
        results: &[Arc<[Compatibility]>],
        trials: &dyn RemedyTrials,
    ) -> Vec<Arc<[Option<DeviceRemedy>]>> {
        // Most entry points have none, and share that.
        let none: Arc<[Option<DeviceRemedy>]> = vec![None; devices.len()].into();
        let mut remedies = vec![none; results.len()];
        // Devices with equal results get the same code, if none of it is conditional and none is adapted.
        let is_plain = self.remedy() == Remedy::Trim && !self.analyses.is_annotated();
        let mut values: HashMap<Vec<&Compatibility>, DecidingValues> = HashMap::new();
        let mut known: HashMap<(Vec<&Compatibility>, DeviceRemedy), Option<BTreeSet<String>>> =
            HashMap::new();
        let kind = self.kind();
        let takes = |device: &Device| kind.is_none_or(|kind| !device.takes_only_other_modules(kind));
        for (at, &device) in devices.iter().enumerate().filter(|(_, device)| takes(device)) {
            let on_device: Vec<&Compatibility> = results.iter().map(|results| &results[at]).collect();
            if on_device.iter().all(|result| result.missing.is_empty()) {
                continue;
            }
            let values = match is_plain {
                true => values.entry(on_device.clone()).or_insert_with(|| trials.values(device)),
                false => &DecidingValues::default(),
            };
            let candidates = DeviceRemedy::candidates(values);
            // Trimming is the remedy of the whole module.
            for remedy in candidates.into_iter().filter(|remedy| remedy.adapt || remedy.trap || sets(remedy))
            {
                let may_help = |root: &usize| {
                    remedies[*root][at].is_none() && self.may_help(&remedy, on_device[*root], &on_device)
                };
                let open: Vec<usize> = (0..results.len()).filter(may_help).collect();
                if open.is_empty() {
                    continue;
                }
                let refused = match is_plain && !remedy.adapt {
                    true => {
                        let known = known.entry((on_device.clone(), remedy.clone()));
                        known.or_insert_with(|| trials.refused(device, &remedy)).clone()
                    }
                    false => trials.refused(device, &remedy),
                };
                let Some(refused) = refused else { continue };
                for (root, entry_point) in inspected.roots().enumerate() {
                    if open.contains(&root) && !refused.contains(&entry_point.name) {
                        Arc::make_mut(&mut remedies[root])[at] = Some(remedy.clone());
                    }
                }
            }
        }
        remedies
    }

    /// Returns false if a remedy cannot help a device on which features are missing for an entry point, or if nothing is. `all` are those
    /// of all entry points: what one of them requires keeps the device from running the others.
    fn may_help(&self, remedy: &DeviceRemedy, on_device: &Compatibility, all: &[&Compatibility]) -> bool {
        let adaptable = |missing: &Missing| self.may_adapt(missing);
        let of_code = |missing: &Missing| {
            use Missing::{Aspect, Capability, Extension, VulkanFeature};
            matches!(missing, Capability(_) | Extension(_) | Aspect(_) | VulkanFeature(_))
        };
        let is_any =
            |is: &dyn Fn(&Missing) -> bool| all.iter().any(|on_device| on_device.missing.iter().any(is));
        // Specializing decides calls in any case.
        let missing =
            on_device.missing.iter().filter(|missing| !matches!(missing, Missing::UndecidedCalls(_)));
        let missing: Vec<&Missing> = missing.collect();
        let changes_code = remedy.trap || sets(remedy);
        !missing.is_empty()
            && match (remedy.adapt, changes_code) {
                (true, false) => missing.into_iter().all(adaptable),
                (false, _) => missing.into_iter().all(of_code),
                (true, true) => {
                    missing.into_iter().all(|one| adaptable(one) || of_code(one))
                        && is_any(&adaptable)
                        && is_any(&of_code)
                }
            }
    }

    /// True if adaptation may make something unnecessary: a version, a feature, or a declaration that a row of the table changes or that nothing
    /// requires.
    fn may_adapt(&self, missing: &Missing) -> bool {
        let adaptable = adaptable_declarations();
        match missing {
            Missing::Version(_) => true,
            Missing::Capability(Capability(number)) => {
                adaptable.capabilities.contains(number) || self.unneeded.capabilities.contains(number)
            }
            Missing::Extension(name) => {
                adaptable.extensions.contains(name.as_str()) || self.unneeded.extensions.contains(name)
            }
            Missing::VulkanFeature(names) => {
                names.iter().any(|name| adaptable.vulkan_features.contains(name))
            }
            _ => false,
        }
    }
}

impl InspectContext<'_, '_> {
    /// Returns the remedy of the whole module. What is packed already is only specialized. Some devices may only run entry points that are
    /// [split](InspectContext::images) from the others.
    pub(super) fn remedy(&self) -> Remedy {
        match (self.multi_target.is_empty(), self.calls.is_empty(), self.analyses.has_annotations()) {
            (false, ..) => Remedy::Specialize,
            (true, true, _) => Remedy::Trim,
            (true, false, true) => Remedy::PackWithAnnotations,
            (true, false, false) => Remedy::Pack,
        }
    }

    /// True if images of single entry points may declare less than the module after its remedy: it is plain or packed, and its entry points
    /// differ in the capabilities or extensions that they require.
    pub(crate) fn may_split(&self, inspected: &Inspected) -> bool {
        let declares = |root: &EntryPointReport| (root.capabilities.clone(), root.extensions.clone());
        let mut roots = inspected.roots();
        let first = roots.next().map(declares);
        self.remedy().with_split().is_some() && roots.any(|root| Some(declares(root)) != first)
    }
}
