//! Loads and stores of words.

use std::collections::BTreeMap;

use spirv::{MemoryAccess, MemorySemantics, Op};

use super::LowerError;
use super::function::FunctionLowering;
use super::helpers::instruction;
use super::storage_memory::WordVariable;
use super::storage_paths::{MemoryPath, MemoryScalar, WHOLE_WORD, bytes_of_units};
use crate::collections::{IdMap, sort_by_key};
use crate::loader::{Instruction, Module};

/// A place in memory that became words, as the result computes it.
#[derive(Clone, Copy, Debug)]
pub struct WordPlace {
    root: u32,
    descriptor: Option<u32>,
    /// The address of physical memory, as two words.
    pub address: Option<[u32; 2]>,
    /// A pointer to the words at that address, if it is a multiple of 4.
    pub block: Option<u32>,
    /// The number of words from indices.
    words: Option<u32>,
    /// The number of bytes from indices whose strides are no multiples of words.
    bytes: Option<u32>,
    /// The number of bytes of which `bytes` is a multiple: 1 or 2, or 4 if there are none.
    pub unit: u32,
    /// The further bytes.
    pub constant: u32,
    is_non_uniform: bool,
}

/// A part of a word as it is in the code.
#[derive(Clone, Copy, Debug)]
struct WordUnit {
    pointer: u32,
    /// The number of the first bit; `None` for 0.
    shift: Option<u32>,
}

/// An access to words.
pub struct WordAccess<'a> {
    place: WordPlace,
    /// The memory operands.
    operands: &'a [u32],
    /// The bytes of each unit that the access takes.
    units: BTreeMap<u32, u32>,
    /// The units that are loaded.
    loaded: IdMap<(u32, Option<u32>)>,
}

/// Bits that are stored: the place, and the word that has them as its lowest bits.
pub struct StoredBits {
    pub scalar: MemoryScalar,
    pub word: u32,
}

impl<'a> WordAccess<'a> {
    /// Starts an access to scalars.
    pub fn new(place: WordPlace, operands: &'a [u32], scalars: &[MemoryScalar]) -> WordAccess<'a> {
        WordAccess { place, operands, units: bytes_of_units(scalars, place.unit), loaded: IdMap::new() }
    }

    /// Returns true if words begin at a byte.
    pub fn is_aligned(&self, byte: u32) -> bool {
        self.place.unit == 4 && byte.is_multiple_of(4)
    }

    /// Returns the first byte of the unit that has a byte.
    fn unit_of(&self, byte: u32) -> u32 {
        byte & !(self.place.unit - 1)
    }

    /// Returns the memory operands of an access to a word. They say how that is aligned where it is at an address.
    fn operands_of_word(&self) -> Vec<u32> {
        let aligned = MemoryAccess::ALIGNED.bits();
        let (mask, others) = match *self.operands {
            [] => (0, &[][..]),
            [mask, _, ref others @ ..] if mask & aligned != 0 => (mask & !aligned, others),
            [mask, ref others @ ..] => (mask, others),
        };
        match self.place.address {
            Some(_) => [&[mask | aligned, 4], others].concat(),
            None if mask == 0 => Vec::new(),
            None => [&[mask], others].concat(),
        }
    }

    /// Returns true if the access takes all bytes of a word.
    fn is_whole(&self, unit: u32) -> bool {
        self.units.get(&unit) == Some(&WHOLE_WORD)
    }
}

impl<'m> FunctionLowering<'_, 'm> {
    /// Computes the place of a pointer.
    pub(super) fn place(&mut self, path: &MemoryPath) -> WordPlace {
        let (mut words, mut bytes) = (None, None);
        if self.lowering.memory.is_address(path.root) {
            let address = Some(self.address(path));
            let (root, descriptor, block) = (path.root, None, None);
            let is_non_uniform = false;
            return WordPlace {
                root,
                descriptor,
                address,
                block,
                words,
                bytes,
                unit: 1,
                constant: 0,
                is_non_uniform,
            };
        }
        for &(index, stride) in &path.indices {
            let index = self.word_of_index(index);
            let (sum, factor) = match stride.is_multiple_of(4) {
                true => (&mut words, stride / 4),
                false => (&mut bytes, stride),
            };
            let uint = self.lowering.globals.uint;
            let term = match factor {
                1 => index,
                _ => {
                    let factor = self.constant(factor);
                    self.emit(Op::IMul, uint, None, [index, factor])
                }
            };
            *sum = Some(match *sum {
                Some(sum) => self.emit(Op::IAdd, uint, None, [sum, term]),
                None => term,
            });
        }
        WordPlace {
            root: path.root,
            descriptor: path.descriptor,
            address: None,
            block: None,
            words,
            bytes,
            unit: path.unit(),
            constant: path.constant,
            is_non_uniform: path.is_non_uniform,
        }
    }

