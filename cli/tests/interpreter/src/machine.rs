//! The run of an entry point: calls, branches, and access to memory.

use std::collections::{BTreeMap, HashMap};

use spirv::{BuiltIn, Decoration, GlslStd450Op, Op, StorageClass};

use super::globals::{GlobalVariable, ModuleValues};
use super::instructions::evaluate;
use super::layout::BufferLayout;
use super::memory::VariableMemory;
use super::program::{FunctionBody, Id, ParsedInstruction, RunnableFunction, RunnableModule};
use super::values::{Pointer, ValueTree, ValueType};
use super::{InterfaceSlot, Interpreted, RunInputs, RunResults, arithmetic, glsl, unsupported};

/// The number of calls that may be open.
const MAX_CALLS: usize = 64;

/// A call.
struct Frame<'p> {
    function: &'p FunctionBody,
    block: usize,
    /// The number of the next instruction of the block.
    next: usize,
    values: HashMap<Id, ValueTree>,
    variables: Vec<u64>,
    /// The result of the call in the caller.
    result: Id,
}

/// A variable of the interface.
struct Bound {
    slot: InterfaceSlot,
    /// The type of its value.
    of: Id,
    pointer: Pointer,
}

pub struct Invocation<'p> {
    program: &'p RunnableModule,
    inputs: &'p RunInputs,
    globals: ModuleValues,
    /// Pointers to variables outside of functions.
    variables: HashMap<Id, Pointer>,
    memory: VariableMemory,
    frames: Vec<Frame<'p>>,
    /// The result of the outermost call.
    returned: Option<ValueTree>,
    steps: usize,
}

