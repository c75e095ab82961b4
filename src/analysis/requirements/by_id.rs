//! Sets of requirements by id.

use super::RequirementSet;

/// The sets of those ids that have one: most have none, and every operand of a module is looked up. Many have the same.
#[derive(Clone, Debug, Default)]
pub struct SetsById {
    /// By id: the index of its set, from 1; 0 without one.
    indices: Vec<u32>,
    /// Sets that do not change once they are here; some may be those of no id any more, which have grown.
    sets: Vec<RequirementSet>,
}

impl SetsById {
    /// None yet, for ids below a bound.
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

    /// The set of an id, if it has one.
    #[inline]
    pub fn get(&self, id: u32) -> Option<&RequirementSet> {
        self.set(self.index(id))
    }

    /// Adds to the set of an id; ids from the bound on are left out.
    pub fn extend(&mut self, id: u32, more: &RequirementSet) {
        let mut all = *more;
        if let Some(own) = self.get(id) {
            if own.has_all(more) {
                return;
            }
            all.extend(own);
        }
        if let Some(index) = self.indices.get_mut(id as usize) {
            self.sets.push(all);
            *index = self.sets.len() as u32;
        }
    }

    /// Adds the set of another id to the set of an id.
    #[inline]
    pub fn extend_from(&mut self, id: u32, other: u32) {
        let (own, more) = (self.index(id), self.index(other));
        if own == more || more == 0 {
            return;
        }
        match self.indices.get_mut(id as usize) {
            Some(index) if own == 0 => *index = more,
            _ => {
                let more = self.sets[more as usize - 1];
                self.extend(id, &more);
            }
        }
    }

    /// All sets.
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
