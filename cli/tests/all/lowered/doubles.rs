//! Shaders of one operation on doubles each, and the same on the host, by the bits. NaNs that are computed are canonical.

use std::cmp::Ordering;

use super::frame::{FrameParts, OperationFrame, SHADER};
use super::geometry::cross;
use super::operations::{Operation, for_drivers};
use crate::random::Random;

/// Doubles at which something changes, without signs.
const EDGES: [u64; 30] = [
    0,
    1,
    3,
    0x000f_ffff_ffff_ffff,
    0x0010_0000_0000_0000,
    0x001f_ffff_ffff_ffff,
    0x3690_0000_0000_0001,
    0x380f_ffff_ffff_ffff,
    0x3810_0000_0000_0000,
    0x3ca0_0000_0000_0000,
    0x3e60_0000_0000_0000,
    0x3e60_0000_0000_0001,
    0x3fdf_ffff_ffff_ffff,
    0x3fe0_0000_0000_0000,
    0x3fef_ffff_ffff_ffff,
    0x3ff0_0000_0000_0000,
    0x3ff0_0000_0000_0001,
    0x3ff8_0000_0000_0000,
    0x4004_0000_0000_0000,
    0x40ef_fdff_ffff_ffff,
    0x40ef_fe00_0000_0000,
    0x41df_ffff_ffc0_0000,
    0x41e0_0000_0000_0000,
    0x4320_0000_0000_0001,
    0x43df_ffff_ffff_ffff,
    0x47ef_ffff_f000_0000,
    0x7fef_ffff_ffff_ffff,
    0x7ff0_0000_0000_0000,
    0x7ff0_0000_0000_0001,
    0x7ff8_0000_0000_0000,
];

pub(super) const SIGN: u64 = 1 << 63;

/// Returns pairs of doubles, by turns of edges and random ones of which many are near to each other. All pairs of edges are among 7,200.
pub fn operands(count: usize, seed: u64) -> Vec<[u64; 2]> {
    let mut random = Random::new(seed);
    let edges: Vec<u64> = EDGES.into_iter().flat_map(|edge| [edge, edge | SIGN]).collect();
    let mut pair = |at: usize| {
        let signs = [random.next() & SIGN, random.next() & SIGN];
        if at.is_multiple_of(2) {
            // A few of them are as different as many.
            let number = (at / 2 + seed as usize) * 1009;
            return [edges[number % edges.len()], edges[number / edges.len() % edges.len()]];
        }
        let exponent = if random.chance(70) { 960 + random.below(128) } else { random.below(2048) } as u64;
        let near = exponent.saturating_add_signed(random.below(120) as i64 - 60).min(2047);
        let mut fraction = || random.next() >> 12 & u64::MAX << random.below(52);
        [signs[0] | exponent << 52 | fraction(), signs[1] | near << 52 | fraction()]
    };
    (0..count).map(&mut pair).collect()
}

/// Returns the bits, and those of the canonical NaN for any.
pub(super) fn bits(value: f64) -> u64 {
    if value.is_nan() { 0x7ff8 << 48 } else { value.to_bits() }
}

fn bits_of_float(value: f32) -> u64 {
    u64::from(if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() })
}

/// Returns the order of two numbers; none if one is a NaN.
fn order(a: u64, b: u64) -> Option<Ordering> {
    f64::from_bits(a).partial_cmp(&f64::from_bits(b))
}

/// Returns the bits of 1 or 0.
fn one_if(is: bool) -> u64 {
    bits(f64::from(is))
}

