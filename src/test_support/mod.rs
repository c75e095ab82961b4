//! Shared helpers of the tests: spirv-tools, text modules, the fixtures, and words.
//!
//! The tests of other packages include this file as well, so it knows this crate as `spirv_if`.

// Each test program uses a part of the helpers. Tests may unwrap, and the lint only recognizes test
// functions.
#![allow(dead_code, clippy::unwrap_used)]

pub mod damage;
pub mod linked;
pub mod program;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::Write;
use std::mem::take;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use spirv_if::assembler::{self, AssembledText, IdNumbers};

/// Returns the folder of the checkout, which contains the package of the tests. The runner of the tests names
/// that package: cargo, or scripts/drivers-elsewhere.sh on another machine than the one that built it.
pub fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    let is_checkout = |folder: &&Path| folder.join("fixtures").is_dir();
    package.ancestors().find(is_checkout).expect("the package is in a checkout").to_owned()
}

/// Variable that says which tools tests may use: `required` makes a missing tool a failure of tests that are else ignored, and
/// `hidden` makes the use of one a failure of tests that are not marked. scripts/test.sh sets both, one after the
/// other, and with either each text is compared with spirv-as ([`assemble`]), and each result validated ([`assert_valid`]).
pub const TOOLS: &str = "SPIRV_IF_TOOLS";
/// The start of the message of a panic about a missing tool.
pub const NEEDS: &str = "needs ";

/// Returns true if the environment sets this state of the tools.
pub fn tools_are(state: &str) -> bool {
    std::env::var_os(TOOLS).is_some_and(|set| set == state)
}

/// Variable with the share of its inputs that a long test takes: a number for another share than the test command's, or
/// `all`, as scripts/soak.sh sets it.
pub const SHARE: &str = "SPIRV_IF_SHARE";

/// Returns the number of the share that runs, or `None` if everything does.
pub fn share() -> Option<usize> {
    match std::env::var(SHARE).as_deref() {
        Ok("all") => None,
        Ok(number) => Some(number.parse().expect("SPIRV_IF_SHARE is a number or all")),
        Err(_) => Some(0),
    }
}

/// Returns true if the share that runs has the input of this number, where this number of shares are everything.
pub fn in_share(number: usize, parts: usize) -> bool {
    share().is_none_or(|share| number % parts == share % parts)
}

/// Returns a tool named by the environment (SPIRV_AS and so on), or the one installed by
/// scripts/setup.sh spirv-tools. Panics if it is missing: a unit test that needs one is marked
/// `#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]`, and tests of the program are ignored then.
pub fn tool(variable: &str, name: &str) -> PathBuf {
    tool_file(variable, &format!("bin/{name}"))
}

/// Like [`tool`], for any file below the folder of the tools.
pub fn tool_file(variable: &str, file: &str) -> PathBuf {
    let name = file.rsplit('/').next().unwrap();
    assert!(!tools_are("hidden"), "{NEEDS}{name} and is not marked with #[ignore]");
    installed(variable, file)
}

/// Like [`tool_file`], also for tests that are not marked.
fn installed(variable: &str, file: &str) -> PathBuf {
    let path = place(variable, file);
    let name = file.rsplit('/').next().unwrap();
    assert!(
        path.exists(),
        "{NEEDS}{name} (scripts/setup.sh spirv-tools, or {variable}), not at {}",
        path.display()
    );
    path
}

/// Returns the path at which a tool is looked for.
fn place(variable: &str, file: &str) -> PathBuf {
    std::env::var_os(variable).map_or_else(|| root().join("target/tools").join(file), PathBuf::from)
}

/// Returns true if modules are validated beside what a test asserts of them: where spirv-val exists, which scripts/test.sh requires. A test that
/// needs it says that this is not done elsewhere.
fn validates() -> bool {
    std::env::var_os(TOOLS).is_some() || place("SPIRV_VAL", "bin/spirv-val").exists()
}

/// Runs a tool with standard input. The error is its output.
pub fn run(tool: &Path, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, String> {
    let mut child = Command::new(tool)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // Tools write before they have read all. One may stop reading at the first error.
    let output = std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output().unwrap()
    });
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()),
    }
}

/// Assembles a module. Its ids have the numbers of the text.
pub fn assemble(text: &str, environment: &str) -> Vec<u32> {
    assembled(text, environment, IdNumbers::Preserved).words
}

/// Assembles a text. Returns the words, and the ids by name.
pub fn assemble_named(text: &str, environment: &str) -> (Vec<u32>, BTreeMap<String, u32>) {
    let AssembledText { words, ids } = assembled(text, environment, IdNumbers::FirstUse);
    (words, ids)
}

/// Assembles a text. scripts/test.sh compares the words of each with spirv-as.
fn assembled(text: &str, environment: &str, numbers: IdNumbers) -> AssembledText {
    let assembled = assembler::assemble(text, environment, numbers)
        .unwrap_or_else(|error| panic!("{error}\nin {}", numbered(text)));
    if std::env::var_os(TOOLS).is_some() {
        let theirs = assembled_by_spirv_as(text, environment, numbers);
        assert!(theirs.as_ref() == Ok(&assembled.words), "spirv-as makes other words of {}", numbered(text));
    }
    assembled
}

