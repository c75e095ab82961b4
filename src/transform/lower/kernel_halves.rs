//! Halves of kernels. All memory keeps their bits, as integers of 16 bits: pointers to it are cast, passed on and read by the host. Only `vload_half` and its kin see halves there.

use spirv::{Op, OpenclStd100Op};

use super::function::FunctionLowering;
use super::helpers::instruction;
use super::types::WideShape;
use super::{LowerError, MAX_LEVELS, ModuleLowering};
use crate::loader::{Instruction, Module, SetKind, views};

/// An argument of a kernel that is converted at its start.
#[derive(Clone, Copy)]
pub struct KernelArgument {
    stored: u32,
    result: u32,
    shape: WideShape,
}

/// Returns the instruction of OpenCL.std.
fn opencl_instruction(module: &Module, inst: &Instruction) -> Option<OpenclStd100Op> {
    let call = views::ExtInst::new(*inst).filter(|_| module.set_kind(inst) == Some(SetKind::Semantic))?;
    let set = module.imported_set(call.set())?;
    (set.name() == "OpenCL.std").then(|| OpenclStd100Op::from_u32(call.instruction())).flatten()
}

/// Returns the number of the word with the pointer to a half, for an instruction that converts floats and doubles from and to halves.
fn place_of_half(op: OpenclStd100Op) -> Option<usize> {
    match op {
        OpenclStd100Op::vload_half | OpenclStd100Op::vload_halfn | OpenclStd100Op::vloada_halfn => Some(6),
        OpenclStd100Op::vstore_half
        | OpenclStd100Op::vstore_half_r
        | OpenclStd100Op::vstore_halfn
        | OpenclStd100Op::vstore_halfn_r
        | OpenclStd100Op::vstorea_halfn
        | OpenclStd100Op::vstorea_halfn_r => Some(7),
        _ => None,
    }
}

impl ModuleLowering<'_> {
    /// Adds to words what defines a constant as memory has it, and returns its id.
    pub(super) fn stored_constant(
        &mut self,
        variable: &Instruction,
        id: u32,
        levels: usize,
        words: &mut Vec<u32>,
    ) -> Result<u32, LowerError> {
        let type_id = self.module.type_of(id).unwrap_or_default();
        if !self.types.has_wide(type_id) {
            return Ok(id);
        }
        if let Some(&known) = self.globals.stored_constants.get(&id) {
            return Ok(known);
        }
        let known = [Op::ConstantNull, Op::Undef, Op::Constant, Op::ConstantComposite];
        let constant = self.module.definition(id).filter(|_| levels > 0);
        let Some((constant, &op)) =
            constant.and_then(|inst| Some((inst, known.iter().find(|&&op| inst.is(op))?)))
        else {
            let values = self.feature.values();
            return Err(self
                .error(variable, format!("set the specialization constants: its initializer has {values}")));
        };
        let new = self.edits.fresh_id();
        let mut operands = vec![self.globals.in_memory(type_id), new];
        match op {
            Op::Constant => operands.push(constant.word(3) & 0xffff),
            _ => {
                for &part in constant.words_from(3) {
                    operands.push(self.stored_constant(variable, part, levels - 1, words)?);
                }
            }
        }
        words.extend(instruction(op, operands));
        self.globals.stored_constants.insert(id, new);
        Ok(new)
    }

    /// Changes the initializer of a variable.
    pub(super) fn initialized_variable(&mut self, variable: &Instruction) -> Result<(), LowerError> {
        let mut all = Vec::new();
        let mut words = variable.words().to_vec();
        words[4] = self.stored_constant(variable, words[4], MAX_LEVELS, &mut all)?;
        if words != variable.words() {
            all.extend(words);
            self.edits.replace_words(variable, &all);
        }
        Ok(())
    }
}

