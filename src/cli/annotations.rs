//! The annotations file.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, PoisonError};

use clap::Args;
use spirv_if::analysis::{Annotated, Names, Unmatched};
use spirv_if::annotations::Annotations;
use spirv_if::device::DeviceConfig;
use spirv_if::loader::Module;

use super::log::Log;
use super::{Failure, io};

/// How many entries that match nothing are told of.
const LINES: usize = 10;

/// The annotations file.
#[derive(Args, Debug)]
pub struct AnnotationsArg {
    /// What modules do not say themselves: conditions, aspects and fixed targets of functions, the meaning of
    /// specialization constants (spec-extensions/annotations.md describes the file)
    #[arg(long, value_name = "FILE.yaml")]
    annotations: Option<PathBuf>,
}

/// The annotations of all modules of a run.
#[derive(Debug, Default)]
pub struct RunAnnotations {
    annotations: Option<Annotations>,
    /// The entries that matched nothing in any module so far; `None` before the first.
    unmatched: Mutex<Option<Vec<Unmatched>>>,
}

impl AnnotationsArg {
    /// The annotations in the file that the user named; else none.
    pub fn read(&self) -> anyhow::Result<RunAnnotations> {
        let Some(path) = &self.annotations else { return Ok(RunAnnotations::default()) };
        let name = path.display().to_string();
        let annotations = Some(Annotations::from_yaml(&name, &io::read_text(path)?)?);
        Ok(RunAnnotations { annotations, ..RunAnnotations::default() })
    }
}

impl RunAnnotations {
    /// Whether the user named a file.
    pub fn is_given(&self) -> bool {
        self.annotations.is_some()
    }

    /// Whether the file names functions by their ids.
    pub fn names_ids(&self) -> bool {
        self.annotations.iter().any(Annotations::names_ids)
    }

    /// Checks that the configuration has the devices that the file names.
    pub fn check_devices(&self, devices: &DeviceConfig) -> anyhow::Result<()> {
        Ok(self.annotations.iter().try_for_each(|annotations| annotations.check_devices(devices))?)
    }

    /// What the file says of a module.
    pub fn of(&self, module: &Module) -> anyhow::Result<Cow<'static, Annotated>> {
        static NONE: LazyLock<Annotated> = LazyLock::new(Annotated::default);
        let Some(annotations) = &self.annotations else { return Ok(Cow::Borrowed(&NONE)) };
        let annotated = Annotated::resolve(module, &Names::new(module), annotations)?;
        let mut unmatched = self.unmatched.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *unmatched {
            Some(all) => Unmatched::retain_common(all, &annotated.unmatched),
            None => *unmatched = Some(annotated.unmatched.clone()),
        }
        Ok(Cow::Owned(annotated))
    }

    /// Once all modules were looked at: whether each entry matched something.
    ///
    /// # Errors
    /// Where one matched nothing in any module; the log says so.
    pub fn finish(self, log: &mut Log) -> anyhow::Result<()> {
        let unmatched =
            self.unmatched.into_inner().unwrap_or_else(PoisonError::into_inner).unwrap_or_default();
        let (Some(annotations), false) = (self.annotations, unmatched.is_empty()) else { return Ok(()) };
        for entry in unmatched.iter().take(LINES) {
            log.error(&entry.error(&annotations).into());
        }
        if unmatched.len() > LINES {
            let rest = unmatched.len() - LINES;
            log.error(&anyhow::anyhow!("{}: {rest} more entries match nothing", annotations.source_name()));
        }
        Err(Failure::Told(1).into())
    }
}
