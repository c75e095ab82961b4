//! The words of the result.

use std::collections::{BTreeSet, HashMap};

use spirv::{Capability, Decoration, Op};

use super::MergeError;
use super::calls::VariantDependentCall;
use super::head::{self, MergedDeclaration, MergedEntryPoint};
use super::merged_definitions::MergedDefinitions;
use super::sets::SetId;
use super::variant::{IdRef, IndexedVariant};
use crate::analysis::closure;
use crate::analysis::conditions::multi_target::EXTENSION;
use crate::collections::{gather, sort_by_key};
use crate::condition::{ConditionId, Conditions, Leaf};
use crate::loader::{Instruction, LogicalPlace, MAX_BOUND, Module, Section, grammar, literal, views};
use crate::transform::condition_constants::{self, ConditionConstants, Dialect, names_of_constants};
use crate::transform::definitions::{Sections, common_generator, latest};
use crate::transform::spec_ids::SpecIds;

/// The result as words, with the constants of leaves.
pub(super) struct MergedWords {
    pub words: Vec<u32>,
    pub leaves: Vec<(u32, Leaf)>,
    /// The words of functions and definitions, with the variants that have them.
    pub sizes: Vec<(SetId, usize)>,
    /// The variants that have each OpString, OpSource, OpSourceExtension and OpModuleProcessed, in order.
    pub notes: Vec<SetId>,
}

/// A call whose callee depends on the variant, with the ids of the calls for each callee.
struct CalleeChoice {
    /// The variants, the callee, and the id of the call.
    calls: Vec<(SetId, u32, u32)>,
}

struct MergeWriter<'w, 'm> {
    definitions: &'w MergedDefinitions<'m>,
    sections: Sections,
    next: u32,
    conditions: &'w mut Conditions,
    of_variants: &'w [ConditionId],
    /// Conditions of sets. Most sets are those of a part of the variants, on the way to others, and need none.
    of_sets: HashMap<SetId, ConditionId>,
    /// The condition of functions that all variants have.
    whole: ConditionId,
    /// Id of the constant of each condition. A condition gets one when it is first needed.
    ids: HashMap<ConditionId, u32>,
    /// Id of the first local of each function in the result, minus the number of that local.
    bases: Vec<u32>,
    /// Choice of each call, by function in the result and number of the call in it.
    choices: HashMap<(usize, usize), CalleeChoice>,
    sizes: Vec<(SetId, usize)>,
    strings: Vec<SetId>,
}

/// Writes the result. `of_variants` are the conditions of the variants.
pub(super) fn write(
    definitions: &mut MergedDefinitions,
    of_variants: &[ConditionId],
    conditions: &mut Conditions,
    dialect: Dialect,
) -> Result<MergedWords, MergeError> {
    let calls = definitions.conditional_calls();
    let capabilities = head::declarations(definitions, |op| op == Op::Capability)?;
    let extensions = head::declarations(definitions, |op| op == Op::Extension)?;
    let sources = head::declarations(definitions, |op| matches!(op, Op::Source | Op::SourceExtension))?;
    let processed = head::declarations(definitions, |op| op == Op::ModuleProcessed)?;
    let settings = head::declarations(definitions, |op| op == Op::SamplerImageAddressingModeNV)?;
    let mut entry_points = head::entry_points(definitions);
    head::complete_interfaces(definitions, &mut entry_points, &calls);
    // A device that no variant is for is refused by the properties; but these cannot say what device constants are.
    let any = conditions.any(of_variants)?;
    let whole = if conditions.leaves(any).iter().any(|leaf| matches!(leaf, Leaf::Constant(_))) {
        any
    } else {
        ConditionId::TRUE
    };

    let mut writer = MergeWriter {
        definitions,
        sections: Sections::default(),
        next: definitions.merged.len() as u32 + 1,
        conditions,
        of_variants,
        of_sets: HashMap::new(),
        whole,
        ids: HashMap::new(),
        bases: Vec::new(),
        choices: HashMap::new(),
        sizes: Vec::new(),
        strings: Vec::new(),
    };
    writer.number(calls);
    let others: Vec<SetId> = sources.iter().chain(&processed).map(|declaration| declaration.set).collect();
    for declaration in sources {
        writer.sections.sources.extend(declaration.words);
    }
    for declaration in processed {
        writer.sections.processed.extend(declaration.words);
    }
    for declaration in settings {
        writer.sections.modes.extend(declaration.words);
    }
    writer.entry_points(&entry_points)?;
    for at in 0..definitions.variants.len() {
        writer.definitions(at)?;
    }
    writer.declarations(&capabilities, &extensions, dialect)?;
    let (constants, has_conditions) = writer.condition_constants(dialect)?;
    if has_conditions {
        let capability = match dialect {
            Dialect::SpecConditional => Capability::SpecConditionalINTEL,
            Dialect::FunctionVariants => Capability::FunctionVariantsINTEL,
        };
        writer.sections.capabilities.splice(0..0, [2 << 16 | Op::Capability as u32, capability as u32]);
        let name = literal(EXTENSION);
        let first = (name.len() as u32 + 1) << 16 | Op::Extension as u32;
        writer.sections.extensions.splice(0..0, std::iter::once(first).chain(name));
    }
    let words = writer.assemble()?;
    let notes = [std::mem::take(&mut writer.strings), others].concat();
    Ok(MergedWords { words, leaves: constants.leaves, sizes: writer.sizes, notes })
}

