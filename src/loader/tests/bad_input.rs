//! Bad input: one clear error each, with the byte offset.

use std::time::Instant;

use crate::loader::{LoadError, Module, literal};
use crate::test_support::{bytes_of, first_word, instruction, module_of};

const TYPE_VOID: u16 = 19;

fn error_of(bytes: &[u8]) -> LoadError {
    match Module::from_bytes(bytes) {
        Err(error) => error,
        Ok(_) => panic!("no error"),
    }
}

/// Checks the error's offset and message, which names the offset too.
#[track_caller]
fn bytes_fail(bytes: &[u8], offset: u64, message: &str) {
    let error = error_of(bytes);
    assert_eq!(error.offset, offset, "{error}");
    assert_eq!(error.to_string(), format!("{message} at byte offset {offset:#x} ({offset})"));
}

#[track_caller]
fn fails(words: &[u32], offset: u64, message: &str) {
    bytes_fail(&bytes_of(words), offset, message);
    if !words.is_empty() {
        let swapped: Vec<u32> = words.iter().map(|word| word.swap_bytes()).collect();
        if words[0] == spirv::MAGIC_NUMBER {
            bytes_fail(&bytes_of(&swapped), offset, message);
        }
    }
}

#[test]
fn empty() {
    bytes_fail(&[], 0, "the input is empty: expected a SPIR-V module");
}

#[test]
fn not_spirv() {
    let text = b"opcapability Shader\n; 102 bytes of text are not a module, and what is wrong is not that they are 102\n";
    for size in [4, 5, 19, 20, text.len()] {
        let message =
            "not a SPIR-V module, but text: compile it first, if it is the source of a shader or a kernel";
        assert_eq!(error_of(&text[..size]).to_string(), message);
    }
    fails(
        &[0x4243_c0de, 1, 2, 3, 4],
        0,
        "not a SPIR-V module: it starts with 0x4243c0de instead of the magic number 0x07230203",
    );
}

#[test]
fn truncated() {
    let words = module_of(3, &[instruction(TYPE_VOID, &[1]), instruction(TYPE_VOID, &[2])]);
    let bytes = bytes_of(&words);
    Module::from_bytes(&bytes).unwrap();
    for size in 1..4 {
        bytes_fail(&bytes[..size], size as u64, "truncated module: shorter than one word");
    }
    for size in [5, 19, 21, 33, 35] {
        bytes_fail(&bytes[..size], size as u64, "truncated module: its size is not a multiple of four bytes");
    }
    for size in [4, 8, 12, 16] {
        bytes_fail(&bytes[..size], size as u64, "truncated module: the header of five words is cut off");
    }
    bytes_fail(&bytes[..24], 20, "truncated module: OpTypeVoid claims 2 words, but 1 are left");
    bytes_fail(&bytes[..32], 28, "truncated module: OpTypeVoid claims 2 words, but 1 are left");
}

#[test]
fn versions() {
    let words = module_of(3, &[]);
    let version = |word: u32| [&words[..1], &[word], &words[2..]].concat();
    for word in [0x0001_0000, 0x0001_0600] {
        Module::from_words(version(word)).unwrap();
    }
    for (word, number) in [(0x0001_0700, "1.7"), (0x0002_0000, "2.0"), (0x00ff_ff00, "255.255")] {
        let error = error_of(&bytes_of(&version(word)));
        let message = format!(
            "the module is of SPIR-V {number}, and the newest known version is 1.6: compile it for a known version, or update \
             spirv-if"
        );
        assert_eq!((error.offset, error.to_string()), (4, message));
    }
    for word in [0x0001_0601, 0x0101_0600] {
        let message = format!(
            "malformed version {word:#010x} in the header: expected 0 in its first and last byte, such as 0x00010600 for \
             SPIR-V 1.6"
        );
        fails(&version(word), 4, &message);
    }
}

#[test]
fn word_counts() {
    let good = instruction(TYPE_VOID, &[1]);
    fails(
        &module_of(3, &[good.clone(), vec![first_word(0, TYPE_VOID), 2]]),
        28,
        "instruction with a word count of zero (opcode 19)",
    );
    fails(
        &module_of(3, &[good.clone(), vec![first_word(3, TYPE_VOID), 2]]),
        28,
        "truncated module: OpTypeVoid claims 3 words, but 2 are left",
    );
    fails(
        &module_of(3, &[good.clone(), vec![first_word(0xffff, 0xfffe), 2]]),
        28,
        "truncated module: Op65534 claims 65535 words, but 2 are left",
    );
    fails(
        &module_of(3, &[good, vec![first_word(1, TYPE_VOID), 2]]),
        28,
        "OpTypeVoid has 1 words, too few for its operands",
    );
}

