//! Specialization constants of a module, and their dependents.

use std::collections::BTreeSet;

use spirv::{BuiltIn, ExecutionMode, Op};

use super::context::InspectContext;
use super::model::{DecidedByConstant, DecidedByValue, DeclarationName, SpecConstantReport};
use super::trials::{TrialEffect, TrialResult, Trials};
use spirv_if::engine::analysis::Analyses;
use spirv_if::engine::analysis::constants::Constants;
use spirv_if::engine::analysis::constants::folding::Scalar;
use spirv_if::engine::analysis::flow::{Running, Solution};
use spirv_if::engine::collections::IdMap;
use spirv_if::engine::loader::{Module, views};
use spirv_if::specialize::SpecValue;

impl InspectContext<'_, '_> {
    /// Reports on the constants that the host can set, ordered by SpecId.
    pub(super) fn spec_constants(&self) -> Vec<SpecConstantReport> {
        let module = self.module;
        let mut constants = Constants::defaults(module);
        let spec_ids = self.analyses.spec_constants();
        if spec_ids.is_empty() {
            return Vec::new();
        }
        let mut dependents = dependents(self.analyses, &constants);
        let mut trials = Trials::new(self);
        // Constants with the same SpecId follow each other.
        let mut last: Option<(u32, Option<TrialResult>)> = None;
        let mut reports = Vec::with_capacity(spec_ids.len());
        for &constant in spec_ids {
            let scalar = scalar(module, constant.id);
            let default = constants.value(constant.id);
            let dependents = &*dependents.entry(constant.spec_id).or_default();
            let known = last.take().filter(|&(spec_id, _)| spec_id == constant.spec_id);
            let (_, tried) = &*last.insert(known.unwrap_or_else(|| {
                let is_bool = scalar == Some(Scalar::Bool);
                let undecided = if is_bool { vec![1, 0] } else { default.into_iter().collect() };
                (constant.spec_id, trials.try_values(constant.spec_id, dependents, &undecided, is_bool))
            }));
            let (branches, values) = match (tried, scalar) {
                (Some(tried), Some(scalar)) => {
                    (dependents.branches.union(&tried.branches).count(), decided_by_values(tried, scalar))
                }
                _ => (dependents.branches.len(), Vec::new()),
            };
            reports.push(SpecConstantReport {
                spec_id: constant.spec_id,
                id: constant.id,
                name: self
                    .names
                    .name(constant.id)
                    .filter(|name| !name.is_empty())
                    .map(|name| name.into_owned().into()),
                type_: scalar.map_or_else(|| "unknown".into(), type_name),
                default: scalar.zip(default).map(|(scalar, default)| SpecValue::new(scalar, default)),
                decides: DecidedByConstant {
                    branches,
                    array_sizes: dependents.array_sizes,
                    work_group_size: dependents.work_group_size,
                    values,
                    untried: tried.is_none(),
                },
            });
        }
        reports
    }
}

/// Converts trials to the form of the report: both values of a Boolean. For numbers the result is empty if no
/// value removes anything.
fn decided_by_values(tried: &TrialResult, scalar: Scalar) -> Vec<DecidedByValue> {
    if scalar != Scalar::Bool && !tried.outcomes.iter().any(TrialEffect::removes) {
        return Vec::new();
    }
    let decided = |effect: &TrialEffect| DecidedByValue {
        value: SpecValue::new(scalar, effect.value),
        blocks: effect.blocks,
        functions: effect.functions,
        capabilities: effect.capabilities.clone(),
    };
    tried.outcomes.iter().map(decided).collect()
}

/// Returns the type of a constant, if it is a scalar.
pub(crate) fn scalar(module: &Module, id: u32) -> Option<Scalar> {
    Scalar::from_type(module, module.type_of(id)?)
}

/// Returns the name of a type: `bool`, `int32`, `uint32`, `float32`.
fn type_name(scalar: Scalar) -> DeclarationName {
    match scalar {
        Scalar::Bool => "bool".into(),
        Scalar::Int { width, signed: true } => format!("int{width}").into(),
        Scalar::Int { width, signed: false } => format!("uint{width}").into(),
        Scalar::Float(width) => format!("float{width}").into(),
        Scalar::OtherFloat { width, encoding } => format!("float{width} of encoding {encoding}").into(),
    }
}

/// A branch: the number of its function, and of its block in that.
pub(super) type BranchIndex = (usize, usize);

/// Dependents of the constants with one SpecId.
#[derive(Default)]
pub(super) struct Dependents {
    /// The branches that they may decide, alone or with other constants.
    pub branches: BTreeSet<BranchIndex>,
    /// The number of array types.
    pub array_sizes: usize,
    /// True if the size of work-groups depends on the constants.
    pub work_group_size: bool,
    /// True if any value may remove something without deciding a branch. Either other constants are computed
    /// from these, or a branch is already decided in a function that uses them.
    pub frees: bool,
}

