//! Parameters that nothing uses any more: functions lose them, and their calls the arguments.
//!
//! Only functions that direct calls alone enter lose parameters, and only if each of these calls is in a function that changes, too.

use std::collections::{BTreeSet, HashMap};

use spirv::Op;

use super::bodies::ChangedFunction;
use super::{Flags, SpecializeContext};
use crate::analysis::Analyses;
use crate::collections::OrderedMap;
use crate::loader::{Module, views};
use crate::transform::Edits;
use crate::transform::body::FunctionBody;
use crate::transform::removal::count_words;

/// The functions that may or do lose parameters.
#[derive(Default)]
pub struct LostParameters {
    /// Numbers of functions that may lose parameters.
    may_lose: BTreeSet<usize>,
    /// Functions that lose parameters, by number.
    functions: OrderedMap<usize, ShorterFunction>,
    /// Function types of the module, by operands.
    types: HashMap<Vec<u32>, u32>,
}

/// A function without some of its parameters.
struct ShorterFunction {
    /// True for each parameter that stays.
    is_kept: Vec<bool>,
    /// The operands of its new type: the types of the result and of the parameters.
    operands: Vec<u32>,
    /// The id of the type, if the module has it.
    type_id: Option<u32>,
}

impl LostParameters {
    /// Finds the functions that may lose parameters where branches are decided in some. No function loses parameters while a function type stays
    /// conditional: unconditional functions must not use it, and a second type like it is invalid.
    pub fn new(context: &SpecializeContext, analyses: &Analyses, folded: &[usize]) -> LostParameters {
        let types = || context.module.globals().filter(|inst| inst.is(Op::TypeFunction)).map(views::Type);
        let is_open = |type_: views::Type| {
            let condition = context.multi_target.condition(type_.id());
            condition.is_some_and(|id| context.condition_values.value(id).is_none())
        };
        // A call that is still conditional may get another callee, with all parameters.
        if !analyses.has_no_calls() || !context.multi_target.is_empty() && types().any(is_open) {
            return LostParameters::default();
        }
        let is_changed = |function: &usize| folded.binary_search(function).is_ok();
        let may_lose = |&function: &usize| {
            let callers = analyses.flow().callers(function);
            callers.is_some_and(|callers| callers.iter().all(is_changed))
        };
        let may_lose: BTreeSet<usize> = folded.iter().copied().filter(may_lose).collect();
        let mut lost = LostParameters { may_lose, ..LostParameters::default() };
        if !lost.may_lose.is_empty() {
            let left = types().filter(|type_| !context.flags.has(type_.id(), Flags::REMOVED));
            lost.types = left.map(|type_| (type_.words_from(2).to_vec(), type_.id())).collect();
        }
        lost
    }

    /// Returns true if a function may lose parameters.
    pub fn may_lose(&self, function: usize) -> bool {
        self.may_lose.contains(&function)
    }

    /// Removes unused parameters from a function. Returns its new type, if the module has it.
    pub fn lose(&mut self, module: &Module, function: usize, is_kept: Vec<bool>) -> Option<u32> {
        let source = &module.functions()[function];
        let begin = views::Function(module.instruction(source.start));
        if !is_kept.contains(&false) {
            return Some(begin.function_type());
        }
        let parameters = module.parameters(source).map(views::FunctionParameter);
        let kept = parameters.zip(&is_kept).filter(|(_, is_kept)| **is_kept);
        let operands: Vec<u32> =
            [begin.type_id()].into_iter().chain(kept.map(|(parameter, _)| parameter.type_id())).collect();
        let type_id = self.types.get(&operands).copied();
        self.functions.insert(function, ShorterFunction { is_kept, operands, type_id });
        type_id
    }

    /// Removes the arguments of lost parameters from a call.
    pub fn shorten(&self, module: &Module, body: &mut FunctionBody, line: usize) {
        let call = views::FunctionCall(body.instruction(line));
        let callee = module.function_index(call.callee());
        let Some(shorter) = callee.and_then(|callee| self.functions.get(&callee)) else { return };
        let mut words = call.words()[..4].to_vec();
        let arguments = call.arguments().iter().zip(&shorter.is_kept);
        words.extend(arguments.filter(|(_, is_kept)| **is_kept).map(|(&argument, _)| argument));
        count_words(&mut words);
        body.replace(line, &words);
    }

    /// Writes the types that functions have then.
    pub fn retype(&self, module: &Module, changed: &mut [ChangedFunction], edits: &mut Edits) {
        let mut types: HashMap<&[u32], u32> = HashMap::new();
        for ChangedFunction { body, .. } in changed {
            let Some(shorter) = self.functions.get(&body.number) else { continue };
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
            let begin = body.lines().find(|(_, inst)| inst.is(Op::Function));
            let Some((line, mut words)) = begin.map(|(line, inst)| (line, inst.words().to_vec())) else {
                continue;
            };
            words[4] = type_id;
            body.replace(line, &words);
        }
    }
}
