//! Tests of the interpreter alone.

use std::collections::BTreeMap;

use interpreter::{InterfaceSlot, RunError, RunInputs, may_replace, run};

use crate::common::assemble;
use crate::common::program::expand;

/// A buffer of words that the program reads and writes.
const BUFFER: InterfaceSlot = InterfaceSlot::Buffer(0, 0);

/// Runs the lines of an entry point, with pointers `%at0` to `%at7` to words of a buffer; returns those words.
fn words(globals: &str, body: &str, input: [u32; 8]) -> Result<Vec<Option<u32>>, RunError> {
    let chains: String =
        (0..8).map(|at| format!("%at{at} = OpAccessChain %word_pointer %buffer %i0 %n_{at}\n")).collect();
    let text = format!(
        "OpCapability Int8\nOpCapability Int16\nOpCapability Int64\nOpCapability Float16\nOpCapability Float64\n\
        %glsl = OpExtInstImport \"GLSL.std.450\"\nOpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\nOpDecorate %words ArrayStride 4\n\
        OpDecorate %buffer DescriptorSet 0\nOpDecorate %buffer Binding 0\nINTERFACE %buffer\n\
        %words = OpTypeRuntimeArray %uint\n%block = OpTypeStruct %words\n%block_pointer = OpTypePointer StorageBuffer %block\n\
        %word_pointer = OpTypePointer StorageBuffer %uint\n%buffer = OpVariable %block_pointer StorageBuffer\n{globals}\n\
        FN %main\n{chains}{body}\nEND\n"
    );
    let words = assemble(&expand(&text), "spv1.6");
    let bytes = input.iter().flat_map(|word| word.to_le_bytes()).collect();
    let inputs = RunInputs { bytes: [(BUFFER, bytes)].into(), constants: BTreeMap::new(), max_steps: 1000 };
    let results = run(&words, "main", &inputs)?;
    let word = |bytes: &[Option<u8>]| {
        let bytes = bytes.iter().copied().collect::<Option<Vec<u8>>>()?;
        Some(u32::from_le_bytes(bytes.try_into().unwrap()))
    };
    Ok(results[&BUFFER].chunks(4).map(word).collect())
}

/// Returns the value of an expression of a type of 32 bits or less, with the first words as `%a` and `%b`.
fn value(of: &str, text: &str, input: [u32; 2]) -> Result<Option<u32>, RunError> {
    let body = format!(
        "%a = OpLoad %uint %at0\n%b = OpLoad %uint %at1\n%sa = OpBitcast %int %a\n%sb = OpBitcast %int %b\n\
        %fa = OpBitcast %float %a\n%fb = OpBitcast %float %b\n{text}\n{}\nOpStore %at2 %word",
        match of {
            "bool" => "%word = OpSelect %uint %r %u1 %u0",
            "uint" => "%word = OpCopyObject %uint %r",
            _ => "%word = OpBitcast %uint %r",
        }
    );
    let globals =
        "%pair = OpTypeStruct %uint %uint\n%split = OpTypeStruct %float %int\n%v2 = OpTypeVector %float 2";
    Ok(words(globals, &body, [input[0], input[1], 0, 0, 0, 0, 0, 0])?[2])
}

#[track_caller]
fn assert_values(of: &str, cases: &[(&str, [u32; 2], Option<u32>)]) {
    for (text, input, right) in cases {
        // Of several instructions, the last is the result.
        let (before, last) = text.rsplit_once("; ").unwrap_or(("", text));
        let text = format!("{}\n%r = {last}", before.replace("; ", "\n"));
        assert_eq!(value(of, &text, *input), Ok(*right), "{text} of {input:x?}");
    }
}

const MINUS_7: u32 = -7i32 as u32;

