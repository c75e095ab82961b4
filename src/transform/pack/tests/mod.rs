//! `pack` on modules in text and on the fixtures.

mod added;
mod annotated;
mod caller_names;
mod conditional_calls;
mod cut;
mod fixtures;
mod gates;
mod leaves;
mod multi_target;
mod packed;
mod properties;
mod rules;
