//! Restoring the form of a variant in a specialized merged module.

use super::{ModuleBuffer, PipelineError};
use crate::condition::{Expr, Leaf, Truth, evaluate};
use crate::loader::Module;
use crate::metadata::property_sets::Variants;
use crate::transform::restore::restore;
use crate::transform::version::buffer_blocks::to_buffer_blocks;
use crate::writer::apply;

/// Returns a specialized merged module in the form of its variant: with the variant's version, and without the notes of other variants.
/// `merged` is the module before specialization; `truth` has the values of leaves.
///
/// # Errors
/// If a condition is malformed, or the result has too many ids.
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
