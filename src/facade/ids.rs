//! Numbers that must not be mixed up.

use std::fmt;

use crate::device::{Table, aspects, capabilities};

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

number! {
    /// The result id of an instruction (SPIR-V specification, 2.2.1).
    Id
}
number! {
    /// The SpecId of a specialization constant, by which the host sets it (SPIR-V specification, 2.12).
    SpecId
}
number! {
    /// An aspect of SYCL, by its number (`spec-extensions/aspects.csv`), those of architectures included. Displayed, its name.
    Aspect
}
number! {
    /// A SPIR-V capability, by its number (SPIR-V specification, 3.31). Displayed, its name.
    Capability
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

impl fmt::Display for SpecId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
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
