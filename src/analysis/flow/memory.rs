//! Values in memory: the contents of variables where they are read.
//!
//! A load has the value that the last change before it left. The change is searched for backward: in the load's block, then in the
//! preceding blocks, whose values join as in an OpPhi, and in callers and callees. Variables whose pointers have other uses than loads,
//! stores, copies and arguments hold unknown values ([`ModuleScan`](super::module_scan::ModuleScan)).

use spirv::{Op, StorageClass};

use super::access::{Access, AccessIndex, PartPath};
use super::graph::FunctionGraph;
use super::module_scan::{EntryKind, VariableWrite, WriteKind};
use super::nodes::{NodeInput, NodeKind};
use super::reading::{CallContext, FlowReader, NodeOrigin};
use crate::analysis::constants::folding::Scalar;
use crate::collections::sort_by_key;
use crate::loader::views;

/// The maximum number of elements of an array or vector that is indexed by a value.
const MAX_ELEMENTS: u32 = 256;
/// The maximum number of changes and blocks that are examined for one value.
const MAX_STEPS: usize = 1 << 10;

/// Memory with parts.
#[derive(Clone, Copy)]
pub(super) enum PartPlace {
    /// A value, by id.
    Value(u32),
    /// A variable before an instruction: its function in the graph, its id, and the offset.
    Memory(usize, u32, u32),
}

/// The value of a part of a variable after a change.
enum WrittenValue {
    /// The change leaves the part alone.
    Unaffected,
    /// The node.
    Value(u32),
    /// The value is not followed.
    Unknown,
}

impl FlowReader<'_, '_> {
    /// Returns the node of a part of the value that a load at an offset reads.
    pub fn loaded(&mut self, pointer: u32, offset: u32, path: PartPath) -> Option<u32> {
        let access = Access::new(self.module, pointer)?;
        let place = match self.scan.followed(pointer) {
            Some(root) => {
                let functions = self.module.functions();
                let function =
                    functions.partition_point(|function| function.start <= offset).checked_sub(1)?;
                let number = self.graph.add(self.module, self.scan, function as u32)?;
                PartPlace::Memory(number, root, offset)
            }
            None => PartPlace::Value(self.constant_memory(access.root)?),
        };
        self.element(place, &access.indexes, path)
    }

    /// Returns the initializer of a variable that nothing changes.
    fn constant_memory(&self, variable: u32) -> Option<u32> {
        let variable = views::Variable::new(self.module.definition(variable)?)?;
        (variable.storage_class() == StorageClass::UniformConstant as u32).then(|| variable.initializer())?
    }

    /// Returns an index of an access.
    pub fn index(&self, id: u32) -> AccessIndex {
        self.module
            .constant(id)
            .map_or(AccessIndex::Value(id), |constant| AccessIndex::Literal(constant.low_word()))
    }

    /// Returns the type of a place.
    fn type_of(&self, place: PartPlace) -> Option<u32> {
        match place {
            PartPlace::Value(id) => self.module.type_of(id),
            PartPlace::Memory(_, root, _) => self.pointee(root),
        }
    }

    fn pointee(&self, root: u32) -> Option<u32> {
        self.module.pointee(self.module.type_of(root)?)
    }

    /// Returns the node of a part of the element of a place that indexes lead to.
    pub fn element(&mut self, place: PartPlace, indexes: &[AccessIndex], path: PartPath) -> Option<u32> {
        if self.is_full() {
            return None;
        }
        let mut type_id = self.type_of(place)?;
        let mut literals = Vec::new();
        for (at, &index) in indexes.iter().enumerate() {
            match index {
                AccessIndex::Literal(literal) => literals.push(literal),
                AccessIndex::Value(index) => {
                    let count = self.element_count(type_id)?;
                    let mut inputs = vec![self.value(index, PartPath::default())];
                    for element in 0..count {
                        let mut indexes = indexes.to_vec();
                        indexes[at] = AccessIndex::Literal(element);
                        inputs.push(self.element(place, &indexes, path)?);
                    }
                    let scalar = self.nodes.scalar(*inputs.last()? as usize);
                    return Some(self.computed(scalar, NodeKind::Element, &inputs));
                }
            }
            type_id = self.module.part_type(type_id, *literals.last()?)?;
        }
        let path = path.inside(&literals)?;
        match place {
            PartPlace::Value(id) => Some(self.value(id, path)),
            PartPlace::Memory(number, root, offset) => self.before(number, root, offset, path),
        }
    }

