//! Functions whose callers must leave after a trap in them: a flag says so, to which a parameter points, and callers test it after each call.

use std::collections::{BTreeMap, BTreeSet};

use spirv::{Op, StorageClass};

use super::definitions::NewDefinitions;
use super::leaving::Callers;
use crate::analysis::flow::Blocks;
use crate::loader::{Module, views};
use crate::transform::Edits;
use crate::transform::removal::count_words;

/// Returns the functions whose callers must leave after a trap in one of these functions, with these.
pub fn signalling(callers: &Callers, trapped: impl Iterator<Item = usize>) -> BTreeSet<usize> {
    let mut open: Vec<usize> = trapped.filter(|&at| !callers.leaves[at]).collect();
    let mut signalling: BTreeSet<usize> = open.iter().copied().collect();
    while let Some(at) = open.pop() {
        for caller in callers.calls[at].iter().map(|call| call.caller) {
            if !callers.leaves[caller] && signalling.insert(caller) {
                open.push(caller);
            }
        }
    }
    signalling
}

/// The flags of the functions of a module.
pub struct TrapFlags {
    /// The functions that signal, each with its parameter that points to the flag.
    parameters: BTreeMap<usize, u32>,
    /// The type of pointers to flags.
    pointer: u32,
    /// The type of flags, and the values of one without and with a trap.
    word: u32,
    clear: u32,
    set: u32,
}

impl TrapFlags {
    /// Gives the functions that signal a parameter.
    pub fn new(
        module: &Module,
        signalling: &BTreeSet<usize>,
        definitions: &mut NewDefinitions,
        edits: &mut Edits,
    ) -> TrapFlags {
        let word = definitions.uint(edits);
        let pointer = definitions.type_(Op::TypePointer, &[StorageClass::Function as u32, word], edits);
        let [clear, set] = [0, 1].map(|value| definitions.constant(word, value, edits));
        let mut parameters = BTreeMap::new();
        for &at in signalling {
            let function = &module.functions()[at];
            let Some(type_) = module.function_type(function.id) else { continue };
            let signature = [&[type_.return_type()], type_.parameters(), &[pointer]].concat();
            let start = module.instruction(function.start);
            let mut words = start.words().to_vec();
            words[4] = definitions.type_(Op::TypeFunction, &signature, edits);
            edits.replace_words(&start, &words);
            let parameter = edits.fresh_id();
            let place = module.parameters(function).last().map_or(start.end(), |last| last.end());
            edits.insert_words(place, &[3 << 16 | Op::FunctionParameter as u32, pointer, parameter]);
            parameters.insert(at, parameter);
        }
        TrapFlags { parameters, pointer, word, clear, set }
    }

    /// Returns the words that set the flag in a function that signals, and return from it.
    pub fn trap(
        &self,
        module: &Module,
        at: usize,
        definitions: &mut NewDefinitions,
        edits: &mut Edits,
    ) -> Vec<u32> {
        let parameter = self.parameters.get(&at).copied().unwrap_or_default();
        let mut words = vec![3 << 16 | Op::Store as u32, parameter, self.set];
        words.extend(return_from(module, at, definitions, edits));
        words
    }

    /// Returns the calls in a function of functions that signal.
    pub fn calls<'m>(&self, module: &'m Module, at: usize) -> Vec<views::FunctionCall<'m>> {
        let signals = |call: &views::FunctionCall| {
            module.function_index(call.callee()).is_some_and(|callee| self.parameters.contains_key(&callee))
        };
        let calls = module.body(&module.functions()[at]).filter_map(views::FunctionCall::new);
        calls.filter(signals).collect()
    }

    /// Tests the flag after [calls](TrapFlags::calls) in a function, each with the words that leave the function from there.
    pub fn test_calls(
        &self,
        module: &Module,
        at: usize,
        calls: Vec<(views::FunctionCall, Vec<u32>)>,
        definitions: &mut NewDefinitions,
        edits: &mut Edits,
    ) {
        let function = &module.functions()[at];
        let mut blocks = Blocks::default();
        if calls.is_empty() || !blocks.read(module, function) {
            return;
        }
        let flag = match self.parameters.get(&at) {
            Some(&parameter) => parameter,
            None => self.variable(module, &blocks, edits),
        };
        let bool_ = definitions.type_(Op::TypeBool, &[], edits);
        // The blocks that end as others now: their labels, and those of the others.
        let mut ends: BTreeMap<u32, u32> = BTreeMap::new();
        for (call, leave) in calls {
            let [value, is_set, leaving, rest] = [(); 4].map(|()| edits.fresh_id());
            let mut words = [call.words(), &[flag]].concat();
            count_words(&mut words);
            words.extend([4 << 16 | Op::Load as u32, self.word, value, flag]);
            words.extend([5 << 16 | Op::INotEqual as u32, bool_, is_set, value, self.clear]);
            words.extend([3 << 16 | Op::SelectionMerge as u32, rest, 0]);
            words.extend([4 << 16 | Op::BranchConditional as u32, is_set, leaving, rest]);
            words.extend([2 << 16 | Op::Label as u32, leaving]);
            words.extend(leave);
            words.extend([2 << 16 | Op::Label as u32, rest]);
            edits.replace_words(&call, &words);
            if let Some(block) = blocks.at(call.offset()) {
                ends.insert(blocks.get(block).label(module), rest);
            }
        }
        for phi in module.body(function).filter_map(views::Phi::new) {
            let mut words = phi.words().to_vec();
            for label in words[3..].iter_mut().skip(1).step_by(2) {
                *label = ends.get(label).copied().unwrap_or(*label);
            }
            if words != phi.words() {
                edits.replace_words(&phi, &words);
            }
        }
    }

    /// Adds a variable for the flag to a function.
    fn variable(&self, module: &Module, blocks: &Blocks, edits: &mut Edits) -> u32 {
        let first = blocks.get(0);
        let variable = edits.fresh_id();
        let words = [4 << 16 | Op::Variable as u32, self.pointer, variable, StorageClass::Function as u32];
        edits.insert_words(first.start + 2, &words);
        let is_start = |op: Option<Op>| matches!(op, Some(Op::Label | Op::Variable | Op::Line | Op::NoLine));
        let mut instructions = module.range(first.start, first.end);
        let place =
            instructions.find(|inst| !is_start(inst.op())).map_or(first.terminator, |inst| inst.offset());
        edits.insert_words(place, &[3 << 16 | Op::Store as u32, variable, self.clear]);
        variable
    }
}

/// Returns the words that return from a function, with an undefined value if it returns one.
pub fn return_from(
    module: &Module,
    at: usize,
    definitions: &mut NewDefinitions,
    edits: &mut Edits,
) -> Vec<u32> {
    let type_ = module.function_type(module.functions()[at].id).map_or(0, |type_| type_.return_type());
    match module.definition_as(type_, Op::TypeVoid) {
        Some(_) => vec![1 << 16 | Op::Return as u32],
        None => vec![2 << 16 | Op::ReturnValue as u32, definitions.undefined(type_, edits)],
    }
}
