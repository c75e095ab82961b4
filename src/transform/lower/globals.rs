//! Types, constants and variables outside of functions.

use std::collections::{HashMap, HashSet};

use spirv::{Decoration, Op, StorageClass};

use super::helpers::instruction;
use super::types::{LoweredTypes, NumberForm, VectorLayout, WideShape};
use super::{LowerError, ModuleLowering, operands};
use crate::collections::IdMap;
use crate::loader::{Instruction, Module, views};
use crate::transform::Edits;

/// The storage classes of variables that this module alone has a view of, or whose layout says where words are.
const LOWERED_CLASSES: [StorageClass; 10] = [
    StorageClass::Uniform,
    StorageClass::StorageBuffer,
    StorageClass::PushConstant,
    StorageClass::PhysicalStorageBuffer,
    StorageClass::ShaderRecordBufferKHR,
    StorageClass::Workgroup,
    StorageClass::Private,
    StorageClass::Function,
    StorageClass::CrossWorkgroup,
    StorageClass::UniformConstant,
];

/// The definitions outside of functions that are new or have other ids.
pub struct ChangedGlobals {
    /// The ids that replace those of removed types.
    pub(super) renamed: HashMap<u32, u32>,
    /// Types that are renamed where values have them, and stay in memory.
    pub(super) kept: HashSet<u32>,
    /// The types of which a module may have one only, by their words without the id.
    by_words: HashMap<Vec<u32>, u32>,
    /// The constants for the words of constants of lowered types.
    words: IdMap<Vec<u32>>,
    /// The types of pointers, by storage class and type.
    pointers: HashMap<(u32, u32), u32>,
    /// Constants of vectors, by their words without the id.
    composites: HashMap<Vec<u32>, u32>,
    /// The constants for words, by value.
    constants: HashMap<u32, u32>,
    /// The type of words.
    pub uint: u32,
    /// The type of numbers: of one or two words, integers of 64 bits, or floats.
    pub number: u32,
    /// The type of four words.
    pub quad: u32,
    /// The types of vectors of integers, or of arrays in their place, by the number of components.
    vectors: HashMap<u32, u32>,
    /// The types of matrices of floats, by the form and number of columns.
    matrices: HashMap<(WideShape, u32), u32>,
    /// The types of integers in memory, by those of the numbers in whose place they are.
    pub(super) stored: HashMap<u32, u32>,
    /// The constants in memory, by those of values.
    pub(super) stored_constants: HashMap<u32, u32>,
    /// The type of halves and the types of pointers to them, by storage class: those of `vload_half` and its kin.
    half: u32,
    half_pointers: HashMap<u32, u32>,
    /// The types of arrays in the place of vectors where memory has offsets and strides.
    explicit_vectors: HashMap<u32, u32>,
    /// The types of structures of two halves in the place of vectors.
    halves: HashMap<u32, u32>,
    /// The constants of arrays with a stride, by those that are values.
    pub explicit_constants: HashMap<u32, u32>,
    /// The decorations of types, the words before all other types, and after them.
    annotations: Vec<u32>,
    first: Vec<u32>,
    last: Vec<u32>,
}

/// Returns the words of a type without its id; `None` if a module may have several of its kind.
fn key(words: &[u32]) -> Option<Vec<u32>> {
    let op = words[0] & 0xffff;
    let unique = [
        Op::TypeVoid,
        Op::TypeBool,
        Op::TypeInt,
        Op::TypeFloat,
        Op::TypeVector,
        Op::TypeMatrix,
        Op::TypeFunction,
    ];
    unique.iter().any(|&unique| unique as u32 == op).then(|| [&[op], &words[2..]].concat())
}

