//! Tests of the required aspects of code, and of the declared aspects of functions.

use crate::analysis::{Analyses, SyclProperties};
use crate::collections::IdMap;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::requirements::{RequirementId, is_of_kernels};
use crate::analysis::{
    Annotated, AspectError, AspectSources, Aspects, DeclaredAspects, InstructionRequirements, Names,
    UnknownAspect,
};
use crate::device::DeviceNames;
use crate::device::aspects;
use crate::loader::Module;
use crate::test_support::{assemble_named, assert_valid};

const HEAD: &str = "OpCapability Kernel
    OpCapability Addresses
    OpCapability Linkage
    OpCapability Float64
    OpCapability ImageBasic
    OpMemoryModel Physical64 OpenCL";

const TYPES: &str = "%void = OpTypeVoid
    %fn = OpTypeFunction %void
    %u32 = OpTypeInt 32 0
    %f64 = OpTypeFloat 64
    %one = OpConstant %f64 1
    %image = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly
    %takes_image = OpTypeFunction %void %image";

/// Returns the aspects of each function with their conditions, as text, by its name.
fn aspects_of(text: &str, sources: &AspectSources) -> BTreeMap<String, Vec<String>> {
    let (words, ids) = assemble_named(text, "spv1.4");
    assert_valid(&words, "spv1.4");
    let module = Module::from_words(&words[..]).unwrap();
    let annotated = Annotated { aspects: by_name(sources, &ids), ..Annotated::default() };
    let analyses = Analyses::new(&module, Cow::Owned(annotated));
    let summaries = analyses.summaries().unwrap();
    let mut conditions = summaries.conditions.clone();
    let implied = Aspects::new(is_of_kernels(&module));
    let mut by_name = BTreeMap::new();
    for (name, id) in ids.iter().filter(|(_, id)| module.function(**id).is_some()) {
        let summary = summaries.summary(*id).clone();
        let of = implied.implied_by_summary(&summary, &mut conditions).unwrap();
        let texts = of.into_iter().map(|(aspect, condition)| {
            let expr = conditions.expr_of(condition).unwrap();
            let name = aspects::name(aspect).unwrap();
            if condition.is_true() {
                name.to_owned()
            } else {
                format!("{name} if {}", expr.display(&DeviceNames))
            }
        });
        by_name.insert(name.clone(), texts.collect());
    }
    by_name
}

/// Replaces function numbers by ids: tests write functions by number, in the order of the text.
fn by_name(sources: &AspectSources, ids: &BTreeMap<String, u32>) -> AspectSources {
    let id = |number: &u32| ids.get(&format!("f{number}")).copied().unwrap_or(*number);
    let used = sources.used.iter().map(|(number, used)| (id(number), used.clone())).collect();
    AspectSources { used, ..sources.clone() }
}

fn function(name: &str, body: &str) -> String {
    format!("%{name} = OpFunction %void None %fn\n%l_{name} = OpLabel\n{body}\nOpReturn\nOpFunctionEnd\n")
}

#[test]
fn instructions_and_calls() {
    let text = format!(
        "{HEAD}\n{TYPES}\n{}{}{}%f3 = OpFunction %void None %takes_image\n%p = OpFunctionParameter %image
        %l_f3 = OpLabel\nOpReturn\nOpFunctionEnd",
        function("f0", "%a = OpFAdd %f64 %one %one"),
        function("f1", "%b = OpFunctionCall %void %f0"),
        function("f2", ""),
    );
    let aspects = aspects_of(&text, &AspectSources::default());
    assert_eq!(aspects["f0"], ["fp64"]);
    assert_eq!(aspects["f1"], ["fp64"]);
    assert_eq!(aspects["f2"], [""; 0]);
    assert_eq!(aspects["f3"], ["image"]);
}

/// Checks that a requirement with alternative capabilities does not imply the aspect of one of them.
#[test]
fn any_of_several_capabilities() {
    let text = format!(
        "OpCapability Float16Buffer\n{HEAD}\n{TYPES}
        %f16 = OpTypeFloat 16
        %ptr = OpTypePointer CrossWorkgroup %f16
        %takes_half = OpTypeFunction %void %ptr
        %f0 = OpFunction %void None %takes_half\n%p = OpFunctionParameter %ptr
        %l_f0 = OpLabel\nOpReturn\nOpFunctionEnd",
    );
    let aspects = aspects_of(&text, &AspectSources::default());
    assert_eq!(aspects["f0"], [""; 0]);
}

#[test]
fn conditional_calls() {
    let text = format!(
        "{HEAD}
        OpName %call_if_on_device_conditionally \"call_if_on_device_conditionally\"
        {TYPES}
        %takes_two = OpTypeFunction %void %u32 %u32
        %aspect = OpConstant %u32 4294967295
        %fp64 = OpConstant %u32 6
        {}%call_if_on_device_conditionally = OpFunction %void None %takes_two
        %c0 = OpFunctionParameter %u32
        %c1 = OpFunctionParameter %u32
        %l = OpLabel
        %called = OpFunctionCall %void %f0
        OpReturn
        OpFunctionEnd
        {}",
        function("f0", "%a = OpFAdd %f64 %one %one"),
        function("f1", "%b = OpFunctionCall %void %call_if_on_device_conditionally %aspect %fp64"),
    );
    let aspects = aspects_of(&text, &AspectSources::default());
    assert_eq!(aspects["f1"], ["fp64 if fp64"]);
}

