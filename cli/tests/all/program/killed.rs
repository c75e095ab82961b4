//! Runs that are killed while their results get their names.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::root;

use super::files::{fixture, names, program};

/// A command with its module in front of the options, and the results that get their names last, in this order.
struct KilledCommand {
    words: &'static [&'static str],
    options: &'static [&'static str],
    last: &'static [&'static str],
}

const COMMANDS: [KilledCommand; 3] = [
    KilledCommand {
        words: &["sycl", "post-link", "-q", "--mode", "kernel"],
        options: &[
            "-o",
            "spir64,out/a.table",
            "-o",
            "intel_gpu_pvc,out/b.table",
            "--force",
            "--depfile",
            "out/depfile",
        ],
        last: &["a.table", "b.table", "depfile"],
    },
    KilledCommand {
        words: &["split", "-q", "--mode", "kernel"],
        options: &["-o", "out/", "--force", "--map", "out/a.json", "--depfile", "out/depfile"],
        last: &["a.json", "depfile"],
    },
    KilledCommand {
        words: &["specialize", "-q", "--device", "x86_64", "--device", "intel_gpu_pvc"],
        options: &["-o", "out/", "--force", "--map", "out/a.json", "--depfile", "out/depfile"],
        last: &["a.json", "depfile"],
    },
];

/// If a run is killed while files get their names, each file is old or new. A table, a map and the depfile come last.
fn a_run_may_be_killed_between_renames() {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("libkill.so");
    let source = root().join("cli/tests/all/program/kill_at_rename.rs");
    let mut compile = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    compile.args(["--edition=2024", "--crate-type=cdylib", "-o"]).arg(&library).arg(source);
    assert!(compile.status().unwrap().success());
    COMMANDS.iter().for_each(|command| kill(command, folder.path(), &library));
}

fn kill(KilledCommand { words, options, last }: &KilledCommand, folder: &Path, library: &Path) {
    let out = folder.join("out");
    fs::create_dir(&out).unwrap();
    let run = |kill_at: usize| {
        let mut command = program();
        command.args(*words).arg(fixture()).args(*options).current_dir(folder);
        command.env("LD_PRELOAD", library).env("KILL_AT_RENAME", kill_at.to_string()).output().unwrap()
    };
    let output = run(usize::MAX);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let results = names(&out);
    assert!(results.len() > last.len() + 1, "{results:?}");
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
        for (name, earliest) in last.iter().zip(results.len() - last.len()..) {
            assert_eq!(
                renamed.iter().any(|renamed| renamed == name),
                kill_at > earliest,
                "{name} in {renamed:?}"
            );
        }
        let hidden = names(&out).into_iter().filter(|name| name.starts_with('.'));
        hidden.for_each(|name| fs::remove_file(out.join(name)).unwrap());
    }
    fs::remove_dir_all(out).unwrap();
}

tests![a_run_may_be_killed_between_renames];
