//! Conditional calls: which calls happen only where a condition holds, and what they call (device_if seed, "Phase 2").

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use spirv::Op;

use super::annotated::Otherwise;
use super::error::{AnalysisError, CallProblem};
use super::guards::Guards;
use super::locals::{Locals, constant_integer};
use super::names::Names;
use super::wrapper::Wrapper;
use crate::condition::Expr;
use crate::loader::{Function, Instruction, Module};

/// What the seed calls the function that stands for a conditional call.
const CALLER: &str = "call_if_on_device_conditionally";
/// The seed's header has a function that begins the same way and unpacks a sequence; its calls are ordinary ones.
const HELPER: &str = "call_if_on_device_conditionally_helper";

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
    /// What takes the place of the call where the condition does not hold, if anything does.
    pub otherwise: Option<Otherwise>,
}

/// The conditional calls of a module, and its blocks that only run under conditions.
#[derive(Clone, Debug, Default)]
pub struct ConditionalCalls {
    /// In the order in which they stand.
    pub calls: Vec<ConditionalCall>,
    /// Conditional callers with a body that nothing calls: a compiler has put the body in the place of the calls.
    pub uncalled: Vec<u32>,
    /// The blocks that run only where specialization constants have certain values, if it is known what those stand for.
    pub guards: Guards,
}

/// A conditional caller.
struct Caller {
    /// How the action is reached, unless it depends on the call.
    action: Option<(u32, Action)>,
    /// How many of the last parameters may hold the condition.
    condition: usize,
    called: bool,
}

impl ConditionalCalls {
    /// Whether nothing in the module is conditional that was not before.
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty() && self.guards.is_empty()
    }

    /// The conditional callers whose calls become calls of their actions.
    pub fn replaced(&self) -> BTreeSet<u32> {
        self.calls.iter().filter(|call| call.action != Action::Caller).map(|call| call.caller).collect()
    }

    /// Finds the conditional calls of a module.
    ///
    /// # Errors
    /// Where a conditional caller is called with something else than a Condition Expression.
    pub fn find(module: &Module, names: &Names) -> Result<ConditionalCalls, AnalysisError> {
        let is_caller = |function: &&Function| {
            let linkage = names.linkage(function.id).map(|linkage| linkage.name.as_ref());
            linkage.is_some_and(is_caller_name)
                || names.name(function.id).is_some_and(|name| is_caller_name(&name))
        };
        let functions: Vec<&Function> = module.functions().iter().filter(is_caller).collect();
        let ids: BTreeSet<u32> = functions.iter().map(|function| function.id).collect();
        let callers =
            functions.into_iter().map(|function| (function.id, Caller::read(module, function, &ids)));
        let mut callers: BTreeMap<u32, Caller> = callers.collect();
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
                let locals = locals.get_or_insert_with(|| Locals::new(module, function));
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
    fn read(module: &Module, function: &Function, callers: &BTreeSet<u32>) -> Caller {
        let parameters: Vec<Instruction> = module.parameters(function).collect();
        let has_body = module.body(function).any(|inst| inst.is(Op::Label));
        // What calls another conditional caller is an action that was moved into its own: that call has its own condition.
        let wrapper = Wrapper::read(module, function)
            .filter(|wrapper| !callers.contains(&module.instruction(wrapper.call).word(3)));
        let locals = Locals::new(module, function);
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
        Caller { action, condition, called: false }
    }
}

/// One call of a conditional caller.
struct Site<'s> {
    module: &'s Module<'s>,
    names: &'s Names<'s>,
    locals: &'s Locals,
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
        let values = values.into_iter().collect::<Result<Vec<i32>, CallProblem>>()?;
        let condition = series(&values)?;
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
        let otherwise = None;
        Ok(ConditionalCall { holder, call, caller, function, action, condition, passed, carriers, otherwise })
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
fn pointer_casts(module: &Module, locals: &Locals, calls: &mut [ConditionalCall]) {
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

fn series(values: &[i32]) -> Result<Expr, CallProblem> {
    if values.is_empty() {
        return Err(CallProblem::NoCondition);
    }
    Expr::from_series(values).map_err(|error| {
        let series = values.iter().map(i32::to_string).collect::<Vec<_>>().join(", ");
        CallProblem::Series { series, error }
    })
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

/// Whether a function of this name is a conditional caller. Names in the Itanium C++ ABI's mangling are read as far as the
/// function's own name: the caller's name also stands in template arguments and in what is local to it.
pub(super) fn is_caller_name(name: &str) -> bool {
    let own = match name.strip_prefix("_Z") {
        Some(mangled) => mangled_name(mangled),
        None => name.find(CALLER).map(|at| {
            let rest = &name[at..];
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            &rest[..end]
        }),
    };
    own.is_some_and(|own| own.starts_with(CALLER) && own != HELPER)
}

/// The last component of an encoding's (nested) name: `<unqualified-name>` before template arguments and parameters.
fn mangled_name(encoding: &str) -> Option<&str> {
    let (mut rest, nested) = match encoding.strip_prefix('N') {
        Some(rest) => (rest.trim_start_matches(['r', 'V', 'K', 'R', 'O']), true),
        None => (encoding, false),
    };
    let mut last = None;
    loop {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0 {
            let length: usize = rest[..digits].parse().ok()?;
            last = Some(rest.get(digits..digits.checked_add(length)?)?);
            rest = &rest[digits + length..];
        } else if let Some(after) = rest.strip_prefix("St") {
            rest = after;
        } else {
            return last;
        }
        if !nested {
            return last;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_caller_name;

    #[test]
    fn callers_are_known_by_their_own_name() {
        let yes = [
            "call_if_on_device_conditionally",
            "call_if_on_device_conditionally_9f3a_12",
            "call_if_on_device_conditionally_half(u1;u1;i1;",
            "_Z31call_if_on_device_conditionallyIiE",
            "_Z36call_if_on_device_conditionally_halfPfii",
            "_ZN4sycl3ext6oneapi12experimental6detail31call_if_on_device_conditionallyIZ3fooE3$_0JiiEEEvT_DpT0_",
            "?call_if_on_device_conditionally@@YAXHH@Z",
        ];
        let no = [
            "call_if_on_device",
            "call_if_on_device_conditionally_helper",
            "call_if_on_device_conditionally_helper(i1;",
            "_ZN6detail38call_if_on_device_conditionally_helperIZ3fooE3$_0JLin1ELi6EEEEvT_NS_6seriesIJXspT0_EEEE",
            // A lambda inside a caller, and a caller's type as a template argument.
            "_ZZN6detail31call_if_on_device_conditionallyIiEvT_ENKUlvE_clEv",
            "_Z3fooIXadL_Z31call_if_on_device_conditionallyvEEEvv",
            "_ZN6detail31call_if_on_device_conditionally5innerEv",
            "_ZN",
            "_Z99999999999999999999999x",
        ];
        for name in yes {
            assert!(is_caller_name(name), "{name}");
        }
        for name in no {
            assert!(!is_caller_name(name), "{name}");
        }
    }
}
