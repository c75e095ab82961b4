//! The modules in `fixtures/headers`: as they are committed, and, where their compilers are, built anew with the headers of now.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use crate::common::words_of;

pub struct Built {
    /// As in `callables-O2`, and whether it was built anew.
    pub name: String,
    /// What spirv-val checks it as.
    pub environment: String,
    pub words: Vec<u32>,
}

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/headers")
}

/// The modules of a source, or of all, whose names are wanted.
pub fn built(wanted: impl Fn(&str) -> bool) -> Vec<Built> {
    let sources: BTreeSet<PathBuf> =
        std::fs::read_dir(folder()).unwrap().map(|file| file.unwrap().path()).collect();
    let new = tempfile::tempdir().unwrap();
    let mut found = Vec::new();
    for source in sources.iter().filter(|path| path.is_file() && path.extension().unwrap() != "spv") {
        let text = std::fs::read_to_string(source).unwrap();
        let environment = text.lines().find_map(|line| line.strip_prefix("// ENV: ")).unwrap();
        for (name, command) in text.lines().filter_map(|line| line.strip_prefix("// BUILD")?.split_once(": "))
        {
            let stem = source.file_stem().unwrap().to_str().unwrap();
            let name = if name.is_empty() { stem } else { name.trim() };
            if !wanted(name) {
                continue;
            }
            let mut add = |name: String, path: &Path| {
                let words = words_of(&std::fs::read(path).unwrap());
                found.push(Built { name, environment: environment.to_owned(), words });
            };
            add(name.to_owned(), &folder().join(format!("{name}.spv")));
            let output = new.path().join(format!("{name}.spv"));
            if build(command, source, &output) {
                add(format!("{name}, built anew"), &output);
            }
        }
    }
    assert!(!found.is_empty(), "fixtures are missing");
    found
}

/// The compilers that the fixtures and the pages name.
pub const COMPILERS: [&str; 4] = ["clang", "llvm-spirv", "glslangValidator", "slangc"];

/// The folder of a compiler: of the one that the environment names (CLANG and so on), or that scripts/setup-tools.sh brought. Where
/// it is missing, says so once.
pub fn compiler(name: &str) -> Option<PathBuf> {
    static MISSING: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let variable = name.to_uppercase().replace('-', "_");
    let own = folder().join("../../target/tools/bin").join(name);
    let path = std::env::var_os(&variable).map_or(own, PathBuf::from);
    if path.exists() {
        return Some(path.parent().unwrap().to_path_buf());
    }
    if MISSING.lock().unwrap().insert(name.to_owned()) {
        let how = format!("run scripts/setup-tools.sh --compilers or set {variable}");
        // Straight to stderr: the test harness hides what a passing test prints.
        let _ = writeln!(std::io::stderr(), "LEFT OUT: building fixtures/headers anew with {name}: {how}");
    }
    None
}

/// Runs a BUILD line; not where a compiler is missing.
fn build(command: &str, source: &Path, output: &Path) -> bool {
    let mut path = vec![Path::new(env!("CARGO_BIN_EXE_spirv-if")).parent().unwrap().to_path_buf()];
    for name in COMPILERS.iter().filter(|name| command.split([' ', '|']).any(|word| word == **name)) {
        let Some(folder) = compiler(name) else { return false };
        path.push(folder);
    }
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    let file = source.file_name().unwrap().to_str().unwrap();
    let command = command.replace("%s", file).replace("%o", "\"$0\"");
    let result = Command::new("bash")
        .args(["-c", &command])
        .arg(output)
        .current_dir(folder())
        .env("PATH", std::env::join_paths(path).unwrap())
        .output()
        .unwrap();
    assert!(result.status.success(), "{file}: {command}\n{}", String::from_utf8_lossy(&result.stderr));
    true
}
