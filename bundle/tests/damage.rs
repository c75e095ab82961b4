//! Damaged and hostile bundles are errors: no panic, and bounded memory.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use common::{
    hostile, pool_words, ready_bundle, set_checksums, small_bundles, with_overlapping_blocks, with_words,
};
use spirv_if_bundle::{Bundle, BundleError, Damage};

/// Reads everything in a bundle.
fn read_all(bytes: &[u8]) -> Result<(), BundleError> {
    let bundle = Bundle::from_bytes(bytes)?;
    for shader in bundle.shaders() {
        shader.variants().try_for_each(|variant| variant.words().map(drop))?;
        let Some(ready) = shader.ready() else { continue };
        for number in 0..ready.len() {
            ready.result(number)?.words()?;
        }
        for answer in [None, Some(false), Some(true)] {
            // Other errors are those of the answers.
            if let Err(error @ BundleError::Damaged(_)) = ready.select(|_| answer) {
                return Err(error);
            }
        }
    }
    bundle.for_each_module(|_, _| Ok(()))
}

#[test]
fn every_changed_byte_is_an_error() {
    for mut bytes in small_bundles() {
        read_all(&bytes).unwrap();
        for at in 0..bytes.len() {
            // Reading all of a bundle takes long in debug builds.
            if at > 2000 && at % 37 != 0 {
                continue;
            }
            bytes[at] ^= 1 << (at % 8);
            assert!(read_all(&bytes).is_err(), "byte {at} does not matter");
            bytes[at] ^= 1 << (at % 8);
        }
    }
}

#[test]
fn truncated_bundles_are_errors() {
    for bytes in small_bundles() {
        for end in 0..bytes.len() {
            assert!(Bundle::from_bytes(&bytes[..end]).is_err(), "{end} bytes are enough");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert!(Bundle::from_bytes(&longer).is_err());
    }
}

#[test]
fn hostile_bundles_do_not_panic() {
    for bytes in small_bundles() {
        let mut unchanged = bytes.clone();
        set_checksums(&mut unchanged);
        assert!(unchanged == bytes, "the checksums are in other places");
        let refused = hostile(&bytes, 1500).filter(|hostile| read_all(hostile).is_err()).count();
        assert!(refused > 1000, "only {refused} of the changes are errors");
    }
}

#[test]
fn results_are_not_longer_than_their_pools() {
    let bytes = ready_bundle(true);
    let words = pool_words(&bytes);
    Bundle::from_bytes(with_words(&bytes, words)).unwrap();
    for words in [words + 1, 1 << 30, u32::MAX] {
        let opened = Bundle::from_bytes(with_words(&bytes, words));
        assert!(matches!(opened, Err(BundleError::Damaged(Damage::Index))), "{words} words");
    }
}

/// Otherwise a small file had checksums of many times its size.
#[test]
fn blocks_do_not_overlap() {
    let opened = Bundle::from_bytes(with_overlapping_blocks(&ready_bundle(true)));
    assert!(matches!(opened, Err(BundleError::Damaged(Damage::Index))), "{opened:?}");
}

#[test]
fn a_newer_version_is_named() {
    let mut bytes = small_bundles().remove(1);
    bytes[4] = 3;
    set_checksums(&mut bytes);
    assert!(matches!(Bundle::from_bytes(&bytes), Err(BundleError::Version(3))));
}