#[test]
fn ids() {
    let void = instruction(TYPE_VOID, &[1]);
    let out_of_range = |id: u32, opcode: &str| {
        format!("id {id} in {opcode} is out of range: ids are from 1 to 2, below the bound in the header")
    };
    for id in [0, 3, u32::MAX] {
        // As a result, as a reference, among parameters, and in a list.
        fails(&module_of(3, &[instruction(TYPE_VOID, &[id])]), 20, &out_of_range(id, "OpTypeVoid"));
        fails(
            &module_of(3, &[void.clone(), instruction(33, &[2, id])]),
            28,
            &out_of_range(id, "OpTypeFunction"),
        );
        let decorate = instruction(332, &[1, 5634, id]);
        fails(&module_of(3, &[void.clone(), decorate]), 28, &out_of_range(id, "OpDecorateId"));
        let phi = instruction(245, &[1, 2, 1, 2, 1, id]);
        fails(&module_of(3, &[void.clone(), phi]), 28, &out_of_range(id, "OpPhi"));
    }
    // A debug instruction has an id 0 only in the form in which a producer writes it (spec-extensions/debug-forms.csv).
    let import = [&[2][..], &literal("OpenCL.DebugInfo.100")].concat();
    let debug = |number: u32, operands: &[u32]| {
        let inst = instruction(12, &[&[1, 3, 2, number], operands].concat());
        module_of(4, &[instruction(11, &import), void.clone(), inst])
    };
    let end = 20 + 4 * (instruction(11, &import).len() + void.len()) as u64;
    assert!(Module::from_words(debug(34, &[1, 0, 0, 1, 1, 2, 0, 1])).is_ok());
    let zero = "id 0 in OpExtInst is out of range: ids are from 1 to 3, below the bound in the header";
    for (number, operands) in [
        // The specification's form, and the producer's without the word too many, and with another id 0.
        (34, &[1, 0, 0, 1, 2, 0, 1][..]),
        (34, &[1, 0, 1, 0, 2, 0, 1]),
        (34, &[1, 0, 0, 1, 0, 2, 0, 1]),
        (16, &[1, 0, 1, 0, 0]),
        (2, &[1, 0, 0]),
    ] {
        fails(&debug(number, operands), end, zero);
    }
    // Every id is checked, not only the first or the last.
    fails(&module_of(3, &[void, instruction(33, &[2, 9, 1])]), 28, &out_of_range(9, "OpTypeFunction"));
}

#[test]
fn bounds() {
    let message = |bound: u32| format!("the id bound {bound} is out of range: it must be from 1 to 4194303");
    for bound in [0, 4_194_304, u32::MAX] {
        fails(&module_of(bound, &[]), 12, &message(bound));
    }
    for bound in [1, 4_194_303] {
        Module::from_words(module_of(bound, &[])).unwrap();
        // OpCapability Shader: no id is in it.
        Module::from_words(module_of(bound, &[instruction(17, &[1])])).unwrap();
    }
}

#[test]
fn unterminated_strings() {
    let full = 0x6161_6161;
    let cases: [(&str, u16, &[u32]); 7] = [
        ("OpString", 7, &[2, full]),
        ("OpName", 5, &[1, full, full]),
        ("OpExtension", 10, &[full]),
        ("OpMemberName", 6, &[1, 0, full]),
        ("OpEntryPoint", 15, &[5, 1, full, full]),
        ("OpDecorate", 71, &[1, 41, full]),
        ("OpSource", 3, &[2, 450, 1, full]),
    ];
    let void = instruction(TYPE_VOID, &[1]);
    for (name, opcode, operands) in cases {
        let bad = module_of(3, &[void.clone(), instruction(opcode, operands)]);
        fails(&bad, 28, &format!("unterminated string in {name}"));
        // What comes after does not end it.
        let followed = module_of(3, &[void.clone(), instruction(opcode, operands), instruction(0, &[])]);
        fails(&followed, 28, &format!("unterminated string in {name}"));
    }
}

