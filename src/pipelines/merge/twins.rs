//! Packed modules with lowered twins: devices that lack a feature get code that does without it.
//!
//! A module is packed as it is first, so that its own fallbacks win. Each plain module that it then represents is lowered for each set of features that a
//! device may lack, and all of these are merged: a device gets the first one for it, and equal parts exist once. A set that cannot
//! be lowered alone, such as 64-bit integers beside doubles that stay, is lowered with all others.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use super::cases::{PlainCase, VariantInput, cases, requirements};
use super::{PipelineError, merge_listed};
use crate::analysis::Analyses;
use crate::analysis::conditions::multi_target::declares_extension;
use crate::analysis::requirements::{closure, is_of_kernels};
use crate::collections::{OrderedMap, gather, sort_by_key};
use crate::condition::{ConditionId, Conditions, Expr, Leaf};
use crate::device::capabilities;
use crate::device::implications::Implications;
use crate::loader::Module;
use crate::metadata::property_sets::{DeviceRequirements, PropertySets};
use crate::pipelines::RequestErrorKind;
use crate::pipelines::error::kinds_of_errors;
use crate::pipelines::lower::{annotated_features, aspects_of, lowered};
use crate::pipelines::pack::{PackedModule, pack_with};
use crate::pipelines::resolve::leaves_of_conditions;
use crate::transform::definitions::is_multi_target;
use crate::transform::lower::{
    FeaturesToLower, LowerError, LowerableFeature, LoweredFeature, lowerable_features,
};
use crate::transform::merge::{MergeError, MergeInput, MergedModule};
use crate::transform::pack::{PackOptions, PackWarning, Summary};
use crate::transform::{Edits, carry};
use crate::writer::apply_in_place;

/// The maximum number of modules that are lowered, and of those that the result has.
const MAX_MODULES: usize = 64;

kinds_of_errors! {
    TooManyTwins => request(RequestErrorKind::Options),
    TooManyCases => request(RequestErrorKind::Options),
}

/// Limit on the modules for devices that lack features.
#[derive(Debug, Error)]
#[error(
    "the result would have more than {MAX_MODULES} modules, for devices that lack some of {}: list fewer features to lower",
    features.join(", ")
)]
struct TooManyTwins {
    features: Vec<&'static str>,
}

/// Limit on what conditions of the source make of a module, before code is lowered.
#[derive(Debug, Error)]
#[error(
    "the conditions in the module stand for more than {MAX_MODULES} plain modules, which cannot all have twins: pack it without lowering, and lower when \
     it is specialized for a device"
)]
struct TooManyCases;

/// A module in a packed one for devices that lack features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TwinModule {
    /// The condition under which a device gets it, in canonical form.
    pub condition: Expr,
    /// The features that were lowered.
    pub lowered: Vec<LoweredFeature>,
}

