//! Remedies of single devices: inspecting names exactly what helps when specializing.

use std::collections::BTreeMap;
use std::path::Path;

use crate::device::DeviceConfig;
use crate::inspect::{EntryPoint, InspectOptions, Inspector};
use crate::specialize::{DeviceRemedy, Verdict};
use crate::tests::corpus::share_of_fixtures;
use crate::{Device, Module, Prepared, Settings};

/// One of so many devices is compared: the comparison specializes several times.
const STEP: usize = 41;

/// Devices that accept no hint and no newer spelling: few of the table are known to reject one.
const PLAIN_DEVICES: &str = r#"
plain_vulkan: {environments: [vulkan], exact-capabilities: true, exact-extensions: true, spirv-versions: ["1.0"], exact-spirv-versions: true}
plain_opencl: {environments: [opencl], exact-capabilities: true, exact-extensions: true, spirv-versions: ["1.0"], exact-spirv-versions: true}
"#;

/// Compares the changes with which a device runs entry points that it does not run otherwise.
fn compare_remedies(
    context: &str,
    prepared: &Prepared,
    (number, device): (usize, &Device),
    roots: &[EntryPoint],
    counts: &mut BTreeMap<Option<DeviceRemedy>, usize>,
) {
    for root in roots {
        let support = &root.each_device[number];
        let runs_with = |remedy: &DeviceRemedy| {
            let mut settings = Settings::new();
            settings.request = settings.request.with_remedy(*remedy);
            prepared.specialize(device, &settings).is_ok_and(|result| {
                let unsupported = &result.report.unsupported;
                result.report.not_known.is_empty()
                    && unsupported.iter().all(|entry| entry.entry_point != root.name)
            })
        };
        let remedy = match support.after_pack.verdict() {
            Verdict::DoesNotRun => DeviceRemedy::ALL.into_iter().find(runs_with),
            _ => None,
        };
        assert_eq!(support.remedy, remedy, "{context}: {}", root.name);
        *counts.entry(remedy).or_default() += 1;
    }
}

/// Inspecting finds the changes by specializing that help, on devices of every kind.
#[test]
fn remedies_of_devices_are_found_by_specializing() {
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("spec-extensions/devices.yaml");
    let table = std::fs::read_to_string(table).unwrap() + PLAIN_DEVICES;
    let devices = DeviceConfig::from_yaml("devices.yaml", &table).unwrap();
    let is_plain = |device: &Device| device.name().starts_with("plain_");
    let options = InspectOptions::new().devices(devices.clone()).each_device("*").skip_constants(true);
    let mut counts = BTreeMap::new();
    for (at, fixture) in share_of_fixtures(3).enumerate() {
        let module = Module::from_words(fixture.plain.module().words()).unwrap();
        let prepared = Prepared::new(&module).unwrap();
        let mut roots = Inspector::new(&options).unwrap().inspect(&module).unwrap().entry_points();
        roots.retain(|root| root.stage.is_some());
        for device in devices.iter().enumerate() {
            if device.0 % STEP != at % STEP && !is_plain(device.1) {
                continue;
            }
            compare_remedies(&fixture.name, &prepared, device, &roots, &mut counts);
        }
    }
    let is_found = |remedy: &DeviceRemedy| counts.contains_key(&Some(*remedy));
    assert!(DeviceRemedy::ALL.iter().all(is_found), "{counts:?}");
}
