//! Kernels that are linked.

use super::support::*;
use crate::runtime::link::MAX_KEPT;
use crate::runtime::{ImageSource, LoadedProgram};
use crate::test_support::{assert_valid, bytes_of, run, tool};
use spirv_if::engine::condition::Leaf;
use spirv_if::engine::loader::Module;
use spirv_if::engine::metadata::property_sets::SpecialConstants;
use spirv_if::engine::pipelines::SpecializeRequest;
use spirv_if::engine::transform::specialize::{ConstantKey, KeyedSetting};

const WITH: &str = "intel_gpu_pvc";
const WITHOUT: &str = "intel_gpu_dg1";

/// Returns a kernel that adds with a helper and calls `action`, whose images count in a variable of the main image.
fn main_image() -> ImageSource {
    let code = r#"
        OpCapability Addresses
        OpCapability Kernel
        OpCapability Linkage
        OpMemoryModel Physical64 OpenCL
        OpEntryPoint Kernel %k "k" %state
        OpName %helper "helper"
        OpName %size "size"
        OpDecorate %action LinkageAttributes "action" Import
        OpDecorate %state LinkageAttributes "state" Export
        OpDecorate %size SpecId 7
        %void = OpTypeVoid
        %uint = OpTypeInt 32 0
        %one = OpConstant %uint 1
        %zero = OpConstant %uint 0
        %size = OpSpecConstant %uint 4
        %pointer = OpTypePointer CrossWorkgroup %uint
        %state = OpVariable %pointer CrossWorkgroup %zero
        %kernel = OpTypeFunction %void
        %binary = OpTypeFunction %uint %uint %uint
        %unary = OpTypeFunction %void %uint
        %action = OpFunction %void None %unary
        %value = OpFunctionParameter %uint
        OpFunctionEnd
        %helper = OpFunction %uint None %binary
        %left = OpFunctionParameter %uint
        %right = OpFunctionParameter %uint
        %body = OpLabel
        %sum = OpIAdd %uint %left %right
        OpReturnValue %sum
        OpFunctionEnd
        %k = OpFunction %void None %kernel
        %start = OpLabel
        %old = OpLoad %uint %state Aligned 4
        %new = OpFunctionCall %uint %helper %old %size
        %done = OpFunctionCall %void %action %new
        OpReturn
        OpFunctionEnd"#;
    image("main", &["k"]).imports(&["action"]).requires(&[("1", "fp64")]).code(code)
}

/// Returns the action, with the helper and the constant that it also requires.
fn real() -> ImageSource {
    let code = r#"
        OpCapability Addresses
        OpCapability Kernel
        OpCapability Linkage
        OpCapability Float64
        OpMemoryModel Physical64 OpenCL
        OpName %helper "helper"
        OpName %size "size"
        OpDecorate %action LinkageAttributes "action" Export
        OpDecorate %state LinkageAttributes "state" Import
        OpDecorate %size SpecId 7
        %void = OpTypeVoid
        %uint = OpTypeInt 32 0
        %double = OpTypeFloat 64
        %size = OpSpecConstant %uint 4
        %pointer = OpTypePointer CrossWorkgroup %uint
        %state = OpVariable %pointer CrossWorkgroup
        %binary = OpTypeFunction %uint %uint %uint
        %unary = OpTypeFunction %void %uint
        %helper = OpFunction %uint None %binary
        %left = OpFunctionParameter %uint
        %right = OpFunctionParameter %uint
        %body = OpLabel
        %sum = OpIAdd %uint %left %right
        OpReturnValue %sum
        OpFunctionEnd
        %action = OpFunction %void None %unary
        %value = OpFunctionParameter %uint
        %start = OpLabel
        %more = OpFunctionCall %uint %helper %value %size
        %wide = OpConvertUToF %double %more
        %narrow = OpConvertFToU %uint %wide
        OpStore %state %narrow Aligned 4
        OpReturn
        OpFunctionEnd"#;
    image("real", &["action"]).imports(&["state"]).add_on("1", true).with(aspects(&[6])).code(code)
}

fn stub() -> ImageSource {
    stub_of("%uint", "%value = OpFunctionParameter %uint")
}

/// Returns a stub whose function has parameters of these types.
fn stub_of(types: &str, parameters: &str) -> ImageSource {
    let code = format!(
        r#"
        OpCapability Addresses
        OpCapability Kernel
        OpCapability Linkage
        OpMemoryModel Physical64 OpenCL
        OpDecorate %action LinkageAttributes "action" Export
        %void = OpTypeVoid
        %uint = OpTypeInt 32 0
        %type = OpTypeFunction %void {types}
        %action = OpFunction %void None %type
        {parameters}
        %start = OpLabel
        OpReturn
        OpFunctionEnd"#
    );
    image("stub", &["action"]).add_on("1", false).code(&code)
}

