//! Shaders for the rows of `spec-extensions/vulkan-uses.csv`.

use super::rows::UseRow;
use super::shader::{
    EXPLICIT_WORKGROUP, FLOAT16, FRAGMENT, INT8, INT16, INT64, MESH, SUBGROUPS, UNTYPED, UseCase,
};

/// Returns all cases.
pub fn cases() -> Vec<UseCase> {
    let mut cases = present();
    cases.extend(stores());
    cases.extend(float_controls());
    cases.extend(absent_atomics());
    cases.extend(absent_operations());
    cases.extend(stages_without_subgroups());
    cases.extend(stages_without_types());
    let table = UseRow::table();
    let others: Vec<UseCase> = cases.iter().flat_map(|case| case.on_other_versions(&table)).collect();
    cases.extend(others);
    cases
}

/// Uses of features that the driver has, and of none.
fn present() -> Vec<UseCase> {
    let exchange = "%l = OpAtomicExchange %t %a SCOPE %u0 %one";
    let add = "%l = OpAtomicIAdd %t %a SCOPE %u0 %one";
    let float_add = "%l = OpAtomicFAddEXT %t %a SCOPE %u0 %one";
    let float_max = "%l = OpAtomicFMaxEXT %t %a SCOPE %u0 %one";
    let float = ("", "OpTypeFloat 32");
    let adding = (
        "OpCapability AtomicFloat32AddEXT\nOpExtension \"SPV_EXT_shader_atomic_float_add\"\n",
        "OpTypeFloat 32",
    );
    let comparing = (
        "OpCapability AtomicFloat32MinMaxEXT\nOpExtension \"SPV_EXT_shader_atomic_float_min_max\"\n",
        "OpTypeFloat 32",
    );
    let texels = (
        "OpCapability Int64\nOpCapability Int64Atomics\nOpCapability Int64ImageEXT\nOpExtension \"SPV_EXT_shader_image_int64\"\n",
        "OpTypeInt 64 0",
    );
    let clock = "OpCapability ShaderClockKHR\nOpExtension \"SPV_KHR_shader_clock\"\n";
    vec![
        UseCase::compute(":nothing"),
        UseCase::compute("storageBuffer8BitAccess").block("StorageBuffer", INT8),
        UseCase::compute("uniformAndStorageBuffer8BitAccess").block("Uniform", INT8),
        UseCase::compute("storagePushConstant8").block("PushConstant", INT8),
        UseCase {
            spirv: "spv1.4",
            interface: "%x",
            ..UseCase::compute("workgroupMemoryExplicitLayout8BitAccess")
                .block("Workgroup", INT8)
                .capable(EXPLICIT_WORKGROUP)
        },
        UseCase::compute("storageBuffer16BitAccess:int").block("StorageBuffer", INT16),
        UseCase::compute("storageBuffer16BitAccess:float").block("StorageBuffer", FLOAT16),
        UseCase::compute("uniformAndStorageBuffer16BitAccess").block("Uniform", FLOAT16),
        UseCase::compute("storagePushConstant16").block("PushConstant", INT16),
        UseCase {
            spirv: "spv1.4",
            interface: "%x",
            ..UseCase::compute("workgroupMemoryExplicitLayout16BitAccess")
                .block("Workgroup", FLOAT16)
                .capable(EXPLICIT_WORKGROUP)
        },
        UseCase { spirv: "spv1.4", interface: "%x", ..UseCase::compute("storageBuffer8BitAccess:untyped") }
            .capable(INT8.0)
            .capable(UNTYPED)
            .untyped(INT8.1),
        UseCase { spirv: "spv1.4", interface: "%x", ..UseCase::compute(":untyped, by words") }
            .capable(INT8.0)
            .capable(UNTYPED)
            .untyped("OpTypeInt 32 1"),
        UseCase::compute("shaderBufferInt64Atomics").atomic("StorageBuffer", INT64, add),
        UseCase::compute("shaderSharedInt64Atomics").atomic("Workgroup", INT64, add),
        UseCase::compute("shaderImageInt64Atomics").image_atomic("R64ui", texels, add),
        UseCase::compute("shaderBufferFloat32Atomics").atomic("StorageBuffer", float, exchange),
        UseCase::compute("shaderSharedFloat32Atomics").atomic("Workgroup", float, exchange),
        UseCase::compute("shaderImageFloat32Atomics").image_atomic("R32f", float, exchange),
        UseCase::compute("shaderBufferFloat32AtomicAdd").atomic("StorageBuffer", adding, float_add),
        UseCase::compute("shaderSharedFloat32AtomicAdd").atomic("Workgroup", adding, float_add),
        UseCase::compute("shaderImageFloat32AtomicAdd").image_atomic("R32f", adding, float_add),
        UseCase::compute("shaderBufferFloat32AtomicMinMax").atomic("StorageBuffer", comparing, float_max),
        UseCase::compute("shaderSharedFloat32AtomicMinMax").atomic("Workgroup", comparing, float_max),
        UseCase::compute("shaderImageFloat32AtomicMinMax").image_atomic("R32f", comparing, float_max),
        UseCase::compute(":sub-groups").capable(SUBGROUPS).code("%l = OpGroupNonUniformIAdd %uint %u3 Reduce %u1\n"),
        UseCase::compute("shaderSubgroupExtendedTypes")
            .capable(SUBGROUPS)
            .capable(INT16.0)
            .globals("%t = OpTypeInt 16 0\n%one = OpConstant %t 1\n")
            .code("%l = OpGroupNonUniformIAdd %t %u3 Reduce %one\n"),
        UseCase::new(":sub-groups in a fragment shader", "Fragment", FRAGMENT)
            .capable(SUBGROUPS)
            .code("%l = OpGroupNonUniformQuadSwap %uint %u3 %u1 %u0\n"),
        UseCase::compute("shaderSubgroupClock").capable(clock).code("%l = OpReadClockKHR %v2 %u3\n"),
        UseCase::compute("shaderDeviceClock").capable(clock).code("%l = OpReadClockKHR %v2 %u1\n"),
        UseCase::compute("shaderSubgroupRotateClustered")
            .capable("OpCapability GroupNonUniformRotateKHR\nOpExtension \"SPV_KHR_subgroup_rotate\"\n")
            .code("%l = OpGroupNonUniformRotateKHR %uint %u3 %u1 %u1 %u2\n"),
        offset(),
        // spirv-val does not know what is enabled.
        UseCase { rules: "spv1.3", ..UseCase::compute("maintenance9") }
            .capable(INT16.0)
            .globals("%t = OpTypeInt 16 0\n%one = OpConstant %t 1\n")
            .code("%l = OpBitReverse %t %one\n"),
        UseCase::new("maintenance4", "GLCompute", "OpExecutionModeId %main LocalSizeId %u1 %u1 %u1\n"),
        UseCase::compute("shaderZeroInitializeWorkgroupMemory")
            .globals("%n = OpConstantNull %uint\n%p = OpTypePointer Workgroup %uint\n%x = OpVariable %p Workgroup %n\n")
            .code("%l = OpLoad %uint %x\n"),
        mesh(),
        task(),
        UseCase::compute("shaderRelaxedExtendedInstruction")
            .capable(
                "OpExtension \"SPV_KHR_non_semantic_info\"\nOpExtension \"SPV_KHR_relaxed_extended_instruction\"\n\
                 %set = OpExtInstImport \"NonSemantic.Unknown\"\n",
            )
            .globals("%a1 = OpExtInstWithForwardRefsKHR %void %set 1 %b1\n%b1 = OpExtInst %void %set 2 %a1\n"),
        input_attachment(),
    ]
}

