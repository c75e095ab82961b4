//! Instructions that only prepare the arguments of calls: they are removed with the calls. The reference graph does not have the ids inside of
//! functions, so the uses of these are found here.

use std::cmp::Reverse;
use std::collections::HashSet;

use spirv::{MemoryAccess, Op};

use super::effects::is_pure;
use crate::analysis::debug::is_debug;
use crate::collections::sort_by_key;
use crate::loader::{Function, Instruction, Module, views};

/// Returns the instructions of a function that nothing needs without these calls, as offsets in order. They compute arguments, or are
/// variables that are then only stored to, with their stores and debug information.
pub fn unneeded_without(module: &Module, function: &Function, calls: &HashSet<u32>) -> Vec<u32> {
    UnneededInstructions::find(module, function, calls).instructions()
}

/// The instructions of a function that nothing needs without some calls.
struct UnneededInstructions<'m> {
    users: UseChains<'m>,
}

impl<'m> UnneededInstructions<'m> {
    /// Finds the preparations in a function without its calls, whose offsets are given.
    fn find(
        module: &'m Module<'m>,
        function: &'m Function,
        calls: &HashSet<u32>,
    ) -> UnneededInstructions<'m> {
        let is_left_out = |inst: &Instruction| inst.is(Op::FunctionCall) && calls.contains(&inst.offset());
        let calls: Vec<Instruction> = module.body(function).filter(is_left_out).collect();
        let arguments = calls.iter().flat_map(|&inst| views::FunctionCall(inst).arguments());
        let mut open: Vec<u32> = arguments.copied().collect();
        let mut unneeded = UnneededInstructions { users: UseChains::new(module, function) };
        if open.is_empty() {
            // There is nothing to prepare.
            return unneeded;
        }
        unneeded.users.fill();
        calls.iter().for_each(|call| unneeded.users.leave_out(call));
        while let Some(id) = open.pop() {
            let users = &unneeded.users;
            let Some(place) =
                module.place_in(function, id).filter(|&place| users.liveness[place] == Liveness::Live)
            else {
                continue;
            };
            let inst = module.instruction(function.start + place as u32);
            if users.is_dead(&inst) {
                unneeded.drop(&[inst], &mut open);
            } else if let Some(mut users_of_variable) = users.only_written(inst) {
                // Instructions that only removed calls use are needed by these alone.
                sort_by_key(&mut users_of_variable, |inst| Reverse(inst.offset()));
                let mut written = Vec::new();
                for inst in users_of_variable {
                    match unneeded.users.is_dead(&inst) {
                        true => unneeded.drop(&[inst], &mut open),
                        false => written.push(inst),
                    }
                }
                unneeded.drop(&written, &mut open);
            } else {
                // What points into a variable may be in use by stores alone.
                open.extend(inst.pointer_base());
            }
        }
        unneeded
    }

    /// Drops instructions that nothing else requires. Their operands may then be unused.
    fn drop(&mut self, instructions: &[Instruction], open: &mut Vec<u32>) {
        for inst in instructions {
            self.users.drop(inst);
            self.users.module.walk(inst, &mut |_, operand: u32| open.push(operand));
        }
    }

    /// Returns the offsets of the instructions except the calls, in order.
    fn instructions(&self) -> Vec<u32> {
        let all = (self.users.function.start..).zip(&self.users.liveness);
        all.filter(|(_, liveness)| **liveness == Liveness::Dead).map(|(offset, _)| offset).collect()
    }
}

/// The liveness of an instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Liveness {
    Live,
    /// Removed since nothing needs it.
    Dead,
    RemovedCall,
}

/// The instructions that use the ids that a function defines. A place is an offset from its start.
struct UseChains<'m> {
    module: &'m Module<'m>,
    function: &'m Function,
    /// The number of the last use of an id, counted from 1, or 0, by the place of its definition.
    last: Vec<u32>,
    uses: Vec<UseRecord>,
    /// The liveness of each instruction, by its place.
    liveness: Vec<Liveness>,
}