    /// Returns an index with 32 bits.
    fn word_of_index(&mut self, index: u32) -> u32 {
        let module = self.lowering.module;
        let width =
            module.type_of(index).and_then(|type_id| module.definition(type_id)).map(|type_| type_.word(2));
        let uint = self.lowering.globals.uint;
        match width {
            Some(64) => self.emit(Op::UConvert, uint, None, [index]),
            // Indices have signs.
            Some(8 | 16) => self.emit(Op::SConvert, uint, None, [index]),
            _ => index,
        }
    }

    fn variable_of(&self, place: &WordPlace) -> Option<WordVariable> {
        self.lowering.memory.variables.get(&place.root).copied()
    }

    /// Returns the place of an access with memory operands.
    pub(super) fn accessed_place(&mut self, pointer: u32, path: &MemoryPath, operands: &[u32]) -> WordPlace {
        let mut place = self.stored_place(pointer, path);
        (place.constant, place.unit) = self.lowering.memory.start_of_access(path, operands);
        if place.unit == 4
            && let Some(address) = place.address
        {
            place.block = Some(self.words_at(address));
        }
        place
    }

    /// Makes a pointer to the word that has the unit at a byte.
    fn unit(&mut self, place: &WordPlace, byte: u32) -> WordUnit {
        if let Some(address) = place.address {
            let (pointer, shift) = self.word_at(place, address, byte);
            return WordUnit { pointer, shift };
        }
        let uint = self.lowering.globals.uint;
        let (mut dynamic, mut constant, mut shift) = (place.words, byte / 4, None);
        if let Some(mut sum) = place.bytes {
            if byte != 0 {
                let byte = self.constant(byte);
                sum = self.emit(Op::IAdd, uint, None, [sum, byte]);
            }
            let [two, three] = [self.constant(2), self.constant(3)];
            let word = self.emit(Op::ShiftRightLogical, uint, None, [sum, two]);
            let in_word = self.emit(Op::BitwiseAnd, uint, None, [sum, three]);
            shift = Some(self.emit(Op::ShiftLeftLogical, uint, None, [in_word, three]));
            dynamic = Some(match dynamic {
                Some(dynamic) => self.emit(Op::IAdd, uint, None, [dynamic, word]),
                None => word,
            });
            constant = 0;
        }
        let index = match dynamic {
            Some(dynamic) if constant != 0 => {
                let constant = self.constant(constant);
                Some(self.emit(Op::IAdd, uint, None, [dynamic, constant]))
            }
            dynamic => dynamic,
        };
        let mut indices: Vec<u32> = place.descriptor.into_iter().collect();
        indices.push(self.constant(0));
        let variable = self.variable_of(place);
        match (variable.is_some_and(|variable| variable.has_quads), index) {
            (false, Some(index)) => indices.push(index),
            (false, None) => indices.push(self.constant(constant)),
            (true, None) => indices.extend([self.constant(constant / 4), self.constant(constant % 4)]),
            (true, Some(index)) => {
                let [two, three] = [self.constant(2), self.constant(3)];
                indices.push(self.emit(Op::ShiftRightLogical, uint, None, [index, two]));
                indices.push(self.emit(Op::BitwiseAnd, uint, None, [index, three]));
            }
        }
        let class = variable.map_or(0, |variable| variable.class);
        let pointer = self.pointer(place, class, uint, indices);
        WordUnit { pointer, shift }
    }

