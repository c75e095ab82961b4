//! Packing, with the steps before it: annotations become conditional calls, and functions with guarded blocks are cloned.

use std::borrow::Cow;
use std::collections::BTreeSet;

use thiserror::Error;

use super::error::kinds_of_errors;
use super::property_sets::{carry_over, property_sets};
use super::{ConditionalCallsOnDevice, DecidedCalls, ModuleErrorKind, PipelineError};
use crate::analysis::conditions::multi_target::declares_extension;
use crate::analysis::{Analyses, Annotated};
use crate::collections::IdMap;
use crate::condition::Expr;
use crate::device::Device;
use crate::loader::{LoadProblem, Module};
use crate::metadata::property_sets::{PropertyNames, PropertySets};
use crate::transform::cloning::{CloneLimit, CloningError, clone_functions};
use crate::transform::expand::{ExpandError, expand};
use crate::transform::outline::outline;
use crate::transform::pack::{self, PackError, PackOptions, PackResult};
use crate::transform::predicates::remove_all;
use crate::transform::specialize::{self, Nothing, specialize};
use crate::transform::{Edits, carry};
use crate::writer::{apply, apply_in_place, removed};

kinds_of_errors! {
    CloningError => module(ModuleErrorKind::ConditionalCode),
    ExpandError => module(ModuleErrorKind::Annotations),
    PackError => module(ModuleErrorKind::Pack),
    StillUsed => module(ModuleErrorKind::Invalid),
}

/// The module is invalid: a step removes an id that another instruction still refers to.
#[derive(Debug, Error)]
#[error(
    "the result would be invalid: {opcode} at byte offset {offset:#x} of it refers to %{id}, which was removed. If spirv-val \
     accepts the module, this is a defect of spirv-if"
)]
struct StillUsed {
    id: u32,
    opcode: String,
    offset: u64,
}

/// A packed module.
#[derive(Clone, Debug)]
pub struct PackedModule {
    /// The module's words, in the host's byte order.
    pub words: Vec<u32>,
    /// The findings of the last step, with its edits.
    pub packed: PackResult,
    /// The property sets beside it, if they were requested.
    pub properties: Option<PropertySets>,
    /// The annotations of its functions, clones included.
    pub annotated: Annotated,
}

/// Returns the property sets inside a packed module, if something in it is conditional; otherwise `None`.
type CarriedProperties<'a> = dyn Fn(&PackResult) -> Result<Option<PropertySets>, PipelineError> + 'a;

/// Packs a module. Also returns its property sets, which the module contains too.
///
/// # Errors
/// If the module cannot be packed, or the result does not load, since the module is invalid.
pub fn pack_with(
    analyses: &Analyses,
    properties: &PropertySets,
    options: &PackOptions,
) -> Result<(PackedModule, PropertySets), PipelineError> {
    let names = options.property_names;
    let mut packed = pack(analyses, options, &|packed| {
        let sets = property_sets(packed, names)?;
        match properties.sets.is_empty() {
            true => Ok(Some(sets)),
            false => Ok(Some(carry_over(analyses.module(), properties, sets, names)?)),
        }
    })?;
    let sets = packed.properties.take().unwrap_or_default();
    Ok((packed, sets))
}

/// Decides the conditional calls of a compiler's module on a device. Calls that the device leaves open are packed, with at most `max_clones`
/// of one function.
///
/// # Errors
/// See [`PipelineError`].
pub fn decide_calls(
    analyses: &Analyses,
    device: &Device,
    max_clones: CloneLimit,
) -> Result<DecidedCalls, PipelineError> {
    let options = PackOptions { targets: vec![device.clone()], max_clones, ..PackOptions::default() };
    let PackedModule { words, packed, properties, .. } =
        pack(analyses, &options, &|packed| match packed.leaves.is_empty() {
            true => Ok(None),
            false => Ok(Some(property_sets(packed, PropertyNames::default())?)),
        })?;
    let requirements = packed.requirements.to_requirements(PropertyNames::default())?;
    let removed = packed.summary.removed_declarations.into_iter().chain(packed.summary.removed_functions);
    let calls = ConditionalCallsOnDevice {
        conditions: packed.summary.calls.into_iter().map(|(_, _, condition)| condition).collect(),
        leaves: packed.leaves,
        requirements,
        removed: removed.collect(),
    };
    Ok(DecidedCalls { words, calls, properties })
}