/// A mesh shader.
fn mesh() -> UseCase {
    UseCase { spirv: "spv1.4", ..UseCase::new("meshShader", "MeshEXT", MESH) }
        .capable("OpCapability MeshShadingEXT\nOpExtension \"SPV_EXT_mesh_shader\"\n")
        .code("OpSetMeshOutputsEXT %u0 %u0\n")
}

/// A task shader with its mesh shader.
fn task() -> UseCase {
    let modes = MESH.replace("%main", "%mesh");
    let modes =
        format!("OpEntryPoint MeshEXT %mesh \"mesh\"\nOpExecutionMode %main LocalSize 1 1 1\n{modes}");
    UseCase { spirv: "spv1.4", ..UseCase::new("taskShader", "TaskEXT", &modes) }
        .capable("OpCapability MeshShadingEXT\nOpExtension \"SPV_EXT_mesh_shader\"\n")
        .code(
            "OpEmitMeshTasksEXT %u1 %u1 %u1\nOpFunctionEnd\n%mesh = OpFunction %void None %fn\n%first = OpLabel\n\
             OpSetMeshOutputsEXT %u0 %u0\n",
        )
}

/// A shader that samples an image with an offset that need not be constant.
fn offset() -> UseCase {
    // spirv-val does not know what is enabled.
    UseCase { rules: "spv1.3", ..UseCase::compute("maintenance8") }
        .capable("OpCapability ImageGatherExtended\n")
        .modes("OpDecorate %x DescriptorSet 0\nOpDecorate %x Binding 3\n")
        .globals(
            "%float = OpTypeFloat 32\n%f0 = OpConstant %float 0\n%v4 = OpTypeVector %float 4\n\
             %vf = OpTypeVector %float 2\n%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n\
             %sampled = OpTypeSampledImage %image\n%p = OpTypePointer UniformConstant %sampled\n\
             %x = OpVariable %p UniformConstant\n%zero = OpConstantNull %vf\n%none = OpConstantNull %v2\n",
        )
        .code(
            "%s = OpLoad %sampled %x\n\
             %l = OpImageSampleExplicitLod %v4 %s %zero Lod|Offset %f0 %none\n",
        )
}

