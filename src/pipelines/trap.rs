//! Traps on a device, instead of blocks that require what the device does not have.

use std::borrow::Cow;

use thiserror::Error;

use super::error::kinds_of_errors;
use super::{ModuleBuffer, PipelineError, RequestErrorKind};
use crate::analysis::{Analyses, Annotated};
use crate::compatibility::label;
use crate::device::Device;
use crate::loader::Module;
use crate::transform::specialize::{
    Nothing, SetValues, SpecializeOptions, SpecializeResult, UndecidedPolicy, specialize,
};
use crate::transform::trap::{
    LackedFeatures, ModuleTraps, TargetError, Trap, TrapEdits, TrapPlan, retype, without_unused, write,
};
use crate::transform::trim::{Declaration, trim_declarations};
use crate::writer::apply;

/// The device does not have OpAbortKHR.
#[derive(Debug, Error)]
#[error(
    "the trap `abort` requires AbortKHR (SPV_KHR_abort), which {device} is not known to have: let traps store to a buffer instead, with \
     store:BUFFER:OFFSET"
)]
struct NoAbort {
    device: String,
}

kinds_of_errors! {
    NoAbort => request(RequestErrorKind::Options),
    TargetError => request(RequestErrorKind::Options),
}

/// Returns false if no trap can help a device to run a module without conditions.
///
/// # Errors
/// If conditional code is malformed, or annotations name an unknown aspect.
pub fn may_trap(analyses: &Analyses, device: &Device) -> Result<bool, PipelineError> {
    let lacked = LackedFeatures::new(analyses, device);
    Ok(retype(analyses, &lacked)?.is_some() || TrapPlan::new(analyses, &lacked, &Trap::Silent)?.helps())
}

/// Replaces the blocks of a module that require what a device is known not to have, and removes the declarations that only these required.
/// `annotated` are the annotations that count, if there are any.
///
/// # Errors
/// If a trap is needed that the device or the module does not permit.
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
    let lacked = LackedFeatures::new(&edited, device);
    let retyped = match retype(&edited, &lacked)? {
        Some(edits) => Some(Module::from_words(apply(&module, &edits)?)?),
        None => None,
    };
    let module = retyped.as_ref().unwrap_or(&module);
    let edited = analyses.for_edited_module(module, Cow::Borrowed(edited.annotated()));
    let plan = TrapPlan::new(&edited, &lacked, trap)?;
    if !plan.helps() {
        let traps = ModuleTraps { untrapped: plan.untrapped, ..ModuleTraps::default() };
        return Ok((words, traps));
    }
    if *trap == Trap::Abort && !lacked.has_abort {
        return Err(NoAbort { device: label(&device.name).to_owned() }.into());
    }
    let TrapEdits { edits, spec_id, replaced } = write(&edited, &plan.points)?;
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
    let options = SpecializeOptions { keep_interface, ..UndecidedPolicy::Keep.into() };
    let SpecializeResult { edits, .. } = specialize(&analyses, &Nothing, set, options)?;
    Ok(Module::from_words(apply(module, &edits)?)?)
}
