//! Every error, with its message.

use super::composed::KERNEL;
use super::support::{fixture, link_words};
use crate::loader::Module;
use crate::test_support::{assemble, first_word, instruction};
use crate::transform::link::{LinkError, link};
use spirv::Op;
use std::borrow::Cow;

/// Links texts called a, b, ..., and returns the message.
pub fn error(texts: &[&str], environment: &str) -> String {
    let words: Vec<Vec<u32>> = texts.iter().map(|text| assemble(text, environment)).collect();
    error_of(&words)
}

fn error_of(words: &[Vec<u32>]) -> String {
    let modules: Vec<(&str, &[u32])> =
        ["a", "b", "c", "d"].into_iter().zip(words.iter().map(Vec::as_slice)).collect();
    match link_words(&modules) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("it is linked"),
    }
}

/// Returns a function `f` with a parameter of a type, or a variable of it.
fn function(linkage: &str, types: &str) -> String {
    let body = if linkage == "Import" { "" } else { "%6 = OpLabel\nOpReturn\n" };
    format!(
        "{KERNEL}OpDecorate %1 LinkageAttributes \"f\" {linkage}
%3 = OpTypeVoid
{types}
%4 = OpTypeFunction %3 %2
%1 = OpFunction %3 None %4
%5 = OpFunctionParameter %2
{body}OpFunctionEnd
"
    )
}

const INT: &str = "%2 = OpTypeInt 32 0";
const FLOAT: &str = "%2 = OpTypeFloat 32";

#[test]
fn nothing_is_no_module() {
    assert_eq!(link(&[]).unwrap_err(), LinkError::NoInput);
    assert_eq!(LinkError::NoInput.to_string(), "nothing to link: no module is given");
}

#[test]
fn memory_models_agree() {
    let other = KERNEL.replace("Physical64", "Physical32");
    let error = error(&[KERNEL, KERNEL, &other], "spv1.2");
    assert_eq!(
        error,
        "b has OpMemoryModel Physical64 OpenCL, but c has OpMemoryModel Physical32 OpenCL: compile both for the same memory \
         model and the same size of pointers"
    );
}

#[test]
fn a_name_is_exported_once() {
    let export = function("Export", INT);
    let other = export.replace("OpReturn", "OpUnreachable");
    let error = error(&[&function("Import", INT), &export, &other], "spv1.2");
    assert_eq!(
        error,
        "both b and c export 'f', and the definitions differ (b has OpReturn at byte offset 0xa4, and c has OpUnreachable at byte offset 0xa4): rename one of them or make it local; an inline function of a header must be LinkOnceODR \
         (clang: -Xclang -mllvm -Xclang --spirv-ext=+SPV_KHR_linkonce_odr)"
    );
}

#[test]
fn types_agree() {
    let texts = [&function("Import", INT), &function("Export", FLOAT)];
    let message = error(&texts.map(String::as_str), "spv1.2");
    assert_eq!(message, "'f' is void (float32) in b, but void (uint32) in a");
    let half = function("Import", "%2 = OpTypeFloat 16")
        .replace("Linkage\n", "Linkage\nOpCapability Float16Buffer\n");
    let brain = half.replace("Float16Buffer\n", "BFloat16TypeKHR\nOpExtension \"SPV_KHR_bfloat16\"\n");
    let brain = brain.replace("Import", "Export").replace("Float 16", "Float 16 BFloat16KHR");
    let message = error(&[&half, &brain], "spv1.2");
    assert_eq!(message, "'f' is void (float16 of the encoding BFloat16KHR) in b, but void (float16) in a");
    // What is copied with a pointer is as much as it points at.
    let by_value = |linkage: &str, bits: u32| {
        let types = format!("%7 = OpTypeInt {bits} 0\n%2 = OpTypePointer Function %7");
        function(linkage, &types)
            .replace("%3 = OpTypeVoid", "OpDecorate %5 FuncParamAttr ByVal\n%3 = OpTypeVoid")
    };
    let [import, export] = [by_value("Import", 8), by_value("Export", 32)]
        .map(|text| text.replace("OpCapability Linkage", "OpCapability Linkage\nOpCapability Int8"));
    let message = error(&[&import, &export], "spv1.2");
    assert_eq!(
        message,
        "'f' is void (Function pointer to uint32) in b, but void (Function pointer to uint8) in a"
    );
    // Imports that nobody exports must agree as well; so must definitions of which one is dropped.
    let texts = [&function("Import", INT), &function("Import", FLOAT)];
    let message = error(&texts.map(String::as_str), "spv1.2");
    assert_eq!(message, "'f' is void (uint32) in a, but void (float32) in b");
    let once = |types: &str| {
        function("LinkOnceODR", types)
            .replace("OpMemoryModel", "OpExtension \"SPV_KHR_linkonce_odr\"\nOpMemoryModel")
    };
    let message = error(&[&once(INT), &once(FLOAT)], "spv1.2");
    assert_eq!(message, "'f' is void (uint32) in a, but void (float32) in b");
}

