//! Programs of several translation units.

use std::collections::{BTreeMap, BTreeSet};

use spirv::{Decoration, LinkageType, Op};

use super::support::{images, on as on_device, program};
use crate::images::{SplitImage, SplitMode};
use crate::test_support::{assemble, assert_valid};
use crate::tests::corpus;
use spirv_if::device::{Device, DeviceConfig};
use spirv_if::engine::loader::Module;
use spirv_if::engine::metadata::property_sets::{DEVICE_REQUIREMENTS, SPECIAL_CONSTANTS};
use spirv_if::engine::pipelines::program::LinkedProgram;

/// Returns the fixtures of this folder, by name.
fn fixture(name: &str) -> &'static [u32] {
    corpus::fixture(&format!("program/{name}.spv")).words()
}

/// Returns the program linked from its two units, and the one that the compiler saw whole.
fn programs() -> [LinkedProgram; 2] {
    let words = ["means", "sums", "whole"].map(fixture);
    let modules = words.map(|words| Module::from_words(words).unwrap());
    [program(&modules[..2], Default::default()), program(&modules[2..], Default::default())]
}

fn capabilities(image: &SplitImage) -> BTreeSet<String> {
    let module = Module::from_words(&image.words[..]).unwrap();
    let declares =
        |op: Option<Op>| matches!(op, Some(Op::Capability | Op::ConditionalCapabilityINTEL | Op::Extension));
    let shown =
        |inst: &spirv_if::engine::loader::Instruction| format!("{:?} {:?}", inst.op(), inst.words().last());
    module.globals().filter(|inst| declares(inst.op())).map(|inst| shown(&inst)).collect()
}

/// Returns the imports of a module.
fn imports(words: &[u32]) -> BTreeSet<String> {
    let module = Module::from_words(words).unwrap();
    let linkage = module.globals().filter(|inst| {
        inst.is(Op::Decorate)
            && inst.word(2) == Decoration::LinkageAttributes as u32
            && inst.words().last() == Some(&(LinkageType::Import as u32))
    });
    linkage.map(|inst| inst.string(3).into_owned()).collect()
}

/// Checks that linked and split units are equal to the whole program, compiled at once and split. The same kernels have the same
/// requirements, for any device and for each.
#[test]
fn linked_programs_are_whole_ones() {
    let programs = programs();
    let config = DeviceConfig::embedded().unwrap();
    let on_device = programs.each_ref().map(on_device);
    let targets: Vec<Option<&Device>> = std::iter::once(None).chain(config.iter().map(Some)).collect();
    let mut seen: BTreeSet<Vec<Vec<String>>> = BTreeSet::new();
    for mode in [SplitMode::Kernel, SplitMode::Off] {
        for &target in &targets {
            let on = target.map_or("any device", |device| &device.name);
            let [linked, whole]: [BTreeMap<Vec<String>, SplitImage>; 2] = [0, 1].map(|at| {
                let images = match target {
                    None => images(&programs[at], mode, true),
                    Some(device) => images(&on_device[at](device), mode, false),
                };
                let sorted = images.unwrap().into_iter().map(|(mut symbols, image)| {
                    symbols.sort();
                    (symbols, image)
                });
                sorted.collect()
            });
            let symbols: Vec<Vec<String>> = linked.keys().cloned().collect();
            assert_eq!(symbols, whole.keys().cloned().collect::<Vec<_>>(), "{mode:?} on {on}");
            for (symbols, image) in &linked {
                assert_valid(&image.words, "spv1.4");
                let other = &whole[symbols];
                let sets = |image: &SplitImage| image.properties.get(DEVICE_REQUIREMENTS).cloned();
                assert_eq!(sets(image), sets(other), "{symbols:?} on {on}");
                let special = |image: &SplitImage| image.properties.get(SPECIAL_CONSTANTS).cloned();
                assert_eq!(special(image), special(other), "{symbols:?} on {on}");
                assert_eq!(capabilities(image), capabilities(other), "{symbols:?} on {on}");
                assert!(!imports(&image.words).contains("sum_row"), "{symbols:?} on {on}");
            }
            seen.insert(symbols);
        }
    }
    assert!(seen.len() >= 2, "{seen:?}");
}

