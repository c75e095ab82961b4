//! File tables.

#![no_main]

use libfuzzer_sys::fuzz_target;
use spirv_if_sycl::tables::FileTable;
use spirv_if_fuzz::oracles::{OF_CELLS, limited, measure};

fuzz_target!(init: measure(&["[Code]\na\n"], fuzz), |text: &str| fuzz(text));

fn fuzz(text: &str) {
    let Ok(table) = limited(OF_CELLS, text.len(), || FileTable::parse("a.table", text)) else { return };
    let written = limited(OF_CELLS, text.len(), || table.to_text());
    let again = FileTable::parse("a.table", &written).expect("a table that was written");
    assert!(again.rows().eq(table.rows()), "not the same rows again");
    assert_eq!(again.to_text(), written, "not the same text again");
}
