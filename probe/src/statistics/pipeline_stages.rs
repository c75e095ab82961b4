//! The pipelines that are made of a module: which entry points each has, and which stages are written beside them.

use spirv::{BuiltIn, Decoration, ExecutionMode, ExecutionModel, Op, StorageClass};
use spirv_if::Module;
use spirv_if::engine::loader::{self, views};
use spirv_if_inspect::statistics::CompileFailure;

use super::companions::{control_stage, evaluation_stage, fragment_stage, mesh_stage, vertex_stage};
use super::slots::{SlotOwner, Slots, WHOLE, slots, vertices};

/// The entry points of one pipeline.
pub struct PipelineStages {
    pub kind: PipelineKind,
    /// The execution model and the name of each.
    pub entries: Vec<(ExecutionModel, String)>,
    /// Stages that are written here, because the module has none of them.
    pub companions: Vec<(ExecutionModel, Vec<u32>)>,
}

/// The kind of a pipeline, and what its state has from the interfaces of stages.
pub enum PipelineKind {
    Compute,
    Graphics(GraphicsState),
    /// One stage of rays, with payloads of this many bytes at most.
    Rays(u32),
}

/// The parts of the state of a graphics pipeline that its stages decide.
pub struct GraphicsState {
    /// The attributes of vertices.
    pub inputs: Slots,
    /// The colours that are written.
    pub colors: Slots,
    /// The primitives that the first stage gets, unless it is a stage of meshes.
    pub primitives: InputPrimitives,
}

/// Primitives that are assembled of vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputPrimitives {
    Points,
    Lines,
    LinesWithAdjacency,
    Triangles,
    TrianglesWithAdjacency,
    /// Patches with a number of vertices.
    Patches(u32),
}

/// An entry point, and its execution model.
type Entry<'m> = (ExecutionModel, views::EntryPoint<'m>);

impl PipelineStages {
    /// Returns the pipelines of a module: one for each entry point of compute shaders and of stages of rays, and one of all graphics stages, if there
    /// is one of each, or else one for each of these.
    ///
    /// # Errors
    /// If there are no entry points, or some of a stage that no pipeline is made of.
    pub fn of_module(module: &Module) -> Result<Vec<PipelineStages>, CompileFailure> {
        let module = &module.inner;
        let (mut pipelines, mut of_vertices, mut of_meshes) = (Vec::new(), Vec::new(), Vec::new());
        for view in module.entry_points() {
            use ExecutionModel::*;
            let model = ExecutionModel::from_u32(view.execution_model());
            let entry = |model| vec![(model, view.name().into_owned())];
            match model {
                Some(GLCompute) => pipelines.push(PipelineStages {
                    kind: PipelineKind::Compute,
                    entries: entry(GLCompute),
                    companions: Vec::new(),
                }),
                Some(model @ (Vertex | TessellationControl | TessellationEvaluation | Geometry)) => {
                    of_vertices.push((model, view));
                }
                Some(model @ (TaskEXT | MeshEXT)) => of_meshes.push((model, view)),
                // A fragment shader that reads values of primitives is for meshes.
                Some(model @ Fragment) => match of_primitives(&slots(module, view, StorageClass::Input)) {
                    true => of_meshes.push((model, view)),
                    false => of_vertices.push((model, view)),
                },
                Some(
                    model @ (RayGenerationKHR | IntersectionKHR | AnyHitKHR | ClosestHitKHR | MissKHR
                    | CallableKHR),
                ) => pipelines.push(PipelineStages {
                    kind: PipelineKind::Rays(largest_payload(module, view)),
                    entries: entry(model),
                    companions: Vec::new(),
                }),
                other => {
                    let stage =
                        other.map_or_else(|| "an unknown stage".to_owned(), |model| format!("{model:?}"));
                    return Err(CompileFailure::Unsupported(format!(
                        "entry point `{}` is of {stage}, of which no pipeline is made",
                        view.name()
                    )));
                }
            }
        }
        // A fragment shader may be that of the only mesh shader.
        if of_vertices.iter().all(|(model, _)| *model == ExecutionModel::Fragment) && !of_meshes.is_empty() {
            of_meshes.append(&mut of_vertices);
        }
        for entries in [of_vertices, of_meshes] {
            let is_one_of_each = entries
                .iter()
                .all(|(model, _)| entries.iter().filter(|(other, _)| other == model).count() == 1);
            match is_one_of_each {
                true if entries.is_empty() => {}
                true => pipelines.push(graphics(module, &entries)),
                false => pipelines.extend(entries.iter().map(|entry| graphics(module, &[*entry]))),
            }
        }
        match pipelines.is_empty() {
            true => Err(CompileFailure::Unsupported("the module has no entry points".to_owned())),
            false => Ok(pipelines),
        }
    }
}

