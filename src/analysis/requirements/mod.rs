//! The requirements of instructions on a device: capabilities and extensions.
//!
//! Any of several capabilities (or extensions) meets a [`Requirement`]. Requirements come from the grammar and from
//! `spec-extensions/capability-rules.csv` (`table`). [`InstructionRequirements`] has those of the instructions of one module.

pub mod aspect_sources;
mod declarations;
pub mod declared;
#[cfg(any(test, feature = "generate"))]
pub mod generate;
#[rustfmt::skip]
mod generated;
pub mod instructions;
mod look;
mod pointer_origins;
mod pointers;
pub mod set;
mod table;
#[cfg(test)]
mod tests;
pub mod types;
mod uses;
pub mod values;
pub mod vulkan;

pub use crate::device::extensions::{extensions, is_core};
pub use declared::{CoverCandidate, api_of, closure, closure_of, cover, is_of_kernels, is_of_shaders};
pub use instructions::InstructionRequirements;
pub use set::{RequirementSet, SetsById};

use std::fmt;

use rspirv::grammar::OperandKind;
use table::RequirementTable;

use crate::device::{Capability, aspects};

/// A requirement of code on a device.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Requirement {
    /// One of these capabilities, by their numbers, in ascending order.
    Capabilities(&'static [u32]),
    /// One of these extensions, in alphabetical order.
    Extensions(&'static [&'static str]),
    /// This aspect, which [`AspectSources`](crate::analysis::AspectSources) list for a type or a function.
    Aspect(u32),
    /// Vulkan features of this use, by its name in `spec-extensions/vulkan-uses.csv`. The stage decides which.
    Feature(&'static str),
}

/// A requirement, by its number in the table of all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequirementId(u16);

impl RequirementId {
    /// Returns all requirements, in the order of the table.
    pub fn all() -> impl Iterator<Item = RequirementId> {
        (0..count() as u16).map(RequirementId)
    }

    /// Returns the requirement.
    pub fn get(self) -> &'static Requirement {
        &RequirementTable::get().requirements[usize::from(self.0)]
    }

    /// Returns the requirement of an aspect that the tables know.
    pub fn from_aspect(aspect: u32) -> Option<RequirementId> {
        RequirementTable::get().aspect(aspect)
    }

    /// Returns the requirement's number in the table of all requirements.
    pub fn index(self) -> usize {
        self.0.into()
    }
}

/// Returns the enumerants of a kind by ascending number (for a mask, its bits), each with its requirements. Kinds other than enumerations
/// have none.
pub fn enumerants(kind: OperandKind) -> impl Iterator<Item = (u32, &'static [RequirementId])> {
    let of_kind = RequirementTable::get().enumerants.iter().find(|(other, _)| *other == kind);
    of_kind.into_iter().flat_map(|(_, known)| known.iter().map(|(number, required)| (*number, &required[..])))
}

/// Returns the requirements of an enumerant; none, if the tables do not have it.
pub fn of_enumerant(kind: OperandKind, value: u32) -> &'static [RequirementId] {
    RequirementTable::get().enumerant(kind, value).unwrap_or_default()
}

/// Returns the requirements of an instruction with any operands.
pub fn of_instruction(opcode: u16) -> &'static [RequirementId] {
    RequirementTable::get().opcode(opcode)
}

/// Returns the number of requirements.
pub fn count() -> usize {
    RequirementTable::get().requirements.len()
}

/// Returns true if a capability can be judged: the instructions that require it are known.
pub fn is_judged(capability: u32) -> bool {
    RequirementTable::get().is_judged(capability)
}

/// Returns true if a declared capability is kept whether or not anything requires it: if it cannot be judged, or is the kind of the
/// module.
pub fn is_always_kept(capability: u32) -> bool {
    !is_judged(capability) || RequirementTable::get().is_kind_of_module(capability)
}

/// Returns true if an extension can be judged: instructions are known to require it, or it is part of SPIR-V from some version on.
pub fn is_judged_extension(name: &str) -> bool {
    match extensions().iter().find(|extension| extension.name == name) {
        Some(extension) => !extension.kept,
        None => RequirementTable::get().is_judged_extension(name),
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = match self {
            Requirement::Capabilities(any) => {
                any.iter().map(|&number| Capability(number).to_string()).collect()
            }
            Requirement::Extensions(any) => any.iter().map(ToString::to_string).collect(),
            Requirement::Aspect(number) => {
                vec![aspects::name(*number).map_or_else(|| number.to_string(), str::to_owned)]
            }
            Requirement::Feature(use_) => vec![(*use_).to_owned()],
        };
        f.write_str(&names.join(" or "))
    }
}
