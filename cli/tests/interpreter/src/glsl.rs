//! Instructions of GLSL.std.450.

use spirv::GlslStd450Op;

use super::arithmetic::componentwise;
use super::values::{NumberBits, ValueTree};
use super::{Interpreted, unsupported};

/// Returns the result of an instruction; of one with a second result in memory, a structure of both, like its twin's with a structure.
pub fn evaluate(op: GlslStd450Op, args: &[ValueTree]) -> Interpreted<ValueTree> {
    if let Some(value) = geometric(op, args)? {
        return Ok(value);
    }
    match op {
        GlslStd450Op::PackHalf2x16 | GlslStd450Op::UnpackHalf2x16 if args.contains(&ValueTree::Undefined) => {
            unsupported(format!("{op:?} of an undefined number"))
        }
        GlslStd450Op::PackHalf2x16 => {
            let [ValueTree::Composite(parts)] = args else { return unsupported("PackHalf2x16 of no vector") };
            let halves = parts.iter().map(|part| ValueTree::float(16, part.to_number()?.float()).to_number());
            let halves = halves.collect::<Interpreted<Vec<_>>>()?;
            let bits = halves.iter().rev().fold(0, |bits, half| bits << 16 | half.bits);
            Ok(ValueTree::number(32, bits))
        }
        GlslStd450Op::UnpackHalf2x16 => {
            let [value] = args else { return unsupported("UnpackHalf2x16 of more than a number") };
            let bits = value.to_number()?.bits;
            let half = |bits| ValueTree::float(32, NumberBits::new(16, bits).float());
            Ok(ValueTree::Composite(vec![half(bits), half(bits >> 16)]))
        }
        GlslStd450Op::Modf | GlslStd450Op::ModfStruct | GlslStd450Op::Frexp | GlslStd450Op::FrexpStruct => {
            let [value, ..] = args else { return unsupported("an instruction without its operand") };
            Ok(ValueTree::Composite(vec![
                componentwise(std::slice::from_ref(value), &|args| Ok(split(op, &args[0])?.0))?,
                componentwise(std::slice::from_ref(value), &|args| Ok(split(op, &args[0])?.1))?,
            ]))
        }
        _ => componentwise(args, &|args| {
            if args.contains(&ValueTree::Undefined) {
                return Ok(ValueTree::Undefined);
            }
            let numbers = args.iter().map(ValueTree::to_number).collect::<Interpreted<Vec<_>>>()?;
            match (op, &numbers[..]) {
                (GlslStd450Op::Ldexp, [fraction, exponent]) => {
                    let exponent = exponent.signed().clamp(-2200, 2200) as i32;
                    // In two steps, since the power itself may not be a number.
                    let half = 2f64.powi(exponent / 2);
                    let rest = 2f64.powi(exponent - exponent / 2);
                    Ok(ValueTree::float(fraction.width, fraction.float() * half * rest))
                }
                (_, [one, ..]) => match integer(op, &numbers) {
                    Some(value) => Ok(value),
                    None => {
                        let args: Vec<f64> = numbers.iter().map(|number| number.float()).collect();
                        float(op, &args).map(|value| ValueTree::float(one.width, value))
                    }
                },
                _ => unsupported(format!("{op:?} without operands")),
            }
        }),
    }
}

/// Splits a number into the results of Modf or Frexp.
fn split(op: GlslStd450Op, value: &ValueTree) -> Interpreted<(ValueTree, ValueTree)> {
    if *value == ValueTree::Undefined {
        return Ok((ValueTree::Undefined, ValueTree::Undefined));
    }
    let number = value.to_number()?;
    let (width, value) = (number.width, number.float());
    Ok(match op {
        GlslStd450Op::Modf | GlslStd450Op::ModfStruct => {
            let whole = value.trunc();
            let fraction = if value.is_infinite() { 0.0 } else { value - whole };
            (ValueTree::float(width, fraction.copysign(value)), ValueTree::float(width, whole))
        }
        // Both are undefined for infinities and NaN.
        _ if !value.is_finite() => (ValueTree::Undefined, ValueTree::Undefined),
        _ if value == 0.0 => (ValueTree::float(width, value), ValueTree::number(32, 0)),
        _ => {
            // Subnormal numbers of double precision become normal.
            let (scaled, by) = if value.abs() < 1e-300 { (value * 2f64.powi(64), 64) } else { (value, 0) };
            let exponent = (scaled.abs().to_bits() >> 52) as i64 - 1022;
            let significand = f64::from_bits(scaled.to_bits() & !(0x7ff << 52) | 1022 << 52);
            (ValueTree::float(width, significand), ValueTree::number(32, (exponent - by).cast_unsigned()))
        }
    })
}

fn integer(op: GlslStd450Op, args: &[NumberBits]) -> Option<ValueTree> {
    let width = args.first()?.width;
    let signed = |value: i64| Some(ValueTree::number(width, value.cast_unsigned()));
    let unsigned = |value: u64| Some(ValueTree::number(width, value));
    // No bit is found as -1.
    let bit = |at: Option<u32>| signed(at.map_or(-1, i64::from));
    match (op, args) {
        (GlslStd450Op::SAbs, [one]) => signed(one.signed().wrapping_abs()),
        (GlslStd450Op::SSign, [one]) => signed(one.signed().signum()),
        (GlslStd450Op::SMin, [one, other]) => signed(one.signed().min(other.signed())),
        (GlslStd450Op::SMax, [one, other]) => signed(one.signed().max(other.signed())),
        (GlslStd450Op::SClamp, [one, low, high]) => signed(one.signed().max(low.signed()).min(high.signed())),
        (GlslStd450Op::UMin, [one, other]) => unsigned(one.bits.min(other.bits)),
        (GlslStd450Op::UMax, [one, other]) => unsigned(one.bits.max(other.bits)),
        (GlslStd450Op::UClamp, [one, low, high]) => unsigned(one.bits.max(low.bits).min(high.bits)),
        (GlslStd450Op::FindILsb, [one]) => bit((one.bits != 0).then(|| one.bits.trailing_zeros())),
        (GlslStd450Op::FindUMsb, [one]) => bit(one.bits.checked_ilog2()),
        (GlslStd450Op::FindSMsb, [one]) => {
            let differing = if one.signed() < 0 { !one.signed() } else { one.signed() };
            bit(differing.cast_unsigned().checked_ilog2())
        }
        _ => None,
    }
}

