//! The aspects that functions declare.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use super::properties;
use crate::analysis::debug::names::Names;
use crate::analysis::requirements::aspect_sources::AspectSources;
use crate::loader::Module;

/// The property by which DPC++ writes the aspects of `device_has`.
pub const DEVICE_HAS: &str = "sycl-device-has";

/// Declared aspects that cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum AspectError {
    /// The property is not a list of numbers.
    #[error(
        "function '{function}' (byte offset {offset:#x}): `{value}` in its property `sycl-device-has` is not the number of \
         an aspect"
    )]
    DeviceHas {
        /// The decorated function.
        function: String,
        /// The item that is not a number.
        value: String,
        /// The byte offset of the decoration.
        offset: u64,
    },
}

/// The aspects that functions declare, with `[[sycl::device_has()]]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeclaredAspects {
    functions: BTreeMap<u32, BTreeSet<u32>>,
}

impl DeclaredAspects {
    /// Reads the decorations of functions, and adds the aspects that `sources` declare.
    ///
    /// # Errors
    /// If a decoration lists anything but numbers.
    pub fn read(
        module: &Module,
        names: &Names,
        sources: &AspectSources,
    ) -> Result<DeclaredAspects, AspectError> {
        #[cfg(test)]
        crate::tests::tally::note("declared aspects", module, sources);
        let mut functions = sources.declared.clone();
        for (function, properties) in properties::of_functions(module, DEVICE_HAS) {
            let declared = functions.entry(function).or_default();
            for property in &properties {
                declared.extend(property.numbers().map_err(|value| AspectError::DeviceHas {
                    function: names.function_name(function).short().into_owned(),
                    value: value.to_owned(),
                    offset: u64::from(property.offset) * 4,
                })?);
            }
        }
        Ok(DeclaredAspects { functions })
    }

    /// The aspects that a function declares; `None` if it has no declaration, so may require any.
    pub fn of(&self, function: u32) -> Option<&BTreeSet<u32>> {
        self.functions.get(&function)
    }

    /// True if no function declares any.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// The functions that declare aspects, by ascending id.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &BTreeSet<u32>)> {
        self.functions.iter().map(|(&function, declared)| (function, declared))
    }
}
