//! The propagation: states of values only ever descend the lattice from unknown over constant and partial to overdefined.

use std::collections::HashSet;

use spirv::Op;

use super::graph::FlowGraph;
use super::nodes::{BranchChoice, NodeInput, NodeKind, NodeUse, Nodes, ValueUser, is_of_vectors};
use super::partial::{self, PartialValue, PartialValues};
use super::regions::{Consequence, Regions};
use crate::analysis::constants::folding::{Operand, Scalar, fold_any, fold_any_two};
use crate::loader::{Module, views};

/// Stands for a choice of a block that can take any of its targets.
pub(super) const OPEN: u32 = u32::MAX;

/// The state of a value. It only ever changes to a later one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum NodeState {
    /// Nothing that it depends on has been reached.
    Unknown,
    Constant(u64),
    /// Some of its bits are known, or numbers that it is not: the number of a partial value.
    Partial(u32),
    Overdefined,
}

impl NodeState {
    #[inline]
    fn is_unknown(self) -> bool {
        matches!(self, NodeState::Unknown)
    }

    #[inline]
    pub fn constant(self) -> Option<u64> {
        match self {
            NodeState::Constant(value) => Some(value),
            NodeState::Unknown | NodeState::Partial(_) | NodeState::Overdefined => None,
        }
    }
}

/// The part of a solution that does not depend on given values.
#[derive(Default)]
pub(super) struct UnsetSolution {
    /// The states of the first nodes before any constant has a value and any block is reached. All other nodes are unknown.
    states: Vec<NodeState>,
    /// The partial values of these states.
    partial: PartialValues,
    /// The nodes that are computed from given values, operands before their users.
    order: Vec<u32>,
    /// The nodes that have a user before them, since they depend on themselves.
    late: Vec<u32>,
    pub regions: Regions,
}

/// The fixed point of the propagation.
#[derive(Debug, Default)]
pub struct Solution {
    /// True for each region that can run.
    pub(super) runs: Vec<bool>,
    /// The only possible target of each choice, or [`OPEN`].
    pub(super) taken: Vec<u32>,
    pub(super) states: Vec<NodeState>,
    partial: PartialValues,
    /// True for each edge that is taken, as far as an OpPhi or another region depends on it.
    pub(super) edges: Vec<bool>,
    changed: Vec<u32>,
    /// Regions.
    reached: Vec<u32>,
}

impl UnsetSolution {
    /// Returns the states of the first nodes before any constant has a value.
    pub fn states(&self) -> &[NodeState] {
        &self.states
    }

    /// Evaluates nodes as far as they do not depend on given values, and removes the nodes that are then fixed. The constants have their
    /// values.
    pub fn new(
        module: &Module,
        graph: &FlowGraph,
        nodes: &mut Nodes,
        constants: &[(u32, u64)],
    ) -> UnsetSolution {
        let count = nodes.len();
        let mut solution = Solution { states: vec![NodeState::Unknown; count], ..Solution::default() };
        for &(node, value) in constants {
            solution.states[node as usize] = NodeState::Constant(value);
        }
        let (mut order, mut late) = (Vec::new(), Vec::new());
        let mut depends = vec![false; count];
        nodes.open.iter().for_each(|&(node, _)| depends[node as usize] = true);
        let mut is_evaluated = vec![false; count];
        let regions = &Regions::default();
        let work = &mut Solver { module, graph, nodes, regions, closed: &[], solution: &mut solution };
        for node in operands_first(nodes) {
            let inputs = if nodes.kind(node) == NodeKind::Phi { &[] } else { nodes.inputs(node) };
            for &input in inputs {
                let operand = input as usize;
                depends[node] |= depends[operand];
                late.extend((!is_evaluated[operand]).then_some(input));
            }
            match depends[node] {
                true => order.push(node as u32),
                false if nodes.kind(node) == NodeKind::Constant => {}
                false => work.solution.states[node] = work.evaluate(node),
            }
            is_evaluated[node] = true;
        }
        let Solution { mut states, partial, .. } = solution;
        // Where nodes depend on themselves, others may be late.
        if late.is_empty() {
            nodes.without_fixed(&mut states, &mut order);
        }
        nodes.index(graph);
        order.shrink_to_fit();
        late.shrink_to_fit();
        UnsetSolution { states, partial, order, late, regions: Regions::new(graph, nodes) }
    }
}

