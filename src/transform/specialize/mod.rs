//! Cuts a multi-target module down for a device: the consumer of SPV_INTEL_function_variants.
//!
//! Decide (`decisions`), look at every body once (`bodies`), find what only the removed code needed (`sweep`), and write
//! the edits (`rewrite`). Tables are indexed by id; nothing is allocated per instruction.

mod attributes;
mod bodies;
mod decisions;
mod error;
mod marks;
mod nonsemantic;
mod report;
mod rewrite;
mod sweep;

pub use crate::analysis::constants::{Known, Nothing, Unset, Waits};
pub use error::SpecializeError;
pub use report::{Report, Undecided, What};

use crate::analysis::conditionals::Conditionals;
use crate::analysis::constants::Constants;
use crate::loader::Module;
use crate::transform::Edits;
use marks::Marks;

/// How to specialize.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// What becomes of conditions that depend on a specialization constant that nobody set.
    pub unset: Unset,
    /// Whether it is an error if anything stays conditional.
    pub require_decided: bool,
}

/// What [`specialize`] found.
#[derive(Clone, Debug)]
pub struct Specialized {
    /// The changes to the module.
    pub edits: Edits,
    /// What they amount to.
    pub report: Report,
}

/// What the steps share.
struct Work<'m> {
    module: &'m Module<'m>,
    conditionals: &'m Conditionals,
    constants: Constants<'m>,
    marks: Marks,
    /// Ids that a decision removed, those inside functions left out.
    removed: Vec<u32>,
    /// What removed or rewritten instructions referred to.
    seeds: Vec<u32>,
    report: Report,
}

/// Works out what becomes of a module on a device: every condition whose value is known is decided, the others stay.
///
/// `known` tells what is known of the device and of the constants that the host sets; `set` are values of specialization
/// constants by SpecId, which become ordinary constants. A module that has nothing of the extension only has its constants
/// set.
///
/// # Errors
/// Where the input breaks the extension's rules so that no valid module can come out, where `set` does not fit the module,
/// and where [`Options::require_decided`] asks for more than is known. See [`SpecializeError`].
pub fn specialize(
    module: &Module,
    known: &dyn Known,
    set: &[(u32, u64)],
    options: &Options,
) -> Result<Specialized, SpecializeError> {
    let conditionals = Conditionals::find(module)?;
    let mut edits = Edits::new(module);
    if conditionals.is_empty() && set.is_empty() {
        return Ok(Specialized { edits, report: Report::default() });
    }
    let mut work = Work {
        module,
        conditionals: &conditionals,
        constants: Constants::new(module, known, set, options.unset),
        marks: Marks::new(module),
        removed: Vec::new(),
        seeds: Vec::new(),
        report: Report { multi_target: !conditionals.is_empty(), ..Report::default() },
    };
    decisions::check_given(&work, set)?;
    decisions::decide(&mut work)?;
    nonsemantic::cascade(&mut work);
    let bodies = bodies::scan(&mut work);
    decisions::freeze(&mut work);
    let attributes = attributes::collect(&mut work);
    sweep::sweep(&mut work, &bodies, &attributes)?;
    if let Some((_, problem)) = bodies.problems.iter().find(|(at, _)| !bodies.is_gone(&work, *at)) {
        return Err(problem.describe(module));
    }
    rewrite::rewrite(&mut work, &bodies, &attributes, &mut edits)?;
    if options.require_decided && !work.report.undecided.is_empty() {
        return Err(SpecializeError::undecided(module, &work.report.undecided));
    }
    Ok(Specialized { edits, report: work.report })
}
