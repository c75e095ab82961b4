//! The work-around for OpPhis at which the compiler in NVIDIA's Vulkan driver crashes.

use spirv::Op;

use super::WorkAround;
use crate::analysis::{LoopPhi, crashing_phis};
use crate::loader::{Module, views};

/// Changes the OpPhis on which the compiler crashes. The value from a loop's back edge becomes a copy in the loop, or the OpPhi itself, if that
/// edge is never taken.
pub fn boolean_loop_phis(module: &Module) -> WorkAround {
    let mut work_around = WorkAround::new(module);
    // Values of one instruction are contiguous.
    for values in crashing_phis(module).chunk_by(|one, other| one.offset == other.offset) {
        let inst = views::Phi(module.instruction(values[0].offset));
        let mut words = inst.words().to_vec();
        for &LoopPhi { value, back, .. } in values {
            words[value] = match back {
                Some(end) => work_around.copy(end, inst.type_id(), words[value]),
                None => inst.id(),
            };
        }
        work_around.edits.replace_words(&inst, &words);
        work_around.instructions += 1;
    }
    work_around
}

impl WorkAround {
    /// Inserts a copy of a value at an offset.
    fn copy(&mut self, place: u32, type_: u32, value: u32) -> u32 {
        let copy = self.edits.fresh_id();
        self.edits.insert_words(place, &[4 << 16 | Op::CopyObject as u32, type_, copy, value]);
        copy
    }
}
