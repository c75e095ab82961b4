//! A program of several translation units, as one module for any device or for one: `sycl post-link` makes images of it
//! (docs/design/device-if.md, "Changes to the `sycl-post-link` tool (AOT)" and "Alternate design for non-AOT SPIR-V targets";
//! `spec-extensions/post-link.md`).

mod error;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};

use super::predicates::united;
use super::{PipelineError, resolve};
use crate::analysis::{
    Analyses, AnalysisError, Annotated, AspectSources, DeclaredAspects, Names, SyclProperties,
    translation_units,
};
use crate::collections::{IdMap, OrderedMap};
use crate::compatibility::{DeviceValues, known_values};
use crate::device::{Device, architectures, aspects};
use crate::loader::Module;
use crate::metadata::property_sets::{
    DeviceGlobal, DeviceRequirements, PropertySets, SPECIAL_CONSTANTS, SpecialConstants, UnitProperties,
};
use crate::transform;
use crate::transform::cloning::CloneLimit;
use crate::transform::definitions::NamedModule;
use crate::transform::link::LinkWarning;
use crate::transform::predicates::MergedTables;
use crate::transform::specialize::UnsetPolicy;
use crate::writer::apply;
use error::ProgramError;

/// A translation unit.
#[derive(Clone, Copy, Debug)]
pub struct TranslationUnit<'u> {
    /// The unit's name. It is the translation unit of functions that have none.
    pub name: &'u str,
    /// The unit's module.
    pub module: &'u Module<'u>,
    /// The properties beside it.
    pub properties: &'u PropertySets,
    /// The devices that the unit's code is meant for (`-fsycl-fixed-targets`). If empty, these are the devices that its properties name, or
    /// else any.
    pub fixed_targets: &'u [Device],
}

/// A program: its linked translation units, or the part of them for a device.
#[derive(Clone, Debug)]
pub struct LinkedProgram {
    /// The program's module.
    pub module: Module<'static>,
    /// The program's annotations.
    pub annotated: Annotated,
    /// The property sets beside it.
    pub properties: PropertySets,
}

/// Links translation units. A single unit is unchanged. Shaders with entry points that import nothing lose their exports, unless the result
/// is to be a library. The annotations name the unit of each function and its fixed targets. Also returns warnings.
///
/// # Errors
/// See [`PipelineError`].
pub fn link(
    units: &[TranslationUnit],
    create_library: bool,
) -> Result<(LinkedProgram, Vec<LinkWarning>), PipelineError> {
    let (unit_properties, properties) = properties(units)?;
    let (module, of_function, warnings) = match units {
        [unit] => {
            let of_function = unit.module.functions().iter().map(|function| (function.id, 0)).collect();
            (unit.module.to_owned(), of_function, Vec::new())
        }
        _ => {
            let modules: Vec<(&str, &Module)> = units.iter().map(|unit| (unit.name, unit.module)).collect();
            let united = united(&modules, MergedTables::OfFirst)?;
            let with_united = modules.iter().zip(&united);
            let inputs: Vec<NamedModule> = with_united
                .map(|(&(name, module), united)| NamedModule {
                    name,
                    module: united.as_ref().unwrap_or(module),
                })
                .collect();
            let shared: Vec<HashSet<String>> = units.iter().map(shared_variables).collect();
            let linked = transform::link::link_units(&inputs, &shared)?;
            (linked.module, linked.sources, linked.warnings)
        }
    };
    let module = match transform::link::without_exports(&module).filter(|_| !create_library) {
        Some(edits) => Module::from_words(apply(&module, &edits)?)?,
        None => module,
    };
    let mut annotated = annotations_of_units(units, &module, of_function)?;
    if units.len() > 1 {
        annotated.unit_properties = unit_properties;
    }
    Ok((LinkedProgram { module, annotated, properties }, warnings))
}

/// Returns a program for one device: its conditions are decided, and code that only false conditions required is removed
/// (docs/design/device-if.md, "Changes to the `sycl-post-link` tool (AOT)"). Conditions that the device leaves open are packed, with at
/// most `max_clones` of one function.
///
/// # Errors
/// See [`PipelineError`].
pub fn apply_to_device(
    analyses: &Analyses,
    properties: &PropertySets,
    device: &Device,
    max_clones: CloneLimit,
) -> Result<LinkedProgram, PipelineError> {
    let annotated = analyses.annotated();
    let known = DeviceValues::new(device, properties)?;
    let set = known_values(device, &annotated.spec_constants)?;
    let set: Vec<(u32, u64)> = set.into_iter().map(|(spec_id, value)| (spec_id, value.into())).collect();
    let options = UnsetPolicy::Keep.into();
    let resolved = resolve(analyses, properties, device, &known, &set, options, max_clones)?;
    let mut properties = properties.clone();
    if let Some(open) = resolved.properties {
        properties.sets.extend(open.sets.into_iter().filter(|set| set.name == SPECIAL_CONSTANTS));
    }
    let module = Module::from_words(resolved.words.into_owned())?;
    let annotated = annotated.after_calls(&module);
    Ok(LinkedProgram { module, annotated, properties })
}

