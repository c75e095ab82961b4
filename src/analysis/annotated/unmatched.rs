//! Entries that match nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::error::{AnnotationError, AnnotationProblem, did_you_mean};
use super::function_names::id;
use crate::analysis::in_one_line;
use crate::sidecar::annotations::{Annotations, Position};
use crate::text::spelling::nearest;

/// The subject of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matchable {
    /// Functions.
    Function,
    /// A struct type.
    Type,
    /// A specialization constant.
    SpecConstant,
}

/// An entry that matches nothing in a module. Each must match something in one of the modules of a run, at least.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmatched {
    /// Its position in the file.
    pub position: Position,
    /// Its subject.
    pub what: Matchable,
    /// The name that it gives.
    pub name: String,
    /// Similar names in the module.
    pub nearest: BTreeSet<String>,
}

impl Unmatched {
    /// Keeps the entries, unmatched in some modules, that another module does not match either. The order of the modules does not
    /// matter.
    pub fn retain_common(all: &mut Vec<Unmatched>, other: &[Unmatched]) {
        let other: BTreeMap<Position, &Unmatched> =
            other.iter().map(|entry| (entry.position, entry)).collect();
        all.retain_mut(|entry| {
            let other = other.get(&entry.position);
            entry.nearest.extend(other.into_iter().flat_map(|other| other.nearest.iter().cloned()));
            other.is_some()
        });
    }

    /// The error for an entry that no module matches.
    pub fn error(&self, annotations: &Annotations) -> AnnotationError {
        let name = in_one_line(&self.name);
        let plain: String = name.chars().filter(|character| !['*', '?'].contains(character)).collect();
        let nearest = nearest(&plain, self.nearest.iter().map(String::as_str));
        let hint = did_you_mean(&nearest);
        let message = match self.what {
            Matchable::Function if id(&name).is_some() => {
                format!("no function has the id {name}: `spirv-dis --raw-id` shows the ids")
            }
            Matchable::Function => format!("no function is named `{name}`{hint}"),
            Matchable::Type => format!("no struct type is named `{name}`{hint}"),
            Matchable::SpecConstant if self.nearest.is_empty() => {
                format!("no constant has the SpecId {name}: there are no specialization constants")
            }
            Matchable::SpecConstant => {
                let known: Vec<&str> = self.nearest.iter().map(String::as_str).collect();
                format!("no constant has the SpecId {name}; the module has {}", known.join(", "))
            }
        };
        AnnotationError::new(annotations, self.position, AnnotationProblem::Unmatched(message))
    }
}
