//! Shaders of one operation on numbers of bfloat16 each, and the same on the host. Their bits are the low ones of numbers of 64 bits.

use super::frame::{FrameParts, OperationFrame, SHADER};
use super::operations::{Operation, for_drivers, not_native};
use crate::random::Random;

/// Returns pairs: all first numbers, beside random ones.
pub fn operands() -> Vec<[u64; 2]> {
    let mut random = Random::new(116);
    (0..1 << 16).map(|a| [a | random.next() << 16, random.next()]).collect()
}

fn value(bits: u64) -> f32 {
    f32::from_bits((bits as u32) << 16)
}

/// Returns the bits of the nearest number, and of two the even one.
fn nearest(value: f32) -> u64 {
    let bits = value.to_bits();
    if value.is_nan() {
        return u64::from(bits >> 16 | 0x40);
    }
    let (upper, rest) = (bits >> 16, bits & 0xffff);
    u64::from(upper + u32::from(rest > 0x8000 || rest == 0x8000 && upper & 1 == 1))
}

fn is_nan(bits: u64) -> bool {
    bits & 0x7fff > 0x7f80
}

/// Permits any bits of what is no number, and zero for what floats may flush.
fn any_nan(_: [u64; 2], after: u64, expected: u64) -> bool {
    let is_zero = |bits: u64| bits & 0x7f80 == 0;
    is_nan(after) && is_nan(expected) || is_zero(after) && is_zero(expected)
}

/// Permits neighbours of a sum that is rounded before, and others where numbers that are too small were flushed.
fn near(operands: [u64; 2], after: u64, expected: u64) -> bool {
    let is_small = |bits: u64| bits & 0x7fff < 0x800;
    let are_small = is_small(after) && is_small(expected);
    any_nan(operands, after, expected) || after.abs_diff(expected) <= 1 || are_small
}

const DEFINITIONS: &str = "%n2 = OpTypeVector %bf 2
%u3 = OpConstant %uint 3
%near = OpConstant %uint 0xffff8001
%exponent = OpConstant %u64 EXPONENT
%ends = OpConstant %u64 ENDS
%least = OpConstant %u64 LEAST
%ties = OpConstant %uint 0xffff8001
%n3 = OpConstant %bf 3
%npair = OpConstantComposite %n2 %n3 %n3
%pn = OpTypePointer Function %bf
%ps = OpTypePointer Private %n2
%private = OpVariable %ps Private %npair
%second_type = OpTypeFunction %bf %n2
%second = OpFunction %bf None %second_type
%s = OpFunctionParameter %n2
%second_start = OpLabel
OpStore %private %s
%kept = OpLoad %n2 %private
%s1 = OpCompositeExtract %bf %kept 1
OpReturnValue %s1
OpFunctionEnd";

/// The bits of doubles that a tie depends on, those of an exponent about that of the least numbers, and what leads to these.
const ENDS: u64 = 0x800f_f000_0000_0001;
const EXPONENT: u64 = 0x1f << 52;
const LEAST: u64 = 0x370 << 52;

/// Returns the bits of the number nearest to an integer, of which a double has all bits.
fn of_integer(value: i64) -> u64 {
    of_double(value as f64)
}

/// Returns the bits of the nearest number, and of two the even one.
fn of_double(value: f64) -> u64 {
    if value.is_nan() {
        return 0x7fc0;
    }
    let size = value.abs();
    // Numbers without a sign are in the order of their bits. The last one that is not larger:
    let (mut below, mut above) = (0u64, 0x7f80u64);
    while above - below > 1 {
        let middle = u64::midpoint(below, above);
        if f64::from(self::value(middle)) <= size { below = middle } else { above = middle }
    }
    // The number after the largest one would be 2^128.
    let next = if above == 0x7f80 { 2f64.powi(128) } else { f64::from(self::value(above)) };
    let low = f64::from(self::value(below));
    let middle = low + (next - low) / 2.0;
    let is_above = size > middle || size == middle && below & 1 == 1;
    let sign = u64::from(value.is_sign_negative()) << 15;
    sign | if is_above { above } else { below }
}

