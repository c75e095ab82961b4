//! Property sets inside a module. Each property is a string that consumers ignore, so that no property is
//! lost with a file (`spec-extensions/property-sets.md`, "Inside a module").

use spirv::Op;

use super::{Property, PropertyError, PropertySet, PropertySets};
use crate::loader::{Instruction, LogicalPlace, Module, Section, Version, grammar, literal, views};

/// Prefix of each string. The version follows, and a mark that says whether the string continues the one
/// before.
const START: &str = "spirv-if:properties:";
const _: () = assert!(START.len().is_multiple_of(4));
const FIRST: char = ' ';
const NEXT: char = '+';

/// Versions that can be read; the last one is written. Conditions of version 2 may have features of
/// providers.
const VERSIONS: [&str; 2] = ["1", "2"];
const VERSION: &str = VERSIONS[VERSIONS.len() - 1];

/// Maximum number of characters in a literal string (specification, 2.17 "Universal Limits").
const MAX_CHARACTERS: usize = 65_535;

/// Returns the instructions of a module that carry its properties, in order.
pub fn strings<'m>(module: &'m Module) -> impl Iterator<Item = views::Note<'m>> {
    module.notes().filter(is_string).map(views::Note)
}

/// Returns true if an instruction carries properties of its module.
pub fn is_string(inst: &Instruction) -> bool {
    let may_be = inst.is(Op::ModuleProcessed) || inst.is(Op::SourceExtension);
    // The prefix fills whole words, so it can be compared without decoding the string.
    let start = START.as_bytes().as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
    may_be
        && inst.words().len() > START.len() / 4
        && start.eq(inst.words_from(1)[..START.len() / 4].iter().copied())
}

/// Returns the property sets that a module carries.
///
/// # Errors
/// [`PropertyError::Carried`] with the place of the damage; [`PropertyError::CarriedVersion`] if a newer
/// program wrote them.
pub fn read(module: &Module) -> Result<PropertySets, PropertyError> {
    let mut texts: Vec<(u64, String)> = Vec::new();
    let mut version_before = None;
    for note in strings(module) {
        let offset = u64::from(note.offset()) * 4;
        let damaged = |reason: &str| PropertyError::Carried { offset, reason: reason.to_owned() };
        let string = note.text();
        let (version, text) = split_version(&string[START.len()..]);
        let Some(known) = VERSIONS.into_iter().find(|known| *known == version) else {
            return Err(match version {
                "" => damaged("the version is missing"),
                _ => PropertyError::CarriedVersion { offset, version: version.to_owned(), known: &VERSIONS },
            });
        };
        if let Some(text) = text.strip_prefix(FIRST) {
            texts.push((offset, text.to_owned()));
        } else if let Some(text) = text.strip_prefix(NEXT) {
            let last = texts.last_mut().filter(|_| version_before == Some(known));
            last.ok_or_else(|| damaged("the beginning of a property is missing"))?.1.push_str(text);
        } else {
            return Err(damaged("neither a space nor `+` after the version"));
        }
        version_before = Some(known);
    }
    let mut sets = PropertySets::default();
    for (offset, text) in &texts {
        add(&mut sets, text).map_err(|reason| PropertyError::Carried { offset: *offset, reason })?;
    }
    for set in &sets.sets {
        let Err(error) = set.check() else { continue };
        let PropertyError::Value { property, reason, .. } = &error else { return Err(error) };
        let is_of = |text: &str| matches!(parse(text), Ok((of, Some((name, _)))) if of == set.name && name == property);
        let offset = texts.iter().find(|(_, text)| is_of(text)).map_or(0, |(offset, _)| *offset);
        return Err(PropertyError::Carried { offset, reason: format!("property `{property}`: {reason}") });
    }
    Ok(sets)
}

/// Splits a string after its version, which is in decimal digits.
fn split_version(string: &str) -> (&str, &str) {
    string.split_at(string.find(|character: char| !character.is_ascii_digit()).unwrap_or(string.len()))
}

