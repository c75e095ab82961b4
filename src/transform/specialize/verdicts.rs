//! The values of the conditions of a module, each found once.

use super::decisions::verdict;
use super::{SpecializeError, Work};
#[cfg(doc)]
use crate::analysis::conditions::multi_target::MultiTarget;

/// The values of all conditions but those of copies.
#[derive(Default)]
pub struct Verdicts<'m> {
    /// In order.
    conditions: &'m [u32],
    values: Vec<Option<bool>>,
}

impl Verdicts<'_> {
    /// Evaluates the conditions.
    ///
    /// # Errors
    /// If one of them is no Boolean constant.
    pub fn find(work: &mut Work) -> Result<(), SpecializeError> {
        let conditions = work.multi_target.all_conditions();
        let evaluate = |&condition: &u32| verdict(work.module, &mut work.constants, condition);
        let values: Result<_, _> = conditions.iter().map(evaluate).collect();
        let values = values.map_err(|problem| problem.describe(work.module))?;
        work.verdicts = Verdicts { conditions, values };
        Ok(())
    }

    /// The value of a condition, if it is known. Nothing is known of the condition of what stands between functions, where no valid module has any.
    pub fn of(&self, condition: u32) -> Option<bool> {
        self.values[self.conditions.binary_search(&condition).ok()?]
    }

    /// The value of the condition with a number ([`MultiTarget::condition_number`]), if it is known.
    #[inline]
    pub fn of_number(&self, number: usize) -> Option<bool> {
        self.values[number]
    }

    /// The conditions whose value is known.
    pub fn decided(&self) -> impl Iterator<Item = u32> {
        let all = self.conditions.iter().zip(&self.values);
        all.filter(|(_, value)| value.is_some()).map(|(&condition, _)| condition)
    }
}
