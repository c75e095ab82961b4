//! Results of devices, compared with the declarations of modules that are really packed and specialized.

use crate::analysis::Analyses;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use spirv::{Capability, Op};

use crate::analysis::{DeviceRequirement, closure, requirements};
use crate::compatibility::{DeviceValues, Fit, Fits, Missing, ModuleDeclarations};
use crate::condition::Expr;
use crate::device::{Device, DeviceConfig, DeviceParts};
use crate::loader::{Module, Version};
use crate::metadata::property_sets::PropertySets;
use crate::pipelines::{groups, pack_with};
use crate::test_support::{instruction, module_of};
use crate::tests::corpus::{Analysed, fixtures};
use crate::transform::pack::{Dialect, PackOptions};
use crate::transform::specialize::specialize;
use crate::transform::trim::trim;
use crate::writer::apply;

/// The declarations of a module: its version, the capabilities with their implied capabilities, and the extensions.
struct DriverDeclarations {
    version: u32,
    capabilities: BTreeSet<u32>,
    extensions: BTreeSet<String>,
}

fn declared(words: &[u32], what: &str) -> DriverDeclarations {
    let module = Module::from_words(words).unwrap();
    let is_decided = module.capabilities().all(|declared| declared.condition().is_none());
    assert!(is_decided, "{what}: everything is decided");
    let declared: BTreeSet<u32> = module.capabilities().map(|declared| declared.capability()).collect();
    let all = closure(declared.iter().copied()).into_iter();
    let extensions = module.extensions().map(|declared| declared.name().into_owned()).collect();
    DriverDeclarations {
        version: words[1],
        capabilities: declared.iter().copied().chain(all).collect(),
        extensions,
    }
}

/// Compares a result with the declarations that a driver of the device would see.
fn judge(fit: &Fit, device: &Device, declared: &DriverDeclarations, what: &str) {
    let DriverDeclarations { version, capabilities, extensions } = declared;
    let supported = device.capabilities.as_ref().unwrap();
    // Features in the core of a SPIR-V version need no extension.
    let is_core = |name: &str| {
        let core = requirements::extensions().iter().find(|extension| extension.name == name);
        core.and_then(|extension| extension.core).is_some_and(|core| core <= *version)
    };
    let lacks = |name: &&String| {
        device.extensions.as_ref().is_some_and(|extensions| !extensions.contains(*name) && !is_core(name))
    };
    let accepts_version = device.has_spirv_version(Version::from_word(*version)) != Some(false);
    let runs =
        accepts_version && capabilities.is_subset(supported) && !extensions.iter().any(|name| lacks(&name));
    let context = format!("{what} on {}: {fit}", device.name);
    assert_eq!(fit.runs(), runs, "{context}, declared {capabilities:?} {extensions:?}");
    match fit {
        Fit::Runs => {}
        Fit::Missing(Missing::Version(_)) => assert!(!accepts_version, "{context}"),
        // A missing entry is no evidence for an extension that no device here lists.
        Fit::Missing(Missing::Capability(capability)) | Fit::Unknown(Missing::Capability(capability)) => {
            assert!(capabilities.contains(&capability.0) && !supported.contains(&capability.0), "{context}");
        }
        Fit::Missing(Missing::Extension(name)) => {
            assert!(extensions.contains(name) && lacks(&name), "{context}");
        }
        other => panic!("{what} on {}: {other}", device.name),
    }
}

/// Returns the known devices, and some with other lists.
fn devices() -> Vec<Device> {
    let mut devices: Vec<Device> = DeviceConfig::embedded().unwrap().iter().cloned().collect();
    let dg1 = Device::embedded("intel_gpu_dg1").unwrap();
    let variant = |name: &str, parts: &str| {
        let parts = DeviceParts::new().device("intel_gpu_dg1").capabilities(parts);
        Device { name: name.into(), ..Device::from_parts(&parts, None).unwrap() }
    };
    let all = "VulkanMemoryModelDeviceScope,GroupNonUniformArithmetic,GroupNonUniformVote,StorageBuffer16BitAccess,\
               SubgroupDispatch,GroupNonUniformBallot,PhysicalStorageBufferAddresses,FPFastMathModeINTEL";
    devices.push(variant("with_more", all));
    devices.push(variant("knows_the_extension", "SpecConditionalINTEL,FunctionVariantsINTEL"));
    let nothing =
        Device { capabilities: Some(BTreeSet::new()), aspects: Some(BTreeSet::new()), ..dg1.clone() };
    devices.push(Device { name: "nothing".into(), architecture: None, ..nothing });
    devices.push(Device { name: "no_extensions".into(), extensions: Some(BTreeSet::new()), ..dg1 });
    devices
}

