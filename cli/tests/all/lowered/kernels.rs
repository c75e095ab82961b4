//! Kernels of one operation on doubles each, and the same on the host, by the bits. They have 64-bit integers, which doubles become.

use std::cmp::Ordering;

use super::doubles::{
    BIG, CALL, HALF, PHI, SIGN, TWO, bits, call, half, maximum, minimum, parts, phi, scaled,
};
use super::frame::{FrameParts, OperationFrame};
use super::geometry::{cross, distance, hypotenuse, length, normalized};
use super::operations::{Operation, for_drivers, not_native};

const HEAD: &str = "OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpCapability Int16
OpCapability Int8
OpCapability Vector16
CAPABILITIES
%std = OpExtInstImport \"OpenCL.std\"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %main \"run\" %gid
OpExecutionMode %main ContractionOff
OpDecorate %gid BuiltIn GlobalInvocationId
DECORATIONS
%void = OpTypeVoid
%bool = OpTypeBool
%uchar = OpTypeInt 8 0
%ushort = OpTypeInt 16 0
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%float = OpTypeFloat 32
TYPES
%v2 = OpTypeVector %f64 2
%v3 = OpTypeVector %f64 3
%v4 = OpTypeVector %f64 4
%v16 = OpTypeVector %f64 16
%v2uint = OpTypeVector %uint 2
%v4uint = OpTypeVector %uint 4
%v2ulong = OpTypeVector %ulong 2
%v4ulong = OpTypeVector %ulong 4
%v3ulong = OpTypeVector %ulong 3
%v4bool = OpTypeVector %bool 4
%inner = OpTypeStruct %uint %v2 %f64
%c4 = OpConstant %uint 4
%array = OpTypeArray %f64 %c4
%pids = OpTypePointer Input %v3ulong
%p = OpTypePointer CrossWorkgroup %f64
%pvector = OpTypePointer CrossWorkgroup %v4
%pf = OpTypePointer Function %f64
%pv = OpTypePointer Function %v4
%pn = OpTypePointer Function %uint
%pnv = OpTypePointer Function %v4uint
%pa = OpTypePointer Function %array
%pshared = OpTypePointer UniformConstant %array
%pelement = OpTypePointer UniformConstant %f64
%fn = OpTypeFunction %void %p %p
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%u3 = OpConstant %uint 3
%u16 = OpConstant %uint 16
%u127 = OpConstant %uint 127
%low_half = OpConstant %uint 0xffff
%largest_half = OpConstant %uint 0x7fff
%infinite_half = OpConstant %uint 0x7c00
%nan_half = OpConstant %uint 0x7e00
%l0 = OpConstant %ulong 0
%l1 = OpConstant %ulong 1
%l3 = OpConstant %ulong 3
%c20 = OpConstant %uint 20
%l32 = OpConstant %ulong 32
%l63 = OpConstant %ulong 63
%l64 = OpConstant %ulong 64
%nothing = OpConstant %f64 0
%one = OpConstant %f64 1
%two = OpConstant %f64 2.5
%big = OpConstant %f64 1234567.875
%end7 = OpConstant %f64 128
%end15 = OpConstant %f64 32768
%end31 = OpConstant %f64 2147483648
%end63 = OpConstant %f64 9223372036854775808
%numbers = OpConstantComposite %array %one %two %big %nothing
%four = OpConstantComposite %v4 %one %two %big %nothing
%shared = OpVariable %pshared UniformConstant %numbers
%gid = OpVariable %pids Input
%twice_type = OpTypeFunction %f64 %f64 %pf
%twice = OpFunction %f64 None %twice_type
%x = OpFunctionParameter %f64
%px = OpFunctionParameter %pf
%twice_start = OpLabel
%x1 = OpLoad %f64 %px Aligned 8
%x2 = OpFAdd %f64 %x1 %one
OpStore %px %x2 Aligned 8
%x3 = OpFAdd %f64 %x %x1
OpReturnValue %x3
OpFunctionEnd
%main = OpFunction %void None %fn
%in = OpFunctionParameter %p
%out = OpFunctionParameter %p
%start = OpLabel
%variable = OpVariable %pf Function
%vector = OpVariable %pv Function
%integer = OpVariable %pn Function
%integers = OpVariable %pnv Function
%elements = OpVariable %pa Function
%ids = OpLoad %v3ulong %gid Aligned 32
%id = OpCompositeExtract %ulong %ids 0
%base = OpIMul %ulong %id %l64
";

/// Returns the remainder of the integer next to the quotient.
fn nearest_remainder(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() || a.is_infinite() || b == 0.0 {
        return f64::NAN;
    }
    let by = b.abs();
    let mut rest = if by < 2f64.powi(1023) { a.abs() % (by + by) } else { a.abs() };
    if by - rest < rest {
        rest -= by;
        if by - rest <= rest {
            rest -= by;
        }
    }
    if a.is_sign_negative() { -rest } else { rest }
}

