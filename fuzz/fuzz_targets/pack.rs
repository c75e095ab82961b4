//! Packing modules, and specializing what comes out.

#![no_main]

use libfuzzer_sys::{fuzz_crossover, fuzz_mutator, fuzz_target};
use spirv_if::pack::Dialect;
use spirv_if::specialize::UnsetPolicy;
use spirv_if::{PackOptions, Prepared, Settings, pack};
use spirv_if_fuzz::input::{Words, smallest};
use spirv_if_fuzz::mutate;
use spirv_if_fuzz::oracles::{bounded, keep, loaded, measure};

fuzz_target!(init: measure(&smallest().each_ref().map(Vec::as_slice), fuzz), |data: &[u8]| fuzz(data));

fn fuzz(data: &[u8]) {
    let words = Words::read(data);
    let Some(mut input) = words.one() else { return };
    let mut options = PackOptions::new();
    if input.options.once_in(3) {
        options = options.dialect(Dialect::FunctionVariants);
    }
    options = options.keep_exports(input.options.once_in(4));
    options = options.max_clones(input.options.one_of(&[8, 8, 1, 3]).unwrap_or(8));
    let device = input.device();
    let module = &input.modules[0];
    let Ok(packed) = bounded(input.size, || pack(module, &options)) else { return };
    let result = loaded(&packed.words);
    result.properties().expect("the properties that a packed module carries");
    let again = pack(module, &options).expect("the same as before");
    assert_eq!(again.words, packed.words, "not the same twice");
    keep(&input.modules, [&packed.words[..]]);
    let result = result.with_properties(packed.properties).expect("property sets agree with those inside");
    let size = input.size.max(size_of_val(result.words()));
    let prepared = bounded(size, || Prepared::new(&result)).expect("a packed module can be prepared");
    let settings = Settings::new().unset(UnsetPolicy::Default);
    if let Ok(specialized) = bounded(size, || prepared.specialize(device, &settings)) {
        loaded(&specialized.words);
        keep(&input.modules, [&specialized.words[..]]);
    }
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::module(data, size, max_size, seed)
});

fuzz_crossover!(|first: &[u8], other: &[u8], out: &mut [u8], seed: u32| {
    mutate::cross(first, other, out, seed)
});
