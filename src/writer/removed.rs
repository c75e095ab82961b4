//! Makes sure that what edits remove is not needed any more.

use crate::loader::{Module, Visitor};

/// Something that refers to an id that edits removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StillUsed {
    /// The id.
    pub removed: u32,
    /// The opcode of what refers to it.
    pub user: String,
    /// Where that stands in the result, in bytes.
    pub offset: u64,
}

/// Finds what in a result refers to an id that the module before had and the result has not. An id that nothing defined before is
/// not what edits are to blame for; neither are the words of instructions that the grammar does not have, which may be no ids.
pub fn still_used(before: &Module, after: &Module) -> Option<StillUsed> {
    let removed = |id: u32| before.definition_offset(id).is_some() && after.definition_offset(id).is_none();
    if !(0..before.bound()).any(removed) {
        return None;
    }
    let mut uses = Uses { removed, found: None };
    after.instructions().find_map(|inst| {
        after.walk(&inst, &mut uses);
        let removed = uses.found?;
        Some(StillUsed { removed, user: inst.name(), offset: u64::from(inst.offset()) * 4 })
    })
}

struct Uses<R> {
    removed: R,
    found: Option<u32>,
}

impl<R: Fn(u32) -> bool> Visitor for Uses<R> {
    #[inline]
    fn id(&mut self, _at: usize, id: u32) {
        if (self.removed)(id) {
            self.found = Some(id);
        }
    }

    fn possible_id(&mut self, _at: usize, _id: u32) {}
}
