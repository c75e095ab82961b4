//! Sizes that decided constants make: none may be zero.

use spirv::{BuiltIn, ExecutionMode, Op};

use super::freeze::Frozen;
use super::{Flags, SpecializeError, Work};
use crate::analysis::conditions::multi_target::describe;
use crate::analysis::constants::Constants;
use crate::analysis::constants::folding::Scalar;
use crate::loader::views;

/// Refuses array lengths and work-group sizes that decided constants make zero or negative, in what is kept.
///
/// # Errors
/// [`SpecializeError::Size`].
pub fn check(work: &mut Work, frozen: &Frozen) -> Result<(), SpecializeError> {
    // Where constants have new defaults, the sizes that these make are checked, too.
    let by_default = work.constants.has_new_defaults().then(|| work.constants.by_default());
    if by_default.is_none() && !frozen.decides() {
        return Ok(());
    }
    let mut sizes = Sizes { work, frozen, by_default };
    sizes.check()
}

/// The sizes of a module.
struct Sizes<'s, 'm> {
    work: &'s mut Work<'m>,
    frozen: &'s Frozen,
    by_default: Option<Constants<'m>>,
}

impl Sizes<'_, '_> {
    fn check(&mut self) -> Result<(), SpecializeError> {
        let module = self.work.module;
        for mode in module.execution_modes() {
            let sizes = [ExecutionMode::LocalSizeId, ExecutionMode::LocalSizeHintId];
            if mode.is(Op::ExecutionModeId) && sizes.iter().any(|&size| mode.mode() == size as u32) {
                let function = mode.entry_point();
                if !self.work.flags.has(function, Flags::REMOVED) {
                    let of = || format!("the work-group size of {}", describe(module, function));
                    mode.operands().iter().try_for_each(|&id| self.size(id, &of))?;
                }
            }
        }
        let attributes = self.work.outside.attributes.iter().map(|&offset| module.instruction(offset));
        for inst in attributes.filter(|inst| inst.is(Op::Decorate)) {
            let decoration = views::Decoration(inst);
            if decoration.is_built_in(BuiltIn::WorkgroupSize) {
                let size = module.definition(decoration.target()).map(|size| views::Value(size).operands());
                let of = || "the work-group size".to_owned();
                size.unwrap_or_default().iter().try_for_each(|&id| self.size(id, &of))?;
            }
        }
        for &offset in &self.work.outside.arrays {
            let array = views::TypeArray(module.instruction(offset));
            if !self.work.flags.is_removed(array.id()) {
                let of = || format!("the length of the array type {}", describe(module, array.id()));
                self.size(array.length(), &of)?;
            }
        }
        Ok(())
    }

    /// The value of a size, if it is changed: decided, or by default.
    fn changed(&mut self, constant: u32) -> Option<u64> {
        if self.frozen.affects(constant)
            && let Some(value) = self.work.constants.value(constant)
        {
            return Some(value);
        }
        self.by_default.as_mut()?.default_value(constant)
    }

    fn size(&mut self, constant: u32, place: &dyn Fn() -> String) -> Result<(), SpecializeError> {
        let Some(value) = self.changed(constant) else { return Ok(()) };
        let module = self.work.module;
        let scalar = module.type_of(constant).and_then(|type_| Scalar::of(module, type_));
        let Some(scalar @ Scalar::Int { signed, .. }) = scalar else { return Ok(()) };
        let value = if signed { scalar.sign_extend(value) } else { i64::try_from(value).unwrap_or(i64::MAX) };
        if value > 0 {
            return Ok(());
        }
        let inputs = self.work.constants.inputs(constant).spec_ids;
        let spec_ids = inputs.iter().map(|id| format!("SpecId {id}")).collect::<Vec<_>>();
        let spec_ids = if spec_ids.is_empty() { "the device".to_owned() } else { spec_ids.join(", ") };
        let constant = describe(module, constant);
        Err(SpecializeError::Size { place: place(), constant, value, spec_ids })
    }
}
