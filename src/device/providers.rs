//! Providers of features that conditions name, `feature(PROVIDER:NAME)`, and the known features of each
//! (`spec-extensions/amd-processors.csv`; for Vulkan, `spec-extensions/vulkan-capabilities.csv` and `vulkan-uses.csv`).

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::api::{Enable, FeatureSetting, FeatureUse, Implementation, named_features};
use super::cooperative_matrices::{self, CooperativeMatrix, EXAMPLE};
use super::facts::DeviceFacts;
use super::{Device, DeviceError, architectures, aspects, capabilities, limits, registry};
use crate::collections::{IdMap, gather};
use crate::condition::{DRIVER, FeatureName, Leaf};
use crate::text::csv;
use crate::text::spelling::{did_you_mean, nearest};

/// Provider of the features of AMD's processors.
pub const AMD: &str = "amdgpu";
/// Provider of the features and properties of Vulkan.
pub const VULKAN: &str = "vulkan";
/// Prefix of the feature that stands for a processor.
pub const IS: &str = "is.";

/// Modes of which each processor has exactly one.
const EXCLUSIVE: [&str; 2] = ["wavefrontsize32", "wavefrontsize64"];
/// Prefix of these modes, before the size.
const WAVEFRONT_SIZE: &str = "wavefrontsize";
/// Name that stands for all features missing from a device's list.
const OTHERS: &str = "*";

/// A processor of AMD, as its compiler names it.
#[derive(Clone, Debug)]
pub struct Processor {
    /// The name.
    pub name: &'static str,
    /// Number in [`architectures`].
    pub architecture: u32,
    aliases: Vec<&'static str>,
    modes: Vec<&'static str>,
    features: Vec<&'static str>,
}

struct AmdTables {
    processors: Vec<Processor>,
    /// Index of the processor of each architecture.
    by_architecture: IdMap<usize>,
    /// The features of all processors.
    features: Vec<&'static str>,
}

static PROCESSORS: LazyLock<AmdTables> = LazyLock::new(|| {
    let words = |text: &'static str| text.split_terminator(' ').collect::<Vec<_>>();
    let mut amd = AmdTables { processors: Vec::new(), by_architecture: IdMap::new(), features: Vec::new() };
    for [name, architecture, aliases, modes, features] in
        csv::rows(include_str!("../../spec-extensions/amd-processors.csv"))
    {
        let features = words(features);
        let Some(known) = architectures::by_name(architecture) else {
            amd.features = features;
            continue;
        };
        amd.by_architecture.insert(known.value, amd.processors.len());
        let (architecture, aliases, modes) = (known.value, words(aliases), words(modes));
        amd.processors.push(Processor { name, architecture, aliases, modes, features });
    }
    amd
});

/// Returns the names of the alternatives that a use of Vulkan features requires; `None` for one that no feature names.
pub(crate) fn names_of(feature_use: &FeatureUse) -> Vec<Option<FeatureName>> {
    let name = |way: &Enable| FeatureName::new(VULKAN, &way.setting?.feature_name());
    feature_use.ways.iter().map(name).collect()
}

/// Returns the processor with this name, or alias, in AMD's compiler.
pub fn processor(name: &str) -> Option<&'static Processor> {
    let is_named = |processor: &&Processor| processor.name == name || processor.aliases.contains(&name);
    PROCESSORS.processors.iter().find(is_named)
}

/// Returns the features and numbers among these leaves that are missing from their provider's table. Providers without a
/// table may have any feature.
pub fn unknown_features(leaves: impl IntoIterator<Item = Leaf>) -> BTreeSet<FeatureName> {
    let is_known = |feature: FeatureName| match feature.provider() {
        AMD => PROCESSORS.features.contains(&feature.name()),
        VULKAN => {
            named_features().contains_key(feature.name())
                || CooperativeMatrix::parse(feature.name()).is_some()
        }
        _ => true,
    };
    let unknown = |leaf| match leaf {
        Leaf::Feature(feature) if !is_known(feature) => Some(feature),
        Leaf::Limit(limit) if !limits::is_possible(limit.name()) => Some(limit.name()),
        _ => None,
    };
    leaves.into_iter().filter_map(unknown).collect()
}

