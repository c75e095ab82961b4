//! What becomes of the ids inside one function, as far as constants travel through its variables.

use std::collections::{HashMap, HashSet};

use spirv::Op;

use crate::analysis::debug::information::is_debug;
use crate::loader::{Function, Instruction, Module};

/// The uses of the ids in one function.
#[derive(Clone, Debug, Default)]
pub struct StoreForwarding {
    variables: HashMap<u32, Variable>,
    /// Ids that something reads, stores into variables that are never read excepted.
    read: HashMap<u32, usize>,
    /// Ids that are stored into variables that are never read.
    stored: HashSet<u32>,
}

#[derive(Clone, Debug, Default)]
struct Variable {
    /// The OpVariable and all OpStores into it, as offsets.
    writers: Vec<u32>,
    /// What was stored, or the initial value.
    values: Vec<u32>,
    /// The calls that get it as an argument.
    calls: Vec<u32>,
    /// Loads from it.
    loads: usize,
    /// Whether debug information names it.
    named: bool,
    /// Any other use: it may change in ways that are not followed.
    escapes: bool,
}

/// The value of a variable that is written once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The id that was stored.
    pub value: u32,
    /// The OpVariable and the OpStore, as offsets, if the variable serves for nothing but this call, not even debug information.
    pub carriers: Vec<u32>,
}

impl StoreForwarding {
    /// Reads the body of a function.
    pub fn new(module: &Module, function: &Function) -> StoreForwarding {
        let mut locals = StoreForwarding::default();
        for inst in module.body(function) {
            if inst.is(Op::Variable) {
                let mut variable = Variable { writers: vec![inst.offset()], ..Variable::default() };
                variable.values.extend(inst.words().get(4));
                locals.variables.insert(inst.word(2), variable);
            }
        }
        let mut stores: Vec<Instruction> = Vec::new();
        for inst in module.body(function) {
            let silent = matches!(inst.op(), Some(Op::Variable | Op::LifetimeStart | Op::LifetimeStop));
            if is_debug(module, &inst) {
                module.walk(&inst, &mut |_, id: u32| {
                    if let Some(variable) = locals.variables.get_mut(&id) {
                        variable.named = true;
                    }
                });
            }
            if silent || is_debug(module, &inst) {
                continue;
            }
            if inst.is(Op::Store) && locals.variables.contains_key(&inst.word(1)) {
                stores.push(inst);
                continue;
            }
            let result = inst.result_id();
            module.walk(&inst, &mut |_, id| {
                if Some(id) != result {
                    locals.used(&inst, id);
                }
            });
        }
        for store in stores {
            locals.stored(&store);
        }
        locals
    }

    fn used(&mut self, inst: &Instruction, id: u32) {
        *self.read.entry(id).or_default() += 1;
        if let Some(variable) = self.variables.get_mut(&id) {
            match inst.op() {
                Some(Op::Load) => variable.loads += 1,
                Some(Op::FunctionCall) => variable.calls.push(inst.offset()),
                _ => variable.escapes = true,
            }
        }
    }

    fn stored(&mut self, store: &Instruction) {
        let (pointer, value) = (store.word(1), store.word(2));
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

    /// Whether anything reads an id. Storing it into a variable that is never read is no reading.
    pub fn is_read(&self, id: u32) -> bool {
        self.read.contains_key(&id)
    }

    /// Whether an instruction of the function has an id as an operand, whatever comes of it.
    pub fn is_used(&self, id: u32) -> bool {
        self.is_read(id) || self.stored.contains(&id)
    }

    /// Whether an id is an operand exactly this many times.
    pub fn is_used_times(&self, id: u32, times: usize) -> bool {
        self.read.get(&id) == Some(&times) && !self.stored.contains(&id)
    }

    /// The value that a variable has at a call that gets it as an argument: what is stored, if that happens once and
    /// nothing else could change it.
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

/// The value of an integer constant of any width, its highest bit taken as the sign: a frontend may call the type unsigned.
pub fn constant_integer(module: &Module, inst: &Instruction) -> Option<i64> {
    let type_ = module.definition_as(inst.result_type()?, Op::TypeInt)?;
    if inst.is(Op::ConstantNull) {
        return Some(0);
    }
    let width = type_.word(2);
    if !inst.is(Op::Constant) || !(1..=64).contains(&width) {
        return None;
    }
    let bits = u64::from(inst.word(3)) | u64::from(inst.word(4)) << 32;
    let unused = 64 - width;
    Some((bits << unused).cast_signed() >> unused)
}
