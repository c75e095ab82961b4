//! The names and ids that are unique in a program.

use std::collections::{HashMap, HashSet};

/// The names by which the images of a program refer to each other, and the ids of pairs of add-on images.
#[derive(Clone, Debug, Default)]
pub struct ProgramNames {
    taken: HashSet<String>,
    /// By name: the last generation of it.
    generations: HashMap<String, u32>,
    pairs: u32,
}

impl ProgramNames {
    /// Reserves a name that something in the program has already.
    pub fn reserve(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// A name like this that nothing else has: the name itself, or with the number of a generation, from 2.
    pub fn unique(&mut self, name: &str) -> String {
        let generation = self.generations.entry(name.to_owned()).or_insert(0);
        loop {
            *generation += 1;
            let own = match generation {
                1 => name.to_owned(),
                _ => format!("{name}.{generation}"),
            };
            if self.taken.insert(own.clone()) {
                return own;
            }
        }
    }

    /// The id of the next pair.
    pub fn pair(&mut self) -> String {
        self.pairs += 1;
        self.pairs.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_in_a_program() {
        let mut names = ProgramNames::default();
        names.reserve("action.2");
        names.reserve("there");
        let mut made = Vec::new();
        for name in ["action", "action", "there", "action.2", "action"] {
            made.push(names.unique(name));
        }
        assert_eq!(made, ["action", "action.3", "there.2", "action.2.2", "action.4"]);
        assert_eq!([names.pair(), names.pair()], ["1", "2"]);
    }
}
