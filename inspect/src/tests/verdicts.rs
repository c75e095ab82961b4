//! One verdict: inspecting, specializing, checking, filtering and selecting give the same answer for every device.

use crate::test_support::{in_share, share};
use crate::tests::corpus::{Fixture, fixtures};
use crate::{DeviceSupport, EntryPoint, InspectOptions, Inspector};
use spirv_if::device::{Capability, DeviceConfig, Target};
use spirv_if::engine::analysis::conditions::multi_target::declares_extension;
use spirv_if::engine::metadata::property_sets::{ConditionalRequirements, DeviceRequirements};
use spirv_if::error::Missing;
use spirv_if::module::find_modules;
use spirv_if::property_sets::PropertyNames;
use spirv_if::property_sets::PropertySets;
use spirv_if::specialize::Compatibility;
use spirv_if::specialize::{UnsetPolicy, Verdict};
use spirv_if::{Device, Error, Module, PackOptions, Prepared, Settings, pack};
use spirv_if_sycl::check::{CheckOptions, check};
use spirv_if_sycl::program::{Program, ProgramImage};

/// Distance between the devices for which a module is checked, filtered and selected. Each module has other devices.
const OTHERS_STEP: usize = 13;

/// Compares the verdicts on a module.
struct VerdictComparison<'a> {
    devices: Vec<Device>,
    inspector: Inspector<'a>,
    /// The number of compared modules.
    modules: usize,
    /// The number of compared answers of each kind: runs, does not run, not known.
    counts: [usize; 3],
    /// The number of checks of fixed targets without warnings, and with warnings.
    warned: [usize; 2],
}

