//! The reference graph, along which presence conditions and requirements propagate.
//!
//! The nodes are the functions and the module-scope definitions. For a function, only its references to ids outside of it are kept, each id
//! once. The references of a definition are read from its words on each visit.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use spirv::{Decoration, Op};

use crate::analysis::conditional::calls::{Action, ConditionalCall, ConditionalCalls};
use crate::analysis::conditional::existing_conditions::ExistingConditions;
use crate::analysis::debug::is_weak;
use crate::analysis::requirements::{InstructionRequirements, RequirementSet};
use crate::condition::{ConditionError, ConditionId, Conditions};
use crate::loader::{Instruction, Module, SetKind, grammar, views};

/// A reference that matters only where a condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ConditionalReference {
    pub target: u32,
    pub condition: ConditionId,
}

/// The references in a module, and the requirements of its functions.
pub(crate) struct ReferenceGraph<'m> {
    module: &'m Module<'m>,
    /// The unconditional references of each function, as a range of `targets`.
    ranges: Vec<(u32, u32)>,
    targets: Vec<u32>,
    /// The conditional references of each function.
    conditional: Vec<Vec<ConditionalReference>>,
    /// The requirements of the unconditional instructions of each function.
    pub requirements: Vec<RequirementSet>,
    /// The requirements of conditional instructions: index of the function, condition and requirements; in the order of the
    /// functions.
    pub conditional_requirements: Vec<(usize, ConditionId, RequirementSet)>,
    /// The references of decorations, as (decorated id, id), sorted.
    decorations: Vec<(u32, u32)>,
    /// True for each id that anything refers to. Names, decorations, interface lists, entry points and debug information do not.
    pub referenced: Vec<bool>,
    /// The ids that are kept although nothing in `targets` refers to them. Debug information outside of functions names them, or
    /// instructions outside the grammar may, or conditions in the module use them.
    pub kept: Vec<u32>,
    /// The conditions already in the module.
    pub existing: ExistingConditions,
}

