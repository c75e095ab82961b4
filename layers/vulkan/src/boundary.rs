//! The border between Vulkan and Rust: no panic crosses it.

use crate::messages::LAYER;

/// Calls the body of a function of Vulkan. If it panics, the application gets this result.
pub fn guarded<R>(function: &str, result: R, body: impl FnOnce() -> R) -> R {
    spirv_if_layer_common::guarded(LAYER, function, result, body)
}
