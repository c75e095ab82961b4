//! Operations of shaders that require a Vulkan feature, but no SPIR-V capability alone.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::analysis::Analyses;
use crate::device::api::uses;
use crate::loader::Module;
use crate::test_support;

/// The text around the code under test.
const FRAME: &str = "OpCapability Shader
OpCapability Int64
OpCapability Int64Atomics
OpCapability Int16
OpCapability Int8
OpCapability Float16
OpCapability Float64
OpCapability GroupNonUniformArithmetic
CAPABILITIES
OpMemoryModel Logical GLSL450
OpEntryPoint STAGE %main \"main\"
MODES
OpDecorate %block Block
OpDecorate %bytes Block
OpDecorate %shorts Block
OpDecorate %bfloats Block
OpDecorate %open Block
OpDecorate %old BufferBlock
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %bytes 0 Offset 0
OpMemberDecorate %shorts 0 Offset 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%long = OpTypeInt 64 0
%short = OpTypeInt 16 0
%byte = OpTypeInt 8 0
%half = OpTypeFloat 16
%float = OpTypeFloat 32
%double = OpTypeFloat 64
%bfloat = OpTypeFloat 16 BFloat16KHR
%v2 = OpTypeVector %uint 2
%v2half = OpTypeVector %half 2
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%u3 = OpConstant %uint 3
%l1 = OpConstant %long 1
%s1 = OpConstant %short 1
%h1 = OpConstant %half 1
%f1 = OpConstant %float 1
%d1 = OpConstant %double 1
%true = OpConstantTrue %bool
%block = OpTypeStruct %long
%bytes = OpTypeStruct %byte
%shorts = OpTypeStruct %short
%old = OpTypeStruct %half
%bfloats = OpTypeStruct %bfloat
%array = OpTypeRuntimeArray %uint
%open = OpTypeStruct %array
GLOBALS
%main = OpFunction %void None %fn
%in = OpLabel
CODE
OpReturn
OpFunctionEnd
";

/// A module, and the names of the features that it uses.
#[derive(Clone, Copy, Default)]
struct FeatureCase {
    stage: &'static str,
    capabilities: &'static str,
    modes: &'static str,
    globals: &'static str,
    code: &'static str,
    features: &'static [&'static str],
}

const COMPUTE: FeatureCase =
    FeatureCase { stage: "GLCompute", capabilities: "", modes: "", globals: "", code: "", features: &[] };
const FRAGMENT: FeatureCase =
    FeatureCase { stage: "Fragment", modes: "OpExecutionMode %main OriginUpperLeft", ..COMPUTE };

/// A variable of a type in a storage class, which the code reads.
macro_rules! variable {
    ($type:literal, $class:literal) => {
        FeatureCase {
            globals: concat!("%p = OpTypePointer ", $class, " %", $type, "\n%x = OpVariable %p ", $class),
            code: concat!("%l = OpLoad %", $type, " %x"),
            ..COMPUTE
        }
    };
}

/// A sampled image, a coordinate, and an offset.
const OFFSET_GLOBALS: &str = "%v4f = OpTypeVector %float 4\n%v2f = OpTypeVector %float 2\n\
    %image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%sampled = OpTypeSampledImage %image\n\
    %p = OpTypePointer UniformConstant %sampled\n%x = OpVariable %p UniformConstant\n\
    %zero = OpConstantNull %v2f\n%u2n = OpConstantNull %v2";

