//! Specialization of a packed module as the extension's text defines it, by a plain walk over the words: an
//! independent answer to compare with. Nothing is swept: definitions that only removed code used are kept, if that is valid.

use std::collections::{BTreeMap, BTreeSet};

use spirv::{Capability, Decoration, Op};

use crate::loader::{Instruction, Module, SetKind};

/// A question of a condition at one of its leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question<'q> {
    SpecId(u32),
    Target(u32),
    /// Category, family, opcode, architecture.
    Architecture([u32; 4]),
    Capabilities(&'q [u32]),
}

/// Function that answers questions; `None` leaves a constant its default.
pub type AnswerFn<'a> = &'a dyn Fn(&Question) -> Option<bool>;

/// Returns the values of all Boolean constants, and of integers whether they are not zero.
pub fn values(module: &Module, answers: AnswerFn) -> BTreeMap<u32, bool> {
    let spec_ids: BTreeMap<u32, u32> = module
        .globals()
        .filter(|inst| inst.is(Op::Decorate) && inst.word(2) == Decoration::SpecId as u32)
        .map(|inst| (inst.word(1), inst.word(3)))
        .collect();
    let mut values: BTreeMap<u32, bool> = BTreeMap::new();
    for inst in module.globals() {
        let leaf = |default: bool| {
            let spec_id = spec_ids.get(&inst.word(2));
            spec_id.and_then(|&spec_id| answers(&Question::SpecId(spec_id))).unwrap_or(default)
        };
        let value = match inst.op() {
            Some(Op::ConstantTrue) => true,
            Some(Op::ConstantFalse | Op::ConstantNull) => false,
            Some(Op::Constant) => inst.words_from(3).iter().any(|&word| word != 0),
            Some(Op::SpecConstant) => leaf(inst.words_from(3).iter().any(|&word| word != 0)),
            Some(Op::SpecConstantTrue) => leaf(true),
            Some(Op::SpecConstantFalse) => leaf(false),
            Some(Op::SpecConstantTargetINTEL) => answers(&Question::Target(inst.word(3))).unwrap(),
            Some(Op::SpecConstantArchitectureINTEL) => {
                answers(&Question::Architecture([3, 4, 5, 6].map(|at| inst.word(at)))).unwrap()
            }
            Some(Op::SpecConstantCapabilitiesINTEL) => {
                answers(&Question::Capabilities(inst.words_from(3))).unwrap()
            }
            Some(Op::SpecConstantOp) => {
                let operand = |at: usize| values.get(&inst.word(at)).copied();
                match (Op::from_u32(inst.word(3)), operand(4), operand(5)) {
                    (Some(Op::LogicalNot), Some(a), None) => !a,
                    (Some(Op::LogicalAnd), Some(a), Some(b)) => a && b,
                    (Some(Op::LogicalOr), Some(a), Some(b)) => a || b,
                    (Some(Op::INotEqual), Some(a), Some(b)) if !b => a,
                    (Some(Op::Select), Some(a), Some(b)) if b => a,
                    _ => continue,
                }
            }
            _ => continue,
        };
        values.insert(inst.word(2), value);
    }
    values
}

/// Returns the module on a device, in plain SPIR-V.
pub fn cut(words: &[u32], answers: AnswerFn) -> Vec<u32> {
    let module = Module::from_words(words).unwrap();
    let values = values(&module, answers);
    let removed = removed(&module, &values);
    let mut cut =
        Cut { module: &module, values: &values, removed, nones: BTreeMap::new(), out: words[..5].to_vec() };
    let mut in_removed_function = false;
    for inst in module.instructions() {
        if inst.is(Op::Function) {
            in_removed_function = cut.removed.contains(&inst.word(2));
        }
        if !in_removed_function {
            cut.instruction(&inst);
        }
        in_removed_function &= !inst.is(Op::FunctionEnd);
    }
    cut.out
}

fn condition(inst: &Instruction) -> Option<u32> {
    let is_condition = inst.is(Op::Decorate) && inst.word(2) == Decoration::ConditionalINTEL as u32;
    is_condition.then(|| inst.word(3))
}

fn removed(module: &Module, values: &BTreeMap<u32, bool>) -> BTreeSet<u32> {
    let conditional = module.globals().filter_map(|inst| Some((inst.word(1), condition(&inst)?)));
    let mut removed: BTreeSet<u32> =
        conditional.filter(|(_, condition)| !values[condition]).map(|(id, _)| id).collect();
    for function in module.functions() {
        if removed.contains(&function.id) {
            removed.extend(module.body(function).filter_map(|inst| inst.result_id()));
        }
    }
    removed
}

