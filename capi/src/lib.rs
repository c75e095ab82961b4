//! C interface of spirv-if: opaque objects over the public library, and functions that begin with `spvif_`.
//!
//! cbindgen writes `include/spvif.h` from this crate, so the comments of public items document the C functions.
//! `scripts/test-capi.sh` compares the two. `docs/c.md` is the manual.

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
#[cfg(test)]
mod tests;
mod text;
mod trim;
#[cfg(feature = "inspect")]
mod vulkan;

use std::ffi::c_char;

/// The version of this interface. It changes when programs that were compiled for another version would no longer work.
pub const SPVIF_ABI_VERSION: u32 = 1;

/// Returns the version of the interface in the loaded library. A program must not use a library whose version differs from
/// `SPVIF_ABI_VERSION`.
#[unsafe(no_mangle)]
pub extern "C" fn spvif_abi_version() -> u32 {
    SPVIF_ABI_VERSION
}

/// Returns the version of the loaded library, such as "0.1.0". The string is static: do not free it.
#[unsafe(no_mangle)]
pub extern "C" fn spvif_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}
