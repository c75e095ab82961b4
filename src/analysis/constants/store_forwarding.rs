//! Store forwarding: the values of a function's variables that are stored once, and the uses of its ids.

use std::collections::{HashMap, HashSet};

use spirv::Op;

use crate::analysis::debug::is_debug;
use crate::loader::{Function, Instruction, Module, views};

/// The uses of the ids in one function.
#[derive(Clone, Debug, Default)]
pub struct StoreForwarding {
    variables: HashMap<u32, Variable>,
    /// Ids that are read, with the number of times; stores into variables that are never read do not count.
    read: HashMap<u32, usize>,
    /// Ids that are stored into variables that are never read.
    stored: HashSet<u32>,
}

#[derive(Clone, Debug, Default)]
struct Variable {
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
pub struct Stored {
    /// The id that was stored.
    pub value: u32,
    /// The OpVariable and the OpStore, as offsets, if the variable has no other use than this call, not even in debug information.
    pub carriers: Vec<u32>,
}

impl StoreForwarding {
    /// Reads the body of a function.
    pub fn new(module: &Module, function: &Function) -> StoreForwarding {
        let mut forwarding = StoreForwarding::default();
        for inst in module.body(function).filter_map(views::Variable::of) {
            let mut variable = Variable { writers: vec![inst.offset()], ..Variable::default() };
            variable.values.extend(inst.initializer());
            forwarding.variables.insert(inst.id(), variable);
        }
        let mut stores: Vec<views::Store> = Vec::new();
        for inst in module.body(function) {
            let silent = matches!(inst.op(), Some(Op::Variable | Op::LifetimeStart | Op::LifetimeStop));
            if is_debug(module, &inst) {
                module.walk(&inst, &mut |_, id: u32| {
                    if let Some(variable) = forwarding.variables.get_mut(&id) {
                        variable.named = true;
                    }
                });
            }
            if silent || is_debug(module, &inst) {
                continue;
            }
            if let Some(store) = views::Store::of(inst)
                && forwarding.variables.contains_key(&store.pointer())
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

    fn add_use(&mut self, inst: &Instruction, id: u32) {
        *self.read.entry(id).or_default() += 1;
        if let Some(variable) = self.variables.get_mut(&id) {
            match inst.op() {
                Some(Op::Load) => variable.loads += 1,
                Some(Op::FunctionCall) => variable.calls.push(inst.offset()),
                _ => variable.escapes = true,
            }
        }
    }

    fn add_store(&mut self, store: views::Store) {
        let (pointer, value) = (store.pointer(), store.object());
        if let Some(variable) = self.variables.get_mut(&pointer) {
            variable.writers.push(store.offset());
            variable.values.push(value);
        }
        if self.read.contains_key(&pointer) {
            *self.read.entry(value).or_default() += 1;
        } else {
            self.stored.insert(value);
        }
        if let Some(variable) = self.variables.get_mut(&value) {
            variable.escapes = true;
        }
    }

    /// True if an id is read. A store of it into a variable that is never read does not count.
    pub fn is_read(&self, id: u32) -> bool {
        self.read.contains_key(&id)
    }

    /// True if any instruction of the function has an id as an operand.
    pub fn is_used(&self, id: u32) -> bool {
        self.is_read(id) || self.stored.contains(&id)
    }

    /// True if an id is an operand exactly this many times.
    pub fn is_used_times(&self, id: u32, times: usize) -> bool {
        self.read.get(&id) == Some(&times) && !self.stored.contains(&id)
    }

    /// The value that a variable has at a call that has it as an argument: the stored one, if there is one store and nothing else can
    /// change it.
    pub fn stored_once(&self, variable: u32, call: u32) -> Option<Stored> {
        let found = self.variables.get(&variable).filter(|found| !found.escapes)?;
        match found.values[..] {
            [value] if found.calls.iter().all(|&at| at == call) => {
                let only_passed = found.loads == 0 && !found.named;
                let carriers = if only_passed { found.writers.clone() } else { Vec::new() };
                Some(Stored { value, carriers })
            }
            _ => None,
        }
    }
}

/// The value of an integer constant of any width, its highest bit taken as the sign: a frontend may declare the type unsigned.
pub fn constant_integer(module: &Module, inst: &Instruction) -> Option<i64> {
    let type_ = module.definition(inst.result_type()?).and_then(views::TypeInt::of)?;
    if inst.is(Op::ConstantNull) {
        return Some(0);
    }
    let constant = views::Constant::of(*inst)?;
    let unused = Some(type_.width()).filter(|width| (1..=64).contains(width)).map(|width| 64 - width)?;
    Some((constant.bits() << unused).cast_signed() >> unused)
}
