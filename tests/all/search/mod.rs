//! Random programs on real drivers: `cargo test --test all search`, and `scripts/search.sh MINUTES [SEED]` for more of them.
//!
//! A program follows from its seed. Whatever the commands that write modules make of it must do the same as its own module with the
//! specialization constants set through the API. What fails is reduced: statements are left out while it fails in the same way. Its
//! source and its modules are then in `target/search`.

mod compile;
mod expressions;
mod generate;
mod glsl;
mod oracles;
mod program;
mod random;
mod reduce;
mod values;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use libtest_mimic::{Failed, Trial};

use crate::drivers::{self, DRIVER, Pool};
use program::LeftOut;

/// Names the minutes and the first seed of a longer search.
const SEARCH: &str = "SPIRV_IF_SEARCH";
/// What stands before the name of a step.
const STEP: &str = "step: ";
/// Begins the names of cases.
const CASE: &str = "search::";
/// The programs of a process: what it makes on a driver stays until it ends.
const IN_PROCESS: u64 = 8;
/// The parts of a plain test run, which run side by side.
const PARTS: u64 = 4;
/// The programs of each.
const PROGRAMS: u64 = 7;

/// What came of programs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Found {
    /// The programs that were run.
    pub programs: usize,
    /// The modules that were made of them.
    pub modules: usize,
    /// How often a driver ran one.
    pub runs: usize,
    /// How often a device did not run what spirv-opt had made.
    pub refused: usize,
    /// The programs of which spirv-opt made no valid module.
    pub not_optimized: usize,
    /// The programs of which glslang made no valid module.
    pub not_valid: usize,
    /// The programs that the driver did not run as they were.
    pub not_run: usize,
}

impl Found {
    fn numbers(&mut self) -> [(&'static str, &mut usize); 7] {
        [
            ("programs", &mut self.programs),
            ("modules", &mut self.modules),
            ("runs", &mut self.runs),
            ("refused", &mut self.refused),
            ("not optimized", &mut self.not_optimized),
            ("not valid", &mut self.not_valid),
            ("not run", &mut self.not_run),
        ]
    }

    fn told(mut self) -> String {
        let numbers = self.numbers().map(|(name, number)| format!("{name}: {number}"));
        numbers.join(", ")
    }

    fn add(&mut self, told: &str) {
        for part in told.split(", ") {
            for (name, number) in self.numbers() {
                if let Some(own) = part.strip_prefix(name).and_then(|rest| rest.strip_prefix(": ")) {
                    *number += own.parse::<usize>().unwrap_or_default();
                }
            }
        }
    }
}

/// Where what belongs to a program is kept.
fn folder(language: &str, seed: u64) -> PathBuf {
    let driver = std::env::var_os(DRIVER).map_or_else(|| "alone".into(), PathBuf::from);
    kept(&driver, language, seed)
}

fn kept(driver: &Path, language: &str, seed: u64) -> PathBuf {
    drivers::root().join("target/search").join(drivers::name_of(driver)).join(format!("{language}-{seed}"))
}

/// The name of the case of a program without some statements.
fn case(language: &str, seed: u64, left_out: &LeftOut) -> String {
    let numbers: Vec<String> = left_out.iter().map(u32::to_string).collect();
    format!("{CASE}{language}::{seed}::{}", numbers.join(","))
}

/// Runs a case with the driver of this process, if it is one of this search.
pub fn run_case(name: &str) -> Option<Result<String, String>> {
    let (_, rest) = name.strip_prefix(CASE)?.split_once("::")?;
    let (seed, left_out) = rest.split_once("::").unwrap_or((rest, ""));
    let left_out = left_out.split(',').filter_map(|number| number.parse().ok()).collect();
    Some(oracles::run(seed.parse().ok()?, &left_out).map(Found::told))
}

/// A search with every driver.
pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for driver in drivers::brought() {
        let name = drivers::name_of(&driver);
        if !name.starts_with("vulkan-") {
            continue;
        }
        let longer = std::env::var(SEARCH).ok();
        let longer = longer.as_deref().and_then(|text| {
            let (minutes, seed) = text.split_once(' ')?;
            Some((minutes.parse::<f64>().ok()?, seed.parse::<u64>().ok()?))
        });
        if let Some((minutes, seed)) = longer {
            let limit = Duration::from_secs_f64(minutes * 60.0);
            let run = move || search(&driver, "glsl", seed, u64::MAX, limit);
            trials.push(Trial::test(format!("search::{name}::glsl"), run));
            continue;
        }
        for part in 0..PARTS {
            let driver = driver.clone();
            let run = move || search(&driver, "glsl", part * PROGRAMS, PROGRAMS, Duration::MAX);
            trials.push(Trial::test(format!("search::{name}::glsl::{part}"), run));
        }
    }
    trials
}

/// Runs programs from a seed on, as many as there are, or as there is time for, but one at least.
fn search(driver: &Path, language: &str, first: u64, count: u64, limit: Duration) -> Result<(), Failed> {
    let start = Instant::now();
    let mut found = Found::default();
    let mut failures = Vec::new();
    let mut seeds = first..first.saturating_add(count);
    let mut is_over = false;
    while !is_over {
        let pool = Pool::new(driver);
        for seed in seeds.by_ref().take(IN_PROCESS as usize) {
            let ended = pool.run(&format!("vulkan::{}", case(language, seed, &LeftOut::new())))?;
            match reduce::kind(&ended) {
                None => found.add(ended.found().unwrap_or_default()),
                Some(_) => failures.push(reduce::reduced(driver, language, seed, ended)?),
            }
            is_over = start.elapsed() > limit;
            if is_over {
                break;
            }
        }
        is_over |= seeds.is_empty();
        failures.extend(pool.end()?.iter().map(|ended| ended.told()));
    }
    let told = format!("{}, from seed {first} on: {}", drivers::name_of(driver), found.told());
    if count == u64::MAX {
        eprintln!("{told}, failures: {}", failures.len());
    }
    match failures.is_empty() {
        true => Ok(()),
        false => Err(Failed::from(format!("{told}\n{}", failures.join("\n\n")))),
    }
}
