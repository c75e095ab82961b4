//! Constant folding: scalar arithmetic as SPIR-V defines it, on values that may be unknown.

use spirv::{FPEncoding, Op};

use super::float_formats::FloatFormat;
use crate::loader::{Module, views};

/// A scalar type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// OpTypeBool.
    Bool,
    /// OpTypeInt of 8 to 64 bits.
    Int {
        /// The width in bits.
        width: u32,
        /// True if its signedness is 1.
        signed: bool,
    },
    /// OpTypeFloat of 16, 32 or 64 bits, in the format of IEEE 754.
    Float(u32),
    /// OpTypeFloat of another format: its bits are known, but nothing is computed with them.
    OtherFloat {
        /// The width in bits.
        width: u32,
        /// The number of its FPEncoding.
        encoding: u32,
    },
}

/// An operand whose value may be known. Values are bits, those above the width zero.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    /// The type.
    pub scalar: Scalar,
    /// The value, if it is known.
    pub value: Option<u64>,
}

impl Scalar {
    /// Returns the scalar type with an id; `None` for other types, and for widths that no literal has.
    pub fn from_type(module: &Module, type_id: u32) -> Option<Scalar> {
        let inst = module.definition(type_id)?;
        match inst.op()? {
            Op::TypeBool => Some(Scalar::Bool),
            Op::TypeInt => {
                let type_ = views::TypeInt(inst);
                let (width, signed) = (type_.width(), type_.signedness() == 1);
                (8..=64).contains(&width).then_some(Scalar::Int { width, signed })
            }
            Op::TypeFloat => {
                let type_ = views::TypeFloat(inst);
                let width = type_.width();
                match type_.encoding() {
                    None => [16, 32, 64].contains(&width).then_some(Scalar::Float(width)),
                    Some(encoding) => {
                        (8..=64).contains(&width).then_some(Scalar::OtherFloat { width, encoding })
                    }
                }
            }
            _ => None,
        }
    }

    /// Returns the number of bits of its values.
    pub(crate) fn width(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::Int { width, .. } | Scalar::Float(width) | Scalar::OtherFloat { width, .. } => width,
        }
    }

    pub(crate) fn mask(self, value: u64) -> u64 {
        value & (u64::MAX >> (64 - self.width()))
    }

    pub(crate) fn sign_extend(self, value: u64) -> i64 {
        let shift = 64 - self.width();
        ((value << shift) as i64) >> shift
    }

    /// Returns the value of a literal of this type (specification, 2.2.1 "Instructions": low-order words first).
    pub fn literal(self, words: &[u32]) -> Option<u64> {
        let low = u64::from(*words.first()?);
        let high = if self.width() > 32 { u64::from(*words.get(1)?) } else { 0 };
        Some(self.mask(low | high << 32))
    }

    /// Returns the words of the literal with this value, and the number of used words.
    pub fn literal_words(self, value: u64) -> ([u32; 2], usize) {
        let extended = match self {
            Scalar::Int { signed: true, .. } => self.sign_extend(value) as u64,
            _ => value,
        };
        ([extended as u32, (extended >> 32) as u32], if self.width() > 32 { 2 } else { 1 })
    }

    /// Converts a value from outside to this type, if it fits: integers may have their sign extended.
    pub fn fit(self, value: u64) -> Option<u64> {
        let masked = self.mask(value);
        let negative = matches!(self, Scalar::Int { .. }) && self.sign_extend(masked) as u64 == value;
        (masked == value || negative).then_some(masked)
    }
}

impl Scalar {
    /// Parses a value of this type: `true` and `false`; decimal and hexadecimal integers of either sign, if their bits fit; decimal
    /// floating-point numbers, rounded, or their bits in hexadecimal.
    pub fn parse(self, text: &str) -> Option<u64> {
        let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
        let bits = |digits: &str| {
            // A sign here would be a second one.
            let digits = Some(digits).filter(|digits| !digits.starts_with(['+', '-']))?;
            u64::from_str_radix(digits, 16).ok().filter(|&bits| self.mask(bits) == bits)
        };
        match (self, hexadecimal) {
            (Scalar::Bool, _) => match text {
                "true" | "1" => Some(1),
                "false" | "0" => Some(0),
                _ => None,
            },
            (_, Some(digits)) => bits(digits),
            (Scalar::Int { width, .. }, None) => {
                let (negative, digits) =
                    text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
                let size: i128 = match digits.strip_prefix("0x") {
                    Some(digits) => bits(digits)?.into(),
                    None if digits.starts_with(['+', '-']) => return None,
                    None => digits.parse().ok()?,
                };
                let value = if negative { -size } else { size };
                (-(1i128 << (width - 1)) <= value && value < 1i128 << width).then(|| self.mask(value as u64))
            }
            (Scalar::Float(32), None) => {
                let value: f32 = text.parse().ok()?;
                (value.is_finite() || is_word(text)).then(|| value.to_bits().into())
            }
            (Scalar::OtherFloat { encoding, .. }, None) => {
                let format = FloatFormat::from_encoding(encoding)?;
                let value: f64 = text.parse().ok()?;
                let bits = format.bits(value);
                let is_kept = format.value(bits).is_finite()
                    || is_word(text) && value.is_nan() == format.value(bits).is_nan();
                is_kept.then_some(bits)
            }
            (Scalar::Float(_), None) => {
                let value: f64 = text.parse().ok()?;
                let value = float_bits(self, value as f32, value)?;
                (float(self, value)?.is_finite() || is_word(text)).then_some(value)
            }
        }
    }
}

