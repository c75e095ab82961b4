//! Numbers of devices: those that conditions compare, and the limits of Vulkan that bound entry points.

use std::sync::LazyLock;

use spirv::{Capability, ExecutionModel};

use super::api::limits;
use super::facts::DeviceFacts;
use super::providers::VULKAN;
use super::{Device, DeviceError, drivers};
use crate::collections::OrderedMap;
use crate::condition::{DEVICE, DRIVER, FeatureName, Limit, number_text, parse_number};
use crate::loader::Version;
use crate::text::csv;
use crate::text::spelling::nearest;

/// Names of the numbers that devices have as lists. Among the limits, the sub-group size is the size that the host
/// chooses.
const SUBGROUP_SIZE: &str = "subgroup_size";
/// Name of the greatest version of SPIR-V.
pub const SPIRV_VERSION: &str = "spirv_version";
/// Name of the size of the largest work-group, in work-items.
pub const MAX_WORK_GROUP_SIZE: &str = "max_work_group_size";
/// Name of the version of Vulkan.
pub(super) const VULKAN_VERSION: &str = "vulkan_version";

/// A number of devices with a name (`spec-extensions/numbers.csv` and `vulkan-limits.csv`).
#[derive(Clone, Copy, Debug)]
pub struct DeviceNumber {
    /// The name in the entries of devices.
    pub name: &'static str,
    /// The structure of Vulkan that has the limit; empty without one.
    pub structure: &'static str,
    /// The member of the structure, with its index if it is an array.
    pub member: &'static str,
    /// The query of OpenCL; empty without one.
    pub query: &'static str,
    /// The least value on Vulkan devices, if the specification has one for all devices.
    least: Option<u64>,
    /// True if all entries have the number, not only those of Vulkan.
    is_of_all_apis: bool,
}

/// The numbers by their names in entries.
static NUMBERS: LazyLock<OrderedMap<&'static str, DeviceNumber>> = LazyLock::new(|| {
    let rows = csv::rows(include_str!("../../spec-extensions/numbers.csv"));
    let of_apis = rows.map(|[name, structure, member, query, least]| {
        let (is_of_all_apis, least) = (!name.is_empty(), least.parse().ok());
        let name = if is_of_all_apis { name } else { member };
        DeviceNumber { name, structure, member, query, least, is_of_all_apis }
    });
    let bounding = limits().iter().filter(|row| !row.is_of_all_apis()).map(|row| DeviceNumber {
        name: row.limit,
        structure: row.structure,
        member: row.limit,
        query: "",
        least: (row.stage == ExecutionModel::GLCompute as u32).then_some(row.least),
        is_of_all_apis: false,
    });
    let mut numbers = OrderedMap::new();
    numbers.extend(bounding.chain(of_apis).map(|number| (number.name, number)));
    numbers
});

/// Returns all numbers that devices can have.
pub fn numbers() -> impl Iterator<Item = &'static DeviceNumber> {
    NUMBERS.values()
}

/// Returns a number by its name in conditions; `None` if the tables do not have the name.
pub fn number(name: FeatureName) -> Option<&'static DeviceNumber> {
    match name.provider() {
        DEVICE => NUMBERS.get(name.name()).filter(|number| number.is_of_all_apis),
        VULKAN => numbers().find(|number| number.vulkan_name().as_deref() == Some(name.name())),
        _ => None,
    }
}

/// Returns false for a number that is missing from its provider's table. Providers without a table may have any number.
pub fn is_possible(name: FeatureName) -> bool {
    match name.provider() {
        DRIVER => drivers::is_known(name),
        DEVICE | VULKAN => number(name).is_some(),
        _ => true,
    }
}

/// Returns the numbers whose names are similar to an unknown name, as conditions name them, the most similar first.
pub fn similar(name: &str) -> Vec<String> {
    if let Some((DRIVER, driver)) = name.split_once(':') {
        return drivers::similar(driver);
    }
    let unqualified = name.rsplit(':').next().unwrap_or(name);
    let texts = |number: &DeviceNumber| {
        let of_all_apis = number.is_of_all_apis.then(|| (number.name.to_owned(), number.name.to_owned()));
        let of_vulkan = number.vulkan_name().map(|name| (format!("limit({VULKAN}:{name})"), name));
        of_all_apis.into_iter().chain(of_vulkan)
    };
    let mut by_name: OrderedMap<String, String> = OrderedMap::new();
    by_name.extend(numbers().flat_map(texts).map(|(text, name)| (name, text)));
    let names = nearest(unqualified, by_name.keys().map(String::as_str));
    names.into_iter().filter_map(|name| by_name.get(&name).cloned()).collect()
}

/// Returns the name of a limit of Vulkan in conditions: an index follows a period.
pub fn limit_name(member: &str) -> String {
    member.replace('[', ".").replace(']', "")
}

impl DeviceNumber {
    /// Returns the name of Vulkan's member in conditions. `None` if Vulkan has no such member.
    fn vulkan_name(&self) -> Option<String> {
        let name = limit_name(self.member);
        (!name.is_empty()).then_some(name)
    }

