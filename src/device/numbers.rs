//! Numbers of the tables that must not be mixed up.

use std::fmt;
use std::str::FromStr;

use super::{DeviceError, Table, aspects, capabilities};

/// Makes a type of a number of one kind.
macro_rules! number {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

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
    /// An aspect of SYCL, by its number (`spec-extensions/aspects.csv`), those of architectures included. Displayed, its name; it is parsed
    /// from its name or number.
    Aspect
}
number! {
    /// A SPIR-V capability, by its number (SPIR-V specification, 3.31). Displayed, its name; it is parsed from its name or number.
    Capability
}

impl FromStr for Aspect {
    type Err = DeviceError;

    fn from_str(text: &str) -> Result<Aspect, DeviceError> {
        Table::Aspects.parse(text).map(Aspect)
    }
}

impl FromStr for Capability {
    type Err = DeviceError;

    fn from_str(text: &str) -> Result<Capability, DeviceError> {
        Table::Capabilities.parse(text).map(Capability)
    }
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let architecture = aspects::architecture_of(self.0);
        match architecture.map_or_else(|| Table::Aspects.name(self.0), |own| Table::Architectures.name(own)) {
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
