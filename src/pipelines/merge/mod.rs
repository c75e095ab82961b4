//! Merging variants to one module, with the requirements of all of them. The conditions of variants may follow from their requirements, and
//! from the tables of `spirv-link`.

mod cases;
mod tables;
mod twins;

pub use cases::{VariantInput, merge_conditional};
pub use tables::VariantTables;
pub use twins::{TwinModule, pack_lowered};

use std::borrow::Cow;
use std::collections::BTreeSet;

use thiserror::Error;

use super::error::kinds_of_errors;
use super::predicates::united;
use super::property_sets::sets_of_leaves;
use super::{ModuleErrorKind, PipelineError, RequestErrorKind, has_conditional_calls};
use crate::analysis::conditions::multi_target::declares_extension;
use crate::analysis::requirements::closure;
use crate::analysis::{Analyses, SimplifiedRequirements, join};
use crate::collections::{OrderedMap, gather};
use crate::condition::{ConditionId, Expr, Leaf, LeafKind};
use crate::device::DeviceConfig;
use crate::device::capabilities::extensions_of;
use crate::loader::Module;
use crate::metadata::property_sets::{
    DeviceRequirements, PropertyNames, PropertySets, VariantForm, Variants,
};
use crate::transform::condition_constants::Dialect;
use crate::transform::definitions::NamedModule;
use crate::transform::link;
use crate::transform::merge::{MergeError, MergeInput, MergedModule, merge};
use crate::transform::predicates::MergedTables;
use crate::transform::trim::trim;
use crate::transform::{Edits, carry, pack};
use crate::writer::{apply, apply_in_place};

/// The tables of variants do not fit the modules.
#[derive(Debug, Error)]
#[error("{0}")]
struct TablesError(String);

kinds_of_errors! {
    MergeError => module(ModuleErrorKind::Merge),
    TablesError => request(RequestErrorKind::Variants),
}

/// Variants merged by inferred conditions.
pub struct MergedByRule {
    /// The result. Inputs are numbered in the order in which conditions are evaluated.
    pub merged: MergedModule,
    /// The result's property sets.
    pub properties: PropertySets,
    /// The modules in that order, by index.
    pub order: Vec<usize>,
    /// Pairs of modules that run on common devices, and neither is for fewer devices than the other. The first of a pair is chosen.
    pub undecided: Vec<(usize, usize)>,
}

/// Merges variants by the tables of `spirv-link`. The first module is the base, for the devices that no other is for. Exports of shaders are removed as by
/// [`without_exports`], unless the result is to be a library.
///
/// # Errors
/// See [`PipelineError`].
pub fn merge_by_tables(
    modules: &[(&str, &Module)],
    tables: &VariantTables,
    create_library: bool,
    devices: Option<&DeviceConfig>,
    names: PropertyNames,
) -> Result<MergedByRule, PipelineError> {
    let inputs: Vec<NamedModule> =
        modules.iter().map(|&(name, module)| NamedModule { name, module }).collect();
    let completed: Vec<Option<Module>> = inputs
        .iter()
        .enumerate()
        .map(|(at, input)| if at == 0 { Ok(None) } else { tables::completed(&inputs[0], input) })
        .collect::<Result<_, _>>()?;
    let whole: Vec<&Module> = completed
        .iter()
        .zip(modules)
        .map(|(completed, (_, module))| completed.as_ref().unwrap_or(module))
        .collect();
    let complete = if create_library { Vec::new() } else { without_exports(&whole)? };
    let has_linkage = complete.is_empty();
    let of_tables = tables.conditions(modules, has_linkage).map_err(TablesError)?;
    let order: Vec<usize> = (1..modules.len()).chain((!modules.is_empty()).then_some(0)).collect();
    let variants: Vec<MergeInput> = order
        .iter()
        .map(|&at| MergeInput {
            name: modules[at].0,
            module: complete.get(at).unwrap_or(whole[at]),
            condition: of_tables.conditions[at].as_ref(),
        })
        .collect();
    let dialect = Dialect::FunctionVariants;
    let (merged, properties) = merge_variants(&variants, dialect, devices, names)?;
    Ok(MergedByRule { merged, properties, order, undecided: of_tables.overlapping })
}

