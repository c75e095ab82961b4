//! The code of a function.

use std::collections::HashMap;

use spirv::{Op, StorageClass};

use super::conversions::{LibraryCall, is_float};
use super::helpers::{instruction, is_float_arithmetic};
use super::kernel_halves::KernelArgument;
use super::narrow::NarrowValues;
use super::storage_values::FunctionMemory;
use super::table::{LoweringSubstitute, instruction_name, lowering_of};
use super::types::{NumberForm, VectorLayout, WideShape};
use super::{LowerError, ModuleLowering, operands};
use crate::analysis::conditional::effects::InstructionKind;
use crate::collections::IdMap;
use crate::loader::{Instruction, SetKind, views};
use crate::transform::body::FunctionBody;

/// The lowering of one function.
pub struct FunctionLowering<'l, 'm> {
    pub(super) lowering: &'l mut ModuleLowering<'m>,
    body: FunctionBody<'m>,
    /// The offset of the instruction that is read.
    origin: u32,
    /// The words of values that are made of words. They are defined where the value is.
    words: IdMap<Vec<u32>>,
    /// The words and components that the current block has extracted, by value and number.
    extracted: HashMap<(u32, usize), u32>,
    pub(super) components: HashMap<(u32, usize), u32>,
    /// The pointers to the two words of components of vectors, by the pointer that they replace.
    pub(super) component_pointers: IdMap<[u32; 2]>,
    /// The forms of the vectors that pointers lead to, where they are not those of storage classes.
    pub(super) layouts: IdMap<VectorLayout>,
    /// The pointers to the halves of vectors, by the pointer that they replace.
    pub(super) half_pointers: IdMap<[u32; 2]>,
    /// The indices of components of such vectors that are not constant, by the pointer.
    pub(super) dynamic_components: IdMap<(u32, WideShape)>,
    /// The narrow integers whose upper bits are known.
    pub(super) narrow: NarrowValues,
    /// The places and values that words are in the place of.
    pub(super) memory: FunctionMemory,
    /// The arguments of a kernel that are not yet converted.
    pub(super) arguments: Vec<KernelArgument>,
    /// The merge instruction before a branch.
    merge: Option<Instruction<'m>>,
    is_changed: bool,
    replaced: usize,
}

impl<'l, 'm> FunctionLowering<'l, 'm> {
    pub fn new(lowering: &'l mut ModuleLowering<'m>, number: usize) -> FunctionLowering<'l, 'm> {
        let body = FunctionBody::empty(lowering.module, number, 0);
        FunctionLowering {
            lowering,
            body,
            origin: 0,
            words: IdMap::new(),
            extracted: HashMap::new(),
            components: HashMap::new(),
            component_pointers: IdMap::new(),
            layouts: IdMap::new(),
            half_pointers: IdMap::new(),
            dynamic_components: IdMap::new(),
            narrow: NarrowValues::default(),
            memory: FunctionMemory::default(),
            arguments: Vec::new(),
            merge: None,
            is_changed: false,
            replaced: 0,
        }
    }

    /// Writes the changes, and returns the number of replaced instructions.
    pub fn write(mut self) -> Result<usize, LowerError> {
        let module = self.lowering.module;
        let function = *self.body.function();
        for inst in module.range(function.lines, function.end) {
            self.origin = inst.offset();
            self.instruction(inst)?;
        }
        let has_pointers = [&self.component_pointers, &self.half_pointers].iter().any(|all| !all.is_empty());
        if has_pointers || !self.layouts.is_empty() {
            // Pointers may come after what they are the operands of.
            for phi in module.range(function.lines, function.end).filter(|inst| inst.is(Op::Phi)) {
                self.refuse_components(&phi, &operands(module, &phi))?;
            }
        }
        if self.is_changed {
            self.body.emit(&mut self.lowering.edits);
        }
        Ok(self.replaced)
    }

    /// Returns true if the host runs the function.
    pub(super) fn is_kernel(&self) -> bool {
        self.lowering.entry_points.contains(&self.body.function().id)
    }

