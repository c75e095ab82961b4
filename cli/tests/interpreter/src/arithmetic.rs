//! Operations on scalars, which apply to each component of vectors.

use spirv::Op;

use super::values::{NumberBits, ValueTree, ValueType};
use super::{Interpreted, undefined, unsupported};

/// Applies an operation to scalars, or to the components of vectors in order. A scalar beside vectors is one for all components.
pub fn componentwise(
    args: &[ValueTree],
    apply: &dyn Fn(&[ValueTree]) -> Interpreted<ValueTree>,
) -> Interpreted<ValueTree> {
    let lengths = args.iter().filter_map(|value| match value {
        ValueTree::Composite(parts) => Some(parts.len()),
        _ => None,
    });
    let Some(length) = lengths.max() else { return apply(args) };
    let component = |at: usize| {
        let of = |value: &ValueTree| match value {
            ValueTree::Composite(parts) => {
                parts.get(at).cloned().map_or_else(|| unsupported("lengths differ"), Ok)
            }
            scalar => Ok(scalar.clone()),
        };
        apply(&args.iter().map(of).collect::<Interpreted<Vec<_>>>()?)
    };
    (0..length).map(component).collect::<Interpreted<_>>().map(ValueTree::Composite)
}

/// Returns the result of an operation on scalars; of those with two results, a composite of both.
pub fn scalar(op: Op, result: &ValueType, args: &[ValueTree]) -> Interpreted<ValueTree> {
    if op == Op::Select {
        let [condition, one, other] = args else { return unsupported("OpSelect without its operands") };
        return Ok(match condition {
            ValueTree::Undefined => ValueTree::Undefined,
            condition => if condition.to_bool()? { one } else { other }.clone(),
        });
    }
    if args.contains(&ValueTree::Undefined) {
        let is_pair = matches!(op, Op::IAddCarry | Op::ISubBorrow | Op::UMulExtended | Op::SMulExtended);
        return Ok(if is_pair {
            pair(ValueTree::Undefined, ValueTree::Undefined)
        } else {
            ValueTree::Undefined
        });
    }
    if let [ValueTree::Bool(one), rest @ ..] = args {
        return boolean(op, *one, rest);
    }
    let numbers = args.iter().map(ValueTree::to_number).collect::<Interpreted<Vec<_>>>()?;
    match *numbers {
        [one] => unary(op, result, one),
        [one, other] => match comparison(op, one, other) {
            Some(holds) => Ok(ValueTree::Bool(holds)),
            None => binary(op, one, other),
        },
        [base, offset, count] => bit_field(op, base, None, offset, count),
        [base, insert, offset, count] => bit_field(op, base, Some(insert), offset, count),
        _ => unsupported(format!("{op:?} with {} operands", numbers.len())),
    }
}

/// Returns true if an instruction is an operation on scalars with one result.
#[rustfmt::skip]
pub fn is_scalar(op: Op) -> bool {
    use Op as O;
    matches!(
        op,
        O::Select | O::LogicalAnd | O::LogicalOr | O::LogicalNot | O::LogicalEqual | O::LogicalNotEqual
        | O::SNegate | O::Not | O::BitReverse | O::BitCount | O::UConvert | O::SConvert | O::ConvertSToF | O::ConvertUToF
        | O::ConvertFToS | O::ConvertFToU | O::FConvert | O::QuantizeToF16 | O::FNegate | O::IsNan | O::IsInf | O::IsFinite
        | O::SignBitSet
        | O::IAdd | O::ISub | O::IMul | O::UDiv | O::SDiv | O::UMod | O::SRem | O::SMod | O::BitwiseAnd | O::BitwiseOr
        | O::BitwiseXor | O::ShiftLeftLogical | O::ShiftRightLogical | O::ShiftRightArithmetic | O::BitFieldInsert
        | O::BitFieldSExtract | O::BitFieldUExtract
        | O::FAdd | O::FSub | O::FMul | O::FDiv | O::FRem | O::FMod
        | O::IEqual | O::INotEqual | O::UGreaterThan | O::SGreaterThan | O::UGreaterThanEqual | O::SGreaterThanEqual
        | O::ULessThan | O::SLessThan | O::ULessThanEqual | O::SLessThanEqual
        | O::FOrdEqual | O::FOrdNotEqual | O::FOrdLessThan | O::FOrdGreaterThan | O::FOrdLessThanEqual | O::FOrdGreaterThanEqual
        | O::FUnordEqual | O::FUnordNotEqual | O::FUnordLessThan | O::FUnordGreaterThan | O::FUnordLessThanEqual
        | O::FUnordGreaterThanEqual | O::Ordered | O::Unordered
    )
}

