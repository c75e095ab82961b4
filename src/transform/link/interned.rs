//! A hash table with runs of words as keys.

use std::collections::HashMap;
use std::collections::hash_map::{Entry, RandomState};
use std::hash::{BuildHasher, BuildHasherDefault, Hasher};

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
