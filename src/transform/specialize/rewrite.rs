//! Edits from the decided conditions and constants.

use std::collections::{BTreeSet, HashMap, HashSet};

use spirv::{Decoration, ExecutionMode, Op};

use super::attributes::Attributes;
use super::bodies::{Bodies, ChangedFunction, FoldingOutcome};
use super::decisions::Copy;
use super::freeze::FrozenState;
use super::groups::SpecIdGroups;
use super::report::{ConditionalItem, UndecidedItem};
use super::{Flags, SpecializeContext, SpecializeError};
use crate::analysis::Analyses;
use crate::analysis::conditions::multi_target::describe;
use crate::analysis::constants::folding::Scalar;
use crate::analysis::constants::{ConstantInputs, ConstantValue};
use crate::analysis::requirements::is_core;
use crate::collections::{IdMap, OrderedMap};
use crate::device::capabilities;
use crate::loader::{Instruction, Module, views};
use crate::transform::body::FunctionBody;
use crate::transform::removal::{DebugChange, Removal, count_words, entry_point};
use crate::transform::settle::settle;
use crate::transform::{Edits, NewInstruction};

/// Writes the edits, and reports the items that remain conditional.
pub fn rewrite(
    context: &mut SpecializeContext,
    bodies: &mut Bodies,
    attributes: &Attributes,
    frozen: &FrozenState,
    edits: &mut Edits,
) -> Result<(), SpecializeError> {
    let module = context.module;
    let is_any_changed = context.constants.has_new_defaults();
    let scope = context.scope;
    let mut rewrite = ResultWriter {
        unknown: IdMap::new(),
        declared: declared(context),
        removed_extension: false,
        removal: Removal::default(),
        groups: SpecIdGroups::find(context),
        frozen,
        context,
        edits,
    };
    check_entry_points(rewrite.context)?;
    for entry in &scope.entries {
        if entry.changes() || is_any_changed && !entry.is_condition() {
            rewrite.instruction(&module.instruction(entry.offset()), attributes);
        } else if rewrite.context.flags.is_removed(entry.id()) {
            let end = module.end_with_continuations(&module.instruction(entry.offset()));
            rewrite.edits.drop_next_range(entry.offset(), end);
            let is_swept = entry.defines() && !rewrite.context.flags.has(entry.id(), Flags::REMOVED);
            rewrite.context.report.swept += usize::from(is_swept);
        } else if entry.is_condition() {
            rewrite.condition(entry.id(), entry.offset());
        }
    }
    rewrite.local_sizes(attributes);
    rewrite.context.report.stranded = rewrite.stranded();
    let functions = module.functions();
    for changed in &mut bodies.changed {
        if !rewrite.context.flags.is_removed(functions[changed.body.number].id) {
            rewrite.copies(changed);
        }
    }
    let globals_end = module.definitions_end();
    let (flags, edits) = (&rewrite.context.flags, &mut *rewrite.edits);
    for &(at, offset) in &bodies.debug {
        if !flags.is_removed(functions[at].id) {
            let inst = module.instruction(offset);
            rewrite.removal.debug(module, &inst, globals_end, &|id| flags.is_removed(id), edits);
        }
    }
    for ChangedFunction { body, debug, .. } in &mut bodies.changed {
        if !flags.is_removed(body.function().id) {
            for &line in &*debug {
                let inst = body.instruction(line);
                match rewrite.removal.debug_change(
                    module,
                    &inst,
                    globals_end,
                    &|id| flags.is_removed(id),
                    edits,
                ) {
                    DebugChange::Kept => {}
                    DebugChange::Dropped => body.remove(line),
                    DebugChange::Replaced(words) => body.replace(line, &words),
                }
            }
        }
    }
    bodies.parameters.retype(module, &mut bodies.changed, edits);
    if rewrite.context.report.undecided.is_empty() {
        edits.drop_in_order(module, &rewrite.context.multi_target.declarations);
    }
    Ok(())
}

/// Settles the conditional callers of a multi-target module that are their own actions, if all their calls are decided.
/// In other modules, the name of the callee makes a call conditional.
pub fn settle_decided(context: &SpecializeContext, analyses: &Analyses, edits: &mut Edits) {
    let module = context.module;
    if context.multi_target.is_empty() {
        return;
    }
    let is_open = |function: u32| {
        context.report.undecided.iter().any(|undecided| match undecided.item {
            ConditionalItem::Id(id) => {
                let Some(inst) = module.definition(id) else { return false };
                let is_call = views::FunctionCall::new(inst).is_some_and(|call| call.callee() == function);
                // A decoration group may have any calls.
                id == function || is_call || inst.is(Op::DecorationGroup)
            }
            _ => false,
        })
    };
    for action in analyses.own_actions() {
        if !context.flags.is_removed(action.function) && !is_open(action.function) {
            settle(module, action, edits);
        }
    }
}

