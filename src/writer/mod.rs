//! What goes to files: modules, and what stands beside them.

pub mod property_sets;
