//! `specialize --set ... --trim` beside the spirv-opt passes for the same, on modules that branch on specialization constants.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rspirv::grammar::reflect::is_block_terminator;
use spirv::{Decoration, Op};
use spirv_if::analysis::scalars::Scalar;
use spirv_if::device::Device;
use spirv_if::loader::{Instruction, Module};
use spirv_if::properties::PropertySets;
use spirv_if::runtime::KnownOn;
use spirv_if::transform::{specialize, trim::trim};
use spirv_if::writer::apply;

use crate::common::{bytes_of, run, tool, words_of};

/// What `scripts/compare-fold.sh` passes: folders, with `:` between them, and how many modules of each to take.
const FOLDERS: &str = "FOLD_DIRS";
const SAMPLE: &str = "FOLD_SAMPLE";

/// A specialization constant, as text would have it: SpecId, type, default.
struct Constant {
    spec_id: u32,
    scalar: Scalar,
    default: u64,
}

fn constants(module: &Module) -> Vec<Constant> {
    let decorations = module.globals().filter(|inst| inst.is(Op::Decorate));
    let spec_ids = decorations.filter(|inst| inst.word(2) == Decoration::SpecId as u32);
    let mut found: Vec<Constant> = spec_ids
        .filter_map(|inst| {
            let constant = module.definition(inst.word(1))?;
            let scalar = Scalar::of(module, constant.word(1))?;
            let default = match constant.op()? {
                Op::SpecConstantTrue => 1,
                Op::SpecConstantFalse => 0,
                _ => scalar.literal(constant.words_from(3))?,
            };
            Some(Constant { spec_id: inst.word(3), scalar, default })
        })
        .collect();
    found.sort_by_key(|constant| constant.spec_id);
    found.dedup_by_key(|constant| constant.spec_id);
    found
}

/// Whether a branch in a module depends on a specialization constant, as far as values pass from one instruction to the next.
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

/// Values for all constants: what each kind gets, or its default.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    pub name: &'static str,
    pub boolean: Option<u64>,
    pub integer: Option<u64>,
    pub float: Option<f32>,
}

pub const SETTINGS: [Setting; 6] = [
    Setting { name: "true", boolean: Some(1), integer: None, float: None },
    Setting { name: "false", boolean: Some(0), integer: None, float: None },
    Setting { name: "0", boolean: None, integer: Some(0), float: Some(0.0) },
    Setting { name: "1", boolean: None, integer: Some(1), float: Some(1.0) },
    Setting { name: "64", boolean: Some(1), integer: Some(64), float: Some(-2.5) },
    Setting { name: "3", boolean: Some(0), integer: Some(3), float: Some(1e6) },
];

impl Setting {
    fn values(&self, constants: &[Constant]) -> Vec<(u32, u64)> {
        let value = |constant: &Constant| match constant.scalar {
            Scalar::Bool => self.boolean,
            Scalar::Int { .. } => self.integer,
            Scalar::Float(32) => self.float.map(|value| value.to_bits().into()),
            Scalar::Float(64) => self.float.map(|value| f64::from(value).to_bits()),
            Scalar::Float(_) => None,
        };
        let value = |constant: &Constant| (constant.spec_id, value(constant).unwrap_or(constant.default));
        constants.iter().map(value).collect()
    }

    /// As spirv-opt wants them. What has its default is left out.
    fn text(values: &[(u32, u64)], constants: &[Constant]) -> String {
        let text = |(&(spec_id, value), constant): (&(u32, u64), &Constant)| {
            let text = match constant.scalar {
                Scalar::Bool => (value == 1).to_string(),
                Scalar::Float(32) => f32::from_bits(value as u32).to_string(),
                Scalar::Float(_) => f64::from_bits(value).to_string(),
                Scalar::Int { .. } => value.to_string(),
            };
            (value != constant.default).then(|| format!("{spec_id}:{text}"))
        };
        values.iter().zip(constants).filter_map(text).collect::<Vec<_>>().join(" ")
    }
}

/// What our library makes of a module.
pub fn ours(words: &[u32], values: &[(u32, u64)]) -> Result<Vec<u32>, String> {
    let module = Module::from_words(words).map_err(|error| error.to_string())?;
    let device = Device::default();
    let known = KnownOn::new(&device, &PropertySets::default()).map_err(|error| error.to_string())?;
    let folded = specialize::specialize(&module, &known, values, &Default::default());
    let edits = folded.map_err(|error| error.to_string())?.edits;
    let folded = apply(&module, &edits).map_err(|error| error.to_string())?;
    let module = Module::from_words(&folded).map_err(|error| error.to_string())?;
    apply(&module, &trim(&module).edits).map_err(|error| error.to_string())
}

