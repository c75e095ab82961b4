//! The instructions, enumerants and capabilities of which newer grammars say more than rspirv's: `newer-instructions.csv`,
//! `newer-enumerants.csv` and `newer-capabilities.csv` in `spec-extensions`. All but their names is in the tables that tests write.

use rspirv::grammar::OperandKind;
use spirv::Capability;

use super::enumerants::kind_named;
use crate::text::csv;

/// The text of the table of instructions.
pub const INSTRUCTIONS: &str = include_str!("../../../spec-extensions/newer-instructions.csv");
/// The text of the table of enumerants, but for capabilities.
pub const ENUMERANTS: &str = include_str!("../../../spec-extensions/newer-enumerants.csv");
/// The text of the table of capabilities.
pub const CAPABILITIES: &str = include_str!("../../../spec-extensions/newer-capabilities.csv");

/// The number of the capability with a name, of this grammar or rspirv's.
pub fn capability(name: &str) -> Option<u32> {
    let newer = || csv::rows(CAPABILITIES).find(|[_, own]| *own == name)?[0].parse().ok();
    name.parse().map(|known: Capability| known as u32).ok().or_else(newer)
}

/// The name of an enumerant that is among these.
pub fn name_of(kind: OperandKind, value: u32) -> Option<&'static str> {
    let is_it = |number: &str| number.parse() == Ok(value);
    if kind == OperandKind::Capability {
        return csv::rows(CAPABILITIES).find(|[number, _]| is_it(number)).map(|[_, name]| name);
    }
    let mut rows = csv::rows(ENUMERANTS);
    let found = rows.find(|[own, number, _]| is_it(number) && kind_named(own) == Some(kind));
    found.map(|[.., name]| name)
}

/// The name of an instruction that is among these, without `Op`.
pub fn instruction_name(opcode: u16) -> Option<&'static str> {
    let mut rows = csv::rows(INSTRUCTIONS);
    rows.find(|[number, _]| number.parse() == Ok(opcode)).map(|[_, name]| name)
}
