//! Tests of linking: modules of compilers compared with spirv-link and with the original modules, and every error.

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
