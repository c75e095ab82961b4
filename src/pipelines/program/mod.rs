//! A program of several translation units, as one module for any device or for one: what `sycl post-link` makes images of (seed
//! "device_if", "Changes to the `sycl-post-link` tool"; `spec-extensions/post-link.md`).

mod properties;
#[cfg(test)]
mod tests;

use thiserror::Error;

use super::{PipelineError, resolve};
use crate::analysis::translation_units;
use crate::analysis::{Analyses, Annotated};
use crate::compatibility::{DeviceValues, settled};
use crate::condition::ConditionError;
use crate::device::{Device, architectures, aspects};
use crate::loader::{LoadError, Module};
use crate::sidecar::property_sets::{
    DEVICE_REQUIREMENTS, DeviceRequirements, PropertyError, PropertySets, SPECIAL_CONSTANTS,
};
use crate::transform::link::{Input, LinkError, LinkWarning};
use crate::transform::{self, specialize::Unset};

/// A translation unit.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'u> {
    /// Its name: the translation unit of functions that do not say theirs.
    pub name: &'u str,
    /// Its module.
    pub module: &'u Module<'u>,
    /// The properties beside it.
    pub properties: &'u PropertySets,
    /// The devices that its code is meant for (`-fsycl-fixed-targets`); empty for those that its properties name, or else any.
    pub fixed_targets: &'u [Device],
}

/// Why no program can be made of translation units, or of a program one for a device.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// They do not link.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// What is beside two of them cannot be true of the program.
    #[error(
        "{first} and {second}: their properties differ in `{property}` of [{set}], which can have one value in a program"
    )]
    Conflict {
        /// The unit that was there first.
        first: String,
        /// The other.
        second: String,
        /// The property set.
        set: String,
        /// The property.
        property: String,
    },
    /// The properties beside a unit are malformed.
    #[error("{unit}: its properties: {error}")]
    UnitProperty {
        /// The unit.
        unit: String,
        /// What is wrong.
        error: PropertyError,
    },
    /// A unit is meant for fixed targets, of which there are none.
    #[error("{0}: its properties say that it runs on fixed targets only, and name none")]
    NoTarget(String),
    /// The properties of the program are malformed.
    #[error(transparent)]
    Property(#[from] PropertyError),
    /// It cannot be resolved or packed.
    #[error(transparent)]
    Recipe(#[from] PipelineError),
    /// A condition is out of bounds.
    #[error(transparent)]
    Condition(#[from] ConditionError),
    /// What was made of an invalid module does not load.
    #[error("a module is invalid, and so is what becomes of it")]
    Load(#[from] LoadError),
}

/// A program: what its translation units are linked to, or what is left of that for a device.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its module.
    pub module: Module<'static>,
    /// What is said of it beside what it says itself.
    pub annotated: Annotated,
    /// The property sets beside it.
    pub properties: PropertySets,
}

/// Links translation units; one alone stays as it is. Which unit a function is of, and the fixed targets of that, are among what
/// is annotated. Beside the program: what may not mean what was meant.
///
/// # Errors
/// See [`ProgramError`].
pub fn link(units: &[Unit]) -> Result<(Program, Vec<LinkWarning>), ProgramError> {
    let properties = properties::of_all(units)?;
    let (words, of_function, warnings) = match units {
        [unit] => {
            let of_function = unit.module.functions().iter().map(|function| (function.id, 0)).collect();
            (unit.module.words().to_vec(), of_function, Vec::new())
        }
        _ => {
            let inputs: Vec<Input> =
                units.iter().map(|unit| Input { name: unit.name, module: unit.module }).collect();
            let linked = transform::link::link(&inputs)?;
            (linked.words, linked.sources, linked.warnings)
        }
    };
    let module = Module::from_words(words)?;
    let annotated = of_units(units, &module, of_function)?;
    Ok((Program { module, annotated, properties }, warnings))
}

/// A program for one device: its conditions are decided, and what only false ones needed is gone ("The following occurs for each
/// AOT target before device code is split into images").
///
/// # Errors
/// See [`ProgramError`].
pub fn on(analyses: &Analyses, properties: &PropertySets, device: &Device) -> Result<Program, ProgramError> {
    let annotated = analyses.annotated();
    let known = DeviceValues::new(device, properties)?;
    let set = settled(device, &annotated.spec_constants)?;
    let set: Vec<(u32, u64)> = set.into_iter().map(|(spec_id, value)| (spec_id, value.into())).collect();
    let resolved = resolve(analyses, properties, device, &known, &set, Unset::Keep)?;
    let mut properties = properties.clone();
    if let Some(open) = resolved.properties {
        properties.sets.extend(open.sets.into_iter().filter(|set| set.name == SPECIAL_CONSTANTS));
    }
    let module = Module::from_words(resolved.words)?;
    let annotated = after_calls(annotated, &module);
    Ok(Program { module, annotated, properties })
}

/// What follows for functions from the units that they are of, by function and number of the unit.
fn of_units(
    units: &[Unit],
    module: &Module,
    of_function: Vec<(u32, usize)>,
) -> Result<Annotated, ProgramError> {
    let mut annotated = Annotated::default();
    let named = translation_units(module, &annotated);
    let fixed = units.iter().map(fixed_targets).collect::<Result<Vec<_>, _>>()?;
    for (function, unit) in of_function {
        if !named.contains_key(&function) {
            annotated.sources.insert(function, units[unit].name.to_owned());
        }
        if !fixed[unit].is_empty() {
            annotated.fixed_targets.insert(function, fixed[unit].clone());
        }
    }
    Ok(annotated)
}

/// The names of the devices that a unit is meant for.
fn fixed_targets(unit: &Unit) -> Result<Vec<String>, ProgramError> {
    if !unit.fixed_targets.is_empty() {
        return Ok(unit.fixed_targets.iter().map(|device| device.name.clone()).collect());
    }
    let Some(set) = unit.properties.get(DEVICE_REQUIREMENTS) else { return Ok(Vec::new()) };
    let requirements = DeviceRequirements::from_set(set);
    let requirements =
        requirements.map_err(|error| ProgramError::UnitProperty { unit: unit.name.to_owned(), error })?;
    let name = |aspect: u32| {
        let architecture = aspects::architecture_of(aspect).and_then(architectures::by_value);
        architecture.map_or_else(|| aspect.to_string(), |architecture| architecture.name.to_owned())
    };
    match requirements.fixed_targets {
        Some(targets) if targets.is_empty() => Err(ProgramError::NoTarget(unit.name.to_owned())),
        targets => Ok(targets.into_iter().flatten().map(name).collect()),
    }
}

/// What is still to be said once conditional calls are decided.
fn after_calls(annotated: &Annotated, module: &Module) -> Annotated {
    let own = annotated.within(module);
    Annotated {
        aspects: own.aspects,
        fixed_targets: own.fixed_targets,
        sources: own.sources,
        ..Annotated::default()
    }
}
