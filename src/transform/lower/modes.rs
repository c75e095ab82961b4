//! Execution modes of floats. Those of lowered types that the library keeps go, and those that it does not are refused.

use spirv::{Capability, ExecutionMode, Op};

use super::conversions::is_float;
use super::types::{LoweredTypes, NumberForm};
use super::{LowerError, LowerableFeature};
use crate::loader::{Instruction, Module, views};
use crate::transform::Edits;

/// The modes for floats of a width, which is their operand.
const OF_WIDTH: [ExecutionMode; 9] = [
    ExecutionMode::DenormPreserve,
    ExecutionMode::DenormFlushToZero,
    ExecutionMode::SignedZeroInfNanPreserve,
    ExecutionMode::RoundingModeRTE,
    ExecutionMode::RoundingModeRTZ,
    ExecutionMode::RoundingModeRTPINTEL,
    ExecutionMode::RoundingModeRTNINTEL,
    ExecutionMode::FloatingPointModeALTINTEL,
    ExecutionMode::FloatingPointModeIEEEINTEL,
];

/// The modes that round otherwise than to nearest.
const OTHER_ROUNDING: [ExecutionMode; 3] = [
    ExecutionMode::RoundingModeRTZ,
    ExecutionMode::RoundingModeRTPINTEL,
    ExecutionMode::RoundingModeRTNINTEL,
];

/// The modes that a capability of the same name permits.
const OF_CAPABILITIES: [(ExecutionMode, Capability); 5] = [
    (ExecutionMode::DenormPreserve, Capability::DenormPreserve),
    (ExecutionMode::DenormFlushToZero, Capability::DenormFlushToZero),
    (ExecutionMode::SignedZeroInfNanPreserve, Capability::SignedZeroInfNanPreserve),
    (ExecutionMode::RoundingModeRTE, Capability::RoundingModeRTE),
    (ExecutionMode::RoundingModeRTZ, Capability::RoundingModeRTZ),
];

/// Refuses modes for which the library has no functions.
pub fn refuse(module: &Module, feature: LowerableFeature) -> Result<(), LowerError> {
    let values = feature.values();
    let are_halves = feature.width() == 16 && !feature.is_bfloat16();
    for mode in module.execution_modes().filter(|mode| is_of_feature(feature, mode)) {
        let reason = match mode {
            _ if mode.is_a(ExecutionMode::DenormFlushToZero) => "that are too small are not flushed",
            _ if mode.is_a(ExecutionMode::RoundingModeRTZ) && !are_halves => "do not round toward zero",
            _ if mode.is_a(ExecutionMode::RoundingModeRTZ)
                && has_mode(module, mode.entry_point(), ExecutionMode::RoundingModeRTE, 32) =>
            {
                "do not round toward zero where floats of 32 bits round to nearest"
            }
            _ if mode.is_a(ExecutionMode::RoundingModeRTPINTEL) => "do not round upward",
            _ if mode.is_a(ExecutionMode::RoundingModeRTNINTEL) => "do not round downward",
            _ => continue,
        };
        return Err(LowerError::new(module, feature, &mode, format!("{values} {reason}")));
    }
    let defaults = module.execution_modes().filter(|mode| mode.is_a(ExecutionMode::FPFastMathDefault));
    for mode in defaults.filter(|mode| are_halves && is_of_halves(module, mode)) {
        let other = float_default(module, mode.entry_point());
        if other.is_some_and(|other| other.operands().get(1) != mode.operands().get(1)) {
            let reason = "floats of 32 bits have another default".to_owned();
            return Err(LowerError::new(module, feature, &mode, reason));
        }
    }
    Ok(())
}

/// Returns true if an entry point has a mode for floats of a width.
fn has_mode(module: &Module, entry_point: u32, mode: ExecutionMode, width: u32) -> bool {
    module
        .execution_modes()
        .any(|one| one.entry_point() == entry_point && one.is_a(mode) && one.operands() == [width])
}

/// Returns the mode that says how operations on floats of 32 bits compute.
fn float_default<'m>(module: &'m Module<'m>, entry_point: u32) -> Option<views::ExecutionMode<'m>> {
    module.execution_modes().find(|mode| {
        let names_float = mode.operands().first().is_some_and(|&id| is_float(module, id, 32));
        mode.entry_point() == entry_point && mode.is_a(ExecutionMode::FPFastMathDefault) && names_float
    })
}

