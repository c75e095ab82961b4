//! Shaders of one operation on 64-bit integers each, and the same on the host. All are defined for all operands.

use super::doubles::half;
use super::frame::{FrameParts, OperationFrame, SHADER};

/// An operation on two numbers of 64 bits.
pub struct Operation {
    pub name: &'static str,
    /// The features to lower.
    pub features: &'static str,
    /// The assembly before these instructions.
    pub head: String,
    /// The instructions that compute %r from %a and %b, and those after them.
    pub(super) code: String,
    /// The result on the host, by bits.
    pub host: fn(u64, u64) -> u64,
    /// Returns true for another result that the specification permits, from the operands, it and the one of the host.
    pub permits: fn([u64; 2], u64, u64) -> bool,
    /// True if Vulkan takes the operation, and its result is the only one.
    pub is_native: bool,
    /// True if it depends on other invocations, which the interpreter does not run.
    pub is_for_drivers: bool,
    /// True if Vulkan leaves some results undefined.
    pub is_for_interpreter: bool,
    pub frame: OperationFrame,
}

/// The number of pairs of operands for which an invocation computes results.
pub const PAIRS: usize = 64;

impl Operation {
    pub fn new(
        name: &'static str,
        parts: &FrameParts,
        code: &str,
        features: &'static str,
        host: fn(u64, u64) -> u64,
    ) -> Operation {
        let code = code.replace("; ", "\n");
        let [head, end] = parts.around(&code);
        let frame = parts.frame;
        Operation {
            name,
            features,
            head,
            code: code + &end,
            host,
            permits: |_, _, _| false,
            is_native: true,
            is_for_drivers: false,
            is_for_interpreter: false,
            frame,
        }
    }

    /// Returns the module in assembly.
    pub fn text(&self) -> String {
        self.head.clone() + &self.code
    }
}

/// Returns the operation as one that depends on other invocations.
pub fn for_drivers(operation: Operation) -> Operation {
    Operation { is_for_drivers: true, ..operation }
}

/// Returns the operation as one of which Vulkan leaves some results undefined.
pub fn for_interpreter(operation: Operation) -> Operation {
    Operation { is_for_interpreter: true, ..operation }
}

/// Returns the operation as one that does not run natively.
pub fn not_native(operation: Operation) -> Operation {
    Operation { is_native: false, ..operation }
}

/// The types, constants and functions that operations use.
const DEFINITIONS: &str = "%two = OpTypeStruct %u64 %u64
%u2 = OpConstant %uint 2
%u7 = OpConstant %uint 7
%scope = OpConstant %uint 3
%u32 = OpConstant %uint 32
%u63 = OpConstant %uint 63
%u65 = OpConstant %uint 65
%seven = OpConstant %u64 7
%c31 = OpConstant %u64 31
%c32 = OpConstant %u64 32
%c63 = OpConstant %u64 63
%minus = OpConstant %u64 0xffffffffffffffff
%big = OpConstant %u64 0x123456789abcdef0
%pair = OpConstantComposite %v2 %big %seven
%c31s = OpConstantComposite %v2 %c31 %c31
%v3bool = OpTypeVector %bool 3
%l3 = OpTypeVector %u64 3
%l4 = OpTypeVector %u64 4
%p4 = OpTypePointer Private %l4
%p1 = OpTypePointer Private %u64
%private = OpVariable %p4 Private
%three = OpConstantComposite %l3 %big %seven %one
%i3 = OpTypeVector %i64 3
%p3 = OpTypePointer Private %l3
%pf3 = OpTypePointer Function %l3
%initialized = OpVariable %p3 Private %three
%c3 = OpConstant %u64 3
%c31s3 = OpConstantComposite %l3 %c31 %c31 %c31
%f15 = OpConstant %float 1.5
%u21 = OpConstant %uint 21
%c17 = OpConstant %u64 0x1ffff
%all = OpConstant %uint 0xffffffff
%alls = OpConstantComposite %v3uint %all %all %all
%end64 = OpConstant %uint 0x5f800000
%magnitude = OpConstant %uint 0x7fffffff
%end63 = OpConstant %uint 0x5f000000
%triple_type = OpTypeFunction %u64 %u64 %pf
%initial_type = OpTypeFunction %u64 %u64
%triple = OpFunction %u64 None %triple_type
%x = OpFunctionParameter %u64
%p = OpFunctionParameter %pf
%triple_start = OpLabel
%px = OpLoad %u64 %p
%px2 = OpIAdd %u64 %px %one
OpStore %p %px2
%x3 = OpIAdd %u64 %x %px
OpReturnValue %x3
OpFunctionEnd
%initial = OpFunction %u64 None %initial_type
%initial_x = OpFunctionParameter %u64
%initial_start = OpLabel
%local = OpVariable %pf3 Function %three
%local_second = OpAccessChain %pf %local %u1
OpStore %local_second %initial_x
%of_local = OpLoad %l3 %local
%of_private = OpLoad %l3 %initialized
%initials = OpIAdd %l3 %of_local %of_private
%initials0 = OpCompositeExtract %u64 %initials 0
%initials1 = OpCompositeExtract %u64 %initials 1
%initial_result = OpBitwiseXor %u64 %initials0 %initials1
OpReturnValue %initial_result
OpFunctionEnd";

