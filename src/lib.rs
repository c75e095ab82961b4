//! One SPIR-V module for every device.
//!
//! A module that uses `double` once cannot be loaded by a device without it, even if that code never runs there. This library makes
//! code for some devices only conditional, so that every device can load the module ([`pack`]), and specializes it for the device
//! at hand ([`Prepared::specialize`]), in a fraction of the time that a driver takes to load it. The program `spirv-if` uses the same
//! calls.
//!
//! # When a program is built: pack
//!
//! In a build script, or wherever shaders are compiled, turn the compiler's module into one module for every device.
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
//! Conditions are in the source (`include/spirv_if` in the repository has headers for GLSL, HLSL, Slang, OpenCL and SYCL), or in an
//! annotations file beside it ([`Module::with_annotations`]). The module carries the conditions of its specialization constants and its
//! device requirements, so it needs no other file at load time.
//!
//! # When it runs: specialize
//!
//! [`Prepared`] analyses a module once. Each device then gets a plain module, which a driver without support for conditional code can
//! load.
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
//! Devices come from a table ([`Device::embedded`]), from a file ([`DeviceConfig::from_yaml`]), feature by feature
//! ([`DeviceParts`]), from reports of other tools ([`DeviceReport::from_json`]), and, with the feature `probe`, from the drivers of
//! the machine ([`probe`]).
//!
//! # When it cannot run: refuse
//!
//! A module that the device is known not to run is an error, and so is one that would stay conditional, unless [`Settings::unset`] allows it.
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
//!     Err(Error::Undecided(undecided)) => println!("{undecided}"), // names the constants without a value
//!     other => panic!("{other:?}"),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # And more
//!
//! [`inspect`] finds the requirements of each entry point, their causes, and the devices that run it; [`check()`] warns of aspects that code
//! uses and does not declare; [`trim`] removes declarations that nothing requires; [`split`] makes images of a module, [`link`] one module
//! of several, and [`PostLink`] does both for many targets, as a SYCL compiler does after its front end. [`Program`] loads the images, as a SYCL
//! runtime does.
//!
//! # Features
//!
//! `cli` is the program, `html` makes reports as pages, `probe` queries the drivers of the machine, and `owned` has prepared modules that keep
//! their module (`Prepared::owning`); all are on by default. Users of the library set `default-features = false`, and name those that they
//! need: it builds for `wasm32-unknown-unknown` too.

mod analysis;
mod api;
mod check;
mod compatibility;
mod condition;
mod device;
mod inspection;
mod loader;
mod pipelines;
mod report;
/// The files beside a module: annotations, manifests, property sets and the strings that carry them inside a module, tables of files,
/// symbols.
mod metadata {
    pub mod annotations;
    pub mod manifest;
    pub mod property_sets;
    pub mod tables;
}
#[cfg(test)]
mod test_support;
#[cfg(test)]
mod tests;
/// Text formats and spelling suggestions: what reads files and names, and knows nothing of modules.
mod text {
    pub mod csv;
    pub mod spelling;
    pub mod yaml;
}
mod transform;
mod writer;

pub use api::*;