    /// Makes a pointer into a variable of words.
    fn pointer(&mut self, place: &WordPlace, class: u32, type_id: u32, indices: Vec<u32>) -> u32 {
        let (globals, edits) = (&mut self.lowering.globals, &mut self.lowering.edits);
        let to_part = globals.pointer_to(type_id, class, edits);
        let operands = std::iter::once(place.root).chain(indices);
        let pointer = self.emit(Op::AccessChain, to_part, None, operands);
        if place.is_non_uniform {
            let words = instruction(Op::Decorate, [pointer, spirv::Decoration::NonUniform as u32]);
            self.lowering.globals.annotate(&words);
        }
        pointer
    }

    /// Returns a pointer to a whole word.
    pub(super) fn word_pointer(&mut self, inst: &Instruction, place: &WordPlace) -> Result<u32, LowerError> {
        match place.unit == 4 && place.constant.is_multiple_of(4) {
            true => Ok(self.unit(place, place.constant).pointer),
            false => Err(self.misaligned(inst)),
        }
    }

    fn misaligned(&self, inst: &Instruction) -> LowerError {
        self.lowering.error(inst, "a number of 32 or 64 bits is not aligned to 4 bytes there")
    }

    /// Returns the scope and the semantics of an atomic access with memory operands.
    fn atomic_operands(
        &mut self,
        inst: &Instruction,
        place: &WordPlace,
        operands: &[u32],
    ) -> Result<[u32; 2], LowerError> {
        let mask = MemoryAccess::from_bits_truncate(operands.first().copied().unwrap_or(0));
        let mut semantics = 0;
        if mask.contains(MemoryAccess::VOLATILE) {
            if !self.lowering.memory.has_vulkan_model {
                return Err(self
                    .lowering
                    .error(inst, "a volatile access to a part of a word has no atomic form outside of the Vulkan memory model"));
            }
            semantics = MemorySemantics::VOLATILE.bits();
        }
        let scope = self.lowering.memory.scope_of(self.variable_of(place).as_ref());
        Ok([self.constant(scope as u32), self.constant(semantics)])
    }

    /// Loads the word that has the unit at a byte. Where others may store another part of it at the same time, that is atomic.
    fn load_unit(
        &mut self,
        inst: &Instruction,
        access: &mut WordAccess,
        unit: u32,
        result: Option<u32>,
    ) -> Result<(u32, Option<u32>), LowerError> {
        if let Some(&known) = access.loaded.get(&unit) {
            return Ok(known);
        }
        let WordUnit { pointer, shift } = self.unit(&access.place, unit);
        let uint = self.lowering.globals.uint;
        let is_shared = self.lowering.memory.is_shared(self.variable_of(&access.place).as_ref());
        let word = match is_shared && !access.is_whole(unit) {
            true => {
                let [scope, semantics] = self.atomic_operands(inst, &access.place, access.operands)?;
                self.emit(Op::AtomicLoad, uint, result, [pointer, scope, semantics])
            }
            false => {
                let operands = std::iter::once(pointer).chain(access.operands_of_word());
                self.emit(Op::Load, uint, result, operands)
            }
        };
        access.loaded.insert(unit, (word, shift));
        Ok((word, shift))
    }

    /// Loads a whole word.
    pub(super) fn load_word(
        &mut self,
        inst: &Instruction,
        access: &mut WordAccess,
        byte: u32,
        result: Option<u32>,
    ) -> Result<u32, LowerError> {
        if !access.is_aligned(byte) {
            return Err(self.misaligned(inst));
        }
        Ok(self.load_unit(inst, access, byte, result)?.0)
    }

