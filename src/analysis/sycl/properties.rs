//! Properties that DPC++ gives to functions and variables, in decorations.
//!
//! The string of a UserSemantic decoration that begins with `sycl-properties:` is a list of properties with commas between them,
//! each a name or `name=value` (docs/design/compile-time-properties.md, "Properties on a non-global variable type"). The values of
//! some properties are lists with commas as well: an item that begins with a digit continues the value before it.

use std::collections::{BTreeMap, BTreeSet};

use spirv::{Decoration, Op};

use crate::loader::{Module, views};

const PREFIX: &str = "sycl-properties:";

/// A property of a function or a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyclProperty {
    /// The items of its value; none for a property without a value.
    pub values: Vec<String>,
    /// The offset of the decoration, in words.
    pub offset: u32,
}

impl SyclProperty {
    /// The value as a list of numbers, or the first item that is not one.
    pub fn numbers(&self) -> Result<Vec<u32>, &str> {
        self.values.iter().map(|value| value.parse().map_err(|_| value.as_str())).collect()
    }
}

/// The properties of one name, by function, in the order of the module.
pub fn of_functions(module: &Module, name: &str) -> BTreeMap<u32, Vec<SyclProperty>> {
    let mut found = by_id(module, name);
    found.retain(|&id, _| module.is_function(id));
    found
}

/// True if anything in a module has a property with one of these names.
pub fn any_has(module: &Module, names: &[&str]) -> bool {
    names.iter().any(|name| !by_id(module, name).is_empty())
}

/// The module-scope variables with a Boolean property: without a value, or with another one than `false`.
pub fn variables_with(module: &Module, name: &str) -> BTreeSet<u32> {
    let is_variable = |id: &u32| {
        let definition = module.definition(*id).filter(|_| module.is_global(*id));
        definition.is_some_and(|inst| matches!(inst.op(), Some(Op::Variable | Op::UntypedVariableKHR)))
    };
    let holds = |properties: &[SyclProperty]| properties.iter().any(|property| property.values != ["false"]);
    let found = by_id(module, name).into_iter().filter(|(_, properties)| holds(properties));
    found.map(|(id, _)| id).filter(is_variable).collect()
}

fn by_id(module: &Module, name: &str) -> BTreeMap<u32, Vec<SyclProperty>> {
    let mut found: BTreeMap<u32, Vec<SyclProperty>> = BTreeMap::new();
    let mut groups: Vec<views::GroupDecorate> = Vec::new();
    for inst in module.annotations() {
        match inst.op() {
            Some(Op::Decorate | Op::DecorateString) => {
                let decoration = views::Decoration(inst);
                if !decoration.is_a(Decoration::UserSemantic) {
                    continue;
                }
                let text = decoration.text();
                let own = text.strip_prefix(PREFIX).into_iter().flat_map(|list| named(list, name));
                let own = own.map(|values| SyclProperty { values, offset: inst.offset() });
                found.entry(decoration.target()).or_default().extend(own);
            }
            Some(Op::GroupDecorate) => groups.push(views::GroupDecorate(inst)),
            _ => {}
        }
    }
    for group in groups {
        let of_group = found.get(&group.group()).cloned().unwrap_or_default();
        for target in group.targets() {
            found.entry(target).or_default().extend(of_group.iter().cloned());
        }
    }
    found.retain(|_, properties| !properties.is_empty());
    found
}

/// The values of the properties of one name in a list.
fn named(list: &str, wanted: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut inside = false;
    for item in list.split(',').map(str::trim) {
        let continues =
            item.is_empty() || item.starts_with(|first: char| first.is_ascii_digit() || first == '-');
        let (name, value) = match item.split_once('=') {
            _ if continues => ("", Some(item)),
            Some((name, value)) => (name, Some(value)),
            None => (item, None),
        };
        if !continues {
            inside = name == wanted;
            if inside {
                found.push(Vec::new());
            }
        }
        if let (true, Some(values), Some(value)) = (inside, found.last_mut(), value) {
            values.push(value.to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_in_a_list() {
        let has = |list| named(list, "sycl-device-has");
        assert_eq!(has("sycl-device-has=5,6"), [["5", "6"]]);
        assert_eq!(has("a=1,sycl-device-has=5,6,b,7,sycl-device-has=8"), [vec!["5", "6"], vec!["8"]]);
        assert_eq!(has("sycl-device-has"), [[""; 0]], "it declares that it requires nothing");
        assert_eq!(has("sycl-device-has="), [[""]], "malformed");
        assert_eq!(has("sycl-device-has=5,,x"), [["5", ""]]);
        assert_eq!(has("sycl-device-has=fp64"), [["fp64"]]);
        assert_eq!(has("a,b=2,3"), [[""; 0]; 0]);
    }
}
