//! Values of specialization constants that keep the blocks from running which require a missing feature. Where they do, nothing has to be
//! replaced by a trap.

use std::collections::{BTreeMap, BTreeSet};

use super::analyses::TrapAnalyses;
use super::lacked::LackedFeatures;
use super::leaving::Callers;
use super::regions::unavoidable;
use super::required::{CodeRequirements, RequiredFeatures};
use crate::analysis::constants::folding::Scalar;
use crate::analysis::constants::{Constants, Nothing, SetValues, SpecValue};
use crate::analysis::flow::{Blocks, Decision, FlowOutcome, Running, Solution};
use crate::analysis::{Analyses, AnalysisError};
use crate::collections::{IdMap, gather};

/// Limit on the values, blocks and edges that are examined to try the values of all constants of a module.
const MAX_WORK: usize = 1 << 26;

/// Limit on the tried values of a constant.
const MAX_VALUES: usize = 64;

/// Limit on the number of constants with returned values.
const MAX_CONSTANTS: usize = 256;

/// Values of specialization constants that keep blocks from running.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DecidingValues {
    /// The values, by SpecId.
    pub values: Vec<(u32, SpecValue)>,
    /// True if no block runs then that requires a missing feature.
    pub is_complete: bool,
}

/// Values by SpecId, as bits.
type Assignment = BTreeMap<u32, u64>;

/// The constants that are already set, with their values, and those to leave alone, by SpecId.
pub type PresetConstants = IdMap<Option<u64>>;

/// Returns the values of constants that are set already.
fn set_values(fixed: &PresetConstants) -> Assignment {
    gather(fixed.iter().filter_map(|(&spec_id, value)| Some((spec_id, (*value)?))))
}

/// The index of a function, and the number of a block of it.
type BlockIndex = (usize, usize);

/// A branch that a value decides: the index of its function, and the decision.
pub type TakenBranch = (usize, Decision);

/// A tried value of a constant, and the branches that it decides alone.
pub type TriedValue = (u64, Vec<TakenBranch>);

/// The tried values of a module's constants. Each value is tried alone, and values that decide a branch together are tried together: their number
/// is linear in the size of the module.
#[derive(Default)]
pub struct TriedValues {
    /// The values, each with the blocks that they keep from running, in order.
    all: Vec<(Assignment, Vec<BlockIndex>)>,
    /// The types of the constants, by SpecId.
    types: IdMap<Scalar>,
    /// The blocks that run for no values.
    never: Vec<BlockIndex>,
    /// The values of each constant that decides branches, by SpecId; `None` where not all were tried. The default comes first.
    alone: IdMap<Option<Vec<TriedValue>>>,
}

/// The calls between functions, and their blocks.
#[derive(Default)]
pub struct FunctionCalls {
    /// The blocks of each function; none of declarations.
    blocks: Vec<Blocks>,
    /// The calls in each function: the block, and the index of the callee.
    callees: Vec<Vec<(usize, usize)>>,
    /// The functions that other code enters.
    entered: Vec<usize>,
}

impl FunctionCalls {
    fn new(analyses: &Analyses) -> FunctionCalls {
        let module = analyses.module();
        let functions = module.functions();
        let blocks: Vec<Blocks> = functions
            .iter()
            .map(|function| {
                let mut blocks = Blocks::default();
                let is_read = !module.is_declaration(function) && blocks.read(module, function);
                if is_read { blocks } else { Blocks::default() }
            })
            .collect();
        let callers = Callers::new(analyses);
        let callees = blocks.iter().enumerate().map(|(at, blocks)| {
            let calls = callers.calls.calls_in(at).iter();
            calls.map(|call| (blocks.at(call.offset).unwrap_or_default(), call.callee as usize)).collect()
        });
        let callees = callees.collect();
        let is_entered = |at: &usize| callers.exported[*at] || !callers.calls.is_called(*at);
        FunctionCalls { blocks, callees, entered: (0..functions.len()).filter(is_entered).collect() }
    }

    /// Returns true if one of some blocks runs in every call of a function that other code enters.
    fn always_run_any(&self, places: &[BlockIndex]) -> bool {
        let mut open = self.entered.clone();
        let mut seen: BTreeSet<usize> = open.iter().copied().collect();
        while let Some(at) = open.pop() {
            let always = unavoidable(&self.blocks[at]);
            let first = places.partition_point(|place| place.0 < at);
            let mut of_function = places[first..].iter().take_while(|place| place.0 == at);
            if of_function.any(|&(_, block)| always[block]) {
                return true;
            }
            let called = self.callees[at].iter().filter(|&&(block, _)| always.get(block) == Some(&true));
            open.extend(called.map(|&(_, callee)| callee).filter(|&callee| seen.insert(callee)));
        }
        false
    }

