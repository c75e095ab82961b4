//! Values of specialization constants, before the types of the constants are known.

use std::fmt;
use std::hash::{Hash, Hasher};

use serde::{Serialize, Serializer};

use super::float_formats::FloatFormat;
use super::folding::{Scalar, is_word};

/// A value for specialization constants, made by `From` of a Boolean or a number. Displayed, its text.
///
/// It fits a constant of another type if that type has the value. An integer fits wider and narrower integers of either sign, and Booleans
/// if it is 0 or 1. It also fits floating-point constants, and is rounded. A negative integer fits an unsigned constant as the bits of its
/// width. A fraction fits floating-point constants alone.
///
/// ```
/// use spirv_if::SpecValue;
/// assert_eq!(SpecValue::from(64u32), SpecValue::U32(64));
/// assert_eq!("1.5".parse::<SpecValue>()?, SpecValue::F64(1.5));
/// assert_eq!("0x3c00".parse::<SpecValue>()?, SpecValue::Bits(0x3c00));
/// # Ok::<(), spirv_if::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum SpecValue {
    /// A Boolean.
    Bool(bool),
    /// A signed integer of 8 bits.
    I8(i8),
    /// A signed integer of 16 bits.
    I16(i16),
    /// A signed integer of 32 bits.
    I32(i32),
    /// A signed integer of 64 bits.
    I64(i64),
    /// An unsigned integer of 8 bits.
    U8(u8),
    /// An unsigned integer of 16 bits.
    U16(u16),
    /// An unsigned integer of 32 bits.
    U32(u32),
    /// An unsigned integer of 64 bits.
    U64(u64),
    /// A floating-point number of 32 bits.
    F32(f32),
    /// A floating-point number of 64 bits.
    F64(f64),
    /// The bits of a number of any type: of half precision, or of a format that Rust does not have.
    Bits(u64),
}

impl SpecValue {
    /// Returns the value of a type with these bits; bits alone, if Rust does not have the type.
    #[doc(hidden)]
    pub fn new(scalar: Scalar, bits: u64) -> SpecValue {
        match scalar {
            Scalar::Bool => SpecValue::Bool(bits != 0),
            Scalar::Int { width: 8, signed: true } => SpecValue::I8(bits as i8),
            Scalar::Int { width: 16, signed: true } => SpecValue::I16(bits as i16),
            Scalar::Int { width: 32, signed: true } => SpecValue::I32(bits as i32),
            Scalar::Int { signed: true, .. } => SpecValue::I64(scalar.sign_extend(bits)),
            Scalar::Int { width: 8, .. } => SpecValue::U8(bits as u8),
            Scalar::Int { width: 16, .. } => SpecValue::U16(bits as u16),
            Scalar::Int { width: 32, .. } => SpecValue::U32(bits as u32),
            Scalar::Int { .. } => SpecValue::U64(bits),
            Scalar::Float(32) => SpecValue::F32(f32::from_bits(bits as u32)),
            Scalar::Float(64) => SpecValue::F64(f64::from_bits(bits)),
            Scalar::Float(_) | Scalar::OtherFloat { .. } => SpecValue::Bits(bits),
        }
    }

    /// Reads the text of a value of unknown type: `true` and `false`; decimal and hexadecimal integers of up to 64 bits, the latter as bits
    /// unless they are negative; fractions. Returns `None` for other text.
    pub(crate) fn parse(text: &str) -> Option<SpecValue> {
        let (negative, size) = text.strip_prefix('-').map_or((false, text), |size| (true, size));
        let hexadecimal = size.strip_prefix("0x").or_else(|| size.strip_prefix("0X"));
        let is_number = |digits: &str, radix| !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
        match (text, hexadecimal) {
            ("true", _) => return Some(SpecValue::Bool(true)),
            ("false", _) => return Some(SpecValue::Bool(false)),
            (_, Some(digits)) if is_number(digits, 16) => {
                let bits = u64::from_str_radix(digits, 16).ok()?;
                return match negative {
                    true => i64::try_from(-i128::from(bits)).ok().map(SpecValue::I64),
                    false => Some(SpecValue::Bits(bits)),
                };
            }
            _ => {}
        }
        if is_number(size, 10)
            && let Ok(number) = text.parse::<i128>()
        {
            let signed = i64::try_from(number).ok().map(SpecValue::I64);
            if let Some(integer) = signed.or_else(|| u64::try_from(number).ok().map(SpecValue::U64)) {
                return Some(integer);
            }
        }
        let number: f64 = text.parse().ok()?;
        (number.is_finite() || is_word(text)).then_some(SpecValue::F64(number))
    }