impl ChangedGlobals {
    /// Declares the types of words, before all others.
    pub fn new(module: &Module, types: &LoweredTypes, edits: &mut Edits) -> ChangedGlobals {
        let mut by_words = HashMap::new();
        // Types of functions are declared in their order: two may become one.
        for inst in module.globals().filter(|inst| inst.result_type().is_none() && !inst.is(Op::TypeFunction))
        {
            if let (Some(key), Some(id)) = (key(inst.words()), inst.result_id())
                && !types.is_lowered(id)
            {
                by_words.entry(key).or_insert(id);
            }
        }
        let mut globals = ChangedGlobals {
            renamed: HashMap::new(),
            kept: HashSet::new(),
            by_words,
            words: IdMap::new(),
            pointers: HashMap::new(),
            composites: HashMap::new(),
            constants: HashMap::new(),
            uint: 0,
            number: 0,
            quad: 0,
            vectors: HashMap::new(),
            matrices: HashMap::new(),
            stored: HashMap::new(),
            stored_constants: HashMap::new(),
            half: 0,
            half_pointers: HashMap::new(),
            explicit_vectors: HashMap::new(),
            halves: HashMap::new(),
            explicit_constants: HashMap::new(),
            annotations: Vec::new(),
            first: Vec::new(),
            last: Vec::new(),
        };
        globals.uint = globals.first_type(module, vec![Op::TypeInt as u32, 32, 0], edits);
        let number = match types.form {
            NumberForm::Words => Some(vec![Op::TypeVector as u32, globals.uint, 2]),
            NumberForm::Integer => Some(vec![Op::TypeInt as u32, 64, 0]),
            NumberForm::Float => Some(vec![Op::TypeFloat as u32, 32]),
            NumberForm::Narrow | NumberForm::Memory => None,
        };
        globals.number = number.map_or(globals.uint, |number| globals.first_type(module, number, edits));
        for shape in types.vectors() {
            let vector = |component: u32, count: u32| vec![Op::TypeVector as u32, component, count];
            match shape {
                WideShape::Scalar => {}
                WideShape::Pair => globals.quad = globals.first_type(module, vector(globals.uint, 4), edits),
                WideShape::Vector(count) if types.is_array(shape) => {
                    let (id, length) = (edits.fresh_id(), globals.constant(count, edits));
                    globals.first.extend(instruction(Op::TypeArray, [id, globals.number, length]));
                    globals.vectors.insert(count, id);
                    if types.has_explicit_vectors {
                        let id = edits.fresh_id();
                        globals.first.extend(instruction(Op::TypeArray, [id, globals.number, length]));
                        let stride = [id, Decoration::ArrayStride as u32, 8];
                        globals.annotate(&instruction(Op::Decorate, stride));
                        globals.explicit_vectors.insert(count, id);
                    }
                    if types.has_any_halves() {
                        if globals.quad == 0 {
                            globals.quad = globals.first_type(module, vector(globals.uint, 4), edits);
                        }
                        let second = if count == 3 { globals.number } else { globals.quad };
                        let id = edits.fresh_id();
                        globals.first.extend(instruction(Op::TypeStruct, [id, globals.quad, second]));
                        for (member, offset) in [(0, 0), (1, 16)] {
                            let offset = [id, member, Decoration::Offset as u32, offset];
                            globals.annotate(&instruction(Op::MemberDecorate, offset));
                        }
                        globals.halves.insert(count, id);
                    }
                }
                WideShape::Vector(count) => {
                    let id = globals.first_type(module, vector(globals.number, count), edits);
                    globals.vectors.insert(count, id);
                }
            }
        }
        for (column, count) in types.matrices() {
            let matrix = vec![Op::TypeMatrix as u32, globals.type_of(column), count];
            let id = globals.first_type(module, matrix, edits);
            globals.matrices.insert((column, count), id);
        }
        globals.store_integers(module, types, edits);
        globals
    }

    /// Declares the integers that memory has in the place of numbers.
    fn store_integers(&mut self, module: &Module, types: &LoweredTypes, edits: &mut Edits) {
        let all = types.stored_as_integers();
        if all.is_empty() {
            return;
        }
        let ushort = self.first_type(module, vec![Op::TypeInt as u32, 16, 0], edits);
        for (type_id, shape) in all {
            let stored = match shape {
                WideShape::Vector(count) => {
                    self.first_type(module, vec![Op::TypeVector as u32, ushort, count], edits)
                }
                _ => ushort,
            };
            self.stored.insert(type_id, stored);
        }
    }

    /// Returns the type that memory has in the place of one of the module.
    pub fn in_memory(&self, id: u32) -> u32 {
        self.stored.get(&id).copied().unwrap_or(id)
    }

    /// Renames a lowered type of numbers, vectors or matrices.
    pub fn rename_lowered(&mut self, types: &LoweredTypes, id: u32) {
        let of_values = types.shape(id).map(|shape| self.type_of(shape));
        let matrix = types.matrix(id).and_then(|matrix| self.matrices.get(&matrix).copied());
        self.renamed.extend(of_values.or(matrix).map(|new| (id, new)));
    }

    /// Moves a type before all others, or declares it there.
    pub fn first_type(&mut self, module: &Module, key: Vec<u32>, edits: &mut Edits) -> u32 {
        let known = self.by_words.get(&key).copied();
        let id = known.unwrap_or_else(|| edits.fresh_id());
        if let Some(definition) = known.and_then(|id| module.definition(id)) {
            edits.drop(&definition);
        }
        self.first.extend([(key.len() as u32 + 1) << 16 | key[0], id]);
        self.first.extend_from_slice(&key[1..]);
        self.by_words.insert(key, id);
        id
    }

