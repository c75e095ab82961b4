//! What an annotations file says of one module: its entries by the functions and constants that they match.

mod constants;
mod error;
mod function_names;
mod functions;
#[cfg(test)]
mod tests;
mod type_words;
mod unmatched;

pub use error::AnnotationError;
pub use unmatched::{Matchable, Unmatched};

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use spirv::Op;

use super::debug::names::{Names, without_number};
use super::requirements::aspect_sources::AspectSources;
use crate::condition::Expr;
use crate::loader::Module;
use crate::sidecar::annotations::Annotations;
use crate::text::spelling::nearest;

/// What is called where the condition of a function does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// Nothing: the result is undefined there.
    Undefined,
    /// Another function of the same type, by id.
    Function(u32),
}

impl Otherwise {
    /// The function, if there is one.
    pub fn function(self) -> Option<u32> {
        match self {
            Otherwise::Undefined => None,
            Otherwise::Function(id) => Some(id),
        }
    }
}

/// What is said of a module beside what its instructions tell. By default nothing but what DPC++'s headers imply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotated {
    /// By function: when its calls happen.
    pub when: BTreeMap<u32, Expr>,
    /// By function that has a condition: what is called where that does not hold.
    pub otherwise: BTreeMap<u32, Otherwise>,
    /// Aspects of types and functions.
    pub aspects: AspectSources,
    /// By function: the devices that it must run on, names and globs of names.
    pub fixed_targets: BTreeMap<u32, Vec<String>>,
    /// By function: its translation unit.
    pub sources: BTreeMap<u32, String>,
    /// By SpecId: what the specialization constant stands for. Its value is that of the condition, 0 or 1.
    pub spec_constants: BTreeMap<u32, Expr>,
    /// By function: what takes its place where, each one of the same type. Exactly one of the conditions holds. A file does not say
    /// so, nor what follows: that is for transforms to say of what they make.
    pub clones: BTreeMap<u32, Vec<(Expr, u32)>>,
    /// By result id of an OpFunctionCall: when it happens.
    pub calls: BTreeMap<u32, Expr>,
    /// By result id of an OpCopyObject: what it is a copy of, and when. Exactly one of the conditions holds.
    pub joins: BTreeMap<u32, Vec<(Expr, u32)>>,
    /// The entries of the file that say nothing of this module. Whether that is a mistake depends on the other modules of a run:
    /// see [`Unmatched`].
    pub unmatched: Vec<Unmatched>,
}

impl Default for Annotated {
    fn default() -> Annotated {
        Annotated {
            when: BTreeMap::new(),
            otherwise: BTreeMap::new(),
            aspects: AspectSources::dpcpp(),
            fixed_targets: BTreeMap::new(),
            sources: BTreeMap::new(),
            spec_constants: BTreeMap::new(),
            clones: BTreeMap::new(),
            calls: BTreeMap::new(),
            joins: BTreeMap::new(),
            unmatched: Vec::new(),
        }
    }
}

impl Annotated {
    /// What is called where the condition of a function does not hold, and the conditions of functions that are called instead: each
    /// with when it is the one. Beside them, the last function in the row, if nothing is called where its condition does not hold.
    pub fn instead_of(&self, function: u32) -> (Vec<(Expr, Otherwise)>, Option<u32>) {
        let mut instead = Vec::new();
        let mut at = function;
        let mut reached = Expr::True;
        while let Some(when) = self.when.get(&at) {
            let fails = Expr::Not(Box::new(when.clone()));
            reached =
                if reached == Expr::True { fails } else { Expr::And(Box::new(reached), Box::new(fails)) };
            match self.otherwise.get(&at) {
                Some(&Otherwise::Function(next)) => {
                    let condition = match self.when.get(&next) {
                        Some(when) => Expr::And(Box::new(reached.clone()), Box::new(when.clone())),
                        None => reached.clone(),
                    };
                    instead.push((condition, Otherwise::Function(next)));
                    // A row that comes back to where it was is refused when the file is read.
                    if instead.len() > self.otherwise.len() {
                        return (instead, None);
                    }
                    at = next;
                }
                Some(Otherwise::Undefined) => {
                    instead.push((reached, Otherwise::Undefined));
                    return (instead, None);
                }
                None => return (instead, Some(at)),
            }
        }
        (instead, None)
    }

    /// Finds what a file says of a module (`spec-extensions/annotations.md`, "What entries match").
    ///
    /// # Errors
    /// Where entries contradict each other, or what they say cannot be of the functions and constants that they match. See
    /// [`AnnotationProblem`].
    pub fn resolve(
        module: &Module,
        names: &Names,
        annotations: &Annotations,
    ) -> Result<Annotated, AnnotationError> {
        let mut annotated = Annotated::default();
        if !annotations.functions.is_empty() {
            functions::resolve(module, names, annotations, &mut annotated)?;
        }
        annotated.types(module, names, annotations);
        constants::resolve(module, annotations, &mut annotated)?;
        Ok(annotated)
    }

    /// What is said of the functions of a module that is a part of this one, and nothing of others.
    pub fn within(&self, part: &Module) -> Annotated {
        let mut own = self.clone();
        let there = |function: &u32| part.function_index(*function).is_some();
        own.when.retain(|function, _| there(function));
        own.otherwise.retain(|function, _| there(function));
        own.fixed_targets.retain(|function, _| there(function));
        own.sources.retain(|function, _| there(function));
        own.aspects.used.retain(|function, _| there(function));
        own.aspects.declared.retain(|function, _| there(function));
        own
    }

    /// With what follows for functions from the translation units that they are of, where nothing else is said.
    pub fn with_units(mut self, units: Annotated) -> Annotated {
        for (function, source) in units.sources {
            self.sources.entry(function).or_insert(source);
        }
        for (function, targets) in units.fixed_targets {
            self.fixed_targets.entry(function).or_insert(targets);
        }
        self
    }

    /// Whether nothing is said of the module.
    pub fn is_empty(&self) -> bool {
        *self == Annotated { unmatched: self.unmatched.clone(), ..Annotated::default() }
    }

    /// What it says of struct types.
    fn types(&mut self, module: &Module, names: &Names, annotations: &Annotations) {
        if annotations.types.is_empty() {
            return;
        }
        let structs = module.globals().filter(|inst| inst.is(Op::TypeStruct));
        let structs: BTreeSet<String> =
            structs.filter_map(|inst| names.name(inst.word(1))).map(|name| name.into_owned()).collect();
        let shorter: BTreeSet<Cow<str>> = structs.iter().filter_map(|name| without_number(name)).collect();
        for entry in &annotations.types {
            if !structs.contains(&entry.key) && !shorter.contains(entry.key.as_str()) {
                let known = structs.iter().map(String::as_str).chain(shorter.iter().map(|name| &**name));
                let nearest = nearest(&entry.key, known).into_iter().collect();
                self.unmatched.push(Unmatched {
                    position: entry.position,
                    what: Matchable::Type,
                    name: entry.key.clone(),
                    nearest,
                });
                continue;
            }
            self.aspects.types.entry(entry.key.clone()).or_default().extend(&entry.value);
        }
    }
}