/// Writes the functions that change or are removed.
pub fn write_functions(context: &mut SpecializeContext, bodies: &Bodies, edits: &mut Edits) {
    for (at, function) in context.module.functions().iter().enumerate() {
        if bodies.is_removed(context, at) {
            edits.drop_range(function.lines, function.end);
        } else if let Some(ChangedFunction { body, folding, .. }) = bodies.changed(at) {
            if let Some(FoldingOutcome { branches, blocks, .. }) = folding {
                context.report.branches += branches;
                context.report.blocks += blocks;
            }
            body.emit(edits);
        }
    }
}

/// Gives calls whose results are only copied the ids of the copies. Copies of a function are given by their lines, with the chosen operands.
fn give_ids_of_copies(module: &Module, body: &mut FunctionBody, copies: &[(usize, u32)], edits: &mut Edits) {
    let is_call = |&&(_, call): &&(usize, u32)| module.definition_as(call, Op::FunctionCall).is_some();
    // Uses of the result of each call, also its definition and the copy.
    let mut uses: HashMap<u32, u32> = copies.iter().filter(is_call).map(|&(_, call)| (call, 0)).collect();
    if uses.is_empty() {
        return;
    }
    for (_, inst) in body.lines() {
        module.walk(&inst, &mut |_: usize, id: u32| {
            uses.entry(id).and_modify(|uses| *uses += 1);
        });
    }
    let mut described: IdMap<Vec<Instruction>> = IdMap::new();
    for inst in module.globals() {
        match inst.op() {
            Some(Op::Name) => described.entry(inst.word(1)).or_default().push(inst),
            _ if views::Decoration::new(inst).is_some() => {
                described.entry(inst.word(1)).or_default().push(inst);
            }
            _ => module.walk(&inst, &mut |_: usize, id: u32| {
                // A group of decorations, or debug information.
                uses.remove(&id);
            }),
        }
    }
    for &(copy, call) in copies.iter().filter(|(_, call)| uses.get(call) == Some(&2)) {
        let definition = body.lines().find(|(_, inst)| inst.result_id() == Some(call));
        let Some((line, mut words)) = definition.map(|(line, inst)| (line, inst.words().to_vec())) else {
            continue;
        };
        let id = views::CopyObject(body.instruction(copy)).id();
        words[2] = id;
        body.replace(line, &words);
        body.remove(copy);
        let is_named =
            |id: u32| described.get(&id).into_iter().flatten().any(|description| description.is(Op::Name));
        for description in described.get(&call).into_iter().flatten() {
            let is_condition = views::Decoration::new(*description)
                .is_some_and(|description| description.is_a(Decoration::ConditionalINTEL));
            if description.is(Op::Name) && is_named(id) {
                edits.drop(description);
            } else if !is_condition {
                let mut words = description.words().to_vec();
                words[1] = id;
                edits.replace_words(description, &words);
            }
        }
    }
}

/// Checks that no two remaining entry points have the same name and execution model.
fn check_entry_points(context: &mut SpecializeContext) -> Result<(), SpecializeError> {
    let module = context.module;
    if module.entry_points().all(|entry| entry.condition().is_none()) {
        return Ok(());
    }
    let mut kept: OrderedMap<_, views::EntryPoint> = OrderedMap::new();
    for entry in module.entry_points() {
        let is_kept =
            entry.condition().is_none_or(|condition| context.condition_values.value(condition) == Some(true));
        let key = (entry.execution_model(), entry.name());
        if let Some(other) = is_kept.then(|| kept.insert(key, entry)).flatten() {
            let condition = |entry: views::EntryPoint| match entry.condition() {
                Some(condition) => format!("condition {} is true", describe(module, condition)),
                None => "no condition".to_owned(),
            };
            return Err(SpecializeError::TwoEntryPoints {
                name: entry.name().into_owned(),
                first: condition(other),
                second: condition(entry),
            });
        }
    }
    Ok(())
}

/// Returns the operands of OpCapability and OpExtension, if conditional ones may repeat them.
fn declared<'m>(context: &SpecializeContext<'m>) -> BTreeSet<(Op, &'m [u32])> {
    let mut declared = BTreeSet::new();
    if context.multi_target.capabilities.is_empty() && context.multi_target.extensions.is_empty() {
        return declared;
    }
    for inst in context.module.head() {
        if let Some(op @ (Op::Capability | Op::Extension)) = inst.op() {
            declared.insert((op, inst.words_from(1)));
        }
    }
    declared
}

