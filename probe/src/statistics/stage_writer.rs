//! Writes modules of one stage.

use std::collections::BTreeMap;

use spirv::{BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, Op, StorageClass};

use super::slots::{Slot, SlotKind, SlotOwner, Slots};

/// The words of a stage while it is written.
pub struct StageWriter {
    /// The instructions by section: capabilities to modes, decorations, types and variables, the function.
    sections: [Vec<u32>; 4],
    bound: u32,
    types: BTreeMap<Vec<u32>, u32>,
    interface: Vec<u32>,
    /// The next constant that makes values differ from each other.
    different: u32,
}

/// An array of variables that have an element for each vertex or primitive: its length, and the index of the element that is accessed.
#[derive(Clone, Copy)]
pub struct ElementIndex {
    pub length: u32,
    pub index: u32,
}

const HEAD: usize = 0;
const DECORATIONS: usize = 1;
const TYPES: usize = 2;
const CODE: usize = 3;

impl StageWriter {
    pub fn new() -> StageWriter {
        StageWriter {
            sections: Default::default(),
            bound: 1,
            types: BTreeMap::new(),
            interface: Vec::new(),
            different: 1,
        }
    }

    fn id(&mut self) -> u32 {
        self.bound += 1;
        self.bound - 1
    }

    fn put(&mut self, section: usize, op: Op, operands: &[u32]) {
        let words = &mut self.sections[section];
        words.push((operands.len() as u32 + 1) << 16 | op as u32);
        words.extend(operands);
    }

    /// Returns a type, written once.
    pub fn type_id(&mut self, op: Op, operands: &[u32]) -> u32 {
        let key: Vec<u32> = std::iter::once(op as u32).chain(operands.iter().copied()).collect();
        if let Some(&known) = self.types.get(&key) {
            return known;
        }
        let id = self.id();
        let words: Vec<u32> = std::iter::once(id).chain(operands.iter().copied()).collect();
        self.put(TYPES, op, &words);
        self.types.insert(key, id);
        id
    }

    pub fn scalar(&mut self, kind: SlotKind) -> u32 {
        match kind {
            SlotKind::Float => self.type_id(Op::TypeFloat, &[32]),
            SlotKind::Int => self.type_id(Op::TypeInt, &[32, 1]),
            SlotKind::Uint => self.type_id(Op::TypeInt, &[32, 0]),
        }
    }

    /// Returns the type of a number of components.
    pub fn numbers(&mut self, kind: SlotKind, components: u32) -> u32 {
        let scalar = self.scalar(kind);
        match components {
            1 => scalar,
            _ => self.type_id(Op::TypeVector, &[scalar, components]),
        }
    }

    pub fn constant(&mut self, kind: SlotKind, bits: u32) -> u32 {
        let (scalar, id) = (self.scalar(kind), self.id());
        self.put(TYPES, Op::Constant, &[scalar, id, bits]);
        id
    }

    pub fn variable(&mut self, type_id: u32, class: StorageClass, decorations: &[&[u32]]) -> u32 {
        let pointer = self.type_id(Op::TypePointer, &[class as u32, type_id]);
        let id = self.id();
        self.put(TYPES, Op::Variable, &[pointer, id, class as u32]);
        for decoration in decorations {
            let operands: Vec<u32> = std::iter::once(id).chain(decoration.iter().copied()).collect();
            self.put(DECORATIONS, Op::Decorate, &operands);
        }
        self.interface.push(id);
        id
    }

    pub fn code(&mut self, op: Op, type_id: u32, operands: &[u32]) -> u32 {
        let id = self.id();
        let operands: Vec<u32> = [type_id, id].into_iter().chain(operands.iter().copied()).collect();
        self.put(CODE, op, &operands);
        id
    }

    /// Adds an instruction without a result.
    pub fn statement(&mut self, op: Op, operands: &[u32]) {
        self.put(CODE, op, operands);
    }

    /// Returns the type of arrays with a length.
    pub fn array(&mut self, element: u32, length: u32) -> u32 {
        let length = self.constant(SlotKind::Uint, length);
        self.type_id(Op::TypeArray, &[element, length])
    }

    /// Adds a variable that a built-in names.
    pub fn built_in(&mut self, type_id: u32, class: StorageClass, built_in: BuiltIn, also: &[u32]) -> u32 {
        let decoration = [Decoration::BuiltIn as u32, built_in as u32];
        match also.is_empty() {
            true => self.variable(type_id, class, &[&decoration]),
            false => self.variable(type_id, class, &[&decoration, also]),
        }
    }

    /// Returns a pointer to an element of a variable that is an array.
    pub fn element(&mut self, variable: u32, element: u32, class: StorageClass, index: u32) -> u32 {
        let pointer = self.type_id(Op::TypePointer, &[class as u32, element]);
        self.code(Op::AccessChain, pointer, &[variable, index])
    }

    /// Returns a value whose components differ from each other, and with a number.
    pub fn value(&mut self, slot: &Slot, number: u32) -> u32 {
        let (int, scalar) = (self.scalar(SlotKind::Int), self.scalar(slot.kind));
        let mut parts = Vec::new();
        for _ in 0..slot.components {
            let constant = self.constant(SlotKind::Int, self.different);
            self.different += 1;
            let product = self.code(Op::IMul, int, &[number, constant]);
            let sum = self.code(Op::BitwiseXor, int, &[product, constant]);
            parts.push(match slot.kind {
                SlotKind::Float => self.code(Op::ConvertSToF, scalar, &[sum]),
                SlotKind::Int => sum,
                SlotKind::Uint => self.code(Op::Bitcast, scalar, &[sum]),
            });
        }
        match parts[..] {
            [part] => part,
            _ => {
                let type_id = self.numbers(slot.kind, slot.components);
                self.code(Op::CompositeConstruct, type_id, &parts)
            }
        }
    }

