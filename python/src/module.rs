//! Modules as arguments and results.

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use spirv_if::{Annotations, Error, Module, PropertySets};

/// The arguments of every function that stand for a module: its bytes, and what may lie beside it.
pub struct Given<'a> {
    pub bytes: &'a PyBackedBytes,
    pub annotations: Option<&'a str>,
    pub properties: Option<&'a str>,
}

impl Given<'_> {
    /// The module.
    ///
    /// # Errors
    /// If it, its property sets or its annotations are malformed, or entries of the annotations match nothing.
    pub fn load(&self) -> Result<Module<'_>, Error> {
        let mut module = Module::from_bytes(self.bytes)?;
        if let Some(text) = self.annotations {
            let annotations = Annotations::from_yaml("annotations", text)?;
            module = module.with_annotations(&annotations)?;
            let unmatched = annotations.unmatched();
            if !unmatched.is_empty() {
                return Err(Error::Request(format!("annotations: {}", unmatched.join("; "))));
            }
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
