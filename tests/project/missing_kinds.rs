//! The interfaces for other languages have a kind for each kind of missing feature.

use std::path::Path;

/// Returns the names of the variants of `Missing`.
fn variants() -> Vec<String> {
    let text = read("src/compatibility/missing.rs");
    let body = text.split_once("pub enum Missing {").unwrap().1.split_once("\n}").unwrap().0;
    let is_name = |line: &&str| line.starts_with("    ") && line[4..].starts_with(char::is_uppercase);
    let names = body
        .lines()
        .filter(is_name)
        .map(|line| line.trim().chars().take_while(|letter| letter.is_alphanumeric()).collect::<String>());
    names.collect()
}

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

#[test]
fn every_missing_feature_has_a_kind_in_each_interface() {
    let variants = variants();
    assert!(variants.len() >= 10 && variants.contains(&"VulkanLimit".to_owned()), "{variants:?}");
    let header = read("capi/include/spvif.h");
    let [c, python] = ["capi/src/error.rs", "python/src/error.rs"].map(read);
    for variant in variants {
        let arm = format!("Of::{variant}");
        assert!(c.contains(&arm), "capi/src/error.rs has no kind for Missing::{variant}");
        assert!(python.contains(&arm), "python/src/error.rs has no kind for Missing::{variant}");
        let mut name = String::new();
        for letter in variant.chars() {
            if letter.is_uppercase() {
                name.push('_');
            }
            name.push(letter.to_ascii_uppercase());
        }
        assert!(header.contains(&format!("SPVIF_MISSING_KIND{name} =")), "spvif.h has no {variant}");
    }
}
