//! Metadata that SYCL compilers attach to functions and variables. This module reads the translation units of
//! functions.

pub mod declared_aspects;
pub mod properties;
#[cfg(test)]
mod tests;

use super::annotated::Annotated;
use crate::collections::IdMap;
use crate::loader::Module;
use properties::SyclProperties;

/// The property by which DPC++ names the translation unit of a function.
const MODULE_ID: &str = "sycl-module-id";

/// Returns the translation units of functions, as far as the annotations or else their properties name them.
pub fn translation_units(
    module: &Module,
    properties: &SyclProperties,
    annotated: &Annotated,
) -> IdMap<String> {
    tally!("translation units", module, annotated);
    let mut units = IdMap::new();
    for (function, properties) in properties.of_functions(module, MODULE_ID) {
        if let Some(property) = properties.first() {
            units.insert(function, property.values.join(","));
        }
    }
    units.extend(annotated.sources.iter().map(|(&function, source)| (function, source.clone())));
    units
}
