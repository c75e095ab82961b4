//! Which analyses run on which modules, for the test that none runs twice on one.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::loader::Module;

thread_local! {
    /// How often each analysis ran, by a hash of the words of the module and of what else it was told.
    static RUNS: RefCell<BTreeMap<(&'static str, u64), usize>> = RefCell::default();
}

/// Takes note that an analysis runs on a module. `told` is what it is told besides.
pub fn note(analysis: &'static str, module: &Module, told: &dyn Debug) {
    let mut subject = DefaultHasher::new();
    module.words().hash(&mut subject);
    format!("{told:?}").hash(&mut subject);
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
