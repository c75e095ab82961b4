//! Replacement of the property sets that a module carries.

use super::Edits;
use crate::loader::Module;
use crate::sidecar::property_sets::{PropertyError, PropertySets, carried};

/// Replaces the property sets that a module carries; `None` removes them.
///
/// # Errors
/// If they cannot be written into a module.
pub fn carry(module: &Module, sets: Option<&PropertySets>, edits: &mut Edits) -> Result<(), PropertyError> {
    let words = sets.map_or(Ok(Vec::new()), |sets| carried::write(sets, module))?;
    let mut before = carried::strings(module);
    match before.next() {
        Some(first) => edits.replace_words(&first, &words),
        None if !words.is_empty() => edits.insert_words(carried::offset(module), &words),
        None => {}
    }
    before.for_each(|inst| edits.drop(&inst));
    Ok(())
}
