//! Entry points that a device does not run, left out of a result.

use std::collections::BTreeSet;

use crate::device::DeviceParts;
use crate::module::Interface;
use crate::specialize::Verdict;
use crate::test_support::Batch;
use crate::tests::corpus::fixtures;
use crate::{Device, Error, Module, PackOptions, Prepared, Settings, pack};

fn names(words: &[u32]) -> BTreeSet<String> {
    let interface = Interface::new(&Module::from_words(words).unwrap());
    interface.entry_points.into_iter().map(|entry_point| entry_point.name).collect()
}

/// Entry points are left out if and only if the device does not run them alone.
#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn the_rest_is_what_runs_alone() {
    let device = &Device::embedded("intel_gpu_acm_g10").unwrap();
    let mut written = Batch::default();
    let (mut dropped, mut refused) = (0, 0);
    for fixture in fixtures() {
        let module = Module::from_words(fixture.words()).unwrap();
        let Ok(packed) = pack(&module, &PackOptions::new()) else { continue };
        let packed = Module::from_words(&packed.words).unwrap();
        for module in [&module, &packed] {
            let prepared = Prepared::new(module).unwrap();
            let settings = Settings::new().drop_unsupported(true);
            let result = match prepared.specialize(device, &settings) {
                Ok(result) => result,
                Err(Error::Refused(_)) => {
                    refused += 1;
                    continue;
                }
                Err(_) => continue,
            };
            let unsupported: BTreeSet<String> =
                result.report.unsupported.iter().map(|refused| refused.entry_point.clone()).collect();
            if unsupported.is_empty() {
                continue;
            }
            dropped += 1;
            let context = format!("{} on {}", fixture.name, device.name());
            let whole = prepared.specialize(device, &Settings::new());
            assert!(!whole.is_ok_and(|whole| whole.report.unsupported.is_empty()), "{context}");
            for name in names(module.words()) {
                let alone = Settings::new().entry_points([name.as_str()]).trim(true);
                let verdict = prepared.compatibility(device, &alone).unwrap().verdict();
                assert_eq!(verdict == Verdict::DoesNotRun, unsupported.contains(&name), "{context}: {name}");
            }
            assert!(names(&result.words).is_disjoint(&unsupported), "{context}");
            written.add(&context, &result.words, fixture.environment().unwrap_or("spv1.6"));
        }
    }
    assert!(dropped > 2 && refused > 2, "{dropped} {refused}");
    let problems = written.problems();
    assert!(problems.is_empty(), "{problems:#?}");
}

#[test]
fn a_device_that_runs_nothing_is_refused_as_without_it() {
    let bytes = std::fs::read("fixtures/opencl/plain.spv").unwrap();
    let module = Module::from_bytes(&bytes).unwrap();
    let prepared = Prepared::new(&module).unwrap();
    let device =
        DeviceParts::new().capabilities("Kernel,Addresses,Linkage,Int64,Int8").to_device(None).unwrap();
    let messages = [false, true].map(|drop| {
        let settings = Settings::new().drop_unsupported(drop);
        prepared.specialize(&device, &settings).unwrap_err().to_string()
    });
    assert_eq!(messages[0], messages[1]);
    assert!(messages[0].contains("Float64"), "{messages:?}");
}