    /// Returns the blocks that do not run in an outcome, in order.
    fn stopped(&self, outcome: FlowOutcome) -> Vec<BlockIndex> {
        let mut runs = vec![false; self.blocks.len()];
        self.entered.iter().for_each(|&at| runs[at] = true);
        let mut open = self.entered.clone();
        while let Some(at) = open.pop() {
            for &(block, callee) in &self.callees[at] {
                if outcome.runs(at, block) && !std::mem::replace(&mut runs[callee], true) {
                    open.push(callee);
                }
            }
        }
        let mut stopped = Vec::new();
        for (at, blocks) in self.blocks.iter().enumerate() {
            let is_stopped = |block: &usize| !runs[at] || !outcome.runs(at, *block);
            stopped.extend((0..blocks.len()).filter(is_stopped).map(|block| (at, block)));
        }
        stopped
    }

    /// Returns the blocks that do not run with values, in order.
    fn stopped_by(
        &self,
        analyses: &Analyses,
        values: &Assignment,
        each: &mut dyn FnMut(FlowOutcome),
    ) -> Vec<BlockIndex> {
        let module = analyses.module();
        let mut set = SetValues::default();
        values.iter().for_each(|(&spec_id, &value)| set.set(spec_id, value));
        let mut constants = Constants::with(module, &Nothing, set, analyses.spec_constants_by_id().into());
        let mut solution = Solution::default();
        let known = &mut |id| constants.value(id);
        let outcome = analyses.flow().solve(module, &mut solution, Running::Called, known);
        each(outcome);
        self.stopped(outcome)
    }
}

/// The constants that a branch depends on, and the values that decide it.
#[derive(Default)]
struct DependentChoice {
    spec_ids: BTreeSet<u32>,
    /// The decisive values: SpecId, value and the block that is taken.
    decided: BTreeSet<(u32, u64, usize)>,
}

/// Returns the branches that are decided in an outcome.
fn decided_branches<'a>(
    analyses: &'a Analyses,
    outcome: FlowOutcome<'a>,
) -> impl Iterator<Item = TakenBranch> + 'a {
    let functions = analyses.flow().functions().into_iter();
    functions.flat_map(move |at| outcome.decisions(at).map(move |decision| (at, decision)))
}

impl TriedValues {
    /// Tries the values of the constants of a module that the host can set, within a limit on the work.
    fn new(analyses: &Analyses, calls: &FunctionCalls) -> TriedValues {
        tally!("tried values", analyses.module(), &());
        let mut trials = TriedValues::default();
        let (mut choices, values) = trials.find_choices(analyses);
        if choices.is_empty() {
            return trials;
        }
        let work = analyses.flow().size() + analyses.module().words().len();
        let mut left = MAX_WORK / work.max(1);
        let mut before = BTreeSet::new();
        trials.never = calls.stopped_by(analyses, &Assignment::new(), &mut |outcome| {
            before = decided_branches(analyses, outcome).map(|(at, (block, _))| (at, block)).collect();
        });
        trials.alone = values.keys().map(|&spec_id| (spec_id, None)).collect();
        for (&spec_id, values) in &values {
            let mut alone = Vec::with_capacity(values.len());
            for &value in values {
                let Some(rest) = left.checked_sub(1) else { return trials };
                left = rest;
                trials.add(analyses, calls, Assignment::from([(spec_id, value)]), &mut |outcome| {
                    let decided = decided_branches(analyses, outcome);
                    let decided = decided.filter(|(at, (block, _))| !before.contains(&(*at, *block)));
                    alone.push((value, decided.collect()));
                    for (&(at, block), choice) in &mut choices {
                        if let Some((target, _)) = outcome.choice(at, block)
                            && choice.spec_ids.contains(&spec_id)
                        {
                            choice.decided.insert((spec_id, value, target));
                        }
                    }
                });
            }
            trials.alone.insert(spec_id, Some(alone));
        }
        let mut known = BTreeSet::new();
        for choice in choices.values().filter(|choice| choice.spec_ids.len() > 1) {
            for together in trials.together(choice, &values) {
                // Branches with equal conditions have equal values.
                if together.len() > 1 && known.insert(together.clone()) {
                    let Some(rest) = left.checked_sub(1) else { return trials };
                    left = rest;
                    trials.add(analyses, calls, together, &mut |_| {});
                }
            }
        }
        trials
    }

