//! The instructions that only prepare the arguments of calls: they go with calls that are removed.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use spirv::{MemoryAccess, Op};

use crate::analysis::conditions::multi_target::MultiTarget;
use crate::analysis::debug::is_debug;
use crate::loader::{Function, Instruction, Module, views};

/// The instructions of a function, besides these calls, that nothing needs without the calls: those that compute arguments, and variables
/// that are then only stored to, with the stores, and with debug information of either. As offsets, in order.
pub fn of_calls(module: &Module, function: &Function, calls: &HashSet<u32>) -> Vec<u32> {
    let mut sets = Sets::default();
    let idle = Idle::find(module, function, |offset| calls.contains(&offset).then_some(0), &mut sets);
    idle.instructions().map(|(offset, _)| offset).collect()
}

/// The instructions that only prepare the arguments of the conditional calls of a module: found once, however often some of them are removed.
#[derive(Debug, Default)]
pub struct Preparation {
    /// By group of instructions that the same calls need: the function, the number of the set of these calls, and the end of the instructions.
    groups: Vec<(u32, u32, u32)>,
    sets: Sets,
    /// Offsets.
    instructions: Vec<u32>,
}

impl Preparation {
    /// That of the calls among the conditional ids of a module.
    pub fn of(module: &Module, multi_target: &MultiTarget) -> Preparation {
        let place = |&id: &u32| {
            let call = module.definition_as(id, Op::FunctionCall)?;
            Some((module.function_of(id)?, call.offset(), multi_target.condition(id)?))
        };
        let mut calls: Vec<(usize, u32, u32)> = multi_target.targets().iter().filter_map(place).collect();
        calls.sort_unstable();
        let mut found = Preparation::default();
        for calls in calls.chunk_by(|(one, ..), (other, ..)| one == other) {
            let function = &module.functions()[calls[0].0];
            let condition = |offset: u32| {
                let at = calls.binary_search_by_key(&offset, |&(_, own, _)| own).ok()?;
                Some(calls[at].2)
            };
            let idle = Idle::find(module, function, condition, &mut found.sets);
            let mut instructions: Vec<(u32, u32)> = idle.instructions().map(|(at, set)| (set, at)).collect();
            instructions.sort_unstable();
            for group in instructions.chunk_by(|(one, _), (other, _)| one == other) {
                found.instructions.extend(group.iter().map(|&(_, offset)| offset));
                found.groups.push((function.id, group[0].0, found.instructions.len() as u32));
            }
        }
        found.sets.numbers = BTreeMap::new();
        found
    }

    /// Adds what nothing needs without the calls whose condition is false, in functions that are not removed. As offsets.
    pub fn without(
        &self,
        is_false: impl Fn(u32) -> bool,
        is_removed: impl Fn(u32) -> bool,
        found: &mut Vec<u32>,
    ) {
        let mut is_gone: Vec<bool> = Vec::with_capacity(self.sets.ends.len());
        for number in 0..self.sets.ends.len() {
            let members = self.sets.members(number);
            let is_unneeded = |&member: &u32| match member & CONDITION {
                0 => is_gone[member as usize],
                _ => is_false(member & !CONDITION),
            };
            is_gone.push(!members.is_empty() && members.iter().all(is_unneeded));
        }
        let mut start = 0;
        for &(function, set, end) in &self.groups {
            if is_gone[set as usize] && !is_removed(function) {
                found.extend_from_slice(&self.instructions[start as usize..end as usize]);
            }
            start = end;
        }
    }
}

/// Sets of calls by their conditions, by number. Each is one condition, or several sets before it.
#[derive(Debug, Default)]
struct Sets {
    /// By number: the end of its members.
    ends: Vec<u32>,
    /// Conditions, with a [bit](CONDITION), and numbers of sets.
    members: Vec<u32>,
    /// While they are found: the numbers by members.
    numbers: BTreeMap<Vec<u32>, u32>,
}

/// The bit of a condition among the members of sets.
const CONDITION: u32 = 1 << 31;

impl Sets {
    fn members(&self, number: usize) -> &[u32] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.members[start as usize..self.ends[number] as usize]
    }

    /// The number of the set of the calls with a condition.
    fn of_condition(&mut self, condition: u32) -> u32 {
        self.number(vec![condition | CONDITION])
    }

    /// The number of the set of all that is in some of these.
    fn union(&mut self, mut numbers: Vec<u32>) -> u32 {
        numbers.sort_unstable();
        numbers.dedup();
        match numbers[..] {
            [number] => number,
            _ => self.number(numbers),
        }
    }

    fn number(&mut self, members: Vec<u32>) -> u32 {
        *self.numbers.entry(members).or_insert_with_key(|members| {
            self.members.extend_from_slice(members);
            self.ends.push(self.members.len() as u32);
            self.ends.len() as u32 - 1
        })
    }
}

/// The instructions of a function that nothing needs without some calls.
struct Idle<'m, 's> {
    users: Users<'m>,
    sets: &'s mut Sets,
}

