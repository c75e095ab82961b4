//! Constants that become ordinary ones.

use std::collections::{BTreeMap, BTreeSet};

use spirv::{ExecutionMode, Op};

use super::Work;
use super::marks::Flags;
use crate::analysis::Vector;
use crate::analysis::constants::folding::{Operand, Scalar, fold};
use crate::loader::{Instruction, Module};

/// What follows from the specialization constants whose value is decided.
#[derive(Debug, Default)]
pub struct Frozen {
    /// By id: whether it is a decided constant, or depends on one. Empty where none is decided.
    affected: Vec<bool>,
    /// OpSpecConstantComposites and their like that become ordinary composites: their opcode changes.
    pub composites: BTreeSet<u32>,
    /// Operations that give vectors: the values of the components.
    pub vectors: BTreeMap<u32, Vec<u64>>,
    /// Execution modes whose operands become literals: by offset, the mode and its literals.
    pub modes: BTreeMap<u32, (ExecutionMode, Vec<u32>)>,
}

/// Finds the constants whose value is decided: leaves that were set, device constants, and what is computed of them.
pub fn freeze(work: &mut Work) -> Frozen {
    let module = work.module;
    let mut frozen = Frozen::default();
    for at in 0..work.constants.spec_ids().len() {
        let id = work.constants.spec_ids()[at].id;
        let op = module.definition(id).and_then(|inst| inst.op());
        let leaf = matches!(op, Some(Op::SpecConstantTrue | Op::SpecConstantFalse | Op::SpecConstant));
        if leaf && work.constants.value(id).is_some() {
            work.marks.set(id, Flags::DECIDED);
            frozen.affect(module, id);
            work.report.frozen += 1;
        }
    }
    for &offset in &work.multi_target.device_constants {
        let id = module.instruction(offset).word(2);
        if work.constants.value(id).is_some() {
            work.marks.set(id, Flags::DECIDED);
            frozen.affect(module, id);
        }
    }
    for inst in module.globals() {
        match inst.op() {
            Some(Op::SpecConstantOp) => frozen.operation(work, &inst),
            Some(Op::SpecConstantComposite | Op::SpecConstantCompositeReplicateEXT) => {
                frozen.composite(work, &inst);
            }
            _ => {}
        }
    }
    if frozen.decides() {
        frozen.find_modes(work);
    }
    let spec_ids = work.constants.spec_ids();
    let by_id = |id: &u32| spec_ids.binary_search_by_key(id, |spec_id| spec_id.id).ok();
    let mut defaulted: Vec<u32> =
        work.constants.defaulted().iter().filter_map(by_id).map(|at| spec_ids[at].spec_id).collect();
    defaulted.sort_unstable();
    defaulted.dedup();
    work.report.defaulted = defaulted;
    frozen
}

impl Frozen {
    /// Whether any constant is decided.
    pub fn decides(&self) -> bool {
        !self.affected.is_empty()
    }

    /// Whether an id is a decided constant, or depends on one.
    #[inline]
    pub fn affects(&self, id: u32) -> bool {
        self.affected.get(id as usize).is_some_and(|&affected| affected)
    }

    fn affect(&mut self, module: &Module, id: u32) {
        self.affected.resize(module.bound() as usize, false);
        self.affected[id as usize] = true;
    }

    /// Whether something that an instruction refers to depends on what is decided. Then it does so itself.
    fn touches(&mut self, module: &Module, inst: &Instruction) -> bool {
        let mut touches = false;
        if self.decides() {
            module.walk(inst, &mut |at: usize, id: u32| touches |= at > 2 && self.affects(id));
        }
        if touches {
            self.affect(module, inst.word(2));
        }
        touches
    }

    fn operation(&mut self, work: &mut Work, inst: &Instruction) {
        let (module, id) = (work.module, inst.word(2));
        let touches = self.touches(module, inst);
        let boolean = module.definition_as(inst.word(1), Op::TypeBool).is_some();
        let decided = if boolean || (touches && Scalar::of(module, inst.word(1)).is_some()) {
            let extracts = inst.word(3) == Op::CompositeExtract as u32 && inst.words().len() == 6;
            if extracts && let Some(value) = self.component(work, inst.word(4), inst.word(5)) {
                work.constants.learn(id, value);
            }
            work.constants.value(id).is_some()
        } else {
            let components = if touches { self.components(work, inst) } else { None };
            components.map(|components| self.vectors.insert(id, components)).is_some()
        };
        if decided {
            work.marks.set(id, Flags::DECIDED);
            let seeds = &mut work.seeds;
            module.walk(inst, &mut |at: usize, id: u32| {
                if at > 3 {
                    seeds.push(id);
                }
            });
        }
    }