/// Returns a sentence on a feature or number that is missing from its provider's table.
pub fn describe_unknown(feature: FeatureName) -> String {
    let name = feature.to_string();
    let nearest = match feature.name().starts_with(cooperative_matrices::PREFIX) {
        true => format!("; a combination of cooperative matrices is written `{VULKAN}:{EXAMPLE}`"),
        false => did_you_mean(&match feature.provider() {
            DRIVER => limits::similar(&name),
            _ => [similar(&name), limits::similar(&name)].concat(),
        }),
    };
    format!("no table has the feature or number `{feature}`: only devices that list it have it{nearest}")
}

/// Returns the names of features similar to an unknown one, the likeliest first.
pub fn similar(name: &str) -> Vec<String> {
    let (provider, feature) =
        name.split_once(':').map_or((None, name), |(provider, name)| (Some(provider), name));
    let mut similar = Vec::new();
    let mut add = |of: &str, names: &mut dyn Iterator<Item = &'static str>| {
        if provider.is_none_or(|provider| provider == of || ![AMD, VULKAN].contains(&provider)) {
            similar.extend(nearest(feature, names).into_iter().map(|name| format!("{of}:{name}")));
        }
    };
    add(VULKAN, &mut named_features().keys().map(String::as_str));
    add(AMD, &mut PROCESSORS.features.iter().copied());
    similar
}

/// Returns the leaves for a name of Vulkan, such as `shaderFloat16`, as they are written in conditions, the most widely known first;
/// none for other names.
pub fn texts_of_vulkan(name: &str) -> Vec<String> {
    let Some(feature) = named_features().get(name) else { return Vec::new() };
    let capability = match feature.provides[..] {
        [capability] => capabilities::name(capability).map(|capability| format!("cap({capability})")),
        _ => None,
    };
    capability.into_iter().chain([format!("feature({VULKAN}:{name})")]).collect()
}

/// Returns the names of the capabilities that devices with this feature of Vulkan support; none for other names.
pub fn capabilities_of_vulkan(name: &str) -> Vec<String> {
    let provided = named_features().get(name).into_iter().flat_map(|feature| &feature.provides);
    provided.filter_map(|&number| capabilities::name(number)).map(str::to_owned).collect()
}

/// Returns the names of the aspects that devices with this feature of Vulkan have; none for other names.
pub fn aspects_of_vulkan(name: &str) -> Vec<String> {
    let provided = named_features().get(name).into_iter().flat_map(|feature| &feature.provides);
    let aspects: BTreeSet<u32> = provided.flat_map(|&number| capabilities::aspects_of(number)).collect();
    gather(aspects.into_iter().filter_map(aspects::name).map(str::to_owned))
}

/// Returns the end of a message about an unknown name that is a name of Vulkan: the name that this project has for it. Empty for other
/// names.
pub fn explain_vulkan(name: &str) -> String {
    let is_feature = named_features().contains_key(name);
    match &capabilities_of_vulkan(name)[..] {
        [capability] => format!("; Vulkan's `{name}` is the capability `{capability}`"),
        _ if is_feature => format!("; Vulkan's `{name}` is the feature `{VULKAN}:{name}`"),
        _ => String::new(),
    }
}

impl Processor {
    /// Returns true if the processor has the feature in any mode; `None` if that depends on the mode.
    fn has(&self, feature: &str) -> Option<bool> {
        match feature.strip_prefix(IS) {
            Some(name) => Some(self.name == name || self.aliases.contains(&name)),
            None if self.modes.contains(&feature) => None,
            None => Some(self.features.contains(&feature)),
        }
    }
}

