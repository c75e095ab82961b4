//! A small module of each family of features, with the capabilities that it requires and, beside them, others that it does
//! not.

use super::subject::removes;

#[test]
fn mesh_shading() {
    removes(
        "OpCapability MeshShadingEXT
        OpExtension \"SPV_EXT_mesh_shader\"
        OpCapability MeshShadingNV
        OpExtension \"SPV_NV_mesh_shader\"
        OpCapability FragmentShadingRateKHR
        OpExtension \"SPV_KHR_fragment_shading_rate\"
        OpEntryPoint MeshEXT %main \"main\"
        OpExecutionMode %main LocalSize 1 1 1
        OpExecutionMode %main OutputVertices 3
        OpExecutionMode %main OutputPrimitivesEXT 1
        OpExecutionMode %main OutputTrianglesEXT
        FN %main
        OpSetMeshOutputsEXT %u3 %u1
        END",
        "vulkan1.3",
        "MeshShadingNV SPV_NV_mesh_shader FragmentShadingRateKHR SPV_KHR_fragment_shading_rate",
    );
}

const QUERY: &str = "OpCapability RayQueryKHR
    OpExtension \"SPV_KHR_ray_query\"
    OpCapability RayTracingKHR
    OpExtension \"SPV_KHR_ray_tracing\"
    OpCapability RayQueryPositionFetchKHR
    OpExtension \"SPV_KHR_ray_tracing_position_fetch\"
    OpCapability RayTraversalPrimitiveCullingKHR
    OpDecorate %scene DescriptorSet 0
    OpDecorate %scene Binding 0
    %scenet = OpTypeAccelerationStructureKHR
    %pscene = OpTypePointer UniformConstant %scenet
    %scene = OpVariable %pscene UniformConstant
    %query = OpTypeRayQueryKHR
    %pquery = OpTypePointer Function %query
    %v3 = OpTypeVector %float 3
    %from = OpConstantNull %v3
    INTERFACE %scene
    FN %main
    %q = OpVariable %pquery Function
    %s = OpLoad %scenet %scene
    OpRayQueryInitializeKHR %q %s %u1 %u1 %from %f1 %from %f1
    %more = OpRayQueryProceedKHR %bool %q
    END";

#[test]
fn ray_query() {
    removes(
        QUERY,
        "vulkan1.3",
        "RayTracingKHR SPV_KHR_ray_tracing RayQueryPositionFetchKHR SPV_KHR_ray_tracing_position_fetch
        RayTraversalPrimitiveCullingKHR",
    );
}

#[test]
fn ray_tracing() {
    removes(
        "OpCapability RayTracingKHR
        OpExtension \"SPV_KHR_ray_tracing\"
        OpCapability RayQueryKHR
        OpExtension \"SPV_KHR_ray_query\"
        OpCapability RayCullMaskKHR
        OpExtension \"SPV_KHR_ray_cull_mask\"
        OpCapability RayTracingMotionBlurNV
        OpExtension \"SPV_NV_ray_tracing_motion_blur\"
        OpEntryPoint RayGenerationKHR %main \"main\" %payload
        %p = OpTypePointer CallableDataKHR %uint
        %payload = OpVariable %p CallableDataKHR
        FN %main
        OpExecuteCallableKHR %u0 %payload
        END",
        "vulkan1.3",
        "RayQueryKHR SPV_KHR_ray_query RayCullMaskKHR SPV_KHR_ray_cull_mask RayTracingMotionBlurNV
        SPV_NV_ray_tracing_motion_blur",
    );
}

