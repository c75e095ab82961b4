//! A check of the library without drivers. Random programs read specialization constants in all the ways of shaders, and the library's results
//! behave in the interpreter like the programs themselves.
//!
//! `cargo test --test all search::interpreter` checks those of fixed seeds, and `scripts/search.sh MINUTES SEED interpreter` more of them.

mod assembly;
mod check;
mod fixtures;
mod generate;
mod guards;
mod interpreted;
mod readers;
mod shader;

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use libtest_mimic::{Failed, Trial};

use crate::common::{Batch, assemble_named, bytes_of, is_valid, root, tool_file, words_of};
use crate::drivers::{self, Searched};
use crate::random::Random;
use crate::registry::{ignored_without, needing_tools};
use crate::search::compile::is_there;
use crate::search::program::LeftOut;
use crate::search::reduce::smallest;
use crate::search::values::Constant;
use crate::search::{Plan, longer_search};
use check::{CheckCounts, CheckedModule, Mismatch, TranslationCheck};
pub use shader::{INPUTS, RESULTS};

/// The parts of a plain test run, which run side by side.
const PARTS: u64 = 2;
/// The programs of each.
const PROGRAMS: u64 = 8;
/// The most time that reducing one takes.
const REDUCING: Duration = Duration::from_secs(30);
/// The environment for which shaders are compiled.
const VULKAN: &str = "vulkan1.3";

/// Passes of spirv-opt that shaders are compiled with.
const PASSES: [&[&str]; 8] = [
    &[],
    &[],
    &[],
    &["-O"],
    &["--inline-entry-points-exhaustive"],
    &["--eliminate-local-single-store", "--ssa-rewrite"],
    &["--merge-return", "--scalar-replacement=100"],
    &["--private-to-local", "--loop-unroll"],
];

/// A language of programs.
#[derive(Clone, Copy)]
struct ProgramSource {
    name: &'static str,
    file: &'static str,
    /// The environment of spirv-val for its modules.
    environment: &'static str,
    /// The compiler besides the common ones of all tests.
    compiler: Option<&'static str>,
    program: fn(u64) -> Box<dyn RandomProgram>,
}

const SOURCES: [ProgramSource; 2] = [
    ProgramSource {
        name: "glsl",
        file: "program.comp",
        environment: VULKAN,
        compiler: Some("glslangValidator"),
        program: |seed| Box::new(generate::generate(seed)),
    },
    ProgramSource {
        name: "assembly",
        file: "program.spvasm",
        // Vulkan allows no recursion.
        environment: "spv1.6",
        compiler: None,
        program: |seed| Box::new(assembly::generate(seed)),
    },
];

/// A random program.
trait RandomProgram {
    fn constants(&self) -> &[Constant];
    /// The number of statements.
    fn statements(&self) -> u32;
    /// Returns the source without some statements.
    fn source(&self, left_out: &LeftOut) -> String;
    /// Compiles a source with the options of a seed; `None` if a compiler does not.
    fn compile(&self, source: &str, random: &mut Random) -> Option<Vec<u32>>;
}

impl RandomProgram for shader::RandomShader {
    fn constants(&self) -> &[Constant] {
        &self.constants
    }

    fn statements(&self) -> u32 {
        self.statements
    }

    fn source(&self, left_out: &LeftOut) -> String {
        self.source(left_out)
    }

    fn compile(&self, source: &str, random: &mut Random) -> Option<Vec<u32>> {
        let folder = tempfile::tempdir().unwrap();
        let (input, output) = (folder.path().join("program.comp"), folder.path().join("program.spv"));
        std::fs::write(&input, source).unwrap();
        let mut compiler = Command::new(tool_file("GLSLANG", "bin/glslangValidator"));
        compiler.args(["--quiet", "-V", "--target-env", VULKAN]);
        compiler.args(*random.pick(&[&[][..], &[], &["-g"], &["-gVS"]]));
        let ended = compiler.arg(&input).arg("-o").arg(&output).output().unwrap();
        assert!(ended.status.success(), "{}\n{source}", String::from_utf8_lossy(&ended.stdout));
        let passes = *random.pick(&PASSES);
        if !passes.is_empty() {
            let mut optimizer = Command::new(tool_file("SPIRV_OPT", "bin/spirv-opt"));
            optimizer.arg(format!("--target-env={VULKAN}")).args(passes);
            let ended = optimizer.arg(&output).arg("-o").arg(&output).output().unwrap();
            ended.status.success().then_some(())?;
        }
        Some(words_of(&std::fs::read(output).unwrap()))
    }
}

impl RandomProgram for assembly::AssemblyModule {
    fn constants(&self) -> &[Constant] {
        &self.constants
    }

    fn statements(&self) -> u32 {
        self.statements
    }

    fn source(&self, left_out: &LeftOut) -> String {
        self.source(left_out)
    }

    fn compile(&self, source: &str, _: &mut Random) -> Option<Vec<u32>> {
        Some(assemble_named(source, "spv1.6").0)
    }
}

/// Values of specialization constants as bytes, by SpecId.
type ConstantBytes = Vec<(u32, Vec<u8>)>;

/// Returns the module of a random shader, with values of its specialization constants.
pub fn compiled_shader(seed: u64) -> Option<(Vec<u32>, ConstantBytes)> {
    let shader = generate::generate(seed);
    let source = RandomProgram::source(&shader, &LeftOut::new());
    let words = shader.compile(&source, &mut Random::new(!seed)).filter(|words| is_valid(words, VULKAN))?;
    let value = |constant: &Constant| (constant.id, constant.bytes(&constant.value));
    Some((words, shader.constants.iter().map(value).collect()))
}

