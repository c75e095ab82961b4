//! The properties that other tools wrote beside translation units, and `device_global`s of programs that are images already.

use std::borrow::Cow;
use std::collections::BTreeMap;

use spirv::Op;

use super::support::images;
use crate::images::{SplitImage, SplitMode};
use crate::test_support::{assemble, assert_valid};
use spirv_if::Device;
use spirv_if::engine::analysis::Analyses;
use spirv_if::engine::analysis::Names;
use spirv_if::engine::loader::Module;
use spirv_if::engine::pipelines::program::{LinkedProgram, TranslationUnit, apply_to_device, link};
use spirv_if::engine::transform::cloning::CloneLimit;
use spirv_if::property_sets::PropertySets;

/// Returns a unit with two kernels, `a` and `aa`, and the `device_global` `dg`, of this value at first, which only `aa` uses.
fn unit(kernel: &str, value: u32) -> Vec<u32> {
    let text = format!(
        "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\nOpMemoryModel Physical64 OpenCL\n\
         OpEntryPoint Kernel %1 \"{kernel}\"\nOpEntryPoint Kernel %9 \"{kernel}{kernel}\" %2\n\
         OpDecorate %2 LinkageAttributes \"dg\" Export\n\
         %3 = OpTypeVoid\n%4 = OpTypeFunction %3\n%5 = OpTypeInt 32 0\n%6 = OpConstant %5 {value}\n\
         %7 = OpTypePointer CrossWorkgroup %5\n%2 = OpVariable %7 CrossWorkgroup %6\n\
         %1 = OpFunction %3 None %4\n%8 = OpLabel\nOpReturn\nOpFunctionEnd\n\
         %9 = OpFunction %3 None %4\n%10 = OpLabel\nOpStore %2 %6 Aligned 4\nOpReturn\nOpFunctionEnd\n"
    );
    assemble(&text, "spv1.4")
}

fn linked(units: &[(&str, &str)]) -> Result<LinkedProgram, String> {
    let words: Vec<Vec<u32>> = (1..).zip(units).map(|(value, (kernel, _))| unit(kernel, value)).collect();
    let modules: Vec<Module> = words.iter().map(|words| Module::from_words(&words[..]).unwrap()).collect();
    let properties: Vec<PropertySets> =
        units.iter().map(|(_, text)| PropertySets::parse("a.prop", text).unwrap()).collect();
    let inputs: Vec<TranslationUnit> = units
        .iter()
        .zip(modules.iter().zip(&properties))
        .map(|((name, _), (module, properties))| TranslationUnit {
            name,
            module,
            properties,
            fixed_targets: &[],
        })
        .collect();
    link(&inputs, false).map(|(program, _)| program).map_err(|error| error.to_string())
}

/// Returns the property sets of each image without its requirements and exports, by its symbols.
fn texts(images: &BTreeMap<Vec<String>, SplitImage>) -> Vec<(String, String)> {
    let text = |image: &SplitImage| {
        let mut sets = image.properties.clone();
        sets.sets.retain(|set| set.name() != "SYCL/exported symbols");
        sets.to_text().replace("[SYCL/device requirements]\naspect=2|AAAAAAAAAAA\n", "")
    };
    images.iter().map(|(symbols, image)| (symbols.join(" "), text(image))).collect()
}

const GLOBAL: &str = "[SYCL/program metadata]\n_Z2dg@global_id_mapping=2|QAAAAAAAAAAZnB\n\
                      [SYCL/device globals]\n_Z2dg=2|ABAAAAAAAAABAAAAAAAAAA\n";

