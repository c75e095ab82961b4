//! Instructions that the grammar does not have may require every declaration of the module.

use spirv::Op;

use super::subject::{declared, module, trimmed};
use crate::loader::{Module, views};
use crate::test_support::instruction;

/// Numbers without an opcode: one between opcodes, one after all of them.
const OPCODES: [u16; 2] = [5200, 0xfff0];
const CAPABILITY: u32 = 0xfff0;

const TEXT: &str = "OpCapability Float64
    OpCapability Int16
    OpCapability Sampled1D
    OpExtension \"SPV_KHR_subgroup_rotate\"
    FN %main\n%x = OpFAdd %double %d1 %d1\nEND";

/// Returns the text with an instruction before the first of an opcode.
fn with(before: Op, added: &[u32]) -> Vec<u32> {
    let mut words = module(TEXT, "spv1.6");
    let place =
        Module::from_words(&words).unwrap().instructions().find(|inst| inst.is(before)).unwrap().offset();
    words.splice(place as usize..place as usize, added.iter().copied());
    words
}

/// Adds a declaration of a capability that the grammar does not have.
fn with_capability(mut words: Vec<u32>) -> Vec<u32> {
    words.splice(5..5, instruction(Op::Capability as u16, &[CAPABILITY]));
    words
}

const UNNEEDED: [&str; 3] = ["Int16", "Sampled1D", "SPV_KHR_subgroup_rotate"];

fn all_are_kept(words: &[u32]) {
    assert_eq!(trimmed(words), words, "{:?}", declared(&trimmed(words)));
}

#[test]
fn opcodes() {
    for opcode in OPCODES {
        let words = with(Op::Return, &instruction(opcode, &[0x7777_7777]));
        all_are_kept(&words);
        all_are_kept(&with_capability(words));
    }
}

#[test]
fn enumerants() {
    let cases: [(Op, Op, &[u32]); 3] = [
        // A decoration of the entry point, an execution mode, and the operation of a specialization constant.
        (Op::TypeVoid, Op::Decorate, &[1, 0xfff0]),
        (Op::TypeVoid, Op::ExecutionMode, &[1, 0xfff0]),
        (Op::Function, Op::SpecConstantOp, &[0, 0, 0xfff0]),
    ];
    for (before, op, operands) in cases {
        let words = with(before, &[]);
        let mut operands = operands.to_vec();
        let mut words = words;
        if op == Op::SpecConstantOp {
            let module = Module::from_words(&words).unwrap();
            let double = module.globals().find_map(views::TypeFloat::new).unwrap().id();
            (operands[0], operands[1]) = (double, words[3]);
            words[3] += 1;
        }
        let place =
            Module::from_words(&words).unwrap().instructions().find(|inst| inst.is(before)).unwrap().offset();
        words.splice(place as usize..place as usize, instruction(op as u16, &operands));
        all_are_kept(&words);
        all_are_kept(&with_capability(words));
    }
}

/// An unknown source language has no requirement.
#[test]
fn source_languages() {
    let words = with(Op::TypeVoid, &instruction(Op::Source as u16, &[0xfff0, 1]));
    let names = declared(&trimmed(&words));
    assert!(UNNEEDED.iter().all(|name| !names.contains(*name)), "{names:?}");
}
