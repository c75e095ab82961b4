//! Code under conditions: conditional calls, guarded regions, and the conditions that a module already has.

pub mod annotated_calls;
pub mod callers;
pub mod calls;
pub mod effects;
pub mod error;
pub mod existing_conditions;
pub mod find_calls;
pub mod guarded_regions;
pub mod movable;
pub mod own_actions;
pub mod preparation;
pub mod wrapper;
