//! Store forwarding: the values of a function's variables that are stored once, and the uses of its ids.

use spirv::Op;

use crate::analysis::debug::is_debug;
use crate::loader::{Function, Instruction, Module, views};

/// The uses of the ids that one function defines.
pub struct StoreForwarding<'m> {
    module: &'m Module<'m>,
    function: &'m Function,
    /// The uses of ids, by place of the definition in the function.
    uses: Vec<IdUses>,
    variables: Vec<ForwardedVariable>,
}

/// The uses of an id.
#[derive(Clone, Default)]
struct IdUses {
    /// The number of times that it is read; stores into variables that are never read do not count.
    read: u32,
    /// True if it is stored into a variable that is never read.
    stored: bool,
    /// The number of the variable that it is, counted from 1, or 0.
    variable: u32,
}

#[derive(Clone, Debug, Default)]
struct ForwardedVariable {
    /// The OpVariable and all OpStores into it, as offsets.
    writers: Vec<u32>,
    /// The stored values, and the initial one.
    values: Vec<u32>,
    /// The calls that have it as an argument.
    calls: Vec<u32>,
    /// Loads from it.
    loads: usize,
    /// True if debug information names it.
    named: bool,
    /// True if it has any other use: it may change in ways that are not followed.
    escapes: bool,
}

/// The value of a variable that is written once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredValue {
    /// The id that was stored.
    pub value: u32,
    /// The OpVariable and the OpStore, as offsets, if the variable has no other use than this call, not even in debug information.
    pub carriers: Vec<u32>,
}

impl<'m> StoreForwarding<'m> {
    /// Reads the body of a function.
    pub fn new(module: &'m Module<'m>, function: &'m Function) -> StoreForwarding<'m> {
        let uses = vec![IdUses::default(); (function.end - function.start) as usize];
        let mut forwarding = StoreForwarding { module, function, uses, variables: Vec::new() };
        for inst in module.body(function).filter_map(views::Variable::new) {
            let mut variable =
                ForwardedVariable { writers: vec![inst.offset()], ..ForwardedVariable::default() };
            variable.values.extend(inst.initializer());
            forwarding.variables.push(variable);
            let number = forwarding.variables.len() as u32;
            if let Some(uses) = forwarding.uses_mut(inst.id()) {
                uses.variable = number;
            }
        }
        let mut stores: Vec<views::Store> = Vec::new();
        for inst in module.body(function) {
            let silent = matches!(inst.op(), Some(Op::Variable | Op::LifetimeStart | Op::LifetimeStop));
            if is_debug(module, &inst) {
                module.walk(&inst, &mut |_, id: u32| {
                    if let Some(variable) = forwarding.variable_mut(id) {
                        variable.named = true;
                    }
                });
                continue;
            }
            if silent {
                continue;
            }
            if let Some(store) = views::Store::new(inst)
                && forwarding.variable(store.pointer()).is_some()
            {
                stores.push(store);
                continue;
            }
            let result = inst.result_id();
            module.walk(&inst, &mut |_, id| {
                if Some(id) != result {
                    forwarding.add_use(&inst, id);
                }
            });
        }
        for store in stores {
            forwarding.add_store(store);
        }
        forwarding
    }

    /// Returns the uses of an id, if the function defines it.
    fn uses(&self, id: u32) -> Option<&IdUses> {
        self.uses.get(self.module.place_in(self.function, id)?)
    }

    fn uses_mut(&mut self, id: u32) -> Option<&mut IdUses> {
        self.uses.get_mut(self.module.place_in(self.function, id)?)
    }

    fn variable(&self, id: u32) -> Option<&ForwardedVariable> {
        self.variables.get((self.uses(id)?.variable as usize).checked_sub(1)?)
    }

    fn variable_mut(&mut self, id: u32) -> Option<&mut ForwardedVariable> {
        let number = self.uses(id)?.variable as usize;
        self.variables.get_mut(number.checked_sub(1)?)
    }

    fn add_use(&mut self, inst: &Instruction, id: u32) {
        let Some(uses) = self.uses_mut(id) else { return };
        uses.read += 1;
        if uses.variable != 0
            && let Some(variable) = self.variable_mut(id)
        {
            match inst.op() {
                Some(Op::Load) => variable.loads += 1,
                Some(Op::FunctionCall) => variable.calls.push(inst.offset()),
                _ => variable.escapes = true,
            }
        }
    }

    fn add_store(&mut self, store: views::Store) {
        let (pointer, value) = (store.pointer(), store.object());
        if let Some(variable) = self.variable_mut(pointer) {
            variable.writers.push(store.offset());
            variable.values.push(value);
        }
        let is_read = self.is_read(pointer);
        if let Some(uses) = self.uses_mut(value) {
            uses.read += u32::from(is_read);
            uses.stored |= !is_read;
        }
        if let Some(variable) = self.variable_mut(value) {
            variable.escapes = true;
        }
    }

    /// Returns true if an id of the function is read. A store of it into a variable that is never read does not count.
    pub fn is_read(&self, id: u32) -> bool {
        self.uses(id).is_some_and(|uses| uses.read > 0)
    }

    /// Returns true if any instruction of the function has an id of the function as an operand.
    pub fn is_used(&self, id: u32) -> bool {
        self.uses(id).is_some_and(|uses| uses.read > 0 || uses.stored)
    }

    /// Returns true if an id of the function is an operand exactly this many times.
    pub fn is_used_times(&self, id: u32, times: usize) -> bool {
        self.uses(id).is_some_and(|uses| uses.read as usize == times && !uses.stored)
    }

    /// Returns the value of a variable at a call that has it as an argument: the stored value, if only one store exists
    /// and nothing else can change the variable.
    pub fn stored_once(&self, variable: u32, call: u32) -> Option<StoredValue> {
        let stored = self.variable(variable).filter(|stored| !stored.escapes)?;
        match stored.values[..] {
            [value] if stored.calls.iter().all(|&at| at == call) => {
                let only_passed = stored.loads == 0 && !stored.named;
                let carriers = if only_passed { stored.writers.clone() } else { Vec::new() };
                Some(StoredValue { value, carriers })
            }
            _ => None,
        }
    }
}

/// Returns the value of an integer constant of any width, its highest bit taken as the sign: a frontend may declare the type unsigned.
pub fn constant_integer(module: &Module, inst: &Instruction) -> Option<i64> {
    let type_ = module.definition(inst.result_type()?).and_then(views::TypeInt::new)?;
    if inst.is(Op::ConstantNull) {
        return Some(0);
    }
    let constant = views::Constant::new(*inst)?;
    let unused = Some(type_.width()).filter(|width| (1..=64).contains(width)).map(|width| 64 - width)?;
    Some((constant.bits() << unused).cast_signed() >> unused)
}
