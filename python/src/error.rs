//! Exceptions, with what the library knows as attributes.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyOSError, PyTypeError};
use pyo3::prelude::*;
use spirv_if::device::ProbeError;
use spirv_if::error::{Construct, UndecidedConstant};
use spirv_if::module::Version;

create_exception!(spirv_if, SpirvIfError, PyException, "The cause for which a call fails.");
create_exception!(spirv_if, LoadError, SpirvIfError, "Bytes are no module.");
create_exception!(
    spirv_if,
    Refused,
    SpirvIfError,
    "The device does not run the module, or is not known to run it, which `strict` refuses."
);
create_exception!(spirv_if, Undecided, SpirvIfError, "Something would stay conditional.");
create_exception!(spirv_if, TooNew, SpirvIfError, "The result uses what the version of SPIR-V lacks.");
create_exception!(spirv_if, RequestError, SpirvIfError, "The request makes no sense for this module.");
create_exception!(spirv_if, ModuleError, SpirvIfError, "The module breaks a rule that the call depends on.");

/// A feature that a device is known not to have.
#[pyclass(frozen, get_all, eq, module = "spirv_if")]
#[derive(Clone, PartialEq, Eq)]
pub struct Missing {
    /// The kind, such as `capability`.
    kind: &'static str,
    name: String,
    reason: String,
}

impl Missing {
    /// The data of a missing feature.
    pub fn new(missing: &spirv_if::error::Missing) -> Missing {
        use spirv_if::error::Missing as Of;
        let kind = match missing {
            Of::Version(_) => "version",
            Of::Capability(_) => "capability",
            Of::Extension(_) => "extension",
            Of::WorkGroupSize { .. } => "work-group-size",
            Of::Aspect(_) => "aspect",
            Of::SubGroupSize { .. } => "sub-group-size",
            Of::FixedTargets(_) => "fixed-targets",
            Of::Condition(_) => "condition",
            _ => "other",
        };
        Missing { kind, name: missing.name(), reason: missing.to_string() }
    }
}

#[pymethods]
impl Missing {
    fn __repr__(&self) -> String {
        format!("Missing(kind={:?}, name={:?})", self.kind, self.name)
    }

    fn __str__(&self) -> &str {
        &self.reason
    }
}

/// Returns the names of features.
pub fn feature_names<'a>(features: impl IntoIterator<Item = &'a spirv_if::error::Missing>) -> Vec<String> {
    features.into_iter().map(spirv_if::error::Missing::name).collect()
}

/// Adds the exceptions to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add_class::<Missing>()?;
    module.add("SpirvIfError", py.get_type::<SpirvIfError>())?;
    module.add("LoadError", py.get_type::<LoadError>())?;
    module.add("Refused", py.get_type::<Refused>())?;
    module.add("Undecided", py.get_type::<Undecided>())?;
    module.add("TooNew", py.get_type::<TooNew>())?;
    module.add("RequestError", py.get_type::<RequestError>())?;
    module.add("ModuleError", py.get_type::<ModuleError>())
}

/// The exception of an error of the library.
pub fn exception(py: Python<'_>, error: impl Into<spirv_if::Error>) -> PyErr {
    let error = error.into();
    let message = error.to_string();
    let with_data = match &error {
        spirv_if::Error::Load(load) => {
            with(py, LoadError::new_err(message), |exception| exception.setattr("offset", load.offset))
        }
        spirv_if::Error::Refused(refused) => with(py, Refused::new_err(message), |exception| {
            let all =
                |missing: &[spirv_if::error::Missing]| missing.iter().map(Missing::new).collect::<Vec<_>>();
            exception.setattr("device", &refused.device)?;
            exception.setattr("missing", all(&refused.missing))?;
            exception.setattr("unknown", feature_names(&refused.unknown))?;
            exception.setattr("superfluous", all(&refused.superfluous))?;
            exception.setattr("entry_points", &refused.entry_points)
        }),
        spirv_if::Error::Undecided(open) => with(py, Undecided::new_err(message), |exception| {
            let constant = |constant: &UndecidedConstant| {
                (constant.spec_id.number(), constant.condition.as_ref().map(ToString::to_string))
            };
            let constants: Vec<(u32, Option<String>)> = open.constants.iter().map(constant).collect();
            exception.setattr("device", &open.device)?;
            exception.setattr("parts", open.parts)?;
            exception.setattr("constants", constants)?;
            exception.setattr("others", open.others)
        }),
        spirv_if::Error::TooNew(newer) => with(py, TooNew::new_err(message), |exception| {
            let pair = |version: Version| (version.major, version.minor);
            let named = |construct: &Construct| (construct.name.clone(), pair(construct.version));
            exception.setattr("version", pair(newer.version))?;
            exception.setattr("constructs", newer.constructs.iter().map(named).collect::<Vec<_>>())
        }),
        spirv_if::Error::Request(_) => Ok(RequestError::new_err(message)),
        _ => Ok(ModuleError::new_err(message)),
    };
    with_data.unwrap_or_else(|error| error)
}

/// The exception of an object of the wrong type; that of an argument comes with the argument's name.
pub fn wrong_type(object: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    match object.get_type().name() {
        Ok(name) => PyTypeError::new_err(format!("expected {expected}, and not '{name}'")),
        Err(error) => error,
    }
}

/// The exception of a driver that does not answer.
pub fn driver_error(error: &ProbeError) -> PyErr {
    PyOSError::new_err(error.to_string())
}

fn with(
    py: Python<'_>,
    error: PyErr,
    set: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<()>,
) -> PyResult<PyErr> {
    set(error.value(py).as_any())?;
    Ok(error)
}
