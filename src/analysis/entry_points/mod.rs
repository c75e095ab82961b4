//! Entry points: their interfaces and sizes.

pub mod interface;
pub mod sizes;
