//! Entry points: their interfaces, sizes and initializers.

pub mod initializers;
pub mod interface;
pub mod sizes;
