//! The constants that decide the choices of a function, and their relevant values. A value is relevant if a condition compares with it or a
//! neighbour, after undoing the operations in between.

use spirv::Op;

use super::graph::FlowGraph;
use super::nodes::{NodeKind, Nodes};
use super::solve::NodeState;
use crate::analysis::constants::folding::{Scalar, float, float_bits, fold_any, fold_any_two};
use crate::loader::{Instruction, Module, views};

/// The greatest number of values that are followed from a choice: conditions can be as deep as a function is long.
const MAX_FOLLOWED: usize = 256;

/// A choice that a given value may decide, alone or with others.
#[derive(Clone, Debug)]
pub struct Dependence {
    /// The number of its function.
    pub function: usize,
    /// The number of its block.
    pub block: usize,
    /// The module-scope constant, or the operation on such constants.
    pub constant: u32,
    /// Values with different outcomes, as far as conditions show them: the values that conditions compare with, and their neighbours.
    pub values: Vec<u64>,
}

/// Finds the values that choices depend on. `states` has the states of the first nodes before any constant has a value.
pub(super) fn find(
    module: &Module,
    graph: &FlowGraph,
    nodes: &Nodes,
    states: &[NodeState],
) -> Vec<Dependence> {
    let open = || nodes.open.iter().map(|&(node, _)| node);
    let is_constant = |node: &u32| same_value(states, *node).is_some();
    let constants = (0..states.len() as u32).filter(is_constant);
    let mut is_known = vec![false; nodes.len()];
    open().chain(constants).for_each(|node| is_known[node as usize] = true);
    let known = spread(nodes, is_known, |node, known| may_be_known(nodes, node, known));
    let mut is_open = vec![false; nodes.len()];
    open().for_each(|node| is_open[node as usize] = true);
    let depends_on_open = spread(nodes, is_open, |node, _| known[node]);
    let mut dependences = Vec::new();
    for choice in &nodes.choices {
        let (function, block, node) = (graph.get(choice.function()), choice.block(), choice.node);
        let blocks = &function.blocks;
        if !depends_on_open[node as usize] || blocks.successors(block).nth(1).is_none() {
            continue;
        }
        let terminator = module.instruction(blocks.get(block).terminator);
        let first = (node, values_of_terminator(terminator, nodes.scalar(node as usize)));
        // The nearest come first.
        let (mut followed, mut at) = (vec![first], 0);
        let start = dependences.len();
        while let Some((node, wanted)) = followed.get(at).cloned() {
            at += 1;
            if let Ok(place) = nodes.open.binary_search_by_key(&node, |&(open_node, _)| open_node) {
                let constant = nodes.open[place].1;
                match dependences[start..]
                    .iter_mut()
                    .find(|dependence: &&mut Dependence| dependence.constant == constant)
                {
                    Some(dependence) => dependence.values.extend_from_slice(&wanted),
                    None => dependences.push(Dependence {
                        function: function.function as usize,
                        block,
                        constant,
                        values: wanted.clone(),
                    }),
                }
            }
            for (place, &input) in nodes.inputs(node as usize).iter().enumerate() {
                if !depends_on_open[input as usize] || followed.len() == MAX_FOLLOWED {
                    continue;
                }
                let next = (input, values_of_input(nodes, states, node as usize, place, &wanted));
                if !followed.contains(&next) {
                    followed.push(next);
                }
            }
        }
    }
    dependences
}

/// Marks the nodes that are reached from some nodes, which are marked, through users for which `counts` returns true.
fn spread(nodes: &Nodes, mut reached: Vec<bool>, counts: impl Fn(usize, &[bool]) -> bool) -> Vec<bool> {
    // Uses of constants are not listed: each node is asked for its inputs once.
    let uses_reached = |node: usize, reached: &[bool]| {
        nodes.inputs(node).iter().any(|&input| reached[input as usize]) && counts(node, reached)
    };
    let mut queue: Vec<u32> = Vec::new();
    for node in 0..nodes.len() {
        if !reached[node] && uses_reached(node, &reached) {
            reached[node] = true;
            queue.push(node as u32);
        }
    }
    while let Some(node) = queue.pop() {
        for used in nodes.uses(node as usize) {
            let Some(user) = nodes.user(*used).node() else { continue };
            if !reached[user] && counts(user, &reached) {
                reached[user] = true;
                queue.push(user as u32);
            }
        }
    }
    reached
}

