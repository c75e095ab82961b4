//! Reading of [`AnnotationsFile`] from YAML.

use std::collections::BTreeSet;

use serde::de::{Error, MapAccess};

use super::{
    AnnotationEntry, AnnotationsError, AnnotationsFile, ConstantPart, FunctionEntry, Located, PartCondition,
    Position,
};
use crate::condition::{Expr, Leaf};
use crate::device::{DeviceNames, NumberTable, aspects, capabilities};
use crate::text::yaml;
use crate::text::yaml::{
    ItemOrMappingSeed, ItemSeed, KeyNumber, Keys, Mapping, MappingSeed, NonEmptySeed, OneOrManySeed,
    YamlError,
};

/// Advice on text that YAML does not accept without quotes.
const QUOTES: &str =
    "put names and conditions that begin with a sign, such as `%`, `*`, `!` or `&`, in quotes";

impl AnnotationsFile {
    /// Reads a file; `source_name` is its name in errors.
    ///
    /// # Errors
    /// If the YAML is malformed, a key is unknown or duplicate, or a condition, an aspect or a SpecId is
    /// invalid.
    pub fn from_yaml(source_name: &str, text: &str) -> Result<AnnotationsFile, AnnotationsError> {
        let mut file = AnnotationsFields::default();
        yaml::read(text, MappingSeed(&mut file, &Keys::default())).map_err(
            |YamlError { line, message }| {
                let message = match is_about_syntax(&message) {
                    true => format!("{message}; {QUOTES}"),
                    false => message,
                };
                AnnotationsError { source_name: source_name.to_owned(), line, message }
            },
        )?;
        Ok(AnnotationsFile {
            source_name: source_name.to_owned(),
            text: text.to_owned(),
            functions: file.functions.0,
            types: file.types.0,
            properties: file.properties.0,
            lower: file.lower,
            spec_constants: file.spec_constants.whole,
            parts: file.spec_constants.parts,
        })
    }
}

/// Returns the line of a key of a file that was read before.
pub(crate) fn line(text: &str, position: Position) -> usize {
    let failed = yaml::read(text, MappingSeed(&mut AnnotationsFields::default(), &Keys::until(position.0)));
    failed.err().map_or(1, |malformed| malformed.line)
}

/// Returns true if a message comes from the YAML parser, and not from reading the values.
fn is_about_syntax(message: &str) -> bool {
    ["unknown anchor", "while ", "did not find expected", "found character that cannot start any token"]
        .iter()
        .any(|start| message.contains(start))
}

/// The keys of the file.
pub(crate) const FILE_KEYS: &[&str] = &["functions", "lower", "properties", "spec-constants", "types"];

#[derive(Default)]
struct AnnotationsFields {
    functions: FunctionEntries,
    properties: PropertyEntries,
    types: TypeEntries,
    spec_constants: SpecConstantEntries,
    lower: BTreeSet<u32>,
}

impl Mapping for AnnotationsFields {
    const EXPECTED: &'static str =
        "a mapping with `functions`, `lower`, `properties`, `types` and `spec-constants`";
    const KEYS: Option<&'static [&'static str]> = Some(FILE_KEYS);

    fn value<'de, A: MapAccess<'de>>(
        &mut self,
        key: String,
        _: KeyNumber,
        keys: &Keys,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key.as_str() {
            "functions" => map.next_value_seed(MappingSeed(&mut self.functions, keys)),
            "lower" => {
                self.lower = map.next_value_seed(NonEmptySeed(&capability))?;
                Ok(())
            }
            "properties" => map.next_value_seed(MappingSeed(&mut self.properties, keys)),
            "types" => map.next_value_seed(MappingSeed(&mut self.types, keys)),
            _ => map.next_value_seed(MappingSeed(&mut self.spec_constants, keys)),
        }
    }
}

#[derive(Default)]
struct FunctionEntries(Vec<FunctionEntry>);

