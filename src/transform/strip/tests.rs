use std::collections::BTreeSet;

use spirv::Op;

use super::*;
use crate::loader::grammar;
use crate::test_support::{
    self, assemble, assert_valid, bytes_of, fixtures, program, tool, validate, words_of,
};
use crate::writer::apply;

fn stripped(words: &[u32]) -> Vec<u32> {
    let module = Module::from_words(words).unwrap();
    apply(&module, &strip(&module)).unwrap()
}

fn instructions(words: &[u32]) -> Vec<Vec<u32>> {
    let module = Module::from_words(words).unwrap();
    module.instructions().map(|inst| inst.words().to_vec()).collect()
}

/// Returns the instructions of a list that are missing in another one; `None` if that has others, or the same in another order.
fn left_out(all: &[Vec<u32>], part: &[Vec<u32>]) -> Option<Vec<Vec<u32>>> {
    let mut part = part.iter().peekable();
    let left_out = all.iter().filter(|inst| part.next_if_eq(inst).is_none()).cloned().collect();
    part.next().is_none().then_some(left_out)
}

fn opcode(inst: &[u32]) -> u16 {
    inst[0] as u16
}

/// Returns the instructions of a text without those of the module around it, as text.
fn remaining(text: &str) -> Vec<String> {
    let words = assemble(&program::expand(text), "spv1.6");
    let words = stripped(&words);
    // spirv-val knows no place for these declarations, which DPC++ writes.
    if !text.contains("OpAliasDomainDeclINTEL") {
        assert_valid(&words, "spv1.6");
    }
    let shown = test_support::run(
        &tool("SPIRV_DIS", "spirv-dis"),
        &["--raw-id", "--no-header", "--no-indent"],
        &bytes_of(&words),
    );
    String::from_utf8(shown.unwrap()).unwrap().lines().map(str::to_owned).collect()
}

/// The result is not validated: spirv-val takes OpTypeStructContinuedINTEL for an instruction of functions.
#[test]
fn definitions_without_uses_go_with_what_continues_them() {
    let text = "OpCapability Shader
        OpCapability Linkage
        OpCapability LongCompositesINTEL
        OpExtension \"SPV_KHR_non_semantic_info\"
        OpExtension \"SPV_INTEL_long_composites\"
        %set = OpExtInstImport \"NonSemantic.Other\"
        OpMemoryModel Logical GLSL450
        %void = OpTypeVoid
        %uint = OpTypeInt 32 0
        %float = OpTypeFloat 32
        %struct = OpTypeStruct %uint
        OpTypeStructContinuedINTEL %float
        %one = OpConstant %uint 1
        %two = OpConstant %float 2
        %composite = OpConstantComposite %struct %one
        OpConstantCompositeContinuedINTEL %two
        %note = OpExtInst %void %set 1 %composite";
    let words = assemble(text, "spv1.6");
    let words = stripped(&words);
    let left = Module::from_words(&words).unwrap().instructions().map(|inst| inst.name()).collect::<Vec<_>>();
    assert_eq!(left, ["OpCapability", "OpCapability", "OpCapability", "OpExtension", "OpMemoryModel"]);
}

/// Checks that spirv-opt removes no more from any fixture, except names of conditional callers. It leaves strings, types and constants without users, and
/// OpenCL.DebugInfo.100.
#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn spirv_opt_keeps_no_less() {
    let optimizer = tool("SPIRV_OPT", "spirv-opt");
    let (mut names, mut unused) = (0, BTreeSet::new());
    for (fixture, words) in fixtures() {
        let ours = stripped(&words);
        validate(&ours, "spv1.6").unwrap_or_else(|error| panic!("{fixture}: {error}"));
        assert_eq!(stripped(&ours), ours, "{fixture}: there is nothing more to strip");
        let options = ["--strip-debug", "--strip-nonsemantic", "-", "-o", "-"];
        let theirs = words_of(&test_support::run(&optimizer, &options, &bytes_of(&words)).unwrap());
        let (ours, theirs) = (instructions(&ours), instructions(&theirs));
        left_out(&instructions(&words), &ours).unwrap_or_else(|| panic!("{fixture}: it has something new"));
        // Names of conditional callers.
        let (kept, ours): (Vec<_>, Vec<_>) =
            ours.into_iter().partition(|inst| opcode(inst) == Op::Name as u16);
        names += kept.len();
        let more = left_out(&theirs, &ours).unwrap_or_else(|| panic!("{fixture}: spirv-opt keeps less"));
        unused.extend(more.iter().map(|inst| grammar::opcode_name(opcode(inst))));
    }
    assert!(names > 10, "{names}");
    let expected =
        ["OpConstant", "OpConstantComposite", "OpExtInst", "OpExtInstImport", "OpString", "OpTypeInt"];
    assert_eq!(unused.into_iter().collect::<Vec<_>>(), expected);
}

