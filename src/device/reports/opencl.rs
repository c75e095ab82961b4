//! The report of an OpenCL implementation on a device.

use crate::collections::OrderedMap;
use crate::loader::Version;
use std::collections::HashMap;
use std::sync::LazyLock;

use crate::device::api::{Api, FeatureSetting, Implementation};
use crate::device::recognize::Clue;
use crate::device::{Device, DeviceDriver};
use crate::text::csv;

/// Report of an OpenCL implementation on a device: answers to clGetDeviceInfo, by query
/// (`spec-extensions/opencl-queries.csv`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenClReport {
    /// The name of the platform; empty if it is not known.
    platform: String,
    answers: OrderedMap<&'static str, QueryAnswer>,
}

/// Name of the version of OpenCL among the limits.
const OPENCL_VERSION: &str = "opencl_version";

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueryAnswer {
    /// A number, Boolean or bit field.
    Number(u64),
    /// A text.
    Text(String),
    /// A list of numbers.
    Numbers(Vec<u64>),
    /// A list of texts.
    Names(Vec<String>),
}

/// A query of clGetDeviceInfo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Query {
    /// Name of the query.
    pub name: &'static str,
    /// Number of the query (cl_device_info).
    pub number: u32,
    /// The type of the answer.
    pub kind: QueryKind,
}

/// The type of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryKind {
    /// char\[\].
    Text,
    /// An integer of any size.
    Number,
    /// cl_uint\[\].
    Uints,
    /// size_t\[\].
    Sizes,
    /// const char*\[\].
    Names,
}

static QUERIES: LazyLock<Vec<Query>> = LazyLock::new(|| {
    csv::rows(include_str!("../../../spec-extensions/opencl-queries.csv"))
        .filter_map(|[name, number, kind, _source]| {
            let kind = match kind {
                "text" => QueryKind::Text,
                "number" => QueryKind::Number,
                "numbers cl_uint" => QueryKind::Uints,
                "numbers size_t" => QueryKind::Sizes,
                "names" => QueryKind::Names,
                _ => return None,
            };
            Some(Query { name, number: csv::number(number)?.try_into().ok()?, kind })
        })
        .collect()
});

static VALUES: LazyLock<HashMap<&str, u64>> = LazyLock::new(|| {
    csv::rows(include_str!("../../../spec-extensions/opencl-values.csv"))
        .filter_map(|[name, value, _source]| Some((name, csv::number(value)?)))
        .collect()
});

/// Returns the queries for a device.
pub fn queries() -> &'static [Query] {
    &QUERIES
}

impl OpenClReport {
    /// Returns the report of a device of a platform with this name.
    pub fn new(platform: &str) -> OpenClReport {
        OpenClReport { platform: platform.trim().to_owned(), ..OpenClReport::default() }
    }

    /// Sets the answer to a query. Returns true if the table has the query.
    pub fn set(&mut self, query: &str, answer: QueryAnswer) -> bool {
        let Some(query) = QUERIES.iter().find(|known| known.name == query) else { return false };
        self.answers.insert(query.name, answer);
        true
    }

    /// Returns the text of an answer, trimmed; empty if there is none.
    pub fn text(&self, query: &str) -> &str {
        match self.answers.get(query) {
            Some(QueryAnswer::Text(text)) => text.trim(),
            _ => "",
        }
    }

    /// Returns the number of an answer.
    pub fn number(&self, query: &str) -> Option<u64> {
        match self.answers.get(query) {
            Some(QueryAnswer::Number(number)) => Some(*number),
            _ => None,
        }
    }

    fn numbers(&self, query: &str) -> &[u64] {
        match self.answers.get(query) {
            Some(QueryAnswer::Numbers(numbers)) => numbers,
            _ => &[],
        }
    }

    /// Returns the extensions.
    pub fn extensions(&self) -> impl Iterator<Item = &str> {
        self.text("CL_DEVICE_EXTENSIONS").split_whitespace()
    }