/// Returns the annotations of functions that follow from their units: by function, the index of the unit.
fn annotations_of_units(
    units: &[TranslationUnit],
    module: &Module,
    of_function: Vec<(u32, usize)>,
) -> Result<Annotated, PipelineError> {
    let mut annotated = Annotated::default();
    let fixed = units.iter().map(fixed_targets).collect::<Result<Vec<_>, _>>()?;
    let is_any_fixed = fixed.iter().any(|targets| !targets.is_empty());
    // A unit alone may have been linked before, from units that its functions name.
    if units.len() > 1 {
        let properties = SyclProperties::read(module, &annotated.properties);
        let named = translation_units(module, &properties, &annotated);
        let unnamed = of_function.iter().filter(|(function, _)| !named.contains_key(function));
        annotated.sources = unnamed.map(|&(id, unit)| (id, units[unit].name.to_owned())).collect();
        annotated.units = of_function.iter().copied().collect();
        annotated.promised = promised(units, module)?;
    }
    for (function, unit) in of_function {
        // Beside units that have targets, one without any is known to have none.
        if is_any_fixed {
            annotated.fixed_targets.insert(function, fixed[unit].clone());
        }
    }
    Ok(annotated)
}

/// Returns the aspects that declarations in other units list, by function and by index of the unit.
fn promised(
    units: &[TranslationUnit],
    module: &Module,
) -> Result<IdMap<OrderedMap<usize, BTreeSet<u32>>>, PipelineError> {
    let names = Names::new(module);
    let exported: HashMap<Cow<str>, u32> = names
        .linked()
        .filter(|(id, linkage)| !linkage.import && module.is_function(*id))
        .map(|(id, linkage)| (linkage.name, id))
        .collect();
    let mut promised: IdMap<OrderedMap<usize, BTreeSet<u32>>> = IdMap::new();
    for (number, unit) in units.iter().enumerate() {
        let properties = SyclProperties::read(unit.module, &IdMap::new());
        let names = Names::new(unit.module);
        let sources = AspectSources::default();
        let declared = DeclaredAspects::read(unit.module, &names, &properties, &sources);
        let declared = declared.map_err(AnalysisError::from)?;
        for (function, aspects) in declared.iter() {
            let imported = names.linkage(function).filter(|linkage| linkage.import);
            if let Some(&id) = imported.and_then(|linkage| exported.get(&linkage.name)) {
                promised.entry(id).or_default().insert(number, aspects.clone());
            }
        }
    }
    Ok(promised)
}

/// Returns the names of the devices that a unit is meant for.
fn fixed_targets(unit: &TranslationUnit) -> Result<Vec<String>, PipelineError> {
    if !unit.fixed_targets.is_empty() {
        return Ok(unit.fixed_targets.iter().map(|device| device.name().to_owned()).collect());
    }
    let requirements = DeviceRequirements::from_properties(unit.properties);
    let requirements =
        requirements.map_err(|error| ProgramError::UnitProperty { unit: unit.name.to_owned(), error })?;
    let requirements = requirements.unwrap_or_default();
    let name = |aspect: u32| {
        let architecture = aspects::architecture_of(aspect).and_then(architectures::by_value);
        architecture.map_or_else(|| aspect.to_string(), |architecture| architecture.name.to_owned())
    };
    match requirements.fixed_targets {
        Some(targets) if targets.is_empty() => Err(ProgramError::NoTarget(unit.name.to_owned()).into()),
        targets => Ok(targets.into_iter().flatten().map(name).collect()),
    }
}

/// Returns the properties of each unit that its images keep, and the property sets of the program: also the specialization constants for
/// features.
fn properties(units: &[TranslationUnit]) -> Result<(UnitProperties, PropertySets), PipelineError> {
    let mut special = SpecialConstants::default();
    let mut kept = Vec::new();
    for unit in units {
        let malformed = |error| ProgramError::UnitProperty { unit: unit.name.to_owned(), error };
        if let Some(set) = unit.properties.get(SPECIAL_CONSTANTS) {
            special.extend(SpecialConstants::from_set(set).map_err(malformed)?.leaves());
        }
        kept.push(unit.properties.kept().map_err(malformed)?);
    }
    let of_units = UnitProperties::new(kept);
    let mut of_program = of_units.of_program();
    if special != SpecialConstants::default() {
        of_program.put(special.to_set());
    }
    Ok((of_units, of_program))
}

/// Returns the linkage names of the variables of a unit of which other images of its program have copies.
fn shared_variables(unit: &TranslationUnit) -> HashSet<String> {
    let globals = DeviceGlobal::all(unit.properties).into_iter();
    globals.filter(|global| !global.is_image_scope).map(|global| global.name).collect()
}