const CASES: &[FeatureCase] = &[
    FeatureCase { code: "%x = OpIAdd %long %l1 %l1", ..FRAGMENT },
    FeatureCase { features: &["storageBuffer8BitAccess"], ..variable!("bytes", "StorageBuffer") },
    FeatureCase { features: &["uniformAndStorageBuffer8BitAccess"], ..variable!("bytes", "Uniform") },
    FeatureCase { features: &["storagePushConstant8"], ..variable!("bytes", "PushConstant") },
    FeatureCase { features: &["workgroupMemoryExplicitLayout8BitAccess"], ..variable!("bytes", "Workgroup") },
    FeatureCase { features: &["storageBuffer16BitAccess"], ..variable!("shorts", "StorageBuffer") },
    FeatureCase { features: &["storageBuffer16BitAccess"], ..variable!("bfloats", "StorageBuffer") },
    FeatureCase { features: &["storageBuffer16BitAccess"], ..variable!("old", "Uniform") },
    FeatureCase { features: &["uniformAndStorageBuffer16BitAccess"], ..variable!("bfloats", "Uniform") },
    FeatureCase { features: &["storagePushConstant16"], ..variable!("shorts", "PushConstant") },
    FeatureCase { features: &["storageInputOutput16"], ..variable!("v2half", "Input") },
    FeatureCase {
        features: &["workgroupMemoryExplicitLayout16BitAccess"],
        ..variable!("bfloats", "Workgroup")
    },
    // Without an explicit layout.
    FeatureCase { features: &[], ..variable!("half", "Workgroup") },
    FeatureCase { features: &[], ..variable!("bytes", "Private") },
    FeatureCase {
        capabilities: "OpCapability PhysicalStorageBufferAddresses",
        globals: "%p = OpTypePointer PhysicalStorageBuffer %short\n%x = OpConstantNull %p",
        features: &["storageBuffer16BitAccess"],
        code: "%l = OpLoad %short %x Aligned 2",
        ..COMPUTE
    },
    // Untyped pointers access what instructions say.
    FeatureCase {
        capabilities: "OpCapability UntypedPointersKHR",
        globals: "%p = OpTypeUntypedPointerKHR StorageBuffer\n%x = OpUntypedVariableKHR %p StorageBuffer %bytes",
        code: "%l = OpLoad %uint %x",
        ..COMPUTE
    },
    FeatureCase {
        capabilities: "OpCapability UntypedPointersKHR",
        globals: "%p = OpTypeUntypedPointerKHR StorageBuffer\n%x = OpUntypedVariableKHR %p StorageBuffer %block",
        code: "%l = OpLoad %byte %x",
        features: &["storageBuffer8BitAccess"],
        ..COMPUTE
    },
    FeatureCase {
        stage: "Fragment",
        features: &["fragmentStoresAndAtomics"],
        ..variable!("block", "StorageBuffer")
    },
    FeatureCase {
        stage: "Fragment",
        modes: "OpDecorate %x NonWritable",
        ..variable!("block", "StorageBuffer")
    },
    FeatureCase {
        stage: "Fragment",
        modes: "OpMemberDecorate %block 0 NonWritable",
        ..variable!("block", "StorageBuffer")
    },
    // Nothing reads or writes it.
    FeatureCase { stage: "Fragment", code: "", ..variable!("block", "StorageBuffer") },
    FeatureCase {
        stage: "Vertex",
        features: &["vertexPipelineStoresAndAtomics"],
        ..variable!("block", "StorageBuffer")
    },
    FeatureCase {
        stage: "Geometry",
        capabilities: "OpCapability Geometry",
        globals: "%image = OpTypeImage %float 2D 0 0 0 2 R32f\n%p = OpTypePointer UniformConstant %image\n%x = OpVariable %p UniformConstant",
        code: "%l = OpLoad %image %x",
        features: &["vertexPipelineStoresAndAtomics"],
        ..COMPUTE
    },
    variable!("block", "StorageBuffer"),
    FeatureCase {
        globals: "%p = OpTypePointer StorageBuffer %long\n%x = OpVariable %p StorageBuffer",
        code: "%l = OpAtomicIAdd %long %x %u1 %u0 %l1",
        features: &["shaderBufferInt64Atomics"],
        ..COMPUTE
    },
    FeatureCase {
        globals: "%p = OpTypePointer Workgroup %long\n%x = OpVariable %p Workgroup",
        code: "OpAtomicStore %x %u2 %u0 %l1",
        features: &["shaderSharedInt64Atomics"],
        ..COMPUTE
    },
    FeatureCase {
        capabilities: "OpCapability Int64ImageEXT\nOpExtension \"SPV_EXT_shader_image_int64\"",
        globals: "%p = OpTypePointer Image %long\n%x = OpUndef %p",
        code: "%l = OpAtomicIAdd %long %x %u1 %u0 %l1",
        features: &["shaderImageInt64Atomics"],
        ..COMPUTE
    },
    FeatureCase {
        code: "%x = OpFmaKHR %half %h1 %h1 %h1\n%y = OpFmaKHR %float %f1 %f1 %f1\n%z = OpFmaKHR %double %d1 %d1 %d1",
        features: &["shaderFmaFloat16", "shaderFmaFloat32", "shaderFmaFloat64"],
        ..COMPUTE
    },
    FeatureCase { code: "%x = OpGroupNonUniformIAdd %uint %u3 Reduce %u1", ..COMPUTE },
    FeatureCase {
        code: "%x = OpGroupNonUniformIAdd %short %u3 Reduce %s1",
        features: &["shaderSubgroupExtendedTypes", "subgroupSupportedStages.VK_SHADER_STAGE_FRAGMENT_BIT"],
        ..FRAGMENT
    },
    FeatureCase {
        stage: "Vertex",
        code: "%x = OpGroupNonUniformQuadSwap %float %u3 %f1 %u0",
        features: &[
            "subgroupQuadOperationsInAllStages",
            "subgroupSupportedStages.VK_SHADER_STAGE_VERTEX_BIT",
        ],
        ..COMPUTE
    },
    FeatureCase { code: "%x = OpGroupNonUniformQuadSwap %float %u3 %f1 %u0", ..COMPUTE },
    FeatureCase {
        code: "%i = OpIAdd %uint %u1 %u1\n%x = OpGroupNonUniformBroadcast %float %u3 %f1 %i",
        features: &["subgroupBroadcastDynamicId"],
        ..COMPUTE
    },
    FeatureCase {
        capabilities: "OpCapability ShaderClockKHR\nOpExtension \"SPV_KHR_shader_clock\"",
        code: "%x = OpReadClockKHR %v2 %u1\n%y = OpReadClockKHR %v2 %u3",
        features: &["shaderDeviceClock", "shaderSubgroupClock"],
        ..COMPUTE
    },
    FeatureCase {
        code: "%x = OpBitCount %long %l1\n%y = OpBitCount %uint %u1",
        features: &["maintenance9"],
        ..COMPUTE
    },
    FeatureCase {
        modes: "OpExecutionModeId %main LocalSizeId %u1 %u1 %u1",
        globals: "%n = OpConstantNull %uint\n%p = OpTypePointer Workgroup %uint\n%x = OpVariable %p Workgroup %n",
        code: "%l = OpLoad %uint %x",
        features: &["maintenance4", "shaderZeroInitializeWorkgroupMemory"],
        ..COMPUTE
    },
    FeatureCase {
        modes: "OpExecutionMode %main SubgroupUniformControlFlowKHR",
        features: &["shaderSubgroupUniformControlFlow"],
        ..COMPUTE
    },
    FeatureCase {
        capabilities: "OpCapability CooperativeMatrixKHR",
        globals: "%m = OpTypeCooperativeMatrixKHR %half %u2 %u1 %u1 %u0",
        code: "%x = OpUndef %m",
        features: &["cooperativeMatrixWorkgroupScope"],
        ..COMPUTE
    },
    FeatureCase {
        capabilities: "OpCapability CooperativeMatrixKHR",
        globals: "%m = OpTypeCooperativeMatrixKHR %half %u3 %u1 %u1 %u0",
        code: "%x = OpUndef %m",
        features: &["cooperativeMatrixSupportedStages.VK_SHADER_STAGE_FRAGMENT_BIT"],
        ..FRAGMENT
    },
    FeatureCase {
        capabilities: "OpCapability CooperativeVectorNV\nOpExtension \"SPV_NV_cooperative_vector\"",
        globals: "%m = OpTypeCooperativeVectorNV %half %u2",
        code: "%x = OpUndef %m",
        features: &["cooperativeVectorSupportedStages.VK_SHADER_STAGE_FRAGMENT_BIT"],
        ..FRAGMENT
    },
    FeatureCase {
        capabilities: "OpCapability LongVectorEXT\nOpExtension \"SPV_EXT_long_vector\"",
        globals: "%m = OpTypeVectorIdEXT %half %u2",
        code: "%x = OpUndef %m",
        ..FRAGMENT
    },
    FeatureCase {
        capabilities: "OpCapability CooperativeVectorTrainingNV\nOpExtension \"SPV_NV_cooperative_vector\"",
        globals: "%m = OpTypeCooperativeVectorNV %half %u2\n%p = OpTypePointer StorageBuffer %uint\n%x = OpUndef %p\n%v = OpUndef %m",
        code: "OpCooperativeVectorReduceSumAccumulateNV %x %u0 %v\n\
               OpCooperativeVectorOuterProductAccumulateNV %x %u0 %v %v %u3 %u1",
        features: &[
            "cooperativeVectorTrainingFloat16Accumulation",
            "cooperativeVectorTrainingFloat32Accumulation",
        ],
        ..COMPUTE
    },
    FeatureCase {
        stage: "Vertex",
        capabilities: "OpCapability TensorsARM\nOpExtension \"SPV_ARM_tensors\"",
        globals: "%m = OpTypeTensorARM %half %u1",
        code: "%x = OpUndef %m",
        features: &["shaderTensorSupportedStages.VK_SHADER_STAGE_VERTEX_BIT"],
        ..COMPUTE
    },
    FeatureCase {
        stage: "MeshEXT",
        modes: "OpExecutionMode %main DerivativeGroupLinearKHR",
        features: &["meshAndTaskShaderDerivatives", "meshShader"],
        ..COMPUTE
    },
    FeatureCase { modes: "OpExecutionMode %main DerivativeGroupQuadsKHR", ..COMPUTE },
    FeatureCase {
        capabilities: "OpCapability GroupNonUniformRotateKHR",
        code: "%x = OpGroupNonUniformRotateKHR %uint %u3 %u1 %u1\n%y = OpGroupNonUniformRotateKHR %uint %u3 %u1 %u1 %u2",
        features: &["shaderSubgroupRotateClustered"],
        ..COMPUTE
    },
    FeatureCase {
        capabilities: "OpCapability GroupNonUniformRotateKHR",
        code: "%x = OpGroupNonUniformRotateKHR %uint %u3 %u1 %u1",
        ..COMPUTE
    },
    FeatureCase {
        stage: "TessellationEvaluation",
        modes: "OpExecutionMode %main Isolines\nOpExecutionMode %main PointMode",
        features: &["tessellationIsolines", "tessellationPointMode"],
        ..COMPUTE
    },
    FeatureCase {
        capabilities: "OpCapability InterpolationFunction\n%glsl = OpExtInstImport \"GLSL.std.450\"",
        globals: "%p = OpTypePointer Input %float\n%x = OpVariable %p Input",
        code: "%l = OpExtInst %float %glsl InterpolateAtCentroid %x",
        features: &["shaderSampleRateInterpolationFunctions"],
        ..FRAGMENT
    },
    FeatureCase {
        capabilities: "OpCapability TileShadingQCOM",
        globals: "%image = OpTypeImage %uint 2D 0 0 0 2 R32ui\n%p = OpTypePointer TileAttachmentQCOM %image\n\
                  %x = OpVariable %p TileAttachmentQCOM\n%q = OpTypePointer Image %uint\n%zero = OpConstantNull %v2",
        code: "%a = OpImageTexelPointer %q %x %zero %u0",
        features: &["tileShadingAtomicOps"],
        ..COMPUTE
    },
    FeatureCase {
        capabilities: "OpCapability TileShadingQCOM\nOpCapability TextureBoxFilterQCOM\nOpExtension \"SPV_QCOM_image_processing\"",
        globals: "%v4f = OpTypeVector %float 4\n%v2f = OpTypeVector %float 2\n\
                  %image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%sampled = OpTypeSampledImage %image\n\
                  %p = OpTypePointer TileAttachmentQCOM %sampled\n%x = OpVariable %p TileAttachmentQCOM\n\
                  %zero = OpConstantNull %v2f",
        code: "%s = OpLoad %sampled %x\n%l = OpImageBoxFilterQCOM %v4f %s %zero %zero",
        features: &["tileShadingImageProcessing"],
        ..COMPUTE
    },
    FeatureCase {
        capabilities: "OpCapability ImageGatherExtended",
        globals: OFFSET_GLOBALS,
        code: "%s = OpLoad %sampled %x\n%l = OpImageSampleExplicitLod %v4f %s %zero Lod|Offset %f1 %u2n",
        features: &["maintenance8"],
        ..COMPUTE
    },
    FeatureCase {
        capabilities: "OpCapability ImageGatherExtended",
        globals: OFFSET_GLOBALS,
        code: "%s = OpLoad %sampled %x\n%l = OpImageGather %v4f %s %zero %u0 Offset %u2n\n\
               %m = OpImageSampleExplicitLod %v4f %s %zero Lod|ConstOffset %f1 %u2n",
        ..COMPUTE
    },
    FeatureCase {
        modes: "OpExecutionMode %main DenormPreserve 16\nOpExecutionMode %main DenormFlushToZero 64\n\
                OpExecutionMode %main RoundingModeRTE 32\nOpExecutionMode %main RoundingModeRTE 64",
        features: &[
            "denormBehaviorIndependence.VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL",
            "shaderDenormFlushToZeroFloat64",
            "shaderDenormPreserveFloat16",
            "shaderRoundingModeRTEFloat32",
            "shaderRoundingModeRTEFloat64",
        ],
        ..COMPUTE
    },
    FeatureCase {
        modes: "OpExecutionMode %main DenormPreserve 16\nOpExecutionMode %main DenormFlushToZero 32\n\
                OpExecutionMode %main RoundingModeRTE 32\nOpExecutionMode %main RoundingModeRTZ 64",
        features: &[
            "denormBehaviorIndependence.VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY",
            "roundingModeIndependence.VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY",
            "shaderDenormFlushToZeroFloat32",
            "shaderDenormPreserveFloat16",
            "shaderRoundingModeRTEFloat32",
            "shaderRoundingModeRTZFloat64",
        ],
        ..COMPUTE
    },
    FeatureCase {
        modes: "OpExecutionMode %main RoundingModeRTE 16\nOpExecutionMode %main RoundingModeRTZ 64",
        features: &[
            "roundingModeIndependence.VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL",
            "shaderRoundingModeRTEFloat16",
            "shaderRoundingModeRTZFloat64",
        ],
        ..COMPUTE
    },
    FeatureCase {
        capabilities: "OpCapability FloatControls2\nOpExtension \"SPV_KHR_float_controls2\"",
        modes: "OpExecutionModeId %main FPFastMathDefault %half %u3\nOpDecorate %x FPFastMathMode NotNaN|NotInf\n\
                OpDecorate %y FPFastMathMode NotNaN|NotInf|NSZ",
        code: "%x = OpVectorTimesScalar %v2float %v2f1 %f1\n%y = OpFAdd %double %d1 %d1",
        globals: "%v2float = OpTypeVector %float 2\n%v2f1 = OpConstantComposite %v2float %f1 %f1",
        features: &["shaderSignedZeroInfNanPreserveFloat16", "shaderSignedZeroInfNanPreserveFloat32"],
        ..COMPUTE
    },
    FeatureCase {
        capabilities: "OpCapability TileShadingQCOM",
        features: &["tileShadingFragmentStage"],
        ..FRAGMENT
    },
    FeatureCase { features: &["shaderUniformBufferUnsizedArray"], ..variable!("open", "Uniform") },
    FeatureCase { stage: "MeshEXT", features: &["meshShader"], ..COMPUTE },
    FeatureCase { stage: "TaskEXT", features: &["taskShader"], ..COMPUTE },
    FeatureCase {
        capabilities: "OpExtension \"SPV_KHR_non_semantic_info\"\n%set = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"",
        globals: "%x = OpExtInstWithForwardRefsKHR %void %set DebugInfoNone",
        features: &["shaderRelaxedExtendedInstruction"],
        ..COMPUTE
    },
    FeatureCase {
        globals: "%image = OpTypeImage %float SubpassData 0 0 0 2 Unknown\n%p = OpTypePointer UniformConstant %image\n%x = OpVariable %p UniformConstant",
        code: "%l = OpLoad %image %x",
        features: &["dynamicRenderingLocalRead"],
        ..FRAGMENT
    },
    FeatureCase {
        modes: "OpExecutionMode %main OriginUpperLeft\nOpDecorate %x InputAttachmentIndex 0",
        globals: "%image = OpTypeImage %float SubpassData 0 0 0 2 Unknown\n%p = OpTypePointer UniformConstant %image\n%x = OpVariable %p UniformConstant",
        code: "%l = OpLoad %image %x",
        ..FRAGMENT
    },
    FeatureCase {
        modes: "OpExecutionMode %main EarlyAndLateFragmentTestsAMD",
        features: &["shaderEarlyAndLateFragmentTests"],
        ..FRAGMENT
    },
];

