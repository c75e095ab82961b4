//! The range of a line, and its substitutes.

use std::collections::BTreeMap;

use crate::analysis::DebugLocations;
use crate::loader::Module;
use crate::test_support::{assemble_named, assert_valid};

const HEAD: &str = r#"
OpCapability Shader
OpCapability Linkage
OpExtension "SPV_KHR_non_semantic_info"
%dbg = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
OpMemoryModel Logical GLSL450
%a = OpString "a.c"
%b = OpString "b.c"
%name = OpString "f"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%f32 = OpTypeFloat 32
%one = OpConstant %f32 1
%n0 = OpConstant %u32 0
%n1 = OpConstant %u32 1
%n2 = OpConstant %u32 2
%n3 = OpConstant %u32 3
%n4 = OpConstant %u32 4
%source = OpExtInst %void %dbg DebugSource %b
%unit = OpExtInst %void %dbg DebugCompilationUnit %n1 %n4 %source %n2
%type = OpExtInst %void %dbg DebugTypeFunction %n0 %void
%df = OpExtInst %void %dbg DebugFunction %name %type %source %n2 %n3 %unit %name %n0 %n2
%block = OpExtInst %void %dbg DebugLexicalBlock %source %n4 %n1 %df
%lineless = OpExtInst %void %dbg DebugLexicalBlock %source %n0 %n0 %block
"#;

/// Returns the locations of the ids in a module, from its text, which spirv-val must accept.
fn locations(functions: &str) -> BTreeMap<String, Option<String>> {
    let text = format!("{HEAD}{functions}");
    let (words, ids) = assemble_named(&text, "spv1.3");
    assert_valid(&words, "spv1.3");
    let module = Module::from_words(&words[..]).unwrap();
    let locations = DebugLocations::read(&module);
    let location = |id: u32| match module.function(id) {
        Some(_) => locations.function(id),
        None => locations.location(module.definition_offset(id).unwrap()),
    };
    ids.into_iter().map(|(name, id)| (name, location(id).map(|location| location.to_string()))).collect()
}

fn check(functions: &str, expected: &[(&str, Option<&str>)]) {
    let locations = locations(functions);
    for (name, expected) in expected {
        assert_eq!(locations[*name].as_deref(), *expected, "%{name} of{functions}");
    }
}

#[test]
fn a_line_applies_up_to_the_next_line_no_line_or_the_end_of_the_block() {
    check(
        "
        OpLine %a 1 2
        %f = OpFunction %void None %fn
        %l0 = OpLabel
        %in_entry = OpFAdd %f32 %one %one
        OpLine %b 30 0
        %second = OpFAdd %f32 %one %one
        %still = OpFAdd %f32 %one %one
        OpNoLine
        %none = OpFAdd %f32 %one %one
        OpLine %b 31 4
        OpBranch %l1
        %l1 = OpLabel
        %other_block = OpFAdd %f32 %one %one
        OpReturn
        OpFunctionEnd
        %g = OpFunction %void None %fn
        %l2 = OpLabel
        %elsewhere = OpFAdd %f32 %one %one
        OpLine %a 50 1
        OpReturn
        OpFunctionEnd
        %h = OpFunction %void None %fn
        %l3 = OpLabel
        OpReturn
        OpFunctionEnd",
        &[
            ("f", Some("a.c:1:2")),
            ("in_entry", Some("a.c:1:2")),
            ("second", Some("b.c:30")),
            ("still", Some("b.c:30")),
            // Then the line before the function applies.
            ("none", Some("a.c:1:2")),
            ("other_block", Some("a.c:1:2")),
            ("g", Some("a.c:50:1")),
            ("elsewhere", None),
            ("h", None),
        ],
    );
}

