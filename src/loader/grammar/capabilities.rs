//! The capabilities of the grammar.

use super::tables::CAPABILITIES;

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
