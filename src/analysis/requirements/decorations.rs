//! What decorations need beyond what the grammar says of them.

use spirv::{BuiltIn, Decoration, Op};

use super::RequirementSet;
use super::instructions::InstructionRequirements;
use super::uses::Use;
use crate::loader::Instruction;

impl InstructionRequirements<'_> {
    /// Decorations that need more than the grammar says: built-ins by the kinds of the entry points.
    pub(super) fn decoration(&self, inst: &Instruction, set: &mut RequirementSet) {
        let at = if inst.is(Op::Decorate) { 2 } else { 3 };
        match Decoration::from_u32(inst.word(at)) {
            Some(Decoration::BuiltIn) => {}
            Some(Decoration::FPRoundingMode) => return self.require_use(Use::RoundingMode, set),
            _ => return,
        }
        let built_in = BuiltIn::from_u32(inst.word(at + 1));
        match built_in {
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

/// Built-ins that compilers name in a block without using them: only an access needs something (specification, 3.2.21
/// "BuiltIn").
pub(super) fn is_mere_mention(built_in: u32) -> bool {
    [BuiltIn::PointSize, BuiltIn::ClipDistance, BuiltIn::CullDistance]
        .map(|own| own as u32)
        .contains(&built_in)
}
