//! Table of properties and the instructions that they become (`spec-extensions/sycl-properties.csv`).

use std::sync::LazyLock;

use rspirv::grammar::OperandKind;

use super::operands::{names_of, number_of};
use super::targets::HolderKind;
use crate::text::csv;
use crate::text::spelling::{did_you_mean, misspelled, nearest};

/// The prefix of the names of properties that are execution modes or decorations by SPIR-V's own names.
const OWN_NAME: &str = "spirv-";
/// The prefix of the names of SYCL's properties.
const SYCL: &str = "sycl-";

/// A row of the table: a property of some kinds of holders.
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyRow {
    property: &'static str,
    on: &'static str,
    /// Instruction that the property becomes.
    pub becomes: LoweredForm,
    /// The first version of SPIR-V that has it, as a module's header does.
    pub since: u32,
    /// Rule that computes the operands from the value.
    pub operands: &'static str,
}

/// The instruction that a property becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoweredForm {
    /// OpExecutionMode with this mode.
    Mode(u32),
    /// OpDecorate or OpMemberDecorate with this decoration.
    Decoration(u32),
    /// The program reads it in place.
    Read,
    /// Other properties name its value.
    Operand,
}

impl LoweredForm {
    /// Returns the mode or decoration that a table names, with its number.
    fn enumerant(text: &str, number: &str) -> Option<LoweredForm> {
        let number = number.parse().ok()?;
        let (instruction, _) = text.split_once(' ')?;
        Some(if instruction == "OpExecutionMode" {
            LoweredForm::Mode(number)
        } else {
            LoweredForm::Decoration(number)
        })
    }
}

static ROWS: LazyLock<Vec<PropertyRow>> = LazyLock::new(|| {
    csv::rows(include_str!("../../../spec-extensions/sycl-properties.csv"))
        .filter_map(|[property, on, becomes, number, since, operands, _source]| {
            let becomes = match becomes {
                "read" => LoweredForm::Read,
                "operand" => LoweredForm::Operand,
                _ => LoweredForm::enumerant(becomes, number)?,
            };
            let since = since.split_once('.').and_then(|(major, minor)| {
                Some(major.parse::<u32>().ok()? << 16 | minor.parse::<u32>().ok()? << 8)
            });
            Some(PropertyRow { property, on, becomes, since: since.unwrap_or_default(), operands })
        })
        .collect()
});

/// The relation of a mode or decoration to another one of the same target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Both hold.
    Independent,
    /// The property follows from the other property.
    Implied,
    /// The other property follows from this one.
    Replaced,
    /// The properties contradict each other.
    Excluded,
}

/// A row of the table of enumerants that may be repeated, or exclude others.
struct Repeated {
    becomes: LoweredForm,
    repeats: &'static str,
    excludes: &'static str,
}

static REPEATED: LazyLock<Vec<Repeated>> = LazyLock::new(|| {
    csv::rows(include_str!("../../../spec-extensions/repeated-enumerants.csv"))
        .filter_map(|[enumerant, number, repeats, excludes, _source]| {
            Some(Repeated { becomes: LoweredForm::enumerant(enumerant, number)?, repeats, excludes })
        })
        .collect()
});

/// Returns the relation of a mode or decoration with these operands to another one of the same target.
pub fn relation(becomes: LoweredForm, operands: &[u32], (other, existing): (u32, &[u32])) -> Relation {
    let row = REPEATED.iter().find(|row| row.becomes == becomes);
    if other != becomes.number() {
        let excludes =
            row.is_some_and(|row| row.excludes.split(' ').any(|excluded| excluded == other.to_string()));
        return if excludes { Relation::Excluded } else { Relation::Independent };
    }
    if existing == operands {
        return Relation::Implied;
    }
    match (row.map_or("", |row| row.repeats), existing, operands) {
        ("first", [existing, ..], [added, ..]) if existing != added => Relation::Independent,
        ("multiple", [0], [_]) => Relation::Replaced,
        ("multiple", [existing], [added]) if existing.is_multiple_of(*added) => Relation::Implied,
        ("multiple", [existing], [added]) if added.is_multiple_of(*existing) => Relation::Replaced,
        ("least", &[existing], &[added]) if existing < added => Relation::Implied,
        ("least", [_], [_]) => Relation::Replaced,
        _ => Relation::Excluded,
    }
}

