//! The interfaces of entry points: locations in them, and which the host does not call.

use std::collections::HashSet;

use spirv::{Decoration, ExecutionMode, Op, StorageClass};

use crate::loader::{Module, views};

/// Returns true for a decoration that gives a variable, or a member of its block, a location in an interface.
pub fn is_location(decoration: u32) -> bool {
    [Decoration::Location as u32, Decoration::Component as u32].contains(&decoration)
}

/// Returns true for a decoration by which a host knows a variable, in a module of shaders.
pub fn is_bound(decoration: u32) -> bool {
    let bound = [Decoration::Location, Decoration::Binding, Decoration::DescriptorSet];
    bound.iter().any(|&bound_decoration| bound_decoration as u32 == decoration)
}

/// Returns the blocks of push constants.
pub fn push_constants<'m>(module: &'m Module) -> impl Iterator<Item = u32> + use<'m> {
    let class = StorageClass::PushConstant as u32;
    let typed = module
        .variables()
        .filter(move |variable| variable.storage_class() == class)
        .map(|variable| variable.id());
    let untyped = module.globals().filter_map(views::UntypedVariableKHR::new);
    typed.chain(
        untyped.filter(move |variable| variable.storage_class() == class).map(|variable| variable.id()),
    )
}

/// Returns true if a variable has a location in an interface, itself or through a member of its block: `located` is true for the ids with
/// such a decoration. To remove the variable from an interface breaks the next stage of the pipeline.
pub fn has_location(module: &Module, variable: u32, located: impl Fn(u32) -> bool) -> bool {
    located(variable) || interface_block(module, variable).is_some_and(located)
}

/// Returns the structure type of an interface block, or of an array of them.
fn interface_block(module: &Module, variable: u32) -> Option<u32> {
    let variable = module.definition(variable).and_then(views::Variable::new)?;
    let structure = module.without_arrays(module.pointee(variable.type_id())?);
    module.definition_as(structure, Op::TypeStruct).map(|_| structure)
}

/// Returns the functions of the entry points that run implicitly, before all others or after them (specification, execution modes Initializer
/// and Finalizer).
pub fn initializers(module: &Module) -> HashSet<u32> {
    let is_implicit = |mode: &views::ExecutionMode| {
        mode.is_a(ExecutionMode::Initializer) || mode.is_a(ExecutionMode::Finalizer)
    };
    module.execution_modes().filter(is_implicit).map(|mode| mode.entry_point()).collect()
}