/// A fragment shader that reads an input attachment without an index.
fn input_attachment() -> UseCase {
    UseCase::new(
        "dynamicRenderingLocalRead",
        "Fragment",
        &format!("{FRAGMENT}OpDecorate %x DescriptorSet 0\nOpDecorate %x Binding 4\n"),
    )
    .capable("OpCapability InputAttachment\n")
    .globals(
        "%float = OpTypeFloat 32\n%v4 = OpTypeVector %float 4\n%image = OpTypeImage %float SubpassData 2 0 0 2 Unknown\n\
         %p = OpTypePointer UniformConstant %image\n%x = OpVariable %p UniformConstant\n%int = OpTypeInt 32 1\n\
         %vi = OpTypeVector %int 2\n%zero = OpConstantNull %vi\n",
    )
    .code("%i = OpLoad %image %x\n%l = OpImageRead %v4 %i %zero\n")
}

/// Storage that shaders of graphics may write.
fn stores() -> Vec<UseCase> {
    let mut cases = Vec::new();
    for (stage, modes, member) in
        [("Fragment", FRAGMENT, "fragmentStoresAndAtomics"), ("Vertex", "", "vertexPipelineStoresAndAtomics")]
    {
        let case =
            |name: &str| UseCase::new(name, stage, modes).block("StorageBuffer", ("", "OpTypeInt 32 1"));
        let written = case(member).globals("%one = OpConstant %t 1\n").code("OpStore %a %one\n");
        let mut read_only = case(&format!(":{member}, NonWritable"));
        read_only.modes.push_str("OpDecorate %x NonWritable\n");
        let mut unused = case(&format!(":{member}, unused"));
        unused.code.clear();
        cases.extend([written, case(&format!("{member}:read")), read_only, unused]);
    }
    cases
}

/// Execution modes for floats, with properties that the driver has and does not have.
fn float_controls() -> Vec<UseCase> {
    let modes = [
        ("SignedZeroInfNanPreserve", true),
        ("DenormPreserve", false),
        ("DenormFlushToZero", false),
        ("RoundingModeRTE", true),
        ("RoundingModeRTZ", false),
    ];
    let case = |(mode, has): (&str, bool), width: u32| {
        let member = format!("shader{mode}Float{width}");
        let name = if has { format!(":{member}") } else { member };
        let mut case = UseCase::compute(&name)
            .capable(&format!("OpCapability {mode}\nOpExtension \"SPV_KHR_float_controls\"\n"));
        case.modes.push_str(&format!("OpExecutionMode %main {mode} {width}\n"));
        if has { case } else { case.absent() }
    };
    modes.into_iter().flat_map(|mode| [16, 32, 64].map(|width| case(mode, width))).collect()
}

