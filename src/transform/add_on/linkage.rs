//! The names by which images refer to each other's functions and variables.

use std::collections::BTreeMap;

use rspirv::dr::{Instruction as New, Operand};
use spirv::{Capability, Decoration, LinkageType, Op};

use crate::loader::{Module, views};
use crate::transform::Edits;
use crate::transform::insertion_points::InsertionPoints;

/// The linkage that a function or variable is to have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Linkage {
    /// It is defined here, for other images.
    Export(String),
    /// It is defined in another image.
    Import(String),
    /// It is nobody else's.
    None,
}

/// Gives functions and variables a linkage in the place of the one that they have.
pub fn link_names(module: &Module, linkage: &BTreeMap<u32, Linkage>) -> Edits {
    let mut edits = Edits::new(module);
    for decoration in module.decorations_with(Decoration::LinkageAttributes) {
        if linkage.contains_key(&decoration.target()) {
            edits.drop(&decoration);
        }
    }
    let points = InsertionPoints::find(module);
    let mut links = false;
    for (&id, own) in linkage {
        let (name, kind) = match own {
            Linkage::Export(name) => (name, LinkageType::Export),
            Linkage::Import(name) => (name, LinkageType::Import),
            Linkage::None => continue,
        };
        links = true;
        let operands = vec![
            Operand::IdRef(id),
            Operand::Decoration(Decoration::LinkageAttributes),
            Operand::LiteralString(name.clone()),
            Operand::LinkageType(kind),
        ];
        edits.insert(points.annotations, &New::new(Op::Decorate, None, None, operands));
    }
    let mut declared = module.capabilities().map(views::Capability::capability);
    if links && !declared.any(|number| number == Capability::Linkage as u32) {
        let operands = vec![Operand::Capability(Capability::Linkage)];
        edits.insert(points.capabilities, &New::new(Op::Capability, None, None, operands));
    }
    edits
}
