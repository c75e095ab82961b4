//! Comparing two ways to one module.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use spirv::Op;

use spirv_if::device::{Device, DeviceConfig};
use spirv_if::engine::analysis::{Annotated, Names};
use spirv_if::engine::condition::Leaf;
use spirv_if::engine::loader::{Module, SetKind};
use spirv_if::engine::metadata::annotations::AnnotationsFile;
use spirv_if::engine::transform::trim::trim;
use spirv_if::engine::writer::apply;

/// Returns the annotations of a fixture: those in the file of the same name.
pub fn annotated(name: &str, module: &Module) -> Annotated {
    let stem = Path::new(name).with_extension("yaml").to_string_lossy().replace("-O.", ".");
    let path = crate::test_support::root().join("fixtures").join(stem);
    let Ok(text) = std::fs::read_to_string(path) else { return Annotated::default() };
    let annotations = AnnotationsFile::from_yaml(name, &text).unwrap();
    Annotated::resolve(module, &Names::new(module), &annotations).unwrap()
}

/// Returns all devices that differ in conditions of a module, each with its answers.
pub fn devices(leaves: &[(u32, Leaf)]) -> BTreeMap<Vec<Option<bool>>, Device> {
    let config = DeviceConfig::embedded().unwrap();
    let answers = |device: &Device| leaves.iter().map(|(_, leaf)| device.truth(*leaf)).collect();
    let differ: BTreeMap<_, &Device> = config.iter().map(|device| (answers(device), device)).collect();
    differ.into_iter().map(|(answers, device)| (answers, device.clone())).collect()
}

/// Returns the module without declarations that nothing needs.
pub fn trimmed(words: &[u32]) -> Vec<u32> {
    let module = Module::from_words(words).unwrap();
    apply(&module, &trim(&module).edits).unwrap()
}

/// Returns the instructions of a module, with ids numbered in the order in which they appear. Unused types, constants and variables are
/// removed, and copies are replaced by their operands.
pub fn canonical(words: &[u32]) -> Vec<Vec<u32>> {
    let module = Module::from_words(words).unwrap();
    let mut same: HashMap<u32, u32> = HashMap::new();
    for inst in module.instructions().filter(|inst| inst.is(Op::CopyObject)) {
        same.insert(inst.word(2), inst.word(3));
    }
    let original = |mut id: u32| {
        while let Some(&other) = same.get(&id) {
            id = other;
        }
        id
    };
    // What code refers to, and what that is made of.
    let mut referenced: BTreeSet<u32> = BTreeSet::new();
    let mut stack = Vec::new();
    let entry = |inst: &spirv_if::engine::loader::Instruction| {
        matches!(inst.op(), Some(Op::EntryPoint | Op::ExecutionMode | Op::ExecutionModeId))
    };
    let for_nothing = for_nothing(&module);
    let bodies = module.functions().iter().flat_map(|function| module.body(function));
    let bodies = bodies.filter(|inst| !for_nothing.contains(&inst.offset()));
    let debug = |inst: &spirv_if::engine::loader::Instruction| {
        inst.is(Op::ExtInst) && module.set_kind(inst) != Some(SetKind::Semantic)
    };
    for inst in bodies.filter(|inst| !debug(inst)).chain(module.globals().filter(entry)) {
        module.walk(&inst, &mut |_: usize, id: u32| stack.push(original(id)));
    }
    while let Some(id) = stack.pop() {
        if referenced.insert(id)
            && let Some(inst) = module.definition(id).filter(|_| module.is_global(id))
        {
            module.walk(&inst, &mut |_: usize, id: u32| stack.push(id));
        }
    }
    let mut numbers: HashMap<u32, u32> = HashMap::new();
    let mut declared = Vec::new();
    let mut shown = Vec::new();
    for inst in module.instructions() {
        let about = match inst.op() {
            Some(Op::Name | Op::MemberName) => continue,
            Some(Op::Decorate | Op::MemberDecorate | Op::DecorateId) => Some(inst.word(1)),
            Some(Op::CopyObject) => continue,
            // A DebugInfoNone may be new or exist already.
            Some(Op::ExtInst) if module.set_kind(&inst) != Some(SetKind::Semantic) => continue,
            _ => inst.result_id(),
        };
        if about.is_some_and(|id| !referenced.contains(&id))
            || inst.is(Op::Undef)
            || for_nothing.contains(&inst.offset())
        {
            continue;
        }
        let mut words = inst.words().to_vec();
        module.walk(&inst, &mut |at: usize, id: u32| {
            let next = numbers.len() as u32 + 1;
            words[at] = *numbers.entry(original(id)).or_insert(next);
        });
        match inst.op() {
            Some(Op::Capability | Op::Extension) => declared.push(words),
            _ => shown.push(words),
        }
    }
    // Conditional instructions come after unconditional ones.
    declared.sort_unstable();
    declared.into_iter().chain(shown).collect()
}

/// Returns the offsets of instructions that only prepare arguments of untaken calls: variables that are never read, stores to them, and
/// unused results.
fn for_nothing(module: &Module) -> BTreeSet<u32> {
    let mut dropped = BTreeSet::new();
    loop {
        let mut uses: HashMap<u32, usize> = HashMap::new();
        let mut writes: HashMap<u32, usize> = HashMap::new();
        let bodies = || module.functions().iter().flat_map(|function| module.body(function));
        for inst in bodies().filter(|inst| !dropped.contains(&inst.offset())) {
            module.walk(&inst, &mut |_: usize, id: u32| *uses.entry(id).or_default() += 1);
            if inst.is(Op::Store) {
                *writes.entry(inst.word(1)).or_default() += 1;
            }
        }
        let before = dropped.len();
        for inst in bodies() {
            let only_written = |id: u32| uses.get(&id) == Some(&(1 + writes.get(&id).copied().unwrap_or(0)));
            let is_local = |id: u32| {
                let cast = module.definition_as(id, Op::PtrCastToGeneric);
                let id = cast.map_or(id, |cast| cast.word(3));
                module.definition_as(id, Op::Variable).is_some() && !module.is_global(id)
            };
            let goes = match inst.op() {
                Some(Op::Store) => is_local(inst.word(1)) && only_written(inst.word(1)),
                Some(
                    Op::Variable | Op::Load | Op::PtrCastToGeneric | Op::Bitcast | Op::InBoundsPtrAccessChain,
                ) => uses.get(&inst.word(2)) == Some(&1),
                _ => false,
            };
            if goes {
                dropped.insert(inst.offset());
            }
        }
        if dropped.len() == before {
            return dropped;
        }
    }
}