fn of_primitives(slots: &Slots) -> bool {
    slots.values().any(|slot| slot.owner == SlotOwner::Primitive)
}

/// Returns the pipeline of some graphics stages, one of each at most.
fn graphics(module: &loader::Module, entries: &[Entry]) -> PipelineStages {
    use ExecutionModel::*;
    let find = |model| entries.iter().find(|(of_entry, _)| *of_entry == model).map(|(_, view)| *view);
    let has = |model| find(model).is_some();
    let of = |model, class| find(model).map(|view| slots(module, view, class)).unwrap_or_default();
    // The locations that the first of some stages reads, and that the last of some writes.
    let read_by = |models: &[ExecutionModel]| -> Slots {
        let first = models.iter().find(|model| has(**model));
        first.map(|model| of(*model, StorageClass::Input)).unwrap_or_default()
    };
    let is_of_fragments = entries.iter().all(|(model, _)| *model == Fragment);
    let is_of_meshes =
        has(TaskEXT) || has(MeshEXT) || is_of_fragments && of_primitives(&read_by(&[Fragment]));
    let primitives = primitives(module, entries);
    let is_tessellated = matches!(primitives, InputPrimitives::Patches(_));
    let mut companions = Vec::new();
    if is_of_meshes && !has(MeshEXT) {
        companions.push((MeshEXT, mesh_stage(&read_by(&[Fragment]))));
    }
    if !is_of_meshes && !has(Vertex) {
        let next: &[ExecutionModel] = match is_tessellated {
            true => &[TessellationControl],
            false => &[Geometry, Fragment],
        };
        companions.push((Vertex, vertex_stage(&read_by(next))));
    }
    if let InputPrimitives::Patches(count) = primitives
        && !has(TessellationControl)
    {
        companions.push((TessellationControl, control_stage(&read_by(&[TessellationEvaluation]), count)));
    }
    if let Some(control) = find(TessellationControl).filter(|_| !has(TessellationEvaluation)) {
        let words = evaluation_stage(
            &slots(module, control, StorageClass::Output),
            writes_position(module, control),
            &read_by(&[Geometry, Fragment]),
            &missing_modes(module, control),
        );
        companions.push((TessellationEvaluation, words));
    }
    if !has(Fragment) {
        let last = [MeshEXT, Geometry, TessellationEvaluation].into_iter().find(|model| has(*model));
        let written = match last {
            Some(last) => of(last, StorageClass::Output),
            // The last stage is a companion.
            None if is_tessellated || is_of_meshes => Slots::new(),
            None => of(Vertex, StorageClass::Output),
        };
        companions.push((Fragment, fragment_stage(&written)));
    }
    let colors = match has(Fragment) {
        true => of(Fragment, StorageClass::Output),
        false => Slots::from([(0, WHOLE)]),
    };
    let state = GraphicsState { inputs: of(Vertex, StorageClass::Input), colors, primitives };
    PipelineStages {
        kind: PipelineKind::Graphics(state),
        entries: entries.iter().map(|(model, view)| (*model, view.name().into_owned())).collect(),
        companions,
    }
}

/// Returns the execution modes of an entry point with their first operands.
fn modes<'m>(
    module: &'m loader::Module,
    entry: views::EntryPoint<'m>,
) -> impl Iterator<Item = (ExecutionMode, u32)> + use<'m> {
    let of_entry = module.execution_modes().filter(move |mode| mode.entry_point() == entry.function());
    of_entry.filter_map(|mode| {
        Some((ExecutionMode::from_u32(mode.mode())?, mode.operands().first().copied().unwrap_or(0)))
    })
}

