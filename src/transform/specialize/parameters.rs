//! Parameters that nothing uses any more: functions lose them, and their calls the arguments.
//!
//! Only functions that direct calls alone enter lose parameters, and only if each of these calls is in a function that changes, too. Functions
//! change after those that they call, so that arguments are known not to be used. Those that call themselves keep their parameters.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use spirv::Op;

use super::bodies::Bodies;
use super::{Flags, Work};
use crate::analysis::Analyses;
use crate::loader::{Instruction, Module, views};
use crate::transform::Edits;
use crate::transform::removal::count_words;

/// The functions that may lose parameters, and those that do.
#[derive(Default)]
pub struct LostParameters {
    /// By number.
    may_lose: BTreeSet<usize>,
    /// By number.
    functions: BTreeMap<usize, ShorterFunction>,
    /// By offset.
    calls: BTreeMap<u32, ShorterCall>,
    /// By operands: the types of functions that the module has.
    types: HashMap<Vec<u32>, u32>,
}

/// A function without some of its parameters.
struct ShorterFunction {
    /// By parameter: true if it stays.
    is_kept: Vec<bool>,
    /// The operands of its new type: the types of the result and of the parameters.
    operands: Vec<u32>,
    /// The id of that type, if the module has it.
    type_id: Option<u32>,
}

/// A call without some of its arguments.
struct ShorterCall {
    function: usize,
    words: Vec<u32>,
}

impl LostParameters {
    /// Finds the functions that may lose parameters where branches are decided in some. There are none where a type of functions stays conditional:
    /// a function without a condition must not use it, and there must not be another one like it.
    pub fn new(work: &Work, analyses: &Analyses, folded: &[usize]) -> LostParameters {
        let types = || work.module.globals().filter(|inst| inst.is(Op::TypeFunction)).map(views::Type);
        let is_open = |type_: views::Type| {
            let condition = work.multi_target.condition(type_.id());
            condition.is_some_and(|id| work.verdicts.of(id).is_none())
        };
        if !work.multi_target.is_empty() && types().any(is_open) {
            return LostParameters::default();
        }
        let is_changed = |function: &usize| folded.binary_search(function).is_ok();
        let may_lose = |&function: &usize| {
            let callers = analyses.flow().callers(function);
            callers
                .is_some_and(|callers| callers.iter().all(|caller| is_changed(caller) && *caller != function))
        };
        let may_lose: BTreeSet<usize> = folded.iter().copied().filter(may_lose).collect();
        let mut lost = LostParameters { may_lose, ..LostParameters::default() };
        if !lost.may_lose.is_empty() {
            let left = types().filter(|type_| !work.flags.has(type_.id(), Flags::REMOVED));
            lost.types = left.map(|type_| (type_.words_from(2).to_vec(), type_.id())).collect();
        }
        lost
    }

    /// Lets functions, which are in order, keep their parameters.
    pub fn keep(&mut self, functions: &[usize]) {
        self.may_lose.retain(|function| functions.binary_search(function).is_err());
    }

    /// Returns true if a function may lose parameters.
    pub fn may_lose(&self, function: usize) -> bool {
        self.may_lose.contains(&function)
    }

    /// Takes removed parameters from a function. Returns its new type, if the module has it.
    pub fn lose(&mut self, work: &Work, function: usize) -> Option<u32> {
        let (module, source) = (work.module, &work.module.functions()[function]);
        let is_left = |id: u32| !work.flags.has(id, Flags::REMOVED);
        let parameters: Vec<_> = module.parameters(source).map(views::FunctionParameter).collect();
        let is_kept: Vec<bool> = parameters.iter().map(|parameter| is_left(parameter.id())).collect();
        if !is_kept.contains(&false) {
            return None;
        }
        let result = views::Function(module.instruction(source.start)).type_id();
        let kept = parameters.iter().zip(&is_kept).filter(|(_, is_kept)| **is_kept);
        let operands: Vec<u32> = [result].into_iter().chain(kept.map(|(own, _)| own.type_id())).collect();
        let type_id = self.types.get(&operands).copied();
        self.functions.insert(function, ShorterFunction { is_kept, operands, type_id });
        type_id
    }

    /// Takes the arguments of lost parameters from the calls in a function.
    pub fn shorten_calls(&mut self, module: &Module, function: usize) {
        if self.functions.is_empty() {
            return;
        }
        for call in module.body(&module.functions()[function]).filter_map(views::FunctionCall::of) {
            let callee = module.function_index(call.callee());
            let Some(shorter) = callee.and_then(|callee| self.functions.get(&callee)) else { continue };
            let mut words = call.words()[..4].to_vec();
            let arguments = call.arguments().iter().zip(&shorter.is_kept);
            words.extend(arguments.filter(|(_, is_kept)| **is_kept).map(|(argument, _)| argument));
            count_words(&mut words);
            self.calls.insert(call.offset(), ShorterCall { function, words });
        }
    }

    /// Returns the words of a call after [`LostParameters::shorten_calls`].
    pub fn call(&self, inst: &Instruction) -> Option<&[u32]> {
        self.calls.get(&inst.offset()).map(|call| &call.words[..])
    }

    /// Writes the types of functions and the calls that are left.
    pub fn write(&self, work: &Work, bodies: &Bodies, edits: &mut Edits) {
        let module = work.module;
        let mut types: HashMap<&[u32], u32> = HashMap::new();
        for (&function, shorter) in &self.functions {
            if bodies.is_removed(work, function) {
                continue;
            }
            let type_id = shorter.type_id.unwrap_or_else(|| {
                *types.entry(&shorter.operands).or_insert_with(|| {
                    let id = edits.fresh_id();
                    let mut words = vec![Op::TypeFunction as u32, id];
                    words.extend(&shorter.operands);
                    count_words(&mut words);
                    edits.insert_words(module.definitions_end(), &words);
                    id
                })
            });
            let begin = module.instruction(module.functions()[function].start);
            let mut words = begin.words().to_vec();
            words[4] = type_id;
            edits.replace_words(&begin, &words);
        }
        for (&offset, call) in &self.calls {
            if !bodies.is_removed(work, call.function) && bodies.dropped.binary_search(&offset).is_err() {
                edits.replace_words(&module.instruction(offset), &call.words);
            }
        }
    }
}

/// Orders functions so that each comes after those that it calls. Those for which that is not possible, since they or what they call call themselves,
/// are the second list.
pub fn callees_first(work: &Work, functions: &[usize]) -> [Vec<usize>; 2] {
    let module = work.module;
    let place = |id: u32| functions.binary_search(&module.function_index(id)?).ok();
    let callees =
        |function: usize| work.uses.of(module.functions()[function].id).iter().filter_map(|&id| place(id));
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); functions.len()];
    let mut open: Vec<usize> = Vec::new();
    for (at, &function) in functions.iter().enumerate() {
        let own: BTreeSet<usize> = callees(function).collect();
        open.push(own.len());
        own.into_iter().for_each(|callee| callers[callee].push(at));
    }
    let mut ordered: Vec<usize> = (0..functions.len()).filter(|&at| open[at] == 0).collect();
    let mut next = 0;
    while let Some(&at) = ordered.get(next) {
        next += 1;
        for &caller in &callers[at] {
            open[caller] -= 1;
            if open[caller] == 0 {
                ordered.push(caller);
            }
        }
    }
    let in_circles: Vec<usize> = (0..functions.len()).filter(|&at| open[at] != 0).collect();
    [ordered, in_circles].map(|places| places.into_iter().map(|at| functions[at]).collect())
}
