//! The symbols of an image besides its roots: functions that other images could use, and what others have to define.

use std::collections::BTreeSet;

use spirv::Decoration;

use super::{Jit, Split};
use crate::analysis::AnalysisError;
use crate::loader::views;
use crate::sidecar::property_sets::{IMPORTED_SYMBOLS, Property, PropertySet};
use crate::transform::split::{Part, SplitRoot};

/// The functions and variables with a linkage name that may be in images, by id.
#[derive(Default)]
pub(super) struct Symbols {
    exported: Vec<(u32, String)>,
    imported: Vec<(u32, String)>,
}

impl Symbols {
    /// Finds the symbols of the module. Built-in variables are imported by form only; conditional callers are for this program, and not
    /// there once their calls are packed. If only entry points count as roots, exports are nobody's either.
    pub fn of(split: &Split, only_entry_points: bool) -> Result<Symbols, AnalysisError> {
        let (module, names) = (split.module(), split.names());
        let built_in =
            module.annotations().filter_map(|inst| views::Decoration::with(inst, Decoration::BuiltIn));
        let built_in: BTreeSet<u32> = built_in.map(|decoration| decoration.target()).collect();
        let callers = split.analyses.calls()?.replaced();
        let mut symbols = Symbols { exported: Vec::new(), imported: Vec::new() };
        for (id, linkage) in names.linked() {
            let is_function = module.is_function(id);
            let name = linkage.name.into_owned();
            match (linkage.import, callers.contains(&id)) {
                (true, is_caller) if !(built_in.contains(&id) || is_caller && split.jit != Jit::Declare) => {
                    symbols.imported.push((id, name));
                }
                (false, false) if is_function && !only_entry_points && names.kernel_of(id).is_none() => {
                    symbols.exported.push((id, name))
                }
                _ => {}
            }
        }
        Ok(symbols)
    }

    /// The exported functions in an image that are no roots of it, which calls them, and are not `others`' own.
    pub fn exported(&self, part: &Part, roots: &[&SplitRoot], others: &[u32]) -> Vec<String> {
        let is_root = |id: u32| roots.iter().any(|root| root.function == id || root.companions.contains(&id));
        let is_own = |id: u32| part.has(id) && !is_root(id) && !others.contains(&id);
        let own = self.exported.iter().filter(|(id, _)| is_own(*id));
        own.map(|(_, name)| name.clone()).collect()
    }

    /// The functions and variables that an image uses and does not define.
    pub fn imported(&self, part: &Part) -> Vec<String> {
        let own = self.imported.iter().filter(|(id, _)| part.has(*id));
        own.map(|(_, name)| name.clone()).collect()
    }
}

/// The property set of imported symbols; `None` if there are none. A name that a property cannot have is left out.
pub fn to_set(imported: &[String]) -> Option<PropertySet> {
    let mut set = PropertySet::new(IMPORTED_SYMBOLS);
    for name in
        imported.iter().filter(|name| !name.is_empty() && !name.contains(['=', '\n', '\r', '\0', '[']))
    {
        if set.get(name).is_none() {
            set.push(name.clone(), Property::U32(1));
        }
    }
    (!set.properties.is_empty()).then_some(set)
}
