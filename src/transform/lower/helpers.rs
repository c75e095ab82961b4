//! Definitions of the library in the module: types and constants, which it may have already, and functions that are called.

use std::collections::{HashMap, HashSet};

use spirv::{Decoration, FunctionControl, Op};

use super::ModuleLowering;
use crate::loader::{Instruction, views};
use crate::transform::removal::count_words;

/// Definitions of the library that a module has.
#[derive(Default)]
pub struct Helpers {
    /// The ids in the module, by those in the library.
    ids: HashMap<u32, u32>,
    /// The words of functions.
    words: Vec<u32>,
    /// The functions with their names.
    functions: Vec<(u32, String)>,
    /// The functions that code of the module calls.
    called: HashSet<u32>,
}

impl Helpers {
    /// Returns the words of the functions.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// Asks compilers not to inline the functions that code of the module calls. In kernels, they take minutes for what they inline.
    pub fn keep_calls(&mut self) {
        let mut at = 0;
        while let Some(&first) = self.words.get(at) {
            let is_called =
                first & 0xffff == Op::Function as u32 && self.called.contains(&self.words[at + 2]);
            if is_called {
                self.words[at + 3] = FunctionControl::DONT_INLINE.bits();
            }
            at += (first >> 16) as usize;
        }
    }

    /// Returns the ids and names of the functions.
    pub fn functions(&self) -> &[(u32, String)] {
        &self.functions
    }

    /// Returns the names of the functions that code of the module calls.
    pub fn called(&self) -> impl Iterator<Item = &str> {
        let called = self.functions.iter().filter(|(id, _)| self.called.contains(id));
        called.map(|(_, name)| name.as_str())
    }
}

impl ModuleLowering<'_> {
    /// Returns the id of a type or constant of the library. It is added at its first use.
    pub fn helper_id(&mut self, id: u32) -> u32 {
        if let Some(&known) = self.helpers.ids.get(&id) {
            return known;
        }
        let new = self.new_helper_id(id);
        self.helpers.ids.insert(id, new);
        new
    }

    fn new_helper_id(&mut self, id: u32) -> u32 {
        let module = &self.library.module;
        let Some(definition) = module.definition(id) else { return id };
        let uint = views::Constant::new(definition).filter(|constant| {
            let type_ = module.definition(constant.type_id()).and_then(views::TypeInt::new);
            type_.is_some_and(|int| int.width() == 32 && int.signedness() == 0)
        });
        if let Some(constant) = uint {
            return self.globals.constant(constant.low_word(), &mut self.edits);
        }
        let mut words = definition.words().to_vec();
        let mut operands = Vec::new();
        module.walk(&definition, &mut |at, operand: u32| operands.push((at, operand)));
        for (at, operand) in operands.into_iter().filter(|&(_, operand)| operand != id) {
            words[at] = self.helper_id(operand);
        }
        if definition.is(Op::TypeInt) && self.is_of_kernels {
            words[3] = 0;
        }
        match definition.result_type() {
            None => self.globals.type_with(&words, &mut self.edits),
            Some(_) => self.globals.add(words, &mut self.edits),
        }
    }

    /// Returns true for a bitcast between types of the library that are one in the module.
    pub fn is_copy(&mut self, inst: &Instruction) -> bool {
        let library = &self.library.module;
        let from = library.type_of(inst.word(3)).filter(|_| inst.is(Op::Bitcast));
        match (from, inst.result_type()) {
            (Some(from), Some(to)) => self.helper_id(from) == self.helper_id(to),
            _ => false,
        }
    }

    /// Keeps shaders from contracting an operation of the library with others, of which each is exact or rounds.
    pub fn keep_apart(&mut self, id: u32) {
        if !self.is_of_kernels {
            self.globals.annotate(&instruction(Op::Decorate, [id, Decoration::NoContraction as u32]));
        }
    }

    /// Returns the id of a function of the library that code of the module calls.
    pub fn called_function(&mut self, number: usize) -> u32 {
        let id = self.helper_function(number);
        self.helpers.called.insert(id);
        id
    }

    /// Returns the id of a function of the library. It is added at its first use, with those that it calls.
    fn helper_function(&mut self, number: usize) -> u32 {
        let library = self.library;
        let module = &library.module;
        let function = &module.functions()[number];
        if let Some(&known) = self.helpers.ids.get(&function.id) {
            return known;
        }
        let mut ids: HashMap<u32, u32> = HashMap::new();
        let mut words = Vec::new();
        for inst in module.body(function) {
            let start = words.len();
            words.extend_from_slice(inst.words());
            let mut operands = Vec::new();
            module.walk(&inst, &mut |at, id: u32| operands.push((at, id)));
            let is_copy = self.is_copy(&inst);
            if is_copy {
                words[start] = words[start] & 0xffff_0000 | Op::CopyObject as u32;
            }
            let mut result = None;
            for (at, id) in operands {
                words[start + at] = match module.function_index(id) {
                    Some(other) if other != number => self.helper_function(other),
                    None if module.is_global(id) => self.helper_id(id),
                    _ => *ids.entry(id).or_insert_with(|| self.edits.fresh_id()),
                };
                result = Some(words[start + at]).filter(|_| at == 2).or(result);
            }
            if let Some(result) = result.filter(|_| inst.op().is_some_and(is_float_arithmetic)) {
                self.keep_apart(result);
            }
        }
        let id = ids.get(&function.id).copied().unwrap_or_default();
        self.helpers.ids.insert(function.id, id);
        self.helpers.functions.push((id, library.function(number).name.clone()));
        self.helpers.words.extend_from_slice(&words);
        id
    }
}

/// Returns true for an operation that may be contracted with another one.
pub fn is_float_arithmetic(op: Op) -> bool {
    matches!(op, Op::FAdd | Op::FSub | Op::FMul)
}

/// Returns the words of an instruction.
pub fn instruction(op: Op, operands: impl IntoIterator<Item = u32>) -> Vec<u32> {
    let mut words = vec![op as u32];
    words.extend(operands);
    count_words(&mut words);
    words
}
