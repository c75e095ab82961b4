//! Functions that modules are linked by. Those with values of lowered types have other types now, so no other module can define or call them.

use spirv::{Decoration, LinkageType, Op};

use super::{LowerError, ModuleLowering};

impl ModuleLowering<'_> {
    /// Refuses functions with values of lowered types that other modules define, and no longer exports others: kernels of this module call them. Without
    /// kernels, nothing would. What pointers point to keeps its layout.
    pub fn linkage(&mut self) -> Result<(), LowerError> {
        let module = self.module;
        let is_library = module.entry_points().next().is_none();
        for decoration in module.decorations_with(Decoration::LinkageAttributes) {
            let id = decoration.target();
            let Some(type_) = module.function_type(id) else { continue };
            if !type_.words_from(2).iter().any(|&type_id| self.types.has_wide(type_id)) {
                continue;
            }
            let is_import = decoration.words().last() == Some(&(LinkageType::Import as u32));
            if !is_import && !is_library {
                self.edits.drop(&decoration);
            } else if let Some(function) = module.definition(id).filter(|inst| inst.is(Op::Function)) {
                let user = if is_import { "define" } else { "call" };
                return Err(
                    self.error(&function, format!("other modules {user} it with {}", self.feature.values()))
                );
            }
        }
        Ok(())
    }
}