/// Packs a module with lowered twins, if the options or the annotations list features. Also returns its property sets, which the module
/// contains too.
///
/// # Errors
/// If the module cannot be packed, or a listed feature cannot be lowered. See also [`pack_with`].
pub fn pack_lowered(
    analyses: &Analyses,
    properties: &PropertySets,
    options: &PackOptions,
) -> Result<(PackedModule, PropertySets, Vec<TwinModule>), PipelineError> {
    let (mut packed, mut sets) = pack_with(analyses, properties, options)?;
    let listed = annotated_features(analyses.annotated())?;
    let features = match &options.lower {
        None if listed.is_empty() => return Ok((packed, sets, Vec::new())),
        None => FeaturesToLower::Named(listed),
        Some(FeaturesToLower::Named(named)) => FeaturesToLower::Named([&named[..], &listed].concat()),
        Some(FeaturesToLower::Missing) => FeaturesToLower::Missing,
    };
    let module = Module::from_words(std::mem::take(&mut packed.words))?;
    let input =
        VariantInput { name: "the packed module", module: &module, properties: &sets, condition: None };
    let mut twins = TwinSearch::new(&input, &features)?;
    let cases = match twins.listed.is_empty() {
        true => Vec::new(),
        false => cases(&input, !is_multi_target(analyses.module())).map_err(|error| {
            match error.cause::<MergeError>() {
                Some(MergeError::Cases { .. }) => TooManyCases.into(),
                _ => error,
            }
        })?,
    };
    for case in &cases {
        twins.add(case)?;
    }
    packed.packed.summary.warnings.extend(std::mem::take(&mut twins.warnings));
    if twins.variants.iter().all(|variant| variant.lowered.is_empty()) {
        packed.words = module.into_words();
        return Ok((packed, sets, Vec::new()));
    }
    let (mut merged, merged_sets) = twins.merged(options)?;
    let mut all = Vec::new();
    for chosen in &merged.variants {
        let lowered = twins.variants[chosen.input].lowered.clone();
        if !lowered.is_empty() {
            let condition = merged.conditions.expr_of(chosen.condition)?;
            all.push(TwinModule { condition, lowered });
        }
    }
    declarations(&mut packed.packed.summary, &merged, &twins.variants)?;
    let of_twins = all.iter().flat_map(|twin| &twin.lowered);
    let of_twins = of_twins.flat_map(|change| std::iter::once(&change.feature).chain(&change.also));
    let without: BTreeSet<&str> = gather(of_twins.map(|feature| feature.name()));
    packed.packed.summary.warnings.retain(|warning| match warning {
        PackWarning::NotImplied { requirements, .. } => {
            !requirements.iter().all(|name| without.contains(name.as_str()))
        }
        _ => true,
    });
    sets = with_twins(&sets, merged_sets, options)?;
    packed.packed.leaves = merged.leaves;
    packed.words = merged.words;
    let module = Module::from_words(packed.words)?;
    let mut edits = Edits::new(&module);
    carry(&module, Some(&sets).filter(|_| declares_extension(&module)), &mut edits)?;
    packed.words = module.into_words();
    apply_in_place(&mut packed.words, &edits)?;
    Ok((packed, sets, all))
}

/// Returns the property sets of a packed module, with the constants and requirements of one with twins.
fn with_twins(
    packed: &PropertySets,
    merged: PropertySets,
    options: &PackOptions,
) -> Result<PropertySets, PipelineError> {
    let mut required = DeviceRequirements::from_properties(&merged)?.unwrap_or_default();
    if let Some(before) = DeviceRequirements::from_properties(packed)? {
        required.join(DeviceRequirements { other: before.other.clone(), ..before.of_each_part() });
    }
    let mut sets = packed.clone();
    merged.sets.into_iter().for_each(|set| sets.put(set));
    sets.put(required.to_set(options.property_names));
    Ok(sets)
}

/// Finds the conditions of declarations anew: only some of the variants have those of lowered features.
fn declarations(
    summary: &mut Summary,
    merged: &MergedModule,
    variants: &[TwinVariant],
) -> Result<(), PipelineError> {
    let mut conditions = merged.conditions.clone();
    let mut present: OrderedMap<String, ConditionId> = OrderedMap::new();
    for chosen in &merged.variants {
        let module = Module::from_words(&variants[chosen.input].words[..])?;
        let capabilities = module.capabilities().filter_map(|one| capabilities::name(one.capability()));
        let mut names: BTreeSet<String> = gather(capabilities.map(str::to_owned));
        names.extend(module.extensions().map(|extension| extension.name().into_owned()));
        for name in names {
            let when = present.entry(name).or_insert(ConditionId::FALSE);
            *when = conditions.or(*when, chosen.condition)?;
        }
    }
    summary
        .unconditional
        .retain(|declared| present.get(&declared.declaration).is_none_or(|when| *when == merged.any));
    present.retain(|_, when| *when != merged.any);
    summary.conditional.clear();
    for (name, when) in present {
        summary.conditional.push((name, conditions.expr_of(when)?));
    }
    Ok(())
}

