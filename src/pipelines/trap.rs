//! Traps on a device, instead of blocks that require its missing features.

use std::borrow::Cow;

use super::error::kinds_of_errors;
use super::{
    ModuleBuffer, ModuleProperties, PipelineError, RequestErrorKind, SpecializeRequest, has_conditional_calls,
};
use crate::analysis::{Analyses, Annotated};
use crate::device::Device;
use crate::loader::Module;
use crate::transform::specialize::{
    Nothing, SetValues, SpecializeOptions, SpecializeResult, UnsetPolicy, resolve_settings, specialize,
};
use crate::transform::trap::{
    CodeRequirements, DecidingValues, LackedFeatures, ModuleTraps, PossibleRequirements, PresetConstants,
    TargetError, Trap, TrapAnalyses, TrapEdits, TrapPlan, retype, without_unused, write,
};
use crate::transform::trim::{Declaration, trim_declarations};
use crate::writer::apply;

kinds_of_errors! {
    TargetError => request(RequestErrorKind::Options),
}

/// Returns values of constants with which fewer blocks run that require missing features, in a module without
/// conditions. The constants have no other meaning, and the request does not set them. `traps` are the analyses of the
/// same module.
///
/// # Errors
/// If conditional code or the properties are malformed, annotations name an unknown aspect, or the request does not fit the module.
pub fn values_without(
    analyses: &Analyses,
    traps: &TrapAnalyses,
    properties: &ModuleProperties,
    lacked: &LackedFeatures,
    request: &SpecializeRequest,
) -> Result<DecidingValues, PipelineError> {
    if !analyses.multi_target()?.is_empty() || has_conditional_calls(analyses)? {
        return Ok(DecidingValues::default());
    }
    let set = resolve_settings(analyses, &request.set)?.values;
    let (bound, special) = (&analyses.annotated().spec_constants, properties.constants()?);
    let mut fixed: PresetConstants = special.leaves().map(|leaf| (leaf.0, None)).collect();
    fixed.extend(bound.keys().map(|&spec_id| (spec_id, None)));
    let mentioned = analyses.spec_constants().iter().map(|constant| constant.spec_id);
    let mentioned = mentioned.filter(|&spec_id| set.mentions(spec_id));
    fixed.extend(mentioned.map(|spec_id| (spec_id, set.value_of_spec_id(spec_id))));
    Ok(traps.values_without(analyses, lacked, &fixed)?)
}

/// Replaces the blocks of a module that require features missing on a device by traps, and removes the declarations
/// that only these required. `annotated` are the annotations that apply, if any.
///
/// # Errors
/// If the module does not have the buffer that traps store to.
pub fn with_traps<'m>(
    analyses: &Analyses,
    annotated: Option<&Annotated>,
    words: ModuleBuffer<'m>,
    device: &Device,
    trap: &Trap,
    keep_interface: bool,
) -> Result<(ModuleBuffer<'m>, ModuleTraps), PipelineError> {
    let module = Module::from_words(words.whole().into_owned())?;
    let annotated = annotated.map(|annotated| annotated.within(&module)).unwrap_or_default();
    let edited = analyses.for_edited_module(&module, Cow::Owned(annotated));
    let lacked = PossibleRequirements::new(&edited).lacked(device);
    let mut code = CodeRequirements::default();
    let retyped = match retype(&edited, &code, &lacked)? {
        Some(edits) => Some(Module::from_words(apply(&module, &edits)?)?),
        None => None,
    };
    let (module, edited) = match &retyped {
        Some(retyped) => {
            code = CodeRequirements::default();
            (retyped, analyses.for_edited_module(retyped, Cow::Borrowed(edited.annotated())))
        }
        None => (&module, edited),
    };
    let plan = TrapPlan::new(&edited, &code, &lacked, trap)?;
    if !plan.helps() {
        let traps = ModuleTraps { untrapped: plan.untrapped, ..ModuleTraps::default() };
        return Ok((words, traps));
    }
    if *trap == Trap::Abort && !lacked.has_abort {
        return Ok((words, ModuleTraps { untrapped: plan.without_abort(), ..ModuleTraps::default() }));
    }
    let TrapEdits { edits, spec_id, replaced } = write(&edited, trap, &plan.points)?;
    let branching = Module::from_words(apply(module, &edits)?)?;
    let folded = folded(&edited, &branching, spec_id, keep_interface)?;
    // Blocks stay where control flow would not remain structured.
    if replaced.iter().any(|&label| folded.definition(label).is_some()) {
        return Ok((words, ModuleTraps::default()));
    }
    let analyses = edited.for_edited_module(&folded, Cow::Borrowed(edited.annotated()));
    let folded = Module::from_words(apply(&folded, &without_unused(&analyses, &lacked)?)?)?;
    let is_rejected = |declaration: Declaration| match declaration {
        Declaration::Capability(number) => lacked.capabilities.contains(&number),
        Declaration::Extension(name) => lacked.extensions.contains(name),
    };
    let trimmed = trim_declarations(&folded, &is_rejected);
    let words = apply(&folded, &trimmed.edits)?;
    let trapped = plan.points.into_iter().map(|point| point.branch).collect();
    Ok((words.into(), ModuleTraps { trapped, ..ModuleTraps::default() }))
}

/// Sets the constant that decides the branches to traps.
fn folded(
    analyses: &Analyses,
    module: &Module,
    spec_id: u32,
    keep_interface: bool,
) -> Result<Module<'static>, PipelineError> {
    let analyses = analyses.for_edited_module(module, Cow::Borrowed(analyses.annotated()));
    let mut set = SetValues::default();
    set.set(spec_id, 1);
    let options = SpecializeOptions { keep_interface, ..UnsetPolicy::Keep.into() };
    let SpecializeResult { edits, .. } = specialize(&analyses, &Nothing, set, options)?;
    Ok(Module::from_words(apply(module, &edits)?)?)
}