/// Returns true if a number is written as a word: infinity, or NaN.
pub(super) fn is_word(text: &str) -> bool {
    text.trim_start_matches(['+', '-']).starts_with(|first: char| first.is_ascii_alphabetic())
}

impl std::fmt::Display for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Scalar::Bool => write!(f, "a Boolean (`true` or `false`)"),
            Scalar::Int { width, signed: true } => write!(f, "a signed integer of {width} bits"),
            Scalar::Int { width, .. } => write!(f, "an unsigned integer of {width} bits"),
            Scalar::Float(width) => write!(f, "a floating-point number of {width} bits"),
            Scalar::OtherFloat { encoding, .. } => match FPEncoding::from_u32(*encoding) {
                Some(encoding) => write!(f, "a floating-point number of the format {encoding:?}"),
                None => write!(f, "a floating-point number of another format, of which only bits are known"),
            },
        }
    }
}

/// Returns the value of an operation, if the known operands determine it. Results that the specification leaves undefined (division by
/// zero, shifts past the width, conversions out of range) are not known.
pub fn fold(op: Op, result: Scalar, operands: [Option<Operand>; 3]) -> Option<u64> {
    let count = operands.iter().take_while(|operand| operand.is_some()).count();
    let values = operands.map(|operand| operand?.value);
    fold_values(op, result, operands[0]?.scalar, &values[..count])
}

/// Returns the number of operands of an operation whose value [`fold`] finds, on vectors component by component. `None` for any other
/// instruction.
pub fn operand_count(op: Op) -> Option<usize> {
    match op {
        Op::LogicalNot
        | Op::Not
        | Op::SNegate
        | Op::FNegate
        | Op::UConvert
        | Op::SConvert
        | Op::FConvert
        | Op::ConvertFToU
        | Op::ConvertFToS
        | Op::ConvertSToF
        | Op::ConvertUToF
        | Op::QuantizeToF16
        | Op::Bitcast
        | Op::IsNan
        | Op::IsInf
        | Op::IsFinite
        | Op::IsNormal
        | Op::SignBitSet
        | Op::BitCount
        | Op::BitReverse => Some(1),
        Op::LogicalAnd
        | Op::LogicalOr
        | Op::LogicalEqual
        | Op::LogicalNotEqual
        | Op::IEqual
        | Op::INotEqual
        | Op::UGreaterThan
        | Op::UGreaterThanEqual
        | Op::ULessThan
        | Op::ULessThanEqual
        | Op::SGreaterThan
        | Op::SGreaterThanEqual
        | Op::SLessThan
        | Op::SLessThanEqual
        | Op::IAdd
        | Op::ISub
        | Op::IMul
        | Op::UDiv
        | Op::UMod
        | Op::SDiv
        | Op::SRem
        | Op::SMod
        | Op::ShiftLeftLogical
        | Op::ShiftRightLogical
        | Op::ShiftRightArithmetic
        | Op::BitwiseAnd
        | Op::BitwiseOr
        | Op::BitwiseXor
        | Op::FAdd
        | Op::FSub
        | Op::FMul
        | Op::FDiv
        | Op::FRem
        | Op::FMod
        | Op::FOrdEqual
        | Op::FUnordEqual
        | Op::FOrdNotEqual
        | Op::FUnordNotEqual
        | Op::FOrdLessThan
        | Op::FUnordLessThan
        | Op::FOrdGreaterThan
        | Op::FUnordGreaterThan
        | Op::FOrdLessThanEqual
        | Op::FUnordLessThanEqual
        | Op::FOrdGreaterThanEqual
        | Op::FUnordGreaterThanEqual
        | Op::LessOrGreater
        | Op::Ordered
        | Op::Unordered => Some(2),
        Op::Select | Op::BitFieldUExtract | Op::BitFieldSExtract => Some(3),
        Op::BitFieldInsert => Some(4),
        _ => None,
    }
}

/// Like [`fold`], but a result that the specification leaves undefined is zero: any value will do for a constant.
pub fn fold_constant(op: Op, result: Scalar, operands: [Option<Operand>; 3]) -> Option<u64> {
    let is_known = operands.iter().flatten().all(|operand| operand.value.is_some());
    let is_number = |scalar: Scalar| !matches!(scalar, Scalar::OtherFloat { .. });
    let may_be_undefined = || {
        let numbers = operands.iter().flatten().all(|operand| is_number(operand.scalar));
        is_known && numbers && is_number(result) && is_partial(op)
    };
    fold(op, result, operands).or_else(|| may_be_undefined().then_some(0))
}

