//! One verdict: inspecting and specializing give the same answer for every device.

use std::collections::BTreeMap;

use crate::device::DeviceConfig;
use crate::inspect::{CheckOptions, DeviceSupport, EntryPoint, InspectOptions, Inspector, check};
use crate::specialize::{DeviceRemedy, UndecidedPolicy, Verdict};
use crate::tests::corpus::fixtures;
use crate::{Device, Error, Module, PackOptions, Prepared, Settings, pack};

/// The size up to which a module is specialized for every device, in words.
const SMALL: usize = 4000;

/// One of so many devices is compared where the comparison specializes several times.
const STEP: usize = 19;

/// Compares the verdicts on a module on all devices. Returns the number of answers of each kind.
fn compare(name: &str, words: &[u32], devices: &DeviceConfig, counts: &mut [usize; 3]) {
    let module = Module::from_words(words).unwrap();
    let options = InspectOptions::new().each_device("*").skip_constants(true);
    let inspection = Inspector::new(&options).unwrap().inspect(&module).unwrap();
    let mut roots = inspection.entry_points();
    // Exported functions count only in a library.
    if roots.iter().any(|root| root.stage.is_some()) {
        roots.retain(|root| root.stage.is_some());
    }
    let prepared = Prepared::new(&module).unwrap();
    let step = if words.len() > SMALL { 11 } else { 1 };
    for (number, device) in devices.iter().enumerate().step_by(step) {
        let of_roots: Vec<&DeviceSupport> = roots.iter().map(|root| &root.each_device[number]).collect();
        assert!(of_roots.iter().all(|support| support.device == device.name()));
        let settings = Settings::new().trim(true).undecided(UndecidedPolicy::Keep);
        let context = format!("{name} on {}", device.name());
        let refused = |support: &DeviceSupport| support.after_pack.verdict() == Verdict::DoesNotRun;
        if inspection.inspected.remedy.phrase().contains("split") {
            // Each entry point is compared with its own image.
            for (root, support) in roots.iter().zip(&of_roots).filter(|(root, _)| root.stage.is_some()) {
                let alone = prepared.specialize(device, &settings.clone().entry_points([root.name.as_str()]));
                let is_refused = matches!(alone, Err(Error::Refused(_)));
                assert_eq!(is_refused, refused(support), "{context}: {}", root.name);
                counts[usize::from(is_refused)] += 1;
            }
            continue;
        }
        let refused_roots = roots.iter().zip(&of_roots).filter(|(_, support)| refused(support));
        let does_not_run: Vec<&str> = refused_roots.map(|(root, _)| root.name.as_str()).collect();
        match prepared.specialize(device, &settings) {
            Err(Error::Refused(refused)) => {
                assert_eq!(does_not_run.len(), roots.len(), "{context}: {refused}");
                counts[1] += 1;
            }
            result => {
                let report = result.unwrap().report;
                let mut unsupported: Vec<&str> =
                    report.unsupported.iter().map(|entry| entry.entry_point.as_str()).collect();
                // One entry point may lack several features.
                unsupported.dedup();
                assert_eq!(does_not_run, unsupported, "{context}");
                let mut others = of_roots.iter().map(|support| support.after_pack.verdict());
                let is_known = others.all(|verdict| verdict != Verdict::NotKnown);
                assert_eq!(report.not_known.is_empty(), is_known, "{context}: {:?}", report.not_known);
                counts[if is_known { 0 } else { 2 }] += 1;
            }
        }
    }
}

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
    let devices = DeviceConfig::embedded().unwrap();
    let options = InspectOptions::new().each_device("*").skip_constants(true);
    let mut counts = BTreeMap::new();
    for (at, fixture) in fixtures().iter().enumerate() {
        let module = Module::from_words(fixture.plain.module().words()).unwrap();
        let prepared = Prepared::new(&module).unwrap();
        let mut roots = Inspector::new(&options).unwrap().inspect(&module).unwrap().entry_points();
        roots.retain(|root| root.stage.is_some());
        for device in devices.iter().enumerate().skip(at % STEP).step_by(STEP) {
            compare_remedies(&fixture.name, &prepared, device, &roots, &mut counts);
        }
    }
    let least = |remedy| counts.get(&Some(remedy)).is_some_and(|&count| count > 2);
    assert!(least(DeviceRemedy::Adapt) && least(DeviceRemedy::Trap), "{counts:?}");
}