/// Returns the rows for a property of a kind of holder; empty if the property has no meaning there.
pub fn rows(property: &str, kind: HolderKind) -> Vec<PropertyRow> {
    let candidates = ROWS.iter().filter(|row| row.property == property);
    let rows: Vec<PropertyRow> =
        candidates.filter(|row| row.on.split(' ').any(|on| on == kind.name())).cloned().collect();
    match property.strip_prefix(OWN_NAME) {
        Some(name) if rows.is_empty() => by_own_name(name, kind).into_iter().collect(),
        _ => rows,
    }
}

/// Returns true if properties of this name have a meaning, for one kind of things at least.
fn is_known(property: &str) -> bool {
    ROWS.iter().any(|row| row.property == property)
        || property.strip_prefix(OWN_NAME).is_some_and(|name| enumerant_number(name).is_some())
}

/// Returns the number of an execution mode or of a decoration.
fn enumerant_number(name: &str) -> Option<u32> {
    let kinds = [OperandKind::ExecutionMode, OperandKind::Decoration];
    kinds.into_iter().find_map(|kind| number_of(kind, name))
}

/// Returns the reason that a meaningless property is probably a mistake: no property has its name, or no holder of this kind has that property.
/// `None` for a property that other tools may know.
pub fn problem(property: &str, kind: HolderKind) -> Option<String> {
    if let Some(name) = property.strip_prefix(OWN_NAME) {
        let reason = if enumerant_number(name).is_some() {
            format!(
                "SPIR-V's {name} is an execution mode, which only kernels have, and this is a {}",
                kind.name()
            )
        } else {
            let kinds = [OperandKind::ExecutionMode, OperandKind::Decoration].into_iter();
            let all: Vec<String> = kinds.flat_map(names_of).collect();
            let nearest = nearest(name, all.iter().map(String::as_str));
            format!("SPIR-V has no execution mode or decoration of this name{}", did_you_mean(&nearest))
        };
        return Some(format!("its property `{property}` is ignored: {reason}"));
    }
    if is_known(property) || !property.starts_with(SYCL) {
        return None;
    }
    let is_name =
        property.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    let name = property
        .split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-')
        .next()
        .unwrap_or(property);
    let suggestion: Vec<String> = misspelled(name, ROWS.iter().map(|row| row.property)).into_iter().collect();
    let reason = match (is_name, &suggestion[..]) {
        (true, []) => return None,
        (true, _) => "no property has this name",
        (false, _) => "a name has lower-case letters, digits and `-`, and a value follows after `=`",
    };
    Some(format!("its property `{property}` is ignored: {reason}{}", did_you_mean(&suggestion)))
}

