//! Halves as floats of 32 bits, which are rounded after each operation.
//!
//! A sum, product, quotient or square root of halves that is rounded to a float first is rounded to the same half as the exact one, because a float has more than
//! twice the bits of a half and two. That is not so for `a * b + c`, whose sum is rounded to odd, nor for what is a double.

use spirv::{ExecutionMode, FPRoundingMode, Op};

use super::function::FunctionLowering;
use super::modes::is_of_width;
use super::types::WideShape;
use super::{LowerError, LowerableFeature};
use crate::loader::{Instruction, Module, views};

/// Rounding of floats to halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HalfRounding {
    /// To nearest, and a tie to the even neighbour.
    Even,
    /// Toward zero.
    Zero,
    /// Not at all: results are those of floats.
    Wider,
}

impl HalfRounding {
    /// Reads the modes for halves.
    ///
    /// # Errors
    /// If entry points round differently.
    pub fn read(
        module: &Module,
        feature: LowerableFeature,
        is_wider: bool,
    ) -> Result<HalfRounding, LowerError> {
        if feature.is_bfloat16() {
            return Ok(HalfRounding::Even);
        }
        if is_wider {
            return Ok(HalfRounding::Wider);
        }
        let find = |asked: ExecutionMode| {
            module.execution_modes().find(|mode| mode.is_a(asked) && is_of_width(mode, 16))
        };
        let is_even = find(ExecutionMode::RoundingModeRTE).is_some();
        match find(ExecutionMode::RoundingModeRTZ) {
            Some(mode) if is_even => {
                let reason = "other entry points round halves to nearest".to_owned();
                Err(LowerError::new(module, feature, &mode, reason))
            }
            Some(_) => Ok(HalfRounding::Zero),
            None => Ok(HalfRounding::Even),
        }
    }
}

/// Returns the bits of the float with the value of a half.
pub fn float_of_half(half: u32) -> u32 {
    let (sign, size) = ((half & 0x8000) << 16, half & 0x7fff);
    let magnitude = match size {
        0..0x400 => (size as f32 / 16_777_216.0).to_bits(),
        0x400..0x7c00 => (size << 13) + 0x3800_0000,
        _ => (size << 13) + 0x7000_0000,
    };
    sign | magnitude
}

