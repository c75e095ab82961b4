//! The propagation: states of values only ever descend the lattice from unknown over constant to overdefined.

use spirv::Op;

use super::blocks::Blocks;
use super::nodes::{Choice, Input, NodeKind, Nodes};
use super::program::{Program, Step};
use super::reading::Memory;
use crate::analysis::constants::folding::{Operand, Scalar, fold_any};
use crate::loader::{Module, views};

/// Stands for the block of a module-scope node.
const MODULE_SCOPE: u32 = 0;
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
    fn constant(self) -> Option<u64> {
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
    /// The module-scope nodes that are computed from given values, operands before their users.
    order: Vec<u32>,
    pub program: Program,
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
}

impl Base {
    /// The bytes that it takes.
    pub fn size(&self) -> usize {
        size_of_val(&self.states[..]) + size_of_val(&self.order[..]) + self.program.size()
    }

    /// Evaluates the nodes of a function that was read as far as they do not depend on given values, and leaves out those that are then known
    /// not to change. What depends on itself by other ways than OpPhis is not known: no valid code that runs does. The solution lends its memory.
    pub fn of(
        module: &Module,
        blocks: &Blocks,
        nodes: &mut Nodes,
        memory: &Memory,
        solution: &mut Solution,
    ) -> Base {
        let count = nodes.len();
        fill(&mut solution.states, count, State::Unknown);
        for &(node, value) in &memory.constants {
            solution.states[node as usize] = State::Constant(value);
        }
        let mut others: Vec<(u32, u32)> = Vec::new();
        let mut depends = vec![false; count];
        nodes.open.iter().for_each(|&(node, _)| depends[node as usize] = true);
        let mut is_evaluated = vec![false; count];
        let program = &Program::default();
        let work = &mut Work { module, blocks, nodes, program, solution, earlier: None, left: 0 };
        for node in operands_first(nodes) {
            let inputs = if nodes.kind(node) == NodeKind::Phi { &[] } else { nodes.inputs(node) };
            for input in inputs {
                let operand = input.node as usize;
                depends[node] |= depends[operand];
                if !is_evaluated[operand] {
                    work.solution.states[operand] = State::Overdefined;
                }
            }
            is_evaluated[node] = true;
            match nodes.kind(node) {
                NodeKind::Constant => continue,
                _ if work.solution.states[node] == State::Overdefined => continue,
                _ if depends[node] => {}
                _ => work.solution.states[node] = work.evaluate(node),
            }
            if work.solution.states[node] == State::Unknown {
                let block =
                    memory.block_of(module, blocks, node).map_or(MODULE_SCOPE, |block| block as u32 + 1);
                others.push((block, node as u32));
            }
        }
        let mut states = solution.states.clone();
        nodes.without_fixed(&mut states, &mut others);
        // OpPhis first: they depend on what came before their blocks.
        others.sort_by_key(|&(block, node)| (block, nodes.kind(node as usize) != NodeKind::Phi));
        let computed = others.split_off(others.partition_point(|&(block, _)| block == MODULE_SCOPE));
        let computed: Vec<(u32, u32)> = computed.into_iter().map(|(block, node)| (block - 1, node)).collect();
        let order = others.into_iter().map(|(_, node)| node).collect();
        Base { states, order, program: Program::of(blocks, nodes, &computed) }
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
        let program = &base.program;
        fill(&mut self.runs, program.regions.len(), false);
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
        if blocks.len() == 0 {
            return;
        }
        self.runs[0] = true;
        let left = (program.len() * MOST_TURNS).max(FEW_STEPS);
        let mut work = Work { module, blocks, nodes, program, solution: self, earlier: None, left };
        for &node in &base.order {
            if work.solution.states[node as usize] == State::Unknown {
                work.solution.states[node as usize] = work.evaluate(node as usize);
            }
        }
        work.propagate();
    }