#[test]
fn inspecting_and_specializing_agree() {
    let devices = DeviceConfig::embedded().unwrap();
    let mut counts = [0; 3];
    for fixture in fixtures() {
        let words = fixture.plain.module().words();
        compare(&fixture.name, words, &devices, &mut counts);
        let module = Module::from_words(words).unwrap();
        let packed = pack(&module, &PackOptions::new()).unwrap().words;
        if packed != words {
            compare(&format!("{}, packed,", fixture.name), &packed, &devices, &mut counts);
        }
    }
    assert!(counts.iter().all(|&count| count > 100), "runs, does not run, not known: {counts:?}");
}

/// Compares real modules: `VERDICTS_COUNT` of those in the folder `VERDICTS_DIR`, always the same, or all.
#[test]
#[ignore = "takes long; scripts/soak.sh runs it"]
fn folders() {
    let folder = std::env::var("VERDICTS_DIR").expect("VERDICTS_DIR names a folder of modules");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "spv"));
    paths.sort();
    let count = std::env::var("VERDICTS_COUNT").map_or(paths.len(), |count| count.parse().expect("a number"));
    let devices = DeviceConfig::embedded().unwrap();
    let mut counts = [0; 3];
    for path in paths.iter().step_by(paths.len().div_ceil(count.max(1)).max(1)) {
        let bytes = std::fs::read(path).unwrap();
        let module = Module::from_bytes(&bytes).unwrap();
        compare(&path.display().to_string(), module.words(), &devices, &mut counts);
    }
    let all: usize = counts.iter().sum();
    assert!(all > 0, "no module was compared");
    println!("{} of {all} run, {} do not, {} are not known", counts[0], counts[1], counts[2]);
}

/// Strict settings refuse what is not known, with the same features.
#[test]
fn strict_settings_refuse_what_is_not_known() {
    let bytes = std::fs::read("fixtures/opencl/plain.spv").unwrap();
    let module = Module::from_bytes(&bytes).unwrap();
    let prepared = Prepared::new(&module).unwrap();
    let device = crate::device::DeviceParts::new().aspects("gpu,fp64").to_device(None).unwrap();
    let result = prepared.compatibility(&device, &Settings::new()).unwrap();
    assert_eq!(result.verdict(), Verdict::NotKnown);
    let Err(Error::Refused(refused)) = prepared.specialize(&device, &Settings::new().strict(true)) else {
        panic!("it is not refused");
    };
    assert_eq!((&refused.missing[..], &refused.unknown), (&[][..], &result.unknown));
    assert_eq!(
        refused.to_string(),
        "is not known to run on the described device: nothing says if it has SPIR-V 1.2, Addresses, Linkage, Kernel and 1 more"
    );
    let unknown = prepared.compatibility(&Device::default(), &Settings::new()).unwrap();
    assert_eq!(unknown.verdict(), Verdict::NotKnown);
}

/// Warnings of a fixed target exist exactly where the device does not run the module, or an entry point of it.
#[test]
fn checking_and_specializing_agree() {
    let devices = DeviceConfig::embedded().unwrap();
    let mut counts = [0; 2];
    for (at, fixture) in fixtures().iter().enumerate() {
        let module = Module::from_words(fixture.plain.module().words()).unwrap();
        let packed = pack(&module, &PackOptions::new()).unwrap().words;
        let packed = Module::from_words(&packed).unwrap();
        for module in [&module, &packed] {
            let prepared = Prepared::new(module).unwrap();
            for device in devices.iter().skip(at % 7).step_by(7) {
                let options = CheckOptions::new().fixed_targets([device.clone()]);
                let warnings = check(module, &options).unwrap();
                let of_target =
                    |rule: &str| ["missing-on-fixed-target", "declared-not-supported"].contains(&rule);
                let is_warned = warnings.iter().any(|warning| of_target(warning.rule));
                let settings = Settings::new().undecided(UndecidedPolicy::Keep);
                let does_not_run = match prepared.specialize(device, &settings) {
                    Err(Error::Refused(_)) => true,
                    result => !result.unwrap().report.unsupported.is_empty(),
                };
                assert_eq!(is_warned, does_not_run, "{} on {}: {warnings:?}", fixture.name, device.name());
                counts[usize::from(is_warned)] += 1;
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}
