//! The grammar: rspirv's, and that of the instructions and enumerants of which newer ones say more ([`newer`]). What loading a module asks of it
//! is a table by opcode ([`layout()`]), which a test writes.

mod entry;
mod enumerants;
#[cfg(test)]
mod generate;
#[rustfmt::skip]
mod generated;
mod layout;
mod newer;
#[cfg(test)]
mod tests;
pub mod versions;
mod words;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rspirv::grammar::INSTRUCTION_TABLE;
use spirv::Op;

use generated::CAPABILITIES;

pub use entry::GrammarEntry;
#[cfg(test)]
pub use enumerants::{all_kinds, is_enumerated};
pub use enumerants::{enumerant, enumerants, find, members, of_rspirv, parameters};
pub use layout::{Layout, Place, Section, Tail, known_op, layout, number, place};
pub use newer::{capability, name_of as newer_name};
pub use words::{Malformed, Words};

/// All instructions of the grammar: those of rspirv, each as the newest grammar has it, and then those that newer ones add.
pub fn instructions() -> impl Iterator<Item = GrammarEntry> {
    entries().iter().copied()
}

fn entries() -> &'static [GrammarEntry] {
    static ENTRIES: LazyLock<Vec<GrammarEntry>> = LazyLock::new(|| {
        let mut rest: BTreeMap<u16, &newer::Row> =
            newer::instructions().iter().map(|row| (row.number as u16, row)).collect();
        let older = INSTRUCTION_TABLE.iter().map(|inst| match rest.remove(&(inst.opcode as u16)) {
            Some(row) => GrammarEntry::Newer(row),
            None => GrammarEntry::Rspirv(inst),
        });
        let mut entries: Vec<GrammarEntry> = older.collect();
        entries.extend(rest.into_values().map(GrammarEntry::Newer));
        entries
    });
    &ENTRIES
}

/// The name of an opcode as the specification writes it, or `Op<number>` where the grammar does not have it.
pub fn opcode_name(opcode: u16) -> String {
    let entry = || entries().get(number(opcode));
    match Op::from_u32(opcode.into()) {
        Some(op) => format!("Op{op:?}"),
        None => entry().map_or_else(|| format!("Op{opcode}"), |inst| format!("Op{}", inst.name())),
    }
}

/// A capability.
#[derive(Debug)]
pub struct Capability {
    /// Its number.
    pub number: u32,
    /// Its name; of several, the first of the grammar.
    pub name: &'static str,
    /// The capabilities that it implies at once, without those that these imply (specification, 3.2.30 "Capability").
    pub implied: &'static [u32],
    /// Itself, and all capabilities that it implies.
    pub closure: &'static [u32],
    /// The extensions that add it, any one of them.
    pub extensions: &'static [&'static str],
}

/// The capabilities, by ascending number.
pub fn capabilities() -> &'static [Capability] {
    &CAPABILITIES
}

/// The capability with a number; `None` if the grammar does not have it.
pub fn capability_of(number: u32) -> Option<&'static Capability> {
    let at = CAPABILITIES.binary_search_by_key(&number, |known| known.number).ok()?;
    Some(&CAPABILITIES[at])
}

/// Capabilities, each once, and then all that they imply; `implied` gives those that one implies at once.
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
