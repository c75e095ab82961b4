//! The manifest of `merge` (`docs/merge.md`, "Many shaders") and `bundle` (`docs/bundles.md`), which lists the variants of many shaders.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::condition::Expr;
use crate::device::DeviceNames;
use crate::text::yaml::{self, ItemSeed, KeyNumber, Keys, Mapping, MappingSeed, OneOrListSeed, YamlError};

/// The word for all devices that no earlier variant is for.
pub const ELSE: &str = "else";

/// The variants of a shader.
#[derive(Clone, Debug)]
pub struct Shader {
    /// Name of the result.
    pub name: String,
    /// Line of the shader in the manifest, from 1.
    pub line: usize,
    /// The modules, in order.
    pub modules: Vec<String>,
    /// Conditions of the modules, with `None` for all remaining devices. Without the list, they follow from
    /// the requirements of the modules.
    pub conditions: Option<Vec<Option<Expr>>>,
    /// The specialization constants to fix, by SpecId or name, and their values.
    pub constants: Vec<(String, String)>,
    /// The specialization constants to which the host gives one of several values, by SpecId or name, and the values.
    pub choices: Vec<(String, Vec<String>)>,
    /// True if everything about it is decided when a bundle is made.
    pub is_ready: bool,
}

/// Reads the shaders of a manifest, in order.
///
/// # Errors
/// If the manifest is malformed; the error has the line.
pub fn read(text: &str) -> Result<Vec<Shader>, YamlError> {
    let mut file = ManifestFields::default();
    yaml::read(text, MappingSeed(&mut file, &Keys::default()))?;
    let no_shader = |name: &str, what: &str, key: KeyNumber| {
        let message = format!("`{name}` {what}, but is not among the shaders");
        YamlError { line: line(text, key), message }
    };
    for (name, constants, key) in file.1.0 {
        let found = file.0.0.iter_mut().find(|(shader, _)| shader.name == name);
        let (shader, _) = found.ok_or_else(|| no_shader(&name, "has constants", key))?;
        (shader.constants, shader.choices) = (constants.fixed, constants.choices);
    }
    if let Some((names, key)) = file.2 {
        for name in names {
            let found = file.0.0.iter_mut().find(|(shader, _)| shader.name == name);
            let (shader, _) = found.ok_or_else(|| no_shader(&name, "is to be ready", key))?;
            shader.is_ready = true;
        }
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut before: Option<usize> = None;
    for (shader, key) in &mut file.0.0 {
        shader.line = before
            .and_then(|before| next_line(&lines, before, &shader.name))
            .unwrap_or_else(|| line(text, *key));
        before = Some(shader.line);
    }
    Ok(file.0.0.into_iter().map(|(shader, _)| shader).collect())
}

/// Returns the line of a key, from 1. It reads the file again up to there.
fn line(text: &str, key: KeyNumber) -> usize {
    let failed = yaml::read(text, MappingSeed(&mut ManifestFields::default(), &Keys::until(key)));
    failed.err().map_or(1, |malformed| malformed.line)
}

/// Returns the line of a key after another one of the same mapping, from 1. Both must begin their lines with
/// equal indentation.
fn next_line(lines: &[&str], before: usize, name: &str) -> Option<usize> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let indentation = indent(lines.get(before - 1)?);
    let skipped = lines[before..].iter().position(|line| {
        indent(line) <= indentation && !line.trim().is_empty() && !line.trim_start().starts_with('#')
    })?;
    let line = lines[before + skipped];
    let quotes = ['"', '\''];
    let rest = line.trim_start().trim_start_matches(quotes).strip_prefix(name)?;
    let is_key = indent(line) == indentation && rest.trim_start_matches(quotes).trim_start().starts_with(':');
    is_key.then_some(before + skipped + 1)
}

/// Parses a condition of a manifest or the command line; `None` for [`ELSE`].
///
/// # Errors
/// If the condition is malformed.
pub fn condition(text: &str) -> Result<Option<Expr>, crate::condition::ConditionError> {
    match text.trim() {
        ELSE => Ok(None),
        text => Expr::parse(text, &DeviceNames).map(Some),
    }
}

#[derive(Default)]
struct ManifestFields(Shaders, FixedConstants, Option<(Vec<String>, KeyNumber)>);

