//! Instructions that can move with conditional calls. If a function with both is called in place of a call, the instructions that only
//! prepare its arguments run where the call is taken.

use std::collections::{BTreeSet, HashSet};

use spirv::{Op, StorageClass};

use super::calls::ConditionalCall;
use super::effects::is_pure;
use super::preparation::unneeded_without;
use crate::analysis::debug::is_debug;
use crate::collections::IdMap;
use crate::loader::{Function, Instruction, Module, SetKind, views};

/// The maximum number of calls that share a preparation, each with a copy of it, where copies would be many times as long as the original.
/// Beyond it the preparation does not move, as the result could be quadratic.
const MAX_COPIES: usize = 8;

/// Finds the instructions that can move with each of these calls, which are in the order of the module.
pub fn find(module: &Module, calls: &mut [ConditionalCall]) {
    for of_holder in calls.chunk_by_mut(|one, other| one.holder == other.holder) {
        let Some(function) = module.function(of_holder[0].holder) else { continue };
        let mut moving = find_in_function(module, function, of_holder);
        for call in of_holder {
            call.movable = moving.remove(&call.call);
        }
    }
}

/// Finds the instructions that move with each call that can be replaced.
fn find_in_function(module: &Module, function: &Function, calls: &[ConditionalCall]) -> IdMap<Vec<u32>> {
    let mut calls: Vec<&ConditionalCall> = calls.iter().filter(|call| call.otherwise.is_empty()).collect();
    let body = ConditionalBody::new(module, function);
    loop {
        if calls.is_empty() {
            return IdMap::new();
        }
        let moving = body.moving(&calls);
        let before = calls.len();
        calls.retain(|call| body.is_replaceable(call, &moving[&call.call]));
        if calls.len() == before {
            return moving.into_iter().map(|(call, moving)| (call, moving.into_iter().collect())).collect();
        }
    }
}

/// The body of a function with conditional calls.
struct ConditionalBody<'m> {
    module: &'m Module<'m>,
    function: &'m Function,
    /// The instructions of the function, each with the number of its block.
    instructions: Vec<(Instruction<'m>, usize)>,
}

impl<'m> ConditionalBody<'m> {
    fn new(module: &'m Module<'m>, function: &'m Function) -> ConditionalBody<'m> {
        let mut block = 0;
        let numbered = |inst: Instruction<'m>| {
            block += usize::from(inst.is(Op::Label));
            (inst, block)
        };
        ConditionalBody { module, function, instructions: module.body(function).map(numbered).collect() }
    }

    /// Returns the place of an instruction of the body among all.
    fn place(&self, offset: u32) -> usize {
        self.instructions.partition_point(|(inst, _)| inst.offset() < offset)
    }

    fn block(&self, offset: u32) -> usize {
        self.instructions.get(self.place(offset)).map_or(0, |(_, block)| *block)
    }

