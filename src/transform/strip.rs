//! Removal of names, debug information and reflection: what no driver needs to run a module.

use std::collections::BTreeSet;

use spirv::{Decoration, Op};

use super::Edits;
use super::removal::{is_description, remove_unused};
use crate::analysis::conditions::names::ConditionName;
use crate::analysis::conditions::predicates::names_table;
use crate::loader::{Instruction, Module, SetKind, views};
use crate::metadata::property_sets::carried;

/// The extensions without remaining instructions.
const EXTENSIONS: [&str; 3] =
    ["SPV_GOOGLE_hlsl_functionality1", "SPV_GOOGLE_user_type", "SPV_KHR_non_semantic_info"];
/// The extension of decorations with strings, some of which stay.
const DECORATE_STRING: &str = "SPV_GOOGLE_decorate_string";
/// The extension of extended instructions that refer to later ones.
const FORWARD_REFERENCES: &str = "SPV_KHR_relaxed_extended_instruction";

/// Finds the names, sources, source positions and remarks of a module, and its debug information and other non-semantic instructions. Also finds
/// the HLSL semantics and types of its variables, and the strings, types and constants that are then unused. Names that carry conditions, and
/// carried property sets, stay: they define the conditional code. The edits are added to some without changes.
pub fn strip(module: &Module) -> Edits {
    let mut edits = Edits::new(module);
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
    remove_unused(module, described, &|inst| is_removed(module, inst), &BTreeSet::new(), &mut edits);
    edits
}

fn is_removed(module: &Module, inst: &Instruction) -> bool {
    match inst.op() {
        Some(Op::Source | Op::SourceContinued | Op::MemberName | Op::Line | Op::NoLine) => true,
        Some(Op::SourceExtension | Op::ModuleProcessed) => !carried::is_string(inst),
        Some(Op::Name) => ConditionName::read(&views::Name(*inst).name()).is_none() && !names_table(inst),
        Some(Op::ExtInstImport) => module.kind_of_set(views::ExtInstImport(*inst).id()) != SetKind::Semantic,
        Some(Op::DecorateId | Op::DecorateString | Op::MemberDecorateString) => {
            let decoration = views::Decoration(*inst);
            let of_hlsl = [Decoration::CounterBuffer, Decoration::UserSemantic, Decoration::UserTypeGOOGLE];
            of_hlsl.into_iter().any(|hlsl| decoration.is_a(hlsl))
        }
        _ => module.set_kind(inst).is_some_and(|kind| kind != SetKind::Semantic),
    }
}

#[cfg(test)]
mod tests;