    /// Returns the number of elements of an array, vector or matrix, if it is small.
    pub fn element_count(&self, type_id: u32) -> Option<u32> {
        let type_ = self.module.definition(type_id)?;
        let count = match type_.op()? {
            Op::TypeArray => self.module.constant(views::TypeArray(type_).length())?.low_word(),
            Op::TypeVector => views::TypeVector(type_).component_count(),
            Op::TypeMatrix => views::TypeMatrix(type_).column_count(),
            _ => return None,
        };
        (1..=MAX_ELEMENTS).contains(&count).then_some(count)
    }

    /// Returns one of two nodes: `equal` where an index has a value, and else `other`.
    pub fn replaced(
        &mut self,
        scalar: Scalar,
        index: u32,
        value: u32,
        equal: u32,
        other: u32,
    ) -> Option<u32> {
        let index = self.value(index, PartPath::default());
        let literal = self.literal(self.nodes.scalar(index as usize), value.into());
        let condition = self.computed(Scalar::Bool, NodeKind::Operation(Op::IEqual), &[index, literal]);
        Some(self.computed(scalar, NodeKind::Operation(Op::Select), &[condition, equal, other]))
    }

    /// Returns the node of a part of a variable before an instruction.
    fn before(&mut self, number: usize, root: u32, offset: u32, path: PartPath) -> Option<u32> {
        self.prepare_writes(number, root);
        let mut offset = offset;
        for _ in 0..MAX_STEPS {
            let function = self.graph.get(number);
            let writes = self.writes(number, root);
            let block = function.blocks.at(offset)?;
            let start = function.blocks.get(block).start;
            let last = writes[..writes.partition_point(|write| write.offset < offset)].last().copied();
            match last.filter(|write| write.offset > start) {
                Some(write) => match self.written(number, &write, path)? {
                    WrittenValue::Unaffected => offset = write.offset,
                    WrittenValue::Value(node) => return Some(node),
                    WrittenValue::Unknown => return None,
                },
                None if block == 0 => return Some(self.initial(number, root, path)),
                None => match only_source(function, writes, block) {
                    Some(source) => offset = function.blocks.get(source).terminator,
                    None => {
                        let key = NodeOrigin::Block { function: number as u32, root, block: block as u32 };
                        return Some(self.node(key, path, self.pointee(root)));
                    }
                },
            }
        }
        None
    }

    /// Returns the value of a part of a variable after a change.
    fn written(&mut self, number: usize, write: &VariableWrite, path: PartPath) -> Option<WrittenValue> {
        let VariableWrite { root, offset, kind } = *write;
        let inst = self.module.instruction(offset);
        let value = match kind {
            WriteKind::Unknown => return Some(WrittenValue::Unknown),
            WriteKind::Called { callee } => {
                return self.exit(callee, offset, root, path).map(WrittenValue::Value);
            }
            WriteKind::Passed { callee, parameter } if self.scan.changes(parameter) => {
                return self.exit(callee, offset, parameter, path).map(WrittenValue::Value);
            }
            WriteKind::Passed { .. } => return Some(WrittenValue::Unaffected),
            WriteKind::Store => NodeOrigin::Value(views::Store(inst).object()),
            WriteKind::Copy => NodeOrigin::Copied { function: number as u32, offset },
        };
        let pointer =
            if inst.is(Op::Store) { views::Store(inst).pointer() } else { views::CopyMemory(inst).target() };
        let access = Access::new(self.module, pointer)?;
        let (mut rest, mut chosen) = (path, None);
        for &index in &access.indexes {
            let Some(component) = rest.first() else { return Some(WrittenValue::Unknown) };
            match index {
                AccessIndex::Literal(literal) if literal == component => {}
                AccessIndex::Literal(_) => return Some(WrittenValue::Unaffected),
                AccessIndex::Value(_) if chosen.is_some() => return Some(WrittenValue::Unknown),
                AccessIndex::Value(index) => chosen = Some((index, component)),
            }
            rest = rest.rest();
        }
        let type_id = self.module.pointee(self.module.type_of(pointer)?);
        let node = match value {
            NodeOrigin::Value(id) => self.value(id, rest),
            key => self.node(key, rest, type_id),
        };
        let Some((index, component)) = chosen else { return Some(WrittenValue::Value(node)) };
        let scalar = path.scalar_in(self.module, self.pointee(root)?)?;
        let key = NodeOrigin::Before { function: number as u32, root, offset };
        let other = self.node(key, path, self.pointee(root));
        self.replaced(scalar, index, component, node, other).map(WrittenValue::Value)
    }