impl Mapping for FunctionEntries {
    const EXPECTED: &'static str = "a mapping from names of functions to their annotations";
    const KEYS: Option<&'static [&'static str]> = None;

    fn check(name: &str) -> Result<(), String> {
        name_of(name).map(drop)
    }

    fn value<'de, A: MapAccess<'de>>(
        &mut self,
        name: String,
        number: KeyNumber,
        keys: &Keys,
        map: &mut A,
    ) -> Result<(), A::Error> {
        let mut entry = FunctionEntry {
            name,
            position: Position(number),
            when: None,
            otherwise: None,
            uses: None,
            declares: None,
            fixed_targets: None,
            source: None,
        };
        map.next_value_seed(MappingSeed(&mut entry, keys))?;
        self.0.push(entry);
        Ok(())
    }
}

/// The keys of a function's entry.
pub(crate) const FUNCTION_KEYS: &[&str] =
    &["declares", "fixed-targets", "otherwise", "source", "uses", "when"];

impl Mapping for FunctionEntry {
    const EXPECTED: &'static str = "a mapping with the annotations of a function, such as `when: fp16`";
    const KEYS: Option<&'static [&'static str]> = Some(FUNCTION_KEYS);

    fn value<'de, A: MapAccess<'de>>(
        &mut self,
        key: String,
        number: KeyNumber,
        _: &Keys,
        map: &mut A,
    ) -> Result<(), A::Error> {
        let position = Position(number);
        match key.as_str() {
            "when" => {
                self.when = Some(Located { position, value: map.next_value_seed(ItemSeed(&condition))? });
            }
            "otherwise" => {
                self.otherwise = Some(Located { position, value: map.next_value_seed(ItemSeed(&name_of))? });
            }
            "uses" => {
                self.uses = Some(Located { position, value: map.next_value_seed(NonEmptySeed(&aspect))? });
            }
            "declares" => {
                self.declares =
                    Some(Located { position, value: map.next_value_seed(OneOrManySeed(&aspect))? });
            }
            "fixed-targets" => {
                self.fixed_targets =
                    Some(Located { position, value: map.next_value_seed(NonEmptySeed(&name_of))? });
            }
            _ => {
                self.source = Some(Located { position, value: map.next_value_seed(ItemSeed(&name_of))? });
            }
        }
        Ok(())
    }
}

#[derive(Default)]
struct TypeEntries(Vec<AnnotationEntry<String, BTreeSet<u32>>>);

impl Mapping for TypeEntries {
    const EXPECTED: &'static str = "a mapping from names of struct types to aspects";
    const KEYS: Option<&'static [&'static str]> = None;

    fn value<'de, A: MapAccess<'de>>(
        &mut self,
        key: String,
        number: KeyNumber,
        _: &Keys,
        map: &mut A,
    ) -> Result<(), A::Error> {
        let value = map.next_value_seed(NonEmptySeed(&aspect))?;
        self.0.push(AnnotationEntry { key, position: Position(number), value });
        Ok(())
    }
}

#[derive(Default)]
struct PropertyEntries(Vec<AnnotationEntry<String, BTreeSet<String>>>);

impl Mapping for PropertyEntries {
    const EXPECTED: &'static str =
        "a mapping from names of functions, parameters and variables to their properties";
    const KEYS: Option<&'static [&'static str]> = None;

    fn check(name: &str) -> Result<(), String> {
        name_of(name).map(drop)
    }

    fn value<'de, A: MapAccess<'de>>(
        &mut self,
        key: String,
        number: KeyNumber,
        _: &Keys,
        map: &mut A,
    ) -> Result<(), A::Error> {
        let value = map.next_value_seed(NonEmptySeed(&name_of))?;
        self.0.push(AnnotationEntry { key, position: Position(number), value });
        Ok(())
    }
}

#[derive(Default)]
struct SpecConstantEntries {
    whole: Vec<AnnotationEntry<u32, Expr>>,
    parts: Vec<AnnotationEntry<(u32, ConstantPart), PartCondition>>,
}

