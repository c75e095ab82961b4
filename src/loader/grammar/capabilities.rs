//! The capabilities of the grammar.

use super::generated::CAPABILITIES;

/// A capability.
#[derive(Debug)]
pub struct Capability {
    /// Its number.
    pub number: u32,
    /// Its name; of several, the first of the grammar.
    pub name: &'static str,
    /// The capabilities that it implies at once, without those that these imply (specification, 3.2.30 "Capability").
    pub implied: &'static [u32],
    /// Itself, and all capabilities that it implies.
    pub closure: &'static [u32],
    /// The extensions that add it, any one of them.
    pub extensions: &'static [&'static str],
}

/// The capabilities, by ascending number.
pub fn capabilities() -> &'static [Capability] {
    &CAPABILITIES
}

/// The capability with a number; `None` if the grammar does not have it.
pub fn capability_of(number: u32) -> Option<&'static Capability> {
    let at = CAPABILITIES.binary_search_by_key(&number, |known| known.number).ok()?;
    Some(&CAPABILITIES[at])
}

/// Capabilities, each once, and then all that they imply; `implied` gives those that one implies at once.
pub fn closure<I: IntoIterator<Item = u32>>(
    capabilities: impl IntoIterator<Item = u32>,
    implied: impl Fn(u32) -> I,
) -> Vec<u32> {
    let mut all: Vec<u32> = Vec::new();
    let add = |all: &mut Vec<u32>, number: u32| {
        if !all.contains(&number) {
            all.push(number);
        }
    };
    capabilities.into_iter().for_each(|number| add(&mut all, number));
    let mut at = 0;
    while let Some(&number) = all.get(at) {
        implied(number).into_iter().for_each(|implied| add(&mut all, implied));
        at += 1;
    }
    all
}
