//! In place of `predicates`, without the features `inspect`, `link` and `pack`: modules with tables of predicates are refused.

use super::{ModuleBuffer, PipelineError};
use crate::analysis::Analyses;
use crate::loader::Module;

/// Returns the words of a part of a module unchanged.
///
/// # Errors
/// None: a module with tables has no parts.
pub fn of_part(_: &Module, words: Vec<u32>) -> Result<Vec<u32>, PipelineError> {
    Ok(words)
}

/// Returns a result unchanged.
///
/// # Errors
/// If the module has a table of predicates.
pub fn pruned<'m>(analyses: &Analyses, words: ModuleBuffer<'m>) -> Result<ModuleBuffer<'m>, PipelineError> {
    analyses.predicates()?;
    Ok(words)
}
