//! Specialization constants that become ordinary constants.

use std::collections::BTreeSet;

use spirv::Op;

use super::modes::FrozenModes;
use super::{Flags, SpecializeContext};
use crate::analysis::constants::ConstantValue;
use crate::analysis::constants::folding::Scalar;
use crate::collections::IdMap;
use crate::loader::{Instruction, Module, views};

/// The consequences of decided specialization constants.
#[derive(Debug, Default)]
pub struct FrozenState {
    /// True if any constant is decided.
    decides: bool,
    /// Bit set of ids: 1 for a decided constant, and for an id that depends on one. Meaningless if no constant is decided.
    affected: Vec<u64>,
    /// OpSpecConstantComposites and their like that become ordinary composites: their opcode changes.
    pub composites: BTreeSet<u32>,
    /// OpConstantComposites with constituents that are not decided.
    open_composites: BTreeSet<u32>,
    /// Values of operations with composite results.
    pub computed: IdMap<ConstantValue>,
    /// The execution modes that follow from decided constants.
    pub modes: FrozenModes,
}

/// Finds the constants whose value is decided: leaves that were set, device constants, and constants computed from these.
pub fn freeze(context: &mut SpecializeContext) -> FrozenState {
    let module = context.module;
    let mut frozen = FrozenState::default();
    for at in 0..context.constants.spec_constants().len() {
        let id = context.constants.spec_constants()[at].id;
        let is_leaf = module.definition(id).is_some_and(|inst| inst.is_spec_constant());
        if is_leaf && context.constants.value(id).is_some() {
            context.flags.set(id, Flags::DECIDED);
            frozen.affect(module, id);
            context.report.frozen += 1;
        }
    }
    for &offset in &context.multi_target.device_constants {
        let id = views::Value(module.instruction(offset)).id();
        if context.constants.value(id).is_some() {
            context.flags.set(id, Flags::DECIDED);
            frozen.affect(module, id);
        }
    }
    for &offset in &context.scope.computed {
        let inst = module.instruction(offset);
        match inst.op() {
            Some(Op::SpecConstantOp) => frozen.operation(context, views::SpecConstantOp(inst)),
            Some(Op::SpecConstantComposite | Op::SpecConstantCompositeReplicateEXT) => {
                frozen.composite(context, &inst);
            }
            Some(Op::ConstantComposite | Op::ConstantCompositeReplicateEXT) => {
                frozen.ordinary_composite(context, &inst);
            }
            // One that no host can set.
            _ if frozen.decides() || context.freezes_all => {
                let id = views::Value(inst).id();
                if context.constants.value(id).is_some() {
                    context.flags.set(id, Flags::DECIDED);
                    frozen.affect(module, id);
                }
            }
            _ => {}
        }
    }
    if frozen.decides() {
        frozen.modes = FrozenModes::find(context, &frozen);
    }
    frozen
}

/// Returns the place of an id in [`FrozenState::affected`]: the index of the number, and the bit in it.
fn place(id: u32) -> (usize, u64) {
    ((id / u64::BITS) as usize, 1 << (id % u64::BITS))
}

impl FrozenState {
    /// Returns true if any constant is decided.
    pub fn decides(&self) -> bool {
        self.decides
    }

    /// Returns true if an id is a decided constant, or depends on one.
    #[inline]
    pub fn affects(&self, id: u32) -> bool {
        let (at, bit) = place(id);
        self.decides && self.affected.get(at).is_some_and(|bits| bits & bit != 0)
    }

    fn affect(&mut self, module: &Module, id: u32) {
        if !std::mem::replace(&mut self.decides, true) {
            self.affected.clear();
            self.affected.resize(place(module.bound()).0 + 1, 0);
        }
        let (at, bit) = place(id);
        self.affected[at] |= bit;
    }

    /// Marks the result of an instruction with an operand that depends on a decided constant.
    fn propagate(&mut self, module: &Module, inst: &Instruction) {
        let mut touches = false;
        if self.decides() {
            module.walk(inst, &mut |at: usize, id: u32| touches |= at > 2 && self.affects(id));
        }
        if touches {
            self.affect(module, views::Value(*inst).id());
        }
    }

    fn operation(&mut self, context: &mut SpecializeContext, inst: views::SpecConstantOp) {
        let (module, id) = (context.module, inst.id());
        self.propagate(module, &inst);
        // Conditions are always decided.
        let is_condition = module.definition_as(inst.type_id(), Op::TypeBool).is_some();
        let decided = match Scalar::from_type(module, inst.type_id()) {
            _ if !self.decides() && !is_condition => false,
            Some(_) => context.constants.value(id).is_some(),
            None => self.compute(context, id),
        };
        if decided {
            context.flags.set(id, Flags::DECIDED);
            context.has_changed = true;
        }
    }

    /// Computes the composite result of an operation. Returns false if it is unknown, or refers to specialization constants.
    fn compute(&mut self, context: &mut SpecializeContext, id: u32) -> bool {
        let Some(value) = context.constants.composite(id) else { return false };
        let mut is_ordinary = true;
        value.each_reference(&mut |id| is_ordinary &= self.is_ordinary(context, id));
        if is_ordinary {
            self.computed.insert(id, value);
        }
        is_ordinary
    }

    fn composite(&mut self, context: &SpecializeContext, inst: &Instruction) {
        self.propagate(context.module, inst);
        if self.decides() && self.has_ordinary_parts(context, inst) {
            self.composites.insert(views::Value(*inst).id());
        }
    }

    /// Like [`composite`](Self::composite), but for an OpConstantComposite of specialization constants.
    fn ordinary_composite(&mut self, context: &SpecializeContext, inst: &Instruction) {
        self.propagate(context.module, inst);
        if !self.has_ordinary_parts(context, inst) {
            self.open_composites.insert(views::Value(*inst).id());
        }
    }

    /// Returns true if all constituents of a composite are ordinary constants, or become such.
    fn has_ordinary_parts(&self, context: &SpecializeContext, inst: &Instruction) -> bool {
        let ordinary = |id: &u32| self.is_ordinary(context, *id);
        let mut continuations = context.module.continuations(inst);
        views::Value(*inst).operands().iter().all(ordinary)
            && continuations.all(|continuation| continuation.words_from(1).iter().all(ordinary))
    }

    /// Returns true if a constant is an ordinary one, or becomes one.
    pub fn is_ordinary(&self, context: &SpecializeContext, id: u32) -> bool {
        if context.flags.has(id, Flags::DECIDED) || self.composites.contains(&id) {
            return true;
        }
        context.module.definition(id).is_some_and(|inst| match inst.op() {
            Some(Op::ConstantComposite | Op::ConstantCompositeReplicateEXT) => {
                !self.open_composites.contains(&id)
            }
            _ => inst.is_plain_constant(),
        })
    }
}
