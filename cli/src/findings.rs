//! Findings in modules, as `check` and `inspect` report them.

use std::collections::HashMap;
use std::path::{PathBuf, absolute};

use clap::Args;
use spirv_if::inspect::{Findings, SourcePaths, Warning};

use super::log::Log;
use super::{counted, usage};

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

/// The findings in a module.
pub struct ModuleFindings {
    /// The name of the module in messages.
    pub name: String,
    /// The file that it is in, and its offset there in bytes.
    pub file: String,
    pub offset: usize,
    pub warnings: Vec<Warning>,
}

/// The most modules that are named beside the first one with a finding.
const MAX_NAMES: usize = 3;

/// Logs findings by their causes: the first of each in full, and the names of other modules with the same. The number of all comes last.
pub fn log_by_cause(modules: &[ModuleFindings], are_errors: bool, log: &mut Log) {
    let mut causes: Vec<(&ModuleFindings, &Warning, Vec<&str>)> = Vec::new();
    let mut known: HashMap<(&str, &str, Option<&str>), usize> = HashMap::new();
    let all = modules.iter().flat_map(|module| module.warnings.iter().map(move |warning| (module, warning)));
    for (module, warning) in all.clone() {
        let key = (warning.rule, warning.message.as_str(), warning.place.as_deref());
        match known.get(&key) {
            // A module may have it at several instructions.
            Some(&at) if causes[at].0.name != module.name => {
                if causes[at].2.last() != Some(&module.name.as_str()) {
                    causes[at].2.push(&module.name);
                }
            }
            _ => {
                known.insert(key, causes.len());
                causes.push((module, warning, Vec::new()));
            }
        }
    }
    for (module, warning, others) in &causes {
        let mut its_log = log.about(&module.name);
        match (are_errors, &warning.place) {
            (true, place) => its_log.error_at(place.as_deref(), warning.text()),
            (false, Some(place)) => its_log.warning_at(place, warning.text()),
            (false, None) => its_log.warning(warning.text()),
        }
        if !others.is_empty() {
            let named = &others[..others.len().min(MAX_NAMES)];
            let more = others.len() - named.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            its_log.note(format!("the same in {}{more}", named.join(", ")));
        }
        log.append(its_log);
    }
    let count = all.count();
    let text = counted(count, if are_errors { "error" } else { "warning" });
    match modules {
        [] => {}
        [module] => {
            let mut its_log = log.about(&module.name);
            its_log.note(text);
            log.append(its_log);
        }
        _ => log.note(format!("{text} in {}", counted(modules.len(), "module"))),
    }
}