#[test]
fn structures_that_contain_themselves_agree() {
    let list = |linkage: &str, member: &str| {
        let types = format!(
            "OpTypeForwardPointer %2 CrossWorkgroup\n%7 = {member}\n%8 = OpTypeStruct %7 %2\n%2 = OpTypePointer CrossWorkgroup %8"
        );
        function(linkage, &types).replace("Physical64", "Logical")
    };
    let texts = [&list("Import", "OpTypeInt 32 0"), &list("Export", "OpTypeFloat 32")];
    let message = error(&texts.map(String::as_str), "spv1.2");
    let shown = |member: &str| {
        format!(
            "void (CrossWorkgroup pointer to struct {{{member}, CrossWorkgroup pointer to struct {{..., ...}}}})"
        )
    };
    assert_eq!(message, format!("'f' is {} in b, but {} in a", shown("float32"), shown("uint32")));
}

#[test]
fn functions_are_no_variables() {
    let variable = format!(
        "{KERNEL}OpDecorate %1 LinkageAttributes \"f\" Import
%2 = OpTypeInt 32 0
%4 = OpTypePointer CrossWorkgroup %2
%1 = OpVariable %4 CrossWorkgroup
"
    );
    let texts = [variable.as_str(), &function("Export", INT)];
    let message = error(&texts, "spv1.2");
    assert_eq!(message, "'f' is a function in b, but a variable in a");
    let texts = [function("Import", INT), variable.replace("Import", "Export")];
    let message = error(&[&texts[0], &texts[1]], "spv1.2");
    assert_eq!(message, "'f' is a function in a, but a variable in b");
}

#[test]
fn a_function_has_one_linkage_name() {
    let text = function("Export", INT)
        .replace("OpDecorate", "OpDecorate %1 LinkageAttributes \"g\" Export\nOpDecorate");
    let message = error(&[&text, KERNEL], "spv1.2");
    assert_eq!(message, "a: %1 has two linkage names, 'g' and 'f': give it one");
}

#[test]
fn entry_points_have_names_of_their_own() {
    let text = format!(
        "{KERNEL}OpEntryPoint Kernel %1 \"main\"
%3 = OpTypeVoid
%4 = OpTypeFunction %3
%1 = OpFunction %3 None %4
%5 = OpLabel
OpReturn
OpFunctionEnd
"
    );
    let other = text.replace("main", "another");
    let mode = text.replace("%3 = OpTypeVoid", "OpExecutionMode %1 ContractionOff\n%3 = OpTypeVoid");
    let code = text.replace("OpReturn", "OpUnreachable");
    let unreachable =
        "a has OpReturn at byte offset 0x84, and c has OpUnreachable at byte offset 0x84".to_string();
    for (differs, how) in [(mode, "their execution modes differ".to_string()), (code, unreachable)] {
        let message = error(&[&text, &other, &differs], "spv1.2");
        assert_eq!(
            message,
            format!(
                "both a and c have an entry point 'main' (Kernel), and the two differ ({how}): rename one of them"
            )
        );
    }
    let initializer = |text: &str| text.replace("main", "_GLOBAL__sub_I_main.cl");
    let differs = initializer(&text).replace("OpReturn", "OpUnreachable");
    let message = error(&[&initializer(&text), &differs], "spv1.2");
    assert!(
        message.ends_with(
            "clang makes its name of that of the file without its folder; give one of the source files another name"
        ),
        "{message}"
    );
}

