//! The private names between images of a link unit, and the ids of its pairs of add-on images.

use std::collections::{HashMap, HashSet};

use spirv_if::engine::loader::Module;

/// The words of a module's header (specification, 2.3 "Physical Layout").
const HEADER_WORDS: usize = 5;

/// The names by which the images of one link unit refer to each other, and the ids of pairs of add-on images. They end in a number computed
/// from the code of the unit, so that the names of several link units differ.
#[derive(Clone, Debug)]
pub struct UnitNames {
    unit: u32,
    taken: HashSet<String>,
    /// The last generation of each name.
    generations: HashMap<String, u32>,
    pairs: u32,
}

impl UnitNames {
    /// Names of the link unit with this code, before it is split into images.
    pub fn new(module: &Module) -> UnitNames {
        // FNV-1a.
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        for word in module.words().iter().skip(HEADER_WORDS) {
            hash = (hash ^ u64::from(*word)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        let unit = (hash ^ hash >> 32) as u32;
        UnitNames { unit, taken: HashSet::new(), generations: HashMap::new(), pairs: 0 }
    }

    /// Reserves a name that already exists in the link unit.
    pub fn reserve(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// Returns a unique name like this one. It ends with the number of the link unit. From the second such name on, a generation number
    /// precedes it.
    pub fn unique(&mut self, name: &str) -> String {
        let generation = self.generations.entry(name.to_owned()).or_insert(0);
        loop {
            *generation += 1;
            let candidate = match generation {
                1 => format!("{name}.{}", self.unit),
                _ => format!("{name}.{generation}.{}", self.unit),
            };
            if self.taken.insert(candidate.clone()) {
                return candidate;
            }
        }
    }

    /// Returns the id of the next pair: its number in the link unit, and the number of the link unit.
    pub fn pair(&mut self) -> String {
        self.pairs += 1;
        format!("{}.{}", self.pairs, self.unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(code: u32) -> UnitNames {
        let nop = spirv::Op::Nop as u32 | 1 << 16;
        let words = [vec![spirv::MAGIC_NUMBER, 0x0001_0000, code, 1, 0], vec![nop; code as usize]].concat();
        UnitNames::new(&Module::from_words(words).unwrap())
    }

    #[test]
    fn names_are_unique_in_a_link_unit() {
        let mut names = names(0);
        let unit = names.unit;
        names.reserve(&format!("action.2.{unit}"));
        names.reserve(&format!("there.{unit}"));
        let unique = ["action", "action", "there", "action.2", "action"].map(|name| names.unique(name));
        let expected = ["action", "action.3", "there.2", "action.2.2", "action.4"];
        assert_eq!(unique, expected.map(|name| format!("{name}.{unit}")));
        assert_eq!([names.pair(), names.pair()], [1, 2].map(|pair| format!("{pair}.{unit}")));
    }

    #[test]
    fn names_of_link_units_differ_by_their_code() {
        let [mut one, mut same, mut other] = [1, 1, 2].map(names);
        let first = one.unique("action");
        assert_eq!(first, same.unique("action"));
        assert_ne!(first, other.unique("action"));
        assert_ne!(one.pair(), other.pair());
    }
}
