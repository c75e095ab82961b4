//! Shaders of one operation on halves each, and the same on the host: the result to nearest, beside which the specification permits others. The bits of halves
//! are the low ones of numbers of 64 bits.

use super::doubles::half;
use super::frame::{FrameParts, OperationFrame, SHADER};
use super::operations::{Operation, for_drivers, for_interpreter, not_native};
use crate::random::Random;

const SIGN: u64 = 0x8000;
const INFINITY: u64 = 0x7c00;
/// The smallest normal half.
const NORMAL: u64 = 0x0400;

/// Returns pairs of halves: all first ones, beside special and random ones.
pub fn operands() -> Vec<[u64; 2]> {
    let mut random = Random::new(16);
    let special = [0, 1, 0x3ff, NORMAL, 0x3c00, 0x3e00, 0x4200, 0x6400, 0x7bff, INFINITY, 0x7c01, 0x7e00];
    let pair = |a: u64| {
        let b = match random.below(4) {
            0 => special[random.below(special.len())] | random.next() & SIGN,
            1 => a.wrapping_add(random.below(8) as u64).wrapping_sub(4) ^ random.next() & SIGN,
            // The sum has bits of both.
            2 => a.wrapping_sub(random.next() & 0x3fff) ^ random.next() & SIGN,
            _ => random.next(),
        } & 0xffff;
        // Sums with a small number show if what is exact is rounded twice.
        let mut above =
            || if random.chance(50) { random.next() << 16 } else { (random.next() & 0x801f) << 16 };
        [a | above(), b | above()]
    };
    (0..1 << 16).map(pair).collect()
}

/// Returns the value of the low bits.
pub fn value(bits: u64) -> f64 {
    let (exponent, fraction) = (bits >> 10 & 31, (bits & 0x3ff) as f64);
    let size = match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2f64.powi(exponent as i32 - 25),
    };
    if bits & SIGN == 0 { size } else { -size }
}

/// Returns the bits of a half.
pub fn bits(half: f64) -> u64 {
    let size = half.abs();
    let sign = u64::from(half.is_sign_negative()) << 15;
    sign | match size {
        _ if size.is_nan() => 0x7e00,
        _ if size.is_infinite() => INFINITY,
        _ if size < 2f64.powi(-14) => (size * 2f64.powi(24)) as u64,
        _ => {
            let exponent = (size.to_bits() >> 52) + 15 - 1023;
            exponent << 10 | size.to_bits() >> 42 & 0x3ff
        }
    }
}

/// Returns the bits of the nearest half.
pub fn nearest(value: f64) -> u64 {
    bits(half(value))
}

/// Returns the bits of the nearest half that is not greater in magnitude.
pub fn toward_zero(value: f64) -> u64 {
    let nearest = nearest(value);
    let is_greater = self::value(nearest).abs() > value.abs();
    nearest - u64::from(is_greater)
}

fn is_nan(bits: u64) -> bool {
    bits & !SIGN > INFINITY && bits <= 0xffff
}

/// Permits any bits of what is no number.
pub fn any_nan(_: [u64; 2], after: u64, expected: u64) -> bool {
    is_nan(after) && is_nan(expected)
}

/// Permits zero for what is too small, and both zeros.
fn flushed(operands: [u64; 2], after: u64, expected: u64) -> bool {
    any_nan(operands, after, expected) || expected & !SIGN <= NORMAL && after & !SIGN == 0
}

/// Permits what follows from zero for what is too small on the way.
fn flushed_before(operands: [u64; 2], after: u64, expected: u64) -> bool {
    flushed(operands, after, expected) || (value(after) - value(expected)).abs() <= 2f64.powi(-11)
}

/// Permits what Vulkan does for quotients: an error of 2.5 units in the last place, and any for divisors for which it bounds none.
fn quotient(operands: [u64; 2], after: u64, expected: u64) -> bool {
    let divisor = value(operands[1] & 0xffff).abs();
    flushed(operands, after, expected)
        || after.abs_diff(expected) <= 2
        || !(2f64.powi(-14)..=2f64.powi(14)).contains(&divisor)
}

/// Permits what Vulkan does for square roots: it inherits an error of 2 units from the inverse, and 2.5 from its quotient.
fn root(operands: [u64; 2], after: u64, expected: u64) -> bool {
    flushed(operands, after, expected) || after.abs_diff(expected) <= 5
}

