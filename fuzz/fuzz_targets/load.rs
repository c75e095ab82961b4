//! Loading modules, and finding them inside of other files.

#![no_main]

use libfuzzer_sys::{fuzz_crossover, fuzz_mutator, fuzz_target};
use spirv_if::Module;
use spirv_if::module::find_modules;
use spirv_if_fuzz::input::{declared_ids, smallest};
use spirv_if_fuzz::instructions::words;
use spirv_if_fuzz::mutate;
use spirv_if_fuzz::oracles::{bounded, loaded, measure};

/// The ids that modules anywhere in a file say they have.
fn ids(data: &[u8]) -> usize {
    (0..4)
        .map(|shift| words(data.get(shift..).unwrap_or_default()))
        .map(|words| (0..words.len()).map(|at| declared_ids(&words[at..])).sum::<usize>())
        .sum()
}

fuzz_target!(init: measure(&smallest().each_ref().map(Vec::as_slice), fuzz), |data: &[u8]| fuzz(data));

fn fuzz(data: &[u8]) {
    let size = data.len().max(4 * ids(data));
    let module = bounded(size, || Module::from_bytes(data));
    if let Ok(module) = &module {
        // The same module in the other byte order.
        let swapped: Vec<u32> = module.words().iter().map(|word| word.swap_bytes()).collect();
        assert_eq!(loaded(&swapped).words(), module.words());
    }
    let modules =
        bounded(size, || find_modules(data).filter_map(|candidate| candidate.load()).collect::<Vec<_>>());
    let mut end = 0;
    for inside in &modules {
        assert!(inside.offset() >= end, "modules overlap");
        end = inside.offset() + size_of_val(inside.words());
    }
    assert!(end <= data.len(), "a module is longer than its file");
    assert!(module.is_err() || modules.len() == 1, "a module is not found in itself");
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::module(data, size, max_size, seed)
});

fuzz_crossover!(|first: &[u8], other: &[u8], out: &mut [u8], seed: u32| {
    mutate::cross(first, other, out, seed)
});
