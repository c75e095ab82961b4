//! The subject of `inspect --why`, by name: an aspect, a capability, an extension, or a Vulkan feature that
//! no capability names. Also names of requirements.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::context::capability_name;
use super::model::{DeclarationName, RequirementKind};
use spirv_if::device::{Aspect, Capability, DeviceError};
use spirv_if::engine::analysis::requirements::{Requirement, RequirementId, extensions};
use spirv_if::engine::analysis::{ModuleRoot, stage};
use spirv_if::engine::collections::gather;
use spirv_if::engine::device::api::{FeatureUse, named_features, uses};
use spirv_if::engine::device::providers::capabilities_of_vulkan;
use spirv_if::engine::device::{aspects, capabilities};
use spirv_if::engine::text::spelling::nearest;
use spirv_if::error::Missing;

/// The subject of [`InspectContext::why`](super::context::InspectContext::why).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhySubject {
    /// An aspect, by number.
    Aspect(u32),
    /// A capability, by number.
    Capability(u32),
    /// An extension.
    Extension(String),
    /// Uses of Vulkan features that no capability names, by [`FeatureUse::name`].
    VulkanUses(Vec<&'static str>),
}

impl WhySubject {
    /// Returns the question for the cause of a missing feature; `None` for a requirement that does not come from code.
    pub fn of_missing(missing: &Missing) -> Option<WhySubject> {
        match missing {
            Missing::Capability(Capability(number)) => Some(WhySubject::Capability(*number)),
            Missing::Extension(name) => Some(WhySubject::Extension(name.clone())),
            Missing::Aspect(Aspect(number)) => Some(WhySubject::Aspect(*number)),
            Missing::VulkanFeature(_) => {
                let meant = uses().iter().filter(|known| Missing::vulkan_feature(known) == *missing);
                Some(WhySubject::VulkanUses(meant.map(|known| known.name.as_str()).collect()))
            }
            _ => None,
        }
    }

    /// Returns the question for a root: uses of Vulkan features that count in its stage.
    pub(super) fn for_root(&self, root: &ModuleRoot) -> Cow<'_, WhySubject> {
        let WhySubject::VulkanUses(names) = self else { return Cow::Borrowed(self) };
        let stage = stage(root.execution_model());
        let meant = uses().iter().filter(|known| names.contains(&known.name.as_str()));
        let meant = meant.filter(|known| known.applies_to(stage.as_deref()));
        Cow::Owned(WhySubject::VulkanUses(meant.map(|known| known.name.as_str()).collect()))
    }

    /// Finds the subject with a name, in upper or lower case.
    ///
    /// # Errors
    /// If the name is unknown; the error has the nearest names.
    pub fn parse(name: &str) -> Result<WhySubject, DeviceError> {
        if let Some(aspect) = find(name, aspects::names()).and_then(aspects::number) {
            return Ok(WhySubject::Aspect(aspect));
        }
        // Aliases are not among the names of the table.
        if let Some(number) = capabilities::number(name)
            .or_else(|| find(name, capabilities::names()).and_then(capabilities::number))
        {
            return Ok(WhySubject::Capability(number));
        }
        let extensions = extension_names();
        if let Some(extension) = find(name, extensions.iter().copied()) {
            return Ok(WhySubject::Extension(extension.to_owned()));
        }
        let feature = match name.split_once(':') {
            Some((api, feature)) if api.eq_ignore_ascii_case("vulkan") => feature,
            _ => name,
        };
        let is_way = |known: &&FeatureUse| names_of(known).any(|way| way.eq_ignore_ascii_case(feature));
        let in_vulkan: Vec<&str> = uses().iter().filter(is_way).map(|known| known.name.as_str()).collect();
        if !in_vulkan.is_empty() {
            return Ok(WhySubject::VulkanUses(in_vulkan));
        }
        Err(DeviceError::UnknownName {
            what: "aspect, capability, extension or Vulkan feature",
            name: name.to_owned(),
            nearest: similar(feature, extensions),
        })
    }
}

/// Returns the names of the Vulkan features that a use requires one of.
fn names_of(known: &FeatureUse) -> impl Iterator<Item = String> {
    known.ways.iter().filter_map(|way| way.setting).map(|setting| setting.feature_name())
}