    fn instruction(&mut self, inst: Instruction<'m>) -> Result<(), LowerError> {
        match inst.op() {
            Some(Op::SelectionMerge | Op::LoopMerge) => {
                self.merge = Some(inst);
                return Ok(());
            }
            Some(Op::Label) => {
                self.extracted.clear();
                self.components.clear();
                self.narrow.leave_block();
            }
            _ => {}
        }
        let module = self.lowering.module;
        let operands = operands(module, &inst);
        if self.lowering.types.form == NumberForm::Memory {
            if !self.word_memory(&inst, &operands)? {
                self.copy(inst);
            }
            return Ok(());
        }
        if self.lowering.types.memory.is_of_kernels() {
            self.convert_arguments(&inst);
            if self.kernel_halves(&inst)? {
                return Ok(());
            }
        }
        let is_larger = self.lowering.types.form.is_larger();
        if is_larger && self.narrow_memory(&inst)?
            || self.access(&inst, &operands)?
            || inst.is(Op::CopyLogical) && self.copy_logical(&inst)?
        {
            return Ok(());
        }
        let types = &self.lowering.types;
        let has_result = inst.result_type().is_some_and(|type_id| types.is_lowered(type_id));
        let has_operand = operands
            .iter()
            .filter_map(|&(_, id)| module.type_of(id))
            .any(|type_id| types.is_lowered(type_id));
        let is_description = module.set_kind(&inst) == Some(SetKind::Debug);
        if !has_result && !has_operand || is_description {
            self.copy(inst);
            return Ok(());
        }
        let Some(row) = lowering_of(self.lowering.feature, module, &inst, has_result) else {
            let (name, values) = (instruction_name(module, &inst), self.lowering.feature.values());
            return Err(self.lowering.error(&inst, format!("no rule lowers {name} of {values}")));
        };
        if is_larger {
            self.refuse_stored_result(&inst)?;
        }
        if row.is_exact {
            self.lowering.exact.insert(row.name);
        }
        match &row.becomes {
            LoweringSubstitute::Types => self.with_types(inst, &operands),
            LoweringSubstitute::Rounded => self.with_rounding(&inst),
            LoweringSubstitute::Words => self.with_words(inst),
            LoweringSubstitute::Moves => self.with_moves(inst, &operands),
            LoweringSubstitute::Formula => self.with_formula(&inst, row.name),
            LoweringSubstitute::LowWords => {
                self.with_low_words(&inst, &operands);
                Ok(())
            }
            LoweringSubstitute::OddFloats => {
                self.with_odd_floats(&inst, &operands);
                Ok(())
            }
            LoweringSubstitute::Extended(extension) => self.with_extended(inst, &operands, *extension),
            LoweringSubstitute::Functions(names) => self.with_functions(&inst, names),
        }
    }

    /// Keeps an instruction, with other types.
    pub(super) fn copy(&mut self, inst: Instruction<'m>) {
        if let Some(merge) = self.merge.filter(|_| inst.ends_block()) {
            self.merge = None;
            self.body.push_line(&merge);
        }
        match self.lowering.globals.renamed_words(self.lowering.module, &inst) {
            None => self.body.push_line(&inst),
            Some(words) => self.push(&words),
        }
    }

    /// Keeps an instruction whose values become vectors. Other operands must not.
    pub(super) fn with_types(
        &mut self,
        inst: Instruction<'m>,
        operands: &[(usize, u32)],
    ) -> Result<(), LowerError> {
        if self.construct_with_vectors(&inst) {
            return Ok(());
        }
        if self.is_computed_by_component(&inst, operands) {
            return self.by_component(&inst, operands);
        }
        self.copy(inst);
        self.learn(&inst);
        Ok(())
    }

    /// Adds an instruction.
    pub(super) fn push(&mut self, words: &[u32]) {
        self.is_changed = true;
        self.body.push_new(self.origin, InstructionKind::Effect, words);
    }

    /// Adds the merge instruction before a branch that is added.
    pub(super) fn push_merge(&mut self) {
        if let Some(merge) = self.merge.take() {
            self.body.push_line(&merge);
        }
    }

    /// Adds an instruction with a result: that id, or a new one.
    pub(super) fn emit(
        &mut self,
        op: Op,
        type_id: u32,
        result: Option<u32>,
        operands: impl IntoIterator<Item = u32>,
    ) -> u32 {
        let id = result.unwrap_or_else(|| self.lowering.edits.fresh_id());
        self.push(&instruction(op, [type_id, id].into_iter().chain(operands)));
        id
    }

    /// Adds a value made of words, and remembers them.
    pub(super) fn emit_words(&mut self, type_id: u32, result: Option<u32>, words: Vec<u32>) -> u32 {
        let id = self.emit(Op::CompositeConstruct, type_id, result, words.iter().copied());
        self.words.insert(id, words);
        id
    }

    /// Returns a constant for a word.
    pub(super) fn constant(&mut self, value: u32) -> u32 {
        self.lowering.globals.constant(value, &mut self.lowering.edits)
    }

