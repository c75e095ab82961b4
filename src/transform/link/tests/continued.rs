//! Structures and composites that further instructions continue (SPV_INTEL_long_composites).

use super::support::link_words;
use crate::loader::Module;
use crate::test_support::{assemble, assert_valid, joined};
use crate::transform::link::LinkError;

const HEAD: &str = "OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability LongCompositesINTEL
OpExtension \"SPV_INTEL_long_composites\"
OpMemoryModel Physical64 OpenCL
";

/// Two structures whose first instructions are equal, and a kernel that passes pointers to them.
const CALLER: &str = "OpEntryPoint Kernel %main \"main\"
OpDecorate %get LinkageAttributes \"get\" Import
OpDecorate %other LinkageAttributes \"other\" Import
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%mixed = OpTypeStruct %uint
OpTypeStructContinuedINTEL %float %uint
OpTypeStructContinuedINTEL %float
%same = OpTypeStruct %uint
OpTypeStructContinuedINTEL %uint
%ptr = OpTypePointer CrossWorkgroup %mixed
%ptr_same = OpTypePointer CrossWorkgroup %same
%fn = OpTypeFunction %uint %ptr
%fn_same = OpTypeFunction %uint %ptr_same
%main_fn = OpTypeFunction %void %ptr %ptr_same
%get = OpFunction %uint None %fn
%q = OpFunctionParameter %ptr
OpFunctionEnd
%other = OpFunction %uint None %fn_same
%r = OpFunctionParameter %ptr_same
OpFunctionEnd
%main = OpFunction %void None %main_fn
%p = OpFunctionParameter %ptr
%p_same = OpFunctionParameter %ptr_same
%l = OpLabel
%v = OpFunctionCall %uint %get %p
%w = OpFunctionCall %uint %other %p_same
OpReturn
OpFunctionEnd
";

/// Functions with the same structures in another order, and constants of one of these.
const CALLEE: &str = "OpDecorate %get LinkageAttributes \"get\" Export
OpDecorate %other LinkageAttributes \"other\" Export
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%same = OpTypeStruct %uint
OpTypeStructContinuedINTEL %uint
%ptr_same = OpTypePointer CrossWorkgroup %same
%mixed = OpTypeStruct %uint
OpTypeStructContinuedINTEL %float %uint
OpTypeStructContinuedINTEL %float
%ptr = OpTypePointer CrossWorkgroup %mixed
%one = OpConstant %uint 1
%two = OpConstant %float 2
%three = OpConstant %float 3
%value = OpConstantComposite %mixed %one
OpConstantCompositeContinuedINTEL %two %one %two
%other_value = OpConstantComposite %mixed %one
OpConstantCompositeContinuedINTEL %two %one %three
%fn = OpTypeFunction %uint %ptr
%fn_same = OpTypeFunction %uint %ptr_same
%get = OpFunction %uint None %fn
%p = OpFunctionParameter %ptr
%l = OpLabel
OpStore %p %value
OpStore %p %other_value
%m = OpLoad %mixed %p
%n = OpCompositeExtract %uint %m 2
OpReturnValue %n
OpFunctionEnd
%other = OpFunction %uint None %fn_same
%p_same = OpFunctionParameter %ptr_same
%l_same = OpLabel
%s = OpLoad %same %p_same
%t = OpCompositeExtract %uint %s 1
OpReturnValue %t
OpFunctionEnd
";

/// Links modules named a and b.
fn linked(left: &str, right: &str) -> Result<Vec<u32>, LinkError> {
    let words = [left, right].map(|text| assemble(&format!("{HEAD}{text}"), "spv1.4"));
    let result = link_words(&[("a", &words[0]), ("b", &words[1])])?.module.into_words();
    assert_valid(&joined(&result), "spv1.4");
    Ok(result)
}

/// Returns the operands of all definitions of one opcode, with those of the instructions that continue them, as names of their types and numbers.
fn operands(words: &[u32], name: &str) -> Vec<String> {
    let module = Module::from_words(words).unwrap();
    let shown = |&id: &u32| {
        let inst = module.definition(id).unwrap();
        match &inst.words()[3..] {
            [number] if inst.name() == "OpConstant" => format!("{number:x}"),
            _ => inst.name()[6..].to_owned(),
        }
    };
    let definitions = module.instructions().filter(|inst| inst.name() == name);
    let all = definitions.map(|inst| {
        let first = if inst.typed_result().is_some() { 3 } else { 2 };
        let own = inst.words_from(first).iter();
        let continued: Vec<u32> =
            module.continuations(&inst).flat_map(|part| part.words_from(1).to_vec()).collect();
        own.chain(&continued).map(shown).collect::<Vec<_>>().join(" ")
    });
    all.collect()
}

/// Checks that equal structures become one with all of their members, and that structures that differ in a continued
/// part do not.
#[test]
fn continued_definitions_are_one_if_all_their_parts_are_equal() {
    for (left, right) in [(CALLER, CALLEE), (CALLEE, CALLER)] {
        let words = linked(left, right).unwrap();
        let mut structures = operands(&words, "OpTypeStruct");
        structures.sort();
        assert_eq!(structures, ["Int Float Int Float", "Int Int"]);
        let constants = operands(&words, "OpConstantComposite");
        assert_eq!(constants, ["1 40000000 1 40000000", "1 40000000 1 40400000"]);
    }
}

/// Returns a module with a function that takes a structure, which these lines continue.
fn taker(linkage: &str, continued: &str, body: &str) -> String {
    format!(
        "OpDecorate %get LinkageAttributes \"get\" {linkage}
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%mixed = OpTypeStruct %uint
{continued}
%fn = OpTypeFunction %uint %mixed
%get = OpFunction %uint None %fn
%p = OpFunctionParameter %mixed
{body}OpFunctionEnd
"
    )
}

/// The types of an import and its export differ although their first instructions are equal.
#[test]
fn types_that_differ_in_a_continued_part_are_not_one() {
    let body = "%l = OpLabel\n%m = OpCompositeExtract %uint %p 0\nOpReturnValue %m\n";
    let line = |members: &str| format!("OpTypeStructContinuedINTEL {members}");
    let import = taker("Import", &[line("%float"), line("%uint")].join("\n"), "");
    linked(&import, &taker("Export", &[line("%float"), line("%uint")].join("\n"), body)).unwrap();
    for (continued, shown) in [
        ([line("%float"), line("%float")].join("\n"), "uint32, float32, float32"),
        (line("%float"), "uint32, float32"),
    ] {
        let message = linked(&import, &taker("Export", &continued, body)).unwrap_err().to_string();
        let expected = format!(
            "'get' is uint32 (struct {{{shown}}}) in b, but uint32 (struct {{uint32, float32, uint32}}) in a"
        );
        assert!(message.contains(&expected), "{message}");
    }
}