impl<'m, 's> Idle<'m, 's> {
    /// Those of a function without the calls that have a condition, by offset.
    fn find(
        module: &'m Module<'m>,
        function: &'m Function,
        condition: impl Fn(u32) -> Option<u32>,
        sets: &'s mut Sets,
    ) -> Idle<'m, 's> {
        let calls = module.body(function).filter(|inst| inst.is(Op::FunctionCall));
        let calls: Vec<(Instruction, u32)> =
            calls.filter_map(|inst| Some((inst, condition(inst.offset())?))).collect();
        let arguments = calls.iter().flat_map(|&(inst, _)| views::FunctionCall(inst).arguments());
        let mut open: Vec<u32> = arguments.copied().collect();
        let mut idle = Idle { users: Users::none(module, function), sets };
        if open.is_empty() {
            // There is nothing to prepare.
            return idle;
        }
        idle.users.find();
        for &(call, condition) in &calls {
            let set = idle.sets.of_condition(condition);
            idle.users.leave_out(&call, set);
        }
        while let Some(id) = open.pop() {
            let users = &idle.users;
            let Some(place) = module.place_in(function, id).filter(|&place| users.needed_by[place] == NEEDED)
            else {
                continue;
            };
            let inst = module.instruction(function.start + place as u32);
            if users.is_idle(&inst) {
                idle.drop(&[inst], &mut open);
            } else if let Some(mut gone) = users.only_written(inst) {
                // What only calls use that are left out is needed by these alone.
                gone.sort_unstable_by_key(|inst| Reverse(inst.offset()));
                let mut written = Vec::new();
                for inst in gone {
                    match idle.users.is_idle(&inst) {
                        true => idle.drop(&[inst], &mut open),
                        false => written.push(inst),
                    }
                }
                idle.drop(&written, &mut open);
            } else {
                // What points into a variable may be in use by stores alone.
                open.extend(pointed_into(&inst));
            }
        }
        idle
    }

    /// Leaves out instructions that nothing else needs. What they used may be idle then.
    fn drop(&mut self, instructions: &[Instruction], open: &mut Vec<u32>) {
        let results = instructions.iter().filter_map(|inst| inst.result_id());
        let set = self.sets.union(results.flat_map(|id| self.users.left_out(id)).collect());
        for inst in instructions {
            self.users.drop(inst, set);
            self.users.module.walk(inst, &mut |_, operand: u32| open.push(operand));
        }
    }

    /// The instructions but for the calls, in order: the offset of each, and the number of the set of conditions of the calls that
    /// need it.
    fn instructions(&self) -> impl Iterator<Item = (u32, u32)> {
        let all = (self.users.function.start..).zip(&self.users.needed_by);
        let idle = all.filter(|&(_, &set)| set & CALL == 0);
        idle.map(|(offset, &set)| (offset, set))
    }
}

/// Stands for an instruction that is not left out.
const NEEDED: u32 = u32::MAX;
/// The bit of a call that is left out, beside the number of its set.
const CALL: u32 = 1 << 31;

/// The instructions that use the ids that a function defines. A place is an offset from its start.
struct Users<'m> {
    module: &'m Module<'m>,
    function: &'m Function,
    /// By the place of a definition: the number of the last use of its id, counted from 1, or 0.
    last: Vec<u32>,
    uses: Vec<Use>,
    /// By the place of an instruction that is left out: the number of the set of conditions of the calls that need it. Else [`NEEDED`].
    needed_by: Vec<u32>,
}

/// A use of an id.
struct Use {
    /// The offset of the instruction.
    offset: u32,
    /// True for a debug instruction that describes the id: it is dropped with it.
    is_debug: bool,
    /// The number of the use before it of the same id, or 0.
    before: u32,
}

impl<'m> Users<'m> {
    fn none(module: &'m Module<'m>, function: &'m Function) -> Users<'m> {
        Users { module, function, last: Vec::new(), uses: Vec::new(), needed_by: Vec::new() }
    }

    /// Finds all in the function.
    fn find(&mut self) {
        let (module, function) = (self.module, self.function);
        let words = (function.end - function.start) as usize;
        (self.last, self.needed_by) = (vec![0; words], vec![NEEDED; words]);
        for inst in module.body(function) {
            let (offset, is_debug) = (inst.offset(), is_debug(module, &inst));
            module.walk(&inst, &mut |_, id: u32| {
                if let Some(place) = module.place_in(function, id) {
                    self.uses.push(Use { offset, is_debug, before: self.last[place] });
                    self.last[place] = self.uses.len() as u32;
                }
            });
        }
    }

    fn place(&self, offset: u32) -> usize {
        (offset - self.function.start) as usize
    }

    /// Leaves a call out from the beginning.
    fn leave_out(&mut self, call: &Instruction, set: u32) {
        let place = self.place(call.offset());
        self.needed_by[place] = set | CALL;
    }

    /// The uses of an id, the last first.
    fn uses(&self, id: u32) -> impl Iterator<Item = &Use> {
        let last = self.module.place_in(self.function, id).map_or(0, |place| self.last[place]);
        let number = |number: u32| self.uses.get((number as usize).checked_sub(1)?);
        std::iter::successors(number(last), move |found| number(found.before))
    }

    /// True if an instruction does nothing but compute what no other needs.
    fn is_idle(&self, inst: &Instruction) -> bool {
        is_pure(self.module, inst) && inst.result_id().is_some_and(|id| self.of(id).next().is_none())
    }

    fn is_needed(&self, offset: u32) -> bool {
        self.needed_by[self.place(offset)] == NEEDED
    }

    /// The instructions that still use an id, without its definition and debug information.
    fn of(&self, id: u32) -> impl Iterator<Item = Instruction<'m>> {
        let uses = self.uses(id).filter(|found| !found.is_debug && self.is_needed(found.offset));
        uses.map(|found| self.module.instruction(found.offset))
            .filter(move |inst| inst.result_id() != Some(id))
    }