/// Checks instructions with fewer and more words than the grammar allows: of fixed size, with pairs, strings,
/// numbers, parameters of enumerants and operands of inner opcodes.
#[test]
fn operand_counts() {
    let int = instruction(21, &[1, 64, 0]);
    let import = [&[2][..], &literal("OpenCL.std")].concat();
    let import = instruction(11, &import);
    let start = 20 + 4 * (int.len() + import.len()) as u64;
    /// Name and opcode, then too few operands, the right number, and too many.
    type Case<'a> = (&'a str, u16, &'a [u32], &'a [u32], &'a [u32]);
    let cases: [Case; 17] = [
        ("OpLabel", 248, &[], &[5], &[5, 0]),
        ("OpString", 7, &[5], &[5, 0x61], &[5, 0x61, 0]),
        ("OpEntryPoint", 15, &[5, 1], &[5, 1, 0x61, 3], &[]),
        ("OpPhi", 245, &[1, 5, 3], &[1, 5, 3, 4], &[]),
        ("OpConstant", 43, &[1, 5, 0], &[1, 5, 0, 0], &[1, 5, 0, 0, 0]),
        ("OpTypePointer", 32, &[5, 1], &[5, 1, 1], &[5, 1, 1, 1]),
        ("OpDecorate", 71, &[1, 44], &[1, 44, 8], &[1, 44, 8, 8]),
        ("OpDecorate", 71, &[1, 41, 0x61], &[1, 41, 0x61, 1], &[1, 41, 0x61, 1, 1]),
        ("OpExecutionMode", 16, &[5, 17, 1, 1], &[5, 17, 1, 1, 1], &[5, 17, 1, 1, 1, 1]),
        ("OpLoad", 61, &[1, 5, 3, 2], &[1, 5, 3, 2, 8], &[1, 5, 3, 2, 8, 8]),
        (
            "OpImageSampleImplicitLod",
            87,
            &[1, 5, 3, 4, 3, 6],
            &[1, 5, 3, 4, 3, 6, 7],
            &[1, 5, 3, 4, 3, 6, 7, 7],
        ),
        ("OpSpecConstantOp", 52, &[1, 5, 128, 3], &[1, 5, 128, 3, 3], &[1, 5, 128, 3, 3, 3]),
        ("OpSpecConstantOp", 52, &[1, 5, 81], &[1, 5, 81, 3], &[]),
        // fma takes three, printf a format and any number.
        ("OpExtInst", 12, &[1, 5, 2, 26, 3, 4], &[1, 5, 2, 26, 3, 4, 4], &[1, 5, 2, 26, 3, 4, 4, 4]),
        ("OpExtInst", 12, &[1, 5, 2, 184], &[1, 5, 2, 184, 3, 4], &[]),
        ("OpSwitch", 251, &[7, 3, 1], &[7, 3, 1, 4], &[]),
        ("OpGroupMemberDecorate", 75, &[7, 3], &[7, 3, 1], &[]),
    ];
    for (name, opcode, short, right, long) in cases {
        let module = |operands| module_of(9, &[int.clone(), import.clone(), instruction(opcode, operands)]);
        Module::from_words(module(right)).unwrap();
        let bad = module(short);
        fails(&bad, start, &format!("{name} has {} words, too few for its operands", short.len() + 1));
        if !long.is_empty() {
            let message = format!("{name} has {} words, more than its operands take", long.len() + 1);
            fails(&module(long), start, &message);
        }
    }
}

