//! Shaders of one operation on integers of 8 or 16 bits each, and the same on the host. The numbers are the low bits of those of 64 bits.

use super::frame::{FrameParts, OperationFrame, SHADER};
use super::operations::{Operation, for_drivers, for_interpreter, not_native};
use crate::random::Random;

/// Returns pairs of numbers: all of 8 bits, or all of 16 bits beside others. The bits above them are random.
pub fn operands(width: u32) -> Vec<[u64; 2]> {
    let mut random = Random::new(u64::from(width));
    let pair = |number: u64| {
        let [a, b] = match width {
            8 => [number, number >> 8],
            _ => [number, if random.chance(50) { random.next() } else { near(number, random.below(64)) }],
        };
        let mut above = || random.next() << width;
        [a & mask(width) | above(), b & mask(width) | above()]
    };
    (0..1 << 16).map(pair).collect()
}

/// Returns a number near to another, or near to an end.
fn near(number: u64, choice: usize) -> u64 {
    let ends = [number, 0, 0x7fff, 0x8000, 0xffff, 0x00ff, 0x0100, number.wrapping_neg()];
    ends[choice % 8].wrapping_add(choice as u64 / 8).wrapping_sub(3)
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// Returns the low bits.
fn low<const W: u32>(a: u64) -> u64 {
    a & mask(W)
}

/// Returns the number with a sign.
fn signed<const W: u32>(a: u64) -> i64 {
    (a << (64 - W)).cast_signed() >> (64 - W)
}

/// Returns a divisor by which quotients are defined.
fn divisor<const W: u32>(b: u64) -> u64 {
    let b = low::<W>(b);
    if b == 0 || b == mask(W) { 7 } else { b }
}

fn bits(count: u64) -> u64 {
    if count == 0 { 0 } else { u64::MAX >> (64 - count) }
}

/// The types, constants and functions that operations use.
const DEFINITIONS: &str = "%n2 = OpTypeVector %n 2
%n3 = OpTypeVector %n 3
%n4 = OpTypeVector %n 4
%scope = OpConstant %uint 3
%u2 = OpConstant %uint 2
%u3 = OpConstant %uint 3
%u4 = OpConstant %uint 4
%u63 = OpConstant %uint 63
%u32c = OpConstant %uint 32
%n0 = OpConstant %n 0
%n1 = OpConstant %n 1
%n3c = OpConstant %n 3
%n7 = OpConstant %n 7
%nWm = OpConstant %n MOST
%nW = OpConstant %n WIDTH
%nm = OpConstant %n MASK
%n100 = OpConstant %n 100
%sm5 = OpConstant %s -5
%s100 = OpConstant %s 100
%f0 = OpConstant %float 0.5
%two = OpTypeStruct %n %n
%array = OpTypeArray %n %u4
%mixed = OpTypeStruct %uint %n2 %array
%pn = OpTypePointer Function %n
%pm = OpTypePointer Function %mixed
%ps = OpTypePointer Private %n
%pw = OpTypePointer Workgroup %n
%private = OpVariable %ps Private %n7
%shares = OpTypeArray %n %u64c
%pshares = OpTypePointer Workgroup %shares
%shared = OpVariable %pshares Workgroup
%nnull = OpConstantNull %n2
%pair = OpConstantComposite %n2 %n7 %nm
%triple_type = OpTypeFunction %n %n %pn
%triple = OpFunction %n None %triple_type
%t = OpFunctionParameter %n
%tp = OpFunctionParameter %pn
%triple_start = OpLabel
%tl = OpLoad %n %tp
%tl2 = OpIAdd %n %tl %n1
OpStore %tp %tl2
%t3 = OpIAdd %n %t %tl
OpReturnValue %t3
OpFunctionEnd";

/// Returns all operations on integers of a width.
pub fn operations<const W: u32>() -> Vec<Operation> {
    let feature = if W == 8 { "Int8" } else { "Int16" };
    let capabilities = format!("OpCapability Int64\nOpCapability {feature}");
    let types =
        format!("%u64 = OpTypeInt 64 0\n%i64 = OpTypeInt 64 1\n%n = OpTypeInt {W} 0\n%s = OpTypeInt {W} 1");
    let definitions = DEFINITIONS
        .replace("MOST", &(W - 1).to_string())
        .replace("WIDTH", &W.to_string())
        .replace("MASK", &mask(W).to_string());
    let op = |name, code: &str, host| {
        let parts = FrameParts {
            frame: OperationFrame::Shader,
            head: SHADER,
            number: "%u64",
            capabilities: &capabilities,
            types: &types,
            decorations: "",
            definitions: &definitions,
            variables: "%narrow = OpVariable %pn Function\n%mix = OpVariable %pm Function\n",
        };
        Operation::new(name, &parts, code, feature, host)
    };
    const START: &str =
        "%x = OpUConvert %n %a; %y = OpUConvert %n %b; %sx = OpBitcast %s %x; %sy = OpBitcast %s %y; ";
    // The result is %z, or with a sign %sz, or a Boolean %c.
    let unsigned =
        |name, code: &str, host| op(name, &format!("{START}{code}; %r = OpUConvert %u64 %z"), host);
    let with_sign =
        |name, code: &str, host| op(name, &format!("{START}{code}; %r = OpSConvert %u64 %sz"), host);
    let divide = |name, instruction: &str, host| {
        let code = format!(
            "%d0 = OpIEqual %bool %y %n0; %d1 = OpIEqual %bool %y %nm; %d2 = OpLogicalOr %bool %d0 %d1; %d = OpSelect %n %d2 %n7 %y; \
             %z = {instruction} %n %x %d"
        );
        unsigned(name, &code, host)
    };
    let positive = |name, instruction: &str| {
        let code = format!(
            "%x1 = OpShiftRightLogical %n %x %n1; %y2 = OpShiftRightLogical %n %y %n1; %y1 = OpBitwiseOr %n %y2 %n1; %z = {instruction} %n %x1 %y1"
        );
        unsigned(name, &code, |a, b| (low::<W>(a) >> 1) % (low::<W>(b) >> 1 | 1))
    };
    // A sum before the comparison leaves a carry in upper bits.
    let compare = |name, instruction: &str, host| {
        let code =
            format!("%x7 = OpIAdd %n %x %n7; %c = {instruction} %bool %x7 %y; %z = OpSelect %n %c %n1 %n0");
        unsigned(name, &code, host)
    };
    let extended = |name, instruction: &str, host| {
        let code = format!(
            "%t2 = {instruction} %two %x %y; %z0 = OpCompositeExtract %n %t2 0; %z1 = OpCompositeExtract %n %t2 1; %z3 = OpIMul %n %z1 %n3c; \
             %z = OpIAdd %n %z0 %z3"
        );
        not_native(unsigned(name, &code, host))
    };
    let shift = |name, instruction: &str, host| {
        unsigned(name, &format!("%k0 = OpUMod %n %y %nW; %z = {instruction} %n %x %k0"), host)
    };
    let glsl = |name, code: &str, host| unsigned(name, &format!("%z = OpExtInst %n %glsl {code}"), host);
    let glsl_signed =
        |name, code: &str, host| with_sign(name, &format!("%sz = OpExtInst %s %glsl {code}"), host);
    const FIELD: &str = "%o = OpUMod %n %y %nW; %most = OpISub %n %nW %o; %most1 = OpIAdd %n %most %n1; %b3 = OpShiftRightLogical %u64 %b %u3; \
                         %m64 = OpUConvert %u64 %most1; %k64 = OpUMod %u64 %b3 %m64; %cnt = OpUConvert %n %k64; ";
    let pairs = "%v = OpCompositeConstruct %n2 %x %y; %w = OpVectorShuffle %n2 %v %pair 3 0; ";
    let sum = "; %e0 = OpCompositeExtract %n %q 0; %e1 = OpCompositeExtract %n %q 1; %e2 = OpIMul %n %e1 %n3c; %z = OpIAdd %n %e0 %e2";
    let vector = |name, code: &str, host| unsigned(name, &format!("{pairs}{code}{sum}"), host);
    let subgroup = |name, code: &str, host| for_drivers(unsigned(name, code, host));
    fn both<const W: u32>(a: u64, b: u64) -> u64 {
        low::<W>(a.wrapping_add(b.wrapping_mul(3)))
    }
    fn both_signed<const W: u32>(product: i64) -> u64 {
        both::<W>(product.cast_unsigned(), (product >> W).cast_unsigned())
    }
    let (count, vector_type) = if W == 8 { (4, "%n4") } else { (2, "%n2") };
    let dots_code = DOTS
        .replace("VECTOR", vector_type)
        .replace("ONES", &["%n1"].repeat(count).join(" "))
        .replace("THREES", &["%n3c"].repeat(count).join(" "));
    let mut all = vec![
        for_drivers(op("dot products", &dots_code, dots::<W>)),
        unsigned("IAdd", "%z = OpIAdd %n %x %y", |a, b| low::<W>(a.wrapping_add(b))),
        unsigned("ISub", "%z = OpISub %n %x %y", |a, b| low::<W>(a.wrapping_sub(b))),
        unsigned("IMul", "%z = OpIMul %n %x %y", |a, b| low::<W>(a.wrapping_mul(b))),
        // NVIDIA's driver 580.159.04 extends the low bits of the least number without the sign.
        not_native(with_sign("SNegate", "%sz = OpSNegate %s %sx", |a, _| {
            signed::<W>(a.wrapping_neg()) as u64
        })),
        with_sign("signed", "%sz = OpISub %s %sx %sy", |a, b| signed::<W>(a.wrapping_sub(b)) as u64),
        unsigned("Not", "%z = OpNot %n %x", |a, _| low::<W>(!a)),
        unsigned(
            "bits",
            "%z0 = OpBitwiseOr %n %x %n7; %z1 = OpBitwiseXor %n %z0 %y; %z = OpBitwiseAnd %n %z1 %nm",
            |a, b| low::<W>((a | 7) ^ b),
        ),
        divide("UDiv", "OpUDiv", |a, b| low::<W>(a) / divisor::<W>(b)),
        divide("UMod", "OpUMod", |a, b| low::<W>(a) % divisor::<W>(b)),
        divide("SDiv", "OpSDiv", |a, b| low::<W>((signed::<W>(a) / signed::<W>(divisor::<W>(b))) as u64)),
        for_drivers(positive("SRem, not negative", "OpSRem")),
        for_drivers(positive("SMod, not negative", "OpSMod")),
        for_interpreter(divide("SRem", "OpSRem", |a, b| {
            low::<W>((signed::<W>(a) % signed::<W>(divisor::<W>(b))) as u64)
        })),
        for_interpreter(divide("SMod", "OpSMod", |a, b| {
            let (a, b) = (signed::<W>(a), signed::<W>(divisor::<W>(b)));
            let rest = a % b;
            low::<W>((if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }) as u64)
        })),
        compare("IEqual", "OpIEqual", |a, b| u64::from(low::<W>(a.wrapping_add(7)) == low::<W>(b))),
        compare("INotEqual", "OpINotEqual", |a, b| u64::from(low::<W>(a.wrapping_add(7)) != low::<W>(b))),
        compare("ULessThan", "OpULessThan", |a, b| u64::from(low::<W>(a.wrapping_add(7)) < low::<W>(b))),
        compare("ULessThanEqual", "OpULessThanEqual", |a, b| {
            u64::from(low::<W>(a.wrapping_add(7)) <= low::<W>(b))
        }),
        compare("UGreaterThan", "OpUGreaterThan", |a, b| {
            u64::from(low::<W>(a.wrapping_add(7)) > low::<W>(b))
        }),
        compare("UGreaterThanEqual", "OpUGreaterThanEqual", |a, b| {
            u64::from(low::<W>(a.wrapping_add(7)) >= low::<W>(b))
        }),
        compare("SLessThan", "OpSLessThan", |a, b| {
            u64::from(signed::<W>(a.wrapping_add(7)) < signed::<W>(b))
        }),
        compare("SLessThanEqual", "OpSLessThanEqual", |a, b| {
            u64::from(signed::<W>(a.wrapping_add(7)) <= signed::<W>(b))
        }),
        compare("SGreaterThan", "OpSGreaterThan", |a, b| {
            u64::from(signed::<W>(a.wrapping_add(7)) > signed::<W>(b))
        }),
        compare("SGreaterThanEqual", "OpSGreaterThanEqual", |a, b| {
            u64::from(signed::<W>(a.wrapping_add(7)) >= signed::<W>(b))
        }),
        extended("IAddCarry", "OpIAddCarry", |a, b| {
            let sum = low::<W>(a) + low::<W>(b);
            both::<W>(sum, sum >> W)
        }),
        extended("ISubBorrow", "OpISubBorrow", |a, b| {
            both::<W>(a.wrapping_sub(b), u64::from(low::<W>(a) < low::<W>(b)))
        }),
        extended("UMulExtended", "OpUMulExtended", |a, b| {
            let product = low::<W>(a) * low::<W>(b);
            both::<W>(product, product >> W)
        }),
        extended("SMulExtended", "OpSMulExtended", |a, b| both_signed::<W>(signed::<W>(a) * signed::<W>(b))),
        shift("ShiftLeftLogical", "OpShiftLeftLogical", |a, b| low::<W>(a << (low::<W>(b) % u64::from(W)))),
        shift("ShiftRightLogical", "OpShiftRightLogical", |a, b| low::<W>(a) >> (low::<W>(b) % u64::from(W))),
        shift("ShiftRightArithmetic", "OpShiftRightArithmetic", |a, b| {
            low::<W>((signed::<W>(a) >> (low::<W>(b) % u64::from(W))) as u64)
        }),
        op(
            "shift of 64 bits by narrow ones",
            &format!("{START}%k0 = OpBitwiseAnd %n %y %nWm; %r = OpShiftRightArithmetic %u64 %a %k0"),
            |a, b| (a as i64 >> (b & u64::from(W - 1))) as u64,
        ),
        not_native(unsigned("BitReverse", "%z = OpBitReverse %n %x", |a, _| a.reverse_bits() >> (64 - W))),
        not_native(unsigned("BitCount", "%z0 = OpIMul %n %x %y; %z = OpBitCount %n %z0", |a, b| {
            u64::from(low::<W>(a.wrapping_mul(b)).count_ones())
        })),
        not_native(unsigned(
            "BitFieldUExtract",
            &format!("{FIELD}%z = OpBitFieldUExtract %n %x %o %cnt"),
            |a, b| {
                let (offset, count) = (low::<W>(b) % u64::from(W), field_count::<W>(b));
                low::<W>(a) >> offset & bits(count)
            },
        )),
        not_native(with_sign(
            "BitFieldSExtract",
            &format!("{FIELD}%sz = OpBitFieldSExtract %s %sx %o %cnt"),
            |a, b| {
                let (offset, count) = (low::<W>(b) % u64::from(W), field_count::<W>(b));
                if count == 0 { 0 } else { ((a << (64 - offset - count)) as i64 >> (64 - count)) as u64 }
            },
        )),
        not_native(unsigned(
            "BitFieldInsert",
            &format!("{FIELD}%z = OpBitFieldInsert %n %x %y %o %cnt"),
            |a, b| {
                let (offset, count) = (low::<W>(b) % u64::from(W), field_count::<W>(b));
                let mask = bits(count) << offset;
                low::<W>(a & !mask | b << offset & mask)
            },
        )),
        unsigned("Select", "%c = OpULessThan %bool %x %y; %z = OpSelect %n %c %y %n100", |a, b| {
            if low::<W>(a) < low::<W>(b) { low::<W>(b) } else { 100 }
        }),
        op(
            "UConvert",
            &format!("{START}%z0 = OpISub %n %x %y; %z = OpUConvert %uint %z0; %r = OpUConvert %u64 %z"),
            |a, b| low::<W>(a.wrapping_sub(b)),
        ),
        op(
            "SConvert",
            &format!("{START}%z0 = OpISub %n %x %y; %z = OpSConvert %int %z0; %r = OpSConvert %u64 %z"),
            |a, b| signed::<W>(a.wrapping_sub(b)) as u64,
        ),
        op(
            "from 32 bits",
            "%a32 = OpUConvert %uint %a; %b32 = OpUConvert %uint %b; %m32 = OpIMul %uint %a32 %b32; %z0 = OpUConvert %n %m32; %sz0 = OpSConvert %s %m32; \
             %z1 = OpUConvert %u64 %z0; %sz1 = OpSConvert %u64 %sz0; %r = OpIAdd %u64 %z1 %sz1",
            |a, b| {
                let product = a.wrapping_mul(b);
                low::<W>(product).wrapping_add(signed::<W>(product) as u64)
            },
        ),
        op(
            "ConvertUToF",
            &format!(
                "{START}%z0 = OpISub %n %x %y; %f = OpConvertUToF %float %z0; %w = OpBitcast %uint %f; %r = OpUConvert %u64 %w"
            ),
            |a, b| u64::from((low::<W>(a.wrapping_sub(b)) as f32).to_bits()),
        ),
        op(
            "ConvertSToF",
            &format!(
                "{START}%z0 = OpISub %n %x %y; %f = OpConvertSToF %float %z0; %w = OpBitcast %uint %f; %r = OpUConvert %u64 %w"
            ),
            |a, b| u64::from((signed::<W>(a.wrapping_sub(b)) as f32).to_bits()),
        ),
        unsigned(
            "ConvertFToU",
            "%f = OpConvertUToF %float %x; %g1 = OpFMul %float %f %f0; %z = OpConvertFToU %n %g1",
            |a, _| low::<W>(a) / 2,
        ),
        with_sign(
            "ConvertFToS",
            "%f = OpConvertSToF %float %x; %g1 = OpFMul %float %f %f0; %sz = OpConvertFToS %s %g1",
            |a, _| (signed::<W>(a) / 2) as u64,
        ),
        glsl_signed("SAbs", "SAbs %sx", |a, _| signed::<W>(signed::<W>(a).unsigned_abs()) as u64),
        glsl_signed("SSign", "SSign %sx", |a, _| signed::<W>(a).signum() as u64),
        glsl("UMin", "UMin %x %y", |a, b| low::<W>(a).min(low::<W>(b))),
        glsl("UMax", "UMax %x %y", |a, b| low::<W>(a).max(low::<W>(b))),
        glsl_signed("SMin", "SMin %sx %sy", |a, b| signed::<W>(a).min(signed::<W>(b)) as u64),
        glsl_signed("SMax", "SMax %sx %sy", |a, b| signed::<W>(a).max(signed::<W>(b)) as u64),
        glsl("UClamp", "UClamp %x %n7 %n100", |a, _| low::<W>(a).clamp(7, 100)),
        glsl_signed("SClamp", "SClamp %sx %sm5 %s100", |a, _| signed::<W>(a).clamp(-5, 100) as u64),
        not_native(glsl_signed("FindILsb", "FindILsb %sx", |a, _| match low::<W>(a) {
            0 => u64::MAX,
            a => u64::from(a.trailing_zeros()),
        })),
        unsigned(
            "Switch",
            "%x7 = OpIAdd %n %x %n7; OpSelectionMerge %chosen None; OpSwitch %x7 %other 0 %case 7 %case 100 %second 255 %third; \
             %case = OpLabel; OpBranch %chosen; %second = OpLabel; OpBranch %chosen; %third = OpLabel; OpBranch %chosen; %other = OpLabel; \
             OpBranch %chosen; %chosen = OpLabel; %z = OpPhi %n %n3c %case %y %second %n0 %third %x %other",
            |a, b| match low::<W>(a.wrapping_add(7)) {
                0 | 7 => 3,
                100 => low::<W>(b),
                255 => 0,
                _ => low::<W>(a),
            },
        ),
        unsigned(
            "Switch with signs",
            "%x7 = OpIAdd %s %sx %s100; OpSelectionMerge %chosen None; OpSwitch %x7 %other -1 %case 100 %second; %case = OpLabel; OpBranch %chosen; \
             %second = OpLabel; OpBranch %chosen; %other = OpLabel; OpBranch %chosen; %chosen = OpLabel; %z = OpPhi %n %n3c %case %y %second %x %other",
            |a, b| match signed::<W>(a.wrapping_add(100)) {
                -1 => 3,
                100 => low::<W>(b),
                _ => low::<W>(a),
            },
        ),
        unsigned(
            "call",
            "OpStore %narrow %y; %z0 = OpFunctionCall %n %triple %x %narrow; %z1 = OpLoad %n %narrow; %z2 = OpLoad %n %private; %z3 = OpIMul %n %z0 %z1; \
             %z4 = OpIMul %n %z3 %z2; %z = OpShiftRightLogical %n %z4 %n3c",
            |a, b| low::<W>(a.wrapping_add(b).wrapping_mul(b.wrapping_add(1)).wrapping_mul(7)) >> 3,
        ),
        unsigned(
            "indices",
            "%l3 = OpBitwiseAnd %n %y %n3c; %q0 = OpAccessChain %pn %mix %u2 %l3; %q1 = OpAccessChain %pn %mix %u2 %u1; OpStore %q1 %n100; \
             OpStore %q0 %x; %q2 = OpAccessChain %pn %mix %u2 %l3; %z0 = OpLoad %n %q2; %z1 = OpLoad %n %q1; %z = OpIMul %n %z0 %z1",
            |a, b| low::<W>(a.wrapping_mul(if b & 3 == 1 { a } else { 100 })),
        ),
        unsigned(
            "composites",
            &format!(
                "{pairs}%arr = OpCompositeConstruct %array %x %y %n7 %x; %m = OpCompositeConstruct %mixed %u3 %w %arr; OpStore %mix %m; \
                 %m1 = OpLoad %mixed %mix; %m2 = OpCompositeInsert %mixed %n100 %m1 2 3; %c0 = OpCompositeExtract %n %m2 1 0; \
                 %c2 = OpCompositeExtract %n %m2 2 3; %c3 = OpCompositeExtract %n %m2 2 0; %c4 = OpIMul %n %c2 %c3; %z = OpIAdd %n %c0 %c4"
            ),
            |a, _| low::<W>(mask(W).wrapping_add(a.wrapping_mul(100))),
        ),
        unsigned(
            "memory of a group",
            "%l63 = OpBitwiseAnd %uint %g %u63; %pl = OpAccessChain %pw %shared %l63; OpStore %pl %x; %z0 = OpLoad %n %pl; %z1 = OpIAdd %n %z0 %y; \
             %z = OpShiftRightLogical %n %z1 %n1",
            |a, b| low::<W>(a.wrapping_add(b)) >> 1,
        ),
        vector("vector IAdd", "%q = OpIAdd %n2 %v %w", |a, b| {
            both::<W>(a.wrapping_add(mask(W)), a.wrapping_add(b))
        }),
        vector(
            "vector UDiv",
            "%seven = OpCompositeConstruct %n2 %n7 %n3c; %q = OpUDiv %n2 %v %seven",
            |a, b| both::<W>(low::<W>(a) / 7, low::<W>(b) / 3),
        ),
        vector(
            "vector shift",
            "%seven = OpCompositeConstruct %n2 %n3c %n1; %v1 = OpIAdd %n2 %v %w; %q = OpShiftRightArithmetic %n2 %v1 %seven",
            |a, b| {
                both::<W>(
                    (signed::<W>(a.wrapping_add(mask(W))) >> 3) as u64,
                    (signed::<W>(a.wrapping_add(b)) >> 1) as u64,
                )
            },
        ),
        vector("vector Select", "%c = OpULessThan %v2bool %v %w; %q = OpSelect %n2 %c %v %nnull", |a, b| {
            let (a, b) = (low::<W>(a), low::<W>(b));
            both::<W>(if a < mask(W) { a } else { 0 }, if b < a { b } else { 0 })
        }),
        vector(
            "VectorInsertDynamic",
            "%k1 = OpBitwiseAnd %n %y %n1; %q = OpVectorInsertDynamic %n2 %v %n7 %k1",
            |a, b| {
                if b & 1 == 0 { both::<W>(7, b) } else { both::<W>(a, 7) }
            },
        ),
        unsigned(
            "VectorExtractDynamic",
            &format!(
                "{pairs}%k0 = OpIAdd %n %x %y; %k1 = OpBitwiseAnd %n %k0 %n1; %z = OpVectorExtractDynamic %n %v %k1"
            ),
            |a, b| low::<W>(if a.wrapping_add(b) & 1 == 0 { a } else { b }),
        ),
        subgroup(
            "Broadcast",
            "%t0 = OpGroupNonUniformBroadcastFirst %n %scope %x; %e = OpIEqual %bool %t0 %t0; %z = OpSelect %n %e %x %t0",
            |a, _| low::<W>(a),
        ),
        subgroup(
            "AllEqual",
            "%x0 = OpIMul %n %x %n0; %e = OpGroupNonUniformAllEqual %bool %scope %x0; %z = OpSelect %n %e %x %y",
            |a, _| low::<W>(a),
        ),
        // Every other invocation has a product with bits above the narrow ones.
        subgroup(
            "Reduce",
            "%odd = OpBitwiseAnd %uint %g %u1; %is = OpIEqual %bool %odd %u1; %product = OpIMul %n %nm %nm; %one_or_three = OpSelect %n %is %product %n3c; \
             %t0 = OpGroupNonUniformUMax %n %scope Reduce %one_or_three; %t1 = OpGroupNonUniformSMin %n %scope Reduce %one_or_three; \
             %t2 = OpGroupNonUniformBitwiseOr %n %scope Reduce %one_or_three; %z0 = OpIMul %n %t0 %n7; %z1 = OpIAdd %n %z0 %t1; %z2 = OpIAdd %n %z1 %t2; \
             %z = OpIAdd %n %x %z2",
            |a, _| low::<W>(a.wrapping_add(25)),
        ),
        // The first invocation has the limit, and the others what all have.
        subgroup(
            "ExclusiveScan",
            "%e0 = OpGroupNonUniformSMin %s %scope ExclusiveScan %s100; %e1 = OpExtInst %s %glsl SMin %e0 %s100; \
             %e2 = OpGroupNonUniformSMax %s %scope ExclusiveScan %sm5; %e3 = OpExtInst %s %glsl SMax %e2 %sm5; %e4 = OpIMul %s %e1 %e3; \
             %e5 = OpBitcast %n %e4; %z = OpIAdd %n %x %e5",
            |a, _| low::<W>(a.wrapping_sub(500)),
        ),
        subgroup(
            "Shuffle",
            "%t0 = OpGroupNonUniformShuffleXor %n %scope %x %u0; %t1 = OpGroupNonUniformQuadSwap %n %scope %n7 %u0; %z = OpBitwiseXor %n %t0 %t1",
            |a, _| low::<W>(a ^ 7),
        ),
    ];
    all.extend(match W {
        8 => vec![
            op(
                "Bitcast",
                "%a32 = OpUConvert %uint %a; %q0 = OpBitcast %n4 %a32; %q1 = OpVectorShuffle %n4 %q0 %q0 3 1 0 2; %q2 = OpIAdd %n4 %q1 %q0; \
                 %w = OpBitcast %uint %q2; %r = OpUConvert %u64 %w",
                |a, _| {
                    let bytes = (a as u32).to_le_bytes();
                    let moved = [3, 1, 0, 2].map(|at: usize| bytes[at]);
                    let sums = std::array::from_fn(|at| bytes[at].wrapping_add(moved[at]));
                    u64::from(u32::from_le_bytes(sums))
                },
            ),
        ],
        _ => vec![
            op(
                "Bitcast",
                "%q0 = OpBitcast %n4 %a; %q1 = OpVectorShuffle %n4 %q0 %q0 3 1 0 2; %q2 = OpIMul %n4 %q1 %q0; %q3 = OpVectorShuffle %n2 %q2 %q2 1 2; \
                 %w = OpBitcast %uint %q3; %w1 = OpUConvert %u64 %w; %w2 = OpBitcast %u64 %q2; %r = OpBitwiseXor %u64 %w1 %w2",
                |a, _| {
                    let parts = [0, 16, 32, 48].map(|at| a >> at & 0xffff);
                    let sums = [3, 1, 0, 2].map(|at: usize| parts[at]);
                    let sums: [u64; 4] = std::array::from_fn(|at| (parts[at] * sums[at]) & 0xffff);
                    let all = sums.iter().rev().fold(0, |all, part| all << 16 | part);
                    all ^ (all >> 16 & 0xffff_ffff)
                },
            ),
            unsigned(
                "Bitcast to halves",
                "%h = OpBitcast %half %x; %h1 = OpCopyObject %half %h; %z0 = OpBitcast %n %h1; %v = OpCompositeConstruct %n3 %x %y %z0; \
                 %h3 = OpBitcast %half3 %v; %h4 = OpVectorShuffle %half3 %h3 %h3 2 0 1; %z1 = OpBitcast %n3 %h4; %z2 = OpCompositeExtract %n %z1 0; \
                 %z3 = OpCompositeExtract %n %z1 2; %z = OpBitwiseXor %n %z2 %z3",
                |a, b| low::<W>(a ^ b),
            ),
        ],
    });
    all
}

