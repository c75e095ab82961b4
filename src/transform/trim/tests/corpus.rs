//! The modules to check.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::cache::hash;
use crate::test_support;

/// A module to check.
pub enum CorpusModule {
    /// A file and its name below the folder.
    File(String, PathBuf),
    /// A module in memory.
    Words(String, Vec<u32>),
}

impl CorpusModule {
    /// Returns its name in reports.
    pub fn name(&self) -> &str {
        match self {
            CorpusModule::File(name, _) | CorpusModule::Words(name, _) => name,
        }
    }

    /// Returns the module.
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            CorpusModule::File(_, path) => std::fs::read(path).unwrap(),
            CorpusModule::Words(_, words) => test_support::bytes_of(words),
        }
    }
}

/// Capabilities of which each module of the sample does not require some, so that `trim` has some to find: Geometry,
/// Tessellation, Float64, Int64, Int16, GroupNonUniform and GroupNonUniformBallot.
const ADDED: [u32; 7] = [2, 3, 10, 11, 22, 61, 64];

/// Returns the fixtures, and the modules that naga and slangc make of scripts/corpus, both unchanged and with unneeded
/// capabilities. The latter are copies in target/corpus; those of naga have SPIR-V 1.3 and no debug information.
pub fn sample() -> Vec<CorpusModule> {
    let mut modules = test_support::fixtures();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/transform/trim/tests/modules");
    for (_, inputs) in groups(&folder, None) {
        assert!(inputs.len() >= 10, "the modules are there");
        modules.extend(
            inputs.iter().map(|input| (input.name().to_string(), test_support::words_of(&input.bytes()))),
        );
    }
    let mut inputs = Vec::new();
    for (name, words) in modules {
        let declarations: Vec<u32> =
            ADDED.iter().flat_map(|&capability| test_support::instruction(17, &[capability])).collect();
        let more = [&words[..5], &declarations, &words[5..]].concat();
        inputs.push(CorpusModule::Words(format!("{name} with more"), more));
        inputs.push(CorpusModule::Words(name, words));
    }
    inputs
}

/// Returns the modules below a folder, by the folders directly in it. A sample has this number of modules of each, always the same ones.
pub fn groups(root: &Path, sample: Option<usize>) -> Vec<(String, Vec<CorpusModule>)> {
    let mut groups: BTreeMap<PathBuf, Vec<(String, PathBuf)>> = BTreeMap::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "spv") {
                let below = path.strip_prefix(root).unwrap();
                let first = below.components().next().unwrap();
                let group = if below.components().count() == 1 { root.into() } else { root.join(first) };
                let name = path.strip_prefix(&group).unwrap().display().to_string();
                groups.entry(group).or_default().push((name, path));
            }
        }
    }
    let groups = groups.into_iter().map(|(group, mut files)| {
        if let Some(count) = sample {
            files.sort_by_cached_key(|(name, _)| hash(name));
            files.truncate(count);
        }
        files.sort();
        let inputs = files.into_iter().map(|(name, path)| CorpusModule::File(name, path)).collect();
        (group.display().to_string(), inputs)
    });
    groups.collect()
}
