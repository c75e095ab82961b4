//! A module for one device, from a compiler's module or a packed one.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use thiserror::Error;

use super::error::kinds_of_errors;
use super::pack::decide_calls;
use super::predicates::pruned;
use super::{ModuleBuffer, PipelineError, RequestErrorKind};
use crate::analysis::constants::SpecValue;
use crate::analysis::constants::folding::Scalar;
use crate::analysis::{Analyses, AnalysisError, Annotated, Exports};
use crate::collections::OrderedMap;
use crate::compatibility::{CommonValues, DeviceValues, common_values};
use crate::condition::{Expr, Leaf, Name, Truth, evaluate};
use crate::device::{Capability, Device};
use crate::loader::Module;
use crate::metadata::property_sets::{
    DeviceRequirements, PropertyError, PropertySets, SPECIAL_CONSTANTS, SpecialConstants, Variants, carried,
};
use crate::transform::cloning::CloneLimit;
use crate::transform::specialize::{
    ConstantKey, ConstantSetting, KeyedSetting, KnownValues, SetValues, SpecializeError, SpecializeOptions,
    SpecializeOutcome, SpecializeResult, UnsetPolicy, refuse_ambiguous_decision, specialize,
};
use crate::transform::trim::trim;
use crate::transform::{Edits, carry};
use crate::writer::{apply, apply_as_runs};

/// A module for one device.
#[derive(Clone, Debug)]
pub struct AotResult<'m> {
    /// The module's words.
    pub words: ModuleBuffer<'m>,
    /// The report of specializing it.
    pub report: Arc<SpecializeOutcome>,
    /// The conditional calls, if the module was a compiler's. Calls that the device leaves open stay conditional.
    pub calls: Option<Box<ConditionalCallsOnDevice>>,
    /// The property sets beside the result, if something is conditional.
    pub properties: Option<PropertySets>,
}

/// The conditional calls of a compiler's module on a device.
#[derive(Clone, Debug)]
pub struct ConditionalCallsOnDevice {
    /// The conditions of the calls, simplified for the device.
    pub conditions: Vec<Expr>,
    /// The specialization constants of leaves that the device leaves open: SpecId and leaf.
    pub leaves: Vec<(u32, Leaf)>,
    /// The requirements of the result on a device.
    pub requirements: DeviceRequirements,
    /// The removed declarations and functions, in words.
    pub removed: Vec<String>,
}

impl ConditionalCallsOnDevice {
    /// Returns the conditional calls of a compiler's module as they are; `None` if it has none.
    ///
    /// # Errors
    /// If the conditional calls cannot be understood.
    pub fn all(analyses: &Analyses) -> Result<Option<ConditionalCallsOnDevice>, AnalysisError> {
        let calls = &analyses.calls_without_regions()?.calls;
        Ok((!calls.is_empty()).then(|| ConditionalCallsOnDevice {
            conditions: calls.iter().map(|call| call.condition.clone()).collect(),
            leaves: Vec::new(),
            requirements: DeviceRequirements::default(),
            removed: Vec::new(),
        }))
    }
}

/// A compiler's module whose conditional calls were decided on a device.
#[derive(Clone, Debug)]
pub struct DecidedCalls {
    /// The module's words.
    pub words: Vec<u32>,
    /// The calls.
    pub calls: ConditionalCallsOnDevice,
    /// The property sets beside it, if something is conditional.
    pub properties: Option<PropertySets>,
}

/// Resolves a module for a device. A packed module is specialized like by [`specialize`](fn@specialize). For a compiler's module, the
/// conditional calls are decided ahead of time (docs/design/device-if.md, "Alternate design for AOT targets"). For `known` and `set`, see
/// [`specialize`](fn@specialize). Calls that the device leaves open are packed, with at most `max_clones` of one function.
///
/// # Errors
/// See [`PipelineError`].
pub fn resolve<'m>(
    analyses: &Analyses<'m>,
    properties: &PropertySets,
    device: &Device,
    known: &dyn KnownValues,
    set: impl Into<SetValues>,
    options: SpecializeOptions,
    max_clones: CloneLimit,
) -> Result<AotResult<'m>, PipelineError> {
    let (module, annotated) = (analyses.module(), analyses.annotated());
    let SpecializeResult { edits, report } = specialize_as_is(analyses, properties, known, set, options)?;
    let conditional = !report.multi_target && has_conditional_calls(analyses)?;
    if report.multi_target || !conditional && annotated.spec_constants.is_empty() {
        let words = pruned(analyses, written(module, &edits, &report)?)?;
        return Ok(AotResult { words, report: report.into(), calls: None, properties: None });
    }
    let decided = |analyses: &Analyses, report: SpecializeOutcome| {
        let mut decided = decide_calls(analyses, device, max_clones)?;
        if options.unset == UnsetPolicy::Default && !decided.calls.leaves.is_empty() {
            decided = with_defaults(decided, device, options)?;
        }
        let DecidedCalls { words, calls, properties } = decided;
        let words = words.into();
        Ok(AotResult { words, report: report.into(), calls: Some(Box::new(calls)), properties })
    };
    let keep_interface = options.keep_interface;
    if edits.is_empty() && conditional {
        return match keep_interface {
            true => decided(&analyses.keeping_interface(), report),
            false => decided(analyses, report),
        };
    }
    let module = Module::from_words(pruned(analyses, apply(module, &edits)?.into())?.into_owned())?;
    if !conditional {
        // Branches were decided, and declarations that only the others required are still there.
        let words = apply(&module, &trim(&module).edits)?;
        return Ok(AotResult { words: words.into(), report: report.into(), calls: None, properties: None });
    }
    let with_branches_decided = Analyses::new(&module, Cow::Borrowed(annotated));
    let exports = Exports { keep_interface, ..analyses.exports_when_decided() };
    decided(&with_branches_decided.with_exports(exports), report)
}

