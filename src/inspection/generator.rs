//! The tool that wrote a module (`spec-extensions/generators.csv`).

use std::borrow::Cow;
use std::fmt;
use std::sync::LazyLock;

use serde::Serialize;

use crate::loader::Module;
use crate::text::csv;

/// The tool that wrote a module, as the header says (specification, 2.3 "Physical Layout", generator magic number).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Generator {
    /// Its number in the registry of generators.
    pub number: u16,
    /// Its name, or its vendor's; `None` for a number that the table does not have.
    pub name: Option<&'static str>,
    /// Its version, in a numbering of its own.
    pub version: u16,
}

impl Generator {
    /// Reads it from the header of a module.
    pub fn of(module: &Module) -> Generator {
        let word = module.generator();
        let number = (word >> 16) as u16;
        Generator { number, name: name(number), version: word as u16 }
    }

    /// Its name in texts.
    pub fn title(&self) -> Cow<'static, str> {
        match self.name {
            Some(name) => Cow::Borrowed(name),
            None if self.number == 0 => Cow::Borrowed("an unnamed tool"),
            None => Cow::Owned(format!("tool {}", self.number)),
        }
    }
}

impl fmt::Display for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.title())
    }
}

/// The rows of the table, by number.
static NAMES: LazyLock<Vec<(u64, &str)>> = LazyLock::new(|| {
    csv::rows(include_str!("../../spec-extensions/generators.csv"))
        .filter_map(|[number, vendor, tool]: [&str; 3]| {
            Some((csv::number(number)?, if tool.is_empty() { vendor } else { tool }))
        })
        .collect()
});

fn name(number: u16) -> Option<&'static str> {
    NAMES.iter().find(|(own, _)| *own == u64::from(number)).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(
            [name(8), name(11), name(0), name(5000)],
            [Some("Glslang Reference Front End"), Some("Intel"), None, None]
        );
    }
}