fn integers() {
    assert_values(
        "uint",
        &[
            ("OpIAdd %uint %a %b", [u32::MAX, 2], Some(1)),
            ("OpISub %uint %a %b", [1, 2], Some(u32::MAX)),
            ("OpIMul %uint %a %b", [1 << 31, 3], Some(1 << 31)),
            ("OpUDiv %uint %a %b", [MINUS_7, 2], Some(MINUS_7 / 2)),
            ("OpUMod %uint %a %b", [MINUS_7, 4], Some(1)),
            ("OpShiftLeftLogical %uint %a %b", [3, 31], Some(1 << 31)),
            ("OpShiftRightLogical %uint %a %b", [MINUS_7, 28], Some(15)),
            ("OpShiftRightLogical %uint %a %b", [1, 32], None),
            ("OpNot %uint %a", [5, 0], Some(!5)),
            ("OpBitFieldUExtract %uint %a %n_4 %n_8", [0x1234, 0], Some(0x23)),
            ("OpBitFieldUExtract %uint %a %n_30 %n_8", [0x1234, 0], None),
            ("OpBitFieldInsert %uint %a %b %n_4 %n_8", [0x1234, 0xfab], Some(0x1ab4)),
            ("OpBitReverse %uint %a", [3, 0], Some(3 << 30)),
            ("OpBitCount %uint %a", [0xf0f0, 0], Some(8)),
            ("%c = OpUConvert %char %a; OpUConvert %uint %c", [0x180, 0], Some(0x80)),
            (
                "%l = OpSConvert %long %sa; %h = OpShiftRightLogical %long %l %n_33; OpUConvert %uint %h",
                [MINUS_7, 0],
                Some(u32::MAX >> 1),
            ),
            ("%p = OpIAddCarry %pair %a %b; OpCompositeExtract %uint %p 1", [u32::MAX, 1], Some(1)),
            ("%p = OpISubBorrow %pair %a %b; OpCompositeExtract %uint %p 1", [1, 2], Some(1)),
            ("%p = OpUMulExtended %pair %a %b; OpCompositeExtract %uint %p 1", [MINUS_7, 4], Some(3)),
            ("%p = OpSMulExtended %pair %a %b; OpCompositeExtract %uint %p 1", [MINUS_7, 4], Some(u32::MAX)),
            (
                "%h = OpExtInst %v2 %glsl UnpackHalf2x16 %a; OpExtInst %uint %glsl PackHalf2x16 %h",
                [0x3c00_c101, 0],
                Some(0x3c00_c101),
            ),
            ("OpExtInst %uint %glsl FindUMsb %a", [0x1234, 0], Some(12)),
            ("OpExtInst %uint %glsl FindILsb %a", [0, 0], Some(u32::MAX)),
            ("OpExtInst %uint %glsl UClamp %a %n_2 %n_5", [9, 0], Some(5)),
        ],
    );
    assert_values(
        "int",
        &[
            ("OpSDiv %int %sa %sb", [MINUS_7, 2], Some(-3i32 as u32)),
            ("OpSRem %int %sa %sb", [MINUS_7, 2], Some(-1i32 as u32)),
            ("OpSMod %int %sa %sb", [MINUS_7, 2], Some(1)),
            ("OpSMod %int %sa %sb", [7, -2i32 as u32], Some(-1i32 as u32)),
            ("OpShiftRightArithmetic %int %sa %sb", [MINUS_7, 1], Some(-4i32 as u32)),
            ("OpBitFieldSExtract %int %sa %n_4 %n_4", [0x80, 0], Some(-8i32 as u32)),
            ("%c = OpUConvert %char %a; OpSConvert %int %c", [0x180, 0], Some(-128i32 as u32)),
            ("OpExtInst %int %glsl SAbs %sa", [MINUS_7, 0], Some(7)),
            ("OpExtInst %int %glsl SSign %sa", [MINUS_7, 0], Some(u32::MAX)),
            ("OpExtInst %int %glsl FindSMsb %sa", [MINUS_7, 0], Some(2)),
        ],
    );
    let undefined = |text: &str, input| matches!(value("int", text, input), Err(RunError::Undefined(_)));
    assert!(undefined("%r = OpSDiv %int %sa %sb", [1, 0]));
    assert!(undefined("%r = OpSDiv %int %sa %sb", [1 << 31, u32::MAX]));
}

fn comparisons() {
    let nan = f32::NAN.to_bits();
    assert_values(
        "bool",
        &[
            ("OpSLessThan %bool %sa %sb", [MINUS_7, 1], Some(1)),
            ("OpULessThan %bool %a %b", [MINUS_7, 1], Some(0)),
            ("OpFOrdNotEqual %bool %fa %fb", [nan, 0], Some(0)),
            ("OpFUnordNotEqual %bool %fa %fb", [nan, 0], Some(1)),
            ("OpFOrdEqual %bool %fa %fb", [0, 1 << 31], Some(1)),
            ("OpFUnordLessThan %bool %fa %fb", [nan, nan], Some(1)),
            ("OpIsNan %bool %fa", [nan, 0], Some(1)),
            (
                "%p = OpIEqual %bool %a %b; %q = OpLogicalNot %bool %p; OpLogicalOr %bool %p %q",
                [1, 2],
                Some(1),
            ),
        ],
    );
}