/// A module with its name and properties.
type FitCase = (String, &'static Analysed, Cow<'static, PropertySets>);

/// Returns the fixtures, and all modules that packing makes of them.
fn cases() -> Vec<FitCase> {
    let mut cases = Vec::new();
    for fixture in fixtures() {
        for dialect in [Dialect::SpecConditional, Dialect::FunctionVariants] {
            if let Some(packed_fixture) =
                fixture.packed(dialect).filter(|packed_fixture| !packed_fixture.packed.edits.is_empty())
            {
                let name = format!("{} {dialect:?}", fixture.name);
                cases.push((name, &packed_fixture.result, Cow::Borrowed(&packed_fixture.properties)));
            }
        }
        cases.push((fixture.name.clone(), &fixture.plain, Cow::default()));
    }
    assert!(cases.iter().any(|(name, ..)| name.ends_with("FunctionVariants")));
    cases
}

/// Returns a module after packing, or trimming if there is nothing to pack, with its properties.
fn packed(module: &Module, analyses: &Analyses, sets: &PropertySets) -> (Vec<u32>, PropertySets) {
    let (packed, sets_after) = pack_with(analyses, sets, &PackOptions::default()).unwrap();
    if packed.packed.edits.is_empty() {
        return (apply(module, &trim(module).edits).unwrap(), sets.clone());
    }
    (packed.words, sets_after)
}

/// Returns a packed module specialized for a device.
fn specialized(module: &Module, analyses: &Analyses, sets: &PropertySets, device: &Device) -> Vec<u32> {
    let known = DeviceValues::new(device, sets).unwrap();
    let specialized = specialize(analyses, &known, &[], Default::default()).unwrap();
    assert!(specialized.report.undecided.is_empty(), "{:?}", specialized.report.undecided);
    apply(module, &specialized.edits).unwrap()
}

#[test]
fn what_runs_after_pack_is_what_a_driver_accepts() {
    let devices = devices();
    let mut fits = Fits::new(devices.iter().collect());
    let (mut runs, mut more) = (0, 0);
    for (name, case, sets) in &cases() {
        let (module, analyses) = (case.module(), case.analyses());
        let as_is = ModuleDeclarations::as_is(module);
        let as_is = fits.for_module(&as_is, module, sets).unwrap();
        let (after, sets_after) = packed(module, analyses, sets);
        let after = Module::from_words(&after[..]).unwrap();
        let after_analyses = Analyses::of(&after);
        let packed = ModuleDeclarations::after_pack(analyses).unwrap();
        let packed = fits.for_module(&packed, module, sets).unwrap();
        let is_conditional = module.capabilities().any(|declared| declared.condition().is_some());
        let as_declared = (!is_conditional).then(|| declared(&case.words, name));
        let mut results: BTreeMap<Vec<u32>, DriverDeclarations> = BTreeMap::new();
        // Devices of a group get the same module, as the tests of pack check.
        for group in
            groups(&after_analyses, &sets_after, devices.iter().enumerate(), |(_, device)| *device).unwrap()
        {
            let first = group[0].1;
            let result = specialized(&after, &after_analyses, &sets_after, first);
            let result = results
                .entry(result)
                .or_insert_with_key(|result| declared(result, &format!("{name}, packed, on {}", first.name)));
            for (at, device) in group {
                judge(&packed[at], device, result, &format!("{name}, packed,"));
                if let Some(as_declared) = &as_declared {
                    judge(&as_is[at], device, as_declared, &format!("{name}, as is,"));
                }
                assert!(packed[at].runs() || !as_is[at].runs(), "{name}: packing takes no device away");
                runs += usize::from(as_is[at].runs());
                more += usize::from(packed[at].runs() && !as_is[at].runs());
            }
        }
    }
    assert!(runs > 500 && more > 200, "the comparison means something: {runs}, {more}");
}