struct ResultWriter<'w, 'm> {
    /// Inputs of each unknown condition.
    unknown: IdMap<ConstantInputs>,
    /// The operands of OpCapability and OpExtension that were written to the result.
    declared: BTreeSet<(Op, &'m [u32])>,
    /// True if the condition of an extension is false.
    removed_extension: bool,
    removal: Removal,
    groups: SpecIdGroups<'m>,
    frozen: &'w FrozenState,
    context: &'w mut SpecializeContext<'m>,
    edits: &'w mut Edits,
}

impl<'m> ResultWriter<'_, 'm> {
    /// Edits an instruction outside of functions.
    fn instruction(&mut self, inst: &Instruction<'m>, attributes: &Attributes) {
        let flags = &self.context.flags;
        match inst.op() {
            // Most are these.
            Some(Op::SpecConstant | Op::SpecConstantTrue | Op::SpecConstantFalse | Op::SpecConstantOp)
                if !flags.is_removed(views::Value(*inst).id()) =>
            {
                return self.definition(inst);
            }
            Some(Op::Decorate | Op::DecorateId) if !flags.is_removed(views::Annotation(*inst).target()) => {
                return self.decoration(views::Decoration(*inst));
            }
            Some(Op::GroupDecorate) if self.groups.is_open(inst.word(1)).is_some() => {
                let applied = views::GroupDecorate(*inst);
                return self.groups.write(applied, self.context, &mut self.removal, self.edits);
            }
            _ => {}
        }
        if self.removal.outside(self.context.module, inst, &|id| flags.is_removed(id), self.edits) {
            let swept = inst.result_id().is_some_and(|id| !flags.has(id, Flags::REMOVED));
            self.context.report.swept += usize::from(swept);
            return;
        }
        match inst.op() {
            Some(Op::ConditionalCapabilityINTEL) => {
                let inst = views::Capability(*inst);
                let (capability, condition) = (inst.capability(), inst.condition().unwrap_or(0));
                match self.declaration(&inst, condition, Op::Capability) {
                    Some(true) => self.context.report.kept_capabilities.push(capability),
                    Some(false) => self.context.report.removed_capabilities.push(capability),
                    None => self.undecided(ConditionalItem::Capability(capability), condition),
                }
            }
            Some(Op::ConditionalExtensionINTEL) => {
                let inst = views::Extension(*inst);
                let condition = inst.condition().unwrap_or(0);
                match self.declaration(&inst, condition, Op::Extension) {
                    Some(true) => {}
                    Some(false) => self.removed_extension = true,
                    None => self.undecided(ConditionalItem::Extension(inst.name().into_owned()), condition),
                }
            }
            Some(Op::EntryPoint | Op::ConditionalEntryPointINTEL) => {
                self.entry_point(views::EntryPoint(*inst));
            }
            Some(Op::ExecutionMode | Op::ExecutionModeId) => {
                let function = views::ExecutionMode(*inst).entry_point();
                let type_ = self.context.references.mode_type(inst);
                if attributes.without_entry.binary_search(&function).is_ok()
                    || type_.is_some_and(|type_| flags.is_removed(type_))
                {
                    self.edits.drop(inst);
                } else if let Some((mode, literals)) = self.frozen.modes.replaced.get(&inst.offset()) {
                    let first = (literals.len() as u32 + 3) << 16 | Op::ExecutionMode as u32;
                    let words = [&[first, function, *mode as u32], literals.as_slice()].concat();
                    if words != *inst.words() {
                        self.edits.replace_words(inst, &words);
                    }
                }
            }
            _ => self.definition(inst),
        }
    }

    /// Writes LocalSize of the entry points that had none.
    fn local_sizes(&mut self, attributes: &Attributes) {
        let modes = &self.frozen.modes;
        let kept = |&&entry: &&u32| {
            attributes.without_entry.binary_search(&entry).is_err() && !self.context.flags.is_removed(entry)
        };
        let entries: Vec<u32> = modes.unsized_entries.iter().filter(kept).copied().collect();
        let Some(after) = self.context.module.entry_points().map(|entry| entry.end()).last() else { return };
        for entry in entries {
            let operands =
                [&[entry, ExecutionMode::LocalSize as u32], modes.work_group_size.as_slice()].concat();
            self.edits.insert(after, &NewInstruction::new(Op::ExecutionMode, None, None, operands));
        }
    }

