//! Property sets: the data that a SYCL runtime reads about an image besides its code (`spec-extensions/property-sets.md`).

mod add_on;
pub mod carried;
mod device_globals;
mod linked;
mod merge;
mod requirements;
mod special_constants;
mod symbols;
mod units;
mod variants;

pub use add_on::{AddOnImages, AddOnRecord};
pub use device_globals::DeviceGlobal;
pub use linked::{description, linked_images};
pub use requirements::{ConditionalRequirements, DeviceRequirements, PropertyNames};
pub use special_constants::SpecialConstants;
pub use symbols::{ImportedSymbols, add_exported, exported_symbols};
pub use units::{PropertySubject, UnitProperties, subject_name};
pub use variants::{VariantForm, Variants};

use std::borrow::Cow;
use std::collections::HashSet;

use thiserror::Error;

/// The requirements of the image on a device: [`DeviceRequirements`] (docs/design/optional-kernel-features.md, "Create the
/// "SYCL/device requirements" property set").
pub const DEVICE_REQUIREMENTS: &str = "SYCL/device requirements";
/// The specialization constants that stand for properties of a device: [`SpecialConstants`] (docs/design/device-if.md, "New
/// properties and property sets").
pub const SPECIAL_CONSTANTS: &str = "SYCL/special specialization constants";
/// The pairs of add-on images that an image requires: [`AddOnImages`] (docs/design/device-if.md, "New property sets").
pub const ADD_ON_IMAGES: &str = "SYCL/add on images";
/// The place of an add-on image in its pair: [`AddOnRecord`] (docs/design/device-if.md, "New property sets").
pub const ADD_ON_IMAGE: &str = "SYCL/add on image";
/// The form of the variants of a merged module: `Variants`, defined by this project.
pub const VARIANTS: &str = "spirv-if/variants";
/// The functions and variables that an image imports, by DPC++'s name: [`ImportedSymbols`].
pub const IMPORTED_SYMBOLS: &str = "SYCL/imported symbols";
/// The functions and variables that an image defines for others, by DPC++'s name: a property for each ([`add_exported`]).
pub const EXPORTED_SYMBOLS: &str = "SYCL/exported symbols";

/// The property sets of an image, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PropertySets {
    /// The sets; no two have the same name.
    #[doc(hidden)]
    pub sets: Vec<PropertySet>,
}

/// A named set of properties, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PropertySet {
    /// The name, as between the brackets of its heading.
    #[doc(hidden)]
    pub name: String,
    /// The properties; no two have the same name. A name has no `=` and no line break.
    #[doc(hidden)]
    pub properties: Vec<(String, Property)>,
}

/// The value of a property.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Property {
    /// `PI_PROPERTY_TYPE_UINT32`.
    U32(u32),
    /// `PI_PROPERTY_TYPE_BYTE_ARRAY`, without its length prefix.
    Bytes(Vec<u8>),
    /// A byte array whose length prefix is not in whole bytes: bit masks, such as those of "SYCL/kernel param
    /// opt".
    Bits {
        /// The length in bits.
        length: u64,
        /// The bytes with the bits, unchanged.
        bytes: Vec<u8>,
    },
}