/// Returns the text of a module, and the features that it uses.
fn used(case: &FeatureCase) -> (String, BTreeSet<String>) {
    let text = FRAME.replace("STAGE", case.stage).replace("CAPABILITIES", case.capabilities);
    let text = text.replace("MODES", case.modes).replace("GLOBALS", case.globals).replace("CODE", case.code);
    let (words, _) = test_support::assemble_named(&text, "spv1.6");
    let module = Module::from_words(&words[..]).unwrap();
    let analyses = Analyses::new(&module, Cow::default());
    let features = &analyses.vulkan_features().unwrap().anywhere;
    (text, features.iter().map(|feature| feature.name.clone()).collect())
}

#[test]
fn each_use_is_found_and_no_other() {
    let mut found: BTreeSet<String> = BTreeSet::new();
    let mut check = |case: &FeatureCase| {
        let (text, used) = used(case);
        let expected: BTreeSet<String> = case.features.iter().map(ToString::to_string).collect();
        assert_eq!(used, expected, "{text}");
        found.extend(used);
    };
    CASES.iter().for_each(&mut check);
    for (kind, code) in [
        ("Atomics", "%l = OpAtomicExchange %TYPE %x %u1 %u0 %ONE"),
        ("AtomicAdd", "%l = OpAtomicFAddEXT %TYPE %x %u1 %u0 %ONE"),
        ("AtomicMinMax", "%l = OpAtomicFMaxEXT %TYPE %x %u1 %u0 %ONE"),
    ] {
        for (type_, one, width) in [("half", "h1", 16), ("float", "f1", 32), ("double", "d1", 64)] {
            for (class, place) in [("StorageBuffer", "Buffer"), ("Workgroup", "Shared"), ("Image", "Image")] {
                let feature = format!("shader{place}Float{width}{kind}");
                let is_known = uses().iter().any(|known| known.name == feature);
                assert_eq!(is_known, place != "Image" || width == 32, "{feature}");
                let globals = format!("%p = OpTypePointer {class} %{type_}\n%x = OpVariable %p {class}");
                let mut features = vec![&*feature];
                features.retain(|_| is_known);
                features
                    .extend((class == "StorageBuffer" && width == 16).then_some("storageBuffer16BitAccess"));
                check(&FeatureCase {
                    globals: globals.leak(),
                    code: code.replace("TYPE", type_).replace("ONE", one).leak(),
                    features: features
                        .into_iter()
                        .map(|name| &*name.to_owned().leak())
                        .collect::<Vec<_>>()
                        .leak(),
                    ..COMPUTE
                });
            }
        }
    }
    for mode in [
        "SignedZeroInfNanPreserve",
        "DenormPreserve",
        "DenormFlushToZero",
        "RoundingModeRTE",
        "RoundingModeRTZ",
    ] {
        for width in [16, 32, 64] {
            check(&FeatureCase {
                modes: format!("OpExecutionMode %main {mode} {width}").leak(),
                features: vec![&*format!("shader{mode}Float{width}").leak()].leak(),
                ..COMPUTE
            });
        }
    }
    let rest = |name: &str| name.contains("SupportedStages.");
    let missing: Vec<&str> = uses()
        .iter()
        .map(|known| &*known.name)
        .filter(|name| !found.contains(*name) && !rest(name))
        .collect();
    assert!(found.is_empty() || missing.is_empty(), "no case: {missing:?}");
}

#[test]
fn names_are_of_one_row_each() {
    let names: BTreeSet<&str> = uses().iter().map(|known| &*known.name).collect();
    assert_eq!(names.len(), uses().len());
}