/// A plain module for some devices.
struct TwinVariant {
    words: Vec<u32>,
    condition: ConditionId,
    lowered: Vec<LoweredFeature>,
}

/// The search for all modules that a packed one represents with its twins.
struct TwinSearch<'m> {
    input: &'m VariantInput<'m>,
    /// The listed features that the packed module declares, each with the leaf for it. Features come before those that imply them.
    listed: Vec<(LowerableFeature, Leaf)>,
    /// True to leave out features that cannot be lowered.
    is_lenient: bool,
    implications: Implications,
    conditions: Conditions,
    variants: Vec<TwinVariant>,
    /// The number of modules that were lowered.
    count: usize,
    warnings: Vec<PackWarning>,
}

impl<'m> TwinSearch<'m> {
    /// Finds the listed features that a packed module declares.
    fn new(input: &'m VariantInput<'m>, features: &FeaturesToLower) -> Result<TwinSearch<'m>, PipelineError> {
        let declared = declared(input.module);
        let analyses = Analyses::new(input.module, Cow::default());
        let known = leaves_of_conditions(&analyses, input.properties)?;
        let is_listed = |feature: &LowerableFeature| match features {
            FeaturesToLower::Missing => true,
            FeaturesToLower::Named(named) => named.contains(feature),
        };
        let is_here =
            |feature: &&LowerableFeature| declared.contains(&feature.capability()) && is_listed(feature);
        let mut listed: Vec<(LowerableFeature, Leaf)> = lowerable_features()
            .iter()
            .filter(is_here)
            .map(|&feature| (feature, leaf(feature, &known)))
            .collect();
        sort_by_key(&mut listed, |(feature, _)| closure([feature.capability()].into_iter()).len());
        let leaves: BTreeSet<Leaf> = gather(listed.iter().map(|&(_, leaf)| leaf));
        Ok(TwinSearch {
            input,
            listed,
            is_lenient: *features == FeaturesToLower::Missing,
            implications: Implications::new(&leaves, None),
            conditions: Conditions::new(),
            variants: Vec::new(),
            count: 0,
            warnings: Vec::new(),
        })
    }

    /// Adds a plain module and its twins.
    fn add(&mut self, case: &PlainCase) -> Result<(), PipelineError> {
        let module = case.module.as_ref().unwrap_or(self.input.module);
        let when = match &case.condition {
            Some(condition) => self.conditions.of_expr(condition)?,
            None => ConditionId::TRUE,
        };
        let declared = declared(module);
        let mut listed = Vec::new();
        for &(feature, leaf) in self.listed.iter().filter(|(one, _)| declared.contains(&one.capability())) {
            let has = self.conditions.leaf(leaf)?;
            // A fallback of the source is for the devices that lack the feature.
            if !self.conditions.implies(when, has)? {
                listed.push((feature, leaf));
            }
        }
        let all = loop {
            match self.lowered(module, listed.iter().map(|&(feature, _)| feature).collect()) {
                Err(error) if self.is_lenient => {
                    let Some(LowerError { feature, .. }) = error.cause::<LowerError>() else {
                        return Err(error);
                    };
                    let count = listed.len();
                    listed.retain(|(listed, _)| listed.name() != *feature);
                    if listed.len() == count {
                        return Err(error);
                    }
                    self.warnings.push(PackWarning::NotLowered(error.to_string()));
                }
                result => break result?,
            }
        };
        self.count = self.count.saturating_sub(usize::from(listed.is_empty()));
        let first = self.variants.len();
        self.decide(module, (&listed, &all), (first, when), &BTreeMap::new())
    }

    /// Adds the modules for the devices of a condition, with the answers about features so far. Equal modules, from `first` on, become one.
    fn decide(
        &mut self,
        module: &Module,
        (listed, all): (&[(LowerableFeature, Leaf)], &LoweredWords),
        (first, when): (usize, ConditionId),
        answers: &BTreeMap<Leaf, bool>,
    ) -> Result<(), PipelineError> {
        if when.is_false() {
            return Ok(());
        }
        if let Some(&(_, leaf)) = listed.iter().find(|(_, leaf)| !answers.contains_key(leaf)) {
            for answer in [true, false] {
                let mut answers = answers.clone();
                self.implications.add(&mut answers, (leaf, answer));
                let has = self.conditions.leaf(leaf)?;
                let of_answer = if answer { has } else { self.conditions.not(has)? };
                let when = self.conditions.and(when, of_answer)?;
                self.decide(module, (listed, all), (first, when), &answers)?;
            }
            return Ok(());
        }
        let missing = listed.iter().filter(|(_, leaf)| answers.get(leaf) == Some(&false));
        let missing: Vec<LowerableFeature> = missing.map(|&(feature, _)| feature).collect();
        let (words, lowered) = match missing.len() {
            0 => (module.words().to_vec(), Vec::new()),
            count if count == listed.len() => all.clone(),
            _ => match self.lowered(module, missing) {
                Err(error) if error.cause::<LowerError>().is_some() => all.clone(),
                result => result?,
            },
        };
        match self.variants[first..].iter_mut().find(|variant| variant.words == words) {
            Some(variant) => variant.condition = self.conditions.or(variant.condition, when)?,
            None => self.variants.push(TwinVariant { words, condition: when, lowered }),
        }
        match self.variants.len() > MAX_MODULES {
            true => Err(self.too_many()),
            false => Ok(()),
        }
    }

    /// Lowers features of a module.
    fn lowered(
        &mut self,
        module: &Module,
        features: Vec<LowerableFeature>,
    ) -> Result<LoweredWords, PipelineError> {
        self.count += 1;
        if self.count > MAX_MODULES {
            return Err(self.too_many());
        }
        let mut changes = Vec::new();
        let words =
            lowered(&FeaturesToLower::Named(features), false, &[], module.words().into(), &mut changes)?;
        Ok((words.into_owned(), changes))
    }

    fn too_many(&self) -> PipelineError {
        TooManyTwins { features: self.listed.iter().map(|(feature, _)| feature.name()).collect() }.into()
    }

    /// Merges all modules. What code does not explain is required as before.
    fn merged(&mut self, options: &PackOptions) -> Result<(MergedModule, PropertySets), PipelineError> {
        let mut modules = Vec::new();
        for variant in &self.variants {
            let condition = self.conditions.expr_of(variant.condition)?;
            modules.push((Module::from_words(&variant.words[..])?, condition));
        }
        let inputs: Vec<MergeInput> = modules
            .iter()
            .map(|(module, condition)| MergeInput {
                name: self.input.name,
                module,
                condition: Some(condition),
            })
            .collect();
        let in_kernels = is_of_kernels(self.input.module);
        let explained = aspects_of(self.variants.iter().flat_map(|variant| &variant.lowered), in_kernels);
        let recorded = requirements(self.input.properties)?.map(|all| all.without_aspects(&explained));
        let listed = vec![recorded.as_ref(); inputs.len()];
        let (devices, names) = (options.devices.as_ref(), options.property_names);
        merge_listed(&inputs, &listed, options.dialect, devices, names)
    }
}

/// The words of a lowered module, and its changes.
type LoweredWords = (Vec<u32>, Vec<LoweredFeature>);

/// Returns the capabilities that a module declares, with those that they imply.
fn declared(module: &Module) -> BTreeSet<u32> {
    closure(module.capabilities().map(|one| one.capability())).into_iter().collect()
}

/// Returns the leaf for a feature: that of the module's own conditions, or the aspect that the feature is, or its capability.
fn leaf(feature: LowerableFeature, known: &BTreeSet<Leaf>) -> Leaf {
    let capability = Leaf::Capability(feature.capability());
    let aspect = capabilities::aspects_of(feature.capability()).next().map(Leaf::Aspect);
    match aspect {
        Some(aspect) if known.contains(&aspect) || !known.contains(&capability) => aspect,
        _ => capability,
    }
}
