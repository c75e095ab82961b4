//! What SYCL compilers say about functions and variables beside their code.

pub mod declared_aspects;
pub mod properties;
pub mod translation_units;
