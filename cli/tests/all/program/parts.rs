//! Modules in folders, and inside of other files: every command that reads modules takes them as it takes the modules themselves.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use crate::common::root;

/// An LLVM offload binary with two modules: `scripts/test-offload.sh --fixture` writes it.
const OFFLOAD: &str = "fixtures/opencl/offload.bin";
const FIRST: &str = "fixtures/opencl/plain.spv";
const SECOND: &str = "fixtures/check/hw.spv";

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_spirv-if")).args(arguments).current_dir(root()).output().unwrap()
}

/// Returns the files that a command writes to a folder: names and contents.
fn written(arguments: &[&str], input: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("out.spv");
    let output = output.to_str().unwrap();
    let fill = |argument: &&str| argument.replace("IN", input).replace("OUT", output);
    let arguments: Vec<String> = arguments.iter().map(fill).collect();
    let ran = run(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(ran.status.success(), "{arguments:?}\n{}", String::from_utf8_lossy(&ran.stderr));
    let mut files = Vec::new();
    for entry in fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read(&path).unwrap();
        // The table of a program names its files.
        let shown = String::from_utf8_lossy(&text).replace(folder.path().to_str().unwrap(), "");
        let is_text = path.extension().is_some_and(|extension| extension == "table");
        let content = if is_text { shown.into_bytes() } else { text };
        files.push((PathBuf::from(path.file_name().unwrap()), content));
    }
    if files.is_empty() {
        files.push((PathBuf::new(), ran.stdout));
    }
    files.sort();
    files
}

fn every_command_takes_a_part_of_a_file() {
    let commands: [&[&str]; 7] = [
        &["pack", "-q", "IN", "-o", "OUT"],
        &["specialize", "-q", "IN", "--device", "intel_gpu_pvc", "-o", "OUT"],
        &["trim", "-q", "IN", "-o", "OUT"],
        &["split", "-q", "IN", "-o", "OUT"],
        &["merge", "-q", "IN=fp16", "fixtures/check/hw.spv=else", "-o", "OUT"],
        &["sycl", "post-link", "-q", "IN", "-o", "OUT.table"],
        &["check", "-q", "IN", "--format", "github"],
    ];
    for arguments in commands {
        let expected = written(arguments, SECOND);
        assert!(expected.iter().map(|(_, content)| content.len()).sum::<usize>() > 0, "{arguments:?}");
        for part in ["1", "0x19f0", "generic", "spirv64-unknown-*"] {
            let input = format!("{OFFLOAD}:{part}");
            let mut results = written(arguments, &input);
            if arguments[0] == "check" {
                let text = String::from_utf8(results[0].1.clone()).unwrap();
                // Warnings name the file of the module, and contain offsets.
                assert!(text.contains(OFFLOAD) && text.contains("at 0x32b8"), "{text}");
                continue;
            }
            if arguments[0] == "split" || arguments[0] == "sycl" {
                // Without annotations, a function is of the translation unit that its module is named for.
                results.iter_mut().for_each(|(_, content)| *content = without(content, &input));
            }
            assert!(results == expected, "{arguments:?} of {input}");
        }
    }
}

fn without(content: &[u8], name: &str) -> Vec<u8> {
    match String::from_utf8(content.to_vec()) {
        Ok(text) => text.replace(name, SECOND).into_bytes(),
        Err(_) => content.to_vec(),
    }
}

/// Several parts at once, whose results are named for them.
fn results_are_named_for_parts() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().to_str().unwrap();
    let first = format!("{OFFLOAD}:0");
    let second = format!("{OFFLOAD}:spirv64-unknown-*");
    assert!(run(&["trim", "-q", &first, &second, "-o", output]).status.success());
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let trimmed = |module: &str| run(&["trim", "-q", module, "-o", "-"]).stdout;
    assert!(read("offload.bin.0.spv") == trimmed(FIRST));
    assert!(read("offload.bin.spirv64-unknown-_.spv") == trimmed(SECOND));
}

fn parts_that_are_not_there_are_errors() {
    for (part, status, message) in [
        ("2", 1, "it has no module of index 2: it has 2, counted from 0"),
        ("0x98f", 1, "it has no module at offset 0x98f"),
        ("spirv*", 1, "several of its modules are for `spirv*`: those at 0x98, 0x19f0"),
        (
            "nvptx64",
            1,
            "its offload images are for spirv64-intel-unknown (bmg_g21), spirv64-unknown-unknown (generic)",
        ),
        ("0x", 2, "`0x` is neither an index, an offset as in 0x1234, nor a target"),
    ] {
        for command in ["check", "inspect"] {
            let output = run(&[command, &format!("{OFFLOAD}:{part}")]);
            let text = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(status), "{text}");
            assert!(text.contains(message), "{part}: {text}");
        }
    }
    let output = run(&["check", OFFLOAD]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("an LLVM offload binary: name a module in it by its index as in FILE:0"), "{text}");
}

/// A file whose name has a colon is itself.
fn a_file_that_exists_is_no_part() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.spv");
    fs::copy(root().join(FIRST), &path).unwrap();
    fs::copy(root().join(SECOND), folder.path().join("a.spv:0")).unwrap();
    let whole = run(&["trim", "-q", &format!("{}:0", path.display()), "-o", "-"]).stdout;
    assert!(whole == run(&["trim", "-q", SECOND, "-o", "-"]).stdout);
}

/// A folder means all modules below it, in any number.
fn folders_are_their_modules() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("in/deep/er")).unwrap();
    fs::copy(root().join(FIRST), path("in/plain.spv")).unwrap();
    fs::write(path("in/readme.txt"), "no module").unwrap();
    let (input, output) = (path("in"), path("out"));
    let (input, output) = (input.to_str().unwrap(), output.to_str().unwrap());
    let trim = || run(&["trim", "-q", input, "-o", output]);
    assert!(trim().status.success());
    assert!(path("out/plain.spv").is_file(), "one module in a folder has a folder of results");
    fs::copy(root().join(SECOND), path("in/deep/er/hw.spv")).unwrap();
    assert!(trim().status.success());
    assert!(fs::read(path("out/hw.spv")).unwrap() == run(&["trim", "-q", SECOND, "-o", "-"]).stdout);
    // In the order of names, folders included.
    let checked = String::from_utf8(run(&["inspect", input, "--format", "json"]).stdout).unwrap();
    let at = |name: &str| checked.find(name).unwrap_or_else(|| panic!("no {name}: {checked}"));
    assert!(at("deep/er/hw.spv") < at("in/plain.spv"));
    let empty = path("in/deep/none");
    fs::create_dir(&empty).unwrap();
    let refused = run(&["check", empty.to_str().unwrap()]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("has the extension `.spv`"));
}

tests![
    a_file_that_exists_is_no_part,
    every_command_takes_a_part_of_a_file,
    folders_are_their_modules,
    parts_that_are_not_there_are_errors,
    results_are_named_for_parts,
];