/// Checks that properties of an image neither spread to those of other units nor are refused, on any device and on one.
#[test]
fn images_keep_the_properties_of_their_units() {
    let program = linked(&[
        ("a", &format!("[SYCL/misc properties]\noptLevel=1|2\nisEsimdImage=1|1\n{GLOBAL}[SYCL/kernel names]\na=1|1\naa=1|1\n")),
        ("b", &format!("[SYCL/misc properties]\noptLevel=1|0\n[SYCL/device requirements]\nwork_group_num_dim=1|2\n{GLOBAL}")),
        ("c", &format!("[SYCL/misc properties]\noptLevel=1|0\n[SYCL/device requirements]\nwork_group_num_dim=1|2\n{GLOBAL}[SYCL/kernel names]\nc=1|1\n")),
        ("d", GLOBAL),
    ])
    .unwrap();
    let kinds = |mode| texts(&images(&program, mode, false).unwrap());
    let expected = |symbols: &str, text: &str| (symbols.to_owned(), text.to_owned());
    let of_a = format!(
        "[SYCL/misc properties]\noptLevel=1|2\nisEsimdImage=1|1\n{GLOBAL}[SYCL/kernel names]\na=1|1\naa=1|1\n"
    );
    let of_c = format!(
        "[SYCL/misc properties]\noptLevel=1|0\n{GLOBAL}[SYCL/kernel names]\nc=1|1\nwork_group_num_dim=1|2\n"
    );
    let off = kinds(SplitMode::Off);
    assert_eq!(off.len(), 3, "{off:#?}");
    assert_eq!(off[0], expected("a aa", &of_a));
    assert_eq!(off[1].0, "b bb c cc");
    assert!(off[1].1.contains("work_group_num_dim=1|2\n") && off[1].1.contains("c=1|1"), "{}", off[1].1);
    assert_eq!(off[2], expected("d dd", GLOBAL));
    let kernels: BTreeMap<String, String> = kinds(SplitMode::Kernel).into_iter().collect();
    assert_eq!(kernels.len(), 8);
    assert_eq!(kernels["a"], of_a.replace("aa=1|1\n", ""), "the other kernel is in another image");
    let pvc = Device::embedded("intel_gpu_pvc").unwrap();
    let analyses = Analyses::new(&program.module, Cow::Borrowed(&program.annotated));
    let on = apply_to_device(&analyses, &program.properties, &pvc, CloneLimit::default()).unwrap();
    let on = texts(&images(&on, SplitMode::Source, false).unwrap());
    assert_eq!(on.len(), 4);
    assert_eq!(on[2].0, "c cc");
    assert_eq!(on[2].1.lines().collect::<std::collections::BTreeSet<_>>(), of_c.lines().collect());
}

/// Checks that each image of a program that DPC++ split has its own declaration of a `device_global`, and that other variables are refused.
#[test]
fn device_globals_are_in_each_image() {
    let program = linked(&[("a", GLOBAL), ("b", GLOBAL)]).unwrap();
    for (mode, count) in [(SplitMode::Off, 1), (SplitMode::Source, 2), (SplitMode::Kernel, 4)] {
        let images = images(&program, mode, false).unwrap();
        assert_eq!(images.len(), count);
        for (symbols, image) in &images {
            assert_valid(&image.words, "spv1.4");
            let module = Module::from_words(&image.words[..]).unwrap();
            let variables = module.globals().filter(|inst| inst.is(Op::Variable));
            let names = Names::new(&module);
            let names: Vec<String> = variables
                .filter_map(|inst| Some(names.linkage(inst.result_id()?)?.name.into_owned()))
                .collect();
            assert_eq!(names, ["dg"], "{mode:?} {symbols:?}");
            assert!(
                image.warnings.is_empty() && image.properties.to_text().contains("_Z2dg=2|"),
                "{symbols:?}"
            );
        }
    }
    let scoped = GLOBAL.replace("ABAAAAAAAAABAAAAAAAAAA", "ABAAAAAAAAABAAAAEAAAAA");
    for properties in ["", &scoped] {
        let error = linked(&[("a", GLOBAL), ("b", properties)]).unwrap_err();
        assert!(error.contains("export 'dg'"), "{error}");
    }
}
