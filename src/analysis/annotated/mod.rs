//! The annotations of one module: the entries of an annotations file, by the functions and constants that they match.

mod error;
mod function_names;
mod functions;
mod other_values;
mod parts;
#[cfg(test)]
mod tests;
mod values;

pub use error::{AnnotationError, AnnotationWarning, Matchable, Unmatched};
pub use parts::{BoundPart, ConstantParts, PartFails};

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use super::debug::names::{Names, without_number};
use super::requirements::aspect_sources::AspectSources;
use crate::collections::{IdMap, OrderedMap, gather};
use crate::condition::Expr;
use crate::loader::{Module, views};
use crate::metadata::annotations::AnnotationsFile;
use crate::metadata::property_sets::UnitProperties;
use crate::text::spelling::nearest;

/// The replacement of a call where the condition of its function does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// No replacement: the result is undefined there.
    Undefined,
    /// Another function of the same type, by id.
    Function(u32),
}

impl Otherwise {
    /// Returns the function, if there is one.
    pub fn function(self) -> Option<u32> {
        match self {
            Otherwise::Undefined => None,
            Otherwise::Function(id) => Some(id),
        }
    }
}

/// Facts about a module beyond its instructions. The default has the facts that DPC++'s headers imply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotated {
    /// The condition of calls, by function.
    pub when: IdMap<Expr>,
    /// The replacement of calls where the condition does not hold, by function with a condition.
    pub otherwise: IdMap<Otherwise>,
    /// Aspects of types and functions.
    pub aspects: AspectSources,
    /// The devices that a function must run on, as names and globs of names, by function. An empty list means that its translation unit is
    /// for any device.
    pub fixed_targets: IdMap<Vec<String>>,
    /// The translation unit, by function.
    pub sources: IdMap<String>,
    /// The number of the original module, by function of a linked program. No file sets this.
    pub units: IdMap<usize>,
    /// The properties beside the original modules of a linked program. No file sets this.
    pub unit_properties: UnitProperties,
    /// The aspects that declarations list, by function of a linked program and by the number of the module with the declaration. No file
    /// sets this.
    pub promised: IdMap<OrderedMap<usize, BTreeSet<u32>>>,
    /// The condition that a specialization constant is bound to, by SpecId. The constant is 1 if the condition holds, else 0.
    pub spec_constants: IdMap<Expr>,
    /// The capabilities that are lowered on devices without them.
    pub lower: BTreeSet<u32>,
    /// The SpecIds of these that are predicates of the module's own table. No file sets this.
    pub predicates: BTreeSet<u32>,
    /// The clones of a function, all of the same type, each with its condition. Exactly one of the conditions holds. No file sets this or
    /// the fields below: transforms do, for the code that they generate.
    pub clones: IdMap<Vec<(Expr, u32)>>,
    /// The condition of a single call, by result id of the OpFunctionCall.
    pub calls: IdMap<Expr>,
    /// The values that an OpCopyObject may copy, each with its condition, by result id. Exactly one of the conditions holds.
    pub joins: IdMap<Vec<(Expr, u32)>>,
    /// The conditional action, by the outlined function. An outlined function holds a conditional call with its preparation, and is called
    /// in its place.
    pub outlined: BTreeMap<u32, u32>,
    /// The list of compile-time properties in the file, by id.
    pub properties: IdMap<String>,
    /// The number of dimensions of the property that set the work-group size, by kernel. No file sets this: lowering does.
    pub work_group_dimensions: IdMap<u8>,
    /// The entries of the file that match nothing in this module. Whether that is a mistake depends on the other modules of a
    /// run: see `Unmatched`.
    pub unmatched: Vec<Unmatched>,
    /// Warnings about entries that were not applied.
    pub warnings: Vec<AnnotationWarning>,
}

impl Default for Annotated {
    fn default() -> Annotated {
        Annotated {
            when: IdMap::new(),
            otherwise: IdMap::new(),
            aspects: AspectSources::dpcpp(),
            fixed_targets: IdMap::new(),
            sources: IdMap::new(),
            units: IdMap::new(),
            unit_properties: UnitProperties::default(),
            promised: IdMap::new(),
            spec_constants: IdMap::new(),
            lower: BTreeSet::new(),
            predicates: BTreeSet::new(),
            clones: IdMap::new(),
            calls: IdMap::new(),
            joins: IdMap::new(),
            outlined: BTreeMap::new(),
            properties: IdMap::new(),
            work_group_dimensions: IdMap::new(),
            unmatched: Vec::new(),
            warnings: Vec::new(),
        }
    }
}