impl<'a> VerdictComparison<'a> {
    fn new(options: &'a InspectOptions) -> VerdictComparison<'a> {
        let devices = DeviceConfig::embedded().unwrap().iter().cloned().collect();
        VerdictComparison {
            devices,
            inspector: Inspector::new(options).unwrap(),
            modules: 0,
            counts: [0; 3],
            warned: [0; 2],
        }
    }

    /// Compares the verdicts of all commands on a module and some of the devices, by number.
    fn module(&mut self, name: &str, module: &Module<'a>, numbers: impl Iterator<Item = usize>) {
        let inspection = self.inspector.inspect(module).unwrap();
        let mut roots = inspection.entry_points();
        // Exported functions count only in a library.
        if roots.iter().any(|root| root.stage.is_some()) {
            roots.retain(|root| root.stage.is_some());
        }
        let splits = inspection.inspected.remedy.words().contains("split");
        let prepared = Prepared::new(module).unwrap();
        let image = ComparedImage::new(module, &roots);
        for number in numbers {
            let device = &self.devices[number];
            let context = format!("{name} on {}", device.name());
            let of_roots: Vec<&DeviceSupport> = roots.iter().map(|root| &root.each_device[number]).collect();
            assert!(of_roots.iter().all(|support| support.device == device.name()), "{context}");
            let verdict = match splits {
                true => specialized_alone(&context, &prepared, device, &roots, &of_roots),
                false => specialized(&context, &prepared, device, &roots, &of_roots),
            };
            // These read the module anew.
            if (number + self.modules).is_multiple_of(OTHERS_STEP) {
                image.compare(&context, device, &of_roots);
                self.warned[usize::from(is_warned(&context, module, &prepared, device))] += 1;
            }
            self.counts[verdict as usize] += 1;
        }
        self.modules += 1;
    }
}

/// Returns the options of an inspection with a table of all devices.
fn each_device() -> InspectOptions {
    InspectOptions::new().each_device("*").skip_constants(true).skip_remedies(true)
}

/// Compares the verdict of specializing a module with the table of its inspection.
fn specialized(
    context: &str,
    prepared: &Prepared,
    device: &Device,
    roots: &[EntryPoint],
    of_roots: &[&DeviceSupport],
) -> Verdict {
    let settings = Settings::new().trim(true).unset(UnsetPolicy::Keep);
    let refused = |support: &DeviceSupport| support.after_pack.verdict() == Verdict::DoesNotRun;
    let refused_roots = roots.iter().zip(of_roots).filter(|(_, support)| refused(support));
    let does_not_run: Vec<&str> = refused_roots.map(|(root, _)| root.name.as_str()).collect();
    let report = match prepared.specialize(device, &settings) {
        Err(Error::Refused(refused)) => {
            assert_eq!(does_not_run.len(), roots.len(), "{context}: {refused}");
            return Verdict::DoesNotRun;
        }
        result => result.unwrap().report,
    };
    let mut unsupported: Vec<&str> =
        report.unsupported.iter().map(|entry| entry.entry_point.as_str()).collect();
    // Several features may be missing for one entry point.
    unsupported.dedup();
    assert_eq!(does_not_run, unsupported, "{context}");
    let is_known = of_roots.iter().all(|support| support.after_pack.verdict() != Verdict::NotKnown);
    assert_eq!(report.not_known.is_empty(), is_known, "{context}: {:?}", report.not_known);
    if is_known { Verdict::Runs } else { Verdict::NotKnown }
}

/// Like [`specialized`], for a module whose entry points become separate images. Returns the verdict on the last one.
fn specialized_alone(
    context: &str,
    prepared: &Prepared,
    device: &Device,
    roots: &[EntryPoint],
    of_roots: &[&DeviceSupport],
) -> Verdict {
    let mut last = Verdict::NotKnown;
    for (root, support) in roots.iter().zip(of_roots).filter(|(root, _)| root.stage.is_some()) {
        let settings = Settings::new().trim(true).unset(UnsetPolicy::Keep);
        let alone = prepared.specialize(device, &settings.entry_points([root.name.as_str()]));
        let is_refused = matches!(alone, Err(Error::Refused(_)));
        last = support.after_pack.verdict();
        assert_eq!(is_refused, last == Verdict::DoesNotRun, "{context}: {}", root.name);
    }
    last
}

/// Returns true if checking warns of a fixed target: exactly where the device does not run the module, or an entry point of it.
fn is_warned(context: &str, module: &Module, prepared: &Prepared, device: &Device) -> bool {
    let warnings = check(module, &CheckOptions::new().fixed_targets([device.clone()])).unwrap();
    let of_target = |rule: &str| ["missing-on-fixed-target", "declared-not-supported"].contains(&rule);
    let is_warned = warnings.iter().any(|warning| of_target(warning.rule));
    let does_not_run = match prepared.specialize(device, &Settings::new().unset(UnsetPolicy::Keep)) {
        Err(Error::Refused(_)) => true,
        result => !result.unwrap().report.unsupported.is_empty(),
    };
    assert_eq!(is_warned, does_not_run, "{context}: {warnings:?}");
    is_warned
}

/// A module as an image of a program, for `filter` and `select`.
struct ComparedImage<'i, 'm> {
    module: &'i Module<'m>,
    properties: PropertySets,
    program: Program,
    entry_points: Vec<String>,
    /// True if nothing stays conditional in the module.
    is_plain: bool,
}

impl<'i, 'm> ComparedImage<'i, 'm> {
    fn new(module: &'i Module<'m>, roots: &[EntryPoint]) -> ComparedImage<'i, 'm> {
        let entry_points = roots.iter().filter(|root| root.stage.is_some());
        let entry_points: Vec<String> = entry_points.map(|root| root.name.clone()).collect();
        let bytes: Vec<u8> = module.words().iter().flat_map(|word| word.to_le_bytes()).collect();
        let code = move || Ok(bytes.clone());
        let properties = module.properties().unwrap().into_owned();
        let image = ProgramImage::new("image", properties.clone(), entry_points.clone(), code);
        let program = Program::new([image]).unwrap();
        let is_plain = !declares_extension(&module.inner);
        ComparedImage { module, properties, program, entry_points, is_plain }
    }