    /// The components of what an operation on vectors gives.
    fn components(&self, work: &mut Work, inst: &Instruction) -> Option<Vec<u64>> {
        let module = work.module;
        let type_ = Vector::of(module, inst.word(1))?;
        let (scalar, size) = (Scalar::of(module, type_.component)?, type_.few()?);
        let op = Op::from_u32(inst.word(3))?;
        let component = |work: &mut Work, at: usize, index: u32| -> Option<Operand> {
            let id = Some(inst.word(at)).filter(|&id| id != 0)?;
            let type_id = module.definition(id)?.result_type()?;
            match Vector::of(module, type_id) {
                Some(vector) => {
                    let scalar = Scalar::of(module, vector.component)?;
                    Some(Operand { scalar, value: self.component(work, id, index) })
                }
                None => {
                    Some(Operand { scalar: Scalar::of(module, type_id)?, value: work.constants.value(id) })
                }
            }
        };
        let of = |work: &mut Work, index: u32| match op {
            Op::VectorShuffle => {
                let chosen = *inst.words_from(6).get(index as usize)?;
                let left = Vector::of_value(module, inst.word(4))?.count?;
                match chosen.checked_sub(left) {
                    None => component(work, 4, chosen)?.value,
                    Some(chosen) => component(work, 5, chosen)?.value,
                }
            }
            Op::CompositeInsert if inst.word(6) == index => component(work, 4, 0)?.value,
            Op::CompositeInsert => component(work, 5, index)?.value,
            Op::CompositeExtract => None,
            _ => {
                let operands =
                    [component(work, 4, index), component(work, 5, index), component(work, 6, index)];
                fold(op, scalar, operands)
            }
        };
        (0..size).map(|index| of(work, index)).collect()
    }

    /// One component of a constant vector.
    fn component(&self, work: &mut Work, id: u32, index: u32) -> Option<u64> {
        if let Some(components) = self.vectors.get(&id) {
            return components.get(index as usize).copied();
        }
        let inst = work.module.definition(id)?;
        match inst.op()? {
            Op::ConstantNull => Some(0),
            Op::ConstantComposite | Op::SpecConstantComposite => {
                let constituent = *inst.words_from(3).get(index as usize)?;
                work.constants.value(constituent)
            }
            Op::ConstantCompositeReplicateEXT | Op::SpecConstantCompositeReplicateEXT => {
                work.constants.value(inst.word(3))
            }
            _ => None,
        }
    }

    fn composite(&mut self, work: &Work, inst: &Instruction) {
        let ordinary = |id: &u32| self.is_ordinary(work, *id);
        if inst.words_from(3).iter().all(ordinary) && self.touches(work.module, inst) {
            self.composites.insert(inst.word(2));
        } else {
            self.touches(work.module, inst);
        }
    }

    /// Whether a constant is an ordinary one, or becomes one.
    fn is_ordinary(&self, work: &Work, id: u32) -> bool {
        if work.marks.has(id, Flags::DECIDED) || self.composites.contains(&id) {
            return true;
        }
        let op = work.module.definition(id).and_then(|inst| inst.op());
        matches!(
            op,
            Some(
                Op::Constant
                    | Op::ConstantTrue
                    | Op::ConstantFalse
                    | Op::ConstantNull
                    | Op::ConstantComposite
                    | Op::ConstantCompositeReplicateEXT
                    | Op::ConstantSampler
                    | Op::Undef
            )
        )
    }

    /// Finds execution modes that can have literals now.
    fn find_modes(&mut self, work: &mut Work) {
        let module = work.module;
        for inst in module.globals().filter(|inst| inst.is(Op::ExecutionModeId)) {
            let ids = inst.words_from(3);
            let mode = match ExecutionMode::from_u32(inst.word(2)) {
                Some(ExecutionMode::LocalSizeId) => ExecutionMode::LocalSize,
                Some(ExecutionMode::LocalSizeHintId) => ExecutionMode::LocalSizeHint,
                Some(ExecutionMode::SubgroupsPerWorkgroupId) => ExecutionMode::SubgroupsPerWorkgroup,
                _ => continue,
            };
            if !ids.iter().any(|&id| self.affects(id)) || !ids.iter().all(|&id| self.is_ordinary(work, id)) {
                continue;
            }
            let literal = |&id: &u32| work.constants.value(id).and_then(|value| u32::try_from(value).ok());
            if let Some(literals) = ids.iter().map(literal).collect() {
                work.seeds.extend_from_slice(ids);
                self.modes.insert(inst.offset(), (mode, literals));
            }
        }
    }
}