#[test]
fn code_that_a_later_version_removed_is_not_raised() {
    let shader = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n";
    let buffer = format!("{shader}OpDecorate %1 BufferBlock\n%2 = OpTypeInt 32 0\n%1 = OpTypeStruct %2\n");
    let (old, new) = (assemble(&buffer, "spv1.3"), assemble(shader, "spv1.4"));
    assert_eq!(
        error_of(&[old.clone(), new.clone()]),
        "a uses BufferBlock, which SPIR-V has only up to version 1.3, and b is of a later version: compile both for the same \
         version"
    );
    let same = assemble(shader, "spv1.3");
    assert!(link_words(&[("a", &old), ("b", &same)]).is_ok());
    let sampled = format!(
        "{shader}OpCapability SampledBuffer
%2 = OpTypeFloat 32\n%1 = OpTypeImage %2 Buffer 0 0 0 1 Unknown\n%3 = OpTypeSampledImage %1\n"
    )
    .replace(
        "OpMemoryModel Logical GLSL450\nOpCapability SampledBuffer",
        "OpCapability SampledBuffer\nOpMemoryModel Logical GLSL450",
    );
    let (old, newest) = (assemble(&sampled, "spv1.5"), assemble(shader, "spv1.6"));
    assert!(
        error_of(&[new, old, newest])
            .starts_with("b uses OpTypeSampledImage of DimBuffer, which SPIR-V has only up to version 1.5")
    );
}

#[test]
fn branches_to_one_label_are_raised() {
    let text = "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n";
    let branch = format!(
        "{text}OpDecorate %1 LinkageAttributes \"f\" Export
%2 = OpTypeVoid\n%3 = OpTypeFunction %2\n%4 = OpTypeBool\n%5 = OpConstantTrue %4
%1 = OpFunction %2 None %3\n%6 = OpLabel\nOpBranchConditional %5 %7 %7\n%7 = OpLabel\nOpReturn\nOpFunctionEnd\n"
    );
    let (old, new) = (assemble(&branch, "spv1.5"), assemble(text, "spv1.6"));
    let linked = link_words(&[("a", &old), ("b", &new)]).unwrap().module;
    assert_eq!(linked.instructions().filter(|inst| inst.is(Op::Branch)).count(), 1);
    assert!(!linked.instructions().any(|inst| inst.is(Op::BranchConditional)));
}

#[test]
fn packed_modules_are_not_linked() {
    let source = fixture("opencl/wrapper-O0");
    let module = Module::from_words(&source[..]).unwrap();
    let analyses = crate::analysis::Analyses::new(&module, Cow::default());
    let packed = crate::transform::pack::pack(&analyses, &Default::default()).unwrap();
    let packed = crate::writer::apply(&module, &packed.edits).unwrap();
    assert_eq!(
        error_of(&[fixture("opencl/many"), packed.clone()]),
        "b is multi-target already (SPV_INTEL_function_variants): its conditions were determined without the other modules, \
         which may require unconditionally what is conditional in it. Link the modules of the compiler, then pack the result"
    );
    let alone = link_words(&[("a", &packed)]).unwrap();
    assert_eq!(alone.module.words(), packed);
    assert!(alone.sources.iter().all(|source| source.1 == 0) && alone.sources.len() > 5);
}