/// Returns the lowest seven bits of the integer next to the quotient, with its sign.
fn nearest_quotient(a: f64, b: f64) -> i32 {
    let (mut rest, by) = (a.abs(), b.abs());
    if !rest.is_finite() || !by.is_finite() || by == 0.0 {
        return 0;
    }
    let many = by * 128.0;
    if many.is_finite() {
        rest %= many;
    }
    let mut quotient = 0;
    for bit in (0..7).rev() {
        let part = by * f64::from(1 << bit);
        if rest >= part {
            rest -= part;
            quotient |= 1 << bit;
        }
    }
    // What is missing to the next multiple of a subnormal number is exact, too.
    let missing = by - rest;
    if rest > missing || rest == missing && quotient & 1 == 1 {
        quotient += 1;
    }
    let number = quotient & 127;
    if a.is_sign_negative() == b.is_sign_negative() { number } else { -number }
}

/// Returns the next number on the way to another.
fn next(a: f64, b: f64) -> f64 {
    match a {
        _ if a.is_nan() || b.is_nan() => f64::NAN,
        _ if a == b => b,
        _ if a < b => a.next_up(),
        _ => a.next_down(),
    }
}

/// Returns the number that a function of both magnitudes chooses, and if they are equal, another.
fn by_magnitude(a: f64, b: f64, is_first: fn(f64, f64) -> bool, other: fn(f64, f64) -> f64) -> u64 {
    match (a.abs(), b.abs()) {
        (x, y) if is_first(x, y) => a.to_bits(),
        (x, y) if is_first(y, x) => b.to_bits(),
        _ => other(a, b).to_bits(),
    }
}

fn maximum_number(a: f64, b: f64) -> f64 {
    if a.is_nan() { b } else { maximum(a, b) }
}

fn minimum_number(a: f64, b: f64) -> f64 {
    if a.is_nan() { b } else { minimum(a, b) }
}

/// Returns the bits of a half that a number is rounded to by a function, which makes an integer of it.
fn rounded_half(number: u64, round: Unary) -> u64 {
    let a = f64::from_bits(number);
    let sign = number >> 48 & 0x8000;
    if a.is_nan() {
        return 0x7e00;
    }
    if a.is_infinite() || a == 0.0 {
        return sign | if a == 0.0 { 0 } else { 0x7c00 };
    }
    // Above all halves, all numbers round like one of less than 65536.
    let a = if a.abs() < 65536.0 { a } else { 65528f64.copysign(a) };
    let exponent = (parts(a).1 - 1).max(-14);
    let steps = round(a / 2f64.powi(exponent - 10)).abs();
    // The first bit of the significand adds one to the exponent.
    sign | (((exponent + 14) << 10) as u64 + steps as u64)
}

type Unary = fn(f64) -> f64;