struct Cut<'c> {
    module: &'c Module<'c>,
    values: &'c BTreeMap<u32, bool>,
    removed: BTreeSet<u32>,
    /// The DebugInfoNone of each set that was read so far.
    nones: BTreeMap<u32, u32>,
    out: Vec<u32>,
}

impl Cut<'_> {
    fn push(&mut self, op: Op, operands: &[u32]) {
        self.out.push((operands.len() as u32 + 1) << 16 | op as u32);
        self.out.extend(operands);
    }

    /// Returns the DebugInfoNone of the set that an instruction is of, before it.
    fn none(&mut self, inst: &Instruction) -> u32 {
        if let Some(&none) = self.nones.get(&inst.word(3)) {
            return none;
        }
        let none = self.out[3];
        self.out[3] += 1;
        self.push(Op::ExtInst, &[inst.word(1), none, inst.word(3), 0]);
        self.nones.insert(inst.word(3), none);
        none
    }

    fn is_boolean(&self, id: u32) -> bool {
        let ops = [Op::SpecConstantTrue, Op::SpecConstantFalse];
        ops.iter().any(|&op| self.module.definition_as(id, op).is_some())
    }

    fn instruction(&mut self, inst: &Instruction) {
        let capabilities =
            [Capability::SpecConditionalINTEL as u32, Capability::FunctionVariantsINTEL as u32];
        let operands = inst.words_from(1);
        let names_removed = self.removed.contains(&inst.word(1));
        match inst.op() {
            Some(Op::Capability) if capabilities.contains(&inst.word(1)) => {}
            Some(Op::Extension) if inst.string(1) == "SPV_INTEL_function_variants" => {}
            Some(Op::ConditionalCapabilityINTEL | Op::ConditionalExtensionINTEL) => {
                let plain =
                    if inst.is(Op::ConditionalExtensionINTEL) { Op::Extension } else { Op::Capability };
                if self.values[&inst.word(1)] {
                    self.push(plain, &operands[1..]);
                }
            }
            Some(Op::ConditionalEntryPointINTEL) if !self.values[&inst.word(1)] => {}
            Some(Op::EntryPoint | Op::ConditionalEntryPointINTEL) => {
                let plain = if inst.is(Op::EntryPoint) { operands } else { &operands[1..] };
                let name = plain[2..].iter().position(|word| word >> 24 == 0).unwrap() + 3;
                let kept = plain[name..].iter().filter(|id| !self.removed.contains(id)).copied();
                let plain: Vec<u32> = plain[..name].iter().copied().chain(kept).collect();
                self.push(Op::EntryPoint, &plain);
            }
            Some(
                Op::Name
                | Op::MemberName
                | Op::Decorate
                | Op::DecorateId
                | Op::MemberDecorate
                | Op::TypeForwardPointer
                | Op::ExecutionMode,
            ) if names_removed => {}
            Some(Op::Decorate)
                if condition(inst).is_some()
                    || (inst.word(2) == Decoration::SpecId as u32 && self.is_boolean(inst.word(1))) => {}
            Some(
                Op::SpecConstantTrue
                | Op::SpecConstantFalse
                | Op::SpecConstantTargetINTEL
                | Op::SpecConstantArchitectureINTEL
                | Op::SpecConstantCapabilitiesINTEL,
            ) => {
                let op = if self.values[&inst.word(2)] { Op::ConstantTrue } else { Op::ConstantFalse };
                self.push(op, &operands[..2]);
            }
            _ if inst.result_id().is_some_and(|id| self.removed.contains(&id)) => {}
            Some(Op::ConditionalCopyObjectINTEL) => {
                let pairs = inst.words_from(3).chunks(2);
                let true_: Vec<u32> =
                    pairs.filter(|pair| self.values[&pair[0]]).map(|pair| pair[1]).collect();
                assert_eq!(true_.len(), 1, "%{} is a copy of one of several", inst.word(2));
                self.push(Op::CopyObject, &[inst.word(1), inst.word(2), true_[0]]);
            }
            _ if self.module.set_kind(inst) == Some(SetKind::Debug) => {
                let mut words = inst.words().to_vec();
                let set = inst.word(3);
                if inst.word(4) == 0 {
                    self.nones.insert(set, inst.word(2));
                }
                let module = self.module;
                module.walk(inst, &mut |at: usize, id: u32| {
                    if at > 4 && self.removed.contains(&id) {
                        words[at] = self.none(inst);
                    }
                });
                self.out.extend(words);
            }
            _ => self.out.extend(inst.words()),
        }
    }
}
