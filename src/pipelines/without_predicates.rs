//! In place of `predicates`, without the features `inspect` and `pack`: modules with tables of predicates are refused.

use super::{ModuleBuffer, PipelineError};
use crate::analysis::conditions::predicates::may_have_tables;
use crate::analysis::{Analyses, AnalysisError};
use crate::loader::Module;
use crate::transform::predicates::MergedTables;

/// Returns that no module must change before they are merged.
///
/// # Errors
/// If one has a table of predicates.
pub fn united(
    modules: &[(&str, &Module)],
    _: MergedTables,
) -> Result<Vec<Option<Module<'static>>>, PipelineError> {
    if modules.iter().any(|(_, module)| may_have_tables(module)) {
        return Err(AnalysisError::NotPacked.into());
    }
    Ok(modules.iter().map(|_| None).collect())
}

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