/// Returns true if the specification leaves some results of an operation on numbers undefined.
fn is_partial(op: Op) -> bool {
    use Op::*;
    matches!(op, UDiv | SDiv | UMod | SMod | SRem | FRem | FMod)
        || matches!(op, ShiftLeftLogical | ShiftRightLogical | ShiftRightArithmetic)
        || matches!(op, ConvertFToU | ConvertFToS | BitFieldUExtract | BitFieldSExtract)
}

/// Like [`fold`], but takes the known values of the operands, and the type of the first.
fn fold_values(op: Op, result: Scalar, from: Scalar, values: &[Option<u64>]) -> Option<u64> {
    let value = |at: usize| values.get(at).copied().flatten();
    let (a, b, c) = (*values.first()?, value(1), value(2));
    match op {
        Op::Select => match a {
            Some(1) => b,
            Some(_) => c,
            None => b.filter(|&same| c == Some(same)),
        },
        Op::BitFieldUExtract | Op::BitFieldSExtract => {
            bit_field(op == Op::BitFieldSExtract, result, a?, b?, c?)
        }
        Op::BitFieldInsert => insert_bit_field(result, a?, b?, c?, value(3)?),
        _ if values.len() == 1 => unary(op, result, from, a?),
        _ => fold_two_values(op, result, from, a, b),
    }
}

/// Like [`fold_values`], for two operands.
fn fold_two_values(op: Op, result: Scalar, from: Scalar, a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match op {
        Op::LogicalAnd => match (a, b) {
            (Some(0), _) | (_, Some(0)) => Some(0),
            (Some(_), Some(_)) => Some(1),
            _ => None,
        },
        Op::LogicalOr => match (a, b) {
            (Some(1), _) | (_, Some(1)) => Some(1),
            (Some(_), Some(_)) => Some(0),
            _ => None,
        },
        _ => match (a, b) {
            (Some(a), Some(b)) => binary(op, result, from, a, b),
            (a, b) => either(op, from, a, b),
        },
    }
}

/// Like `fold_values`, but undefined results are zero, as in spirv-opt: a branch on an undefined value may take any target.
pub fn fold_any(op: Op, result: Scalar, from: Scalar, values: &[Option<u64>]) -> Option<u64> {
    match *values {
        [a, b] => fold_any_two(op, result, from, a, b),
        _ => fold_values(op, result, from, values),
    }
}

/// Like [`fold_any`], for two operands.
pub fn fold_any_two(op: Op, result: Scalar, from: Scalar, a: Option<u64>, b: Option<u64>) -> Option<u64> {
    let partial = || {
        let divides = matches!(op, Op::UDiv | Op::SDiv | Op::UMod | Op::SMod | Op::SRem);
        let shifts = matches!(op, Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic);
        let (b, width) = (b?, u64::from(result.width()));
        // A quotient is undefined for a divisor of -1 too.
        let undefined = (divides && (b == 0 || a.is_some())) || (shifts && b >= width);
        undefined.then_some(0)
    };
    fold_two_values(op, result, from, a, b).or_else(partial)
}

/// Returns the result that one operand determines for every value of the other.
fn either(op: Op, from: Scalar, a: Option<u64>, b: Option<u64>) -> Option<u64> {
    if !matches!(from, Scalar::Int { .. }) {
        return None;
    }
    let ones = from.mask(u64::MAX);
    let (lowest, highest) = (1 << (from.width() - 1), ones >> 1);
    let (zero, one) = (Some(0), Some(1));
    match op {
        Op::IMul | Op::BitwiseAnd if a == zero || b == zero => zero,
        Op::BitwiseOr if a == Some(ones) || b == Some(ones) => Some(ones),
        // By zero it is undefined.
        Op::UDiv | Op::SDiv | Op::UMod | Op::SRem | Op::SMod if a == zero => zero,
        Op::UMod | Op::SRem | Op::SMod if b == one => zero,
        Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic if a == zero => zero,
        Op::ShiftRightArithmetic if a == Some(ones) => a,
        Op::ULessThan if a == Some(ones) || b == zero => zero,
        Op::UGreaterThan if a == zero || b == Some(ones) => zero,
        Op::ULessThanEqual if a == zero || b == Some(ones) => one,
        Op::UGreaterThanEqual if a == Some(ones) || b == zero => one,
        Op::SLessThan if a == Some(highest) || b == Some(lowest) => zero,
        Op::SGreaterThan if a == Some(lowest) || b == Some(highest) => zero,
        Op::SLessThanEqual if a == Some(lowest) || b == Some(highest) => one,
        Op::SGreaterThanEqual if a == Some(highest) || b == Some(lowest) => one,
        _ => None,
    }
}