/// Debug information of compilers is most of these modules.
#[test]
fn debug_information_is_removed_whole() {
    for fixture in ["check/double-gVS.spv", "debug/glslang-gVS.spv", "debug/naga-g.spv"] {
        let (_, words) = fixtures().into_iter().find(|(name, _)| name == fixture).unwrap();
        let (ours, without) = (stripped(&words), fixture.rsplit_once('-').unwrap().0);
        let plain = fixtures().into_iter().find(|(name, _)| *name == format!("{without}.spv")).unwrap().1;
        let ops = |words: &[u32]| -> BTreeSet<Op> {
            Module::from_words(words).unwrap().instructions().filter_map(|inst| inst.op()).collect()
        };
        assert_eq!(ops(&ours), ops(&stripped(&plain)), "{fixture}");
    }
}

#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn what_says_what_is_conditional_stays() {
    let caller = "call_if_on_device_conditionally_n1_6_half";
    let text = format!(
        "KERNEL\nOpName %f \"{caller}\"\nOpName %g \"half\"\nOpModuleProcessed \"Linked by me\"\nOpModuleProcessed \"spirv-if:properties:1 = [Set]\"\n\
         FN %g\nEND\nFN %f\nCALL %g\nEND\nFN %main\nCALL %f\nEND"
    );
    let lines = remaining(&text);
    let debug: Vec<&String> =
        lines.iter().filter(|line| line.contains("OpName") || line.contains("OpModuleProcessed")).collect();
    assert_eq!(debug.len(), 2, "{lines:#?}");
    assert!(debug[0].contains(caller) && debug[1].contains("[Set]"), "{debug:#?}");
}

#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn strings_types_and_constants_stay_as_long_as_something_refers_to_them() {
    let text = "KERNEL
        OpExtension \"SPV_KHR_non_semantic_info\"
        OpExtension \"SPV_INTEL_memory_access_aliasing\"
        OpCapability MemoryAccessAliasingINTEL
        OpCapability Int64
        %set = OpExtInstImport \"NonSemantic.Mine\"
        %domain = OpString \"domain\"
        %told = OpString \"told\"
        %argument = OpString \"kernel_arg_type.f.int*,\"
        %l5 = OpConstant %long 5
        %i7 = OpConstant %int 7
        %pair = OpTypeStruct %long %long
        %both = OpConstantComposite %pair %l5 %l5
        %a = OpExtInst %void %set 1 %told %i7 %both
        %i9 = OpConstant %int 9
        FN %main
        %scoped = OpAliasDomainDeclINTEL %domain
        %b = OpExtInst %void %set 2 %i7 %i9
        %x = OpIAdd %int %i9 %i9
        END";
    let lines = remaining(text);
    let has = |part: &str| lines.iter().any(|line| line.contains(part));
    assert!(has("OpIAdd") && has(" 9") && has("domain"), "{lines:#?}");
    for removed in ["NonSemantic", "non_semantic", "told", "kernel_arg_type", "OpTypeStruct", " 7", " 64 "] {
        assert!(!has(removed), "{removed}: {lines:#?}");
    }
}

#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn extensions_stay_as_long_as_something_is_left_of_them() {
    let names = |more: &str| {
        let text = format!(
            "OpExtension \"SPV_GOOGLE_decorate_string\"\nOpExtension \"SPV_GOOGLE_hlsl_functionality1\"\n\
             OpDecorateString %v UserSemantic \"TEXCOORD0\"\n{more}\n%p = OpTypePointer Private %int\n\
             %v = OpVariable %p Private\nFN %main\nEND"
        );
        let is_named =
            |line: &String| line.contains("GOOGLE") || line.contains("TEXCOORD0") || line.contains("DEFAULT");
        remaining(&text).into_iter().filter(is_named).collect::<Vec<_>>()
    };
    assert_eq!(names(""), [""; 0]);
    let other = "OpCapability FPGAMemoryAttributesALTERA\nOpExtension \"SPV_ALTERA_fpga_memory_attributes\"\n\
        OpDecorateString %v MemoryALTERA \"DEFAULT\"";
    let [extension, decoration] = &names(other)[..] else { panic!("{:?}", names(other)) };
    assert_eq!(extension, "OpExtension \"SPV_GOOGLE_decorate_string\"");
    assert!(decoration.contains("DEFAULT"));
}
