//! Keys of equal types and constants: their words, their decorations and, for some, their names. The table has runs of words as keys.

use std::collections::HashMap;
use std::collections::hash_map::{Entry, RandomState};
use std::hash::{BuildHasher, BuildHasherDefault, Hasher};
use std::ops::Range;

use spirv::{Op, StorageClass};

use super::Rules;
use super::error::LinkError;
use super::unit::LinkUnit;
use crate::collections::sort_by;
use crate::loader::{Instruction, Module, views};
use crate::transform::definitions::{Description, Descriptions, TooManyDecorations};

/// The end of each part of a key, which keeps the words of different parts apart.
const END: u32 = u32::MAX;

/// Makes keys.
#[derive(Default)]
pub(super) struct DefinitionKeys {
    key: Vec<u32>,
    parts: Vec<u32>,
    ranges: Vec<Range<usize>>,
}

impl DefinitionKeys {
    /// Returns the key of an instruction whose words have the ids of the result already; `result` is the number of the word with its
    /// own.
    pub fn key(
        &mut self,
        unit: &mut LinkUnit,
        described: &Descriptions,
        (words, result): (&[u32], usize),
        id: u32,
        next: &mut u32,
    ) -> Result<&[u32], LinkError> {
        self.key.clear();
        self.key.extend_from_slice(&words[..result]);
        self.key.extend_from_slice(&words[result + 1..]);
        self.describe(unit, described.get(id), next)?;
        Ok(&self.key)
    }

    /// Adds names and decorations to the key, in an order that depends only on their words with the ids of the result.
    fn describe(
        &mut self,
        unit: &mut LinkUnit,
        descriptions: &[Description],
        next: &mut u32,
    ) -> Result<(), LinkError> {
        self.parts.clear();
        self.ranges.clear();
        for description in descriptions {
            let inst = description.instruction(unit.module);
            let start = self.parts.len();
            self.parts.extend([description.opcode.into(), description.member.unwrap_or(END)]);
            let words = self.parts.len();
            self.parts.extend_from_slice(inst.words());
            unit.renumber(&inst, Some(1), next, &mut self.parts[words..], &mut |_| {})?;
            self.parts.drain(words..words + description.start());
            self.ranges.push(start..self.parts.len());
        }
        sort_by(&mut self.ranges, |left, right| self.parts[left.clone()].cmp(&self.parts[right.clone()]));
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
    /// Keys by hash; a second key with the same hash is under the next number.
    table: HashMap<u64, (u32, u32, T), BuildHasherDefault<IdentityHasher>>,
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
    /// Starts without keys, with capacity for `keys` of them.
    pub fn with_room(keys: usize) -> Interned<T> {
        let mut interned = Interned::default();
        interned.table.reserve(keys);
        interned
    }

    /// Returns the value of a key, or this one if the key is new.
    #[inline]
    pub fn get_or_insert(&mut self, key: &[u32], value: T) -> Result<T, T> {
        let mut hash = self.hash(key);
        loop {
            match self.table.entry(hash) {
                Entry::Occupied(entry) => {
                    let &(start, end, known) = entry.get();
                    if self.words[start as usize..end as usize] == *key {
                        return Ok(known);
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

/// Identity hasher for precomputed hashes.
#[derive(Default)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
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

/// Collects the decorations of a module, and the names of structures and specialization constants: definitions that differ in these are not
/// equal.
///
/// # Errors
/// If decoration groups apply too many decorations.
pub(super) fn describe(module: &Module, rules: Rules) -> Result<Descriptions, TooManyDecorations> {
    Descriptions::new(module, |inst| match inst.op() {
        Some(Op::Name | Op::MemberName) => is_identified_by_name(module, inst.word(1), rules),
        _ => true,
    })
}

/// Returns true if the name of an id is part of its identity: reflection uses the names of structures and specialization constants. In the images
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

/// Returns true if a variable has its value from the module, and keeps it.
fn is_data(variable: &Instruction) -> bool {
    views::Variable(*variable).storage_class() == StorageClass::UniformConstant as u32
        && variable.words().len() > 4
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
