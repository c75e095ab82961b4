//! `specialize --set ... --trim` beside passes of spirv-opt that inline all calls first: the blocks that are left for each path of calls, the
//! capabilities and the size. Branches that literal arguments decide for some calls, whatever values constants have, do not count: functions get
//! no clones for them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::catch_unwind;

use super::compare::{
    CRASHES, REFUSED, SETTINGS, TestConstant, TestSetting, capabilities, constants, environment, in_parallel,
    is_refused, judge, left_out_as, modules_of_folders, optimized, spec_fixtures,
};
use super::markers::{MarkerCounts, count_markers, marked};
use crate::analysis::Analyses;
use crate::analysis::constants::SetValues;
use crate::analysis::flow::CallCloneLimits;
use crate::compatibility::DeviceValues;
use crate::device::Device;
use crate::loader::Module;
use crate::metadata::property_sets::PropertySets;
use crate::pipelines::call_clones::with_call_clones;
use crate::test_support::{fixtures, tool};
use crate::transform::specialize::UnsetPolicy;
use crate::{Prepared, Settings};

/// The passes that make values known.
const FREEZING: [&str; 2] = ["--freeze-spec-const", "--fold-spec-const-op-composite"];
/// Inlining, constant propagation, simplification and removal of dead branches.
const INLINING: [&str; 23] = [
    "--wrap-opkill",
    "--eliminate-dead-branches",
    "--merge-return",
    "--inline-entry-points-exhaustive",
    "--eliminate-dead-functions",
    "--private-to-local",
    "--eliminate-local-single-block",
    "--eliminate-local-single-store",
    "--scalar-replacement=0",
    "--convert-local-access-chains",
    "--eliminate-local-single-block",
    "--eliminate-local-single-store",
    "--ssa-rewrite",
    "--ccp",
    "--simplify-instructions",
    "--eliminate-dead-branches",
    "--ssa-rewrite",
    "--copy-propagate-arrays",
    "--ccp",
    "--simplify-instructions",
    "--eliminate-dead-branches",
    "--eliminate-dead-functions",
    "--trim-capabilities",
];
/// Options of spirv-opt: all passes for speed, with aggressive removal of dead code.
const OPTIMIZING: [&str; 2] = ["-O", "--trim-capabilities"];

/// Bounds that no module reaches.
const UNLIMITED: CallCloneLimits =
    CallCloneLimits { groups: 1 << 10, work: 1 << 26, growth: 6400, rounds: 16 };

/// Returns the result of our library for a module, as its users get it.
fn ours(words: &[u32], values: &[(u32, u64)], constants: &[TestConstant]) -> Result<Vec<u32>, String> {
    let module = crate::Module::from_words(words).map_err(|error| error.to_string())?;
    let prepared = Prepared::new(&module).map_err(|error| error.to_string())?;
    let pairs = values.iter().zip(constants);
    let settings = pairs.fold(Settings::new().trim(true), |settings, (&(spec_id, value), constant)| {
        settings.set(spec_id, constant.value(value))
    });
    let result = prepared.specialize(&Device::default(), &settings);
    Ok(result.map_err(|error| error.to_string())?.words)
}

/// Returns a module with all clones that its calls request.
fn with_all_clones(words: &[u32], values: &[(u32, u64)]) -> Option<Vec<u32>> {
    let module = Module::from_words(words).unwrap();
    let analyses = Analyses::new(&module, Cow::default());
    let device = Device::default();
    let known = DeviceValues::new(&device, &PropertySets::default()).unwrap();
    let cloned = with_call_clones(&analyses, &known, &SetValues::from(values), UnsetPolicy::Keep, &UNLIMITED);
    cloned.unwrap().module.map(|module| module.words().to_vec())
}

/// Returns the markers that occur in one result more often than in another.
fn excess(ours: &MarkerCounts, theirs: &MarkerCounts) -> BTreeSet<u32> {
    let is_more = |(marker, count): &(&u32, &u64)| theirs.get(marker).is_none_or(|other| *count > other);
    ours.iter().filter(is_more).map(|(&marker, _)| marker).collect()
}

