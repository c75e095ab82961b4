//! The tables of each API, parsed.

use crate::collections::{IdMap, OrderedMap, sort};
use crate::loader::Version;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::LazyLock;

use spirv::{ExecutionMode, ExecutionModel};

use super::{Api, Enable, FeatureSetting, Versions, canonical};
use crate::device::{aspects, capabilities};
use crate::text::csv;

const VULKAN_CAPABILITIES: &str = include_str!("../../../spec-extensions/vulkan-capabilities.csv");
const VULKAN_EXTENSIONS: &str = include_str!("../../../spec-extensions/vulkan-extensions.csv");
const VULKAN_ASPECTS: &str = include_str!("../../../spec-extensions/vulkan-aspects.csv");
const VULKAN_LIMITS: &str = include_str!("../../../spec-extensions/vulkan-limits.csv");
const VULKAN_USES: &str = include_str!("../../../spec-extensions/vulkan-uses.csv");
const OPENCL_CAPABILITIES: &str = include_str!("../../../spec-extensions/opencl-capabilities.csv");
const OPENCL_ASPECTS: &str = include_str!("../../../spec-extensions/opencl-aspects.csv");
const OPENCL_EXTENSIONS: &str = include_str!("../../../spec-extensions/opencl-extensions.csv");
const SPIRV_VERSIONS: &str = include_str!("../../../spec-extensions/api-spirv-versions.csv");

/// The tables of one API.
#[derive(Default)]
pub(super) struct ApiTables {
    pub aspects: IdMap<Vec<Enable>>,
    pub capabilities: HashMap<&'static str, Vec<Enable>>,
    pub extensions: HashMap<&'static str, Vec<Enable>>,
    pub spirv_versions: HashMap<Version, Vec<Enable>>,
    /// The versions of the API that the tables name, in ascending order.
    pub versions: Vec<Version>,
}

impl ApiTables {
    fn with_versions(mut self) -> ApiTables {
        let ways =
            self.capabilities.values().chain(self.extensions.values()).chain(self.spirv_versions.values());
        let ranges = ways.flatten().filter_map(|way| way.versions);
        self.versions = ranges.flat_map(|range| [Some(range.from), range.to]).flatten().collect();
        sort(&mut self.versions);
        self.versions.dedup();
        self
    }
}

/// Vulkan features, any of which a use requires in addition to or instead of a capability.
#[derive(Clone, Debug)]
pub struct FeatureUse {
    /// Name of the first alternative ([`FeatureSetting::feature_name`]), which no other row has.
    pub name: String,
    /// The use.
    pub use_: &'static str,
    /// Execution models of the entry points with this requirement, with spaces between them; any if empty.
    pub stages: &'static str,
    /// Alternatives, one of which is required.
    pub ways: Vec<Enable>,
}

/// A row of the table is known by its name.
impl PartialEq for FeatureUse {
    fn eq(&self, other: &FeatureUse) -> bool {
        self.name == other.name
    }
}

impl Eq for FeatureUse {}

impl Hash for FeatureUse {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl FeatureUse {
    /// Returns true if an entry point of an execution model has this requirement. A function that other modules call has no model, and may be
    /// called in any.
    pub fn applies_to(&self, stage: Option<&str>) -> bool {
        self.stages.is_empty()
            || stage.is_some_and(|stage| self.stages.split(' ').any(|known| known == stage))
    }

    /// Returns a description of the use in these stages.
    pub fn when(&self) -> String {
        match self.stages {
            "" => self.use_.to_owned(),
            stages => format!("{} in {}", self.use_, stages.replace(' ', " or ")),
        }
    }

    /// Returns true if every Vulkan device with an aspect has one of the alternatives.
    pub fn follows_from_aspect(&self, aspect: u32) -> bool {
        let key = |way: &Enable| way.setting.map(|setting| setting.key());
        let is_alternative = |way: &Enable| self.ways.iter().any(|known| key(known) == key(way));
        VULKAN.aspects.get(&aspect).is_some_and(|ways| ways.iter().all(is_alternative))
    }
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
    known.with_versions()
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
    known.with_versions()
});

static USES: LazyLock<Vec<FeatureUse>> = LazyLock::new(|| {
    let mut uses: Vec<FeatureUse> = Vec::new();
    for [use_, stages, member, value, version, extension, structure, _sources] in csv::rows(VULKAN_USES) {
        let Some(setting) = vulkan_setting(structure, member, value) else { continue };
        let enable = enable(Api::Vulkan, version, extension, Some(setting));
        match uses.last_mut().filter(|last| last.use_ == use_ && last.stages == stages) {
            Some(last) => last.ways.push(enable),
            None => {
                let name = setting.feature_name();
                uses.push(FeatureUse { name, use_, stages, ways: vec![enable] });
            }
        }
    }
    uses
});

