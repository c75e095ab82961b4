//! Verdicts to edits.

use std::collections::{BTreeMap, BTreeSet};

use spirv::{Decoration, Op};

use super::attributes::Attributes;
use super::bodies::Bodies;
use super::decisions::{Copy, copy};
use super::freeze::Frozen;
use super::marks::Flags;
use super::report::{Undecided, What};
use super::{SpecializeError, Work};
use crate::analysis::conditions::multi_target::condition_of;
use crate::analysis::constants::folding::Scalar;
use crate::analysis::constants::{Waits, is_device_constant};
use crate::loader::{Instruction, Module};
use crate::transform::Edits;
use crate::transform::removal::{Removal, count_words, entry_point};

/// Writes the edits, and reports what stays conditional.
pub fn rewrite(
    work: &mut Work,
    bodies: &Bodies,
    attributes: &Attributes,
    frozen: &Frozen,
    edits: &mut Edits,
) -> Result<(), SpecializeError> {
    let module = work.module;
    let mut rewrite = Rewrite {
        waits: BTreeMap::new(),
        declared: declared(work),
        removal: Removal::default(),
        frozen,
        work,
        edits,
    };
    for inst in module.outside_functions() {
        rewrite.instruction(&inst, attributes);
    }
    for (at, function) in module.functions().iter().enumerate() {
        if bodies.is_gone(rewrite.work, at) {
            rewrite.edits.drop_range(function.lines, function.end);
        }
    }
    for &offset in &bodies.dropped {
        rewrite.edits.drop(&module.instruction(offset));
    }
    for &(at, offset) in &bodies.copies {
        if !bodies.is_gone(rewrite.work, at) {
            rewrite.copy(&module.instruction(offset))?;
        }
    }
    let globals_end = module.definitions_end();
    for &(at, offset) in &bodies.debug {
        if !bodies.is_gone(rewrite.work, at) {
            let marks = &rewrite.work.marks;
            let inst = module.instruction(offset);
            rewrite.removal.debug(module, &inst, globals_end, &|id| marks.gone(id), rewrite.edits);
        }
    }
    for (&at, (folding, _)) in &bodies.folded {
        if !bodies.is_gone(work, at) {
            work.report.branches += folding.branches;
            work.report.blocks += folding.blocks;
            folding.write(module, edits);
        }
    }
    if work.report.undecided.is_empty() {
        for &offset in &work.multi_target.declarations {
            edits.drop(&module.instruction(offset));
        }
    }
    Ok(())
}

/// The operands of OpCapability and OpExtension, as far as conditional ones may repeat them.
fn declared<'m>(work: &Work<'m>) -> BTreeSet<(Op, &'m [u32])> {
    let mut declared = BTreeSet::new();
    if work.multi_target.capabilities.is_empty() && work.multi_target.extensions.is_empty() {
        return declared;
    }
    for inst in work.module.globals() {
        if let Some(op @ (Op::Capability | Op::Extension)) = inst.op() {
            declared.insert((op, inst.words_from(1)));
        }
    }
    declared
}

struct Rewrite<'w, 'm> {
    /// By condition.
    waits: BTreeMap<u32, Waits>,
    declared: BTreeSet<(Op, &'m [u32])>,
    removal: Removal,
    frozen: &'w Frozen,
    work: &'w mut Work<'m>,
    edits: &'w mut Edits,
}

impl<'m> Rewrite<'_, 'm> {
    /// An instruction outside of functions.
    fn instruction(&mut self, inst: &Instruction<'m>, attributes: &Attributes) {
        let marks = &self.work.marks;
        if self.removal.outside(self.work.module, inst, &|id| marks.gone(id), self.edits) {
            let swept = inst.result_id().is_some_and(|id| !marks.has(id, Flags::REMOVED));
            self.work.report.swept += usize::from(swept);
            return;
        }
        match inst.op() {
            Some(Op::ConditionalCapabilityINTEL) => self.declaration(inst, Op::Capability),
            Some(Op::ConditionalExtensionINTEL) => self.declaration(inst, Op::Extension),
            Some(Op::EntryPoint | Op::ConditionalEntryPointINTEL) => self.entry_point(inst),
            Some(Op::ExecutionMode | Op::ExecutionModeId) => {
                if attributes.without_entry.binary_search(&inst.word(1)).is_ok() {
                    self.edits.drop(inst);
                } else if let Some((mode, literals)) = self.frozen.modes.get(&inst.offset()) {
                    let first = (literals.len() as u32 + 3) << 16 | Op::ExecutionMode as u32;
                    let words = [&[first, inst.word(1), *mode as u32], literals.as_slice()].concat();
                    self.edits.replace_words(inst, &words);
                }
            }
            Some(Op::Decorate | Op::DecorateId) => self.decoration(inst),
            _ => self.definition(inst),
        }
    }

    /// OpConditionalCapabilityINTEL or OpConditionalExtensionINTEL.
    fn declaration(&mut self, inst: &Instruction<'m>, plain: Op) {
        let condition = inst.word(1);
        let operands = inst.words_from(2);
        let capability = (plain == Op::Capability).then(|| inst.word(2));
        match self.work.constants.condition(condition) {
            Some(true) => {
                self.work.report.kept_capabilities.extend(capability);
                if self.declared.insert((plain, operands)) {
                    let first = (operands.len() as u32 + 1) << 16 | plain as u32;
                    self.edits.replace_words(inst, &[&[first], operands].concat());
                } else {
                    self.edits.drop(inst);
                }
            }
            Some(false) => {
                self.work.report.removed_capabilities.extend(capability);
                self.edits.drop(inst);
            }
            None => {
                let what =
                    capability.map_or_else(|| What::Extension(inst.string(2).into_owned()), What::Capability);
                self.undecided(what, condition);
            }
        }
    }

