//! Metadata that SYCL compilers attach to functions and variables.

pub mod declared_aspects;
pub mod properties;
pub mod translation_units;
