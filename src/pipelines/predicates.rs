//! Tables of predicates of modules that are merged, or of parts of a module.

use std::collections::BTreeSet;

use thiserror::Error;

use super::error::kinds_of_errors;
use super::{ModuleBuffer, ModuleErrorKind, PipelineError};
use crate::analysis::conditions::predicates::{PredicateError, may_have_tables};
use crate::analysis::{Analyses, AnalysisError};
use crate::loader::Module;
use crate::transform::predicates::{MergedTables, prune, remove_leftovers, unite};
use crate::writer::apply;

/// A table of predicates of one of several modules cannot be read.
#[derive(Debug, Error)]
#[error("{file}: {error}")]
struct UnreadablePredicates {
    file: String,
    error: PredicateError,
}

kinds_of_errors! {
    UnreadablePredicates => module(ModuleErrorKind::ConditionalCode),
}

/// Returns the modules that must change before they are merged; `None` for the others.
///
/// # Errors
/// If a table of predicates is malformed.
pub fn united(
    modules: &[(&str, &Module)],
    tables: MergedTables,
) -> Result<Vec<Option<Module<'static>>>, PipelineError> {
    let edits = unite(modules.iter().map(|&(_, module)| module), tables);
    let edits =
        edits.map_err(|(at, error)| UnreadablePredicates { file: modules[at].0.to_owned(), error })?;
    let changed = modules.iter().zip(edits).map(|(&(_, module), edits)| match edits {
        Some(edits) => Ok(Some(Module::from_words(apply(module, &edits)?)?)),
        None => Ok(None),
    });
    changed.collect()
}

/// Returns the words of a part of a module. Its tables of predicates name only constants of the part.
///
/// # Errors
/// If a table is malformed.
pub fn of_part(whole: &Module, words: Vec<u32>) -> Result<Vec<u32>, PipelineError> {
    if !may_have_tables(whole) {
        return Ok(words);
    }
    let module = Module::from_words(&words[..])?;
    Ok(apply(&module, &prune(&module).map_err(AnalysisError::from)?)?)
}

/// Returns a result without the decided predicates in the tables of its module.
///
/// # Errors
/// If a table is malformed.
pub fn pruned<'m>(analyses: &Analyses, words: ModuleBuffer<'m>) -> Result<ModuleBuffer<'m>, PipelineError> {
    let tables = analyses.predicates()?;
    if tables.is_empty() {
        return Ok(words);
    }
    let predicates: BTreeSet<u32> =
        tables.iter().flat_map(|table| &table.predicates).map(|predicates| predicates.spec_id).collect();
    let constants =
        || analyses.spec_constants().iter().filter(|constant| predicates.contains(&constant.spec_id));
    words.changed(&mut |module| {
        let mut edits = prune(module).map_err(AnalysisError::from)?;
        remove_leftovers(module, constants().map(|constant| constant.id), &mut edits);
        Ok(edits)
    })
}
