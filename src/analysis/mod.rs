//! Reads a module and answers questions about it; changes nothing.

mod call_graph;
mod chains;
mod charges;
mod conditional_calls;
pub mod conditionals;
pub mod constants;
mod debug_information;
mod demands;
mod demangle;
mod error;
mod existing;
mod gates;
mod interfaces;
mod locals;
mod names;
mod order;
pub mod requirements;
pub mod scalars;
mod source_places;
mod uses;
mod wrapper;

pub use call_graph::{Reference, References};
pub use chains::{Call, Chain};
pub use charges::{Charged, Charges};
pub use conditional_calls::{Action, ConditionalCall, ConditionalCalls};
pub use debug_information::{is_debug, is_debug_operand, is_weak};
pub use demands::{Demand, Demands};
pub use demangle::FunctionName;
pub use error::{AnalysisError, CallProblem};
pub use gates::{Exports, Gates};
pub use interfaces::{interface, interface_block};
pub use names::{Linkage, Names};
pub use requirements::{Needs, RequirementSet, closure};
pub use source_places::{Place, SourcePlaces};
pub use uses::is_definition;
pub use wrapper::Wrapper;
