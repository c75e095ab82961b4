//! Inspections: the requirements of a module and their causes, as plain data, which `spirv-if inspect` prints.
//!
//! [`study()`] sets a module up once; [`inspected`](study::Study::inspected) gives the requirements of its entry points ([`model`]),
//! [`why`](study::Study::why) their causes, [`fit`](study::Study::fit) the devices that run them, and [`Enable`] the features that an API must
//! enable.

mod cache;
mod call_graph;
mod choice;
mod cite;
mod constants;
mod details;
mod devices;
mod driver_defects;
mod enabling;
pub mod model;
mod question;
mod rules;
mod study;
#[cfg(test)]
mod tests;
mod trials;
mod when;
mod why;

pub(crate) use cache::ResultCache;
pub use call_graph::CallGraph;
pub(crate) use call_graph::Edge;
pub use cite::OFFSET;
pub use details::Difference;
pub use devices::{DeviceFit, Devices};
pub use driver_defects::Crash;
pub(crate) use driver_defects::{DefectPattern, driver_defects};
pub use enabling::{Enable, ForeignCapability};
#[cfg(test)]
pub use model::SCHEMA;
pub use model::{EntryPointReport, FileReport, Inspected, Inspection, InspectionReport};
pub use question::Question;
pub use rules::{Rule, Violation};
pub use study::{InspectionError, study};
pub(crate) use when::{
    ReadableConditions, device_constant, meaning_of_architecture, meaning_of_capabilities, meaning_of_target,
};
pub use why::{Cause, PathStep};