/// Returns the variants without exports and without the capability Linkage, if all are shaders with entry points and no
/// imports. Returns an empty list if a variant is not such a shader, or no variant has linkage.
///
/// # Errors
/// If a result does not load.
pub fn without_exports(variants: &[&Module]) -> Result<Vec<Module<'static>>, PipelineError> {
    let mut complete = Vec::new();
    if !variants.iter().any(|variant| link::declares_linkage(variant)) {
        return Ok(complete);
    }
    for variant in variants {
        let edits = link::without_exports(variant);
        match edits {
            Some(edits) => complete.push(Module::from_words(apply(variant, &edits)?)?),
            None if link::declares_linkage(variant) => return Ok(Vec::new()),
            None => complete.push((*variant).to_owned()),
        }
    }
    Ok(complete)
}

/// Merges variants, each for the devices that meet its requirements, except requirements of all variants. A variant that requires more than
/// another comes before it.
///
/// # Errors
/// See [`PipelineError`].
pub fn merge_by_requirements(
    modules: &[(&str, &Module)],
    dialect: Dialect,
    devices: Option<&DeviceConfig>,
    names: PropertyNames,
) -> Result<MergedByRule, PipelineError> {
    let required: Vec<BTreeSet<Leaf>> = modules.iter().map(|(_, module)| required(module)).collect();
    let common = required.iter().cloned().reduce(|left, right| &left & &right).unwrap_or_default();
    let conditions: Vec<Expr> = required.iter().map(|leaves| condition_for(leaves - &common)).collect();
    let mut left: Vec<usize> = (0..modules.len()).collect();
    let mut order = Vec::new();
    while !left.is_empty() {
        let is_more = |other: usize, at: usize| {
            required[other] != required[at] && required[other].is_superset(&required[at])
        };
        let is_strictest = |&at: &usize| !left.iter().any(|&other| is_more(other, at));
        let Some(next) = left.iter().position(is_strictest) else { break };
        order.push(left.remove(next));
    }
    let mut undecided = Vec::new();
    for (number, &first) in order.iter().enumerate() {
        let later = order[number + 1..].iter();
        let later = later.filter(|&&second| !required[first].is_superset(&required[second]));
        undecided.extend(later.map(|&second| (first, second)));
    }
    let variants: Vec<MergeInput> = order
        .iter()
        .map(|&at| MergeInput {
            name: modules[at].0,
            module: modules[at].1,
            condition: Some(&conditions[at]),
        })
        .collect();
    let (merged, properties) = merge_variants(&variants, dialect, devices, names)?;
    Ok(MergedByRule { merged, properties, order, undecided })
}

/// Returns the capabilities that a module declares and requires, with their implied capabilities. Also returns the required extensions that
/// none of them belongs to.
fn required(module: &Module) -> BTreeSet<Leaf> {
    let trimmed = trim(module);
    let declared = module.capabilities().map(|capability| capability.capability());
    let capabilities = closure(declared.filter(|number| !trimmed.capabilities.contains(number)));
    let of_capabilities: BTreeSet<&str> =
        gather(capabilities.iter().filter_map(|&number| extensions_of(number)).flatten().copied());
    let extensions = module.extensions().filter_map(|extension| {
        let name = extension.name();
        let counts =
            !of_capabilities.contains(&*name) && !trimmed.extensions.iter().any(|other| *other == name);
        LeafKind::Extension.named(&name).filter(|_| counts)
    });
    capabilities.iter().map(|&number| Leaf::Capability(number)).chain(extensions).collect()
}

/// Returns the condition that a device has all of these leaves, without capabilities that another leaf implies.
fn condition_for(required: BTreeSet<Leaf>) -> Expr {
    let capabilities = required
        .iter()
        .filter_map(|leaf| if let Leaf::Capability(number) = leaf { Some(*number) } else { None });
    let implied: BTreeSet<Leaf> = gather(
        capabilities
            .flat_map(|number| closure([number].into_iter()).into_iter().skip(1).map(Leaf::Capability)),
    );
    let leaves = required.difference(&implied).map(|&leaf| Expr::Leaf(leaf));
    leaves.reduce(|left, right| Expr::And(Box::new(left), Box::new(right))).unwrap_or(Expr::True)
}

