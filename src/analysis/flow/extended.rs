//! Instructions of GLSL.std.450 on known values.

use spirv::GlslStd450Op;

use super::access::PartPath;
use crate::analysis::constants::folding::{Operand, Scalar, float, float_bits};
use crate::loader::{Module, views};

/// An instruction of GLSL.std.450 that works component by component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extended {
    instruction: GlslStd450Op,
    /// The member of the result, if that is a structure.
    member: u32,
}

impl Extended {
    /// Returns the instruction that an OpExtInst is, if its set is GLSL.std.450, and the path in its operands that belongs to one in its result.
    pub fn new(module: &Module, inst: views::ExtInst, path: PartPath) -> Option<(Extended, PartPath)> {
        if module.imported_set(inst.set())?.name() != "GLSL.std.450" {
            return None;
        }
        let instruction = GlslStd450Op::from_u32(inst.instruction())?;
        Some(match instruction {
            GlslStd450Op::ModfStruct | GlslStd450Op::FrexpStruct => {
                (Extended { instruction, member: path.first()? }, path.rest())
            }
            _ => (Extended { instruction, member: 0 }, path),
        })
    }

    /// Returns true if some of the operands may determine the value.
    pub fn is_bounded(self) -> bool {
        use GlslStd450Op::{FClamp, NClamp, SClamp, UClamp, UMax, UMin};
        matches!(self.instruction, UMin | UMax | UClamp | SClamp | FClamp | NClamp)
    }

    /// Returns the value, if the known operands determine it. Undefined results are not known.
    pub fn fold(self, scalar: Scalar, operands: &[Operand]) -> Option<u64> {
        let value = |at: usize| operands.get(at).and_then(|operand| operand.value);
        let signed = |at: usize| value(at).map(|value| scalar.sign_extend(value));
        let number = |at: usize| operands.get(at).and_then(|operand| float(operand.scalar, operand.value?));
        let bits = match self.instruction {
            GlslStd450Op::UMin if value(0) == Some(0) || value(1) == Some(0) => 0,
            GlslStd450Op::UMax if [value(0), value(1)].contains(&Some(scalar.mask(u64::MAX))) => u64::MAX,
            GlslStd450Op::UMin => value(0)?.min(value(1)?),
            GlslStd450Op::UMax => value(0)?.max(value(1)?),
            GlslStd450Op::SMin => signed(0)?.min(signed(1)?) as u64,
            GlslStd450Op::SMax => signed(0)?.max(signed(1)?) as u64,
            GlslStd450Op::UClamp => clamp(value(0), value(1), value(2), |a, b| a <= b)?,
            GlslStd450Op::SClamp => clamp(signed(0), signed(1), signed(2), |a, b| a <= b)? as u64,
            GlslStd450Op::SAbs => signed(0)?.unsigned_abs(),
            GlslStd450Op::SSign => signed(0)?.signum() as u64,
            GlslStd450Op::FindILsb => value(0).map(|value| match value {
                0 => u64::MAX,
                _ => value.trailing_zeros().into(),
            })?,
            GlslStd450Op::FindUMsb => highest(value(0)?),
            GlslStd450Op::FindSMsb => {
                let value = signed(0)?;
                highest(if value < 0 { !value } else { value } as u64)
            }
            GlslStd450Op::FrexpStruct if self.member == 1 => frexp(number(0)?)?.1 as u64,
            _ => {
                let rounded = self.float(number(0), number(1), number(2), operands.len())?;
                // Results of narrower types are those of the widest one, rounded.
                float_bits(scalar, rounded as f32, rounded)?
            }
        };
        Some(scalar.mask(bits))
    }

