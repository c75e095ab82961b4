//! The embedded devices: those of `spec-extensions/devices.yaml`, with everything that follows from their entries, as constants. A test
//! writes them.

#[cfg(test)]
mod generate;
#[rustfmt::skip]
mod generated;

pub(crate) use generated::DEVICES;
