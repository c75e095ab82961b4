//! One SPIR-V module for every device.
//!
//! Data flows one way: [`loader`] turns words into a [`loader::Module`], [`analysis`] answers questions about it,
//! [`transform`] turns answers into edits, and [`writer`] applies the edits and writes what goes beside the module.
//! [`condition`] is the Boolean language that all of them share, and [`device`] knows the devices.

pub mod condition;
pub mod device;
pub mod writer;
