//! Sizes of work-groups without the execution mode LocalSizeId: LocalSize, and the built-in WorkgroupSize where specialization decides them.

use std::collections::BTreeSet;

use spirv::{BuiltIn, Decoration, ExecutionMode, ExecutionModel, Op};

use crate::analysis::requirements::is_of_kernels;
use crate::loader::{Instruction, Module, views};
use crate::transform::Edits;
use crate::transform::edits::NewInstruction;
use crate::transform::insertion::InsertionPoints;

/// The stages with work-groups.
const WITH_WORK_GROUPS: [ExecutionModel; 5] = [
    ExecutionModel::GLCompute,
    ExecutionModel::TaskNV,
    ExecutionModel::MeshNV,
    ExecutionModel::TaskEXT,
    ExecutionModel::MeshEXT,
];

/// The sizes of the work-groups of a module.
pub(super) enum LocalSizes {
    /// A constant is decorated WorkgroupSize. It takes precedence over execution modes.
    BuiltIn,
    /// All entry points have the same size, of these constants.
    Shared([u32; 3]),
    /// Entry points differ, and WorkgroupSize would set the size of all of them.
    Different,
}

impl LocalSizes {
    pub fn new(module: &Module) -> LocalSizes {
        let is_size = |decoration: views::Decoration| {
            let constant = module.definition(decoration.target()).and_then(views::ConstantComposite::new);
            decoration.is_built_in(BuiltIn::WorkgroupSize) && constant.is_some()
        };
        if module.decorations().any(is_size) {
            return LocalSizes::BuiltIn;
        }
        // In kernels, WorkgroupSize is a variable.
        if is_of_kernels(module) {
            return LocalSizes::Different;
        }
        let has_work_groups = |entry: &views::EntryPoint| {
            WITH_WORK_GROUPS.iter().any(|&model| model as u32 == entry.execution_model())
        };
        let mut modes = module.execution_modes().filter(is_local_size_id);
        let Some(Some(shared)) = modes.next().map(constants) else { return LocalSizes::Different };
        let mut with_size = BTreeSet::new();
        for mode in module.execution_modes().filter(is_local_size_id) {
            if constants(mode) != Some(shared) {
                return LocalSizes::Different;
            }
            with_size.insert(mode.entry_point());
        }
        let mut entry_points = module.entry_points().filter(has_work_groups);
        match entry_points.all(|entry| with_size.contains(&entry.function())) {
            true => LocalSizes::Shared(shared),
            false => LocalSizes::Different,
        }
    }

    /// Returns the words of the mode LocalSize that replaces a mode LocalSizeId, if the module has one. The first mode
    /// with constants that can be specialized adds the built-in.
    pub fn literal_mode(
        &mut self,
        module: &Module,
        mode: views::ExecutionMode,
        edits: &mut Edits,
    ) -> Option<Vec<u32>> {
        let ids = constants(mode)?;
        let literals = ids.map(|id| module.constant(id).map(|constant| constant.low_word()));
        let sizes = match (literals, &self) {
            ([Some(x), Some(y), Some(z)], _) => [x, y, z],
            (_, LocalSizes::BuiltIn) => [1; 3],
            (_, LocalSizes::Shared(ids)) => {
                add_built_in(module, *ids, edits)?;
                *self = LocalSizes::BuiltIn;
                [1; 3]
            }
            (_, LocalSizes::Different) => return None,
        };
        let operands = [&[mode.entry_point(), ExecutionMode::LocalSize as u32], sizes.as_slice()].concat();
        let mut words = Vec::new();
        NewInstruction::new(Op::ExecutionMode, None, None, operands).write(&mut words);
        Some(words)
    }
}

fn is_local_size_id(mode: &views::ExecutionMode) -> bool {
    mode.mode() == ExecutionMode::LocalSizeId as u32
}

fn constants(mode: views::ExecutionMode) -> Option<[u32; 3]> {
    mode.operands().try_into().ok()
}

/// Adds a constant of three sizes, decorated WorkgroupSize. Returns `None` if one of them is not a 32-bit integer.
fn add_built_in(module: &Module, ids: [u32; 3], edits: &mut Edits) -> Option<()> {
    let is_int = |type_: &Instruction| type_.is(Op::TypeInt) && type_.word(2) == 32;
    let types = ids.map(|id| module.definition(module.type_of(id)?).filter(is_int)?.result_id());
    let [Some(first), Some(second), Some(third)] = types else { return None };
    let InsertionPoints { annotations, globals, .. } = InsertionPoints::find(module);
    let find_type = |op: Op, operands: &[u32]| {
        let is_it = |inst: &Instruction| inst.is(op) && inst.words_from(2) == operands;
        module.globals().find(is_it).and_then(|inst| inst.result_id())
    };
    let add = |edits: &mut Edits, op: Op, type_id: Option<u32>, operands: Vec<u32>| {
        let id = edits.fresh_id();
        edits.insert(globals, &NewInstruction::new(op, type_id, Some(id), operands));
        id
    };
    let mut ids = ids;
    let mut element = first;
    if second != first || third != first {
        // Members of a vector have one type. The sum of numbers is of either signedness.
        element =
            find_type(Op::TypeInt, &[32, 0]).unwrap_or_else(|| add(edits, Op::TypeInt, None, vec![32, 0]));
        let zero = add(edits, Op::Constant, Some(element), vec![0]);
        for id in ids.iter_mut().filter(|id| module.type_of(**id) != Some(element)) {
            *id = add(edits, Op::SpecConstantOp, Some(element), vec![Op::IAdd as u32, *id, zero]);
        }
    }
    let vector = find_type(Op::TypeVector, &[element, 3])
        .unwrap_or_else(|| add(edits, Op::TypeVector, None, vec![element, 3]));
    let size = add(edits, Op::SpecConstantComposite, Some(vector), ids.to_vec());
    let operands = vec![size, Decoration::BuiltIn as u32, BuiltIn::WorkgroupSize as u32];
    edits.insert(annotations, &NewInstruction::new(Op::Decorate, None, None, operands));
    Some(())
}
