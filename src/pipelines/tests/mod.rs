//! Different ways to one module.

mod annotations;
mod resolve;
