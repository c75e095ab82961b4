//! Pipelines: sequences of transforms, each on the result of the previous one, and their checks.

mod adapt;
pub mod call_clones;
pub mod entry_points;
mod error;
mod lower;
pub mod merge;
mod pack;
pub mod predicates;
pub mod program;
pub mod property_sets;
pub mod ready;
pub mod recorded;
mod resolve;
pub mod specialize_for;
#[cfg(test)]
mod tests;
mod trap;
mod variants;
mod words;
mod work_around;

pub use error::{
    ModuleError, ModuleErrorKind, OpenConditions, PipelineError, RequestError, RequestErrorKind,
};
#[cfg(test)]
pub use pack::PackedModule;
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
