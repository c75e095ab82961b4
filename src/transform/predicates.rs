//! Tables of predicates ([`PredicateTable`]) in results: entries are removed with their constants, empty tables are
//! removed, and the tables of linked modules become one.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use spirv::{Decoration, Op};

use super::removal::{Removal, count_words, entry_point, is_description, remove_unused};
use super::{Edits, NewInstruction};
use crate::analysis::conditions::predicates::{
    Predicate, PredicateError, PredicateTable, find_tables, may_have_tables, read_tables,
};
use crate::analysis::is_debug;
use crate::collections::{IdMap, OrderedMap, gather};
use crate::loader::{Instruction, Module, views};

/// The maximum number of constituents of an OpConstantComposite, and so of a table.
const MAX_LENGTH: usize = 0xffff - 3;

/// Removes the entries whose constants a module no longer has, and tables without entries. Tables that code refers to stay.
///
/// # Errors
/// If a table is malformed.
pub fn prune(module: &Module) -> Result<Edits, PredicateError> {
    let mut edits = Edits::new(module);
    if may_have_tables(module) {
        let spec_ids: BTreeSet<u32> = module.spec_ids().map(views::SpecId::spec_id).collect();
        let kept = |table: &PredicateTable| {
            let has_constant = |predicate: &&Predicate| spec_ids.contains(&predicate.spec_id);
            table.predicates.iter().filter(has_constant).cloned().collect()
        };
        change(module, &read_tables(module)?, &kept, &mut edits);
    }
    Ok(edits)
}

/// Removes the constants that decided predicates became, and constants that only they required, if nothing uses these
/// any more. `constants` are those of the predicates before they were decided.
pub fn remove_leftovers(module: &Module, constants: impl Iterator<Item = u32>, edits: &mut Edits) {
    let is_decided = |id: &u32| {
        let op = module.definition(*id).and_then(|inst| inst.op());
        matches!(op, Some(Op::ConstantTrue | Op::ConstantFalse))
    };
    // Uses of each constant, and of each definition that is computed from one.
    let mut uses: HashMap<u32, u32> = constants.filter(is_decided).map(|id| (id, 0)).collect();
    if uses.is_empty() {
        return;
    }
    let operands = |inst: &Instruction| {
        let mut operands = Vec::new();
        module.walk(inst, &mut |_: usize, id: u32| {
            operands.extend(Some(id).filter(|&id| inst.result_id() != Some(id)))
        });
        operands
    };
    for inst in module.functions().iter().flat_map(|function| module.body(function)) {
        if computes_boolean(&inst)
            && operands(&inst).iter().any(|id| uses.contains_key(id))
            && let Some(id) = inst.result_id()
        {
            uses.insert(id, 0);
        }
    }
    let describes =
        |inst: &Instruction| inst.describes_id() && uses.contains_key(&views::Annotation(*inst).target());
    let (mut counts, mut descriptions) = (uses.clone(), Vec::new());
    for inst in module.instructions() {
        if describes(&inst) {
            descriptions.push(inst);
            continue;
        }
        for id in operands(&inst) {
            counts.entry(id).and_modify(|count| *count += 1);
        }
    }
    let mut stack: Vec<u32> = counts.iter().filter(|(_, count)| **count == 0).map(|(&id, _)| id).collect();
    let mut removed = BTreeSet::new();
    while let Some(id) = stack.pop() {
        let Some(inst) = module.definition(id).filter(|_| removed.insert(id)) else { continue };
        edits.drop(&inst);
        for operand in operands(&inst) {
            if let Some(count) = counts.get_mut(&operand) {
                *count -= 1;
                stack.extend(Some(operand).filter(|_| *count == 0));
            }
        }
    }
    let is_gone = |inst: &&Instruction| removed.contains(&views::Annotation(**inst).target());
    descriptions.iter().filter(is_gone).for_each(|inst| edits.drop(inst));
}