/// An opcode that the grammar does not have: only if its words may be ids.
#[test]
fn ids_are_not_guessed() {
    let words = assemble(&function("Export", INT), "spv1.2");
    let module = Module::from_words(&words[..]).unwrap();
    let at = module.functions()[0].start as usize;
    let with = |operand: u32| {
        let mut words = words.clone();
        words.splice(at..at, instruction(60_000, &[operand]));
        words
    };
    let (doubtful, literal) = (with(2), with(1000));
    let other = assemble(KERNEL, "spv1.2");
    assert_eq!(
        error_of(&[doubtful.clone(), other.clone()]),
        format!(
            "a: Op60000 at byte offset {:#x} has operands that may be ids or literals: it is not known well enough to link it",
            at * 4
        )
    );
    assert_eq!(
        link_words(&[("a", &doubtful)]).unwrap().module.words(),
        doubtful,
        "alone it stays what it is"
    );
    let linked = link_words(&[("b", &other), ("a", &literal)]).unwrap();
    assert!(linked.module.words().windows(2).any(|pair| pair == [first_word(2, 60_000), 1000]));
}

#[test]
fn instructions_outside_of_functions_are_known() {
    let words = assemble(&function("Export", INT), "spv1.2");
    let mut broken = words.clone();
    broken.push(first_word(1, spirv::Op::Return as u16));
    assert_eq!(
        error_of(&[words, broken.clone()].map(|words| words.clone())[1..]),
        format!(
            "a: OpReturn at byte offset {:#x} cannot be linked where it stands, outside of functions",
            broken.len() * 4 - 4
        )
    );
}

/// An extended instruction outside of functions that names a parameter of a function which is dropped.
#[test]
fn dropped_functions_are_not_named() {
    let once = function("LinkOnceODR", INT)
        .replace("OpMemoryModel", "OpExtension \"SPV_KHR_linkonce_odr\"\nOpExtension \"SPV_KHR_non_semantic_info\"\n%9 = OpExtInstImport \"NonSemantic.Any\"\nOpMemoryModel");
    let named = format!("{once}%8 = OpExtInst %3 %9 1 %5\n");
    let message = error(&[&once, &named], "spv1.2");
    assert!(message.starts_with("b: OpExtInst at byte offset 0x"), "{message}");
    assert!(
        message.ends_with("names %5, which is inside of a function that another module has as well"),
        "{message}"
    );
    super::composed::linked(&[&named, &once], "spv1.2");
}

#[test]
fn a_size_for_all_entry_points_is_that_of_all() {
    let sized = |size: u32| {
        format!(
            "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %1 \"main{size}\"
OpExecutionMode %1 LocalSize 1 1 1
OpDecorate %2 BuiltIn WorkgroupSize
%3 = OpTypeVoid
%4 = OpTypeFunction %3
%6 = OpTypeInt 32 0
%7 = OpTypeVector %6 3
%8 = OpConstant %6 {size}
%2 = OpConstantComposite %7 %8 %8 %8
%1 = OpFunction %3 None %4
%5 = OpLabel
OpReturn
OpFunctionEnd
"
        )
    };
    let message = error(&[&sized(4), &sized(8)], "spv1.0");
    assert_eq!(
        message,
        "a sets the work-group size of all its entry points with a constant decorated WorkgroupSize, and b has entry points of \
         another size: compile both with LocalSize"
    );
    let same = sized(4).replace("main4", "other");
    super::composed::linked(&[&sized(4), &same], "spv1.0");
}

/// Variables of two modules with each other's addresses.
#[test]
fn addresses_go_round_in_one_module_only() {
    let text = |name: &str, other: &str| {
        format!(
            "{KERNEL}OpDecorate %1 LinkageAttributes \"{name}\" Export
OpDecorate %5 LinkageAttributes \"{other}\" Import
OpDecorate %9 LinkageAttributes \"{name}.pointer\" Export
%2 = OpTypeInt 32 0
%4 = OpTypePointer CrossWorkgroup %2
%6 = OpTypePointer CrossWorkgroup %4
%5 = OpVariable %4 CrossWorkgroup
%9 = OpVariable %6 CrossWorkgroup %5
%1 = OpVariable %4 CrossWorkgroup
"
        )
    };
    let message = error(&[&text("x", "y"), &text("y", "x")], "spv1.2");
    assert!(message.contains("OpVariable at byte offset 0x"), "{message}");
    assert!(
        message.ends_with(
            "whose module needs addresses of this one: define such variables in one translation unit"
        ),
        "{message}"
    );
}

