//! `inspect`: what a module requires; `vulkan_requirements`: what Vulkan must enable for it.

use pyo3::prelude::*;
use spirv_if::Condition;
use spirv_if::device::DeviceConfig;
use spirv_if_inspect::{FeatureRequirement, InspectOptions, remedy_options};

use crate::arguments::{Arguments, wrong_value};
use crate::compatibility::Compatibility;
use crate::device::{DeviceArguments, device};
use crate::error::exception;
use crate::module::ModuleInputs;
use crate::record::record;

/// Requirements, each with its condition.
type Requirements = Vec<(String, Option<String>)>;

record! {
    /// The requirements of an entry point.
    struct EntryPoint {
        name: String,
        stage: Option<String>,
        when: Option<String>,
        capabilities: Requirements,
        extensions: Requirements,
        aspects: Requirements,
        declared_aspects: Requirements,
        work_group_size: Option<((u32, u32, u32), bool)>,
        sub_group_size: Option<(u32, bool)>,
        devices_as_is: usize,
        devices_after_pack: usize,
        devices_after_set: usize,
        devices_after_adapt: usize,
        devices_after_lower: usize,
        devices_after_trap: usize,
        devices_not_known: usize,
        each_device: Vec<(String, Compatibility, Compatibility, Option<String>)>,
    }
}

impl EntryPoint {
    fn new(entry_point: spirv_if_inspect::EntryPoint) -> EntryPoint {
        fn all<T: ToString>(all: &[FeatureRequirement<T>]) -> Requirements {
            let text = |condition: &Option<Condition>| condition.as_ref().map(ToString::to_string);
            all.iter()
                .map(|requirement| (requirement.feature.to_string(), text(&requirement.condition)))
                .collect()
        }
        EntryPoint {
            name: entry_point.name,
            stage: entry_point.stage,
            when: entry_point.condition.as_ref().map(ToString::to_string),
            capabilities: all(&entry_point.capabilities),
            extensions: all(&entry_point.extensions),
            aspects: all(&entry_point.aspects),
            declared_aspects: all(&entry_point.declared_aspects),
            work_group_size: entry_point
                .work_group_size
                .map(|size| (size.size.into(), size.is_specializable)),
            sub_group_size: entry_point.sub_group_size.map(|size| (size.size, size.is_specializable)),
            devices_as_is: entry_point.devices_as_is,
            devices_after_pack: entry_point.devices_after_pack,
            devices_after_set: entry_point.devices_after_set,
            devices_after_adapt: entry_point.devices_after_adapt,
            devices_after_lower: entry_point.devices_after_lower,
            devices_after_trap: entry_point.devices_after_trap,
            devices_not_known: entry_point.devices_not_known,
            each_device: entry_point
                .each_device
                .into_iter()
                .map(|device| {
                    let results = [&device.as_is, &device.after_pack];
                    let [as_is, after_pack] = results.map(|result| match device.takes_module {
                        true => Compatibility::new(result),
                        false => Compatibility::of_other_kind(),
                    });
                    (device.device, as_is, after_pack, device.remedy.as_ref().map(remedy_options))
                })
                .collect(),
        }
    }
}

record! {
    /// A specialization constant that hosts can set.
    struct SpecConstant {
        spec_id: u32,
        name: Option<String>,
        type_name: String,
        default: String,
        branches: usize,
        array_sizes: usize,
        work_group_size: bool,
    }
}

record! {
    /// A rule that the module breaks.
    struct Violation {
        rule: &'static str,
        place: Option<String>,
        message: String,
        chain: Vec<(String, Option<String>)>,
    }
}

record! {
    /// The findings on a module.
    pub struct Inspection {
        entry_points: Vec<EntryPoint>,
        spec_constants: Vec<SpecConstant>,
        superfluous: Vec<String>,
        violations: Vec<Violation>,
        json: String,
    }
}