/// Checks that a type refers only to earlier definitions or to declared pointers, so that none contains
/// itself without end.
#[test]
fn forward_references_of_types() {
    let forward = |id| instruction(39, &[id, 8]);
    let pointer = instruction(32, &[2, 8, 3]);
    let structure = instruction(30, &[3, 2]);
    let array = |id, of| instruction(28, &[id, of, 5]);
    let length = [instruction(21, &[4, 32, 0]), instruction(43, &[4, 5, 1])].concat();
    let refused = |opcode: &str, id: u32| {
        format!(
            "{opcode} refers to %{id}, which is not defined before it: only a pointer that OpTypeForwardPointer \
             declared may be"
        )
    };
    // A structure that holds a pointer to itself, or an array of such pointers.
    Module::from_words(module_of(9, &[forward(2), structure.clone(), pointer.clone()])).unwrap();
    let inside = [length.clone(), forward(2), array(6, 2), instruction(30, &[3, 6]), pointer.clone()];
    Module::from_words(module_of(9, &inside)).unwrap();
    fails(&module_of(9, &[structure.clone(), pointer]), 20, &refused("OpTypeStruct", 2));
    fails(&module_of(9, &[length.clone(), array(6, 6)]), 52, &refused("OpTypeArray", 6));
    fails(&module_of(9, &[length.clone(), array(6, 7), array(7, 6)]), 52, &refused("OpTypeArray", 7));
    fails(&module_of(9, &[instruction(29, &[6, 6])]), 20, &refused("OpTypeRuntimeArray", 6));
    fails(&module_of(9, &[instruction(30, &[6, 6])]), 20, &refused("OpTypeStruct", 6));
    // A pointer to itself, declared or not, and a declaration of an id that is not a pointer.
    fails(&module_of(9, &[instruction(32, &[6, 8, 6])]), 20, &refused("OpTypePointer", 6));
    fails(&module_of(9, &[forward(6), instruction(32, &[6, 8, 6])]), 32, &refused("OpTypePointer", 6));
    let message = "OpTypeForwardPointer declares %6, which is not a pointer but OpTypeRuntimeArray";
    fails(&module_of(9, &[forward(6), instruction(29, &[7, 6]), instruction(29, &[6, 7])]), 20, message);
    // A pointer to a type that is not a structure, though a structure holds it.
    let message = "OpTypeForwardPointer declares %2, which does not point to a structure but OpTypeInt";
    let number = instruction(21, &[4, 32, 0]);
    fails(&module_of(9, &[number, forward(2), structure.clone(), instruction(32, &[2, 8, 4])]), 36, message);
    let array_of_itself = [forward(2), instruction(29, &[6, 2]), instruction(32, &[2, 8, 6])];
    fails(&module_of(9, &array_of_itself), 20, &message.replace("Int", "RuntimeArray"));
}

#[test]
fn duplicate_results() {
    let words =
        module_of(4, &[instruction(TYPE_VOID, &[1]), instruction(33, &[2, 1]), instruction(20, &[1])]);
    fails(&words, 40, "id 1 is defined a second time");
}

#[test]
fn functions() {
    let globals = [instruction(TYPE_VOID, &[1]), instruction(33, &[2, 1])].concat();
    let function = |id| instruction(54, &[1, id, 0, 2]);
    let end = instruction(56, &[]);
    fails(
        &module_of(5, &[globals.clone(), function(3)]),
        40,
        "truncated module: this OpFunction has no OpFunctionEnd",
    );
    fails(
        &module_of(5, &[globals.clone(), function(3), function(4), end.clone()]),
        60,
        "OpFunction inside a function: OpFunctionEnd is missing before it",
    );
    fails(&module_of(5, &[globals, end]), 40, "OpFunctionEnd without OpFunction");
}

/// Checks that the largest bound in the smallest module costs neither time nor memory: pages without ids are
/// never written.
#[test]
fn a_large_bound_in_a_small_module_is_cheap() {
    let bytes = bytes_of(&module_of(0x3f_ffff, &[]));
    assert_eq!(bytes.len(), 20);
    // A busy machine slows some of them down, not all.
    let best = |work: &dyn Fn()| {
        let once = |_| {
            let start = Instant::now();
            work();
            start.elapsed()
        };
        (0..100).map(once).min().unwrap()
    };
    let load = best(&|| drop(Module::from_bytes(&bytes).unwrap()));
    let write = best(&|| drop(std::hint::black_box(vec![1_u32; 0x3f_ffff])));
    assert!(load * 4 < write, "{load:?}, and {write:?} to write a table of all ids");
}

/// Checks that an unknown instruction may define a type for later instructions, but not for earlier ones.
#[test]
fn types_made_of_unknown_ones() {
    let unknown = instruction(6999, &[5, 32]);
    let pointer = |of| instruction(32, &[6, 8, of]);
    Module::from_words(module_of(9, &[unknown.clone(), pointer(5)])).unwrap();
    let refused = |id: u32| {
        format!(
            "OpTypePointer refers to %{id}, which is not defined before it: only a pointer that OpTypeForwardPointer declared \
             may be"
        )
    };
    fails(&module_of(9, &[pointer(5), unknown.clone()]), 20, &refused(5));
    fails(&module_of(9, &[unknown.clone(), pointer(6)]), 32, &refused(6));
    fails(&module_of(9, &[unknown, pointer(7), instruction(29, &[7, 6])]), 32, &refused(7));
}
