//! Runs that are killed while their results get their names.

use std::fs;
use std::process::Command;

use crate::common::root;

use super::files::{fixture, names, program};

/// If a run is killed while files get their names, each file is old or new. A table and the depfile come last.
fn a_run_may_be_killed_between_renames() {
    let folder = tempfile::tempdir().unwrap();
    let (library, out) = (folder.path().join("libkill.so"), folder.path().join("out"));
    let source = root().join("cli/tests/all/program/kill_at_rename.rs");
    let mut compile = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    compile.args(["--edition=2024", "--crate-type=cdylib", "-o"]).arg(&library).arg(source);
    assert!(compile.status().unwrap().success());
    fs::create_dir(&out).unwrap();
    let run = |kill_at: usize| {
        let mut command = program();
        command.args(["sycl", "post-link", "-q", "--mode", "kernel"]);
        command.arg(fixture()).args([
            "-o",
            "spir64,out/a.table",
            "-o",
            "intel_gpu_pvc,out/b.table",
            "--force",
        ]);
        command.args(["--depfile", "out/depfile"]).current_dir(folder.path());
        command.env("LD_PRELOAD", &library).env("KILL_AT_RENAME", kill_at.to_string()).output().unwrap()
    };
    let output = run(usize::MAX);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let results = names(&out);
    let contents: Vec<Vec<u8>> = results.iter().map(|name| fs::read(out.join(name)).unwrap()).collect();
    for kill_at in 0..results.len() {
        results.iter().for_each(|name| fs::write(out.join(name), "old").unwrap());
        assert_eq!(run(kill_at).status.code(), None, "it is killed");
        let mut renamed = Vec::new();
        for (name, new) in results.iter().zip(&contents) {
            match fs::read(out.join(name)).unwrap() {
                content if content == *new => renamed.push(name),
                content => assert!(content == b"old", "{name}"),
            }
        }
        assert_eq!(renamed.len(), kill_at);
        for (name, earliest) in [(".table", results.len() - 3), ("depfile", results.len() - 1)] {
            assert!(kill_at > earliest || !renamed.iter().any(|path| path.ends_with(name)), "{renamed:?}");
        }
        let hidden = names(&out).into_iter().filter(|name| name.starts_with('.'));
        hidden.for_each(|name| fs::remove_file(out.join(name)).unwrap());
    }
}

tests![a_run_may_be_killed_between_renames];
