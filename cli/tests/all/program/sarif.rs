//! Output of `--format sarif`: valid by the schema of SARIF 2.1.0, with the facts of the text for people.
//!
//! tests/sarif-2.1.0.schema.json is the OASIS committee's schema (its `$id` is the address), as the crate serde-sarif 0.8.0 has it. It is read here
//! by the few keywords that it uses; scripts/test-packages.sh reads it with a validator of its own.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::common::root;

const SCHEMA: &str = include_str!("../../sarif-2.1.0.schema.json");

/// A JSON schema of draft 7, as far as SARIF's goes.
struct Schema(Value);

impl Schema {
    /// Returns the place where a value breaks the schema as an error.
    fn check(&self, value: &Value) -> Result<(), String> {
        self.check_by(&self.0, value, "")
    }

    fn check_by(&self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        let fail = |what: &str| Err(format!("{at}: {what}: {value}"));
        for (keyword, rule) in schema.as_object().unwrap() {
            match keyword.as_str() {
                "$ref" => {
                    let pointer = rule.as_str().unwrap().strip_prefix('#').unwrap();
                    self.check_by(self.0.pointer(pointer).unwrap(), value, at)?;
                }
                "type" => {
                    let names = rule.as_array().map_or(std::slice::from_ref(rule), Vec::as_slice);
                    if !names.iter().any(|name| is_of_type(value, name.as_str().unwrap())) {
                        return fail(&format!("not of type {rule}"));
                    }
                }
                "enum" if !rule.as_array().unwrap().contains(value) => {
                    return fail(&format!("not one of {rule}"));
                }
                "required" => {
                    let Some(object) = value.as_object() else { continue };
                    for name in rule.as_array().unwrap() {
                        if !object.contains_key(name.as_str().unwrap()) {
                            return fail(&format!("without {name}"));
                        }
                    }
                }
                "properties" => {
                    for (name, value) in value.as_object().into_iter().flatten() {
                        if let Some(rule_of_member) = rule.get(name) {
                            self.check_by(rule_of_member, value, &format!("{at}/{name}"))?;
                        }
                    }
                }
                "additionalProperties" => {
                    for (name, value) in value.as_object().into_iter().flatten() {
                        let is_known =
                            schema.get("properties").is_some_and(|known| known.get(name).is_some());
                        match rule {
                            _ if is_known => {}
                            Value::Bool(true) => {}
                            Value::Bool(false) => return fail(&format!("unknown {name}")),
                            rule_of_others => {
                                self.check_by(rule_of_others, value, &format!("{at}/{name}"))?
                            }
                        }
                    }
                }
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check_by(rule, item, &format!("{at}/{index}"))?;
                    }
                }
                "minItems"
                    if value.as_array().is_some_and(|all| (all.len() as u64) < rule.as_u64().unwrap()) =>
                {
                    return fail("too few items");
                }
                "uniqueItems" if *rule == json!(true) => {
                    let all = value.as_array().map_or(&[][..], Vec::as_slice);
                    if all.iter().enumerate().any(|(at, item)| all[..at].contains(item)) {
                        return fail("an item twice");
                    }
                }
                "minimum" if value.as_f64().is_some_and(|number| number < rule.as_f64().unwrap()) => {
                    return fail("too little");
                }
                "maximum" if value.as_f64().is_some_and(|number| number > rule.as_f64().unwrap()) => {
                    return fail("too much");
                }
                "anyOf" => {
                    let mut all = rule.as_array().unwrap().iter();
                    if !all.any(|alternative| self.check_by(alternative, value, at).is_ok()) {
                        return fail("none of the alternatives");
                    }
                }
                "format" => {
                    let Some(text) = value.as_str() else { continue };
                    // All of RFC 3986's characters but a percent sign that begins no byte.
                    let is_allowed =
                        |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte);
                    match rule.as_str().unwrap() {
                        "uri" if text.contains(':') && text.bytes().all(is_allowed) => {}
                        "uri-reference" if text.bytes().all(is_allowed) => {}
                        format => return fail(&format!("no {format}")),
                    }
                }
                "enum" | "minItems" | "uniqueItems" | "minimum" | "maximum" | "description" | "default"
                | "title" | "$schema" | "$id" | "definitions" => {}
                // Nothing that we print has to match a pattern or exactly one of several.
                keyword => return fail(&format!("{keyword} is not read here")),
            }
        }
        Ok(())
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        other => panic!("type {other}"),
    }
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_spirv-if")).args(arguments).current_dir(folder).output().unwrap()
}

/// The log file that a command prints, and its exit status.
fn log(folder: &Path, arguments: &[&str]) -> (Value, i32) {
    let output = run(folder, &[arguments, &["--format", "sarif"]].concat());
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    (serde_json::from_slice(&output.stdout).unwrap(), output.status.code().unwrap())
}

fn schema() -> Schema {
    Schema(serde_json::from_str(SCHEMA).unwrap())
}