fn floats() {
    let bits = |value: f32| value.to_bits();
    let two = |one: f32, other: f32| [bits(one), bits(other)];
    let half = "%h = OpFConvert %half %fa; OpFConvert %float %h";
    assert_values(
        "float",
        &[
            ("OpFAdd %float %fa %fb", two(0.1, 0.2), Some(bits(0.1f32 + 0.2f32))),
            ("OpFDiv %float %fa %fb", two(1.0, 3.0), Some(bits(1.0f32 / 3.0f32))),
            ("OpFRem %float %fa %fb", two(-7.0, 4.0), Some(bits(-3.0))),
            ("OpFMod %float %fa %fb", two(-7.0, 4.0), Some(bits(1.0))),
            ("OpConvertSToF %float %sa", [MINUS_7, 0], Some(bits(-7.0))),
            ("OpConvertUToF %float %a", [u32::MAX, 0], Some(bits(u32::MAX as f32))),
            // 16 bits: rounded, to infinity, and of the smallest numbers to the even one.
            (half, two(0.1, 0.0), Some(bits(0.099975586))),
            (half, two(65519.9, 0.0), Some(bits(65504.0))),
            (half, two(-65520.0, 0.0), Some(bits(f32::NEG_INFINITY))),
            (half, [(127 - 24) << 23 | 1 << 22, 0], Some((127 - 23) << 23)),
            (half, [(127 - 25) << 23, 0], Some(0)),
            ("OpExtInst %float %glsl Floor %fa", two(-1.5, 0.0), Some(bits(-2.0))),
            ("OpExtInst %float %glsl RoundEven %fa", two(2.5, 0.0), Some(bits(2.0))),
            ("OpExtInst %float %glsl FMix %fa %fb %f1", two(2.5, 4.0), Some(bits(4.0))),
            (
                "%p = OpExtInst %split %glsl FrexpStruct %fa; OpCompositeExtract %float %p 0",
                two(-6.0, 0.0),
                Some(bits(-0.75)),
            ),
        ],
    );
    assert_values(
        "int",
        &[
            ("OpConvertFToS %int %fa", two(-7.9, 0.0), Some(MINUS_7)),
            ("OpConvertFToS %int %fa", two(3e9, 0.0), None),
            (
                "%p = OpExtInst %split %glsl FrexpStruct %fa; OpCompositeExtract %int %p 1",
                two(-6.0, 0.0),
                Some(3),
            ),
        ],
    );
}

/// The phis of a block take their values at once.
fn phis() {
    let body = "OpBranch %before\n%before = OpLabel\nOpBranch %head\n%head = OpLabel\n\
        %i = OpPhi %uint %u0 %before %next %end\n%x = OpPhi %uint %u1 %before %y %end\n%y = OpPhi %uint %u2 %before %x %end\n\
        OpLoopMerge %after %end None\nOpBranch %test\n%test = OpLabel\n%less = OpULessThan %bool %i %u3\n\
        OpBranchConditional %less %end %after\n%end = OpLabel\n%next = OpIAdd %uint %i %u1\nOpBranch %head\n\
        %after = OpLabel\nOpStore %at0 %x\nOpStore %at1 %y";
    let results = words("", body, [0; 8]).unwrap();
    assert_eq!(results[..2], [Some(2), Some(1)]);
}

fn switches() {
    let body = "%s = OpLoad %uint %at0\nOpSelectionMerge %after None\nOpSwitch %s %other 5 %five 4294967295 %last\n\
        %five = OpLabel\nOpStore %at1 %u1\nOpBranch %last\n%last = OpLabel\nOpStore %at2 %u2\nOpBranch %after\n\
        %other = OpLabel\nOpStore %at3 %u3\nOpBranch %after\n%after = OpLabel";
    let run = |selector| words("", body, [selector, 0, 0, 0, 0, 0, 0, 0]).unwrap()[1..4].to_vec();
    assert_eq!(run(5), [Some(1), Some(2), Some(0)]);
    assert_eq!(run(u32::MAX), [Some(0), Some(2), Some(0)]);
    assert_eq!(run(1), [Some(0), Some(0), Some(3)]);
}

