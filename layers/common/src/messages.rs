//! Messages of layers.

use std::fmt;
use std::str::FromStr;

use spirv_if::specialize::{SpecializeReport, Specialized};

/// The severity of a message, and of those that are written: more severe ones are written, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// No message is so severe: none is written.
    None,
    /// The application does not get what it asked for.
    Error,
    /// The application gets something that may not work, or a setting has no effect.
    Warning,
    /// A module was replaced.
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

/// Returns the messages on a module of `size` bytes that was specialized.
pub fn describe(size: usize, result: &Specialized) -> Vec<(Severity, String)> {
    let SpecializeReport { kept_parts, removed_parts, removed, adapted, trapped, not_known, .. } =
        &result.report;
    let mut message = format!("{} of {size} bytes of a module stay", 4 * result.words.len());
    if kept_parts + removed_parts > 0 {
        message += &format!(": {kept_parts} conditional parts kept, {removed_parts} removed");
    }
    if !removed.is_empty() {
        message += &format!("; no longer required: {}", removed.join(", "));
    }
    for change in adapted {
        message += &format!("; {change}");
    }
    for branch in trapped {
        message += &format!("; {branch}");
    }
    let unknown = not_known.iter().map(|device| format!("a module of {size} bytes {device}"));
    let unknown = unknown.map(|message| (Severity::Warning, message));
    std::iter::once((Severity::Info, message)).chain(unknown).collect()
}