impl Device {
    /// Returns true if the device has this feature of a provider; `None` if unknown. A device of another
    /// vendor has none.
    pub(crate) fn has_feature(&self, feature: FeatureName) -> Option<bool> {
        if let Some(&known) = self.facts.provider_features.get(&feature) {
            return Some(known);
        }
        if feature.provider() == VULKAN
            && let Some(known) = self.has_vulkan_feature(feature.name())
        {
            return Some(known);
        }
        if self.is_complete_for(feature) {
            return Some(false);
        }
        if feature.provider() != AMD {
            return None;
        }
        match self.processor() {
            Some(processor) => processor.has(feature.name()),
            // A processor that the table's compiler no longer supports.
            None if self.is_of_amd() == Some(true) && self.architecture.is_some() => None,
            None => self.is_of_amd().filter(|is_of_amd| !is_of_amd),
        }
    }

    /// Returns true if the device has no features of this provider except those that it lists.
    fn is_complete_for(&self, feature: FeatureName) -> bool {
        let complete = |prefix: &str| {
            self.facts.complete_features.contains(&*format!("{}:{prefix}", feature.provider()))
        };
        // Drivers list combinations on a question of their own.
        match feature.name().starts_with(cooperative_matrices::PREFIX) {
            true => complete(cooperative_matrices::PREFIX),
            false => complete(""),
        }
    }

    /// Returns true if a Vulkan device has this feature, as far as that follows from its capabilities; `None` if unknown.
    fn has_vulkan_feature(&self, name: &str) -> Option<bool> {
        let has = |capability: u32| self.has_capability(capability);
        if has(spirv::Capability::Shader as u32) != Some(true) {
            return None;
        }
        if name.starts_with(cooperative_matrices::PREFIX) {
            // Only those that drivers list are there.
            return has(spirv::Capability::CooperativeMatrixKHR as u32).filter(|has| !has);
        }
        let known = named_features().get(name)?;
        if known.restricted_by().is_some() {
            return Some(true);
        }
        if known.capabilities.iter().any(|&capability| has(capability) == Some(true)) {
            return Some(true);
        }
        // A device may have the feature and not the capability, for want of another one that this implies.
        let has_implied = |capability: u32| {
            capabilities::implied(capability).iter().all(|&implied| has(implied) == Some(true))
        };
        let mut decisive = known.provides.iter().filter(|&&capability| has_implied(capability));
        decisive.any(|&capability| has(capability) == Some(false)).then_some(false)
    }

    /// Sets the features of Vulkan that an implementation has; the device has no others. Those that follow from its capabilities are not
    /// stored, and neither are those that only devices with another extension may be without.
    pub(super) fn set_vulkan_features(&mut self, on: &dyn Implementation) {
        self.facts.complete_features.insert(format!("{VULKAN}:").into());
        for (name, feature) in named_features() {
            let has = feature.ways.iter().any(|way| way.holds(on));
            let is_restricted = feature.restricted_by().is_some_and(|extension| on.has_extension(extension));
            if (is_restricted || self.has_vulkan_feature(name).unwrap_or(false) != has)
                && let Some(feature) = FeatureName::new(VULKAN, name)
            {
                self.facts.provider_features.insert(feature, has);
            }
        }
    }

    /// Returns the features of providers that the device has, and the unknown modes of its processor with a
    /// question mark.
    #[doc(hidden)]
    pub fn shown_features(&self) -> Vec<String> {
        let processor = self.processor();
        let features =
            processor.iter().flat_map(|processor| processor.features.iter().chain(&processor.modes)).copied();
        let features = features.filter_map(|name| FeatureName::new(AMD, name));
        let all: BTreeSet<FeatureName> = gather(features.chain(self.facts.provider_features.keys().copied()));
        let show = |feature: FeatureName| match self.has_feature(feature) {
            Some(true) => Some(feature.to_string()),
            Some(false) => None,
            None => Some(format!("{feature}?")),
        };
        all.into_iter().filter_map(show).collect()
    }

    /// Returns true if a Vulkan device has this feature or property; `None` if unknown.
    #[doc(hidden)]
    pub fn has_vulkan_setting(&self, setting: &FeatureSetting) -> Option<bool> {
        self.has_feature(FeatureName::new(VULKAN, &setting.feature_name())?)
    }

