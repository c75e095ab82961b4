//! Kernels of one operation on halves each, and the same on the host: the result to nearest. The bits of halves are the low ones of numbers of 64 bits.

use super::float16::{Permits, any_nan, bits, either, near, nearest, odd_sum, toward_zero, value};
use super::frame::{FrameParts, OperationFrame};
use super::operations::{Operation, for_drivers, not_native};

const HEAD: &str = "OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpCapability Int16
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
%ushort = OpTypeInt 16 0
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%float = OpTypeFloat 32
TYPES
%h2 = OpTypeVector %half 2
%h4 = OpTypeVector %half 4
%h8 = OpTypeVector %half 8
%f2 = OpTypeVector %float 2
%v3ulong = OpTypeVector %ulong 3
%inner = OpTypeStruct %uint %h2 %half
%c4 = OpConstant %uint 4
%c8 = OpConstant %uint 8
%array = OpTypeArray %half %c4
%pids = OpTypePointer Input %v3ulong
%p = OpTypePointer CrossWorkgroup %ulong
%phg = OpTypePointer CrossWorkgroup %half
%ph = OpTypePointer Function %half
%pl = OpTypePointer Function %ulong
%ph4 = OpTypePointer Function %h4
%pn = OpTypePointer Function %uint
%pa = OpTypePointer Function %array
%pinner = OpTypePointer Function %inner
%pshared = OpTypePointer UniformConstant %array
%pelement = OpTypePointer UniformConstant %half
%shares = OpTypeArray %half %c8
%pw = OpTypePointer Workgroup %half
%pshares = OpTypePointer Workgroup %shares
%fn = OpTypeFunction %void %p %p
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%u5 = OpConstant %uint 5
%u7 = OpConstant %uint 7
%u16 = OpConstant %uint 16
%l0 = OpConstant %ulong 0
%l1 = OpConstant %ulong 1
%l3 = OpConstant %ulong 3
%l7 = OpConstant %ulong 7
%l64 = OpConstant %ulong 64
%h0 = OpConstant %half 0
%hone = OpConstant %half 1
%h3 = OpConstant %half 3
%hs = OpConstant %half 0.5
%large = OpConstant %half 65504
%tiny = OpConstant %half 0x1p-24
%limit = OpConstant %half 2048
%numbers = OpConstantComposite %array %hone %h3 %large %tiny
%hpair = OpConstantComposite %h2 %hone %h3
%four = OpConstantComposite %h4 %hone %h3 %large %tiny
%shared = OpVariable %pshared UniformConstant %numbers
%memory = OpVariable %pshares Workgroup
%gid = OpVariable %pids Input
%triple_type = OpTypeFunction %half %half %ph
%triple = OpFunction %half None %triple_type
%t = OpFunctionParameter %half
%tp = OpFunctionParameter %ph
%triple_start = OpLabel
%tl = OpLoad %half %tp Aligned 2
%tl2 = OpFNegate %half %tl
OpStore %tp %tl2 Aligned 2
%t3 = OpFAdd %half %t %tl
OpReturnValue %t3
OpFunctionEnd
%main = OpFunction %void None %fn
%in = OpFunctionParameter %p
%out = OpFunctionParameter %p
%start = OpLabel
%place = OpVariable %ph Function
%start_place = OpVariable %ph Function %h3
%start_array = OpVariable %pa Function %numbers
%long = OpVariable %pl Function
%vector = OpVariable %ph4 Function
%integer = OpVariable %pn Function
%elements = OpVariable %pa Function
%object = OpVariable %pinner Function
%ids = OpLoad %v3ulong %gid Aligned 32
%id = OpCompositeExtract %ulong %ids 0
%base = OpIMul %ulong %id %l64
";

const START: &str = "%xs = OpUConvert %ushort %a; %ys = OpUConvert %ushort %b; %x = OpBitcast %half %xs; %y = OpBitcast %half %ys; ";
const END: &str = "; %zs = OpBitcast %ushort %z; %r = OpUConvert %ulong %zs";
const TRUTH: &str = "; %zw = OpSelect %ulong %c %l1 %l0; %r = OpCopyObject %ulong %zw";
const PAIR: &str = "%v = OpCompositeConstruct %h2 %x %y; ";
const FROM_FLOAT: &str = "%a32 = OpUConvert %uint %a; %f = OpBitcast %float %a32; %z = OpFConvert %half %f";
const FROM_INTEGER: &str = "%a32 = OpUConvert %uint %a; %z = OpConvertUToF %half %a32";
const EIGHT: &str = "%v8 = OpCompositeConstruct %h8 %x %y %hone %h3 %x %y %hone %h3; %q = OpFMul %h8 %v8 %v8; %z = OpCompositeExtract %half %q 5";

