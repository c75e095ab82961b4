//! A variant: one of the modules to merge, with hashes that find equal definitions.

use spirv::Op;

use super::MergeError;
use crate::analysis::calls::DirectCalls;
use crate::collections::{IdMap, sort_by_key};
use crate::loader::{Function, Instruction, LogicalPlace, Module, Section, grammar, views};
use crate::transform::definitions::Descriptions;

/// The meaning of an id within its module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IdRef {
    /// Nothing defines it.
    None,
    /// A function, or a definition outside of functions, by number.
    Definition(u32),
    /// A result in a function, by the order in which the function first names it.
    Local(u32),
}

/// A call in a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct VariantCall {
    /// The id of the callee.
    pub callee: u32,
    /// True if the result of the function cannot be selected from several: a pointer that is not an address.
    pub is_pointer: bool,
}

/// A function of a variant.
#[derive(Clone, Debug, Default)]
pub(super) struct VariantFunction {
    pub id: u32,
    /// True if its body is in another module.
    pub is_declaration: bool,
    /// The number of results in it.
    pub locals: u32,
    /// Calls of the function, in order.
    pub calls: Vec<VariantCall>,
    /// The offsets of the execution modes, sorted by their words.
    pub modes: Vec<u32>,
    /// The entry points that it is, as offsets.
    pub entry_points: Vec<u32>,
    /// Hash of its body without the callees.
    pub shallow: u64,
    /// Hash of its body and of its callees.
    pub deep: u64,
}

/// A module to merge.
pub(super) struct IndexedVariant<'m> {
    pub name: &'m str,
    pub module: &'m Module<'m>,
    pub descriptions: Descriptions,
    /// Slot of each id: [`DEFINITION`] and the number of a definition, or the number of a local id plus 1, or 0.
    slots: Vec<u32>,
    /// The ids of definitions, by number: those outside of functions in order, then functions.
    pub definitions: Vec<u32>,
    /// Id in the result for each definition, or 0 while it has none.
    pub merged: Vec<u32>,
    /// Hash of each definition outside of functions.
    pub hashes: Vec<u64>,
    pub functions: Vec<VariantFunction>,
}

const DEFINITION: u32 = 1 << 31;