/// Checks a split by source: functions belong to their files. A function that two images need is in both, and one of
/// the images exports it.
#[test]
fn units_are_the_sources() {
    let [linked, _] = programs();
    let images = images(&linked, SplitMode::Source, false).unwrap();
    let mut by_unit: Vec<BTreeSet<&str>> = Vec::new();
    for (symbols, image) in &images {
        let symbols: BTreeSet<&str> = symbols.iter().map(String::as_str).collect();
        let of_sums = symbols.is_subset(&["totals", "largest", "sum_row"].into());
        assert!(of_sums || symbols.is_subset(&["means", "halves", "copies"].into()), "{symbols:?}");
        let module = Module::from_words(&image.words[..]).unwrap();
        let needs_sum = symbols.contains("means") || symbols.contains("totals");
        let names = spirv_if::engine::analysis::Names::new(&module);
        let is_sum = |id: u32| names.name(id).is_some_and(|name| name == "sum_row");
        assert_eq!(module.functions().iter().any(|function| is_sum(function.id)), needs_sum, "{symbols:?}");
        assert_eq!(names.exported().any(is_sum), symbols.contains("sum_row"), "{symbols:?}");
        by_unit.push(symbols);
    }
    let all: Vec<&str> = by_unit.iter().flatten().copied().collect();
    assert_eq!(all.len(), 6, "{by_unit:?}");
}

/// Checks that a variable that one unit defines and another imports exists once in the program: otherwise images of
/// both sources would each have a copy.
#[test]
fn units_that_share_a_variable_share_an_image() {
    let unit = |kernel: &str, linkage: &str, initializer: &str| {
        let text = format!(
            "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\nOpMemoryModel Physical64 OpenCL\n\
             OpEntryPoint Kernel %1 \"{kernel}\"\nOpDecorate %2 LinkageAttributes \"counter\" {linkage}\n\
             %3 = OpTypeVoid\n%4 = OpTypeFunction %3\n%5 = OpTypeInt 32 0\n%6 = OpConstant %5 0\n\
             %7 = OpTypePointer CrossWorkgroup %5\n%2 = OpVariable %7 CrossWorkgroup {initializer}\n\
             %1 = OpFunction %3 None %4\n%8 = OpLabel\nOpStore %2 %6 Aligned 4\nOpReturn\nOpFunctionEnd\n"
        );
        assemble(&text, "spv1.4")
    };
    let (defines, imports) = (unit("a", "Export", "%6"), unit("b", "Import", ""));
    let modules = [defines, imports].map(|words| Module::from_words(words).unwrap());
    let images = images(&program(&modules, Default::default()), SplitMode::Source, false).unwrap();
    assert_eq!(images.into_keys().collect::<Vec<_>>(), [["a", "b"]]);
}

/// Like the test above, for a variable of untyped memory, on whose type both units must agree.
#[test]
fn units_that_share_an_untyped_variable() {
    let unit = |kernel: &str, linkage: &str, width: u32, initializer: &str| {
        let text = format!(
            "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\nOpCapability Int64\nOpCapability UntypedPointersKHR\n\
             OpExtension \"SPV_KHR_untyped_pointers\"\nOpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %1 \"{kernel}\" %2\n\
             OpDecorate %2 LinkageAttributes \"counter\" {linkage}\n%3 = OpTypeVoid\n%4 = OpTypeFunction %3\n\
             %5 = OpTypeInt {width} 0\n%6 = OpConstant %5 0\n%7 = OpTypeUntypedPointerKHR CrossWorkgroup\n\
             %2 = OpUntypedVariableKHR %7 CrossWorkgroup %5 {initializer}\n%1 = OpFunction %3 None %4\n%8 = OpLabel\n\
             OpStore %2 %6 Aligned 4\nOpReturn\nOpFunctionEnd\n"
        );
        assemble(&text, "spv1.4")
    };
    let (defines, imports, wide) =
        (unit("a", "Export", 32, "%6"), unit("b", "Import", 32, ""), unit("c", "Import", 64, ""));
    let modules = [&defines, &imports].map(|words| Module::from_words(&words[..]).unwrap());
    let linked = program(&modules, Default::default());
    let variables = linked.module.globals().filter(|inst| inst.is(Op::UntypedVariableKHR));
    let variables: Vec<Vec<u32>> = variables.map(|inst| inst.words().to_vec()).collect();
    assert!(matches!(&variables[..], [only] if only.len() == 6), "one, with its initializer: {variables:?}");
    assert_valid(linked.module.words(), "spv1.4");
    let names = ["first", "second"].map(str::to_owned);
    let modules = [&defines, &wide].map(|words| Module::from_words(&words[..]).unwrap());
    let inputs: Vec<_> = names
        .iter()
        .zip(&modules)
        .map(|(name, module)| spirv_if::engine::transform::definitions::NamedModule { name, module })
        .collect();
    let error = spirv_if::engine::transform::link::link(&inputs).unwrap_err().to_string();
    assert!(error.contains("counter"), "{error}");
}