fn bit_field(signed: bool, result: Scalar, base: u64, offset: u64, count: u64) -> Option<u64> {
    let width = u64::from(result.width());
    if offset.checked_add(count).is_none_or(|end| end > width) {
        return None;
    }
    if count == 0 {
        return Some(0);
    }
    let top = base << (64 - offset - count);
    let unused = 64 - count;
    Some(result.mask(if signed { ((top as i64) >> unused) as u64 } else { top >> unused }))
}

fn insert_bit_field(result: Scalar, base: u64, insert: u64, offset: u64, count: u64) -> Option<u64> {
    let width = u64::from(result.width());
    if offset.checked_add(count).is_none_or(|end| end > width) {
        return None;
    }
    let field = if count == 64 { u64::MAX } else { (1_u64 << count) - 1 };
    let mask = field.checked_shl(offset as u32).unwrap_or(0);
    Some(result.mask(base & !mask | insert.checked_shl(offset as u32).unwrap_or(0) & mask))
}

fn unary(op: Op, result: Scalar, from: Scalar, a: u64) -> Option<u64> {
    let value = match op {
        Op::LogicalNot => a ^ 1,
        Op::Not => !a,
        Op::SNegate => a.wrapping_neg(),
        Op::UConvert => a,
        Op::SConvert => from.sign_extend(a) as u64,
        Op::Bitcast if from.width() == result.width() => a,
        Op::FNegate => a ^ 1 << (from.width() - 1),
        Op::ConvertUToF => float_bits(result, a as f32, a as f64)?,
        Op::ConvertSToF => {
            let a = from.sign_extend(a);
            float_bits(result, a as f32, a as f64)?
        }
        Op::ConvertFToU => {
            let whole = float(from, a)?.trunc();
            (whole >= 0.0 && whole < 2f64.powi(result.width() as i32)).then_some(whole as u64)?
        }
        Op::ConvertFToS => {
            let whole = float(from, a)?.trunc();
            let limit = 2f64.powi(result.width() as i32 - 1);
            (whole >= -limit && whole < limit).then_some(whole as i64 as u64)?
        }
        Op::FConvert => {
            let a = float(from, a)?;
            float_bits(result, a as f32, a)?
        }
        Op::QuantizeToF16 => {
            let half = FloatFormat::HALF.bits(float(from, a)?);
            // Values that are denormal in half precision are flushed to zero, with their sign (specification, OpQuantizeToF16).
            let half = if half & 0x7c00 == 0 { half & 0x8000 } else { half };
            let value = FloatFormat::HALF.value(half);
            float_bits(result, value as f32, value)?
        }
        Op::IsNan => float(from, a)?.is_nan().into(),
        Op::IsInf => float(from, a)?.is_infinite().into(),
        Op::IsFinite => float(from, a)?.is_finite().into(),
        Op::IsNormal => {
            let smallest = match from.width() {
                16 => 2f64.powi(-14),
                32 => f32::MIN_POSITIVE.into(),
                _ => f64::MIN_POSITIVE,
            };
            let a = float(from, a)?;
            (a.is_finite() && a.abs() >= smallest).into()
        }
        Op::SignBitSet => float(from, a)?.is_sign_negative().into(),
        Op::BitCount => a.count_ones().into(),
        Op::BitReverse => a.reverse_bits() >> (64 - from.width()),
        _ => return None,
    };
    Some(result.mask(value))
}

fn binary(op: Op, result: Scalar, from: Scalar, a: u64, b: u64) -> Option<u64> {
    let (sa, sb) = (from.sign_extend(a), from.sign_extend(b));
    let shift = || u32::try_from(b).ok().filter(|&shift| shift < result.width());
    let nonzero = || Some(b).filter(|&b| b != 0);
    let value = match op {
        Op::LogicalEqual | Op::IEqual => u64::from(a == b),
        Op::LogicalNotEqual | Op::INotEqual => u64::from(a != b),
        Op::UGreaterThan => u64::from(a > b),
        Op::UGreaterThanEqual => u64::from(a >= b),
        Op::ULessThan => u64::from(a < b),
        Op::ULessThanEqual => u64::from(a <= b),
        Op::SGreaterThan => u64::from(sa > sb),
        Op::SGreaterThanEqual => u64::from(sa >= sb),
        Op::SLessThan => u64::from(sa < sb),
        Op::SLessThanEqual => u64::from(sa <= sb),
        Op::IAdd => a.wrapping_add(b),
        Op::ISub => a.wrapping_sub(b),
        Op::IMul => a.wrapping_mul(b),
        Op::UDiv => a / nonzero()?,
        Op::UMod => a % nonzero()?,
        Op::SDiv => signed_quotient(from, sa, sb)?,
        Op::SRem => {
            signed_quotient(from, sa, sb)?;
            (sa % sb) as u64
        }
        Op::SMod => {
            signed_quotient(from, sa, sb)?;
            let rest = sa % sb;
            (if rest != 0 && (rest < 0) != (sb < 0) { rest + sb } else { rest }) as u64
        }
        // The upper half of the result: the carry, the borrow, or the high bits of the product.
        Op::IAddCarry => u64::from(result.mask(a.wrapping_add(b)) < a),
        Op::ISubBorrow => u64::from(a < b),
        Op::UMulExtended => ((u128::from(a) * u128::from(b)) >> result.width()) as u64,
        Op::SMulExtended => ((i128::from(sa) * i128::from(sb)) >> result.width()) as u64,
        Op::ShiftLeftLogical => a << shift()?,
        Op::ShiftRightLogical => a >> shift()?,
        Op::ShiftRightArithmetic => (sa >> shift()?) as u64,
        Op::BitwiseAnd => a & b,
        Op::BitwiseOr => a | b,
        Op::BitwiseXor => a ^ b,
        _ => floats(op, result, float(from, a)?, float(from, b)?)?,
    };
    Some(result.mask(value))
}

