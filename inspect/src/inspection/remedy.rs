//! Commands that make a module one that more devices run.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::context::InspectContext;
use super::lowering_cost::{LoweringCost, LoweringObstacle};
use super::model::{EntryPointReport, Inspected};
use spirv_if::device::{Capability, Device};
use spirv_if::engine::transform::adapt::table::adaptable_declarations;
use spirv_if::engine::transform::lower::{NarrowStorage, lowerable_features};
use spirv_if::engine::transform::trap::DecidingValues;
use spirv_if::error::Missing;
use spirv_if::specialize::{Compatibility, DeviceRemedy};

/// Commands after which more devices run a module: all of them, or some after specializing with further changes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Remedy {
    /// `spirv-if trim`.
    Trim,
    /// `spirv-if pack`, and `spirv-if specialize` for each device.
    Pack,
    /// `spirv-if pack` with the annotations of the inspection, and `spirv-if specialize` for each device.
    PackWithAnnotations,
    /// `spirv-if split`, by entry point.
    Split,
    /// `spirv-if split`, by entry point, and `spirv-if specialize` for each device.
    SplitAndSpecialize,
    /// `spirv-if specialize` for each device, with these changes.
    Specialize(DeviceRemedy),
}

impl Serialize for Remedy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Remedy::Trim => "trim",
            Remedy::Pack => "pack",
            Remedy::PackWithAnnotations => "pack with these annotations",
            Remedy::Split => "split",
            Remedy::SplitAndSpecialize => "split and specialize",
            Remedy::Specialize(_) => "specialize",
        })
    }
}

/// Returns the options of `specialize` that make the changes of a remedy.
pub fn remedy_options(remedy: &DeviceRemedy) -> String {
    let set = remedy.values.iter().map(|(spec_id, value)| format!("--set {spec_id}:{value}"));
    let flags = [
        (remedy.trim, "--trim"),
        (remedy.adapt, "--adapt"),
        (remedy.lower, "--lower"),
        (remedy.trap, "--trap silent"),
    ];
    let flags = flags.into_iter().filter(|flag| flag.0).map(|flag| flag.1.to_owned());
    set.chain(flags).collect::<Vec<_>>().join(" ")
}

impl Remedy {
    /// Returns the first command, after the name of the program, and what follows it.
    fn command(&self, program: &str) -> String {
        match self {
            Remedy::Trim => format!("`{program}trim`"),
            Remedy::Pack => format!("`{program}pack`"),
            Remedy::PackWithAnnotations => format!("`{program}pack` with these annotations"),
            Remedy::Split | Remedy::SplitAndSpecialize => format!("`{program}split --mode kernel`"),
            Remedy::Specialize(changes) => {
                format!("`{}`", format!("{program}specialize {}", remedy_options(changes)).trim_end())
            }
        }
    }

    /// Returns the command in backticks, without the name of the program.
    pub fn words(&self) -> String {
        let specialize = if *self == Remedy::SplitAndSpecialize { " and `specialize`" } else { "" };
        self.command("") + specialize
    }

    /// Returns the commands, in a clause after "it does after".
    pub fn commands(&self) -> String {
        let specialize = match self {
            Remedy::Trim | Remedy::Split | Remedy::Specialize(_) => "",
            _ => " and `spirv-if specialize`",
        };
        self.command("spirv-if ") + specialize
    }

    /// Returns the remedy that also splits the module by entry point. A module that is not packed has none, if something in it is conditional.
    pub fn with_split(&self) -> Option<Remedy> {
        match self {
            Remedy::Trim | Remedy::Split => Some(Remedy::Split),
            Remedy::Specialize(_) | Remedy::SplitAndSpecialize => Some(Remedy::SplitAndSpecialize),
            Remedy::Pack | Remedy::PackWithAnnotations => None,
        }
    }

    /// Returns true if the module is split.
    pub(super) fn splits(&self) -> bool {
        matches!(self, Remedy::Split | Remedy::SplitAndSpecialize)
    }

    /// Returns true if constants are set.
    pub(super) fn sets(&self) -> bool {
        matches!(self, Remedy::Specialize(changes) if sets(changes))
    }
}

