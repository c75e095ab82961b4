//! Instructions without effects, in functions and in constants.

use spirv::Op;

use super::arithmetic::{componentwise, is_scalar, scalar};
use super::globals::ModuleValues;
use super::program::Id;
use super::values::{ValueTree, ValueType};
use super::{Interpreted, unsupported};

/// Returns the result of an instruction with some operands; `None` if it is none that is known here.
pub fn evaluate(
    globals: &ModuleValues,
    op: Op,
    result_type: Id,
    operands: &[u32],
    value: &dyn Fn(Id) -> Interpreted<ValueTree>,
) -> Interpreted<Option<ValueTree>> {
    let operand = |number: usize| match operands.get(number) {
        Some(&operand) => Ok(operand),
        None => unsupported(format!("{op:?} without operand {number}")),
    };
    let argument = |number: usize| value(operand(number)?);
    let literals = |from: usize| operands.get(from..).unwrap_or_default();
    Ok(Some(match op {
        Op::Undef => globals.undefined(result_type)?,
        Op::CopyObject | Op::CopyLogical | Op::ExpectKHR => argument(0)?,
        Op::CompositeConstruct => construct(globals, result_type, operands, value)?,
        Op::CompositeExtract => part(argument(0)?, literals(1))?,
        Op::CompositeInsert => {
            let mut whole = argument(1)?;
            *part_mut(&mut whole, literals(2))? = argument(0)?;
            whole
        }
        Op::VectorShuffle => {
            let both = [argument(0)?.parts()?, argument(1)?.parts()?].concat();
            // A number without a component means an undefined one.
            let component = |&at: &u32| both.get(at as usize).cloned().unwrap_or(ValueTree::Undefined);
            ValueTree::Composite(literals(2).iter().map(component).collect())
        }
        Op::VectorExtractDynamic => match argument(1)? {
            ValueTree::Undefined => ValueTree::Undefined,
            index => {
                let index = index.to_number()?.bits as usize;
                argument(0)?.parts()?.get(index).cloned().unwrap_or(ValueTree::Undefined)
            }
        },
        Op::VectorInsertDynamic => {
            let (mut whole, index) = (argument(0)?, argument(2)?);
            let at =
                if index == ValueTree::Undefined { usize::MAX } else { index.to_number()?.bits as usize };
            match part_mut(&mut whole, &[u32::try_from(at).unwrap_or(u32::MAX)]) {
                Ok(component) => *component = argument(1)?,
                Err(_) => whole = whole.with_undefined_leaves(),
            }
            whole
        }
        Op::Bitcast => bitcast(globals, result_type, &argument(0)?)?,
        Op::Any | Op::All => {
            let all = argument(0)?;
            if all.parts()?.contains(&ValueTree::Undefined) {
                return Ok(Some(ValueTree::Undefined));
            }
            let holds = all.parts()?.iter().map(ValueTree::to_bool).collect::<Interpreted<Vec<_>>>()?;
            ValueTree::Bool(if op == Op::Any { holds.contains(&true) } else { !holds.contains(&false) })
        }
        // Not of each component, if the condition is one.
        Op::Select if !matches!(argument(0)?, ValueTree::Composite(_)) => match argument(0)? {
            ValueTree::Undefined => argument(1)?.with_undefined_leaves(),
            condition => argument(if condition.to_bool()? { 1 } else { 2 })?,
        },
        Op::VectorTimesScalar | Op::MatrixTimesScalar => {
            let factor = argument(1)?;
            times_scalar(&argument(0)?, &factor)?
        }
        Op::Dot => dot(argument(0)?.parts()?, argument(1)?.parts()?)?,
        Op::Transpose => ValueTree::Composite(transposed(&argument(0)?)?),
        Op::MatrixTimesVector => each_dot(&transposed(&argument(0)?)?, &argument(1)?)?,
        Op::VectorTimesMatrix => each_dot(argument(1)?.parts()?, &argument(0)?)?,
        Op::MatrixTimesMatrix => {
            let rows = transposed(&argument(0)?)?;
            let columns = argument(1)?;
            let columns = columns.parts()?.iter().map(|column| each_dot(&rows, column));
            ValueTree::Composite(columns.collect::<Interpreted<_>>()?)
        }
        Op::OuterProduct => {
            let (column, row) = (argument(0)?, argument(1)?);
            let columns = row.parts()?.iter().map(|factor| times_scalar(&column, factor));
            ValueTree::Composite(columns.collect::<Interpreted<_>>()?)
        }
        Op::IAddCarry | Op::ISubBorrow | Op::UMulExtended | Op::SMulExtended => {
            let args = [argument(0)?, argument(1)?];
            let of = |number: u32| {
                componentwise(&args, &|args| part(scalar(op, &ValueType::Void, args)?, &[number]))
            };
            ValueTree::Composite(vec![of(0)?, of(1)?])
        }
        _ if is_scalar(op) => {
            let component = globals.component(result_type)?;
            let args = operands.iter().map(|&id| value(id)).collect::<Interpreted<Vec<_>>>()?;
            componentwise(&args, &|args| scalar(op, &component, args))?
        }
        _ => return Ok(None),
    }))
}