fn op(
    name: &'static str,
    decorations: &str,
    code: &str,
    permits: Permits,
    host: fn(u64, u64) -> u64,
) -> Operation {
    let parts = FrameParts {
        frame: OperationFrame::Kernel,
        head: HEAD,
        number: "%ulong",
        capabilities: "",
        types: "",
        decorations,
        definitions: "",
        variables: "",
    };
    Operation { permits, ..Operation::new(name, &parts, &format!("{START}{code}"), "Float16", host) }
}

/// Returns all operations.
pub fn operations() -> Vec<Operation> {
    let number = |name, code: &str, host| op(name, "", &format!("{code}{END}"), any_nan, host);
    let decorated = |name, decoration: &str, code: &str, host| {
        op(name, &format!("OpDecorate %z {decoration}"), &format!("{code}{END}"), any_nan, host)
    };
    let close = |name, code: &str, host| op(name, "", &format!("{code}{END}"), near, host);
    let choice = |name, code: &str, host| op(name, "", &format!("{code}{END}"), either, host);
    let truth = |name, code: &str, host: fn(u64, u64) -> u64| {
        op(name, "", &format!("{code}{TRUTH}"), |_, _, _| false, host)
    };
    let std = |name: &'static str, operands: &str, host| {
        for_drivers(number(name, &format!("%z = OpExtInst %half %std {name} {operands}"), host))
    };
    let std_close = |name: &'static str, operands: &str, host| {
        for_drivers(close(name, &format!("%z = OpExtInst %half %std {name} {operands}"), host))
    };
    let std_choice = |name: &'static str, operands: &str, host| {
        for_drivers(choice(name, &format!("%z = OpExtInst %half %std {name} {operands}"), host))
    };
    vec![
        number("FAdd", "%z = OpFAdd %half %x %y", |a, b| nearest(value(a) + value(b))),
        number("FSub", "%z = OpFSub %half %x %y", |a, b| nearest(value(a) - value(b))),
        number("FMul", "%z = OpFMul %half %x %y", |a, b| nearest(value(a) * value(b))),
        close("FDiv", "%z = OpFDiv %half %x %y", |a, b| nearest(value(a) / value(b))),
        number("FNegate", "%z = OpFNegate %half %x", |a, _| a & 0xffff ^ 0x8000),
        number("two operations", "%z0 = OpFMul %half %x %y; %z = OpFAdd %half %z0 %x", |a, b| {
            nearest(value(nearest(value(a) * value(b))) + value(a))
        }),
        truth("FOrdLessThan", "%c = OpFOrdLessThan %bool %x %y", |a, b| u64::from(value(a) < value(b))),
        truth("FUnordGreaterThan", "%c = OpFUnordGreaterThan %bool %x %y", |a, b| {
            u64::from(value(a).partial_cmp(&value(b)).is_none_or(std::cmp::Ordering::is_gt))
        }),
        truth("IsNan", "%c = OpIsNan %bool %x", |a, _| u64::from(value(a).is_nan())),
        truth("IsFinite", "%c = OpIsFinite %bool %x", |a, _| u64::from(value(a).is_finite())),
        truth("IsNormal", "%c = OpIsNormal %bool %x", |a, _| {
            u64::from((0x400..0x7c00).contains(&(a & 0x7fff)))
        }),
        truth("SignBitSet", "%c = OpSignBitSet %bool %x", |a, _| a >> 15 & 1),
        for_drivers(truth("LessOrGreater", "%c = OpLessOrGreater %bool %x %y", |a, b| {
            u64::from(value(a) < value(b) || value(a) > value(b))
        })),
        for_drivers(truth("Ordered", "%c = OpOrdered %bool %x %y", |a, b| {
            u64::from(!value(a).is_nan() && !value(b).is_nan())
        })),
        number("Select", "%c = OpFOrdLessThan %bool %x %y; %z = OpSelect %half %c %y %large", |a, b| {
            if value(a) < value(b) { b & 0xffff } else { 0x7bff }
        }),
        number("ConvertUToF", FROM_INTEGER, |a, _| nearest(f64::from(a as u32))),
        decorated("ConvertUToF toward zero", "FPRoundingMode RTZ", FROM_INTEGER, |a, _| {
            toward_zero(f64::from(a as u32))
        }),
        number("FConvert from a float", FROM_FLOAT, |a, _| nearest(f64::from(f32::from_bits(a as u32)))),
        decorated("FConvert toward zero", "FPRoundingMode RTZ", FROM_FLOAT, |a, _| {
            toward_zero(f64::from(f32::from_bits(a as u32)))
        }),
        number(
            "FConvert to a float",
            "%f = OpFConvert %float %x; %f4 = OpFAdd %float %f %f; %z = OpFConvert %half %f4",
            |a, _| nearest(value(a) * 2.0),
        ),
        number(
            "ConvertFToS",
            "%m0 = OpFOrdLessThan %bool %x %limit; %m1 = OpFNegate %half %x; %m2 = OpFOrdLessThan %bool %m1 %limit; \
             %c = OpLogicalAnd %bool %m0 %m2; %chosen_x = OpSelect %half %c %x %h3; %n = OpConvertFToS %ushort %chosen_x; %z = OpBitcast %half %n",
            |a, _| (if value(a).abs() < 2048.0 { value(a) as i64 as u64 } else { 3 }) & 0xffff,
        ),
        op(
            "bits",
            "",
            &format!("{PAIR}%w = OpBitcast %uint %v; %r = OpUConvert %ulong %w"),
            |_, _, _| false,
            |a, b| a & 0xffff | (b & 0xffff) << 16,
        ),
        number(
            "vectors",
            &format!(
                "{PAIR}%v1 = OpVectorShuffle %h2 %v %hpair 1 3; %q = OpFAdd %h2 %v1 %hpair; %z = OpCompositeExtract %half %q 0"
            ),
            |_, b| nearest(value(b) + 1.0),
        ),
        number("eight components", EIGHT, |_, b| nearest(value(b) * value(b))),
        number(
            "objects",
            &format!(
                "{PAIR}%o = OpCompositeConstruct %inner %u1 %v %h3; OpStore %object %o Aligned 4; %q0 = OpInBoundsAccessChain %ph %object %u2; \
                 OpStore %q0 %x Aligned 2; %o1 = OpLoad %inner %object Aligned 4; %e2 = OpCompositeExtract %h2 %o1 1; %e0 = OpCompositeExtract %half %e2 1; \
                 %e1 = OpCompositeExtract %half %o1 2; %z = OpFAdd %half %e0 %e1"
            ),
            |a, b| nearest(value(a) + value(b)),
        ),
        number(
            "arrays",
            "OpCopyMemory %elements %shared Aligned 2; %q0 = OpInBoundsAccessChain %ph %elements %l1; OpStore %q0 %x Aligned 2; \
             %n1 = OpBitwiseAnd %ulong %b %l3; %q1 = OpInBoundsAccessChain %ph %elements %n1; %e0 = OpLoad %half %q1 Aligned 2; \
             %q2 = OpInBoundsAccessChain %pelement %shared %n1; %e1 = OpLoad %half %q2 Aligned 2; %z = OpFSub %half %e0 %e1",
            |a, b| if b & 3 == 1 { nearest(value(a) - 3.0) } else { 0 },
        ),
        number(
            "initializers",
            "%n1 = OpBitwiseAnd %ulong %b %l3; %q1 = OpInBoundsAccessChain %ph %start_array %n1; %e0 = OpLoad %half %q1 Aligned 2; \
             %e1 = OpLoad %half %start_place Aligned 2; OpStore %start_place %h3 Aligned 2; %z0 = OpFMul %half %e0 %e1; %z = OpFAdd %half %z0 %x",
            |a, b| {
                nearest(
                    value(nearest([1.0, 3.0, 65504.0, 2f64.powi(-24)][(b & 3) as usize] * 3.0)) + value(a),
                )
            },
        ),
        number(
            "memory of a group",
            "%n1 = OpBitwiseAnd %ulong %id %l7; %q1 = OpInBoundsAccessChain %pw %memory %n1; OpStore %q1 %x Aligned 2; \
             %e0 = OpLoad %half %q1 Aligned 2; %z = OpFAdd %half %e0 %y",
            |a, b| nearest(value(a) + value(b)),
        ),
        number(
            "call",
            "OpStore %place %y Aligned 2; %z0 = OpFunctionCall %half %triple %x %place; %z1 = OpLoad %half %place Aligned 2; %z = OpFAdd %half %z0 %z1",
            |a, b| nearest(value(nearest(value(a) + value(b))) - value(b)),
        ),
        number(
            "Phi",
            "%c = OpFOrdLessThan %bool %x %y; OpSelectionMerge %chosen None; OpBranchConditional %c %case %other; %case = OpLabel; OpBranch %chosen; \
             %other = OpLabel; OpBranch %chosen; %chosen = OpLabel; %z = OpPhi %half %x %case %tiny %other",
            |a, b| if value(a) < value(b) { a & 0xffff } else { 1 },
        ),
        for_drivers(number(
            "pointers",
            "%q = OpBitcast %phg %to_a; %e0 = OpLoad %half %q Aligned 2; %q1 = OpInBoundsPtrAccessChain %phg %q %c4; %e1 = OpLoad %half %q1 Aligned 2; \
             %z = OpFSub %half %e0 %e1",
            |a, b| nearest(value(a) - value(b)),
        )),
        for_drivers(number(
            "vload_half",
            "%q = OpBitcast %phg %to_a; %e0 = OpExtInst %float %std vload_half %l0 %q; %e1 = OpFConvert %float %y; %f = OpFAdd %float %e0 %e1; \
             %z0 = OpFConvert %half %f; %z = OpFNegate %half %z0",
            |a, b| nearest(value(a) + value(b)) ^ 0x8000,
        )),
        for_drivers(number(
            "vstore_half",
            "%f = OpFConvert %float %x; OpStore %place %y Aligned 2; %nothing_stored = OpExtInst %void %std vstore_half_r %f %l0 %place RTE; \
             %e0 = OpLoad %half %place Aligned 2; %z = OpFAdd %half %e0 %y",
            |a, b| nearest(value(a) + value(b)),
        )),
        for_drivers(number(
            "vloadn and vstoren",
            &format!(
                "{PAIR}OpStore %vector %four Aligned 8; %q = OpBitcast %ph %vector; %nothing_stored = OpExtInst %void %std vstoren %v %l1 %q; \
                 %q0 = OpExtInst %h2 %std vloadn %l1 %q 2; %e0 = OpCompositeExtract %half %q0 1; %q1 = OpLoad %h4 %vector Aligned 8; \
                 %e1 = OpCompositeExtract %half %q1 2; %z = OpFMul %half %e0 %e1"
            ),
            |a, b| nearest(value(a) * value(b)),
        )),
        for_drivers(number(
            "casts",
            "OpStore %long %a Aligned 8; %q = OpBitcast %ph %long; OpStore %q %y Aligned 2; %n = OpLoad %ulong %long Aligned 8; %n1 = OpUConvert %ushort %n; \
             %z = OpBitcast %half %n1",
            |_, b| b & 0xffff,
        )),
        std("floor", "%x", |a, _| bits(value(a).floor())),
        std("ceil", "%x", |a, _| bits(value(a).ceil())),
        std("trunc", "%x", |a, _| bits(value(a).trunc())),
        std("rint", "%x", |a, _| bits(value(a).round_ties_even())),
        std("round", "%x", |a, _| bits(value(a).round())),
        std("fabs", "%x", |a, _| a & 0x7fff),
        std("copysign", "%x %y", |a, b| a & 0x7fff | b & 0x8000),
        std("fdim", "%x %y", |a, b| {
            let (a, b) = (value(a), value(b));
            nearest(if a <= b { 0.0 } else { a - b })
        }),
        not_native(std("fma", "%x %y %h3", |a, b| nearest(odd_sum(value(a) * value(b), 3.0)))),
        std("fmod", "%x %y", |a, b| nearest(value(a) % value(b))),
        std("ldexp", "%x %u5", |a, _| nearest(value(a) * 32.0)),
        std_choice("fmin", "%x %y", |a, b| bits(value(a).min(value(b)))),
        std_choice("fmax", "%x %y", |a, b| bits(value(a).max(value(b)))),
        std_close("sqrt", "%x", |a, _| nearest(value(a).sqrt())),
        std_close("exp2", "%x", |a, _| nearest(value(a).exp2())),
        std_close("log2", "%x", |a, _| nearest(value(a).log2())),
        for_drivers(number(
            "frexp",
            "%c = OpIsFinite %bool %x; %chosen_x = OpSelect %half %c %x %h3; %z0 = OpExtInst %half %std frexp %chosen_x %integer; \
             %n = OpLoad %uint %integer Aligned 4; %e = OpConvertSToF %half %n; %e1 = OpFMul %half %e %h3; %z = OpFAdd %half %z0 %e1",
            |a, _| {
                let a = if value(a).is_finite() { value(a) } else { 3.0 };
                if a == 0.0 {
                    return bits(a + 0.0);
                }
                let exponent = a.abs().log2().floor() as i32 + 1;
                nearest(a * 2f64.powi(-exponent) + f64::from(exponent) * 3.0)
            },
        )),
    ]
}