/// Functions call themselves, and write through pointers; each call has variables of its own.
fn calls() {
    let globals = "%variable = OpTypePointer Function %uint\n%type = OpTypeFunction %uint %uint %variable\n\
        %recurse = OpFunction %uint None %type\n%n = OpFunctionParameter %uint\n%p = OpFunctionParameter %variable\n\
        %start = OpLabel\n%own = OpVariable %variable Function %u0\nOpStore %p %n\n%ends = OpIEqual %bool %n %u0\n\
        OpSelectionMerge %deeper None\nOpBranchConditional %ends %last %deeper\n%last = OpLabel\nOpReturnValue %u1\n\
        %deeper = OpLabel\n%less = OpISub %uint %n %u1\n%inner = OpFunctionCall %uint %recurse %less %own\n\
        %got = OpLoad %uint %own\n%product = OpIMul %uint %inner %n\n%sum = OpIAdd %uint %product %got\nOpReturnValue %sum\n\
        OpFunctionEnd";
    let body = "%outside = OpVariable %variable Function %u0\n%called = OpFunctionCall %uint %recurse %u3 %outside\n\
        OpStore %at0 %called\n%left = OpLoad %uint %outside\nOpStore %at1 %left";
    assert_eq!(words(globals, body, [0; 8]).unwrap()[..2], [Some(11), Some(3)]);
}

/// Types and variables for tests of memory.
const MEMORY: &str = "%array = OpTypeArray %uint %u3\n%struct = OpTypeStruct %uint %array\n%local_uint = OpTypePointer Function %uint\n\
    %local_array = OpTypePointer Function %array\n%local_struct = OpTypePointer Function %struct\n\
    %private_uint = OpTypePointer Private %uint\n%private_array = OpTypePointer Private %array\n\
    %values = OpConstantComposite %array %u1 %u2 %u3\n%private = OpVariable %private_array Private %values";

fn memory() {
    let body = "%local = OpVariable %local_struct Function\n%part = OpAccessChain %local_array %local %i1\nOpCopyMemory %part %private\n\
        %i = OpLoad %uint %at0\n%element = OpAccessChain %local_uint %local %i1 %i\nOpStore %element %u0\n\
        %whole = OpLoad %array %part\n%x0 = OpCompositeExtract %uint %whole 0\n%x1 = OpCompositeExtract %uint %whole 1\n\
        %first = OpAccessChain %local_uint %local %i0\n%nothing = OpLoad %uint %first\n%old = OpAtomicIAdd %uint %at4 %u1 %u0 %u3\n\
        OpStore %at1 %x0\nOpStore %at2 %x1\nOpStore %at3 %nothing\nOpStore %at5 %old";
    let run = |index| words(MEMORY, body, [index, 0, 0, 0, 7, 0, 0, 0]);
    assert_eq!(run(1).unwrap()[1..6], [Some(1), Some(0), None, Some(10), Some(7)]);
    assert!(matches!(run(3), Err(RunError::Undefined(_))));
    assert!(matches!(run(u32::MAX), Err(RunError::Undefined(_))));
}

/// A value that nobody has set decides nothing, but may be moved.
fn undefined_values() {
    let body = "%local = OpVariable %local_uint Function\n%x = OpLoad %uint %local\n%y = OpIAdd %uint %x %u1\nOpStore %at0 %y\n\
        %c = OpIEqual %bool %y %u1\nOpSelectionMerge %after None\nOpBranchConditional %c %then %after\n%then = OpLabel\n\
        OpBranch %after\n%after = OpLabel";
    assert!(matches!(words(MEMORY, body, [0; 8]), Err(RunError::Undefined(_))));
    let before = body.split("%c = ").next().unwrap();
    assert_eq!(words(MEMORY, before, [0; 8]).unwrap()[0], None);
}

fn endless_loops_end() {
    let body = "OpBranch %head\n%head = OpLabel\nOpLoopMerge %after %head None\nOpBranchConditional %true %head %after\n%after = OpLabel";
    assert!(matches!(words("", body, [0; 8]), Err(RunError::Unsupported(_))));
}

/// Specialization constants have their defaults or values, in operations and composites too.
fn specialization_constants() {
    let text = "OpDecorate %c SpecId 3\nOpDecorate %b SpecId 4\nOpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 0\nINTERFACE %out\n\
        OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 4\n\
        %c = OpSpecConstant %uint 5\n%b = OpSpecConstantFalse %bool\n%sum = OpSpecConstantOp %uint IAdd %c %u1\n\
        %choice = OpSpecConstantOp %uint Select %b %sum %u3\n%v2 = OpTypeVector %uint 2\n\
        %v = OpSpecConstantComposite %v2 %sum %choice\n%block = OpTypeStruct %v2\n%pointer = OpTypePointer StorageBuffer %block\n\
        %part = OpTypePointer StorageBuffer %v2\n%out = OpVariable %pointer StorageBuffer\n\
        FN %main\n%at = OpAccessChain %part %out %i0\nOpStore %at %v\nEND";
    let words = assemble(&expand(text), "spv1.6");
    let run = |constants: BTreeMap<u32, u64>| {
        let inputs = RunInputs { bytes: [(BUFFER, vec![9; 12])].into(), constants, max_steps: 100 };
        run(&words, "main", &inputs).unwrap()[&BUFFER].iter().map(|byte| byte.unwrap()).collect::<Vec<u8>>()
    };
    assert_eq!(run(BTreeMap::new()), [9, 9, 9, 9, 6, 0, 0, 0, 3, 0, 0, 0]);
    assert_eq!(run([(3, 8), (4, 1)].into()), [9, 9, 9, 9, 9, 0, 0, 0, 9, 0, 0, 0]);
}

