//! File tables.

#![no_main]

use libfuzzer_sys::fuzz_target;
use spirv_if::FileTable;
use spirv_if_fuzz::oracles::bounded;

fuzz_target!(|text: &str| {
    let Ok(table) = bounded(text.len(), || FileTable::parse("a.table", text)) else { return };
    let written = bounded(text.len(), || table.to_text());
    let again = FileTable::parse("a.table", &written).expect("a table that was written");
    assert!(again.rows().eq(table.rows()), "not the same rows again");
    assert_eq!(again.to_text(), written, "not the same text again");
});
