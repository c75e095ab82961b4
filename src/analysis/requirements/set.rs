//! Sets of requirements.

use super::RequirementId;

/// The largest number of requirements; the table has fewer, which a test makes sure of.
pub(super) const LIMIT: usize = 640;

const WORDS: usize = LIMIT / 64;

/// A set of requirements, one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RequirementSet([u64; WORDS]);

impl RequirementSet {
    /// The empty set.
    pub const EMPTY: RequirementSet = RequirementSet([0; WORDS]);

    /// Adds a requirement.
    #[inline]
    pub fn insert(&mut self, id: RequirementId) {
        self.0[usize::from(id.0) / 64] |= 1 << (id.0 % 64);
    }

    /// True if a requirement is in the set.
    #[inline]
    pub fn contains(&self, id: RequirementId) -> bool {
        self.0[usize::from(id.0) / 64] & 1 << (id.0 % 64) != 0
    }

    /// True if the set is empty.
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

    /// True if all requirements of another set are in this one.
    #[inline]
    pub fn has_all(&self, other: &RequirementSet) -> bool {
        self.0.iter().zip(other.0).all(|(word, other)| other & !word == 0)
    }

    /// True if a requirement is in both sets.
    pub fn intersects(&self, other: &RequirementSet) -> bool {
        self.0.iter().zip(other.0).any(|(word, other)| word & other != 0)
    }

    /// The requirements in the set, in the order of the table.
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
