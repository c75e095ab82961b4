//! Modules that compilers rarely write, one for each question.

use spirv::Op;

use super::errors::error;
use super::support::link_words;
use crate::loader::Module;
use crate::test_support::{assemble, assert_valid, is_valid};
use crate::transform::link::{LinkError, without_exports};
use crate::writer::apply;

/// The start of an OpenCL module.
pub const KERNEL: &str = "OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability GenericPointer
OpMemoryModel Physical64 OpenCL
";

/// Links texts called a, b, ..., and validates the result.
pub fn linked(texts: &[&str], environment: &str) -> Vec<u32> {
    let words: Vec<Vec<u32>> = texts.iter().map(|text| assemble(text, environment)).collect();
    let names = ["a", "b", "c", "d"];
    let modules: Vec<(&str, &[u32])> = names.into_iter().zip(words.iter().map(Vec::as_slice)).collect();
    let linked = link_words(&modules).unwrap_or_else(|error| panic!("{error}"));
    assert_valid(linked.module.words(), environment);
    linked.module.into_words()
}

fn count(words: &[u32], op: Op) -> usize {
    Module::from_words(words).unwrap().instructions().filter(|inst| inst.is(op)).count()
}

/// Returns a list: a structure with a pointer to itself. Ids start at `start`, names and order differ.
fn list(start: u32, name: &str, body: &str) -> String {
    let id = |offset: u32| format!("%{}", start + offset);
    let (int, pointer, list, type_, void) = (id(0), id(1), id(2), id(3), id(4));
    format!(
        "{KERNEL}OpName {list} \"{name}\"
OpDecorate {function} LinkageAttributes \"walk\" {linkage}
OpTypeForwardPointer {pointer} Generic
{int} = OpTypeInt 32 0
{list} = OpTypeStruct {int} {pointer}
{pointer} = OpTypePointer Generic {list}
{void} = OpTypeVoid
{type_} = OpTypeFunction {int} {pointer}
{function} = OpFunction {int} None {type_}
{parameter} = OpFunctionParameter {pointer}
{body}OpFunctionEnd
",
        function = id(5),
        parameter = id(6),
        linkage = if body.is_empty() { "Import" } else { "Export" },
        body = match body {
            "" => String::new(),
            _ => format!(
                "{} = OpLabel\n{} = OpLoad {list} {}\n{} = OpCompositeExtract {int} {} 0\nOpReturnValue {}\n",
                id(7),
                id(8),
                id(6),
                id(9),
                id(8),
                id(9)
            ),
        },
    )
}

/// Checks that structures with pointers to themselves become one if functions share them, independent of their names.
#[test]
fn recursive_structures_meet() {
    for texts in [
        [list(1, "list", ""), list(7, "list", "body")],
        [list(5, "node", ""), list(1, "list", "body")],
        [list(1, "list", "body"), list(9, "other", "")],
        [list(1, "same", ""), list(1, "same", "")],
    ] {
        let words = linked(&[&texts[0], &texts[1]], "spv1.2");
        for op in [Op::TypeStruct, Op::TypePointer, Op::TypeForwardPointer, Op::TypeFunction, Op::Function] {
            assert_eq!(count(&words, op), 1, "{op:?} of {texts:#?}");
        }
    }
}

/// Checks that a variable stands before an initializer with its address, in any order of the modules.
#[test]
fn variables_come_before_constants_of_their_addresses() {
    let table = format!(
        "{KERNEL}OpDecorate %1 LinkageAttributes \"table\" Export
%2 = OpTypeInt 32 0
%3 = OpConstant %2 7
%4 = OpTypePointer CrossWorkgroup %2
%1 = OpVariable %4 CrossWorkgroup %3
"
    );
    let user = format!(
        "{KERNEL}OpDecorate %1 LinkageAttributes \"table\" Import
OpDecorate %5 LinkageAttributes \"pointer\" Export
%2 = OpTypeInt 32 0
%4 = OpTypePointer CrossWorkgroup %2
%6 = OpTypePointer CrossWorkgroup %4
%1 = OpVariable %4 CrossWorkgroup
%5 = OpVariable %6 CrossWorkgroup %1
"
    );
    for texts in [[&table, &user], [&user, &table]] {
        let words = linked(&[texts[0], texts[1]], "spv1.2");
        assert_eq!(count(&words, Op::Variable), 2);
        assert_eq!(count(&words, Op::Decorate), 2, "the import has none left");
    }
}

