//! Bundles.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::PathBuf;

use pyo3::exceptions::{PyKeyError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use spirv_if::Settings;
use spirv_if_bundle::{Bundle, BundleBuilder, BundleError, ShaderVariant};

use crate::arguments::{Argument, Arguments, Pairs, wrong_type};
use crate::device::device;
use crate::error::{ModuleError, RequestError, exception};
use crate::module::{ModuleSource, path, to_bytes};
use crate::record::record;
use crate::settings::Values;

/// Content of the class `Bundle` in Python.
#[pyclass(frozen, eq, hash, module = "spirv_if._native")]
pub struct OpenBundle {
    inner: Bundle<'static>,
}

impl PartialEq for OpenBundle {
    fn eq(&self, other: &OpenBundle) -> bool {
        self.inner.as_bytes() == other.inner.as_bytes()
    }
}

impl Hash for OpenBundle {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.inner.as_bytes().hash(state);
    }
}

record! {
    /// A variant of a shader.
    struct BundleVariant {
        condition: Option<String>,
        constants: BTreeMap<String, String>,
        size: usize,
    }
}

/// The exception of an error about a bundle, which is the argument or the file `place`.
fn bundle_exception(py: Python<'_>, place: Option<&str>, error: BundleError) -> PyErr {
    let message = match place {
        Some(place) => format!("{place}: {error}"),
        None => error.to_string(),
    };
    match error {
        BundleError::Io(error) => file_error(py, place, &error),
        BundleError::Engine(error) => exception(py, place, error),
        BundleError::NoShader(_) => PyKeyError::new_err(message),
        BundleError::NotABundle | BundleError::Version(_) | BundleError::Damaged(_) => {
            ModuleError::new_err(message)
        }
        _ => RequestError::new_err(message),
    }
}

/// The exception of the system's error about a file. By the number of the error, Python finds its class.
fn file_error(py: Python<'_>, path: Option<&str>, error: &io::Error) -> PyErr {
    let number = error.raw_os_error();
    let text = py.import("os").and_then(|os| os.call_method1("strerror", (number,))?.extract::<String>());
    PyOSError::new_err((number, text.unwrap_or_else(|_| error.to_string()), path.map(str::to_owned)))
}

/// The path of a file.
struct FilePath(PathBuf);

impl Argument for FilePath {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<FilePath> {
        let path = path(object).ok_or_else(|| wrong_type(name, object, "the path of a file"))?;
        path.extract().map(FilePath)
    }
}

#[pymethods]
impl OpenBundle {
    fn __len__(&self) -> usize {
        self.inner.len()
    }

    fn __contains__(&self, name: &Bound<'_, PyAny>) -> PyResult<bool> {
        match name.cast::<PyString>() {
            Ok(name) => Ok(self.inner.shader(&name.extract::<String>()?).is_ok()),
            Err(_) => Ok(false),
        }
    }

    fn names(&self) -> Vec<&str> {
        self.inner.shaders().map(|shader| shader.name()).collect()
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.inner.as_bytes())
    }

    fn variants(&self, py: Python<'_>, arguments: Arguments<'_>) -> PyResult<Vec<BundleVariant>> {
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        let shader = self.inner.shader(&arguments.get::<String>("name")?);
        let variant = |variant: spirv_if_bundle::Variant| BundleVariant {
            condition: variant.condition().map(str::to_owned),
            constants: variant.constants().map(owned).collect(),
            size: variant.size(),
        };
        Ok(shader.map_err(|error| bundle_exception(py, None, error))?.variants().map(variant).collect())
    }

    fn get(&self, py: Python<'_>, arguments: Arguments<'_>) -> PyResult<Py<PyBytes>> {
        let name: String = arguments.get("name")?;
        let words = py.detach(|| self.inner.get(&name));
        to_bytes(py, &words.map_err(|error| bundle_exception(py, None, error))?)
    }

    fn get_variant(&self, py: Python<'_>, arguments: Arguments<'_>) -> PyResult<Py<PyBytes>> {
        let name: String = arguments.get("name")?;
        let variant: usize = arguments.get("variant")?;
        let words = py.detach(|| self.inner.shader(&name)?.variant(variant)?.words());
        to_bytes(py, &words.map_err(|error| bundle_exception(py, None, error))?)
    }

    fn get_for(&self, py: Python<'_>, arguments: Arguments<'_>) -> PyResult<Py<PyBytes>> {
        let name: String = arguments.get("name")?;
        let device = device(&arguments)?.unwrap_or_default();
        let settings = Settings::new().ignore_unknown(arguments.get("ignore_unknown")?);
        let set = arguments.get::<Values>("set")?.into_iter().flat_map(|pairs| pairs.0);
        let settings = set.fold(settings, |settings, (constant, value)| settings.set(constant, value));
        let result = py.detach(|| self.inner.get_for(&name, &device, &settings));
        to_bytes(py, &result.map_err(|error| bundle_exception(py, None, error))?.words)
    }
}

/// Reads the bytes of a bundle.
#[pyfunction]
pub fn read_bundle(py: Python<'_>, arguments: Arguments<'_>) -> PyResult<OpenBundle> {
    let data: ModuleSource = arguments.get("data")?;
    let inner = Bundle::from_bytes(data.to_vec());
    let place = data.path.as_deref().unwrap_or("data");
    Ok(OpenBundle { inner: inner.map_err(|error| bundle_exception(py, Some(place), error))? })
}

/// Opens the file of a bundle.
#[pyfunction]
pub fn open_bundle(py: Python<'_>, arguments: Arguments<'_>) -> PyResult<OpenBundle> {
    let FilePath(path) = arguments.get("path")?;
    let place = path.to_string_lossy();
    let inner = Bundle::open(&path).map_err(|error| bundle_exception(py, Some(&place), error))?;
    Ok(OpenBundle { inner })
}

/// Makes a bundle of modules by name.
#[pyfunction]
pub fn bundle(py: Python<'_>, arguments: Arguments<'_>) -> PyResult<Py<PyBytes>> {
    let Pairs(shaders): Pairs<String, ModuleSource> = arguments.get("shaders")?;
    let mut builder = BundleBuilder::new();
    builder.solid(arguments.get("solid")?);
    for (name, bytes) in &shaders {
        let module = spirv_if::Module::from_bytes(bytes);
        let module = module.map_err(|error| exception(py, Some(&format!("shaders[{name:?}]")), error))?;
        let variant = ShaderVariant::new(module.words().to_vec());
        builder.add(name, [variant]).map_err(|error| bundle_exception(py, None, error))?;
    }
    let bytes = py.detach(|| builder.to_bytes()).map_err(|error| bundle_exception(py, None, error))?;
    Ok(PyBytes::new(py, &bytes).unbind())
}
