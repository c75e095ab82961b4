//! Every fixture, adapted for devices that reject one of its capabilities, all extensions, or its version of SPIR-V: the result is valid, or the
//! device is refused.

use spirv_if::device::{Capability, DeviceConfig};
use spirv_if::{Device, Error, Module, Prepared, Settings};

use crate::common::{Batch, fixtures};
use crate::drivers::routes::declared;

tests![results_are_valid_or_refused];

/// The least number of results that must be adapted.
const MIN_ADAPTED: usize = 20;

fn results_are_valid_or_refused() {
    let mut batch = Batch::default();
    let mut adapted = 0;
    for (name, words) in fixtures() {
        let module = Module::from_words(&words[..]).unwrap();
        let Ok(prepared) = Prepared::new(&module) else { continue };
        for (rejected, device) in devices(&words) {
            let title = format!("{name} without {rejected}");
            match prepared.specialize(&device, &Settings::new().adapt(true)) {
                Ok(result) if result.report.adapted.is_empty() => {}
                Ok(result) => {
                    let environment = format!("spv1.{}", result.words[1] >> 8 & 0xff);
                    batch.add(title, &result.words, &environment);
                    adapted += 1;
                }
                // Something stays conditional, or too new.
                Err(Error::Refused(_) | Error::TooNew(_) | Error::Undecided(_)) => {}
                Err(error) => panic!("{title}: {error}"),
            }
        }
    }
    assert!(adapted >= MIN_ADAPTED, "{adapted}");
    batch.assert_valid();
}

/// Returns devices that reject a part of a module, each with the name of that part.
fn devices(words: &[u32]) -> Vec<(String, Device)> {
    let names: Vec<String> =
        declared(words).iter().map(|&number| Capability::new(number).to_string()).collect();
    let without = |rejected: Option<&String>| {
        let left = names.iter().filter(|name| Some(*name) != rejected);
        format!("capabilities: [{}]", left.cloned().collect::<Vec<_>>().join(", "))
    };
    let device = |entry: &str| {
        let entry = format!("device: {{environments: [], exact-capabilities: true, {entry}}}");
        DeviceConfig::from_yaml("device", &entry).unwrap().get("device").unwrap().clone()
    };
    let extensions = "extensions: [], exact-extensions: true";
    let version = "spirv-versions: ['1.0'], exact-spirv-versions: true";
    let mut devices = vec![
        ("extensions".to_owned(), device(&format!("{}, {extensions}", without(None)))),
        ("newer versions".to_owned(), device(&format!("{}, {version}", without(None)))),
    ];
    devices.extend(names.iter().map(|name| (name.clone(), device(&without(Some(name))))));
    devices
}
