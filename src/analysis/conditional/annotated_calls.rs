//! Calls that annotations make conditional.

use std::collections::HashSet;

use spirv::Op;

use super::calls::{Action, ConditionalCall, ConditionalCalls};
use super::error::AnalysisError;
use super::guarded_regions::GuardedRegions;
use crate::analysis::annotated::Annotated;
use crate::analysis::constants::store_forwarding::StoreForwarding;
use crate::analysis::debug::names::Names;
use crate::collections::sort_by_key;
use crate::condition::Expr;
use crate::loader::{Module, views};

impl ConditionalCalls {
    /// Adds the calls that annotations give a condition, and the constants that they bind.
    ///
    /// # Errors
    /// If the result of such a call is used, and undefined where the condition does not hold.
    pub(crate) fn add_annotated(
        &mut self,
        module: &Module,
        names: &Names,
        annotated: &Annotated,
    ) -> Result<(), AnalysisError> {
        self.regions = GuardedRegions::constants(module, annotated);
        if annotated.when.is_empty() && annotated.calls.is_empty() {
            return Ok(());
        }
        let joined: HashSet<u32> = annotated.joins.values().flatten().map(|&(_, result)| result).collect();
        for function in module.functions() {
            let mut stores = None;
            for call in module.body(function).filter_map(views::FunctionCall::new) {
                let callee = call.callee();
                let when = annotated.calls.get(&call.id()).or_else(|| annotated.when.get(&callee));
                let Some(condition) = when else { continue };
                let is_void = module.definition_as(call.type_id(), Op::TypeVoid).is_some();
                let (mut otherwise, last) = annotated.instead_of(callee);
                if let Some(last) = last
                    && !is_void
                    && !joined.contains(&call.id())
                {
                    let stores = stores.get_or_insert_with(|| StoreForwarding::new(module, function));
                    if stores.is_used(call.id()) {
                        return Err(AnalysisError::NoOtherwise {
                            function: names.display(last),
                            caller: names.display(function.id),
                            offset: u64::from(call.offset()) * 4,
                        });
                    }
                }
                if is_void {
                    otherwise.retain(|(_, otherwise)| otherwise.function().is_some());
                }
                self.calls.push(ConditionalCall { otherwise, ..direct(function.id, call, condition) });
            }
        }
        sort_by_key(&mut self.calls, |call| call.call);
        Ok(())
    }
}

/// Returns a conditional call of the function that it names.
fn direct(holder: u32, call: views::FunctionCall, condition: &Expr) -> ConditionalCall {
    ConditionalCall {
        holder,
        call: call.offset(),
        caller: call.callee(),
        function: call.callee(),
        action: Action::Caller,
        condition: condition.clone(),
        passed: 4..call.words().len(),
        stated: 0..0,
        carriers: Vec::new(),
        otherwise: Vec::new(),
        movable: None,
        stuck: Vec::new(),
    }
}
