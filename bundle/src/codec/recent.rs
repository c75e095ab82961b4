//! The global ids that occurred last.

/// The maximum number of ids in the list, so that a hostile file cannot make moves in it expensive.
const MAX: usize = 256;

/// Numbers of global ids, the last used first.
#[derive(Clone, Debug)]
pub struct RecentIds {
    ids: [u32; MAX],
    len: usize,
}

impl RecentIds {
    /// Creates an empty list.
    pub fn new() -> RecentIds {
        RecentIds { ids: [0; MAX], len: 0 }
    }

    /// Returns the number of ids.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Removes all ids.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Returns the position of an id.
    #[cfg(feature = "write")]
    pub fn position(&self, id: u32) -> Option<usize> {
        self.ids[..self.len].iter().position(|&recent| recent == id)
    }

    /// Moves the id at a position below the length to the front, and returns it.
    #[inline]
    pub fn promote(&mut self, position: usize) -> u32 {
        // Most positions are small, for which calling a function that moves memory is slower.
        let mut id = self.ids[0];
        for next in &mut self.ids[1..=position] {
            std::mem::swap(next, &mut id);
        }
        self.ids[0] = id;
        id
    }

    /// Adds an id that the list does not have. The id at the end of a full list goes.
    pub fn add(&mut self, id: u32) {
        self.len = MAX.min(self.len + 1);
        self.ids.copy_within(..self.len - 1, 1);
        self.ids[0] = id;
    }
}
