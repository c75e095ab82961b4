//! Independent parts of a module: some of its roots, with the definitions that they use (docs/design/optional-kernel-features.md, "Changes to the
//! device code split algorithm").
//!
//! The references of the module are read once ([`SplitGraph`]). A part is then assembled from its instructions, without a scan of the others. The
//! cost of many parts of a large module is little more than their size.

mod extended_instructions;
mod graph;
mod part;
mod roots;

pub use graph::SplitGraph;
pub use part::SplitPart;
pub use roots::{SplitRoot, roots, state};
