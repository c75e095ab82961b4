//! Modules with wrong words in them: whatever comes of it, nothing panics and nothing runs away.

use crate::analysis::Analyses;
use std::sync::Mutex;

use crate::analysis::{Annotated, Names};
use crate::check;
use crate::compatibility::{DeviceValues, Fits};
use crate::device::{Device, DeviceConfig};
use crate::inspection::{self, Question};
use crate::loader::Module;
use crate::sidecar::annotations::Annotations;
use crate::sidecar::property_sets::PropertySets;
use crate::test_support;
use crate::transform::{link, pack, specialize};
use crate::writer;

/// The number of damaged copies of each fixture.
const COPIES: u64 = 150;

/// A linear congruential generator: the same damage on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }
}

/// Words that tend to be trouble, and words of the module itself in the wrong place.
fn damage(words: &mut [u32], random: &mut Random) {
    let at = 5 + random.below(words.len() - 5);
    let bound = words[3];
    words[at] = match random.below(6) {
        0 => 0,
        1 => u32::MAX,
        2 => bound - 1,
        3 => words[5 + random.below(words.len() - 5)],
        4 => words[at] ^ (1 << random.below(32)),
        _ => random.below(bound as usize) as u32,
    };
}

/// Packs and specializes as far as possible; returns the number of steps.
fn run(words: &[u32], device: &Device) -> usize {
    let Ok(module) = Module::from_words(words) else { return 0 };
    let Ok(packed) = pack::pack(&Analyses::of(&module), &pack::Options::default()) else { return 1 };
    let packed = writer::apply(&module, &packed.edits).unwrap();
    let Ok(module) = Module::from_words(&packed[..]) else { return 2 };
    let properties = PropertySets::default();
    let known = DeviceValues::new(device, &properties).unwrap();
    let Ok(result) =
        specialize::specialize(&Analyses::of(&module), &known, &[], specialize::UnsetConstants::Default)
    else {
        return 3;
    };
    let words = writer::apply(&module, &result.edits).unwrap();
    Module::from_words(&words[..]).map_or(4, |_| 5)
}

/// Runs all analyses and reports on a module.
fn inspect(words: &[u32], fits: &Mutex<Fits>, questions: &[Question]) -> bool {
    let Ok(module) = Module::from_words(words) else { return false };
    let found = inspection::study(&Analyses::of(&module), &PropertySets::default(), |study| {
        let mut inspected = study.inspected(None)?;
        study.fit(&mut inspected, fits, true)?;
        for question in questions {
            study.why(question)?;
        }
        study.call_graph("").map(drop)
    });
    found.is_ok()
}

#[test]
fn damaged_modules_do_not_panic_when_inspected() {
    let device = Device::embedded("intel_gpu_dg1").unwrap();
    let fits = Mutex::new(Fits::new(vec![&device]));
    let questions =
        ["fp16", "Shader", "Kernel", "SPV_KHR_16bit_storage"].map(|name| Question::parse(name).unwrap());
    let mut outcomes = [0; 2];
    for (name, words) in test_support::fixtures() {
        assert!(inspect(&words, &fits, &questions), "{name}: undamaged");
        let mut random = Random(words.len() as u64);
        for _ in 0..COPIES {
            let mut words = words.clone();
            for _ in 0..=random.below(3) {
                damage(&mut words, &mut random);
            }
            outcomes[usize::from(inspect(&words, &fits, &questions))] += 1;
        }
    }
    assert!(outcomes[0] > 0 && outcomes[1] > 0, "{outcomes:?}");
}

#[test]
fn damaged_modules_do_not_panic() {
    let device = Device::embedded("intel_gpu_dg1").unwrap();
    let mut outcomes = [0; 6];
    for (name, words) in test_support::fixtures() {
        assert_eq!(run(&words, &device), 5, "{name}: undamaged");
        let mut random = Random(words.len() as u64);
        for _ in 0..COPIES {
            let mut words = words.clone();
            for _ in 0..=random.below(3) {
                damage(&mut words, &mut random);
            }
            outcomes[run(&words, &device)] += 1;
        }
    }
    // The damage reaches every step, so all of them are tried.
    assert!(outcomes[0] > 0 && outcomes[1] > 0 && outcomes[5] > 0, "{outcomes:?}");
}

