//! Tests that a packed module carries its meaning: every call has the same results without the file beside it.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use memchr::memmem;

use super::ways::annotated;
use crate::images::{SplitImage, SplitInput, SplitMode, SplitOptions, split};
use crate::test_support::{Batch, assemble, assert_valid, bytes_of, run, tool, words_of};
use crate::tests::corpus::{self, fixtures};
use spirv_if::engine::analysis::Analyses;
use spirv_if::engine::analysis::conditions::multi_target::declares_extension;
use spirv_if::engine::condition::Leaf;
use spirv_if::engine::loader;
use spirv_if::engine::metadata::property_sets::{
    DEVICE_REQUIREMENTS, SPECIAL_CONSTANTS, SpecialConstants, carried,
};
use spirv_if::engine::transform::definitions::NamedModule;
use spirv_if::engine::transform::link::link;
use spirv_if::pack::{Dialect, Packed};
use spirv_if::property_sets::{Property, PropertySet, PropertySets};
use spirv_if::specialize::{Specialized, UnsetPolicy};
use spirv_if::{Device, Error, Module, PackOptions, Prepared, Settings, pack};

const DIALECTS: [Dialect; 2] = [Dialect::SpecConditional, Dialect::FunctionVariants];

/// Returns devices of several kinds, with and without most features in conditions of fixtures.
fn devices() -> &'static [Device] {
    static DEVICES: LazyLock<[Device; 6]> = LazyLock::new(|| {
        let names = [
            "intel_gpu_pvc",
            "intel_gpu_acm_g10",
            "intel_gpu_tgllp",
            "x86_64",
            "nvidia_gpu_sm_50",
            "nvidia_gpu_sm_90",
        ];
        names.map(|name| Device::embedded(name).unwrap())
    });
    &*DEVICES
}

fn packed(name: &str, words: &[u32], dialect: Dialect) -> Result<Packed, Error> {
    let mut module = Module::from_words(words).unwrap();
    module.annotated = Cow::Owned(annotated(name, &module.inner));
    pack(&module, &PackOptions::new().dialect(dialect))
}

fn fixture(name: &str) -> &'static [u32] {
    corpus::fixture(name).words()
}

fn carries(words: &[u32]) -> bool {
    memmem::find(&bytes_of(words), b"spirv-if").is_some()
}

fn on(module: &Module, device: &Device, settings: &Settings) -> Result<Specialized, Error> {
    Prepared::new(module)?.specialize(device, settings)
}

/// Checks that a module decides and refuses on devices as it does with the file beside it. Returns how often it did either.
fn compare(words: &[u32], properties: &PropertySets, about: &str) -> [usize; 2] {
    let without = Module::from_words(words).unwrap();
    let with = Module::from_words(words).unwrap().with_properties(properties.clone()).unwrap();
    assert_eq!(*without.properties().unwrap(), *properties, "{about}");
    let mut counts = [0, 0];
    let prepared = [&without, &with].map(|module| Prepared::new(module).unwrap());
    for device in devices() {
        let both = prepared.each_ref().map(|prepared| prepared.specialize(device, &Settings::new()));
        match both {
            [Ok(without), Ok(with)] => {
                assert_eq!(without.words, with.words, "{about} on {}", device.name);
                assert!(!carries(&without.words), "{about} on {}", device.name);
                let [without, with] = [without, with].map(|result| format!("{:?}", result.report));
                assert_eq!(without, with);
                counts[0] += 1;
            }
            [Err(without), Err(with)] => {
                assert_eq!(format!("{without:?}"), format!("{with:?}"), "{about} on {}", device.name);
                counts[1] += 1;
            }
            [without, with] => panic!("{about} on {}: {without:?} {with:?}", device.name),
        }
    }
    counts
}

