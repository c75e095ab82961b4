//! Real shaders without narrow numbers: `scripts/prove.sh lower`. It counts different ones that are lowered, and the others by reason. All results must be valid, and declare no lowered feature;
//! what is refused must have cooperative matrices.
//!
//! LOWER_PROOF_DIRS has the folders, with colons between them; LOWER_PROOF_SAMPLE the number of modules of each folder that are taken, evenly: all, without it.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use libtest_mimic::Trial;
use spirv::Capability;
use spirv_if::specialize::UnsetPolicy;

use super::{lowered, packed, storage};
use crate::common::{Batch, words_of};
use crate::drivers::routes::declared;
use crate::merge::proof::files;
use crate::registry::{ignored_without, trial};

/// Kinds of numbers, with the features of which a module declares one.
const KINDS: [(&str, &[&str]); 5] = [
    ("integers of 8 and 16 bits", &["Int8", "Int16"]),
    ("halves", &["Float16"]),
    ("bfloat16", &["BFloat16TypeKHR"]),
    ("memory of 8 and 16 bits", &[]),
    ("all of 8 and 16 bits", &["Int8", "Int16", "Float16", "BFloat16TypeKHR"]),
];

/// The capabilities of cooperative matrices.
const MATRICES: [Capability; 3] = [
    Capability::CooperativeMatrixKHR,
    Capability::CooperativeMatrixNV,
    Capability::CooperativeMatrixConversionsNV,
];

/// Modules with a kind of numbers, and reasons.
#[derive(Default)]
struct KindCounts {
    modules: usize,
    lowered: usize,
    refused: BTreeMap<String, usize>,
}

pub fn trials() -> Vec<Trial> {
    let folders = std::env::var_os("LOWER_PROOF_DIRS");
    let missing = folders.is_none().then_some("LOWER_PROOF_DIRS; scripts/prove.sh lower runs it");
    let trial = trial(module_path!(), "modules_are_lowered", move || {
        folders.iter().flat_map(std::env::split_paths).for_each(|folder| prove(&folder));
    });
    vec![ignored_without(trial, missing)]
}

fn prove(folder: &Path) {
    let files = files(folder);
    let count = std::env::var("LOWER_PROOF_SAMPLE").map_or(files.len(), |count| count.parse().unwrap());
    let step = files.len().div_ceil(count.max(1)).max(1);
    let mut counts: [KindCounts; 5] = Default::default();
    let mut batch = Batch::with_options(packed::VALIDATION);
    let mut seen = HashSet::new();
    for path in files.iter().step_by(step) {
        let words = words_of(&std::fs::read(path).unwrap());
        if !seen.insert(words.clone()) {
            continue;
        }
        let before = declared(&words);
        let has = |name: &str| before.contains(&(name.parse::<Capability>().unwrap() as u32));
        let has_matrices = MATRICES.iter().any(|&matrix| before.contains(&(matrix as u32)));
        for (&(kind, features), counts) in KINDS.iter().zip(&mut counts) {
            let memory =
                if kind.contains("memory") || kind.starts_with("all") { storage::FEATURES } else { "" };
            let all = features.iter().copied().chain(memory.split(',').filter(|name| !name.is_empty()));
            let all: Vec<&str> = all.filter(|name| has(name)).collect();
            if all.is_empty() {
                continue;
            }
            counts.modules += 1;
            let name = format!("{}, {kind}", path.display());
            match lowered(&words, &all.join(","), UnsetPolicy::Keep) {
                Ok(result) => {
                    let left = declared(&result.words);
                    let is_left = |name: &&&str| left.contains(&(name.parse::<Capability>().unwrap() as u32));
                    assert_eq!(all.iter().find(is_left), None, "{name}");
                    batch.add(name, &result.words, &packed::environment(&result.words));
                    counts.lowered += 1;
                }
                Err(error) => {
                    let error = error.to_string();
                    assert!(has_matrices && error.contains("(byte offset"), "{name}: {error}");
                    let reason = error.rsplit(": ").next().unwrap_or_default().to_owned();
                    *counts.refused.entry(reason).or_default() += 1;
                }
            }
        }
    }
    batch.assert_valid();
    println!("{}: {} different modules", folder.display(), seen.len());
    for ((kind, _), KindCounts { modules, lowered, refused }) in KINDS.iter().zip(counts) {
        println!("{kind}: {lowered} of {modules} are lowered");
        refused.into_iter().for_each(|(reason, count)| println!("  {count}: {reason}"));
    }
}
