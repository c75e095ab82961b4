//! The content of images.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use spirv::Op;

use super::support::{Images, SplitFixture, functions, images, split_fixtures};
use crate::images::{SplitInput, SplitMode, SplitOptions, split};
use crate::test_support::{Batch, bytes_of, run, tool, words_of};
use crate::tests::corpus::{Fixture, fixtures};
use spirv_if::engine::analysis::Analyses;
use spirv_if::engine::analysis::requirements::is_of_kernels;
use spirv_if::engine::compatibility::ModuleDeclarations;
use spirv_if::engine::device::capabilities;
use spirv_if::engine::loader::{Instruction, Module};
use spirv_if::engine::transform::trim::trim;
use spirv_if::property_sets::PropertySets;

/// Calls something with every image of every fixture that can be split; images that several modes have in common, once.
fn for_each_image(mut visit: impl FnMut(&str, &'static Fixture, &[u32], &[u32])) {
    let mut count = 0;
    let mut seen = HashSet::new();
    for SplitFixture { fixture, mode, split } in split_fixtures() {
        for (plan, image) in &split.images {
            let roots: Vec<u32> = plan.roots.iter().map(|&number| split.roots[number].function).collect();
            if seen.insert((&fixture.name, roots.clone(), &image.words)) {
                visit(
                    &format!("{} {mode:?} {:?}", fixture.name, image.symbols),
                    fixture,
                    &image.words,
                    &roots,
                );
            }
            count += 1;
        }
    }
    assert!(count > 200, "{count}");
}

/// The declarations of an image are known by its marks, without the image.
#[test]
fn declarations_of_roots_are_those_of_their_images() {
    let mut counts = BTreeMap::new();
    for fixture in fixtures() {
        let analyses = fixture.plain.analyses();
        for keeps_properties in [false, true] {
            let annotated = Cow::Owned(analyses.annotated().clone());
            let analyses = analyses.with_annotations(annotated).keeping_properties(keeps_properties);
            let options = SplitOptions::new().mode(SplitMode::Kernel);
            let split = split(analyses, Cow::Owned(PropertySets::default()), SplitInput::default(), options);
            let Ok(split) = split else { continue };
            let by_root = split.declarations_by_root().unwrap();
            for plan in split.plans() {
                let words = split.finished(split.image(plan).unwrap()).unwrap().words;
                let image = Module::from_words(words).unwrap();
                let analyses = Analyses::new(&image, Cow::default());
                if !analyses.calls().unwrap().is_empty() {
                    continue;
                }
                let expected = ModuleDeclarations::after_pack(&analyses).unwrap();
                for root in plan.roots.iter().map(|&number| &split.roots()[number]) {
                    let declared = &by_root[&(root.function, root.entry_point)];
                    assert_eq!(*declared, expected, "{} {}", fixture.name, root.name);
                    *counts.entry(is_of_kernels(&image)).or_insert(0) += 1;
                }
            }
        }
    }
    assert!(counts[&true] > 100 && counts[&false] > 50, "{counts:?}");
}

fn entry_points(module: &Module) -> Vec<(u32, String)> {
    let entry_points = module.globals().filter_map(|inst| match inst.op()? {
        Op::EntryPoint => Some((inst.word(1), inst.string(3).into_owned())),
        Op::ConditionalEntryPointINTEL => Some((inst.word(2), inst.string(4).into_owned())),
        _ => None,
    });
    entry_points.collect()
}

#[test]
fn every_entry_point_is_in_exactly_one_image_and_nothing_exported_is_lost() {
    let mut several = 0;
    for SplitFixture { fixture, mode, split } in split_fixtures() {
        let (name, module) = (&fixture.name, fixture.plain.module());
        let mut all = entry_points(module);
        all.sort();
        let images = split.images.iter().map(|(_, image)| Module::from_words(&image.words[..]).unwrap());
        let images: Vec<Module> = images.collect();
        let mut names: Vec<_> = images.iter().flat_map(entry_points).collect();
        names.sort();
        assert_eq!(names, all, "{name} {mode:?}");
        let names = fixture.plain.analyses().names();
        let mut exported: BTreeSet<u32> = functions(module);
        exported.retain(|&id| names.is_exported(id));
        for image in &images {
            let held = functions(image);
            exported.retain(|id| !held.contains(id));
        }
        assert!(exported.is_empty(), "{name} {mode:?}: {exported:?} are in no image");
        let numbers: BTreeSet<usize> = split.images.iter().flat_map(|(plan, _)| plan.roots.clone()).collect();
        assert_eq!(numbers.len(), split.roots.len(), "{name} {mode:?}");
        if *mode == SplitMode::Kernel {
            assert_eq!(split.images.len(), split.roots.len(), "{name}");
            several += usize::from(split.images.len() > 1);
        }
    }
    assert!(several >= 10, "{several}");
}

#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn images_are_valid() {
    let mut environments: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    let mut written = Batch::default();
    for_each_image(|name, fixture, image, _| {
        environments.insert(&fixture.name, fixture.environment());
        if let Some(environment) = fixture.environment() {
            written.add(name, image, environment);
        }
    });
    written.assert_valid();
    let valid = environments.values().flatten().count();
    assert!(valid * 10 >= environments.len() * 9, "{environments:?}");
}

