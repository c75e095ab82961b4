//! Strict reading of YAML files: duplicate and unknown keys are errors, names and numbers alike are text, and
//! errors have a line.

use std::cell::Cell;
use std::collections::{BTreeSet, HashSet};
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Visitor};

use super::spelling::{did_you_mean, nearest};

/// An error in a file, with its line (from 1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlError {
    pub line: usize,
    pub message: String,
}

/// Limit on the depth of nesting: the parser takes time by the square of it.
const MAX_NESTING: usize = 1000;

/// Returns the line (from 1) on which a file is nested too deep, if there is one. Brackets in text and
/// comments count too; they rarely stay open.
fn nested_too_deep(text: &str) -> Option<usize> {
    let mut open = 0_usize;
    for (index, line) in text.lines().enumerate() {
        let entries = line.split(' ').take_while(|word| matches!(*word, "" | "-" | "?"));
        let entries = entries.filter(|word| !word.is_empty()).count();
        for byte in line.bytes() {
            match byte {
                b'[' | b'{' => open += 1,
                b']' | b'}' => open = open.saturating_sub(1),
                _ => {}
            }
            if open + entries > MAX_NESTING {
                return Some(index + 1);
            }
        }
    }
    None
}

/// Reads a file.
pub fn read<'t, S: DeserializeSeed<'t>>(text: &'t str, seed: S) -> Result<S::Value, YamlError> {
    if let Some(line) = nested_too_deep(text) {
        return Err(YamlError { line, message: format!("nested more than {MAX_NESTING} deep") });
    }
    seed.deserialize(serde_yaml::Deserializer::from_str(text)).map_err(|error| {
        let line = error.location().map_or(1, |location| location.line());
        let mut message = error.to_string();
        if let Some(location) = error.location() {
            let place = format!(" at line {} column {}", location.line(), location.column());
            message = message.strip_suffix(&place).unwrap_or(&message).to_owned();
        }
        YamlError { line, message }
    })
}

/// A key of a file, by the number of keys read before it. The parser has line numbers for errors only, so a
/// line is found by reading again, up to the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyNumber(u32);

/// Counts the keys of a file while it is read.
#[derive(Debug, Default)]
pub struct Keys {
    count: Cell<u32>,
    stop: Option<KeyNumber>,
}

impl Keys {
    /// Fails at a key, to find its line.
    pub fn until(key: KeyNumber) -> Keys {
        Keys { stop: Some(key), ..Keys::default() }
    }

    fn next<E: Error>(&self) -> Result<KeyNumber, E> {
        let number = KeyNumber(self.count.get());
        self.count.set(number.0 + 1);
        if self.stop == Some(number) { Err(E::custom("")) } else { Ok(number) }
    }
}

/// A mapping that is read key by key.
pub trait Mapping {
    /// The expected content, for errors.
    const EXPECTED: &'static str;
    /// The accepted keys; `None` if any name is accepted.
    const KEYS: Option<&'static [&'static str]>;

    /// Checks a key that is a name.
    fn check(_key: &str) -> Result<(), String> {
        Ok(())
    }

    /// Reads the value of a key.
    fn value<'de, A: MapAccess<'de>>(
        &mut self,
        key: String,
        number: KeyNumber,
        keys: &Keys,
        map: &mut A,
    ) -> Result<(), A::Error>;
}

/// Reads a mapping.
pub struct MappingSeed<'a, M>(pub &'a mut M, pub &'a Keys);

impl<'de, M: Mapping> DeserializeSeed<'de> for MappingSeed<'_, M> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, M: Mapping> Visitor<'de> for MappingSeed<'_, M> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(M::EXPECTED)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut seen = HashSet::new();
        while let Some((key, number)) =
            map.next_key_seed(MappingKey { seen: &mut seen, known: M::KEYS, keys: self.1, check: M::check })?
        {
            self.0.value(key, number, self.1, &mut map)?;
        }
        Ok(())
    }
}

/// A key of a mapping. Duplicate keys are errors, and unknown ones if `known` is given.
struct MappingKey<'a> {
    seen: &'a mut HashSet<String>,
    known: Option<&'static [&'static str]>,
    keys: &'a Keys,
    check: fn(&str) -> Result<(), String>,
}

impl<'de> DeserializeSeed<'de> for MappingKey<'_> {
    type Value = (String, KeyNumber);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for MappingKey<'_> {
    type Value = (String, KeyNumber);

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Self::Value, E> {
        let number = self.keys.next()?;
        if key == "<<" {
            return Err(E::custom("merge keys (`<<`) are not supported: write the keys out here"));
        }
        if let Some(known) = self.known.filter(|known| !known.contains(&key)) {
            let nearest = nearest(key, known.iter().copied());
            if nearest.is_empty() {
                let known = known.join("`, `");
                return Err(E::custom(format_args!("unknown key `{key}`: expected one of `{known}`")));
            }
            let suggestion = did_you_mean(&nearest);
            return Err(E::custom(format_args!("unknown key `{key}`{suggestion}")));
        }
        if !self.seen.insert(key.to_owned()) {
            return Err(E::custom(format_args!("`{key}` is defined a second time")));
        }
        (self.check)(key).map_err(E::custom)?;
        Ok((key.to_owned(), number))
    }
}

/// Parser of an item from its text; numbers are text too.
pub type Parse<'a, T, E> = &'a dyn Fn(&str) -> Result<T, E>;

