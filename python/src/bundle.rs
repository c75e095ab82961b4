//! Bundles.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use pyo3::exceptions::{PyKeyError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use spirv_if::Settings;
use spirv_if_bundle::{BundleBuilder, BundleError, ShaderVariant};

use crate::device::DeviceArgument;
use crate::error::{ModuleError, RequestError, exception};
use crate::module::{ModuleBytes, to_bytes};
use crate::settings::Values;

/// A bundle of shaders.
#[pyclass(frozen, module = "spirv_if")]
struct Bundle {
    inner: spirv_if_bundle::Bundle<'static>,
}

/// A variant of a shader.
#[pyclass(frozen, get_all, module = "spirv_if")]
struct BundleVariant {
    condition: Option<String>,
    constants: BTreeMap<String, String>,
    size: usize,
}

/// The exception of an error about a bundle.
fn bundle_exception(py: Python<'_>, error: BundleError) -> PyErr {
    match error {
        BundleError::Io(error) => PyOSError::new_err(error.to_string()),
        BundleError::Engine(error) => exception(py, error),
        BundleError::NoShader(_) => PyKeyError::new_err(error.to_string()),
        BundleError::NotABundle | BundleError::Version(_) | BundleError::Damaged(_) => {
            ModuleError::new_err(error.to_string())
        }
        error => RequestError::new_err(error.to_string()),
    }
}

#[pymethods]
impl Bundle {
    #[new]
    fn new(py: Python<'_>, data: ModuleBytes) -> PyResult<Bundle> {
        let inner = spirv_if_bundle::Bundle::from_bytes(data.to_vec());
        Ok(Bundle { inner: inner.map_err(|error| bundle_exception(py, error))? })
    }

    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Bundle> {
        let inner = spirv_if_bundle::Bundle::open(path);
        Ok(Bundle { inner: inner.map_err(|error| bundle_exception(py, error))? })
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    fn __contains__(&self, name: &str) -> bool {
        self.inner.shader(name).is_ok()
    }

    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyBytes>> {
        self.get(py, name, None)
    }

    fn names(&self) -> Vec<&str> {
        self.inner.shaders().map(|shader| shader.name()).collect()
    }

    fn variants(&self, py: Python<'_>, name: &str) -> PyResult<Vec<BundleVariant>> {
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        let shader = self.inner.shader(name).map_err(|error| bundle_exception(py, error))?;
        let variant = |variant: spirv_if_bundle::Variant| BundleVariant {
            condition: variant.condition().map(str::to_owned),
            constants: variant.constants().map(owned).collect(),
            size: variant.size(),
        };
        Ok(shader.variants().map(variant).collect())
    }

    #[pyo3(signature = (name, variant=None))]
    fn get(&self, py: Python<'_>, name: &str, variant: Option<usize>) -> PyResult<Py<PyBytes>> {
        let words = py.detach(|| match variant {
            Some(variant) => self.inner.shader(name)?.variant(variant)?.words(),
            None => self.inner.get(name),
        });
        to_bytes(py, &words.map_err(|error| bundle_exception(py, error))?)
    }

    #[pyo3(signature = (name, device=None, *, set=None, ignore_unknown=false))]
    fn get_for(
        &self,
        py: Python<'_>,
        name: &str,
        device: Option<DeviceArgument>,
        set: Option<Values>,
        ignore_unknown: bool,
    ) -> PyResult<Py<PyBytes>> {
        let device = device.map(|device| device.one(py)).transpose()?.unwrap_or_default();
        let settings = Settings::new().ignore_unknown(ignore_unknown);
        let set = set.into_iter().flatten();
        let settings = set.fold(settings, |settings, (constant, value)| settings.set(constant, value));
        let result = py.detach(|| self.inner.get_for(name, &device, &settings));
        to_bytes(py, &result.map_err(|error| bundle_exception(py, error))?.words)
    }
}

/// Makes a bundle of modules by name.
#[pyfunction]
#[pyo3(signature = (shaders, *, solid=false))]
fn bundle(py: Python<'_>, shaders: HashMap<String, ModuleBytes>, solid: bool) -> PyResult<Py<PyBytes>> {
    let mut builder = BundleBuilder::new();
    builder.solid(solid);
    for (name, bytes) in &shaders {
        let module = spirv_if::Module::from_bytes(bytes).map_err(|error| exception(py, error))?;
        let variant = ShaderVariant::new(module.words().to_vec());
        builder.add(name, [variant]).map_err(|error| bundle_exception(py, error))?;
    }
    let bytes = py.detach(|| builder.to_bytes()).map_err(|error| bundle_exception(py, error))?;
    Ok(PyBytes::new(py, &bytes).unbind())
}

/// Adds bundles to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Bundle>()?;
    module.add_class::<BundleVariant>()?;
    module.add_function(wrap_pyfunction!(bundle, module)?)
}
