//! Tests that all returned words are modules that load, for sound and damaged inputs.

use crate::split::{SplitMode, SplitOptions, split};
use crate::test_support::damage::damaged;
use crate::tests::corpus::{fixtures, share_of_fixtures};
use spirv_if::link::{LinkOptions, link};
use spirv_if::pack::Dialect;
use spirv_if::specialize::UnsetPolicy;
use spirv_if::trim::trim;
use spirv_if::{Device, Error, Module, PackOptions, Prepared, Settings, pack};

/// The number of damaged copies of each fixture.
const COPIES: u64 = 12;

/// The number of results that load, and of calls that fail.
#[derive(Default)]
struct ResultCounts {
    results: usize,
    errors: usize,
}

impl ResultCounts {
    fn note(&mut self, name: &str, call: &str, result: Result<Vec<u32>, Error>) -> Option<Vec<u32>> {
        match result {
            Ok(words) => {
                if let Err(error) = Module::from_words(&words[..]) {
                    panic!("{name}: what {call} returns does not load: {error}");
                }
                self.results += 1;
                Some(words)
            }
            Err(_) => {
                self.errors += 1;
                None
            }
        }
    }

    fn specialize(&mut self, name: &str, words: &[u32], device: &Device) {
        let module = Module::from_words(words).unwrap();
        for settings in [Settings::new(), Settings::new().trim(true)] {
            let settings = settings.unset(UnsetPolicy::Default);
            let result = Prepared::new(&module).and_then(|prepared| prepared.specialize(device, &settings));
            self.note(name, "specialize", result.map(|result| result.words));
        }
    }

    fn split(&mut self, name: &str, words: &[u32]) {
        let module = Module::from_words(words).unwrap();
        for mode in [SplitMode::Kernel, SplitMode::Source] {
            let options = SplitOptions::new().mode(mode);
            let images = split(&module, &options)
                .map(|split| (0..split.plans().len()).map(|plan| split.image(plan)).collect::<Vec<_>>());
            match images {
                Ok(images) => images.into_iter().for_each(|image| {
                    self.note(name, "split", image.map(|image| image.words));
                }),
                Err(_) => self.errors += 1,
            }
        }
    }

    /// Adds the results of all calls.
    fn add(&mut self, name: &str, words: &[u32], devices: &[Device]) {
        let Ok(module) = Module::from_words(words) else { return };
        self.note(name, "trim", trim(&module).map(|trimmed| trimmed.words));
        let linked = link(std::slice::from_ref(&module), &LinkOptions::new())
            .map(|linked| linked.module.words().to_vec());
        self.note(name, "link", linked);
        self.split(name, words);
        self.specialize(name, words, &devices[0]);
        for dialect in [Dialect::SpecConditional, Dialect::FunctionVariants] {
            let options = PackOptions::new().dialect(dialect);
            let packed = pack(&module, &options).map(|packed| packed.words);
            if let Some(packed) = self.note(name, "pack", packed) {
                devices.iter().for_each(|device| self.specialize(name, &packed, device));
                self.split(name, &packed);
            }
        }
    }
}

fn devices() -> [Device; 2] {
    [Device::default(), Device::embedded("intel_gpu_pvc").unwrap()]
}

#[test]
fn results_of_fixtures_load() {
    let (mut outcomes, devices) = (ResultCounts::default(), devices());
    for fixture in fixtures() {
        outcomes.add(&fixture.name, fixture.words(), &devices);
    }
    assert!(outcomes.results > 1000, "{}", outcomes.results);
}

#[test]
fn results_of_damaged_modules_load() {
    let (mut outcomes, devices) = (ResultCounts::default(), devices());
    for fixture in share_of_fixtures(3).filter(|fixture| fixture.words().len() < 4000) {
        for (copy, words) in (0..).zip(damaged(fixture.words(), COPIES)) {
            outcomes.add(&format!("{}, copy {copy}", fixture.name), &words, &devices);
        }
    }
    assert!(outcomes.results > 1000 && outcomes.errors > 100, "{} {}", outcomes.results, outcomes.errors);
}
