//! Compression of blocks by zstd.

#[cfg(not(any(feature = "zstd", feature = "ruzstd")))]
compile_error!("a bundle is read by a decoder: enable the feature `zstd` or `ruzstd`");

/// The minimum size of a dictionary. Its entropy tables are smaller, so that a decoder finds all of them.
pub const MIN_DICTIONARY: usize = 1024;

/// Compression levels of blocks with a dictionary, and of others. Higher ones are slower, and save less than 2 %.
#[cfg(all(feature = "write", feature = "zstd"))]
const LEVELS: [i32; 2] = [17, 19];

#[cfg(not(feature = "zstd"))]
pub use rust::{Decompressor, Dictionary};
#[cfg(feature = "zstd")]
pub use with_c::{Decompressor, Dictionary};

#[cfg(feature = "zstd")]
mod with_c {
    use zstd::zstd_safe::{DCtx, DDict};

    /// A dictionary that is ready to use.
    pub struct Dictionary(DDict<'static>);

    impl Dictionary {
        /// Reads a dictionary; `None` if the content is not a dictionary.
        pub fn new(content: &[u8]) -> Option<Dictionary> {
            let has_magic = content.starts_with(&0xec30_a437_u32.to_le_bytes());
            let fits = has_magic && content.len() >= super::MIN_DICTIONARY;
            fits.then(|| DDict::try_create(content)).flatten().map(Dictionary)
        }
    }

    /// Decompresses frames, one after the other.
    pub struct Decompressor<'d> {
        context: DCtx<'d>,
        dictionary: Option<&'d Dictionary>,
    }

    impl<'d> Decompressor<'d> {
        /// Prepares a decompressor; `None` if there is too little memory.
        pub fn new(dictionary: Option<&'d Dictionary>) -> Option<Decompressor<'d>> {
            Some(Decompressor { context: DCtx::try_create()?, dictionary })
        }

        /// Decompresses a frame of a known size.
        pub fn decompress(&mut self, stored: &[u8], size: usize, content: &mut Vec<u8>) -> Option<()> {
            content.clear();
            content.try_reserve_exact(size).ok()?;
            let written = match self.dictionary {
                Some(Dictionary(dictionary)) => {
                    self.context.decompress_using_ddict(content, stored, dictionary)
                }
                None => self.context.decompress(content, stored),
            };
            (written.ok()? == size).then_some(())
        }
    }
}

#[cfg(feature = "ruzstd")]
#[cfg_attr(feature = "zstd", allow(dead_code, reason = "tests compare both decoders"))]
pub mod rust {
    use std::marker::PhantomData;

    use ruzstd::decoding::FrameDecoder;

    /// A dictionary that is ready to use.
    pub struct Dictionary(Vec<u8>);

    impl Dictionary {
        /// Reads a dictionary; `None` if the content is not a dictionary.
        pub fn new(content: &[u8]) -> Option<Dictionary> {
            let fits = content.len() >= super::MIN_DICTIONARY;
            (fits && ruzstd::decoding::Dictionary::decode_dict(content).is_ok())
                .then(|| Dictionary(content.to_vec()))
        }
    }

    /// Decompresses frames, one after the other.
    pub struct Decompressor<'d> {
        decoder: FrameDecoder,
        dictionary: PhantomData<&'d Dictionary>,
    }

    impl<'d> Decompressor<'d> {
        /// Prepares a decompressor; `None` if the dictionary is malformed.
        pub fn new(dictionary: Option<&'d Dictionary>) -> Option<Decompressor<'d>> {
            let mut decoder = FrameDecoder::new();
            if let Some(Dictionary(content)) = dictionary {
                decoder.add_dict(ruzstd::decoding::Dictionary::decode_dict(content).ok()?).ok()?;
            }
            Some(Decompressor { decoder, dictionary: PhantomData })
        }

        /// Decompresses a frame of a known size.
        pub fn decompress(&mut self, stored: &[u8], size: usize, content: &mut Vec<u8>) -> Option<()> {
            content.clear();
            content.try_reserve_exact(size).ok()?;
            content.resize(size, 0);
            (self.decoder.decode_all(stored, content).ok()? == size).then_some(())
        }
    }
}

#[cfg(test)]
#[cfg(all(feature = "ruzstd", feature = "write", feature = "zstd"))]
mod tests {
    use super::*;