impl Solution {
    /// Returns the value of a node, if it is known.
    pub(super) fn value(&self, node: u32) -> Option<u64> {
        self.states.get(node as usize)?.constant()
    }

    /// Returns the targets that a switch may take, if parts of its selector are known, and do not decide it.
    pub(super) fn possible_targets(
        &self,
        module: &Module,
        graph: &FlowGraph,
        nodes: &Nodes,
        number: usize,
    ) -> Option<Vec<usize>> {
        let choice = nodes.choices[number];
        let NodeState::Partial(value) = *self.states.get(choice.node as usize)? else { return None };
        let edges = possible(module, graph, nodes, &self.partial, (choice, value));
        (edges.len() > 1).then(|| edges.into_iter().map(|(_, target)| target).collect())
    }

    /// Solves a graph where some values are known and some edges are never taken. Either called functions run, or all functions.
    pub(super) fn solve(
        &mut self,
        (module, graph, nodes, base): (&Module, &FlowGraph, &Nodes, &UnsetSolution),
        every_function: bool,
        closed: &[u32],
        known: &mut dyn FnMut(u32) -> Option<u64>,
    ) {
        let regions = &base.regions;
        fill(&mut self.runs, regions.len(), false);
        fill(&mut self.taken, nodes.choices.len(), OPEN);
        fill(&mut self.edges, graph.edge_count(), false);
        self.states.clone_from(&base.states);
        self.partial.clone_from(&base.partial);
        self.states.resize(nodes.len(), NodeState::Unknown);
        for &(node, id) in &nodes.open {
            let at = node as usize;
            if let Some(value) = known(id) {
                self.states[at] = NodeState::Constant(nodes.scalar(at).mask(value));
            }
        }
        let mut work = Solver { module, graph, nodes, regions, closed, solution: self };
        for &node in &base.order {
            if work.solution.states[node as usize] == NodeState::Unknown {
                work.solution.states[node as usize] = work.evaluate(node as usize);
            }
        }
        work.solution.changed.extend_from_slice(&base.late);
        for function in graph.functions() {
            if let Some((edge, _)) = function.entered {
                work.take(edge as usize);
            }
        }
        work.finish();
        if every_function {
            for number in 0..graph.functions().len() {
                work.assume(number);
            }
        }
    }
}

/// Returns the nodes in an order with operands first. Operands of OpPhis, and of nodes that depend on themselves, may come later.
fn operands_first(nodes: &Nodes) -> Vec<usize> {
    let count = nodes.len();
    let (mut order, mut is_entered, mut path) = (Vec::with_capacity(count), vec![false; count], Vec::new());
    for first in 0..count {
        if std::mem::replace(&mut is_entered[first], true) {
            continue;
        }
        path.push((first, 0));
        while let Some((node, next)) = path.last_mut() {
            let is_followed = nodes.kind(*node) != NodeKind::Phi;
            match nodes.inputs(*node).get(*next).filter(|_| is_followed) {
                Some(input) => {
                    *next += 1;
                    let operand = *input as usize;
                    if !std::mem::replace(&mut is_entered[operand], true) {
                        path.push((operand, 0));
                    }
                }
                None => {
                    order.push(*node);
                    path.pop();
                }
            }
        }
    }
    order
}

fn fill<T: Clone>(table: &mut Vec<T>, size: usize, value: T) {
    table.clear();
    table.resize(size, value);
}

struct Solver<'w, 'm> {
    module: &'w Module<'m>,
    graph: &'w FlowGraph,
    nodes: &'w Nodes,
    regions: &'w Regions,
    /// Edges that are never taken, sorted.
    closed: &'w [u32],
    solution: &'w mut Solution,
}

impl Solver<'_, '_> {
    /// Propagates until nothing changes.
    fn finish(&mut self) {
        self.propagate();
        // Only a value that depends on nothing but itself is still unknown.
        for &choice in &self.nodes.choices {
            let node = choice.node as usize;
            if self.runs(choice) && self.solution.states[node] == NodeState::Unknown {
                self.lower(node, NodeState::Overdefined);
                self.propagate();
            }
        }
    }

