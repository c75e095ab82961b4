//! Properties that DPC++ gives to functions, variables and types, in decorations.
//!
//! A UserSemantic decoration whose string begins with `sycl-properties:` has a list of properties (docs/design/compile-time-properties.md,
//! "Properties on a non-global variable type"). `spec-extensions/sycl-properties.md` describes the syntax of lists and values.

use std::collections::BTreeSet;

use spirv::{Decoration, Op};

use crate::collections::IdMap;
use crate::loader::{Instruction, Module, views};

/// The beginning of a list of properties.
pub const PREFIX: &str = "sycl-properties:";

/// The property by which DPC++ writes `reqd_work_group_size`.
pub const WORK_GROUP_SIZE: &str = "sycl-work-group-size";
/// The property that lists the aspects which a function or a structure type uses.
pub const USED_ASPECTS: &str = "sycl-used-aspects";

/// A property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedProperty {
    /// The property's name.
    pub name: String,
    /// The items of its value; none for a property without a value.
    pub values: Vec<String>,
}

/// The properties of one decoration, or of one target in the annotations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecoratedProperties {
    /// The decorated id.
    pub target: u32,
    /// The decorated member, if only one member of a structure type is decorated.
    pub member: Option<u32>,
    /// The properties.
    pub properties: Vec<NamedProperty>,
    /// The offset of the decoration in words, or of the definition if annotations give the property.
    pub offset: u32,
}

/// A property of a function or a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyclProperty {
    /// The items of its value; none for a property without a value.
    pub values: Vec<String>,
    /// The offset of the decoration in words, or of the definition if annotations give the property.
    pub offset: u32,
}

impl SyclProperty {
    /// Returns the value as a list of numbers, or the first item that is not one.
    pub fn numbers(&self) -> Result<Vec<u32>, &str> {
        numbers(&self.values)
    }
}

/// Returns items as numbers, or the first that is not a number.
fn numbers(values: &[String]) -> Result<Vec<u32>, &str> {
    values.iter().map(|value| value.parse().map_err(|_| value.as_str())).collect()
}

/// Returns the size of work-groups in a value. SYCL has the dimension first that varies slowest, and SPIR-V last.
/// Missing dimensions are 1.
pub fn dimensions(values: &[String]) -> Option<[u32; 3]> {
    let mut sizes = numbers(values).ok().filter(|sizes| (1..=3).contains(&sizes.len()))?;
    sizes.reverse();
    sizes.resize(3, 1);
    sizes.try_into().ok()
}

/// The properties of a module, from its decorations and its annotations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyclProperties {
    all: Vec<DecoratedProperties>,
}

impl SyclProperties {
    /// Reads the properties of a module. `annotations` has lists by id. A property in the annotations replaces the
    /// module's property of the same name and id.
    pub fn read(module: &Module, annotations: &IdMap<String>) -> SyclProperties {
        let annotations: Vec<(u32, Vec<NamedProperty>)> =
            annotations.iter().map(|(&id, list)| (id, parse(list))).collect();
        let mut all = decorated(module);
        for decorated in &mut all {
            if let Ok(at) = annotations.binary_search_by_key(&decorated.target, |(target, _)| *target) {
                let (_, replacing) = &annotations[at];
                decorated
                    .properties
                    .retain(|property| replacing.iter().all(|other| other.name != property.name));
            }
        }
        all.extend(annotations.into_iter().map(|(target, properties)| {
            let offset = module.definition(target).map_or(0, |inst| inst.offset());
            DecoratedProperties { target, member: None, properties, offset }
        }));
        SyclProperties { all }
    }

    /// Returns true if nothing has any.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns all properties: first those in decorations, in the order of the module, then those of the annotations.
    pub fn iter(&self) -> impl Iterator<Item = &DecoratedProperties> {
        self.all.iter()
    }

    /// Returns true if anything has a property with one of these names.
    pub fn any_has(&self, names: &[&str]) -> bool {
        self.all
            .iter()
            .flat_map(|decorated| &decorated.properties)
            .any(|property| names.contains(&&*property.name))
    }

