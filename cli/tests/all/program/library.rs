//! The program and the public API have the same results: bytes, property sets and refusals. This is checked for every fixture, not packed and
//! packed, on every device with different answers. Every fixture is packed in both dialects, and specialized from one of them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::slice::from_ref;

use spirv_if::device::{DeviceConfig, DeviceParts};
use spirv_if::error::Missing;
use spirv_if::module::Annotations;
use spirv_if::pack::Dialect;
use spirv_if::property_sets::PropertySets;
use spirv_if::specialize::UnsetPolicy;
use spirv_if::{Device, Error, Module, PackOptions, Prepared, Settings, pack};

use crate::common::{bytes_of, fixtures, root};

/// A module in a file, maybe with property sets beside it, and an annotations file.
#[derive(Clone)]
struct Subject {
    file: PathBuf,
    annotations: Option<PathBuf>,
}

/// The result of a subject.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum SubjectResult {
    /// Files, by extension.
    Written(Vec<(&'static str, Vec<u8>)>),
    /// Nothing is written: the exit status, and a part of the message.
    Failed(i32, String),
}

impl Subject {
    /// Calls a function with the module of the public API.
    fn with<R>(&self, call: impl FnOnce(&Module) -> R) -> R {
        let bytes = std::fs::read(&self.file).unwrap();
        let mut module = Module::from_bytes(&bytes).unwrap().with_name(self.file.display().to_string());
        if let Some(path) = &self.annotations {
            let text = std::fs::read_to_string(path).unwrap();
            let annotations = Annotations::from_yaml(&path.display().to_string(), &text).unwrap();
            module = module.with_annotations(&annotations).unwrap();
        }
        let beside = self.file.with_extension("prop");
        if let Ok(text) = std::fs::read_to_string(&beside) {
            let properties = PropertySets::parse(&beside.display().to_string(), &text).unwrap();
            module = module.with_properties(properties).unwrap();
        }
        call(&module)
    }
}

impl SubjectResult {
    fn from_result(result: Result<(Vec<u32>, Option<PropertySets>), Error>) -> SubjectResult {
        match result {
            Ok((words, properties)) => {
                let properties = properties.map(|properties| ("prop", properties.to_text().into_bytes()));
                SubjectResult::Written([("spv", bytes_of(&words))].into_iter().chain(properties).collect())
            }
            // The message contains all data of the error; the program's additions follow it.
            Err(Error::Refused(refused)) => {
                let message = refused.to_string();
                let says = |missing: &Missing| message.contains(&missing.to_string());
                assert!(!refused.missing.is_empty() && refused.missing.iter().all(says), "{refused:?}");
                SubjectResult::Failed(3, message)
            }
            Err(error) => SubjectResult::Failed(1, error.to_string()),
        }
    }

    fn specialized(prepared: &Prepared, device: &Device, settings: &Settings) -> SubjectResult {
        let specialized = prepared.specialize(device, settings);
        SubjectResult::from_result(specialized.map(|specialized| (specialized.words, specialized.properties)))
    }

    /// Returns the result for a device whose name is unknown.
    fn without(&self, device: &str) -> SubjectResult {
        match self {
            SubjectResult::Failed(status, message) => {
                SubjectResult::Failed(*status, message.replace(device, ""))
            }
            written => written.clone(),
        }
    }

    fn status(&self) -> i32 {
        match self {
            SubjectResult::Written(_) => 0,
            SubjectResult::Failed(status, _) => *status,
        }
    }
}

/// Compares the program with the public API's results for subjects: one run for all with the same exit status.
fn compare(arguments: &[&str], outcomes: Vec<(Subject, SubjectResult)>, out: &Path) {
    let mut runs: BTreeMap<_, Vec<(Subject, SubjectResult)>> = BTreeMap::new();
    for (subject, outcome) in outcomes {
        runs.entry((subject.annotations.clone(), outcome.status())).or_default().push((subject, outcome));
    }
    for ((annotations, status), of_run) in runs {
        let mut command = Command::new(env!("CARGO_BIN_EXE_spirv-if"));
        command.args(arguments).args(of_run.iter().map(|(subject, _)| &subject.file));
        command.args(annotations.iter().flat_map(|path| [Path::new("--annotations"), path]));
        std::fs::create_dir_all(out).unwrap();
        let output = command.arg("-o").arg(out).output().unwrap();
        // The program breaks long lists into lines.
        let said = String::from_utf8(output.stderr).unwrap().replace("\n    ", " ");
        assert_eq!(output.status.code(), Some(status), "{command:?}\n{said}");
        let mut expected: BTreeSet<PathBuf> = BTreeSet::new();
        for (subject, outcome) in of_run {
            let file = subject.file.display();
            match outcome {
                SubjectResult::Written(files) => {
                    for (extension, bytes) in files {
                        let path = out.join(subject.file.file_name().unwrap()).with_extension(extension);
                        assert!(
                            std::fs::read(&path).unwrap() == bytes,
                            "{command:?}: {} differs",
                            path.display()
                        );
                        expected.insert(path);
                    }
                }
                SubjectResult::Failed(_, message) => {
                    let line = format!("spirv-if: error: {file}: {message}");
                    assert!(
                        said.lines().any(|said| said.starts_with(&line)),
                        "{command:?}: not {line}\n{said}"
                    );
                }
            }
        }
        let there: BTreeSet<PathBuf> =
            std::fs::read_dir(out).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(there, expected, "{command:?}");
        std::fs::remove_dir_all(out).unwrap();
    }
}

/// All fixtures, in a folder; those with annotations also with them.
fn subjects(folder: &Path) -> Vec<Subject> {
    let root = root().join("fixtures");
    let mut subjects = Vec::new();
    for (name, words) in fixtures() {
        let mut add = |prefix: &str, annotations: Option<PathBuf>| {
            let file = folder.join(prefix.to_owned() + &name.replace(std::path::is_separator, "-"));
            std::fs::write(&file, bytes_of(&words)).unwrap();
            subjects.push(Subject { file, annotations });
        };
        add("", None);
        let annotations = root.join(name.replace("-O.", ".")).with_extension("yaml");
        if annotations.exists() {
            add("annotated-", Some(annotations));
        }
    }
    subjects
}

/// Packs subjects, compares the results with the program's, and returns the packable ones.
fn packed(subjects: &[Subject], dialect: (Dialect, &str), out: &Path) -> Vec<Subject> {
    let options = PackOptions::new().dialect(dialect.0);
    let pack = |subject: &Subject| {
        let packed = subject.with(|module| pack(module, &options));
        SubjectResult::from_result(packed.map(|packed| (packed.words, Some(packed.properties))))
    };
    let outcomes: Vec<(Subject, SubjectResult)> =
        subjects.iter().map(|subject| (subject.clone(), pack(subject))).collect();
    let mut packed = Vec::new();
    for (subject, outcome) in &outcomes {
        let SubjectResult::Written(files) = outcome else { continue };
        let name = subject.file.file_name().unwrap().to_str().unwrap();
        let file = subject.file.with_file_name(format!("{}-{name}", dialect.1));
        for (extension, bytes) in files {
            std::fs::write(file.with_extension(extension), bytes).unwrap();
        }
        packed.push(Subject { file, annotations: None });
    }
    compare(&["pack", "--dialect", dialect.1], outcomes, out);
    packed
}

/// Returns each device of the table without its name and architecture. Equal devices are refused with equal messages.
fn devices() -> Vec<(Device, String)> {
    let has = |device: &Device| {
        let yaml = device.to_yaml();
        yaml.lines().skip(1).filter(|line| !line.starts_with("  architecture:")).collect()
    };
    DeviceConfig::embedded().unwrap().iter().map(|device| (device.clone(), has(device))).collect()
}

/// Returns the results of a module on devices with different answers, by the names of the devices.
fn specialized(module: &Module, devices: &[(Device, String)]) -> Vec<(String, SubjectResult)> {
    let (prepared, settings) = (Prepared::new(module).unwrap(), Settings::new());
    let has: HashMap<&str, &str> =
        devices.iter().map(|(device, has)| (device.name(), has.as_str())).collect();
    let (able, unable): (Vec<Device>, Vec<Device>) = devices
        .iter()
        .map(|(device, _)| device.clone())
        .partition(|device| prepared.groups(from_ref(device), &settings).is_ok());
    let groups = prepared.groups(&able, &settings).unwrap();
    // Two stand for a group, whose devices get the same code.
    let able = groups.iter().flat_map(|group| [group[0], group[group.len() - 1]]);
    let mut known = BTreeSet::new();
    let unable = unable.iter().filter(|device| known.insert(has[device.name()]));
    let mut outcomes = BTreeMap::new();
    for device in able.chain(unable) {
        let outcome = SubjectResult::specialized(&prepared, device, &settings);
        let anywhere = outcome.without(device.name());
        outcomes.entry(anywhere).or_insert_with(|| (device.name().to_owned(), outcome));
    }
    outcomes.into_values().collect()
}

/// All fixtures in a folder, then what they pack to, in one dialect after the other.
fn all(modules: &Path, out: &Path) -> Vec<Subject> {
    std::fs::create_dir(modules).unwrap();
    let mut all = subjects(modules);
    let dialects =
        [(Dialect::SpecConditional, "spec-conditional"), (Dialect::FunctionVariants, "function-variants")];
    let [conditional, variants] = dialects.map(|dialect| packed(&all, dialect, out));
    all.extend(conditional.into_iter().step_by(2));
    all.extend(variants.into_iter().skip(1).step_by(2));
    all
}

fn the_program_gives_what_the_library_gives() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let all = all(&folder.path().join("modules"), &out);
    let devices = devices();
    let mut on: BTreeMap<String, Vec<(Subject, SubjectResult)>> = BTreeMap::new();
    for subject in &all {
        for (device, outcome) in subject.with(|module| specialized(module, &devices)) {
            on.entry(device).or_default().push((subject.clone(), outcome));
        }
    }
    let mut seen = BTreeSet::new();
    for (device, outcomes) in on {
        seen.extend(outcomes.iter().map(|(_, outcome)| outcome.status()));
        compare(&["specialize", "--device", &device], outcomes, &out);
    }
    // With only an architecture, conditions stay undecided: an error only if the user requests it.
    let open = DeviceParts::new().device("arch:intel_gpu_pvc").to_device(None).unwrap();
    let as_is = (Settings::new(), &[][..]);
    for (settings, more) in [as_is, (Settings::new().unset(UnsetPolicy::Error), &["--unset", "error"])] {
        let one = |subject: &Subject| {
            subject
                .with(|module| SubjectResult::specialized(&Prepared::new(module).unwrap(), &open, &settings))
        };
        let outcomes: Vec<_> = all.iter().map(|subject| (subject.clone(), one(subject))).collect();
        seen.extend(outcomes.iter().map(|(_, outcome)| outcome.status()));
        compare(&[&["specialize", "--device", "arch:intel_gpu_pvc"], more].concat(), outcomes, &out);
    }
    assert_eq!(seen, [0, 1, 3].into(), "modules, errors and refusals");
}

tests![the_program_gives_what_the_library_gives,];