/// Drops the modes of types that are no more, and returns the capabilities that no mode needs then. Floats in the place of halves have the modes of these that
/// the library does not keep.
pub fn change(
    module: &Module,
    feature: LowerableFeature,
    types: &LoweredTypes,
    float: u32,
    edits: &mut Edits,
) -> Vec<u32> {
    let mut dropped = Vec::new();
    let mut kept = Vec::new();
    for mode in module.execution_modes() {
        let is_default = mode.is_a(ExecutionMode::FPFastMathDefault);
        let names_type = is_default && mode.operands().first().is_some_and(|&id| types.shape(id).is_some());
        if !names_type && !is_of_feature(feature, &mode) {
            kept.push(mode.mode());
            continue;
        }
        let number = if names_type { float } else { 32 };
        let is_kept = is_kept_for_floats(module, &mode) && types.form == NumberForm::Float;
        let keeps_halves = types.memory.has_any() && !types.memory.has_integers();
        let stays = mode.is_a(ExecutionMode::DenormPreserve) && keeps_halves;
        if is_kept {
            let mut words = mode.words().to_vec();
            words[3] = number;
            edits.replace_words(&mode, &words);
        } else if !stays {
            edits.drop(&mode);
            dropped.push(mode.mode());
            continue;
        }
        kept.push(mode.mode());
    }
    let is_unused = |&&(mode, _): &&(ExecutionMode, Capability)| {
        dropped.contains(&(mode as u32)) && !kept.contains(&(mode as u32))
    };
    OF_CAPABILITIES.iter().filter(is_unused).map(|&(_, capability)| capability as u32).collect()
}

/// Returns true for a mode of halves that floats in their place must have, and that the entry point does not give to floats already.
fn is_kept_for_floats(module: &Module, mode: &views::ExecutionMode) -> bool {
    let of_floats = [ExecutionMode::SignedZeroInfNanPreserve, ExecutionMode::RoundingModeRTZ];
    match of_floats.into_iter().find(|&one| mode.is_a(one)) {
        Some(one) => !has_mode(module, mode.entry_point(), one, 32),
        None => {
            mode.is_a(ExecutionMode::FPFastMathDefault) && float_default(module, mode.entry_point()).is_none()
        }
    }
}

/// The modes that conversions from and to floats depend on.
#[derive(Clone, Copy)]
pub struct ConversionModes {
    /// True if some entry point rounds otherwise than to nearest.
    rounds_otherwise: bool,
    /// True if subnormal floats of 32 bits are flushed.
    flushes_floats: bool,
}

impl ConversionModes {
    /// Reads the modes of all entry points.
    pub fn read(module: &Module) -> ConversionModes {
        let flushes = |mode: &views::ExecutionMode| {
            mode.is_a(ExecutionMode::DenormFlushToZero) && mode.operands() == [32]
        };
        let rounds = |mode: views::ExecutionMode| OTHER_ROUNDING.iter().any(|&other| mode.is_a(other));
        ConversionModes {
            rounds_otherwise: module.execution_modes().any(rounds),
            flushes_floats: module.execution_modes().any(|mode| flushes(&mode)),
        }
    }

    /// Returns why the library has no function for a conversion; `is_rounded` is true if its result may be another number.
    pub fn refuse(self, module: &Module, inst: &Instruction, is_rounded: bool) -> Option<&'static str> {
        if is_rounded && self.rounds_otherwise {
            return Some("the module rounds otherwise than to nearest");
        }
        let mut types = [inst.result_type(), module.type_of(inst.word(3))].into_iter().flatten();
        let has_floats = inst.is(Op::FConvert) && types.any(|type_id| is_float(module, type_id, 32));
        (has_floats && self.flushes_floats).then_some("the module flushes subnormal floats")
    }
}

/// Returns true for a mode of floats of a width.
pub fn is_of_width(mode: &views::ExecutionMode, width: u32) -> bool {
    OF_WIDTH.iter().any(|&one| mode.is_a(one)) && mode.operands() == [width]
}

/// Returns true for a mode that says how operations on halves compute.
pub fn is_of_halves(module: &Module, mode: &views::ExecutionMode) -> bool {
    let is_default = mode.is_a(ExecutionMode::FPFastMathDefault);
    is_of_width(mode, 16)
        || is_default && mode.operands().first().is_some_and(|&type_id| is_float(module, type_id, 16))
}

fn is_of_feature(feature: LowerableFeature, mode: &views::ExecutionMode) -> bool {
    feature.type_op() == Op::TypeFloat && !feature.is_bfloat16() && is_of_width(mode, feature.width())
}
