//! Types with explicit offsets and strides whose size depends on constants (specification, 2.16.2 "Validation Rules for Shader Capabilities";
//! Vulkan, "Offset and Stride Assignment").
//!
//! A type is checked by the strictest rules that it follows with the defaults of its constants (`spec-extensions/block-layouts.csv`).

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::LazyLock;

use spirv::{Decoration, Op, StorageClass};

use crate::collections::{IdMap, OrderedMap, sort_by_key};
use crate::loader::opcodes::is_untyped_access_chain;
use crate::loader::{Instruction, Module, views};
use crate::text::csv;

/// Rules of alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LayoutRules {
    /// The rules of std140.
    Extended,
    /// The rules of std430.
    Standard,
    /// The rules of scalarBlockLayout.
    Scalar,
}

impl LayoutRules {
    /// All rules, the strictest first.
    const ALL: [LayoutRules; 3] = [LayoutRules::Extended, LayoutRules::Standard, LayoutRules::Scalar];

    /// Returns the bit of these rules in sets of rules.
    fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A row of the table: a storage class, and the decoration that its structures need for an explicit layout.
struct ClassLayout {
    class: u32,
    decoration: Option<u32>,
    strictest: LayoutRules,
}

static CLASSES: LazyLock<Vec<ClassLayout>> = LazyLock::new(|| rows().filter_map(class_layout).collect());

fn rows() -> impl Iterator<Item = [&'static str; 4]> {
    csv::rows(include_str!("../../../spec-extensions/block-layouts.csv"))
}

fn class_layout([class, decoration, rules, _]: [&'static str; 4]) -> Option<ClassLayout> {
    let decoration = match decoration {
        "" => None,
        name => Some(name.parse::<Decoration>().ok()? as u32),
    };
    let strictest = match rules {
        "extended" => LayoutRules::Extended,
        "standard" => LayoutRules::Standard,
        "scalar" => LayoutRules::Scalar,
        _ => return None,
    };
    Some(ClassLayout { class: class.parse::<StorageClass>().ok()? as u32, decoration, strictest })
}

/// A number that is in the module, or the value of a constant.
#[derive(Clone, Copy, Debug)]
enum LayoutNumber {
    Fixed(u64),
    Constant(u32),
}

/// A member of a structure.
#[derive(Debug)]
struct LayoutMember {
    index: u32,
    /// The number of its type.
    part: u32,
    offset: Option<LayoutNumber>,
    matrix: MatrixLayout,
}

/// The decorations of a member that is a matrix, or an array of matrices.
#[derive(Clone, Copy, Debug, Default)]
pub struct MatrixLayout {
    /// The bytes from one column, or row, to the next.
    pub stride: u64,
    /// True if its rows follow each other in memory.
    pub is_row_major: bool,
}

#[derive(Debug)]
enum TypeShape {
    /// A scalar or a pointer with this number of bytes.
    Bytes(u64),
    Vector {
        component: u32,
        count: LayoutNumber,
    },
    Matrix {
        component_bytes: u64,
        rows: u64,
        columns: u64,
    },
    Array {
        element: u32,
        /// `None` for an array without length.
        length: Option<LayoutNumber>,
        stride: Option<LayoutNumber>,
    },
    Structure(Vec<LayoutMember>),
    /// A type of unknown size.
    Other,
}

/// A type, referred to by its number in [`Layouts::types`].
#[derive(Debug)]
struct LaidOutType {
    id: u32,
    shape: TypeShape,
    /// The rules that it follows, as [bits](LayoutRules::bit).
    rules: u8,
    /// The strictest rules that it may follow, if it is a block, or another type that an explicit layout begins with.
    block: Option<LayoutRules>,
}

/// The types with an explicit layout that constants decide, each after its parts.
#[derive(Debug, Default)]
pub struct Layouts {
    types: Vec<LaidOutType>,
}

/// A layout that values make impossible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayoutProblem {
    /// The structure or array type.
    pub type_id: u32,
    /// The member, or the array itself, whose size or alignment does not fit, as the id of its type.
    pub part: u32,
    pub kind: LayoutProblemKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutProblemKind {
    /// A member of a structure overlaps the next one in memory, or its padding does.
    Overlap {
        /// The number of the member.
        member: u32,
        /// The first byte of the member, and the end of the range, padding included.
        range: (u64, u64),
        /// The number of the next member.
        next: u32,
        /// The first byte of the next member.
        offset: u64,
        /// The largest length that the member may have, if it is an array.
        most: Option<u64>,
    },
    /// A member of a structure is not aligned, or a vector straddles 16 bytes.
    Misaligned { member: u32, offset: u64, alignment: u64 },
    /// An element of an array is larger than the stride.
    Stride { size: u64, stride: u64 },
    /// A stride is not a multiple of the alignment of the elements.
    MisalignedStride { stride: u64, alignment: u64 },
}

/// The size and alignment of a type under some values.
#[derive(Clone, Copy, Debug, Default)]
struct TypeExtent {
    /// `None` if it is not known. Of arrays of matrices, without the last matrix.
    size: Option<u64>,
    /// The alignment for each of the [`LayoutRules`]; 1 for matrices and arrays of them.
    alignment: [u64; 3],
    /// The matrix that arrays are made of at last.
    matrix: Option<u32>,
    /// For arrays of matrices: the smallest room that a stride leaves for a matrix, the array with that stride, and the bits of all
    /// strides.
    room: Option<(u64, u32)>,
    strides: u64,
}

impl Layouts {
    /// Finds the layouts in a module. `counts` returns true for constants that a host decides, and `default` returns the default values of
    /// constants.
    pub fn new(
        module: &Module,
        counts: &dyn Fn(u32) -> bool,
        default: &mut dyn FnMut(u32) -> Option<u64>,
    ) -> Layouts {
        let mut builder = LayoutBuilder {
            module,
            counts,
            decorations: LayoutDecorations::read(module),
            numbers: BTreeMap::new(),
        };
        let roots = builder.roots();
        let mut layouts = builder.types(&roots);
        layouts.choose_rules(default);
        layouts
    }

    /// Returns the bytes of structures that their members take, with these values of constants. One is missing if a member has no offset or no known size.
    pub fn ranges_of(
        module: &Module,
        structures: &BTreeSet<u32>,
        value: &mut dyn FnMut(u32) -> Option<u64>,
    ) -> IdMap<Range<u64>> {
        let decorations = LayoutDecorations::read(module);
        let mut builder = LayoutBuilder { module, counts: &|_| true, decorations, numbers: BTreeMap::new() };
        let layouts = builder.types_in(structures, &IdMap::new());
        let mut extents = Vec::with_capacity(layouts.types.len());
        let mut ranges = IdMap::new();
        for laid_out in &layouts.types {
            let extent = layouts.extent(laid_out, &extents, value);
            extents.push(extent);
            let TypeShape::Structure(members) = &laid_out.shape else { continue };
            let offsets = members.iter().map(|member| member.offset?.value(value));
            let start = offsets.collect::<Option<Vec<u64>>>().and_then(|offsets| offsets.into_iter().min());
            if let Some((start, end)) = start.zip(extent.size).filter(|_| structures.contains(&laid_out.id)) {
                ranges.insert(laid_out.id, start..end);
            }
        }
        ranges
    }

    /// Returns true if no type has such a layout.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// Reports the problems that values make.
    pub fn check(&self, value: &mut dyn FnMut(u32) -> Option<u64>, report: &mut dyn FnMut(LayoutProblem)) {
        let mut extents = Vec::with_capacity(self.types.len());
        for laid_out in &self.types {
            let mut rules = LayoutRules::ALL.into_iter().filter(|rules| laid_out.rules & rules.bit() != 0);
            let problem = rules.find_map(|rules| self.problem(laid_out, rules, &extents, value));
            problem.into_iter().for_each(&mut *report);
            extents.push(self.extent(laid_out, &extents, value));
        }
    }

    /// Returns the constants that decide a problem.
    pub fn constants_of(&self, problem: &LayoutProblem) -> Vec<u32> {
        let mut constants = BTreeSet::new();
        let around = self.number(problem.type_id).map(|number| &self.types[number as usize].shape);
        constants.extend(match around {
            Some(TypeShape::Array { stride, .. }) => stride.and_then(LayoutNumber::constant),
            _ => None,
        });
        if let Some(TypeShape::Structure(members)) = around {
            let offsets = members.iter().filter_map(|member| member.offset);
            constants.extend(offsets.filter_map(LayoutNumber::constant));
        }
        let mut seen = BTreeSet::new();
        let mut stack: Vec<u32> = self.number(problem.part).into_iter().collect();
        while let Some(number) = stack.pop() {
            if seen.insert(number) {
                let laid_out = &self.types[number as usize];
                constants.extend(laid_out.constants());
                stack.extend(laid_out.parts());
            }
        }
        constants.into_iter().collect()
    }

    /// Returns the first block that a type is in, itself included.
    pub fn block_with(&self, type_id: u32) -> Option<u32> {
        let number = self.number(type_id)?;
        let mut holds = vec![false; self.types.len()];
        holds[number as usize] = true;
        for (at, laid_out) in self.types.iter().enumerate().skip(number as usize) {
            holds[at] |= laid_out.parts().any(|part| holds[part as usize]);
            if holds[at] && laid_out.block.is_some() {
                return Some(laid_out.id);
            }
        }
        None
    }

    fn number(&self, type_id: u32) -> Option<u32> {
        let at = self.types.iter().position(|laid_out| laid_out.id == type_id)?;
        Some(at as u32)
    }

    /// Chooses the rules of each block: the strictest that it follows by default.
    fn choose_rules(&mut self, default: &mut dyn FnMut(u32) -> Option<u64>) {
        let mut extents = Vec::with_capacity(self.types.len());
        // By type, the rules that it, or a part of it, breaks.
        let mut broken: Vec<u8> = Vec::with_capacity(self.types.len());
        for laid_out in &self.types {
            let of_parts = laid_out.parts().fold(0, |bits, part| bits | broken[part as usize]);
            let breaks = LayoutRules::ALL
                .into_iter()
                .filter(|&rules| self.problem(laid_out, rules, &extents, default).is_some());
            broken.push(breaks.fold(of_parts, |bits, rules| bits | rules.bit()));
            extents.push(self.extent(laid_out, &extents, default));
        }
        for at in (0..self.types.len()).rev() {
            if let Some(strictest) = self.types[at].block {
                let follows = |rules: &LayoutRules| broken[at] & rules.bit() == 0;
                let mut possible = LayoutRules::ALL.into_iter().filter(|&rules| rules >= strictest);
                self.types[at].rules |= possible.find(follows).unwrap_or(LayoutRules::Scalar).bit();
            }
            let rules = self.types[at].rules;
            let parts: Vec<u32> = self.types[at].parts().collect();
            parts.into_iter().for_each(|part| self.types[part as usize].rules |= rules);
        }
    }

    /// Returns the size and alignment of a type, from those of all types before it.
    fn extent(
        &self,
        laid_out: &LaidOutType,
        extents: &[TypeExtent],
        value: &mut dyn FnMut(u32) -> Option<u64>,
    ) -> TypeExtent {
        match &laid_out.shape {
            TypeShape::Bytes(bytes) => {
                TypeExtent { size: Some(*bytes), alignment: [*bytes; 3], ..TypeExtent::default() }
            }
            TypeShape::Other => TypeExtent { alignment: [1; 3], ..TypeExtent::default() },
            TypeShape::Vector { component, count } => {
                let component = extents[*component as usize];
                let count = count.value(value);
                let wide = |alignment: u64| alignment.saturating_mul(vector_alignment(count.unwrap_or(1)));
                let [extended, standard, scalar] = component.alignment;
                TypeExtent {
                    size: component.size.zip(count).map(|(size, count)| size.saturating_mul(count)),
                    alignment: [wide(extended), wide(standard), scalar],
                    ..TypeExtent::default()
                }
            }
            TypeShape::Matrix { .. } => {
                let matrix = Some(extents.len() as u32);
                TypeExtent { size: Some(0), alignment: [1; 3], matrix, ..TypeExtent::default() }
            }
            TypeShape::Array { element, length, stride } => {
                let inner = extents[*element as usize];
                let stride = stride.and_then(|stride| stride.value(value));
                let length = match length {
                    Some(length) => length.value(value),
                    // An array without length is the last.
                    None => Some(1),
                };
                let before_last = length
                    .zip(stride)
                    .map(|(length, stride)| length.saturating_sub(1).saturating_mul(stride));
                let size = before_last.zip(inner.size).map(|(before, size)| before.saturating_add(size));
                let mut alignment = inner.alignment;
                alignment[LayoutRules::Extended as usize] = alignment[0].next_multiple_of(16);
                let mut room = inner.room;
                if let Some((stride, size)) = stride.zip(inner.size).filter(|_| inner.matrix.is_some()) {
                    let stride_room = (stride.saturating_sub(size), laid_out.id);
                    room = Some(room.map_or(stride_room, |other| other.min(stride_room)));
                }
                let strides = inner.strides | stride.unwrap_or(0);
                let size = size.filter(|_| stride.is_some());
                TypeExtent { size, alignment, matrix: inner.matrix, room, strides }
            }
            TypeShape::Structure(members) => {
                let mut end = Some(0);
                let mut alignment = [16, 1, 1];
                for member in members {
                    let part = self.member(member, &extents[member.part as usize]);
                    let offset = member.offset.and_then(|offset| offset.value(value));
                    let end_of_member =
                        offset.zip(part.size).map(|(offset, size)| offset.saturating_add(size));
                    end = end.zip(end_of_member).map(|(end, member_end)| u64::max(end, member_end));
                    for (all, part_alignment) in alignment.iter_mut().zip(part.alignment) {
                        *all = part_alignment.max(*all);
                    }
                }
                alignment[0] = alignment[0].next_multiple_of(16);
                TypeExtent { size: end, alignment, ..TypeExtent::default() }
            }
        }
    }

    /// Returns the size and alignment of a member, matrices included.
    fn member(&self, member: &LayoutMember, part: &TypeExtent) -> TypeExtent {
        let Some(TypeShape::Matrix { component_bytes, rows, columns }) =
            part.matrix.map(|matrix| &self.types[matrix as usize].shape)
        else {
            return *part;
        };
        let MatrixLayout { stride, is_row_major } = member.matrix;
        let (lines, of_line) = if is_row_major { (*rows, *columns) } else { (*columns, *rows) };
        let matrix = match is_row_major {
            true => {
                (lines.saturating_sub(1).saturating_mul(stride)).saturating_add(of_line * component_bytes)
            }
            false => lines.saturating_mul(stride),
        };
        let line = component_bytes * vector_alignment(of_line);
        TypeExtent {
            size: part.size.map(|size| size.saturating_add(matrix)),
            alignment: [line.next_multiple_of(16), line, *component_bytes],
            ..*part
        }
    }

    /// Returns the first problem of a type under rules and values.
    fn problem(
        &self,
        laid_out: &LaidOutType,
        rules: LayoutRules,
        extents: &[TypeExtent],
        value: &mut dyn FnMut(u32) -> Option<u64>,
    ) -> Option<LayoutProblem> {
        match &laid_out.shape {
            TypeShape::Array { element, stride, .. } => {
                let (inner, stride) = (&extents[*element as usize], (*stride)?.value(value)?);
                if inner.matrix.is_some() {
                    // The size of a matrix follows from the member that it is in.
                    return None;
                }
                let mut alignment = inner.alignment[rules as usize];
                if rules == LayoutRules::Extended {
                    alignment = alignment.next_multiple_of(16);
                }
                let size = inner.size?;
                let kind = if !stride.is_multiple_of(alignment) {
                    LayoutProblemKind::MisalignedStride { stride, alignment }
                } else if size > stride {
                    LayoutProblemKind::Stride { size, stride }
                } else {
                    return None;
                };
                Some(LayoutProblem { type_id: laid_out.id, part: self.types[*element as usize].id, kind })
            }
            TypeShape::Structure(members) => {
                self.problem_of_members(laid_out, members, rules, extents, value)
            }
            _ => None,
        }
    }

    fn problem_of_members(
        &self,
        laid_out: &LaidOutType,
        members: &[LayoutMember],
        rules: LayoutRules,
        extents: &[TypeExtent],
        value: &mut dyn FnMut(u32) -> Option<u64>,
    ) -> Option<LayoutProblem> {
        let mut in_memory: Vec<(u64, &LayoutMember)> =
            members.iter().filter_map(|member| Some((member.offset?.value(value)?, member))).collect();
        sort_by_key(&mut in_memory, |&(offset, _)| offset);
        let problem = |member: &LayoutMember, kind| {
            Some(LayoutProblem { type_id: laid_out.id, part: self.types[member.part as usize].id, kind })
        };
        for (at, &(offset, member)) in in_memory.iter().enumerate() {
            let inner = &extents[member.part as usize];
            let extent = self.member(member, inner);
            let part = &self.types[member.part as usize];
            let is_vector = matches!(part.shape, TypeShape::Vector { .. });
            // Vectors need the alignment of their components alone, if they do not straddle 16 bytes.
            let alignment = extent.alignment[if is_vector { LayoutRules::Scalar } else { rules } as usize];
            let size = extent.size;
            let straddles =
                rules != LayoutRules::Scalar && is_vector && size.is_some_and(|size| straddles(offset, size));
            if !offset.is_multiple_of(alignment.max(1)) || straddles {
                let alignment = if straddles { 16 } else { alignment };
                return problem(
                    member,
                    LayoutProblemKind::Misaligned { member: member.index, offset, alignment },
                );
            }
            if let Some((room, array)) = inner.room {
                let matrix = size.zip(inner.size).map_or(0, |(size, inner)| size - inner);
                let stride = extent.strides;
                if matrix > room {
                    // The size and the stride of the array that has too little room.
                    let stride = self.stride_of(array, value).unwrap_or(0);
                    let kind =
                        LayoutProblemKind::Stride { size: (stride - room).saturating_add(matrix), stride };
                    return Some(LayoutProblem { type_id: array, part: array, kind });
                }
                if !stride.is_multiple_of(alignment.max(1)) {
                    let kind = LayoutProblemKind::MisalignedStride { stride, alignment };
                    return Some(LayoutProblem { type_id: part.id, part: part.id, kind });
                }
            }
            let Some((size, &(next_offset, next))) = size.zip(in_memory.get(at + 1)) else { continue };
            let mut end = offset.saturating_add(size);
            let is_padded = matches!(part.shape, TypeShape::Array { .. } | TypeShape::Structure(_));
            if is_padded && rules != LayoutRules::Scalar {
                end = end.checked_next_multiple_of(alignment.max(1)).unwrap_or(u64::MAX);
            }
            if end > next_offset {
                let most = self.most(part, &extent, next_offset - offset, alignment, rules, value);
                let range = (offset, end);
                let kind = LayoutProblemKind::Overlap {
                    member: member.index,
                    range,
                    next: next.index,
                    offset: next_offset,
                    most,
                };
                return problem(member, kind);
            }
        }
        None
    }

    fn stride_of(&self, array: u32, value: &mut dyn FnMut(u32) -> Option<u64>) -> Option<u64> {
        match &self.types[self.number(array)? as usize].shape {
            TypeShape::Array { stride, .. } => (*stride)?.value(value),
            _ => None,
        }
    }

    /// Returns the largest length that an array can have in this number of bytes.
    fn most(
        &self,
        part: &LaidOutType,
        extent: &TypeExtent,
        room: u64,
        alignment: u64,
        rules: LayoutRules,
        value: &mut dyn FnMut(u32) -> Option<u64>,
    ) -> Option<u64> {
        let TypeShape::Array { length: Some(length), stride: Some(stride), .. } = &part.shape else {
            return None;
        };
        let (length, stride) = (length.value(value)?, stride.value(value)?);
        let element = extent.size?.checked_sub(length.checked_sub(1)?.checked_mul(stride)?)?;
        let room = if rules == LayoutRules::Scalar { room } else { room - room % alignment.max(1) };
        Some(room.checked_sub(element).map_or(0, |room| room / stride.max(1) + 1))
    }
}

/// Returns true if a vector is at an offset at which it has parts in more blocks of 16 bytes than it must.
fn straddles(offset: u64, size: u64) -> bool {
    match size {
        0..=16 => offset / 16 != offset.saturating_add(size.saturating_sub(1)) / 16,
        _ => !offset.is_multiple_of(16),
    }
}

/// Returns the alignment of a vector, in components.
fn vector_alignment(count: u64) -> u64 {
    if count == 3 || count > 4 { 4 } else { count.max(1) }
}

impl LayoutNumber {
    fn value(self, value: &mut dyn FnMut(u32) -> Option<u64>) -> Option<u64> {
        match self {
            LayoutNumber::Fixed(fixed) => Some(fixed),
            LayoutNumber::Constant(id) => value(id),
        }
    }

    fn fixed(self) -> Option<u32> {
        match self {
            LayoutNumber::Fixed(fixed) => u32::try_from(fixed).ok(),
            LayoutNumber::Constant(_) => None,
        }
    }

    fn constant(self) -> Option<u32> {
        match self {
            LayoutNumber::Fixed(_) => None,
            LayoutNumber::Constant(id) => Some(id),
        }
    }
}

impl LaidOutType {
    /// Returns the numbers of the types that it is made of.
    fn parts(&self) -> impl Iterator<Item = u32> {
        let (part, members): (_, &[LayoutMember]) = match &self.shape {
            TypeShape::Vector { component: part, .. } | TypeShape::Array { element: part, .. } => {
                (Some(*part), &[])
            }
            TypeShape::Structure(members) => (None, members),
            _ => (None, &[]),
        };
        part.into_iter().chain(members.iter().map(|member| member.part))
    }

    /// Returns the constants among its own lengths, strides and offsets.
    fn constants(&self) -> impl Iterator<Item = u32> {
        let (amounts, members): (_, &[LayoutMember]) = match &self.shape {
            TypeShape::Vector { count, .. } => ([Some(*count), None], &[]),
            TypeShape::Array { length, stride, .. } => ([*length, *stride], &[]),
            TypeShape::Structure(members) => ([None; 2], members),
            _ => ([None; 2], &[]),
        };
        let offsets = members.iter().filter_map(|member| member.offset);
        amounts.into_iter().flatten().chain(offsets).filter_map(LayoutNumber::constant)
    }
}

/// Returns true if an instruction makes constants that count a length, a stride or an offset.
pub fn decides_size(inst: &Instruction, counts: &dyn Fn(u32) -> bool) -> bool {
    match inst.op() {
        Some(Op::TypeArray | Op::TypeVectorIdEXT) => counts(inst.word(3)),
        Some(Op::DecorateId) => {
            views::Decoration(*inst).is_a(Decoration::ArrayStrideIdEXT) && counts(inst.word(3))
        }
        _ => is_member_offset_id(inst) && counts(inst.word(4)),
    }
}

/// Returns true for an offset that is the id of a constant (SPV_EXT_descriptor_heap).
fn is_member_offset_id(inst: &Instruction) -> bool {
    inst.is(Op::MemberDecorateIdEXT) && inst.word(3) == Decoration::OffsetIdEXT as u32
}

/// The decorations of layouts, groups expanded.
#[derive(Default)]
pub struct LayoutDecorations {
    strides: IdMap<LayoutNumber>,
    /// The offset of each member, by structure and member.
    offsets: BTreeMap<(u32, u32), LayoutNumber>,
    matrices: OrderedMap<(u32, u32), MatrixLayout>,
    /// Structures with Block or BufferBlock.
    blocks: BTreeSet<(u32, u32)>,
}

impl LayoutDecorations {
    /// Returns the bytes from one element of an array to the next, if no constant decides that.
    pub fn stride(&self, array: u32) -> Option<u32> {
        self.strides.get(&array).and_then(|stride| stride.fixed())
    }

    /// Returns the bytes before a member of a structure, if no constant decides that.
    pub fn offset(&self, structure: u32, member: u32) -> Option<u32> {
        self.offsets.get(&(structure, member)).and_then(|offset| offset.fixed())
    }

    /// Returns the layout of a member that is a matrix, or an array of matrices.
    pub fn matrix(&self, structure: u32, member: u32) -> MatrixLayout {
        self.matrices.get(&(structure, member)).copied().unwrap_or_default()
    }

    /// Reads the decorations of a module.
    pub fn read(module: &Module) -> LayoutDecorations {
        let mut decorations = LayoutDecorations::default();
        let mut groups: IdMap<Vec<views::Decoration>> =
            module.group_decorations().map(|applied| (applied.group(), Vec::new())).collect();
        for inst in module.annotations() {
            if is_member_offset_id(&inst) {
                decorations
                    .offsets
                    .insert((inst.word(1), inst.word(2)), LayoutNumber::Constant(inst.word(4)));
            } else if let Some(decoration) = views::Decoration::new(inst) {
                match groups.get_mut(&decoration.target()) {
                    Some(group) => group.push(decoration),
                    None => decorations.add(decoration, decoration.target(), decoration.member()),
                }
            }
        }
        for applied in module.group_decorations() {
            let group_decorations = groups.get(&applied.group()).map(Vec::as_slice).unwrap_or_default();
            match applied.is(Op::GroupMemberDecorate) {
                true => {
                    for &[target, member] in applied.words_from(2).as_chunks().0 {
                        group_decorations.iter().for_each(|&group_decorations| {
                            decorations.add(group_decorations, target, Some(member))
                        });
                    }
                }
                false => {
                    for target in applied.targets() {
                        group_decorations
                            .iter()
                            .for_each(|&group_decorations| decorations.add(group_decorations, target, None));
                    }
                }
            }
        }
        decorations
    }

    fn add(&mut self, decoration: views::Decoration, target: u32, member: Option<u32>) {
        let operand = decoration.operands().first().copied().unwrap_or(0);
        let fixed = LayoutNumber::Fixed(operand.into());
        let Some(kind) = Decoration::from_u32(decoration.decoration()) else { return };
        let matrix = |matrices: &mut OrderedMap<_, MatrixLayout>, change: &dyn Fn(&mut MatrixLayout)| {
            if let Some(member) = member {
                change(matrices.entry((target, member)).or_default());
            }
        };
        match (kind, member) {
            (Decoration::ArrayStride, None) => drop(self.strides.insert(target, fixed)),
            (Decoration::ArrayStrideIdEXT, None) => {
                self.strides.insert(target, LayoutNumber::Constant(operand));
            }
            (Decoration::Offset, Some(member)) => drop(self.offsets.insert((target, member), fixed)),
            (Decoration::MatrixStride, _) => {
                matrix(&mut self.matrices, &|matrix_layout| matrix_layout.stride = operand.into());
            }
            (Decoration::RowMajor, _) => {
                matrix(&mut self.matrices, &|matrix_layout| matrix_layout.is_row_major = true)
            }
            (Decoration::Block | Decoration::BufferBlock, None) => {
                self.blocks.insert((target, kind as u32));
            }
            _ => {}
        }
    }
}

/// Makes [`Layouts`] of the types of a module.
struct LayoutBuilder<'m, 'c> {
    module: &'m Module<'m>,
    counts: &'c dyn Fn(u32) -> bool,
    decorations: LayoutDecorations,
    /// The numbers of types, by id.
    numbers: BTreeMap<u32, u32>,
}

impl LayoutBuilder<'_, '_> {
    /// Finds the types that variables and pointers lay out explicitly, each with the strictest rules that it may follow.
    fn roots(&self) -> IdMap<LayoutRules> {
        let module = self.module;
        let mut roots: IdMap<LayoutRules> = IdMap::new();
        let mut add = |class: u32, type_id: u32| {
            for class_layout in CLASSES.iter().filter(|class_layout| class_layout.class == class) {
                // An array of blocks is an array of descriptors.
                let block = module.without_arrays(type_id);
                let root = match class_layout.decoration {
                    None => type_id,
                    Some(decoration) if self.decorations.blocks.contains(&(block, decoration)) => block,
                    Some(_) => continue,
                };
                let rules = roots.entry(root).or_insert(class_layout.strictest);
                *rules = class_layout.strictest.min(*rules);
            }
        };
        let mut is_untyped = false;
        for inst in module.globals() {
            match inst.op() {
                Some(Op::Variable) => {
                    let variable = views::Variable(inst);
                    if let Some(pointee) = module.pointee(variable.type_id()) {
                        add(variable.storage_class(), pointee);
                    }
                }
                Some(Op::TypePointer) => {
                    let pointer = views::TypePointer(inst);
                    if pointer.storage_class() == StorageClass::PhysicalStorageBuffer as u32 {
                        add(pointer.storage_class(), pointer.pointee());
                    }
                }
                Some(Op::TypeUntypedPointerKHR) => is_untyped = true,
                Some(Op::UntypedVariableKHR) => add(inst.word(3), inst.word(4)),
                _ => {}
            }
        }
        for inst in
            module.functions().iter().filter(|_| is_untyped).flat_map(|function| module.body(function))
        {
            let is_chain = inst.op().is_some_and(is_untyped_access_chain);
            let pointer = inst.result_type().filter(|_| is_chain).and_then(|id| module.definition(id));
            if let Some(pointer) = pointer.and_then(views::AnyPointer::new) {
                add(pointer.storage_class(), inst.word(3));
            }
        }
        roots
    }

    /// Makes the layouts of the roots that constants decide.
    fn types(&mut self, roots: &IdMap<LayoutRules>) -> Layouts {
        let module = self.module;
        let mut varies = vec![false; module.bound() as usize];
        for inst in module.globals().filter(is_type) {
            let any_part = self.parts(&inst).any(|part| varies[part as usize]);
            varies[views::Type(inst).id() as usize] = any_part || self.decides(&inst);
        }
        let varying = roots.keys().copied().filter(|&root| varies[root as usize]).collect();
        self.types_in(&varying, roots)
    }

    /// Makes them of some types and their parts.
    fn types_in(&mut self, chosen: &BTreeSet<u32>, roots: &IdMap<LayoutRules>) -> Layouts {
        let module = self.module;
        let all: Vec<Instruction> = module.globals().filter(is_type).collect();
        let mut is_in = vec![false; module.bound() as usize];
        chosen.iter().for_each(|&id| is_in[id as usize] = true);
        for inst in all.iter().rev() {
            if is_in[views::Type(*inst).id() as usize] {
                self.parts(inst).for_each(|part| is_in[part as usize] = true);
            }
        }
        let mut types = Vec::new();
        for inst in all {
            let id = views::Type(inst).id();
            if is_in[id as usize] {
                let shape = self.shape(&inst);
                self.numbers.insert(id, types.len() as u32);
                types.push(LaidOutType { id, shape, rules: 0, block: roots.get(&id).copied() });
            }
        }
        types.shrink_to_fit();
        Layouts { types }
    }

    /// Returns the types before a type that it is made of.
    fn parts<'i>(&self, inst: &Instruction<'i>) -> impl Iterator<Item = u32> + use<'i, '_> {
        let parts = match inst.op() {
            Some(Op::TypeStruct) => views::TypeStruct(*inst).members(),
            Some(
                Op::TypeVector | Op::TypeVectorIdEXT | Op::TypeMatrix | Op::TypeArray | Op::TypeRuntimeArray,
            ) => inst.words().get(2..3).unwrap_or_default(),
            _ => &[],
        };
        let offset = inst.offset();
        let is_before =
            move |id: &u32| self.module.definition_offset(*id).is_some_and(|definition| definition < offset);
        parts.iter().copied().filter(is_before)
    }

    /// Returns true if constants decide a length, a stride or an offset of a type.
    fn decides(&self, inst: &Instruction) -> bool {
        let counts = |amount: &LayoutNumber| amount.constant().is_some_and(|id| (self.counts)(id));
        let id = views::Type(*inst).id();
        match inst.op() {
            Some(Op::TypeArray) => {
                (self.counts)(views::TypeArray(*inst).length())
                    || self.decorations.strides.get(&id).is_some_and(counts)
            }
            Some(Op::TypeRuntimeArray) => self.decorations.strides.get(&id).is_some_and(counts),
            Some(Op::TypeVectorIdEXT) => (self.counts)(views::TypeVectorIdEXT(*inst).component_count()),
            Some(Op::TypeStruct) => {
                self.decorations.offsets.range((id, 0)..=(id, u32::MAX)).any(|(_, offset)| counts(offset))
            }
            _ => false,
        }
    }

    fn shape(&self, inst: &Instruction) -> TypeShape {
        let number = |id: u32| self.numbers.get(&id).copied();
        let id = views::Type(*inst).id();
        let shape = match inst.op() {
            Some(Op::TypeInt | Op::TypeFloat) => {
                Some(TypeShape::Bytes(u64::from(views::TypeNumber(*inst).width()).div_ceil(8)))
            }
            Some(Op::TypePointer)
                if views::TypePointer(*inst).storage_class()
                    == StorageClass::PhysicalStorageBuffer as u32 =>
            {
                Some(TypeShape::Bytes(8))
            }
            Some(Op::TypeVector) => {
                let vector = views::TypeVector(*inst);
                let count = LayoutNumber::Fixed(vector.component_count().into());
                number(vector.component_type()).map(|component| TypeShape::Vector { component, count })
            }
            Some(Op::TypeVectorIdEXT) => {
                let vector = views::TypeVectorIdEXT(*inst);
                let count = self.amount(vector.component_count());
                number(vector.component_type()).map(|component| TypeShape::Vector { component, count })
            }
            Some(Op::TypeMatrix) => self.matrix(views::TypeMatrix(*inst)),
            Some(Op::TypeArray | Op::TypeRuntimeArray) => {
                let array = views::AnyArray(*inst);
                let length = views::TypeArray::new(*inst).map(|array| self.amount(array.length()));
                let stride = self.decorations.strides.get(&id).copied();
                number(array.element_type()).map(|element| TypeShape::Array { element, length, stride })
            }
            Some(Op::TypeStruct) => {
                let members = views::TypeStruct(*inst).members();
                let member = |(index, &id_of_part): (u32, &u32)| {
                    let offset = self.decorations.offsets.get(&(id, index)).copied();
                    let matrix = self.decorations.matrices.get(&(id, index)).copied().unwrap_or_default();
                    Some(LayoutMember { index, part: number(id_of_part)?, offset, matrix })
                };
                (0..).zip(members).map(member).collect::<Option<_>>().map(TypeShape::Structure)
            }
            _ => None,
        };
        shape.unwrap_or(TypeShape::Other)
    }

    fn matrix(&self, matrix: views::TypeMatrix) -> Option<TypeShape> {
        let column = self.module.definition(matrix.column_type()).and_then(views::TypeVector::new)?;
        let component = self.module.definition(column.component_type()).and_then(views::TypeNumber::new)?;
        Some(TypeShape::Matrix {
            component_bytes: u64::from(component.width()).div_ceil(8),
            rows: column.component_count().into(),
            columns: matrix.column_count().into(),
        })
    }

    /// Returns a length: a number, if no host decides it.
    fn amount(&self, id: u32) -> LayoutNumber {
        match self.module.constant(id) {
            Some(constant) => LayoutNumber::Fixed(constant.bits()),
            None => LayoutNumber::Constant(id),
        }
    }
}

/// Returns true for types, and for other instructions that define an id without a type.
fn is_type(inst: &Instruction) -> bool {
    inst.result_id().is_some() && inst.result_type().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read() {
        assert_eq!(rows().count(), CLASSES.len());
        assert!(rows().all(|[.., source]| !source.is_empty()));
    }
}
