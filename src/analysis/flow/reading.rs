//! Finds the values that the conditions of a function depend on.

use std::collections::HashMap;

use spirv::Op;

use super::blocks::Blocks;
use super::extended::Extended;
use super::nodes::{Choice, Input, NO_EDGE, NodeKind, Nodes};
use crate::analysis::Vector;
use crate::analysis::constants::folding::Scalar;
use crate::loader::{Instruction, Module, views};

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

/// Memory for reading functions one after the other.
#[derive(Default)]
pub(super) struct Memory {
    /// By node: its id, and the part of that which it is.
    keys: Vec<(u32, Path)>,
    /// The constants, each with its value.
    pub constants: Vec<(u32, u64)>,
    /// By id: one more than its node, if it is a scalar. Zeros between functions.
    scalars: Vec<u32>,
    /// By part of an id: its node.
    parts: HashMap<(u32, Path), u32>,
    /// By block: the edge from it to the current block.
    edge_from: Vec<u32>,
}

impl Memory {
    /// The bytes that it takes.
    pub fn size(&self) -> usize {
        let of_ids = (self.scalars.capacity() + self.edge_from.capacity()) * size_of::<u32>();
        let of_nodes = self.keys.capacity() * size_of::<(u32, Path)>();
        let others = self.constants.capacity() * size_of::<(u32, u64)>();
        of_ids + of_nodes + others + self.parts.capacity() * size_of::<((u32, Path), u32)>()
    }
}

/// A function that is being read.
struct Reading<'r, 'm> {
    module: &'r Module<'m>,
    blocks: &'r Blocks,
    nodes: &'r mut Nodes,
    memory: &'r mut Memory,
    /// [`Blocks::incoming_edges`].
    incoming: Vec<u32>,
}

/// Finds all values that the conditions of these blocks depend on, from no nodes on, without an [index](Nodes::index).
pub(super) fn read(module: &Module, blocks: &Blocks, nodes: &mut Nodes, memory: &mut Memory) {
    memory.keys.clear();
    memory.constants.clear();
    memory.parts.clear();
    memory.scalars.resize(module.bound() as usize, 0);
    memory.edge_from.clear();
    memory.edge_from.resize(blocks.len(), NO_EDGE);
    let mut reading = Reading { module, blocks, nodes, memory, incoming: blocks.incoming_edges() };
    for (at, block) in blocks.iter().enumerate() {
        let terminator = module.instruction(block.terminator);
        let condition = match terminator.op() {
            Some(Op::BranchConditional) => views::BranchConditional(terminator).condition(),
            Some(Op::Switch) => views::Switch(terminator).selector(),
            _ => continue,
        };
        let node = reading.node(condition, Path::default());
        reading.nodes.choices.push(Choice { block: at as u32, node });
    }
    let mut next = 0;
    while next < reading.nodes.len() {
        reading.expand(next);
        next += 1;
    }
    let Memory { keys, scalars, .. } = memory;
    keys.iter().for_each(|&(id, _)| scalars[id as usize] = 0);
}

impl Reading<'_, '_> {
    /// The node of an id or a part of it; new ones are expanded later.
    fn node(&mut self, id: u32, path: Path) -> u32 {
        let known = match path == Path::default() {
            true => self.memory.scalars.get(id as usize).and_then(|node| node.checked_sub(1)),
            false => self.memory.parts.get(&(id, path)).copied(),
        };
        if let Some(known) = known {
            return known;
        }
        let scalar = self.module.type_of(id).and_then(|type_id| scalar_in(self.module, type_id, path));
        // A value that is not a scalar is never visited again.
        let (scalar, kind) =
            scalar.map_or((Scalar::Bool, NodeKind::Overdefined), |scalar| (scalar, NodeKind::Copy));
        let number = self.nodes.add(scalar, kind);
        self.memory.keys.push((id, path));
        match path == Path::default() {
            true => self.memory.scalars[id as usize] = number + 1,
            false => drop(self.memory.parts.insert((id, path), number)),
        }
        number
    }

    fn expand(&mut self, at: usize) {
        let (scalar, (id, path)) = (self.nodes.scalar(at), self.memory.keys[at]);
        if self.nodes.kind(at) == NodeKind::Overdefined {
            return;
        }
        let first_input = self.nodes.inputs.len();
        let kind = match self.module.definition(id) {
            Some(inst) if self.module.is_global(id) => self.global(&inst, at, path, scalar),
            Some(inst) if inst.is(Op::Phi) => self.phi(views::Phi(inst), path),
            Some(inst) => inst.op().and_then(|op| self.operation(op, &inst, 3, path)),
            None => None,
        };
        self.nodes.define(at, scalar, kind, first_input);
        if self.nodes.scalar(at) != scalar {
            self.nodes.open.retain(|&(node, _)| node != at as u32);
        }
    }

    fn push(&mut self, id: u32, path: Path) {
        let node = self.node(id, path);
        self.nodes.inputs.push(Input { node, edge: NO_EDGE });
    }

    /// A copy of another value.
    fn copy(&mut self, id: u32, path: Path) -> Option<NodeKind> {
        self.push(id, path);
        Some(NodeKind::Copy)
    }