/// Returns the checks as tests, or as a requested longer search.
pub fn trials() -> Vec<Trial> {
    let longer = longer_search();
    let mut trials = interpreted::trials();
    trials.extend(fixtures::trials());
    for source in SOURCES {
        let name = format!("search::interpreter::{}", source.name);
        let missing = source.compiler.filter(|compiler| !is_there(compiler));
        let trial = |name: String, plan: Plan| {
            ignored_without(needing_tools(name, move || search(source, plan)), missing)
        };
        if let Some(plan) = longer.clone() {
            trials.push(trial(name, plan));
            continue;
        }
        for part in 0..PARTS {
            let first = part * PROGRAMS;
            let plan = Plan { seeds: first..first + PROGRAMS, limit: None, side_by_side: 1 };
            trials.push(trial(format!("{name}::{part}"), plan));
        }
    }
    trials
}

/// Checks the programs of one seed after another, as many as there are, or as there is time for, but one at least.
fn search(source: ProgramSource, plan: Plan) -> Result<(), Failed> {
    let first = plan.seeds.start;
    let end = plan.limit.map(|limit| Instant::now() + limit);
    let mut checked = CheckCounts::default();
    let mut failures = Vec::new();
    let mut last = first;
    for seed in plan.seeds {
        last = seed;
        match check(source, seed, &LeftOut::new()) {
            Ok(one) => checked.add(one),
            Err(failure) => failures.push(reduced(source, seed, failure)),
        }
        if end.is_some_and(|end| Instant::now() > end) {
            break;
        }
    }
    let programs = format!("interpreter, {}, seeds {first} to {last}", source.name);
    let numbers = vec![
        ("programs", (last + 1 - first) as usize),
        ("not made", checked.not_made),
        ("modules", checked.modules),
        ("runs", checked.compared),
        ("undefined", checked.undefined),
        ("unsupported", checked.unsupported),
        ("refused", checked.refused),
    ];
    let summary: Vec<String> = numbers.iter().map(|(name, number)| format!("{name}: {number}")).collect();
    let summary = format!("{programs}: {}", summary.join(", "));
    if end.is_some() {
        eprintln!("{summary}, failures: {}", failures.len());
        drivers::note_search(Searched { programs, numbers, failures: failures.clone() });
    }
    if failures.is_empty() && checked.compared < checked.undefined + checked.unsupported {
        failures.push("most runs cannot be compared".to_owned());
    }
    match failures.is_empty() {
        true => Ok(()),
        false => Err(Failed::from(format!("{summary}\n{}", failures.join("\n\n")))),
    }
}

/// A failure, with what belongs to it.
struct FailedProgram {
    source: String,
    words: Vec<u32>,
    mismatch: Mismatch,
}

/// Checks the program of a seed, without some of its statements.
fn check(source: ProgramSource, seed: u64, left_out: &LeftOut) -> Result<CheckCounts, Box<FailedProgram>> {
    let program = (source.program)(seed);
    let text = program.source(left_out);
    // Not to depend on what the program took.
    let mut random = Random::new(!seed);
    let words = program.compile(&text, &mut random).filter(|words| is_valid(words, source.environment));
    let Some(words) = words else { return Ok(CheckCounts { not_made: 1, ..CheckCounts::default() }) };
    let subject = CheckedModule { words: &words, constants: program.constants() };
    let mut check = TranslationCheck::new(subject, &mut random);
    let mut batch = Batch::default();
    let mut results = Vec::new();
    let result = check.run(&mut random, &mut |one| {
        batch.add(one.step, &one.words, source.environment);
        results.push((one.step, one.words.clone()));
    });
    let checked = check.checked;
    let problems = batch.problems();
    let invalid = || {
        let explanation = problems.first()?.clone();
        let of_result = |(step, words): &(&'static str, Vec<u32>)| {
            let mismatch =
                Mismatch { step, is_error: false, explanation: explanation.clone(), words: words.clone() };
            (!is_valid(words, source.environment)).then_some(mismatch)
        };
        results.iter().find_map(of_result)
    };
    match result.err().or_else(invalid) {
        None => Ok(checked),
        Some(mismatch) => Err(Box::new(FailedProgram { source: text, words, mismatch })),
    }
}

fn folder(source: ProgramSource, seed: u64) -> PathBuf {
    root().join("target/search/interpreter").join(format!("{}-{seed}", source.name))
}

/// Reduces a failing program, and keeps its files. Returns the failure and the folder.
fn reduced(source: ProgramSource, seed: u64, failure: Box<FailedProgram>) -> String {
    let step = failure.mismatch.step;
    let count = (source.program)(seed).statements();
    let mut last = failure;
    let (left_out, tries) = smallest(count, REDUCING, |left_out| {
        let failed = check(source, seed, left_out).err().filter(|failure| failure.mismatch.step == step);
        let fails = failed.is_some();
        if let Some(failure) = failed {
            last = failure;
        }
        Ok(fails)
    })
    .unwrap();
    let folder = folder(source, seed);
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).unwrap();
    write(source.file, last.source.as_bytes());
    write("module.spv", &bytes_of(&last.words));
    write("result.spv", &bytes_of(&last.mismatch.words));
    write("failure.txt", last.mismatch.explanation.as_bytes());
    format!(
        "seed {seed}: {step}: {}\nreduced in {tries} tries, {} of {count} statements left out; kept in {}\nagain: scripts/search.sh 0 \
         {seed} interpreter::{}",
        last.mismatch.explanation,
        left_out.len(),
        folder.display(),
        source.name
    )
}
