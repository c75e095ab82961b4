//! Entries that match nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::error::{AnnotationError, AnnotationProblem, did_you_mean};
use super::function_names::id;
use crate::analysis::in_one_line;
use crate::sidecar::annotations::{Annotations, Position};
use crate::text::spelling::nearest;

/// What an entry is about.
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
    /// Where it stands.
    pub position: Position,
    /// What it is about.
    pub what: Matchable,
    /// What it asks for.
    pub name: String,
    /// Names in the module that look like it.
    pub nearest: BTreeSet<String>,
}

impl Unmatched {
    /// Leaves of the entries that match nothing in some modules those that match nothing in another one either. The order in which
    /// modules are looked at does not matter.
    pub fn retain_common(all: &mut Vec<Unmatched>, other: &[Unmatched]) {
        let other: BTreeMap<Position, &Unmatched> =
            other.iter().map(|entry| (entry.position, entry)).collect();
        all.retain_mut(|entry| {
            let other = other.get(&entry.position);
            entry.nearest.extend(other.into_iter().flat_map(|other| other.nearest.iter().cloned()));
            other.is_some()
        });
    }

    /// The error for an entry that matches nothing at all.
    pub fn error(&self, annotations: &Annotations) -> AnnotationError {
        let name = in_one_line(&self.name);
        let asked: String = name.chars().filter(|character| !['*', '?'].contains(character)).collect();
        let nearest = nearest(&asked, self.nearest.iter().map(String::as_str));
        let hint = did_you_mean(&nearest);
        let message = match self.what {
            Matchable::Function if id(&name).is_some() => {
                format!("no function has the id {name}: `spirv-dis --raw-id` shows which there are")
            }
            Matchable::Function => format!("no function is called `{name}`{hint}"),
            Matchable::Type => format!("no struct type is called `{name}`{hint}"),
            Matchable::SpecConstant if self.nearest.is_empty() => {
                format!("no constant has the SpecId {name}: there are no specialization constants")
            }
            Matchable::SpecConstant => {
                let known: Vec<&str> = self.nearest.iter().map(String::as_str).collect();
                format!("no constant has the SpecId {name}; there are {}", known.join(", "))
            }
        };
        AnnotationError::new(annotations, self.position, AnnotationProblem::Unmatched(message))
    }
}
