//! Commands that run elsewhere, as on the machines of a build system: what they write follows from their inputs and their command line alone
//! (docs/scale.md).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, SystemTime};

use crate::common::root;

/// A command and the inputs that it declares, fixtures by their paths there: below the folder that it runs in, files lie as below this project's.
/// What it writes is below `out`. `DEPFILE` is replaced by the option with its file.
const COMMANDS: [(&str, &[&str]); 18] = [
    ("pack fixtures/glsl/reduce.spv -o out/reduce.spv DEPFILE", &["glsl/reduce.spv"]),
    (
        "pack fixtures/annotations/guarded.spv --annotations fixtures/annotations/guarded.yaml --embed c -o out/guarded.h DEPFILE",
        &["annotations/guarded.spv", "annotations/guarded.yaml"],
    ),
    (
        "pack fixtures/opencl -o out/ DEPFILE",
        &["opencl/plain.spv", "opencl/device_if.spv", "opencl/many.spv"],
    ),
    (
        "specialize fixtures/glsl/reduce.spv --device intel_gpu_bmg_g21 -o out/pvc.spv DEPFILE",
        &["glsl/reduce.spv"],
    ),
    (
        "specialize fixtures/opencl/device_if.spv --device intel_gpu_* --dedupe --map out/map.json -o out/ DEPFILE",
        &["opencl/device_if.spv"],
    ),
    (
        "specialize fixtures/spec/precision.spv --set 0:false --set 1:true --set 2:0,1 --trim --strip -o out/ DEPFILE",
        &["spec/precision.spv"],
    ),
    // Refused: nothing is written.
    (
        "specialize fixtures/opencl/plain.spv --device intel_gpu_acm_g10 -o out/acm.spv DEPFILE",
        &["opencl/plain.spv"],
    ),
    ("trim fixtures/glsl/reduce.spv -o out/trimmed.spv DEPFILE", &["glsl/reduce.spv"]),
    ("split fixtures/opencl/many.spv --mode kernel -o out/many/ DEPFILE", &["opencl/many.spv"]),
    (
        "merge fixtures/merge/scale-fp16.spv=fp16 fixtures/merge/scale.spv=else -o out/merged.spv DEPFILE",
        &["merge/scale-fp16.spv", "merge/scale.spv"],
    ),
    (
        "sycl post-link fixtures/program/means.spv fixtures/program/sums.spv --jit pack --target spir64,nvidia_gpu_sm_50 -o out/app.table DEPFILE",
        &["program/means.spv", "program/sums.spv"],
    ),
    (
        "sycl add-on fixtures/program/means.spv fixtures/program/sums.spv --mode kernel -o out/add.table DEPFILE",
        &["program/means.spv", "program/sums.spv"],
    ),
    (
        "inspect fixtures/opencl fixtures/glsl/reduce.spv --format json --details -o out/report.json",
        &["opencl/many.spv", "glsl/reduce.spv"],
    ),
    ("inspect fixtures/glsl/reduce.spv --format html -o out/report.html", &["glsl/reduce.spv"]),
    ("inspect fixtures/glsl/reduce.spv --devices *", &["glsl/reduce.spv"]),
    (
        "check fixtures/check/hw-g.spv --fixed-targets intel_gpu_acm_g10 --format sarif -o out/check.sarif",
        &["check/hw-g.spv"],
    ),
    ("condition fp16&&!arch(intel_gpu_pvc)", &[]),
    ("man out/", &[]),
];

/// Variables that other programs heed, with values that would show.
const ENVIRONMENT: [(&str, &str); 12] = [
    ("HOME", "/nonexistent/home"),
    ("TMPDIR", "/nonexistent/temporary"),
    ("PATH", "/nonexistent/bin"),
    ("LANG", "tr_TR.UTF-8"),
    ("LC_ALL", "tr_TR.UTF-8"),
    ("TZ", "Pacific/Kiritimati"),
    ("SOURCE_DATE_EPOCH", "86400"),
    ("USER", "somebody"),
    ("TERM", "xterm-256color"),
    ("COLUMNS", "20"),
    ("RAYON_NUM_THREADS", "1"),
    ("RUST_LOG", "trace"),
];

