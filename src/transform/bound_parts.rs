//! Parts of integer constants that annotations bind. Each condition gets a Boolean constant, and uses of the integer
//! become uses of an integer that is computed from these. Knowledge about the Booleans is then knowledge about the
//! bits.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use spirv::{Decoration, Op};
use thiserror::Error;

use super::insertion::{InsertionPoints, renamed};
use super::spec_ids::SpecIds;
use super::{Edits, NewInstruction};
use crate::analysis::annotated::{BoundPart, ConstantParts, PartFails};
use crate::analysis::constants::folding::Scalar;
use crate::analysis::{Names, is_debug};
use crate::condition::Expr;
use crate::device::DeviceNames;
use crate::loader::{Instruction, Module, views};

/// No SpecId is left for a Boolean.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the module uses the SpecIds up to 4294967295: none is left for the parts of its constants")]
pub struct NoSpecId;

/// A module in which parts of constants are computed from Booleans.
pub struct SeparateParts {
    /// The changes to the module.
    pub edits: Edits,
    /// The condition of each new constant, by SpecId.
    pub spec_constants: Vec<(u32, Expr)>,
}

/// Separates parts of the constants of a module.
///
/// # Errors
/// If no SpecId is left for the new constants.
pub fn separate_parts(module: &Module, constants: &[ConstantParts]) -> Result<SeparateParts, NoSpecId> {
    let mut separate = SeparateParts { edits: Edits::new(module), spec_constants: Vec::new() };
    let (mut spec_ids, points) = (SpecIds::from_module(module), InsertionPoints::find(module));
    let offset = |id: u32| module.definition_offset(id).unwrap_or(points.globals);
    let first = constants.iter().flat_map(|all| &all.constants).map(|constant| offset(constant.id)).min();
    let first = first.unwrap_or(points.globals);
    let bool_type = bool_type(module, first, &mut separate.edits);
    let mut replaced = HashMap::new();
    let names = Names::new(module);
    let is_taken = |text: &str| names.named().any(|id| names.name(id).is_some_and(|name| name == text));
    let mut booleans: HashMap<&Expr, u32> = HashMap::new();
    for part in constants.iter().flat_map(|all| &all.parts) {
        let Entry::Vacant(unknown) = booleans.entry(&part.condition) else { continue };
        let id = *unknown.insert(separate.edits.fresh_id());
        let spec_id = spec_ids.fresh().ok_or(NoSpecId)?;
        let name = part.condition.display(&DeviceNames).to_string();
        if points.has_names && matches!(part.condition, Expr::Leaf(_)) && !is_taken(&name) {
            separate.edits.insert(points.names, &NewInstruction::name(id, &name));
        }
        let decoration = vec![id, Decoration::SpecId as u32, spec_id];
        separate.edits.insert(points.annotations, &NewInstruction::new(Op::Decorate, None, None, decoration));
        let constant = NewInstruction::new(Op::SpecConstantFalse, Some(bool_type), Some(id), Vec::new());
        separate.edits.insert(first, &constant);
        separate.spec_constants.push((spec_id, part.condition.clone()));
    }
    for all in constants {
        for constant in &all.constants {
            let Some(inst) = module.definition(constant.id) else { continue };
            let type_ = views::SpecConstant(inst).type_id();
            let Some(scalar) = Scalar::from_type(module, type_) else { continue };
            let mut integer = IntegerParts {
                type_,
                scalar,
                bool_type,
                at: inst.end(),
                edits: &mut separate.edits,
                literals: Vec::new(),
            };
            let parts = all.parts.iter().map(|part| (part, booleans[&part.condition]));
            let computed =
                parts.fold(constant.id, |value, (part, condition)| integer.with(part, condition, value));
            replaced.insert(constant.id, computed);
        }
    }
    for inst in module.instructions().filter(|inst| !describes(module, inst)) {
        let words = renamed(module, &inst, &replaced);
        // The constants keep their own ids.
        let is_constant = inst.result_id().is_some_and(|id| replaced.contains_key(&id));
        if !is_constant && words != inst.words() {
            separate.edits.replace_words(&inst, &words);
        }
    }
    Ok(separate)
}

/// Returns true if an instruction describes a constant, instead of using its value.
fn describes(module: &Module, inst: &Instruction) -> bool {
    inst.describes_id() || is_debug(module, inst)
}

