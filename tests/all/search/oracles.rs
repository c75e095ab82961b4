//! What is asked of a program on a Vulkan driver: whatever the commands that write make of its module does the same as the module itself
//! with its constants set through the API.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use spirv::{Decoration, Op};
use spirv_if::{
    Annotations, Device, Dialect, Error, Module, PackOptions, Prepared, PropertySets, Settings, SplitMode,
    SplitOptions, Unset, pack, split, trim,
};

use super::compile::Build;
use super::generate::{INPUTS, MOST, generate};
use super::program::{Feature, LeftOut, Program};
use super::random::Random;
use super::values::{Constant, Type};
use super::{Found, STEP, folder, glsl};
use crate::common::{bytes_of, validate, words_of};
use crate::drivers::masked::without;
use crate::drivers::routes::{declared, instructions};
use crate::drivers::vulkan::environment;
use crate::drivers::vulkan::runner::{Job, Vulkan};

/// The work-groups that are run.
const GROUPS: usize = 2;

type Result<T> = std::result::Result<T, String>;

/// Constants with values, as text.
type Values = Vec<(u32, String)>;

/// A module on its way, with what is still to be set.
#[derive(Clone)]
struct State {
    words: Vec<u32>,
    /// Property sets beside it.
    properties: Option<PropertySets>,
    /// The constants that are not set, with their values.
    open: Values,
    /// Whether conditions of it are to be decided for a device.
    packed: bool,
    /// Whether its property sets are in the module too: those of one without conditional code are not.
    carries: bool,
}

/// A program, as it is run.
struct Search<'p> {
    program: &'p Program,
    vulkan: Vulkan,
    folder: PathBuf,
    annotations: Option<Annotations>,
    /// Results by module and constants.
    ran: HashMap<(Vec<u32>, Values), Vec<u32>>,
    found: Found,
    /// The SpecIds of the original: others may come to stand for conditions.
    spec_ids: BTreeSet<u32>,
    inputs: Vec<u32>,
    /// Whether guards may have been lost: spirv-opt moves instructions from guarded blocks.
    is_optimized: bool,
}

/// Runs the program of a seed, without some of its statements.
pub fn run(seed: u64, left_out: &LeftOut) -> Result<Found> {
    let vulkan = Vulkan::open()?;
    let device = vulkan.probed();
    let features: Vec<Feature> = Feature::ALL.into_iter().filter(|own| has(&device, *own)).collect();
    let program = generate(seed, &features);
    // Not to depend on what the program took.
    let mut random = Random::new(!seed);
    let build = Build::random(&mut random);
    let folder = folder("glsl", seed);
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let (source, module) = (folder.join("program.comp"), folder.join("module.spv"));
    println!("{STEP}compile");
    println!("{}", build.commands(&source, &module));
    write(&source, glsl::source(&program, left_out).as_bytes())?;
    let bound =
        program.constants.iter().filter_map(|own| Some(format!("  {}: \"{}\"\n", own.id, own.condition()?)));
    let yaml: String = bound.collect();
    let yaml = if yaml.is_empty() { yaml } else { format!("spec-constants:\n{yaml}") };
    write(&folder.join("module.yaml"), yaml.as_bytes())?;
    let Some(bytes) = build.compile(&source, &module)? else {
        std::fs::remove_dir_all(folder).map_err(|error| error.to_string())?;
        return Ok(Found { not_optimized: 1, ..Found::default() });
    };
    write(&module, &bytes)?;
    let words = words_of(&bytes);
    let annotations = match yaml.is_empty() {
        true => None,
        false => Some(Annotations::from_yaml("module.yaml", &yaml).map_err(|error| error.to_string())?),
    };
    let mut search = Search {
        program: &program,
        vulkan,
        folder: folder.clone(),
        annotations,
        ran: HashMap::new(),
        spec_ids: spec_ids(&words),
        found: Found { programs: 1, ..Found::default() },
        inputs: (0..INPUTS).map(|_| small(&mut random)).collect(),
        is_optimized: !build.passes.is_empty(),
    };
    search.all(&words, &device, &mut random)?;
    let found = search.found;
    std::fs::remove_dir_all(folder).map_err(|error| error.to_string())?;
    Ok(found)
}

/// Numbers of all sizes.
fn small(random: &mut Random) -> u32 {
    random.next() as u32 >> random.below(32)
}

