//! What properties become (`spec-extensions/sycl-properties.csv`).

use std::sync::LazyLock;

use rspirv::grammar::OperandKind;

use super::operands::number_of;
use super::targets::Kind;
use crate::text::csv;

/// The prefix of the names of properties that are execution modes or decorations by SPIR-V's own names.
const OWN_NAME: &str = "spirv-";

/// A row of the table: what a property of certain things becomes.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    property: &'static str,
    on: &'static str,
    /// What it becomes.
    pub becomes: Becomes,
    /// The first version of SPIR-V that has it, as a module's header does.
    pub since: u32,
    /// How the operands follow from the value.
    pub operands: &'static str,
}

/// What a property becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Becomes {
    /// OpExecutionMode with this mode.
    Mode(u32),
    /// OpDecorate or OpMemberDecorate with this decoration.
    Decoration(u32),
    /// The program reads it where it is.
    Read,
    /// Other properties name its value.
    Operand,
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    csv::rows(include_str!("../../../spec-extensions/sycl-properties.csv"))
        .filter_map(|[property, on, becomes, number, since, operands, _source]| {
            let becomes = match becomes.split_once(' ') {
                Some(("OpExecutionMode", _)) => Becomes::Mode(number.parse().ok()?),
                Some(_) => Becomes::Decoration(number.parse().ok()?),
                None if becomes == "read" => Becomes::Read,
                None => Becomes::Operand,
            };
            let since = since.split_once('.').and_then(|(major, minor)| {
                Some(major.parse::<u32>().ok()? << 16 | minor.parse::<u32>().ok()? << 8)
            });
            Some(Row { property, on, becomes, since: since.unwrap_or_default(), operands })
        })
        .collect()
});

/// What a property of a thing of this kind becomes; nothing, where it has no meaning.
pub fn rows(property: &str, kind: Kind) -> Vec<Row> {
    let own = ROWS.iter().filter(|row| row.property == property);
    let found: Vec<Row> = own.filter(|row| row.on.split(' ').any(|on| on == kind.name())).cloned().collect();
    match property.strip_prefix(OWN_NAME) {
        Some(name) if found.is_empty() => by_own_name(name, kind).into_iter().collect(),
        _ => found,
    }
}

/// An execution mode or a decoration by its own name, with literal operands.
fn by_own_name(name: &str, kind: Kind) -> Option<Row> {
    let mode = number_of(OperandKind::ExecutionMode, name).filter(|_| kind == Kind::Kernel);
    let decoration = || number_of(OperandKind::Decoration, name).map(Becomes::Decoration);
    let becomes = mode.map(Becomes::Mode).or_else(decoration)?;
    let since = ROWS.iter().find(|row| row.becomes == becomes).map_or(0, |row| row.since);
    Some(Row { property: "", on: "", becomes, since, operands: "value" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read() {
        let text = include_str!("../../../spec-extensions/sycl-properties.csv");
        assert_eq!(ROWS.len(), text.lines().filter(|line| !line.starts_with('#')).count() - 1);
        let kinds = Kind::ALL.map(Kind::name);
        for row in ROWS.iter() {
            assert!(row.on.split(' ').all(|on| kinds.contains(&on)), "{row:?}");
            let has_operands = matches!(row.becomes, Becomes::Mode(_) | Becomes::Decoration(_));
            assert_eq!(row.operands.is_empty(), !has_operands, "{row:?}");
        }
        for [property, _, becomes, number] in csv::rows(text) {
            let named = becomes.split_once(' ').map(|(instruction, name)| match instruction {
                "OpExecutionMode" => number_of(OperandKind::ExecutionMode, name),
                _ => number_of(OperandKind::Decoration, name),
            });
            assert_eq!(
                named.map_or("".to_owned(), |number| number.unwrap().to_string()),
                number,
                "{property}"
            );
        }
    }

    #[test]
    fn modes_and_decorations_by_their_own_names() {
        let becomes = |name, kind| rows(name, kind).first().map(|row| (row.becomes, row.since));
        let decoration = |decoration: spirv::Decoration| Becomes::Decoration(decoration as u32);
        let flush = Becomes::Mode(spirv::ExecutionMode::DenormFlushToZero as u32);
        assert_eq!(becomes("spirv-DenormFlushToZero", Kind::Kernel), Some((flush, 0)));
        assert_eq!(becomes("spirv-DenormFlushToZero", Kind::Parameter), None);
        assert_eq!(Kind::ALL.map(|kind| becomes("spirv-", kind)), [None; Kind::ALL.len()]);
        let cache = decoration(spirv::Decoration::CacheControlLoadINTEL);
        assert_eq!(becomes("spirv-CacheControlLoadINTEL", Kind::Pointer), Some((cache, 0)));
        let size = Becomes::Mode(spirv::ExecutionMode::SubgroupSize as u32);
        assert_eq!(becomes("spirv-SubgroupSize", Kind::Kernel), Some((size, 0x0001_0100)));
        assert_eq!(becomes("spirv-Nonsense", Kind::Kernel), None);
    }
}
