//! Debug information, lines and other non-semantic instructions.

use super::support::{SpecializeCase, knows};

/// A compute shader with a conditional function, and debug information of both functions and of variables.
const SHADER: &str = r#"
OpCapability Shader
OpCapability SpecConditionalINTEL
OpExtension "SPV_KHR_non_semantic_info"
OpExtension "SPV_INTEL_function_variants"
%dbg = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
%refl = OpExtInstImport "NonSemantic.ClspvReflection.5"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %wg %wg2
OpConditionalEntryPointINTEL %c GLCompute %g "g"
OpExecutionMode %main LocalSize 1 1 1
OpExecutionMode %g LocalSize 1 1 1
%file = OpString "a.comp"
%name_main = OpString "main"
%name_f = OpString "f"
%name_v = OpString "v"
%name_g = OpString "g"
OpDecorate %c SpecId 1
OpDecorate %f ConditionalINTEL %c
OpDecorate %g ConditionalINTEL %c
OpDecorate %call ConditionalINTEL %c
OpDecorate %wg ConditionalINTEL %c
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%c = OpSpecConstantTrue %bool
%u32 = OpTypeInt 32 0
%n0 = OpConstant %u32 0
%n1 = OpConstant %u32 1
%n32 = OpConstant %u32 32
%n100 = OpConstant %u32 100
%only_f = OpConstant %u32 77
%ptr = OpTypePointer Workgroup %u32
%wg = OpVariable %ptr Workgroup
%wg2 = OpVariable %ptr Workgroup
NONE
%src = OpExtInst %void %dbg DebugSource %file
%unit = OpExtInst %void %dbg DebugCompilationUnit %n100 %n1 %src %n1
%type = OpExtInst %void %dbg DebugTypeBasic %name_v %n32 %n1 %only_f
%dfn = OpExtInst %void %dbg DebugTypeFunction %n0 %void
%dmain = OpExtInst %void %dbg DebugFunction %name_main %dfn %src %n1 %n1 %unit %name_main %n0 %n1
%df = OpExtInst %void %dbg DebugFunction %name_f %dfn %src %n1 %n1 %unit %name_f %n0 %n1
%dvar = OpExtInst %void %dbg DebugGlobalVariable %name_v %type %src %n1 %n1 %unit %name_v %wg %n0
%dvar2 = OpExtInst %void %dbg DebugGlobalVariable %name_v %type %src %n1 %n1 %unit %name_v %wg2 %n0
%expr = OpExtInst %void %dbg DebugExpression
%local = OpExtInst %void %dbg DebugLocalVariable %name_v %type %src %n1 %n1 %dmain %n0
OpLine %file 1 1
%main = OpFunction %void None %fn
%l0 = OpLabel
%dd = OpExtInst %void %dbg DebugFunctionDefinition %dmain %main
%call = OpFunctionCall %void %f
%dv = OpExtInst %void %dbg DebugValue %local %wg %expr
%dv2 = OpExtInst %void %dbg DebugValue %local %wg2 %expr
OpReturn
OpFunctionEnd
OpLine %file 7 1
OpNoLine
OpLine %name_f 7 2
%f = OpFunction %void None %fn
%l1 = OpLabel
%dd2 = OpExtInst %void %dbg DebugFunctionDefinition %df %f
OpStore %wg %only_f
OpStore %wg2 %only_f
OpReturn
OpFunctionEnd
%g = OpFunction %void None %fn
%l2 = OpLabel
OpReturn
OpFunctionEnd
%kernel = OpExtInst %void %refl Kernel %g %name_g
%argument = OpExtInst %void %refl ArgumentWorkgroup %kernel %n0 %n100 %n32
%kept = OpExtInst %void %refl Kernel %main %name_main
"#;

/// Returns the module, without its own DebugInfoNone.
pub fn shader() -> String {
    SHADER.replace("NONE", "")
}

fn check(none: &str) {
    let case = SpecializeCase::new(&SHADER.replace("NONE", none));
    let case = case.valid("spv1.6");
    let no = case.on(&knows(&[(1, 0)]));
    no.valid("vulkan1.3").plain();
    // Debug information keeps strings, types and constants; the variables that it alone names now are removed with their values.
    no.removed("f l1 g l2 call dd2 dv dv2 wg wg2 ptr c bool kernel argument name_g");
    let id = |name: &str| case.id(name);
    let replaced = no.definition("dvar").1[11];
    assert_eq!(no.definition("dvar2").1[11], replaced);
    let is_none = |words: &Vec<u32>| words[2..] == [id("dbg"), 0];
    let nones: Vec<Vec<u32>> = no.all("OpExtInst").into_iter().filter(is_none).collect();
    assert_eq!(nones.len(), 1);
    assert_eq!(nones[0][..2], [id("void"), replaced]);
    if !none.is_empty() {
        assert_eq!(replaced, id("none"));
    }
    // The lines of the other function are kept.
    assert_eq!(no.all("OpLine"), [[id("file"), 1, 1]]);
    assert_eq!(no.all("OpNoLine").len(), 0);

    let yes = case.on(&knows(&[(1, 1)]));
    yes.valid("vulkan1.3").plain().removed("c bool");
    assert_eq!(yes.definition("dvar").1[11], id("wg"));
}

#[test]
fn references_to_removed_ids_become_debug_info_none() {
    check("");
}