    /// Returns the node of a variable's contents where a call returns.
    fn exit(&mut self, callee: u32, call: u32, root: u32, path: PartPath) -> Option<u32> {
        let number = self.graph.add(self.module, self.scan, callee)?;
        let key = NodeOrigin::Exit { function: number as u32, root };
        let (context, type_id) = (self.context_of_call(number, call).unwrap_or(0), self.pointee(root));
        Some(self.in_context(context, |reading| reading.node(key, path, type_id)))
    }

    /// Returns the node of a variable's contents at the start of its function. Other roots have a node for each function that
    /// sees them.
    fn initial(&mut self, number: usize, root: u32, path: PartPath) -> u32 {
        let variable = self.module.definition(root).and_then(views::Variable::new);
        match variable {
            Some(variable) if !self.module.is_global(root) => self.initializer(variable, path),
            _ => {
                let key = NodeOrigin::Entry { function: number as u32, root };
                self.node(key, path, self.pointee(root))
            }
        }
    }

    fn initializer(&mut self, variable: views::Variable, path: PartPath) -> u32 {
        match variable.initializer() {
            Some(initializer) => self.value(initializer, path),
            None => {
                let type_id = self.module.pointee(variable.type_id());
                let scalar = type_id.and_then(|type_id| path.scalar_in(self.module, type_id));
                self.overdefined(scalar.unwrap_or(Scalar::Bool))
            }
        }
    }

    /// Returns the kind of a node in memory, and adds its inputs.
    pub fn origin_in_memory(
        &mut self,
        inputs: &mut Vec<NodeInput>,
        key: NodeOrigin,
        path: PartPath,
        scalar: Scalar,
    ) -> Option<NodeKind> {
        match key {
            NodeOrigin::Before { function, root, offset } => {
                let node = self.before(function as usize, root, offset, path)?;
                self.push_node(inputs, node)
            }
            NodeOrigin::Copied { offset, .. } => {
                let copy = views::CopyMemory(self.module.instruction(offset));
                let node = self.loaded(copy.source(), offset, path)?;
                self.push_node(inputs, node)
            }
            NodeOrigin::Block { function, root, block } => {
                let (number, block) = (function as usize, block as usize);
                let sources: Vec<usize> = self.graph.get(number).blocks.predecessors(block).collect();
                for source in sources {
                    let function = self.graph.get(number);
                    let edge = function.edge_between(source, block)?;
                    let end = function.blocks.get(source).terminator;
                    self.push_before(inputs, number, root, end, path, edge, scalar);
                }
                Some(NodeKind::Phi)
            }
            NodeOrigin::Exit { function, root } => {
                let number = function as usize;
                for at in 0..self.graph.returns(number).len() {
                    let (block, edge) = self.graph.returns(number)[at];
                    let end = self.graph.get(number).blocks.get(block as usize).terminator;
                    self.push_before(inputs, number, root, end, path, edge, scalar);
                }
                Some(NodeKind::Phi)
            }
            NodeOrigin::Entry { function, root } => {
                self.at_entry(inputs, function as usize, root, path, scalar)
            }
            NodeOrigin::Value(_) | NodeOrigin::Computed => None,
        }
    }

