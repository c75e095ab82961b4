//! A map in the order of its keys.

#![allow(missing_docs, reason = "methods are those of the standard library's maps")]

use std::borrow::Borrow;
use std::collections::{BTreeMap, btree_map};
use std::fmt;
use std::ops::Index;

/// A map from ids, such as result ids and SpecIds.
pub type IdMap<V> = OrderedMap<u32, V>;

/// A map in the order of its keys. All maps with keys of one type share the code of one B-tree, which the standard library's map has once more for
/// each type of values.
#[derive(Clone)]
pub struct OrderedMap<K, V> {
    places: Places<K>,
    /// The values, with `None` where the key was removed.
    values: Vec<Option<V>>,
}

/// The place of each key's value. It is in a box, since most maps that prepared modules keep are empty.
#[derive(Clone)]
#[allow(clippy::box_collection, reason = "an empty map has 32 bytes, not 48")]
struct Places<K>(Option<Box<BTreeMap<K, u32>>>);

/// The keys and values of a map, in the order of the keys.
#[derive(Clone)]
pub struct OrderedMapIter<'m, K, V> {
    places: btree_map::Iter<'m, K, u32>,
    values: &'m [Option<V>],
}

/// The place of a key in a map ([`OrderedMap::entry`]).
pub struct OrderedMapEntry<'m, K, V> {
    map: &'m mut OrderedMap<K, V>,
    key: K,
}

impl<K, V> OrderedMap<K, V> {
    pub const fn new() -> OrderedMap<K, V> {
        OrderedMap { places: Places(None), values: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.places.iter().len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn iter(&self) -> OrderedMapIter<'_, K, V> {
        OrderedMapIter { places: self.places.iter(), values: &self.values }
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&K, &mut V)> {
        let mut values: Vec<Option<&mut V>> = self.values.iter_mut().map(Option::as_mut).collect();
        self.places.iter().filter_map(move |(key, &place)| Some((key, values[place as usize].take()?)))
    }

    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + Clone {
        self.places.iter().map(|(key, _)| key)
    }

    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }

    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.iter_mut().map(|(_, value)| value)
    }

    pub fn into_keys(self) -> impl Iterator<Item = K> {
        self.places.into_iter().map(|(key, _)| key)
    }

    pub fn into_values(self) -> impl Iterator<Item = V> {
        self.into_iter().map(|(_, value)| value)
    }
}

impl<K: Ord, V> OrderedMap<K, V> {
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.places.find(key).is_some()
    }

    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.values[self.places.find(key)?].as_ref()
    }

    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.values[self.places.find(key)?].as_mut()
    }

    /// Sets a value, and returns the one that was there.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let place = self.place(key);
        self.values[place].replace(value)
    }

    /// Removes a value, and returns it.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let value = self.values[self.places.0.as_mut()?.remove(key)? as usize].take();
        // Not more places than keys that are added and removed in turns.
        if self.is_empty() {
            self.values.clear();
        }
        value
    }

    pub fn entry(&mut self, key: K) -> OrderedMapEntry<'_, K, V> {
        OrderedMapEntry { map: self, key }
    }

    /// Keeps the values that the predicate, which is asked in the order of the keys, is true for.
    pub fn retain(&mut self, mut is_kept: impl FnMut(&K, &mut V) -> bool) {
        let (Some(places), values) = (&mut self.places.0, &mut self.values) else { return };
        places.retain(|key, &mut place| {
            let value = &mut values[place as usize];
            let is_kept = value.as_mut().is_some_and(|value| is_kept(key, value));
            if !is_kept {
                *value = None;
            }
            is_kept
        });
    }

    /// Returns the place of a key's value, which is `None` if the key is new.
    fn place(&mut self, key: K) -> usize {
        let place = self.places.find_or_add(key, self.values.len());
        if place == self.values.len() {
            self.values.push(None);
        }
        place
    }
}

impl<K> Places<K> {
    fn iter(&self) -> btree_map::Iter<'_, K, u32> {
        self.0.as_deref().map_or_else(btree_map::Iter::default, BTreeMap::iter)
    }
}

impl<K: Ord> Places<K> {
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        self.0.as_ref()?.get(key).map(|&place| place as usize)
    }

    /// Returns the place of a key, which is `next` if the key is new.
    fn find_or_add(&mut self, key: K, next: usize) -> usize {
        *self.0.get_or_insert_default().entry(key).or_insert(next as u32) as usize
    }
}

impl<K> IntoIterator for Places<K> {
    type Item = (K, u32);
    type IntoIter = btree_map::IntoIter<K, u32>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.map_or_else(btree_map::IntoIter::default, |places| places.into_iter())
    }
}

impl<'m, K: Ord, V> OrderedMapEntry<'m, K, V> {
    pub fn or_insert_with(self, value: impl FnOnce() -> V) -> &'m mut V {
        let place = self.map.place(self.key);
        self.map.values[place].get_or_insert_with(value)
    }

    pub fn or_insert(self, value: V) -> &'m mut V {
        self.or_insert_with(|| value)
    }

    pub fn or_default(self) -> &'m mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }
}

impl<K, V> Default for OrderedMap<K, V> {
    fn default() -> Self {
        OrderedMap::new()
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for OrderedMap<K, V> {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.debug_map().entries(self.iter()).finish()
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for OrderedMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<K: Eq, V: Eq> Eq for OrderedMap<K, V> {}

impl<K: Ord, V> Extend<(K, V)> for OrderedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, values: I) {
        values.into_iter().for_each(|(key, value)| drop(self.insert(key, value)));
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for OrderedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(values: I) -> Self {
        super::gather(values)
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for OrderedMap<K, V> {
    fn from(values: [(K, V); N]) -> Self {
        super::gather(values)
    }
}

impl<K, V> IntoIterator for OrderedMap<K, V> {
    type Item = (K, V);
    type IntoIter = OrderedMapIntoIter<K, V>;

    fn into_iter(self) -> Self::IntoIter {
        OrderedMapIntoIter { places: self.places.into_iter(), values: self.values }
    }
}

/// The keys and values of a map that is used up, in the order of the keys.
pub struct OrderedMapIntoIter<K, V> {
    places: btree_map::IntoIter<K, u32>,
    values: Vec<Option<V>>,
}

impl<K, V> Iterator for OrderedMapIntoIter<K, V> {
    type Item = (K, V);

    fn next(&mut self) -> Option<Self::Item> {
        let (key, place) = self.places.next()?;
        Some((key, self.values[place as usize].take()?))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.places.size_hint()
    }
}

impl<'m, K, V> IntoIterator for &'m OrderedMap<K, V> {
    type Item = (&'m K, &'m V);
    type IntoIter = OrderedMapIter<'m, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'m, K, V> Iterator for OrderedMapIter<'m, K, V> {
    type Item = (&'m K, &'m V);

    fn next(&mut self) -> Option<Self::Item> {
        let (key, &place) = self.places.next()?;
        Some((key, self.values[place as usize].as_ref()?))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.places.size_hint()
    }
}

impl<K: Ord + Borrow<Q>, Q: Ord + ?Sized, V> Index<&Q> for OrderedMap<K, V> {
    type Output = V;

    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("the key has a value")
    }
}
