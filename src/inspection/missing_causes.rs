//! Causes of missing features of every kind, for one root after the other.

use super::context::{InspectContext, InspectionError};
use super::places::NumberCauseFinder;
use super::question::WhySubject;
use super::why::{CauseFinder, RequirementCause};
use crate::analysis::ModuleRoot;
use crate::compatibility::Missing;

/// Finds the cause for which a root requires a missing feature. What does not depend on roots is found once.
pub(super) struct MissingCauseFinder<'m, 'w> {
    causes: CauseFinder<'m>,
    numbers: NumberCauseFinder<'m>,
    /// The module in terms of uses of Vulkan features, when one was asked for.
    vulkan: Option<(InspectContext<'m, 'w>, CauseFinder<'m>)>,
}

impl<'m, 'w> MissingCauseFinder<'m, 'w> {
    pub(super) fn new(context: &InspectContext<'m, 'w>) -> MissingCauseFinder<'m, 'w> {
        MissingCauseFinder {
            causes: CauseFinder::new(context),
            numbers: NumberCauseFinder::new(context),
            vulkan: None,
        }
    }

    /// Returns the first cause for which a root requires a missing feature; `None` if no code requires it.
    ///
    /// # Errors
    /// If a condition is out of bounds.
    pub(super) fn find(
        &mut self,
        context: &mut InspectContext<'m, 'w>,
        root: &ModuleRoot<'m>,
        missing: &Missing,
    ) -> Result<Option<RequirementCause>, InspectionError> {
        let causes = match WhySubject::of_missing(missing) {
            Some(question @ WhySubject::VulkanUses(_)) => {
                let (mut of_uses, causes) = match self.vulkan.take() {
                    Some(found) => found,
                    None => {
                        let of_uses = context.for_vulkan_uses()?;
                        let causes = CauseFinder::new(&of_uses);
                        (of_uses, causes)
                    }
                };
                let found = causes.find(&mut of_uses, root, &question)?;
                self.vulkan = Some((of_uses, causes));
                found
            }
            Some(question) => self.causes.find(context, root, &question)?,
            None => return Ok(self.numbers.find(context, root, missing)),
        };
        Ok(causes.into_iter().next())
    }
}
