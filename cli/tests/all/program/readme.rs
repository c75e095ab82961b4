//! The commands of the README and of similar pages print the quoted output, and the commands of the index of examples succeed.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use libtest_mimic::Trial;

use super::headers::built::{By, compilers, folder_of, trials_of};
use crate::common::root;
use crate::registry::trial;

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

/// The commands of a text: after `$ `.
fn commands(text: &str) -> Vec<Shown> {
    let mut shown: Vec<Shown> = Vec::new();
    for lines in blocks(text) {
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

/// Prefix of commands that build the program before they run it.
const BUILD_AND_RUN: &str = "cargo run -- ";

/// Returns true if a command needs more than the checkout: cli/tests/all/drivers runs the examples, and ggml's library is Debian's.
fn needs_more(command: &str) -> bool {
    let starts = ["scripts/", "cargo ", "target/tools/"].iter().any(|start| command.starts_with(start));
    starts && !command.starts_with(BUILD_AND_RUN) || command.contains("libggml")
}

/// The shader that the README shows.
const SHADER: &str = "fixtures/glsl/tint.comp";

/// A folder in which commands run as in a checkout, with the README's shader beside.
struct CheckoutShell {
    place: tempfile::TempDir,
    path: std::ffi::OsString,
}

impl CheckoutShell {
    fn new() -> CheckoutShell {
        let place = tempfile::tempdir().unwrap();
        for (target, link) in [("fixtures", "fixtures"), ("include", "include"), (SHADER, "tint.comp")] {
            std::os::unix::fs::symlink(root().join(target), place.path().join(link)).unwrap();
        }
        std::fs::create_dir(place.path().join("target")).unwrap();
        let program = PathBuf::from(env!("CARGO_BIN_EXE_spirv-if"));
        let compilers = folder_of("glslangValidator");
        let folders = [program.parent().unwrap().to_owned()].into_iter().chain(compilers);
        let inherited = std::env::var_os("PATH").unwrap();
        let path = std::env::join_paths(folders.chain(std::env::split_paths(&inherited)));
        CheckoutShell { place, path: path.unwrap() }
    }

    /// Runs a command and returns its output. The program is the built one. Without compilers, the fixture takes the place of a compiled module.
    fn run(&self, by: By, command: &str) -> std::process::Output {
        let compiled = format!("cp {} tint.spv", SHADER.replace(".comp", ".spv"));
        let is_replaced = matches!(by, By::Us) && compilers(command).next().is_some();
        let command = if is_replaced { &compiled } else { &command.replace(BUILD_AND_RUN, "spirv-if ") };
        let mut shell = Command::new("bash");
        shell.args(["-c", &format!("exec 2>&1; {command}")]).current_dir(self.place.path());
        shell.env("PATH", &self.path).output().unwrap()
    }
}

/// The pages whose commands run, and how many each has at least.
const PAGES: [(&str, usize); 11] = [
    ("README.md", 8),
    ("docs/add-on-images.md", 6),
    ("docs/amd.md", 5),
    ("docs/ci.md", 4),
    ("docs/clspv.md", 2),
    ("docs/dxc.md", 2),
    ("docs/rust-gpu.md", 2),
    ("docs/specialization-constants.md", 6),
    ("docs/toolchains.md", 5),
    ("docs/troubleshooting.md", 8),
    ("docs/vulkan-engines.md", 7),
];

/// The text of a page.
fn page(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

fn commands_print_what_stands_there(by: By) {
    for (path, least) in PAGES {
        let mut run = commands(&page(path));
        run.retain(|shown| !needs_more(&shown.command));
        assert!(run.len() >= least, "{path}: {run:?}");
        let named: BTreeSet<&str> = run.iter().flat_map(|shown| compilers(&shown.command)).collect();
        if matches!(by, By::Compiler(compiler) if !named.contains(compiler)) {
            continue;
        }
        print_what_stands_there(by, path, run);
    }
}

/// In a folder of their own, one after the other.
fn print_what_stands_there(by: By, path: &str, commands: Vec<Shown>) {
    let shell = CheckoutShell::new();
    for Shown { command, output } in commands {
        let printed = String::from_utf8(shell.run(by, &command).stdout).unwrap();
        // The output begins with the lines above `...`.
        match output.strip_suffix("...\n") {
            Some(first) => assert_eq!(printed.get(..first.len()), Some(first), "{path}: $ {command}"),
            None => assert_eq!(printed, output, "{path}: $ {command}"),
        }
    }
}

/// The README shows the shader as its fixture has it, without the lines that say how to build it.
fn the_readme_shows_its_shader() {
    let fixture = page(SHADER);
    let code = &fixture[fixture.find("#version").unwrap()..];
    assert!(page("README.md").contains(&format!("\n```glsl\n{code}```\n")), "{SHADER} is not in README.md");
}

/// Runs the commands between backticks in the index of examples. Answers of drivers depend on the machine.
fn examples_succeed() {
    let text = page("examples/README.md");
    let commands: Vec<&str> =
        text.split('`').filter(|part| part.starts_with("spirv-if ") && !part.contains("probe")).collect();
    assert!(commands.len() >= 20, "{commands:?}");
    let shell = CheckoutShell::new();
    for command in commands {
        let output = shell.run(By::Us, command);
        assert!(output.status.success(), "$ {command}\n{}", String::from_utf8_lossy(&output.stdout));
    }
}

fn commands_are_found() {
    let text = "a\n```rust\nlet a;\n```\n\n```\n$ spirv-if a \\\n  b\nout\n$ cat c\n```\n";
    let shown =
        |command: &str, output: &str| Shown { command: command.to_owned(), output: output.to_owned() };
    assert_eq!(commands(text), [shown("spirv-if a \\\n  b", "out\n"), shown("cat c", "")]);
}

/// The tests of this module.
pub fn trials() -> Vec<Trial> {
    let module = module_path!();
    let compilers = ["glslangValidator"].into();
    let mut trials =
        trials_of(module, "commands_print_what_stands_there", &compilers, commands_print_what_stands_there);
    trials.extend([
        trial(module, "the_readme_shows_its_shader", the_readme_shows_its_shader),
        trial(module, "examples_succeed", examples_succeed),
        trial(module, "commands_are_found", commands_are_found),
    ]);
    trials
}
