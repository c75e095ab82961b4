//! Outlining: a conditional call and the instructions that prepare its arguments move to a new function, if the preparation requires the features
//! of the condition.

use std::collections::{HashMap, HashSet};

use spirv::{FunctionControl, Op};

use super::body::FunctionBody;
use super::insertion::{DecorationsById, InsertionPoints, renamed};
use super::new_definitions::NewDefinitions;
use super::{Edits, NewInstruction};
use crate::analysis::conditional::movable::inputs;
use crate::analysis::conditional::preparation::unneeded_without;
use crate::analysis::conditions::names::ordinary;
use crate::analysis::{Analyses, AnalysisError, Annotated, ConditionalCall, FreeNames, Names, is_debug};
use crate::collections::IdMap;
use crate::loader::{Module, views};

/// A module with outlined calls.
#[derive(Clone, Debug)]
pub struct Outlined {
    /// The changes to the module.
    pub edits: Edits,
    /// The annotations of the changed module.
    pub annotated: Annotated,
}

/// Outlines the conditional calls of a module that [move](ConditionalCall::movable) with their preparation; `None` without any.
///
/// # Errors
/// If the conditional code is malformed.
pub fn outline(analyses: &Analyses) -> Result<Option<Outlined>, AnalysisError> {
    let module = analyses.module();
    let outlined: Vec<&ConditionalCall> =
        analyses.calls()?.calls.iter().filter(|call| call.movable.is_some()).collect();
    if outlined.is_empty() {
        return Ok(None);
    }
    let mut writer = OutlineWriter::new(analyses, &outlined);
    for of_holder in outlined.chunk_by(|one, other| one.holder == other.holder) {
        let Some(number) = module.function_index(of_holder[0].holder) else { continue };
        let mut body = FunctionBody::decode(module, number);
        let offsets: HashSet<u32> = of_holder.iter().map(|call| call.call).collect();
        let idle = unneeded_without(module, body.function(), &offsets);
        let moved: HashSet<u32> =
            of_holder.iter().flat_map(|call| call.movable.iter().flatten().copied()).collect();
        // What other calls use too stays where it is.
        let mut taken: HashSet<u32> =
            moved.iter().filter(|offset| idle.binary_search(offset).is_err()).copied().collect();
        let calls = of_holder.iter().map(|call| (call.call, writer.call(number, call, &mut taken)));
        let calls: IdMap<Vec<u32>> = calls.collect();
        let is_idle = |offset: u32| {
            idle.binary_search(&offset).is_ok()
                && (moved.contains(&offset) || is_debug_of(module, offset, &moved))
        };
        for line in 0..body.all_lines().len() {
            let origin = body.all_lines()[line].origin();
            match calls.get(&origin) {
                Some(words) => body.replace(line, words),
                None if is_idle(origin) => body.remove(line),
                None => {}
            }
        }
        body.emit(&mut writer.outlined.edits);
    }
    Ok(Some(writer.finish()))
}

/// Returns true for a debug instruction that describes one of these.
fn is_debug_of(module: &Module, offset: u32, described: &HashSet<u32>) -> bool {
    let inst = module.instruction(offset);
    let mut describes = false;
    module.walk(&inst, &mut |_, id: u32| {
        describes |= module.definition_offset(id).is_some_and(|at| at != offset && described.contains(&at));
    });
    is_debug(module, &inst) && describes
}

/// Writes the functions.
struct OutlineWriter<'w, 'm> {
    module: &'m Module<'m>,
    names: &'w Names<'m>,
    points: InsertionPoints,
    decorations: DecorationsById<'m>,
    free_names: FreeNames,
    definitions: NewDefinitions,
    /// The new functions, which come before those with the calls.
    functions: Vec<FunctionBody<'m>>,
    outlined: Outlined,
}

impl<'w, 'm> OutlineWriter<'w, 'm> {
    fn new(analyses: &'w Analyses<'m>, calls: &[&ConditionalCall]) -> OutlineWriter<'w, 'm> {
        let (module, names) = (analyses.module(), analyses.names());
        let moved = calls.iter().flat_map(|call| call.movable.iter().flatten());
        let moved = moved.filter_map(|&offset| module.instruction(offset).result_id());
        OutlineWriter {
            module,
            names,
            points: InsertionPoints::find(module),
            decorations: DecorationsById::new(module, moved),
            free_names: FreeNames::new(names),
            definitions: NewDefinitions::new(module),
            functions: Vec::new(),
            outlined: Outlined { edits: Edits::new(module), annotated: analyses.annotated().clone() },
        }
    }

