//! Variants with conditional code, and the plain modules that they represent.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use spirv::Op;

use super::super::resolve::written;
use super::super::{PipelineError, has_conditional_calls, pack_with, specialize_as_is};
use super::merge_listed;
use crate::analysis::conditions::device_constants::{
    condition_of_architecture, condition_of_capabilities, condition_of_constant, condition_of_target,
    on_device,
};
use crate::analysis::constants::{KnownValues, SetValues};
use crate::analysis::{Analyses, DeviceRequirement, WorkGroupSize};
use crate::collections::{IdMap, gather};
use crate::condition::{ConditionError, ConditionId, Conditions, Expr, Leaf, Truth, evaluate};
use crate::device::{DeviceConfig, aspects};
use crate::loader::Module;
use crate::metadata::property_sets::{
    DeviceRequirements, PropertyError, PropertyNames, PropertySets, SpecialConstants, Variants,
};
use crate::pipelines::variants::as_variant;
use crate::transform::condition_constants::Dialect;
use crate::transform::definitions::is_multi_target;
use crate::transform::merge::{MergeError, MergeInput, MergedModule};
use crate::transform::pack::PackOptions;
use crate::transform::specialize::{SpecializeOptions, SpecializeOutcome, SpecializeResult, UnsetPolicy};

/// The maximum number of plain modules that a variant with conditional code may represent.
const MAX_CASES: usize = 64;

/// A variant to merge, with its property sets.
#[derive(Clone, Copy, Debug)]
pub struct VariantInput<'m> {
    /// The variant's name in messages, such as its path.
    pub name: &'m str,
    /// The module.
    pub module: &'m Module<'m>,
    /// The variant's property sets.
    pub properties: &'m PropertySets,
    /// The condition under which the variant is chosen if no earlier variant is; `None` for all remaining devices.
    pub condition: Option<&'m Expr>,
}

/// Merges variants with or without conditional code. Also returns the property sets inside the result.
///
/// A variant with conditional code represents the plain modules that it specializes to, each under its conditions.
///
/// # Errors
/// See [`PipelineError`].
pub fn merge_conditional(
    inputs: &[VariantInput],
    dialect: Dialect,
    devices: Option<&DeviceConfig>,
    names: PropertyNames,
) -> Result<(MergedModule, PropertySets), PipelineError> {
    let cases: Vec<Vec<PlainCase>> =
        inputs.iter().map(|input| cases(input, false)).collect::<Result<_, _>>()?;
    let listed: Vec<Option<DeviceRequirements>> =
        inputs.iter().map(|input| requirements(input.properties)).collect::<Result<_, _>>()?;
    // By plain module: the number of its variant, and its condition.
    let mut plain: Vec<(usize, &Module, Option<Expr>)> = Vec::new();
    // Where a variant is chosen that is not for the device after all.
    let mut refused: Option<Expr> = None;
    for (at, (input, cases)) in inputs.iter().zip(&cases).enumerate() {
        let whole = listed[at].as_ref().map(whole).transpose()?.flatten();
        let others = refused.clone().map(not);
        for case in cases {
            let parts = [input.condition.cloned(), case.condition.clone(), whole.clone(), others.clone()];
            let condition = parts.into_iter().flatten().reduce(and);
            plain.push((at, case.module.as_ref().unwrap_or(input.module), condition));
        }
        if let Some(whole) = whole {
            let refusal = [input.condition.cloned(), Some(not(whole))].into_iter().flatten().reduce(and);
            refused = [refused, refusal].into_iter().flatten().reduce(or);
        }
    }
    let plain_inputs: Vec<MergeInput> = plain
        .iter()
        .map(|(at, module, condition)| MergeInput {
            name: inputs[*at].name,
            module,
            condition: condition.as_ref(),
        })
        .collect();
    let plain_requirements: Vec<Option<&DeviceRequirements>> =
        plain.iter().map(|(at, ..)| listed[*at].as_ref()).collect();
    let (mut merged, sets) = merge_listed(&plain_inputs, &plain_requirements, dialect, devices, names)?;
    let chosen: BTreeSet<usize> = merged.variants.iter().map(|variant| plain[variant.input].0).collect();
    merged.variants.iter_mut().for_each(|variant| variant.input = plain[variant.input].0);
    merged.never_chosen = (0..inputs.len()).filter(|at| !chosen.contains(at)).collect();
    Ok((merged, sets))
}

/// A plain module that a variant represents.
pub(super) struct PlainCase {
    /// The module; `None` for the variant itself.
    pub module: Option<Module<'static>>,
    /// The condition under which the variant specializes to this module; `None` for always.
    pub condition: Option<Expr>,
}

