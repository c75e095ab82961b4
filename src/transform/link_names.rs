//! The names by which images refer to each other's functions and variables.

use spirv::{Capability, Decoration, LinkageType, Op};

use crate::collections::IdMap;
use crate::loader::{Module, literal, views};
use crate::transform::insertion::InsertionPoints;
use crate::transform::removal::count_words;
use crate::transform::{Edits, NewInstruction};

/// The linkage that a function or variable is to have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewLinkage {
    /// Definition for other images.
    Export(String),
    /// Reference to a definition in another image.
    Import(String),
    /// Internal to the image.
    None,
}

/// Replaces the linkage of functions and variables. A function of a later generation has its number in the OpName too:
/// drivers merge functions with equal OpNames.
pub fn link_names(module: &Module, linkage: &IdMap<NewLinkage>) -> Edits {
    let mut edits = Edits::new(module);
    for decoration in module.decorations_with(Decoration::LinkageAttributes) {
        if linkage.contains_key(&decoration.target()) {
            edits.drop(&decoration);
        }
    }
    for name in module.names().filter(|name| module.function_index(name.target()).is_some()) {
        let Some(NewLinkage::Export(exported)) = linkage.get(&name.target()) else { continue };
        if exported.strip_prefix(&*name.name()).is_some_and(|number| number.starts_with('.')) {
            let mut words = name.words()[..2].to_vec();
            words.extend(literal(exported));
            count_words(&mut words);
            edits.replace_words(&name, &words);
        }
    }
    let points = InsertionPoints::find(module);
    let mut links = false;
    for (&id, new_linkage) in linkage {
        let (name, kind) = match new_linkage {
            NewLinkage::Export(name) => (name, LinkageType::Export),
            NewLinkage::Import(name) => (name, LinkageType::Import),
            NewLinkage::None => continue,
        };
        links = true;
        let mut operands = vec![id, Decoration::LinkageAttributes as u32];
        operands.extend(literal(name));
        operands.push(kind as u32);
        edits.insert(points.annotations, &NewInstruction::new(Op::Decorate, None, None, operands));
    }
    let mut declared = module.capabilities().map(views::Capability::capability);
    if links && !declared.any(|number| number == Capability::Linkage as u32) {
        let operands = vec![Capability::Linkage as u32];
        edits.insert(points.capabilities, &NewInstruction::new(Op::Capability, None, None, operands));
    }
    edits
}