/// Returns all operations.
pub fn operations() -> Vec<Operation> {
    let definitions = [("EXPONENT", EXPONENT), ("ENDS", ENDS), ("LEAST", LEAST)]
        .iter()
        .fold(DEFINITIONS.to_owned(), |text, (name, value)| text.replace(name, &value.to_string()));
    let op = |name, code: &str, permits, host| {
        let parts = FrameParts {
            frame: OperationFrame::Shader,
            head: SHADER,
            number: "%u64",
            capabilities: "",
            types: "%u64 = OpTypeInt 64 0\n%u16 = OpTypeInt 16 0\n%double = OpTypeFloat 64\n%bf = OpTypeFloat 16 BFloat16KHR",
            decorations: "",
            definitions: &definitions,
            variables: "%place = OpVariable %pn Function\n",
        };
        let code = format!("{START}{code}");
        let operation = Operation::new(name, &parts, &code, "BFloat16TypeKHR", host);
        let head = operation.head.replacen("%glsl =", &format!("{CAPABILITIES}\n%glsl ="), 1);
        not_native(Operation { head, permits, ..operation })
    };
    const CAPABILITIES: &str = "OpCapability Int64\nOpCapability Int16\nOpCapability Float64\nOpCapability BFloat16TypeKHR\nOpCapability BFloat16DotProductKHR\n\
                                OpExtension \"SPV_KHR_bfloat16\"";
    const START: &str = "%xs = OpUConvert %u16 %a; %ys = OpUConvert %u16 %b; %x = OpBitcast %bf %xs; %y = OpBitcast %bf %ys; ";
    let number = |name, code: &str, permits, host| {
        op(name, &format!("{code}; %zs = OpBitcast %u16 %z; %r = OpUConvert %u64 %zs"), permits, host)
    };
    type Permits = fn([u64; 2], u64, u64) -> bool;
    let (equal, any_nan, near): (Permits, Permits, Permits) = (|_, _, _| false, any_nan, near);
    let pair = "%v = OpCompositeConstruct %n2 %x %y; ";
    vec![
        number(
            "moves",
            "%v = OpCompositeConstruct %n2 %y %x; %w = OpVectorShuffle %n2 %v %npair 1 3; %z = OpCompositeExtract %bf %w 0",
            equal,
            |a, _| a & 0xffff,
        ),
        op("bits", &format!("{pair}%w = OpBitcast %uint %v; %r = OpUConvert %u64 %w"), equal, |a, b| {
            a & 0xffff | (b & 0xffff) << 16
        }),
        number(
            "call",
            &format!("{pair}%z0 = OpFunctionCall %bf %second %v; OpStore %place %z0; %z = OpLoad %bf %place"),
            equal,
            |_, b| b & 0xffff,
        ),
        op(
            "FConvert to a float",
            "%f = OpFConvert %float %x; %w = OpBitcast %uint %f; %r = OpUConvert %u64 %w",
            equal,
            |a, _| (a & 0xffff) << 16,
        ),
        number(
            "FConvert from a float",
            "%a32 = OpUConvert %uint %b; %f = OpBitcast %float %a32; %z = OpFConvert %bf %f",
            any_nan,
            |_, b| nearest(f32::from_bits(b as u32)),
        ),
        number(
            "FConvert near a tie",
            "%a32 = OpUConvert %uint %b; %t = OpBitwiseAnd %uint %a32 %ties; %f = OpBitcast %float %t; %z = OpFConvert %bf %f",
            any_nan,
            |_, b| nearest(f32::from_bits(b as u32 & 0xffff_8001)),
        ),
        number("ConvertUToF", "%wide = OpUConvert %uint %b; %z = OpConvertUToF %bf %wide", equal, |_, b| {
            of_integer(i64::from(b as u32))
        }),
        number("ConvertSToF", "%wide = OpUConvert %uint %b; %z = OpConvertSToF %bf %wide", equal, |_, b| {
            of_integer(i64::from(b as i32))
        }),
        // Near a tie, and a small one.
        number(
            "ConvertSToF near a tie",
            "%wide = OpUConvert %uint %b; %t = OpBitwiseAnd %uint %wide %near; %z = OpConvertSToF %bf %t",
            equal,
            |_, b| of_integer(i64::from(b as i32 & 0xffff_8001u32 as i32)),
        ),
        number("ConvertSToF of 16 bits", "%z = OpConvertSToF %bf %ys", equal, |_, b| {
            of_integer(i64::from(b as i16))
        }),
        number(
            "FConvert from a double",
            "%d = OpBitcast %double %b; %z = OpFConvert %bf %d",
            any_nan,
            |_, b| of_double(f64::from_bits(b)),
        ),
        number(
            "FConvert from a double near a tie",
            "%e = OpBitwiseAnd %u64 %a %exponent; %b1 = OpBitwiseAnd %u64 %b %ends; %b2 = OpBitwiseOr %u64 %b1 %e; %b3 = OpIAdd %u64 %b2 %least; \
             %d = OpBitcast %double %b3; %z = OpFConvert %bf %d",
            any_nan,
            |a, b| of_double(f64::from_bits(((b & ENDS) | (a & EXPONENT)).wrapping_add(LEAST))),
        ),
        for_drivers(number("Dot", &format!("{pair}%z = OpDot %bf %v %npair"), near, |a, b| {
            nearest((f64::from(value(a)) * 3.0 + f64::from(value(b)) * 3.0) as f32)
        })),
    ]
}