/// What spirv-opt makes of it.
fn theirs(optimizer: &Path, words: &[u32], environment: &str, values: &str) -> Result<Vec<u32>, String> {
    let environment = format!("--target-env={environment}");
    let values = format!("--set-spec-const-default-value={values}");
    let mut arguments = vec![environment.as_str()];
    if !values.ends_with('=') {
        arguments.push(&values);
    }
    arguments.extend([
        "--freeze-spec-const",
        "--fold-spec-const-op-composite",
        "--ccp",
        "--eliminate-dead-branches",
        "--eliminate-dead-functions",
        "--trim-capabilities",
        "-",
        "-o",
        "-",
    ]);
    run(optimizer, &arguments, &bytes_of(words)).map(|bytes| words_of(&bytes))
}

/// The labels of the blocks that the first block of some function leads to, whatever the conditions.
fn blocks(words: &[u32]) -> BTreeSet<u32> {
    let module = Module::from_words(words).unwrap();
    let mut reached = BTreeSet::new();
    for function in module.functions() {
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
        let mut stack: Vec<u32> = first.into_iter().collect();
        while let Some(label) = stack.pop() {
            if reached.insert(label) {
                stack.extend(following.get(&label).into_iter().flatten());
            }
        }
    }
    reached
}

fn capabilities(words: &[u32]) -> BTreeSet<u32> {
    let module = Module::from_words(words).unwrap();
    module.globals().filter(|inst| inst.is(Op::Capability)).map(|inst| inst.word(1)).collect()
}

/// An environment in which a module is valid, the strictest first.
fn environment(words: &[u32]) -> Option<String> {
    let module = Module::from_words(words).ok()?;
    let (major, minor) = module.version();
    let strict = match capabilities(words).contains(&(spirv::Capability::Kernel as u32)) {
        true => "opencl2.2",
        false => "vulkan1.4",
    };
    let candidates = [strict.to_owned(), format!("spv{major}.{minor}")];
    candidates.into_iter().find(|environment| judge(words, environment).is_ok())
}

fn judge(words: &[u32], environment: &str) -> Result<(), String> {
    let Some(validator) = tool("SPIRV_VAL", "spirv-val") else { return Ok(()) };
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
    /// Modules that are no valid input, or settings for which spirv-opt's result is not valid either.
    pub left_out: usize,
    pub blocks_before: usize,
    pub blocks_ours: usize,
    pub blocks_theirs: usize,
    pub only_ours_keeps_blocks: usize,
    pub only_theirs_keeps_blocks: usize,
    pub only_ours_keeps_capabilities: usize,
    pub only_theirs_keeps_capabilities: usize,
    pub time_ours: Duration,
    pub time_theirs: Duration,
    pub problems: Vec<String>,
}

impl Figures {
    fn add(&mut self, other: Figures) {
        self.modules += other.modules;
        self.settings += other.settings;
        self.left_out += other.left_out;
        self.blocks_before += other.blocks_before;
        self.blocks_ours += other.blocks_ours;
        self.blocks_theirs += other.blocks_theirs;
        self.only_ours_keeps_blocks += other.only_ours_keeps_blocks;
        self.only_theirs_keeps_blocks += other.only_theirs_keeps_blocks;
        self.only_ours_keeps_capabilities += other.only_ours_keeps_capabilities;
        self.only_theirs_keeps_capabilities += other.only_theirs_keeps_capabilities;
        self.time_ours += other.time_ours;
        self.time_theirs += other.time_theirs;
        self.problems.extend(other.problems);
    }
}

