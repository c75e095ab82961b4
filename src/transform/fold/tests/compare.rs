//! Comparison of `specialize --set ... --trim` with the corresponding passes of spirv-opt, on modules that branch on
//! specialization constants.

use crate::analysis::Analyses;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rspirv::grammar::reflect::is_block_terminator;
use spirv::{Decoration, Op};

use super::planted::{FIRST, planted};
use crate::analysis::conditional::effects::is_pure;
use crate::analysis::constants::SpecValue;
use crate::analysis::constants::folding::Scalar;
use crate::compatibility::DeviceValues;
use crate::device::Device;
use crate::loader::{Function, Instruction, Module};
use crate::metadata::property_sets::PropertySets;
use crate::test_support::{bytes_of, fixtures, in_share, run, tool, words_of};
use crate::transform::{specialize, trim::trim};
use crate::writer::apply;

/// The variables that `scripts/prove.sh fold` sets: folders, with `:` between them, and the number of modules of each to take.
const FOLDERS: &str = "FOLD_DIRS";
const SAMPLE: &str = "FOLD_SAMPLE";
/// If it is set, conditions are replaced by specialization constants first: see [`planted`].
const SEED: &str = "FOLD_SEED";

/// The reason that some settings are not compared although our result is valid.
pub const CRASHES: &str = "spirv-opt fails:";

/// The reason that some settings are not compared: no module with them can be valid.
pub const REFUSED: &str = "our library refuses a size of zero";

/// Returns true if the error is a size of zero by a setting.
pub fn is_refused(error: &str) -> bool {
    error.contains(" would be 0, as ") && error.ends_with("set it to at least 1")
}

/// A specialization constant in text: SpecId, type, default.
pub struct TestConstant {
    spec_id: u32,
    scalar: Scalar,
    default: u64,
}

impl TestConstant {
    /// Returns the value with these bits.
    pub fn value(&self, bits: u64) -> SpecValue {
        SpecValue::new(self.scalar, bits)
    }
}

pub fn constants(module: &Module) -> Vec<TestConstant> {
    let decorations = module.globals().filter(|inst| inst.is(Op::Decorate));
    let spec_ids = decorations.filter(|inst| inst.word(2) == Decoration::SpecId as u32);
    let mut constants: Vec<TestConstant> = spec_ids
        .filter_map(|inst| {
            let constant = module.definition(inst.word(1))?;
            let scalar = Scalar::from_type(module, constant.word(1))?;
            let default = match constant.op()? {
                Op::SpecConstantTrue => 1,
                Op::SpecConstantFalse => 0,
                _ => scalar.literal(constant.words_from(3))?,
            };
            Some(TestConstant { spec_id: inst.word(3), scalar, default })
        })
        .collect();
    constants.sort_by_key(|constant| constant.spec_id);
    constants.dedup_by_key(|constant| constant.spec_id);
    constants
}

/// Returns true if a branch in a module depends on a specialization constant, as far as values pass from one instruction to the next.
pub fn branches_on_constants(module: &Module) -> bool {
    let mut tainted: BTreeSet<u32> = BTreeSet::new();
    loop {
        let before = tainted.len();
        for inst in module.instructions() {
            let op = inst.op();
            let source = matches!(op, Some(Op::SpecConstantTrue | Op::SpecConstantFalse | Op::SpecConstant));
            let Some(result) = inst.result_id() else {
                let branches = matches!(op, Some(Op::BranchConditional | Op::Switch));
                if branches && tainted.contains(&inst.word(1)) {
                    return true;
                }
                continue;
            };
            // What a call or memory gives is another matter.
            if matches!(op, Some(Op::FunctionCall | Op::Load | Op::Function | Op::AccessChain)) {
                continue;
            }
            let mut from = source;
            module.walk(&inst, &mut |at: usize, id: u32| from |= at > 2 && tainted.contains(&id));
            if from {
                tainted.insert(result);
            }
        }
        if tainted.len() == before {
            return false;
        }
    }
}

/// The values of integers.
#[derive(Clone, Copy, Debug)]
pub enum Integer {
    Default,
    /// Twice the default: other numbers easily make sizes zero, or tiles too small.
    Twice,
    Number(u64),
}