/// Computes an operation on two floating-point numbers.
fn floats(op: Op, result: Scalar, a: f64, b: f64) -> Option<u64> {
    let (narrow_a, narrow_b) = (a as f32, b as f32);
    let ordered = !a.is_nan() && !b.is_nan();
    let truth = match op {
        Op::FAdd => return float_bits(result, narrow_a + narrow_b, a + b),
        Op::FSub => return float_bits(result, narrow_a - narrow_b, a - b),
        Op::FMul => return float_bits(result, narrow_a * narrow_b, a * b),
        Op::FDiv => return float_bits(result, narrow_a / narrow_b, a / b),
        // A remainder has the sign of the first operand, a modulus that of the second.
        Op::FRem if b != 0.0 => return float_bits(result, narrow_a % narrow_b, a % b),
        Op::FMod if b != 0.0 => {
            let modulo = |rest: f64| if rest != 0.0 && (rest < 0.0) != (b < 0.0) { rest + b } else { rest };
            return float_bits(result, modulo((narrow_a % narrow_b).into()) as f32, modulo(a % b));
        }
        Op::FOrdEqual => a == b,
        Op::FUnordEqual => a == b || !ordered,
        Op::FOrdNotEqual | Op::LessOrGreater => ordered && a != b,
        Op::FUnordNotEqual => a != b,
        Op::FOrdLessThan => a < b,
        Op::FUnordLessThan => a < b || !ordered,
        Op::FOrdGreaterThan => a > b,
        Op::FUnordGreaterThan => a > b || !ordered,
        Op::FOrdLessThanEqual => a <= b,
        Op::FUnordLessThanEqual => a <= b || !ordered,
        Op::FOrdGreaterThanEqual => a >= b,
        Op::FUnordGreaterThanEqual => a >= b || !ordered,
        Op::Ordered => ordered,
        Op::Unordered => !ordered,
        _ => return None,
    };
    Some(truth.into())
}

/// Returns the quotient of signed division if it is defined: the divisor is not zero, and the quotient does not overflow.
fn signed_quotient(from: Scalar, a: i64, b: i64) -> Option<u64> {
    let quotient = a.checked_div(b)?;
    (from.sign_extend(from.mask(quotient as u64)) == quotient).then_some(quotient as u64)
}

/// Returns a floating-point number of any width as one of the widest.
pub(crate) fn float(scalar: Scalar, bits: u64) -> Option<f64> {
    match scalar {
        Scalar::Float(16) => Some(FloatFormat::HALF.value(bits)),
        Scalar::Float(32) => Some(f32::from_bits(bits as u32).into()),
        Scalar::Float(64) => Some(f64::from_bits(bits)),
        _ => None,
    }
}