/// Returns a part of a value by the indices that lead to it.
fn part(mut value: ValueTree, indices: &[u32]) -> Interpreted<ValueTree> {
    part_mut(&mut value, indices).cloned()
}

fn part_mut<'v>(value: &'v mut ValueTree, indices: &[u32]) -> Interpreted<&'v mut ValueTree> {
    let Some((&index, rest)) = indices.split_first() else { return Ok(value) };
    match value {
        ValueTree::Composite(parts) => match parts.get_mut(index as usize) {
            Some(part) => part_mut(part, rest),
            None => unsupported("a part of a composite that has no such part"),
        },
        _ => unsupported("a part of what is not a composite"),
    }
}

/// Creates a composite. The constituents of a vector are its components, or vectors of them.
fn construct(
    globals: &ModuleValues,
    result_type: Id,
    operands: &[u32],
    value: &dyn Fn(Id) -> Interpreted<ValueTree>,
) -> Interpreted<ValueTree> {
    let parts = operands.iter().map(|&id| value(id)).collect::<Interpreted<Vec<_>>>()?;
    let ValueType::Vector(..) = globals.type_of(result_type)? else { return Ok(ValueTree::Composite(parts)) };
    let components = parts.into_iter().flat_map(|part| match part {
        ValueTree::Composite(parts) => parts,
        scalar => vec![scalar],
    });
    Ok(ValueTree::Composite(components.collect()))
}

/// Returns the bits of a scalar or a vector as those of another type. Components with lower numbers have lower bits.
fn bitcast(globals: &ModuleValues, result_type: Id, value: &ValueTree) -> Interpreted<ValueTree> {
    if let ValueTree::Pointer(_) = value {
        return unsupported("OpBitcast of a pointer");
    }
    let components = match value {
        ValueTree::Composite(parts) => &parts[..],
        scalar => std::slice::from_ref(scalar),
    };
    if components.contains(&ValueTree::Undefined) {
        return globals.undefined(result_type);
    }
    let mut bytes = Vec::new();
    for component in components {
        let number = component.to_number()?;
        bytes.extend_from_slice(&number.bits.to_le_bytes()[..number.width as usize / 8]);
    }
    let width = globals.component(result_type)?.width()?;
    let mut numbers: Vec<ValueTree> = Vec::new();
    for chunk in bytes.chunks(width as usize / 8) {
        let bits = chunk.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
        numbers.push(ValueTree::number(width, bits));
    }
    match (globals.type_of(result_type)?, &numbers[..]) {
        (ValueType::Vector(..), _) => Ok(ValueTree::Composite(numbers)),
        (_, [number]) => Ok(number.clone()),
        _ => unsupported("OpBitcast to a type of another size"),
    }
}

fn times_scalar(value: &ValueTree, factor: &ValueTree) -> Interpreted<ValueTree> {
    match value {
        ValueTree::Composite(parts) => {
            let parts = parts.iter().map(|part| times_scalar(part, factor));
            Ok(ValueTree::Composite(parts.collect::<Interpreted<_>>()?))
        }
        scalar => float_operation(Op::FMul, scalar, factor),
    }
}

fn float_operation(op: Op, one: &ValueTree, other: &ValueTree) -> Interpreted<ValueTree> {
    scalar(op, &ValueType::Void, &[one.clone(), other.clone()])
}

fn dot(one: &[ValueTree], other: &[ValueTree]) -> Interpreted<ValueTree> {
    let mut products = one.iter().zip(other).map(|(one, other)| float_operation(Op::FMul, one, other));
    let Some(first) = products.next() else { return unsupported("OpDot of nothing") };
    products.try_fold(first?, |sum, product| float_operation(Op::FAdd, &sum, &product?))
}

fn each_dot(vectors: &[ValueTree], other: &ValueTree) -> Interpreted<ValueTree> {
    let dots = vectors.iter().map(|vector| dot(vector.parts()?, other.parts()?));
    Ok(ValueTree::Composite(dots.collect::<Interpreted<_>>()?))
}

fn transposed(matrix: &ValueTree) -> Interpreted<Vec<ValueTree>> {
    let columns = matrix.parts()?.iter().map(ValueTree::parts).collect::<Interpreted<Vec<_>>>()?;
    let rows = columns.first().map_or(0, |column| column.len());
    let row = |at: usize| {
        let components = columns.iter().map(|column| column.get(at).cloned().unwrap_or(ValueTree::Undefined));
        ValueTree::Composite(components.collect())
    };
    Ok((0..rows).map(row).collect())
}
