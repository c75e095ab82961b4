//! Merging of variants: builds of one shader for different devices become one module, in which what differs is conditional. Specializing the result
//! for a device restores its variant.
//!
//! Each variant is read once ([`variant`]). Equal definitions of several variants are written once ([`merged_definitions`]), under the condition of
//! any of these. So are functions that differ only in their callees ([`calls`]).

mod calls;
mod head;
mod merged_definitions;
mod sets;
#[cfg(test)]
mod tests;
mod variant;
mod write;

use thiserror::Error;

use super::condition_constants::{Dialect, UnwritableCondition};
use super::definitions::{DifferentMemoryModels, TooManyDecorations, latest};
use super::version::buffer_blocks::{self, BufferBlockError};
use super::version::{NewerRules, raise, removed};
use crate::condition::{ConditionError, ConditionId, Conditions, Expr, Leaf};
use crate::loader::{MAX_BOUND, Module};
use crate::metadata::property_sets::VariantForm;
use merged_definitions::MergedDefinitions;
use variant::IndexedVariant;

/// The reason that variants cannot be merged.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum MergeError {
    /// No variant is left.
    #[error("there is nothing to merge: no variant is ever chosen")]
    Nothing,
    /// An instruction that the grammar does not have: its words may be ids.
    #[error("{file}: {instruction} at byte offset {offset:#x} ({offset}) is unknown, and cannot be merged")]
    Unknown {
        /// The variant.
        file: String,
        /// The name of the instruction.
        instruction: String,
        /// The offset of the instruction in bytes.
        offset: u64,
    },
    /// A variant with graphs.
    #[error("{0} has graphs (OpGraphARM), which cannot be merged: ship its variants as they are")]
    Graphs(String),
    /// An id without a definition.
    #[error(
        "{file}: {instruction} at byte offset {offset:#x} ({offset}) refers to %{id}, which nothing defines"
    )]
    Dangling {
        /// The variant.
        file: String,
        /// The name of the instruction.
        instruction: String,
        /// The offset of the instruction in bytes.
        offset: u64,
        /// The id.
        id: u32,
    },
    /// A variant that is packed already.
    #[error("{0} has conditional code already: merge the modules that it was made of")]
    MultiTarget(String),
    /// A compiler's module with conditional calls.
    #[error("{0} has conditional calls: specialize it for the devices that its variant is for")]
    ConditionalCalls(String),
    /// A variant with a part that depends on a constant of unknown meaning.
    #[error("{file}: {part} depends on a constant of unknown meaning: specialize the module first")]
    Opaque {
        /// The variant.
        file: String,
        /// The part.
        part: String,
    },
    /// A variant with too much conditional code.
    #[error(
        "{file} stands for more than {max} plain modules: specialize it for the devices that its variant is for"
    )]
    Cases {
        /// The variant.
        file: String,
        /// The greatest number.
        max: usize,
    },
    /// Memory models differ.
    #[error(transparent)]
    MemoryModel(#[from] DifferentMemoryModels),
    /// Decoration groups that apply too many decorations.
    #[error("{file}: {error}")]
    DecorationGroups {
        /// The variant.
        file: String,
        /// The cause.
        error: TooManyDecorations,
    },
    /// A construct that the version of another variant no longer has.
    #[error(
        "{file} uses {what}, which SPIR-V has only up to version {last}, and {other} is of a later version: compile both for \
         one version"
    )]
    Removed {
        /// The variant that uses it.
        file: String,
        /// The instruction or enumerant.
        what: &'static str,
        /// The last version that has it.
        last: String,
        /// A variant of the latest version.
        other: String,
    },
    /// Storage buffers whose form depends on the version, and that specializing could not restore.
    #[error(
        "{file} has {error}, which cannot be written for the version of {other}: compile both for one version"
    )]
    BufferBlock {
        /// The variant.
        file: String,
        /// The cause.
        error: BufferBlockError,
        /// A variant of the latest version.
        other: String,
    },
    /// A type that a module can have only once, with different decorations.
    #[error("{first} and {second} decorate {type_} differently, and a module can have it only once")]
    Type {
        /// The first variant.
        first: String,
        /// Another variant.
        second: String,
        /// The name of the type's opcode.
        type_: String,
    },
    /// A condition is out of bounds.
    #[error(transparent)]
    Condition(#[from] ConditionError),
    /// A condition cannot be written.
    #[error(transparent)]
    Unwritable(#[from] UnwritableCondition),
    /// Too many ids.
    #[error("the result would have more than {MAX_BOUND} ids")]
    Bound,
}

/// A variant to merge.
#[derive(Clone, Copy, Debug)]
pub struct MergeInput<'m> {
    /// Name in messages, such as its path.
    pub name: &'m str,
    /// The module.
    pub module: &'m Module<'m>,
    /// The condition under which the variant is chosen if no earlier variant is; `None` for all remaining devices. The
    /// number of a constant in it is the index of a device constant.
    pub condition: Option<&'m Expr>,
}

/// A variant of the result.
#[derive(Clone, Debug)]
pub struct ChosenVariant {
    /// The index of the input.
    pub input: usize,
    /// The condition under which it is chosen, in the arena of the result.
    pub condition: ConditionId,
    /// The words that only this variant has.
    pub own_words: usize,
}

