//! The locations of a stage that others write and read, and modules of stages that stand beside it in a pipeline.

use std::collections::BTreeMap;

use spirv::{BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, Op, StorageClass};
use spirv_if::Module;
use spirv_if::engine::loader::{self, views};

/// Numbers of a kind that one location holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SlotKind {
    Float,
    Int,
    Uint,
}

/// A location of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    pub kind: SlotKind,
    /// The number of components, from the first one on.
    pub components: u32,
    /// True if it is not interpolated.
    pub is_flat: bool,
}

/// A location with four components.
pub const WHOLE: Slot = Slot { kind: SlotKind::Float, components: 4, is_flat: false };

/// The locations of a stage by their numbers.
pub type Slots = BTreeMap<u32, Slot>;

/// Returns the locations of an entry point in a storage class. Numbers of other widths than 32 bits count as those of 32 bits.
pub fn slots(module: &Module, model: ExecutionModel, class: StorageClass) -> Slots {
    let mut reader = SlotReader { module: &module.inner, slots: Slots::new() };
    for entry in module.inner.entry_points().filter(|entry| entry.execution_model() == model as u32) {
        for &id in entry.interface() {
            reader.variable(id, class);
        }
    }
    reader.slots
}

struct SlotReader<'r, 'm> {
    module: &'r loader::Module<'m>,
    slots: Slots,
}

impl SlotReader<'_, '_> {
    fn variable(&mut self, id: u32, class: StorageClass) {
        let Some(variable) = self.module.definition_as(id, Op::Variable).map(views::Variable) else { return };
        let Some(type_id) = self.module.pointee(variable.type_id()) else { return };
        if variable.storage_class() != class as u32 {
            return;
        }
        let is_flat = self.decoration(id, None, Decoration::Flat).is_some();
        let component = self.decoration(id, None, Decoration::Component).unwrap_or(0);
        let block = self.module.without_arrays(type_id);
        if let Some(location) = self.decoration(id, None, Decoration::Location) {
            self.place(type_id, location, component, is_flat, 0);
        } else if let Some(structure) = self.module.definition_as(block, Op::TypeStruct) {
            let members: Vec<u32> = self.module.members(&structure).collect();
            for (member, type_id) in (0..).zip(members) {
                let Some(location) = self.decoration(block, Some(member), Decoration::Location) else {
                    continue;
                };
                let component = self.decoration(block, Some(member), Decoration::Component).unwrap_or(0);
                let is_flat = is_flat || self.decoration(block, Some(member), Decoration::Flat).is_some();
                self.place(type_id, location, component, is_flat, 0);
            }
        }
    }

    /// Returns the first operand of a decoration of an id or of a member; 0 of one without operands.
    fn decoration(&self, target: u32, member: Option<u32>, decoration: Decoration) -> Option<u32> {
        let found = self.module.decorated_with(decoration).into_iter();
        let mut found = found.filter(|(of, inst)| *of == target && inst.member() == member);
        found.next().map(|(_, inst)| inst.operands().first().copied().unwrap_or(0))
    }

    /// Adds the locations of a type; returns the next one. Types may be nested 8 times.
    fn place(&mut self, type_id: u32, location: u32, component: u32, is_flat: bool, depth: u32) -> u32 {
        let Some(definition) = self.module.definition(type_id).filter(|_| depth < 8) else {
            return location;
        };
        match definition.op() {
            Some(Op::TypeFloat | Op::TypeInt | Op::TypeBool) => {
                self.add(type_id, 1, location, component, is_flat);
                location + 1
            }
            Some(Op::TypeVector) => {
                self.add(definition.word(2), definition.word(3), location, component, is_flat);
                location + 1
            }
            Some(Op::TypeMatrix) => (0..definition.word(3).min(4)).fold(location, |location, _| {
                self.place(definition.word(2), location, component, is_flat, depth + 1)
            }),
            Some(Op::TypeArray) => {
                let length = self.module.constant(definition.word(3)).map_or(1, |length| length.bits());
                (0..length.min(64)).fold(location, |location, _| {
                    self.place(definition.word(2), location, component, is_flat, depth + 1)
                })
            }
            Some(Op::TypeStruct) => {
                let members: Vec<u32> = self.module.members(&definition).collect();
                members.into_iter().fold(location, |location, member| {
                    self.place(member, location, component, is_flat, depth + 1)
                })
            }
            _ => location,
        }
    }

    fn add(&mut self, scalar: u32, count: u32, location: u32, component: u32, is_flat: bool) {
        let Some(definition) = self.module.definition(scalar) else { return };
        let kind = match definition.op() {
            Some(Op::TypeInt) if definition.word(3) == 1 => SlotKind::Int,
            Some(Op::TypeInt) => SlotKind::Uint,
            _ => SlotKind::Float,
        };
        let components = (component + count).min(4);
        let slot = self.slots.entry(location).or_insert(Slot { kind, components, is_flat: false });
        slot.components = slot.components.max(components);
        slot.is_flat |= is_flat || kind != SlotKind::Float;
    }
}

