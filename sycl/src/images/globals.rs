//! The `device_global`s of a program that DPC++ made images of. Each image of a translation unit has all of the unit, used or not: a runtime
//! writes to each a pointer to the one variable that all images share.

use std::collections::{BTreeSet, HashMap, HashSet};

use spirv_if::engine::analysis::Analyses;
use spirv_if::engine::collections::OrderedMap;
use spirv_if::engine::metadata::property_sets::DeviceGlobal;
use spirv_if::property_sets::PropertySets;

/// The variables, by their names in property sets.
#[derive(Default)]
pub(super) struct DeviceGlobals {
    /// The variables of each translation unit that its images have.
    by_unit: OrderedMap<usize, BTreeSet<u32>>,
    /// The variables of which each image may have a copy.
    shared: HashSet<u32>,
    /// The variable with each unique id.
    by_id: HashMap<String, u32>,
}

impl DeviceGlobals {
    /// Finds the variables in the properties of translation units, or else in those of the module.
    pub fn find(analyses: &Analyses, properties: &PropertySets) -> DeviceGlobals {
        let units = &analyses.annotated().unit_properties;
        let of_units = (0..).map_while(|unit| units.unit(unit));
        let described: Vec<Vec<DeviceGlobal>> = match units.is_empty() {
            true => vec![DeviceGlobal::all(properties)],
            false => of_units.map(DeviceGlobal::all).collect(),
        };
        let mut globals = DeviceGlobals::default();
        if described.iter().all(Vec::is_empty) {
            return globals;
        }
        let module = analyses.module();
        let linked =
            analyses.names().linked().filter(|(id, linkage)| !linkage.import && module.is_global(*id));
        let variables: HashMap<String, u32> = linked
            .filter(|(id, _)| !module.is_function(*id))
            .map(|(id, linkage)| (linkage.name.into_owned(), id))
            .collect();
        for (unit, described) in described.iter().enumerate() {
            for global in described {
                let Some(&id) = variables.get(&global.name) else { continue };
                globals.by_id.insert(global.id.clone(), id);
                if !global.is_image_scope {
                    globals.by_unit.entry(unit).or_default().insert(id);
                    globals.shared.insert(id);
                }
            }
        }
        globals
    }

    /// Returns the variables that images of translation units have.
    pub fn kept(&self, units: &BTreeSet<usize>) -> Vec<u32> {
        let kept = units.iter().filter_map(|unit| self.by_unit.get(unit)).flatten().copied();
        kept.collect::<BTreeSet<u32>>().into_iter().collect()
    }

    /// Returns true for a variable of which each image may have a copy.
    pub fn is_shared(&self, id: u32) -> bool {
        self.shared.contains(&id)
    }

    /// Returns the variable with a unique id, if it is known.
    pub fn variable(&self, id: &str) -> Option<u32> {
        self.by_id.get(id).copied()
    }
}
