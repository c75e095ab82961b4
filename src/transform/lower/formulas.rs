//! Instructions on vectors of doubles that the specification derives from a formula. Each of its operations rounds.

use spirv::{GlslStd450Op, Op};

use super::LowerError;
use super::function::FunctionLowering;
use super::helpers::instruction;
use super::types::NumberForm;
use crate::loader::{Instruction, views};

/// The upper word of -2. The lower one is 0.
const MINUS_TWO: u32 = 0xc000_0000;

impl<'m> FunctionLowering<'_, 'm> {
    /// Replaces an instruction by its formula: a scalar product, or one of GLSL.std.450.
    pub(super) fn with_formula(&mut self, inst: &Instruction<'m>) -> Result<(), LowerError> {
        let Some(inst) = views::ExtInst::new(*inst) else {
            self.count();
            let product = self.scalar_product(inst.word(3), inst.word(4));
            self.finish(inst, vec![product]);
            return Ok(());
        };
        let first = inst.word(5);
        let op = GlslStd450Op::from_u32(inst.instruction());
        let others = inst.words_from(6).len();
        let expected = match op {
            Some(GlslStd450Op::Length | GlslStd450Op::Normalize) => 0,
            Some(GlslStd450Op::Distance | GlslStd450Op::Reflect) => 1,
            _ => 2,
        };
        if others != expected {
            return Err(self.lowering.error(&inst, "it does not have the operands that its rule expects"));
        }
        self.count();
        let vector = self.components_of(first);
        let results = match op {
            Some(GlslStd450Op::Length) => vec![self.length(&vector)],
            Some(GlslStd450Op::Distance) => {
                let other = self.components_of(inst.word(6));
                let difference = self.each("float64_subtract", &vector, &other);
                vec![self.length(&difference)]
            }
            Some(GlslStd450Op::Normalize) => {
                let length = self.length(&vector);
                self.each("float64_divide", &vector, &[length])
            }
            Some(GlslStd450Op::FaceForward) => {
                let product = self.scalar_product(inst.word(7), inst.word(6));
                let zero = self.double(0);
                let is_less = self.function("float64_less", &[product, zero]);
                let select = |lowering: &mut Self, number: u32| {
                    let negative = lowering.function("float64_negate", &[number]);
                    lowering.function("float64_select", &[is_less, number, negative])
                };
                vector.iter().map(|&number| select(self, number)).collect()
            }
            Some(GlslStd450Op::Reflect) => {
                let normal = self.components_of(inst.word(6));
                let product = self.scalar_product(inst.word(6), first);
                let minus_two = self.double(MINUS_TWO);
                let share = self.function("float64_multiply", &[minus_two, product]);
                let change = self.each("float64_multiply", &normal, &[share]);
                self.each("float64_add", &vector, &change)
            }
            _ => return Err(self.lowering.error(&inst, "no formula is known for it")),
        };
        self.finish(&inst, results);
        Ok(())
    }

    /// Returns the components of a value.
    pub(super) fn components_of(&mut self, value: u32) -> Vec<u32> {
        let Some(shape) = self.shape_of(value) else { return vec![value] };
        (0..shape.components()).map(|at| self.component(value, shape, at)).collect()
    }

    fn scalar_product(&mut self, a: u32, b: u32) -> u32 {
        let (a, b) = (self.components_of(a), self.components_of(b));
        let products = self.each("float64_multiply", &a, &b);
        products[1..].iter().fold(products[0], |sum, &product| self.function("float64_add", &[sum, product]))
    }

    fn length(&mut self, vector: &[u32]) -> u32 {
        let squares = self.each("float64_multiply", vector, vector);
        let sum =
            squares[1..].iter().fold(squares[0], |sum, &square| self.function("float64_add", &[sum, square]));
        self.function("float64_square_root", &[sum])
    }

    /// Computes with each component of a vector, and with that of another one or with a number.
    fn each(&mut self, name: &str, vector: &[u32], others: &[u32]) -> Vec<u32> {
        let other = |at: usize| others[at.min(others.len() - 1)];
        vector.iter().enumerate().map(|(at, &number)| self.function(name, &[number, other(at)])).collect()
    }

    fn function(&mut self, name: &str, arguments: &[u32]) -> u32 {
        self.lowering.library.number(name).map_or(0, |number| self.call(number, arguments, None))
    }

    fn double(&mut self, high: u32) -> u32 {
        let type_id = self.lowering.globals.number;
        if self.lowering.types.form == NumberForm::Integer {
            let constant = instruction(Op::Constant, [type_id, 0, 0, high]);
            return self.lowering.globals.add(constant, &mut self.lowering.edits);
        }
        let words = vec![self.constant(0), self.constant(high)];
        self.emit_words(type_id, None, words)
    }

    /// Gives the result its id.
    fn finish(&mut self, inst: &Instruction<'m>, results: Vec<u32>) {
        let Some([type_id, id]) = inst.typed_result() else { return };
        self.lowering.replaced.insert(id);
        let type_id = self.lowering.globals.renamed(type_id);
        let op = if results.len() == 1 { Op::CopyObject } else { Op::CompositeConstruct };
        self.emit(op, type_id, Some(id), results);
    }
}