/// The result of [`merge`].
pub struct MergedModule {
    /// The words of the module.
    pub words: Vec<u32>,
    /// The variants that some device chooses.
    pub variants: Vec<ChosenVariant>,
    /// The indices of the inputs that no device chooses.
    pub never_chosen: Vec<usize>,
    /// The condition under which any variant is chosen.
    pub any: ConditionId,
    /// The specialization constants of leaves: SpecId and leaf.
    pub leaves: Vec<(u32, Leaf)>,
    /// The words of functions and definitions that several variants have.
    pub shared_words: usize,
    /// The arena of the conditions.
    pub conditions: Conditions,
    /// The form of each variant, without its condition.
    pub forms: Vec<VariantForm>,
    /// The number of notes: OpString, OpSource, OpSourceExtension and OpModuleProcessed.
    pub notes: u32,
}

/// Merges variants. Each device gets the first variant whose condition holds.
///
/// # Errors
/// See [`MergeError`].
pub fn merge(inputs: &[MergeInput], dialect: Dialect) -> Result<MergedModule, MergeError> {
    let mut conditions = Conditions::new();
    let (mut variants, mut never_chosen) = (Vec::new(), Vec::new());
    let mut any = ConditionId::FALSE;
    for (at, input) in inputs.iter().enumerate() {
        let chosen_by_input = match input.condition {
            Some(expr) => conditions.of_expr(expr)?,
            None => ConditionId::TRUE,
        };
        let before = conditions.not(any)?;
        let condition = conditions.and(chosen_by_input, before)?;
        any = conditions.or(any, chosen_by_input)?;
        match condition.is_false() {
            true => never_chosen.push(at),
            false => variants.push(ChosenVariant { input: at, condition, own_words: 0 }),
        }
    }
    let chosen: Vec<&MergeInput> = variants.iter().map(|variant| &inputs[variant.input]).collect();
    let raised = raise_all(&chosen)?;
    let module = |at: usize| raised[at].module.as_ref().unwrap_or(chosen[at].module);
    let indexed: Result<Vec<IndexedVariant>, MergeError> =
        chosen.iter().enumerate().map(|(at, input)| IndexedVariant::new(input.name, module(at))).collect();
    let indexed = indexed?;
    head::check(&indexed)?;
    let mut definitions = MergedDefinitions::new();
    for variant in indexed {
        definitions.add(variant)?;
    }
    definitions.clone_functions();
    let variant_conditions: Vec<ConditionId> = variants.iter().map(|variant| variant.condition).collect();
    let written = write::write(&mut definitions, &variant_conditions, &mut conditions, dialect)?;
    let mut shared_words = 0;
    for (set, words) in written.sizes {
        match definitions.sets.members(set) {
            &[only] => variants[only as usize].own_words += words,
            _ => shared_words += words,
        }
    }
    let mut forms: Vec<VariantForm> = Vec::new();
    for (at, input) in chosen.iter().enumerate() {
        let version = input.module.version_word();
        let buffer_blocks = raised[at].has_buffer_blocks;
        let mut form = VariantForm { version, buffer_blocks, ..VariantForm::default() };
        for (number, &set) in (0..).zip(&written.notes) {
            match form.notes.last_mut() {
                _ if !definitions.sets.contains(set, at as u32) => {}
                Some((first, count)) if *first + *count == number => *count += 1,
                _ => form.notes.push((number, 1)),
            }
        }
        forms.push(form);
    }
    let notes = written.notes.len() as u32;
    let (words, leaves) = (written.words, written.leaves);
    Ok(MergedModule { words, variants, never_chosen, any, leaves, shared_words, conditions, forms, notes })
}

/// A variant as one of the latest version among the variants.
struct RaisedVariant {
    /// The module; `None` if it is unchanged.
    module: Option<Module<'static>>,
    /// True if the variant has storage buffers that are BufferBlock.
    has_buffer_blocks: bool,
}

/// Replaces constructs that the latest version among the variants does not have.
fn raise_all(inputs: &[&MergeInput]) -> Result<Vec<RaisedVariant>, MergeError> {
    let (version, latest) = latest(inputs.iter().map(|input| input.module));
    let Some(latest) = inputs.get(latest) else { return Ok(Vec::new()) };
    // Specializing returns each variant with its own version and layouts. Until then, the result is no module for Vulkan.
    let rules = NewerRules::Spirv;
    let load =
        |words: Option<Vec<u32>>| words.map(Module::from_words).transpose().map_err(|_| MergeError::Bound);
    let raised = |input: &&MergeInput| {
        let (file, other) = (|| input.name.to_owned(), || latest.name.to_owned());
        let mut module = None;
        if version > buffer_blocks::LAST_VERSION && input.module.version_word() <= buffer_blocks::LAST_VERSION
        {
            let words = buffer_blocks::to_storage_buffers(input.module)
                .map_err(|error| MergeError::BufferBlock { file: file(), error, other: other() })?;
            module = load(words)?;
        }
        let has_buffer_blocks = module.is_some();
        if let Some(raised) = load(raise(module.as_ref().unwrap_or(input.module), version, rules))? {
            module = Some(raised);
        }
        match removed::find(module.as_ref().unwrap_or(input.module), version, rules) {
            None => Ok(RaisedVariant { module, has_buffer_blocks }),
            Some(removed) => Err(MergeError::Removed {
                file: file(),
                what: removed.name,
                last: removed.last(),
                other: other(),
            }),
        }
    };
    inputs.iter().map(raised).collect()
}