/// Finds what a module requires.
#[pyfunction]
pub fn inspect(py: Python<'_>, arguments: Arguments<'_>) -> PyResult<Inspection> {
    let inputs = ModuleInputs::read(&arguments)?;
    let mut options = InspectOptions::new()
        .details(arguments.get("details")?)
        .api(arguments.get::<Option<_>>("api")?)
        .api_version(arguments.get::<Option<_>>("api_version")?)
        .deny(arguments.get::<Vec<Condition>>("deny")?);
    if let Some(name) = arguments.get::<Option<String>>("why")? {
        options = options.why(name);
    }
    if let Some(DeviceArguments(devices)) = arguments.get("devices")? {
        if devices.is_empty() {
            return Err(wrong_value("devices", "expected a device at least"));
        }
        options = options.devices(DeviceConfig::new("devices", devices)).each_device("*");
    }
    let DeviceArguments(required) = arguments.get("require_devices")?;
    options = options.required_devices(required);
    let inspected = py.detach(|| {
        let inspected = spirv_if_inspect::inspect(&inputs.load()?, &options)?;
        let json = inspected.to_json()?;
        Ok::<_, spirv_if::Error>((inspected, json))
    });
    let (inspected, json) = inspected.map_err(|error| inputs.exception(py, error))?;
    let constant = |constant: spirv_if_inspect::InspectedConstant| SpecConstant {
        spec_id: constant.spec_id.number(),
        name: constant.name,
        type_name: constant.type_name,
        default: constant.default.map(|value| value.to_string()).unwrap_or_default(),
        branches: constant.branches,
        array_sizes: constant.array_sizes,
        work_group_size: constant.work_group_size,
    };
    let violation = |warning: spirv_if_sycl::check::Warning| Violation {
        rule: warning.rule,
        place: warning.place,
        message: warning.message,
        chain: warning.chain.into_iter().map(|step| (step.function, step.called_at)).collect(),
    };
    Ok(Inspection {
        entry_points: inspected.entry_points().into_iter().map(EntryPoint::new).collect(),
        spec_constants: inspected.spec_constants().into_iter().map(constant).collect(),
        superfluous: inspected.superfluous(),
        violations: inspected.violations().into_iter().map(violation).collect(),
        json,
    })
}

/// Makes the HTML report on a module of its JSON.
#[pyfunction]
pub fn html_from_json(py: Python<'_>, arguments: Arguments<'_>) -> PyResult<String> {
    let (name, json): (String, String) = (arguments.get("name")?, arguments.get("json")?);
    py.detach(|| spirv_if_inspect::html_from_json(&name, &json)).map_err(|error| exception(py, None, error))
}

record! {
    /// The features, extensions and limits that a Vulkan device needs for a module.
    pub struct VulkanRequirements {
        version: (u8, u8),
        extensions: Vec<&'static str>,
        features: Vec<(&'static str, &'static str)>,
        properties: Vec<(&'static str, &'static str, &'static str)>,
        limits: Vec<(&'static str, u64)>,
        missing: Vec<String>,
        unknown: Vec<String>,
    }
}

/// Finds what Vulkan must enable for a module as it is.
#[pyfunction]
pub fn vulkan_requirements(py: Python<'_>, arguments: Arguments<'_>) -> PyResult<VulkanRequirements> {
    let inputs = ModuleInputs::read(&arguments)?;
    let version = arguments.get("api_version")?;
    let device = device(&arguments)?;
    let required =
        py.detach(|| spirv_if_inspect::VulkanRequirements::new(&inputs.load()?, version, device.as_ref()));
    let required = required.map_err(|error| inputs.exception(py, error))?;
    let version = required.version();
    Ok(VulkanRequirements {
        version: (version.major, version.minor),
        extensions: required.extensions().to_vec(),
        features: required.features().iter().map(|feature| (feature.structure, feature.member)).collect(),
        properties: required
            .properties()
            .iter()
            .map(|property| (property.structure, property.member, property.value))
            .collect(),
        limits: required.limits().iter().map(|limit| (limit.member, limit.at_least)).collect(),
        missing: required.missing().to_vec(),
        unknown: required.unknown().to_vec(),
    })
}