impl<'m> FunctionLowering<'_, 'm> {
    /// Keeps an instruction with floats in the place of halves, and rounds its result.
    pub(super) fn with_rounding(&mut self, inst: &Instruction<'m>) -> Result<(), LowerError> {
        let Some([type_id, id]) = inst.typed_result() else { return Ok(()) };
        let rounding = self.rounding_of(inst)?;
        if rounding == HalfRounding::Wider {
            self.copy(*inst);
            return Ok(());
        }
        self.count();
        let globals = &self.lowering.globals;
        let words = globals.renamed_words(self.lowering.module, inst);
        let mut words = words.unwrap_or_else(|| inst.words().to_vec());
        words[2] = self.lowering.edits.fresh_id();
        self.push(&words);
        self.lowering.decorated.entry(id).or_default().push(words[2]);
        self.rounded_by(rounding, words[2], type_id, Some(id));
        Ok(())
    }

    /// Returns the rounding of an instruction, which a decoration may fix.
    pub(super) fn rounding_of(&self, inst: &Instruction) -> Result<HalfRounding, LowerError> {
        let decorated = inst.result_id().and_then(|id| self.lowering.conversions.rounding(id));
        match decorated {
            None => Ok(self.lowering.rounding),
            Some(FPRoundingMode::RTE) => Ok(HalfRounding::Even),
            Some(FPRoundingMode::RTZ) if !self.lowering.feature.is_bfloat16() => Ok(HalfRounding::Zero),
            Some(_) => Err(self.lowering.error(inst, "no rule lowers how it rounds")),
        }
    }

    /// Rounds a value, whose type is what the module calls that id, to halves.
    pub(super) fn rounded(&mut self, value: u32, type_id: u32, result: Option<u32>) -> u32 {
        self.rounded_by(self.lowering.rounding, value, type_id, result)
    }

    /// Rounds a value to halves in a way.
    pub(super) fn rounded_by(
        &mut self,
        rounding: HalfRounding,
        value: u32,
        type_id: u32,
        result: Option<u32>,
    ) -> u32 {
        let module = self.lowering.module;
        let to = self.lowering.globals.renamed(type_id);
        if rounding == HalfRounding::Wider {
            return match result {
                Some(_) => self.emit(Op::CopyObject, to, result, [value]),
                None => value,
            };
        }
        let Some(shape) = self.lowering.types.shape(type_id) else {
            let matrix = module.definition(type_id).and_then(views::TypeMatrix::new);
            let Some(matrix) = matrix else { return value };
            let column_type = self.lowering.globals.renamed(matrix.column_type());
            let mut columns = Vec::with_capacity(4);
            for at in 0..matrix.column_count() {
                let column = self.emit(Op::CompositeExtract, column_type, None, [value, at]);
                columns.push(self.rounded_by(rounding, column, matrix.column_type(), None));
            }
            return self.emit(Op::CompositeConstruct, to, result, columns);
        };
        let name = match rounding {
            HalfRounding::Even if self.lowering.feature.is_bfloat16() => "bfloat16_round_even",
            HalfRounding::Even => "float16_round_even",
            HalfRounding::Zero => "float16_round_zero",
            HalfRounding::Wider => return value,
        };
        if shape == WideShape::Scalar {
            let Some(number) = self.lowering.library.number(name) else { return value };
            return self.call(number, &[value], result);
        }
        let mut results = Vec::with_capacity(shape.components());
        for at in 0..shape.components() as u32 {
            let float = self.lowering.globals.number;
            let component = self.emit(Op::CompositeExtract, float, None, [value, at]);
            results.push(self.function(name, &[component]));
        }
        self.vector_of_floats(results, shape, result)
    }

    /// Makes a value of its components.
    pub(super) fn vector_of_floats(
        &mut self,
        floats: Vec<u32>,
        shape: WideShape,
        result: Option<u32>,
    ) -> u32 {
        if let (&[float], None) = (&floats[..], result) {
            return float;
        }
        let op = if shape == WideShape::Scalar { Op::CopyObject } else { Op::CompositeConstruct };
        self.emit(op, self.lowering.globals.type_of(shape), result, floats)
    }

    /// Refuses a pointer to memory that keeps halves in an instruction that stores a result there.
    pub(super) fn refuse_stored_result(&self, inst: &Instruction) -> Result<(), LowerError> {
        let module = self.lowering.module;
        let is_kept = |&id: &u32| {
            let pointer = module.type_of(id).and_then(|type_id| module.pointer_type(type_id));
            let types = &self.lowering.types;
            pointer.is_some_and(|pointer| {
                types.memory.keeps(pointer.storage_class()) && types.has_wide(pointer.pointee())
            })
        };
        match inst.is(Op::ExtInst) && inst.words_from(5).iter().any(is_kept) {
            true => Err(self.lowering.error(inst, "memory that keeps halves takes no result but by a store")),
            false => Ok(()),
        }
    }

    /// Replaces a sum with a product. That of a product of numbers is rounded once.
    pub(super) fn sum_of_halves(
        &mut self,
        inst: &Instruction<'m>,
        name: &str,
        operands: &[u32],
    ) -> Result<(), LowerError> {
        let (Some([type_id, id]), &[a, b, c]) = (inst.typed_result(), operands) else {
            return Err(self.lowering.error(inst, "it does not have the operands that its rule expects"));
        };
        self.count();
        let shape = self.lowering.types.shape(type_id);
        if name.starts_with("FDot") {
            let float = self.lowering.globals.number;
            let product = self.emit(Op::Dot, float, None, [a, b]);
            let result = Some(id).filter(|_| shape.is_none());
            let sum = self.emit(Op::FAdd, float, result, [product, c]);
            self.lowering
                .decorated
                .entry(id)
                .or_default()
                .extend([product, sum].iter().filter(|&&new| new != id));
            if shape.is_some() {
                self.rounded(sum, type_id, Some(id));
            }
            return Ok(());
        }
        let Some(shape) = shape.filter(|_| self.lowering.rounding != HalfRounding::Wider) else {
            self.copy(*inst);
            return Ok(());
        };
        let mut results = Vec::with_capacity(shape.components());
        for at in 0..shape.components() {
            let arguments = [a, b, c].map(|operand| self.component(operand, shape, at));
            results.push(self.function("float16_fused", &arguments));
        }
        let sum = self.vector_of_floats(results, shape, None);
        self.rounded(sum, type_id, Some(id));
        Ok(())
    }
}