/// Returns all operations.
pub fn operations() -> Vec<Operation> {
    let frame = FrameParts {
        frame: OperationFrame::Kernel,
        head: HEAD,
        number: "%f64",
        capabilities: "OpCapability Float64",
        types: "%f64 = OpTypeFloat 64",
        decorations: "",
        definitions: "",
        variables: "",
    };
    let with = |name, decorations: &str, code: &str, host| {
        Operation::new(name, &FrameParts { decorations, ..frame }, code, "Float64", host)
    };
    let op = |name, code: &str, host| with(name, "", code, host);
    let decorated = |name, decoration: &str, code: &str, host| {
        with(name, &format!("OpDecorate %c {decoration}"), code, host)
    };
    let std = |name: &'static str, operands: &str, host| {
        op(name, &format!("%r = OpExtInst %f64 %std {name} {operands}"), host)
    };
    let stored_half = |name: &'static str, store: &str, host| {
        let parts = FrameParts {
            capabilities: "OpCapability Float64\nOpCapability Float16Buffer",
            types: "%f64 = OpTypeFloat 64\n%half = OpTypeFloat 16\n%phalf = OpTypePointer Function %half",
            ..frame
        };
        // Any NaN will do.
        let code = format!(
            "OpStore %integer %u0 Aligned 4; %to_half = OpBitcast %phalf %integer; %both = OpCompositeConstruct %v2 %a %b; \
             %nothing_stored = OpExtInst %void %std {store}; %n = OpLoad %uint %integer Aligned 4; %n0 = OpBitwiseAnd %uint %n %low_half; \
             %m0 = OpBitwiseAnd %uint %n %largest_half; %is0 = OpUGreaterThan %bool %m0 %infinite_half; %h0 = OpSelect %uint %is0 %nan_half %n0; \
             %n1 = OpShiftRightLogical %uint %n %u16; %m1 = OpBitwiseAnd %uint %n1 %largest_half; %is1 = OpUGreaterThan %bool %m1 %infinite_half; \
             %h1 = OpSelect %uint %is1 %nan_half %n1; %h2 = OpShiftLeftLogical %uint %h1 %u16; %h = OpBitwiseOr %uint %h2 %h0; \
             %h3 = OpUConvert %ulong %h; %r = OpBitcast %f64 %h3"
        );
        Operation::new(name, &parts, &code, "Float64", host)
    };
    let choice = |name: &'static str, instruction: &str, host| {
        op(name, &format!("%c = {instruction}; %r = OpSelect %f64 %c %a %big"), host)
    };
    let sum = "; %s0 = OpCompositeExtract %f64 %s 0; %s1 = OpCompositeExtract %f64 %s 1; %s2 = OpCompositeExtract %f64 %s 2; \
               %s3 = OpCompositeExtract %f64 %s 3; %t0 = OpFSub %f64 %s0 %s1; %t1 = OpFMul %f64 %s2 %two; %t2 = OpFAdd %f64 %t0 %t1; %r = OpFSub %f64 %t2 %s3";
    let vectors =
        "%v = OpCompositeConstruct %v4 %a %b %two %a; %w = OpCompositeConstruct %v4 %b %big %a %one; ";
    let vector = |name, code: &str, host| op(name, &format!("{vectors}{code}{sum}"), host);
    let bits_of_a = "%n = OpBitcast %ulong %a; ";
    let guard = "%m = OpExtInst %f64 %std fabs %a; %is = OpFOrdLessThan %bool %m ";
    vec![
        op("FAdd", "%r = OpFAdd %f64 %a %b", |a, b| bits(f64::from_bits(a) + f64::from_bits(b))),
        op("FSub", "%r = OpFSub %f64 %a %b", |a, b| bits(f64::from_bits(a) - f64::from_bits(b))),
        op("FMul", "%r = OpFMul %f64 %a %b", |a, b| bits(f64::from_bits(a) * f64::from_bits(b))),
        op("FDiv", "%r = OpFDiv %f64 %a %b", |a, b| bits(f64::from_bits(a) / f64::from_bits(b))),
        not_native(op("FRem", "%r = OpFRem %f64 %a %b", |a, b| bits(f64::from_bits(a) % f64::from_bits(b)))),
        op("FNegate", "%r = OpFNegate %f64 %a", |a, _| a ^ SIGN),
        choice("FOrdLessThan", "OpFOrdLessThan %bool %a %b", |a, b| {
            if f64::from_bits(a) < f64::from_bits(b) { a } else { BIG.to_bits() }
        }),
        choice("FUnordGreaterThan", "OpFUnordGreaterThan %bool %a %b", |a, b| {
            let order = f64::from_bits(a).partial_cmp(&f64::from_bits(b));
            if order.is_none_or(Ordering::is_gt) { a } else { BIG.to_bits() }
        }),
        choice(
            "IsNan",
            "OpIsNan %bool %a",
            |a, _| if f64::from_bits(a).is_nan() { a } else { BIG.to_bits() },
        ),
        choice(
            "IsInf",
            "OpIsInf %bool %a",
            |a, _| if f64::from_bits(a).is_infinite() { a } else { BIG.to_bits() },
        ),
        choice("IsFinite", "OpIsFinite %bool %a", |a, _| {
            if f64::from_bits(a).is_finite() { a } else { BIG.to_bits() }
        }),
        choice("IsNormal", "OpIsNormal %bool %a", |a, _| {
            if f64::from_bits(a).is_normal() { a } else { BIG.to_bits() }
        }),
        choice("SignBitSet", "OpSignBitSet %bool %a", |a, _| if a >> 63 == 1 { a } else { BIG.to_bits() }),
        choice("LessOrGreater", "OpLessOrGreater %bool %a %b", |a, b| {
            let (x, y) = (f64::from_bits(a), f64::from_bits(b));
            if x.partial_cmp(&y).is_some_and(Ordering::is_ne) { a } else { BIG.to_bits() }
        }),
        choice("Ordered", "OpOrdered %bool %a %b", |a, b| {
            if f64::from_bits(a).is_nan() || f64::from_bits(b).is_nan() { BIG.to_bits() } else { a }
        }),
        choice("Unordered", "OpUnordered %bool %a %b", |a, b| {
            if f64::from_bits(a).is_nan() || f64::from_bits(b).is_nan() { a } else { BIG.to_bits() }
        }),
        std("ceil", "%a", |a, _| bits(f64::from_bits(a).ceil())),
        std("floor", "%a", |a, _| bits(f64::from_bits(a).floor())),
        std("trunc", "%a", |a, _| bits(f64::from_bits(a).trunc())),
        std("rint", "%a", |a, _| bits(f64::from_bits(a).round_ties_even())),
        std("round", "%a", |a, _| bits(f64::from_bits(a).round())),
        std("fabs", "%a", |a, _| a & !SIGN),
        std("copysign", "%a %b", |a, b| a & !SIGN | b & SIGN),
        std("sqrt", "%a", |a, _| bits(f64::from_bits(a).sqrt())),
        not_native(std("rsqrt", "%a", |a, _| bits(1.0 / f64::from_bits(a).sqrt()))),
        std("fma", "%a %b %big", |a, b| bits(f64::from_bits(a).mul_add(f64::from_bits(b), BIG))),
        not_native(std("mad", "%a %b %big", |a, b| bits(f64::from_bits(a) * f64::from_bits(b) + BIG))),
        std("fdim", "%a %b", |a, b| {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            bits(if a <= b { 0.0 } else { a - b })
        }),
        not_native(std("fmax", "%a %b", |a, b| {
            maximum_number(f64::from_bits(a), f64::from_bits(b)).to_bits()
        })),
        not_native(std("fmin", "%a %b", |a, b| {
            minimum_number(f64::from_bits(a), f64::from_bits(b)).to_bits()
        })),
        not_native(std("fmax_common", "%a %b", |a, b| {
            maximum(f64::from_bits(a), f64::from_bits(b)).to_bits()
        })),
        not_native(std("fmin_common", "%a %b", |a, b| {
            minimum(f64::from_bits(a), f64::from_bits(b)).to_bits()
        })),
        not_native(std("maxmag", "%a %b", |a, b| {
            by_magnitude(f64::from_bits(a), f64::from_bits(b), |x, y| x > y, maximum_number)
        })),
        not_native(std("minmag", "%a %b", |a, b| {
            by_magnitude(f64::from_bits(a), f64::from_bits(b), |x, y| x < y, minimum_number)
        })),
        not_native(std("fclamp", "%a %two %big", |a, _| {
            minimum_number(maximum_number(f64::from_bits(a), TWO), BIG).to_bits()
        })),
        std("fmod", "%a %b", |a, b| bits(f64::from_bits(a) % f64::from_bits(b))),
        not_native(std("remainder", "%a %b", |a, b| {
            bits(nearest_remainder(f64::from_bits(a), f64::from_bits(b)))
        })),
        op(
            "remquo",
            "%s = OpExtInst %f64 %std remquo %a %b %integer; %n = OpLoad %uint %integer Aligned 4; %is_less = OpSLessThan %bool %n %u0; \
             %n1 = OpSNegate %uint %n; %n2 = OpSelect %uint %is_less %n1 %n; %n3 = OpBitwiseAnd %uint %n2 %u127; %n4 = OpSNegate %uint %n3; \
             %n5 = OpSelect %uint %is_less %n4 %n3; %e = OpConvertSToF %f64 %n5; %r = OpFAdd %f64 %s %e",
            |a, b| {
                let (a, b) = (f64::from_bits(a), f64::from_bits(b));
                bits(nearest_remainder(a, b) + f64::from(nearest_quotient(a, b)))
            },
        ),
        not_native(std("hypot", "%a %b", |a, b| bits(hypotenuse(f64::from_bits(a), f64::from_bits(b))))),
        std("nextafter", "%a %b", |a, b| bits(next(f64::from_bits(a), f64::from_bits(b)))),
        std("logb", "%a", |a, _| {
            let a = f64::from_bits(a);
            bits(match a {
                _ if a == 0.0 => f64::NEG_INFINITY,
                _ if a.is_infinite() => f64::INFINITY,
                _ if a.is_nan() => a,
                _ => f64::from(parts(a).1 - 1),
            })
        }),
        op("ilogb", "%n = OpExtInst %uint %std ilogb %a; %r = OpConvertSToF %f64 %n", |a, _| {
            let a = f64::from_bits(a);
            bits(f64::from(match a {
                _ if a == 0.0 => i32::MIN,
                _ if !a.is_finite() => i32::MAX,
                _ => parts(a).1 - 1,
            }))
        }),
        op(
            "ldexp",
            "%bw = OpBitcast %v2uint %b; %n = OpCompositeExtract %uint %bw 1; %n1 = OpShiftRightArithmetic %uint %n %c20; %r = OpExtInst %f64 %std ldexp %a %n1",
            |a, b| bits(scaled(f64::from_bits(a), (b >> 32) as u32 as i32 >> 20)),
        ),
        not_native(op(
            "frexp",
            "%s = OpExtInst %f64 %std frexp %a %integer; %n = OpLoad %uint %integer Aligned 4; %e = OpConvertSToF %f64 %n; %r = OpFAdd %f64 %s %e",
            |a, _| {
                let (significand, exponent) = parts(f64::from_bits(a));
                bits(significand + f64::from(exponent))
            },
        )),
        op(
            "modf",
            "%s = OpExtInst %f64 %std modf %a %variable; %n = OpLoad %f64 %variable Aligned 8; %r = OpFSub %f64 %s %n",
            |a, _| {
                let a = f64::from_bits(a);
                let fraction = if a.is_infinite() { 0.0 } else { a - a.trunc() };
                bits(fraction - a.trunc())
            },
        ),
        op(
            "fract",
            "%s = OpExtInst %f64 %std fract %a %variable; %n = OpLoad %f64 %variable Aligned 8; %r = OpFSub %f64 %s %n",
            |a, _| {
                let a = f64::from_bits(a);
                let fraction = if a.is_infinite() || a == 0.0 {
                    0f64.copysign(a)
                } else {
                    (a - a.floor()).min(1f64.next_down())
                };
                bits(if a.is_nan() { a } else { fraction - a.floor() })
            },
        ),
        not_native(op("nan", &format!("{bits_of_a}%r = OpExtInst %f64 %std nan %n"), |a, _| {
            0x7ff8 << 48 | a & 0xf_ffff_ffff_ffff
        })),
        not_native(std("degrees", "%a", |a, _| bits(180.0 / std::f64::consts::PI * f64::from_bits(a)))),
        not_native(std("radians", "%a", |a, _| bits(std::f64::consts::PI / 180.0 * f64::from_bits(a)))),
        std("sign", "%a", |a, _| {
            let a = f64::from_bits(a);
            bits(match a {
                _ if a.is_nan() => 0.0,
                _ if a == 0.0 => a,
                _ => a.signum(),
            })
        }),
        std("step", "%a %b", |a, b| bits(if f64::from_bits(b) < f64::from_bits(a) { 0.0 } else { 1.0 })),
        not_native(std("mix", "%a %b %two", |a, b| {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            bits(a + (b - a) * TWO)
        })),
        not_native(std("smoothstep", "%two %big %a", |a, _| {
            let share = minimum(maximum((f64::from_bits(a) - TWO) / (BIG - TWO), 0.0), 1.0);
            bits(share * share * (3.0 - (share + share)))
        })),
        for_drivers(std("bitselect", "%a %b %big", |a, b| a & !BIG.to_bits() | b & BIG.to_bits())),
        for_drivers(op(
            "select",
            &format!("{bits_of_a}%r = OpExtInst %f64 %std select %b %two %n"),
            |a, b| {
                if a == 0 { b } else { TWO.to_bits() }
            },
        )),
        op("ConvertSToF", &format!("{bits_of_a}%r = OpConvertSToF %f64 %n"), |a, _| bits(a as i64 as f64)),
        op("ConvertUToF", &format!("{bits_of_a}%r = OpConvertUToF %f64 %n"), |a, _| bits(a as f64)),
        op(
            "ConvertSToF of 32 bits",
            &format!("{bits_of_a}%n1 = OpUConvert %uint %n; %r = OpConvertSToF %f64 %n1"),
            |a, _| bits(f64::from(a as i32)),
        ),
        decorated(
            "ConvertUToF of 32 bits toward zero",
            "FPRoundingMode RTZ",
            &format!(
                "{bits_of_a}%n1 = OpUConvert %uint %n; %c = OpConvertUToF %f64 %n1; %r = OpCopyObject %f64 %c"
            ),
            |a, _| bits(f64::from(a as u32)),
        ),
        op(
            "ConvertSToF of 16 bits",
            &format!("{bits_of_a}%n1 = OpUConvert %ushort %n; %r = OpConvertSToF %f64 %n1"),
            |a, _| bits(f64::from(a as i16)),
        ),
        op(
            "ConvertUToF of 8 bits",
            &format!("{bits_of_a}%n1 = OpUConvert %uchar %n; %r = OpConvertUToF %f64 %n1"),
            |a, _| bits(f64::from(a as u8)),
        ),
        op(
            "ConvertFToS",
            &format!(
                "{guard}%end63; %x0 = OpSelect %f64 %is %a %one; %n = OpConvertFToS %ulong %x0; %r = OpBitcast %f64 %n"
            ),
            |a, _| {
                let a = f64::from_bits(a);
                if a.abs() < 2f64.powi(63) { a as i64 as u64 } else { 1 }
            },
        ),
        op(
            "ConvertFToU to 16 bits",
            &format!(
                "{guard}%end15; %x0 = OpSelect %f64 %is %m %one; %n = OpConvertFToU %ushort %x0; %n1 = OpUConvert %ulong %n; %r = OpBitcast %f64 %n1"
            ),
            |a, _| {
                let a = f64::from_bits(a).abs();
                if a < 32768.0 { a as u64 } else { 1 }
            },
        ),
        op(
            "ConvertFToS to 8 bits",
            &format!(
                "{guard}%end7; %x0 = OpSelect %f64 %is %a %one; %n = OpConvertFToS %uchar %x0; %n1 = OpSConvert %ulong %n; %r = OpBitcast %f64 %n1"
            ),
            |a, _| {
                let a = f64::from_bits(a);
                if a.abs() < 128.0 { a as i64 as u64 } else { 1 }
            },
        ),
        decorated(
            "ConvertFToS to even",
            "FPRoundingMode RTE",
            &format!(
                "{guard}%end31; %x0 = OpSelect %f64 %is %a %one; %c = OpConvertFToS %ulong %x0; %r = OpBitcast %f64 %c"
            ),
            |a, _| integer(f64::from_bits(a), f64::round_ties_even),
        ),
        decorated(
            "ConvertFToS upward",
            "FPRoundingMode RTP",
            &format!(
                "{guard}%end31; %x0 = OpSelect %f64 %is %a %one; %c = OpConvertFToS %ulong %x0; %r = OpBitcast %f64 %c"
            ),
            |a, _| integer(f64::from_bits(a), f64::ceil),
        ),
        decorated(
            "ConvertFToS downward",
            "FPRoundingMode RTN",
            &format!(
                "{guard}%end31; %x0 = OpSelect %f64 %is %a %one; %c = OpConvertFToS %ulong %x0; %r = OpBitcast %f64 %c"
            ),
            |a, _| integer(f64::from_bits(a), f64::floor),
        ),
        decorated(
            "ConvertFToS toward zero",
            "FPRoundingMode RTZ",
            &format!(
                "{guard}%end31; %x0 = OpSelect %f64 %is %a %one; %c = OpConvertFToS %ulong %x0; %r = OpBitcast %f64 %c"
            ),
            |a, _| integer(f64::from_bits(a), f64::trunc),
        ),
        decorated(
            "ConvertFToS that saturates",
            "SaturatedConversion",
            "%c = OpConvertFToS %ulong %a; %r = OpBitcast %f64 %c",
            |a, _| f64::from_bits(a) as i64 as u64,
        ),
        decorated(
            "ConvertFToU that saturates",
            "SaturatedConversion",
            "%c = OpConvertFToU %ulong %a; %r = OpBitcast %f64 %c",
            |a, _| f64::from_bits(a) as u64,
        ),
        decorated(
            "ConvertFToS to 32 bits that saturates",
            "SaturatedConversion",
            "%c = OpConvertFToS %uint %a; %n = OpSConvert %ulong %c; %r = OpBitcast %f64 %n",
            |a, _| f64::from_bits(a) as i32 as u64,
        ),
        decorated(
            "ConvertFToU to 8 bits that saturates",
            "SaturatedConversion",
            "%c = OpConvertFToU %uchar %a; %n = OpUConvert %ulong %c; %r = OpBitcast %f64 %n",
            |a, _| u64::from(f64::from_bits(a) as u8),
        ),
        op(
            "FConvert to a float",
            "%c = OpFConvert %float %a; %n = OpBitcast %uint %c; %n1 = OpUConvert %ulong %n; %r = OpBitcast %f64 %n1",
            |a, _| {
                let a = f64::from_bits(a) as f32;
                u64::from(if a.is_nan() { 0x7fc0_0000 } else { a.to_bits() })
            },
        ),
        op(
            "FConvert from a float",
            &format!(
                "{bits_of_a}%n1 = OpUConvert %uint %n; %c = OpBitcast %float %n1; %r = OpFConvert %f64 %c"
            ),
            |a, _| bits(f64::from(f32::from_bits(a as u32))),
        ),
        not_native(op("FConvert to a half", HALF, |a, _| bits(half(f64::from_bits(a))))),
        for_drivers(stored_half("vstore_half", "vstore_half %a %l0 %to_half", |a, _| {
            rounded_half(a, f64::round_ties_even)
        })),
        for_drivers(stored_half("vstore_half to even", "vstore_half_r %a %l0 %to_half RTE", |a, _| {
            rounded_half(a, f64::round_ties_even)
        })),
        for_drivers(stored_half("vstore_half toward zero", "vstore_half_r %a %l0 %to_half RTZ", |a, _| {
            rounded_half(a, f64::trunc)
        })),
        for_drivers(stored_half("vstore_half upward", "vstore_half_r %a %l0 %to_half RTP", |a, _| {
            rounded_half(a, f64::ceil)
        })),
        for_drivers(stored_half("vstore_half downward", "vstore_half_r %a %l0 %to_half RTN", |a, _| {
            rounded_half(a, f64::floor)
        })),
        for_drivers(stored_half("vstore_halfn", "vstore_halfn_r %both %l0 %to_half RTE", |a, b| {
            rounded_half(a, f64::round_ties_even) | rounded_half(b, f64::round_ties_even) << 16
        })),
        for_drivers(stored_half("vstorea_halfn", "vstorea_halfn_r %both %l0 %to_half RTN", |a, b| {
            rounded_half(a, f64::floor) | rounded_half(b, f64::floor) << 16
        })),
        vector("vector FAdd", "%s = OpFAdd %v4 %v %w", |a, b| {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            bits((((a + b) - (b + BIG)) + (TWO + a) * TWO) - (a + 1.0))
        }),
        vector("vector floor", "%s = OpExtInst %v4 %std floor %v", |a, b| {
            let (a, b) = (f64::from_bits(a).floor(), f64::from_bits(b).floor());
            bits(((a - b) + 2.0 * TWO) - a)
        }),
        vector(
            "vector Select",
            "%c = OpFOrdLessThan %v4bool %v %w; %s = OpSelect %v4 %c %v %four",
            |a, b| {
                let (a, b) = (f64::from_bits(a), f64::from_bits(b));
                let first = if a < b { a } else { 1.0 };
                let second = if b < BIG { b } else { TWO };
                let third = if TWO < a { TWO } else { BIG };
                bits(((first - second) + third * TWO) - if a < 1.0 { a } else { 0.0 })
            },
        ),
        vector("VectorTimesScalar", "%s = OpVectorTimesScalar %v4 %v %two", |a, b| {
            let (a, b) = (f64::from_bits(a) * TWO, f64::from_bits(b) * TWO);
            bits(((a - b) + TWO * TWO * TWO) - a)
        }),
        vector("VectorShuffle", "%s = OpVectorShuffle %v4 %v %w 5 0 7 1", |a, b| {
            bits(((BIG - f64::from_bits(a)) + TWO) - f64::from_bits(b))
        }),
        vector(
            "VectorInsertDynamic",
            "%n = OpBitcast %ulong %b; %n1 = OpBitwiseAnd %ulong %n %l3; %s = OpVectorInsertDynamic %v4 %four %a %n1",
            |a, b| {
                let mut numbers = [1.0, TWO, BIG, 0.0];
                numbers[(b & 3) as usize] = f64::from_bits(a);
                bits(((numbers[0] - numbers[1]) + numbers[2] * TWO) - numbers[3])
            },
        ),
        op(
            "VectorExtractDynamic",
            &format!(
                "{vectors}%n = OpBitcast %ulong %b; %n1 = OpBitwiseAnd %ulong %n %l3; %r = OpVectorExtractDynamic %f64 %v %n1"
            ),
            |a, b| [a, b, TWO.to_bits(), a][(b & 3) as usize],
        ),
        not_native(op("Dot", &format!("{vectors}%r = OpDot %f64 %v %w"), |a, b| {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            bits(((a * b + b * BIG) + TWO * a) + a)
        })),
        not_native(op("length", &format!("{vectors}%r = OpExtInst %f64 %std length %v"), |a, b| {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            bits(length(&[a, b, TWO, a]))
        })),
        not_native(op(
            "length of two",
            "%v = OpCompositeConstruct %v2 %a %b; %r = OpExtInst %f64 %std fast_length %v",
            |a, b| bits(length(&[f64::from_bits(a), f64::from_bits(b)])),
        )),
        not_native(op("length of one", "%r = OpExtInst %f64 %std length %a", |a, _| a & !SIGN)),
        not_native(op("distance", &format!("{vectors}%r = OpExtInst %f64 %std distance %v %w"), |a, b| {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            bits(distance(&[a, b, TWO, a], &[b, BIG, a, 1.0]))
        })),
        not_native(vector("normalize", "%s = OpExtInst %v4 %std normalize %v", |a, b| {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            let [x, y, z, w] = normalized([a, b, TWO, a]);
            bits(((x - y) + z * TWO) - w)
        })),
        not_native(op(
            "normalize of two",
            "%v = OpCompositeConstruct %v2 %a %b; %s = OpExtInst %v2 %std normalize %v; %s0 = OpCompositeExtract %f64 %s 0; \
             %s1 = OpCompositeExtract %f64 %s 1; %e = OpFMul %f64 %s1 %two; %r = OpFSub %f64 %s0 %e",
            |a, b| {
                let [x, y] = normalized([f64::from_bits(a), f64::from_bits(b)]);
                bits(x - y * TWO)
            },
        )),
        not_native(op("normalize of one", "%r = OpExtInst %f64 %std normalize %a", |a, _| {
            let [x] = normalized([f64::from_bits(a)]);
            bits(x)
        })),
        not_native(vector("cross", "%s = OpExtInst %v4 %std cross %v %w", |a, b| {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            let [x, y, z] = cross([a, b, TWO], [b, BIG, a]);
            bits(((x - y) + z * TWO) - 0.0)
        })),
        vector(
            "vector frexp",
            "%s4 = OpExtInst %v4 %std frexp %v %integers; %n = OpLoad %v4uint %integers Aligned 16; %e = OpConvertSToF %v4 %n; %s = OpFAdd %v4 %s4 %e",
            |a, b| {
                let part = |bits: u64| {
                    let (significand, exponent) = parts(f64::from_bits(bits));
                    significand + f64::from(exponent)
                };
                bits(((part(a) - part(b)) + part(TWO.to_bits()) * TWO) - part(a))
            },
        ),
        for_drivers(vector(
            "vloadn and vstoren",
            "OpStore %vector %v Aligned 32; %q = OpBitcast %pf %vector; %s5 = OpExtInst %v2 %std vloadn %l1 %q 2; \
                 %s6 = OpVectorShuffle %v2 %s5 %s5 1 0; %s7 = OpExtInst %void %std vstoren %s6 %l0 %q; %s = OpLoad %v4 %vector Aligned 32",
            |a, _| {
                let a = f64::from_bits(a);
                bits(((a - TWO) + TWO * TWO) - a)
            },
        )),
        for_drivers(op(
            "shuffle",
            &format!(
                "{vectors}%n = OpCompositeConstruct %v4ulong %l3 %l1 %l0 %l0; %s = OpExtInst %v4 %std shuffle %w %n{sum}"
            ),
            |_, b| {
                let b = f64::from_bits(b);
                bits(((1.0 - BIG) + b * TWO) - b)
            },
        )),
        op(
            "16 components",
            "%v = OpCompositeConstruct %v16 %a %b %one %two %a %b %one %two %a %b %one %two %a %b %one %big; %w = OpFSub %v16 %v %v; \
             %s = OpFMul %v16 %v %v; %x0 = OpCompositeExtract %f64 %s 15; %x4 = OpCompositeExtract %f64 %s 9; %x5 = OpFSub %f64 %x0 %x4; \
             %x6 = OpCompositeExtract %f64 %w 4; %r = OpFAdd %f64 %x5 %x6",
            |a, b| {
                let (a, b) = (f64::from_bits(a), f64::from_bits(b));
                bits((BIG * BIG - b * b) + a * 0.0)
            },
        ),
        op(
            "composites",
            "%v = OpCompositeConstruct %v2 %a %b; %t = OpCompositeConstruct %inner %u1 %v %two; %v1 = OpCompositeInsert %v2 %big %v 0; \
             %t1 = OpCompositeInsert %inner %v1 %t 1; %e = OpCompositeExtract %v2 %t1 1; %e0 = OpCompositeExtract %f64 %e 0; \
             %e1 = OpCompositeExtract %f64 %e 1; %e2 = OpCompositeExtract %f64 %t1 2; %e3 = OpFMul %f64 %e0 %e1; %r = OpFSub %f64 %e3 %e2",
            |_, b| bits(BIG * f64::from_bits(b) - TWO),
        ),
        op(
            "arrays",
            "OpStore %elements %numbers Aligned 8; %n = OpBitcast %ulong %b; %n1 = OpBitwiseAnd %ulong %n %l3; \
             %q = OpInBoundsAccessChain %pf %elements %n1; OpStore %q %a Aligned 8; %q1 = OpInBoundsAccessChain %pf %elements %u2; \
             %e = OpLoad %f64 %q1 Aligned 8; %q2 = OpInBoundsAccessChain %pelement %shared %n1; %e1 = OpLoad %f64 %q2 Aligned 8; %r = OpFSub %f64 %e %e1",
            |a, b| {
                let numbers = [1.0, TWO, BIG, 0.0];
                let at = (b & 3) as usize;
                bits(if at == 2 { f64::from_bits(a) } else { BIG } - numbers[at])
            },
        ),
        for_drivers(op(
            "pointers",
            "%q = OpBitcast %pvector %to_a; %q1 = OpBitcast %p %q; %e = OpLoad %f64 %q1 Aligned 8; %q2 = OpPtrAccessChain %p %q1 %l1; \
             %e1 = OpLoad %f64 %q2 Aligned 8; %r = OpFSub %f64 %e %e1",
            |a, b| bits(f64::from_bits(a) - f64::from_bits(b)),
        )),
        op("phi", PHI, phi),
        op("call", CALL, call),
    ]
}

/// Returns an integer that a number of less than 2^31 is rounded to; 1 for another.
fn integer(a: f64, round: Unary) -> u64 {
    if a.abs() < 2f64.powi(31) { round(a) as i64 as u64 } else { 1 }
}
