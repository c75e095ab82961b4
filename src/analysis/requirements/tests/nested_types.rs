//! Tests that deep types, and types that use a type many times, take time linear in the size of the module.

use spirv::{Capability, Op, StorageClass};

use super::subject::trimmed;
use crate::test_support::{instruction, module_of};

/// Returns a module with nested structures, the innermost with a pointer, and a value of the outermost. Each has `members` members of the
/// previous type.
fn structures(depth: u32, members: usize) -> Vec<u32> {
    const UINT: u32 = 3;
    const POINTER: u32 = 4;
    const LABEL: u32 = 5;
    const VALUE: u32 = 6;
    const MAIN: u32 = 7;
    let first = 8;
    let mut all = vec![
        instruction(Op::Capability as u16, &[Capability::Shader as u32]),
        instruction(Op::Capability as u16, &[Capability::Linkage as u32]),
        instruction(Op::Capability as u16, &[Capability::VariablePointersStorageBuffer as u32]),
        instruction(Op::MemoryModel as u16, &[0, 1]),
        instruction(Op::TypeVoid as u16, &[1]),
        instruction(Op::TypeFunction as u16, &[2, 1]),
        instruction(Op::TypeInt as u16, &[UINT, 32, 0]),
        instruction(Op::TypePointer as u16, &[POINTER, StorageClass::StorageBuffer as u32, UINT]),
        instruction(Op::TypeStruct as u16, &[first, POINTER]),
    ];
    for id in first + 1..first + depth {
        let operands: Vec<u32> = [id].into_iter().chain(std::iter::repeat_n(id - 1, members)).collect();
        all.push(instruction(Op::TypeStruct as u16, &operands));
    }
    all.extend([
        instruction(Op::Function as u16, &[1, MAIN, 0, 2]),
        instruction(Op::Label as u16, &[LABEL]),
        instruction(Op::Undef as u16, &[first + depth - 1, VALUE]),
        instruction(Op::Return as u16, &[]),
        instruction(Op::FunctionEnd as u16, &[]),
    ]);
    module_of(first + depth, &all)
}

#[test]
fn pointers_in_structures_are_found_once() {
    for (depth, members) in [(1, 1), (64, 2), (100_000, 1)] {
        let words = structures(depth, members);
        assert_eq!(trimmed(&words), words, "{depth}: the value requires variable pointers");
    }
}