#[test]
fn a_debug_line_takes_precedence_over_an_op_line_and_neither_ends_the_other() {
    check(
        "
        %f = OpFunction %void None %fn
        %l0 = OpLabel
        %d0 = OpExtInst %void %dbg DebugFunctionDefinition %df %f
        %first = OpFAdd %f32 %one %one
        OpLine %a 10 1
        %by_line = OpFAdd %f32 %one %one
        %d1 = OpExtInst %void %dbg DebugLine %source %n3 %n4 %n2 %n3
        %by_both = OpFAdd %f32 %one %one
        OpLine %a 11 1
        %by_later_line = OpFAdd %f32 %one %one
        OpNoLine
        %by_debug_line = OpFAdd %f32 %one %one
        OpLine %a 12 1
        %d2 = OpExtInst %void %dbg DebugNoLine
        %again_by_line = OpFAdd %f32 %one %one
        %d3 = OpExtInst %void %dbg DebugLine %source %n3 %n4 %n2 %n3
        OpBranch %l1
        %l1 = OpLabel
        %other_block = OpFAdd %f32 %one %one
        OpReturn
        OpFunctionEnd",
        &[
            ("f", Some("b.c:2:3")),
            ("first", Some("b.c:2:3")),
            ("by_line", Some("a.c:10:1")),
            ("by_both", Some("b.c:3:2")),
            ("by_later_line", Some("b.c:3:2")),
            ("by_debug_line", Some("b.c:3:2")),
            ("again_by_line", Some("a.c:12:1")),
            ("other_block", Some("b.c:2:3")),
        ],
    );
}

#[test]
fn a_scope_is_the_substitute_for_a_line() {
    check(
        "
        %f = OpFunction %void None %fn
        %l0 = OpLabel
        %d0 = OpExtInst %void %dbg DebugScope %block
        %in_block = OpFAdd %f32 %one %one
        OpLine %a 10 1
        %by_line = OpFAdd %f32 %one %one
        OpLine %a 0 0
        %by_line_0 = OpFAdd %f32 %one %one
        %d1 = OpExtInst %void %dbg DebugScope %lineless
        %in_lineless = OpFAdd %f32 %one %one
        %d2 = OpExtInst %void %dbg DebugNoScope
        %in_none = OpFAdd %f32 %one %one
        %d3 = OpExtInst %void %dbg DebugScope %df
        %in_function = OpFAdd %f32 %one %one
        OpBranch %l1
        %l1 = OpLabel
        %other_block = OpFAdd %f32 %one %one
        OpReturn
        OpFunctionEnd",
        &[
            ("in_block", Some("b.c:4:1")),
            ("by_line", Some("a.c:10:1")),
            ("by_line_0", Some("b.c:4:1")),
            ("in_lineless", Some("b.c:4:1")),
            ("in_none", None),
            ("in_function", Some("b.c:2:3")),
            ("other_block", None),
        ],
    );
}

/// Returns the location of %sum in a module that spirv-val does not accept.
fn location_of_sum(text: &str) -> Option<String> {
    let (words, ids) = assemble_named(text, "spv1.3");
    let module = Module::from_words(&words[..]).unwrap();
    let location = DebugLocations::read(&module).location(module.definition_offset(ids["sum"]).unwrap());
    location.map(|location| location.to_string())
}

/// Returns a function with `inst` before %sum.
fn function_with(inst: &str) -> String {
    format!(
        "%f = OpFunction %void None %fn
        %l0 = OpLabel
        %d0 = {inst}
        %sum = OpFAdd %f32 %one %one
        OpReturn
        OpFunctionEnd"
    )
}

/// llvm-spirv's DebugLine does. spirv-as would not assemble it in a set that it knows, so the set has an unknown name.
#[test]
fn a_debug_line_may_name_the_string() {
    let head = HEAD.lines().filter(|line| !line.contains("%dbg")).collect::<Vec<_>>().join("\n");
    let import = "%dbg = OpExtInstImport \"NonSemantic.Shader.DebugInfo.199\"\nOpMemoryModel";
    let head = head.replacen("OpMemoryModel", import, 1);
    let function = function_with("OpExtInst %void %dbg 103 %a %n3 %n4 %n2 %n3");
    let location = location_of_sum(&format!("{head}\n{function}"));
    assert_eq!(location.as_deref(), Some("a.c:3:2"));
}

#[test]
fn a_discriminator_is_the_scope_around_it() {
    let part = "%part = OpExtInst %void %dbg DebugLexicalBlockDiscriminator %source %n1 %lineless";
    let function = function_with("OpExtInst %void %dbg DebugScope %part");
    let location = location_of_sum(&format!("{HEAD}{part}\n{function}"));
    assert_eq!(location.as_deref(), Some("b.c:4:1"));
}

/// Scopes that contain one another, as in a corrupted module.
#[test]
fn cyclic_scopes_are_abandoned() {
    let head = HEAD.replace("%n4 %n1 %df", "%n0 %n1 %lineless");
    let function = function_with("OpExtInst %void %dbg DebugScope %block");
    let location = location_of_sum(&format!("{head}{function}"));
    assert_eq!(location, None);
}