    /// Compares the verdicts of filtering and selecting on the unchanged module with the table of inspecting it.
    fn compare(&self, context: &str, device: &Device, of_roots: &[&DeviceSupport]) {
        if !self.is_plain || self.entry_points.is_empty() {
            return;
        }
        let inspected: Vec<Verdict> =
            of_roots.iter().map(|support| verdict_without_linkage(support.as_is.clone())).collect();
        let target = Target::of_device(device);
        let filtered = spirv_if_sycl::split::compatibility(&target, self.module, &self.properties).unwrap();
        let filtered = verdict_without_linkage(filtered);
        match inspected[..] {
            [verdict] => assert_eq!(filtered, verdict, "{context}: filter"),
            _ => {
                let all_refused = inspected.iter().all(|verdict| *verdict == Verdict::DoesNotRun);
                assert_eq!(filtered == Verdict::DoesNotRun, all_refused, "{context}: filter");
            }
        }
        for (kernel, inspected) in self.entry_points.iter().zip(inspected) {
            let selection = self.program.select_unchecked(kernel, device).unwrap();
            let selected = verdict_without_linkage(selection.compatibility().unwrap());
            assert_eq!(selected, inspected, "{context}: select {kernel}");
        }
    }
}

/// Returns the verdict on a linked module: one without the capability Linkage. A runtime compares the sizes of work-groups, and decides
/// conditional calls.
fn verdict_without_linkage(mut result: Compatibility) -> Verdict {
    let linkage = Missing::Capability(Capability::new(spirv::Capability::Linkage as u32));
    for features in [&mut result.missing, &mut result.unknown] {
        let is_of_runtime = |feature: &Missing| {
            *feature == linkage
                || matches!(feature, Missing::WorkGroupSize { .. } | Missing::UndecidedCalls(_))
        };
        features.retain(|feature| !is_of_runtime(feature));
    }
    result.verdict()
}

/// The size up to which a fixture is specialized for more devices, in words.
const SMALL: usize = 4000;

/// The number of shares that have all devices of a fixture.
const DEVICE_PARTS: usize = 5;

/// Compares all fixtures. Each has other devices of a share; all shares have every device.
#[test]
fn every_command_says_the_same_of_fixtures() {
    let options = each_device();
    let mut comparison = VerdictComparison::new(&options);
    for (at, fixture) in fixtures().iter().enumerate() {
        let words = fixture.plain.module().words();
        let module = Module::from_words(words).unwrap();
        let count = comparison.devices.len();
        let numbers = |words: &[u32]| {
            let parts = if words.len() > SMALL { 11 * DEVICE_PARTS } else { DEVICE_PARTS };
            (0..count).filter(move |number| in_share(at + number, parts))
        };
        comparison.module(&fixture.name, &module, numbers(words));
        let packed = pack(&module, &PackOptions::new()).unwrap().words;
        if packed != words {
            let (name, numbers) = (format!("{}, packed,", fixture.name), numbers(&packed));
            comparison.module(&name, &Module::from_words(packed).unwrap(), numbers);
        }
    }
    let VerdictComparison { counts, warned, .. } = comparison;
    assert!(counts.iter().all(|&count| count > 100), "runs, does not run, not known: {counts:?}");
    assert!(warned.iter().all(|&count| count > 50), "{warned:?}");
}

/// Returns the requirements that fixtures are compared with.
fn recorded_requirements() -> Vec<DeviceRequirements> {
    let none = DeviceRequirements::default;
    let (fp16, fp64, pvc) = (5, 6, 0x10014);
    let when_gpu = ConditionalRequirements {
        condition: vec![-1, 2],
        aspects: vec![fp64],
        sub_group_sizes: vec![32],
        ..ConditionalRequirements::default()
    };
    vec![
        DeviceRequirements { fixed_targets: Some(vec![pvc]), ..none() },
        DeviceRequirements { fixed_targets: Some(Vec::new()), ..none() },
        DeviceRequirements { condition: Some(vec![-1, fp64 as i32]), ..none() },
        DeviceRequirements { aspects: vec![fp16, fp64], ..none() },
        DeviceRequirements { sub_group_sizes: vec![8], work_group_sizes: vec![vec![64, 32]], ..none() },
        DeviceRequirements { conditional: vec![when_gpu], ..none() },
    ]
}

/// Compares fixtures for which property sets record requirements that code does not have, or has too.
#[test]
fn every_command_compares_the_requirements_in_property_sets() {
    let options = each_device();
    let mut comparison = VerdictComparison::new(&options);
    let small = |fixture: &&'static Fixture| fixture.plain.module().words().len() < SMALL;
    for (at, fixture) in fixtures().iter().filter(small).enumerate() {
        for (of_set, required) in recorded_requirements().iter().enumerate() {
            let count = comparison.devices.len();
            let numbers = || (0..count).filter(|number| in_share(at + of_set + number, 37));
            let mut sets = PropertySets::default();
            sets.put(required.to_set(PropertyNames::Dpcpp));
            let words = fixture.plain.module().words().to_vec();
            let module = Module::from_words(words).unwrap().with_properties(sets).unwrap();
            let name = format!("{} with set {of_set}", fixture.name);
            comparison.module(&name, &module, numbers());
            let packed = pack(&module, &PackOptions::new()).unwrap();
            let packed =
                Module::from_words(packed.words).unwrap().with_properties(packed.properties).unwrap();
            comparison.module(&format!("{name}, packed,"), &packed, numbers());
            let [before, after] = [&module, &packed].map(|module| Prepared::new(module).unwrap());
            for device in numbers().map(|number| &comparison.devices[number]) {
                let verdict = |prepared: &Prepared| {
                    let settings = Settings::new().trim(true).unset(UnsetPolicy::Keep);
                    match prepared.specialize(device, &settings) {
                        Err(Error::Refused(_)) => Verdict::DoesNotRun,
                        _ => Verdict::Runs,
                    }
                };
                let is_lost =
                    verdict(&before) == Verdict::DoesNotRun && verdict(&after) != Verdict::DoesNotRun;
                assert!(!is_lost, "{name} on {}: packing loses a requirement", device.name());
            }
        }
    }
    let VerdictComparison { counts, warned, .. } = comparison;
    assert!(counts.iter().all(|&count| count > 100), "runs, does not run, not known: {counts:?}");
    assert!(warned.iter().all(|&count| count > 20), "{warned:?}");
}

/// The number of ggml's shaders that are compared by default, and of devices for each.
const SAMPLE: [usize; 2] = [100, 5];

/// Compares the verdicts of all commands on shaders of ggml's library. The number of the share chooses a sample of
/// shaders and devices.
#[test]
#[ignore = "needs ggml's library; scripts/test.sh runs it"]
fn every_command_says_the_same_of_real_modules() {
    let bytes = std::fs::read(crate::test_support::root().join("target/ggml/libggml-vulkan.so"))
        .expect("scripts/setup.sh ggml brings it");
    let modules: Vec<_> = find_modules(&bytes).filter_map(|candidate| candidate.load()).collect();
    assert!(modules.len() > 1000, "{} modules", modules.len());
    let options = each_device();
    let mut comparison = VerdictComparison::new(&options);
    let seed = share();
    let mut random = SampleGenerator(seed.unwrap_or_default() as u64);
    let devices = comparison.devices.len();
    let [module_count, device_count] = if seed.is_some() { SAMPLE } else { [modules.len(), devices] };
    let module_step = modules.len() / module_count;
    for modules in modules.chunks(module_step) {
        let module = &modules[random.below(modules.len())];
        let device_step = devices / device_count;
        let first = random.below(device_step);
        let numbers = (first..devices).step_by(device_step);
        let name = format!("share {seed:?}, the module at {}", module.offset());
        comparison.module(&name, module, numbers);
    }
    let VerdictComparison { modules, counts, .. } = comparison;
    println!("{modules} modules: {} run, {} do not, {} are not known", counts[0], counts[1], counts[2]);
    assert!(counts[0] > 100 && counts[1] > 20, "{counts:?}");
}

/// A linear congruential generator.
struct SampleGenerator(u64);

impl SampleGenerator {
    /// Returns a number below a limit.
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }
}

/// Checks that strict settings refuse devices that are not known to run a module, with the same features.
#[test]
fn strict_settings_refuse_what_is_not_known() {
    let bytes = std::fs::read(crate::test_support::root().join("fixtures/opencl/plain.spv")).unwrap();
    let module = Module::from_bytes(&bytes).unwrap();
    let prepared = Prepared::new(&module).unwrap();
    let device = spirv_if::device::DeviceParts::new().aspects("gpu,fp64").to_device(None).unwrap();
    let result = prepared.compatibility(&device, &Settings::new()).unwrap();
    assert_eq!(result.verdict(), Verdict::NotKnown);
    let Err(Error::Refused(refused)) = prepared.specialize(&device, &Settings::new().strict(true)) else {
        panic!("it is not refused");
    };
    assert_eq!((&refused.missing[..], &refused.unknown), (&[][..], &result.unknown));
    assert_eq!(
        refused.to_string(),
        "is not known to run on the described device: nothing says if it has SPIR-V 1.2, Addresses, Linkage, Kernel and 1 more"
    );
    let unknown = prepared.compatibility(&Device::default(), &Settings::new()).unwrap();
    assert_eq!(unknown.verdict(), Verdict::NotKnown);
}
