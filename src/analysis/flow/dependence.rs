//! The given values that decide the choices of a function, and those of their values that matter.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use spirv::Op;

use super::blocks::Blocks;
use super::nodes::{Choice, NodeKind, Nodes, User};
use super::solve::State;
use super::values;
use crate::loader::Module;

/// The values of which a choice is followed at most, each with what of it matters: conditions can be as deep as a function is long.
const MOST_FOLLOWED: usize = 256;

/// A choice that a given value may decide, alone or with others.
#[derive(Clone, Debug)]
pub struct Dependence {
    /// The number of its block.
    pub block: usize,
    /// The module-scope constant, one of [`open_constants`](super::Flow::open_constants).
    pub constant: u32,
    /// Values of it with different outcomes, as far as conditions show them: those that it is compared with, and their neighbours.
    pub values: Vec<u64>,
}

/// Finds what choices depend on. `states` are those of the first nodes where nothing is given.
pub(super) fn find(module: &Module, blocks: &Blocks, nodes: &Nodes, states: &[State]) -> Vec<Dependence> {
    let open = || nodes.open.iter().map(|&(node, _)| node);
    let is_constant = |node: &u32| values::constant(states, *node).is_some();
    let constants = (0..states.len() as u32).filter(is_constant);
    let known = spread(nodes, open().chain(constants), |node, known| may_be_known(nodes, node, known));
    let given = spread(nodes, open(), |node, _| known[node]);
    let mut found = Vec::new();
    for choice in &nodes.choices {
        let &Choice { block, node } = choice;
        let block = block as usize;
        if !given[node as usize] || blocks.successors(block).nth(1).is_none() {
            continue;
        }
        let terminator = module.instruction(blocks.get(block).terminator);
        let first = (node, values::of_terminator(terminator, nodes.scalar(node as usize)));
        let mut constants: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        let mut seen = BTreeSet::from([first.clone()]);
        let mut queue = VecDeque::from([first]);
        // The nearest come first.
        while let Some((node, wanted)) = queue.pop_front() {
            if let Ok(at) = nodes.open.binary_search_by_key(&node, |&(own, _)| own) {
                constants.entry(nodes.open[at].1).or_default().extend_from_slice(&wanted);
            }
            for (at, input) in nodes.inputs(node as usize).iter().enumerate() {
                if !given[input.node as usize] {
                    continue;
                }
                let next = (input.node, values::of_input(nodes, states, node as usize, at, &wanted));
                if seen.len() < MOST_FOLLOWED && seen.insert(next.clone()) {
                    queue.push_back(next);
                }
            }
        }
        let dependence = |(constant, values)| Dependence { block, constant, values };
        found.extend(constants.into_iter().map(dependence));
    }
    found
}

/// By node: true for those given, and from them on for each user that counts, by what is reached.
fn spread(
    nodes: &Nodes,
    from: impl Iterator<Item = u32>,
    counts: impl Fn(usize, &[bool]) -> bool,
) -> Vec<bool> {
    let mut reached = vec![false; nodes.len()];
    let mut queue: Vec<u32> = from.collect();
    queue.iter().for_each(|&node| reached[node as usize] = true);
    while let Some(node) = queue.pop() {
        for used in nodes.uses(node as usize) {
            let User::Input { node: user, .. } = used.user() else { continue };
            if !reached[user] && counts(user, &reached) {
                reached[user] = true;
                queue.push(user as u32);
            }
        }
    }
    reached
}

/// True if the value of a node may follow from inputs, of which these may be known.
fn may_be_known(nodes: &Nodes, node: usize, known: &[bool]) -> bool {
    let (scalar, kind, inputs) = nodes.get(node);
    let is_known = |at: usize| inputs.get(at).is_some_and(|input| known[input.node as usize]);
    let mut each = (0..inputs.len()).map(is_known);
    match kind {
        NodeKind::Constant | NodeKind::Overdefined => false,
        NodeKind::Copy | NodeKind::Phi | NodeKind::Operation(Op::Any | Op::All) => each.any(|known| known),
        NodeKind::Operation(Op::Select) if is_known(0) => is_known(1) || is_known(2),
        NodeKind::Operation(Op::Select) => is_known(1) && is_known(2),
        NodeKind::Binary(op) => match (is_known(0), is_known(1)) {
            (true, true) => true,
            (false, false) => false,
            (first, _) => {
                let from = nodes.scalar(inputs[0].node as usize);
                values::determining(op, scalar, from, usize::from(!first)).next().is_some()
            }
        },
        NodeKind::Extended(extended) if extended.is_bounded() => each.any(|known| known),
        NodeKind::Operation(_) | NodeKind::Extended(_) => each.all(|known| known),
    }
}
