//! Conditional calls: which calls happen only where a condition holds, and what they call (device_if seed, "Phase 2").

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use spirv::Op;

use super::error::{AnalysisError, CallProblem};
use super::guarded_regions::GuardedRegions;
use super::wrapper::Wrapper;
use crate::analysis::annotated::{Annotated, Otherwise};
use crate::analysis::conditions::names::{Carried, ConditionName};
use crate::analysis::constants::store_forwarding::{StoreForwarding, constant_integer};
use crate::analysis::debug::names::Names;
use crate::condition::{ConditionError, Conditions, Expr, Leaf};
use crate::loader::{Function, Instruction, Module};

/// How many variables a constant, or casts a function pointer, may pass through on its way to a call.
const MAX_STEPS: usize = 8;

/// What a conditional call calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// The function that the conditional caller's body calls; the body prepares its arguments.
    Wrapped(Wrapper),
    /// The function that the first argument points to.
    Pointer,
    /// The called function itself: the compiler moved the body of the action into the conditional caller, or an annotation gives
    /// the call its condition.
    Caller,
}

/// A call that happens only where a condition holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionalCall {
    /// The function that holds the call.
    pub holder: u32,
    /// The OpFunctionCall, as an offset.
    pub call: u32,
    /// The conditional caller.
    pub caller: u32,
    /// The conditional action: what is called in the end.
    pub function: u32,
    /// How the action is reached.
    pub action: Action,
    /// When the call happens.
    pub condition: Expr,
    /// The words of the call that hold the arguments which are not the condition's: for [`Action::Wrapped`], what the
    /// parameters of the conditional caller stand for; for the others, what the action gets.
    pub passed: Range<usize>,
    /// Instructions of the holder that only carried the condition, as offsets.
    pub carriers: Vec<u32>,
    /// What takes the place of the call where the condition does not hold: each with its own condition, which does not hold where
    /// one before it does. Nothing, if nothing does.
    pub otherwise: Vec<(Expr, Otherwise)>,
}

impl ConditionalCall {
    /// The arguments that the call passes on, each with the type that it must be cast to where the parameter of the action has
    /// another: a frontend passes a function pointer on without its parameters' types.
    pub fn casts<'m>(&self, module: &'m Module) -> impl Iterator<Item = (u32, Option<u32>)> + use<'m> {
        let passed = &module.instruction(self.call).words()[self.passed.clone()];
        let action = module.function(self.function).into_iter();
        let wanted = action.flat_map(|action| module.parameters(action)).map(|parameter| parameter.word(1));
        passed.iter().zip(wanted).map(|(&argument, wanted)| {
            let given = module.definition(argument).and_then(|inst| inst.result_type());
            (argument, (given != Some(wanted)).then_some(wanted))
        })
    }
}

/// The conditional calls of a module, and its blocks that only run under conditions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConditionalCalls {
    /// In the order in which they stand.
    pub calls: Vec<ConditionalCall>,
    /// Conditional callers with a body that nothing calls: a compiler has put the body in the place of the calls.
    pub uncalled: Vec<u32>,
    /// The blocks that run only where specialization constants have certain values, if it is known what those stand for.
    pub regions: GuardedRegions,
}

/// A conditional caller.
struct Caller {
    /// How the action is reached, unless it depends on the call.
    action: Option<(u32, Action)>,
    /// What its name says of the condition.
    carried: Carried,
    /// How many of the last parameters may hold the condition.
    condition: usize,
    called: bool,
}