/// A malformed property set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PropertyError {
    /// A malformed line of the text.
    #[error("{source_name}:{line}: {reason}")]
    Text {
        /// The file.
        source_name: String,
        /// The line, from 1.
        line: usize,
        /// The error.
        reason: String,
    },
    /// A property's value does not have the form that its name requires.
    #[error("property `{property}` of [{set}]: {reason}")]
    Value {
        /// The set.
        set: String,
        /// The property.
        property: String,
        /// The error.
        reason: Cow<'static, str>,
    },
    /// The properties that a module carries are damaged.
    #[error("{reason}, in the properties that the module carries at byte offset {offset:#x} ({offset})")]
    Carried {
        /// The offset of the string, in bytes from the start of the module.
        offset: u64,
        /// The error.
        reason: String,
    },
    /// The property sets of an image in an executable or library that DPC++ linked cannot be read.
    #[error(
        "the property sets of SYCL image {image}, counted from 0, cannot be read: {reason}. Link the program again with a current DPC++"
    )]
    Linked {
        /// The number of the image, in the order of the file.
        image: usize,
        /// The error.
        reason: String,
    },
    /// The list of images in an executable or library that DPC++ linked cannot be read.
    #[error(
        "the file has a list of SYCL images, section .tgtimg, which cannot be read: {reason}. Link the program again with a current DPC++, as position-independent code"
    )]
    LinkedList {
        /// The error.
        reason: String,
    },
    /// The properties that a module carries have an unknown version.
    #[error(
        "the properties that the module carries at byte offset {offset:#x} ({offset}) are of version {version}, and this spirv-if reads \
         {}: use the spirv-if that packed the module, or a newer one", known.join(" and ")
    )]
    CarriedVersion {
        /// The offset of the string, in bytes from the start of the module.
        offset: u64,
        /// The version.
        version: String,
        /// The known versions.
        known: &'static [&'static str],
    },
    /// The properties that a module carries contradict those beside it.
    #[error(
        "the module and the properties beside it disagree on {subject}: {inside} in the module, {beside} beside it"
    )]
    Disagreement {
        /// The subject of the contradiction.
        subject: String,
        /// The value in the module.
        inside: String,
        /// The value beside it.
        beside: String,
    },
}

impl PropertySets {
    /// Returns the sets, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &PropertySet> {
        self.sets.iter()
    }

    /// Returns the set of this name.
    pub fn get(&self, name: &str) -> Option<&PropertySet> {
        self.sets.iter().find(|set| set.name == name)
    }

    /// Adds the set, or replaces the one with its name.
    pub fn put(&mut self, set: PropertySet) {
        match self.sets.iter_mut().find(|other| other.name == set.name) {
            Some(other) => *other = set,
            None => self.sets.push(set),
        }
    }

    /// Returns the text of a `.prop` file.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for set in &self.sets {
            text.push_str(&format!("[{}]\n", set.name));
            for (name, property) in &set.properties {
                text.push_str(&format!("{name}={}\n", property.to_text()));
            }
        }
        text
    }

    /// Returns true for the text of a `.prop` file as this program writes it. Reading and writing must restore it,
    /// and it must have a set that the program makes. An empty text is not accepted.
    pub fn is_own_text(text: &str) -> bool {
        PropertySets::parse("", text).is_ok_and(|sets| {
            let has_own =
                [DEVICE_REQUIREMENTS, SPECIAL_CONSTANTS].iter().any(|name| sets.get(name).is_some());
            (has_own || sets.sets.is_empty()) && sets.to_text() == text
        })
    }

    /// Reads the text of a `.prop` file; `source_name` is its name in errors. Blank lines are skipped.
    /// Properties must have the form that their names require.
    ///
    /// # Errors
    /// [`PropertyError::Text`] with the malformed line.
    pub fn parse(source_name: &str, text: &str) -> Result<PropertySets, PropertyError> {
        let mut sets = PropertySets::default();
        let at = |index: usize, reason| {
            let (source_name, line) = (source_name.to_owned(), index + 1);
            PropertyError::Text { source_name, line, reason }
        };
        // The line of each property, by set.
        let mut lines: Vec<Vec<usize>> = Vec::new();
        let mut seen = ParsedNames::default();
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty()) {
            sets.parse_line(line, &mut seen).map_err(|reason| at(index, reason))?;
            lines.resize_with(sets.sets.len(), Vec::new);
            if let (Some(set), Some(lines)) = (sets.sets.last(), lines.last_mut()) {
                lines.resize(set.properties.len(), index);
            }
        }
        for (set, lines) in sets.sets.iter().zip(&lines) {
            let Err(error) = set.check() else { continue };
            let PropertyError::Value { property, reason, .. } = &error else { return Err(error) };
            let position = set.properties.iter().position(|(name, _)| name == property);
            let line = position.and_then(|position| lines.get(position)).copied().unwrap_or_default();
            return Err(at(line, format!("property `{property}`: {reason}")));
        }
        Ok(sets)
    }

    fn parse_line<'t>(&mut self, line: &'t str, seen: &mut ParsedNames<'t>) -> Result<(), String> {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            if !seen.sets.insert(name) {
                return Err(format!("[{name}] is defined a second time"));
            }
            seen.properties.clear();
            self.sets.push(PropertySet { name: name.to_owned(), properties: Vec::new() });
            return Ok(());
        }
        let set = self.sets.last_mut().ok_or("a property before the first [set name]")?;
        let (name, value) = line.split_once('=').ok_or("neither [set name] nor property=type|value")?;
        let property = Property::parse(value)?;
        if !seen.properties.insert(name) {
            return Err(format!("property `{name}` is defined a second time"));
        }
        set.properties.push((name.to_owned(), property));
        Ok(())
    }
}

