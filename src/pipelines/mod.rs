//! Transforms in a row: each is applied, and its result loaded for the next.

mod entry_points;
pub mod program;
pub mod property_sets;
mod resolve;
mod specialize_for;
pub mod split;
#[cfg(test)]
mod tests;

pub use entry_points::Unsupported;
pub use resolve::{Resolved, asked, decide, has_conditional_calls, resolve};
pub use specialize_for::{
    Driver, ForDevice, ForDeviceError, Request, Unset, Waiting, check, groups, specialize_for,
};

use std::borrow::Cow;

use thiserror::Error;

use crate::analysis::conditions::multi_target::declares_extension;
use crate::analysis::{Analyses, AnalysisError, Annotated};
use crate::condition::ConditionError;
use crate::loader::{LoadError, Module, Problem};
use crate::sidecar::property_sets::{PropertyError, PropertyNames, PropertySets};
use crate::transform::cloning::{CloningError, clone_functions};
use crate::transform::expand::{ExpandError, expand};
use crate::transform::pack::{self, PackError, Packed};
use crate::transform::specialize::{self, Nothing, SpecializeError, specialize};
use crate::transform::{Edits, carry};
use crate::writer::{WriteError, apply, apply_in_place, removed};
use property_sets::{carry_over, property_sets};

/// Why a recipe fails.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PipelineError {
    /// Functions cannot be varied.
    #[error(transparent)]
    Cloning(#[from] CloningError),
    /// The variants of functions cannot be folded.
    #[error(transparent)]
    Specialize(#[from] SpecializeError),
    /// Annotations cannot be expanded.
    #[error(transparent)]
    Expand(#[from] ExpandError),
    /// What is conditional in the module cannot be understood.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// The module cannot be packed.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// A condition is out of bounds.
    #[error(transparent)]
    Condition(#[from] ConditionError),
    /// The properties beside the module are malformed.
    #[error(transparent)]
    Property(#[from] PropertyError),
    /// A step has no room for its ids.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The module is invalid, and what a step makes of it does not load.
    #[error("the module is invalid: what becomes of it does not load")]
    Load(#[from] LoadError),
    /// The module is invalid, and a step removes what something else still refers to.
    #[error(
        "what becomes of the module would be invalid: {opcode} at byte offset {offset:#x} of it refers to %{id}, which is gone. If \
         spirv-val accepts the module, this is a defect of spirv-if"
    )]
    StillUsed {
        /// The id.
        id: u32,
        /// What refers to it.
        opcode: String,
        /// Where that stands in what becomes of the module, in bytes.
        offset: u64,
    },
}

/// A packed module.
#[derive(Clone, Debug)]
pub struct PackedModule {
    /// Its words, in the host's byte order.
    pub words: Vec<u32>,
    /// What packing found. Its edits are those of the last step.
    pub packed: Packed,
    /// The property sets that go beside it, if they were asked for.
    pub properties: Option<PropertySets>,
}

/// How to pack.
#[derive(Clone, Debug)]
pub struct PackOptions {
    /// How the last step does it. What is annotated there is of the module before the first.
    pub pack: pack::Options,
    /// How many variants a function may have.
    pub max_clones: usize,
}

impl Default for PackOptions {
    fn default() -> PackOptions {
        PackOptions { pack: pack::Options::default(), max_clones: 8 }
    }
}

/// Says which property sets a packed module carries, if something in it is conditional; `None` for none.
type Carried<'a> = dyn Fn(&Packed) -> Result<Option<PropertySets>, PipelineError> + 'a;

/// Packs a module with the property sets that go beside the result, and that it carries.
///
/// # Errors
/// Where the module cannot be packed, or what it packs to does not load, since the module is invalid.
pub fn pack_with(
    analyses: &Analyses,
    properties: &PropertySets,
    options: &PackOptions,
    names: PropertyNames,
) -> Result<(PackedModule, PropertySets), PipelineError> {
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

/// Packs a module, after bringing what is annotated to single calls: functions get variants where constants guard what is not
/// needed everywhere, and calls of functions with a condition become calls of one of several.
///
/// # Errors
/// See [`PipelineError`].
pub fn pack(
    analyses: &Analyses,
    options: &PackOptions,
    carried: &Carried,
) -> Result<PackedModule, PipelineError> {
    let PackOptions { pack: own, max_clones } = options;
    let Some(cloned) = clone_functions(analyses, *max_clones)? else {
        return expand_and_pack(analyses, own, carried);
    };
    after(analyses, &cloned.edits, &cloned.annotated, |with_clones| {
        let specialized = specialize(with_clones, &Nothing, &cloned.set, specialize::Unset::Keep)?;
        after(with_clones, &specialized.edits, &cloned.annotated, |specialized| {
            expand_and_pack(specialized, own, carried)
        })
    })
}

fn expand_and_pack(
    analyses: &Analyses,
    options: &pack::Options,
    carried: &Carried,
) -> Result<PackedModule, PipelineError> {
    let Some(expanded) = expand(analyses)? else {
        return pack_alone(analyses, options, carried);
    };
    let mut packed =
        after(analyses, &expanded.edits, &expanded.annotated, |single| pack_alone(single, options, carried))?;
    let uncalled = expanded.uncalled.iter().map(|&id| analyses.names().display(id));
    packed.packed.summary.warnings.extend(uncalled.map(pack::Warning::NeverCalled));
    Ok(packed)
}

fn pack_alone(
    analyses: &Analyses,
    options: &pack::Options,
    carried: &Carried,
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
    Ok(PackedModule { words, packed, properties })
}

/// Goes on with the module that edits make of one, and its annotations; with what is known already, where nothing changes.
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
    next(&Analyses::new(&module, Cow::Borrowed(annotated)).with_exports(analyses.exports().clone()))
}

/// The module that edits make of one. An id that they remove has no use left: only in an invalid module could it have.
fn step(module: &Module, edits: &Edits) -> Result<Module<'static>, PipelineError> {
    let loaded = Module::without(apply(module, edits)?, &removed(module, edits));
    loaded.map_err(|error| match error.problem {
        Problem::Removed { id, opcode } => PipelineError::StillUsed { id, opcode, offset: error.offset },
        _ => PipelineError::Load(error),
    })
}
