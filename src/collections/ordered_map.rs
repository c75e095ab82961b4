//! A map in the order of its keys.

#![allow(missing_docs, reason = "methods are those of the standard library's maps")]

use std::borrow::Borrow;
use std::collections::{BTreeMap, btree_map};
use std::fmt;
use std::ops::{Index, RangeBounds};

/// A map from ids, such as result ids and SpecIds.
pub type IdMap<V> = OrderedMap<u32, V>;

/// A map in the order of its keys. All maps with keys of one type share the code of one B-tree, which the standard library's map has once more for
/// each type of values.
#[derive(Clone)]
pub struct OrderedMap<K, V> {
    /// The place of each key's value in `values`.
    places: BTreeMap<K, u32>,
    /// The values, with `None` where the key was removed. In a box, since most maps that prepared modules keep are empty.
    #[allow(clippy::box_collection, reason = "an empty map has 32 bytes, not 48")]
    values: Option<Box<Vec<Option<V>>>>,
}

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
        OrderedMap { places: BTreeMap::new(), values: None }
    }

    pub fn len(&self) -> usize {
        self.places.len()
    }

    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    pub fn iter(&self) -> OrderedMapIter<'_, K, V> {
        OrderedMapIter { places: self.places.iter(), values: self.slots() }
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&K, &mut V)> {
        let values = self.values.iter_mut().flat_map(|values| values.iter_mut());
        let mut values: Vec<Option<&mut V>> = values.map(Option::as_mut).collect();
        self.places.iter().filter_map(move |(key, &place)| Some((key, values[place as usize].take()?)))
    }

    pub fn keys(&self) -> btree_map::Keys<'_, K, u32> {
        self.places.keys()
    }

    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }

    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.iter_mut().map(|(_, value)| value)
    }

    pub fn into_keys(self) -> btree_map::IntoKeys<K, u32> {
        self.places.into_keys()
    }

    fn slots(&self) -> &[Option<V>] {
        self.values.as_deref().map_or(&[], Vec::as_slice)
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
        self.places.contains_key(key)
    }

    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.slots()[*self.places.get(key)? as usize].as_ref()
    }

    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.values.as_mut()?[*self.places.get(key)? as usize].as_mut()
    }

    pub fn range(&self, keys: impl RangeBounds<K>) -> impl Iterator<Item = (&K, &V)> {
        self.places
            .range(keys)
            .filter_map(|(key, &place)| Some((key, self.slots()[place as usize].as_ref()?)))
    }

    /// Sets a value, and returns the one that was there.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        self.slot(key).replace(value)
    }

    /// Removes a value, and returns it.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let value = self.values.as_mut()?[self.places.remove(key)? as usize].take();
        // Not more places than keys that are added and removed in turns.
        if self.is_empty() {
            self.values = None;
        }
        value
    }

    pub fn entry(&mut self, key: K) -> OrderedMapEntry<'_, K, V> {
        OrderedMapEntry { map: self, key }
    }

    /// Keeps the values that the predicate, which is asked in the order of the keys, is true for.
    pub fn retain(&mut self, mut is_kept: impl FnMut(&K, &mut V) -> bool) {
        let Some(values) = &mut self.values else { return };
        self.places.retain(|key, &mut place| {
            let value = &mut values[place as usize];
            let is_kept = value.as_mut().is_some_and(|value| is_kept(key, value));
            if !is_kept {
                *value = None;
            }
            is_kept
        });
    }

    /// Returns the value of a key, which is `None` if the key is new.
    fn slot(&mut self, key: K) -> &mut Option<V> {
        let values = self.values.get_or_insert_default();
        let place = *self.places.entry(key).or_insert(values.len() as u32) as usize;
        if place == values.len() {
            values.push(None);
        }
        &mut values[place]
    }
}

impl<'m, K: Ord, V> OrderedMapEntry<'m, K, V> {
    pub fn or_insert_with(self, value: impl FnOnce() -> V) -> &'m mut V {
        self.map.slot(self.key).get_or_insert_with(value)
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
        OrderedMapIntoIter {
            places: self.places.into_iter(),
            values: self.values.map_or_else(Vec::new, |values| *values),
        }
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
