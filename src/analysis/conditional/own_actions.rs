//! Conditional callers that are their own action. Function controls keep optimizers away from them until their calls
//! are decided.

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use spirv::{Decoration, LinkageType, Op};

use super::callers::callers;
use crate::analysis::calls::DirectCalls;
use crate::analysis::conditions::names::{ON_DEVICE_CONDITIONALLY, ordinary};
use crate::analysis::debug::names::{FreeNames, Names};
use crate::analysis::sycl::properties::SyclProperties;
use crate::loader::Module;

/// A conditional caller that is its own action, and that the module calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnAction {
    /// The function.
    pub function: u32,
    /// The offset of the decoration that exports it.
    pub export: Option<NonZeroU32>,
    /// The offsets of its OpNames that make calls conditional, each with the name of the ordinary function that it becomes.
    pub names: Vec<(u32, String)>,
    /// The offsets of the decorations with the property that makes its calls conditional.
    pub properties: Vec<u32>,
}

/// Finds the conditional callers of a module that are called and have a body. Only their calls show why they are exported.
pub fn find(
    module: &Module,
    calls: &DirectCalls,
    names: &Names,
    properties: &SyclProperties,
) -> Box<[OwnAction]> {
    let mut functions: BTreeSet<u32> = callers(module, names, properties)
        .into_iter()
        .map(|(function, _)| function)
        .filter(|function| !module.is_declaration(function))
        .map(|function| function.id)
        .collect();
    if functions.is_empty() {
        return Box::default();
    }
    functions.retain(|&function| module.function_index(function).is_some_and(|at| calls.is_called(at)));
    let mut properties = properties.of_functions(module, ON_DEVICE_CONDITIONALLY);
    let new_action = |function| {
        let of_function = properties.remove(&function).unwrap_or_default();
        let properties = of_function.iter().map(|property| property.offset).collect();
        OwnAction { function, export: None, names: Vec::new(), properties }
    };
    let mut actions: Vec<OwnAction> = functions.into_iter().map(new_action).collect();
    if actions.is_empty() {
        return Box::default();
    }
    let position =
        |actions: &[OwnAction], id: u32| actions.binary_search_by_key(&id, |action| action.function).ok();
    for linkage in module.decorations_with(Decoration::LinkageAttributes) {
        let is_export = linkage.is(Op::Decorate) && linkage.linkage_type() == LinkageType::Export as u32;
        if let Some(at) = position(&actions, linkage.target()).filter(|_| is_export) {
            actions[at].export = NonZeroU32::new(linkage.offset());
        }
    }
    let mut free = FreeNames::new(names);
    for name in module.names() {
        let Some(at) = position(&actions, name.target()) else { continue };
        let text = name.name();
        let ordinary = ordinary(&text);
        if ordinary != text {
            actions[at].names.push((name.offset(), free.take(&ordinary)));
        }
    }
    actions.into()
}
