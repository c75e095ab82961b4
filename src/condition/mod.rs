//! Conditions: Boolean functions of the properties of a device.
//!
//! A condition has three forms. Text is for people. A series of integers is the ABI of the property sets.
//! Specialization-constant expressions are created by other layers. This module has the first two forms, and
//! an expression tree ([`Expr`]) that both are parsed into. In the arena ([`Conditions`]) equal conditions
//! have the same id. It produces the canonical form, which docs/design/device-if.md, "Normalization of
//! condition expressions" leaves open. `spec-extensions/conditions.md` defines all of it.
//!
//! This folder does not depend on SPIR-V or on devices. Leaves are names, or numbers whose tables the caller
//! provides ([`LeafNames`]).

mod bdd;
mod canonical;
mod driver_version;
mod error;
mod expr;
mod limit;
mod names;
mod series;
mod text;

#[cfg(test)]
mod tests;

#[cfg(test)]
pub use bdd::Architectures;
pub use bdd::{ConditionId, Conditions, ConditionsById, Truth, evaluate};
pub use driver_version::{number_of_parts, parse_version, version_text};
pub use error::ConditionError;
pub use expr::{COMPARISONS, Expr, Leaf, LeafKind, MAX_DEPTH, MAX_NODES};
pub use limit::{DEVICE, DRIVER, Limit, number_text, parse_number};
pub use names::{FeatureName, Name, Numbers};
pub use series::conjunction;
pub use text::LeafNames;
