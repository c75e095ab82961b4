//! The commands that write modules, as steps of a program. The library computes the results of `spirv-if`.

use spirv_if::error::Refused;
use spirv_if::pack::Dialect;
use spirv_if::property_sets::PropertySets;
use spirv_if::specialize::UnsetPolicy;
use spirv_if::trim::trim;
use spirv_if::{Device, Error, Module, PackOptions, Prepared, Settings, SpecValue, pack};
use spirv_if_sycl::split::{SplitMode, SplitOptions, split};

use super::oracles::{Expected, Search, SearchResult, Values};
use super::ready::ReadyModule;
use super::refusals::{cannot_be_images, imports, is_linkage};
use crate::common::validate;
use crate::drivers::routes::program_with;
use crate::random::Random;

/// A module between commands, with the constants that are still to be set.
#[derive(Clone)]
pub struct CommandState {
    pub words: Vec<u32>,
    /// Property sets beside it.
    pub properties: Option<PropertySets>,
    /// The constants that are not set, with their values.
    pub open: Values,
    /// True if conditions of it are to be decided for a device.
    pub packed: bool,
    /// True if the constants that are bound to features are conditions now.
    pub bound: bool,
    /// True if its property sets are in the module too: those of one without conditional code are not.
    pub carries: bool,
}

impl CommandState {
    /// The state of a module in which nothing is open.
    pub fn plain(words: Vec<u32>) -> CommandState {
        CommandState {
            words,
            properties: None,
            open: Vec::new(),
            packed: false,
            bound: false,
            carries: false,
        }
    }
}

/// The most clones of one function that are allowed: as many as six bound constants make.
const MAX_CLONES: usize = 64;

/// The two designs of multi-target modules.
pub const DIALECTS: [Dialect; 2] = [Dialect::SpecConditional, Dialect::FunctionVariants];

