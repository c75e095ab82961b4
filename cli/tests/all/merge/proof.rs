//! Pairs of real modules: `scripts/prove.sh merge`. Each module of a folder is merged with the most similar one, such as another build of the same
//! source. Specializing must restore it on every device of the table, and a bundle of
//! ready shaders must have the same words.
//!
//! MERGE_PROOF_DIRS has the folders, with colons between them; MERGE_PROOF_SAMPLE the number of modules of each folder that are taken, evenly:
//! all, without it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use libtest_mimic::Trial;
use spirv_if::Module;

use super::{MergeCounts, VALIDATION, compare, devices, environment};
use crate::common::{Batch, words_of};
use crate::registry::{ignored_without, trial};

/// The numbers by which modules are compared.
const SIGNATURE: usize = 64;
/// The instructions in a row that are compared.
const WINDOW: usize = 4;

struct Real {
    name: String,
    words: Vec<u32>,
    /// The version and the memory model.
    kind: Vec<u32>,
    /// The smallest hash of all code by each of several orders.
    signature: [u64; SIGNATURE],
}

pub fn trials() -> Vec<Trial> {
    let folders = std::env::var_os("MERGE_PROOF_DIRS");
    let trial = trial(module_path!(), "pairs_come_back", move || {
        folders.iter().flat_map(std::env::split_paths).for_each(|folder| prove(&folder));
    });
    let missing = std::env::var_os("MERGE_PROOF_DIRS")
        .is_none()
        .then_some("MERGE_PROOF_DIRS; scripts/prove.sh merge runs it");
    vec![ignored_without(trial, missing)]
}

fn prove(folder: &Path) {
    let files = files(folder);
    let modules: Vec<Real> = files.iter().filter_map(|path| Real::read(folder, path)).collect();
    assert!(modules.len() > 1, "{} has no two modules", folder.display());
    let count = std::env::var("MERGE_PROOF_SAMPLE").map_or(modules.len(), |count| count.parse().unwrap());
    let step = modules.len().div_ceil(count.max(1));
    let mut seen = HashSet::new();
    let pairs: Vec<[usize; 2]> = (0..modules.len())
        .step_by(step)
        .filter_map(|at| Some([at, partner(&modules, at)?]))
        .filter(|&[one, other]| seen.insert([one.min(other), one.max(other)]))
        .collect();
    let (next, all) = (AtomicUsize::new(0), Mutex::new(MergeCounts::default()));
    let devices = devices();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(&[one, other]) = pairs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (one, other) = (&modules[one], &modules[other]);
                    let mut tally = MergeCounts { ready: Some(0), ..MergeCounts::default() };
                    let name = format!("{} and {}", one.name, other.name);
                    compare(&name, &[&one.words, &other.words], &devices, true, &mut tally);
                    all.lock().unwrap().add(tally);
                }
            });
        }
    });
    let mut tally = all.into_inner().unwrap();
    println!(
        "{}: {} modules, of {} files, {} pairs, {} of them one module, {:.2} of the sum of both; {} results compared, {} of ready shaders, {} devices refused",
        folder.display(),
        modules.len(),
        files.len(),
        pairs.len(),
        tally.merged,
        tally.result as f64 / tally.inputs as f64,
        tally.compared,
        tally.ready.unwrap_or_default(),
        tally.refused
    );
    tally.finish();
    assert!(2 * tally.merged > pairs.len(), "most pairs can be one module");
}

/// Returns the modules of a folder, at any depth.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let of = |path: PathBuf| match path.is_dir() {
        true => files(&path),
        false => Vec::from_iter(path.extension().is_some_and(|end| end == "spv").then_some(path)),
    };
    paths.into_iter().flat_map(of).collect()
}

/// The module with which one has most in common; `None` if there is none of its kind.
fn partner(modules: &[Real], at: usize) -> Option<usize> {
    let module = &modules[at];
    let common = |other: &Real| {
        module.signature.iter().zip(&other.signature).filter(|(left, right)| left == right).count()
    };
    let others = (0..modules.len()).filter(|&other| other != at);
    let others =
        others.filter(|&other| modules[other].kind == module.kind && modules[other].words != module.words);
    others.max_by_key(|&other| (common(&modules[other]), std::cmp::Reverse(other)))
}

impl Real {
    /// Reads a module; `None` if it is none, or not valid: compilers write such ones too.
    fn read(folder: &Path, path: &Path) -> Option<Real> {
        let words = words_of(&std::fs::read(path).unwrap());
        Module::from_words(&words[..]).ok()?;
        let mut module = Batch::with_options(VALIDATION);
        module.add("", &words, &environment(&words));
        if !module.problems().is_empty() {
            return None;
        }
        let name = path.strip_prefix(folder).unwrap().display().to_string();
        let mut real = Real { name, kind: vec![words[1]], signature: [u64::MAX; SIGNATURE], words };
        let mut row = [0; WINDOW];
        let mut rest = &real.words[5..];
        while let Some(first) = rest.first() {
            let (inst, next) = rest.split_at_checked((first >> 16).max(1) as usize)?;
            rest = next;
            if first & 0xffff == spirv::Op::MemoryModel as u32 {
                real.kind.extend(&inst[1..]);
            }
            row.rotate_left(1);
            row[WINDOW - 1] = *first;
            let hash = row.iter().fold(0, |hash, &word| mixed(hash ^ u64::from(word)));
            for (number, smallest) in (1..).zip(&mut real.signature) {
                *smallest = (*smallest).min(mixed(hash ^ number));
            }
        }
        Some(real)
    }
}

fn mixed(hash: u64) -> u64 {
    let hash = (hash ^ hash >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^ hash >> 29
}
