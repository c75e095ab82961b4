//! Clones of functions whose blocks are guarded.

use thiserror::Error;

use super::plan::ClonePlan;
use super::{CloneLimit, copy};
use crate::analysis::{Analyses, AnalysisError, Annotated};
use crate::condition::ConditionError;
use crate::transform::Edits;

/// The reason that functions cannot be cloned.
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
    #[error("the module uses the SpecIds up to 4294967295: none is left for the clones of its functions")]
    NoSpecId,
    /// A function would have more clones than allowed.
    #[error(
        "{function} would need {count} clones, and no more than {limit} are allowed: the block %{block} (byte offset \
         {block_offset:#x}) runs only on some devices, and its {instruction} (byte offset {offset:#x}) requires {requirement}. \
         Allow more (`max_clones`), bind fewer constants, or move such blocks to functions of their own"
    )]
    TooMany {
        /// The function.
        function: String,
        /// The number of clones that it would have.
        count: usize,
        /// The number that is allowed.
        limit: usize,
        /// The label of the last block that adds clones.
        block: u32,
        /// The block's offset in bytes.
        block_offset: u64,
        /// The instruction in it, by its opcode.
        instruction: String,
        /// The instruction's offset in bytes.
        offset: u64,
        /// The conditional requirement of the instruction.
        requirement: String,
    },
}

/// A module with cloned functions.
#[derive(Clone, Debug)]
pub struct Cloned {
    /// The changes to the module.
    pub edits: Edits,
    /// The annotations of the changed module.
    pub annotated: Annotated,
    /// The values for the clones' own constants, by SpecId.
    pub set: Vec<(u32, u64)>,
}

/// Clones functions of a module; `None` without functions to clone.
///
/// # Errors
/// If a function needs more clones, or the module's conditional code is malformed. See [`CloningError`].
pub fn clone_functions(analyses: &Analyses, limit: CloneLimit) -> Result<Option<Cloned>, CloningError> {
    let (module, annotated, names) = (analyses.module(), analyses.annotated(), analyses.names());
    if annotated.spec_constants.is_empty() {
        return Ok(None);
    }
    let calls = analyses.calls()?;
    if calls.regions.is_empty() {
        return Ok(None);
    }
    let summaries = analyses.summaries()?;
    let plan = ClonePlan {
        module,
        names,
        flow: analyses.flow(),
        regions: &calls.regions,
        presence: analyses.presence()?,
        summaries,
        requirements: analyses.declared_requirements()?,
    };
    let functions = plan.functions(limit)?;
    if functions.is_empty() {
        return Ok(None);
    }
    let mut cloned = Cloned { edits: Edits::new(module), annotated: annotated.clone(), set: Vec::new() };
    copy::write(analyses, &functions, &mut cloned)?;
    Ok(Some(cloned))
}
