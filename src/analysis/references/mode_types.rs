//! Types of execution modes, which are kept with the code that they apply to.
//!
//! A mode for floats of a type or width has no effect on an entry point without such floats, so it must not require of every device what these
//! require.
//!
//! FPFastMathDefault sets the default flags of fast mathematics for instructions on one type. Any such mode of an entry point counts for its
//! other types, however: these have no flags by default, and without any mode the API has defaults of its own (SPV_KHR_float_controls2,
//! "FPFastMathDefault"). So one mode of each entry point keeps its type: that for 32-bit floats, which require nothing, or else the first.
//!
//! DenormPreserve, RoundingModeRTE and the like are for floats of one width (SPV_KHR_float_controls).

use std::collections::HashMap;

use spirv::{ExecutionMode, GlslStd450Op, Op};

use crate::collections::IdMap;
use crate::loader::{Instruction, Module, SetKind, views};

/// Returns the type that an execution mode FPFastMathDefault is about.
#[inline]
pub fn fast_math_type(inst: &Instruction) -> Option<u32> {
    if !inst.is(Op::ExecutionModeId) {
        return None;
    }
    let mode = views::ExecutionMode(*inst);
    let is_default = mode.mode() == ExecutionMode::FPFastMathDefault as u32;
    mode.operands().first().copied().filter(|_| is_default)
}

/// Returns the modes that apply to a type: the offsets, in order, and the types.
pub fn mode_types(module: &Module) -> Vec<(u32, u32)> {
    let mut types = fast_math_modes(module);
    types.extend(width_modes(module));
    types.sort_unstable();
    types
}

fn fast_math_modes(module: &Module) -> Vec<(u32, u32)> {
    let modes = || {
        let modes = module.execution_modes();
        modes.filter_map(|mode| Some((mode.entry_point(), mode.offset(), fast_math_type(&mode)?)))
    };
    // The mode that stays, by function, and true if it is for 32-bit floats.
    let mut kept: IdMap<(u32, bool)> = IdMap::new();
    for (function, offset, type_) in modes() {
        let is_single = float_width(module.definition(type_)) == Some(32);
        let mode = kept.entry(function).or_insert((offset, is_single));
        if is_single && !mode.1 {
            *mode = (offset, true);
        }
    }
    let goes = |function: u32, offset: u32| kept.get(&function).is_none_or(|mode| mode.0 != offset);
    let modes = modes().filter(|&(function, offset, _)| goes(function, offset));
    modes.map(|(_, offset, type_)| (offset, type_)).collect()
}

fn width_modes(module: &Module) -> Vec<(u32, u32)> {
    let modes: Vec<(u32, u32)> = module.execution_modes().filter_map(|mode| width_mode(&mode)).collect();
    if modes.is_empty() {
        return modes;
    }
    let types = module.globals().filter_map(|inst| Some((float_width(Some(inst))?, inst.result_id()?)));
    let mut types: HashMap<u32, u32> = types.collect();
    if module.instructions().any(|inst| computes_with_halves(module, &inst)) {
        types.remove(&16);
    }
    modes.into_iter().filter_map(|(offset, width)| Some((offset, *types.get(&width)?))).collect()
}

/// Returns the offset of an execution mode for floats of a width, and the width.
fn width_mode(mode: &views::ExecutionMode) -> Option<(u32, u32)> {
    use ExecutionMode::*;
    let is_of_width = matches!(
        ExecutionMode::from_u32(mode.mode())?,
        DenormPreserve | DenormFlushToZero | SignedZeroInfNanPreserve | RoundingModeRTE | RoundingModeRTZ
    );
    let width = mode.operands().first().copied().filter(|_| is_of_width)?;
    Some((mode.offset(), width))
}

/// Returns the width of the floats that an instruction declares, without an encoding of their own.
fn float_width(inst: Option<Instruction>) -> Option<u32> {
    let inst = inst.filter(|inst| inst.is(Op::TypeFloat))?;
    match inst.words().get(2..)? {
        &[width] => Some(width),
        _ => None,
    }
}

/// Returns true if an instruction rounds to 16-bit floats, or reads them, without their type.
fn computes_with_halves(module: &Module, inst: &Instruction) -> bool {
    match inst.op() {
        Some(Op::QuantizeToF16) => true,
        Some(Op::ExtInst) => {
            let inst = views::ExtInst(*inst);
            let is_of_halves = matches!(
                GlslStd450Op::from_u32(inst.instruction()),
                Some(GlslStd450Op::PackHalf2x16 | GlslStd450Op::UnpackHalf2x16)
            );
            // Other sets have instructions with these numbers, for which the modes stay as well.
            is_of_halves && module.set_kind(&inst).is_none_or(|kind| kind == SetKind::Semantic)
        }
        _ => false,
    }
}
