//! Files that are where results go.

use std::io::ErrorKind;
use std::path::Path;

use clap::Args;
use spirv_if::PropertySets;

use super::super::usage;
use super::{Staged, depfile, text_of};

/// The treatment of files that this program did not write.
#[derive(Args, Debug, Default)]
pub struct ForceArg {
    /// Replace a file of properties beside a result (OUT.prop for OUT.spv) even if another program wrote it
    #[arg(long, hide_short_help = true)]
    force: bool,
}

impl ForceArg {
    /// Refuses results that the user did not name, if they would replace a file of another program.
    ///
    /// # Errors
    /// As wrong usage, with what to do.
    pub fn check(&self, results: &[Staged]) -> anyhow::Result<()> {
        match results.iter().find(|result| result.replaces_foreign && !is_input(result)) {
            Some(result) if !self.force => Err(usage(format!(
                "{} exists, and this program did not write it: move it away, choose another name with -o, or replace it with --force",
                result.destination()
            ))),
            _ => Ok(()),
        }
    }
}

/// Refuses results whose names the user did not choose if they would replace inputs.
///
/// # Errors
/// As wrong usage, with what to do.
pub fn spare_inputs(results: &[Staged], advice: &str) -> anyhow::Result<()> {
    match results.iter().find(|result| is_input(result)) {
        Some(result) => {
            Err(usage(format!("{} is an input and would be overwritten: {advice}", result.destination())))
        }
        None => Ok(()),
    }
}

fn is_input(result: &Staged) -> bool {
    result.destination().path().is_some_and(depfile::was_read)
}

/// True if there is a file that a file of properties with this text would replace, and another program wrote it.
pub fn is_foreign(path: &Path, text: &str) -> bool {
    match text_of(path) {
        Ok(existing) => existing != text && !PropertySets::is_own_text(&existing),
        Err(error) => error.kind() != ErrorKind::NotFound,
    }
}

/// True if there is a file of properties that this program wrote, for a module that is replaced by one without. One that is read stays,
/// unless the module is read too.
pub fn is_stale(path: &Path, module: &Path) -> bool {
    let is_own = text_of(path).is_ok_and(|text| PropertySets::is_own_text(&text));
    is_own && (!depfile::was_read(path) || depfile::was_read(module))
}
