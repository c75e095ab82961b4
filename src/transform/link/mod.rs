//! Links several translation units to one module: imports are resolved to exports, and equal types and constants are merged.
//! `spec-extensions/linking.md` defines the rules.
//!
//! A module is read twice, and its words are copied function by function. Then the ids in the copy are replaced. Only linkage names are looked up
//! by name, and types are compared only by their words.

mod code;
mod equal_definitions;
mod error;
mod exports;
mod functions;
mod globals;
mod head;
mod keys;
mod memory;
mod names;
mod spec_ids;
mod structural_equality;
mod symbols;
#[cfg(test)]
mod tests;
mod unit;

pub use error::{LinkError, LinkWarning};
pub use exports::{declares_linkage, drop_capability, is_import, linkage, without_exports};

use std::collections::{BTreeSet, HashSet};

use super::definitions::{
    AddressReferences, Descriptions, InterfaceVariables, NamedModule, ReachedValues, check_memory_models,
    common_generator, is_multi_target, is_raised, latest, storage_class,
};
use super::version::{NewerRules, raise, removed};
use crate::collections::IdMap;
use crate::loader::{Instructions, LogicalPlace, MAX_BOUND, Module, Section, grammar};
use functions::Functions;
use globals::{Globals, before_functions};
use head::Head;
use names::LinkedFunctionNames;
use unit::{LinkUnit, Replacement};

/// The result of linking.
#[derive(Clone, Debug)]
pub struct LinkResult {
    /// The module.
    pub module: Module<'static>,
    /// Each function of the result by its id, and the index of the module that it is from, in the order of the inputs.
    pub sources: Vec<(u32, usize)>,
    /// Id in the result for each old id of each input, or 0 for a removed one. Several ids may have become one: a replaced function or variable
    /// maps to its replacement, or to that one's address cast to another type.
    #[cfg(test)]
    pub ids: Vec<Vec<u32>>,
    /// Warnings: linked code that may not behave as intended.
    pub warnings: Vec<LinkWarning>,
    /// True if the result has no linkage: the entry points of a kernel's images reach everything that has linkage.
    pub is_plain: bool,
}

/// True for the entry points to keep: execution model and name.
pub type IsKeptFn<'k> = &'k dyn Fn(u32, &str) -> bool;

/// The rules by which equal definitions of several modules are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rules {
    /// Translation units of users, who may mean different things by one name.
    Units,
    /// Images of one split program: equal definitions become one again.
    Images,
}

/// Links the images of a program. Repeated definitions are merged: functions of one name without linkage and with equal bodies, variables that the
/// host binds, constant data, and specialization constants of one SpecId. If the entry points that are kept (by execution model and name; unless
/// `None`) are all that there are, and reach all that has linkage, the result has none.
///
/// # Errors
/// See `LinkError`.
pub fn link_images(inputs: &[NamedModule], is_kept: Option<IsKeptFn>) -> Result<LinkResult, LinkError> {
    if let Some(input) = inputs.iter().find(|input| is_multi_target(input.module)) {
        return Err(LinkError::MultiTarget(input.name.to_string()));
    }
    link_all(inputs, Rules::Images, &[], is_kept)
}

/// Links modules. A single module is returned unchanged if it could not be linked with others because of conditional code or unknown
/// instructions.
///
/// # Errors
/// See `LinkError`.
pub fn link(inputs: &[NamedModule]) -> Result<LinkResult, LinkError> {
    link_units(inputs, &[])
}

/// Like [`link`]. `shared` has the linkage names of each module's variables that are one variable with those of other modules, although each
/// module defines its own: `device_global`s of one program in several images.
///
/// # Errors
/// See [`LinkError`].
pub fn link_units(inputs: &[NamedModule], shared: &[HashSet<String>]) -> Result<LinkResult, LinkError> {
    let [first, ..] = inputs else { return Err(LinkError::NoInput) };
    let conditional = inputs.iter().find(|input| is_multi_target(input.module));
    match (conditional, inputs) {
        (Some(_), [only]) => return Ok(link_one(only)),
        (Some(input), _) => return Err(LinkError::MultiTarget(input.name.to_string())),
        (None, _) => {}
    }
    match link_all(inputs, Rules::Units, shared, None) {
        Err(LinkError::Unknown { .. }) if inputs.len() == 1 => Ok(link_one(first)),
        linked => linked,
    }
}

