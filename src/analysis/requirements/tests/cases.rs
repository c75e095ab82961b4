//! A case for every rule: a module with the use and a module without it, as one text (see [`super::subject::spell`]).

use super::indices;

/// The judge of the requirement of a use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DeclarationRequest {
    /// The rules of SPIR-V, or of the environment: spirv-val refuses a module without it.
    Spirv,
    /// An API, by its features; spirv-val is content without.
    Api,
}

/// A text for one rule.
pub struct RequirementCase {
    /// The name of the rule.
    pub rule: String,
    /// The environment for spirv-val.
    pub environment: &'static str,
    pub asks: DeclarationRequest,
    /// The module without the capability of the rule. Each sufficient capability is declared in turn.
    pub text: String,
}

const SPIRV: (&str, DeclarationRequest) = ("spv1.6", DeclarationRequest::Spirv);
const VULKAN: (&str, DeclarationRequest) = ("vulkan1.3", DeclarationRequest::Spirv);
const API: (&str, DeclarationRequest) = ("vulkan1.3", DeclarationRequest::Api);
const ASKED_ELSEWHERE: (&str, DeclarationRequest) = ("spv1.6", DeclarationRequest::Api);

const CASES: &[(&str, (&str, DeclarationRequest), &str)] = &[
    // Types.
    ("int8 type", SPIRV, "+ %t = OpTypeInt 8 0\nFN %main\nEND"),
    ("int16 type", SPIRV, "+ %t = OpTypeInt 16 0\nFN %main\nEND"),
    ("int64 type", SPIRV, "+ %t = OpTypeInt 64 0\nFN %main\nEND"),
    ("float16 type", SPIRV, "+ %t = OpTypeFloat 16\nFN %main\nEND"),
    ("float64 type", SPIRV, "+ %t = OpTypeFloat 64\nFN %main\nEND"),
    ("vector type of 8 or 16 components", SPIRV, "KERNEL\n+ %t = OpTypeVector %int 8\nFN %main\nEND"),
    ("vector type of 8 or 16 components", SPIRV, "KERNEL\n+ %t = OpTypeVector %int 16\nFN %main\nEND"),
    ("vector type of another size", SPIRV, "+ %t = OpTypeVector %float 5\nFN %main\nEND"),
    ("vector type of another size", SPIRV, "+ %t = OpTypeVector %float 1\nFN %main\nEND"),
    ("vector type of another size", SPIRV, "KERNEL\n+ %t = OpTypeVector %float 17\nFN %main\nEND"),
    ("function pointer type", SPIRV, "KERNEL\n+ %t = OpTypePointer CrossWorkgroup %fn\nFN %main\nEND"),
    // Values.
    ("int8 value", SPIRV, "OpCapability StorageBuffer8BitAccess\nFN %main\n+ %x = OpIAdd %char %c1 %c1\nEND"),
    ("int8 value", SPIRV, "KERNEL\nFN %main\n+ %x = OpIAdd %char %c1 %c1\nEND"),
    (
        "int16 value",
        SPIRV,
        "OpCapability StorageBuffer16BitAccess\nFN %main\n+ %x = OpIAdd %short %s1 %s1\nEND",
    ),
    (
        "float16 value",
        SPIRV,
        "OpCapability StorageBuffer16BitAccess\nFN %main\n+ %x = OpFAdd %half %h1 %h1\nEND",
    ),
    // A value that is only loaded and stored is free, a composite is not.
    (
        "float16 value",
        SPIRV,
        "OpCapability StorageBuffer16BitAccess
        %array = OpTypeArray %half %u2
        OpDecorate %array ArrayStride 2
        BUFFER StorageBuffer %array
        FN %main
        %p = OpAccessChain %pmember %buffer %u0
        + %x = OpLoad %array %p
        END",
    ),
    // Variables.
    (
        "int8 variable",
        SPIRV,
        "OpCapability StorageBuffer8BitAccess
        + %p = OpTypePointer Private %char
        + INTERFACE %v
        + %v = OpVariable %p Private
        FN %main\nEND",
    ),
    (
        "int16 variable",
        SPIRV,
        "OpCapability StorageBuffer16BitAccess
        + %p = OpTypePointer Function %short
        FN %main
        + %v = OpVariable %p Function
        END",
    ),
    ("float16 variable", SPIRV, "OpCapability StorageBuffer16BitAccess\n+ SHARED %half\nFN %main\nEND"),
    (
        "8-bit storage buffer",
        SPIRV,
        "OpCapability StoragePushConstant8\n+ BUFFER StorageBuffer %char\nFN %main\nEND",
    ),
    ("8-bit storage buffer", API, "OpCapability Int8\n+ BUFFER StorageBuffer %char\nFN %main\nEND"),
    // Floats of other encodings may be stored anywhere, but the capability represents a feature.
    (
        "8-bit storage buffer",
        API,
        "OpCapability Float8EXT
        OpExtension \"SPV_EXT_float8\"
        %e4m3 = OpTypeFloat 8 Float8E4M3EXT
        + BUFFER StorageBuffer %e4m3
        FN %main\nEND",
    ),
    (
        "16-bit uniform",
        API,
        "OpCapability BFloat16TypeKHR
        OpExtension \"SPV_KHR_bfloat16\"
        %bf16 = OpTypeFloat 16 BFloat16KHR
        + BUFFER Uniform %bf16
        FN %main\nEND",
    ),
    // For untyped memory, the type of the access counts.
    (
        "8-bit storage buffer",
        API,
        "OpCapability Int8
        UNTYPED StorageBuffer
        FN %main
        + %x = OpLoad %char %memory
        END",
    ),
    (
        "16-bit storage buffer",
        API,
        "OpCapability Float16
        UNTYPED StorageBuffer
        FN %main
        + OpStore %memory %h1
        END",
    ),
    ("8-bit uniform", SPIRV, "OpCapability StoragePushConstant8\n+ BUFFER Uniform %char\nFN %main\nEND"),
    (
        "8-bit push constant",
        SPIRV,
        "OpCapability StorageBuffer8BitAccess\n+ BUFFER PushConstant %char\nFN %main\nEND",
    ),
    (
        "8-bit workgroup block",
        SPIRV,
        "OpCapability StorageBuffer8BitAccess
        OpCapability WorkgroupMemoryExplicitLayoutKHR
        OpExtension \"SPV_KHR_workgroup_memory_explicit_layout\"
        + BUFFER Workgroup %char
        FN %main\nEND",
    ),
    (
        "16-bit storage buffer",
        SPIRV,
        "OpCapability StoragePushConstant16\n+ BUFFER StorageBuffer %half\nFN %main\nEND",
    ),
    // A block may be decorated by a group.
    (
        "16-bit storage buffer",
        ("spv1.3", DeclarationRequest::Api),
        "OpCapability Int16
        + OpDecorate %group BufferBlock
        + OpDecorate %v DescriptorSet 0
        + OpDecorate %v Binding 0
        + OpMemberDecorate %b 0 Offset 0
        + %group = OpDecorationGroup
        + OpGroupDecorate %group %b
        + %b = OpTypeStruct %short
        + %pb = OpTypePointer Uniform %b
        + %v = OpVariable %pb Uniform
        FN %main\nEND",
    ),
    ("16-bit uniform", SPIRV, "OpCapability StoragePushConstant16\n+ BUFFER Uniform %half\nFN %main\nEND"),
    (
        "16-bit push constant",
        SPIRV,
        "OpCapability StorageBuffer16BitAccess\n+ BUFFER PushConstant %short\nFN %main\nEND",
    ),
    (
        "16-bit input or output",
        SPIRV,
        "OpCapability StorageBuffer16BitAccess\n+ BUFFER Input %half\nFN %main\nEND",
    ),
    (
        "16-bit workgroup block",
        SPIRV,
        "OpCapability StorageBuffer16BitAccess
        OpCapability WorkgroupMemoryExplicitLayoutKHR
        OpExtension \"SPV_KHR_workgroup_memory_explicit_layout\"
        + BUFFER Workgroup %half
        FN %main\nEND",
    ),
    (
        "pointers to 8-bit push constant",
        SPIRV,
        "OpCapability StorageBuffer8BitAccess
        OpCapability PhysicalStorageBufferAddresses
        OpMemoryModel PhysicalStorageBuffer64 GLSL450
        OpDecorate %there Block
        OpMemberDecorate %there 0 Offset 0
        %there = OpTypeStruct %char
        %pthere = OpTypePointer PhysicalStorageBuffer %there
        + BUFFER PushConstant %pthere
        FN %main\nEND",
    ),
    (
        "pointers to 16-bit integer push constant",
        SPIRV,
        "OpCapability StorageBuffer16BitAccess
        OpCapability PhysicalStorageBufferAddresses
        OpMemoryModel PhysicalStorageBuffer64 GLSL450
        OpDecorate %there Block
        OpMemberDecorate %there 0 Offset 0
        %there = OpTypeStruct %short
        %pthere = OpTypePointer PhysicalStorageBuffer %there
        + BUFFER PushConstant %pthere
        FN %main\nEND",
    ),
    (
        "pointers to half push constant",
        SPIRV,
        "OpCapability StorageBuffer16BitAccess
        OpCapability PhysicalStorageBufferAddresses
        OpMemoryModel PhysicalStorageBuffer64 GLSL450
        OpDecorate %there Block
        OpMemberDecorate %there 0 Offset 0
        %there = OpTypeStruct %half
        %pthere = OpTypePointer PhysicalStorageBuffer %there
        + BUFFER PushConstant %pthere
        FN %main\nEND",
    ),
    ("workgroup block", SPIRV, "+ BUFFER Workgroup %uint\nFN %main\nEND"),
    (
        "workgroup block",
        VULKAN,
        "OpCapability UntypedPointersKHR
        OpExtension \"SPV_KHR_untyped_pointers\"
        + %p = OpTypeUntypedPointerKHR Workgroup
        FN %main\nEND",
    ),
    // Images.
    (
        "storage 1D image",
        SPIRV,
        "OpCapability Sampled1D
        + IMAGE %float 1D 0 0 0 2 R32f
        %f4 = OpTypeVector %float 4
        FN %main
        + %i = OpLoad %imaget %image
        + %x = OpImageRead %f4 %i %u1
        END",
    ),
    ("sampled cube array image", API, "+ IMAGE %float Cube 0 1 0 1 Unknown\nFN %main\nEND"),
    (
        "storage cube array image",
        SPIRV,
        "+ IMAGE %float Cube 0 1 0 2 R32f
        %f4 = OpTypeVector %float 4
        %v4 = OpTypeVector %uint 4
        %where = OpConstantNull %v4
        FN %main
        + %i = OpLoad %imaget %image
        + %x = OpImageRead %f4 %i %where
        END",
    ),
    (
        "storage rectangle image",
        SPIRV,
        "OpCapability SampledRect
        + IMAGE %float Rect 0 0 0 2 R32f
        %f4 = OpTypeVector %float 4
        %v2 = OpTypeVector %uint 2
        %where = OpConstantNull %v2
        %black = OpConstantNull %f4
        FN %main
        + %i = OpLoad %imaget %image
        + OpImageWrite %i %where %black
        END",
    ),
    (
        "storage buffer image",
        SPIRV,
        "OpCapability SampledBuffer
        + IMAGE %float Buffer 0 0 0 2 R32f
        %f4 = OpTypeVector %float 4
        FN %main
        + %i = OpLoad %imaget %image
        + %x = OpImageRead %f4 %i %u1
        END",
    ),
    ("storage multisampled image", SPIRV, "+ IMAGE %float 2D 0 0 1 2 R32f\nFN %main\nEND"),
    (
        "storage multisampled array image",
        SPIRV,
        "OpCapability StorageImageMultisample
        + IMAGE %float 2D 0 1 1 2 R32f
        %f4 = OpTypeVector %float 4
        %v3 = OpTypeVector %uint 3
        %where = OpConstantNull %v3
        FN %main
        + %i = OpLoad %imaget %image
        + %x = OpImageRead %f4 %i %where Sample %u0
        END",
    ),
    ("int64 image", API, "OpCapability Int64\n+ IMAGE %long 2D 0 0 0 2 Unknown\nFN %main\nEND"),
    (
        "read-write kernel image",
        ASKED_ELSEWHERE,
        "KERNEL\nOpCapability ImageBasic\n+ %t = OpTypeImage %void 2D 0 0 0 0 Unknown ReadWrite\nFN %main\nEND",
    ),
    ("kernel image or sampler", ASKED_ELSEWHERE, "KERNEL\n+ %t = OpTypeSampler\nFN %main\nEND"),
    (
        "read without format",
        VULKAN,
        "+ IMAGE %float 2D 0 0 0 2 Unknown
        %f4 = OpTypeVector %float 4
        %v2 = OpTypeVector %uint 2
        %where = OpConstantNull %v2
        FN %main
        + %i = OpLoad %imaget %image
        + %x = OpImageRead %f4 %i %where
        END",
    ),
    (
        "write without format",
        VULKAN,
        "+ IMAGE %float 2D 0 0 0 2 Unknown
        %f4 = OpTypeVector %float 4
        %v2 = OpTypeVector %uint 2
        %where = OpConstantNull %v2
        %black = OpConstantNull %f4
        FN %main
        + %i = OpLoad %imaget %image
        + OpImageWrite %i %where %black
        END",
    ),
    // Atomics.
    (
        "int64 atomic",
        SPIRV,
        "OpCapability Int64\nSHARED %long\nFN %main\n+ %x = OpAtomicIAdd %long %shared %u1 %u0 %l1\nEND",
    ),
    (
        "int64 atomic",
        SPIRV,
        "OpCapability Int64\nSHARED %long\nFN %main\n+ OpAtomicStore %shared %u1 %u0 %l1\nEND",
    ),
    (
        "float16 atomic add",
        SPIRV,
        "OpCapability Float16\nSHARED %half\nFN %main\n+ %x = OpAtomicFAddEXT %half %shared %u1 %u0 %h1\nEND",
    ),
    (
        "float32 atomic add",
        SPIRV,
        "SHARED %float\nFN %main\n+ %x = OpAtomicFAddEXT %float %shared %u1 %u0 %f1\nEND",
    ),
    (
        "float64 atomic add",
        SPIRV,
        "OpCapability Float64\nSHARED %double\nFN %main\n+ %x = OpAtomicFAddEXT %double %shared %u1 %u0 %d1\nEND",
    ),
    (
        "float16 atomic minimum or maximum",
        SPIRV,
        "OpCapability Float16\nSHARED %half\nFN %main\n+ %x = OpAtomicFMinEXT %half %shared %u1 %u0 %h1\nEND",
    ),
    (
        "float32 atomic minimum or maximum",
        SPIRV,
        "SHARED %float\nFN %main\n+ %x = OpAtomicFMaxEXT %float %shared %u1 %u0 %f1\nEND",
    ),
    (
        "float64 atomic minimum or maximum",
        SPIRV,
        "OpCapability Float64\nSHARED %double\nFN %main\n+ %x = OpAtomicFMinEXT %double %shared %u1 %u0 %d1\nEND",
    ),
    (
        "float16 vector atomic",
        SPIRV,
        "OpCapability Float16
        %h2 = OpTypeVector %half 2
        %none = OpConstantNull %h2
        SHARED %h2
        FN %main
        + %x = OpAtomicFAddEXT %h2 %shared %u1 %u0 %none
        END",
    ),
    (
        "float16 vector atomic",
        SPIRV,
        "OpCapability Float16
        OpCapability StorageImageExtendedFormats
        %h2 = OpTypeVector %half 2
        + IMAGE %float 2D 0 0 0 2 Rg16f
        %v2 = OpTypeVector %uint 2
        %where = OpConstantNull %v2
        %ptexel = OpTypePointer Image %h2
        FN %main
        + %x = OpImageTexelPointer %ptexel %image %where %u0
        END",
    ),
    // Scopes, semantics and memory models.
    (
        "device scope in the Vulkan memory model",
        SPIRV,
        "OpCapability VulkanMemoryModel
        OpMemoryModel Logical Vulkan
        FN %main
        + OpControlBarrier %u2 %u1 %u0
        END",
    ),
    (
        "device scope in the Vulkan memory model",
        SPIRV,
        "OpCapability VulkanMemoryModel
        OpMemoryModel Logical Vulkan
        BUFFER StorageBuffer %uint
        FN %main
        %p = OpAccessChain %pmember %buffer %u0
        + %x = OpLoad %uint %p Aligned|MakePointerVisible|NonPrivatePointer 4 %u1
        - %x = OpLoad %uint %p Aligned|MakePointerVisible|NonPrivatePointer 4 %u2
        %y = OpIAdd %uint %x %u1
        END",
    ),
    (
        "subgroup scope before subgroups",
        ("vulkan1.0", DeclarationRequest::Spirv),
        "%semantics = OpConstant %uint 0x108\nFN %main\n+ OpMemoryBarrier %u3 %semantics\nEND",
    ),
    (
        "semantics of uniform memory",
        SPIRV,
        "KERNEL\n%semantics = OpConstant %int 0x48\nFN %main\n+ OpMemoryBarrier %i1 %semantics\nEND",
    ),
    (
        "kernel operation of a specialization constant",
        SPIRV,
        "%s = OpSpecConstant %float 1\n+ %x = OpSpecConstantOp %float FAdd %s %s\nFN %main\nEND",
    ),
    (
        "kernel operation of a specialization constant",
        ("spv1.3", DeclarationRequest::Spirv),
        "OpCapability Int64\n%s = OpSpecConstant %uint 1\n+ %x = OpSpecConstantOp %long UConvert %s\nFN %main\nEND",
    ),
    (
        "rounding mode",
        VULKAN,
        "OpCapability Float16
        + BUFFER StorageBuffer %half
        + OpDecorate %x FPRoundingMode RTZ
        FN %main
        + %x = OpFConvert %half %f1
        + %p = OpAccessChain %pmember %buffer %u0
        + OpStore %p %x
        END",
    ),
    (
        "conversion of the use of a cooperative matrix",
        SPIRV,
        "OpCapability VulkanMemoryModel
        OpCapability CooperativeMatrixKHR
        OpExtension \"SPV_KHR_cooperative_matrix\"
        OpMemoryModel Logical Vulkan
        %sums = OpTypeCooperativeMatrixKHR %float %u3 %u2 %u2 %u2
        %left = OpTypeCooperativeMatrixKHR %int %u3 %u2 %u2 %u0
        %zero = OpConstantNull %sums
        FN %main
        + %x = OpConvertFToS %left %zero
        END",
    ),
    (
        "bitcast of a pointer and a vector",
        ("spv1.3", DeclarationRequest::Spirv),
        "OpCapability PhysicalStorageBufferAddresses
        OpExtension \"SPV_EXT_physical_storage_buffer\"
        OpMemoryModel PhysicalStorageBuffer64 GLSL450
        %p = OpTypePointer PhysicalStorageBuffer %uint
        %v2 = OpTypeVector %uint 2
        %where = OpConstantNull %v2
        FN %main
        + %x = OpBitcast %p %where
        END",
    ),
    // Pointers.
    (
        "variable pointer",
        SPIRV,
        "BUFFER StorageBuffer %uint
        FN %main
        %p = OpAccessChain %pmember %buffer %u0
        + %x = OpSelect %pmember %true %p %p
        END",
    ),
    (
        "variable pointer to workgroup memory",
        SPIRV,
        "SHARED %uint\nOpCapability VariablePointersStorageBuffer\nFN %main\n+ %x = OpPtrEqual %bool %shared %shared\nEND",
    ),
    (
        "variable pointer to workgroup memory",
        SPIRV,
        "SHARED %uint\nOpCapability VariablePointersStorageBuffer
        %all = OpTypeArray %pshared %u1\n%pall = OpTypePointer Function %all\nFN %main\n+ %x = OpVariable %pall Function\nEND",
    ),
    (
        "variable pointer into several storage buffers",
        SPIRV,
        "OpCapability VariablePointersStorageBuffer
        BUFFER StorageBuffer %uint
        INTERFACE %buffer %other
        OpDecorate %other DescriptorSet 0
        OpDecorate %other Binding 1
        %other = OpVariable %pblock StorageBuffer
        FN %main
        %p = OpAccessChain %pmember %buffer %u0
        %q = OpAccessChain %pmember %other %u0
        + %x = OpSelect %pmember %true %p %q
        - %x = OpSelect %pmember %true %p %p
        END",
    ),
    ("module without entry points", SPIRV, "FN %other\nEND\n- FN %main\n- END"),
    // Dot products.
    (
        "4x8-bit dot product",
        SPIRV,
        "OpCapability Int8\nOpCapability DotProduct
        %v4 = OpTypeVector %char 4\n%none = OpConstantNull %v4
        FN %main\n+ %x = OpUDot %uint %none %none\nEND",
    ),
    (
        "4x8-bit dot product",
        SPIRV,
        "OpCapability LongVectorEXT
        OpExtension \"SPV_EXT_long_vector\"
        OpCapability Int8\nOpCapability DotProduct
        %four = OpConstant %uint 4\n%v4 = OpTypeVectorIdEXT %char %four\n%none = OpConstantNull %v4
        FN %main\n+ %x = OpUDot %uint %none %none\nEND",
    ),
    (
        "packed dot product",
        SPIRV,
        "OpCapability DotProduct\nFN %main\n+ %x = OpUDot %uint %u1 %u1 PackedVectorFormat4x8Bit\nEND",
    ),
    (
        "other dot product",
        SPIRV,
        "OpCapability Int16\nOpCapability DotProduct
        %v2 = OpTypeVector %short 2\n%none = OpConstantNull %v2
        FN %main\n+ %x = OpUDot %uint %none %none\nEND",
    ),
    (
        "other dot product",
        SPIRV,
        "OpCapability LongVectorEXT
        OpExtension \"SPV_EXT_long_vector\"
        OpCapability Int8\nOpCapability DotProduct
        %five = OpConstant %uint 5\n%v5 = OpTypeVectorIdEXT %char %five\n%none = OpConstantNull %v5
        FN %main\n+ %x = OpUDot %uint %none %none\nEND",
    ),
    (
        "bfloat16 dot product",
        SPIRV,
        "OpCapability BFloat16TypeKHR
        %b = OpTypeFloat 16 BFloat16KHR\n%v2 = OpTypeVector %b 2\n%none = OpConstantNull %v2
        FN %main\n+ %x = OpDot %b %none %none\nEND",
    ),
    (
        "bfloat16 dot product",
        SPIRV,
        "OpCapability LongVectorEXT
        OpExtension \"SPV_EXT_long_vector\"
        OpCapability BFloat16TypeKHR
        %five = OpConstant %uint 5
        %b = OpTypeFloat 16 BFloat16KHR\n%v5 = OpTypeVectorIdEXT %b %five\n%none = OpConstantNull %v5
        FN %main\n+ %x = OpDot %b %none %none\nEND",
    ),
    (
        "bfloat16 cooperative matrix",
        SPIRV,
        "OpCapability VulkanMemoryModel
        OpCapability CooperativeMatrixKHR
        OpExtension \"SPV_KHR_cooperative_matrix\"
        OpMemoryModel Logical Vulkan
        OpCapability BFloat16TypeKHR
        OpExtension \"SPV_KHR_bfloat16\"
        %b = OpTypeFloat 16 BFloat16KHR
        + %m = OpTypeCooperativeMatrixKHR %b %u3 %u2 %u2 %u2
        FN %main\nEND",
    ),
    (
        "float8 cooperative matrix",
        SPIRV,
        "OpCapability VulkanMemoryModel
        OpCapability CooperativeMatrixKHR
        OpExtension \"SPV_KHR_cooperative_matrix\"
        OpMemoryModel Logical Vulkan
        OpCapability Float8EXT
        OpExtension \"SPV_EXT_float8\"
        %b = OpTypeFloat 8 Float8E5M2EXT
        + %m = OpTypeCooperativeMatrixKHR %b %u3 %u2 %u2 %u2
        FN %main\nEND",
    ),
    // Graphics.
    (
        "point size in tessellation",
        API,
        "OpCapability Tessellation
        OpEntryPoint TessellationEvaluation %main \"main\" %size
        OpExecutionMode %main Triangles
        %p = OpTypePointer Output %float
        %size = OpVariable %p Output
        + OpDecorate %size BuiltIn PointSize
        - OpDecorate %size Location 0
        FN %main\nEND",
    ),
    (
        "point size in geometry",
        API,
        "OpCapability Geometry
        OpEntryPoint Geometry %main \"main\" %size
        OpExecutionMode %main Triangles
        OpExecutionMode %main Invocations 1
        OpExecutionMode %main OutputPoints
        OpExecutionMode %main OutputVertices 1
        %p = OpTypePointer Output %float
        %size = OpVariable %p Output
        + OpDecorate %size BuiltIn PointSize
        - OpDecorate %size Location 0
        FN %main\nEND",
    ),
    ("layer outside of geometry", VULKAN, VERTEX_LAYER),
    ("viewport outside of geometry", VULKAN, VERTEX_VIEWPORT),
];

const VERTEX_LAYER: &str = "OpCapability Geometry
    OpEntryPoint Vertex %main \"main\" %where
    %p = OpTypePointer Output %int
    %where = OpVariable %p Output
    + OpDecorate %where BuiltIn Layer
    - OpDecorate %where Location 0
    FN %main\nOpStore %where %i1\nEND";

const VERTEX_VIEWPORT: &str = "OpCapability MultiViewport
    OpEntryPoint Vertex %main \"main\" %where
    %p = OpTypePointer Output %int
    %where = OpVariable %p Output
    + OpDecorate %where BuiltIn ViewportIndex
    - OpDecorate %where Location 0
    FN %main\nOpStore %where %i1\nEND";

/// Returns all cases.
pub fn cases() -> Vec<RequirementCase> {
    let cases = CASES.iter().map(|&(rule, (environment, asks), text)| RequirementCase {
        rule: rule.to_owned(),
        environment,
        asks,
        text: text.to_owned(),
    });
    let cases = cases.chain(indices::cases()).chain(indices::ray_flags());
    cases.collect()
}
