use crate::loader::Module;

/// Removed: by a false condition, inside a removed function, or with what it describes.
pub const REMOVED: u8 = 1;
/// Something removed or rewritten referred to it, so it may have lost its last use.
pub const CANDIDATE: u8 = 2;
/// A candidate that something surviving needs.
pub const LIVE: u8 = 4;
/// Never swept: it means something without being referred to.
pub const KEPT: u8 = 8;
/// Decorated Location or Component: it stays where an interface list names it.
pub const LOCATED: u8 = 16;
/// A constant of known value that becomes an ordinary one.
pub const DECIDED: u8 = 32;
/// Has a decoration that stays.
pub const DECORATED: u8 = 64;
/// A function with an entry point that stays.
pub const ENTRY: u8 = 128;

/// What is known of each id.
pub struct Marks {
    flags: Vec<u8>,
}

impl Marks {
    pub fn new(module: &Module) -> Marks {
        Marks { flags: vec![0; module.bound() as usize] }
    }

    #[inline]
    pub fn has(&self, id: u32, flags: u8) -> bool {
        self.flags[id as usize] & flags != 0
    }

    #[inline]
    pub fn set(&mut self, id: u32, flags: u8) {
        self.flags[id as usize] |= flags;
    }

    /// Hands on some flags from one id to another.
    pub fn inherit(&mut self, from: u32, to: u32, flags: u8) {
        self.flags[to as usize] |= self.flags[from as usize] & flags;
    }

    /// Whether an id is not in the result. Meaningful for candidates once the sweep is done.
    #[inline]
    pub fn gone(&self, id: u32) -> bool {
        let flags = self.flags[id as usize];
        flags & REMOVED != 0 || flags & (CANDIDATE | LIVE) == CANDIDATE
    }
}
