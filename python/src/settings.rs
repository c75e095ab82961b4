//! Options: names of choices, and values of specialization constants.

use spirv_if::module::Version;
use std::collections::HashMap;

use pyo3::Borrowed;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyInt;
use spirv_if::device::Api;
use spirv_if::pack::Dialect;
use spirv_if::property_sets::PropertyNames;
use spirv_if::specialize::{Driver, SpecConstant, Trap, UndecidedPolicy};
use spirv_if::{Settings, SpecValue};

use crate::error::{RequestError, exception, wrong_type};

/// The value that has a name.
fn choice<T: Copy>(option: &str, name: &str, all: &[(&str, T)]) -> PyResult<T> {
    let choice = all.iter().find(|(known, _)| *known == name);
    choice.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<String> = all.iter().map(|(known, _)| format!("'{known}'")).collect();
        PyValueError::new_err(format!("{option} is one of {}, and not '{name}'", names.join(", ")))
    })
}

/// The form of the leaves of conditions.
pub fn dialect(name: &str) -> PyResult<Dialect> {
    let all =
        [("spec-conditional", Dialect::SpecConditional), ("function-variants", Dialect::FunctionVariants)];
    choice("dialect", name, &all)
}

/// The spelling of properties.
pub fn property_names(name: &str) -> PyResult<PropertyNames> {
    choice("property_names", name, &[("design", PropertyNames::Design), ("dpcpp", PropertyNames::Dpcpp)])
}

/// An API.
pub fn api(name: &str) -> PyResult<Api> {
    choice("api", name, &[("vulkan", Api::Vulkan), ("opencl", Api::OpenCl)])
}

fn unset(name: &str) -> PyResult<UndecidedPolicy> {
    let all = [
        ("error", UndecidedPolicy::Error),
        ("keep", UndecidedPolicy::Keep),
        ("default", UndecidedPolicy::Default),
    ];
    choice("unset", name, &all)
}

/// A specialization constant.
#[derive(PartialEq, Eq, Hash)]
pub enum Constant {
    SpecId(u32),
    Name(String),
}

impl<'py> FromPyObject<'_, 'py> for Constant {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Constant> {
        if let Ok(name) = object.extract() {
            return Ok(Constant::Name(name));
        }
        object.extract().map(Constant::SpecId).map_err(|error: PyErr| {
            let is_number = !error.is_instance_of::<PyTypeError>(object.py());
            let expected = "the SpecId of a specialization constant as int or its name as str";
            if is_number { error } else { wrong_type(&object, expected) }
        })
    }
}

impl From<Constant> for SpecConstant {
    fn from(constant: Constant) -> SpecConstant {
        match constant {
            Constant::SpecId(spec_id) => spec_id.into(),
            Constant::Name(name) => name.into(),
        }
    }
}

/// A value of a specialization constant.
pub struct Value(SpecValue);

impl<'py> FromPyObject<'_, 'py> for Value {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Value> {
        // A Boolean is also an integer, and an integer a float.
        if let Ok(value) = object.extract::<bool>() {
            return Ok(Value(value.into()));
        }
        if let Ok(value) = object.extract::<i64>() {
            return Ok(Value(value.into()));
        }
        if let Ok(value) = object.extract::<u64>() {
            return Ok(Value(value.into()));
        }
        if object.is_instance_of::<PyInt>() {
            let message = format!(
                "{} is no value of a specialization constant: integers have up to 64 bits",
                object.str()?
            );
            return Err(RequestError::new_err(message));
        }
        if let Ok(value) = object.extract::<f64>() {
            return Ok(Value(value.into()));
        }
        let Ok(text) = object.extract::<String>() else {
            let expected = "the value of a specialization constant as bool, int, float or str";
            return Err(wrong_type(&object, expected));
        };
        text.parse().map(Value).map_err(|error: spirv_if::Error| exception(object.py(), error))
    }
}

impl From<Value> for SpecValue {
    fn from(value: Value) -> SpecValue {
        value.0
    }
}

/// Values by constant.
pub type Values = HashMap<Constant, Value>;

/// The options of `specialize`, as they are called there.
pub struct Options<'a> {
    pub set: Option<Values>,
    pub set_default: Option<Values>,
    pub leave: Vec<Constant>,
    pub ignore_unknown: bool,
    pub unset: Option<&'a str>,
    pub entry_points: Vec<String>,
    pub max_clones: usize,
    pub keep_interface: bool,
    pub trim: bool,
    pub strip: bool,
    pub strict: bool,
    pub adapt: bool,
    pub max_version: Option<(u8, u8)>,
    pub work_around: Option<&'a str>,
    pub trap: Option<&'a str>,
}

impl Options<'_> {
    /// Returns the settings for the library.
    ///
    /// # Errors
    /// If there is no such choice, or the trap is malformed.
    pub fn settings(self, py: Python<'_>) -> PyResult<Settings> {
        let work_around = |name: &str| choice("work_around", name, &[("nvidia", Driver::Nvidia)]);
        let trap = self.trap.map(str::parse::<Trap>).transpose();
        let trap = trap.map_err(|error| exception(py, error))?;
        let mut settings = Settings::new()
            .max_clones(self.max_clones)
            .entry_points(self.entry_points)
            .ignore_unknown(self.ignore_unknown)
            .undecided(self.unset.map(unset).transpose()?)
            .max_version(self.max_version.map(Version::from))
            .work_around(self.work_around.map(work_around).transpose()?)
            .trap(trap)
            .keep_interface(self.keep_interface)
            .trim(self.trim)
            .strip(self.strip)
            .strict(self.strict)
            .adapt(self.adapt);
        for (constant, value) in self.set.into_iter().flatten() {
            settings = settings.set(constant, value.0);
        }
        for (constant, value) in self.set_default.into_iter().flatten() {
            settings = settings.set_default(constant, value.0);
        }
        Ok(self.leave.into_iter().fold(settings, Settings::leave))
    }
}
