//! Conditional actions as functions of other modules (docs/design/device-if.md, "Changes to the `sycl-post-link` tool (non-AOT)").
//!
//! A packed module becomes one in which nothing is conditional: a conditional call is a call of a declared function. The module also defines the
//! replacement of an action whose condition is false. Parts of it are then the images.

mod choices;
mod error;
mod functions;

pub use error::{AddOnError, Meaning};

use std::collections::{HashMap, HashSet};

use spirv::{Decoration, Op};

use choices::{Alternative, CallChoice, ChoiceFinder, only_for};
use functions::{FunctionWriter, ImportedBody};
use spirv_if::engine::analysis::Analyses;
use spirv_if::engine::analysis::conditions::multi_target::MultiTarget;
use spirv_if::engine::analysis::conditions::names::ordinary;
use spirv_if::engine::collections::{IdMap, OrderedMap};
use spirv_if::engine::condition::{ConditionId, Conditions, Expr};
use spirv_if::engine::loader::{Module, literal, views};
use spirv_if::engine::transform::Edits;
use spirv_if::engine::transform::insertion::{DecorationsById, InsertionPoints};
use spirv_if::engine::transform::removal::count_words;
use spirv_if::engine::transform::settle::make_ordinary;

/// A conditional action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionalAction {
    /// The condition under which it is called, in canonical form.
    pub condition: Expr,
    /// The function.
    pub action: u32,
    /// The declaration that is called.
    pub import: u32,
    /// The definition that is called on all other devices.
    pub stub: u32,
}

/// A module without conditions.
#[derive(Clone, Debug)]
pub struct UnconditionalModule {
    /// The changes to the module.
    pub edits: Edits,
    /// The conditional actions that it calls, in the order of their first calls.
    pub actions: Vec<ConditionalAction>,
}

/// Turns the conditional calls of a packed module into calls of declared functions; conditional capabilities and extensions are declared
/// outright. `meaning` returns the meaning of the constant of a condition.
///
/// # Errors
/// See [`AddOnError`].
pub fn declare(
    analyses: &Analyses,
    meaning: &mut dyn FnMut(u32) -> Meaning,
) -> Result<UnconditionalModule, AddOnError> {
    let (module, names, multi_target) = (analyses.module(), analyses.names(), analyses.multi_target()?);
    if let Some(&entry) = multi_target.entry_points.first() {
        let name = views::EntryPoint(module.instruction(entry)).name().into_owned();
        return Err(AddOnError::EntryPoint(name));
    }
    let mut conditions = Conditions::new();
    let mut meanings = IdMap::new();
    let mut unnamed = HashMap::new();
    for constant in constants(module, multi_target.decorations.iter().map(|decoration| decoration.condition))
    {
        match meaning(constant) {
            Ok(expr) => drop(meanings.insert(constant, conditions.of_expr(&expr)?)),
            Err(text) => drop(unnamed.insert(constant, text)),
        }
    }
    let mut context = DeclareContext {
        module,
        edits: Edits::new(module),
        conditions,
        known: OrderedMap::new(),
        actions: Vec::new(),
        planned: Vec::new(),
        removed: HashSet::new(),
    };
    // By function: a constant without a meaning that decides something in it.
    let mut open: OrderedMap<usize, &String> = OrderedMap::new();
    for &target in multi_target.targets().iter().filter(|&&id| !module.is_global(id)) {
        let constant = multi_target.condition(target).and_then(|constant| unnamed.get(&constant));
        if let Some((at, constant)) = module.function_of(target).zip(constant)
            && module.functions()[at].id != target
        {
            open.entry(at).or_insert(constant);
        }
    }
    for (at, function) in module.functions().iter().enumerate() {
        if let Some(&constant) = open.get(&at) {
            let (function, constant) = (names.display(function.id), constant.clone());
            return Err(AddOnError::Unnamed { function, constant });
        }
        let (meanings, conditions) = (&meanings, &mut context.conditions);
        let choices = ChoiceFinder { module, names, multi_target, meanings, conditions }.find(function)?;
        for choice in choices {
            let casts = only_for(module, function, &choice);
            context.removed.extend(casts.iter().filter_map(|inst| inst.result_id()));
            casts.iter().for_each(|inst| context.edits.drop(inst));
            context.replace(&choice)?;
        }
    }
    context.write();
    context.remove_conditions(multi_target);
    let DeclareContext { mut edits, actions, .. } = context;
    // Their images are linked once the condition is decided.
    analyses.own_actions().iter().for_each(|action| make_ordinary(module, action, &mut edits));
    Ok(UnconditionalModule { edits, actions })
}