/// Trials of remedies, by specializing the module under inspection.
pub trait RemedyTrials {
    /// Returns values of constants with which fewer blocks run that require features missing on a device.
    fn values(&self, device: &Device) -> DecidingValues;

    /// Specializes the module for a device with a remedy. Returns `None` if the device is not known to run the entry points that it does not
    /// refuse then.
    fn trial(&self, device: &Device, remedy: &DeviceRemedy) -> Option<RemedyTrial>;

    /// Returns the reason that a feature which a device lacks cannot be lowered.
    fn lowering_obstacle(&self, device: &Device) -> Option<LoweringObstacle>;
}

/// The result of a trial.
#[derive(Clone, Debug)]
pub struct RemedyTrial {
    /// The names of the entry points that the device does not run even then.
    pub refused: BTreeSet<String>,
    /// The costs of the features that were lowered.
    pub lowering: Vec<LoweringCost>,
}

/// The remedies of single devices.
pub(super) struct FoundRemedies {
    /// Remedies by entry point and device.
    pub by_root: Vec<Arc<[Option<DeviceRemedy>]>>,
    /// The costs of lowering, by device; empty if no remedy lowers.
    pub lowering: Arc<[Vec<LoweringCost>]>,
    /// The features that cannot be lowered.
    pub not_lowered: BTreeSet<LoweringObstacle>,
}

impl FoundRemedies {
    /// Returns the remedies of devices that have none.
    pub fn none(roots: usize, devices: usize) -> FoundRemedies {
        FoundRemedies {
            // Most entry points have none, and share that.
            by_root: vec![vec![None; devices].into(); roots],
            lowering: Arc::default(),
            not_lowered: BTreeSet::new(),
        }
    }
}

/// Trials that find no remedy.
#[cfg(test)]
pub struct NoTrials;

#[cfg(test)]
impl RemedyTrials for NoTrials {
    fn values(&self, _: &Device) -> DecidingValues {
        DecidingValues::default()
    }

    fn trial(&self, _: &Device, _: &DeviceRemedy) -> Option<RemedyTrial> {
        None
    }

    fn lowering_obstacle(&self, _: &Device) -> Option<LoweringObstacle> {
        None
    }
}

/// The results of all devices, by entry point.
type RootsOnDevices = [Arc<[Compatibility]>];

/// Returns true if lowering may make something unnecessary.
fn may_lower(missing: &Missing) -> bool {
    match missing {
        Missing::Capability(Capability(number)) => {
            lowerable_features().iter().any(|feature| feature.capability() == *number)
        }
        Missing::Extension(name) => NarrowStorage::EXTENSIONS.contains(&name.as_str()),
        _ => false,
    }
}

/// Returns true if a remedy sets constants.
fn sets(remedy: &DeviceRemedy) -> bool {
    !remedy.values.is_empty()
}

/// The changes that may make the missing features of an entry point unnecessary. Without missing features, no change is needed.
#[derive(Clone, Copy, Default)]
struct RemedyMeans {
    /// True if adaptation may make all unnecessary.
    is_adaptable: bool,
    /// True if only code may require them.
    is_of_code: bool,
    /// True if one of both holds for each.
    is_either: bool,
    /// True if lowering, adaptation or a change to a part of the code may make each unnecessary.
    is_lowerable: bool,
    /// True if lowering may make one unnecessary.
    has_lowerable: bool,
    /// True if adaptation may make one unnecessary.
    has_adaptable: bool,
    /// True if only code may require one of the features.
    has_code: bool,
}

impl RemedyMeans {
    /// Returns false if a remedy cannot help. `all` are those of all entry points.
    fn may_help(self, remedy: &DeviceRemedy, all: &RemedyMeans) -> bool {
        match (remedy.adapt, remedy.trap || sets(remedy)) {
            _ if remedy.lower => self.is_lowerable && all.has_lowerable,
            (true, false) => self.is_adaptable,
            (false, _) => self.is_of_code,
            (true, true) => self.is_either && all.has_adaptable && all.has_code,
        }
    }
}

/// Returns true if it stays unknown whether a device runs an entry point of a plain module after any remedy. Sizes
/// stay, and only rejected versions change.
fn stays_unknown(on_device: &Compatibility) -> bool {
    on_device
        .unknown
        .iter()
        .any(|unknown| matches!(unknown, Missing::Version(_) | Missing::WorkGroupSize { .. }))
}

