//! SYCL's device images in executables and libraries that DPC++ linked, with their property sets.
//!
//! DPC++'s linker wrapper describes each image by a structure of version 3: 8 bytes that begin with the version, then pointers to the target,
//! the compile and link options, and to the begin and end of the code, the entries and the property sets. A section `.tgtimg` has the address
//! and the size of each image. Files are position-independent 64-bit ELF files in little-endian order, so that pointers are relative relocations.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::collections::sort_by_key;

/// A device image of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyclImage<'a> {
    /// Number in the order of the file, from 0.
    pub number: usize,
    /// Range of the code in the file.
    pub range: Range<usize>,
    /// The description, or the reason for which it cannot be read.
    pub description: Result<ImageDescription<'a>, String>,
}

impl SyclImage<'_> {
    /// Returns true if the image in the file's bytes is SPIR-V. Other images are compiled for their target already.
    pub fn is_spirv(&self, bytes: &[u8]) -> bool {
        bytes[self.range.clone()].starts_with(&spirv::MAGIC_NUMBER.to_le_bytes())
    }
}

/// The data that a program has about an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageDescription<'a> {
    /// The target, such as `spir64`.
    pub target: &'a str,
    /// The names of kernels and exported functions.
    pub entries: Vec<&'a str>,
    /// The property sets with their names and properties.
    pub sets: Vec<(&'a str, Vec<(&'a str, ImageProperty<'a>)>)>,
}

/// The value of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageProperty<'a> {
    /// A 32-bit integer.
    Number(u32),
    /// Bytes, after their length in bits in the first eight.
    Bytes(&'a [u8]),
}

/// Name of the section with the address and size of each image.
const IMAGES: &str = ".tgtimg";

const VERSION: u16 = 3;

/// Bytes of a description before the pointer to the code.
const CODE_POINTER: u64 = 32;

/// Sizes in bytes of an entry of a section table, a relocation, an image in the section, an entry, a property set, and a property.
const SECTION: u64 = 64;
const RELOCATION: u64 = 24;
const IMAGE: u64 = 16;
const ENTRY: u64 = 32;
const SET: u64 = 24;
const PROPERTY: u64 = 32;

/// Types of sections: relocations with addends, and those without bytes in the file.
const RELA: u32 = 4;
const NO_BITS: u32 = 8;

/// Relative relocations of x86-64 and AArch64, by the machine in the header.
const RELATIVE: [(u16, u32); 2] = [(62, 8), (183, 1027)];

/// The type of files that are not linked yet (ELF, ET_REL).
const OBJECT_FILE: [u8; 2] = [1, 0];

/// Limit on the sections of a file, and on the bytes that are read, by those of the file: descriptions do not overlap in files of linkers.
const MAX_SECTIONS: u16 = 256;
const MAX_READS: u64 = 4;

/// Returns true if bytes are the start of an ELF file that may have images.
pub fn is_elf(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x7fELF\x02\x01")
}

/// Returns the images of a file in the order of their descriptions, and then those without one. The result is empty for a file that lists no
/// images. Images whose code is not in the file are left out.
///
/// # Errors
/// The reason for which the list of images cannot be read.
pub fn sycl_images(bytes: &[u8]) -> Result<Vec<SyclImage<'_>>, String> {
    let is_object = bytes.get(16..18) == Some(&OBJECT_FILE);
    let Some(mut file) = ElfFile::new(bytes).filter(|_| !is_object) else { return Ok(Vec::new()) };
    let Some(section) = file.sections.iter().position(|section| section.name == IMAGES) else {
        return Ok(Vec::new());
    };
    file.read_relocations()?;
    let mut listed = file.listed(section).ok_or("it is damaged, or not position-independent")?;
    // A description is where a pointer to an image precedes one to its end.
    let is_described = |(place, address): &(u64, u64)| {
        let size = listed.get(address);
        size.is_some_and(|size| file.pointer(place.wrapping_add(8)) == address.checked_add(*size))
    };
    let descriptions: Vec<(u64, u64)> =
        file.relocations.iter().map(|(place, address)| (*place, *address)).filter(is_described).collect();
    let mut images = Vec::new();
    for (place, address) in descriptions {
        let Some(size) = listed.remove(&address) else { continue };
        let description = file.description(place);
        images.extend(file.code(address, size).map(|range| SyclImage { number: 0, range, description }));
    }
    let without = listed.into_iter().filter_map(|(address, size)| file.code(address, size));
    let undescribed = || Err("the file has no description of it".to_owned());
    images.extend(without.map(|range| SyclImage { number: 0, range, description: undescribed() }));
    let mut in_order: Vec<&mut SyclImage> = images.iter_mut().collect();
    sort_by_key(&mut in_order, |image| image.range.start);
    in_order.into_iter().enumerate().for_each(|(number, image)| image.number = number);
    Ok(images)
}

