//! Settings of the layer: from environment variables, and from a file, in this order of precedence.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use spirv_if::specialize::{Driver, Trap};
use spirv_if_layer_common::parse_switch;

use crate::messages::{Severity, write_line};

/// The beginning of the environment variables.
const PREFIX: &str = "CL_SPIRVIF_";

/// The settings of the process.
static SETTINGS: RwLock<LayerSettings> = RwLock::new(LayerSettings::DEFAULT);

/// The settings of the layer.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerSettings {
    /// Changes constructs that a device is known to reject.
    pub adapt: bool,
    /// Folds the specialization constants that an application sets.
    pub fold: bool,
    /// The trap in the place of blocks that a device does not run.
    pub trap: Option<Trap>,
    /// The driver whose defects are worked around.
    pub work_around: Option<Driver>,
    /// The least severe messages that are written.
    pub report: Severity,
}

/// Texts of settings by source.
struct SettingSources<'a> {
    variable: &'a dyn Fn(&str) -> Option<String>,
    /// The path of the file, with its keys and values.
    file: Option<(PathBuf, BTreeMap<String, String>)>,
}

/// Returns the settings.
pub fn current() -> LayerSettings {
    SETTINGS.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Reads the settings of the process, and says which ones are not valid.
pub fn read() {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let (sources, mut problems) = SettingSources::new(&variable);
    let (settings, invalid) = LayerSettings::from_sources(&sources);
    problems.extend(invalid);
    for problem in problems.iter().filter(|_| settings.report >= Severity::Warning) {
        write_line(Severity::Warning, problem);
    }
    *SETTINGS.write().unwrap_or_else(PoisonError::into_inner) = settings;
}

impl LayerSettings {
    const DEFAULT: LayerSettings =
        LayerSettings { adapt: false, fold: false, trap: None, work_around: None, report: Severity::Warning };

    /// Returns the settings, and the problems of those that are not valid, which have no effect.
    fn from_sources(sources: &SettingSources) -> (LayerSettings, Vec<String>) {
        let mut settings = LayerSettings::DEFAULT;
        let mut problems = sources.unknown_keys();
        let mut set = |key: &str, expected: &str, apply: &mut dyn FnMut(&str) -> Option<()>| {
            let Some((place, value)) = sources.find(key) else { return };
            if apply(value.trim()).is_none() {
                problems.push(format!("invalid value '{value}' of {place}: expected {expected}"));
            }
        };
        set("adapt", "true or false", &mut |value| {
            settings.adapt = parse_switch(value)?;
            Some(())
        });
        set("fold", "true or false", &mut |value| {
            settings.fold = parse_switch(value)?;
            Some(())
        });
        set("trap", "none, silent, abort or store:ARGUMENT:OFFSET", &mut |value| {
            settings.trap = match value {
                "none" => None,
                trap => Some(trap.parse().ok()?),
            };
            Some(())
        });
        set("work_around", "none or rusticl", &mut |value| {
            settings.work_around = match value {
                "none" => None,
                "rusticl" => Some(Driver::Rusticl),
                _ => return None,
            };
            Some(())
        });
        set("report", "none, error, warning or info", &mut |value| {
            settings.report = value.parse().ok()?;
            Some(())
        });
        (settings, problems)
    }
}

const KEYS: [&str; 5] = ["adapt", "fold", "trap", "work_around", "report"];

impl<'a> SettingSources<'a> {
    /// Reads the file that a variable names, or else that of the user, which may not exist. Returns the problems, too.
    fn new(variable: &'a dyn Fn(&str) -> Option<String>) -> (SettingSources<'a>, Vec<String>) {
        let named = variable(&format!("{PREFIX}SETTINGS")).map(PathBuf::from);
        let is_named = named.is_some();
        let folder = variable("XDG_CONFIG_HOME").map(PathBuf::from);
        let folder = folder.or_else(|| Some(Path::new(&variable("HOME")?).join(".config")));
        let path = named.or_else(|| Some(folder?.join("spirv-if/opencl-layer.conf")));
        let mut problems = Vec::new();
        let file = path.and_then(|path| match std::fs::read_to_string(&path) {
            Ok(text) => Some((path, read_file(&text))),
            Err(error) => {
                if is_named {
                    problems.push(format!("no settings from {}: {error}", path.display()));
                }
                None
            }
        });
        (SettingSources { variable, file }, problems)
    }

    /// Returns the place of a setting, and its text.
    fn find(&self, key: &str) -> Option<(String, String)> {
        let name = format!("{PREFIX}{}", key.to_uppercase());
        if let Some(value) = (self.variable)(&name) {
            return Some((format!("the environment variable {name}"), value));
        }
        let (path, values) = self.file.as_ref()?;
        Some((format!("{key} in {}", path.display()), values.get(key)?.clone()))
    }

    fn unknown_keys(&self) -> Vec<String> {
        let Some((path, values)) = &self.file else { return Vec::new() };
        let unknown = values.keys().filter(|key| !KEYS.contains(&key.as_str()));
        let problem = |key| {
            format!("unknown setting '{key}' in {}: expected one of {}", path.display(), KEYS.join(", "))
        };
        unknown.map(problem).collect()
    }
}

/// Reads the lines `key = value`. A comment begins with `#`.
fn read_file(text: &str) -> BTreeMap<String, String> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    let pairs = lines.filter_map(|line| line.split_once('='));
    pairs.map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources<'a>(variable: &'a dyn Fn(&str) -> Option<String>, file: &str) -> SettingSources<'a> {
        SettingSources { variable, file: Some((PathBuf::from("file.conf"), read_file(file))) }
    }

    #[test]
    fn the_environment_precedes_the_file() {
        let none = |_: &str| None;
        let file = "# fold = true\nadapt = on\ntrap = store:dst:4 # where\nreport = info\n";
        let (settings, problems) = LayerSettings::from_sources(&sources(&none, file));
        let trap = Trap::Store { buffer: "dst".to_owned(), offset: 4 };
        let expected =
            LayerSettings { adapt: true, trap: Some(trap), report: Severity::Info, ..LayerSettings::DEFAULT };
        assert_eq!((settings, problems), (expected.clone(), Vec::new()));

        let variable = |name: &str| match name {
            "CL_SPIRVIF_TRAP" => Some("none".to_owned()),
            "CL_SPIRVIF_FOLD" => Some("1".to_owned()),
            "CL_SPIRVIF_WORK_AROUND" => Some("rusticl".to_owned()),
            _ => None,
        };
        let (settings, problems) = LayerSettings::from_sources(&sources(&variable, file));
        let expected =
            LayerSettings { fold: true, trap: None, work_around: Some(Driver::Rusticl), ..expected };
        assert_eq!((settings, problems), (expected, Vec::new()));
    }

    #[test]
    fn an_invalid_setting_is_named_with_its_place() {
        let variable = |name: &str| (name == "CL_SPIRVIF_ADAPT").then(|| "perhaps".to_owned());
        let (settings, problems) =
            LayerSettings::from_sources(&sources(&variable, "report = loud\nfolds = true"));
        assert_eq!(settings, LayerSettings::DEFAULT);
        assert_eq!(
            problems,
            [
                "unknown setting 'folds' in file.conf: expected one of adapt, fold, trap, work_around, report",
                "invalid value 'perhaps' of the environment variable CL_SPIRVIF_ADAPT: expected true or false",
                "invalid value 'loud' of report in file.conf: expected none, error, warning or info",
            ]
        );
    }

    #[test]
    fn a_named_file_that_does_not_exist_is_a_problem() {
        let named = |name: &str| (name == "CL_SPIRVIF_SETTINGS").then(|| "nowhere/file.conf".to_owned());
        let (_, problems) = SettingSources::new(&named);
        assert!(problems[0].starts_with("no settings from nowhere/file.conf: "), "{problems:?}");
        let default = |name: &str| (name == "XDG_CONFIG_HOME").then(|| "nowhere".to_owned());
        assert_eq!(SettingSources::new(&default).1, Vec::<String>::new());
    }
}
