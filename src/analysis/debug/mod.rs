//! Names, debug information, and the places in source files that instructions come from.

pub mod information;
pub mod locations;
pub mod names;
