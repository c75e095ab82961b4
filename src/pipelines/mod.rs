//! Pipelines: sequences of transforms, each on the result of the previous one, and their checks.

#[cfg(feature = "adapt")]
mod adapt;
#[cfg(feature = "split")]
pub mod add_on;
pub mod call_clones;
mod entry_points;
mod error;
#[cfg(any(feature = "program", feature = "split"))]
mod image_compatibility;
#[cfg(feature = "adapt")]
mod lower;
#[cfg(feature = "merge")]
pub mod merge;
#[cfg(feature = "split")]
mod names;
#[cfg(feature = "pack")]
mod pack;
#[cfg(any(feature = "inspect", feature = "link", feature = "pack"))]
mod predicates;
#[cfg(feature = "link")]
pub mod program;
#[cfg(feature = "pack")]
pub mod property_sets;
pub mod ready;
pub mod recorded;
mod resolve;
#[cfg(feature = "program")]
pub mod runtime;
mod specialize_for;
#[cfg(feature = "split")]
pub mod split;
#[cfg(test)]
mod tests;
#[cfg(feature = "trap")]
mod trap;
mod variants;
#[cfg(not(feature = "adapt"))]
mod without_adapt;
#[cfg(not(feature = "pack"))]
mod without_pack;
#[cfg(not(any(feature = "inspect", feature = "link", feature = "pack")))]
mod without_predicates;
#[cfg(not(feature = "trap"))]
mod without_trap;
mod words;
mod work_around;

pub use error::{
    ModuleError, ModuleErrorKind, OpenConditions, PipelineError, RequestError, RequestErrorKind,
};
#[cfg(any(feature = "program", feature = "split"))]
pub use image_compatibility::{image_compatibility, properties_compatibility};
#[cfg(feature = "split")]
pub use names::UnitNames;
#[cfg(test)]
pub use pack::PackedModule;
#[cfg(feature = "pack")]
pub use pack::{pack, pack_with};
pub use resolve::{
    AotResult, ConditionalCallsOnDevice, DecidedCalls, HostDecisions, decide_for_all, has_conditional_calls,
    host_name, on_host, relevant_leaves, resolve, specialize_as_is,
};
pub use specialize_for::{
    Driver, ModuleProperties, SpecializeRequest, SpecializedModule, groups, specialize_for,
    without_properties,
};
pub use trap::values_without;
pub use words::ModuleBuffer;

#[cfg(not(feature = "adapt"))]
use without_adapt as adapt;
#[cfg(not(feature = "adapt"))]
use without_adapt as lower;
#[cfg(not(feature = "pack"))]
use without_pack as pack;
#[cfg(not(any(feature = "inspect", feature = "link", feature = "pack")))]
use without_predicates as predicates;
#[cfg(not(feature = "trap"))]
use without_trap as trap;
