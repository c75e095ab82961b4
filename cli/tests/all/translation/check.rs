//! The check of a module: every result of the library behaves the same in the interpreter, for several values of its constants.

use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};

use interpreter::{InterfaceSlot, RunError, RunInputs, RunResults, entry_points, may_replace, run, slots};
use spirv_if::module::Annotations;
use spirv_if::pack::Dialect;
use spirv_if::specialize::UnsetPolicy;
use spirv_if::{Device, Error, Module, PackOptions, Prepared, Settings, SpecValue, pack};

use super::guards::FEATURE;
use crate::drivers::masked;
use crate::drivers::routes::declared;
use crate::random::Random;
use crate::search::values::{Constant, value};

/// The values of constants that are tried for each module.
const SETTINGS: usize = 3;
/// The inputs of each run.
const INPUTS: usize = 2;
/// The elements of buffers whose length is not in the module.
const ELEMENTS: usize = 64;
/// The instructions that a run of the original may take.
const MAX_STEPS: usize = 20_000;

/// A module with its constants.
pub struct CheckedModule<'s> {
    pub words: &'s [u32],
    pub constants: &'s [Constant],
}

/// Constants with values, as text.
type ConstantValues = Vec<(u32, String)>;

/// Counts of what was checked.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckCounts {
    /// Programs without a valid module from the compiler.
    pub not_made: usize,
    pub modules: usize,
    /// Runs of results that were compared.
    pub compared: usize,
    /// Runs of originals that did something undefined, with what.
    pub undefined: usize,
    /// Runs of originals that the interpreter does not know something of.
    pub unsupported: usize,
    /// The times that a device without the optional feature is refused.
    pub refused: usize,
}

impl CheckCounts {
    pub fn add(&mut self, other: CheckCounts) {
        self.not_made += other.not_made;
        self.modules += other.modules;
        self.compared += other.compared;
        self.undefined += other.undefined;
        self.unsupported += other.unsupported;
        self.refused += other.refused;
    }
}

/// A result that does something else than its original.
#[derive(Debug)]
pub struct Mismatch {
    pub step: &'static str,
    /// True if the library returns an error instead of a result.
    pub is_error: bool,
    /// Settings, arguments and results.
    pub explanation: String,
    /// The module that was made, if one was.
    pub words: Vec<u32>,
}

/// A module that was made, with the constants that are set in it.
pub struct ResultModule {
    pub step: &'static str,
    pub set: ConstantValues,
    pub words: Vec<u32>,
}

pub struct TranslationCheck<'s> {
    subject: CheckedModule<'s>,
    /// Results of the original, by values of constants, inputs and entry point.
    ran: HashMap<(ConstantValues, usize, usize), Result<RunResults, RunError>>,
    entry_points: Vec<String>,
    inputs: Vec<RunInputs>,
    pub checked: CheckCounts,
}

/// The ways to make a module with constants that have values.
const STEPS: [&str; 5] = ["set", "set --trim", "set some", "pack, then set", "set some, then all"];

