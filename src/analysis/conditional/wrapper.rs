//! Conditional callers that only call their action: the instructions of theirs that must move to the call site.

use std::collections::HashSet;

use spirv::{MemoryAccess, Op, StorageClass};

use crate::analysis::debug::is_debug;
use crate::loader::{Function, Instruction, Module, views};

/// The body of a conditional caller that only prepares arguments and calls one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrapper {
    /// The OpFunctionCall of the conditional action, as an offset.
    pub call: u32,
    /// The instructions that prepare the arguments of the call, as offsets in order.
    pub preparation: Vec<u32>,
    /// The parameters that the arguments are computed from.
    pub parameters: HashSet<u32>,
}

impl Wrapper {
    /// Reads a function as a wrapper: it calls one function, and prepares the arguments without a visible side effect. Returns `None` for
    /// any other function, which is the action itself.
    pub fn read(module: &Module, function: &Function) -> Option<Wrapper> {
        let mut body = WrapperReader {
            module,
            variables: HashSet::new(),
            local_values: HashSet::new(),
            call: None,
            next_block: None,
            before: Vec::new(),
        };
        for inst in module.body(function) {
            body.instruction(inst)?;
        }
        let call = body.call.filter(|call| call.callee() != function.id)?;
        let (preparation, used) = body.slice(call)?;
        body.are_of_parameters(function, &preparation).then_some(())?;
        let parameters = module.parameters(function).map(|inst| views::FunctionParameter(inst).id());
        let parameters = parameters.filter(|id| used.contains(id)).collect();
        Some(Wrapper { call: call.offset(), preparation, parameters })
    }

    fn call<'m>(&self, module: &'m Module) -> views::FunctionCall<'m> {
        views::FunctionCall(module.instruction(self.call))
    }

    /// Returns the conditional action.
    pub fn action(&self, module: &Module) -> u32 {
        self.call(module).callee()
    }

    /// Returns the module-scope arguments of the action: constants, and variables outside of functions.
    pub fn global_arguments<'m>(&self, module: &'m Module) -> impl Iterator<Item = u32> + use<'m> {
        self.call(module).arguments().iter().copied().filter(|&id| module.is_global(id))
    }
}

/// The body of a function while it is read.
struct WrapperReader<'m> {
    module: &'m Module<'m>,
    /// The variables of the function itself.
    variables: HashSet<u32>,
    /// Values that are computed from parameters and variables alone.
    local_values: HashSet<u32>,
    call: Option<views::FunctionCall<'m>>,
    /// The successor of the block that has just ended.
    next_block: Option<u32>,
    /// The instructions before the call, which may prepare its arguments.
    before: Vec<Instruction<'m>>,
}

impl<'m> WrapperReader<'m> {
    fn instruction(&mut self, inst: Instruction<'m>) -> Option<()> {
        match inst.op()? {
            Op::FunctionParameter => {
                let parameter = views::FunctionParameter(inst);
                self.local_values.insert(parameter.id());
                return Some(());
            }
            Op::Function | Op::FunctionEnd => return Some(()),
            Op::Return | Op::Line | Op::NoLine | Op::Nop | Op::LifetimeStart | Op::LifetimeStop => {
                return Some(());
            }
            // Blocks may follow one another, but not fork.
            Op::Label => {
                let label = views::Label(inst).id();
                return self.next_block.take().is_none_or(|next| next == label).then_some(());
            }
            Op::Branch => {
                self.next_block = Some(views::Branch(inst).target_label());
                return Some(());
            }
            Op::ExtInst => return is_debug(self.module, &inst).then_some(()),
            Op::ReturnValue => return (views::ReturnValue(inst).value() == self.call?.id()).then_some(()),
            Op::FunctionCall => return self.call.replace(views::FunctionCall(inst)).is_none().then_some(()),
            // An initializer runs once per call of the function: at the call site it would run only once.
            Op::Variable => {
                let variable = views::Variable(inst);
                if variable.initializer().is_some() {
                    return None;
                }
                self.variables.insert(variable.id());
                self.local_values.insert(variable.id());
            }
            Op::Store => self.written(views::Store(inst).pointer())?,
            Op::CopyMemory | Op::CopyMemorySized => {
                let copy = views::CopyMemory(inst);
                self.written(copy.target())?;
                self.root(copy.source())?;
            }
            // At the call site the load is executed whether or not the condition holds, so it must not access other memory.
            Op::Load => {
                let load = views::Load(inst);
                self.root(load.pointer())?;
                if load.memory_access() & MemoryAccess::VOLATILE.bits() != 0 {
                    return None;
                }
                self.local_values.insert(load.id());
            }
            // What computes a value would use its type at the call site. That type may require what the condition guards.
            _ => {
                if self.local_values.contains(&inst.pointer_base()?) {
                    self.local_values.insert(views::Value(inst).id());
                }
            }
        }
        if self.call.is_none() {
            self.before.push(inst);
        }
        Some(())
    }

    /// Checks that a pointer that is written through points into a variable of the function.
    fn written(&self, pointer: u32) -> Option<()> {
        self.variables.contains(&self.root(pointer)?).then_some(())
    }

    /// Returns the variable or parameter of the function that a pointer into memory of the function or its callers points into.
    fn root(&self, pointer: u32) -> Option<u32> {
        let root = self.module.pointer_root(pointer)?;
        let [type_, id] = root.typed_result()?;
        let is_pointed = root.is(Op::FunctionParameter) && self.is_function_pointer(type_);
        (is_pointed || self.variables.contains(&id)).then_some(id)
    }

    fn is_function_pointer(&self, type_: u32) -> bool {
        let pointer = self.module.pointer_type(type_);
        pointer.is_some_and(|pointer| pointer.storage_class() == StorageClass::Function as u32)
    }

    /// Returns true if the variables among these instructions have types of parameters, or of their pointees. Other variables, such as a
    /// result returned through memory, would use their type at the call site. That type may require what the condition guards.
    fn are_of_parameters(&self, function: &Function, preparation: &[u32]) -> bool {
        let pointee = |type_| self.module.pointee(type_);
        let types = self.module.parameters(function).map(|inst| views::FunctionParameter(inst).type_id());
        let types: HashSet<u32> = types.flat_map(|type_| [Some(type_), pointee(type_)]).flatten().collect();
        let instructions = preparation.iter().map(|&offset| self.module.instruction(offset));
        let mut variables = instructions.filter_map(views::Variable::new);
        variables.all(|variable| pointee(variable.type_id()).is_some_and(|held| types.contains(&held)))
    }

    /// Returns the instructions that prepare the arguments of the call, and every id that they use. Returns `None` if they use anything
    /// that is not the caller's already. For example, the type of a pointer to a global variable may require what the condition guards.
    fn slice(&self, call: views::FunctionCall) -> Option<(Vec<u32>, HashSet<u32>)> {
        let mut used: HashSet<u32> = call.arguments().iter().copied().collect();
        let mut slice = Vec::new();
        for inst in self.before.iter().rev() {
            let result = inst.result_id();
            // Instructions without a result are stores and copies to memory: they belong to the slice if their target does.
            let target = result.or_else(|| self.root(views::Store(*inst).pointer()));
            if target.is_some_and(|id| used.contains(&id)) {
                if result.is_some_and(|id| !self.local_values.contains(&id)) {
                    return None;
                }
                slice.push(inst.offset());
                self.module.walk(inst, &mut |_, id| {
                    used.extend([id].into_iter().chain(self.root(id)));
                });
            }
        }
        slice.reverse();
        Some((slice, used))
    }
}
