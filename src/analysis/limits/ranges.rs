//! Operands whose values have a range: `spec-extensions/operand-ranges.csv`.

use std::sync::LazyLock;

use crate::analysis::constants::folding::Scalar;
use crate::collections::sort_by_key;
use crate::loader::{Instruction, Module, views};
use crate::text::csv;

/// A row of the table: an operand of an instruction, and its range.
#[derive(Debug)]
pub struct OperandRange {
    opcode: u16,
    /// The operands from word 2 on that the instruction must have.
    enumerants: Vec<u32>,
    place: OperandPlace,
    permitted: PermittedValues,
    /// The operand in messages; `{}` is replaced by the id that it belongs to.
    pub operand: &'static str,
    /// The range in messages.
    pub limit: &'static str,
    /// True if it counts only in modules of shaders.
    of_shaders: bool,
}

/// The words of an instruction that are ids of constants with a range.
#[derive(Clone, Copy, Debug)]
enum OperandPlace {
    Word(usize),
    /// All words from this one on.
    From(usize),
    /// The constituents of the composite constant at this word.
    Constituents(usize),
}

/// The values that an operand may have.
#[derive(Debug)]
enum PermittedValues {
    /// Values from a first to a last one.
    Ranges(Vec<(i64, i64)>),
    PowerOfTwo,
    /// Values with at most one bit of a mask.
    AtMostOneBit(i64),
}

static RANGES: LazyLock<Vec<OperandRange>> = LazyLock::new(|| {
    let mut rows: Vec<OperandRange> = text().filter_map(row).collect();
    sort_by_key(&mut rows, |row| u32::from(row.opcode));
    rows
});

fn text() -> impl Iterator<Item = [&'static str; 9]> {
    csv::rows(include_str!("../../../spec-extensions/operand-ranges.csv"))
}

fn row(fields: [&'static str; 9]) -> Option<OperandRange> {
    let [opcode, enumerants, word, permitted, operand, limit, environment, ..] = fields;
    let number = |text: &str| csv::number(text)?.try_into().ok();
    let place = match (word.strip_suffix('+'), word.strip_suffix('/')) {
        (Some(word), _) => OperandPlace::From(word.parse().ok()?),
        (_, Some(word)) => OperandPlace::Constituents(word.parse().ok()?),
        _ => OperandPlace::Word(word.parse().ok()?),
    };
    Some(OperandRange {
        opcode: opcode.parse().ok()?,
        enumerants: enumerants.split_whitespace().map(number).collect::<Option<_>>()?,
        place,
        permitted: permitted_values(permitted)?,
        operand,
        limit,
        of_shaders: environment == "shader",
    })
}

fn permitted_values(text: &str) -> Option<PermittedValues> {
    let number = |text: &str| i64::try_from(csv::number(text)?).ok();
    if text == "power of 2" {
        return Some(PermittedValues::PowerOfTwo);
    }
    if let Some(mask) = text.strip_prefix("at most one bit of ") {
        return Some(PermittedValues::AtMostOneBit(number(mask)?));
    }
    let range = |text: &str| match text.split_once("..") {
        Some((first, "")) => Some((number(first)?, i64::MAX)),
        Some((first, last)) => Some((number(first)?, number(last)?)),
        None => number(text).map(|value| (value, value)),
    };
    text.split_whitespace().map(range).collect::<Option<_>>().map(PermittedValues::Ranges)
}

/// Bit set of the opcodes that have rows. Most instructions of a module have none.
static OPCODES: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let last = RANGES.last().map_or(0, |row| usize::from(row.opcode));
    let mut opcodes = vec![0; last / 64 + 1];
    RANGES.iter().for_each(|row| opcodes[usize::from(row.opcode / 64)] |= 1 << (row.opcode % 64));
    opcodes
});

/// Returns the rows of an opcode.
fn ranges_of(opcode: u16) -> &'static [OperandRange] {
    if OPCODES.get(usize::from(opcode / 64)).is_none_or(|bits| bits & 1 << (opcode % 64) == 0) {
        return &[];
    }
    let start = RANGES.partition_point(|row| row.opcode < opcode);
    let count = RANGES[start..].iter().take_while(|row| row.opcode == opcode).count();
    &RANGES[start..start + count]
}

impl OperandRange {
    /// Returns true if a value is in the range.
    fn permits(&self, value: i64) -> bool {
        match &self.permitted {
            PermittedValues::Ranges(ranges) => {
                ranges.iter().any(|&(first, last)| (first..=last).contains(&value))
            }
            PermittedValues::PowerOfTwo => value > 0 && value & (value - 1) == 0,
            PermittedValues::AtMostOneBit(mask) => (value & mask).count_ones() <= 1,
        }
    }

    /// Returns the ids of the constants that have the range in an instruction.
    fn constants<'m>(&self, module: &'m Module, inst: Instruction<'m>) -> &'m [u32] {
        match self.place {
            OperandPlace::Word(word) => inst.words().get(word..=word).unwrap_or_default(),
            OperandPlace::From(word) => inst.words_from(word),
            OperandPlace::Constituents(word) => {
                let composite = module.definition(inst.word(word)).filter(Instruction::is_composite_constant);
                composite.map(|composite| views::Value(composite).operands()).unwrap_or_default()
            }
        }
    }
}

