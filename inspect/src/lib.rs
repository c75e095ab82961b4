//! The requirements of SPIR-V modules on devices, and their causes: as data, and as reports for people and programs.
//!
//! [`inspect()`] finds the device requirements of each entry point, with their conditions and causes, and the devices that run it.
//! [`Inspector`] does this for many modules, and [`Report`] writes the results. [`Findings`] writes the warnings of
//! [`check`](spirv_if_sycl::check::check) and the rules that modules break for continuous integration. [`CallGraph`] has the calls of a module,
//! for Graphviz. [`VulkanRequirements`] are the features, extensions and limits that an application enables or compares.
//!
//! ```
//! use spirv_if::Module;
//! use spirv_if_inspect::{InspectOptions, inspect};
//! let bytes = std::fs::read("../fixtures/check/hw-g.spv")?;
//! let module = Module::from_bytes(&bytes)?;
//! for entry_point in inspect(&module, &InspectOptions::new().why("fp64"))?.entry_points() {
//!     println!("{} requires {} capabilities", entry_point.name, entry_point.capabilities.len());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(doctest, doc = include_str!("../README.md"))]

mod api;
mod inspection;
mod report;
pub mod statistics;
#[cfg(test)]
#[path = "../../src/test_support/mod.rs"]
mod test_support;
#[cfg(test)]
mod tests;

pub use api::findings::{Baseline, FindingCause, Findings, ModulePlace, SourcePaths};
pub use api::inspect::{
    DeviceSupport, EntryPoint, FeatureRequirement, InspectOptions, InspectedConstant, Inspector, Report,
    SizeRequirement, ValueEffect, describe, html_from_json, inspect, module_with_settings,
};
pub use inspection::{
    CallGraph, Inspection, LibraryAnswer, ModuleCounts, VulkanFeature, VulkanFeatureChain, VulkanLimit,
    VulkanProperty, VulkanRequirements, remedy_options,
};
pub use report::{InspectionJson, TextStyle};
