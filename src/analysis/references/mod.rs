//! The reference graph, and what follows from it: presence conditions, requirement summaries, call paths.

pub mod call_graph;
pub mod call_paths;
pub mod conditional;
pub mod declaration_uses;
pub mod graph;
pub mod mode_types;
pub mod presence;
pub mod summaries;
pub mod use_counts;