    /// Returns the device. Its capabilities are those that it lists (cl_khr_spirv_queries), otherwise those
    /// of the OpenCL SPIR-V Environment Specification's tables. A device that does not accept SPIR-V has no
    /// versions and no capabilities.
    pub fn device(&self) -> Device {
        let mut offered = Api::OpenCl.offered(self);
        let mut is_listed = false;
        let mut lists_extensions = false;
        if self.has_extension("cl_khr_spirv_queries") {
            if let Some(QueryAnswer::Names(names)) = self.answers.get("CL_DEVICE_SPIRV_EXTENSIONS_KHR") {
                offered.extensions = names.iter().cloned().collect();
                lists_extensions = true;
            }
            let listed = self.numbers("CL_DEVICE_SPIRV_CAPABILITIES_KHR");
            is_listed = !listed.is_empty();
            if is_listed {
                offered.capabilities = listed.iter().filter_map(|&number| number.try_into().ok()).collect();
            }
        }
        // A consumer of a version accepts all earlier ones.
        if let Some(&newest) = offered.spirv_versions.last() {
            let earlier = (0..newest.minor).map(|minor| Version::new(newest.major, minor));
            offered.spirv_versions.extend(earlier);
        } else {
            offered.capabilities.clear();
            offered.extensions.clear();
            (is_listed, lists_extensions) = (true, true);
        }
        let name = self.text("CL_DEVICE_NAME");
        let mut device = super::device(super::entry_name(Api::OpenCl, name), offered, &self.clues());
        device.driver = DeviceDriver::from_opencl(&self.platform, self.text("CL_DRIVER_VERSION"));
        device.facts.sub_group_sizes = self.sub_group_sizes().into();
        // A size_t.
        device.facts.max_work_group_size =
            self.number("CL_DEVICE_MAX_WORK_GROUP_SIZE").map(|size| size.try_into().unwrap_or(u32::MAX));
        device.facts.set_limits(|of| self.number(of.query));
        device.facts.limits.insert(OPENCL_VERSION, self.version().to_word().into());
        device.facts.exact_capabilities = is_listed;
        device.facts.exact_extensions = lists_extensions;
        device.facts.infer_capabilities();
        device
    }

    fn clues(&self) -> Vec<Clue<'_>> {
        let mut clues = vec![Clue::Name(self.text("CL_DEVICE_NAME"))];
        clues.extend(self.number("CL_DEVICE_IP_VERSION_INTEL").map(Clue::IntelIp));
        let major = self.number("CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV");
        if let (Some(major), Some(minor)) = (major, self.number("CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV")) {
            clues.push(Clue::ComputeCapability(major, minor));
        }
        clues.extend(self.number("CL_DEVICE_VENDOR_ID").map(Clue::Vendor));
        clues
    }

    /// Returns the sizes that a kernel may require, or the one that it gets. Only powers of two are kept:
    /// PoCL lists thousands of sizes, and compilers require no others.
    fn sub_group_sizes(&self) -> Vec<u32> {
        // OpenCL: 0 if there are no sub-groups.
        if self.number("CL_DEVICE_MAX_NUM_SUB_GROUPS") == Some(0) {
            return Vec::new();
        }
        let listed = self.numbers("CL_DEVICE_SUB_GROUP_SIZES_INTEL");
        let fixed = ["CL_DEVICE_WARP_SIZE_NV", "CL_DEVICE_WAVEFRONT_WIDTH_AMD"];
        let fixed = fixed.into_iter().filter_map(|query| self.number(query));
        let sizes = listed.iter().copied().chain(fixed).filter(|size| size.is_power_of_two());
        let mut sizes: Vec<u32> = sizes.filter_map(|size| size.try_into().ok()).collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }
}

impl Implementation for OpenClReport {
    /// Returns the version in `OpenCL 3.0 ...`, the prescribed format.
    fn version(&self) -> Version {
        let mut words = self.text("CL_DEVICE_VERSION").split(' ');
        words.nth(1).and_then(|text| text.parse().ok()).unwrap_or(Version::new(1, 0))
    }

    fn has_extension(&self, name: &str) -> bool {
        self.extensions().any(|extension| extension == name)
    }

    fn has(&self, setting: &FeatureSetting) -> bool {
        let FeatureSetting::Query { name, value } = *setting else { return false };
        match (self.answers.get(name), value) {
            (Some(QueryAnswer::Number(number)), "not 0" | "CL_TRUE") => *number != 0,
            (Some(QueryAnswer::Number(number)), _) => {
                let bit = value.strip_prefix("with ").and_then(|name| VALUES.get(name));
                bit.is_some_and(|bit| number & bit != 0)
            }
            (Some(QueryAnswer::Text(text)), _) => match value.strip_prefix("with ") {
                Some(word) => text.split_whitespace().any(|other| other == word),
                None => text.trim() == value,
            },
            _ => false,
        }
    }
}