/// Decides the calls that a device leaves open: the constants of the packed module take their defaults, which are false.
fn with_defaults(
    decided: DecidedCalls,
    device: &Device,
    options: SpecializeOptions,
) -> Result<DecidedCalls, PipelineError> {
    let DecidedCalls { words, mut calls, properties } = decided;
    let module = Module::from_words(words)?;
    let analyses = Analyses::new(&module, Cow::Owned(Annotated::default()));
    let properties = properties.unwrap_or_default();
    let known = DeviceValues::new(device, &properties)?;
    let set = SetValues::default();
    let options = SpecializeOptions { solution: None, ..options };
    let SpecializeResult { edits, report } = specialize_as_is(&analyses, &properties, &known, set, options)?;
    let words = pruned(&analyses, written(&module, &edits, &report)?)?.into_owned();
    let truth = |leaf: Leaf| device.truth(leaf).or(Some(false));
    for condition in &mut calls.conditions {
        let holds = evaluate(condition, &truth)? == Truth::True;
        *condition = if holds { Expr::True } else { Expr::False };
    }
    let mut required = Vec::new();
    for conditional in std::mem::take(&mut calls.requirements.conditional) {
        if evaluate(&Expr::from_series(&conditional.condition)?, &truth)? == Truth::True {
            required.push(conditional);
        }
    }
    calls.requirements.conditional = required;
    calls.leaves.clear();
    Ok(DecidedCalls { words, calls, properties: None })
}

/// Decides constants that have the same value on all of some devices: bound constants, and the constants in conditions of a packed module.
/// Conditional calls are left to packing. Returns `None` if nothing is decided.
///
/// # Errors
/// See [`PipelineError`].
pub fn decide_for_all(
    analyses: &Analyses,
    properties: &PropertySets,
    devices: &[Device],
) -> Result<Option<Module<'static>>, PipelineError> {
    let known = CommonValues::new(devices, properties)?;
    let set = common_values(devices, &analyses.annotated().spec_constants)?;
    let set: Vec<(u32, u64)> = set.into_iter().map(|(spec_id, value)| (spec_id, value.into())).collect();
    let options = UnsetPolicy::Keep.into();
    let SpecializeResult { edits, report } = specialize_as_is(analyses, properties, &known, &set, options)?;
    if edits.is_empty() {
        return Ok(None);
    }
    let module = Module::from_words(written(analyses.module(), &edits, &report)?.into_owned())?;
    if report.multi_target || has_conditional_calls(analyses)? {
        return Ok(Some(module));
    }
    // Branches were decided, and declarations that only the others required are still there.
    Ok(Some(Module::from_words(apply(&module, &trim(&module).edits)?)?))
}

/// Specializes a module without packing it. Properties inside the module are removed, except the ones that still apply to its conditional
/// parts.
///
/// # Errors
/// See [`PipelineError`].
pub fn specialize_as_is(
    analyses: &Analyses,
    properties: &PropertySets,
    known: &dyn KnownValues,
    set: impl Into<SetValues>,
    options: SpecializeOptions,
) -> Result<SpecializeResult, PipelineError> {
    let mut specialized = specialize(analyses, known, set, options)?;
    let module = analyses.module();
    if carried::strings(module).next().is_some() {
        let remaining = remaining_properties(properties, &specialized.report)?;
        carry(module, remaining.as_ref(), &mut specialized.edits)?;
    }
    Ok(specialized)
}

