//! A compiler's module resolved for a device is what packing and specializing makes of it, for every fixture and every device:
//! the same code, up to the numbers of ids, copies of the one result that there is, and constants that nothing refers to.

// Tests may unwrap; the lint only knows it of test functions, not of what they share.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use spirv::Op;
use spirv_if::analysis::{Annotated, Names};
use spirv_if::annotations::Annotations;
use spirv_if::condition::Leaf;
use spirv_if::device::{Device, DeviceConfig, DeviceParts};
use spirv_if::loader::Module;
use spirv_if::properties::{PropertyNames, PropertySets};
use spirv_if::recipes::{self, PackOptions, PackedModule};
use spirv_if::runtime::{KnownOn, settled};
use spirv_if::transform::pack;
use spirv_if::transform::specialize::specialize;
use spirv_if::transform::trim::trim;
use spirv_if::writer::{apply, property_sets};

/// What annotations a fixture has: those in the file of the same name.
fn annotated(name: &str, module: &Module) -> Annotated {
    let stem = Path::new(name).with_extension("yaml").to_string_lossy().replace("-O.", ".");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(stem);
    let Ok(text) = std::fs::read_to_string(path) else { return Annotated::default() };
    let annotations = Annotations::from_yaml(name, &text).unwrap();
    Annotated::resolve(module, &Names::new(module), &annotations).unwrap()
}

/// All devices that differ in what the conditions of a module ask, each with its answers.
fn devices(leaves: &[(u32, Leaf)]) -> BTreeMap<Vec<Option<bool>>, Device> {
    let config = DeviceConfig::embedded().unwrap();
    let answers = |device: &Device| leaves.iter().map(|(_, leaf)| device.truth(*leaf)).collect();
    let mut devices: BTreeMap<Vec<Option<bool>>, Device> =
        config.iter().map(|device| (answers(device), device.clone())).collect();
    for architecture in ["intel_gpu_pvc", "x86_64"] {
        let parts = DeviceParts { architecture: Some(architecture.into()), ..DeviceParts::default() };
        let device = Device::from_parts(&parts, None).unwrap();
        devices.entry(answers(&device)).or_insert(device);
    }
    devices
}

fn packed(module: &Module, annotated: &Annotated) -> PackedModule {
    let pack = pack::Options { annotated: annotated.clone(), ..pack::Options::default() };
    recipes::pack(module, &PackOptions { pack, ..PackOptions::default() }).unwrap()
}

fn known<'d>(device: &'d Device, packed: &pack::Packed) -> KnownOn<'d> {
    KnownOn::new(device, &property_sets(packed, PropertyNames::Design).unwrap()).unwrap()
}

fn trimmed(words: &[u32]) -> Vec<u32> {
    let module = Module::from_words(words).unwrap();
    apply(&module, &trim(&module).edits).unwrap()
}

/// Two ways to one module.
struct Ways {
    resolved: Vec<u32>,
    specialized: Vec<u32>,
}

fn ways(module: &Module, annotated: &Annotated, packed: &PackedModule, device: &Device) -> Ways {
    let nothing = PropertySets::default();
    let known_before = KnownOn::new(device, &nothing).unwrap();
    let set: Vec<(u32, u64)> = settled(device, &annotated.spec_constants)
        .unwrap()
        .into_iter()
        .map(|(spec_id, value)| (spec_id, value.into()))
        .collect();
    let options = Default::default();
    let resolved = recipes::resolve(module, annotated, device, &known_before, &set, &options).unwrap();
    let words = match resolved.packed {
        // What is open is decided by no more than is known.
        Some(open) if !open.leaves.is_empty() => {
            let module = Module::from_words(&resolved.words).unwrap();
            let known = known(device, &open);
            apply(&module, &specialize(&module, &known, &[], &Default::default()).unwrap().edits).unwrap()
        }
        _ => resolved.words,
    };
    let module = Module::from_words(&packed.words).unwrap();
    let known = known(device, &packed.packed);
    let specialized = specialize(&module, &known, &[], &Default::default()).unwrap();
    let specialized = apply(&module, &specialized.edits).unwrap();
    Ways { resolved: trimmed(&words), specialized: trimmed(&specialized) }
}

/// The instructions of a module, with ids numbered in the order in which they appear: annotations, types, constants and variables
/// that nothing refers to are left out, and copies are what they are copies of.
fn canonical(words: &[u32]) -> Vec<Vec<u32>> {
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
    let entry = |inst: &spirv_if::loader::Instruction| {
        matches!(inst.op(), Some(Op::EntryPoint | Op::ExecutionMode | Op::ExecutionModeId))
    };
    let bodies = module.functions().iter().flat_map(|function| module.body(function));
    for inst in bodies.chain(module.globals().filter(entry)) {
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
    let mut shown = Vec::new();
    for inst in module.instructions() {
        let about = match inst.op() {
            Some(Op::Name | Op::MemberName) => continue,
            Some(Op::Decorate | Op::MemberDecorate | Op::DecorateId) => Some(inst.word(1)),
            Some(Op::CopyObject) => continue,
            _ => inst.result_id(),
        };
        if about.is_some_and(|id| !referenced.contains(&id)) || inst.is(Op::Undef) {
            continue;
        }
        let mut words = inst.words().to_vec();
        module.walk(&inst, &mut |at: usize, id: u32| {
            let next = numbers.len() as u32 + 1;
            words[at] = *numbers.entry(original(id)).or_insert(next);
        });
        shown.push(words);
    }
    shown
}

#[test]
fn resolving_is_packing_and_specializing() {
    let mut compared = 0;
    let mut conditional = 0;
    for (name, words) in common::fixtures() {
        let module = Module::from_words(&words[..]).unwrap();
        let annotated = annotated(&name, &module);
        let packed = packed(&module, &annotated);
        conditional += usize::from(!packed.packed.leaves.is_empty());
        for (answers, device) in devices(&packed.packed.leaves) {
            let ways = ways(&module, &annotated, &packed, &device);
            let on = format!("{name} on {} ({answers:?})", device.name);
            let environment = format!("spv1.{}", words[1] >> 8 & 0xff);
            common::validate(&ways.resolved, &environment).unwrap_or_else(|error| panic!("{on}: {error}"));
            let (resolved, specialized) = (canonical(&ways.resolved), canonical(&ways.specialized));
            for (at, (left, right)) in resolved.iter().zip(&specialized).enumerate() {
                assert_eq!(left, right, "{on}: instruction {at}");
            }
            assert_eq!(resolved.len(), specialized.len(), "{on}");
            compared += 1;
        }
    }
    assert!(compared > 100 && conditional > 20, "{compared} {conditional}");
}
