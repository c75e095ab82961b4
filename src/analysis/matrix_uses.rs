//! The uses of cooperative matrices in the code of roots, with their conditions.

use std::collections::HashMap;

use spirv::{CooperativeMatrixOperands, FPEncoding, Op};

use super::conditional::error::AnalysisError;
use super::context::Analyses;
use super::references::summaries::RequirementSummaries;
use super::requirements::{InstructionRequirements, is_of_shaders};
use super::roots::ModuleRoot;
use crate::collections::IdMap;
use crate::condition::Expr;
use crate::device::{ComponentTypes, MatrixType, MatrixUse};
use crate::loader::{Instruction, Module, views};

/// Returns true if shaders of a module use cooperative matrices.
pub fn has_matrix_types(module: &Module) -> bool {
    is_of_shaders(module) && module.globals().any(|inst| inst.is(Op::TypeCooperativeMatrixKHR))
}

/// Returns the uses of cooperative matrices by each root, in the order of [`ModuleRoot::all`] and of the module.
///
/// # Errors
/// If conditional code is malformed, or a condition is out of bounds.
pub fn matrix_uses(analyses: &Analyses) -> Result<Vec<Vec<(MatrixUse, Expr)>>, AnalysisError> {
    let module = analyses.module();
    let roots = ModuleRoot::all(analyses);
    if !has_matrix_types(module) {
        return Ok(vec![Vec::new(); roots.len()]);
    }
    let (uses, numbers) = numbered_uses(module);
    let summaries = RequirementSummaries::compute(
        module,
        analyses.references(),
        InstructionRequirements::numbered(module, &numbers),
        analyses.calls()?,
        (analyses.multi_target()?, analyses.new_conditions()),
    )?;
    let mut conditions = summaries.conditions.clone();
    let of_root = |root: &ModuleRoot| {
        let existence = root.existence(&summaries, &mut conditions)?;
        let mut of_root = Vec::new();
        for (number, when) in root.summary(&summaries).iter() {
            let when = conditions.and(when, existence)?;
            let when = conditions.without_meant_constants(when)?;
            let used = uses.get(number.index()).cloned();
            of_root.extend(used.zip(Some(conditions.expr_of(when)?)));
        }
        Ok(of_root)
    };
    roots.iter().map(of_root).collect()
}

/// Returns the different uses of a module, and the number of the use by each instruction, by result id.
fn numbered_uses(module: &Module) -> (Vec<MatrixUse>, Vec<(u32, usize)>) {
    let types = module.globals().filter_map(views::TypeCooperativeMatrixKHR::new);
    let types: IdMap<MatrixType> = types.map(|type_| (type_.id(), matrix_type(module, type_))).collect();
    let bodies = module.functions().iter().flat_map(|function| module.body(function));
    let (mut uses, mut numbers) = (Vec::new(), Vec::new());
    let mut number_of: HashMap<MatrixUse, usize> = HashMap::new();
    for inst in module.globals().chain(bodies) {
        let Some((id, used)) = inst.result_id().zip(matrix_use(module, &types, &inst)) else { continue };
        let number = *number_of.entry(used).or_insert_with_key(|used| {
            uses.push(used.clone());
            uses.len() - 1
        });
        numbers.push((id, number));
    }
    (uses, numbers)
}

/// Returns the use of cooperative matrices by an instruction, if lists of supported combinations cover it.
fn matrix_use(module: &Module, types: &IdMap<MatrixType>, inst: &Instruction) -> Option<MatrixUse> {
    match inst.op()? {
        Op::TypeCooperativeMatrixKHR => Some(MatrixUse::Type(types.get(&inst.result_id()?)?.clone())),
        Op::CooperativeMatrixMulAddKHR => {
            let multiplication = views::Value(*inst);
            let &[a, b, c, ref mask @ ..] = multiplication.operands() else { return None };
            let type_of = |id: u32| types.get(&module.type_of(id)?);
            let mask = CooperativeMatrixOperands::from_bits_retain(mask.first().copied().unwrap_or(0));
            let component =
                |matrix: &MatrixType, signed| Some(matrix.components?.with_sign(mask.contains(signed)));
            let ([a, b, c], result) =
                ([type_of(a)?, type_of(b)?, type_of(c)?], types.get(&inst.result_type()?)?);
            Some(MatrixUse::Multiplication {
                size: [result.size[0], result.size[1], a.size[1]],
                types: [
                    component(a, CooperativeMatrixOperands::MATRIX_A_SIGNED_COMPONENTS_KHR),
                    component(b, CooperativeMatrixOperands::MATRIX_B_SIGNED_COMPONENTS_KHR),
                    component(c, CooperativeMatrixOperands::MATRIX_C_SIGNED_COMPONENTS_KHR),
                    component(result, CooperativeMatrixOperands::MATRIX_RESULT_SIGNED_COMPONENTS_KHR),
                ],
                scope: result.scope,
                saturates: mask.contains(CooperativeMatrixOperands::SATURATING_ACCUMULATION_KHR),
            })
        }
        _ => None,
    }
}

/// Returns a type. Operands that are specialization constants are unknown.
fn matrix_type(module: &Module, type_: views::TypeCooperativeMatrixKHR) -> MatrixType {
    let number = |id: u32| Some(module.constant(id)?.low_word());
    MatrixType {
        size: [number(type_.rows()), number(type_.columns())],
        components: module.definition(type_.component_type()).and_then(|type_| component_types(&type_)),
        scope: number(type_.scope()),
        matrix_use: number(type_.matrix_use()),
    }
}

fn component_types(type_: &Instruction) -> Option<ComponentTypes> {
    let width = type_.word(2);
    let encoding = type_.words().get(3).copied();
    match (type_.op()?, encoding.map(FPEncoding::from_u32)) {
        (Op::TypeInt, _) => ComponentTypes::new(&format!("s{width}"), &format!("u{width}")),
        (Op::TypeFloat, None) => ComponentTypes::float(&format!("f{width}")),
        (Op::TypeFloat, Some(Some(FPEncoding::BFloat16KHR))) => ComponentTypes::float("bf16"),
        (Op::TypeFloat, Some(Some(FPEncoding::Float8E4M3EXT))) => ComponentTypes::float("e4m3"),
        (Op::TypeFloat, Some(Some(FPEncoding::Float8E5M2EXT))) => ComponentTypes::float("e5m2"),
        _ => None,
    }
}
