//! The public interface of the library, which the program uses too. Everything else is internal to the engine.
//!
//! One file per call, with its options and results. A call creates the analyses of a module ([`Analyses`](crate::analysis::Analyses)) and runs
//! the pipelines; no decision about a module is made here.

mod add_on;
mod annotations;
mod check;
mod condition;
mod device;
mod error;
mod host_values;
mod ids;
mod inspect;
mod interface;
mod key;
mod link;
mod merge;
mod module;
mod pack;
mod post_link;
mod program;
mod properties;
mod specialize;
mod split;
#[cfg(test)]
mod tests;
mod trim;

pub use add_on::{AddOnImage, AddOnRole, add_on};
pub use annotations::Annotations;
pub use check::{CheckOptions, Findings, Warning, check};
pub use condition::Condition;
pub use device::{Api, Device, DeviceConfig, DeviceError, DeviceParts, DeviceReport, Target};
#[cfg(feature = "probe")]
pub use device::{GetDeviceInfo, ProbeError, Probed, probe};
pub use error::{Construct, Error, Missing, Refused, TooNew, Undecided};
pub use host_values::{HostValue, HostValues};
pub use ids::{Aspect, Capability, Id, SpecConstant, SpecId};
pub use inspect::{
    CallGraph, EntryPoint, InspectOptions, InspectedConstant, Inspection, Inspector, Report, inspect,
};
pub use interface::{Binding, Interface, Location, PushConstants, StageName};
pub use key::Key;
pub use link::{Linked, link};
pub use merge::{ManifestShader, MergeOptions, Merged, Variant, merge};
pub use module::{Candidate, Module, ModulePart, find_module, find_modules, no_module};
pub use pack::{Dialect, PackOptions, PackSummary, Packed, pack};
pub use post_link::PostLink;
pub use program::{Bundle, Program, ProgramImage, SelectedImage, Selection, SelectionReason};
pub use properties::{LowerOptions, LoweredProperties};
pub use specialize::{Driver, InPieces, Prepared, Settings, SpecializeReport, Specialized, Unset};
pub use split::{Image, ImagePlan, Jit, Root, Split, SplitMode, SplitOptions, split};
pub use trim::{Trimmed, strip, trim};

pub use crate::loader::LoadError;
pub use crate::metadata::property_sets::{Property, PropertyError, PropertyNames, PropertySet, PropertySets};
pub use crate::metadata::tables::{FileTable, TableError};
pub use crate::report::TextStyle;
