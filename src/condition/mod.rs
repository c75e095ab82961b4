//! Conditions: Boolean functions of what a device has.
//!
//! One condition has three writings. As text, for people; as a series of integers, which is the ABI of the property
//! sets; and as specialization-constant expressions, which other layers make. Here are the first two, an expression
//! tree ([`Expr`]) that both are read into, and an arena ([`Conditions`]) in which equal conditions are the same
//! handle. From that comes the canonical form, which fills the TODO of the seed's section "Normalization of condition
//! expressions". `spec-extensions/conditions.md` states all of it.
//!
//! Nothing here knows SPIR-V or any device: leaves are numbers, and whoever has the tables gives their [`LeafNames`].

mod bdd;
mod canonical;
mod error;
mod expr;
mod series;
mod text;

#[cfg(test)]
mod tests;

#[cfg(test)]
pub use bdd::Architectures;
pub use bdd::{Condition, Conditions, Truth, evaluate};
pub use error::ConditionError;
pub use expr::{Expr, Leaf, LeafKind, MAX_DEPTH, MAX_NODES};
pub use text::LeafNames;