    /// Finds the branches that constants may decide, and the values to try of each constant: its default comes first.
    fn find_choices(
        &mut self,
        analyses: &Analyses,
    ) -> (BTreeMap<BlockIndex, DependentChoice>, IdMap<Vec<u64>>) {
        let (module, declared) = (analyses.module(), analyses.spec_constants_by_id());
        let mut choices: BTreeMap<BlockIndex, DependentChoice> = BTreeMap::new();
        let mut values: IdMap<Vec<u64>> = IdMap::new();
        if declared.is_empty() {
            return (choices, values);
        }
        let mut constants = Constants::defaults(module);
        let mut compared: IdMap<Vec<u64>> = IdMap::new();
        for dependence in analyses.dependences() {
            let spec_ids = constants.inputs(dependence.constant).spec_ids;
            let place = (dependence.function, dependence.block);
            choices.entry(place).or_default().spec_ids.extend(spec_ids);
            let own = declared.iter().find(|constant| constant.id == dependence.constant);
            if let Some(constant) = own {
                compared.entry(constant.spec_id).or_default().extend(&dependence.values);
            }
        }
        for constant in declared {
            let scalar = module.type_of(constant.id).and_then(|type_| Scalar::from_type(module, type_));
            let (Some(scalar), Some(default)) = (scalar, constants.value(constant.id)) else { continue };
            let of_constant = values.entry(constant.spec_id).or_default();
            let others = match scalar {
                Scalar::Bool => vec![1 - default.min(1)],
                _ => compared.get(&constant.spec_id).cloned().unwrap_or_default(),
            };
            for value in std::iter::once(default).chain(others) {
                if of_constant.len() < MAX_VALUES && !of_constant.contains(&value) {
                    of_constant.push(value);
                }
            }
            self.types.insert(constant.spec_id, scalar);
        }
        choices
            .values_mut()
            .for_each(|choice| choice.spec_ids.retain(|spec_id| values.contains_key(spec_id)));
        choices.retain(|_, choice| !choice.spec_ids.is_empty());
        let deciding: BTreeSet<u32> =
            choices.values().flat_map(|choice| choice.spec_ids.iter().copied()).collect();
        values.retain(|spec_id, _| deciding.contains(spec_id));
        (choices, values)
    }

    /// Returns the values that may decide a branch together, if the values of one constant do not.
    fn together(&self, choice: &DependentChoice, values: &IdMap<Vec<u64>>) -> Vec<Assignment> {
        let targets: BTreeSet<usize> = choice.decided.iter().map(|&(_, _, target)| target).collect();
        let mut all = Vec::new();
        for target in targets {
            // What decides for a target alone keeps the branch from any other one: all constants have other values then.
            let decides = |spec_id: u32, value: u64| choice.decided.contains(&(spec_id, value, target));
            let other = |&spec_id: &u32| {
                let values = &values[&spec_id];
                let any_decides = values.iter().any(|&value| decides(spec_id, value));
                let other = values.iter().find(|&&value| !decides(spec_id, value)).filter(|_| any_decides);
                other.map(|&value| (spec_id, value))
            };
            all.push(gather(choice.spec_ids.iter().filter_map(other)));
        }
        let each = |value: &dyn Fn(u32) -> u64| -> Assignment {
            gather(choice.spec_ids.iter().map(|&spec_id| (spec_id, value(spec_id))))
        };
        let default = |spec_id: u32| values[&spec_id][0];
        let or_default = |spec_id: u32, bool: u64| match self.types[&spec_id] {
            Scalar::Bool => bool,
            _ => default(spec_id),
        };
        all.push(each(&default));
        all.push(each(&|spec_id| or_default(spec_id, 0)));
        all.push(each(&|spec_id| or_default(spec_id, 1)));
        all
    }

    /// Tries values, and records the blocks that they stop.
    fn add(
        &mut self,
        analyses: &Analyses,
        calls: &FunctionCalls,
        values: Assignment,
        each: &mut dyn FnMut(FlowOutcome),
    ) {
        let mut stopped = calls.stopped_by(analyses, &values, each);
        stopped.retain(|place| self.never.binary_search(place).is_err());
        if !stopped.is_empty() {
            self.all.push((values, stopped));
        }
    }