    /// Lets a function run that nothing calls, with any values of parameters and variables.
    fn assume(&mut self, number: usize) {
        let function = self.graph.get(number);
        let region = self.regions.of_block(function.block(0));
        if std::mem::replace(&mut self.solution.runs[region], true) {
            return;
        }
        self.solution.reached.push(region as u32);
        for &(_, edge) in &function.calls {
            for used in self.nodes.edge_uses(edge as usize) {
                if let Some(node) = self.nodes.user(*used).node() {
                    self.lower(node, NodeState::Overdefined);
                }
            }
        }
        self.finish();
    }

    /// Processes the worklists until they are empty.
    fn propagate(&mut self) {
        loop {
            if let Some(region) = self.solution.reached.pop() {
                for follows in self.regions.steps(region as usize) {
                    match follows {
                        Consequence::Edge(edge) => self.take(edge),
                        Consequence::Choice(choice) => self.leave(choice),
                    }
                }
            } else if let Some(node) = self.solution.changed.pop() {
                for used in self.nodes.uses(node as usize) {
                    match self.nodes.user(*used) {
                        ValueUser::Choice(choice) => {
                            if self.runs(self.nodes.choices[choice]) {
                                self.leave(choice);
                            }
                        }
                        ValueUser::Node(node) => self.update(node),
                        ValueUser::Phi { node, input } => self.join(node, input),
                    }
                }
            } else {
                return;
            }
        }
    }

    fn lower(&mut self, node: usize, state: NodeState) {
        if self.solution.states[node] != state {
            self.solution.states[node] = state;
            self.solution.changed.push(node as u32);
        }
    }

    /// True if the block of a choice runs.
    fn runs(&self, choice: BranchChoice) -> bool {
        let block = self.graph.get(choice.function()).block(choice.block());
        self.solution.runs[self.regions.of_block(block)]
    }

    /// Takes an edge.
    #[inline(always)]
    fn take(&mut self, edge: usize) {
        if self.closed.binary_search(&(edge as u32)).is_ok() {
            return;
        }
        if std::mem::replace(&mut self.solution.edges[edge], true) {
            return;
        }
        let uses = self.nodes.edge_uses(edge);
        if !uses.is_empty() {
            self.join_all(uses);
        }
        let Some(target) = self.graph.target(edge) else { return };
        let region = self.regions.of_block(target);
        if !std::mem::replace(&mut self.solution.runs[region], true) {
            self.solution.reached.push(region as u32);
        }
    }

    /// Updates the OpPhis with operands for an edge that is taken.
    #[inline(never)]
    fn join_all(&mut self, uses: &[NodeUse]) {
        for used in uses {
            if let ValueUser::Phi { node, input } = self.nodes.user(*used) {
                self.join(node, input);
            }
        }
    }

    /// Takes the edges out of the block of a choice, which runs, as far as the state of its condition permits.
    fn leave(&mut self, number: usize) {
        let choice = self.nodes.choices[number];
        let mut edges = self.graph.get(choice.function()).edges(choice.block());
        match self.solution.states[choice.node as usize] {
            NodeState::Unknown => return,
            NodeState::Partial(value) => {
                let possible =
                    possible(self.module, self.graph, self.nodes, &self.solution.partial, (choice, value));
                self.solution.taken[number] = match possible[..] {
                    [(_, target)] => target as u32,
                    _ => OPEN,
                };
                return possible.into_iter().for_each(|(edge, _)| self.take(edge));
            }
            NodeState::Constant(value) => {
                if let Some((edge, target)) = self.chosen(choice, value) {
                    self.solution.taken[number] = target as u32;
                    edges = edge..edge + 1;
                }
            }
            NodeState::Overdefined => self.solution.taken[number] = OPEN,
        }
        edges.for_each(|edge| self.take(edge));
    }

    /// Returns the edge that a choice takes for a value of its condition, and the number of the target block in its function.
    fn chosen(&self, choice: BranchChoice, value: u64) -> Option<(usize, usize)> {
        let function = self.graph.get(choice.function());
        let blocks = &function.blocks;
        let inst = self.module.instruction(blocks.get(choice.block()).terminator);
        let mut edges = blocks.edges(choice.block());
        let first = function.edges(choice.block()).start - edges.start;
        let edge = if inst.is(Op::BranchConditional) {
            // Both labels may be one.
            if value != 0 { edges.next() } else { edges.next_back() }
        } else {
            let switch = Some(views::Switch(inst)).filter(|switch| switch.is(Op::Switch))?;
            let scalar = self.nodes.scalar(choice.node as usize);
            let mut cases = switch.cases(scalar.width());
            let case = cases.find(|(literal, _)| scalar.literal(literal) == Some(value));
            let target = blocks.number(self.module, case.map_or(switch.default(), |(_, label)| label))?;
            edges.find(|&edge| blocks.target(edge) == target)
        }?;
        Some((first + edge, blocks.target(edge)))
    }