    /// Returns the name by which a text of the number is read.
    fn feature_name(&self) -> Option<FeatureName> {
        FeatureName::new(DEVICE, &self.name.replace(['[', ']'], "."))
    }
}

impl Device {
    /// Returns true if a number of the device reaches the bound of a limit, false if it does not; `None` if that is not known, as
    /// where one of several sizes of sub-groups is chosen for each pipeline.
    pub(crate) fn reaches(&self, limit: Limit) -> Option<bool> {
        if limit.name().provider() == DRIVER {
            return self.driver_reaches(limit);
        }
        let bound = limit.at_least();
        let number = number(limit.name())?;
        match number.name {
            SUBGROUP_SIZE if self.facts.limits.get(SUBGROUP_SIZE).is_none() => {
                let wavefronts = self.wavefront_sizes();
                let sizes = wavefronts.as_deref().unwrap_or(&self.facts.sub_group_sizes);
                agreement(sizes.iter().map(|&size| u64::from(size) >= bound))
            }
            MAX_WORK_GROUP_SIZE => self.supports_work_group_size(bound),
            SPIRV_VERSION => {
                let versions = self.facts.spirv_versions.iter().flatten();
                let reaches = versions.max().map(|version| u64::from(version.to_word()) >= bound);
                reaches.filter(|&reaches| reaches || self.facts.exact_spirv_versions || self.complete)
            }
            name => match self.facts.limits.get(name) {
                Some(&number) => Some(number >= bound),
                None => (self.takes(Capability::Shader) && number.least.is_some_and(|least| least >= bound))
                    .then_some(true),
            },
        }
    }
}

impl DeviceFacts {
    /// Adds numbers: `max_shared_memory=65536`, `vulkan_version=1.3`, `maxGeometryOutputVertices=256`.
    pub(super) fn add_limits<'t>(
        &mut self,
        items: impl IntoIterator<Item = &'t str>,
    ) -> Result<(), DeviceError> {
        for item in items {
            let (name, text) = item.split_once('=').unwrap_or((item, ""));
            let Some(number) = NUMBERS.get(name) else {
                return Err(unknown(item, nearest(name, NUMBERS.keys().copied())));
            };
            let parsed = number.feature_name().and_then(|name| parse_number(name, text)?.try_into().ok());
            let value: u32 = parsed.ok_or_else(|| {
                let example = if name.ends_with("version") { "1.3" } else { "256" };
                unknown(item, vec![format!("{name}={example}")])
            })?;
            self.set_number(number.name, value)?;
        }
        Ok(())
    }

    /// Sets the numbers that have a value, except those that are lists and the largest work-group.
    pub(super) fn set_limits(&mut self, value: impl Fn(&DeviceNumber) -> Option<u64>) {
        let is_list = |number: &&DeviceNumber| {
            [SUBGROUP_SIZE, SPIRV_VERSION, MAX_WORK_GROUP_SIZE].contains(&number.name)
        };
        let values = numbers()
            .filter(|number| !is_list(number))
            .filter_map(|number| Some((number.name, value(number)?.min(u32::MAX.into()))));
        self.limits.extend(values);
    }

    fn set_number(&mut self, name: &'static str, value: u32) -> Result<(), DeviceError> {
        let before = match name {
            SPIRV_VERSION => {
                let version = Version::from_word(value);
                self.spirv_versions.get_or_insert_default().insert(version);
                None
            }
            MAX_WORK_GROUP_SIZE => self.max_work_group_size.replace(value).map(u64::from),
            _ => self.limits.insert(name, value.into()),
        };
        match before.filter(|before| *before != u64::from(value)) {
            Some(before) => {
                let [first, second] = [before, value.into()].map(|number| format!("{name}={number}"));
                Err(DeviceError::Contradiction { what: "limit", first, second })
            }
            None => Ok(()),
        }
    }

    /// Returns the limits in the order in which they are added.
    pub(super) fn limit_items(&self) -> impl Iterator<Item = String> {
        self.limits.iter().map(|&(name, value)| {
            let text = NUMBERS.get(name).and_then(DeviceNumber::feature_name).map(|name| (name, value));
            let text = text.map_or_else(|| value.to_string(), |(name, value)| number_text(name, value));
            format!("{name}={text}")
        })
    }
}

/// Returns the common value; `None` if values differ, or without values.
fn agreement(values: impl IntoIterator<Item = bool>) -> Option<bool> {
    let mut values = values.into_iter();
    let first = values.next()?;
    values.all(|value| value == first).then_some(first)
}