impl MergeWriter<'_, '_> {
    /// Numbers the results in functions, and the calls that are added.
    fn number(&mut self, calls: HashMap<usize, Vec<VariantDependentCall>>) {
        for function in &self.definitions.functions {
            let (variant, index) = function.members[0];
            self.bases.push(self.next);
            self.next += self.definitions.variants[variant as usize].functions[index as usize].locals;
        }
        let mut sorted: Vec<_> = calls.into_iter().collect();
        sort_by_key(&mut sorted, |(at, _)| *at);
        for (at, calls) in sorted {
            for VariantDependentCall { number, choices } in calls {
                let with_ids = choices.into_iter().map(|(set, callee)| {
                    self.next += 1;
                    (set, callee, self.next - 1)
                });
                let calls = with_ids.collect();
                self.choices.insert((at, number), CalleeChoice { calls });
            }
        }
    }

    /// Returns the id of the constant for the condition of a set; `None` if it is true.
    fn condition(&mut self, set: SetId) -> Result<Option<u32>, MergeError> {
        let condition = self.condition_of_set(set)?;
        Ok(self.id_of(condition))
    }

    /// Like [`MergeWriter::condition`], but for functions and entry points.
    fn condition_of_code(&mut self, set: SetId) -> Result<Option<u32>, MergeError> {
        let condition = self.condition_of_set(set)?;
        Ok(self.id_of(if condition.is_true() { self.whole } else { condition }))
    }

    fn condition_of_set(&mut self, set: SetId) -> Result<ConditionId, MergeError> {
        if let Some(&known) = self.of_sets.get(&set) {
            return Ok(known);
        }
        let condition = self.definitions.sets.condition(set, self.of_variants, self.conditions)?;
        self.of_sets.insert(set, condition);
        Ok(condition)
    }

    fn id_of(&mut self, condition: ConditionId) -> Option<u32> {
        (!condition.is_true()).then(|| {
            *self.ids.entry(condition).or_insert_with(|| {
                self.next += 1;
                self.next - 1
            })
        })
    }

    fn decorate(&mut self, id: u32, condition: Option<u32>) {
        if let Some(condition) = condition {
            let decoration = Decoration::ConditionalINTEL as u32;
            self.sections.annotations.extend([4 << 16 | Op::Decorate as u32, id, decoration, condition]);
        }
    }

    fn entry_points(&mut self, all: &[MergedEntryPoint]) -> Result<(), MergeError> {
        for MergedEntryPoint { entry, set } in all {
            let condition = self.condition_of_code(*set)?;
            entry.write(condition, &mut self.sections.entry_points);
        }
        Ok(())
    }

