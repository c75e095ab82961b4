//! Statistics of the compilers that drivers have: the time, the size of the code, registers.
//!
//! A driver is asked in a process of its own ([`DriverProcess`]), which runs [`serve`]: one that crashes or hangs is an answer. [`Ocloc`] asks Intel's
//! compiler for kernels, which needs no GPU.

mod companions;
#[expect(unsafe_code, reason = "Vulkan's calls are unsafe")]
mod layout;
mod ocloc;
mod pipeline_stages;
#[expect(unsafe_code, reason = "Vulkan's calls are unsafe")]
mod pipelines;
mod process;
mod slots;
mod stage_writer;
#[expect(unsafe_code, reason = "Vulkan's calls are unsafe")]
mod vulkan;

pub use ocloc::Ocloc;
pub use process::{DriverProcess, serve};
