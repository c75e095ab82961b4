//! Inspections: the requirements of a module and their causes, as plain data, which `spirv-if inspect`
//! prints.
//!
//! [`with_context()`] sets a module up once. [`inspected`](context::InspectContext::inspected) returns the
//! requirements of its entry points ([`model`]), [`why`](context::InspectContext::why) their causes, and
//! [`compare_with_devices`](context::InspectContext::compare_with_devices) the devices that run them.
//! [`EnableReport`] has the features that an API must enable.

mod answer;
mod cache;
mod call_graph;
mod choice;
mod cite;
mod constants;
mod context;
mod cost;
mod defects;
mod details;
mod devices;
mod enabling;
mod groups;
mod library;
mod lowering_cost;
mod missing_causes;
pub mod model;
mod places;
mod question;
mod remedy;
mod rules;
mod shared_costs;
#[cfg(test)]
mod tests;
mod trials;
mod vulkan;
mod why;

pub(crate) use cache::ResultCache;
pub use call_graph::CallGraph;
pub(crate) use call_graph::Edge;
pub use cite::OFFSET;
pub(crate) use constants::scalar;
pub use context::{InspectionError, with_context};
pub use defects::DefectInstruction;
pub use details::{ConstantGain, EntryPointDifference};
pub use devices::{DeviceFit, UnchangedCounts};
pub use enabling::{EnableReport, ForeignCapability};
pub use library::{LibraryAnswer, ModuleCounts};
pub use lowering_cost::{LoweringCost, LoweringObstacle};
#[cfg(test)]
pub use model::SCHEMA;
pub use model::{EntryPointReport, FileReport, Inspected, Inspection, InspectionReport};
pub use question::WhySubject;
#[cfg(test)]
pub use remedy::NoTrials;
pub use remedy::{Remedy, RemedyTrial, RemedyTrials, remedy_options};
pub use rules::{Rule, Violation};
pub use shared_costs::SetConstant;
pub use vulkan::{VulkanFeature, VulkanFeatureChain, VulkanLimit, VulkanProperty, VulkanRequirements};
pub use why::{PathStep, RequirementCause};
