//! Names in the headers for device code.

use crate::device::NumberTable;
use crate::test_support::root;

/// Checks without the generator that every `NAME = NUMBER` and `#define` has the number that the program
/// uses.
#[test]
fn every_name_means_to_the_program_what_it_means_in_the_headers() {
    let read = |name| std::fs::read_to_string(root().join("include/spirv_if").join(name)).unwrap();
    let mut checked = 0;
    for line in read("names.h").lines() {
        let Some((kind, rest)) = line.strip_prefix("#define SPIRV_IF_").and_then(|rest| rest.split_once('_'))
        else {
            continue;
        };
        let Some((name, number)) = rest.split_once(' ') else { continue };
        let table = match kind {
            "ASPECT" => NumberTable::Aspects,
            "ARCHITECTURE" => NumberTable::Architectures,
            "CAPABILITY" => NumberTable::Capabilities,
            "KNOWN" => continue,
            _ => panic!("{line}"),
        };
        assert_eq!(table.number(name), number.parse().ok(), "{line}");
        checked += 1;
    }
    let mut table = NumberTable::Aspects;
    for line in read("names.hpp").lines() {
        if line.starts_with("enum class architecture") {
            table = NumberTable::Architectures;
        }
        let Some((name, number)) = line.strip_suffix(',').and_then(|line| line.trim().split_once(" = "))
        else {
            continue;
        };
        assert_eq!(table.number(name), number.parse().ok(), "{line}");
        checked += 1;
    }
    assert!(checked > 600, "{checked}");
}
