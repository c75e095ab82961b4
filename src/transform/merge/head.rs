//! The declarations of all variants, and their entry points.

use std::collections::{HashMap, HashSet};

use spirv::Op;

use super::MergeError;
use super::calls::VariantDependentCall;
use super::merged_definitions::{MergedDefinition, MergedDefinitions};
use super::sets::{SetId, VariantSets};
use super::variant::IndexedVariant;
use crate::loader::{Instruction, LogicalPlace, Section, grammar};
use crate::metadata::property_sets::carried;
use crate::transform::definitions::{
    AddressReferences, DistinctInstructions, InterfaceVariables, NamedModule, ResultEntryPoint,
    check_memory_models, is_multi_target, is_raised, latest, storage_class,
};

/// An instruction without ids that the result has once, and the variants that have it.
pub(super) struct MergedDeclaration {
    pub words: Vec<u32>,
    pub set: SetId,
}

/// Entry point of the result, and the variants that have it.
pub(super) struct MergedEntryPoint {
    pub entry: ResultEntryPoint,
    pub set: SetId,
}

/// Checks that variants can be one module.
pub(super) fn check(variants: &[IndexedVariant]) -> Result<(), MergeError> {
    if variants.is_empty() {
        return Err(MergeError::Nothing);
    }
    if let Some(variant) = variants.iter().find(|variant| is_multi_target(variant.module)) {
        return Err(MergeError::MultiTarget(variant.name.to_owned()));
    }
    if let Some(variant) = variants.iter().find(|variant| variant.module.has_graphs()) {
        return Err(MergeError::Graphs(variant.name.to_owned()));
    }
    let modules = variants.iter().map(|variant| NamedModule { name: variant.name, module: variant.module });
    check_memory_models(modules)?;
    variants.iter().try_for_each(check_known)
}