/// Returns the edited module, without the capabilities whose extensions the edits remove.
///
/// # Errors
/// If such a capability is required. See also [`apply`].
pub fn written<'m>(
    module: &'m Module,
    edits: &Edits,
    report: &SpecializeOutcome,
) -> Result<ModuleBuffer<'m>, PipelineError> {
    if edits.is_empty() && report.stranded.is_empty() {
        return Ok(module.words().into());
    }
    if report.stranded.is_empty() {
        return Ok(ModuleBuffer::Runs(apply_as_runs(module, edits)?, module.words()));
    }
    let module = Module::from_words(apply(module, edits)?)?;
    let superfluous = trim(&module).capabilities;
    let required = |&&(number, _): &&(u32, String)| !superfluous.contains(&number);
    if let Some((number, extension)) = report.stranded.iter().find(required) {
        let capability = Capability(*number).to_string();
        return Err(SpecializeError::Stranded { capability, extension: extension.clone() }.into());
    }
    let mut edits = Edits::new(&module);
    let is_stranded = |number: u32| report.stranded.iter().any(|&(stranded, _)| stranded == number);
    let declared = module.capabilities().filter(|declared| is_stranded(declared.capability()));
    declared.for_each(|declared| edits.drop(&declared));
    Ok(apply(&module, &edits)?.into())
}

/// Returns the properties of a module that still hold after it is specialized, or `None` if nothing in it is conditional any more.
fn remaining_properties(
    properties: &PropertySets,
    report: &SpecializeOutcome,
) -> Result<Option<PropertySets>, PropertyError> {
    if report.undecided.is_empty() && report.open.is_empty() {
        return Ok(None);
    }
    let mut constants = properties.get(SPECIAL_CONSTANTS).map(SpecialConstants::from_set).transpose()?;
    if let Some(constants) = &mut constants {
        constants.retain(|spec_id| report.open.contains(&spec_id));
    }
    let has_constants = constants.as_ref().is_some_and(|constants| *constants != SpecialConstants::default());
    if report.undecided.is_empty() && !has_constants {
        return Ok(None);
    }
    let mut sets = properties.clone();
    if let Some(constants) = constants {
        sets.put(constants.to_set());
    }
    Ok(Some(sets))
}

/// Returns the leaves that the result of `resolve` depends on, from all conditions. Devices with the same values for them get the same
/// code. Returns `None` if a module has device constants, which depend on more.
///
/// # Errors
/// If the conditions or the properties cannot be understood.
pub fn relevant_leaves(
    analyses: &Analyses,
    properties: &PropertySets,
) -> Result<Option<BTreeSet<Leaf>>, PipelineError> {
    if !analyses.multi_target()?.device_constants.is_empty() {
        return Ok(None);
    }
    leaves_of_conditions(analyses, properties).map(Some)
}

/// Returns the leaves of all conditions except device constants.
pub(super) fn leaves_of_conditions(
    analyses: &Analyses,
    properties: &PropertySets,
) -> Result<BTreeSet<Leaf>, PipelineError> {
    let (multi_target, annotated) = (analyses.multi_target()?, analyses.annotated());
    let mut leaves = BTreeSet::new();
    for expr in annotated.when.values().chain(annotated.spec_constants.values()) {
        leaves.extend(expr.leaves());
    }
    if let Some(set) = properties.get(SPECIAL_CONSTANTS) {
        leaves.extend(SpecialConstants::from_set(set)?.leaves().map(|(_, leaf)| leaf));
    }
    for variant in Variants::from_properties(properties)?.unwrap_or_default().all {
        let condition = variant.condition.as_deref().map(Expr::from_series).transpose()?;
        leaves.extend(condition.iter().flat_map(Expr::leaves));
    }
    if multi_target.is_empty() {
        leaves
            .extend(analyses.calls_without_regions()?.calls.iter().flat_map(|call| call.condition.leaves()));
    }
    Ok(leaves)
}

/// Returns the leaves of the conditions of requirements.
pub(super) fn leaves_of_requirements(properties: &PropertySets) -> Result<BTreeSet<Leaf>, PipelineError> {
    let requirements = DeviceRequirements::from_properties(properties)?.unwrap_or_default();
    let conditional = requirements.conditional.iter().map(|listed| &listed.condition);
    let mut leaves = BTreeSet::new();
    for condition in requirements.condition.iter().chain(conditional) {
        leaves.extend(Expr::from_series(condition)?.leaves());
    }
    Ok(leaves)
}

/// The value of a host's decision is not a Boolean.
#[derive(Debug, Error)]
#[error("host({name}) is `true` or `false`, and not `{value}`")]
struct HostValueError {
    name: Name,
    value: SpecValue,
}

kinds_of_errors! {
    HostValueError => request(RequestErrorKind::Value),
}

/// Settings of a module's constants, separated from the decisions of the host.
#[derive(Clone, Debug, Default)]
pub struct HostDecisions {
    /// The decisions, by name.
    pub decisions: OrderedMap<Name, bool>,
    /// The settings of ordinary constants, and one setting for each constant that represents a decision.
    pub settings: Vec<KeyedSetting>,
}