    /// Returns true if the device itself lists a setting of Vulkan: the setting follows from nothing else.
    #[doc(hidden)]
    pub fn lists_vulkan_setting(&self, setting: &FeatureSetting) -> bool {
        let feature = FeatureName::new(VULKAN, &setting.feature_name());
        feature.is_some_and(|feature| self.facts.provider_features.get(&feature) == Some(&true))
    }

    /// Returns true if a Vulkan device has one of the alternatives of a use. `None` if unknown: a capability that the
    /// device's source does not list rules out no feature ([`Device::supports_capability`]).
    pub(crate) fn has_feature_of(&self, feature_use: &FeatureUse) -> Option<bool> {
        self.has_any_feature(&names_of(feature_use))
    }

    /// Like [`has_feature_of`](Self::has_feature_of), for the names of a use's alternatives.
    pub(crate) fn has_any_feature(&self, alternatives: &[Option<FeatureName>]) -> Option<bool> {
        let has = |feature: &Option<FeatureName>| {
            let feature = (*feature)?;
            self.has_feature(feature).filter(|has| *has || self.excludes(feature))
        };
        let mut is_excluded = true;
        for answer in alternatives.iter().map(has) {
            if answer == Some(true) {
                return answer;
            }
            is_excluded &= answer == Some(false);
        }
        is_excluded.then_some(false)
    }

    /// Returns true if a Vulkan device is known not to have a feature.
    fn excludes(&self, feature: FeatureName) -> bool {
        let provided = named_features().get(feature.name()).into_iter().flat_map(|known| &known.provides);
        self.facts.provider_features.get(&feature) == Some(&false)
            || self.is_complete_for(feature)
            || provided.into_iter().any(|&number| self.supports_capability(number, false) == Some(false))
    }

    /// Returns the sizes of wavefronts in which code may be compiled for the device, if it is a processor of AMD.
    pub(super) fn wavefront_sizes(&self) -> Option<Vec<u32>> {
        self.processor()?;
        let is_possible = |mode: &str| {
            let feature = FeatureName::new(AMD, mode);
            feature.is_some_and(|feature| self.has_feature(feature) != Some(false))
        };
        let size = |mode: &str| mode.strip_prefix(WAVEFRONT_SIZE)?.parse().ok();
        Some(EXCLUSIVE.into_iter().filter(|mode| is_possible(mode)).filter_map(size).collect())
    }

    /// Returns the device's processor of AMD.
    fn processor(&self) -> Option<&'static Processor> {
        let at = PROCESSORS.by_architecture.get(&self.architecture?)?;
        PROCESSORS.processors.get(*at)
    }

    /// Returns true for a GPU of AMD; `None` if unknown.
    fn is_of_amd(&self) -> Option<bool> {
        if let Some(architecture) = self.architecture.and_then(architectures::by_value) {
            return Some(architecture.name.starts_with("amd_gpu_"));
        }
        let is =
            |value: Option<u32>, other: Option<u32>| value.zip(other).map(|(value, other)| value == other);
        let gpu = registry::List::Categories.number("gpu");
        let families = gpu.map(|category| registry::List::Families { category });
        let is_gpu = is(self.category, gpu);
        let answers = [
            is_gpu,
            is(self.family, families.and_then(|list| list.number("amd"))).filter(|_| is_gpu == Some(true)),
            is(self.target, registry::List::Targets.number("amdgcn")),
        ];
        if answers.contains(&Some(false)) {
            return Some(false);
        }
        let is_known = answers[1..].contains(&Some(true));
        if is_known { Some(true) } else { self.unlisted_architecture() }
    }

    /// Returns the device in the modes after its name: `xnack+:sramecc-`. Of the two sizes of wavefronts it
    /// has one.
    pub(super) fn with_modes(mut self, modes: &str) -> Result<Device, DeviceError> {
        for text in modes.split_terminator(':') {
            let known: &[&str] = self.processor().map_or(&[], |processor| &processor.modes);
            let (mode, has) = match (text.strip_suffix('+'), text.strip_suffix('-')) {
                (Some(mode), _) => (mode, true),
                (_, Some(mode)) => (mode, false),
                _ => ("", false),
            };
            if !known.contains(&mode) {
                let nearest = known.iter().flat_map(|mode| ["+", "-"].map(|sign| format!("{mode}{sign}")));
                return Err(DeviceError::UnknownMode {
                    name: self.name.into_owned(),
                    mode: text.to_owned(),
                    known: nearest.collect(),
                });
            }
            let is_one = EXCLUSIVE.contains(&mode);
            for processor_mode in known.iter().filter(|processor_mode| {
                **processor_mode == mode || is_one && EXCLUSIVE.contains(processor_mode)
            }) {
                let Some(feature) = FeatureName::new(AMD, processor_mode) else { continue };
                for facts in self.all_facts() {
                    facts.set_feature(feature, has == (*processor_mode == mode))?;
                }
            }
        }
        if !modes.is_empty() {
            self.name = format!("{}:{modes}", self.name).into();
        }
        Ok(self)
    }
}

