//! Linking: compilers' modules, against spirv-link, against what they were before, and every error.

mod alone;
mod apart;
mod compare;
mod composed;
mod continued;
mod errors;
mod fixtures;
mod memory;
mod names;
mod support;
