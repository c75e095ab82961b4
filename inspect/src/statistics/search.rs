//! Advice from few of the combinations of values.
//!
//! One constant at a time is known already. The values that are best alone are combined; one pass over the constants, those with the largest effect
//! first, corrects what is not best together with the others. Bits of a constant in which single values differ from the default are flags: each is also
//! tried beside those that are set.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use spirv_if::Error;
use spirv_if::engine::collections::{sort_by, sort_by_key};
use spirv_if::specialize::SpecValue;

use super::measure::{Combination, TriedConstant, VariantMeasurer};
use super::report::{
    CompileOutcome, CostKind, FoundCombination, ModuleStatistics, ValueCost, VariantAdvice, VariantStatistics,
};
use crate::inspection::SetConstant;

/// Limit on the compilations of a pass.
const MAX_PASS: usize = 64;
/// The share of what all constants save that those to fix save together.
const ENOUGH: f64 = 0.9;
/// Differences of times below this share of them are noise, and those below this number of nanoseconds.
const NOISE: (f64, f64) = (0.1, 500_000.0);
/// Shares of the code and of the time by which a variant is worse.
const WORSE: (f64, f64) = (0.01, 0.25);

/// The direction of a search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SearchGoal {
    Cheapest,
    Dearest,
}

impl SearchGoal {
    /// Returns true if a cost is better than another by more than noise.
    fn is_better(self, cost: f64, other: f64, kind: CostKind) -> bool {
        let noise = if kind == CostKind::Time { NOISE.1.max(NOISE.0 * other) } else { 0.0 };
        match self {
            SearchGoal::Cheapest => cost < other - noise,
            SearchGoal::Dearest => cost > other + noise,
        }
    }
}

/// Draws conclusions from variants with one constant set, and from few combinations.
pub(super) fn advise(
    statistics: &ModuleStatistics,
    measurer: &mut VariantMeasurer,
) -> Result<VariantAdvice, Error> {
    let kind = statistics.cost;
    let as_is = statistics.as_is.cost(kind).unwrap_or_default();
    let mut advice = VariantAdvice::default();
    for constant in &measurer.constants {
        let of_constant: Vec<&VariantStatistics> =
            statistics.variants.iter().filter(|variant| variant.set.spec_id == constant.spec_id).collect();
        let is_equal =
            |variant: &&VariantStatistics| variant.cut.has_equal_code(&statistics.as_is) == Some(true);
        if of_constant.len() == constant.values.len() && of_constant.iter().all(is_equal) {
            advice.without_effect.push(constant.spec_id);
        }
    }
    for variant in statistics.variants.iter().filter(|variant| !variant.is_default) {
        let Some(cost) = variant.cut.cost(kind).filter(|_| as_is > 0.0) else { continue };
        let per_mille = (1000.0 * (cost - as_is) / as_is).round() as i64;
        if SearchGoal::Dearest.is_better(cost, as_is, kind) && per_mille > 0 {
            advice.dearer.push(ValueCost { set: variant.set, per_mille });
        }
    }
    sort_by_key(&mut advice.dearer, |value| Reverse(value.per_mille));
    for variant in &statistics.variants {
        let Some(by_driver) = &variant.by_driver else { continue };
        if is_worse(&variant.cut, by_driver, kind) && !measurer.is_noise(variant, kind)? {
            advice.not_worth_cutting.push(variant.set);
        }
    }
    fix(statistics, measurer, &mut advice)?;
    let (cheapest, interacting) = search(statistics, measurer, SearchGoal::Cheapest)?;
    let (dearest, also_interacting) = search(statistics, measurer, SearchGoal::Dearest)?;
    (advice.cheapest, advice.dearest) = (cheapest, dearest);
    advice.interacting = interacting.union(&also_interacting).copied().collect();
    keep_without_effect(measurer, &mut advice)?;
    Ok(advice)
}

/// Keeps the constants without effect that have none in the dearest combination either, where most code is left.
fn keep_without_effect(measurer: &mut VariantMeasurer, advice: &mut VariantAdvice) -> Result<(), Error> {
    let Some(dearest) = &advice.dearest else { return Ok(()) };
    let among: Combination = dearest.values.iter().map(|set| (set.spec_id, set.value)).collect();
    let constants: Vec<TriedConstant> = measurer.constants.clone();
    let mut kept = Vec::new();
    for &spec_id in &advice.without_effect {
        let Some(constant) = constants.iter().find(|constant| constant.spec_id == spec_id) else { continue };
        let mut has_none = true;
        for &value in &constant.values {
            let mut tried = among.clone();
            tried.insert(spec_id, value);
            let outcome = measurer.combination(&tried)?;
            has_none &= outcome.has_equal_code(&dearest.outcome) == Some(true);
        }
        if has_none {
            kept.push(spec_id);
        }
    }
    advice.without_effect = kept;
    Ok(())
}

/// Returns true if the module that was cut is worse than the one whose constants the driver sets: its code costs more, or it takes longer, by more
/// than chance.
pub(super) fn is_worse(cut: &CompileOutcome, by_driver: &CompileOutcome, kind: CostKind) -> bool {
    let is_above = |kind, share: f64, least: f64| match (cut.cost(kind), by_driver.cost(kind)) {
        (Some(cut), Some(by_driver)) => cut > by_driver * (1.0 + share) + least,
        _ => false,
    };
    kind != CostKind::Time && is_above(kind, WORSE.0, 0.0) || is_above(CostKind::Time, WORSE.1, NOISE.1)
}

