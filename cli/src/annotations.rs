//! The annotations file.

use std::path::PathBuf;

use clap::Args;
use spirv_if::Module;
use spirv_if::device::DeviceConfig;
use spirv_if::module::Annotations;

use super::log::Log;
use super::{ExitFailure, io};

/// The number of entries without a match that are reported.
const LINES: usize = 10;

/// The annotations file.
#[derive(Args, Debug)]
pub struct AnnotationsArg {
    /// Annotations of modules: conditions, aspects and fixed targets of functions, conditions of specialization constants
    /// (spec-extensions/annotations.md describes the file)
    #[arg(long, value_name = "FILE.yaml")]
    annotations: Option<PathBuf>,
}

/// The annotations of all modules of a run.
#[derive(Debug, Default)]
pub struct RunAnnotations {
    /// The name of the file, and its content.
    file: Option<(String, Annotations)>,
}

impl AnnotationsArg {
    /// Returns the annotations in the file that the user named; else none.
    pub fn read(&self) -> anyhow::Result<RunAnnotations> {
        let Some(path) = &self.annotations else { return Ok(RunAnnotations { file: None }) };
        let name = path.display().to_string();
        let annotations = Annotations::from_yaml(&name, &io::read_text(path)?)?;
        Ok(RunAnnotations { file: Some((name, annotations)) })
    }
}

impl RunAnnotations {
    /// Returns true if the user named a file.
    pub fn is_given(&self) -> bool {
        self.file.is_some()
    }

    /// Returns true if the file names functions by their ids.
    pub fn names_ids(&self) -> bool {
        self.file.iter().any(|(_, annotations)| annotations.names_ids())
    }

    /// Checks that the configuration has the devices that the file names.
    pub fn check_devices(&self, devices: &DeviceConfig) -> anyhow::Result<()> {
        Ok(self.file.iter().try_for_each(|(_, annotations)| annotations.check_devices(devices))?)
    }

    /// Returns a module with its annotations in the file.
    pub fn on<'m>(&self, module: Module<'m>) -> anyhow::Result<Module<'m>> {
        match &self.file {
            Some((_, annotations)) => Ok(module.with_annotations(annotations)?),
            None => Ok(module),
        }
    }

    /// Like [`RunAnnotations::on`], and reports the entries that were not applied.
    pub fn on_reporting<'m>(&self, module: Module<'m>, log: &mut Log) -> anyhow::Result<Module<'m>> {
        let module = self.on(module)?;
        module.annotation_warnings().for_each(|warning| log.warning(warning));
        Ok(module)
    }

    /// Checks, after all modules, that each entry matched something.
    ///
    /// # Errors
    /// If one matched nothing in any module, which the log reports.
    pub fn finish(self, log: &mut Log) -> anyhow::Result<()> {
        let Some((name, annotations)) = self.file else { return Ok(()) };
        let unmatched = annotations.unmatched();
        if unmatched.is_empty() {
            return Ok(());
        }
        for message in unmatched.iter().take(LINES) {
            log.error(&anyhow::anyhow!("{message}"));
        }
        if unmatched.len() > LINES {
            let rest = unmatched.len() - LINES;
            log.error(&anyhow::anyhow!("{name}: {rest} more entries match nothing"));
        }
        Err(ExitFailure::Logged(1).into())
    }
}
