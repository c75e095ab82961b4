//! Branches that the values of variables decide, once others are folded: where two stores met, one may be left.

use spirv::Op;

use super::local_values::LocalValues;
use crate::analysis::conditional::effects::InstructionKind;
use crate::analysis::constants::Constants;
use crate::analysis::constants::folding::{Operand, Scalar, fold, operand_count};
use crate::analysis::flow::{Blocks, Decision};
use crate::loader::{Instruction, Module, views};
use crate::transform::body::{BodyLine, FunctionBody};

/// The results in functions that constants decide, if they are Booleans or integers.
pub struct KnownResults<'m> {
    module: &'m Module<'m>,
    /// Places in `known` by id, each plus 1, or 0.
    places: Vec<u32>,
    known: Vec<u64>,
}

impl<'m> KnownResults<'m> {
    /// Starts without results.
    pub fn new(module: &'m Module<'m>) -> KnownResults<'m> {
        KnownResults { module, places: Vec::new(), known: Vec::new() }
    }

    /// Returns the branches of a function that are decided, in order. `blocks` are those of the module.
    pub fn decisions(
        &mut self,
        body: &FunctionBody,
        values: &LocalValues,
        constants: &mut Constants,
        blocks: &Blocks,
    ) -> Vec<Decision> {
        let mut decisions = Vec::new();
        let is_control_flow = |line: &BodyLine| line.kind() == InstructionKind::ControlFlow;
        let lines = body.all_lines().iter().enumerate();
        for (number, _) in lines.filter(|(_, line)| values.has_constants || is_control_flow(line)) {
            let inst = body.instruction(number);
            let mut value = |id: u32| self.value(values.replacement(id), constants);
            let target = match inst.op() {
                Some(Op::BranchConditional) => {
                    let branch = views::BranchConditional(inst);
                    value(branch.condition()).map(|value| match value {
                        0 => branch.false_label(),
                        _ => branch.true_label(),
                    })
                }
                Some(Op::Switch) => {
                    let switch = views::Switch(inst);
                    value(switch.selector()).and_then(|value| self.target(switch, value))
                }
                _ => {
                    self.add(&inst, values, constants);
                    None
                }
            };
            if let Some(target) = target.and_then(|label| blocks.number(self.module, label))
                && let Some(block) = blocks.at(inst.offset())
            {
                decisions.push((block as u32, target as u32));
            }
        }
        decisions.sort_unstable();
        decisions
    }

    fn value(&self, id: u32, constants: &mut Constants) -> Option<u64> {
        match self.places.get(id as usize).and_then(|place| place.checked_sub(1)) {
            Some(place) => Some(self.known[place as usize]),
            None if self.module.is_global(id) => constants.value(id),
            None => None,
        }
    }

    /// Adds the result of an instruction, if it is known.
    fn add(&mut self, inst: &Instruction, values: &LocalValues, constants: &mut Constants) {
        let Some([type_id, id]) = inst.typed_result() else { return };
        let mut all = [None; 3];
        if inst.op().and_then(operand_count).is_none_or(|count| count > all.len()) {
            return;
        }
        for (place, &operand) in all.iter_mut().zip(inst.words_from(3)) {
            let value = self.value(values.replacement(operand), constants);
            let scalar = self.module.type_of(operand).and_then(|type_id| self.scalar(type_id));
            let Some(scalar) = scalar else { return };
            *place = Some(Operand { scalar, value });
        }
        if all.iter().flatten().all(|operand| operand.value.is_none()) {
            return;
        }
        let result = self.scalar(type_id).and_then(|scalar| fold(inst.op()?, scalar, all));
        if let Some(value) = result {
            self.known.push(value);
            if self.places.is_empty() {
                self.places = self.module.table_by_id();
            }
            self.places[id as usize] = self.known.len() as u32;
        }
    }

    fn scalar(&self, type_id: u32) -> Option<Scalar> {
        let scalar = Scalar::from_type(self.module, type_id);
        scalar.filter(|scalar| matches!(scalar, Scalar::Bool | Scalar::Int { .. }))
    }

    /// Returns the label to which a switch leads for a value of its selector.
    fn target(&self, switch: views::Switch, value: u64) -> Option<u32> {
        let scalar = self.module.type_of(switch.selector()).and_then(|type_id| self.scalar(type_id))?;
        let mut cases = switch.cases(scalar.width());
        let case = cases.find(|(literal, _)| scalar.literal(literal) == Some(value));
        Some(case.map_or(switch.default(), |(_, label)| label))
    }
}