impl DeviceFacts {
    /// Adds features: names with their providers. `!` before a name excludes the feature, and `!PROVIDER:*`
    /// all others of a provider.
    pub(super) fn add_provider_features<'t>(
        &mut self,
        items: impl IntoIterator<Item = &'t str>,
    ) -> Result<(), DeviceError> {
        for item in items {
            let name = item.strip_prefix('!').unwrap_or(item);
            let has = name.len() == item.len();
            let all = name.strip_suffix(OTHERS).filter(|_| !has);
            match (all, FeatureName::parse(name)) {
                (Some(prefix), _) if is_complete_prefix(prefix) => {
                    self.complete_features.insert(prefix.to_owned().into());
                }
                (_, Some(feature)) if feature.provider() != DRIVER => self.set_feature(feature, has)?,
                (_, driver) => {
                    let nearest = driver
                        .map_or_else(|| similar(name), |driver| vec![format!("{DRIVER}: {}", driver.name())]);
                    return Err(DeviceError::UnknownName { what: "feature", name: item.to_owned(), nearest });
                }
            }
        }
        Ok(())
    }

    /// Returns the texts from which [`add_provider_features`](DeviceFacts::add_provider_features) restores the
    /// features.
    pub(super) fn provider_feature_items(&self) -> impl Iterator<Item = String> {
        let features = self.provider_features.iter();
        let features = features.map(|(name, has)| format!("{}{name}", if *has { "" } else { "!" }));
        features.chain(self.complete_features.iter().map(|prefix| format!("!{prefix}{OTHERS}")))
    }

    fn set_feature(&mut self, feature: FeatureName, has: bool) -> Result<(), DeviceError> {
        if self.provider_features.insert(feature, has) == Some(!has) {
            let texts = ["", "!"].map(|sign| format!("{sign}{feature}"));
            let [first, second] = texts;
            return Err(DeviceError::Contradiction { what: "feature", first, second });
        }
        Ok(())
    }
}

/// Returns true for the name of a provider with its colon, and for that of features with parameters.
fn is_complete_prefix(prefix: &str) -> bool {
    prefix.split_once(':').is_some_and(|(provider, name)| {
        name.is_empty() || provider == VULKAN && name == cooperative_matrices::PREFIX
    })
}

