//! Traps in every fixture, on devices that lack one of its capabilities: the result is valid and does not declare it, or the device is refused.

use std::collections::BTreeMap;

use spirv_if::device::{Capability, DeviceParts};
use spirv_if::specialize::Trap;
use spirv_if::{Error, Module, Prepared, Settings};

use crate::common::{Batch, fixtures};
use crate::drivers::routes::declared;

tests![results_are_valid_or_refused];

/// The traps: all kinds, and stores to arguments and buffers, of which a fixture has some.
const TRAPS: [&str; 5] = ["abort", "silent", "store:0:4", "store:0.1:0", "store:0.2:4"];

fn results_are_valid_or_refused() {
    let mut batch = Batch::default();
    // The numbers of results with traps, by kind.
    let mut trapped: BTreeMap<&str, usize> = BTreeMap::new();
    let mut refused = 0;
    for (name, words) in fixtures() {
        let module = Module::from_words(&words[..]).unwrap();
        let Ok(prepared) = Prepared::new(&module) else { continue };
        let capabilities = declared(&words);
        let environment = format!("spv1.{}", words[1] >> 8 & 0xff);
        for lacked in &capabilities {
            let others = capabilities.iter().filter(|capability| *capability != lacked);
            let mut names: Vec<String> =
                others.map(|&capability| Capability::new(capability).to_string()).collect();
            names.push("AbortKHR".to_owned());
            let device = DeviceParts::new().capabilities(names.join(",")).to_device(None).unwrap();
            if prepared.specialize(&device, &Settings::new()).is_ok() {
                continue;
            }
            for trap in TRAPS {
                let settings = Settings::new().trap(trap.parse::<Trap>().unwrap());
                match prepared.specialize(&device, &settings) {
                    Ok(result) => {
                        assert!(!result.report.trapped.is_empty(), "{name} without {lacked}: {trap}");
                        assert!(!declared(&result.words).contains(lacked), "{name} without {lacked}: {trap}");
                        batch.add(format!("{name} without {lacked}: {trap}"), &result.words, &environment);
                        *trapped.entry(trap).or_default() += 1;
                    }
                    Err(Error::Refused(_)) => refused += 1,
                    // No such buffer, or something stays conditional.
                    Err(Error::Request(_) | Error::Undecided(_)) => {}
                    Err(error) => panic!("{name} without {lacked}: {trap}: {error}"),
                }
            }
        }
    }
    println!("{trapped:?}, {refused} refused");
    assert_eq!(trapped.len(), TRAPS.len(), "every kind is used: {trapped:?}");
    batch.assert_valid();
}
