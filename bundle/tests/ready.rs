//! Ready shaders have, bit for bit, what the engine specializes: for every device of the table, every way of the diagram, and random
//! answers, also unknown ones.
#![cfg(feature = "specialize")]
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{files_below, fixtures, words};
use spirv_if::device::DeviceConfig;
use spirv_if::pack::Dialect;
use spirv_if::{Device, Error, Module, PackOptions, Prepared, Settings};
use spirv_if_bundle::{Bundle, BundleBuilder, BundleError, ShaderVariant};

/// The number of shares of the modules.
const SHARES: usize = 4;

/// A module as a compiler wrote it, and packed in both dialects, each with its name.
fn with_packed(name: String, words: Vec<u32>) -> Vec<(String, Vec<u32>)> {
    let Ok(module) = Module::from_words(&words[..]) else { return Vec::new() };
    let mut all = Vec::new();
    for (dialect, suffix) in [(Dialect::SpecConditional, "packed"), (Dialect::FunctionVariants, "variants")] {
        if let Ok(packed) = spirv_if::pack(&module, &PackOptions::default().dialect(dialect))
            && packed.words != words
        {
            all.push((format!("{name}.{suffix}"), packed.words));
        }
    }
    all.push((name, words));
    all
}

/// The devices of the table.
fn devices() -> Vec<Device> {
    DeviceConfig::embedded().unwrap().iter().cloned().collect()
}

/// The numbers of ready shaders, of equal results and of equal refusals.
#[derive(Debug, Default)]
struct Counts {
    ready: usize,
    equal: usize,
    refused: usize,
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        self.ready += other.ready;
        self.equal += other.equal;
        self.refused += other.refused;
    }
}

/// Compares a module of a bundle with the engine on devices.
fn compare(name: &str, words: &[u32], devices: &[Device]) -> Counts {
    let mut counts = Counts::default();
    let settings = Settings::new();
    let mut builder = BundleBuilder::new();
    match builder.add_ready(name, [ShaderVariant::new(words)], &settings, 256) {
        Ok(None) => {}
        Ok(Some(note)) => {
            eprintln!("{note}");
            return counts;
        }
        Err(error) => panic!("{name}: {error}"),
    }
    let bundle = Bundle::from_bytes(builder.to_bytes().unwrap()).unwrap();
    let shader = bundle.shader(name).unwrap();
    let ready = shader.ready().unwrap();
    counts.ready = 1;
    let module = Module::from_words(words).unwrap();
    let prepared = Prepared::new(&module).unwrap();
    for device in devices {
        let expected = prepared.specialize(device, &settings);
        let found = ready.select_for(device, &settings);
        let device = device.name();
        match (expected, found) {
            (Ok(expected), Ok(choice)) => {
                assert!(choice.words().unwrap() == expected.words, "{name} on {device}");
                let unknown = expected.report.not_known.first().map_or(0, |device| device.features.len());
                assert_eq!(
                    unknown > 0,
                    !choice.unknown().is_empty(),
                    "{name} on {device}: {:?}",
                    expected.report.not_known
                );
                counts.equal += 1;
            }
            (Err(Error::Refused(_)), Err(BundleError::DoesNotRun { .. } | BundleError::NoResult(_)))
            | (Err(Error::Undecided(_)), Err(BundleError::NotKnown { .. })) => counts.refused += 1,
            // The engine leaves constants that are bound to unknown conditions to the host.
            (Ok(expected), Err(BundleError::NotKnown { .. })) if !expected.report.unknown.is_empty() => {}
            (expected, found) => {
                let expected = expected.map(|result| (result.words.len(), result.report));
                panic!("{name} on {device}: {expected:?}, and {:?}", found.map(|choice| choice.number()));
            }
        }
    }
    counts
}

#[test]
fn devices_get_what_the_engine_specializes() {
    let devices = devices();
    let mut counts = Counts::default();
    // As other long tests, a share of its input: SPIRV_IF_SHARE is the number of another one, or `all`.
    let share = std::env::var("SPIRV_IF_SHARE").unwrap_or_else(|_| "0".to_owned());
    let share: Option<usize> = share.parse().ok();
    let modules = fixtures().into_iter().flat_map(|(name, words)| with_packed(name, words));
    for (number, (name, words)) in modules.enumerate() {
        if share.is_none_or(|share| number % SHARES == share % SHARES) {
            counts.add(&compare(&name, &words, &devices));
        }
    }
    assert!(counts.ready > 10 && counts.equal > 1000 && counts.refused > 500, "{counts:?}");
}

/// Modules of the folders in READY_PROOF_DIRS, with colons between them; READY_PROOF_SAMPLE of each, evenly, or all.
#[test]
#[ignore = "takes long; scripts/prove.sh ready runs it"]
fn folders() {
    let folders = std::env::var_os("READY_PROOF_DIRS").expect("READY_PROOF_DIRS names folders");
    let devices = devices();
    for folder in std::env::split_paths(&folders) {
        let files = files_below(&folder, "spv");
        let sample = std::env::var("READY_PROOF_SAMPLE").map_or(files.len(), |count| count.parse().unwrap());
        let step = files.len().div_ceil(sample.max(1)).max(1);
        let files: Vec<_> = files.into_iter().step_by(step).collect();
        let (next, all) = (AtomicUsize::new(0), Mutex::new(Counts::default()));
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let words = words(&std::fs::read(file).unwrap());
                        for (name, words) in with_packed(file.display().to_string(), words) {
                            let counts = compare(&name, &words, &devices);
                            all.lock().unwrap().add(&counts);
                        }
                    }
                });
            }
        });
        let counts = all.into_inner().unwrap();
        println!("{}: {} files, {counts:?}", folder.display(), files.len());
        assert!(counts.equal > 0, "{} has no ready shaders", folder.display());
    }
}
