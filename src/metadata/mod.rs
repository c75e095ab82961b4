//! The files beside a module: annotations, manifests, property sets and the strings that carry them inside a module.

pub mod annotations;
pub mod manifest;
pub mod property_sets;
