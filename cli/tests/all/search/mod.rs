//! Random programs on real drivers: `cargo test --test all search`, and `scripts/search.sh MINUTES [SEED]` for more of them.
//!
//! A program follows from its seed. The results of all commands that write modules must behave like the original. The original is its module with
//! the specialization constants set through the API, or its source compiled for one device. A failing program is reduced: statements are removed
//! while it fails in the same way. Its source and its modules are then in `target/search`.

mod changes;
mod commands;
pub mod compile;
mod conditional;
pub mod expressions;
mod generate;
mod glsl;
mod language;
mod machine;
mod naga;
mod opencl;
mod oracles;
pub mod program;
pub mod ready;
pub mod reduce;
mod refusals;
mod second;
mod slang;
pub mod values;
mod wgsl;

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use libtest_mimic::{Failed, Trial};

use crate::common::root;
use crate::drivers::{self, DRIVER, Ended, Pool, Searched};
use crate::registry::{ignored_without, needing_tools};
use language::{LANGUAGES, Language};
use program::LeftOut;
use reduce::CaseEnd;

/// Names the minutes and the first seed of a longer search, and the number of programs side by side, if it is more than one.
const SEARCH: &str = "SPIRV_IF_SEARCH";
/// Stands before the name of a step.
const STEP: &str = "step: ";
/// Stands before the number of statements of a program.
const STATEMENTS: &str = "statements: ";
/// Begins the names of cases.
const CASE: &str = "search::";
/// The maximum number of programs of a process: its objects in a driver stay until it ends.
const IN_PROCESS: u64 = 8;
/// The parts of a plain test run, which run side by side.
const PARTS: u64 = 4;
/// The programs of each.
const PROGRAMS: u64 = 4;

/// Counts of programs and of their outcomes.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchFinding {
    /// The programs that were run.
    pub programs: usize,
    /// The modules that were made of them.
    pub modules: usize,
    /// The runs of modules by a driver.
    pub runs: usize,
    /// The devices that do not run an optimizer's result, or a compiler's conditional function.
    pub refused: usize,
    /// The runs in which invocations reached traps.
    pub trapped: usize,
    /// The times that a compiler or spirv-opt crashed, or made no valid module of a valid one.
    pub not_made: usize,
    /// The invalid modules that a compiler made.
    pub not_valid: usize,
    /// The modules of a compiler that the driver did not run.
    pub not_run: usize,
    /// The programs for which the driver alone computes different results with constants set through the API and with values in the source. Other
    /// differences must not appear on another driver.
    pub unlike: usize,
    /// The programs for which there was no time for all steps.
    pub cut_short: usize,
}

