//! The propagation: states of values only ever descend the lattice from unknown over constant to overdefined.

use spirv::Op;

use super::blocks::{Blocks, Follows, Regions};
use super::nodes::{Choice, Input, NodeKind, NodeUse, Nodes, User, is_of_vectors};
use crate::analysis::constants::folding::{Operand, Scalar, fold_any, fold_any_two};
use crate::loader::{Module, views};

/// Stands for a choice of a block that can take any of its targets.
pub(super) const OPEN: u32 = u32::MAX;

/// The state of a value. It only ever changes to a later one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum State {
    /// Nothing that it depends on has been reached.
    Unknown,
    Constant(u64),
    Overdefined,
}

impl State {
    #[inline]
    fn is_unknown(self) -> bool {
        matches!(self, State::Unknown)
    }

    #[inline]
    pub fn constant(self) -> Option<u64> {
        match self {
            State::Constant(value) => Some(value),
            State::Unknown | State::Overdefined => None,
        }
    }
}

/// The part of a solution that does not depend on given values.
#[derive(Default)]
pub(super) struct Base {
    /// The states of the first nodes where nothing is given and no block has been reached. Those of the others are unknown.
    states: Vec<State>,
    /// The nodes that are computed from given values, operands before their users.
    order: Vec<u32>,
    /// The nodes that have a user before them, since they depend on themselves.
    late: Vec<u32>,
    pub regions: Regions,
}

/// The fixed point of the propagation.
#[derive(Default)]
pub(super) struct Solution {
    /// By region: true if it can run.
    pub runs: Vec<bool>,
    /// By choice: the only possible target, or [`OPEN`].
    pub taken: Vec<u32>,
    states: Vec<State>,
    /// By edge: true if it is taken, as far as an OpPhi or another region depends on it.
    edges: Vec<bool>,
    changed: Vec<u32>,
    /// Regions.
    reached: Vec<u32>,
}

impl Base {
    /// The states of the first nodes where nothing is given.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// The bytes that it takes.
    pub fn size(&self) -> usize {
        let of_nodes = size_of_val(&self.order[..]) + size_of_val(&self.late[..]);
        size_of_val(&self.states[..]) + of_nodes + self.regions.size()
    }

    /// Evaluates the nodes of a function that was read as far as they do not depend on given values, and leaves out those that are then known
    /// not to change. The constants have their values. The solution lends its memory.
    pub fn of(
        module: &Module,
        blocks: &Blocks,
        nodes: &mut Nodes,
        constants: &[(u32, u64)],
        solution: &mut Solution,
    ) -> Base {
        let count = nodes.len();
        fill(&mut solution.states, count, State::Unknown);
        for &(node, value) in constants {
            solution.states[node as usize] = State::Constant(value);
        }
        let (mut order, mut late) = (Vec::new(), Vec::new());
        let mut depends = vec![false; count];
        nodes.open.iter().for_each(|&(node, _)| depends[node as usize] = true);
        let mut is_evaluated = vec![false; count];
        let regions = &Regions::default();
        let work = &mut Work { module, blocks, nodes, regions, solution };
        for node in operands_first(nodes) {
            let inputs = if nodes.kind(node) == NodeKind::Phi { &[] } else { nodes.inputs(node) };
            for input in inputs {
                let operand = input.node as usize;
                depends[node] |= depends[operand];
                late.extend((!is_evaluated[operand]).then_some(input.node));
            }
            match depends[node] {
                true => order.push(node as u32),
                false if nodes.kind(node) == NodeKind::Constant => {}
                false => work.solution.states[node] = work.evaluate(node),
            }
            is_evaluated[node] = true;
        }
        let mut states = solution.states.clone();
        // Where nodes depend on themselves, others may be late.
        if late.is_empty() {
            nodes.without_fixed(&mut states, &mut order);
        }
        nodes.index(blocks);
        order.shrink_to_fit();
        late.shrink_to_fit();
        Base { states, order, late, regions: Regions::of(blocks, nodes) }
    }
}

impl Solution {
    /// The bytes that the states take, which are most of it.
    pub fn size(&self) -> usize {
        self.states.capacity() * size_of::<State>()
    }

    /// The value of a node, if it is known.
    pub fn value(&self, node: u32) -> Option<u64> {
        self.states.get(node as usize)?.constant()
    }

