//! Expansion of annotations of functions to single conditional calls: the form that [`pack`](super::pack) accepts.
//!
//! A call of a function with an alternative becomes two calls and a copy of the result of either. The alternative is for devices on which the
//! condition is false. So do calls of functions with clones, and calls in guarded regions.

use std::collections::HashSet;

use spirv::Op;
use thiserror::Error;

use super::insertion::{DecorationsById, InsertionPoints};
use crate::analysis::{
    Analyses, AnalysisError, Annotated, ConditionalCalls, GuardedRegion, PresenceConditions,
};
use crate::condition::{ConditionError, Expr};
use crate::loader::{Module, views};
use crate::transform::Edits;

/// A module with expanded conditional calls.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// The changes to the module.
    pub edits: Edits,
    /// The annotations of the changed module, without the conditions of functions.
    pub annotated: Annotated,
    /// The functions with a condition that nothing calls.
    pub uncalled: Vec<u32>,
}

/// Expands the annotations of a module; `None` if they have no conditions.
///
/// # Errors
/// If the result of a conditional call is used, and no annotation defines it for devices on which the call is not taken. See
/// [`ExpandError`].
pub fn expand(analyses: &Analyses) -> Result<Option<Expanded>, ExpandError> {
    let (module, annotated) = (analyses.module(), analyses.annotated());
    if annotated.when.is_empty() && annotated.clones.is_empty() && annotated.spec_constants.is_empty() {
        return Ok(None);
    }
    let calls = analyses.calls()?;
    let presence = if calls.regions.is_empty() { None } else { Some(analyses.presence()?) };
    let mut expanded = Expanded {
        edits: Edits::new(module),
        annotated: Annotated {
            aspects: annotated.aspects.clone(),
            fixed_targets: annotated.fixed_targets.clone(),
            sources: annotated.sources.clone(),
            spec_constants: annotated.spec_constants.clone(),
            predicates: annotated.predicates.clone(),
            clones: annotated.clones.clone(),
            calls: annotated.calls.clone(),
            joins: annotated.joins.clone(),
            outlined: annotated.outlined.clone(),
            work_group_dimensions: annotated.work_group_dimensions.clone(),
            ..Annotated::default()
        },
        uncalled: Vec::new(),
    };
    let called = calls.calls.iter().flat_map(|call| {
        let instead = call.otherwise.iter().filter_map(|(_, otherwise)| otherwise.function());
        instead.chain([call.function])
    });
    let called: HashSet<u32> = called.collect();
    expanded.uncalled = annotated
        .when
        .keys()
        .copied()
        .filter(|&id| module.is_function(id) && !called.contains(&id))
        .collect();
    rewrite(module, calls, annotated, presence, &mut expanded);
    Ok(Some(expanded))
}

/// The reason that annotations cannot be expanded.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExpandError {
    /// The conditional code is malformed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// A condition is out of bounds.
    #[error(transparent)]
    Condition(#[from] ConditionError),
}

/// One of the calls that a call becomes, with its condition.
#[derive(Clone)]
struct ExpandedCall {
    condition: Expr,
    /// The function that is called; `None` if the result is undefined.
    function: Option<u32>,
}

/// A call that becomes several.
struct ExpandSite<'m> {
    inst: views::FunctionCall<'m>,
    parts: Vec<ExpandedCall>,
}

/// Rewrites the calls of functions with a condition or clones, and the calls in guarded regions.
fn rewrite(
    module: &Module,
    calls: &ConditionalCalls,
    annotated: &Annotated,
    presence: Option<&PresenceConditions>,
    expanded: &mut Expanded,
) {
    let find = SiteFinder { module, calls, annotated, presence };
    let sites = find.sites();
    let used = used(module, &sites);
    let annotations = InsertionPoints::find(module).annotations;
    let decorations = DecorationsById::new(module, sites.iter().map(|site| site.inst.id()));
    for ExpandSite { inst, mut parts } in sites {
        let (type_id, result) = (inst.type_id(), inst.id());
        let is_used = used.contains(&result);
        if !is_used {
            parts.retain(|part| part.function.is_some());
        }
        let mut words = Vec::new();
        let mut results = Vec::new();
        for (at, ExpandedCall { condition, function }) in parts.into_iter().enumerate() {
            let id = if at == 0 && !is_used {
                result
            } else {
                let fresh = expanded.edits.fresh_id();
                decorations.copy(result, fresh, annotations, &mut expanded.edits);
                fresh
            };
            match function {
                Some(function) => {
                    let arguments = cast(module, inst, function, &mut expanded.edits, &mut words);
                    let length = 4 + arguments.len() as u32;
                    words.extend([length << 16 | Op::FunctionCall as u32, type_id, id, function]);
                    words.extend(arguments);
                    expanded.annotated.calls.insert(id, condition.clone());
                }
                None => words.extend([3 << 16 | Op::Undef as u32, type_id, id]),
            }
            results.push((condition, id));
        }
        if is_used {
            // A placeholder for the copy by conditions, which have no constants yet.
            words.extend([4 << 16 | Op::CopyObject as u32, type_id, result, results[0].1]);
            expanded.annotated.joins.insert(result, results);
        }
        if words != inst.words() {
            expanded.edits.replace_words(&inst, &words);
        }
    }
}