/// Checks that interface lists get the variables that an entry point reaches in other modules: all of them from version
/// 1.4 on, and before that inputs and outputs.
#[test]
fn interfaces_are_completed() {
    let user = format!(
        "{KERNEL}OpEntryPoint Kernel %1 \"main\"
OpDecorate %2 LinkageAttributes \"f\" Import
%3 = OpTypeVoid
%4 = OpTypeFunction %3
%2 = OpFunction %3 None %4
OpFunctionEnd
%1 = OpFunction %3 None %4
%5 = OpLabel
%6 = OpFunctionCall %3 %2
OpReturn
OpFunctionEnd
"
    );
    let library = format!(
        "{KERNEL}OpDecorate %2 LinkageAttributes \"f\" Export
OpDecorate %8 BuiltIn GlobalLinearId
%3 = OpTypeVoid
%4 = OpTypeFunction %3
%6 = OpTypeInt 32 0
%7 = OpTypePointer Input %6
%8 = OpVariable %7 Input
%9 = OpConstant %6 1
%10 = OpTypePointer CrossWorkgroup %6
%11 = OpVariable %10 CrossWorkgroup %9
%12 = OpTypePointer CrossWorkgroup %10
%13 = OpVariable %12 CrossWorkgroup %11
%2 = OpFunction %3 None %4
%5 = OpLabel
%14 = OpLoad %6 %8
%15 = OpLoad %10 %13
OpReturn
OpFunctionEnd
"
    );
    for (environment, listed) in [("spv1.2", 1), ("spv1.4", 3)] {
        for texts in [[&user, &library], [&library, &user]] {
            let words = linked(&[texts[0], texts[1]], environment);
            let module = Module::from_words(&words[..]).unwrap();
            let entry = module.head().find(|inst| inst.is(Op::EntryPoint)).unwrap();
            assert_eq!(entry.words().len() - 5, listed, "{environment}");
        }
    }
}

/// Checks that the variables of a built-in become one, like types and constants. Definitions with other decorations,
/// alone or in groups, are not merged.
#[test]
fn equal_definitions_are_merged() {
    let stage = |model: &str, offset: u32| {
        format!(
            "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint {model} %1 \"main\" %2
{}OpMemberDecorate %3 0 Offset 0
OpMemberDecorate %3 1 Offset {offset}
OpDecorate %3 Block
OpDecorate %2 BuiltIn PrimitiveId
OpDecorate %13 Flat
%13 = OpDecorationGroup
OpGroupDecorate %13 %2
%4 = OpTypeVoid
%5 = OpTypeFunction %4
%6 = OpTypeInt 32 1
%7 = OpTypePointer Input %6
%2 = OpVariable %7 Input
%3 = OpTypeStruct %6 %6
%8 = OpConstant %6 1
%9 = OpTypeArray %6 %8
%1 = OpFunction %4 None %5
%10 = OpLabel
%11 = OpLoad %6 %2
OpReturn
OpFunctionEnd
",
            if model == "Fragment" { "OpExecutionMode %1 OriginUpperLeft\n" } else { "" },
        )
        .replace("OpCapability Shader\n", "OpCapability Shader\nOpCapability Geometry\n")
    };
    let fragment = stage("Fragment", 4);
    let other = stage("Geometry", 8).replace(
        "\"main\" %2\n",
        "\"main\" %2\nOpExecutionMode %1 InputPoints\nOpExecutionMode %1 OutputVertices 1\nOpExecutionMode %1 OutputPoints\nOpExecutionMode %1 Invocations 1\n",
    );
    let words = linked(&[&fragment, &other], "spv1.0");
    for (op, expected) in [
        (Op::Variable, 1),
        (Op::TypeStruct, 2),
        (Op::TypeInt, 1),
        (Op::TypePointer, 1),
        (Op::Constant, 1),
        (Op::TypeArray, 1),
        (Op::TypeFunction, 1),
        (Op::EntryPoint, 2),
        (Op::Function, 2),
        (Op::Capability, 2),
    ] {
        assert_eq!(count(&words, op), expected, "{op:?}");
    }
}

