//! Requirements on a program on a driver. The results of the commands that write behave like the module itself with its constants set through the
//! API. Or they behave like the source compiled for one device and one set of values, if its compiler can.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use spirv::{Decoration, Op};
use spirv_if::link::{LinkOptions, link};
use spirv_if::merge::{MergeOptions, Variant, merge};
use spirv_if::module::Annotations;
use spirv_if::pack::Dialect;
use spirv_if::specialize::UnsetPolicy;
use spirv_if::{Condition, Device, Module, Prepared, Settings};

use super::commands::{CommandState, DIALECTS};
use super::compile::Build;
use super::generate::{INPUTS, generate};
use super::language::Language;
use super::machine::Machine;
use super::program::{Feature, LeftOut, Program};
use super::values::{Constant, Type};
use super::{STATEMENTS, STEP, SearchFinding, folder, opencl};
use crate::common::{bytes_of, validate, words_of};
use crate::drivers;
use crate::drivers::masked::without;
use crate::drivers::routes::{declared, instructions};
use crate::random::Random;

pub type SearchResult<T> = std::result::Result<T, String>;

/// Constants with values, as text.
pub type Values = Vec<(u32, String)>;

/// The steps in which drivers run what compilers made: they may do with it as they like.
pub const ORIGINALS: [&str; 2] = ["original", "plain"];

/// A module of a compiler with right results.
#[derive(Clone, Default)]
pub struct Reference {
    pub words: Vec<u32>,
    /// Values that are set through the API.
    pub values: Values,
    pub results: Vec<u32>,
}

/// The right results.
pub struct Expected {
    /// Results of the module as it is: all conditional calls happen.
    pub open: Reference,
    /// Results on a device that decides conditions.
    pub decided: Reference,
}

/// The ways to decide conditions for a device.
#[derive(Clone, Copy)]
enum Design {
    /// In the original.
    Resolved,
    /// In a packed module.
    Packed(Dialect),
    /// The choice of add-on images.
    AddOn,
}

impl Design {
    /// The name of its step.
    fn step(self) -> &'static str {
        match self {
            Design::Resolved => "resolve",
            Design::Packed(_) => "pack",
            Design::AddOn => "add-on",
        }
    }
}

/// A program, as it is run.
pub struct Search<'p> {
    pub language: &'static Language,
    pub program: &'p Program,
    pub build: Build,
    pub machine: Machine,
    pub folder: PathBuf,
    pub annotations: Option<Annotations>,
    /// The SpecIds of integers that stay unbound, since the module has code for their other values.
    pub unbound: BTreeSet<u32>,
    /// Results by module and constants.
    ran: HashMap<(Vec<u32>, Values), Vec<u32>>,
    pub findings: SearchFinding,
    /// The SpecIds of the original: others may become conditions.
    spec_ids: BTreeSet<u32>,
    pub inputs: Vec<u32>,
    start: Instant,
    /// The module of the compiler, or of all its units.
    pub compiled: Vec<u32>,
    /// The features of the device with all that it has.
    pub whole: Vec<Feature>,
    /// The results of the compiler's module as it is.
    pub open: Vec<u32>,
    /// True if the driver alone computes other results for it than for plain source; unknown until the first comparison.
    pub unlike: Option<bool>,
}

/// After so long, nothing more is tried with a program: a case may take only twice as long.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs the program of a seed, without some of its statements.
pub fn run(language: &'static Language, seed: u64, left_out: &LeftOut) -> SearchResult<SearchFinding> {
    let machine = Machine::open(language.interface)?;
    let device = machine.probed()?;
    let features: Vec<Feature> = Feature::ALL.into_iter().filter(|feature| has(&device, *feature)).collect();
    let used: Vec<Feature> =
        features.iter().copied().filter(|feature| language.features.contains(feature)).collect();
    let program = generate(seed, language, &used);
    println!("{STATEMENTS}{}", program.statements);
    // Not to depend on what the program took.
    let mut random = Random::new(!seed);
    let build = (language.build)(&mut random);
    let folder = folder(language.name, seed);
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let (source, module) = (folder.join(language.file), folder.join("module.spv"));
    println!("{STEP}compile");
    write(&source, (language.source)(&program, left_out).as_bytes())?;
    let annotations = annotations(&program, &BTreeSet::new(), &folder)?;
    let mut search = Search {
        language,
        program: &program,
        build,
        machine,
        folder: folder.clone(),
        annotations,
        unbound: BTreeSet::new(),
        ran: HashMap::new(),
        spec_ids: BTreeSet::new(),
        findings: SearchFinding { programs: 1, ..SearchFinding::default() },
        inputs: (0..INPUTS).map(|_| small(&mut random)).collect(),
        start: Instant::now(),
        compiled: Vec::new(),
        whole: features,
        open: Vec::new(),
        unlike: None,
    };
    match search.build.compile(&source, &module, &[], &program.constants)? {
        Some(bytes) => search.all(&words_of(&bytes), &device, &mut random)?,
        None => search.findings = SearchFinding { not_made: 1, ..SearchFinding::default() },
    }
    let findings = search.findings;
    std::fs::remove_dir_all(folder).map_err(|error| error.to_string())?;
    Ok(findings)
}

