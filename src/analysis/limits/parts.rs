//! Minimum lengths of arrays and vectors that follow from literal indexes and from the number of constituents (specification,
//! OpCompositeExtract, OpConstantComposite and similar instructions).

use spirv::Op;

use crate::loader::{Instruction, Module, views};

/// A length that must fit an instruction.
#[derive(Clone, Copy, Debug)]
pub struct PartLimit {
    /// The constant.
    pub constant: u32,
    /// The offset of the instruction.
    pub at: u32,
    /// The lengths that fit.
    pub least: u64,
    pub most: Option<u64>,
}

impl PartLimit {
    /// Returns true if a length fits.
    pub fn permits(&self, length: u64) -> bool {
        length >= self.least && self.most.is_none_or(|most| length <= most)
    }
}

/// OpConstantDataKHR and OpSpecConstantDataKHR.
const CONSTANT_DATA: [u16; 2] = [5147, 5148];

/// Returns true for a type whose size is stated by constants that count.
pub fn states_size(inst: &Instruction, counts: &dyn Fn(u32) -> bool) -> bool {
    match inst.op() {
        Some(Op::TypeArray | Op::TypeVectorIdEXT) => counts(inst.word(3)),
        Some(Op::TypeCooperativeMatrixKHR | Op::TypeCooperativeMatrixNV | Op::TypeTensorARM) => {
            inst.words_from(3).iter().any(|&id| counts(id))
        }
        _ => false,
    }
}

/// Finds such lengths.
pub struct PartFinder<'m, 'f> {
    module: &'m Module<'m>,
    /// True for the constants that count.
    counts: &'f dyn Fn(u32) -> bool,
    /// True for each type with a length that constants decide, and for constants of these types, by id.
    varies: Vec<bool>,
    pub limits: Vec<PartLimit>,
}

impl<'m, 'f> PartFinder<'m, 'f> {
    /// Starts with the types of a module.
    pub fn new(module: &'m Module<'m>, counts: &'f dyn Fn(u32) -> bool) -> PartFinder<'m, 'f> {
        let mut varies = vec![false; module.bound() as usize];
        for inst in module.globals() {
            let Some(id) = inst.result_id() else { continue };
            let of_part = |id: &u32| varies.get(*id as usize).is_some_and(|varies| *varies);
            varies[id as usize] = match inst.op() {
                Some(Op::TypeArray | Op::TypeVectorIdEXT) => {
                    states_size(&inst, counts) || of_part(&inst.word(2))
                }
                Some(Op::TypeCooperativeMatrixKHR | Op::TypeCooperativeMatrixNV | Op::TypeTensorARM) => {
                    states_size(&inst, counts)
                }
                Some(Op::TypeRuntimeArray) => of_part(&views::AnyArray(inst).element_type()),
                Some(Op::TypeStruct) => views::TypeStruct(inst).members().iter().any(of_part),
                _ => inst.result_type().is_some_and(|type_id| of_part(&type_id)),
            };
        }
        PartFinder { module, counts, varies, limits: Vec::new() }
    }

    /// Returns true if an instruction that refers to one of these ids may have a limit.
    pub fn concerns(&self, mut ids: impl Iterator<Item = u32>) -> bool {
        ids.any(|id| self.varies[id as usize])
    }

    /// Adds those of an instruction.
    pub fn add(&mut self, inst: Instruction) {
        if CONSTANT_DATA.contains(&inst.opcode()) {
            return self.data(views::Value(inst));
        }
        let operands = match inst.op() {
            Some(Op::ConstantComposite | Op::SpecConstantComposite | Op::CompositeConstruct) => {
                return self.constituents(views::Value(inst));
            }
            Some(Op::SpecConstantOp) => views::SpecConstantOp(inst).operands(),
            Some(Op::CompositeExtract | Op::CompositeInsert) => views::Value(inst).operands(),
            _ => return,
        };
        let inner = match inst.op() {
            Some(Op::SpecConstantOp) => views::SpecConstantOp(inst).operation(),
            opcode => opcode,
        };
        match (inner, operands) {
            (Some(Op::CompositeExtract), [composite, indexes @ ..])
            | (Some(Op::CompositeInsert), [_, composite, indexes @ ..]) => {
                self.indexes(inst.offset(), *composite, indexes);
            }
            _ => {}
        }
    }

    /// Limits the literal indexes of a part of a composite.
    fn indexes(&mut self, at: u32, composite: u32, indexes: &[u32]) {
        let mut type_id = self.module.type_of(composite);
        for &index in indexes {
            let Some(part) = type_id.filter(|&id| self.varies[id as usize]) else { return };
            if let Some(constant) = self.length(part) {
                let least = u64::from(index) + 1;
                self.limits.push(PartLimit { constant, at, least, most: None });
            }
            type_id = self.module.part_type(part, index);
        }
    }

    fn constituents(&mut self, inst: views::Value) {
        let Some(constant) = self.length(inst.type_id()) else { return };
        let part = self.module.part_type(inst.type_id(), 0);
        // Vectors may be constructed of shorter ones.
        if inst.operands().iter().all(|&id| self.module.type_of(id) == part) {
            let least = inst.operands().len() as u64;
            self.limits.push(PartLimit { constant, at: inst.offset(), least, most: Some(least) });
        }
    }

    /// Limits the literal words of constant data: as many as the array takes, the last one padded (SPV_KHR_constant_data).
    fn data(&mut self, inst: views::Value) {
        let Some(constant) = self.length(inst.type_id()) else { return };
        let element = self.module.part_type(inst.type_id(), 0).and_then(|id| self.module.definition(id));
        let width =
            element.filter(|element| element.is(Op::TypeInt)).map(|element| u64::from(element.word(2)));
        let Some(width) = width.filter(|&width| width > 0) else { return };
        let elements_in = |words: u64| words * 32 / width;
        let words = inst.operands().len() as u64;
        let least = elements_in(words.saturating_sub(1)) + 1;
        let most = Some(elements_in(words).max(least));
        self.limits.push(PartLimit { constant, at: inst.offset(), least, most });
    }

    /// Returns the length of an array or vector type, if it counts.
    fn length(&self, type_id: u32) -> Option<u32> {
        let inst = self.module.definition(type_id)?;
        let is_long = matches!(inst.op(), Some(Op::TypeArray | Op::TypeVectorIdEXT));
        Some(inst.word(3)).filter(|&length| is_long && (self.counts)(length))
    }
}