    /// Returns the instruction of the body that defines an id.
    fn inside(&self, id: u32) -> Option<Instruction<'m>> {
        let range = self.function.start..self.function.end;
        self.module.definition(id).filter(|inst| range.contains(&inst.offset()))
    }

    /// Finds the instructions that move with each call if all these calls move.
    fn moving(&self, calls: &[&ConditionalCall]) -> IdMap<BTreeSet<u32>> {
        let offsets: HashSet<u32> = calls.iter().map(|call| call.call).collect();
        let idle = unneeded_without(self.module, self.function, &offsets);
        let idle: Vec<Instruction> = idle.into_iter().map(|offset| self.module.instruction(offset)).collect();
        let mut slices =
            ArgumentSlices { body: self, stores: IdMap::new(), loads: IdMap::new(), idle: HashSet::new() };
        for inst in idle.iter().filter(|inst| !is_debug(self.module, inst)) {
            slices.idle.insert(inst.offset());
            if let Some(variable) = written(inst).and_then(|pointer| self.variable(pointer)) {
                slices.stores.entry(variable).or_default().push(*inst);
            }
            if let Some(load) = views::Load::new(*inst)
                && let Some(variable) = self.variable(load.pointer())
            {
                slices.loads.entry(variable).or_default().push(*inst);
            }
        }
        let (mut moving, times) = slices.find_all(calls);
        let in_order =
            moving.iter().flat_map(|(&call, slice)| slice.iter().map(move |&offset| (offset, call)));
        let instructions = in_order.map(|(offset, call)| (self.module.instruction(offset), call));
        let instructions: Vec<(Instruction, u32)> = instructions.collect();
        let mut staying: HashSet<u32> = HashSet::new();
        if times.values().sum::<usize>() > slices.most_copies() {
            staying.extend(times.iter().filter(|(_, times)| **times > MAX_COPIES).map(|(&offset, _)| offset));
        }
        for &(inst, call) in instructions.iter().filter(|(inst, _)| inst.is(Op::Variable)) {
            if !slices.can_move_variable(views::Variable(inst), call, times[&inst.offset()] == 1) {
                staying.insert(inst.offset());
            }
        }
        for &(inst, call) in instructions.iter().filter(|(inst, _)| inst.is(Op::Load)) {
            let variable = self.variable(views::Load(inst).pointer()).and_then(|id| self.inside(id));
            let moves = |variable: Instruction| {
                slices.idle.contains(&variable.offset()) && !staying.contains(&variable.offset())
            };
            if !variable.is_some_and(moves) && !self.is_unchanged(inst, call) {
                staying.insert(inst.offset());
            }
        }
        let staying = slices.with_operands(staying);
        moving.values_mut().for_each(|slice| slice.retain(|offset| !staying.contains(offset)));
        moving
    }

    /// Returns true if a function with a call and these instructions can take its operands from elsewhere as
    /// parameters.
    fn is_replaceable(&self, call: &ConditionalCall, moving: &BTreeSet<u32>) -> bool {
        let inst = self.module.instruction(call.call);
        let is_read = |at: &usize| !call.passed.contains(at) || call.stated.contains(at);
        let moves = |id: u32| self.inside(id).is_none_or(|inst| moving.contains(&inst.offset()));
        // The condition is read from constants.
        let reads = (4..inst.words().len()).filter(is_read).all(|at| moves(inst.word(at)));
        reads
            && call.carriers.iter().all(|carrier| moving.contains(carrier))
            && inputs(self.module, self.function, call, moving.iter().copied())
                .into_iter()
                .all(|id| self.can_be_parameter(id))
    }

    /// Returns true if a value can be passed to a function.
    fn can_be_parameter(&self, id: u32) -> bool {
        let type_ = self.module.type_of(id).and_then(|type_| self.module.definition(type_));
        let Some(type_) = type_ else { return false };
        if let Some(pointer) = views::AnyPointer::new(type_) {
            let is_object = self
                .inside(id)
                .is_some_and(|inst| matches!(inst.op(), Some(Op::Variable | Op::FunctionParameter)));
            return pointer.storage_class() != StorageClass::PhysicalStorageBuffer as u32
                && (is_object || self.module.has_addresses());
        }
        matches!(
            type_.op(),
            Some(
                Op::TypeBool
                    | Op::TypeInt
                    | Op::TypeFloat
                    | Op::TypeVector
                    | Op::TypeMatrix
                    | Op::TypeArray
                    | Op::TypeStruct
            )
        )
    }

    /// Returns the variable that a pointer points into.
    fn variable(&self, pointer: u32) -> Option<u32> {
        let variable = self.module.pointer_root(pointer).and_then(views::Variable::new)?;
        Some(variable.id())
    }

    /// Returns true if no instruction between a load and a call of its block writes to the loaded memory.
    fn is_unchanged(&self, load: Instruction, call: u32) -> bool {
        let variable = self.variable(views::Load(load).pointer());
        let class = variable.and_then(|id| self.module.definition(id)).and_then(views::Variable::new);
        let class = class.map(|variable| variable.storage_class());
        let read_only = [StorageClass::Input, StorageClass::UniformConstant, StorageClass::PushConstant];
        if read_only.iter().any(|&read_only_class| class == Some(read_only_class as u32)) {
            return true;
        }
        let (from, to) = (self.place(load.offset()), self.place(call));
        let between = self.instructions.get(from..to);
        between.is_some_and(|between| {
            between.iter().all(|(inst, block)| {
                *block == self.instructions[to].1 && self.leaves_unchanged(inst, variable)
            })
        })
    }

    /// Returns true if an instruction does not write to a variable; to no memory at all, if that is not known.
    fn leaves_unchanged(&self, inst: &Instruction, variable: Option<u32>) -> bool {
        match inst.op() {
            Some(Op::Store) => {
                let stored = self.variable(views::Store(*inst).pointer());
                stored.is_some() && variable.is_some() && stored != variable
            }
            Some(Op::Load | Op::Variable | Op::Line | Op::NoLine) => true,
            Some(Op::ExtInst) if self.module.set_kind(inst) != Some(SetKind::Semantic) => true,
            _ => is_pure(self.module, inst),
        }
    }
}

/// Returns the pointer through which an instruction writes.
fn written(inst: &Instruction) -> Option<u32> {
    match inst.op() {
        Some(Op::Store) => Some(views::Store(*inst).pointer()),
        Some(Op::LifetimeStart | Op::LifetimeStop) => Some(inst.word(1)),
        _ => None,
    }
}

/// The instructions that nothing needs without some calls.
struct ArgumentSlices<'b, 'm> {
    body: &'b ConditionalBody<'m>,
    idle: HashSet<u32>,
    /// The stores, by variable.
    stores: IdMap<Vec<Instruction<'m>>>,
    /// The loads, by variable.
    loads: IdMap<Vec<Instruction<'m>>>,
}

