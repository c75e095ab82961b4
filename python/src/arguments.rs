//! Arguments of calls. Functions in Python collect them by name, and every error about one begins with its name.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyString};
use spirv_if::Condition;
use spirv_if::module::Version;

use crate::error::exception;

/// The arguments of a call, by name.
#[derive(FromPyObject)]
pub struct Arguments<'py>(Bound<'py, PyDict>);

impl Arguments<'_> {
    /// Reads an argument.
    ///
    /// # Errors
    /// If it has another type, or a value that is not permitted.
    pub fn get<T: Argument>(&self, name: &str) -> PyResult<T> {
        match self.0.get_item(name)? {
            Some(object) => T::read(name, &object),
            None => Err(PyTypeError::new_err(format!("{name}: the argument is missing"))),
        }
    }
}

/// A type that arguments may have.
pub trait Argument: Sized {
    /// Reads an object, which messages call `name`.
    ///
    /// # Errors
    /// If it has another type, or a value that is not permitted.
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Self>;
}

/// Returns the exception of an object of the wrong type.
pub fn wrong_type(name: &str, object: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    let found = match object.is_none() {
        true => Ok("None".to_owned()),
        false => object.get_type().name().map(|name| name.to_string()),
    };
    found.map_or_else(
        |error| error,
        |found| PyTypeError::new_err(format!("{name}: expected {expected}, not {found}")),
    )
}

/// Returns the exception of a value that is not permitted.
pub fn wrong_value(name: &str, message: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(format!("{name}: {message}"))
}

/// True if an object is an integer of Python, or of another library such as numpy.
pub fn is_integer(object: &Bound<'_, PyAny>) -> bool {
    object.call_method0("__index__").is_ok()
}

/// Reads one of the texts that an argument may be.
///
/// # Errors
/// If it is another one.
pub fn choice<T: Copy>(name: &str, object: &Bound<'_, PyAny>, all: &[(&str, T)]) -> PyResult<T> {
    let text = String::read(name, object)?;
    if let Some((_, value)) = all.iter().find(|(known, _)| *known == text) {
        return Ok(*value);
    }
    let names: Vec<String> = all.iter().map(|(known, _)| format!("'{known}'")).collect();
    Err(wrong_value(name, format!("expected {}, not '{text}'", names.join(" or "))))
}

/// Reads a text that the library parses.
///
/// # Errors
/// If the object is not a text, or the library refuses it.
pub fn parsed<T, E: Into<spirv_if::Error>>(
    name: &str,
    object: &Bound<'_, PyAny>,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> PyResult<T> {
    let text = String::read(name, object)?;
    parse(&text).map_err(|error| exception(object.py(), Some(name), error))
}

impl<T: Argument> Argument for Option<T> {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Option<T>> {
        if object.is_none() { Ok(None) } else { T::read(name, object).map(Some) }
    }
}

impl Argument for bool {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<bool> {
        object.extract().map_err(|_| wrong_type(name, object, "True or False"))
    }
}

impl Argument for usize {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<usize> {
        object.extract().map_err(|_| match is_integer(object) {
            true => wrong_value(name, format!("expected a number from 0 to 2**64 - 1, not {object}")),
            false => wrong_type(name, object, "an int"),
        })
    }
}

impl Argument for f64 {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<f64> {
        object.extract().map_err(|_| wrong_type(name, object, "a number"))
    }
}

impl Argument for String {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<String> {
        match object.cast::<PyString>() {
            Ok(text) => text.extract(),
            Err(_) => Err(wrong_type(name, object, "a str")),
        }
    }
}

impl Argument for Version {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Version> {
        let pair: Result<(u8, u8), _> = object.extract();
        pair.map(Version::from).map_err(|_| {
            let found = object.repr().map(|text| text.to_string()).unwrap_or_default();
            PyTypeError::new_err(format!("{name}: expected a version such as (1, 3), not {found}"))
        })
    }
}

impl Argument for Condition {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Condition> {
        parsed(name, object, Condition::parse)
    }
}

impl<T: Argument> Argument for Vec<T> {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Vec<T>> {
        let is_other = object.is_instance_of::<PyString>() || object.cast::<PyMapping>().is_ok();
        let items = object.try_iter().ok().filter(|_| !is_other);
        let items = items.ok_or_else(|| wrong_type(name, object, "a list, tuple or set"))?;
        items.enumerate().map(|(index, item)| T::read(&format!("{name}[{index}]"), &item?)).collect()
    }
}

/// The items of a mapping.
pub struct Pairs<K, V>(pub Vec<(K, V)>);

impl<K: Argument, V: Argument> Argument for Pairs<K, V> {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Pairs<K, V>> {
        let items = object.call_method0("items").and_then(|items| items.try_iter());
        let items = items.map_err(|_| wrong_type(name, object, "a dict or another mapping"))?;
        let pair = |item: Bound<'_, PyAny>| {
            let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
            let value = V::read(&format!("{name}[{}]", key.repr()?), &value)?;
            Ok((K::read(&format!("a key of {name}"), &key)?, value))
        };
        items.map(|item| pair(item?)).collect::<PyResult<_>>().map(Pairs)
    }
}
