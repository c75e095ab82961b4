//! Files beside a module: property sets, and tables of images.
//!
//! Modules that this library makes carry their property sets, so most users never see one. Runtimes of SYCL read them from files beside an
//! image: [`PropertySets::to_text`] and [`PropertySets::parse`] are the text of such a file (`spec-extensions/property-sets.md`), and a
//! [`FileTable`] lists the files of images.
//!
//! ```
//! use spirv_if::property_sets::{FileTable, Property, PropertySet, PropertySets};
//! let mut set = PropertySet::new("SYCL/device requirements");
//! set.push("aspects", Property::from_u32s(&[5, 6]));
//! let mut sets = PropertySets::default();
//! sets.put(set);
//! assert_eq!(PropertySets::parse("image.prop", &sets.to_text())?, sets);
//!
//! let mut table = FileTable::new(&[FileTable::CODE, FileTable::PROPERTIES])?;
//! table.push(vec!["image.spv".to_owned(), "image.prop".to_owned()])?;
//! assert_eq!(table.to_text(), "[Code|Properties]\nimage.spv|image.prop\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use crate::metadata::property_sets::{Property, PropertyError, PropertyNames, PropertySet, PropertySets};
pub use crate::metadata::tables::{FileTable, TableError};