/// Returns true if a remedy leaves a declared capability in a plain module that is missing, or not known, on a device.
/// `as_is` is the result of the unchanged module.
fn keeps_obstacle(remedy: &DeviceRemedy, as_is: &Compatibility) -> bool {
    let is_capability = |missing: &Missing| matches!(missing, Missing::Capability(_));
    let is_version = |missing: &Missing| matches!(missing, Missing::Version(_));
    // Only trimming removes what is not known to be rejected, except that an older version may not have it, and that without narrow numbers nothing may
    // require memory or variables for them.
    let keeps_unknown = !(remedy.trim || remedy.adapt && as_is.missing.iter().any(is_version));
    let of_stages = Missing::Capability(Capability(spirv::Capability::StorageInputOutput16 as u32));
    let goes = |unknown: &Missing| remedy.lower && (may_lower(unknown) || *unknown == of_stages);
    let keeps_rejected = !remedy.trim && !remedy.adapt && !remedy.lower && !remedy.trap;
    keeps_unknown && as_is.unknown.iter().any(|unknown| is_capability(unknown) && !goes(unknown))
        || keeps_rejected && as_is.missing.iter().any(is_capability)
}

impl InspectContext<'_, '_> {
    /// Returns, by entry point and device, the remedy of single devices that do not run the entry point. `results` are their results, by
    /// entry point, and `as_is` those for the unchanged module.
    pub(super) fn device_remedies(
        &self,
        inspected: &Inspected,
        devices: &[&Device],
        (as_is, results): (&RootsOnDevices, &RootsOnDevices),
        trials: &dyn RemedyTrials,
    ) -> FoundRemedies {
        let mut remedies = FoundRemedies::none(results.len(), devices.len()).by_root;
        let mut lowering: Vec<Vec<LoweringCost>> = Vec::new();
        let mut not_lowered = BTreeSet::new();
        let mut tried: HashSet<BTreeSet<String>> = HashSet::new();
        // Devices with equal results get the same code, if none of it is conditional and none is adapted.
        let is_plain = self.remedy() == Remedy::Trim && !self.analyses.is_annotated();
        let mut known: HashMap<(Vec<&Compatibility>, DeviceRemedy), Option<RemedyTrial>> = HashMap::new();
        let kind = self.kind();
        let takes = |device: &Device| kind.is_none_or(|kind| !device.takes_only_other_modules(kind));
        // All entry points are compared, or the exported functions of a library.
        let compared = if inspected.entry_points.is_empty() {
            results
        } else {
            &results[..inspected.entry_points.len()]
        };
        for (at, &device) in devices.iter().enumerate().filter(|(_, device)| takes(device)) {
            let on_device: Vec<&Compatibility> = results.iter().map(|results| &results[at]).collect();
            if on_device.iter().all(|result| result.missing.is_empty())
                || is_plain && compared.iter().any(|results| stays_unknown(&results[at]))
            {
                continue;
            }
            let means: Vec<RemedyMeans> =
                on_device.iter().map(|result| self.means_against(result.missing.iter())).collect();
            // What one entry point requires keeps the device from running the others.
            let of_all = self.means_against(on_device.iter().flat_map(|result| &result.missing));
            let may_help = |remedy: &DeviceRemedy, root: usize| means[root].may_help(remedy, &of_all);
            let may_change_code = || {
                let mut trapped = DeviceRemedy::default();
                trapped.trap = true;
                let mut both = trapped.clone();
                both.adapt = true;
                (0..results.len()).any(|root| may_help(&trapped, root) || may_help(&both, root))
            };
            let values = match is_plain && may_change_code() {
                true => trials.values(device),
                false => DecidingValues::default(),
            };
            let candidates = DeviceRemedy::candidates(&values, of_all.has_lowerable);
            // Trimming is the remedy of the whole module.
            for remedy in candidates
                .into_iter()
                .filter(|remedy| remedy.adapt || remedy.lower || remedy.trap || sets(remedy))
            {
                if is_plain && as_is.first().is_some_and(|as_is| keeps_obstacle(&remedy, &as_is[at])) {
                    continue;
                }
                let is_open = |root: &usize| remedies[*root][at].is_none() && may_help(&remedy, *root);
                let open: Vec<usize> = (0..results.len()).filter(is_open).collect();
                if open.is_empty() {
                    continue;
                }
                let trial = match is_plain && !remedy.adapt && !remedy.lower {
                    true => {
                        let known = known.entry((on_device.clone(), remedy.clone()));
                        known.or_insert_with(|| trials.trial(device, &remedy)).clone()
                    }
                    false => trials.trial(device, &remedy),
                };
                let Some(trial) = trial else {
                    let missing = on_device.iter().flat_map(|result| &result.missing);
                    let lowerable = missing.filter(|missing| may_lower(missing)).map(Missing::name).collect();
                    if remedy.lower && tried.insert(lowerable) {
                        not_lowered.extend(trials.lowering_obstacle(device));
                    }
                    continue;
                };
                for (root, entry_point) in inspected.roots().enumerate() {
                    if open.binary_search(&root).is_ok() && !trial.refused.contains(&entry_point.name) {
                        Arc::make_mut(&mut remedies[root])[at] = Some(remedy.clone());
                        if remedy.lower {
                            lowering.resize(devices.len(), Vec::new());
                            lowering[at].clone_from(&trial.lowering);
                        }
                    }
                }
            }
        }
        FoundRemedies { by_root: remedies, lowering: lowering.into(), not_lowered }
    }

