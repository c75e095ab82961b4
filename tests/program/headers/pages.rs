//! The pages in `docs/` that are about programs in `fixtures/headers`: the programs are those, and the commands print what stands there.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::built::{COMPILERS, compiler, folder};
use crate::common::tool;

fn docs() -> PathBuf {
    folder().join("../../docs")
}

/// The pages, and the program that each is about: the first one that it links to.
fn pages() -> Vec<(PathBuf, PathBuf)> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(docs()).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let about = |page: &PathBuf| {
        let text = std::fs::read_to_string(page).unwrap();
        let (_, link) = text.split_once("(../fixtures/headers/")?;
        Some((page.clone(), folder().join(link.split_once(')')?.0)))
    };
    let pages: Vec<_> = files.iter().filter_map(about).collect();
    assert_eq!(pages.len(), 5);
    pages
}

/// The lines of a text in blocks: outside of fences, or in one with this language.
fn blocks(text: &str) -> Vec<(Option<&str>, Vec<&str>)> {
    let mut blocks = vec![(None, Vec::new())];
    for line in text.lines() {
        let (language, lines) = blocks.last_mut().unwrap();
        match (line.strip_prefix("```"), &language) {
            (Some(opened), None) => blocks.push((Some(opened), Vec::new())),
            (Some(_), Some(_)) => blocks.push((None, Vec::new())),
            (None, _) => lines.push(line),
        }
    }
    blocks
}

/// A program without its first lines, which say how to build it.
fn program(source: &Path) -> String {
    let text = std::fs::read_to_string(source).unwrap();
    text.split_once("\n\n").unwrap().1.trim_end().to_owned()
}

/// `BLESS=1` writes programs and outputs into the pages.
#[test]
fn pages_show_what_the_programs_are_and_what_the_commands_print() {
    for (page, source) in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        let mut told = String::new();
        let Some(shell) = Shell::new(&source) else { return };
        let mut is_first = true;
        for (language, lines) in blocks(&text) {
            match language {
                None => told.extend(lines.iter().map(|line| format!("{line}\n"))),
                Some("console") => {
                    let commands = lines.iter().filter_map(|line| line.strip_prefix("$ "));
                    let printed: String =
                        commands.map(|command| format!("$ {command}\n{}", shell.run(command))).collect();
                    told += &format!("```console\n{printed}```\n");
                }
                Some(language) if is_first => {
                    is_first = false;
                    told += &format!("```{language}\n{}\n```\n", program(&source));
                }
                Some(language) => told += &format!("```{language}\n{}\n```\n", lines.join("\n")),
            }
        }
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&page, &told).unwrap();
        }
        let text = std::fs::read_to_string(&page).unwrap();
        assert!(text == told, "{}: not so, but\n{told}", page.display());
    }
}

/// A folder with a program in it, as `means` with its own extension, and what its commands need.
struct Shell {
    place: tempfile::TempDir,
    source: PathBuf,
    path: std::ffi::OsString,
}

impl Shell {
    /// `None` where there is no spirv-dis.
    fn new(source: &Path) -> Option<Shell> {
        let place = tempfile::tempdir().unwrap();
        let name = Path::new("means").with_extension(source.extension().unwrap());
        std::fs::write(place.path().join(name), program(source) + "\n").unwrap();
        std::os::unix::fs::symlink(folder().join("../../include"), place.path().join("include")).unwrap();
        std::os::unix::fs::symlink(folder(), place.path().join("stub")).unwrap();
        let programs = [PathBuf::from(env!("CARGO_BIN_EXE_spirv-if")), tool("SPIRV_DIS", "spirv-dis")?];
        let folders = programs.iter().map(|program| program.parent().unwrap().to_path_buf());
        let inherited = std::env::var_os("PATH").unwrap();
        let path = std::env::join_paths(folders.chain(std::env::split_paths(&inherited))).unwrap();
        Some(Shell { place, source: source.to_path_buf(), path })
    }

    /// What a command prints. A compiler that is not there is taken to have made the fixture.
    fn run(&self, command: &str) -> String {
        let mut path = self.path.clone();
        if let Some(name) = COMPILERS.iter().find(|name| command.starts_with(**name)) {
            let Some(first) = compiler(name) else {
                let (_, output) = command.rsplit_once(' ').unwrap();
                std::fs::copy(self.fixture(command), self.place.path().join(output)).unwrap();
                return String::new();
            };
            path = std::env::join_paths([first].into_iter().chain(std::env::split_paths(&path))).unwrap();
        }
        let command = format!("exec 2>&1; {command}");
        let mut shell = Command::new("bash");
        shell.args(["-c", &command]).current_dir(self.place.path()).env("PATH", path);
        String::from_utf8(shell.output().unwrap().stdout).unwrap()
    }

    /// The committed module that a compiler made by a command like this.
    fn fixture(&self, command: &str) -> PathBuf {
        let stem = self.source.file_stem().unwrap().to_str().unwrap();
        let name = match (stem, command.contains("--defines")) {
            ("c", _) => "c-O2".to_owned(),
            (_, true) => format!("{stem}-plain-acm_g10"),
            (_, false) => stem.to_owned(),
        };
        folder().join(name + ".spv")
    }
}
