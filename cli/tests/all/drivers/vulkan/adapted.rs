//! Shaders with constructs that a Vulkan device rejects as it was created: Khronos' layer complains about them as they are, and does not once
//! `--adapt` has changed them for that device.

use ash::vk;
use spirv_if::device::DeviceConfig;
use spirv_if::module::Version;
use spirv_if::{Module, Prepared, Settings};
use spirv_if_inspect::VulkanRequirements;

use super::VulkanResult;
use super::runner::{ShaderJob, Vulkan};
use super::uses::{INT16, LayeredVulkan, SUBGROUPS, UseCase};
use crate::common::{assemble_named, validate};

/// A shader with a construct of the table.
pub struct AdaptedShader {
    pub name: &'static str,
    /// The version of Vulkan that the application requests.
    api: u32,
    shader: UseCase,
    /// The device is created with the requirements of this shader.
    device: UseCase,
}

fn shader(name: &'static str, shader: UseCase) -> AdaptedShader {
    AdaptedShader { name, api: vk::API_VERSION_1_3, shader, device: UseCase::compute("") }
}

const ROTATION: &str = "OpCapability GroupNonUniformRotateKHR\nOpExtension \"SPV_KHR_subgroup_rotate\"\n";

const DERIVATIVES: &str =
    "OpExecutionMode %main LocalSize 2 2 1\nOpExecutionMode %main DerivativeGroupQuadsKHR\n";

/// Returns the modules in assembly.
pub fn texts() -> impl Iterator<Item = String> {
    cases().into_iter().map(|case| case.shader.text())
}

