//! The references of a module with the conditions under which they matter: presence conditions and requirements propagate along them.
//!
//! They are those of the [`ReferenceGraph`], except in functions with conditional calls or guarded regions. These are read again, since
//! annotations decide which of their references have a condition.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use spirv::Op;

use super::graph::{EdgeKinds, OperandCollector, ReferenceGraph};
use crate::analysis::conditional::calls::{Action, ConditionalCall, ConditionalCalls};
use crate::analysis::conditional::existing_conditions::ExistingConditions;
use crate::analysis::conditions::multi_target::MultiTarget;
use crate::analysis::debug::is_weak;
use crate::analysis::requirements::{InstructionRequirements, RequirementSet};
use crate::collections::IdMap;
use crate::condition::{ConditionError, ConditionId, Conditions};
use crate::loader::{Function, Instruction, Module, SetKind, grammar, views};

/// A reference that matters only where a condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ConditionalReference {
    pub target: u32,
    pub condition: ConditionId,
}

/// The references in a module with their conditions, and the requirements of its functions.
pub(crate) struct ConditionalReferences<'m> {
    module: &'m Module<'m>,
    pub references: Arc<ReferenceGraph>,
    /// The unconditional references of each function, as a range of `targets`, or `None` if they are those of `references`.
    ranges: Vec<Option<(u32, u32)>>,
    targets: Vec<u32>,
    /// The conditional references of each function.
    conditional: Vec<Vec<ConditionalReference>>,
    /// The requirements of the unconditional instructions of each function.
    pub requirements: Vec<RequirementSet>,
    /// The requirements of conditional instructions: index of the function, condition and requirements; in the order of the
    /// functions.
    pub conditional_requirements: Vec<(usize, ConditionId, RequirementSet)>,
    /// True for each id that anything refers to. Names, decorations, interface lists, entry points and debug information do not.
    pub referenced: Vec<bool>,
    /// The ids that are kept although nothing in `targets` refers to them. Debug information outside of functions names them, or
    /// instructions outside the grammar may, or conditions in the module use them.
    pub kept: Vec<u32>,
    /// The conditions already in the module.
    pub existing: ExistingConditions,
}