/// Returns the constants that decide something, each once.
fn constants(module: &Module, of_decorations: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut all: Vec<u32> = of_decorations.collect();
    for function in module.functions() {
        let copies = module.body(function).filter_map(views::ConditionalCopyObjectINTEL::new);
        all.extend(copies.flat_map(|copy| copy.choices().iter().map(|&[constant, _]| constant)));
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// A function to be written, with the type and the parameters of another.
struct PlannedFunction {
    id: u32,
    template: u32,
    body: ImportedBody,
}

/// The changes to the module so far, and the data that they depend on.
struct DeclareContext<'m> {
    module: &'m Module<'m>,
    edits: Edits,
    conditions: Conditions,
    /// Number of the action for each set of alternatives under a condition.
    known: OrderedMap<(ConditionId, Vec<Alternative>), usize>,
    actions: Vec<ConditionalAction>,
    planned: Vec<PlannedFunction>,
    removed: HashSet<u32>,
}

impl DeclareContext<'_> {
    /// Replaces a choice by one call.
    fn replace(&mut self, choice: &CallChoice) -> Result<(), AddOnError> {
        let number = self.action(ConditionId::TRUE, &choice.alternatives)?;
        let first = choice.calls[0];
        let mut words = first.words().to_vec();
        words[3] = self.actions[number].import;
        for call in &choice.calls[1..] {
            self.removed.insert(call.id());
            self.edits.drop(call);
        }
        self.edits.replace_words(&first, &words);
        if let Some(copy) = choice.copy {
            let words = [4 << 16 | Op::CopyObject as u32, copy.word(1), copy.word(2), first.id()];
            self.edits.replace_words(&copy, &words);
        }
        Ok(())
    }

    /// Returns the number of the action that is called first of these, where a condition holds already.
    fn action(&mut self, within: ConditionId, alternatives: &[Alternative]) -> Result<usize, AddOnError> {
        let key = (within, alternatives.to_vec());
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let Alternative { condition, function } = alternatives[0];
        let number = self.actions.len();
        let (import, stub) = (self.edits.fresh_id(), self.edits.fresh_id());
        let mut action = function;
        if self.module.function(function).is_some_and(|function| self.module.is_declaration(function)) {
            action = self.edits.fresh_id();
            let body = ImportedBody::Call { callee: function, template: function };
            self.planned.push(PlannedFunction { id: action, template: function, body });
        }
        let condition_text = self.conditions.expr_of(condition)?;
        self.actions.push(ConditionalAction { condition: condition_text, action, import, stub });
        self.known.insert(key, number);
        self.planned.push(PlannedFunction {
            id: import,
            template: function,
            body: ImportedBody::Declaration,
        });
        let not = self.conditions.not(condition)?;
        let rest = self.conditions.and(within, not)?;
        let body = match &alternatives[1..] {
            [] => ImportedBody::Return,
            [last] if self.conditions.implies(rest, last.condition)? => {
                ImportedBody::Call { callee: last.function, template: last.function }
            }
            others => {
                let next = self.action(rest, others)?;
                ImportedBody::Call { callee: self.actions[next].import, template: others[0].function }
            }
        };
        self.planned.push(PlannedFunction { id: stub, template: function, body });
        Ok(number)
    }

    /// Writes the planned functions.
    fn write(&mut self) {
        let module = self.module;
        let points = InsertionPoints::find(module);
        let templates = self.planned.iter().filter_map(|planned| module.function(planned.template));
        let parameters =
            templates.flat_map(|function| module.parameters(function)).filter_map(|inst| inst.result_id());
        let decorations = DecorationsById::new(module, parameters);
        let void = module.globals().find(|inst| inst.is(Op::TypeVoid)).and_then(|inst| inst.result_id());
        let mut writer = FunctionWriter {
            module,
            edits: &mut self.edits,
            decorations,
            annotations: points.annotations,
            declarations: points.globals,
            void,
        };
        for PlannedFunction { id, template, body } in std::mem::take(&mut self.planned) {
            writer.write(id, template, body);
        }
    }

    /// Removes the conditions of everything but calls.
    fn remove_conditions(&mut self, multi_target: &MultiTarget) {
        let (module, edits) = (self.module, &mut self.edits);
        for decoration in &multi_target.decorations {
            edits.drop(&module.instruction(decoration.offset));
        }
        for &offset in &multi_target.declarations {
            edits.drop(&module.instruction(offset));
        }
        let declarations =
            [(&multi_target.capabilities, Op::Capability), (&multi_target.extensions, Op::Extension)];
        for (offsets, op) in declarations {
            for inst in offsets.iter().map(|&offset| module.instruction(offset)) {
                let mut words = vec![op as u32];
                words.extend(inst.words_from(2));
                count_words(&mut words);
                edits.replace_words(&inst, &words);
            }
        }
        // A conditional caller with the action's body in it is an action.
        for inst in module.annotations() {
            let linkage = views::Decoration::with(inst, Decoration::LinkageAttributes);
            let (Some(text), at) = (match (views::Name::new(inst), linkage) {
                (Some(name), _) => (Some(name.name()), 2),
                (None, linkage) => (linkage.map(views::Decoration::text), 3),
            }) else {
                continue;
            };
            let name = ordinary(&text);
            if name != text {
                let mut words = inst.words()[..at].to_vec();
                words.extend(literal(&name));
                words.extend(linkage.map(views::Decoration::linkage_type));
                count_words(&mut words);
                edits.replace_words(&inst, &words);
            }
        }
        let removed = &self.removed;
        let annotations = module.annotations().filter_map(views::Annotation::new);
        annotations.filter(|inst| removed.contains(&inst.target())).for_each(|inst| edits.drop(&inst));
    }
}