/// The figures of one module or many.
#[derive(Debug, Default)]
pub struct InlinedFigures {
    pub modules: usize,
    pub settings: usize,
    pub left_out: BTreeMap<String, usize>,
    /// Blocks, counted once for each path of calls.
    pub blocks_before: u64,
    pub blocks_ours: u64,
    pub blocks_theirs: u64,
    /// Settings for which a bound of clones leaves blocks.
    pub bounded: Vec<String>,
    /// Settings for which literal arguments decide branches for some calls.
    pub by_literals: usize,
    pub only_theirs_keeps_blocks: usize,
    pub only_theirs_keeps_capabilities: usize,
    /// Settings with capabilities that spirv-opt -O drops with stores that others overwrite, or with unused code of the
    /// module.
    pub unused: Vec<String>,
    /// Settings with which each result keeps a capability that the other drops.
    pub exchanged: usize,
    pub bytes_ours: usize,
    pub bytes_theirs: usize,
    pub larger: BTreeMap<String, f64>,
    pub problems: Vec<String>,
}

impl InlinedFigures {
    fn add(&mut self, other: InlinedFigures) {
        self.modules += other.modules;
        self.settings += other.settings;
        for (why, count) in other.left_out {
            *self.left_out.entry(why).or_default() += count;
        }
        self.blocks_before = self.blocks_before.saturating_add(other.blocks_before);
        self.blocks_ours = self.blocks_ours.saturating_add(other.blocks_ours);
        self.blocks_theirs = self.blocks_theirs.saturating_add(other.blocks_theirs);
        self.bounded.extend(other.bounded);
        self.only_theirs_keeps_blocks += other.only_theirs_keeps_blocks;
        self.only_theirs_keeps_capabilities += other.only_theirs_keeps_capabilities;
        self.by_literals += other.by_literals;
        self.unused.extend(other.unused);
        self.exchanged += other.exchanged;
        self.bytes_ours += other.bytes_ours;
        self.bytes_theirs += other.bytes_theirs;
        self.larger.extend(other.larger);
        self.problems.extend(other.problems);
    }

    fn leave_out(&mut self, why: &str) {
        *self.left_out.entry(left_out_as(why)).or_default() += 1;
    }
}

