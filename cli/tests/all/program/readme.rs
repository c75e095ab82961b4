//! The commands of the README and of similar pages print the quoted output, and the commands of the index of examples succeed.

use std::path::PathBuf;
use std::process::Command;

use crate::common::root;

/// A command with its quoted output.
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

/// Returns true if a command needs more than the checkout: cli/tests/all/drivers runs the examples, and ggml's library is Debian's.
fn needs_more(command: &str) -> bool {
    let starts = ["scripts/", "cargo ", "target/tools/"].iter().any(|start| command.starts_with(start));
    starts || command.contains("libggml")
}

/// A folder in which commands run as in a checkout.
struct CheckoutShell {
    place: tempfile::TempDir,
    path: std::ffi::OsString,
}

impl CheckoutShell {
    fn new() -> CheckoutShell {
        let place = tempfile::tempdir().unwrap();
        let fixtures = root().join("fixtures");
        std::os::unix::fs::symlink(fixtures, place.path().join("fixtures")).unwrap();
        std::fs::create_dir(place.path().join("target")).unwrap();
        let program = PathBuf::from(env!("CARGO_BIN_EXE_spirv-if"));
        let inherited = std::env::var_os("PATH").unwrap();
        let folders = [program.parent().unwrap().to_owned()];
        let path = std::env::join_paths(folders.into_iter().chain(std::env::split_paths(&inherited)));
        CheckoutShell { place, path: path.unwrap() }
    }

    fn run(&self, command: &str) -> std::process::Output {
        let mut shell = Command::new("bash");
        shell.args(["-c", &format!("exec 2>&1; {command}")]).current_dir(self.place.path());
        shell.env("PATH", &self.path).output().unwrap()
    }
}

/// The pages whose commands run, and how many each has at least.
const PAGES: [(&str, usize); 4] =
    [("README.md", 8), ("docs/amd.md", 5), ("docs/add-on-images.md", 6), ("docs/ci.md", 2)];

/// The text of a page.
fn page(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

fn commands_print_what_stands_there() {
    for (path, least) in PAGES {
        let mut run = commands(&page(path));
        run.retain(|shown| !needs_more(&shown.command));
        assert!(run.len() >= least, "{run:?}");
        print_what_stands_there(run);
    }
}

/// In a folder of their own, one after the other.
fn print_what_stands_there(commands: Vec<Shown>) {
    let shell = CheckoutShell::new();
    for Shown { command, output } in commands {
        let printed = String::from_utf8(shell.run(&command).stdout).unwrap();
        // The output begins with the lines above `...`.
        match output.strip_suffix("...\n") {
            Some(first) => assert_eq!(printed.get(..first.len()), Some(first), "$ {command}"),
            None => assert_eq!(printed, output, "$ {command}"),
        }
    }
}

/// Runs the commands between backticks in the index of examples. Answers of drivers depend on the machine.
fn examples_succeed() {
    let text = page("examples/README.md");
    let commands: Vec<&str> =
        text.split('`').filter(|part| part.starts_with("spirv-if ") && !part.contains("probe")).collect();
    assert!(commands.len() >= 20, "{commands:?}");
    let shell = CheckoutShell::new();
    for command in commands {
        let output = shell.run(command);
        assert!(output.status.success(), "$ {command}\n{}", String::from_utf8_lossy(&output.stdout));
    }
}

fn commands_are_found() {
    let text = "a\n```\ncargo run --release -- pack x\n```\nb\n\n```\nnote: y\n```\n\n```rust\nlet a;\n```\n\n```\n$ spirv-if a \\\n  b\nout\n$ cat c\n```\n";
    let shown =
        |command: &str, output: &str| Shown { command: command.to_owned(), output: output.to_owned() };
    let expected =
        [shown("spirv-if pack x", "note: y\n"), shown("spirv-if a \\\n  b", "out\n"), shown("cat c", "")];
    assert_eq!(commands(text), expected);
}

tests![commands_print_what_stands_there, examples_succeed, commands_are_found];