impl<'m> ConditionalReferences<'m> {
    /// Reads a module.
    pub fn read(
        module: &'m Module<'m>,
        references: &Arc<ReferenceGraph>,
        calls: &ConditionalCalls,
        multi_target: &MultiTarget,
        requirements: &InstructionRequirements,
        conditions: &mut Conditions,
    ) -> Result<ConditionalReferences<'m>, ConditionError> {
        let bound = module.bound() as usize;
        let constants = calls.regions.constants.iter().map(|(&id, bound)| (id, &bound.condition));
        let mut graph = ConditionalReferences {
            module,
            references: Arc::clone(references),
            ranges: Vec::new(),
            targets: Vec::new(),
            conditional: Vec::new(),
            requirements: Vec::new(),
            conditional_requirements: Vec::new(),
            referenced: vec![false; bound],
            kept: Vec::new(),
            existing: ExistingConditions::new(constants, conditions)?,
        };
        graph.read_globals();
        let mut body = BodyScan {
            collector: OperandCollector::new(module),
            range: 0..0,
            calls: &calls.calls,
            multi_target,
        };
        for (at, function) in module.functions().iter().enumerate() {
            body.enter(function);
            graph.conditional.push(Vec::new());
            let is_conditional = !calls.regions.in_function(at).is_empty()
                || body.inside().next().is_some()
                || body.has_decorated_call(module, function);
            if is_conditional {
                graph.read_conditional(&mut body, at, calls, requirements, conditions)?;
                continue;
            }
            let mut required = RequirementSet::EMPTY;
            module.body(function).for_each(|inst| requirements.add(&inst, &mut required));
            references.each_target(module, function.id, EdgeKinds::OPERAND, |target| {
                graph.referenced[target as usize] = true;
            });
            graph.ranges.push(None);
            graph.requirements.push(required);
        }
        Ok(graph)
    }

    /// Reads a function in which references may have conditions.
    fn read_conditional(
        &mut self,
        body: &mut BodyScan<'_, 'm>,
        at: usize,
        calls: &ConditionalCalls,
        requirements: &InstructionRequirements,
        conditions: &mut Conditions,
    ) -> Result<(), ConditionError> {
        let (module, start) = (self.module, self.targets.len() as u32);
        let mut required = RequirementSet::EMPTY;
        let carriers = body.carriers();
        let mut region = calls.regions.in_function(at).iter().peekable();
        let moving = body.moving(conditions)?;
        for inst in module.body(&module.functions()[at]) {
            while region.next_if(|region| region.range.end <= inst.offset()).is_some() {}
            if carriers.binary_search(&inst.offset()).is_ok() {
                // A call among them is never taken.
                match body.call_at(inst.offset()) {
                    Some(_) => {
                        let never = ConditionId::FALSE;
                        self.read_guarded(body, inst, never, requirements, conditions)?;
                    }
                    None => self.mark_referenced(&inst),
                }
                continue;
            }
            let guard = region.peek().filter(|region| region.range.contains(&inst.offset()));
            let guarding = match guard {
                Some(guard) => conditions.of_expr(&guard.condition)?,
                None => ConditionId::TRUE,
            };
            if let Some(moving) = moving.get(&inst.offset()) {
                for &condition in moving {
                    let condition = conditions.and(condition, guarding)?;
                    self.read_guarded(body, inst, condition, requirements, conditions)?;
                }
            } else if guard.is_some() {
                self.read_guarded(body, inst, guarding, requirements, conditions)?;
            } else {
                body.add_requirements(module, &inst, requirements, &mut required);
                self.read_instruction(body, inst, conditions)?;
            }
        }
        self.remove_duplicates();
        self.ranges.push(Some((start, self.targets.len() as u32)));
        self.requirements.push(required);
        Ok(())
    }

    fn mark_referenced(&mut self, inst: &Instruction) {
        // It does not refer to itself.
        let result = inst.result_id().unwrap_or(0) as usize;
        let before = self.referenced[result];
        self.module.walk(inst, &mut |_, id: u32| self.referenced[id as usize] = true);
        self.referenced[result] = before;
    }

    /// Reads the references of definitions, and which of them are kept.
    fn read_globals(&mut self) {
        let (module, references) = (self.module, Arc::clone(&self.references));
        self.kept.extend(references.module_targets(EdgeKinds::OPERAND | EdgeKinds::CONDITION));
        // A condition of a definition would not be one of the instructions that continue it.
        self.kept.extend_from_slice(&references.continued);
        self.kept.extend(references.attributes(EdgeKinds::CONDITION).map(|(_, condition)| condition));
        for (target, id) in references.attributes(EdgeKinds::DECORATION) {
            match self.is_node(target) {
                true => self.referenced[id as usize] = true,
                false => self.kept.push(id),
            }
        }
        for inst in module.outside_functions() {
            let Some(id) = inst.result_id() else { continue };
            let is_kept = inst.op().is_none() || module.set_kind(&inst).is_some();
            let is_definition = is_definition(&inst);
            references.each_target(module, id, EdgeKinds::OPERAND, |used| {
                if is_definition {
                    self.referenced[used as usize] = true;
                } else if is_kept {
                    self.kept.push(used);
                }
            });
        }
    }

    /// Returns true if an id has a presence condition: not one inside a function, nor a decoration group.
    fn is_node(&self, id: u32) -> bool {
        let definition = self.module.definition(id);
        definition
            .is_some_and(|inst| inst.is(Op::Function) || (self.module.is_global(id) && is_definition(&inst)))
    }

    fn read_instruction(
        &mut self,
        body: &mut BodyScan<'_, 'm>,
        inst: Instruction<'m>,
        conditions: &mut Conditions,
    ) -> Result<(), ConditionError> {
        match inst.op() {
            _ if self.module.set_kind(&inst).is_some_and(|kind| kind != SetKind::Semantic) => {
                // The call is removed with its function, so its operands are required only where the function is.
                let module = self.module;
                self.read_operands(body, &inst, |_, id| module.is_global(id) && !is_weak(module, &inst, id));
            }
            Some(Op::FunctionCall) => return self.read_call(body, inst, conditions),
            _ => self.read_operands(body, &inst, ALL),
        }
        Ok(())
    }

    /// Returns the operands of an instruction for which `counts` holds, by word and id, are unconditional references.
    fn read_operands(
        &mut self,
        body: &mut BodyScan<'_, 'm>,
        inst: &Instruction,
        counts: impl Fn(usize, u32) -> bool,
    ) {
        self.module.walk(inst, &mut |at, id: u32| {
            if counts(at, id) && body.collector.adds(id) {
                self.referenced[id as usize] = true;
                self.targets.push(id);
            }
        });
    }

    /// Reads an instruction of a guarded region: its references and requirements are conditional. Its carriers do not matter
    /// here.
    fn read_guarded(
        &mut self,
        body: &mut BodyScan<'_, 'm>,
        inst: Instruction<'m>,
        condition: ConditionId,
        requirements: &InstructionRequirements,
        conditions: &mut Conditions,
    ) -> Result<(), ConditionError> {
        let mut required = RequirementSet::EMPTY;
        body.add_requirements(self.module, &inst, requirements, &mut required);
        let at = self.ranges.len();
        match self.conditional_requirements.last_mut() {
            _ if required.is_empty() => {}
            Some((function, when, set)) if *function == at && *when == condition => {
                set.extend(&required);
            }
            _ => self.conditional_requirements.push((at, condition, required)),
        }
        // Its unconditional references are references where it runs.
        let (number, before) = (body.collector.number, self.targets.len());
        let before_call = self.conditional.last().map_or(0, Vec::len);
        body.collector.restart();
        self.read_instruction(body, inst, conditions)?;
        body.collector.number = number;
        if let Some(references) = self.conditional.last_mut() {
            for used in &mut references[before_call..] {
                used.condition = conditions.and(used.condition, condition)?;
            }
            references.extend(
                self.targets.drain(before..).map(|target| ConditionalReference { target, condition }),
            );
        }
        Ok(())
    }

    /// Removes duplicates of the conditional references of a function.
    fn remove_duplicates(&mut self) {
        if let Some(references) = self.conditional.last_mut()
            && !references.is_empty()
        {
            let mut seen = HashSet::new();
            references.retain(|used| seen.insert((used.target, used.condition)));
        }
    }

    /// Reads a call. The callee, its result type, and the operands that a conditional caller passes to its action are referenced only where
    /// the call is taken. Its arguments, and the instructions that prepare them, are references of its caller.
    fn read_call(
        &mut self,
        body: &mut BodyScan<'_, 'm>,
        inst: Instruction<'m>,
        conditions: &mut Conditions,
    ) -> Result<(), ConditionError> {
        let (call, decoration) =
            (body.call_at(inst.offset()), body.multi_target.condition(views::FunctionCall(inst).id()));
        if call.is_none() && decoration.is_none() {
            self.read_operands(body, &inst, ALL);
            return Ok(());
        }
        self.mark_referenced(&inst);
        let mut condition = match decoration {
            Some(decoration) => self.existing.condition(self.module, decoration, conditions)?,
            None => ConditionId::TRUE,
        };
        let mut callee = views::FunctionCall(inst).callee();
        let mut passed = 4..usize::MAX;
        let mut handed = Vec::new();
        if let Some(call) = call {
            let call_condition = conditions.of_expr(&call.condition)?;
            if !call.otherwise.is_empty() {
                // The call always has a result.
                self.read_operands(body, &inst, |at, _| at == 1);
            }
            for (replaced_when, otherwise) in &call.otherwise {
                let replaced_when = conditions.of_expr(replaced_when)?;
                let condition = conditions.and(condition, replaced_when)?;
                if let (Some(target), Some(references)) = (otherwise.function(), self.conditional.last_mut())
                {
                    self.referenced[target as usize] = true;
                    references.push(ConditionalReference { target, condition });
                }
            }
            condition = conditions.and(condition, call_condition)?;
            callee = call.function;
            passed = call.passed.clone();
            match &call.action {
                Action::Wrapped(wrapper) => {
                    for &offset in &wrapper.preparation {
                        self.read_operands(body, &self.module.instruction(offset), ALL);
                    }
                    handed.extend(wrapper.global_arguments(self.module));
                }
                Action::Pointer => {
                    let types = call.casts(self.module).filter_map(|(_, type_)| type_);
                    for type_ in types.filter(|&type_| body.collector.adds(type_)) {
                        self.referenced[type_ as usize] = true;
                        self.targets.push(type_);
                    }
                }
                Action::Caller => {}
            }
        }
        self.read_operands(body, &inst, |at, _| passed.contains(&at));
        let result_type = self.module.definition(callee).and_then(|callee| callee.result_type());
        let targets = [Some(callee), result_type].into_iter().flatten().chain(handed);
        if let Some(conditional) = self.conditional.last_mut() {
            conditional.extend(targets.map(|target| ConditionalReference { target, condition }));
        }
        Ok(())
    }

    /// Visits the unconditional references of a node.
    pub fn for_each(&self, id: u32, mut visit: impl FnMut(u32)) {
        let (module, references) = (self.module, &self.references);
        match module.function_index(id).and_then(|index| self.ranges[index]) {
            Some((start, end)) => {
                references.each_target(module, id, EdgeKinds::DECORATION, &mut visit);
                self.targets[start as usize..end as usize].iter().copied().for_each(visit);
            }
            None => references.each_target(module, id, EdgeKinds::OPERAND | EdgeKinds::DECORATION, visit),
        }
    }

    /// Returns the conditional references of a node.
    pub fn conditional(&self, id: u32) -> &[ConditionalReference] {
        self.module.function_index(id).map_or(&[], |index| &self.conditional[index])
    }
}

