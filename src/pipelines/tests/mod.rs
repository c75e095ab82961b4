//! Different ways to one module.

mod annotations;
mod carried;
mod resolve;
pub mod ways;