    /// Returns the form of a value of a lowered type.
    pub(super) fn shape_of(&self, value: u32) -> Option<WideShape> {
        self.lowering.types.shape_of(self.lowering.module, value)
    }

    /// Returns a word of a value that is a vector of words, or a structure of them.
    pub(super) fn word(&mut self, value: u32, at: usize) -> u32 {
        let known = self.words.get(&value).map(Vec::as_slice);
        if let Some(words) = known.or_else(|| self.lowering.globals.words_of(value))
            && let Some(&word) = words.get(at)
        {
            return word;
        }
        if let Some(&word) = self.extracted.get(&(value, at)) {
            return word;
        }
        let is_array = self.shape_of(value).is_some_and(|shape| self.lowering.types.is_array(shape));
        let path = if is_array { vec![at as u32 / 2, at as u32 % 2] } else { vec![at as u32] };
        let operands = std::iter::once(value).chain(path);
        let word = self.emit(Op::CompositeExtract, self.lowering.globals.uint, None, operands);
        self.extracted.insert((value, at), word);
        word
    }

    /// Returns a component of a value of a lowered type.
    pub(super) fn component(&mut self, value: u32, shape: WideShape, at: usize) -> u32 {
        if shape == WideShape::Scalar {
            return value;
        }
        if let Some(&known) = self.components.get(&(value, at)) {
            return known;
        }
        let at_word = 2 * at as u32;
        let number = self.lowering.globals.number;
        let component = match shape {
            WideShape::Vector(_) => self.emit(Op::CompositeExtract, number, None, [value, at as u32]),
            _ => self.emit(Op::VectorShuffle, number, None, [value, value, at_word, at_word + 1]),
        };
        self.components.insert((value, at), component);
        component
    }

    /// Replaces an instruction by functions of the library, for each component.
    pub(super) fn with_functions(&mut self, inst: &Instruction, names: &[&str]) -> Result<(), LowerError> {
        let is_dynamic = matches!(inst.op(), Some(Op::VectorExtractDynamic | Op::VectorInsertDynamic));
        if is_dynamic && self.has_array(inst, &inst.words_from(3)[..1]) {
            return self.dynamic_component(inst);
        }
        if let Some(reason) =
            self.lowering.conversion_modes.refuse(self.lowering.module, inst, self.is_rounded(inst))
        {
            return Err(self.lowering.error(inst, reason));
        }
        let Some([type_id, id]) = inst.typed_result() else { return Ok(()) };
        self.count();
        self.lowering.replaced.insert(id);
        let mut operands = inst.words_from(if inst.is(Op::ExtInst) { 5 } else { 3 });
        let module = self.lowering.module;
        // A pointer to the place of the second result.
        let mut place = None;
        if let Some((&last, others)) = operands.split_last().filter(|_| names.len() == 2)
            && let Some(pointee) = module.type_of(last).and_then(|type_id| module.pointee(type_id))
        {
            let pointer = module.type_of(last).and_then(|type_id| module.pointer_type(type_id));
            let class = pointer.map(|pointer| pointer.storage_class());
            if class == Some(StorageClass::PhysicalStorageBuffer as u32) {
                return Err(self.lowering.error(inst, "it does not say how its pointer is aligned"));
            }
            place = Some((last, pointee));
            operands = others;
        }
        let library = self.lowering.library;
        let calls = names.iter().map(|name| self.library_call(inst, name)).collect::<Result<Vec<_>, _>>()?;
        for call in &calls {
            let parameters =
                library.number(&call.name).map_or(0, |number| library.function(number).parameters.len());
            if parameters == 0 || parameters != operands.len() + usize::from(call.width.is_some()) {
                return Err(self.lowering.error(inst, "it does not have the operands that its rule expects"));
            }
        }
        if let [call] = &calls[..] {
            return self.with_function(inst, call, type_id, Some(id), operands).map(|_| ());
        }
        if let (Some((pointer, pointee)), [first, second]) = (place, &calls[..]) {
            let stored = self.with_function(inst, second, pointee, None, operands)?;
            self.with_function(inst, first, type_id, Some(id), operands)?;
            self.store(pointer, stored, &[]);
            return Ok(());
        }
        let mut results = Vec::with_capacity(calls.len());
        for (at, call) in calls.iter().enumerate() {
            let Some(part) = module.part_type(type_id, at as u32) else {
                return Err(self.lowering.error(inst, "its result is no structure of two"));
            };
            results.push(self.with_function(inst, call, part, None, operands)?);
        }
        self.emit(Op::CompositeConstruct, type_id, Some(id), results);
        Ok(())
    }

