//! Aspects and sizes, and what `check` says of them.

mod aspects;
mod sizes;
mod warnings;