/// The names read so far.
#[derive(Default)]
struct ParsedNames<'t> {
    sets: HashSet<&'t str>,
    /// Names of properties in the current set.
    properties: HashSet<&'t str>,
}

impl PropertySet {
    /// Creates a set without properties.
    pub fn new(name: &str) -> PropertySet {
        PropertySet { name: name.to_owned(), properties: Vec::new() }
    }

    /// Returns the name, as between the brackets of its heading.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the properties with their names, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Property)> {
        self.properties.iter().map(|(name, property)| (name.as_str(), property))
    }

    /// Returns the property of this name.
    pub fn get(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|property| property.0 == name).map(|property| &property.1)
    }

    /// Adds a property, whose name must not be in the set yet.
    pub fn push(&mut self, name: impl Into<String>, property: Property) {
        self.properties.push((name.into(), property));
    }

    /// Checks that the properties of a known set have the form that their names require.
    fn check(&self) -> Result<(), PropertyError> {
        match self.name.as_str() {
            DEVICE_REQUIREMENTS => DeviceRequirements::from_set(self).map(drop),
            SPECIAL_CONSTANTS => SpecialConstants::from_set(self).map(drop),
            VARIANTS => Variants::from_set(self).map(drop),
            ADD_ON_IMAGES => AddOnImages::from_set(self).map(drop),
            ADD_ON_IMAGE => AddOnRecord::from_set(self).map(drop),
            IMPORTED_SYMBOLS => ImportedSymbols::from_set(self).map(drop),
            _ => Ok(()),
        }
    }

    /// Returns the error in a property of this set.
    fn error(&self, property: &str, reason: impl Into<Cow<'static, str>>) -> PropertyError {
        PropertyError::Value { set: self.name.clone(), property: property.to_owned(), reason: reason.into() }
    }

    /// Returns a property's value as an array of uint32.
    fn u32s(&self, name: &str, property: &Property) -> Result<Vec<u32>, PropertyError> {
        match property {
            Property::U32(_) => Err(self.error(name, "an integer, not an array of 32-bit integers")),
            Property::Bytes(bytes) => property.as_u32s().ok_or_else(|| {
                let length = bytes.len();
                self.error(name, format!("{length} bytes are not an array of 32-bit integers"))
            }),
            Property::Bits { length, .. } => {
                Err(self.error(name, format!("{length} bits are not an array of 32-bit integers")))
            }
        }
    }

    /// Returns a property's value as an array of int32.
    fn i32s(&self, name: &str, property: &Property) -> Result<Vec<i32>, PropertyError> {
        Ok(self.u32s(name, property)?.into_iter().map(u32::cast_signed).collect())
    }
}

impl Property {
    /// Returns the text of the type and value.
    fn to_text(&self) -> String {
        match self {
            Property::U32(value) => format!("1|{value}"),
            Property::Bytes(bytes) => format!("2|{}", encode(bytes.len() as u64 * 8, bytes)),
            Property::Bits { length, bytes } => format!("2|{}", encode(*length, bytes)),
        }
    }

