//! The word that a trap stores to: in a buffer of a shader, or in the memory that a kernel argument points to.

use std::collections::BTreeMap;

use spirv::{Decoration, FunctionParameterAttribute, Op, StorageClass};
use thiserror::Error;

use crate::analysis::Analyses;
use crate::collections::{IdMap, OrderedMap};
use crate::loader::{Function, Module, views};

/// A buffer that a trap cannot store to.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TargetError {
    /// No argument of a kernel has the name or the index.
    #[error(
        "the kernel `{kernel}` has no argument `{buffer}` that a trap can store to: name one by its index, from 0 to {last}"
    )]
    NoArgument { kernel: String, buffer: String, last: usize },
    /// The argument is not a pointer to global memory that the kernel may write to.
    #[error(
        "a trap cannot store to argument {index} of the kernel `{kernel}`: it is not a pointer to global memory that the kernel may write to"
    )]
    NotGlobal { kernel: String, index: usize },
    /// No buffer has the name or the binding.
    #[error("the module has no buffer `{buffer}` that a trap can store to{}", list(.existing))]
    NoBuffer { buffer: String, existing: Vec<String> },
    /// Several buffers have the name or the binding.
    #[error(
        "several buffers are called `{0}`: name the one that a trap stores to by its set and binding, such as 0.1"
    )]
    Ambiguous(String),
    /// No 32-bit number is at the offset.
    #[error(
        "a trap cannot store to offset {offset} of the buffer `{buffer}`: no 32-bit number that may be written to is there"
    )]
    NoWord { buffer: String, offset: u32 },
}

fn list(existing: &[String]) -> String {
    match existing {
        [] => String::new(),
        existing => format!(": it has {}", existing.join(", ")),
    }
}

/// The word that a trap stores to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreTarget {
    /// The argument of a kernel with this index, and the offset of the word.
    Argument {
        /// The index of the parameter.
        index: usize,
        /// The offset in words.
        word: u32,
    },
    /// A word of a buffer of shaders.
    Buffer {
        /// The variable.
        variable: u32,
        /// The storage class of the variable.
        class: u32,
        /// The indexes of the access chain.
        indexes: Vec<u32>,
        /// The type of the number.
        type_: u32,
    },
}

/// Finds the argument of a function that ends with a kernel.
///
/// # Errors
/// If it has no such argument, or the argument is not a pointer to writable global memory.
pub fn argument(
    analyses: &Analyses,
    function: &Function,
    buffer: &str,
    offset: u32,
) -> Result<StoreTarget, TargetError> {
    let (module, names) = (analyses.module(), analyses.names());
    let parameters: Vec<views::FunctionParameter> =
        module.parameters(function).filter_map(views::FunctionParameter::new).collect();
    let kernel = names.kernel_of(function.id).unwrap_or(function.id);
    // The kernel and the function with its body have the same parameters, and the names of either count.
    let is_named = |holder: u32, index: usize| {
        let holder = module.function(holder);
        let parameter =
            holder.and_then(|holder| module.parameters(holder).nth(index)).and_then(|inst| inst.result_id());
        parameter.and_then(|id| names.name(id)).is_some_and(|name| name == buffer)
    };
    let by_name =
        || (0..parameters.len()).find(|&index| is_named(function.id, index) || is_named(kernel, index));
    let by_index = buffer.parse().ok().filter(|index| *index < parameters.len());
    let index = by_index.or_else(by_name);
    let display = || names.display(kernel);
    let index = index.ok_or_else(|| TargetError::NoArgument {
        kernel: display(),
        buffer: buffer.to_owned(),
        last: parameters.len().saturating_sub(1),
    })?;
    let parameter = parameters[index];
    let pointer = module.pointer_type(parameter.type_id());
    let is_global =
        pointer.is_some_and(|pointer| pointer.storage_class() == StorageClass::CrossWorkgroup as u32);
    let read_only = FunctionParameterAttribute::NoWrite as u32;
    let is_read_only = module.decorations_with(Decoration::FuncParamAttr).any(|decoration| {
        decoration.target() == parameter.id() && decoration.operands().first() == Some(&read_only)
    });
    match is_global && !is_read_only {
        true => Ok(StoreTarget::Argument { index, word: offset / 4 }),
        false => Err(TargetError::NotGlobal { kernel: display(), index }),
    }
}

/// Finds a word of a buffer of shaders.
///
/// # Errors
/// If there is no such buffer, or no 32-bit number at the offset.
pub fn buffer(analyses: &Analyses, buffer: &str, offset: u32) -> Result<StoreTarget, TargetError> {
    let (module, names) = (analyses.module(), analyses.names());
    let decorated = Decorations::read(module);
    let writable: Vec<views::Variable> =
        module.variables().filter(|variable| decorated.is_writable_buffer(module, *variable)).collect();
    let block = |variable: &views::Variable| module.pointee(variable.type_id()).unwrap_or(0);
    let name = |id: u32| names.name(id).filter(|name| !name.is_empty());
    let is_named = |variable: &&views::Variable| {
        name(variable.id()).is_some_and(|name| name == buffer)
            || name(block(variable)).is_some_and(|name| name == buffer)
            || decorated.binding(variable.id()).is_some_and(|binding| binding == buffer)
    };
    let named: Vec<&views::Variable> = writable.iter().filter(is_named).collect();
    let variable = match named[..] {
        [variable] => variable,
        [] => {
            let existing = writable.iter().map(|variable| {
                let binding = decorated.binding(variable.id()).unwrap_or_default();
                match name(variable.id()).or_else(|| name(block(variable))) {
                    Some(name) => format!("`{name}` ({binding})"),
                    None => format!("`{binding}`"),
                }
            });
            return Err(TargetError::NoBuffer { buffer: buffer.to_owned(), existing: existing.collect() });
        }
        _ => return Err(TargetError::Ambiguous(buffer.to_owned())),
    };
    let mut indexes = Vec::new();
    let type_ = decorated.word_at(module, block(variable), offset.into(), &mut indexes);
    let type_ = type_.ok_or_else(|| TargetError::NoWord { buffer: buffer.to_owned(), offset })?;
    Ok(StoreTarget::Buffer { variable: variable.id(), class: variable.storage_class(), indexes, type_ })
}

