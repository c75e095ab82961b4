//! Values that break ranges and block layouts: those are refused that spirv-val refuses once they are in the module, and no others.

use spirv_if::{Device, Module, Prepared, Settings};

use crate::common::{assemble, bytes_of, run, tool, words_of};

/// A module with specialization constants of SpecIds 0, 1 ..., and values to try.
struct LimitCase {
    name: &'static str,
    environment: &'static str,
    options: &'static [&'static str],
    /// Each line, separated by `;`. `%n` and `%m` are the constants.
    text: &'static str,
    values: &'static [&'static [u32]],
}

/// Start and end of all modules of shaders.
const SHADER: &str = "OpCapability Shader;OpMemoryModel Logical GLSL450;";
const MAIN: &str = "%main = OpFunction %void None %fn;%l = OpLabel;OpReturn;OpFunctionEnd";
const TYPES: &str = "%void = OpTypeVoid;%fn = OpTypeFunction %void;%uint = OpTypeInt 32 0;%float = OpTypeFloat 32;\
    %v2 = OpTypeVector %float 2;%v3 = OpTypeVector %float 3;%v4 = OpTypeVector %float 4;\
    %n = OpSpecConstant %uint 2;%m = OpSpecConstant %uint 2;%u1 = OpConstant %uint 1;%u2 = OpConstant %uint 2;%u4 = OpConstant %uint 4;";
/// The start of modules that convert arrays and cooperative matrices, the types of these, and the function around the code.
const CONVERSION: &str = "OpCapability Shader;OpCapability Float16;OpCapability VulkanMemoryModel;OpCapability CooperativeMatrixKHR;\
    OpCapability CooperativeMatrixConversionQCOM;OpExtension \"SPV_KHR_cooperative_matrix\";\
    OpExtension \"SPV_QCOM_cooperative_matrix_conversion\";OpMemoryModel Logical Vulkan;";
const CONVERTED: &str = "%half = OpTypeFloat 16;%u0 = OpConstant %uint 0;%u3 = OpConstant %uint 3;";
const BEGIN: &str = "%main = OpFunction %void None %fn;%l = OpLabel;";
const END: &str = "OpReturn;OpFunctionEnd";
const NAMES: &str = "OpDecorate %n SpecId 0;OpDecorate %m SpecId 1;";
const ENTRY: &str = "OpEntryPoint GLCompute %main \"main\";OpExecutionMode %main LocalSize 1 1 1;";
const BINDING: &str = "OpDecorate %b DescriptorSet 0;OpDecorate %b Binding 0;";

const ONE: &[&[u32]] = &[&[0], &[1], &[2], &[3], &[4], &[5], &[6], &[9], &[1000]];
const TWO: &[&[u32]] = &[
    &[1, 1],
    &[1, 2],
    &[1, 3],
    &[1, 4],
    &[1, 5],
    &[2, 1],
    &[2, 2],
    &[2, 3],
    &[2, 4],
    &[2, 5],
    &[3, 1],
    &[3, 2],
    &[3, 3],
    &[4, 1],
    &[4, 2],
    &[5, 1],
    &[9, 9],
    &[2, 0],
];

/// A module with a block: its storage class, the decorations of its types, and the types with `%B`.
macro_rules! block {
    ($name:literal, $class:literal, $decorations:literal, $types:literal, $values:expr, $environment:literal, $options:expr) => {
        LimitCase {
            name: $name,
            environment: $environment,
            options: $options,
            text: concat!("block;", $class, "|", $decorations, "|", $types),
            values: $values,
        }
    };
    ($name:literal, $class:literal, $decorations:literal, $types:literal, $values:expr) => {
        block!($name, $class, $decorations, $types, $values, "vulkan1.1", &[])
    };
}

