//! The answer about many modules, such as those of a library, and their order by requirements.

use std::fmt;

use serde::Serialize;

use super::answer::Answer;

/// The numbers of devices that run each of several modules.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[non_exhaustive]
pub struct LibraryAnswer {
    /// The answer in sentences.
    pub text: String,
    /// The number of modules.
    pub modules: usize,
    /// The number of devices.
    pub devices: usize,
    /// The smallest number of devices that run a module unchanged.
    pub min_run: usize,
    /// The largest number of devices that run a module unchanged.
    pub max_run: usize,
    /// The number of modules that no device runs unchanged.
    pub nowhere: usize,
}

/// The numbers of devices for one module of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ModuleCounts {
    /// The number of devices.
    pub devices: usize,
    /// The number of devices that run the unchanged module.
    pub run: usize,
}

impl ModuleCounts {
    /// Creates the numbers of a module.
    pub fn new(devices: usize, run: usize) -> ModuleCounts {
        ModuleCounts { devices, run }
    }

    pub(crate) fn from_answer(answer: &Answer) -> ModuleCounts {
        ModuleCounts::new(answer.devices, answer.run)
    }
}

impl LibraryAnswer {
    /// Joins the numbers of modules that were compared with the same devices; `None` for fewer than two modules.
    pub fn new(modules: impl IntoIterator<Item = ModuleCounts>) -> Option<LibraryAnswer> {
        let modules: Vec<ModuleCounts> = modules.into_iter().collect();
        if modules.len() < 2 {
            return None;
        }
        let run = || modules.iter().map(|module| module.run);
        let mut answer = LibraryAnswer {
            text: String::new(),
            modules: modules.len(),
            devices: modules.first()?.devices,
            min_run: run().min()?,
            max_run: run().max()?,
            nowhere: modules.iter().filter(|module| module.run == 0).count(),
        };
        answer.text = answer.to_string();
        Some(answer)
    }
}

/// Writes the sentences.
impl fmt::Display for LibraryAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LibraryAnswer { modules, devices, min_run, max_run, nowhere, .. } = self;
        write!(f, "Each of the {modules} modules runs on ")?;
        match (min_run, max_run) {
            (_, 0) => write!(f, "none of {devices} devices.")?,
            (min, max) if min == max => write!(f, "{max} of {devices} devices.")?,
            (min, max) => write!(f, "{min} to {max} of {devices} devices.")?,
        }
        match nowhere {
            0 => Ok(()),
            _ if nowhere == modules => Ok(()),
            1 => f.write_str(" 1 runs on no device as it is."),
            nowhere => write!(f, " {nowhere} run on no device as they are."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences() {
        let text = |runs: &[usize]| {
            let modules = runs.iter().map(|&run| ModuleCounts::new(97, run));
            LibraryAnswer::new(modules).map(|answer| answer.text)
        };
        assert_eq!(text(&[5]), None);
        let expected = [
            (&[81, 12][..], "Each of the 2 modules runs on 12 to 81 of 97 devices."),
            (&[81, 81], "Each of the 2 modules runs on 81 of 97 devices."),
            (&[0, 4, 3], "Each of the 3 modules runs on 0 to 4 of 97 devices. 1 runs on no device as it is."),
            (&[0, 0], "Each of the 2 modules runs on none of 97 devices."),
        ];
        for (runs, expected) in expected {
            assert_eq!(text(runs).as_deref(), Some(expected));
        }
    }
}