/// Returns the arguments of a call for another callee, cast if its parameters have other pointer types.
fn cast(
    module: &Module,
    inst: views::FunctionCall,
    function: u32,
    edits: &mut Edits,
    words: &mut Vec<u32>,
) -> Vec<u32> {
    let types = |id: u32| {
        let function = module.function(id).into_iter();
        let parameters = function.flat_map(|function| module.parameters(function));
        parameters.map(|parameter| views::FunctionParameter(parameter).type_id())
    };
    let arguments = inst.arguments().iter().copied();
    let cast = |((argument, argument_type), parameter_type)| {
        if argument_type == parameter_type {
            return argument;
        }
        let cast = edits.fresh_id();
        words.extend([4 << 16 | Op::Bitcast as u32, parameter_type, cast, argument]);
        cast
    };
    arguments.zip(types(inst.callee())).zip(types(function)).map(cast).collect()
}

/// Returns the results of calls that are used.
fn used(module: &Module, sites: &[ExpandSite]) -> HashSet<u32> {
    let mut used: HashSet<u32> = HashSet::new();
    let results: HashSet<u32> = sites.iter().map(|site| site.inst.id()).collect();
    let holders: HashSet<usize> = results.iter().filter_map(|&result| module.function_of(result)).collect();
    for holder in holders {
        for inst in module.body(&module.functions()[holder]) {
            module.walk(&inst, &mut |_, id: u32| {
                if Some(id) != inst.result_id() && results.contains(&id) {
                    used.insert(id);
                }
            });
        }
    }
    used
}

struct SiteFinder<'f, 'm> {
    module: &'m Module<'m>,
    calls: &'f ConditionalCalls,
    annotated: &'f Annotated,
    /// The presence conditions, if the module has guarded regions.
    presence: Option<&'f PresenceConditions>,
}

impl<'m> SiteFinder<'_, 'm> {
    fn sites(&self) -> Vec<ExpandSite<'m>> {
        let mut sites = Vec::new();
        for (at, function) in self.module.functions().iter().enumerate() {
            let region = self.calls.regions.in_function(at);
            for inst in self.module.body(function).filter_map(views::FunctionCall::new) {
                let parts = self.parts(inst, region);
                if !matches!(&parts[..], [ExpandedCall { condition: Expr::True, .. }] | []) {
                    sites.push(ExpandSite { inst, parts });
                }
            }
        }
        sites
    }

    fn parts(&self, inst: views::FunctionCall, region: &[GuardedRegion]) -> Vec<ExpandedCall> {
        let callee = inst.callee();
        if self.annotated.calls.contains_key(&inst.id()) {
            return Vec::new(); // it is expanded already
        }
        let mut parts = match self.annotated.when.get(&callee) {
            None => vec![ExpandedCall { condition: Expr::True, function: Some(callee) }],
            Some(when) => {
                let then = ExpandedCall { condition: when.clone(), function: Some(callee) };
                let (instead, _) = self.annotated.instead_of(callee);
                let instead = instead
                    .into_iter()
                    .map(|(condition, otherwise)| ExpandedCall { condition, function: otherwise.function() });
                std::iter::once(then).chain(instead).collect()
            }
        };
        parts = parts.into_iter().flat_map(|part| self.clones(part)).collect();
        let is_conditional = |part: &ExpandedCall| {
            part.function
                .zip(self.presence)
                .is_some_and(|(function, presence)| !presence.condition(function).is_true())
        };
        let conditional = self.calls.calls.binary_search_by_key(&inst.offset(), |call| call.call);
        if conditional.is_ok() && !self.annotated.when.contains_key(&callee) {
            return Vec::new(); // a conditional caller's call
        }
        if let Some(guard) = guard_at(region, inst.offset()).filter(|_| parts.iter().any(is_conditional)) {
            for part in &mut parts {
                part.condition = and(guard, &part.condition);
            }
            parts.push(ExpandedCall { condition: Expr::Not(Box::new(guard.clone())), function: None });
        }
        parts
    }

    /// Returns the calls of the clones of a function, if it has any.
    fn clones(&self, part: ExpandedCall) -> Vec<ExpandedCall> {
        let clones = part.function.and_then(|function| self.annotated.clones.get(&function));
        let Some(clones) = clones else { return vec![part] };
        let call = |(condition, function): &(Expr, u32)| ExpandedCall {
            condition: and(&part.condition, condition),
            function: Some(*function),
        };
        clones.iter().map(call).collect()
    }
}

fn guard_at(region: &[GuardedRegion], offset: u32) -> Option<&Expr> {
    let at = region.partition_point(|region| region.range.end <= offset);
    region.get(at).filter(|region| region.range.contains(&offset)).map(|region| &region.condition)
}

fn and(left: &Expr, right: &Expr) -> Expr {
    match (left, right) {
        (Expr::True, other) | (other, Expr::True) => other.clone(),
        _ => Expr::And(Box::new(left.clone()), Box::new(right.clone())),
    }
}