impl<'s> TranslationCheck<'s> {
    pub fn new(subject: CheckedModule<'s>, random: &mut Random) -> TranslationCheck<'s> {
        let entry_points = entry_points(subject.words).unwrap_or_default();
        let inputs = (0..INPUTS).map(|_| inputs(subject.words, &entry_points, random)).collect();
        TranslationCheck {
            subject,
            ran: HashMap::new(),
            entry_points,
            inputs,
            checked: CheckCounts::default(),
        }
    }

    /// Checks the library's results for the module. Passes each one to `made` for validation.
    pub fn run(
        &mut self,
        random: &mut Random,
        use_result: &mut dyn FnMut(&ResultModule),
    ) -> Result<(), Mismatch> {
        for setting in 0..SETTINGS {
            let values = self.values(setting, random);
            let some = random.some(&values);
            let dialect = *random.pick(&[Dialect::SpecConditional, Dialect::FunctionVariants]);
            let mut compared: Vec<Vec<u32>> = Vec::new();
            for step in STEPS {
                let result = self.make(step, &values, &some, dialect)?;
                self.checked.modules += 1;
                // Most steps make the same module.
                if !compared.contains(&result.words) {
                    self.compare(&result, &values)?;
                    use_result(&result);
                    compared.push(result.words);
                }
            }
        }
        match annotations(self.subject.constants) {
            Some(annotations) => self.run_on_devices(&annotations, random, use_result),
            None => Ok(()),
        }
    }

    /// Checks results for a device with the optional feature, and for one without.
    fn run_on_devices(
        &mut self,
        annotations: &Annotations,
        random: &mut Random,
        use_result: &mut dyn FnMut(&ResultModule),
    ) -> Result<(), Mismatch> {
        let dialect = *random.pick(&[Dialect::SpecConditional, Dialect::FunctionVariants]);
        for (present, device) in [(&[FEATURE][..], DEVICE), (&[], DEVICE_WITHOUT)] {
            let constants = self.subject.constants;
            let values: ConstantValues =
                constants.iter().map(|constant| (constant.id, constant.value_for(present))).collect();
            let is_free = |constant: &&Constant| constant.bound.is_empty();
            let free: ConstantValues = constants
                .iter()
                .filter(is_free)
                .map(|constant| (constant.id, constant.value.clone()))
                .collect();
            let device = masked::read(device);
            for step in ["resolve", "pack, then resolve"] {
                let make = || {
                    let module = Module::from_words(self.subject.words)?.with_annotations(annotations)?;
                    if step == "resolve" {
                        return set_on(&module, &device, &free);
                    }
                    let options = PackOptions::new().dialect(dialect);
                    let packed = pack(&module, &options)?;
                    let module = Module::from_words(packed.words)?.with_properties(packed.properties)?;
                    set_on(&module, &device, &free)
                };
                let words = match catch_unwind(AssertUnwindSafe(make)) {
                    Ok(Err(Error::Refused(_))) if present.is_empty() => {
                        self.checked.refused += 1;
                        continue;
                    }
                    outcome => unwrapped(step, &free, outcome)?,
                };
                let result = ResultModule { step, set: free.clone(), words };
                self.checked.modules += 1;
                if present.is_empty() && declared(&result.words).contains(&(FEATURE.capability() as u32)) {
                    let explanation = format!("{FEATURE:?} is declared on a device without it");
                    return Err(Mismatch { step, is_error: false, explanation, words: result.words });
                }
                self.compare(&result, &values)?;
                use_result(&result);
            }
        }
        Ok(())
    }

    /// Returns the values of all constants: those of the program, or others.
    fn values(&self, setting: usize, random: &mut Random) -> ConstantValues {
        let value = |constant: &Constant| match setting {
            0 => (constant.id, constant.value.clone()),
            _ => (constant.id, value(random, constant.of)),
        };
        self.subject.constants.iter().map(value).collect()
    }

    fn make(
        &self,
        step: &'static str,
        values: &ConstantValues,
        some: &ConstantValues,
        dialect: Dialect,
    ) -> Result<ResultModule, Mismatch> {
        let original = self.subject.words;
        let make = || match step {
            "set" => set(original, values, false),
            "set --trim" => set(original, values, true),
            "set some" => set(original, some, false),
            "pack, then set" => set(&packed(original, dialect)?, values, false),
            _ => set(&set(original, some, false)?, values, false),
        };
        let set = if step == "set some" { some } else { values };
        let words = unwrapped(step, set, catch_unwind(AssertUnwindSafe(make)))?;
        Ok(ResultModule { step, set: set.clone(), words })
    }

    /// Compares the runs of a result with those of the original.
    fn compare(&mut self, result: &ResultModule, values: &ConstantValues) -> Result<(), Mismatch> {
        let constants = self.bits(values);
        for (number, inputs) in self.inputs.iter().enumerate() {
            for (entry_point, name) in self.entry_points.iter().enumerate() {
                let mut inputs = RunInputs { constants: constants.clone(), ..inputs.clone() };
                let key = (values.clone(), number, entry_point);
                let before =
                    self.ran.entry(key).or_insert_with(|| run(self.subject.words, name, &inputs)).clone();
                let before = match before {
                    Ok(before) => before,
                    Err(RunError::Undefined(_)) => {
                        self.checked.undefined += 1;
                        continue;
                    }
                    Err(RunError::Unsupported(_)) => {
                        self.checked.unsupported += 1;
                        continue;
                    }
                };
                self.checked.compared += 1;
                inputs.max_steps *= 2;
                let after = run(&result.words, name, &inputs);
                if after.as_ref().is_ok_and(|after| may_replace(&inputs, &before, after)) {
                    continue;
                }
                let explanation = format!(
                    "set: {:?}\nvalues: {values:?}\nentry point: {name}\ninputs: {}\n{}",
                    result.set,
                    shown(&inputs.bytes),
                    match after {
                        Ok(after) => differences(&before, &after),
                        Err(error) => format!("{error:?}"),
                    },
                );
                let (step, words) = (result.step, result.words.clone());
                return Err(Mismatch { step, is_error: false, explanation, words });
            }
        }
        Ok(())
    }

    /// Returns values of constants as bits.
    fn bits(&self, values: &ConstantValues) -> BTreeMap<u32, u64> {
        let bits = |(id, value): &(u32, String)| {
            let constant = self.subject.constants.iter().find(|constant| constant.id == *id)?;
            let bytes = constant.bytes(value);
            Some((*id, bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte))))
        };
        values.iter().filter_map(bits).collect()
    }
}

