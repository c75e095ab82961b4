//! Causes of missing features of every kind, root by root.

use super::context::{InspectContext, InspectionError};
use super::places::NumberCauseFinder;
use super::question::WhySubject;
use super::why::{CauseFinder, RequirementCause};
use spirv_if::engine::analysis::ModuleRoot;
use spirv_if::error::Missing;

/// Finds the cause of a root's requirement of a missing feature. Data that does not depend on roots is found once.
pub(super) struct MissingCauseFinder<'m> {
    causes: CauseFinder<'m>,
    numbers: NumberCauseFinder<'m>,
}

impl<'m> MissingCauseFinder<'m> {
    pub(super) fn new(context: &InspectContext<'m, '_>) -> MissingCauseFinder<'m> {
        MissingCauseFinder { causes: CauseFinder::new(context), numbers: NumberCauseFinder::new(context) }
    }

    /// Returns the first cause for which a root requires a missing feature; `None` if no code requires it.
    ///
    /// # Errors
    /// If a condition is out of bounds.
    pub(super) fn find(
        &mut self,
        context: &mut InspectContext<'m, '_>,
        root: &ModuleRoot<'m>,
        missing: &Missing,
    ) -> Result<Option<RequirementCause>, InspectionError> {
        match WhySubject::of_missing(missing) {
            Some(question) => Ok(self.causes.find(context, root, &question)?.into_iter().next()),
            None => Ok(self.numbers.find(context, root, missing)),
        }
    }
}
