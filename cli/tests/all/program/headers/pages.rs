//! The pages in `docs/` about programs in `fixtures/headers`: the programs are equal, and the commands print the quoted output.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use libtest_mimic::Trial;

use super::built::{By, compilers, folder, shell, trials_of};

fn docs() -> PathBuf {
    folder().join("../../docs")
}

/// The pages, and the program that each is about: the first one that it links to.
fn pages() -> Vec<(PathBuf, PathBuf)> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(docs()).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "md"));
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

/// The page as it should be, if its commands run with the compilers that somebody has.
fn filled(by: By, text: &str, source: &Path) -> String {
    let mut filled = String::new();
    let shell = ProgramFolder::new(source);
    let mut is_first = true;
    for (language, lines) in blocks(text) {
        match language {
            None => filled.extend(lines.iter().map(|line| format!("{line}\n"))),
            Some("console") => {
                let commands = lines.iter().filter_map(|line| line.strip_prefix("$ "));
                let printed: String =
                    commands.map(|command| format!("$ {command}\n{}", shell.run(by, command))).collect();
                filled += &format!("```console\n{printed}```\n");
            }
            Some(language) if is_first => {
                is_first = false;
                filled += &format!("```{language}\n{}\n```\n", program(source));
            }
            Some(language) => filled += &format!("```{language}\n{}\n```\n", lines.join("\n")),
        }
    }
    filled
}

/// `BLESS=1` writes programs and outputs into the pages.
fn pages_show_what_the_programs_are_and_what_the_commands_print(by: By) {
    for (page, source) in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        if let By::Compiler(compiler) = by
            && makers(&text) != [compiler].into()
        {
            continue;
        }
        let filled = filled(by, &text, &source);
        if matches!(by, By::Us) && std::env::var_os("BLESS").is_some() {
            std::fs::write(&page, &filled).unwrap();
        }
        let text = std::fs::read_to_string(&page).unwrap();
        assert!(text == filled, "{}: not so, but\n{filled}", page.display());
    }
}

/// The compilers that the commands of a page name.
fn makers(text: &str) -> BTreeSet<&'static str> {
    text.lines().filter_map(|line| line.strip_prefix("$ ")).flat_map(compilers).collect()
}

pub fn trials() -> Vec<Trial> {
    let texts = pages().into_iter().map(|(page, _)| std::fs::read_to_string(page).unwrap());
    let makers: BTreeSet<&str> = texts.flat_map(|text| makers(&text)).collect();
    trials_of(
        module_path!(),
        "pages_show_what_the_programs_are_and_what_the_commands_print",
        &makers,
        pages_show_what_the_programs_are_and_what_the_commands_print,
    )
}

/// A folder with a program in it, as `means` with its own extension.
struct ProgramFolder {
    place: tempfile::TempDir,
    source: PathBuf,
}

impl ProgramFolder {
    fn new(source: &Path) -> ProgramFolder {
        let place = tempfile::tempdir().unwrap();
        let name = Path::new("means").with_extension(source.extension().unwrap());
        std::fs::write(place.path().join(name), program(source) + "\n").unwrap();
        std::os::unix::fs::symlink(folder().join("../../include"), place.path().join("include")).unwrap();
        std::os::unix::fs::symlink(folder(), place.path().join("stub")).unwrap();
        ProgramFolder { place, source: source.to_path_buf() }
    }

    /// Runs a command and returns its output. Without compilers, the fixture takes the place of a compiled module.
    fn run(&self, by: By, command: &str) -> String {
        if matches!(by, By::Us) && compilers(command).next().is_some() {
            let (_, output) = command.rsplit_once(' ').unwrap();
            std::fs::copy(self.fixture(command), self.place.path().join(output)).unwrap();
            return String::new();
        }
        let mut shell = shell(&format!("exec 2>&1; {command}"));
        String::from_utf8(shell.current_dir(self.place.path()).output().unwrap().stdout).unwrap()
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
