//! Tests of modules inside files: exactly the modules in a file are found.

use std::sync::LazyLock;

use proptest::collection::vec;
use proptest::prelude::*;
use spirv::Op;

use super::corruption::small_fixtures;
use crate::loader::{EmbeddedModule, Module, embedded};
use crate::test_support::{bytes_of, fixtures, instruction, module_of};

static FIXTURES: LazyLock<Vec<(String, Vec<u32>)>> = LazyLock::new(fixtures);

fn embedded_in(bytes: &[u8]) -> Vec<EmbeddedModule> {
    embedded(bytes).collect()
}

fn swapped(words: &[u32]) -> Vec<u32> {
    words.iter().map(|word| word.swap_bytes()).collect()
}

/// Returns the start of a module: capabilities, the memory model.
fn head(capability: u32) -> Vec<Vec<u32>> {
    vec![instruction(17, &[capability]), instruction(14, &[0, 1])]
}

const SHADER: u32 = 1;
const LINKAGE: u32 = 5;

/// Returns the function %3, and its types.
fn types_and_function() -> ([Vec<u32>; 2], [Vec<u32>; 4]) {
    let types = [instruction(19, &[1]), instruction(33, &[2, 1])];
    let function = [(54, &[1, 3, 0, 2][..]), (248, &[4]), (253, &[]), (56, &[])];
    (types, function.map(|(opcode, operands)| instruction(opcode, operands)))
}

/// Returns a module of one function, with these instructions before and after.
fn around_a_function(before: &[Vec<u32>], after: &[Vec<u32>]) -> Vec<u32> {
    let (types, function) = types_and_function();
    module_of(20, &[&head(LINKAGE)[..], &types, before, &function, after].concat())
}

/// Checks that the whole module is found in both byte orders, before any other bytes.
#[track_caller]
fn is_found(words: &[u32]) {
    let not_of_it: [&[u32]; 6] = [&[], &[0, 0], &[u32::MAX; 9], &[0x0001_0000; 9], &[0x0002_7fff; 9], words];
    for (rest, order) in not_of_it.into_iter().flat_map(|rest| [(rest, false), (rest, true)]) {
        let whole = [words, rest].concat();
        let bytes = bytes_of(&if order { swapped(&whole) } else { whole });
        let size = words.len() * 4;
        let second = (rest == words).then_some(EmbeddedModule { offset: size, size });
        let expected: Vec<_> = [EmbeddedModule { offset: 0, size }].into_iter().chain(second).collect();
        assert_eq!(embedded_in(&bytes), expected, "{rest:x?}");
    }
}

#[track_caller]
fn nothing_in(bytes: &[u8]) {
    assert_eq!(embedded_in(bytes), []);
}

#[test]
fn every_fixture_alone() {
    for (_, words) in FIXTURES.iter() {
        is_found(words);
    }
}

/// Returns the bytes between two modules.
fn filler() -> impl Strategy<Value = Vec<u8>> {
    let words = |words: &[u32]| Just(bytes_of(words));
    prop_oneof![
        (0_usize..70).prop_map(|size| vec![0; size]),
        (0_usize..70).prop_map(|size| vec![0xff; size]),
        vec(any::<u8>(), 0..300),
        "[ -~\n]{0,100}".prop_map(String::into_bytes),
        // Code that compares with the magic number, and the number in tables.
        Just(b"\x81\x3f\x03\x02\x23\x07\x75\x0c\x07\x23\x02\x03".to_vec()),
        words(&[spirv::MAGIC_NUMBER, 0x0001_0000, spirv::MAGIC_NUMBER]),
        // A whole header, and no module after it.
        words(&[spirv::MAGIC_NUMBER, 0x0001_0000, 0, 1, 0]),
        words(&[spirv::MAGIC_NUMBER, 0x0001_0000, 0, 9, 0, 0x0002_0011, 1, 0x0003_000e, 0, 1, 0]),
        // Sizes and padding that look like instructions of one word and of more.
        words(&[0x0001_7fff, 0]),
        words(&[0x0004_0008, 0]),
        words(&[0x0005_0036, 0]),
        words(&[0x0001_0000; 5]),
        Just([b"\x7fELF\x02\x01\x01".to_vec(), vec![0; 9], vec![3, 0, 62, 0, 1, 0, 0, 0]].concat()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    /// Modules at any alignment, in either byte order, between arbitrary bytes.
    #[test]
    fn any_file(
        parts in vec((filler(), any::<prop::sample::Index>(), any::<bool>()), 0..6),
        rest in filler(),
    ) {
        let mut file = Vec::new();
        let mut expected = Vec::new();
        for (before, which, swap) in parts {
            file.extend(before);
            let (_, words) = &FIXTURES[which.index(FIXTURES.len())];
            expected.push(EmbeddedModule { offset: file.len(), size: words.len() * 4 });
            file.extend(bytes_of(&if swap { swapped(words) } else { words.clone() }));
        }
        file.extend(rest);
        prop_assert_eq!(embedded_in(&file), expected);
    }

    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..2000)) {
        nothing_in(&bytes);
    }
}