fn text(words: &[u32]) -> String {
    let dis = tool("SPIRV_DIS", "spirv-dis");
    String::from_utf8(run(&dis, &["--no-header"], &bytes_of(words)).unwrap()).unwrap()
}

/// Returns the number of times that an instruction is in a module.
fn count(text: &str, instruction: &str) -> usize {
    text.split_whitespace().filter(|word| *word == instruction).count()
}

/// Returns the module of a kernel `k` in text; it is valid.
fn linked_text(program: &LoadedProgram, device: &str, request: &SpecializeRequest) -> String {
    let linked = linked_with(program, device, request).unwrap();
    assert!(linked.properties.is_none());
    assert_valid(&linked.words.whole(), "spv1.6");
    text(&linked.words.whole())
}

#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn one_plain_module() {
    let program = program([main_image(), real(), stub()]);
    let with = linked_text(&program, WITH, &SpecializeRequest::default());
    for gone in ["Linkage", "LinkageAttributes", "Import", "Export"] {
        assert_eq!(count(&with, gone), 0, "{gone}\n{with}");
    }
    assert_eq!(count(&with, "OpFunction"), 3, "the helper is there once\n{with}");
    assert_eq!(count(&with, "OpVariable"), 1, "the variable is there once, with its initializer\n{with}");
    assert_eq!(count(&with, "OpSpecConstant"), 1, "so is the constant\n{with}");
    assert_eq!(count(&with, "Float64"), 1);
    let without = linked_text(&program, WITHOUT, &SpecializeRequest::default());
    assert_eq!(
        (count(&without, "OpFunction"), count(&without, "Float64")),
        (2, 0),
        "a stub is gone\n{without}"
    );
}

/// Checks that calls of a stub without parameters are removed. If code has the address of the function, the stub stays.
#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn a_stub_without_parameters_is_gone() {
    let stub = || stub_of("", "");
    let main = |capability: &str, name: &str, global: &str| {
        let code = format!(
            r#"
        OpCapability Addresses
        OpCapability Kernel
        OpCapability Linkage
        {capability}
        OpMemoryModel Physical64 OpenCL
        OpEntryPoint Kernel %k "k"
        {name}
        OpDecorate %action LinkageAttributes "action" Import
        %void = OpTypeVoid
        %type = OpTypeFunction %void
        {global}
        %action = OpFunction %void None %type
        OpFunctionEnd
        %k = OpFunction %void None %type
        %start = OpLabel
        %first = OpFunctionCall %void %action
        %second = OpFunctionCall %void %action
        OpReturn
        OpFunctionEnd"#
        );
        image("main", &["k"]).imports(&["action"]).requires(&[("1", "fp64")]).code(&code)
    };
    let real = || image("real", &["action"]).add_on("1", true);
    let plain = program([main("", "OpName %second \"second\"", ""), real(), stub()]);
    let text = linked_text(&plain, WITHOUT, &SpecializeRequest::default());
    assert_eq!(
        ["OpFunction", "OpFunctionCall", "OpName", "Linkage"].map(|word| count(&text, word)),
        [1, 0, 0, 0],
        "{text}"
    );
    let pointer = main(
        "OpCapability FunctionPointersINTEL\nOpExtension \"SPV_INTEL_function_pointers\"",
        "",
        "%to = OpTypePointer CodeSectionINTEL %type\n%address = OpConstantFunctionPointerINTEL %to %action",
    );
    let kept = program([pointer, real(), stub()]);
    let text = linked_with(&kept, WITHOUT, &SpecializeRequest::default()).unwrap();
    let text = self::text(&text.words.whole());
    assert!(!text.contains("Import") && count(&text, "OpFunctionCall") == 0, "{text}");
}

#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn constants_are_set_in_all_images() {
    let program = program([main_image(), real(), stub()]);
    let request = SpecializeRequest { set: vec![KeyedSetting::set(7, 64)], ..Default::default() };
    let with = linked_text(&program, WITH, &request);
    assert_eq!((count(&with, "OpSpecConstant"), count(&with, "SpecId")), (0, 0), "{with}");
    assert!(with.contains("OpConstant %uint 64"), "{with}");
    let unknown = SpecializeRequest { set: vec![KeyedSetting::set(8, 64)], ..Default::default() };
    let error = linked_with(&program, WITH, &unknown).unwrap_err().to_string();
    assert!(error.contains('8'), "{error}");
    let ignoring = SpecializeRequest { ignore_unknown: true, ..unknown };
    assert_eq!(linked_with(&program, WITH, &ignoring).unwrap().ignored, [ConstantKey::SpecId(8)]);
}

