//! What a module needs of a device, and why, as plain data: what `spirv-if inspect` prints.
//!
//! [`study`] sets a module up once; [`Study::inspected`] tells what its entry points need ([`model`]), [`Study::why`] what
//! makes them need it, [`Study::fit`] which devices run them, and [`Enable`] what an API must enable.

mod call_graph;
mod choice;
mod cite;
mod crashes;
mod devices;
mod enabling;
mod generator;
mod known;
pub mod model;
mod question;
mod report;
mod requirement_names;
mod study;
#[cfg(test)]
mod tests;
mod when;
mod why;

pub use call_graph::CallGraph;
pub(crate) use call_graph::Edge;
pub use crashes::Crash;
pub use devices::{DeviceFit, Devices};
pub use enabling::{Enable, Refused};
pub(crate) use known::Known;
pub use model::{EntryPoint, Inspected};
pub use question::Question;
#[cfg(test)]
pub use report::SCHEMA;
pub use report::{FileReport, Inspection, Report};
pub use study::{InspectionError, study};
pub(crate) use when::Readable;
pub use why::{Cause, Step};
