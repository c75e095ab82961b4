//! `pack` on modules in text and on the fixtures.

mod added;
mod annotated;
mod caller_names;
mod conditional_calls;
mod cut;
mod fixtures;
mod leaves;
mod multi_target;
mod packed;
mod presence;
mod properties;
mod rules;
