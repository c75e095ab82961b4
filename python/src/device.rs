//! Devices: of the table, described, of files of other tools, and of the drivers of the machine.

use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use spirv_if::device::{DeviceConfig, DeviceParts, DeviceReport};
use spirv_if::{Condition, Device};
use spirv_if_probe::Probed;

use crate::arguments::{Argument, Arguments, wrong_type, wrong_value};
use crate::error::{driver_error, exception};
use crate::module::Document;

/// The depth of sub-devices below a device of a platform. Drivers have two or three.
const MAX_SUB_DEVICES: usize = 16;

/// Content of the class `Device` in Python.
#[pyclass(frozen, eq, module = "spirv_if._native")]
#[derive(PartialEq)]
pub struct KnownDevice {
    inner: Device,
}

/// A device that an argument is, or names.
struct DeviceArgument(Device);

/// The devices that an argument names by a glob, or the one that it is.
struct MatchingDevices(Vec<Device>);

/// The devices that an argument is, or names by a glob, or lists in these ways. None is there twice.
pub struct DeviceArguments(pub Vec<Device>);

/// Returns the device that an instance of the class in Python keeps.
fn known(object: &Bound<'_, PyAny>) -> Option<Device> {
    let known = object.getattr("_known").ok()?.cast_into::<KnownDevice>().ok()?;
    Some(known.get().inner.clone())
}

/// Reads the name of a device.
fn parts(name: &str, object: &Bound<'_, PyAny>) -> PyResult<DeviceParts> {
    match object.cast::<PyString>() {
        Ok(text) => Ok(DeviceParts::new().device(text.extract::<String>()?)),
        Err(_) => Err(wrong_type(name, object, "a Device or the name of one")),
    }
}

impl Argument for DeviceArgument {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<DeviceArgument> {
        if let Some(device) = known(object) {
            return Ok(DeviceArgument(device));
        }
        let device = parts(name, object)?.to_device(None);
        device.map(DeviceArgument).map_err(|error| exception(object.py(), Some(name), error))
    }
}

impl Argument for MatchingDevices {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<MatchingDevices> {
        if let Some(device) = known(object) {
            return Ok(MatchingDevices(vec![device]));
        }
        let devices = parts(name, object)?.to_devices(None);
        devices.map(MatchingDevices).map_err(|error| exception(object.py(), Some(name), error))
    }
}

impl Argument for DeviceArguments {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<DeviceArguments> {
        let is_list = object.try_iter().is_ok();
        let is_one = object.is_instance_of::<PyString>() || known(object).is_some();
        let listed = match (is_one, is_list) {
            (true, _) => vec![MatchingDevices::read(name, object)?],
            (false, true) => Vec::read(name, object)?,
            (false, false) => {
                return Err(wrong_type(name, object, "a Device, the name of one, or a list of these"));
            }
        };
        let mut devices: Vec<Device> = Vec::new();
        for device in listed.into_iter().flat_map(|matching| matching.0) {
            if !devices.contains(&device) {
                devices.push(device);
            }
        }
        Ok(DeviceArguments(devices))
    }
}

/// Reads the argument `device`.
///
/// # Errors
/// If it has another type, or is not the name of one device.
pub fn device(arguments: &Arguments<'_>) -> PyResult<Option<Device>> {
    Ok(arguments.get::<Option<DeviceArgument>>("device")?.map(|device| device.0))
}

#[pymethods]
impl KnownDevice {
    #[getter]
    fn name(&self) -> &str {
        self.inner.name()
    }

    #[getter]
    fn architecture(&self) -> Option<&'static str> {
        self.inner.architecture()
    }

    #[getter]
    fn category(&self) -> Option<&'static str> {
        self.inner.category()
    }

    #[getter]
    fn aspects(&self) -> Option<Vec<String>> {
        Some(self.inner.aspects()?.iter().map(ToString::to_string).collect())
    }

    #[getter]
    fn spirv_versions(&self) -> Option<Vec<(u8, u8)>> {
        Some(self.inner.spirv_versions()?.iter().map(|version| (version.major, version.minor)).collect())
    }

    fn holds(&self, py: Python<'_>, arguments: Arguments<'_>) -> PyResult<Option<bool>> {
        let condition: Condition = arguments.get("condition")?;
        condition.evaluate(&self.inner).map_err(|error| exception(py, Some("condition"), error))
    }

    fn to_yaml(&self) -> String {
        self.inner.to_yaml()
    }

    /// Returns the entry as JSON.
    fn to_json(&self) -> PyResult<String> {
        let failed = |error: &dyn std::error::Error| PyValueError::new_err(error.to_string());
        // The order counts: features come after their target.
        let entry: serde_yaml::Value =
            serde_yaml::from_str(&self.inner.to_yaml()).map_err(|error| failed(&error))?;
        serde_json::to_string(&entry).map_err(|error| failed(&error))
    }
}