    /// Returns the properties with a name, by function, in the order of the module.
    pub fn of_functions(&self, module: &Module, name: &str) -> IdMap<Vec<SyclProperty>> {
        let mut properties = self.by_id(name);
        properties.retain(|&id, _| module.is_function(id));
        properties
    }

    /// Returns the properties with a name, by structure type. A structure has the properties of its members too.
    pub fn of_structures(&self, module: &Module, name: &str) -> IdMap<Vec<SyclProperty>> {
        let mut properties = self.by_id(name);
        properties.retain(|&id, _| module.definition_as(id, Op::TypeStruct).is_some());
        properties
    }

    /// Returns the module-scope variables with a Boolean property: without a value, or with another one than `false`.
    pub fn variables_with(&self, module: &Module, name: &str) -> BTreeSet<u32> {
        let is_variable = |id: &u32| {
            let definition = module.definition(*id).filter(|_| module.is_global(*id));
            definition.is_some_and(|inst| inst.is_variable())
        };
        let holds =
            |properties: &[SyclProperty]| properties.iter().any(|property| property.values != ["false"]);
        let named = self.by_id(name).into_iter().filter(|(_, properties)| holds(properties));
        named.map(|(id, _)| id).filter(is_variable).collect()
    }

    fn by_id(&self, name: &str) -> IdMap<Vec<SyclProperty>> {
        let mut by_id: IdMap<Vec<SyclProperty>> = IdMap::new();
        for decorated in &self.all {
            for property in decorated.properties.iter().filter(|property| property.name == name) {
                let values = property.values.clone();
                by_id
                    .entry(decorated.target)
                    .or_default()
                    .push(SyclProperty { values, offset: decorated.offset });
            }
        }
        by_id
    }
}

/// Returns true if an instruction decorates something with properties.
pub fn is_list(inst: &Instruction) -> bool {
    list(inst).is_some()
}

/// Returns the properties in the decorations of a module, in their order. A decoration group counts for each id that it
/// is applied to.
fn decorated(module: &Module) -> Vec<DecoratedProperties> {
    let mut decorated: Vec<DecoratedProperties> = Vec::new();
    let mut groups: Vec<views::GroupDecorate> = Vec::new();
    for inst in module.annotations() {
        if let Some(properties) = list(&inst) {
            let decoration = views::Decoration(inst);
            let (target, member) = (decoration.target(), decoration.member());
            decorated.push(DecoratedProperties { target, member, properties, offset: inst.offset() });
        } else if inst.is(Op::GroupDecorate) {
            groups.push(views::GroupDecorate(inst));
        }
    }
    for group in groups {
        let (of_group, rest): (Vec<_>, Vec<_>) =
            decorated.into_iter().partition(|other| other.target == group.group());
        decorated = rest;
        for target in group.targets() {
            decorated.extend(of_group.iter().map(|other| DecoratedProperties { target, ..other.clone() }));
        }
    }
    decorated
}

/// Returns the properties in a decoration; `None` for another instruction.
fn list(inst: &Instruction) -> Option<Vec<NamedProperty>> {
    let decorates = matches!(
        inst.op(),
        Some(Op::Decorate | Op::DecorateString | Op::MemberDecorate | Op::MemberDecorateString)
    );
    let decoration = views::Decoration(*inst);
    if !decorates || !decoration.is_a(Decoration::UserSemantic) {
        return None;
    }
    decoration.text().strip_prefix(PREFIX).map(parse)
}

/// Returns the properties in a list.
pub fn parse(list: &str) -> Vec<NamedProperty> {
    let mut properties: Vec<NamedProperty> = Vec::new();
    for item in items(list) {
        let continues = item.is_empty()
            || item.starts_with(|first: char| first.is_ascii_digit() || first == '-')
            || matches!(item, "true" | "false");
        match (properties.last_mut(), item.split_once('=')) {
            (Some(last), _) if continues => last.values.push(unescaped(item)),
            (None, _) if continues => {}
            (_, Some((name, value))) => {
                properties.push(NamedProperty { name: name.to_owned(), values: vec![unescaped(value)] });
            }
            (_, None) => properties.push(NamedProperty { name: item.to_owned(), values: Vec::new() }),
        }
    }
    properties
}

