//! Runs every case below `cli/tests/cases`: `cargo test --test all cases/`, and more of a path to run only some.
//!
//! A case is a file: a module in SPIR-V assembly (`.spvasm`), or nothing but a command line (`.cmd`). Its first lines say
//! what to do with it:
//!
//! ```text
//! ; RUN: specialize %s -o %t.spv --device x86_64    a command line of spirv-if; several run one after the other
//! ; EXIT: 1                                         the exit status of the last of them, if it is not 0
//! ; STDIN: %s                                       what they read from standard input
//! ; ENV: spv1.4                                     spirv-as and spirv-val's --target-env; spv1.6 if it is not given
//! ; RESULT-ENV: vulkan1.3                           the same for results, if it is another
//! ; DIS: %t.spv stdout                             the modules to disassemble, or `none`; all if it is not given
//! ; MESSAGES: facts                                shows names and numbers of messages without their words
//! ; SHOW: OpCapability Linkage %main{}              shows only the lines of modules with one of these texts, and these functions whole
//! ; FILE: %t.prop                                   the lines after it, up to the next line that starts otherwise, are
//! ;   [Set]                                         the text of this file, where the words below stand for the same
//! ```
//!
//! `%s` is the module, assembled; `%prop` the file of its properties beside it; `%t` the start of a name for results, in a folder of their own; `%S` the folder of the
//! case; `%fixtures` that of the fixtures.
//!
//! Messages are shown in full where one of them is shown in full nowhere else, so that a changed sentence changes one case (`messages_stand_once`). All
//! other cases show what messages are about.
//!
//! The results must equal the file beside it with the extension `.out`: the output of each command line, then each file in the folder of the
//! results, with modules disassembled. Every resulting module must be valid, and the case's own if the last exit status is 0. `BLESS=1 cargo test
//! --test all cases/` writes the `.out` files: read the difference.
//!
//! SPIRV_AS, SPIRV_DIS and SPIRV_VAL name spirv-as, spirv-dis and spirv-val. By default they are those of `scripts/setup.sh spirv-tools`.

mod messages;

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use libtest_mimic::Trial;

use crate::common::{self, root, tool};
use crate::registry::needing_tools;

type CaseResult<T> = std::result::Result<T, String>;

/// The first lines of a case.
#[derive(Default)]
struct Directives {
    runs: Vec<String>,
    exit: i32,
    stdin: Option<String>,
    env: String,
    result_env: String,
    /// The titles of the modules to disassemble; all of them if None.
    disassembled: Option<Vec<String>>,
    /// Texts, one of which each shown line of a module has, or functions (`%name{}`); every line is shown if empty.
    shown: Vec<String>,
    files: Vec<(String, String)>,
    /// Messages without their words.
    only_facts: bool,
}

/// A case as it runs.
struct RunningCase {
    path: PathBuf,
    /// The folder of its files while it runs.
    folder: tempfile::TempDir,
    directives: Directives,
}

/// The cases, by their paths.
pub fn trials() -> Vec<Trial> {
    let root = root().join("cli/tests");
    let trial = |path: PathBuf| {
        let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
        needing_tools(name, move || Ok(run(path)?))
    };
    let mut trials: Vec<Trial> = cases().into_iter().map(trial).collect();
    trials.push(Trial::test("cases/messages_stand_once", || Ok(messages_stand_once()?)));
    trials
}

/// The files of the cases, in order.
fn cases() -> Vec<PathBuf> {
    let is_case = |path: &PathBuf| {
        path.extension().is_some_and(|extension| extension == "spvasm" || extension == "cmd")
    };
    files(&root().join("cli/tests/cases")).into_iter().filter(is_case).collect()
}

fn messages_stand_once() -> CaseResult<()> {
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
        let only_facts = Directives::read(&text)?.only_facts;
        Ok((path, only_facts))
    };
    messages::check_shown_once(&cases().into_iter().map(read).collect::<CaseResult<Vec<_>>>()?)
}

