//! Reading of functions: the values that the conditions of their branches depend on, and how these are computed.

use std::collections::HashMap;

use spirv::Op;

use super::access::{AccessIndex, PartPath};
use super::arithmetic_rules::ArithmeticRules;
use super::extended::Extended;
use super::graph::FlowGraph;
use super::memory::PartPlace;
use super::module_scan::{ModuleScan, VariableWrite};
use super::nodes::{BranchChoice, NO_EDGE, NodeInput, NodeKind, Nodes};
use crate::analysis::Vector;
use crate::analysis::constants::folding::{Scalar, operand_count};
use crate::collections::IdMap;
use crate::loader::{Instruction, Module, views};

/// The origin of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum NodeOrigin {
    /// A value, by id, or a part of it.
    Value(u32),
    /// The contents of a variable before an instruction, by its offset.
    Before { function: u32, root: u32, offset: u32 },
    /// The contents of a variable where a block begins.
    Block { function: u32, root: u32, block: u32 },
    /// The contents of a variable where a function begins.
    Entry { function: u32, root: u32 },
    /// The contents of a variable where a function returns.
    Exit { function: u32, root: u32 },
    /// The contents that an OpCopyMemory copies, by its offset.
    Copied { function: u32, offset: u32 },
    /// A node with inputs from the beginning.
    Computed,
}

/// The maximum number of nodes for one word of the module. Beyond it, values are not followed.
const MAX_NODES_PER_WORD: usize = 1;
/// The minimum number of nodes that any module may have.
const MIN_NODES: usize = 1 << 12;

/// The maximum number of words of a function whose calls are read separately.
const MAX_SHORT: u32 = 128;
/// The maximum depth of calls that are read separately.
const MAX_CALL_DEPTH: u32 = 6;

/// A call of a short function that is read separately.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CallContext {
    /// The number of the context around the call.
    pub outer: u32,
    /// The offset of the call.
    pub call: u32,
    depth: u32,
}

/// The functions that are being read.
pub(super) struct FlowReader<'r, 'm> {
    pub module: &'r Module<'m>,
    pub scan: &'r ModuleScan<'r>,
    rules: ArithmeticRules,
    pub graph: FlowGraph,
    pub nodes: Nodes,
    /// The constants, each with its value.
    pub constants: Vec<(u32, u64)>,
    /// The origin of each node, the part of the origin, and the context.
    keys: Vec<(NodeOrigin, PartPath, u32)>,
    /// One more than the node of an id that is a scalar of no context, by id.
    scalars: Vec<u32>,
    /// The node of any other origin.
    numbers: HashMap<(NodeOrigin, PartPath, u32), u32>,
    /// Calls of short functions. Each is read as if the function's instructions were inlined. The first entry means that no call is
    /// inlined.
    contexts: Vec<CallContext>,
    /// The number of a context, by the context around the call and the call's offset.
    context_numbers: HashMap<(u32, u32), u32>,
    /// The context of the node that is expanded.
    context: u32,
    /// The functions that may change a Private variable, by variable.
    pub changers: IdMap<Vec<bool>>,
    /// The changes to a Private variable in order, by function of the graph and variable.
    pub private_writes: HashMap<(u32, u32), Vec<VariableWrite>>,
}

impl<'r, 'm> FlowReader<'r, 'm> {
    /// Finds all values that the conditions of branches depend on which constants may decide, without an [index](Nodes::index).
    pub fn new(module: &'r Module<'m>, scan: &'r ModuleScan<'r>) -> FlowReader<'r, 'm> {
        let mut reading = FlowReader {
            module,
            scan,
            rules: ArithmeticRules::new(module),
            graph: FlowGraph::new(module),
            nodes: Nodes::default(),
            constants: Vec::new(),
            keys: Vec::new(),
            scalars: vec![0; module.bound() as usize],
            numbers: HashMap::new(),
            contexts: vec![CallContext::default()],
            context_numbers: HashMap::new(),
            context: 0,
            changers: IdMap::new(),
            private_writes: HashMap::new(),
        };
        for (at, _) in scan.is_decidable.iter().enumerate().filter(|&(_, &decidable)| decidable) {
            reading.graph.add(module, scan, at as u32);
        }
        for number in 0..reading.graph.functions().len() {
            reading.read_choices(number);
        }
        let mut next = 0;
        while next < reading.nodes.len() {
            reading.expand(next);
            next += 1;
        }
        reading.graph.finish();
        let foreign =
            (0..reading.nodes.len() as u32).filter(|&node| reading.is_foreign(node as usize)).collect();
        reading.nodes.find_local(&reading.graph, foreign);
        reading
    }