#[test]
fn subgroups_of_intel() {
    removes(
        "KERNEL
        OpCapability SubgroupShuffleINTEL
        OpCapability SubgroupBufferBlockIOINTEL
        OpCapability SubgroupImageBlockIOINTEL
        OpExtension \"SPV_INTEL_subgroups\"
        OpCapability SubgroupImageMediaBlockIOINTEL
        OpExtension \"SPV_INTEL_media_block_io\"
        OpCapability Groups
        FN %main
        %x = OpSubgroupShuffleINTEL %int %i1 %i0
        END",
        "spv1.2",
        "Linkage SubgroupBufferBlockIOINTEL SubgroupImageBlockIOINTEL SubgroupImageMediaBlockIOINTEL
        SPV_INTEL_media_block_io Groups",
    );
}

#[test]
fn split_barriers_of_intel() {
    removes(
        "KERNEL
        OpCapability SplitBarrierINTEL
        OpExtension \"SPV_INTEL_split_barrier\"
        OpCapability BFloat16ConversionINTEL
        OpExtension \"SPV_INTEL_bfloat16_conversion\"
        OpCapability TensorFloat32RoundingINTEL
        OpExtension \"SPV_INTEL_tensor_float32_conversion\"
        OpCapability Int16
        FN %main
        OpControlBarrierArriveINTEL %n_2 %n_2 %n_0
        %x = OpConvertFToBF16INTEL %short %f1
        END",
        "spv1.2",
        "Linkage TensorFloat32RoundingINTEL SPV_INTEL_tensor_float32_conversion",
    );
}

#[test]
fn group_operations_by_kind() {
    let all = "OpCapability GroupNonUniform
        OpCapability GroupNonUniformVote
        OpCapability GroupNonUniformArithmetic
        OpCapability GroupNonUniformBallot
        OpCapability GroupNonUniformShuffle
        OpCapability GroupNonUniformClustered
        OpCapability GroupNonUniformQuad\nFN %main\n";
    let others = |required: &[&str]| -> String {
        let names = all.lines().filter_map(|line| line.trim().strip_prefix("OpCapability "));
        // Each of them implies the requirements of all.
        names.filter(|name| !required.contains(name)).collect::<Vec<_>>().join(" ")
    };
    let cases: [(&str, &[&str]); 5] = [
        ("%x = OpGroupNonUniformElect %bool %u3", &["GroupNonUniform"]),
        ("%x = OpGroupNonUniformAll %bool %u3 %true", &["GroupNonUniformVote"]),
        ("%x = OpGroupNonUniformIAdd %uint %u3 Reduce %u1", &["GroupNonUniformArithmetic"]),
        ("%x = OpGroupNonUniformIAdd %uint %u3 ClusteredReduce %u1 %u2", &["GroupNonUniformClustered"]),
        ("%x = OpGroupNonUniformShuffle %uint %u3 %u1 %u0", &["GroupNonUniformShuffle"]),
    ];
    for (code, required) in cases {
        removes(&format!("{all}{code}\nEND"), "vulkan1.3", &others(required));
    }
}

#[test]
fn groups_of_kernels() {
    removes(
        "KERNEL
        OpCapability Groups
        OpCapability Pipes
        OpCapability DeviceEnqueue
        OpCapability SubgroupDispatch
        OpCapability GenericPointer
        OpCapability Vector16
        OpCapability Float16Buffer
        FN %main
        %x = OpGroupIAdd %int %n_2 Reduce %i1
        END",
        "spv1.2",
        "Linkage Pipes DeviceEnqueue SubgroupDispatch GenericPointer Vector16 Float16Buffer",
    );
}

#[test]
fn execution_modes() {
    removes(
        "OpCapability DenormPreserve
        OpCapability DenormFlushToZero
        OpCapability RoundingModeRTE
        OpCapability SignedZeroInfNanPreserve
        OpCapability FloatControls2
        OpExtension \"SPV_KHR_float_controls2\"
        OpEntryPoint GLCompute %main \"main\"
        OpExecutionMode %main LocalSize 1 1 1
        OpExecutionMode %main DenormPreserve 32
        OpExecutionMode %main RoundingModeRTE 32
        FN %main\nEND",
        "vulkan1.3",
        "DenormFlushToZero SignedZeroInfNanPreserve FloatControls2 SPV_KHR_float_controls2",
    );
}

