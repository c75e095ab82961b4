//! What the tests of SPIRV-Tools test, tested of this project: the facts are theirs, the modules ours, and the tools themselves say
//! what is right.

mod limits;
mod linked;
mod trim;
mod variants;

use libtest_mimic::Trial;

/// The tests of all of them.
pub fn trials() -> Vec<Trial> {
    limits::trials()
        .into_iter()
        .chain(linked::trials())
        .chain(trim::trials())
        .chain(variants::trials())
        .collect()
}
