//! Instructions on doubles that the specification derives from a formula. Each of its operations rounds.

use spirv::Op;

use super::LowerError;
use super::function::FunctionLowering;
use super::helpers::instruction;
use super::types::NumberForm;
use crate::loader::Instruction;

/// The upper words of -2 and 1. The lower ones are 0.
const MINUS_TWO: u32 = 0xc000_0000;
const ONE: u32 = 0x3ff0_0000;

impl<'m> FunctionLowering<'_, 'm> {
    /// Replaces an instruction by its formula. The names of OpenCL.std begin with a small letter.
    pub(super) fn with_formula(&mut self, inst: &Instruction<'m>, name: &str) -> Result<(), LowerError> {
        let operands = inst.words_from(if inst.is(Op::ExtInst) { 5 } else { 3 });
        if self.lowering.types.form == NumberForm::Float {
            return self.sum_of_halves(inst, name, operands);
        }
        if self.lowering.types.form == NumberForm::Narrow {
            return self.narrow_dot(inst);
        }
        let results = match (name, operands) {
            ("GroupNonUniformAllEqual", &[scope, value]) => {
                self.all_equal(inst, scope, value);
                return Ok(());
            }
            ("Dot", &[a, b]) => vec![self.scalar_product(a, b)],
            ("Length", &[vector]) => {
                let vector = self.components_of(vector);
                vec![self.length(&vector)]
            }
            ("Distance", &[a, b]) => {
                let difference = self.difference(a, b);
                vec![self.length(&difference)]
            }
            ("Normalize", &[vector]) => {
                let vector = self.components_of(vector);
                let length = self.length(&vector);
                self.each("float64_divide", &vector, &[length])
            }
            ("length" | "fast_length", &[vector]) => {
                let vector = self.components_of(vector);
                vec![self.scaled_length(&vector)]
            }
            ("distance" | "fast_distance", &[a, b]) => {
                let difference = self.difference(a, b);
                vec![self.scaled_length(&difference)]
            }
            ("normalize" | "fast_normalize", &[vector]) => {
                let vector = self.components_of(vector);
                let greatest = self.greatest(&vector);
                let direction = self.each("float64_direction", &vector, &[greatest]);
                let length = self.fused_length(&direction);
                self.each("float64_over_length", &direction, &[length])
            }
            ("Cross" | "cross", &[a, b]) => {
                let (a, b) = (self.components_of(a), self.components_of(b));
                if a.len() < 3 || a.len() != b.len() {
                    return Err(self.lowering.error(inst, "its operands are no vectors of three or four"));
                }
                self.cross_product(&a, &b)
            }
            ("FaceForward", &[normal, incident, reference]) => {
                let product = self.scalar_product(reference, incident);
                let zero = self.double(0);
                let is_less = self.function("float64_less", &[product, zero]);
                let normal = self.components_of(normal);
                let select = |lowering: &mut Self, number: u32| {
                    let negative = lowering.function("float64_negate", &[number]);
                    lowering.function("float64_select", &[is_less, number, negative])
                };
                normal.iter().map(|&number| select(self, number)).collect()
            }
            ("Reflect", &[incident, normal]) => {
                let product = self.scalar_product(normal, incident);
                let minus_two = self.double(MINUS_TWO);
                let share = self.function("float64_multiply", &[minus_two, product]);
                let (incident, normal) = (self.components_of(incident), self.components_of(normal));
                let change = self.each("float64_multiply", &normal, &[share]);
                self.each("float64_add", &incident, &change)
            }
            ("Refract", &[incident, normal, eta]) => {
                let eta = self.as_double(inst, eta)?;
                self.refracted(incident, normal, eta)
            }
            _ => {
                return Err(self.lowering.error(inst, "it does not have the operands that its rule expects"));
            }
        };
        self.finish(inst, results);
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

    fn difference(&mut self, a: u32, b: u32) -> Vec<u32> {
        let (a, b) = (self.components_of(a), self.components_of(b));
        self.each("float64_subtract", &a, &b)
    }

    fn cross_product(&mut self, a: &[u32], b: &[u32]) -> Vec<u32> {
        let mut results = Vec::with_capacity(a.len());
        for (next, other) in [(1, 2), (2, 0), (0, 1)] {
            let first = self.function("float64_multiply", &[a[next], b[other]]);
            let second = self.function("float64_multiply", &[b[next], a[other]]);
            results.push(self.function("float64_subtract", &[first, second]));
        }
        if a.len() > 3 {
            results.push(self.double(0));
        }
        results
    }

    fn length(&mut self, vector: &[u32]) -> u32 {
        let squares = self.each("float64_multiply", vector, vector);
        let sum =
            squares[1..].iter().fold(squares[0], |sum, &square| self.function("float64_add", &[sum, square]));
        self.function("float64_square_root", &[sum])
    }

    /// Returns the length of a vector, without overflow.
    fn scaled_length(&mut self, vector: &[u32]) -> u32 {
        if let &[number] = vector {
            return self.function("float64_absolute", &[number]);
        }
        let greatest = self.greatest(vector);
        let scaled = self.each("float64_scaled_down", vector, &[greatest]);
        let length = self.fused_length(&scaled);
        self.function("float64_scaled_up", &[length, greatest])
    }

    /// Returns the length of a vector. With one rounding for each component, its error is as small as OpenCL asks.
    fn fused_length(&mut self, vector: &[u32]) -> u32 {
        let first = self.function("float64_multiply", &[vector[0], vector[0]]);
        let sum = vector[1..]
            .iter()
            .fold(first, |sum, &number| self.function("float64_fused", &[number, number, sum]));
        self.function("float64_square_root", &[sum])
    }

    /// Returns the greatest magnitude of components.
    fn greatest(&mut self, vector: &[u32]) -> u32 {
        let first = self.function("float64_absolute", &[vector[0]]);
        vector[1..]
            .iter()
            .fold(first, |greatest, &number| self.function("float64_greater_magnitude", &[greatest, number]))
    }

    fn refracted(&mut self, incident: u32, normal: u32, eta: u32) -> Vec<u32> {
        let (one, zero) = (self.double(ONE), self.double(0));
        let product = self.scalar_product(normal, incident);
        let square = self.function("float64_multiply", &[product, product]);
        let rest = self.function("float64_subtract", &[one, square]);
        let eta_square = self.function("float64_multiply", &[eta, eta]);
        let share = self.function("float64_multiply", &[eta_square, rest]);
        let number = self.function("float64_subtract", &[one, share]);
        let is_reflected = self.function("float64_less", &[number, zero]);
        let root = self.function("float64_square_root", &[number]);
        let along = self.function("float64_multiply", &[eta, product]);
        let along = self.function("float64_add", &[along, root]);
        let (incident, normal) = (self.components_of(incident), self.components_of(normal));
        let forward = self.each("float64_multiply", &incident, &[eta]);
        let aside = self.each("float64_multiply", &normal, &[along]);
        let all = self.each("float64_subtract", &forward, &aside);
        all.iter().map(|&number| self.function("float64_select", &[is_reflected, zero, number])).collect()
    }

    /// Asks for each component if it is equal in all invocations.
    fn all_equal(&mut self, inst: &Instruction<'m>, scope: u32, value: u32) {
        let Some([type_id, id]) = inst.typed_result() else { return };
        self.count();
        self.lowering.replaced.insert(id);
        let components = self.components_of(value);
        // Vulkan needs a feature for integers of 64 bits.
        let asks_for_words = self.lowering.types.form == NumberForm::Integer && !self.lowering.is_of_kernels;
        let mut all = None;
        for (at, &number) in components.iter().enumerate() {
            let mut key = self.function("float64_key", &[number]);
            if asks_for_words {
                let pair = instruction(Op::TypeVector, [0, self.lowering.globals.uint, 2]);
                let pair = self.lowering.globals.type_with(&pair, &mut self.lowering.edits);
                key = self.emit(Op::Bitcast, pair, None, [key]);
            }
            let is_number = self.function("float64_ordered", &[number, number]);
            let are_equal = self.emit(inst.op().unwrap_or(Op::Nop), type_id, None, [scope, key]);
            let are_equal = match all {
                None => are_equal,
                Some(all) => self.emit(Op::LogicalAnd, type_id, None, [all, are_equal]),
            };
            let result = (at + 1 == components.len()).then_some(id);
            all = Some(self.emit(Op::LogicalAnd, type_id, result, [are_equal, is_number]));
        }
    }

    /// Keeps an instruction with floats in the place of doubles. What it makes of them is the same.
    pub(super) fn with_odd_floats(&mut self, inst: &Instruction, operands: &[(usize, u32)]) {
        let library = self.lowering.library;
        let Some(number) = library.number("float64_to_odd_float") else { return };
        self.count();
        let float = self.lowering.helper_id(library.function(number).result_type);
        let mut words = inst.words().to_vec();
        for &(at, operand) in operands {
            if self.shape_of(operand).is_none() {
                continue;
            }
            let mut floats = self.components_of(operand);
            for component in &mut floats {
                *component = self.call(number, &[*component], None);
            }
            words[at] = match &floats[..] {
                &[float] => float,
                all => {
                    let vector = instruction(Op::TypeVector, [0, float, all.len() as u32]);
                    let type_id = self.lowering.globals.type_with(&vector, &mut self.lowering.edits);
                    self.emit(Op::CompositeConstruct, type_id, None, floats)
                }
            };
        }
        self.push(&words);
    }

    /// Computes with each component of a vector, and with that of another one or with a number.
    fn each(&mut self, name: &str, vector: &[u32], others: &[u32]) -> Vec<u32> {
        let other = |at: usize| others[at.min(others.len() - 1)];
        vector.iter().enumerate().map(|(at, &number)| self.function(name, &[number, other(at)])).collect()
    }

    /// Calls a function of the library by name.
    pub(super) fn function(&mut self, name: &str, arguments: &[u32]) -> u32 {
        self.lowering.library.number(name).map_or(0, |number| self.call(number, arguments, None))
    }

    /// Converts a float to a double.
    fn as_double(&mut self, inst: &Instruction, value: u32) -> Result<u32, LowerError> {
        let library = self.lowering.library;
        let Some(number) = library.number("float64_from_float").filter(|_| self.shape_of(value).is_none())
        else {
            return Ok(value);
        };
        let float = library.function(number).parameters.first().map_or(0, |&(type_id, _)| type_id);
        let value = self.argument(inst, value, float, 0)?;
        Ok(self.call(number, &[value], None))
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
        self.count();
        self.lowering.replaced.insert(id);
        let type_id = self.lowering.globals.renamed(type_id);
        let op = if results.len() == 1 { Op::CopyObject } else { Op::CompositeConstruct };
        self.emit(op, type_id, Some(id), results);
    }
}