impl Directives {
    fn read(text: &str) -> CaseResult<Directives> {
        let mut directives = Directives { env: "spv1.6".to_owned(), ..Directives::default() };
        let mut in_file = false;
        for line in text.lines() {
            let Some(line) = line.strip_prefix(';') else { break };
            if let (true, Some(line), Some((_, file))) =
                (in_file, line.strip_prefix("   "), directives.files.last_mut())
            {
                file.push_str(line);
                file.push('\n');
                continue;
            }
            in_file = false;
            let Some((word, value)) = line.split_once(':') else { continue };
            let value = value.trim().to_owned();
            match word.trim() {
                "RUN" => directives.runs.push(value),
                "EXIT" => directives.exit = value.parse().map_err(|_| format!("EXIT: {value}"))?,
                "STDIN" => directives.stdin = Some(value),
                "ENV" => directives.env = value,
                "RESULT-ENV" => directives.result_env = value,
                "DIS" => directives.disassembled = Some(value.split(' ').map(str::to_owned).collect()),
                "SHOW" => directives.shown = split(&value)?,
                "MESSAGES" if value == "facts" => directives.only_facts = true,
                "MESSAGES" => return Err(format!("MESSAGES: {value}; there is only `facts`")),
                "FILE" => {
                    directives.files.push((value, String::new()));
                    in_file = true;
                }
                // A comment.
                _ => {}
            }
        }
        if directives.runs.is_empty() {
            return Err("no line `; RUN: ...` at the start".to_owned());
        }
        if directives.result_env.is_empty() {
            directives.result_env.clone_from(&directives.env);
        }
        Ok(directives)
    }

    /// Returns the lines of a disassembled module that the case shows.
    fn shown_lines(&self, module: &str) -> String {
        if self.shown.is_empty() {
            return module.to_owned();
        }
        let mut shown_lines = String::new();
        let mut is_in_shown_function = false;
        for line in module.lines() {
            if let Some((id, _)) = line.split_once(" = OpFunction ") {
                is_in_shown_function = self.shown.iter().any(|text| text.strip_suffix("{}") == Some(id));
            }
            if is_in_shown_function || self.shown.iter().any(|text| line.contains(text.as_str())) {
                shown_lines += &format!("{line}\n");
            }
            is_in_shown_function &= line != "OpFunctionEnd";
        }
        shown_lines
    }
}

fn run(path: PathBuf) -> CaseResult<()> {
    let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let directives = Directives::read(&text)?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let case = RunningCase { path, folder, directives };
    let actual = case.outcome()?;
    let expected_path = case.path.with_extension("out");
    if std::env::var_os("BLESS").is_some() {
        return fs::write(expected_path, actual).map_err(|error| error.to_string());
    }
    let expected = fs::read_to_string(&expected_path)
        .map_err(|error| format!("{}: {error}; BLESS=1 writes it", expected_path.display()))?;
    if actual == expected { Ok(()) } else { Err(difference(&expected, &actual)) }
}

impl RunningCase {
    fn stem(&self) -> &str {
        self.path.file_stem().and_then(OsStr::to_str).unwrap_or_default()
    }

    /// The module, assembled.
    fn module(&self) -> PathBuf {
        self.folder.path().join(self.stem()).with_extension("spv")
    }

    /// The folder of the results.
    fn results(&self) -> PathBuf {
        self.folder.path().join("results")
    }

    /// Returns the values of the words that start with `%`.
    fn words(&self) -> [(&'static str, String); 5] {
        let case_folder = self.path.parent().unwrap_or(Path::new(""));
        [
            ("%fixtures", root().join("fixtures").display().to_string()),
            ("%prop", self.module().with_extension("prop").display().to_string()),
            ("%s", self.module().display().to_string()),
            ("%S", case_folder.display().to_string()),
            ("%t", self.results().join(self.stem()).display().to_string()),
        ]
    }

    fn expand(&self, text: &str) -> String {
        self.words().iter().fold(text.to_owned(), |text, (word, path)| text.replace(word, path))
    }

    /// The text without what differs from machine to machine.
    fn contract(&self, text: &str) -> String {
        let text = self.words().iter().fold(text.to_owned(), |text, (word, path)| text.replace(path, word));
        text.replace(&self.results().display().to_string(), "%t-folder")
    }

    /// Runs the command lines, and returns all results.
    fn outcome(&self) -> CaseResult<String> {
        fs::create_dir(self.results()).map_err(|error| error.to_string())?;
        if self.path.extension() == Some(OsStr::new("spvasm")) {
            self.assemble()?;
        }
        let written: Vec<PathBuf> =
            self.directives.files.iter().map(|file| self.expand(&file.0).into()).collect();
        for (path, (_, text)) in written.iter().zip(&self.directives.files) {
            fs::write(path, self.expand(text)).map_err(|error| error.to_string())?;
        }
        let mut outcome = String::new();
        for (index, line) in self.directives.runs.iter().enumerate() {
            let output = self.run_line(line)?;
            let last = index + 1 == self.directives.runs.len();
            let expected = if last { self.directives.exit } else { 0 };
            if output.status.code() != Some(expected) {
                let stderr = String::from_utf8_lossy(&output.stderr);
                return Err(format!("$ {line}\n{}, not {expected}\n{stderr}", output.status));
            }
            outcome += &format!("$ spirv-if {line}\n");
            for (title, bytes) in [("stderr", &output.stderr), ("stdout", &output.stdout)] {
                if !bytes.is_empty() {
                    outcome += &self.section(title, bytes)?;
                }
            }
        }
        for path in files(&self.results()).iter().filter(|path| !written.contains(path)) {
            let bytes = fs::read(path).map_err(|error| error.to_string())?;
            outcome += &self.section(&self.contract(&path.display().to_string()), &bytes)?;
        }
        Ok(outcome)
    }

    fn assemble(&self) -> CaseResult<()> {
        let [module, text] = [&self.module(), &self.path].map(|path| path.display().to_string());
        let arguments = ["--target-env", &self.directives.env, "-o", &module, &text];
        common::run(&tool("SPIRV_AS", "spirv-as"), &arguments, &[])
            .map_err(|error| format!("spirv-as: {error}"))?;
        if self.directives.exit == 0 {
            let module = fs::read(module).map_err(|error| error.to_string())?;
            self.validate("the case", &self.directives.env, &module)?;
        }
        Ok(())
    }

    fn validate(&self, what: &str, env: &str, module: &[u8]) -> CaseResult<()> {
        common::spirv_val(module, env).map_err(|error| format!("{what} is not valid: spirv-val: {error}"))
    }

    fn run_line(&self, line: &str) -> CaseResult<Output> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_spirv-if"));
        command.current_dir(root());
        command.args(split(line)?.iter().map(|word| self.expand(word)));
        // Help is as wide as the terminal.
        command.env("COLUMNS", "100").env_remove("CLICOLOR_FORCE").stdin(Stdio::null());
        if let Some(path) = &self.directives.stdin {
            let file = File::open(self.expand(path)).map_err(|error| format!("STDIN: {error}"))?;
            command.stdin(file);
        }
        command.output().map_err(|error| error.to_string())
    }