    /// Computes a result by a function, for each component.
    fn with_function(
        &mut self,
        inst: &Instruction,
        call: &LibraryCall,
        type_id: u32,
        result: Option<u32>,
        operands: &[u32],
    ) -> Result<u32, LowerError> {
        let library = self.lowering.library;
        let Some(number) = library.number(&call.name) else { return Ok(0) };
        let function = library.function(number);
        let module = self.lowering.module;
        let shape = self.lowering.types.shape(type_id);
        let vector = module.definition(type_id).and_then(views::TypeVector::new);
        let takes_vectors = function.parameters.iter().any(|&(type_id, _)| library.is_of_words(type_id, 4));
        let (components, component_type) = match vector {
            Some(vector) if !takes_vectors => (vector.component_count() as usize, vector.component_type()),
            _ => (1, type_id),
        };
        if components > 16 {
            return Err(self.lowering.error(inst, "no vector has so many components"));
        }
        let mut results = Vec::with_capacity(components);
        for at in 0..components {
            let mut arguments = Vec::with_capacity(operands.len());
            for (&operand, &(parameter, _)) in operands.iter().zip(&function.parameters) {
                arguments.push(self.argument(inst, operand, parameter, at)?);
            }
            if let Some(before) = call.before.and_then(|name| library.number(name)) {
                arguments[0] = self.call(before, &arguments[..1], None);
            }
            if let Some(width) = call.width {
                arguments.push(self.constant(width));
            }
            let result = result.filter(|_| components == 1);
            results.push(self.converted_call(inst, number, &arguments, component_type, result)?);
        }
        Ok(match (components, shape) {
            (1, _) => results[0],
            (_, Some(shape)) => {
                let id = self.emit(
                    Op::CompositeConstruct,
                    self.lowering.globals.type_of(shape),
                    result,
                    results.clone(),
                );
                self.components
                    .extend(results.into_iter().enumerate().map(|(at, component)| ((id, at), component)));
                id
            }
            (_, None) => self.emit(Op::CompositeConstruct, type_id, result, results),
        })
    }

    /// Returns an operand, or a component of it, as a parameter of the library takes it.
    pub(super) fn argument(
        &mut self,
        inst: &Instruction,
        operand: u32,
        parameter: u32,
        at: usize,
    ) -> Result<u32, LowerError> {
        let library = self.lowering.library;
        let module = self.lowering.module;
        if let Some(shape) = self.shape_of(operand) {
            let at = at.min(shape.components() - 1);
            if library.is_of_words(parameter, 4) {
                return Ok(operand);
            }
            if library.is_number(parameter) || library.is_float(parameter) {
                return Ok(self.component(operand, shape, at));
            }
            return Ok(self.word(operand, 2 * at));
        }
        let (mut value, mut type_id) = (operand, module.type_of(operand).unwrap_or_default());
        if let Some(vector) = module.definition(type_id).and_then(views::TypeVector::new) {
            type_id = vector.component_type();
            value = self.emit(Op::CompositeExtract, type_id, None, [operand, at as u32]);
        }
        if library.is_number(parameter) {
            return self.number_of_integer(inst, value, type_id, parameter);
        }
        let type_ = module.definition(type_id);
        let expected = library.module.definition(parameter);
        let (Some(type_), Some(expected)) = (type_, expected) else { return Ok(value) };
        let width = type_.word(2);
        let wanted = self.lowering.helper_id(parameter);
        let convert = match (expected.op(), type_.op()) {
            (Some(Op::TypeBool), Some(Op::TypeBool)) => return Ok(value),
            (Some(Op::TypeInt), Some(Op::TypeInt)) if width == 32 && type_id == wanted => return Ok(value),
            (Some(Op::TypeInt), Some(Op::TypeInt)) if width == 32 => Op::Bitcast,
            (Some(Op::TypeInt), Some(Op::TypeInt)) if width < 32 && expected.word(3) == 1 => Op::SConvert,
            (Some(Op::TypeInt), Some(Op::TypeInt)) if width < 32 => Op::UConvert,
            // The index of a component.
            (Some(Op::TypeInt), Some(Op::TypeInt)) if expected.word(3) == 0 => Op::UConvert,
            (Some(Op::TypeFloat), Some(Op::TypeFloat)) if type_.words().len() > 3 => {
                return Err(self.lowering.error(inst, "the encoding of its floats has no rule"));
            }
            (Some(Op::TypeFloat), Some(Op::TypeFloat)) if width == 32 => return Ok(value),
            (Some(Op::TypeFloat), Some(Op::TypeFloat)) if width == 16 => Op::FConvert,
            _ => {
                return Err(self
                    .lowering
                    .error(inst, format!("no rule lowers it for values of {width} bits")));
            }
        };
        Ok(self.emit(convert, wanted, None, [value]))
    }