/// A device with the optional feature.
const DEVICE: &str = "device: {aspects: [fp16], capabilities: [Int8, Int16, Int64], environments: [vulkan]}";
const DEVICE_WITHOUT: &str =
    "device: {aspects: [], capabilities: [Int8, Int16, Int64], environments: [vulkan]}";

/// Returns the annotations that bind constants to features, if some are to be bound.
fn annotations(constants: &[Constant]) -> Option<Annotations> {
    let lines = constants
        .iter()
        .filter_map(|constant| Some(format!("  {}: {}\n", constant.id, constant.annotation()?)));
    let lines: String = lines.collect();
    let yaml = format!("spec-constants:\n{lines}");
    (!lines.is_empty()).then(|| Annotations::from_yaml("module.yaml", &yaml).unwrap())
}

/// Returns the module that the library made.
fn unwrapped(
    step: &'static str,
    set: &ConstantValues,
    outcome: std::thread::Result<Result<Vec<u32>, Error>>,
) -> Result<Vec<u32>, Mismatch> {
    let (problem, is_error) = match outcome {
        Ok(Ok(words)) => return Ok(words),
        Ok(Err(error)) => (format!("an error: {error}"), true),
        Err(_) => ("a panic".to_owned(), false),
    };
    let explanation = format!("set: {set:?}\n{problem}");
    Err(Mismatch { step, is_error, explanation, words: Vec::new() })
}

fn set_on(module: &Module, device: &Device, values: &ConstantValues) -> Result<Vec<u32>, Error> {
    let set = |settings: Settings, (id, value): &(u32, String)| {
        settings.set(*id, value.parse::<SpecValue>().expect("a value"))
    };
    let settings = values.iter().fold(Settings::new(), set);
    let settings = settings.ignore_unknown(true).unset(UnsetPolicy::Error);
    Ok(Prepared::new(module)?.specialize(device, &settings)?.words)
}

fn set(words: &[u32], values: &ConstantValues, is_trimmed: bool) -> Result<Vec<u32>, Error> {
    let module = Module::from_words(words)?;
    let set = |settings: Settings, (id, value): &(u32, String)| {
        settings.set(*id, value.parse::<SpecValue>().expect("a value"))
    };
    let settings = values.iter().fold(Settings::new(), set);
    let settings = settings.ignore_unknown(true);
    let settings = if is_trimmed { settings.trim(true) } else { settings };
    Ok(Prepared::new(&module)?.specialize(&Device::default(), &settings)?.words)
}

fn packed(words: &[u32], dialect: Dialect) -> Result<Vec<u32>, Error> {
    let options = PackOptions::new().dialect(dialect);
    Ok(pack(&Module::from_words(words)?, &options)?.words)
}

/// Returns random contents of the buffers of a module.
fn inputs(words: &[u32], entry_points: &[String], random: &mut Random) -> RunInputs {
    let mut inputs = RunInputs { max_steps: MAX_STEPS, ..RunInputs::default() };
    for entry_point in entry_points {
        for (slot, size) in slots(words, entry_point, &inputs, ELEMENTS).unwrap_or_default() {
            // A numeric argument is small, since it may be a depth of recursion.
            let is_number = matches!(slot, InterfaceSlot::Argument(_)) && size <= 8;
            let word = |_| random.next() as u32 >> if is_number { 29 } else { random.below(32) };
            let words: Vec<u32> = (0..size.div_ceil(4)).map(word).collect();
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).take(size).collect();
            inputs.bytes.insert(slot, bytes);
        }
    }
    inputs
}

/// Returns the words of inputs as text.
fn shown(bytes: &BTreeMap<InterfaceSlot, Vec<u8>>) -> String {
    let slot = |(slot, bytes): (&InterfaceSlot, &Vec<u8>)| {
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u32::from(byte));
        format!("{slot:?}: {:x?}", bytes.chunks(4).map(word).collect::<Vec<_>>())
    };
    bytes.iter().map(slot).collect::<Vec<_>>().join("; ")
}

/// Returns the different words of results as text, with question marks for undefined ones.
fn differences(before: &RunResults, after: &RunResults) -> String {
    let word = |bytes: &[Option<u8>]| match bytes.iter().copied().collect::<Option<Vec<u8>>>() {
        Some(bytes) => format!("{:x}", bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u32::from(byte))),
        None => "?".to_owned(),
    };
    let mut lines = Vec::new();
    for (slot, before) in before {
        let after = after.get(slot).map(Vec::as_slice).unwrap_or_default();
        for (at, (before, after)) in before.chunks(4).zip(after.chunks(4)).enumerate() {
            if before != after {
                lines.push(format!(
                    "{slot:?}, word {at}: {} is right, but it is {}",
                    word(before),
                    word(after)
                ));
            }
        }
    }
    lines.join("\n")
}