impl SearchFinding {
    fn numbers(&mut self) -> [(&'static str, &mut usize); 10] {
        [
            ("programs", &mut self.programs),
            ("modules", &mut self.modules),
            ("runs", &mut self.runs),
            ("refused", &mut self.refused),
            ("trapped", &mut self.trapped),
            ("not made", &mut self.not_made),
            ("not valid", &mut self.not_valid),
            ("not run", &mut self.not_run),
            ("unlike", &mut self.unlike),
            ("cut short", &mut self.cut_short),
        ]
    }

    fn named(mut self) -> Vec<(&'static str, usize)> {
        self.numbers().map(|(name, number)| (name, *number)).to_vec()
    }

    fn describe(mut self) -> String {
        let numbers = self.numbers().map(|(name, number)| format!("{name}: {number}"));
        numbers.join(", ")
    }

    fn add(&mut self, summary: &str) {
        for part in summary.split(", ") {
            for (name, number) in self.numbers() {
                if let Some(digits) = part.strip_prefix(name).and_then(|rest| rest.strip_prefix(": ")) {
                    *number += digits.parse::<usize>().unwrap_or_default();
                }
            }
        }
    }
}

/// The folder of a program.
fn folder(language: &str, seed: u64) -> PathBuf {
    let driver = std::env::var_os(DRIVER).map_or_else(|| "alone".into(), PathBuf::from);
    kept(&driver, language, seed)
}

fn kept(driver: &Path, language: &str, seed: u64) -> PathBuf {
    root().join("target/search").join(drivers::name_of(driver)).join(format!("{language}-{seed}"))
}

/// The name of the case of a program without some statements.
fn case(language: &Language, seed: u64, left_out: &LeftOut) -> String {
    let numbers: Vec<String> = left_out.iter().map(u32::to_string).collect();
    format!("{}::{CASE}{}::{seed}::{}", language.interface, language.name, numbers.join(","))
}

/// Runs a case with the driver of this process, if it is one of this search.
pub fn run_case(interface: &str, name: &str) -> Option<Result<String, String>> {
    if let Some(folder) = name.strip_prefix(second::AGAIN) {
        return Some(second::compare(interface, Path::new(folder)));
    }
    let (language, rest) = name.strip_prefix(CASE)?.split_once("::")?;
    let (seed, left_out) = rest.split_once("::").unwrap_or((rest, ""));
    let left_out = left_out.split(',').filter_map(|number| number.parse().ok()).collect();
    Some(oracles::run(Language::named(language)?, seed.parse().ok()?, &left_out).map(SearchFinding::describe))
}

/// A search with every driver, in every language that it runs. Languages with missing compilers are ignored, and so are slower ones, except in a
/// longer search.
pub fn trials() -> Vec<Trial> {
    let longer = longer_search();
    let mut trials = Vec::new();
    for (driver, language) in drivers::brought()
        .into_iter()
        .flat_map(|driver| LANGUAGES.iter().map(move |language| (driver.clone(), language)))
    {
        let name = format!("search::{}::{}", drivers::name_of(&driver), language.name);
        if !drivers::name_of(&driver).starts_with(&format!("{}-", language.interface)) {
            continue;
        }
        let trial = |name: String, plan: Plan, missing: Option<&str>| {
            let driver = driver.clone();
            ignored_without(needing_tools(name, move || search(&driver, language, plan)), missing)
        };
        let missing = language.compilers.iter().copied().find(|compiler| !compile::is_there(compiler));
        if let Some(plan) = longer.clone() {
            trials.push(trial(name, plan, missing));
            continue;
        }
        let parts = if language.is_tested { PARTS } else { 1 };
        let missing = (!language.is_tested).then_some("scripts/search.sh").or(missing);
        for part in 0..parts {
            let first = part * PROGRAMS;
            let plan = Plan { seeds: first..first + PROGRAMS, limit: None, side_by_side: 1 };
            trials.push(trial(format!("{name}::{part}"), plan, missing));
        }
    }
    trials
}

/// The programs of a search.
#[derive(Clone)]
pub struct Plan {
    pub seeds: Range<u64>,
    /// The time in which more of them are begun, if not all are to be run.
    pub limit: Option<Duration>,
    /// The number that run at a time.
    pub side_by_side: usize,
}

/// Returns the longer search that the environment requests.
pub fn longer_search() -> Option<Plan> {
    std::env::var(SEARCH).ok().and_then(|text| longer(&text))
}

/// The longer search of a text.
fn longer(text: &str) -> Option<Plan> {
    let mut words = text.split(' ');
    let minutes: f64 = words.next()?.parse().ok()?;
    let first: u64 = words.next()?.parse().ok()?;
    let side_by_side = words.next().map_or(Some(1), |word| word.parse().ok())?;
    Some(Plan { seeds: first..u64::MAX, limit: Some(Duration::from_secs_f64(minutes * 60.0)), side_by_side })
}

/// Runs programs from a seed on, as many as there are, or as there is time for, but one at least.
fn search(driver: &Path, language: &'static Language, plan: Plan) -> Result<(), Failed> {
    let first = plan.seeds.start;
    let end = plan.limit.map(|limit| Instant::now() + limit);
    let seeds = Mutex::new(plan.seeds);
    let parts = thread::scope(|scope| {
        let part = || scope.spawn(|| part(driver, language, &seeds, end));
        let parts: Vec<_> = (0..plan.side_by_side).map(|_| part()).collect();
        parts.into_iter().map(|part| part.join().unwrap()).collect::<io::Result<Vec<_>>>()
    })?;
    let mut findings = SearchFinding::default();
    let mut failures = Vec::new();
    for (of_part, failed) in parts {
        findings.add(&of_part.describe());
        failures.extend(failed);
    }
    failures.sort();
    let last = seeds.into_inner().unwrap().start - 1;
    let programs = format!("{}, {}, seeds {first} to {last}", drivers::name_of(driver), language.name);
    let summary = format!("{programs}: {}", findings.describe());
    if end.is_some() {
        eprintln!("{summary}, failures: {}", failures.len());
        drivers::note_search(Searched { programs, numbers: findings.named(), failures: failures.clone() });
    }
    match failures.is_empty() {
        true => Ok(()),
        false => Err(Failed::from(format!("{summary}\n{}", failures.join("\n\n")))),
    }
}

/// Runs one program after another, with seeds from a shared counter. Returns the counts and the failures.
fn part(
    driver: &Path,
    language: &Language,
    seeds: &Mutex<Range<u64>>,
    end: Option<Instant>,
) -> io::Result<(SearchFinding, Vec<String>)> {
    let mut findings = SearchFinding::default();
    let mut failures = Vec::new();
    let mut is_over = false;
    while !is_over {
        let pool = Pool::new(driver);
        for _ in 0..IN_PROCESS {
            let Some(seed) = seeds.lock().unwrap().next() else {
                is_over = true;
                break;
            };
            let ended = pool.run(&case(language, seed, &LeftOut::new()), Ended::is_good)?;
            match reduce::outcome(&ended) {
                CaseEnd::Right => findings.add(ended.result().unwrap_or_default()),
                CaseEnd::NotRun => findings.not_run += 1,
                CaseEnd::Fails(_) => failures.push(reduce::reduced(driver, language, seed, ended)?),
            }
            is_over = end.is_some_and(|end| Instant::now() > end);
            if is_over {
                break;
            }
        }
        failures.extend(pool.end()?.iter().map(|ended| ended.describe()));
    }
    Ok((findings, failures))
}