    /// Updates a node that is not an OpPhi after a change of an input.
    fn update(&mut self, node: usize) {
        let current = self.solution.states[node];
        // Given values do not change.
        let is_given = || current != NodeState::Unknown && self.nodes.is_open(node);
        if current == NodeState::Overdefined || is_given() {
            return;
        }
        let state = match (current, self.evaluate(node)) {
            (NodeState::Partial(_), state) => self.either(current, state, self.nodes.scalar(node)),
            (_, state) => state,
        };
        self.lower(node, state);
    }

    /// Updates an OpPhi after a change of an input, or of the edge on which that counts.
    fn join(&mut self, node: usize, input: usize) {
        let (current, NodeInput { node: operand, edge }) =
            (self.solution.states[node], self.nodes.phi_input(input));
        let is_taken = self.solution.edges.get(edge as usize).is_some_and(|&taken| taken);
        if current == NodeState::Overdefined || !is_taken {
            return;
        }
        let state = match (current, self.solution.states[operand as usize]) {
            (NodeState::Unknown, state) | (state, NodeState::Unknown) => state,
            (NodeState::Constant(one), NodeState::Constant(other)) if one == other => current,
            // Loops would be followed for each bit of their counters.
            (NodeState::Constant(_), NodeState::Constant(_)) => NodeState::Overdefined,
            (one, other) => self.either(one, other, self.nodes.scalar(node)),
        };
        self.lower(node, state);
    }

    /// The state of a value that is one or the other.
    fn either(&mut self, one: NodeState, other: NodeState, scalar: Scalar) -> NodeState {
        match (one, other) {
            _ if one == other => one,
            (NodeState::Unknown, state) | (state, NodeState::Unknown) => state,
            (NodeState::Overdefined, _) | (_, NodeState::Overdefined) => NodeState::Overdefined,
            _ => {
                let values = &mut self.solution.partial;
                let joined = values.value(one, scalar).join(&values.value(other, scalar));
                values.state(joined, scalar)
            }
        }
    }

    /// The state of a node that no whole value follows for, as far as parts of its operands are known.
    fn partial_result(&mut self, at: usize) -> NodeState {
        let (scalar, kind, inputs) = self.nodes.get(at);
        let (NodeKind::Binary(op) | NodeKind::Operation(op)) = kind else { return NodeState::Overdefined };
        if op == Op::Select {
            return self.selected(inputs, scalar);
        }
        let state = |input: &u32| self.solution.states[*input as usize];
        if inputs.iter().all(|input| state(input) == NodeState::Overdefined) {
            return NodeState::Overdefined;
        }
        let value = |input: &u32| {
            let scalar = self.nodes.scalar(*input as usize);
            (self.solution.partial.value(state(input), scalar), scalar)
        };
        // More operands have no operation here.
        let mut operands: [(PartialValue, Scalar); 4] =
            std::array::from_fn(|_| (PartialValue::default(), scalar));
        let Some(known) = operands.get_mut(..inputs.len()) else { return NodeState::Overdefined };
        known.iter_mut().zip(inputs).for_each(|(operand, input)| *operand = value(input));
        match partial::apply(op, scalar, known) {
            Some(value) => self.solution.partial.state(value, scalar),
            None => NodeState::Overdefined,
        }
    }

    /// The state of an OpSelect. Where its condition is that a number is not one of the operands, that operand is another number.
    fn selected(&mut self, inputs: &[u32], scalar: Scalar) -> NodeState {
        let (&[condition, one, other], Scalar::Int { .. }) = (inputs, scalar) else {
            return NodeState::Overdefined;
        };
        let state = |input: u32| self.solution.states[input as usize];
        match state(condition) {
            NodeState::Constant(1) => return state(one),
            NodeState::Constant(_) => return state(other),
            _ => {}
        }
        let value = |input: u32| self.solution.partial.value(state(input), scalar);
        let (mut a, mut b) = (value(one), value(other));
        if let Some((op, field, mask, number)) = self.compared_field(condition as usize) {
            match op {
                Op::IEqual if field == other => b = b.without(mask, number),
                Op::INotEqual if field == one => a = a.without(mask, number),
                _ => {}
            }
        }
        self.solution.partial.state(a.join(&b), scalar)
    }