    /// Solves a function.
    pub fn solve(
        &mut self,
        module: &Module,
        blocks: &Blocks,
        nodes: &Nodes,
        base: &Base,
        known: &mut dyn FnMut(u32) -> Option<u64>,
    ) {
        let regions = &base.regions;
        fill(&mut self.runs, regions.len(), false);
        fill(&mut self.taken, nodes.choices.len(), OPEN);
        fill(&mut self.edges, blocks.edge_count(), false);
        self.states.clone_from(&base.states);
        self.states.resize(nodes.len(), State::Unknown);
        for &(node, id) in &nodes.open {
            let at = node as usize;
            if let Some(value) = known(id) {
                self.states[at] = State::Constant(nodes.scalar(at).mask(value));
            }
        }
        let mut work = Work { module, blocks, nodes, regions, solution: self };
        for &node in &base.order {
            if work.solution.states[node as usize] == State::Unknown {
                work.solution.states[node as usize] = work.evaluate(node as usize);
            }
        }
        work.solution.changed.extend_from_slice(&base.late);
        if blocks.len() != 0 {
            work.solution.runs[0] = true;
            work.solution.reached.push(0);
        }
        work.propagate();
        // Only a value that depends on nothing but itself is still unknown.
        for &Choice { block, node } in &nodes.choices {
            let node = node as usize;
            let runs = work.solution.runs[regions.of_block(block as usize)];
            if runs && work.solution.states[node] == State::Unknown {
                work.lower(node, State::Overdefined);
                work.propagate();
            }
        }
    }
}

/// The nodes in an order in which the operands of each come before it, but for those of OpPhis, and where nodes depend on themselves.
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
                    let operand = input.node as usize;
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

struct Work<'w, 'm> {
    module: &'w Module<'m>,
    blocks: &'w Blocks,
    nodes: &'w Nodes,
    regions: &'w Regions,
    solution: &'w mut Solution,
}

impl Work<'_, '_> {
    /// Processes the worklists until they are empty.
    fn propagate(&mut self) {
        loop {
            if let Some(region) = self.solution.reached.pop() {
                for follows in self.regions.steps(region as usize) {
                    match follows {
                        Follows::Edge(edge) => self.take(edge),
                        Follows::Choice(choice) => self.leave(choice),
                    }
                }
            } else if let Some(node) = self.solution.changed.pop() {
                for used in self.nodes.uses(node as usize) {
                    match used.user() {
                        User::Choice(choice) => {
                            if self.runs(choice) {
                                self.leave(choice);
                            }
                        }
                        User::Input { node, input } => self.input(node, input),
                    }
                }
            } else {
                return;
            }
        }
    }

    fn lower(&mut self, node: usize, state: State) {
        if self.solution.states[node] != state {
            self.solution.states[node] = state;
            self.solution.changed.push(node as u32);
        }
    }

    /// True if the block of a choice runs.
    fn runs(&self, choice: usize) -> bool {
        self.solution.runs[self.regions.of_block(self.nodes.choices[choice].block as usize)]
    }

    /// Takes an edge.
    #[inline(always)]
    fn take(&mut self, edge: usize) {
        if std::mem::replace(&mut self.solution.edges[edge], true) {
            return;
        }
        let uses = self.nodes.edge_uses(edge);
        if !uses.is_empty() {
            self.join_all(uses);
        }
        let region = self.regions.of_block(self.blocks.target(edge));
        if !std::mem::replace(&mut self.solution.runs[region], true) {
            self.solution.reached.push(region as u32);
        }
    }

    /// Updates the OpPhis of which operands count on an edge that is taken.
    #[inline(never)]
    fn join_all(&mut self, uses: &[NodeUse]) {
        for used in uses {
            if let User::Input { node, input } = used.user() {
                self.input(node, input);
            }
        }
    }

    /// Takes the edges out of the block of a choice, which runs, as far as the state of its condition permits.
    fn leave(&mut self, choice: usize) {
        let Choice { block, node } = self.nodes.choices[choice];
        let mut edges = self.blocks.edges(block as usize);
        match self.solution.states[node as usize] {
            State::Unknown => return,
            State::Constant(value) => {
                if let Some(edge) = self.chosen(block as usize, node as usize, value) {
                    self.solution.taken[choice] = self.blocks.target(edge) as u32;
                    edges = edge..edge + 1;
                }
            }
            State::Overdefined => self.solution.taken[choice] = OPEN,
        }
        edges.for_each(|edge| self.take(edge));
    }

    /// The edge on which a conditional branch or a switch transfers control where its condition, a node, has a value.
    fn chosen(&self, block: usize, node: usize, value: u64) -> Option<usize> {
        let inst = self.module.instruction(self.blocks.get(block).terminator);
        let mut edges = self.blocks.edges(block);
        if inst.is(Op::BranchConditional) {
            // Both labels may be one.
            return if value != 0 { edges.next() } else { edges.next_back() };
        }
        let switch = Some(views::Switch(inst)).filter(|switch| switch.is(Op::Switch))?;
        let scalar = self.nodes.scalar(node);
        let mut cases = switch.cases(scalar.width());
        let case = cases.find(|(literal, _)| scalar.literal(literal) == Some(value));
        let target = self.blocks.number(self.module, case.map_or(switch.default(), |(_, label)| label))?;
        edges.find(|&edge| self.blocks.target(edge) == target)
    }