    /// Calls a function, and converts its result to a type of the module.
    fn converted_call(
        &mut self,
        inst: &Instruction,
        number: usize,
        arguments: &[u32],
        type_id: u32,
        result: Option<u32>,
    ) -> Result<u32, LowerError> {
        let library = self.lowering.library;
        let returned = library.function(number).result_type;
        let returned_type = self.lowering.helper_id(returned);
        if returned_type == self.lowering.globals.renamed(type_id) {
            return Ok(self.call(number, arguments, result));
        }
        if library.is_number(returned) {
            let value = self.call(number, arguments, None);
            return self.integer_of_number(inst, value, type_id, result);
        }
        if is_float(self.lowering.module, type_id, 16) && library.is_float(returned) {
            let value = self.call(number, arguments, None);
            return Ok(self.emit(Op::FConvert, type_id, result, [value]));
        }
        if returned_type != self.lowering.globals.uint {
            return Err(self.lowering.error(inst, "no rule lowers it for the type of its result"));
        }
        let low = self.call(number, arguments, None);
        if self.lowering.types.shape(type_id) == Some(WideShape::Scalar) {
            let zero = self.constant(0);
            return Ok(self.emit_words(self.lowering.globals.number, result, vec![low, zero]));
        }
        self.integer_of_word(inst, low, type_id, result)
    }

    /// Calls a function of the library, or copies its code.
    pub(super) fn call(&mut self, number: usize, arguments: &[u32], result: Option<u32>) -> u32 {
        let library = self.lowering.library;
        let function = library.function(number);
        if !function.is_copied {
            let type_id = self.lowering.helper_id(function.result_type);
            let callee = self.lowering.called_function(number);
            return self.emit(
                Op::FunctionCall,
                type_id,
                result,
                std::iter::once(callee).chain(arguments.iter().copied()),
            );
        }
        let module = &library.module;
        // Few, so that looking at all is fast.
        let mut ids: Vec<(u32, u32)> =
            function.parameters.iter().map(|&(_, id)| id).zip(arguments.iter().copied()).collect();
        let find = |ids: &[(u32, u32)], id: u32| ids.iter().find(|known| known.0 == id).map(|known| known.1);
        let returned = library.returned(number);
        let uint = self.lowering.globals.uint;
        for inst in library.code(number) {
            let Some([type_id, id]) = inst.typed_result() else { continue };
            let type_id = self.lowering.helper_id(type_id);
            let wanted = result.filter(|_| id == returned);
            let mut words = inst.words().to_vec();
            for (at, operand) in
                operands(module, &inst).into_iter().filter(|&(_, id)| !module.is_function(id))
            {
                words[at] = find(&ids, operand).unwrap_or_else(|| self.lowering.helper_id(operand));
            }
            let new = match inst.op() {
                Some(Op::CompositeExtract) if type_id == uint && words.len() == 5 && wanted.is_none() => {
                    self.word(words[3], words[4] as usize)
                }
                Some(Op::CompositeConstruct) => self.emit_words(type_id, wanted, words[3..].to_vec()),
                Some(Op::FunctionCall) => match library.callee(views::FunctionCall(inst)) {
                    Some(callee) => self.call(callee, &words[4..], wanted),
                    None => continue,
                },
                Some(Op::Bitcast) if self.lowering.is_copy(&inst) => match wanted {
                    None => words[3],
                    wanted => self.emit(Op::CopyObject, type_id, wanted, [words[3]]),
                },
                Some(op) => self.emit(op, type_id, wanted, words[3..].iter().copied()),
                None => continue,
            };
            if inst.op().is_some_and(is_float_arithmetic) {
                self.lowering.keep_apart(new);
            }
            ids.push((id, new));
        }
        let value = find(&ids, returned).unwrap_or_else(|| self.lowering.helper_id(returned));
        match result {
            Some(result) if result != value => {
                let type_id = self.lowering.helper_id(function.result_type);
                self.emit(Op::CopyObject, type_id, Some(result), [value])
            }
            _ => value,
        }
    }

    /// Counts an instruction that others replace.
    pub(super) fn count(&mut self) {
        self.replaced += 1;
    }
}
