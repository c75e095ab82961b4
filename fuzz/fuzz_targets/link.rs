//! Linking several modules to a program, and splitting it for targets.

#![no_main]

use libfuzzer_sys::{fuzz_crossover, fuzz_mutator, fuzz_target};
use spirv_if::device::{DeviceConfig, Target};
use spirv_if::link::{LinkOptions, link};
use spirv_if_sycl::split::{Jit, PostLink, SplitOptions};
use spirv_if_fuzz::input::{Words, smallest};
use spirv_if_fuzz::mutate;
use spirv_if_fuzz::oracles::{bounded, keep, loaded, measure};

/// Any device, and two that differ.
static TARGETS: std::sync::LazyLock<Vec<Target>> = std::sync::LazyLock::new(|| {
    let devices = DeviceConfig::embedded().expect("the embedded devices");
    Target::named(["spir64", "intel_gpu_pvc", "intel_gpu_dg1"], &devices).expect("targets")
});

fuzz_target!(init: measure(&smallest().each_ref().map(Vec::as_slice), fuzz), |data: &[u8]| fuzz(data));

fn fuzz(data: &[u8]) {
    let words = Words::read(data);
    let Some(mut input) = words.several() else { return };
    let Ok(linked) = bounded(input.size, || link(&input.modules, &LinkOptions::new())) else { return };
    loaded(linked.module.words());
    keep(&input.modules, [linked.module.words()]);
    let options = SplitOptions::new().jit(if input.options.once_in(2) { Jit::Pack } else { Jit::Declare });
    let Ok(program) = bounded(input.size, || PostLink::new(&linked.module)) else { return };
    let Ok(groups) = bounded(input.size, || program.groups(&TARGETS)) else { return };
    for group in groups {
        let images = |split: &spirv_if_sycl::split::Split| {
            let images = (0..split.plans().len().min(4)).filter_map(|number| split.image(number).ok());
            images.map(|image| image.words).collect::<Vec<_>>()
        };
        // At most four images exist at a time.
        let Ok(images) = bounded(4 * input.size, || program.split(&group, &options, images)) else {
            continue;
        };
        for image in &images {
            loaded(image);
        }
        keep(&input.modules, images.iter().map(Vec::as_slice));
    }
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::module(data, size, max_size, seed)
});

fuzz_crossover!(|first: &[u8], other: &[u8], out: &mut [u8], seed: u32| {
    mutate::cross(first, other, out, seed)
});