    /// Returns the changes that may make missing features unnecessary.
    fn means_against<'c>(&self, missing: impl Iterator<Item = &'c Missing>) -> RemedyMeans {
        // Specializing decides calls in any case.
        let mut missing = missing.filter(|missing| !matches!(missing, Missing::UndecidedCalls(_))).peekable();
        let is_any = missing.peek().is_some();
        let mut means = RemedyMeans {
            is_adaptable: is_any,
            is_of_code: is_any,
            is_either: is_any,
            is_lowerable: is_any,
            ..RemedyMeans::default()
        };
        for missing in missing {
            use Missing::{Aspect, Capability, Extension, VulkanFeature};
            let is_adaptable = self.may_adapt(missing);
            let is_of_code = matches!(missing, Capability(_) | Extension(_) | Aspect(_) | VulkanFeature(_));
            let is_lowerable = may_lower(missing);
            means.has_lowerable |= is_lowerable;
            means.is_lowerable &=
                is_lowerable || is_adaptable || matches!(missing, VulkanFeature(_) | Aspect(_));
            means.is_adaptable &= is_adaptable;
            means.is_of_code &= is_of_code;
            means.is_either &= is_adaptable || is_of_code;
            means.has_adaptable |= is_adaptable;
            means.has_code |= is_of_code;
        }
        means
    }

    /// Returns true if adaptation may make something unnecessary: a version, a feature, or a declaration that a row of the table changes or that nothing
    /// requires.
    fn may_adapt(&self, missing: &Missing) -> bool {
        let adaptable = adaptable_declarations();
        match missing {
            Missing::Version(_) | Missing::DriverDefect { .. } => true,
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
    /// Returns the remedy of the whole module. A packed module is only specialized. Some devices may only run entry
    /// points that are [split](InspectContext::images) from the others.
    pub(super) fn remedy(&self) -> Remedy {
        match (self.multi_target.is_empty(), self.calls.is_empty(), self.analyses.has_annotations()) {
            (false, ..) => Remedy::Specialize(DeviceRemedy::default()),
            (true, true, _) => Remedy::Trim,
            (true, false, true) => Remedy::PackWithAnnotations,
            (true, false, false) => Remedy::Pack,
        }
    }

    /// Returns true if images of single entry points may declare less than the module after its remedy: it is plain or packed, and its entry points
    /// differ in the capabilities or extensions that they require.
    pub(crate) fn may_split(&self, inspected: &Inspected) -> bool {
        let declares = |root: &EntryPointReport| (root.capabilities.clone(), root.extensions.clone());
        let mut roots = inspected.roots();
        let first = roots.next().map(declares);
        self.remedy().with_split().is_some() && roots.any(|root| Some(declares(root)) != first)
    }
}
