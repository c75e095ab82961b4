//! Counts the analyses of each module, for the test that none runs twice on one.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Debug;

use crate::loader::Module;

/// The analyses that ran.
#[derive(Default)]
struct AnalysisRuns {
    /// Words of each module.
    modules: Vec<Vec<u32>>,
    /// Number of runs of each analysis, by the index of its module and by its other input.
    counts: BTreeMap<(&'static str, usize, String), usize>,
}

thread_local! {
    /// The runs of this thread, if they are counted.
    static RUNS: RefCell<Option<AnalysisRuns>> = RefCell::default();
}

/// Records that an analysis runs on a module. `input` is its other input.
pub fn note(analysis: &'static str, module: &Module, input: &dyn Debug) {
    RUNS.with_borrow_mut(|runs| {
        let Some(AnalysisRuns { modules, counts }) = runs else { return };
        let known = modules.iter().position(|words| words == module.words());
        let module = known.unwrap_or_else(|| {
            modules.push(module.words().to_vec());
            modules.len() - 1
        });
        *counts.entry((analysis, module, format!("{input:?}"))).or_default() += 1;
    });
}

/// Returns the analyses that `work` runs more than once on one module in this thread, and the total number of
/// runs.
pub fn repeated(work: impl FnOnce()) -> (Vec<&'static str>, usize) {
    RUNS.replace(Some(AnalysisRuns::default()));
    work();
    let counts = RUNS.take().unwrap_or_default().counts;
    let repeated = counts.iter().filter(|(_, count)| **count > 1);
    (repeated.map(|((analysis, ..), _)| *analysis).collect(), counts.len())
}