/// Adds the property in a string. Linkers without support for properties join the strings of modules, so one
/// property may occur twice.
fn add(sets: &mut PropertySets, text: &str) -> Result<(), String> {
    let (name, property) = parse(text)?;
    let at = sets.sets.iter().position(|set| set.name == name).unwrap_or_else(|| {
        sets.sets.push(PropertySet::new(name));
        sets.sets.len() - 1
    });
    let Some((name, property)) = property else { return Ok(()) };
    let set = &mut sets.sets[at];
    match set.get(name) {
        None => set.push(name, property),
        Some(before) if *before == property => {}
        Some(_) => return Err(format!("property `{name}` of [{}] has another value before", set.name)),
    }
    Ok(())
}

/// The name of a set, and a property of it; `None` for a set without properties.
type CarriedProperty<'t> = (&'t str, Option<(&'t str, Property)>);

/// Parses `property=TYPE|VALUE [Set name]`, or `= [Set name]` for a set without properties.
fn parse(text: &str) -> Result<CarriedProperty<'_>, String> {
    let (name, rest) = text.split_once('=').ok_or("no `=` after the name of a property")?;
    let (value, set) = rest.split_once(' ').ok_or("the name of its set is missing")?;
    let set = set
        .strip_prefix('[')
        .and_then(|set| set.strip_suffix(']'))
        .ok_or("the name of its set is missing")?;
    match (name, value) {
        ("", "") => Ok((set, None)),
        _ => Ok((set, Some((name, Property::parse(value)?)))),
    }
}

/// Returns the instructions that carry property sets in a module, as words.
///
/// # Errors
/// If a name cannot be in a string. Names read from a file without NUL characters can.
pub fn write(sets: &PropertySets, module: &Module) -> Result<Vec<u32>, PropertyError> {
    let op = op(module);
    let mut words = Vec::new();
    for set in &sets.sets {
        let unfit = |name: &str| set.error(name, "its name, or that of its set, cannot stand in a module");
        if set.name.contains(['\0', '\n', '\r']) {
            return Err(unfit(""));
        }
        if set.properties.is_empty() {
            push(&mut words, op, &format!("= [{}]", set.name));
        }
        for (name, property) in &set.properties {
            if name.contains(['\0', '\n', '\r', '=']) {
                return Err(unfit(name));
            }
            push(&mut words, op, &format!("{name}={} [{}]", property.to_text(), set.name));
        }
    }
    Ok(words)
}

/// Adds a text, in as many instructions as its length requires.
fn push(words: &mut Vec<u32>, op: Op, mut text: &str) {
    let mut mark = FIRST;
    loop {
        let start = format!("{START}{VERSION}{mark}");
        let most = (MAX_CHARACTERS - start.len()).min(text.len());
        let end = (0..=most).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(text.len());
        let (piece, rest) = text.split_at(end);
        let string = literal(&[&start, piece].concat());
        words.push((string.len() as u32 + 1) << 16 | op as u32);
        words.extend(string);
        if rest.is_empty() {
            return;
        }
        (mark, text) = (NEXT, rest);
    }
}

/// Returns the insertion point for instructions that carry property sets in a module without any, as an
/// offset in words.
pub fn offset(module: &Module) -> u32 {
    offset_of(module, op(module))
}

/// Like [`offset`], for instructions with this opcode: OpModuleProcessed or OpSourceExtension.
pub fn offset_of(module: &Module, op: Op) -> u32 {
    // Strings and sources precede names; OpModuleProcessed follows them.
    let after_names = op == Op::ModuleProcessed;
    let strings = [Op::String, Op::Source, Op::SourceContinued, Op::SourceExtension];
    let is_before = |inst: &Instruction| match grammar::layout(inst.opcode()).map(|layout| layout.place) {
        Some(LogicalPlace::Section(Section::Debug)) => after_names || strings.iter().any(|&op| inst.is(op)),
        Some(LogicalPlace::Section(section)) => section < Section::Debug,
        _ => false,
    };
    module.annotations().filter(is_before).last().map_or_else(|| module.definitions_end(), |inst| inst.end())
}

/// Returns the opcode of the instructions that carry property sets in a module. SPIR-V 1.0 does not have
/// OpModuleProcessed.
fn op(module: &Module) -> Op {
    if module.version() >= Version::new(1, 1) { Op::ModuleProcessed } else { Op::SourceExtension }
}

#[cfg(test)]
mod tests;
