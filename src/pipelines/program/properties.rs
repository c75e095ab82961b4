//! The property sets of a program, from those beside its translation units.

use std::collections::HashMap;

use super::Unit;
use crate::pipelines::PipelineError;
use crate::sidecar::property_sets::{
    DEVICE_REQUIREMENTS, DeviceRequirements, Property, PropertySet, PropertySets, SPECIAL_CONSTANTS,
    SpecialConstants,
};

/// The property sets of all units, without their requirements: those are computed for each image anew. Unknown properties are kept, and must
/// not differ.
pub fn of_all(units: &[Unit]) -> Result<PropertySets, PipelineError> {
    let mut all = PropertySets::default();
    let mut special = SpecialConstants::default();
    let mut from: HashMap<(String, String), usize> = HashMap::new();
    for (number, unit) in units.iter().enumerate() {
        for set in &unit.properties.sets {
            let malformed = |error| PipelineError::UnitProperty { unit: unit.name.to_owned(), error };
            let properties: Vec<(String, Property)> = match set.name.as_str() {
                SPECIAL_CONSTANTS => {
                    let own = SpecialConstants::from_set(set).map_err(malformed)?;
                    add(&mut special.aspects, own.aspects);
                    add(&mut special.architectures, own.architectures);
                    add(&mut special.capabilities, own.capabilities);
                    continue;
                }
                DEVICE_REQUIREMENTS => DeviceRequirements::from_set(set).map_err(malformed)?.other,
                _ => set.properties.clone(),
            };
            for (name, property) in properties {
                let key = (set.name.clone(), name.clone());
                let there = all.get(&set.name).and_then(|set| set.get(&name));
                match there {
                    Some(there) if *there == property => {}
                    Some(_) => {
                        return Err(PipelineError::Conflict {
                            first: units[from.get(&key).copied().unwrap_or_default()].name.to_owned(),
                            second: unit.name.to_owned(),
                            set: key.0,
                            property: key.1,
                        });
                    }
                    None => {
                        from.insert(key, number);
                        let mut own =
                            all.get(&set.name).cloned().unwrap_or_else(|| PropertySet::new(&set.name));
                        own.push(name, property);
                        all.put(own);
                    }
                }
            }
        }
    }
    if special != SpecialConstants::default() {
        all.put(special.to_set());
    }
    Ok(all)
}

fn add(all: &mut Vec<(u32, u32)>, own: Vec<(u32, u32)>) {
    for pair in own {
        if !all.contains(&pair) {
            all.push(pair);
        }
    }
}