impl<'m> IndexedVariant<'m> {
    pub fn new(name: &'m str, module: &'m Module<'m>) -> Result<IndexedVariant<'m>, MergeError> {
        let descriptions = Descriptions::new(module, |_| true)
            .map_err(|error| MergeError::DecorationGroups { file: name.to_owned(), error })?;
        let outside = module.outside_functions().filter(|inst| !inst.is(Op::DecorationGroup));
        let mut definitions: Vec<u32> = outside.filter_map(|inst| inst.result_id()).collect();
        definitions.extend(module.functions().iter().map(|function| function.id));
        let mut slots = vec![0; module.bound() as usize];
        for (number, &id) in (DEFINITION..).zip(&definitions) {
            slots[id as usize] = number;
        }
        let mut variant = IndexedVariant {
            name,
            module,
            descriptions,
            slots,
            merged: vec![0; definitions.len()],
            hashes: Vec::with_capacity(definitions.len()),
            definitions,
            functions: Vec::with_capacity(module.functions().len()),
        };
        variant.hash_definitions();
        variant.scan_functions();
        variant.hash_calls();
        Ok(variant)
    }

    pub fn slot(&self, id: u32) -> IdRef {
        match self.slots.get(id as usize) {
            None | Some(0) => IdRef::None,
            Some(slot) if slot & DEFINITION != 0 => IdRef::Definition(slot & !DEFINITION),
            Some(slot) => IdRef::Local(slot - 1),
        }
    }

    /// Returns the id in the result of a definition; 0 while it has none, and for other ids.
    pub fn merged_of(&self, id: u32) -> u32 {
        match self.slot(id) {
            IdRef::Definition(number) => self.merged[number as usize],
            _ => 0,
        }
    }

    /// Returns the number of definitions outside of functions.
    pub fn outside(&self) -> usize {
        self.definitions.len() - self.module.functions().len()
    }

    /// Returns the index of a function among the functions of the module, by its number among the definitions.
    pub fn function_at(&self, number: u32) -> Option<usize> {
        (number as usize).checked_sub(self.outside())
    }

    /// Returns true if an instruction outside of functions follows the first of them: an extended instruction that computes nothing, and may name functions.
    pub fn is_after_functions(&self, inst: &Instruction) -> bool {
        inst.offset() >= self.module.globals_end()
    }

    fn hash_definitions(&mut self) {
        for number in 0..self.outside() {
            let hash = match self.module.definition(self.definitions[number]) {
                Some(inst) => self.hash_definition(&inst),
                None => 0,
            };
            self.hashes.push(hash);
        }
    }

    fn hash_definition(&self, inst: &Instruction) -> u64 {
        let mut hash = u64::from(self.is_after_functions(inst));
        for part in self.module.with_continuations(inst) {
            let result = grammar::layout(part.opcode()).and_then(|layout| layout.result_word());
            let mut of_part = Hash::new(&part);
            self.module.walk(&part, &mut |at: usize, id: u32| {
                of_part.skip_to(at);
                if Some(at) != result {
                    of_part.add(self.hash_of(id));
                }
            });
            hash = mix(hash, of_part.end());
        }
        if let (false, Some(id)) = (is_unique(inst), inst.result_id()) {
            self.hash_descriptions(id, &mut hash);
        }
        hash
    }

    /// Returns the hash of an id as an operand. For functions and later definitions it is the hash of the name alone,
    /// so that hashes follow no cycle.
    fn hash_of(&self, id: u32) -> u64 {
        match self.slot(id) {
            IdRef::None => 0,
            IdRef::Local(number) => u64::from(number) + 1,
            IdRef::Definition(number) => match self.hashes.get(number as usize) {
                Some(&hash) => hash,
                None => {
                    let names = self.descriptions.get(id).iter().filter(|name| name.is_name());
                    let words = names.flat_map(|name| name.words(self.module));
                    words.fold(1, |hash, &word| mix(hash, word.into()))
                }
            },
        }
    }

    fn hash_descriptions(&self, id: u32, hash: &mut u64) {
        for description in self.descriptions.get(id) {
            *hash = mix(
                *hash,
                u64::from(description.opcode) << 32
                    | description.member.map_or(0, |member| u64::from(member) + 1),
            );
            let words = description.words(self.module);
            let mut next = 0;
            description.ids(self.module, &mut |at, id| {
                for &word in &words[next..at] {
                    *hash = mix(*hash, word.into());
                }
                *hash = mix(*hash, self.hash_of(id));
                next = at + 1;
            });
            for &word in &words[next..] {
                *hash = mix(*hash, word.into());
            }
        }
    }

    fn scan_functions(&mut self) {
        let module = self.module;
        let mut of_function: IdMap<(Vec<u32>, Vec<u32>)> = IdMap::new();
        for mode in module.execution_modes() {
            of_function.entry(mode.entry_point()).or_default().0.push(mode.offset());
        }
        for entry in module.entry_points() {
            of_function.entry(entry.function()).or_default().1.push(entry.offset());
        }
        for function in module.functions() {
            let (mut modes, entry_points) = of_function.remove(&function.id).unwrap_or_default();
            sort_by_key(&mut modes, |&offset| {
                let inst = module.instruction(offset);
                (inst.opcode(), inst.words_from(2))
            });
            let scanned = VariantFunction {
                id: function.id,
                is_declaration: module.is_declaration(function),
                modes,
                entry_points,
                ..VariantFunction::default()
            };
            let scanned = self.scan(function, scanned);
            self.functions.push(scanned);
        }
    }

    /// Numbers the results in a function, and hashes it.
    fn scan(&mut self, function: &Function, mut scanned: VariantFunction) -> VariantFunction {
        let module = self.module;
        let mut total = 0;
        for inst in module.range(function.lines, function.end) {
            let is_call = inst.is(Op::FunctionCall);
            if is_call {
                let is_pointer = module.is_logical_pointer(inst.word(1));
                scanned.calls.push(VariantCall { callee: inst.word(3), is_pointer });
            }
            let skipped = match inst.op() {
                Some(Op::FunctionCall) => 3,
                Some(Op::Function) => 2,
                _ => 0,
            };
            let mut hash = Hash::new(&inst);
            let (slots, locals) = (&mut self.slots, &mut scanned.locals);
            let hashes = &self.hashes;
            let mut others = false;
            module.walk(&inst, &mut |at: usize, id: u32| {
                hash.skip_to(at);
                if at == skipped {
                    return;
                }
                let slot = &mut slots[id as usize];
                if *slot == 0
                    && module
                        .definition_offset(id)
                        .is_some_and(|at| (function.start..function.end).contains(&at))
                {
                    *locals += 1;
                    *slot = *locals;
                }
                // A number within this function, or a hash of a definition outside of it.
                match *slot & DEFINITION {
                    0 => hash.add(u64::from(*slot)),
                    _ => match hashes.get((*slot & !DEFINITION) as usize) {
                        Some(&of_definition) => hash.add(of_definition),
                        None => others = true,
                    },
                }
            });
            total = mix(total, hash.end());
            if others {
                total = mix(total, 1);
            }
        }
        for inst in module.body(function) {
            if let Some(id) = inst.result_id().filter(|&id| !self.descriptions.get(id).is_empty()) {
                self.hash_descriptions(id, &mut total);
            }
        }
        for &mode in &scanned.modes {
            let mode = module.instruction(mode);
            let mut hash = Hash::new(&mode);
            module.walk(&mode, &mut |at: usize, id: u32| {
                hash.skip_to(at);
                if at > 1 {
                    hash.add(self.hash_of(id));
                }
            });
            total = mix(total, hash.end());
        }
        scanned.shallow = mix(total, scanned.entry_points.len().min(1) as u64);
        scanned
    }

    /// Hashes functions with their callees, callees first. Within a cycle, each callee counts by its body.
    fn hash_calls(&mut self) {
        let module = self.module;
        for group in DirectCalls::new(module).groups() {
            let hash = |&at: &usize| {
                let function = &self.functions[at];
                let of_entry_points = function.entry_points.iter().flat_map(|&offset| {
                    let entry = views::EntryPoint(module.instruction(offset));
                    entry.words()[3..entry.interface_start()].iter()
                });
                let hash = of_entry_points.fold(function.shallow, |hash, &word| mix(hash, word.into()));
                let hash = function.calls.iter().fold(hash, |hash, call| {
                    let of_callee = module.function_index(call.callee).map(|at| &self.functions[at]);
                    mix(
                        hash,
                        of_callee
                            .map_or(0, |callee| if callee.deep == 0 { callee.shallow } else { callee.deep }),
                    )
                });
                hash | 1
            };
            let hashes: Vec<u64> = group.iter().map(hash).collect();
            for (&at, hash) in group.iter().zip(hashes) {
                self.functions[at].deep = hash;
            }
        }
    }
}

/// Returns true for a type that a module can have only once, even with other names and decorations (specification, 2.8 "Types and Variables").
pub(super) fn is_unique(inst: &Instruction) -> bool {
    let layout = grammar::layout(inst.opcode());
    let is_type = layout.is_some_and(|layout| {
        layout.place == LogicalPlace::Section(Section::Types)
            && !layout.has_type
            && layout.result_word().is_some()
    });
    is_type
        && !matches!(
            inst.op(),
            Some(
                Op::TypeStruct
                    | Op::TypeArray
                    | Op::TypeRuntimeArray
                    | Op::TypeNodePayloadArrayAMDX
                    | Op::TypePointer
                    | Op::TypeUntypedPointerKHR
            )
        )
}

/// The hash of one instruction.
struct Hash<'i> {
    words: &'i [u32],
    next: usize,
    hash: u64,
}

impl<'i> Hash<'i> {
    fn new(inst: &Instruction<'i>) -> Hash<'i> {
        Hash { words: inst.words(), next: 0, hash: 0 }
    }

    /// Adds the literals up to the word with this number, which is not added.
    #[inline]
    fn skip_to(&mut self, at: usize) {
        for &word in &self.words[self.next..at] {
            self.hash = mix(self.hash, word.into());
        }
        self.next = at + 1;
    }

    #[inline]
    fn add(&mut self, value: u64) {
        self.hash = mix(self.hash, value);
    }

    fn end(mut self) -> u64 {
        self.skip_to(self.words.len());
        self.hash
    }
}

#[inline]
fn mix(hash: u64, value: u64) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mixed = (hash.rotate_left(25) ^ value).wrapping_mul(FACTOR);
    mixed ^ mixed >> 32
}
