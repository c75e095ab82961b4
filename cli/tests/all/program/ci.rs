//! The examples for continuous integration do what they say, on modules with the denied feature and without.

use std::path::Path;
use std::process::{Command, Output};

use serde_yaml::Value;

use crate::common::root;

tests![the_action_annotates_and_fails, the_hook_prints_only_what_is_denied];

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

/// Runs the steps of the action, as a runner does.
fn action(inputs: &[(&str, &str)]) -> Output {
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
    let mut last = None;
    for step in action["runs"]["steps"].as_sequence().unwrap() {
        let mut command = Command::new("bash");
        command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"].as_str().unwrap()]);
        for (name, value) in step.get("env").and_then(Value::as_mapping).into_iter().flatten() {
            let expression = value.as_str().unwrap();
            let name_of_input = expression.strip_prefix("${{ inputs.").unwrap().strip_suffix(" }}").unwrap();
            command.env(name.as_str().unwrap(), input(name_of_input));
        }
        last = Some(run(&mut command));
    }
    last.unwrap()
}

fn the_action_annotates_and_fails() {
    let workspace = root().display().to_string();
    let denied = action(&[("files", DENIED), ("deny", "cap(Float64)"), ("source-root", &workspace)]);
    let annotations = String::from_utf8(denied.stdout).unwrap();
    assert_eq!(denied.status.code(), Some(1), "{annotations}");
    assert!(annotations.starts_with("::error file=hw.clcpp,line=12,"), "{annotations}");
    let files = format!("{RIGHT} {DENIED}");
    let required =
        [("files", &*files), ("require-devices", "intel_gpu_acm_g10"), ("source-root", &workspace)];
    assert_eq!(action(&required).status.code(), Some(3));
    let right = action(&[("files", RIGHT), ("deny", "cap(Float64)"), ("source-root", &workspace)]);
    assert_eq!((right.status.code(), &*right.stdout), (Some(0), &b""[..]));
}

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