fn logs_are_valid_and_say_what_the_text_says() {
    let folder = tempfile::tempdir().unwrap();
    let module = std::fs::read(root().join("fixtures/check/hw.spv")).unwrap();
    let inside = folder.path().join("a library.so");
    std::fs::write(&inside, [&b"something else"[..], &module].concat()).unwrap();
    let inside = inside.to_str().unwrap();
    let check = ["check", "fixtures/check/hw-g.spv", "fixtures/check/hw.spv", "fixtures/opencl/plain.spv"];
    let targets = ["--fixed-targets", "intel_gpu_acm_g10,nvidia_gpu_sm_50"];
    let deny = ["inspect", "fixtures/check/hw-g.spv", inside, "--deny", "cap(Float64)"];
    let devices = ["--require-devices", "intel_gpu_acm_*"];
    let runs: [(Vec<&str>, i32); 5] = [
        (check.to_vec(), 0),
        ([&check[..], &targets, &["--deny-warnings"]].concat(), 1),
        (deny.to_vec(), 1),
        ([&deny[..3], &devices].concat(), 3),
        (vec!["inspect", "fixtures/glsl/reduce.spv", "--deny", "cap(Kernel)"], 0),
    ];
    let schema = schema();
    let mut places = 0;
    for (arguments, status) in runs {
        let (log, actual) = log(&root(), &arguments);
        assert_eq!(actual, status, "{arguments:?}");
        schema.check(&log).unwrap_or_else(|error| panic!("{arguments:?}: {error}"));
        let results = log.pointer("/runs/0/results").and_then(Value::as_array).unwrap();
        let text = run(&root(), &arguments);
        let text = String::from_utf8(text.stderr).unwrap();
        let level = if status == 0 { "warning" } else { "error" };
        // With --deny-warnings, warnings fail the command and are warnings to people.
        let word = if arguments[0] == "check" { "warning: " } else { "error: " };
        let lines: Vec<&str> = text.lines().filter(|line| line.contains(word)).collect();
        assert_eq!(lines.len(), results.len(), "{arguments:?}\n{text}");
        for (line, result) in lines.into_iter().zip(results) {
            assert_eq!(result["level"], level);
            let message = result["message"]["text"].as_str().unwrap().lines().next().unwrap();
            assert!(line.ends_with(message), "{line}: {result}");
            let place = &result["locations"][0]["physicalLocation"];
            let file = place["artifactLocation"]["uri"].as_str().unwrap();
            match place["region"]["startLine"].as_u64() {
                Some(start) => {
                    assert!(line.starts_with(&format!("./{file}:{start}")), "{line}: {result}");
                    places += 1;
                }
                None => {
                    let start = line.find(&file[file.len() - 6..]).unwrap();
                    assert!(
                        line.starts_with("spirv-if: ") && start < line.find(word).unwrap() + 90,
                        "{line}"
                    );
                }
            }
            let steps = result.pointer("/codeFlows/0/threadFlows/0/locations").and_then(Value::as_array);
            for step in steps.into_iter().flatten() {
                let function = step["location"]["message"]["text"].as_str().unwrap();
                assert!(text.lines().any(|line| line.trim_start().starts_with(function)), "{function}");
            }
        }
    }
    assert!(places > 10, "{places}");
}

/// The log of files with unreadable ones has the findings in the others, and states that not all was examined.
fn failures_are_told() {
    for (name, count) in [("check", 3), ("inspect", 0)] {
        let files = ["fixtures/check/hw.comp", "fixtures/check/hw-g.spv"];
        let output = run(&root(), &[&[name], &files[..], &["--format", "sarif"]].concat());
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stderr).contains("fixtures/check/hw.comp: "));
        let log: Value = serde_json::from_slice(&output.stdout).unwrap();
        schema().check(&log).unwrap();
        assert_eq!(log.pointer("/runs/0/invocations/0/executionSuccessful"), Some(&json!(false)));
        let results = log.pointer("/runs/0/results").and_then(Value::as_array).unwrap();
        assert_eq!(results.len(), count);
    }
}

/// An instruction without a place in the source: its offset in the file that the module is in, where the file has it.
fn offsets_are_those_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let module = std::fs::read(root().join("fixtures/check/hw.spv")).unwrap();
    let offset_of = |before: &[u8]| {
        std::fs::write(folder.path().join("a"), [before, &module].concat()).unwrap();
        let (log, _) = log(folder.path(), &["inspect", "a", "--deny", "cap(Float64)"]);
        let result = &log["runs"][0]["results"][0];
        let place = &result["locations"][0];
        let offset = place["physicalLocation"]["region"]["byteOffset"].as_u64().unwrap();
        let id = place["logicalLocations"][0]["name"].as_str().unwrap().strip_prefix('%').unwrap();
        (usize::try_from(offset).unwrap(), id.parse::<u32>().unwrap())
    };
    let (offset, id) = offset_of(b"");
    // OpFConvert, and its result.
    let word = |at: usize| u32::from_le_bytes(module[at..at + 4].try_into().unwrap());
    assert_eq!((word(offset), word(offset + 8)), (4 << 16 | 115, id));
    assert_eq!(offset_of(b"something"), (offset + 9, id));
}

fn a_broken_log_is_not_valid() {
    let (log, _) = log(&root(), &["check", "fixtures/check/hw-g.spv"]);
    let schema = schema();
    let broken = |pointer: &str, value: Value| {
        let mut log = log.clone();
        *log.pointer_mut(pointer).unwrap() = value;
        schema.check(&log).unwrap_err()
    };
    let location = "/runs/0/results/0/locations/0/physicalLocation";
    for (pointer, value, error) in [
        ("/version", json!("2.0.0"), "not one of"),
        ("/runs/0/tool", json!({}), "without \"driver\""),
        ("/runs/0/results/0/level", json!("bad"), "not one of"),
        ("/runs/0/results/0/message", json!("text"), "not of type"),
        (&format!("{location}/region"), json!({"line": 3}), "unknown line"),
        (&format!("{location}/region/startLine"), json!(0), "too little"),
        (&format!("{location}/artifactLocation/uri"), json!("a b"), "no uri-reference"),
    ] {
        let problem = broken(pointer, value);
        assert!(problem.contains(error), "{problem}");
    }
}

tests![
    a_broken_log_is_not_valid,
    failures_are_told,
    logs_are_valid_and_say_what_the_text_says,
    offsets_are_those_of_the_file,
];