    /// Loads 8 or 16 bits as a word whose upper bits are zeros.
    pub(super) fn load_bits(
        &mut self,
        inst: &Instruction,
        access: &mut WordAccess,
        scalar: MemoryScalar,
    ) -> Result<u32, LowerError> {
        let unit = access.unit_of(scalar.byte);
        if scalar.byte - unit + scalar.size > access.place.unit {
            return Err(self.lowering.error(inst, "a number of 16 bits is not aligned to 2 bytes there"));
        }
        let (word, shift) = self.load_unit(inst, access, unit, None)?;
        let first = 8 * (scalar.byte - unit);
        let offset = match shift {
            Some(shift) if first == 0 => shift,
            Some(shift) => {
                let first = self.constant(first);
                self.emit(Op::IAdd, self.lowering.globals.uint, None, [shift, first])
            }
            None => self.constant(first),
        };
        let width = self.constant(8 * scalar.size);
        let bits = self.emit(Op::BitFieldUExtract, self.lowering.globals.uint, None, [word, offset, width]);
        self.narrow.known.insert(bits, false);
        Ok(bits)
    }

    /// Stores bits. Of a word that is not whole, two atomics replace them: what others store in its other bits at the same time stays.
    pub(super) fn store_bits(
        &mut self,
        inst: &Instruction,
        access: &WordAccess,
        stored: &[StoredBits],
    ) -> Result<(), LowerError> {
        let uint = self.lowering.globals.uint;
        let mut of_units: IdMap<Vec<&StoredBits>> = IdMap::new();
        for bits in stored {
            let unit = access.unit_of(bits.scalar.byte);
            if bits.scalar.byte - unit + bits.scalar.size > access.place.unit {
                return Err(match bits.scalar.size {
                    2 => self.lowering.error(inst, "a number of 16 bits is not aligned to 2 bytes there"),
                    _ => self.misaligned(inst),
                });
            }
            of_units.entry(unit).or_default().push(bits);
        }
        for (unit, mut parts) in of_units {
            sort_by_key(&mut parts, |bits| bits.scalar.byte);
            let is_whole = access.is_whole(unit);
            let mut mask = 0;
            // The first part may have any upper bits if others take their place.
            let mut word = parts[0].word;
            let others = if is_whole { &parts[1..] } else { &parts[..] };
            if !is_whole {
                word = self.constant(0);
            }
            for bits in others {
                let (first, width) = (8 * (bits.scalar.byte - unit), 8 * bits.scalar.size);
                mask |= u32::MAX >> (32 - width) << first;
                let [first, width] = [self.constant(first), self.constant(width)];
                word = self.emit(Op::BitFieldInsert, uint, None, [word, bits.word, first, width]);
            }
            let WordUnit { pointer, shift } = self.unit(&access.place, unit);
            if is_whole {
                let operands = [pointer, word].into_iter().chain(access.operands_of_word());
                self.push(&instruction(Op::Store, operands));
                continue;
            }
            let kept = match shift {
                None => self.constant(!mask),
                Some(shift) => {
                    let mask = self.constant(mask);
                    let mask = self.emit(Op::ShiftLeftLogical, uint, None, [mask, shift]);
                    word = self.emit(Op::ShiftLeftLogical, uint, None, [word, shift]);
                    self.emit(Op::Not, uint, None, [mask])
                }
            };
            let [scope, semantics] = self.atomic_operands(inst, &access.place, access.operands)?;
            self.emit(Op::AtomicAnd, uint, None, [pointer, scope, semantics, kept]);
            self.emit(Op::AtomicOr, uint, None, [pointer, scope, semantics, word]);
        }
        Ok(())
    }

