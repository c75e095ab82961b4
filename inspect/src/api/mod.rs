pub mod findings;
pub mod inspect;
mod trials;
mod vulkan;