/// A use of an id.
struct UseRecord {
    /// The offset of the instruction.
    offset: u32,
    /// True for a debug instruction that describes the id: it is dropped with it.
    is_debug: bool,
    /// The number of the previous use of the same id, or 0.
    before: u32,
}

impl<'m> UseChains<'m> {
    fn new(module: &'m Module<'m>, function: &'m Function) -> UseChains<'m> {
        UseChains { module, function, last: Vec::new(), uses: Vec::new(), liveness: Vec::new() }
    }

    /// Finds all uses in the function.
    fn fill(&mut self) {
        let (module, function) = (self.module, self.function);
        let words = (function.end - function.start) as usize;
        (self.last, self.liveness) = (vec![0; words], vec![Liveness::Live; words]);
        for inst in module.body(function) {
            let (offset, is_debug) = (inst.offset(), is_debug(module, &inst));
            module.walk(&inst, &mut |_, id: u32| {
                if let Some(place) = module.place_in(function, id) {
                    self.uses.push(UseRecord { offset, is_debug, before: self.last[place] });
                    self.last[place] = self.uses.len() as u32;
                }
            });
        }
    }

    fn place(&self, offset: u32) -> usize {
        (offset - self.function.start) as usize
    }

    /// Leaves a call out from the beginning.
    fn leave_out(&mut self, call: &Instruction) {
        let place = self.place(call.offset());
        self.liveness[place] = Liveness::RemovedCall;
    }

    /// Returns the uses of an id, the last first.
    fn uses(&self, id: u32) -> impl Iterator<Item = &UseRecord> {
        let last = self.module.place_in(self.function, id).map_or(0, |place| self.last[place]);
        let number = |number: u32| self.uses.get((number as usize).checked_sub(1)?);
        std::iter::successors(number(last), move |record| number(record.before))
    }

    /// Returns true if an instruction only computes a value that no other instruction needs.
    fn is_dead(&self, inst: &Instruction) -> bool {
        is_pure(self.module, inst)
            && inst.result_id().is_some_and(|id| self.remaining_users(id).next().is_none())
    }

    fn is_live(&self, offset: u32) -> bool {
        self.liveness[self.place(offset)] == Liveness::Live
    }

    /// Returns the instructions that still use an id, without its definition and debug information.
    fn remaining_users(&self, id: u32) -> impl Iterator<Item = Instruction<'m>> {
        let uses = self.uses(id).filter(|record| !record.is_debug && self.is_live(record.offset));
        uses.map(|record| self.module.instruction(record.offset))
            .filter(move |inst| inst.result_id() != Some(id))
    }

    /// Drops an instruction with the debug information on its result.
    fn drop(&mut self, inst: &Instruction) {
        let described = inst.result_id().into_iter().flat_map(|id| self.uses(id));
        let debug: Vec<u32> =
            described.filter(|record| record.is_debug).map(|record| record.offset).collect();
        for offset in debug.into_iter().chain([inst.offset()]) {
            let place = self.place(offset);
            self.liveness[place] = Liveness::Dead;
        }
    }

    /// Returns a variable of a function with all its uses, if nothing reads it.
    fn only_written(&self, variable: Instruction<'m>) -> Option<Vec<Instruction<'m>>> {
        if !variable.is(Op::Variable) {
            return None;
        }
        let (mut users, mut pointers) = (vec![variable], vec![views::Variable(variable).id()]);
        while let Some(pointer) = pointers.pop() {
            for user in self.remaining_users(pointer) {
                match user.op() {
                    Some(Op::Store) => {
                        let store = views::Store(user);
                        let volatile = store.memory_access() & MemoryAccess::VOLATILE.bits() != 0;
                        if store.object() == pointer || volatile {
                            return None;
                        }
                    }
                    Some(Op::LifetimeStart | Op::LifetimeStop) => {}
                    _ if user.pointer_base() == Some(pointer) => pointers.extend(user.result_id()),
                    _ => return None,
                }
                users.push(user);
            }
        }
        Some(users)
    }
}
