//! A reader of property sets that shares nothing with the one under test (`spec-extensions/property-sets.md`).

use std::collections::BTreeMap;

/// Sets by name; properties by name, as integers of 32 bits.
pub type IntegerProperties = BTreeMap<String, BTreeMap<String, Vec<u32>>>;

pub fn read(text: &str) -> IntegerProperties {
    let mut sets = IntegerProperties::new();
    let mut current = String::new();
    for line in text.lines() {
        if line.starts_with('[') {
            current = line.trim_matches(['[', ']']).to_string();
            assert!(sets.insert(current.clone(), BTreeMap::new()).is_none(), "{line} twice");
            continue;
        }
        let (name, value) = line.split_once("=2|").unwrap_or_else(|| panic!("{line}"));
        let old = sets.get_mut(&current).unwrap().insert(name.to_string(), array(value));
        assert_eq!(old, None, "{name} twice");
    }
    sets
}

/// Returns a byte array in base64, low bits first: its length in bits, followed by these bits.
pub fn array(text: &str) -> Vec<u32> {
    const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let sextets = text.chars().map(|c| ALPHABET.find(c).unwrap());
    let bits: Vec<usize> = sextets.flat_map(|value| (0..6).map(move |bit| value >> bit & 1)).collect();
    let byte = |bits: &[usize]| bits.iter().rev().fold(0u8, |byte, &bit| byte << 1 | bit as u8);
    let bytes: Vec<u8> = bits.chunks_exact(8).map(byte).collect();
    let (length, data) = bytes.split_at(8);
    assert_eq!(u64::from_le_bytes(length.try_into().unwrap()), data.len() as u64 * 8, "{text}");
    data.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

#[test]
fn the_given_samples_read() {
    assert_eq!(array("AAAAAAAAAAA"), [0_u32; 0]);
    assert_eq!(array("gAAAAAAAAAQAAAAA"), [1]);
    assert_eq!(array("gAAAAAAAAAAIAAAA"), [32]);
    assert_eq!(array("gAAAAAAAAAAQAAAA"), [64]);
}
