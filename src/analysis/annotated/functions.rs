//! Annotations of functions.

use std::cell::LazyCell;
use std::collections::BTreeSet;

use super::error::{AnnotationError, AnnotationProblem, function_type};
use super::function_names::FunctionNames;
use super::{Annotated, Matchable, Otherwise, Unmatched};
use crate::analysis::calls::DirectCalls;
use crate::analysis::conditions::names::ConditionName;
use crate::analysis::debug::names::Names;
use crate::collections::IdMap;
use crate::condition::Expr;
use crate::loader::{Module, views};
use crate::metadata::annotations::{AnnotationsFile, Located, Position, UNDEFINED};

/// The number of unmatched entries for which similar names are searched, which takes time.
const SUGGESTED: usize = 64;

/// The values that all entries together give one function.
#[derive(Default)]
struct FunctionAnnotations<'a> {
    when: Option<&'a Located<Expr>>,
    otherwise: Option<&'a Located<String>>,
    uses: Option<&'a Located<BTreeSet<u32>>>,
    declares: Option<&'a Located<BTreeSet<u32>>>,
    fixed_targets: Option<&'a Located<BTreeSet<String>>>,
    source: Option<&'a Located<String>>,
}

/// The matching of an annotations file with the functions of a module.
struct FunctionMatcher<'m> {
    module: &'m Module<'m>,
    names: &'m Names<'m>,
    annotations: &'m AnnotationsFile,
    functions: FunctionNames<'m>,
}

/// Matches the entries of a file with the functions of a module.
pub fn resolve<'m>(
    module: &'m Module<'m>,
    names: &'m Names<'m>,
    annotations: &'m AnnotationsFile,
    annotated: &mut Annotated,
) -> Result<(), AnnotationError> {
    let functions = FunctionNames::read(module, names);
    let resolving = FunctionMatcher { module, names, annotations, functions };
    let mut by_function: IdMap<FunctionAnnotations> = IdMap::new();
    for entry in &annotations.functions {
        let matching = resolving.functions.matching(&entry.name);
        if matching.is_empty() {
            // Only the first few are reported with suggestions.
            let nearest = match annotated.unmatched.len() {
                0..SUGGESTED => resolving.functions.nearest(&entry.name),
                _ => Vec::new(),
            };
            annotated.unmatched.push(Unmatched {
                position: entry.position,
                what: Matchable::Function,
                name: entry.name.clone(),
                nearest: nearest.into_iter().collect(),
            });
        }
        for function in matching {
            let values = by_function.entry(function).or_default();
            resolving.join(function, "when", &mut values.when, &entry.when, |now, before| {
                resolving.same_condition(function, now, before)
            })?;
            resolving.join(
                function,
                "otherwise",
                &mut values.otherwise,
                &entry.otherwise,
                |now, before| {
                    Ok(resolving.otherwise(function, now)? == resolving.otherwise(function, before)?)
                },
            )?;
            resolving.join(function, "uses", &mut values.uses, &entry.uses, |now, before| {
                Ok(now.value == before.value)
            })?;
            resolving.join(function, "declares", &mut values.declares, &entry.declares, |now, before| {
                Ok(now.value == before.value)
            })?;
            resolving.join(
                function,
                "fixed-targets",
                &mut values.fixed_targets,
                &entry.fixed_targets,
                |now, before| Ok(now.value == before.value),
            )?;
            resolving.join(function, "source", &mut values.source, &entry.source, |now, before| {
                Ok(now.value == before.value)
            })?;
        }
    }
    for (&function, values) in &by_function {
        if let Some(when) = values.when {
            resolving.check_condition(function, when.position)?;
            annotated.when.insert(function, when.value.clone());
        }
        if let Some(otherwise) = values.otherwise {
            if values.when.is_none() {
                let problem = AnnotationProblem::NoCondition(resolving.name(function));
                return Err(resolving.error(otherwise.position, problem));
            }
            annotated.otherwise.insert(function, resolving.otherwise(function, otherwise)?);
        }
        if let Some(uses) = values.uses {
            annotated.aspects.used.insert(function, uses.value.clone());
        }
        if let Some(declares) = values.declares {
            annotated.aspects.declared.insert(function, declares.value.clone());
        }
        if let Some(targets) = values.fixed_targets {
            annotated.fixed_targets.insert(function, targets.value.iter().cloned().collect());
        }
        if let Some(source) = values.source {
            annotated.sources.insert(function, source.value.clone());
        }
    }
    resolving.check_recursion(&annotated.otherwise, &by_function)
}

