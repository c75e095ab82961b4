//! The proof of `trim`: each declared capability and extension is removed alone and spirv-val asked whether the module is
//! still valid; then compared with `trim`. A declaration that spirv-val requires must never be removed.
//!
//! The normal test run has a sample. scripts/prove.sh trim runs over whole folders of modules.

mod cache;
mod corpus;
mod judge;
mod oracle;
mod report;
mod subject;

use corpus::CorpusModule;
use oracle::Oracle;
use report::TrimReport;

/// The minimum percentage of unneeded declarations that are found in the sample.
const MIN_FINDINGS: f64 = 90.0;

/// Names folders to prove, separated as in PATH.
const FOLDERS: &str = "TRIM_PROOF_DIRS";
/// The number of modules of each folder to take; all, if it is not set.
const SAMPLE: &str = "TRIM_PROOF_SAMPLE";

#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn sample() {
    let oracle = Oracle::new();
    let report = prove(&oracle, corpus::sample());
    assert!(report.is_right(), "{report}");
    assert!(report.found_percent() >= MIN_FINDINGS, "{report}");
}

/// All modules that scripts/prove.sh trim names.
#[test]
#[ignore = "takes long; scripts/prove.sh trim runs it"]
fn folders() {
    let oracle = Oracle::new();
    let sample = std::env::var(SAMPLE).ok().map(|count| count.parse().expect("a number"));
    let folders = std::env::var_os(FOLDERS).unwrap_or_else(|| "target/corpus".into());
    let mut right = true;
    for folder in std::env::split_paths(&folders) {
        for (name, inputs) in corpus::groups(&folder, sample) {
            let report = prove(&oracle, inputs);
            println!("{name}: {report}");
            right &= report.is_right();
        }
    }
    assert!(right, "something needed is removed: see above");
}

/// Judges modules on all cores.
fn prove(oracle: &Oracle, inputs: Vec<CorpusModule>) -> TrimReport {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || {
        let mut report = TrimReport::default();
        while let Some(input) = inputs.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
            report.add(input.name(), judge::judge(oracle, &input.bytes()));
        }
        report
    };
    let mut whole = TrimReport::default();
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            whole.merge(worker.join().unwrap());
        }
    });
    whole
}
