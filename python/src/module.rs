//! Modules as arguments and results.

use std::ops::Deref;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyMemoryView, PyString};
use spirv_if::module::Annotations;
use spirv_if::property_sets::PropertySets;
use spirv_if::{Error, Module};

use crate::arguments::{Argument, Arguments, wrong_type};
use crate::error::exception;

/// The bytes of a module, or of a file with modules inside.
///
/// Those of `bytes` are used where they lie. Other buffers may change while the module is read, so they are copied once.
pub struct ModuleSource {
    bytes: PyBackedBytes,
    /// The path of the file, if it was read from one.
    pub path: Option<String>,
}

impl Deref for ModuleSource {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Argument for ModuleSource {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<ModuleSource> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(ModuleSource { bytes: bytes.clone().into(), path: None });
        }
        if let Ok(view) = PyMemoryView::from(object) {
            return Ok(ModuleSource { bytes: view.call_method0("tobytes")?.extract()?, path: None });
        }
        let Some(path) = path(object) else {
            let expected = "bytes or another buffer, or the path of a file";
            return Err(wrong_type(name, object, expected));
        };
        let bytes = read_file(&path)?.extract()?;
        Ok(ModuleSource { bytes, path: Some(path.to_string()) })
    }
}

/// Returns the path that an object is.
pub fn path<'py>(object: &Bound<'py, PyAny>) -> Option<Bound<'py, PyString>> {
    let os = object.py().import("os").ok()?;
    os.call_method1("fspath", (object,)).ok()?.cast_into().ok()
}

/// Reads a file as Python does, whose exceptions name it.
fn read_file<'py>(path: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
    let file = path.py().import("io")?.call_method1("FileIO", (path,))?;
    let bytes = file.call_method0("readall");
    file.call_method0("close")?;
    bytes
}

/// A text, or the text of a file.
pub struct Document {
    /// The name in messages.
    pub source: String,
    pub text: String,
}

impl Argument for Document {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Document> {
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(Document { source: name.to_owned(), text: text.extract()? });
        }
        let path = path(object)
            .ok_or_else(|| wrong_type(name, object, "a str or the path of a file as os.PathLike"))?;
        let text = read_file(&path)?.call_method1("decode", ("utf-8",))?;
        Ok(Document { source: path.to_string(), text: text.extract()? })
    }
}

/// The arguments of every function that stand for a module: its bytes, and what may lie beside it.
pub struct ModuleInputs {
    module: ModuleSource,
    annotations: Option<Document>,
    properties: Option<Document>,
}

impl ModuleInputs {
    /// Reads the arguments.
    ///
    /// # Errors
    /// If they have other types, or a file cannot be read.
    pub fn read(arguments: &Arguments<'_>) -> PyResult<ModuleInputs> {
        Ok(ModuleInputs {
            module: arguments.get("module")?,
            annotations: arguments.get("annotations")?,
            properties: arguments.get("properties")?,
        })
    }

    /// Loads the module.
    ///
    /// # Errors
    /// If it, its property sets or its annotations are malformed, or entries of the annotations match nothing.
    pub fn load(&self) -> Result<Module<'_>, Error> {
        self.complete(Module::from_bytes(&self.module)?)
    }

    /// Loads a copy of the module, which needs the arguments no longer.
    ///
    /// # Errors
    /// See [`ModuleInputs::load`].
    pub fn load_owned(&self) -> Result<Module<'static>, Error> {
        let words = Module::from_bytes(&self.module)?.words().to_vec();
        self.complete(Module::from_words(words)?)
    }

    /// Adds the annotations and the property sets.
    fn complete<'m>(&self, mut module: Module<'m>) -> Result<Module<'m>, Error> {
        if let Some(Document { source, text }) = &self.annotations {
            let annotations = Annotations::from_yaml(source, text)?;
            module = module.with_annotations(&annotations)?;
            annotations.check_matches()?;
        }
        match &self.properties {
            Some(Document { source, text }) => module.with_properties(PropertySets::parse(source, text)?),
            None => Ok(module),
        }
    }

    /// Returns the exception of an error about the module. If it was read from a file, that names it.
    pub fn exception(&self, py: Python<'_>, error: impl Into<Error>) -> PyErr {
        self.module.exception(py, error)
    }

    /// Returns the path of the module's file, if it was read from one.
    pub fn into_path(self) -> Option<String> {
        self.module.path
    }
}

impl ModuleSource {
    /// Returns the exception of an error about the module. If it was read from a file, that names it.
    pub fn exception(&self, py: Python<'_>, error: impl Into<Error>) -> PyErr {
        exception(py, self.path.as_deref(), error)
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