/// Compares what becomes of a module with every setting.
pub fn compare(name: &str, words: &[u32], settings: &[Setting]) -> Figures {
    let mut figures = Figures { modules: 1, ..Figures::default() };
    let Some(optimizer) = tool("SPIRV_OPT", "spirv-opt") else { return figures };
    let Some(environment) = environment(words) else {
        figures.left_out += 1;
        return figures;
    };
    let constants = constants(&Module::from_words(words).unwrap());
    let mut seen = BTreeSet::new();
    for setting in settings {
        let values = setting.values(&constants);
        if !seen.insert(values.clone()) {
            continue;
        }
        let text = Setting::text(&values, &constants);
        let name = format!("{name} ({}: {text})", setting.name);
        let start = Instant::now();
        let ours = ours(words, &values);
        figures.time_ours += start.elapsed();
        let start = Instant::now();
        let theirs = theirs(&optimizer, words, &environment, &text);
        figures.time_theirs += start.elapsed();
        let ours = match ours {
            Ok(ours) => ours,
            Err(error) => {
                figures.problems.push(format!("{name}: {error}"));
                continue;
            }
        };
        let sound = |theirs: &Vec<u32>| judge(theirs, &environment).is_ok();
        if let Err(error) = judge(&ours, &environment) {
            match theirs.as_ref().is_ok_and(sound) {
                true => figures.problems.push(format!("{name}: not valid for {environment}: {error}")),
                // An array of no elements, say.
                false => figures.left_out += 1,
            }
            continue;
        }
        let Ok(theirs) = theirs else {
            figures.left_out += 1;
            continue;
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
        if !extra.is_empty() {
            let names: Vec<_> = extra.iter().map(|&&number| spirv::Capability::from_u32(number)).collect();
            figures.only_ours_keeps_capabilities += extra.len();
            figures.problems.push(format!("{name}: keeps capabilities {names:?}"));
        }
        figures.only_theirs_keeps_capabilities += their_capabilities.difference(&our_capabilities).count();
    }
    figures
}

fn modules(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in
            std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false if path.extension().is_some_and(|extension| extension == "spv") => found.push(path),
                false => {}
            }
        }
    }
    found.sort();
    found
}

/// Whole folders, which `scripts/compare-fold.sh` names.
#[test]
#[ignore = "takes minutes; scripts/compare-fold.sh runs it"]
fn folders() {
    let folders = std::env::var_os(FOLDERS).expect("scripts/compare-fold.sh names folders");
    let sample = std::env::var(SAMPLE).ok().map(|count| count.parse::<usize>().expect("a number"));
    let mut all = 0;
    let mut chosen = Vec::new();
    for folder in std::env::split_paths(&folders) {
        let found = modules(&folder);
        all += found.len();
        let found: Vec<_> = found
            .into_iter()
            .filter_map(|path| {
                let words = words_of(&std::fs::read(&path).unwrap());
                let branches = branches_on_constants(&Module::from_words(&words).ok()?);
                branches.then(|| (path.display().to_string(), words))
            })
            .collect();
        let step = sample.map_or(1, |sample| found.len().div_ceil(sample.max(1)).max(1));
        chosen.extend(found.into_iter().step_by(step));
    }
    let (next, total) = (AtomicUsize::new(0), Mutex::new(Figures::default()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((name, words)) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let figures = compare(name, words, &SETTINGS);
                    total.lock().unwrap().add(figures);
                }
            });
        }
    });
    let figures = total.into_inner().unwrap();
    for problem in &figures.problems {
        println!("{problem}");
    }
    println!(
        "{all} modules, of which {} that branch on specialization constants were taken",
        figures.modules
    );
    println!(
        "{} settings compared, {} modules or settings that are not valid left out",
        figures.settings, figures.left_out
    );
    println!(
        "blocks that the first block of their function leads to: {} before, {} ours, {} theirs",
        figures.blocks_before, figures.blocks_ours, figures.blocks_theirs
    );
    println!(
        "blocks: only ours keeps {}, only theirs {}",
        figures.only_ours_keeps_blocks, figures.only_theirs_keeps_blocks
    );
    println!(
        "capabilities: only ours keeps {}, only theirs {}",
        figures.only_ours_keeps_capabilities, figures.only_theirs_keeps_capabilities
    );
    println!(
        "time: ours {:.1?} (words to words, in this process), spirv-opt {:.1?} (processes)",
        figures.time_ours, figures.time_theirs
    );
    assert!(figures.problems.is_empty(), "{} problems", figures.problems.len());
}

/// The instructions of a module, by opcode.
pub fn opcodes(words: &[u32]) -> BTreeMap<String, usize> {
    let module = Module::from_words(words).unwrap();
    let mut counts = BTreeMap::new();
    let name = |inst: Instruction| inst.name();
    module.instructions().map(name).for_each(|name| *counts.entry(name).or_default() += 1);
    counts
}
