//! The table of lowerings: `spec-extensions/lowerings.csv`.

use std::fmt;
use std::sync::LazyLock;

use spirv::{Capability, FPEncoding, GlslStd450Op, Op, OpenclStd100Op};

use super::narrow::WordExtension;
use super::storage_scope::NarrowStorage;
use crate::device::capabilities;
use crate::loader::{Instruction, Module, SetKind, views};
use crate::text::csv;

const TEXT: &str = include_str!("../../../spec-extensions/lowerings.csv");

/// A feature that can be lowered: a capability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LowerableFeature {
    name: &'static str,
    capability: u32,
}

impl fmt::Display for LowerableFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl LowerableFeature {
    /// Finds the feature with a name.
    pub fn find(name: &str) -> Option<LowerableFeature> {
        lowerable_features().iter().find(|feature| feature.name == name).copied()
    }

    /// The name of the capability.
    pub fn name(self) -> &'static str {
        self.name
    }

    fn known(self) -> Option<Capability> {
        Capability::from_u32(self.capability)
    }

    /// The values of its types, as a noun.
    pub(super) fn values(self) -> &'static str {
        match self.known() {
            _ if NarrowStorage::new(self.capability).is_some() => "numbers of 8 and 16 bits in memory",
            Some(Capability::Float64) => "doubles",
            Some(Capability::Float16) => "halves",
            Some(Capability::BFloat16TypeKHR) => "bfloat16 numbers",
            Some(Capability::Int8) => "8-bit integers",
            Some(Capability::Int16) => "16-bit integers",
            _ => "64-bit integers",
        }
    }

    /// A value of its types, as a noun with its article.
    pub(super) fn value(self) -> &'static str {
        match self.known() {
            Some(Capability::Float64) => "a double",
            Some(Capability::Float16) => "a half",
            Some(Capability::BFloat16TypeKHR) => "a bfloat16 number",
            Some(Capability::Int8) => "an 8-bit integer",
            Some(Capability::Int16) => "a 16-bit integer",
            _ => "a 64-bit integer",
        }
    }

    /// The number of bits of its numbers.
    pub(super) fn width(self) -> u32 {
        match self.known() {
            Some(Capability::Int8) => 8,
            Some(Capability::Int16 | Capability::Float16 | Capability::BFloat16TypeKHR) => 16,
            _ => 64,
        }
    }

    /// The instruction that declares the type of its numbers.
    pub(super) fn type_op(self) -> Op {
        match self.known() {
            Some(Capability::Float64 | Capability::Float16 | Capability::BFloat16TypeKHR) => Op::TypeFloat,
            _ => Op::TypeInt,
        }
    }

    /// Returns true for numbers of bfloat16, which have no modes.
    pub(super) fn is_bfloat16(self) -> bool {
        self.known() == Some(Capability::BFloat16TypeKHR)
    }

    /// Returns true for the instruction that declares the type of its numbers.
    pub(super) fn is_type(self, inst: &Instruction) -> bool {
        let is_of_width = inst.op() == Some(self.type_op()) && inst.word(2) == self.width();
        // Floats of other encodings have an operand more.
        is_of_width
            && match inst.words_from(3) {
                [] => !self.is_bfloat16(),
                &[encoding] if inst.is(Op::TypeFloat) => {
                    self.is_bfloat16() && encoding == FPEncoding::BFloat16KHR as u32
                }
                _ => true,
            }
    }

    /// Returns the condition under which the result has equal bits, as a clause; `None` if it always has. Only the host can keep it.
    pub fn condition(self) -> Option<&'static str> {
        NarrowStorage::new(self.capability).and_then(NarrowStorage::condition)
    }

    /// The number of the capability.
    pub fn capability(self) -> u32 {
        self.capability
    }
}

/// The values for which a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LoweredPlace {
    Any,
    /// The result has a lowered type.
    Result,
    /// An operand has a lowered type, and the result does not.
    Operand,
}

/// The substitute of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoweringSubstitute {
    /// Nothing: the instruction stays, and only types change.
    Types,
    /// The instruction itself, whose result is rounded.
    Rounded,
    /// Words that are selected, moved or compared by what the instruction says.
    Words,
    /// The instruction itself, which moves values among invocations.
    Moves,
    /// Other operations on numbers.
    Formula,
    /// The instruction itself, with the low words of operands.
    LowWords,
    /// The instruction itself, with floats that round like doubles.
    OddFloats,
    /// The instruction itself, with operands whose upper bits are known.
    Extended(WordExtension),
    /// Functions of the library by name, one for each result.
    Functions(Vec<&'static str>),
}

/// A row of the table.
#[derive(Clone, Debug)]
pub struct LoweringRow {
    feature: LowerableFeature,
    /// The extended instruction set; empty for instructions of the core.
    set: &'static str,
    number: u32,
    /// The name of the instruction, as in the grammar.
    pub name: &'static str,
    place: LoweredPlace,
    /// The substitute.
    pub becomes: LoweringSubstitute,
    /// True if the result is one that the specification permits, and may not be that of every device.
    pub is_exact: bool,
}

