//! The tests that see the library and the program from outside: `cargo test --test all`, and part of a name to run only some.
//!
//! They are one program, so that there is one to link, and what several of them need is made once. A test is a function that its
//! module lists (see `registry`), a file below `tests/cases`, which is named by its path, or a case for a driver (`drivers::`).

// Tests may unwrap; the lint only knows it of functions that are marked as tests.
#![allow(clippy::unwrap_used)]
// A test that is not listed is a function that nothing calls.
#![deny(dead_code)]

#[macro_use]
mod registry;
#[cfg(feature = "cli")]
mod amd;
mod architecture;
#[cfg(feature = "cli")]
mod cases;
mod citations;
#[cfg(feature = "cli")]
#[path = "../../src/test_support/mod.rs"]
mod common;
mod coverage;
mod dependencies;
#[cfg(all(feature = "cli", feature = "probe"))]
mod designs;
#[cfg(all(feature = "cli", feature = "probe"))]
mod drivers;
mod fixtures;
#[cfg(all(feature = "cli", feature = "probe"))]
mod interpreter;
#[cfg(feature = "cli")]
mod merge;
#[cfg(feature = "cli")]
mod peers;
#[cfg(feature = "cli")]
mod program;
mod public_items;
#[cfg(all(feature = "cli", feature = "probe"))]
mod random;
#[cfg(all(feature = "cli", feature = "probe"))]
mod search;
#[cfg(all(feature = "cli", feature = "probe"))]
mod translation;
#[cfg(all(feature = "cli", feature = "probe"))]
mod ubershaders;

use std::process::ExitCode;

use libtest_mimic::Arguments;

fn main() -> ExitCode {
    #[cfg(all(feature = "cli", feature = "probe"))]
    if let Some(ended) = drivers::run_here() {
        return ended;
    }
    let arguments = Arguments::from_args();
    let mut trials = registry::trials();
    trials.extend(architecture::trials());
    trials.extend(citations::trials());
    trials.extend(coverage::trials());
    trials.extend(dependencies::trials());
    trials.extend(fixtures::trials());
    trials.extend(public_items::trials());
    #[cfg(feature = "cli")]
    trials.extend(cases::trials().into_iter().chain(program::trials()).chain(peers::trials()));
    #[cfg(feature = "cli")]
    trials.extend(merge::trials().into_iter().chain(amd::trials()));
    #[cfg(all(feature = "cli", feature = "probe"))]
    trials.extend(designs::trials().into_iter().chain(search::trials()).chain(translation::trials()));
    #[cfg(all(feature = "cli", feature = "probe"))]
    trials.extend(drivers::trials().into_iter().chain(ubershaders::trials()));
    let conclusion = libtest_mimic::run(&arguments, trials);
    #[cfg(all(feature = "cli", feature = "probe"))]
    drivers::write_record();
    conclusion.exit_code()
}
