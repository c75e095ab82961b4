//! Transforms in a row: each is applied, and its result loaded for the next.

pub mod program;
mod resolve;
pub mod split;
#[cfg(test)]
mod tests;

pub use resolve::{Resolved, asked, has_conditional_calls, resolve};

use thiserror::Error;

use crate::analysis::Names;
use crate::loader::{LoadError, Module};
use crate::properties::PropertyError;
use crate::transform::expand::{ExpandError, expand};
use crate::transform::pack::{self, PackError, Packed};
use crate::transform::specialize::{Nothing, SpecializeError, specialize};
use crate::transform::variants::{VariantsError, vary};
use crate::writer::{WriteError, apply};

/// Why a recipe fails.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecipeError {
    /// Functions cannot be varied.
    #[error(transparent)]
    Variants(#[from] VariantsError),
    /// The variants of functions cannot be folded.
    #[error(transparent)]
    Specialize(#[from] SpecializeError),
    /// Annotations cannot be expanded.
    #[error(transparent)]
    Expand(#[from] ExpandError),
    /// The module cannot be packed.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// The properties beside the module are malformed.
    #[error(transparent)]
    Property(#[from] PropertyError),
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

/// How to pack.
#[derive(Clone, Debug)]
pub struct PackOptions {
    /// How the last step does it. What is annotated there is of the module before the first.
    pub pack: pack::Options,
    /// How many variants a function may have.
    pub max_clones: usize,
}

impl Default for PackOptions {
    fn default() -> PackOptions {
        PackOptions { pack: pack::Options::default(), max_clones: 8 }
    }
}

/// Packs a module, after bringing what is annotated to single calls: functions get variants where constants guard what is not
/// needed everywhere, and calls of functions with a condition become calls of one of several.
///
/// # Errors
/// See [`RecipeError`].
pub fn pack(module: &Module, options: &PackOptions) -> Result<PackedModule, RecipeError> {
    let PackOptions { pack: own, max_clones } = options;
    let Some(varied) = vary(module, &own.annotated, &own.exports, *max_clones)? else {
        return expand_and_pack(module, own);
    };
    let words = apply(module, &varied.edits)?;
    let module = Module::from_words(words)?;
    let specialized = specialize(&module, &Nothing, &varied.set, &Default::default())?;
    let words = apply(&module, &specialized.edits)?;
    let module = Module::from_words(words)?;
    expand_and_pack(&module, &pack::Options { annotated: varied.annotated, ..own.clone() })
}

fn expand_and_pack(module: &Module, options: &pack::Options) -> Result<PackedModule, RecipeError> {
    let Some(expanded) = expand(module, &options.annotated, &options.exports)? else {
        return pack_alone(module, options);
    };
    let words = apply(module, &expanded.edits)?;
    let options = pack::Options { annotated: expanded.annotated, ..options.clone() };
    let mut packed = pack_alone(&Module::from_words(words)?, &options)?;
    let names = (!expanded.uncalled.is_empty()).then(|| Names::new(module));
    let uncalled = names.iter().flat_map(|names| expanded.uncalled.iter().map(|&id| names.display(id)));
    packed.packed.summary.warnings.extend(uncalled.map(pack::Warning::NeverCalled));
    Ok(packed)
}

fn pack_alone(module: &Module, options: &pack::Options) -> Result<PackedModule, RecipeError> {
    let packed = pack::pack(module, options)?;
    Ok(PackedModule { words: apply(module, &packed.edits)?, packed })
}
