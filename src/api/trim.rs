//! Trimming and stripping: modules without the declarations that nothing in them requires, and without names and debug information.
//!
//! Both work on any module. [`trim()`] lets more drivers accept a module, [`strip`] makes it smaller. A packed or specialized module is
//! trimmed and stripped on the way, by [`PackOptions::strip`](crate::PackOptions::strip), [`Settings::trim`](crate::Settings::trim) and
//! [`Settings::strip`](crate::Settings::strip).
//!
//! ```
//! use spirv_if::Module;
//! use spirv_if::trim::{strip, trim};
//! let bytes = std::fs::read("fixtures/debug/glslang-gVS.spv")?;
//! let stripped = strip(&Module::from_bytes(&bytes)?)?;
//! let trimmed = trim(&Module::from_words(stripped.words)?)?;
//! assert!(trimmed.to_bytes().len() < bytes.len() / 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::error::Error;
use super::module::{Module, to_bytes};
use crate::analysis::Names;
use crate::loader;
use crate::metadata::property_sets::{DEVICE_REQUIREMENTS, PropertySets, carried};
use crate::pipelines::recorded;
use crate::transform::{self, trim};
use crate::writer::apply;

/// A module without the declarations that nothing in it requires.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Trimmed {
    /// The words, in the host's byte order.
    pub words: Vec<u32>,
    /// The capabilities and extensions that were removed, by name, in the order of the module.
    pub removed: Vec<String>,
    /// The variables with storage that nothing writes, which were decorated NonWritable, by name or id. In some stages Vulkan requires a
    /// feature otherwise (`fragmentStoresAndAtomics`, `vertexPipelineStoresAndAtomics`).
    pub read_only: Vec<String>,
}

impl Trimmed {
    /// Returns the words as little-endian bytes, as a file has them.
    pub fn to_bytes(&self) -> Vec<u8> {
        to_bytes(&self.words)
    }
}

/// A module without names and debug information.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Stripped {
    /// The words, in the host's byte order.
    pub words: Vec<u32>,
}

impl Stripped {
    /// Returns the words as little-endian bytes, as a file has them.
    pub fn to_bytes(&self) -> Vec<u8> {
        to_bytes(&self.words)
    }
}

/// Removes capabilities and extensions that nothing in a module requires: a driver rejects a module for a capability that it
/// declares, required or not. Variables of shaders that nothing writes become NonWritable where that lowers what Vulkan requires
/// ([`Trimmed::read_only`]). Where a capability that a declared one implies is enough, it is declared instead. Everything else is kept bit for bit.
///
/// # Errors
/// If the result would not load, since the module is invalid.
///
/// ```
/// // A shader that declares Float64 beside Shader, and has no instruction that requires it.
/// let words = [0x0723_0203, 0x0001_0000, 0, 1, 0, 0x0002_0011, 1, 0x0002_0011, 10, 0x0003_000e, 0, 1];
/// let trimmed = spirv_if::trim::trim(&spirv_if::Module::from_words(&words[..])?)?;
/// assert_eq!(trimmed.removed, ["Float64"]);
/// # Ok::<(), spirv_if::Error>(())
/// ```
pub fn trim(module: &Module) -> Result<Trimmed, Error> {
    let trimmed = trim::trim(&module.inner);
    let words = Module::result(apply(&module.inner, &trimmed.edits)?);
    let read_only = match trimmed.read_only[..] {
        [] => Vec::new(),
        ref variables => {
            let names = Names::new(&module.inner);
            variables.iter().map(|&variable| names.display(variable)).collect()
        }
    };
    Ok(Trimmed { words, removed: trimmed.names(), read_only })
}

/// Returns the property sets beside a module for its trimmed words: aspects that nothing but removed declarations explains are left out, since no
/// device has to have them any more. Those of a module that carries requirements stay as they are.
///
/// ```
/// use spirv_if::property_sets::PropertySets;
/// use spirv_if::trim::{trim, trim_properties};
/// // A shader that declares Float64 beside Shader, and has no instruction that requires it. Its sets record the aspects fp64 and another one.
/// let words = [0x0723_0203, 0x0001_0000, 0, 1, 0, 0x0002_0011, 1, 0x0002_0011, 10, 0x0003_000e, 0, 1];
/// let module = spirv_if::Module::from_words(&words[..])?;
/// let sets = |aspects| PropertySets::parse("a.prop", &format!("[SYCL/device requirements]\naspect=2|{aspects}\n"));
/// let (both, other) = (sets("ABAAAAAAAAgBAAAAHAAAAA")?, sets("gAAAAAAAAAwBAAAA")?);
/// assert_eq!(trim_properties(&module, &trim(&module)?, &both)?, other);
/// # Ok::<(), spirv_if::Error>(())
/// ```
///
/// # Errors
/// If the sets are malformed.
pub fn trim_properties(
    module: &Module,
    trimmed: &Trimmed,
    properties: &PropertySets,
) -> Result<PropertySets, Error> {
    let after = loader::Module::from_words(&trimmed.words[..])?;
    // What a module carries has to agree with what lies beside it.
    match carried::read(&after)?.get(DEVICE_REQUIREMENTS) {
        Some(_) => Ok(properties.clone()),
        None => Ok(recorded::trimmed_properties(&module.inner, &after, properties)?),
    }
}

/// Removes names, sources, source positions and remarks, debug information and other non-semantic instructions of a module, and the semantics
/// and types that HLSL gave its variables. Everything else is kept bit for bit, apart from extensions, strings,
/// types and constants to which nothing else refers.
///
/// Keeps the data that conditional code requires: the property sets inside the module, and the names of conditional callers. Drivers do not
/// require the rest. However, OpenCL's clGetKernelArgInfo reads argument types from strings, and annotations files find functions by name.
///
/// # Errors
/// If the result would not load, since the module is invalid.
///
/// ```
/// let bytes = std::fs::read("fixtures/debug/glslang-gVS.spv")?;
/// let stripped = spirv_if::trim::strip(&spirv_if::Module::from_bytes(&bytes)?)?;
/// assert!(stripped.to_bytes().len() < bytes.len() / 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn strip(module: &Module) -> Result<Stripped, Error> {
    let edits = transform::strip(&module.inner);
    Ok(Stripped { words: Module::result(apply(&module.inner, &edits)?) })
}