const CASES: &[LimitCase] = &[
    block!(
        "std140 array",
        "Uniform",
        "OpDecorate %a ArrayStride 16;OpMemberDecorate %B 0 Offset 0;OpMemberDecorate %B 1 Offset 64;",
        "%a = OpTypeArray %float %n;%B = OpTypeStruct %a %v4;",
        ONE
    ),
    block!(
        "std430 array",
        "StorageBuffer",
        "OpDecorate %a ArrayStride 4;OpMemberDecorate %B 0 Offset 0;OpMemberDecorate %B 1 Offset 16;",
        "%a = OpTypeArray %float %n;%B = OpTypeStruct %a %float;",
        ONE
    ),
    block!(
        "push constants",
        "PushConstant",
        "OpDecorate %a ArrayStride 8;OpMemberDecorate %B 0 Offset 16;OpMemberDecorate %B 1 Offset 40;",
        "%a = OpTypeArray %v2 %n;%B = OpTypeStruct %a %v2;",
        ONE
    ),
    block!(
        "members in memory have the order of their offsets",
        "StorageBuffer",
        "OpDecorate %a ArrayStride 4;OpMemberDecorate %B 0 Offset 32;OpMemberDecorate %B 1 Offset 0;OpMemberDecorate %B 2 Offset 20;",
        "%a = OpTypeArray %float %n;%B = OpTypeStruct %float %a %float;",
        ONE
    ),
    block!(
        "the last member may grow",
        "StorageBuffer",
        "OpDecorate %a ArrayStride 4;OpMemberDecorate %B 0 Offset 4;OpMemberDecorate %B 1 Offset 0;",
        "%a = OpTypeArray %float %n;%B = OpTypeStruct %a %float;",
        &[&[1], &[7], &[400]]
    ),
    block!(
        "arrays of arrays",
        "StorageBuffer",
        "OpDecorate %a ArrayStride 4;OpDecorate %aa ArrayStride 16;OpMemberDecorate %B 0 Offset 0;OpMemberDecorate %B 1 Offset 60;",
        "%a = OpTypeArray %float %n;%aa = OpTypeArray %a %m;%B = OpTypeStruct %aa %float;",
        TWO
    ),
    block!(
        "a structure in an array in a structure",
        "StorageBuffer",
        "OpDecorate %a ArrayStride 4;OpDecorate %s ArrayStride 16;OpMemberDecorate %S 0 Offset 0;OpMemberDecorate %S 1 Offset 12;\
         OpMemberDecorate %B 0 Offset 0;OpMemberDecorate %B 1 Offset 48;",
        "%a = OpTypeArray %float %n;%S = OpTypeStruct %a %float;%s = OpTypeArray %S %m;%B = OpTypeStruct %s %float;",
        TWO
    ),
    block!(
        "a structure with an array at its end",
        "StorageBuffer",
        "OpDecorate %a ArrayStride 4;OpDecorate %s ArrayStride 16;OpMemberDecorate %S 0 Offset 0;OpMemberDecorate %S 1 Offset 4;\
         OpMemberDecorate %B 0 Offset 0;OpMemberDecorate %B 1 Offset 48;",
        "%a = OpTypeArray %float %n;%S = OpTypeStruct %float %a;%s = OpTypeArray %S %m;%B = OpTypeStruct %s %float;",
        TWO
    ),
    block!(
        "column-major matrices",
        "Uniform",
        "OpDecorate %a ArrayStride 64;OpMemberDecorate %B 0 Offset 0;OpMemberDecorate %B 0 ColMajor;OpMemberDecorate %B 0 MatrixStride 16;\
         OpMemberDecorate %B 1 Offset 192;",
        "%mat = OpTypeMatrix %v3 4;%a = OpTypeArray %mat %n;%B = OpTypeStruct %a %v4;",
        ONE
    ),
    block!(
        "row-major matrices in arrays of arrays",
        "StorageBuffer",
        "OpDecorate %a ArrayStride 48;OpDecorate %aa ArrayStride 144;OpMemberDecorate %B 0 Offset 0;OpMemberDecorate %B 0 RowMajor;\
         OpMemberDecorate %B 0 MatrixStride 16;OpMemberDecorate %B 1 Offset 432;",
        "%mat = OpTypeMatrix %v3 4;%a = OpTypeArray %mat %n;%aa = OpTypeArray %a %m;%B = OpTypeStruct %aa %float;",
        TWO
    ),
    block!(
        "padding of std430",
        "StorageBuffer",
        "OpDecorate %a ArrayStride 16;OpMemberDecorate %B 0 Offset 0;OpMemberDecorate %B 1 Offset 60;",
        "%a = OpTypeArray %v3 %n;%B = OpTypeStruct %a %float;",
        ONE
    ),
    block!(
        "scalar layouts have no padding",
        "StorageBuffer",
        "OpDecorate %a ArrayStride 12;OpMemberDecorate %B 0 Offset 0;OpMemberDecorate %B 1 Offset 36;",
        "%a = OpTypeArray %v3 %n;%B = OpTypeStruct %a %float;",
        ONE,
        "vulkan1.1",
        &["--scalar-block-layout"]
    ),
    block!(
        "std430 in a uniform block",
        "Uniform",
        "OpDecorate %a ArrayStride 4;OpMemberDecorate %B 0 Offset 0;OpMemberDecorate %B 1 Offset 12;",
        "%a = OpTypeArray %float %n;%B = OpTypeStruct %a %float;",
        ONE,
        "vulkan1.1",
        &["--uniform-buffer-standard-layout"]
    ),
    block!(
        "lengths that are computed",
        "StorageBuffer",
        "OpDecorate %a ArrayStride 4;OpMemberDecorate %B 0 Offset 0;OpMemberDecorate %B 1 Offset 36;",
        "%nm = OpSpecConstantOp %uint IMul %n %m;%q = OpSpecConstantOp %uint ISub %nm %u1;%a = OpTypeArray %float %q;%B = OpTypeStruct %a %float;",
        TWO
    ),
    LimitCase {
        name: "an array of uniform buffers",
        environment: "vulkan1.1",
        options: &[],
        text: "shader;OpDecorate %B Block;OpDecorate %a ArrayStride 16;OpMemberDecorate %B 0 Offset 0;OpMemberDecorate %B 1 Offset 48;|\
            %a = OpTypeArray %float %n;%B = OpTypeStruct %a %float;%all = OpTypeArray %B %m;%p = OpTypePointer Uniform %all;\
            %b = OpVariable %p Uniform;",
        values: TWO,
    },
    LimitCase {
        name: "a buffer block of old shaders",
        environment: "vulkan1.0",
        options: &[],
        text: "shader;OpDecorate %B BufferBlock;OpDecorate %a ArrayStride 4;OpMemberDecorate %B 0 Offset 0;OpMemberDecorate %B 1 Offset 16;|\
            %a = OpTypeArray %float %n;%B = OpTypeStruct %a %float;%p = OpTypePointer Uniform %B;%b = OpVariable %p Uniform;",
        values: ONE,
    },
    LimitCase {
        name: "memory without an explicit layout",
        environment: "vulkan1.1",
        options: &[],
        text: "plain;|%a = OpTypeArray %float %n;%aa = OpTypeArray %a %m;%B = OpTypeStruct %aa %float;%p = OpTypePointer Workgroup %B;\
            %b = OpVariable %p Workgroup;",
        values: TWO,
    },
    LimitCase {
        name: "physical pointers",
        environment: "vulkan1.2",
        options: &[],
        text: "whole;OpCapability Shader;OpCapability PhysicalStorageBufferAddresses;OpMemoryModel PhysicalStorageBuffer64 GLSL450;OpEntryPoint GLCompute %main \"main\" %b;\
            OpExecutionMode %main LocalSize 1 1 1;NAMES;\
            OpDecorate %P Block;OpMemberDecorate %P 0 Offset 0;OpDecorate %B Block;OpDecorate %a ArrayStride 4;OpMemberDecorate %B 0 Offset 0;\
            OpMemberDecorate %B 1 Offset 12;TYPES;%a = OpTypeArray %float %n;%B = OpTypeStruct %a %float;\
            %p = OpTypePointer PhysicalStorageBuffer %B;%pf = OpTypePointer PhysicalStorageBuffer %float;%P = OpTypeStruct %p;\
            %pp = OpTypePointer PushConstant %P;%ppp = OpTypePointer PushConstant %p;%b = OpVariable %pp PushConstant;%u0 = OpConstant %uint 0;\
            %main = OpFunction %void None %fn;%l = OpLabel;%c = OpAccessChain %ppp %b %u0;%q = OpLoad %p %c;\
            %e = OpAccessChain %pf %q %u1;%f = OpLoad %float %e Aligned 4;OpReturn;OpFunctionEnd",
        values: ONE,
    },
    LimitCase {
        name: "work-group memory with an explicit layout",
        environment: "vulkan1.2",
        options: &[],
        text: "whole;OpCapability Shader;OpCapability WorkgroupMemoryExplicitLayoutKHR;OpExtension \"SPV_KHR_workgroup_memory_explicit_layout\";\
            OpMemoryModel Logical GLSL450;OpEntryPoint GLCompute %main \"main\" %b;OpExecutionMode %main LocalSize 1 1 1;NAMES;\
            OpDecorate %B Block;OpDecorate %a ArrayStride 4;OpMemberDecorate %B 0 Offset 0;OpMemberDecorate %B 1 Offset 12;TYPES;\
            %a = OpTypeArray %float %n;%B = OpTypeStruct %a %float;%p = OpTypePointer Workgroup %B;%b = OpVariable %p Workgroup;MAIN",
        values: ONE,
    },
    LimitCase {
        name: "untyped pointers",
        environment: "vulkan1.3",
        options: &[],
        text: "whole;OpCapability Shader;OpCapability UntypedPointersKHR;OpExtension \"SPV_KHR_untyped_pointers\";OpMemoryModel Logical GLSL450;\
            OpEntryPoint GLCompute %main \"main\" %b;OpExecutionMode %main LocalSize 1 1 1;NAMES;BINDING;OpDecorate %B Block;\
            OpMemberDecorate %B 0 Offset 0;OpDecorate %C Block;\
            OpMemberDecorate %C 0 Offset 0;OpMemberDecorate %C 1 Offset 12;OpDecorate %a ArrayStride 4;TYPES;%a = OpTypeArray %float %n;\
            %B = OpTypeStruct %float;%C = OpTypeStruct %a %float;%p = OpTypeUntypedPointerKHR StorageBuffer;\
            %b = OpUntypedVariableKHR %p StorageBuffer %B;%main = OpFunction %void None %fn;%l = OpLabel;\
            %q = OpUntypedAccessChainKHR %p %C %b %u1;%x = OpLoad %float %q;OpReturn;OpFunctionEnd",
        values: ONE,
    },
    LimitCase {
        name: "long vectors",
        environment: "vulkan1.3",
        options: &[],
        text: "whole;OpCapability Shader;OpCapability LongVectorEXT;OpExtension \"SPV_EXT_long_vector\";OpMemoryModel Logical GLSL450;ENTRY;\
            NAMES;TYPES;\
            %v = OpTypeVectorIdEXT %float %n;MAIN",
        values: ONE,
    },
    LimitCase {
        name: "scopes of cooperative matrices",
        environment: "vulkan1.3",
        options: &[],
        text: "whole;OpCapability Shader;OpCapability VulkanMemoryModel;OpCapability CooperativeMatrixKHR;OpExtension \"SPV_KHR_cooperative_matrix\";\
            OpMemoryModel Logical Vulkan;ENTRY;NAMES;TYPES;%c = OpTypeCooperativeMatrixKHR %float %n %u4 %u4 %m;MAIN",
        values: ONE,
    },
    LimitCase {
        name: "scopes of cooperative matrices of NVIDIA",
        environment: "vulkan1.3",
        options: &[],
        text: "whole;OpCapability Shader;OpCapability VulkanMemoryModel;OpCapability CooperativeMatrixNV;OpExtension \"SPV_NV_cooperative_matrix\";\
            OpMemoryModel Logical Vulkan;ENTRY;NAMES;TYPES;%c = OpTypeCooperativeMatrixNV %float %n %u4 %u4;MAIN",
        values: ONE,
    },
    LimitCase {
        name: "tensor layouts",
        environment: "vulkan1.3",
        options: &[],
        text: "whole;OpCapability Shader;OpCapability VulkanMemoryModel;OpCapability TensorAddressingNV;OpExtension \"SPV_NV_tensor_addressing\";\
            OpMemoryModel Logical Vulkan;ENTRY;NAMES;TYPES;%t = OpTypeTensorLayoutNV %n %m;MAIN",
        values: &[&[0, 0], &[1, 0], &[1, 4], &[1, 5], &[5, 0], &[6, 0]],
    },
    LimitCase {
        name: "literal indexes",
        environment: "vulkan1.1",
        options: &[],
        text: "whole;OpCapability Shader;OpMemoryModel Logical GLSL450;ENTRY;NAMES;TYPES;%a = OpTypeArray %float %n;%S = OpTypeStruct %float %a;\
            %s = OpTypeArray %S %m;%c = OpConstantNull %s;%main = OpFunction %void None %fn;%l = OpLabel;\
            %x = OpCompositeExtract %float %c 1 1 2;OpReturn;OpFunctionEnd",
        values: TWO,
    },
    LimitCase {
        name: "constituents",
        environment: "vulkan1.1",
        options: &[],
        text: "whole;OpCapability Shader;OpMemoryModel Logical GLSL450;ENTRY;NAMES;TYPES;%a = OpTypeArray %uint %n;%b = OpTypeArray %uint %m;\
            %c = OpConstantComposite %a %u1 %u2;%main = OpFunction %void None %fn;%l = OpLabel;\
            %x = OpCompositeConstruct %b %u1 %u1 %u2;OpReturn;OpFunctionEnd",
        values: TWO,
    },
    LimitCase {
        name: "LocalSizeId",
        environment: "spv1.6",
        options: &[],
        text: "whole;OpCapability Shader;OpMemoryModel Logical GLSL450;OpEntryPoint GLCompute %main \"main\";\
            OpExecutionModeId %main LocalSizeId %n %u1 %m;NAMES;TYPES;MAIN",
        values: &[&[1, 1], &[0, 1], &[1, 0], &[4, 4]],
    },
    LimitCase {
        name: "WorkgroupSize",
        environment: "vulkan1.1",
        options: &[],
        text: "plain;OpDecorate %size BuiltIn WorkgroupSize;|%u3 = OpTypeVector %uint 3;%size = OpSpecConstantComposite %u3 %n %u1 %m;",
        values: &[&[1, 1], &[0, 1], &[1, 0], &[4, 4]],
    },
    LimitCase {
        name: "scopes and memory semantics in kernels",
        environment: "spv1.3",
        options: &[],
        text: "whole;OpCapability Kernel;OpCapability Addresses;OpMemoryModel Physical64 OpenCL;OpEntryPoint Kernel %main \"main\";NAMES;TYPES;\
            %main = OpFunction %void None %fn;%l = OpLabel;OpControlBarrier %n %n %m;OpReturn;OpFunctionEnd",
        values: &[&[0, 0], &[2, 2], &[2, 0x108], &[2, 6], &[6, 0x10], &[7, 0], &[2, 0x18]],
    },
    LimitCase {
        name: "scopes of sub-group operations",
        environment: "spv1.3",
        options: &[],
        text: "whole;OpCapability Kernel;OpCapability Addresses;OpCapability GroupNonUniform;OpMemoryModel Physical64 OpenCL;\
            OpEntryPoint Kernel %main \"main\";NAMES;TYPES;%bool = OpTypeBool;%main = OpFunction %void None %fn;%l = OpLabel;\
            %e = OpGroupNonUniformElect %bool %n;OpReturn;OpFunctionEnd",
        values: ONE,
    },
    LimitCase {
        name: "constant data",
        environment: "vulkan1.3",
        options: &[],
        text: "whole;OpCapability Shader;OpCapability ConstantDataKHR;OpCapability Int8;OpExtension \"SPV_KHR_constant_data\";\
            OpMemoryModel Logical GLSL450;ENTRY;NAMES;TYPES;%byte = OpTypeInt 8 0;%a = OpTypeArray %uint %n;%b = OpTypeArray %byte %m;\
            %c = OpConstantDataKHR %a 7 9;%d = OpConstantDataKHR %b !67305985 !5;MAIN",
        values: &[&[2, 5], &[2, 8], &[2, 4], &[2, 9], &[1, 5], &[3, 5]],
    },
    LimitCase {
        name: "quads in work-groups",
        environment: "vulkan1.3",
        options: &["--allow-localsizeid"],
        text: "whole;OpCapability Shader;OpCapability ComputeDerivativeGroupQuadsKHR;OpExtension \"SPV_KHR_compute_shader_derivatives\";\
            OpMemoryModel Logical GLSL450;OpEntryPoint GLCompute %main \"main\";OpExecutionModeId %main LocalSizeId %n %m %u1;\
            OpExecutionMode %main DerivativeGroupQuadsKHR;NAMES;TYPES;MAIN",
        values: TWO,
    },
    LimitCase {
        name: "rows of four in work-groups",
        environment: "vulkan1.3",
        options: &["--allow-localsizeid"],
        text: "whole;OpCapability Shader;OpCapability ComputeDerivativeGroupLinearKHR;OpExtension \"SPV_KHR_compute_shader_derivatives\";\
            OpMemoryModel Logical GLSL450;OpEntryPoint GLCompute %main \"main\";OpExecutionModeId %main LocalSizeId %n %u1 %m;\
            OpExecutionMode %main DerivativeGroupLinearKHR;NAMES;TYPES;MAIN",
        values: TWO,
    },
    LimitCase {
        name: "derivative groups in work-groups of a built-in size",
        environment: "vulkan1.3",
        options: &[],
        text: "whole;OpCapability Shader;OpCapability ComputeDerivativeGroupQuadsKHR;OpCapability ComputeDerivativeGroupLinearKHR;\
            OpExtension \"SPV_KHR_compute_shader_derivatives\";OpMemoryModel Logical GLSL450;OpEntryPoint GLCompute %main \"main\";\
            OpEntryPoint GLCompute %other \"other\";OpExecutionMode %main LocalSize 2 2 1;OpExecutionMode %other LocalSize 1 1 1;\
            OpExecutionMode %main DerivativeGroupQuadsKHR;OpExecutionMode %other DerivativeGroupLinearKHR;OpDecorate %size BuiltIn WorkgroupSize;\
            NAMES;TYPES;%u3 = OpTypeVector %uint 3;%size = OpSpecConstantComposite %u3 %n %m %u1;\
            %other = OpFunction %void None %fn;%k = OpLabel;OpReturn;OpFunctionEnd;MAIN",
        values: TWO,
    },
    LimitCase {
        name: "products of cooperative matrices",
        environment: "vulkan1.3",
        options: &[],
        text: "whole;OpCapability Shader;OpCapability VulkanMemoryModel;OpCapability CooperativeMatrixKHR;OpExtension \"SPV_KHR_cooperative_matrix\";\
            OpMemoryModel Logical Vulkan;ENTRY;NAMES;TYPES;%u0 = OpConstant %uint 0;%u3 = OpConstant %uint 3;\
            %A = OpTypeCooperativeMatrixKHR %float %u3 %u4 %n %u0;%B = OpTypeCooperativeMatrixKHR %float %u3 %m %u4 %u1;\
            %C = OpTypeCooperativeMatrixKHR %float %u3 %u4 %u4 %u2;%a = OpConstantNull %A;%b = OpConstantNull %B;%c = OpConstantNull %C;\
            %main = OpFunction %void None %fn;%l = OpLabel;%x = OpCooperativeMatrixMulAddKHR %C %a %b %c;OpReturn;OpFunctionEnd",
        values: TWO,
    },
    LimitCase {
        name: "rows and columns of products of cooperative matrices",
        environment: "vulkan1.3",
        options: &[],
        text: "whole;OpCapability Shader;OpCapability VulkanMemoryModel;OpCapability CooperativeMatrixKHR;OpExtension \"SPV_KHR_cooperative_matrix\";\
            OpMemoryModel Logical Vulkan;ENTRY;NAMES;TYPES;%u0 = OpConstant %uint 0;%u3 = OpConstant %uint 3;\
            %A = OpTypeCooperativeMatrixKHR %float %u3 %n %u4 %u0;%B = OpTypeCooperativeMatrixKHR %float %u3 %u4 %m %u1;\
            %C = OpTypeCooperativeMatrixKHR %float %u3 %u2 %u1 %u2;%a = OpConstantNull %A;%b = OpConstantNull %B;%c = OpConstantNull %C;\
            %main = OpFunction %void None %fn;%l = OpLabel;%x = OpCooperativeMatrixMulAddKHR %C %a %b %c;OpReturn;OpFunctionEnd",
        values: TWO,
    },
    LimitCase {
        name: "conversions of cooperative matrices",
        environment: "vulkan1.3",
        options: &[],
        text: "whole;OpCapability Shader;OpCapability VulkanMemoryModel;OpCapability CooperativeMatrixKHR;OpExtension \"SPV_KHR_cooperative_matrix\";\
            OpMemoryModel Logical Vulkan;ENTRY;NAMES;TYPES;%u3 = OpConstant %uint 3;%F = OpTypeCooperativeMatrixKHR %float %u3 %n %u4 %u2;\
            %I = OpTypeCooperativeMatrixKHR %uint %u3 %m %u4 %u2;%f = OpConstantNull %F;\
            %main = OpFunction %void None %fn;%l = OpLabel;%x = OpConvertFToU %I %f;OpReturn;OpFunctionEnd",
        values: TWO,
    },
    LimitCase {
        name: "bit casts of arrays",
        environment: "vulkan1.3",
        options: &[],
        text: "qcom;%a = OpTypeArray %uint %n;%b = OpTypeArray %half %m;%c = OpConstantNull %b;|%x = OpBitCastArrayQCOM %a %c;",
        values: &[&[1, 1], &[1, 2], &[2, 4], &[4, 2], &[8, 16], &[16, 8]],
    },
    LimitCase {
        name: "cooperative matrices of arrays",
        environment: "vulkan1.3",
        options: &[],
        text: "qcom;%a = OpTypeArray %uint %n;%A = OpTypeCooperativeMatrixKHR %half %u3 %u4 %m %u0;\
            %B = OpTypeCooperativeMatrixKHR %half %u3 %m %u4 %u1;%c = OpConstantNull %a;|\
            %x = OpCompositeConstructCoopMatQCOM %A %c;%y = OpCompositeConstructCoopMatQCOM %B %c;",
        values: &[&[8, 16], &[8, 8], &[4, 16], &[1, 2]],
    },
    LimitCase {
        name: "arrays of cooperative matrices",
        environment: "vulkan1.3",
        options: &[],
        text: "qcom;%a = OpTypeArray %half %n;%A = OpTypeCooperativeMatrixKHR %half %u3 %u4 %m %u0;%b = OpTypeArray %uint %n;\
            %C = OpTypeCooperativeMatrixKHR %float %u3 %u4 %n %u2;%c = OpConstantNull %A;%d = OpConstantNull %C;|\
            %x = OpCompositeExtractCoopMatQCOM %a %c;%y = OpCompositeExtractCoopMatQCOM %b %d;",
        values: &[&[16, 16], &[16, 8], &[8, 16], &[1, 2]],
    },
    LimitCase {
        name: "accumulators of arrays",
        environment: "vulkan1.3",
        options: &[],
        text: "qcom;%a = OpTypeArray %float %n;%C = OpTypeCooperativeMatrixKHR %float %u3 %u4 %m %u2;%c = OpConstantNull %a;|\
            %x = OpCompositeConstructCoopMatQCOM %C %c;",
        values: TWO,
    },
    LimitCase {
        name: "scopes of cooperative matrices of arrays",
        environment: "vulkan1.3",
        options: &[],
        text: "qcom;%u8 = OpConstant %uint 8;%a = OpTypeArray %float %u8;%A = OpTypeCooperativeMatrixKHR %float %n %u4 %u8 %u0;\
            %c = OpConstantNull %a;|%x = OpCompositeConstructCoopMatQCOM %A %c;",
        values: &[&[2], &[3], &[4]],
    },
    LimitCase {
        name: "outputs of mesh shaders",
        environment: "vulkan1.3",
        options: &[],
        text: "whole;OpCapability MeshShadingEXT;OpExtension \"SPV_EXT_mesh_shader\";OpMemoryModel Logical GLSL450;\
            OpEntryPoint MeshEXT %main \"main\";OpEntryPoint MeshEXT %wide \"wide\";OpExecutionMode %main LocalSize 1 1 1;\
            OpExecutionMode %main OutputVertices 3;OpExecutionMode %main OutputPrimitivesEXT 2;OpExecutionMode %main OutputTrianglesEXT;\
            OpExecutionMode %wide LocalSize 1 1 1;OpExecutionMode %wide OutputVertices 9;OpExecutionMode %wide OutputPrimitivesEXT 9;\
            OpExecutionMode %wide OutputTrianglesEXT;NAMES;TYPES;%f = OpFunction %void None %fn;%k = OpLabel;OpSetMeshOutputsEXT %n %m;\
            OpReturn;OpFunctionEnd;%main = OpFunction %void None %fn;%l = OpLabel;%x = OpFunctionCall %void %f;OpReturn;OpFunctionEnd;\
            %wide = OpFunction %void None %fn;%j = OpLabel;%y = OpFunctionCall %void %f;OpReturn;OpFunctionEnd",
        values: TWO,
    },
];

