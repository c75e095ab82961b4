//! Lowering: code for which a device lacks a feature becomes code that it runs, with equal bits. `spec-extensions/lowerings.csv` has the rules.
//!
//! Types change everywhere at once, and values keep their ids: a function changes only where it names a changed type, or computes with values of one.

mod access;
mod arrays;
mod bfloat16;
mod conversions;
mod decorations;
mod error;
mod extracted_bits;
mod float16;
mod float16_bits;
mod formulas;
mod function;
mod globals;
mod halves;
mod helpers;
mod integers;
mod kernel_halves;
mod layouts;
mod library;
mod linkage;
mod modes;
mod moves;
mod narrow;
mod narrow_bits;
mod narrow_globals;
mod narrow_memory;
mod narrow_sums;
mod stages;
mod storage_access;
mod storage_addresses;
mod storage_conversions;
mod storage_globals;
mod storage_memory;
mod storage_paths;
mod storage_scope;
mod storage_values;
mod table;
#[cfg(test)]
mod tests;
mod types;
mod words;

pub use error::LowerError;
pub use storage_globals::without_unused;
pub use storage_scope::NarrowStorage;
pub use table::{LowerableFeature, lowerable_features};

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::str::FromStr;

use spirv::{Capability, Op};
use thiserror::Error;

use super::Edits;
use super::edits::NewInstruction;
use super::insertion::InsertionPoints;
use crate::analysis::requirements::{closure, closure_of, is_of_kernels, is_of_shaders};
use crate::collections::IdMap;
use crate::device::capabilities::extensions_of;
use crate::loader::{Instruction, Module};
use conversions::ConversionDecorations;
use extracted_bits::BITCAST_EXTRACT;
use float16::HalfRounding;
use function::FunctionLowering;
use globals::ChangedGlobals;
use helpers::{Helpers, instruction};
use library::{Library, library};
use modes::ConversionModes;
use storage_memory::WordMemory;
use types::{LoweredTypes, NumberForm};

/// The features to lower.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FeaturesToLower {
    /// Each feature that the device is known to lack and for which there are rules.
    Missing,
    /// These alone, whatever is known of the device.
    Named(Vec<LowerableFeature>),
}

/// Names of features that cannot be lowered.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{name} cannot be lowered: there are rules for {} only", names().join(", "))]
#[non_exhaustive]
pub struct UnknownFeature {
    /// The name.
    pub name: String,
}

fn names() -> Vec<&'static str> {
    lowerable_features().iter().map(|feature| feature.name()).collect()
}

impl FeaturesToLower {
    /// Makes a list of features with these names.
    ///
    /// # Errors
    /// If there are no rules for one of them.
    pub fn from_names(
        names: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<FeaturesToLower, UnknownFeature> {
        let feature =
            |name: &str| LowerableFeature::find(name).ok_or_else(|| UnknownFeature { name: name.to_owned() });
        let features = names.into_iter().map(|name| feature(name.as_ref()));
        features.collect::<Result<_, _>>().map(FeaturesToLower::Named)
    }
}

impl FromStr for FeaturesToLower {
    type Err = UnknownFeature;