/// One name or number.
pub struct ItemSeed<'a, T, E>(pub Parse<'a, T, E>);

impl<'de, T, X: fmt::Display> DeserializeSeed<'de> for ItemSeed<'_, T, X> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<T, X: fmt::Display> Visitor<'_> for ItemSeed<'_, T, X> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a name or a number")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        (self.0)(text).map_err(E::custom)
    }
}

/// A name or number, or a list of them, in the order of the file: true for a list.
pub struct OneOrListSeed;

impl<'de> DeserializeSeed<'de> for OneOrListSeed {
    type Value = (Vec<String>, bool);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for OneOrListSeed {
    type Value = (Vec<String>, bool);

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a value, or a list of values")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok((vec![text.to_owned()], false))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        self.visit_str(&value.to_string())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) =
            items.next_element_seed(ItemSeed(&|text: &str| Ok::<_, &str>(text.to_owned())))?
        {
            if values.contains(&value) {
                return Err(A::Error::custom(format!("the value `{value}` is there twice")));
            }
            values.push(value);
        }
        match values.is_empty() {
            true => Err(A::Error::custom("there are no values: name at least one")),
            false => Ok((values, true)),
        }
    }
}

/// One name or number, or a mapping that is read instead: then there is no item.
pub struct ItemOrMappingSeed<'a, T, E, M>(pub Parse<'a, T, E>, pub &'a mut M, pub &'a Keys);

impl<'de, T, X: fmt::Display, M: Mapping> DeserializeSeed<'de> for ItemOrMappingSeed<'_, T, X, M> {
    type Value = Option<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<T>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, T, X: fmt::Display, M: Mapping> Visitor<'de> for ItemOrMappingSeed<'_, T, X, M> {
    type Value = Option<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(M::EXPECTED)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Option<T>, E> {
        (self.0)(text).map(Some).map_err(E::custom)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Option<T>, E> {
        self.visit_str(&value.to_string())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Option<T>, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_unit<E: Error>(self) -> Result<Option<T>, E> {
        self.visit_str("")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Option<T>, A::Error> {
        MappingSeed(self.1, self.2).visit_map(map).map(|()| None)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<Option<T>, A::Error> {
        Err(tag_error(tagged))
    }
}

/// A list of names or numbers.
pub struct ItemListSeed<'a, T, E>(pub Parse<'a, T, E>);

impl<'de, T: Ord, X: fmt::Display> DeserializeSeed<'de> for ItemListSeed<'_, T, X> {
    type Value = BTreeSet<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let mut set = BTreeSet::new();
        deserializer.deserialize_seq(ListVisitor { parse: self.0, may_be_empty: true, set: &mut set })?;
        Ok(set)
    }
}

/// A list of names or numbers, or a single one.
pub struct OneOrManySeed<'a, T, E>(pub Parse<'a, T, E>);

impl<'de, T: Ord, X: fmt::Display> DeserializeSeed<'de> for OneOrManySeed<'_, T, X> {
    type Value = BTreeSet<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let mut set = BTreeSet::new();
        deserializer.deserialize_any(ListVisitor { parse: self.0, may_be_empty: true, set: &mut set })?;
        Ok(set)
    }
}

/// Like [`OneOrManySeed`], but an empty list is an error.
pub struct NonEmptySeed<'a, T, E>(pub Parse<'a, T, E>);

impl<'de, T: Ord, X: fmt::Display> DeserializeSeed<'de> for NonEmptySeed<'_, T, X> {
    type Value = BTreeSet<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let mut set = BTreeSet::new();
        deserializer.deserialize_any(ListVisitor { parse: self.0, may_be_empty: false, set: &mut set })?;
        Ok(set)
    }
}

/// An element of a list: an item, or a list whose items are added, so that an alias can be extended.
struct ListVisitor<'a, T, E> {
    parse: Parse<'a, T, E>,
    may_be_empty: bool,
    set: &'a mut BTreeSet<T>,
}

impl<'de, T: Ord, X: fmt::Display> DeserializeSeed<'de> for ListVisitor<'_, T, X> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, T: Ord, X: fmt::Display> Visitor<'de> for ListVisitor<'_, T, X> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a list of names or numbers, as in [a, b]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        loop {
            let item = ListVisitor { parse: self.parse, may_be_empty: true, set: &mut *self.set };
            if items.next_element_seed(item)?.is_none() {
                break;
            }
        }
        match self.may_be_empty || !self.set.is_empty() {
            true => Ok(()),
            false => {
                Err(A::Error::custom("the list is empty: leave it out, or list at least one name or number"))
            }
        }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.set.insert((self.parse)(text).map_err(E::custom)?);
        Ok(())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        self.visit_str(&number.to_string())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<(), E> {
        // 1.0 is kept as 1.0: SPIR-V versions look like fractions to YAML.
        self.visit_str(&format!("{number:?}"))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<(), A::Error> {
        Err(tag_error(tagged))
    }
}

/// Returns the error for a tag where text is expected.
fn tag_error<'de, A: EnumAccess<'de>>(tagged: A) -> A::Error {
    match tagged.variant::<String>() {
        Ok((tag, _)) => {
            A::Error::custom(format_args!("`!{tag}` is a YAML tag: put text that begins with `!` in quotes"))
        }
        Err(error) => error,
    }
}
