//! The files beside a module: annotations, property sets and the strings that carry them inside a module, tables of files,
//! symbols.

pub mod annotations;
pub mod property_sets;
pub mod tables;
