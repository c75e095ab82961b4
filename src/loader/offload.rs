//! LLVM's offload binaries inside any file: images, with the targets that they are for.
//!
//! A linker finds them in a section of an object file; llvm-offload-binary writes them to files of their own.
//! Here they are found anywhere by their magic number. A binary of version 1, written by LLVM 22, has one
//! image; one of version 2 has several. Newer versions may be compressed, and are skipped. All numbers are
//! little-endian, all offsets relative to the start of the binary.

use std::ops::Range;

use memchr::memmem;

const MAGIC: [u8; 4] = [0x10, 0xff, 0x10, 0xad];

/// Size in bytes of a header (up to version 2), and of an entry.
const HEADER: usize = 32;
const ENTRY: usize = 40;

/// Limit on the images of a file, and on the strings of an image.
const MAX_IMAGES: usize = 1 << 14;
const MAX_STRINGS: usize = 16;

/// An image for a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OffloadImage {
    /// The target triple, such as `spirv64-intel-unknown`.
    pub triple: String,
    /// The architecture, such as `bmg_g21`; empty if the image has none.
    pub architecture: String,
    /// Range of the image's bytes in the file.
    pub range: Range<usize>,
}

/// Returns the images in the bytes of a file, in order. Malformed images are omitted.
pub fn offload_images(bytes: &[u8]) -> Vec<OffloadImage> {
    let mut images = Vec::new();
    let mut left = MAX_IMAGES;
    for start in memmem::find_iter(bytes, &MAGIC) {
        images.extend(OffloadBinary { bytes, start }.images(&mut left).into_iter().flatten());
    }
    images
}

/// An offload binary that starts at an offset of the file.
struct OffloadBinary<'a> {
    bytes: &'a [u8],
    start: usize,
}

impl OffloadBinary<'_> {
    /// Returns the images of the binary. Each examined entry reduces `left`, so that a hostile file takes no
    /// longer than others.
    fn images(&self, left: &mut usize) -> Option<Vec<OffloadImage>> {
        let version = self.u32(4)?;
        let (entries, count) = (self.number(16)?, self.number(24)?);
        // Version 1 has the size of its single entry in this field.
        let count = if version == 1 { 1 } else { count };
        if !matches!(version, 1 | 2) || entries < HEADER || count > *left {
            return None;
        }
        *left -= count;
        let size = self.number(8)?;
        (0..count).map(|at| self.image(entries.checked_add(at * ENTRY)?, version, size)).collect()
    }

    fn image(&self, entry: usize, version: u32, size: usize) -> Option<OffloadImage> {
        let at = |offset: usize| self.number(entry.checked_add(offset)?);
        let (strings, count) = (at(8)?, at(16)?);
        let (offset, length) = (at(24)?, at(32)?);
        let end = offset.checked_add(length).filter(|&end| end <= size)?;
        let range = self.start.checked_add(offset)?..self.start.checked_add(end)?;
        if count > MAX_STRINGS || range.end > self.bytes.len() {
            return None;
        }
        let mut image = OffloadImage { triple: String::new(), architecture: String::new(), range };
        let row = if version == 1 { 16 } else { 24 };
        for number in 0..count {
            let string = strings.checked_add(number * row)?;
            let value = self.text(self.number(string.checked_add(8)?)?)?;
            match &*self.text(self.number(string)?)? {
                "triple" => image.triple = value,
                "arch" => image.architecture = value,
                _ => {}
            }
        }
        Some(image)
    }

    fn u32(&self, offset: usize) -> Option<u32> {
        Some(u32::from_le_bytes(*self.bytes.get(self.start.checked_add(offset)?..)?.first_chunk()?))
    }

    /// Returns the 64-bit number at an offset.
    fn number(&self, offset: usize) -> Option<usize> {
        let bytes = *self.bytes.get(self.start.checked_add(offset)?..)?.first_chunk()?;
        usize::try_from(u64::from_le_bytes(bytes)).ok()
    }

    /// Returns the zero-terminated text at an offset.
    fn text(&self, offset: usize) -> Option<String> {
        const MAX_LENGTH: usize = 256;
        let bytes = self.bytes.get(self.start.checked_add(offset)?..)?;
        let bytes = &bytes[..bytes.len().min(MAX_LENGTH)];
        let end = bytes.iter().position(|&byte| byte == 0)?;
        Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a binary with images of these triples, architectures and bytes.
    fn binary(version: u32, images: &[(&str, &str, &[u8])]) -> Vec<u8> {
        let mut tail: Vec<u8> = Vec::new();
        let mut entries: Vec<u8> = Vec::new();
        let rows = HEADER + images.len() * ENTRY;
        for (triple, architecture, image) in images {
            let at = |tail: &Vec<u8>| (rows + tail.len()) as u64;
            let mut texts = Vec::new();
            for text in ["triple", triple, "arch", architecture] {
                texts.push((at(&tail), text.len() as u64));
                tail.extend(text.as_bytes());
                tail.push(0);
            }
            let strings = at(&tail);
            for pair in texts.chunks(2) {
                tail.extend(pair[0].0.to_le_bytes());
                tail.extend(pair[1].0.to_le_bytes());
                if version > 1 {
                    tail.extend(pair[1].1.to_le_bytes());
                }
            }
            let image_at = at(&tail);
            tail.extend(*image);
            entries.extend([6, 0, 8, 0, 0, 0, 0, 0]);
            for number in [strings, 2, image_at, image.len() as u64] {
                entries.extend(number.to_le_bytes());
            }
        }
        let count = if version == 1 { ENTRY } else { images.len() };
        let mut bytes = MAGIC.to_vec();
        bytes.extend(version.to_le_bytes());
        for number in [rows + tail.len(), HEADER, count] {
            bytes.extend((number as u64).to_le_bytes());
        }
        [bytes, entries, tail].concat()
    }

    #[test]
    fn images_of_every_version_anywhere_in_a_file() {
        let one = binary(1, &[("spirv64", "a", b"first")]);
        let two = binary(2, &[("spirv32", "", b"second"), ("nvptx64", "sm_80", b"third")]);
        let file = [b"\x10\xff", &one[..], b"between", &two].concat();
        let images = offload_images(&file);
        let fields: Vec<_> = images
            .iter()
            .map(|image| (&*image.triple, &*image.architecture, &file[image.range.clone()]))
            .collect();
        let expected: [(&str, &str, &[u8]); 3] =
            [("spirv64", "a", b"first"), ("spirv32", "", b"second"), ("nvptx64", "sm_80", b"third")];
        assert_eq!(fields, expected);
    }

    #[test]
    fn malformed_ones_are_left_out() {
        let whole = binary(2, &[("spirv32", "", b"second"), ("nvptx64", "sm_80", b"third")]);
        for cut in 0..whole.len() {
            assert_eq!(offload_images(&whole[..cut]), []);
        }
        // Numbers out of bounds, everywhere.
        for at in 4..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] = 0xff;
            for image in offload_images(&bytes) {
                assert!(image.range.end <= bytes.len());
            }
        }
        assert_eq!(offload_images(&binary(4, &[("spirv32", "", b"newer")])), []);
    }
}
