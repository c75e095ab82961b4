//! Files beside a module: property sets.
//!
//! Modules that this library makes carry their property sets, so most users never see one. Runtimes of SYCL read them from files beside an
//! image: [`PropertySets::to_text`] and [`PropertySets::parse`] are the text of such a file (`spec-extensions/property-sets.md`).
//!
//! ```
//! use spirv_if::property_sets::{Property, PropertySet, PropertySets};
//! let mut set = PropertySet::new("SYCL/device requirements");
//! set.push("aspects", Property::from_u32s(&[5, 6]));
//! let mut sets = PropertySets::default();
//! sets.put(set);
//! assert_eq!(PropertySets::parse("image.prop", &sets.to_text())?, sets);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use crate::metadata::property_sets::{Property, PropertyError, PropertyNames, PropertySet, PropertySets};
