//! The graph of the values that the conditions of a function depend on.

use spirv::Op;

use super::extended::Extended;
use super::graph::FlowGraph;
use super::solve::NodeState;
use crate::analysis::constants::folding::Scalar;

/// Stands for the absence of a node.
const NONE: u32 = u32::MAX;
/// Stands for the edge of an OpPhi's operand from a block that is not a predecessor.
pub(super) const NO_EDGE: u32 = u32::MAX;
/// The bit of a use as the condition of a choice.
const CHOICE: u32 = 1 << 31;
/// The bit of a use as an input of an OpPhi.
const PHI: u32 = 1 << 30;
/// The most pairs of types and origins.
const MAX_SORTS: usize = 1 << 12;

/// The origin of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum NodeKind {
    /// A constant.
    Constant,
    /// Values that are not followed.
    Overdefined,
    /// The only operand.
    Copy,
    /// The common value of the operands whose edges are taken.
    Phi,
    /// An operation on the operands.
    Operation(Op),
    /// An operation on two operands, neither of them a component of a vector.
    Binary(Op),
    /// An instruction of GLSL.std.450.
    Extended(Extended),
    /// The operand with a number that the first operand gives, counted from the second operand.
    Element,
}

/// A scalar value, in eight bytes.
#[derive(Clone, Copy, Debug, Default)]
struct FlowNode {
    first_input: u32,
    input_count: u16,
    /// The number of the type and origin.
    sort: u16,
}

/// An operand of a node, as it is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeInput {
    /// The node that it is.
    pub node: u32,
    /// For an OpPhi: the edge on which it counts. Otherwise [`NO_EDGE`].
    pub edge: u32,
}

impl NodeInput {
    /// An operand that counts on an edge, or on none.
    pub fn new(node: u32, edge: u32) -> NodeInput {
        NodeInput { node, edge }
    }
}

/// A block with a conditional branch or a switch.
#[derive(Clone, Copy, Debug)]
pub(super) struct BranchChoice {
    /// The function, and the place of the block in it.
    pub place: (u32, u32),
    /// The node of the condition or selector.
    pub node: u32,
    /// True if it is computed in the function from module-scope constants.
    pub is_local: bool,
}

impl BranchChoice {
    /// The number of its function in the graph.
    pub fn function(self) -> usize {
        self.place.0 as usize
    }

    /// The number of its block in the function.
    pub fn block(self) -> usize {
        self.place.1 as usize
    }

    pub fn is_of(self, function: usize, block: usize) -> bool {
        (self.function(), self.block()) == (function, block)
    }
}

/// The values of the functions of a graph.
#[derive(Default)]
pub(super) struct Nodes {
    nodes: Vec<FlowNode>,
    /// The number of nodes whose states no constant changes: they come first, and nobody asks for their uses.
    fixed: usize,
    /// The types and origins of nodes, each pair once: there are few.
    sorts: Vec<(Scalar, NodeKind)>,
    /// The operands of all nodes. Those of OpPhis come first, once fixed nodes are removed.
    inputs: Vec<u32>,
    /// The edges on which the first inputs count: at least those of all OpPhis.
    edges: Vec<u32>,
    /// The OpPhis that have the first inputs, once all are [indexed](Nodes::index).
    phis: Vec<u32>,
    /// Module-scope nodes whose values may be given, each with its id.
    pub open: Vec<(u32, u32)>,
    /// The choices that may be decided, in order.
    pub choices: Vec<BranchChoice>,
    /// The start of the uses of each node, and then of the inputs of OpPhis that count on each edge.
    use_starts: Vec<u32>,
    uses: Vec<NodeUse>,
}

/// A use of a value, or of an edge: a node, an input of an OpPhi, or a choice.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeUse(u32);

/// A user of a value.
pub(super) enum ValueUser {
    /// A node that is not an OpPhi.
    Node(usize),
    /// An OpPhi, by an input among those of all nodes.
    Phi { node: usize, input: usize },
    /// A choice.
    Choice(usize),
}

impl ValueUser {
    /// Returns the node that it is; `None` for a choice.
    pub fn node(self) -> Option<usize> {
        match self {
            ValueUser::Node(node) | ValueUser::Phi { node, .. } => Some(node),
            ValueUser::Choice(_) => None,
        }
    }
}

impl FlowNode {
    /// Returns the range of the node's inputs among those of all nodes.
    fn inputs(self) -> std::ops::Range<usize> {
        let first = self.first_input as usize;
        first..first + usize::from(self.input_count)
    }
}

/// True if operands are components of vectors.
pub(super) fn is_of_vectors(op: Op) -> bool {
    matches!(op, Op::Any | Op::All | Op::Dot)
}

impl Nodes {
    /// Adds a node without inputs.
    pub fn add(&mut self, scalar: Scalar, kind: NodeKind) -> u32 {
        let sort = self.sort(scalar, kind);
        self.nodes.push(FlowNode { sort, ..FlowNode::default() });
        self.nodes.len() as u32 - 1
    }