/// Returns the primitives that the stages get.
fn primitives(module: &loader::Module, entries: &[Entry]) -> InputPrimitives {
    use ExecutionModel::{Geometry, TessellationControl, TessellationEvaluation};
    let find = |model| entries.iter().find(|(of_entry, _)| *of_entry == model).map(|(_, view)| *view);
    // An array of inputs may have the largest length that devices allow.
    let length = |entry| {
        let vertices = vertices(module, entry, StorageClass::Input);
        vertices.filter(|vertices| (1..MAX_PATCH_VERTICES).contains(vertices))
    };
    if let Some(control) = find(TessellationControl) {
        let written = modes(module, control).find(|(mode, _)| *mode == ExecutionMode::OutputVertices);
        return InputPrimitives::Patches(length(control).or(written.map(|(_, count)| count)).unwrap_or(3));
    }
    if let Some(evaluation) = find(TessellationEvaluation) {
        let of_domain = modes(module, evaluation).find_map(|(mode, _)| match mode {
            ExecutionMode::Quads => Some(4),
            ExecutionMode::Isolines => Some(2),
            _ => None,
        });
        return InputPrimitives::Patches(length(evaluation).or(of_domain).unwrap_or(3));
    }
    let of_geometry = find(Geometry).and_then(|geometry| {
        modes(module, geometry).find_map(|(mode, _)| match mode {
            ExecutionMode::InputPoints => Some(InputPrimitives::Points),
            ExecutionMode::InputLines => Some(InputPrimitives::Lines),
            ExecutionMode::InputLinesAdjacency => Some(InputPrimitives::LinesWithAdjacency),
            ExecutionMode::InputTrianglesAdjacency => Some(InputPrimitives::TrianglesWithAdjacency),
            _ => None,
        })
    });
    of_geometry.unwrap_or(InputPrimitives::Triangles)
}

/// The length of arrays of inputs that have no length in sources.
const MAX_PATCH_VERTICES: u32 = 32;

/// Returns the execution modes of tessellation that a control shader does not have.
fn missing_modes(module: &loader::Module, control: views::EntryPoint) -> Vec<ExecutionMode> {
    use ExecutionMode::*;
    let groups: [&[ExecutionMode]; 3] = [
        &[Triangles, Quads, Isolines],
        &[SpacingEqual, SpacingFractionalEven, SpacingFractionalOdd],
        &[VertexOrderCcw, VertexOrderCw],
    ];
    let has = |mode: &ExecutionMode| modes(module, control).any(|(of_entry, _)| of_entry == *mode);
    let missing = groups.into_iter().filter(|group| !group.iter().any(has));
    missing.map(|group| group[0]).collect()
}

/// Returns the bytes of the largest payload of an entry point, or an upper bound.
fn largest_payload(module: &loader::Module, entry: views::EntryPoint) -> u32 {
    use StorageClass::{CallableDataKHR, IncomingCallableDataKHR, IncomingRayPayloadKHR, RayPayloadKHR};
    let classes = [RayPayloadKHR, IncomingRayPayloadKHR, CallableDataKHR, IncomingCallableDataKHR];
    let size = |&id: &u32| {
        let variable = module.definition_as(id, Op::Variable).map(views::Variable)?;
        let is_payload = classes.iter().any(|class| *class as u32 == variable.storage_class());
        is_payload.then(|| Some(bytes(module, module.pointee(variable.type_id())?, 0)))?
    };
    entry.interface().iter().filter_map(size).max().unwrap_or(0)
}

/// Returns the bytes of a type, of which each part takes a multiple of 8. Types may be nested 16 times.
fn bytes(module: &loader::Module, type_id: u32, depth: u32) -> u32 {
    let Some(definition) = module.definition(type_id).filter(|_| depth < 16) else { return 0 };
    let of_part = |part| bytes(module, part, depth + 1);
    let size = match definition.op() {
        Some(Op::TypeVector | Op::TypeMatrix) => {
            of_part(definition.word(2)).saturating_mul(definition.word(3))
        }
        Some(Op::TypeArray) => {
            let length = module.constant(definition.word(3)).map_or(1, |length| length.low_word());
            of_part(definition.word(2)).saturating_mul(length)
        }
        Some(Op::TypeStruct) => module.members(&definition).map(of_part).fold(0, u32::saturating_add),
        _ => 8,
    };
    size.min(MAX_PAYLOAD)
}

/// Limit on the bytes of payloads.
const MAX_PAYLOAD: u32 = 4096;

/// Returns true if a stage has an output for positions.
fn writes_position(module: &loader::Module, entry: views::EntryPoint) -> bool {
    let positions = module.decorated_with(Decoration::BuiltIn).into_iter();
    let positions: Vec<u32> = positions
        .filter(|(_, decorated)| decorated.operands().first() == Some(&(BuiltIn::Position as u32)))
        .map(|(target, _)| target)
        .collect();
    entry.interface().iter().any(|&id| {
        let Some(variable) = module.definition_as(id, Op::Variable).map(views::Variable) else {
            return false;
        };
        let block = module.pointee(variable.type_id()).map(|pointee| module.without_arrays(pointee));
        variable.storage_class() == StorageClass::Output as u32
            && (positions.contains(&id) || block.is_some_and(|block| positions.contains(&block)))
    })
}