/// Compares the results for a module with every setting.
pub fn compare_inlined(name: &str, words: &[u32], settings: &[TestSetting]) -> InlinedFigures {
    let mut figures = InlinedFigures { modules: 1, ..InlinedFigures::default() };
    let optimizer = tool("SPIRV_OPT", "spirv-opt");
    let Some(environment) = environment(words) else {
        figures.leave_out(&format!("the module itself: {name}"));
        return figures;
    };
    let constants = constants(&Module::from_words(words).unwrap());
    let marked = marked(words).unwrap();
    if let Err(error) = judge(&marked, &environment) {
        figures.leave_out(&format!("the module with markers: {error}"));
        return figures;
    }
    let before = count_markers(&marked);
    let open = match optimized(&optimizer, &marked, &environment, "", &INLINING) {
        Ok(words) => count_markers(&words),
        Err(error) => {
            figures.leave_out(&format!("{CRASHES} {error}"));
            return figures;
        }
    };
    if !stays_without_values(words) {
        figures.problems.push(format!("{name}: changes without values of constants"));
    }
    let mut seen = BTreeSet::new();
    for setting in settings {
        let values = setting.values(&constants);
        if !seen.insert(values.clone()) {
            continue;
        }
        let text = TestSetting::text(&values, &constants);
        let name = format!("{name} ({}: {text})", setting.name);
        let ours = |words: &[u32]| {
            let outcome = catch_unwind(|| ours(words, &values, &constants));
            outcome.unwrap_or_else(|_| Err("it panics".to_owned()))
        };
        let theirs = |words: &[u32], passes: &[&str]| {
            optimized(&optimizer, words, &environment, &text, &[&FREEZING, passes].concat())
        };
        let pair = (|| Ok::<_, String>((ours(&marked)?, ours(words)?)))();
        let (our_marked, our_words) = match pair {
            Ok(pair) => pair,
            Err(error) => {
                match is_refused(&error) {
                    true => figures.leave_out(REFUSED),
                    false => figures.problems.push(format!("{name}: {error}")),
                }
                continue;
            }
        };
        let pair = (|| Ok::<_, String>((theirs(&marked, &INLINING)?, theirs(words, &OPTIMIZING)?)))();
        let (their_marked, their_words) = match pair {
            Ok(pair) => pair,
            Err(error) => {
                figures.leave_out(&format!("{CRASHES} {error}"));
                continue;
            }
        };
        if let Err(error) = judge(&our_marked, &environment).and_then(|()| judge(&our_words, &environment)) {
            match judge(&their_words, &environment) {
                Ok(()) => figures.problems.push(format!("{name}: not valid for {environment}: {error}")),
                Err(_) => figures.leave_out(&error),
            }
            continue;
        }
        figures.settings += 1;
        let (our_counts, their_counts) = (count_markers(&our_marked), count_markers(&their_marked));
        let sum = |counts: &MarkerCounts| counts.values().fold(0u64, |sum, &count| sum.saturating_add(count));
        figures.blocks_before = figures.blocks_before.saturating_add(sum(&before));
        figures.blocks_ours = figures.blocks_ours.saturating_add(sum(&our_counts));
        figures.blocks_theirs = figures.blocks_theirs.saturating_add(sum(&their_counts));
        figures.only_theirs_keeps_blocks += excess(&their_counts, &our_counts).len();
        let extra = excess(&our_counts, &their_counts);
        if !extra.is_empty() {
            // Where literals decide branches, so many fewer copies of a block are left without any values of constants.
            let mut allowed = their_counts.clone();
            for (marker, count) in &before {
                *allowed.entry(*marker).or_default() += count - open.get(marker).unwrap_or(&0).min(count);
            }
            let is_by_literals = excess(&our_counts, &allowed).is_empty();
            let all_clones = with_all_clones(&marked, &values).and_then(|cloned| ours(&cloned).ok());
            let with_clones = all_clones.map_or(our_counts.clone(), |words| count_markers(&words));
            let rest = excess(&with_clones, &allowed);
            let shown = |markers: &BTreeSet<u32>, ours: &MarkerCounts| {
                let count = |marker: &u32| {
                    let [ours, theirs] = [ours, &their_counts].map(|counts| counts.get(marker).unwrap_or(&0));
                    format!("{}: {ours} for {theirs}", marker & 0xffff)
                };
                markers.iter().map(count).collect::<Vec<_>>().join(", ")
            };
            match (is_by_literals, rest.is_empty()) {
                (true, _) => figures.by_literals += 1,
                (false, true) => {
                    figures.bounded.push(format!("{name}: blocks {}", shown(&extra, &our_counts)))
                }
                (false, false) => {
                    figures.problems.push(format!("{name}: keeps blocks {}", shown(&rest, &with_clones)));
                }
            }
        }
        let required = capabilities(&their_words);
        let unused: Vec<String> = names(capabilities(&our_words).difference(&required));
        if !unused.is_empty() {
            figures.unused.push(format!("{name}: {}", unused.join(", ")));
        }
        let (our_capabilities, their_capabilities) = (capabilities(&our_marked), capabilities(&their_marked));
        let extra: Vec<_> = our_capabilities.difference(&their_capabilities).collect();
        let less = their_capabilities.difference(&our_capabilities).count();
        if !extra.is_empty() && less > 0 {
            // Where either of two would do, trim and spirv-opt may keep another.
            figures.exchanged += 1;
        } else if !extra.is_empty() {
            let extra = names(extra.into_iter()).join(", ");
            figures.problems.push(format!("{name}: keeps capabilities {extra}"));
        }
        figures.only_theirs_keeps_capabilities += less;
        figures.bytes_ours += 4 * our_words.len();
        figures.bytes_theirs += 4 * their_words.len();
        figures.larger.insert(name, our_words.len() as f64 / their_words.len() as f64);
    }
    figures
}

