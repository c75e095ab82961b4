//! Verdicts, compared with the declarations of modules that are really packed and specialized.

use crate::analysis::Analyses;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use spirv::{Capability, Op};

use crate::analysis::{DeviceRequirement, closure};
use crate::compatibility::{
    Compatibility, DeviceResults, DeviceValues, EntryRequirements, Missing, ModuleDeclarations, Verdict,
};
use crate::condition::Expr;
use crate::device::api::limits;
use crate::device::reports::VulkanReport;
use crate::device::{Api, Device, DeviceConfig, DeviceParts};
use crate::loader::{Module, Version};
use crate::metadata::property_sets::PropertySets;
use crate::pipelines::{SpecializeRequest, groups, pack_with};
use crate::test_support::{instruction, module_of};
use crate::tests::corpus::{Analysed, fixture, share_of_fixtures};
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
fn judge(result: &Compatibility, device: &Device, declared: &DriverDeclarations, what: &str) {
    let DriverDeclarations { version, capabilities, extensions } = declared;
    let version = Version::from_word(*version);
    let in_kernels = capabilities.contains(&(Capability::Kernel as u32));
    let device = &device.for_api(if in_kernels { Api::OpenCl } else { Api::Vulkan });
    let of_capabilities = capabilities
        .iter()
        .map(|&number| (device.supports_capability(number, in_kernels), Missing::Capability(number.into())));
    let of_extensions = extensions
        .iter()
        .map(|name| (device.supports_extension(name, version), Missing::Extension(name.clone())));
    let of_version = [(device.supports_spirv_version(version), Missing::Version(version))];
    let facts: Vec<_> = of_version.into_iter().chain(of_capabilities).chain(of_extensions).collect();
    let lacks = |answer: Option<bool>| facts.iter().filter(move |fact| fact.0 == answer).map(|fact| &fact.1);
    let expected = match (lacks(Some(false)).next(), lacks(None).next()) {
        (Some(_), _) => Verdict::DoesNotRun,
        (None, Some(_)) => Verdict::NotKnown,
        (None, None) => Verdict::Runs,
    };
    let context = format!("{what} on {}: {result}", device.name);
    assert_eq!(result.verdict(), expected, "{context}, declared {capabilities:?} {extensions:?}");
    for missing in &result.missing {
        assert!(lacks(Some(false)).any(|other| other == missing), "{context}");
    }
    for unknown in &result.unknown {
        assert!(lacks(None).any(|other| other == unknown), "{context}");
    }
}

/// Returns the known devices, and some with other lists.
fn devices() -> Vec<Device> {
    let mut devices: Vec<Device> = DeviceConfig::embedded().unwrap().iter().cloned().collect();
    let dg1 = Device::embedded("intel_gpu_dg1").unwrap();
    let variant = |name: &str, parts: &str| {
        let parts = DeviceParts::new().device("intel_gpu_dg1").capabilities(parts);
        Device { name: name.to_owned().into(), ..parts.to_device(None).unwrap() }
    };
    let all = "VulkanMemoryModelDeviceScope,GroupNonUniformArithmetic,GroupNonUniformVote,StorageBuffer16BitAccess,\
               SubgroupDispatch,GroupNonUniformBallot,PhysicalStorageBufferAddresses,FPFastMathModeINTEL";
    devices.push(variant("with_more", all));
    devices.push(variant("knows_the_extension", "SpecConditionalINTEL,FunctionVariantsINTEL"));
    let nothing = dg1.clone().with_facts(|facts| {
        (facts.capabilities, facts.aspects) = (Some([].into()), Some([].into()));
    });
    devices.push(Device { name: "nothing".into(), architecture: None, ..nothing });
    let no_extensions = dg1.with_facts(|facts| {
        (facts.extensions, facts.exact_extensions) = (Some([].into()), true);
    });
    devices.push(Device { name: "no_extensions".into(), ..no_extensions });
    devices
}

/// A module with its name and properties.
type FitCase = (String, &'static Analysed, Cow<'static, PropertySets>);