/// All operands of an instruction.
const ALL: fn(usize, u32) -> bool = |_, _| true;

/// The state while the bodies of functions are read.
struct BodyScan<'c, 'm> {
    collector: OperandCollector<'m>,
    /// The words of the function.
    range: Range<u32>,
    /// The conditional calls that are still ahead.
    calls: &'c [ConditionalCall],
    /// The conditions that ids have already.
    multi_target: &'c MultiTarget,
}

impl<'c> BodyScan<'c, '_> {
    /// Turns to the next function.
    fn enter(&mut self, function: &Function) {
        self.collector.enter(function);
        self.range = function.start..function.end;
        let before = self.calls.partition_point(|call| call.call < function.start);
        self.calls = &self.calls[before..];
    }

    /// Returns true if a call in a function has a condition already.
    fn has_decorated_call(&self, module: &Module, function: &Function) -> bool {
        let mut calls = module.body(function).filter_map(views::FunctionCall::new);
        !self.multi_target.is_empty() && calls.any(|call| self.multi_target.condition(call.id()).is_some())
    }

    /// Returns the instructions of the function that only carry conditions.
    fn carriers(&self) -> Vec<u32> {
        let mut carriers: Vec<u32> = self.inside().flat_map(|call| call.carriers.iter().copied()).collect();
        carriers.sort_unstable();
        carriers
    }

    /// Returns the conditions of the calls that an instruction can move with, by instruction.
    fn moving(&self, conditions: &mut Conditions) -> Result<IdMap<Vec<ConditionId>>, ConditionError> {
        let mut moving: IdMap<Vec<ConditionId>> = IdMap::new();
        for call in self.inside() {
            let Some(with_it) = &call.movable else { continue };
            let condition = conditions.of_expr(&call.condition)?;
            for &offset in with_it.iter().chain([&call.call]) {
                let of_inst = moving.entry(offset).or_default();
                if !of_inst.contains(&condition) {
                    of_inst.push(condition);
                }
            }
        }
        Ok(moving)
    }

    /// Returns the conditional calls in the function.
    fn inside(&self) -> impl Iterator<Item = &'c ConditionalCall> {
        let end = self.range.end;
        self.calls.iter().take_while(move |call| call.call < end)
    }

    /// Adds the requirements of an instruction, and of a conditional call, those of the instructions that prepare the
    /// arguments of its action.
    fn add_requirements(
        &self,
        module: &Module,
        inst: &Instruction,
        requirements: &InstructionRequirements,
        required: &mut RequirementSet,
    ) {
        requirements.add(inst, required);
        if inst.is(Op::FunctionCall)
            && let Some(call) = self.call_at(inst.offset())
        {
            add_preparation(module, call, requirements, required);
        }
    }

    fn call_at(&self, offset: u32) -> Option<&'c ConditionalCall> {
        let at = self.calls.binary_search_by_key(&offset, |call| call.call).ok()?;
        Some(&self.calls[at])
    }
}