/// Checks that a decoration through a group counts as one of the id: in types, and in exported definitions.
#[test]
fn decoration_groups_are_expanded() {
    let text = |parameter: &str, structure: &str| {
        format!(
            "{KERNEL}OpDecorate %1 LinkageAttributes \"f\" Export
OpDecorate %2 FuncParamAttr Zext
%2 = OpDecorationGroup
OpDecorate %3 CPacked
%3 = OpDecorationGroup
{parameter}
{structure}
%6 = OpTypeInt 32 0
%7 = OpTypeVoid
%5 = OpTypeStruct %6
%8 = OpTypePointer Function %5
%9 = OpTypeFunction %7 %6
%1 = OpFunction %7 None %9
%4 = OpFunctionParameter %6
%10 = OpLabel
%11 = OpVariable %8 Function
OpReturn
OpFunctionEnd
"
        )
    };
    let grouped = text("OpGroupDecorate %2 %4", "OpGroupDecorate %3 %5");
    let single = text("OpDecorate %4 FuncParamAttr Zext", "OpDecorate %5 CPacked");
    let words = linked(&[&grouped, &single], "spv1.2");
    assert_eq!((count(&words, Op::Function), count(&words, Op::TypeStruct)), (1, 1));
    let other = text("OpDecorate %4 FuncParamAttr Sext", "OpDecorate %5 CPacked");
    let error = error(&[&grouped, &other], "spv1.2");
    assert!(error.contains("have other decorations"), "{error}");
}

/// Checks that unknown decorations hold no ids, and that definitions of only one module stay unchanged.
#[test]
fn decorations_that_nobody_knows_stay() {
    let text = |name: &str, literal: u32| {
        format!(
            "{KERNEL}OpDecorate %1 LinkageAttributes \"{name}\" Export
OpDecorate %1 Alignment {literal}
%2 = OpTypeInt 32 0
%3 = OpConstant %2 7
%4 = OpTypePointer CrossWorkgroup %2
%1 = OpVariable %4 CrossWorkgroup %3
"
        )
    };
    let (mut first, second) = (assemble(&text("x", 4), "spv1.2"), assemble(&text("y", 4), "spv1.2"));
    const UNKNOWN: u32 = 60_000;
    let at = first.windows(2).position(|pair| pair == [spirv::Decoration::Alignment as u32, 4]).unwrap();
    // The literal could be an id: 2 is below the bound.
    first[at..at + 2].copy_from_slice(&[UNKNOWN, 2]);
    let linked = link_words(&[("b", &second), ("a", &first)]).unwrap();
    assert!(linked.module.words().windows(2).any(|pair| pair == [UNKNOWN, 2]));
}

