//! What every case came to, for drivers that are not at hand every day: a table in the file that the environment names.

use std::collections::BTreeMap;
use std::sync::Mutex;

/// Names the file.
const RECORD: &str = "SPIRV_IF_DRIVER_RECORD";

/// The cases that have run, each with whether it passed and what it came to.
static CASES: Mutex<BTreeMap<String, (bool, String)>> = Mutex::new(BTreeMap::new());

/// Takes a case down.
pub fn note(case: &str, passed: bool, found: &str) {
    CASES.lock().unwrap().insert(case.to_owned(), (passed, found.to_owned()));
}

/// Writes the table.
pub fn write() {
    let Some(path) = std::env::var_os(RECORD) else { return };
    let cases = CASES.lock().unwrap();
    let passed = cases.values().filter(|(passed, _)| *passed).count();
    let mut text =
        format!("{passed} of {} cases pass.\n\n| case | | what came of it |\n|---|---|---|\n", cases.len());
    for (case, (passed, found)) in &*cases {
        let passed = if *passed { "pass" } else { "**fail**" };
        let found: Vec<&str> = found.lines().map(str::trim).collect();
        text += &format!("| {case} | {passed} | {} |\n", found.join("; ").replace('|', "\\|"));
    }
    std::fs::write(path, text).unwrap();
}
