//! The content of images.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use spirv::Op;

use super::support::{MODES, environment, functions, images};
use crate::analysis::Names;
use crate::loader::{Instruction, Module};
use crate::pipelines::PipelineError;
use crate::pipelines::split::Mode;
use crate::test_support::{bytes_of, fixtures, run, tool, validate, words_of};
use crate::transform::trim::trim;

/// Calls something with every image of every fixture that can be split.
fn for_each_image(mut visit: impl FnMut(&str, &Module, &[u32], &[u32])) {
    let mut count = 0;
    for (name, words) in fixtures() {
        let module = Module::from_words(&words[..]).unwrap();
        for mode in MODES {
            let split = match images(&words, mode) {
                Err(PipelineError::NoEntryPoint | PipelineError::NoRoots) => continue,
                result => result.unwrap_or_else(|error| panic!("{name}: {error}")),
            };
            for (plan, image) in &split.images {
                let roots: Vec<u32> = plan.roots.iter().map(|&number| split.roots[number].function).collect();
                visit(&format!("{name} {mode:?} {:?}", image.symbols), &module, &image.words, &roots);
                count += 1;
            }
        }
    }
    assert!(count > 200, "{count}");
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
    for (name, words) in fixtures() {
        let module = Module::from_words(&words[..]).unwrap();
        let mut all = entry_points(&module);
        all.sort();
        for mode in MODES {
            let Ok(split) = images(&words, mode) else { continue };
            let mut found: Vec<_> = split
                .images
                .iter()
                .flat_map(|(_, image)| entry_points(&Module::from_words(&image.words[..]).unwrap()))
                .collect();
            found.sort();
            assert_eq!(found, all, "{name} {mode:?}");
            let names = Names::new(&module);
            let mut exported: BTreeSet<u32> = functions(&module);
            exported.retain(|&id| names.is_exported(id));
            for (_, image) in &split.images {
                let held = functions(&Module::from_words(&image.words[..]).unwrap());
                exported.retain(|id| !held.contains(id));
            }
            assert!(exported.is_empty(), "{name} {mode:?}: {exported:?} are in no image");
            let numbers: BTreeSet<usize> =
                split.images.iter().flat_map(|(plan, _)| plan.roots.clone()).collect();
            assert_eq!(numbers.len(), split.roots.len(), "{name} {mode:?}");
            if mode == Mode::Kernel {
                assert_eq!(split.images.len(), split.roots.len(), "{name}");
                several += usize::from(split.images.len() > 1);
            }
        }
    }
    assert!(several >= 10, "{several}");
}

#[test]
fn images_are_valid() {
    let mut environments: BTreeMap<String, Option<&str>> = BTreeMap::new();
    for_each_image(|name, module, image, _| {
        let fixture = name.split(' ').next().unwrap().to_owned();
        let environment = *environments.entry(fixture).or_insert_with(|| environment(module.words()));
        if let Some(environment) = environment {
            validate(image, environment).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    });
    let valid = environments.values().flatten().count();
    assert!(valid * 10 >= environments.len() * 9, "{environments:?}");
}

/// Each instruction of an image is one of the module, and they stand in the same order: ids are kept, and so are all words. Only
/// interface lists and targets of decoration groups may be shorter, and debug information may name DebugInfoNone instead.
#[test]
fn images_hold_the_instructions_of_the_module() {
    for_each_image(|name, module, image, _| {
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
                Some(Op::ExtInst) if crate::analysis::is_debug(&image, &inst) => {
                    (other.opcode(), other.words().get(1..5)) == (inst.opcode(), inst.words().get(1..5))
                }
                _ => other.words() == inst.words(),
            };
            let is_new = inst.result_id().is_some_and(|id| id >= module.bound());
            assert!(is_new || all.any(|other| same(&other)), "{name}: {} {:?}", inst.name(), inst.words());
        }
        for function in image.functions().iter().filter(|_| !name.starts_with("debug/")) {
            let own = module.function(function.id).unwrap();
            let body = &module.words()[own.start as usize..own.end as usize];
            assert_eq!(body, &image.words()[function.start as usize..function.end as usize], "{name}");
        }
    });
}

/// The functions of an image are those that its roots refer to, found anew by following all operands.
#[test]
fn images_hold_the_static_call_graph() {
    for_each_image(|name, module, image, roots| {
        let mut found = BTreeSet::new();
        let mut seen = HashSet::new();
        let mut open = roots.to_vec();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let mut read = |inst: Instruction| {
                if module.set_kind(&inst) != Some(crate::loader::SetKind::Debug) {
                    module.walk(&inst, &mut |_, used: u32| open.push(used));
                }
            };
            match module.function(id) {
                Some(function) => {
                    found.insert(id);
                    module.body(function).for_each(&mut read);
                }
                None => module.definition(id).into_iter().for_each(&mut read),
            }
        }
        let image = Module::from_words(image).unwrap();
        let twins: BTreeSet<u32> = functions(&image).difference(&found).copied().collect();
        let names = Names::new(module);
        assert!(twins.iter().all(|&id| names.kernel_of(id).is_some()), "{name}: {twins:?}");
        assert!(found.is_subset(&functions(&image)), "{name}");
    });
}

/// Of what stands before the functions, each thing has a use, or speaks of the whole module.
#[test]
fn images_hold_nothing_else() {
    for_each_image(|name, _, image, _| {
        let image = Module::from_words(image).unwrap();
        let mut used = HashSet::new();
        for inst in image.instructions() {
            let silent = matches!(inst.op(), Some(Op::Name | Op::MemberName | Op::TypeForwardPointer));
            let own = inst.result_id();
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
                if Some(id) != own && !silent && !(described && at == 1) {
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

/// spirv-opt finds no dead function in an image, where there are no pointers to functions, which it does not see.
#[test]
fn spirv_opt_finds_nothing_dead() {
    let Some(optimizer) = tool("SPIRV_OPT", "spirv-opt") else { return };
    let passes = ["--eliminate-dead-functions", "--preserve-bindings", "-o", "-", "-"];
    for_each_image(|name, module, image, _| {
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
    for (_, words) in fixtures().into_iter().take(20) {
        let all = |mode| {
            images(&words, mode).ok().map(|split| {
                split.images.into_iter().map(|(_, image)| (image.words, image.properties)).collect::<Vec<_>>()
            })
        };
        assert_eq!(all(Mode::Kernel), all(Mode::Kernel));
    }
}