/// Checks that a constant for a feature belongs to one image: the main image requires double precision outside of conditional calls.
#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn constants_of_features_are_set() {
    let code = r#"
        OpCapability Addresses
        OpCapability Kernel
        OpCapability Linkage
        OpMemoryModel Physical64 OpenCL
        OpEntryPoint Kernel %k "k" %state
        OpDecorate %action LinkageAttributes "action" Import
        OpDecorate %state LinkageAttributes "state" Export
        OpDecorate %has SpecId 9
        %void = OpTypeVoid
        %bool = OpTypeBool
        %uint = OpTypeInt 32 0
        %zero = OpConstant %uint 0
        %one = OpConstant %uint 1
        %has = OpSpecConstantTrue %bool
        %pointer = OpTypePointer CrossWorkgroup %uint
        %state = OpVariable %pointer CrossWorkgroup %zero
        %kernel = OpTypeFunction %void
        %unary = OpTypeFunction %void %uint
        %action = OpFunction %void None %unary
        %value = OpFunctionParameter %uint
        OpFunctionEnd
        %k = OpFunction %void None %kernel
        %start = OpLabel
        %which = OpSelect %uint %has %one %zero
        OpStore %state %which Aligned 4
        %done = OpFunctionCall %void %action %which
        OpReturn
        OpFunctionEnd"#;
    let mut main = image("main", &["k"]).imports(&["action"]).requires(&[("1", "fp64")]).code(code);
    main.properties.put(SpecialConstants::new([(9, Leaf::Aspect(6))]).to_set());
    let program = program([main, real(), stub()]);
    for (device, value) in [(WITH, "OpConstantTrue"), (WITHOUT, "OpConstantFalse")] {
        let text = linked_text(&program, device, &SpecializeRequest::default());
        assert_eq!((count(&text, value), count(&text, "OpSpecConstantTrue")), (1, 0), "{text}");
    }
}

/// Functions of one name that differ are two functions.
#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn helpers_that_differ_stay() {
    let mut other = real();
    let bytes = (other.code)().unwrap();
    let subtracts = |words: &mut Vec<u32>| {
        let module = Module::from_words(words.clone()).unwrap();
        let add = module.instructions().find(|inst| inst.is(spirv::Op::IAdd)).unwrap();
        words[add.offset() as usize] = 5 << 16 | spirv::Op::ISub as u32;
    };
    let mut words = crate::test_support::words_of(&bytes);
    subtracts(&mut words);
    other.code = Box::new(move || Ok(bytes_of(&words)));
    let program = program([main_image(), other, stub()]);
    let with = linked_text(&program, WITH, &SpecializeRequest::default());
    assert_eq!(count(&with, "OpFunction"), 4, "{with}");
}

#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn other_entry_points_are_only_those_of_the_kernels_image() {
    let code = |name: &str, linkage: &str| {
        format!(
            r#"
        OpCapability Addresses
        OpCapability Kernel
        OpCapability Linkage
        OpMemoryModel Physical64 OpenCL
        OpEntryPoint Kernel %k "{name}"
        OpEntryPoint Kernel %other "{name}2"
        OpDecorate %f LinkageAttributes "f" {linkage}
        %void = OpTypeVoid
        %type = OpTypeFunction %void
        %f = OpFunction %void None %type
        {}
        OpFunctionEnd
        %k = OpFunction %void None %type
        %start = OpLabel
        %done = OpFunctionCall %void %f
        OpReturn
        OpFunctionEnd
        %other = OpFunction %void None %type
        %start2 = OpLabel
        OpReturn
        OpFunctionEnd"#,
            if linkage == "Export" { "%body = OpLabel\nOpReturn" } else { "" }
        )
    };
    let program = program([
        image("main", &["k", "k2"]).imports(&["f"]).code(&code("k", "Import")),
        image("library", &["l", "l2", "f"]).code(&code("l", "Export")),
    ]);
    let module = linked_text(&program, WITH, &SpecializeRequest::default());
    assert_eq!((count(&module, "OpEntryPoint"), count(&module, "OpFunction")), (2, 3), "{module}");
    let only = SpecializeRequest { entry_points: vec!["k2".to_owned()], ..Default::default() };
    let module = linked_text(&program, WITH, &only);
    assert_eq!((count(&module, "OpEntryPoint"), count(&module, "OpFunction")), (1, 1), "{module}");
}

