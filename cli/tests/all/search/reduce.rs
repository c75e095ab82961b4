//! Reduction of failing programs: statements are removed as long as the program fails in the same way.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use super::language::Language;
use super::oracles::ORIGINALS;
use super::program::LeftOut;
use super::{STATEMENTS, STEP, case, kept};
use crate::drivers::{Ended, Pool, name_of};

/// The most time that reducing one takes.
const LIMIT: Duration = Duration::from_secs(120);

/// The end of a case.
#[derive(PartialEq)]
pub enum CaseEnd {
    Right,
    /// The driver crashed, or hung, with a compiler's module.
    NotRun,
    /// Failed step and its error.
    Fails(String),
}

pub fn outcome(ended: &Ended) -> CaseEnd {
    if ended.is_good() && ended.result().is_some() {
        return CaseEnd::Right;
    }
    let step = ended.output.lines().rev().find_map(|line| line.strip_prefix(STEP)).unwrap_or_default();
    if ended.problem.is_some() && !ended.failed && ORIGINALS.contains(&step) {
        return CaseEnd::NotRun;
    }
    let problem = ended.problem.as_deref().unwrap_or("asks what Vulkan does not allow");
    CaseEnd::Fails(format!("{step} {problem}"))
}

/// Reduces the program of a seed, which ended like this. Returns the failure, and the folder with its files.
pub fn reduced(driver: &Path, language: &Language, seed: u64, ended: Ended) -> io::Result<String> {
    let wanted = outcome(&ended);
    let count = ended.output.lines().find_map(|line| line.strip_prefix(STATEMENTS)?.parse().ok());
    let count: u32 = count.unwrap_or(0);
    let mut last = ended;
    let run = |left_out: &LeftOut| {
        let pool = Pool::new(driver);
        pool.run(&case(language, seed, left_out), Ended::is_good)
    };
    let (left_out, tries) = smallest(count, LIMIT, |left_out| {
        let ended = run(left_out)?;
        let fails = outcome(&ended) == wanted;
        if fails {
            last = ended;
        }
        Ok(fails)
    })?;
    // The files of the last failure are kept.
    run(&left_out)?;
    let reduced = case(language, seed, &left_out);
    let wanted = if let CaseEnd::Fails(how) = wanted { how } else { String::new() };
    Ok(format!(
        "seed {seed}: {}\n{}\nreduced in {tries} tries, {} of {count} statements left out; kept in {}\nagain: scripts/search.sh 0 {seed}, \
         or with what is left: SPIRV_IF_DRIVER_CASE={reduced} target/tools/drivers/{} target/debug/deps/all-*",
        wanted,
        last.describe(),
        left_out.len(),
        kept(driver, language.name, seed).display(),
        name_of(driver),
    ))
}

/// Leaves out as many statements of a program as it can within a time, so that it still fails; returns them, and the number of tries.
pub fn smallest(
    count: u32,
    limit: Duration,
    mut fails: impl FnMut(&LeftOut) -> io::Result<bool>,
) -> io::Result<(LeftOut, usize)> {
    let start = Instant::now();
    let mut left_out = LeftOut::new();
    let mut tries = 0;
    // Nested statements follow the enclosing ones: a range of numbers is a part of the tree.
    let mut size = count.div_ceil(2).max(1);
    loop {
        let mut at = 0;
        let mut shrunk = false;
        while at < count && start.elapsed() < limit {
            let chunk = at..(at + size).min(count);
            at += size;
            if chunk.clone().all(|number| left_out.contains(&number)) {
                continue;
            }
            let smaller: LeftOut = left_out.iter().copied().chain(chunk).collect();
            tries += 1;
            if fails(&smaller)? {
                (left_out, shrunk) = (smaller, true);
            }
        }
        if start.elapsed() >= limit || size == 1 && !shrunk {
            return Ok((left_out, tries));
        }
        size = if size > 1 { size / 2 } else { 1 };
    }
}
