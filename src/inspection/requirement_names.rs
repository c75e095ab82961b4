//! Requirements by name.

use std::sync::LazyLock;

use super::model::{Kind, Name};
use crate::analysis::requirements::{Requirement, RequirementId};
use crate::device::aspects;

/// The names of what meets each requirement, made once: they are written for every entry point.
static NAMES: LazyLock<Vec<(Kind, Vec<Name>)>> = LazyLock::new(|| {
    let names = |id: RequirementId| match id.get() {
        Requirement::Capabilities(any) => {
            (Kind::Capability, any.iter().map(|capability| Name::Owned(format!("{capability:?}"))).collect())
        }
        Requirement::Extensions(any) => {
            (Kind::Extension, any.iter().map(|&name| Name::Borrowed(name)).collect())
        }
        Requirement::Aspect(number) => {
            let name = aspects::name(*number).map_or_else(|| number.to_string().into(), Name::Borrowed);
            (Kind::Aspect, vec![name])
        }
    };
    RequirementId::all().map(names).collect()
});

/// What meets a requirement, by name.
pub fn requirement_names(id: RequirementId) -> (Kind, &'static [Name]) {
    let (kind, names) = &NAMES[id.index()];
    (*kind, names)
}