/// Rejects modules with instructions or enumerants that are missing in the version of the result. That is the version of module number `highest`.
fn check_removed(units: &[LinkUnit], version: u32, highest: usize) -> Result<(), LinkError> {
    for unit in units {
        if let Some(removed) = removed::find(unit.module, version, NewerRules::Vulkan) {
            return Err(LinkError::Removed {
                file: unit.name.to_string(),
                what: removed.name,
                last: removed.last(),
                other: units[highest].name.to_string(),
            });
        }
    }
    Ok(())
}

fn link_all(
    inputs: &[NamedModule],
    rules: Rules,
    shared: &[HashSet<String>],
    is_kept: Option<IsKeptFn>,
) -> Result<LinkResult, LinkError> {
    check_memory_models(inputs.iter().copied())?;
    let (version, highest) = latest(inputs.iter().map(|input| input.module));
    let raised = inputs
        .iter()
        .map(|input| raise(input.module, version, NewerRules::Vulkan).map(Module::from_words).transpose());
    let raised: Vec<Option<Module>> = raised.collect::<Result<_, _>>()?;
    let units = inputs.iter().zip(&raised);
    let units =
        units.map(|(input, raised)| LinkUnit::new(input.name, raised.as_ref().unwrap_or(input.module)));
    let mut units: Vec<LinkUnit> = units.collect();
    check_removed(&units, version, highest)?;

    let described: Vec<Descriptions> =
        units.iter().map(|unit| describe(unit, rules)).collect::<Result<_, _>>()?;
    let names = LinkedFunctionNames::new(&units);
    let (mut classes, mut warnings) = symbols::resolve(&mut units, &described, &names, rules, shared)?;
    names::separate_names(&mut units, names);
    let mut next = 1;
    let mut globals = Globals::new(rules);
    globals.assign_ids(&mut units, &mut next);
    for at in order_of_globals(&units) {
        globals.add(at as u32, &mut units[at], &described[at], &mut classes, &mut next)?;
        in_bound(next)?;
    }
    head::agree_on_size(&units)?;
    warnings.extend(spec_ids::check(&units));

    let mut functions = Functions::new(&units);
    let mut head = Head::new(&units, std::mem::take(&mut globals.sections));
    let files: Vec<&str> = inputs.iter().map(|input| input.name).collect();
    for at in 0..units.len() {
        functions.add(at, &mut units, &globals, &mut next)?;
        head.add(at, &mut units[at], &mut next, &files)?;
        in_bound(next)?;
    }
    let references = AddressReferences::new(&functions.uses, &globals.made_of, next);
    complete_interfaces(&mut head, version, &units, &functions.sources, &references);
    let is_plain = is_kept.is_some_and(|is_kept| is_plain(&head, &functions, &references, is_kept));
    if is_plain {
        head.remove_linkage();
    }

    let generator = common_generator(units.iter().map(|unit| unit.module));
    let Head { mut sections, entry_points, .. } = head;
    entry_points.iter().for_each(|linked| linked.entry.write(None, &mut sections.entry_points));
    let header = [spirv::MAGIC_NUMBER, version, generator, next, 0];
    let (module, sources) = functions.module(&sections.in_order(&header))?;
    #[cfg(test)]
    let ids = units.into_iter().map(LinkUnit::into_ids).collect();
    Ok(LinkResult {
        module,
        sources,
        #[cfg(test)]
        ids,
        warnings,
        is_plain,
    })
}

fn describe(unit: &LinkUnit, rules: Rules) -> Result<Descriptions, LinkError> {
    keys::describe(unit.module, rules)
        .map_err(|error| LinkError::DecorationGroups { file: unit.name.to_string(), error })
}