    /// A title and a text; a module as text, once it is found to be valid.
    fn section(&self, title: &str, bytes: &[u8]) -> CaseResult<String> {
        if bytes.starts_with(b"SPVB") {
            return Ok(format!("--- {title}\n(a bundle)\n"));
        }
        let text = if bytes.starts_with(&[3, 2, 0x23, 7]) {
            self.validate(title, &self.directives.result_env, bytes)?;
            if self
                .directives
                .disassembled
                .as_ref()
                .is_some_and(|titles| !titles.iter().any(|other| other == title))
            {
                return Ok(format!("--- {title}\n(a valid module)\n"));
            }
            let options = ["--no-color", "--no-header", "--no-indent", "-"];
            let text = common::run(&tool("SPIRV_DIS", "spirv-dis"), &options, bytes);
            let text = text.map_err(|error| format!("spirv-dis: {error}"))?;
            self.directives.shown_lines(&String::from_utf8_lossy(&text))
        } else {
            String::from_utf8_lossy(bytes).into_owned()
        };
        let mut text = self.contract(&text);
        if title == "stderr" && self.directives.only_facts {
            text = messages::facts(&text);
        }
        let end = if text.ends_with('\n') { "" } else { "\n" };
        Ok(format!("--- {title}\n{text}{end}"))
    }
}

/// The words of a command line. Quotes of either kind hold words together.
fn split(line: &str) -> CaseResult<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    let mut quote = None;
    let mut within = false;
    for character in line.chars() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '\'' | '"') => quote = Some(character),
            (None, ' ') => {
                within = false;
                continue;
            }
            _ => {}
        }
        if !within {
            words.push(String::new());
            within = true;
        }
        let is_quote = (quote == Some(character) || quote.is_none()) && matches!(character, '\'' | '"');
        if let (false, Some(word)) = (is_quote, words.last_mut()) {
            word.push(character);
        }
    }
    if quote.is_none() { Ok(words) } else { Err(format!("a quote is not closed: {line}")) }
}

/// All files below a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut entries: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    entries.sort();
    entries.into_iter().flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The lines in which two texts differ, from the first such line to the last.
fn difference(expected: &str, actual: &str) -> String {
    let old: Vec<&str> = expected.lines().collect();
    let new: Vec<&str> = actual.lines().collect();
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let most = old.len().min(new.len()) - same;
    let same_end =
        old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(old, new)| old == new).count();
    let mut text = format!("differs from line {} of the .out file on (BLESS=1 rewrites it):\n", same + 1);
    old[same..old.len() - same_end].iter().for_each(|line| text += &format!("- {line}\n"));
    new[same..new.len() - same_end].iter().for_each(|line| text += &format!("+ {line}\n"));
    text
}
