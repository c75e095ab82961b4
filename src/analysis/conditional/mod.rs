//! Code under conditions: conditional calls, guarded regions, and the conditions that a module already has.

pub mod annotated_calls;
pub mod calls;
pub mod error;
pub mod existing_conditions;
pub mod guarded_regions;
pub mod movable;
pub mod preparation;
pub mod wrapper;
