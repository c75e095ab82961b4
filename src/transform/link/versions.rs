//! What later versions of SPIR-V do not have any more.

use std::sync::LazyLock;

use spirv::Op;

use super::error::LinkError;
use super::unit::Unit;
use crate::loader::{Instruction, Module};
use crate::text::csv;

/// Something that a version no longer has.
struct Removed {
    kind: Kind,
    number: u32,
    /// The last version that has it, as the header writes it.
    last: u32,
    what: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Instruction,
    Decoration,
    /// OpTypeSampledImage of an image of this Dim.
    SampledDim,
}

static REMOVED: LazyLock<Vec<Removed>> = LazyLock::new(|| {
    let rows = csv::rows(include_str!("../../../spec-extensions/removed.csv"));
    let row = |[kind, number, last, what]: [&'static str; 4]| {
        let kind = match kind {
            "instruction" => Kind::Instruction,
            "decoration" => Kind::Decoration,
            "sampled-dim" => Kind::SampledDim,
            _ => return None,
        };
        let (major, minor) = last.split_once('.')?;
        let last = major.parse::<u32>().ok()? << 16 | minor.parse::<u32>().ok()? << 8;
        Some(Removed { kind, number: csv::number(number)? as u32, last, what })
    };
    rows.filter_map(row).collect()
});

/// Refuses modules with what the version of the result, which is that of the module number `highest`, does not have.
pub(super) fn check(units: &[Unit], version: u32, highest: usize) -> Result<(), LinkError> {
    for unit in units {
        let own = unit.module.words()[1];
        let gone: Vec<&Removed> =
            REMOVED.iter().filter(|removed| (own..version).contains(&removed.last)).collect();
        if gone.is_empty() {
            continue;
        }
        let is_gone = |inst: Instruction| gone.iter().find(|removed| removed.is(unit.module, &inst));
        if let Some(removed) = unit.module.instructions().find_map(is_gone) {
            return Err(LinkError::Removed {
                file: unit.name.to_string(),
                what: removed.what,
                last: format!("{}.{}", removed.last >> 16, removed.last >> 8 & 0xff),
                other: units[highest].name.to_string(),
            });
        }
    }
    Ok(())
}

impl Removed {
    fn is(&self, module: &Module, inst: &Instruction) -> bool {
        match (self.kind, inst.op()) {
            (Kind::Instruction, Some(op)) => op as u32 == self.number,
            (Kind::Decoration, Some(Op::Decorate)) => inst.word(2) == self.number,
            (Kind::Decoration, Some(Op::MemberDecorate)) => inst.word(3) == self.number,
            (Kind::SampledDim, Some(Op::TypeSampledImage)) => {
                let image = module.definition_as(inst.word(2), Op::TypeImage);
                image.is_some_and(|image| image.word(3) == self.number)
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use spirv::{Decoration, Dim};

    use super::*;

    #[test]
    fn every_row_is_read() {
        let text = include_str!("../../../spec-extensions/removed.csv");
        assert_eq!(csv::rows::<4>(text).count(), REMOVED.len());
        for removed in REMOVED.iter() {
            let name = match removed.kind {
                Kind::Instruction => Op::from_u32(removed.number).map(|op| format!("Op{op:?}")),
                Kind::Decoration => Decoration::from_u32(removed.number).map(|own| format!("{own:?}")),
                Kind::SampledDim => {
                    Dim::from_u32(removed.number).map(|dim| format!("OpTypeSampledImage of {dim:?}"))
                }
            };
            assert_eq!(name.as_deref(), Some(removed.what));
        }
    }
}
