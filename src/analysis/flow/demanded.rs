//! Open constants that choices depend on, bit by bit: code that reads one flag does not depend on the constants of the
//! other flags.

use spirv::Op;

use super::nodes::{NodeKind, Nodes};
use super::solve::NodeState;
use crate::collections::IdMap;

/// Returns the open constants that some nodes are computed from, by id, each once. `states` has the states of the first nodes before any
/// constant has a value.
pub(super) fn open_behind(
    nodes: &Nodes,
    states: &[NodeState],
    conditions: impl Iterator<Item = u32>,
) -> Vec<u32> {
    let mut demanded: IdMap<u64> = IdMap::new();
    let mut pending: Vec<(u32, u64)> = conditions.map(|node| (node, u64::MAX)).collect();
    while let Some((node, bits)) = pending.pop() {
        let bits = nodes.scalar(node as usize).mask(bits);
        let before = demanded.get(&node).copied().unwrap_or(0);
        if bits & !before == 0 {
            continue;
        }
        let bits = bits | before;
        demanded.insert(node, bits);
        for (at, &input) in nodes.inputs(node as usize).iter().enumerate() {
            pending.push((input, of_input(nodes, states, node as usize, at, bits)));
        }
    }
    let is_open = |&&(node, _): &&(u32, u32)| demanded.contains_key(&node);
    let is_computed = |node: u32| !nodes.inputs(node as usize).is_empty();
    let mut open: Vec<u32> = nodes
        .open
        .iter()
        .filter(is_open)
        .filter(|(node, _)| !is_computed(*node))
        .map(|&(_, id)| id)
        .collect();
    open.sort_unstable();
    open.dedup();
    open
}

/// Returns the bits of an input that some bits of a node depend on.
fn of_input(nodes: &Nodes, states: &[NodeState], node: usize, at: usize, bits: u64) -> u64 {
    let (_, kind, inputs) = nodes.get(node);
    let constant = |at: usize| states.get(*inputs.get(at)? as usize)?.constant();
    match (kind, at) {
        (NodeKind::Copy | NodeKind::Phi, _) => bits,
        (NodeKind::Operation(Op::Select), 0) => match (constant(1), constant(2)) {
            (Some(one), Some(other)) => u64::from((one ^ other) & bits != 0),
            _ => 1,
        },
        (NodeKind::Operation(Op::Select | Op::Not), _) => bits,
        (NodeKind::Binary(Op::BitwiseXor), _) => bits,
        (NodeKind::Binary(Op::BitwiseAnd), _) => bits & constant(1 - at).unwrap_or(u64::MAX),
        (NodeKind::Binary(Op::BitwiseOr), _) => bits & !constant(1 - at).unwrap_or(0),
        (NodeKind::Binary(Op::ShiftLeftLogical), 0) => shift(constant(1)).map_or(u64::MAX, |by| bits >> by),
        (NodeKind::Binary(Op::ShiftRightLogical), 0) => shift(constant(1)).map_or(u64::MAX, |by| bits << by),
        (NodeKind::Operation(Op::UConvert), _) => bits,
        (NodeKind::Operation(Op::BitFieldUExtract), 0) => match (shift(constant(1)), shift(constant(2))) {
            (Some(offset), Some(count)) => (bits & ((1 << count) - 1)) << offset,
            _ => u64::MAX,
        },
        _ => u64::MAX,
    }
}

/// Returns the amount of a shift, if it is known and moves bits within a word.
fn shift(amount: Option<u64>) -> Option<u64> {
    amount.filter(|&amount| amount < 64)
}
