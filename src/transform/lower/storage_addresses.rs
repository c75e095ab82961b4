//! Memory behind physical pointers that became words. Pointers stay, and lead to words: an access adds the distance of its part to the address, with 64 bits in two
//! words, and takes the word that has this byte. Its operand `Aligned` says of how many bytes the address is a multiple.

use std::collections::{BTreeSet, HashSet};

use spirv::{Decoration, MemoryAccess, Op, StorageClass};

use super::function::FunctionLowering;
use super::helpers::instruction;
use super::storage_access::WordPlace;
use super::storage_memory::WordMemory;
use super::storage_paths::{MemoryPath, PathPart, chain};
use super::storage_scope::NarrowStorage;
use super::{LowerError, LowerableFeature, ModuleLowering, operands};
use crate::analysis::limits::layout::MatrixLayout;
use crate::loader::{Instruction, Module, SetKind, views};

const PHYSICAL: u32 = StorageClass::PhysicalStorageBuffer as u32;

/// The memory behind physical pointers that becomes words.
#[derive(Default)]
pub struct PhysicalWords {
    /// The types of pointers to types with numbers of 8 or 16 bits.
    pointers: HashSet<u32>,
    /// Types of these pointers that the result has.
    kept_pointers: BTreeSet<u32>,
    /// The pointers to parts of such types that are values: what stores, passes or compares them has no path.
    values: HashSet<u32>,
    /// The structure of words, and the type of the two words of a product.
    block: u32,
    product: u32,
}

/// Returns the alignment that memory operands say.
fn alignment(operands: &[u32]) -> Option<u32> {
    match *operands {
        [mask, alignment, ..] if mask & MemoryAccess::ALIGNED.bits() != 0 => Some(alignment),
        _ => None,
    }
}

impl WordMemory {
    /// Returns true for a pointer to physical memory, to which places of words are relative.
    pub(super) fn is_address(&self, root: u32) -> bool {
        !self.variables.contains_key(&root)
    }

    /// Finds the types of pointers to memory that becomes words.
    pub(super) fn find_addresses(&mut self, module: &Module, storage: NarrowStorage) {
        for pointer in module.globals().filter_map(views::TypePointer::new) {
            if pointer.storage_class() == PHYSICAL && self.narrow_types.contains(&pointer.pointee()) {
                match storage.has(PHYSICAL, false) {
                    true => drop(self.physical.pointers.insert(pointer.id())),
                    false => self.keep(module, pointer.pointee()),
                }
            }
        }
        for inst in module.globals() {
            self.find_root(module, &inst);
        }
    }

    /// Remembers the place of a pointer that an instruction other than an access chain makes.
    pub(super) fn find_root(&mut self, module: &Module, inst: &Instruction) {
        let Some([type_id, id]) = inst.typed_result() else { return };
        let is_part = chain(inst).is_some_and(|(base, _)| self.paths.contains_key(&base));
        if !self.physical.pointers.contains(&type_id) || is_part {
            return;
        }
        self.physical.kept_pointers.insert(type_id);
        let type_id = module.pointee(type_id).unwrap_or_default();
        let part = PathPart { type_id, matrix: MatrixLayout::default(), stride: None };
        let (descriptor, indices) = (None, Vec::new());
        self.paths.insert(
            id,
            MemoryPath { root: id, descriptor, constant: 0, indices, part, is_non_uniform: false },
        );
    }