impl ConditionalCalls {
    /// Whether nothing in the module is conditional that was not before.
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty() && self.regions.is_empty()
    }

    /// Puts the values of the leaves that are known in the place of the leaves, and conditions in canonical form.
    ///
    /// # Errors
    /// Where a condition is out of bounds.
    pub fn assume(&mut self, known: &dyn Fn(Leaf) -> Option<bool>) -> Result<(), ConditionError> {
        let mut conditions = Conditions::new();
        let of_calls = self.calls.iter_mut().flat_map(|call| {
            std::iter::once(&mut call.condition)
                .chain(call.otherwise.iter_mut().map(|(condition, _)| condition))
        });
        for expr in of_calls.chain(self.regions.constants.values_mut().map(|bound| &mut bound.condition)) {
            let condition = conditions.of_expr(expr)?;
            let restricted = conditions.restrict(condition, known)?;
            *expr = conditions.expr_of(restricted)?;
        }
        Ok(())
    }

    /// The conditional callers whose calls become calls of their actions.
    pub fn replaced(&self) -> BTreeSet<u32> {
        self.calls.iter().filter(|call| call.action != Action::Caller).map(|call| call.caller).collect()
    }

    /// Finds the conditional calls of a module, those that annotations make conditional, and the regions that bound constants
    /// guard.
    ///
    /// # Errors
    /// Where a conditional caller is called with something else than a Condition Expression, nothing says what the result of a
    /// call is that does not happen, or a function depends on too many bound constants.
    pub fn find(
        module: &Module,
        names: &Names,
        annotated: &Annotated,
    ) -> Result<ConditionalCalls, AnalysisError> {
        #[cfg(test)]
        crate::tests::tally::note("conditional calls", module, annotated);
        let mut calls = ConditionalCalls::named(module, names)?;
        calls.add_annotated(module, names, annotated)?;
        if !calls.regions.constants.is_empty() {
            calls.regions.find(module, names)?;
        }
        Ok(calls)
    }

    /// The same without guarded regions: what can be made conditional as it stands, since only whole functions can.
    pub fn without_regions(&self) -> ConditionalCalls {
        let regions =
            GuardedRegions { constants: self.regions.constants.clone(), ..GuardedRegions::default() };
        ConditionalCalls { calls: self.calls.clone(), uncalled: self.uncalled.clone(), regions }
    }

    /// The calls of functions whose names carry a condition.
    fn named<'m>(module: &'m Module, names: &Names) -> Result<ConditionalCalls, AnalysisError> {
        let named = |function: &'m Function| Some((function, carried(names, function.id)?));
        let functions: Vec<(&Function, Carried)> = module.functions().iter().filter_map(named).collect();
        let ids: BTreeSet<u32> = functions.iter().map(|(function, _)| function.id).collect();
        let read = |(function, carried): (&Function, Carried)| {
            (function.id, Caller::read(module, function, carried, &ids))
        };
        let mut callers: BTreeMap<u32, Caller> = functions.into_iter().map(read).collect();
        let mut found = ConditionalCalls::default();
        if callers.is_empty() {
            return Ok(found);
        }
        for function in module.functions() {
            let mut locals = None;
            let first = found.calls.len();
            for inst in module.body(function) {
                let Some(caller) =
                    inst.is(Op::FunctionCall).then(|| callers.get_mut(&inst.word(3))).flatten()
                else {
                    continue;
                };
                caller.called = true;
                let locals = locals.get_or_insert_with(|| StoreForwarding::new(module, function));
                let site = Site { module, names, locals, caller, inst };
                found.calls.push(site.read(function.id).map_err(|problem| AnalysisError::Call {
                    caller: names.display(function.id),
                    callee: names.display(inst.word(3)),
                    offset: u64::from(inst.offset()) * 4,
                    problem: Box::new(problem),
                })?);
            }
            if let Some(locals) = &locals {
                pointer_casts(module, locals, &mut found.calls[first..]);
            }
        }
        let uncalled = callers.into_iter().filter(|(_, caller)| !caller.called && caller.action.is_some());
        found.uncalled = uncalled.map(|(id, _)| id).collect();
        Ok(found)
    }
}

impl Caller {
    fn read(module: &Module, function: &Function, carried: Carried, callers: &BTreeSet<u32>) -> Caller {
        let parameters: Vec<Instruction> = module.parameters(function).collect();
        let has_body = module.body(function).any(|inst| inst.is(Op::Label));
        // What calls another conditional caller is an action that was moved into its own: that call has its own condition.
        let wrapper = Wrapper::read(module, function)
            .filter(|wrapper| !callers.contains(&module.instruction(wrapper.call).word(3)));
        let locals = StoreForwarding::new(module, function);
        let holds_condition = |parameter: &&Instruction| {
            let read = match &wrapper {
                Some(wrapper) => wrapper.parameters.contains(&parameter.word(2)),
                None => locals.is_read(parameter.word(2)),
            };
            is_integer(module, parameter.word(1)) && !(has_body && read)
        };
        let condition = parameters.iter().rev().take_while(holds_condition).count();
        let action = match wrapper {
            Some(wrapper) => Some((module.instruction(wrapper.call).word(3), Action::Wrapped(wrapper))),
            None => has_body.then_some((function.id, Action::Caller)),
        };
        Caller { action, carried, condition, called: false }
    }
}

