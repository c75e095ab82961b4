//! Results without names and debug information.

use clap::Args;

/// Results without names and debug information.
#[derive(Args, Clone, Copy, Debug)]
pub struct StripArg {
    /// Remove names, sources, debug information and other non-semantic instructions, and the types and constants that only those refer to,
    /// but nothing that says what is conditional
    #[arg(long)]
    pub strip: bool,
}
