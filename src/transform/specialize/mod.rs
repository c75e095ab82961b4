//! Cuts a module down for a device: the consumer of SPV_INTEL_function_variants, and of specialization constants.
//!
//! Decide (`decisions`), look at every body once (`bodies`), give constants their values (`freeze`), fold the branches that
//! these decide (`branches`), find what only the removed code needed (`sweep`), and write the edits (`rewrite`). Tables are
//! indexed by id; nothing is allocated per instruction.

mod attributes;
mod bodies;
mod branches;
mod decisions;
mod error;
mod freeze;
mod marks;
mod nonsemantic;
mod report;
mod rewrite;
mod sweep;
#[cfg(test)]
pub(super) mod tests;

pub use crate::analysis::constants::{Known, Nothing, Unset};
pub use decisions::values;
pub use error::SpecializeError;
#[cfg(test)]
pub use report::What;
pub use report::{Report, Undecided};

use spirv::{Decoration, Op};

use crate::analysis::conditions::multi_target::MultiTarget;
use crate::analysis::constants::Constants;
use crate::analysis::{Analyses, Annotated};
use crate::loader::Module;
use crate::transform::Edits;
use marks::Marks;

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
    annotated: &'m Annotated,
    multi_target: &'m MultiTarget,
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
/// constants by SpecId, which become ordinary constants. In functions that refer to constants that are decided, or to what is
/// computed of them, the branches that follow are folded, and what cannot run goes: this works on any module.
///
/// Annotations are not applied, so the functions that they name in the place of others stay: calls of them come when they are
/// ([`expand`](crate::transform::expand::expand)).
///
/// # Errors
/// Where the input breaks the extension's rules so that no valid module can come out, and where `set` does not fit the module.
/// See [`SpecializeError`].
pub fn specialize(
    analyses: &Analyses,
    known: &dyn Known,
    set: &[(u32, u64)],
    unset: Unset,
) -> Result<Specialized, SpecializeError> {
    let (module, multi_target) = (analyses.module(), analyses.multi_target()?);
    let mut edits = Edits::new(module);
    if multi_target.is_empty() && set.is_empty() && !knows_constants(module, known) {
        return Ok(Specialized {
            edits,
            report: Report { open: spec_ids(module).collect(), ..Report::default() },
        });
    }
    let mut work = Work {
        module,
        annotated: analyses.annotated(),
        multi_target,
        constants: Constants::new(module, known, set, unset),
        marks: Marks::new(module),
        removed: Vec::new(),
        seeds: Vec::new(),
        report: Report { multi_target: !multi_target.is_empty(), ..Report::default() },
    };
    decisions::check_given(&work, set)?;
    decisions::decide(&mut work)?;
    nonsemantic::cascade(&mut work);
    let mut bodies = bodies::scan(&mut work);
    let frozen = freeze::freeze(&mut work);
    branches::fold(&mut work, &mut bodies, &frozen);
    let attributes = attributes::collect(&mut work, &frozen);
    sweep::sweep(&mut work, &bodies, &attributes)?;
    if let Some((_, problem)) = bodies.problems.iter().find(|(at, _)| !bodies.is_gone(&work, *at)) {
        return Err(problem.describe(module));
    }
    rewrite::rewrite(&mut work, &bodies, &attributes, &frozen, &mut edits)?;
    Ok(Specialized { edits, report: work.report })
}

/// Whether a specialization constant of a module has a known value.
fn knows_constants(module: &Module, known: &dyn Known) -> bool {
    spec_ids(module).any(|spec_id| known.spec_constant(spec_id).is_some())
}

/// The SpecIds of a module.
fn spec_ids(module: &Module) -> impl Iterator<Item = u32> {
    let decorations = module.globals().filter(|inst| inst.is(Op::Decorate));
    decorations.filter(|inst| inst.word(2) == Decoration::SpecId as u32).map(|inst| inst.word(3))
}
