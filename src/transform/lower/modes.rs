//! Execution modes of floats. Those of doubles that the library keeps go, and those that it does not are refused.

use spirv::{Capability, ExecutionMode, Op};

use super::conversions::is_float;
use super::types::LoweredTypes;
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

/// Refuses modes for which the library has no functions.
pub fn refuse(module: &Module, feature: LowerableFeature) -> Result<(), LowerError> {
    for mode in module.execution_modes().filter(|mode| is_of_doubles(feature, mode)) {
        let reason = match mode {
            _ if mode.is_a(ExecutionMode::DenormFlushToZero) => "doubles that are too small are not flushed",
            _ if mode.is_a(ExecutionMode::RoundingModeRTZ) => "doubles do not round toward zero",
            _ if mode.is_a(ExecutionMode::RoundingModeRTPINTEL) => "doubles do not round upward",
            _ if mode.is_a(ExecutionMode::RoundingModeRTNINTEL) => "doubles do not round downward",
            _ => continue,
        };
        return Err(LowerError::new(module, feature, &mode, reason.to_owned()));
    }
    Ok(())
}

/// Drops the modes of types that are no more.
pub fn drop_of(module: &Module, feature: LowerableFeature, types: &LoweredTypes, edits: &mut Edits) {
    for mode in module.execution_modes() {
        let is_default = mode.is_a(ExecutionMode::FPFastMathDefault);
        let names_type = is_default && mode.operands().first().is_some_and(|&id| types.shape(id).is_some());
        if names_type || is_of_doubles(feature, &mode) {
            edits.drop(&mode);
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

fn is_of_doubles(feature: LowerableFeature, mode: &views::ExecutionMode) -> bool {
    feature.capability() == Capability::Float64 as u32
        && OF_WIDTH.iter().any(|&one| mode.is_a(one))
        && mode.operands() == [64]
}