impl FunctionMatcher<'_> {
    fn error(&self, position: Position, problem: AnnotationProblem) -> AnnotationError {
        AnnotationError::new(self.annotations, position, problem)
    }

    fn name(&self, function: u32) -> String {
        self.names.function_name(function).to_string()
    }

    /// Adds the value of an entry to the values of previous entries.
    fn join<'a, T>(
        &self,
        function: u32,
        key: &'static str,
        before: &mut Option<&'a Located<T>>,
        now: &'a Option<Located<T>>,
        same: impl Fn(&Located<T>, &Located<T>) -> Result<bool, AnnotationError>,
    ) -> Result<(), AnnotationError> {
        let Some(now) = now else { return Ok(()) };
        if let Some(before) = before
            && !same(now, before)?
        {
            let other = self.annotations.line(before.position);
            let problem = AnnotationProblem::Contradiction { key, function: self.name(function), other };
            return Err(self.error(now.position, problem));
        }
        before.get_or_insert(now);
        Ok(())
    }

    /// Returns true if two conditions hold on the same devices.
    fn same_condition(
        &self,
        function: u32,
        now: &Located<Expr>,
        before: &Located<Expr>,
    ) -> Result<bool, AnnotationError> {
        if now.value == before.value {
            return Ok(true);
        }
        let same = now.value.canonical().and_then(|canonical| Ok(canonical == before.value.canonical()?));
        same.map_err(|error| {
            let other = self.annotations.line(before.position);
            let problem = AnnotationProblem::Incomparable { function: self.name(function), other, error };
            self.error(now.position, problem)
        })
    }

    /// Checks that an entry can make the calls of a function conditional.
    fn check_condition(&self, function: u32, position: Position) -> Result<(), AnnotationError> {
        if self.functions.entry_points.contains(&function) {
            return Err(self.error(position, AnnotationProblem::EntryPoint(self.name(function))));
        }
        let linkage = self.names.linkage(function).map(|linkage| linkage.name);
        if [linkage, self.names.name(function)]
            .into_iter()
            .flatten()
            .any(|name| ConditionName::read(&name).is_some())
        {
            return Err(self.error(position, AnnotationProblem::ConditionalCaller(self.name(function))));
        }
        Ok(())
    }

    /// Returns the replacement that an entry names for the calls of a function.
    fn otherwise(&self, function: u32, entry: &Located<String>) -> Result<Otherwise, AnnotationError> {
        let name = &entry.value;
        if name == UNDEFINED {
            return Ok(Otherwise::Undefined);
        }
        let error = |problem| Err(self.error(entry.position, problem));
        let named = self.functions.named(name);
        let callable: Vec<u32> =
            named.iter().copied().filter(|id| !self.functions.entry_points.contains(id)).collect();
        let type_of = |id: u32| self.module.function_type(id).map(|type_| type_.id());
        let mut fitting: Vec<u32> =
            callable.iter().copied().filter(|&id| type_of(id) == type_of(function)).collect();
        if fitting.is_empty() {
            let type_of = |id: u32| self.module.function_type(id);
            let is_castable = |id: &u32| {
                let types = type_of(function).zip(type_of(*id));
                types.is_some_and(|(expected, replacement)| is_castable(self.module, expected, replacement))
            };
            fitting.extend(callable.iter().copied().filter(is_castable));
        }
        match (&fitting[..], callable.first(), named.first()) {
            (&[replacement], ..) if replacement == function => {
                error(AnnotationProblem::Itself(self.name(function)))
            }
            (&[other], ..) => Ok(Otherwise::Function(other)),
            ([], Some(&other), _) => error(AnnotationProblem::Type {
                function: self.name(function),
                expected: function_type(self.module, self.names, function),
                otherwise: self.name(other),
                found: function_type(self.module, self.names, other),
            }),
            ([], None, Some(&other)) => error(AnnotationProblem::OtherwiseEntryPoint(self.name(other))),
            ([], None, None) => {
                let nearest = self.functions.nearest(name);
                error(AnnotationProblem::UnknownFunction { name: name.clone(), nearest })
            }
            (several, ..) => {
                let candidates = several.iter().map(|&id| format!("%{id} {}", self.name(id))).collect();
                error(AnnotationProblem::Ambiguous { name: name.clone(), candidates })
            }
        }
    }

    /// Checks that no replacement leads to a call of the function that it replaces. That call would be conditional too, and call the
    /// replacement again where the condition does not hold.
    fn check_recursion(
        &self,
        otherwise: &IdMap<Otherwise>,
        by_function: &IdMap<FunctionAnnotations>,
    ) -> Result<(), AnnotationError> {
        let calls = LazyCell::new(|| DirectCalls::new(self.module));
        for (&function, &instead) in otherwise {
            let Otherwise::Function(instead) = instead else { continue };
            let mut seen = BTreeSet::from([instead]);
            let mut waiting = vec![instead];
            while let Some(next) = waiting.pop() {
                if next == function {
                    let annotation = by_function.get(&function).and_then(|annotation| annotation.otherwise);
                    let position = annotation.map(|otherwise| otherwise.position);
                    let Some(position) = position else { break };
                    let (function, otherwise) = (self.name(function), self.name(instead));
                    return Err(self.error(position, AnnotationProblem::Recursive { function, otherwise }));
                }
                let instead = otherwise.get(&next).and_then(|otherwise| otherwise.function());
                let callees = self.module.function_index(next).into_iter().flat_map(|at| calls.callees(at));
                let callees = callees.map(|callee| self.module.functions()[callee].id);
                waiting.extend(instead.into_iter().chain(callees).filter(|&id| seen.insert(id)));
            }
        }
        Ok(())
    }
}

/// Returns true if a function of one type can be called with the arguments of another after pointer casts. The types may differ only in the
/// pointees of pointer parameters, and pointers must be addresses. LLVM's pointers have no pointee types; SPIR-V backends derive them from
/// the uses of parameters.
fn is_castable(module: &Module, expected: views::TypeFunction, replacement: views::TypeFunction) -> bool {
    let class = |id: u32| module.pointer_type(id).map(views::TypePointer::storage_class);
    let fits = |(&expected, &replacement): (&u32, &u32)| {
        expected == replacement || class(expected).is_some_and(|address| class(replacement) == Some(address))
    };
    module.has_addresses()
        && expected.return_type() == replacement.return_type()
        && expected.parameters().len() == replacement.parameters().len()
        && expected.parameters().iter().zip(replacement.parameters()).all(fits)
}
