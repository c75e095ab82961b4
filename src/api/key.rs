//! Keys of results, for caches that callers keep.

use std::fmt;
use std::hash::{Hash, Hasher};

/// Key of a result in a cache: module, device and settings with equal keys give equal words, or the same refusal. The name of a device does
/// not count.
///
/// The key is the same in every process. It includes the version of this library, so that a later version does not reuse older results.
/// Builds by different compilers may have different keys for the same result. Keys are not cryptographic: whoever can choose modules can
/// find two with one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CacheKey {
    bytes: [u8; 16],
}

impl CacheKey {
    /// Returns the bytes of the key.
    pub fn to_bytes(self) -> [u8; 16] {
        self.bytes
    }
}

/// 32 hexadecimal digits.
impl fmt::Display for CacheKey {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Hasher of keys: FNV-1a of 128 bits, eight bytes at a time, in the same order on every machine.
#[derive(Clone, Copy)]
pub(super) struct KeyHasher(u128);

impl KeyHasher {
    /// Starts with the version of this library.
    pub fn new() -> KeyHasher {
        KeyHasher::with_version(env!("CARGO_PKG_VERSION"))
    }

    fn with_version(version: &str) -> KeyHasher {
        let mut hasher = KeyHasher(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        version.hash(&mut hasher);
        hasher
    }

    /// Adds words.
    pub fn words(&mut self, words: &[u32]) {
        let (pairs, last) = words.as_chunks::<2>();
        pairs.iter().for_each(|&[low, high]| self.add(u64::from(low) | u64::from(high) << 32));
        last.iter().for_each(|&word| self.add(word.into()));
        self.add(words.len() as u64);
    }

    /// Returns the key of everything that was added.
    pub fn key(self) -> CacheKey {
        // The last bytes reach all bits.
        let mut all = self.0;
        for _ in 0..2 {
            all = (all ^ all >> 64).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
        CacheKey { bytes: (all ^ all >> 64).to_be_bytes() }
    }

    fn add(&mut self, value: u64) {
        self.0 = (self.0 ^ u128::from(value)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
    }
}

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0 as u64
    }

    fn write(&mut self, bytes: &[u8]) {
        let (eights, last) = bytes.as_chunks::<8>();
        eights.iter().for_each(|bytes| self.add(u64::from_le_bytes(*bytes)));
        let mut rest = [0; 8];
        rest[..last.len()].copy_from_slice(last);
        self.add(u64::from_le_bytes(rest));
        self.add(bytes.len() as u64);
    }

    fn write_u8(&mut self, value: u8) {
        self.add(value.into());
    }

    fn write_u32(&mut self, value: u32) {
        self.add(value.into());
    }

    fn write_u64(&mut self, value: u64) {
        self.add(value);
    }

    fn write_usize(&mut self, value: usize) {
        self.add(value as u64);
    }

    fn write_isize(&mut self, value: isize) {
        self.add(value as u64);
    }
}

/// Text that is written into a key.
impl fmt::Write for KeyHasher {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.write(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_have_other_keys() {
        let current = KeyHasher::new().key();
        assert_eq!(KeyHasher::with_version(env!("CARGO_PKG_VERSION")).key(), current);
        assert_ne!(KeyHasher::with_version("0.0.9").key(), current);
    }
}
