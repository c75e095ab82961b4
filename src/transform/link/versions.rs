//! Instructions and enumerants that later versions of SPIR-V removed.

use std::sync::LazyLock;

use spirv::Op;

use super::error::LinkError;
use super::unit::LinkUnit;
use crate::loader::{Instruction, Module, views};
use crate::text::csv;

/// An instruction or enumerant that a version removed.
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

/// Rejects modules with instructions or enumerants that the version of the result, which is that of the module number `highest`, lacks.
pub(super) fn check(units: &[LinkUnit], version: u32, highest: usize) -> Result<(), LinkError> {
    for unit in units {
        let own = unit.module.version_word();
        let lacking: Vec<&Removed> =
            REMOVED.iter().filter(|removed| (own..version).contains(&removed.last)).collect();
        if lacking.is_empty() {
            continue;
        }
        let find = |inst: Instruction| lacking.iter().find(|removed| removed.is(unit.module, inst));
        if let Some(removed) = unit.module.instructions().find_map(find) {
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
    fn is(&self, module: &Module, inst: Instruction) -> bool {
        match (self.kind, inst.op()) {
            (Kind::Instruction, Some(op)) => op as u32 == self.number,
            (Kind::Decoration, Some(Op::Decorate | Op::MemberDecorate)) => {
                views::Decoration(inst).decoration() == self.number
            }
            (Kind::SampledDim, Some(Op::TypeSampledImage)) => {
                let image = module.definition(views::TypeSampledImage(inst).image_type());
                image.and_then(views::TypeImage::of).is_some_and(|image| image.dim() == self.number)
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
