//! Floating-point formats of at most 16 bits, which the host's arithmetic does not have.

use spirv::FPEncoding;

/// A format of a sign, an exponent and a fraction, as in IEEE 754.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatFormat {
    /// The width of the exponent in bits.
    exponent: u32,
    /// The width of the fraction in bits.
    fraction: u32,
    /// True if the largest exponent encodes infinity and NaNs; else only the largest number of all is a NaN.
    infinite: bool,
}

impl FloatFormat {
    /// binary16 of IEEE 754.
    pub const HALF: FloatFormat = FloatFormat { exponent: 5, fraction: 10, infinite: true };

    /// Returns the format of an encoding (SPV_KHR_bfloat16, SPV_EXT_float8); `None` for one that is not known.
    pub fn from_encoding(encoding: u32) -> Option<FloatFormat> {
        let (exponent, fraction, infinite) = match FPEncoding::from_u32(encoding)? {
            FPEncoding::BFloat16KHR => (8, 7, true),
            FPEncoding::Float8E4M3EXT => (4, 3, false),
            FPEncoding::Float8E5M2EXT => (5, 2, true),
        };
        Some(FloatFormat { exponent, fraction, infinite })
    }

    /// Returns the exponent of the smallest normal numbers.
    fn lowest(self) -> i32 {
        2 - (1 << (self.exponent - 1))
    }

    fn infinity(self) -> u64 {
        ((1 << self.exponent) - 1) << self.fraction
    }

    /// Returns the value of the bits of a number.
    pub fn value(self, bits: u64) -> f64 {
        let size = bits & ((1 << (self.exponent + self.fraction)) - 1);
        let ones = (1 << self.fraction) - 1;
        let (exponent, fraction) = ((size >> self.fraction) as i32, (size & ones) as f64);
        let step = |exponent: i32| 2f64.powi(exponent - self.fraction as i32);
        let value = match exponent {
            _ if self.infinite && size == self.infinity() => f64::INFINITY,
            _ if self.infinite && size > self.infinity() => f64::NAN,
            _ if !self.infinite && size == self.infinity() | ones => f64::NAN,
            0 => fraction * step(self.lowest()),
            _ => ((ones + 1) as f64 + fraction) * step(self.lowest() + exponent - 1),
        };
        if bits != size { -value } else { value }
    }

    /// Returns the bits of the nearest number, ties to even. A value that is too large becomes infinity, or a NaN in a format without
    /// infinity.
    pub fn bits(self, value: f64) -> u64 {
        let sign = u64::from(value.is_sign_negative()) << (self.exponent + self.fraction);
        let size = value.abs();
        let ones = (1 << self.fraction) - 1;
        let (nan, beyond) = match self.infinite {
            true => (self.infinity() | 1 << (self.fraction - 1), self.infinity()),
            false => (self.infinity() | ones, self.infinity() | ones),
        };
        if size.is_nan() {
            return sign | nan;
        }
        if size.is_infinite() {
            return sign | beyond;
        }
        // The distance of neighbours there; scaled by it, numbers are whole.
        let exponent = ((size.to_bits() >> 52) as i32 - 1023).max(self.lowest());
        let steps = (size * 2f64.powi(self.fraction as i32 - exponent)).round_ties_even() as u64;
        // A carry out of the fraction increments the exponent.
        let bits = (((exponent - self.lowest()) as u64) << self.fraction).wrapping_add(steps);
        sign | bits.min(beyond)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(encoding: FPEncoding) -> FloatFormat {
        FloatFormat::from_encoding(encoding as u32).unwrap()
    }

    /// A bfloat16 is the upper half of a binary32, whose rounding the host has.
    #[test]
    fn bfloat16_is_half_of_a_float() {
        let bfloat = format(FPEncoding::BFloat16KHR);
        for bits in 0..=0xffff_u64 {
            let value = f64::from(f32::from_bits((bits as u32) << 16));
            assert_eq!(bfloat.value(bits).to_bits() >> 52, value.to_bits() >> 52, "{bits:#x}");
            assert!(bfloat.value(bits) == value || value.is_nan(), "{bits:#x}");
            assert!(bfloat.bits(value) == bits || value.is_nan(), "{bits:#x}");
        }
        assert_eq!(bfloat.bits(4.51), 0x4090);
        assert_eq!(bfloat.bits(f64::from(f32::MAX)), 0x7f80, "rounded up");
    }

    /// The largest and smallest numbers of the two formats (OCP 8-bit Floating Point Specification, table 1).
    #[test]
    fn eight_bits() {
        let (e4m3, e5m2) = (format(FPEncoding::Float8E4M3EXT), format(FPEncoding::Float8E5M2EXT));
        assert_eq!((e4m3.value(0x7e), e5m2.value(0x7b)), (448.0, 57344.0));
        assert_eq!((e4m3.value(0x08), e5m2.value(0x04)), (2f64.powi(-6), 2f64.powi(-14)));
        assert_eq!((e4m3.value(0x01), e5m2.value(0x01)), (2f64.powi(-9), 2f64.powi(-16)));
        assert!(e4m3.value(0x7f).is_nan() && e4m3.value(0xff).is_nan());
        assert_eq!((e5m2.value(0x7c), e5m2.value(0xfc)), (f64::INFINITY, f64::NEG_INFINITY));
        for format in [e4m3, e5m2] {
            for bits in 0..=0xff {
                let value = format.value(bits);
                assert!(value.is_nan() || format.bits(value) == bits, "{format:?} {bits:#x}");
            }
        }
        assert_eq!((e4m3.bits(1e9), e5m2.bits(1e9)), (0x7f, 0x7c));
        assert_eq!(e4m3.bits(1.0625), 0x38, "half way, to even");
        assert_eq!(e4m3.bits(1.1875), 0x3a, "half way, to even");
    }
}