pub fn cases() -> Vec<AdaptedShader> {
    let string = "OpExtension \"SPV_GOOGLE_decorate_string\"\nOpExtension \"SPV_GOOGLE_hlsl_functionality1\"\n\
                  OpExtension \"SPV_GOOGLE_user_type\"\n";
    // A vertex shader that chooses where its triangles are drawn.
    let vertex = |built_in: &str, capabilities: &str, version| {
        let mut vertex = UseCase::new("", "Vertex", &format!("OpDecorate %choice BuiltIn {built_in}\n"))
            .capable(capabilities)
            .globals("%pint = OpTypePointer Output %uint\n%choice = OpVariable %pint Output\n")
            .code("OpStore %choice %u1\n");
        (vertex.spirv, vertex.interface) = (version, "%choice");
        vertex
    };
    let with_extension =
        "OpCapability ShaderViewportIndexLayerEXT\nOpExtension \"SPV_EXT_shader_viewport_index_layer\"\n";
    let mut uniform = UseCase::compute("").code("%sum = OpIAdd %uint %u1 %u2\n");
    uniform.modes.push_str("OpDecorateId %sum UniformId %u3\n");
    uniform.spirv = "spv1.4";
    let mut semantic = UseCase::compute("").capable(string).globals(
        "%v3 = OpTypeVector %uint 3\n%pin = OpTypePointer Input %v3\n%gid = OpVariable %pin Input\n",
    );
    semantic.interface = "%gid";
    semantic.modes.push_str(
        "OpDecorate %gid BuiltIn GlobalInvocationId\nOpDecorateString %gid UserSemantic \"SV_DispatchThreadID\"\n\
         OpDecorateString %gid UserTypeGOOGLE \"uint3\"\n",
    );
    let mut copies = UseCase::compute("")
        .globals("%s1 = OpTypeStruct %uint\n%s2 = OpTypeStruct %uint\n")
        .code("%a = OpCompositeConstruct %s1 %u1\n%b = OpCopyLogical %s2 %a\n");
    copies.spirv = "spv1.4";
    let voting = |vote: &str| {
        UseCase::compute("")
            .capable(vote)
            .globals("%true = OpConstantTrue %bool\n%v4 = OpTypeVector %uint 4\n")
    };
    vec![
        AdaptedShader {
            api: vk::API_VERSION_1_1,
            device: vertex("Layer", with_extension, "spv1.3"),
            ..shader("layer", vertex("Layer", "OpCapability ShaderLayer\n", "spv1.5"))
        },
        AdaptedShader {
            api: vk::API_VERSION_1_1,
            device: vertex("ViewportIndex", with_extension, "spv1.3"),
            ..shader("viewport", vertex("ViewportIndex", "OpCapability ShaderViewportIndex\n", "spv1.5"))
        },
        AdaptedShader { api: vk::API_VERSION_1_0, ..shader("uniform", uniform) },
        AdaptedShader {
            device: UseCase::new("", "GLCompute", DERIVATIVES).capable(
                "OpCapability ComputeDerivativeGroupQuadsKHR\nOpExtension \"SPV_KHR_compute_shader_derivatives\"\n",
            ),
            ..shader(
                "derivatives",
                UseCase::new("", "GLCompute", DERIVATIVES).capable(
                    "OpCapability ComputeDerivativeGroupQuadsKHR\nOpExtension \"SPV_NV_compute_shader_derivatives\"\n",
                ),
            )
        },
        shader(
            "expect_assume",
            UseCase::compute("")
                .capable("OpCapability ExpectAssumeKHR\nOpExtension \"SPV_KHR_expect_assume\"\n")
                .globals("%true = OpConstantTrue %bool\n")
                .code("OpAssumeTrueKHR %true\n%e = OpExpectKHR %uint %u1 %u2\n"),
        ),
        AdaptedShader {
            api: vk::API_VERSION_1_0,
            device: UseCase::compute("").capable("OpCapability SubgroupVoteKHR\nOpCapability SubgroupBallotKHR\n\
                     OpExtension \"SPV_KHR_subgroup_vote\"\nOpExtension \"SPV_KHR_shader_ballot\"\n"),
            ..shader(
                "older_votes",
                voting("OpCapability GroupNonUniformVote\nOpCapability GroupNonUniformBallot\n").code(
                    "%a = OpGroupNonUniformAll %bool %u3 %true\n%b = OpGroupNonUniformAny %bool %u3 %true\n\
                     %c = OpGroupNonUniformAllEqual %bool %u3 %true\n%d = OpGroupNonUniformBroadcastFirst %uint %u3 %u1\n\
                     %e = OpGroupNonUniformBallot %v4 %u3 %true\n%f = OpGroupNonUniformBroadcast %uint %u3 %u1 %u0\n",
                ),
            )
        },
        AdaptedShader {
            device: UseCase::compute("").capable(SUBGROUPS),
            ..shader(
                "newer_votes",
                voting(
                    "OpCapability SubgroupVoteKHR\nOpCapability SubgroupBallotKHR\n\
                     OpExtension \"SPV_KHR_subgroup_vote\"\nOpExtension \"SPV_KHR_shader_ballot\"\n",
                )
                .code(
                    "%a = OpSubgroupAllKHR %bool %true\n%b = OpSubgroupAnyKHR %bool %true\n\
                     %c = OpSubgroupAllEqualKHR %bool %true\n%d = OpSubgroupFirstInvocationKHR %uint %u1\n\
                     %e = OpSubgroupBallotKHR %v4 %true\n%f = OpSubgroupReadInvocationKHR %uint %u1 %u0\n",
                ),
            )
        },
        AdaptedShader {
            device: UseCase::compute("").capable("OpCapability StorageBuffer16BitAccess\n"),
            ..shader(
                "narrower",
                UseCase::compute("")
                    .block("StorageBuffer", INT16)
                    .capable("OpCapability UniformAndStorageBuffer16BitAccess\n"),
            )
        },
        AdaptedShader {
            device: UseCase::compute("").capable(SUBGROUPS).capable(ROTATION),
            ..shader(
                "clustered_rotation",
                UseCase::compute("")
                    .capable(SUBGROUPS)
                    .capable(ROTATION)
                    .code("%l = OpGroupNonUniformRotateKHR %uint %u3 %u1 %u1 %u2\n"),
            )
        },
        AdaptedShader {
            device: UseCase::compute("").capable(SUBGROUPS),
            ..shader(
                "rotation",
                UseCase::compute("")
                    .capable(ROTATION)
                    .code("%l = OpGroupNonUniformRotateKHR %uint %u3 %u1 %u1\n"),
            )
        },
        shader("semantics", semantic),
        shader(
            "local_size",
            UseCase::new(
                "",
                "GLCompute",
                "OpExecutionModeId %main LocalSizeId %n %u1 %u1\nOpDecorate %n SpecId 0\n",
            )
            .globals("%n = OpSpecConstant %uint 4\n"),
        ),
        AdaptedShader { api: vk::API_VERSION_1_0, ..shader("copies", copies) },
        AdaptedShader {
            device: UseCase::compute("").capable("OpCapability PhysicalStorageBufferAddresses\n"),
            ..shader(
                "physical_storage",
                UseCase::compute("").capable(
                    "OpCapability PhysicalStorageBufferAddresses\nOpExtension \"SPV_EXT_physical_storage_buffer\"\n",
                ),
            )
        },
    ]
}

/// Checks that the layer complains about a shader only as it is.
pub fn check(case: &AdaptedShader) -> VulkanResult<String> {
    let (words, _) = assemble_named(&case.shader.text(), case.shader.spirv);
    validate(&words, case.shader.spirv)?;
    let vulkan = LayeredVulkan::open(case.api, false)?;
    let (base, _) = assemble_named(&case.device.text(), case.device.spirv);
    let version = Version::new(1, vk::api_version_minor(case.api) as u8);
    let required =
        VulkanRequirements::new(&Module::from_words(&base[..])?, version, Some(&vulkan.described(None)?))?;
    let device = vulkan.described(Some((&required, None)))?;
    let before = vulkan.errors(&words, case.shader.stage, &required, None)?;
    if before.is_empty() {
        return Err("the layer accepts the shader as it is".into());
    }
    let module = Module::from_words(&words[..])?;
    let result = Prepared::new(&module)?.specialize(&device, &Settings::new().adapt(true))?;
    let after = vulkan.errors(&result.words, case.shader.stage, &required, None)?;
    let changes: Vec<String> = result.report.adapted.iter().map(ToString::to_string).collect();
    if !after.is_empty() {
        return Err(format!("after {changes:?}: {after:?}").into());
    }
    validate(&result.words, "spv1.6")?;
    Ok(changes.join(", "))
}

