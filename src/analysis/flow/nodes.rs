//! The graph of the values that the conditions of a function depend on.

use std::collections::HashMap;

use spirv::Op;

use super::blocks::Blocks;
use super::extended::Extended;
use super::solve::State;
use crate::analysis::constants::folding::Scalar;
use crate::analysis::requirements::types::Vector;
use crate::loader::{Instruction, Module, views};

/// Stands for the absence of a node.
pub(super) const NONE: u32 = u32::MAX;
/// Stands for the edge of an OpPhi's operand from a block that is not a predecessor.
pub(super) const NO_EDGE: u32 = u32::MAX;
/// Stands for the operand where a value is used as the condition of a block.
const CONDITION: u32 = u32::MAX;
/// The most pairs of types and origins.
const MOST_SORTS: usize = 1 << 12;
/// The greatest depth of a scalar in a composite.
const MAX_DEPTH: usize = 4;
/// The greatest index of a constituent.
const MAX_INDEX: u32 = 0xfffe;

/// The position of a scalar in a composite: the indexes from the outermost in, each in 16 bits and incremented by one, the first of
/// them lowest. Zero is the whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Path(u64);

impl Path {
    fn first(self) -> Option<u32> {
        (self.0 != 0).then(|| (self.0 as u32 & 0xffff) - 1)
    }

    fn rest(self) -> Path {
        Path(self.0 >> 16)
    }

    /// This path inside of the part that indexes lead to.
    fn inside(self, indexes: &[u32]) -> Option<Path> {
        indexes.iter().rev().try_fold(self, |path, &index| {
            (path.0 >> (16 * (MAX_DEPTH - 1)) == 0 && index <= MAX_INDEX)
                .then(|| Path(path.0 << 16 | u64::from(index + 1)))
        })
    }

    /// The rest of the path after these indexes, if it begins with them.
    fn after(self, indexes: &[u32]) -> Option<Path> {
        indexes.iter().try_fold(self, |path, &index| (path.first()? == index).then(|| path.rest()))
    }
}

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
    /// An instruction of GLSL.std.450.
    Extended(Extended),
}

/// A scalar value, in eight bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    first_operand: u32,
    operand_count: u16,
    /// Its type and its origin, by number.
    sort: u16,
}

/// The values of a function.
#[derive(Default)]
pub(super) struct Nodes {
    nodes: Vec<Node>,
    /// The types and origins of nodes, each pair once: there are few.
    sorts: Vec<(Scalar, NodeKind)>,
    /// Numbers of nodes.
    operands: Vec<u32>,
    /// By operand of an OpPhi: the edge on which it counts.
    pub operand_edges: Vec<u32>,
    /// Module-scope nodes whose values may be given, each with its id.
    pub open: Vec<(u32, u32)>,
    /// By block: the node of its condition, if it has a choice.
    pub conditions: Vec<u32>,
    /// By node: the start of its uses.
    use_starts: Vec<u32>,
    /// The uses of nodes.
    pub uses: Vec<NodeUse>,
    /// By edge: the start of the operands of OpPhis that count on it.
    edge_starts: Vec<u32>,
    edge_uses: Vec<NodeUse>,
    /// While they are read, by node: its id, and the part of that which it is.
    keys: Vec<(u32, Path)>,
    /// While they are read: the constants, each with its value.
    pub constants: Vec<(u32, u64)>,
    /// While they are read, by id: one more than its node, if it is a scalar.
    scalars: Vec<u32>,
    /// By part of an id, as scratch memory: its node.
    parts: HashMap<(u32, Path), u32>,
    /// By block, as scratch memory: the edge from it to the current block.
    edge_from: Vec<u32>,
}

/// A use of a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeUse {
    /// The node, or the block.
    user: u32,
    /// The operand among those of all nodes, or [`CONDITION`].
    operand: u32,
}

/// What uses a value.
pub(super) enum User {
    /// An operand of a node, by its number among those of all nodes.
    Operand { node: usize, operand: u32 },
    /// The choice of a block.
    Condition { block: usize },
}