    /// Returns the type of pointers to halves, which nothing else has.
    pub fn pointer_to_half(&mut self, storage_class: u32, edits: &mut Edits) -> u32 {
        if self.half == 0 {
            self.half = edits.fresh_id();
            self.first.extend(instruction(Op::TypeFloat, [self.half, 16]));
        }
        if let Some(&known) = self.half_pointers.get(&storage_class) {
            return known;
        }
        let id = edits.fresh_id();
        self.last.extend(instruction(Op::TypePointer, [id, storage_class, self.half]));
        self.half_pointers.insert(storage_class, id);
        id
    }

    /// Returns true if pointers lead to halves.
    pub fn has_halves(&self) -> bool {
        self.half != 0
    }

    /// Declares constants after all others.
    pub fn declare_last(&mut self, words: &[u32]) {
        self.last.extend_from_slice(words);
    }

    /// Declares a type before all others.
    pub fn declare_first(&mut self, words: &[u32]) {
        self.first.extend_from_slice(words);
    }

    /// Returns true for a type that is removed.
    pub fn is_removed(&self, id: u32) -> bool {
        self.renamed.contains_key(&id) && !self.kept.contains(&id)
    }

    /// Returns the id that stands for an id in the result.
    pub fn renamed(&self, id: u32) -> u32 {
        self.renamed.get(&id).copied().unwrap_or(id)
    }

    /// Returns the words of an instruction with the ids of the result, if they differ.
    pub fn renamed_words(&self, module: &Module, inst: &Instruction) -> Option<Vec<u32>> {
        let mut words: Option<Vec<u32>> = None;
        module.walk(inst, &mut |at, id: u32| {
            if let Some(&new) = self.renamed.get(&id) {
                words.get_or_insert_with(|| inst.words().to_vec())[at] = new;
            }
        });
        words
    }

    /// Returns the type of values of a form.
    pub fn type_of(&self, shape: WideShape) -> u32 {
        match shape {
            WideShape::Scalar => self.number,
            WideShape::Pair => self.quad,
            WideShape::Vector(count) => self.vectors.get(&count).copied().unwrap_or_default(),
        }
    }

    /// Returns the type of vectors of a form in memory.
    pub fn type_in(&self, layout: VectorLayout, shape: WideShape) -> u32 {
        let of_layout = match (layout, shape) {
            (VectorLayout::Explicit, WideShape::Vector(count)) => self.explicit_vectors.get(&count).copied(),
            (VectorLayout::Halves, WideShape::Vector(count)) => self.halves.get(&count).copied(),
            _ => None,
        };
        of_layout.unwrap_or_else(|| self.type_of(shape))
    }

    /// Returns a type with these words, whatever their id, which is the first operand.
    pub fn type_with(&mut self, words: &[u32], edits: &mut Edits) -> u32 {
        let key = key(words);
        if let Some(&known) = key.as_ref().and_then(|key| self.by_words.get(key)) {
            return known;
        }
        let id = edits.fresh_id();
        self.last.extend([words[0], id]);
        self.last.extend_from_slice(&words[2..]);
        if let Some(key) = key {
            self.by_words.insert(key, id);
        }
        id
    }

    /// Returns a type of pointers.
    pub fn pointer_to(&mut self, type_id: u32, storage_class: u32, edits: &mut Edits) -> u32 {
        if let Some(&known) = self.pointers.get(&(storage_class, type_id)) {
            return known;
        }
        let id = edits.fresh_id();
        self.last.extend(instruction(Op::TypePointer, [id, storage_class, type_id]));
        self.pointers.insert((storage_class, type_id), id);
        id
    }

    /// Returns the constant with these words, whatever their id, which is the second operand.
    pub fn constant_composite(&mut self, mut words: Vec<u32>, edits: &mut Edits) -> u32 {
        words[2] = 0;
        if let Some(&known) = self.composites.get(&words) {
            return known;
        }
        let id = self.add(words.clone(), edits);
        self.composites.insert(words, id);
        id
    }

    /// Adds a constant with these words, whatever their id.
    pub fn add(&mut self, mut words: Vec<u32>, edits: &mut Edits) -> u32 {
        words[2] = edits.fresh_id();
        self.last.extend_from_slice(&words);
        words[2]
    }

