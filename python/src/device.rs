//! Devices: of the table, described, of files of other tools, and of the drivers of the machine.

use std::time::Duration;

use pyo3::Borrowed;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use spirv_if::Condition;
use spirv_if::device::{DeviceConfig, DeviceParts, DeviceReport};

use crate::error::{driver_error, exception, wrong_type};
use crate::settings;

/// The depth of sub-devices below a device of a platform. Drivers have two or three.
const MAX_SUB_DEVICES: usize = 16;

/// A device.
#[pyclass(frozen, eq, module = "spirv_if")]
#[derive(Clone, PartialEq)]
pub struct Device {
    inner: spirv_if::Device,
}

/// A device, or a name in the table.
pub enum DeviceArgument {
    Named(String),
    Own(Py<Device>),
}

impl<'py> FromPyObject<'_, 'py> for DeviceArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<DeviceArgument> {
        if let Ok(device) = object.cast::<Device>() {
            return Ok(DeviceArgument::Own(device.to_owned().unbind()));
        }
        let name = object.extract().map_err(|_| wrong_type(&object, "a device or the name of one"))?;
        Ok(DeviceArgument::Named(name))
    }
}

impl DeviceArgument {
    /// The device.
    ///
    /// # Errors
    /// If the name is not that of one device.
    pub fn one(self, py: Python<'_>) -> PyResult<spirv_if::Device> {
        match self {
            DeviceArgument::Own(device) => Ok(device.get().inner.clone()),
            DeviceArgument::Named(name) => named(name).to_device(None).map_err(|error| exception(py, error)),
        }
    }

    /// The device, or all that a glob stands for.
    ///
    /// # Errors
    /// If there is none.
    pub fn all(self, py: Python<'_>) -> PyResult<Vec<spirv_if::Device>> {
        match self {
            DeviceArgument::Own(device) => Ok(vec![device.get().inner.clone()]),
            DeviceArgument::Named(name) => named(name).to_devices(None).map_err(|error| exception(py, error)),
        }
    }
}

/// Sets a part of a description.
type SetPart = fn(DeviceParts, String) -> DeviceParts;

/// The description of a device by its name.
fn named(name: String) -> DeviceParts {
    DeviceParts::new().device(name)
}

#[pymethods]
impl Device {
    #[new]
    #[pyo3(signature = (
        name=None, *, category=None, family=None, architecture=None, target=None, features=None, capabilities=None, aspects=None,
        extensions=None, provider_features=None, limits=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn new(
        py: Python<'_>,
        name: Option<String>,
        category: Option<String>,
        family: Option<String>,
        architecture: Option<String>,
        target: Option<String>,
        features: Option<Vec<String>>,
        capabilities: Option<Vec<String>>,
        aspects: Option<Vec<String>>,
        extensions: Option<Vec<String>>,
        provider_features: Option<Vec<String>>,
        limits: Option<Vec<String>>,
    ) -> PyResult<Device> {
        let list = |items: Option<Vec<String>>| items.map(|items| items.join(","));
        let parts: [(Option<String>, SetPart); 11] = [
            (name, DeviceParts::device),
            (category, DeviceParts::category),
            (family, DeviceParts::family),
            (architecture, DeviceParts::architecture),
            (target, DeviceParts::target),
            (list(features), DeviceParts::features),
            (list(capabilities), DeviceParts::capabilities),
            (list(aspects), DeviceParts::aspects),
            (list(extensions), DeviceParts::extensions),
            (list(provider_features), DeviceParts::provider_features),
            (list(limits), DeviceParts::limits),
        ];
        let parts = parts.into_iter().filter_map(|(value, set)| Some((value?, set)));
        let parts = parts.fold(DeviceParts::new(), |parts, (value, set)| set(parts, value));
        Ok(Device { inner: parts.to_device(None).map_err(|error| exception(py, error))? })
    }

    #[staticmethod]
    fn from_yaml(py: Python<'_>, text: &str, name: String) -> PyResult<Device> {
        let config = DeviceConfig::from_yaml("the configuration", text);
        let device = config.and_then(|config| named(name).to_device(Some(&config)));
        Ok(Device { inner: device.map_err(|error| exception(py, error))? })
    }

    #[staticmethod]
    #[pyo3(signature = (text, *, profile=None))]
    fn from_json(py: Python<'_>, text: &str, profile: Option<&str>) -> PyResult<Vec<Device>> {
        let reports = DeviceReport::from_json("the report", text, profile);
        let reports = reports.map_err(|error| exception(py, error))?;
        Ok(reports.into_iter().map(|report| Device { inner: report.device }).collect())
    }

    #[staticmethod]
    fn from_opencl(device: &Bound<'_, PyAny>) -> PyResult<Device> {
        // A sub-device has the features of its parent, and no platform lists it.
        let mut device = device.clone();
        for _ in 0..MAX_SUB_DEVICES {
            match device.getattr("parent_device") {
                Ok(parent) if !parent.is_none() => device = parent,
                _ => break,
            }
        }
        let address = device.getattr("int_ptr").and_then(|address| address.extract());
        let id: usize = address.map_err(|_| wrong_type(&device, "a pyopencl.Device as the device"))?;
        if id == 0 {
            return Err(PyValueError::new_err("the device is null"));
        }
        let queried = device.py().detach(|| {
            let id = std::ptr::with_exposed_provenance_mut(id);
            spirv_if::Device::from_opencl(id)
        });
        Ok(Device { inner: queried.map_err(|error| driver_error(&error))? })
    }

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

    fn holds(&self, py: Python<'_>, condition: &str) -> PyResult<Option<bool>> {
        let truth = Condition::parse(condition).and_then(|condition| condition.evaluate(&self.inner));
        truth.map_err(|error| exception(py, error))
    }

    fn to_yaml(&self) -> String {
        self.inner.to_yaml()
    }

    fn __repr__(&self) -> String {
        format!("<spirv_if.Device {:?}>", self.inner.name())
    }
}

/// The devices of the table.
#[pyfunction]
#[pyo3(signature = (glob="*"))]
fn devices(py: Python<'_>, glob: &str) -> PyResult<Vec<Device>> {
    let named = DeviceArgument::Named(glob.to_owned()).all(py)?;
    Ok(named.into_iter().map(|inner| Device { inner }).collect())
}

/// The devices of this machine.
#[pyfunction]
#[pyo3(signature = (api, *, limit=60.0))]
fn probe(py: Python<'_>, api: &str, limit: f64) -> PyResult<Vec<Device>> {
    let limit =
        Duration::try_from_secs_f64(limit).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let api = settings::api(api)?;
    let probed = py.detach(|| spirv_if::device::probe(api, limit));
    match (probed.devices.is_empty(), probed.errors.first()) {
        (true, Some(error)) => Err(driver_error(error)),
        _ => Ok(probed.devices.into_iter().map(|report| Device { inner: report.device }).collect()),
    }
}

/// Adds devices to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Device>()?;
    module.add_function(wrap_pyfunction!(devices, module)?)?;
    module.add_function(wrap_pyfunction!(probe, module)?)
}