    /// Returns the place of the element of an array that an access chain begins with, if it has one.
    pub(super) fn after_element(
        &self,
        module: &Module,
        inst: &Instruction,
        base: &MemoryPath,
    ) -> Result<MemoryPath, &'static str> {
        let mut path = base.clone();
        if inst.is(Op::PtrAccessChain) {
            let pointer = module.type_of(inst.word(3)).unwrap_or_default();
            let stride = self.layout.stride(pointer).filter(|_| self.is_address(base.root));
            self.move_by(
                module,
                &mut path,
                inst.word(4),
                stride.ok_or("it begins with an element of what its pointer leads to")?,
            );
        }
        Ok(path)
    }

    /// Returns the first byte of an access, from the place that the result computes, and the unit of that place: 1, 2 or 4 bytes. Memory operands say it for
    /// addresses.
    pub(super) fn start_of_access(&self, path: &MemoryPath, operands: &[u32]) -> (u32, u32) {
        match self.is_address(path.root) {
            true => (0, 1 << alignment(operands).unwrap_or(1).trailing_zeros().min(2)),
            false => (path.constant, path.unit()),
        }
    }

    /// Finds the pointers to parts that are values, and the types of pointers that the result has.
    ///
    /// # Errors
    /// If an instruction depends on the size of what a pointer leads to.
    pub(super) fn find_pointer_values(
        &mut self,
        module: &Module,
        feature: LowerableFeature,
    ) -> Result<(), LowerError> {
        if self.physical.pointers.is_empty() {
            return Ok(());
        }
        let takes_address = |function: &u32| {
            let type_ = module.function_type(*function);
            type_
                .is_some_and(|type_| type_.words_from(3).iter().any(|id| self.physical.pointers.contains(id)))
        };
        let functions = module.functions().iter().map(|function| function.id);
        let functions: HashSet<u32> = functions.filter(takes_address).collect();
        let mut values = HashSet::new();
        for inst in module.functions().iter().flat_map(|function| module.body(function)) {
            let is_description =
                matches!(module.set_kind(&inst), Some(SetKind::Debug | SetKind::NonSemantic));
            for (at, id) in operands(module, &inst).into_iter().filter(|_| !is_description) {
                if functions.contains(&id) && !inst.is(Op::FunctionCall) {
                    let reason =
                        "the size of what its pointer leads to says where other instructions find it";
                    return Err(LowerError::new(module, feature, &inst, reason.to_owned()));
                }
                let is_address = self.paths.get(&id).is_some_and(|path| self.is_address(path.root));
                if !is_address || is_accessed(&inst, at) {
                    continue;
                }
                if !passes_on(&inst) {
                    let reason = "of memory with numbers of 8 and 16 bits, only loads, stores, copies, conversions and atomics of 32 bits are lowered";
                    return Err(LowerError::new(module, feature, &inst, reason.to_owned()));
                }
                values.insert(id);
            }
        }
        let is_kept = |id: &u32| self.physical.pointers.contains(id);
        let of_values = values.iter().filter_map(|&id| module.type_of(id));
        let mut kept: BTreeSet<u32> = of_values.filter(is_kept).collect();
        for inst in module.globals().filter(|inst| inst.result_type().is_none()) {
            match inst.op() {
                Some(Op::TypeForwardPointer) => kept.extend(std::iter::once(inst.word(1)).filter(is_kept)),
                Some(op) if format!("{op:?}").starts_with("Type") => {
                    kept.extend(operands(module, &inst).into_iter().map(|(_, id)| id).filter(is_kept));
                }
                _ => {}
            }
        }
        self.physical.kept_pointers.extend(kept);
        self.physical.values = values;
        Ok(())
    }

    /// Returns true for a pointer to a part that is a value.
    pub(super) fn is_pointer_value(&self, id: u32) -> bool {
        self.physical.values.contains(&id)
    }
}

/// Returns true for the operand that an instruction accesses memory by, or makes a pointer to a part of.
fn is_accessed(inst: &Instruction, at: usize) -> bool {
    match inst.op() {
        Some(Op::Load | Op::AccessChain | Op::InBoundsAccessChain | Op::PtrAccessChain | Op::CopyObject) => {
            at == 3
        }
        Some(Op::Store | Op::AtomicStore) => at == 1,
        Some(Op::CopyMemory) => at == 1 || at == 2,
        Some(op) => at == 3 && format!("{op:?}").starts_with("Atomic"),
        None => false,
    }
}

/// Returns true for an instruction that moves, converts or compares pointers.
fn passes_on(inst: &Instruction) -> bool {
    matches!(
        inst.op(),
        Some(
            Op::Store
                | Op::Phi
                | Op::Select
                | Op::FunctionCall
                | Op::ReturnValue
                | Op::Bitcast
                | Op::ConvertPtrToU
                | Op::CompositeConstruct
                | Op::CompositeInsert
                | Op::PtrEqual
                | Op::PtrNotEqual
        )
    )
}