/// Merges variants. Also returns the property sets of the result, which the result contains too.
///
/// # Errors
/// See [`PipelineError`].
fn merge_variants(
    inputs: &[MergeInput],
    dialect: Dialect,
    devices: Option<&DeviceConfig>,
    names: PropertyNames,
) -> Result<(MergedModule, PropertySets), PipelineError> {
    for input in inputs {
        let analyses = Analyses::new(input.module, Cow::default());
        if has_conditional_calls(&analyses)? {
            return Err(MergeError::ConditionalCalls(input.name.to_owned()).into());
        }
    }
    merge_listed(inputs, &vec![None; inputs.len()], dialect, devices, names)
}

/// Like [`merge_variants`], with additional requirements from properties of the inputs.
fn merge_listed(
    inputs: &[MergeInput],
    listed: &[Option<&DeviceRequirements>],
    dialect: Dialect,
    devices: Option<&DeviceConfig>,
    names: PropertyNames,
) -> Result<(MergedModule, PropertySets), PipelineError> {
    let modules: Vec<(&str, &Module)> = inputs.iter().map(|input| (input.name, input.module)).collect();
    let united = united(&modules, MergedTables::OfAll)?;
    let with_united = inputs.iter().zip(&united);
    let inputs: Vec<MergeInput> = with_united
        .map(|(input, united)| MergeInput { module: united.as_ref().unwrap_or(input.module), ..*input })
        .collect();
    let mut merged = merge(&inputs, dialect)?;
    let conditions = &mut merged.conditions;
    let mut required = OrderedMap::new();
    for variant in &merged.variants {
        let analyses = Analyses::new(inputs[variant.input].module, Cow::default());
        let of_code = pack::required(&analyses, conditions)?;
        let listed = match listed[variant.input] {
            Some(listed) => cases::listed_requirements(listed, conditions)?,
            None => Vec::new(),
        };
        for (requirement, when) in of_code.into_iter().chain(listed) {
            let when = conditions.and(when, variant.condition)?;
            join(required.entry(requirement).or_insert(ConditionId::FALSE), when, conditions)?;
        }
    }
    // Where no variant is chosen, nothing else is required.
    for when in required.values_mut() {
        if conditions.implies(merged.any, *when)? {
            *when = ConditionId::TRUE;
        }
    }
    let mut requirements =
        SimplifiedRequirements::new(required, conditions, devices)?.to_requirements(names)?;
    if !merged.any.is_true() {
        requirements.condition = Some(conditions.expr_of(merged.any)?.to_series()?);
    }
    let mut sets = sets_of_leaves(&merged.leaves, &requirements, names);
    let forms = variants(&mut merged)?;
    sets.put(forms.to_set());
    let module = Module::from_words(std::mem::take(&mut merged.words))?;
    let mut edits = Edits::new(&module);
    if declares_extension(&module) || requirements.condition.is_some() || !forms.all.is_empty() {
        carry(&module, Some(&sets), &mut edits)?;
    }
    merged.words = module.into_words();
    apply_in_place(&mut merged.words, &edits)?;
    Ok((merged, sets))
}

/// Returns the forms of the variants. The list is empty if they differ only in conditional code, and this has a constant for each decision of the
/// host, or its requirements name that: it would not be known otherwise where builds are equal.
fn variants(merged: &mut MergedModule) -> Result<Variants, PipelineError> {
    let form = |form: &VariantForm| (form.version, form.buffer_blocks, form.notes.clone());
    let is_first = |other: &VariantForm| form(other) == form(&merged.forms[0]);
    let of_whole = merged.conditions.leaves(merged.any);
    let is_known = |leaf: &Leaf| {
        !matches!(leaf, Leaf::Host(_))
            || of_whole.contains(leaf)
            || merged.leaves.iter().any(|(_, other)| other == leaf)
    };
    let mut conditions = merged.variants.iter().map(|variant| merged.conditions.leaves(variant.condition));
    if conditions.all(|leaves| leaves.iter().all(is_known)) && merged.forms.iter().all(is_first) {
        return Ok(Variants::default());
    }
    let mut all = std::mem::take(&mut merged.forms);
    for (variant_form, variant) in all.iter_mut().zip(&merged.variants) {
        if !variant.condition.is_true() {
            variant_form.condition = Some(merged.conditions.expr_of(variant.condition)?.to_series()?);
        }
    }
    Ok(Variants { notes: merged.notes, all })
}