    /// Returns the bits of the value in a type; `None` if the type does not have the value.
    #[doc(hidden)]
    pub fn bits(self, scalar: Scalar) -> Option<u64> {
        match self {
            SpecValue::Bool(value) => (scalar == Scalar::Bool).then_some(value.into()),
            SpecValue::Bits(bits) => (scalar != Scalar::Bool && scalar.mask(bits) == bits).then_some(bits),
            SpecValue::F32(number) => match scalar {
                Scalar::Float(32) => Some(number.to_bits().into()),
                _ => float_bits(number.into(), scalar),
            },
            SpecValue::F64(number) => float_bits(number, scalar),
            _ => integer_bits(self.integer()?, scalar),
        }
    }

    /// Returns the integer; `None` for another kind of value.
    fn integer(self) -> Option<i128> {
        match self {
            SpecValue::I8(number) => Some(number.into()),
            SpecValue::I16(number) => Some(number.into()),
            SpecValue::I32(number) => Some(number.into()),
            SpecValue::I64(number) => Some(number.into()),
            SpecValue::U8(number) => Some(number.into()),
            SpecValue::U16(number) => Some(number.into()),
            SpecValue::U32(number) => Some(number.into()),
            SpecValue::U64(number) => Some(number.into()),
            _ => None,
        }
    }

    /// Returns the kind of the value, and bits that no other value of this kind has.
    fn identity(self) -> (std::mem::Discriminant<SpecValue>, u64) {
        let bits = match self {
            SpecValue::Bool(value) => value.into(),
            SpecValue::F32(number) => number.to_bits().into(),
            SpecValue::F64(number) => number.to_bits(),
            SpecValue::Bits(bits) => bits,
            _ => self.integer().unwrap_or_default() as u64,
        };
        (std::mem::discriminant(&self), bits)
    }
}

/// Returns the bits of an integer as a value of a type.
fn integer_bits(number: i128, scalar: Scalar) -> Option<u64> {
    match scalar {
        Scalar::Bool => u64::try_from(number).ok().filter(|&bits| bits < 2),
        Scalar::Int { width, .. } => {
            let range = -(1i128 << (width - 1))..1i128 << width;
            range.contains(&number).then(|| scalar.mask(number as u64))
        }
        Scalar::Float(32) => Some((number as f32).to_bits().into()),
        Scalar::Float(_) | Scalar::OtherFloat { .. } => float_bits(number as f64, scalar),
    }
}

/// Returns the bits of a number that is rounded to a type. Numbers that are too large for it are not infinite there.
fn float_bits(number: f64, scalar: Scalar) -> Option<u64> {
    let (bits, rounded) = match scalar {
        Scalar::Float(32) => ((number as f32).to_bits().into(), (number as f32).into()),
        Scalar::Float(64) => (number.to_bits(), number),
        Scalar::Float(16) => {
            (FloatFormat::HALF.bits(number), FloatFormat::HALF.value(FloatFormat::HALF.bits(number)))
        }
        Scalar::OtherFloat { encoding, .. } => {
            let format = FloatFormat::from_encoding(encoding)?;
            (format.bits(number), format.value(format.bits(number)))
        }
        _ => return None,
    };
    let is_kept = rounded.is_finite() || !number.is_finite() && number.is_nan() == rounded.is_nan();
    is_kept.then_some(bits)
}

