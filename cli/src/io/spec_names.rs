//! Names in source code for the SpecIds of a module's specialization constants.

use std::collections::BTreeMap;

use spirv_if::Module;

/// Returns names for the SpecIds of the constants with names in a module. `letter` maps their characters. If names are
/// then equal, the later ones get the SpecId too. Words that are not a module have none.
pub fn spec_names(words: &[u32], letter: fn(char) -> char) -> BTreeMap<String, u32> {
    let mut names = BTreeMap::new();
    let Ok(module) = Module::from_words(words) else { return names };
    for (spec_id, name) in module.spec_constant_names() {
        let spec_id = spec_id.number();
        let mut name: String = name.chars().map(letter).collect();
        while names.get(&name).is_some_and(|other| *other != spec_id) {
            name = format!("{name}_{spec_id}");
        }
        names.insert(name, spec_id);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_no_module_have_no_constants() {
        assert!(spec_names(&[0x4256_5053, 1], |letter| letter).is_empty());
    }
}
