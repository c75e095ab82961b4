//! Values of composite constants: the results of operations that select, extract, insert, shuffle and compute component
//! by component.
//!
//! A value refers to constants of the module wherever possible. Otherwise it has a value for each part, and the number
//! of these is bounded.

use spirv::Op;

use super::folding::{Operand, Scalar, fold_constant};
use super::{Constants, Vector};
use crate::loader::views;

/// The limit on the number of parts of a value, and so of the operands of an instruction that spells it.
const MAX_PARTS: u32 = 0xffff - 3;

/// The limit on the depth to which types nest (specification, 2.17 "Universal Limits").
const MAX_DEPTH: usize = 255;

/// The value of a constant, spelled by other constants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConstantValue {
    /// The value of a constant of the module.
    Same(u32),
    /// A number or a Boolean, as bits.
    Scalar(u64),
    /// All zeros.
    Null,
    /// Any value.
    Undef,
    /// The values of the parts, in order.
    Parts(Vec<ConstantValue>),
}

impl ConstantValue {
    /// Returns the number of parts, and parts of parts.
    pub(super) fn count_parts(&self) -> usize {
        match self {
            ConstantValue::Parts(parts) => parts.len() + parts.iter().map(Self::count_parts).sum::<usize>(),
            _ => 0,
        }
    }

    /// Calls a function with the constants of the module that the value refers to.
    pub fn each_reference(&self, each: &mut dyn FnMut(u32)) {
        match self {
            ConstantValue::Same(id) => each(*id),
            ConstantValue::Parts(parts) => parts.iter().for_each(|part| part.each_reference(each)),
            ConstantValue::Scalar(_) | ConstantValue::Null | ConstantValue::Undef => {}
        }
    }
}

