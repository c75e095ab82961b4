//! Tests of `specialize` on modules in text: one per rule of the extension, and of this project's reading of it.

mod composites;
mod conditions;
mod continued;
mod debug;
mod declarations;
mod random;
pub mod support;
mod sweep;
