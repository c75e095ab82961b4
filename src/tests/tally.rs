//! A count of the analyses of each module, for the test that none runs twice on one.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::loader::Module;

thread_local! {
    /// The number of runs of each analysis, by a hash of the words of the module and of its other input.
    static RUNS: RefCell<BTreeMap<(&'static str, u64), usize>> = RefCell::default();
}

/// Records that an analysis runs on a module. `input` is its other input.
pub fn note(analysis: &'static str, module: &Module, input: &dyn Debug) {
    let mut subject = DefaultHasher::new();
    module.words().hash(&mut subject);
    format!("{input:?}").hash(&mut subject);
    RUNS.with_borrow_mut(|runs| *runs.entry((analysis, subject.finish())).or_default() += 1);
}

/// The analyses that run more than once on one module while this thread works, and how many run at all.
pub fn repeated(work: impl FnOnce()) -> (Vec<&'static str>, usize) {
    RUNS.take();
    work();
    let runs = RUNS.take();
    let repeated = runs.iter().filter(|(_, count)| **count > 1).map(|((analysis, _), _)| *analysis).collect();
    (repeated, runs.len())
}