/// Checks that two exports of one name become one if they are equal up to ids. Functions that differ in a word or a
/// decoration do not, nor do variables that may be written.
#[test]
fn exports_that_are_the_same_are_one() {
    let text = |edit: &dyn Fn(&str) -> String| {
        edit(&format!(
            "{KERNEL}OpDecorate %1 LinkageAttributes \"f\" Export
OpDecorate %2 LinkageAttributes \"table\" Export
OpDecorate %2 Constant
OpDecorate %12 Alignment 4
%3 = OpTypeInt 32 0
%4 = OpConstant %3 7
%5 = OpTypePointer UniformConstant %3
%6 = OpTypeFunction %3 %3
%2 = OpVariable %5 UniformConstant %4
%1 = OpFunction %3 None %6
%7 = OpFunctionParameter %3
%8 = OpLabel
%9 = OpLoad %3 %2
%12 = OpIAdd %3 %9 %7
%10 = OpIAdd %3 %12 %7
%11 = OpFunctionCall %3 %1 %12
OpReturnValue %10
OpFunctionEnd
"
        ))
    };
    let same = text(&str::to_string);
    let renumbered = (1..=12).rev().fold(same.clone(), |text, id| {
        text.replace(&format!("%{id} "), &format!("%{} ", id + 20))
            .replace(&format!("%{id}\n"), &format!("%{}\n", id + 20))
    });
    let words = linked(&[&same, &renumbered, &same], "spv1.2");
    assert_eq!(
        (count(&words, Op::Function), count(&words, Op::Variable), count(&words, Op::Decorate)),
        (1, 1, 4)
    );
    let differing: [(&str, &str); 6] = [
        ("OpReturnValue %10", "OpReturnValue %12"),
        ("%12 = OpIAdd %3 %9 %7", "%12 = OpISub %3 %9 %7"),
        ("OpDecorate %12 Alignment 4\n", ""),
        ("%1 = OpFunction %3 None", "%1 = OpFunction %3 Inline"),
        ("%3 7", "%3 8"),
        ("OpDecorate %2 Constant\n", ""),
    ];
    for (old, new) in differing {
        let other = text(&|text| text.replace(old, new));
        assert_ne!(other, same);
        let words = [&same, &other].map(|text| assemble(text, "spv1.2"));
        let result = link_words(&[("a", &words[0]), ("b", &words[1])]);
        assert!(matches!(result, Err(LinkError::TwoExports { .. })), "{old}: {result:?}");
    }
}

/// The definitions that an exported function refers to may be each module's own: constants that nothing writes, and functions, which may call each
/// other.
#[test]
fn definitions_that_exports_use_are_compared() {
    let text = format!(
        "{KERNEL}OpDecorate %1 LinkageAttributes \"f\" Export
OpDecorate %20 Constant
OpDecorate %21 Constant
%3 = OpTypeInt 32 0
%4 = OpConstant %3 7
%5 = OpTypePointer UniformConstant %3
%6 = OpTypePointer UniformConstant %5
%7 = OpTypeFunction %3 %3
%20 = OpVariable %5 UniformConstant %4
%8 = OpSpecConstantOp %5 Bitcast %20
%21 = OpVariable %6 UniformConstant %8
%1 = OpFunction %3 None %7
%30 = OpFunctionParameter %3
%31 = OpLabel
%32 = OpLoad %5 %21
%33 = OpLoad %3 %32
%34 = OpFunctionCall %3 %2 %33
OpReturnValue %34
OpFunctionEnd
%2 = OpFunction %3 None %7
%40 = OpFunctionParameter %3
%41 = OpLabel
%42 = OpFunctionCall %3 %9 %40
OpReturnValue %42
OpFunctionEnd
%9 = OpFunction %3 None %7
%50 = OpFunctionParameter %3
%51 = OpLabel
%52 = OpFunctionCall %3 %2 %50
%53 = OpIAdd %3 %52 %50
OpReturnValue %53
OpFunctionEnd
"
    );
    let words = linked(&[&text, &text], "spv1.2");
    assert_eq!((count(&words, Op::Function), count(&words, Op::Variable)), (5, 4));
    for (old, new, expected) in [
        ("%3 7", "%3 8", "a has OpVariable at byte offset 0xbc, and b has OpVariable at byte offset 0xbc"),
        ("OpDecorate %20 Constant\n", "", "%20 in a and %20 in b have other decorations"),
        ("OpIAdd", "OpISub", "a has OpIAdd at byte offset 0x1e4, and b has OpISub at byte offset 0x1e4"),
    ] {
        let words = [&text, &text.replace(old, new)].map(|text| assemble(text, "spv1.2"));
        match link_words(&[("a", &words[0]), ("b", &words[1])]) {
            Err(LinkError::TwoExports { difference, .. }) => assert_eq!(&*difference, expected),
            result => panic!("{old}: {result:?}"),
        }
    }
    let written = text.replace("OpDecorate %20 Constant\n", "");
    let words = assemble(&written, "spv1.2");
    let result = link_words(&[("a", &words), ("b", &words)]);
    assert!(matches!(result, Err(LinkError::TwoExports { .. })), "each has a variable of its own");
}