/// Matrices lie in buffers as decorations say.
fn layouts() {
    let text = "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 0\nINTERFACE %out\nOpDecorate %block Block\n\
        OpMemberDecorate %block 0 Offset 0\nOpMemberDecorate %block 0 RowMajor\nOpMemberDecorate %block 0 MatrixStride 8\n\
        OpMemberDecorate %block 1 Offset 16\nOpDecorate %floats ArrayStride 8\n%v2 = OpTypeVector %float 2\n%m2 = OpTypeMatrix %v2 2\n\
        %floats = OpTypeRuntimeArray %float\n%block = OpTypeStruct %m2 %floats\n%pointer = OpTypePointer StorageBuffer %block\n\
        %part = OpTypePointer StorageBuffer %float\n%out = OpVariable %pointer StorageBuffer\n\
        FN %main\n%from = OpAccessChain %part %out %i0 %i1 %i0\n%x = OpLoad %float %from\n%length = OpArrayLength %uint %out 1\n\
        %last = OpISub %uint %length %u1\n%to = OpAccessChain %part %out %i1 %last\nOpStore %to %x\nEND";
    let words = assemble(&expand(text), "spv1.6");
    let bytes: Vec<u8> = (0..8).flat_map(|word: u32| word.to_le_bytes()).collect();
    let inputs = RunInputs { bytes: [(BUFFER, bytes)].into(), constants: BTreeMap::new(), max_steps: 100 };
    let results = &run(&words, "main", &inputs).unwrap()[&BUFFER];
    // The second column begins with the second word; the last element is the seventh.
    assert_eq!(results[24..28], [Some(1), Some(0), Some(0), Some(0)]);
}

/// Kernels have buffers and numbers as arguments.
fn kernels() {
    let text = "KERNEL\n%pointer = OpTypePointer CrossWorkgroup %int\n%type = OpTypeFunction %void %pointer %int\n\
        %main = OpFunction %void None %type\n%buffer = OpFunctionParameter %pointer\n%n = OpFunctionParameter %int\n%start = OpLabel\n\
        %at = OpInBoundsPtrAccessChain %pointer %buffer %n\nOpStore %at %n\nOpReturn\nOpFunctionEnd";
    let words = assemble(&expand(text), "spv1.2");
    let (buffer, number) = (InterfaceSlot::Argument(0), InterfaceSlot::Argument(1));
    let bytes = [(buffer, vec![0; 12]), (number, vec![2, 0, 0, 0])].into();
    let inputs = RunInputs { bytes, constants: BTreeMap::new(), max_steps: 100 };
    assert_eq!(run(&words, "main", &inputs).unwrap()[&buffer][8..], [Some(2), Some(0), Some(0), Some(0)]);
}

/// Results may differ if the original's are undefined.
fn results_that_replace() {
    let inputs = RunInputs { bytes: [(BUFFER, vec![1, 2])].into(), ..RunInputs::default() };
    let of = |bytes: [Option<u8>; 2]| [(BUFFER, bytes.to_vec())].into();
    assert!(may_replace(&inputs, &of([Some(1), None]), &of([Some(1), Some(7)])));
    assert!(!may_replace(&inputs, &of([Some(1), Some(7)]), &of([Some(1), None])));
    // A buffer that is gone has not changed.
    assert!(may_replace(&inputs, &of([Some(1), Some(2)]), &BTreeMap::new()));
    assert!(!may_replace(&inputs, &of([Some(1), Some(3)]), &BTreeMap::new()));
}

tests![
    integers,
    comparisons,
    floats,
    phis,
    switches,
    calls,
    memory,
    undefined_values,
    endless_loops_end,
    specialization_constants,
    layouts,
    kernels,
    results_that_replace,
];