/// Returns the Boolean type of a module: one before an offset.
fn bool_type(module: &Module, first: u32, edits: &mut Edits) -> u32 {
    let known = module.globals().find(|inst| inst.is(Op::TypeBool));
    let (id, words) = match known.and_then(|inst| Some((inst, inst.result_id()?))) {
        Some((inst, id)) if inst.offset() < first => return id,
        Some((inst, id)) => {
            edits.drop(&inst);
            (id, inst.words().to_vec())
        }
        None => {
            let (id, mut words) = (edits.fresh_id(), Vec::new());
            NewInstruction::new(Op::TypeBool, None, Some(id), Vec::new()).write(&mut words);
            (id, words)
        }
    };
    edits.insert_words(first, &words);
    id
}

/// Writes the value of a constant with parts.
struct IntegerParts<'e> {
    type_: u32,
    scalar: Scalar,
    bool_type: u32,
    /// The offset of new instructions.
    at: u32,
    edits: &'e mut Edits,
    /// The ids of literals.
    literals: Vec<(u64, u32)>,
}

impl IntegerParts<'_> {
    /// Returns the value with one part as a condition decides.
    fn with(&mut self, part: &BoundPart, condition: u32, value: u32) -> u32 {
        let ones = self.scalar.mask(u64::MAX);
        let rest = ones & !part.mask;
        let fails = match part.fails {
            PartFails::Clear => {
                let (holds, fails) = if part.is_choice { (ones, rest) } else { (part.mask, 0) };
                let (holds, fails) = (self.literal(holds), self.literal(fails));
                let bits = self.operation(Op::Select, &[condition, holds, fails]);
                if part.is_choice {
                    return self.operation(Op::BitwiseAnd, &[value, bits]);
                }
                let rest = self.masked(value, rest);
                return self.operation(Op::BitwiseOr, &[rest, bits]);
            }
            PartFails::Other(other) => self.placed(value, part.mask, other),
        };
        // Devices without the feature get another number, whatever the host sets.
        let field = if rest == 0 { value } else { self.masked(value, part.mask) };
        let number = self.literal(part.holds);
        let is_set = self.compared(field, number);
        let without = self.operation(Op::Select, &[is_set, fails, value]);
        let holds = if part.is_choice { value } else { self.placed(value, part.mask, part.holds) };
        self.operation(Op::Select, &[condition, holds, without])
    }

    /// Returns a value with the bits of a part replaced.
    fn placed(&mut self, value: u32, mask: u64, bits: u64) -> u32 {
        let rest = self.scalar.mask(u64::MAX) & !mask;
        if rest == 0 {
            return self.literal(bits);
        }
        let rest = self.masked(value, rest);
        if bits == 0 {
            return rest;
        }
        let bits = self.literal(bits);
        self.operation(Op::BitwiseOr, &[rest, bits])
    }

    fn masked(&mut self, value: u32, mask: u64) -> u32 {
        let mask = self.literal(mask);
        self.operation(Op::BitwiseAnd, &[value, mask])
    }

    fn literal(&mut self, value: u64) -> u32 {
        if let Some(&(_, id)) = self.literals.iter().find(|(known, _)| *known == value) {
            return id;
        }
        let (words, count) = self.scalar.literal_words(value);
        let id = self.define(Op::Constant, self.type_, words[..count].to_vec());
        self.literals.push((value, id));
        id
    }

    fn operation(&mut self, op: Op, operands: &[u32]) -> u32 {
        self.define(Op::SpecConstantOp, self.type_, [&[op as u32], operands].concat())
    }

    fn compared(&mut self, one: u32, other: u32) -> u32 {
        self.define(Op::SpecConstantOp, self.bool_type, vec![Op::IEqual as u32, one, other])
    }

    fn define(&mut self, op: Op, type_: u32, operands: Vec<u32>) -> u32 {
        let id = self.edits.fresh_id();
        self.edits.insert(self.at, &NewInstruction::new(op, Some(type_), Some(id), operands));
        id
    }
}

#[cfg(test)]
mod tests {
    use crate::analysis::annotated::ConstantParts;
    use crate::analysis::constants::{Constants, Nothing};
    use crate::loader::Module;
    use crate::metadata::annotations::AnnotationsFile;
    use crate::test_support::{assemble_named, assert_valid};
    use crate::transform::bound_parts::separate_parts;
    use crate::writer::apply;

    const MODULE: &str = "
        OpCapability Kernel
        OpCapability Int8
        OpCapability Linkage
        OpMemoryModel Logical OpenCL
        OpDecorate %flags SpecId 7
        %byte = OpTypeInt 8 0
        %flags = OpSpecConstant %byte 0
        %used = OpSpecConstantOp %byte BitwiseOr %flags %flags
        %bool = OpTypeBool";