/// Sets a part of a description.
type SetPart = fn(DeviceParts, String) -> DeviceParts;

/// Describes a device part by part.
#[pyfunction]
pub fn describe_device(py: Python<'_>, arguments: Arguments<'_>) -> PyResult<KnownDevice> {
    let texts: [(&str, SetPart); 6] = [
        ("name", DeviceParts::device),
        ("category", DeviceParts::category),
        ("family", DeviceParts::family),
        ("architecture", DeviceParts::architecture),
        ("target", DeviceParts::target),
        ("driver", DeviceParts::driver),
    ];
    let lists: [(&str, SetPart); 6] = [
        ("features", DeviceParts::features),
        ("capabilities", DeviceParts::capabilities),
        ("aspects", DeviceParts::aspects),
        ("extensions", DeviceParts::extensions),
        ("provider_features", DeviceParts::provider_features),
        ("limits", DeviceParts::limits),
    ];
    let mut parts = DeviceParts::new();
    for (name, set) in texts {
        if let Some(text) = arguments.get::<Option<String>>(name)? {
            parts = set(parts, text);
        }
    }
    for (name, set) in lists {
        if let Some(items) = arguments.get::<Option<Vec<String>>>(name)? {
            parts = set(parts, items.join(","));
        }
    }
    Ok(KnownDevice { inner: parts.to_device(None).map_err(|error| exception(py, None, error))? })
}

/// Reads a device of a device configuration.
#[pyfunction]
pub fn read_device(py: Python<'_>, arguments: Arguments<'_>) -> PyResult<KnownDevice> {
    let Document { source, text } = arguments.get("text")?;
    let config = DeviceConfig::from_yaml(&source, &text);
    let parts = DeviceParts::new().device(arguments.get::<String>("name")?);
    let device = config.and_then(|config| parts.to_device(Some(&config)));
    Ok(KnownDevice { inner: device.map_err(|error| exception(py, None, error))? })
}

/// Reads the devices of a report of another tool.
#[pyfunction]
pub fn import_devices(py: Python<'_>, arguments: Arguments<'_>) -> PyResult<Vec<KnownDevice>> {
    let Document { source, text } = arguments.get("text")?;
    let profile: Option<String> = arguments.get("profile")?;
    let reports = DeviceReport::from_json(&source, &text, profile.as_deref());
    let reports = reports.map_err(|error| exception(py, None, error))?;
    Ok(reports.into_iter().map(|report| KnownDevice { inner: report.device }).collect())
}

/// A device of pyopencl, by its address.
struct OpenclDevice(usize);

impl Argument for OpenclDevice {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<OpenclDevice> {
        // A sub-device has the features of its parent, and no platform lists it.
        let mut device = object.clone();
        for _ in 0..MAX_SUB_DEVICES {
            match device.getattr("parent_device") {
                Ok(parent) if !parent.is_none() => device = parent,
                _ => break,
            }
        }
        let address = device.getattr("int_ptr").and_then(|address| address.extract());
        match address {
            Ok(0) => Err(wrong_value(name, "the device is null")),
            Ok(address) => Ok(OpenclDevice(address)),
            Err(_) => Err(wrong_type(name, object, "a pyopencl.Device")),
        }
    }
}

/// Asks the driver of a device of OpenCL.
#[pyfunction]
pub fn query_device(py: Python<'_>, arguments: Arguments<'_>) -> PyResult<KnownDevice> {
    let OpenclDevice(address) = arguments.get("device")?;
    let queried = py.detach(|| spirv_if_probe::from_opencl(std::ptr::with_exposed_provenance_mut(address)));
    Ok(KnownDevice { inner: queried.map_err(|error| driver_error(&error))? })
}

/// Finds devices of the table.
#[pyfunction]
pub fn find_devices(arguments: Arguments<'_>) -> PyResult<Vec<KnownDevice>> {
    let MatchingDevices(devices) = arguments.get("glob")?;
    Ok(devices.into_iter().map(|inner| KnownDevice { inner }).collect())
}

/// Asks the drivers of this machine.
#[pyfunction]
pub fn probe_devices(py: Python<'_>, arguments: Arguments<'_>) -> PyResult<Vec<KnownDevice>> {
    let api = arguments.get("api")?;
    let limit = Duration::try_from_secs_f64(arguments.get("limit")?);
    let limit = limit.map_err(|error| wrong_value("limit", error))?;
    let Probed { devices, errors, .. } = py.detach(|| spirv_if_probe::probe(api, limit));
    match (devices.is_empty(), errors.first()) {
        (true, Some(error)) => Err(driver_error(error)),
        _ => Ok(devices.into_iter().map(|report| KnownDevice { inner: report.device }).collect()),
    }
}
