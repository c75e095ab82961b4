//! Bundles: all shaders of an application, with their variants, in one compressed file.
//!
//! A bundle has shaders by name. Each shader has one module, or several variants with conditions on devices, and values of specialization
//! constants to fix. [`BundleBuilder`] writes a bundle, and [`Bundle`] reads one: opening decompresses nothing, and a module is decompressed
//! alone. [`Bundle::get_for`] returns a plain module for a device, which the engine `spirv-if` specializes.
//!
//! ```
//! use spirv_if_bundle::{Bundle, BundleBuilder, ShaderVariant};
//! let words = [0x0723_0203, 0x0001_0000, 0, 1, 0];
//! let mut builder = BundleBuilder::new();
//! builder.add("blur", [ShaderVariant::new(&words[..])])?;
//! let file = builder.to_bytes()?;
//! let bundle = Bundle::from_bytes(&file)?;
//! assert_eq!(bundle.get("blur")?, words);
//! # Ok::<(), spirv_if_bundle::BundleError>(())
//! ```
//!
//! The format is specified in `spec-extensions/bundle.md` of the repository. `c/spvb.h` of this package reads it in C.

#[cfg(feature = "write")]
mod builder;
mod checksum;
mod codec;
mod error;
mod file;
mod index;
mod ready;
#[cfg(feature = "specialize")]
mod select;
mod zstandard;

#[cfg(feature = "write")]
pub use builder::{BundleBuilder, NotReady, ShaderVariant};
pub use error::{BundleError, Damage};
pub use file::{Bundle, Shader, Shaders, Variant, Variants};
pub use ready::{Question, QuestionKind, Ready, ReadyChoice};

/// The number of the format's newest version.
pub const VERSION: u32 = 2;

/// The number of the format's version without ready shaders, which is written where it suffices.
pub const FIRST_VERSION: u32 = 1;

/// The maximum size of the content of a block, in bytes. Readers refuse larger blocks, so that their memory is bounded.
pub const MAX_CONTENT: usize = 1 << 26;
