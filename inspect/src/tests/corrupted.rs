//! Modules with wrong words: nothing panics, and nothing runs without limit.

use std::borrow::Cow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::inspection::{self, NoTrials, WhySubject};
use crate::test_support::damage::damaged;
use crate::test_support::in_share;
use crate::tests::corpus::fixtures;
use spirv_if::device::{Device, DeviceConfig};
use spirv_if::engine::analysis::{Analyses, Annotated};
use spirv_if::engine::compatibility::{DeviceResults, DeviceValues};
use spirv_if::engine::loader::Module;
use spirv_if::engine::metadata::annotations::AnnotationsFile;
use spirv_if::engine::transform::definitions::NamedModule;
use spirv_if::engine::transform::{link, pack, properties, specialize};
use spirv_if::engine::writer;
use spirv_if::property_sets::PropertySets;
use spirv_if_sycl::engine::{CheckTargets, check};

/// Number of damaged copies of each fixture, and of large fixtures: all take about as long.
const COPIES: u64 = 75;
const MANY: u64 = 2_000;

/// Packs and specializes as far as possible. Returns the number of steps.
fn pack_and_specialize(analyses: &Analyses, device: &Device) -> usize {
    let Ok(packed) = pack::pack(analyses, &spirv_if::PackOptions::default()) else { return 0 };
    let packed = writer::apply(analyses.module(), &packed.edits).unwrap();
    let Ok(module) = Module::from_words(&packed[..]) else { return 1 };
    let properties = PropertySets::default();
    let known = DeviceValues::new(device, &properties).unwrap();
    let Ok(result) = specialize::specialize(
        &Analyses::new(&module, Cow::default()),
        &known,
        &[],
        spirv_if::specialize::UnsetPolicy::Default.into(),
    ) else {
        return 2;
    };
    let words = writer::apply(&module, &result.edits).unwrap();
    Module::from_words(&words[..]).map_or(3, |_| 4)
}

/// Lowers the compile-time properties of a module, and removes the rest. True if anything changes.
fn lower_properties(analyses: &Analyses) -> bool {
    let (module, options) = (analyses.module(), spirv_if::module::LowerOptions::default());
    let Ok(lowered) = properties::lower(analyses, options) else {
        return false;
    };
    let words = writer::apply(module, &lowered.edits).unwrap();
    let Ok(result) = Module::from_words(&words[..]) else { return false };
    writer::apply(&result, &properties::strip(&result)).unwrap() != module.words()
}

/// Runs all analyses and reports on a module.
fn inspect(analyses: &Analyses, results: &Mutex<DeviceResults>, questions: &[WhySubject]) -> bool {
    let result = inspection::with_context(analyses, &PropertySets::default(), |context| {
        let mut inspected = context.inspected(None, true)?;
        context.compare_with_devices(&mut inspected, results, true, Some(&NoTrials))?;
        for question in questions {
            context.why(question)?;
        }
        context.call_graph("").map(drop)
    });
    result.is_ok()
}

/// Returns annotations of every function and constant of a module.
fn annotations(module: &Module) -> [AnnotationsFile; 2] {
    let mut text = "types: {half: fp16}\nspec-constants: {0: fp16, 1: fp64}\nfunctions:\n".to_owned();
    text += "  '*': {uses: fp16, source: a}\n  'm*': {fixed-targets: x86_64}\n";
    let functions: Vec<u32> = module.functions().iter().map(|function| function.id).collect();
    for pair in functions.windows(2).take(20) {
        text += &format!("  '%{}': {{when: fp16, otherwise: '%{}'}}\n", pair[1], pair[0]);
    }
    let of_patterns = text.split("  '%").next().unwrap();
    [&text, of_patterns].map(|text| AnnotationsFile::from_yaml("a.yaml", text).unwrap())
}

/// Links a damaged module with an undamaged one that imports and exports the same names. Counts failures and
/// successes.
fn link(module: &Module, other: &Module, outcomes: &mut [usize; 2]) {
    let damaged = NamedModule { name: "damaged", module };
    let sound = NamedModule { name: "other", module: other };
    for inputs in [&[damaged][..], &[damaged, sound], &[sound, damaged], &[damaged, damaged]] {
        let linked = link::link(inputs);
        if let Ok(linked) = &linked {
            // A well-formed module remains well-formed.
            Module::from_words(linked.module.words()).unwrap();
        }
        outcomes[usize::from(linked.is_ok())] += 1;
    }
}

/// Counts failures and successes of each command.
#[derive(Default)]
struct CommandOutcomes {
    loaded: [usize; 2],
    inspected: [usize; 2],
    /// Counts by the number of steps.
    packed: [usize; 5],
    lowered: [usize; 2],
    checked: [usize; 2],
    annotated: [usize; 2],
    linked: [usize; 2],
}