struct ElfSection<'a> {
    name: &'a str,
    kind: u32,
    address: u64,
    offset: u64,
    size: u64,
}

struct ElfFile<'a> {
    bytes: &'a [u8],
    sections: Vec<ElfSection<'a>>,
    /// The pointers that are relocations, by their addresses.
    relocations: BTreeMap<u64, u64>,
    /// Bytes that may still be read.
    left: u64,
}

impl<'a> ElfFile<'a> {
    fn new(bytes: &'a [u8]) -> Option<ElfFile<'a>> {
        if !is_elf(bytes) {
            return None;
        }
        let left = MAX_READS.saturating_mul(bytes.len() as u64);
        let mut file = ElfFile { bytes, sections: Vec::new(), relocations: BTreeMap::new(), left };
        let table = file.u64_at(0x28)?;
        let (count, names) = (file.u16_at(0x3c)?, file.u16_at(0x3e)?);
        let header = |number: u16| table.checked_add(SECTION * u64::from(number));
        let names = file.u64_at(header(names)?.checked_add(24)?)?;
        for number in 0..(count <= MAX_SECTIONS).then_some(count)? {
            let at = header(number)?;
            let name = names.checked_add(u64::from(file.u32_at(at)?))?;
            let [address, offset, size] = [16, 24, 32].map(|field| file.u64_at(at.wrapping_add(field)));
            let name = file.text_at(name)?;
            file.sections.push(ElfSection {
                name,
                kind: file.u32_at(at.wrapping_add(4))?,
                address: address?,
                offset: offset?,
                size: size?,
            });
        }
        Some(file)
    }

    /// Reads the pointers.
    fn read_relocations(&mut self) -> Result<(), String> {
        let machine = self.u16_at(0x12).unwrap_or(0);
        let known = RELATIVE.iter().find(|(known, _)| *known == machine);
        let &(_, relative) =
            known.ok_or_else(|| format!("machine {machine} is neither x86-64 nor AArch64"))?;
        let tables = self.sections.iter().filter(|section| section.kind == RELA);
        let tables: Option<Vec<&[u8]>> = tables.map(|section| self.bytes_of(section)).collect();
        let tables = tables.ok_or("a table of relocations is outside of the file")?;
        for row in tables.into_iter().flat_map(|table| table.as_chunks::<{ RELOCATION as usize }>().0) {
            let [place, kind, address] =
                [0, 8, 16].map(|at| u64::from_le_bytes(std::array::from_fn(|byte| row[at + byte])));
            if kind as u32 == relative {
                self.relocations.insert(place, address);
            }
        }
        Ok(())
    }

    /// Returns the sizes of the images that a section lists, by address. `None` if it is damaged, or its pointers are not relocations.
    fn listed(&self, section: usize) -> Option<BTreeMap<u64, u64>> {
        let section = self.sections.get(section)?;
        self.bytes_of(section)?;
        let places = (section.address..section.address.checked_add(section.size)?).step_by(IMAGE as usize);
        let mut listed = BTreeMap::new();
        for place in places {
            let size = self.number(place.checked_add(8)?)?;
            let address = self.pointer(place);
            // Without both, it is padding.
            if address.is_some() || size > 0 {
                listed.insert(address?, size);
            }
        }
        Some(listed)
    }

    fn array<const N: usize>(&self, offset: u64) -> Option<[u8; N]> {
        Some(*self.bytes.get(usize::try_from(offset).ok()?..)?.first_chunk()?)
    }

    fn u16_at(&self, offset: u64) -> Option<u16> {
        self.array(offset).map(u16::from_le_bytes)
    }

    fn u32_at(&self, offset: u64) -> Option<u32> {
        self.array(offset).map(u32::from_le_bytes)
    }

    fn u64_at(&self, offset: u64) -> Option<u64> {
        self.array(offset).map(u64::from_le_bytes)
    }

    /// Returns the zero-terminated text at an offset.
    fn text_at(&mut self, offset: u64) -> Option<&'a str> {
        let bytes = self.bytes.get(usize::try_from(offset).ok()?..)?;
        let bytes = &bytes[..bytes.len().min(usize::try_from(self.left).ok()?)];
        let end = memchr::memchr(0, bytes)?;
        self.spend(end as u64)?;
        str::from_utf8(&bytes[..end]).ok()
    }

    /// Counts bytes that are read. `None` if these are more than an honest file has.
    fn spend(&mut self, bytes: u64) -> Option<()> {
        self.left = self.left.checked_sub(bytes)?;
        Some(())
    }

