//! The README's commands print what it says they print.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A command, and what is said to come of it.
#[derive(Debug, PartialEq)]
struct Shown {
    command: String,
    output: String,
}

/// The blocks between fences.
fn blocks(text: &str) -> Vec<Vec<&str>> {
    let parts = text.split("\n```");
    parts.skip(1).step_by(2).map(|block| block.lines().skip(1).collect()).collect()
}

/// The commands of a text: after `$ `, or one that runs the program with cargo, whose output is the next block.
fn commands(text: &str) -> Vec<Shown> {
    let blocks = blocks(text);
    let mut shown: Vec<Shown> = Vec::new();
    for (at, lines) in blocks.iter().enumerate() {
        if let [line] = lines[..]
            && let Some(arguments) = line.strip_prefix("cargo run --release -- ")
        {
            let output = blocks[at + 1].iter().map(|line| format!("{line}\n")).collect();
            shown.push(Shown { command: format!("spirv-if {arguments}"), output });
            continue;
        }
        let mut in_command = false;
        for (number, line) in lines.iter().enumerate() {
            match (line.strip_prefix("$ "), shown.last_mut()) {
                (Some(command), _) => {
                    shown.push(Shown { command: command.to_owned(), output: String::new() });
                    in_command = true;
                }
                (None, Some(last)) if in_command && last.command.ends_with('\\') => {
                    last.command += &format!("\n{line}");
                }
                (None, Some(last)) if lines[..number].iter().any(|line| line.starts_with("$ ")) => {
                    in_command = false;
                    last.output += &format!("{line}\n");
                }
                _ => {}
            }
        }
    }
    shown
}

/// What needs more than the checkout: tests/drivers runs the examples, and ggml's library is Debian's.
fn needs_more(command: &str) -> bool {
    let starts = ["scripts/", "cargo ", "target/tools/"].iter().any(|start| command.starts_with(start));
    starts || command.contains("libggml")
}

#[test]
fn commands_print_what_stands_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let place = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(root.join("fixtures"), place.path().join("fixtures")).unwrap();
    std::fs::create_dir(place.path().join("target")).unwrap();
    let program = PathBuf::from(env!("CARGO_BIN_EXE_spirv-if"));
    let inherited = std::env::var_os("PATH").unwrap();
    let folders = [program.parent().unwrap().to_owned()];
    let path = std::env::join_paths(folders.into_iter().chain(std::env::split_paths(&inherited))).unwrap();
    let mut run = commands(&readme);
    run.retain(|shown| !needs_more(&shown.command));
    assert!(run.len() >= 8, "{run:?}");
    for Shown { command, output } in run {
        let mut shell = Command::new("bash");
        shell.args(["-c", &format!("exec 2>&1; {command}")]).current_dir(place.path()).env("PATH", &path);
        let printed = String::from_utf8(shell.output().unwrap().stdout).unwrap();
        // What stands above `...` is how it begins.
        match output.strip_suffix("...\n") {
            Some(first) => assert_eq!(printed.get(..first.len()), Some(first), "$ {command}"),
            None => assert_eq!(printed, output, "$ {command}"),
        }
    }
}

#[test]
fn commands_are_found() {
    let text = "a\n```\ncargo run --release -- pack x\n```\nb\n\n```\nnote: y\n```\n\n```rust\nlet a;\n```\n\n```\n$ spirv-if a \\\n  b\nout\n$ cat c\n```\n";
    let shown =
        |command: &str, output: &str| Shown { command: command.to_owned(), output: output.to_owned() };
    let expected =
        [shown("spirv-if pack x", "note: y\n"), shown("spirv-if a \\\n  b", "out\n"), shown("cat c", "")];
    assert_eq!(commands(text), expected);
}
