//! Comparison of the ids in instructions with rspirv's own parser.
//!
//! Some instructions are excluded, since rspirv cannot parse them or takes words for ids unchecked. They are
//! written by hand in [`by_hand`]:
//! - OpSpecConstantOp whose inner opcode takes several literals or a list (rspirv reads each logical operand
//!   once);
//! - OpExtInst of a set whose instructions take literals: OpenCL.std's vloadn, vload_halfn and vloada_halfn,
//!   and OpenCL.DebugInfo.100 (rspirv calls every operand an id);
//! - OpSwitch whose selector has a width unknown to rspirv, and unknown opcodes and enumerants.

use std::collections::BTreeSet;

use rspirv::binary::{Assemble, Consumer, ParseAction, ParseState, Parser};
use rspirv::dr;
use rspirv::grammar::OperandKind;
use spirv::Op;

use super::synthesis::{self, BOUND, Synthesis};
use crate::loader::{Instruction, Module};
use crate::test_support::{bytes_of, fixtures, instruction, module_of};

type IdsByWord = BTreeSet<(usize, u32)>;

/// OpenCL.std's vloadn, vload_halfn and vloada_halfn, which end in a literal.
const VLOADS: [u32; 3] = [171, 174, 179];

/// Keeps the instructions that rspirv's parser returns.
#[derive(Default)]
struct ParsedInstructions(Vec<dr::Instruction>);

impl Consumer for ParsedInstructions {
    fn initialize(&mut self) -> ParseAction {
        ParseAction::Continue
    }
    fn finalize(&mut self) -> ParseAction {
        ParseAction::Continue
    }
    fn consume_header(&mut self, _: dr::ModuleHeader) -> ParseAction {
        ParseAction::Continue
    }
    fn consume_instruction(&mut self, inst: dr::Instruction) -> ParseAction {
        self.0.push(inst);
        ParseAction::Continue
    }
}

fn parse(words: &[u32]) -> Result<Vec<dr::Instruction>, ParseState> {
    let mut parsed = ParsedInstructions::default();
    Parser::new(&bytes_of(words), &mut parsed).parse()?;
    Ok(parsed.0)
}

/// Returns the ids of an instruction as rspirv parsed it, by the number of their word.
fn ids_of_rspirv(inst: &dr::Instruction) -> IdsByWord {
    let results = [inst.result_type, inst.result_id];
    let mut ids: IdsByWord = results.into_iter().flatten().zip(1..).map(|(id, at)| (at, id)).collect();
    let mut at = 1 + ids.len();
    for operand in &inst.operands {
        if let Some(id) = operand.id_ref_any() {
            ids.insert((at, id));
        }
        at += operand.assemble().len();
    }
    ids
}

fn ids_of(module: &Module, inst: &Instruction) -> IdsByWord {
    let mut ids = IdsByWord::new();
    module.walk(inst, &mut |at: usize, id: u32| {
        assert!(ids.insert((at, id)), "shown twice in {}", inst.name())
    });
    ids
}

/// Compares the instructions of a module one by one.
fn compare(name: &str, words: &[u32]) -> usize {
    let parsed = parse(words).unwrap_or_else(|state| panic!("rspirv cannot parse {name}: {state}"));
    let module = Module::from_words(words).unwrap_or_else(|error| panic!("{name}: {error}"));
    let set = |name: &str| {
        let is_it = |inst: &Instruction| inst.is(Op::ExtInstImport) && inst.string(2) == name;
        module.globals().find(is_it).and_then(|inst| inst.result_id())
    };
    let (opencl, debug) = (set("OpenCL.std"), set("OpenCL.DebugInfo.100"));
    assert_eq!(module.instructions().count(), parsed.len());
    for (inst, parsed) in module.instructions().zip(&parsed) {
        let mut expected = ids_of_rspirv(parsed);
        if inst.is(Op::ExtInst) && Some(inst.word(3)) == opencl && VLOADS.contains(&inst.word(4)) {
            expected.pop_last();
        }
        // rspirv's parser takes all operands of OpExtInst for ids, but this set has literals too.
        if inst.is(Op::ExtInst) && Some(inst.word(3)) == debug {
            let ids = ids_of(&module, &inst);
            assert!(ids.is_subset(&expected), "{name}: {parsed:?}");
            continue;
        }
        assert_eq!(ids_of(&module, &inst), expected, "{name}: {parsed:?}");
    }
    parsed.len()
}