/// Returns true if an instruction computes a Boolean of others, and nothing else.
fn computes_boolean(inst: &Instruction) -> bool {
    matches!(
        inst.op(),
        Some(
            Op::LogicalEqual
                | Op::LogicalNotEqual
                | Op::LogicalNot
                | Op::LogicalAnd
                | Op::LogicalOr
                | Op::Select
                | Op::CopyObject
        )
    )
}

/// Removes all tables of a module: their meaning is elsewhere.
pub fn remove_all(module: &Module, tables: &[PredicateTable]) -> Edits {
    let mut edits = Edits::new(module);
    change(module, tables, &|_| Vec::new(), &mut edits);
    edits
}

/// The modules whose table has all entries, where several become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MergedTables {
    /// The first module with a table: the others have none.
    OfFirst,
    /// All modules with a table.
    OfAll,
}

/// Finds the changes by which equal predicates of several modules have equal SpecIds, that no other constant has, and one table. `None` for a
/// module that does not change.
///
/// # Errors
/// If a table is malformed: the index of its module, and the error.
pub fn unite<'m>(
    modules: impl Iterator<Item = &'m Module<'m>> + Clone,
    which: MergedTables,
) -> Result<Vec<Option<Edits>>, (usize, PredicateError)> {
    if !modules.clone().any(may_have_tables) {
        return Ok(modules.map(|_| None).collect());
    }
    let mut tables = Vec::new();
    for (at, module) in modules.clone().enumerate() {
        tables.push(find_tables(module).map_err(|error| (at, error))?);
    }
    let predicates = |at: usize| tables[at].iter().flat_map(|table: &PredicateTable| &table.predicates);
    let mut taken: BTreeSet<u32> = BTreeSet::new();
    for (at, module) in modules.clone().enumerate() {
        let predicate_spec_ids: BTreeSet<u32> = predicates(at).map(|predicate| predicate.spec_id).collect();
        taken.extend(
            module
                .spec_ids()
                .map(views::SpecId::spec_id)
                .filter(|spec_id| !predicate_spec_ids.contains(spec_id)),
        );
    }
    let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
    // By name of the table: the predicates of all modules, in the order of the first that has each.
    let mut united: OrderedMap<&str, Vec<Predicate>> = OrderedMap::new();
    let mut next = 0;
    for table in tables.iter().flatten() {
        let all = united.entry(table.provider.table).or_default();
        for predicate in &table.predicates {
            if numbers.contains_key(predicate.name.as_str()) {
                continue;
            }
            let mut spec_id = predicate.spec_id;
            while !taken.insert(spec_id) {
                (spec_id, next) = (next, next + 1);
            }
            numbers.insert(&predicate.name, spec_id);
            all.push(Predicate { spec_id, ..predicate.clone() });
        }
    }
    let mut results = Vec::new();
    for (at, module) in modules.enumerate() {
        let mut edits = Edits::new(module);
        let renumbered: BTreeMap<u32, u32> =
            gather(predicates(at).map(|predicate| (predicate.spec_id, numbers[predicate.name.as_str()])));
        for decorated in module.spec_ids() {
            let old = decorated.spec_id();
            if let Some(&spec_id) = renumbered.get(&old).filter(|&&spec_id| spec_id != old) {
                let operands = vec![decorated.id(), Decoration::SpecId as u32, spec_id];
                edits.replace(&decorated, &NewInstruction::new(Op::Decorate, None, None, operands));
            }
        }
        let mut all = |name: &str| match which {
            MergedTables::OfFirst => united.remove(name),
            MergedTables::OfAll => united.get(name).cloned(),
        };
        let kept = tables[at].iter().map(|table| (table.variable, all(table.provider.table)));
        let kept: IdMap<Option<Vec<Predicate>>> = kept.collect();
        let kept = |table: &PredicateTable| kept.get(&table.variable).cloned().flatten().unwrap_or_default();
        change(module, &tables[at], &kept, &mut edits);
        results.push(Some(edits).filter(|edits| !edits.is_empty()));
    }
    Ok(results)
}

