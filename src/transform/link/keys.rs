//! The keys by which equal types and constants are found: their words, their decorations and, for some, their names; and the table with
//! runs of words as keys.

use std::collections::hash_map::{Entry, RandomState};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, Hasher};
use std::ops::Range;

use spirv::{Decoration, FunctionParameterAttribute, Op, StorageClass};

use super::Rules;
use super::error::LinkError;
use super::unit::LinkUnit;
use crate::loader::{Instruction, Module, views};

/// The end of each part of a key, which keeps the words of different parts apart.
const END: u32 = u32::MAX;

/// Makes keys.
#[derive(Default)]
pub(super) struct DescriptionKeys {
    key: Vec<u32>,
    parts: Vec<u32>,
    ranges: Vec<Range<usize>>,
    /// The contents of decoration groups, by number.
    contents: Interned<u32>,
    count: u32,
    /// The numbers of the groups of the current module.
    groups: HashMap<u32, u32>,
}

impl DescriptionKeys {
    /// Begins another module.
    pub fn begin(&mut self) {
        self.groups.clear();
    }

    /// The key of an instruction whose words have the ids of the result already; `result` is the number of the word with its
    /// own.
    pub fn key(
        &mut self,
        unit: &mut LinkUnit,
        described: &Described,
        (words, result): (&[u32], usize),
        id: u32,
        next: &mut u32,
    ) -> Result<&[u32], LinkError> {
        let descriptions = described.of(id);
        for group in descriptions.iter().filter(|description| description.at > 1) {
            let group = views::GroupDecorate(unit.module.instruction(group.offset)).group();
            self.number_group(unit, described, group, next)?;
        }
        self.key.clear();
        self.key.extend_from_slice(&words[..result]);
        self.key.extend_from_slice(&words[result + 1..]);
        if !descriptions.is_empty() {
            self.describe(unit, described, id, next)?;
        }
        Ok(&self.key)
    }

    /// Gives a decoration group a number for its set of decorations.
    fn number_group(
        &mut self,
        unit: &mut LinkUnit,
        described: &Described,
        group: u32,
        next: &mut u32,
    ) -> Result<(), LinkError> {
        if self.groups.contains_key(&group) {
            return Ok(());
        }
        self.key.clear();
        // A group in a group has no number yet; valid modules have none.
        self.describe(unit, described, group, next)?;
        let number = self.contents.get_or_insert(&self.key, self.count);
        self.count += u32::from(number.is_err());
        self.groups.insert(group, number.unwrap_or_else(|new| new));
        Ok(())
    }

    /// Adds the decorations and names of an id to the key, in an order that does not depend on that of the module.
    fn describe(
        &mut self,
        unit: &mut LinkUnit,
        described: &Described,
        id: u32,
        next: &mut u32,
    ) -> Result<(), LinkError> {
        self.parts.clear();
        self.ranges.clear();
        for description in described.of(id) {
            let inst: Instruction = unit.module.instruction(description.offset);
            let start = self.parts.len();
            match inst.op() {
                Some(op @ (Op::GroupDecorate | Op::GroupMemberDecorate)) => {
                    let group = views::GroupDecorate(inst).group();
                    let number = self.groups.get(&group).copied().unwrap_or(END);
                    self.parts.extend([op as u32, number]);
                    if op == Op::GroupMemberDecorate {
                        self.parts.push(inst.word(description.at as usize + 1));
                    }
                }
                _ => {
                    self.parts.extend_from_slice(inst.words());
                    unit.renumber(&inst, Some(1), next, &mut self.parts[start..], &mut |_| {})?;
                    self.parts[start + 1] = 0;
                }
            }
            self.ranges.push(start..self.parts.len());
        }
        self.ranges.sort_unstable_by(|left, right| self.parts[left.clone()].cmp(&self.parts[right.clone()]));
        for range in &self.ranges {
            self.key.push(END);
            self.key.extend_from_slice(&self.parts[range.clone()]);
        }
        Ok(())
    }
}

/// A table from runs of words to values. The words lie in one block: a look-up allocates nothing.
pub(super) struct Interned<T> {
    words: Vec<u32>,
    /// By hash; a second key with the same hash is under the next number.
    table: HashMap<u64, (u32, u32, T), BuildHasherDefault<Given>>,
    /// Differs from table to table, so that no input can be made for keys of one hash.
    seed: u64,
}

impl<T> Default for Interned<T> {
    fn default() -> Interned<T> {
        let seed = RandomState::new().build_hasher().finish();
        Interned { words: Vec::new(), table: HashMap::default(), seed }
    }
}

impl<T: Copy> Interned<T> {
    /// None yet, with memory for so many keys.
    pub fn with_room(keys: usize) -> Interned<T> {
        let mut interned = Interned::default();
        interned.table.reserve(keys);
        interned
    }

    /// The value of a key, or this one if the key is new.
    #[inline]
    pub fn get_or_insert(&mut self, key: &[u32], value: T) -> Result<T, T> {
        let mut hash = self.hash(key);
        loop {
            match self.table.entry(hash) {
                Entry::Occupied(found) => {
                    let &(start, end, found) = found.get();
                    if self.words[start as usize..end as usize] == *key {
                        return Ok(found);
                    }
                }
                Entry::Vacant(empty) => {
                    let start = self.words.len() as u32;
                    self.words.extend_from_slice(key);
                    empty.insert((start, self.words.len() as u32, value));
                    return Err(value);
                }
            }
            hash = hash.wrapping_add(1);
        }
    }

