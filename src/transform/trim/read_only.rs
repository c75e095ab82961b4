//! Storage that nothing writes. In some stages, each variable without the decoration NonWritable requires a feature of Vulkan, written or
//! not (VUID-RuntimeSpirv-NonWritable-06340 and 06341).

use std::collections::{HashMap, HashSet};

use spirv::{Capability, Decoration, ExecutionModel, Op};

use crate::analysis::requirements::{InstructionRequirements, Requirement};
use crate::device::api::uses;
use crate::loader::opcodes::{is_access_chain, is_untyped_access_chain};
use crate::loader::{Instruction, Module, views};

/// The use of `spec-extensions/vulkan-uses.csv`.
const WRITABLE: &str = "storage that is not NonWritable";

/// Returns the variables that can be decorated NonWritable, and lower the requirements of the module by that.
pub(super) fn read_only_variables(module: &Module) -> Vec<u32> {
    let matters = |model: u32| {
        let name = ExecutionModel::from_u32(model).map(|model| format!("{model:?}"));
        uses().iter().any(|known| known.use_ == WRITABLE && known.applies_to(name.as_deref()))
    };
    // Other modules may write to what this one exports.
    let is_linked = module.capabilities().any(|declared| declared.capability() == Capability::Linkage as u32);
    if is_linked || !module.entry_points().any(|entry_point| matters(entry_point.execution_model())) {
        return Vec::new();
    }
    let requirements = InstructionRequirements::vulkan(module);
    let is_writable = |inst: &Instruction| {
        inst.is_variable()
            && requirements.find(inst).iter().any(|id| *id.get() == Requirement::Feature(WRITABLE))
    };
    let variables: Vec<u32> =
        module.globals().filter(is_writable).filter_map(|inst| inst.result_id()).collect();
    if variables.is_empty() {
        return variables;
    }
    let written = written(module, &variables);
    variables.into_iter().filter(|variable| !written.contains(variable)).collect()
}

/// Returns the words of the decoration of a variable.
pub(super) fn decoration(variable: u32) -> Vec<u32> {
    vec![variable, Decoration::NonWritable as u32]
}

/// Returns those of these variables to which an instruction may write: where it does not only read, it may.
fn written(module: &Module, variables: &[u32]) -> HashSet<u32> {
    // The variables of pointers into them, and of images that are loaded from them.
    let mut sources: HashMap<u32, u32> = variables.iter().map(|&variable| (variable, variable)).collect();
    let mut written = HashSet::new();
    let mut used = Vec::new();
    for inst in module.functions().iter().flat_map(|function| module.body(function)) {
        used.clear();
        let result = inst.typed_result().map(|[_, id]| id);
        module.walk(&inst, &mut |_, id: u32| {
            used.extend(sources.get(&id).copied().filter(|_| Some(id) != result));
        });
        let Some(&source) = used.first() else { continue };
        match effect(module, &inst) {
            Effect::Reads => {}
            Effect::Derives if used.len() == 1 => {
                sources.extend(result.map(|result| (result, source)));
            }
            Effect::Copies if !sources.contains_key(&views::CopyMemory(inst).target()) => {}
            _ => written.extend(used.iter().copied()),
        }
    }
    written
}

/// The effect of an instruction on storage.
enum Effect {
    /// Reads it.
    Reads,
    /// Derives a pointer or an image from it.
    Derives,
    /// Copies memory.
    Copies,
    /// Anything else.
    Other,
}

fn effect(module: &Module, inst: &Instruction) -> Effect {
    use Op::*;
    match inst.op() {
        Some(Load) => {
            let type_ = module.definition(views::Value(*inst).type_id());
            match type_.is_some_and(|type_| type_.is(TypeImage) || type_.is(TypeTensorARM)) {
                true => Effect::Derives,
                // Images in an array are not followed.
                false if type_.is_some_and(|type_| holds_image(module, type_)) => Effect::Other,
                false => Effect::Reads,
            }
        }
        Some(
            ArrayLength
            | UntypedArrayLengthKHR
            | ImageRead
            | ImageSparseRead
            | ImageQueryFormat
            | ImageQueryOrder
            | ImageQuerySize
            | ImageQuerySamples
            | Line
            | NoLine,
        ) => Effect::Reads,
        Some(op) if op == CopyObject || is_access_chain(op) || is_untyped_access_chain(op) => Effect::Derives,
        Some(CopyMemory | CopyMemorySized) => Effect::Copies,
        _ => Effect::Other,
    }
}

/// Returns true if a type is an array of images.
fn holds_image(module: &Module, type_: Instruction) -> bool {
    let element = module.without_arrays(views::Type(type_).id());
    element != views::Type(type_).id()
        && module.definition(element).is_some_and(|element| element.is(Op::TypeImage))
}