fn names<'c>(capabilities: impl Iterator<Item = &'c u32>) -> Vec<String> {
    capabilities.map(|&number| format!("{:?}", spirv::Capability::from_u32(number).unwrap())).collect()
}

/// Returns true if a module has constants to set, and branches.
fn may_be_decided(words: &[u32]) -> bool {
    let Ok(module) = Module::from_words(words) else { return false };
    let mut bodies = module.functions().iter().flat_map(|function| module.body(function));
    let is_branch =
        |op: Option<spirv::Op>| matches!(op, Some(spirv::Op::BranchConditional | spirv::Op::Switch));
    !constants(&module).is_empty() && bodies.any(|inst| is_branch(inst.op()))
}

/// Returns true if specializing without values leaves a module unchanged.
fn stays_without_values(words: &[u32]) -> bool {
    let module = crate::Module::from_words(words).unwrap();
    let prepared = Prepared::new(&module).unwrap();
    prepared.specialize(&Device::default(), &Settings::new()).unwrap().words == words
}

#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn fixtures_keep_no_more_than_with_inlining() {
    let scenes = fixtures().into_iter().filter(|(name, _)| name.starts_with("scene/"));
    let mut all = InlinedFigures::default();
    for (name, words) in scenes.chain(spec_fixtures()) {
        assert!(may_be_decided(&words), "{name}");
        let figures = compare_inlined(&name, &words, &SETTINGS.map(TestSetting::without_zero));
        assert!(figures.problems.is_empty(), "{:#?}", figures.problems);
        assert!(
            figures.left_out.keys().all(|why| why.starts_with(CRASHES) || why == REFUSED),
            "{:?}",
            figures.left_out
        );
        all.add(figures);
    }
    assert!(all.settings >= 30, "{all:?}");
    // The colour of a scene is overwritten.
    assert!(all.unused.len() <= 1, "{:#?}", all.unused);
    assert!(all.blocks_ours * 3 < all.blocks_before * 2, "{all:?}");
}

/// Whole folders, which `scripts/prove.sh fold` names.
#[test]
#[ignore = "takes minutes; scripts/prove.sh fold runs it"]
fn folders() {
    let chosen = modules_of_folders(may_be_decided);
    let mut all = InlinedFigures::default();
    in_parallel(&chosen, |name, words| compare_inlined(name, words, &SETTINGS), |figures| all.add(figures));
    all.problems.iter().for_each(|problem| println!("{problem}"));
    println!(
        "{} modules with constants and branches, {} settings compared; left out:",
        all.modules, all.settings
    );
    all.left_out.iter().for_each(|(why, count)| println!("  {count} times: {why}"));
    println!("literals alone decide more for {} settings", all.by_literals);
    println!("bounds of clones leave blocks for {} settings:", all.bounded.len());
    all.bounded.iter().for_each(|bounded| println!("  {bounded}"));
    println!(
        "blocks for each path of calls: {} before, {} ours, {} theirs; only theirs keeps {}",
        all.blocks_before, all.blocks_ours, all.blocks_theirs, all.only_theirs_keeps_blocks
    );
    println!(
        "capabilities: only theirs keeps {} (each another one: {} settings)",
        all.only_theirs_keeps_capabilities, all.exchanged
    );
    println!("spirv-opt -O drops more for {} settings:", all.unused.len());
    all.unused.iter().for_each(|unused| println!("  {unused}"));
    println!("bytes: ours {}, spirv-opt -O {}", all.bytes_ours, all.bytes_theirs);
    let mut larger: Vec<(&String, &f64)> = all.larger.iter().collect();
    larger.sort_by(|a, b| b.1.total_cmp(a.1));
    for (name, ratio) in larger.iter().take(5) {
        println!("  {ratio:.2} times: {}", name.chars().take(160).collect::<String>());
    }
    assert!(all.problems.is_empty(), "{} problems", all.problems.len());
    assert!(all.unused.len() * 100 <= all.settings, "{} settings", all.unused.len());
}
