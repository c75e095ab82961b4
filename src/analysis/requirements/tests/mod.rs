//! Requirements on capabilities: every rule of `spec-extensions/capability-rules.csv`, those of the grammar, and unknown
//! instructions, judged by `trim` and by spirv-val.

mod added;
mod cases;
mod declarations;
mod families;
mod indices;
mod nested_types;
mod newer;
mod rules;
mod subject;
mod unknown;
