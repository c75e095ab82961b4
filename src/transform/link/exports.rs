//! Exports of a shader that is complete: Vulkan accepts no module with linkage.

use spirv::{Capability, Decoration, LinkageType, Op};

use crate::analysis::requirements::is_of_kernels;
use crate::loader::{Instruction, Module, views};
use crate::transform::Edits;

/// Returns the edits that remove all linkage and the capability for it from shaders with entry points that import nothing; `None` for other
/// modules: modules of kernels, which are linked when they are loaded, libraries, and modules for a later link.
pub fn without_exports(module: &Module) -> Option<Edits> {
    let is_complete = declares_linkage(module)
        && !is_of_kernels(module)
        && module.entry_points().next().is_some()
        && !module.annotations().filter_map(linkage).any(|linkage| is_import(&linkage));
    if !is_complete {
        return None;
    }
    let mut edits = Edits::new(module);
    module.annotations().filter_map(linkage).for_each(|linkage| edits.drop(&linkage));
    drop_capability(module, &mut edits);
    Some(edits)
}

/// Returns true if a module declares the capability for linkage.
pub fn declares_linkage(module: &Module) -> bool {
    module.capabilities().any(|declared| is_linkage(&declared))
}

/// Removes the capability for linkage.
pub fn drop_capability(module: &Module, edits: &mut Edits) {
    module.capabilities().filter(is_linkage).for_each(|declared| edits.drop(&declared));
}

fn is_linkage(declared: &views::Capability) -> bool {
    declared.capability() == Capability::Linkage as u32
}

/// Returns an instruction as a decoration with linkage.
pub fn linkage(inst: Instruction) -> Option<views::Decoration> {
    views::Decoration::with(inst, Decoration::LinkageAttributes).filter(|_| inst.is(Op::Decorate))
}

/// Returns true for the linkage of an import.
pub fn is_import(linkage: &views::Decoration) -> bool {
    linkage.words().last() == Some(&(LinkageType::Import as u32))
}