impl Constants<'_> {
    /// Returns the constants that have to be evaluated before an operation is computed.
    pub(super) fn inputs_of_operation(&self, operation: views::SpecConstantOp) -> [Option<u32>; 3] {
        let at = |at: usize| Some(operation.operand(at)).filter(|&id| id != 0 && id < self.module.bound());
        match operation.operation() {
            Some(Op::CompositeExtract) => [Some(self.extracted(operation).0), None, None],
            Some(Op::CompositeInsert | Op::VectorShuffle) => [at(0), at(1), None],
            _ => [at(0), at(1), at(2)],
        }
    }

    /// Returns the constant that an OpCompositeExtract selects, as far as definitions are known, and the remaining indexes.
    fn extracted<'o>(&self, operation: views::SpecConstantOp<'o>) -> (u32, &'o [u32]) {
        let Some((&composite, mut indexes)) = operation.operands().split_first() else { return (0, &[]) };
        let mut id = composite;
        while let Some((&index, rest)) = indexes.split_first() {
            match self.part(&ConstantValue::Same(id), index) {
                Some(ConstantValue::Same(part)) => (id, indexes) = (part, rest),
                _ => break,
            }
        }
        (id, indexes)
    }

    /// Returns the value of an operation with composites, from the values of its operands; `None` if it is not known.
    pub(super) fn composed(&self, operation: views::SpecConstantOp) -> Option<ConstantValue> {
        let op = operation.operation()?;
        let operand = |at: usize| Some(ConstantValue::Same(operation.operand(at)));
        match op {
            Op::CompositeExtract => {
                let (id, indexes) = self.extracted(operation);
                indexes.iter().try_fold(ConstantValue::Same(id), |value, &index| self.part(&value, index))
            }
            Op::CompositeInsert => {
                let indexes = operation.operands().get(2..)?;
                self.inserted(operand(0)?, operand(1)?, operation.type_id(), indexes)
            }
            Op::VectorShuffle => {
                let first = self.vector_size(operation.operand(0))?;
                let count = Vector::from_type(self.module, operation.type_id())?.count?;
                let chosen = operation.operands().get(2..).filter(|chosen| chosen.len() == count as usize)?;
                let parts = chosen.iter().map(|&component| match component {
                    u32::MAX => Some(ConstantValue::Undef),
                    _ if component < first => self.part(&operand(0)?, component),
                    _ => self.part(&operand(1)?, component - first),
                });
                parts.collect::<Option<_>>().map(ConstantValue::Parts)
            }
            Op::Select if self.vector_size(operation.operand(0)).is_none() => {
                operand(if self.scalar(&operand(0)?)? != 0 { 1 } else { 2 })
            }
            Op::Bitcast => self.bits_as(operation.operand(0), operation.type_id()),
            _ => self.by_component(op, operation),
        }
    }

    /// Computes an operation on the components of vectors.
    fn by_component(&self, op: Op, operation: views::SpecConstantOp) -> Option<ConstantValue> {
        let result = Vector::from_type(self.module, operation.type_id())?;
        let scalar = Scalar::from_type(self.module, result.component)?;
        let component = |operand: usize, index: u32| -> Option<Operand> {
            let id = Some(operation.operand(operand)).filter(|&id| id != 0)?;
            let type_id = self.module.type_of(id)?;
            let value = ConstantValue::Same(id);
            let (type_id, value) = match Vector::from_type(self.module, type_id) {
                Some(vector) => (vector.component, self.part(&value, index)),
                None => (type_id, Some(value)),
            };
            let value = value.and_then(|value| self.scalar(&value));
            Some(Operand { scalar: Scalar::from_type(self.module, type_id)?, value })
        };
        let parts = (0..result.few()?).map(|index| {
            let operands = [0, 1, 2].map(|operand| component(operand, index));
            fold_constant(op, scalar, operands).map(ConstantValue::Scalar)
        });
        parts.collect::<Option<_>>().map(ConstantValue::Parts)
    }

    /// Returns a value with the object in place of the part that the indexes select.
    fn inserted(
        &self,
        object: ConstantValue,
        composite: ConstantValue,
        type_id: u32,
        indexes: &[u32],
    ) -> Option<ConstantValue> {
        // The composites around the place, the outermost first, each as its parts and the index of the place.
        let mut around = Vec::new();
        let (mut value, mut type_id) = (composite, type_id);
        if indexes.len() > MAX_DEPTH {
            return None;
        }
        for &index in indexes {
            let parts = self.parts(&value, type_id)?;
            value = parts.get(index as usize)?.clone();
            type_id = self.module.part_type(type_id, index)?;
            around.push((parts, index as usize));
        }
        let nested = around.into_iter().rev().fold(object, |inner, (mut parts, index)| {
            parts[index] = inner;
            ConstantValue::Parts(parts)
        });
        Some(nested)
    }

    /// Returns all parts of a composite value.
    fn parts(&self, value: &ConstantValue, type_id: u32) -> Option<Vec<ConstantValue>> {
        let count = self.part_count(type_id)?;
        if count > MAX_PARTS || count as usize > self.parts_left {
            return None;
        }
        (0..count).map(|index| self.part(value, index)).collect()
    }

    /// Returns a constant of the module as a value that does not refer to that constant itself: `None` for scalars, and if it has too many parts.
    pub fn spelled(&self, id: u32) -> Option<ConstantValue> {
        match self.computed.get(&id) {
            Some(ConstantValue::Same(other)) => self.spelled(*other),
            Some(value) => Some(value.clone()),
            None => match self.module.definition(id)?.op()? {
                Op::ConstantNull => Some(ConstantValue::Null),
                Op::Undef => Some(ConstantValue::Undef),
                _ => {
                    let parts = self.parts(&ConstantValue::Same(id), self.module.type_of(id)?)?;
                    Some(ConstantValue::Parts(parts))
                }
            },
        }
    }

    /// Returns one part of a composite value.
    fn part(&self, value: &ConstantValue, index: u32) -> Option<ConstantValue> {
        let id = match value {
            ConstantValue::Same(id) => *id,
            ConstantValue::Parts(parts) => return parts.get(index as usize).cloned(),
            ConstantValue::Null => return Some(ConstantValue::Null),
            ConstantValue::Undef => return Some(ConstantValue::Undef),
            ConstantValue::Scalar(_) => return None,
        };
        if let Some(value) = self.computed.get(&id) {
            return self.part(value, index);
        }
        let inst = self.module.definition(id)?;
        let operands = views::Value(inst).operands();
        match inst.op()? {
            Op::ConstantNull => Some(ConstantValue::Null),
            Op::Undef => Some(ConstantValue::Undef),
            Op::ConstantComposite | Op::SpecConstantComposite => {
                operands.get(index as usize).map(|&part| ConstantValue::Same(part))
            }
            Op::ConstantCompositeReplicateEXT | Op::SpecConstantCompositeReplicateEXT => {
                operands.first().map(|&part| ConstantValue::Same(part))
            }
            _ => None,
        }
    }

    /// Returns the bits of a scalar or Boolean; zeros for an undefined one.
    pub(super) fn scalar(&self, value: &ConstantValue) -> Option<u64> {
        match value {
            ConstantValue::Same(id) => self.known_value(*id),
            ConstantValue::Scalar(value) => Some(*value),
            ConstantValue::Null | ConstantValue::Undef => Some(0),
            ConstantValue::Parts(_) => None,
        }
    }

    /// Returns the bits of a number or a vector as a value of another type: lower components have the lower bits.
    fn bits_as(&self, id: u32, type_id: u32) -> Option<ConstantValue> {
        let components = |type_id: u32| match Vector::from_type(self.module, type_id) {
            Some(vector) => Some((Scalar::from_type(self.module, vector.component)?, vector.few()?)),
            None => Some((Scalar::from_type(self.module, type_id)?, 1)),
        };
        let from_type = self.module.type_of(id)?;
        let ((from, count), (to, parts)) = (components(from_type)?, components(type_id)?);
        let value = ConstantValue::Same(id);
        let bit = |at: u32| {
            let (index, bit) = (at / from.width(), at % from.width());
            let value = match Vector::from_type(self.module, from_type) {
                Some(_) => self.part(&value, index)?,
                None => value.clone(),
            };
            Some(self.scalar(&value)? >> bit & 1)
        };
        if from.width() * count != to.width() * parts {
            return None;
        }
        let part = |index: u32| {
            let bits = (0..to.width()).map(|at| Some(bit(index * to.width() + at)? << at));
            bits.sum::<Option<u64>>().map(ConstantValue::Scalar)
        };
        match Vector::from_type(self.module, type_id) {
            Some(_) => (0..parts).map(part).collect::<Option<_>>().map(ConstantValue::Parts),
            None => part(0),
        }
    }

    /// Returns the number of components of a vector; `None` for another value.
    fn vector_size(&self, id: u32) -> Option<u32> {
        Vector::from_type(self.module, self.module.type_of(id)?)?.count
    }

    /// Returns the number of parts of a composite type; `None` if it is not known.
    fn part_count(&self, type_id: u32) -> Option<u32> {
        let type_ = self.module.definition(type_id)?;
        if let Some(vector) = Vector::from_type(self.module, type_id) {
            return vector.count;
        }
        match type_.op()? {
            Op::TypeStruct if self.module.continuations(&type_).next().is_some() => None,
            Op::TypeStruct => u32::try_from(views::TypeStruct(type_).members().len()).ok(),
            Op::TypeMatrix => Some(views::TypeMatrix(type_).column_count()),
            Op::TypeArray => {
                let length = views::TypeArray(type_).length();
                let known = self.known_value(length);
                let known =
                    known.or_else(|| self.module.constant(length).map(|length| length.low_word().into()));
                u32::try_from(known?).ok()
            }
            _ => None,
        }
    }
}