/// Packs a module, after annotations become conditional calls. Functions are cloned if constants guard blocks that are not required
/// everywhere. Calls of functions with a condition become calls of one of several functions.
///
/// # Errors
/// See [`PipelineError`].
pub fn pack(
    analyses: &Analyses,
    options: &PackOptions,
    carried: &CarriedProperties,
) -> Result<PackedModule, PipelineError> {
    let tables = analyses.predicates()?;
    if tables.is_empty() {
        return pack_annotated(analyses, options, carried);
    }
    // The annotations already have the tables' conditions. Predicates that hold on every device are not conditions.
    let edits = remove_all(analyses.module(), tables);
    let mut annotated = analyses.annotated().clone();
    let always = tables
        .iter()
        .flat_map(|table| &table.predicates)
        .filter(|predicate| predicate.condition == Expr::True);
    let set: IdMap<u64> = always
        .filter(|predicate| annotated.predicates.contains(&predicate.spec_id))
        .map(|predicate| (predicate.spec_id, 1))
        .collect();
    let set: Vec<(u32, u64)> = set.into_iter().collect();
    annotated.spec_constants.retain(|spec_id, _| set.iter().all(|(decided_id, _)| decided_id != spec_id));
    after(analyses, &edits, &annotated, |without| {
        let specialized = specialize(without, &Nothing, &set, specialize::UnsetPolicy::Keep.into())?;
        after(without, &specialized.edits, &annotated, |open| pack_annotated(open, options, carried))
    })
}

/// Packs a module whose conditions are all its own or from its annotations.
fn pack_annotated(
    analyses: &Analyses,
    options: &PackOptions,
    carried: &CarriedProperties,
) -> Result<PackedModule, PipelineError> {
    let Some(cloned) = clone_functions(analyses, options.max_clones)? else {
        return expand_and_pack(analyses, options, carried);
    };
    after(analyses, &cloned.edits, &cloned.annotated, |with_clones| {
        let specialized =
            specialize(with_clones, &Nothing, &cloned.set, specialize::UnsetPolicy::Keep.into())?;
        after(with_clones, &specialized.edits, &cloned.annotated, |specialized| {
            expand_and_pack(specialized, options, carried)
        })
    })
}

fn expand_and_pack(
    analyses: &Analyses,
    options: &PackOptions,
    carried: &CarriedProperties,
) -> Result<PackedModule, PipelineError> {
    let mut packed = match outline(analyses)? {
        None => expand_then_pack(analyses, options, carried)?,
        Some(outlined) => after(analyses, &outlined.edits, &outlined.annotated, |outlined| {
            expand_then_pack(outlined, options, carried)
        })?,
    };
    let stuck = analyses.calls()?.calls.iter().filter(|call| !call.stuck.is_empty());
    let (names, mut reported) = (analyses.names(), BTreeSet::new());
    for call in stuck.filter(|call| reported.insert((call.holder, call.function))) {
        let features = call.stuck.iter().map(|required| required.get().to_string()).collect();
        let (holder, callee) = (names.display(call.holder), names.display(call.function));
        packed.packed.summary.warnings.push(pack::PackWarning::Preparation(holder, callee, features));
    }
    Ok(packed)
}

fn expand_then_pack(
    analyses: &Analyses,
    options: &PackOptions,
    carried: &CarriedProperties,
) -> Result<PackedModule, PipelineError> {
    let Some(expanded) = expand(analyses)? else {
        return pack_alone(analyses, options, carried);
    };
    let mut packed =
        after(analyses, &expanded.edits, &expanded.annotated, |single| pack_alone(single, options, carried))?;
    let uncalled = expanded.uncalled.iter().map(|&id| analyses.names().display(id));
    packed.packed.summary.warnings.extend(uncalled.map(pack::PackWarning::NeverCalled));
    Ok(packed)
}

fn pack_alone(
    analyses: &Analyses,
    options: &PackOptions,
    carried: &CarriedProperties,
) -> Result<PackedModule, PipelineError> {
    let packed = pack::pack(analyses, options)?;
    let properties = carried(&packed)?;
    let next = match packed.edits.is_empty() {
        true => None,
        false => Some(step(analyses.module(), &packed.edits)?),
    };
    let module = next.as_ref().unwrap_or(analyses.module());
    let mut carrying = Edits::new(module);
    if let Some(sets) = properties.as_ref().filter(|_| declares_extension(module)) {
        carry(module, Some(sets), &mut carrying)?;
    }
    let mut words = next.map_or_else(|| analyses.module().words().to_vec(), Module::into_words);
    apply_in_place(&mut words, &carrying)?;
    Ok(PackedModule { words, packed, properties, annotated: analyses.annotated().clone() })
}

/// Continues with an edited module and its annotations, or with the existing analyses if nothing changes.
fn after<R>(
    analyses: &Analyses,
    edits: &Edits,
    annotated: &Annotated,
    next: impl FnOnce(&Analyses) -> Result<R, PipelineError>,
) -> Result<R, PipelineError> {
    if edits.is_empty() {
        return next(&analyses.with_annotations(Cow::Owned(annotated.clone())));
    }
    let module = step(analyses.module(), edits)?;
    next(&Analyses::new(&module, Cow::Borrowed(annotated)).with_exports(analyses.exports_when_decided()))
}

/// Returns the edited module. Removed ids must be unused; only an invalid module violates this.
fn step(module: &Module, edits: &Edits) -> Result<Module<'static>, PipelineError> {
    let loaded = Module::without(apply(module, edits)?, &removed(module, edits));
    loaded.map_err(|error| match error.problem {
        LoadProblem::Removed { id, opcode } => StillUsed { id, opcode, offset: error.offset }.into(),
        _ => error.into(),
    })
}