    /// Writes the definitions outside of functions that come from one variant, with their names and decorations and
    /// those of the variant's functions.
    fn definitions(&mut self, at: usize) -> Result<(), MergeError> {
        let variant = &self.definitions.variants[at];
        let module = variant.module;
        let mut lines: Vec<Instruction> = Vec::new();
        for inst in module.outside_functions() {
            if inst.is_line() {
                lines.push(inst);
                continue;
            }
            let lines = std::mem::take(&mut lines);
            if let Some(pointer) =
                views::TypeForwardPointer::new(inst).map(views::TypeForwardPointer::pointer_type)
            {
                if self.is_from(at, pointer) {
                    self.sections.globals.extend(head::renumbered(variant, &inst)?);
                }
                continue;
            }
            let Some(id) = inst.result_id().filter(|&id| self.is_from(at, id)) else { continue };
            let merged = variant.merged_of(id);
            let set = self.definitions.merged[merged as usize - 1].set;
            let mut words = Vec::new();
            for part in module.with_continuations(&inst) {
                words.extend(head::renumbered(variant, &part)?);
            }
            self.sizes.push((set, words.len()));
            let section = match (inst.op(), grammar::place(inst.opcode())) {
                // Written with the functions. Lines before it are those of a function.
                _ if variant.is_after_functions(&inst) => None,
                (_, LogicalPlace::Section(Section::Imports)) => Some(&mut self.sections.imports),
                (Some(Op::String), _) => {
                    self.strings.push(set);
                    Some(&mut self.sections.strings)
                }
                _ if inst.is_alias_declaration() => Some(&mut self.sections.aliases),
                _ => {
                    for line in lines {
                        self.sections.globals.extend(head::renumbered(variant, &line)?);
                    }
                    Some(&mut self.sections.globals)
                }
            };
            if let Some(section) = section {
                section.extend(words);
            }
            self.describe(variant, id, merged, &|id| variant.merged_of(id), true, true)?;
            let is_never_conditional =
                inst.is(Op::String) || inst.is(Op::TypeBool) || inst.is_alias_declaration();
            if !is_never_conditional {
                let condition = self.condition(set)?;
                self.decorate(merged, condition);
            }
        }
        for (index, function) in module.functions().iter().enumerate() {
            if !self.is_from(at, function.id) {
                continue;
            }
            self.function_head(variant, index)?;
        }
        Ok(())
    }

    /// Returns true if the words of a definition in the result are those of this variant.
    fn is_from(&self, at: usize, id: u32) -> bool {
        let variant = &self.definitions.variants[at];
        let merged =
            variant.merged_of(id).checked_sub(1).map(|number| self.definitions.merged[number as usize]);
        merged.is_some_and(|merged| (merged.variant as usize, merged.id) == (at, id))
    }

    /// Writes the execution modes of a function, and the names and decorations of it and of the results in it.
    fn function_head(&mut self, variant: &IndexedVariant, index: usize) -> Result<(), MergeError> {
        let module = variant.module;
        let function = &module.functions()[index];
        let id = variant.merged_of(function.id);
        let set = self.definitions.merged[id as usize - 1].set;
        self.sizes.push((set, (function.end - function.lines) as usize));
        for &mode in &variant.functions[index].modes {
            let words = head::renumbered(variant, &module.instruction(mode))?;
            self.sections.modes.extend(words);
        }
        let index = self.definitions.function(id).unwrap_or_default();
        let base = self.bases[index];
        let new = |id: u32| match variant.slot(id) {
            IdRef::Local(number) => base + number,
            _ => variant.merged_of(id),
        };
        let mut calls = 0;
        for inst in module.body(function) {
            let Some(result) = inst.result_id() else { continue };
            let number = calls;
            calls += usize::from(inst.is(Op::FunctionCall));
            match self.choices.get(&(index, number)).filter(|_| inst.is(Op::FunctionCall)) {
                Some(choice) => {
                    let calls: Vec<(SetId, u32)> =
                        choice.calls.iter().map(|&(set, _, id)| (set, id)).collect();
                    if !is_void(module, inst.word(1)) {
                        self.describe(variant, result, new(result), &new, true, false)?;
                    }
                    for (set, call) in calls {
                        self.describe(variant, result, call, &new, is_void(module, inst.word(1)), true)?;
                        let condition = self.condition(set)?;
                        self.decorate(call, condition);
                    }
                }
                None => self.describe(variant, result, new(result), &new, true, true)?,
            }
        }
        let condition = self.condition_of_code(set)?;
        self.decorate(id, condition);
        Ok(())
    }

