//! Sets of requirements by id.

use super::RequirementSet;

/// The sets of those ids that have one: most have none, and every operand of a module is looked up.
#[derive(Clone, Debug, Default)]
pub struct SetsById {
    /// By id: the index of its set, from 1; 0 without one.
    indices: Vec<u32>,
    sets: Vec<RequirementSet>,
}

impl SetsById {
    /// None yet, for ids below a bound.
    pub fn new(bound: u32) -> SetsById {
        SetsById { indices: vec![0; bound as usize], sets: Vec::new() }
    }

    /// The set of an id, if it has one.
    #[inline]
    pub fn get(&self, id: u32) -> Option<&RequirementSet> {
        let index = *self.indices.get(id as usize)?;
        self.sets.get((index as usize).wrapping_sub(1))
    }

    /// Adds to the set of an id; ids from the bound on are left out.
    pub fn extend(&mut self, id: u32, more: &RequirementSet) {
        match self.indices.get_mut(id as usize) {
            Some(0) => {
                self.sets.push(*more);
                self.indices[id as usize] = self.sets.len() as u32;
            }
            Some(index) => {
                self.sets[*index as usize - 1].extend(more);
            }
            None => {}
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
        assert_eq!(sets.values().count(), 2);
    }
}