    /// Edits an OpConditionalCapabilityINTEL or OpConditionalExtensionINTEL whose condition is decided, and returns its value.
    fn declaration(&mut self, inst: &Instruction<'m>, condition: u32, plain: Op) -> Option<bool> {
        let is_true = self.context.condition_values.value(condition)?;
        let operands = inst.words_from(2);
        if is_true && self.declared.insert((plain, operands)) {
            let first = (operands.len() as u32 + 1) << 16 | plain as u32;
            self.edits.replace_words(inst, &[&[first], operands].concat());
        } else {
            self.edits.drop(inst);
        }
        Some(is_true)
    }

    /// Returns the capabilities that lost their extension, with the removed extension.
    fn stranded(&mut self) -> Vec<(u32, String)> {
        if !self.removed_extension {
            return Vec::new();
        }
        let module = self.context.module;
        let is_removed = |condition| self.context.condition_values.value(condition) == Some(false);
        let (removed, kept): (Vec<_>, Vec<_>) =
            module.extensions().partition(|extension| extension.condition().is_some_and(is_removed));
        let [removed, kept] = [removed, kept]
            .map(|extensions| extensions.iter().map(|extension| extension.name()).collect::<HashSet<_>>());
        let is_available = |name: &str| kept.contains(name) || is_core(name, module.version_word());
        let capabilities = self.declared.iter().filter(|(op, _)| *op == Op::Capability);
        let stranded = capabilities.filter_map(|&(_, operands)| {
            let any = capabilities::extensions_of(operands[0])?;
            let missing = any.iter().find(|&&name| removed.contains(name))?;
            (!any.iter().any(|name| is_available(name))).then(|| (operands[0], (*missing).to_owned()))
        });
        stranded.collect()
    }

    fn entry_point(&mut self, inst: views::EntryPoint) {
        let flags = &self.context.flags;
        let is_removed = |id: u32| flags.is_removed(id);
        if inst.condition().is_none() && !inst.interface().iter().any(|&id| is_removed(id)) {
            return;
        }
        let mut words = entry_point(inst, &is_removed);
        if let Some(condition) = inst.condition() {
            match self.context.condition_values.value(condition) {
                Some(false) => return self.edits.drop(&inst),
                Some(true) => {
                    words.remove(1);
                    words[0] = Op::EntryPoint as u32;
                }
                None => self.undecided(ConditionalItem::EntryPoint(inst.name().into_owned()), condition),
            }
        }
        count_words(&mut words);
        if words != inst.words() {
            self.edits.replace_words(&inst, &words);
        }
    }

    /// Removes the ConditionalINTEL of a kept id if the condition is decided, and reports the id otherwise.
    fn condition(&mut self, target: u32, offset: u32) {
        let module = self.context.module;
        let number = self.context.multi_target.condition_number(target);
        match number.and_then(|number| self.context.condition_values.value_by_number(number)) {
            Some(_) => self.edits.drop_next(module, offset),
            None => {
                let condition = views::Decoration(module.instruction(offset)).condition();
                self.undecided(ConditionalItem::Id(target), condition);
            }
        }
    }

    fn decoration(&mut self, inst: views::Decoration) {
        let target = inst.target();
        if let Some(decorated) = views::SpecId::new(*inst) {
            let is_decided = self.context.flags.has(target, Flags::DECIDED);
            match self.groups.is_open(target).unwrap_or(!is_decided) {
                false => self.edits.drop(&inst),
                true => self.context.report.open.push(decorated.spec_id()),
            }
        }
    }

    /// Edits an instruction that defines an id.
    fn definition(&mut self, inst: &Instruction) {
        let Some(id) = inst.result_id() else { return };
        if let Some(value) = self.frozen.computed.get(&id) {
            let type_id = views::Value(*inst).type_id();
            if let Some(words) = self.constant_words(inst.offset(), type_id, id, value, &mut Vec::new()) {
                self.edits.replace_words(inst, &words);
            }
        } else if self.frozen.composites.contains(&id) {
            let op = match inst.is(Op::SpecConstantComposite) {
                true => Op::ConstantComposite,
                false => Op::ConstantCompositeReplicateEXT,
            };
            let mut words = inst.words().to_vec();
            words[0] = op as u32;
            count_words(&mut words);
            self.edits.replace_words(inst, &words);
            for continuation in self.context.module.continuations(inst) {
                let mut words = continuation.words().to_vec();
                words[0] = Op::ConstantCompositeContinuedINTEL as u32;
                count_words(&mut words);
                self.edits.replace_words(&continuation, &words);
            }
        } else if self.context.flags.has(id, Flags::DECIDED) {
            let value = self.context.constants.value(id).unwrap_or(0);
            let (words, count) = constant(self.context.module, views::Value(*inst).type_id(), id, value);
            self.edits.replace_words(inst, &words[..count]);
        } else if let Some(value) = self.context.constants.new_default(id) {
            let (mut words, count) = constant(self.context.module, views::Value(*inst).type_id(), id, value);
            words[0] = words[0] & 0xffff_0000 | specialization_opcode(words[0] & 0xffff);
            if words[..count] != *inst.words() {
                self.edits.replace_words(inst, &words[..count]);
            }
            self.context.report.new_defaults += 1;
        } else if inst.is_device_constant() {
            self.undecided(ConditionalItem::DeviceConstant(id), id);
        }
    }

