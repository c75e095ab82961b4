//! The requirements of decorations beyond those of the grammar.

use spirv::{BuiltIn, Decoration};

use super::RequirementSet;
use super::instructions::InstructionRequirements;
use super::uses::Use;
use crate::loader::views;

impl InstructionRequirements<'_> {
    /// Adds the requirements of a decoration beyond those of the grammar: of built-ins, by the execution models of the entry
    /// points.
    pub(super) fn decoration(&self, decoration: views::Decoration, set: &mut RequirementSet) {
        match Decoration::from_u32(decoration.decoration()) {
            Some(Decoration::BuiltIn) => {}
            Some(Decoration::FPRoundingMode) => return self.require_use(Use::RoundingMode, set),
            _ => return,
        }
        match BuiltIn::from_u32(decoration.built_in()) {
            Some(BuiltIn::PointSize) if self.facts.tessellation => {
                self.require_use(Use::TessellationPointSize, set)
            }
            Some(BuiltIn::PointSize) if self.facts.geometry => self.require_use(Use::GeometryPointSize, set),
            Some(BuiltIn::Layer) if self.facts.before_geometry => self.require_use(Use::Layer, set),
            Some(BuiltIn::ViewportIndex) if self.facts.before_geometry => {
                self.require_use(Use::ViewportIndex, set)
            }
            _ => {}
        }
    }
}

/// Built-ins that compilers name in a block without using them: only an access has a requirement (specification, 3.2.21
/// "BuiltIn").
pub(super) fn is_mere_mention(built_in: u32) -> bool {
    [BuiltIn::PointSize, BuiltIn::ClipDistance, BuiltIn::CullDistance]
        .map(|own| own as u32)
        .contains(&built_in)
}