    /// Returns the module with the parts of some entries, the SpecIds of their conditions, and the constant that is computed.
    fn separated(entries: &[&str]) -> (Vec<u32>, Vec<u32>, u32) {
        let text = format!("spec-constants:\n  7: {{{}}}", entries.join(", "));
        let annotations = AnnotationsFile::from_yaml("a.yaml", &text).unwrap();
        let (words, ids) = assemble_named(MODULE, "spv1.5");
        let module = Module::from_words(&words[..]).unwrap();
        let parts = ConstantParts::resolve(&module, &annotations).unwrap();
        let separate = separate_parts(&module, &parts).unwrap();
        let words = apply(&module, &separate.edits).unwrap();
        assert_valid(&words, "spv1.5");
        (words, separate.spec_constants.iter().map(|(spec_id, _)| *spec_id).collect(), ids["used"])
    }

    /// Constants with one SpecId may differ in their signedness, which decides how literals of a byte are written.
    #[test]
    fn literals_are_of_the_type_of_their_constant() {
        let text = "
            OpCapability Shader
            OpCapability Int8
            OpCapability Linkage
            OpMemoryModel Logical GLSL450
            OpDecorate %one SpecId 7
            OpDecorate %other SpecId 7
            %byte = OpTypeInt 8 0
            %signed = OpTypeInt 8 1
            %one = OpSpecConstant %byte 0
            %other = OpSpecConstant %signed 0";
        let annotations = "spec-constants: {7: {bit 7: fp16, bit 2: {allowed: fp64}}}";
        let annotations = AnnotationsFile::from_yaml("a.yaml", annotations).unwrap();
        let (words, _) = assemble_named(text, "spv1.5");
        let module = Module::from_words(&words[..]).unwrap();
        let parts = ConstantParts::resolve(&module, &annotations).unwrap();
        let separate = separate_parts(&module, &parts).unwrap();
        assert_valid(&apply(&module, &separate.edits).unwrap(), "spv1.5");
    }

    /// Checks that all numbers of the host, with and without the features, become the numbers of the entries.
    #[test]
    fn parts_are_set_as_conditions_say() {
        type Expected = fn(u64, bool, bool) -> u64;
        let cases: [(&[&str], Expected); 6] = [
            (&["bit 3: fp16", "bits 6-7: fp64"], |host, a, b| {
                host & 0x37 | if a { 8 } else { 0 } | if b { 0xc0 } else { 0 }
            }),
            (&["mask 0x12: {allowed: fp16}", "bit 0: fp64"], |host, a, b| {
                host & 0xfe & if a { 0xff } else { 0xed } | u64::from(b)
            }),
            (&["value 0: {allowed: fp16}", "value 200: {allowed: fp64}"], |host, a, b| match host {
                0 if !a => 1,
                200 if !b => 1,
                host => host,
            }),
            (&["value 0: '!fp16'", "value -1: 'fp16 && fp64'"], |host, a, b| match (a, b, host) {
                (_, true, _) => 255,
                (true, ..) => 0,
                (false, false, 0 | 255) => 1,
                (false, false, host) => host,
            }),
            (&["bits 4-6 value 2: fp16", "bit 7: fp64"], |host, a, b| {
                let field = if a {
                    0x20
                } else if host & 0x70 == 0x20 {
                    0
                } else {
                    host & 0x70
                };
                host & 0xf | field | if b { 0x80 } else { 0 }
            }),
            (&["bits 0-1 value 0: {allowed: fp16}", "bits 0-1 value 2: {allowed: fp64}"], |host, a, b| {
                match host & 3 {
                    0 if !a => host & 0xfc | 1,
                    2 if !b => host & 0xfc | 1,
                    _ => host,
                }
            }),
        ];
        for (entries, expected) in cases {
            let (words, spec_ids, used) = separated(entries);
            let module = Module::from_words(&words[..]).unwrap();
            for holds in [[false, false], [false, true], [true, false], [true, true]] {
                for host in 0..256 {
                    let conditions =
                        spec_ids.iter().zip(holds).map(|(&spec_id, holds)| (spec_id, holds.into()));
                    let set: Vec<(u32, u64)> = conditions.chain([(7, host)]).collect();
                    let value = Constants::new(&module, &Nothing, &set[..]).value(used);
                    let expected = expected(host, holds[0], holds[1]);
                    assert_eq!(value, Some(expected), "{entries:?} {host} {holds:?}");
                }
            }
        }
    }
}