    fn entry_point(&mut self, inst: &Instruction) {
        let conditional = inst.is(Op::ConditionalEntryPointINTEL);
        let marks = &self.work.marks;
        let mut words = entry_point(inst, &|id| marks.gone(id));
        let verdict = if conditional { self.work.constants.condition(inst.word(1)) } else { None };
        match verdict {
            Some(false) => return self.edits.drop(inst),
            Some(true) => {
                words.remove(1);
                words[0] = Op::EntryPoint as u32;
            }
            None if conditional => {
                self.undecided(What::EntryPoint(inst.string(4).into_owned()), inst.word(1));
            }
            None => {}
        }
        count_words(&mut words);
        if words != inst.words() {
            self.edits.replace_words(inst, &words);
        }
    }

    fn decoration(&mut self, inst: &Instruction) {
        let target = inst.word(1);
        if let Some(condition) = condition_of(inst) {
            match self.work.constants.condition(condition) {
                Some(_) => self.edits.drop(inst),
                None => self.undecided(What::Id(target), condition),
            }
        } else if inst.is(Op::Decorate) && inst.word(2) == Decoration::SpecId as u32 {
            match self.work.marks.has(target, Flags::DECIDED) {
                true => self.edits.drop(inst),
                false => self.work.report.open.push(inst.word(3)),
            }
        }
    }

    /// Anything with a result, or nothing to do.
    fn definition(&mut self, inst: &Instruction) {
        let Some(id) = inst.result_id() else { return };
        if let Some(components) = self.frozen.vectors.get(&id) {
            self.vector(inst, components);
        } else if self.frozen.composites.contains(&id) {
            let op = match inst.is(Op::SpecConstantComposite) {
                true => Op::ConstantComposite,
                false => Op::ConstantCompositeReplicateEXT,
            };
            let mut words = inst.words().to_vec();
            words[0] = op as u32;
            count_words(&mut words);
            self.edits.replace_words(inst, &words);
        } else if self.work.marks.has(id, Flags::DECIDED) {
            let value = self.work.constants.value(id).unwrap_or(0);
            let (words, count) = constant(self.work.module, inst.word(1), id, value);
            self.edits.replace_words(inst, &words[..count]);
        } else if is_device_constant(inst) {
            self.undecided(What::DeviceConstant(id), id);
        }
    }

    /// A vector of known components, each a new constant before it.
    fn vector(&mut self, inst: &Instruction, components: &[u64]) {
        let module = self.work.module;
        let type_id = module.definition(inst.word(1)).map_or(0, |vector| vector.word(2));
        let mut words = vec![Op::ConstantComposite as u32, inst.word(1), inst.word(2)];
        for (at, &value) in components.iter().enumerate() {
            let known = components[..at].iter().position(|&before| before == value);
            let id = known.map_or_else(|| self.edits.fresh_id(), |before| words[3 + before]);
            if known.is_none() {
                let (constant, count) = constant(module, type_id, id, value);
                self.edits.insert_words(inst.offset(), &constant[..count]);
            }
            words.push(id);
        }
        count_words(&mut words);
        self.edits.replace_words(inst, &words);
    }

    fn copy(&mut self, inst: &Instruction) -> Result<(), SpecializeError> {
        let outcome = copy(self.work.module, &mut self.work.constants, inst);
        match outcome.map_err(|problem| problem.describe(self.work.module))? {
            Copy::Decided(operand) => {
                self.work.report.decided_true += 1;
                let words = [4 << 16 | Op::CopyObject as u32, inst.word(1), inst.word(2), operand];
                self.edits.replace_words(inst, &words);
            }
            Copy::Undecided(condition) => {
                let mut words = inst.words()[..3].to_vec();
                for pair in inst.words_from(3).chunks_exact(2) {
                    if self.work.constants.condition(pair[0]) != Some(false) {
                        words.extend_from_slice(pair);
                    }
                }
                count_words(&mut words);
                if words != inst.words() {
                    self.edits.replace_words(inst, &words);
                }
                self.undecided(What::Copy(inst.word(2)), condition);
            }
        }
        Ok(())
    }

    fn undecided(&mut self, what: What, condition: u32) {
        let constants = &self.work.constants;
        let waits = self.waits.entry(condition).or_insert_with(|| constants.waits_for(condition)).clone();
        self.work.report.undecided.push(Undecided { what, condition, waits });
    }
}

/// An ordinary constant of a value, and how many words it has.
fn constant(module: &Module, type_id: u32, id: u32, value: u64) -> ([u32; 5], usize) {
    match Scalar::of(module, type_id) {
        Some(scalar @ (Scalar::Int { .. } | Scalar::Float(_))) => {
            let ([low, high], literal) = scalar.literal_words(value);
            let count = 3 + literal;
            ([(count as u32) << 16 | Op::Constant as u32, type_id, id, low, high], count)
        }
        _ => {
            let op = if value != 0 { Op::ConstantTrue } else { Op::ConstantFalse };
            ([3 << 16 | op as u32, type_id, id, 0, 0], 3)
        }
    }
}
