use thiserror::Error;

use super::LowerableFeature;
use crate::analysis::{DebugLocations, Names};
use crate::loader::{Instruction, Module};

/// The reason that a feature cannot be lowered in a module.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{feature} cannot be lowered: {place}: {reason}")]
#[non_exhaustive]
pub struct LowerError {
    /// The name of the feature.
    pub feature: &'static str,
    /// The instruction, with its function, its place in the source if that is known, and its offset in bytes.
    pub place: String,
    /// The reason, as a clause.
    pub reason: String,
}

impl LowerError {
    /// Makes the error of an instruction.
    pub(super) fn new(
        module: &Module,
        feature: LowerableFeature,
        inst: &Instruction,
        reason: String,
    ) -> LowerError {
        let names = Names::new(module);
        let offset = u64::from(inst.offset()) * 4;
        let mut place = inst.name();
        if let Some(result) =
            inst.result_id().filter(|&id| names.name(id).is_some_and(|name| !name.is_empty()))
        {
            place += &format!(" '{}'", names.display(result));
        }
        let function = module
            .functions()
            .iter()
            .find(|function| (function.start..function.end).contains(&inst.offset()));
        if let Some(function) = function {
            place += &format!(" in {}", names.display(function.id));
        }
        if let Some(location) = DebugLocations::read(module).location(inst.offset()) {
            place += &format!(" at {location}");
        }
        LowerError { feature: feature.name(), place: format!("{place} (byte offset {offset:#x})"), reason }
    }
}
