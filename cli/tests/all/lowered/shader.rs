//! The shader around one operation: each invocation computes results for some pairs of numbers of 64 bits.

/// Parts of the shader that depend on the type.
pub struct ShaderParts<'a> {
    /// The name of the type of the numbers.
    pub number: &'static str,
    /// The capabilities, and the types of 64 bits.
    pub capabilities: &'a str,
    pub types: &'a str,
    /// Further types, constants and functions.
    pub definitions: &'a str,
}

impl ShaderParts<'_> {
    /// Returns the assembly up to the operation, which computes %r from %a and %b by this code.
    pub fn head(&self, code: &str) -> String {
        let (mut capabilities, mut types) = (self.capabilities.to_owned(), self.types.to_owned());
        for (_, capability, type_) in NEEDED.iter().filter(|(used, ..)| code.contains(used)) {
            capabilities += capability;
            types += type_;
        }
        HEAD.replace("CAPABILITIES", &capabilities)
            .replace("TYPES", &types)
            .replace("DEFINITIONS", self.definitions)
            .replace("NUMBER", self.number)
    }
}

/// What an operation may use, with the capabilities and the type that it needs.
const NEEDED: [(&str, &str, &str); 2] = [
    ("%half", "\nOpCapability Float16", "\n%half = OpTypeFloat 16"),
    (
        "OpGroupNonUniform",
        "\nOpCapability GroupNonUniform\nOpCapability GroupNonUniformVote\nOpCapability GroupNonUniformBallot\nOpCapability GroupNonUniformShuffle\n\
         OpCapability GroupNonUniformQuad",
        "",
    ),
];

const HEAD: &str = "OpCapability Shader
CAPABILITIES
%glsl = OpExtInstImport \"GLSL.std.450\"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\" %gid
OpExecutionMode %main LocalSize 64 1 1
OpDecorate %gid BuiltIn GlobalInvocationId
OpDecorate %numbers ArrayStride 8
OpDecorate %Block Block
OpMemberDecorate %Block 0 Offset 0
OpDecorate %in DescriptorSet 0
OpDecorate %in Binding 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
TYPES
%v2 = OpTypeVector NUMBER 2
%v2uint = OpTypeVector %uint 2
%v2bool = OpTypeVector %bool 2
%v3uint = OpTypeVector %uint 3
%v2float = OpTypeVector %float 2
%inner = OpTypeStruct %uint %v2
%pgid = OpTypePointer Input %v3uint
%gid = OpVariable %pgid Input
%puint = OpTypePointer Input %uint
%numbers = OpTypeRuntimeArray NUMBER
%Block = OpTypeStruct %numbers
%pBlock = OpTypePointer StorageBuffer %Block
%pnumber = OpTypePointer StorageBuffer NUMBER
%in = OpVariable %pBlock StorageBuffer
%out = OpVariable %pBlock StorageBuffer
%pf = OpTypePointer Function NUMBER
%pv = OpTypePointer Function %v2
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u64c = OpConstant %uint 64
%zero = OpConstant NUMBER 0
%one = OpConstant NUMBER 1
%null = OpConstantNull NUMBER
DEFINITIONS
%main = OpFunction %void None %fn
%start = OpLabel
%variable = OpVariable %pf Function
%vector = OpVariable %pv Function
%gx = OpAccessChain %puint %gid %u0
%g = OpLoad %uint %gx
%base = OpIMul %uint %g %u64c
OpBranch %loop
%loop = OpLabel
%k = OpPhi %uint %u0 %start %next %continue
%more = OpULessThan %bool %k %u64c
OpLoopMerge %end %continue None
OpBranchConditional %more %body %end
%body = OpLabel
%i = OpIAdd %uint %base %k
%ia = OpShiftLeftLogical %uint %i %u1
%ib = OpIAdd %uint %ia %u1
%pa = OpAccessChain %pnumber %in %u0 %ia
%pb = OpAccessChain %pnumber %in %u0 %ib
%a = OpLoad NUMBER %pa
%b = OpLoad NUMBER %pb
";

/// The assembly after the operation.
pub const TAIL: &str = "
%pr = OpAccessChain %pnumber %out %u0 %i
OpStore %pr %r
OpBranch %continue
%continue = OpLabel
%next = OpIAdd %uint %k %u1
OpBranch %loop
%end = OpLabel
OpReturn
OpFunctionEnd
";
