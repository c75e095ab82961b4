//! Completions, man pages and help: of every command, made of the same descriptions.

use std::path::Path;
use std::process::Command;

use crate::common::root;

fn run(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_spirv-if")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The commands that the help lists.
fn commands() -> Vec<String> {
    let help = run(&["help"]);
    let listed = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = listed.lines().filter_map(|line| line.split_whitespace().next());
    let names: Vec<String> = names.filter(|name| *name != "help").map(str::to_owned).collect();
    assert!(names.len() > 10, "{names:?}");
    names
}

fn help_of_a_command_is_its_help() {
    for name in commands() {
        assert_eq!(run(&["help", &name]), run(&[&name, "--help"]));
    }
    assert_eq!(run(&["help", "sycl", "filter"]), run(&["sycl", "filter", "--help"]));
}

fn scripts_ask_the_program() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run(&["completions", shell]);
        assert!(script.contains("SPIRV_IF_COMPLETE") && script.contains(shell), "{shell}: {script}");
        let mut asked = Command::new(env!("CARGO_BIN_EXE_spirv-if"));
        asked.args(["--", "spirv-if", "inspect", "--devices", "x86"]).env("SPIRV_IF_COMPLETE", shell);
        let output = asked.env("_CLAP_COMPLETE_INDEX", "3").output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "x86_64\nx86_64_avx512", "{shell}");
    }
}

/// Returns the words that bash suggests in place of the last one, in the folder of fixtures.
fn suggested(words: &[&str]) -> Vec<String> {
    let count = words.len() - 1;
    let (word, before) = (words[count], words[count - 1]);
    let text = format!(
        "source <(spirv-if completions bash); COMP_WORDS=({}); COMP_CWORD={count}; \
         $(complete -p spirv-if | sed 's/.*-F \\([^ ]*\\).*/\\1/') spirv-if '{word}' '{before}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        words.join(" ")
    );
    let program = Path::new(env!("CARGO_BIN_EXE_spirv-if")).parent().unwrap().to_owned();
    let inherited = std::env::var_os("PATH").unwrap();
    let path = std::env::join_paths([program].into_iter().chain(std::env::split_paths(&inherited))).unwrap();
    let mut bash = Command::new("bash");
    bash.args(["--norc", "-c", &text]).env("PATH", path).current_dir(root().join("fixtures"));
    let output = bash.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

fn bash_completes() {
    let cases: [(&[&str], &[&str]); 10] = [
        (&["spirv-if", "insp"], &["inspect"]),
        (&["spirv-if", "check", "--deny"], &["--deny-warnings"]),
        (&["spirv-if", "inspect", "--format", "sa"], &["sarif"]),
        (&["spirv-if", "pack", "glsl/tin"], &["glsl/tint.comp", "glsl/tint.spv"]),
        (&["spirv-if", "inspect", "--devices", "intel_gpu_bmg"], &["intel_gpu_bmg_g21", "intel_gpu_bmg_g31"]),
        (&["spirv-if", "inspect", "--require-devices", "x86_64,intel_gpu_dg"], &["x86_64,intel_gpu_dg1"]),
        (&["spirv-if", "specialize", "--capabilities", "Shader,Float16B"], &["Shader,Float16Buffer"]),
        (&["spirv-if", "devices", "--aspect", "fp1"], &["fp16"]),
        (&["spirv-if", "specialize", "spec/precision.spv", "--set", "use_"], &["use_double:", "use_half:"]),
        (&["spirv-if", "specialize", "spec/precision.spv", "--leave", "1"], &["1", "10", "11"]),
    ];
    for (words, expected) in cases {
        let mut suggested = suggested(words);
        suggested.sort();
        assert_eq!(suggested, expected, "{words:?}");
    }
}

fn every_command_has_a_man_page() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    assert_eq!(run(&["man", pages.to_str().unwrap()]), "");
    for name in commands().iter().map(String::as_str).chain(["sycl-filter", "devices-probe"]) {
        let page = std::fs::read_to_string(pages.join(format!("spirv-if-{name}.1"))).unwrap();
        assert!(page.contains(".SH NAME") && page.contains(".SH SYNOPSIS"), "{name}: {page}");
    }
    let page = std::fs::read_to_string(pages.join("spirv-if-inspect.1")).unwrap();
    assert!(page.contains(r"\-\-require\-devices"), "{page}");
    assert!(pages.join("spirv-if.1").is_file());
}

/// Lines of examples stay as they are, and every option has its help.
fn man_pages_have_examples_and_help() {
    let folder = tempfile::tempdir().unwrap();
    run(&["man", folder.path().to_str().unwrap()]);
    let mut count = 0;
    for name in commands() {
        let page = std::fs::read_to_string(folder.path().join(format!("spirv-if-{name}.1"))).unwrap();
        let page = page.replace(r"\-", "-").replace(r"\*(Aq", "'").replace(r"\\", r"\");
        let parts = page.split("\n.nf\n").skip(1).map(|part| part.split_once("\n.fi\n").unwrap().0);
        let kept: Vec<&str> = parts.flat_map(str::lines).collect();
        let help = run(&["help", &name]);
        // A command with commands of its own has none.
        let examples = help.split_once("\nExamples:\n").map_or("", |(_, examples)| examples);
        for line in examples.lines().filter(|line| line.starts_with("    spirv-if ")) {
            count += 1;
            assert!(kept.contains(&line), "{name}: {line} in {kept:?}");
        }
        assert!(!page.contains("\\fR\n\n.TP"), "{name}: an option without help: {page}");
    }
    assert!(count >= 20, "{count} examples");
}

/// Help on conditions shows every leaf that the parser knows.
fn help_shows_all_leaves() {
    let run = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_spirv-if")).arg("condition").args(arguments).output().unwrap()
    };
    let expected = String::from_utf8(run(&["&&"]).stderr).unwrap();
    let help = String::from_utf8(run(&["--help"]).stdout).unwrap();
    let leaves: Vec<&str> = expected.split('`').skip(1).step_by(2).filter(|text| text.len() > 1).collect();
    assert!(leaves.len() > 9, "{expected}");
    for leaf in leaves.into_iter().filter(|text| text.ends_with('(')) {
        assert!(help.contains(&format!(" {leaf}")), "{leaf}");
    }
}

tests![
    help_shows_all_leaves,
    bash_completes,
    every_command_has_a_man_page,
    help_of_a_command_is_its_help,
    man_pages_have_examples_and_help,
    scripts_ask_the_program,
];
