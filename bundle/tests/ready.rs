//! Ready shaders have, bit for bit, what the engine specializes: for every device of the table, every way of the diagram, and random
//! answers, also unknown ones.
#![cfg(feature = "specialize")]
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use common::fixtures;
use spirv_if::device::DeviceConfig;
use spirv_if::pack::Dialect;
use spirv_if::{Device, Error, Module, PackOptions, Prepared, Settings};
use spirv_if_bundle::{Bundle, BundleBuilder, BundleError, ShaderVariant};

/// The number of shares of the modules.
const SHARES: usize = 4;

/// The modules of fixtures as compilers write them, and packed, each with its name.
fn modules() -> Vec<(String, Vec<u32>)> {
    let mut all = Vec::new();
    for (name, words) in fixtures() {
        let Ok(module) = Module::from_words(&words[..]) else { continue };
        for (dialect, suffix) in
            [(Dialect::SpecConditional, "packed"), (Dialect::FunctionVariants, "variants")]
        {
            if let Ok(packed) = spirv_if::pack(&module, &PackOptions::default().dialect(dialect))
                && packed.words != words
            {
                all.push((format!("{name}.{suffix}"), packed.words));
            }
        }
        all.push((name, words));
    }
    all
}

/// Compares a ready shader with the engine on devices. Returns the numbers of equal results and of equal refusals.
fn compare(
    bundle: &Bundle,
    name: &str,
    prepared: &Prepared,
    devices: &[Device],
    settings: &Settings,
) -> [usize; 2] {
    let mut counts = [0, 0];
    let ready = bundle.shader(name).unwrap().ready().unwrap();
    for device in devices {
        let expected = prepared.specialize(device, settings);
        let found = ready.select_for(device, settings);
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
                counts[0] += 1;
            }
            (Err(Error::Refused(_)), Err(BundleError::DoesNotRun { .. } | BundleError::NoResult(_))) => {
                counts[1] += 1
            }
            (Err(Error::Undecided(_)), Err(BundleError::NotKnown { .. })) => counts[1] += 1,
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
    let config = DeviceConfig::embedded().unwrap();
    let devices: Vec<Device> = config.iter().cloned().collect();
    let modules = modules();
    let mut counts = [0, 0];
    let mut ready = 0;
    // As other long tests, a share of its input: SPIRV_IF_SHARE is the number of another one, or `all`.
    let share = std::env::var("SPIRV_IF_SHARE").unwrap_or_else(|_| "0".to_owned());
    let share: Option<usize> = share.parse().ok();
    for (number, (name, words)) in modules.iter().enumerate() {
        if share.is_some_and(|share| number % SHARES != share % SHARES) {
            continue;
        }
        let mut builder = BundleBuilder::new();
        let reason = builder.add_ready(name, [ShaderVariant::new(&words[..])], &Settings::new(), 256);
        match reason {
            Ok(None) => {}
            Ok(Some(note)) => {
                eprintln!("{note}");
                continue;
            }
            Err(error) => panic!("{name}: {error}"),
        }
        let bundle = Bundle::from_bytes(builder.to_bytes().unwrap()).unwrap();
        if !bundle.shader(name).unwrap().is_ready() {
            continue;
        }
        ready += 1;
        let module = Module::from_words(&words[..]).unwrap();
        let prepared = Prepared::new(&module).unwrap();
        let [equal, refused] = compare(&bundle, name, &prepared, &devices, &Settings::new());
        counts = [counts[0] + equal, counts[1] + refused];
    }
    eprintln!("{ready} ready, {counts:?}");
    assert!(
        ready > 10 && counts[0] > 1000 && counts[1] > 500,
        "{ready} shaders, {counts:?} results and refusals"
    );
}
