//! The examples for continuous integration do what they say, on modules with the denied feature and without.

use std::path::Path;
use std::process::{Command, Output};

use serde_yaml::Value;

use crate::common::root;

tests![
    the_action_accepts_a_baseline,
    the_action_annotates_and_fails,
    the_action_checks_every_file,
    the_examples_can_pass,
    the_hook_prints_only_what_is_denied,
];

const DENIED: &str = "fixtures/check/hw-g.spv";
const RIGHT: &str = "fixtures/glsl/reduce.spv";

fn example(path: &str) -> Value {
    serde_yaml::from_str(&std::fs::read_to_string(root().join("examples").join(path)).unwrap()).unwrap()
}

/// Runs a command of an example, with the program in the path.
fn run(command: &mut Command) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_spirv-if")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    command.env("PATH", path).current_dir(root()).output().unwrap()
}

/// Runs the steps of the action in a folder, as a runner does that has the program in its cache.
fn action_in(folder: &Path, inputs: &[(&str, &str)]) -> Output {
    let action = example("github-action/action.yml");
    let known = action["inputs"].as_mapping().unwrap();
    let input = |name: &str| {
        let default = known[name].get("default").and_then(Value::as_str);
        inputs
            .iter()
            .find(|(input, _)| *input == name)
            .map(|(_, value)| *value)
            .or(default)
            .unwrap()
            .to_owned()
    };
    let home = tempfile::tempdir().unwrap();
    let programs = home.path().join(".cache/spirv-if/bin");
    std::fs::create_dir_all(&programs).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_spirv-if"), programs.join("spirv-if")).unwrap();
    let outputs = home.path().join("outputs");
    let mut last = None;
    for step in action["runs"]["steps"].as_sequence().unwrap() {
        if let Some(used) = step.get("uses").and_then(Value::as_str) {
            assert!(used.starts_with("actions/cache@"), "{used}");
            assert_eq!(step["with"]["path"], "~/.cache/spirv-if");
            // The cache is that of these sources.
            let key = step["with"]["key"].as_str().unwrap();
            assert!(key.ends_with("-${{ steps.sources.outputs.hash }}"), "{key}");
            let outputs = std::fs::read_to_string(&outputs).unwrap();
            let hash = outputs.trim_end().strip_prefix("hash=").unwrap();
            assert!(hash.len() == 40 && hash.bytes().all(|digit| digit.is_ascii_hexdigit()), "{hash}");
            continue;
        }
        let mut command = Command::new("bash");
        command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"].as_str().unwrap()]);
        for (name, value) in step.get("env").and_then(Value::as_mapping).into_iter().flatten() {
            let expression = value.as_str().unwrap();
            let name_of_input = expression.strip_prefix("${{ inputs.").unwrap().strip_suffix(" }}").unwrap();
            command.env(name.as_str().unwrap(), input(name_of_input));
        }
        command.env("GITHUB_ACTION_PATH", root().join("examples/github-action"));
        command.env("HOME", home.path()).env("GITHUB_OUTPUT", &outputs).env("RUNNER_TEMP", home.path());
        let output = command.current_dir(folder).output().unwrap();
        let is_last = step["name"] == "Check";
        assert!(is_last || output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        last = Some(output);
    }
    last.unwrap()
}

fn action(inputs: &[(&str, &str)]) -> Output {
    let workspace = root().display().to_string();
    action_in(&root(), &[inputs, &[("source-root", &workspace)]].concat())
}

fn the_action_annotates_and_fails() {
    let denied = action(&[("files", DENIED), ("deny", "cap(Float64)")]);
    let annotations = String::from_utf8(denied.stdout).unwrap();
    assert_eq!(denied.status.code(), Some(1), "{annotations}");
    assert!(annotations.starts_with("::error file=hw.clcpp,line=12,"), "{annotations}");
    let files = format!("{RIGHT} {DENIED}");
    let required = [("files", &*files), ("require-devices", "intel_gpu_acm_g10")];
    assert_eq!(action(&required).status.code(), Some(3));
    let right = action(&[("files", RIGHT), ("deny", "cap(Float64)\n\ncap(Int64)\n")]);
    assert_eq!((right.status.code(), &*right.stdout), (Some(0), &b""[..]));
}

/// Several lines, globs and folders: each file is checked.
fn the_action_checks_every_file() {
    let folder = tempfile::tempdir().unwrap();
    let copy = |from: &str, to: &str| {
        let to = folder.path().join(to);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(root().join(from), to).unwrap();
    };
    copy(RIGHT, "good.spv");
    copy(DENIED, "deep/in/denied one.spv");
    let status = |files: &str| {
        let inputs = [("files", files), ("deny", "cap(Float64)"), ("source-root", "")];
        let output = action_in(folder.path(), &inputs);
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    };
    assert_eq!(status("good.spv\n").0, 0);
    let all = [
        "good.spv\ndeep/in/denied?one.spv\n",
        "deep good.spv",
        "good.spv\ndeep/**/*.spv",
        "good.spv ./**/d*.spv",
    ];
    for files in all {
        let (status, printed) = status(files);
        assert!(status == 1 && printed.starts_with("::error file=hw.clcpp,"), "{files}: {printed}");
    }
    // What is not checked is an error: no such file, nothing that a glob matches, no names, no module in it.
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    std::fs::write(folder.path().join("text.spv"), "text").unwrap();
    for files in ["good.spv\nnone.spv", "good.spv none*.spv", "good.spv\nempty", "good.spv\ntext.spv", " \n"]
    {
        let (status, printed) = status(files);
        // An empty folder is wrong usage, which nothing annotates.
        let is_annotated = printed.starts_with("::error") || files.ends_with("empty");
        assert!(status > 0 && is_annotated, "{files}: {status}, {printed}");
    }
    let without_rules = action_in(folder.path(), &[("files", "good.spv"), ("source-root", "")]);
    assert_eq!(without_rules.status.code(), Some(1));
}

fn the_action_accepts_a_baseline() {
    let folder = tempfile::tempdir().unwrap();
    let baseline = folder.path().join("baseline.json");
    let baseline = baseline.to_str().unwrap();
    let rules = ["--deny", "cap(Float64)", "--write-baseline", baseline];
    let written = run(Command::new("spirv-if").arg("inspect").arg(DENIED).args(rules));
    assert!(written.status.success());
    let inputs = [("files", DENIED), ("deny", "cap(Float64)"), ("baseline", baseline)];
    assert_eq!(action(&inputs).status.code(), Some(0));
    assert_eq!(
        action(&[&inputs[..], &[("require-devices", "intel_gpu_acm_g10")]].concat()).status.code(),
        Some(3)
    );
}

/// The devices of the examples run the smallest shader, and what the page has a workflow run works.
fn the_examples_can_pass() {
    let text = std::fs::read_to_string(root().join("examples/github-action/action.yml")).unwrap();
    let devices = text.lines().find_map(|line| line.strip_prefix("#       require-devices: ")).unwrap();
    assert_eq!(
        action(&[("files", "fixtures/ubershaders/filter.spv"), ("require-devices", devices)]).status.code(),
        Some(0)
    );
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("build")).unwrap();
    std::fs::copy(root().join("fixtures/ubershaders/filter.spv"), folder.path().join("build/filter.spv"))
        .unwrap();
    std::fs::write(folder.path().join("phone.json"), PHONE).unwrap();
    let page = std::fs::read_to_string(root().join("docs/ci.md")).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_spirv-if")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let (mut commands, mut actions) = (0, 0);
    for block in page.split("```yaml\n").skip(1) {
        let steps: Value = serde_yaml::from_str(block.split("```").next().unwrap()).unwrap();
        for step in steps.as_sequence().unwrap() {
            if let Some(command) = step.get("run").and_then(Value::as_str) {
                let mut bash = Command::new("bash");
                let output =
                    bash.args(["-ec", command]).env("PATH", &path).current_dir(folder.path()).output();
                let output = output.unwrap();
                assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
                commands += 1;
            } else if step["uses"].as_str().unwrap().contains("/examples/github-action") {
                let inputs: Vec<(&str, &str)> = step["with"]
                    .as_mapping()
                    .unwrap()
                    .iter()
                    .map(|(name, value)| (name.as_str().unwrap(), value.as_str().unwrap()))
                    .collect();
                let output = action_in(folder.path(), &[&inputs[..], &[("source-root", "")]].concat());
                assert!(output.status.success(), "{inputs:?}: {}", String::from_utf8_lossy(&output.stdout));
                actions += 1;
            }
        }
    }
    assert!(commands >= 3 && actions == 1, "{commands}, {actions}");
}

/// A Vulkan profile.
const PHONE: &str = r#"{
    "capabilities": { "base": { "features": { "VkPhysicalDeviceFeatures": { "shaderInt16": true } } } },
    "profiles": { "VP_TEST_phone": { "version": 1, "api-version": "1.3.204", "capabilities": ["base"] } }
}"#;

fn the_hook_prints_only_what_is_denied() {
    let config = example("pre-commit/.pre-commit-config.yaml");
    let hook = &config["repos"][0]["hooks"][0];
    let words = hook["entry"].as_str().unwrap().split(' ');
    let hook = |file: &str| {
        let mut words = words.clone();
        run(Command::new(words.next().unwrap()).args(words).arg(file))
    };
    let denied = hook(DENIED);
    assert_eq!((denied.status.code(), &*denied.stdout), (Some(1), &b""[..]));
    assert!(String::from_utf8(denied.stderr).unwrap().starts_with("./hw.clcpp:12:20: error: "));
    let right = hook(RIGHT);
    assert_eq!((right.status.code(), right.stdout.len() + right.stderr.len()), (Some(0), 0));
}