/// Returns the bits of a result, computed in two widths. Half precision is rounded from the widest, which for a single operation on halves is
/// as good as the exact result.
pub(crate) fn float_bits(scalar: Scalar, narrow: f32, wide: f64) -> Option<u64> {
    match scalar {
        Scalar::Float(16) => Some(FloatFormat::HALF.bits(wide)),
        Scalar::Float(32) => Some(narrow.to_bits().into()),
        Scalar::Float(64) => Some(wide.to_bits()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: FloatFormat = FloatFormat::HALF;

    const I8: Scalar = Scalar::Int { width: 8, signed: true };
    const U8: Scalar = Scalar::Int { width: 8, signed: false };
    const I64: Scalar = Scalar::Int { width: 64, signed: true };

    fn folded(op: Op, result: Scalar, from: Scalar, values: [Option<u64>; 2]) -> Option<u64> {
        let operand = |value| Some(Operand { scalar: from, value });
        fold(op, result, [operand(values[0]), operand(values[1]), None])
    }

    /// Compares every operation on every pair of bytes with the processor's own.
    #[test]
    fn bytes_compute_as_the_processor_does() {
        for (a, b) in (0..=255u8).flat_map(|a| (0..=255u8).map(move |b| (a, b))) {
            let (sa, sb) = (a as i8, b as i8);
            let byte = |op: Op| folded(op, U8, U8, [Some(a.into()), Some(b.into())]).map(|value| value as u8);
            let truth = |op: Op| {
                folded(op, Scalar::Bool, I8, [Some(a.into()), Some(b.into())]).map(|value| value == 1)
            };
            assert_eq!(byte(Op::IAdd), Some(a.wrapping_add(b)));
            assert_eq!(byte(Op::ISub), Some(a.wrapping_sub(b)));
            assert_eq!(byte(Op::IMul), Some(a.wrapping_mul(b)));
            assert_eq!(byte(Op::UDiv), a.checked_div(b));
            assert_eq!(byte(Op::UMod), a.checked_rem(b));
            assert_eq!(byte(Op::SDiv), sa.checked_div(sb).map(|value| value as u8));
            assert_eq!(byte(Op::SRem), sa.checked_rem(sb).map(|value| value as u8));
            // The result has the sign of the second operand.
            let modulo = sa.checked_rem(sb).map(|_| {
                let euclid = i32::from(sa).rem_euclid(i32::from(sb).abs());
                (if sb < 0 && euclid != 0 { euclid + i32::from(sb) } else { euclid }) as u8
            });
            assert_eq!(byte(Op::SMod), modulo, "{sa} mod {sb}");
            assert_eq!(byte(Op::ShiftLeftLogical), a.checked_shl(b.into()));
            assert_eq!(byte(Op::ShiftRightLogical), a.checked_shr(b.into()));
            assert_eq!(byte(Op::ShiftRightArithmetic), sa.checked_shr(b.into()).map(|value| value as u8));
            assert_eq!(byte(Op::BitwiseAnd), Some(a & b));
            assert_eq!(byte(Op::BitwiseOr), Some(a | b));
            assert_eq!(byte(Op::BitwiseXor), Some(a ^ b));
            assert_eq!(truth(Op::IEqual), Some(a == b));
            assert_eq!(truth(Op::INotEqual), Some(a != b));
            assert_eq!(truth(Op::UGreaterThan), Some(a > b));
            assert_eq!(truth(Op::UGreaterThanEqual), Some(a >= b));
            assert_eq!(truth(Op::ULessThan), Some(a < b));
            assert_eq!(truth(Op::ULessThanEqual), Some(a <= b));
            assert_eq!(truth(Op::SGreaterThan), Some(sa > sb));
            assert_eq!(truth(Op::SGreaterThanEqual), Some(sa >= sb));
            assert_eq!(truth(Op::SLessThan), Some(sa < sb));
            assert_eq!(truth(Op::SLessThanEqual), Some(sa <= sb));
        }
    }

    /// Checks that a result determined by one operand is the result for every value of the other operand, if defined.
    #[test]
    fn one_operand_may_decide() {
        let operations = [
            (Op::IMul, U8),
            (Op::BitwiseAnd, U8),
            (Op::BitwiseOr, U8),
            (Op::UDiv, U8),
            (Op::UMod, U8),
            (Op::SDiv, I8),
            (Op::SRem, I8),
            (Op::SMod, I8),
            (Op::ShiftLeftLogical, U8),
            (Op::ShiftRightLogical, U8),
            (Op::ShiftRightArithmetic, I8),
            (Op::ULessThan, U8),
            (Op::UGreaterThan, U8),
            (Op::ULessThanEqual, U8),
            (Op::UGreaterThanEqual, U8),
            (Op::SLessThan, I8),
            (Op::SGreaterThan, I8),
            (Op::SLessThanEqual, I8),
            (Op::SGreaterThanEqual, I8),
            (Op::IAdd, U8),
        ];
        let mut decided = 0;
        for ((op, from), known, first) in operations
            .iter()
            .flat_map(|op| (0..=255).flat_map(move |known| [(*op, known, true), (*op, known, false)]))
        {
            let pair = |other| if first { [Some(known), other] } else { [other, Some(known)] };
            let Some(value) = folded(op, from, from, pair(None)) else { continue };
            decided += 1;
            let mut all = (0..=255).filter_map(|other| folded(op, from, from, pair(Some(other))));
            assert!(all.all(|exact| exact == value), "{op:?} {known} {first}");
        }
        assert!(decided > 30, "{decided}");
    }

    #[test]
    fn undefined_results_are_zero_for_branches() {
        let any = |op, a, b| fold_any(op, I8, I8, &[a, b]);
        assert_eq!(any(Op::UDiv, Some(7), Some(0)), Some(0));
        assert_eq!(any(Op::SMod, None, Some(0)), Some(0));
        assert_eq!(any(Op::SDiv, Some(0x80), Some(0xff)), Some(0));
        assert_eq!(any(Op::ShiftLeftLogical, Some(1), Some(8)), Some(0));
        assert_eq!(any(Op::ShiftLeftLogical, Some(1), Some(7)), Some(0x80));
        assert_eq!(any(Op::UDiv, None, Some(3)), None);
        assert_eq!(any(Op::IAdd, Some(1), None), None);
    }

    #[test]
    fn halves_are_exact_and_round_to_even() {
        for bits in (0..=0xffffu64).filter(|bits| bits & 0x7c00 != 0x7c00 || bits & 0x3ff == 0) {
            assert_eq!(HALF.bits(HALF.value(bits)), bits);
            // Half way to the next one, to the even one; a little more, to the next one.
            if bits & 0x7fff < 0x7bff {
                let (here, next) = (HALF.value(bits), HALF.value(bits + 1));
                assert_eq!(HALF.bits((here + next) / 2.0), bits + (bits & 1));
                assert_eq!(HALF.bits(here + (next - here) * 0.500_001), bits + 1);
            }
        }
        assert_eq!((HALF.value(0x3c00), HALF.value(0xc000), HALF.value(1)), (1.0, -2.0, 2f64.powi(-24)));
        assert_eq!((HALF.bits(65519.9), HALF.bits(65520.0), HALF.bits(-1e9)), (0x7bff, 0x7c00, 0xfc00));
        assert!(HALF.value(HALF.bits(f64::NAN)).is_nan());
        let half = Scalar::Float(16);
        assert_eq!(folded(Op::FAdd, half, half, [Some(0x3c00), Some(0x4000)]), Some(0x4200));
    }

    #[test]
    fn comparisons_know_of_nan() {
        let bits = |value: f32| Some(u64::from(value.to_bits()));
        let truth = |op, a, b| folded(op, Scalar::Bool, Scalar::Float(32), [bits(a), bits(b)]);
        for (ordered, unordered, holds) in [
            (Op::FOrdEqual, Op::FUnordEqual, [false, true, false]),
            (Op::FOrdNotEqual, Op::FUnordNotEqual, [true, false, true]),
            (Op::FOrdLessThan, Op::FUnordLessThan, [true, false, false]),
            (Op::FOrdLessThanEqual, Op::FUnordLessThanEqual, [true, true, false]),
            (Op::FOrdGreaterThan, Op::FUnordGreaterThan, [false, false, true]),
            (Op::FOrdGreaterThanEqual, Op::FUnordGreaterThanEqual, [false, true, true]),
        ] {
            for (a, holds) in [1f32, 2.0, 3.0].into_iter().zip(holds) {
                assert_eq!(truth(ordered, a, 2.0), Some(holds.into()), "{ordered:?} {a}");
                assert_eq!(truth(unordered, a, 2.0), Some(holds.into()), "{unordered:?} {a}");
            }
            assert_eq!(truth(ordered, f32::NAN, 2.0), Some(0));
            assert_eq!(truth(unordered, f32::NAN, 2.0), Some(1));
        }
    }

    #[test]
    fn conversions_keep_or_extend_and_leave_the_undefined_unknown() {
        let one = |op, result, from, value: u64| {
            fold(op, result, [Some(Operand { scalar: from, value: Some(value) }), None, None])
        };
        let f32_ = Scalar::Float(32);
        let f64_ = Scalar::Float(64);
        assert_eq!(one(Op::SConvert, I64, I8, 0x80), Some(-128i64 as u64));
        assert_eq!(one(Op::UConvert, I64, I8, 0x80), Some(128));
        assert_eq!(one(Op::UConvert, U8, I64, 0x1ff), Some(0xff));
        assert_eq!(one(Op::SNegate, U8, U8, 1), Some(0xff));
        assert_eq!(one(Op::Not, U8, U8, 1), Some(0xfe));
        assert_eq!(one(Op::LogicalNot, Scalar::Bool, Scalar::Bool, 1), Some(0));
        assert_eq!(one(Op::ConvertSToF, f32_, I8, 0xff), Some((-1f32).to_bits().into()));
        assert_eq!(one(Op::ConvertUToF, f64_, U8, 0xff), Some(255f64.to_bits()));
        assert_eq!(one(Op::ConvertFToS, I8, f64_, (-128.9f64).to_bits()), Some(0x80));
        assert_eq!(one(Op::ConvertFToS, I8, f64_, (-129f64).to_bits()), None);
        assert_eq!(one(Op::ConvertFToU, U8, f32_, f32::NAN.to_bits().into()), None);
        assert_eq!(one(Op::ConvertFToU, U8, f32_, 256f32.to_bits().into()), None);
        assert_eq!(one(Op::FNegate, f32_, f32_, 1f32.to_bits().into()), Some((-1f32).to_bits().into()));
        assert_eq!(one(Op::FConvert, f32_, f64_, 0.1f64.to_bits()), Some(0.1f32.to_bits().into()));
        let sum =
            folded(Op::FAdd, f32_, f32_, [Some(0.1f32.to_bits().into()), Some(0.2f32.to_bits().into())]);
        assert_eq!(sum, Some((0.1f32 + 0.2f32).to_bits().into()));
        let quotient = folded(Op::SDiv, I64, I64, [Some(i64::MIN as u64), Some(u64::MAX)]);
        assert_eq!(quotient, None);
    }

    /// Kleene's truth tables: a known result is the result for every value of the unknown operands.
    #[test]
    fn logic_is_three_valued() {
        let values = [Some(0), Some(1), None];
        for op in [Op::LogicalAnd, Op::LogicalOr, Op::LogicalEqual, Op::LogicalNotEqual] {
            let exact = |a: u64, b: u64| match op {
                Op::LogicalAnd => a & b,
                Op::LogicalOr => a | b,
                Op::LogicalEqual => 1 ^ a ^ b,
                _ => a ^ b,
            };
            for (a, b) in values.iter().flat_map(|a| values.iter().map(move |b| (*a, *b))) {
                let all = |value: Option<u64>| value.map_or(vec![0, 1], |value| vec![value]);
                let mut results: Vec<u64> = all(a)
                    .iter()
                    .flat_map(|&a| all(b).iter().map(|&b| exact(a, b)).collect::<Vec<_>>())
                    .collect();
                results.sort_unstable();
                results.dedup();
                let expected = if let [one] = results[..] { Some(one) } else { None };
                assert_eq!(folded(op, Scalar::Bool, Scalar::Bool, [a, b]), expected, "{op:?} {a:?} {b:?}");
            }
        }
        let select = |condition, b, c| {
            let operand = |scalar, value| Some(Operand { scalar, value });
            fold(Op::Select, U8, [operand(Scalar::Bool, condition), operand(U8, b), operand(U8, c)])
        };
        assert_eq!(select(Some(1), Some(7), None), Some(7));
        assert_eq!(select(Some(0), Some(7), None), None);
        assert_eq!(select(None, Some(7), Some(7)), Some(7));
        assert_eq!(select(None, Some(7), Some(8)), None);
    }

    #[test]
    fn texts_are_values_of_a_type() {
        type Case<'t> = (Scalar, &'t [(&'t str, u64)], &'t [&'t str]);
        let cases: [Case; 7] = [
            (Scalar::Bool, &[("true", 1), ("false", 0), ("1", 1), ("0", 0)], &["2", "-1", "0x1", "yes", ""]),
            (
                U8,
                &[("255", 255), ("-1", 255), ("-128", 128), ("0xff", 255), ("-0x1", 255), ("0XA", 10)],
                &["256", "-129", "0x100", "1.0", "true", "--1", "+-1", "0x-1", "0x", "-", ""],
            ),
            (I8, &[("-128", 128), ("127", 127), ("0x80", 128)], &["-129", "300"]),
            (I64, &[("-1", u64::MAX), ("18446744073709551615", u64::MAX)], &["18446744073709551616"]),
            (
                Scalar::Float(16),
                &[("1.5", 0x3e00), ("-2", 0xc000), ("0x3c00", 0x3c00), ("65504", 0x7bff), ("-inf", 0xfc00)],
                &["65520", "0x10000", "true", "1.5f", "-0x1"],
            ),
            (
                Scalar::Float(32),
                &[
                    ("1.5", 0x3fc0_0000),
                    ("0x3f800000", 0x3f80_0000),
                    ("1e-3", 0x3a83_126f),
                    ("0.1", 0x3dcc_cccd),
                ],
                &["1e39", "0x100000000", "x"],
            ),
            (Scalar::Float(64), &[("0.1", 0x3fb9_9999_9999_999a), ("-0", 1 << 63)], &["1e400"]),
        ];
        for (scalar, good, bad) in cases {
            for (text, value) in good {
                assert_eq!(scalar.parse(text), Some(*value), "{text} as {scalar}");
            }
            for text in bad {
                assert_eq!(scalar.parse(text), None, "{text} as {scalar}");
            }
        }
    }

    #[test]
    fn values_fit_or_do_not() {
        assert_eq!(U8.fit(255), Some(255));
        assert_eq!(U8.fit(256), None);
        assert_eq!(I8.fit(-1i64 as u64), Some(255));
        assert_eq!(I8.fit(-129i64 as u64), None);
        assert_eq!(Scalar::Bool.fit(1), Some(1));
        assert_eq!(Scalar::Bool.fit(2), None);
        // A narrow literal is extended to its word by the sign of its type (specification, 2.2.1).
        assert_eq!(I8.literal_words(0x80), ([0xffff_ff80, 0xffff_ffff], 1));
        assert_eq!(U8.literal_words(0x80), ([0x80, 0], 1));
        assert_eq!(I64.literal(&[1, 2]), Some(0x2_0000_0001));
    }
}