impl LimitCase {
    /// The module.
    fn words(&self) -> Vec<u32> {
        let (kind, rest) = self.text.split_once(';').unwrap();
        let plain = |decorations: &str, types: &str| {
            format!("{SHADER}{ENTRY}{NAMES}{decorations}{TYPES}{types}{MAIN}")
        };
        let parts: Vec<&str> = rest.split('|').collect();
        let text = match (kind, &parts[..]) {
            ("block", [class, decorations, types]) => {
                let binding = if *class == "PushConstant" { "" } else { BINDING };
                let decorations = format!("{binding}OpDecorate %B Block;{decorations}");
                let variable = format!("{types}%p = OpTypePointer {class} %B;%b = OpVariable %p {class};");
                plain(&decorations, &variable)
            }
            ("shader", [decorations, types]) => plain(&format!("{BINDING}{decorations}"), types),
            ("plain", [decorations, types]) => plain(decorations, types),
            ("qcom", [types, code]) => {
                format!("{CONVERSION}{ENTRY}{NAMES}{TYPES}{CONVERTED}{types}{BEGIN}{code}{END}")
            }
            ("whole", [text]) => {
                let parts = [
                    ("ENTRY;", ENTRY),
                    ("NAMES;", NAMES),
                    ("BINDING;", BINDING),
                    ("TYPES;", TYPES),
                    ("MAIN", MAIN),
                ];
                parts.iter().fold((*text).to_owned(), |text, (name, part)| text.replace(name, part))
            }
            _ => panic!("{}", self.name),
        };
        assemble(&text.replace(';', "\n"), self.environment)
    }

