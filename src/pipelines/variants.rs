//! A merged module that was specialized, in the form of the variant that it is.

use super::{ModuleBuffer, PipelineError};
use crate::condition::{Expr, Leaf, Truth, evaluate};
use crate::loader::Module;
use crate::metadata::property_sets::Variants;
use crate::transform::restore::restore;
use crate::transform::version::buffer_blocks::to_buffer_blocks;
use crate::writer::apply;

/// Returns a module that was specialized in the form of the variant that it is: of its version, and without the notes of others. `merged` is the
/// module that was specialized; `truth` are the values of leaves.
///
/// # Errors
/// If a condition cannot be understood, or the result has too many ids.
pub fn as_variant<'w>(
    merged: &Module,
    words: ModuleBuffer<'w>,
    variants: &Variants,
    truth: &dyn Fn(Leaf) -> Option<bool>,
) -> Result<ModuleBuffer<'w>, PipelineError> {
    let mut chosen = None;
    for variant in &variants.all {
        let holds = match &variant.condition {
            Some(series) => evaluate(&Expr::from_series(series)?, truth)? == Truth::True,
            None => true,
        };
        if holds && chosen.replace(variant).is_some() {
            return Ok(words);
        }
    }
    let Some(form) = chosen else { return Ok(words) };
    let module = Module::from_words(words.whole())?;
    let edits = restore(merged, &module, variants.notes, form);
    let mut restored = apply(&module, &edits)?;
    restored[1] = form.version;
    if form.buffer_blocks {
        restored = to_buffer_blocks(&Module::from_words(restored)?);
    }
    Ok(restored.into())
}
