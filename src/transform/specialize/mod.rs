//! Cuts a module down for a device: the consumer of SPV_INTEL_function_variants, and of specialization constants.
//!
//! The steps: evaluate conditions (`decisions`), scan the bodies with decisions (`bodies`), give constants their values (`freeze`), fold the
//! decided branches, find the definitions that only removed code used (`sweep`, by one `mark`), and write the edits (`rewrite`). Tables are indexed
//! by id; nothing is allocated per instruction.

mod attributes;
mod bodies;
mod decisions;
mod error;
mod freeze;
mod groups;
mod known_results;
mod limits;
mod live_uses;
mod local_values;
mod mark;
mod modes;
mod overrides;
mod parameters;
mod reflection;
mod report;
mod rewrite;
mod selections;
mod settings;
mod sweep;
#[cfg(test)]
pub(super) mod tests;
mod variable_writes;

pub use crate::analysis::constants::{KnownValues, Nothing, SetValues};
pub use error::SpecializeError;
pub use overrides::{overridden, override_constants};
#[cfg(test)]
pub use report::ConditionalItem;
pub use report::{SpecializeOutcome, UndecidedItem};
pub use settings::{
    ConstantKey, ConstantSetting, KeyedSetting, ResolvedSettings, assigned_values, has_constant,
    host_settings, host_values, parse_value, refuse_ambiguous_decision, refuse_unknown, resolve_settings,
    value_from_bytes,
};

use bitflags::bitflags;

use crate::analysis::conditions::multi_target::MultiTarget;
use crate::analysis::constants::Constants;
use crate::analysis::flow::Solution;
use crate::analysis::{Analyses, Annotated, ModuleScope, ReferenceGraph, UseCounts};
use crate::loader::{Function, Module, views};
use crate::transform::Edits;
use decisions::ConditionValues;
use freeze::freeze;

/// The result of [`specialize`].
#[derive(Clone, Debug)]
pub struct SpecializeResult {
    /// The changes to the module.
    pub edits: Edits,
    /// A summary of the changes.
    pub report: SpecializeOutcome,
}

/// The treatment of specialization constants without a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnsetPolicy {
    /// A condition that depends on them is an error, which names the constants.
    Error,
    /// Specialization constants stay, and code that depends on them stays conditional.
    Keep,
    /// Specialization constants take their default values, and become ordinary constants.
    Default,
}

/// The options of [`specialize`].
#[derive(Clone, Copy, Debug)]
pub struct SpecializeOptions<'s> {
    /// The treatment of conditions that nothing decides. `Error` keeps them like `Keep`: callers make errors of those that the report lists.
    pub unset: UnsetPolicy,
    /// True to keep variables with a binding and push constants, even if nothing uses them any more.
    pub keep_interface: bool,
    /// True for a module of merged builds, whose calls had no copies of their results: a call that is chosen gets the id of the copy.
    pub without_copies: bool,
    /// True to fold branches that are decided without any constants, too, as in functions that were cloned for calls with constants.
    pub folds_all: bool,
    /// The outcome of these values in the module, if it is known.
    pub solution: Option<&'s Solution>,
}

impl Default for SpecializeOptions<'_> {
    fn default() -> Self {
        UnsetPolicy::Keep.into()
    }
}

impl From<UnsetPolicy> for SpecializeOptions<'_> {
    fn from(unset: UnsetPolicy) -> Self {
        SpecializeOptions {
            unset,
            keep_interface: false,
            without_copies: false,
            folds_all: false,
            solution: None,
        }
    }
}

/// The state that the steps share.
struct SpecializeContext<'m> {
    module: &'m Module<'m>,
    annotated: &'m Annotated,
    multi_target: &'m MultiTarget,
    scope: &'m ModuleScope,
    references: &'m ReferenceGraph,
    uses: &'m UseCounts,
    constants: Constants<'m>,
    condition_values: ConditionValues<'m>,
    keep_interface: bool,
    without_copies: bool,
    folds_all: bool,
    solution: Option<&'m Solution>,
    /// True to freeze the constants that no host can set, even if nothing else is decided.
    freezes_all: bool,
    flags: IdFlags,
    /// Ids that a false condition removed, except those inside functions.
    removed: Vec<u32>,
    /// The calls that a false condition removed, as offsets in order.
    dropped: Vec<u32>,
    /// Ids that stay whether something uses them or not.
    kept: Vec<u32>,
    /// True if something may have lost a use.
    has_changed: bool,
    report: SpecializeOutcome,
}

