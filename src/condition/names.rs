//! The names and numbers of leaves that no table has. Leaves are copied and compared everywhere, so each is kept once, for as long as the
//! process runs; how many there are is bounded, since anyone may have written them.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// The largest number of characters in a [`Name`].
pub const MAX_NAME: usize = 64;

/// The most [`Numbers`] of a leaf.
pub const MAX_NUMBERS: usize = 64;

/// The largest number of different [`Name`]s in one process, and of different [`Numbers`].
const MAX_KEPT: usize = 1 << 16;

/// The name of a leaf: a letter or underscore, then letters, digits and underscores, all of them ASCII.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(&'static str);

/// The name of a feature, with that of its provider: `amdgpu:gfx12-insts`. The provider's is like a [`Name`]; the feature's also has
/// hyphens and periods, and may begin with a digit.
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

/// True if the name of a feature may have this character.
pub(super) fn is_of_feature(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '.')
}

/// The number of characters of a text, and these, four to a word, the first in the lowest byte.
fn text_words(text: &str) -> Vec<u32> {
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
    std::iter::once(text.len() as u32).chain(text.as_bytes().chunks(4).map(word)).collect()
}

/// The text at the beginning of words such as [`text_words`] gives, and the words after it.
fn text_of_words(words: &[u32]) -> Option<(String, &[u32])> {
    let (&length, rest) = words.split_first()?;
    let length = usize::try_from(length).ok().filter(|&length| length <= MAX_NAME)?;
    let (words, rest) = rest.split_at_checked(length.div_ceil(4))?;
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let unused = bytes.split_off(length);
    let text = String::from_utf8(bytes).ok()?;
    unused.iter().all(|&byte| byte == 0).then_some((text, rest))
}

/// The one that is kept of all that are equal; `None` if there are [`MAX_KEPT`] others already.
fn kept<T: Ord + ?Sized>(all: &Mutex<BTreeSet<&'static T>>, own: &T) -> Option<&'static T>
where
    Box<T>: for<'t> From<&'t T>,
{
    let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = all.get(own) {
        return Some(known);
    }
    if all.len() >= MAX_KEPT {
        return None;
    }
    let kept: &'static T = Box::leak(Box::from(own));
    all.insert(kept);
    Some(kept)
}

impl Name {
    /// The name with these characters; `None` if they can be none, or there are too many already.
    pub fn new(text: &str) -> Option<Name> {
        static NAMES: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
        if is_name(text) { kept(&NAMES, text).map(Name) } else { None }
    }

    /// Its characters.
    pub fn as_str(self) -> &'static str {
        self.0
    }

    /// The number of its characters, and these, four to a word, the first in the lowest byte.
    pub fn to_words(self) -> Vec<u32> {
        text_words(self.0)
    }

    /// The name at the beginning of words such as [`to_words`](Name::to_words) gives, and how many these are.
    pub fn from_words(words: &[u32]) -> Option<(Name, usize)> {
        let (text, rest) = text_of_words(words)?;
        Some((Name::new(&text)?, words.len() - rest.len()))
    }
}

impl FeatureName {
    /// The feature of a provider with this name; `None` if one of the names cannot be one, or there are too many already.
    pub fn new(provider: &str, name: &str) -> Option<FeatureName> {
        static NAMES: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
        let is_pair = is_name(provider) && is_feature(name);
        if is_pair { kept(&NAMES, &format!("{provider}:{name}")).map(FeatureName) } else { None }
    }

    /// Reads `PROVIDER:NAME`; `None` where [`new`](FeatureName::new) returns that.
    pub fn parse(text: &str) -> Option<FeatureName> {
        let (provider, name) = text.split_once(':')?;
        FeatureName::new(provider, name)
    }

    /// The name of the provider.
    pub fn provider(self) -> &'static str {
        self.0.split_once(':').map_or("", |(provider, _)| provider)
    }

    /// The name of the feature, without that of the provider.
    pub fn name(self) -> &'static str {
        self.0.split_once(':').map_or("", |(_, name)| name)
    }

    /// The words of both names as of a [`Name`], and 0. Another number in its place is for features that are compared with numbers.
    pub fn to_words(self) -> Vec<u32> {
        [text_words(self.provider()), text_words(self.name()), vec![0]].concat()
    }

    /// The name at the beginning of words such as [`to_words`](FeatureName::to_words) gives, and how many these are.
    pub fn from_words(words: &[u32]) -> Option<(FeatureName, usize)> {
        let (provider, rest) = text_of_words(words)?;
        let (name, rest) = text_of_words(rest)?;
        let (_, rest) = rest.split_first().filter(|(comparison, _)| **comparison == 0)?;
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
    /// These numbers; `None` if they are none or more than [`MAX_NUMBERS`], or there are too many others already.
    pub fn new(numbers: &[u32]) -> Option<Numbers> {
        static NUMBERS: Mutex<BTreeSet<&[u32]>> = Mutex::new(BTreeSet::new());
        if (1..=MAX_NUMBERS).contains(&numbers.len()) { kept(&NUMBERS, numbers).map(Numbers) } else { None }
    }

    /// The numbers.
    pub fn as_slice(self) -> &'static [u32] {
        self.0
    }

    /// How many there are, and these.
    pub fn to_words(self) -> Vec<u32> {
        std::iter::once(self.0.len() as u32).chain(self.0.iter().copied()).collect()
    }
}

impl fmt::Debug for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
