//! All tables of names, and distinct types for their numbers.

use std::fmt;
use std::str::FromStr;

use spirv::Op;

use super::registry::List;
use super::{DeviceError, architectures, aspects, capabilities, extensions, limits, providers, registry};
use crate::condition::{COMPARISONS, FeatureName, Leaf, LeafKind, LeafNames};
use crate::text::csv;
use crate::text::spelling::{beginning_or_nearest, nearest};

/// A table of names with numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberTable {
    /// SYCL aspects.
    Aspects,
    /// Device architectures, in our own numbers.
    Architectures,
    /// SPIR-V capabilities.
    Capabilities,
    /// A list of the device registry.
    Registry(registry::List),
}

impl NumberTable {
    /// Returns the table with the names of a kind of leaf; `None` for kinds without numbers and for
    /// specialization constants.
    pub fn for_kind(kind: LeafKind) -> Option<NumberTable> {
        match kind {
            LeafKind::Architecture => Some(NumberTable::Architectures),
            LeafKind::Aspect => Some(NumberTable::Aspects),
            LeafKind::Capability => Some(NumberTable::Capabilities),
            LeafKind::Extension
            | LeafKind::Host
            | LeafKind::Target
            | LeafKind::Comparison
            | LeafKind::Feature
            | LeafKind::Limit
            | LeafKind::Constant => None,
        }
    }

    /// Returns the number of a name.
    pub fn number(self, name: &str) -> Option<u32> {
        match self {
            NumberTable::Aspects => aspects::number(name),
            NumberTable::Architectures => architectures::by_name(name).map(|architecture| architecture.value),
            NumberTable::Capabilities => capabilities::number(name),
            NumberTable::Registry(list) => list.number(name),
        }
    }

    /// Returns the name of a number.
    pub fn name(self, number: u32) -> Option<&'static str> {
        match self {
            NumberTable::Aspects => aspects::name(number),
            NumberTable::Architectures => {
                architectures::by_value(number).map(|architecture| architecture.name)
            }
            NumberTable::Capabilities => capabilities::name(number),
            NumberTable::Registry(list) => list.name(number),
        }
    }

    /// Parses a name or a number.
    pub fn parse(self, text: &str) -> Result<u32, DeviceError> {
        self.number(text).or_else(|| csv::number(text)?.try_into().ok()).ok_or_else(|| self.unknown(text))
    }

    /// Parses a list with commas between its items.
    pub fn parse_list(self, text: &str) -> Result<Vec<u32>, DeviceError> {
        items(text).map(|item| self.parse(item)).collect()
    }

    /// Returns the names of the table nearest to a missing one, the nearest first.
    pub fn nearest(self, name: &str) -> Vec<String> {
        match self {
            NumberTable::Aspects => match providers::aspects_of_vulkan(name) {
                others if others.is_empty() => nearest(name, aspects::names()),
                others => others,
            },
            NumberTable::Architectures => beginning_or_nearest(name, architectures::names()),
            NumberTable::Capabilities => match providers::capabilities_of_vulkan(name) {
                others if others.is_empty() => nearest(name, capabilities::names()),
                others => others,
            },
            NumberTable::Registry(list) => nearest(name, list.names()),
        }
    }

    /// Returns the error for a name missing from the table.
    pub(super) fn unknown(self, name: &str) -> DeviceError {
        DeviceError::UnknownName {
            what: self.item_kind(),
            name: name.to_owned(),
            nearest: self.nearest(name),
        }
    }

    /// Returns the kind of the named things.
    pub fn item_kind(self) -> &'static str {
        match self {
            NumberTable::Aspects => "aspect",
            NumberTable::Architectures => "architecture",
            NumberTable::Capabilities => "capability",
            NumberTable::Registry(registry::List::Targets) => "target",
            NumberTable::Registry(registry::List::Features { .. }) => "feature",
            NumberTable::Registry(registry::List::Categories) => "category",
            NumberTable::Registry(registry::List::Families { .. }) => "family",
            NumberTable::Registry(registry::List::Architectures { .. }) => "registry architecture",
        }
    }
}

/// Returns the items of a list with commas between them.
pub(super) fn items(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|item| !item.is_empty())
}

/// The names of the leaves of conditions.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeviceNames;