/// Returns the most similar names of subjects, the most similar first. A feature stands for its capabilities if the
/// question is about these.
fn similar(name: &str, extensions: BTreeSet<&str>) -> Vec<String> {
    let meant = capabilities_of_vulkan(name);
    if !meant.is_empty() {
        return meant;
    }
    let features: BTreeSet<String> = gather(uses().iter().flat_map(names_of));
    let of_vulkan = named_features().keys().filter(|name| !capabilities_of_vulkan(name).is_empty());
    let mut all: Vec<&str> = aspects::names().chain(capabilities::names()).collect();
    all.extend(extensions);
    all.extend(features.iter().chain(of_vulkan).map(String::as_str));
    let mut similar = Vec::new();
    for name in nearest(name, all) {
        let capabilities = if features.contains(&name) { Vec::new() } else { capabilities_of_vulkan(&name) };
        let names = if capabilities.is_empty() { vec![name] } else { capabilities };
        similar.extend(names.into_iter().filter(|name| !similar.contains(name)).collect::<Vec<_>>());
    }
    similar
}

fn find<'a>(name: &str, mut names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    names.find(|known| known.eq_ignore_ascii_case(name))
}

/// Returns the known extensions.
fn extension_names() -> BTreeSet<&'static str> {
    let required = RequirementId::all().filter_map(|id| match id.get() {
        Requirement::Extensions(any) => Some(*any),
        Requirement::Capabilities(_) | Requirement::Aspect(_) | Requirement::Feature(_) => None,
    });
    let listed = extensions().iter().map(|extension| extension.name);
    gather(required.flatten().copied().chain(listed))
}

/// Names of the alternatives of each requirement. They are computed once, because every entry point's report
/// has them.
static NAMES: LazyLock<Vec<(RequirementKind, Vec<DeclarationName>)>> = LazyLock::new(|| {
    let names = |id: RequirementId| match id.get() {
        Requirement::Capabilities(any) => {
            (RequirementKind::Capability, any.iter().map(|&number| capability_name(number)).collect())
        }
        Requirement::Extensions(any) => {
            (RequirementKind::Extension, any.iter().map(|&name| DeclarationName::Borrowed(name)).collect())
        }
        Requirement::Aspect(number) => {
            let name =
                aspects::name(*number).map_or_else(|| number.to_string().into(), DeclarationName::Borrowed);
            (RequirementKind::Aspect, vec![name])
        }
        Requirement::Feature(use_) => (RequirementKind::Feature, vec![DeclarationName::Borrowed(use_)]),
    };
    RequirementId::all().map(names).collect()
});

/// Returns the names of the alternatives of a requirement.
pub fn requirement_names(id: RequirementId) -> (RequirementKind, &'static [DeclarationName]) {
    let (kind, names) = &NAMES[id.index()];
    (*kind, names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_every_kind() {
        let float64 = WhySubject::Capability(spirv::Capability::Float64 as u32);
        assert_eq!(WhySubject::parse("fp64"), Ok(WhySubject::Aspect(6)));
        assert_eq!(WhySubject::parse("float64"), Ok(float64));
        let extension = WhySubject::Extension("SPV_KHR_16bit_storage".to_owned());
        assert_eq!(WhySubject::parse("SPV_KHR_16bit_storage"), Ok(extension));
        let error = WhySubject::parse("flaot64").unwrap_err().to_string();
        assert!(error.contains("Float64"), "{error}");
    }

    /// Checks that names of Vulkan features are also read with their provider. Names that stand for capabilities select
    /// these.
    #[test]
    fn names_of_vulkan() {
        let feature = WhySubject::parse("shaderBufferInt64Atomics").unwrap();
        assert!(matches!(&feature, WhySubject::VulkanUses(uses) if uses.len() == 1));
        assert_eq!(WhySubject::parse("vulkan:shaderBufferInt64Atomics"), Ok(feature));
        for (misspelled, suggested) in [
            ("shaderFloat17", "did you mean `Float16`"),
            ("vulkan:shaderFloat17", "did you mean `Float16`"),
            ("vulkan:shaderFloat64", "did you mean `Float64`?"),
            ("vulkan:shaderBufferInt64Atomic", "did you mean `shaderBufferInt64Atomics`"),
            ("shaderSubgroupExtendedType", "did you mean `shaderSubgroupExtendedTypes`"),
        ] {
            let error = WhySubject::parse(misspelled).unwrap_err().to_string();
            let start = format!(
                "unknown aspect, capability, extension or Vulkan feature `{misspelled}`; {suggested}"
            );
            assert!(error.starts_with(&start), "{error}");
        }
    }
}
