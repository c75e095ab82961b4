//! `compatibility`: the verdict on a module and a device.

use pyo3::prelude::*;
use spirv_if::Prepared;

use crate::arguments::Arguments;
use crate::error::feature_names;
use crate::module::ModuleInputs;
use crate::record::record;
use crate::settings::compatibility_request;

record! {
    /// A verdict with the features that decide it.
    pub struct Compatibility {
        verdict: &'static str,
        missing: Vec<String>,
        unknown: Vec<String>,
    }
}

impl Compatibility {
    /// Creates the data of a verdict.
    pub fn new(compatibility: &spirv_if::specialize::Compatibility) -> Compatibility {
        Compatibility {
            verdict: compatibility.verdict().name(),
            missing: feature_names(&compatibility.missing),
            unknown: feature_names(&compatibility.unknown),
        }
    }

    /// Creates the data of a device that takes no modules of this kind: no feature decides.
    pub fn of_other_kind() -> Compatibility {
        Compatibility { verdict: "takes no such modules", missing: Vec::new(), unknown: Vec::new() }
    }
}

/// Finds the verdict on a device.
#[pyfunction]
pub fn compatibility(py: Python<'_>, arguments: Arguments<'_>) -> PyResult<Compatibility> {
    let inputs = ModuleInputs::read(&arguments)?;
    let (device, settings) = compatibility_request(&arguments)?;
    let result = py.detach(|| Prepared::new(&inputs.load()?)?.compatibility(&device, &settings));
    Ok(Compatibility::new(&result.map_err(|error| inputs.exception(py, error))?))
}
