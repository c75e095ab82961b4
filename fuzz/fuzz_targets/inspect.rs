//! Inspecting and checking modules.

#![no_main]

use libfuzzer_sys::{fuzz_crossover, fuzz_mutator, fuzz_target};
use spirv_if::device::Api;
use spirv_if_inspect::{CallGraph, Report, TextStyle};
use spirv_if_sycl::check::{CheckOptions, check};
use spirv_if::Device;
use spirv_if_inspect::{InspectOptions, inspect};
use spirv_if_fuzz::input::{Words, smallest};
use spirv_if_fuzz::mutate;
use spirv_if_fuzz::oracles::{OF_INSPECTION, bounded, limited, measure};

fuzz_target!(init: measure(&smallest().each_ref().map(Vec::as_slice), fuzz), |data: &[u8]| fuzz(data));

fn fuzz(data: &[u8]) {
    let words = Words::read(data);
    let Some(mut input) = words.one() else { return };
    let mut options = InspectOptions::new();
    let questions = ["fp16", "fp64", "Shader", "Kernel", "Int64", "SPV_KHR_16bit_storage"];
    if input.options.once_in(2) {
        options = options.why(input.options.one_of(&questions).unwrap_or_default());
    }
    if input.options.once_in(4) {
        options = options.each_device("intel_gpu_pvc*");
    }
    options = options.api(input.options.one_of(&[None, Some(Api::Vulkan), Some(Api::OpenCl)]).flatten());
    let module = &input.modules[0];
    if let Ok(inspection) = limited(OF_INSPECTION, input.size, || inspect(module, &options)) {
        let mut report = Report::new(&options);
        report.add_file("file.spv", size_of_val(module.words()), vec![inspection]);
        report.to_text(&TextStyle::default());
        report.to_json().expect("the report as JSON");
    }
    if let Ok(graph) = limited(OF_INSPECTION, input.size, || CallGraph::new(module)) {
        CallGraph::to_dot(&[graph]);
    }
    let mut options = CheckOptions::new();
    if input.options.once_in(2) {
        options =
            options.fixed_targets(vec![Device::embedded("intel_gpu_dg1").expect("a device of the table")]);
    }
    let _ = bounded(input.size, || check(module, &options));
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::module(data, size, max_size, seed)
});

fuzz_crossover!(|first: &[u8], other: &[u8], out: &mut [u8], seed: u32| {
    mutate::cross(first, other, out, seed)
});