/// Returns the annotations that bind some of the constants of a program; `None` without constants to bind.
fn annotations(
    program: &Program,
    unbound: &BTreeSet<u32>,
    folder: &Path,
) -> SearchResult<Option<Annotations>> {
    let bound = program.constants.iter().filter(|constant| !unbound.contains(&constant.id));
    let lines = bound.filter_map(|constant| Some(format!("  {}: {}\n", constant.id, constant.annotation()?)));
    let yaml: String = lines.collect();
    let yaml = if yaml.is_empty() { yaml } else { format!("spec-constants:\n{yaml}") };
    write(&folder.join("module.yaml"), yaml.as_bytes())?;
    match yaml.is_empty() {
        true => Ok(None),
        false => Annotations::from_yaml("module.yaml", &yaml).map(Some).map_err(|error| error.to_string()),
    }
}

/// Numbers of all sizes.
fn small(random: &mut Random) -> u32 {
    random.next() as u32 >> random.below(32)
}

fn has(device: &Device, feature: Feature) -> bool {
    device.has_capability(feature.capability() as u32) == Some(true)
}

pub fn write(path: &Path, bytes: &[u8]) -> SearchResult<()> {
    std::fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}

/// The SpecIds of a valid module.
fn spec_ids(words: &[u32]) -> BTreeSet<u32> {
    let is_spec_id = |(opcode, operands): &(u32, &[u32])| {
        *opcode == Op::Decorate as u32 && operands[1] == Decoration::SpecId as u32
    };
    instructions(words).filter(is_spec_id).map(|(_, operands)| operands[2]).collect()
}