    /// Returns the constant for a word.
    pub fn constant(&mut self, value: u32, edits: &mut Edits) -> u32 {
        if let Some(&known) = self.constants.get(&value) {
            return known;
        }
        let id = edits.fresh_id();
        self.first.extend(instruction(Op::Constant, [self.uint, id, value]));
        self.constants.insert(value, id);
        id
    }

    /// Returns the constants for the words of a constant of a lowered type.
    pub fn words_of(&self, constant: u32) -> Option<&[u32]> {
        self.words.get(&constant).map(Vec::as_slice)
    }

    /// Adds a decoration of a type.
    pub fn annotate(&mut self, words: &[u32]) {
        self.annotations.extend_from_slice(words);
    }

    /// Returns the decorations of types.
    pub fn annotations(&self) -> &[u32] {
        &self.annotations
    }

    /// Returns the instructions before all types.
    pub fn first_words(&self) -> &[u32] {
        &self.first
    }

    /// Returns the instructions after all others outside of functions.
    pub fn last_words(&self) -> &[u32] {
        &self.last
    }
}

impl ModuleLowering<'_> {
    /// Changes the definitions outside of functions.
    pub fn globals(&mut self) -> Result<(), LowerError> {
        let module = self.module;
        if self.types.form == NumberForm::Memory {
            let types = module.outside_functions().filter(|inst| inst.is(Op::TypeFunction));
            types.for_each(|inst| self.function_type(&inst));
            return self.word_variables();
        }
        self.decorate_halves()?;
        for inst in module.outside_functions() {
            let id = inst.result_id().unwrap_or_default();
            if self.types.form.is_larger() && self.narrow_global(&inst)? {
                continue;
            }
            match inst.op() {
                Some(Op::TypeInt | Op::TypeFloat | Op::TypeVector | Op::TypeMatrix)
                    if self.types.is_lowered(id) =>
                {
                    self.globals.rename_lowered(&self.types, id);
                    self.edits.drop(&inst);
                }
                Some(Op::TypeFunction) => self.function_type(&inst),
                Some(Op::TypeStruct) if self.types.layout_of_parts(id) == VectorLayout::Halves => {
                    self.structure_of_halves(views::TypeStruct(inst))?;
                }
                Some(Op::TypeArray) => self.array_type(views::TypeArray(inst))?,
                Some(Op::Variable) => self.variable(views::Variable(inst))?,
                _ => match inst.result_type().and_then(|type_id| self.types.shape(type_id)) {
                    Some(shape) => self.constant(&inst, shape)?,
                    None => self.other_global(&inst)?,
                },
            }
        }
        Ok(())
    }

    /// Changes the types of parameters and the result. Of function types that are equal then, the first one stays.
    fn function_type(&mut self, inst: &Instruction) {
        let words = self.globals.renamed_words(self.module, inst);
        let (Some(key), id) = (key(words.as_deref().unwrap_or(inst.words())), inst.word(1)) else { return };
        match (self.globals.by_words.get(&key), words) {
            (Some(&other), _) => {
                self.globals.renamed.insert(id, other);
                self.edits.drop(inst);
            }
            (None, words) => {
                self.globals.by_words.insert(key, id);
                if let Some(words) = words {
                    self.edits.replace_words(inst, &words);
                }
            }
        }
    }

    /// Changes the type of elements, and a length of a lowered type.
    fn array_type(&mut self, array: views::TypeArray) -> Result<(), LowerError> {
        let mut words = self.renamed_words(&array);
        if self.types.shape_of(self.module, array.length()).is_some() {
            let length = self.module.constant(array.length()).map(views::Constant::bits);
            let Some(length) = length.and_then(|length| u32::try_from(length).ok()) else {
                return Err(self.error(&array, "its length is not a constant of 32 bits"));
            };
            let length = self.globals.constant(length, &mut self.edits);
            words.get_or_insert_with(|| array.words().to_vec())[3] = length;
        }
        if let Some(words) = words {
            self.edits.replace_words(&array, &words);
        }
        Ok(())
    }

    fn variable(&mut self, variable: views::Variable) -> Result<(), LowerError> {
        let pointee = self.module.pointee(variable.type_id());
        let is_lowered = LOWERED_CLASSES.iter().any(|&class| class as u32 == variable.storage_class());
        let is_of_stage = self.types.memory.is_of_stage(variable.storage_class());
        if !is_lowered && !is_of_stage && pointee.is_some_and(|pointee| self.types.has_wide(pointee)) {
            return Err(self.error(&variable, "variables between stages keep their types"));
        }
        Ok(())
    }

    /// Changes a constant of a lowered type.
    fn constant(&mut self, inst: &Instruction, shape: WideShape) -> Result<(), LowerError> {
        let Some([_, id]) = inst.typed_result() else { return Ok(()) };
        if self.types.form == NumberForm::Integer && (!inst.is(Op::SpecConstantOp) || self.is_moved(inst)) {
            return self.other_global(inst);
        }
        let zero = self.globals.constant(0, &mut self.edits);
        let words = match inst.op() {
            Some(Op::Constant) => {
                let mut constant = |at| self.globals.constant(inst.word(at), &mut self.edits);
                vec![constant(3), constant(4)]
            }
            Some(Op::ConstantNull | Op::Undef) => {
                if let Some(words) = self.globals.renamed_words(self.module, inst) {
                    self.edits.replace_words(inst, &words);
                }
                if inst.is(Op::ConstantNull) {
                    self.globals.words.insert(id, vec![zero; 2 * shape.components()]);
                }
                return Ok(());
            }
            Some(Op::ConstantComposite) => {
                // An undefined component may have any value.
                let undefined = [zero; 2];
                let constituents = views::ConstantComposite(*inst).constituents().iter();
                let parts: Vec<&[u32]> =
                    constituents.map(|&id| self.globals.words_of(id).unwrap_or(&undefined)).collect();
                if parts.iter().map(|words| words.len()).sum::<usize>() != 2 * shape.components() {
                    return Err(self.error(inst, "it does not have as many components as its type"));
                }
                parts.concat()
            }
            op => {
                return Err(self.open_constant(inst, op));
            }
        };
        match self.types.is_array(shape) {
            true => self.other_global(inst)?,
            false => {
                let operands = [self.globals.type_of(shape), id].into_iter().chain(words.iter().copied());
                self.edits.replace_words(inst, &instruction(Op::ConstantComposite, operands));
            }
        }
        self.globals.words.insert(id, words);
        Ok(())
    }

    /// Returns the error of a constant that specialization decides.
    pub fn open_constant(&self, inst: &Instruction, op: Option<Op>) -> LowerError {
        let constant = match op {
            Some(Op::SpecConstantOp) => "constants that it depends on",
            _ => "constant",
        };
        self.error(inst, format!("set the specialization {constant}: it is {}", self.feature.value()))
    }

    /// Returns true for a computed constant that selects and moves integers in the place of doubles.
    fn is_moved(&self, inst: &Instruction) -> bool {
        let moves = [Op::Select, Op::VectorShuffle, Op::CompositeExtract, Op::CompositeInsert];
        let op = views::SpecConstantOp::new(*inst).and_then(views::SpecConstantOp::operation);
        self.types.form == NumberForm::Integer && op.is_some_and(|op| moves.contains(&op))
    }

    /// Changes the types that another instruction outside of functions names.
    fn other_global(&mut self, inst: &Instruction) -> Result<(), LowerError> {
        if inst.is(Op::SpecConstantComposite) && self.has_halves(inst.word(1)) {
            return Err(self.error(inst, "set the specialization constants: it has vectors of three or four"));
        }
        if inst.is(Op::SpecConstantOp) && !self.is_moved(inst) {
            let all = operands(self.module, inst);
            if all.iter().any(|&(_, id)| self.types.shape_of(self.module, id).is_some()) {
                let values = self.feature.values();
                return Err(
                    self.error(inst, format!("set the specialization constants: it computes with {values}"))
                );
            }
        }
        let layout = inst.result_type().map_or(VectorLayout::Free, |of| self.types.layout_of_parts(of));
        if layout == VectorLayout::Halves && inst.is(Op::ConstantComposite) {
            self.constant_of_halves(inst);
            return Ok(());
        }
        let mut words = self.renamed_words(inst).unwrap_or_else(|| inst.words().to_vec());
        let mut all = self.explicit_constituents(inst, &mut words);
        if words != inst.words() {
            all.extend(words);
            self.edits.replace_words(inst, &all);
        }
        Ok(())
    }

    /// Returns the words of a type or constant with the ids of the result, if they differ.
    fn renamed_words(&self, inst: &Instruction) -> Option<Vec<u32>> {
        let layout = match views::TypePointer::new(*inst) {
            Some(pointer) => self.types.layout_of_class(pointer.storage_class()),
            None => self.types.layout_of_parts(inst.result_id()?),
        };
        let mut words = self.globals.renamed_words(self.module, inst)?;
        for (at, id) in operands(self.module, inst) {
            if let Some(shape) = self.types.shape(id) {
                words[at] = self.globals.type_in(layout, shape);
            }
        }
        Some(words)
    }
}
