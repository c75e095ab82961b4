//! Values in memory that became words.

use spirv::Op;

use super::LowerError;
use super::function::FunctionLowering;
use super::layouts::memory_of_copy;
use super::storage_access::{StoredBits, WordAccess, WordPlace};
use super::storage_paths::{MemoryPath, MemoryScalar, PathPart, chain, scalar_size};
use crate::collections::IdMap;
use crate::loader::{Instruction, SetKind, views};

/// The places and values of a function that words are in the place of.
#[derive(Default)]
pub struct FunctionMemory {
    places: IdMap<WordPlace>,
    values: IdMap<WordValue>,
}

/// A value that is loaded or stored.
#[derive(Clone, Debug)]
pub enum WordValue {
    /// A value that the module has.
    Whole(u32),
    /// A word. Its low bits are those of a number with which the module does not compute, and its upper bits may be any.
    Bits(u32),
    /// The parts of a value with such numbers.
    Parts(Vec<WordValue>),
}

impl<'m> FunctionLowering<'_, 'm> {
    /// Lowers an instruction on memory that became words, or on what it has. Returns false for another instruction.
    pub(super) fn word_memory(
        &mut self,
        inst: &Instruction<'m>,
        operands: &[(usize, u32)],
    ) -> Result<bool, LowerError> {
        if let (Some(_), Some(id)) = (chain(inst), inst.result_id())
            && let Some(path) = self.lowering.memory.paths.get(&id).filter(|path| path.root != id).cloned()
        {
            self.count();
            let place = self.place(&path);
            self.memory.places.insert(id, place);
            match place.address.filter(|_| self.lowering.memory.is_pointer_value(id)) {
                Some(address) => drop(self.pointer_to_address(address, inst.word(1), Some(id))),
                None => drop(self.lowering.dropped.insert(id)),
            }
            return Ok(true);
        }
        let is_lowered =
            |lowering: &Self, pointer: u32| lowering.lowering.memory.paths.contains_key(&pointer);
        // Addresses are values.
        let is_place = |lowering: &Self, pointer: u32| {
            let path = lowering.lowering.memory.paths.get(&pointer);
            path.is_some_and(|path| !lowering.lowering.memory.is_address(path.root))
                || lowering.lowering.dropped.contains(&pointer) && is_lowered(lowering, pointer)
        };
        match inst.op() {
            Some(Op::Load) if is_lowered(self, inst.word(3)) => self.load_stored(inst)?,
            Some(Op::Store) if is_lowered(self, inst.word(1)) => {
                let value = self.value(inst.word(2));
                self.store_at(inst, inst.word(1), inst.words_from(3), value)?;
            }
            Some(Op::CopyMemory) if is_lowered(self, inst.word(1)) || is_lowered(self, inst.word(2)) => {
                self.copy_stored(inst)?
            }
            Some(Op::ArrayLength) if is_lowered(self, inst.word(3)) => self.array_length(inst)?,
            Some(Op::UConvert | Op::SConvert | Op::FConvert) => return self.converted_bits(inst),
            Some(Op::CopyObject | Op::CopyLogical | Op::CompositeExtract)
                if self.memory.values.contains_key(&inst.word(3)) =>
            {
                self.part_of_value(inst)?;
            }
            _ if self.atomic_of_words(inst)? => {}
            _ => {
                let is_of_memory = |&(_, id): &(usize, u32)| {
                    let is_value =
                        self.memory.values.contains_key(&id) && self.lowering.dropped.contains(&id);
                    is_value || is_place(self, id)
                };
                if !operands.iter().any(is_of_memory) {
                    return Ok(false);
                }
                if inst.is(Op::Store) {
                    let reason = "it is stored to memory that keeps its numbers of 8 and 16 bits";
                    return Err(self.lowering.error(inst, reason));
                }
                // A variable keeps its id. Descriptions of values and places have no words to describe.
                let is_description = matches!(
                    self.lowering.module.set_kind(inst),
                    Some(SetKind::Debug | SetKind::NonSemantic)
                );
                if is_description {
                    return Ok(true);
                }
                let reason = "of memory with numbers of 8 and 16 bits, only loads, stores, copies, conversions and atomics of 32 bits are lowered";
                return Err(self.lowering.error(inst, reason));
            }
        }
        self.count();
        Ok(true)
    }

    /// Returns the place of a pointer.
    pub(super) fn stored_place(&mut self, pointer: u32, path: &MemoryPath) -> WordPlace {
        match self.memory.places.get(&pointer) {
            Some(&place) => place,
            None => self.place(path),
        }
    }

    /// Returns a value, or the words in its place.
    pub(super) fn value(&self, id: u32) -> WordValue {
        self.memory.values.get(&id).cloned().unwrap_or(WordValue::Whole(id))
    }

    /// Remembers the words in the place of a value.
    pub(super) fn remember(&mut self, id: u32, value: WordValue) {
        self.lowering.dropped.insert(id);
        self.memory.values.insert(id, value);
    }

    /// Like [`remember`](Self::remember), for a conversion. It stays where memory keeps numbers of its type, to which it may be stored.
    pub(super) fn remember_converted(&mut self, inst: &Instruction<'m>, id: u32, value: WordValue) {
        let is_of_number = matches!(self.value(inst.word(3)), WordValue::Whole(_));
        let number = inst.result_type().map(|type_id| self.lowering.module.without_vector(type_id));
        if is_of_number && number.is_some_and(|number| self.lowering.memory.kept.contains(&number)) {
            self.copy(*inst);
            self.memory.values.insert(id, value);
        } else {
            self.remember(id, value);
        }
    }

    fn load_stored(&mut self, inst: &Instruction<'m>) -> Result<(), LowerError> {
        let Some([_, id]) = inst.typed_result() else { return Ok(()) };
        match self.load_at(inst, inst.word(3), inst.words_from(4), Some(id))? {
            WordValue::Whole(_) => {}
            value => self.remember(id, value),
        }
        Ok(())
    }

    /// Loads what is behind a pointer into words.
    fn load_at(
        &mut self,
        inst: &Instruction<'m>,
        pointer: u32,
        memory: &[u32],
        result: Option<u32>,
    ) -> Result<WordValue, LowerError> {
        let Some(path) = self.lowering.memory.paths.get(&pointer).cloned() else {
            return Ok(WordValue::Whole(0));
        };
        let place = self.accessed_place(pointer, &path, memory);
        let module = self.lowering.module;
        let scalars = self.lowering.memory.scalars(module, path.part, place.constant);
        let scalars = scalars.map_err(|reason| self.lowering.error(inst, reason))?;
        self.lowering.count_parts(inst, scalars.len())?;
        let mut access = WordAccess::new(place, memory, &scalars);
        self.load_value(inst, &mut access, path.part, place.constant, result)
    }

    fn store_at(
        &mut self,
        inst: &Instruction<'m>,
        pointer: u32,
        memory: &[u32],
        value: WordValue,
    ) -> Result<(), LowerError> {
        let Some(path) = self.lowering.memory.paths.get(&pointer).cloned() else { return Ok(()) };
        let place = self.accessed_place(pointer, &path, memory);
        let module = self.lowering.module;
        let scalars = self.lowering.memory.scalars(module, path.part, place.constant);
        let scalars = scalars.map_err(|reason| self.lowering.error(inst, reason))?;
        self.lowering.count_parts(inst, scalars.len())?;
        let mut stored = Vec::with_capacity(scalars.len());
        self.bits_of_value(inst, path.part, place.constant, place.unit, value, &mut stored)?;
        self.store_bits(inst, &WordAccess::new(place, memory, &scalars), &stored)
    }

    fn copy_stored(&mut self, inst: &Instruction<'m>) -> Result<(), LowerError> {
        let (target, source) = (inst.word(1), inst.word(2));
        let Some([to, from]) = memory_of_copy(inst.words_from(3)) else {
            return Err(self.lowering.error(inst, "a copy with memory operands has no other form"));
        };
        let module = self.lowering.module;
        let pointee = |pointer: u32| module.type_of(pointer).and_then(|type_id| module.pointee(type_id));
        let (Some(type_id), true) = (pointee(source), pointee(source) == pointee(target)) else {
            return Err(self.lowering.error(inst, "its pointers have different types"));
        };
        let value = match self.lowering.memory.paths.contains_key(&source) {
            true => self.load_at(inst, source, from, None)?,
            false => {
                let operands = std::iter::once(source).chain(from.iter().copied());
                WordValue::Whole(self.emit(Op::Load, type_id, None, operands))
            }
        };
        match (self.lowering.memory.paths.contains_key(&target), value) {
            (true, value) => self.store_at(inst, target, to, value),
            (false, WordValue::Whole(value)) => {
                let operands = [target, value].into_iter().chain(to.iter().copied());
                self.push(&super::helpers::instruction(Op::Store, operands));
                Ok(())
            }
            (false, _) => {
                Err(self.lowering.error(inst, "it copies to memory that keeps its numbers of 8 and 16 bits"))
            }
        }
    }

    /// Returns the part of words in the place of a value.
    fn part_of_value(&mut self, inst: &Instruction<'m>) -> Result<(), LowerError> {
        let Some([_, id]) = inst.typed_result() else { return Ok(()) };
        let mut value = self.value(inst.word(3));
        let path = if inst.is(Op::CompositeExtract) { inst.words_from(4) } else { &[] };
        for (at, &index) in path.iter().enumerate() {
            value = match value {
                WordValue::Parts(parts) if (index as usize) < parts.len() => parts[index as usize].clone(),
                WordValue::Whole(whole) => {
                    let operands = std::iter::once(whole).chain(path[at..].iter().copied());
                    self.emit(Op::CompositeExtract, inst.word(1), Some(id), operands);
                    return Ok(());
                }
                _ => return Err(self.lowering.error(inst, "it has no such part")),
            };
        }
        match value {
            WordValue::Whole(whole) => {
                self.emit(Op::CopyObject, inst.word(1), Some(id), [whole]);
            }
            value => self.remember(id, value),
        }
        Ok(())
    }

    /// Returns true for a number, or a vector of numbers, with which the module does not compute.
    pub(super) fn is_stored_only(&self, type_id: u32) -> bool {
        let module = self.lowering.module;
        self.lowering.memory.stored_only.contains(&module.without_vector(type_id))
    }

    /// Loads a value of a type, from a byte on.
    fn load_value(
        &mut self,
        inst: &Instruction,
        access: &mut WordAccess,
        part: PathPart,
        byte: u32,
        result: Option<u32>,
    ) -> Result<WordValue, LowerError> {
        let module = self.lowering.module;
        let type_id = part.type_id;
        let parts =
            self.lowering.memory.parts(module, part).map_err(|reason| self.lowering.error(inst, reason))?;
        if parts.is_empty() {
            return self.load_scalar(inst, access, type_id, byte, result);
        }
        if let Some(count) = self.words_of_vector(access, part, byte)
            && !self.is_stored_only(type_id)
        {
            let mut words = Vec::with_capacity(count as usize);
            for at in 0..count {
                words.push(self.load_word(inst, access, byte.wrapping_add(4 * at), None)?);
            }
            let value = self.joined(&words, type_id, result);
            return Ok(WordValue::Whole(value));
        }
        let mut values = Vec::with_capacity(parts.len());
        for (offset, part) in parts {
            values.push(self.load_value(inst, access, part, byte.wrapping_add(offset), None)?);
        }
        let whole = |value: &WordValue| if let WordValue::Whole(id) = value { Some(*id) } else { None };
        Ok(match values.iter().map(whole).collect::<Option<Vec<u32>>>() {
            Some(whole) => WordValue::Whole(self.emit(Op::CompositeConstruct, type_id, result, whole)),
            None => WordValue::Parts(values),
        })
    }

    /// Returns the number of words, up to four, that are exactly those of a vector.
    fn words_of_vector(&self, access: &WordAccess, part: PathPart, byte: u32) -> Option<u32> {
        self.words_of(part, access.is_aligned(byte))
    }

    fn words_of(&self, part: PathPart, is_aligned: bool) -> Option<u32> {
        let module = self.lowering.module;
        let vector = module.definition(part.type_id).and_then(views::TypeVector::new)?;
        let size = scalar_size(module, vector.component_type())?;
        let bytes = size * vector.component_count();
        let is_close = part.stride.is_none_or(|stride| stride == size);
        (is_aligned && is_close && bytes % 4 == 0 && bytes <= 16).then_some(bytes / 4)
    }

    /// Makes a value of words.
    pub(super) fn joined(&mut self, words: &[u32], type_id: u32, result: Option<u32>) -> u32 {
        let words_type = self.type_of_words(words.len() as u32);
        let is_same = words_type == type_id;
        match *words {
            [word] if is_same => self.emit(Op::CopyObject, type_id, result, [word]),
            [word] => self.emit(Op::Bitcast, type_id, result, [word]),
            _ if is_same => self.emit(Op::CompositeConstruct, type_id, result, words.iter().copied()),
            _ => {
                let all = self.emit(Op::CompositeConstruct, words_type, None, words.iter().copied());
                self.emit(Op::Bitcast, type_id, result, [all])
            }
        }
    }

    fn load_scalar(
        &mut self,
        inst: &Instruction,
        access: &mut WordAccess,
        type_id: u32,
        byte: u32,
        result: Option<u32>,
    ) -> Result<WordValue, LowerError> {
        let size = scalar_size(self.lowering.module, type_id).unwrap_or_default();
        match size {
            4 if type_id == self.lowering.globals.uint && result.is_none() => {
                Ok(WordValue::Whole(self.load_word(inst, access, byte, None)?))
            }
            4 => {
                let word = self.load_word(inst, access, byte, None)?;
                Ok(WordValue::Whole(self.joined(&[word], type_id, result)))
            }
            8 => {
                let low = self.load_word(inst, access, byte, None)?;
                let high = self.load_word(inst, access, byte.wrapping_add(4), None)?;
                Ok(WordValue::Whole(self.joined(&[low, high], type_id, result)))
            }
            _ => {
                let word = self.load_bits(inst, access, MemoryScalar { byte, size })?;
                match self.is_stored_only(type_id) {
                    true => Ok(WordValue::Bits(word)),
                    false => Ok(WordValue::Whole(self.number_of_bits(word, type_id, result))),
                }
            }
        }
    }

    /// Takes a value apart into the bits that are stored, from a byte on.
    fn bits_of_value(
        &mut self,
        inst: &Instruction,
        part: PathPart,
        byte: u32,
        unit: u32,
        value: WordValue,
        stored: &mut Vec<StoredBits>,
    ) -> Result<(), LowerError> {
        let module = self.lowering.module;
        let type_id = part.type_id;
        let parts =
            self.lowering.memory.parts(module, part).map_err(|reason| self.lowering.error(inst, reason))?;
        let is_aligned = unit == 4 && byte.is_multiple_of(4);
        if let WordValue::Whole(whole) = value {
            let count = match parts.is_empty() {
                true => scalar_size(module, type_id).filter(|&size| size >= 4).map(|size| size / 4),
                false => self.words_of(part, is_aligned),
            };
            if let Some(count) = count.filter(|_| !self.is_stored_only(type_id)) {
                for (at, word) in (0..).zip(self.words_of_whole(whole, type_id, count)) {
                    let scalar = MemoryScalar { byte: byte.wrapping_add(4 * at), size: 4 };
                    stored.push(StoredBits { scalar, word });
                }
                return Ok(());
            }
        }
        if parts.is_empty() {
            let size = scalar_size(module, type_id).unwrap_or_default();
            let word = match value {
                WordValue::Bits(word) => word,
                WordValue::Whole(whole) => self.bits_of_number(inst, whole, type_id)?,
                WordValue::Parts(_) => return Err(self.lowering.error(inst, "it is no number")),
            };
            stored.push(StoredBits { scalar: MemoryScalar { byte, size }, word });
            return Ok(());
        }
        for (at, (offset, part)) in parts.into_iter().enumerate() {
            let value = match &value {
                WordValue::Whole(whole) => {
                    let operands = [*whole, at as u32];
                    WordValue::Whole(self.emit(Op::CompositeExtract, part.type_id, None, operands))
                }
                WordValue::Parts(parts) if at < parts.len() => parts[at].clone(),
                _ => return Err(self.lowering.error(inst, "it has no such part")),
            };
            self.bits_of_value(inst, part, byte.wrapping_add(offset), unit, value, stored)?;
        }
        Ok(())
    }

    /// Returns the words of a value that has so many.
    fn words_of_whole(&mut self, value: u32, type_id: u32, count: u32) -> Vec<u32> {
        let words_type = self.type_of_words(count);
        let all = match words_type == type_id {
            true => value,
            false => self.emit(Op::Bitcast, words_type, None, [value]),
        };
        if count == 1 {
            return vec![all];
        }
        let uint = self.lowering.globals.uint;
        (0..count).map(|at| self.emit(Op::CompositeExtract, uint, None, [all, at])).collect()
    }
}