    /// Writes the names and decorations of an id of a variant for an id of the result.
    fn describe(
        &mut self,
        variant: &IndexedVariant,
        from: u32,
        to: u32,
        new: &dyn Fn(u32) -> u32,
        names: bool,
        decorations: bool,
    ) -> Result<(), MergeError> {
        for description in variant.descriptions.get(from) {
            if !(if description.is_name() { names } else { decorations }) {
                continue;
            }
            let section =
                if description.is_name() { &mut self.sections.names } else { &mut self.sections.annotations };
            let start = section.len();
            section.extend([u32::from(description.opcode), to]);
            section.extend(description.member);
            let content = section.len();
            section.extend_from_slice(description.words(variant.module));
            let mut missing = 0;
            description.ids(variant.module, &mut |at, id| match new(id) {
                0 => missing = id,
                new => section[content + at] = new,
            });
            section[start] |= ((section.len() - start) as u32) << 16;
            if missing != 0 {
                return Err(head::dangling(variant, &description.instruction(variant.module), missing));
            }
        }
        Ok(())
    }

    /// Writes capabilities and extensions: those of only some variants under their condition.
    fn declarations(
        &mut self,
        capabilities: &[MergedDeclaration],
        extensions: &[MergedDeclaration],
        dialect: Dialect,
    ) -> Result<(), MergeError> {
        let (mut plain, mut conditional) = (Vec::new(), Vec::new());
        for declaration in capabilities {
            match self.condition(declaration.set)? {
                None => plain.extend_from_slice(&declaration.words),
                Some(condition) => {
                    conditional.extend([
                        3 << 16 | Op::ConditionalCapabilityINTEL as u32,
                        condition,
                        declaration.words[1],
                    ]);
                }
            }
        }
        if dialect == Dialect::FunctionVariants {
            let declared = closure(capabilities.iter().map(|declaration| declaration.words[1]));
            let used: Vec<ConditionId> = self.ids.keys().copied().collect();
            for (implied, leaf) in condition_constants::implied_by_leaves(used, declared, self.conditions)? {
                self.next += 1;
                let condition = *self.ids.entry(leaf).or_insert(self.next - 1);
                conditional.extend([3 << 16 | Op::ConditionalCapabilityINTEL as u32, condition, implied]);
            }
        }
        plain.extend(conditional);
        self.sections.capabilities = plain;
        let (mut plain, mut conditional) = (Vec::new(), Vec::new());
        for declaration in extensions {
            match self.condition(declaration.set)? {
                None => plain.extend_from_slice(&declaration.words),
                Some(condition) => {
                    let first =
                        (declaration.words.len() as u32 + 1) << 16 | Op::ConditionalExtensionINTEL as u32;
                    conditional.extend([first, condition]);
                    conditional.extend_from_slice(&declaration.words[1..]);
                }
            }
        }
        plain.extend(conditional);
        self.sections.extensions = plain;
        Ok(())
    }

    /// Writes the constants of all conditions; true if there are any.
    fn condition_constants(&mut self, dialect: Dialect) -> Result<(ConditionConstants, bool), MergeError> {
        let bool_type = self.definitions.variants.iter().find_map(|variant| {
            let bool_type = variant.module.globals().find(|inst| inst.is(Op::TypeBool))?;
            Some(variant.merged_of(views::Type(bool_type).id()))
        });
        let spec_ids = self.definitions.variants.iter().flat_map(|variant| variant.module.spec_ids());
        let spec_ids = SpecIds::new(spec_ids.map(views::SpecId::spec_id));
        let taken_names = || {
            self.definitions.variants.iter().flat_map(|variant| names_of_constants(variant.module)).collect()
        };
        let taken_names = (!self.sections.names.is_empty()).then(taken_names);
        let mut constants = ConditionConstants::new(dialect, bool_type, spec_ids, taken_names);
        let used: BTreeSet<ConditionId> = gather(self.ids.keys().copied());
        let leaves: BTreeSet<Leaf> =
            gather(used.iter().flat_map(|&condition| self.conditions.leaves(condition)));
        let mut next = self.next;
        let mut fresh = || {
            next += 1;
            next - 1
        };
        constants.reserve(&self.ids, self.conditions)?;
        constants.add_leaves(&leaves, &mut fresh)?;
        constants.add(&used, self.conditions, &mut fresh)?;
        self.next = next;
        self.sections.names.extend_from_slice(&constants.names);
        self.sections.annotations.extend_from_slice(&constants.decorations);
        self.sections.globals.extend_from_slice(&constants.constants);
        Ok((constants, !used.is_empty()))
    }