    /// Moves a call and its preparation into a function, and returns the words that call the function. The function has
    /// copies of the instructions in `taken`, which stay or have moved into another function.
    fn call(&mut self, holder: usize, call: &ConditionalCall, taken: &mut HashSet<u32>) -> Vec<u32> {
        let module = self.module;
        let function_of_call = &module.functions()[holder];
        let inst = views::FunctionCall(module.instruction(call.call));
        let moving = call.movable.as_deref().unwrap_or_default();
        let arguments = inputs(module, function_of_call, call, moving.iter().copied());
        let function = self.outlined.edits.fresh_id();
        let mut signature = vec![inst.type_id()];
        signature.extend(arguments.iter().filter_map(|&id| module.type_of(id)));
        let edits = &mut self.outlined.edits;
        let type_ = self.definitions.type_(Op::TypeFunction, &signature, edits);
        let control = FunctionControl::NONE.bits();
        let mut words = vec![5 << 16 | Op::Function as u32, inst.type_id(), function, control, type_];
        let mut ids = HashMap::new();
        for &id in &arguments {
            let parameter = self.outlined.edits.fresh_id();
            words.extend([
                3 << 16 | Op::FunctionParameter as u32,
                module.type_of(id).unwrap_or(0),
                parameter,
            ]);
            ids.insert(id, parameter);
        }
        words.extend([2 << 16 | Op::Label as u32, self.outlined.edits.fresh_id()]);
        let mut body = FunctionBody::empty(module, holder, moving.len());
        body.push_all(call.call, &words);
        let moving = moving.iter().map(|&offset| module.instruction(offset));
        let (variables, others): (Vec<_>, Vec<_>) = moving.partition(|inst| inst.is(Op::Variable));
        for moved in variables.iter().chain(&others) {
            if let Some(id) = moved.result_id()
                && !taken.insert(moved.offset())
            {
                let copy = self.outlined.edits.fresh_id();
                self.decorations.copy(id, copy, self.points.annotations, &mut self.outlined.edits);
                ids.insert(id, copy);
            }
            body.push_all(moved.offset(), &renamed(module, moved, &ids));
        }
        let result = self.outlined.edits.fresh_id();
        ids.insert(inst.id(), result);
        body.push_all(call.call, &renamed(module, &inst, &ids));
        let ending = match module.definition_as(inst.type_id(), Op::TypeVoid) {
            Some(_) => vec![1 << 16 | Op::Return as u32],
            None => vec![2 << 16 | Op::ReturnValue as u32, result],
        };
        body.push_all(call.call, &[&ending[..], &[1 << 16 | Op::FunctionEnd as u32]].concat());
        self.functions.push(body);
        self.name(function, call.function);
        let annotated = &mut self.outlined.annotated;
        annotated.calls.insert(inst.id(), call.condition.clone());
        annotated.outlined.insert(function, call.function);
        if let Some(source) = annotated.sources.get(&call.holder).cloned() {
            annotated.sources.insert(function, source);
        }
        let mut words = vec![
            (4 + arguments.len() as u32) << 16 | Op::FunctionCall as u32,
            inst.type_id(),
            inst.id(),
            function,
        ];
        words.extend(arguments);
        words
    }

    /// Names a function after the action that it calls, if that has a name.
    fn name(&mut self, function: u32, action: u32) {
        let Some(name) = self.names.name(action).filter(|name| !name.is_empty()) else { return };
        let name = self.free_names.take(&format!("{}.prepared", ordinary(&name)));
        self.outlined.edits.insert(self.points.names, &NewInstruction::name(function, &name));
    }

    /// Returns the module with the functions in it. They are inserted after the types, which may be at the same place.
    fn finish(mut self) -> Outlined {
        self.definitions.insert(&mut self.outlined.edits);
        for body in &self.functions {
            body.insert(body.function().lines, &mut self.outlined.edits);
        }
        self.outlined
    }
}