#[test]
fn built_ins() {
    removes(
        "OpCapability DrawParameters
        OpCapability MultiView
        OpCapability DeviceGroup
        OpCapability ClipDistance
        OpEntryPoint Vertex %main \"main\" %which
        OpDecorate %which BuiltIn BaseVertex
        %p = OpTypePointer Input %int
        %which = OpVariable %p Input
        FN %main\nEND",
        "vulkan1.3",
        "MultiView DeviceGroup ClipDistance",
    );
}

/// Checks that only an access to members of gl_PerVertex counts, of one or of all at once: compilers name the members
/// in any case.
#[test]
fn built_in_members() {
    let block = |code: &str| {
        format!(
            "OpCapability Geometry
            OpCapability ClipDistance
            OpCapability CullDistance
            OpEntryPoint Geometry %main \"main\" %all
            OpExecutionMode %main InputPoints
            OpExecutionMode %main Invocations 1
            OpExecutionMode %main OutputPoints
            OpExecutionMode %main OutputVertices 1
            OpDecorate %per Block
            OpMemberDecorate %per 0 BuiltIn Position
            OpMemberDecorate %per 1 BuiltIn ClipDistance
            OpMemberDecorate %per 2 BuiltIn CullDistance
            %f4 = OpTypeVector %float 4
            %one = OpTypeArray %float %u1
            %per = OpTypeStruct %f4 %one %one
            %pers = OpTypeArray %per %u1
            %p = OpTypePointer Input %pers
            %pper = OpTypePointer Input %per
            %pf4 = OpTypePointer Input %f4
            %pone = OpTypePointer Input %one
            %all = OpVariable %p Input
            FN %main
            {code}
            END"
        )
    };
    let position = block("%x = OpAccessChain %pf4 %all %i0 %i0");
    removes(&position, "vulkan1.3", "ClipDistance CullDistance");
    let clip = block("%x = OpAccessChain %pone %all %i0 %i1");
    removes(&clip, "vulkan1.3", "CullDistance");
    let one = block("%x = OpAccessChain %pper %all %i0\n%y = OpLoad %per %x");
    removes(&one, "vulkan1.3", "");
    removes(&block("%y = OpLoad %pers %all"), "vulkan1.3", "");
}

#[test]
fn physical_addresses() {
    removes(
        "OpCapability PhysicalStorageBufferAddresses
        OpCapability VariablePointersStorageBuffer
        OpCapability Int64
        OpMemoryModel PhysicalStorageBuffer64 GLSL450
        OpDecorate %there Block
        OpMemberDecorate %there 0 Offset 0
        %there = OpTypeStruct %uint
        %p = OpTypePointer PhysicalStorageBuffer %there
        %address = OpConstant %long 16
        FN %main
        %x = OpConvertUToPtr %p %address
        END",
        "vulkan1.3",
        "VariablePointersStorageBuffer",
    );
}

/// Extended instructions require capabilities, too.
#[test]
fn extended_instructions() {
    let fragment = |code: &str| {
        format!(
            "OpCapability InterpolationFunction
            OpCapability SampleRateShading
            OpCapability Float64
            %glsl = OpExtInstImport \"GLSL.std.450\"
            OpEntryPoint Fragment %main \"main\" %in
            OpExecutionMode %main OriginUpperLeft
            OpDecorate %in Location 0
            %p = OpTypePointer Input %float
            %in = OpVariable %p Input
            FN %main\n{code}\nEND"
        )
    };
    let at = "%x = OpExtInst %float %glsl InterpolateAtCentroid %in";
    removes(&fragment(at), "vulkan1.3", "SampleRateShading Float64");
    let other = "%y = OpLoad %float %in\n%x = OpExtInst %float %glsl Sqrt %y";
    removes(&fragment(other), "vulkan1.3", "InterpolationFunction SampleRateShading Float64");
}