impl Node {
    /// Its operands among those of all nodes.
    fn operands(self) -> std::ops::Range<usize> {
        let first = self.first_operand as usize;
        first..first + usize::from(self.operand_count)
    }
}

impl NodeUse {
    pub fn user(self) -> User {
        let NodeUse { user, operand } = self;
        match operand {
            CONDITION => User::Condition { block: user as usize },
            operand => User::Operand { node: user as usize, operand },
        }
    }
}

impl Nodes {
    /// Gives back memory that they do not need.
    pub fn shrink(&mut self) {
        self.nodes.shrink_to_fit();
        self.sorts.shrink_to_fit();
        let starts = [&mut self.use_starts, &mut self.edge_starts];
        let others = [&mut self.operands, &mut self.operand_edges, &mut self.conditions];
        starts.into_iter().chain(others).for_each(Vec::shrink_to_fit);
        self.open.shrink_to_fit();
        self.uses.shrink_to_fit();
        self.edge_uses.shrink_to_fit();
        (self.parts, self.edge_from) = (HashMap::new(), Vec::new());
        (self.keys, self.constants) = (Vec::new(), Vec::new());
    }

    /// The bytes that they take.
    pub fn size(&self) -> usize {
        size_of_val(&self.nodes[..])
            + size_of_val(&self.sorts[..])
            + 2 * size_of_val(&self.operands[..])
            + size_of_val(&self.open[..])
            + size_of_val(&self.conditions[..])
            + size_of_val(&self.use_starts[..])
            + size_of_val(&self.uses[..])
            + size_of_val(&self.edge_starts[..])
            + size_of_val(&self.edge_uses[..])
    }

