//! Sets and maps in one sorted piece of memory, which may be a constant of the program.

use std::borrow::{Borrow, Cow};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Deref;

/// A set, as a slice of its items in ascending order.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct FlatSet<T: Clone + 'static>(Cow<'static, [T]>);

impl<T: Clone> FlatSet<T> {
    /// Creates a set of items in ascending order.
    pub const fn constant(items: &'static [T]) -> FlatSet<T> {
        FlatSet(Cow::Borrowed(items))
    }
}

impl<T: Clone + Ord> FlatSet<T> {
    /// Returns true if the set has an item.
    pub fn contains<Q: Ord + ?Sized>(&self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.binary_search_by(|other| other.borrow().cmp(item)).is_ok()
    }

    /// Adds an item.
    pub fn insert(&mut self, item: T) {
        if let Err(at) = self.binary_search(&item) {
            self.0.to_mut().insert(at, item);
        }
    }

    /// Keeps the items for which `keeps` returns true.
    pub fn retain(&mut self, keeps: impl FnMut(&T) -> bool) {
        self.0.to_mut().retain(keeps);
    }
}

impl<T: Clone> Deref for FlatSet<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Clone> Default for FlatSet<T> {
    fn default() -> FlatSet<T> {
        FlatSet::constant(&[])
    }
}

impl<T: Clone + fmt::Debug> fmt::Debug for FlatSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(&self.0[..]).finish()
    }
}

impl<T: Clone> From<BTreeSet<T>> for FlatSet<T> {
    fn from(items: BTreeSet<T>) -> FlatSet<T> {
        FlatSet(items.into_iter().collect())
    }
}

impl<T: Clone + Ord, const N: usize> From<[T; N]> for FlatSet<T> {
    fn from(items: [T; N]) -> FlatSet<T> {
        items.into_iter().collect()
    }
}

impl<T: Clone + Ord> FromIterator<T> for FlatSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> FlatSet<T> {
        let mut set = FlatSet::default();
        set.extend(items);
        set
    }
}

impl<T: Clone + Ord> Extend<T> for FlatSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        let mut all = BTreeSet::new();
        all.extend(self.iter().cloned().chain(items));
        *self = all.into();
    }
}

impl<'s, T: Clone> IntoIterator for &'s FlatSet<T> {
    type Item = &'s T;
    type IntoIter = std::slice::Iter<'s, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// A map, as a slice of its keys in ascending order, each with its value.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct FlatMap<K: Clone + 'static, V: Clone + 'static>(Cow<'static, [(K, V)]>);

impl<K: Clone, V: Clone> FlatMap<K, V> {
    /// Creates a map of pairs in ascending order of the keys.
    pub const fn constant(pairs: &'static [(K, V)]) -> FlatMap<K, V> {
        FlatMap(Cow::Borrowed(pairs))
    }

    /// Returns the keys.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.iter().map(|(key, _)| key)
    }
}

impl<K: Clone + Ord, V: Clone> FlatMap<K, V> {
    /// Returns the value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let at = self.binary_search_by(|(other, _)| other.borrow().cmp(key)).ok()?;
        Some(&self[at].1)
    }

    /// Adds pairs, or replaces the values of their keys.
    pub fn extend(&mut self, pairs: impl IntoIterator<Item = (K, V)>) {
        let mut all = BTreeMap::new();
        all.extend(self.iter().cloned().chain(pairs));
        self.0 = all.into_iter().collect();
    }

    /// Sets the value of a key, and returns the value before.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.binary_search_by(|(other, _)| other.cmp(&key)) {
            Ok(at) => Some(std::mem::replace(&mut self.0.to_mut()[at].1, value)),
            Err(at) => {
                self.0.to_mut().insert(at, (key, value));
                None
            }
        }
    }

    /// Keeps the pairs for which `keeps` returns true.
    pub fn retain(&mut self, mut keeps: impl FnMut(&K, &mut V) -> bool) {
        self.0.to_mut().retain_mut(|(key, value)| keeps(key, value));
    }
}

impl<K: Clone, V: Clone> Deref for FlatMap<K, V> {
    type Target = [(K, V)];

    fn deref(&self) -> &[(K, V)] {
        &self.0
    }
}

impl<K: Clone, V: Clone> Default for FlatMap<K, V> {
    fn default() -> FlatMap<K, V> {
        FlatMap::constant(&[])
    }
}

impl<K: Clone + fmt::Debug, V: Clone + fmt::Debug> fmt::Debug for FlatMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter().map(|(key, value)| (key, value))).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets() {
        let mut set = FlatSet::constant(&[2, 4]);
        set.insert(3);
        set.insert(4);
        set.extend([5, 1, 2]);
        assert_eq!(set, FlatSet::from([5, 4, 3, 2, 1]));
        set.retain(|item| item % 2 == 1);
        assert_eq!((&set[..], set.contains(&3), set.contains(&4)), (&[1, 3, 5][..], true, false));
        assert_eq!(format!("{set:?}"), "{1, 3, 5}");
    }

    #[test]
    fn maps() {
        let mut map = FlatMap::constant(&[("b", 2)]);
        assert_eq!((map.insert("a", 0), map.insert("a", 1), map.insert("b", 3)), (None, Some(0), Some(2)));
        map.extend([("b", 4), ("c", 5)]);
        assert_eq!((map.get("a"), map.get("b"), map.get("d")), (Some(&1), Some(&4), None));
        map.retain(|key, value| {
            *value += 1;
            *key != "a"
        });
        assert_eq!(map.keys().copied().collect::<Vec<_>>(), ["b", "c"]);
        assert_eq!(format!("{map:?}"), "{\"b\": 5, \"c\": 6}");
    }
}
