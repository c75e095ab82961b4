//! The limits of a Vulkan device that the entry points of a module need (`spec-extensions/vulkan-limits.csv`).

use spirv::Op;

use super::context::Analyses;
use super::entry_points::sizes::Sizes;
use super::roots::ModuleRoot;
use crate::device::api::{LimitRow, LimitedNumber, limits};
use crate::loader::Module;

/// Returns the limits that the entry points of a module need, in the order of the table: each with the largest number of all. A size that
/// the host can set counts by its default.
pub fn vulkan_limits(analyses: &Analyses) -> Vec<(&'static str, u64)> {
    let (module, sizes) = (analyses.module(), analyses.sizes());
    let mut all: Vec<(&LimitRow, u64)> = Vec::new();
    for root in ModuleRoot::entry_points(module) {
        let needed = needed(module, &root, sizes.get(root.function()).copied().unwrap_or_default());
        all.extend(needed.map(|needed| (needed.row, needed.number)));
    }
    let largest = |row: &'static LimitRow| {
        let numbers = all.iter().filter(|(needed, _)| needed.limit == row.limit).map(|(_, number)| *number);
        numbers.max().map(|number| (row.limit, number))
    };
    limits().iter().filter_map(largest).collect()
}

/// Returns the limits that a root needs with any settings of the host, in the order of the table. The number of
/// work-items in the work-groups of kernels and compute shaders is not among them: devices without Vulkan have that
/// limit too.
pub fn fixed_limits(analyses: &Analyses, root: &ModuleRoot) -> Vec<(&'static LimitRow, u64)> {
    let sizes = analyses.sizes().get(root.function()).copied().unwrap_or_default();
    let work_group = sizes.work_group.filter(|size| !size.specializable);
    let needed = needed(analyses.module(), root, Sizes { work_group, ..sizes });
    needed.filter(|needed| !needed.row.is_of_all_apis()).map(|needed| (needed.row, needed.number)).collect()
}

/// Returns the offset of the instruction for which a root requires a number of a limit, in words.
pub fn limit_cause(analyses: &Analyses, root: &ModuleRoot, limit: &str, number: u64) -> Option<u32> {
    let sizes = analyses.sizes().get(root.function()).copied().unwrap_or_default();
    let mut needed = needed(analyses.module(), root, sizes);
    needed.find(|needed| needed.row.limit == limit && needed.number == number).map(|needed| needed.at)
}

/// Returns true if the limit for the number of work-items in a work-group of a root is one of Vulkan alone.
pub fn has_own_work_group_limit(root: &ModuleRoot) -> bool {
    let bounds =
        |row: &&LimitRow| row.what == LimitedNumber::WorkItems && Some(row.stage) == root.execution_model();
    limits().iter().find(bounds).is_some_and(|row| !row.is_of_all_apis())
}

/// A limit that an entry point needs.
struct NeededLimit {
    row: &'static LimitRow,
    number: u64,
    /// The offset of the instruction that needs it, in words.
    at: u32,
}

fn needed(module: &Module, root: &ModuleRoot, sizes: Sizes) -> impl Iterator<Item = NeededLimit> {
    let (stage, function) = (root.execution_model(), root.function());
    let of_stage = limits().iter().filter(move |row| Some(row.stage) == stage);
    of_stage.filter_map(move |row| {
        let (number, at) = match row.what {
            LimitedNumber::WorkItems => (sizes.work_group?.work_items(), sizes.work_group?.at),
            LimitedNumber::Dimension(index) => {
                ((*sizes.work_group?.dimensions.get(index)?).into(), sizes.work_group?.at)
            }
            LimitedNumber::Mode(mode) => {
                // Of OpExecutionModeId, operands are ids.
                let modes = module.execution_modes().filter(|inst| inst.is(Op::ExecutionMode));
                let mut modes = modes.filter(|inst| inst.entry_point() == function && inst.mode() == mode);
                let mode = modes.next()?;
                ((*mode.operands().first()?).into(), mode.offset())
            }
        };
        Some(NeededLimit { row, number, at })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loader::Module;
    use crate::test_support;

    #[test]
    fn each_entry_point_needs_what_its_modes_say() {
        let text = "OpCapability Geometry
OpCapability Tessellation
OpCapability MeshShadingEXT
OpExtension \"SPV_EXT_mesh_shader\"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %1 \"small\"
OpEntryPoint GLCompute %2 \"large\"
OpEntryPoint Geometry %3 \"geometry\"
OpEntryPoint MeshEXT %4 \"mesh\"
OpEntryPoint TaskEXT %5 \"task\"
OpEntryPoint TessellationControl %6 \"control\"
OpExecutionMode %1 LocalSize 1 2 3
OpExecutionMode %2 LocalSize 4 2 1
OpExecutionMode %3 Invocations 5
OpExecutionMode %3 OutputVertices 6
OpExecutionModeId %4 LocalSizeId %10 %10 %10
OpExecutionMode %4 OutputVertices 7
OpExecutionMode %4 OutputPrimitivesEXT 8
OpExecutionMode %5 LocalSize 3 1 1
OpExecutionMode %6 OutputVertices 9
%7 = OpTypeVoid
%8 = OpTypeFunction %7
%9 = OpTypeInt 32 0
%10 = OpConstant %9 2
";
        let functions = (1..=6).map(|id| {
            format!("%{id} = OpFunction %7 None %8\n%{} = OpLabel\nOpReturn\nOpFunctionEnd\n", id + 20)
        });
        let text = text.to_owned() + &functions.collect::<String>();
        let words = test_support::assemble(&text, "spv1.6");
        let needed =
            vulkan_limits(&Analyses::new(&Module::from_words(&words[..]).unwrap(), Default::default()));
        let expected = [
            ("maxComputeWorkGroupInvocations", 8),
            ("maxComputeWorkGroupSize[0]", 4),
            ("maxComputeWorkGroupSize[1]", 2),
            ("maxComputeWorkGroupSize[2]", 3),
            ("maxTaskWorkGroupInvocations", 3),
            ("maxTaskWorkGroupSize[0]", 3),
            ("maxTaskWorkGroupSize[1]", 1),
            ("maxTaskWorkGroupSize[2]", 1),
            ("maxMeshWorkGroupInvocations", 8),
            ("maxMeshWorkGroupSize[0]", 2),
            ("maxMeshWorkGroupSize[1]", 2),
            ("maxMeshWorkGroupSize[2]", 2),
            ("maxMeshOutputVertices", 7),
            ("maxMeshOutputPrimitives", 8),
            ("maxTessellationPatchSize", 9),
            ("maxGeometryOutputVertices", 6),
            ("maxGeometryShaderInvocations", 5),
        ];
        assert_eq!(needed, expected);
        let rows = include_str!("../../spec-extensions/vulkan-limits.csv").lines();
        assert_eq!(needed.len(), limits().len(), "each limit has an entry point");
        assert_eq!(limits().len(), rows.filter(|row| row.starts_with("Vk")).count(), "all rows are read");
    }
}
