//! Every table of names, under one roof.

use super::{DeviceError, architectures, aspects, capabilities, nearest::nearest, registry, table};
use crate::condition::Leaf;

/// A table of names with numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// SYCL aspects.
    Aspects,
    /// Device architectures, in our own numbers.
    Architectures,
    /// SPIR-V capabilities.
    Capabilities,
    /// A list of the device registry.
    Registry(registry::List),
}

impl Names {
    /// The number of a name.
    pub fn number(self, name: &str) -> Option<u32> {
        match self {
            Names::Aspects => aspects::number(name),
            Names::Architectures => architectures::by_name(name).map(|architecture| architecture.value),
            Names::Capabilities => capabilities::number(name),
            Names::Registry(list) => list.number(name),
        }
    }

    /// The name of a number.
    pub fn name(self, number: u32) -> Option<&'static str> {
        match self {
            Names::Aspects => aspects::name(number),
            Names::Architectures => architectures::by_value(number).map(|architecture| architecture.name),
            Names::Capabilities => capabilities::name(number),
            Names::Registry(list) => list.name(number),
        }
    }

    /// The number that `text` is or names.
    pub fn parse(self, text: &str) -> Result<u32, DeviceError> {
        self.number(text).or_else(|| table::number(text)?.try_into().ok()).ok_or_else(|| self.unknown(text))
    }

    /// The numbers of a list with commas between its items.
    pub fn parse_list(self, text: &str) -> Result<Vec<u32>, DeviceError> {
        items(text).map(|item| self.parse(item)).collect()
    }

    /// The error for a name that the table does not have.
    pub fn unknown(self, name: &str) -> DeviceError {
        let nearest = match self {
            Names::Aspects => nearest(name, aspects::names()),
            Names::Architectures => nearest(name, architectures::names()),
            Names::Capabilities => nearest(name, capabilities::names()),
            Names::Registry(list) => nearest(name, list.names()),
        };
        DeviceError::UnknownName { what: self.what(), name: name.to_owned(), nearest }
    }

    /// What the table names.
    pub fn what(self) -> &'static str {
        match self {
            Names::Aspects => "aspect",
            Names::Architectures => "architecture",
            Names::Capabilities => "capability",
            Names::Registry(registry::List::Targets) => "target",
            Names::Registry(registry::List::Features { .. }) => "feature",
            Names::Registry(registry::List::Categories) => "category",
            Names::Registry(registry::List::Families { .. }) => "family",
            Names::Registry(registry::List::Architectures { .. }) => "registry architecture",
        }
    }
}

/// The items of a list with commas between them.
pub(super) fn items(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|item| !item.is_empty())
}

/// The names of the leaves of conditions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tables;

impl Tables {
    /// The name of what the leaf asks for; None for numbers outside the tables, and for specialization constants.
    pub fn name(&self, leaf: Leaf) -> Option<&'static str> {
        match leaf {
            Leaf::Architecture(number) => Names::Architectures.name(number),
            Leaf::Aspect(number) => Names::Aspects.name(number),
            Leaf::Capability(number) => Names::Capabilities.name(number),
            _ => None,
        }
    }
}
