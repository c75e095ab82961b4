//! The locations of a stage that others write and read.

use std::collections::BTreeMap;

use spirv::{Decoration, ExecutionModel, Op, StorageClass};
use spirv_if::engine::loader::{Module, views};

/// Numbers of a kind that one location holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SlotKind {
    Float,
    Int,
    Uint,
}

/// Objects that have a value of a location each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotOwner {
    /// A vertex, or a fragment that its values are interpolated for.
    Vertex,
    /// A patch of tessellation.
    Patch,
    /// A primitive of a mesh shader.
    Primitive,
}

/// A location of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    pub kind: SlotKind,
    /// The number of components, from the first one on.
    pub components: u32,
    /// True if it is not interpolated.
    pub is_flat: bool,
    pub owner: SlotOwner,
}

/// A location with four components.
pub const WHOLE: Slot =
    Slot { kind: SlotKind::Float, components: 4, is_flat: false, owner: SlotOwner::Vertex };

/// The locations of a stage by their numbers.
pub type Slots = BTreeMap<u32, Slot>;

/// Returns the locations of an entry point in a storage class. Numbers of other widths than 32 bits count as those of 32 bits.
pub fn slots(module: &Module, entry: views::EntryPoint, class: StorageClass) -> Slots {
    let mut reader = SlotReader { module, is_per_vertex: is_per_vertex(entry, class), slots: Slots::new() };
    for &id in entry.interface() {
        reader.variable(id, class);
    }
    reader.slots
}

/// Returns the number of vertices of the first variable with an element for each, if its array has a length.
pub fn vertices(module: &Module, entry: views::EntryPoint, class: StorageClass) -> Option<u32> {
    let of_variable = |&id: &u32| {
        let variable = module.definition_as(id, Op::Variable).map(views::Variable)?;
        let is_patch = has_decoration(module, id, Decoration::Patch);
        let pointee = module.pointee(variable.type_id())?;
        let array = module.definition_as(pointee, Op::TypeArray)?;
        let is_meant = is_per_vertex(entry, class) && variable.storage_class() == class as u32 && !is_patch;
        is_meant.then(|| module.constant(array.word(3)))?.map(|length| length.low_word())
    };
    entry.interface().iter().find_map(of_variable)
}

/// Returns true if variables have an element for each vertex or primitive.
fn is_per_vertex(entry: views::EntryPoint, class: StorageClass) -> bool {
    use ExecutionModel::{Geometry, MeshEXT, TessellationControl, TessellationEvaluation};
    matches!(
        (ExecutionModel::from_u32(entry.execution_model()), class),
        (Some(TessellationControl), _)
            | (Some(TessellationEvaluation | Geometry), StorageClass::Input)
            | (Some(MeshEXT), StorageClass::Output)
    )
}

fn has_decoration(module: &Module, id: u32, decoration: Decoration) -> bool {
    module.decorated_with(decoration).into_iter().any(|(of, _)| of == id)
}

struct SlotReader<'r, 'm> {
    module: &'r Module<'m>,
    is_per_vertex: bool,
    slots: Slots,
}

impl SlotReader<'_, '_> {
    fn variable(&mut self, id: u32, class: StorageClass) {
        let Some(variable) = self.module.definition_as(id, Op::Variable).map(views::Variable) else { return };
        let Some(mut type_id) = self.module.pointee(variable.type_id()) else { return };
        if variable.storage_class() != class as u32 {
            return;
        }
        let block = self.module.without_arrays(type_id);
        let slot = self.slot(id, None, WHOLE);
        // Fragment shaders also get values of vertices that nothing interpolates.
        let is_per_vertex = self.is_per_vertex || has_decoration(self.module, id, Decoration::PerVertexKHR);
        if let Some(array) = self.module.array_type(type_id)
            && is_per_vertex
            && slot.owner != SlotOwner::Patch
        {
            type_id = array.element_type();
        }
        let component = self.decoration(id, None, Decoration::Component).unwrap_or(0);
        if let Some(location) = self.decoration(id, None, Decoration::Location) {
            self.place(type_id, location, component, slot, 0);
        } else if let Some(structure) = self.module.definition_as(block, Op::TypeStruct) {
            let members: Vec<u32> = self.module.members(&structure).collect();
            for (member, type_id) in (0..).zip(members) {
                let Some(location) = self.decoration(block, Some(member), Decoration::Location) else {
                    continue;
                };
                let component = self.decoration(block, Some(member), Decoration::Component).unwrap_or(0);
                let slot = self.slot(block, Some(member), slot);
                self.place(type_id, location, component, slot, 0);
            }
        }
    }