/// Atomic operations on floats for which the driver has no features.
fn absent_atomics() -> Vec<UseCase> {
    let mut cases = Vec::new();
    for width in [16, 64] {
        let add_extension =
            if width == 16 { "SPV_EXT_shader_atomic_float16_add" } else { "SPV_EXT_shader_atomic_float_add" };
        let operations = [
            ("Atomics", String::new(), "%l = OpAtomicExchange %t %a SCOPE %u0 %one"),
            (
                "AtomicAdd",
                format!("OpCapability AtomicFloat{width}AddEXT\nOpExtension \"{add_extension}\"\n"),
                "%l = OpAtomicFAddEXT %t %a SCOPE %u0 %one",
            ),
            (
                "AtomicMinMax",
                format!(
                    "OpCapability AtomicFloat{width}MinMaxEXT\nOpExtension \"SPV_EXT_shader_atomic_float_min_max\"\n"
                ),
                "%l = OpAtomicFMaxEXT %t %a SCOPE %u0 %one",
            ),
        ];
        for (kind, capability, code) in &operations {
            for (class, place) in [("StorageBuffer", "Buffer"), ("Workgroup", "Shared")] {
                let capabilities = format!("OpCapability Float{width}\n{capability}");
                let type_ = format!("OpTypeFloat {width}");
                let case = UseCase::compute(&format!("shader{place}Float{width}{kind}"));
                cases.push(case.atomic(class, (&capabilities, &type_), code).absent());
            }
        }
    }
    cases
}

/// Other uses of features that the driver does not have.
fn absent_operations() -> Vec<UseCase> {
    let mut cases: Vec<UseCase> = [16, 32, 64].map(|width| fma(width).absent()).into();
    let mut output = UseCase::new("storageInputOutput16", "Vertex", "OpDecorate %x Location 0\n")
        .capable(FLOAT16.0)
        .globals("%t = OpTypeFloat 16\n%one = OpConstant %t 1\n%p = OpTypePointer Output %t\n%x = OpVariable %p Output\n")
        .code("OpStore %x %one\n");
    output.interface = "%x";
    let mut uniform_flow = UseCase::compute("shaderSubgroupUniformControlFlow")
        .capable("OpExtension \"SPV_KHR_subgroup_uniform_control_flow\"\n");
    uniform_flow.modes.push_str("OpExecutionMode %main SubgroupUniformControlFlowKHR\n");
    let matrix = UseCase { spirv: "spv1.6", memory_model: "Vulkan", ..UseCase::compute("cooperativeMatrixWorkgroupScope") }
        .capable(
            "OpCapability VulkanMemoryModel\nOpCapability CooperativeMatrixKHR\nOpExtension \"SPV_KHR_cooperative_matrix\"\n",
        )
        .globals(
            "%float = OpTypeFloat 32\n%f0 = OpConstant %float 0\n%u8 = OpConstant %uint 8\n\
             %t = OpTypeCooperativeMatrixKHR %float %u2 %u8 %u8 %u2\n%m = OpConstantComposite %t %f0\n",
        )
        .code("%l = OpFAdd %t %m %m\n");
    let tiles = UseCase::new("tileShadingFragmentStage", "Fragment", FRAGMENT)
        .capable("OpCapability TileShadingQCOM\nOpExtension \"SPV_QCOM_tile_shading\"\n");
    let mut unsized_array =
        UseCase { rules: "spv1.3", ..UseCase::compute("shaderUniformBufferUnsizedArray") }
            .globals("%v4 = OpTypeVector %uint 4\n%r = OpTypePointer Uniform %v4\n")
            .block("Uniform", ("", "OpTypeRuntimeArray %v4"));
    unsized_array.modes.push_str("OpDecorate %t ArrayStride 16\n");
    unsized_array.code = "%a = OpAccessChain %r %x %u0 %u1\n%l = OpLoad %v4 %a\n".to_owned();
    cases.extend([output, uniform_flow, matrix, tiles, unsized_array].map(UseCase::absent));
    cases
}

/// A shader with a fused multiplication of floats.
fn fma(width: u32) -> UseCase {
    let capability = if width == 32 { String::new() } else { format!("OpCapability Float{width}\n") };
    UseCase::compute(&format!("shaderFmaFloat{width}"))
        .capable(&capability)
        .capable("OpCapability FMAKHR\nOpExtension \"SPV_KHR_fma\"\n")
        .globals(&format!("%t = OpTypeFloat {width}\n%one = OpConstant %t 1\n"))
        .code("%l = OpFmaKHR %t %one %one %one\n")
}

