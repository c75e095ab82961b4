//! Trimming modules.

#![no_main]

use libfuzzer_sys::{fuzz_crossover, fuzz_mutator, fuzz_target};
use spirv_if::trim::trim;
use spirv_if_fuzz::input::{Words, smallest};
use spirv_if_fuzz::mutate;
use spirv_if_fuzz::oracles::{bounded, keep, loaded, measure};

fuzz_target!(init: measure(&smallest().each_ref().map(Vec::as_slice), fuzz), |data: &[u8]| fuzz(data));

fn fuzz(data: &[u8]) {
    let words = Words::read(data);
    let Some(input) = words.one() else { return };
    let Ok(trimmed) = bounded(input.size, || trim(&input.modules[0])) else { return };
    loaded(&trimmed.words);
    keep(&input.modules, [&trimmed.words[..]]);
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::module(data, size, max_size, seed)
});

fuzz_crossover!(|first: &[u8], other: &[u8], out: &mut [u8], seed: u32| {
    mutate::cross(first, other, out, seed)
});
