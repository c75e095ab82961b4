//! Links several translation units to one module: imports are resolved to exports, and equal types and constants are merged.
//! `spec-extensions/linking.md` defines what is linked and what is rejected.
//!
//! A module is read twice, and its words are copied in runs: function by function, after which the ids in them are set to those of the
//! result. Only linkage names are looked up by name, and types are compared only by their words.

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
mod references;
mod spec_ids;
mod structural_equality;
mod symbols;
#[cfg(test)]
mod tests;
mod unit;

pub use error::{DifferentMemoryModels, LinkError, LinkWarning};
pub use exports::{declares_linkage, drop_capability, is_import, linkage, without_exports};
pub use head::same_memory_model;

use std::collections::BTreeSet;

use spirv::{Capability, Op};

use super::version::removed;
use crate::loader::{LoadError, MAX_BOUND, Module, Place, Section, grammar};
use functions::Functions;
use globals::{Globals, before_functions};
use head::{Head, LinkedEntryPoint};
use keys::Described;
use names::FunctionNames;
use references::References;
use unit::{LinkUnit, Replacement};

/// A module to link.
#[derive(Clone, Copy, Debug)]
pub struct Input<'m> {
    /// Its name in messages, such as its path.
    pub name: &'m str,
    /// The module.
    pub module: &'m Module<'m>,
}

/// The result of linking.
#[derive(Clone, Debug)]
pub struct Linked {
    /// The module.
    pub module: Module<'static>,
    /// Each function of the result by its id, and the index of the module that it is from, in the order of the inputs.
    pub sources: Vec<(u32, usize)>,
    /// By input, by its old id: the id in the result, or 0 if there is none. Several ids may have become one: for a function or
    /// variable that another replaces, this is the other, or its address cast to another type.
    #[cfg(test)]
    pub ids: Vec<Vec<u32>>,
    /// Warnings: linked code that may not behave as intended.
    pub warnings: Vec<LinkWarning>,
    /// True if nothing has linkage: the images of a kernel whose entry points reach all that has some.
    pub is_plain: bool,
}

/// True for the entry points to keep: execution model and name.
pub type IsKept<'k> = &'k dyn Fn(u32, &str) -> bool;

/// The rules by which equal definitions of several modules are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rules {
    /// Translation units of users, who may mean different things by one name.
    Units,
    /// Images that one program was split into: what was one definition is one again.
    Images,
}

/// Links the images of a program. What several of them have, since each requires it, is merged: functions of one name without linkage and
/// with equal bodies, variables that the host binds, constant data, and specialization constants of one SpecId. If the entry points
/// that are kept (by execution model and name; unless `None`) are all that there are, and reach all that has linkage, the result has none.
///
/// # Errors
/// See [`LinkError`].
pub fn link_images(inputs: &[Input], is_kept: Option<IsKept>) -> Result<Linked, LinkError> {
    if let Some(input) = inputs.iter().find(|input| is_multi_target(input.module)) {
        return Err(LinkError::MultiTarget(input.name.to_string()));
    }
    link_all(inputs, Rules::Images, is_kept)
}

/// Links modules. A single module is returned unchanged if it could not be linked with others because of conditional code or unknown
/// instructions.
///
/// # Errors
/// See [`LinkError`].
pub fn link(inputs: &[Input]) -> Result<Linked, LinkError> {
    let [first, ..] = inputs else { return Err(LinkError::NoInput) };
    let conditional = inputs.iter().find(|input| is_multi_target(input.module));
    match (conditional, inputs) {
        (Some(_), [only]) => return Ok(alone(only)),
        (Some(input), _) => return Err(LinkError::MultiTarget(input.name.to_string())),
        (None, _) => {}
    }
    match link_all(inputs, Rules::Units, None) {
        Err(LinkError::Unknown { .. }) if inputs.len() == 1 => Ok(alone(first)),
        linked => linked,
    }
}

/// Rejects modules with instructions or enumerants that the version of the result, which is that of the module number `highest`, lacks.
fn check_removed(units: &[LinkUnit], version: u32, highest: usize) -> Result<(), LinkError> {
    for unit in units {
        if let Some(removed) = removed::find(unit.module, version) {
            return Err(LinkError::Removed {
                file: unit.name.to_string(),
                what: removed.what,
                last: removed.last(),
                other: units[highest].name.to_string(),
            });
        }
    }
    Ok(())
}

