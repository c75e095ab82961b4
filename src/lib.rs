//! One SPIR-V module for every device.
//!
//! Data flows one way: [`loader`] turns words into a [`loader::Module`], [`analysis`] answers questions about it,
//! [`transform`] turns answers into edits, and [`writer`] applies the edits and writes what goes beside the module.
//! [`recipes`] do several transforms in a row. [`condition`] is the Boolean language that all of them share, [`device`]
//! knows the devices, [`annotations`] is what people say of modules in a file, [`properties`] are what goes
//! beside a module, [`tables`] lists of such files, [`runtime`] is what a runtime decides by them, and [`check`] what a compiler would warn of.

pub mod analysis;
pub mod annotations;
pub mod check;
pub mod condition;
pub mod device;
mod facade;
pub mod inspection;
pub mod loader;
pub mod properties;
pub mod recipes;
mod report;
pub mod runtime;
pub mod tables;
#[cfg(test)]
mod test_support;
#[cfg(test)]
mod tests;
pub mod transform;
pub mod writer;
mod yaml;

pub use facade::*;
