//! Bundles: hostile ones are errors or have words, and any words come back from one that was written.

#![no_main]

use libfuzzer_sys::fuzz_target;
use spirv_if_bundle::{Bundle, BundleBuilder, BundleError, ShaderVariant};
use spirv_if_fuzz::instructions::words;

fuzz_target!(|data: &[u8]| {
    // Checksums are not compared in builds for fuzzing.
    if let Ok(bundle) = Bundle::from_bytes(data) {
        let _ = read_all(&bundle);
    }
    let words = words(data);
    for solid in [false, true] {
        let mut builder = BundleBuilder::new();
        builder.solid(solid);
        for (name, words) in [("all", &words[..]), ("half", &words[..words.len() / 2])] {
            builder.add(name, [ShaderVariant::new(words)]).expect("a new name");
        }
        let bytes = builder.to_bytes().expect("a bundle");
        let bundle = Bundle::from_bytes(&bytes).expect("a bundle that was written");
        assert!(bundle.get("all").expect("a module") == words, "other words");
        assert!(bundle.get("half").expect("a module") == words[..words.len() / 2], "other words");
        read_all(&bundle).expect("all modules");
    }
});

/// Reads everything in a bundle.
fn read_all(bundle: &Bundle) -> Result<(), BundleError> {
    for variant in bundle.shaders().flat_map(|shader| shader.variants()) {
        let _ = (variant.condition(), variant.constants().count());
        let words = variant.words();
        assert!(words.is_err() || words.is_ok_and(|words| 4 * words.len() == variant.size()));
    }
    for ready in bundle.shaders().filter_map(|shader| shader.ready()) {
        // A hostile bundle may have many results.
        for number in 0..ready.len().min(8) {
            let result = ready.result(number)?;
            let words = result.words();
            assert!(words.is_err() || words.is_ok_and(|words| 4 * words.len() == ready.result_size(number)));
            let _ = (result.requirements(), result.removed_bindings().count(), result.key());
        }
        for answer in [None, Some(false), Some(true)] {
            let _ = ready.select(|_| answer);
            let _ = ready.select(|question| answer.map(|answer| answer ^ (question % 3 == 0)));
        }
    }
    bundle.for_each_module(|_, _| Ok(()))
}
