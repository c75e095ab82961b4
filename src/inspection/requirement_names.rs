//! Requirements by name.

use std::sync::LazyLock;

use super::model::{Name, RequirementKind};
use crate::analysis::requirements::{Requirement, RequirementId};
use crate::device::{Capability, aspects};

/// The names of the alternatives of each requirement, computed once: they are written for every entry point.
static NAMES: LazyLock<Vec<(RequirementKind, Vec<Name>)>> = LazyLock::new(|| {
    let names = |id: RequirementId| match id.get() {
        Requirement::Capabilities(any) => (
            RequirementKind::Capability,
            any.iter().map(|&number| Name::Owned(Capability(number).to_string())).collect(),
        ),
        Requirement::Extensions(any) => {
            (RequirementKind::Extension, any.iter().map(|&name| Name::Borrowed(name)).collect())
        }
        Requirement::Aspect(number) => {
            let name = aspects::name(*number).map_or_else(|| number.to_string().into(), Name::Borrowed);
            (RequirementKind::Aspect, vec![name])
        }
    };
    RequirementId::all().map(names).collect()
});

/// The names of the alternatives of a requirement.
pub fn requirement_names(id: RequirementId) -> (RequirementKind, &'static [Name]) {
    let (kind, names) = &NAMES[id.index()];
    (*kind, names)
}