/// A divisor that is not 0, nor -1, for which the quotient may not fit.
fn divisor(b: u64) -> u64 {
    if b == 0 || b == u64::MAX { 7 } else { b }
}

fn bits(a: u64) -> u64 {
    a & 63
}

/// The number of bits of a field that begins at a bit.
fn field(b: u64) -> (u64, u64) {
    let offset = b & 63;
    (offset, (b >> 32) % (65 - offset))
}

fn mask(count: u64) -> u64 {
    if count == 0 { 0 } else { u64::MAX >> (64 - count) }
}

/// Returns the bits of the float with the nearest number that a half has.
fn bits_of_half(a: f64) -> u64 {
    u64::from((half(a) as f32).to_bits())
}

/// Returns the float of the low word if some of its bits are below an end.
fn float(a: u64, bits: u32, end: u32) -> f32 {
    if a as u32 & bits < end { f32::from_bits(a as u32) } else { 1.5 }
}

/// Returns all operations.
pub fn operations() -> Vec<Operation> {
    let op = |name, code: &str, host| {
        let types = "%u64 = OpTypeInt 64 0\n%i64 = OpTypeInt 64 1";
        let parts = FrameParts {
            frame: OperationFrame::Shader,
            head: SHADER,
            number: "%u64",
            capabilities: "OpCapability Int64",
            types,
            decorations: "",
            definitions: DEFINITIONS,
            variables: "",
        };
        Operation::new(name, &parts, code, "Int64", host)
    };
    let divisor_code = "%d0 = OpIEqual %bool %b %zero; %d1 = OpIEqual %bool %b %minus; %d2 = OpLogicalOr %bool %d0 %d1; \
                        %d = OpSelect %u64 %d2 %seven %b; ";
    let divide = |name, instruction: &str, host| {
        op(name, &format!("{divisor_code}%r = {instruction} %u64 %a %d"), host)
    };
    let compare = |name, instruction: &str, host| {
        op(name, &format!("%c = {instruction} %bool %a %b; %r = OpSelect %u64 %c %one %zero"), host)
    };
    let extended = |name, instruction: &str, host| {
        op(
            name,
            &format!(
                "%s = {instruction} %two %a %b; %r0 = OpCompositeExtract %u64 %s 0; %r1 = OpCompositeExtract %u64 %s 1; \
                 %r2 = OpIMul %u64 %r1 %big; %r = OpIAdd %u64 %r0 %r2"
            ),
            host,
        )
    };
    let shift = |name, instruction: &str, host| {
        op(name, &format!("%n = OpBitwiseAnd %u64 %b %c63; %r = {instruction} %u64 %a %n"), host)
    };
    let glsl = |name, code: &str, host| op(name, &format!("%r = OpExtInst %u64 %glsl {code}"), host);
    // A comparison of bits: drivers may flush denormals.
    let of_float = |name, instruction: &str, bits: &str, end: &str, host| {
        op(
            name,
            &format!(
                "%w = OpUConvert %uint %a; %f = OpBitcast %float %w; %m = OpBitwiseAnd %uint %w {bits}; %is = OpULessThan %bool %m {end}; \
                 %g1 = OpSelect %float %is %f %f15; %r = {instruction} %u64 %g1"
            ),
            host,
        )
    };
    let to_float = |name, instruction: &str, host| {
        op(
            name,
            &format!("%f = {instruction} %float %a; %w = OpBitcast %uint %f; %r = OpUConvert %u64 %w"),
            host,
        )
    };
    let to_half = |name, code: &str, host| {
        let code =
            format!("{code}; %f = OpFConvert %float %h; %w = OpBitcast %uint %f; %r = OpUConvert %u64 %w");
        not_native(op(name, &code, host))
    };
    let field_code = "%bw = OpUConvert %uint %b; %o = OpBitwiseAnd %uint %bw %u63; %most = OpISub %uint %u65 %o; \
                      %bh = OpShiftRightLogical %u64 %b %c32; %bc = OpUConvert %uint %bh; %n = OpUMod %uint %bc %most; ";
    let pairs = "%v = OpCompositeConstruct %v2 %a %b; %w = OpCompositeConstruct %v2 %b %big; ";
    let sum = "; %s0 = OpCompositeExtract %u64 %s 0; %s1 = OpCompositeExtract %u64 %s 1; %s2 = OpIMul %u64 %s1 %big; \
               %r = OpIAdd %u64 %s0 %s2";
    let vector = |name, code: &str, host| op(name, &format!("{pairs}{code}{sum}"), host);
    let subgroup = |name, code: &str, host| for_drivers(op(name, code, host));
    vec![
        op("IAdd", "%r = OpIAdd %u64 %a %b", |a, b| a.wrapping_add(b)),
        op("ISub", "%r = OpISub %u64 %a %b", |a, b| a.wrapping_sub(b)),
        op("IMul", "%r = OpIMul %u64 %a %b", |a, b| a.wrapping_mul(b)),
        op("SNegate", "%r = OpSNegate %u64 %a", |a, _| a.wrapping_neg()),
        op(
            "signed",
            "%sa = OpBitcast %i64 %a; %sb = OpBitcast %i64 %b; %sr = OpISub %i64 %sa %sb; %r = OpBitcast %u64 %sr",
            |a, b| a.wrapping_sub(b),
        ),
        divide("UDiv", "OpUDiv", |a, b| a / divisor(b)),
        divide("UMod", "OpUMod", |a, b| a % divisor(b)),
        divide("SDiv", "OpSDiv", |a, b| (a as i64 / divisor(b) as i64) as u64),
        // Vulkan defines no remainder of negative numbers.
        not_native(divide("SRem", "OpSRem", |a, b| (a as i64 % divisor(b) as i64) as u64)),
        not_native(divide("SMod", "OpSMod", |a, b| {
            let (a, b) = (a as i64, divisor(b) as i64);
            let rest = a % b;
            (if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }) as u64
        })),
        compare("IEqual", "OpIEqual", |a, b| u64::from(a == b)),
        compare("INotEqual", "OpINotEqual", |a, b| u64::from(a != b)),
        compare("ULessThan", "OpULessThan", |a, b| u64::from(a < b)),
        compare("ULessThanEqual", "OpULessThanEqual", |a, b| u64::from(a <= b)),
        compare("UGreaterThan", "OpUGreaterThan", |a, b| u64::from(a > b)),
        compare("UGreaterThanEqual", "OpUGreaterThanEqual", |a, b| u64::from(a >= b)),
        compare("SLessThan", "OpSLessThan", |a, b| u64::from((a as i64) < b as i64)),
        compare("SLessThanEqual", "OpSLessThanEqual", |a, b| u64::from(a as i64 <= b as i64)),
        compare("SGreaterThan", "OpSGreaterThan", |a, b| u64::from(a as i64 > b as i64)),
        compare("SGreaterThanEqual", "OpSGreaterThanEqual", |a, b| u64::from(a as i64 >= b as i64)),
        extended("IAddCarry", "OpIAddCarry", |a, b| {
            let (sum, carry) = a.overflowing_add(b);
            both(sum, u64::from(carry))
        }),
        extended("ISubBorrow", "OpISubBorrow", |a, b| {
            let (difference, borrow) = a.overflowing_sub(b);
            both(difference, u64::from(borrow))
        }),
        extended("UMulExtended", "OpUMulExtended", |a, b| {
            let product = u128::from(a) * u128::from(b);
            both(product as u64, (product >> 64) as u64)
        }),
        extended("SMulExtended", "OpSMulExtended", |a, b| {
            let product = i128::from(a as i64) * i128::from(b as i64);
            both(product as u64, (product >> 64) as u64)
        }),
        shift("ShiftLeftLogical", "OpShiftLeftLogical", |a, b| a << bits(b)),
        shift("ShiftRightLogical", "OpShiftRightLogical", |a, b| a >> bits(b)),
        shift("ShiftRightArithmetic", "OpShiftRightArithmetic", |a, b| (a as i64 >> bits(b)) as u64),
        op(
            "shift by 32 bits",
            "%n0 = OpUConvert %uint %b; %n1 = OpBitwiseAnd %uint %n0 %u63; %n = OpBitcast %int %n1; %r = OpShiftLeftLogical %u64 %a %n",
            |a, b| a << bits(b),
        ),
        op(
            "shift of 32 bits by 64 bits",
            "%m = OpSConvert %int %a; %n = OpBitwiseAnd %u64 %b %c31; %s = OpShiftRightArithmetic %int %m %n; %r = OpSConvert %u64 %s",
            |a, b| (a as i32 >> (b & 31)) as u64,
        ),
        op(
            "shifts of 32 bits by 64 bits",
            &format!(
                "{pairs}%m = OpBitcast %v2uint %a; %n = OpBitwiseAnd %v2 %v %c31s; %s = OpShiftRightArithmetic %v2uint %m %n; %r = OpBitcast %u64 %s"
            ),
            |a, b| {
                let shifted = |word: u64, by: u64| u64::from((word as u32 as i32 >> (by & 31)) as u32);
                shifted(a, a) | shifted(a >> 32, b) << 32
            },
        ),
        op(
            "a bit field of 32 bits at 64 bits",
            "%m = OpUConvert %uint %a; %n = OpBitwiseAnd %u64 %b %c31; %s = OpBitFieldUExtract %uint %m %n %one; %r = OpUConvert %u64 %s",
            |a, b| u64::from(a as u32 >> (b & 31) & 1),
        ),
        op(
            "bits",
            "%r0 = OpBitwiseOr %u64 %a %big; %r1 = OpBitwiseXor %u64 %r0 %b; %r2 = OpNot %u64 %r1; %r = OpBitwiseAnd %u64 %r2 %b",
            |a, b| !((a | BIG) ^ b) & b,
        ),
        not_native(op("BitReverse", "%r = OpBitReverse %u64 %a", |a, _| a.reverse_bits())),
        not_native(op("BitCount", "%r = OpBitCount %u64 %a", |a, _| u64::from(a.count_ones()))),
        not_native(op(
            "BitFieldUExtract",
            &format!("{field_code}%r = OpBitFieldUExtract %u64 %a %o %n"),
            |a, b| {
                let (offset, count) = field(b);
                a >> offset & mask(count)
            },
        )),
        not_native(op(
            "BitFieldSExtract",
            &format!("{field_code}%r = OpBitFieldSExtract %u64 %a %o %n"),
            |a, b| {
                let (offset, count) = field(b);
                if count == 0 { 0 } else { ((a << (64 - offset - count)) as i64 >> (64 - count)) as u64 }
            },
        )),
        not_native(op(
            "BitFieldInsert",
            &format!("{field_code}%r = OpBitFieldInsert %u64 %a %b %o %n"),
            |a, b| {
                let (offset, count) = field(b);
                let mask = mask(count) << offset;
                a & !mask | b << offset & mask
            },
        )),
        op("Select", "%c = OpULessThan %bool %a %b; %r = OpSelect %u64 %c %b %big", |a, b| {
            if a < b { b } else { BIG }
        }),
        op("UConvert", "%w = OpUConvert %uint %a; %r = OpUConvert %u64 %w", |a, _| u64::from(a as u32)),
        op("SConvert", "%w = OpSConvert %int %a; %r = OpSConvert %u64 %w", |a, _| a as i32 as u64),
        op("UConvert of a signed integer", "%w = OpSConvert %int %a; %r = OpUConvert %u64 %w", |a, _| {
            u64::from(a as u32)
        }),
        to_float("ConvertUToF", "OpConvertUToF", |a, _| u64::from((a as f32).to_bits())),
        to_float("ConvertSToF", "OpConvertSToF", |a, _| u64::from((a as i64 as f32).to_bits())),
        to_half("ConvertUToF to a half", "%h = OpConvertUToF %half %a", |a, _| bits_of_half(a as f64)),
        to_half("ConvertSToF to a half", "%h = OpConvertSToF %half %a", |a, _| bits_of_half(a as i64 as f64)),
        to_half(
            "ConvertUToF of a small number to a half",
            "%n = OpBitwiseAnd %u64 %a %c17; %h = OpConvertUToF %half %n",
            |a, _| bits_of_half((a & 0x1ffff) as f64),
        ),
        op(
            "ConvertFToS of a half",
            "%w = OpUConvert %uint %a; %n = OpShiftRightArithmetic %uint %w %u21; %n1 = OpBitcast %int %n; %h = OpConvertSToF %half %n1; \
             %r = OpConvertFToS %u64 %h",
            |a, _| (a as i32 >> 21) as i64 as u64,
        ),
        of_float("ConvertFToU", "OpConvertFToU", "%all", "%end64", |a, _| {
            float(a, u32::MAX, 0x5f80_0000) as u64
        }),
        of_float("ConvertFToS", "OpConvertFToS", "%magnitude", "%end63", |a, _| {
            float(a, 0x7fff_ffff, 0x5f00_0000) as i64 as u64
        }),
        op(
            "Bitcast",
            "%w = OpBitcast %v2uint %a; %w1 = OpVectorShuffle %v2uint %w %w 1 0; %r = OpBitcast %u64 %w1",
            |a, _| a.rotate_left(32),
        ),
        op(
            "Bitcast to floats",
            "%w = OpBitcast %v2float %a; %w1 = OpVectorShuffle %v2float %w %w 1 0; %r = OpBitcast %u64 %w1",
            |a, _| a.rotate_left(32),
        ),
        glsl("SAbs", "SAbs %a", |a, _| (a as i64).unsigned_abs()),
        glsl("SSign", "SSign %a", |a, _| (a as i64).signum() as u64),
        glsl("UMin", "UMin %a %b", u64::min),
        glsl("UMax", "UMax %a %b", u64::max),
        glsl("SMin", "SMin %a %b", |a, b| (a as i64).min(b as i64) as u64),
        glsl("SMax", "SMax %a %b", |a, b| (a as i64).max(b as i64) as u64),
        glsl("UClamp", "UClamp %a %c32 %big", |a, _| a.clamp(32, BIG)),
        glsl("SClamp", "SClamp %a %minus %big", |a, _| (a as i64).clamp(-1, BIG as i64) as u64),
        op(
            "Switch",
            "OpSelectionMerge %chosen None; OpSwitch %a %other 0 %case 0x100000000 %case 1 %second 0xffffffffffffffff %third; \
             %case = OpLabel; OpBranch %chosen; %second = OpLabel; OpBranch %chosen; %third = OpLabel; OpBranch %chosen; %other = OpLabel; \
             OpBranch %chosen; %chosen = OpLabel; %r = OpPhi %u64 %big %case %b %second %null %third %a %other",
            |a, b| match a {
                0 | 0x1_0000_0000 => BIG,
                1 => b,
                u64::MAX => 0,
                _ => a,
            },
        ),
        op(
            "call",
            "OpStore %variable %b; %r0 = OpFunctionCall %u64 %triple %a %variable; %r1 = OpLoad %u64 %variable; %r = OpIMul %u64 %r0 %r1",
            |a, b| a.wrapping_add(b).wrapping_mul(b.wrapping_add(1)),
        ),
        vector("vector IAdd", "%s = OpIAdd %v2 %v %w", |a, b| both(a.wrapping_add(b), b.wrapping_add(BIG))),
        vector("vector IMul", "%s = OpIMul %v2 %v %w", |a, b| both(a.wrapping_mul(b), b.wrapping_mul(BIG))),
        vector("vector Xor", "%s = OpBitwiseXor %v2 %v %pair", |a, b| both(a ^ BIG, b ^ 7)),
        vector("vector Select", "%c = OpULessThan %v2bool %v %w; %s = OpSelect %v2 %c %v %pair", |a, b| {
            both(if a < b { a } else { BIG }, if b < BIG { b } else { 7 })
        }),
        vector("VectorShuffle", "%s = OpVectorShuffle %v2 %v %w 3 0", |a, _| both(BIG, a)),
        vector(
            "VectorInsertDynamic",
            "%bw = OpUConvert %uint %b; %n = OpBitwiseAnd %uint %bw %u1; %s = OpVectorInsertDynamic %v2 %v %seven %n",
            |a, b| {
                if b & 1 == 0 { both(7, b) } else { both(a, 7) }
            },
        ),
        op(
            "VectorExtractDynamic",
            &format!(
                "{pairs}%bw = OpUConvert %uint %b; %n = OpBitwiseAnd %uint %bw %u1; %r = OpVectorExtractDynamic %u64 %v %n"
            ),
            |a, b| if b & 1 == 0 { a } else { b },
        ),
        op(
            "VectorInsertDynamic of 32 bits at 64 bits",
            "%m = OpBitcast %v2uint %a; %n = OpBitwiseAnd %u64 %b %one; %s = OpVectorInsertDynamic %v2uint %m %u7 %n; %r = OpBitcast %u64 %s",
            |a, b| if b & 1 == 0 { a >> 32 << 32 | 7 } else { a & u64::from(u32::MAX) | 7 << 32 },
        ),
        op(
            "VectorExtractDynamic of a Boolean at 64 bits",
            &format!(
                "{pairs}%c = OpULessThan %v2bool %v %w; %n = OpBitwiseAnd %u64 %b %one; %e = OpVectorExtractDynamic %bool %c %n; \
                 %r = OpSelect %u64 %e %one %zero"
            ),
            |a, b| u64::from(if b & 1 == 0 { a < b } else { b < BIG }),
        ),
        op(
            "vectors of three",
            "%v = OpCompositeConstruct %l3 %a %b %big; %w = OpVectorShuffle %l3 %v %three 1 3 0; %mixed = OpBitwiseXor %l3 %v %w; %y = OpIAdd %l3 %mixed %w; \
             %c = OpULessThan %v3bool %y %v; %s = OpSelect %l3 %c %y %three; %s0 = OpCompositeExtract %u64 %s 0; %s1 = OpCompositeExtract %u64 %s 1; \
             %s2 = OpCompositeExtract %u64 %s 2; %s3 = OpIMul %u64 %s1 %seven; %s4 = OpIAdd %u64 %s0 %s3; %r = OpBitwiseXor %u64 %s4 %s2",
            |a, b| {
                let [x, y, z] = [[a, b, BIG], [b, BIG, 7], [BIG, a, 1]].map(|[v, w, other]| {
                    let sum = (v ^ w).wrapping_add(w);
                    if sum < v { sum } else { other }
                });
                x.wrapping_add(y.wrapping_mul(7)) ^ z
            },
        ),
        op(
            "vectors of four",
            "%ab = OpCompositeConstruct %v2 %a %b; %v = OpCompositeConstruct %l4 %pair %ab; OpStore %private %v; %aw = OpUConvert %uint %a; \
             %n = OpBitwiseAnd %uint %aw %u2; %q = OpAccessChain %p1 %private %n; %e = OpLoad %u64 %q; %e7 = OpIMul %u64 %e %seven; OpStore %q %e7; \
             %l = OpLoad %l4 %private; %inserted = OpCompositeInsert %l4 %b %l 1; %w = OpVectorShuffle %l4 %inserted %v 2 7 0 1; %w0 = OpCompositeExtract %u64 %w 0; \
             %w1 = OpCompositeExtract %u64 %w 1; %w2 = OpCompositeExtract %u64 %w 2; %w3 = OpCompositeExtract %u64 %w 3; %r0 = OpIMul %u64 %w0 %seven; \
             %r1 = OpBitwiseXor %u64 %r0 %w1; %r2 = OpIMul %u64 %r1 %seven; %r3 = OpBitwiseXor %u64 %r2 %w2; %r4 = OpIMul %u64 %r3 %seven; \
             %r = OpBitwiseXor %u64 %r4 %w3",
            |a, b| {
                let mut v = [BIG, 7, a, b];
                v[(a & 2) as usize] = v[(a & 2) as usize].wrapping_mul(7);
                [b, v[0], b].into_iter().fold(v[2], |sum, next| sum.wrapping_mul(7) ^ next)
            },
        ),
        op("initial values of vectors of three", "%r = OpFunctionCall %u64 %initial %a", |a, _| {
            BIG.wrapping_mul(2) ^ a.wrapping_add(7)
        }),
        op(
            "Bitcast of vectors of three",
            "%v = OpCompositeConstruct %l3 %a %b %big; %iv = OpBitcast %i3 %v; %w = OpBitcast %l3 %iv; %r = OpCompositeExtract %u64 %w 1",
            |_, b| b,
        ),
        op(
            "VectorExtractDynamic of three",
            "%v = OpCompositeConstruct %l3 %a %b %big; %n = OpUMod %u64 %b %c3; %r = OpVectorExtractDynamic %u64 %v %n",
            |a, b| [a, b, BIG][(b % 3) as usize],
        ),
        op(
            "VectorInsertDynamic of four",
            "%v = OpCompositeConstruct %l4 %a %b %big %b; %aw = OpUConvert %uint %a; %n = OpBitwiseAnd %uint %aw %scope; \
             %w = OpVectorInsertDynamic %l4 %v %seven %n; %w0 = OpCompositeExtract %u64 %w 0; %w1 = OpCompositeExtract %u64 %w 1; \
             %w3 = OpCompositeExtract %u64 %w 3; %x0 = OpIMul %u64 %w0 %big; %x1 = OpBitwiseXor %u64 %x0 %w1; %x2 = OpIMul %u64 %x1 %big; \
             %r = OpBitwiseXor %u64 %x2 %w3",
            |a, b| {
                let mut v = [a, b, BIG, b];
                v[(a & 3) as usize] = 7;
                (v[0].wrapping_mul(BIG) ^ v[1]).wrapping_mul(BIG) ^ v[3]
            },
        ),
        op(
            "shift by vectors of three",
            "%v = OpCompositeConstruct %l3 %a %b %big; %n = OpBitwiseAnd %l3 %v %c31s3; %s = OpShiftRightLogical %v3uint %alls %n; \
             %s0 = OpCompositeExtract %uint %s 0; %s1 = OpCompositeExtract %uint %s 1; %w = OpCompositeConstruct %v2uint %s0 %s1; %r = OpBitcast %u64 %w",
            |a, b| u64::from(u32::MAX >> (a & 31)) | u64::from(u32::MAX >> (b & 31)) << 32,
        ),
        vector("CompositeInsert", "%s = OpCompositeInsert %v2 %seven %v 1", |a, _| both(a, 7)),
        op(
            "composites",
            &format!(
                "{pairs}%t = OpCompositeConstruct %inner %u7 %v; %t1 = OpCompositeInsert %inner %big %t 1 0; %t2 = OpCompositeExtract %v2 %t1 1; \
                 %e = OpCompositeExtract %u64 %t1 1 1; %s = OpIAdd %v2 %t2 %w; %e0 = OpCompositeExtract %u64 %s 0; %r = OpIMul %u64 %e %e0"
            ),
            |_, b| b.wrapping_mul(BIG.wrapping_add(b)),
        ),
        op(
            "components of a variable",
            &format!(
                "{pairs}OpStore %vector %v; %bw = OpUConvert %uint %b; %n = OpBitwiseAnd %uint %bw %u1; %q0 = OpAccessChain %pf %vector %n; OpStore %q0 %big; \
                 %q1 = OpAccessChain %pf %vector %u1; %e1 = OpLoad %u64 %q1; %e2 = OpIMul %u64 %e1 %seven; OpStore %q1 %e2; %s = OpLoad %v2 %vector{sum}"
            ),
            |a, b| if b & 1 == 0 { both(BIG, b.wrapping_mul(7)) } else { both(a, BIG.wrapping_mul(7)) },
        ),
        subgroup(
            "Broadcast",
            "%t = OpGroupNonUniformBroadcastFirst %u64 %scope %a; %e = OpIEqual %bool %t %t; %r = OpSelect %u64 %e %a %t",
            |a, _| a,
        ),
        subgroup(
            "AllEqual",
            "%e = OpGroupNonUniformAllEqual %bool %scope %big; %r = OpSelect %u64 %e %a %b",
            |a, _| a,
        ),
        subgroup(
            "AllEqual of three",
            "%e = OpGroupNonUniformAllEqual %bool %scope %three; %r = OpSelect %u64 %e %a %b",
            |a, _| a,
        ),
        subgroup(
            "Shuffle",
            "%t = OpGroupNonUniformShuffleXor %u64 %scope %a %u0; %s = OpGroupNonUniformQuadSwap %u64 %scope %big %u0; %r = OpBitwiseXor %u64 %t %s",
            |a, _| a ^ BIG,
        ),
    ]
}

/// A constant in the shaders.
const BIG: u64 = 0x1234_5678_9abc_def0;

/// One number of two.
fn both(low: u64, high: u64) -> u64 {
    low.wrapping_add(high.wrapping_mul(BIG))
}
