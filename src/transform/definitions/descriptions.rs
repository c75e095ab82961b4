//! Names and decorations by id, decoration groups expanded.

use spirv::Op;
use thiserror::Error;

use crate::collections::{IdMap, sort_by};
use crate::loader::{Instruction, Module};

/// The maximum number of decorations that groups may apply, for each word of a module. Groups of usual modules apply fewer than one; without a bound, a small module
/// would have any number.
const MAX_DECORATIONS_PER_WORD: usize = 16;

/// Decoration groups that apply more decorations than a table has room for.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error(
    "its decoration groups apply more than {MAX_DECORATIONS_PER_WORD} decorations for each word of the module: decorate the ids \
     themselves (OpDecorate)"
)]
pub struct TooManyDecorations;

/// A name or decoration of an id, or of a member of it.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    target: u32,
    /// The offset of the instruction, which may decorate a group.
    offset: u32,
    /// The member that is described, if it is not the id as a whole.
    pub member: Option<u32>,
    /// The opcode that describes the id, or its member, without a group.
    pub opcode: u16,
    /// The number of the first word after the target and the member.
    start: u16,
    /// True if a group applies it.
    is_of_group: bool,
}

impl Description {
    fn new(target: u32, member: Option<u32>, inst: &Instruction) -> Description {
        let opcode = match (inst.op(), member) {
            (Some(Op::Decorate), Some(_)) => Op::MemberDecorate as u16,
            (Some(Op::DecorateString), Some(_)) => Op::MemberDecorateString as u16,
            _ => inst.opcode(),
        };
        let start = if inst.describes_member() { 3 } else { 2 };
        Description { target, offset: inst.offset(), member, opcode, start, is_of_group: false }
    }

    /// Returns the description that a group applies to a target.
    fn of_group(target: u32, member: Option<u32>, decoration: &Instruction) -> Description {
        Description { is_of_group: true, ..Description::new(target, member, decoration) }
    }

    /// Returns the instruction, which may decorate a group.
    pub fn instruction<'m>(&self, module: &'m Module) -> Instruction<'m> {
        module.instruction(self.offset)
    }

    /// Returns the number of the first word after the target and the member.
    pub fn start(&self) -> usize {
        self.start.into()
    }

    /// Returns the words after the target and the member.
    pub fn words<'m>(&self, module: &'m Module) -> &'m [u32] {
        self.instruction(module).words_from(self.start())
    }

    /// Returns true for a name, which changes nothing that the module does.
    pub fn is_name(&self) -> bool {
        self.opcode == Op::Name as u16 || self.opcode == Op::MemberName as u16
    }

    /// Calls `visit` with the ids in its words, and with the numbers of these words.
    pub fn ids(&self, module: &Module, visit: &mut impl FnMut(usize, u32)) {
        let start = self.start();
        module.walk(&self.instruction(module), &mut |at: usize, id: u32| {
            if at >= start {
                visit(at - start, id);
            }
        });
    }
}

/// Names and decorations of a module, by id.
pub struct Descriptions {
    /// Sorted by id; those of one id: names first, each kind sorted.
    list: Vec<Description>,
    /// Number of descriptions of smaller ids, for each id divided by a power of two. It has at most as many items as
    /// descriptions.
    starts: Vec<u32>,
    /// The exponent of that power.
    shift: u32,
}

impl Descriptions {
    /// Collects the names and decorations that `is_included` accepts, and all decorations that groups apply.
    ///
    /// # Errors
    /// If groups apply too many decorations.
    pub fn new(
        module: &Module,
        is_included: impl Fn(&Instruction) -> bool,
    ) -> Result<Descriptions, TooManyDecorations> {
        let mut list = Vec::new();
        let mut groups = None;
        let limit = MAX_DECORATIONS_PER_WORD * module.words().len();
        for inst in module.annotations() {
            match inst.op() {
                _ if inst.describes_id() && !is_group(module, inst.word(1)) && is_included(&inst) => {
                    list.push(Description::new(inst.word(1), None, &inst));
                }
                _ if inst.describes_member() && is_included(&inst) => {
                    list.push(Description::new(inst.word(1), Some(inst.word(2)), &inst));
                }
                Some(op @ (Op::GroupDecorate | Op::GroupMemberDecorate)) => {
                    let groups = groups.get_or_insert_with(|| decorations_of_groups(module));
                    let decorations = groups.get(&inst.word(1)).map_or(&[][..], Vec::as_slice);
                    let step = if op == Op::GroupDecorate { 1 } else { 2 };
                    for target in inst.words_from(2).chunks_exact(step) {
                        let member = target.get(1).copied();
                        list.extend(
                            decorations
                                .iter()
                                .map(|decoration| Description::of_group(target[0], member, decoration)),
                        );
                        if list.len() > limit {
                            return Err(TooManyDecorations);
                        }
                    }
                }
                _ => {}
            }
        }
        sort_by(&mut list, |left, right| {
            let key =
                |description: &Description| (description.target, description.opcode, description.member);
            key(left).cmp(&key(right)).then_with(|| left.words(module).cmp(right.words(module)))
        });
        // A decoration that a group repeats is there once: on one id, most decorations must not be there twice (specification, OpGroupDecorate).
        list.dedup_by(|description, before| {
            let key =
                |description: &Description| (description.target, description.opcode, description.member);
            let is_repeated = (before.is_of_group || description.is_of_group)
                && key(before) == key(description)
                && before.words(module) == description.words(module);
            before.is_of_group |= is_repeated && description.is_of_group;
            is_repeated
        });
        Ok(Descriptions::from_sorted(list))
    }