    /// Reads `missing`, or the names of features with commas between them.
    fn from_str(text: &str) -> Result<FeaturesToLower, UnknownFeature> {
        if text == "missing" {
            return Ok(FeaturesToLower::Missing);
        }
        FeaturesToLower::from_names(text.split(','))
    }
}

/// A feature that was lowered. It is displayed as a clause: "lowered Int64 with equal bits: replaced 5 instructions, so that ...".
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct LoweredFeature {
    /// The feature.
    pub feature: LowerableFeature,
    /// Further features that nothing needs any more: memory of 8 and of 16 bits becomes words together.
    pub also: Vec<LowerableFeature>,
    /// The instructions whose result is one that the specification permits, by name. Those of all others have equal bits.
    pub exact: Vec<&'static str>,
    /// True if halves are not rounded: results are others than the specification permits.
    pub is_wider: bool,
    /// The condition that only the host can keep, as a clause; `None` if there is none.
    pub condition: Option<&'static str>,
    /// The added functions that code of the module calls, by name.
    pub functions: Vec<String>,
    /// The number of instructions that others replace. Those of which only a type changes do not count.
    pub replaced: usize,
    /// The number of instructions of the module.
    pub instructions_before: usize,
    /// The number of instructions of the result.
    pub instructions_after: usize,
}

impl LoweredFeature {
    /// Starts without changes.
    pub(crate) fn new(feature: LowerableFeature) -> LoweredFeature {
        LoweredFeature {
            feature,
            also: Vec::new(),
            exact: Vec::new(),
            is_wider: false,
            condition: None,
            functions: Vec::new(),
            replaced: 0,
            instructions_before: 0,
            instructions_after: 0,
        }
    }
}

impl fmt::Display for LoweredFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LoweredFeature {
            feature,
            also,
            exact,
            functions,
            replaced,
            instructions_before,
            instructions_after,
            ..
        } = self;
        let names: Vec<&str> = std::iter::once(feature).chain(also).map(|feature| feature.name()).collect();
        let permitted = match exact.is_empty() {
            false if !self.is_wider => {
                format!(", and a result that the specification permits of {}", exact.join(", "))
            }
            _ => String::new(),
        };
        let condition = self.condition.map(|condition| format!(" {condition}")).unwrap_or_default();
        let result = if self.is_wider { "without rounding, with other results" } else { "with equal bits" };
        let instructions = if *replaced == 1 { "instruction" } else { "instructions" };
        write!(
            f,
            "lowered {} {result}{permitted}{condition}: replaced {replaced} {instructions}, so that the module has \
             {instructions_after} instead of {instructions_before}",
            names.join(" and ")
        )?;
        match functions.is_empty() {
            true => Ok(()),
            false => write!(f, ", with the functions {}", functions.join(", ")),
        }
    }
}

/// The changes of [`lower`].
pub struct LowerResult {
    /// The changes to the module.
    pub edits: Edits,
    /// The instructions whose result is one that the specification permits, by name.
    pub exact: Vec<&'static str>,
    /// The condition that only the host can keep, as a clause.
    pub condition: Option<&'static str>,
    /// The added functions that code of the module calls, by name.
    pub functions: Vec<String>,
    /// The number of instructions that others replace. Those of which only a type changes do not count.
    pub replaced: usize,
}

/// Lowers a feature everywhere in a module. `keeps_integers` is true if integers of 64 bits are not lowered, too, and `wider_halves` if halves
/// are not rounded.
///
/// # Errors
/// If something cannot be lowered. The module stays as it is.
pub fn lower(
    module: &Module,
    feature: LowerableFeature,
    keeps_integers: bool,
    wider_halves: bool,
) -> Result<LowerResult, LowerError> {
    let mut lowering =
        ModuleLowering::new(module, feature, NumberForm::new(module, feature, keeps_integers), wider_halves)?;
    lowering.linkage()?;
    lowering.globals()?;
    let mut replaced = 0;
    for number in 0..module.functions().len() {
        replaced += FunctionLowering::new(&mut lowering, number).write()?;
    }
    Ok(lowering.finish(replaced))
}

/// The state of lowering one module: what all functions share.
struct ModuleLowering<'m> {
    module: &'m Module<'m>,
    feature: LowerableFeature,
    library: &'static Library,
    types: LoweredTypes,
    /// The memory that becomes words.
    memory: WordMemory,
    globals: ChangedGlobals,
    helpers: Helpers,
    edits: Edits,
    points: InsertionPoints,
    /// The results of instructions that others replace.
    replaced: HashSet<u32>,
    /// The results that are no more.
    dropped: HashSet<u32>,
    /// The new ids that get the decorations of an id.
    decorated: IdMap<Vec<u32>>,
    /// The instructions whose result is one that the specification permits, by name.
    exact: BTreeSet<&'static str>,
    conversion_modes: ConversionModes,
    /// The rounding of halves.
    rounding: HalfRounding,
    conversions: ConversionDecorations,
    /// True for kernels, in which types of integers have no signs.
    is_of_kernels: bool,
    /// The functions that the host runs.
    entry_points: HashSet<u32>,
    /// The number of parts of values that are copied part by part.
    parts: usize,
    /// True if the result has an `OpBitcastExtractEXT` that the module may not declare.
    requires_bitcast_extract: bool,
}