#[test]
fn what_is_wrong_with_code() {
    let no_code = program([main_image(), image("real", &["action"]).add_on("1", true), stub()]);
    assert_eq!(linked(&no_code, WITH).unwrap_err().to_string(), "real: the code of real is read");
    let mut garbage = real();
    garbage.code = Box::new(|| Ok(b"garbage".to_vec()));
    let garbage = program([main_image(), garbage, stub()]);
    assert!(linked(&garbage, WITH).unwrap_err().to_string().starts_with("real: "));
    let missing = program([main_image().requires(&[])]);
    assert_eq!(
        linked(&missing, WITH).unwrap_err().to_string(),
        "main imports `action`, and no image of the program defines it: add the image that does; \
         imports of what drivers define are kept with `allow_partial_linkage`"
    );
    let empty = r#"
        OpCapability Kernel
        OpCapability Linkage
        OpCapability Addresses
        OpMemoryModel Physical64 OpenCL"#;
    let not_there = program([image("main", &["k"]).code(empty)]);
    assert_eq!(
        linked(&not_there, WITH).unwrap_err().to_string(),
        "main: its symbols name `k`, and the module has no entry point of this name"
    );
}

#[test]
fn results_are_shared_by_devices_with_the_same_answers() {
    let program = program([main_image(), real(), stub()]);
    let linked_words = |name: &str| linked(&program, name).unwrap().words.into_owned();
    assert_eq!(linked_words("intel_gpu_pvc"), linked_words("intel_gpu_skl"));
    let selected = program.select("k", &device("intel_gpu_skl")).unwrap();
    assert_eq!(selected.linked.count(), 1);
    let with_set = SpecializeRequest { set: vec![KeyedSetting::set(7, 1)], ..Default::default() };
    linked_with(&program, "intel_gpu_skl", &with_set).unwrap();
    assert_eq!(selected.linked.count(), 2);
    for value in 2..MAX_KEPT + 10 {
        let request =
            SpecializeRequest { set: vec![KeyedSetting::set(7, value as u64)], ..Default::default() };
        linked_with(&program, "intel_gpu_skl", &request).unwrap();
    }
    assert_eq!(selected.linked.count(), MAX_KEPT);
}

/// Checks that each image keeps a function that images export and none imports: the images may be of independent link units.
#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn exports_that_nothing_imports_are_those_of_their_images() {
    let code = |extra: &str, number: u32| {
        format!(
            r#"
            OpCapability Addresses
            OpCapability Kernel
            OpCapability Linkage
            OpMemoryModel Physical64 OpenCL
            {extra}
            OpName %helper "helper"
            OpDecorate %helper LinkageAttributes "helper" Export
            %void = OpTypeVoid
            %uint = OpTypeInt 32 0
            %number = OpConstant %uint {number}
            %kernel = OpTypeFunction %void
            %nullary = OpTypeFunction %uint
            "#
        )
    };
    let main = code(
        r#"OpEntryPoint Kernel %k "k"
            OpDecorate %f LinkageAttributes "f" Import"#,
        1,
    ) + r#"
        %f = OpFunction %uint None %nullary
        OpFunctionEnd
        %helper = OpFunction %uint None %nullary
        %body = OpLabel
        OpReturnValue %number
        OpFunctionEnd
        %k = OpFunction %void None %kernel
        %start = OpLabel
        %one = OpFunctionCall %uint %helper
        %two = OpFunctionCall %uint %f
        OpReturn
        OpFunctionEnd"#;
    let library = code(r#"OpDecorate %f LinkageAttributes "f" Export"#, 2)
        + r#"
        %helper = OpFunction %uint None %nullary
        %body = OpLabel
        OpReturnValue %number
        OpFunctionEnd
        %f = OpFunction %uint None %nullary
        %start = OpLabel
        %one = OpFunctionCall %uint %helper
        OpReturnValue %one
        OpFunctionEnd"#;
    let images = [
        image("main", &["k", "helper"]).imports(&["f"]).code(&main),
        image("library", &["f", "helper"]).code(&library),
    ];
    let text = linked_text(&program(images), WITH, &SpecializeRequest::default());
    assert_eq!(count(&text, "OpFunction"), if text.is_empty() { 0 } else { 4 }, "{text}");
    assert!(!text.contains("Linkage"), "{text}");
}