impl HostDecisions {
    /// Finds the decisions of the host among settings, by name or by a constant that represents one. Returns `None` if no setting is a
    /// decision.
    ///
    /// # Errors
    /// If a decision is neither true nor false, a constant has the same name, or the conditions or the properties cannot be understood.
    pub fn find(
        analyses: &Analyses,
        properties: &PropertySets,
        settings: &[KeyedSetting],
    ) -> Result<Option<HostDecisions>, PipelineError> {
        if settings.is_empty() {
            return Ok(None);
        }
        let host = |leaf: Leaf| if let Leaf::Host(name) = leaf { Some(name) } else { None };
        let special = SpecialConstants::from_properties(properties)?;
        let constants: Vec<(u32, Name)> =
            special.leaves().filter_map(|(spec_id, leaf)| Some((spec_id, host(leaf)?))).collect();
        let mut names: BTreeSet<Name> = BTreeSet::new();
        names.extend(constants.iter().map(|&(_, name)| name));
        if settings.iter().any(|setting| matches!(setting.constant, ConstantKey::Name(_))) {
            names.extend(leaves_of_conditions(analyses, properties)?.into_iter().filter_map(host));
            names.extend(leaves_of_requirements(properties)?.into_iter().filter_map(host));
        }
        let name = |setting: &KeyedSetting| match &setting.constant {
            ConstantKey::SpecId(key) => {
                constants.iter().find(|(spec_id, _)| spec_id == key).map(|&(_, name)| name)
            }
            ConstantKey::Name(text) => host_name(text).filter(|name| names.contains(name)),
        };
        if !settings.iter().any(|setting| name(setting).is_some()) {
            return Ok(None);
        }
        let mut host_decisions = HostDecisions::default();
        for setting in settings {
            let Some(name) = name(setting) else {
                host_decisions.settings.push(setting.clone());
                continue;
            };
            if let ConstantKey::Name(text) = &setting.constant
                && *text == name.as_str()
            {
                let bound = analyses.annotated().spec_constants.iter();
                let bound = bound.filter(|(_, value)| **value == Expr::Leaf(Leaf::Host(name)));
                let special = constants.iter().map(|&(spec_id, _)| spec_id);
                let special: Vec<u32> = special.chain(bound.map(|(&spec_id, _)| spec_id)).collect();
                refuse_ambiguous_decision(analyses, text, &special)?;
            }
            let mut treatment = setting.treatment.clone();
            if let ConstantSetting::Set(value) = treatment {
                let decision = value.bits(Scalar::Bool).map(|bits| bits != 0);
                let decision = decision.ok_or(HostValueError { name, value })?;
                host_decisions.decisions.insert(name, decision);
                // A constant that represents a decision is a Boolean, or an integer that counts as 0 or 1. Both have this value.
                treatment = ConstantSetting::Set(SpecValue::U8(decision.into()));
            }
            let mut bound = constants.iter().filter(|(_, bound)| *bound == name).peekable();
            if bound.peek().is_none() && !matches!(treatment, ConstantSetting::Set(_)) {
                host_decisions.settings.push(setting.clone());
            }
            host_decisions.settings.extend(bound.map(|&(spec_id, _)| KeyedSetting {
                constant: ConstantKey::SpecId(spec_id),
                treatment: treatment.clone(),
            }));
        }
        Ok(Some(host_decisions))
    }

    /// Returns a device with the decisions.
    pub fn apply_to(&self, device: &Device) -> Device {
        let mut device = device.clone();
        device.host.extend(self.decisions.iter().map(|(&name, &decision)| (Leaf::Host(name), decision)));
        device
    }
}

/// Adds the settings that may be decisions of the host to a device: names with a Boolean. Other names are harmless: no condition reads
/// them.
pub fn on_host(device: &Device, settings: &[KeyedSetting]) -> Device {
    let mut device = device.clone();
    for setting in settings {
        let ConstantKey::Name(text) = &setting.constant else { continue };
        let value = match &setting.treatment {
            ConstantSetting::Set(value) => value.bits(Scalar::Bool),
            _ => None,
        };
        device.host.extend(host_name(text).map(Leaf::Host).zip(value.map(|value| value != 0)));
    }
    device
}

/// Returns the name in `host(NAME)`, or alone.
pub fn host_name(text: &str) -> Option<Name> {
    Name::new(text.strip_prefix("host(").and_then(|rest| rest.strip_suffix(')')).unwrap_or(text))
}

/// Returns true if a compiler's module has conditional calls.
///
/// # Errors
/// If the conditional calls cannot be understood.
pub fn has_conditional_calls(analyses: &Analyses) -> Result<bool, AnalysisError> {
    Ok(!analyses.annotated().when.is_empty() || !analyses.calls_without_regions()?.calls.is_empty())
}
