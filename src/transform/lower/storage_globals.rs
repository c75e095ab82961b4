//! Variables of words: their types and decorations, and what the module no longer declares.

use std::collections::{BTreeSet, HashMap, HashSet};

use spirv::{Decoration, Op};

use super::helpers::instruction;
use super::storage_memory::{WordVariable, narrow_types};
use super::{LowerError, ModuleLowering};
use crate::loader::{Module, views};
use crate::transform::Edits;
use crate::transform::removal::without_unused_definitions;

/// Returns the edits that remove numbers of 8 and 16 bits, and types and constants that have some, if nothing uses them.
pub fn without_unused(module: &Module) -> Edits {
    let narrow = narrow_types(module);
    let mut pointers = HashSet::new();
    for pointer in module.globals().filter_map(views::TypePointer::new) {
        if narrow.contains(&pointer.pointee()) {
            pointers.insert(pointer.id());
        }
    }
    let is_narrow = |id: u32| narrow.contains(&id) || pointers.contains(&id);
    without_unused_definitions(module, &|id| {
        is_narrow(id) || module.type_of(id).is_some_and(|type_id| narrow.contains(&type_id))
    })
}

impl ModuleLowering<'_> {
    /// Changes the variables that become words.
    pub fn word_variables(&mut self) -> Result<(), LowerError> {
        let module = self.module;
        let mut blocks = HashMap::new();
        for inst in module.variables() {
            let Some(&variable) = self.memory.variables.get(&inst.id()) else { continue };
            let key = (variable.is_old, variable.has_quads, variable.start, variable.length);
            let block = *blocks.entry(key).or_insert_with(|| self.block_of_words(&variable));
            if let Some(variable) = self.memory.variables.get_mut(&inst.id()) {
                variable.words = block;
            }
            let mut words = Vec::new();
            let mut pointee = block;
            if variable.is_array {
                let of_blocks = module.pointee(inst.type_id()).and_then(|type_id| module.definition(type_id));
                let mut array = of_blocks.map(|array| array.words().to_vec()).unwrap_or_default();
                pointee = self.edits.fresh_id();
                (array[1], array[2]) = (pointee, block);
                words.extend(array);
            }
            let pointer = self.edits.fresh_id();
            words.extend(instruction(Op::TypePointer, [pointer, variable.class, pointee]));
            words.extend(instruction(Op::Variable, [pointer, inst.id(), variable.class]));
            self.edits.replace_words(&inst, &words);
            self.memory_decorations(inst.id(), &variable);
        }
        Ok(())
    }

    /// Declares a structure with an array of words.
    fn block_of_words(&mut self, variable: &WordVariable) -> u32 {
        let [block, array] = [self.edits.fresh_id(), self.edits.fresh_id()];
        let (module, uint) = (self.module, self.globals.uint);
        let (element, stride) = match variable.has_quads {
            true => {
                let vector = vec![Op::TypeVector as u32, uint, 4];
                (self.globals.first_type(module, vector, &mut self.edits), 16)
            }
            false => (uint, 4),
        };
        let words = match variable.length {
            None => instruction(Op::TypeRuntimeArray, [array, element]),
            Some(length) => {
                let length = self.globals.constant(length / (stride / 4), &mut self.edits);
                instruction(Op::TypeArray, [array, element, length])
            }
        };
        self.globals.declare_first(&words);
        self.globals.declare_first(&instruction(Op::TypeStruct, [block, array]));
        self.globals.annotate(&instruction(Op::Decorate, [array, Decoration::ArrayStride as u32, stride]));
        let kind = if variable.is_old { Decoration::BufferBlock } else { Decoration::Block };
        self.globals.annotate(&instruction(Op::Decorate, [block, kind as u32]));
        let offset = [block, 0, Decoration::Offset as u32, variable.start];
        self.globals.annotate(&instruction(Op::MemberDecorate, offset));
        block
    }

    /// Keeps what decorations say of accesses to a variable: of all its members, or of one if it restricts what may be assumed of them. Atomics
    /// read what they change, and accesses to words overlap where those of the original do not.
    fn memory_decorations(&mut self, id: u32, variable: &WordVariable) {
        let module = self.module;
        let members = module.definition(variable.block).map_or(0, |block| module.members(&block).count());
        let mut of_members: HashMap<u32, BTreeSet<u32>> = HashMap::new();
        let mut of_variable = HashSet::new();
        for decoration in module.decorations() {
            match decoration.member() {
                Some(member) if decoration.target() == variable.block => {
                    of_members.entry(decoration.decoration()).or_default().insert(member);
                }
                None if decoration.target() == id => {
                    of_variable.insert(decoration.decoration());
                    let is_partly_stored = self.memory.partly_stored.contains(&id);
                    let is_dropped = decoration.is_a(Decoration::NonReadable) && is_partly_stored
                        || decoration.is_a(Decoration::Restrict) && self.memory.is_shared(variable);
                    if is_dropped {
                        self.edits.drop(&decoration);
                    }
                }
                _ => {}
            }
        }
        let mut add = |decoration: Decoration| {
            if of_variable.insert(decoration as u32) {
                self.globals.annotate(&instruction(Op::Decorate, [id, decoration as u32]));
            }
        };
        for decoration in [Decoration::Coherent, Decoration::Volatile] {
            if of_members.contains_key(&(decoration as u32)) {
                add(decoration);
            }
        }
        let is_of_all = |decoration: Decoration| {
            of_members.get(&(decoration as u32)).is_some_and(|of| of.len() == members)
        };
        if is_of_all(Decoration::NonWritable) {
            add(Decoration::NonWritable);
        }
        if is_of_all(Decoration::NonReadable) && !self.memory.partly_stored.contains(&id) {
            add(Decoration::NonReadable);
        }
        if self.memory.has_vulkan_model && self.memory.is_shared(variable) {
            add(Decoration::Aliased);
        }
    }
}
