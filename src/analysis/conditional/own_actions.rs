//! Conditional callers that are their own action, and what keeps optimizers away from them until their calls are decided.

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use spirv::{Decoration, LinkageType, Op};

use super::callers::callers;
use crate::analysis::debug::names::Names;
use crate::analysis::sycl::properties::SyclProperties;
use crate::loader::{Module, views};

/// A conditional caller that is its own action, and that the module calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnAction {
    /// The function.
    pub function: u32,
    /// The offset of the decoration that exports it.
    pub export: Option<NonZeroU32>,
}

/// Finds the conditional callers of a module that are called and have a body. Only their calls show why they are exported.
pub fn find(module: &Module, names: &Names, properties: &SyclProperties) -> Box<[OwnAction]> {
    let mut functions: BTreeSet<u32> = callers(module, names, properties)
        .into_iter()
        .map(|(function, _)| function)
        .filter(|function| !module.is_declaration(function))
        .map(|function| function.id)
        .collect();
    if !functions.is_empty() {
        let calls = module.functions().iter().flat_map(|function| module.body(function));
        let called: BTreeSet<u32> =
            calls.filter_map(views::FunctionCall::new).map(|call| call.callee()).collect();
        functions.retain(|function| called.contains(function));
    }
    let mut actions: Vec<OwnAction> =
        functions.into_iter().map(|function| OwnAction { function, export: None }).collect();
    if !actions.is_empty() {
        for linkage in module.decorations_with(Decoration::LinkageAttributes) {
            let position = actions.binary_search_by_key(&linkage.target(), |action| action.function);
            let is_export = linkage.is(Op::Decorate) && linkage.linkage_type() == LinkageType::Export as u32;
            if let Some(position) = position.ok().filter(|_| is_export) {
                actions[position].export = NonZeroU32::new(linkage.offset());
            }
        }
    }
    actions.into()
}