/// Returns the plain modules that a variant represents: itself, or the results of specializing it. `without_copies` is true if packing has just copied the results of calls.
pub(super) fn cases(input: &VariantInput, without_copies: bool) -> Result<Vec<PlainCase>, PipelineError> {
    let analyses = Analyses::new(input.module, Cow::default());
    if has_conditional_calls(&analyses)? {
        // No annotations bind constants, so that no function is cloned.
        let (packed, properties) = pack_with(&analyses, input.properties, &PackOptions::default())?;
        let module = Module::from_words(packed.words)?;
        return cases_of_packed(input.name, &module, &properties, without_copies);
    }
    let special = SpecialConstants::from_properties(input.properties)?;
    let has = |spec_id: u32| input.module.spec_ids().any(|decl| decl.spec_id() == spec_id);
    if is_multi_target(input.module) || special.leaves().any(|(spec_id, _)| has(spec_id)) {
        return cases_of_packed(input.name, input.module, input.properties, without_copies);
    }
    Ok(vec![PlainCase { module: None, condition: None }])
}

/// Returns the results of specializing a packed module. Leaves are decided one by one until no code depends on a leaf.
fn cases_of_packed(
    name: &str,
    module: &Module,
    properties: &PropertySets,
    without_copies: bool,
) -> Result<Vec<PlainCase>, PipelineError> {
    let analyses = Analyses::new(module, Cow::default());
    let special: IdMap<Leaf> = SpecialConstants::from_properties(properties)?.leaves().collect();
    let variants = Variants::from_properties(properties)?;
    let has = |&&spec_id: &&u32| module.spec_ids().any(|decl| decl.spec_id() == spec_id);
    let mut leaves: BTreeSet<Leaf> = gather(special.keys().filter(has).map(|spec_id| special[spec_id]));
    for &offset in &analyses.multi_target()?.device_constants {
        let meaning = condition_of_constant(module.instruction(offset)).map(on_device);
        leaves.extend(meaning.into_iter().flat_map(|meaning| meaning.leaves()));
    }
    let mut conditions = Conditions::new();
    let mut modules: Vec<(Vec<u32>, ConditionId)> = Vec::new();
    let mut open = vec![DecidedLeaves { special: &special, known: BTreeMap::new() }];
    while let Some(decided) = open.pop() {
        if modules.len() + open.len() >= MAX_CASES {
            return Err(MergeError::Cases { file: name.to_owned(), max: MAX_CASES }.into());
        }
        // What nothing uses in one case stays in the layout that the host has made for all.
        let options = SpecializeOptions {
            keep_interface: true,
            without_copies: without_copies || variants.is_some(),
            ..UnsetPolicy::Keep.into()
        };
        let specialized = specialize_as_is(&analyses, properties, &decided, SetValues::default(), options);
        let next = match &specialized {
            Ok(specialized) => next_leaf(name, module, &specialized.report, &decided)?,
            // Of a condition on an open leaf, not all that follows from the others is seen.
            Err(_) => leaves.iter().copied().find(|&leaf| decided.truth(leaf).is_none()),
        };
        if let Some(leaf) = next {
            for value in [false, true] {
                let mut known = decided.known.clone();
                known.insert(leaf, value);
                open.push(DecidedLeaves { special: &special, known });
            }
            continue;
        }
        let SpecializeResult { edits, report } = specialized?;
        let mut words = written(module, &edits, &report)?;
        if let Some(variants) = &variants {
            words = as_variant(module, words, variants, &|leaf| decided.truth(leaf))?;
        }
        let mut when = ConditionId::TRUE;
        for (&leaf, &value) in &decided.known {
            let leaf_value = conditions.leaf(leaf)?;
            let leaf_value = if value { leaf_value } else { conditions.not(leaf_value)? };
            when = conditions.and(when, leaf_value)?;
        }
        let words = words.into_owned();
        match modules.iter_mut().find(|(case_words, _)| *case_words == words) {
            Some((_, condition)) => *condition = conditions.or(*condition, when)?,
            None => modules.push((words, when)),
        }
    }
    let mut cases = Vec::new();
    for (words, condition) in modules {
        let condition = match condition.is_true() {
            true => None,
            false => Some(conditions.expr_of(condition)?),
        };
        cases.push(PlainCase { module: Some(Module::from_words(words)?), condition });
    }
    Ok(cases)
}

/// Decided leaves, and the constants that represent leaves.
struct DecidedLeaves<'s> {
    special: &'s IdMap<Leaf>,
    known: BTreeMap<Leaf, bool>,
}

impl DecidedLeaves<'_> {
    fn truth(&self, leaf: Leaf) -> Option<bool> {
        let is_other = |(other, value): (&Leaf, &bool)| *value && matches!(other, Leaf::Architecture(_));
        let is_of_another = || matches!(leaf, Leaf::Architecture(_)) && self.known.iter().any(is_other);
        self.known.get(&leaf).copied().or_else(|| is_of_another().then_some(false))
    }

    fn value(&self, expr: &Expr) -> Option<bool> {
        match evaluate(expr, &|leaf| self.truth(leaf)) {
            Ok(Truth::True) => Some(true),
            Ok(Truth::False) => Some(false),
            _ => None,
        }
    }
}