    /// Returns true if a node comes from memory, a caller or a callee.
    fn is_foreign(&self, node: usize) -> bool {
        let is_call = |inst: Instruction| {
            matches!(inst.op(), Some(Op::Load | Op::FunctionCall | Op::FunctionParameter))
        };
        let from_elsewhere = match self.keys[node].0 {
            NodeOrigin::Value(id) => self.module.definition(id).is_some_and(is_call),
            NodeOrigin::Computed => false,
            _ => true,
        };
        from_elsewhere && self.nodes.kind(node) != NodeKind::Overdefined
    }

    /// Returns true if no more nodes are to be followed.
    pub fn is_full(&self) -> bool {
        self.nodes.len() > MIN_NODES.max(self.module.words().len() * MAX_NODES_PER_WORD)
    }

    fn read_choices(&mut self, number: usize) {
        let function = self.graph.get(number);
        if !self.scan.is_decidable[function.function as usize] {
            return;
        }
        for block in 0..function.blocks.len() {
            let terminator = self.module.instruction(self.graph.get(number).blocks.get(block).terminator);
            let condition = match terminator.op() {
                Some(Op::BranchConditional) => views::BranchConditional(terminator).condition(),
                Some(Op::Switch) => views::Switch(terminator).selector(),
                _ => continue,
            };
            let node = self.value(condition, PartPath::default());
            self.nodes.choices.push(BranchChoice {
                place: (number as u32, block as u32),
                node,
                is_local: true,
            });
        }
    }

    /// Returns the node of a value or of a part of it. New nodes are expanded later.
    pub fn value(&mut self, id: u32, path: PartPath) -> u32 {
        if self.module.is_global(id) && self.context != 0 {
            return self.in_context(0, |reading| reading.value(id, path));
        }
        if path.is_whole()
            && self.context == 0
            && let Some(known) = self.scalars.get(id as usize).and_then(|node| node.checked_sub(1))
        {
            return known;
        }
        let type_id = self.module.type_of(id);
        self.node(NodeOrigin::Value(id), path, type_id)
    }

    /// Returns the node of a part of something that has a type.
    pub fn node(&mut self, key: NodeOrigin, path: PartPath, type_id: Option<u32>) -> u32 {
        if let Some(&known) = self.numbers.get(&(key, path, self.context)) {
            return known;
        }
        let scalar = type_id.and_then(|type_id| path.scalar_in(self.module, type_id));
        // A value that is not a scalar is never visited again.
        let (scalar, kind) =
            scalar.map_or((Scalar::Bool, NodeKind::Overdefined), |scalar| (scalar, NodeKind::Copy));
        let number = self.add(scalar, kind, key, path);
        match key {
            NodeOrigin::Value(id)
                if path.is_whole() && self.context == 0 && (id as usize) < self.scalars.len() =>
            {
                self.scalars[id as usize] = number + 1;
            }
            _ => drop(self.numbers.insert((key, path, self.context), number)),
        }
        number
    }

    fn add(&mut self, scalar: Scalar, kind: NodeKind, key: NodeOrigin, path: PartPath) -> u32 {
        self.keys.push((key, path, self.context));
        self.nodes.add(scalar, kind)
    }

    /// Adds a value that is not followed.
    pub fn overdefined(&mut self, scalar: Scalar) -> u32 {
        self.add(scalar, NodeKind::Overdefined, NodeOrigin::Computed, PartPath::default())
    }

