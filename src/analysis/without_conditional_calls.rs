//! In place of `conditional_calls`, without the features `inspect` and `pack`: a module with conditional code is refused.

use super::conditional::callers::callers;
use super::conditional::calls::ConditionalCalls;
use super::conditional::error::AnalysisError;
use super::conditions::predicates::{PredicateTable, has_tables};
use super::context::Analyses;
use crate::loader::views;

impl Analyses<'_> {
    /// Refuses modules with tables of predicates.
    pub(super) fn find_tables(&self) -> Result<Vec<PredicateTable>, AnalysisError> {
        if has_tables(self.module()) { Err(AnalysisError::NotPacked) } else { Ok(Vec::new()) }
    }

    /// Returns no calls: modules that have some are refused.
    pub(super) fn find_calls(&self) -> Result<ConditionalCalls, AnalysisError> {
        self.calls_without_regions().cloned()
    }

    /// Refuses modules with conditional calls, and bound constants.
    pub(super) fn find_calls_without_regions(&self) -> Result<ConditionalCalls, AnalysisError> {
        self.predicates()?;
        if self.has_no_calls() {
            return Ok(ConditionalCalls::default());
        }
        let (module, annotated) = (self.module(), self.annotated());
        let callers = callers(module, self.names(), self.properties());
        let is_conditional =
            |call: views::FunctionCall| callers.iter().any(|(function, _)| function.id == call.callee());
        let mut all_calls = module.functions().iter().flat_map(|function| module.body(function));
        let is_called = !callers.is_empty()
            && all_calls.any(|inst| views::FunctionCall::new(inst).is_some_and(is_conditional));
        let is_annotated =
            !annotated.when.is_empty() || !annotated.calls.is_empty() || !annotated.spec_constants.is_empty();
        if is_called || is_annotated {
            Err(AnalysisError::NotPacked)
        } else {
            Ok(ConditionalCalls::default())
        }
    }
}
