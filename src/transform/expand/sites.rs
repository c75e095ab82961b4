//! The calls that become several, of which one happens.

use std::collections::HashSet;

use spirv::Op;

use super::Expanded;
use crate::analysis::{Annotated, ConditionalCalls, GuardedRegion, PresenceConditions};
use crate::condition::Expr;
use crate::loader::{Instruction, Module};
use crate::transform::Edits;
use crate::transform::copies::Decorations;
use crate::transform::insertion_points::InsertionPoints;

/// What a call becomes where a condition holds.
#[derive(Clone)]
struct Part {
    condition: Expr,
    /// The function that is called; `None` if the result is undefined.
    function: Option<u32>,
}

/// A call that becomes several.
struct Site<'m> {
    inst: Instruction<'m>,
    parts: Vec<Part>,
}

/// Rewrites the calls of functions that have a condition or variants, or that stand in a guarded block.
pub(super) fn rewrite(
    module: &Module,
    calls: &ConditionalCalls,
    annotated: &Annotated,
    presence: Option<&PresenceConditions>,
    expanded: &mut Expanded,
) {
    let find = Find { module, calls, annotated, presence };
    let sites = find.sites();
    let used = used(module, &sites);
    let annotations = InsertionPoints::find(module).annotations;
    let decorations = Decorations::of(module, sites.iter().map(|site| site.inst.word(2)));
    for Site { inst, mut parts } in sites {
        let result = inst.word(2);
        let is_used = used.contains(&result);
        if !is_used {
            parts.retain(|part| part.function.is_some());
        }
        let mut words = Vec::new();
        let mut results = Vec::new();
        for (at, Part { condition, function }) in parts.into_iter().enumerate() {
            let id = if at == 0 && !is_used {
                result
            } else {
                let fresh = expanded.edits.fresh_id();
                decorations.copy(result, fresh, annotations, &mut expanded.edits);
                fresh
            };
            match function {
                Some(function) => {
                    let arguments = cast(module, &inst, function, &mut expanded.edits, &mut words);
                    words.extend([inst.words()[0], inst.word(1), id, function]);
                    words.extend(arguments);
                    expanded.annotated.calls.insert(id, condition.clone());
                }
                None => words.extend([3 << 16 | Op::Undef as u32, inst.word(1), id]),
            }
            results.push((condition, id));
        }
        if is_used {
            // It holds the place of the copy that depends on the conditions, for which there are no constants yet.
            words.extend([4 << 16 | Op::CopyObject as u32, inst.word(1), result, results[0].1]);
            expanded.annotated.joins.insert(result, results);
        }
        if words != inst.words() {
            expanded.edits.replace_words(&inst, &words);
        }
    }
}

/// The arguments of a call, for a function that may have parameters of other pointer types than what is called now: those are cast.
fn cast(
    module: &Module,
    inst: &Instruction,
    function: u32,
    edits: &mut Edits,
    words: &mut Vec<u32>,
) -> Vec<u32> {
    let types = |id: u32| {
        let function = module.function(id).into_iter();
        function.flat_map(|function| module.parameters(function)).map(|parameter| parameter.word(1))
    };
    let arguments = inst.words_from(4).iter().copied();
    let cast = |((argument, given), wanted)| {
        if given == wanted {
            return argument;
        }
        let cast = edits.fresh_id();
        words.extend([4 << 16 | Op::Bitcast as u32, wanted, cast, argument]);
        cast
    };
    arguments.zip(types(inst.word(3))).zip(types(function)).map(cast).collect()
}

/// The results of calls that something uses.
fn used(module: &Module, sites: &[Site]) -> HashSet<u32> {
    let mut used: HashSet<u32> = HashSet::new();
    let results: HashSet<u32> = sites.iter().map(|site| site.inst.word(2)).collect();
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

struct Find<'f, 'm> {
    module: &'m Module<'m>,
    calls: &'f ConditionalCalls,
    annotated: &'f Annotated,
    /// If the module has guarded blocks.
    presence: Option<&'f PresenceConditions>,
}

impl<'m> Find<'_, 'm> {
    fn sites(&self) -> Vec<Site<'m>> {
        let mut sites = Vec::new();
        for (at, function) in self.module.functions().iter().enumerate() {
            let region = self.calls.regions.of(at);
            for inst in self.module.body(function).filter(|inst| inst.is(Op::FunctionCall)) {
                let parts = self.parts(&inst, region);
                if !matches!(&parts[..], [Part { condition: Expr::True, .. }] | []) {
                    sites.push(Site { inst, parts });
                }
            }
        }
        sites
    }

    fn parts(&self, inst: &Instruction, region: &[GuardedRegion]) -> Vec<Part> {
        let callee = inst.word(3);
        if self.annotated.calls.contains_key(&inst.word(2)) {
            return Vec::new(); // it stands alone already
        }
        let mut parts = match self.annotated.when.get(&callee) {
            None => vec![Part { condition: Expr::True, function: Some(callee) }],
            Some(when) => {
                let then = Part { condition: when.clone(), function: Some(callee) };
                let (instead, _) = self.annotated.instead_of(callee);
                let instead = instead
                    .into_iter()
                    .map(|(condition, otherwise)| Part { condition, function: otherwise.function() });
                std::iter::once(then).chain(instead).collect()
            }
        };
        parts = parts.into_iter().flat_map(|part| self.variants(part)).collect();
        let is_gated = |part: &Part| {
            part.function
                .zip(self.presence)
                .is_some_and(|(function, presence)| !presence.of(function).is_true())
        };
        let conditional = self.calls.calls.binary_search_by_key(&inst.offset(), |call| call.call);
        if conditional.is_ok() && !self.annotated.when.contains_key(&callee) {
            return Vec::new(); // a conditional caller's call
        }
        if let Some(guard) = guard_at(region, inst.offset()).filter(|_| parts.iter().any(is_gated)) {
            for part in &mut parts {
                part.condition = and(guard, &part.condition);
            }
            parts.push(Part { condition: Expr::Not(Box::new(guard.clone())), function: None });
        }
        parts
    }

    /// What calling a function means where it has variants.
    fn variants(&self, part: Part) -> Vec<Part> {
        let variants = part.function.and_then(|function| self.annotated.variants.get(&function));
        let Some(variants) = variants else { return vec![part] };
        let variant = |(condition, function): &(Expr, u32)| Part {
            condition: and(&part.condition, condition),
            function: Some(*function),
        };
        variants.iter().map(variant).collect()
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