/// Returns the features that the table has.
pub fn lowerable_features() -> &'static [LowerableFeature] {
    static FEATURES: LazyLock<Vec<LowerableFeature>> = LazyLock::new(|| {
        let mut all: Vec<LowerableFeature> = rows().iter().map(|row| row.feature).collect();
        all.dedup();
        // Conversions of what is loaded, and to what is stored, come from the lowering of numbers.
        let of_memory = NarrowStorage::ALL.iter().flat_map(|(_, features)| features);
        all.extend(
            of_memory.map(|&(name, capability)| LowerableFeature { name, capability: capability as u32 }),
        );
        all
    });
    &FEATURES
}

fn rows() -> &'static [LoweringRow] {
    static ROWS: LazyLock<Vec<LoweringRow>> = LazyLock::new(|| csv::rows(TEXT).filter_map(row).collect());
    &ROWS
}

fn row([feature, set, number, name, place, becomes, result]: [&'static str; 7]) -> Option<LoweringRow> {
    Some(LoweringRow {
        feature: LowerableFeature { name: feature, capability: capabilities::number(feature)? },
        set,
        number: number.parse().ok()?,
        name,
        is_exact: result == "exact",
        place: match place {
            "" => LoweredPlace::Any,
            "result" => LoweredPlace::Result,
            "operand" => LoweredPlace::Operand,
            _ => return None,
        },
        becomes: match becomes {
            "types" => LoweringSubstitute::Types,
            "rounded" => LoweringSubstitute::Rounded,
            "words" => LoweringSubstitute::Words,
            "moves" => LoweringSubstitute::Moves,
            "formula" => LoweringSubstitute::Formula,
            "low words" => LoweringSubstitute::LowWords,
            "odd floats" => LoweringSubstitute::OddFloats,
            "zero-extended" => LoweringSubstitute::Extended(WordExtension::Zeros),
            "sign-extended" => LoweringSubstitute::Extended(WordExtension::Signs),
            "extended" => LoweringSubstitute::Extended(WordExtension::Either),
            "counts extended" => LoweringSubstitute::Extended(WordExtension::Counts),
            functions => LoweringSubstitute::Functions(functions.split(' ').collect()),
        },
    })
}

/// Returns the row for an instruction; `has_result` is true if its result has a lowered type.
pub fn lowering_of(
    feature: LowerableFeature,
    module: &Module,
    inst: &Instruction,
    has_result: bool,
) -> Option<&'static LoweringRow> {
    let (set, number) = match module.set_kind(inst) {
        None => (String::new(), u32::from(inst.opcode())),
        Some(SetKind::Semantic) => {
            let inst = views::ExtInst(*inst);
            let set = module.imported_set(inst.set())?;
            (set.name().into_owned(), inst.instruction())
        }
        Some(_) => return None,
    };
    rows().iter().find(|row| {
        let is_here = match row.place {
            LoweredPlace::Any => true,
            LoweredPlace::Result => has_result,
            LoweredPlace::Operand => !has_result,
        };
        row.feature == feature && row.number == number && row.set == set && is_here
    })
}

/// Returns the name of an instruction, also of an extended set.
pub fn instruction_name(module: &Module, inst: &Instruction) -> String {
    let Some(inst) = views::ExtInst::new(*inst).filter(|inst| module.set_kind(inst).is_some()) else {
        return inst.name();
    };
    let number = inst.instruction();
    let set = module.imported_set(inst.set()).map(|set| set.name().into_owned()).unwrap_or_default();
    let name = match set.as_str() {
        "GLSL.std.450" => GlslStd450Op::from_u32(number).map(|op| format!("{op:?}")),
        "OpenCL.std" => OpenclStd100Op::from_u32(number).map(|op| format!("{op:?}")),
        _ => None,
    };
    name.unwrap_or_else(|| format!("instruction {number} of {set}"))
}

#[cfg(test)]
mod tests {
    use super::super::library::library;
    use super::super::types::NumberForm;
    use super::*;
    use crate::loader::grammar;
    use crate::test_support::root;
    use rspirv::grammar::{INSTRUCTION_TABLE, ext_inst_table};

    impl LoweringRow {
        /// Returns the forms of numbers for which it may be used. Kernels have integers.
        fn forms(&self) -> Vec<NumberForm> {
            let is_of_kernels = match self.set {
                "" => {
                    let op = Op::from_u32(self.number).unwrap();
                    INSTRUCTION_TABLE.get(op).capabilities.contains(&Capability::Kernel)
                }
                set => set == "OpenCL.std",
            };
            match (self.feature.type_op(), is_of_kernels) {
                (Op::TypeFloat, _) if self.feature.width() < 32 => vec![NumberForm::Float],
                (Op::TypeFloat, true) => vec![NumberForm::Integer],
                (Op::TypeFloat, false) => vec![NumberForm::Words, NumberForm::Integer],
                _ => vec![NumberForm::Words],
            }
        }
    }