/// Values for all constants: a value for each kind, or the default.
#[derive(Clone, Copy, Debug)]
pub struct TestSetting {
    pub name: &'static str,
    pub boolean: Option<u64>,
    pub integer: Integer,
    pub float: Option<f32>,
}

pub const SETTINGS: [TestSetting; 6] = [
    TestSetting { name: "true", boolean: Some(1), integer: Integer::Default, float: None },
    TestSetting { name: "false", boolean: Some(0), integer: Integer::Default, float: None },
    TestSetting { name: "0", boolean: None, integer: Integer::Number(0), float: Some(0.0) },
    TestSetting { name: "1", boolean: None, integer: Integer::Number(1), float: Some(1.0) },
    TestSetting { name: "twice", boolean: Some(1), integer: Integer::Twice, float: Some(-2.5) },
    TestSetting { name: "3", boolean: Some(0), integer: Integer::Number(3), float: Some(1e6) },
];

impl TestSetting {
    /// Replaces sizes of zero.
    pub fn without_zero(self) -> TestSetting {
        let integer = match self.integer {
            Integer::Number(value) => Integer::Number(value.max(1)),
            other => other,
        };
        TestSetting { integer, ..self }
    }

    pub fn values(&self, constants: &[TestConstant]) -> Vec<(u32, u64)> {
        let value = |constant: &TestConstant| match constant.scalar {
            // Those of [`planted`] are each of its own mind.
            Scalar::Bool if constant.spec_id >= FIRST => {
                let mixed = self.name.bytes().fold(constant.spec_id, |mixed, byte| {
                    (mixed ^ u32::from(byte)).wrapping_mul(0x9e37_79b1)
                });
                Some(u64::from(mixed >> 31))
            }
            Scalar::Bool => self.boolean,
            Scalar::Int { width, .. } => match self.integer {
                Integer::Default => None,
                Integer::Twice => Some((constant.default << 1) & (u64::MAX >> (64 - width))),
                Integer::Number(value) => Some(value),
            },
            Scalar::Float(32) => self.float.map(|value| value.to_bits().into()),
            Scalar::Float(64) => self.float.map(|value| f64::from(value).to_bits()),
            Scalar::Float(_) | Scalar::OtherFloat { .. } => None,
        };
        let value = |constant: &TestConstant| (constant.spec_id, value(constant).unwrap_or(constant.default));
        constants.iter().map(value).collect()
    }

    /// Returns settings in the syntax of spirv-opt. They include defaults: two constants may have one SpecId and different defaults.
    pub fn text(values: &[(u32, u64)], constants: &[TestConstant]) -> String {
        let text = |(&(spec_id, value), constant): (&(u32, u64), &TestConstant)| {
            let text = match constant.scalar {
                Scalar::Bool => (value == 1).to_string(),
                Scalar::Float(32) => f32::from_bits(value as u32).to_string(),
                Scalar::Float(_) => f64::from_bits(value).to_string(),
                Scalar::Int { .. } | Scalar::OtherFloat { .. } => value.to_string(),
            };
            format!("{spec_id}:{text}")
        };
        values.iter().zip(constants).map(text).collect::<Vec<_>>().join(" ")
    }
}

/// Returns the result of our library for a module.
pub fn ours(words: &[u32], values: &[(u32, u64)]) -> Result<Vec<u32>, String> {
    let module = Module::from_words(words).map_err(|error| error.to_string())?;
    let device = Device::default();
    let known = DeviceValues::new(&device, &PropertySets::default()).map_err(|error| error.to_string())?;
    let folded =
        specialize::specialize(&Analyses::new(&module, Cow::default()), &known, values, Default::default());
    let edits = folded.map_err(|error| error.to_string())?.edits;
    let folded = apply(&module, &edits).map_err(|error| error.to_string())?;
    let module = Module::from_words(&folded).map_err(|error| error.to_string())?;
    apply(&module, &trim(&module).edits).map_err(|error| error.to_string())
}

/// The passes of spirv-opt that leave functions and labels as they are.
const PASSES: [&str; 6] = [
    "--freeze-spec-const",
    "--fold-spec-const-op-composite",
    "--ccp",
    "--eliminate-dead-branches",
    "--eliminate-dead-functions",
    "--trim-capabilities",
];