    fn from_sorted(list: Vec<Description>) -> Descriptions {
        let bound = list.last().map_or(0, |last| last.target as usize + 1);
        let mut shift = 0;
        while bound >> shift > list.len() {
            shift += 1;
        }
        let mut starts = vec![0; (bound >> shift) + 2];
        for description in &list {
            starts[(description.target >> shift) as usize + 1] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        Descriptions { list, starts, shift }
    }

    /// Returns the names and decorations of an id: names first, each kind sorted.
    #[inline]
    pub fn get(&self, id: u32) -> &[Description] {
        let at = (id >> self.shift) as usize;
        let Some(&[start, end]) = self.starts.get(at..at + 2) else { return &[] };
        let near = &self.list[start as usize..end as usize];
        match near {
            [first, .., last] if first.target != last.target => {
                let near = &near[near.partition_point(|description| description.target < id)..];
                &near[..near.partition_point(|description| description.target == id)]
            }
            [first, ..] if first.target == id => near,
            _ => &[],
        }
    }

    /// Returns the decorations of an id, sorted.
    pub fn decorations(&self, id: u32) -> &[Description] {
        let all = self.get(id);
        &all[all.partition_point(Description::is_name)..]
    }
}

fn is_group(module: &Module, id: u32) -> bool {
    module.definition_as(id, Op::DecorationGroup).is_some()
}

/// Returns the decorations of each decoration group.
fn decorations_of_groups<'m>(module: &'m Module) -> IdMap<Vec<Instruction<'m>>> {
    let mut groups: IdMap<Vec<Instruction>> = IdMap::new();
    let decorations =
        module.annotations().filter(|inst| inst.decorates_id() && is_group(module, inst.word(1)));
    decorations.for_each(|inst| groups.entry(inst.word(1)).or_default().push(inst));
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{instruction, module_of};

    #[test]
    fn sparse_ids_are_found() {
        let describe = |target: u32| Description {
            target,
            offset: 0,
            member: None,
            opcode: 5,
            start: 2,
            is_of_group: false,
        };
        let targets = [3, 3, 4, 1000, 70_000, 70_000, 70_001, 4_000_000];
        let table = Descriptions::from_sorted(targets.map(describe).to_vec());
        assert!(table.starts.len() <= targets.len() + 2);
        for id in (0..80_000).chain([4_000_000, u32::MAX]) {
            let expected = targets.iter().filter(|target| **target == id).count();
            assert_eq!(table.get(id).len(), expected, "{id}");
        }
    }

    /// Returns a module with a group of `decorations` decorations, which is applied to itself `targets` times.
    fn grouped(decorations: usize, targets: usize) -> Module<'static> {
        let decorate = |number| instruction(Op::Decorate as u16, &[1, 19 + number as u32 % 2]);
        let mut instructions: Vec<Vec<u32>> = (0..decorations).map(decorate).collect();
        instructions.push(instruction(Op::DecorationGroup as u16, &[1]));
        instructions.push(instruction(Op::GroupDecorate as u16, &[&[1][..], &vec![2; targets]].concat()));
        Module::from_words(module_of(3, &instructions)).unwrap()
    }

    #[test]
    fn groups_are_expanded_up_to_a_bound() {
        let module = grouped(2, 3);
        let descriptions = Descriptions::new(&module, |_| true).unwrap();
        let words: Vec<&[u32]> =
            descriptions.get(2).iter().map(|description| description.words(&module)).collect();
        assert_eq!(words, [[19], [20]], "each is there once");
        assert_eq!(descriptions.get(1).len(), 0);
        assert_eq!(Descriptions::new(&grouped(1000, 10_000), |_| true).err(), Some(TooManyDecorations));
    }
}