impl Annotated {
    /// Returns the chain of replacements of a function's calls, each with the condition under which it is taken. Beside them, the last
    /// function in the chain, if nothing replaces its calls where its condition does not hold.
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
                    // Cycles are rejected when the file is read.
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

    /// Matches the entries of a file with a module (`spec-extensions/annotations.md`, "What entries match").
    ///
    /// # Errors
    /// If entries contradict each other, or do not apply to the functions and constants that they match. See
    /// `AnnotationProblem`.
    pub fn resolve(
        module: &Module,
        names: &Names,
        annotations: &AnnotationsFile,
    ) -> Result<Annotated, AnnotationError> {
        let mut annotated = Annotated { lower: annotations.lower.clone(), ..Annotated::default() };
        if !annotations.functions.is_empty() {
            functions::resolve(module, names, annotations, &mut annotated)?;
        }
        annotated.add_types(module, names, annotations);
        values::resolve_properties(module, names, annotations, &mut annotated);
        values::resolve_constants(module, annotations, &mut annotated)?;
        other_values::unbind(module, names, annotations, &mut annotated);
        Ok(annotated)
    }

    /// Returns the annotations for a part of this module, without those of functions outside of the part.
    pub fn within(&self, part: &Module) -> Annotated {
        let mut restricted = self.clone();
        let is_in_part = |function: &u32| part.is_function(*function);
        restricted.when.retain(|function, _| is_in_part(function));
        restricted.otherwise.retain(|function, _| is_in_part(function));
        restricted.fixed_targets.retain(|function, _| is_in_part(function));
        restricted.sources.retain(|function, _| is_in_part(function));
        restricted.units.retain(|function, _| is_in_part(function));
        restricted.promised.retain(|function, _| is_in_part(function));
        restricted.work_group_dimensions.retain(|function, _| is_in_part(function));
        restricted.aspects.used.retain(|function, _| is_in_part(function));
        restricted.aspects.declared.retain(|function, _| is_in_part(function));
        restricted
    }

    /// Returns the annotations that still apply to a part of the module, or to a later version of it, once conditional calls are decided.
    pub fn after_calls(&self, part: &Module) -> Annotated {
        let restricted = self.within(part);
        Annotated {
            aspects: restricted.aspects,
            fixed_targets: restricted.fixed_targets,
            sources: restricted.sources,
            units: restricted.units,
            unit_properties: restricted.unit_properties,
            promised: restricted.promised,
            work_group_dimensions: restricted.work_group_dimensions,
            ..Annotated::default()
        }
    }

    /// Returns these annotations, completed for each function by those of its translation unit.
    pub fn with_units(mut self, units: Annotated) -> Annotated {
        for (function, source) in units.sources {
            self.sources.entry(function).or_insert(source);
        }
        for (function, targets) in units.fixed_targets {
            self.fixed_targets.entry(function).or_insert(targets);
        }
        (self.units, self.promised) = (units.units, units.promised);
        self.unit_properties = units.unit_properties;
        self
    }

    /// Returns true if no annotation applies to the module. Properties that repeat those of the module do not count.
    pub fn is_empty(&self) -> bool {
        static IMPLIED: LazyLock<AspectSources> = LazyLock::new(AspectSources::dpcpp);
        let Annotated { when, otherwise, aspects, fixed_targets, sources, spec_constants, .. } = self;
        let Annotated { units, promised, predicates, clones, calls, joins, outlined, properties, .. } = self;
        let Annotated { lower, .. } = self;
        let of_functions =
            when.is_empty() && otherwise.is_empty() && fixed_targets.is_empty() && sources.is_empty();
        let of_transforms = clones.is_empty() && calls.is_empty() && joins.is_empty() && outlined.is_empty();
        let of_things =
            spec_constants.is_empty() && predicates.is_empty() && properties.is_empty() && lower.is_empty();
        let of_units = units.is_empty() && promised.is_empty();
        of_functions && of_units && of_transforms && of_things && *aspects == *IMPLIED
    }

    /// Adds the entries of struct types.
    fn add_types(&mut self, module: &Module, names: &Names, annotations: &AnnotationsFile) {
        if annotations.types.is_empty() {
            return;
        }
        let structs = module.globals().filter_map(views::TypeStruct::new);
        let structs: BTreeSet<String> =
            gather(structs.filter_map(|structure| Some(names.name(structure.id())?.into_owned())));
        let shorter: BTreeSet<Cow<str>> = gather(structs.iter().filter_map(|name| without_number(name)));
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
            Arc::make_mut(&mut self.aspects.types).entry(entry.key.clone()).or_default().extend(&entry.value);
        }
    }
}
