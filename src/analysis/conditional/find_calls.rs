//! Finding conditional calls, with their conditions and actions (docs/design/device-if.md, "Phase 2").

use std::cell::LazyCell;
use std::collections::BTreeSet;

use spirv::Op;

use super::callers::callers;
use super::calls::{Action, ConditionalCall, ConditionalCalls};
use super::error::{AnalysisError, CallProblem};
use super::wrapper::Wrapper;
use crate::analysis::annotated::Annotated;
use crate::analysis::conditions::names::{CarriedCondition, read_series};
use crate::analysis::constants::store_forwarding::{StoreForwarding, constant_integer};
use crate::analysis::debug::names::Names;
use crate::analysis::sycl::properties::SyclProperties;
use crate::collections::IdMap;
use crate::condition::Expr;
use crate::loader::opcodes::passes_pointer;
use crate::loader::{Function, Module, views};

/// The maximum number of variables between a constant and its call, and of casts between a function pointer and its call.
const MAX_STEPS: usize = 8;

/// A conditional caller.
struct ConditionalCaller {
    /// The action and the way to it, unless they depend on the call.
    action: Option<(u32, Action)>,
    /// The condition in its name.
    carried: CarriedCondition,
    /// The number of trailing parameters that may hold the condition.
    condition: usize,
    called: bool,
}

impl ConditionalCalls {
    /// Finds the bound constants and the conditional calls of a module, including calls that annotations make conditional, but no guarded regions.
    ///
    /// # Errors
    /// If a conditional caller is not called with a Condition Expression, or the result of a call that is not taken is used and undefined.
    pub fn find(
        module: &Module,
        names: &Names,
        properties: &SyclProperties,
        annotated: &Annotated,
    ) -> Result<ConditionalCalls, AnalysisError> {
        tally!("conditional calls", module, annotated);
        let mut calls = ConditionalCalls::named(module, names, properties)?;
        calls.add_annotated(module, names, annotated)?;
        super::movable::find(module, &mut calls.calls);
        Ok(calls)
    }

    /// Returns the calls of functions that are conditional callers by their names or properties.
    fn named(
        module: &Module,
        names: &Names,
        properties: &SyclProperties,
    ) -> Result<ConditionalCalls, AnalysisError> {
        let functions = callers(module, names, properties);
        let ids: BTreeSet<u32> = functions.iter().map(|(function, _)| function.id).collect();
        let read = |(function, carried): (&Function, CarriedCondition)| {
            (function.id, ConditionalCaller::read(module, function, carried, &ids))
        };
        let mut callers: IdMap<ConditionalCaller> = functions.into_iter().map(read).collect();
        let mut all_calls = ConditionalCalls::default();
        if callers.is_empty() {
            return Ok(all_calls);
        }
        for function in module.functions() {
            let mut stores = None;
            let first = all_calls.calls.len();
            for call in module.body(function).filter_map(views::FunctionCall::new) {
                let Some(caller) = callers.get_mut(&call.callee()) else { continue };
                caller.called = true;
                let stores = stores.get_or_insert_with(|| StoreForwarding::new(module, function));
                let site = CallSite { module, names, stores, caller, call };
                all_calls.calls.push(site.read(function.id).map_err(|problem| AnalysisError::Call {
                    caller: names.display(function.id),
                    callee: names.display(call.callee()),
                    offset: u64::from(call.offset()) * 4,
                    problem: Box::new(problem),
                })?);
            }
            if let Some(stores) = &stores {
                pointer_casts(module, stores, &mut all_calls.calls[first..]);
            }
        }
        let uncalled = callers.into_iter().filter(|(_, caller)| !caller.called && caller.action.is_some());
        all_calls.uncalled = uncalled.map(|(id, _)| id).collect();
        let inlined = all_calls.calls.iter().filter(|call| call.action == Action::Caller);
        all_calls.inlined = inlined.map(|call| call.function).collect();
        Ok(all_calls)
    }
}

impl ConditionalCaller {
    fn read(
        module: &Module,
        function: &Function,
        carried: CarriedCondition,
        callers: &BTreeSet<u32>,
    ) -> ConditionalCaller {
        let parameters: Vec<views::FunctionParameter> =
            module.parameters(function).map(views::FunctionParameter).collect();
        let has_body = module.body(function).any(|inst| inst.is(Op::Label));
        // A caller of another conditional caller has its action inlined: the inner call has its own condition.
        let wrapper =
            Wrapper::read(module, function).filter(|wrapper| !callers.contains(&wrapper.action(module)));
        let stores = LazyCell::new(|| StoreForwarding::new(module, function));
        let is_read = |parameter: u32| match &wrapper {
            Some(wrapper) => wrapper.parameters.contains(&parameter),
            None => stores.is_read(parameter),
        };
        let holds_condition = |parameter: &&views::FunctionParameter| {
            is_integer(module, parameter.type_id()) && !(has_body && is_read(parameter.id()))
        };
        let condition = parameters.iter().rev().take_while(holds_condition).count();
        let action = match wrapper {
            Some(wrapper) => Some((wrapper.action(module), Action::Wrapped(wrapper))),
            None => has_body.then_some((function.id, Action::Caller)),
        };
        ConditionalCaller { action, carried, condition, called: false }
    }
}

