//! Calls that are conditional because an annotation says so.

use std::collections::HashSet;

use spirv::Op;

use super::calls::{Action, ConditionalCall, ConditionalCalls};
use super::error::AnalysisError;
use super::guarded_regions::GuardedRegions;
use crate::analysis::annotated::Annotated;
use crate::analysis::constants::store_forwarding::StoreForwarding;
use crate::analysis::debug::names::Names;
use crate::condition::Expr;
use crate::loader::{Instruction, Module};

impl ConditionalCalls {
    /// Adds what annotations say: the calls of functions that have a condition, and what constants stand for.
    ///
    /// # Errors
    /// Where a call of a function with a condition must have a result, and nothing says which it is where the condition does not
    /// hold.
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
            let mut locals = None;
            for inst in module.body(function).filter(|inst| inst.is(Op::FunctionCall)) {
                let callee = inst.word(3);
                let when = annotated.calls.get(&inst.word(2)).or_else(|| annotated.when.get(&callee));
                let Some(condition) = when else { continue };
                let is_void = module.definition_as(inst.word(1), Op::TypeVoid).is_some();
                let (mut otherwise, last) = annotated.instead_of(callee);
                if let Some(last) = last
                    && !is_void
                    && !joined.contains(&inst.word(2))
                {
                    let locals = locals.get_or_insert_with(|| StoreForwarding::new(module, function));
                    if locals.is_used(inst.word(2)) {
                        return Err(AnalysisError::NoOtherwise {
                            function: names.display(last),
                            caller: names.display(function.id),
                            offset: u64::from(inst.offset()) * 4,
                        });
                    }
                }
                if is_void {
                    otherwise.retain(|(_, otherwise)| otherwise.function().is_some());
                }
                self.calls.push(ConditionalCall { otherwise, ..direct(function.id, &inst, condition) });
            }
        }
        self.calls.sort_by_key(|call| call.call);
        Ok(())
    }
}

fn direct(holder: u32, inst: &Instruction, condition: &Expr) -> ConditionalCall {
    ConditionalCall {
        holder,
        call: inst.offset(),
        caller: inst.word(3),
        function: inst.word(3),
        action: Action::Caller,
        condition: condition.clone(),
        passed: 4..inst.words().len(),
        carriers: Vec::new(),
        otherwise: Vec::new(),
    }
}