    /// Returns the bytes of a section.
    fn bytes_of(&self, section: &ElfSection) -> Option<&'a [u8]> {
        let end = section.offset.checked_add(section.size)?;
        self.bytes.get(usize::try_from(section.offset).ok()?..usize::try_from(end).ok()?)
    }

    /// Returns the offset of an address in the file.
    fn offset(&self, address: u64) -> Option<u64> {
        let holds = |section: &&ElfSection| {
            section.address != 0
                && section.kind != NO_BITS
                && address.checked_sub(section.address).is_some_and(|within| within < section.size)
        };
        let section = self.sections.iter().find(holds)?;
        section.offset.checked_add(address - section.address)
    }

    /// Returns the 64-bit number at an address.
    fn number(&self, address: u64) -> Option<u64> {
        self.u64_at(self.offset(address)?)
    }

    /// Returns the pointer at an address, if it is not null.
    fn pointer(&self, place: u64) -> Option<u64> {
        self.relocations.get(&place).copied()
    }

    /// Returns the text that a pointer points to.
    fn text(&mut self, place: u64) -> Option<&'a str> {
        self.text_at(self.offset(self.pointer(place)?)?)
    }

    /// Returns the addresses of the elements between two pointers; neither exists if there are none.
    fn elements(&mut self, place: u64, size: u64) -> Option<Vec<u64>> {
        let (Some(first), Some(end)) = (self.pointer(place), self.pointer(place.checked_add(8)?)) else {
            return Some(Vec::new());
        };
        let count = end.checked_sub(first)? / size;
        self.spend(count.checked_mul(size)?)?;
        Some((0..count).map(|number| first + number * size).collect())
    }

    /// Returns the range of an image's code in the file.
    fn code(&self, address: u64, size: u64) -> Option<Range<usize>> {
        let offset = self.offset(address)?;
        let range = usize::try_from(offset).ok()?..usize::try_from(offset.checked_add(size)?).ok()?;
        self.bytes.get(range.clone()).map(|_| range)
    }

    /// Returns the description that has a pointer to the code at this place.
    fn description(&mut self, place: u64) -> Result<ImageDescription<'a>, String> {
        let start = place.checked_sub(CODE_POINTER).filter(|start| self.is_of_version(*start));
        let start = start.ok_or_else(|| format!("its description is not of version {VERSION}"))?;
        let target = self.text(start.wrapping_add(8)).ok_or("its target is malformed")?;
        let entries = self.entries(place).ok_or("its list of entries is malformed")?;
        let places = self.elements(place.wrapping_add(32), SET);
        let mut sets = Vec::new();
        for (number, set) in places.ok_or("its list of property sets is malformed")?.into_iter().enumerate() {
            let name = self.text(set);
            let label = name.map_or_else(|| number.to_string(), |name| format!("[{name}]"));
            let properties = self.set(set).zip(name).map(|(properties, name)| (name, properties));
            sets.push(properties.ok_or_else(|| format!("its property set {label} is malformed"))?);
        }
        Ok(ImageDescription { target, entries, sets })
    }

    fn is_of_version(&self, description: u64) -> bool {
        self.offset(description).and_then(|offset| self.u16_at(offset)) == Some(VERSION)
    }

    fn entries(&mut self, place: u64) -> Option<Vec<&'a str>> {
        let entries = self.elements(place.wrapping_add(16), ENTRY)?;
        entries.into_iter().map(|entry| self.text(entry.wrapping_add(8))).collect()
    }

    /// Returns the properties of a property set.
    fn set(&mut self, set: u64) -> Option<Vec<(&'a str, ImageProperty<'a>)>> {
        let properties = self.elements(set.wrapping_add(8), PROPERTY)?;
        properties.into_iter().map(|property| self.property(property)).collect()
    }

    /// Returns the name and the value of a property: pointers to these, the type, and the size of the value, or the value of an integer.
    fn property(&mut self, property: u64) -> Option<(&'a str, ImageProperty<'a>)> {
        let kind = self.u32_at(self.offset(property.wrapping_add(16))?)?;
        let size = self.number(property.wrapping_add(24))?;
        let value = match (kind, size) {
            (1, number) => ImageProperty::Number(u32::try_from(number).ok()?),
            (_, 0) => ImageProperty::Bytes(&[]),
            (_, size) => {
                let start = usize::try_from(self.offset(self.pointer(property.wrapping_add(8))?)?).ok()?;
                let end = start.checked_add(usize::try_from(size).ok()?)?;
                ImageProperty::Bytes(self.bytes.get(start..end)?)
            }
        };
        Some((self.text(property)?, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::linked::{LinkedImage, LinkedValue, linked};

    fn image(code: &[u8], kernel: &str) -> LinkedImage {
        let properties = vec![
            ("aspects".to_owned(), LinkedValue::Bytes(vec![32, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0])),
            ("none".to_owned(), LinkedValue::Bytes(Vec::new())),
            ("level".to_owned(), LinkedValue::Number(3)),
        ];
        LinkedImage {
            version: 3,
            target: "spir64",
            code: code.to_vec(),
            entries: vec![kernel.to_owned(), "exported".to_owned()],
            sets: vec![("first".to_owned(), properties), ("empty".to_owned(), Vec::new())],
        }
    }

    #[test]
    fn images_have_their_entries_and_properties() {
        let file = linked(&[image(b"first code", "one"), image(b"second", "two")]);
        let images = sycl_images(&file).unwrap();
        let kernels: Vec<(&[u8], Vec<&str>)> = images
            .iter()
            .map(|image| (&file[image.range.clone()], described(image).entries.clone()))
            .collect();
        let expected: [(&[u8], Vec<&str>); 2] =
            [(b"first code", vec!["one", "exported"]), (b"second", vec!["two", "exported"])];
        assert_eq!(kernels, expected);
        let aspects = ImageProperty::Bytes(&[32, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0]);
        let properties = vec![
            ("aspects", aspects),
            ("none", ImageProperty::Bytes(&[])),
            ("level", ImageProperty::Number(3)),
        ];
        for image in &images {
            assert_eq!(described(image).target, "spir64");
            assert_eq!(described(image).sets, [("first", properties.clone()), ("empty", Vec::new())]);
        }
        assert_eq!(sycl_images(&linked(&[])), Ok(Vec::new()));
        assert_eq!(sycl_images(b"no ELF file"), Ok(Vec::new()));
    }

    fn described<'i, 'a>(image: &'i SyclImage<'a>) -> &'i ImageDescription<'a> {
        image.description.as_ref().unwrap()
    }

    /// Replaces the last occurrence of bytes by others.
    fn with_last(file: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
        let mut damaged = file.to_vec();
        let at = memchr::memmem::rfind(file, old).unwrap();
        damaged[at..at + new.len()].copy_from_slice(new);
        damaged
    }

    /// Checks that an unreadable image does not affect the others.
    #[test]
    fn each_image_has_its_own_error() {
        let file = linked(&[image(b"first code", "one"), image(b"second", "two")]);
        let older = LinkedImage { version: 2, ..image(b"second", "two") };
        for (damaged, reason) in [
            (linked(&[image(b"first code", "one"), older]), "its description is not of version 3"),
            (with_last(&file, b"spir64", b"\xff"), "its target is malformed"),
            (with_last(&file, b"two\0", b"\xff"), "its list of entries is malformed"),
            (with_last(&file, b"first\0", b"\xff"), "its property set 0 is malformed"),
            (with_last(&file, b"level\0", b"\xff"), "its property set [first] is malformed"),
        ] {
            let images = sycl_images(&damaged).unwrap();
            assert_eq!(described(&images[0]).entries, ["one", "exported"]);
            assert_eq!(images[1].description, Err(reason.to_owned()));
            assert_eq!(&damaged[images[1].range.clone()], b"second");
        }
    }

    /// The list of the images is an error of the file.
    #[test]
    fn unreadable_lists_are_errors() {
        let file = linked(&[image(b"first code", "one")]);
        let of_machine = |machine: u8| [&file[..0x12], &[machine], &file[0x13..]].concat();
        let riscv = "machine 243 is neither x86-64 nor AArch64";
        assert_eq!(sycl_images(&of_machine(243)), Err(riscv.to_owned()));
        // With the relocations of another machine, nothing is a pointer.
        assert_eq!(
            sycl_images(&of_machine(183)),
            Err("it is damaged, or not position-independent".to_owned())
        );
    }

    /// A damaged file has images within it, or none.
    #[test]
    fn damaged_files_are_harmless() {
        let whole = linked(&[image(b"first code", "one"), image(b"second", "two")]);
        let is_harmless = |bytes: &[u8]| {
            let images = sycl_images(bytes).unwrap_or_default();
            images.iter().all(|image| bytes.get(image.range.clone()).is_some())
        };
        for cut in 0..whole.len() {
            assert!(is_harmless(&whole[..cut]), "{cut}");
        }
        for at in 0..whole.len() {
            for value in [0, 1, 0x7f, 0x80, 0xff] {
                let mut bytes = whole.clone();
                bytes[at] = value;
                assert!(is_harmless(&bytes), "{value:#x} at {at:#x}");
            }
            let mut bytes = whole.clone();
            let end = bytes.len().min(at + 8);
            bytes[at..end].fill(0xff);
            assert!(is_harmless(&bytes), "at {at:#x}");
        }
    }
}
