//! Findings in modules, as `check` and `inspect` report them.

use std::collections::BTreeSet;
use std::path::{PathBuf, absolute};

use anyhow::Context;
use clap::Args;
use spirv_if_inspect::{Baseline, FindingCause, Findings, ModulePlace, SourcePaths};
use spirv_if_sycl::check::Warning;

use super::log::Log;
use super::{counted, io, usage};

/// Options for the names of source files.
#[derive(Args, Debug)]
pub struct SourcePathArgs {
    /// In findings for programs, write source files in the folder OLD as files in NEW, which may be empty. May be given several times: the
    /// first that matches counts
    #[arg(long, value_name = "OLD=NEW", value_parser = path_map)]
    path_map: Vec<(String, String)>,
    /// In findings for programs, make the names of source files in this folder relative to it, as GitHub expects them
    #[arg(long, value_name = "FOLDER")]
    source_root: Option<PathBuf>,
}

fn path_map(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((old, new)) if !old.is_empty() => Ok((old.to_owned(), new.to_owned())),
        _ => Err("expected OLD=NEW, such as /build/src=src".to_owned()),
    }
}

impl SourcePathArgs {
    /// Starts findings with these names.
    ///
    /// # Errors
    /// If names are given for a format without findings for programs, or there is no current folder.
    pub fn findings(&self, is_for_programs: bool) -> anyhow::Result<Findings> {
        if !is_for_programs && (!self.path_map.is_empty() || self.source_root.is_some()) {
            return Err(usage("--path-map and --source-root are for --format sarif and github"));
        }
        let replace =
            |paths: SourcePaths, (old, new): &(String, String)| paths.replace(old.as_str(), new.as_str());
        let mut paths = self.path_map.iter().fold(SourcePaths::new(), replace);
        if let Some(root) = &self.source_root {
            paths = paths.root(absolute(root)?.to_string_lossy());
        }
        Ok(Findings::default().source_paths(paths))
    }
}

/// Options for findings that are accepted.
#[derive(Args, Debug)]
pub struct BaselineArgs {
    /// Fail on new findings alone: those of this file, which --write-baseline wrote, are accepted. Findings are compared by their causes,
    /// modules, entry points and devices, not by their lines
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write all findings to this file, for --baseline, and accept them
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    write_baseline: Option<PathBuf>,
}

impl BaselineArgs {
    /// Returns true if an option is given.
    pub fn is_given(&self) -> bool {
        self.baseline.is_some() || self.write_baseline.is_some()
    }

    /// Reads the accepted findings. Those of --write-baseline follow.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read(&self, findings: Findings) -> anyhow::Result<Findings> {
        let Some(path) = &self.baseline else { return Ok(findings) };
        let baseline =
            Baseline::from_json(&io::read_text(path)?).with_context(|| path.display().to_string())?;
        Ok(findings.baseline(baseline))
    }

    /// Accepts the findings of --write-baseline, and writes them if all was checked. A note has the number of accepted findings in the file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn apply(
        &self,
        mut findings: Findings,
        is_complete: bool,
        log: &mut Log,
    ) -> anyhow::Result<Findings> {
        if let Some(path) = &self.write_baseline {
            let baseline = findings.to_baseline();
            if is_complete {
                io::write_text(path, baseline.to_json()?)?;
            }
            findings = findings.baseline(baseline);
        }
        let written = self.write_baseline.as_ref().filter(|_| is_complete);
        if let Some(path) = self.baseline.as_ref().or(written) {
            log.note(format!("{}: {}", path.display(), counted(findings.accepted(), "accepted finding")));
        }
        Ok(findings)
    }
}

/// The findings in a module.
pub struct ModuleFindings {
    pub place: ModulePlace,
    pub warnings: Vec<Warning>,
}

/// Logs findings by their causes. The number of all comes last.
pub fn log_by_cause(causes: &[FindingCause], are_errors: bool, log: &mut Log) {
    let mut modules: BTreeSet<&str> = BTreeSet::new();
    for FindingCause { place, modules: of_cause, text, .. } in causes {
        modules.extend(of_cause.iter().map(String::as_str));
        let mut its_log = log.about(of_cause.first().map_or("", String::as_str));
        match (are_errors, place) {
            (true, place) => its_log.error_at(place.as_deref(), text),
            (false, Some(place)) => its_log.warning_at(place, text),
            (false, None) => its_log.warning(text),
        }
        log.append(its_log);
    }
    let text = counted(causes.len(), if are_errors { "error" } else { "warning" });
    match modules.len() {
        0 => {}
        1 => {
            let mut its_log = log.about(modules.first().copied().unwrap_or_default());
            its_log.note(text);
            log.append(its_log);
        }
        count => log.note(format!("{text} in {}", counted(count, "module"))),
    }
}
