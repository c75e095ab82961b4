//! Splitting modules into images.

#![no_main]

use libfuzzer_sys::{fuzz_crossover, fuzz_mutator, fuzz_target};
use spirv_if_sycl::split::{Jit, SplitMode, SplitOptions, split};
use spirv_if_fuzz::input::{Words, smallest};
use spirv_if_fuzz::mutate;
use spirv_if_fuzz::oracles::{bounded, keep, loaded, measure};

fuzz_target!(init: measure(&smallest().each_ref().map(Vec::as_slice), fuzz), |data: &[u8]| fuzz(data));

fn fuzz(data: &[u8]) {
    let words = Words::read(data);
    let Some(mut input) = words.one() else { return };
    let mut options = SplitOptions::new();
    let modes = [SplitMode::Kernel, SplitMode::Kernel, SplitMode::Source, SplitMode::Off, SplitMode::Auto];
    options = options.mode(input.options.one_of(&modes).unwrap_or_default());
    options = options.only_entry_points(input.options.once_in(3));
    let jit = input.options.one_of(&[Jit::Declare, Jit::Pack, Jit::AddOn]).unwrap_or_default();
    options = options.jit(jit);
    if input.options.once_in(4) {
        options = options.rename_entry("renamed");
    }
    let module = &input.modules[0];
    let Ok(split) = bounded(input.size, || split(module, &options)) else { return };
    if jit == Jit::AddOn {
        // The results may be many times as large as the module, up to a limit of their number.
        for add_on in split.add_on().unwrap_or_default() {
            loaded(&add_on.image.words);
            keep(&input.modules, [&add_on.image.words[..]]);
        }
        return;
    }
    for number in 0..split.plans().len().min(8) {
        let Ok(image) = bounded(input.size, || split.image(number)) else { continue };
        loaded(&image.words);
        drop(image.symbols_text());
        keep(&input.modules, [&image.words[..]]);
    }
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::module(data, size, max_size, seed)
});

fuzz_crossover!(|first: &[u8], other: &[u8], out: &mut [u8], seed: u32| {
    mutate::cross(first, other, out, seed)
});