/// Writes the remaining entries of tables. Empty tables are removed.
fn change(
    module: &Module,
    tables: &[PredicateTable],
    kept: &dyn Fn(&PredicateTable) -> Vec<Predicate>,
    edits: &mut Edits,
) {
    let mut removed = BTreeSet::new();
    let mut described = BTreeSet::new();
    let (mut dropped, mut used) = (BTreeSet::new(), BTreeSet::new());
    for table in tables {
        let kept = kept(table);
        let variable = module.definition(table.variable).and_then(views::Variable::new);
        let Some(variable) = variable.filter(|_| !is_used(module, table.variable)) else { continue };
        if kept == table.predicates && !kept.is_empty() {
            continue;
        }
        let text = (table.provider.write)(&kept);
        if !kept.is_empty() {
            match rewrite(module, variable, &text, edits) {
                Some(types) => used.extend(types),
                None => continue,
            }
        } else {
            removed.insert(table.variable);
        }
        dropped.insert(variable.offset());
        module.walk(&variable, &mut |_: usize, id: u32| {
            described.extend(Some(id).filter(|&id| is_description(module, id) && id != table.variable));
        });
    }
    if !removed.is_empty() {
        let is_gone = |id: u32| removed.contains(&id);
        let mut removal = Removal::default();
        for inst in module.outside_functions() {
            match views::EntryPoint::new(inst) {
                Some(entry) => {
                    let mut words = entry_point(entry, &is_gone);
                    if words.len() < entry.words().len() {
                        count_words(&mut words);
                        edits.replace_words(&inst, &words);
                    }
                }
                None => {
                    if removal.outside(module, &inst, &is_gone, edits) {
                        dropped.insert(inst.offset());
                    }
                }
            }
        }
    }
    remove_unused(module, described, &|inst| dropped.contains(&inst.offset()), &used, edits);
}

/// Returns true if something that computes uses a variable.
fn is_used(module: &Module, variable: u32) -> bool {
    let mut is_used = false;
    let mut look = |inst: &Instruction| {
        module.walk(inst, &mut |_: usize, id: u32| is_used |= id == variable && inst.result_id() != Some(id));
    };
    let functions = module.functions();
    functions.iter().for_each(|function| module.body(function).for_each(|inst| look(&inst)));
    let computes = |inst: &Instruction| inst.result_id().is_some() && !is_debug(module, inst);
    module.globals().filter(computes).for_each(|inst| look(&inst));
    is_used
}

/// Gives a variable another text, with types and constants of its own, and returns the types that these refer to. `None` if the text is too long,
/// or the variable does not have the type of a table.
fn rewrite(module: &Module, variable: views::Variable, text: &[u8], edits: &mut Edits) -> Option<[u32; 2]> {
    if text.len() > MAX_LENGTH {
        return None;
    }
    let pointer = module.pointer_type(variable.type_id())?;
    let array = module.definition(pointer.pointee()).and_then(views::TypeArray::new)?;
    let element = array.element_type();
    let length_type = module.type_of(array.length())?;
    let at = variable.offset();
    let mut define = |op: Op, type_: Option<u32>, operands: Vec<u32>| {
        let id = edits.fresh_id();
        edits.insert(at, &NewInstruction::new(op, type_, Some(id), operands));
        id
    };
    let mut length = vec![text.len() as u32];
    let width = module.definition(length_type).and_then(views::TypeNumber::new)?.width();
    length.resize(width.div_ceil(32).max(1) as usize, 0);
    let length = define(Op::Constant, Some(length_type), length);
    let type_ = define(Op::TypeArray, None, vec![element, length]);
    let pointer = define(Op::TypePointer, None, vec![variable.storage_class(), type_]);
    let mut constants = BTreeMap::new();
    let mut bytes = Vec::new();
    for &byte in text {
        let define = || define(Op::Constant, Some(element), vec![u32::from(byte)]);
        bytes.push(*constants.entry(byte).or_insert_with(define));
    }
    let initializer = define(Op::ConstantComposite, Some(type_), bytes);
    let mut words = variable.words().to_vec();
    words[1] = pointer;
    words[4] = initializer;
    edits.replace_words(&variable, &words);
    Some([element, length_type])
}
