//! Stages that stand beside those of a module in a pipeline, because the module has none of them.
//!
//! They write what the next stage reads, in values that no compiler replaces by constants, and read what the stage before them writes.

use spirv::{BuiltIn, Decoration, ExecutionMode, ExecutionModel, Op, StorageClass};

use super::slots::{SlotKind, SlotOwner, Slots, WHOLE};
use super::stage_writer::{ElementIndex, StageWriter};

/// Returns a vertex shader that writes a position and all locations that the next stage reads. All components differ from each other and from vertex
/// to vertex, so that no compiler removes one.
pub fn vertex_stage(outputs: &Slots) -> Vec<u32> {
    let mut stage = StageWriter::new();
    let int = stage.scalar(SlotKind::Int);
    let index = stage.built_in(int, StorageClass::Input, BuiltIn::VertexIndex, &[]);
    let number = stage.code(Op::Load, int, &[index]);
    stage.write(outputs, number, None);
    write_position(&mut stage, number);
    stage.finish(ExecutionModel::Vertex, &[], false)
}

fn write_position(stage: &mut StageWriter, number: u32) {
    let vector = stage.numbers(SlotKind::Float, 4);
    let position = stage.built_in(vector, StorageClass::Output, BuiltIn::Position, &[]);
    let value = stage.value(&WHOLE, number);
    stage.statement(Op::Store, &[position, value]);
}

/// Writes one element of an array of positions.
fn write_element_position(stage: &mut StageWriter, number: u32, elements: ElementIndex) {
    let vector = stage.numbers(SlotKind::Float, 4);
    let array = stage.array(vector, elements.length);
    let positions = stage.built_in(array, StorageClass::Output, BuiltIn::Position, &[]);
    let position = stage.element(positions, vector, StorageClass::Output, elements.index);
    let value = stage.value(&WHOLE, number);
    stage.statement(Op::Store, &[position, value]);
}

/// Returns a tessellation control shader that writes positions, levels and all locations that the next stage reads, for patches of some vertices.
pub fn control_stage(outputs: &Slots, vertices: u32) -> Vec<u32> {
    let mut stage = StageWriter::new();
    let (int, float) = (stage.scalar(SlotKind::Int), stage.scalar(SlotKind::Float));
    let invocation = stage.built_in(int, StorageClass::Input, BuiltIn::InvocationId, &[]);
    let number = stage.code(Op::Load, int, &[invocation]);
    let elements = ElementIndex { length: vertices, index: number };
    stage.write(outputs, number, Some(elements));
    write_element_position(&mut stage, number, elements);
    let level = stage.constant(SlotKind::Float, 2f32.to_bits());
    for (built_in, length) in [(BuiltIn::TessLevelOuter, 4), (BuiltIn::TessLevelInner, 2)] {
        let array = stage.array(float, length);
        let levels = stage.built_in(array, StorageClass::Output, built_in, &[Decoration::Patch as u32]);
        for index in 0..length {
            let index = stage.constant(SlotKind::Int, index);
            let pointer = stage.element(levels, float, StorageClass::Output, index);
            stage.statement(Op::Store, &[pointer, level]);
        }
    }
    stage.finish(ExecutionModel::TessellationControl, &[(ExecutionMode::OutputVertices, &[vertices])], false)
}

/// Returns a tessellation evaluation shader that reads all locations that the stage before it writes, and positions if it writes them; and that writes
/// a position and all locations that the next stage reads. `modes` are the domain, the spacing and the order that the stage before it does not have.
pub fn evaluation_stage(
    inputs: &Slots,
    reads_position: bool,
    outputs: &Slots,
    modes: &[ExecutionMode],
) -> Vec<u32> {
    let mut stage = StageWriter::new();
    let (int, float) = (stage.scalar(SlotKind::Int), stage.scalar(SlotKind::Float));
    let index = stage.constant(SlotKind::Int, 0);
    let elements = ElementIndex { length: MAX_PATCH_VERTICES, index };
    let mut sum = stage.read(inputs, Some(elements));
    if reads_position {
        let vector = stage.numbers(SlotKind::Float, 4);
        let array = stage.array(vector, elements.length);
        let positions = stage.built_in(array, StorageClass::Input, BuiltIn::Position, &[]);
        let position = stage.element(positions, vector, StorageClass::Input, index);
        let position = stage.code(Op::Load, vector, &[position]);
        for component in 0..4 {
            let part = stage.code(Op::CompositeExtract, float, &[position, component]);
            sum = stage.code(Op::FAdd, float, &[sum, part]);
        }
    }
    let triple = stage.numbers(SlotKind::Float, 3);
    let at = stage.built_in(triple, StorageClass::Input, BuiltIn::TessCoord, &[]);
    let at = stage.code(Op::Load, triple, &[at]);
    let at = stage.code(Op::CompositeExtract, float, &[at, 0]);
    let sum = stage.code(Op::FAdd, float, &[sum, at]);
    let number = stage.code(Op::ConvertFToS, int, &[sum]);
    stage.write(outputs, number, None);
    write_position(&mut stage, number);
    let modes: Vec<(ExecutionMode, &[u32])> = modes.iter().map(|mode| (*mode, &[][..])).collect();
    stage.finish(ExecutionModel::TessellationEvaluation, &modes, false)
}

