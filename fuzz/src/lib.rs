//! The common part of the fuzz targets: what must hold for every input (`oracles`), how inputs that are modules are read (`input`) and
//! changed (`mutate`). `scripts/fuzz.sh` builds and runs the targets; docs/testing.md describes them.

pub mod input;
pub mod instructions;
#[allow(missing_docs)]
#[path = "../../cli/tests/all/interpreter/mod.rs"]
pub mod interpreter;
pub mod mutate;
pub mod oracles;
mod random;
pub mod translation;