/// Assembles a text with spirv-as.
pub fn assembled_by_spirv_as(text: &str, environment: &str, numbers: IdNumbers) -> Result<Vec<u32>, String> {
    let preserve: &[&str] = match numbers {
        IdNumbers::Preserved => &["--preserve-numeric-ids"],
        IdNumbers::FirstUse => &[],
    };
    let options = [preserve, &["--target-env", environment, "-o", "-", "-"]].concat();
    run(&installed("SPIRV_AS", "bin/spirv-as"), &options, text.as_bytes()).map(|bytes| words_of(&bytes))
}

/// The results of spirv-val, by environment and module.
type Validated = HashMap<(String, Vec<u8>), Arc<OnceLock<Result<(), String>>>>;

/// Returns the result of spirv-val for a module, with its message if the module is invalid.
pub fn spirv_val(module: &[u8], environment: &str) -> Result<(), String> {
    tool("SPIRV_VAL", "spirv-val");
    validated(module, environment)
}

/// Many tests make the same modules, so each is validated once.
fn validated(module: &[u8], environment: &str) -> Result<(), String> {
    static VALIDATED: LazyLock<Mutex<Validated>> = LazyLock::new(Mutex::default);
    let key = (environment.to_owned(), module.to_owned());
    let validated = VALIDATED.lock().unwrap().entry(key).or_default().clone();
    let call = || {
        let validator = installed("SPIRV_VAL", "bin/spirv-val");
        run(&validator, &["--target-env", environment], module).map(drop)
    };
    validated.get_or_init(call).clone()
}

/// Returns true if spirv-val finds a module valid.
pub fn is_valid(words: &[u32], environment: &str) -> bool {
    spirv_val(&bytes_of(words), environment).is_ok()
}

/// Validates a module with spirv-val. The error has the disassembly.
pub fn validate(words: &[u32], environment: &str) -> Result<(), String> {
    tool("SPIRV_VAL", "spirv-val");
    valid(words, environment)
}

/// Fails if a module is invalid, where modules are validated ([`validates`]). Tests without a mark call it beside what they assert.
#[track_caller]
pub fn assert_valid(words: &[u32], environment: &str) {
    if validates()
        && let Err(error) = valid(words, environment)
    {
        panic!("{error}");
    }
}

fn valid(words: &[u32], environment: &str) -> Result<(), String> {
    let bytes = bytes_of(words);
    validated(&bytes, environment)
        .map_err(|message| format!("{environment}: {message}\n{}", disassembled(&bytes)))
}

/// Returns a module in which each continued definition (SPV_INTEL_long_composites) is one instruction: spirv-val
/// accepts continuing instructions only in functions.
pub fn joined(words: &[u32]) -> Vec<u32> {
    // OpTypeStructContinuedINTEL, OpConstantComposite-, OpSpecConstantComposite- and OpCompositeConstructContinuedINTEL.
    const CONTINUATIONS: [u32; 4] = [6090, 6091, 6092, 6096];
    let mut result = words[..5].to_vec();
    let (mut start, mut at) = (5, 5);
    while at < words.len() {
        let end = at + (words[at] >> 16) as usize;
        if CONTINUATIONS.contains(&(words[at] & 0xffff)) {
            result[start] += ((end - at - 1) << 16) as u32;
            result.extend_from_slice(&words[at + 1..end]);
        } else {
            start = result.len();
            result.extend_from_slice(&words[at..end]);
        }
        at = end;
    }
    result
}

/// Modules that are validated together, because spirv-val takes as long to start as to validate ten small
/// modules. Tests add modules, and validate the batch in the end.
#[derive(Default)]
pub struct Batch {
    options: &'static [&'static str],
    /// Modules by environment, each with its name in messages.
    modules: BTreeMap<String, HashMap<Vec<u8>, String>>,
}

impl Batch {
    /// Returns a batch for spirv-val with these options.
    pub fn with_options(options: &'static [&'static str]) -> Batch {
        Batch { options, modules: BTreeMap::new() }
    }

    pub fn add(&mut self, name: impl Into<String>, words: &[u32], environment: &str) {
        let modules = self.modules.entry(environment.to_owned()).or_default();
        modules.entry(bytes_of(words)).or_insert_with(|| name.into());
    }

    /// Adds the modules of another batch.
    pub fn extend(&mut self, mut other: Batch) {
        for (environment, modules) in take(&mut other.modules) {
            self.modules.entry(environment).or_default().extend(modules);
        }
    }

    /// Returns the messages of spirv-val about invalid modules.
    pub fn problems(&mut self) -> Vec<String> {
        tool("SPIRV_VAL", "spirv-val");
        self.found_problems()
    }

    fn found_problems(&mut self) -> Vec<String> {
        let modules = take(&mut self.modules);
        modules.iter().flat_map(|(environment, modules)| self.problems_for(environment, modules)).collect()
    }

    fn problems_for(&self, environment: &str, modules: &HashMap<Vec<u8>, String>) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        for (number, module) in modules.keys().enumerate() {
            std::fs::write(folder.path().join(format!("{number}.spv")), module).unwrap();
        }
        let validator = installed("SPIRV_VAL", "bin/spirv-val");
        let on = |input: &str, bytes: &[u8]| {
            let arguments = [self.options, &["--target-env", environment, input]].concat();
            run(&validator, &arguments, bytes)
        };
        let Err(of_all) = on(folder.path().to_str().unwrap(), &[]) else { return Vec::new() };
        let of_one = |(module, name): (&Vec<u8>, &String)| {
            let message = on("-", module).err()?;
            Some(format!("{name}: {environment}: {message}\n{}", disassembled(module)))
        };
        let of_each: Vec<String> = modules.iter().filter_map(of_one).collect();
        if of_each.is_empty() { vec![of_all] } else { of_each }
    }

    /// Fails if any module is invalid, like [`assert_valid`].
    pub fn assert_valid(mut self) {
        let problems = if validates() { self.found_problems() } else { Vec::new() };
        self.modules.clear();
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        assert!(self.modules.is_empty() || std::thread::panicking(), "nobody validates what was added");
    }
}

