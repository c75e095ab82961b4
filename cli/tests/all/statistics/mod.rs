//! `inspect --statistics`, with compilers of GPUs that are not there, and with ones that fail.

mod stages;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use libtest_mimic::Trial;
use serde_json::Value;

use crate::common::root;
use crate::registry::{ignored_without, needing_tools};

/// Compilers below `target/tools`, and the figures that each tells, in the order of their names.
const COMPILERS: [(&str, &[&str]); 5] = [
    (
        "compilers/mesa-navi31",
        &[
            "code_size",
            "cycles",
            "instructions",
            "occupancy",
            "registers",
            "scalar_registers",
            "scratch",
            "spills",
        ],
    ),
    ("compilers/mesa-adreno740", &["code_size", "instructions", "occupancy", "registers", "spills"]),
    (
        "compilers/mesa-ampere",
        &["code_size", "cycles", "instructions", "occupancy", "registers", "scratch", "spills"],
    ),
    ("compilers/mesa-m1", &["code_size", "instructions", "occupancy", "registers", "scratch", "spills"]),
    ("drivers/vulkan-lavapipe", &[]),
];

/// Shaders that all these devices run, of each kind of pipeline that is made; the first have constants that decide branches.
const SHADERS: [&str; 5] = [
    "fixtures/flags/flags.spv",
    "fixtures/layers/blend.spv",
    "fixtures/layers/way.spv",
    "fixtures/layers/triangle.spv",
    "fixtures/stages/linked.spv",
];

pub fn trials() -> Vec<Trial> {
    let mut trials = program_trials();
    let tools = root().join("target/tools");
    for (compiler, told) in COMPILERS {
        let path = tools.join(compiler);
        let missing = (!path.exists()).then_some("scripts/setup.sh drivers");
        let title = format!("statistics::{}", compiler.rsplit('/').next().unwrap());
        let trial = needing_tools(title, move || {
            compiles_variants(&path, told);
            Ok(())
        });
        trials.push(ignored_without(trial, missing));
    }
    trials.extend(stages::trials());
    let ocloc = tools.join("bin/ocloc");
    let missing = (!ocloc.exists()).then_some("scripts/setup.sh drivers");
    let trial = needing_tools("statistics::ocloc".to_owned(), move || {
        compiles_kernels(&ocloc);
        Ok(())
    });
    trials.push(ignored_without(trial, missing));
    trials
}

fn run(command: &mut Command, arguments: &[&str]) -> Output {
    command.arg("inspect").args(arguments).current_dir(root()).output().unwrap()
}

/// Returns the command of the program that sees one driver. Where that is lavapipe, it does not optimize code that nothing runs and nobody counts.
fn program_with(driver: &Path) -> Command {
    let mut command = Command::new(driver);
    command.arg(env!("CARGO_BIN_EXE_spirv-if")).env("GALLIVM_PERF", "nopt");
    command
}

fn with_driver(driver: &Path, arguments: &[&str]) -> Output {
    run(&mut program_with(driver), arguments)
}

