//! The features that a device is known not to have, as far as they matter for a module.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::requirements::{Requirement, RequirementId, RequirementSet, closure_of, is_of_kernels};
use crate::analysis::{Analyses, stage};
use crate::device::api::uses;
use crate::device::{Aspect, Capability, Device, capabilities};
use crate::loader::Module;

/// The capability and the extension of OpAbortKHR.
pub const ABORT_CAPABILITY: &str = "AbortKHR";
pub const ABORT_EXTENSION: &str = "SPV_KHR_abort";

/// The declared capabilities and extensions of a module that a device is known not to have, and the requirements that follow.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// Creates those of a device that does not meet some requirements, whatever a module declares.
    pub fn from_requirements(requirements: RequirementSet) -> LackedFeatures {
        LackedFeatures {
            capabilities: BTreeSet::new(),
            extensions: BTreeSet::new(),
            requirements,
            has_abort: false,
        }
    }

    /// Compares the declarations of a module, and what its code may require besides, with a device.
    pub fn new(analyses: &Analyses, device: &Device) -> LackedFeatures {
        let module = analyses.module();
        let in_kernels = is_of_kernels(module);
        let supports = |capability| device.supports_capability(capability, in_kernels);
        let declared: BTreeSet<u32> = module.capabilities().map(|declared| declared.capability()).collect();
        // By capability: true if the device does not have any declared one that provides it.
        let mut provided: BTreeMap<u32, bool> = BTreeMap::new();
        for &capability in &declared {
            let is_lacked = supports(capability) == Some(false);
            for &implied in closure_of(capability) {
                *provided.entry(implied).or_insert(true) &= is_lacked;
            }
        }
        let version = module.version();
        let extensions: BTreeMap<String, bool> = module
            .extensions()
            .map(|declared| declared.name().into_owned())
            .map(|name| (name.clone(), device.supports_extension(&name, version) == Some(false)))
            .collect();
        let stages: Vec<Option<String>> =
            module.entry_points().map(|entry| stage(Some(entry.execution_model()))).collect();
        let possible = analyses.possible_vulkan_features();
        let has_aspects = analyses.is_annotated() || analyses.may_declare_aspects();
        let is_lacked = |id: &RequirementId| match id.get() {
            Requirement::Capabilities(any) => are_lacked(any.iter().filter_map(|one| provided.get(one))),
            Requirement::Extensions(any) => are_lacked(any.iter().filter_map(|one| extensions.get(*one))),
            Requirement::Aspect(aspect) => has_aspects && device.has_aspect(Aspect(*aspect)) == Some(false),
            // Where stages differ, each block would have to be followed to its entry points.
            Requirement::Feature(use_) => {
                let is_lacked = |stage: &Option<String>| {
                    let mut rows = possible.iter().filter(|row| row.use_ == *use_);
                    rows.any(|row| {
                        row.applies_to(stage.as_deref()) && device.has_feature_of(row) == Some(false)
                    })
                };
                !stages.is_empty() && stages.iter().all(is_lacked)
            }
        };
        LackedFeatures {
            requirements: RequirementId::all().filter(is_lacked).collect(),
            capabilities: declared.into_iter().filter(|&one| supports(one) == Some(false)).collect(),
            extensions: extensions
                .into_iter()
                .filter(|(_, is_lacked)| *is_lacked)
                .map(|(name, _)| name)
                .collect(),
            has_abort: has_abort(device, module, in_kernels),
        }
    }

    /// True if an instruction may require one of them.
    pub fn is_empty(&self) -> bool {
        self.requirements.is_empty()
    }

    /// True if one is a feature of Vulkan that no capability names.
    pub fn has_missing_vulkan_features(&self) -> bool {
        self.requirements.iter().any(|id| matches!(id.get(), Requirement::Feature(_)))
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

/// True if a device is known to have OpAbortKHR.
fn has_abort(device: &Device, module: &Module, in_kernels: bool) -> bool {
    let capability = capabilities::number(ABORT_CAPABILITY);
    let has = capability.is_some_and(|number| device.supports_capability(number, in_kernels) == Some(true));
    has && device.supports_extension(ABORT_EXTENSION, module.version()) != Some(false)
}

/// True if something is declared, and nothing of it is supported.
fn are_lacked<'a>(lacked: impl Iterator<Item = &'a bool>) -> bool {
    let mut lacked = lacked.peekable();
    lacked.peek().is_some() && lacked.all(|is_lacked| *is_lacked)
}
