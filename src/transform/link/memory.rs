//! Memory that two modules declare with different types. Compilers do not always write one type for one declaration: an
//! array of unknown length becomes an array of length 1, and a definition has the type of its initial value. So sizes
//! are compared, and parts whose types both modules state.

use std::collections::HashSet;

use spirv::{AddressingModel, Decoration, Op, StorageClass};

use super::structural_equality::{Classes, DefinedTypes};
use super::unit::Definition;
use crate::collections::IdMap;
use crate::loader::{Instruction, views};

/// The agreement of two types of the memory behind parameters of one function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Agreement {
    /// The types may describe the same memory.
    Possible,
    /// The caller's array is longer than the function's, and holds several of them: it may be used in parts.
    Doubtful,
    /// Not both can be right.
    Impossible,
}

/// The size of a type in memory, and its alignment, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    size: u64,
    align: u64,
}

impl Layout {
    const EMPTY: Layout = Layout { size: 0, align: 1 };

    fn scalar(size: u64) -> Layout {
        Layout { size, align: size.max(1) }
    }
}

/// A byte, which translators use for a type that they do not know. Memory has no signs.
const BYTE: Number = Number { op: Some(Op::TypeInt), width: 8, encoding: None };

/// A type of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Number {
    op: Option<Op>,
    width: u32,
    encoding: Option<u32>,
}

/// The maximum depth of types that are compared. Deeper types are unknown.
const MAX_DEPTH: usize = 64;