/// Refuses instructions that the grammar does not have, or that stand among the types and neither define nor continue anything.
fn check_known(variant: &IndexedVariant) -> Result<(), MergeError> {
    let module = variant.module;
    let is_unknown = |inst: &Instruction| match grammar::layout(inst.opcode()) {
        None => true,
        Some(layout) => {
            layout.place == LogicalPlace::Section(Section::Types)
                && layout.result_word().is_none()
                && !inst.is(Op::TypeForwardPointer)
                && !inst.is_continuation()
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

/// Returns the instructions of a kind in all variants, each as often as in the variant that has it most often.
pub(super) fn declarations(
    definitions: &mut MergedDefinitions,
    is_of_kind: impl Fn(Op) -> bool,
) -> Result<Vec<MergedDeclaration>, MergeError> {
    let mut all: Vec<MergedDeclaration> = Vec::new();
    let mut distinct = DistinctInstructions::default();
    for (at, variant) in definitions.variants.iter().enumerate() {
        distinct.begin_module();
        let mut annotations = variant.module.annotations().peekable();
        while let Some(inst) = annotations.next() {
            if !inst.op().is_some_and(&is_of_kind) || carried::is_string(&inst) {
                continue;
            }
            let mut words = renumbered(variant, &inst)?;
            while let Some(continued) = annotations.next_if(|next| next.is(Op::SourceContinued)) {
                words.extend_from_slice(continued.words());
            }
            let (index, is_new) = distinct.add(&words);
            if is_new {
                all.push(MergedDeclaration { words, set: VariantSets::EMPTY });
            }
            all[index].set = definitions.sets.with(all[index].set, at as u32);
        }
    }
    Ok(all)
}

/// Returns an instruction outside of functions with the ids of the result.
pub(super) fn renumbered(variant: &IndexedVariant, inst: &Instruction) -> Result<Vec<u32>, MergeError> {
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

pub(super) fn dangling(variant: &IndexedVariant, inst: &Instruction, id: u32) -> MergeError {
    let (instruction, offset) = (inst.name(), u64::from(inst.offset()) * 4);
    MergeError::Dangling { file: variant.name.to_owned(), instruction, offset, id }
}

/// Returns the entry points of all variants. Entry points with equal name, execution model and function become one.
pub(super) fn entry_points(definitions: &mut MergedDefinitions) -> Vec<MergedEntryPoint> {
    let mut all: Vec<MergedEntryPoint> = Vec::new();
    let mut known: HashMap<(u32, Vec<u32>, u32), usize> = HashMap::new();
    let mut listed: Vec<HashSet<u32>> = Vec::new();
    for (at, variant) in definitions.variants.iter().enumerate() {
        for entry in variant.module.entry_points() {
            let model = entry.execution_model();
            let name = &entry.words()[3..entry.interface_start()];
            let function = variant.merged_of(entry.function());
            let index = *known.entry((model, name.to_vec(), function)).or_insert_with(|| {
                let entry = ResultEntryPoint { model, name: name.to_vec(), function, interface: Vec::new() };
                all.push(MergedEntryPoint { entry, set: VariantSets::EMPTY });
                listed.push(HashSet::new());
                all.len() - 1
            });
            let merged = &mut all[index];
            merged.set = definitions.sets.with(merged.set, at as u32);
            let interface = entry.interface().iter().map(|&id| variant.merged_of(id));
            merged.entry.interface.extend(interface.filter(|&id| id != 0 && listed[index].insert(id)));
        }
    }
    all
}

/// Adds variables to interface lists: those that calls of other variants reach, and those that a later version requires. spirv-val requires every
/// variable that a call tree may reach.
pub(super) fn complete_interfaces(
    definitions: &MergedDefinitions,
    entry_points: &mut [MergedEntryPoint],
    calls: &HashMap<usize, Vec<VariantDependentCall>>,
) {
    let (version, _) = latest(definitions.variants.iter().map(|variant| variant.module));
    let is_any_raised =
        definitions.variants.iter().any(|variant| is_raised(variant.module.version_word(), version));
    if calls.is_empty() && !is_any_raised {
        return;
    }
    let classes = (1..).zip(&definitions.merged).filter_map(|(id, &merged)| {
        let module = definitions.variants[merged.variant as usize].module;
        Some((id, storage_class(&module.definition(merged.id)?)?))
    });
    let variables = InterfaceVariables::new(version, classes);
    if variables.is_empty() {
        return;
    }
    let reached = references(definitions).reached_variables(&variables);
    for MergedEntryPoint { entry, .. } in entry_points {
        variables.complete(&mut entry.interface, &reached[entry.function as usize]);
    }
}

/// Collects the references of functions in any variant, and of constants that are made of addresses.
fn references(definitions: &MergedDefinitions) -> AddressReferences {
    let bound = definitions.merged.len() as u32 + 1;
    let module_of = |merged: MergedDefinition| definitions.variants[merged.variant as usize].module;
    // By id: true for a function, a variable, or a constant that is made of the address of one.
    let mut has_address = vec![false; bound as usize];
    for (id, &merged) in (1..).zip(&definitions.merged) {
        let inst = module_of(merged).definition(merged.id);
        has_address[id] = inst.is_some_and(|inst| inst.is(Op::Function) || storage_class(&inst).is_some());
    }
    // What a constant is made of comes before it. What debug information and reflection name is not used by what names them.
    let mut of_constants = Vec::new();
    let is_constant = |inst: &Instruction| !inst.is(Op::Function) && !inst.is(Op::ExtInst);
    for (id, &merged) in (1..).zip(&definitions.merged) {
        let module = module_of(merged);
        let Some(inst) = module.definition(merged.id).filter(is_constant) else { continue };
        let variant = &definitions.variants[merged.variant as usize];
        module.walk(&inst, &mut |_: usize, part: u32| {
            let part = variant.merged_of(part);
            if part != id && has_address[part as usize] {
                has_address[id as usize] = true;
                of_constants.push((id, part));
            }
        });
    }
    let mut of_functions = Vec::new();
    for (at, function) in definitions.functions.iter().enumerate() {
        let mut referred = function_references(definitions, at, &has_address);
        referred.sort_unstable();
        referred.dedup();
        of_functions.extend(referred.into_iter().map(|to| (function.id, to)));
    }
    AddressReferences::new(&of_functions, &of_constants, bound)
}

/// Returns the definitions with addresses that a function of the result refers to in any variant.
fn function_references(definitions: &MergedDefinitions, at: usize, has_address: &[bool]) -> Vec<u32> {
    let function = &definitions.functions[at];
    let merged = definitions.merged[function.id as usize - 1];
    let variant = &definitions.variants[merged.variant as usize];
    let mut referred = Vec::new();
    for inst in
        variant.module.function(merged.id).into_iter().flat_map(|function| variant.module.body(function))
    {
        variant.module.walk(&inst, &mut |_: usize, id: u32| {
            referred.extend(Some(variant.merged_of(id)).filter(|&id| has_address[id as usize]));
        });
    }
    for &(variant, index) in &function.members {
        let variant = &definitions.variants[variant as usize];
        let calls = variant.functions[index as usize].calls.iter();
        referred.extend(calls.map(|call| variant.merged_of(call.callee)).filter(|&id| id != 0));
    }
    referred
}

#[cfg(test)]
mod tests {
    use spirv::Op;

    use crate::condition::{Expr, Leaf};
    use crate::loader::{Module, views};
    use crate::test_support::assemble;
    use crate::transform::condition_constants::Dialect;
    use crate::transform::merge::{MergeInput, merge};

    /// A constant made of the address of a variable refers to it.
    #[test]
    fn interface_lists_have_variables_behind_constants() {
        let text = |number: u32| {
            format!(
                "OpCapability Kernel
OpCapability Addresses
OpCapability Int8
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %1 \"main\"
%2 = OpTypeVoid
%3 = OpTypeFunction %2
%4 = OpTypeInt 32 0
%5 = OpConstant %4 {number}
%6 = OpTypePointer CrossWorkgroup %4
%7 = OpVariable %6 CrossWorkgroup %5
%8 = OpTypeInt 8 0
%9 = OpTypePointer CrossWorkgroup %8
%10 = OpSpecConstantOp %9 Bitcast %7
%11 = OpConstant %8 {number}
%1 = OpFunction %2 None %3
%12 = OpLabel
OpStore %10 %11
OpReturn
OpFunctionEnd
"
            )
        };
        let (old, new) = (assemble(&text(1), "spv1.3"), assemble(&text(2), "spv1.4"));
        let [old, new] = [old, new].map(|words| Module::from_words(words).unwrap());
        let half = Expr::Leaf(Leaf::Aspect(5));
        let inputs = [("old", &old, Some(&half)), ("new", &new, None)]
            .map(|(name, module, condition)| MergeInput { name, module, condition });
        let Ok(merged) = merge(&inputs, Dialect::SpecConditional) else { panic!("not merged") };
        let module = Module::from_words(merged.words).unwrap();
        for entry in module.entry_points().map(|inst| views::EntryPoint(*inst)) {
            assert!(
                entry.interface().iter().any(|&id| module.definition_as(id, Op::Variable).is_some()),
                "{entry:?}"
            );
        }
    }
}
