//! Interned names and numbers of leaves without a table. Leaves are copied and compared everywhere, so each
//! name is stored once, until the process ends. Their number is limited, since they may come from any file.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// Maximum number of characters in a [`Name`].
pub const MAX_NAME: usize = 96;

/// Maximum number of [`Numbers`] of a leaf.
pub const MAX_NUMBERS: usize = 64;

/// Maximum number of different [`Name`]s in one process, and of different [`Numbers`].
const MAX_INTERNED: usize = 1 << 16;

/// The name of a leaf: a letter or underscore, followed by letters, digits and underscores, all ASCII.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(&'static str);

/// The name of a feature, with its provider: `amdgpu:gfx12-insts`. The provider is like a [`Name`]. The
/// feature may also contain hyphens and periods, and begin with a digit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeatureName(&'static str);

/// The numbers of a leaf, at least one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Numbers(&'static [u32]);

fn is_name(text: &str) -> bool {
    let is_first = |first: char| first.is_ascii_alphabetic() || first == '_';
    let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    text.len() <= MAX_NAME && text.starts_with(is_first) && text.chars().all(is_word)
}

fn is_feature(text: &str) -> bool {
    (1..=MAX_NAME).contains(&text.len()) && text.chars().all(is_of_feature)
}

/// Returns true if the name of a feature may contain this character.
pub(super) fn is_of_feature(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '.')
}

/// Returns the number of characters of a text, followed by the characters, four to a word, the first in the
/// lowest byte.
fn text_words(text: &str) -> Vec<u32> {
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
    std::iter::once(text.len() as u32).chain(text.as_bytes().chunks(4).map(word)).collect()
}

/// Reads the text at the start of words in the form of [`text_words`], and returns the words after it.
fn text_of_words(words: &[u32]) -> Option<(String, &[u32])> {
    let (&length, rest) = words.split_first()?;
    let length = usize::try_from(length).ok().filter(|&length| length <= MAX_NAME)?;
    let (words, rest) = rest.split_at_checked(length.div_ceil(4))?;
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let unused = bytes.split_off(length);
    let text = String::from_utf8(bytes).ok()?;
    unused.iter().all(|&byte| byte == 0).then_some((text, rest))
}

/// Returns the stored value that equals this one; `None` if [`MAX_INTERNED`] others are stored already.
fn intern<T: Ord + ?Sized>(all: &Mutex<BTreeSet<&'static T>>, value: &T) -> Option<&'static T>
where
    Box<T>: for<'t> From<&'t T>,
{
    let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = all.get(value) {
        return Some(known);
    }
    if all.len() >= MAX_INTERNED {
        return None;
    }
    let stored: &'static T = Box::leak(Box::from(value));
    all.insert(stored);
    Some(stored)
}

impl Name {
    /// Creates a name from its characters; `None` if they are invalid, or there are too many names.
    pub fn new(text: &str) -> Option<Name> {
        static NAMES: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
        if is_name(text) { intern(&NAMES, text).map(Name) } else { None }
    }

    /// Returns the characters.
    pub fn as_str(self) -> &'static str {
        self.0
    }

    /// Returns the number of characters, followed by the characters, four to a word, the first in the lowest
    /// byte.
    pub fn to_words(self) -> Vec<u32> {
        text_words(self.0)
    }

    /// Reads the name at the start of words in the form of [`to_words`](Name::to_words), and returns the
    /// number of words read.
    pub fn from_words(words: &[u32]) -> Option<(Name, usize)> {
        let (text, rest) = text_of_words(words)?;
        Some((Name::new(&text)?, words.len() - rest.len()))
    }
}

impl FeatureName {
    /// Creates the name of a feature from a constant `PROVIDER:NAME`, which is not checked.
    #[cfg(feature = "devices")]
    pub(crate) const fn constant(text: &'static str) -> FeatureName {
        FeatureName(text)
    }

    /// Creates the name of a feature of a provider; `None` if one of the names is invalid, or there are too
    /// many.
    pub fn new(provider: &str, name: &str) -> Option<FeatureName> {
        static NAMES: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
        let is_pair = is_name(provider) && is_feature(name);
        if is_pair { intern(&NAMES, &format!("{provider}:{name}")).map(FeatureName) } else { None }
    }

    /// Parses `PROVIDER:NAME`; `None` if [`new`](FeatureName::new) returns that.
    pub fn parse(text: &str) -> Option<FeatureName> {
        let (provider, name) = text.split_once(':')?;
        FeatureName::new(provider, name)
    }

    /// Returns the name of the provider.
    pub fn provider(self) -> &'static str {
        self.0.split_once(':').map_or("", |(provider, _)| provider)
    }

    /// Returns the name of the feature, without the provider.
    pub fn name(self) -> &'static str {
        self.0.split_once(':').map_or("", |(_, name)| name)
    }

    /// Returns the words of both names, each like those of a [`Name`].
    pub fn to_words(self) -> Vec<u32> {
        [text_words(self.provider()), text_words(self.name())].concat()
    }

    /// Reads the name at the start of words in the form of [`to_words`](FeatureName::to_words), and returns
    /// the number of words read.
    pub fn from_words(words: &[u32]) -> Option<(FeatureName, usize)> {
        let (provider, rest) = text_of_words(words)?;
        let (name, rest) = text_of_words(rest)?;
        Some((FeatureName::new(&provider, &name)?, words.len() - rest.len()))
    }
}

impl fmt::Debug for FeatureName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for FeatureName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Numbers {
    /// Interns numbers; `None` if there are none or more than [`MAX_NUMBERS`], or too many others are stored.
    pub fn new(numbers: &[u32]) -> Option<Numbers> {
        static NUMBERS: Mutex<BTreeSet<&[u32]>> = Mutex::new(BTreeSet::new());
        if (1..=MAX_NUMBERS).contains(&numbers.len()) { intern(&NUMBERS, numbers).map(Numbers) } else { None }
    }

    /// Returns the numbers.
    pub fn as_slice(self) -> &'static [u32] {
        self.0
    }

    /// Returns the count of numbers, followed by the numbers.
    pub fn to_words(self) -> Vec<u32> {
        std::iter::once(self.0.len() as u32).chain(self.0.iter().copied()).collect()
    }
}

impl fmt::Debug for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
