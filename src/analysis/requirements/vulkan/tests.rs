//! Operations of shaders that require a Vulkan feature, but no SPIR-V capability alone.

use std::collections::BTreeSet;

use crate::analysis::vulkan_uses;
use crate::device::api::uses;
use crate::loader::Module;
use crate::test_support;

/// The text around the code under test.
const FRAME: &str = "OpCapability Shader
OpCapability Int64
OpCapability Int64Atomics
OpCapability Int16
OpCapability Float64
OpCapability AtomicFloat32AddEXT
OpCapability AtomicFloat64MinMaxEXT
OpCapability GroupNonUniformArithmetic
OpCapability ShaderClockKHR
OpExtension \"SPV_KHR_shader_clock\"
OpExtension \"SPV_EXT_shader_atomic_float_add\"
OpExtension \"SPV_EXT_shader_atomic_float_min_max\"
OpMemoryModel Logical GLSL450
OpEntryPoint STAGE %main \"main\"
MODES
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %block 1 Offset 8
OpMemberDecorate %block 2 Offset 16
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%long = OpTypeInt 64 0
%short = OpTypeInt 16 0
%float = OpTypeFloat 32
%double = OpTypeFloat 64
%v2 = OpTypeVector %uint 2
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%u3 = OpConstant %uint 3
%l1 = OpConstant %long 1
%s1 = OpConstant %short 1
%f1 = OpConstant %float 1
%d1 = OpConstant %double 1
%block = OpTypeStruct %long %double %float
%p_block = OpTypePointer StorageBuffer %block
%p_long = OpTypePointer StorageBuffer %long
%p_double = OpTypePointer StorageBuffer %double
%w_long = OpTypePointer Workgroup %long
%w_float = OpTypePointer Workgroup %float
GLOBALS
%main = OpFunction %void None %fn
%in = OpLabel
CODE
OpReturn
OpFunctionEnd
";

/// Stage, modes, globals, code, and the features whose uses they are.
const CASES: [(&str, &str, &str, &str, &[&str]); 14] = [
    ("Fragment", "OpExecutionMode %main OriginUpperLeft", "", "%x = OpIAdd %long %l1 %l1", &[]),
    (
        "Fragment",
        "OpExecutionMode %main OriginUpperLeft",
        "%b = OpVariable %p_block StorageBuffer",
        "",
        &["fragmentStoresAndAtomics"],
    ),
    (
        "Fragment",
        "OpExecutionMode %main OriginUpperLeft\nOpDecorate %b NonWritable",
        "%b = OpVariable %p_block StorageBuffer",
        "",
        &[],
    ),
    ("Vertex", "", "%b = OpVariable %p_block StorageBuffer", "", &["vertexPipelineStoresAndAtomics"]),
    ("GLCompute", "", "%b = OpVariable %p_block StorageBuffer", "", &[]),
    (
        "GLCompute",
        "",
        "%b = OpVariable %p_block StorageBuffer",
        "%p = OpAccessChain %p_long %b %u0\n%x = OpAtomicIAdd %long %p %u1 %u0 %l1",
        &["shaderBufferInt64Atomics"],
    ),
    (
        "GLCompute",
        "",
        "%s = OpVariable %w_long Workgroup",
        "OpAtomicStore %s %u2 %u0 %l1",
        &["shaderSharedInt64Atomics"],
    ),
    (
        "GLCompute",
        "",
        "%s = OpVariable %w_float Workgroup",
        "%x = OpAtomicFAddEXT %float %s %u2 %u0 %f1",
        &["shaderSharedFloat32AtomicAdd"],
    ),
    (
        "GLCompute",
        "",
        "%b = OpVariable %p_block StorageBuffer",
        "%p = OpAccessChain %p_double %b %u1\n%x = OpAtomicFMaxEXT %double %p %u1 %u0 %d1",
        &["shaderBufferFloat64AtomicMinMax"],
    ),
    ("GLCompute", "", "", "%x = OpGroupNonUniformIAdd %uint %u3 Reduce %u1", &[]),
    (
        "GLCompute",
        "",
        "",
        "%x = OpGroupNonUniformIAdd %short %u3 Reduce %s1",
        &["shaderSubgroupExtendedTypes"],
    ),
    (
        "GLCompute",
        "",
        "",
        "%x = OpReadClockKHR %v2 %u1\n%y = OpReadClockKHR %v2 %u3",
        &["shaderDeviceClock", "shaderSubgroupClock"],
    ),
    ("GLCompute", "", "", "%x = OpBitCount %long %l1\n%y = OpBitCount %uint %u1", &["maintenance9"]),
    (
        "GLCompute",
        "OpExecutionModeId %main LocalSizeId %u1 %u1 %u1",
        "%n = OpConstantNull %uint\n%w_uint = OpTypePointer Workgroup %uint\n%s = OpVariable %w_uint Workgroup %n",
        "",
        &["maintenance4", "shaderZeroInitializeWorkgroupMemory"],
    ),
];

#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn each_use_is_found_and_no_other() {
    for (stage, modes, globals, code, expected) in CASES {
        let text = FRAME.replace("STAGE", stage).replace("MODES", modes).replace("GLOBALS", globals);
        let (words, _) = test_support::assemble_named(&text.replace("CODE", code), "spv1.3");
        let module = Module::from_words(&words[..]).unwrap();
        let expected: BTreeSet<String> = expected.iter().map(ToString::to_string).collect();
        assert_eq!(vulkan_uses(&module), expected, "{globals}\n{code}");
    }
}

#[test]
fn all_that_can_be_found_is_in_the_table() {
    let known: BTreeSet<&str> = uses().iter().map(|used| used.member).collect();
    for (.., expected) in CASES {
        assert!(expected.iter().all(|feature| known.contains(feature)), "{expected:?}");
    }
    for place in ["Buffer", "Shared"] {
        for kind in ["Atomics", "AtomicAdd", "AtomicMinMax"] {
            for width in [16, 32, 64] {
                assert!(known.contains(&*format!("shader{place}Float{width}{kind}")));
            }
        }
    }
    for (name, words) in test_support::fixtures() {
        for feature in vulkan_uses(&Module::from_words(&words[..]).unwrap()) {
            assert!(known.contains(&*feature) || !name.starts_with("glsl"), "{name}: {feature}");
        }
    }
}