/// Permits neighbours.
pub fn near(operands: [u64; 2], after: u64, expected: u64) -> bool {
    flushed(operands, after, expected) || after.abs_diff(expected) <= 1
}

/// Permits either operand where one is no number, or both are zeros.
pub fn either(operands: [u64; 2], after: u64, expected: u64) -> bool {
    let [a, b] = operands.map(|operand| operand & 0xffff);
    let is_free = is_nan(a) || is_nan(b) || (a | b) & !SIGN == 0;
    any_nan(operands, after, expected) || is_free && ([a, b].contains(&after) || is_nan(after))
}

/// The types, constants and functions that operations use.
const DEFINITIONS: &str = "%h2 = OpTypeVector %half 2
%m2 = OpTypeMatrix %h2 2
%scope = OpConstant %uint 3
%u2 = OpConstant %uint 2
%u3 = OpConstant %uint 3
%u4 = OpConstant %uint 4
%u63 = OpConstant %uint 63
%n5 = OpConstant %uint 5
%h0 = OpConstant %half 0
%h1 = OpConstant %half 1
%h3 = OpConstant %half 3
%half_1 = OpConstant %half 0.5
%four = OpConstant %float 4
%ties = OpConstant %uint 0x1001
%n16 = OpConstant %u64 16
%mask = OpConstant %u64 0x3ffffffffff
%tiny = OpConstant %half 0x1p-24
%large = OpConstant %half 65504
%limit = OpConstant %half 2048
%hnull = OpConstantNull %h2
%hpair = OpConstantComposite %h2 %h1 %h3
%parts = OpTypeStruct %half %half
%parts_int = OpTypeStruct %half %int
%array = OpTypeArray %half %u4
%mixed = OpTypeStruct %uint %h2 %array %m2
%ph = OpTypePointer Function %half
%pint = OpTypePointer Function %int
%pm = OpTypePointer Function %mixed
%ps = OpTypePointer Private %half
%pw = OpTypePointer Workgroup %half
%private = OpVariable %ps Private %h3
%shares = OpTypeArray %half %u64c
%pshares = OpTypePointer Workgroup %shares
%shared = OpVariable %pshares Workgroup
%triple_type = OpTypeFunction %half %half %ph
%triple = OpFunction %half None %triple_type
%t = OpFunctionParameter %half
%tp = OpFunctionParameter %ph
%triple_start = OpLabel
%tl = OpLoad %half %tp
%tl2 = OpFNegate %half %tl
OpStore %tp %tl2
%t3 = OpFAdd %half %t %tl
OpReturnValue %t3
OpFunctionEnd";

/// The modes by which each result is one.
const MODES: &str = "OpCapability RoundingModeRTE
OpCapability DenormPreserve
OpCapability SignedZeroInfNanPreserve
OpExtension \"SPV_KHR_float_controls\"";
const OF_MODES: &str = "OpExecutionMode %main LocalSize 64 1 1
OpExecutionMode %main RoundingModeRTE 16
OpExecutionMode %main DenormPreserve 16
OpExecutionMode %main SignedZeroInfNanPreserve 16";
const TOWARD_ZERO: &str = "OpCapability RoundingModeRTZ
OpExtension \"SPV_KHR_float_controls\"";
const OF_TOWARD_ZERO: &str = "OpExecutionMode %main LocalSize 64 1 1
OpExecutionMode %main RoundingModeRTZ 16";

pub type Permits = fn([u64; 2], u64, u64) -> bool;

/// Makes an operation.
fn op(
    name: &'static str,
    modes: [&str; 2],
    code: &str,
    permits: Permits,
    host: fn(u64, u64) -> u64,
) -> Operation {
    let capabilities = format!("OpCapability Int64\nOpCapability Int16\nOpCapability Float64\n{}", modes[0]);
    let parts = FrameParts {
        frame: OperationFrame::Shader,
        head: SHADER,
        number: "%u64",
        capabilities: "MODES",
        types: "%u64 = OpTypeInt 64 0\n%u16 = OpTypeInt 16 0\n%u16v2 = OpTypeVector %u16 2\n%f64 = OpTypeFloat 64",
        decorations: "",
        definitions: DEFINITIONS,
        variables: "%place = OpVariable %ph Function\n%place_int = OpVariable %pint Function\n%mix = OpVariable %pm Function\n",
    };
    let operation = Operation::new(name, &parts, code, "Float16", host);
    // Extensions come after all capabilities.
    let head =
        operation.head.replacen("MODES", "", 1).replacen("%glsl =", &format!("{capabilities}\n%glsl ="), 1);
    let head = head.replace("OpExecutionMode %main LocalSize 64 1 1", modes[1]);
    Operation { head, permits, ..operation }
}