/// The types, constants and functions that operations use.
const DEFINITIONS: &str = "%v2int = OpTypeVector %int 2
%parts = OpTypeStruct %f64 %f64
%scaled = OpTypeStruct %f64 %int
%to_exponent = OpTypePointer Private %int
%exponent = OpVariable %to_exponent Private
%shift = OpConstant %uint 20
%two = OpConstant %f64 2.5
%big = OpConstant %f64 1234567.875
%end32 = OpConstant %f64 2147483648
%end63 = OpConstant %f64 9223372036854775808
%pair = OpConstantComposite %v2 %big %two
%u2 = OpConstant %uint 2
%scope = OpConstant %uint 3
%ratio = OpConstant %float 0.5
%number = OpConstant %f64 0x1.8p+1024
%v3bool = OpTypeVector %bool 3
%d3 = OpTypeVector %f64 3
%d4 = OpTypeVector %f64 4
%p4 = OpTypePointer Private %d4
%p1 = OpTypePointer Private %f64
%private = OpVariable %p4 Private
%three = OpConstantComposite %d3 %big %two %one
%twice_type = OpTypeFunction %f64 %f64 %pf
%twice = OpFunction %f64 None %twice_type
%x = OpFunctionParameter %f64
%p = OpFunctionParameter %pf
%twice_start = OpLabel
%px = OpLoad %f64 %p
%px2 = OpFAdd %f64 %px %one
OpStore %p %px2
%x3 = OpFAdd %f64 %x %px
OpReturnValue %x3
OpFunctionEnd";

/// Returns a number whose magnitude is less than an end.
fn within(a: f64, end: f64) -> f64 {
    if a.abs() < end { a } else { 1.0 }
}

/// The significand from one half to 1, and the exponent.
pub(super) fn parts(a: f64) -> (f64, i32) {
    if a == 0.0 || !a.is_finite() {
        return (a, 0);
    }
    let (a, by) = if a.is_subnormal() { (a * 2f64.powi(54), -54) } else { (a, 0) };
    let exponent = (a.to_bits() >> 52 & 0x7ff) as i32 - 1022;
    (f64::from_bits(a.to_bits() & !(0x7ff << 52) | 1022 << 52), exponent + by)
}

/// Returns a number with another exponent, in steps of which only the last one rounds.
pub(super) fn scaled(a: f64, by: i32) -> f64 {
    if a == 0.0 || !a.is_finite() {
        return a;
    }
    let (significand, exponent) = parts(a);
    let by = exponent + by;
    if by > -1000 {
        return significand * 2f64.powi(by - by / 2) * 2f64.powi(by / 2);
    }
    significand * 2f64.powi(-900) * 2f64.powi((by + 900).max(-1000))
}