    /// Returns the words that define an id as a constant of this value. Parts that are not constants of the module are inserted, equal ones once: `written`
    /// has the type, value and id of each.
    fn constant_words<'v>(
        &mut self,
        offset: u32,
        type_id: u32,
        id: u32,
        value: &'v ConstantValue,
        written: &mut Vec<(u32, &'v ConstantValue, u32)>,
    ) -> Option<Vec<u32>> {
        let module = self.context.module;
        let mut words = vec![0, type_id, id];
        let op = match value {
            ConstantValue::Same(_) => return None,
            ConstantValue::Scalar(value) => {
                let (words, count) = constant(module, type_id, id, *value);
                return Some(words[..count].to_vec());
            }
            ConstantValue::Null => Op::ConstantNull,
            ConstantValue::Undef => Op::Undef,
            ConstantValue::Parts(parts) => {
                for (part, index) in parts.iter().zip(0..) {
                    let part_type = module.part_type(type_id, index)?;
                    let known =
                        written.iter().find(|(type_, other, _)| (*type_, *other) == (part_type, part));
                    let id = match (part, known) {
                        (&ConstantValue::Same(id), _) | (_, Some(&(_, _, id))) => id,
                        _ => {
                            let id = self.edits.fresh_id();
                            let definition = self.constant_words(offset, part_type, id, part, written)?;
                            self.edits.insert_words(offset, &definition);
                            written.push((part_type, part, id));
                            id
                        }
                    };
                    words.push(id);
                }
                Op::ConstantComposite
            }
        };
        words[0] = op as u32;
        count_words(&mut words);
        Some(words)
    }

    /// Reports the OpConditionalCopyObjectINTELs of a function that are left, and removes copies.
    fn copies(&mut self, changed: &mut ChangedFunction) {
        let mut copied = Vec::new();
        for &(line, outcome) in &changed.copies {
            let Some(id) = changed.body.left(line).and_then(|inst| inst.result_id()) else { continue };
            match outcome {
                Copy::Decided(operand) => {
                    self.context.report.decided_true += 1;
                    copied.push((line, operand));
                }
                Copy::Undecided(condition) => self.undecided(ConditionalItem::Copy(id), condition),
            }
        }
        if self.context.without_copies {
            give_ids_of_copies(self.context.module, &mut changed.body, &copied, self.edits);
        }
    }

    fn undecided(&mut self, item: ConditionalItem, condition: u32) {
        let constants = &self.context.constants;
        let unknown =
            self.unknown.entry(condition).or_insert_with(|| constants.unknown_inputs(condition)).clone();
        self.context.report.undecided.push(UndecidedItem { item, condition, unknown });
    }
}

/// Returns the opcode of the specialization constant that corresponds to an ordinary one.
fn specialization_opcode(ordinary: u32) -> u32 {
    let op = match Op::from_u32(ordinary) {
        Some(Op::ConstantTrue) => Op::SpecConstantTrue,
        Some(Op::ConstantFalse) => Op::SpecConstantFalse,
        _ => Op::SpecConstant,
    };
    op as u32
}

/// Returns an ordinary constant of a value, and its number of words.
fn constant(module: &Module, type_id: u32, id: u32, value: u64) -> ([u32; 5], usize) {
    match Scalar::from_type(module, type_id) {
        Some(scalar @ (Scalar::Int { .. } | Scalar::Float(_) | Scalar::OtherFloat { .. })) => {
            let ([low, high], literal) = scalar.literal_words(value);
            let count = 3 + literal;
            ([(count as u32) << 16 | Op::Constant as u32, type_id, id, low, high], count)
        }
        _ => {
            let op = if value != 0 { Op::ConstantTrue } else { Op::ConstantFalse };
            ([3 << 16 | op as u32, type_id, id, 0, 0], 3)
        }
    }
}
