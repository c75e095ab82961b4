//! Variables that pointers point into: follows a pointer back to the definition that it is derived from.
//!
//! Analyses that do not use [`Module::follow_pointer`] as it is, and what they find:
//!
//! - `analysis/flow/access.rs` needs all indexes on the way, which a cast hides. The scan of all functions beside it marks pointers as it meets them,
//!   and whatever is not an access chain lets the variable escape.
//! - `analysis/requirements/pointer_origins.rs` also follows calls, OpPhi and OpSelect, and joins what it finds there.
//! - `transform/specialize/local_values.rs` numbers the parts of variables in changed functions, whose instructions are not those of the module.
//! - `transform/trim/read_only.rs` also follows untyped pointers, and the images that are loaded.
//! - `transform/version/buffer_blocks.rs` gives pointers another type, and refuses those that cannot have it.

use super::instruction::Instruction;
use super::module::Module;

/// The maximum number of steps from a pointer to its variable: a malformed module may have a cycle.
const MAX_STEPS: usize = 64;

impl Module<'_> {
    /// Follows a pointer to the definition that it is derived from: a variable, a parameter, or another value. Calls a
    /// function with each instruction on the way, which returns `None` to stop.
    #[inline]
    pub fn follow_pointer<'s>(
        &'s self,
        pointer: u32,
        mut visit: impl FnMut(Instruction<'s>) -> Option<()>,
    ) -> Option<Instruction<'s>> {
        let mut inst = self.definition(pointer)?;
        for _ in 0..MAX_STEPS {
            let Some(base) = inst.pointer_base() else { return Some(inst) };
            visit(inst)?;
            inst = self.definition(base)?;
        }
        None
    }

    /// Returns the definition that a pointer is derived from.
    pub fn pointer_root(&self, pointer: u32) -> Option<Instruction<'_>> {
        self.follow_pointer(pointer, |_| Some(()))
    }
}

#[cfg(test)]
mod tests {
    use spirv::Op;

    use super::*;
    use crate::test_support::{instruction, module_of};

    fn roots(pointers: &[(Op, u32, &[u32])]) -> Vec<Option<u32>> {
        let mut parts = vec![instruction(59, &[1, 10, 7])];
        parts.extend(
            pointers.iter().map(|&(op, id, operands)| instruction(op as u16, &[&[1, id], operands].concat())),
        );
        let words = module_of(1000, &parts);
        let module = Module::from_words(&words[..]).unwrap();
        let ids = pointers.iter().map(|&(_, id, _)| id);
        ids.map(|id| module.pointer_root(id).and_then(|root| root.result_id())).collect()
    }

    #[test]
    fn pointers_lead_to_variables() {
        let pointers: [(Op, u32, &[u32]); 5] = [
            (Op::AccessChain, 11, &[10, 5]),
            (Op::Bitcast, 12, &[11]),
            (Op::PtrAccessChain, 13, &[12, 5]),
            (Op::Load, 14, &[13]),
            (Op::CopyObject, 15, &[14]),
        ];
        assert_eq!(roots(&pointers), [Some(10), Some(10), Some(10), Some(14), Some(14)]);
    }

    #[test]
    fn a_pointer_derived_from_itself_has_an_end() {
        let root = roots(&[(Op::CopyObject, 11, &[12]), (Op::CopyObject, 12, &[11])]);
        assert_eq!(root, [None, None]);
    }
}
