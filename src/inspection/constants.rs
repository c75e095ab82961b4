//! The specialization constants of a module, and what each decides.

use std::collections::{BTreeMap, BTreeSet};

use spirv::{BuiltIn, ExecutionMode, Op};

use super::model::{DecidedByConstant, DecidedByValue, Name, SpecConstantReport};
use super::study::{Study, capability_name};
use crate::analysis::constants::folding::Scalar;
use crate::analysis::constants::{Constants, Nothing, UnsetConstants};
use crate::loader::{Module, views};
use crate::transform::specialize::{self, SpecializeOptions};
use crate::transform::trim::trim;
use crate::writer::apply;

/// The number of Boolean constants of a module whose values are tried: each takes the time of specializing the module twice.
const TRIED: usize = 16;

impl Study<'_, '_> {
    /// The constants that the host can set, by SpecId.
    pub(super) fn spec_constants(&self) -> Vec<SpecConstantReport> {
        let module = self.module;
        let mut constants = Constants::new(module, &Nothing, &[], UnsetConstants::Default);
        let mut spec_ids = constants.spec_ids().to_vec();
        if spec_ids.is_empty() {
            return Vec::new();
        }
        spec_ids.sort_by_key(|constant| (constant.spec_id, constant.id));
        let decided = Decided::by_constants(module, &constants);
        let is_bool = |id: u32| scalar(module, id) == Some(Scalar::Bool);
        let tried = spec_ids.iter().filter(|constant| is_bool(constant.id)).count() <= TRIED;
        let mut reports = Vec::with_capacity(spec_ids.len());
        for constant in spec_ids {
            let scalar = scalar(module, constant.id);
            let by_spec_id =
                |counts: &BTreeMap<u32, usize>| counts.get(&constant.spec_id).copied().unwrap_or(0);
            let values = match tried && scalar == Some(Scalar::Bool) && constant.decoration.is_some() {
                true => [true, false]
                    .iter()
                    .filter_map(|&value| self.decided_by(constant.spec_id, value))
                    .collect(),
                false => Vec::new(),
            };
            let default = constants.default_value(constant.id).unwrap_or(0);
            reports.push(SpecConstantReport {
                spec_id: constant.spec_id,
                id: constant.id,
                name: self
                    .names
                    .name(constant.id)
                    .filter(|name| !name.is_empty())
                    .map(|name| name.into_owned().into()),
                type_: scalar.map_or_else(|| "unknown".into(), type_name),
                default: scalar.map_or_else(String::new, |scalar| value_text(scalar, default)),
                decides: DecidedByConstant {
                    branches: by_spec_id(&decided.branches),
                    array_sizes: by_spec_id(&decided.arrays),
                    work_group_size: decided.work_groups.contains(&constant.spec_id),
                    values,
                },
            });
        }
        reports
    }

    /// What a value of a Boolean constant removes; `None` where it cannot be set.
    fn decided_by(&self, spec_id: u32, value: bool) -> Option<DecidedByValue> {
        let set = [(spec_id, u64::from(value))];
        let options = SpecializeOptions::default();
        let specialized = specialize::specialize(self.analyses, &Nothing, &set, options).ok()?;
        let result = Module::from_words(apply(self.module, &specialized.edits).ok()?).ok()?;
        let unneeded = trim(&result).capabilities;
        let kept: BTreeSet<u32> = result
            .capabilities()
            .map(views::Capability::capability)
            .filter(|number| !unneeded.contains(number))
            .collect();
        let before = self.module.capabilities().map(views::Capability::capability);
        let removed: BTreeSet<u32> = before
            .filter(|number| !kept.contains(number) && !self.unneeded.capabilities.contains(number))
            .collect();
        Some(DecidedByValue {
            value,
            blocks: specialized.report.blocks,
            functions: specialized.report.removed_functions.len() + specialized.report.swept_functions.len(),
            capabilities: removed.into_iter().map(capability_name).collect(),
        })
    }
}

/// What constants decide, by SpecId.
#[derive(Default)]
struct Decided {
    /// The number of branches.
    branches: BTreeMap<u32, usize>,
    /// The number of array types.
    arrays: BTreeMap<u32, usize>,
    /// Those that give the size of work-groups.
    work_groups: BTreeSet<u32>,
}

impl Decided {
    fn by_constants(module: &Module, constants: &Constants) -> Decided {
        let mut decided = Decided::default();
        let mut known: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        let mut spec_ids = |id: u32| match module.is_global(id) {
            true => known.entry(id).or_insert_with(|| constants.inputs(id).spec_ids).clone(),
            false => Vec::new(),
        };
        for function in module.functions() {
            for inst in module.body(function) {
                if let Some(Op::BranchConditional | Op::Switch) = inst.op() {
                    for spec_id in spec_ids(inst.word(1)) {
                        *decided.branches.entry(spec_id).or_default() += 1;
                    }
                }
            }
        }
        for array in module.globals().filter(|inst| inst.is(Op::TypeArray)).map(views::TypeArray) {
            for spec_id in spec_ids(array.length()) {
                *decided.arrays.entry(spec_id).or_default() += 1;
            }
        }
        for mode in module.execution_modes().filter(|mode| mode.is(Op::ExecutionModeId)) {
            if mode.mode() == ExecutionMode::LocalSizeId as u32 {
                decided.work_groups.extend(mode.operands().iter().flat_map(|&id| spec_ids(id)));
            }
        }
        for decoration in module.decorations().filter(|own| own.is_built_in(BuiltIn::WorkgroupSize)) {
            let size = module.definition(decoration.target()).map(|size| views::Value(size).operands());
            decided.work_groups.extend(size.unwrap_or_default().iter().flat_map(|&id| spec_ids(id)));
        }
        decided
    }
}

fn scalar(module: &Module, id: u32) -> Option<Scalar> {
    Scalar::of(module, module.type_of(id)?)
}

/// The name of a type, as in Rust or C: `bool`, `int32`, `uint32`, `float32`.
fn type_name(scalar: Scalar) -> Name {
    match scalar {
        Scalar::Bool => "bool".into(),
        Scalar::Int { width, signed: true } => format!("int{width}").into(),
        Scalar::Int { width, signed: false } => format!("uint{width}").into(),
        Scalar::Float(width) => format!("float{width}").into(),
        Scalar::OtherFloat { width, encoding } => format!("float{width} of encoding {encoding}").into(),
    }
}

/// A value as `spirv-if specialize --set` reads it; floats other than 32 and 64 bits as their bits.
fn value_text(scalar: Scalar, value: u64) -> String {
    match scalar {
        Scalar::Bool => (value != 0).to_string(),
        Scalar::Int { signed: true, .. } => scalar.sign_extend(value).to_string(),
        Scalar::Int { signed: false, .. } => value.to_string(),
        Scalar::Float(32) if f32::from_bits(value as u32).is_finite() => {
            f32::from_bits(value as u32).to_string()
        }
        Scalar::Float(64) if f64::from_bits(value).is_finite() => f64::from_bits(value).to_string(),
        Scalar::Float(_) | Scalar::OtherFloat { .. } => format!("{value:#x}"),
    }
}