/// Returns the result of passes of spirv-opt after constants are set.
pub fn optimized(
    optimizer: &Path,
    words: &[u32],
    environment: &str,
    values: &str,
    passes: &[&str],
) -> Result<Vec<u32>, String> {
    let environment = format!("--target-env={environment}");
    let values = format!("--set-spec-const-default-value={values}");
    let mut arguments = vec![environment.as_str()];
    if !values.ends_with('=') {
        arguments.push(&values);
    }
    arguments.extend(passes);
    arguments.extend(["-", "-o", "-"]);
    run(optimizer, &arguments, &bytes_of(words)).map(|bytes| words_of(&bytes))
}

/// Returns the functions of entry points, and those that are exported.
pub fn roots(module: &Module) -> Vec<u32> {
    let exported = |inst: &Instruction| {
        inst.is(Op::Decorate) && inst.word(2) == spirv::Decoration::LinkageAttributes as u32
    };
    let root = |inst: Instruction| match inst.op() {
        Some(Op::EntryPoint) => Some(inst.word(2)),
        _ => exported(&inst).then(|| inst.word(1)),
    };
    module.globals().filter_map(root).collect()
}

/// Returns the functions that roots lead to, through anything that names a function.
fn functions(module: &Module) -> BTreeSet<u32> {
    let mut stack = roots(module);
    let mut reached = BTreeSet::new();
    while let Some(id) = stack.pop() {
        let Some(function) = module.function(id).filter(|_| reached.insert(id)) else { continue };
        for inst in module.body(function) {
            module.walk(&inst, &mut |_: usize, id: u32| stack.extend(module.function(id).map(|_| id)));
        }
    }
    reached
}

/// Returns the labels of the blocks that the first block of some function leads to, under any conditions.
fn blocks(words: &[u32]) -> BTreeSet<u32> {
    let module = Module::from_words(words).unwrap();
    let functions = functions(&module);
    let mut reached = BTreeSet::new();
    for function in module.functions().iter().filter(|function| functions.contains(&function.id)) {
        reached.append(&mut reached_blocks(&module, function));
    }
    reached
}

/// Returns the labels of the blocks that the first block of a function leads to, under any conditions.
pub fn reached_blocks(module: &Module, function: &Function) -> BTreeSet<u32> {
    let mut following: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let (mut label, mut first) = (0, None);
    for inst in module.body(function) {
        if inst.is(Op::Label) {
            label = inst.word(1);
            first = first.or(Some(label));
        }
        if inst.op().is_some_and(is_block_terminator) {
            let next = following.entry(label).or_default();
            let is_label = |id: u32| module.definition_as(id, Op::Label).is_some();
            module.walk(&inst, &mut |_: usize, id: u32| next.extend(Some(id).filter(|&id| is_label(id))));
        }
    }
    let mut reached = BTreeSet::new();
    let mut stack: Vec<u32> = first.into_iter().collect();
    while let Some(label) = stack.pop() {
        if reached.insert(label) {
            stack.extend(following.get(&label).into_iter().flatten());
        }
    }
    reached
}

pub fn capabilities(words: &[u32]) -> BTreeSet<u32> {
    let module = Module::from_words(words).unwrap();
    module.globals().filter(|inst| inst.is(Op::Capability)).map(|inst| inst.word(1)).collect()
}

/// Returns the strictest environment in which a module is valid.
pub fn environment(words: &[u32]) -> Option<String> {
    let module = Module::from_words(words).ok()?;
    let version = module.version();
    let strict = match capabilities(words).contains(&(spirv::Capability::Kernel as u32)) {
        true => "opencl2.2",
        false => "vulkan1.4",
    };
    let candidates = [strict.to_owned(), format!("spv{version}")];
    candidates.into_iter().find(|environment| judge(words, environment).is_ok())
}

pub fn judge(words: &[u32], environment: &str) -> Result<(), String> {
    let validator = tool("SPIRV_VAL", "spirv-val");
    let mut arguments = vec!["--target-env", environment];
    if environment.starts_with("vulkan") {
        arguments.push("--scalar-block-layout");
    }
    run(&validator, &arguments, &bytes_of(words)).map(drop)
}