fn link_all(inputs: &[Input], rules: Rules, is_kept: Option<IsKept>) -> Result<Linked, LinkError> {
    let mut units: Vec<LinkUnit> =
        inputs.iter().map(|input| LinkUnit::new(input.name, input.module)).collect();
    head::agree(&units)?;
    let (version, highest) = head::version(&units);
    check_removed(&units, version, highest)?;

    let described: Vec<Described> = units.iter().map(|unit| Described::new(unit.module, rules)).collect();
    let names = FunctionNames::new(&units);
    let (mut classes, mut warnings) = symbols::resolve(&mut units, &described, &names, rules)?;
    names::keep_apart(&mut units, names);
    let mut next = 1;
    let mut globals = Globals::new(rules);
    globals.announce(&mut units, &mut next);
    for at in order_of_globals(&units) {
        globals.add(at as u32, &mut units[at], &described[at], &mut classes, &mut next)?;
        in_bound(next)?;
    }
    head::agree_on_size(&units)?;
    warnings.extend(spec_ids::check(&units));

    let mut functions = Functions::new(&units);
    let mut head = Head::new(&units);
    let files: Vec<&str> = inputs.iter().map(|input| input.name).collect();
    for at in 0..units.len() {
        functions.add(at, &mut units, &globals, &mut next)?;
        head.add(at, &mut units[at], &mut next, &files)?;
        in_bound(next)?;
    }
    let versions: Vec<u32> = units.iter().map(|unit| unit.module.words()[1]).collect();
    let references = References::new(&functions.uses, &globals.made_of, next);
    references::complete_interfaces(
        &mut head.entry_points,
        version,
        &versions,
        &globals,
        &functions.sources,
        &references,
    );
    let is_plain = is_kept.is_some_and(|is_kept| is_plain(&head, &functions, &references, is_kept));
    if is_plain {
        head.remove_linkage();
    }

    let header = [spirv::MAGIC_NUMBER, version, generator(&units), next, 0];
    let (module, sources) = assemble(&header, &head, &globals, functions)?;
    #[cfg(test)]
    let ids = units.into_iter().map(LinkUnit::into_ids).collect();
    Ok(Linked {
        module,
        sources,
        #[cfg(test)]
        ids,
        warnings,
        is_plain,
    })
}

/// All sections in their order (specification, 2.4 "Logical Layout of a Module").
fn assemble(
    header: &[u32],
    head: &Head,
    globals: &Globals,
    functions: Functions,
) -> Result<(Module<'static>, Vec<(u32, usize)>), LoadError> {
    let entry_points: Vec<u32> = head.entry_points.iter().flat_map(|entry| &entry.words).copied().collect();
    let sections: [&[u32]; 14] = [
        header,
        &head.capabilities,
        &head.extensions,
        &globals.imports,
        &head.memory_model,
        &entry_points,
        &head.modes,
        &globals.strings,
        &head.sources,
        &head.names,
        &head.processed,
        &globals.aliases,
        &head.annotations,
        &globals.words,
    ];
    functions.module(&sections)
}

/// True if the entry points are all kept and reach all functions, and all that has linkage, and nothing is imported.
fn is_plain(head: &Head, functions: &Functions, references: &References, is_kept: IsKept) -> bool {
    if !head.entry_points.iter().all(|entry| is_kept(entry.model(), &entry.name())) {
        return false;
    }
    let reached = references.reached(head.entry_points.iter().map(LinkedEntryPoint::function).collect());
    functions.sources.iter().all(|&(id, _)| reached[id as usize])
        && head.linkages.iter().all(|linkage| !linkage.is_import && reached[linkage.target as usize])
}

/// A module as its own result.
fn alone(input: &Input) -> Linked {
    let module = input.module;
    Linked {
        module: module.to_owned(),
        sources: module.functions().iter().map(|function| (function.id, 0)).collect(),
        #[cfg(test)]
        ids: vec![(0..module.bound()).collect()],
        warnings: Vec::new(),
        is_plain: false,
    }
}

/// True if a module declares or has conditional code (SPV_INTEL_function_variants).
pub fn is_multi_target(module: &Module) -> bool {
    const CAPABILITIES: [u32; 2] =
        [Capability::SpecConditionalINTEL as u32, Capability::FunctionVariantsINTEL as u32];
    module.head().any(|inst| match inst.op() {
        Some(Op::Capability) => CAPABILITIES.contains(&inst.word(1)),
        Some(
            Op::ConditionalCapabilityINTEL | Op::ConditionalExtensionINTEL | Op::ConditionalEntryPointINTEL,
        ) => true,
        _ => false,
    })
}

fn in_bound(next: u32) -> Result<(), LinkError> {
    if next > MAX_BOUND { Err(LinkError::Bound) } else { Ok(()) }
}

/// The tool that wrote the modules, if it is the same.
fn generator(units: &[LinkUnit]) -> u32 {
    let mut generators = units.iter().map(|unit| unit.module.words()[2]);
    let first = generators.next().unwrap_or_default();
    if generators.all(|other| other == first) { first } else { 0 }
}

/// The modules in the order in which their globals are written: each comes after those with variables that its globals depend on, as far as possible. Without such
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

/// The modules with variables that the globals of a module depend on.
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
        if !matches!(place, Some(Place::Section(Section::Types) | Place::Types)) {
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