    /// Adds the variable of a location, an array if `elements` has an index; returns a pointer to its value.
    fn location(
        &mut self,
        location: u32,
        slot: &Slot,
        class: StorageClass,
        elements: Option<ElementIndex>,
    ) -> u32 {
        let type_id = self.numbers(slot.kind, slot.components);
        let at = [Decoration::Location as u32, location];
        let mut decorations: Vec<&[u32]> = vec![&at];
        match slot.owner {
            SlotOwner::Patch => decorations.push(&[Decoration::Patch as u32]),
            SlotOwner::Primitive => decorations.push(&[Decoration::PerPrimitiveEXT as u32]),
            SlotOwner::Vertex => {}
        }
        if slot.is_flat && slot.owner != SlotOwner::Patch {
            decorations.push(&[Decoration::Flat as u32]);
        }
        match elements.filter(|_| slot.owner != SlotOwner::Patch) {
            Some(elements) => {
                let array = self.array(type_id, elements.length);
                let variable = self.variable(array, class, &decorations);
                self.element(variable, type_id, class, elements.index)
            }
            None => self.variable(type_id, class, &decorations),
        }
    }

    /// Writes values to locations, which differ from each other and with a number.
    pub fn write(&mut self, outputs: &Slots, number: u32, elements: Option<ElementIndex>) {
        for (&location, slot) in outputs {
            let value = self.value(slot, number);
            let pointer = self.location(location, slot, StorageClass::Output, elements);
            self.statement(Op::Store, &[pointer, value]);
        }
    }

    /// Returns the sum of all components of locations.
    pub fn read(&mut self, inputs: &Slots, elements: Option<ElementIndex>) -> u32 {
        let float = self.scalar(SlotKind::Float);
        let mut sum = self.constant(SlotKind::Float, 0);
        for (&location, slot) in inputs {
            let (type_id, scalar) = (self.numbers(slot.kind, slot.components), self.scalar(slot.kind));
            let pointer = self.location(location, slot, StorageClass::Input, elements);
            let value = self.code(Op::Load, type_id, &[pointer]);
            for component in 0..slot.components {
                let part = match slot.components {
                    1 => value,
                    _ => self.code(Op::CompositeExtract, scalar, &[value, component]),
                };
                let part = match slot.kind {
                    SlotKind::Float => part,
                    SlotKind::Int => self.code(Op::ConvertSToF, float, &[part]),
                    SlotKind::Uint => self.code(Op::ConvertUToF, float, &[part]),
                };
                sum = self.code(Op::FAdd, float, &[sum, part]);
            }
        }
        sum
    }

    /// Returns the module, whose entry point `main` has the code. Execution modes have their operands. `of_mesh` is true for a pipeline of meshes.
    pub fn finish(
        mut self,
        model: ExecutionModel,
        modes: &[(ExecutionMode, &[u32])],
        of_mesh: bool,
    ) -> Vec<u32> {
        let void = self.type_id(Op::TypeVoid, &[]);
        let function_type = self.type_id(Op::TypeFunction, &[void]);
        let (main, label) = (self.id(), self.id());
        self.put(HEAD, Op::Capability, &[Capability::Shader as u32]);
        use ExecutionModel::{TessellationControl, TessellationEvaluation};
        if matches!(model, TessellationControl | TessellationEvaluation) {
            self.put(HEAD, Op::Capability, &[Capability::Tessellation as u32]);
        }
        if of_mesh {
            self.put(HEAD, Op::Capability, &[Capability::MeshShadingEXT as u32]);
            let name = *b"SPV_EXT_mesh_shader\0";
            let words =
                name.chunks_exact(4).map(|part| u32::from_le_bytes([part[0], part[1], part[2], part[3]]));
            self.put(HEAD, Op::Extension, &words.collect::<Vec<u32>>());
        }
        self.put(HEAD, Op::MemoryModel, &[0, 1]);
        let name = u32::from_le_bytes(*b"main");
        let operands: Vec<u32> =
            [model as u32, main, name, 0].into_iter().chain(self.interface.iter().copied()).collect();
        self.put(HEAD, Op::EntryPoint, &operands);
        for (mode, operands) in modes {
            let words: Vec<u32> = [main, *mode as u32].into_iter().chain(operands.iter().copied()).collect();
            self.put(HEAD, Op::ExecutionMode, &words);
        }
        let code = std::mem::take(&mut self.sections[CODE]);
        self.put(CODE, Op::Function, &[void, main, 0, function_type]);
        self.put(CODE, Op::Label, &[label]);
        self.sections[CODE].extend(code);
        self.put(CODE, Op::Return, &[]);
        self.put(CODE, Op::FunctionEnd, &[]);
        // The extension is for version 1.4.
        let version = if of_mesh { 0x0001_0400 } else { 0x0001_0000 };
        let header = [spirv::MAGIC_NUMBER, version, 0, self.bound, 0];
        header.into_iter().chain(self.sections.into_iter().flatten()).collect()
    }
}