    /// For a comparison of a field of a value with a constant: the operation, the value, the mask of the field, and the bits.
    fn compared_field(&self, condition: usize) -> Option<(Op, u32, u64, u64)> {
        let NodeKind::Binary(op) = self.nodes.kind(condition) else { return None };
        let with_constant = |inputs: &[u32]| match *inputs {
            [one, other] => match (self.value(&one), self.value(&other)) {
                (None, Some(number)) => Some((one, number)),
                (Some(number), None) => Some((other, number)),
                _ => None,
            },
            _ => None,
        };
        let (value, number) = with_constant(self.nodes.inputs(condition))?;
        let all = self.nodes.scalar(value as usize).mask(u64::MAX);
        let masked = || with_constant(self.nodes.inputs(value as usize));
        match self.nodes.kind(value as usize) {
            NodeKind::Binary(Op::BitwiseAnd) => masked().map(|(field, mask)| (op, field, mask, number)),
            _ => Some((op, value, all, number)),
        }
    }

    /// The state of a node that is not an OpPhi.
    fn evaluate(&mut self, at: usize) -> NodeState {
        match self.fold(at) {
            NodeState::Overdefined => self.partial_result(at),
            state => state,
        }
    }

    /// The state of a node that follows from whole values.
    fn fold(&self, at: usize) -> NodeState {
        let (scalar, kind, inputs) = self.nodes.get(at);
        let state = |input: &u32| self.solution.states[*input as usize];
        let known = match kind {
            // Constants have their states from the beginning.
            NodeKind::Constant => return self.solution.states[at],
            NodeKind::Overdefined => return NodeState::Overdefined,
            NodeKind::Phi => return NodeState::Unknown,
            NodeKind::Copy => return inputs.first().map_or(NodeState::Overdefined, state),
            NodeKind::Element => return self.element(inputs),
            NodeKind::Binary(op) => return self.binary(op, inputs, scalar),
            NodeKind::Operation(op) if is_of_vectors(op) => self.fold_vectors(op, inputs, scalar),
            NodeKind::Operation(op) => self.operation(op, inputs, scalar),
            NodeKind::Extended(extended) => {
                let value = |input: &u32| Operand {
                    scalar: self.nodes.scalar(*input as usize),
                    value: state(input).constant(),
                };
                let mut values = [Operand { scalar, value: None }; 3];
                values.iter_mut().zip(inputs).for_each(|(target, input)| *target = value(input));
                extended.fold(scalar, &values[..inputs.len().min(3)])
            }
        };
        match known {
            Some(value) => NodeState::Constant(value),
            None if inputs.iter().any(|input| state(input).is_unknown()) => NodeState::Unknown,
            None => NodeState::Overdefined,
        }
    }

    /// The element that the first input chooses among the others.
    fn element(&self, inputs: &[u32]) -> NodeState {
        let state = |input: &u32| self.solution.states[*input as usize];
        let Some((index, elements)) = inputs.split_first() else { return NodeState::Overdefined };
        match state(index) {
            NodeState::Unknown => NodeState::Unknown,
            NodeState::Constant(index) => {
                match usize::try_from(index).ok().and_then(|index| elements.get(index)) {
                    Some(element) => state(element),
                    None => NodeState::Overdefined,
                }
            }
            index @ (NodeState::Partial(_) | NodeState::Overdefined) => {
                let may_be = |at: u64| match index {
                    NodeState::Partial(number) => self.solution.partial.may_be(number, at),
                    _ => true,
                };
                let elements = (0..).zip(elements).filter(|&(at, _)| may_be(at));
                let mut states = elements.map(|(_, element)| state(element));
                let first = states.next().unwrap_or(NodeState::Overdefined);
                match states.find(|&other| other != first) {
                    None => first,
                    Some(other) if [first, other].into_iter().chain(states).any(NodeState::is_unknown) => {
                        NodeState::Unknown
                    }
                    Some(_) => NodeState::Overdefined,
                }
            }
        }
    }