/// Adds the requirements of the instructions that prepare the arguments of an action.
fn add_preparation(
    module: &Module,
    call: &ConditionalCall,
    requirements: &InstructionRequirements,
    required: &mut RequirementSet,
) {
    if let Action::Wrapped(wrapper) = &call.action {
        wrapper
            .preparation
            .iter()
            .for_each(|&offset| requirements.add(&module.instruction(offset), required));
    }
}

/// Returns true if an instruction, at module scope, defines an id that code refers to and that a condition can decorate.
#[inline]
pub fn is_definition(inst: &Instruction) -> bool {
    static DEFINITIONS: LazyLock<Vec<bool>> = LazyLock::new(|| {
        let definitions = grammar::instructions().map(|inst| {
            let other = matches!(
                inst.op(),
                Some(Op::Variable | Op::UntypedVariableKHR | Op::Undef | Op::ExtInstImport)
            );
            other || inst.is_of_types() && inst.op() != Some(Op::TypeForwardPointer)
        });
        definitions.collect()
    });
    DEFINITIONS.get(grammar::number(inst.opcode())) == Some(&true)
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::analysis::Analyses;
    use crate::loader::literal;
    use crate::test_support::instruction;

    /// Returns a module with unconditional code, and everything that keeps constants 7, 13 to 17 and type 11 outside of functions.
    fn module() -> Vec<u32> {
        let inst = |op: Op, operands: &[u32]| instruction(op as u16, operands);
        let decorated =
            |id: u32, by: u32| inst(Op::DecorateId, &[id, spirv::Decoration::UniformId as u32, by]);
        let class = spirv::StorageClass::Private as u32;
        let insts = [
            inst(Op::ExtInstImport, &[&[1][..], &literal("NonSemantic.Other")].concat()),
            decorated(8, 7),
            decorated(9, 13),
            decorated(10, 14),
            decorated(25, 15),
            inst(Op::DecorationGroup, &[10]),
            inst(Op::TypeVoid, &[2]),
            inst(Op::TypeFunction, &[3, 2]),
            inst(Op::TypeBool, &[4]),
            [7, 13, 14, 15, 16, 17].map(|id| inst(Op::ConstantTrue, &[4, id])).concat(),
            inst(Op::TypeStruct, &[11, 4]),
            inst(Op::TypeStructContinuedINTEL, &[4]),
            inst(Op::TypePointer, &[5, class, 4]),
            inst(Op::Variable, &[5, 8, class]),
            inst(Op::ExtInst, &[2, 22, 1, 5, 16]),
            instruction(UNKNOWN, &[17]),
            inst(Op::Function, &[2, 9, 0, 3]),
            inst(Op::Label, &[24]),
            inst(Op::Undef, &[4, 25]),
            inst(Op::Store, &[8, 25]),
            inst(Op::Return, &[]),
            inst(Op::FunctionEnd, &[]),
        ];
        [vec![spirv::MAGIC_NUMBER, 0x0001_0600, 0, 30, 0], insts.concat()].concat()
    }

    /// An opcode that no grammar has.
    const UNKNOWN: u16 = 60000;

    #[test]
    fn ids_are_referenced_by_nodes_or_kept() {
        let words = module();
        let module = Module::from_words(&words).unwrap();
        let analyses = Analyses::new(&module, Cow::default());
        let graph = ConditionalReferences::read(
            &module,
            analyses.references(),
            analyses.calls().unwrap(),
            analyses.multi_target().unwrap(),
            analyses.declared_requirements().unwrap(),
            &mut Conditions::new(),
        );
        let mut graph = graph.unwrap();
        graph.kept.sort_unstable();
        graph.kept.dedup();
        // By the non-semantic instruction with its set and type, decorations of what has no condition, and the unknown instruction.
        assert_eq!(graph.kept, [1, 2, 11, 14, 15, 16, 17]);
        // By definitions, decorations of a variable and a function, and code.
        let referenced =
            (0..).zip(&graph.referenced).filter_map(|(id, &is_referenced)| is_referenced.then_some(id));
        assert_eq!(referenced.collect::<Vec<u32>>(), [2, 3, 4, 5, 7, 8, 13]);
        let mut unconditional = Vec::new();
        graph.for_each(9, |id| unconditional.push(id));
        graph.for_each(8, |id| unconditional.push(id));
        assert_eq!(unconditional, [13, 2, 3, 4, 8, 7, 5]);
    }
}
