//! Which roots share an image.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Mode, Options, Split, SplitError};
use crate::analysis::{Annotated, Demand, promises, sources};
use crate::condition::{Condition, Expr};
use crate::device::{Device, DeviceConfig, aspects};
use crate::inspection::Readable;
use crate::properties::{DEVICE_REQUIREMENTS, DeviceRequirements, PropertySets};
use crate::transform::split::Root;

/// An image to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Its roots, by number in [`Split::roots`], in ascending order.
    pub roots: Vec<usize>,
    /// The translation unit, where the module is split by it.
    pub source: Option<String>,
    /// What its roots have in common.
    pub traits: Traits,
}

/// What roots must have in common to share an image ("Changes to the device code split algorithm").
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Traits {
    /// The devices that they are meant for, by the aspects that stand for these; then nothing else counts.
    Fixed(BTreeSet<u32>),
    /// They are meant for any device.
    Any {
        /// The aspects that they use or declare.
        aspects: BTreeSet<u32>,
        /// The aspects that they use under conditions that do not promise them, and the conditions, in canonical form.
        conditional: Vec<(Expr, Vec<u32>)>,
        /// The required work-group size, unless the host may set another one.
        work_group: Option<[u32; 3]>,
        /// The required sub-group size, if it is a number.
        sub_group: Option<u32>,
    },
}

/// Groups the roots.
pub(super) fn plan(split: &mut Split, options: &Options) -> Result<Vec<Plan>, SplitError> {
    let mode = match options.mode {
        Mode::Auto if split.graph.takes_function_pointers() => Mode::Off,
        Mode::Auto => Mode::Source,
        mode => mode,
    };
    if mode == Mode::Kernel && split.roots.iter().all(|root| root.entry_point.is_none()) {
        return Err(SplitError::NoEntryPoint);
    }
    if split.roots.is_empty() {
        return Err(SplitError::NoRoots);
    }
    let of_all = fixed_of_all(options, &split.properties)?;
    let analyses = Arc::clone(&split.analyses);
    let sources = sources(analyses.module(), analyses.annotated());
    let mut readable = Readable::new(analyses.module(), analyses.conditionals()?, &split.properties)?;
    let mut plans: Vec<Plan> = Vec::new();
    let mut known: BTreeMap<(Option<String>, Traits), usize> = BTreeMap::new();
    for (number, root) in split.roots.clone().iter().enumerate() {
        let fixed = split.fixed.get(&root.function).or(of_all.as_ref());
        let traits = match fixed {
            Some(targets) => Traits::Fixed(targets.iter().copied().collect()),
            None => of_root(split, root, &mut readable, options.devices)?,
        };
        let source = (mode == Mode::Source).then(|| {
            let own = sources.get(&root.function).map(String::as_str);
            own.unwrap_or(options.source).to_owned()
        });
        let next = plans.len();
        let at = match mode {
            Mode::Kernel => next,
            _ => *known.entry((source.clone(), traits.clone())).or_insert(next),
        };
        if at == next {
            plans.push(Plan { roots: Vec::new(), source, traits });
        }
        plans[at].roots.push(number);
    }
    Ok(plans)
}

/// What counts of a root that is meant for any device.
fn of_root(
    split: &mut Split,
    root: &Root,
    readable: &mut Readable,
    devices: &DeviceConfig,
) -> Result<Traits, SplitError> {
    let demands = split.analyses.demands()?;
    let mut demand = match root.entry_point {
        Some(offset) => demands.of_entry_point(&split.analyses.module().instruction(offset)),
        None => demands.of_exported(root.function),
    };
    for &companion in &root.companions {
        let other = demands.of(companion).clone();
        demand.add(&other, Condition::TRUE, &mut split.conditions)?;
    }
    demand.settle();
    let declared = split.analyses.declared_aspects()?.of(root.function).into_iter().flatten().copied();
    let mut aspects: BTreeSet<u32> = declared.collect();
    let conditional = conditional(split, &demand, &mut aspects, readable, devices)?;
    let sizes = split.analyses.sizes().get(&root.function).copied().unwrap_or_default();
    let work_group = sizes.work_group.filter(|size| !size.specializable).map(|size| size.dimensions);
    Ok(Traits::Any { aspects, conditional, work_group, sub_group: numeric_sub_group(split, root.function) })
}

/// The sub-group size that a function requires, if it is a number: 0 stands for one that the compiler chooses.
pub(super) fn numeric_sub_group(split: &Split, function: u32) -> Option<u32> {
    let size = split.analyses.sizes().get(&function)?.sub_group?;
    (size.value != 0).then_some(size.value)
}

/// Adds the aspects that a demand implies in any case; those that it implies under conditions which do not promise them.
fn conditional(
    split: &mut Split,
    demand: &Demand,
    always: &mut BTreeSet<u32>,
    readable: &mut Readable,
    devices: &DeviceConfig,
) -> Result<Vec<(Expr, Vec<u32>)>, SplitError> {
    let conditions = &mut split.conditions;
    let mut gates: Vec<(u32, Condition)> = Vec::new();
    for (aspect, condition) in split.aspects.of_demand(demand, conditions)? {
        let condition = match readable.when(condition, conditions)? {
            Some(when) => conditions.from_expr(&when.expr)?,
            None => Condition::TRUE,
        };
        // A runtime does not know what constants mean that nothing is said of.
        let condition = conditions.without_constants(condition)?;
        if condition.is_true() {
            always.insert(aspect);
        } else {
            gates.push((aspect, condition));
        }
    }
    let mut conditional: BTreeMap<Condition, Vec<u32>> = BTreeMap::new();
    for (aspect, condition) in gates {
        let promised = always.contains(&aspect) || condition.is_false();
        if !promised && !promises(conditions, Some(devices), condition, aspect)? {
            conditional.entry(condition).or_default().push(aspect);
        }
    }
    let pairs = conditional.into_iter().map(|(condition, of)| Ok((conditions.to_expr(condition)?, of)));
    let mut pairs = pairs.collect::<Result<Vec<_>, SplitError>>()?;
    pairs.sort_unstable();
    Ok(pairs)
}

/// The fixed targets that annotations name, by function.
pub(super) fn fixed_by_function(
    annotated: &Annotated,
    options: &Options,
) -> Result<BTreeMap<u32, Vec<u32>>, SplitError> {
    let mut fixed: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (&function, globs) in &annotated.fixed_targets {
        for glob in globs {
            let own = fixed.entry(function).or_default();
            for device in options.devices.matching(glob)? {
                own.push(target_aspect(device)?);
            }
        }
    }
    fixed.retain(|_, targets| !targets.is_empty());
    Ok(fixed)
}

/// The fixed targets of the module: those that the user names, or else those that its properties do.
fn fixed_of_all(options: &Options, properties: &PropertySets) -> Result<Option<Vec<u32>>, SplitError> {
    if !options.fixed_targets.is_empty() {
        return Ok(Some(options.fixed_targets.iter().map(target_aspect).collect::<Result<_, _>>()?));
    }
    let Some(set) = properties.get(DEVICE_REQUIREMENTS) else { return Ok(None) };
    Ok(DeviceRequirements::from_set(set)?.fixed_targets)
}

fn target_aspect(device: &Device) -> Result<u32, SplitError> {
    let aspect = device.architecture.and_then(aspects::of_architecture);
    aspect.ok_or_else(|| SplitError::NoArchitecture(device.name.clone()))
}