    /// Adds a constant.
    pub fn literal(&mut self, scalar: Scalar, value: u64) -> u32 {
        let node = self.add(scalar, NodeKind::Constant, NodeOrigin::Computed, PartPath::default());
        self.constants.push((node, scalar.mask(value)));
        node
    }

    /// Adds a value that is computed from others.
    pub fn computed(&mut self, scalar: Scalar, kind: NodeKind, inputs: &[u32]) -> u32 {
        let node = self.add(scalar, kind, NodeOrigin::Computed, PartPath::default());
        let inputs: Vec<NodeInput> = inputs.iter().map(|&node| NodeInput::new(node, NO_EDGE)).collect();
        self.nodes.define(node as usize, scalar, Some(kind), &inputs);
        node
    }

    fn expand(&mut self, at: usize) {
        let (scalar, (key, path, context)) = (self.nodes.scalar(at), self.keys[at]);
        if self.nodes.kind(at) == NodeKind::Overdefined || key == NodeOrigin::Computed {
            return;
        }
        self.context = context;
        // Inputs of other nodes may be added in between.
        let (kind, inputs) =
            if self.is_full() { (None, Vec::new()) } else { self.origin(at, key, path, scalar) };
        self.context = 0;
        self.nodes.define(at, scalar, kind, &inputs);
        if self.nodes.scalar(at) != scalar {
            self.nodes.open.retain(|&(node, _)| node != at as u32);
        }
    }

    /// Does something in another context.
    pub fn in_context<R>(&mut self, context: u32, work: impl FnOnce(&mut Self) -> R) -> R {
        let before = std::mem::replace(&mut self.context, context);
        let result = work(self);
        self.context = before;
        result
    }

    /// Returns the call that the current context is, and none for the values of all calls.
    pub fn current_call(&self) -> Option<CallContext> {
        (self.context != 0).then(|| self.contexts[self.context as usize])
    }

    /// Returns the context of a call of a function of the graph, if the function is short: one block without choices.
    pub fn context_of_call(&mut self, number: usize, call: u32) -> Option<u32> {
        let function = self.graph.get(number);
        let block = function.blocks.get(0);
        let ends = function.blocks.successors(0).next().is_none();
        let is_short = function.blocks.len() == 1 && ends && block.end - block.start <= MAX_SHORT;
        let outer = self.context;
        let depth = self.contexts[outer as usize].depth + 1;
        if !is_short || depth > MAX_CALL_DEPTH {
            return None;
        }
        let next = self.contexts.len() as u32;
        let number = *self.context_numbers.entry((outer, call)).or_insert(next);
        if number == next {
            self.contexts.push(CallContext { outer, call, depth });
        }
        Some(number)
    }

    /// Returns the kind and the inputs of a node.
    fn origin(
        &mut self,
        at: usize,
        key: NodeOrigin,
        path: PartPath,
        scalar: Scalar,
    ) -> (Option<NodeKind>, Vec<NodeInput>) {
        let mut inputs = Vec::new();
        let kind = match key {
            NodeOrigin::Value(id) => self.origin_of_value(&mut inputs, at, id, path, scalar),
            NodeOrigin::Computed => None,
            _ => self.origin_in_memory(&mut inputs, key, path, scalar),
        };
        let id = if let NodeOrigin::Value(id) = key { Some(id) } else { None };
        let operands = inputs.iter().map(|input| self.nodes.scalar(input.node as usize));
        (kind.filter(|&kind| !self.rules.apply(id, kind, scalar, operands)), inputs)
    }

    fn origin_of_value(
        &mut self,
        inputs: &mut Vec<NodeInput>,
        at: usize,
        id: u32,
        path: PartPath,
        scalar: Scalar,
    ) -> Option<NodeKind> {
        let inst = self.module.definition(id)?;
        if self.module.is_global(id) {
            return self.global(inputs, &inst, (at, id), path, scalar);
        }
        match inst.op()? {
            Op::Phi => self.phi(inputs, views::Phi(inst), path),
            Op::Load => {
                let load = views::Load(inst);
                let node = self.loaded(load.pointer(), inst.offset(), path)?;
                self.push_node(inputs, node)
            }
            Op::FunctionCall => self.result(inputs, views::FunctionCall(inst), path),
            Op::FunctionParameter => self.parameter(inputs, id, path, scalar),
            op => self.operation(inputs, op, &inst, 3, path),
        }
    }

