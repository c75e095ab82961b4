//! Storage buffers in either form: BufferBlock structures in the Uniform storage class (SPIR-V up to 1.3), and Block structures in the
//! StorageBuffer storage class.

use std::collections::{HashMap, HashSet};

use spirv::{Decoration, Op, StorageClass};
use thiserror::Error;

use crate::loader::{Instruction, Module, views};

/// The last version that has BufferBlock, as in a header.
pub const LAST_VERSION: u32 = 0x0001_0300;

const UNIFORM: u32 = StorageClass::Uniform as u32;
const STORAGE_BUFFER: u32 = StorageClass::StorageBuffer as u32;
const BLOCK: u32 = Decoration::Block as u32;
const BUFFER_BLOCK: u32 = Decoration::BufferBlock as u32;

/// The reason that BufferBlock cannot be replaced.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum BufferBlockError {
    /// The set of variables that become BufferBlock again would not be known.
    #[error("BufferBlock beside variables of the storage class StorageBuffer")]
    Mixed,
    /// The decoration belongs to a group.
    #[error("a decoration group with BufferBlock")]
    Group,
    /// A pointer into such a structure is used in another way than to access it.
    #[error("{0} with a pointer into a BufferBlock structure")]
    Use(String),
}

/// Returns the words of a module with Block and StorageBuffer in place of BufferBlock and Uniform; `None` if it has no BufferBlock.
///
/// # Errors
/// If it cannot be replaced, or not be restored by [`to_buffer_blocks`].
pub fn to_storage_buffers(module: &Module) -> Result<Option<Vec<u32>>, BufferBlockError> {
    let mut structures = HashSet::new();
    for decoration in module.globals().filter_map(views::Decoration::new) {
        if decoration.is(Op::Decorate) && decoration.decoration() == BUFFER_BLOCK {
            structures.insert(decoration.target());
        }
    }
    if structures.is_empty() {
        return Ok(None);
    }
    if structures.iter().any(|&id| module.definition_as(id, Op::DecorationGroup).is_some()) {
        return Err(BufferBlockError::Group);
    }
    if module.variables().any(|variable| variable.storage_class() == STORAGE_BUFFER) {
        return Err(BufferBlockError::Mixed);
    }
    let mut pointers = Pointers::new(module, structures);
    for inst in module.instructions() {
        pointers.see(&inst)?;
    }
    Ok(Some(pointers.write()))
}

/// The pointers of a module to and into BufferBlock structures.
struct Pointers<'m> {
    module: &'m Module<'m>,
    structures: HashSet<u32>,
    /// The variables, parameters and results that are such pointers.
    values: HashSet<u32>,
    /// The results that have a new type.
    retyped: HashSet<u32>,
    /// Type in the other storage class for each type of pointers to parts.
    types: HashMap<u32, u32>,
    next: u32,
}

impl<'m> Pointers<'m> {
    fn new(module: &'m Module<'m>, structures: HashSet<u32>) -> Pointers<'m> {
        let (values, retyped, types) = (HashSet::new(), HashSet::new(), HashMap::new());
        Pointers { module, structures, values, retyped, types, next: module.bound() }
    }

    /// Returns true for the type of pointers to such a structure, or to an array of them.
    fn is_whole(&self, type_: u32) -> bool {
        self.module.pointer_type(type_).is_some_and(|pointer| {
            let pointee = self.module.without_arrays(pointer.pointee());
            pointer.storage_class() == UNIFORM && self.structures.contains(&pointee)
        })
    }

    fn see(&mut self, inst: &Instruction) -> Result<(), BufferBlockError> {
        let Some([type_, id]) = inst.typed_result() else { return self.only_accessed(inst) };
        match inst.op() {
            Some(Op::Variable | Op::FunctionParameter) => {
                if self.is_whole(type_) {
                    self.values.insert(id);
                }
            }
            Some(Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject) => {
                if self.values.contains(&inst.word(3)) {
                    self.values.insert(id);
                    if !self.is_whole(type_) {
                        self.retyped.insert(id);
                        let next = &mut self.next;
                        self.types.entry(type_).or_insert_with(|| {
                            *next += 1;
                            *next - 1
                        });
                    }
                }
            }
            _ => {
                self.only_accessed(inst)?;
                // A pointer to a whole structure has the same type wherever it comes from: memory, a call, or a composite.
                if self.is_whole(type_) {
                    self.values.insert(id);
                }
            }
        }
        Ok(())
    }

    /// Refuses an instruction that derives a pointer from such a pointer, or passes one on as a pointer of another
    /// type: to a function, its caller, memory, or a composite.
    fn only_accessed(&self, inst: &Instruction) -> Result<(), BufferBlockError> {
        let makes_pointer = inst
            .result_type()
            .and_then(|type_| self.module.pointer_type(type_))
            .is_some_and(|pointer| pointer.storage_class() == UNIFORM);
        let first_passed = match inst.op() {
            _ if makes_pointer => 0,
            Some(Op::FunctionCall | Op::ReturnValue | Op::CompositeConstruct | Op::CompositeInsert) => 0,
            Some(Op::Store) => 2,
            _ => return Ok(()),
        };
        let mut is_passed = false;
        self.module.walk(inst, &mut |at: usize, id: u32| {
            let is_refused = if makes_pointer { &self.values } else { &self.retyped };
            is_passed |= at >= first_passed && is_refused.contains(&id);
        });
        if is_passed { Err(BufferBlockError::Use(inst.name())) } else { Ok(()) }
    }

    fn write(self) -> Vec<u32> {
        let module = self.module;
        let mut words = module.words()[..crate::loader::HEADER_WORDS].to_vec();
        words[3] = self.next;
        for inst in module.instructions() {
            let start = words.len();
            words.extend_from_slice(inst.words());
            let copied = &mut words[start..];
            match inst.op() {
                Some(Op::TypePointer) if self.is_whole(copied[1]) => copied[2] = STORAGE_BUFFER,
                Some(Op::TypePointer) => {
                    let (id, pointee) = (copied[1], copied[3]);
                    if let Some(&new) = self.types.get(&id) {
                        words.extend([4 << 16 | Op::TypePointer as u32, new, STORAGE_BUFFER, pointee]);
                    }
                }
                Some(Op::Variable) if self.values.contains(&copied[2]) => copied[3] = STORAGE_BUFFER,
                Some(Op::Decorate) if copied[2] == BUFFER_BLOCK && self.structures.contains(&copied[1]) => {
                    copied[2] = BLOCK;
                }
                _ => {
                    if let Some([type_, id]) = inst.typed_result()
                        && self.retyped.contains(&id)
                    {
                        copied[1] = self.types.get(&type_).copied().unwrap_or(type_);
                    }
                }
            }
        }
        words
    }
}