/// Disassembles a module with spirv-dis.
fn disassembled(module: &[u8]) -> String {
    let shown = run(&installed("SPIRV_DIS", "bin/spirv-dis"), &["--raw-id"], module).unwrap_or_default();
    String::from_utf8_lossy(&shown).into_owned()
}

fn numbered(text: &str) -> String {
    text.lines().enumerate().map(|(number, line)| format!("{:4} {line}\n", number + 1)).collect()
}

/// Converts bytes in the host's order to words; at most three bytes are left over.
pub fn words_of(bytes: &[u8]) -> Vec<u32> {
    bytemuck::pod_collect_to_vec(&bytes[..bytes.len() / 4 * 4])
}

/// Converts words to bytes in the host's order.
pub fn bytes_of(words: &[u32]) -> Vec<u8> {
    bytemuck::cast_slice(words).to_vec()
}

/// Returns the first word of an instruction.
pub fn first_word(count: usize, opcode: u16) -> u32 {
    (count as u32) << 16 | u32::from(opcode)
}

/// Returns an instruction from its opcode and the words after the first.
pub fn instruction(opcode: u16, operands: &[u32]) -> Vec<u32> {
    [&[first_word(operands.len() + 1, opcode)], operands].concat()
}

/// Returns a module with this bound, of these instructions.
pub fn module_of(bound: u32, instructions: &[Vec<u32>]) -> Vec<u32> {
    [vec![spirv::MAGIC_NUMBER, 0x0001_0600, 0, bound, 0], instructions.concat()].concat()
}

/// Returns the words of every fixture, by its path below `fixtures`; of several with equal words, the first.
/// They are read once.
pub fn fixtures() -> Vec<(String, Vec<u32>)> {
    static FIXTURES: LazyLock<Vec<(String, Vec<u32>)>> = LazyLock::new(|| read_fixtures(&LEFT_OUT));
    FIXTURES.clone()
}

/// Like [`fixtures`], but also those that tests of every fixture omit.
pub fn all_fixtures() -> Vec<(String, Vec<u32>)> {
    read_fixtures(&[])
}

/// Folders that tests of every fixture omit; their own tests name them. Some modules are not fully decided by
/// any device of the table. Some have conditions in a table, which only pipelines read. Some shaders are too
/// large. spirv-val rejects some.
const LEFT_OUT: [&str; 4] =
    ["fixtures/decisions", "fixtures/amd", "fixtures/ubershaders", "fixtures/rejected"];

fn read_fixtures(left_out: &[&str]) -> Vec<(String, Vec<u32>)> {
    let modules = modules_below(&root().join("fixtures"), left_out);
    assert!(modules.len() >= 10, "the fixtures are there");
    modules
}

/// Returns the words of every module (`*.spv`) below a folder, by its path there, except for those in other folders. Of
/// several modules with equal words, returns the first.
pub fn modules_below(root: &Path, left_out: &[&str]) -> Vec<(String, Vec<u32>)> {
    let mut modules = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                let is_left_out = left_out.iter().any(|folder| path.ends_with(folder));
                folders.extend((!is_left_out).then_some(path));
            } else if path.extension().is_some_and(|extension| extension == "spv") {
                let name = path.strip_prefix(root).unwrap().display().to_string();
                modules.push((name, words_of(&std::fs::read(&path).unwrap())));
            }
        }
    }
    modules.sort();
    let mut seen = HashSet::new();
    modules.retain(|(_, words)| seen.insert(words.clone()));
    modules
}

#[cfg(test)]
mod tests {
    #[test]
    #[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
    fn results_are_validated() {
        use super::{Batch, assert_valid, module_of};
        let is_rejected = |validates: fn(&[u32])| {
            let invalid = module_of(1, &[]);
            std::panic::catch_unwind(|| validates(&invalid)).is_err()
        };
        assert!(is_rejected(|words| assert_valid(words, "spv1.6")));
        assert!(is_rejected(|words| {
            let mut batch = Batch::default();
            batch.add("it", words, "spv1.6");
            batch.assert_valid();
        }));
    }
}