    fn push(&mut self, inputs: &mut Vec<NodeInput>, id: u32, path: PartPath) {
        let node = self.value(id, path);
        inputs.push(NodeInput::new(node, NO_EDGE));
    }

    /// Makes a copy of another value.
    fn copy(&mut self, inputs: &mut Vec<NodeInput>, id: u32, path: PartPath) -> Option<NodeKind> {
        self.push(inputs, id, path);
        Some(NodeKind::Copy)
    }

    /// Makes a copy of a node.
    pub fn push_node(&mut self, inputs: &mut Vec<NodeInput>, node: u32) -> Option<NodeKind> {
        inputs.push(NodeInput::new(node, NO_EDGE));
        Some(NodeKind::Copy)
    }

    /// Returns the result of a call: that of this call if the callee is short, else the joined result of all calls.
    fn result(
        &mut self,
        inputs: &mut Vec<NodeInput>,
        call: views::FunctionCall,
        path: PartPath,
    ) -> Option<NodeKind> {
        let callee = self.module.function_index(call.callee())?;
        let number = self.graph.add(self.module, self.scan, callee as u32)?;
        let context = self.context_of_call(number, call.offset());
        for at in 0..self.graph.returns(number).len() {
            let function = self.graph.get(number);
            let (block, edge) = self.graph.returns(number)[at];
            let terminator = self.module.instruction(function.blocks.get(block as usize).terminator);
            let value = views::ReturnValue::new(terminator)?.value();
            let node = self.in_context(context.unwrap_or(0), |reading| reading.value(value, path));
            if context.is_some() {
                return self.push_node(inputs, node);
            }
            inputs.push(NodeInput::new(node, edge));
        }
        Some(NodeKind::Phi)
    }

    /// Returns the value of a parameter: the argument of a call that is read separately, or the joined arguments of all calls.
    fn parameter(
        &mut self,
        inputs: &mut Vec<NodeInput>,
        id: u32,
        path: PartPath,
        scalar: Scalar,
    ) -> Option<NodeKind> {
        let function = self.module.function_of(id)?;
        let mut parameters = self.module.parameters(&self.module.functions()[function]);
        let place = parameters.position(|parameter| views::FunctionParameter(parameter).id() == id)?;
        if let Some(CallContext { outer, call, .. }) = self.current_call() {
            let call = views::FunctionCall(self.module.instruction(call));
            let argument = *call.arguments().get(place)?;
            let node = self.in_context(outer, |reading| reading.value(argument, path));
            return self.push_node(inputs, node);
        }
        let number = self.graph.add(self.module, self.scan, function as u32)?;
        if let Some((edge, _)) = self.graph.get(number).entered {
            let node = self.overdefined(scalar);
            inputs.push(NodeInput::new(node, edge));
        }
        for at in 0..self.graph.get(number).calls.len() {
            let (call, edge) = self.graph.get(number).calls[at];
            let call = views::FunctionCall(self.module.instruction(call.offset));
            let node = self.value(*call.arguments().get(place)?, path);
            inputs.push(NodeInput::new(node, edge));
        }
        Some(NodeKind::Phi)
    }