/// The maximum number of parts of values that are copied part by part.
const MAX_PARTS: usize = 1 << 16;

/// The maximum number of levels of composites of such a value.
const MAX_LEVELS: usize = 16;

impl<'m> ModuleLowering<'m> {
    fn new(
        module: &'m Module<'m>,
        feature: LowerableFeature,
        form: NumberForm,
        wider_halves: bool,
    ) -> Result<ModuleLowering<'m>, LowerError> {
        refuse_module(module, feature, form)?;
        modes::refuse(module, feature)?;
        let rounding = HalfRounding::read(module, feature, wider_halves)?;
        let types = LoweredTypes::find(module, feature, form)?;
        stages::refuse(module, feature, &types)?;
        let mut edits = Edits::new(module);
        let globals = ChangedGlobals::new(module, &types, &mut edits);
        Ok(ModuleLowering {
            module,
            feature,
            library: library(feature, form),
            types,
            memory: WordMemory::find(module, feature)?,
            globals,
            helpers: Helpers::default(),
            edits,
            points: InsertionPoints::find(module),
            replaced: HashSet::new(),
            dropped: HashSet::new(),
            decorated: IdMap::new(),
            exact: BTreeSet::new(),
            conversion_modes: ConversionModes::read(module),
            rounding,
            conversions: ConversionDecorations::read(module),
            is_of_kernels: is_of_kernels(module),
            entry_points: module.entry_points().map(|one| one.function()).collect(),
            parts: 0,
            requires_bitcast_extract: false,
        })
    }

    /// Counts parts of values that are copied part by part.
    fn count_parts(&mut self, inst: &Instruction, count: usize) -> Result<(), LowerError> {
        self.parts += count;
        match self.parts > MAX_PARTS {
            true => Err(self.error(inst, format!("more than {MAX_PARTS} parts of values would be copied"))),
            false => Ok(()),
        }
    }

    /// Returns the error of an instruction that cannot be lowered.
    fn error(&self, inst: &Instruction, reason: impl Into<String>) -> LowerError {
        LowerError::new(self.module, self.feature, inst, reason.into())
    }

    /// Drops the capabilities of the feature and those that nothing needs any more, and the extensions that only these come from.
    fn drop_capabilities(&mut self, unused: &[u32]) {
        let is_dropped = |capability: u32| {
            let is_stage = capability == Capability::StorageInputOutput16 as u32;
            // What memory needs is known when nothing has the types any more.
            self.types.form != NumberForm::Memory
                && closure_of(capability).contains(&self.feature.capability())
                || unused.contains(&capability)
                || is_stage && self.types.memory.has_no_narrow_stages()
        };
        let (mut of_dropped, mut of_kept) = (HashSet::<&str>::new(), HashSet::<&str>::new());
        for declared in self.module.capabilities() {
            let extensions = extensions_of(declared.capability()).unwrap_or_default();
            if is_dropped(declared.capability()) {
                self.edits.drop(&declared);
                of_dropped.extend(extensions);
            } else {
                of_kept.extend(extensions);
            }
        }
        for extension in self.module.extensions() {
            let name = extension.name();
            if of_dropped.contains(&*name) && !of_kept.contains(&*name) {
                self.edits.drop(&extension);
            }
        }
    }

    /// Adds what functions need outside of them, and removes declarations and what describes removed ids.
    fn finish(mut self, replaced: usize) -> LowerResult {
        let mut unused =
            modes::change(self.module, self.feature, &self.types, self.globals.number, &mut self.edits);
        unused.extend(self.unused_by_products());
        self.drop_capabilities(&unused);
        let required = [
            (self.types.form == NumberForm::Integer, Capability::Int64 as u32),
            (self.requires_bitcast_extract, BITCAST_EXTRACT),
            (self.types.memory.is_of_kernels() && !self.globals.stored.is_empty(), Capability::Int16 as u32),
            (self.globals.has_halves(), Capability::Float16Buffer as u32),
        ];
        for (is_required, capability) in required {
            let is_declared = self.module.capabilities().any(|one| one.capability() == capability);
            if is_required && !is_declared {
                let words = instruction(Op::Capability, [capability]);
                self.edits.insert_words(self.points.capabilities, &words);
            }
        }
        self.decorations();
        let InsertionPoints { annotations, globals, names, has_names, .. } = self.points;
        for (id, name) in self.helpers.functions().iter().filter(|_| has_names) {
            self.edits.insert(names, &NewInstruction::name(*id, name));
        }
        self.edits.insert_words(annotations, self.globals.annotations());
        self.edits.insert_words(annotations, self.globals.first_words());
        self.edits.insert_words(globals, self.globals.last_words());
        if self.is_of_kernels {
            self.helpers.keep_calls();
        }
        self.edits.insert_words(self.module.words().len() as u32, self.helpers.words());
        let functions = self.helpers.called().map(str::to_owned).collect();
        LowerResult {
            edits: self.edits,
            exact: self.exact.into_iter().collect(),
            condition: self.feature.condition().or_else(|| stages::condition(self.module, &self.types)),
            functions,
            replaced,
        }
    }
}