/// The length of arrays of a patch's vertices that are inputs, which Vulkan allows on every device.
const MAX_PATCH_VERTICES: u32 = 32;

/// Returns a fragment shader that reads all locations that the stage before it writes, and writes their sum.
pub fn fragment_stage(inputs: &Slots) -> Vec<u32> {
    let mut stage = StageWriter::new();
    let sum = stage.read(inputs, None);
    let vector = stage.numbers(SlotKind::Float, 4);
    let value = stage.code(Op::CompositeConstruct, vector, &[sum, sum, sum, sum]);
    let target = stage.variable(vector, StorageClass::Output, &[&[Decoration::Location as u32, 0]]);
    stage.statement(Op::Store, &[target, value]);
    let of_mesh = inputs.values().any(|slot| slot.owner == SlotOwner::Primitive);
    stage.finish(ExecutionModel::Fragment, &[(ExecutionMode::OriginUpperLeft, &[])], of_mesh)
}

/// Returns a mesh shader of one triangle that writes all locations that the next stage reads.
pub fn mesh_stage(outputs: &Slots) -> Vec<u32> {
    let mut stage = StageWriter::new();
    let (int, uint) = (stage.scalar(SlotKind::Int), stage.scalar(SlotKind::Uint));
    let [zero, one, two, three] = [0, 1, 2, 3].map(|number| stage.constant(SlotKind::Uint, number));
    stage.statement(Op::SetMeshOutputsEXT, &[three, one]);
    let invocation = stage.built_in(uint, StorageClass::Input, BuiltIn::LocalInvocationIndex, &[]);
    let invocation = stage.code(Op::Load, uint, &[invocation]);
    let number = stage.code(Op::Bitcast, int, &[invocation]);
    let of_owner = |owner: SlotOwner| -> Slots {
        outputs.iter().filter(|(_, slot)| slot.owner == owner).map(|(at, slot)| (*at, *slot)).collect()
    };
    let elements = ElementIndex { length: 3, index: number };
    stage.write(&of_owner(SlotOwner::Vertex), number, Some(elements));
    let primitive = ElementIndex { length: 1, index: zero };
    stage.write(&of_owner(SlotOwner::Primitive), number, Some(primitive));
    write_element_position(&mut stage, number, elements);
    let triple = stage.numbers(SlotKind::Uint, 3);
    let array = stage.array(triple, 1);
    let indices = stage.built_in(array, StorageClass::Output, BuiltIn::PrimitiveTriangleIndicesEXT, &[]);
    let pointer = stage.element(indices, triple, StorageClass::Output, zero);
    let triangle = stage.code(Op::CompositeConstruct, triple, &[zero, one, two]);
    stage.statement(Op::Store, &[pointer, triangle]);
    let modes: [(ExecutionMode, &[u32]); 4] = [
        (ExecutionMode::LocalSize, &[3, 1, 1]),
        (ExecutionMode::OutputVertices, &[3]),
        (ExecutionMode::OutputPrimitivesEXT, &[1]),
        (ExecutionMode::OutputTrianglesEXT, &[]),
    ];
    stage.finish(ExecutionModel::MeshEXT, &modes, true)
}

#[cfg(test)]
mod tests {
    use spirv_if::Module;

    use super::*;
    use crate::statistics::slots::Slot;

    #[test]
    #[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
    fn stages_that_are_written_are_valid() {
        let kinds = [SlotKind::Float, SlotKind::Int, SlotKind::Uint];
        let all_of = |owners: &[SlotOwner]| -> Slots {
            let kinds = kinds.into_iter().cycle().zip(owners.iter().cycle());
            let slot = |(location, (kind, owner)): (u32, (SlotKind, &SlotOwner))| {
                let is_flat = kind != SlotKind::Float;
                (location, Slot { kind, components: location % 4 + 1, is_flat, owner: *owner })
            };
            (0..).zip(kinds).take(12).map(slot).collect()
        };
        let none = Slots::new();
        let vertices = all_of(&[SlotOwner::Vertex]);
        let patches = all_of(&[SlotOwner::Vertex, SlotOwner::Patch]);
        let primitives = all_of(&[SlotOwner::Vertex, SlotOwner::Primitive]);
        let modes = [ExecutionMode::Quads, ExecutionMode::SpacingEqual, ExecutionMode::VertexOrderCcw];
        let stages = [
            vertex_stage(&none),
            vertex_stage(&vertices),
            fragment_stage(&none),
            fragment_stage(&vertices),
            fragment_stage(&primitives),
            control_stage(&none, 3),
            control_stage(&patches, 4),
            evaluation_stage(&none, false, &none, &modes),
            evaluation_stage(&patches, true, &vertices, &modes),
            mesh_stage(&none),
            mesh_stage(&primitives),
        ];
        for words in stages {
            Module::from_words(words).unwrap().validate().unwrap();
        }
    }
}
