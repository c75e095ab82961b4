//! The embedded devices: those of `spec-extensions/devices.yaml`, with everything that follows from their entries, as constants, which
//! `cargo run -p generate` writes.

#[cfg(any(test, feature = "generate"))]
pub mod generate;
#[rustfmt::skip]
mod generated;

pub(crate) use generated::DEVICES;