    /// Returns the words of the result: all sections, and the functions.
    fn assemble(&mut self) -> Result<Vec<u32>, MergeError> {
        if self.next > MAX_BOUND {
            return Err(MergeError::Bound);
        }
        let definitions = self.definitions;
        let of_functions: u32 = definitions
            .functions
            .iter()
            .map(|function| {
                let (variant, index) = function.members[0];
                let function = &definitions.variants[variant as usize].module.functions()[index as usize];
                function.end - function.lines
            })
            .sum();
        let model = definitions.variants[0].module.memory_model();
        self.sections.memory_model = model.map(|model| model.words().to_vec()).unwrap_or_default();
        let modules = || definitions.variants.iter().map(|variant| variant.module);
        let (version, _) = latest(modules());
        let header = [spirv::MAGIC_NUMBER, version, common_generator(modules()), self.next, 0];
        let sections = self.sections.in_order(&header);
        let before: usize = sections.iter().map(|section| section.len()).sum();
        let mut words = Vec::with_capacity(before + of_functions as usize + 16 * self.choices.len());
        sections.iter().for_each(|section| words.extend_from_slice(section));
        // Functions that are only declared come first (specification, 2.4 "Logical Layout of a Module").
        for is_declaration in [true, false] {
            for (at, variant) in definitions.variants.iter().enumerate() {
                for (index, function) in variant.module.functions().iter().enumerate() {
                    if variant.functions[index].is_declaration == is_declaration
                        && self.is_from(at, function.id)
                    {
                        self.function(variant, index, &mut words)?;
                    }
                    if !is_declaration {
                        self.after_function(at, index, &mut words)?;
                    }
                }
            }
        }
        Ok(words)
    }

    /// Writes the instructions of a variant between a function and the next.
    fn after_function(&self, at: usize, index: usize, words: &mut Vec<u32>) -> Result<(), MergeError> {
        let variant = &self.definitions.variants[at];
        let module = variant.module;
        let functions = module.functions();
        let end = functions.get(index + 1).map_or(module.words().len() as u32, |next| next.lines);
        for inst in module.range(functions[index].end, end) {
            if inst.result_id().is_some_and(|id| self.is_from(at, id)) {
                words.extend(head::renumbered(variant, &inst)?);
            }
        }
        Ok(())
    }

    /// Writes a function.
    fn function(
        &self,
        variant: &IndexedVariant,
        index: usize,
        words: &mut Vec<u32>,
    ) -> Result<(), MergeError> {
        let module = variant.module;
        let function = &module.functions()[index];
        let index = self.definitions.function(variant.merged_of(function.id)).unwrap_or_default();
        let base = self.bases[index];
        let mut calls = 0;
        for inst in module.range(function.lines, function.end) {
            let start = words.len();
            words.extend_from_slice(inst.words());
            let mut missing = 0;
            module.walk(&inst, &mut |at: usize, id: u32| {
                words[start + at] = match variant.slot(id) {
                    IdRef::Local(number) => base + number,
                    IdRef::Definition(number) => variant.merged[number as usize],
                    IdRef::None => 0,
                };
                if words[start + at] == 0 {
                    missing = id;
                }
            });
            if missing != 0 {
                return Err(head::dangling(variant, &inst, missing));
            }
            if inst.is(Op::FunctionCall) {
                if let Some(choice) = self.choices.get(&(index, calls)) {
                    let call = words.split_off(start);
                    write_choice(choice, &call, is_void(module, inst.word(1)), self, words);
                }
                calls += 1;
            }
        }
        Ok(())
    }
}

/// Writes the calls for each callee, and the choice of their results.
fn write_choice(
    choice: &CalleeChoice,
    call: &[u32],
    is_void: bool,
    writer: &MergeWriter,
    words: &mut Vec<u32>,
) {
    for &(_, callee, id) in &choice.calls {
        words.extend_from_slice(&call[..2]);
        words.extend([id, callee]);
        words.extend_from_slice(&call[4..]);
    }
    if is_void {
        return;
    }
    let count = 3 + 2 * choice.calls.len() as u32;
    words.extend([count << 16 | Op::ConditionalCopyObjectINTEL as u32, call[1], call[2]]);
    for &(set, _, id) in &choice.calls {
        let condition = writer.of_sets.get(&set).and_then(|condition| writer.ids.get(condition));
        words.extend([condition.copied().unwrap_or_default(), id]);
    }
}

fn is_void(module: &Module, type_: u32) -> bool {
    module.definition_as(type_, Op::TypeVoid).is_some()
}