    /// Nothing is decided, and everything runs.
    fn give_up(&mut self, nodes: &Nodes) {
        self.runs.fill(true);
        self.taken.fill(OPEN);
        nodes.choices.iter().for_each(|choice| self.states[choice.node as usize] = State::Overdefined);
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
    program: &'w Program,
    solution: &'w mut Solution,
    /// The place where a region is entered that was not found to run when it was passed: the first one.
    earlier: Option<usize>,
    /// How many steps may still be done.
    left: usize,
}

/// How many times the steps of a function are done at most, on average. Code that computes needs two or three times; where blocks stand in an
/// order that makes it more than this, nothing is decided.
const MOST_TURNS: usize = 64;
/// The steps that are done in any case.
const FEW_STEPS: usize = 1 << 18;

impl Work<'_, '_> {
    /// Does the steps of what runs, and again from where something that comes later has an effect, until nothing changes.
    fn propagate(&mut self) {
        let program = self.program;
        let mut place = 0;
        loop {
            while let Some(step) = program.step(place) {
                match step {
                    Step::Node(node) => self.update(node),
                    Step::Edge(edge) => self.take(edge, place),
                    Step::Choice(choice) => self.leave(choice, place),
                    Step::Enter(region) if !self.solution.runs[region] => {
                        place = program.entry(place + 1, None).unwrap_or(program.len());
                        continue;
                    }
                    Step::Enter(_) => {}
                    Step::Repeat(repetition) => {
                        let (entry, mut phis) = program.repetition(repetition);
                        if phis.any(|phi| self.is_changed(phi)) {
                            if !self.may_repeat(place - entry) {
                                return;
                            }
                            place = entry;
                            continue;
                        }
                    }
                }
                place += 1;
            }
            match self.earlier.take().or_else(|| self.lower_unknown()) {
                Some(earlier) if self.may_repeat(place - earlier) => place = earlier,
                _ => return,
            }
        }
    }

    /// True if the OpPhi that is computed at a place gets another state now.
    fn is_changed(&self, place: usize) -> bool {
        match self.program.step(place) {
            Some(Step::Node(phi)) => self.join(phi) != self.solution.states[phi],
            _ => false,
        }
    }

    /// True if a number of steps may be done again. Where that has been done too often, nothing is decided.
    fn may_repeat(&mut self, steps: usize) -> bool {
        match self.left.checked_sub(steps) {
            Some(left) => self.left = left,
            None => {
                self.solution.give_up(self.nodes);
                return false;
            }
        }
        true
    }

    /// A condition that is still not known where everything is done depends on nothing but itself. It can be anything; then everything is done again.
    fn lower_unknown(&mut self) -> Option<usize> {
        let (choices, solution) = (&self.nodes.choices, &mut *self.solution);
        let runs = |block: u32| solution.runs[self.program.regions.of_block(block as usize)];
        let is_unknown = |node: u32| solution.states[node as usize] == State::Unknown;
        let unknown = choices.iter().find(|choice| is_unknown(choice.node) && runs(choice.block))?;
        solution.states[unknown.node as usize] = State::Overdefined;
        Some(0)
    }

    /// Computes a node again.
    fn update(&mut self, node: usize) {
        if self.solution.states[node] != State::Overdefined {
            self.solution.states[node] = match self.nodes.kind(node) {
                NodeKind::Phi => self.join(node),
                _ => self.evaluate(node),
            };
        }
    }

    /// Takes an edge, at a place in the program.
    fn take(&mut self, edge: usize, place: usize) {
        if std::mem::replace(&mut self.solution.edges[edge], true) {
            return;
        }
        let target = self.blocks.target(edge);
        let region = self.program.regions.of_block(target);
        if !std::mem::replace(&mut self.solution.runs[region], true) && self.is_passed(edge, target) {
            // Looking for its entry is as much work as all steps. Where too much was done, going back to the beginning shows it.
            let left = self.left.checked_sub(self.program.len());
            let entry = match left {
                Some(_) => self.program.entry(0, Some(region)).filter(|&entry| entry <= place),
                None => Some(0),
            };
            self.left = left.unwrap_or(0);
            self.earlier = [self.earlier, entry].into_iter().flatten().min();
        }
    }