fn with_ocloc(ocloc: &Path, arguments: &[&str]) -> Output {
    run(Command::new(env!("CARGO_BIN_EXE_spirv-if")).env("OCLOC", ocloc), arguments)
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns the statistics of the only module of each file.
fn statistics_of_files(output: &Output) -> Vec<Value> {
    assert!(output.status.success(), "{}", stderr(output));
    let mut json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let files = json["files"].as_array_mut().unwrap();
    files.iter_mut().map(|file| file["modules"][0]["statistics"].take()).collect()
}

/// Returns the statistics of the only module.
fn statistics(output: &Output) -> Value {
    let [statistics] = statistics_of_files(output).try_into().unwrap();
    statistics
}

fn compiles_variants(driver: &Path, told: &[&str]) {
    let mut variants = 0;
    // The driver starts once for all.
    let arguments = [&SHADERS[..], &["--statistics", "probe:0", "--format", "json"]].concat();
    let of_files = statistics_of_files(&with_driver(driver, &arguments));
    assert_eq!(of_files.len(), SHADERS.len());
    for (shader, statistics) in SHADERS.into_iter().zip(of_files) {
        let check = |outcome: &Value| {
            let figures = outcome["figures"].as_object().unwrap_or_else(|| panic!("{shader}: {outcome}"));
            assert_eq!(figures.keys().collect::<Vec<_>>(), told, "{shader}");
            assert!(outcome["time_ns"].as_u64().unwrap() > 0);
            assert_eq!(outcome["executables"].as_array().unwrap().is_empty(), told.is_empty());
            if !told.is_empty() {
                assert!(figures["instructions"].as_u64().unwrap() > 0, "{shader}: {outcome}");
            }
        };
        check(&statistics["as_is"]);
        for variant in statistics["variants"].as_array().unwrap() {
            check(&variant["by_driver"]);
            check(&variant["cut"]);
            variants += 1;
            // What is cut has at most as many instructions, but for what the compiler finds in another order.
            if let Some(cut) = variant["cut"]["figures"]["instructions"].as_f64() {
                let by_driver = variant["by_driver"]["figures"]["instructions"].as_f64().unwrap();
                assert!(cut <= 3.0 + by_driver + by_driver / 20.0, "{shader}: {variant}");
            }
        }
    }
    assert!(variants > 10, "{variants}");
    // A module that the device does not run is a row.
    let output = with_driver(driver, &["fixtures/glsl/shade.spv", "--statistics", "probe:0"]);
    let text = stdout(&output);
    assert!(output.status.success() && text.contains("compiled by"), "{text}{}", stderr(&output));
    stages::kernels_have_no_pipeline(driver);
    let none = with_driver(driver, &["fixtures/layers/way.spv", "--statistics", "probe:7"]);
    assert_eq!(none.status.code(), Some(2), "{}", stderr(&none));
    assert!(stderr(&none).contains("no device `probe:7`"), "{}", stderr(&none));
}

fn compiles_kernels(ocloc: &Path) {
    let arguments = ["fixtures/flags/clflags-O2.spv", "--statistics", "ocloc:pvc", "--format", "json"];
    let of_gpu = statistics(&with_ocloc(ocloc, &arguments));
    assert_eq!(of_gpu["driver"], "ocloc for pvc");
    let variants = of_gpu["variants"].as_array().unwrap();
    assert!(variants.len() > 5 && variants.iter().all(|variant| variant.get("by_driver").is_none()));
    for outcome in variants.iter().map(|variant| &variant["cut"]).chain([&of_gpu["as_is"]]) {
        let figures = &outcome["figures"];
        assert!(figures["code_size"].as_u64().unwrap() > 0 && figures["registers"] == 128, "{outcome}");
    }
    let unknown = with_ocloc(
        ocloc,
        &["fixtures/flags/clflags-O2.spv", "--statistics", "ocloc:nobody", "--format", "json"],
    );
    assert_eq!(statistics(&unknown)["as_is"]["failure"]["kind"], "refused");
}

/// A program in the place of ocloc, which a shell runs.
fn fake_ocloc(folder: &Path, script: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("ocloc");
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn compilers_that_fail_are_rows() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["fixtures/flags/clflags-O2.spv", "--statistics", "ocloc:pvc"];
    for (script, kind, message) in [
        ("echo no such device; exit 5", "refused", "no such device"),
        ("kill -SEGV $$", "crashed", "signal: 11 (SIGSEGV) (core dumped): "),
    ] {
        let ocloc = fake_ocloc(folder.path(), script);
        let output = with_ocloc(&ocloc, &[&arguments[..], &["--format", "json"]].concat());
        let of_gpu = statistics(&output);
        let failure = &of_gpu["as_is"]["failure"];
        assert_eq!(failure["kind"], kind);
        let said = failure["message"].as_str().unwrap();
        assert_eq!(said.replace("(SIGSEGV):", "(SIGSEGV) (core dumped):"), message);
        assert!(of_gpu["variants"].as_array().unwrap().len() > 5 && of_gpu.get("advice").is_none());
        let text = stdout(&with_ocloc(&ocloc, &arguments));
        assert!(text.contains("\n    as it is         failed\n"), "{text}");
    }
    let missing = with_ocloc(Path::new("/nobody/has/this"), &arguments);
    let text = stdout(&missing);
    assert!(text.contains("as it is: not compiled: /nobody/has/this: "), "{text}");
}

fn modules_that_no_driver_compiles_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let packed = folder.path().join("packed.spv");
    let pack = Command::new(env!("CARGO_BIN_EXE_spirv-if"))
        .args(["pack", "-q", "fixtures/glsl/reduce.spv", "-o"])
        .arg(&packed)
        .current_dir(root())
        .status();
    assert!(pack.unwrap().success());
    let ocloc = fake_ocloc(folder.path(), "exit 1");
    let output = with_ocloc(&ocloc, &[packed.to_str().unwrap(), "--statistics", "ocloc:pvc"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("no driver compiles a packed module"), "{}", stderr(&output));
    let values = |values: &str| {
        let arguments = ["fixtures/flags/flags.spv", "--statistics", "ocloc:pvc", "--values", values];
        let output = with_ocloc(&ocloc, &arguments);
        assert!(!output.status.success(), "{values}");
        stderr(&output)
    };
    assert!(values("77:1").contains("the module has no SpecId 77: `spirv-if inspect -v` lists"));
    assert!(values("flags:1.5").contains("flags of type uint32 cannot be 1.5"));
    assert!(values("flags").contains("expected a constant and values"));
}

/// The script of the example finds what grew, and nothing else.
fn the_example_fails_where_registers_grow() {
    let folder = tempfile::tempdir().unwrap();
    let report = |registers: u32, spills: u32| {
        let outcome = |registers| serde_json::json!({ "time_ns": 1, "figures": { "registers": registers, "spills": spills }, "executables": [] });
        let variant = serde_json::json!({ "spec_id": 3, "value": true, "is_default": false, "size": 4, "cut": outcome(registers) });
        let statistics =
            serde_json::json!({ "driver": "a driver", "as_is": outcome(8), "variants": [variant] });
        let module = serde_json::json!({ "offset": 0, "statistics": statistics });
        let report = serde_json::json!({ "files": [{ "file": "a.spv", "modules": [module] }] });
        let path = folder.path().join(format!("{registers}-{spills}.json"));
        std::fs::write(&path, report.to_string()).unwrap();
        path
    };
    let run = |before: &Path, after: &Path| {
        let script = root().join("examples/statistics/grown.py");
        let output = Command::new("python3").arg(script).args([before, after]).output().unwrap();
        (output.status.code(), stdout(&output) + &stderr(&output))
    };
    let (small, large, spilling) = (report(16, 0), report(24, 0), report(16, 2));
    assert_eq!(run(&small, &small), (Some(0), String::new()));
    assert_eq!(run(&large, &small), (Some(0), String::new()));
    let grown = "a.spv at 0, a driver, 3 = True: registers 16 -> 24\n".to_owned();
    assert_eq!(run(&small, &large), (Some(1), grown));
    let (status, text) = run(&small, &spilling);
    assert_eq!((status, text.lines().count()), (Some(1), 2), "{text}");
}

/// The tests that need no compiler.
fn program_trials() -> Vec<Trial> {
    tests![
        compilers_that_fail_are_rows,
        modules_that_no_driver_compiles_are_errors,
        the_example_fails_where_registers_grow,
    ];
    trials()
}