impl Mapping for ManifestFields {
    const EXPECTED: &'static str = "a mapping with `shaders`";
    const KEYS: Option<&'static [&'static str]> = Some(&["shaders", "constants", "ready"]);

    fn value<'de, A: MapAccess<'de>>(
        &mut self,
        key: String,
        number: KeyNumber,
        keys: &Keys,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match &*key {
            "constants" => map.next_value_seed(MappingSeed(&mut self.1, keys)),
            "ready" => {
                self.2 = Some((map.next_value_seed(OneOrListSeed)?.0, number));
                Ok(())
            }
            _ => map.next_value_seed(MappingSeed(&mut self.0, keys)),
        }
    }
}

/// FixedConstants to fix, by shader.
#[derive(Default)]
struct FixedConstants(Vec<(String, ConstantValues, KeyNumber)>);

impl Mapping for FixedConstants {
    const EXPECTED: &'static str = "a mapping from shaders to constants";
    const KEYS: Option<&'static [&'static str]> = None;

    fn value<'de, A: MapAccess<'de>>(
        &mut self,
        name: String,
        key: KeyNumber,
        keys: &Keys,
        map: &mut A,
    ) -> Result<(), A::Error> {
        let mut values = ConstantValues::default();
        map.next_value_seed(MappingSeed(&mut values, keys))?;
        self.0.push((name, values, key));
        Ok(())
    }
}

/// The values of constants.
#[derive(Default)]
struct ConstantValues {
    fixed: Vec<(String, String)>,
    choices: Vec<(String, Vec<String>)>,
}

impl Mapping for ConstantValues {
    const EXPECTED: &'static str = "a mapping from constants to values";
    const KEYS: Option<&'static [&'static str]> = None;

    fn value<'de, A: MapAccess<'de>>(
        &mut self,
        constant: String,
        _: KeyNumber,
        _: &Keys,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match map.next_value_seed(OneOrListSeed)? {
            (values, true) => self.choices.push((constant, values)),
            (values, false) => self.fixed.extend(values.into_iter().map(|value| (constant.clone(), value))),
        }
        Ok(())
    }
}

#[derive(Default)]
struct Shaders(Vec<(Shader, KeyNumber)>);

impl Mapping for Shaders {
    const EXPECTED: &'static str = "a mapping from the names of results to variants";
    const KEYS: Option<&'static [&'static str]> = None;

    fn value<'de, A: MapAccess<'de>>(
        &mut self,
        name: String,
        key: KeyNumber,
        keys: &Keys,
        map: &mut A,
    ) -> Result<(), A::Error> {
        let (modules, conditions) = map.next_value_seed(VariantsReader(keys))?;
        let (constants, choices) = (Vec::new(), Vec::new());
        let shader = Shader { name, line: 0, modules, conditions, constants, choices, is_ready: false };
        self.0.push((shader, key));
        Ok(())
    }
}

/// Reader of modules with their conditions, or of a list of modules alone.
struct VariantsReader<'k>(&'k Keys);

type VariantLists = (Vec<String>, Option<Vec<Option<Expr>>>);

