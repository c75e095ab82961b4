//! Execution modes of doubles: those that the library keeps go, others are refused.

use spirv::{Capability, ExecutionMode};

use super::types::LoweredTypes;
use super::{LowerError, LowerableFeature};
use crate::loader::{Module, views};
use crate::transform::Edits;

/// The modes for floats of a width, which is their operand.
const OF_WIDTH: [ExecutionMode; 5] = [
    ExecutionMode::DenormPreserve,
    ExecutionMode::DenormFlushToZero,
    ExecutionMode::SignedZeroInfNanPreserve,
    ExecutionMode::RoundingModeRTE,
    ExecutionMode::RoundingModeRTZ,
];

/// Refuses modes for which the library has no functions.
pub fn refuse(module: &Module, feature: LowerableFeature) -> Result<(), LowerError> {
    for mode in module.execution_modes().filter(|mode| is_of_doubles(feature, mode)) {
        let reason = match mode {
            _ if mode.is_a(ExecutionMode::DenormFlushToZero) => "doubles that are too small are not flushed",
            _ if mode.is_a(ExecutionMode::RoundingModeRTZ) => "doubles do not round toward zero",
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

fn is_of_doubles(feature: LowerableFeature, mode: &views::ExecutionMode) -> bool {
    feature.capability() == Capability::Float64 as u32
        && OF_WIDTH.iter().any(|&one| mode.is_a(one))
        && mode.operands() == [64]
}
