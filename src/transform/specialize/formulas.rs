//! The constants that are computed from specialization constants, and what depends on their values: more than literals, or literals alone.

use std::collections::BTreeMap;

use spirv::Op;

use crate::analysis::Analyses;
use crate::analysis::constants::folding::{Operand, Scalar, fold};
use crate::analysis::constants::{Constants, Nothing, SetValues, SpecId, UnsetConstants, find_spec_ids};
use crate::loader::{Instruction, Module, views};
use crate::sidecar::property_sets::carried;

/// The scalar constants of a module that depend on specialization constants, in the order of their definitions.
#[derive(Debug)]
pub struct Formulas {
    pub constants: Vec<Formula>,
    /// Ids and indexes of these constants, by id.
    indexes: Vec<(u32, usize)>,
}

/// A constant.
#[derive(Debug)]
pub struct Formula {
    pub scalar: Scalar,
    source: Source,
    /// True if more than literals depends on its value.
    pub decides: bool,
    /// True if it is the size of something, so that it has to be positive.
    pub is_size: bool,
}

#[derive(Debug)]
enum Source {
    Given(SpecId),
    Operation(Op, [Option<(Scalar, Input)>; 3]),
    /// The same as a component of a composite.
    Component(Input),
}

#[derive(Clone, Copy, Debug)]
enum Input {
    Fixed(Option<u64>),
    /// The index of a formula before this one.
    Of(usize),
}

impl Formulas {
    /// The constants of a module, if nothing but them and its conditional calls decides what becomes of it.
    pub fn of(analyses: &Analyses) -> Option<Formulas> {
        let module = analyses.module();
        let is_plain = analyses.annotated().is_empty()
            && analyses.multi_target().is_ok_and(|multi_target| multi_target.is_empty())
            && carried::strings(module).next().is_none();
        if !is_plain {
            return None;
        }
        let mut formulas = Formulas { constants: Vec::new(), indexes: Vec::new() };
        let everything_decides = formulas.read(module)?;
        formulas.indexes.sort_unstable();
        for mode in module.execution_modes().filter(|mode| mode.is(Op::ExecutionModeId)) {
            mode.operands().iter().for_each(|&id| formulas.decide(id));
        }
        analyses.with_flow(|flow| {
            for function in module.functions() {
                if flow.read(function) {
                    flow.open_constants().for_each(|id| formulas.decide(id));
                }
            }
        });
        if everything_decides {
            formulas.constants.iter_mut().for_each(|formula| formula.decides = true);
        }
        Some(formulas)
    }

    /// Reads the definitions. True if some are of constants that have no formula.
    fn read(&mut self, module: &Module) -> Option<bool> {
        let given: BTreeMap<u32, SpecId> =
            find_spec_ids(module).into_iter().map(|constant| (constant.id, constant)).collect();
        let mut by_id: BTreeMap<u32, usize> = BTreeMap::new();
        let mut fixed = Constants::new(module, &Nothing, &[], UnsetConstants::Keep);
        let mut has_others = false;
        for inst in module.globals() {
            let source = match inst.op() {
                Some(Op::SpecConstant | Op::SpecConstantTrue | Op::SpecConstantFalse) => {
                    let own = given.get(&views::Value(inst).id());
                    // Nothing is known of a constant whose SpecId is that of a group.
                    let Some(own) = own.filter(|own| own.decoration.is_some()) else { continue };
                    Source::Given(*own)
                }
                Some(Op::SpecConstantOp) => {
                    let operation = views::SpecConstantOp(inst);
                    match operation.operation() {
                        Some(Op::CompositeExtract) => match component(module, operation) {
                            Some(id) => {
                                let known = by_id.get(&id).map(|&index| Input::Of(index));
                                Source::Component(known.unwrap_or_else(|| Input::Fixed(fixed.value(id))))
                            }
                            None => {
                                has_others = true;
                                continue;
                            }
                        },
                        Some(op) => {
                            Source::Operation(op, inputs(module, &inst, operation, &by_id, &mut fixed)?)
                        }
                        None => {
                            has_others = true;
                            continue;
                        }
                    }
                }
                Some(Op::TypeArray) => {
                    self.size(&by_id, views::TypeArray(inst).length());
                    continue;
                }
                Some(Op::SpecConstantComposite | Op::SpecConstantCompositeReplicateEXT) => {
                    views::Value(inst).operands().iter().for_each(|&id| self.size(&by_id, id));
                    continue;
                }
                _ => continue,
            };
            let constant = views::Value(inst);
            match Scalar::of(module, constant.type_id()) {
                Some(scalar) => {
                    by_id.insert(constant.id(), self.constants.len());
                    self.constants.push(Formula { scalar, source, decides: false, is_size: false });
                }
                None => has_others = true,
            }
        }
        self.indexes = by_id.into_iter().collect();
        Some(has_others)
    }

