//! The versions of SPIR-V that added instructions and enumerants: `spec-extensions/versions.csv`.

use std::sync::LazyLock;

use rspirv::grammar::OperandKind;

use super::enumerants::kind_named;
use crate::text::csv;

/// The text of the table.
pub const VERSIONS: &str = include_str!("../../../spec-extensions/versions.csv");
/// The kind of instructions in the table.
pub const INSTRUCTION: &str = "Instruction";
/// The newest version that the table has.
pub const NEWEST: (u8, u8) = (1, 6);

/// An instruction or enumerant that the first version did not have.
#[derive(Clone, Copy, Debug)]
pub struct Added {
    /// Its name, that of an instruction without `Op`.
    pub name: &'static str,
    /// The version that added it.
    pub version: (u8, u8),
    extensions: &'static str,
}

impl Added {
    /// The extensions that add it to older versions, any one of them.
    pub fn extensions(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.extensions.split_whitespace()
    }
}

/// The rows by kind, `None` for instructions, each with its number.
type Rows = Vec<(Option<OperandKind>, u32, Added)>;

fn rows() -> &'static Rows {
    static ROWS: LazyLock<Rows> = LazyLock::new(|| {
        let row = |[kind, number, name, version, extensions]: [&'static str; 5]| {
            let kind = match kind {
                INSTRUCTION => None,
                kind => Some(kind_named(kind)?),
            };
            Some((kind, number.parse().ok()?, Added { name, version: version_named(version)?, extensions }))
        };
        csv::rows(VERSIONS).filter_map(row).collect()
    });
    &ROWS
}

/// A version by its text, such as 1.3.
pub fn version_named(text: &str) -> Option<(u8, u8)> {
    let (major, minor) = text.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// The version that added an instruction, if that is not the first.
pub fn of_instruction(opcode: u16) -> Option<Added> {
    find(None, opcode.into())
}

/// The version that added an enumerant, if that is not the first. For a mask, `value` is one of its bits.
pub fn of_enumerant(kind: OperandKind, value: u32) -> Option<Added> {
    find(Some(kind), value)
}

fn find(kind: Option<OperandKind>, number: u32) -> Option<Added> {
    let row = rows().iter().find(|(own, value, _)| (*own, *value) == (kind, number));
    row.map(|&(.., added)| added)
}