impl<'de> DeserializeSeed<'de> for VariantsReader<'_> {
    type Value = VariantLists;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<VariantLists, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for VariantsReader<'_> {
    type Value = VariantLists;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(
            "modules with their conditions, as in {a.f16.spv: fp16, a.spv: else}, or a list of modules, as in [a.f16.spv, a.spv]",
        )
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<VariantLists, A::Error> {
        let mut conditions = ConditionsReader::default();
        MappingSeed(&mut conditions, self.0).visit_map(map)?;
        let (modules, conditions) = (conditions.0, conditions.1);
        if modules.is_empty() {
            return Err(A::Error::custom("there are no variants: name at least one module"));
        }
        Ok((modules, Some(conditions)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<VariantLists, A::Error> {
        let mut modules = Vec::new();
        while let Some(module) =
            items.next_element_seed(ItemSeed(&|name: &str| Ok::<_, &str>(name.to_owned())))?
        {
            modules.push(module);
        }
        if modules.is_empty() {
            return Err(A::Error::custom("there are no variants: name at least one module"));
        }
        Ok((modules, None))
    }
}

#[derive(Default)]
struct ConditionsReader(Vec<String>, Vec<Option<Expr>>);

impl Mapping for ConditionsReader {
    const EXPECTED: &'static str = "a mapping from modules to conditions";
    const KEYS: Option<&'static [&'static str]> = None;

    fn value<'de, A: MapAccess<'de>>(
        &mut self,
        module: String,
        _: KeyNumber,
        _: &Keys,
        map: &mut A,
    ) -> Result<(), A::Error> {
        let is_after_else = self.1.last().is_some_and(Option::is_none);
        let read = |text: &str| match is_after_else {
            true => Err(format!(
                "`{module}` comes after `{ELSE}`, which is for all remaining devices and must be the last"
            )),
            false => condition(text).map_err(|error| error.to_string()),
        };
        self.1.push(map.next_value_seed(ItemSeed(&read))?);
        self.0.push(module);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_are_in_the_order_of_the_file() {
        let text = "shaders:\n  b.spv: {z.spv: fp16, a.spv: else}\n  a.spv:\n  - x.spv\n  - y.spv\n";
        let shaders = read(text).unwrap();
        let lines: Vec<(&str, usize)> = shaders.iter().map(|shader| (&*shader.name, shader.line)).collect();
        assert_eq!(lines, [("b.spv", 2), ("a.spv", 3)]);
        assert_eq!(shaders[0].modules, ["z.spv", "a.spv"]);
        assert_eq!(shaders[0].conditions, Some(vec![condition("fp16").unwrap(), None]));
        assert_eq!((shaders[1].modules.len(), &shaders[1].conditions), (2, &None));
    }

    #[test]
    fn constants_belong_to_shaders() {
        let text = "constants:\n  a: {0: 8, tile: -1, fast: true, size: [8, -1, 1.5], half: [true]}\nshaders:\n  a: [x]\n  b: [y]\n";
        let shaders = read(text).unwrap();
        let constants: Vec<(&str, &str)> =
            shaders[0].constants.iter().map(|(name, value)| (&**name, &**value)).collect();
        assert_eq!(constants, [("0", "8"), ("tile", "-1"), ("fast", "true")]);
        let choices = [("size", &["8", "-1", "1.5"][..]), ("half", &["true"])];
        let choices =
            choices.map(|(name, values)| (name.to_owned(), values.iter().map(ToString::to_string).collect()));
        assert_eq!(shaders[0].choices, choices);
        assert_eq!((&shaders[1].constants, &shaders[1].choices), (&Vec::new(), &Vec::new()));
    }

    #[test]
    fn shaders_are_ready_by_name() {
        for ready in ["[b]", "b"] {
            let shaders = read(&format!("ready: {ready}\nshaders:\n  a: [x]\n  b: [y]\n")).unwrap();
            assert_eq!([shaders[0].is_ready, shaders[1].is_ready], [false, true]);
        }
    }

    /// Checks that the lines of shaders are right, whether or not their keys begin lines.
    #[test]
    fn shaders_have_lines() {
        let text = "# shaders\nshaders:\n  a:\n    b: fp16\n\n  # and\n  'b': [x]\n  \"c\":\n  - b\n  ? d\n  : [x]\n  e: [\n  f]\n  f: [x]\n";
        let lines: Vec<usize> = read(text).unwrap().iter().map(|shader| shader.line).collect();
        assert_eq!(lines, [3, 7, 8, 10, 12, 14]);
        let text = "shaders: {a: [x], b: [y],\n c: [z]}";
        assert_eq!(read(text).unwrap().iter().map(|shader| shader.line).collect::<Vec<_>>(), [1, 1, 2]);
    }

    #[test]
    fn errors_have_lines() {
        for (text, line, message) in [
            ("shaders:\n  a.spv:\n    a.spv: fp61", 3, "no aspect is named `fp61`"),
            ("shaders:\n  a.spv:\n    a.spv: else\n    b.spv: fp16", 4, "`b.spv` comes after `else`"),
            ("shaders:\n  a.spv:\n    a.spv: fp16\n    a.spv: else", 4, "defined a second time"),
            ("shaders:\n  a.spv: [a.spv]\n  a.spv: [b.spv]", 3, "defined a second time"),
            ("shaders:\n  a.spv: []", 2, "there are no variants"),
            ("shaders:\n  a.spv: {}", 2, "there are no variants"),
            ("shaders:\n  a.spv: fp16", 2, "modules with their conditions"),
            (
                "shaders:\n  a: [x]\nconstants:\n  b: {0: 1}",
                4,
                "`b` has constants, but is not among the shaders",
            ),
            ("shaders:\n  a: [x]\nready: [b]", 3, "`b` is to be ready, but is not among the shaders"),
            ("shader: {}", 1, "unknown key `shader`; did you mean `shaders`?"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.line == line && error.message.contains(message), "{text}: {error:?}");
        }
    }
}