pub(super) fn minimum(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

pub(super) fn maximum(a: f64, b: f64) -> f64 {
    if a < b { b } else { a }
}

/// Returns the nearest half, as a double.
pub(super) fn half(a: f64) -> f64 {
    let size = a.abs();
    if !a.is_finite() || size == 0.0 {
        return a;
    }
    let exponent = parts(a).1 - 1;
    let unit = 2f64.powi(exponent.max(-14) - 10);
    let rounded = (size / unit).round_ties_even() * unit;
    (if rounded >= 65536.0 { f64::INFINITY } else { rounded }).copysign(a)
}

/// A constant in the shaders.
pub(super) const BIG: f64 = 1_234_567.875;
/// Another one.
pub(super) const TWO: f64 = 2.5;

/// A conversion to a half and back.
pub(super) const HALF: &str = "%h = OpFConvert %half %a; %r = OpFConvert %f64 %h";

/// A choice by branches, and the same on the host.
pub(super) const PHI: &str = "%c = OpFOrdLessThan %bool %a %b; OpSelectionMerge %chosen None; OpBranchConditional %c %then %chosen; %then = OpLabel; \
                              %t = OpFMul %f64 %a %two; OpBranch %chosen; %chosen = OpLabel; %r = OpPhi %f64 %big %body %t %then";

pub(super) fn phi(a: u64, b: u64) -> u64 {
    let (a, b) = (f64::from_bits(a), f64::from_bits(b));
    if a < b { bits(a * TWO) } else { BIG.to_bits() }
}

/// A call of a function that changes a variable, and the same on the host.
pub(super) const CALL: &str = "OpStore %variable %b Aligned 8; %r0 = OpFunctionCall %f64 %twice %a %variable; \
                               %r1 = OpLoad %f64 %variable Aligned 8; %r = OpFMul %f64 %r0 %r1";

pub(super) fn call(a: u64, b: u64) -> u64 {
    let (a, b) = (f64::from_bits(a), f64::from_bits(b));
    bits((a + b) * (b + 1.0))
}

/// Returns all operations.
pub fn operations() -> Vec<Operation> {
    let with = |name, code: &str, features, host| {
        let has_integers = features != "Float64";
        let (capabilities, types) = match has_integers {
            true => (
                "OpCapability Float64\nOpCapability Int64",
                "%f64 = OpTypeFloat 64\n%u64 = OpTypeInt 64 0\n%i64 = OpTypeInt 64 1",
            ),
            false => ("OpCapability Float64", "%f64 = OpTypeFloat 64"),
        };
        let parts = FrameParts {
            frame: OperationFrame::Shader,
            head: SHADER,
            number: "%f64",
            capabilities,
            types,
            decorations: "",
            definitions: DEFINITIONS,
            variables: "",
        };
        Operation { is_native: false, ..Operation::new(name, &parts, code, features, host) }
    };
    let not_native = |name, code: &str, host| with(name, code, "Float64", host);
    let op = |name, code: &str, host| Operation { is_native: true, ..not_native(name, code, host) };
    let compare = |name: &'static str, host| {
        op(name, &format!("%c = Op{name} %bool %a %b; %r = OpSelect %f64 %c %one %zero"), host)
    };
    let glsl = |name, code: &str, host| not_native(name, &format!("%r = OpExtInst %f64 %glsl {code}"), host);
    let pairs = "%v = OpCompositeConstruct %v2 %a %b; %w = OpCompositeConstruct %v2 %b %big; ";
    let sum =
        "; %s0 = OpCompositeExtract %f64 %s 0; %s1 = OpCompositeExtract %f64 %s 1; %r = OpFSub %f64 %s0 %s1";
    let vector = |name, code: &str, host| op(name, &format!("{pairs}{code}{sum}"), host);
    // Drivers may compute these products and sums at once.
    let contracted = |name, code: &str, host| not_native(name, &format!("{pairs}{code}{sum}"), host);
    let vector_function = |name, code: &str, host| {
        not_native(name, &format!("{pairs}%s = OpExtInst %v2 %glsl {code}{sum}"), host)
    };
    let number_of_vectors = |name, code: &str, host| not_native(name, &format!("{pairs}%r = {code}"), host);
    let low = "%aw = OpBitcast %v2uint %a; %low = OpCompositeExtract %uint %aw 0; ";
    let back = "; %rw = OpCompositeConstruct %v2uint %rl %u0; %r = OpBitcast %f64 %rw";
    let guard = "%m = OpExtInst %f64 %glsl FAbs %a; %is = OpFOrdLessThan %bool %m ";
    vec![
        op("FAdd", "%r = OpFAdd %f64 %a %b", |a, b| bits(f64::from_bits(a) + f64::from_bits(b))),
        op("FSub", "%r = OpFSub %f64 %a %b", |a, b| bits(f64::from_bits(a) - f64::from_bits(b))),
        op("FMul", "%r = OpFMul %f64 %a %b", |a, b| bits(f64::from_bits(a) * f64::from_bits(b))),
        not_native("FDiv", "%r = OpFDiv %f64 %a %b", |a, b| bits(f64::from_bits(a) / f64::from_bits(b))),
        not_native("FRem", "%r = OpFRem %f64 %a %b", |a, b| {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            bits(a - b * (a / b).trunc())
        }),
        not_native("FMod", "%r = OpFMod %f64 %a %b", |a, b| {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            bits(a - b * (a / b).floor())
        }),
        op("FNegate", "%r = OpFNegate %f64 %a", |a, _| a ^ SIGN),
        compare("FOrdEqual", |a, b| one_if(order(a, b).is_some_and(Ordering::is_eq))),
        compare("FOrdNotEqual", |a, b| one_if(order(a, b).is_some_and(Ordering::is_ne))),
        compare("FOrdLessThan", |a, b| one_if(order(a, b).is_some_and(Ordering::is_lt))),
        compare("FOrdLessThanEqual", |a, b| one_if(order(a, b).is_some_and(Ordering::is_le))),
        compare("FOrdGreaterThan", |a, b| one_if(order(a, b).is_some_and(Ordering::is_gt))),
        compare("FOrdGreaterThanEqual", |a, b| one_if(order(a, b).is_some_and(Ordering::is_ge))),
        compare("FUnordEqual", |a, b| one_if(order(a, b).is_none_or(Ordering::is_eq))),
        compare("FUnordNotEqual", |a, b| one_if(order(a, b).is_none_or(Ordering::is_ne))),
        compare("FUnordLessThan", |a, b| one_if(order(a, b).is_none_or(Ordering::is_lt))),
        compare("FUnordLessThanEqual", |a, b| one_if(order(a, b).is_none_or(Ordering::is_le))),
        compare("FUnordGreaterThan", |a, b| one_if(order(a, b).is_none_or(Ordering::is_gt))),
        compare("FUnordGreaterThanEqual", |a, b| one_if(order(a, b).is_none_or(Ordering::is_ge))),
        op("IsNan", "%c = OpIsNan %bool %a; %r = OpSelect %f64 %c %b %null", |a, b| {
            if f64::from_bits(a).is_nan() { b } else { 0 }
        }),
        op("IsInf", "%c = OpIsInf %bool %a; %r = OpSelect %f64 %c %b %big", |a, b| {
            if f64::from_bits(a).is_infinite() { b } else { BIG.to_bits() }
        }),
        not_native(
            "FConvert to a float",
            &format!("%c = OpFConvert %float %a; %rl = OpBitcast %uint %c{back}"),
            |a, _| bits_of_float(f64::from_bits(a) as f32),
        ),
        not_native(
            "FConvert from a float",
            &format!("{low}%c = OpBitcast %float %low; %r = OpFConvert %f64 %c"),
            |a, _| bits(f64::from(f32::from_bits(a as u32))),
        ),
        not_native("FConvert to a half", HALF, |a, _| bits(half(f64::from_bits(a)))),
        op("ConvertUToF", &format!("{low}%r = OpConvertUToF %f64 %low"), |a, _| bits(f64::from(a as u32))),
        op("ConvertSToF", &format!("{low}%n = OpBitcast %int %low; %r = OpConvertSToF %f64 %n"), |a, _| {
            bits(f64::from(a as u32 as i32))
        }),
        op(
            "ConvertFToS",
            &format!(
                "{guard}%end32; %c = OpSelect %f64 %is %a %one; %n = OpConvertFToS %int %c; %rl = OpBitcast %uint %n{back}"
            ),
            |a, _| u64::from(within(f64::from_bits(a), 2f64.powi(31)) as i32 as u32),
        ),
        op(
            "ConvertFToU",
            &format!("{guard}%end32; %c = OpSelect %f64 %is %m %one; %rl = OpConvertFToU %uint %c{back}"),
            |a, _| u64::from(within(f64::from_bits(a).abs(), 2f64.powi(31)) as u32),
        ),
        op(
            "conversions of vectors",
            &format!("{low}%bw = OpBitcast %v2int %b; %s = OpConvertSToF %v2 %bw{sum}"),
            |_, b| bits(f64::from(b as u32 as i32) - f64::from((b >> 32) as u32 as i32)),
        ),
        with(
            "ConvertUToF of 64 bits",
            "%n = OpBitcast %u64 %a; %r = OpConvertUToF %f64 %n",
            "Float64,Int64",
            |a, _| bits(a as f64),
        ),
        with(
            "ConvertSToF of 64 bits",
            "%n = OpBitcast %i64 %a; %r = OpConvertSToF %f64 %n",
            "Float64,Int64",
            |a, _| bits(a as i64 as f64),
        ),
        with(
            "ConvertFToU to 64 bits",
            &format!(
                "{guard}%end63; %c = OpSelect %f64 %is %m %one; %n = OpConvertFToU %u64 %c; %r = OpBitcast %f64 %n"
            ),
            "Float64,Int64",
            |a, _| within(f64::from_bits(a).abs(), 2f64.powi(63)) as u64,
        ),
        with(
            "ConvertFToS to 64 bits",
            &format!(
                "{guard}%end63; %c = OpSelect %f64 %is %a %one; %n = OpConvertFToS %i64 %c; %r = OpBitcast %f64 %n"
            ),
            "Float64,Int64",
            |a, _| within(f64::from_bits(a), 2f64.powi(63)) as i64 as u64,
        ),
        glsl("RoundEven", "RoundEven %a", |a, _| bits(f64::from_bits(a).round_ties_even())),
        glsl("Round", "Round %a", |a, _| bits(f64::from_bits(a).round_ties_even())),
        glsl("Trunc", "Trunc %a", |a, _| bits(f64::from_bits(a).trunc())),
        glsl("FAbs", "FAbs %a", |a, _| a & !SIGN),
        glsl("FSign", "FSign %a", |a, _| {
            let a = f64::from_bits(a);
            bits(f64::from(a > 0.0) - f64::from(a < 0.0))
        }),
        glsl("Floor", "Floor %a", |a, _| bits(f64::from_bits(a).floor())),
        glsl("Ceil", "Ceil %a", |a, _| bits(f64::from_bits(a).ceil())),
        glsl("Fract", "Fract %a", |a, _| bits(f64::from_bits(a) - f64::from_bits(a).floor())),
        glsl("Sqrt", "Sqrt %a", |a, _| bits(f64::from_bits(a).sqrt())),
        glsl("InverseSqrt", "InverseSqrt %a", |a, _| bits(1.0 / f64::from_bits(a).sqrt())),
        glsl("FMin", "FMin %a %b", |a, b| minimum(f64::from_bits(a), f64::from_bits(b)).to_bits()),
        glsl("FMax", "FMax %a %b", |a, b| maximum(f64::from_bits(a), f64::from_bits(b)).to_bits()),
        glsl("FClamp", "FClamp %a %two %big", |a, _| minimum(maximum(f64::from_bits(a), TWO), BIG).to_bits()),
        glsl("NMin", "NMin %a %b", |a, b| {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            if a.is_nan() { b } else { minimum(a, b) }.to_bits()
        }),
        glsl("NMax", "NMax %a %b", |a, b| {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            if a.is_nan() { b } else { maximum(a, b) }.to_bits()
        }),
        glsl("NClamp", "NClamp %a %two %big", |a, _| {
            let a = f64::from_bits(a);
            minimum(if a.is_nan() { TWO } else { maximum(a, TWO) }, BIG).to_bits()
        }),
        glsl("FMix", "FMix %a %b %two", |a, b| {
            bits(f64::from_bits(a) * (1.0 - TWO) + f64::from_bits(b) * TWO)
        }),
        glsl("Step", "Step %a %b", |a, b| {
            bits(if f64::from_bits(b) < f64::from_bits(a) { 0.0 } else { 1.0 })
        }),
        glsl("SmoothStep", "SmoothStep %two %big %a", |a, _| {
            let share = minimum(maximum((f64::from_bits(a) - TWO) / (BIG - TWO), 0.0), 1.0);
            bits(share * share * (3.0 - (share + share)))
        }),
        glsl("Fma", "Fma %a %b %big", |a, b| bits(f64::from_bits(a).mul_add(f64::from_bits(b), BIG))),
        glsl("Fma that cancels", "Fma %a %a %b", |a, b| {
            bits(f64::from_bits(a).mul_add(f64::from_bits(a), f64::from_bits(b)))
        }),
        not_native(
            "Fma of a rounded product",
            "%ab = OpFMul %f64 %a %b; %n = OpFNegate %f64 %ab; %r = OpExtInst %f64 %glsl Fma %a %b %n",
            |a, b| {
                let (a, b) = (f64::from_bits(a), f64::from_bits(b));
                bits(a.mul_add(b, -(a * b)))
            },
        ),
        not_native(
            "Ldexp",
            "%bw = OpBitcast %v2int %b; %n = OpCompositeExtract %int %bw 1; %n1 = OpShiftRightArithmetic %int %n %shift; %r = OpExtInst %f64 %glsl Ldexp %a %n1",
            |a, b| bits(scaled(f64::from_bits(a), (b >> 32) as u32 as i32 >> 20)),
        ),
        not_native("ModfStruct", &format!("%s = OpExtInst %parts %glsl ModfStruct %a{sum}"), |a, _| {
            let a = f64::from_bits(a);
            let fraction = if a.is_infinite() { 0.0 } else { a - a.trunc() };
            bits(fraction - a.trunc())
        }),
        not_native(
            "Modf",
            "%s0 = OpExtInst %f64 %glsl Modf %a %variable; %s1 = OpLoad %f64 %variable; %r = OpFSub %f64 %s0 %s1",
            |a, _| {
                let a = f64::from_bits(a);
                let fraction = if a.is_infinite() { 0.0 } else { a - a.trunc() };
                bits(fraction - a.trunc())
            },
        ),
        not_native(
            "Frexp",
            "%s0 = OpExtInst %f64 %glsl Frexp %a %exponent; %s1 = OpLoad %int %exponent; %e = OpConvertSToF %f64 %s1; %r = OpFAdd %f64 %s0 %e",
            |a, _| {
                let (significand, exponent) = parts(f64::from_bits(a));
                bits(significand + f64::from(exponent))
            },
        ),
        not_native(
            "FrexpStruct",
            "%s = OpExtInst %scaled %glsl FrexpStruct %a; %s0 = OpCompositeExtract %f64 %s 0; %s1 = OpCompositeExtract %int %s 1; %e = OpConvertSToF %f64 %s1; %r = OpFAdd %f64 %s0 %e",
            |a, _| {
                let (significand, exponent) = parts(f64::from_bits(a));
                bits(significand + f64::from(exponent))
            },
        ),
        not_native(
            "PackDouble2x32",
            "%w = OpExtInst %v2uint %glsl UnpackDouble2x32 %a; %w1 = OpVectorShuffle %v2uint %w %w 1 0; %r = OpExtInst %f64 %glsl PackDouble2x32 %w1",
            |a, _| a.rotate_left(32),
        ),
        op("phi", PHI, phi),
        op("call", CALL, call),
        contracted("vector FAdd", "%s = OpFAdd %v2 %v %w", |a, b| {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            bits((a + b) - (b + BIG))
        }),
        vector("vector FNegate", "%s = OpFNegate %v2 %v", |a, b| bits(f64::from_bits(b) - f64::from_bits(a))),
        vector(
            "vector Select",
            "%c = OpFOrdLessThan %v2bool %v %w; %s = OpSelect %v2 %c %v %pair",
            |a, b| {
                let (a, b) = (f64::from_bits(a), f64::from_bits(b));
                bits(if a < b { a } else { BIG } - if b < BIG { b } else { TWO })
            },
        ),
        contracted("VectorTimesScalar", "%s = OpVectorTimesScalar %v2 %v %two", |a, b| {
            bits(f64::from_bits(a) * TWO - f64::from_bits(b) * TWO)
        }),
        vector("VectorShuffle", "%s = OpVectorShuffle %v2 %v %w 3 0", |a, _| bits(BIG - f64::from_bits(a))),
        vector(
            "VectorInsertDynamic",
            "%bw = OpBitcast %v2uint %b; %bl = OpCompositeExtract %uint %bw 0; %n = OpBitwiseAnd %uint %bl %u1; %s = OpVectorInsertDynamic %v2 %v %two %n",
            |a, b| if b & 1 == 0 { bits(TWO - f64::from_bits(b)) } else { bits(f64::from_bits(a) - TWO) },
        ),
        op(
            "VectorExtractDynamic",
            &format!(
                "{pairs}%bw = OpBitcast %v2uint %b; %bl = OpCompositeExtract %uint %bw 0; %n = OpBitwiseAnd %uint %bl %u1; %r = OpVectorExtractDynamic %f64 %v %n"
            ),
            |a, b| if b & 1 == 0 { a } else { b },
        ),
        op(
            "composites",
            &format!(
                "{pairs}%t = OpCompositeConstruct %inner %u1 %v; %t1 = OpCompositeInsert %inner %big %t 1 0; %t2 = OpCompositeExtract %v2 %t1 1; \
                 %e = OpCompositeExtract %f64 %t1 1 1; %s = OpFAdd %v2 %t2 %w; %e0 = OpCompositeExtract %f64 %s 0; %r = OpFMul %f64 %e %e0"
            ),
            |_, b| bits(f64::from_bits(b) * (BIG + f64::from_bits(b))),
        ),
        contracted(
            "components of a variable",
            "OpStore %vector %v; %q1 = OpAccessChain %pf %vector %u1; %e1 = OpLoad %f64 %q1; %e2 = OpFMul %f64 %e1 %two; OpStore %q1 %e2; \
             %s = OpLoad %v2 %vector",
            |a, b| bits(f64::from_bits(a) - f64::from_bits(b) * TWO),
        ),
        with(
            "components at 64 bits",
            &format!(
                "{pairs}OpStore %vector %v; %bw = OpBitcast %v2uint %b; %bl = OpCompositeExtract %uint %bw 0; %n32 = OpBitwiseAnd %uint %bl %u1; \
                 %n = OpUConvert %u64 %n32; %q = OpAccessChain %pf %vector %n; %e = OpLoad %f64 %q; %t = OpVectorExtractDynamic %f64 %w %n; %r = OpFSub %f64 %e %t"
            ),
            "Float64,Int64",
            |a, b| {
                let (a, b) = (f64::from_bits(a), f64::from_bits(b));
                bits(if b.to_bits() & 1 == 0 { a - b } else { b - BIG })
            },
        ),
        not_native(
            "vectors of three",
            "%v = OpCompositeConstruct %d3 %a %b %big; %w = OpVectorShuffle %d3 %v %three 1 3 0; %mixed = OpFMul %d3 %v %w; \
             %y = OpVectorTimesScalar %d3 %mixed %two; %c = OpFOrdLessThan %v3bool %y %v; %s = OpSelect %d3 %c %y %three; %d = OpDot %f64 %s %v; \
             %l = OpExtInst %f64 %glsl Length %w; %r = OpFSub %f64 %d %l",
            |a, b| {
                let (a, b) = (f64::from_bits(a), f64::from_bits(b));
                let products = [[a, b, BIG], [b, BIG, TWO], [BIG, a, 1.0]].map(|[v, w, other]| {
                    let product = v * w * TWO;
                    (if product < v { product } else { other }) * v
                });
                let length = (b * b + BIG * BIG + a * a).sqrt();
                bits(products[0] + products[1] + products[2] - length)
            },
        ),
        not_native(
            "vectors of four",
            "%ab = OpCompositeConstruct %v2 %a %b; %v = OpCompositeConstruct %d4 %pair %ab; OpStore %private %v; %aw = OpBitcast %v2uint %a; \
             %al = OpCompositeExtract %uint %aw 0; %n = OpBitwiseAnd %uint %al %u2; %q = OpAccessChain %p1 %private %n; %e = OpLoad %f64 %q; \
             %e2 = OpFMul %f64 %e %two; OpStore %q %e2; %l = OpLoad %d4 %private; %inserted = OpCompositeInsert %d4 %b %l 1; \
             %w = OpVectorShuffle %d4 %inserted %v 2 7 0 1; %w0 = OpCompositeExtract %f64 %w 0; %w1 = OpCompositeExtract %f64 %w 1; \
             %w2 = OpCompositeExtract %f64 %w 2; %w3 = OpCompositeExtract %f64 %w 3; %r0 = OpFSub %f64 %w0 %w1; %r1 = OpFMul %f64 %w2 %w3; \
             %r = OpFSub %f64 %r0 %r1",
            |a, b| {
                let is_third = a & 2 != 0;
                let (a, b) = (f64::from_bits(a), f64::from_bits(b));
                let (first, third) = if is_third { (BIG, a * TWO) } else { (BIG * TWO, a) };
                bits(third - b - first * b)
            },
        ),
        for_drivers(op(
            "moves",
            "%t = OpGroupNonUniformShuffleXor %f64 %scope %a %u0; %t1 = OpGroupNonUniformQuadSwap %f64 %scope %two %u0; %r = OpFAdd %f64 %t %t1",
            |a, _| bits(f64::from_bits(a) + TWO),
        )),
        for_drivers(vector(
            "moves of vectors",
            "%s = OpGroupNonUniformShuffleXor %v2 %scope %v %u0",
            |a, b| bits(f64::from_bits(a) - f64::from_bits(b)),
        )),
        for_drivers(op(
            "moves of vectors of three",
            "%v = OpCompositeConstruct %d3 %a %two %b; %s = OpGroupNonUniformShuffleXor %d3 %scope %v %u0; %s0 = OpCompositeExtract %f64 %s 0; \
             %s2 = OpCompositeExtract %f64 %s 2; %r = OpFSub %f64 %s0 %s2",
            |a, b| bits(f64::from_bits(a) - f64::from_bits(b)),
        )),
        number_of_vectors("Dot", "OpDot %f64 %v %w", |a, b| {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            bits(a * b + b * BIG)
        }),
        number_of_vectors("Length", "OpExtInst %f64 %glsl Length %v", |a, b| {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            bits((a * a + b * b).sqrt())
        }),
        number_of_vectors("Distance", "OpExtInst %f64 %glsl Distance %v %w", |a, b| {
            let (x, y) = (f64::from_bits(a) - f64::from_bits(b), f64::from_bits(b) - BIG);
            bits((x * x + y * y).sqrt())
        }),
        vector_function("Normalize", "Normalize %v", |a, b| {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            let length = (a * a + b * b).sqrt();
            bits(a / length - b / length)
        }),
        vector_function("FaceForward", "FaceForward %v %w %pair", |a, b| {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            let is_kept = BIG * b + TWO * BIG < 0.0;
            bits(if is_kept { a - b } else { -a - -b })
        }),
        vector_function("Refract", "Refract %v %w %two", |a, b| {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            let product = b * a + BIG * b;
            let number = 1.0 - TWO * TWO * (1.0 - product * product);
            let along = TWO * product + number.sqrt();
            bits(if number < 0.0 { 0.0 } else { (TWO * a - along * b) - (TWO * b - along * BIG) })
        }),
        vector_function("Refract by a float", "Refract %v %w %ratio", |a, b| {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            let product = b * a + BIG * b;
            let number = 1.0 - 0.5 * 0.5 * (1.0 - product * product);
            let along = 0.5 * product + number.sqrt();
            bits((0.5 * a - along * b) - (0.5 * b - along * BIG))
        }),
        not_native(
            "Cross",
            "%v = OpCompositeConstruct %d3 %a %b %big; %s = OpExtInst %d3 %glsl Cross %v %three; %s0 = OpCompositeExtract %f64 %s 0; \
             %s1 = OpCompositeExtract %f64 %s 1; %s2 = OpCompositeExtract %f64 %s 2; %s3 = OpFSub %f64 %s0 %s1; %r = OpFSub %f64 %s3 %s2",
            |a, b| {
                let [x, y, z] = cross([f64::from_bits(a), f64::from_bits(b), BIG], [BIG, TWO, 1.0]);
                bits((x - y) - z)
            },
        ),
        for_drivers(not_native(
            "AllEqual",
            "%odd = OpBitwiseAnd %uint %g %u1; %is_odd = OpIEqual %bool %odd %u1; %minus = OpFNegate %f64 %zero; %z = OpSelect %f64 %is_odd %zero %minus; \
             %v = OpCompositeConstruct %v2 %z %big; %e0 = OpGroupNonUniformAllEqual %bool %scope %v; %e1 = OpGroupNonUniformAllEqual %bool %scope %number; \
             %n = OpConvertUToF %f64 %g; %w = OpCompositeConstruct %v2 %n %big; %e2 = OpGroupNonUniformAllEqual %bool %scope %w; \
             %o = OpLogicalOr %bool %e1 %e2; %e = OpLogicalNotEqual %bool %e0 %o; %r = OpSelect %f64 %e %a %b",
            |a, _| a,
        )),
        vector_function("Reflect", "Reflect %v %w", |a, b| {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            let share = -2.0 * (b * a + BIG * b);
            bits((a + b * share) - (b + BIG * share))
        }),
        vector_function("vector FMin", "FMin %v %w", |a, b| {
            bits(minimum(f64::from_bits(a), f64::from_bits(b)) - minimum(f64::from_bits(b), BIG))
        }),
    ]
}

/// Returns all operations in modules with 64-bit integers, which doubles become. Remainders are exact then.
pub fn operations_on_integers() -> Vec<Operation> {
    let mut all = operations();
    for operation in &mut all {
        operation.features = "Float64";
        if !operation.head.contains("OpCapability Int64\n") {
            operation.head = operation
                .head
                .replace("OpCapability Float64\n", "OpCapability Float64\nOpCapability Int64\n");
        }
        match operation.name {
            "FRem" => operation.host = |a, b| bits(f64::from_bits(a) % f64::from_bits(b)),
            "FMod" => operation.host = |a, b| bits(modulo(f64::from_bits(a), f64::from_bits(b))),
            _ => {}
        }
    }
    all
}

fn modulo(a: f64, b: f64) -> f64 {
    let rest = a % b;
    match rest {
        _ if rest == 0.0 => 0f64.copysign(b),
        _ if rest.is_sign_negative() == b.is_sign_negative() => rest,
        _ => rest + b,
    }
}