    /// Gives a node its origin and its inputs. One without an origin, or with more inputs than can be counted, is not followed.
    pub fn define(&mut self, at: usize, scalar: Scalar, kind: Option<NodeKind>, inputs: &[NodeInput]) {
        let (kind, input_count) = match (kind, u16::try_from(inputs.len())) {
            (Some(NodeKind::Operation(op)), Ok(2)) if !is_of_vectors(op) => (NodeKind::Binary(op), 2),
            (Some(kind), Ok(count)) => (kind, count),
            _ => (NodeKind::Overdefined, 0),
        };
        let first_input = self.inputs.len();
        let inputs = &inputs[..usize::from(input_count)];
        self.inputs.extend(inputs.iter().map(|input| input.node));
        self.edges.extend(inputs.iter().map(|input| input.edge));
        let sort = self.sort(scalar, kind);
        self.nodes[at] = FlowNode { first_input: first_input as u32, input_count, sort };
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The type of a node.
    pub fn scalar(&self, node: usize) -> Scalar {
        self.sorts[usize::from(self.nodes[node].sort)].0
    }

    /// The type, the origin and the inputs of a node.
    pub fn get(&self, node: usize) -> (Scalar, NodeKind, &[u32]) {
        let node = self.nodes[node];
        let (scalar, kind) = self.sorts[usize::from(node.sort)];
        (scalar, kind, &self.inputs[node.inputs()])
    }

    /// The origin of a node.
    pub fn kind(&self, node: usize) -> NodeKind {
        self.sorts[usize::from(self.nodes[node].sort)].1
    }

    /// Returns the number of a type and an origin. Beyond the limit, returns the number of a value that is not followed.
    fn sort(&mut self, scalar: Scalar, kind: NodeKind) -> u16 {
        if self.sorts.is_empty() {
            self.sorts.push((Scalar::Bool, NodeKind::Overdefined));
        }
        let known = self.sorts.iter().position(|&sort| sort == (scalar, kind));
        let number = known.unwrap_or_else(|| match self.sorts.len() {
            MAX_SORTS => 0,
            len => {
                self.sorts.push((scalar, kind));
                len
            }
        });
        number as u16
    }

    pub fn inputs(&self, node: usize) -> &[u32] {
        &self.inputs[self.nodes[node].inputs()]
    }

    /// Returns the node that an input of an OpPhi is, by its number among those of all nodes, and the edge on which it counts.
    pub fn phi_input(&self, input: usize) -> NodeInput {
        NodeInput { node: self.inputs[input], edge: self.edges[input] }
    }

    /// True if the value of a node may be given.
    pub fn is_open(&self, node: usize) -> bool {
        self.open.binary_search_by_key(&(node as u32), |&(open_node, _)| open_node).is_ok()
    }

    /// Finds the choices that depend on none of these nodes.
    pub fn find_local(&mut self, graph: &FlowGraph, foreign: Vec<u32>) {
        self.index(graph);
        let (mut is_reached, mut pending) = (vec![false; self.nodes.len()], foreign);
        while let Some(node) = pending.pop() {
            if std::mem::replace(&mut is_reached[node as usize], true) {
                continue;
            }
            let users = self.uses(node as usize).iter().filter_map(|&used| self.user(used).node());
            pending.extend(users.map(|user| user as u32));
        }
        self.choices.iter_mut().for_each(|choice| choice.is_local = !is_reached[choice.node as usize]);
    }

    /// Returns the node or choice that uses a value.
    #[inline]
    pub fn user(&self, NodeUse(used): NodeUse) -> ValueUser {
        let number = (used & !(CHOICE | PHI)) as usize;
        match used & (CHOICE | PHI) {
            0 => ValueUser::Node(number),
            PHI => ValueUser::Phi { node: self.phis[number] as usize, input: number },
            _ => ValueUser::Choice(number),
        }
    }

    /// Returns the uses of a node whose state constants may change.
    pub fn uses(&self, node: usize) -> &[NodeUse] {
        &self.uses[self.use_starts[node] as usize..self.use_starts[node + 1] as usize]
    }

    /// The inputs of OpPhis that count on an edge.
    pub fn edge_uses(&self, edge: usize) -> &[NodeUse] {
        self.uses(self.nodes.len() + edge)
    }

    /// Removes the nodes that no choice depends on, and the nodes whose states no constant changes. Of the latter, constants that other
    /// nodes use stay, and one node of each type for all unknown values. These come first and have their states in `states`; `order` has
    /// the other nodes.
    pub fn without_fixed(&mut self, states: &mut Vec<NodeState>, order: &mut Vec<u32>) {
        let is_fixed = |node: u32| states[node as usize] != NodeState::Unknown;
        let mut is_live = vec![false; self.nodes.len()];
        let mut pending: Vec<u32> = self.choices.iter().map(|choice| choice.node).collect();
        while let Some(node) = pending.pop() {
            if !is_fixed(node) && !std::mem::replace(&mut is_live[node as usize], true) {
                pending.extend(self.inputs(node as usize));
            }
        }
        let live: Vec<u32> = (0..self.nodes.len() as u32).filter(|&node| is_live[node as usize]).collect();
        let mut numbers = vec![NONE; self.nodes.len()];
        let (mut nodes, mut fixed): (Vec<FlowNode>, Vec<NodeState>) = (Vec::new(), Vec::new());
        let mut unknown: Vec<(Scalar, u32)> = Vec::new();
        let inputs = live.iter().flat_map(|&node| self.inputs(node as usize)).copied();
        // A condition that is not known is as good as none.
        let conditions = self.choices.iter().map(|choice| choice.node);
        let conditions = conditions.filter(|&node| states[node as usize] != NodeState::Overdefined);
        for node in inputs.chain(conditions).filter(|&node| is_fixed(node)) {
            let (at, number) = (node as usize, nodes.len() as u32);
            if numbers[at] != NONE {
                continue;
            }
            let scalar = self.scalar(at);
            if states[at] == NodeState::Overdefined {
                if let Some(&(_, same)) = unknown.iter().find(|(known_scalar, _)| *known_scalar == scalar) {
                    numbers[at] = same;
                    continue;
                }
                unknown.push((scalar, number));
            }
            numbers[at] = number;
            nodes.push(FlowNode { first_input: 0, input_count: 0, ..self.nodes[at] });
            fixed.push(states[at]);
        }
        for &node in &live {
            numbers[node as usize] = nodes.len() as u32;
            nodes.push(self.nodes[node as usize]);
        }
        let (mut inputs, mut edges) = (Vec::new(), Vec::new());
        for is_of_phis in [true, false] {
            let is_of_them = |node: &&mut FlowNode| {
                let (_, kind) = self.sorts[usize::from(node.sort)];
                (kind == NodeKind::Phi) == is_of_phis
            };
            for node in nodes[fixed.len()..].iter_mut().filter(is_of_them) {
                let range = node.inputs();
                node.first_input = inputs.len() as u32;
                inputs.extend(self.inputs[range.clone()].iter().map(|&input| numbers[input as usize]));
                if is_of_phis {
                    edges.extend_from_slice(&self.edges[range]);
                }
            }
        }
        self.drop_sorts(&mut nodes);
        self.fixed = fixed.len();
        let renumber = |node: &mut u32| *node = numbers[*node as usize];
        self.choices.iter_mut().for_each(|choice| renumber(&mut choice.node));
        self.choices.retain(|choice| choice.node != NONE);
        order.retain(|&node| is_live[node as usize]);
        order.iter_mut().for_each(renumber);
        self.open.retain(|&(node, _)| is_live[node as usize]);
        self.open.iter_mut().for_each(|(node, _)| renumber(node));
        // They are kept as long as the module.
        nodes.shrink_to_fit();
        inputs.shrink_to_fit();
        edges.shrink_to_fit();
        fixed.shrink_to_fit();
        self.choices.shrink_to_fit();
        self.open.shrink_to_fit();
        (self.nodes, self.inputs, self.edges, *states) = (nodes, inputs, edges, fixed);
    }

    /// Keeps the types and origins that these nodes have.
    fn drop_sorts(&mut self, nodes: &mut [FlowNode]) {
        let mut sorts: Vec<(Scalar, NodeKind)> = Vec::new();
        for node in nodes {
            let sort = self.sorts[usize::from(node.sort)];
            let known = sorts.iter().position(|&other| other == sort);
            node.sort = known.unwrap_or(sorts.len()) as u16;
            sorts.extend(known.is_none().then_some(sort));
        }
        self.sorts = sorts;
    }

    /// Finds the uses of every node and edge.
    pub fn index(&mut self, graph: &FlowGraph) {
        let edges = self.nodes.len() as u32;
        self.phis = vec![NONE; self.edges.len()];
        self.use_starts = vec![0; self.nodes.len() + graph.edge_count() + 1];
        self.each_use(|nodes, used, _| nodes.use_starts[used as usize] += 1, edges);
        let mut sum = 0;
        self.use_starts.iter_mut().for_each(|start| {
            sum += *start;
            *start = sum;
        });
        self.uses = vec![NodeUse(0); sum as usize];
        self.each_use(
            |nodes, used, by| {
                let start = &mut nodes.use_starts[used as usize];
                *start -= 1;
                nodes.uses[*start as usize] = by;
            },
            edges,
        );
    }

    /// Calls a function with each use of a node whose state constants may change, by its number, and of an edge, by its number plus `edges`.
    fn each_use(&mut self, mut each: impl FnMut(&mut Nodes, u32, NodeUse), edges: u32) {
        for at in 0..self.nodes.len() {
            let is_phi = self.kind(at) == NodeKind::Phi;
            for input in self.nodes[at].inputs() {
                let used = if is_phi { NodeUse(input as u32 | PHI) } else { NodeUse(at as u32) };
                let node = self.inputs[input];
                if node as usize >= self.fixed {
                    each(self, node, used);
                }
                if is_phi {
                    self.phis[input] = at as u32;
                    let edge = self.edges[input];
                    if edge != NO_EDGE {
                        each(self, edges + edge, used);
                    }
                }
            }
        }
        for choice in 0..self.choices.len() {
            let node = self.choices[choice].node;
            if node as usize >= self.fixed {
                each(self, node, NodeUse(choice as u32 | CHOICE));
            }
        }
    }
}
