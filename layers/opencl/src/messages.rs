//! Messages on stderr. OpenCL has no other place for those of layers, except the build log of a program.

use std::fmt;
use std::str::FromStr;

use crate::settings;

/// The name of the layer, as loaders show it and messages begin.
pub const LAYER: &str = "CL_LAYER_SPIRVIF_specialize";

/// The severity of a message, and of those that are written: more severe ones are written, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    None,
    Error,
    Warning,
    Info,
}

impl FromStr for Severity {
    type Err = ();

    fn from_str(text: &str) -> Result<Severity, ()> {
        [Severity::None, Severity::Error, Severity::Warning, Severity::Info]
            .into_iter()
            .find(|severity| severity.to_string() == text)
            .ok_or(())
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::None => "none",
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
        })
    }
}

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
