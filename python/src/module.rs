//! Modules as arguments and results.

use std::ops::Deref;

use pyo3::Borrowed;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyMemoryView};
use spirv_if::module::Annotations;
use spirv_if::property_sets::PropertySets;
use spirv_if::{Error, Module};

use crate::error::wrong_type;

/// The bytes of a module, or of a file with modules inside.
pub struct ModuleBytes(PyBackedBytes);

impl Deref for ModuleBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl<'py> FromPyObject<'_, 'py> for ModuleBytes {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<ModuleBytes> {
        if let Ok(bytes) = object.extract() {
            return Ok(ModuleBytes(bytes));
        }
        let Ok(view) = PyMemoryView::from(&object) else {
            return Err(wrong_type(&object, "the bytes of a module in bytes, bytearray or another buffer"));
        };
        Ok(ModuleBytes(view.call_method0("tobytes")?.extract()?))
    }
}

/// The arguments of every function that stand for a module: its bytes, and what may lie beside it.
pub struct ModuleInputs<'a> {
    pub bytes: &'a ModuleBytes,
    pub annotations: Option<&'a str>,
    pub properties: Option<&'a str>,
}

impl ModuleInputs<'_> {
    /// The module.
    ///
    /// # Errors
    /// If it, its property sets or its annotations are malformed, or entries of the annotations match nothing.
    pub fn load(&self) -> Result<Module<'_>, Error> {
        let mut module = Module::from_bytes(self.bytes)?;
        if let Some(text) = self.annotations {
            let annotations = Annotations::from_yaml("annotations", text)?;
            module = module.with_annotations(&annotations)?;
            annotations.check_matches()?;
        }
        match self.properties {
            Some(text) => module.with_properties(PropertySets::parse("properties", text)?),
            None => Ok(module),
        }
    }
}

/// The bytes of a result.
pub fn to_bytes(py: Python<'_>, words: &[u32]) -> PyResult<Py<PyBytes>> {
    let bytes = PyBytes::new_with(py, size_of_val(words), |bytes| {
        for (place, word) in bytes.chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_ne_bytes());
        }
        Ok(())
    })?;
    Ok(bytes.unbind())
}
