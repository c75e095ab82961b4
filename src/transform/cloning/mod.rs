//! Functions in which constants guard blocks that need what is not needed everywhere: each gets a variant for each combination of
//! values of those constants.
//!
//! Conditional code is made of whole functions (SPV_INTEL_function_variants); shaders mostly branch inside of one. So the function
//! is copied, with constants of its own for each copy: once those are [set](crate::transform::specialize), each copy has only the
//! blocks that it runs. What was the function calls the one copy that there is; [`expand`](crate::transform::expand) has other
//! functions call the copies themselves.

mod copy;
mod merge;
mod plan;

use thiserror::Error;

use crate::analysis::{Analyses, AnalysisError, Annotated};
use crate::condition::ConditionError;
use crate::transform::Edits;
use plan::Plan;

/// Why functions cannot be varied.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum CloningError {
    /// The conditional code is malformed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// A condition is out of bounds.
    #[error(transparent)]
    Condition(#[from] ConditionError),
    /// All SpecIds are taken.
    #[error("the module uses the SpecIds up to 4294967295: none is left for the variants of its functions")]
    NoSpecId,
    /// A function would have more variants than it may.
    #[error(
        "{function} would need {count} variants, and no more than {limit} are allowed: the block %{block} (byte offset \
         {block_offset:#x}) runs only on some devices, and its {instruction} (byte offset {offset:#x}) needs {needs}. Allow more \
         with --max-clones, say of fewer constants what they stand for, or move such blocks to functions of their own"
    )]
    TooMany {
        /// The function.
        function: String,
        /// How many variants it would have.
        count: usize,
        /// How many it may have.
        limit: usize,
        /// The label of the last block that asks for more.
        block: u32,
        /// Where it stands, in bytes.
        block_offset: u64,
        /// The instruction in it, by its opcode.
        instruction: String,
        /// Where that stands, in bytes.
        offset: u64,
        /// What it needs that is not needed everywhere.
        needs: String,
    },
}

/// A module whose functions have variants.
#[derive(Clone, Debug)]
pub struct Varied {
    /// The changes to the module.
    pub edits: Edits,
    /// What is said of the module that they make.
    pub annotated: Annotated,
    /// The values that the variants' own constants are to be set to, by SpecId.
    pub set: Vec<(u32, u64)>,
}

/// Works out the variants of the functions of a module; `None` if it needs none. `limit` is how many variants one function may have.
///
/// # Errors
/// Where a function needs more variants, or the module's conditions cannot be understood. See [`CloningError`].
pub fn vary(analyses: &Analyses, limit: usize) -> Result<Option<Varied>, CloningError> {
    let (module, annotated, names) = (analyses.module(), analyses.annotated(), analyses.names());
    if annotated.spec_constants.is_empty() {
        return Ok(None);
    }
    let calls = analyses.calls()?;
    if calls.regions.is_empty() {
        return Ok(None);
    }
    let summaries = analyses.summaries()?;
    let plan = Plan {
        module,
        names,
        regions: &calls.regions,
        presence: analyses.presence()?,
        summaries,
        needs: analyses.declared_requirements()?,
    };
    let functions = plan.functions(limit)?;
    if functions.is_empty() {
        return Ok(None);
    }
    let mut varied = Varied { edits: Edits::new(module), annotated: annotated.clone(), set: Vec::new() };
    copy::write(module, names, &functions, &mut varied)?;
    Ok(Some(varied))
}