/// Returns the items between the commas of a list: one behind a backslash is part of its item.
fn items(list: &str) -> impl Iterator<Item = &str> {
    let mut escaped = false;
    let is_end = move |character: char| {
        let ends = character == ',' && !escaped;
        escaped = character == '\\' && !escaped;
        ends
    };
    list.split(is_end).map(str::trim)
}

fn unescaped(item: &str) -> String {
    let mut text = String::with_capacity(item.len());
    let mut characters = item.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('\\', Some(&next @ (',' | '\\'))) => {
                text.push(next);
                characters.next();
            }
            _ => text.push(character),
        }
    }
    text
}

/// Returns the text of a decoration with these properties.
pub fn to_text(properties: &[NamedProperty]) -> String {
    let escaped = |value: &String| value.replace('\\', "\\\\").replace(',', "\\,");
    let one = |property: &NamedProperty| match &property.values[..] {
        [] => property.name.clone(),
        values => {
            format!("{}={}", property.name, values.iter().map(escaped).collect::<Vec<_>>().join(","))
        }
    };
    format!("{PREFIX}{}", properties.iter().map(one).collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_in_a_list() {
        let has = |list| {
            let aspects = parse(list).into_iter().filter(|property| property.name == "sycl-device-has");
            aspects.map(|property| property.values).collect::<Vec<_>>()
        };
        assert_eq!(has("sycl-device-has=5,6"), [["5", "6"]]);
        assert_eq!(has("a=1,sycl-device-has=5,6,b,7,sycl-device-has=8"), [vec!["5", "6"], vec!["8"]]);
        assert_eq!(has("sycl-device-has"), [[""; 0]], "it declares that it requires nothing");
        assert_eq!(has("sycl-device-has="), [[""]], "malformed");
        assert_eq!(has("sycl-device-has=5,,x"), [["5", ""]]);
        assert_eq!(has("sycl-device-has=fp64"), [["fp64"]]);
        assert_eq!(has("a,b=2,3"), [[""; 0]; 0]);
    }

    /// The conversion of each type of value, of tuples, and of a comma in a string.
    #[test]
    fn values_of_every_type() {
        let values = |list: &str| {
            let mut properties = parse(list);
            assert_eq!((properties.len(), &*properties[0].name), (2, "p"), "{list}");
            properties.swap_remove(0).values
        };
        assert_eq!(values("p=-7,q"), ["-7"], "an integer");
        assert_eq!(values("p=0.500000,q"), ["0.500000"], "a floating-point number");
        assert_eq!(values("p=true,q"), ["true"], "a Boolean");
        assert_eq!(values("p=97,q"), ["97"], "a character, as an integer");
        assert_eq!(values("p=1,2,3,q"), ["1", "2", "3"], "a tuple");
        assert_eq!(values("p=1,true,-0.500000,q"), ["1", "true", "-0.500000"]);
        assert_eq!(values("p=_ZTS3foo,q"), ["_ZTS3foo"], "the mangled name of a type");
        assert_eq!(values(r"p=a\,b\\,q"), [r"a,b\"], "a string with a comma and a backslash");
        assert_eq!(values("p=a=b,q"), ["a=b"]);
        for list in ["p=1,2,q", r"p=a\,b\\,q=x", "p,q=true"] {
            assert_eq!(to_text(&parse(list)), format!("{PREFIX}{list}"));
        }
    }

    #[test]
    fn sizes_are_reversed() {
        let dimensions_of =
            |sizes: &[&str]| dimensions(&sizes.iter().map(|&size| size.to_owned()).collect::<Vec<_>>());
        assert_eq!(dimensions_of(&["2", "16"]), Some([16, 2, 1]));
        assert_eq!(dimensions_of(&["1", "2", "3"]), Some([3, 2, 1]));
        assert_eq!(dimensions_of(&[]), None);
        assert_eq!(dimensions_of(&["1", "2", "3", "4"]), None);
        assert_eq!(dimensions_of(&["x"]), None);
    }
}
