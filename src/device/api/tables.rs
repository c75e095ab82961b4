//! The tables of each API, parsed.

use crate::loader::Version;
use std::{collections::HashMap, sync::LazyLock};

use super::{Api, Enable, FeatureSetting, Versions, canonical};
use crate::device::aspects;
use crate::text::csv;

const VULKAN_CAPABILITIES: &str = include_str!("../../../spec-extensions/vulkan-capabilities.csv");
const VULKAN_EXTENSIONS: &str = include_str!("../../../spec-extensions/vulkan-extensions.csv");
const VULKAN_ASPECTS: &str = include_str!("../../../spec-extensions/vulkan-aspects.csv");
const VULKAN_USES: &str = include_str!("../../../spec-extensions/vulkan-uses.csv");
const OPENCL_CAPABILITIES: &str = include_str!("../../../spec-extensions/opencl-capabilities.csv");
const OPENCL_ASPECTS: &str = include_str!("../../../spec-extensions/opencl-aspects.csv");
const OPENCL_EXTENSIONS: &str = include_str!("../../../spec-extensions/opencl-extensions.csv");
const SPIRV_VERSIONS: &str = include_str!("../../../spec-extensions/api-spirv-versions.csv");

/// The tables of one API.
#[derive(Default)]
pub(super) struct ApiTables {
    pub aspects: HashMap<u32, Vec<Enable>>,
    pub capabilities: HashMap<&'static str, Vec<Enable>>,
    pub extensions: HashMap<&'static str, Vec<Enable>>,
    pub spirv_versions: HashMap<Version, Vec<Enable>>,
}

/// A Vulkan feature that certain uses require, in addition to or instead of a capability.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureUse {
    /// Member of the feature, equal in all its structures.
    pub member: &'static str,
    /// Description of the use.
    pub when: &'static str,
    /// Alternatives that provide the feature.
    pub ways: Vec<Enable>,
    /// The rule in the Vulkan Specification.
    pub source: &'static str,
}

static VULKAN: LazyLock<ApiTables> = LazyLock::new(|| {
    let mut known = ApiTables { spirv_versions: spirv_versions(Api::Vulkan), ..ApiTables::default() };
    for [capability, version, extension, structure, member, value] in csv::rows(VULKAN_CAPABILITIES) {
        let enable = enable(Api::Vulkan, version, extension, vulkan_setting(structure, member, value));
        known.capabilities.entry(canonical(capability)).or_default().push(enable);
    }
    for [aspect, version, extension, structure, member, value] in csv::rows(VULKAN_ASPECTS) {
        if let Some(aspect) = aspects::number(aspect) {
            let enable = enable(Api::Vulkan, version, extension, vulkan_setting(structure, member, value));
            known.aspects.entry(aspect).or_default().push(enable);
        }
    }
    for [spirv, version, extension] in csv::rows(VULKAN_EXTENSIONS) {
        known.extensions.entry(spirv).or_default().push(enable(Api::Vulkan, version, extension, None));
    }
    known
});

static OPENCL: LazyLock<ApiTables> = LazyLock::new(|| {
    let mut known = ApiTables { spirv_versions: spirv_versions(Api::OpenCl), ..ApiTables::default() };
    for [capability, version, extension, query, value, _source] in csv::rows(OPENCL_CAPABILITIES) {
        let enable = enable(Api::OpenCl, version, extension, opencl_setting(query, value));
        known.capabilities.entry(canonical(capability)).or_default().push(enable);
    }
    for [aspect, version, extension, query, value, _source] in csv::rows(OPENCL_ASPECTS) {
        if let Some(aspect) = aspects::number(aspect) {
            let enable = enable(Api::OpenCl, version, extension, opencl_setting(query, value));
            known.aspects.entry(aspect).or_default().push(enable);
        }
    }
    for [spirv, version, extension, query, value, _source] in csv::rows(OPENCL_EXTENSIONS) {
        let enable = enable(Api::OpenCl, version, extension, opencl_setting(query, value));
        known.extensions.entry(spirv).or_default().push(enable);
    }
    known
});

static USES: LazyLock<Vec<FeatureUse>> = LazyLock::new(|| {
    let mut uses: Vec<FeatureUse> = Vec::new();
    for [member, when, version, extension, structure, source] in csv::rows(VULKAN_USES) {
        let enable = enable(Api::Vulkan, version, extension, vulkan_setting(structure, member, ""));
        match uses.last_mut().filter(|last| last.member == member) {
            Some(last) => last.ways.push(enable),
            None => uses.push(FeatureUse { member, when, ways: vec![enable], source }),
        }
    }
    uses
});

/// Returns the tables of an API.
pub(super) fn api_tables(api: Api) -> &'static ApiTables {
    match api {
        Api::Vulkan => &VULKAN,
        Api::OpenCl => &OPENCL,
    }
}

/// Returns the Vulkan features that uses require.
pub fn uses() -> &'static [FeatureUse] {
    &USES
}

fn spirv_versions(api: Api) -> HashMap<Version, Vec<Enable>> {
    let mut versions: HashMap<Version, Vec<Enable>> = HashMap::new();
    for [of, spirv, since, extension, query, value, _source] in csv::rows(SPIRV_VERSIONS) {
        if let Some(spirv) = spirv.parse().ok().filter(|_| of == api.keyword()) {
            let enable = enable(api, since, extension, opencl_setting(query, value));
            versions.entry(spirv).or_default().push(enable);
        }
    }
    versions
}

fn enable(api: Api, versions: &str, extension: &'static str, setting: Option<FeatureSetting>) -> Enable {
    let (from, to) = versions.split_once('-').unwrap_or((versions, ""));
    let versions = from.parse().ok().map(|from| Versions { from, to: to.parse().ok() });
    Enable { api, versions, extension: Some(extension).filter(|name| !name.is_empty()), setting }
}

fn vulkan_setting(
    structure: &'static str,
    member: &'static str,
    value: &'static str,
) -> Option<FeatureSetting> {
    match (member, value) {
        ("", _) => None,
        (_, "") => Some(FeatureSetting::Feature { structure, member }),
        _ => Some(FeatureSetting::Property { structure, member, value }),
    }
}

fn opencl_setting(name: &'static str, value: &'static str) -> Option<FeatureSetting> {
    (!name.is_empty()).then_some(FeatureSetting::Query { name, value })
}
