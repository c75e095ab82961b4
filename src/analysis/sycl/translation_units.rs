//! Which translation units functions come from.

use std::collections::BTreeMap;

use super::properties;
use crate::analysis::annotated::Annotated;
use crate::loader::Module;

/// The property by which DPC++ names the translation unit of a function.
const MODULE_ID: &str = "sycl-module-id";

/// The translation units of functions, as far as the annotations or else their decorations name them.
pub fn sources(module: &Module, annotated: &Annotated) -> BTreeMap<u32, String> {
    #[cfg(test)]
    crate::tests::tally::note("sources", module, annotated);
    let mut sources = BTreeMap::new();
    for (function, properties) in properties::of_functions(module, MODULE_ID) {
        if let Some(property) = properties.first() {
            sources.insert(function, property.values.join(","));
        }
    }
    sources.extend(annotated.sources.iter().map(|(&function, source)| (function, source.clone())));
    sources
}