/// Checks the modules in an archive. `header` makes the header of each member in the archive's format.
fn archive(start: &[u8], header: impl Fn(&str, usize) -> Vec<u8>, align: usize, pad: u8) {
    let mut file = start.to_vec();
    let mut expected = Vec::new();
    for (name, words) in FIXTURES.iter() {
        file.extend(header(name, words.len() * 4));
        expected.push(EmbeddedModule { offset: file.len(), size: words.len() * 4 });
        file.extend(bytes_of(words));
        file.resize(file.len().next_multiple_of(align), pad);
    }
    assert_eq!(embedded_in(&file), expected);
}

#[test]
fn archives() {
    // ar: 60 characters.
    let ar = |name: &str, size| format!("{name:<28.28}0     0     100644  {size:<10}`\n").into_bytes();
    archive(b"!<arch>\n", ar, 2, b'\n');
    // tar: blocks of 512 bytes.
    let tar = |name: &str, size: usize| {
        let mut header = format!("{name:\0<100}0000644\x000000000\x000000000\0{size:011o}\0").into_bytes();
        header.resize(512, 0);
        header
    };
    archive(&[], tar, 512, 0);
    // No bytes between the members.
    archive(&[], |_, _| Vec::new(), 1, 0);
}

#[test]
fn truncated_modules_are_not_found() {
    for (name, words) in small_fixtures() {
        let bytes = bytes_of(&words);
        let whole = |offset| [EmbeddedModule { offset, size: bytes.len() }];
        let module = Module::from_words(&words).unwrap();
        let model = module.instructions().find(|inst| inst.is(Op::MemoryModel)).unwrap().end() as usize * 4;
        for size in 0..bytes.len() {
            // The start of a library up to the memory model is a library too: nothing shows that it was cut
            // off. Zeros may complete the memory model.
            if name == "opencl/plain.spv" && (model - 9..model + 4).contains(&size) {
                continue;
            }
            let cut = &bytes[..size];
            assert_eq!(embedded_in(cut), [], "{name} cut at {size}");
            // The zeros may equal the bytes that were cut off.
            let padded = [cut, &[0; 16]].concat();
            let expected = padded.starts_with(&bytes).then(|| whole(0)).into_iter().flatten();
            assert!(embedded(&padded).eq(expected), "{name} cut at {size}");
            if size % 16 < 4 {
                assert_eq!(embedded_in(&[cut, &bytes].concat()), whole(size), "{name} cut at {size}");
            }
        }
    }
}

#[test]
fn damaged_modules_load_or_are_not_found() {
    for (name, mut words) in small_fixtures() {
        for at in 0..words.len() {
            let good = words[at];
            for bad in [0, 1, u32::MAX, good ^ 0x8000_0000, good.wrapping_add(1), 0x0001_0000 | good & 0xffff]
            {
                words[at] = bad;
                let bytes = bytes_of(&words);
                for module in embedded(&bytes) {
                    let loaded = Module::from_bytes(&bytes[module.range()]);
                    assert!(loaded.is_ok(), "{name}: word {at} is {bad:#x}: {loaded:?}");
                }
            }
            words[at] = good;
        }
    }
}