/// The decorations of a module that say which buffers can be written to, and where their members are.
#[derive(Default)]
struct Decorations {
    /// The descriptor set and the binding of each variable.
    bindings: IdMap<[Option<u32>; 2]>,
    /// The structures decorated Block or BufferBlock, with the decoration.
    blocks: BTreeMap<u32, u32>,
    /// The variables and members decorated NonWritable.
    read_only: Vec<(u32, Option<u32>)>,
    offsets: OrderedMap<(u32, u32), u64>,
    strides: IdMap<u64>,
}

impl Decorations {
    fn read(module: &Module) -> Decorations {
        let mut all = Decorations::default();
        for decoration in module.decorations() {
            let (target, member) = (decoration.target(), decoration.member());
            let value = decoration.operands().first().copied();
            match (Decoration::from_u32(decoration.decoration()), member, value) {
                (Some(Decoration::DescriptorSet), None, set) => {
                    all.bindings.entry(target).or_default()[0] = set
                }
                (Some(Decoration::Binding), None, binding) => {
                    all.bindings.entry(target).or_default()[1] = binding
                }
                (Some(kind @ (Decoration::Block | Decoration::BufferBlock)), None, _) => {
                    all.blocks.insert(target, kind as u32);
                }
                (Some(Decoration::NonWritable), member, _) => all.read_only.push((target, member)),
                (Some(Decoration::Offset), Some(member), Some(offset)) => {
                    all.offsets.insert((target, member), offset.into());
                }
                (Some(Decoration::ArrayStride), None, Some(stride)) => {
                    all.strides.insert(target, stride.into());
                }
                _ => {}
            }
        }
        all
    }

    /// Returns the descriptor set and the binding of a variable, as options name them.
    fn binding(&self, variable: u32) -> Option<String> {
        let [set, binding] = *self.bindings.get(&variable)?;
        Some(format!("{}.{}", set?, binding?))
    }

    /// Returns true for a variable that is one storage buffer, which shaders may write to.
    fn is_writable_buffer(&self, module: &Module, variable: views::Variable) -> bool {
        let Some(block) = module.pointee(variable.type_id()) else { return false };
        let block_of_class = match StorageClass::from_u32(variable.storage_class()) {
            Some(StorageClass::StorageBuffer) => Decoration::Block,
            Some(StorageClass::Uniform) => Decoration::BufferBlock,
            _ => return false,
        };
        self.blocks.get(&block) == Some(&(block_of_class as u32))
            && !self.read_only.contains(&(variable.id(), None))
    }

    /// Returns the type of the 32-bit number at an offset in a type with an explicit layout, and the indexes that lead to it.
    fn word_at(
        &self,
        module: &Module,
        mut type_: u32,
        mut offset: u64,
        indexes: &mut Vec<u32>,
    ) -> Option<u32> {
        loop {
            let inst = module.definition(type_)?;
            let (index, start, part) = match inst.op()? {
                Op::TypeInt | Op::TypeFloat => {
                    let is_word = views::TypeNumber(inst).width() == 32;
                    return (offset == 0 && is_word).then_some(type_);
                }
                Op::TypeStruct => {
                    let members = (0..).zip(views::TypeStruct(inst).members());
                    let starts = members.filter_map(|(member, &part)| {
                        Some((member, *self.offsets.get(&(type_, member))?, part))
                    });
                    let (member, start, part) =
                        starts.filter(|(_, start, _)| *start <= offset).max_by_key(|(_, start, _)| *start)?;
                    if self.read_only.contains(&(type_, Some(member))) {
                        return None;
                    }
                    (member, start, part)
                }
                Op::TypeArray | Op::TypeRuntimeArray => {
                    let stride = *self.strides.get(&type_)?;
                    let index = offset.checked_div(stride)?;
                    if let Some(array) = views::TypeArray::new(inst) {
                        let length = module.constant(array.length())?.low_word();
                        if index >= length.into() {
                            return None;
                        }
                    }
                    (u32::try_from(index).ok()?, index * stride, views::AnyArray(inst).element_type())
                }
                Op::TypeVector => {
                    let vector = views::TypeVector(inst);
                    let index = offset / 4;
                    if index >= vector.component_count().into() {
                        return None;
                    }
                    (index as u32, index * 4, vector.component_type())
                }
                _ => return None,
            };
            // Types are made of earlier ones.
            if module.definition_offset(part)? >= inst.offset() {
                return None;
            }
            indexes.push(index);
            offset -= start;
            type_ = part;
        }
    }
}
