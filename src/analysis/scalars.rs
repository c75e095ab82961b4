//! Scalar arithmetic as SPIR-V defines it, on values of which some may not be known.

use spirv::Op;

use crate::loader::Module;

/// A scalar type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// OpTypeBool.
    Bool,
    /// OpTypeInt of 8 to 64 bits.
    Int {
        /// Its width in bits.
        width: u32,
        /// Whether its signedness says so.
        signed: bool,
    },
    /// OpTypeFloat of 16, 32 or 64 bits, in the format of IEEE 754.
    Float(u32),
}

/// An operand whose value may be known. Values are bits, those above the width zero.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    /// Its type.
    pub scalar: Scalar,
    /// Its value, if it is known.
    pub value: Option<u64>,
}

impl Scalar {
    /// The scalar type that an id stands for; `None` for other types, and for formats of floating point beyond IEEE 754.
    pub fn of(module: &Module, type_id: u32) -> Option<Scalar> {
        let inst = module.definition(type_id)?;
        match (inst.op()?, inst.word(2)) {
            (Op::TypeBool, _) => Some(Scalar::Bool),
            (Op::TypeInt, width @ 8..=64) => Some(Scalar::Int { width, signed: inst.word(3) == 1 }),
            (Op::TypeFloat, width @ (16 | 32 | 64)) if inst.words().len() == 3 => Some(Scalar::Float(width)),
            _ => None,
        }
    }

    fn width(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::Int { width, .. } | Scalar::Float(width) => width,
        }
    }

    fn mask(self, value: u64) -> u64 {
        value & (u64::MAX >> (64 - self.width()))
    }

    fn sign_extend(self, value: u64) -> i64 {
        let shift = 64 - self.width();
        ((value << shift) as i64) >> shift
    }

    /// The value of a literal of this type (specification, 2.2.1 "Instructions": low-order words first).
    pub fn literal(self, words: &[u32]) -> Option<u64> {
        let low = u64::from(*words.first()?);
        let high = if self.width() > 32 { u64::from(*words.get(1)?) } else { 0 };
        Some(self.mask(low | high << 32))
    }

    /// The words of the literal with this value, and how many of them count.
    pub fn literal_words(self, value: u64) -> ([u32; 2], usize) {
        let extended = match self {
            Scalar::Int { signed: true, .. } => self.sign_extend(value) as u64,
            _ => value,
        };
        ([extended as u32, (extended >> 32) as u32], if self.width() > 32 { 2 } else { 1 })
    }

    /// A value given from outside as one of this type, if it fits: integers may come with their sign extended.
    pub fn fit(self, value: u64) -> Option<u64> {
        let masked = self.mask(value);
        let negative = matches!(self, Scalar::Int { .. }) && self.sign_extend(masked) as u64 == value;
        (masked == value || negative).then_some(masked)
    }
}

impl std::fmt::Display for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Scalar::Bool => write!(f, "a Boolean (0 or 1)"),
            Scalar::Int { width, signed: true } => write!(f, "a signed integer of {width} bits"),
            Scalar::Int { width, .. } => write!(f, "an unsigned integer of {width} bits"),
            Scalar::Float(width) => write!(f, "a floating-point number of {width} bits"),
        }
    }
}

/// The value of an operation, if the known operands decide it. What the specification leaves undefined (division by zero,
/// shifts past the width, conversions out of range) is not known.
pub fn fold(op: Op, result: Scalar, operands: [Option<Operand>; 3]) -> Option<u64> {
    let [a, b, c] = operands;
    let a = a?;
    let value = |operand: Option<Operand>| operand.and_then(|operand| operand.value);
    match op {
        Op::LogicalAnd => match (a.value, value(b)) {
            (Some(0), _) | (_, Some(0)) => Some(0),
            (Some(_), Some(_)) => Some(1),
            _ => None,
        },
        Op::LogicalOr => match (a.value, value(b)) {
            (Some(1), _) | (_, Some(1)) => Some(1),
            (Some(_), Some(_)) => Some(0),
            _ => None,
        },
        Op::Select => match a.value {
            Some(1) => value(b),
            Some(_) => value(c),
            None => value(b).filter(|&same| value(c) == Some(same)),
        },
        _ => match b {
            Some(b) => binary(op, result, a.scalar, a.value?, b.value?),
            None => unary(op, result, a.scalar, a.value?),
        },
    }
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
        Op::ShiftLeftLogical => a << shift()?,
        Op::ShiftRightLogical => a >> shift()?,
        Op::ShiftRightArithmetic => (sa >> shift()?) as u64,
        Op::BitwiseAnd => a & b,
        Op::BitwiseOr => a | b,
        Op::BitwiseXor => a ^ b,
        Op::FAdd | Op::FSub | Op::FMul | Op::FDiv => {
            let (a, b) = (float(from, a)?, float(from, b)?);
            let (narrow_a, narrow_b) = (a as f32, b as f32);
            match op {
                Op::FAdd => float_bits(result, narrow_a + narrow_b, a + b)?,
                Op::FSub => float_bits(result, narrow_a - narrow_b, a - b)?,
                Op::FMul => float_bits(result, narrow_a * narrow_b, a * b)?,
                _ => {
                    (b != 0.0).then_some(())?;
                    float_bits(result, narrow_a / narrow_b, a / b)?
                }
            }
        }
        _ => return None,
    };
    Some(result.mask(value))
}

/// The quotient of signed division, where it is defined: not by zero, and not past the largest number.
fn signed_quotient(from: Scalar, a: i64, b: i64) -> Option<u64> {
    let quotient = a.checked_div(b)?;
    (from.sign_extend(from.mask(quotient as u64)) == quotient).then_some(quotient as u64)
}

fn float(scalar: Scalar, bits: u64) -> Option<f64> {
    match scalar {
        Scalar::Float(32) => Some(f32::from_bits(bits as u32).into()),
        Scalar::Float(64) => Some(f64::from_bits(bits)),
        _ => None,
    }
}

/// The bits of a result, computed in both widths.
fn float_bits(scalar: Scalar, narrow: f32, wide: f64) -> Option<u64> {
    match scalar {
        Scalar::Float(32) => Some(narrow.to_bits().into()),
        Scalar::Float(64) => Some(wide.to_bits()),
        _ => None,
    }
}