    /// Computes the number of elements of an array without a length.
    pub(super) fn array_length(&mut self, inst: &Instruction<'m>) -> Result<(), LowerError> {
        let Some([type_id, id]) = inst.typed_result() else { return Ok(()) };
        let (structure, member) = (inst.word(3), inst.word(4));
        let Some(path) = self.lowering.memory.paths.get(&structure).cloned() else { return Ok(()) };
        let module = self.lowering.module;
        let layout = &self.lowering.memory.layout;
        let array = module.part_type(path.part.type_id, member).unwrap_or_default();
        let known = layout.offset(path.part.type_id, member).zip(layout.stride(array));
        let Some((offset, stride)) = known.filter(|&(_, stride)| stride != 0) else {
            return Err(self.lowering.error(inst, "an array has no offset and no stride"));
        };
        let place = self.place(&path);
        let uint = self.lowering.globals.uint;
        let block = match place.descriptor {
            None => place.root,
            Some(descriptor) => {
                let of = self.variable_of(&place).map_or((0, 0), |variable| (variable.class, variable.words));
                self.pointer(&place, of.0, of.1, vec![descriptor])
            }
        };
        let words = self.emit(Op::ArrayLength, uint, None, [block, 0]);
        let two = self.constant(2);
        let mut bytes = self.emit(Op::ShiftLeftLogical, uint, None, [words, two]);
        if offset != 0 {
            // A buffer may end before the array.
            let [zero, offset] = [self.constant(0), self.constant(offset)];
            let bool_type = instruction(Op::TypeBool, [0]);
            let bool_type = self.lowering.globals.type_with(&bool_type, &mut self.lowering.edits);
            let rest = self.emit(Op::ISub, uint, None, [bytes, offset]);
            let is_before = self.emit(Op::ULessThan, bool_type, None, [bytes, offset]);
            bytes = self.emit(Op::Select, uint, None, [is_before, zero, rest]);
        }
        let stride = self.constant(stride);
        self.emit(Op::UDiv, type_id, Some(id), [bytes, stride]);
        Ok(())
    }

    /// Lowers an atomic access to a number of 32 bits. Returns false for another instruction.
    pub(super) fn atomic_of_words(&mut self, inst: &Instruction<'m>) -> Result<bool, LowerError> {
        let (at, values): (usize, &[usize]) = match inst.op() {
            Some(Op::AtomicLoad | Op::AtomicIIncrement | Op::AtomicIDecrement) => (3, &[]),
            Some(Op::AtomicStore) => (1, &[4]),
            Some(Op::AtomicCompareExchange) => (3, &[7, 8]),
            Some(
                Op::AtomicExchange
                | Op::AtomicIAdd
                | Op::AtomicISub
                | Op::AtomicSMin
                | Op::AtomicUMin
                | Op::AtomicSMax
                | Op::AtomicUMax
                | Op::AtomicAnd
                | Op::AtomicOr
                | Op::AtomicXor,
            ) => (3, &[6]),
            _ => return Ok(false),
        };
        let Some(path) = self.lowering.memory.paths.get(&inst.word(at)).cloned() else { return Ok(false) };
        if !is_word(self.lowering.module, path.part.type_id) {
            return Err(self.lowering.error(inst, "only atomics on numbers of 32 bits are lowered there"));
        }
        // Atomics have no alignment: the number is aligned by its size.
        let place = self.accessed_place(inst.word(at), &path, &[MemoryAccess::ALIGNED.bits(), 4]);
        let uint = self.lowering.globals.uint;
        let is_uint = path.part.type_id == uint;
        let mut words = inst.words().to_vec();
        words[at] = self.word_pointer(inst, &place)?;
        for &value in values.iter().filter(|_| !is_uint) {
            words[value] = self.emit(Op::Bitcast, uint, None, [words[value]]);
        }
        match inst.typed_result().filter(|_| !is_uint) {
            Some([type_id, id]) => {
                (words[1], words[2]) = (uint, self.lowering.edits.fresh_id());
                self.push(&words);
                self.emit(Op::Bitcast, type_id, Some(id), [words[2]]);
            }
            None => self.push(&words),
        }
        Ok(true)
    }
}

fn is_word(module: &Module, type_id: u32) -> bool {
    let type_ =
        module.definition(type_id).filter(|type_| matches!(type_.op(), Some(Op::TypeInt | Op::TypeFloat)));
    type_.is_some_and(|type_| type_.word(2) == 32)
}