    /// Adds the contents of a variable before an instruction, as the input for an edge.
    #[expect(clippy::too_many_arguments)]
    fn push_before(
        &mut self,
        inputs: &mut Vec<NodeInput>,
        number: usize,
        root: u32,
        offset: u32,
        path: PartPath,
        edge: u32,
        scalar: Scalar,
    ) {
        let node = self.before(number, root, offset, path).unwrap_or_else(|| self.overdefined(scalar));
        inputs.push(NodeInput::new(node, edge));
    }

    /// Adds the values that callers leave in a Private variable, or behind a parameter, before they call a function.
    fn at_entry(
        &mut self,
        inputs: &mut Vec<NodeInput>,
        number: usize,
        root: u32,
        path: PartPath,
        scalar: Scalar,
    ) -> Option<NodeKind> {
        let variable = self.module.definition(root).and_then(views::Variable::new);
        let place = || {
            let function = &self.module.functions()[self.graph.get(number).function as usize];
            let mut parameters = self.module.parameters(function);
            parameters.position(|parameter| views::FunctionParameter(parameter).id() == root)
        };
        let place = if variable.is_some() { None } else { Some(place()?) };
        if let Some(CallContext { outer, call, .. }) = self.current_call() {
            let arguments = views::FunctionCall(self.module.instruction(call)).arguments();
            let passed = place.map_or(Some(root), |place| arguments.get(place).copied())?;
            let functions = self.module.functions();
            let caller = functions.partition_point(|function| function.start <= call).checked_sub(1)?;
            let caller = self.graph.number(caller as u32)?;
            let node = self.in_context(outer, |reading| reading.before(caller, passed, call, path))?;
            return self.push_node(inputs, node);
        }
        if let Some((edge, entry)) = self.graph.get(number).entered {
            let node = match variable {
                Some(variable) if entry == EntryKind::Start => self.initializer(variable, path),
                _ => self.overdefined(scalar),
            };
            inputs.push(NodeInput::new(node, edge));
        }
        for at in 0..self.graph.get(number).calls.len() {
            let (call, edge) = self.graph.get(number).calls[at];
            let arguments = views::FunctionCall(self.module.instruction(call.offset)).arguments();
            let passed = place.map_or(Some(root), |place| arguments.get(place).copied())?;
            let caller = self.graph.number(call.caller)?;
            self.push_before(inputs, caller, passed, call.offset, path, edge, scalar);
        }
        Some(NodeKind::Phi)
    }

    /// Finds the changes to a Private variable in a function, once.
    fn prepare_writes(&mut self, number: usize, root: u32) {
        let key = (number as u32, root);
        if !self.module.is_global(root) || self.private_writes.contains_key(&key) {
            return;
        }
        let (module, scan) = (self.module, self.scan);
        let changers = self.changers.entry(root).or_insert_with(|| scan.changers(module, root));
        let function = self.graph.get(number);
        let source = &module.functions()[function.function as usize];
        let mut writes = self.graph.writes(number, root).to_vec();
        let calls = scan.calls.calls_in(function.function as usize).iter();
        for call in calls.filter(|call| changers[call.callee as usize]) {
            writes.push(VariableWrite {
                root,
                offset: call.offset,
                kind: WriteKind::Called { callee: call.callee },
            });
        }
        let unknown = scan.unknown_calls_in(source).iter();
        writes.extend(unknown.map(|&offset| VariableWrite { root, offset, kind: WriteKind::Unknown }));
        sort_by_key(&mut writes, |write| write.offset);
        self.private_writes.insert(key, writes);
    }

    /// Returns the changes to a variable in a function, in order.
    fn writes(&self, number: usize, root: u32) -> &[VariableWrite] {
        match self.private_writes.get(&(number as u32, root)) {
            Some(writes) => writes,
            None => self.graph.writes(number, root),
        }
    }
}

/// Returns the block whose end leaves a variable with its contents at the beginning of another block, if this is easy to see.
fn only_source(function: &FunctionGraph, writes: &[VariableWrite], block: usize) -> Option<usize> {
    let blocks = &function.blocks;
    if writes.last().is_none_or(|write| write.offset < blocks.get(0).end) {
        return Some(0);
    }
    let mut sources = blocks.predecessors(block);
    let source = sources.next().filter(|&source| source < block)?;
    sources.next().is_none().then_some(source)
}
