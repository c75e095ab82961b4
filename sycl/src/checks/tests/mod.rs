//! Tests of aspects and sizes, and of the warnings of `check`.

mod callers;
mod sizes;
mod warnings;
