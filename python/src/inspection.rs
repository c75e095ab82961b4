//! `inspect`: what a module requires; `vulkan_requirements`: what Vulkan must enable for it.

use pyo3::prelude::*;
use spirv_if::inspect::FeatureRequirement;
use spirv_if::module::Version;
use spirv_if::specialize::DeviceRemedy;
use spirv_if::{Condition, InspectOptions};

use crate::compatibility::Compatibility;
use crate::device::DeviceArgument;
use crate::error::exception;
use crate::module::{ModuleBytes, ModuleInputs};
use crate::settings;

/// Requirements, each with its condition.
type Requirements = Vec<(String, Option<String>)>;

/// The requirements of an entry point.
#[pyclass(frozen, get_all, module = "spirv_if")]
#[derive(Clone)]
struct EntryPoint {
    name: String,
    stage: Option<String>,
    when: Option<String>,
    capabilities: Requirements,
    extensions: Requirements,
    aspects: Requirements,
    declared_aspects: Requirements,
    work_group_size: Option<([u32; 3], bool)>,
    sub_group_size: Option<(u32, bool)>,
    devices_as_is: usize,
    devices_after_pack: usize,
    devices_after_adapt: usize,
    devices_after_trap: usize,
    devices_not_known: usize,
    each_device: Vec<(String, Compatibility, Compatibility, Option<&'static str>)>,
}

impl EntryPoint {
    fn new(entry_point: spirv_if::inspect::EntryPoint) -> EntryPoint {
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
            work_group_size: entry_point.work_group_size.map(|size| (size.size, size.is_specializable)),
            sub_group_size: entry_point.sub_group_size.map(|size| (size.size, size.is_specializable)),
            devices_as_is: entry_point.devices_as_is,
            devices_after_pack: entry_point.devices_after_pack,
            devices_after_adapt: entry_point.devices_after_adapt,
            devices_after_trap: entry_point.devices_after_trap,
            devices_not_known: entry_point.devices_not_known,
            each_device: entry_point
                .each_device
                .into_iter()
                .map(|device| {
                    let [as_is, after_pack] = [&device.as_is, &device.after_pack].map(Compatibility::new);
                    (device.device, as_is, after_pack, device.remedy.map(DeviceRemedy::options))
                })
                .collect(),
        }
    }
}

/// A specialization constant that hosts can set.
#[pyclass(frozen, get_all, name = "SpecConstant", module = "spirv_if")]
#[derive(Clone)]
struct InspectedConstant {
    spec_id: u32,
    name: Option<String>,
    type_name: String,
    default: String,
    branches: usize,
    array_sizes: usize,
    work_group_size: bool,
}

/// A rule that the module breaks.
#[pyclass(frozen, get_all, module = "spirv_if")]
#[derive(Clone)]
struct Violation {
    rule: &'static str,
    place: Option<String>,
    message: String,
    chain: Vec<(String, Option<String>)>,
}

/// The findings on a module.
#[pyclass(frozen, get_all, module = "spirv_if")]
struct Inspection {
    entry_points: Vec<EntryPoint>,
    spec_constants: Vec<InspectedConstant>,
    superfluous: Vec<String>,
    violations: Vec<Violation>,
    json: String,
}

/// Finds what a module requires.
#[pyfunction]
#[pyo3(signature = (
    module, *, annotations=None, properties=None, why=None, devices=None, deny=Vec::new(), require_devices=Vec::new(), details=false,
    api=None, api_version=None
))]
#[expect(clippy::too_many_arguments, reason = "they are named in Python")]
fn inspect(
    py: Python<'_>,
    module: ModuleBytes,
    annotations: Option<&str>,
    properties: Option<&str>,
    why: Option<String>,
    devices: Option<String>,
    deny: Vec<String>,
    require_devices: Vec<DeviceArgument>,
    details: bool,
    api: Option<&str>,
    api_version: Option<(u8, u8)>,
) -> PyResult<Inspection> {
    let deny = deny.iter().map(|text| Condition::parse(text)).collect::<Result<Vec<_>, _>>();
    let mut options = InspectOptions::new()
        .details(details)
        .api(api.map(settings::api).transpose()?)
        .api_version(api_version.map(Version::from))
        .deny(deny.map_err(|error| exception(py, error))?);
    if let Some(name) = why {
        options = options.why(name);
    }
    if let Some(glob) = devices {
        options = options.each_device(glob);
    }
    for device in require_devices {
        options = options.required_devices(device.all(py)?);
    }
    let inputs = ModuleInputs { bytes: &module, annotations, properties };
    let inspected = py.detach(|| {
        let inspected = spirv_if::inspect(&inputs.load()?, &options)?;
        let json = inspected.to_json()?;
        Ok::<_, spirv_if::Error>((inspected, json))
    });
    let (inspected, json) = inspected.map_err(|error| exception(py, error))?;
    let constant = |constant: spirv_if::inspect::InspectedConstant| InspectedConstant {
        spec_id: constant.spec_id.number(),
        name: constant.name,
        type_name: constant.type_name,
        default: constant.default.map(|value| value.to_string()).unwrap_or_default(),
        branches: constant.branches,
        array_sizes: constant.array_sizes,
        work_group_size: constant.work_group_size,
    };
    let violation = |warning: spirv_if::inspect::Warning| Violation {
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

/// The features, extensions and limits that a Vulkan device needs for a module.
#[pyclass(frozen, get_all, module = "spirv_if")]
struct VulkanRequirements {
    version: (u8, u8),
    extensions: Vec<&'static str>,
    features: Vec<(&'static str, &'static str)>,
    properties: Vec<(&'static str, &'static str, &'static str)>,
    limits: Vec<(&'static str, u64)>,
    missing: Vec<String>,
    unknown: Vec<String>,
}

/// Finds what Vulkan must enable for a module as it is.
#[pyfunction]
#[pyo3(signature = (module, api_version, *, device=None, annotations=None, properties=None))]
fn vulkan_requirements(
    py: Python<'_>,
    module: ModuleBytes,
    api_version: (u8, u8),
    device: Option<DeviceArgument>,
    annotations: Option<&str>,
    properties: Option<&str>,
) -> PyResult<VulkanRequirements> {
    let device = device.map(|device| device.one(py)).transpose()?;
    let inputs = ModuleInputs { bytes: &module, annotations, properties };
    let required = py.detach(|| {
        spirv_if::inspect::VulkanRequirements::new(&inputs.load()?, api_version.into(), device.as_ref())
    });
    let required = required.map_err(|error| exception(py, error))?;
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

/// Adds the functions and what they return to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Inspection>()?;
    module.add_class::<EntryPoint>()?;
    module.add_class::<InspectedConstant>()?;
    module.add_class::<Violation>()?;
    module.add_class::<VulkanRequirements>()?;
    module.add_function(wrap_pyfunction!(vulkan_requirements, module)?)?;
    module.add_function(wrap_pyfunction!(inspect, module)?)
}