impl ModuleLowering<'_> {
    /// Changes the types of pointers that the result has: they lead to words. Of these, all or none are coherent and volatile.
    pub(super) fn address_types(&mut self) {
        if self.memory.physical.pointers.is_empty() {
            return;
        }
        let module = self.module;
        let [block, array, product] = [(); 3].map(|()| self.edits.fresh_id());
        let uint = self.globals.uint;
        self.globals.declare_first(&instruction(Op::TypeRuntimeArray, [array, uint]));
        self.globals.declare_first(&instruction(Op::TypeStruct, [block, array]));
        self.globals.declare_first(&instruction(Op::TypeStruct, [product, uint, uint]));
        self.globals.annotate(&instruction(Op::Decorate, [array, Decoration::ArrayStride as u32, 4]));
        self.globals.annotate(&instruction(Op::Decorate, [block, Decoration::Block as u32]));
        self.globals.annotate(&instruction(Op::MemberDecorate, [block, 0, Decoration::Offset as u32, 0]));
        (self.memory.physical.block, self.memory.physical.product) = (block, product);
        let narrow = &self.memory.narrow_types;
        let is_narrow = |decoration: &views::Decoration| narrow.contains(&decoration.target());
        for kept in [Decoration::Coherent, Decoration::Volatile] {
            if module.decorations().filter(is_narrow).any(|decoration| decoration.is_a(kept)) {
                self.globals.annotate(&instruction(Op::MemberDecorate, [block, 0, kept as u32]));
            }
        }
        for pointer in module.globals().filter(|inst| inst.is(Op::TypePointer)) {
            if self.memory.physical.kept_pointers.contains(&pointer.word(1)) {
                let words = instruction(Op::TypePointer, [pointer.word(1), PHYSICAL, block]);
                self.edits.replace_words(&pointer, &words);
            }
        }
        self.aliased_addresses();
    }

    /// Lets pointers overlap in words, where the originals do not in numbers.
    fn aliased_addresses(&mut self) {
        if !self.memory.is_shared(None) {
            return;
        }
        let module = self.module;
        for decoration in module.decorations() {
            let is_pointer = || {
                let type_id = module.type_of(decoration.target());
                type_id.is_some_and(|type_id| self.memory.physical.pointers.contains(&type_id))
            };
            let other = match () {
                () if decoration.is_a(Decoration::RestrictPointer) => Decoration::AliasedPointer,
                () if decoration.is_a(Decoration::Restrict) && is_pointer() => Decoration::Aliased,
                () => continue,
            };
            let mut words = decoration.words().to_vec();
            if let Some(word) = words.last_mut() {
                *word = other as u32;
            }
            self.edits.replace_words(&decoration, &words);
        }
    }
}

impl FunctionLowering<'_, '_> {
    /// Computes the address of a place, as two words.
    pub(super) fn address(&mut self, path: &MemoryPath) -> [u32; 2] {
        let pair = self.type_of_words(2);
        let uint = self.lowering.globals.uint;
        let address = self.emit(Op::Bitcast, pair, None, [path.root]);
        let mut sum = [0, 1].map(|at| self.emit(Op::CompositeExtract, uint, None, [address, at]));
        for &(index, stride) in &path.indices {
            let distance = self.distance(index, stride);
            sum = self.moved_address(sum, distance);
        }
        self.address_after(sum, path.constant.cast_signed())
    }

    /// Returns an address some bytes after another.
    fn address_after(&mut self, address: [u32; 2], bytes: i32) -> [u32; 2] {
        if bytes == 0 {
            return address;
        }
        let high = if bytes < 0 { u32::MAX } else { 0 };
        let distance = [self.constant(bytes.cast_unsigned()), self.constant(high)];
        self.moved_address(address, distance)
    }