/// The extent of a condition that is in the name of a conditional caller.
enum ConditionExtent {
    /// Only the name holds it.
    Name,
    /// The arguments hold it too.
    Both,
}

/// One call of a conditional caller.
struct CallSite<'s> {
    module: &'s Module<'s>,
    names: &'s Names<'s>,
    stores: &'s StoreForwarding<'s>,
    caller: &'s ConditionalCaller,
    call: views::FunctionCall<'s>,
}

impl CallSite<'_> {
    fn read(&self, holder: u32) -> Result<ConditionalCall, CallProblem> {
        let arguments = self.call.arguments();
        let integers = arguments.len().saturating_sub(self.caller.condition);
        let (pointer, first) = match self.caller.action {
            Some(_) => (None, integers),
            None => {
                let (function, parameter_count) = self.pointer(integers)?;
                (Some(function), 1 + parameter_count)
            }
        };
        let mut values = Vec::new();
        let mut carriers = Vec::new();
        for (at, &argument) in arguments.iter().enumerate().skip(first) {
            values.push(self.value(at, argument, &mut carriers));
        }
        let values = values.into_iter().collect::<Result<Vec<i32>, CallProblem>>();
        let (condition, first) = match self.named(&values)? {
            Some((condition, ConditionExtent::Both)) => (condition, first),
            // The other arguments are the action's own, although it does not read them.
            Some((condition, ConditionExtent::Name)) if pointer.is_none() => {
                carriers.clear();
                (condition, arguments.len())
            }
            Some((condition, ConditionExtent::Name)) if first == arguments.len() => (condition, first),
            _ => (series(&values?)?, first),
        };
        let (function, action, passed) = match (&self.caller.action, pointer) {
            (_, Some(function)) => (function, Action::Pointer, 5..4 + first),
            (Some((function, Action::Caller)), _) => (*function, Action::Caller, 4..4 + arguments.len()),
            (Some((function, action)), _) => (*function, action.clone(), 4..4 + first),
            (None, None) => return Err(CallProblem::NoPointer(self.names.display(self.call.callee()))),
        };
        let result = self.call.id();
        if self.stores.is_used(result) {
            return Err(CallProblem::ResultUsed(self.names.display(result)));
        }
        if action == Action::Caller {
            carriers.clear(); // The action still takes them.
        }
        carriers.sort_unstable();
        carriers.dedup();
        let (call, caller) = (self.call.offset(), self.call.callee());
        let stated = 4 + first..4 + arguments.len();
        Ok(ConditionalCall {
            holder,
            call,
            caller,
            function,
            action,
            condition,
            passed,
            stated,
            carriers,
            otherwise: Vec::new(),
            movable: None,
            stuck: Vec::new(),
        })
    }

    /// Returns the condition in the name of the caller, and its extent; the arguments must not hold another one.
    fn named(
        &self,
        arguments: &Result<Vec<i32>, CallProblem>,
    ) -> Result<Option<(Expr, ConditionExtent)>, CallProblem> {
        let arguments = arguments.as_deref().unwrap_or_default();
        match &self.caller.carried {
            CarriedCondition::Series(named) if named == arguments => {
                Ok(Some((series(named)?, ConditionExtent::Both)))
            }
            CarriedCondition::Series(named) if read_series(arguments).is_ok() => {
                Err(CallProblem::Disagreement { name: text(named), arguments: text(arguments) })
            }
            CarriedCondition::Series(named) => Ok(Some((series(named)?, ConditionExtent::Name))),
            CarriedCondition::Never => Ok(Some((Expr::False, ConditionExtent::Name))),
            CarriedCondition::Unreadable(rest) if arguments.is_empty() => {
                Err(CallProblem::Name(rest.clone()))
            }
            _ => Ok(None),
        }
    }

    /// Returns the value of one argument; `carriers` get the instructions that serve only to pass it.
    fn value(&self, at: usize, argument: u32, carriers: &mut Vec<u32>) -> Result<i32, CallProblem> {
        let number = at + 1;
        let mut constant = argument;
        // A frontend passes a value through a variable, and loads it from another: a few steps, never a long way.
        for _ in 0..MAX_STEPS {
            if let Some(load) = self.module.definition(constant).and_then(views::Load::new) {
                constant = load.pointer();
            }
            let Some(stored) = self.stores.stored_once(constant, self.call.offset()) else { break };
            if constant == argument {
                carriers.extend(stored.carriers);
            }
            constant = stored.value;
        }
        let definition = self.module.definition(constant);
        if let Some(value) = definition.and_then(|inst| constant_integer(self.module, &inst)) {
            return i32::try_from(value)
                .map_err(|_| CallProblem::NotConstant(number, format!("{value} has more than 32 bits")));
        }
        match definition {
            Some(inst) if inst.is(Op::Undef) => Err(CallProblem::Undefined(number)),
            Some(inst) => Err(CallProblem::NotConstant(
                number,
                format!("{} {}", inst.name(), self.names.display(constant)),
            )),
            None => Err(CallProblem::NotConstant(number, self.names.display(constant))),
        }
    }

    /// Returns, for a caller without a body, the function that the first argument points to, and the number of its parameters. The
    /// condition follows their arguments, and begins at argument `integers` or later.
    fn pointer(&self, integers: usize) -> Result<(u32, usize), CallProblem> {
        let mut id = self.call.arguments().first().copied().unwrap_or(0);
        for _ in 0..MAX_STEPS {
            let Some(inst) = self.module.definition(id) else { break };
            id = match views::SpecConstantOp::new(inst) {
                Some(operation) if operation.operation().is_some_and(passes_pointer) => operation.operand(0),
                _ if inst.op().is_some_and(passes_pointer) => views::Value(inst).operand(0),
                _ => break,
            };
        }
        // LLVM's translator passes the function itself, which is not valid and has one meaning only.
        let pointer = self.module.definition(id).and_then(views::ConstantFunctionPointerINTEL::new);
        let function = self.module.function(pointer.map_or(id, |pointer| pointer.function()));
        let Some(function) = function else {
            return Err(CallProblem::NoPointer(self.names.display(self.call.callee())));
        };
        let expected = self.module.parameters(function).count();
        let arguments = self.call.arguments().len();
        if expected + 1 < integers || expected + 1 > arguments {
            let given = integers.min(arguments).saturating_sub(1);
            let function = self.names.display(function.id);
            return Err(CallProblem::Arguments { function, expected, given });
        }
        Ok((function.id, expected))
    }
}

