//! Files of this checkout that are generated from its tables. The package `generate` writes them.

use crate::analysis::requirements::generate as requirements;
use crate::device::embedded_devices::generate as embedded_devices;
use crate::device::generate as devices;
use crate::device::generate::header_names;
use crate::loader::grammar::generate as grammar;

/// Returns the files: the path of each in the checkout, and its text. They follow from the tables that the library was
/// built with, so a file may require that others are current.
pub fn files() -> [(&'static str, String); 6] {
    [
        ("src/loader/grammar/generated.rs", grammar::tables()),
        ("src/device/generated.rs", devices::tables()),
        ("src/analysis/requirements/generated.rs", requirements::text()),
        ("src/device/embedded_devices/generated.rs", embedded_devices::text()),
        ("include/spirv_if/names.h", header_names::macros()),
        ("include/spirv_if/names.hpp", header_names::enumerations()),
    ]
}

#[test]
fn files_are_current() {
    for (file, text) in files() {
        let written = std::fs::read_to_string(crate::test_support::root().join(file)).unwrap_or_default();
        assert!(written == text, "`cargo run -p generate` writes {file}");
    }
}