#[test]
fn a_driver_that_knows_the_extension_accepts_a_packed_module_as_it_is() {
    let cases = cases();
    let (_, case, sets) = cases.iter().find(|(name, ..)| name == "glsl/reduce.spv SpecConditional").unwrap();
    let parts = |capabilities: &str| DeviceParts::new().device("amd_gpu_gfx1030").capabilities(capabilities);
    let knows = Device::from_parts(&parts("SpecConditionalINTEL"), None).unwrap();
    let without = Device::from_parts(&parts(""), None).unwrap();
    let mut fits = Fits::new(vec![&knows, &without]);
    let as_is = ModuleDeclarations::as_is(case.module());
    assert!(as_is.has_constants());
    let conditional = Missing::Capability((Capability::SpecConditionalINTEL as u32).into());
    let answers = fits.for_module(&as_is, case.module(), sets).unwrap();
    assert_eq!(answers[..], [Fit::Runs, Fit::Missing(conditional)]);
}

/// Returns a module of version 1.6 with these declarations.
fn declaring(capabilities: &[Capability]) -> ModuleDeclarations {
    let capabilities: Vec<Vec<u32>> = capabilities
        .iter()
        .map(|&capability| instruction(Op::Capability as u16, &[capability as u32]))
        .collect();
    let words = module_of(2, &capabilities);
    ModuleDeclarations::as_is(&Module::from_words(&words[..]).unwrap())
}

#[test]
fn nothing_runs_where_nothing_is_known() {
    let unknown = Device::default();
    let fp16 = DeviceParts::new().aspects("fp16");
    let fp16 = Device::from_parts(&fp16, None).unwrap();
    let mut fits = Fits::new(vec![&unknown, &fp16]);
    let float = |capability: Capability| Missing::Capability((capability as u32).into());
    let answers = fits.for_declarations(&declaring(&[Capability::Float16]));
    assert_eq!(answers[..], [Fit::Unknown(float(Capability::Float16)), Fit::Runs]);
    let answers =
        fits.for_declarations(&declaring(&[Capability::Float16, Capability::Float64, Capability::Shader]));
    let lacks = Fit::Missing(float(Capability::Float64));
    assert_eq!(answers[..], [Fit::Unknown(float(Capability::Shader)), lacks], "what is sure goes first");
    assert_eq!(answers[0].to_string(), "Shader?");
    let answers = fits.for_declarations(&declaring(&[]).with_requirements(Some(4096), sub_group(8)));
    assert_eq!(
        answers[..],
        [Fit::Unknown(Missing::sub_group_size(8)), Fit::Unknown(Missing::sub_group_size(8))]
    );
}

#[test]
fn what_is_missing_first() {
    let config = DeviceConfig::from_yaml(
        "test.yaml",
        "small:\n  environments: [vulkan]\n  sub-group-sizes: [32]\n  max-work-group-size: 256\n  \
         spirv-versions: [1.0, 1.6]\n  extensions: [SPV_A]\n  capabilities: [Float16]\n",
    );
    let config = config.unwrap();
    let mut fits = Fits::new(config.iter().collect());
    let mut first = |declarations: &ModuleDeclarations| fits.for_declarations(declarations)[0].to_string();
    let mut all =
        declaring(&[Capability::Shader, Capability::Float16]).with_requirements(Some(257), sub_group(16));
    assert_eq!(all.version, Version::new(1, 6));
    let always = |name: &str| (name.to_owned(), crate::condition::Expr::True);
    all.extensions = vec![always("SPV_A"), always("SPV_B")];
    all.version = Version::new(1, 5);
    all.capabilities.extend(declaring(&[Capability::Float64]).capabilities);
    assert_eq!(first(&all), "SPIR-V 1.5");
    all.version = Version::new(1, 6);
    assert_eq!(first(&all), "Float64");
    all.capabilities.pop();
    assert_eq!(first(&all), "SPV_B");
    all.extensions.pop();
    assert_eq!(first(&all), "work-group size 257");
    all.work_group_size = Some(256);
    assert_eq!(first(&all), "sub-group size 16");
    all.required = sub_group(32);
    assert_eq!(first(&all), "runs");
}

/// Returns the unconditional requirement of a sub-group size.
fn sub_group(size: u32) -> Vec<(DeviceRequirement, Expr)> {
    vec![(DeviceRequirement::SubGroupSize(size), Expr::True)]
}