    fn global(
        &mut self,
        inputs: &mut Vec<NodeInput>,
        inst: &Instruction,
        (at, id): (usize, u32),
        path: PartPath,
        scalar: Scalar,
    ) -> Option<NodeKind> {
        let open = path.is_whole().then_some((at as u32, id));
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
                self.copy(inputs, constituent, path.rest())
            }
            Op::ConstantCompositeReplicateEXT | Op::SpecConstantCompositeReplicateEXT => {
                path.first()?;
                self.copy(inputs, views::Value(*inst).operand(0), path.rest())
            }
            Op::SpecConstantOp => {
                self.nodes.open.extend(open);
                let op = views::SpecConstantOp(*inst).operation()?;
                self.operation(inputs, op, inst, 4, path)
            }
            _ => {
                self.nodes.open.extend(open.filter(|_| inst.is_open_constant()));
                None
            }
        }
    }

    fn phi(&mut self, inputs: &mut Vec<NodeInput>, phi: views::Phi, path: PartPath) -> Option<NodeKind> {
        let module = self.module;
        let number = self.graph.number(module.function_of(phi.id())? as u32)?;
        let block = self.graph.get(number).blocks.at(phi.offset())?;
        for &[value, label] in phi.incoming() {
            let function = self.graph.get(number);
            let from = function.blocks.number(module, label);
            let edge = from.and_then(|from| function.edge_between(from, block));
            let node = self.value(value, path);
            inputs.push(NodeInput::new(node, edge.unwrap_or(NO_EDGE)));
        }
        Some(NodeKind::Phi)
    }

    /// Reads an operation whose operands begin at word `first`: 3 in a body, 4 in OpSpecConstantOp.
    fn operation(
        &mut self,
        inputs: &mut Vec<NodeInput>,
        op: Op,
        inst: &Instruction,
        first: usize,
        path: PartPath,
    ) -> Option<NodeKind> {
        let module = self.module;
        let operand = |at: usize| Some(inst.word(first + at)).filter(|&id| id != 0 && id < module.bound());
        let whole = PartPath::default();
        match op {
            Op::CopyObject | Op::CopyLogical | Op::ExpectKHR => self.copy(inputs, operand(0)?, path),
            Op::CompositeExtract => self.copy(inputs, operand(0)?, path.inside(inst.words_from(first + 1))?),
            Op::CompositeInsert => {
                let indexes = inst.words_from(first + 2);
                match path.after(indexes) {
                    Some(rest) => self.copy(inputs, operand(0)?, rest),
                    None => self.copy(inputs, operand(1)?, path),
                }
            }
            Op::CompositeConstruct => self.constituent(inputs, views::CompositeConstruct(*inst), path),
            Op::VectorShuffle => {
                let component = inst.word(first + 2 + path.first()? as usize);
                let left = Vector::from_value(module, operand(0)?)?.count?;
                match component.checked_sub(left) {
                    None => self.copy(inputs, operand(0)?, whole.inside(&[component])?),
                    Some(component) => self.copy(inputs, operand(1)?, whole.inside(&[component])?),
                }
            }
            Op::VectorExtractDynamic => {
                let index = self.index(operand(1)?);
                let node = self.element(PartPlace::Value(operand(0)?), &[index], path)?;
                self.push_node(inputs, node)
            }
            Op::Select => {
                let of_vectors = Vector::from_value(module, operand(0)?).is_some();
                self.push(inputs, operand(0)?, if of_vectors { path } else { whole });
                self.push(inputs, operand(1)?, path);
                self.push(inputs, operand(2)?, path);
                Some(NodeKind::Operation(op))
            }
            Op::VectorInsertDynamic => {
                let scalar = path.scalar_in(module, inst.result_type()?)?;
                let component = path.first()?;
                let [before, inserted] =
                    [(operand(0)?, path), (operand(1)?, whole)].map(|(id, path)| self.value(id, path));
                let node = match self.index(operand(2)?) {
                    AccessIndex::Literal(index) if index == component => inserted,
                    AccessIndex::Literal(_) => before,
                    AccessIndex::Value(index) => self.replaced(scalar, index, component, inserted, before)?,
                };
                self.push_node(inputs, node)
            }
            Op::CompositeConstructReplicateEXT => {
                path.first()?;
                self.copy(inputs, operand(0)?, path.rest())
            }
            Op::IAddCarry | Op::ISubBorrow | Op::UMulExtended | Op::SMulExtended => {
                let member = path.first()?;
                for at in 0..2 {
                    self.push(inputs, operand(at)?, path.rest());
                }
                Some(NodeKind::Operation(match (op, member) {
                    (Op::IAddCarry, 0) => Op::IAdd,
                    (Op::ISubBorrow, 0) => Op::ISub,
                    (Op::UMulExtended | Op::SMulExtended, 0) => Op::IMul,
                    (op, _) => op,
                }))
            }
            Op::Any | Op::All => {
                let size = Vector::from_value(module, operand(0)?)?.few()?;
                for component in 0..size {
                    self.push(inputs, operand(0)?, whole.inside(&[component])?);
                }
                Some(NodeKind::Operation(op))
            }
            Op::Dot => {
                let size = Vector::from_value(module, operand(0)?)?.few()?;
                self.dot(inputs, [operand(0)?, operand(1)?], size, |at| [vec![at], vec![at]])
            }
            Op::MatrixTimesVector => {
                let (row, size) = (path.first()?, Vector::from_value(module, operand(1)?)?.few()?);
                self.dot(inputs, [operand(0)?, operand(1)?], size, |at| [vec![at, row], vec![at]])
            }
            Op::VectorTimesMatrix => {
                let (column, size) = (path.first()?, Vector::from_value(module, operand(0)?)?.few()?);
                self.dot(inputs, [operand(0)?, operand(1)?], size, |at| [vec![at], vec![column, at]])
            }
            Op::MatrixTimesMatrix => {
                let (column, row) = (path.first()?, path.rest().first()?);
                let size = self.element_count(module.type_of(operand(0)?)?)?;
                self.dot(inputs, [operand(0)?, operand(1)?], size, |at| [vec![at, row], vec![column, at]])
            }
            Op::Transpose => {
                let (column, row) = (path.first()?, path.rest().first()?);
                self.copy(inputs, operand(0)?, whole.inside(&[row, column])?)
            }
            Op::VectorTimesScalar | Op::MatrixTimesScalar => {
                self.push(inputs, operand(0)?, path);
                self.push(inputs, operand(1)?, whole);
                Some(NodeKind::Operation(Op::FMul))
            }
            Op::ExtInst => {
                let inst = views::ExtInst(*inst);
                let (extended, path) = Extended::new(module, inst, path)?;
                for &id in inst.operands().iter().take(3) {
                    self.push(inputs, id, path);
                }
                Some(NodeKind::Extended(extended))
            }
            _ => {
                let count = operand_count(op)?;
                for at in 0..count {
                    // The offset and the count of a bit field are scalars.
                    let is_shared = count > 2 && at + 2 >= count;
                    self.push(inputs, operand(at)?, if is_shared { whole } else { path });
                }
                Some(NodeKind::Operation(op))
            }
        }
    }

    /// Returns the sum of the products of some components of two values, as OpDot computes it. `components` has their indexes.
    fn dot(
        &mut self,
        inputs: &mut Vec<NodeInput>,
        values: [u32; 2],
        count: u32,
        components: impl Fn(u32) -> [Vec<u32>; 2],
    ) -> Option<NodeKind> {
        for at in 0..count {
            for (id, indexes) in values.into_iter().zip(components(at)) {
                self.push(inputs, id, PartPath::default().inside(&indexes)?);
            }
        }
        Some(NodeKind::Operation(Op::Dot))
    }

    /// Reads a part of the result of OpCompositeConstruct: the constituents of a vector may be vectors themselves.
    fn constituent(
        &mut self,
        inputs: &mut Vec<NodeInput>,
        inst: views::CompositeConstruct,
        path: PartPath,
    ) -> Option<NodeKind> {
        let module = self.module;
        let mut index = path.first()?;
        if Vector::from_type(module, inst.type_id()).is_some() {
            for &id in inst.constituents() {
                let (size, path) = match Vector::from_value(module, id) {
                    Some(vector) => (vector.count?, PartPath::default().inside(&[index])?),
                    None => (1, PartPath::default()),
                };
                match index.checked_sub(size) {
                    Some(rest) => index = rest,
                    None => return self.copy(inputs, id, path),
                }
            }
            return None;
        }
        self.copy(inputs, *inst.constituents().get(index as usize)?, path.rest())
    }
}
