//! Functions whose callers must leave after a trap in them. A parameter points to a flag, which callers test after each
//! call.

use std::collections::{BTreeSet, HashMap};

use spirv::{Op, StorageClass};

use super::leaving::Callers;
use crate::analysis::is_debug;
use crate::collections::OrderedMap;
use crate::loader::{Module, views};
use crate::transform::Edits;
use crate::transform::body::FunctionBody;
use crate::transform::new_definitions::NewDefinitions;
use crate::transform::removal::count_words;

/// Returns the functions whose callers must leave after a trap in one of these functions, including these.
pub fn signalling(callers: &Callers, trapped: impl Iterator<Item = usize>) -> BTreeSet<usize> {
    let mut open: Vec<usize> = trapped.filter(|&at| !callers.leaves[at]).collect();
    let mut signalling: BTreeSet<usize> = open.iter().copied().collect();
    while let Some(at) = open.pop() {
        for caller in callers.calls.calls_of(at).map(|call| call.caller as usize) {
            if !callers.leaves[caller] && signalling.insert(caller) {
                open.push(caller);
            }
        }
    }
    signalling
}

/// The flags of the functions of a module.
pub struct TrapFlags {
    /// The functions that signal.
    parameters: OrderedMap<usize, FlagParameter>,
    bool_: u32,
    /// The type of pointers to flags.
    pointer: u32,
    /// The type of flags, and the values of one without and with a trap.
    word: u32,
    clear: u32,
    set: u32,
}

/// The parameter of a function that points to the flag.
struct FlagParameter {
    id: u32,
    /// The type of the function with the parameter.
    function_type: u32,
}

impl TrapFlags {
    /// Chooses the parameters of the functions that signal.
    pub fn new(
        module: &Module,
        signalling: &BTreeSet<usize>,
        definitions: &mut NewDefinitions,
        edits: &mut Edits,
    ) -> TrapFlags {
        let word = definitions.uint(edits);
        let pointer = definitions.type_(Op::TypePointer, &[StorageClass::Function as u32, word], edits);
        let [clear, set] = [0, 1].map(|value| definitions.constant(word, value, edits));
        let bool_ = definitions.type_(Op::TypeBool, &[], edits);
        let mut parameters = OrderedMap::new();
        for &at in signalling {
            let Some(type_) = module.function_type(module.functions()[at].id) else { continue };
            let signature = [&[type_.return_type()], type_.parameters(), &[pointer]].concat();
            let function_type = definitions.type_(Op::TypeFunction, &signature, edits);
            parameters.insert(at, FlagParameter { id: edits.fresh_id(), function_type });
        }
        TrapFlags { parameters, bool_, pointer, word, clear, set }
    }

    /// Returns the words that set the flag in a function, if it signals.
    pub fn signal(&self, at: usize) -> Option<[u32; 3]> {
        let parameter = self.parameters.get(&at)?;
        Some([3 << 16 | Op::Store as u32, parameter.id, self.set])
    }

    /// Returns the lines of a function that call functions that signal.
    pub fn calls(&self, body: &FunctionBody) -> Vec<usize> {
        let signals = |call: views::FunctionCall| {
            let callee = body.module().function_index(call.callee());
            callee.is_some_and(|callee| self.parameters.contains_key(&callee))
        };
        let calls = body.lines().filter(|(_, inst)| views::FunctionCall::new(*inst).is_some_and(signals));
        calls.map(|(line, _)| line).collect()
    }

    /// Returns a function with the flag's parameter, if it signals, and with a test of the flag after each of these
    /// [calls](TrapFlags::calls). A call has the words that leave the function from there.
    pub fn test_calls<'m>(
        &self,
        source: &FunctionBody<'m>,
        calls: Vec<(usize, Vec<u32>)>,
        edits: &mut Edits,
    ) -> FunctionBody<'m> {
        let (module, function) = (source.module(), source.function());
        let parameter = self.parameters.get(&source.number);
        if parameter.is_none() && calls.is_empty() {
            return source.clone();
        }
        let head_end = module.parameters(function).last().map_or(function.start, |last| last.offset());
        let flag = parameter.map_or_else(|| edits.fresh_id(), |parameter| parameter.id);
        let mut calls = calls.into_iter().peekable();
        let mut body = FunctionBody::empty(module, source.number, source.all_lines().len());
        // The blocks that end as others now: their labels, and those of the others.
        let mut ends: HashMap<u32, u32> = HashMap::new();
        let (mut label, mut is_cleared) = (0, parameter.is_some());
        for (line, inst) in source.lines() {
            let offset = inst.offset();
            if let Some((_, leave)) = calls.next_if(|&(call, _)| call == line) {
                let [value, is_set, leaving, rest] = [(); 4].map(|()| edits.fresh_id());
                let mut words = [inst.words(), &[flag]].concat();
                count_words(&mut words);
                words.extend([4 << 16 | Op::Load as u32, self.word, value, flag]);
                words.extend([5 << 16 | Op::INotEqual as u32, self.bool_, is_set, value, self.clear]);
                words.extend([3 << 16 | Op::SelectionMerge as u32, rest, 0]);
                words.extend([4 << 16 | Op::BranchConditional as u32, is_set, leaving, rest]);
                words.extend([2 << 16 | Op::Label as u32, leaving]);
                words.extend(leave);
                words.extend([2 << 16 | Op::Label as u32, rest]);
                body.push_all(offset, &words);
                ends.insert(label, rest);
                continue;
            }
            // Variables come first, and debug information may stand between them.
            let is_start = matches!(inst.op(), Some(Op::Label | Op::Variable))
                || inst.is_line()
                || is_debug(source.module(), &inst)
                || label == 0;
            if !is_cleared && !is_start {
                body.push_all(offset, &[3 << 16 | Op::Store as u32, flag, self.clear]);
                is_cleared = true;
            }
            body.extend(source, line..line + 1);
            if let Some(parameter) = parameter.filter(|_| inst.is(Op::Function)) {
                let mut words = inst.words().to_vec();
                words[4] = parameter.function_type;
                body.replace(body.all_lines().len() - 1, &words);
            }
            if offset == head_end && parameter.is_some() {
                body.push_all(offset, &[3 << 16 | Op::FunctionParameter as u32, self.pointer, flag]);
            }
            if inst.is(Op::Label) {
                if label == 0 && parameter.is_none() {
                    let class = StorageClass::Function as u32;
                    body.push_all(offset, &[4 << 16 | Op::Variable as u32, self.pointer, flag, class]);
                }
                label = inst.result_id().unwrap_or(0);
            }
        }
        move_ends(&mut body, &ends);
        body
    }
}

/// Replaces labels in OpPhis by the labels of the blocks that now end these blocks.
fn move_ends(body: &mut FunctionBody, ends: &HashMap<u32, u32>) {
    for line in 0..body.all_lines().len() {
        let Some(phi) = views::Phi::new(body.instruction(line)) else { continue };
        let mut words = phi.words().to_vec();
        for label in words[3..].iter_mut().skip(1).step_by(2) {
            *label = ends.get(label).copied().unwrap_or(*label);
        }
        if words != phi.words() {
            body.replace(line, &words);
        }
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
