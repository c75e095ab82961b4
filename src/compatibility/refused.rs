//! A device that does not run a module, and why.

use std::fmt;

use super::Missing;

/// A device that does not run a module, and the reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refused {
    /// The name of the device; empty for one that was described.
    pub device: String,
    /// All missing features that are known.
    pub missing: Vec<Missing>,
    /// Those of them that nothing in the result requires: [`trim`](crate::trim) removes their declarations.
    pub superfluous: Vec<Missing>,
    /// The entry points that require them, where it is not the whole module.
    pub entry_points: Vec<String>,
    /// The kernel that was selected of a program; the messages are the design's then ([`Missing::message`]).
    pub kernel: Option<String>,
}

impl Refused {
    /// A device that lacks features which the whole module requires.
    pub(crate) fn new(device: &str, missing: Vec<Missing>) -> Refused {
        Refused {
            device: device.to_owned(),
            missing,
            superfluous: Vec::new(),
            entry_points: Vec::new(),
            kernel: None,
        }
    }

    /// A device that lacks features which a kernel of a program requires.
    pub(crate) fn kernel(device: &str, kernel: &str, missing: Vec<Missing>) -> Refused {
        Refused { kernel: Some(kernel.to_owned()), ..Refused::new(device, missing) }
    }
}

impl std::error::Error for Refused {}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let device = label(&self.device);
        if let Some(kernel) = &self.kernel {
            let messages: Vec<String> = self.missing.iter().map(Missing::message).collect();
            return write!(f, "kernel `{kernel}` does not run on {device}: {}", messages.join(" "));
        }
        let missing: Vec<String> = self.missing.iter().map(ToString::to_string).collect();
        for (number, name) in self.entry_points.iter().enumerate() {
            write!(f, "{}`{name}`", if number > 0 { ", " } else { "" })?;
        }
        if self.entry_points.len() > 1 {
            return write!(f, " do not run on {device}: {}", missing.join("; "));
        }
        if !self.entry_points.is_empty() {
            f.write_str(" ")?;
        }
        match self.missing.iter().all(Missing::is_declaration) {
            true => write!(f, "does not run on {device}, which does not accept {}", missing.join(", ")),
            false => write!(f, "does not run on {device}: {}", missing.join("; ")),
        }
    }
}

/// The name of a device in messages.
pub(crate) fn label(device: &str) -> &str {
    if device.is_empty() { "the described device" } else { device }
}