    #[test]
    fn every_row_is_read_and_names_its_instruction_and_functions() {
        assert_eq!(csv::rows::<8>(TEXT).count(), rows().len());
        for row in rows() {
            let name = match row.set {
                "" => grammar::opcode_name(row.number as u16),
                set => {
                    let mut all = ext_inst_table(set).unwrap().iter();
                    format!("Op{}", all.find(|inst| u32::from(inst.opcode) == row.number).unwrap().opname)
                }
            };
            assert_eq!(name, format!("Op{}", row.name));
            if let LoweringSubstitute::Functions(names) = &row.becomes {
                for form in row.forms() {
                    let library = library(row.feature, form);
                    names.iter().for_each(|name| assert!(library.number(name).is_some(), "{row:?}"));
                }
            }
        }
    }

    #[test]
    fn the_documentation_names_the_functions_that_are_refused() {
        let text = std::fs::read_to_string(root().join("docs/lowering.md")).unwrap();
        let (_, section) = text.split_once("## Functions without an exact definition").unwrap();
        let names: Vec<&str> = section.split('`').skip(1).step_by(2).collect();
        // Those of numbers with fractions come first.
        let all = ext_inst_table("OpenCL.std").unwrap().iter();
        for inst in all.filter(|inst| u32::from(inst.opcode) <= OpenclStd100Op::fast_normalize as u32) {
            let is_named = names
                .iter()
                .any(|name| *name == inst.opname || name.ends_with('_') && inst.opname.starts_with(name));
            let number = u32::from(inst.opcode);
            let is_lowered = rows().iter().any(|row| {
                row.feature.name() == "Float64" && row.set == "OpenCL.std" && row.number == number
            });
            assert_ne!(is_named, is_lowered, "{}", inst.opname);
        }
    }

    /// The operations of the textbook on words, as the last column of the table says.
    #[test]
    fn integers_are_added_multiplied_and_compared_as_in_the_textbook() {
        use Op::{
            BitwiseOr, BitwiseXor, IAdd, IEqual, IMul, INotEqual, ISub, SGreaterThan, SLessThan, Select,
            UGreaterThan, UGreaterThanEqual, ULessThan, ULessThanEqual, UMulExtended,
        };
        let expected: [(&str, &[Op]); 13] = [
            ("IAdd", &[IAdd, IAdd, ULessThan, Select, IAdd]),
            ("ISub", &[ISub, ISub, ULessThan, Select, ISub]),
            ("IMul", &[UMulExtended, IMul, IAdd, IMul, IAdd]),
            ("IEqual", &[BitwiseXor, BitwiseXor, BitwiseOr, IEqual]),
            ("INotEqual", &[BitwiseXor, BitwiseXor, BitwiseOr, INotEqual]),
            ("ULessThan", &[ULessThan, ULessThan, IEqual, Select]),
            ("ULessThanEqual", &[ULessThan, ULessThanEqual, IEqual, Select]),
            ("UGreaterThan", &[UGreaterThan, UGreaterThan, IEqual, Select]),
            ("UGreaterThanEqual", &[UGreaterThan, UGreaterThanEqual, IEqual, Select]),
            ("SLessThan", &[SLessThan, ULessThan, IEqual, Select]),
            ("SLessThanEqual", &[SLessThan, ULessThanEqual, IEqual, Select]),
            ("SGreaterThan", &[SGreaterThan, UGreaterThan, IEqual, Select]),
            ("SGreaterThanEqual", &[SGreaterThan, UGreaterThanEqual, IEqual, Select]),
        ];
        // What takes numbers apart, and puts them together.
        let moves = [Op::CompositeExtract, Op::CompositeConstruct, Op::Bitcast];
        for (name, operations) in expected {
            let row = rows().iter().find(|row| row.feature.name() == "Int64" && row.name == name).unwrap();
            let LoweringSubstitute::Functions(names) = &row.becomes else { panic!("{row:?}") };
            let library = library(row.feature, NumberForm::Words);
            let number = library.number(names[0]).unwrap();
            let code: Vec<Op> =
                library.code(number).filter_map(|inst| inst.op()).filter(|op| !moves.contains(op)).collect();
            assert_eq!(code, operations, "{name}");
            assert!(library.function(number).is_copied, "{name}");
        }
    }

    #[test]
    fn every_row_says_what_is_equal_and_why() {
        for [.., result, source] in csv::rows::<8>(TEXT) {
            assert!(["equal bits", "exact"].contains(&result), "{result}");
            assert!(source.contains(": "), "{source}");
        }
    }
}