#[test]
fn types_and_functions_by_their_sources() {
    let text = format!(
        "{HEAD}
        OpName %half \"class.sycl::_V1::detail::half_impl::half.12\"
        OpName %other \"class.sycl::_V1::detail::half_impl::half.x\"
        {TYPES}
        %half = OpTypeStruct %u32
        %other = OpTypeStruct %u32
        %outer = OpTypeStruct %half %u32
        %ptr = OpTypePointer Function %outer
        %ptr_other = OpTypePointer Function %other
        {}{}{}{}",
        function("f0", "%v = OpVariable %ptr Function"),
        function("f1", "%w = OpVariable %ptr_other Function"),
        function("f2", "%b = OpFunctionCall %void %f0\n%c = OpFunctionCall %void %f3"),
        function("f3", ""),
    );
    let used = IdMap::from([(3, BTreeSet::from([28]))]);
    let sources = AspectSources { used, ..AspectSources::dpcpp() };
    let aspects = aspects_of(&text, &sources);
    assert_eq!(aspects["f0"], ["fp16"], "LLVM's number does not matter");
    assert_eq!(aspects["f1"], [""; 0], "another type");
    assert_eq!(aspects["f2"], ["fp16", "atomic64"]);
    assert_eq!(aspects["f3"], ["atomic64"]);
    let without = aspects_of(&text, &AspectSources::default());
    assert_eq!(without["f2"], [""; 0]);
}

#[test]
fn an_unknown_aspect_is_an_error() {
    let words = [spirv::MAGIC_NUMBER, 0x0001_0000, 0, 9, 0];
    let module = Module::from_words(&words[..]).unwrap();
    let used = IdMap::from([(3, BTreeSet::from([1000]))]);
    let sources = AspectSources { used, ..AspectSources::default() };
    let needs = InstructionRequirements::all(&module).with_aspects(&Names::new(&module), &sources);
    assert_eq!(needs.err(), Some(UnknownAspect(1000)));
    assert_eq!(RequirementId::from_aspect(1000), None);
}

/// Checks that an unknown decoration, mode or instruction implies no aspect beyond those of declared capabilities.
#[test]
fn unknown_code_implies_only_declared_aspects() {
    let unknown: [&[u32]; 3] =
        [&[4 << 16 | 71, 5, 0xfff0, 1], &[4 << 16 | 16, 5, 0xfff0, 1], &[2 << 16 | 0xfff0, 7]];
    for (capability, expected) in [(6 /* Kernel */, &[][..]), (10 /* Float64 */, &[6][..])] {
        for added in unknown {
            let mut words = vec![spirv::MAGIC_NUMBER, 0x0001_0000, 0, 9, 0];
            words.extend([2 << 16 | 17, 6, 2 << 16 | 17, capability]);
            words.extend(added);
            let module = Module::from_words(&words[..]).unwrap();
            let inst = module.globals().last().unwrap();
            let required = InstructionRequirements::all(&module).find(&inst);
            let aspects: Vec<u32> =
                required.iter().flat_map(|id| Aspects::get(true).implied(id).iter().copied()).collect();
            assert_eq!(aspects, expected, "{added:?}");
            // An unknown capability declares unknown decorations and modes.
            let opcode = words[9] & 0xffff;
            words.splice(5..5, [2 << 16 | 17, 0xfff0]);
            let module = Module::from_words(&words[..]).unwrap();
            let inst = module.globals().last().unwrap();
            let required = InstructionRequirements::all(&module).find(&inst);
            let float64 = required.iter().flat_map(|id| Aspects::get(true).implied(id)).count();
            assert_eq!(float64, if opcode == 0xfff0 { expected.len() } else { 0 }, "{added:?}");
        }
    }
}

fn declared(decorations: &str) -> Result<BTreeMap<String, Vec<u32>>, AspectError> {
    let text = format!("{HEAD}\n{decorations}\n{TYPES}\n{}{}", function("f0", ""), function("f1", ""));
    let (words, ids) = assemble_named(&text, "spv1.4");
    assert_valid(&words, "spv1.4");
    let module = Module::from_words(&words[..]).unwrap();
    let properties = SyclProperties::read(&module, &IdMap::new());
    let read = DeclaredAspects::read(&module, &Names::new(&module), &properties, &AspectSources::default());
    let by_name = |read: DeclaredAspects| {
        let named = ids.iter().filter_map(|(name, id)| {
            Some((name.clone(), read.aspects(*id)?.iter().copied().collect::<Vec<u32>>()))
        });
        named.collect()
    };
    read.map(by_name)
}

#[test]
fn what_functions_declare() {
    let decorations = "OpDecorate %f0 UserSemantic \"sycl-properties:sycl-device-has=5,6\"
        OpDecorate %f0 UserSemantic \"other\"
        OpDecorate %f0 UserSemantic \"sycl-properties:a=1,sycl-device-has=28,b\"
        OpDecorate %group UserSemantic \"sycl-properties:sycl-device-has\"
        %group = OpDecorationGroup
        OpGroupDecorate %group %f1";
    let aspects = declared(decorations);
    let aspects = aspects.unwrap();
    assert_eq!(aspects["f0"], [5, 6, 28]);
    assert_eq!(aspects["f1"], [0; 0], "it may use none");
}

#[test]
fn malformed_declarations() {
    let decoration =
        "OpName %f1 \"f1\"\nOpDecorate %f1 UserSemantic \"sycl-properties:sycl-device-has=fp64\"";
    let aspects = declared(decoration);
    let message = aspects.unwrap_err().to_string();
    assert!(message.starts_with("function 'f1' (byte offset 0x"), "{message}");
    assert!(
        message.contains("`fp64` in its property `sycl-device-has` is not the number of an aspect"),
        "{message}"
    );
}
