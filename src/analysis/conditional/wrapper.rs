//! Conditional callers that do nothing but call their action: what of them must stand at the call site instead.

use std::collections::{HashMap, HashSet};

use spirv::{MemoryAccess, Op, StorageClass};

use crate::analysis::debug::information::is_debug;
use crate::loader::{Function, Instruction, Module};

/// The body of a conditional caller that only prepares arguments and calls one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrapper {
    /// The OpFunctionCall of the conditional action, as an offset.
    pub call: u32,
    /// The instructions that prepare the arguments of that call, as offsets in order.
    pub preparation: Vec<u32>,
    /// The parameters that the arguments are made of.
    pub parameters: HashSet<u32>,
}

impl Wrapper {
    /// Reads a function as a wrapper. `None` if it does anything else than call one function with arguments that are
    /// prepared without a side effect that others could see: then it is no wrapper, but does the work itself.
    pub fn read(module: &Module, function: &Function) -> Option<Wrapper> {
        let mut body = Body {
            module,
            roots: HashMap::new(),
            variables: HashSet::new(),
            own: HashSet::new(),
            call: None,
            next_block: None,
            before: Vec::new(),
        };
        for inst in module.body(function) {
            body.instruction(inst)?;
        }
        let call = body.call.filter(|call| call.word(3) != function.id)?;
        let (preparation, needed) = body.slice(&call)?;
        body.are_of_parameters(function, &preparation).then_some(())?;
        let parameters = module.parameters(function).map(|inst| inst.word(2));
        let parameters = parameters.filter(|id| needed.contains(id)).collect();
        Some(Wrapper { call: call.offset(), preparation, parameters })
    }

    /// What is no one's own of what the call of the action gets: constants, and variables outside of functions.
    pub fn handed<'m>(&self, module: &'m Module) -> impl Iterator<Item = u32> + use<'m> {
        let arguments = module.instruction(self.call).words_from(4);
        arguments.iter().copied().filter(|&id| module.is_global(id))
    }
}

struct Body<'m> {
    module: &'m Module<'m>,
    /// Pointers into variables of the function, and into those of its callers that it was given, with the variable or
    /// parameter that each points into.
    roots: HashMap<u32, u32>,
    /// The variables of the function itself.
    variables: HashSet<u32>,
    /// What is made of parameters and variables alone.
    own: HashSet<u32>,
    call: Option<Instruction<'m>>,
    /// Where the block that has just ended leads to.
    next_block: Option<u32>,
    /// What stands before the call and may prepare its arguments.
    before: Vec<Instruction<'m>>,
}

impl<'m> Body<'m> {
    fn instruction(&mut self, inst: Instruction<'m>) -> Option<()> {
        match inst.op()? {
            Op::FunctionParameter => {
                self.own.insert(inst.word(2));
                if self.is_function_pointer(inst.word(1)) {
                    self.roots.insert(inst.word(2), inst.word(2));
                }
                return Some(());
            }
            Op::Function | Op::FunctionEnd => return Some(()),
            Op::Return | Op::Line | Op::NoLine | Op::Nop | Op::LifetimeStart | Op::LifetimeStop => {
                return Some(());
            }
            // Blocks may follow one another, but not fork.
            Op::Label => return self.next_block.take().is_none_or(|next| next == inst.word(1)).then_some(()),
            Op::Branch => {
                self.next_block = Some(inst.word(1));
                return Some(());
            }
            Op::ExtInst => return is_debug(self.module, &inst).then_some(()),
            Op::ReturnValue => return (Some(inst.word(1)) == self.call?.result_id()).then_some(()),
            Op::FunctionCall => return self.call.replace(inst).is_none().then_some(()),
            // An initial value is given once per call of the function: at the call site it would be given only once.
            Op::Variable if inst.words().len() > 4 => return None,
            Op::Variable => {
                self.roots.insert(inst.word(2), inst.word(2));
                self.variables.insert(inst.word(2));
                self.own.insert(inst.word(2));
            }
            Op::Store => self.written(inst.word(1))?,
            Op::CopyMemory | Op::CopyMemorySized => {
                self.written(inst.word(1))?;
                self.roots.get(&inst.word(2))?;
            }
            // At the call site this happens whether or not the condition holds, so it must not touch other memory.
            Op::Load => {
                self.roots.get(&inst.word(3))?;
                if inst.word(4) & MemoryAccess::VOLATILE.bits() != 0 {
                    return None;
                }
                self.own.insert(inst.word(2));
            }
            op if passes_on(op) => {
                if self.own.contains(&inst.word(3)) {
                    self.own.insert(inst.word(2));
                }
                if let Some(&root) = self.roots.get(&inst.word(3)) {
                    self.roots.insert(inst.word(2), root);
                }
            }
            _ => return None,
        }
        if self.call.is_none() {
            self.before.push(inst);
        }
        Some(())
    }

    /// A pointer that is written to must point into a variable of the function.
    fn written(&self, pointer: u32) -> Option<()> {
        self.variables.contains(self.roots.get(&pointer)?).then_some(())
    }

    fn is_function_pointer(&self, type_: u32) -> bool {
        let pointer = self.module.definition_as(type_, Op::TypePointer);
        pointer.is_some_and(|pointer| pointer.word(2) == StorageClass::Function as u32)
    }

    /// Whether the variables among these instructions only hold what parameters are or point to. Others (for a result that is
    /// returned through memory, say) would need their type at the call site, which may be what the condition is about.
    fn are_of_parameters(&self, function: &Function, preparation: &[u32]) -> bool {
        let pointee = |type_| self.module.definition_as(type_, Op::TypePointer).map(|inst| inst.word(3));
        let types = self.module.parameters(function).map(|inst| inst.word(1));
        let types: HashSet<u32> = types.flat_map(|type_| [Some(type_), pointee(type_)]).flatten().collect();
        let instructions = preparation.iter().map(|&offset| self.module.instruction(offset));
        let mut variables = instructions.filter(|inst| inst.is(Op::Variable));
        variables.all(|inst| pointee(inst.word(1)).is_some_and(|held| types.contains(&held)))
    }

    /// What prepares the arguments of the call, and every id that this needs. `None` if it is made of something that is not
    /// the caller's already: a pointer to a global variable may be of a type that is what the condition is about.
    fn slice(&self, call: &Instruction) -> Option<(Vec<u32>, HashSet<u32>)> {
        let mut needed: HashSet<u32> = call.words_from(4).iter().copied().collect();
        let mut slice = Vec::new();
        for inst in self.before.iter().rev() {
            let result = inst.result_id();
            // A store is needed if what it stores into is.
            let target = result.or_else(|| self.roots.get(&inst.word(1)).copied());
            if target.is_some_and(|id| needed.contains(&id)) {
                if result.is_some_and(|id| !self.own.contains(&id)) {
                    return None;
                }
                slice.push(inst.offset());
                self.module.walk(inst, &mut |_, id| {
                    needed.insert(id);
                    if let Some(&root) = self.roots.get(&id) {
                        needed.insert(root);
                    }
                });
            }
        }
        slice.reverse();
        Some((slice, needed))
    }
}

/// Instructions that pass on a pointer, or a value as it is. What computes a value would need its type at the call site,
/// which may be what the condition is about.
fn passes_on(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        AccessChain
            | InBoundsAccessChain
            | PtrAccessChain
            | InBoundsPtrAccessChain
            | Bitcast
            | CopyObject
            | PtrCastToGeneric
            | GenericCastToPtr
    )
}
