//! Shaders that are linked.

use super::support::*;
use crate::runtime::ImageSource;
use crate::test_support::assert_valid;
use spirv_if::engine::loader::Module;

const HEAD: &str = r#"
        OpCapability Shader
        OpCapability Linkage
        OpMemoryModel Logical GLSL450"#;

/// The buffer that the host binds, a built-in, and shared memory.
const BODY: &str = r#"
        %void = OpTypeVoid
        %uint = OpTypeInt 32 0
        %vector = OpTypeVector %uint 3
        %array = OpTypeRuntimeArray %uint
        %block = OpTypeStruct %array
        %zero = OpConstant %uint 0
        %to_block = OpTypePointer StorageBuffer %block
        %to_item = OpTypePointer StorageBuffer %uint
        %to_vector = OpTypePointer Input %vector
        %to_shared = OpTypePointer Workgroup %uint
        %to_private = OpTypePointer Private %uint
        %type = OpTypeFunction %void
        %buffer = OpVariable %to_block StorageBuffer
        %index = OpVariable %to_vector Input
        %shared = OpVariable %to_shared Workgroup"#;

const DECORATIONS: &str = r#"
        OpDecorate %array ArrayStride 4
        OpDecorate %block Block
        OpMemberDecorate %block 0 Offset 0
        OpDecorate %buffer DescriptorSet 0
        OpDecorate %buffer Binding 1
        OpDecorate %index BuiltIn GlobalInvocationId"#;

/// A function of the images that writes the buffer.
const HELPER: &str = r#"
        %helper = OpFunction %void None %type
        %inside = OpLabel
        %ids = OpLoad %vector %index
        %id = OpCompositeExtract %uint %ids 0
        %item = OpAccessChain %to_item %buffer %zero %id
        OpStore %item %zero
        OpReturn
        OpFunctionEnd"#;

fn main_image() -> ImageSource {
    let code = format!(
        r#"{HEAD}
        OpEntryPoint GLCompute %k "k" %buffer %index %shared
        OpExecutionMode %k LocalSize 1 1 1
        OpName %helper "helper("
        {DECORATIONS}
        OpDecorate %action LinkageAttributes "action" Import
        OpDecorate %shared LinkageAttributes "shared" Export
        {BODY}
        %action = OpFunction %void None %type
        OpFunctionEnd
        {HELPER}
        %k = OpFunction %void None %type
        %start = OpLabel
        OpStore %shared %zero
        %first = OpFunctionCall %void %helper
        %second = OpFunctionCall %void %action
        OpReturn
        OpFunctionEnd"#
    );
    image("main", &["k"]).imports(&["action"]).requires(&[("1", "fp16")]).code(&code)
}

fn add_on(real: bool) -> ImageSource {
    let (names, variable, call) = match real {
        true => (
            "OpName %helper \"helper(\"",
            "%own = OpVariable %to_private Private",
            "%done = OpFunctionCall %void %helper\nOpStore %own %zero\nOpStore %shared %zero",
        ),
        false => ("", "", ""),
    };
    let code = match real {
        true => format!(
            r#"{HEAD}
            {names}
            {DECORATIONS}
            OpDecorate %action LinkageAttributes "action" Export
            OpDecorate %shared LinkageAttributes "shared" Import
            {BODY}
            {variable}
            {HELPER}
            %action = OpFunction %void None %type
            %start = OpLabel
            {call}
            OpReturn
            OpFunctionEnd"#
        ),
        false => format!(
            r#"{HEAD}
            OpDecorate %action LinkageAttributes "action" Export
            %void = OpTypeVoid
            %type = OpTypeFunction %void
            %action = OpFunction %void None %type
            %start = OpLabel
            OpReturn
            OpFunctionEnd"#
        ),
    };
    let image = image(if real { "real" } else { "stub" }, &["action"]).add_on("1", real).code(&code);
    if real { image.imports(&["shared"]) } else { image }
}

#[test]
fn bindings_are_one_variable_and_interfaces_are_complete() {
    let program = program([main_image(), add_on(true), add_on(false)]);
    for (device, variables) in [("intel_gpu_bmg_g21", 4), ("intel_gpu_acm_g10", 4)] {
        let words = linked(&program, device).unwrap().words.into_owned();
        assert_valid(&words, "vulkan1.3");
        let module = Module::from_words(&words[..]).unwrap();
        let count = module.globals().filter(|inst| inst.is(spirv::Op::Variable)).count();
        assert_eq!((count, module.functions().len()), (variables, 3));
        assert_eq!(module.entry_points().next().unwrap().interface().len(), variables);
    }
}

#[test]
fn the_stub_reaches_nothing() {
    let program = program([main_image().requires(&[("1", "!fp16")]), add_on(true), add_on(false)]);
    let words = linked(&program, "intel_gpu_bmg_g21").unwrap().words.into_owned();
    assert_valid(&words, "vulkan1.3");
    let module = Module::from_words(&words[..]).unwrap();
    assert_eq!(module.entry_points().next().unwrap().interface().len(), 3);
}
