//! Tests of SPIRV-Tools applied to this project. The facts are theirs, the modules are ours, and their tools decide.

mod limits;
mod linked;
mod reflected;
mod trim;
mod variants;

use libtest_mimic::Trial;

/// The tests of all of them.
pub fn trials() -> Vec<Trial> {
    limits::trials()
        .into_iter()
        .chain(linked::trials())
        .chain(reflected::trials())
        .chain(trim::trials())
        .chain(variants::trials())
        .collect()
}