#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn fixtures_need_no_file() {
    let (mut modules, mut done, mut refused) = ([0, 0], 0, 0);
    let mut written = Batch::default();
    for fixture in fixtures() {
        let (name, environment) = (&fixture.name, fixture.environment());
        for (number, dialect) in DIALECTS.into_iter().enumerate() {
            let Ok(packed) = packed(name, fixture.words(), dialect) else { continue };
            let module = loader::Module::from_words(&packed.words[..]).unwrap();
            assert_eq!(carries(&packed.words), declares_extension(&module), "{name}");
            if !carries(&packed.words) {
                continue;
            }
            if let Some(environment) = environment {
                written.add(name, &packed.words, environment);
            }
            let counts = compare(&packed.words, &packed.properties, &format!("{name}, {dialect:?}"));
            modules[number] += 1;
            done += counts[0];
            refused += counts[1];
        }
    }
    written.assert_valid();
    assert!(modules[0] > 20 && modules[1] > 10 && done > 100 && refused > 20, "{modules:?} {done} {refused}");
}

#[test]
fn a_module_with_nothing_conditional_stays_as_it_is() {
    let mut seen = 0;
    for fixture in fixtures() {
        let (name, words, module) = (&fixture.name, fixture.words(), fixture.plain.module());
        let said = annotated(name, module);
        let analyses = Analyses::new(module, Cow::Borrowed(&said));
        let is_plain = analyses.properties().is_empty() && said.spec_constants.is_empty();
        if is_plain && analyses.calls().unwrap().calls.is_empty() {
            assert_eq!(packed(name, words, Dialect::default()).unwrap().words, words, "{name}");
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}

/// Specializes for an unknown device and then for a device: the intermediate module carries its own properties.
#[test]
fn what_stays_conditional_keeps_its_meaning() {
    for name in ["glsl/shade.spv", "opencl/device_if.spv", "headers/callables-O1.spv", "vulkan/reduce.spv"] {
        let packed = packed(name, fixture(name), Dialect::SpecConditional).unwrap();
        let module = Module::from_words(&packed.words).unwrap();
        let settings = Settings::new().unset(UnsetPolicy::Keep);
        let open = on(&module, &Device::default(), &settings).unwrap();
        let open = Module::from_words(&open.words).unwrap();
        assert_eq!(*open.properties().unwrap(), packed.properties, "{name}");
        for device in devices() {
            let whole = on(&module, device, &Settings::new()).map(|result| result.words);
            let late = on(&open, device, &Settings::new()).map(|result| result.words);
            assert_eq!(format!("{whole:?}"), format!("{late:?}"), "{name} on {}", device.name);
        }
        // An architecture leaves aspects open, and decides the constants for architectures.
        let mut device = Device::default();
        device.architecture = Device::embedded("intel_gpu_pvc").unwrap().architecture;
        let partly = on(&module, &device, &settings).unwrap();
        let partly = Module::from_words(&partly.words).unwrap();
        let mut left = packed.properties.clone();
        let mut constants = constants(&left);
        let of_architectures: BTreeSet<u32> = constants
            .leaves()
            .filter(|(_, leaf)| matches!(leaf, Leaf::Architecture(_)))
            .map(|(spec_id, _)| spec_id)
            .collect();
        constants.retain(|spec_id| !of_architectures.contains(&spec_id));
        match constants == SpecialConstants::default() && partly.properties().unwrap().sets.is_empty() {
            true => left.sets.clear(),
            false => left.put(constants.to_set()),
        }
        assert_eq!(partly.properties().unwrap().to_text(), left.to_text(), "{name}");
    }
}

fn constants(sets: &PropertySets) -> SpecialConstants {
    sets.get(SPECIAL_CONSTANTS)
        .map_or_else(SpecialConstants::default, |set| SpecialConstants::from_set(set).unwrap())
}

/// A constant that nothing conditional depends on, but a branch: it is the host's to set, and keeps its meaning.
#[test]
fn a_constant_that_only_decides_branches_keeps_its_meaning() {
    let text = "OpCapability Shader\nOpCapability SpecConditionalINTEL\nOpExtension \"SPV_INTEL_function_variants\"\n\
        OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %1 \"main\"\nOpExecutionMode %1 LocalSize 1 1 1\n\
        OpModuleProcessed \"spirv-if:properties:1 capabilities=2|ACAAAAAAAAAAAAAAIAAAAEAAAAgCAAAA [SYCL/special specialization constants]\"\n\
        OpDecorate %2 SpecId 0\nOpDecorate %3 SpecId 1\nOpDecorate %4 ConditionalINTEL %3\n\
        %5 = OpTypeVoid\n%6 = OpTypeFunction %5\n%7 = OpTypeBool\n%2 = OpSpecConstantFalse %7\n%3 = OpSpecConstantFalse %7\n\
        %1 = OpFunction %5 None %6\n%8 = OpLabel\nOpSelectionMerge %9 None\nOpBranchConditional %2 %10 %9\n%10 = OpLabel\n\
        OpBranch %9\n%9 = OpLabel\nOpReturn\nOpFunctionEnd\n\
        %4 = OpFunction %5 None %6\n%11 = OpLabel\nOpReturn\nOpFunctionEnd\n";
    let words = assemble(text, "spv1.3");
    let module = Module::from_words(&words).unwrap();
    let leaves_of = |sets: &PropertySets| constants(sets).leaves().collect::<Vec<_>>();
    let leaves = [8, 10].map(Leaf::Capability);
    assert_eq!(leaves_of(&module.properties().unwrap()), [(0, leaves[0]), (1, leaves[1])]);
    // Nothing conditional is left where the second is decided.
    let settings = Settings::new().unset(UnsetPolicy::Keep).set(1, true);
    let result = on(&module, &Device::default(), &settings).unwrap();
    let left = Module::from_words(&result.words).unwrap().properties().unwrap().into_owned();
    assert_eq!(leaves_of(&left), [(0, leaves[0])]);
    let result = on(&module, &Device::default(), &settings.set(0, false)).unwrap();
    assert!(!carries(&result.words));
}

/// Constants in the file that the module does not have are ignored.
#[test]
fn other_constants_are_not_carried() {
    let packed = packed("glsl/shade.spv", fixture("glsl/shade.spv"), Dialect::SpecConditional).unwrap();
    let mut properties = packed.properties.clone();
    let mut special = constants(&properties);
    special.extend([(99, Leaf::Aspect(57))]);
    properties.put(special.to_set());
    let alone = Module::from_words(&packed.words).unwrap();
    let beside = Module::from_words(&packed.words).unwrap().with_properties(properties).unwrap();
    let [alone, beside] = [alone, beside].map(|module| pack(&module, &PackOptions::default()).unwrap());
    assert_eq!(alone.properties, beside.properties);
    assert_eq!(alone.words, beside.words);
}

#[test]
fn entry_points_by_themselves_do_not_require_what_all_do() {
    let packed = packed("opencl/many.spv", fixture("opencl/many.spv"), Dialect::SpecConditional).unwrap();
    let module = Module::from_words(&packed.words).unwrap();
    let inner = &module.inner;
    let entry = inner.head().find(|inst| inst.is(spirv::Op::EntryPoint)).unwrap().string(3).into_owned();
    let settings = Settings::new().unset(UnsetPolicy::Keep).entry_points([entry]);
    let one = on(&module, &Device::default(), &settings).unwrap();
    let left = Module::from_words(&one.words).unwrap().properties().unwrap().into_owned();
    assert_eq!(left.get(DEVICE_REQUIREMENTS), None);
}

#[test]
fn packing_again_joins_what_is_carried() {
    for dialect in DIALECTS {
        let packed = packed("glsl/shade.spv", fixture("glsl/shade.spv"), dialect).unwrap();
        let options = PackOptions::new().dialect(dialect);
        let with = Module::from_words(&packed.words).unwrap();
        let with = with.with_properties(packed.properties.clone()).unwrap();
        let without = Module::from_words(&packed.words).unwrap();
        let [with, without] = [with, without].map(|module| pack(&module, &options).unwrap());
        assert_eq!(with.words, without.words);
        assert_eq!(with.properties, without.properties);
        assert_eq!(carried::read(&loader::Module::from_words(&with.words[..]).unwrap()), Ok(with.properties));
    }
}

/// Sets of other tools are carried too, at any size.
#[test]
fn large_sets_of_other_tools_are_carried() {
    let packed = packed("glsl/shade.spv", fixture("glsl/shade.spv"), Dialect::SpecConditional).unwrap();
    let mut other = PropertySet::new("SYCL/kernel param opt");
    for number in 0..40 {
        other.push(format!("kernel {number}"), Property::Bytes(vec![number; 20_000]));
    }
    let mut properties = packed.properties.clone();
    properties.put(other);
    let module = Module::from_words(&packed.words).unwrap().with_properties(properties.clone()).unwrap();
    let again = pack(&module, &PackOptions::default()).unwrap();
    assert_eq!(again.properties.sets.len(), 3);
    assert_eq!(again.properties.get("SYCL/kernel param opt"), properties.get("SYCL/kernel param opt"));
    assert_valid(&again.words, "vulkan1.3");
    compare(&again.words, &again.properties, "large");
}

#[test]
fn images_carry_what_is_beside_them() {
    let images = |words: &[u32], properties: &PropertySets| -> Vec<SplitImage> {
        let options = SplitOptions::new().mode(SplitMode::Kernel);
        let module = loader::Module::from_words(words).unwrap();
        let split = split(
            Analyses::new(&module, Cow::default()),
            Cow::Borrowed(properties),
            SplitInput::default(),
            options,
        )
        .unwrap();
        split.plans().iter().map(|plan| split.image(plan).unwrap()).collect()
    };
    for name in ["opencl/many.spv", "headers/glsl.spv"] {
        let plain = fixture(name);
        for image in images(plain, &PropertySets::default()) {
            assert!(!carries(&image.words), "{name}");
        }
        let packed = packed(name, plain, Dialect::SpecConditional).unwrap();
        let module = Module::from_words(&packed.words).unwrap();
        let properties = module.properties().unwrap();
        let of_packed = images(&packed.words, &properties);
        let all = constants(&properties).leaves().count();
        let fewer = of_packed.iter().filter(|image| constants(&image.properties).leaves().count() < all);
        assert!(name != "opencl/many.spv" || fewer.count() > 0, "{name}");
        for image in of_packed {
            compare(&image.words, &image.properties, name);
        }
    }
}

/// spirv-opt removes the properties with names: then the meaning of constants is unknown.
#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn stripped_modules_do_not_guess() {
    let optimizer = tool("SPIRV_OPT", "spirv-opt");
    let strip = |words: &[u32]| {
        words_of(&run(&optimizer, &["--strip-debug", "-", "-o", "-"], &bytes_of(words)).unwrap())
    };
    for name in ["glsl/shade.spv", "frontends/llvm-ir.spv"] {
        let packed = packed(name, fixture(name), Dialect::SpecConditional).unwrap();
        let stripped = strip(&packed.words);
        assert!(carries(&packed.words) && !carries(&stripped), "{name}");
        let module = Module::from_words(&stripped).unwrap();
        let pvc = Device::embedded("intel_gpu_bmg_g21").unwrap();
        match on(&module, &pvc, &Settings::new()) {
            Err(Error::Undecided(error)) => {
                assert!(error.to_string().contains("does not give the condition of SpecId 0"), "{error}");
            }
            other => panic!("{name}: {other:?}"),
        }
        // The file is enough.
        let with = module.with_properties(packed.properties.clone()).unwrap();
        let whole = Module::from_words(&packed.words).unwrap();
        let [with, whole] = [&with, &whole].map(|module| on(module, &pvc, &Settings::new()).unwrap().words);
        assert_eq!(strip(&with)[4..], strip(&whole)[4..], "{name}, but for the bound on ids");
    }
    // Device constants have their own conditions. The unconditional requirements of the module are in its declarations.
    let plain = fixture("opencl/wrapper-O2.spv");
    let packed = packed("opencl/wrapper-O2.spv", plain, Dialect::FunctionVariants).unwrap();
    let stripped = strip(&packed.words);
    for name in ["intel_gpu_pvc", "intel_gpu_acm_g10"] {
        let device = Device::embedded(name).unwrap();
        let outcomes = [&packed.words, &stripped].map(|words| {
            let module = Module::from_words(words).unwrap();
            on(&module, &device, &Settings::new()).map(|result| strip(&result.words)[4..].to_vec())
        });
        let [whole, stripped] = outcomes.map(|outcome| format!("{outcome:?}"));
        assert_eq!(whole, stripped, "{name}");
        assert_eq!(whole.starts_with("Err(Refused"), name == "intel_gpu_acm_g10", "{whole}");
    }
}

#[test]
fn a_file_that_says_otherwise_is_an_error() {
    let packed =
        packed("opencl/wrapper-O2.spv", fixture("opencl/wrapper-O2.spv"), Dialect::SpecConditional).unwrap();
    let error = |change: &dyn Fn(&mut PropertySets)| {
        let mut properties = packed.properties.clone();
        change(&mut properties);
        let module = Module::from_words(&packed.words).unwrap().with_properties(properties);
        module.map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(error(&|_| {}), Ok(()));
    assert_eq!(error(&|sets| sets.sets.clear()), Ok(()));
    assert_eq!(error(&|sets| sets.put(PropertySet::new("SYCL/other"))), Ok(()));
    let swapped = error(&|sets| {
        let leaves: Vec<_> =
            constants(sets).leaves().map(|(spec_id, _)| (spec_id, Leaf::Aspect(57))).collect();
        sets.put(SpecialConstants::new(leaves).to_set());
    });
    let swapped = swapped.unwrap_err();
    assert!(
        swapped.starts_with("the module and the properties beside it disagree on the meaning of SpecId 0: "),
        "{swapped}"
    );
    let changed = error(&|sets| {
        let mut requirements = PropertySet::new(DEVICE_REQUIREMENTS);
        requirements.push("aspect", Property::from_u32s(&[57]));
        sets.put(requirements);
    });
    let changed = changed.unwrap_err();
    assert!(changed.starts_with("the module and the properties beside it disagree on aspect "), "{changed}");
}

#[test]
fn damage_is_an_error_of_every_call() {
    let packed = packed("glsl/shade.spv", fixture("glsl/shade.spv"), Dialect::SpecConditional).unwrap();
    let module = loader::Module::from_words(&packed.words[..]).unwrap();
    let first = carried::strings(&module).next().unwrap();
    let (at, last) = (first.offset() as usize * 4, first.end() as usize - 2);
    let mut words = packed.words.clone();
    words[last] = u32::from_le_bytes(*b"????");
    let damaged = Module::from_words(&words).unwrap();
    let errors = [
        Prepared::new(&damaged).map(drop),
        pack(&damaged, &PackOptions::default()).map(drop),
        Module::from_words(&words).unwrap().with_properties(packed.properties).map(drop),
    ];
    for error in errors {
        let error = error.unwrap_err().to_string();
        assert!(
            error.contains(&format!("properties that the module carries at byte offset {at:#x} ({at})")),
            "{error}"
        );
    }
}

/// Checks that linked modules do not carry the requirements of one of them, and that devices no longer decide their
/// conditions.
#[test]
fn linked_modules_carry_nothing() {
    let function = |name: &str, requirement: u32| {
        let text = format!(
            "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\nOpMemoryModel Physical32 OpenCL\n\
             OpModuleProcessed \"spirv-if:properties:1 x=1|{requirement} [SYCL/device requirements]\"\n\
             OpDecorate %4 LinkageAttributes \"{name}\" Export\n%1 = OpTypeVoid\n%2 = OpTypeFunction %1\n\
             %4 = OpFunction %1 None %2\n%5 = OpLabel\nOpReturn\nOpFunctionEnd\n"
        );
        assemble(&text, "spv1.2")
    };
    let (a, b) = (function("a", 1), function("b", 2));
    let [first, second] = [&a, &b].map(|words| loader::Module::from_words(&words[..]).unwrap());
    let [first, second] =
        [NamedModule { name: "a", module: &first }, NamedModule { name: "b", module: &second }];
    assert!(!carries(link(&[first, second]).unwrap().module.words()));
    assert!(carries(link(&[first]).unwrap().module.words()));
}