/// Returns an execution mode or a decoration by its own name, with literal operands.
fn by_own_name(name: &str, kind: HolderKind) -> Option<PropertyRow> {
    let mode = number_of(OperandKind::ExecutionMode, name).filter(|_| kind == HolderKind::Kernel);
    let decoration = || number_of(OperandKind::Decoration, name).map(LoweredForm::Decoration);
    let becomes = mode.map(LoweredForm::Mode).or_else(decoration)?;
    let since = ROWS.iter().find(|row| row.becomes == becomes).map_or(0, |row| row.since);
    Some(PropertyRow { property: "", on: "", becomes, since, operands: "value" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read() {
        let text = include_str!("../../../spec-extensions/sycl-properties.csv");
        assert_eq!(ROWS.len(), text.lines().filter(|line| !line.starts_with('#')).count() - 1);
        let kinds = HolderKind::ALL.map(HolderKind::name);
        for row in ROWS.iter() {
            assert!(row.on.split(' ').all(|on| kinds.contains(&on)), "{row:?}");
            let has_operands = matches!(row.becomes, LoweredForm::Mode(_) | LoweredForm::Decoration(_));
            let may_have_operands = row.becomes == LoweredForm::Read;
            assert!(may_have_operands || row.operands.is_empty() != has_operands, "{row:?}");
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
    fn every_repeated_enumerant_is_read() {
        let text = include_str!("../../../spec-extensions/repeated-enumerants.csv");
        assert_eq!(REPEATED.len(), text.lines().filter(|line| !line.starts_with('#')).count() - 1);
        for ([enumerant, ..], row) in csv::rows::<5>(text).zip(REPEATED.iter()) {
            let (_, name) = enumerant.split_once(' ').unwrap();
            assert_eq!(
                number_of(row.becomes.operand_kind(), name),
                Some(row.becomes.number()),
                "{enumerant}"
            );
            assert!(["", "first", "multiple", "least"].contains(&row.repeats), "{enumerant}");
        }
    }

    #[test]
    fn relations() {
        let alignment = LoweredForm::Decoration(spirv::Decoration::Alignment as u32);
        let offset = LoweredForm::Decoration(spirv::Decoration::MaxByteOffset as u32);
        let size = LoweredForm::Mode(spirv::ExecutionMode::LocalSize as u32);
        let attribute = LoweredForm::Decoration(spirv::Decoration::FuncParamAttr as u32);
        let relation_of = |becomes: LoweredForm, added: u32, existing: u32| {
            relation(becomes, &[added], (becomes.number(), &[existing]))
        };
        assert_eq!(relation_of(alignment, 16, 4), Relation::Replaced);
        assert_eq!(relation_of(alignment, 4, 16), Relation::Implied);
        assert_eq!(relation_of(alignment, 4, 0), Relation::Replaced, "what says nothing");
        assert_eq!(relation_of(alignment, 12, 8), Relation::Excluded);
        assert_eq!(
            (relation_of(offset, 4, 8), relation_of(offset, 8, 4)),
            (Relation::Replaced, Relation::Implied)
        );
        assert_eq!(relation_of(attribute, 4, 5), Relation::Independent);
        assert_eq!(relation_of(attribute, 4, 4), Relation::Implied);
        assert_eq!(relation_of(size, 4, 5), Relation::Excluded);
        assert_eq!(relation(alignment, &[4], (offset.number(), &[4])), Relation::Independent);
        let by_id = spirv::ExecutionMode::LocalSizeId as u32;
        assert_eq!(relation(size, &[1, 1, 1], (by_id, &[7, 7, 7])), Relation::Excluded);
    }

    #[test]
    fn modes_and_decorations_by_their_own_names() {
        let becomes = |name, kind| rows(name, kind).first().map(|row| (row.becomes, row.since));
        let decoration = |decoration: spirv::Decoration| LoweredForm::Decoration(decoration as u32);
        let flush = LoweredForm::Mode(spirv::ExecutionMode::DenormFlushToZero as u32);
        assert_eq!(becomes("spirv-DenormFlushToZero", HolderKind::Kernel), Some((flush, 0)));
        assert_eq!(becomes("spirv-DenormFlushToZero", HolderKind::Parameter), None);
        assert_eq!(HolderKind::ALL.map(|kind| becomes("spirv-", kind)), [None; HolderKind::ALL.len()]);
        let cache = decoration(spirv::Decoration::CacheControlLoadINTEL);
        assert_eq!(becomes("spirv-CacheControlLoadINTEL", HolderKind::Pointer), Some((cache, 0)));
        let size = LoweredForm::Mode(spirv::ExecutionMode::SubgroupSize as u32);
        assert_eq!(becomes("spirv-SubgroupSize", HolderKind::Kernel), Some((size, 0x0001_0100)));
        assert_eq!(becomes("spirv-Nonsense", HolderKind::Kernel), None);
    }
}