impl Search<'_> {
    fn all(&mut self, words: &[u32], device: &Device, random: &mut Random) -> SearchResult<()> {
        if let Err(problem) = self.validate(words) {
            println!("{problem}");
            self.findings.not_valid += 1;
            return Ok(());
        }
        self.spec_ids = spec_ids(words);
        self.compiled = words.to_vec();
        self.leave_unbound()?;
        let whole = self.whole.clone();
        let original = CommandState {
            words: words.to_vec(),
            properties: None,
            open: self.values(&whole),
            packed: false,
            bound: false,
            carries: true,
        };
        let Some(open) = self.original(&original)? else { return Ok(()) };
        let Some(decided) = self.decided(&original, &whole)? else { return Ok(()) };
        if !self.program.is_conditional && open.results != decided.results {
            let (open, decided) = (open.results, decided.results);
            println!("with constants set through the API, the driver computes\n{open:x?}\nbut\n{decided:x?}");
            self.findings.unlike = 1;
            return Ok(());
        }
        self.open.clone_from(&open.results);
        let expected = Expected { open, decided };

        self.adapted(device, random, &expected.decided)?;
        self.lowered(device, &expected.decided)?;
        self.trapped(device, &expected.decided)?;
        if drivers::has_less() {
            return Ok(());
        }
        self.step("set", "specialize --set of all constants");
        let set = self.set(&original, &original.open.clone(), false)?;
        self.same("set", &set, &expected.open)?;
        self.step("set-trim", "the same, with --trim");
        let set = self.set(&original, &original.open.clone(), true)?;
        self.same("set-trim", &set, &expected.open)?;
        self.step("set-some", "specialize --set of some constants");
        let some = random.some(&original.open);
        let set = self.set(&original, &some, random.chance(50))?;
        self.same("set-some", &set, &expected.open)?;
        let original = match self.language.has_units && random.chance(50) {
            true => match self.linked(&original, &whole, random)? {
                Some(linked) => linked,
                None => return Ok(()),
            },
            false => original,
        };
        if original.words != words {
            self.compiled.clone_from(&original.words);
            self.leave_unbound()?;
            self.same("link", &original, &expected.open)?;
        }
        write(&self.folder.join("device.yaml"), device.to_yaml().as_bytes())?;
        self.chain(&original, device, random, &expected)?;
        if self.annotations.is_none() && !self.program.is_conditional {
            return Ok(());
        }
        let free = |feature: &Feature| !self.program.needed.contains(feature);
        let maskable: Vec<Feature> = self.language.optional.iter().copied().filter(free).collect();
        let mask = random.some(&maskable);
        for mask in [Vec::new(), mask] {
            if self.start.elapsed() > PATIENCE {
                self.findings.cut_short += 1;
                return Ok(());
            }
            self.on_device(&original, device, &mask, random, &expected.decided)?;
        }
        Ok(())
    }

    /// Modules for a device without some features, by each design.
    fn on_device(
        &mut self,
        original: &CommandState,
        device: &Device,
        mask: &[Feature],
        random: &mut Random,
        whole: &Reference,
    ) -> SearchResult<()> {
        let all = device;
        let device = without(all, &mask.iter().map(|feature| feature.capability()).collect::<Vec<_>>());
        let present: Vec<Feature> =
            Feature::ALL.into_iter().filter(|feature| has(&device, *feature)).collect();
        let state = CommandState { open: self.values(&present), ..original.clone() };
        let Some(decided) = self.decided(&state, &present)? else { return Ok(()) };
        write(&self.folder.join("device.yaml"), device.to_yaml().as_bytes())?;
        self.merged([(all, whole), (&device, &decided)], mask)?;
        self.conditional(Design::Resolved, &state, &device, mask, random, &decided)?;
        let mut dialects = DIALECTS;
        if random.chance(50) {
            dialects.reverse();
        }
        let [one, other] = dialects;
        self.conditional(Design::Packed(one), &state, &device, mask, random, &decided)?;
        self.conditional(Design::AddOn, &state, &device, mask, random, &decided)?;
        let chained = self.pack(&state, other, true)?;
        let expected = Expected { open: Reference::default(), decided };
        self.chain(&chained, &device, random, &expected)
    }

    /// Builds of the source for a device and for the same without some features, as one module: each device gets its own.
    fn merged(&mut self, builds: [(&Device, &Reference); 2], mask: &[Feature]) -> SearchResult<()> {
        let [(device, whole), (_, masked)] = builds;
        // The device need not have all the removed features itself.
        let mask: Vec<Feature> = mask.iter().copied().filter(|feature| has(device, *feature)).collect();
        if self.language.number.is_none() || mask.is_empty() || whole.words == masked.words {
            return Ok(());
        }
        self.step("merge", &format!("merge of builds with and without {mask:?}"));
        let present: Vec<String> =
            mask.iter().map(|feature| format!("cap({:?})", feature.capability())).collect();
        let text = |error: spirv_if::Error| error.to_string();
        let condition = Condition::parse(&present.join(" && ")).map_err(text)?;
        let one = Module::from_words(&whole.words[..]).map_err(text)?;
        let other = Module::from_words(&masked.words[..]).map_err(text)?;
        let variants = [Variant::new(&one, &condition), Variant::new(&other, None)];
        let mut options = MergeOptions::new();
        for dialect in DIALECTS {
            options = options.dialect(dialect);
            let merged = Module::from_words(merge(&variants, &options).map_err(text)?.words).map_err(text)?;
            let prepared = Prepared::new(&merged).map_err(text)?;
            for ((device, right), build) in builds.into_iter().zip([&one, &other]) {
                let settings = Settings::new().unset(UnsetPolicy::Error);
                let specialized = prepared.specialize(device, &settings);
                // A constant of a wide type needs the feature in every build.
                if Prepared::new(build).map_err(text)?.specialize(device, &settings).is_err() {
                    match specialized {
                        Ok(_) => {
                            return Err("the device is refused the build, but gets the merged one".into());
                        }
                        Err(_) => continue,
                    }
                }
                let words = specialized.map_err(text)?.words;
                let state = CommandState { open: right.values.clone(), ..CommandState::plain(words) };
                self.same("merge", &state, right)?;
            }
        }
        Ok(())
    }

    /// The value of a constant on a device with these features. One that stays unbound has the same on all devices.
    fn value(&self, constant: &Constant, present: &[Feature]) -> String {
        match self.unbound.contains(&constant.id) {
            true => constant.value_for(&self.whole),
            false => constant.value_for(present),
        }
    }

    /// The values of all constants of the original on a device with these features.
    fn values(&self, present: &[Feature]) -> Values {
        let is_there = |constant: &&Constant| self.spec_ids.contains(&constant.id);
        let constants = self.program.constants.iter().filter(is_there);
        constants.map(|constant| (constant.id, self.value(constant, present))).collect()
    }

    /// The options of a compiler that make the program plain for a device with these features. Its constants have the values that are
    /// set through the API there: results are compared, and an unbound constant stays in what is made of the original.
    pub fn plain(&self, present: &[Feature]) -> Vec<String> {
        self.language.plain(self.program, present, |constant| self.value(constant, present))
    }

    /// Prints the next step: the report of a crash contains the last one.
    pub fn step(&self, name: &str, what: &str) {
        println!("{STEP}{name}\n{what}");
    }

    fn validate(&self, words: &[u32]) -> SearchResult<()> {
        let module = Module::from_words(words).map_err(|error| error.to_string())?;
        validate(words, &self.machine.environment(module.version()))
    }

    /// The original with its results; none if the driver does not run it.
    fn original(&mut self, state: &CommandState) -> SearchResult<Option<Reference>> {
        let what = format!("the original, with the constants {:?} set through the API", state.open);
        self.step(ORIGINALS[0], &what);
        Ok(self.counted(&state.words, &state.open))
    }

    /// The module with the results on a device with these features: of the plain source, or else the original.
    fn decided(&mut self, original: &CommandState, present: &[Feature]) -> SearchResult<Option<Reference>> {
        if self.language.number.is_none() {
            return self.original(original);
        }
        self.step(ORIGINALS[1], &format!("the source for a device with {present:?}"));
        let options = self.plain(present);
        let (source, module) = (self.folder.join(self.language.file), self.folder.join("plain.spv"));
        let Some(bytes) = self.build.compile(&source, &module, &options, &[])? else {
            self.findings.not_made += 1;
            return Ok(None);
        };
        let words = words_of(&bytes);
        if let Err(problem) = self.validate(&words) {
            println!("{problem}");
            self.findings.not_valid += 1;
            return Ok(None);
        }
        Ok(self.counted(&words, &[]))
    }

    /// Links the same program from several units; `None` if a compiler does not make valid ones.
    fn linked(
        &mut self,
        original: &CommandState,
        present: &[Feature],
        random: &mut Random,
    ) -> SearchResult<Option<CommandState>> {
        self.step("compile", "units");
        let mut units = Vec::new();
        for unit in 0..opencl::UNITS {
            let options = opencl::unit(unit, random);
            let module = self.folder.join(format!("unit{unit}.spv"));
            let source = self.folder.join(self.language.file);
            let Some(bytes) = self.build.compile(&source, &module, &options, &[])? else {
                self.findings.not_made += 1;
                return Ok(None);
            };
            units.push(words_of(&bytes));
        }
        for unit in &units {
            if let Err(problem) = self.validate(unit) {
                println!("{problem}");
                self.findings.not_valid += 1;
                return Ok(None);
            }
        }
        // Some may be optimized.
        self.build.loses_guards = true;
        self.step("link", "link of the units");
        let modules = units.iter().map(|words| Module::from_words(&words[..]));
        let modules =
            modules.collect::<std::result::Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
        let linked = link(&modules, &LinkOptions::new()).map_err(|error| format!("an error: {error}"))?;
        let words = linked.module.words().to_vec();
        self.validate(&words)?;
        self.spec_ids.extend(spec_ids(&words));
        Ok(Some(CommandState { words, open: self.values(present), ..original.clone() }))
    }

    /// A module of a compiler with its results, if there are some: the driver may do with it as it likes.
    fn counted(&mut self, words: &[u32], values: &[(u32, String)]) -> Option<Reference> {
        match self.run(words, values) {
            Ok(results) => Some(Reference { words: words.to_vec(), values: values.to_vec(), results }),
            Err(problem) => {
                println!("{problem}");
                self.findings.not_run += 1;
                None
            }
        }
    }

    /// Returns the values of constants whose type is of an optional feature. A constant that can still be set is kept, with the requirements of
    /// its type.
    pub fn wide(&self, values: &[(u32, String)]) -> Values {
        let is_wide = |constant: &&(u32, String)| matches!(self.constant(constant.0), Some(known) if matches!(known.of, Type::Wide(_)));
        values.iter().filter(is_wide).cloned().collect()
    }

    fn constant(&self, id: u32) -> Option<&Constant> {
        self.program.constants.iter().find(|constant| constant.id == id)
    }

    /// True if a constant is bound to a condition on devices. One of which a bit is bound stays the host's.
    pub fn is_bound(&self, id: u32) -> bool {
        let is_bound = |constant: &Constant| !constant.bound.is_empty() && constant.bit.is_none();
        self.constant(id).is_some_and(is_bound) && !self.unbound.contains(&id)
    }

    /// Removes the constants that the program does not bind from the annotations.
    fn leave_unbound(&mut self) -> SearchResult<()> {
        let Some(annotations) = &self.annotations else { return Ok(()) };
        let module = Module::from_words(&self.compiled[..]).map_err(|error| error.to_string())?;
        let module = module.with_annotations(annotations).map_err(|error| error.to_string())?;
        let warnings: Vec<String> = module.annotation_warnings().collect();
        let is_left = |id: u32| warnings.iter().any(|warning| warning.contains(&format!("(SpecId {id})")));
        let left = self.program.constants.iter().map(|constant| constant.id).filter(|&id| is_left(id));
        self.unbound.extend(left);
        if !warnings.is_empty() {
            self.annotations = self::annotations(self.program, &self.unbound, &self.folder)?;
        }
        Ok(())
    }

    /// Values of constants that a module has, for the API: OpenCL knows no others.
    pub fn constants(&self, words: &[u32], values: &[(u32, String)]) -> Vec<(u32, Vec<u8>)> {
        let there = spec_ids(words);
        let there = values.iter().filter(|value| there.contains(&value.0));
        let bytes = |(id, value): &(u32, String)| {
            self.constant(*id).map(|constant| (*id, self.machine.bytes(constant, value)))
        };
        there.filter_map(bytes).collect()
    }

    /// The results of a module.
    pub fn run(&mut self, words: &[u32], values: &[(u32, String)]) -> SearchResult<Vec<u32>> {
        let key = (words.to_vec(), values.to_vec());
        if let Some(results) = self.ran.get(&key) {
            return Ok(results.clone());
        }
        let constants = self.constants(words, values);
        let results = self.machine.run(words, &constants, &self.inputs)?;
        self.findings.runs += 1;
        self.ran.insert(key, results.clone());
        Ok(results)
    }

    /// Checks that a result is valid, and computes the right values.
    pub fn same(&mut self, step: &str, state: &CommandState, right: &Reference) -> SearchResult<()> {
        self.findings.modules += 1;
        let path = self.folder.join(step).with_extension("spv");
        write(&path, &bytes_of(&state.words))?;
        self.validate(&state.words)?;
        let left = spec_ids(&state.words);
        let is_open =
            |id: &u32| !self.spec_ids.contains(id) || state.open.iter().any(|constant| constant.0 == *id);
        if let Some(id) = left.iter().find(|id| !is_open(id)) {
            return Err(format!("SpecId {id} is left, which was set"));
        }
        println!("{STEP}{step} runs\n{} with the constants {:?}", path.display(), state.open);
        let results = self.run(&state.words, &state.open)?;
        if results == right.results || self.is_of_driver(state, &results, right)? {
            return Ok(());
        }
        Err(format!("it computes\n{results:x?}, but right is\n{:x?}", right.results))
    }

    /// Conditions are decided for a device by a design, and other constants are set.
    fn conditional(
        &mut self,
        design: Design,
        state: &CommandState,
        device: &Device,
        mask: &[Feature],
        random: &mut Random,
        right: &Reference,
    ) -> SearchResult<()> {
        let step = design.step();
        self.step(step, &format!("{step} for the device without {mask:?}"));
        let free: Values = state.open.iter().filter(|constant| !self.is_bound(constant.0)).cloned().collect();
        let mut set = random.some(&free);
        set.extend(self.wide(&free));
        let from = match design {
            Design::Packed(dialect) => self.pack(state, dialect, true)?,
            Design::Resolved | Design::AddOn => state.clone(),
        };
        let state = match design {
            Design::AddOn => self.add_on(&from, device, &set)?,
            Design::Resolved | Design::Packed(_) => match self.for_device(&from, device, &set)? {
                Ok(state) => Some(state),
                Err(refused) => return self.refused(&refused.missing),
            },
        };
        let Some(state) = state else { return Ok(()) };
        let declared = declared(&state.words);
        if let Some(feature) = mask.iter().find(|feature| declared.contains(&(feature.capability() as u32))) {
            return Err(format!("{feature:?} is declared on a device without it"));
        }
        self.same(step, &state, right)
    }
}