/// Bytes may stand for anything, but not with logical addressing, where addresses cannot be cast; other scalars are no others, and two
/// definitions are not one.
#[test]
fn addresses_are_cast_where_they_can_be() {
    let variable = |linkage: &str, bits: u32| {
        let value = if linkage == "Import" { "" } else { " %3" };
        format!(
            "{KERNEL}OpDecorate %1 LinkageAttributes \"f\" {linkage}
%2 = OpTypeInt {bits} 0
%3 = OpConstant %2 7
%4 = OpTypePointer CrossWorkgroup %2
%1 = OpVariable %4 CrossWorkgroup{value}
"
        )
        .replace("OpCapability Linkage", "OpCapability Linkage\nOpCapability Int16\nOpCapability Int8")
    };
    let [import, export] = [variable("Import", 8), variable("Export", 32)];
    super::composed::linked(&[&import, &export], "spv1.2");
    let logical = [&import, &export].map(|text| text.replace("Physical64", "Logical"));
    let message = error(&[&logical[0], &logical[1]], "spv1.2");
    assert_eq!(
        message,
        "'f' is CrossWorkgroup pointer to uint32 in b, but CrossWorkgroup pointer to uint8 in a"
    );
    let float = variable("Import", 32).replace("OpTypeInt 32 0\n%3 = OpConstant %2 7\n", "OpTypeFloat 32\n");
    let array = |text: &str| {
        let array = "%5 = OpTypeArray %2 %3\n%4 = OpTypePointer CrossWorkgroup %5";
        text.replace(" %3\n%4", "\n%4")
            .replace("%4 = OpTypePointer CrossWorkgroup %2", array)
            .replace("Workgroup %3", "Workgroup")
    };
    for import in [variable("Import", 16), float] {
        assert!(error(&[&import, &export], "spv1.2").starts_with("'f' is CrossWorkgroup pointer to "));
    }
    let arrays = [variable("Import", 16), variable("Export", 32)].map(|text| array(&text));
    let message = error(&[&arrays[0], &arrays[1]], "spv1.2");
    assert!(message.starts_with("'f' is CrossWorkgroup pointer to "), "{message}");
    let twice = [16, 32].map(|bits| {
        variable("LinkOnceODR", bits)
            .replace("OpMemoryModel", "OpExtension \"SPV_KHR_linkonce_odr\"\nOpMemoryModel")
    });
    let message = error(&[&twice[0], &twice[1]], "spv1.2");
    assert_eq!(
        message,
        "'f' is CrossWorkgroup pointer to uint16 in a, but CrossWorkgroup pointer to uint32 in b"
    );
}

/// Checks that the number of ids of linked modules is bounded. Ids without a definition do not count.
#[test]
fn ids_are_bounded() {
    let words = assemble(KERNEL, "spv1.2");
    let full = |_| {
        let mut words = words.clone();
        words[3] = 0x3f_ffff;
        words
    };
    let modules: Vec<Vec<u32>> = (0..2).map(full).collect();
    let pairs: Vec<(&str, &[u32])> = modules.iter().map(|words| ("a", words.as_slice())).collect();
    let linked = link_words(&pairs).unwrap();
    assert_eq!(linked.module.words()[3], 1);
    // What is inside of functions is never shared.
    const COUNT: u32 = 0x20_0000;
    let text = function("Export", INT);
    let strings = |name: &str| -> Vec<u32> {
        let mut words = assemble(&text.replace("\"f\"", name), "spv1.2");
        words[3] = COUNT + 10;
        let undefined = (10..COUNT + 10).flat_map(|id| [first_word(3, spirv::Op::Undef as u16), 2, id]);
        let end = words.len() - 1;
        words.splice(end..end, undefined);
        words
    };
    assert_eq!(
        error_of(&[strings("\"f\""), strings("\"g\"")]),
        "the result would need more than 4194303 ids, and a module can have no more: link fewer modules"
    );
}
