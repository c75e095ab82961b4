//! `trim` and `strip`: a module without the declarations that nothing in it requires, and without names and debug information.

use super::{Error, Module};
use crate::transform::{self, trim};
use crate::writer::apply;

/// A module without the declarations that nothing in it requires.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Trimmed {
    /// The words, in the host's byte order.
    pub words: Vec<u32>,
    /// The capabilities and extensions that were removed, by name, in the order of the module.
    pub removed: Vec<String>,
}

/// Removes capabilities and extensions that nothing in a module requires: a driver rejects a module for a capability that it
/// declares, required or not. Everything else is kept bit for bit.
///
/// # Errors
/// If the result would not load, since the module is invalid.
///
/// ```
/// // A shader that declares Float64 beside Shader, and has no instruction that requires it.
/// let words = [0x0723_0203, 0x0001_0000, 0, 1, 0, 0x0002_0011, 1, 0x0002_0011, 10, 0x0003_000e, 0, 1];
/// let trimmed = spirv_if::trim(&spirv_if::Module::from_words(&words[..])?)?;
/// assert_eq!(trimmed.removed, ["Float64"]);
/// # Ok::<(), spirv_if::Error>(())
/// ```
pub fn trim(module: &Module) -> Result<Trimmed, Error> {
    let found = trim::trim(&module.inner);
    let words = Module::result(apply(&module.inner, &found.edits)?);
    Ok(Trimmed { words, removed: found.names() })
}

/// The words of a module without names, sources, source positions and remarks, without debug information and other non-semantic instructions,
/// and without the semantics and types that HLSL gave its variables. Everything else is kept bit for bit, apart from extensions, strings,
/// types and constants to which nothing else refers.
///
/// Where something is conditional, what says so is kept: the property sets that a module carries, and names of conditional callers. Drivers
/// need nothing of the rest, but OpenCL's clGetKernelArgInfo reads argument types from strings, and annotations files find functions by name.
///
/// # Errors
/// If the result would not load, since the module is invalid.
///
/// ```
/// let bytes = std::fs::read("fixtures/debug/glslang-gVS.spv")?;
/// let stripped = spirv_if::strip(&spirv_if::Module::from_bytes(&bytes)?)?;
/// assert!(stripped.len() * 4 < bytes.len() / 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn strip(module: &Module) -> Result<Vec<u32>, Error> {
    let edits = transform::strip(&module.inner);
    Ok(Module::result(apply(&module.inner, &edits)?))
}