fn has(device: &Device, feature: Feature) -> bool {
    device.has_capability(feature.capability() as u32) == Some(true)
}

fn write(path: &std::path::Path, bytes: &[u8]) -> Result<()> {
    std::fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}

fn spec_ids(words: &[u32]) -> BTreeSet<u32> {
    let is_spec_id = |(opcode, operands): &(u32, &[u32])| {
        *opcode == Op::Decorate as u32 && operands[1] == Decoration::SpecId as u32
    };
    instructions(words).filter(is_spec_id).map(|(_, operands)| operands[2]).collect()
}

impl Search<'_> {
    fn all(&mut self, words: &[u32], device: &Device, random: &mut Random) -> Result<()> {
        let whole: Vec<Feature> = Feature::ALL.into_iter().filter(|own| has(device, *own)).collect();
        let expected = match self.original(words, &self.values(&whole))? {
            Some(expected) => expected,
            None => return Ok(()),
        };
        let original = State {
            words: words.to_vec(),
            properties: None,
            open: self.values(&whole),
            packed: false,
            carries: true,
        };

        self.step("set", "specialize --set of all constants");
        let set = self.set(&original, &original.open.clone(), false)?;
        self.same("set", &set, &expected)?;
        self.step("set-trim", "the same, with --trim");
        let set = self.set(&original, &original.open.clone(), true)?;
        self.same("set-trim", &set, &expected)?;
        self.step("set-some", "specialize --set of some constants");
        let some = random.some(&original.open);
        let set = self.set(&original, &some, random.chance(50))?;
        self.same("set-some", &set, &expected)?;
        self.chain(&original, device, random, &expected)?;

        if self.annotations.is_none() {
            return Ok(());
        }
        let free = |own: &Feature| !self.program.needed.contains(own);
        let maskable: Vec<Feature> = Feature::ALL.into_iter().filter(free).collect();
        let mask = random.some(&maskable);
        for mask in [Vec::new(), mask] {
            let device = without(device, &mask.iter().map(|own| own.capability()).collect::<Vec<_>>());
            let present: Vec<Feature> = Feature::ALL.into_iter().filter(|own| has(&device, *own)).collect();
            let values = self.values(&present);
            let Some(expected) = self.original(words, &values)? else { return Ok(()) };
            write(&self.folder.join("device.yaml"), device.to_yaml().as_bytes())?;
            let state = State { open: values, ..original.clone() };
            self.conditional("resolve", &state, None, &device, &mask, random, &expected)?;
            let dialect = Dialect::SpecConditional;
            self.conditional("pack", &state, Some(dialect), &device, &mask, random, &expected)?;
            let chained = self.pack(&state, Dialect::SpecConditional)?;
            self.chain(&chained, &device, random, &expected)?;
        }
        Ok(())
    }

    /// The values of all constants on a device with these features.
    fn values(&self, present: &[Feature]) -> Values {
        let is_there = |own: &&Constant| self.spec_ids.contains(&own.id);
        let constants = self.program.constants.iter().filter(is_there);
        constants.map(|own| (own.id, own.value_for(present))).collect()
    }

    /// Says what comes next: a crash is told with the last of it.
    fn step(&self, name: &str, what: &str) {
        println!("{STEP}{name}\n{what}");
    }

    /// The results of the original; none if the driver does not run it.
    fn original(&mut self, words: &[u32], values: &[(u32, String)]) -> Result<Option<Vec<u32>>> {
        self.step("original", &format!("the original, with the constants {values:?} set through the API"));
        let module = Module::from_words(words).map_err(|error| error.to_string())?;
        if let Err(problem) = validate(words, environment(module.version())) {
            println!("{problem}");
            self.found.not_valid += 1;
            return Ok(None);
        }
        match self.run(words, values) {
            Ok(results) => Ok(Some(results)),
            Err(problem) => {
                println!("{problem}");
                self.found.not_run += 1;
                Ok(None)
            }
        }
    }

    /// Those of constants whose type is of an optional feature. A constant that can still be set is kept, and what its type requires.
    fn wide(&self, values: &[(u32, String)]) -> Values {
        let is_wide = |own: &&(u32, String)| matches!(self.constant(own.0), Some(own) if matches!(own.of, Type::Wide(_)));
        values.iter().filter(is_wide).cloned().collect()
    }

    fn constant(&self, id: u32) -> Option<&Constant> {
        self.program.constants.iter().find(|own| own.id == id)
    }

    fn run(&mut self, words: &[u32], values: &[(u32, String)]) -> Result<Vec<u32>> {
        let key = (words.to_vec(), values.to_vec());
        if let Some(results) = self.ran.get(&key) {
            return Ok(results.clone());
        }
        let bytes = |(id, value): &(u32, String)| Some((*id, self.constant(*id)?.bytes(value)));
        let job = Job {
            buffers: vec![self.inputs.clone(), vec![0; MOST * GROUPS]],
            constants: values.iter().filter_map(bytes).collect(),
            groups: [GROUPS as u32, 1, 1],
            ..Job::default()
        };
        self.found.runs += 1;
        let after = self.vulkan.run(words, words, &job).map_err(|failure| failure.to_string())?;
        let results = after.into_iter().next_back().unwrap_or_default();
        self.ran.insert(key, results.clone());
        Ok(results)
    }

    /// What was made does the same as the original.
    fn same(&mut self, step: &str, made: &State, expected: &[u32]) -> Result<()> {
        self.found.modules += 1;
        let left = spec_ids(&made.words);
        let is_open = |id: &u32| !self.spec_ids.contains(id) || made.open.iter().any(|own| own.0 == *id);
        if let Some(id) = left.iter().find(|id| !is_open(id)) {
            return Err(format!("SpecId {id} is left, which was set"));
        }
        let path = self.folder.join(step).with_extension("spv");
        write(&path, &bytes_of(&made.words))?;
        let module = Module::from_words(&made.words[..]).map_err(|error| error.to_string())?;
        validate(&made.words, environment(module.version()))?;
        println!("{STEP}{step} runs\n{} with the constants {:?}", path.display(), made.open);
        let results = self.run(&made.words, &made.open)?;
        match results == expected {
            true => Ok(()),
            false => Err(format!("it computes\n{results:x?}, the original\n{expected:x?}")),
        }
    }

    /// The state with a module made of its own.
    fn made(
        &self,
        state: &State,
        make: impl FnOnce(&Module) -> std::result::Result<Vec<u32>, Error>,
    ) -> Result<State> {
        let mut module = Module::from_words(&state.words[..]).map_err(|error| error.to_string())?;
        if let Some(properties) = &state.properties {
            module = module.with_properties(properties.clone()).map_err(|error| error.to_string())?;
        }
        let words = make(&module).map_err(|error| format!("an error: {error}"))?;
        Ok(State { words, properties: None, ..state.clone() })
    }

    /// Sets constants, on a device of which nothing is known.
    fn set(&self, state: &State, values: &[(u32, String)], trimmed: bool) -> Result<State> {
        let shown: Vec<String> = values.iter().map(|(id, value)| format!("--set {id}:{value}")).collect();
        println!("specialize {} {}", shown.join(" "), if trimmed { "--trim" } else { "" });
        let mut made = self.made(state, |module| {
            let settings = settings(values, trimmed);
            Ok(Prepared::new(module)?.specialize(&Device::default(), &settings)?.words)
        })?;
        made.properties.clone_from(&state.properties);
        made.open.retain(|own| !values.contains(own));
        Ok(made)
    }

    fn pack(&self, state: &State, dialect: Dialect) -> Result<State> {
        println!("pack --annotations module.yaml");
        let mut properties = None;
        let made = self.made(state, |module| {
            let mut options = PackOptions::default();
            options.dialect = dialect;
            let module = match &self.annotations {
                Some(annotations) => Module::from_words(module.words())?.with_annotations(annotations)?,
                None => Module::from_words(module.words())?,
            };
            let packed = pack(&module, &options)?;
            properties = Some(packed.properties);
            Ok(packed.words)
        })?;
        let module = Module::from_words(&made.words[..]).map_err(|error| error.to_string())?;
        validate(&made.words, &format!("spv1.{}", module.version().1))?;
        let carries = !module.properties().map_err(|error| error.to_string())?.to_text().is_empty();
        Ok(State { properties, packed: true, carries, ..made })
    }

    /// Conditions are decided for a device, of a packed module or of the original, and its other constants are set.
    #[expect(clippy::too_many_arguments, reason = "each is one thing that a step depends on")]
    fn conditional(
        &mut self,
        step: &str,
        state: &State,
        dialect: Option<Dialect>,
        device: &Device,
        mask: &[Feature],
        random: &mut Random,
        expected: &[u32],
    ) -> Result<()> {
        self.step(step, &format!("{step} for the device without {mask:?}"));
        let is_bound = |id: u32| self.constant(id).is_some_and(|own| !own.bound.is_empty());
        let free: Values = state.open.iter().filter(|own| !is_bound(own.0)).cloned().collect();
        let mut set = random.some(&free);
        set.extend(self.wide(&free));
        let from = match dialect {
            Some(dialect) => self.pack(state, dialect)?,
            None => state.clone(),
        };
        let Some(made) = self.for_device(&from, device, &set)? else {
            self.found.refused += 1;
            let problem = format!("refused for the device without {mask:?}");
            return if self.is_optimized { Ok(()) } else { Err(problem) };
        };
        let declared = declared(&made.words);
        if let Some(feature) = mask.iter().find(|own| declared.contains(&(own.capability() as u32))) {
            return Err(format!("{feature:?} is declared on a device without it"));
        }
        self.same(step, &made, expected)
    }

    /// The module for a device; none if the device does not run it.
    fn for_device(&self, state: &State, device: &Device, set: &[(u32, String)]) -> Result<Option<State>> {
        let shown: Vec<String> = set.iter().map(|(id, value)| format!("--set {id}:{value}")).collect();
        println!("specialize --device-config device.yaml {}", shown.join(" "));
        let mut refused = false;
        let made = self.made(state, |module| {
            let own = Module::from_words(module.words())?;
            let own = match (&self.annotations, state.packed) {
                (Some(annotations), false) => own.with_annotations(annotations)?,
                _ => own,
            };
            let module = if state.packed { module } else { &own };
            match Prepared::new(module)?.specialize(device, &settings(set, false).unset(Unset::Error)) {
                Err(Error::Refused(missing)) => {
                    println!("{missing}");
                    refused = true;
                    Ok(Vec::new())
                }
                made => Ok(made?.words),
            }
        })?;
        if refused {
            return Ok(None);
        }
        let open = state.open.iter().filter(|own| {
            !set.contains(own) && self.constant(own.0).is_some_and(|constant| constant.bound.is_empty())
        });
        Ok(Some(State { open: open.cloned().collect(), packed: false, ..made }))
    }

    /// Commands one after another, each on what the one before has made.
    fn chain(&mut self, from: &State, device: &Device, random: &mut Random, expected: &[u32]) -> Result<()> {
        self.step("chain", "commands one after another");
        let mut state = from.clone();
        for _ in 0..2 + random.below(3) {
            state = match random.below(4) {
                0 => {
                    println!("trim");
                    let made = self.made(&state, |module| Ok(trim(module)?.words))?;
                    State { properties: state.properties, ..made }
                }
                1 => {
                    println!("split --mode kernel");
                    let mut properties = None;
                    let made = self.made(&state, |module| {
                        let mut options = SplitOptions::default();
                        options.mode = SplitMode::Kernel;
                        let image = split(module, &options)?.image(0)?;
                        properties = Some(image.properties);
                        Ok(image.words)
                    })?;
                    State { properties, ..made }
                }
                2 if !state.packed => {
                    println!("pack");
                    self.made(&state, |module| Ok(pack(module, &PackOptions::default())?.words))?
                }
                _ if !state.packed => {
                    let some = random.some(&state.open);
                    self.set(&state, &some, random.chance(30))?
                }
                _ => state,
            };
            if state.carries && random.chance(50) {
                state.properties = None;
            }
        }
        if state.packed {
            let set = random.some(&state.open);
            let is_free = |own: &&(u32, String)| self.constant(own.0).is_some_and(|own| own.bound.is_empty());
            let mut set: Values = set.iter().filter(is_free).cloned().collect();
            set.extend(self.wide(&state.open));
            match self.for_device(&state, device, &set)? {
                Some(made) => state = made,
                None => {
                    self.found.refused += 1;
                    return Ok(());
                }
            }
        }
        self.same("chain", &state, expected)
    }
}

fn settings(values: &[(u32, String)], trimmed: bool) -> Settings {
    let settings = values.iter().fold(Settings::new(), |settings, (id, value)| settings.set(*id, value));
    let settings = settings.ignore_unknown();
    if trimmed { settings.trim() } else { settings }
}