    /// Updates a node after a change of an input, or of the edge on which that counts.
    fn input(&mut self, node: usize, input: u32) {
        let current = self.solution.states[node];
        if current == State::Overdefined {
            return;
        }
        let state = match self.nodes.kind(node) {
            NodeKind::Phi => self.join(current, self.nodes.inputs[input as usize]),
            // Given values do not change.
            _ if current != State::Unknown && self.nodes.is_open(node) => current,
            _ => self.evaluate(node),
        };
        self.lower(node, state);
    }

    /// The state of an OpPhi after a change of one of its operands.
    fn join(&self, current: State, input: Input) -> State {
        if !self.solution.edges.get(input.edge as usize).is_some_and(|&taken| taken) {
            return current;
        }
        match (current, self.solution.states[input.node as usize]) {
            (State::Unknown, state) | (state, State::Unknown) => state,
            (State::Constant(one), State::Constant(other)) if one == other => current,
            _ => State::Overdefined,
        }
    }

    /// The state of a node that is not an OpPhi.
    fn evaluate(&self, at: usize) -> State {
        let (scalar, kind, inputs) = self.nodes.get(at);
        let state = |input: &Input| self.solution.states[input.node as usize];
        let known = match kind {
            // Constants have their states from the beginning.
            NodeKind::Constant => return self.solution.states[at],
            NodeKind::Overdefined => return State::Overdefined,
            NodeKind::Phi => return State::Unknown,
            NodeKind::Copy => return inputs.first().map_or(State::Overdefined, state),
            NodeKind::Binary(op) => return self.binary(op, inputs, scalar),
            NodeKind::Operation(op) if is_of_vectors(op) => self.of_vectors(op, inputs, scalar),
            NodeKind::Operation(op) => self.operation(op, inputs, scalar),
            NodeKind::Extended(extended) => {
                let value = |input: &Input| Operand {
                    scalar: self.nodes.scalar(input.node as usize),
                    value: state(input).constant(),
                };
                let mut values = [Operand { scalar, value: None }; 3];
                values.iter_mut().zip(inputs).for_each(|(own, input)| *own = value(input));
                extended.fold(scalar, &values[..inputs.len().min(3)])
            }
        };
        match known {
            Some(value) => State::Constant(value),
            None if inputs.iter().any(|input| state(input).is_unknown()) => State::Unknown,
            None => State::Overdefined,
        }
    }

    /// An operation on two values.
    #[inline]
    fn binary(&self, op: Op, inputs: &[Input], scalar: Scalar) -> State {
        let &[Input { node: first, .. }, Input { node: second, .. }] = inputs else {
            return State::Overdefined;
        };
        let (one, other) = (self.solution.states[first as usize], self.solution.states[second as usize]);
        let (a, b) = (one.constant(), other.constant());
        // Where nothing is known, nothing follows.
        let folded = match (a, b) {
            (None, None) => None,
            _ => fold_any_two(op, scalar, self.nodes.scalar(first as usize), a, b),
        };
        match folded.or_else(|| if first == second { same(op) } else { None }) {
            Some(value) => State::Constant(value),
            None if one.is_unknown() || other.is_unknown() => State::Unknown,
            None => State::Overdefined,
        }
    }

    fn value(&self, input: &Input) -> Option<u64> {
        self.solution.states[input.node as usize].constant()
    }

    /// An operation on one or three values.
    fn operation(&self, op: Op, inputs: &[Input], scalar: Scalar) -> Option<u64> {
        let first = inputs.first()?;
        let mut values = [None; 3];
        values.iter_mut().zip(inputs).for_each(|(value, input)| *value = self.value(input));
        let is_any_known = values.iter().any(Option::is_some);
        let from = self.nodes.scalar(first.node as usize);
        is_any_known.then(|| fold_any(op, scalar, from, &values[..inputs.len().min(3)]))?
    }

    /// An operation on the components of vectors, those of two vectors in turn.
    fn of_vectors(&self, op: Op, inputs: &[Input], scalar: Scalar) -> Option<u64> {
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

/// The result of an operation on the same integer or Boolean twice, whatever its value.
fn same(op: Op) -> Option<u64> {
    match op {
        Op::ISub | Op::BitwiseXor | Op::INotEqual | Op::LogicalNotEqual => Some(0),
        Op::ULessThan | Op::UGreaterThan | Op::SLessThan | Op::SGreaterThan => Some(0),
        Op::IEqual | Op::LogicalEqual => Some(1),
        Op::ULessThanEqual | Op::UGreaterThanEqual | Op::SLessThanEqual | Op::SGreaterThanEqual => Some(1),
        _ => None,
    }
}
