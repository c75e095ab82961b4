//! Add-on images: the conditional actions of a program in modules of their own, which a runtime links with the main images
//! (docs/design/device-if.md, "Changes to the `sycl-post-link` tool (non-AOT)").
//!
//! An image that is packed is taken apart: what it calls only under a condition becomes a pair of images, one with the functions, and one
//! with what is called on other devices. The images of a pair may have conditional calls of their own; the tree of all of them is a family.

mod image;
mod source;
mod tree;
mod types;

pub use source::Source;

use std::collections::{HashMap, HashSet};

use super::PipelineError;
use super::split::Image;
use crate::device::DeviceConfig;
use crate::sidecar::property_sets::PropertyNames;
use tree::Tree;

/// The most images of a family.
const MOST: usize = 4096;

/// Options of making add-on images.
#[derive(Clone, Copy, Debug)]
pub struct Options<'o> {
    /// The configuration that devices are of.
    pub devices: &'o DeviceConfig,
    /// The spelling of the properties.
    pub property_names: PropertyNames,
}

/// The place of an image in its family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// It has the entry points.
    Main,
    /// It has the functions of a pair, by the pair's id.
    Real(String),
    /// It has what is called in their place.
    Stub(String),
}

/// An image of a family.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its place.
    pub role: Role,
    /// The image.
    pub image: Image,
    /// The variables that it exports. They are among its symbols if another image of the program imports them.
    pub variables: Vec<String>,
}

/// Takes an image apart, first the main image. Several images of a program share `names`, each of which is
/// [reserved](Source::reserve) there before the first is taken apart.
///
/// # Errors
/// See [`PipelineError`].
pub fn family(
    source: &Source,
    names: &mut ProgramNames,
    options: &Options,
) -> Result<Vec<Member>, PipelineError> {
    let analyses = source.analyses();
    let graph = source.graph();
    let mut tree = Tree::of(source, &analyses, &graph, names, options)?;
    tree.share_state(analyses.names(), names)?;
    let mut members = Vec::with_capacity(tree.nodes.len());
    for number in 0..tree.nodes.len() {
        members.push(tree.member(number, source, analyses.names(), &graph, options)?);
    }
    Ok(members)
}

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
