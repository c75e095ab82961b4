//! The images of a module under inspection, in a library without splitting.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::analysis::Analyses;
use crate::compatibility::ModuleDeclarations;
use crate::metadata::property_sets::PropertySets;

/// Returns no images: splitting is not in this library.
pub(super) fn declarations_by_root(
    _: &Arc<Analyses>,
    _: &PropertySets,
) -> BTreeMap<(u32, Option<u32>), ModuleDeclarations> {
    BTreeMap::new()
}
