//! Work-arounds for defects of drivers (`spec-extensions/driver-defects.csv`): replace code of valid modules by code
//! with the same meaning.

mod boolean_loop_phis;
mod pointer_expressions;

pub use boolean_loop_phis::boolean_loop_phis;
pub use pointer_expressions::pointer_expressions;

use super::Edits;
use crate::loader::Module;

/// The result of a work-around.
#[derive(Clone, Debug)]
pub struct WorkAround {
    /// The changes to the module.
    pub edits: Edits,
    /// The number of instructions that they are for.
    pub instructions: usize,
}

impl WorkAround {
    /// Creates an empty list of changes.
    fn new(module: &Module) -> WorkAround {
        WorkAround { edits: Edits::new(module), instructions: 0 }
    }
}
