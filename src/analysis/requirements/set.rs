//! Sets of requirements, and such sets by id.

use super::RequirementId;

/// The largest number of requirements; the table has fewer, which a test makes sure of.
pub(super) const LIMIT: usize = 704;

const WORDS: usize = LIMIT / 64;

/// A set of requirements, one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RequirementSet(pub(super) [u64; WORDS]);

impl RequirementSet {
    /// The empty set.
    pub const EMPTY: RequirementSet = RequirementSet([0; WORDS]);

    /// Adds a requirement.
    #[inline]
    pub fn insert(&mut self, id: RequirementId) {
        self.0[usize::from(id.0) / 64] |= 1 << (id.0 % 64);
    }

    /// Returns true if a requirement is in the set.
    #[inline]
    pub fn contains(&self, id: RequirementId) -> bool {
        self.0[usize::from(id.0) / 64] & 1 << (id.0 % 64) != 0
    }

    /// Returns true if the set is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        // A comparison of arrays would be a call.
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// Adds all requirements of another set. Returns true if that changes this one.
    pub fn extend(&mut self, other: &RequirementSet) -> bool {
        let mut more = 0;
        for (word, other) in self.0.iter_mut().zip(other.0) {
            more |= other & !*word;
            *word |= other;
        }
        more != 0
    }

    /// Returns true if all requirements of another set are in this one.
    #[inline]
    pub fn has_all(&self, other: &RequirementSet) -> bool {
        self.0.iter().zip(other.0).all(|(word, other)| other & !word == 0)
    }

    /// Returns true if a requirement is in both sets.
    pub fn intersects(&self, other: &RequirementSet) -> bool {
        self.0.iter().zip(other.0).any(|(word, other)| word & other != 0)
    }

    /// Keeps only the requirements that are in another set too.
    pub fn retain(&mut self, other: &RequirementSet) {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= other);
    }

    /// Removes all requirements of another set.
    pub fn subtract(&mut self, other: &RequirementSet) {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= !other);
    }

    /// Returns the requirements in the set, in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = RequirementId> + use<> {
        self.0.into_iter().enumerate().flat_map(|(at, mut word)| {
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros();
                (word != 0).then(|| {
                    word &= word - 1;
                    RequirementId((at * 64) as u16 + bit as u16)
                })
            })
        })
    }
}

impl FromIterator<RequirementId> for RequirementSet {
    fn from_iter<I: IntoIterator<Item = RequirementId>>(ids: I) -> RequirementSet {
        let mut set = RequirementSet::EMPTY;
        ids.into_iter().for_each(|id| set.insert(id));
        set
    }
}

/// The sets of the ids that have one. Most ids have none, every operand of a module is looked up, and many sets are
/// equal.
#[derive(Clone, Debug, Default)]
pub struct SetsById {
    /// The index of each id's set, from 1; 0 without one.
    indices: Vec<u32>,
    /// Sets that do not change once they are here; some may be those of no id any more, which have grown.
    sets: Vec<RequirementSet>,
}

impl SetsById {
    /// Creates empty sets for ids below a bound.
    pub fn new(bound: u32) -> SetsById {
        SetsById { indices: vec![0; bound as usize], sets: Vec::new() }
    }

    #[inline]
    fn index(&self, id: u32) -> u32 {
        self.indices.get(id as usize).copied().unwrap_or(0)
    }

    #[inline]
    fn set(&self, index: u32) -> Option<&RequirementSet> {
        self.sets.get((index as usize).wrapping_sub(1))
    }

    /// Returns the set of an id, if it has one.
    #[inline]
    pub fn get(&self, id: u32) -> Option<&RequirementSet> {
        self.set(self.index(id))
    }

    /// Adds to the set of an id. Ids from the bound on are ignored.
    pub fn extend(&mut self, id: u32, more: &RequirementSet) {
        let mut all = *more;
        if let Some(before) = self.get(id) {
            if before.has_all(more) {
                return;
            }
            all.extend(before);
        }
        if let Some(index) = self.indices.get_mut(id as usize) {
            self.sets.push(all);
            *index = self.sets.len() as u32;
        }
    }

    /// Adds the set of another id to the set of an id.
    #[inline]
    pub fn extend_from(&mut self, id: u32, other: u32) {
        let (index_before, more) = (self.index(id), self.index(other));
        if index_before == more || more == 0 {
            return;
        }
        match self.indices.get_mut(id as usize) {
            Some(index) if index_before == 0 => *index = more,
            _ => {
                let more = self.sets[more as usize - 1];
                self.extend(id, &more);
            }
        }
    }

    /// Returns all sets.
    pub fn values(&self) -> impl Iterator<Item = &RequirementSet> {
        self.sets.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::requirements::RequirementId;

    #[test]
    fn sets_grow() {
        let ids: Vec<RequirementId> = RequirementId::all().take(3).collect();
        let one = |id: RequirementId| std::iter::once(id).collect::<RequirementSet>();
        let mut sets = SetsById::new(10);
        sets.extend(4, &one(ids[0]));
        sets.extend(9, &one(ids[1]));
        sets.extend(4, &one(ids[2]));
        sets.extend(10, &one(ids[2]));
        assert_eq!(sets.get(4).unwrap().iter().collect::<Vec<_>>(), [ids[0], ids[2]]);
        assert_eq!(sets.get(9), Some(&one(ids[1])));
        assert_eq!([0, 5, 10].map(|id| sets.get(id)), [None; 3]);
        sets.extend_from(5, 4);
        sets.extend_from(6, 5);
        sets.extend_from(5, 9);
        assert_eq!(sets.get(5), Some(&ids.iter().copied().collect()));
        assert_eq!(sets.get(6), sets.get(4));
        assert_eq!(sets.get(4).unwrap().iter().count(), 2);
    }
}