/// Returns true if the value of a node may follow from its inputs. `known` is true for inputs that may be known.
fn may_be_known(nodes: &Nodes, node: usize, known: &[bool]) -> bool {
    let (scalar, kind, inputs) = nodes.get(node);
    let is_known = |at: usize| inputs.get(at).is_some_and(|input| known[*input as usize]);
    let mut each = (0..inputs.len()).map(is_known);
    match kind {
        NodeKind::Constant | NodeKind::Overdefined => false,
        NodeKind::Copy | NodeKind::Phi | NodeKind::Operation(Op::Any | Op::All) => each.any(|known| known),
        NodeKind::Element => is_known(0) && each.skip(1).any(|known| known),
        NodeKind::Operation(Op::Select) if is_known(0) => is_known(1) || is_known(2),
        NodeKind::Operation(Op::Select) => is_known(1) && is_known(2),
        NodeKind::Binary(op) => match (is_known(0), is_known(1)) {
            (true, true) => true,
            (false, false) => false,
            (first, _) => {
                let from = nodes.scalar(inputs[0] as usize);
                determining(op, scalar, from, usize::from(!first)).next().is_some()
            }
        },
        NodeKind::Extended(extended) if extended.is_bounded() => each.any(|known| known),
        NodeKind::Operation(_) | NodeKind::Extended(_) => each.all(|known| known),
    }
}

/// The values that are kept of one place at most.
const MAX_VALUES: usize = 48;

/// Returns the value of a node if no constant changes it.
fn same_value(states: &[NodeState], node: u32) -> Option<u64> {
    states.get(node as usize).and_then(|state| state.constant())
}

/// The values of a condition or selector that matter.
fn values_of_terminator(terminator: Instruction, scalar: Scalar) -> Vec<u64> {
    let mut values = CandidateValues::new(scalar);
    if terminator.is(Op::Switch) {
        let cases = views::Switch(terminator).cases(scalar.width());
        cases
            .filter_map(|(literal, _)| scalar.literal(literal))
            .for_each(|value| values.add_with_neighbours(value));
    }
    values.all
}

/// The values of an input of a node that matter where these values of the node do.
fn values_of_input(nodes: &Nodes, states: &[NodeState], node: usize, at: usize, wanted: &[u64]) -> Vec<u64> {
    let (scalar, kind, inputs) = nodes.get(node);
    let input_scalar = nodes.scalar(inputs[at] as usize);
    let mut values = CandidateValues::new(input_scalar);
    let others = inputs.iter().enumerate().filter(|&(other, _)| other != at).map(|(_, &input)| input);
    match kind {
        NodeKind::Binary(op) => {
            let from = nodes.scalar(inputs[0] as usize);
            for other in others {
                for known in constants(nodes, states, other) {
                    let before = |&value: &u64| before_two(op, input_scalar, at, value, known);
                    wanted.iter().filter(|_| input_scalar == scalar).filter_map(before).for_each(|value| {
                        match op {
                            // The quotient is rounded.
                            Op::IMul => values.add_with_neighbours(value),
                            _ => values.add(value),
                        }
                    });
                    values.add_with_neighbours(known);
                }
            }
            determining(op, scalar, from, at).for_each(|value| values.add(value));
        }
        NodeKind::Operation(op) if inputs.len() == 1 => {
            wanted
                .iter()
                .filter_map(|&value| before_one(op, input_scalar, scalar, value))
                .for_each(|value| values.add(value));
        }
        _ => others
            .flat_map(|other| constants(nodes, states, other))
            .for_each(|known| values.add_with_neighbours(known)),
    }
    if input_scalar == scalar {
        wanted.iter().for_each(|&value| values.add(value));
    }
    values.all
}

