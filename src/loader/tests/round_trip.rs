//! Loading and writing keeps modules bit for bit.

use proptest::prelude::*;

use crate::loader::Module;
use crate::test_support::{assemble, bytes_of, fixtures, instruction, module_of};
use crate::transform::Edits;
use crate::writer::apply;

/// Checks that the words are written unchanged: without edits, with each instruction replaced by itself, and
/// with all replaced at once.
fn round_trip(words: &[u32]) {
    let module = Module::from_words(words).unwrap();
    assert_eq!(module.words(), words);
    assert_eq!(apply(&module, &Edits::new(&module)).unwrap(), words);
    let mut all = Edits::new(&module);
    for (number, inst) in module.instructions().enumerate() {
        let mut one = Edits::new(&module);
        one.drop(&inst);
        one.insert_words(inst.end(), inst.words());
        assert_eq!(apply(&module, &one).unwrap(), words, "{} at {}", inst.name(), inst.offset());
        match number % 3 {
            0 => all.replace_words(&inst, inst.words()),
            1 => {
                all.drop(&inst);
                all.insert_words(inst.offset(), inst.words());
            }
            _ => {}
        }
    }
    assert_eq!(apply(&module, &all).unwrap(), words);
    let mut count = 5;
    for inst in module.instructions() {
        assert_eq!(inst.offset(), count);
        count += inst.words().len() as u32;
    }
    assert_eq!(count as usize, words.len());
}

fn text_round_trip(text: &str, environment: &str) {
    let words = assemble(text, environment);
    round_trip(&words);
}

const SHADER: &str = "
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %1 \"main\"
    OpExecutionMode %1 LocalSize 1 1 1
    %2 = OpTypeVoid
    %3 = OpTypeFunction %2
    %1 = OpFunction %2 None %3
    %4 = OpLabel
    OpReturn
    OpFunctionEnd";

#[test]
fn fixtures_come_back() {
    for (name, words) in fixtures() {
        println!("{name}");
        round_trip(&words);
    }
}

#[test]
fn both_endiannesses_are_written_in_the_host_s() {
    for (_, words) in fixtures() {
        let swapped: Vec<u32> = words.iter().map(|word| word.swap_bytes()).collect();
        assert_ne!(swapped, words);
        let bytes = bytes_of(&swapped);
        for module in [Module::from_words(&swapped).unwrap(), Module::from_bytes(&bytes).unwrap()] {
            assert_eq!(module.words(), words);
            assert_eq!(apply(&module, &Edits::new(&module)).unwrap(), words);
        }
    }
}

#[test]
fn bytes_of_any_alignment() {
    for (_, words) in fixtures() {
        let bytes = bytes_of(&words);
        for shift in 0..4 {
            let shifted = [vec![0xee; shift], bytes.clone()].concat();
            let module = Module::from_bytes(&shifted[shift..]).unwrap();
            assert_eq!(apply(&module, &Edits::new(&module)).unwrap(), words);
        }
    }
}

#[test]
fn opcodes_outside_the_grammar() {
    let words = module_of(
        10,
        &[
            instruction(0xfffe, &[]),
            instruction(700, &[0, u32::MAX, 3, 10]),
            instruction(19, &[1]),
            instruction(0x7abc, &[0xdead_beef; 300]),
        ],
    );
    round_trip(&words);
    let module = Module::from_words(&words).unwrap();
    assert!(module.has_unknown_instructions());
    assert_eq!(module.definition_offset(1), Some(11));
}

#[test]
fn an_unknown_instruction_between_lines_and_a_function_parts_them() {
    let line = instruction(8, &[1, 1, 1]);
    let function = [instruction(54, &[2, 4, 0, 3]), instruction(56, &[])].concat();
    let globals = [instruction(7, &[1, 0]), instruction(19, &[2]), instruction(33, &[3, 2])].concat();
    let at_once = module_of(9, &[globals.clone(), line.clone(), function.clone()]);
    let parted = module_of(9, &[globals, line, instruction(0xfffe, &[]), function]);
    let lines = |words: &[u32]| Module::from_words(words).unwrap().functions()[0];
    assert_eq!(lines(&at_once).lines + 4, lines(&at_once).start);
    assert_eq!(lines(&parted).lines, lines(&parted).start);
}

#[test]
fn execution_mode_id() {
    text_round_trip(
        "
        OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %1 \"main\"
        OpExecutionModeId %1 LocalSizeId %5 %5 %5
        %2 = OpTypeVoid
        %3 = OpTypeFunction %2
        %6 = OpTypeInt 32 0
        %5 = OpSpecConstant %6 8
        %1 = OpFunction %2 None %3
        %4 = OpLabel
        OpReturn
        OpFunctionEnd",
        "spv1.6",
    );
}

#[test]
fn spec_constant_operations_with_literals() {
    text_round_trip(
        "
        OpCapability Shader
        OpMemoryModel Logical GLSL450
        %1 = OpTypeInt 32 0
        %2 = OpTypeVector %1 2
        %3 = OpSpecConstant %1 7
        %4 = OpSpecConstantComposite %2 %3 %3
        %5 = OpSpecConstantOp %1 CompositeExtract %4 1
        %6 = OpSpecConstantOp %2 CompositeInsert %5 %4 0
        %7 = OpSpecConstantOp %2 VectorShuffle %4 %6 3 0
        %8 = OpSpecConstantOp %1 IAdd %3 %5",
        "spv1.6",
    );
}

#[test]
fn extended_instructions_at_module_level() {
    text_round_trip(
        "
        OpCapability Shader
        OpExtension \"SPV_KHR_non_semantic_info\"
        %1 = OpExtInstImport \"NonSemantic.Made.Up\"
        OpMemoryModel Logical GLSL450
        %2 = OpTypeVoid
        %3 = OpExtInst %2 %1 1 %2
        %4 = OpExtInst %2 %1 77 %3 %2",
        "spv1.6",
    );
}

