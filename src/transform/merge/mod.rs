//! Merging of variants: builds of one shader for different devices become one module, in which what differs is conditional. It is the
//! counterpart of specializing, which gives back the variant of a device.
//!
//! Each variant is read once ([`variant`]). What is equal in several of them is there once ([`union`]), under the condition of any of these; so
//! is a function of which only the callees differ ([`calls`]).

mod calls;
mod descriptions;
mod error;
mod head;
mod sets;
mod union;
mod variant;
mod write;

pub use error::MergeError;

use super::condition_constants::{DeviceConstant, Dialect};
use crate::condition::{Condition, Conditions, Expr, Leaf};
use crate::loader::Module;
use union::Union;
use variant::Variant;

/// A variant to merge.
#[derive(Clone, Copy, Debug)]
pub struct MergeInput<'m> {
    /// Its name in messages, such as its path.
    pub name: &'m str,
    /// The module.
    pub module: &'m Module<'m>,
    /// The condition under which it is chosen if no variant before it is; `None` for all remaining devices. The number of a constant in it is
    /// the index of a device constant.
    pub condition: Option<&'m Expr>,
}

/// A variant of the result.
#[derive(Clone, Debug)]
pub struct ChosenVariant {
    /// The index of the input.
    pub input: usize,
    /// The condition under which it is chosen, in the arena of the result.
    pub condition: Condition,
    /// The words that only this variant has.
    pub own_words: usize,
}

/// The result of [`merge`].
pub struct MergedModule {
    /// Its words.
    pub words: Vec<u32>,
    /// The variants that some device chooses.
    pub variants: Vec<ChosenVariant>,
    /// The indices of the inputs that no device chooses.
    pub never_chosen: Vec<usize>,
    /// The condition under which any variant is chosen.
    pub any: Condition,
    /// The specialization constants that stand for leaves: SpecId and leaf.
    pub leaves: Vec<(u32, Leaf)>,
    /// The words of functions and definitions that several variants have.
    pub shared_words: usize,
    /// The arena of the conditions.
    pub conditions: Conditions,
}

/// Merges variants. On each device, that is chosen which is the first whose condition holds.
///
/// # Errors
/// See [`MergeError`].
pub fn merge(
    inputs: &[MergeInput],
    device_constants: &[DeviceConstant],
    dialect: Dialect,
) -> Result<MergedModule, MergeError> {
    let mut conditions = Conditions::new();
    let (mut variants, mut never_chosen) = (Vec::new(), Vec::new());
    let mut any = Condition::FALSE;
    for (at, input) in inputs.iter().enumerate() {
        let own = match input.condition {
            Some(expr) => conditions.of_expr(expr)?,
            None => Condition::TRUE,
        };
        let before = conditions.not(any)?;
        let condition = conditions.and(own, before)?;
        any = conditions.or(any, own)?;
        match condition.is_false() {
            true => never_chosen.push(at),
            false => variants.push(ChosenVariant { input: at, condition, own_words: 0 }),
        }
    }
    let read: Vec<Variant> =
        variants.iter().map(|own| Variant::new(inputs[own.input].name, inputs[own.input].module)).collect();
    head::check(&read)?;
    let mut union = Union::new();
    for variant in read {
        union.add(variant)?;
    }
    union.clone_functions();
    let of_variants: Vec<Condition> = variants.iter().map(|own| own.condition).collect();
    let written = write::write(&mut union, &of_variants, &mut conditions, device_constants, dialect)?;
    let mut shared_words = 0;
    for (set, words) in written.sizes {
        match union.sets.members(set) {
            &[only] => variants[only as usize].own_words += words,
            _ => shared_words += words,
        }
    }
    let (words, leaves) = (written.words, written.leaves);
    Ok(MergedModule { words, variants, never_chosen, any, leaves, shared_words, conditions })
}
