//! The grammar: rspirv's, and that of the instructions and enumerants of which newer ones say more ([`newer`]). What loading a module asks of it
//! is a table by opcode ([`layout()`]), which a test writes.

mod capabilities;
mod entry;
mod enumerants;
#[cfg(test)]
mod generate;
#[rustfmt::skip]
mod generated;
mod layout;
mod newer;
mod sections;
#[cfg(test)]
mod tests;
pub mod versions;
mod words;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rspirv::grammar::INSTRUCTION_TABLE;
use spirv::Op;

pub use capabilities::{capabilities, capability_of, closure};
pub use entry::GrammarEntry;
#[cfg(test)]
pub use enumerants::{all_kinds, is_enumerated};
pub use enumerants::{enumerant, enumerants, find, members, of_rspirv, parameters};
pub use layout::{Layout, Tail, known_op, layout, number, place};
pub use newer::{capability, name_of as newer_name};
pub use sections::{Place, Section};
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