/// Returns the values of one operand that determine the result of a binary operation for every value of the other operand.
fn determining(op: Op, result: Scalar, from: Scalar, at: usize) -> impl Iterator<Item = u64> {
    let ones = from.mask(u64::MAX);
    let extremes = [0, 1, ones, ones >> 1, ones ^ ones >> 1].into_iter().filter(move |&value| value <= ones);
    extremes.filter(move |&value| {
        let [first, second] = if at == 0 { [Some(value), None] } else { [None, Some(value)] };
        fold_any_two(op, result, from, first, second).is_some()
    })
}

/// The constants that a node is, or that an OpPhi brings.
fn constants(nodes: &Nodes, states: &[NodeState], node: u32) -> Vec<u64> {
    match nodes.kind(node as usize) {
        NodeKind::Phi => {
            let inputs = nodes.inputs(node as usize).iter().take(MAX_VALUES);
            inputs.filter_map(|input| same_value(states, *input)).collect()
        }
        _ => same_value(states, node).into_iter().collect(),
    }
}

/// The operand of an operation on one value that gives a result.
fn before_one(op: Op, operand_scalar: Scalar, result: Scalar, value: u64) -> Option<u64> {
    let inverse = match op {
        Op::UConvert | Op::SConvert => Op::SConvert,
        Op::ConvertSToF => Op::ConvertFToS,
        Op::ConvertUToF => Op::ConvertFToU,
        Op::ConvertFToS => Op::ConvertSToF,
        Op::ConvertFToU => Op::ConvertUToF,
        Op::Not | Op::SNegate | Op::FNegate | Op::FConvert | Op::Bitcast => op,
        _ => return None,
    };
    fold_any(inverse, operand_scalar, result, &[Some(value)])
}

/// Returns the operand of a binary operation that leads to a result, from the other operand. All have one type.
fn before_two(op: Op, scalar: Scalar, at: usize, value: u64, other: u64) -> Option<u64> {
    let is_signed = matches!(scalar, Scalar::Int { signed: true, .. });
    let (inverse, first, second) = match (op, at) {
        (Op::IAdd, _) => (Op::ISub, value, other),
        (Op::ISub, 0) => (Op::IAdd, value, other),
        (Op::ISub, _) => (Op::ISub, other, value),
        (Op::IMul, _) => (if is_signed { Op::SDiv } else { Op::UDiv }, value, other),
        (Op::UDiv | Op::SDiv, 0) => (Op::IMul, value, other),
        (Op::ShiftRightLogical | Op::ShiftRightArithmetic, 0) => (Op::ShiftLeftLogical, value, other),
        (Op::ShiftLeftLogical, 0) => (Op::ShiftRightLogical, value, other),
        (Op::BitwiseXor | Op::BitwiseAnd, _) => (op, value, other),
        (Op::FAdd, _) => (Op::FSub, value, other),
        (Op::FSub, 0) => (Op::FAdd, value, other),
        (Op::FSub, _) => (Op::FSub, other, value),
        (Op::FMul, _) => (Op::FDiv, value, other),
        (Op::FDiv, 0) => (Op::FMul, value, other),
        _ => return None,
    };
    fold_any_two(inverse, scalar, scalar, Some(first), Some(second))
}

/// Different values of a type, in the order in which they are found.
struct CandidateValues {
    scalar: Scalar,
    all: Vec<u64>,
}

impl CandidateValues {
    /// None; of Booleans, all.
    fn new(scalar: Scalar) -> CandidateValues {
        let all = if scalar == Scalar::Bool { vec![1, 0] } else { Vec::new() };
        CandidateValues { scalar, all }
    }

    fn add(&mut self, value: u64) {
        let value = self.scalar.mask(value);
        if self.all.len() < MAX_VALUES && !self.all.contains(&value) {
            self.all.push(value);
        }
    }

    /// A value, and those before and after it.
    fn add_with_neighbours(&mut self, value: u64) {
        self.add(value);
        match self.scalar {
            Scalar::Int { .. } => [value.wrapping_sub(1), value.wrapping_add(1)].map(|value| self.add(value)),
            Scalar::Float(_) => [-1.0, 1.0].map(|step| {
                let near = float(self.scalar, value).map(|value| value + step);
                let near = near.and_then(|value| float_bits(self.scalar, value as f32, value));
                near.into_iter().for_each(|value| self.add(value));
            }),
            Scalar::Bool | Scalar::OtherFloat { .. } => [(); 2],
        };
    }
}
