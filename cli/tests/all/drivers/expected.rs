//! Known behaviour of drivers where the standards leave it to them.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Mutex;

use super::ACCEPTS;
use crate::common::root;

/// The lines of `expected/DRIVER.txt`, each `CASE: WHAT IT DOES`.
pub struct ExpectedResults {
    path: PathBuf,
    /// None without such a file.
    known: Option<BTreeMap<String, String>>,
    /// The results of this run.
    results: Mutex<BTreeMap<String, String>>,
}

impl ExpectedResults {
    pub fn read(driver: &str) -> ExpectedResults {
        let path = root().join("cli/tests/all/drivers/expected").join(driver).with_extension("txt");
        let lines = |text: String| {
            let pairs = text.lines().filter_map(|line| line.split_once(": "));
            pairs.map(|(name, does)| (name.to_owned(), does.to_owned())).collect()
        };
        let known = std::fs::read_to_string(&path).ok().map(lines);
        ExpectedResults { path, known, results: Mutex::default() }
    }

    /// True if the driver is known not to accept what a case asks for. Only the result of a new process then counts.
    pub fn is_refused(&self, name: &str) -> bool {
        self.known.as_ref().and_then(|known| known.get(name)).is_some_and(|result| result != ACCEPTS)
    }

    /// Compares the results with the known ones, or writes them with BLESS.
    pub fn compare(&self, name: &str, result: &str, output: &str) -> Result<(), String> {
        if std::env::var_os("BLESS").is_some() {
            return self.bless(name, result).map_err(|error| format!("{}: {error}", self.path.display()));
        }
        let Some(known) = &self.known else { return Ok(()) };
        let known = known.get(name).map_or("nothing", String::as_str);
        if known == result {
            return Ok(());
        }
        Err(format!(
            "{} has {known:?}, but now: {result}\n(BLESS=1 writes it)\n{output}",
            self.path.display()
        ))
    }

    fn bless(&self, name: &str, result: &str) -> std::io::Result<()> {
        let mut all = self.results.lock().unwrap();
        all.insert(name.to_owned(), result.to_owned());
        let mut text = String::new();
        for (name, does) in
            self.known.iter().flatten().filter(|(name, _)| !all.contains_key(*name)).chain(&*all)
        {
            let _ = writeln!(text, "{name}: {does}");
        }
        let mut lines: Vec<&str> = text.lines().collect();
        lines.sort();
        std::fs::write(&self.path, lines.join("\n") + "\n")
    }
}