impl<'m> ArgumentSlices<'_, 'm> {
    /// Returns the maximum number of instructions in all copies, if some belong to many calls.
    fn most_copies(&self) -> usize {
        MAX_COPIES * self.idle.len()
    }

    /// Finds the instructions that prepare the arguments of each call, and the number of calls of each instruction. Where copies would
    /// become too many, an instruction of several calls is not followed.
    fn find_all(&self, calls: &[&ConditionalCall]) -> (IdMap<BTreeSet<u32>>, IdMap<usize>) {
        let (mut times, mut count) = (IdMap::new(), 0);
        let mut slices = IdMap::new();
        for call in calls {
            let follows_all = count <= self.most_copies();
            let slice = self.slice(call, follows_all, &mut times);
            count += slice.len();
            slices.insert(call.call, slice);
        }
        (slices, times)
    }

    fn slice(&self, call: &ConditionalCall, follows_all: bool, times: &mut IdMap<usize>) -> BTreeSet<u32> {
        let call = views::FunctionCall(self.body.module.instruction(call.call));
        let mut slice = BTreeSet::new();
        let mut open = call.arguments().to_vec();
        while let Some(id) = open.pop() {
            let Some(inst) = self.body.inside(id) else { continue };
            if !self.idle.contains(&inst.offset()) || !slice.insert(inst.offset()) {
                continue;
            }
            let before = times.entry(inst.offset()).or_default();
            *before += 1;
            if !follows_all && *before > MAX_COPIES {
                continue;
            }
            self.body.module.walk(&inst, &mut |_, operand: u32| open.push(operand));
            for store in self.stores.get(&id).into_iter().flatten() {
                slice.insert(store.offset());
                *times.entry(store.offset()).or_default() += 1;
                self.body.module.walk(store, &mut |_, operand: u32| open.push(operand));
            }
        }
        slice
    }

    /// Returns true for a variable with one value: from its initializer, or from one store to all of it before the
    /// call. `alone` is true if no other call uses the variable.
    fn can_move_variable(&self, variable: views::Variable, call: u32, alone: bool) -> bool {
        let stores = self.stores.get(&variable.id()).into_iter().flatten();
        let stores: Vec<_> =
            stores.filter(|inst| inst.is(Op::Store)).map(|inst| views::Store(*inst)).collect();
        let call = views::FunctionCall(self.body.module.instruction(call));
        let is_passed = call.arguments().iter().any(|&id| self.body.variable(id) == Some(variable.id()));
        // The callee may change it, and keep a pointer to it.
        if is_passed && (!alone || self.body.module.has_addresses()) {
            return false;
        }
        match stores[..] {
            [] => !is_passed,
            [store] => {
                let store_block = self.body.block(store.offset());
                // In a loop, a load before the store reads the value of the previous iteration.
                let follows = |offset: u32| self.body.block(offset) == store_block && store.offset() < offset;
                let mut loads = self.loads.get(&variable.id()).into_iter().flatten();
                let in_turn = follows(call.offset()) && loads.all(|load| follows(load.offset()));
                store.pointer() == variable.id()
                    && variable.initializer().is_none()
                    && (in_turn || store_block == 1 && !is_passed)
            }
            _ => false,
        }
    }

    /// Returns instructions with everything that they use, and with the stores to variables that they use.
    fn with_operands(&self, instructions: HashSet<u32>) -> HashSet<u32> {
        let mut open: Vec<u32> = instructions.into_iter().collect();
        let mut all = HashSet::new();
        while let Some(offset) = open.pop() {
            if !self.idle.contains(&offset) || !all.insert(offset) {
                continue;
            }
            let inst = self.body.module.instruction(offset);
            let stores = inst.result_id().and_then(|id| self.stores.get(&id));
            open.extend(stores.into_iter().flatten().map(|store| store.offset()));
            self.body.module.walk(&inst, &mut |_, id: u32| {
                open.extend(self.body.inside(id).map(|inst| inst.offset()));
            });
        }
        all
    }
}

/// Returns the ids of a function that a call and these instructions use from elsewhere in it, each once.
pub fn inputs(
    module: &Module,
    function: &Function,
    call: &ConditionalCall,
    moving: impl Iterator<Item = u32>,
) -> Vec<u32> {
    let moving: Vec<u32> = moving.collect();
    let range = function.start..function.end;
    let (mut inputs, mut seen) = (Vec::new(), HashSet::new());
    for inst in moving.iter().chain([&call.call]).map(|&offset| module.instruction(offset)) {
        module.walk(&inst, &mut |_, id: u32| {
            let definition = module.definition_offset(id).filter(|offset| range.contains(offset));
            let Some(definition) = definition else { return };
            if Some(id) != inst.result_id()
                && moving.binary_search(&definition).is_err()
                && definition != function.start
                && seen.insert(id)
            {
                inputs.push(id);
            }
        });
    }
    inputs
}
