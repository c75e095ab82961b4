//! Numbers of a module that must not be mixed up.

use std::fmt;

use crate::device::number;

pub use crate::device::{Aspect, Capability};

number! {
    /// The result id of an instruction (SPIR-V specification, 2.2.1).
    Id
}
number! {
    /// The SpecId of a specialization constant, by which the host sets it (SPIR-V specification, 2.12).
    SpecId
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