impl<'m> DefinedTypes<'_, 'm> {
    /// Returns true if a variable may have one of these types in one module and the other type in another module.
    /// `imported` marks the type of an import, whose size may be unknown.
    pub fn may_be_one_variable(&self, types: [Definition; 2], imported: [bool; 2]) -> bool {
        let [left, right] = types;
        let is_unknown =
            |side: usize| imported[side] && self.is_of_unknown_size(types[side], types[1 - side]);
        if self.are_other_scalars(left, right) {
            return false;
        }
        if is_unknown(0) || is_unknown(1) || types.iter().any(|&type_| self.number(type_) == Some(BYTE)) {
            return true;
        }
        let size = |type_| self.layout(type_, &mut IdMap::new(), MAX_DEPTH).map(|layout| layout.size);
        match (size(left), size(right)) {
            (Some(size), Some(other)) if size != other => false,
            _ => self.have_like_parts(left, right),
        }
    }

    /// Compares the types of the memory that a caller passes by pointer and a function takes. Compilers infer both from
    /// accesses to the memory. Only arrays of the same elements, vectors, and structures of one name contradict each
    /// other.
    pub fn passed(&self, caller: Definition, taken: Definition, classes: &mut Classes) -> Agreement {
        let (Some(definition), Some(other)) = (self.definition(caller), self.definition(taken)) else {
            return Agreement::Possible;
        };
        let elements = ((caller.0, definition.words().get(2)), (taken.0, other.words().get(2)));
        let ((left, Some(&element)), (right, Some(&other_element))) = elements else {
            return Agreement::Possible;
        };
        match (definition.op(), other.op()) {
            (Some(Op::TypeArray), Some(Op::TypeArray)) => {
                let lengths = (self.length(caller.0, &definition), self.length(taken.0, &other));
                let (Some(passed), Some(taken)) = lengths else { return Agreement::Possible };
                match self.are_same((left, element), (right, other_element), classes) {
                    true if passed == taken => Agreement::Possible,
                    true if passed > taken && taken > 0 && passed.is_multiple_of(taken) => {
                        Agreement::Doubtful
                    }
                    true => Agreement::Impossible,
                    false => Agreement::Possible,
                }
            }
            (Some(Op::TypeVector), Some(Op::TypeVector))
                if definition.word(3) < other.word(3)
                    && self.are_same((left, element), (right, other_element), classes) =>
            {
                Agreement::Impossible
            }
            (Some(Op::TypeStruct), Some(Op::TypeStruct))
                if self.struct_name(caller).is_some_and(|name| self.struct_name(taken) == Some(name))
                    && !self.may_be_one_variable([caller, taken], [false; 2]) =>
            {
                Agreement::Impossible
            }
            _ => Agreement::Possible,
        }
    }

    fn definition(&self, node: Definition) -> Option<Instruction<'m>> {
        self.units[node.0 as usize].module.definition(node.1)
    }

    /// Returns true if the type of an import does not determine its size: an array of unknown length, or a structure without members. For such an
    /// array, LLVM's SPIR-V backend writes a pointer.
    fn is_of_unknown_size(&self, import: Definition, other: Definition) -> bool {
        let Some(inst) = self.definition(import) else { return true };
        match inst.op() {
            Some(Op::TypeArray) => self.length(import.0, &inst).is_none_or(|length| length <= 1),
            Some(Op::TypeStruct) => inst.words_from(2).is_empty(),
            Some(Op::TypePointer | Op::TypeUntypedPointerKHR) => {
                !self.definition(other).is_some_and(|other| is_pointer(&other))
            }
            _ => false,
        }
    }

    fn number(&self, node: Definition) -> Option<Number> {
        let inst = self.definition(node)?;
        let width = views::TypeNumber::new(inst)?.width();
        let encoding = views::TypeFloat::new(inst).and_then(|float| float.encoding());
        Some(Number { op: inst.op(), width, encoding })
    }

    /// Returns the number type of a type, or of an array with any number of dimensions.
    fn innermost(&self, node: Definition) -> Option<Number> {
        let module = self.units[node.0 as usize].module;
        self.number((node.0, module.without_arrays(node.1)))
    }

    /// Returns true if two types are scalars, or arrays of them, of different kinds, widths or encodings.
    fn are_other_scalars(&self, left: Definition, right: Definition) -> bool {
        let (Some(left), Some(right)) = (self.innermost(left), self.innermost(right)) else { return false };
        left != right && left != BYTE && right != BYTE
    }

    /// Returns the layout of a type in OpenCL C; `None` if it is not known.
    fn layout(&self, node: Definition, known: &mut IdMap<Option<Layout>>, depth: usize) -> Option<Layout> {
        if let Some(&layout) = known.get(&node.1) {
            return layout;
        }
        let layout = self.new_layout(node, known, depth.checked_sub(1)?);
        known.insert(node.1, layout);
        layout
    }

    fn new_layout(
        &self,
        node: Definition,
        known: &mut IdMap<Option<Layout>>,
        depth: usize,
    ) -> Option<Layout> {
        let inst = self.definition(node)?;
        if let Some(number) = self.number(node) {
            return (number.width >= 8).then(|| Layout::scalar(u64::from(number.width / 8)));
        }
        match inst.op()? {
            Op::TypeVector => {
                let component = self.layout((node.0, inst.word(2)), known, depth)?;
                let count = u64::from(inst.word(3)).next_power_of_two();
                Some(Layout::scalar(component.size.checked_mul(count)?))
            }
            Op::TypeArray => {
                let element = self.layout((node.0, inst.word(2)), known, depth)?;
                let size = element.size.checked_mul(self.length(node.0, &inst)?)?;
                Some(Layout { size, ..element })
            }
            Op::TypeStruct => {
                let module = self.units[node.0 as usize].module;
                let packed = [Decoration::CPacked as u32];
                let is_packed = self
                    .decorations(node)
                    .iter()
                    .any(|description| description.member.is_none() && description.words(module) == packed);
                let mut all = Layout::EMPTY;
                for member in module.members(&inst) {
                    let layout = self.layout((node.0, member), known, depth)?;
                    let align = if is_packed { 1 } else { layout.align };
                    let start = all.size.checked_next_multiple_of(align)?;
                    all = Layout { size: start.checked_add(layout.size)?, align: all.align.max(align) };
                }
                Some(Layout { size: all.size.checked_next_multiple_of(all.align)?, ..all })
            }
            Op::TypePointer | Op::TypeUntypedPointerKHR => {
                match AddressingModel::from_u32(
                    self.units[node.0 as usize].module.memory_model()?.addressing_model(),
                )? {
                    AddressingModel::Physical32 => Some(Layout::scalar(4)),
                    AddressingModel::Physical64 => Some(Layout::scalar(8)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Returns true if no part of one type is known to differ from the same part of the other. Both types have one
    /// size.
    fn have_like_parts(&self, left: Definition, right: Definition) -> bool {
        let mut open = vec![(left, right)];
        let mut tried = HashSet::new();
        while let Some((left, right)) = open.pop() {
            if !tried.insert((left, right)) {
                continue;
            }
            let (Some(definition), Some(other)) = (self.definition(left), self.definition(right)) else {
                continue;
            };
            let (Some(op), Some(other_op)) = (definition.op(), other.op()) else { continue };
            let is_bytes = [left, right].iter().any(|&node| self.innermost(node) == Some(BYTE));
            if is_bytes && op != other_op {
                continue;
            }
            let is_alike = match (op, other_op) {
                (Op::TypeArray, Op::TypeArray) => {
                    open.push(((left.0, definition.word(2)), (right.0, other.word(2))));
                    is_bytes || self.length(left.0, &definition) == self.length(right.0, &other)
                }
                (Op::TypeVector, Op::TypeVector) => {
                    open.push(((left.0, definition.word(2)), (right.0, other.word(2))));
                    definition.word(3) == other.word(3)
                }
                // The type of an initial value has no name.
                (Op::TypeStruct, Op::TypeStruct)
                    if self.struct_name(left).is_some() == self.struct_name(right).is_some() =>
                {
                    let [members, others] = [(left, &definition), (right, &other)].map(|(node, inst)| {
                        self.units[node.0 as usize].module.members(inst).collect::<Vec<u32>>()
                    });
                    open.extend(
                        members
                            .iter()
                            .zip(&others)
                            .map(|(&member, &other)| ((left.0, member), (right.0, other))),
                    );
                    members.len() == others.len()
                }
                (Op::TypePointer, Op::TypePointer) => {
                    let generic = StorageClass::Generic as u32;
                    let classes = [definition.word(2), other.word(2)];
                    classes[0] == classes[1] || classes.contains(&generic)
                }
                (Op::TypeVector, _) | (_, Op::TypeVector) => {
                    op == Op::TypeStruct || other_op == Op::TypeStruct
                }
                _ => !self.are_other_scalars(left, right),
            };
            if !is_alike {
                return false;
            }
        }
        true
    }

    /// Returns the words of a structure's name, if the source gave it one.
    fn struct_name(&self, node: Definition) -> Option<&'m [u32]> {
        let module = self.units[node.0 as usize].module;
        let first = self.described[node.0 as usize].get(node.1).first()?;
        let name = views::Name::new(first.instruction(module))?;
        let text = name.name();
        // clang's names of structures without one: `struct.anon`, `union.anon.0`, `(anonymous namespace)`.
        let is_anonymous = text.split('.').any(|part| part == "anon") || text.contains("(anonymous");
        let is_given = !text.is_empty() && !is_anonymous;
        is_given.then(|| name.words().get(2..)).flatten()
    }
}

fn is_pointer(inst: &Instruction) -> bool {
    views::AnyPointer::new(*inst).is_some()
}