/// Adds the casts that only pass function pointers to these calls of one function to the calls' carriers. The pointers are removed with the
/// conditional callers.
fn pointer_casts(module: &Module, stores: &StoreForwarding, calls: &mut [ConditionalCall]) {
    let mut explained: IdMap<usize> = IdMap::new();
    let mut casts = BTreeSet::new();
    let cast_at = |id: u32| {
        let inst = module
            .definition(id)
            .filter(|inst| inst.op().is_some_and(passes_pointer) && !module.is_global(id));
        inst.map(|inst| inst.offset())
    };
    for call in calls.iter().filter(|call| call.action == Action::Pointer) {
        let call = views::FunctionCall(module.instruction(call.call));
        let Some(&pointer) = call.arguments().first() else { continue };
        *explained.entry(pointer).or_default() += 1;
        casts.extend(cast_at(pointer));
    }
    let mut carriers = Vec::new();
    // The users of a cast come after it.
    while let Some(offset) = casts.pop_last() {
        let cast = views::Value(module.instruction(offset));
        let times = explained.get(&cast.id()).copied().unwrap_or(0);
        if stores.is_used_times(cast.id(), times) {
            carriers.push(offset);
            let operand = cast.operand(0);
            *explained.entry(operand).or_default() += 1;
            casts.extend(cast_at(operand).filter(|&operand| operand < offset));
        }
    }
    if let Some(first) = calls.iter_mut().find(|call| call.action == Action::Pointer) {
        first.carriers.extend(carriers);
        first.carriers.sort_unstable();
    }
}

fn series(values: &[i32]) -> Result<Expr, CallProblem> {
    if values.is_empty() {
        return Err(CallProblem::NoCondition);
    }
    read_series(values).map_err(|error| CallProblem::Series { series: text(values), error })
}

fn text(values: &[i32]) -> String {
    values.iter().map(i32::to_string).collect::<Vec<_>>().join(", ")
}

/// Returns true for an integer type, or a pointer to one in a function's memory (as glslang passes parameters that may be written).
fn is_integer(module: &Module, type_: u32) -> bool {
    let integer = |id| module.definition_as(id, Op::TypeInt).is_some();
    let function = spirv::StorageClass::Function as u32;
    integer(type_)
        || module
            .pointer_type(type_)
            .is_some_and(|pointer| pointer.storage_class() == function && integer(pointer.pointee()))
}