const START: &str = "%xs = OpUConvert %u16 %a; %ys = OpUConvert %u16 %b; %x = OpBitcast %half %xs; %y = OpBitcast %half %ys; ";
const END: &str = "; %zs = OpBitcast %u16 %z; %r = OpUConvert %u64 %zs";
const TRUTH: &str = "; %zw = OpSelect %uint %c %u1 %u0; %r = OpUConvert %u64 %zw";

/// Returns all operations where no mode says how halves are rounded, and where modes fix each result.
pub fn operations() -> Vec<Operation> {
    let plain = ["", "OpExecutionMode %main LocalSize 64 1 1"];
    let mut all = of_modes(plain, flushed);
    all.extend(of_modes([MODES, OF_MODES], any_nan).into_iter().map(not_native));
    // llvmpipe does not round floats of 32 bits toward zero.
    let zero = |name, code: &str, host| {
        let code = format!("{START}{code}{END}");
        not_native(for_interpreter(op(name, [TOWARD_ZERO, OF_TOWARD_ZERO], &code, any_nan, host)))
    };
    all.extend([
        zero("FMul toward zero", "%z = OpFMul %half %x %y", |a, b| toward_zero(value(a) * value(b))),
        zero("FConvert toward zero", FROM_FLOAT, |a, _| toward_zero(f64::from(f32::from_bits(a as u32)))),
    ]);
    all
}

const QUOTIENT: &str = "%z = OpFDiv %half %x %y";
const ROOT: &str = "%z = OpExtInst %half %glsl Sqrt %x";
const FROM_FLOAT: &str = "%a32 = OpUConvert %uint %a; %f = OpBitcast %float %a32; %z = OpFConvert %half %f";

