//! Memory of prepared modules. It is a test in a file of its own, since it counts what its process allocates.

use std::alloc::System;
use std::path::{Path, PathBuf};

use spirv_if::specialize::UnsetPolicy;
use spirv_if::{Device, Module, Prepared, Settings};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Bytes that a module may keep besides 2.1 times its size: any module has tables.
const TABLES: usize = 2450;

fn fixtures(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the entry can be read").path();
        match path.is_dir() {
            true => fixtures(&path, paths),
            false => paths.extend(path.extension().is_some_and(|name| name == "spv").then_some(path)),
        }
    }
}

/// Returns the size of a module with specialization constants, and what it keeps after a call that sets all of them, both in bytes.
fn sizes(words: &[u32]) -> Option<(usize, usize)> {
    let module = Module::from_words(words).ok()?;
    let region = Region::new(ALLOCATOR);
    let prepared = Prepared::new(&module).ok()?;
    let settings = Settings::new().unset(UnsetPolicy::Default);
    let has_constants = !prepared.specialize(&Device::default(), &settings).ok()?.report.defaulted.is_empty();
    let change = region.change();
    has_constants.then_some((4 * words.len(), change.bytes_allocated - change.bytes_deallocated))
}

#[test]
fn prepared_modules_keep_little_more_than_twice_their_size() {
    let mut paths = Vec::new();
    fixtures(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"), &mut paths);
    let (mut counted, mut total_size, mut total_kept) = (0, 0, 0);
    for path in paths {
        let bytes = std::fs::read(&path).expect("the fixture can be read");
        let words: Vec<u32> = bytes
            .chunks_exact(4)
            .map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")))
            .collect();
        // The tables that all modules share are made by the first call.
        let Some((size, kept)) = sizes(&words).and_then(|_| sizes(&words)) else { continue };
        assert!(10 * kept <= 21 * size + 10 * TABLES, "{} keeps {kept} of {size} bytes", path.display());
        (counted, total_size, total_kept) = (counted + 1, total_size + size, total_kept + kept);
    }
    assert!(counted > 25, "{counted} modules");
    assert!(10 * total_kept <= 17 * total_size, "{total_kept} of {total_size} bytes");
}