    fn size(&mut self, by_id: &BTreeMap<u32, usize>, id: u32) {
        if let Some(&index) = by_id.get(&id) {
            self.constants[index].is_size = true;
        }
    }

    /// The index of the constant with an id.
    pub fn index(&self, id: u32) -> Option<usize> {
        let at = self.indexes.binary_search_by_key(&id, |&(own, _)| own).ok()?;
        Some(self.indexes[at].1)
    }

    /// Notes that more than literals depends on the value of a constant, whatever it is computed from.
    fn decide(&mut self, id: u32) {
        if let Some(index) = self.index(id) {
            self.constants[index].decides = true;
        }
    }

    /// The values of all constants, where these are set.
    pub fn evaluate(&self, set: &SetValues) -> Vec<Option<u64>> {
        let mut values: Vec<Option<u64>> = Vec::with_capacity(self.constants.len());
        for formula in &self.constants {
            let of = |input: Input| match input {
                Input::Fixed(value) => value,
                Input::Of(index) => values[index],
            };
            let value = match &formula.source {
                Source::Given(constant) => set.of(constant).and_then(|value| formula.scalar.fit(value)),
                Source::Operation(op, inputs) => {
                    let operand = |input: Option<(Scalar, Input)>| {
                        let (scalar, input) = input?;
                        Some(Operand { scalar, value: of(input) })
                    };
                    fold(*op, formula.scalar, inputs.map(operand))
                }
                Source::Component(input) => of(*input),
            };
            values.push(value);
        }
        values
    }
}

/// The operands of an operation, as [`Constants`] has them; `None` if one of them is not defined before it.
fn inputs(
    module: &Module,
    inst: &Instruction,
    operation: views::SpecConstantOp,
    by_id: &BTreeMap<u32, usize>,
    fixed: &mut Constants,
) -> Option<[Option<(Scalar, Input)>; 3]> {
    let mut inputs = [None; 3];
    for (at, input) in inputs.iter_mut().enumerate() {
        let id = operation.operand(at);
        let Some(defined) = module.definition_offset(id) else { continue };
        if defined >= inst.offset() {
            return None;
        }
        if let Some(scalar) = module.type_of(id).and_then(|type_id| Scalar::of(module, type_id)) {
            let value = match by_id.get(&id) {
                Some(&index) => Input::Of(index),
                None => Input::Fixed(fixed.value(id)),
            };
            *input = Some((scalar, value));
        }
    }
    Some(inputs)
}

/// The constant that an OpCompositeExtract takes out of a composite of constants.
fn component(module: &Module, operation: views::SpecConstantOp) -> Option<u32> {
    let &[composite, index] = operation.operands() else { return None };
    let composite = module.definition(composite)?;
    let is_composite = matches!(composite.op(), Some(Op::ConstantComposite | Op::SpecConstantComposite));
    views::Value(composite).operands().get(index as usize).copied().filter(|_| is_composite)
}
