//! The aspects that a module needs, and when (device_if seed, "Simplification of conditionally used aspects").

use std::collections::{BTreeMap, BTreeSet};

use spirv::{Capability, Op};

use super::{PackError, Work};
use crate::analysis::requirements::is_of_kernels;
use crate::analysis::{Annotated, Names, promises};
use crate::condition::{Condition, Expr};
use crate::device::{DeviceConfig, capabilities};
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
    let in_kernels = is_of_kernels(work.module);
    let mut gates: BTreeMap<u32, Condition> = BTreeMap::new();
    for (capability, gate) in needed(work) {
        for aspect in capabilities::needed_aspects(capability, in_kernels) {
            let joined = gates.get(&aspect).copied().unwrap_or(Condition::FALSE);
            gates.insert(aspect, work.gates.conditions.or(joined, gate)?);
        }
    }
    for &(aspect, gate) in &work.gates.charges.aspects {
        let joined = gates.get(&aspect).copied().unwrap_or(Condition::FALSE);
        gates.insert(aspect, work.gates.conditions.or(joined, gate)?);
    }
    let mut aspects = Aspects::default();
    let mut conditional: BTreeMap<Condition, Vec<u32>> = BTreeMap::new();
    for (aspect, gate) in gates {
        // A runtime does not know what constants mean that the module had before.
        let gate = work.gates.conditions.without_constants(gate)?;
        if gate.is_true() {
            aspects.always.push(aspect);
        } else if !gate.is_false() && !promises(&mut work.gates.conditions, devices, gate, aspect)? {
            conditional.entry(gate).or_default().push(aspect);
        }
    }
    for (gate, of_gate) in conditional {
        aspects.conditional.push((work.gates.conditions.to_expr(gate)?, of_gate));
    }
    aspects.conditional.sort_unstable();
    Ok(aspects)
}

/// The aspects of a module in which nothing is conditional: those of all capabilities that it declares, and of its types and
/// functions, in ascending order.
pub fn declared(module: &Module, names: &Names, annotated: &Annotated) -> Vec<u32> {
    let in_kernels = is_of_kernels(module);
    let aspects =
        declared_capabilities(module).flat_map(|number| capabilities::needed_aspects(number, in_kernels));
    let said = annotated.aspects.needs(module, names);
    let said = said.into_iter().flat_map(|(_, aspects)| aspects.iter().copied());
    aspects.chain(said).collect::<BTreeSet<u32>>().into_iter().collect()
}

/// The numbers of the capabilities that a module declares: the grammar does not have all of them.
fn declared_capabilities(module: &Module) -> impl Iterator<Item = u32> {
    module.globals().filter(|inst| inst.is(Op::Capability)).map(|inst| inst.word(1))
}

/// The capabilities that the module declares, with the gates of what needs them.
fn needed(work: &Work) -> Vec<(u32, Condition)> {
    let gate = |number: u32| {
        let capability = Capability::from_u32(number);
        let charged = capability.and_then(|capability| work.gates.charges.capability(capability));
        (number, charged.map_or(Condition::TRUE, |charged| charged.gate))
    };
    declared_capabilities(work.module).map(gate).collect()
}