/// The files below a folder, by their paths there.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut contents = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    let name = path.strip_prefix(folder).unwrap().to_owned();
                    contents.insert(name, fs::read(&path).unwrap());
                }
            }
        }
    }
    contents
}

/// Makes the folder in which a command runs, with only its inputs. They are a number of seconds old.
fn lay_out(folder: &Path, inputs: &[&str], age: u64) {
    fs::create_dir_all(folder.join("out")).unwrap();
    for input in inputs {
        let name = Path::new("fixtures").join(input);
        let to = folder.join(&name);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(&to, fs::read(root().join(&name)).unwrap()).unwrap();
        let file = fs::File::options().append(true).open(&to).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
    }
}

fn run(line: &str, folder: &Path, environment: &[(&str, &str)]) -> Output {
    let line = line.replace("DEPFILE", "--depfile out/depfile");
    let mut command = Command::new(env!("CARGO_BIN_EXE_spirv-if"));
    command.args(line.split(' ')).current_dir(folder).stdin(Stdio::null());
    command.env_clear().envs(environment.iter().copied()).output().unwrap()
}

/// The outputs and inputs of a rule. None of the names here has a blank.
fn rule(depfile: &[u8]) -> [BTreeSet<PathBuf>; 2] {
    let text = String::from_utf8(depfile.to_vec()).unwrap();
    let (outputs, inputs) = text.split_once(": ").unwrap();
    [outputs, inputs].map(|names| names.split_whitespace().map(PathBuf::from).collect())
}

fn results_follow_from_inputs_alone() {
    for (line, inputs) in COMMANDS {
        let place = tempfile::tempdir().unwrap();
        let here = place.path().join("here");
        let there = place.path().join("there, below/other folders");
        lay_out(&here, inputs, 1_000_000_000);
        lay_out(&there, inputs, 10);
        let (one, other) = (run(line, &here, &[]), run(line, &there, &ENVIRONMENT));
        let stderr = String::from_utf8_lossy(&one.stderr).into_owned();
        assert!(one.status.code().is_some_and(|status| [0, 3].contains(&status)), "{line}: {stderr}");
        assert_eq!(one.status, other.status, "{line}");
        assert_eq!(stderr, String::from_utf8_lossy(&other.stderr), "{line}");
        assert!(one.stdout == other.stdout, "{line} prints something else");
        let written = files(&here);
        assert!(written == files(&there), "{line} writes something else elsewhere");

        // Inputs stay, and a rule has all that was read and written.
        let declared: BTreeSet<PathBuf> =
            inputs.iter().map(|name| Path::new("fixtures").join(name)).collect();
        for name in &declared {
            let original = fs::read(root().join(name)).unwrap();
            assert!(written[name] == original, "{line} changes {}", name.display());
        }
        let outputs: BTreeSet<PathBuf> =
            written.keys().filter(|name| !declared.contains(*name)).cloned().collect();
        assert!(outputs.iter().all(|name| name.starts_with("out")), "{line}: {outputs:?}");
        if let Some(depfile) = written.get(Path::new("out/depfile")) {
            let [rule_outputs, rule_inputs] = rule(depfile);
            assert_eq!(rule_inputs, declared, "{line}");
            let others = outputs.iter().filter(|name| **name != *"out/depfile").cloned().collect();
            assert_eq!(rule_outputs, others, "{line}");
        } else {
            assert!(!line.contains("DEPFILE") || outputs.is_empty(), "{line} wrote {outputs:?} and no rule");
        }
        assert!(!outputs.is_empty() || !one.stdout.is_empty() || one.status.code() == Some(3), "{line}");

        // Results of an earlier run are not inputs.
        let again = run(line, &here, &[]);
        assert_eq!((again.status, &again.stderr), (one.status, &one.stderr), "{line}");
        assert!(files(&here) == written, "{line} writes something else the second time");
    }
}

tests![results_follow_from_inputs_alone,];
