//! Conditions that constants of SPV_INTEL_function_variants represent.

use std::collections::BTreeSet;

use spirv::Op;

use crate::condition::{Expr, Leaf, LeafKind};
use crate::device::architectures::{self, RegistryTuple};
use crate::device::capabilities;
use crate::device::registry::List;
use crate::loader::{Instruction, views};

/// The maximum number of capabilities of one constant that become a condition: the depth of an expression is limited.
const MAX_CAPABILITIES: usize = 64;

/// Returns the condition that a constant of SPV_INTEL_function_variants represents, if leaves can express it.
pub fn condition_of_constant(inst: Instruction) -> Option<Expr> {
    match inst.op()? {
        Op::SpecConstantCapabilitiesINTEL => {
            condition_of_capabilities(views::SpecConstantCapabilitiesINTEL(inst).capabilities())
        }
        Op::SpecConstantArchitectureINTEL => {
            let operands = views::SpecConstantArchitectureINTEL(inst);
            condition_of_architecture(
                operands.category(),
                operands.family(),
                operands.operation()?,
                operands.architecture(),
            )
        }
        Op::SpecConstantTargetINTEL => {
            let operands = views::SpecConstantTargetINTEL(inst);
            condition_of_target(operands.target(), operands.features())
        }
        _ => None,
    }
}

/// Returns a condition with the aspects that a device with its capabilities must also have, if it lists aspects, for a device constant to
/// hold.
pub fn on_device(expr: Expr) -> Expr {
    let leaves = expr.leaves().into_iter();
    let numbers =
        leaves.filter_map(|leaf| if let Leaf::Capability(number) = leaf { Some(number) } else { None });
    let aspects: BTreeSet<u32> = numbers.flat_map(capabilities::aspects_of).collect();
    let and = |left, right| Expr::And(Box::new(left), Box::new(right));
    aspects.into_iter().map(|aspect| Leaf::Aspect(aspect).into()).fold(expr, and)
}

/// Returns the condition that a device supports all of these capabilities.
pub fn condition_of_capabilities(capabilities: &[u32]) -> Option<Expr> {
    let capabilities = Some(capabilities).filter(|all| all.len() <= MAX_CAPABILITIES)?;
    let leaves = capabilities.iter().map(|&number| Expr::Leaf(Leaf::Capability(number)));
    leaves.reduce(|left, right| Expr::And(Box::new(left), Box::new(right)))
}

/// Returns the condition that the architecture of a device compares with one of the registry.
pub fn condition_of_architecture(
    category: u32,
    family: u32,
    operation: Op,
    architecture: u32,
) -> Option<Expr> {
    let entry = architectures::by_registry(RegistryTuple { category, family, architecture });
    let known = entry.filter(|_| operation == Op::IEqual).map(|entry| Leaf::Architecture(entry.value));
    let comparison =
        || LeafKind::Comparison.with_numbers(&[category, family, operation as u32, architecture]);
    known.or_else(comparison).map(Expr::Leaf)
}

/// Returns the condition that a device has an instruction set, with these features.
pub fn condition_of_target(target: u32, features: &[u32]) -> Option<Expr> {
    let name = List::Targets.name(target).filter(|_| features.is_empty());
    let known = name.and_then(architectures::by_name).map(|known| Leaf::Architecture(known.value));
    known.or_else(|| LeafKind::Target.with_numbers(&[&[target], features].concat())).map(Expr::Leaf)
}