impl Mapping for SpecConstantEntries {
    const EXPECTED: &'static str = "a mapping from SpecIds to conditions";
    const KEYS: Option<&'static [&'static str]> = None;

    fn check(key: &str) -> Result<(), String> {
        // Only one spelling is accepted, so that duplicates are found.
        match key.parse::<u32>().is_ok_and(|spec_id| spec_id.to_string() == key) {
            true => Ok(()),
            false => Err(format!("`{key}` is not a SpecId: SpecIds are numbers from 0 to {}", u32::MAX)),
        }
    }

    fn value<'de, A: MapAccess<'de>>(
        &mut self,
        key: String,
        number: KeyNumber,
        keys: &Keys,
        map: &mut A,
    ) -> Result<(), A::Error> {
        let (spec_id, count) = (key.parse().map_err(A::Error::custom)?, self.parts.len());
        let mut parts = PartEntries { spec_id, parts: &mut self.parts };
        let whole = map.next_value_seed(ItemOrMappingSeed(&condition, &mut parts, keys))?;
        if whole.is_none() && self.parts.len() == count {
            return Err(A::Error::custom("the mapping is empty: leave it out, or bind at least one part"));
        }
        let entry = |value| AnnotationEntry { key: spec_id, position: Position(number), value };
        self.whole.extend(whole.map(entry));
        Ok(())
    }
}

/// The entries of one constant.
struct PartEntries<'a> {
    spec_id: u32,
    parts: &'a mut Vec<AnnotationEntry<(u32, ConstantPart), PartCondition>>,
}

impl Mapping for PartEntries<'_> {
    const EXPECTED: &'static str = "a condition, or a mapping from parts of an integer to conditions";
    const KEYS: Option<&'static [&'static str]> = None;

    fn check(key: &str) -> Result<(), String> {
        ConstantPart::parse(key).map(drop)
    }

    fn value<'de, A: MapAccess<'de>>(
        &mut self,
        key: String,
        number: KeyNumber,
        keys: &Keys,
        map: &mut A,
    ) -> Result<(), A::Error> {
        let part = ConstantPart::parse(&key).map_err(A::Error::custom)?;
        let mut choice = ChoiceEntry(None);
        let condition = map.next_value_seed(ItemOrMappingSeed(&condition, &mut choice, keys))?;
        let is_choice = condition.is_none();
        let condition = condition.or(choice.0).ok_or_else(|| A::Error::custom(ChoiceEntry::EXPECTED))?;
        let value = PartCondition { condition, is_choice };
        self.parts.push(AnnotationEntry { key: (self.spec_id, part), position: Position(number), value });
        Ok(())
    }
}

/// The condition under which the host decides about a part.
struct ChoiceEntry(Option<Expr>);

impl Mapping for ChoiceEntry {
    const EXPECTED: &'static str =
        "a condition, or `allowed: CONDITION` for a part that the host may choose where the condition holds";
    const KEYS: Option<&'static [&'static str]> = Some(&["allowed"]);

    fn value<'de, A: MapAccess<'de>>(
        &mut self,
        _: String,
        _: KeyNumber,
        _: &Keys,
        map: &mut A,
    ) -> Result<(), A::Error> {
        self.0 = Some(map.next_value_seed(ItemSeed(&condition))?);
        Ok(())
    }
}

/// Parses a name that is not empty, as it would be after a YAML tag.
fn name_of(text: &str) -> Result<String, String> {
    match text {
        "" => Err(format!("there is no text here; {QUOTES}")),
        _ => Ok(text.to_owned()),
    }
}

fn condition(text: &str) -> Result<Expr, String> {
    let text = name_of(text)?;
    let expr =
        Expr::parse(&text, &DeviceNames).map_err(|error| format!("the condition `{text}`: {error}"))?;
    match expr.leaves().iter().find(|leaf| matches!(leaf, Leaf::Constant(_))) {
        None => Ok(expr),
        Some(_) => Err(format!(
            "the condition `{text}` depends on a constant: use aspects, architectures and capabilities, and bind constants to \
             them under `spec-constants`"
        )),
    }
}

fn capability(text: &str) -> Result<u32, String> {
    capabilities::number(text)
        .ok_or_else(|| format!("there is no capability `{text}`: give the name of one, such as `Int64`"))
}

fn aspect(text: &str) -> Result<u32, String> {
    let number = NumberTable::Aspects.parse(text).map_err(|error| error.to_string())?;
    match aspects::name(number) {
        Some(_) => Ok(number),
        None => Err(format!("there is no aspect with the number {number}: give a name, such as `fp16`")),
    }
}
