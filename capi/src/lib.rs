//! The C interface of spirv-if: opaque objects over the public library, and functions that begin with `spvif_`.
//!
//! `include/spvif.h` is written from this crate by cbindgen (`scripts/test-capi.sh` compares the two), so the comments of public items
//! are the documentation of C's functions. `docs/c.md` describes the whole.

#[cfg(feature = "annotations")]
mod annotations;
mod boundary;
#[cfg(feature = "bundle")]
mod bundle;
#[cfg(feature = "bundle")]
mod bundle_builder;
mod compatibility;
mod device;
#[cfg(feature = "devices")]
mod device_table;
mod drivers;
mod error;
mod host_values;
mod interface;
#[cfg(feature = "link")]
mod link;
mod module;
#[cfg(feature = "pack")]
mod pack;
mod prepared;
#[cfg(feature = "properties")]
mod properties;
#[cfg(feature = "inspect")]
mod requirements;
mod result;
mod settings;
mod settings_adapt;
mod settings_trap;
#[cfg(test)]
mod tests;
mod text;
mod trim;
#[cfg(feature = "inspect")]
mod vulkan;

use std::ffi::c_char;

/// The version of this interface. It changes when a program that was compiled with another version would not work.
pub const SPVIF_ABI_VERSION: u32 = 1;

/// The version of the interface that the library in use has: equal to `SPVIF_ABI_VERSION`, or the program and the library do not fit.
#[unsafe(no_mangle)]
pub extern "C" fn spvif_abi_version() -> u32 {
    SPVIF_ABI_VERSION
}

/// The version of the library in use, such as "0.1.0". A text that is never freed.
#[unsafe(no_mangle)]
pub extern "C" fn spvif_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}