/// Finds the constants to set when an application is built: by what each removes of the module, as few as save nearly all of the time.
fn fix(
    statistics: &ModuleStatistics,
    measurer: &mut VariantMeasurer,
    advice: &mut VariantAdvice,
) -> Result<(), Error> {
    let time = |outcome: &CompileOutcome| outcome.cost(CostKind::Time);
    // The value of each constant that removes most of the module, and those that remove most first: times of single values are too noisy for that.
    let mut sizes: Vec<(usize, SetConstant)> = Vec::new();
    for variant in &statistics.variants {
        let size = (variant.size, variant.set);
        match sizes.last_mut().filter(|last| last.1.spec_id == variant.set.spec_id) {
            Some(last) if size.0 < last.0 => *last = size,
            Some(_) => {}
            None => sizes.push(size),
        }
    }
    sort_by_key(&mut sizes, |(size, set)| (*size, set.spec_id));
    let sets: Vec<SetConstant> = sizes.into_iter().map(|(_, set)| set).collect();
    let before = time(&measurer.partly_cut(&[], &sets)?);
    let (Some(before), Some(after)) = (before, time(&measurer.partly_cut(&sets, &[])?)) else {
        return Ok(());
    };
    (advice.by_driver_time_ns, advice.fixed_time_ns, advice.all_fixed_time_ns) =
        (before as u64, before as u64, after as u64);
    if !SearchGoal::Cheapest.is_better(after, before, CostKind::Time) {
        return Ok(());
    }
    let mut number = 1;
    loop {
        let (cut, rest) = sets.split_at(number.min(sets.len()));
        let with = time(&measurer.partly_cut(cut, rest)?).unwrap_or(before);
        if before - with >= ENOUGH * (before - after) || rest.is_empty() {
            advice.fixed_time_ns = with as u64;
            advice.fix = cut.to_vec();
            return Ok(());
        }
        number *= 2;
    }
}

/// Searches for a combination of values; returns it, and the SpecIds of constants whose effect differs together with others.
fn search(
    statistics: &ModuleStatistics,
    measurer: &mut VariantMeasurer,
    goal: SearchGoal,
) -> Result<(Option<FoundCombination>, BTreeSet<u32>), Error> {
    let kind = statistics.cost;
    let mut interacting = BTreeSet::new();
    let Some(as_is) = statistics.as_is.cost(kind) else { return Ok((None, interacting)) };
    // Costs of single values, and the best one of each constant.
    let alone = |spec_id: u32, value: SpecValue| {
        let mut variants = statistics.variants.iter();
        let variant = variants.find(|variant| variant.set == SetConstant { spec_id, value })?;
        if variant.is_default { Some(as_is) } else { variant.cut.cost(kind) }
    };
    let constants: Vec<TriedConstant> = measurer.constants.clone();
    let mut start = Combination::new();
    let mut effects: Vec<(f64, &TriedConstant)> = Vec::new();
    for constant in &constants {
        let mut best = (as_is, constant.default_value());
        let mut largest: f64 = 0.0;
        for &value in &constant.values {
            let Some(cost) = alone(constant.spec_id, value) else { continue };
            largest = largest.max((cost - as_is).abs());
            if goal.is_better(cost, best.0, kind) {
                best = (cost, value);
            }
        }
        if best.1 != constant.default_value() {
            start.insert(constant.spec_id, best.1);
        }
        effects.push((largest, constant));
    }
    sort_by(&mut effects, |one, other| other.0.total_cmp(&one.0));
    let mut best = (start.clone(), measurer.combination(&start)?);
    // A combination that does not compile is none.
    if best.1.cost(kind).is_none() {
        best = (Combination::new(), measurer.combination(&Combination::new())?);
    }
    let values =
        effects.iter().flat_map(|(_, constant)| constant.values.iter().map(|value| (*constant, *value)));
    for (constant, value) in values.take(MAX_PASS) {
        let now = now_of(&best.0, constant);
        // A flag also changes beside the others.
        let flipped = constant.single_bit(value).and_then(|flag| constant.with_bits(now, flag));
        for value in [Some(value), flipped.filter(|flipped| *flipped != value)].into_iter().flatten() {
            let now = now_of(&best.0, constant);
            let Some(cost) = best.1.cost(kind) else { break };
            if value == now {
                continue;
            }
            let mut tried = best.0.clone();
            tried.insert(constant.spec_id, value);
            if value == constant.default_value() {
                tried.remove(&constant.spec_id);
            }
            let outcome = measurer.combination(&tried)?;
            let Some(with) = outcome.cost(kind) else { continue };
            if let (Some(from), Some(to)) = (alone(constant.spec_id, now), alone(constant.spec_id, value))
                && kind != CostKind::Time
                && (with - cost).signum() * (to - from).signum() < 0.0
            {
                interacting.insert(constant.spec_id);
            }
            if goal.is_better(with, cost, kind) {
                best = (tried, outcome);
            }
        }
    }
    let (values, outcome) = best;
    let values = values.into_iter().map(|(spec_id, value)| SetConstant { spec_id, value }).collect();
    Ok((outcome.compiled().is_some().then_some(FoundCombination { values, outcome }), interacting))
}

/// Returns the value of a constant in a combination.
fn now_of(combination: &Combination, constant: &TriedConstant) -> SpecValue {
    combination.get(&constant.spec_id).copied().unwrap_or(constant.default_value())
}