fn pair(one: ValueTree, other: ValueTree) -> ValueTree {
    ValueTree::Composite(vec![one, other])
}

fn boolean(op: Op, one: bool, rest: &[ValueTree]) -> Interpreted<ValueTree> {
    let other = rest.first().map_or(Ok(one), ValueTree::to_bool)?;
    let value = match op {
        Op::LogicalAnd => one && other,
        Op::LogicalOr => one || other,
        Op::LogicalNot => !one,
        Op::LogicalEqual => one == other,
        Op::LogicalNotEqual => one != other,
        _ => return unsupported(format!("{op:?} of Booleans")),
    };
    Ok(ValueTree::Bool(value))
}

fn unary(op: Op, result: &ValueType, one: NumberBits) -> Interpreted<ValueTree> {
    let width = || result.width();
    let value = match op {
        Op::SNegate => ValueTree::number(one.width, one.bits.wrapping_neg()),
        Op::Not => ValueTree::number(one.width, !one.bits),
        Op::BitReverse => ValueTree::number(one.width, one.bits.reverse_bits() >> (64 - one.width)),
        Op::BitCount => ValueTree::number(width()?, u64::from(one.bits.count_ones())),
        Op::UConvert => ValueTree::number(width()?, one.bits),
        Op::SConvert => ValueTree::number(width()?, one.signed().cast_unsigned()),
        // A number of 64 bits is rounded once.
        Op::ConvertSToF if width()? == 32 => ValueTree::float(32, f64::from(one.signed() as f32)),
        Op::ConvertUToF if width()? == 32 => ValueTree::float(32, f64::from(one.bits as f32)),
        Op::ConvertSToF => ValueTree::float(width()?, one.signed() as f64),
        Op::ConvertUToF => ValueTree::float(width()?, one.bits as f64),
        Op::ConvertFToS => to_integer(width()?, one.float(), true),
        Op::ConvertFToU => to_integer(width()?, one.float(), false),
        Op::FConvert => ValueTree::float(width()?, one.float()),
        Op::QuantizeToF16 => {
            let half = ValueTree::float(16, one.float()).to_number()?.float();
            // Subnormal numbers become 0.
            ValueTree::float(32, if half.abs() < 2f64.powi(-14) { 0f64.copysign(half) } else { half })
        }
        Op::FNegate => ValueTree::float(one.width, -one.float()),
        Op::IsNan => ValueTree::Bool(one.float().is_nan()),
        Op::IsInf => ValueTree::Bool(one.float().is_infinite()),
        Op::IsFinite => ValueTree::Bool(one.float().is_finite()),
        Op::SignBitSet => ValueTree::Bool(one.signed() < 0),
        _ => return unsupported(format!("{op:?} of a number")),
    };
    Ok(value)
}

/// Returns the integer part of a number. That of one outside of the integers is undefined.
fn to_integer(width: u32, value: f64, is_signed: bool) -> ValueTree {
    let whole = value.trunc();
    let (low, end) = match is_signed {
        true => (-2f64.powi(width as i32 - 1), 2f64.powi(width as i32 - 1)),
        false => (0.0, 2f64.powi(width as i32)),
    };
    match whole >= low && whole < end {
        true if is_signed => ValueTree::number(width, (whole as i64).cast_unsigned()),
        true => ValueTree::number(width, whole as u64),
        false => ValueTree::Undefined,
    }
}

fn binary(op: Op, one: NumberBits, other: NumberBits) -> Interpreted<ValueTree> {
    let width = one.width;
    let (a, b) = (one.bits, other.bits);
    let integer = |bits: u64| Ok(ValueTree::number(width, bits));
    let float = |value: f64| Ok(ValueTree::float(width, value));
    match op {
        Op::IAdd => integer(a.wrapping_add(b)),
        Op::ISub => integer(a.wrapping_sub(b)),
        Op::IMul => integer(a.wrapping_mul(b)),
        Op::BitwiseAnd => integer(a & b),
        Op::BitwiseOr => integer(a | b),
        Op::BitwiseXor => integer(a ^ b),
        Op::UDiv | Op::SDiv | Op::UMod | Op::SRem | Op::SMod => division(op, one, other),
        Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic => match op {
            _ if b >= u64::from(width) => Ok(ValueTree::Undefined),
            Op::ShiftLeftLogical => integer(a << b),
            Op::ShiftRightLogical => integer(a >> b),
            _ => integer((one.signed() >> b).cast_unsigned()),
        },
        Op::IAddCarry => {
            let sum = u128::from(a) + u128::from(b);
            Ok(pair(integer(sum as u64)?, integer((sum >> width) as u64)?))
        }
        Op::ISubBorrow => Ok(pair(integer(a.wrapping_sub(b))?, integer(u64::from(a < b))?)),
        Op::UMulExtended => {
            let product = u128::from(a) * u128::from(b);
            Ok(pair(integer(product as u64)?, integer((product >> width) as u64)?))
        }
        Op::SMulExtended => {
            let product = (i128::from(one.signed()) * i128::from(other.signed())).cast_unsigned();
            Ok(pair(integer(product as u64)?, integer((product >> width) as u64)?))
        }
        Op::FAdd => float(one.float() + other.float()),
        Op::FSub => float(one.float() - other.float()),
        Op::FMul => float(one.float() * other.float()),
        Op::FDiv => float(one.float() / other.float()),
        // The sign of the dividend.
        Op::FRem => float(one.float() % other.float()),
        // The sign of the divisor.
        Op::FMod => {
            let (a, b) = (one.float(), other.float());
            let rest = a % b;
            float(if rest != 0.0 && (rest < 0.0) != (b < 0.0) { rest + b } else { rest })
        }
        _ => unsupported(format!("{op:?} of two numbers")),
    }
}

