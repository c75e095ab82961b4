//! One SPIR-V module for every device.
//!
//! A module that mentions `double` once cannot be loaded by a device without it, even if that code never runs there. This library
//! makes what only some devices need conditional, so that every device can load the module ([`pack`]), and cuts it down
//! for the device at hand ([`Prepared::specialize`]), in a fraction of the time that a driver takes to load it. The program
//! `spirv-if` does the same by the same calls.
//!
//! # When a program is built: pack
//!
//! In a build script, or wherever shaders are compiled: the compiler's module goes in, one module for every device comes out.
//!
//! ```
//! # let folder = std::env::temp_dir();
//! use spirv_if::{Module, PackOptions};
//! let compiled = std::fs::read("fixtures/glsl/reduce.spv")?;
//! let packed = spirv_if::pack(&Module::from_bytes(&compiled)?, &PackOptions::default())?;
//! for (constant, condition) in &packed.summary.set_by_host {
//!     println!("SpecId {constant} is for devices where {condition}");
//! }
//! let bytes: Vec<u8> = packed.words.iter().flat_map(|word| word.to_le_bytes()).collect();
//! std::fs::write(folder.join("reduce.spv"), bytes)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What is conditional is said in the source (`include/spirv_if` has headers for GLSL, HLSL, Slang, OpenCL and SYCL), or in an
//! annotations file beside it ([`Module::with_annotations`]). The module carries what its specialization constants
//! stand for and what it requires of a device, so it needs no other file at load time.
//!
//! # When it runs: specialize
//!
//! [`Prepared`] sets a module up once. Each device then gets a plain module, which a driver can load that knows nothing of
//! conditional code.
//!
//! ```
//! use spirv_if::{Device, Module, Prepared, Settings};
//! # let bytes = std::fs::read("fixtures/glsl/reduce.spv")?;
//! # let packed = spirv_if::pack(&Module::from_bytes(&bytes)?, &Default::default())?.words;
//! let module = Module::from_words(&packed)?;
//! let prepared = Prepared::new(&module)?;
//! let device = Device::embedded("intel_gpu_pvc")?;
//! let run = prepared.specialize(&device, &Settings::new())?;
//! assert!(run.report.undecided.is_empty() && run.words.len() < packed.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Devices come from a table ([`Device::embedded`]), from a file ([`DeviceConfig::from_yaml`]), part by part
//! ([`DeviceParts`]), from what other tools write ([`DeviceReport::from_json`]), and, with the feature `probe`, from the drivers of
//! the machine ([`probe`]).
//!
//! # Where it cannot run: refuse
//!
//! Nothing comes out half decided, and nothing that the device is known not to run, unless [`Settings::unset`] asks for it.
//!
//! ```
//! use spirv_if::{Device, Error, Missing, Module, Prepared, Settings};
//! let bytes = std::fs::read("fixtures/opencl/plain.spv")?; // computes with doubles on every device
//! let module = Module::from_bytes(&bytes)?;
//! let device = Device::embedded("intel_gpu_acm_g10")?;
//! match Prepared::new(&module)?.specialize(&device, &Settings::new()) {
//!     Err(Error::Refused(refused)) => {
//!         assert!(refused.missing.iter().any(|missing| matches!(missing, Missing::Aspect(_))));
//!         println!("{refused}"); // does not run on intel_gpu_acm_g10: it uses the optional feature of aspect `fp64`, ...
//!     }
//!     Err(Error::Undecided(undecided)) => println!("{undecided}"), // names the constants that nothing settles
//!     other => panic!("{other:?}"),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # And more
//!
//! [`inspect`] tells what each entry point needs, why, and which devices run it; [`check`] warns of what code uses and does
//! not declare; [`trim`] removes declarations that nothing needs; [`split`] makes images of a module, [`link`] one module of
//! several, and both together, for many targets, are what a SYCL compiler does after its front end.
//!
//! # Features
//!
//! `cli` is the program, and `probe` asks the drivers of the machine; both are on by default. Users of the library take
//! `default-features = false`: it builds for `wasm32-unknown-unknown` too.

mod analysis;
mod check;
mod compatibility;
mod condition;
mod device;
mod facade;
mod inspection;
mod loader;
mod pipelines;
mod report;
mod sidecar;
#[cfg(test)]
mod test_support;
#[cfg(test)]
mod tests;
mod text;
mod transform;
mod writer;

pub use facade::*;
