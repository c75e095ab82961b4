//! Settings of `specialize` and `compatibility`, and names of choices.

use pyo3::prelude::*;
use pyo3::types::PyString;
use spirv_if::device::Api;
use spirv_if::pack::Dialect;
use spirv_if::property_sets::PropertyNames;
use spirv_if::specialize::{Driver, FeaturesToLower, SpecConstant, Trap, UnsetPolicy};
use spirv_if::{Device, Settings, SpecValue};

use crate::arguments::{Argument, Arguments, Pairs, choice, is_integer, parsed, wrong_type, wrong_value};
use crate::device::device;
use crate::error::exception;

impl Argument for Dialect {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Dialect> {
        let all = [
            ("spec-conditional", Dialect::SpecConditional),
            ("function-variants", Dialect::FunctionVariants),
        ];
        choice(name, object, &all)
    }
}

impl Argument for PropertyNames {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<PropertyNames> {
        choice(name, object, &[("design", PropertyNames::Design), ("dpcpp", PropertyNames::Dpcpp)])
    }
}

impl Argument for Api {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Api> {
        choice(name, object, &[("vulkan", Api::Vulkan), ("opencl", Api::OpenCl)])
    }
}

impl Argument for UnsetPolicy {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<UnsetPolicy> {
        let all =
            [("error", UnsetPolicy::Error), ("keep", UnsetPolicy::Keep), ("default", UnsetPolicy::Default)];
        choice(name, object, &all)
    }
}

impl Argument for Driver {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Driver> {
        choice(name, object, &[("nvidia", Driver::Nvidia), ("rusticl", Driver::Rusticl)])
    }
}

impl Argument for Trap {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Trap> {
        parsed(name, object, str::parse)
    }
}

impl Argument for SpecConstant {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<SpecConstant> {
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(text.extract::<String>()?.into());
        }
        object.extract::<u32>().map(SpecConstant::from).map_err(|_| match is_integer(object) {
            true => wrong_value(name, format!("expected a SpecId from 0 to 2**32 - 1, not {object}")),
            false => {
                wrong_type(name, object, "a SpecId as int or the name of a specialization constant as str")
            }
        })
    }
}

impl Argument for SpecValue {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<SpecValue> {
        // A Boolean is also an integer, and an integer a float.
        if let Ok(value) = object.extract::<bool>() {
            return Ok(value.into());
        }
        if let Ok(value) = object.extract::<i64>() {
            return Ok(value.into());
        }
        if let Ok(value) = object.extract::<u64>() {
            return Ok(value.into());
        }
        if is_integer(object) {
            return Err(wrong_value(name, format!("expected an integer of up to 64 bits, not {object}")));
        }
        if let Ok(value) = object.extract::<f64>() {
            return Ok(value.into());
        }
        if !object.is_instance_of::<PyString>() {
            return Err(wrong_type(name, object, "a bool, int, float or str"));
        }
        parsed(name, object, str::parse)
    }
}

/// All features, those of a list, or none.
pub struct FeatureChoice(pub Option<FeaturesToLower>);

impl Argument for FeatureChoice {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<FeatureChoice> {
        if let Ok(all) = object.extract::<bool>() {
            return Ok(FeatureChoice(all.then_some(FeaturesToLower::Missing)));
        }
        let names = Vec::<String>::read(name, object)?;
        let features = FeaturesToLower::from_names(names);
        features
            .map(|features| FeatureChoice(Some(features)))
            .map_err(|error| exception(object.py(), Some(name), error))
    }
}

/// Values by constant.
pub type Values = Option<Pairs<SpecConstant, SpecValue>>;

/// Reads the device and the settings of `specialize`.
///
/// # Errors
/// If an argument has another type, or a value that is not permitted.
pub fn specialize_request(arguments: &Arguments<'_>) -> PyResult<(Device, Settings)> {
    let (device, settings) = compatibility_request(arguments)?;
    Ok((device, settings.strip(arguments.get("strip")?).strict(arguments.get("strict")?)))
}

/// Reads the device and the settings of `compatibility`, which writes and refuses nothing.
///
/// # Errors
/// If an argument has another type, or a value that is not permitted.
pub fn compatibility_request(arguments: &Arguments<'_>) -> PyResult<(Device, Settings)> {
    let device = device(arguments)?.unwrap_or_default();
    let mut settings = Settings::new()
        .max_clones(arguments.get("max_clones")?)
        .entry_points(arguments.get::<Vec<String>>("entry_points")?)
        .ignore_unknown(arguments.get("ignore_unknown")?)
        .drop_unsupported(arguments.get("drop_unsupported")?)
        .unset(arguments.get::<Option<UnsetPolicy>>("unset")?)
        .max_version(arguments.get::<Option<_>>("max_version")?)
        .work_around(arguments.get::<Option<Driver>>("work_around")?)
        .trap(arguments.get::<Option<Trap>>("trap")?)
        .keep_interface(arguments.get("keep_interface")?)
        .trim(arguments.get("trim")?)
        .lower(arguments.get::<bool>("lower")?.then_some(FeaturesToLower::Missing))
        .wider_halves(arguments.get("wider_halves")?)
        .adapt(arguments.get("adapt")?);
    for (constant, value) in arguments.get::<Values>("set")?.into_iter().flat_map(|pairs| pairs.0) {
        settings = settings.set(constant, value);
    }
    for (constant, value) in arguments.get::<Values>("set_default")?.into_iter().flat_map(|pairs| pairs.0) {
        settings = settings.set_default(constant, value);
    }
    let settings = arguments.get::<Vec<SpecConstant>>("leave")?.into_iter().fold(settings, Settings::leave);
    Ok((device, settings))
}
