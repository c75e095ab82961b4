//! Explicit layouts of variables of one invocation, which Vulkan forbids from SPIR-V 1.5 on.

use std::collections::HashSet;

use spirv::{Capability, Decoration, MemoryModel, Op, StorageClass};

use crate::loader::{Instruction, Module, views};

/// The decorations that lay out a type, or a member of one.
const LAYOUT: [Decoration; 7] = [
    Decoration::Block,
    Decoration::BufferBlock,
    Decoration::Offset,
    Decoration::ArrayStride,
    Decoration::MatrixStride,
    Decoration::RowMajor,
    Decoration::ColMajor,
];

/// Returns true for a decoration that lays out a type.
pub(super) fn is_layout(decoration: &views::Decoration) -> bool {
    LAYOUT.iter().any(|&layout| decoration.decoration() == layout as u32)
}

/// The types with a layout that only variables of one invocation have.
#[derive(Default)]
pub(super) struct RemovableLayouts {
    types: HashSet<u32>,
}

impl RemovableLayouts {
    /// Finds the types. Returns none if a variable has a layout that is also used elsewhere.
    pub fn new(module: &Module) -> RemovableLayouts {
        let laid_out = LaidOutTypes::new(module);
        let mut types = HashSet::new();
        for variable in local_variables(module) {
            types.extend(laid_out.of_variable(module, variable));
        }
        if types.is_empty() {
            return RemovableLayouts::default();
        }
        let mut others = HashSet::new();
        for pointer in module.globals().filter_map(views::TypePointer::new) {
            if !is_local(pointer.storage_class()) {
                reach(module, pointer.pointee(), &mut others);
            }
        }
        let is_kept = |type_: &u32| others.contains(type_) || laid_out.by_group.contains(type_);
        // Untyped pointers lay out types where they are used.
        let is_untyped =
            |declared: views::Capability| declared.capability() == Capability::UntypedPointersKHR as u32;
        if types.iter().any(is_kept) || module.capabilities().any(is_untyped) {
            return RemovableLayouts::default();
        }
        RemovableLayouts { types }
    }

    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    pub fn has(&self, type_: u32) -> bool {
        self.types.contains(&type_)
    }
}

/// Returns true if a module has a variable of a storage class with an explicit layout.
pub(super) fn is_laid_out(module: &Module, storage_class: u32) -> bool {
    let laid_out = LaidOutTypes::new(module);
    let mut variables = local_variables(module).filter(|variable| variable.storage_class() == storage_class);
    variables.any(|variable| laid_out.of_variable(module, variable).next().is_some())
}

fn is_local(storage_class: u32) -> bool {
    [StorageClass::Function, StorageClass::Private].iter().any(|&local| storage_class == local as u32)
}

/// Returns the variables of one invocation.
fn local_variables<'m>(module: &'m Module) -> impl Iterator<Item = views::Variable<'m>> {
    let inside = module.functions().iter().flat_map(|function| module.body(function));
    let inside = inside.filter_map(views::Variable::new);
    module.variables().chain(inside).filter(|variable| is_local(variable.storage_class()))
}

/// The types of a shader with an explicit layout.
struct LaidOutTypes {
    types: HashSet<u32>,
    /// The types that a decoration group lays out.
    by_group: HashSet<u32>,
}

impl LaidOutTypes {
    fn new(module: &Module) -> LaidOutTypes {
        let (mut types, mut by_group) = (HashSet::new(), HashSet::new());
        let is_kernel = |model: views::MemoryModel| model.memory_model() == MemoryModel::OpenCL as u32;
        if !module.memory_model().is_some_and(is_kernel) {
            types.extend(module.decorations().filter(is_layout).map(|decoration| decoration.target()));
            for applied in module.group_decorations().filter(|applied| types.contains(&applied.group())) {
                by_group.extend(applied.targets());
            }
            types.extend(&by_group);
        }
        LaidOutTypes { types, by_group }
    }

    /// Returns the types that a variable is made of and that have a layout.
    fn of_variable(&self, module: &Module, variable: views::Variable) -> impl Iterator<Item = u32> {
        let mut reached = HashSet::new();
        if !self.types.is_empty()
            && let Some(type_) = module.pointee(variable.type_id())
        {
            reach(module, type_, &mut reached);
        }
        reached.into_iter().filter(|type_| self.types.contains(type_))
    }
}

/// Adds a type, and the types that it is made of.
fn reach(module: &Module, type_: u32, reached: &mut HashSet<u32>) {
    let mut open = vec![type_];
    while let Some(type_) = open.pop() {
        let Some(inst) = module.definition(type_).filter(|_| reached.insert(type_)) else { continue };
        open.extend(parts(module, &inst));
    }
}

/// Returns the types that a type directly consists of. The pointee of a pointer is not one, unless it is local as well.
fn parts(module: &Module, type_: &Instruction) -> Vec<u32> {
    match type_.op() {
        Some(Op::TypeStruct) => module.members(type_).collect(),
        Some(Op::TypePointer) => {
            let pointer = views::TypePointer::new(*type_).filter(|pointer| is_local(pointer.storage_class()));
            pointer.map(views::TypePointer::pointee).into_iter().collect()
        }
        _ => views::AnyArray::new(*type_).map(views::AnyArray::element_type).into_iter().collect(),
    }
}
