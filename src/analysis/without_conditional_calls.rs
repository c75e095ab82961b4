//! In place of `conditional_calls`, without the features `inspect` and `pack`: a module with conditional calls is refused.

use super::conditional::callers::callers;
use super::conditional::calls::ConditionalCalls;
use super::conditional::error::AnalysisError;
use super::conditional::guarded_regions::GuardedRegions;
use super::context::Analyses;
use crate::loader::views;

impl Analyses<'_> {
    /// Finds the regions that bound constants guard, where no call is conditional.
    pub(super) fn find_calls(&self) -> Result<ConditionalCalls, AnalysisError> {
        self.predicates()?;
        let mut calls = ConditionalCalls::default();
        if self.has_no_calls() {
            return Ok(calls);
        }
        let (module, annotated) = (self.module(), self.annotated());
        let callers = callers(module, self.names(), self.properties());
        let is_conditional =
            |call: views::FunctionCall| callers.iter().any(|(function, _)| function.id == call.callee());
        let mut all_calls = module.functions().iter().flat_map(|function| module.body(function));
        let is_called = !callers.is_empty()
            && all_calls.any(|inst| views::FunctionCall::new(inst).is_some_and(is_conditional));
        if is_called || !annotated.when.is_empty() || !annotated.calls.is_empty() {
            return Err(AnalysisError::NotPacked);
        }
        calls.regions = GuardedRegions::constants(module, annotated);
        if !calls.regions.constants.is_empty() {
            calls.regions.find(module, self.names(), self.flow())?;
        }
        Ok(calls)
    }
}