fn unknown(item: &str, nearest: Vec<String>) -> DeviceError {
    DeviceError::UnknownName { what: "limit", name: item.to_owned(), nearest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::condition::{Expr, Truth, evaluate};
    use crate::device::{DeviceConfig, DeviceNames, DeviceParts};

    /// Returns the value of a condition on a device; `None` if it is not known.
    fn evaluates(device: &Device, text: &str) -> Option<bool> {
        let expr = Expr::parse(text, &DeviceNames).unwrap();
        match evaluate(&expr, &|leaf| device.truth(leaf)).unwrap() {
            Truth::True => Some(true),
            Truth::False => Some(false),
            Truth::Unknown => None,
        }
    }

    fn device(entry: &str) -> Device {
        DeviceConfig::from_yaml("test", &format!("a: {{{entry}}}")).unwrap().get("a").unwrap().clone()
    }

    #[test]
    fn numbers_of_entries() {
        let shaders = device(
            "environments: [vulkan], sub-group-sizes: [16, 32], spirv-versions: [\"1.0\", \"1.3\"], \
             limits: [max_shared_memory=49152, vulkan_version=1.2, \"maxComputeWorkGroupSize[2]=64\"]",
        );
        for (condition, expected) in [
            ("subgroup_size >= 16", Some(true)),
            ("subgroup_size == 32", None),
            ("subgroup_size >= 64", Some(false)),
            ("subgroup_size == 64 || subgroup_size < 64", Some(true)),
            ("max_shared_memory >= 49152", Some(true)),
            ("max_shared_memory >= 49153", Some(false)),
            ("limit(vulkan:maxComputeSharedMemorySize) == 49152", Some(true)),
            ("limit(vulkan:maxComputeWorkGroupSize.2) > 64", Some(false)),
            // At least what every Vulkan device has.
            ("max_work_group_size >= 128", Some(true)),
            ("limit(vulkan:maxComputeWorkGroupInvocations) >= 129", None),
            ("limit(vulkan:maxPushConstantsSize) >= 128", Some(true)),
            ("limit(vulkan:maxPushConstantsSize) >= 256", None),
            ("limit(vulkan:maxComputeWorkGroupCount.0) >= 65535", Some(true)),
            ("vulkan_version >= 1.2", Some(true)),
            ("vulkan_version >= 1.3", Some(false)),
            ("opencl_version >= 2.0", None),
            ("spirv_version >= 1.3", Some(true)),
            ("spirv_version >= 1.4", Some(false)),
            ("limit(other:x) >= 2", None),
        ] {
            assert_eq!(evaluates(&shaders, condition), expected, "{condition}");
        }
        let kernels = device("environments: [opencl]");
        for condition in ["max_work_group_size >= 128", "max_shared_memory >= 1", "subgroup_size >= 8"] {
            assert_eq!(evaluates(&kernels, condition), None, "{condition}");
        }
    }

    #[test]
    fn wavefronts_are_those_of_the_processor() {
        let size = |name: &str| {
            let device = Device::embedded(name).unwrap();
            ["subgroup_size == 32", "subgroup_size == 64"].map(|condition| evaluates(&device, condition))
        };
        assert_eq!(size("gfx90a"), [Some(false), Some(true)]);
        assert_eq!(size("gfx1100"), [None, None]);
        assert_eq!(size("gfx1100:wavefrontsize32+"), [Some(true), Some(false)]);
        assert_eq!(size("nvidia_gpu_sm_90"), [Some(true), Some(false)]);
    }

    #[test]
    fn the_host_chooses_a_size() {
        let parts = DeviceParts::new().device("intel_gpu_dg2_g10");
        let open = parts.clone().to_device(None).unwrap();
        assert_eq!(evaluates(&open, "subgroup_size == 16"), None);
        let chosen = parts.limits("subgroup_size=16").to_device(None).unwrap();
        assert_eq!(evaluates(&chosen, "subgroup_size == 16"), Some(true));
    }

    #[test]
    fn malformed_numbers_are_refused() {
        for (items, error) in [
            ("max_shared_memory", "unknown limit `max_shared_memory`; did you mean `max_shared_memory=256`?"),
            ("max_shared_memor=1", "unknown limit `max_shared_memor=1`; did you mean `max_shared_memory`?"),
            ("vulkan_version=13", "unknown limit `vulkan_version=13`; did you mean `vulkan_version=1.3`?"),
            (
                "max_shared_memory=1,max_shared_memory=2",
                "a device has one limit: `max_shared_memory=1` or `max_shared_memory=2`?",
            ),
        ] {
            let refused = DeviceParts::new().limits(items).to_device(None);
            assert_eq!(refused.unwrap_err().to_string(), error);
        }
    }

    #[test]
    fn unknown_numbers_are_named() {
        let parse = |text: &str| Expr::parse(text, &DeviceNames).unwrap_err().to_string();
        assert_eq!(
            parse("subgroup_siz >= 32"),
            "column 1: no limit is named `subgroup_siz`; did you mean `subgroup_size`, `limit(vulkan:subgroupSize)`?"
        );
        assert_eq!(
            parse("limit(vulkan:maxComputeSharedMemorySiz) >= 2"),
            "column 7: no limit is named `vulkan:maxComputeSharedMemorySiz`; did you mean `limit(vulkan:maxComputeSharedMemorySize)`?"
        );
    }
}