#[test]
fn a_debug_info_none_that_is_there_is_used() {
    check("%none = OpExtInst %void %dbg DebugInfoNone");
}

/// The set of OpenCL names functions at module scope.
#[test]
fn opencl_debug_information_too() {
    let text = r#"
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability SpecConditionalINTEL
OpExtension "SPV_INTEL_function_variants"
%dbg = OpExtInstImport "OpenCL.DebugInfo.100"
OpMemoryModel Physical64 OpenCL
%file = OpString "a.cl"
%name = OpString "f"
OpDecorate %c SpecId 1
OpDecorate %f ConditionalINTEL %c
OpDecorate %f LinkageAttributes "f" Export
OpDecorate %h LinkageAttributes "h" Export
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%c = OpSpecConstantTrue %bool
%src = OpExtInst %void %dbg DebugSource %file
%unit = OpExtInst %void %dbg DebugCompilationUnit 65536 4 %src OpenCL_C
%dfn = OpExtInst %void %dbg DebugTypeFunction FlagIsPublic %void
%df = OpExtInst %void %dbg DebugFunction %name %dfn %src 1 1 %unit %name FlagIsPublic 1 %f
%dh = OpExtInst %void %dbg DebugFunction %name %dfn %src 1 1 %unit %name FlagIsPublic 1 %h
%f = OpFunction %void None %fn
%l = OpLabel
OpReturn
OpFunctionEnd
%h = OpFunction %void None %fn
%l2 = OpLabel
OpReturn
OpFunctionEnd
"#;
    let case = SpecializeCase::new(text);
    let case = case.valid("spv1.6");
    let no = case.on(&knows(&[(1, 0)]));
    no.valid("opencl2.2").plain().removed("f l c bool");
    let none = no.definition("df").1[13];
    assert!(no.all("OpExtInst").contains(&vec![case.id("void"), none, case.id("dbg"), 0]));
    assert_eq!(no.definition("dh").1[13], case.id("h"));
}

/// DebugInfoNone has the number 0 in every set that rspirv knows.
#[test]
fn debug_info_none_is_number_zero() {
    let mut seen = 0;
    for set in ["NonSemantic.Shader.DebugInfo.100", "OpenCL.DebugInfo.100", "DebugInfo"] {
        let Some(table) = rspirv::grammar::ext_inst_table(set) else { continue };
        let none = table.iter().find(|inst| inst.opname == "DebugInfoNone").unwrap();
        assert_eq!(u32::from(none.opcode), 0, "{set}");
        seen += 1;
    }
    assert!(seen >= 2);
}

/// Inside a kept function, a NonSemantic instruction is removed with its operands; other users are an error.
#[test]
fn a_printf_of_something_removed_is_removed() {
    let text = r#"
OpCapability Shader
OpCapability SpecConditionalINTEL
OpExtension "SPV_KHR_non_semantic_info"
OpExtension "SPV_INTEL_function_variants"
%glsl = OpExtInstImport "GLSL.std.450"
%printf = OpExtInstImport "NonSemantic.DebugPrintf"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%format = OpString "value"
%format2 = OpString "value 2"
OpName %print "print"
OpDecorate %c SpecId 1
OpDecorate %glsl ConditionalINTEL %c
OpDecorate %root ConditionalINTEL %c
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%c = OpSpecConstantTrue %bool
%f32 = OpTypeFloat 32
%two = OpConstant %f32 2
%main = OpFunction %void None %fn
%l = OpLabel
%root = OpExtInst %f32 %glsl Sqrt %two
%print = OpExtInst %void %printf DebugPrintf %format %root
%print2 = OpExtInst %void %printf DebugPrintf %format2
OpReturn
OpFunctionEnd
"#;
    let case = SpecializeCase::new(text);
    let case = case.valid("spv1.6");
    let no = case.on(&knows(&[(1, 0)]));
    no.valid("vulkan1.3").plain().removed("glsl root print format c bool f32 two");
    assert_eq!(no.all("OpName").len(), 0);
    case.on(&knows(&[(1, 1)])).valid("vulkan1.3").plain().removed("c bool");

    let case = SpecializeCase::new(&text.replace("OpReturn\n", "%neg = OpFNegate %f32 %root\nOpReturn\n"));
    assert!(case.error(&knows(&[(1, 0)])).contains("OpFNegate"));
    // A call of a set that is removed, without a condition of its own.
    let case = SpecializeCase::new(&text.replace("OpDecorate %root ConditionalINTEL %c\n", ""));
    assert!(case.error(&knows(&[(1, 0)])).contains("OpExtInst"));
    // A constant that is removed, in a function that has nothing conditional.
    let text = text
        .replace("%glsl = OpExtInstImport \"GLSL.std.450\"\n", "")
        .replace("OpDecorate %glsl ConditionalINTEL %c\nOpDecorate %root", "OpDecorate %gone")
        .replace("%two = OpConstant", "%gone = OpConstant")
        .replace("%root = OpExtInst %f32 %glsl Sqrt %two\n", "")
        .replace("%format %root", "%format %gone");
    let case = SpecializeCase::new(&text);
    let case = case.valid("spv1.6");
    let no = case.on(&knows(&[(1, 0)]));
    no.valid("vulkan1.3").plain().removed("gone print format c bool f32");
}
