//! Conditions as series of numbers.

#![no_main]

use libfuzzer_sys::fuzz_target;
use spirv_if::Condition;
use spirv_if_fuzz::oracles::{OF_CONDITIONS, bounded, limited, measure};

fuzz_target!(init: measure(&[&[1, 5][..]], fuzz), |data: &[u8]| fuzz(data));

fn fuzz(data: &[u8]) {
    // Most numbers are small ones.
    let series: Vec<i32> = match data.split_first() {
        Some((0, rest)) => rest
            .chunks_exact(4)
            .map(|bytes| i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
            .collect(),
        _ => data.iter().map(|&byte| i32::from(byte as i8)).collect(),
    };
    let size = size_of_val(&series[..]);
    let Ok(condition) = bounded(size, || Condition::from_series(&series)) else { return };
    let canonical = limited(OF_CONDITIONS, size, || condition.canonical());
    let written = bounded(size, || condition.to_series()).expect("the series of a condition from a series");
    let again = Condition::from_series(&written).expect("a series that was written");
    assert_eq!(again.to_series().ok(), Some(written), "not the same series again");
    assert_eq!(again.canonical().ok(), canonical.ok(), "not the same condition again");
}