/// A constant that is an operand with a range.
#[derive(Clone, Copy, Debug)]
pub struct RangeLimit {
    /// The constant.
    pub constant: u32,
    /// The width of its type in bits.
    width: u8,
    is_signed: bool,
    /// The offset of the instruction that has it as operand.
    pub at: u32,
    /// The range, which is a row of the table.
    pub range: &'static OperandRange,
}

impl RangeLimit {
    /// Returns a value as a number, if it is not in the range.
    pub fn excluded(&self, value: u64) -> Option<i64> {
        let value = match self.is_signed {
            true => Scalar::Int { width: self.width.into(), signed: true }.sign_extend(value),
            false => i64::try_from(value).unwrap_or(i64::MAX),
        };
        (!self.range.permits(value)).then_some(value)
    }
}

/// Finds operands with a range in the instructions of a module.
pub struct RangeFinder<'m, 'f> {
    pub module: &'m Module<'m>,
    pub is_of_shaders: bool,
    /// True for the constants that count.
    pub counts: &'f dyn Fn(u32) -> bool,
    pub limits: Vec<RangeLimit>,
}

impl<'m> RangeFinder<'m, '_> {
    /// Adds those of an instruction.
    pub fn add(&mut self, inst: Instruction<'m>) {
        for range in ranges_of(inst.opcode()) {
            let operands = inst.words_from(2);
            if !operands.starts_with(&range.enumerants) || range.of_shaders && !self.is_of_shaders {
                continue;
            }
            for &constant in range.constants(self.module, inst) {
                let type_id = self.module.type_of(constant).filter(|_| (self.counts)(constant));
                let scalar = type_id.and_then(|type_id| Scalar::from_type(self.module, type_id));
                if let Some(Scalar::Int { width, signed: is_signed }) = scalar {
                    let at = inst.offset();
                    self.limits.push(RangeLimit { constant, width: width as u8, is_signed, at, range });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rspirv::grammar::{INSTRUCTION_TABLE, OperandKind};
    use spirv::{BuiltIn, Decoration, ExecutionMode, Op};

    use super::*;

    #[test]
    fn every_row_is_read_and_has_the_names_of_its_numbers() {
        assert_eq!(text().count(), RANGES.len());
        for fields in text() {
            let [opcode, enumerants, .., environment, source, name] = fields;
            assert!(["any", "shader"].contains(&environment) && !source.is_empty(), "{fields:?}");
            let mut numbers = enumerants.split(' ').map(|number| number.parse().unwrap_or(0));
            let mut number = || numbers.next().unwrap_or(0);
            let opcode = Op::from_u32(opcode.parse().unwrap());
            // What is newer than the crate has no name in it.
            let Some(op) = opcode else { continue };
            let mut expected = format!("Op{op:?}");
            match op {
                Op::ExecutionModeId => {
                    expected += &format!(" {:?}", ExecutionMode::from_u32(number()).unwrap());
                }
                Op::Decorate | Op::DecorateId => {
                    let decoration = number();
                    match Decoration::from_u32(decoration) {
                        Some(Decoration::BuiltIn) => {
                            expected += &format!(" BuiltIn {:?}", BuiltIn::from_u32(number()).unwrap());
                        }
                        Some(decoration) => expected += &format!(" {decoration:?}"),
                        None => continue,
                    }
                }
                _ => {}
            }
            assert_eq!(without_vendor(name), without_vendor(&expected));
        }
    }

    /// Returns a name without the letters of a vendor at its end: instructions have aliases with others.
    fn without_vendor(name: &str) -> &str {
        name.trim_end_matches(|letter: char| letter.is_ascii_uppercase())
    }

    #[test]
    fn every_scope_and_all_memory_semantics_of_the_grammar_have_a_range() {
        for inst in INSTRUCTION_TABLE.iter() {
            for (at, operand) in inst.operands.iter().enumerate() {
                if matches!(operand.kind, OperandKind::IdScope | OperandKind::IdMemorySemantics) {
                    let word = at + 1;
                    let has = |range: &OperandRange| matches!(range.place, OperandPlace::Word(operand_word) if operand_word == word);
                    assert!(ranges_of(inst.opcode as u16).iter().any(has), "{} {word}", inst.opname);
                }
            }
        }
    }

    #[test]
    fn ranges_are_read() {
        let permits = |text, value| {
            OperandRange {
                opcode: 0,
                enumerants: Vec::new(),
                place: OperandPlace::Word(1),
                permitted: permitted_values(text).unwrap(),
                operand: "",
                limit: "",
                of_shaders: false,
            }
            .permits(value)
        };
        let permitted = |text| (-2..9).filter(|&value| permits(text, value)).collect::<Vec<_>>();
        assert_eq!(permitted("1 3..5"), [1, 3, 4, 5]);
        assert_eq!(permitted("7.."), [7, 8]);
        assert_eq!(permitted("power of 2"), [1, 2, 4, 8]);
        assert_eq!(permitted("at most one bit of 0x6"), [0, 1, 2, 3, 4, 5, 8]);
    }
}
