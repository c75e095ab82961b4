//! Removal of names, debug information and reflection: what no driver needs to run a module.

use std::collections::{BTreeMap, BTreeSet};

use spirv::{Decoration, Op};

use super::Edits;
use crate::analysis::conditions::names::ConditionName;
use crate::loader::{Instruction, Module, Place, Section, SetKind, grammar, views};
use crate::sidecar::property_sets::carried;

/// The extensions of which nothing is left.
const EXTENSIONS: [&str; 3] =
    ["SPV_GOOGLE_hlsl_functionality1", "SPV_GOOGLE_user_type", "SPV_KHR_non_semantic_info"];
/// The extension of decorations with strings, some of which stay.
const DECORATE_STRING: &str = "SPV_GOOGLE_decorate_string";
/// The extension of extended instructions that refer to later ones.
const FORWARD_REFERENCES: &str = "SPV_KHR_relaxed_extended_instruction";

/// Finds the names, sources, source positions and remarks of a module, its debug information and other non-semantic instructions, the
/// semantics and types that HLSL gave its variables, and the strings, types and constants that nothing else refers to. Names that carry
/// conditions and the property sets that a module carries stay: they say what is conditional. The edits are added to some without changes.
pub fn strip(module: &Module, mut edits: Edits) -> Edits {
    let mut described = BTreeSet::new();
    let mut remaining = BTreeSet::new();
    for inst in module.instructions() {
        if is_removed(module, &inst) {
            edits.drop_next_range(inst.offset(), inst.end());
            if module.set_kind(&inst).is_some() {
                module.walk(&inst, &mut |_: usize, id: u32| {
                    described.insert(id);
                });
            }
            continue;
        }
        match inst.op() {
            Some(Op::String) => described.extend(inst.result_id()),
            Some(op @ (Op::DecorateString | Op::MemberDecorateString | Op::ExtInstWithForwardRefsKHR)) => {
                remaining.insert(op);
            }
            _ => {}
        }
    }
    let mut unused_extensions = Vec::new();
    for extension in module.extensions() {
        let is_used = match &*extension.name() {
            DECORATE_STRING => {
                remaining.contains(&Op::DecorateString) || remaining.contains(&Op::MemberDecorateString)
            }
            FORWARD_REFERENCES => remaining.contains(&Op::ExtInstWithForwardRefsKHR),
            name => !EXTENSIONS.contains(&name),
        };
        if !is_used {
            unused_extensions.push(extension.offset());
        }
    }
    edits.drop_before(module, &unused_extensions);
    described.retain(|&id| is_description(module, id));
    unused(module, described, &mut edits);
    edits
}

fn is_removed(module: &Module, inst: &Instruction) -> bool {
    match inst.op() {
        Some(Op::Source | Op::SourceContinued | Op::MemberName | Op::Line | Op::NoLine) => true,
        Some(Op::SourceExtension | Op::ModuleProcessed) => !carried::is_string(inst),
        Some(Op::Name) => ConditionName::read(&views::Name(*inst).name()).is_none(),
        Some(Op::ExtInstImport) => module.kind_of_set(views::ExtInstImport(*inst).id()) != SetKind::Semantic,
        Some(Op::DecorateId | Op::DecorateString | Op::MemberDecorateString) => {
            let own = views::Decoration(*inst);
            let of_hlsl = [Decoration::CounterBuffer, Decoration::UserSemantic, Decoration::UserTypeGOOGLE];
            of_hlsl.into_iter().any(|decoration| own.is_a(decoration))
        }
        _ => module.set_kind(inst).is_some_and(|kind| kind != SetKind::Semantic),
    }
}

/// True if an id is a string, or a type or constant.
fn is_description(module: &Module, id: u32) -> bool {
    let Some(inst) = module.definition(id) else { return false };
    inst.is(Op::String) || grammar::place(inst.opcode()) == Place::Section(Section::Types)
}

/// Removes these strings, types and constants, and those that they refer to, as far as nothing else refers to them.
fn unused(module: &Module, described: BTreeSet<u32>, edits: &mut Edits) {
    if described.is_empty() {
        return;
    }
    let mut users: BTreeMap<u32, usize> = BTreeMap::new();
    let mut stack: Vec<u32> = described.iter().copied().collect();
    while let Some(id) = stack.pop() {
        if users.insert(id, 0).is_none() {
            stack.extend(operands(module, id));
        }
    }
    for inst in module.instructions().filter(|inst| !is_removed(module, inst)) {
        let own = inst.result_id();
        module.walk(&inst, &mut |_: usize, id: u32| {
            if let Some(count) = users.get_mut(&id).filter(|_| own != Some(id)) {
                *count += 1;
            }
        });
    }
    let mut stack: Vec<u32> = described.into_iter().filter(|id| users[id] == 0).collect();
    while let Some(id) = stack.pop() {
        if let Some(inst) = module.definition(id) {
            edits.drop(&inst);
        }
        for operand in operands(module, id) {
            let Some(count) = users.get_mut(&operand) else { continue };
            *count -= 1;
            if *count == 0 {
                stack.push(operand);
            }
        }
    }
}

/// The types and constants that the definition of an id refers to, each as often as it does.
fn operands(module: &Module, id: u32) -> Vec<u32> {
    let mut operands = Vec::new();
    if let Some(inst) = module.definition(id) {
        module.walk(&inst, &mut |_: usize, operand: u32| {
            if operand != id && is_description(module, operand) {
                operands.push(operand);
            }
        });
    }
    operands
}

#[cfg(test)]
mod tests;