    #[test]
    fn decoders_agree() {
        let samples: Vec<Vec<u8>> =
            (0..200_u32).map(|seed| (0..500).map(|at| ((at * seed) >> 5) as u8).collect()).collect();
        let slices: Vec<&[u8]> = samples.iter().map(Vec::as_slice).collect();
        let dictionary = train(&slices, 4096).unwrap();
        for content in [None, Some(&dictionary[..])] {
            let stored = BlockCompressor::new(content).compress(&samples[7]).unwrap();
            let in_c = content.map(|content| Dictionary::new(content).unwrap());
            let in_rust = content.map(|content| rust::Dictionary::new(content).unwrap());
            let mut of_c = Decompressor::new(in_c.as_ref()).unwrap();
            let mut of_rust = rust::Decompressor::new(in_rust.as_ref()).unwrap();
            let mut decompressed = Vec::new();
            for _ in 0..2 {
                assert!(of_c.decompress(&stored, 500, &mut decompressed).is_some());
                assert_eq!(decompressed, samples[7]);
                assert!(of_rust.decompress(&stored, 500, &mut decompressed).is_some());
                assert_eq!(decompressed, samples[7]);
                for size in [499, 501] {
                    assert!(of_c.decompress(&stored, size, &mut decompressed).is_none());
                    assert!(of_rust.decompress(&stored, size, &mut decompressed).is_none());
                }
            }
        }
        // Damaged frames and dictionaries are errors, or something else.
        let stored = BlockCompressor::new(Some(&dictionary)).compress(&samples[7]).unwrap();
        let mut decompressed = Vec::new();
        for (at, value) in (0..stored.len()).flat_map(|at| (0..=255).map(move |value| (at, value))) {
            let mut damaged = stored.clone();
            damaged[at] = value;
            let whole = rust::Dictionary::new(&dictionary);
            let mut of_rust = rust::Decompressor::new(whole.as_ref()).unwrap();
            let _ = of_rust.decompress(&damaged, 500, &mut decompressed);
        }
        for (at, bit) in (0..300).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
            let mut damaged = dictionary.clone();
            damaged[at] ^= 1 << bit;
            let Some(damaged) = rust::Dictionary::new(&damaged) else { continue };
            let mut of_rust = rust::Decompressor::new(Some(&damaged)).unwrap();
            let _ = of_rust.decompress(&stored, 500, &mut decompressed);
        }
        assert!(rust::Dictionary::new(&[0; 2000]).is_none() && Dictionary::new(&[0; 2000]).is_none());
    }
}

#[cfg(all(feature = "write", feature = "zstd"))]
mod write {
    use std::io;

    use zstd::bulk::Compressor;
    use zstd::dict::EncoderDictionary;
    use zstd::zstd_safe::CParameter;

    use super::{LEVELS, MIN_DICTIONARY};
    use crate::MAX_CONTENT;

    /// Compresses blocks of one bundle.
    pub struct BlockCompressor {
        dictionary: Option<EncoderDictionary<'static>>,
    }

    impl BlockCompressor {
        /// Prepares a compressor with a dictionary, or without one.
        pub fn new(dictionary: Option<&[u8]>) -> BlockCompressor {
            BlockCompressor {
                dictionary: dictionary.map(|content| EncoderDictionary::copy(content, LEVELS[0])),
            }
        }

        /// Compresses the content of a block into a frame.
        pub fn compress(&self, content: &[u8]) -> io::Result<Vec<u8>> {
            let mut compressor = match &self.dictionary {
                Some(dictionary) => Compressor::with_prepared_dictionary(dictionary)?,
                None => Compressor::new(LEVELS[1])?,
            };
            if self.dictionary.is_none() {
                // All of a block is in the window.
                compressor.set_parameter(CParameter::WindowLog(MAX_CONTENT.ilog2()))?;
            }
            compressor.compress(content)
        }
    }

    /// Makes a dictionary of at most `size` bytes; `None` if the samples are too small for one.
    pub fn train(samples: &[&[u8]], size: usize) -> Option<Vec<u8>> {
        zstd::dict::from_samples(samples, size).ok().filter(|dictionary| dictionary.len() >= MIN_DICTIONARY)
    }
}

#[cfg(all(feature = "write", not(feature = "zstd")))]
mod write {
    use std::io;

    /// A compressor that exists in libraries with zstd.
    pub struct BlockCompressor;

    impl BlockCompressor {
        pub fn new(_dictionary: Option<&[u8]>) -> BlockCompressor {
            BlockCompressor
        }

        pub fn compress(&self, _content: &[u8]) -> io::Result<Vec<u8>> {
            Err(io::Error::new(io::ErrorKind::Unsupported, "this library writes uncompressed bundles only"))
        }
    }

    /// Makes no dictionary.
    pub fn train(_samples: &[&[u8]], _size: usize) -> Option<Vec<u8>> {
        None
    }
}

#[cfg(feature = "write")]
pub use write::{BlockCompressor, train};
