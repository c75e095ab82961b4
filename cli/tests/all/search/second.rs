//! A second driver, for cases in which the first computes different results for a generated module and for a compiler's.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::commands::CommandState;
use super::conditional;
use super::machine::Machine;
use super::oracles::{Reference, Search, SearchResult, Values, write};
use crate::common::words_of;
use crate::drivers::{self, DRIVER, Pool};

/// Begins the names of cases that compare modules again.
pub const AGAIN: &str = "again::";
/// Holds the inputs, and then the modules with their constants, a line for each.
const FILE: &str = "again.txt";
impl Search<'_> {
    /// Counts a difference as the driver's own, if another driver computes the same for the result and its reference. In addition, this driver must
    /// differ on the reference, or be wrong about the compiler's module or the plain source.
    pub fn is_of_driver(
        &mut self,
        state: &CommandState,
        results: &[u32],
        right: &Reference,
    ) -> SearchResult<bool> {
        let text = self.told_again(state, right)?;
        write(&self.folder.join(FILE), text.as_bytes())?;
        for driver in others() {
            let case = format!("{}::{AGAIN}{}", self.language.interface, self.folder.display());
            let ended = Pool::new(&driver).run(&case, |_| false).map_err(|error| error.to_string())?;
            let Some(shown_results) = ended.result().filter(|_| ended.is_good()) else {
                println!("{}: {}", drivers::name_of(&driver), ended.describe());
                continue;
            };
            println!("{} computes the same for both: {shown_results}", drivers::name_of(&driver));
            if shown_results == shown(results) || self.is_unlike()? {
                self.findings.unlike = 1;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns true if the driver alone computes different results for the compiler's module and for its source, all of which is to happen.
    fn is_unlike(&mut self) -> SearchResult<bool> {
        if self.language.number.is_none() {
            return Ok(false);
        }
        if self.unlike.is_none() {
            let mut options = self.plain(&self.whole);
            options.push(conditional::OPEN.to_owned());
            let module = self.folder.join("plain-open.spv");
            let source = self.folder.join(self.language.file);
            let bytes = self.build.compile(&source, &module, &options, &[])?;
            let plain = bytes.map(|bytes| self.run(&words_of(&bytes), &[])).transpose()?;
            println!("for the plain source of which all happens, the driver computes\n{plain:x?}");
            self.unlike = Some(plain.is_some_and(|results| results != self.open));
        }
        Ok(self.unlike == Some(true))
    }

    fn told_again(&self, state: &CommandState, right: &Reference) -> SearchResult<String> {
        let mut text = self.inputs.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
        let mut tell = |name: &str, words: &[u32], values: &Values| -> SearchResult<()> {
            let path = self.folder.join(name);
            write(&path, &crate::common::bytes_of(words))?;
            let _ = write!(text, "\n{name}");
            for (id, bytes) in self.constants(words, values) {
                let bytes: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                let _ = write!(text, " {id}:{bytes}");
            }
            Ok(())
        };
        tell("again-reference.spv", &right.words, &right.values)?;
        tell("again-made.spv", &state.words, &state.open)?;
        Ok(text)
    }
}

/// The other drivers of the interface of this process's.
fn others() -> Vec<PathBuf> {
    let driver_of_process = std::env::var_os(DRIVER).map(PathBuf::from).unwrap_or_default();
    let interface = |driver: &Path| drivers::name_of(driver).split('-').next().map(str::to_owned);
    let is_other =
        |driver: &PathBuf| *driver != driver_of_process && interface(driver) == interface(&driver_of_process);
    drivers::brought().into_iter().filter(is_other).collect()
}

/// Results on one line.
fn shown(results: &[u32]) -> String {
    format!("{results:x?}")
}

/// Runs the modules of a folder with the driver of this process; their results, if they are the same.
pub fn compare(interface: &str, folder: &Path) -> SearchResult<String> {
    let machine = Machine::open(interface)?;
    let text = std::fs::read_to_string(folder.join(FILE)).map_err(|error| error.to_string())?;
    let mut lines = text.lines();
    let inputs: Vec<u32> =
        lines.next().unwrap_or_default().split(' ').map(|word| word.parse().unwrap()).collect();
    let mut all = Vec::new();
    for line in lines {
        let (name, constants) = line.split_once(' ').unwrap_or((line, ""));
        let words = words_of(&std::fs::read(folder.join(name)).map_err(|error| error.to_string())?);
        let constants: Vec<(u32, Vec<u8>)> = constants.split(' ').filter_map(constant).collect();
        all.push(machine.run(&words, &constants, &inputs)?);
    }
    match all.windows(2).all(|pair| pair[0] == pair[1]) {
        true => Ok(all.first().map(|results| shown(results)).unwrap_or_default()),
        false => Err(format!("it computes\n{all:x?}")),
    }
}

/// A constant with its bytes.
fn constant(word: &str) -> Option<(u32, Vec<u8>)> {
    let (id, digits) = word.split_once(':')?;
    let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
    Some((id.parse().unwrap(), (0..digits.len()).step_by(2).map(byte).collect()))
}