fn division(op: Op, one: NumberBits, other: NumberBits) -> Interpreted<ValueTree> {
    if other.bits == 0 {
        return undefined("a division by 0");
    }
    let (a, b) = (one.signed(), other.signed());
    let is_unsigned = matches!(op, Op::UDiv | Op::UMod);
    if !is_unsigned && b == -1 && one == NumberBits::new(one.width, 1 << (one.width - 1)) {
        return undefined("a division that overflows");
    }
    let bits = match op {
        Op::UDiv => one.bits / other.bits,
        Op::UMod => one.bits % other.bits,
        Op::SDiv => (a / b).cast_unsigned(),
        Op::SRem => (a % b).cast_unsigned(),
        // The sign of the divisor.
        _ => {
            let rest = a % b;
            (if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }).cast_unsigned()
        }
    };
    Ok(ValueTree::number(one.width, bits))
}

fn comparison(op: Op, one: NumberBits, other: NumberBits) -> Option<bool> {
    let (a, b) = (one.signed(), other.signed());
    let (x, y) = (one.float(), other.float());
    let unordered = x.is_nan() || y.is_nan();
    let holds = match op {
        Op::IEqual => one.bits == other.bits,
        Op::INotEqual => one.bits != other.bits,
        Op::UGreaterThan => one.bits > other.bits,
        Op::UGreaterThanEqual => one.bits >= other.bits,
        Op::ULessThan => one.bits < other.bits,
        Op::ULessThanEqual => one.bits <= other.bits,
        Op::SGreaterThan => a > b,
        Op::SGreaterThanEqual => a >= b,
        Op::SLessThan => a < b,
        Op::SLessThanEqual => a <= b,
        Op::FOrdEqual => x == y,
        Op::FOrdNotEqual => !unordered && x != y,
        Op::FOrdLessThan => x < y,
        Op::FOrdGreaterThan => x > y,
        Op::FOrdLessThanEqual => x <= y,
        Op::FOrdGreaterThanEqual => x >= y,
        Op::FUnordEqual => unordered || x == y,
        Op::FUnordNotEqual => x != y,
        Op::FUnordLessThan => unordered || x < y,
        Op::FUnordGreaterThan => unordered || x > y,
        Op::FUnordLessThanEqual => unordered || x <= y,
        Op::FUnordGreaterThanEqual => unordered || x >= y,
        Op::Ordered => !unordered,
        Op::Unordered => unordered,
        _ => return None,
    };
    Some(holds)
}

fn bit_field(
    op: Op,
    base: NumberBits,
    insert: Option<NumberBits>,
    offset: NumberBits,
    count: NumberBits,
) -> Interpreted<ValueTree> {
    let (offset, count, width) = (offset.bits, count.bits, u64::from(base.width));
    if offset.checked_add(count).is_none_or(|end| end > width) {
        return Ok(ValueTree::Undefined);
    }
    if count == 0 {
        return Ok(match op {
            Op::BitFieldInsert => ValueTree::Number(base),
            _ => ValueTree::number(base.width, 0),
        });
    }
    let mask = u64::MAX >> (64 - count);
    let field = base.bits >> offset & mask;
    let bits = match (op, insert) {
        (Op::BitFieldInsert, Some(insert)) => base.bits & !(mask << offset) | (insert.bits & mask) << offset,
        (Op::BitFieldUExtract, None) => field,
        (Op::BitFieldSExtract, None) => NumberBits::new(count as u32, field).signed().cast_unsigned(),
        _ => return unsupported(format!("{op:?} of a bit field")),
    };
    Ok(ValueTree::number(base.width, bits))
}
