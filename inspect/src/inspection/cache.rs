//! A cache of results for modules inside of files: a library may contain the same module several times.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

/// The number of sampled pieces of a module, and the length of each. Modules are compared in full only if
/// their samples are equal.
const PIECES: usize = 16;
const PIECE: usize = 32;

/// The length and a hash of the sampled pieces.
type SampleHash = (usize, u64);

/// Results by the bytes of their modules.
pub struct ResultCache<'f, T> {
    results: Mutex<HashMap<SampleHash, Vec<CacheEntry<'f, T>>>>,
}

/// The bytes of a module, and their result.
type CacheEntry<'f, T> = (&'f [u8], Arc<T>);

impl<'f, T> ResultCache<'f, T> {
    /// Creates an empty cache.
    pub fn new() -> ResultCache<'f, T> {
        ResultCache { results: Mutex::default() }
    }

    /// Returns the result for equal bytes, if the cache has one.
    pub fn get(&self, bytes: &[u8]) -> Option<Arc<T>> {
        let results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        let alike = results.get(&key(bytes))?.iter().map(|(bytes, result)| (*bytes, Arc::clone(result)));
        let alike: Vec<(&[u8], Arc<T>)> = alike.collect();
        drop(results);
        alike.into_iter().find(|(known, _)| *known == bytes).map(|(_, result)| result)
    }

    /// Adds the result for the bytes of a module.
    pub fn insert(&self, bytes: &'f [u8], result: Arc<T>) {
        let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        results.entry(key(bytes)).or_default().push((bytes, result));
    }
}

fn key(bytes: &[u8]) -> SampleHash {
    let mut hasher = DefaultHasher::new();
    for piece in 0..PIECES {
        let start = bytes.len() * piece / PIECES;
        bytes[start..bytes.len().min(start + PIECE)].hash(&mut hasher);
    }
    (bytes.len(), hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_bytes_are_known() {
        let first: Vec<u8> = (0..10_000_u32).map(|byte| byte as u8).collect();
        // The two differ only in a byte that is not sampled.
        let mut second = first.clone();
        second[5_000 + 100] ^= 1;
        assert_eq!(key(&first), key(&second));
        let known = ResultCache::new();
        known.insert(&first, Arc::new(1));
        assert_eq!(known.get(&second), None);
        known.insert(&second, Arc::new(2));
        assert_eq!(
            (known.get(&first.clone()).as_deref(), known.get(&second.clone()).as_deref()),
            (Some(&1), Some(&2))
        );
        assert_eq!(known.get(&first[1..]), None);
        assert_eq!(known.get(&[]), None);
    }
}
