//! The modules in `fixtures/headers`: as they are committed, and, where their compilers are, built anew with the headers of now.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;

use crate::common::{root, tool, words_of};
use crate::registry::{ignored_without, trial};

pub struct Built {
    /// As in `callables-O2`.
    pub name: String,
    /// Target environment for spirv-val.
    pub environment: String,
    pub words: Vec<u32>,
}

/// The folder of the fixtures that have one program in each language.
pub fn folder() -> PathBuf {
    root().join("fixtures/headers")
}

/// The folders of fixtures that use the headers.
const FOLDERS: [&str; 2] = ["fixtures/headers", "fixtures/decisions"];

/// The origin of the modules.
#[derive(Clone, Copy)]
pub enum By {
    /// The modules are the committed ones.
    Us,
    /// A compiler makes them anew: the last one that the line which builds them names.
    Compiler(&'static str),
}

/// The compilers that the fixtures and the pages name. One works on what those before it write.
pub const COMPILERS: [&str; 4] = ["clang", "llvm-spirv", "glslangValidator", "slangc"];

/// The compilers that a command names.
pub fn compilers(command: &str) -> impl Iterator<Item = &'static str> {
    COMPILERS.into_iter().filter(move |name| command.split([' ', '|']).any(|word| word == *name))
}

/// A test of the committed modules, and another for each compiler, ignored if that is missing.
pub fn trials_of(
    module: &str,
    name: &str,
    by: &BTreeSet<&'static str>,
    run: impl Fn(By) + Clone + Send + 'static,
) -> Vec<Trial> {
    let anew = by.iter().map(|&compiler| {
        let run = run.clone();
        let test = trial(module, &format!("{name}::{compiler}"), move || run(By::Compiler(compiler)));
        ignored_without(test, folder_of(compiler).is_none().then_some(compiler))
    });
    let anew: Vec<Trial> = anew.collect();
    [trial(module, name, move || run(By::Us))].into_iter().chain(anew).collect()
}

/// The folder of a compiler: of the one that the environment names (CLANG and so on), or that `scripts/setup.sh compilers`
/// brought.
pub fn folder_of(compiler: &str) -> Option<PathBuf> {
    let variable = compiler.to_uppercase().replace('-', "_");
    let default_path = root().join("target/tools/bin").join(compiler);
    let path = std::env::var_os(&variable).map_or(default_path, PathBuf::from);
    path.exists().then(|| path.parent().unwrap().to_path_buf())
}

/// A shell's command, which finds the program, spirv-dis and the compilers that it names.
pub fn shell(command: &str) -> Command {
    let programs = [PathBuf::from(env!("CARGO_BIN_EXE_spirv-if")), tool("SPIRV_DIS", "spirv-dis")];
    let mut folders: Vec<PathBuf> =
        programs.iter().map(|program| program.parent().unwrap().to_path_buf()).collect();
    folders.extend(compilers(command).map(|name| folder_of(name).unwrap()));
    folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    let mut shell = Command::new("bash");
    shell.args(["-c", command]).env("PATH", std::env::join_paths(folders).unwrap());
    shell
}

/// A line with the build command of a module.
struct Line {
    source: PathBuf,
    environment: String,
    name: String,
    command: String,
}

impl Line {
    /// All lines of all sources.
    fn all() -> Vec<Line> {
        let files = FOLDERS.iter().flat_map(|folder| std::fs::read_dir(root().join(folder)).unwrap());
        let sources: BTreeSet<PathBuf> = files.map(|file| file.unwrap().path()).collect();
        let mut all = Vec::new();
        for source in sources.iter().filter(|path| path.is_file() && path.extension().unwrap() != "spv") {
            let text = std::fs::read_to_string(source).unwrap();
            let environment = text.lines().find_map(|line| line.strip_prefix("// ENV: ")).unwrap();
            let lines = text.lines().filter_map(|line| line.strip_prefix("// BUILD")?.split_once(": "));
            all.extend(lines.map(|(name, command)| Line {
                source: source.clone(),
                environment: environment.to_owned(),
                name: match name.trim() {
                    "" => source.file_stem().unwrap().to_str().unwrap().to_owned(),
                    name => name.to_owned(),
                },
                command: command.to_owned(),
            }));
        }
        all
    }

    /// The last compiler that it names, which writes the module.
    fn maker(&self) -> &'static str {
        compilers(&self.command).last().unwrap()
    }
}

/// The compilers that make the modules whose names are wanted.
pub fn makers(wanted: fn(&str) -> bool) -> BTreeSet<&'static str> {
    Line::all().iter().filter(|line| wanted(&line.name)).map(Line::maker).collect()
}

/// The modules whose names are wanted, as somebody made them.
pub fn built(by: By, wanted: fn(&str) -> bool) -> Vec<Built> {
    let new = tempfile::tempdir().unwrap();
    let mut lines = Line::all();
    lines.retain(|line| wanted(&line.name));
    let module = |line: Line| {
        let path = match by {
            By::Us => line.source.with_file_name(format!("{}.spv", line.name)),
            By::Compiler(compiler) => {
                let output = new.path().join(format!("{}.spv", line.name));
                if line.maker() != compiler {
                    return None;
                }
                build(&line.command, &line.source, &output);
                output
            }
        };
        let words = words_of(&std::fs::read(path).unwrap());
        Some(Built { name: line.name, environment: line.environment, words })
    };
    lines.into_iter().filter_map(module).collect()
}

/// Runs a BUILD line.
fn build(command: &str, source: &Path, output: &Path) {
    let file = source.file_name().unwrap().to_str().unwrap();
    let command = command.replace("%s", file).replace("%o", "\"$0\"");
    let result = shell(&command).arg(output).current_dir(source.parent().unwrap()).output().unwrap();
    assert!(result.status.success(), "{file}: {command}\n{}", String::from_utf8_lossy(&result.stderr));
}