/// Returns true if halves of kernels are lowered.
fn has_kernel_halves(module: &Module, feature: LowerableFeature) -> bool {
    feature.capability() == Capability::Float16 as u32 && is_of_kernels(module) && !is_of_shaders(module)
}

/// Refuses a module whose types others see, or that has other rules for them.
fn refuse_module(module: &Module, feature: LowerableFeature, form: NumberForm) -> Result<(), LowerError> {
    let declared: BTreeSet<u32> =
        closure(module.capabilities().map(|one| one.capability())).into_iter().collect();
    let of_kernels = match form {
        NumberForm::Narrow => "OpenCL's kernels have 8-bit and 16-bit integers",
        NumberForm::Float if feature.is_bfloat16() => "no rule lowers bfloat16 numbers of kernels",
        NumberForm::Float => "no rule lowers halves of a module for kernels and shaders",
        _ => "kernels keep 64-bit integers: lower Float64 alone",
    };
    let of_words = [
        (Capability::Kernel, of_kernels),
        (Capability::Linkage, "functions that other modules call, or that they define, keep their types"),
    ];
    let has_rules = form == NumberForm::Integer || has_kernel_halves(module, feature);
    let of_words = of_words.into_iter().filter(|_| !has_rules);
    let untyped = (Capability::UntypedPointersKHR, "untyped pointers do not say which types are behind them");
    for (capability, reason) in of_words.chain([untyped]) {
        if declared.contains(&(capability as u32)) {
            return Err(LowerError {
                feature: feature.name(),
                place: format!("capability {capability:?}"),
                reason: reason.to_owned(),
            });
        }
    }
    if module.has_unknown_instructions() {
        let reason = "instructions that are not known may have values of its types".to_owned();
        return Err(LowerError { feature: feature.name(), place: "the module".to_owned(), reason });
    }
    Ok(())
}

/// Returns the ids that are operands of an instruction, with the numbers of their words: no types, and not its result.
fn operands(module: &Module, inst: &Instruction) -> Vec<(usize, u32)> {
    let result = inst.result_id();
    let mut all = Vec::new();
    module.walk(inst, &mut |at, id: u32| {
        if Some(id) != result && !(at == 1 && inst.result_type() == Some(id)) {
            all.push((at, id));
        }
    });
    all
}
