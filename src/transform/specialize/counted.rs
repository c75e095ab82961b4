//! The sweep where uses are counted and nothing refers to itself: an id is removed with its last use.

use spirv::Op;

use super::attributes::Attributes;
use super::bodies::Bodies;
use super::decisions::Verdicts;
use super::sweep::is_removable;
use super::{Flags, IdFlags, Work};
use crate::analysis::conditions::multi_target::MultiTarget;
use crate::loader::{Module, views};

/// Marks the definitions that are removed. False, with nothing marked, if numbers do not tell which these are, or something that stays uses what
/// a false condition removed.
pub fn sweep(work: &mut Work, bodies: &Bodies, attributes: &Attributes) -> bool {
    let (module, outside) = (work.module, work.outside);
    let Some(all) = outside.uses.as_deref() else { return false };
    if outside.may_be_cyclic || bodies.may_recurse() {
        return false;
    }
    let mut counted = Counted {
        module,
        all,
        lost: module.table_by_id(std::mem::take(&mut work.tables.counts)),
        found: std::mem::take(&mut work.tables.candidates),
        stack: std::mem::take(&mut work.tables.stack),
        flags: &mut work.flags,
    };
    let is_sound = counted.keep_references(bodies) && {
        attributes.edges.iter().for_each(|&(_, operand)| counted.keep(operand));
        each_conditional(module, work.multi_target, &work.verdicts, |id| counted.keep(id));
        let computed = outside.computed.iter().map(|&offset| views::Value(module.instruction(offset)));
        for inst in computed.filter(|inst| counted.flags.has(inst.id(), Flags::DECIDED)) {
            module.walk(&inst, &mut |at: usize, id: u32| counted.lost[id as usize] += i32::from(at > 2));
        }
        counted.stack.extend_from_slice(&work.removed);
        work.seeds.iter().for_each(|&seed| counted.check(seed));
        counted.remove_unused(bodies, attributes);
        !work.removed.iter().any(|&id| counted.is_used(id))
    };
    if !is_sound {
        counted.found.iter().for_each(|&id| counted.flags.clear(id, Flags::CANDIDATE));
        counted.found.clear();
    }
    let Counted { lost, found, stack, .. } = counted;
    (work.tables.counts, work.tables.candidates, work.tables.stack) = (lost, found, stack);
    is_sound
}

struct Counted<'w, 'm> {
    module: &'m Module<'m>,
    /// By id: all uses outside of functions but conditional ones, its definition there among them.
    all: &'w [u16],
    /// By id: how many of these are lost, less the other uses that are left.
    lost: Vec<i32>,
    /// The ids that are no longer used.
    found: Vec<u32>,
    stack: Vec<u32>,
    flags: &'w mut IdFlags,
}

impl Counted<'_, '_> {
    /// Counts what functions refer to. False if one of them refers to what was removed.
    fn keep_references(&mut self, bodies: &Bodies) -> bool {
        for (at, function) in self.module.functions().iter().enumerate() {
            if self.flags.has(function.id, Flags::REMOVED) {
                continue;
            }
            for &id in bodies.references(at) {
                if self.flags.has(id, Flags::REMOVED) {
                    return false;
                }
                self.keep(id);
            }
        }
        true
    }

    #[inline]
    fn keep(&mut self, id: u32) {
        self.lost[id as usize] -= 1;
    }

    /// True if a use of an id is left, its definition among them if that is outside of functions and stays.
    fn is_used(&self, id: u32) -> bool {
        i32::from(self.all[id as usize]) > self.lost[id as usize]
    }

    /// Follows removed ids to those that they used.
    fn remove_unused(&mut self, bodies: &Bodies, attributes: &Attributes) {
        let module = self.module;
        while let Some(id) = self.stack.pop() {
            match module.definition(id) {
                Some(inst) if inst.is(Op::Function) => {
                    // What functions refer to that a condition removed was not counted.
                    let was_counted = i32::from(!self.flags.has(id, Flags::REMOVED));
                    let at = module.function_index(id);
                    for &id in at.map(|at| bodies.references(at)).unwrap_or_default() {
                        self.lost[id as usize] += was_counted;
                        self.check(id);
                    }
                }
                // Its other operands are no longer used anyway.
                Some(inst) if self.flags.has(id, Flags::DECIDED) => {
                    inst.words_from(1).iter().take(2).for_each(|&id| self.lose(id));
                }
                Some(inst) => module.walk(&inst, &mut |_: usize, id: u32| self.lose(id)),
                None => {}
            }
            attributes.of(id).for_each(|id| self.lose(id));
        }
    }

    #[inline(always)]
    fn lose(&mut self, id: u32) {
        self.lost[id as usize] += 1;
        self.check(id);
    }

    /// Removes an id, if only its definition is left.
    #[inline(always)]
    fn check(&mut self, id: u32) {
        let is_decided = self.flags.has(id, Flags::REMOVED | Flags::CANDIDATE | Flags::KEPT);
        if !is_decided && i32::from(self.all[id as usize]) <= self.lost[id as usize] + 1 {
            self.remove(id);
        }
    }

    fn remove(&mut self, id: u32) {
        // The definition of a function is not among its uses.
        if is_removable(self.module, id) && !(self.module.is_function(id) && self.is_used(id)) {
            self.flags.set(id, Flags::CANDIDATE);
            self.stack.push(id);
            self.found.push(id);
        }
    }
}

/// Calls a function with the functions and conditions that conditional entry points and declarations use, as far as these stay.
fn each_conditional(
    module: &Module,
    multi_target: &MultiTarget,
    verdicts: &Verdicts,
    mut each: impl FnMut(u32),
) {
    for &offset in &multi_target.entry_points {
        let entry = views::EntryPoint(module.instruction(offset));
        let value = entry.condition().map_or(Some(true), |condition| verdicts.of(condition));
        if value != Some(false) {
            each(entry.function());
        }
        entry.condition().filter(|_| value.is_none()).into_iter().for_each(&mut each);
    }
    let capability = |&offset: &u32| views::Capability(module.instruction(offset)).condition();
    let extension = |&offset: &u32| views::Extension(module.instruction(offset)).condition();
    let capabilities = multi_target.capabilities.iter().filter_map(capability);
    let conditions = capabilities.chain(multi_target.extensions.iter().filter_map(extension));
    conditions.filter(|&condition| verdicts.of(condition).is_none()).for_each(each);
}