    fn float(self, a: Option<f64>, b: Option<f64>, c: Option<f64>, count: usize) -> Option<f64> {
        match self.instruction {
            GlslStd450Op::FClamp => return clamp(a, b, c, |a, b| a <= b),
            GlslStd450Op::NClamp if [a, b, c].iter().flatten().any(|number| number.is_nan()) => {
                return Some(a?.max(b?).min(c?));
            }
            GlslStd450Op::NClamp => return clamp(a, b, c, |a, b| a <= b),
            _ => {}
        }
        let a = a?;
        let (b, c) = match count {
            1 => (0.0, 0.0),
            2 => (b?, 0.0),
            _ => (b?, c?),
        };
        Some(match self.instruction {
            GlslStd450Op::FMin | GlslStd450Op::NMin => a.min(b),
            GlslStd450Op::FMax | GlslStd450Op::NMax => a.max(b),
            GlslStd450Op::FMix => a * (1.0 - c) + b * c,
            GlslStd450Op::Fma => a.mul_add(b, c),
            // Numbers that are not ordered give 1, too.
            GlslStd450Op::Step if b < a => 0.0,
            GlslStd450Op::Step => 1.0,
            GlslStd450Op::FAbs => a.abs(),
            GlslStd450Op::FSign if a == 0.0 => a,
            GlslStd450Op::FSign => a.signum(),
            GlslStd450Op::Floor => a.floor(),
            GlslStd450Op::Ceil => a.ceil(),
            GlslStd450Op::Trunc => a.trunc(),
            GlslStd450Op::Round | GlslStd450Op::RoundEven => a.round_ties_even(),
            GlslStd450Op::Fract => a - a.floor(),
            GlslStd450Op::ModfStruct if self.member == 0 => (a - a.trunc()).copysign(a),
            GlslStd450Op::ModfStruct => a.trunc(),
            GlslStd450Op::FrexpStruct => frexp(a)?.0,
            GlslStd450Op::Radians => a.to_radians(),
            GlslStd450Op::Degrees => a.to_degrees(),
            GlslStd450Op::Sqrt if a >= 0.0 => a.sqrt(),
            GlslStd450Op::InverseSqrt if a > 0.0 => 1.0 / a.sqrt(),
            GlslStd450Op::Sin => a.sin(),
            GlslStd450Op::Cos => a.cos(),
            GlslStd450Op::Tan => a.tan(),
            GlslStd450Op::Asin if a.abs() <= 1.0 => a.asin(),
            GlslStd450Op::Acos if a.abs() <= 1.0 => a.acos(),
            GlslStd450Op::Atan => a.atan(),
            GlslStd450Op::Atan2 if a != 0.0 || b != 0.0 => a.atan2(b),
            GlslStd450Op::Pow if a > 0.0 || (a == 0.0 && b > 0.0) => a.powf(b),
            GlslStd450Op::Exp => a.exp(),
            GlslStd450Op::Exp2 => a.exp2(),
            GlslStd450Op::Log if a > 0.0 => a.ln(),
            GlslStd450Op::Log2 if a > 0.0 => a.log2(),
            _ => return None,
        })
    }
}

/// Returns a significand from 0.5 below 1 and an exponent of 2, whose product is a number; `None` for infinities and NaN, for which they are
/// undefined, and for subnormal numbers of 64 bits.
fn frexp(number: f64) -> Option<(f64, i64)> {
    if number == 0.0 {
        return Some((number, 0));
    }
    const BIAS: i64 = 1022;
    let bits = number.is_normal().then(|| number.to_bits())?;
    let exponent = (bits >> 52 & 0x7ff) as i64 - BIAS;
    Some((f64::from_bits(bits & !(0x7ff << 52) | (BIAS as u64) << 52), exponent))
}

/// Returns a clamped value. One bound is enough if the value lies beyond it; if the bounds cross, the result is undefined.
fn clamp<T: Copy>(
    value: Option<T>,
    low: Option<T>,
    high: Option<T>,
    ordered: impl Fn(T, T) -> bool,
) -> Option<T> {
    match (value, low, high) {
        (Some(value), Some(low), _) if !ordered(low, value) => Some(low),
        (Some(value), _, Some(high)) if !ordered(value, high) => Some(high),
        (_, Some(low), Some(high)) if ordered(high, low) => Some(low),
        (Some(value), Some(_), Some(_)) => Some(value),
        _ => None,
    }
}

/// Returns the number of the highest bit that is set; -1 if there is none.
fn highest(value: u64) -> u64 {
    63u64.wrapping_sub(value.leading_zeros().into())
}