    fn global(&mut self, inst: &Instruction, at: usize, path: Path, scalar: Scalar) -> Option<NodeKind> {
        let open = (path == Path::default()).then_some((at as u32, self.memory.keys[at].0));
        let mut constant = |value: u64| {
            self.memory.constants.push((at as u32, value));
            Some(NodeKind::Constant)
        };
        match inst.op()? {
            Op::ConstantTrue => constant(1),
            Op::ConstantFalse | Op::ConstantNull => constant(0),
            Op::Constant => constant(scalar.literal(views::Constant(*inst).value())?),
            Op::ConstantComposite | Op::SpecConstantComposite => {
                let constituents = views::ConstantComposite(*inst).constituents();
                let constituent = *constituents.get(path.first()? as usize)?;
                self.copy(constituent, path.rest())
            }
            Op::ConstantCompositeReplicateEXT | Op::SpecConstantCompositeReplicateEXT => {
                path.first()?;
                self.copy(views::Value(*inst).operand(0), path.rest())
            }
            Op::SpecConstantOp => {
                self.nodes.open.extend(open);
                let op = views::SpecConstantOp(*inst).operation()?;
                self.operation(op, inst, 4, path)
            }
            Op::SpecConstantTrue
            | Op::SpecConstantFalse
            | Op::SpecConstant
            | Op::SpecConstantTargetINTEL
            | Op::SpecConstantArchitectureINTEL
            | Op::SpecConstantCapabilitiesINTEL => {
                self.nodes.open.extend(open);
                None
            }
            _ => None,
        }
    }

    fn phi(&mut self, phi: views::Phi, path: Path) -> Option<NodeKind> {
        let (module, blocks) = (self.module, self.blocks);
        let block = blocks.at(phi.offset())?;
        for (source, place) in blocks.predecessors(block).zip(blocks.incoming(block)) {
            self.memory.edge_from[source] = self.incoming[place];
        }
        for &[value, label] in phi.incoming() {
            let from = blocks.number(module, label);
            let edge = from.map_or(NO_EDGE, |from| self.memory.edge_from[from]);
            let node = self.node(value, path);
            self.nodes.inputs.push(Input { node, edge });
        }
        for source in blocks.predecessors(block) {
            self.memory.edge_from[source] = NO_EDGE;
        }
        Some(NodeKind::Phi)
    }

    /// An operation whose operands begin at word `first`: 3 in a body, 4 in OpSpecConstantOp.
    fn operation(&mut self, op: Op, inst: &Instruction, first: usize, path: Path) -> Option<NodeKind> {
        let module = self.module;
        let operand = |at: usize| Some(inst.word(first + at)).filter(|&id| id != 0 && id < module.bound());
        let whole = Path::default();
        match op {
            Op::CopyObject | Op::CopyLogical | Op::ExpectKHR => self.copy(operand(0)?, path),
            Op::CompositeExtract => self.copy(operand(0)?, path.inside(inst.words_from(first + 1))?),
            Op::CompositeInsert => {
                let indexes = inst.words_from(first + 2);
                match path.after(indexes) {
                    Some(rest) => self.copy(operand(0)?, rest),
                    None => self.copy(operand(1)?, path),
                }
            }
            Op::CompositeConstruct => self.constituent(views::CompositeConstruct(*inst), path),
            Op::VectorShuffle => {
                let component = inst.word(first + 2 + path.first()? as usize);
                let left = Vector::of_value(module, operand(0)?)?.count?;
                match component.checked_sub(left) {
                    None => self.copy(operand(0)?, whole.inside(&[component])?),
                    Some(component) => self.copy(operand(1)?, whole.inside(&[component])?),
                }
            }
            Op::VectorExtractDynamic => {
                let index = module.constant(operand(1)?)?.low_word();
                self.copy(operand(0)?, whole.inside(&[index])?)
            }
            Op::Select => {
                let of_vectors = Vector::of_value(module, operand(0)?).is_some();
                self.push(operand(0)?, if of_vectors { path } else { whole });
                self.push(operand(1)?, path);
                self.push(operand(2)?, path);
                Some(NodeKind::Operation(op))
            }
            Op::Any | Op::All => {
                let size = Vector::of_value(module, operand(0)?)?.few()?;
                for component in 0..size {
                    self.push(operand(0)?, whole.inside(&[component])?);
                }
                Some(NodeKind::Operation(op))
            }
            Op::Dot => {
                let size = Vector::of_value(module, operand(0)?)?.few()?;
                for component in 0..size {
                    let path = whole.inside(&[component])?;
                    self.push(operand(0)?, path);
                    self.push(operand(1)?, path);
                }
                Some(NodeKind::Operation(op))
            }
            Op::VectorTimesScalar => {
                self.push(operand(0)?, path);
                self.push(operand(1)?, whole);
                Some(NodeKind::Operation(Op::FMul))
            }
            Op::ExtInst => {
                let inst = views::ExtInst(*inst);
                let extended = Extended::of(module, inst)?;
                for &id in inst.operands().iter().take(3) {
                    self.push(id, path);
                }
                Some(NodeKind::Extended(extended))
            }
            _ => {
                let count = componentwise(op)?;
                for at in 0..count {
                    self.push(operand(at)?, path);
                }
                Some(NodeKind::Operation(op))
            }
        }
    }

    /// A part of the result of OpCompositeConstruct: the constituents of a vector may be vectors themselves.
    fn constituent(&mut self, inst: views::CompositeConstruct, path: Path) -> Option<NodeKind> {
        let module = self.module;
        let mut index = path.first()?;
        if Vector::of(module, inst.type_id()).is_some() {
            for &id in inst.constituents() {
                let (size, path) = match Vector::of_value(module, id) {
                    Some(vector) => (vector.count?, Path::default().inside(&[index])?),
                    None => (1, Path::default()),
                };
                match index.checked_sub(size) {
                    Some(rest) => index = rest,
                    None => return self.copy(id, path),
                }
            }
            return None;
        }
        self.copy(*inst.constituents().get(index as usize)?, path.rest())
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