/// Checks that the instructions of an image are instructions of the module, in the same order, with the same ids and words. Only interface
/// lists and targets of decoration groups may be shorter, and debug information may name DebugInfoNone instead.
#[test]
fn images_hold_the_instructions_of_the_module() {
    for_each_image(|name, fixture, image, _| {
        let module = fixture.plain.module();
        let image = Module::from_words(image).unwrap();
        let mut all = module.instructions();
        for inst in image.instructions() {
            let same = |other: &Instruction| match inst.op() {
                Some(Op::EntryPoint | Op::ConditionalEntryPointINTEL) => {
                    (other.opcode(), other.words().get(1..4)) == (inst.opcode(), inst.words().get(1..4))
                }
                Some(Op::GroupDecorate | Op::GroupMemberDecorate) => {
                    (other.opcode(), other.word(1)) == (inst.opcode(), inst.word(1))
                }
                Some(Op::ExtInst) if spirv_if::engine::analysis::is_debug(&image, &inst) => {
                    (other.opcode(), other.words().get(1..5)) == (inst.opcode(), inst.words().get(1..5))
                }
                // A weaker capability may be enough in an image.
                Some(Op::Capability) => {
                    other.is(Op::Capability) && capabilities::is_or_implies(other.word(1), inst.word(1))
                }
                _ => other.words() == inst.words(),
            };
            let is_new = inst.result_id().is_some_and(|id| id >= module.bound());
            assert!(is_new || all.any(|other| same(&other)), "{name}: {} {:?}", inst.name(), inst.words());
        }
        for function in image.functions().iter().filter(|_| !name.starts_with("debug/")) {
            let declared = module.function(function.id).unwrap();
            let body = &module.words()[declared.start as usize..declared.end as usize];
            assert_eq!(body, &image.words()[function.start as usize..function.end as usize], "{name}");
        }
    });
}

/// Checks that the functions of an image are the functions that its roots refer to, recomputed by following all operands.
#[test]
fn images_hold_the_static_call_graph() {
    for_each_image(|name, fixture, image, roots| {
        let module = fixture.plain.module();
        let mut reached = BTreeSet::new();
        let mut seen = HashSet::new();
        let mut open = roots.to_vec();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let mut read = |inst: Instruction| {
                if module.set_kind(&inst) != Some(spirv_if::engine::loader::SetKind::Debug) {
                    module.walk(&inst, &mut |_, used: u32| open.push(used));
                }
            };
            match module.function(id) {
                Some(function) => {
                    reached.insert(id);
                    module.body(function).for_each(&mut read);
                }
                None => module.definition(id).into_iter().for_each(&mut read),
            }
        }
        let image = Module::from_words(image).unwrap();
        let twins: BTreeSet<u32> = functions(&image).difference(&reached).copied().collect();
        let names = fixture.plain.analyses().names();
        assert!(twins.iter().all(|&id| names.kernel_of(id).is_some()), "{name}: {twins:?}");
        assert!(reached.is_subset(&functions(&image)), "{name}");
    });
}