/// Checks that the first module's identifier and path of a build are kept: LLVM's translator rejects second ones. Two
/// of one module are both kept.
#[test]
fn descriptions_of_a_program_are_kept_once() {
    let text = |set: &str, identifier: &str, path: &str| {
        let text = KERNEL.replace(
            "OpMemoryModel",
            &format!(
                "OpExtension \"SPV_KHR_non_semantic_info\"\n%1 = OpExtInstImport \"NonSemantic.Shader.DebugInfo.{set}\"\nOpMemoryModel"
            ),
        );
        let said =
            "%8 = OpExtInst %2 %1 DebugBuildIdentifier %5 %4\n%9 = OpExtInst %2 %1 DebugStoragePath %6\n";
        format!(
            "{text}%5 = OpString \"{identifier}\"\n%6 = OpString \"{path}\"
%2 = OpTypeVoid\n%3 = OpTypeInt 32 0\n%4 = OpConstant %3 0\n{said}"
        )
    };
    let first = text("100", "1", "/one");
    for second in [text("100", "1", "/one"), text("100", "2", "/two")] {
        let words = linked(&[&first, &second, KERNEL], "spv1.2");
        let module = Module::from_words(&words[..]).unwrap();
        let said: Vec<_> = module.globals().filter(|inst| inst.is(Op::ExtInst)).collect();
        let string = |id: u32| module.definition_as(id, Op::String).unwrap().string(2).into_owned();
        assert_eq!(said.iter().map(|inst| inst.word(4)).collect::<Vec<_>>(), [105, 106]);
        assert_eq!([string(said[0].word(5)), string(said[1].word(5))], ["1", "/one"]);
    }
    let alone =
        linked(&[&first.replace("%9 =", "%10 = OpExtInst %2 %1 DebugStoragePath %5\n%9 =")], "spv1.2");
    assert_eq!(count(&alone, Op::ExtInst), 3);
}

/// Checks that a shader whose imports are resolved has no linkage any more. A library, a module of kernels, and a
/// module with imports keep theirs.
#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn complete_shaders_lose_their_exports() {
    let library = "OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpDecorate %f LinkageAttributes \"f\" Export
%void = OpTypeVoid
%type = OpTypeFunction %void
%f = OpFunction %void None %type
%start = OpLabel
OpReturn
OpFunctionEnd
";
    let main = "OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %f LinkageAttributes \"f\" Import
%void = OpTypeVoid
%type = OpTypeFunction %void
%f = OpFunction %void None %type
OpFunctionEnd
%main = OpFunction %void None %type
%start = OpLabel
%call = OpFunctionCall %void %f
OpReturn
OpFunctionEnd
";
    let words = linked(&[main, library], "spv1.3");
    let module = Module::from_words(&words[..]).unwrap();
    let complete = apply(&module, &without_exports(&module).unwrap()).unwrap();
    assert_valid(&complete, "vulkan1.1");
    assert!(!is_valid(&words, "vulkan1.1"));
    let kernel = main
        .replace("Shader", "Kernel\nOpCapability Addresses")
        .replace("Logical GLSL450", "Physical64 OpenCL");
    let kernel = kernel.replace("GLCompute", "Kernel").replace("\"f\" Import", "\"f\" Export");
    let kernel = kernel
        .replace("%type\nOpFunctionEnd\n%main", "%type\n%label = OpLabel\nOpReturn\nOpFunctionEnd\n%main");
    for kept in [library, main, &kernel] {
        let words = assemble(kept, "spv1.3");
        assert!(without_exports(&Module::from_words(words).unwrap()).is_none(), "{kept}");
    }
}
