//! Variables that other stages, formats of vertices and attachments have a view of: floats of 32 bits in the place of halves.

use spirv::{ExecutionMode, ExecutionModel, StorageClass};

use super::types::LoweredTypes;
use super::{LowerError, LowerableFeature};
use crate::loader::{Module, views};

/// The condition of variables between stages, as a clause.
const BETWEEN_STAGES: &str = "if the shaders of all stages are lowered, whose variables have 32 bits then";

/// Returns the variables of stages that are floats in the place of halves.
fn changed<'m>(module: &'m Module<'m>, types: &LoweredTypes) -> impl Iterator<Item = views::Variable<'m>> {
    module.variables().filter(|variable| {
        let pointee = module.pointee(variable.type_id());
        types.memory.is_of_stage(variable.storage_class())
            && pointee.is_some_and(|pointee| types.has_wide(pointee))
    })
}

/// Refuses outputs that are captured in buffers, which have a layout.
pub fn refuse(module: &Module, feature: LowerableFeature, types: &LoweredTypes) -> Result<(), LowerError> {
    let is_captured = module.execution_modes().any(|mode| mode.is_a(ExecutionMode::Xfb));
    let output =
        changed(module, types).find(|variable| variable.storage_class() == StorageClass::Output as u32);
    match output.filter(|_| is_captured) {
        Some(output) => {
            let reason = format!("buffers capture outputs, and say where {} are", feature.values());
            Err(LowerError::new(module, feature, &output, reason))
        }
        None => Ok(()),
    }
}

/// Returns the condition under which other stages see the same, if they see changed variables. Formats of vertices and attachments are converted.
pub fn condition(module: &Module, types: &LoweredTypes) -> Option<&'static str> {
    let is_between = |variable: views::Variable| {
        let of_host = match StorageClass::from_u32(variable.storage_class()) {
            Some(StorageClass::Input) => ExecutionModel::Vertex,
            _ => ExecutionModel::Fragment,
        };
        let mut users = module.entry_points().filter(|one| one.interface().contains(&variable.id()));
        users.any(|one| one.execution_model() != of_host as u32)
    };
    changed(module, types).any(is_between).then_some(BETWEEN_STAGES)
}
