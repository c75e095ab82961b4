//! The specialization constants of a module, and what each decides.

use std::collections::BTreeMap;

use super::dependents;
use super::model::{DecidedByConstant, DecidedByValue, Name, SpecConstantReport, SpecConstantValue};
use super::study::Study;
use super::trials::{Outcome, Trials, Tried};
use crate::analysis::constants::folding::Scalar;
use crate::analysis::constants::{Constants, Nothing, UnsetConstants};
use crate::loader::Module;

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
        let mut dependents = dependents::find(self.analyses, &constants);
        let mut trials = Trials::new(self);
        // Several constants may have one SpecId.
        let mut tried: BTreeMap<u32, Option<Tried>> = BTreeMap::new();
        let mut reports = Vec::with_capacity(spec_ids.len());
        for constant in spec_ids {
            let scalar = scalar(module, constant.id);
            let default = constants.default_value(constant.id).unwrap_or(0);
            let own = &*dependents.entry(constant.spec_id).or_default();
            let can_be_set = constant.decoration.is_some();
            let tried = &*tried.entry(constant.spec_id).or_insert_with(|| match can_be_set {
                true => {
                    let is_bool = scalar == Some(Scalar::Bool);
                    let first = if is_bool { vec![1, 0] } else { vec![default] };
                    trials.of(constant.spec_id, own, &[first, own.values.clone()].concat(), is_bool)
                }
                false => Some(Tried::default()),
            });
            let (branches, values) = match (tried, scalar) {
                (Some(tried), Some(scalar)) => {
                    (own.branches.union(&tried.branches).count(), decided_by_values(tried, scalar))
                }
                _ => (own.branches.len(), Vec::new()),
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
                default: scalar.map_or_else(String::new, |scalar| value_text(scalar, default)),
                decides: DecidedByConstant {
                    branches,
                    array_sizes: own.array_sizes,
                    work_group_size: own.work_group_size,
                    values,
                    untried: tried.is_none(),
                },
            });
        }
        reports
    }
}

/// What the values of a constant remove: of a Boolean, both; of numbers none if none removes anything.
fn decided_by_values(tried: &Tried, scalar: Scalar) -> Vec<DecidedByValue> {
    if scalar != Scalar::Bool && !tried.outcomes.iter().any(Outcome::removes) {
        return Vec::new();
    }
    let decided = |own: &Outcome| DecidedByValue {
        value: match scalar {
            Scalar::Bool => SpecConstantValue::Bool(own.value != 0),
            _ => SpecConstantValue::Number(value_text(scalar, own.value)),
        },
        blocks: own.blocks,
        functions: own.functions,
        capabilities: own.capabilities.clone(),
    };
    tried.outcomes.iter().map(decided).collect()
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