/// Adds the variables that an entry point reaches and does not list. This applies only if it reaches a function of another module, or if the new
/// version requires longer lists. Omissions of a compiler are not corrected.
fn complete_interfaces(
    head: &mut Head,
    version: u32,
    units: &[LinkUnit],
    sources: &[(u32, usize)],
    references: &AddressReferences,
) {
    let is_raised = |unit: usize| is_raised(units[unit].module.version_word(), version);
    let unit_of: IdMap<usize> = sources.iter().copied().collect();
    let is_crossing = |&(from, to): &(u32, u32)| match (unit_of.get(&from), unit_of.get(&to)) {
        (Some(from), Some(to)) => from != to,
        _ => false,
    };
    let is_any_raised = head.entry_points.iter().any(|linked| is_raised(linked.unit));
    if head.entry_points.is_empty() || !is_any_raised && !references.all().iter().any(is_crossing) {
        return;
    }
    let globals = Instructions::new(&head.sections.globals, 0);
    let variables = globals.filter_map(|inst| Some((inst.result_id()?, storage_class(&inst)?)));
    let variables = InterfaceVariables::new(version, variables);
    if variables.is_empty() {
        return;
    }
    let reached_units = references.reached_values(|id| unit_of.get(&id).copied());
    let reached_variables = references.reached_variables(&variables);
    for linked in &mut head.entry_points {
        let function = linked.entry.function as usize;
        if is_raised(linked.unit) || reached_units[function] == ReachedValues::Several {
            variables.complete(&mut linked.entry.interface, &reached_variables[function]);
        }
    }
}

/// Returns true if all entry points are kept and reach all functions and everything with linkage, and nothing is
/// imported.
fn is_plain(head: &Head, functions: &Functions, references: &AddressReferences, is_kept: IsKeptFn) -> bool {
    let entries = || head.entry_points.iter().map(|linked| &linked.entry);
    if !entries().all(|entry| is_kept(entry.model, &symbols::text(&entry.name))) {
        return false;
    }
    let reached = references.reached_from_any(entries().map(|entry| entry.function).collect());
    functions.sources.iter().all(|&(id, _)| reached[id as usize])
        && head.linkages.iter().all(|linkage| !linkage.is_import && reached[linkage.target as usize])
}

/// Returns a module as its own result.
fn link_one(input: &NamedModule) -> LinkResult {
    let module = input.module;
    LinkResult {
        module: module.to_owned(),
        sources: module.functions().iter().map(|function| (function.id, 0)).collect(),
        #[cfg(test)]
        ids: vec![(0..module.bound()).collect()],
        warnings: Vec::new(),
        is_plain: false,
    }
}

fn in_bound(next: u32) -> Result<(), LinkError> {
    if next > MAX_BOUND { Err(LinkError::Bound) } else { Ok(()) }
}

/// Returns the modules in the order in which their globals are written: each comes after those with variables that its globals depend on, as far as possible. Without such
/// dependencies, the order of the input.
fn order_of_globals(units: &[LinkUnit]) -> Vec<usize> {
    let dependencies: Vec<BTreeSet<usize>> = units.iter().map(dependencies).collect();
    let mut order = Vec::with_capacity(units.len());
    let mut seen = vec![false; units.len()];
    let mut open: Vec<(usize, bool)> = (0..units.len()).rev().map(|unit| (unit, false)).collect();
    while let Some((unit, done)) = open.pop() {
        if done {
            order.push(unit);
        } else if !std::mem::replace(&mut seen[unit], true) {
            open.push((unit, true));
            open.extend(dependencies[unit].iter().rev().map(|&unit| (unit, false)));
        }
    }
    order
}

/// Returns the modules with variables that the globals of a module depend on.
fn dependencies(unit: &LinkUnit) -> BTreeSet<usize> {
    let casts = unit.replacements.values().filter_map(|replacement| match replacement {
        Replacement::Cast(other) => Some(other.0 as usize),
        _ => None,
    });
    let mut dependencies: BTreeSet<usize> = casts.collect();
    if unit.replacements.iter().all(|(&id, _)| unit.module.is_function(id)) {
        return dependencies;
    }
    for inst in before_functions(unit.module) {
        let place = grammar::layout(inst.opcode()).map(|layout| layout.place);
        if !matches!(place, Some(LogicalPlace::Section(Section::Types) | LogicalPlace::Types)) {
            continue;
        }
        let result = inst.result_id();
        unit.module.walk(&inst, &mut |_, id: u32| {
            if Some(id) != result
                && let Some(Replacement::Same((other, _))) = unit.replacements.get(&id)
                && !unit.module.is_function(id)
            {
                dependencies.insert(*other as usize);
            }
        });
    }
    dependencies
}