    /// Returns what decorations of a variable or a member say of its locations, and `outer` elsewhere.
    fn slot(&self, target: u32, member: Option<u32>, outer: Slot) -> Slot {
        let has = |decoration| self.decoration(target, member, decoration).is_some();
        let owner = match () {
            () if has(Decoration::Patch) => SlotOwner::Patch,
            () if has(Decoration::PerPrimitiveEXT) => SlotOwner::Primitive,
            () => outer.owner,
        };
        Slot { is_flat: outer.is_flat || has(Decoration::Flat), owner, ..outer }
    }

    /// Returns the first operand of a decoration of an id or of a member; 0 of one without operands.
    fn decoration(&self, target: u32, member: Option<u32>, decoration: Decoration) -> Option<u32> {
        let found = self.module.decorated_with(decoration).into_iter();
        let mut found = found.filter(|(of, inst)| *of == target && inst.member() == member);
        found.next().map(|(_, inst)| inst.operands().first().copied().unwrap_or(0))
    }

    /// Adds the locations of a type; returns the next one. Types may be nested 8 times.
    fn place(&mut self, type_id: u32, location: u32, component: u32, slot: Slot, depth: u32) -> u32 {
        let Some(definition) = self.module.definition(type_id).filter(|_| depth < 8) else {
            return location;
        };
        match definition.op() {
            Some(Op::TypeFloat | Op::TypeInt | Op::TypeBool) => {
                self.add(type_id, 1, location, component, slot);
                location + 1
            }
            Some(Op::TypeVector) => {
                self.add(definition.word(2), definition.word(3), location, component, slot);
                location + 1
            }
            Some(Op::TypeMatrix) => (0..definition.word(3).min(4)).fold(location, |location, _| {
                self.place(definition.word(2), location, component, slot, depth + 1)
            }),
            Some(Op::TypeArray) => {
                let length = self.module.constant(definition.word(3)).map_or(1, |length| length.bits());
                (0..length.min(64)).fold(location, |location, _| {
                    self.place(definition.word(2), location, component, slot, depth + 1)
                })
            }
            Some(Op::TypeStruct) => {
                let members: Vec<u32> = self.module.members(&definition).collect();
                members.into_iter().fold(location, |location, member| {
                    self.place(member, location, component, slot, depth + 1)
                })
            }
            _ => location,
        }
    }

    fn add(&mut self, scalar: u32, count: u32, location: u32, component: u32, outer: Slot) {
        let Some(definition) = self.module.definition(scalar) else { return };
        let kind = match definition.op() {
            Some(Op::TypeInt) if definition.word(3) == 1 => SlotKind::Int,
            Some(Op::TypeInt) => SlotKind::Uint,
            _ => SlotKind::Float,
        };
        let components = (component + count).min(4);
        let is_flat = outer.is_flat || kind != SlotKind::Float;
        let new = Slot { kind, components, is_flat, owner: outer.owner };
        let slot = self.slots.entry(location).or_insert(new);
        slot.components = slot.components.max(components);
        slot.is_flat |= is_flat;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_fixture(name: &str, model: ExecutionModel, class: StorageClass) -> Slots {
        let bytes = std::fs::read(format!("../fixtures/{name}")).unwrap();
        let module = Module::from_bytes(&bytes).unwrap();
        let mut entries = module.entry_points();
        slots(&module, entries.find(|entry| entry.execution_model() == model as u32).unwrap(), class)
    }

    fn slot(kind: SlotKind, components: u32, is_flat: bool) -> Slot {
        Slot { kind, components, is_flat, ..WHOLE }
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
}