/// Returns the words of a module with BufferBlock and Uniform in place of Block and StorageBuffer: what [`to_storage_buffers`] replaced.
pub fn to_buffer_blocks(module: &Module) -> Vec<u32> {
    let buffers = module.variables().filter(|variable| variable.storage_class() == STORAGE_BUFFER);
    let structures: HashSet<u32> = buffers
        .filter_map(|variable| Some(module.without_arrays(module.pointee(variable.type_id())?)))
        .collect();
    // Of two types that become one, the first is kept, unless the other is described.
    let described: HashSet<u32> =
        module.globals().filter_map(views::Decoration::new).map(|decoration| decoration.target()).collect();
    let (mut first, mut instead) = (HashMap::new(), HashMap::new());
    for pointer in module.globals().filter_map(views::TypePointer::new) {
        if ![UNIFORM, STORAGE_BUFFER].contains(&pointer.storage_class()) || described.contains(&pointer.id())
        {
            continue;
        }
        match first.get(&pointer.pointee()) {
            None => drop(first.insert(pointer.pointee(), (pointer.id(), pointer.storage_class()))),
            Some(&(id, class)) if class != pointer.storage_class() => {
                instead.insert(pointer.id(), id);
            }
            Some(_) => {}
        }
    }
    let mut words = module.words()[..crate::loader::HEADER_WORDS].to_vec();
    for inst in module.instructions() {
        let is_described = inst.is(Op::Name) && instead.contains_key(&inst.word(1));
        if is_described || inst.is(Op::TypePointer) && instead.contains_key(&inst.word(1)) {
            continue;
        }
        let start = words.len();
        words.extend_from_slice(inst.words());
        let copied = &mut words[start..];
        module.walk(&inst, &mut |at: usize, id: u32| {
            if let Some(&other) = instead.get(&id) {
                copied[at] = other;
            }
        });
        match inst.op() {
            Some(Op::TypePointer) if copied[2] == STORAGE_BUFFER => copied[2] = UNIFORM,
            Some(Op::Variable) if copied[3] == STORAGE_BUFFER => copied[3] = UNIFORM,
            Some(Op::Decorate) if copied[2] == BLOCK && structures.contains(&copied[1]) => {
                copied[2] = BUFFER_BLOCK
            }
            _ => {}
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{Batch, assemble};

    const STORED: &str = "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %Block BufferBlock
OpMemberDecorate %Block 0 Offset 0
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 3
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%Block = OpTypeStruct %uint
%to_block = OpTypePointer Uniform %Block
%to_number = OpTypePointer Uniform %uint
%to_stored = OpTypePointer Function %to_block
%buffer = OpVariable %to_block Uniform
%type = OpTypeFunction %void
%main = OpFunction %void None %type
%label = OpLabel
%stored = OpVariable %to_stored Function
OpStore %stored %buffer
%loaded = OpLoad %to_block %stored
%place = OpAccessChain %to_number %loaded %zero
OpStore %place %zero
OpReturn
OpFunctionEnd
";

    /// Checks that a pointer to a whole structure from memory gets the new storage class, as do pointers derived from
    /// it.
    #[test]
    fn loaded_pointers_are_followed() {
        let words = assemble(STORED, "spv1.3");
        let changed = to_storage_buffers(&Module::from_words(words).unwrap()).unwrap().unwrap();
        let restored = to_buffer_blocks(&Module::from_words(&changed[..]).unwrap());
        let mut batch = Batch::with_options(&["--relax-logical-pointer"]);
        batch.add("storage buffer", &changed, "vulkan1.1");
        batch.add("buffer block", &restored, "vulkan1.1");
        batch.assert_valid();
    }

    /// A pointer to a part gets another type, which memory and results of functions do not have.
    #[test]
    fn stored_pointers_to_parts_are_refused() {
        let text = STORED
            .replace("OpTypePointer Function %to_block", "OpTypePointer Function %to_number")
            .replace("OpStore %stored %buffer\n%loaded = OpLoad %to_block %stored\n", "")
            .replace(
                "%to_number %loaded %zero\nOpStore %place %zero",
                "%to_number %buffer %zero\nOpStore %stored %place",
            );
        let error = to_storage_buffers(&Module::from_words(assemble(&text, "spv1.3")).unwrap());
        assert_eq!(error, Err(BufferBlockError::Use("OpStore".to_owned())));
    }
}