#[test]
fn the_end_of_a_module() {
    let (line, no_line) = (instruction(8, &[5, 1, 1]), instruction(317, &[]));
    let import = instruction(11, &[6, u32::from_le_bytes(*b"Non\0")]);
    let string = instruction(7, &[5, u32::from_le_bytes(*b"a.c\0")]);
    let reflection = instruction(12, &[1, 7, 6, 1, 3]);
    let (types, function) = types_and_function();
    let start = [vec![instruction(17, &[LINKAGE]), import, instruction(14, &[0, 1]), string], types.to_vec()];
    for end in
        [vec![line.clone()], vec![line.clone(), no_line.clone()], vec![reflection], vec![no_line], vec![]]
    {
        is_found(&module_of(20, &[&start.concat()[..], &function, &end].concat()));
        // Lines may precede a function.
        is_found(&module_of(20, &[&start.concat()[..], &end, &function].concat()));
    }
    // An operand that is not an id: a size, which only looks like an OpLine.
    let words = around_a_function(&[], &[]);
    for size in
        [[0x0004_0008, 0, 0, 0], [0x0004_0008, 20, 1, 1], [0x0005_0036, 0, 0, 0], [0x0005_000c, 1, 2, 0]]
    {
        let bytes = bytes_of(&[&words[..], &size, &[7, 7]].concat());
        assert_eq!(embedded_in(&bytes), [EmbeddedModule { offset: 0, size: words.len() * 4 }], "{size:x?}");
    }
}

#[test]
fn modules_without_functions() {
    let void = instruction(19, &[1]);
    is_found(&module_of(20, &head(LINKAGE)));
    is_found(&module_of(20, &[&head(LINKAGE)[..], &[void.clone(), instruction(33, &[2, 1])]].concat()));
    // An undefined id shows that the rest is missing, in a module without callable functions too.
    let decorated = [&head(LINKAGE)[..], &[instruction(71, &[2, 0]), void.clone()]].concat();
    nothing_in(&bytes_of(&module_of(20, &decorated)));
    nothing_in(&bytes_of(&module_of(20, &[&head(SHADER)[..], std::slice::from_ref(&void)].concat())));
    // A module without a memory model is not complete either.
    nothing_in(&bytes_of(&module_of(20, &[instruction(17, &[LINKAGE]), void])));
    nothing_in(&bytes_of(&module_of(20, &[instruction(17, &[LINKAGE])])));
    nothing_in(&bytes_of(&module_of(20, &[])));
}

#[test]
fn headers() {
    let good = around_a_function(&[], &[]);
    // Any known version and generator are accepted. Newer versions, other version layouts, other schemas, and
    // bounds that are out of range or out of proportion are refused.
    for (at, word, is_one) in [
        (1, 0x0001_0000, true),
        (1, 0x0001_0600, true),
        (1, 0x0001_0700, false),
        (1, 0x0001_0001, false),
        (1, 0x0101_0000, false),
        (1, 0x0000_6300, false),
        (2, u32::MAX, true),
        (3, 5000, true),
        (3, 0x3f_ffff, false),
        (3, 0x40_0000, false),
        (3, 0, false),
        (4, 1, false),
    ] {
        let mut words = good.clone();
        words[at] = word;
        assert_eq!(embedded_in(&bytes_of(&words)).len(), usize::from(is_one), "{at}: {word:#x}");
    }
}

#[test]
fn unknown_instructions_belong_where_more_follows() {
    let unknown = instruction(0x7fff, &[1, 9]);
    is_found(&around_a_function(std::slice::from_ref(&unknown), &[]));
    is_found(&around_a_function(&[unknown.clone(), instruction(0, &[])], &[]));
    let words = around_a_function(&[], &[]);
    // After the last function no instruction continues the module, even if it looks like a part of it.
    for after in [vec![unknown.clone()], vec![unknown, instruction(317, &[])]] {
        let longer = around_a_function(&[], &after);
        assert_eq!(embedded_in(&bytes_of(&longer)), [EmbeddedModule { offset: 0, size: words.len() * 4 }]);
    }
}

#[test]
fn sections_are_in_order() {
    let late = [
        instruction(17, &[SHADER]),
        instruction(14, &[0, 1]),
        instruction(10, &[u32::from_le_bytes(*b"ext\0")]),
        instruction(5, &[1, 0]),
    ];
    for late in late {
        nothing_in(&bytes_of(&around_a_function(std::slice::from_ref(&late), &[])));
        // After the last function such an instruction ends the module.
        let words = around_a_function(&[], &[]);
        let longer = bytes_of(&around_a_function(&[], std::slice::from_ref(&late)));
        assert_eq!(embedded_in(&longer), [EmbeddedModule { offset: 0, size: words.len() * 4 }]);
    }
}
