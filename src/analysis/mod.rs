//! Reads a module and answers questions about it; changes nothing.

mod conditional_calls;
mod error;
mod locals;
mod names;
mod needs;
mod rules;
mod uses;
mod wrapper;

pub use conditional_calls::{Action, ConditionalCall, ConditionalCalls};
pub use error::{AnalysisError, CallProblem};
pub use names::{Linkage, Names};
pub use needs::{CapabilitySet, Needs, Tracked, closure};
pub use wrapper::Wrapper;
