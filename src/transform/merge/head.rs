//! The declarations of all variants, and their entry points.

use std::collections::{HashMap, HashSet};

use spirv::{Op, StorageClass};

use super::MergeError;
use super::calls::ConditionalCall;
use super::sets::{SetId, Sets};
use super::union::Union;
use super::variant::{Slot, Variant};
use crate::loader::{Place, Section, grammar};
use crate::metadata::property_sets::carried;
use crate::transform::link::{Input, is_multi_target, same_memory_model};

/// The first version in which interface lists have all module-scope variables (specification, OpEntryPoint); before that, only inputs and
/// outputs.
const ALL_VARIABLES: u32 = 0x0001_0400;

/// An instruction without ids that the result has once, and the variants that have it.
pub(super) struct Declaration {
    pub words: Vec<u32>,
    pub set: SetId,
}

/// An entry point of the result.
pub(super) struct MergedEntryPoint {
    /// The execution model, and the words of the name.
    pub name: Vec<u32>,
    /// The function, by its id in the result.
    pub function: u32,
    pub set: SetId,
    /// The interface list, as ids in the result.
    pub interface: Vec<u32>,
}

/// Checks that variants can be one module.
pub(super) fn check(variants: &[Variant]) -> Result<(), MergeError> {
    let Some(first) = variants.first() else { return Err(MergeError::Nothing) };
    for variant in variants {
        if is_multi_target(variant.module) {
            return Err(MergeError::MultiTarget(variant.name.to_owned()));
        }
        let [one, other] = [first, variant].map(|own| Input { name: own.name, module: own.module });
        same_memory_model(one, other)?;
        check_known(variant)?;
    }
    Ok(())
}

/// The version of the result: the latest of all variants.
pub(super) fn version(union: &Union) -> u32 {
    union.variants.iter().map(|variant| variant.module.version_word()).max().unwrap_or(0)
}

/// Refuses instructions that the grammar does not have, or that continue another one outside of functions.
fn check_known(variant: &Variant) -> Result<(), MergeError> {
    let module = variant.module;
    let is_unknown = |inst: &crate::loader::Instruction| match grammar::layout(inst.opcode()) {
        None => true,
        Some(layout) => {
            layout.place == Place::Section(Section::Types)
                && layout.result_word().is_none()
                && !inst.is(Op::TypeForwardPointer)
        }
    };
    let unknown = match module.has_unknown_instructions() {
        true => module.instructions().find(is_unknown),
        false => module.outside_functions().find(is_unknown),
    };
    match unknown {
        None => Ok(()),
        Some(inst) => Err(MergeError::Unknown {
            file: variant.name.to_owned(),
            instruction: inst.name(),
            offset: u64::from(inst.offset()) * 4,
        }),
    }
}

/// The instructions of a kind in all variants, each once: as often as the variant that has it most often.
pub(super) fn declarations(
    union: &mut Union,
    is_of_kind: impl Fn(Op) -> bool,
) -> Result<Vec<Declaration>, MergeError> {
    let mut all: Vec<Declaration> = Vec::new();
    let mut known: HashMap<(Vec<u32>, u32), usize> = HashMap::new();
    for (at, variant) in union.variants.iter().enumerate() {
        let mut repeated: HashMap<Vec<u32>, u32> = HashMap::new();
        let mut own = variant.module.annotations().peekable();
        while let Some(inst) = own.next() {
            if !inst.op().is_some_and(&is_of_kind) || carried::is_string(&inst) {
                continue;
            }
            let mut words = renumbered(variant, &inst)?;
            while let Some(continued) = own.next_if(|next| next.is(Op::SourceContinued)) {
                words.extend_from_slice(continued.words());
            }
            let count = repeated.entry(words.clone()).or_default();
            *count += 1;
            let index = *known.entry((words.clone(), *count)).or_insert_with(|| {
                all.push(Declaration { words, set: Sets::EMPTY });
                all.len() - 1
            });
            all[index].set = union.sets.with(all[index].set, at as u32);
        }
    }
    Ok(all)
}

/// An instruction outside of functions with the ids of the result.
pub(super) fn renumbered(
    variant: &Variant,
    inst: &crate::loader::Instruction,
) -> Result<Vec<u32>, MergeError> {
    let mut words = inst.words().to_vec();
    let mut missing = 0;
    variant.module.walk(inst, &mut |at: usize, id: u32| match variant.merged_of(id) {
        0 => missing = id,
        merged => words[at] = merged,
    });
    match missing {
        0 => Ok(words),
        id => Err(dangling(variant, inst, id)),
    }
}

