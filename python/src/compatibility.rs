//! `compatibility`: the verdict on a module and a device.

use pyo3::prelude::*;
use spirv_if::Prepared;

use crate::device::DeviceArgument;
use crate::error::{exception, feature_names};
use crate::module::{ModuleBytes, ModuleInputs};
use crate::settings::{Constant, Options, Values};

/// A verdict with the features that decide it.
#[pyclass(frozen, get_all, eq, module = "spirv_if")]
#[derive(Clone, PartialEq, Eq)]
pub struct Compatibility {
    verdict: &'static str,
    missing: Vec<String>,
    unknown: Vec<String>,
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
}

#[pymethods]
impl Compatibility {
    fn __repr__(&self) -> String {
        let Compatibility { verdict, missing, unknown } = self;
        format!("Compatibility(verdict={verdict:?}, missing={missing:?}, unknown={unknown:?})")
    }
}

/// Finds the verdict on a device.
#[pyfunction]
#[pyo3(signature = (
    module, device=None, *, annotations=None, properties=None, set=None, set_default=None, leave=Vec::new(), ignore_unknown=false,
    unset=None, entry_points=Vec::new(), max_clones=8, keep_interface=false, trim=false, adapt=false, max_version=None, work_around=None,
    trap=None
))]
#[expect(clippy::too_many_arguments, reason = "they are named in Python")]
fn compatibility(
    py: Python<'_>,
    module: ModuleBytes,
    device: Option<DeviceArgument>,
    annotations: Option<&str>,
    properties: Option<&str>,
    set: Option<Values>,
    set_default: Option<Values>,
    leave: Vec<Constant>,
    ignore_unknown: bool,
    unset: Option<&str>,
    entry_points: Vec<String>,
    max_clones: usize,
    keep_interface: bool,
    trim: bool,
    adapt: bool,
    max_version: Option<(u8, u8)>,
    work_around: Option<&str>,
    trap: Option<&str>,
) -> PyResult<Compatibility> {
    let options = Options {
        set,
        set_default,
        leave,
        ignore_unknown,
        unset,
        entry_points,
        max_clones,
        keep_interface,
        trim,
        strip: false,
        strict: false,
        adapt,
        max_version,
        work_around,
        trap,
    };
    let settings = options.settings(py)?;
    let device = device.map(|device| device.one(py)).transpose()?.unwrap_or_default();
    let inputs = ModuleInputs { bytes: &module, annotations, properties };
    let result = py.detach(|| Prepared::new(&inputs.load()?)?.compatibility(&device, &settings));
    Ok(Compatibility::new(&result.map_err(|error| exception(py, error))?))
}

/// Adds the function and what it returns to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Compatibility>()?;
    module.add_function(wrap_pyfunction!(compatibility, module)?)
}
