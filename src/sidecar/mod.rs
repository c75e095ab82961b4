//! The files that lie beside a module: annotations, property sets and what carries them inside a module, tables of files, symbols.

pub mod annotations;
pub mod property_sets;
pub mod tables;