/// Equality of kind and bits: NaNs with the same bits are equal.
impl PartialEq for SpecValue {
    fn eq(&self, other: &SpecValue) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for SpecValue {}

impl Hash for SpecValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

/// Integers and finite numbers in decimal, bits and other numbers in hexadecimal.
impl fmt::Display for SpecValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpecValue::Bool(value) => value.fmt(f),
            SpecValue::F32(number) if number.is_finite() => number.fmt(f),
            SpecValue::F32(number) => write!(f, "{:#x}", number.to_bits()),
            SpecValue::F64(number) if number.is_finite() => number.fmt(f),
            SpecValue::F64(number) => write!(f, "{:#x}", number.to_bits()),
            SpecValue::Bits(bits) => write!(f, "{bits:#x}"),
            _ => self.integer().unwrap_or_default().fmt(f),
        }
    }
}

/// A Boolean as such, and a number as its text.
impl Serialize for SpecValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            SpecValue::Bool(value) => serializer.serialize_bool(*value),
            _ => serializer.collect_str(self),
        }
    }
}

macro_rules! from {
    ($($type_:ty => $variant:ident),* $(,)?) => {
        $(impl From<$type_> for SpecValue {
            fn from(value: $type_) -> SpecValue {
                SpecValue::$variant(value)
            }
        })*
    };
}

from! {
    bool => Bool, i8 => I8, i16 => I16, i32 => I32, i64 => I64, u8 => U8, u16 => U16, u32 => U32, u64 => U64, f32 => F32, f64 => F64,
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: Scalar = Scalar::Int { width: 32, signed: true };
    const BYTE: Scalar = Scalar::Int { width: 8, signed: false };
    const HALF: Scalar = Scalar::Float(16);
    const FLOAT: Scalar = Scalar::Float(32);
    const DOUBLE: Scalar = Scalar::Float(64);

    #[test]
    fn values_fit_types_that_have_them() {
        for (value, scalar, bits) in [
            (SpecValue::from(true), Scalar::Bool, Some(1)),
            (true.into(), INT, None),
            (1.into(), Scalar::Bool, Some(1)),
            (2.into(), Scalar::Bool, None),
            ((-1i64).into(), BYTE, Some(0xff)),
            (255u64.into(), BYTE, Some(0xff)),
            (256.into(), BYTE, None),
            (u64::MAX.into(), Scalar::Int { width: 64, signed: true }, Some(u64::MAX)),
            (u64::MAX.into(), INT, None),
            (2.into(), FLOAT, Some(2f32.to_bits().into())),
            (2.into(), HALF, Some(0x4000)),
            (70000.into(), HALF, None),
            (1.0.into(), INT, None),
            (0.1f32.into(), DOUBLE, Some(f64::from(0.1f32).to_bits())),
            (0.1f64.into(), FLOAT, Some(0.1f32.to_bits().into())),
            (1e300.into(), FLOAT, None),
            (f64::INFINITY.into(), HALF, Some(0x7c00)),
            (SpecValue::Bits(0x3c00), HALF, Some(0x3c00)),
            (SpecValue::Bits(0x1_0000), HALF, None),
            (SpecValue::Bits(1), Scalar::Bool, None),
        ] {
            assert_eq!(value.bits(scalar), bits, "{value:?} as {scalar}");
            if let Some(bits) = bits {
                assert_eq!(SpecValue::new(scalar, bits).bits(scalar), Some(bits), "{value:?} as {scalar}");
            }
        }
    }

    #[test]
    fn text_of_any_type() {
        for (text, value) in [
            ("true", Some(SpecValue::Bool(true))),
            ("-3", Some(SpecValue::I64(-3))),
            ("18446744073709551615", Some(SpecValue::U64(u64::MAX))),
            ("0x3f800000", Some(SpecValue::Bits(0x3f80_0000))),
            ("-0x80", Some(SpecValue::I64(-0x80))),
            ("1e3", Some(SpecValue::F64(1000.0))),
            ("-inf", Some(SpecValue::F64(f64::NEG_INFINITY))),
            ("1e999", None),
            ("0x", None),
            ("0x1_0000_0000_0000_0000", None),
            ("+-3", None),
            ("", None),
            ("three", None),
        ] {
            assert_eq!(SpecValue::parse(text), value, "{text}");
        }
        assert_eq!(SpecValue::from(f32::INFINITY).to_string(), "0x7f800000");
        assert_eq!(SpecValue::from(-3i8).to_string(), "-3");
    }
}