/// Where a condition that is in the name of a conditional caller stands.
enum Place {
    /// There alone.
    Name,
    /// In the arguments too.
    Both,
}

/// One call of a conditional caller.
struct Site<'s> {
    module: &'s Module<'s>,
    names: &'s Names<'s>,
    locals: &'s StoreForwarding,
    caller: &'s Caller,
    inst: Instruction<'s>,
}

impl Site<'_> {
    fn read(&self, holder: u32) -> Result<ConditionalCall, CallProblem> {
        let arguments = self.inst.words_from(4);
        let integers = arguments.len().saturating_sub(self.caller.condition);
        let (pointer, first) = match self.caller.action {
            Some(_) => (None, integers),
            None => {
                let (function, given) = self.pointer(integers)?;
                (Some(function), 1 + given)
            }
        };
        let mut values = Vec::new();
        let mut carriers = Vec::new();
        for (at, &argument) in arguments.iter().enumerate().skip(first) {
            values.push(self.value(at, argument, &mut carriers));
        }
        let values = values.into_iter().collect::<Result<Vec<i32>, CallProblem>>();
        let (condition, first) = match self.named(&values)? {
            Some((condition, Place::Both)) => (condition, first),
            // The rest is the action's own, although it does not read it.
            Some((condition, Place::Name)) if pointer.is_none() => {
                carriers.clear();
                (condition, arguments.len())
            }
            Some((condition, Place::Name)) if first == arguments.len() => (condition, first),
            _ => (series(&values?)?, first),
        };
        let (function, action, passed) = match (&self.caller.action, pointer) {
            (_, Some(function)) => (function, Action::Pointer, 5..4 + first),
            (Some((function, Action::Caller)), _) => (*function, Action::Caller, 4..4 + arguments.len()),
            (Some((function, action)), _) => (*function, action.clone(), 4..4 + first),
            (None, None) => return Err(CallProblem::NoPointer(self.names.display(self.inst.word(3)))),
        };
        let result = self.inst.word(2);
        if self.locals.is_used(result) {
            return Err(CallProblem::ResultUsed(self.names.display(result)));
        }
        if action == Action::Caller {
            carriers.clear(); // it still takes them
        }
        carriers.sort_unstable();
        carriers.dedup();
        let (call, caller) = (self.inst.offset(), self.inst.word(3));
        let otherwise = Vec::new();
        Ok(ConditionalCall { holder, call, caller, function, action, condition, passed, carriers, otherwise })
    }

    /// The condition that the name of the caller carries, and whether the arguments say the same; they must not say something else.
    fn named(&self, arguments: &Result<Vec<i32>, CallProblem>) -> Result<Option<(Expr, Place)>, CallProblem> {
        let arguments = arguments.as_deref().unwrap_or_default();
        match &self.caller.carried {
            Carried::Series(named) if named == arguments => Ok(Some((series(named)?, Place::Both))),
            Carried::Series(named) if Expr::from_series(arguments).is_ok() => {
                Err(CallProblem::Disagreement { name: text(named), arguments: text(arguments) })
            }
            Carried::Series(named) => Ok(Some((series(named)?, Place::Name))),
            Carried::Unreadable(rest) if arguments.is_empty() => Err(CallProblem::Name(rest.clone())),
            _ => Ok(None),
        }
    }

    /// The value of one argument, and what only carries it.
    fn value(&self, at: usize, argument: u32, carriers: &mut Vec<u32>) -> Result<i32, CallProblem> {
        let number = at + 1;
        let mut constant = argument;
        // A frontend passes a value through a variable, and loads it from another: a few steps, never a long way.
        for _ in 0..MAX_STEPS {
            if let Some(load) = self.module.definition_as(constant, Op::Load) {
                constant = load.word(3);
            }
            let Some(stored) = self.locals.stored_once(constant, self.inst.offset()) else { break };
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

    /// For a caller without a body: what the first argument points to, and how many arguments that takes. The condition comes
    /// after them, and begins at argument `integers` or later.
    fn pointer(&self, integers: usize) -> Result<(u32, usize), CallProblem> {
        let mut id = self.inst.word(4);
        for _ in 0..MAX_STEPS {
            match self.module.definition(id) {
                Some(inst) if inst.is(Op::SpecConstantOp) && is_cast(inst.word(3)) => id = inst.word(4),
                Some(inst) if is_cast(inst.opcode().into()) => id = inst.word(3),
                _ => break,
            }
        }
        let pointer = self.module.definition_as(id, Op::ConstantFunctionPointerINTEL);
        let function = pointer.and_then(|pointer| self.module.function(pointer.word(3)));
        let Some(function) = function else {
            return Err(CallProblem::NoPointer(self.names.display(self.inst.word(3))));
        };
        let expected = self.module.parameters(function).count();
        let arguments = self.inst.words_from(4).len();
        if expected + 1 < integers || expected + 1 > arguments {
            let given = integers.min(arguments).saturating_sub(1);
            let function = self.names.display(function.id);
            return Err(CallProblem::Arguments { function, expected, given });
        }
        Ok((function.id, expected))
    }
}

/// Casts that serve for nothing but to pass function pointers to these calls, which are those of one function: they carry
/// conditions, in that the pointer goes with the conditional caller.
fn pointer_casts(module: &Module, locals: &StoreForwarding, calls: &mut [ConditionalCall]) {
    let mut explained: HashMap<u32, usize> = HashMap::new();
    let mut casts = BTreeSet::new();
    let cast_at = |id: u32| {
        let inst =
            module.definition(id).filter(|inst| is_cast(inst.opcode().into()) && !module.is_global(id));
        inst.map(|inst| inst.offset())
    };
    for call in calls.iter().filter(|call| call.action == Action::Pointer) {
        let pointer = module.instruction(call.call).word(4);
        *explained.entry(pointer).or_default() += 1;
        casts.extend(cast_at(pointer));
    }
    let mut carriers = Vec::new();
    // What uses a cast comes after it.
    while let Some(offset) = casts.pop_last() {
        let cast = module.instruction(offset);
        let times = explained.get(&cast.word(2)).copied().unwrap_or(0);
        if locals.is_used_times(cast.word(2), times) {
            carriers.push(offset);
            *explained.entry(cast.word(3)).or_default() += 1;
            casts.extend(cast_at(cast.word(3)).filter(|&operand| operand < offset));
        }
    }
    if let Some(first) = calls.iter_mut().find(|call| call.action == Action::Pointer) {
        first.carriers.extend(carriers);
        first.carriers.sort_unstable();
    }
}

/// What the names of a function say of a condition: the linkage name rather than the OpName, if both do. `None` if it is no
/// conditional caller.
fn carried(names: &Names, function: u32) -> Option<Carried> {
    let linkage = names.linkage(function).and_then(|linkage| ConditionName::read(&linkage.name));
    let name = names.name(function).and_then(|name| ConditionName::read(&name));
    let mut both = [linkage, name].into_iter().flatten().map(|name| name.carried);
    let first = both.next()?;
    Some(if first == Carried::Nothing { both.next().unwrap_or(first) } else { first })
}

fn series(values: &[i32]) -> Result<Expr, CallProblem> {
    if values.is_empty() {
        return Err(CallProblem::NoCondition);
    }
    Expr::from_series(values).map_err(|error| CallProblem::Series { series: text(values), error })
}

fn text(values: &[i32]) -> String {
    values.iter().map(i32::to_string).collect::<Vec<_>>().join(", ")
}

/// Whether an opcode passes a pointer on as another type.
fn is_cast(opcode: u32) -> bool {
    matches!(
        Op::from_u32(opcode),
        Some(Op::Bitcast | Op::PtrCastToGeneric | Op::GenericCastToPtr | Op::CopyObject)
    )
}

/// An integer type, or a pointer to one that lives in a function (as glslang passes what may be written).
fn is_integer(module: &Module, type_: u32) -> bool {
    let integer = |id| module.definition_as(id, Op::TypeInt).is_some();
    let function = spirv::StorageClass::Function as u32;
    integer(type_)
        || module
            .definition_as(type_, Op::TypePointer)
            .is_some_and(|inst| inst.word(2) == function && integer(inst.word(3)))
}
