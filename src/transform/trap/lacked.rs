//! The features that a device is known not to have, as far as they matter for a module.

use std::collections::BTreeSet;

use crate::analysis::requirements::{Requirement, RequirementId, RequirementSet, closure_of, is_of_kernels};
use crate::analysis::{Analyses, stage};
use crate::collections::{IdMap, gather};
use crate::device::api::{FeatureUse, uses};
use crate::device::{Aspect, Capability, Device, capabilities};
use crate::loader::Version;

/// The capability and the extension of OpAbortKHR.
pub const ABORT_CAPABILITY: &str = "AbortKHR";
pub const ABORT_EXTENSION: &str = "SPV_KHR_abort";

/// The declared capabilities and extensions of a module that a device is known not to have, and the requirements that follow.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LackedFeatures {
    /// The declared capabilities that the device does not have.
    pub capabilities: BTreeSet<u32>,
    /// The declared extensions that the device does not accept.
    pub extensions: BTreeSet<String>,
    /// The requirements that the device does not meet, unless the module declares another capability or extension that does.
    pub requirements: RequirementSet,
    /// True if the device is known to have OpAbortKHR.
    pub has_abort: bool,
}

impl LackedFeatures {
    /// Creates the missing features of a device that does not meet some requirements, independent of the declarations
    /// of a module.
    pub fn from_requirements(requirements: RequirementSet) -> LackedFeatures {
        LackedFeatures {
            capabilities: BTreeSet::new(),
            extensions: BTreeSet::new(),
            requirements,
            has_abort: false,
        }
    }

    /// Returns true if no instruction can require a missing feature.
    pub fn is_empty(&self) -> bool {
        self.requirements.is_empty()
    }

    /// Returns the names of requirements among them, with only the alternatives that the module declares.
    pub fn names(&self, required: &RequirementSet) -> Vec<String> {
        let mut names: BTreeSet<String> = BTreeSet::new();
        for id in required.iter().filter(|id| self.requirements.contains(*id)) {
            match id.get() {
                Requirement::Capabilities(any) => {
                    let provides =
                        |declared: &&u32| closure_of(**declared).iter().any(|one| any.contains(one));
                    let declared = self.capabilities.iter().filter(provides);
                    names.extend(declared.map(|&number| Capability(number).to_string()));
                }
                Requirement::Extensions(any) => {
                    let declared = self.extensions.iter().filter(|name| any.contains(&name.as_str()));
                    names.extend(declared.cloned());
                }
                Requirement::Aspect(_) => drop(names.insert(format!("aspect {}", id.get()))),
                Requirement::Feature(use_) => {
                    names.extend(uses().iter().filter(|row| row.use_ == *use_).map(|row| row.name.clone()));
                }
            }
        }
        names.into_iter().collect()
    }
}

/// The requirements that a declaration of a module meets, or that its code may have: they are compared with each
/// device.
pub struct PossibleRequirements {
    version: Version,
    in_kernels: bool,
    /// The declared capabilities.
    capabilities: BTreeSet<u32>,
    /// The declared extensions.
    extensions: BTreeSet<String>,
    /// Each requirement that something declared meets, or code may have.
    possible: Vec<PossibleRequirement>,
    /// The stages of the entry points.
    stages: Vec<Option<String>>,
}

/// A requirement, and its providers.
struct PossibleRequirement {
    id: RequirementId,
    provider: RequirementProvider,
}

/// Providers of a requirement, one of which suffices.
enum RequirementProvider {
    /// One of these declared capabilities.
    Capabilities(Vec<u32>),
    /// One of these declared extensions.
    Extensions(Vec<&'static str>),
    /// An aspect.
    Aspect(u32),
    /// A feature of Vulkan, by the rows that may apply.
    Feature(Vec<&'static FeatureUse>),
}

impl PossibleRequirements {
    /// Reads the declarations of a module, and the possible requirements of its code.
    pub fn new(analyses: &Analyses) -> PossibleRequirements {
        let module = analyses.module();
        let capabilities: BTreeSet<u32> =
            module.capabilities().map(|declared| declared.capability()).collect();
        // By capability: the declared ones that provide it.
        let mut providers: IdMap<Vec<u32>> = IdMap::new();
        for &capability in &capabilities {
            for &implied in closure_of(capability) {
                providers.entry(implied).or_default().push(capability);
            }
        }
        let extensions: BTreeSet<String> =
            gather(module.extensions().map(|declared| declared.name().into_owned()));
        let stages: Vec<Option<String>> =
            module.entry_points().map(|entry| stage(Some(entry.execution_model()))).collect();
        let features = if stages.is_empty() { &[] } else { analyses.possible_vulkan_features() };
        let has_aspects = analyses.is_annotated() || analyses.may_declare_aspects();
        let provider = |id: RequirementId| match id.get() {
            Requirement::Capabilities(any) => {
                let declared = any.iter().filter_map(|one| providers.get(one)).flatten();
                let declared: Vec<u32> = declared.copied().collect();
                (!declared.is_empty()).then_some(RequirementProvider::Capabilities(declared))
            }
            Requirement::Extensions(any) => {
                let declared = any.iter().copied().filter(|name| extensions.contains(*name));
                let declared: Vec<&str> = declared.collect();
                (!declared.is_empty()).then_some(RequirementProvider::Extensions(declared))
            }
            Requirement::Aspect(aspect) => has_aspects.then_some(RequirementProvider::Aspect(*aspect)),
            Requirement::Feature(use_) => {
                let rows: Vec<_> = features.iter().copied().filter(|row| row.use_ == *use_).collect();
                (!rows.is_empty()).then_some(RequirementProvider::Feature(rows))
            }
        };
        let possible =
            RequirementId::all().filter_map(|id| Some(PossibleRequirement { id, provider: provider(id)? }));
        PossibleRequirements {
            version: module.version(),
            in_kernels: is_of_kernels(module),
            possible: possible.collect(),
            capabilities,
            extensions,
            stages,
        }
    }

    /// Returns the possible requirements that a device is known not to meet.
    pub fn lacked(&self, device: &Device) -> LackedFeatures {
        let supports = |capability| device.supports_capability(capability, self.in_kernels);
        let accepts = |name: &str| device.supports_extension(name, self.version);
        let capabilities = self.capabilities.iter().copied().filter(|&one| supports(one) == Some(false));
        let capabilities: BTreeSet<u32> = capabilities.collect();
        let extensions = self.extensions.iter().filter(|name| accepts(name) == Some(false));
        let extensions: BTreeSet<String> = gather(extensions.cloned());
        let is_lacked = |provider: &RequirementProvider| match provider {
            RequirementProvider::Capabilities(any) => any.iter().all(|one| capabilities.contains(one)),
            RequirementProvider::Extensions(any) => any.iter().all(|name| extensions.contains(*name)),
            RequirementProvider::Aspect(aspect) => device.has_aspect(Aspect(*aspect)) == Some(false),
            // Where stages differ, each block would have to be followed to its entry points.
            RequirementProvider::Feature(rows) => self.stages.iter().all(|stage| {
                let applies = |row: &&&FeatureUse| row.applies_to(stage.as_deref());
                rows.iter().filter(applies).any(|row| device.has_feature_of(row) == Some(false))
            }),
        };
        let requirements = self.possible.iter().filter(|one| is_lacked(&one.provider)).map(|one| one.id);
        let has_abort = capabilities::number(ABORT_CAPABILITY).is_some_and(|one| supports(one) == Some(true))
            && accepts(ABORT_EXTENSION) != Some(false);
        LackedFeatures { requirements: requirements.collect(), capabilities, extensions, has_abort }
    }
}
