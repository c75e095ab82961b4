//! Exceptions, with what the library knows as attributes.

use pyo3::exceptions::PyOSError;
use pyo3::import_exception;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use spirv_if::error::{Construct, Hint, HintWords, UndecidedConstant};
use spirv_if::module::Version;
use spirv_if_probe::ProbeError;

use crate::record::record;

import_exception!(spirv_if, LoadError);
import_exception!(spirv_if, Refused);
import_exception!(spirv_if, Undecided);
import_exception!(spirv_if, TooNew);
import_exception!(spirv_if, RequestError);
import_exception!(spirv_if, ModuleError);

record! {
    /// A feature that a device is known not to have.
    pub struct Missing {
        kind: &'static str,
        name: String,
        reason: String,
    }
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
            Of::VulkanFeature(_) => "vulkan-feature",
            Of::VulkanLimit { .. } => "vulkan-limit",
            Of::Condition(_) => "condition",
            Of::UndecidedCalls(_) => "undecided-calls",
            Of::DriverDefect { .. } => "driver-defect",
            _ => "other",
        };
        Missing { kind, name: missing.name(), reason: missing.to_string() }
    }
}

/// The arguments of `specialize` that resolve errors.
const HINT_WORDS: HintWords = HintWords {
    adapt: "adapt=True",
    lower: "lower=True",
    trap: "trap=\"silent\"",
    trim: "trim=True",
    extensions: "the extensions",
    set: "set={{}: True} or set={{}: False}",
    set_value: "set={{}: {value}}",
    and: " and ",
    decide: "set={\"{}\": True} or with False",
    properties: "properties",
    device: "device",
    describe: "the arguments of Device",
    keep_undecided: "unset=\"keep\"",
};

/// Returns the names of features.
pub fn feature_names<'a>(features: impl IntoIterator<Item = &'a spirv_if::error::Missing>) -> Vec<String> {
    features.into_iter().map(spirv_if::error::Missing::name).collect()
}

/// Returns the exception of an error of the library. Its message begins with `place`: the name of an argument, or a path.
pub fn exception(py: Python<'_>, place: Option<&str>, error: impl Into<spirv_if::Error>) -> PyErr {
    let error = error.into();
    let message = match &error {
        spirv_if::Error::Undecided(_) => error.with_hints(&Hint::for_error(&error, None), &HINT_WORDS),
        error => error.to_string(),
    };
    let message = match place {
        Some(place) => format!("{place}: {message}"),
        None => message,
    };
    with_data(py, message, &error).unwrap_or_else(|error| error)
}

fn with_data(py: Python<'_>, message: String, error: &spirv_if::Error) -> PyResult<PyErr> {
    let exception = match error {
        spirv_if::Error::Load(load) => {
            let exception = LoadError::new_err(message);
            exception.value(py).setattr("offset", load.offset)?;
            exception
        }
        spirv_if::Error::Refused(refused) => {
            let exception = Refused::new_err(message);
            let value = exception.value(py);
            let all =
                |missing: &[spirv_if::error::Missing]| PyTuple::new(py, missing.iter().map(Missing::new));
            value.setattr("device", &refused.device)?;
            value.setattr("missing", all(&refused.missing)?)?;
            value.setattr("unknown", PyTuple::new(py, feature_names(&refused.unknown))?)?;
            value.setattr("superfluous", all(&refused.superfluous)?)?;
            value.setattr("entry_points", PyTuple::new(py, &refused.entry_points)?)?;
            exception
        }
        spirv_if::Error::Undecided(open) => {
            let exception = Undecided::new_err(message);
            let value = exception.value(py);
            let constant = |constant: &UndecidedConstant| {
                (constant.spec_id.number(), constant.condition.as_ref().map(ToString::to_string))
            };
            value.setattr("device", &open.device)?;
            value.setattr("parts", open.parts)?;
            value.setattr("constants", PyTuple::new(py, open.constants.iter().map(constant))?)?;
            value.setattr("others", open.others)?;
            exception
        }
        spirv_if::Error::TooNew(newer) => {
            let exception = TooNew::new_err(message);
            let pair = |version: Version| (version.major, version.minor);
            let named = |construct: &Construct| (construct.name.clone(), pair(construct.version));
            exception.value(py).setattr("version", pair(newer.version))?;
            exception
                .value(py)
                .setattr("constructs", PyTuple::new(py, newer.constructs.iter().map(named))?)?;
            exception
        }
        spirv_if::Error::Request(_) => RequestError::new_err(message),
        _ => ModuleError::new_err(message),
    };
    Ok(exception)
}

/// Returns the exception of a driver that does not answer.
pub fn driver_error(error: &ProbeError) -> PyErr {
    PyOSError::new_err(error.to_string())
}
