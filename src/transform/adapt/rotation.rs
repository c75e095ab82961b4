//! Rotations of values among the invocations of a sub-group, as shuffles. The number of the invocation is computed from built-in variables.

use spirv::{BuiltIn, Capability, Decoration, ExecutionModel, MemoryAccess, Op, Scope, StorageClass};

use crate::analysis::calls::DirectCalls;
use crate::analysis::requirements::is_of_kernels;
use crate::loader::{Instruction, Module, views};
use crate::transform::Edits;
use crate::transform::edits::NewInstruction;
use crate::transform::insertion::InsertionPoints;
use crate::transform::removal::count_words;

/// Returns true if an id is the constant for the scope of sub-groups.
pub(super) fn is_subgroup(module: &Module, id: u32) -> bool {
    let constant = module.definition_as(id, Op::Constant);
    constant.is_some_and(|constant| constant.word(3) == Scope::Subgroup as u32)
}

/// Returns the cluster size of a rotation; `None` for the size of the sub-group.
fn cluster_size(inst: &Instruction) -> Option<u32> {
    inst.words_from(6).first().copied()
}

/// The stages whose invocations may continue in another sub-group after a call. In these, Vulkan requires volatile
/// reads of their numbers.
const VOLATILE_STAGES: [ExecutionModel; 5] = [
    ExecutionModel::RayGenerationKHR,
    ExecutionModel::ClosestHitKHR,
    ExecutionModel::MissKHR,
    ExecutionModel::IntersectionKHR,
    ExecutionModel::CallableKHR,
];

/// The state that the rotations of a module share.
pub(super) struct Rotations<'m> {
    module: &'m Module<'m>,
    /// True if rotations without clusters stay.
    only_clustered: bool,
    /// The type of 32-bit integers without sign.
    uint: u32,
    /// The constant 1 of the integer type.
    one: u32,
    /// The type of pointers to inputs of the integer type, once a variable is added.
    pointer: Option<u32>,
    /// The variable with the number of the invocation.
    lane: BuiltInVariable,
    /// The variable with the size of sub-groups, if a rotation needs it.
    size: Option<BuiltInVariable>,
    /// The memory operands of loads of the variables, if any.
    memory_access: Option<MemoryAccess>,
}

/// A built-in variable: a 32-bit integer.
#[derive(Clone, Copy)]
struct BuiltInVariable {
    id: u32,
    type_id: u32,
}

