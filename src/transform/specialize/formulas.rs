//! The constants that are computed from specialization constants, and what depends on their values: more than literals, or literals alone.

use std::collections::BTreeMap;

use spirv::Op;

use super::stage::FirstStage;
use crate::analysis::Analyses;
use crate::analysis::constants::folding::{Operand, Scalar, fold_constant};
use crate::analysis::constants::{Constants, Nothing, SetValues, SpecId, ValuesBefore};
use crate::analysis::limits::ValueLimits;
use crate::loader::{Instruction, Module, views};
use crate::sidecar::property_sets::carried;

/// The scalar constants of a module that depend on specialization constants, in the order of their definitions, with those that they are
/// computed from.
#[derive(Debug, Default)]
pub struct Formulas {
    pub constants: Vec<Formula>,
    /// Ids and indexes of those that depend on specialization constants, by id.
    indexes: Vec<(u32, u32)>,
    /// The functions with branches that depend on them, in order.
    functions: Vec<u32>,
    /// All functions with a choice that may be decided, in order.
    choosing: Vec<u32>,
    /// True if some constants that depend on specialization constants are not among these: then every value counts.
    has_others: bool,
    first_stage: FirstStage,
}

/// A constant, in 32 bytes: each of a module has one.
#[derive(Debug)]
pub struct Formula {
    pub scalar: Scalar,
    source: Source,
    /// What depends on its value.
    pub decides: Decides,
    /// True if its value is limited ([`ValueLimits`]).
    pub is_limited: bool,
}

/// What depends on a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Decides {
    Literals,
    Branches,
    Others,
}

#[derive(Debug)]
enum Source {
    /// Nothing is known of it.
    Unknown,
    /// The low and the high word of its value.
    Fixed([u32; 2]),
    /// What the host sets, with the offset of its OpDecorate.
    Given { id: u32, spec_id: u32, decoration: u32 },
    /// The operands are formulas before this one, by index; [`NONE`] where there is none.
    Operation(Op, [u32; 3]),
    /// The same as another one: a component of a composite.
    Component(u32),
}

const NONE: u32 = u32::MAX;

impl Source {
    fn fixed(value: Option<u64>) -> Source {
        value.map_or(Source::Unknown, |value| Source::Fixed([value as u32, (value >> 32) as u32]))
    }

    /// The constant that the host sets, if it is one.
    fn given(&self) -> Option<SpecId> {
        let &Source::Given { id, spec_id, decoration } = self else { return None };
        Some(SpecId { id, spec_id, decoration: Some(decoration) })
    }
}

/// The values of all formulas, and the branches that follow from them.
#[derive(Debug)]
pub struct Decided<'f> {
    formulas: &'f Formulas,
    pub values: Vec<Option<u64>>,
    /// The decided branches of [`Formulas::functions`]: function, block and target.
    pub branches: Vec<(u32, u32, u32)>,
    fit: bool,
    keeps_limits: bool,
}