    /// An operation on two values.
    #[inline]
    fn binary(&self, op: Op, inputs: &[u32], scalar: Scalar) -> NodeState {
        let &[first, second] = inputs else { return NodeState::Overdefined };
        let (one, other) = (self.solution.states[first as usize], self.solution.states[second as usize]);
        let (a, b) = (one.constant(), other.constant());
        // Where nothing is known, nothing follows.
        let folded = match (a, b) {
            (None, None) => None,
            _ => fold_any_two(op, scalar, self.nodes.scalar(first as usize), a, b),
        };
        match folded.or_else(|| if first == second { same(op) } else { None }) {
            Some(value) => NodeState::Constant(value),
            None if one.is_unknown() || other.is_unknown() => NodeState::Unknown,
            None => NodeState::Overdefined,
        }
    }

    fn value(&self, input: &u32) -> Option<u64> {
        self.solution.states[*input as usize].constant()
    }

    /// An operation on one value, or on more than two.
    fn operation(&self, op: Op, inputs: &[u32], scalar: Scalar) -> Option<u64> {
        let &first = inputs.first()?;
        let mut values = [None; 4];
        values.iter_mut().zip(inputs).for_each(|(value, input)| *value = self.value(input));
        let is_any_known = values.iter().any(Option::is_some);
        let from = self.nodes.scalar(first as usize);
        is_any_known.then(|| fold_any(op, scalar, from, &values[..inputs.len().min(4)]))?
    }

    /// An operation on the components of vectors, those of two vectors in turn.
    fn fold_vectors(&self, op: Op, inputs: &[u32], scalar: Scalar) -> Option<u64> {
        let values = || inputs.iter().map(|input| self.value(input));
        match op {
            Op::Any if values().any(|value| value == Some(1)) => Some(1),
            Op::Any => values().all(|value| value == Some(0)).then_some(0),
            Op::All if values().any(|value| value == Some(0)) => Some(0),
            Op::All => values().all(|value| value == Some(1)).then_some(1),
            _ => {
                let mut sum = None;
                for pair in inputs.chunks_exact(2) {
                    let product =
                        fold_any(Op::FMul, scalar, scalar, &[self.value(&pair[0]), self.value(&pair[1])])?;
                    sum = Some(match sum {
                        Some(sum) => fold_any(Op::FAdd, scalar, scalar, &[Some(sum), Some(product)])?,
                        None => product,
                    });
                }
                sum
            }
        }
    }
}

/// Returns the edges of a switch that it may take for a partial value, each with the number of the target block.
pub(super) fn possible(
    module: &Module,
    graph: &FlowGraph,
    nodes: &Nodes,
    partial: &PartialValues,
    (choice, value): (BranchChoice, u32),
) -> Vec<(usize, usize)> {
    let function = graph.get(choice.function());
    let blocks = &function.blocks;
    let switch = views::Switch(module.instruction(blocks.get(choice.block()).terminator));
    let scalar = nodes.scalar(choice.node as usize);
    let may_be = |literal| scalar.literal(literal).is_none_or(|number| partial.may_be(value, number));
    let cases = switch.cases(scalar.width()).filter(|&(literal, _)| may_be(literal));
    let labels = cases.map(|(_, label)| label).chain([switch.default()]);
    let targets: HashSet<usize> = labels.filter_map(|label| blocks.number(module, label)).collect();
    let edges = blocks.edges(choice.block());
    let first = function.edges(choice.block()).start - edges.start;
    let possible = edges.filter(|&edge| targets.contains(&blocks.target(edge)));
    possible.map(|edge| (first + edge, blocks.target(edge))).collect()
}

/// Returns the result of an operation on two equal integers or Booleans of any value.
fn same(op: Op) -> Option<u64> {
    match op {
        Op::ISub | Op::BitwiseXor | Op::INotEqual | Op::LogicalNotEqual => Some(0),
        Op::ULessThan | Op::UGreaterThan | Op::SLessThan | Op::SGreaterThan => Some(0),
        Op::IEqual | Op::LogicalEqual => Some(1),
        Op::ULessThanEqual | Op::UGreaterThanEqual | Op::SLessThanEqual | Op::SGreaterThanEqual => Some(1),
        _ => None,
    }
}