#[test]
fn lines_anywhere() {
    text_round_trip(
        "
        OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %1 \"main\"
        OpExecutionMode %1 LocalSize 1 1 1
        %9 = OpString \"a.comp\"
        OpLine %9 1 1
        %2 = OpTypeVoid
        OpLine %9 2 2
        OpNoLine
        %3 = OpTypeFunction %2
        OpNoLine
        OpLine %9 3 3
        %1 = OpFunction %2 None %3
        OpLine %9 4 4
        %4 = OpLabel
        OpLine %9 5 5
        OpNoLine
        OpReturn
        OpNoLine
        OpFunctionEnd
        OpNoLine",
        "spv1.6",
    );
    // Where no assembler would write them.
    let line = instruction(8, &[1, 2, 3]);
    let no_line = instruction(317, &[]);
    let early = [no_line.clone(), line.clone(), instruction(17, &[1]), line.clone(), instruction(7, &[1, 0])];
    round_trip(&module_of(5, &[&early[..], &[line.clone(), line, no_line]].concat()));
}

#[test]
fn debug_information() {
    text_round_trip(
        "
        OpCapability Shader
        OpExtension \"SPV_KHR_non_semantic_info\"
        %1 = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %2 \"main\"
        OpExecutionMode %2 LocalSize 1 1 1
        %3 = OpString \"a.comp\"
        %4 = OpTypeVoid
        %5 = OpTypeInt 32 0
        %6 = OpConstant %5 1
        %7 = OpConstant %5 100
        %8 = OpTypeFunction %4
        %9 = OpExtInst %4 %1 DebugSource %3
        %10 = OpExtInst %4 %1 DebugCompilationUnit %7 %6 %9 %6
        %11 = OpExtInst %4 %1 DebugTypeFunction %6 %4
        %12 = OpExtInst %4 %1 DebugFunction %3 %11 %9 %6 %6 %10 %3 %6 %6
        %2 = OpFunction %4 None %8
        %13 = OpLabel
        %14 = OpExtInst %4 %1 DebugFunctionDefinition %12 %2
        %15 = OpExtInst %4 %1 DebugLine %9 %6 %6 %6 %6
        OpReturn
        OpFunctionEnd",
        "spv1.6",
    );
}

#[test]
fn wide_switches() {
    text_round_trip(
        "
        OpCapability Shader
        OpCapability Int64
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %1 \"main\"
        OpExecutionMode %1 LocalSize 1 1 1
        %2 = OpTypeVoid
        %3 = OpTypeFunction %2
        %4 = OpTypeInt 64 0
        %5 = OpConstant %4 12884901890
        %1 = OpFunction %2 None %3
        %6 = OpLabel
        OpSelectionMerge %7 None
        OpSwitch %5 %7 4294967297 %8 18446744073709551615 %7
        %8 = OpLabel
        OpBranch %7
        %7 = OpLabel
        OpReturn
        OpFunctionEnd",
        "spv1.6",
    );
}

#[test]
fn strings_that_fill_their_last_word() {
    let names = ["", "a", "ab", "abc", "abcd", "abcdefg", "gr\u{fc}n\u{2603}", "abcdefgh"];
    let strings = names.iter().zip(1..).map(|(name, id)| format!("%{id} = OpString \"{name}\"\n"));
    let head = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n";
    let text: String = [head.to_owned()].into_iter().chain(strings).collect();
    let words = assemble(&text, "spv1.6");
    round_trip(&words);
    let module = Module::from_words(&words).unwrap();
    for (name, id) in names.iter().zip(1..) {
        let inst = module.definition(id).unwrap();
        assert_eq!(inst.string(2), *name);
        // One byte more than the name, in whole words.
        assert_eq!(inst.words().len(), 2 + name.len() / 4 + 1);
    }
}

#[test]
fn modules_without_an_entry_point() {
    text_round_trip(
        "
        OpCapability Kernel
        OpCapability Addresses
        OpCapability Linkage
        OpMemoryModel Physical64 OpenCL
        OpDecorate %1 LinkageAttributes \"exported\" Export
        %2 = OpTypeVoid
        %3 = OpTypeFunction %2
        %1 = OpFunction %2 None %3
        %4 = OpLabel
        OpReturn
        OpFunctionEnd",
        "spv1.2",
    );
    round_trip(&module_of(1, &[]));
}

#[test]
fn the_header_is_kept() {
    let mut words = assemble(SHADER, "spv1.0");
    words[1] = 0x0001_0100;
    words[2] = 0xdead_beef;
    words[3] = 1000;
    words[4] = 0xffff_ffff;
    round_trip(&words);
}

proptest! {
    /// Checks that instructions of any opcode and words are written unchanged if they load.
    #[test]
    fn any_instructions(
        instructions in prop::collection::vec(
            (0_u16..700, prop::collection::vec(prop_oneof![1_u32..40, any::<u32>()], 0..7)), 0..6),
    ) {
        let instructions: Vec<_> = instructions.iter().map(|(opcode, words)| instruction(*opcode, words)).collect();
        let words = module_of(40, &instructions);
        if Module::from_words(&words).is_ok() {
            round_trip(&words);
        }
    }

    /// Checks that instructions missing from the grammar load and are written unchanged, with any operands.
    #[test]
    fn any_unknown_instructions(
        instructions in prop::collection::vec((0x8000_u16.., prop::collection::vec(any::<u32>(), 0..50)), 0..20),
    ) {
        let instructions: Vec<_> = instructions.iter().map(|(opcode, words)| instruction(*opcode, words)).collect();
        round_trip(&module_of(3, &instructions));
    }
}