const PATCHES: &str = "OpExecutionMode %main Triangles\nOpExecutionMode %main SpacingEqual\n\
                       OpExecutionMode %main VertexOrderCcw\n";

/// A shader that follows a tessellation control shader.
pub fn tessellation_evaluation() -> UseCase {
    UseCase::new("", "TessellationEvaluation", PATCHES).capable("OpCapability Tessellation\n")
}

const RAYS: &str = "OpCapability RayTracingKHR\nOpExtension \"SPV_KHR_ray_tracing\"\n";
const TRIANGLES: &str = "OpExecutionMode %main Triangles\nOpExecutionMode %main Invocations 1\n\
                         OpExecutionMode %main OutputTriangleStrip\nOpExecutionMode %main OutputVertices 3\n";
/// Stages with what their shaders declare.
const STAGES: [(&str, &str, &str); 10] = [
    ("Vertex", "", ""),
    ("TessellationControl", "OpCapability Tessellation\n", "OpExecutionMode %main OutputVertices 3\n"),
    ("TessellationEvaluation", "OpCapability Tessellation\n", PATCHES),
    ("Geometry", "OpCapability Geometry\n", TRIANGLES),
    ("RayGenerationKHR", RAYS, ""),
    ("IntersectionKHR", RAYS, ""),
    ("AnyHitKHR", RAYS, ""),
    ("ClosestHitKHR", RAYS, ""),
    ("MissKHR", RAYS, ""),
    ("CallableKHR", RAYS, ""),
];

/// Sub-group operations in stages in which the driver has none.
fn stages_without_subgroups() -> Vec<UseCase> {
    let case = |(stage, capability, modes): (&'static str, &str, &str)| {
        let case = UseCase::new(&format!("subgroupSupportedStages:{stage}"), stage, modes);
        let case = UseCase { spirv: if capability == RAYS { "spv1.4" } else { "spv1.3" }, ..case };
        let code = "%l = OpGroupNonUniformIAdd %uint %u3 Reduce %u1\n";
        case.capable(SUBGROUPS).capable(capability).code(code).absent()
    };
    STAGES.into_iter().map(case).collect()
}

/// Cooperative matrices and tensors in stages in which the driver has none.
fn stages_without_types() -> Vec<UseCase> {
    let mut cases = Vec::new();
    for (member, declared, globals, code) in [
        (
            "cooperativeMatrixSupportedStages",
            "OpCapability CooperativeMatrixKHR\nOpExtension \"SPV_KHR_cooperative_matrix\"\n",
            "%u8 = OpConstant %uint 8\n%t = OpTypeCooperativeMatrixKHR %float %u3 %u8 %u8 %u2\n\
             %m = OpConstantComposite %t %f0\n",
            "%l = OpFAdd %t %m %m\n",
        ),
        (
            "shaderTensorSupportedStages",
            "OpCapability TensorsARM\nOpExtension \"SPV_ARM_tensors\"\n",
            "%t = OpTypeTensorARM %float %u1\n%p = OpTypePointer UniformConstant %t\n\
             %x = OpVariable %p UniformConstant\n",
            "%l = OpLoad %t %x\n%n = OpTensorQuerySizeARM %uint %l %u0\n",
        ),
    ] {
        // In other stages, pipelines need more than cases here have.
        let stages = ["Vertex", "TessellationControl", "Geometry"];
        let stages = STAGES.into_iter().filter(|(stage, ..)| stages.contains(stage));
        for (stage, capability, modes) in stages.chain([("Fragment", "", FRAGMENT)]) {
            let mut case = UseCase {
                spirv: "spv1.6",
                memory_model: "Vulkan",
                ..UseCase::new(&format!("{member}:{stage}"), stage, modes)
            };
            if globals.contains("%x") {
                case.interface = "%x";
                case.modes.push_str("OpDecorate %x DescriptorSet 0\nOpDecorate %x Binding 0\n");
            }
            let case = case.capable(capability).capable("OpCapability VulkanMemoryModel\n").capable(declared);
            let globals = format!("%float = OpTypeFloat 32\n%f0 = OpConstant %float 0\n{globals}");
            cases.push(case.globals(&globals).code(code).absent());
        }
    }
    cases
}