impl Search<'_> {
    /// The state with a module made of its own.
    fn next_state(
        &self,
        state: &CommandState,
        make: impl FnOnce(&Module) -> std::result::Result<Vec<u32>, Error>,
    ) -> SearchResult<CommandState> {
        let mut module = Module::from_words(&state.words[..]).map_err(|error| error.to_string())?;
        if let Some(properties) = &state.properties {
            module = module.with_properties(properties.clone()).map_err(|error| error.to_string())?;
        }
        let words = make(&module).map_err(|error| format!("an error: {error}"))?;
        Ok(CommandState { words, properties: None, ..state.clone() })
    }

    /// Sets constants, on an unknown device: what is conditional stays so.
    pub fn set(
        &self,
        state: &CommandState,
        values: &[(u32, String)],
        trimmed: bool,
    ) -> SearchResult<CommandState> {
        println!("specialize --unset keep {} {}", options(values), if trimmed { "--trim" } else { "" });
        let mut next_state = self.next_state(state, |module| {
            let settings = settings(values, trimmed).unset(UnsetPolicy::Keep);
            Ok(Prepared::new(module)?.specialize(&Device::default(), &settings)?.words)
        })?;
        next_state.properties.clone_from(&state.properties);
        next_state.open.retain(|constant| !values.contains(constant));
        Ok(next_state)
    }

    /// Packs a module, with its annotations or without.
    pub fn pack(
        &self,
        state: &CommandState,
        dialect: Dialect,
        annotated: bool,
    ) -> SearchResult<CommandState> {
        let annotations = self.annotations.as_ref().filter(|_| annotated);
        let shown = if annotations.is_some() { " --annotations module.yaml" } else { "" };
        println!("pack of {dialect:?}{shown} --max-clones {MAX_CLONES}");
        let mut properties = None;
        let next_state = self.next_state(state, |module| {
            let options = PackOptions::new().dialect(dialect).max_clones(MAX_CLONES);
            let module = Module::from_words(module.words())?;
            let module = match annotations {
                Some(annotations) => module.with_annotations(annotations)?,
                None => module,
            };
            let packed = pack(&module, &options)?;
            properties = Some(packed.properties);
            Ok(packed.words)
        })?;
        let module = Module::from_words(&next_state.words[..]).map_err(|error| error.to_string())?;
        validate(&next_state.words, &format!("spv{}", module.version()))?;
        let carries = !module.properties().map_err(|error| error.to_string())?.to_text().is_empty();
        Ok(CommandState { properties, packed: true, bound: annotated, carries, ..next_state })
    }

    /// The module for a device, or why the device does not run it.
    pub fn for_device(
        &self,
        state: &CommandState,
        device: &Device,
        set: &[(u32, String)],
    ) -> SearchResult<std::result::Result<CommandState, Refused>> {
        println!("specialize --device-config device.yaml {}", options(set));
        let (mut refused, mut compared) = (None, Ok(()));
        let next_state = self.next_state(state, |module| {
            let original = Module::from_words(module.words())?;
            let original = match (&self.annotations, state.packed) {
                (Some(annotations), false) => original.with_annotations(annotations)?,
                _ => original,
            };
            let module = if state.packed { module } else { &original };
            let specialized =
                Prepared::new(module)?.specialize(device, &settings(set, false).unset(UnsetPolicy::Error));
            if state.packed && state.carries {
                let words = specialized.as_ref().map(|result| &result.words[..]);
                let ready = ReadyModule::new(module.words(), &settings(set, false));
                compared = ready.and_then(|ready| ready.map_or(Ok(()), |ready| ready.compare(device, words)));
            }
            match specialized {
                Err(Error::Refused(reasons)) => {
                    println!("{reasons}");
                    refused = Some(reasons);
                    Ok(Vec::new())
                }
                next_state => Ok(next_state?.words),
            }
        })?;
        compared?;
        if let Some(refused) = refused {
            return Ok(Err(*refused));
        }
        let is_decided = |id: u32| (state.bound || !state.packed) && self.is_bound(id);
        let open = state.open.iter().filter(|constant| !set.contains(constant) && !is_decided(constant.0));
        Ok(Ok(CommandState { open: open.cloned().collect(), packed: false, ..next_state }))
    }

    /// Returns the original linked with its add-on images for the device; `None` after a permitted refusal.
    pub fn add_on(
        &mut self,
        original: &CommandState,
        device: &Device,
        set: &[(u32, String)],
    ) -> SearchResult<Option<CommandState>> {
        println!(
            "sycl add-on --max-clones {MAX_CLONES}, then sycl select --device-config device.yaml {}",
            options(set)
        );
        let linked = || {
            let module = Module::from_words(&original.words[..])?;
            let module = match &self.annotations {
                Some(annotations) => module.with_annotations(annotations)?,
                None => module,
            };
            let options = SplitOptions::new().max_clones(MAX_CLONES);
            let program = program_with(&module, &options)?;
            let selection = program.select(self.machine.entry_point(), device)?.allow_partial_linkage(true);
            let settings = settings(set, false).unset(UnsetPolicy::Error);
            Ok(selection.specialize(&settings)?.words)
        };
        let words = match linked() {
            Ok(words) => words,
            Err(Error::Refused(refused)) => {
                println!("{refused}");
                if refused.missing.iter().any(is_linkage) {
                    return Err("an image is refused that is still to be linked".to_owned());
                }
                return self.refused(&refused.missing).map(|()| None);
            }
            Err(error) if cannot_be_images(&error) => {
                println!("{error}");
                self.findings.refused += 1;
                return Ok(None);
            }
            Err(error) => return Err(format!("an error: {error}")),
        };
        // Compilers leave built-in functions of OpenCL to drivers.
        let left = imports(&original.words);
        if let Some(name) = imports(&words).difference(&left).next() {
            return Err(format!("`{name}` is still imported"));
        }
        let open =
            original.open.iter().filter(|constant| !set.contains(constant) && !self.is_bound(constant.0));
        Ok(Some(CommandState { words, open: open.cloned().collect(), ..original.clone() }))
    }

    /// Commands one after another, each on the result of the previous one.
    pub fn chain(
        &mut self,
        from: &CommandState,
        device: &Device,
        random: &mut Random,
        expected: &Expected,
    ) -> SearchResult<()> {
        self.step("chain", "commands one after another");
        let mut state = from.clone();
        for _ in 0..2 + random.below(3) {
            state = match random.below(4) {
                0 => {
                    println!("trim");
                    let next_state = self.next_state(&state, |module| Ok(trim(module)?.words))?;
                    CommandState { properties: state.properties, ..next_state }
                }
                1 => {
                    println!("split --mode kernel");
                    let mut properties = None;
                    let next_state = self.next_state(&state, |module| {
                        let options = SplitOptions::new().mode(SplitMode::Kernel);
                        let image = split(module, &options)?.image(0)?;
                        properties = Some(image.properties);
                        Ok(image.words)
                    })?;
                    CommandState { properties, ..next_state }
                }
                2 if !state.packed => self.pack(&state, *random.pick(&DIALECTS), false)?,
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
        if !state.packed {
            return self.same("chain", &state, &expected.open);
        }
        let is_free = |constant: &&(u32, String)| !state.bound || !self.is_bound(constant.0);
        let free: Values = state.open.iter().filter(is_free).cloned().collect();
        let mut set = random.some(&free);
        set.extend(self.wide(&free));
        match self.for_device(&state, device, &set)? {
            Ok(state) => self.same("chain", &state, &expected.decided),
            Err(refused) => self.refused(&refused.missing),
        }
    }
}

/// Constants with values, as the program's options.
fn options(values: &[(u32, String)]) -> String {
    let options: Vec<String> = values.iter().map(|(id, value)| format!("--set {id}:{value}")).collect();
    options.join(" ")
}

/// Settings that set constants.
pub fn settings(values: &[(u32, String)], trimmed: bool) -> Settings {
    let set = |settings: Settings, (id, value): &(u32, String)| {
        settings.set(*id, value.parse::<SpecValue>().expect("a value"))
    };
    let settings = values.iter().fold(Settings::new(), set);
    let settings = settings.ignore_unknown(true);
    if trimmed { settings.trim(true) } else { settings }
}
