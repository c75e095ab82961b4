//! The grammar: rspirv's, with the instructions and enumerants that newer grammars add or change
//! ([`newer_name`]). At run time, instructions are described by a generated table by opcode ([`layout()`]).
//! rspirv's own table also has names of operands, and is ten times as large.

mod enumerants;
#[cfg(any(test, feature = "generate"))]
pub mod generate;
#[rustfmt::skip]
mod generated;
mod layout;
#[cfg(test)]
mod tests;
pub mod versions;
mod words;

use spirv::Op;

use generated::CAPABILITIES;

#[cfg(any(test, feature = "generate"))]
pub use enumerants::all_kinds;
#[cfg(test)]
pub use enumerants::from_rspirv;
pub use enumerants::{
    aliased, capability, enumerant_name, enumerants, find, has_only_ids, is_enumerated, is_longer, is_mask,
    kind_named, newer_name, parameters,
};
#[cfg(test)]
pub use generate::enumerant;
#[cfg(any(test, feature = "generate"))]
pub use generate::{GrammarEntry, entries, members};
pub use layout::{
    InstructionLayout, LogicalPlace, Section, TrailingOperands, instructions, known_op, layout, number, place,
};
pub use words::{Malformed, WordCount};

/// Returns the name of an opcode as the specification writes it, or `Op<number>` if the grammar does not have
/// it.
pub fn opcode_name(opcode: u16) -> String {
    match Op::from_u32(opcode.into()) {
        Some(op) => format!("Op{op:?}"),
        None => enumerants::newer_instruction_name(opcode)
            .map_or_else(|| format!("Op{opcode}"), |name| format!("Op{name}")),
    }
}

/// A capability.
#[derive(Debug)]
pub struct Capability {
    /// Number of the capability.
    pub number: u32,
    /// Name of the capability; of several, the first of the grammar.
    pub name: &'static str,
    /// The capabilities that it implies directly (specification, 3.2.30 "Capability").
    pub implied: &'static [u32],
    /// The capability itself, and all capabilities that it implies, directly or indirectly.
    pub closure: &'static [u32],
    /// The extensions that add the capability; any one of them suffices.
    pub extensions: &'static [&'static str],
}

/// Returns the capabilities, sorted by number.
pub fn capabilities() -> &'static [Capability] {
    &CAPABILITIES
}

/// Returns the capability with a number; `None` if the grammar does not have it.
pub fn capability_of(number: u32) -> Option<&'static Capability> {
    let at = CAPABILITIES.binary_search_by_key(&number, |known| known.number).ok()?;
    Some(&CAPABILITIES[at])
}

/// Returns capabilities, each once, followed by all that they imply. `implied` returns the direct
/// implications of one.
pub fn closure<I: IntoIterator<Item = u32>>(
    capabilities: impl IntoIterator<Item = u32>,
    implied: impl Fn(u32) -> I,
) -> Vec<u32> {
    let mut all: Vec<u32> = Vec::new();
    let add = |all: &mut Vec<u32>, number: u32| {
        if !all.contains(&number) {
            all.push(number);
        }
    };
    capabilities.into_iter().for_each(|number| add(&mut all, number));
    let mut at = 0;
    while let Some(&number) = all.get(at) {
        implied(number).into_iter().for_each(|implied| add(&mut all, implied));
        at += 1;
    }
    all
}