impl LeafNames for DeviceNames {
    fn number(&self, kind: LeafKind, name: &str) -> Option<u32> {
        NumberTable::for_kind(kind)?.number(name)
    }

    fn name(&self, leaf: Leaf) -> Option<&str> {
        NumberTable::for_kind(leaf.kind())?.name(leaf.number()?)
    }

    fn numbered(&self, kind: LeafKind, before: &[u32], name: &str) -> Option<u32> {
        match list_of_number(kind, before) {
            Some(list) => list.number(name),
            None => COMPARISONS
                .into_iter()
                .find(|&opcode| format!("{opcode:?}") == name)
                .map(|opcode| opcode as u32),
        }
    }

    fn name_of_number(&self, kind: LeafKind, before: &[u32], number: u32) -> Option<String> {
        match list_of_number(kind, before) {
            Some(list) => list.name(number).map(str::to_owned),
            None => Op::from_u32(number).map(|opcode| format!("{opcode:?}")),
        }
    }

    fn is_number(&self, name: FeatureName) -> bool {
        limits::is_possible(name)
    }

    fn other_texts(&self, name: &str) -> Vec<String> {
        providers::texts_of_vulkan(name)
    }

    fn similar(&self, kind: LeafKind, name: &str) -> Vec<String> {
        match kind {
            LeafKind::Extension => extensions::similar(name),
            LeafKind::Feature => providers::similar(name),
            LeafKind::Limit => limits::similar(name),
            kind => NumberTable::for_kind(kind).map(|table| table.nearest(name)).unwrap_or_default(),
        }
    }
}

/// Returns the list of the device registry for the next number of a leaf, after these. `None` for the opcode
/// of a comparison.
fn list_of_number(kind: LeafKind, before: &[u32]) -> Option<List> {
    match (kind, before) {
        (LeafKind::Target, []) => Some(List::Targets),
        (LeafKind::Target, &[target, ..]) => Some(List::Features { target }),
        (_, []) => Some(List::Categories),
        (_, &[category]) => Some(List::Families { category }),
        (_, &[_, _]) => None,
        (_, &[category, family, ..]) => Some(List::Architectures { category, family }),
    }
}

/// Defines a type for the numbers of one kind.
macro_rules! number {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// Makes one of its number.
            pub const fn new(number: u32) -> $name {
                $name(number)
            }

            /// Returns its number.
            pub const fn number(self) -> u32 {
                self.0
            }
        }

        impl From<u32> for $name {
            fn from(number: u32) -> $name {
                $name(number)
            }
        }

        impl From<$name> for u32 {
            fn from(number: $name) -> u32 {
                number.0
            }
        }
    };
}
pub(crate) use number;

number! {
    /// A SYCL aspect, by its number (`spec-extensions/aspects.csv`); architectures have aspects too. It is
    /// displayed as its name, and parsed from its name or number.
    Aspect
}
number! {
    /// A SPIR-V capability, by its number (SPIR-V specification, 3.31). It is displayed as its name, and
    /// parsed from its name or number.
    Capability
}

impl Aspect {
    /// Returns the names of all aspects, deprecated ones last.
    pub fn names() -> impl Iterator<Item = &'static str> {
        aspects::names()
    }
}

impl Capability {
    /// Returns the names of all capabilities, without aliases.
    pub fn names() -> impl Iterator<Item = &'static str> {
        capabilities::names()
    }
}

impl FromStr for Aspect {
    type Err = DeviceError;

    fn from_str(text: &str) -> Result<Aspect, DeviceError> {
        NumberTable::Aspects.parse(text).map(Aspect)
    }
}

impl FromStr for Capability {
    type Err = DeviceError;

    fn from_str(text: &str) -> Result<Capability, DeviceError> {
        NumberTable::Capabilities.parse(text).map(Capability)
    }
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let architecture = aspects::architecture_of(self.0);
        match architecture.map_or_else(
            || NumberTable::Aspects.name(self.0),
            |architecture| NumberTable::Architectures.name(architecture),
        ) {
            Some(name) => f.write_str(name),
            None => self.0.fmt(f),
        }
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match capabilities::name(self.0) {
            Some(name) => f.write_str(name),
            None => write!(f, "capability {}", self.0),
        }
    }
}
