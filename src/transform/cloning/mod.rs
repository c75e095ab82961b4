//! Cloning of functions in which constants guard blocks with conditional requirements: one clone for each combination of values of
//! those constants.
//!
//! Conditional code is made of whole functions (SPV_INTEL_function_variants); shaders mostly branch inside of one. So the function
//! is cloned, with constants of its own for each clone: once those are [set](crate::transform::specialize), each clone has only the
//! blocks that it runs. The original becomes a dispatcher that calls the one clone that is present;
//! [`expand`](crate::transform::expand) has other functions call the clones themselves.

mod calls;
mod copier;
mod copy;
mod functions;
mod merge;
mod plan;

pub use calls::{CallClone, CallClones, clone_for_calls};
pub use functions::{Cloned, CloningError, clone_functions};

/// The maximum number of clones of one function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CloneLimit(pub usize);

impl CloneLimit {
    /// The limit where none is set.
    pub const DEFAULT: CloneLimit = CloneLimit(8);
}

impl Default for CloneLimit {
    fn default() -> CloneLimit {
        CloneLimit::DEFAULT
    }
}