/// Specializes a module for a device: known conditions are decided, the others are kept.
///
/// `known` holds the known facts of the device and of the constants that the host sets; `set` are values of specialization
/// constants by SpecId, which become ordinary constants. Branches on decided constants, or on values computed from them, are folded, and
/// unreachable blocks are removed. This works on any module.
///
/// Annotations are not applied, so the functions that they name as replacements of others are kept: they are called only once
/// annotations are applied (`expand`).
///
/// # Errors
/// If the module breaks the rules of the extension so that no valid result exists, or if `set` does not fit the module.
/// See `SpecializeError`.
pub fn specialize(
    analyses: &Analyses,
    known: &dyn KnownValues,
    set: impl Into<SetValues>,
    options: SpecializeOptions,
) -> Result<SpecializeResult, SpecializeError> {
    let set = set.into();
    let (module, multi_target) = (analyses.module(), analyses.multi_target()?);
    let has_constants = || module.spec_ids().next().is_some() || !analyses.module_scope().computed.is_empty();
    let defaults = options.unset == UnsetPolicy::Default && has_constants();
    if multi_target.is_empty() && set.is_empty() && !defaults && !knows_constants(module, known) {
        return Ok(SpecializeResult {
            edits: Edits::new(module),
            report: SpecializeOutcome {
                open: module.spec_ids().map(views::SpecId::spec_id).collect(),
                ..SpecializeOutcome::default()
            },
        });
    }
    let mut edits = Edits::new(module);
    let mut context = SpecializeContext {
        module,
        annotated: analyses.annotated(),
        multi_target,
        scope: analyses.module_scope(),
        references: analyses.references(),
        uses: analyses.use_counts(),
        constants: Constants::with(module, known, set, analyses.spec_constants_by_id().into()),
        condition_values: ConditionValues::default(),
        keep_interface: options.keep_interface,
        without_copies: options.without_copies,
        folds_all: options.folds_all,
        solution: options.solution,
        freezes_all: defaults,
        flags: IdFlags::new(module),
        removed: Vec::new(),
        dropped: Vec::new(),
        kept: Vec::new(),
        has_changed: false,
        report: SpecializeOutcome { multi_target: !multi_target.is_empty(), ..SpecializeOutcome::default() },
    };
    settings::check(&context, analyses)?;
    if defaults {
        context.report.defaulted = context.constants.set_defaults();
    }
    decisions::decide(&mut context)?;
    decisions::remove_describing(&mut context);
    let frozen = freeze(&mut context);
    reflection::find(&mut context);
    let mut bodies = bodies::change(&mut context, analyses, &frozen);
    let attributes = attributes::collect(&mut context, &frozen, &bodies);
    sweep::sweep(&mut context, analyses, &mut bodies, &attributes)?;
    if let Some((_, problem)) = bodies.problems.iter().find(|(at, _)| !bodies.is_removed(&context, *at)) {
        return Err(problem.describe(module));
    }
    limits::check(&mut context, analyses, &bodies, &frozen)?;
    rewrite::rewrite(&mut context, &mut bodies, &attributes, &frozen, &mut edits)?;
    reflection::write(&mut context, &mut edits);
    rewrite::settle_decided(&context, analyses, &mut edits);
    rewrite::write_functions(&mut context, &bodies, &mut edits);
    Ok(SpecializeResult { edits, report: context.report })
}

impl SpecializeContext<'_> {
    /// Keeps an id whether something uses it or not.
    fn keep(&mut self, id: u32) {
        self.flags.set(id, Flags::KEPT);
        self.kept.push(id);
    }
}

/// Returns true if a specialization constant of a module has a known value.
fn knows_constants(module: &Module, known: &dyn KnownValues) -> bool {
    module.spec_ids().any(|decorated| known.spec_constant(decorated.spec_id()).is_some())
}

bitflags! {
    /// Facts about an id.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Flags: u8 {
        /// Removed: by a false condition, inside a removed function, or with the id that it describes.
        const REMOVED = 1 << 0;
        /// Removed since nothing uses it any more.
        const UNUSED = 1 << 1;
        /// Never removed since nothing uses it: it has a meaning without any use.
        const KEPT = 1 << 2;
        /// Decorated Location or Component: it is kept where an interface list names it.
        const LOCATED = 1 << 3;
        /// A constant of known value that becomes an ordinary one.
        const DECIDED = 1 << 4;
        /// Has a decoration that is kept.
        const DECORATED = 1 << 5;
        /// A function with an entry point that is kept.
        const ENTRY = 1 << 6;
        /// A function that changes.
        const CHANGED = 1 << 7;
    }
}

/// The flags of each id, as bits.
pub struct IdFlags {
    flags: Vec<u8>,
}

impl IdFlags {
    /// Starts without flags.
    fn new(module: &Module) -> IdFlags {
        IdFlags { flags: module.table_by_id() }
    }

    #[inline]
    pub fn has(&self, id: u32, flags: Flags) -> bool {
        self.flags[id as usize] & flags.bits() != 0
    }

    #[inline]
    pub fn set(&mut self, id: u32, flags: Flags) {
        self.flags[id as usize] |= flags.bits();
    }

    #[inline]
    pub fn clear(&mut self, id: u32, flags: Flags) {
        self.flags[id as usize] &= !flags.bits();
    }

    /// Copies some flags from one id to another.
    pub fn inherit(&mut self, from: u32, to: u32, flags: Flags) {
        let inherited = self.flags[from as usize] & flags.bits();
        self.flags[to as usize] |= inherited;
    }

    /// Removes the results of the body of a removed function.
    pub fn remove_results(&mut self, module: &Module, function: &Function) {
        let results = module.body(function).skip(1).filter_map(|inst| inst.result_id());
        results.for_each(|id| self.set(id, Flags::REMOVED));
    }

    /// Returns true if an id is not in the result. Meaningful once the sweep is done.
    #[inline]
    pub fn is_removed(&self, id: u32) -> bool {
        self.has(id, Flags::REMOVED.union(Flags::UNUSED))
    }
}
