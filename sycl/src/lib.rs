//! Tools for SYCL's compilers and runtimes on SPIR-V modules, in addition to those that `spirv-if` has for any module.
//!
//! | module | for |
//! |---|---|
//! | [`mod@check`] | the warnings of a compiler: aspects that code uses without listing them, and features missing on fixed targets |
//! | [`split`] | images for some of the entry points of a module, add-on images, and both for the targets of a program |
//! | [`program`] | loading images, as a SYCL runtime does |
//! | [`tables`] | tables of the files of images, which compilers and linkers exchange |

#![cfg_attr(doctest, doc = include_str!("../README.md"))]
// The engine is hidden: its documentation is for those who read the code.
#![allow(rustdoc::private_intra_doc_links)]

mod add_on;
mod api;
mod checks;
mod declare;
mod image_compatibility;
mod images;
mod runtime;
pub mod tables;
#[cfg(test)]
#[path = "../../src/test_support/mod.rs"]
mod test_support;
#[cfg(test)]
mod tests;
mod unit_names;

/// Parts that the packages of this project use beside the public API. No promise is made for it.
#[doc(hidden)]
pub mod engine {
    pub use crate::api::declarations::declarations_by_root;
    pub use crate::checks::{CheckTargets, check};
    pub use crate::images::{SplitImage, SplitInput, SplitPlan, Traits, split};
}

pub use api::{check, program, split};