    /// Returns values that stop some of these blocks, with the values that are fixed. Each block runs for other values.
    /// The search is greedy: it prefers the values that stop most blocks for each further constant. `is_stopped` is
    /// true for blocks that the fixed values stop.
    fn values_for(
        &self,
        required: &[BlockIndex],
        mut is_stopped: Vec<bool>,
        fixed: &PresetConstants,
    ) -> Assignment {
        let permits =
            |(spec_id, value): (&u32, &u64)| fixed.get(spec_id).is_none_or(|fixed| *fixed == Some(*value));
        let free = self.all.iter().filter(|(values, _)| values.iter().all(permits));
        let places_of = |stopped: &Vec<BlockIndex>| -> Vec<usize> {
            (0..required.len()).filter(|&at| stopped.binary_search(&required[at]).is_ok()).collect()
        };
        let candidates = free.map(|(values, stopped)| (values, places_of(stopped)));
        let candidates: Vec<(&Assignment, Vec<usize>)> =
            candidates.filter(|(_, places)| !places.is_empty()).collect();
        let mut chosen = set_values(fixed);
        while chosen.len() < MAX_CONSTANTS {
            let mut best: Option<(usize, usize, &Assignment, &Vec<usize>)> = None;
            for (values, places) in &candidates {
                let differs =
                    |(spec_id, value): (&u32, &u64)| chosen.get(spec_id).is_some_and(|known| known != value);
                if values.iter().any(differs) {
                    continue;
                }
                let gain = places.iter().filter(|&&at| !is_stopped[at]).count();
                let cost = values.keys().filter(|spec_id| !chosen.contains_key(spec_id)).count().max(1);
                if gain > 0 && best.is_none_or(|(most, least, ..)| gain * least > most * cost) {
                    best = Some((gain, cost, values, places));
                }
            }
            let Some((_, _, values, places)) = best else { break };
            chosen.extend(values.iter());
            places.iter().for_each(|&at| is_stopped[at] = true);
        }
        chosen
    }
}

impl TrapAnalyses {
    fn calls(&self, analyses: &Analyses) -> &FunctionCalls {
        self.calls.get_or_init(|| FunctionCalls::new(analyses))
    }

    fn tried(&self, analyses: &Analyses) -> &TriedValues {
        self.tried.get_or_init(|| TriedValues::new(analyses, self.calls(analyses)))
    }

    /// Returns the tried values of a constant, its default first; none if it decides no branch. Returns `None` if trying all values of the module
    /// takes too much work.
    pub fn values_of(&self, analyses: &Analyses, spec_id: u32) -> Option<&[TriedValue]> {
        self.tried(analyses).alone.get(&spec_id).map_or(Some(&[]), Option::as_deref)
    }

    /// Returns values of constants that are not fixed, with which fewer blocks run that require a missing feature.
    /// Returns none if no code requires one.
    ///
    /// # Errors
    /// If conditional code is malformed, or annotations name an unknown aspect.
    pub fn values_without(
        &self,
        analyses: &Analyses,
        lacked: &LackedFeatures,
        fixed: &PresetConstants,
    ) -> Result<DecidingValues, AnalysisError> {
        if lacked.is_empty() || analyses.spec_constants_by_id().is_empty() {
            return Ok(DecidingValues::default());
        }
        let calls = self.calls(analyses);
        let mut required = calls.required(analyses, &self.code, lacked)?;
        if required.is_empty() || calls.always_run_any(&required) {
            return Ok(DecidingValues::default());
        }
        let tried = self.tried(analyses);
        required.retain(|place| tried.never.binary_search(place).is_err());
        let are_stopped = |values: &Assignment| -> Vec<bool> {
            let stopped = calls.stopped_by(analyses, values, &mut |_| {});
            required.iter().map(|place| stopped.binary_search(place).is_ok()).collect()
        };
        let count_stopped =
            |values: &Assignment| are_stopped(values).into_iter().filter(|&is_stopped| is_stopped).count();
        let mut chosen = tried.values_for(&required, are_stopped(&set_values(fixed)), fixed);
        let most = count_stopped(&chosen);
        let is_free = |spec_id: &u32| !fixed.contains_key(spec_id);
        for spec_id in chosen.keys().copied().filter(is_free).collect::<Vec<_>>() {
            let mut fewer = chosen.clone();
            fewer.remove(&spec_id);
            if count_stopped(&fewer) == most {
                chosen = fewer;
            }
        }
        let value = |(spec_id, bits): (u32, u64)| (spec_id, SpecValue::new(tried.types[&spec_id], bits));
        Ok(DecidingValues {
            values: chosen.into_iter().filter(|(spec_id, _)| is_free(spec_id)).map(value).collect(),
            is_complete: most == required.len(),
        })
    }
}

impl FunctionCalls {
    /// Returns the blocks that require a missing feature, in order. If the type of a function requires one, its first
    /// block is among them.
    fn required(
        &self,
        analyses: &Analyses,
        code: &CodeRequirements,
        lacked: &LackedFeatures,
    ) -> Result<Vec<BlockIndex>, AnalysisError> {
        let features = RequiredFeatures::new(analyses, code, lacked)?;
        let mut required = Vec::new();
        for (at, function) in analyses.module().functions().iter().enumerate() {
            let blocks = &self.blocks[at];
            if blocks.len() == 0 {
                continue;
            }
            if !features.of_signature(function).is_empty() {
                required.push((at, 0));
            }
            let of_blocks = features.of_function(at, blocks).map(|found| found.blocks).unwrap_or_default();
            let requiring = of_blocks.iter().enumerate().filter(|(_, set)| !set.is_empty());
            required.extend(requiring.map(|(block, _)| (at, block)));
        }
        required.dedup();
        Ok(required)
    }
}