/// The words of a stage while it is written.
struct StageWriter {
    /// The instructions by section: capabilities to modes, decorations, types and variables, the function.
    sections: [Vec<u32>; 4],
    bound: u32,
    types: BTreeMap<Vec<u32>, u32>,
    interface: Vec<u32>,
}

const HEAD: usize = 0;
const DECORATIONS: usize = 1;
const TYPES: usize = 2;
const CODE: usize = 3;

impl StageWriter {
    fn new() -> StageWriter {
        StageWriter { sections: Default::default(), bound: 1, types: BTreeMap::new(), interface: Vec::new() }
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
    fn type_id(&mut self, op: Op, operands: &[u32]) -> u32 {
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

    fn scalar(&mut self, kind: SlotKind) -> u32 {
        match kind {
            SlotKind::Float => self.type_id(Op::TypeFloat, &[32]),
            SlotKind::Int => self.type_id(Op::TypeInt, &[32, 1]),
            SlotKind::Uint => self.type_id(Op::TypeInt, &[32, 0]),
        }
    }

    /// Returns the type of a number of components.
    fn numbers(&mut self, kind: SlotKind, components: u32) -> u32 {
        let scalar = self.scalar(kind);
        match components {
            1 => scalar,
            _ => self.type_id(Op::TypeVector, &[scalar, components]),
        }
    }

    fn constant(&mut self, kind: SlotKind, bits: u32) -> u32 {
        let (scalar, id) = (self.scalar(kind), self.id());
        self.put(TYPES, Op::Constant, &[scalar, id, bits]);
        id
    }

    fn variable(&mut self, type_id: u32, class: StorageClass, decorations: &[&[u32]]) -> u32 {
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

    fn code(&mut self, op: Op, type_id: u32, operands: &[u32]) -> u32 {
        let id = self.id();
        let operands: Vec<u32> = [type_id, id].into_iter().chain(operands.iter().copied()).collect();
        self.put(CODE, op, &operands);
        id
    }

    /// Returns the module, whose entry point `main` has the code.
    fn finish(mut self, model: ExecutionModel, modes: &[ExecutionMode]) -> Vec<u32> {
        let void = self.type_id(Op::TypeVoid, &[]);
        let function_type = self.type_id(Op::TypeFunction, &[void]);
        let (main, label) = (self.id(), self.id());
        self.put(HEAD, Op::Capability, &[Capability::Shader as u32]);
        self.put(HEAD, Op::MemoryModel, &[0, 1]);
        let name = u32::from_le_bytes(*b"main");
        let operands: Vec<u32> =
            [model as u32, main, name, 0].into_iter().chain(self.interface.iter().copied()).collect();
        self.put(HEAD, Op::EntryPoint, &operands);
        for mode in modes {
            self.put(HEAD, Op::ExecutionMode, &[main, *mode as u32]);
        }
        let code = std::mem::take(&mut self.sections[CODE]);
        self.put(CODE, Op::Function, &[void, main, 0, function_type]);
        self.put(CODE, Op::Label, &[label]);
        self.sections[CODE].extend(code);
        self.put(CODE, Op::Return, &[]);
        self.put(CODE, Op::FunctionEnd, &[]);
        let header = [spirv::MAGIC_NUMBER, 0x0001_0000, 0, self.bound, 0];
        header.into_iter().chain(self.sections.into_iter().flatten()).collect()
    }
}

/// Returns a vertex shader that writes a position and all locations that the next stage reads. All components differ from each other and from vertex
/// to vertex, so that no compiler removes one.
pub fn vertex_stage(outputs: &Slots) -> Vec<u32> {
    let mut stage = StageWriter::new();
    let int = stage.scalar(SlotKind::Int);
    let built_in = |built_in: BuiltIn| [Decoration::BuiltIn as u32, built_in as u32];
    let index = stage.variable(int, StorageClass::Input, &[&built_in(BuiltIn::VertexIndex)]);
    let number = stage.code(Op::Load, int, &[index]);
    let vector = stage.numbers(SlotKind::Float, 4);
    let position = stage.variable(vector, StorageClass::Output, &[&built_in(BuiltIn::Position)]);
    let targets = outputs.iter().map(|(&location, slot)| (Some(location), *slot));
    let mut different = 0;
    for (location, slot) in targets.chain([(None, WHOLE)]) {
        let type_id = stage.numbers(slot.kind, slot.components);
        let scalar = stage.scalar(slot.kind);
        let mut parts = Vec::new();
        for _ in 0..slot.components {
            different += 1;
            let constant = stage.constant(SlotKind::Int, different);
            let product = stage.code(Op::IMul, int, &[number, constant]);
            let sum = stage.code(Op::BitwiseXor, int, &[product, constant]);
            parts.push(match slot.kind {
                SlotKind::Float => stage.code(Op::ConvertSToF, scalar, &[sum]),
                SlotKind::Int => sum,
                SlotKind::Uint => stage.code(Op::Bitcast, scalar, &[sum]),
            });
        }
        let value = match parts[..] {
            [part] => part,
            _ => stage.code(Op::CompositeConstruct, type_id, &parts),
        };
        let variable = match location {
            None => position,
            Some(location) => {
                let at = [Decoration::Location as u32, location];
                let flat = [Decoration::Flat as u32];
                let decorations: &[&[u32]] = if slot.is_flat { &[&at, &flat] } else { &[&at] };
                stage.variable(type_id, StorageClass::Output, decorations)
            }
        };
        stage.put(CODE, Op::Store, &[variable, value]);
    }
    stage.finish(ExecutionModel::Vertex, &[])
}

/// Returns a fragment shader that reads all locations that the stage before it writes, and writes their sum.
pub fn fragment_stage(inputs: &Slots) -> Vec<u32> {
    let mut stage = StageWriter::new();
    let float = stage.scalar(SlotKind::Float);
    let mut sum = stage.constant(SlotKind::Float, 0);
    for (&location, slot) in inputs {
        let (type_id, scalar) = (stage.numbers(slot.kind, slot.components), stage.scalar(slot.kind));
        let at = [Decoration::Location as u32, location];
        let flat = [Decoration::Flat as u32];
        let is_flat = slot.is_flat || slot.kind != SlotKind::Float;
        let decorations: &[&[u32]] = if is_flat { &[&at, &flat] } else { &[&at] };
        let variable = stage.variable(type_id, StorageClass::Input, decorations);
        let value = stage.code(Op::Load, type_id, &[variable]);
        for component in 0..slot.components {
            let part = match slot.components {
                1 => value,
                _ => stage.code(Op::CompositeExtract, scalar, &[value, component]),
            };
            let part = match slot.kind {
                SlotKind::Float => part,
                SlotKind::Int => stage.code(Op::ConvertSToF, float, &[part]),
                SlotKind::Uint => stage.code(Op::ConvertUToF, float, &[part]),
            };
            sum = stage.code(Op::FAdd, float, &[sum, part]);
        }
    }
    let vector = stage.numbers(SlotKind::Float, 4);
    let value = stage.code(Op::CompositeConstruct, vector, &[sum, sum, sum, sum]);
    let target = stage.variable(vector, StorageClass::Output, &[&[Decoration::Location as u32, 0]]);
    stage.put(CODE, Op::Store, &[target, value]);
    stage.finish(ExecutionModel::Fragment, &[ExecutionMode::OriginUpperLeft])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_fixture(name: &str, model: ExecutionModel, class: StorageClass) -> Slots {
        let bytes = std::fs::read(format!("../fixtures/{name}")).unwrap();
        slots(&Module::from_bytes(&bytes).unwrap(), model, class)
    }

    fn slot(kind: SlotKind, components: u32, is_flat: bool) -> Slot {
        Slot { kind, components, is_flat }
    }

    /// The layouts that the sources have.
    #[test]
    fn locations_of_stages() {
        let float = |components| slot(SlotKind::Float, components, false);
        let of_fragment = |class| of_fixture("glsl/shade.spv", ExecutionModel::Fragment, class);
        let read =
            Slots::from([(0, float(3)), (1, float(3)), (2, float(3)), (3, slot(SlotKind::Uint, 1, true))]);
        assert_eq!(of_fragment(StorageClass::Input), read);
        assert_eq!(of_fragment(StorageClass::Output), Slots::from([(0, float(4)), (1, float(1))]));
        let written = of_fixture("frontends/vertex.spv", ExecutionModel::Vertex, StorageClass::Output);
        assert_eq!(written, Slots::from([(0, float(1))]));
    }

    #[test]
    #[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
    fn stages_that_are_written_are_valid() {
        let kinds = [SlotKind::Float, SlotKind::Int, SlotKind::Uint];
        let mut all = Slots::new();
        for (location, kind) in (0..).zip(kinds.into_iter().cycle().take(12)) {
            all.insert(location, slot(kind, location % 4 + 1, kind != SlotKind::Float));
        }
        for slots in [Slots::new(), all] {
            for words in [vertex_stage(&slots), fragment_stage(&slots)] {
                Module::from_words(words).unwrap().validate().unwrap();
            }
        }
    }
}