/// The values that are rotated are products with this number.
const FACTOR: u32 = 0x9e37_79b9;

/// Stores rotations of values in sub-groups and in clusters of two by the number of a push constant.
const ROTATIONS: &str = "OpCapability Shader
OpCapability GroupNonUniformRotateKHR
OpExtension \"SPV_KHR_subgroup_rotate\"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\" %gid
OpExecutionMode %main LocalSize 64 1 1
OpDecorate %gid BuiltIn GlobalInvocationId
OpDecorate %results ArrayStride 16
OpDecorate %Block Block
OpMemberDecorate %Block 0 Offset 0
OpDecorate %Push Block
OpMemberDecorate %Push 0 Offset 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%v2float = OpTypeVector %float 2
%v3uint = OpTypeVector %uint 3
%v4uint = OpTypeVector %uint 4
%pgid = OpTypePointer Input %v3uint
%gid = OpVariable %pgid Input
%results = OpTypeRuntimeArray %v4uint
%Block = OpTypeStruct %results
%pBlock = OpTypePointer StorageBuffer %Block
%out = OpVariable %pBlock StorageBuffer
%presult = OpTypePointer StorageBuffer %v4uint
%Push = OpTypeStruct %uint
%pPush = OpTypePointer PushConstant %Push
%push = OpVariable %pPush PushConstant
%puint = OpTypePointer PushConstant %uint
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u3 = OpConstant %uint 3
%u2 = OpConstant %uint 2
%factor = OpConstant %uint FACTOR
%main = OpFunction %void None %fn
%start = OpLabel
%ids = OpLoad %v3uint %gid
%g = OpCompositeExtract %uint %ids 0
%pdelta = OpAccessChain %puint %push %u0
%delta = OpLoad %uint %pdelta
%a = OpIMul %uint %g %factor
%f = OpConvertUToF %float %a
%h = OpConvertUToF %float %g
%v = OpCompositeConstruct %v2float %f %h
%bit = OpBitwiseAnd %uint %g %u1
%b = OpIEqual %bool %bit %u0
%r = OpGroupNonUniformRotateKHR %uint %u3 %a %delta
%rv = OpGroupNonUniformRotateKHR %v2float %u3 %v %delta
%rb = OpGroupNonUniformRotateKHR %bool %u3 %b %delta
%rc = OpGroupNonUniformRotateKHR %uint %u3 %a %delta %u2
%rvf = OpCompositeExtract %float %rv 1
%ru = OpConvertFToU %uint %rvf
%rbu = OpSelect %uint %rb %u1 %u0
%all = OpCompositeConstruct %v4uint %r %ru %rbu %rc
%p = OpAccessChain %presult %out %u0 %g
OpStore %p %all
OpReturn
OpFunctionEnd
";

/// Runs rotations as they are, and as shuffles: equal bits.
pub fn rotations() -> VulkanResult<String> {
    let vulkan = Vulkan::open()?;
    let (words, _) = assemble_named(&ROTATIONS.replace("FACTOR", &FACTOR.to_string()), "spv1.3");
    let entry = "without: {capabilities: [Shader, GroupNonUniform, GroupNonUniformShuffle], exact-capabilities: true}";
    let devices = DeviceConfig::from_yaml("without", entry)?;
    let device = devices.get("without")?;
    let module = Module::from_words(&words[..])?;
    let adapted = Prepared::new(&module)?.specialize(device, &Settings::new().adapt(true))?.words;
    for delta in 0..8 {
        let job = ShaderJob {
            buffers: vec![vec![0; 4 * 128]],
            push_constants: vec![delta],
            groups: [2, 1, 1],
            ..ShaderJob::default()
        };
        let run = |words: &[u32]| vulkan.run(words, words, &job).map_err(|failure| failure.to_string());
        let (native, adapted) = (run(&words)?, run(&adapted)?);
        if native != adapted {
            return Err(format!("by {delta}: {adapted:x?} instead of {native:x?}").into());
        }
        let size = vulkan.subgroups().0;
        for (at, results) in (0..).zip(native[0].chunks(4)) {
            let source = |size: u32| (at + delta) & (size - 1) | at & !(size - 1);
            let expected = [source(size), source(2).wrapping_mul(FACTOR)];
            if [results[1], results[3]] != expected {
                return Err(format!("{at} by {delta}: {results:x?} instead of {expected:x?}").into());
            }
        }
    }
    Ok("equal bits".to_owned())
}