impl KnownValues for DecidedLeaves<'_> {
    fn spec_constant(&self, spec_id: u32) -> Option<u64> {
        self.truth(*self.special.get(&spec_id)?).map(u64::from)
    }

    fn target(&self, target: u32, features: &[u32]) -> Option<bool> {
        self.value(&condition_of_target(target, features)?)
    }

    fn architecture(&self, category: u32, family: u32, opcode: u32, architecture: u32) -> Option<bool> {
        self.value(&condition_of_architecture(category, family, Op::from_u32(opcode)?, architecture)?)
    }

    fn capabilities(&self, capabilities: &[u32]) -> Option<bool> {
        self.value(&on_device(condition_of_capabilities(capabilities)?))
    }
}

/// Returns an undecided leaf that something in a module depends on; `None` if all are decided.
///
/// # Errors
/// If something depends on more than leaves.
fn next_leaf(
    name: &str,
    module: &Module,
    report: &SpecializeOutcome,
    decided: &DecidedLeaves,
) -> Result<Option<Leaf>, MergeError> {
    let is_open = |leaf: &Leaf| decided.truth(*leaf).is_none();
    if let Some(part) = report.undecided.first() {
        for spec_id in &part.unknown.spec_ids {
            if let Some(leaf) = decided.special.get(spec_id).filter(|leaf| is_open(leaf)) {
                return Ok(Some(*leaf));
            }
        }
        for &id in &part.unknown.device_constants {
            let meaning = module.definition(id).and_then(condition_of_constant).map(on_device);
            if let Some(leaf) = meaning.and_then(|meaning| meaning.leaves().into_iter().find(is_open)) {
                return Ok(Some(leaf));
            }
        }
        return Err(MergeError::Opaque { file: name.to_owned(), part: part.describe(module) });
    }
    let is_left = |&(spec_id, leaf): &(&u32, &Leaf)| report.open.contains(spec_id) && is_open(leaf);
    Ok(decided.special.iter().find(is_left).map(|(_, &leaf)| leaf))
}

/// Returns the requirements in property sets, if they have any.
pub(super) fn requirements(properties: &PropertySets) -> Result<Option<DeviceRequirements>, PropertyError> {
    DeviceRequirements::from_properties(properties)
}

/// Returns the device condition of a whole variant from its requirements: its own condition, and its fixed targets.
fn whole(requirements: &DeviceRequirements) -> Result<Option<Expr>, ConditionError> {
    let condition = requirements.condition.as_ref().map(|series| Expr::from_series(series)).transpose()?;
    let targets = requirements.fixed_targets.as_ref().map(|targets| {
        let leaf =
            |&target: &u32| aspects::architecture_of(target).map_or(Leaf::Aspect(target), Leaf::Architecture);
        targets.iter().map(|target| leaf(target).into()).reduce(or).unwrap_or(Expr::False)
    });
    Ok([condition, targets].into_iter().flatten().reduce(and))
}

/// Returns the requirements that the properties of a variant list, with their conditions.
pub(super) fn listed_requirements(
    listed: &DeviceRequirements,
    conditions: &mut Conditions,
) -> Result<Vec<(DeviceRequirement, ConditionId)>, PipelineError> {
    let mut all = Vec::new();
    let mut add = |aspects: &[u32], sub_groups: &[u32], work_groups: &[Vec<u32>], when| {
        all.extend(aspects.iter().map(|&aspect| (DeviceRequirement::Aspect(aspect), when)));
        all.extend(sub_groups.iter().map(|&size| (DeviceRequirement::SubGroupSize(size), when)));
        for size in work_groups {
            all.push((DeviceRequirement::WorkGroupSize(WorkGroupSize::from_listed(size)), when));
        }
    };
    add(&listed.aspects, &listed.sub_group_sizes, &listed.work_group_sizes, ConditionId::TRUE);
    for requirement in &listed.conditional {
        let when = conditions.of_expr(&Expr::from_series(&requirement.condition)?)?;
        add(&requirement.aspects, &requirement.sub_group_sizes, &requirement.work_group_sizes, when);
    }
    Ok(all)
}

fn and(left: Expr, right: Expr) -> Expr {
    Expr::And(Box::new(left), Box::new(right))
}

fn or(left: Expr, right: Expr) -> Expr {
    Expr::Or(Box::new(left), Box::new(right))
}

fn not(operand: Expr) -> Expr {
    Expr::Not(Box::new(operand))
}
