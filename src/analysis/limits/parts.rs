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
    /// The least length.
    pub least: u64,
    /// True if a longer one does not fit either.
    pub is_exact: bool,
}

impl PartLimit {
    /// True if a length fits.
    pub fn permits(&self, length: u64) -> bool {
        if self.is_exact { length == self.least } else { length >= self.least }
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
                Some(Op::TypeArray | Op::TypeVectorIdEXT) => counts(inst.word(3)) || of_part(&inst.word(2)),
                Some(Op::TypeRuntimeArray) => of_part(&views::AnyArray(inst).element_type()),
                Some(Op::TypeStruct) => views::TypeStruct(inst).members().iter().any(of_part),
                _ => inst.result_type().is_some_and(|type_id| of_part(&type_id)),
            };
        }
        PartFinder { module, counts, varies, limits: Vec::new() }
    }

    /// True if an instruction that refers to one of these ids may have a limit.
    pub fn concerns(&self, mut ids: impl Iterator<Item = u32>) -> bool {
        ids.any(|id| self.varies[id as usize])
    }

    /// Adds those of an instruction.
    pub fn add(&mut self, inst: Instruction) {
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

    /// The literal indexes of a part of a composite.
    fn indexes(&mut self, at: u32, composite: u32, indexes: &[u32]) {
        let mut type_id = self.module.type_of(composite);
        for &index in indexes {
            let Some(part) = type_id.filter(|&id| self.varies[id as usize]) else { return };
            if let Some(constant) = self.length(part) {
                let least = u64::from(index) + 1;
                self.limits.push(PartLimit { constant, at, least, is_exact: false });
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
            self.limits.push(PartLimit { constant, at: inst.offset(), least, is_exact: true });
        }
    }

    /// Returns the length of an array or vector type, if it counts.
    fn length(&self, type_id: u32) -> Option<u32> {
        let inst = self.module.definition(type_id)?;
        let is_long = matches!(inst.op(), Some(Op::TypeArray | Op::TypeVectorIdEXT));
        Some(inst.word(3)).filter(|&length| is_long && (self.counts)(length))
    }
}