    /// True if the block to which an edge leads comes before the one that it leaves, or is this one.
    fn is_passed(&self, edge: usize, target: usize) -> bool {
        self.blocks.edges(target).start <= edge
    }

    /// Takes the edges out of the block of a choice, which runs, as far as the state of its condition permits.
    fn leave(&mut self, choice: usize, place: usize) {
        let Choice { block, node } = self.nodes.choices[choice];
        let edges = self.blocks.edges(block as usize);
        match self.solution.states[node as usize] {
            State::Unknown => {}
            State::Constant(value) => match self.chosen(block as usize, node as usize, value) {
                Some(edge) => {
                    self.solution.taken[choice] = self.blocks.target(edge) as u32;
                    self.take(edge, place);
                }
                None => edges.for_each(|edge| self.take(edge, place)),
            },
            State::Overdefined => {
                self.solution.taken[choice] = OPEN;
                edges.for_each(|edge| self.take(edge, place));
            }
        }
    }

    /// The edge on which a conditional branch or a switch transfers control where its condition, a node, has a value.
    fn chosen(&self, block: usize, node: usize, value: u64) -> Option<usize> {
        let inst = self.module.instruction(self.blocks.get(block).terminator);
        let mut edges = self.blocks.edges(block);
        match inst.op()? {
            // Both labels may be one.
            Op::BranchConditional if value != 0 => edges.next(),
            Op::BranchConditional => edges.next_back(),
            Op::Switch => {
                let switch = views::Switch(inst);
                let scalar = self.nodes.scalar(node);
                let mut cases = switch.cases(scalar.width());
                let case = cases.find(|(literal, _)| scalar.literal(literal) == Some(value));
                let target =
                    self.blocks.number(self.module, case.map_or(switch.default(), |(_, label)| label))?;
                edges.find(|&edge| self.blocks.target(edge) == target)
            }
            _ => None,
        }
    }

    /// The state of an OpPhi.
    fn join(&self, node: usize) -> State {
        let mut joined = self.solution.states[node];
        for input in self.nodes.inputs(node) {
            if !self.solution.edges.get(input.edge as usize).is_some_and(|&taken| taken) {
                continue;
            }
            joined = match (joined, self.solution.states[input.node as usize]) {
                (State::Unknown, state) | (state, State::Unknown) => state,
                (State::Constant(one), State::Constant(other)) if one == other => joined,
                _ => return State::Overdefined,
            };
        }
        joined
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
            NodeKind::Operation(op @ (Op::Any | Op::All | Op::Dot)) => self.of_vectors(op, inputs, scalar),
            NodeKind::Operation(op) => return self.operation(op, inputs, scalar),
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

    fn value(&self, input: &Input) -> Option<u64> {
        self.solution.states[input.node as usize].constant()
    }

    #[inline]
    fn operation(&self, op: Op, inputs: &[Input], scalar: Scalar) -> State {
        let state = |input: &Input| self.solution.states[input.node as usize];
        let folded = |first: &Input, values: &[Option<u64>]| {
            let is_any_known = values.iter().any(Option::is_some);
            // Where nothing is known, nothing follows.
            if is_any_known {
                fold_any(op, scalar, self.nodes.scalar(first.node as usize), values)
            } else {
                None
            }
        };
        let (value, is_unknown) = match inputs {
            [first, second] => {
                let (one, other) = (state(first), state(second));
                let value = folded(first, &[one.constant(), other.constant()]);
                let of_same = || same(op).filter(|_| first.node == second.node);
                (value.or_else(of_same), one.is_unknown() || other.is_unknown())
            }
            [first, ..] => {
                let mut values = [None; 3];
                values.iter_mut().zip(inputs).for_each(|(value, input)| *value = self.value(input));
                let is_unknown = inputs.iter().any(|input| state(input).is_unknown());
                (folded(first, &values[..inputs.len().min(3)]), is_unknown)
            }
            [] => (None, false),
        };
        match value {
            Some(value) => State::Constant(value),
            None if is_unknown => State::Unknown,
            None => State::Overdefined,
        }
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