impl<'m> ReferenceGraph<'m> {
    /// Reads a module. `decorated` is the condition that an id already has.
    pub fn read(
        module: &'m Module<'m>,
        calls: &ConditionalCalls,
        decorated: impl Fn(u32) -> Option<u32>,
        requirements: &InstructionRequirements,
        conditions: &mut Conditions,
    ) -> Result<ReferenceGraph<'m>, ConditionError> {
        let bound = module.bound() as usize;
        let constants = calls.regions.constants.iter().map(|(&id, bound)| (id, &bound.condition));
        let mut graph = ReferenceGraph {
            module,
            ranges: Vec::new(),
            targets: Vec::new(),
            conditional: Vec::new(),
            requirements: Vec::new(),
            conditional_requirements: Vec::new(),
            decorations: Vec::new(),
            referenced: vec![false; bound],
            kept: Vec::new(),
            existing: ExistingConditions::new(constants, conditions)?,
        };
        graph.read_globals();
        let mut body = BodyScan {
            last_seen: vec![0; bound],
            number: 0,
            last_number: 0,
            range: 0..0,
            calls: &calls.calls,
            decorated,
        };
        for function in module.functions() {
            let start = graph.targets.len() as u32;
            let mut required = RequirementSet::EMPTY;
            body.number = body.fresh_number();
            body.range = function.start..function.end;
            graph.conditional.push(Vec::new());
            let carriers = body.carriers();
            let mut region = calls.regions.in_function(graph.requirements.len()).iter().peekable();
            let moving = body.moving(conditions)?;
            let plain = region.peek().is_none() && carriers.is_empty() && moving.is_empty();
            for inst in module.body(function) {
                if plain {
                    requirements.add(&inst, &mut required);
                    graph.read_instruction(&mut body, inst, conditions)?;
                    continue;
                }
                while region.next_if(|region| region.range.end <= inst.offset()).is_some() {}
                if carriers.binary_search(&inst.offset()).is_ok() {
                    // A call among them is never taken.
                    match body.call_at(inst.offset()) {
                        Some(_) => {
                            let never = ConditionId::FALSE;
                            graph.read_guarded(&mut body, inst, never, requirements, conditions)?;
                        }
                        None => graph.mark_referenced(&inst),
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
                        graph.read_guarded(&mut body, inst, condition, requirements, conditions)?;
                    }
                    continue;
                }
                if guard.is_none() {
                    body.add_requirements(module, &inst, requirements, &mut required);
                }
                if guard.is_some() {
                    graph.read_guarded(&mut body, inst, guarding, requirements, conditions)?;
                } else {
                    graph.read_instruction(&mut body, inst, conditions)?;
                }
            }
            if plain {
                body.inside().for_each(|call| add_preparation(module, call, requirements, &mut required));
            }
            graph.remove_duplicates();
            graph.ranges.push((start, graph.targets.len() as u32));
            graph.requirements.push(required);
        }
        Ok(graph)
    }

    fn mark_referenced(&mut self, inst: &Instruction) {
        // It does not refer to itself.
        let result = inst.result_id().unwrap_or(0) as usize;
        let before = self.referenced[result];
        self.module.walk(inst, &mut |_, id: u32| self.referenced[id as usize] = true);
        self.referenced[result] = before;
    }

    /// References between module-scope instructions that are not read off later.
    fn read_globals(&mut self) {
        let mut last = None;
        for inst in self.module.outside_functions() {
            match inst.op() {
                Some(
                    Op::Decorate
                    | Op::DecorateId
                    | Op::MemberDecorate
                    | Op::DecorateString
                    | Op::MemberDecorateString,
                ) => match views::Decoration::with(inst, Decoration::ConditionalINTEL) {
                    Some(decoration) => self.kept.push(decoration.condition()),
                    None => self.read_decoration(views::Decoration(inst)),
                },
                Some(Op::ConditionalCapabilityINTEL) => {
                    self.kept.extend(views::Capability(inst).condition());
                }
                Some(Op::ConditionalExtensionINTEL) => self.kept.extend(views::Extension(inst).condition()),
                Some(Op::ConditionalEntryPointINTEL) => {
                    self.kept.extend(views::EntryPoint(inst).condition());
                }
                Some(Op::ExtInst | Op::ExtInstWithForwardRefsKHR) => self.keep(&inst),
                Some(
                    Op::TypeStructContinuedINTEL
                    | Op::ConstantCompositeContinuedINTEL
                    | Op::SpecConstantCompositeContinuedINTEL,
                ) => {
                    // It has no id of its own: it keeps the instruction that it continues.
                    self.kept.extend(last);
                    self.keep(&inst);
                }
                _ if is_definition(&inst) => {
                    last = inst.result_id();
                    self.mark_referenced(&inst);
                }
                None => self.keep(&inst),
                Some(_) => {}
            }
        }
        self.decorations.sort_unstable();
    }

    /// The ids in the operands of a decoration are references of the decorated id.
    fn read_decoration(&mut self, decoration: views::Decoration) {
        let target = decoration.target();
        let (module, is_node) = (self.module, self.is_node(target));
        module.walk(&decoration, &mut |at, id: u32| {
            if at > 1 && is_node {
                self.decorations.push((target, id));
                self.referenced[id as usize] = true;
            } else if at > 1 {
                self.kept.push(id);
            }
        });
    }

    /// True if an id has a presence condition: not one inside a function, nor a decoration group.
    fn is_node(&self, id: u32) -> bool {
        let definition = self.module.definition(id);
        definition
            .is_some_and(|inst| inst.is(Op::Function) || (self.module.is_global(id) && is_definition(&inst)))
    }

    /// Keeps the ids that debug information and unknown instructions name, except for ids that debug information describes.
    fn keep(&mut self, inst: &Instruction) {
        let semantic = matches!(self.module.set_kind(inst), None | Some(SetKind::Semantic));
        let result = inst.result_id();
        let (module, kept) = (self.module, &mut self.kept);
        module.walk(inst, &mut |_, id: u32| {
            let strong = semantic || (module.is_global(id) && !is_weak(module, inst, id));
            if Some(id) != result && strong {
                kept.push(id);
            }
        });
    }

    fn read_instruction<D: Fn(u32) -> Option<u32>>(
        &mut self,
        body: &mut BodyScan<D>,
        inst: Instruction<'m>,
        conditions: &mut Conditions,
    ) -> Result<(), ConditionError> {
        match inst.op() {
            Some(Op::ExtInst | Op::ExtInstWithForwardRefsKHR)
                if self.module.set_kind(&inst) != Some(SetKind::Semantic) =>
            {
                // The call is removed with its function, so its operands are required only where the function is.
                let module = self.module;
                self.read_operands(body, &inst, |_, id| module.is_global(id) && !is_weak(module, &inst, id));
            }
            Some(Op::FunctionCall) => return self.read_call(body, inst, conditions),
            _ => self.read_operands(body, &inst, ALL),
        }
        Ok(())
    }

    /// The operands of an instruction for which `counts` holds, by word and id, are unconditional references.
    #[inline]
    fn read_operands<D>(
        &mut self,
        body: &mut BodyScan<D>,
        inst: &Instruction,
        counts: impl Fn(usize, u32) -> bool,
    ) {
        let (module, targets, referenced) = (self.module, &mut self.targets, &mut self.referenced);
        module.walk(inst, &mut |at, id: u32| {
            let seen = &mut body.last_seen[id as usize];
            if *seen == body.number {
                return;
            }
            let outside = module.definition_offset(id).is_some_and(|offset| !body.range.contains(&offset));
            if !outside {
                *seen = body.number;
            } else if counts(at, id) {
                *seen = body.number;
                referenced[id as usize] = true;
                targets.push(id);
            }
        });
    }

    /// Adds an unconditional reference to an id from outside of the function.
    fn read_id<D>(&mut self, body: &mut BodyScan<D>, id: u32) {
        let seen = &mut body.last_seen[id as usize];
        if std::mem::replace(seen, body.number) != body.number {
            self.referenced[id as usize] = true;
            self.targets.push(id);
        }
    }

    /// Reads an instruction of a guarded region: its references and requirements are conditional. Its carriers do not matter
    /// here.
    fn read_guarded<D: Fn(u32) -> Option<u32>>(
        &mut self,
        body: &mut BodyScan<D>,
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
        let (number, before) = (body.number, self.targets.len());
        let before_call = self.conditional.last().map_or(0, Vec::len);
        body.number = body.fresh_number();
        self.read_instruction(body, inst, conditions)?;
        body.number = number;
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
    fn read_call<D: Fn(u32) -> Option<u32>>(
        &mut self,
        body: &mut BodyScan<D>,
        inst: Instruction<'m>,
        conditions: &mut Conditions,
    ) -> Result<(), ConditionError> {
        let (call, decoration) =
            (body.call_at(inst.offset()), (body.decorated)(views::FunctionCall(inst).id()));
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
                    for type_ in call.casts(self.module).filter_map(|(_, type_)| type_) {
                        self.read_id(body, type_);
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
        let from = self.decorations.partition_point(|&(target, _)| target < id);
        for &(_, used) in self.decorations[from..].iter().take_while(|&&(target, _)| target == id) {
            visit(used);
        }
        match self.module.function_index(id) {
            Some(index) => {
                let (start, end) = self.ranges[index];
                self.targets[start as usize..end as usize].iter().copied().for_each(visit);
            }
            None => {
                if let Some(definition) = self.module.definition(id).filter(|inst| is_definition(inst)) {
                    self.module.walk(&definition, &mut |_, used: u32| {
                        if used != id {
                            visit(used);
                        }
                    });
                }
            }
        }
    }

    /// The conditional references of a node.
    pub fn conditional(&self, id: u32) -> &[ConditionalReference] {
        self.module.function_index(id).map_or(&[], |index| &self.conditional[index])
    }
}

/// All operands of an instruction.
const ALL: fn(usize, u32) -> bool = |_, _| true;

/// The state while the bodies of functions are read.
struct BodyScan<'c, D> {
    /// The number of the last function that refers to an id, by id, so that each is visited once.
    last_seen: Vec<u32>,
    number: u32,
    last_number: u32,
    /// The words of the function: an id defined elsewhere is a module-scope definition or another function.
    range: Range<u32>,
    /// The conditional calls that are still ahead.
    calls: &'c [ConditionalCall],
    decorated: D,
}

impl<'c, D> BodyScan<'c, D> {
    fn fresh_number(&mut self) -> u32 {
        self.last_number += 1;
        self.last_number
    }

    /// The instructions of a function that only carry conditions; to be called in the order of the functions.
    fn carriers(&mut self) -> Vec<u32> {
        let before = self.calls.partition_point(|call| call.call < self.range.start);
        self.calls = &self.calls[before..];
        let mut carriers: Vec<u32> = self.inside().flat_map(|call| call.carriers.iter().copied()).collect();
        carriers.sort_unstable();
        carriers
    }

    /// Returns the conditions of the calls that an instruction can move with, by instruction.
    fn moving(&self, conditions: &mut Conditions) -> Result<BTreeMap<u32, Vec<ConditionId>>, ConditionError> {
        let mut moving: BTreeMap<u32, Vec<ConditionId>> = BTreeMap::new();
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

    /// The conditional calls in the function.
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

/// True if an instruction, at module scope, defines an id that code refers to and that a condition can decorate.
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