/// Returns the texts of the warnings of the images of a program.
fn warnings(units: &[String]) -> Vec<String> {
    let modules: Vec<Module> =
        units.iter().map(|text| Module::from_words(assemble(text, "spv1.4")).unwrap()).collect();
    let images = images(&program(&modules, Default::default()), SplitMode::Off, false).unwrap();
    let texts = images.into_values().flat_map(|image| image.warnings).map(|warning| warning.text());
    texts.collect()
}

/// Returns a unit: a kernel `k` or a function with declared aspects. It calls a function of another unit, or uses fp64.
fn unit(name: &str, aspects: &str, calls: Option<(&str, &str)>) -> String {
    let (linkage, import, body) = match calls {
        Some((callee, listed)) => (
            format!("OpDecorate %9 LinkageAttributes \"{callee}\" Import\n{}", device_has("%9", listed)),
            "%9 = OpFunction %3 None %4\nOpFunctionEnd",
            "%10 = OpFunctionCall %3 %9",
        ),
        None => (String::new(), "", "%10 = OpFAdd %5 %6 %6"),
    };
    let root = match name {
        "k" => "OpEntryPoint Kernel %1 \"k\"".to_owned(),
        _ => String::new(),
    };
    let export = match name {
        "k" => String::new(),
        _ => format!("OpDecorate %1 LinkageAttributes \"{name}\" Export"),
    };
    format!(
        "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\nOpCapability Float64\n\
         OpMemoryModel Physical64 OpenCL\n{root}\n{export}\n{}\n{linkage}\n%3 = OpTypeVoid\n%4 = OpTypeFunction %3\n\
         %5 = OpTypeFloat 64\n%6 = OpConstant %5 1\n{import}\n%1 = OpFunction %3 None %4\n%8 = OpLabel\n{body}\n\
         OpReturn\nOpFunctionEnd\n",
        device_has("%1", aspects)
    )
}

/// Returns the decoration by which a function lists an aspect, if `aspect` is not empty.
fn device_has(id: &str, aspect: &str) -> String {
    match aspect {
        "" => String::new(),
        _ => format!("OpDecorate {id} UserSemantic \"sycl-properties:sycl-device-has={aspect}\""),
    }
}

/// Checks that a kernel knows its own unit alone. An aspect that a function of another unit uses is a surprise, unless the kernel or the
/// declaration of the function in its unit lists it. A function that is called through a third unit counts too.
#[test]
fn units_do_not_know_what_others_use() {
    let surprise = |chain: &str| {
        format!(
            "function 'f' uses aspect 'fp64' not expected by its calling kernel.\n\
             Missing [[sycl::device_has()]] on SYCL_EXTERNAL function?\n\
             use is from this call chain:\n{chain}\ncompile with '-g' to get source location"
        )
    };
    let f = |aspects| unit("f", aspects, None);
    for (units, expected) in [
        (vec![unit("k", "", Some(("f", ""))), f("")], Some("  k()\n  f()")),
        (vec![unit("k", "", Some(("f", ""))), f("6")], Some("  k()\n  f()")),
        (vec![unit("k", "5", Some(("f", ""))), f("")], Some("  k()\n  f()")),
        (vec![unit("k", "6", Some(("f", ""))), f("")], None),
        (vec![unit("k", "", Some(("f", "6"))), f("6")], None),
        (
            vec![unit("k", "", Some(("g", ""))), unit("g", "", Some(("f", ""))), f("")],
            Some("  k()\n  g()\n  f()"),
        ),
        (vec![unit("k", "6", Some(("g", ""))), unit("g", "", Some(("f", ""))), f("")], None),
    ] {
        let texts = warnings(&units);
        assert_eq!(texts, Vec::from_iter(expected.map(surprise)), "{units:?}");
    }
    // The declaration in the third unit states that `g` uses it.
    let units = [unit("k", "", Some(("g", ""))), unit("g", "", Some(("f", "6"))), f("6")];
    let texts = warnings(&units);
    assert_eq!(texts.len(), 1, "{texts:?}");
    assert!(texts[0].starts_with("function 'g' uses aspect 'fp64' not expected"), "{texts:?}");
    assert!(texts[0].contains("  k()\n  g()\n  f()\n"), "{texts:?}");
}