/// The devices and questions of the commands.
struct Commands<'d> {
    device: &'d Device,
    results: Mutex<DeviceResults<'d>>,
    questions: [WhySubject; 4],
    targets: CheckTargets<'d>,
}

impl Commands<'_> {
    /// Runs every command on the damaged copies of a fixture. Each copy is loaded and analysed once.
    fn run(&self, at: usize, outcomes: &mut CommandOutcomes) {
        let Commands { device, results, questions, targets } = self;
        let fixture = &fixtures()[at];
        let (name, undamaged) = (&fixture.name, Analyses::new(fixture.plain.module(), Cow::default()));
        assert!(inspect(&undamaged, results, questions), "{name}: undamaged");
        assert_eq!(pack_and_specialize(&undamaged, device), 4, "{name}: undamaged");
        let is_small = fixture.words().len() < 8000;
        assert!(!is_small || check(&undamaged, targets).is_ok(), "{name}: undamaged");
        let annotations = annotations(undamaged.module());
        let other = fixtures()[(at + 1) % fixtures().len()].plain.module();
        let many = MANY.max(fixture.words().len() as u64);
        let copies = (COPIES * MANY / many).max(COPIES / 5);
        for (copy, words) in (0..).zip(damaged(fixture.words(), copies)) {
            let module = Module::from_words(&words[..]);
            outcomes.loaded[usize::from(module.is_ok())] += 1;
            let Ok(module) = module else { continue };
            let analyses = Analyses::new(&module, Cow::default());
            outcomes.inspected[usize::from(inspect(&analyses, results, questions))] += 1;
            outcomes.packed[pack_and_specialize(&analyses, device)] += 1;
            outcomes.lowered[usize::from(lower_properties(&analyses))] += 1;
            if is_small && copy < COPIES / 5 {
                outcomes.checked[usize::from(check(&analyses, targets).is_ok())] += 1;
            }
            for annotations in annotations.iter().filter(|_| copy < COPIES / 5) {
                let annotated = Annotated::resolve(&module, analyses.names(), annotations);
                outcomes.annotated[usize::from(annotated.is_ok())] += 1;
            }
            if is_small && copy < COPIES / 10 {
                link(&module, other, &mut outcomes.linked);
            }
        }
    }
}

/// Runs all commands on the same modules. Each thread takes one fixture at a time.
#[test]
fn damaged_modules_do_not_panic() {
    let devices = DeviceConfig::embedded().unwrap();
    let fixed_targets = ["intel_gpu_dg1", "nvidia_gpu_sm_50"].map(|name| devices.get(name).unwrap().clone());
    let commands = Commands {
        device: &fixed_targets[0],
        results: Mutex::new(DeviceResults::new(vec![&fixed_targets[0]])),
        questions: ["fp16", "Shader", "Kernel", "SPV_KHR_16bit_storage"]
            .map(|name| WhySubject::parse(name).unwrap()),
        targets: CheckTargets {
            fixed_targets: &fixed_targets,
            devices: &devices,
            properties: &PropertySets::default(),
        },
    };
    let next = AtomicUsize::new(0);
    let work = || {
        let mut outcomes = CommandOutcomes::default();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= fixtures().len() {
                return outcomes;
            }
            if in_share(at, 3) {
                commands.run(at, &mut outcomes);
            }
        }
    };
    let all = std::thread::scope(|scope| {
        let count = std::thread::available_parallelism().map_or(1, usize::from);
        let threads: Vec<_> = (0..count).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<CommandOutcomes>>()
    });
    fn sum<const N: usize>(
        all: &[CommandOutcomes],
        of: impl Fn(&CommandOutcomes) -> [usize; N],
    ) -> [usize; N] {
        std::array::from_fn(|at| all.iter().map(|outcomes| of(outcomes)[at]).sum())
    }
    // The damage reaches every step, so all of them are tested.
    let [loaded, inspected] = [sum(&all, |all| all.loaded), sum(&all, |all| all.inspected)];
    assert!(loaded[0] > 0 && inspected[0] > 0 && inspected[1] > 0, "{loaded:?} {inspected:?}");
    let packed = sum(&all, |all| all.packed);
    assert!(packed[0] > 0 && packed[4] > 0, "{packed:?}");
    let checked = sum(&all, |all| all.checked);
    assert!(checked[1] > 30, "{checked:?}");
    let lowered = sum(&all, |all| all.lowered);
    assert!(lowered[0] > 100 && lowered[1] > 30, "{lowered:?}");
    for outcomes in [sum(&all, |all| all.annotated), sum(&all, |all| all.linked)] {
        assert!(outcomes[0] > 100 && outcomes[1] > 30, "{outcomes:?}");
    }
}
