//! What depends on each specialization constant of a module.

use std::collections::{BTreeMap, BTreeSet};

use spirv::{BuiltIn, ExecutionMode, Op};

use crate::analysis::Analyses;
use crate::analysis::constants::Constants;
use crate::loader::views;

/// A branch: the number of its function, and of its block in that.
pub(super) type Branch = (usize, usize);

/// What depends on the constants with a SpecId.
#[derive(Default)]
pub(super) struct Dependents {
    /// The branches that it may decide, alone or with others.
    pub branches: BTreeSet<Branch>,
    /// The number of array types.
    pub array_sizes: usize,
    /// True if the size of work-groups depends on it.
    pub work_group_size: bool,
    /// True if it may remove something without deciding a branch, whatever its value: other constants are computed from it, or a function that
    /// uses it has a branch that is decided already.
    pub frees: bool,
    /// Values that may have different outcomes.
    pub values: Vec<u64>,
}

impl Dependents {
    /// The functions with such branches, in order.
    pub fn functions(&self) -> impl Iterator<Item = usize> {
        let functions: BTreeSet<usize> = self.branches.iter().map(|&(function, _)| function).collect();
        functions.into_iter()
    }
}

/// Finds the dependents of all constants, by SpecId.
pub(super) fn find(analyses: &Analyses, constants: &Constants) -> BTreeMap<u32, Dependents> {
    let module = analyses.module();
    let mut found: BTreeMap<u32, Dependents> = BTreeMap::new();
    let mut known: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let mut spec_ids = |id: u32| match module.is_global(id) {
        true => known.entry(id).or_insert_with(|| constants.inputs(id).spec_ids).clone(),
        false => Vec::new(),
    };
    let own_spec_id = |id: u32| {
        let own = constants.spec_ids();
        own.binary_search_by_key(&id, |own| own.id).ok().map(|at| own[at].spec_id)
    };
    for array in module.globals().filter(|inst| inst.is(Op::TypeArray)).map(views::TypeArray) {
        for spec_id in spec_ids(array.length()) {
            found.entry(spec_id).or_default().array_sizes += 1;
        }
    }
    let mut work_groups = Vec::new();
    for mode in module.execution_modes().filter(|mode| mode.is(Op::ExecutionModeId)) {
        if mode.mode() == ExecutionMode::LocalSizeId as u32 {
            work_groups.extend(mode.operands().iter().flat_map(|&id| spec_ids(id)));
        }
    }
    for decoration in module.decorations().filter(|own| own.is_built_in(BuiltIn::WorkgroupSize)) {
        let size = module.definition(decoration.target()).map(|size| views::Value(size).operands());
        work_groups.extend(size.unwrap_or_default().iter().flat_map(|&id| spec_ids(id)));
    }
    for spec_id in work_groups {
        found.entry(spec_id).or_default().work_group_size = true;
    }
    // The module-scope constants that depend on those with a SpecId.
    let mut open: BTreeSet<u32> = constants.spec_ids().iter().map(|own| own.id).collect();
    for inst in module.globals() {
        if !matches!(
            inst.op(),
            Some(Op::SpecConstantOp | Op::SpecConstantComposite | Op::SpecConstantCompositeReplicateEXT)
        ) {
            continue;
        }
        let mut depends = false;
        module.walk(&inst, &mut |at: usize, id: u32| {
            depends |= at > 2 && open.contains(&id);
            if let Some(spec_id) = own_spec_id(id).filter(|_| inst.is(Op::SpecConstantOp)) {
                found.entry(spec_id).or_default().frees = true;
            }
        });
        if depends {
            open.insert(views::Value(inst).id());
        }
    }
    let references = &analyses.references().0;
    analyses.with_flow(|flow| {
        for (at, function) in module.functions().iter().enumerate() {
            let used = || references.of_function(at).iter().filter(|id| open.contains(id));
            if used().next().is_none() || !flow.read(function) {
                continue;
            }
            flow.solve(&mut |_| None);
            if flow.decisions().next().is_some() {
                for spec_id in used().flat_map(|&id| spec_ids(id)) {
                    found.entry(spec_id).or_default().frees = true;
                }
            }
            for own in flow.dependences() {
                if !flow.runs(own.block) || flow.decided(own.block).is_some() {
                    continue;
                }
                for spec_id in spec_ids(own.constant) {
                    found.entry(spec_id).or_default().branches.insert((at, own.block));
                }
                if let Some(spec_id) = own_spec_id(own.constant) {
                    found.entry(spec_id).or_default().values.extend(own.values);
                }
            }
        }
    });
    found
}
