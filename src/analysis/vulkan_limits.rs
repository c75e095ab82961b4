//! The limits of a Vulkan device that the entry points of a module need (`spec-extensions/vulkan-limits.csv`).

use std::collections::BTreeMap;

use spirv::{ExecutionMode, ExecutionModel, Op};

use super::context::Analyses;
use crate::device::api::{LimitRow, limits};

/// Returns the limits that the entry points of a module need, in the order of the table: each with the largest number of all. A size that
/// the host can set counts by its default.
pub fn vulkan_limits(analyses: &Analyses) -> Vec<(&'static str, u64)> {
    let module = analyses.module();
    let mut stages: Vec<(String, BTreeMap<String, u64>)> = Vec::new();
    for entry_point in module.entry_points() {
        let Some(model) = ExecutionModel::from_u32(entry_point.execution_model()) else { continue };
        let mut numbers: BTreeMap<String, u64> = BTreeMap::new();
        let sizes = analyses.sizes().get(entry_point.function());
        if let Some(size) = sizes.and_then(|sizes| sizes.work_group) {
            numbers.insert("work-items".to_owned(), size.work_items());
            for (name, dimension) in ["x", "y", "z"].into_iter().zip(size.dimensions) {
                numbers.insert(name.to_owned(), dimension.into());
            }
        }
        let modes = module.execution_modes().filter(|mode| mode.entry_point() == entry_point.function());
        // Of OpExecutionModeId, operands are ids.
        for mode in modes.filter(|mode| mode.is(Op::ExecutionMode)) {
            if let (Some(name), [number]) = (ExecutionMode::from_u32(mode.mode()), mode.operands()) {
                numbers.insert(format!("{name:?}"), (*number).into());
            }
        }
        stages.push((format!("{model:?}"), numbers));
    }
    let needed = |&LimitRow { limit, stage, what }: &LimitRow| {
        let of_stage = stages.iter().filter(|(model, _)| model == stage);
        let numbers = of_stage.filter_map(|(_, numbers)| numbers.get(what));
        numbers.max().map(|&number| (limit, number))
    };
    limits().iter().filter_map(needed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loader::Module;
    use crate::test_support;

    #[test]
    #[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
    fn each_entry_point_needs_what_its_modes_say() {
        let text = "OpCapability Geometry
OpCapability MeshShadingEXT
OpExtension \"SPV_EXT_mesh_shader\"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %1 \"small\"
OpEntryPoint GLCompute %2 \"large\"
OpEntryPoint Geometry %3 \"geometry\"
OpEntryPoint MeshEXT %4 \"mesh\"
OpExecutionMode %1 LocalSize 1 2 3
OpExecutionMode %2 LocalSize 4 2 1
OpExecutionMode %3 Invocations 5
OpExecutionMode %3 OutputVertices 6
OpExecutionModeId %4 LocalSizeId %8 %8 %8
OpExecutionMode %4 OutputVertices 7
OpExecutionMode %4 OutputPrimitivesEXT 8
%5 = OpTypeVoid
%6 = OpTypeFunction %5
%7 = OpTypeInt 32 0
%8 = OpConstant %7 2
";
        let functions = (1..=4).map(|id| {
            format!("%{id} = OpFunction %5 None %6\n%{} = OpLabel\nOpReturn\nOpFunctionEnd\n", id + 10)
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
            ("maxMeshWorkGroupInvocations", 8),
            ("maxMeshWorkGroupSize[0]", 2),
            ("maxMeshWorkGroupSize[1]", 2),
            ("maxMeshWorkGroupSize[2]", 2),
            ("maxMeshOutputVertices", 7),
            ("maxMeshOutputPrimitives", 8),
            ("maxGeometryOutputVertices", 6),
            ("maxGeometryShaderInvocations", 5),
        ];
        assert_eq!(needed, expected);
        let named = ["work-items", "x", "y", "z", "OutputVertices", "OutputPrimitivesEXT", "Invocations"];
        assert!(limits().iter().all(|row| named.contains(&row.what)));
    }
}
