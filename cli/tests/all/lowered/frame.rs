//! The module around one operation: each invocation computes results for some pairs of numbers of 64 bits.

use interpreter::InterfaceSlot;

/// The kind of module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperationFrame {
    Shader,
    Kernel,
}

impl OperationFrame {
    /// The version of SPIR-V, for spirv-as, and the environment, for spirv-val.
    pub fn environments(self) -> [&'static str; 2] {
        match self {
            OperationFrame::Shader => ["spv1.3", "vulkan1.1"],
            OperationFrame::Kernel => ["spv1.2", "opencl2.2"],
        }
    }

    /// The name of the entry point, and the slots of its input and output.
    pub fn interface(self) -> (&'static str, [InterfaceSlot; 2]) {
        match self {
            OperationFrame::Shader => ("main", [InterfaceSlot::Buffer(0, 0), InterfaceSlot::Buffer(0, 1)]),
            OperationFrame::Kernel => ("run", [InterfaceSlot::Argument(0), InterfaceSlot::Argument(1)]),
        }
    }

    /// Returns assembly with the types, constants and instructions of the kind.
    fn text(self, text: &str) -> String {
        let names = match self {
            OperationFrame::Shader => [
                ("INDEX", "%uint"),
                ("FIRST", "%u0"),
                ("ONE", "%u1"),
                ("PAIRS", "%u64c"),
                ("SOURCE", "OpAccessChain %pnumber %in %u0"),
                ("TARGET", "OpAccessChain %pnumber %out %u0"),
            ],
            OperationFrame::Kernel => [
                ("INDEX", "%ulong"),
                ("FIRST", "%l0"),
                ("ONE", "%l1"),
                ("PAIRS", "%l64"),
                ("SOURCE", "OpInBoundsPtrAccessChain %p %in"),
                ("TARGET", "OpInBoundsPtrAccessChain %p %out"),
            ],
        };
        names.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
    }
}

/// Parts of the module.
#[derive(Clone, Copy)]
pub struct FrameParts<'a> {
    pub frame: OperationFrame,
    /// The assembly up to the loop.
    pub head: &'static str,
    /// The name of the type of the numbers.
    pub number: &'static str,
    /// The capabilities, and the types of 64 bits.
    pub capabilities: &'a str,
    pub types: &'a str,
    pub decorations: &'a str,
    /// Further types, constants and functions.
    pub definitions: &'a str,
    /// Further variables.
    pub variables: &'a str,
}

impl FrameParts<'_> {
    /// Returns the assembly up to the operation, which computes %r from %a and %b by this code, and the assembly after it.
    pub fn around(&self, code: &str) -> [String; 2] {
        let (mut capabilities, mut types) = (self.capabilities.to_owned(), self.types.to_owned());
        for (_, capability, type_) in NEEDED.iter().filter(|(used, ..)| code.contains(used)) {
            capabilities += capability;
            types += type_;
        }
        let head = self
            .head
            .replace("CAPABILITIES", &capabilities)
            .replace("DECORATIONS", self.decorations)
            .replace("TYPES", &types)
            .replace("DEFINITIONS", self.definitions)
            .replace("VARIABLES", self.variables);
        [head + &self.frame.text(LOOP), self.frame.text(END)].map(|text| text.replace("NUMBER", self.number))
    }
}

/// Parts of operations, with the capabilities and the type that they need.
const NEEDED: [(&str, &str, &str); 5] = [
    ("%half", "\nOpCapability Float16", "\n%half = OpTypeFloat 16\n%half3 = OpTypeVector %half 3"),
    ("Reduce", "\nOpCapability GroupNonUniformArithmetic", ""),
    ("Scan", "\nOpCapability GroupNonUniformArithmetic", ""),
    (
        "OpGroupNonUniform",
        "\nOpCapability GroupNonUniform\nOpCapability GroupNonUniformVote\nOpCapability GroupNonUniformBallot\nOpCapability GroupNonUniformShuffle\n\
         OpCapability GroupNonUniformQuad",
        "",
    ),
    // An extension comes after all capabilities.
    (
        "DotAccSat",
        "\nOpCapability DotProduct\nOpCapability DotProductInputAll\nOpCapability DotProductInput4x8Bit\nOpExtension \"SPV_KHR_integer_dot_product\"",
        "",
    ),
];

/// The assembly before an operation, after the index of the first pair, %base.
const LOOP: &str = "OpBranch %loop
%loop = OpLabel
%k = OpPhi INDEX FIRST %start %next %continue
%more = OpULessThan %bool %k PAIRS
OpLoopMerge %end %continue None
OpBranchConditional %more %body %end
%body = OpLabel
%i = OpIAdd INDEX %base %k
%ia = OpShiftLeftLogical INDEX %i ONE
%ib = OpIAdd INDEX %ia ONE
%to_a = SOURCE %ia
%to_b = SOURCE %ib
%a = OpLoad NUMBER %to_a Aligned 8
%b = OpLoad NUMBER %to_b Aligned 8
";

/// The assembly after an operation.
const END: &str = "
%to = TARGET %i
OpStore %to %r Aligned 8
OpBranch %continue
%continue = OpLabel
%next = OpIAdd INDEX %k ONE
OpBranch %loop
%end = OpLabel
OpReturn
OpFunctionEnd
";

/// The assembly of shaders up to the loop.
pub const SHADER: &str = "OpCapability Shader
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
VARIABLES%variable = OpVariable %pf Function
%vector = OpVariable %pv Function
%gx = OpAccessChain %puint %gid %u0
%g = OpLoad %uint %gx
%base = OpIMul %uint %g %u64c
";