    fn moved_address(&mut self, [low, high]: [u32; 2], distance: [u32; 2]) -> [u32; 2] {
        let uint = self.lowering.globals.uint;
        let bool_type = instruction(Op::TypeBool, [0]);
        let bool_type = self.lowering.globals.type_with(&bool_type, &mut self.lowering.edits);
        let sum = self.emit(Op::IAdd, uint, None, [low, distance[0]]);
        let carries = self.emit(Op::ULessThan, bool_type, None, [sum, low]);
        let [zero, one] = [self.constant(0), self.constant(1)];
        let carry = self.emit(Op::Select, uint, None, [carries, one, zero]);
        let high = self.emit(Op::IAdd, uint, None, [high, carry]);
        let high = match distance[1] == zero {
            true => high,
            false => self.emit(Op::IAdd, uint, None, [high, distance[1]]),
        };
        [sum, high]
    }

    /// Computes the number of bytes before an element, which has 64 bits and a sign.
    fn distance(&mut self, index: u32, stride: u32) -> [u32; 2] {
        let (uint, pair) = (self.lowering.globals.uint, self.type_of_words(2));
        let product_type = self.lowering.memory.physical.product;
        let module = self.lowering.module;
        let type_id = module.type_of(index).unwrap_or_default();
        let width = module.definition(type_id).map_or(32, |type_| type_.word(2));
        let factor = self.constant(stride);
        let (op, [low, high]) = match width {
            64 => {
                let words = self.emit(Op::Bitcast, pair, None, [index]);
                (Op::UMulExtended, [0, 1].map(|at| self.emit(Op::CompositeExtract, uint, None, [words, at])))
            }
            32 if type_id == uint => (Op::SMulExtended, [index, 0]),
            32 => (Op::SMulExtended, [self.emit(Op::Bitcast, uint, None, [index]), 0]),
            _ => (Op::SMulExtended, [self.emit(Op::SConvert, uint, None, [index]), 0]),
        };
        let product = self.emit(op, product_type, None, [low, factor]);
        let [low, mut upper] = [0, 1].map(|at| self.emit(Op::CompositeExtract, uint, None, [product, at]));
        if width == 64 {
            let high = self.emit(Op::IMul, uint, None, [high, factor]);
            upper = self.emit(Op::IAdd, uint, None, [upper, high]);
        }
        [low, upper]
    }

    /// Makes a pointer to an address.
    pub(super) fn pointer_to_address(&mut self, address: [u32; 2], type_id: u32, result: Option<u32>) -> u32 {
        let pair = self.type_of_words(2);
        let whole = self.emit(Op::CompositeConstruct, pair, None, address);
        self.emit(Op::Bitcast, type_id, result, [whole])
    }

    /// Makes a pointer to the words at an address that is a multiple of 4.
    pub(super) fn words_at(&mut self, address: [u32; 2]) -> u32 {
        let block = self.lowering.memory.physical.block;
        let pointer = self.lowering.globals.pointer_to(block, PHYSICAL, &mut self.lowering.edits);
        self.pointer_to_address(address, pointer, None)
    }

    /// Makes a pointer to the word that has a byte from an address on, and returns it with the number of the first bit there; `None` for 0.
    pub(super) fn word_at(&mut self, place: &WordPlace, address: [u32; 2], byte: u32) -> (u32, Option<u32>) {
        let uint = self.lowering.globals.uint;
        let (words, index, shift) = match place.block {
            Some(block) => (block, byte / 4, None),
            None => {
                let [low, high] = self.address_after(address, byte.cast_signed());
                let three = self.constant(3);
                let in_word = self.emit(Op::BitwiseAnd, uint, None, [low, three]);
                let shift = self.emit(Op::ShiftLeftLogical, uint, None, [in_word, three]);
                let mask = self.constant(!3);
                let low = self.emit(Op::BitwiseAnd, uint, None, [low, mask]);
                (self.words_at([low, high]), 0, Some(shift))
            }
        };
        let to_word = self.lowering.globals.pointer_to(uint, PHYSICAL, &mut self.lowering.edits);
        let [zero, index] = [self.constant(0), self.constant(index)];
        (self.emit(Op::AccessChain, to_word, None, [words, zero, index]), shift)
    }
}
