//! Markers: volatile stores of numbers, one for each block, which no optimizer removes from blocks that can run. They show which blocks are left
//! where labels do not: after inlining.

use std::collections::{BTreeMap, BTreeSet};

use rspirv::grammar::reflect::is_block_terminator;
use spirv::{Capability, Decoration, MemoryAccess, Op, StorageClass};

use super::compare::{capabilities, reached_blocks, roots};
use crate::loader::{Function, Module, Version};
use crate::test_support::instruction;
use crate::transform::Edits;
use crate::writer::apply;

/// The number of the first marker.
const FIRST: u32 = 0x5eed_0000;
/// The version of SPIR-V from which on entry points list all variables.
const ALL_VARIABLES: Version = Version::new(1, 4);
/// The version of SPIR-V that has storage buffers.
const STORAGE_BUFFERS: Version = Version::new(1, 3);

/// Returns a module with a marker in each block.
pub fn marked(words: &[u32]) -> Option<Vec<u32>> {
    let module = Module::from_words(words).ok()?;
    let is_kernel = capabilities(words).contains(&(Capability::Kernel as u32));
    let mut edits = Edits::new(&module);
    let types = module.globals().find(|inst| inst.name().starts_with("OpType"))?;
    let end = module.functions().first()?.lines;
    let is_uint = |words: &[u32]| words[2..] == [32, 0];
    let known = module.globals().find(|inst| inst.is(Op::TypeInt) && is_uint(inst.words()));
    let declare = |edits: &mut Edits, op: Op, type_id: Option<u32>, operands: &[u32]| {
        let id = edits.fresh_id();
        let words: Vec<u32> = type_id.into_iter().chain([id]).chain(operands.iter().copied()).collect();
        edits.insert_words(end, &instruction(op as u16, &words));
        id
    };
    let uint = match known {
        Some(inst) => inst.word(1),
        None => declare(&mut edits, Op::TypeInt, None, &[32, 0]),
    };
    let zero = declare(&mut edits, Op::Constant, Some(uint), &[0]);
    let decorate = |edits: &mut Edits, operands: &[u32]| {
        let op = if operands.len() > 3 { Op::MemberDecorate } else { Op::Decorate };
        edits.insert_words(types.offset(), &instruction(op as u16, operands));
    };
    let is_new = module.version() >= STORAGE_BUFFERS;
    let class = match (is_kernel, is_new) {
        (true, _) => StorageClass::CrossWorkgroup,
        (false, true) => StorageClass::StorageBuffer,
        (false, false) => StorageClass::Uniform,
    } as u32;
    let to_uint = declare(&mut edits, Op::TypePointer, None, &[class, uint]);
    let variable = if is_kernel {
        declare(&mut edits, Op::Variable, Some(to_uint), &[class, zero])
    } else {
        let block = declare(&mut edits, Op::TypeStruct, None, &[uint]);
        let kind = if is_new { Decoration::Block } else { Decoration::BufferBlock };
        decorate(&mut edits, &[block, kind as u32]);
        decorate(&mut edits, &[block, 0, Decoration::Offset as u32, 0]);
        let to_block = declare(&mut edits, Op::TypePointer, None, &[class, block]);
        let variable = declare(&mut edits, Op::Variable, Some(to_block), &[class]);
        decorate(&mut edits, &[variable, Decoration::DescriptorSet as u32, 0]);
        decorate(&mut edits, &[variable, Decoration::Binding as u32, 1000]);
        variable
    };
    if module.version() >= ALL_VARIABLES {
        for inst in module.globals().filter(|inst| inst.is(Op::EntryPoint)) {
            let words = [inst.words(), &[variable]].concat();
            let head = (words.len() as u32) << 16 | Op::EntryPoint as u32;
            edits.replace_words(&inst, &[&[head], &words[1..]].concat());
        }
    }
    let mut number = FIRST;
    for function in module.functions() {
        let mut merge = None;
        for inst in module.body(function) {
            if matches!(inst.op(), Some(Op::SelectionMerge | Op::LoopMerge)) {
                merge = Some(inst.offset());
            }
            if inst.op().is_some_and(is_block_terminator) {
                let at = merge.take().unwrap_or(inst.offset());
                let marker = declare(&mut edits, Op::Constant, Some(uint), &[number]);
                number += 1;
                let volatile = MemoryAccess::VOLATILE.bits();
                let store = if is_kernel {
                    let aligned = MemoryAccess::ALIGNED.bits();
                    instruction(Op::Store as u16, &[variable, marker, volatile | aligned, 4])
                } else {
                    let pointer = edits.fresh_id();
                    let chain = instruction(Op::AccessChain as u16, &[to_uint, pointer, variable, zero]);
                    edits.insert_words(at, &chain);
                    instruction(Op::Store as u16, &[pointer, marker, volatile])
                };
                edits.insert_words(at, &store);
            }
        }
    }
    apply(&module, &edits).ok()
}

/// Number of places of each marker if all calls are inlined.
pub type MarkerCounts = BTreeMap<u32, u64>;

/// Counts the markers of a module in the blocks that can run, under any conditions.
pub fn count_markers(words: &[u32]) -> MarkerCounts {
    let module = Module::from_words(words).unwrap();
    let (mut known, mut counts) = (BTreeMap::new(), MarkerCounts::new());
    for root in roots(&module) {
        add(&mut counts, &count_in(&module, root, &mut known));
    }
    counts
}

fn add(counts: &mut MarkerCounts, others: &MarkerCounts) {
    for (&marker, &count) in others {
        let count_of_marker = counts.entry(marker).or_default();
        *count_of_marker = count_of_marker.saturating_add(count);
    }
}

/// Counts the markers of a function and of those that it calls.
fn count_in(module: &Module, id: u32, known: &mut BTreeMap<u32, MarkerCounts>) -> MarkerCounts {
    if let Some(counts) = known.get(&id) {
        return counts.clone();
    }
    // Recursion ends here.
    known.insert(id, MarkerCounts::new());
    let mut counts = MarkerCounts::new();
    if let Some(function) = module.function(id) {
        for inst in running(module, function) {
            match inst.op() {
                Some(Op::Store) if inst.words().len() > 3 => {
                    let object = module.definition(inst.word(2)).filter(|object| object.is(Op::Constant));
                    let marker =
                        object.map(|object| object.word(3)).filter(|value| value >> 16 == FIRST >> 16);
                    let one = marker.map(|marker| (marker, 1));
                    add(&mut counts, &one.into_iter().collect());
                }
                Some(Op::FunctionCall) => {
                    let callee = count_in(module, inst.word(3), known);
                    add(&mut counts, &callee);
                }
                _ => {}
            }
        }
    }
    known.insert(id, counts.clone());
    counts
}

/// Returns the instructions of the blocks of a function that its first block leads to.
fn running<'m>(
    module: &'m Module,
    function: &'m Function,
) -> impl Iterator<Item = crate::loader::Instruction<'m>> {
    let reached: BTreeSet<u32> = reached_blocks(module, function);
    let mut runs = false;
    module.body(function).filter(move |inst| {
        if inst.is(Op::Label) {
            runs = reached.contains(&inst.word(1));
        }
        runs
    })
}
