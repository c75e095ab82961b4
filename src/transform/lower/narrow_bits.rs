//! Instructions on narrow integers that become others: conversions, casts, carries and selections by numbers.

use spirv::Op;

use super::LowerError;
use super::extracted_bits::OP_BITCAST_EXTRACT;
use super::function::FunctionLowering;
use super::helpers::instruction;
use super::types::WideShape;
use crate::loader::{Instruction, views};

/// The type of the components of a value, and their number.
#[derive(Clone, Copy)]
struct Components {
    type_id: u32,
    width: u32,
    count: u32,
}

impl Components {
    /// The number of words that have all bits.
    fn words(self) -> u32 {
        (self.width * self.count).div_ceil(32)
    }

    /// The number of components that these words have room for.
    fn room(self) -> u32 {
        self.words() * 32 / self.width
    }

    /// True if bits may be read as those of a vector of other components.
    fn may_be_read_as(self, other: Components) -> bool {
        self.width * self.count == other.width * other.count
            && self.words() <= 2
            && [self, other].iter().all(|of| of.width >= 8)
    }

    /// True for numbers of 4 bits, of which one word has all.
    fn are_small(self) -> bool {
        self.width == 4 && self.words() == 1
    }
}

impl<'m> FunctionLowering<'_, 'm> {
    /// Replaces an instruction on narrow integers.
    pub(super) fn narrow_bits(&mut self, inst: &Instruction<'m>) -> Result<(), LowerError> {
        self.count();
        match inst.op() {
            Some(Op::UConvert) => self.converted(inst, false),
            Some(Op::SConvert) => self.converted(inst, true),
            Some(Op::Bitcast) => return self.narrow_bitcast(inst),
            Some(Op::BitReverse) => self.reversed(inst),
            Some(op @ (Op::IAddCarry | Op::ISubBorrow | Op::UMulExtended | Op::SMulExtended)) => {
                self.both_halves(inst, op);
            }
            Some(Op::Switch) => self.narrow_switch(views::Switch(*inst)),
            _ if inst.opcode() == OP_BITCAST_EXTRACT => return self.bitcast_extract(inst),
            _ => return Err(self.lowering.error(inst, "no rule lowers it here")),
        }
        Ok(())
    }

    /// Converts a number to a type of another width. Bits that are cut off may stay.
    fn converted(&mut self, inst: &Instruction, is_signed: bool) {
        let Some([type_id, id]) = inst.typed_result() else { return };
        let value = self.extended(inst.word(3), is_signed);
        let is_narrow = self.lowering.types.shape(type_id).is_some();
        let module = self.lowering.module;
        let from = module.type_of(inst.word(3)).map(|from| self.lowering.globals.renamed(from));
        let to = self.lowering.globals.renamed(type_id);
        let width = |type_id: u32| match self.lowering.types.shape(type_id) {
            Some(_) => 32,
            None => module.definition(module.without_vector(type_id)).map_or(0, |type_| type_.word(2)),
        };
        let from_width = module.type_of(inst.word(3)).map_or(0, width);
        let op = match width(type_id) == from_width {
            true if from == Some(to) => Op::CopyObject,
            true => Op::Bitcast,
            false if is_signed => Op::SConvert,
            false => Op::UConvert,
        };
        self.emit(op, to, Some(id), [value]);
        if is_narrow && from_width < self.lowering.feature.width() {
            self.narrow.known.insert(id, is_signed);
        }
    }

    fn components_of_type(&self, type_id: u32) -> Option<Components> {
        let module = self.lowering.module;
        let count = module.definition(type_id).and_then(views::TypeVector::new);
        let component = module.without_vector(type_id);
        let type_ = module.definition(component)?;
        let count = count.map_or(1, |vector| vector.component_count());
        matches!(type_.op(), Some(Op::TypeInt | Op::TypeFloat)).then_some(())?;
        let (width, counts) = (type_.word(2), 1..=4);
        ((1..=64).contains(&width) && counts.contains(&count)).then_some(Components {
            type_id: component,
            width,
            count,
        })
    }

    /// Reads the bits of narrow integers as another type, or those of another type as narrow integers.
    pub(super) fn narrow_bitcast(&mut self, inst: &Instruction) -> Result<(), LowerError> {
        let Some([type_id, id]) = inst.typed_result() else { return Ok(()) };
        let value = inst.word(3);
        let from_type = self.lowering.module.type_of(value).unwrap_or_default();
        let (from_shape, to_shape) = (self.shape_of(value), self.lowering.types.shape(type_id));
        let parts = self.components_of_type(from_type).zip(self.components_of_type(type_id));
        if let Some((from, to)) = parts.filter(|(from, to)| to.are_small() && from.words() == 1)
            && let Some(shape) = from_shape.filter(|_| from.width * from.count == 4 * to.count)
        {
            let words = self.packed(value, shape, from.width);
            self.read_small_numbers(words[0], to.type_id, to.count, [type_id, id]);
            return Ok(());
        }
        let Some((from, to)) = parts.filter(|(from, to)| from.may_be_read_as(*to)) else {
            return Err(self.lowering.error(inst, "no rule lowers it for its types"));
        };
        match (from_shape, to_shape) {
            (Some(_), Some(shape)) => {
                let type_id = self.lowering.globals.type_of(shape);
                self.emit(Op::CopyObject, type_id, Some(id), [value]);
                if let Some(&known) = self.narrow.known.get(&value) {
                    self.narrow.known.insert(id, known);
                }
            }
            (Some(shape), None) => {
                let words = self.packed(value, shape, from.width);
                self.read_words(words, to, type_id, id);
            }
            (None, Some(shape)) => {
                let words = self.words_of_value(value, from_type, from);
                self.unpacked(words, to, shape, id);
            }
            (None, None) => {}
        }
        Ok(())
    }

    /// Returns the type of so many words.
    pub(super) fn type_of_words(&mut self, count: u32) -> u32 {
        self.vector_of(self.lowering.globals.uint, count)
    }

    pub(super) fn vector_of(&mut self, component: u32, count: u32) -> u32 {
        match count {
            1 => component,
            _ => {
                let vector = instruction(Op::TypeVector, [0, component, count]);
                self.lowering.globals.type_with(&vector, &mut self.lowering.edits)
            }
        }
    }

    /// Packs narrow integers to words. Bits beyond all integers may be any.
    fn packed(&mut self, value: u32, shape: WideShape, width: u32) -> Vec<u32> {
        let bits = self.constant(width);
        let components: Vec<u32> = (0..shape.components())
            .map(|at| {
                let component = self.component(value, shape, at);
                self.bits_of_half(component)
            })
            .collect();
        let uint = self.lowering.globals.uint;
        let mut words = Vec::with_capacity(2);
        for components in components.chunks((32 / width) as usize) {
            let mut word = components[0];
            for (offset, &component) in (width..).step_by(width as usize).zip(&components[1..]) {
                let offset = self.constant(offset);
                word = match self.lowering.is_of_kernels {
                    false => self.emit(Op::BitFieldInsert, uint, None, [word, component, offset, bits]),
                    // Those of a half are without others.
                    true => {
                        let moved = self.emit(Op::ShiftLeftLogical, uint, None, [component, offset]);
                        self.emit(Op::BitwiseOr, uint, None, [word, moved])
                    }
                };
            }
            words.push(word);
        }
        words
    }

    /// Reads words as another type.
    fn read_words(&mut self, words: Vec<u32>, to: Components, type_id: u32, id: u32) {
        let words_type = self.type_of_words(words.len() as u32);
        let word = match words[..] {
            [word] => word,
            _ => self.emit(Op::CompositeConstruct, words_type, None, words),
        };
        let room = to.room();
        if words_type == type_id {
            self.emit(Op::CopyObject, type_id, Some(id), [word]);
        } else if room == to.count {
            self.emit(Op::Bitcast, type_id, Some(id), [word]);
        } else {
            let whole = self.vector_of(to.type_id, room);
            let all = self.emit(Op::Bitcast, whole, None, [word]);
            match to.count {
                1 => self.emit(Op::CompositeExtract, type_id, Some(id), [all, 0]),
                count => {
                    self.emit(Op::VectorShuffle, type_id, Some(id), [all, all].into_iter().chain(0..count))
                }
            };
        }
    }

    /// Returns the words of a value of another type: a word, or a vector of two.
    fn words_of_value(&mut self, value: u32, type_id: u32, from: Components) -> u32 {
        let words_type = self.type_of_words(from.words());
        let whole = match (from.room(), from.count) {
            _ if words_type == type_id => return value,
            (room, count) if room == count => value,
            (room, 1) => {
                let whole = self.vector_of(from.type_id, room);
                self.emit(Op::CompositeConstruct, whole, None, (0..room).map(|_| value))
            }
            (room, count) => {
                let whole = self.vector_of(from.type_id, room);
                let components = (0..room).map(|at| at.min(count - 1));
                self.emit(Op::VectorShuffle, whole, None, [value, value].into_iter().chain(components))
            }
        };
        self.emit(Op::Bitcast, words_type, None, [whole])
    }

    /// Takes narrow integers from words.
    fn unpacked(&mut self, words: u32, to: Components, shape: WideShape, id: u32) {
        let uint = self.lowering.globals.uint;
        let mut components = Vec::with_capacity(4);
        for at in 0..to.count {
            let (number, offset) = (at * to.width / 32, at * to.width % 32);
            let word = match to.words() {
                1 => words,
                _ => self.emit(Op::CompositeExtract, uint, None, [words, number]),
            };
            let bits = match offset {
                0 => word,
                offset => {
                    let offset = self.constant(offset);
                    self.emit(Op::ShiftRightLogical, uint, None, [word, offset])
                }
            };
            components.push(self.half_of_bits(bits));
        }
        let op = if shape == WideShape::Scalar { Op::CopyObject } else { Op::CompositeConstruct };
        self.emit(op, self.lowering.globals.type_of(shape), Some(id), components);
    }

    /// Reverses the bits of words, and moves them down.
    fn reversed(&mut self, inst: &Instruction) {
        let Some([type_id, id]) = inst.typed_result() else { return };
        let Some(shape) = self.lowering.types.shape(type_id) else { return };
        let type_id = self.lowering.globals.type_of(shape);
        let reversed = self.emit(Op::BitReverse, type_id, None, [inst.word(3)]);
        let unused = self.constant_for_each(32 - self.lowering.feature.width(), shape);
        self.emit(Op::ShiftRightLogical, type_id, Some(id), [reversed, unused]);
        self.narrow.known.insert(id, false);
    }

    /// Computes the low and the high half of a result, which fits a word.
    fn both_halves(&mut self, inst: &Instruction, op: Op) {
        let Some([type_id, id]) = inst.typed_result() else { return };
        let Some(shape) = self.shape_of(inst.word(3)) else { return };
        let number = self.lowering.globals.type_of(shape);
        let is_signed = op == Op::SMulExtended;
        let operands = [self.extended(inst.word(3), is_signed), self.extended(inst.word(4), is_signed)];
        let width = self.lowering.feature.width();
        let (operation, shift, bits) = match op {
            Op::IAddCarry => (Op::IAdd, Op::ShiftRightLogical, width),
            // The sign.
            Op::ISubBorrow => (Op::ISub, Op::ShiftRightLogical, 31),
            Op::UMulExtended => (Op::IMul, Op::ShiftRightLogical, width),
            _ => (Op::IMul, Op::ShiftRightArithmetic, width),
        };
        let low = self.emit(operation, number, None, operands);
        let bits = self.constant_for_each(bits, shape);
        let high = self.emit(shift, number, None, [low, bits]);
        let type_id = self.lowering.globals.renamed(type_id);
        self.emit(Op::CompositeConstruct, type_id, Some(id), [low, high]);
    }

    fn narrow_switch(&mut self, switch: views::Switch) {
        let selector = self.extended(switch.selector(), false);
        let mut words = vec![selector, switch.default()];
        for (literal, label) in switch.cases(32) {
            words.extend([self.extended_word(literal[0], false), label]);
        }
        self.push_merge();
        self.push(&instruction(Op::Switch, words));
    }
}
