use bitflags::bitflags;

use crate::loader::Module;

bitflags! {
    /// Facts about an id.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Flags: u8 {
        /// Removed: by a false condition, inside a removed function, or with the id that it describes.
        const REMOVED = 1 << 0;
        /// Used by a removed or rewritten instruction, so it may have lost its last use.
        const CANDIDATE = 1 << 1;
        /// A candidate that a kept instruction uses.
        const LIVE = 1 << 2;
        /// Never swept: it has a meaning without any use.
        const KEPT = 1 << 3;
        /// Decorated Location or Component: it is kept where an interface list names it.
        const LOCATED = 1 << 4;
        /// A constant of known value that becomes an ordinary one.
        const DECIDED = 1 << 5;
        /// Has a decoration that is kept.
        const DECORATED = 1 << 6;
        /// A function with an entry point that is kept.
        const ENTRY = 1 << 7;
    }
}

/// The flags of each id.
pub struct IdFlags {
    flags: Vec<Flags>,
}

impl IdFlags {
    pub fn new(module: &Module) -> IdFlags {
        IdFlags { flags: vec![Flags::empty(); module.bound() as usize] }
    }

    #[inline]
    pub fn has(&self, id: u32, flags: Flags) -> bool {
        self.flags[id as usize].intersects(flags)
    }

    #[inline]
    pub fn set(&mut self, id: u32, flags: Flags) {
        self.flags[id as usize] |= flags;
    }

    /// Copies some flags from one id to another.
    pub fn inherit(&mut self, from: u32, to: u32, flags: Flags) {
        let inherited = self.flags[from as usize] & flags;
        self.flags[to as usize] |= inherited;
    }

    /// True if an id is not in the result. Meaningful for candidates once the sweep is done.
    #[inline]
    pub fn is_removed(&self, id: u32) -> bool {
        let flags = self.flags[id as usize];
        flags.contains(Flags::REMOVED) || (flags.contains(Flags::CANDIDATE) && !flags.contains(Flags::LIVE))
    }
}
