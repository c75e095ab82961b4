//! Messages on stderr. OpenCL has no other place for those of layers, except the build log of a program.

use std::fmt;

use crate::settings;

pub use spirv_if_layer_common::Severity;

/// The name of the layer, as loaders show it and messages begin.
pub const LAYER: &str = "CL_LAYER_SPIRVIF_specialize";

/// Writes a message, if the settings ask for messages of its severity.
pub fn send(severity: Severity, message: impl fmt::Display) {
    if severity <= settings::current().report {
        write_line(severity, message);
    }
}

/// Writes a message.
pub fn write_line(severity: Severity, message: impl fmt::Display) {
    eprintln!("{LAYER}: {severity}: {message}");
}
