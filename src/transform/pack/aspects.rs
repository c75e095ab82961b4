//! The aspects that a module needs, and when (device_if seed, "Simplification of conditionally used aspects").

use std::collections::{BTreeMap, BTreeSet};

use spirv::{Capability, Op};

use super::{PackError, Work};
use crate::condition::{Condition, Expr, Leaf};
use crate::device::{Device, DeviceConfig, architectures, capabilities};
use crate::loader::Module;

/// The aspects that a module needs.
#[derive(Default)]
pub struct Aspects {
    /// On every device.
    pub always: Vec<u32>,
    /// Where a condition holds that does not promise them already.
    pub conditional: Vec<(Expr, Vec<u32>)>,
}

/// Finds the aspects that a module needs.
pub fn collect(work: &mut Work, devices: Option<&DeviceConfig>) -> Result<Aspects, PackError> {
    let mut gates: BTreeMap<u32, Condition> = BTreeMap::new();
    for (capability, gate) in needed(work) {
        for aspect in capabilities::aspects_of(capability as u32) {
            let joined = gates.get(&aspect).copied().unwrap_or(Condition::FALSE);
            gates.insert(aspect, work.gates.conditions.or(joined, gate)?);
        }
    }
    let mut aspects = Aspects::default();
    let mut conditional: BTreeMap<Condition, Vec<u32>> = BTreeMap::new();
    for (aspect, gate) in gates {
        let gate = without_constants(work, gate)?;
        if gate.is_true() {
            aspects.always.push(aspect);
        } else if !gate.is_false() && !promises(work, devices, gate, aspect)? {
            conditional.entry(gate).or_default().push(aspect);
        }
    }
    for (gate, of_gate) in conditional {
        aspects.conditional.push((work.gates.conditions.to_expr(gate)?, of_gate));
    }
    aspects.conditional.sort_unstable();
    Ok(aspects)
}

/// A runtime does not know what constants mean that the module had before: a gate holds for it if some value of them makes
/// it hold.
fn without_constants(work: &mut Work, mut gate: Condition) -> Result<Condition, PackError> {
    let conditions = &mut work.gates.conditions;
    for leaf in conditions.leaves(gate) {
        if matches!(leaf, Leaf::Constant(_)) {
            let holds = conditions.restrict(gate, &|other| (other == leaf).then_some(true))?;
            let fails = conditions.restrict(gate, &|other| (other == leaf).then_some(false))?;
            gate = conditions.or(holds, fails)?;
        }
    }
    Ok(gate)
}

/// The aspects of a module in which nothing is conditional: those of all capabilities that it declares, in ascending order.
pub fn declared(module: &Module) -> Vec<u32> {
    let aspects = capabilities(module).flat_map(|capability| capabilities::aspects_of(capability as u32));
    aspects.collect::<BTreeSet<u32>>().into_iter().collect()
}

fn capabilities(module: &Module) -> impl Iterator<Item = Capability> {
    let declared = module.globals().filter(|inst| inst.is(Op::Capability));
    declared.filter_map(|inst| Capability::from_u32(inst.word(1)))
}

/// The capabilities that the module declares, with the gates of what needs them.
fn needed(work: &Work) -> Vec<(Capability, Condition)> {
    let gate = |capability: Capability| {
        let charged = work.gates.charges.capability(capability);
        (capability, charged.map_or(Condition::TRUE, |charged| charged.gate))
    };
    capabilities(work.module).map(gate).collect()
}

/// Whether every device where a condition holds has an aspect: the condition says so, or all the architectures on which it
/// can hold have it.
fn promises(
    work: &mut Work,
    devices: Option<&DeviceConfig>,
    gate: Condition,
    aspect: u32,
) -> Result<bool, PackError> {
    let conditions = &mut work.gates.conditions;
    let leaf = conditions.leaf(Leaf::Aspect(aspect))?;
    let possible = conditions.architectures(gate);
    let mut cases = vec![(possible.otherwise, false)];
    cases.extend(possible.each.into_iter().map(|(number, rest)| (rest, has_aspect(devices, number, aspect))));
    for (rest, has) in cases {
        if !has && !conditions.implies(rest, leaf)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn has_aspect(devices: Option<&DeviceConfig>, architecture: u32, aspect: u32) -> bool {
    let name = architectures::by_value(architecture).map(|architecture| architecture.name);
    let has = |device: &Device| device.has_aspect(aspect) == Some(true);
    name.is_some_and(|name| match devices {
        Some(devices) => devices.get(name).is_ok_and(has),
        None => Device::embedded(name).is_ok_and(|device| has(&device)),
    })
}