/// Splits the name of a device from the modes after it.
pub(super) fn split_modes(name: &str) -> (&str, &str) {
    name.split_once(':').unwrap_or((name, ""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::NumberTable;

    fn device(name: &str) -> Device {
        Device::embedded(name).unwrap()
    }

    fn has(device: &Device, feature: &str) -> Option<bool> {
        device.has_feature(FeatureName::parse(feature).unwrap())
    }

    #[test]
    fn processors_have_the_features_of_the_table() {
        let gfx90a = device("gfx90a");
        for (feature, expected) in [
            ("amdgpu:gfx90a-insts", Some(true)),
            ("amdgpu:gfx12-insts", Some(false)),
            ("amdgpu:wavefrontsize64", Some(true)),
            ("amdgpu:xnack", None),
            ("amdgpu:is.gfx90a", Some(true)),
            ("amdgpu:is.gfx9999", Some(false)),
            ("amdgpu:no-such-insts", Some(false)),
            ("vulkan:shaderFloat16", None),
        ] {
            assert_eq!(has(&gfx90a, feature), expected, "{feature}");
        }
        assert_eq!(has(&device("gfx9-generic"), "amdgpu:gfx9-insts"), Some(true));
        assert_eq!(has(&device("gfx9-generic"), "amdgpu:is.gfx900"), Some(false));
        assert_eq!(has(&device("amd_gpu_gfx940"), "amdgpu:mai-insts"), None, "clang no longer has it");
    }

    #[test]
    fn devices_of_others_have_none() {
        for name in ["pvc", "sm_80", "x86_64"] {
            assert_eq!(has(&device(name), "amdgpu:gfx9-insts"), Some(false), "{name}");
        }
        assert_eq!(has(&Device::default(), "amdgpu:gfx9-insts"), None);
        let family = |family: u32| Device { category: Some(2), family: Some(family), ..Device::default() };
        assert_eq!(has(&family(2), "amdgpu:gfx9-insts"), None);
        assert_eq!(has(&family(3), "amdgpu:gfx9-insts"), Some(false));
        let unknown = Device { complete: true, unknown_architecture: true, ..family(2) };
        assert_eq!(has(&unknown, "amdgpu:gfx9-insts"), None);
    }

    #[test]
    fn modes_are_features() {
        let gfx90a = device("gfx90a:xnack+:sramecc-");
        assert_eq!(gfx90a.name, "amd_gpu_gfx90a:xnack+:sramecc-");
        assert_eq!([has(&gfx90a, "amdgpu:xnack"), has(&gfx90a, "amdgpu:sramecc")], [Some(true), Some(false)]);
        let sizes = |device: &Device| EXCLUSIVE.map(|size| has(device, &format!("amdgpu:{size}")));
        assert_eq!(sizes(&device("gfx1100")), [None, None]);
        assert_eq!(sizes(&device("gfx1100:wavefrontsize64+")), [Some(false), Some(true)]);
        assert_eq!(sizes(&device("gfx1100:wavefrontsize64-")), [Some(true), Some(false)]);
        for (name, error) in [
            (
                "gfx1100:xnack+",
                "amd_gpu_gfx1100 has no mode `xnack+`; it has wavefrontsize32+, wavefrontsize32-, wavefrontsize64+, wavefrontsize64-",
            ),
            ("gfx90a:xnack", "amd_gpu_gfx90a has no mode `xnack`; it has sramecc+, sramecc-, xnack+, xnack-"),
            ("pvc:xnack+", "intel_gpu_pvc has no mode `xnack+`; it has none"),
            ("gfx90a:xnack+:xnack-", "a device has one feature: `amdgpu:xnack` or `!amdgpu:xnack`?"),
        ] {
            assert_eq!(Device::embedded(name).unwrap_err().to_string(), error);
        }
    }

    #[test]
    fn features_of_vulkan_follow_from_capabilities() {
        let profile = device("vulkan_vp_android_2022");
        let phone = profile.with_facts(|facts| {
            (facts.provider_features, facts.complete_features) = Default::default();
        });
        for (feature, expected) in [
            ("vulkan:geometryShader", phone.has_capability(spirv::Capability::Geometry as u32)),
            ("vulkan:shaderFloat64", Some(false)),
            // One of several features of a capability that implies a missing one, and one of no capability.
            ("vulkan:shaderSharedInt64Atomics", None),
            ("vulkan:shaderSubgroupExtendedTypes", None),
            ("vulkan:noSuchFeature", None),
        ] {
            assert_eq!(has(&phone, feature), expected, "{feature}");
        }
        let mut complete = phone.clone();
        complete.facts.add_provider_features(["vulkan:maintenance9", "!vulkan:*"]).unwrap();
        let has = ["maintenance9", "shaderSubgroupExtendedTypes", "noSuchFeature", "shaderInt16"]
            .map(|name| has(&complete, &format!("vulkan:{name}")));
        let of_capability = complete.has_capability(spirv::Capability::Int16 as u32);
        assert_eq!(has, [Some(true), Some(false), Some(false), of_capability]);
    }

    /// The longest are bits of properties.
    #[test]
    fn every_name_of_vulkan_fits() {
        let names = crate::device::api::named_features().keys();
        let unnamed: Vec<&String> = names.filter(|name| FeatureName::new(VULKAN, name).is_none()).collect();
        assert!(unnamed.is_empty(), "{unnamed:?}");
    }

    #[test]
    fn names_of_vulkan_are_known() {
        let feature = |name: &str| Leaf::Feature(FeatureName::new(VULKAN, name).unwrap());
        let leaves = ["shaderInt64", "subgroupSupportedStages.VK_SHADER_STAGE_VERTEX_BIT", "shaderInt65"];
        let unknown = unknown_features(leaves.map(feature));
        assert_eq!(
            unknown.into_iter().map(|name| name.to_string()).collect::<Vec<_>>(),
            ["vulkan:shaderInt65"]
        );
        assert_eq!(similar("vulkan:shaderInt65")[0], "vulkan:shaderInt64");
        assert!(similar("amdgpu:shaderInt65").iter().all(|name| name.starts_with("amdgpu:")));
        assert_eq!(texts_of_vulkan("shaderFloat16"), ["cap(Float16)", "feature(vulkan:shaderFloat16)"]);
        assert_eq!(texts_of_vulkan("maintenance9"), ["feature(vulkan:maintenance9)"]);
        assert!(texts_of_vulkan("fp16").is_empty());
        assert_eq!(capabilities_of_vulkan("shaderInt64"), ["Int64"]);
    }

    #[test]
    fn lists_of_features() {
        let mut device = Device::default();
        device.facts.add_provider_features(["amdgpu:a-insts", "!amdgpu:b"]).unwrap();
        assert_eq!(
            ["amdgpu:a-insts", "amdgpu:b", "amdgpu:c"].map(|name| has(&device, name)),
            [Some(true), Some(false), None]
        );
        device.facts.add_provider_features(["!amdgpu:*"]).unwrap();
        assert_eq!(has(&device, "amdgpu:c"), Some(false));
        assert_eq!(has(&device, "vulkan:c"), None);
        let items: Vec<String> = device.facts.provider_feature_items().collect();
        assert_eq!(items, ["amdgpu:a-insts", "!amdgpu:b", "!amdgpu:*"]);
        assert!(device.facts.add_provider_features(["amdgpu:b"]).is_err());
        assert!(device.facts.add_provider_features(["b"]).is_err());
        // Numbers need an entry.
        assert!(device.facts.add_provider_features(["vulkan:maxX=64"]).is_err());
    }

    /// Checks that every row is a processor, with its own architecture and a device of that architecture.
    #[test]
    fn rows_are_processors() {
        let rows = csv::rows::<5>(include_str!("../../spec-extensions/amd-processors.csv")).count();
        assert_eq!(PROCESSORS.processors.len(), rows - 1);
        assert_eq!(PROCESSORS.by_architecture.len(), rows - 1);
        for processor in &PROCESSORS.processors {
            let named = architectures::by_value(processor.architecture).unwrap();
            assert_eq!(device(named.name).architecture, Some(processor.architecture));
            assert_eq!(device(processor.name).architecture, Some(processor.architecture));
            let of_list = |feature: &&str| PROCESSORS.features.contains(feature);
            assert!(processor.features.iter().all(of_list), "{}", processor.name);
            assert!(processor.modes.iter().all(of_list), "{}", processor.name);
        }
        assert_eq!(
            NumberTable::Architectures.number("amd_gpu_gfx90a"),
            Some(processor("gfx90a").unwrap().architecture)
        );
    }
}
