//! Work-arounds for defects of drivers: valid modules become others that mean the same.

use spirv::Op;

use super::Edits;
use crate::analysis::{LoopPhi, crashing_phis};
use crate::loader::Module;

/// What [`nvidia`] does to a module.
#[derive(Clone, Debug)]
pub struct WorkAround {
    /// The changes to the module.
    pub edits: Edits,
    /// How many instructions they are for.
    pub instructions: usize,
}

/// Changes the OpPhis on which the compiler in NVIDIA's Vulkan driver crashes: what a loop's branch back brings to one becomes a
/// copy that is made in the loop; or the OpPhi itself, where nothing takes that branch.
pub fn nvidia(module: &Module) -> WorkAround {
    let mut work_around = WorkAround { edits: Edits::new(module), instructions: 0 };
    // Those of one instruction stand together.
    for values in crashing_phis(module).chunk_by(|one, other| one.offset == other.offset) {
        let inst = module.instruction(values[0].offset);
        let mut words = inst.words().to_vec();
        for &LoopPhi { value, back, .. } in values {
            words[value] = match back {
                Some(end) => work_around.copy(end, words[1], words[value]),
                None => words[2],
            };
        }
        work_around.edits.replace_words(&inst, &words);
        work_around.instructions += 1;
    }
    work_around
}

impl WorkAround {
    /// Puts a copy of a value in a place.
    fn copy(&mut self, place: u32, type_: u32, value: u32) -> u32 {
        let copy = self.edits.fresh_id();
        self.edits.insert_words(place, &[4 << 16 | Op::CopyObject as u32, type_, copy, value]);
        copy
    }
}