impl<'m> Rotations<'m> {
    /// Adds the built-in variables to the module, and to the interfaces of entry points that lead to rotations. Returns `None` if no rotation is
    /// replaced, or if entry points differ in the variables, so that no function can use one for all.
    pub fn new(module: &'m Module<'m>, only_clustered: bool, edits: &mut Edits) -> Option<Rotations<'m>> {
        let mut rotations = Rotations {
            module,
            only_clustered,
            uint: 0,
            one: 0,
            pointer: None,
            lane: BuiltInVariable { id: 0, type_id: 0 },
            size: None,
            memory_access: None,
        };
        let (entry_points, needs_size) = rotations.users()?;
        rotations.uint = global(module, Op::TypeInt, None, &[32, 0], edits);
        rotations.one = global(module, Op::Constant, Some(rotations.uint), &[1], edits);
        let size = match is_of_kernels(module) {
            true => BuiltIn::SubgroupMaxSize,
            false => BuiltIn::SubgroupSize,
        };
        rotations.lane = rotations.variable(BuiltIn::SubgroupLocalInvocationId, &entry_points, edits)?;
        if needs_size {
            rotations.size = Some(rotations.variable(size, &entry_points, edits)?);
        }
        for entry_point in entry_points {
            let mut words = entry_point.words().to_vec();
            let used = std::iter::once(rotations.lane).chain(rotations.size).map(|variable| variable.id);
            words.extend(used.filter(|id| !entry_point.interface().contains(id)));
            count_words(&mut words);
            edits.replace_words(&entry_point, &words);
        }
        Some(rotations)
    }

    /// Returns true for a rotation that becomes a shuffle.
    fn is_replaced(&self, inst: &Instruction) -> bool {
        inst.is(Op::GroupNonUniformRotateKHR)
            && is_subgroup(self.module, inst.word(3))
            && (!self.only_clustered || cluster_size(inst).is_some())
    }

    /// Returns the entry points that lead to such rotations, and true if one of these has no clusters. Returns `None` if the module has none.
    fn users(&self) -> Option<(Vec<views::EntryPoint<'m>>, bool)> {
        let module = self.module;
        let mut needs_size = false;
        let mut leads = vec![false; module.functions().len()];
        for (leads, function) in leads.iter_mut().zip(module.functions()) {
            for inst in module.body(function).filter(|inst| self.is_replaced(inst)) {
                *leads = true;
                needs_size |= cluster_size(&inst).is_none();
            }
        }
        if !leads.contains(&true) {
            return None;
        }
        let calls = DirectCalls::new(module);
        for group in calls.groups() {
            let leads_one = |&at: &usize| leads[at] || calls.callees(at).any(|callee| leads[callee]);
            let is_any = group.iter().any(leads_one);
            group.iter().for_each(|&at| leads[at] = is_any);
        }
        let is_user = |entry: &views::EntryPoint| {
            module.function_index(entry.function()).is_some_and(|number| leads[number])
        };
        Some((module.entry_points().filter(is_user).collect(), needs_size))
    }

    /// Returns the variable of a built-in, which is added if the module does not have it. An entry point has at most one.
    fn variable(
        &mut self,
        built_in: BuiltIn,
        users: &[views::EntryPoint],
        edits: &mut Edits,
    ) -> Option<BuiltInVariable> {
        let module = self.module;
        let InsertionPoints { annotations, globals, .. } = InsertionPoints::find(module);
        let input = StorageClass::Input as u32;
        let known: Vec<u32> = module
            .decorations()
            .filter(|decoration| decoration.is_built_in(built_in))
            .map(|decoration| decoration.target())
            .filter(|&id| module.definition_as(id, Op::Variable).is_some_and(|inst| inst.word(3) == input))
            .collect();
        let decorate = |edits: &mut Edits, operands: Vec<u32>| {
            edits.insert(annotations, &NewInstruction::new(Op::Decorate, None, None, operands));
        };
        let variable = match known.first() {
            Some(&id) => {
                let pointer = module.definition_as(module.type_of(id)?, Op::TypePointer)?;
                let type_id = pointer.word(3);
                let int = module.definition_as(type_id, Op::TypeInt)?;
                (int.word(2) == 32).then_some(BuiltInVariable { id, type_id })?
            }
            None => {
                let pointer = *self
                    .pointer
                    .get_or_insert_with(|| global(module, Op::TypePointer, None, &[input, self.uint], edits));
                let id = edits.fresh_id();
                edits.insert(
                    globals,
                    &NewInstruction::new(Op::Variable, Some(pointer), Some(id), vec![input]),
                );
                decorate(edits, vec![id, Decoration::BuiltIn as u32, built_in as u32]);
                BuiltInVariable { id, type_id: self.uint }
            }
        };
        let lists_another =
            |entry: &views::EntryPoint| known.iter().skip(1).any(|id| entry.interface().contains(id));
        if users.iter().any(lists_another) {
            return None;
        }
        // Integers of fragment shaders are flat, and those of vertex shaders never.
        let is_in = |model: ExecutionModel| {
            users.iter().any(|entry| entry.execution_model() == model as u32)
                || module.entry_points().any(|entry| {
                    entry.execution_model() == model as u32 && entry.interface().contains(&variable.id)
                })
        };
        let mut require = |decoration: Decoration| {
            if !module.decorations_with(decoration).any(|known| known.target() == variable.id) {
                decorate(edits, vec![variable.id, decoration as u32]);
            }
        };
        if is_in(ExecutionModel::Fragment) {
            if is_in(ExecutionModel::Vertex) {
                return None;
            }
            require(Decoration::Flat);
        }
        if VOLATILE_STAGES.into_iter().any(is_in) {
            let of_model = Capability::VulkanMemoryModel as u32;
            match module.capabilities().any(|declared| declared.capability() == of_model) {
                true => self.memory_access = Some(MemoryAccess::VOLATILE),
                false => require(Decoration::Volatile),
            }
        }
        Some(variable)
    }

    /// Returns the words of the shuffle that replaces a rotation; `None` if the rotation stays.
    pub fn shuffle(&self, inst: &Instruction, edits: &mut Edits) -> Option<Vec<u32>> {
        if !self.is_replaced(inst) {
            return None;
        }
        let [type_id, result] = inst.typed_result()?;
        let mut words = Vec::new();
        let mut emit = |op: Op, type_id: u32, operands: &[u32]| {
            let id = edits.fresh_id();
            NewInstruction::new(op, Some(type_id), Some(id), operands.to_vec()).write(&mut words);
            id
        };
        let place = |variable: BuiltInVariable| {
            let memory_access = self.memory_access.map(|access| access.bits());
            [variable.id].into_iter().chain(memory_access).collect::<Vec<u32>>()
        };
        let is_word = |id: u32| {
            let int = self.module.definition_as(self.module.type_of(id)?, Op::TypeInt)?;
            Some(int.word(2) == 32)
        };
        let delta = match is_word(inst.word(5))? {
            true => inst.word(5),
            false => emit(Op::UConvert, self.uint, &[inst.word(5)]),
        };
        let size = match (cluster_size(inst), self.size) {
            (Some(size), _) if is_word(size)? => size,
            (Some(size), _) => emit(Op::UConvert, self.uint, &[size]),
            (None, size) => emit(Op::Load, size?.type_id, &place(size?)),
        };
        let lane = emit(Op::Load, self.lane.type_id, &place(self.lane));
        let sum = emit(Op::IAdd, self.uint, &[lane, delta]);
        // Of the number, only bits below the size change, which is a power of two.
        let mask = emit(Op::ISub, self.uint, &[size, self.one]);
        let changes = emit(Op::BitwiseXor, self.uint, &[lane, sum]);
        let changes = emit(Op::BitwiseAnd, self.uint, &[changes, mask]);
        let invocation = emit(Op::BitwiseXor, self.uint, &[lane, changes]);
        let operands = vec![inst.word(3), inst.word(4), invocation];
        NewInstruction::new(Op::GroupNonUniformShuffle, Some(type_id), Some(result), operands)
            .write(&mut words);
        Some(words)
    }
}

/// Returns the id of a type or constant, which is added if the module does not have it.
fn global(module: &Module, op: Op, type_id: Option<u32>, operands: &[u32], edits: &mut Edits) -> u32 {
    let is_it =
        |inst: &Instruction| inst.is(op) && inst.result_type() == type_id && inst.words().ends_with(operands);
    if let Some(known) = module.globals().find(is_it).and_then(|inst| inst.result_id()) {
        return known;
    }
    let id = edits.fresh_id();
    let place = InsertionPoints::find(module).globals;
    edits.insert(place, &NewInstruction::new(op, type_id, Some(id), operands.to_vec()));
    id
}