/// Scalar products of two vectors. A result of the type of components has the low bits. Upper halves of the operands are accumulated by sums that overflow, also
/// those of vectors whose components are small.
const DOTS: &str = "%a32 = OpUConvert %uint %a; %b32 = OpUConvert %uint %b; %bu = OpShiftRightLogical %u64 %b %u32c; %acc = OpUConvert %uint %bu; \
     %q0 = OpBitcast VECTOR %a32; %q1 = OpBitcast VECTOR %b32; %d0 = OpSDot %uint %q0 %q1; %d1 = OpUDot %uint %q0 %q1; \
     %d2 = OpSUDot %uint %q0 %q1; %ones = OpCompositeConstruct VECTOR ONES; %threes = OpCompositeConstruct VECTOR THREES; \
     %h0 = OpShiftRightLogical VECTOR %q0 %ones; %h1 = OpShiftRightLogical VECTOR %q1 %ones; %h2 = OpShiftRightArithmetic VECTOR %q0 %ones; \
     %h3 = OpShiftRightArithmetic VECTOR %q1 %ones; %d3 = OpSDotAccSat %uint %h2 %h3 %acc; %d4 = OpUDotAccSat %uint %h0 %h1 %acc; \
     %d5 = OpSUDotAccSat %uint %h2 %h1 %acc; %m0 = OpBitwiseAnd VECTOR %q0 %threes; %m1 = OpBitwiseAnd VECTOR %q1 %threes; %x = OpUConvert %n %bu; \
     %n6 = OpSDotAccSat %n %m0 %m1 %x; %n8 = OpUDotAccSat %n %m0 %m1 %x; %n9 = OpSDot %n %q0 %q1; %d6 = OpSConvert %uint %n6; \
     %d7 = OpUConvert %uint %n8; %d8 = OpUConvert %uint %n9; %j1 = OpIMul %uint %d0 %u3; %j2 = OpIAdd %uint %j1 %d1; %j3 = OpIMul %uint %j2 %u3; \
     %j4 = OpIAdd %uint %j3 %d2; %j5 = OpIMul %uint %j4 %u3; %j6 = OpIAdd %uint %j5 %d3; %j7 = OpIMul %uint %j6 %u3; %j8 = OpIAdd %uint %j7 %d4; \
     %j9 = OpIMul %uint %j8 %u3; %e1 = OpIAdd %uint %j9 %d5; %e2 = OpIMul %uint %e1 %u3; %e3 = OpIAdd %uint %e2 %d6; %e4 = OpIMul %uint %e3 %u3; \
     %e5 = OpIAdd %uint %e4 %d7; %e6 = OpIMul %uint %e5 %u3; %e7 = OpIAdd %uint %e6 %d8; %r = OpUConvert %u64 %e7";