#[test]
fn fixtures_as_rspirv_parses_them() {
    let all = fixtures().iter().map(|(name, words)| compare(name, words)).sum::<usize>();
    assert!(all > 5000, "{all} instructions");
}

#[test]
fn every_instruction_and_enumerant_of_the_grammar() {
    let mut synthesis = Synthesis::new();
    let (mut opcodes, mut instances) = (0, 0);
    for (op, grammar) in synthesis::all() {
        opcodes += 1;
        for inst in synthesis.instances(op, grammar) {
            instances += 1;
            // A type may refer to pointers that are only declared.
            let mut surroundings = match format!("{op:?}").starts_with("Type") {
                true => forward_pointers(&inst),
                false => Vec::new(),
            };
            let mut closing = Vec::new();
            match op {
                Op::Function => closing = instruction(Op::FunctionEnd as u16, &[]),
                Op::FunctionEnd => surroundings = instruction(Op::Function as u16, &[1, 2, 0, 3]),
                _ => {}
            }
            compare(&format!("Op{op:?}"), &module_of(BOUND, &[surroundings, inst.assemble(), closing]));
        }
    }
    assert!(opcodes > 850 && instances > 5000, "{opcodes} instructions in {instances} instances");
}

/// Declares all references of an instruction as pointers that follow.
fn forward_pointers(inst: &dr::Instruction) -> Vec<u32> {
    let references = inst.operands.iter().filter_map(|operand| operand.id_ref_any());
    references.flat_map(|id| instruction(Op::TypeForwardPointer as u16, &[id, 8])).collect()
}

#[test]
fn every_inner_opcode_of_spec_constant_op() {
    // Opcodes that constant operations cannot have: rspirv's parser panics at them.
    let unparsable = [
        OperandKind::LiteralContextDependentNumber,
        OperandKind::LiteralSpecConstantOpInteger,
        OperandKind::PairLiteralIntegerIdRef,
    ];
    // Opcodes whose operands newer grammars changed. None of them computes a constant.
    let changed =
        [Op::ReadPipeBlockingALTERA, Op::WritePipeBlockingALTERA, Op::CompositeConstructContinuedINTEL];
    let mut synthesis = Synthesis::new();
    let mut count = 0;
    for (op, grammar) in synthesis::all() {
        if changed.contains(&op) || grammar.iter().any(|operand| unparsable.contains(&operand.kind)) {
            continue;
        }
        count += 1;
        let inst = synthesis.spec_constant_op(op, grammar);
        compare(&format!("OpSpecConstantOp {op:?}"), &module_of(BOUND, &[inst.assemble()]));
    }
    assert!(count > 850);
}

fn string(text: &str) -> Vec<u32> {
    dr::Operand::LiteralString(text.to_owned()).assemble()
}

/// Checks the ids of the last instruction, by the number of their word.
#[track_caller]
fn by_hand(before: &[Vec<u32>], opcode: Op, operands: &[u32], id_words: &[usize]) {
    by_number(before, opcode as u16, operands, id_words);
}

/// Like [`by_hand`], for any opcode.
#[track_caller]
fn by_number(before: &[Vec<u32>], opcode: u16, operands: &[u32], id_words: &[usize]) {
    let inst = instruction(opcode, operands);
    let words = module_of(BOUND, &[before, std::slice::from_ref(&inst)].concat());
    let module = Module::from_words(&words).unwrap();
    let expected: IdsByWord = id_words.iter().map(|&at| (at, inst[at])).collect();
    let last = module.instructions().last().unwrap();
    assert_eq!(ids_of(&module, &last), expected, "{} {operands:?}", last.name());
}

