//! Execution modes that follow from decided constants.

use std::collections::BTreeSet;

use spirv::{BuiltIn, ExecutionMode, ExecutionModel, Op};

use super::SpecializeContext;
use super::freeze::FrozenState;
use crate::analysis::constants::ConstantValue;
use crate::collections::IdMap;
use crate::loader::views;

/// The execution models whose work-groups have a size that a constant alone may state.
const WITH_WORK_GROUPS: [ExecutionModel; 5] = [
    ExecutionModel::GLCompute,
    ExecutionModel::TaskNV,
    ExecutionModel::MeshNV,
    ExecutionModel::TaskEXT,
    ExecutionModel::MeshEXT,
];

/// Execution modes with literals that decided constants state.
#[derive(Debug, Default)]
pub struct FrozenModes {
    /// Execution modes that are replaced: by offset, the mode and its literals.
    pub replaced: IdMap<(ExecutionMode, Vec<u32>)>,
    /// The work-group size of the entry points in `unsized_entries`.
    pub work_group_size: [u32; 3],
    /// The entry points without LocalSize, whose size only the constant decorated WorkgroupSize states.
    pub unsized_entries: BTreeSet<u32>,
}

impl FrozenModes {
    /// Finds the execution modes.
    pub fn find(context: &mut SpecializeContext, frozen: &FrozenState) -> FrozenModes {
        let module = context.module;
        let mut modes = FrozenModes::default();
        for inst in module.execution_modes().filter(|inst| inst.is(Op::ExecutionModeId)) {
            let ids = inst.operands();
            let mode = match ExecutionMode::from_u32(inst.mode()) {
                Some(ExecutionMode::LocalSizeId) => ExecutionMode::LocalSize,
                Some(ExecutionMode::LocalSizeHintId) => ExecutionMode::LocalSizeHint,
                Some(ExecutionMode::SubgroupsPerWorkgroupId) => ExecutionMode::SubgroupsPerWorkgroup,
                _ => continue,
            };
            if !ids.iter().any(|&id| frozen.affects(id))
                || !ids.iter().all(|&id| frozen.is_ordinary(context, id))
            {
                continue;
            }
            let literal = |&id: &u32| context.constants.value(id).and_then(|value| u32::try_from(value).ok());
            if let Some(literals) = ids.iter().map(literal).collect() {
                modes.replaced.insert(inst.offset(), (mode, literals));
            }
        }
        if let Some(size) = work_group_size(context, frozen) {
            modes.set_work_group_size(context, size);
        }
        context.has_changed |= !modes.replaced.is_empty();
        modes
    }

    /// Sets LocalSize of all entry points to the constant decorated WorkgroupSize. The constant takes precedence, but
    /// some consumers read only LocalSize.
    fn set_work_group_size(&mut self, context: &SpecializeContext, size: [u32; 3]) {
        let module = context.module;
        self.work_group_size = size;
        for entry in module.entry_points() {
            if WITH_WORK_GROUPS.iter().any(|&model| model as u32 == entry.execution_model()) {
                self.unsized_entries.insert(entry.function());
            }
        }
        for mode in module.execution_modes() {
            if mode.is_a(ExecutionMode::LocalSize) || mode.is_a(ExecutionMode::LocalSizeId) {
                self.unsized_entries.remove(&mode.entry_point());
                self.replaced.insert(mode.offset(), (ExecutionMode::LocalSize, size.to_vec()));
            }
        }
    }
}

/// Returns the value of the constant decorated WorkgroupSize, if it depends on a decided constant and all parts are known.
fn work_group_size(context: &mut SpecializeContext, frozen: &FrozenState) -> Option<[u32; 3]> {
    let mut built_ins = context.module.decorations().filter(|inst| inst.is_built_in(BuiltIn::WorkgroupSize));
    let id = built_ins.next().map(views::Decoration::target)?;
    if !frozen.affects(id) || !frozen.is_ordinary(context, id) {
        return None;
    }
    // Nothing is spelled before it is evaluated.
    context.constants.value(id);
    let Some(ConstantValue::Parts(parts)) = context.constants.spelled(id) else { return None };
    let mut part = |part: &ConstantValue| match part {
        ConstantValue::Same(id) => context.constants.value(*id).and_then(|value| u32::try_from(value).ok()),
        ConstantValue::Scalar(value) => u32::try_from(*value).ok(),
        ConstantValue::Null | ConstantValue::Undef | ConstantValue::Parts(_) => None,
    };
    parts.iter().map(&mut part).collect::<Option<Vec<u32>>>()?.try_into().ok()
}
