//! Floating point of 16, 32 and 64 bits. Operations are done in double precision and rounded once more, which is exact for one addition,
//! multiplication, division or square root. All that are not a number are the same one.

use super::values::{NumberBits, ValueTree};

impl NumberBits {
    /// Returns the value of a number in floating point.
    pub fn float(self) -> f64 {
        match self.width {
            16 => from_half(self.bits as u16),
            32 => f64::from(f32::from_bits(self.bits as u32)),
            _ => f64::from_bits(self.bits),
        }
    }
}

impl ValueTree {
    /// Creates a number in floating point by rounding.
    pub fn float(width: u32, value: f64) -> ValueTree {
        let value = if value.is_nan() { f64::NAN } else { value };
        let bits = match width {
            16 => u64::from(to_half(value)),
            32 => u64::from((value as f32).to_bits()),
            _ => value.to_bits(),
        };
        ValueTree::number(width, bits)
    }
}

fn from_half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    let size = match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -size } else { size }
}

fn to_half(value: f64) -> u16 {
    let size = value.abs();
    let sign = u16::from(value.is_sign_negative()) << 15;
    let exponent = (size.to_bits() >> 52) as i32 - 1023;
    sign | match size {
        _ if size.is_nan() => 0x7e00,
        _ if size >= 65520.0 => 31 << 10,
        // Subnormal numbers are multiples of one size; one that rounds to 1024 is the smallest normal number.
        _ if exponent < -14 => (size * 2f64.powi(24)).round_ties_even() as u16,
        _ => {
            // From 1024 to 2048, where the last is the first of the next exponent.
            let fraction = (size * 2f64.powi(10 - exponent)).round_ties_even() as u16;
            ((exponent + 14) as u16 * 1024) + fraction
        }
    }
}