/// Checks instructions and enumerants that are newer than rspirv's grammar, and those that newer grammars
/// changed.
#[test]
fn newer_than_rspirv() {
    // OpPredicatedLoadINTEL, Aligned; OpConstantDataKHR, of literals only; OpAbortKHR.
    by_number(&[], 6258, &[1, 2, 3, 4, 5, 2, 8], &[1, 2, 3, 4, 5]);
    by_number(&[], 5147, &[1, 2, 3, 4, 5], &[1, 2]);
    by_number(&[], 5121, &[1, 2], &[1, 2]);
    // OpacityMicromapIdKHR takes an id, IntrinsicSAMSUNG a literal.
    by_hand(&[], Op::ExecutionModeId, &[1, 6031, 3], &[1, 3]);
    by_hand(&[], Op::Decorate, &[1, 7040, 3], &[1]);
    // MultipleWaitQueuesQCOM is a bit with a literal.
    by_hand(&[], Op::LoopMerge, &[1, 2, 0x1000_0000, 3], &[1, 2]);
    // The second and third ids of these are not a type and a result, so they may be equal twice.
    for op in [Op::ReadPipeBlockingALTERA, Op::WritePipeBlockingALTERA] {
        let twice = instruction(op as u16, &[1, 2, 3, 4]);
        by_hand(&[twice], op, &[1, 2, 3, 4], &[1, 2, 3, 4]);
    }
}

#[test]
fn spec_constant_operations_with_literals() {
    let op = |inner: Op, rest: &[u32]| [&[1, 2, inner as u32], rest].concat();
    by_hand(&[], Op::SpecConstantOp, &op(Op::CompositeExtract, &[3, 4, 5, 6]), &[1, 2, 4]);
    by_hand(&[], Op::SpecConstantOp, &op(Op::CompositeInsert, &[3, 4, 5, 6, 7]), &[1, 2, 4, 5]);
    by_hand(&[], Op::SpecConstantOp, &op(Op::VectorShuffle, &[3, 4, 5, 6, u32::MAX]), &[1, 2, 4, 5]);
    by_hand(&[], Op::SpecConstantOp, &op(Op::AccessChain, &[3, 4, 5, 6]), &[1, 2, 4, 5, 6, 7]);
    by_hand(&[], Op::SpecConstantOp, &op(Op::Select, &[3, 4, 5]), &[1, 2, 4, 5, 6]);
    // An inner opcode missing from the grammar: every word that could be an id.
    by_hand(&[], Op::SpecConstantOp, &[1, 2, 0x7fff, 3, 0, 4, u32::MAX, BOUND], &[1, 2, 4, 6]);
}

