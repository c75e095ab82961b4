//! Locations in the interfaces of entry points.

use spirv::{Decoration, Op};

use crate::loader::{Module, views};

/// True for a decoration that gives a variable, or a member of its block, a location in an interface.
pub fn is_location(decoration: u32) -> bool {
    [Decoration::Location as u32, Decoration::Component as u32].contains(&decoration)
}

/// True if a variable has a location in an interface, itself or through a member of its block: `located` is true for the ids with
/// such a decoration. To remove the variable from an interface breaks the next stage of the pipeline.
pub fn has_location(module: &Module, variable: u32, located: impl Fn(u32) -> bool) -> bool {
    located(variable) || interface_block(module, variable).is_some_and(located)
}

/// The structure type of an interface block, or of an array of them.
fn interface_block(module: &Module, variable: u32) -> Option<u32> {
    let variable = module.definition(variable).and_then(views::Variable::of)?;
    let structure = module.without_arrays(module.pointee(variable.type_id())?);
    module.definition_as(structure, Op::TypeStruct).map(|_| structure)
}