impl<'m> FunctionLowering<'_, 'm> {
    /// Lowers what only kernels have. Returns false for another instruction.
    pub(super) fn kernel_halves(&mut self, inst: &Instruction<'m>) -> Result<bool, LowerError> {
        match inst.op() {
            Some(Op::Function) if self.is_kernel() => self.kernel_type(inst),
            Some(Op::FunctionParameter) if self.is_kernel() => Ok(self.kernel_argument(inst)),
            Some(Op::Variable) if inst.words().len() > 4 => {
                let (mut all, mut words) = (Vec::new(), inst.words().to_vec());
                words[4] = self.lowering.stored_constant(inst, words[4], MAX_LEVELS, &mut all)?;
                self.lowering.globals.declare_last(&all);
                self.push(&words);
                Ok(true)
            }
            // The same bits.
            Some(Op::CopyMemory) => {
                self.copy(*inst);
                Ok(true)
            }
            Some(Op::ExtInst) => match opencl_instruction(self.lowering.module, inst) {
                Some(OpenclStd100Op::vloadn) => Ok(self.load_vector(inst)),
                Some(OpenclStd100Op::vstoren) => Ok(self.store_vector(inst)),
                Some(op) => Ok(place_of_half(op).is_some_and(|at| self.pointer_to_half(inst, at))),
                None => Ok(false),
            },
            _ => Ok(false),
        }
    }

    /// Converts arguments before the first instruction of the code.
    pub(super) fn convert_arguments(&mut self, inst: &Instruction) {
        let is_before = [Op::FunctionParameter, Op::Label, Op::Variable, Op::Line, Op::NoLine];
        let is_description = self.lowering.module.set_kind(inst) == Some(SetKind::Debug);
        if is_description || inst.op().is_some_and(|op| is_before.contains(&op)) {
            return;
        }
        for argument in std::mem::take(&mut self.arguments) {
            self.floats_of_bits(argument.stored, argument.shape, Some(argument.result));
        }
    }

    /// Changes the type of a kernel: the host sets arguments with the bits of halves.
    fn kernel_type(&mut self, inst: &Instruction) -> Result<bool, LowerError> {
        let Some(type_) = self.lowering.module.definition(inst.word(4)) else { return Ok(false) };
        let mut words = type_.words().to_vec();
        for word in words.iter_mut().skip(3) {
            if self.lowering.types.shape(*word).is_some() {
                *word = self.lowering.globals.in_memory(*word);
            } else if self.lowering.types.has_wide(*word) {
                let values = self.lowering.feature.values();
                return Err(self
                    .lowering
                    .error(inst, format!("an argument of this kernel is an object with {values}")));
            }
        }
        if words == type_.words() {
            return Ok(false);
        }
        let mut function = inst.words().to_vec();
        function[4] = self.lowering.globals.type_with(&words, &mut self.lowering.edits);
        self.push(&function);
        Ok(true)
    }

    fn kernel_argument(&mut self, inst: &Instruction) -> bool {
        let Some([type_id, result]) = inst.typed_result() else { return false };
        let Some(shape) = self.lowering.types.shape(type_id) else { return false };
        self.count();
        let stored = self.emit(Op::FunctionParameter, self.lowering.globals.in_memory(type_id), None, []);
        self.arguments.push(KernelArgument { stored, result, shape });
        true
    }

    /// Loads the bits of a vector.
    fn load_vector(&mut self, inst: &Instruction) -> bool {
        let Some([type_id, id]) = inst.typed_result() else { return false };
        let Some(shape) = self.lowering.types.shape(type_id) else { return false };
        self.count();
        let stored = self.lowering.globals.in_memory(type_id);
        let bits = self.emit(Op::ExtInst, stored, None, inst.words_from(3).iter().copied());
        self.floats_of_bits(bits, shape, Some(id));
        true
    }

    /// Stores the bits of a vector.
    fn store_vector(&mut self, inst: &Instruction) -> bool {
        let value = inst.word(5);
        let Some(shape) = self.shape_of(value) else { return false };
        self.count();
        let mut words = inst.words().to_vec();
        words[5] = self.bits_of_floats(value, self.lowering.module.type_of(value).unwrap_or_default(), shape);
        self.push(&words);
        true
    }

    /// Casts the pointer of an instruction that converts from and to halves.
    fn pointer_to_half(&mut self, inst: &Instruction<'m>, at: usize) -> bool {
        let module = self.lowering.module;
        let pointer = inst.words().get(at).and_then(|&pointer| module.pointer_type(module.type_of(pointer)?));
        let Some(pointer) = pointer.filter(|pointer| self.lowering.types.shape(pointer.pointee()).is_some())
        else {
            return false;
        };
        let to_half =
            self.lowering.globals.pointer_to_half(pointer.storage_class(), &mut self.lowering.edits);
        let mut words = inst.words().to_vec();
        words[at] = self.emit(Op::Bitcast, to_half, None, [words[at]]);
        self.push(&words);
        true
    }

    /// Makes floats of the bits of halves.
    pub(super) fn floats_of_bits(&mut self, bits: u32, shape: WideShape, result: Option<u32>) -> u32 {
        let words_type = self.type_of_words(shape.components() as u32);
        let words = self.emit(Op::UConvert, words_type, None, [bits]);
        let mut floats = Vec::with_capacity(shape.components());
        for at in 0..shape.components() as u32 {
            let word = match shape {
                WideShape::Scalar => words,
                _ => self.emit(Op::CompositeExtract, self.lowering.globals.uint, None, [words, at]),
            };
            floats.push(self.half_of_bits(word));
        }
        self.vector_of_floats(floats, shape, result)
    }

    /// Makes the bits of halves, for memory of a type.
    pub(super) fn bits_of_floats(&mut self, value: u32, type_id: u32, shape: WideShape) -> u32 {
        let mut words = Vec::with_capacity(shape.components());
        for at in 0..shape.components() {
            let float = self.component(value, shape, at);
            words.push(self.bits_of_half(float));
        }
        let all = match words[..] {
            [word] => word,
            _ => {
                let words_type = self.type_of_words(words.len() as u32);
                self.emit(Op::CompositeConstruct, words_type, None, words)
            }
        };
        self.emit(Op::UConvert, self.lowering.globals.in_memory(type_id), None, [all])
    }
}