    /// The messages about values on which spirv-if and spirv-val differ.
    fn differences(&self) -> Vec<String> {
        let words = self.words();
        let prepared = Module::from_words(words.clone()).unwrap();
        let prepared = Prepared::new(&prepared).unwrap();
        self.validate(&words).expect(self.name);
        let mut results = Vec::new();
        let mut differences = Vec::new();
        for values in self.values {
            let mut differs = |what: &str| differences.push(format!("{} {values:?}: {what}", self.name));
            let settings = |set: fn(Settings, u32, u32) -> Settings| {
                (0..)
                    .zip(*values)
                    .fold(Settings::new(), |settings, (spec_id, value)| set(settings, spec_id, *value))
            };
            let specialize = |settings: &Settings| prepared.specialize(&Device::default(), settings);
            let set = settings(|settings, spec_id, value| settings.set(spec_id, value));
            let result = specialize(&set);
            let by_default = settings(|settings, spec_id, value| settings.set_default(spec_id, value));
            if specialize(&by_default).is_ok() != result.is_ok() {
                differs("a new default is another thing");
            }
            match (&result, self.validate(&frozen(&words, values))) {
                (Ok(result), Ok(())) => self.validate(&result.words).unwrap_or_else(|error| differs(&error)),
                (Err(_), Err(_)) => {}
                (Ok(_), Err(error)) => differs(&error),
                (Err(error), Ok(())) => differs(&format!("refused: {error}")),
            }
            results.push((set, result.is_ok()));
        }
        // Cached results replace others only if these fit.
        for (set, is_ok) in results {
            if prepared.specialize(&Device::default(), &set).is_ok() != is_ok {
                differences.push(format!("{}: another answer the second time", self.name));
            }
        }
        differences
    }

    fn validate(&self, words: &[u32]) -> Result<(), String> {
        let validator = tool("SPIRV_VAL", "spirv-val");
        let options = [&["--target-env", self.environment], self.options].concat();
        run(&validator, &options, &bytes_of(words)).map(drop)
    }
}

/// The module as spirv-opt makes it with values of its constants.
fn frozen(words: &[u32], values: &[u32]) -> Vec<u32> {
    let defaults: Vec<String> =
        (0..).zip(values).map(|(spec_id, value): (u32, _)| format!("{spec_id}:{value}")).collect();
    let passes = [
        &format!("--set-spec-const-default-value={}", defaults.join(" ")),
        "--freeze-spec-const",
        "--fold-spec-const-op-composite",
        "-o",
        "-",
        "-",
    ];
    let optimizer = tool("SPIRV_OPT", "spirv-opt");
    words_of(&run(&optimizer, &passes, &bytes_of(words)).unwrap())
}

fn values_are_refused_that_spirv_val_refuses() {
    let differences: Vec<String> = CASES.iter().flat_map(LimitCase::differences).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

tests![values_are_refused_that_spirv_val_refuses];
