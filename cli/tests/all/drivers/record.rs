//! Results of every case and of random programs for drivers that are not available every day. They are tables in the file that the environment
//! names.

use std::collections::BTreeMap;
use std::sync::Mutex;

/// Names the file.
const RECORD: &str = "SPIRV_IF_DRIVER_RECORD";

/// Result of a case.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum CaseStatus {
    Passed,
    Failed,
    NotRun,
}

/// Each case with its status, and its result or the reason.
static CASES: Mutex<BTreeMap<String, (CaseStatus, String)>> = Mutex::new(BTreeMap::new());

/// The searches that have run.
static SEARCHES: Mutex<Vec<Searched>> = Mutex::new(Vec::new());

/// The results of random programs.
pub struct Searched {
    /// Language and seeds.
    pub programs: String,
    /// Counts: name and number.
    pub numbers: Vec<(&'static str, usize)>,
    /// The failures: in the first line, the seed and the last step.
    pub failures: Vec<String>,
}

/// Takes a case down.
pub fn note(case: &str, status: CaseStatus, outcome: &str) {
    CASES.lock().unwrap().insert(case.to_owned(), (status, outcome.to_owned()));
}

/// Takes a search down.
pub fn note_search(searched: Searched) {
    SEARCHES.lock().unwrap().push(searched);
}

/// Writes the tables.
pub fn write() {
    let Some(path) = std::env::var_os(RECORD) else { return };
    let searches = SEARCHES.lock().unwrap();
    let searches: Vec<String> = searches.iter().map(searched).collect();
    let text = [cases(), searches.join("\n")].concat();
    std::fs::write(path, text).unwrap();
}

/// The table of cases; nothing if none has run.
fn cases() -> String {
    let cases = CASES.lock().unwrap();
    if cases.is_empty() {
        return String::new();
    }
    let count = |wanted| cases.values().filter(|(status, _)| *status == wanted).count();
    let mut text = format!(
        "{} cases pass, {} fail, and {} are not run.\n\n| case | | what came of it |\n|---|---|---|\n",
        count(CaseStatus::Passed),
        count(CaseStatus::Failed),
        count(CaseStatus::NotRun)
    );
    for (case, (status, outcome)) in &*cases {
        let passed = match status {
            CaseStatus::Passed => "pass",
            CaseStatus::Failed => "**fail**",
            CaseStatus::NotRun => "not run",
        };
        let outcome: Vec<&str> = outcome.lines().map(str::trim).collect();
        text += &format!("| {case} | {passed} | {} |\n", outcome.join("; ").replace('|', "\\|"));
    }
    text
}

/// The table of a search, and its failures.
fn searched(searched: &Searched) -> String {
    let mut text = format!("{}:\n\n| what | number |\n|---|---|\n", searched.programs);
    for (name, number) in &searched.numbers {
        text += &format!("| {name} | {number} |\n");
    }
    text += &format!("| failures | {} |\n", searched.failures.len());
    if !searched.failures.is_empty() {
        text += "\n";
    }
    for failure in &searched.failures {
        text += &format!("- {}\n", failure.lines().next().unwrap_or_default());
    }
    text
}