    fn hash(&self, words: &[u32]) -> u64 {
        const FACTOR: u64 = 0x517c_c1b7_2722_0a95;
        let add = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(FACTOR);
        let hash =
            words.iter().fold(add(self.seed, words.len() as u64), |hash, &word| add(hash, word.into()));
        // The upper half depends on all words.
        hash ^ hash >> 32
    }
}

/// A hash that is given.
#[derive(Default)]
struct Given(u64);

impl Hasher for Given {
    fn write(&mut self, _bytes: &[u8]) {
        unreachable!("keys are numbers of 64 bits");
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// A decoration or name of an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Description {
    target: u32,
    /// The instruction, as an offset in words.
    pub offset: u32,
    /// The number of the word that names the target.
    pub at: u32,
}

/// The decorations of types, constants and variables, and the names of structures and specialization constants: definitions that differ
/// in these are not equal.
pub(super) struct Described {
    descriptions: Vec<Description>,
    /// The parameters that are pointers to an argument that is copied.
    pub by_value: HashSet<u32>,
}

impl Described {
    pub fn new(module: &Module, rules: Rules) -> Described {
        let mut descriptions = Vec::new();
        let mut by_value = HashSet::new();
        const BY_VALUE: [u32; 2] =
            [Decoration::FuncParamAttr as u32, FunctionParameterAttribute::ByVal as u32];
        for inst in module.annotations() {
            let mut say = |target: u32, at: usize| {
                descriptions.push(Description { target, offset: inst.offset(), at: at as u32 });
            };
            match inst.op() {
                Some(Op::Name | Op::MemberName) if is_identified_by_name(module, inst.word(1), rules) => {
                    say(inst.word(1), 1)
                }
                Some(Op::Decorate | Op::DecorateId | Op::DecorateString)
                | Some(Op::MemberDecorate | Op::MemberDecorateString)
                    if module.is_global(inst.word(1)) || is_group(module, inst.word(1)) =>
                {
                    say(inst.word(1), 1);
                }
                Some(Op::Decorate) if inst.words_from(2) == BY_VALUE => {
                    by_value.insert(inst.word(1));
                }
                Some(op @ (Op::GroupDecorate | Op::GroupMemberDecorate)) => {
                    let step = if op == Op::GroupDecorate { 1 } else { 2 };
                    for at in (2..inst.words().len()).step_by(step) {
                        say(inst.word(at), at);
                    }
                }
                _ => {}
            }
        }
        descriptions.sort_unstable();
        Described { descriptions, by_value }
    }

    /// The decorations and names of an id, in the order of the module.
    pub fn of(&self, target: u32) -> &[Description] {
        let start = self.descriptions.partition_point(|descriptions| descriptions.target < target);
        let rest = &self.descriptions[start..];
        &rest[..rest.partition_point(|descriptions| descriptions.target == target)]
    }
}

/// True if the name of an id is part of its identity: reflection uses the names of structures and specialization constants. In the images
/// of a program, a SpecId identifies a constant, and constant data has a name.
fn is_identified_by_name(module: &Module, id: u32, rules: Rules) -> bool {
    let inst = module.definition(id);
    let op = inst.as_ref().and_then(|inst| inst.op());
    if rules == Rules::Images {
        return match op {
            Some(Op::TypeStruct | Op::SpecConstantOp) => true,
            Some(Op::Variable) => inst.is_some_and(|inst| is_data(&inst)),
            _ => false,
        };
    }
    matches!(
        op,
        Some(
            Op::TypeStruct
                | Op::SpecConstant
                | Op::SpecConstantTrue
                | Op::SpecConstantFalse
                | Op::SpecConstantOp
        )
    )
}

/// True if a variable has its value from the module, and keeps it.
fn is_data(variable: &Instruction) -> bool {
    views::Variable(*variable).storage_class() == StorageClass::UniformConstant as u32
        && variable.words().len() > 4
}

fn is_group(module: &Module, id: u32) -> bool {
    module.definition(id).is_some_and(|inst: Instruction| inst.is(Op::DecorationGroup))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_value_of_a_key_is_kept() {
        let mut interned = Interned::default();
        for value in 0..1000_u32 {
            assert_eq!(
                interned.get_or_insert(&[value % 10, 7], value),
                if value < 10 { Err(value) } else { Ok(value % 10) }
            );
        }
        assert_eq!(interned.get_or_insert(&[1], 5), Err(5), "the start of another key is none");
        assert_eq!(interned.get_or_insert(&[], 6), Err(6));
    }

    #[test]
    fn keys_with_the_same_hash_are_distinguished() {
        let mut interned = Interned::default();
        interned.words.extend([1, 2, 3]);
        let hash = interned.hash(&[9]);
        interned.table.insert(hash, (0, 3, 1));
        assert_eq!(interned.get_or_insert(&[9], 2), Err(2));
        assert_eq!(interned.get_or_insert(&[9], 3), Ok(2));
    }
}
