//! The aspects that functions declare.

use std::collections::BTreeSet;

use thiserror::Error;

use super::properties::{SyclProperties, SyclProperty, USED_ASPECTS};
use crate::analysis::debug::names::Names;
use crate::analysis::requirements::aspect_sources::AspectSources;
use crate::collections::IdMap;
use crate::loader::Module;

/// The property by which DPC++ writes the aspects of `device_has`.
pub const DEVICE_HAS: &str = "sycl-device-has";

/// Declared aspects that cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum AspectError {
    /// A property that lists aspects is not a list of numbers.
    #[error(
        "{holder} (byte offset {offset:#x}): `{value}` in its property `{property}` is not the number of an aspect"
    )]
    Property {
        /// The decorated function or type.
        holder: String,
        /// The property.
        property: &'static str,
        /// The item that is not a number.
        value: String,
        /// The byte offset of the decoration.
        offset: u64,
    },
}

/// Returns the aspects in properties of one name.
fn aspects_in_lists(
    names: &Names,
    holder: u32,
    property: &'static str,
    properties: &[SyclProperty],
) -> Result<BTreeSet<u32>, AspectError> {
    let mut aspects = BTreeSet::new();
    for listed in properties {
        aspects.extend(listed.numbers().map_err(|value| AspectError::Property {
            holder: match names.module().is_function(holder) {
                true => format!("function '{}'", names.function_name(holder).short()),
                false => names.display(holder),
            },
            property,
            value: value.to_owned(),
            offset: u64::from(listed.offset) * 4,
        })?);
    }
    Ok(aspects)
}

/// Returns the aspects that functions and structure types use, by their property [`USED_ASPECTS`]. A property of a member is one of its type.
///
/// # Errors
/// If one lists anything but numbers.
pub fn used_by_property(
    names: &Names,
    properties: &SyclProperties,
) -> Result<IdMap<BTreeSet<u32>>, AspectError> {
    let module = names.module();
    let used = properties.of_functions(module, USED_ASPECTS).into_iter();
    let used = used.chain(properties.of_structures(module, USED_ASPECTS));
    let mut aspects = IdMap::new();
    for (holder, lists) in used {
        aspects.insert(holder, aspects_in_lists(names, holder, USED_ASPECTS, &lists)?);
    }
    Ok(aspects)
}

/// The aspects that functions declare, with `[[sycl::device_has()]]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeclaredAspects {
    functions: IdMap<BTreeSet<u32>>,
}

impl DeclaredAspects {
    /// Reads the properties of functions, and adds the aspects that `sources` declare.
    ///
    /// # Errors
    /// If a decoration lists anything but numbers.
    pub fn read(
        module: &Module,
        names: &Names,
        properties: &SyclProperties,
        sources: &AspectSources,
    ) -> Result<DeclaredAspects, AspectError> {
        tally!("declared aspects", module, sources);
        let mut functions = sources.declared.clone();
        for (function, lists) in properties.of_functions(module, DEVICE_HAS) {
            functions
                .entry(function)
                .or_default()
                .extend(aspects_in_lists(names, function, DEVICE_HAS, &lists)?);
        }
        Ok(DeclaredAspects { functions })
    }

    /// Returns the aspects that a function declares; `None` if it has no declaration, so may require any.
    pub fn aspects(&self, function: u32) -> Option<&BTreeSet<u32>> {
        self.functions.get(&function)
    }

    /// Returns true if no function declares any.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// Returns the functions that declare aspects, by ascending id.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &BTreeSet<u32>)> {
        self.functions.iter().map(|(&function, declared)| (function, declared))
    }
}
