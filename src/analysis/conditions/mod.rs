//! Conditions in the module itself: in the names of functions, and in the constructs of SPV_INTEL_function_variants.

pub mod multi_target;
pub mod names;
