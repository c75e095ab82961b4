//! A result is final: specialized once more, for any device, it stays as it is, or the device is refused.

use std::collections::BTreeSet;
use std::slice::from_ref;

use spirv_if::device::DeviceConfig;
use spirv_if::specialize::{Specialized, UnsetPolicy};
use spirv_if::{Device, Error, Module, PackOptions, Prepared, Settings, pack};
use spirv_if_inspect::InspectOptions;
use spirv_if_inspect::{Inspector, Report, TextStyle};

use super::module;
use crate::common::{all_fixtures, in_share};
use crate::drivers::routes::program;

tests![every_result_is_final];

/// A result, by the route to it.
type RouteResult = (&'static str, Vec<u32>);

fn every_result_is_final() {
    let devices: Vec<Device> = DeviceConfig::embedded().unwrap().iter().cloned().collect();
    let mut tally = FinalCounts::default();
    for (number, (name, words)) in all_fixtures().into_iter().enumerate() {
        let Some(module) = module(&name, &words).filter(|_| in_share(number, 4)) else { continue };
        for (route, result) in distinct_results(&module, &devices) {
            check(&format!("{name}, {route}"), &result, &devices, &mut tally);
        }
    }
    let FinalCounts { unchanged, refused, failures } = tally;
    assert!(failures.is_empty(), "{unchanged} unchanged\n{}", failures.join("\n"));
    assert!(unchanged > 2000 && refused > 1000, "{unchanged} unchanged, {refused} refused");
}

/// Counts of results that were specialized again.
#[derive(Default)]
struct FinalCounts {
    unchanged: usize,
    refused: usize,
    failures: Vec<String>,
}

/// The results of a module in which nothing stays conditional: from the compiler's module, from the packed one, and from images. What no device decides
/// has its default.
fn distinct_results(module: &Module, devices: &[Device]) -> BTreeSet<RouteResult> {
    let prepared = Prepared::new(module).unwrap();
    let able = |device: &&Device| prepared.groups(from_ref(device), &Settings::new()).is_ok();
    let devices: Vec<Device> = devices.iter().filter(able).cloned().collect();
    let groups = prepared.groups(&devices, &Settings::new()).unwrap();
    let devices: Vec<&Device> = groups.iter().map(|group| group[0]).collect();
    let mut results = BTreeSet::new();
    let mut add = |route, result: Result<Specialized, Error>| {
        let result = result.ok().filter(|result| result.properties.is_none());
        results.extend(result.map(|result| (route, result.words)));
    };
    let settings = Settings::new().unset(UnsetPolicy::Default);
    let packed = pack(module, &PackOptions::default()).ok();
    let packed = packed.map(|packed| Module::from_words(packed.words).unwrap());
    let packed = packed.as_ref().map(|packed| Prepared::new(packed).unwrap());
    let program = program(module).ok();
    for device in devices {
        add("ahead of time", prepared.specialize(device, &settings));
        add("stripped", prepared.specialize(device, &settings.clone().strip(true).trim(true)));
        if let Some(packed) = &packed {
            add("multi-target", packed.specialize(device, &settings));
        }
        for (program, kernel) in program
            .iter()
            .flat_map(|program| program.kernels().into_iter().map(move |kernel| (program, kernel)))
        {
            add(
                "linked",
                program.select(kernel, device).and_then(|selection| selection.specialize(&settings)),
            );
        }
    }
    results
}

/// Specializes a result again for each device, and inspects it.
fn check(name: &str, result: &[u32], devices: &[Device], tally: &mut FinalCounts) {
    let module = Module::from_words(result).unwrap();
    let prepared = Prepared::new(&module).unwrap();
    for device in devices {
        match prepared.specialize(device, &Settings::new()) {
            Ok(again) if again.words == result => tally.unchanged += 1,
            Ok(_) => tally.failures.push(format!("{name}: changes on {}", device.name())),
            Err(Error::Refused(_)) => tally.refused += 1,
            Err(error) => tally.failures.push(format!("{name}: {error}")),
        }
    }
    let options = InspectOptions::new().skip_remedies(true).skip_constants(true);
    let mut report = Report::new(&options);
    report.add_file(name, 0, vec![Inspector::new(&options).unwrap().inspect(&module).unwrap()]);
    let text = report.to_text(&TextStyle::default());
    if text.contains("pack") || text.contains(" where ") {
        tally.failures.push(format!("{name}\n{text}"));
    }
}
