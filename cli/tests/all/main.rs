//! The tests that see the library and the program from outside: `cargo test --test all`, and part of a name to run only some.
//!
//! They are one program, so that there is one to link, and what several of them need is made once. A test is one of three kinds: a function that
//! its module lists (see `registry`), a file below `cli/tests/cases`, named by its path, or a case for a driver (`drivers::`).

// Tests may unwrap; the lint only knows it of functions that are marked as tests.
#![allow(clippy::unwrap_used)]
// A test that is not listed is a function that nothing calls.
#![deny(dead_code)]

#[macro_use]
mod registry;
mod adapted;
mod amd;
mod cases;
#[path = "../../../src/test_support/mod.rs"]
mod common;
mod designs;
mod dpcpp;
mod drivers;
mod ggml_tiles;
mod intel;
mod lowered;
mod merge;
mod peers;
mod program;
mod random;
mod search;
mod statistics;
mod translation;
mod traps;
mod ubershaders;

use std::process::ExitCode;

use libtest_mimic::Arguments;

fn main() -> ExitCode {
    if let Some(ended) = drivers::run_here() {
        return ended;
    }
    registry::silence_missing_tools();
    let arguments = Arguments::from_args();
    let modules = [
        registry::trials,
        amd::trials,
        cases::trials,
        designs::trials,
        drivers::trials,
        dpcpp::trials,
        intel::trials,
        lowered::trials,
        lowered::proof::trials,
        merge::trials,
        peers::trials,
        program::trials,
        search::trials,
        statistics::trials,
        translation::trials,
        adapted::trials,
        traps::trials,
        ubershaders::trials,
    ];
    let conclusion =
        libtest_mimic::run(&arguments, modules.into_iter().flat_map(|trials| trials()).collect());
    drivers::write_record();
    conclusion.exit_code()
}
