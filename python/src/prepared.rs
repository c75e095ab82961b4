//! Modules that are prepared once, and specialized many times.

use pyo3::prelude::*;
use spirv_if::{Error, Prepared};

use crate::arguments::Arguments;
use crate::compatibility::Compatibility;
use crate::error::exception;
use crate::module::ModuleInputs;
use crate::results::Specialized;
use crate::settings::{compatibility_request, specialize_request};

/// Content of the class `Prepared` in Python.
#[pyclass(frozen, module = "spirv_if._native")]
pub struct PreparedModule {
    inner: Prepared<'static>,
    /// The path of the file, if the module was read from one.
    #[pyo3(get)]
    path: Option<String>,
}

impl PreparedModule {
    fn exception(&self, py: Python<'_>, error: Error) -> PyErr {
        exception(py, self.path.as_deref(), error)
    }
}

#[pymethods]
impl PreparedModule {
    fn specialize(&self, py: Python<'_>, arguments: Arguments<'_>) -> PyResult<Specialized> {
        let (device, settings) = specialize_request(&arguments)?;
        let specialized = py.detach(|| self.inner.specialize(&device, &settings));
        Specialized::new(py, specialized.map_err(|error| self.exception(py, error))?)
    }

    fn compatibility(&self, py: Python<'_>, arguments: Arguments<'_>) -> PyResult<Compatibility> {
        let (device, settings) = compatibility_request(&arguments)?;
        let result = py.detach(|| self.inner.compatibility(&device, &settings));
        Ok(Compatibility::new(&result.map_err(|error| self.exception(py, error))?))
    }

    fn cache_key(&self, py: Python<'_>, arguments: Arguments<'_>) -> PyResult<String> {
        let (device, settings) = specialize_request(&arguments)?;
        Ok(py.detach(|| self.inner.cache_key(&device, &settings)).to_string())
    }
}

/// Prepares a module.
#[pyfunction]
pub fn prepare(py: Python<'_>, arguments: Arguments<'_>) -> PyResult<PreparedModule> {
    let inputs = ModuleInputs::read(&arguments)?;
    let inner = py.detach(|| Prepared::owning(inputs.load_owned()?));
    let inner = inner.map_err(|error| inputs.exception(py, error))?;
    Ok(PreparedModule { inner, path: inputs.into_path() })
}
