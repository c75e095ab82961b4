//! Annotations files, and modules that they are applied to.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use spirv_if::device::DeviceConfig;
use spirv_if_sycl::check::check;
use spirv_if::module::Annotations;
use spirv_if::{Module, PackOptions, pack};
use spirv_if_inspect::inspect;
use spirv_if_fuzz::oracles::{OF_TEXTS, bounded, limited, loaded, measure};

/// Modules with functions and constants of several names.
const MODULES: [&[u8]; 2] = [
    include_bytes!("../../fixtures/annotations/results.spv"),
    include_bytes!("../../fixtures/frontends/opencl-c.spv"),
];

static DEVICES: LazyLock<DeviceConfig> =
    LazyLock::new(|| DeviceConfig::embedded().expect("the embedded devices"));

fuzz_target!(init: measure(&["{}", "types: {none: fp16}", "functions: {a: {fixed-targets: none}}"], fuzz), |text: &str| fuzz(text));

fn fuzz(text: &str) {
    let Ok(annotations) = limited(OF_TEXTS, text.len(), || Annotations::from_yaml("a.yaml", text)) else {
        return;
    };
    let _ = bounded(text.len(), || annotations.check_devices(&DEVICES));
    for bytes in MODULES {
        let size = text.len() + bytes.len();
        let module = Module::from_bytes(bytes).expect("a fixture");
        let annotated = bounded(size, || module.clone().with_annotations(&annotations));
        let Ok(annotated) = annotated else { continue };
        if let Ok(packed) = bounded(size, || pack(&annotated, &PackOptions::default())) {
            loaded(&packed.words);
        }
        let _ = bounded(size, || inspect(&annotated, &Default::default()));
        let _ = bounded(size, || check(&annotated, &Default::default()));
    }
    annotations.unmatched();
}
