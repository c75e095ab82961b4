//! Sizes that decided constants make: none may be zero.

use spirv::{BuiltIn, ExecutionMode, Op};

use super::flags::Flags;
use super::freeze::Frozen;
use super::{SpecializeError, Work};
use crate::analysis::conditions::multi_target::describe;
use crate::analysis::constants::folding::Scalar;
use crate::loader::views;

/// Refuses array lengths and work-group sizes that decided constants make zero or negative, in what is kept.
///
/// # Errors
/// [`SpecializeError::Size`].
pub fn check(work: &mut Work, frozen: &Frozen) -> Result<(), SpecializeError> {
    if !frozen.decides() {
        return Ok(());
    }
    let module = work.module;
    for mode in module.execution_modes() {
        let sizes = [ExecutionMode::LocalSizeId, ExecutionMode::LocalSizeHintId];
        if mode.is(Op::ExecutionModeId) && sizes.iter().any(|&size| mode.mode() == size as u32) {
            let function = mode.entry_point();
            if !work.flags.has(function, Flags::REMOVED) {
                let of = || format!("the work-group size of {}", describe(module, function));
                mode.operands().iter().try_for_each(|&id| check_size(work, frozen, id, &of))?;
            }
        }
    }
    for inst in module.annotations().filter(|inst| inst.is(Op::Decorate)) {
        let decoration = views::Decoration(inst);
        if decoration.is_built_in(BuiltIn::WorkgroupSize) {
            let size = module.definition(decoration.target()).map(|size| views::Value(size).operands());
            let of = || "the work-group size".to_owned();
            size.unwrap_or_default().iter().try_for_each(|&id| check_size(work, frozen, id, &of))?;
        }
    }
    for array in module.globals().filter(|inst| inst.is(Op::TypeArray)).map(views::TypeArray) {
        if !work.flags.is_removed(array.id()) {
            let of = || format!("the length of the array type {}", describe(module, array.id()));
            check_size(work, frozen, array.length(), &of)?;
        }
    }
    Ok(())
}

fn check_size(
    work: &mut Work,
    frozen: &Frozen,
    constant: u32,
    place: &dyn Fn() -> String,
) -> Result<(), SpecializeError> {
    if !frozen.affects(constant) {
        return Ok(());
    }
    let scalar = work.module.type_of(constant).and_then(|type_| Scalar::of(work.module, type_));
    let (Some(scalar @ Scalar::Int { signed, .. }), Some(value)) = (scalar, work.constants.value(constant))
    else {
        return Ok(());
    };
    let value = if signed { scalar.sign_extend(value) } else { i64::try_from(value).unwrap_or(i64::MAX) };
    if value > 0 {
        return Ok(());
    }
    let spec_ids =
        work.constants.inputs(constant).spec_ids.iter().map(|id| format!("SpecId {id}")).collect::<Vec<_>>();
    let spec_ids = if spec_ids.is_empty() { "the device".to_owned() } else { spec_ids.join(", ") };
    Err(SpecializeError::Size { place: place(), constant: describe(work.module, constant), value, spec_ids })
}
