//! Reads a module and answers questions about it; changes nothing.

pub mod conditionals;
pub mod constants;
pub mod scalars;