fn of_modes(modes: [&str; 2], permits: Permits) -> Vec<Operation> {
    let number = |name, code: &str, host| op(name, modes, &format!("{START}{code}{END}"), permits, host);
    let [quotients, roots]: [Permits; 2] =
        if modes[0].is_empty() { [quotient, root] } else { [permits, permits] };
    let before: Permits = if modes[0].is_empty() { flushed_before } else { permits };
    let several =
        |name, code: &str, host| not_native(op(name, modes, &format!("{START}{code}{END}"), before, host));
    let exact = |name, code: &str, host| op(name, modes, &format!("{START}{code}{END}"), any_nan, host);
    let choice = |name, code: &str, host| op(name, modes, &format!("{START}{code}{END}"), either, host);
    let close = |name, code: &str, host| {
        not_native(for_drivers(op(name, modes, &format!("{START}{code}{END}"), near, host)))
    };
    let truth =
        |name, code: &str, host| op(name, modes, &format!("{START}{code}{TRUTH}"), |_, _, _| false, host);
    let compare = |name, instruction: &str, host: fn(u64, u64) -> u64| {
        truth(name, &format!("%c = {instruction} %bool %x %y"), host)
    };
    let glsl = |name, code: &str, host| number(name, &format!("%z = OpExtInst %half %glsl {code}"), host);
    let glsl_exact =
        |name, code: &str, host| exact(name, &format!("%z = OpExtInst %half %glsl {code}"), host);
    let glsl_choice =
        |name, code: &str, host| choice(name, &format!("%z = OpExtInst %half %glsl {code}"), host);
    let pair = "%v = OpCompositeConstruct %h2 %x %y; ";
    let of_pair = "; %q0 = OpCompositeExtract %half %q 0; %q1 = OpCompositeExtract %half %q 1; %s0 = OpBitcast %u16 %q0; %s1 = OpBitcast %u16 %q1; \
                   %s = OpBitwiseXor %u16 %s0 %s1; %z = OpBitcast %half %s";
    vec![
        number("FAdd", "%z = OpFAdd %half %x %y", |a, b| nearest(value(a) + value(b))),
        number("FSub", "%z = OpFSub %half %x %y", |a, b| nearest(value(a) - value(b))),
        number("FMul", "%z = OpFMul %half %x %y", |a, b| nearest(value(a) * value(b))),
        op("FDiv", modes, &format!("{START}{QUOTIENT}{END}"), quotients, |a, b| nearest(value(a) / value(b))),
        not_native(number("FDiv by any half", QUOTIENT, |a, b| nearest(value(a) / value(b)))),
        exact("FNegate", "%z = OpFNegate %half %x", |a, _| a & 0xffff ^ SIGN),
        // An operation after another one sees that it was rounded.
        several(
            "three operations",
            "%z0 = OpFMul %half %x %y; %z1 = OpFAdd %half %z0 %x; %z = OpFSub %half %z1 %y",
            |a, b| {
                let product = half(value(a) * value(b));
                nearest(half(product + value(a)) - value(b))
            },
        ),
        // Vulkan permits products that are rounded before the sum, and drivers round that twice.
        not_native(number(
            "Fma",
            "%c64 = OpShiftRightLogical %u64 %b %n16; %c16 = OpUConvert %u16 %c64; %w = OpBitcast %half %c16; %z = OpExtInst %half %glsl Fma %x %y %w",
            |a, b| nearest(odd_sum(value(a) * value(b), value(b >> 16 & 0xffff))),
        )),
        compare("FOrdEqual", "OpFOrdEqual", |a, b| u64::from(value(a) == value(b))),
        compare("FOrdLessThan", "OpFOrdLessThan", |a, b| u64::from(value(a) < value(b))),
        compare("FOrdGreaterThan", "OpFOrdGreaterThan", |a, b| u64::from(value(a) > value(b))),
        compare("FOrdLessThanEqual", "OpFOrdLessThanEqual", |a, b| u64::from(value(a) <= value(b))),
        compare("FOrdGreaterThanEqual", "OpFOrdGreaterThanEqual", |a, b| u64::from(value(a) >= value(b))),
        compare("FUnordNotEqual", "OpFUnordNotEqual", |a, b| u64::from(value(a) != value(b))),
        truth("IsNan", "%c = OpIsNan %bool %x", |a, _| u64::from(value(a).is_nan())),
        truth("IsInf", "%c = OpIsInf %bool %x", |a, _| u64::from(value(a).is_infinite())),
        exact("Select", "%c = OpFOrdLessThan %bool %x %y; %z = OpSelect %half %c %y %large", |a, b| {
            if value(a) < value(b) { b & 0xffff } else { 0x7bff }
        }),
        number("ConvertUToF", "%a32 = OpUConvert %uint %a; %z = OpConvertUToF %half %a32", |a, _| {
            nearest(f64::from(a as u32))
        }),
        number("ConvertUToF of 16 bits", "%z = OpConvertUToF %half %xs", |a, _| nearest((a & 0xffff) as f64)),
        number(
            "ConvertSToF",
            "%a32 = OpUConvert %uint %a; %ai = OpBitcast %int %a32; %z = OpConvertSToF %half %ai",
            |a, _| nearest(f64::from(a as u32 as i32)),
        ),
        exact(
            "ConvertFToS",
            "%m0 = OpExtInst %half %glsl FAbs %x; %c = OpFOrdLessThan %bool %m0 %limit; %chosen_x = OpSelect %half %c %x %h3; \
             %n = OpConvertFToS %int %chosen_x; %ni = OpUConvert %u16 %n; %z = OpBitcast %half %ni",
            |a, _| (if value(a).abs() < 2048.0 { value(a) as i64 as u64 } else { 3 }) & 0xffff,
        ),
        number("FConvert from a float", FROM_FLOAT, |a, _| nearest(f64::from(f32::from_bits(a as u32)))),
        number(
            "FConvert from a float near a half",
            "%f0 = OpFConvert %float %x; %f1 = OpBitcast %uint %f0; %b32 = OpUConvert %uint %b; %low = OpBitwiseAnd %uint %b32 %ties; \
             %f2 = OpBitwiseXor %uint %f1 %low; %f3 = OpBitcast %float %f2; %z = OpFConvert %half %f3",
            |a, b| nearest(f64::from(f32::from_bits((value(a) as f32).to_bits() ^ b as u32 & 0x1001))),
        ),
        // llvmpipe rounds it to a float first.
        not_native(number(
            "FConvert from a double",
            "%d0 = OpFConvert %f64 %x; %d1 = OpBitcast %u64 %d0; %low = OpBitwiseAnd %u64 %b %mask; %d2 = OpBitwiseXor %u64 %d1 %low; \
             %d = OpBitcast %f64 %d2; %z = OpFConvert %half %d",
            |a, b| {
                let double = value(a).to_bits() ^ b & MASK;
                nearest(f64::from_bits(double))
            },
        )),
        number(
            "FConvert to a float",
            "%f = OpFConvert %float %x; %f4 = OpFMul %float %f %four; %z = OpFConvert %half %f4",
            |a, _| nearest(value(a) * 4.0),
        ),
        op(
            "bits",
            modes,
            &format!("{START}{pair}%w = OpBitcast %uint %v; %r = OpUConvert %u64 %w"),
            |_, _, _| false,
            |a, b| a & 0xffff | (b & 0xffff) << 16,
        ),
        exact(
            "moves",
            &format!(
                "{pair}%v1 = OpVectorShuffle %h2 %v %hpair 1 3; %q = OpCompositeInsert %h2 %x %v1 1; %z = OpCompositeExtract %half %q 0"
            ),
            |_, b| b & 0xffff,
        ),
        number(
            "vector FAdd",
            &format!("{pair}%q = OpFAdd %h2 %v %hpair; %z = OpCompositeExtract %half %q 1"),
            |_, b| nearest(value(b) + 3.0),
        ),
        number(
            "VectorTimesScalar",
            &format!("{pair}%q = OpVectorTimesScalar %h2 %v %h3; %z = OpCompositeExtract %half %q 0"),
            |a, _| nearest(value(a) * 3.0),
        ),
        close("Dot", &format!("{pair}%z = OpDot %half %v %hpair"), |a, b| nearest(value(a) + value(b) * 3.0)),
        close(
            "MatrixTimesVector",
            &format!(
                "{pair}%w = OpCompositeConstruct %h2 %y %x; %m = OpCompositeConstruct %m2 %v %w; %m1 = OpTranspose %m2 %m; %q = OpMatrixTimesVector %h2 %m1 %hpair; \
                      %z = OpCompositeExtract %half %q 0"
            ),
            |a, b| nearest(value(a) + value(b) * 3.0),
        ),
        for_drivers(number(
            "MatrixTimesScalar",
            &format!(
                "{pair}%m = OpCompositeConstruct %m2 %hpair %v; %m1 = OpMatrixTimesScalar %m2 %m %h3; %z = OpCompositeExtract %half %m1 1 0"
            ),
            |a, _| nearest(value(a) * 3.0),
        )),
        number(
            "memory",
            &format!(
                "{pair}%arr = OpCompositeConstruct %array %x %y %h1 %x; %mat = OpCompositeConstruct %m2 %v %hnull; \
                 %m = OpCompositeConstruct %mixed %u3 %v %arr %mat; OpStore %mix %m; %to0 = OpAccessChain %ph %mix %u2 %u1; OpStore %to0 %h3; \
                 %m1 = OpLoad %mixed %mix; %c0 = OpCompositeExtract %half %m1 2 1; %c1 = OpCompositeExtract %half %m1 3 0 1; %z = OpFMul %half %c0 %c1"
            ),
            |_, b| nearest(value(b) * 3.0),
        ),
        number(
            "memory of a group",
            "%l63 = OpBitwiseAnd %uint %g %u63; %pl = OpAccessChain %pw %shared %l63; OpStore %pl %x; %z0 = OpLoad %half %pl; %z = OpFAdd %half %z0 %y",
            |a, b| nearest(value(a) + value(b)),
        ),
        several(
            "call",
            "OpStore %place %y; %z0 = OpFunctionCall %half %triple %x %place; %z1 = OpLoad %half %place; %z2 = OpLoad %half %private; \
             %z3 = OpFAdd %half %z0 %z1; %z = OpFMul %half %z3 %z2",
            |a, b| nearest(half(half(value(a) + value(b)) - value(b)) * 3.0),
        ),
        exact(
            "Phi",
            "%c = OpFOrdLessThan %bool %x %y; OpSelectionMerge %chosen None; OpBranchConditional %c %case %other; %case = OpLabel; OpBranch %chosen; \
             %other = OpLabel; OpBranch %chosen; %chosen = OpLabel; %z = OpPhi %half %x %case %tiny %other",
            |a, b| if value(a) < value(b) { a & 0xffff } else { 1 },
        ),
        glsl_exact("FAbs", "FAbs %x", |a, _| a & 0x7fff),
        op(
            "FSign",
            modes,
            &format!(
                "{START}%z0 = OpExtInst %half %glsl FSign %x; %c = OpIsNan %bool %x; %z = OpSelect %half %c %h1 %z0{END}"
            ),
            flushed,
            |a, _| {
                let a = value(a);
                bits(if a.is_nan() { 1.0 } else { f64::from(a > 0.0) - f64::from(a < 0.0) })
            },
        ),
        glsl("Floor", "Floor %x", |a, _| bits(value(a).floor())),
        glsl("Ceil", "Ceil %x", |a, _| bits(value(a).ceil())),
        glsl("Trunc", "Trunc %x", |a, _| bits(value(a).trunc())),
        glsl("RoundEven", "RoundEven %x", |a, _| bits(value(a).round_ties_even())),
        glsl("Fract", "Fract %x", |a, _| nearest(value(a) - value(a).floor())),
        op("Sqrt", modes, &format!("{START}{ROOT}{END}"), roots, |a, _| nearest(value(a).sqrt())),
        not_native(number("Sqrt of any half", ROOT, |a, _| nearest(value(a).sqrt()))),
        glsl_choice("FMin", "FMin %x %y", |a, b| bits(value(a).min(value(b)))),
        glsl_choice("FMax", "FMax %x %y", |a, b| bits(value(a).max(value(b)))),
        glsl_choice("NMin", "NMin %x %y", |a, b| bits(value(a).min(value(b)))),
        glsl_choice("NMax", "NMax %x %y", |a, b| bits(value(a).max(value(b)))),
        glsl("Ldexp", "Ldexp %x %n5", |a, _| nearest(value(a) * 32.0)),
        number(
            "Modf",
            "%c = OpIsInf %bool %x; %chosen_x = OpSelect %half %c %h3 %x; %z0 = OpExtInst %half %glsl Modf %chosen_x %place; %z1 = OpLoad %half %place; %z = OpFAdd %half %z0 %z1",
            |a, _| if value(a).is_infinite() { 0x4200 } else { a & 0xffff },
        ),
        several(
            "FrexpStruct",
            "%c0 = OpIsInf %bool %x; %c1 = OpIsNan %bool %x; %c = OpLogicalOr %bool %c0 %c1; %chosen_x = OpSelect %half %c %h3 %x; \
             %two = OpExtInst %parts_int %glsl FrexpStruct %chosen_x; %q = OpCompositeExtract %half %two 0; %e = OpCompositeExtract %int %two 1; \
             %e1 = OpConvertSToF %half %e; %e2 = OpFMul %half %e1 %h3; %z = OpFAdd %half %q %e2",
            |a, _| {
                let a = if value(a).is_finite() { value(a) } else { 3.0 };
                if a == 0.0 {
                    return bits(a + 0.0);
                }
                let exponent = a.abs().log2().floor() as i32 + 1;
                nearest(a * 2f64.powi(-exponent) + f64::from(exponent) * 3.0)
            },
        ),
        for_drivers(exact(
            "moves in sub-groups",
            "%t0 = OpGroupNonUniformShuffleXor %half %scope %x %u0; %e = OpGroupNonUniformAllEqual %bool %scope %h3; %z = OpSelect %half %e %t0 %y",
            |a, _| a & 0xffff,
        )),
        // NVIDIA's driver contracts the product and the sum, as it may.
        not_native(for_drivers(number(
            "Reduce",
            "%t0 = OpGroupNonUniformFMax %half %scope Reduce %h3; %t1 = OpGroupNonUniformFMin %half %scope Reduce %h1; %z0 = OpFMul %half %t0 %x; %z = OpFAdd %half %z0 %t1",
            |a, _| nearest(half(value(a) * 3.0) + 1.0),
        ))),
        exact("xor of bits", &format!("{pair}%q = OpCopyObject %h2 %v{of_pair}"), |a, b| (a ^ b) & 0xffff),
    ]
}

/// The bits of doubles below those that halves have.
const MASK: u64 = 0x3ff_ffff_ffff;

/// Returns a sum, rounded to odd where a double does not have it.
pub fn odd_sum(a: f64, b: f64) -> f64 {
    let sum = a + b;
    let added = sum - a;
    let error = (a - (sum - added)) + (b - added);
    if error == 0.0 || error.is_nan() || sum.to_bits() & 1 == 1 {
        return sum;
    }
    let is_greater = (error > 0.0) == (sum > 0.0);
    f64::from_bits(if is_greater { sum.to_bits() + 1 } else { sum.to_bits() - 1 })
}