/// A setting of Vulkan that conditions can name.
#[derive(Clone, Debug, Default)]
pub struct NamedFeature {
    /// The alternatives that provide it, in structures of different versions and extensions.
    pub ways: Vec<Enable>,
    /// The capabilities that require it, and no other setting.
    pub capabilities: Vec<u32>,
    /// The capabilities that devices with it support, if they support those that these imply.
    pub provides: Vec<u32>,
}

impl NamedFeature {
    /// Returns the extension whose devices alone may be without the feature.
    pub fn restricted_by(&self) -> Option<&'static str> {
        self.ways.iter().find_map(|way| way.restricted_by)
    }
}

static NAMED_FEATURES: LazyLock<OrderedMap<String, NamedFeature>> = LazyLock::new(|| {
    let mut features: OrderedMap<String, NamedFeature> = OrderedMap::new();
    let of_capabilities = VULKAN.capabilities.values();
    let ways = of_capabilities.chain(uses().iter().map(|known| &known.ways)).flatten();
    for (way, setting) in ways.filter_map(|way| Some((way, way.setting?))) {
        let known = &mut features.entry(setting.feature_name()).or_default().ways;
        if !known.contains(way) {
            known.push(*way);
        }
    }
    for (name, ways) in &VULKAN.capabilities {
        let Some(number) = capabilities::number(name) else { continue };
        let names: HashSet<Option<String>> =
            ways.iter().map(|way| way.setting.map(|setting| setting.feature_name())).collect();
        for name in names.iter().flatten() {
            let Some(feature) = features.get_mut(name) else { continue };
            feature.provides.push(number);
            if names.len() == 1 {
                feature.capabilities.push(number);
            }
        }
    }
    for feature in features.values_mut() {
        feature.capabilities.sort_unstable();
        feature.provides.sort_unstable();
    }
    features
});

/// Returns the settings of Vulkan that conditions can name, by their names without the provider.
pub fn named_features() -> &'static OrderedMap<String, NamedFeature> {
    &NAMED_FEATURES
}

/// Returns the tables of an API.
pub(super) fn api_tables(api: Api) -> &'static ApiTables {
    match api {
        Api::Vulkan => &VULKAN,
        Api::OpenCl => &OPENCL,
    }
}

/// A limit of Vulkan that is one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LimitRow {
    /// The structure that has it.
    pub structure: &'static str,
    /// The limit, with its index if it is an array.
    pub limit: &'static str,
    /// The number of the execution model of the entry points that it bounds.
    pub stage: u32,
    /// The number that it bounds.
    pub what: LimitedNumber,
    /// The least value on devices with the stage.
    pub least: u64,
}

/// The number of an entry point that a limit bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LimitedNumber {
    /// The number of work-items in a work-group.
    WorkItems,
    /// The size of a work-group in a dimension, from 0.
    Dimension(usize),
    /// The literal of the execution mode with this number.
    Mode(u32),
}

impl LimitRow {
    fn new([structure, limit, stage, what, least, _source]: [&'static str; 6]) -> Option<LimitRow> {
        let dimension = ["x", "y", "z"].iter().position(|name| *name == what);
        let what = match (what, dimension) {
            ("work-items", _) => LimitedNumber::WorkItems,
            (_, Some(dimension)) => LimitedNumber::Dimension(dimension),
            (mode, None) => LimitedNumber::Mode(ExecutionMode::from_str(mode).ok()? as u32),
        };
        let stage = ExecutionModel::from_str(stage).ok()? as u32;
        Some(LimitRow { structure, limit, stage, what, least: least.parse().ok()? })
    }

    /// Returns true for the largest work-group of compute shaders, which devices have in every API.
    pub fn is_of_all_apis(&self) -> bool {
        self.what == LimitedNumber::WorkItems && self.stage == ExecutionModel::GLCompute as u32
    }
}

static LIMITS: LazyLock<Vec<LimitRow>> =
    LazyLock::new(|| csv::rows(VULKAN_LIMITS).filter_map(LimitRow::new).collect());

/// Returns the limits of Vulkan that bound entry points.
pub fn limits() -> &'static [LimitRow] {
    &LIMITS
}

/// Returns the Vulkan features that uses require, grouped by use.
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
    let (extension, restricted_by) = match extension.strip_prefix('!') {
        Some(restricting) => (None, Some(restricting)),
        None => (Some(extension).filter(|name| !name.is_empty()), None),
    };
    Enable { api, versions, extension, restricted_by, setting }
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
