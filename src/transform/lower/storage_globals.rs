//! Variables of words: their types and decorations, and what the module no longer declares.

use std::collections::{HashMap, HashSet};

use spirv::{Decoration, Op};

use super::helpers::instruction;
use super::storage_memory::{WordVariable, narrow_types};
use super::{LowerError, ModuleLowering};
use crate::collections::IdMap;
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

/// The decorations of memory that say how it is accessed.
const OF_ACCESSES: [Decoration; 6] = [
    Decoration::Restrict,
    Decoration::Aliased,
    Decoration::Volatile,
    Decoration::Coherent,
    Decoration::NonWritable,
    Decoration::NonReadable,
];

impl<'m> ModuleLowering<'m> {
    /// Changes the variables that become words.
    pub fn word_variables(&mut self) -> Result<(), LowerError> {
        let module = self.module;
        self.address_types();
        let decorations = self.decorations_of_memory()?;
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
            self.access_decorations(inst.id(), &variable, &decorations);
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

    /// Finds the decorations of variables that become words, and of the structures that were in them.
    fn decorations_of_memory(&self) -> Result<IdMap<Vec<views::Decoration<'m>>>, LowerError> {
        let module = self.module;
        let variables = &self.memory.variables;
        let targets = variables.iter().flat_map(|(&id, variable)| [id, variable.block]);
        let mut all: IdMap<Vec<views::Decoration>> = targets.map(|id| (id, Vec::new())).collect();
        let mut groups = HashSet::new();
        for decoration in module.decorations() {
            if OF_ACCESSES.iter().any(|&of_access| decoration.is_a(of_access)) {
                match all.get_mut(&decoration.target()) {
                    Some(decorations) => decorations.push(decoration),
                    None => drop(groups.insert(decoration.target())),
                }
            }
        }
        for applied in module.group_decorations().filter(|applied| groups.contains(&applied.group())) {
            if applied.words_from(2).iter().any(|id| all.contains_key(id)) {
                return Err(self.error(&applied, "a decoration group says how this memory is accessed"));
            }
        }
        Ok(all)
    }

    /// Keeps what decorations say of accesses to a variable: of all its members, or of one if it restricts what may be assumed of them. Atomics
    /// read what they change, and accesses to words overlap where those of the original do not.
    fn access_decorations(
        &mut self,
        id: u32,
        variable: &WordVariable,
        all: &IdMap<Vec<views::Decoration<'m>>>,
    ) {
        let module = self.module;
        let members = module.definition(variable.block).map_or(0, |block| module.members(&block).count());
        let (is_partly_stored, is_shared) =
            (self.memory.partly_stored.contains(&id), self.memory.is_shared(Some(variable)));
        let of = |id: u32| all.get(&id).map(Vec::as_slice).unwrap_or_default();
        for decoration in of(id) {
            let is_dropped = decoration.is_a(Decoration::NonReadable) && is_partly_stored
                || decoration.is_a(Decoration::Restrict) && is_shared;
            if is_dropped {
                self.edits.drop(decoration);
            }
        }
        let count = |decoration: Decoration| {
            let of_members = of(variable.block).iter().filter(|one| one.is_a(decoration));
            of_members.filter_map(|one| one.member()).collect::<HashSet<u32>>().len()
        };
        let is_of_all = |decoration: Decoration| count(decoration) == members;
        let added = [
            (Decoration::Coherent, count(Decoration::Coherent) > 0),
            (Decoration::Volatile, count(Decoration::Volatile) > 0),
            (Decoration::NonWritable, is_of_all(Decoration::NonWritable)),
            (Decoration::NonReadable, is_of_all(Decoration::NonReadable) && !is_partly_stored),
            (Decoration::Aliased, self.memory.has_vulkan_model && is_shared),
        ];
        for (decoration, _) in added.into_iter().filter(|&(_, is_added)| is_added) {
            if !of(id).iter().any(|one| one.is_a(decoration)) {
                self.globals.annotate(&instruction(Op::Decorate, [id, decoration as u32]));
            }
        }
    }
}
