//! The headers for device code in `include/spirv_if`, and the pages about them.

pub mod built;
mod conditions;
mod host;
mod languages;
mod pages;

use libtest_mimic::Trial;

/// The tests of all of them.
pub fn trials() -> Vec<Trial> {
    let mut trials = conditions::trials();
    trials.extend(host::trials());
    trials.extend(languages::trials());
    trials.extend(pages::trials());
    trials
}
