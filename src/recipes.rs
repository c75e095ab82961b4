//! Transforms in a row: each is applied, and its result loaded for the next.

use thiserror::Error;

use crate::loader::{LoadError, Module};
use crate::transform::expand::{ExpandError, expand};
use crate::transform::pack::{self, PackError, Packed};
use crate::writer::{WriteError, apply};

/// Why a recipe fails.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecipeError {
    /// Annotations cannot be expanded.
    #[error(transparent)]
    Expand(#[from] ExpandError),
    /// The module cannot be packed.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// A step has no room for its ids.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The module is invalid, and what a step makes of it does not load.
    #[error("the module is invalid: what becomes of it does not load")]
    Load(#[from] LoadError),
}

/// A packed module.
#[derive(Clone, Debug)]
pub struct PackedModule {
    /// Its words, in the host's byte order.
    pub words: Vec<u32>,
    /// What packing found. Its edits are those of the last step.
    pub packed: Packed,
}

/// Packs a module of which annotations are known ([`pack::Options::annotated`]).
///
/// # Errors
/// See [`RecipeError`].
pub fn pack(module: &Module, options: &pack::Options) -> Result<PackedModule, RecipeError> {
    let Some(expanded) = expand(module, &options.annotated, &options.exports)? else {
        return finish(module, options);
    };
    let words = apply(module, &expanded.edits)?;
    finish(&Module::from_words(words)?, &pack::Options { annotated: expanded.annotated, ..options.clone() })
}

fn finish(module: &Module, options: &pack::Options) -> Result<PackedModule, RecipeError> {
    let packed = pack::pack(module, options)?;
    Ok(PackedModule { words: apply(module, &packed.edits)?, packed })
}
