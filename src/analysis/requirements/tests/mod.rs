//! What needs a capability: every rule of `spec-extensions/capability-rules.csv`, what comes from the grammar, and what is not
//! known, judged by `trim` and by spirv-val.

mod added;
mod cases;
mod declarations;
mod families;
mod indices;
mod rules;
mod subject;
mod unknown;
