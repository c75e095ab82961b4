//! What every instruction needs of a device: capabilities and extensions.
//!
//! A [`Requirement`] is met by any one of several capabilities (or extensions). What has it is known from the grammar and from
//! `spec-extensions/capability-rules.csv` (`table`); [`InstructionRequirements`] tells the requirements of an instruction of one module.

pub mod aspect_sources;
pub mod by_id;
mod cover;
mod declarations;
pub mod declared;
mod decorations;
mod extensions;
pub mod instructions;
mod look;
mod pointers;
pub mod set;
mod table;
#[cfg(test)]
mod tests;
mod types;
mod uses;
pub mod values;
pub mod vectors;
pub mod vulkan;
mod words;

pub use by_id::SetsById;
pub use cover::{Declaration, cover};
pub use declared::{closure, closure_of, is_of_kernels};
pub use extensions::{extensions, is_core};
pub use instructions::InstructionRequirements;
pub use set::RequirementSet;
pub(super) use values::is_atomic;

use std::fmt;

use spirv::Capability;
use table::Table;

use crate::device::aspects;

/// One thing that code asks of a device.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Requirement {
    /// One of these capabilities, in ascending order.
    Capabilities(Vec<Capability>),
    /// One of these extensions, in alphabetical order.
    Extensions(Vec<&'static str>),
    /// This aspect, which some [`AspectSources`](crate::analysis::AspectSources) say that a type or a function needs.
    Aspect(u32),
}

/// A requirement, by its number in the table of all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequirementId(u16);

impl RequirementId {
    /// All requirements there are, in the order of the table.
    pub fn all() -> impl Iterator<Item = RequirementId> {
        (0..count() as u16).map(RequirementId)
    }

    /// The requirement.
    pub fn get(self) -> &'static Requirement {
        &Table::get().requirements[usize::from(self.0)]
    }

    /// The requirement of an aspect that the tables know.
    pub fn of_aspect(aspect: u32) -> Option<RequirementId> {
        Table::get().aspect(aspect)
    }

    /// Its number in the table of all requirements.
    pub fn index(self) -> usize {
        self.0.into()
    }
}

/// How many requirements there are.
pub fn count() -> usize {
    Table::get().requirements.len()
}

/// Whether we can tell what needs a capability.
pub fn is_judged(capability: Capability) -> bool {
    Table::get().is_judged(capability)
}

/// Whether a capability stays where it is declared, whatever needs it: one that cannot be judged, and one that says of which kind
/// a module is.
pub fn is_always_kept(capability: Capability) -> bool {
    !is_judged(capability) || Table::get().is_kind_of_module(capability)
}

/// Whether we can tell what needs an extension: something is known to, or it is part of SPIR-V from some version on.
pub fn is_judged_extension(name: &str) -> bool {
    match extensions().iter().find(|extension| extension.name == name) {
        Some(extension) => !extension.kept,
        None => Table::get().is_judged_extension(name),
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = match self {
            Requirement::Capabilities(any) => {
                any.iter().map(|capability| format!("{capability:?}")).collect()
            }
            Requirement::Extensions(any) => any.iter().map(ToString::to_string).collect(),
            Requirement::Aspect(number) => {
                vec![aspects::name(*number).map_or_else(|| number.to_string(), str::to_owned)]
            }
        };
        f.write_str(&names.join(" or "))
    }
}
