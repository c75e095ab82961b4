//! Names, debug information, and the source locations of instructions.

pub mod information;
pub mod locations;
pub mod names;