    /// The numbers of the sets of conditions of those users of an id that are left out.
    fn left_out(&self, id: u32) -> impl Iterator<Item = u32> {
        let uses = self.uses(id).filter(|found| !found.is_debug && !self.is_needed(found.offset));
        uses.map(|found| self.needed_by[self.place(found.offset)] & !CALL)
    }

    /// Drops an instruction with the debug information on its result.
    fn drop(&mut self, inst: &Instruction, set: u32) {
        let described = inst.result_id().into_iter().flat_map(|id| self.uses(id));
        let debug: Vec<u32> = described.filter(|found| found.is_debug).map(|found| found.offset).collect();
        for offset in debug.into_iter().chain([inst.offset()]) {
            let place = self.place(offset);
            // Debug information goes with the first that it describes.
            if self.needed_by[place] == NEEDED {
                self.needed_by[place] = set;
            }
        }
    }

    /// A variable of a function with all that uses it, if nothing reads it.
    fn only_written(&self, variable: Instruction<'m>) -> Option<Vec<Instruction<'m>>> {
        if !variable.is(Op::Variable) {
            return None;
        }
        let (mut found, mut pointers) = (vec![variable], vec![views::Variable(variable).id()]);
        while let Some(pointer) = pointers.pop() {
            for user in self.of(pointer) {
                match user.op() {
                    Some(Op::Store) => {
                        let store = views::Store(user);
                        let volatile = store.memory_access() & MemoryAccess::VOLATILE.bits() != 0;
                        if store.object() == pointer || volatile {
                            return None;
                        }
                    }
                    Some(Op::LifetimeStart | Op::LifetimeStop) => {}
                    _ if pointed_into(&user) == Some(pointer) => pointers.extend(user.result_id()),
                    _ => return None,
                }
                found.push(user);
            }
        }
        Some(found)
    }
}

/// The pointer that an instruction makes another of.
pub(super) fn pointed_into(inst: &Instruction) -> Option<u32> {
    match inst.op()? {
        Op::AccessChain
        | Op::InBoundsAccessChain
        | Op::PtrAccessChain
        | Op::InBoundsPtrAccessChain
        | Op::Bitcast
        | Op::PtrCastToGeneric
        | Op::GenericCastToPtr
        | Op::CopyObject => Some(inst.word(3)),
        _ => None,
    }
}

/// True for an instruction that does nothing but compute its result.
pub(super) fn is_pure(module: &Module, inst: &Instruction) -> bool {
    let volatile =
        |inst: &Instruction| views::Load(*inst).memory_access() & MemoryAccess::VOLATILE.bits() != 0;
    match inst.op() {
        Some(Op::Load) => !volatile(inst),
        Some(Op::Undef | Op::PtrAccessChain | Op::InBoundsPtrAccessChain) => true,
        Some(Op::ExtInst) => is_function_of_values(module, views::ExtInst(*inst)),
        Some(op) => PURE.iter().any(|(first, last)| (*first as u32..=*last as u32).contains(&(op as u32))),
        None => false,
    }
}

/// True for an extended instruction that computes a value from values. In these sets, what has an effect has a pointer (`printf`, `modf`), and so
/// have interpolations, which depend on other invocations.
fn is_function_of_values(module: &Module, inst: views::ExtInst) -> bool {
    let set = module.definition_as(inst.set(), Op::ExtInstImport);
    let mut only_values = set.is_some_and(|set| SETS.contains(&&*set.string(2)));
    module.walk(&inst, &mut |_, id: u32| {
        let type_ = module.type_of(id).and_then(|type_| module.definition(type_));
        only_values &= type_.and_then(views::AnyPointer::of).is_none();
    });
    only_values
}

const SETS: [&str; 2] = ["GLSL.std.450", "OpenCL.std"];

/// The opcodes, from one to another, of instructions that only compute (specification, "Composite Instructions", "Conversion Instructions",
/// "Arithmetic Instructions", "Bit Instructions", "Relational and Logical Instructions").
const PURE: [(Op, Op); 5] = [
    (Op::AccessChain, Op::InBoundsAccessChain),
    (Op::VectorExtractDynamic, Op::Transpose),
    (Op::ConvertFToU, Op::Bitcast),
    (Op::SNegate, Op::SMulExtended),
    (Op::Any, Op::BitCount),
];