fn float(op: GlslStd450Op, args: &[f64]) -> Interpreted<f64> {
    use GlslStd450Op as G;
    let value = match (op, args) {
        (G::Round | G::RoundEven, &[x]) => x.round_ties_even(),
        (G::Trunc, &[x]) => x.trunc(),
        (G::FAbs, &[x]) => x.abs(),
        (G::FSign, &[x]) => {
            if x == 0.0 {
                x
            } else {
                x.signum()
            }
        }
        (G::Floor, &[x]) => x.floor(),
        (G::Ceil, &[x]) => x.ceil(),
        (G::Fract, &[x]) => x - x.floor(),
        (G::Radians, &[x]) => x.to_radians(),
        (G::Degrees, &[x]) => x.to_degrees(),
        (G::Sin, &[x]) => x.sin(),
        (G::Cos, &[x]) => x.cos(),
        (G::Tan, &[x]) => x.tan(),
        (G::Asin, &[x]) => x.asin(),
        (G::Acos, &[x]) => x.acos(),
        (G::Atan, &[x]) => x.atan(),
        (G::Sinh, &[x]) => x.sinh(),
        (G::Cosh, &[x]) => x.cosh(),
        (G::Tanh, &[x]) => x.tanh(),
        (G::Atan2, &[y, x]) => y.atan2(x),
        (G::Pow, &[x, y]) => x.powf(y),
        (G::Exp, &[x]) => x.exp(),
        (G::Log, &[x]) => x.ln(),
        (G::Exp2, &[x]) => x.exp2(),
        (G::Log2, &[x]) => x.log2(),
        (G::Sqrt, &[x]) => x.sqrt(),
        (G::InverseSqrt, &[x]) => 1.0 / x.sqrt(),
        (G::FMin | G::NMin, &[x, y]) => x.min(y),
        (G::FMax | G::NMax, &[x, y]) => x.max(y),
        (G::FClamp | G::NClamp, &[x, low, high]) => x.max(low).min(high),
        (G::FMix, &[x, y, a]) => x * (1.0 - a) + y * a,
        (G::Step, &[edge, x]) => {
            if x < edge {
                0.0
            } else {
                1.0
            }
        }
        (G::SmoothStep, &[low, high, x]) => {
            let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
            t * t * (3.0 - 2.0 * t)
        }
        (G::Fma, &[a, b, c]) => a.mul_add(b, c),
        _ => return unsupported(format!("{op:?}")),
    };
    Ok(value)
}

/// Returns the result of an instruction on vectors as wholes.
fn geometric(op: GlslStd450Op, args: &[ValueTree]) -> Interpreted<Option<ValueTree>> {
    let is_geometric = matches!(
        op,
        GlslStd450Op::Length | GlslStd450Op::Distance | GlslStd450Op::Cross | GlslStd450Op::Normalize
    );
    if !is_geometric {
        return Ok(None);
    }
    let mut width = 32;
    let mut vectors: Vec<Vec<f64>> = Vec::new();
    for value in args {
        let parts = match value {
            ValueTree::Composite(parts) => &parts[..],
            scalar => std::slice::from_ref(scalar),
        };
        if parts.contains(&ValueTree::Undefined) {
            return unsupported(format!("{op:?} of undefined numbers"));
        }
        let numbers = parts.iter().map(ValueTree::to_number).collect::<Interpreted<Vec<_>>>()?;
        width = numbers.first().map_or(width, |number| number.width);
        vectors.push(numbers.iter().map(|number| number.float()).collect());
    }
    let length = |vector: &[f64]| vector.iter().map(|x| x * x).sum::<f64>().sqrt();
    let vector =
        |parts: Vec<f64>| ValueTree::Composite(parts.iter().map(|&x| ValueTree::float(width, x)).collect());
    Ok(Some(match (op, &vectors[..]) {
        (GlslStd450Op::Length, [x]) => ValueTree::float(width, length(x)),
        (GlslStd450Op::Distance, [x, y]) => {
            let difference: Vec<f64> = x.iter().zip(y).map(|(x, y)| x - y).collect();
            ValueTree::float(width, length(&difference))
        }
        (GlslStd450Op::Normalize, [x]) => {
            let length = length(x);
            let parts: Vec<f64> = x.iter().map(|x| x / length).collect();
            if matches!(args, [ValueTree::Composite(_)]) {
                vector(parts)
            } else {
                ValueTree::float(width, parts[0])
            }
        }
        (GlslStd450Op::Cross, [x, y]) => match (&x[..], &y[..]) {
            (&[a, b, c], &[d, e, f]) => vector(vec![b * f - e * c, c * d - f * a, a * e - d * b]),
            _ => return unsupported("Cross of other vectors than of three components"),
        },
        _ => return unsupported(format!("{op:?} with other operands")),
    }))
}
