//! Clones of functions for calls whose arguments decide branches in them.

use std::collections::{BTreeSet, HashMap};

use super::copier::Copier;
use crate::analysis::Analyses;
use crate::analysis::flow::{CallCloneLimits, Solution};
use crate::collections::sort_by_key;
use crate::transform::Edits;
use crate::transform::body::FunctionBody;

/// A clone of a function for calls whose arguments decide branches in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct CallClone {
    /// The function, as messages name it.
    pub function: String,
    /// The name of the clone; empty if the function has none.
    pub name: String,
    /// The number of calls that call the clone.
    pub calls: usize,
}

/// The clones of one round.
#[derive(Debug)]
pub struct CallClones {
    /// The changes to the module.
    pub edits: Edits,
    pub clones: Vec<CallClone>,
    /// The functions that were too large to clone, as messages name them.
    pub too_large: Vec<String>,
    /// The outcome of the values of constants in the module, if it was required.
    pub solution: Option<Solution>,
}

/// Clones functions for calls that decide branches in them, those with the largest gain first, and lets these calls call the clones. `known` has
/// the values of constants. Without such calls, or if clones would make the module too large, the result has no edits.
pub fn clone_for_calls(
    analyses: &Analyses,
    limits: &CallCloneLimits,
    known: &mut dyn FnMut(u32) -> Option<u64>,
) -> CallClones {
    let module = analyses.module();
    let (mut deciding, solution) = analyses.flow().deciding_calls(module, limits, known);
    sort_by_key(&mut deciding, |function| std::cmp::Reverse(function.gain()));
    let mut left = (module.words().len() * limits.growth / 100) as isize;
    let mut too_large = Vec::new();
    deciding.retain(|function| {
        let fits = function.growth() <= left;
        match fits {
            true => left -= function.growth(),
            false => too_large.push(analyses.names().display(module.functions()[function.function].id)),
        }
        fits
    });
    if deciding.is_empty() {
        return CallClones { edits: Edits::new(module), clones: Vec::new(), too_large, solution };
    }
    let mut copier = Copier::new(analyses, deciding.iter().map(|function| function.function));
    let (mut edits, mut clones) = (Edits::new(module), Vec::new());
    // By offset of a call: its new callee.
    let mut callees: HashMap<u32, u32> = HashMap::new();
    let mut copies = Vec::new();
    for function in &deciding {
        let number = function.function;
        let source = &module.functions()[number];
        // Where others get clones, the first calls can have the function itself.
        let kept = usize::from(function.has_all_calls());
        for group in &function.groups[kept..] {
            let clone = edits.fresh_id();
            callees.extend(group.calls.iter().map(|&offset| (offset, clone)));
            let name = copier.name_copy(source, clone, 1, &mut edits).unwrap_or_default();
            copier.decorate(source.id, clone, &mut edits);
            let function = analyses.names().display(source.id);
            clones.push(CallClone { function, name, calls: group.calls.len() });
            copies.push((number, copier.fresh_ids(source, clone, &mut edits)));
        }
    }
    for (number, ids) in copies {
        let mut body = FunctionBody::decode(module, number);
        body.rename(&ids);
        redirect(&mut body, &callees);
        body.insert(body.function().lines, &mut edits);
    }
    let functions = module.functions();
    let caller = |&offset: &u32| functions.partition_point(|function| function.start <= offset) - 1;
    for number in callees.keys().map(caller).collect::<BTreeSet<usize>>() {
        let mut body = FunctionBody::decode(module, number);
        redirect(&mut body, &callees);
        body.emit(&mut edits);
    }
    CallClones { edits, clones, too_large, solution }
}

/// Lets calls call other functions, by their offsets.
fn redirect(body: &mut FunctionBody, callees: &HashMap<u32, u32>) {
    for line in 0..body.all_lines().len() {
        if let Some(&callee) = callees.get(&body.all_lines()[line].origin()) {
            let mut words = body.instruction(line).words().to_vec();
            words[3] = callee;
            body.replace(line, &words);
        }
    }
}