/// The figures of one module or many.
#[derive(Debug, Default)]
pub struct Figures {
    pub modules: usize,
    pub settings: usize,
    /// Modules that are not valid input, or settings for which spirv-opt's result is not valid either.
    pub left_out: BTreeMap<String, usize>,
    pub blocks_before: usize,
    pub blocks_ours: usize,
    pub blocks_theirs: usize,
    pub only_ours_keeps_blocks: usize,
    pub only_theirs_keeps_blocks: usize,
    pub only_ours_keeps_capabilities: usize,
    pub only_theirs_keeps_capabilities: usize,
    /// Settings with which each result keeps a capability that the other drops.
    pub exchanged: usize,
    pub time_ours: Duration,
    pub time_theirs: Duration,
    pub problems: Vec<String>,
}

/// Returns a reason to leave out a module or a setting, without quoted text and ids, so that equal ones can be counted.
pub fn left_out_as(why: &str) -> String {
    let why = why.lines().next().unwrap_or_default();
    let why = why.split('\'').step_by(2).collect::<Vec<_>>().join("...");
    let plain = why.split_once("line ").map_or(why.as_str(), |(_, rest)| rest);
    plain.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == ':').to_owned()
}

impl Figures {
    fn leave_out(&mut self, why: &str) {
        *self.left_out.entry(left_out_as(why)).or_default() += 1;
    }

    fn add(&mut self, other: Figures) {
        self.modules += other.modules;
        self.settings += other.settings;
        for (why, count) in other.left_out {
            *self.left_out.entry(why).or_default() += count;
        }
        self.blocks_before += other.blocks_before;
        self.blocks_ours += other.blocks_ours;
        self.blocks_theirs += other.blocks_theirs;
        self.only_ours_keeps_blocks += other.only_ours_keeps_blocks;
        self.only_theirs_keeps_blocks += other.only_theirs_keeps_blocks;
        self.only_ours_keeps_capabilities += other.only_ours_keeps_capabilities;
        self.only_theirs_keeps_capabilities += other.only_theirs_keeps_capabilities;
        self.exchanged += other.exchanged;
        self.time_ours += other.time_ours;
        self.time_theirs += other.time_theirs;
        self.problems.extend(other.problems);
    }
}

/// Compares the results for a module with every setting.
pub fn compare(name: &str, words: &[u32], settings: &[TestSetting]) -> Figures {
    let mut figures = Figures { modules: 1, ..Figures::default() };
    let optimizer = tool("SPIRV_OPT", "spirv-opt");
    let Some(environment) = environment(words) else {
        let version = Module::from_words(words).unwrap().version();
        let error = judge(words, &format!("spv{version}")).err().unwrap_or_default();
        figures.leave_out(&format!("the module itself: {name}: {error}"));
        return figures;
    };
    let constants = constants(&Module::from_words(words).unwrap());
    if constants.is_empty() {
        return figures;
    }
    let mut seen = BTreeSet::new();
    for setting in settings {
        let values = setting.values(&constants);
        if !seen.insert(values.clone()) {
            continue;
        }
        let text = TestSetting::text(&values, &constants);
        let name = format!("{name} ({}: {text})", setting.name);
        let start = Instant::now();
        let ours = catch_unwind(|| ours(words, &values)).unwrap_or_else(|_| Err("it panics".to_owned()));
        figures.time_ours += start.elapsed();
        let start = Instant::now();
        let theirs = optimized(&optimizer, words, &environment, &text, &PASSES);
        figures.time_theirs += start.elapsed();
        let ours = match ours {
            Ok(ours) => ours,
            Err(error) => {
                match is_refused(&error) {
                    true => figures.leave_out(REFUSED),
                    false => figures.problems.push(format!("{name}: {error}")),
                }
                continue;
            }
        };
        let sound = |theirs: &Vec<u32>| judge(theirs, &environment).is_ok();
        if let Err(error) = judge(&ours, &environment) {
            match theirs.as_ref().is_ok_and(sound) {
                true => figures.problems.push(format!("{name}: not valid for {environment}: {error}")),
                // An array of no elements, say.
                false => figures.leave_out(&error),
            }
            continue;
        }
        let theirs = match theirs {
            Ok(theirs) => theirs,
            Err(error) => {
                figures.leave_out(&format!("{CRASHES} {error}"));
                continue;
            }
        };
        figures.settings += 1;
        let (before, our_blocks, their_blocks) = (blocks(words), blocks(&ours), blocks(&theirs));
        figures.blocks_before += before.len();
        figures.blocks_ours += our_blocks.len();
        figures.blocks_theirs += their_blocks.len();
        let extra: Vec<&u32> = our_blocks.difference(&their_blocks).collect();
        if !extra.is_empty() {
            figures.only_ours_keeps_blocks += extra.len();
            figures.problems.push(format!("{name}: keeps blocks {extra:?}"));
        }
        figures.only_theirs_keeps_blocks += their_blocks.difference(&our_blocks).count();
        let (our_capabilities, their_capabilities) = (capabilities(&ours), capabilities(&theirs));
        let extra: Vec<_> = our_capabilities.difference(&their_capabilities).collect();
        let less = their_capabilities.difference(&our_capabilities).count();
        if !extra.is_empty() && less > 0 {
            // Where either of two would do, trim and spirv-opt may keep another.
            figures.exchanged += 1;
        } else if !extra.is_empty() {
            let names: Vec<_> = extra.iter().map(|&&number| spirv::Capability::from_u32(number)).collect();
            figures.only_ours_keeps_capabilities += extra.len();
            figures.problems.push(format!("{name}: keeps capabilities {names:?}"));
        }
        figures.only_theirs_keeps_capabilities += less;
    }
    figures
}

