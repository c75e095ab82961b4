//! What a compiler would warn of.

use std::fmt;

use crate::check;

/// Something that a compiler would warn of. Displayed, what it would say.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// Where in the source the cause is, as `file:line:column`.
    pub place: Option<String>,
    /// What is wrong, in words.
    pub message: String,
    /// The calls that lead to the cause: each function, and where the one before calls it.
    pub chain: Vec<(String, Option<String>)>,
    text: String,
}

impl Warning {
    pub(crate) fn of(warning: check::Warning) -> Warning {
        Warning {
            message: warning.problem.to_string(),
            text: warning.text(),
            place: warning.place,
            chain: warning.chain.into_iter().map(|step| (step.function, step.place)).collect(),
        }
    }

    /// What comes after the word `warning: `: the message, and the call chain on lines of its own.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        write!(f, "warning: {}", self.text)
    }
}