    pub fn clear(&mut self) {
        self.nodes.clear();
        self.sorts.clear();
        self.operands.clear();
        self.operand_edges.clear();
        self.open.clear();
        self.conditions.clear();
        self.parts.clear();
        self.keys.clear();
        self.constants.clear();
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The type of a node.
    pub fn scalar(&self, node: usize) -> Scalar {
        self.sorts[usize::from(self.nodes[node].sort)].0
    }

    /// The type, the origin and the operands of a node.
    pub fn get(&self, node: usize) -> (Scalar, NodeKind, &[u32]) {
        let node = self.nodes[node];
        let (scalar, kind) = self.sorts[usize::from(node.sort)];
        (scalar, kind, &self.operands[node.operands()])
    }

    /// The origin of a node.
    pub fn kind(&self, node: usize) -> NodeKind {
        self.sorts[usize::from(self.nodes[node].sort)].1
    }

    /// The number of a type and an origin. Where there are more than modules have, that of a value that is not followed.
    fn sort(&mut self, scalar: Scalar, kind: NodeKind) -> u16 {
        if self.sorts.is_empty() {
            self.sorts.push((Scalar::Bool, NodeKind::Overdefined));
        }
        let known = self.sorts.iter().position(|&sort| sort == (scalar, kind));
        let number = known.unwrap_or_else(|| match self.sorts.len() {
            MOST_SORTS => 0,
            len => {
                self.sorts.push((scalar, kind));
                len
            }
        });
        number as u16
    }

    pub fn operands(&self, node: usize) -> &[u32] {
        &self.operands[self.nodes[node].operands()]
    }

    /// True if a choice may be decided.
    pub fn decide(&self) -> bool {
        self.conditions.iter().any(|&node| node != NONE)
    }

    /// True if the value of a node may be given.
    pub fn is_open(&self, node: usize) -> bool {
        self.open.binary_search_by_key(&(node as u32), |&(own, _)| own).is_ok()
    }

    /// A node, by one of its uses as an operand.
    pub fn operand(&self, operand: u32) -> usize {
        self.operands[operand as usize] as usize
    }

    pub fn uses(&self, node: usize) -> &[NodeUse] {
        &self.uses[self.use_starts[node] as usize..self.use_starts[node + 1] as usize]
    }

    /// The operands of OpPhis that count on an edge.
    pub fn edge_uses(&self, edge: usize) -> &[NodeUse] {
        &self.edge_uses[self.edge_starts[edge] as usize..self.edge_starts[edge + 1] as usize]
    }

    /// Finds all values that the conditions of these blocks depend on, without an [index](Nodes::index). `scalars` is scratch memory, zeros by id: one more than its node, if it is a
    /// scalar.
    pub fn read(&mut self, module: &Module, blocks: &Blocks, scalars: &mut Vec<u32>) {
        self.scalars = std::mem::take(scalars);
        self.edge_from.clear();
        self.edge_from.resize(blocks.len(), NO_EDGE);
        for block in blocks.iter() {
            let terminator = module.instruction(block.terminator);
            let condition = match terminator.op() {
                Some(Op::BranchConditional) => Some(views::BranchConditional(terminator).condition()),
                Some(Op::Switch) => Some(views::Switch(terminator).selector()),
                _ => None,
            };
            let node = condition.map_or(NONE, |id| self.node(module, id, Path::default()));
            self.conditions.push(node);
        }
        let mut next = 0;
        while next < self.nodes.len() {
            self.expand(module, blocks, next);
            next += 1;
        }
        self.keys.iter().for_each(|&(id, _)| self.scalars[id as usize] = 0);
        *scalars = std::mem::take(&mut self.scalars);
    }

    /// The node of an id or a part of it; new ones are expanded later.
    fn node(&mut self, module: &Module, id: u32, path: Path) -> u32 {
        let known = match path == Path::default() {
            true => self.scalars.get(id as usize).and_then(|node| node.checked_sub(1)),
            false => self.parts.get(&(id, path)).copied(),
        };
        if let Some(known) = known {
            return known;
        }
        let scalar = module.type_of(id).and_then(|type_id| scalar_in(module, type_id, path));
        // A value that is not a scalar is never visited again.
        let (scalar, kind) =
            scalar.map_or((Scalar::Bool, NodeKind::Overdefined), |scalar| (scalar, NodeKind::Copy));
        let number = self.nodes.len() as u32;
        let sort = self.sort(scalar, kind);
        self.nodes.push(Node { sort, ..Node::default() });
        self.keys.push((id, path));
        match path == Path::default() {
            true => self.scalars[id as usize] = number + 1,
            false => drop(self.parts.insert((id, path), number)),
        }
        number
    }

    fn expand(&mut self, module: &Module, blocks: &Blocks, at: usize) {
        let (scalar, (id, path)) = (self.scalar(at), self.keys[at]);
        if self.kind(at) == NodeKind::Overdefined {
            return;
        }
        let first_operand = self.operands.len() as u32;
        let kind = match module.definition(id) {
            Some(inst) if module.is_global(id) => self.global(module, &inst, at, path, scalar),
            Some(inst) if inst.is(Op::Phi) => self.phi(module, blocks, views::Phi(inst), path),
            Some(inst) => inst.op().and_then(|op| self.operation(module, op, &inst, 3, path)),
            None => None,
        };
        let operand_count = u16::try_from(self.operands.len() - first_operand as usize);
        // A value that has more operands than can be counted is not followed.
        let (kind, operand_count) = match (kind, operand_count) {
            (Some(kind), Ok(count)) => (kind, count),
            _ => (NodeKind::Overdefined, 0),
        };
        self.operands.truncate(first_operand as usize + usize::from(operand_count));
        self.operand_edges.resize(self.operands.len(), NO_EDGE);
        let sort = self.sort(scalar, kind);
        self.nodes[at] = Node { first_operand, operand_count, sort };
        if self.scalar(at) != scalar {
            self.open.retain(|&(node, _)| node != at as u32);
        }
    }

    fn push(&mut self, module: &Module, id: u32, path: Path) {
        let node = self.node(module, id, path);
        self.operands.push(node);
    }

    /// A copy of another value.
    fn copy(&mut self, module: &Module, id: u32, path: Path) -> Option<NodeKind> {
        self.push(module, id, path);
        Some(NodeKind::Copy)
    }

    fn global(
        &mut self,
        module: &Module,
        inst: &Instruction,
        at: usize,
        path: Path,
        scalar: Scalar,
    ) -> Option<NodeKind> {
        let open = (path == Path::default()).then_some((at as u32, self.keys[at].0));
        let mut constant = |value: u64| {
            self.constants.push((at as u32, value));
            Some(NodeKind::Constant)
        };
        match inst.op()? {
            Op::ConstantTrue => constant(1),
            Op::ConstantFalse | Op::ConstantNull => constant(0),
            Op::Constant => constant(scalar.literal(views::Constant(*inst).value())?),
            Op::ConstantComposite | Op::SpecConstantComposite => {
                let constituents = views::ConstantComposite(*inst).constituents();
                let constituent = *constituents.get(path.first()? as usize)?;
                self.copy(module, constituent, path.rest())
            }
            Op::ConstantCompositeReplicateEXT | Op::SpecConstantCompositeReplicateEXT => {
                path.first()?;
                self.copy(module, views::Value(*inst).operand(0), path.rest())
            }
            Op::SpecConstantOp => {
                self.open.extend(open);
                let op = views::SpecConstantOp(*inst).operation()?;
                self.operation(module, op, inst, 4, path)
            }
            Op::SpecConstantTrue
            | Op::SpecConstantFalse
            | Op::SpecConstant
            | Op::SpecConstantTargetINTEL
            | Op::SpecConstantArchitectureINTEL
            | Op::SpecConstantCapabilitiesINTEL => {
                self.open.extend(open);
                None
            }
            _ => None,
        }
    }

    fn phi(&mut self, module: &Module, blocks: &Blocks, phi: views::Phi, path: Path) -> Option<NodeKind> {
        let block = blocks.at(phi.offset())?;
        for &edge in blocks.incoming(block) {
            self.edge_from[blocks.source(edge) as usize] = edge;
        }
        for &[value, label] in phi.incoming() {
            let edge = blocks.number(module, label).map_or(NO_EDGE, |from| self.edge_from[from]);
            self.push(module, value, path);
            self.operand_edges.resize(self.operands.len(), NO_EDGE);
            if let Some(last) = self.operand_edges.last_mut() {
                *last = edge;
            }
        }
        for &edge in blocks.incoming(block) {
            self.edge_from[blocks.source(edge) as usize] = NO_EDGE;
        }
        Some(NodeKind::Phi)
    }

    /// An operation whose operands begin at word `first`: 3 in a body, 4 in OpSpecConstantOp.
    fn operation(
        &mut self,
        module: &Module,
        op: Op,
        inst: &Instruction,
        first: usize,
        path: Path,
    ) -> Option<NodeKind> {
        let operand = |at: usize| Some(inst.word(first + at)).filter(|&id| id != 0 && id < module.bound());
        let whole = Path::default();
        match op {
            Op::CopyObject | Op::CopyLogical | Op::ExpectKHR => self.copy(module, operand(0)?, path),
            Op::CompositeExtract => self.copy(module, operand(0)?, path.inside(inst.words_from(first + 1))?),
            Op::CompositeInsert => {
                let indexes = inst.words_from(first + 2);
                match path.after(indexes) {
                    Some(rest) => self.copy(module, operand(0)?, rest),
                    None => self.copy(module, operand(1)?, path),
                }
            }
            Op::CompositeConstruct => self.constituent(module, views::CompositeConstruct(*inst), path),
            Op::VectorShuffle => {
                let component = inst.word(first + 2 + path.first()? as usize);
                let left = Vector::of_value(module, operand(0)?)?.count?;
                match component.checked_sub(left) {
                    None => self.copy(module, operand(0)?, whole.inside(&[component])?),
                    Some(component) => self.copy(module, operand(1)?, whole.inside(&[component])?),
                }
            }
            Op::VectorExtractDynamic => {
                let index = module.constant(operand(1)?)?.low_word();
                self.copy(module, operand(0)?, whole.inside(&[index])?)
            }
            Op::Select => {
                let of_vectors = Vector::of_value(module, operand(0)?).is_some();
                self.push(module, operand(0)?, if of_vectors { path } else { whole });
                self.push(module, operand(1)?, path);
                self.push(module, operand(2)?, path);
                Some(NodeKind::Operation(op))
            }
            Op::Any | Op::All => {
                let size = Vector::of_value(module, operand(0)?)?.few()?;
                for component in 0..size {
                    self.push(module, operand(0)?, whole.inside(&[component])?);
                }
                Some(NodeKind::Operation(op))
            }
            Op::Dot => {
                let size = Vector::of_value(module, operand(0)?)?.few()?;
                for component in 0..size {
                    let path = whole.inside(&[component])?;
                    self.push(module, operand(0)?, path);
                    self.push(module, operand(1)?, path);
                }
                Some(NodeKind::Operation(op))
            }
            Op::VectorTimesScalar => {
                self.push(module, operand(0)?, path);
                self.push(module, operand(1)?, whole);
                Some(NodeKind::Operation(Op::FMul))
            }
            Op::ExtInst => {
                let inst = views::ExtInst(*inst);
                let extended = Extended::of(module, inst)?;
                for &id in inst.operands().iter().take(3) {
                    self.push(module, id, path);
                }
                Some(NodeKind::Extended(extended))
            }
            _ => {
                let count = componentwise(op)?;
                for at in 0..count {
                    self.push(module, operand(at)?, path);
                }
                Some(NodeKind::Operation(op))
            }
        }
    }

    /// A part of the result of OpCompositeConstruct: the constituents of a vector may be vectors themselves.
    fn constituent(
        &mut self,
        module: &Module,
        inst: views::CompositeConstruct,
        path: Path,
    ) -> Option<NodeKind> {
        let mut index = path.first()?;
        if Vector::of(module, inst.type_id()).is_some() {
            for &id in inst.constituents() {
                let (size, path) = match Vector::of_value(module, id) {
                    Some(vector) => (vector.count?, Path::default().inside(&[index])?),
                    None => (1, Path::default()),
                };
                match index.checked_sub(size) {
                    Some(rest) => index = rest,
                    None => return self.copy(module, id, path),
                }
            }
            return None;
        }
        self.copy(module, *inst.constituents().get(index as usize)?, path.rest())
    }

    /// Leaves out the nodes on which no choice depends, and those whose states are known whatever is given, but for what others need of them:
    /// constants, and a node of each type that stands for all values that are not known. They come first; `states` has theirs, and `order`
    /// other nodes.
    pub fn without_fixed(&mut self, states: &mut Vec<State>, order: &mut Vec<u32>) {
        let is_fixed = |node: u32| states[node as usize] != State::Unknown;
        let mut is_live = vec![false; self.nodes.len()];
        let mut found: Vec<u32> = self.conditions.iter().copied().filter(|&node| node != NONE).collect();
        while let Some(node) = found.pop() {
            if !is_fixed(node) && !std::mem::replace(&mut is_live[node as usize], true) {
                found.extend_from_slice(self.operands(node as usize));
            }
        }
        let live: Vec<u32> = (0..self.nodes.len() as u32).filter(|&node| is_live[node as usize]).collect();
        let mut numbers = vec![NONE; self.nodes.len()];
        let (mut nodes, mut fixed): (Vec<Node>, Vec<State>) = (Vec::new(), Vec::new());
        let mut unknown: Vec<(Scalar, u32)> = Vec::new();
        let operands = live.iter().flat_map(|&node| self.operands(node as usize));
        let conditions = self.conditions.iter().filter(|&&node| {
            // A condition that is not known is as good as none.
            node != NONE && states[node as usize] != State::Overdefined
        });
        for &node in operands.chain(conditions).filter(|&&node| is_fixed(node)) {
            let (at, number) = (node as usize, nodes.len() as u32);
            if numbers[at] != NONE {
                continue;
            }
            let scalar = self.scalar(at);
            if states[at] == State::Overdefined {
                if let Some(&(_, same)) = unknown.iter().find(|(own, _)| *own == scalar) {
                    numbers[at] = same;
                    continue;
                }
                unknown.push((scalar, number));
            }
            numbers[at] = number;
            nodes.push(Node { operand_count: 0, ..self.nodes[at] });
            fixed.push(states[at]);
        }
        for &node in &live {
            numbers[node as usize] = nodes.len() as u32;
            nodes.push(self.nodes[node as usize]);
        }
        let (mut operands, mut operand_edges) = (Vec::new(), Vec::new());
        for node in &mut nodes[fixed.len()..] {
            let range = node.operands();
            node.first_operand = operands.len() as u32;
            operands.extend(self.operands[range.clone()].iter().map(|&operand| numbers[operand as usize]));
            operand_edges.extend_from_slice(&self.operand_edges[range]);
        }
        let renumber = |node: &mut u32| *node = numbers.get(*node as usize).copied().unwrap_or(NONE);
        self.conditions.iter_mut().for_each(renumber);
        order.retain(|&node| is_live[node as usize]);
        order.iter_mut().for_each(renumber);
        self.open.retain(|&(node, _)| is_live[node as usize]);
        self.open.iter_mut().for_each(|(node, _)| renumber(node));
        (self.nodes, self.operands, self.operand_edges, *states) = (nodes, operands, operand_edges, fixed);
    }

    /// Finds the uses of every node and edge.
    pub fn index(&mut self, blocks: &Blocks) {
        let chooses = |&(_, &node): &(usize, &u32)| node != NONE;
        let conditions = || self.conditions.iter().enumerate().filter(chooses);
        let mut starts = vec![0u32; self.nodes.len() + 1];
        self.operands
            .iter()
            .chain(conditions().map(|(_, node)| node))
            .for_each(|&node| starts[node as usize] += 1);
        self.edge_starts.clear();
        self.edge_starts.resize(blocks.edge_count() + 1, 0);
        for &edge in self.operand_edges.iter().filter(|&&edge| edge != NO_EDGE) {
            self.edge_starts[edge as usize] += 1;
        }
        let ends = |starts: &mut [u32]| {
            let mut sum = 0;
            starts.iter_mut().for_each(|start| {
                sum += *start;
                *start = sum;
            });
            sum as usize
        };
        let nothing = NodeUse { user: 0, operand: CONDITION };
        let mut uses = std::mem::take(&mut self.uses);
        uses.clear();
        uses.resize(ends(&mut starts), nothing);
        let mut edge_uses = std::mem::take(&mut self.edge_uses);
        edge_uses.clear();
        edge_uses.resize(ends(&mut self.edge_starts), nothing);
        let put = |starts: &mut [u32], uses: &mut [NodeUse], at: u32, used: NodeUse| {
            starts[at as usize] -= 1;
            uses[starts[at as usize] as usize] = used;
        };
        for (at, node) in self.nodes.iter().enumerate() {
            for operand in node.operands() {
                let used = NodeUse { user: at as u32, operand: operand as u32 };
                put(&mut starts, &mut uses, self.operands[operand], used);
                let edge = self.operand_edges[operand];
                if edge != NO_EDGE {
                    put(&mut self.edge_starts, &mut edge_uses, edge, used);
                }
            }
        }
        for (block, &node) in conditions() {
            put(&mut starts, &mut uses, node, NodeUse { user: block as u32, operand: CONDITION });
        }
        self.use_starts = starts;
        self.uses = uses;
        self.edge_uses = edge_uses;
    }
}

/// The scalar type of a part of a type.
fn scalar_in(module: &Module, mut type_id: u32, mut path: Path) -> Option<Scalar> {
    while let Some(index) = path.first() {
        type_id = module.part_type(type_id, index)?;
        path = path.rest();
    }
    Scalar::of(module, type_id)
}

/// The number of operands of an operation that constant folding supports, on vectors component by component.
fn componentwise(op: Op) -> Option<usize> {
    match op {
        Op::LogicalNot
        | Op::Not
        | Op::SNegate
        | Op::FNegate
        | Op::UConvert
        | Op::SConvert
        | Op::FConvert
        | Op::ConvertFToU
        | Op::ConvertFToS
        | Op::ConvertSToF
        | Op::ConvertUToF
        | Op::QuantizeToF16
        | Op::Bitcast
        | Op::IsNan
        | Op::IsInf
        | Op::IsFinite
        | Op::IsNormal
        | Op::SignBitSet
        | Op::BitCount
        | Op::BitReverse => Some(1),
        Op::LogicalAnd
        | Op::LogicalOr
        | Op::LogicalEqual
        | Op::LogicalNotEqual
        | Op::IEqual
        | Op::INotEqual
        | Op::UGreaterThan
        | Op::UGreaterThanEqual
        | Op::ULessThan
        | Op::ULessThanEqual
        | Op::SGreaterThan
        | Op::SGreaterThanEqual
        | Op::SLessThan
        | Op::SLessThanEqual
        | Op::IAdd
        | Op::ISub
        | Op::IMul
        | Op::UDiv
        | Op::UMod
        | Op::SDiv
        | Op::SRem
        | Op::SMod
        | Op::ShiftLeftLogical
        | Op::ShiftRightLogical
        | Op::ShiftRightArithmetic
        | Op::BitwiseAnd
        | Op::BitwiseOr
        | Op::BitwiseXor
        | Op::FAdd
        | Op::FSub
        | Op::FMul
        | Op::FDiv
        | Op::FRem
        | Op::FMod
        | Op::FOrdEqual
        | Op::FUnordEqual
        | Op::FOrdNotEqual
        | Op::FUnordNotEqual
        | Op::FOrdLessThan
        | Op::FUnordLessThan
        | Op::FOrdGreaterThan
        | Op::FUnordGreaterThan
        | Op::FOrdLessThanEqual
        | Op::FUnordLessThanEqual
        | Op::FOrdGreaterThanEqual
        | Op::FUnordGreaterThanEqual
        | Op::LessOrGreater
        | Op::Ordered
        | Op::Unordered => Some(2),
        Op::BitFieldUExtract | Op::BitFieldSExtract => Some(3),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_more_types_than_can_be_told_apart_are_not_followed() {
        let mut nodes = Nodes::default();
        let of = |encoding: u32| Scalar::OtherFloat { width: 8, encoding };
        let numbers: Vec<u16> =
            (0..2 * MOST_SORTS as u32).map(|encoding| nodes.sort(of(encoding), NodeKind::Copy)).collect();
        let (first, last) = (nodes.sort(of(0), NodeKind::Copy), nodes.sort(of(9999), NodeKind::Copy));
        assert_eq!((first, last), (numbers[0], 0));
        let told: Vec<u16> = numbers.iter().copied().take_while(|&number| number != 0).collect();
        assert_eq!(told, (1..MOST_SORTS as u16).collect::<Vec<_>>());
        assert!(numbers[told.len()..].iter().all(|&number| number == 0));
        assert_eq!(nodes.sorts[0].1, NodeKind::Overdefined);
    }

    /// A specialization constant whose type is not told apart once its origin is known: a value of another type must not be given to it.
    #[test]
    fn values_that_are_not_followed_are_not_given() {
        let text = "
            OpCapability Shader
            OpMemoryModel Logical GLSL450
            OpDecorate %1 SpecId 0
            %2 = OpTypeVoid
            %3 = OpTypeFunction %2
            %4 = OpTypeBool
            %5 = OpTypeInt 32 0
            %1 = OpSpecConstant %5 2
            %6 = OpConstant %5 2
            %7 = OpFunction %2 None %3
            %8 = OpLabel
            %9 = OpIEqual %4 %1 %6
            OpSelectionMerge %11 None
            OpBranchConditional %9 %10 %11
            %10 = OpLabel
            OpBranch %11
            %11 = OpLabel
            OpReturn
            OpFunctionEnd";
        let words = crate::test_support::assemble(text, "spv1.5").unwrap();
        let module = Module::from_words(&words[..]).unwrap();
        let mut blocks = Blocks::default();
        assert!(blocks.read(&module, &module.functions()[0]));
        // Those of the condition and the constants, of the comparison, and of the value that the host gives.
        for (left, is_given) in [(4, true), (3, false)] {
            let mut nodes = Nodes::default();
            for encoding in 1..(MOST_SORTS - left) as u32 {
                nodes.sort(Scalar::OtherFloat { width: 8, encoding }, NodeKind::Copy);
            }
            nodes.read(&module, &blocks, &mut vec![0; module.bound() as usize]);
            assert_eq!(!nodes.open.is_empty(), is_given, "{left}");
        }
    }
}