impl Decided<'_> {
    /// The values by id, unless they are not all that there is.
    pub fn before(&self) -> Option<ValuesBefore<'_>> {
        let Formulas { indexes, has_others, .. } = self.formulas;
        (!has_others).then_some(ValuesBefore { indexes, values: &self.values })
    }

    /// Which of the values are known, in bits.
    pub fn known(&self) -> impl Iterator<Item = u64> {
        Formulas::known(&self.values)
    }

    /// What the first call left.
    pub fn first_stage(&self) -> &FirstStage {
        &self.formulas.first_stage
    }

    /// True if all values that were given are values of the types of their constants.
    pub fn fit(&self) -> bool {
        self.fit
    }

    /// True if the values keep all limits.
    pub fn keeps_limits(&self) -> bool {
        self.keeps_limits
    }

    /// The functions with a choice that may be decided, in order.
    pub fn choosing(&self) -> impl Iterator<Item = usize> {
        self.formulas.choosing.iter().map(|&at| at as usize)
    }

    /// The decided branches of a function, if they are known.
    pub fn branches_of(&self, function: usize) -> Option<&[(u32, u32, u32)]> {
        let function = function as u32;
        let is_known = !self.formulas.has_others && self.formulas.functions.binary_search(&function).is_ok();
        let first = self.branches.partition_point(|&(own, _, _)| own < function);
        let end = self.branches.partition_point(|&(own, _, _)| own <= function);
        is_known.then(|| &self.branches[first..end])
    }
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
        let mut formulas = Formulas::default();
        formulas.read(module, analyses.spec_ids_by_id())?;
        for mode in module.execution_modes().filter(|mode| mode.is(Op::ExecutionModeId)) {
            for &id in mode.operands() {
                formulas.decide(id, Decides::Others);
            }
        }
        let mut without = Vec::new();
        analyses.with_flow(|flow| {
            for (at, function) in module.functions().iter().enumerate() {
                if !flow.read(function) {
                    continue;
                }
                let mut depends = false;
                for id in flow.open_constants() {
                    match formulas.decide(id, Decides::Branches) {
                        true => depends = true,
                        false => without.push(id),
                    }
                }
                formulas.functions.extend(depends.then_some(at as u32));
                formulas.choosing.push(at as u32);
            }
        });
        formulas.fix(module, without);
        for id in analyses.limits().into_iter().flat_map(ValueLimits::constants) {
            formulas.limit(id);
        }
        if formulas.has_others {
            formulas.constants.iter_mut().for_each(|formula| formula.decides = Decides::Others);
        }
        // They are kept as long as the module.
        formulas.constants.shrink_to_fit();
        formulas.functions.shrink_to_fit();
        formulas.choosing.shrink_to_fit();
        Some(formulas)
    }

    /// Reads the definitions.
    fn read(&mut self, module: &Module, spec_ids: &[SpecId]) -> Option<()> {
        let mut by_id: BTreeMap<u32, u32> = BTreeMap::new();
        let mut fixed = Fixed { constants: Constants::new(module, &Nothing, &[]), by_id: BTreeMap::new() };
        for inst in module.globals() {
            let source = match inst.op() {
                Some(Op::SpecConstant | Op::SpecConstantTrue | Op::SpecConstantFalse) => {
                    let own = spec_ids.binary_search_by_key(&views::Value(inst).id(), |own| own.id).ok();
                    // Nothing is known of a constant whose SpecId is that of a group.
                    let Some(SpecId { id, spec_id, decoration: Some(decoration) }) =
                        own.map(|own| spec_ids[own])
                    else {
                        continue;
                    };
                    Source::Given { id, spec_id, decoration }
                }
                Some(Op::SpecConstantOp) => {
                    let operation = views::SpecConstantOp(inst);
                    match operation.operation() {
                        Some(Op::CompositeExtract) => match component(module, operation) {
                            Some(id) => Source::Component(self.input(module, &by_id, &mut fixed, id)),
                            None => {
                                self.has_others = true;
                                continue;
                            }
                        },
                        Some(op) => {
                            Source::Operation(op, self.inputs(module, &inst, operation, &by_id, &mut fixed)?)
                        }
                        None => {
                            self.has_others = true;
                            continue;
                        }
                    }
                }
                _ => continue,
            };
            let constant = views::Value(inst);
            match Scalar::of(module, constant.type_id()) {
                Some(scalar) => {
                    let index = self.push(scalar, source);
                    by_id.insert(constant.id(), index);
                }
                None => self.has_others = true,
            }
        }
        let is_given = |formula: &&Formula| matches!(formula.source, Source::Given { .. });
        let given = self.constants.iter().filter(is_given).count();
        self.has_others |= given < spec_ids.iter().filter(|own| own.decoration.is_some()).count();
        self.indexes = by_id.into_iter().collect();
        Some(())
    }

    /// Adds constants that no host sets.
    fn fix(&mut self, module: &Module, mut ids: Vec<u32>) {
        ids.sort_unstable();
        ids.dedup();
        let mut constants = Constants::new(module, &Nothing, &[]);
        for id in ids {
            let index = self.push(Scalar::Bool, Source::fixed(constants.value(id)));
            self.indexes.push((id, index));
        }
        self.indexes.sort_unstable();
    }

    fn push(&mut self, scalar: Scalar, source: Source) -> u32 {
        self.constants.push(Formula { scalar, source, decides: Decides::Literals, is_limited: false });
        self.constants.len() as u32 - 1
    }

    /// The formula of an operand.
    fn input(&mut self, module: &Module, by_id: &BTreeMap<u32, u32>, fixed: &mut Fixed, id: u32) -> u32 {
        if let Some(&index) = by_id.get(&id).or_else(|| fixed.by_id.get(&id)) {
            return index;
        }
        let scalar = module.type_of(id).and_then(|type_id| Scalar::of(module, type_id));
        let value = fixed.constants.value(id);
        let index = self.push(scalar.unwrap_or(Scalar::Bool), Source::fixed(value));
        fixed.by_id.insert(id, index);
        index
    }

    /// The operands of an operation, as [`Constants`] has them; `None` if one of them is not defined before it.
    fn inputs(
        &mut self,
        module: &Module,
        inst: &Instruction,
        operation: views::SpecConstantOp,
        by_id: &BTreeMap<u32, u32>,
        fixed: &mut Fixed,
    ) -> Option<[u32; 3]> {
        let mut inputs = [NONE; 3];
        for (at, input) in inputs.iter_mut().enumerate() {
            let id = operation.operand(at);
            let Some(defined) = module.definition_offset(id) else { continue };
            if defined >= inst.offset() {
                return None;
            }
            if module.type_of(id).and_then(|type_id| Scalar::of(module, type_id)).is_some() {
                *input = self.input(module, by_id, fixed, id);
            }
        }
        Some(inputs)
    }

    /// Notes that the value of a constant is limited, and with it those that it is computed from: where it is not known, its default counts.
    fn limit(&mut self, id: u32) {
        let mut stack: Vec<u32> = self.index(id).map(|index| index as u32).into_iter().collect();
        while let Some(index) = stack.pop() {
            let Some(formula) = self.constants.get_mut(index as usize) else { continue };
            if !std::mem::replace(&mut formula.is_limited, true) {
                match formula.source {
                    Source::Operation(_, inputs) => stack.extend(inputs),
                    Source::Component(index) => stack.push(index),
                    Source::Unknown | Source::Fixed(_) | Source::Given { .. } => {}
                }
            }
        }
    }

    /// True if values keep all limits of a module. What is not known counts with its default.
    pub fn keep_limits(&self, analyses: &Analyses, values: &[Option<u64>]) -> bool {
        let Some(limits) = analyses.limits() else { return true };
        if self.has_others {
            return false;
        }
        let module = analyses.module();
        let mut by_default = None;
        let mut fixed = None;
        let mut value = |id: u32| {
            let Some(index) = self.index(id) else {
                let constants = || Constants::new(module, &Nothing, &[]);
                return fixed.get_or_insert_with(constants).value(id);
            };
            values[index].or_else(|| {
                let of_default = |constant: &SpecId, scalar: Scalar| {
                    let known = self.index(constant.id).and_then(|index| values[index]);
                    known.or_else(|| literal(module, constant.id, scalar))
                };
                by_default.get_or_insert_with(|| self.evaluate_with(&of_default))[index]
            })
        };
        let mut keeps = true;
        limits.check(&mut value, &mut |_| keeps = false);
        keeps
    }

    /// The index of the constant with an id.
    pub fn index(&self, id: u32) -> Option<usize> {
        let at = self.indexes.binary_search_by_key(&id, |&(own, _)| own).ok()?;
        Some(self.indexes[at].1 as usize)
    }

    /// Notes that more than literals depends on the value of a constant, whatever it is computed from. False if it has no formula.
    fn decide(&mut self, id: u32, decides: Decides) -> bool {
        let index = self.index(id);
        if let Some(index) = index {
            let known = &mut self.constants[index].decides;
            *known = decides.max(*known);
        }
        index.is_some()
    }

    /// The values of all constants, where these are set.
    pub fn evaluate(&self, set: &SetValues) -> Vec<Option<u64>> {
        self.evaluate_with(&|constant, scalar| scalar.fit(set.of(constant)?))
    }

    /// The values of all constants, where those that a host sets have these.
    fn evaluate_with(&self, given: &dyn Fn(&SpecId, Scalar) -> Option<u64>) -> Vec<Option<u64>> {
        let mut values: Vec<Option<u64>> = Vec::with_capacity(self.constants.len());
        for formula in &self.constants {
            let value = match &formula.source {
                Source::Unknown => None,
                Source::Fixed([low, high]) => Some(u64::from(*high) << 32 | u64::from(*low)),
                Source::Given { .. } => {
                    formula.source.given().and_then(|constant| given(&constant, formula.scalar))
                }
                Source::Operation(op, inputs) => {
                    let operand = |index: u32| {
                        let input = self.constants.get(index as usize)?;
                        Some(Operand { scalar: input.scalar, value: values[index as usize] })
                    };
                    fold_constant(*op, formula.scalar, inputs.map(operand))
                }
                Source::Component(index) => values[*index as usize],
            };
            values.push(value);
        }
        values
    }

    /// The branches that these values decide.
    pub fn decided(&self, analyses: &Analyses, set: &SetValues, values: Vec<Option<u64>>) -> Decided<'_> {
        let mut branches = Vec::new();
        if !self.has_others && !self.functions.is_empty() {
            let functions = analyses.module().functions();
            analyses.with_flow(|flow| {
                for &at in &self.functions {
                    flow.read(&functions[at as usize]);
                    flow.solve(&mut |id| self.index(id).and_then(|index| values[index]));
                    branches.reserve_exact(flow.decisions().count());
                    branches.extend(flow.decisions().map(|(block, target)| (at, block, target)));
                }
            });
        }
        let fits = |(formula, value): (&Formula, &Option<u64>)| {
            value.is_some() || formula.source.given().is_none_or(|constant| set.of(&constant).is_none())
        };
        let fit = !self.has_others && self.constants.iter().zip(&values).all(fits);
        let keeps_limits = self.keep_limits(analyses, &values);
        Decided { formulas: self, values, branches, fit, keeps_limits }
    }
}

/// Returns the default of a specialization constant.
fn literal(module: &Module, id: u32, scalar: Scalar) -> Option<u64> {
    let inst = module.definition(id)?;
    match inst.op()? {
        Op::SpecConstantTrue => Some(1),
        Op::SpecConstantFalse => Some(0),
        _ => scalar.literal(views::Value(inst).operands()),
    }
}

/// The constants that no host sets.
struct Fixed<'m> {
    constants: Constants<'m>,
    /// Those that have a formula, by id.
    by_id: BTreeMap<u32, u32>,
}

/// The constant that an OpCompositeExtract takes out of a composite of constants.
fn component(module: &Module, operation: views::SpecConstantOp) -> Option<u32> {
    let &[composite, index] = operation.operands() else { return None };
    let composite = module.definition(composite)?;
    let is_composite = matches!(composite.op(), Some(Op::ConstantComposite | Op::SpecConstantComposite));
    views::Value(composite).operands().get(index as usize).copied().filter(|_| is_composite)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_takes_what_it_is_said_to_take() {
        assert_eq!(size_of::<Formula>(), 32);
    }
}
