//! `strip`: a module without names, debug information and reflection.

use super::{Error, Module};
use crate::transform;
use crate::writer::apply;

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
    Ok(Module::result(apply(&module.inner, &transform::strip(&module.inner))?))
}