#[test]
fn damaged_modules_are_checked_without_panic() {
    let devices = DeviceConfig::embedded().unwrap();
    let targets = ["intel_gpu_dg1", "nvidia_gpu_sm_50"].map(|name| devices.get(name).unwrap().clone());
    let options = check::CheckTargets { fixed_targets: &targets, devices: &devices };
    let mut checked = 0;
    for (name, words) in test_support::fixtures().into_iter().filter(|(_, words)| words.len() < 8000) {
        let is_checked = |module: &Module| check::check(&Analyses::of(module), &options).is_ok();
        assert!(is_checked(&Module::from_words(&words[..]).unwrap()), "{name}: undamaged");
        let mut random = Random(words.len() as u64 + 1);
        for _ in 0..COPIES / 5 {
            let mut words = words.clone();
            damage(&mut words, &mut random);
            let module = Module::from_words(&words[..]);
            checked += usize::from(module.is_ok_and(|module| is_checked(&module)));
        }
    }
    assert!(checked > 100, "{checked}");
}

/// Annotations of every function and constant of the undamaged module, on the damaged ones.
#[test]
fn damaged_modules_are_annotated_without_panic() {
    let mut outcomes = [0; 2];
    for (_, words) in test_support::fixtures() {
        let module = Module::from_words(&words[..]).unwrap();
        let mut text = "types: {half: fp16}\nspec-constants: {0: fp16, 1: fp64}\nfunctions:\n".to_owned();
        text += "  '*': {uses: fp16, source: a}\n  'm*': {fixed-targets: x86_64}\n";
        let functions: Vec<u32> = module.functions().iter().map(|function| function.id).collect();
        for pair in functions.windows(2).take(20) {
            text += &format!("  '%{}': {{when: fp16, otherwise: '%{}'}}\n", pair[1], pair[0]);
        }
        let annotations = [
            Annotations::from_yaml("a.yaml", &text).unwrap(),
            Annotations::from_yaml("a.yaml", text.split("  '%").next().unwrap()).unwrap(),
        ];
        let mut random = Random(words.len() as u64 + 2);
        for _ in 0..COPIES / 5 {
            let mut words = words.clone();
            for _ in 0..=random.below(3) {
                damage(&mut words, &mut random);
            }
            let Ok(module) = Module::from_words(&words[..]) else { continue };
            let names = Names::new(&module);
            for annotations in &annotations {
                outcomes[usize::from(Annotated::resolve(&module, &names, annotations).is_ok())] += 1;
            }
        }
    }
    assert!(outcomes[0] > 100 && outcomes[1] > 100, "{outcomes:?}");
}

/// A damaged module with an undamaged one, which imports and exports the same names.
#[test]
fn damaged_modules_are_linked_without_panic() {
    let all = test_support::fixtures();
    let mut outcomes = [0; 2];
    for (at, (name, words)) in all.iter().enumerate().filter(|(_, (_, words))| words.len() < 8000) {
        let (_, other) = &all[(at + 1) % all.len()];
        let other = Module::from_words(&other[..]).unwrap();
        let mut random = Random(words.len() as u64 + 3);
        for _ in 0..COPIES / 10 {
            let mut words = words.clone();
            for _ in 0..=random.below(3) {
                damage(&mut words, &mut random);
            }
            let Ok(module) = Module::from_words(&words[..]) else { continue };
            let damaged = link::Input { name, module: &module };
            let sound = link::Input { name: "other", module: &other };
            for inputs in [&[damaged][..], &[damaged, sound], &[sound, damaged], &[damaged, damaged]] {
                let linked = link::link(inputs);
                if let Ok(linked) = &linked {
                    // A well-formed module remains well-formed.
                    Module::from_words(&linked.words[..]).unwrap();
                }
                outcomes[usize::from(linked.is_ok())] += 1;
            }
        }
    }
    assert!(outcomes[0] > 100 && outcomes[1] > 100, "{outcomes:?}");
}