/// Returns the fixtures, and all results of packing them.
fn cases() -> Vec<FitCase> {
    let mut cases = Vec::new();
    for fixture in share_of_fixtures(2) {
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
    let device = analyses.device_for_module(device);
    let known = DeviceValues::new(&device, sets).unwrap();
    let specialized = specialize(analyses, &known, &[], Default::default()).unwrap();
    assert!(specialized.report.undecided.is_empty(), "{:?}", specialized.report.undecided);
    apply(module, &specialized.edits).unwrap()
}

#[test]
fn what_runs_after_pack_is_what_a_driver_accepts() {
    let devices = devices();
    let mut results_of_devices = DeviceResults::new(devices.iter().collect());
    let (mut runs, mut more) = (0, 0);
    for (name, case, sets) in &cases() {
        let (module, analyses) = (case.module(), case.analyses());
        let as_is = ModuleDeclarations::as_is(module);
        let as_is = results_of_devices.for_module(&as_is, module, sets).unwrap();
        let (after, sets_after) = packed(module, analyses, sets);
        let after = Module::from_words(&after[..]).unwrap();
        let after_analyses = Analyses::new(&after, Cow::default());
        let packed = ModuleDeclarations::after_pack(analyses).unwrap();
        let packed = results_of_devices.for_module(&packed, module, sets).unwrap();
        let is_conditional = module.capabilities().any(|declared| declared.condition().is_some());
        let as_declared = (!is_conditional).then(|| declared(&case.words, name));
        let mut results: BTreeMap<Vec<u32>, DriverDeclarations> = BTreeMap::new();
        // Devices of a group get the same module, as the tests of pack check.
        for group in groups(
            &after_analyses,
            &sets_after,
            &SpecializeRequest::default(),
            devices.iter().enumerate(),
            |(_, device)| *device,
        )
        .unwrap()
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
    let packed = fixture("glsl/reduce.spv").packed(Dialect::SpecConditional).unwrap();
    let (case, sets) = (&packed.result, &packed.properties);
    let parts = |capabilities: &str| DeviceParts::new().device("amd_gpu_gfx1030").capabilities(capabilities);
    let knows = parts("SpecConditionalINTEL").to_device(None).unwrap();
    let without = parts("").to_device(None).unwrap();
    let mut results_of_devices = DeviceResults::new(vec![&knows, &without]);
    let as_is = ModuleDeclarations::as_is(case.module());
    assert!(as_is.has_constants());
    let answers = results_of_devices.for_module(&as_is, case.module(), sets).unwrap();
    let answers: Vec<String> = answers.iter().map(ToString::to_string).collect();
    assert_eq!(answers, ["runs", "SpecConditionalINTEL?"]);
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
    let fp16 = fp16.to_device(None).unwrap();
    let mut results = DeviceResults::new(vec![&unknown, &fp16]);
    let mut answers = |capabilities: &[Capability], required| {
        let declarations = declaring(capabilities).with_entry(entry(Some(4096), required));
        let results = results.for_declarations(&declarations);
        let names = |features: &[Missing]| features.iter().map(Missing::name).collect::<Vec<_>>().join(" ");
        let texts = results.iter().map(|result| {
            format!("{}: {} / {}", result.verdict(), names(&result.missing), names(&result.unknown))
        });
        texts.collect::<Vec<_>>()
    };
    let both = [Capability::Float16, Capability::Float64];
    assert_eq!(
        answers(&both, sub_group(8)),
        [
            "not known:  / SPIR-V 1.6 Float16 Float64 work-group size 4096 sub-group size 8",
            "does not run: Float64 / SPIR-V 1.6 work-group size 4096 sub-group size 8",
        ]
    );
}

#[test]
fn what_is_missing_first() {
    let config = DeviceConfig::from_yaml(
        "test.yaml",
        "small:\n  environments: [vulkan]\n  sub-group-sizes: [32]\n  max-work-group-size: 256\n  \
         spirv-versions: [1.0, 1.6]\n  exact-spirv-versions: true\n  extensions: [SPV_A]\n  exact-extensions: true\n  \
         capabilities: [Float16]\n",
    );
    let config = config.unwrap();
    let mut results_of_devices = DeviceResults::new(config.iter().collect());
    let mut first =
        |declarations: &ModuleDeclarations| results_of_devices.for_declarations(declarations)[0].to_string();
    let entry = entry(Some(257), sub_group(16));
    let mut all = declaring(&[Capability::Shader, Capability::Float16]).with_entry(entry);
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
    all.entry.work_group_size = Some(256);
    assert_eq!(first(&all), "sub-group size 16");
    all.entry.required = sub_group(32);
    assert_eq!(first(&all), "runs");
}

/// Compares each limit of the table with the value in a device's report, and with the least value where a device does not state it.
#[test]
fn each_limit_is_compared() {
    for row in limits() {
        let mut report = VulkanReport::new("stated", Version::new(1, 3), []);
        assert!(report.set(row.structure, row.limit, row.least + 10), "{}", row.limit);
        let stated = report.device();
        let unstated = VulkanReport::new("unstated", Version::new(1, 3), []).device();
        let mut results = DeviceResults::new(vec![&stated, &unstated]);
        let mut verdicts = |number: u64| {
            let (size, limits) = match row.is_of_all_apis() {
                true => (Some(number), Vec::new()),
                false => (None, vec![(row, number)]),
            };
            let declarations = ModuleDeclarations { version: Version::new(1, 0), ..Default::default() };
            let entry = EntryRequirements { limits, ..entry(size, Vec::new()) };
            let declarations = declarations.with_entry(entry);
            let results = results.for_declarations(&declarations);
            [results[0].verdict(), results[1].verdict()]
        };
        assert_eq!(verdicts(row.least), [Verdict::Runs, Verdict::Runs], "{}", row.limit);
        assert_eq!(verdicts(row.least + 10), [Verdict::Runs, Verdict::NotKnown], "{}", row.limit);
        assert_eq!(verdicts(row.least + 11), [Verdict::DoesNotRun, Verdict::NotKnown], "{}", row.limit);
    }
}

/// Returns the requirements of an entry point.
fn entry(work_group_size: Option<u64>, required: Vec<(DeviceRequirement, Expr)>) -> EntryRequirements {
    EntryRequirements { work_group_size, required, ..EntryRequirements::default() }
}

/// Returns the unconditional requirement of a sub-group size.
fn sub_group(size: u32) -> Vec<(DeviceRequirement, Expr)> {
    vec![(DeviceRequirement::SubGroupSize(size), Expr::True)]
}