    /// Parses the text of a type and a value.
    fn parse(text: &str) -> Result<Property, String> {
        let (kind, value) = text.split_once('|').ok_or("no `|` between the type and the value")?;
        match kind {
            "1" => {
                let number = decimal(value);
                Ok(Property::U32(
                    number.ok_or_else(|| format!("`{value}` is not a 32-bit unsigned integer"))?,
                ))
            }
            "2" => decode(value),
            _ => Err(format!("unknown property type `{kind}`: 1 (uint32) and 2 (byte array) are known")),
        }
    }

    /// Creates an array of uint32.
    pub fn from_u32s(values: &[u32]) -> Property {
        Property::Bytes(values.iter().flat_map(|value| value.to_le_bytes()).collect())
    }

    /// Creates an array of uint64.
    fn from_u64s(values: &[u32]) -> Property {
        Property::Bytes(values.iter().flat_map(|&value| u64::from(value).to_le_bytes()).collect())
    }

    /// Returns the elements of an array of uint64; `None` for other values.
    fn as_u64s(&self) -> Option<Vec<u64>> {
        let Property::Bytes(bytes) = self else { return None };
        let (words, []) = bytes.as_chunks() else { return None };
        Some(words.iter().map(|word| u64::from_le_bytes(*word)).collect())
    }

    /// Creates an array of int32.
    pub(crate) fn from_i32s(values: &[i32]) -> Property {
        Property::Bytes(values.iter().flat_map(|value| value.to_le_bytes()).collect())
    }

    /// Returns the elements of an array of uint32; None if it is not one.
    pub(crate) fn as_u32s(&self) -> Option<Vec<u32>> {
        let Property::Bytes(bytes) = self else { return None };
        let (words, []) = bytes.as_chunks() else { return None };
        Some(words.iter().map(|word| u32::from_le_bytes(*word)).collect())
    }
}

fn encode(bits: u64, bytes: &[u8]) -> String {
    encode_base64(&[&bits.to_le_bytes(), bytes].concat())
}

fn decode(text: &str) -> Result<Property, String> {
    from_prefixed(decode_base64(text)?)
}

/// Makes a byte array of bytes that begin with its length in bits.
fn from_prefixed(mut bytes: Vec<u8>) -> Result<Property, String> {
    let (prefix, data) = bytes.split_first_chunk().ok_or("a byte array starts with its length in 8 bytes")?;
    let length = u64::from_le_bytes(*prefix);
    let actual = data.len() as u64;
    if length.div_ceil(8) != actual {
        return Err(format!("the length prefix is {length} bits, but {} bits follow", actual * 8));
    }
    bytes.drain(..size_of::<u64>());
    Ok(if length == actual * 8 { Property::Bytes(bytes) } else { Property::Bits { length, bytes } })
}

/// Parses digits without signs and spaces: writing must restore the text.
fn decimal(text: &str) -> Option<u32> {
    let value: u32 = text.parse().ok()?;
    (value.to_string() == text).then_some(value)
}

/// The digits of DPC++'s base64: the usual alphabet without padding. The first character holds the *low* six
/// bits of the first byte, and so on upwards.
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn encode_base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    let digit = |bits: u32| char::from(ALPHABET[(bits & 63) as usize]);
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().rev().fold(0, |bits, byte| bits << 8 | u32::from(*byte));
        // One byte takes two digits, two take three, three take four.
        text.extend((0..=chunk.len()).map(|index| digit(bits >> (6 * index))));
    }
    text
}

fn decode_base64(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let (mut bits, mut count) = (0, 0);
    for character in text.chars() {
        let digit = ALPHABET.iter().position(|other| char::from(*other) == character);
        let digit = digit.ok_or_else(|| format!("`{character}` is not a base64 character"))?;
        bits |= (digit as u32) << count;
        count += 6;
        if count >= 8 {
            bytes.push(bits as u8);
            bits >>= 8;
            count -= 8;
        }
    }
    // Other remainders have an extra digit, or bits that belong to no byte, so that writing would not restore
    // them.
    if count == 6 || bits != 0 { Err("the base64 text ends within a byte".to_owned()) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests;
