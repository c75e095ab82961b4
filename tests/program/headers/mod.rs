//! The headers for device code in `include/spirv_if`, and the pages about them.

mod built;
mod conditions;
mod host;
mod pages;
