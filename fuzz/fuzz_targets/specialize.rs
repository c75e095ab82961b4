//! Specializing modules for devices, with values of constants and without.

#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::{fuzz_crossover, fuzz_mutator, fuzz_target};
use spirv_if::specialize::{Driver, FeaturesToLower, UnsetPolicy};
use spirv_if::{Device, Module, Prepared, Settings, SpecValue};
use spirv_if_fuzz::input::{Input, Words, smallest, spec_ids};
use spirv_if_fuzz::mutate;
use spirv_if_fuzz::oracles::{bounded, keep, loaded, measure};
use spirv_if_fuzz::translation::computes_the_same;

/// Values of constants, as text.
const VALUES: [&str; 10] =
    ["0", "1", "true", "false", "2", "-1", "64", "0x3f800000", "1.5", "0xffffffffffffffff"];

/// Values of constants, as bits.
const BITS: [u64; 6] = [0, 1, 2, 3, 64, 0x3f80_0000];

fuzz_target!(init: measure(&smallest().each_ref().map(Vec::as_slice), fuzz), |data: &[u8]| fuzz(data));

fn fuzz(data: &[u8]) {
    let words = Words::read(data);
    let Some(mut input) = words.one() else { return };
    let device = input.device();
    let mut settings = Settings::new();
    for (spec_id, _) in spec_ids(&input.modules[0]) {
        if !input.options.once_in(3) {
            let value: SpecValue = input.options.one_of(&VALUES).unwrap_or("0").parse().expect("a value");
            settings = settings.set(spec_id, value);
        }
    }
    settings = match input.options.below(4) {
        0 => settings,
        1 => settings.unset(UnsetPolicy::Keep),
        2 => settings.unset(UnsetPolicy::Error),
        _ => settings.unset(UnsetPolicy::Default),
    };
    if input.options.once_in(3) {
        settings = settings.trim(true);
    }
    if input.options.once_in(3) {
        let driver = if input.options.once_in(2) { Driver::Nvidia } else { Driver::Rusticl };
        settings = settings.work_around(driver);
    }
    if input.options.once_in(4) {
        let features = input.options.one_of(&["Int64", "Float64", "Float64,Int64"]).unwrap_or("Int64");
        settings = settings.lower(features.parse::<FeaturesToLower>().expect("features"));
    }
    if input.options.once_in(8) {
        settings = settings.entry_points(["main"]);
    }
    let Ok(prepared) = bounded(input.size, || Prepared::new(&input.modules[0])) else { return };
    let result = bounded(input.size, || prepared.specialize(device, &settings));
    let Ok(specialized) = result else { return };
    loaded(&specialized.words);
    let again = prepared.specialize(device, &settings).expect("the same as before");
    assert_eq!(again.words, specialized.words, "not the same twice");
    keep(&input.modules, [&specialized.words[..]]);
    compare(input);
}

/// Sets constants on a device about which nothing is known, so that the result computes the same as the module with these values.
fn compare(mut input: Input) {
    let words = input.modules[0].words();
    let mut constants = BTreeMap::new();
    let mut settings = Settings::new().unset(UnsetPolicy::Keep);
    for (spec_id, is_boolean) in spec_ids(&input.modules[0]) {
        let bits = input.options.one_of(&BITS).unwrap_or_default();
        constants.insert(spec_id, bits);
        if !input.options.once_in(3) {
            let value = if is_boolean { (bits != 0).into() } else { SpecValue::Bits(bits) };
            settings = settings.set(spec_id, value);
        }
    }
    // Without annotations, which bind constants to features.
    let Ok(module) = Module::from_words(words) else { return };
    let Ok(prepared) = Prepared::new(&module) else { return };
    if let Ok(specialized) = prepared.specialize(&Device::default(), &settings) {
        computes_the_same(words, &specialized.words, &constants, &mut input.options);
    }
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::module(data, size, max_size, seed)
});

fuzz_crossover!(|first: &[u8], other: &[u8], out: &mut [u8], seed: u32| {
    mutate::cross(first, other, out, seed)
});