#[test]
fn extended_instructions_with_literals() {
    let import = |name: &str| [instruction(Op::ExtInstImport as u16, &[&[9], &string(name)[..]].concat())];
    let std = import("OpenCL.std");
    // vloadn: offset, p, n; vload_halfn and vloada_halfn alike, but not vstoren.
    for vload in VLOADS {
        by_hand(&std, Op::ExtInst, &[1, 2, 9, vload, 3, 4, 8], &[1, 2, 3, 5, 6]);
    }
    by_hand(&std, Op::ExtInst, &[1, 2, 9, 172, 3, 4, 5], &[1, 2, 3, 5, 6, 7]);
    // printf: a format and any number of values.
    by_hand(&std, Op::ExtInst, &[1, 2, 9, 184, 3, 4, 5, 6], &[1, 2, 3, 5, 6, 7, 8]);
    // An instruction missing from the set: every word that could be an id.
    by_hand(&std, Op::ExtInst, &[1, 2, 9, 999, 3, BOUND, 0, 6], &[1, 2, 3, 5, 8]);
    let debug = import("OpenCL.DebugInfo.100");
    // DebugTypeBasic: name, size, encoding. DebugTypePointer: base type, storage class, flags.
    by_hand(&debug, Op::ExtInst, &[1, 2, 9, 2, 3, 4, 5], &[1, 2, 3, 5, 6]);
    by_hand(&debug, Op::ExtInst, &[1, 2, 9, 3, 3, 4, 5], &[1, 2, 3, 5]);
    // DebugTypeFunction: flags, return type, parameter types.
    by_hand(&debug, Op::ExtInst, &[1, 2, 9, 8, 3, 4, 5, 6], &[1, 2, 3, 6, 7, 8]);
    // DebugExpression: operations. DebugOperation: an opcode and its literals.
    by_hand(&debug, Op::ExtInst, &[1, 2, 9, 31, 3, 4], &[1, 2, 3, 5, 6]);
    by_hand(&debug, Op::ExtInst, &[1, 2, 9, 30, 3, 4, 5], &[1, 2, 3]);
    // DebugImportedEntity: name, tag, source, entity, line, column, parent; as llvm-spirv writes it, with a zero before the source.
    by_hand(&debug, Op::ExtInst, &[1, 2, 9, 34, 3, 1, 4, 5, 7, 0, 6], &[1, 2, 3, 5, 7, 8, 11]);
    by_hand(&debug, Op::ExtInst, &[1, 2, 9, 34, 3, 1, 0, 4, 5, 7, 0, 6], &[1, 2, 3, 5, 8, 9, 12]);
    // DebugTypeTemplateTemplateParameter: name, template, source, line, column. DebugTypeTemplateParameterPack: name, source, line,
    // column, parameters. llvm-spirv exchanges their numbers.
    by_hand(&debug, Op::ExtInst, &[1, 2, 9, 16, 3, 4, 5, 0, 0], &[1, 2, 3, 5, 6, 7]);
    by_hand(&debug, Op::ExtInst, &[1, 2, 9, 17, 3, 4, 5, 0, 0], &[1, 2, 3, 5, 6, 7]);
    by_hand(&debug, Op::ExtInst, &[1, 2, 9, 17, 3, 4, 0, 0, 5, 6], &[1, 2, 3, 5, 6, 9, 10]);
    by_hand(&debug, Op::ExtInst, &[1, 2, 9, 16, 3, 4, 0, 0, 5, 6], &[1, 2, 3, 5, 6, 9, 10]);
    by_hand(&debug, Op::ExtInst, &[1, 2, 9, 16, 3, 4, 0, 0], &[1, 2, 3, 5, 6]);
    // SPV_KHR_non_semantic_info: every operand is an id, whatever the set.
    by_hand(&import("NonSemantic.Made.Up"), Op::ExtInst, &[1, 2, 9, 700, 3, 4], &[1, 2, 3, 5, 6]);
    by_hand(
        &import("NonSemantic.Shader.DebugInfo.100"),
        Op::ExtInst,
        &[1, 2, 9, 103, 3, 4],
        &[1, 2, 3, 5, 6],
    );
    by_hand(&import("GLSL.std.450"), Op::ExtInst, &[1, 2, 9, 26, 3, 4], &[1, 2, 3, 5, 6]);
    // An unknown set, and one that is not imported: every word that could be an id.
    by_hand(&import("Vendor.Made.Up"), Op::ExtInst, &[1, 2, 9, 1, 0, 4, BOUND], &[1, 2, 3, 6]);
    by_hand(&[], Op::ExtInst, &[1, 2, 9, 1, 0, 4, BOUND], &[1, 2, 3, 6]);
    // Forward references.
    by_hand(&import("NonSemantic.Made.Up"), Op::ExtInstWithForwardRefsKHR, &[1, 2, 9, 7, 3], &[1, 2, 3, 5]);
}

#[test]
fn switches_as_wide_as_their_selector() {
    for (width, literal) in [(8, 1), (16, 1), (32, 1), (33, 2), (64, 2), (65, 3), (128, 4)] {
        let before =
            [instruction(Op::TypeInt as u16, &[1, width, 0]), instruction(Op::Undef as u16, &[1, 2])];
        let case = |label: u32| [vec![7; literal], vec![label]].concat();
        let operands = [vec![2, 3], case(4), case(5)].concat();
        by_hand(&before, Op::Switch, &operands, &[1, 2, 3 + literal, 4 + 2 * literal]);
        by_hand(&before, Op::Switch, &[2, 3], &[1, 2]);
    }
    // The selector may be a constant operation or the result of an instruction; only its type counts.
    let int64 = instruction(Op::TypeInt as u16, &[1, 64, 1]);
    let constant = instruction(Op::Constant as u16, &[1, 2, 5, 0]);
    let sum = instruction(Op::IAdd as u16, &[1, 6, 2, 2]);
    by_hand(&[int64, constant, sum], Op::Switch, &[6, 3, 7, 7, 4], &[1, 2, 5]);
}

