//! Conditions in the module itself: in the names of functions, in the constructs of SPV_INTEL_function_variants, and in tables of
//! predicates.

pub mod device_constants;
pub mod multi_target;
pub mod names;
pub mod predicates;