impl<'p> Invocation<'p> {
    pub fn new(program: &'p RunnableModule, inputs: &'p RunInputs) -> Interpreted<Invocation<'p>> {
        Ok(Invocation {
            program,
            inputs,
            globals: ModuleValues::new(program, &inputs.constants)?,
            variables: HashMap::new(),
            memory: VariableMemory::default(),
            frames: Vec::new(),
            returned: None,
            steps: 0,
        })
    }

    /// Returns the slots that need bytes, with sizes.
    pub fn slots(&self, entry_point: &str, elements: usize) -> Interpreted<Vec<(InterfaceSlot, usize)>> {
        let layout = self.layout();
        let variables = self.globals.variables.iter();
        let variables = variables.filter_map(|variable| Some((self.slot(variable)?, variable.of)));
        let mut slots = BTreeMap::new();
        for (slot, of) in variables {
            // Those of opaque types have none.
            if let (false, Ok(size)) = (is_output(slot), layout.size(of, elements)) {
                slots.insert(slot, size);
            }
        }
        for (slot, of, is_buffer) in self.arguments(self.entry_point(entry_point)?)? {
            let size = layout.size(of, elements)?;
            slots.insert(slot, if is_buffer { size * elements } else { size });
        }
        Ok(slots.into_iter().collect())
    }

    /// Runs an entry point to its end.
    pub fn run(mut self, entry_point: &str) -> Interpreted<RunResults> {
        let mut bound = self.variables()?;
        let entry_point = self.entry_point(entry_point)?;
        let mut arguments = Vec::new();
        for (slot, of, is_buffer) in self.arguments(entry_point)? {
            let bytes = self.bytes(slot)?;
            if !is_buffer {
                arguments.push(self.layout().read(of, bytes)?);
                continue;
            }
            let size = self.layout().size(of, 0)?.max(1);
            let elements = bytes.chunks_exact(size).map(|chunk| self.layout().read(of, chunk));
            let elements = ValueTree::Composite(elements.collect::<Interpreted<_>>()?);
            let mut pointer = self.memory.allocate(elements);
            bound.push(Bound { slot, of, pointer: pointer.clone() });
            pointer.path.push(0);
            arguments.push(ValueTree::Pointer(pointer));
        }
        self.call(entry_point.function, arguments, 0)?;
        while !self.frames.is_empty() {
            self.steps += 1;
            if self.steps > self.inputs.max_steps {
                return unsupported("a run of so many steps");
            }
            self.step()?;
        }
        self.results(&bound)
    }

    fn entry_point(&self, name: &str) -> Interpreted<&'p RunnableFunction> {
        match self.program.entry_points.iter().find(|entry_point| entry_point.name == name) {
            Some(entry_point) => Ok(entry_point),
            None => unsupported(format!("no entry point `{name}`")),
        }
    }

    fn layout(&self) -> BufferLayout<'_> {
        BufferLayout { program: self.program, globals: &self.globals }
    }

    /// Returns the slots of the parameters of an entry point with their types; for a buffer, the type of its elements.
    fn arguments(&self, entry_point: &RunnableFunction) -> Interpreted<Vec<(InterfaceSlot, Id, bool)>> {
        let Some(function) = self.program.functions.get(&entry_point.function) else {
            return unsupported("an entry point without a body");
        };
        let argument = |(number, parameter): (usize, &ParsedInstruction)| {
            let slot = InterfaceSlot::Argument(number as u32);
            Ok(match self.globals.type_of(parameter.result_type)? {
                ValueType::Pointer(of) => (slot, *of, true),
                _ => (slot, parameter.result_type, false),
            })
        };
        function.parameters.iter().enumerate().map(argument).collect()
    }

    /// Returns the part of the interface that a variable is.
    fn slot(&self, variable: &GlobalVariable) -> Option<InterfaceSlot> {
        let decoration = |kind| self.program.decoration(variable.id, None, kind);
        let component = decoration(Decoration::Component).unwrap_or(0);
        match variable.class {
            StorageClass::PushConstant => Some(InterfaceSlot::PushConstants),
            StorageClass::Input => Some(InterfaceSlot::Input(decoration(Decoration::Location)?, component)),
            StorageClass::Output => match decoration(Decoration::Location) {
                Some(location) => Some(InterfaceSlot::Output(location, component)),
                None => Some(InterfaceSlot::BuiltIn(decoration(Decoration::BuiltIn)?)),
            },
            StorageClass::StorageBuffer | StorageClass::Uniform => {
                let set = decoration(Decoration::DescriptorSet)?;
                Some(InterfaceSlot::Buffer(set, decoration(Decoration::Binding)?))
            }
            _ => None,
        }
    }

    fn bytes(&self, slot: InterfaceSlot) -> Interpreted<&'p [u8]> {
        match self.inputs.bytes.get(&slot) {
            Some(bytes) => Ok(bytes),
            None => unsupported(format!("no bytes for {slot:?}")),
        }
    }

    /// Creates the variables outside of functions; returns those of the interface. A variable of an opaque type has no value.
    fn variables(&mut self) -> Interpreted<Vec<Bound>> {
        let mut bound: Vec<Bound> = Vec::new();
        for variable in &self.globals.variables {
            let slot = self.slot(variable);
            if let Some(same) = bound.iter().find(|bound_variable| Some(bound_variable.slot) == slot) {
                if same.of != variable.of {
                    return unsupported("two types of one buffer");
                }
                self.variables.insert(variable.id, same.pointer.clone());
                continue;
            }
            let value = match (slot, variable.initializer) {
                (Some(slot), None) if !is_output(slot) => {
                    if self.layout().size(variable.of, 0).is_err() {
                        continue;
                    }
                    self.layout().read(variable.of, self.bytes(slot)?)?
                }
                (_, Some(initializer)) => match self.globals.constant(initializer) {
                    Some(value) => value.clone()?,
                    None => unsupported("a variable that is initialized by no constant")?,
                },
                (None, None) if variable.class == StorageClass::Input => {
                    let Ok(value) = self.built_in(variable) else { continue };
                    value
                }
                _ => {
                    let Ok(value) = self.globals.undefined(variable.of) else { continue };
                    value
                }
            };
            let pointer = self.memory.allocate(value);
            self.variables.insert(variable.id, pointer.clone());
            if let Some(slot) = slot {
                bound.push(Bound { slot, of: variable.of, pointer });
            }
        }
        Ok(bound)
    }

    /// Returns the value of a built-in input: the one invocation has the number 0 in everything.
    fn built_in(&self, variable: &GlobalVariable) -> Interpreted<ValueTree> {
        let null = self.globals.null(variable.of)?;
        let built_in = self.program.decoration(variable.id, None, Decoration::BuiltIn);
        let sizes =
            [BuiltIn::NumWorkgroups, BuiltIn::WorkgroupSize, BuiltIn::SubgroupSize, BuiltIn::GlobalSize];
        if !sizes.iter().any(|&size| built_in == Some(size as u32)) {
            return Ok(null);
        }
        arithmetic::componentwise(&[null], &|zero| Ok(ValueTree::number(zero[0].to_number()?.width, 1)))
    }

    /// Returns the bytes of the interface.
    fn results(&mut self, bound: &[Bound]) -> Interpreted<RunResults> {
        let mut results = RunResults::new();
        for Bound { slot, of, pointer } in bound {
            if matches!(slot, InterfaceSlot::Input(..) | InterfaceSlot::PushConstants) {
                continue;
            }
            let value = self.memory.load(pointer)?;
            let layout = self.layout();
            let mut bytes: Vec<Option<u8>> = match self.inputs.bytes.get(slot) {
                Some(bytes) => bytes.iter().copied().map(Some).collect(),
                None => vec![None; layout.size(*of, 0)?],
            };
            match (slot, value) {
                (InterfaceSlot::Argument(_), ValueTree::Composite(elements)) => {
                    let size = layout.size(*of, 0)?.max(1);
                    for (chunk, element) in bytes.chunks_exact_mut(size).zip(&elements) {
                        layout.write(*of, element, chunk)?;
                    }
                }
                (_, value) => layout.write(*of, &value, &mut bytes)?,
            }
            results.insert(*slot, bytes);
        }
        if let Some(ValueTree::Number(number)) = self.returned {
            let bytes = number.bits.to_le_bytes().map(Some);
            results.insert(InterfaceSlot::Returned, bytes[..number.width as usize / 8].to_vec());
        }
        Ok(results)
    }

    fn call(&mut self, function: Id, arguments: Vec<ValueTree>, result: Id) -> Interpreted<()> {
        let Some(function) =
            self.program.functions.get(&function).filter(|function| !function.blocks.is_empty())
        else {
            return unsupported("a call of a function without a body");
        };
        if self.frames.len() == MAX_CALLS {
            return unsupported("so many calls in each other");
        }
        if function.parameters.len() != arguments.len() {
            return unsupported("a call with another number of arguments");
        }
        let parameters = function.parameters.iter().map(|parameter| parameter.result);
        let values = parameters.zip(arguments).collect();
        self.frames.push(Frame { function, block: 0, next: 0, values, variables: Vec::new(), result });
        Ok(())
    }

    /// Ends the current call.
    fn end_call(&mut self, value: Option<ValueTree>) {
        let Some(frame) = self.frames.pop() else { return };
        for variable in frame.variables {
            self.memory.release(variable);
        }
        match (self.frames.last_mut(), value) {
            (Some(caller), Some(value)) => drop(caller.values.insert(frame.result, value)),
            (None, value) => self.returned = value,
            (Some(_), None) => {}
        }
    }

    fn value(&self, id: Id) -> Interpreted<ValueTree> {
        if let Some(value) = self.frames.last().and_then(|frame| frame.values.get(&id)) {
            return Ok(value.clone());
        }
        if let Some(pointer) = self.variables.get(&id) {
            return Ok(ValueTree::Pointer(pointer.clone()));
        }
        match self.globals.constant(id) {
            Some(value) => value.clone(),
            None => unsupported(format!("%{id} has no value")),
        }
    }

    fn operand(&self, instruction: &ParsedInstruction, number: usize) -> Interpreted<ValueTree> {
        self.value(instruction.operand(number)?)
    }

    fn load(&mut self, instruction: &ParsedInstruction, number: usize) -> Interpreted<ValueTree> {
        let pointer = self.operand(instruction, number)?;
        self.memory.load(pointer.to_pointer()?)
    }

    fn store(&mut self, instruction: &ParsedInstruction, number: usize, value: ValueTree) -> Interpreted<()> {
        let pointer = self.operand(instruction, number)?;
        self.memory.store(pointer.to_pointer()?, value)
    }

    fn step(&mut self) -> Interpreted<()> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let Some(instruction) = frame.function.blocks[frame.block].body.get(frame.next) else {
            return unsupported("a block without an end");
        };
        frame.next += 1;
        let op = instruction.op;
        let result = match op {
            Op::SelectionMerge | Op::LoopMerge | Op::ControlBarrier | Op::MemoryBarrier | Op::Nop => None,
            Op::AssumeTrueKHR => None,
            Op::Branch => return self.branch(instruction.operand(0)?),
            Op::BranchConditional => {
                let holds = self.operand(instruction, 0)?.to_bool()?;
                return self.branch(instruction.operand(if holds { 1 } else { 2 })?);
            }
            Op::Switch => return self.switch(instruction),
            Op::Kill | Op::TerminateInvocation => {
                self.frames.clear();
                return Ok(());
            }
            Op::Unreachable => return super::undefined("OpUnreachable"),
            Op::Return => {
                self.end_call(None);
                return Ok(());
            }
            Op::ReturnValue => {
                let value = self.operand(instruction, 0)?;
                self.end_call(Some(value));
                return Ok(());
            }
            Op::FunctionCall => {
                let arguments = instruction.operands_from(1).iter().map(|&id| self.value(id));
                let arguments = arguments.collect::<Interpreted<_>>()?;
                return self.call(instruction.operand(0)?, arguments, instruction.result);
            }
            Op::ExtInst => self.extended(instruction)?,
            Op::Variable => Some(self.variable(instruction)?),
            Op::Load => Some(self.load(instruction, 0)?),
            Op::Store => {
                let value = self.operand(instruction, 1)?;
                self.store(instruction, 0, value)?;
                None
            }
            Op::CopyMemory => {
                let value = self.load(instruction, 1)?;
                self.store(instruction, 0, value)?;
                None
            }
            Op::AccessChain | Op::InBoundsAccessChain => Some(self.access(instruction, false)?),
            Op::PtrAccessChain | Op::InBoundsPtrAccessChain => Some(self.access(instruction, true)?),
            Op::ArrayLength => {
                let mut pointer = self.operand(instruction, 0)?.to_pointer()?.clone();
                pointer.path.push(instruction.operand(1)?.into());
                let length = self.memory.load(&pointer)?.parts()?.len();
                let width = self.globals.type_of(instruction.result_type)?.width()?;
                Some(ValueTree::number(width, length as u64))
            }
            _ => match self.atomic(instruction)? {
                Some(result) => result,
                None => {
                    let value = |id: Id| self.value(id);
                    let (of, operands) = (instruction.result_type, &instruction.operands[..]);
                    match evaluate(&self.globals, op, of, operands, &value)? {
                        Some(result) => Some(result),
                        None => return unsupported(format!("{op:?}")),
                    }
                }
            },
        };
        if let (Some(frame), Some(result)) = (self.frames.last_mut(), result) {
            frame.values.insert(instruction.result, result);
        }
        Ok(())
    }

    /// Goes to a block, whose phis take the values of the block before, all at once.
    fn branch(&mut self, label: Id) -> Interpreted<()> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let before = frame.function.blocks[frame.block].label;
        let block = frame.function.block(label)?;
        let body = &frame.function.blocks[block].body;
        let phis: Vec<&ParsedInstruction> =
            body.iter().take_while(|instruction| instruction.op == Op::Phi).collect();
        let mut values = Vec::new();
        for phi in &phis {
            let Some(pair) = phi.operands.chunks_exact(2).find(|pair| pair[1] == before) else {
                return unsupported("OpPhi without a value for the block before");
            };
            values.push((phi.result, self.value(pair[0])?));
        }
        let next = phis.len();
        if let Some(frame) = self.frames.last_mut() {
            frame.values.extend(values);
            (frame.block, frame.next) = (block, next);
        }
        Ok(())
    }

    fn switch(&mut self, instruction: &ParsedInstruction) -> Interpreted<()> {
        let selector = self.operand(instruction, 0)?.to_number()?;
        let words = if selector.width > 32 { 2 } else { 1 };
        for case in instruction.operands_from(2).chunks_exact(words + 1) {
            let literal = case[..words].iter().rev().fold(0, |bits, &word| bits << 32 | u64::from(word));
            if ValueTree::number(selector.width, literal) == ValueTree::Number(selector) {
                return self.branch(case[words]);
            }
        }
        self.branch(instruction.operand(1)?)
    }

    fn variable(&mut self, instruction: &ParsedInstruction) -> Interpreted<ValueTree> {
        let value = match (instruction.operands.get(1), self.globals.type_of(instruction.result_type)?) {
            (Some(&initializer), _) => self.value(initializer)?,
            (None, ValueType::Pointer(of)) => self.globals.undefined(*of)?,
            _ => return unsupported("a variable whose type is not a pointer"),
        };
        let pointer = self.memory.allocate(value);
        if let Some(frame) = self.frames.last_mut() {
            frame.variables.push(pointer.variable);
        }
        Ok(ValueTree::Pointer(pointer))
    }

    /// Returns a pointer to a part. An index that is undefined makes it undefined; one outside of bounds, accesses by it.
    fn access(&mut self, instruction: &ParsedInstruction, has_element: bool) -> Interpreted<ValueTree> {
        let base = self.operand(instruction, 0)?;
        let indices = instruction.operands_from(1).iter().map(|&id| self.value(id));
        let indices = indices.collect::<Interpreted<Vec<_>>>()?;
        if base == ValueTree::Undefined || indices.contains(&ValueTree::Undefined) {
            return Ok(ValueTree::Undefined);
        }
        let mut pointer = base.to_pointer()?.clone();
        for (number, index) in indices.iter().enumerate() {
            let index = index.to_number()?.signed();
            match (pointer.path.last_mut(), number == 0 && has_element) {
                (Some(last), true) => *last = last.wrapping_add(index),
                (None, true) if index == 0 => {}
                (None, true) => return unsupported("an element beside a variable"),
                _ => pointer.path.push(index),
            }
        }
        Ok(ValueTree::Pointer(pointer))
    }

    /// Returns the result of an atomic instruction, if it is one.
    fn atomic(&mut self, instruction: &ParsedInstruction) -> Interpreted<Option<Option<ValueTree>>> {
        let operation = match instruction.op {
            Op::AtomicLoad => return Ok(Some(Some(self.load(instruction, 0)?))),
            Op::AtomicStore => {
                let value = self.operand(instruction, 3)?;
                self.store(instruction, 0, value)?;
                return Ok(Some(None));
            }
            Op::AtomicExchange | Op::AtomicCompareExchange => None,
            Op::AtomicIIncrement | Op::AtomicIAdd => Some(Op::IAdd),
            Op::AtomicIDecrement | Op::AtomicISub => Some(Op::ISub),
            Op::AtomicAnd => Some(Op::BitwiseAnd),
            Op::AtomicOr => Some(Op::BitwiseOr),
            Op::AtomicXor => Some(Op::BitwiseXor),
            Op::AtomicFAddEXT => Some(Op::FAdd),
            Op::AtomicSMin | Op::AtomicUMin | Op::AtomicSMax | Op::AtomicUMax => Some(Op::Select),
            _ => return Ok(None),
        };
        let old = self.load(instruction, 0)?;
        let of = self.globals.component(instruction.result_type)?;
        let new = match (instruction.op, operation) {
            (Op::AtomicIIncrement | Op::AtomicIDecrement, Some(operation)) => {
                arithmetic::scalar(operation, &of, &[old.clone(), ValueTree::number(of.width()?, 1)])?
            }
            (Op::AtomicCompareExchange, _) => {
                let comparator = self.operand(instruction, 5)?;
                let is_equal = old.to_number()?.bits == comparator.to_number()?.bits;
                if is_equal { self.operand(instruction, 4)? } else { old.clone() }
            }
            (_, None) => self.operand(instruction, 3)?,
            (op, Some(Op::Select)) => {
                let operands = [old.clone(), self.operand(instruction, 3)?];
                let chosen = match op {
                    Op::AtomicSMin => GlslStd450Op::SMin,
                    Op::AtomicUMin => GlslStd450Op::UMin,
                    Op::AtomicSMax => GlslStd450Op::SMax,
                    _ => GlslStd450Op::UMax,
                };
                glsl::evaluate(chosen, &operands)?
            }
            (_, Some(operation)) => {
                arithmetic::scalar(operation, &of, &[old.clone(), self.operand(instruction, 3)?])?
            }
        };
        self.store(instruction, 0, new)?;
        Ok(Some(Some(old)))
    }

    /// Returns the result of an extended instruction; `None` for debug information.
    fn extended(&mut self, instruction: &ParsedInstruction) -> Interpreted<Option<ValueTree>> {
        let set = self.program.instruction_sets.get(&instruction.operand(0)?);
        let number = instruction.operand(1)?;
        match set.map(String::as_str) {
            Some("GLSL.std.450") => {}
            Some(set) if set.starts_with("NonSemantic.") || set == "OpenCL.DebugInfo.100" => return Ok(None),
            Some(set) => return unsupported(format!("instructions of {set}")),
            None => return unsupported("an unknown set of instructions"),
        }
        let Some(op) = GlslStd450Op::from_u32(number) else {
            return unsupported(format!("GLSL.std.450 {number}"));
        };
        let has_pointer = matches!(op, GlslStd450Op::Modf | GlslStd450Op::Frexp);
        let operands = instruction.operands_from(2);
        let operands = if has_pointer { operands.get(..1).unwrap_or_default() } else { operands };
        let arguments = operands.iter().map(|&id| self.value(id)).collect::<Interpreted<Vec<_>>>()?;
        match glsl::evaluate(op, &arguments)? {
            ValueTree::Composite(both) if has_pointer => {
                let [one, other] = &both[..] else { return unsupported(format!("{op:?}")) };
                self.store(instruction, 3, other.clone())?;
                Ok(Some(one.clone()))
            }
            value => Ok(Some(value)),
        }
    }
}

fn is_output(slot: InterfaceSlot) -> bool {
    matches!(slot, InterfaceSlot::Output(..) | InterfaceSlot::BuiltIn(_))
}
