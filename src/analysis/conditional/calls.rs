//! Conditional calls: the calls that are taken only where a condition holds, and their actions (docs/design/device-if.md, "Phase 2").

use std::collections::BTreeSet;
use std::ops::Range;

use super::guarded_regions::GuardedRegions;
use super::wrapper::Wrapper;
use crate::analysis::annotated::Otherwise;
use crate::analysis::requirements::RequirementId;
use crate::collections::{IdMap, OrderedMap};
use crate::condition::{ConditionError, Conditions, Expr, Leaf};
use crate::loader::{Module, views};

/// The way from a conditional call to its action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// The action is the function that the conditional caller's body calls; the body prepares its arguments.
    Wrapped(Wrapper),
    /// The action is the function that the first argument points to.
    Pointer,
    /// The action is the called function itself: the compiler moved its body into the conditional caller, or an annotation gives
    /// the call its condition.
    Caller,
}

/// A call that is taken only where a condition holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionalCall {
    /// The function that holds the call.
    pub holder: u32,
    /// The OpFunctionCall, as an offset.
    pub call: u32,
    /// The conditional caller.
    pub caller: u32,
    /// The conditional action: the function that is called in the end.
    pub function: u32,
    /// The way to the action.
    pub action: Action,
    /// The condition under which the call is taken.
    pub condition: Expr,
    /// The words of the call that hold the arguments, without those of the condition. They are the arguments of the
    /// conditional caller for `Action::Wrapped`, and otherwise those of the action.
    pub passed: Range<usize>,
    /// The words of the call that hold the condition.
    pub stated: Range<usize>,
    /// Instructions of the holder that serve only to pass the condition, as offsets.
    pub carriers: Vec<u32>,
    /// The replacements of the call where the condition does not hold, each with its own condition. The first whose condition holds is
    /// called.
    pub otherwise: Vec<(Expr, Otherwise)>,
    /// The offsets of the holder's instructions that move with the call into a new function, in order. They only prepare its arguments, or
    /// those of other calls that move. `None` if the call does not move.
    pub movable: Option<Vec<u32>>,
    /// The requirements that the condition promises and that the holder has only for what prepares the arguments of this call and cannot move.
    pub stuck: Vec<RequirementId>,
}

impl ConditionalCall {
    /// Returns the arguments that the call passes on. An argument has a type if it must be cast to the type of the action's parameter: a
    /// frontend passes a function pointer on without its parameters' types.
    pub fn casts<'m>(&self, module: &'m Module) -> impl Iterator<Item = (u32, Option<u32>)> + use<'m> {
        let passed = &module.instruction(self.call).words()[self.passed.clone()];
        let action = module.function(self.function).into_iter();
        let parameters = action.flat_map(|action| module.parameters(action)).map(views::FunctionParameter);
        let parameter_types = parameters.map(|parameter| parameter.type_id());
        passed.iter().zip(parameter_types).map(|(&argument, parameter_type)| {
            let argument_type = module.type_of(argument);
            (argument, (argument_type != Some(parameter_type)).then_some(parameter_type))
        })
    }
}

/// The conditional calls of a module, and its guarded regions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConditionalCalls {
    /// The calls, in the order of the module.
    pub calls: Vec<ConditionalCall>,
    /// Conditional callers with a body that nothing calls: a compiler has inlined them.
    pub uncalled: Vec<u32>,
    /// Conditional callers that are called and are their own actions, by their names or properties.
    pub inlined: BTreeSet<u32>,
    /// The bound specialization constants, and the regions that they guard.
    pub regions: GuardedRegions,
}

/// The conditional calls of a module without conditions.
pub static NOTHING: ConditionalCalls = ConditionalCalls {
    calls: Vec::new(),
    uncalled: Vec::new(),
    inlined: BTreeSet::new(),
    regions: GuardedRegions { constants: IdMap::new(), functions: OrderedMap::new() },
};

impl ConditionalCalls {
    /// Returns true if nothing in the module is conditional beyond its existing conditions.
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty() && self.regions.is_empty()
    }

    /// Replaces the leaves that are known of all of some devices by their values, and brings conditions into canonical form.
    ///
    /// # Errors
    /// If a condition is too large.
    pub fn assume(&mut self, known: &[&dyn Fn(Leaf) -> Option<bool>]) -> Result<(), ConditionError> {
        let mut conditions = Conditions::new();
        let of_calls = self.calls.iter_mut().flat_map(|call| {
            std::iter::once(&mut call.condition)
                .chain(call.otherwise.iter_mut().map(|(condition, _)| condition))
        });
        for expr in of_calls.chain(self.regions.constants.values_mut().map(|bound| &mut bound.condition)) {
            let condition = conditions.of_expr(expr)?;
            let restricted = conditions.restrict_for_all(condition, known)?;
            *expr = conditions.expr_of(restricted)?;
        }
        Ok(())
    }

    /// Returns the conditional callers whose calls become calls of their actions.
    pub fn replaced(&self) -> BTreeSet<u32> {
        self.calls.iter().filter(|call| call.action != Action::Caller).map(|call| call.caller).collect()
    }

    /// Returns a copy without guarded regions and without movable instructions. Only whole functions can be made conditional without moving
    /// code.
    pub fn of_functions(&self) -> ConditionalCalls {
        let regions =
            GuardedRegions { constants: self.regions.constants.clone(), ..GuardedRegions::default() };
        let calls = self.calls.iter().cloned().map(|call| ConditionalCall {
            movable: None,
            stuck: Vec::new(),
            ..call
        });
        let (uncalled, inlined) = (self.uncalled.clone(), self.inlined.clone());
        ConditionalCalls { calls: calls.collect(), uncalled, inlined, regions }
    }
}
