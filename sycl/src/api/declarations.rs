//! The images that splitting makes of the entry points of a module under inspection.

use std::borrow::Cow;
use std::sync::Arc;

use crate::images::{SplitInput, SplitMode, SplitOptions, split};
use spirv_if::engine::analysis::Analyses;
use spirv_if::engine::collections::OrderedMap;
use spirv_if::engine::compatibility::ModuleDeclarations;
use spirv_if::property_sets::PropertySets;

/// Returns the declarations of the image of each entry point and exported function, on a device for which the image is
/// specialized. `properties` have the meaning of constants. A module that cannot be split has no images.
pub fn declarations_by_root(
    analyses: &Arc<Analyses>,
    properties: &PropertySets,
) -> OrderedMap<(u32, Option<u32>), ModuleDeclarations> {
    let options = SplitOptions::new().mode(SplitMode::Kernel);
    let split = split(Arc::clone(analyses), Cow::Owned(properties.clone()), SplitInput::default(), options);
    split.and_then(|split| split.declarations_by_root()).unwrap_or_default()
}
