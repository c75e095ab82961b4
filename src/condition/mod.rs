//! Conditions: Boolean functions of what a device has.
//!
//! A condition has three forms: text, for people; as a series of integers, which is the ABI of the property sets; and as
//! specialization-constant expressions, which other layers make. This module has the first two, an expression tree
//! ([`Expr`]) that both are parsed into, and an arena ([`Conditions`]) in which equal conditions are the same handle. From
//! that comes the canonical form, which docs/design/device-if.md, "Normalization of condition expressions" leaves open.
//! `spec-extensions/conditions.md` states all of it.
//!
//! Nothing here depends on SPIR-V or on devices: leaves are numbers, of which the caller has the tables ([`LeafNames`]), or names.

mod bdd;
mod canonical;
mod error;
mod expr;
mod names;
mod series;
mod text;

#[cfg(test)]
mod tests;

#[cfg(test)]
pub use bdd::Architectures;
pub use bdd::{Condition, Conditions, ConditionsById, Truth, evaluate};
pub use error::ConditionError;
pub use expr::{COMPARISONS, Expr, Leaf, LeafKind, MAX_DEPTH, MAX_NODES};
pub use names::{FeatureName, Name, Numbers};
pub use series::conjunction;
pub use text::LeafNames;