fn modules(folder: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in
            std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false if path.extension().is_some_and(|extension| extension == "spv") => paths.push(path),
                false => {}
            }
        }
    }
    paths.sort();
    paths
}

pub fn spec_fixtures() -> Vec<(String, Vec<u32>)> {
    let fixtures: Vec<_> = fixtures().into_iter().filter(|(name, _)| name.starts_with("spec/")).collect();
    assert!(fixtures.len() >= 5);
    fixtures
}

fn sound(figures: &Figures) {
    assert!(figures.problems.is_empty(), "{:#?}", figures.problems);
    let mut reasons = figures.left_out.keys();
    assert!(reasons.all(|why| why.starts_with(CRASHES)), "{:?}", figures.left_out);
}

#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn fixtures_keep_no_more_than_with_spirv_opt() {
    for (name, words) in spec_fixtures() {
        assert!(branches_on_constants(&Module::from_words(&words).unwrap()), "{name}");
        let figures = compare(&name, &words, &SETTINGS.map(TestSetting::without_zero));
        sound(&figures);
        assert!(figures.settings >= 3, "{name}: {figures:?}");
        assert!(figures.blocks_ours < figures.blocks_before, "{name}: {figures:?}");
    }
}

/// Replaces half of the conditions by constants, in code of every compiler.
#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn whatever_is_decided_the_result_is_valid() {
    let settings = SETTINGS.map(TestSetting::without_zero);
    let mut all = Figures::default();
    for seed in 0..3 {
        for (at, (name, words)) in fixtures().into_iter().enumerate() {
            if !in_share(at + seed as usize, 3) {
                continue;
            }
            let Some(words) = planted(&words, seed) else { continue };
            let figures = compare(&format!("{name} {seed}"), &words, &settings[(seed as usize)..][..3]);
            sound(&figures);
            all.add(figures);
        }
    }
    assert!(all.settings > 50, "{all:?}");
    assert!(all.blocks_ours <= all.blocks_theirs, "{all:?}");
    // How many of the blocks depend on what is decided is a matter of the fixtures.
    assert!(all.blocks_ours * 5 < all.blocks_before * 4, "{all:?}");
}

/// Checks that an optimizer turns our result and that of spirv-opt into the same instructions, independent of their
/// order and ids.
#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn the_result_means_the_same() {
    let optimizer = tool("SPIRV_OPT", "spirv-opt");
    let fully_optimized = |words: &[u32]| {
        let bytes =
            run(&optimizer, &["-O", "--eliminate-dead-const", "-", "-o", "-"], &bytes_of(words)).unwrap();
        opcodes(&words_of(&bytes))
    };
    // Of numbers of 64 bits spirv-opt knows less than we do.
    for (name, words) in spec_fixtures().into_iter().filter(|(name, _)| !name.contains("precision")) {
        let constants = constants(&Module::from_words(&words).unwrap());
        for setting in SETTINGS {
            let values = setting.without_zero().values(&constants);
            let ours = ours(&words, &values).unwrap();
            let environment = environment(&words).unwrap();
            let text = TestSetting::text(&values, &constants);
            let theirs = optimized(&optimizer, &words, &environment, &text, &PASSES).unwrap();
            assert_eq!(fully_optimized(&ours), fully_optimized(&theirs), "{name} {values:?}");
        }
    }
}