#[test]
fn instructions_outside_the_grammar() {
    let unknown = |words: &[u32]| module_of(BOUND, &[instruction(0x7fff, words)]);
    let words = unknown(&[1, 0, BOUND - 1, BOUND, u32::MAX, 5]);
    let module = Module::from_words(&words).unwrap();
    let expected = IdsByWord::from([(1, 1), (3, BOUND - 1), (6, 5)]);
    assert_eq!(ids_of(&module, &module.instructions().next().unwrap()), expected);
    // A decoration: OpDecorateId has those with ids. An execution mode with ids: the following words could be ids.
    by_hand(&[], Op::Decorate, &[1, 0x7ffe, 3, 0, 4], &[1]);
    by_hand(&[], Op::ExecutionModeId, &[1, 0x7ffe, 3], &[1, 3]);
    // A bit of a mask: the parameters of lower bits are known (2: one literal), those from it on are not, nor
    // the start of a second mask.
    by_hand(&[], Op::Load, &[1, 2, 3, 0x0400_0002, 16, 5], &[1, 2, 3, 6]);
    by_hand(&[], Op::CopyMemory, &[1, 2, 0x0400_0002, 16, 8, 0x7fff_fff0], &[1, 2, 5]);
    // Arrays of a loop with their dependencies (2: how many pairs of an array and a number), and three numbers of two words each.
    by_hand(&[], Op::LoopMerge, &[1, 2, 0x4_0000, 2, 3, 0, 4, 0], &[1, 2, 4, 5, 7]);
    by_hand(&[], Op::LoopMerge, &[1, 2, 0x100_0000, 5, 0, 6, 0, 7, 0], &[1, 2, 4, 6, 8]);
    by_hand(&[], Op::ImageSampleImplicitLod, &[1, 2, 3, 4, 0x0080_0001, 5, 6], &[1, 2, 3, 4, 6, 7]);
}

#[test]
fn parameters_that_are_ids() {
    // Image operands Bias|Grad|Sample: 1 + 2 + 1 ids.
    by_hand(&[], Op::ImageSampleImplicitLod, &[1, 2, 3, 4, 0x45, 5, 6, 7, 8], &[1, 2, 3, 4, 6, 7, 8, 9]);
    // Memory access Aligned|MakePointerVisible: a literal, then a scope.
    by_hand(&[], Op::Load, &[1, 2, 3, 0x12, 4, 5], &[1, 2, 3, 6]);
    by_hand(&[], Op::CopyMemory, &[1, 2, 0xa, 4, 5, 0x12, 6, 7], &[1, 2, 5, 8]);
    // UniformId takes a scope, CounterBuffer an id, LinkageAttributes a string and no id.
    by_hand(&[], Op::DecorateId, &[1, 27, 3], &[1, 3]);
    by_hand(&[], Op::DecorateId, &[1, 5634, 3], &[1, 3]);
    by_hand(&[], Op::Decorate, &[&[1, 41], &string("abc")[..], &[1]].concat(), &[1]);
    // LocalSizeId.
    by_hand(&[], Op::ExecutionModeId, &[1, 38, 3, 4, 5], &[1, 3, 4, 5]);
    by_hand(&[], Op::ExecutionMode, &[1, 17, 3, 4, 5], &[1]);
    // Cooperative matrices: OpCooperativeMatrixLoadKHR with a stride and memory access, and the multiplication's operands.
    by_hand(&[], Op::CooperativeMatrixLoadKHR, &[1, 2, 3, 4, 5, 0x12, 16, 6], &[1, 2, 3, 4, 5, 8]);
    by_hand(&[], Op::CooperativeMatrixMulAddKHR, &[1, 2, 3, 4, 5, 0xf], &[1, 2, 3, 4, 5]);
}

/// Checks that the words before the functions are a module of their own, with the same globals.
#[test]
fn words_before_the_functions() {
    for (name, words) in crate::test_support::fixtures() {
        let module = Module::from_words(&words[..]).unwrap();
        let before = Module::before_functions(&words);
        assert_eq!(before, &words[..module.globals_end() as usize], "{name}");
        let before = Module::from_words(before).unwrap();
        let same = module.globals().map(|inst| inst.words()).eq(before.globals().map(|inst| inst.words()));
        assert!(same && before.functions().is_empty(), "{name}");
    }
    // Malformed words are never read out of bounds.
    for words in [&[][..], &[1, 2, 3], &[0; 6], &[0, 0, 0, 0, 0, 0xffff_0011]] {
        assert_eq!(Module::before_functions(words), words);
    }
}