/// Computes what [`DOTS`] does.
fn dots<const W: u32>(a: u64, b: u64) -> u64 {
    let parts = |number: u64| (0..32 / W).map(move |at| number >> (at * W) & mask(W));
    let [plain, half, small] = [0, 1, 2].map(|kind| {
        let changed = |part: u64| match kind {
            0 => [signed::<W>(part), part as i64],
            1 => [signed::<W>(part) >> 1, (part >> 1) as i64],
            _ => [(part & 3) as i64; 2],
        };
        let sum = |signs: [usize; 2]| -> i64 {
            let terms = parts(a).zip(parts(b)).map(|(a, b)| changed(a)[signs[0]] * changed(b)[signs[1]]);
            terms.sum()
        };
        [[0, 0], [1, 1], [0, 1]].map(sum)
    });
    let accumulator = (b >> 32) as u32;
    let signed_sum = |dot: i64| {
        let sum = dot + i64::from(accumulator.cast_signed());
        sum.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as u32
    };
    let least = -1i64 << (W - 1);
    let all = [
        plain[0] as u32,
        plain[1] as u32,
        plain[2] as u32,
        signed_sum(half[0]),
        (half[1] + i64::from(accumulator)).min(i64::from(u32::MAX)) as u32,
        signed_sum(half[2]),
        (small[0] + signed::<W>(b >> 32)).clamp(least, -1 - least) as u32,
        (small[0] + low::<W>(b >> 32) as i64).min(mask(W) as i64) as u32,
        low::<W>(plain[0] as u64) as u32,
    ];
    u64::from(all.into_iter().fold(0, |sum: u32, one| sum.wrapping_mul(3).wrapping_add(one)))
}

/// Returns the number of bits of a field.
fn field_count<const W: u32>(b: u64) -> u64 {
    let offset = low::<W>(b) % u64::from(W);
    (b >> 3) % (u64::from(W) - offset + 1)
}