/// Checks that each instruction before the functions is used, or concerns the whole module.
#[test]
fn images_hold_nothing_else() {
    for_each_image(|name, _, image, _| {
        let image = Module::from_words(image).unwrap();
        let mut used = HashSet::new();
        for inst in image.instructions() {
            let silent = matches!(inst.op(), Some(Op::Name | Op::MemberName | Op::TypeForwardPointer));
            let result_id = inst.result_id();
            let described = matches!(
                inst.op(),
                Some(
                    Op::Decorate
                        | Op::MemberDecorate
                        | Op::DecorateId
                        | Op::DecorateString
                        | Op::MemberDecorateString
                        | Op::GroupDecorate
                )
            );
            image.walk(&inst, &mut |at, id: u32| {
                if Some(id) != result_id && !silent && !(described && at == 1) {
                    used.insert(id);
                }
            });
        }
        let sizes: HashSet<u32> = image
            .globals()
            .filter(|inst| inst.is(Op::Decorate) && inst.words_from(2) == [11, 25])
            .map(|inst| inst.word(1))
            .collect();
        for inst in image.globals() {
            let Some(id) = inst.result_id() else { continue };
            let known = used.contains(&id) || sizes.contains(&id) || inst.is(Op::ExtInst);
            assert!(known, "{name}: {} %{id} has no use", inst.name());
        }
        let trimmed = trim(&image);
        assert!(trimmed.edits.is_empty(), "{name}: {:?} {:?}", trimmed.capabilities, trimmed.extensions);
    });
}

/// Checks that spirv-opt finds no dead function in an image without pointers to functions, which spirv-opt does not see.
#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn spirv_opt_finds_nothing_dead() {
    let optimizer = tool("SPIRV_OPT", "spirv-opt");
    let passes = ["--eliminate-dead-functions", "--preserve-bindings", "-o", "-", "-"];
    for_each_image(|name, fixture, image, _| {
        let module = fixture.plain.module();
        let takes_pointers = module.globals().any(|inst| inst.is(Op::ConstantFunctionPointerINTEL));
        if takes_pointers || !name.contains("Kernel") {
            return;
        }
        let Ok(optimized) = run(&optimizer, &passes, &bytes_of(image)) else { return };
        let count = |words: &[u32]| Module::from_words(words).unwrap().functions().len();
        assert_eq!(count(image), count(&words_of(&optimized)), "{name}");
    });
}

#[test]
fn the_same_module_gives_the_same_images() {
    let all = |split: &Images| -> Vec<_> {
        split.images.iter().map(|(_, image)| (image.words.clone(), image.properties.clone())).collect()
    };
    let mut compared = BTreeSet::new();
    for SplitFixture { fixture, mode, split } in split_fixtures() {
        if *mode == SplitMode::Kernel && fixtures()[..20].iter().any(|other| other.name == fixture.name) {
            let again = images(fixture.words(), *mode).unwrap();
            assert_eq!(all(split), all(&again));
            compared.insert(&fixture.name);
        }
    }
    assert!(compared.len() > 5, "{compared:?}");
}

/// The properties are read back as they were, in either spelling, and their reader is happy.
#[test]
fn properties_are_read_back() {
    for (_, image) in split_fixtures().iter().flat_map(|fixture| &fixture.split.images) {
        let text = image.properties.to_text();
        assert_eq!(PropertySets::parse("p", &text).unwrap(), image.properties);
    }
}