/// Whole folders, which `scripts/prove.sh fold` names.
#[test]
#[ignore = "takes minutes; scripts/prove.sh fold runs it"]
fn folders() {
    let chosen = modules_of_folders(|words| {
        Module::from_words(words).is_ok_and(|module| branches_on_constants(&module))
    });
    let mut figures = Figures::default();
    in_parallel(&chosen, |name, words| compare(name, words, &SETTINGS), |one| figures.add(one));
    for problem in &figures.problems {
        println!("{problem}");
    }
    println!("{} modules that branch on specialization constants were taken", figures.modules);
    println!("{} settings compared; left out:", figures.settings);
    figures.left_out.iter().for_each(|(why, count)| println!("  {count} times: {why}"));
    println!(
        "blocks that the first block of their function leads to: {} before, {} ours, {} theirs",
        figures.blocks_before, figures.blocks_ours, figures.blocks_theirs
    );
    println!(
        "blocks: only ours keeps {}, only theirs {}",
        figures.only_ours_keeps_blocks, figures.only_theirs_keeps_blocks
    );
    println!(
        "capabilities: only ours keeps {}, only theirs {} (each another one: {} settings)",
        figures.only_ours_keeps_capabilities, figures.only_theirs_keeps_capabilities, figures.exchanged
    );
    println!(
        "time: ours {:.1?} (words to words, in this process), spirv-opt {:.1?} (processes)",
        figures.time_ours, figures.time_theirs
    );
    assert!(figures.problems.is_empty(), "{} problems", figures.problems.len());
}

/// Returns the given number of modules of the folders that `scripts/prove.sh fold` names, if they can be compared.
pub fn modules_of_folders(has_any: fn(&[u32]) -> bool) -> Vec<(String, Vec<u32>)> {
    let folders = std::env::var_os(FOLDERS).expect("scripts/prove.sh fold names folders");
    let sample = std::env::var(SAMPLE).ok().map(|count| count.parse::<usize>().expect("a number"));
    let seed = std::env::var(SEED).ok().map(|seed| seed.parse::<u64>().expect("a number"));
    let mut chosen = Vec::new();
    for folder in std::env::split_paths(&folders) {
        let paths = modules(&folder);
        let paths: Vec<_> = paths
            .into_iter()
            .filter_map(|path| {
                let mut words = words_of(&std::fs::read(&path).unwrap());
                if let Some(seed) = seed {
                    words = planted(&words, seed)?;
                }
                (seed.is_some() || has_any(&words)).then(|| (path.display().to_string(), words))
            })
            .collect();
        let step = sample.map_or(1, |sample| paths.len().div_ceil(sample.max(1)).max(1));
        chosen.extend(paths.into_iter().step_by(step));
    }
    chosen
}

/// Compares modules on all cores, and adds up the figures.
pub fn in_parallel<F: Send>(
    chosen: &[(String, Vec<u32>)],
    compare: impl Fn(&str, &[u32]) -> F + Sync,
    add: impl FnMut(F) + Send,
) {
    let (next, add) = (AtomicUsize::new(0), Mutex::new(add));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((name, words)) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let figures = compare(name, words);
                    add.lock().unwrap()(figures);
                }
            });
        }
    });
}

/// Returns the instructions of all functions, by opcode, without unused computations: spirv-opt keeps these in kernels.
fn opcodes(words: &[u32]) -> BTreeMap<String, usize> {
    let module = Module::from_words(words).unwrap();
    let mut left: Vec<Instruction> =
        module.functions().iter().flat_map(|function| module.body(function)).collect();
    loop {
        let mut used = BTreeSet::new();
        for inst in &left {
            let result_id = inst.result_id();
            module.walk(inst, &mut |_: usize, id: u32| {
                used.extend((result_id != Some(id)).then_some(id));
            });
        }
        let before = left.len();
        left.retain(|inst| !is_pure(&module, inst) || inst.result_id().is_some_and(|id| used.contains(&id)));
        if left.len() == before {
            break;
        }
    }
    let mut counts = BTreeMap::new();
    left.iter().for_each(|inst| *counts.entry(inst.name()).or_default() += 1);
    counts
}
