//! One SPIR-V module for every device.
//!
//! A module that uses `double` once cannot be loaded by a device without it, even if that code never runs there. This library makes
//! code for some devices only conditional, so that every device can load the module ([`pack()`]), and specializes it for the device
//! at hand ([`Prepared::specialize`]), in a fraction of the time that a driver takes to load it. The program `spirv-if` uses the same
//! calls.
//!
//! # When a program is built: pack
//!
//! In a build script, or wherever shaders are compiled, turn the compiler's module into one module for every device.
//!
//! ```
//! # let folder = std::env::temp_dir();
//! use spirv_if::{Module, PackOptions, pack};
//! let compiled = std::fs::read("fixtures/glsl/reduce.spv")?;
//! let packed = pack(&Module::from_bytes(&compiled)?, &PackOptions::new())?;
//! for constant in &packed.summary.set_by_host {
//!     println!("SpecId {} is for devices where {}", constant.spec_id, constant.condition);
//! }
//! std::fs::write(folder.join("reduce.spv"), packed.to_bytes())?;
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
//! let device = Device::embedded("intel_gpu_bmg_g21")?;
//! let run = prepared.specialize(&device, &Settings::new())?;
//! assert!(run.report.undecided.is_empty() && run.words.len() < packed.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Settings also give specialization constants their values, in any module: the branches that they decide are folded. Devices come from a
//! table, from a file, feature by feature, from reports of other tools, and, by `spirv-if-probe`, from the drivers of the machine: see [`device`].
//!
//! # When it cannot run: refuse
//!
//! A module that the device is known not to run is an error, and so is one that would stay conditional, unless [`Settings::unset`]
//! allows it. A module that the device is not known to run is written, and [`SpecializeReport::not_known`](specialize::SpecializeReport::not_known)
//! says so, unless [`Settings::strict`] refuses it.
//!
//! ```
//! use spirv_if::error::Missing;
//! use spirv_if::{Device, Error, Module, Prepared, Settings};
//! let bytes = std::fs::read("fixtures/opencl/plain.spv")?; // computes with doubles on every device
//! let module = Module::from_bytes(&bytes)?;
//! let device = Device::embedded("intel_gpu_acm_g10")?;
//! match Prepared::new(&module)?.specialize(&device, &Settings::new()) {
//!     Err(Error::Refused(refused)) => {
//!         assert!(refused.missing.iter().any(|missing| matches!(missing, Missing::Capability(_))));
//!         println!("{refused}"); // does not run on intel_gpu_acm_g10, which does not accept Float64
//!     }
//!     Err(Error::Undecided(undecided)) => println!("{undecided}"), // names the constants without a value
//!     other => panic!("{other:?}"),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # By subject
//!
//! This page has the items that most users need. The others are in modules by subject, which begin with their use:
//!
//! | module | for |
//! |---|---|
//! | [`mod@pack`], [`specialize`] | the two steps above, with their options and reports |
//! | [`device`], [`error`], [`module`] | devices, errors, and modules with the files beside them |
//! | [`trim`] | removing declarations, names and debug information that nothing requires |
//! | [`merge`], [`link`] | builds of one shader for different devices as one module, and translation units as one |
//! | [`ready`] | results that are made when an application is built |
//! | [`property_sets`] | the files beside modules |
//!
//! # Beside this package
//!
//! | package | for |
//! |---|---|
//! | `spirv-if-inspect` | the requirements of modules and their causes, reports, and the findings of continuous integration |
//! | `spirv-if-sycl` | what SYCL's compilers and runtimes do: warnings, splitting, and loading of images |
//! | `spirv-if-probe` | the devices of the drivers of this machine |
//! | `spirv-if-bundle` | files of many shaders |
//!
//! # Features
//!
//! `demangle` shows names of C++ functions as their source has them, and finds them in annotations files, `devices` has the table of devices by
//! name, and `owned` has prepared modules that own their module ([`Prepared::owning`]). All are on by default. The library builds for
//! `wasm32-unknown-unknown` too.

// The engine is hidden: its documentation is for those who read the code.
#![allow(rustdoc::private_intra_doc_links)]

/// Records that an analysis runs on a module, for tests.
macro_rules! tally {
    ($($argument:expr),*) => {
        #[cfg(any(test, feature = "test-support"))]
        $crate::tally::note($($argument),*);
    };
}

// What tests share names the engine as other packages do.
#[cfg(test)]
extern crate self as spirv_if;

mod analysis;
mod api;
// It reads the grammar, so that what else tests share needs the library alone.
#[cfg(any(test, feature = "test-support"))]
#[doc(hidden)]
#[path = "test_support/assembler.rs"]
pub mod assembler;
mod collections;
mod compatibility;
mod condition;
pub mod device;
#[doc(hidden)]
pub mod engine;
#[cfg(any(test, feature = "generate"))]
#[doc(hidden)]
pub mod generate;
mod loader;
mod metadata;
mod pipelines;
#[cfg(any(test, feature = "test-support"))]
#[doc(hidden)]
pub mod tally;
#[cfg(test)]
mod test_support;
#[cfg(test)]
mod tests;
mod text;
mod transform;
mod writer;

pub use analysis::constants::SpecValue;
pub use api::{Condition, error, link, merge, module, pack, property_sets, ready, specialize, trim};
pub use device::Device;
pub use error::Error;
pub use module::Module;
pub use pack::{PackOptions, pack};
pub use specialize::{Prepared, Settings};