pub(super) fn dangling(variant: &Variant, inst: &crate::loader::Instruction, id: u32) -> MergeError {
    let (instruction, offset) = (inst.name(), u64::from(inst.offset()) * 4);
    MergeError::Dangling { file: variant.name.to_owned(), instruction, offset, id }
}

/// The entry points of all variants: one for all that have its name, execution model and function.
pub(super) fn entry_points(union: &mut Union) -> Vec<MergedEntryPoint> {
    let mut all: Vec<MergedEntryPoint> = Vec::new();
    let mut known: HashMap<(Vec<u32>, u32), usize> = HashMap::new();
    let mut listed: Vec<HashSet<u32>> = Vec::new();
    for (at, variant) in union.variants.iter().enumerate() {
        for entry in variant.module.entry_points() {
            let (model, start) = (entry.execution_model(), entry.interface_start());
            let name = [&[model], &entry.words()[3..start]].concat();
            let function = variant.merged_of(entry.function());
            let index = *known.entry((name.clone(), function)).or_insert_with(|| {
                all.push(MergedEntryPoint { name, function, set: Sets::EMPTY, interface: Vec::new() });
                listed.push(HashSet::new());
                all.len() - 1
            });
            let own = &mut all[index];
            own.set = union.sets.with(own.set, at as u32);
            let interface = entry.interface().iter().map(|&id| variant.merged_of(id));
            own.interface.extend(interface.filter(|&id| id != 0 && listed[index].insert(id)));
        }
    }
    all
}

/// Adds the variables to interface lists that calls of other variants reach, and those that a later version than that of a variant requires:
/// spirv-val requires all that a call tree may reach.
pub(super) fn complete_interfaces(
    union: &Union,
    entry_points: &mut [MergedEntryPoint],
    calls: &HashMap<usize, Vec<ConditionalCall>>,
) {
    let version = version(union);
    let is_older = |variant: &Variant| variant.module.version_word() < ALL_VARIABLES;
    let is_raised = version >= ALL_VARIABLES && union.variants.iter().any(is_older);
    if calls.is_empty() && !is_raised {
        return;
    }
    let class = |id: u32| {
        let merged = union.merged[id as usize - 1];
        let module = union.variants[merged.variant as usize].module;
        let inst = module.definition(merged.id).filter(|_| !module.is_function(merged.id))?;
        let is_variable = inst.is(Op::Variable) || inst.is(Op::UntypedVariableKHR);
        is_variable.then(|| inst.word(3))
    };
    let is_listed = |class: u32| {
        version >= ALL_VARIABLES
            || [StorageClass::Input, StorageClass::Output].iter().any(|&own| class == own as u32)
    };
    let is_candidate: Vec<bool> =
        (1..=union.merged.len() as u32).map(|id| class(id).is_some_and(is_listed)).collect();
    if !is_candidate.contains(&true) {
        return;
    }
    let mut references: HashMap<usize, Vec<u32>> = HashMap::new();
    for entry in entry_points {
        let mut listed: HashSet<u32> = entry.interface.iter().copied().collect();
        let mut seen: HashSet<usize> = union.function(entry.function).into_iter().collect();
        let mut open: Vec<usize> = seen.iter().copied().collect();
        while let Some(at) = open.pop() {
            let of_function =
                references.entry(at).or_insert_with(|| function_references(union, at, &is_candidate));
            for &id in &*of_function {
                match union.function(id) {
                    Some(callee) => open.extend(Some(callee).filter(|&callee| seen.insert(callee))),
                    None if listed.insert(id) => entry.interface.push(id),
                    None => {}
                }
            }
        }
    }
}

/// The functions and variables that a function of the result refers to in any variant.
fn function_references(union: &Union, at: usize, is_candidate: &[bool]) -> Vec<u32> {
    let function = &union.functions[at];
    let merged = union.merged[function.id as usize - 1];
    let variant = &union.variants[merged.variant as usize];
    let mut all = Vec::new();
    if let Some(own) = variant.module.function(merged.id) {
        for inst in variant.module.body(own) {
            variant.module.walk(&inst, &mut |_: usize, id: u32| {
                if let Slot::Definition(number) = variant.slot(id) {
                    let id = variant.merged[number as usize];
                    let counts = |&id: &u32| is_candidate[id as usize - 1] || union.function(id).is_some();
                    all.extend(Some(id).filter(|&id| id != 0).filter(counts));
                }
            });
        }
    }
    for &(variant, index) in &function.members {
        let variant = &union.variants[variant as usize];
        let calls = variant.functions[index as usize].calls.iter();
        all.extend(calls.map(|call| variant.merged_of(call.callee)).filter(|&id| id != 0));
    }
    all.sort_unstable();
    all.dedup();
    all
}