/// Finds the dependents of all constants of a module.
struct DependentsFinder<'f, 'm, 'c> {
    module: &'m Module<'m>,
    constants: &'f Constants<'c>,
    /// Dependents by SpecId.
    by_spec_id: IdMap<Dependents>,
    /// The SpecIds that each module-scope constant depends on, by id.
    known: IdMap<Vec<u32>>,
}

/// Finds the dependents of all constants, by SpecId.
pub(super) fn dependents(analyses: &Analyses, constants: &Constants) -> IdMap<Dependents> {
    let module = analyses.module();
    let mut finder = DependentsFinder { module, constants, by_spec_id: IdMap::new(), known: IdMap::new() };
    finder.sizes();
    let open = finder.open();
    finder.branches(analyses, &open);
    finder.by_spec_id
}

impl DependentsFinder<'_, '_, '_> {
    fn dependents_mut(&mut self, spec_id: u32) -> &mut Dependents {
        self.by_spec_id.entry(spec_id).or_default()
    }

    /// Returns the SpecIds that the value of a module-scope constant depends on.
    fn spec_ids(&mut self, id: u32) -> Vec<u32> {
        match self.module.is_global(id) {
            true => self.known.entry(id).or_insert_with(|| self.constants.inputs(id).spec_ids).clone(),
            false => Vec::new(),
        }
    }

    /// Returns the SpecId of the constant, ignoring its operands.
    fn own_spec_id(&self, id: u32) -> Option<u32> {
        let all = self.constants.spec_constants();
        all.binary_search_by_key(&id, |constant| constant.id).ok().map(|at| all[at].spec_id)
    }

    /// Finds the array types and work-group sizes that depend on constants.
    fn sizes(&mut self) {
        let module = self.module;
        for array in module.globals().filter(|inst| inst.is(Op::TypeArray)).map(views::TypeArray) {
            for spec_id in self.spec_ids(array.length()) {
                self.dependents_mut(spec_id).array_sizes += 1;
            }
        }
        let mut work_groups = Vec::new();
        for mode in module.execution_modes().filter(|mode| mode.is(Op::ExecutionModeId)) {
            if mode.mode() == ExecutionMode::LocalSizeId as u32 {
                work_groups.extend_from_slice(mode.operands());
            }
        }
        for decoration in
            module.decorations().filter(|decoration| decoration.is_built_in(BuiltIn::WorkgroupSize))
        {
            let size = module.definition(decoration.target()).map(|size| views::Value(size).operands());
            work_groups.extend_from_slice(size.unwrap_or_default());
        }
        for id in work_groups {
            for spec_id in self.spec_ids(id) {
                self.dependents_mut(spec_id).work_group_size = true;
            }
        }
    }

    /// Returns the module-scope constants that depend on those with a SpecId.
    fn open(&mut self) -> BTreeSet<u32> {
        let module = self.module;
        let mut open: BTreeSet<u32> =
            self.constants.spec_constants().iter().map(|constant| constant.id).collect();
        for inst in module.globals() {
            let is_operation = inst.is(Op::SpecConstantOp);
            if !is_operation && !inst.is_composite_constant() {
                continue;
            }
            let mut depends = false;
            module.walk(&inst, &mut |at: usize, id: u32| {
                depends |= at > 2 && open.contains(&id);
                if let Some(spec_id) = self.own_spec_id(id).filter(|_| is_operation) {
                    self.dependents_mut(spec_id).frees = true;
                }
            });
            if depends {
                open.insert(views::Value(inst).id());
            }
        }
        open
    }

    /// Finds the branches of functions that refer to the constants in `open`.
    fn branches(&mut self, analyses: &Analyses, open: &BTreeSet<u32>) {
        let references = analyses.references();
        let (module, flow, mut solution) = (analyses.module(), analyses.flow(), Solution::default());
        let solved = flow.solve(module, &mut solution, Running::Called, &mut |_| None);
        for at in flow.functions() {
            if solved.decisions(at).next().is_some() {
                for id in references.function_uses(at).filter(|id| open.contains(id)) {
                    self.spec_ids(id)
                        .into_iter()
                        .for_each(|spec_id| self.dependents_mut(spec_id).frees = true);
                }
            }
        }
        for dependence in analyses.dependences() {
            let (at, block) = (dependence.function, dependence.block);
            if !solved.runs(at, block) || solved.choice(at, block).is_some() {
                continue;
            }
            for spec_id in self.spec_ids(dependence.constant) {
                self.dependents_mut(spec_id).branches.insert((at, block));
            }
        }
    }
}
