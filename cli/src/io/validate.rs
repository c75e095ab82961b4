//! Validation of modules before they are written.

use std::fmt::Display;

use anyhow::Context;
use clap::Args;
use spirv_if::Module;

/// Validation of results.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct ValidateArg {
    /// Check each module with spirv-val (from the PATH, or named by SPIRV_VAL); nothing is written if one is invalid
    #[arg(long, hide_short_help = true)]
    validate: bool,
}

impl ValidateArg {
    /// Returns true if modules are checked.
    pub const fn is_given(self) -> bool {
        self.validate
    }

    /// Checks a module that is to be written.
    ///
    /// # Errors
    /// If it is invalid, or the validator cannot be run.
    pub fn check(self, name: impl Display, words: &[u32]) -> anyhow::Result<()> {
        if self.validate {
            Module::from_words(words)?.validate().with_context(|| name.to_string())?;
        }
        Ok(())
    }
}
