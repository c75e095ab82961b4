//! The assembler of the tests: what it makes of each kind of operand, and of whatever spirv-as assembles the same.

use std::path::Path;

use crate::assembler::{IdNumbers, assemble};
use crate::test_support::{all_fixtures, assembled_by_spirv_as, bytes_of, root, run, tool};

/// Returns the words after the header.
fn words(text: &str) -> Vec<u32> {
    assemble(text, "spv1.6", IdNumbers::FirstUse).unwrap_or_else(|error| panic!("{error}")).words[5..]
        .to_vec()
}

/// Returns the last words of an OpConstant of a type.
fn constant(ty: &str, literal: &str) -> Vec<u32> {
    words(&format!("%t = {ty} %c = OpConstant %t {literal}"))[words(&format!("%t = {ty}")).len() + 3..]
        .to_vec()
}

#[test]
fn names_are_numbered_by_their_first_use_unless_they_are_numbers() {
    let text = "OpName %f \"f\" %2 = OpTypeVoid ; %comment\n%f = OpTypeFunction %2";
    let named = assemble(text, "vulkan1.2", IdNumbers::FirstUse).unwrap();
    assert_eq!(named.words[..5], [spirv::MAGIC_NUMBER, 0x1_0500, 0x7_0000, 3, 0]);
    assert_eq!(named.words[5..], [0x3_0005, 1, 0x66, 0x2_0013, 2, 0x3_0021, 1, 2]);
    assert_eq!((named.ids["f"], named.ids["2"]), (1, 2));
    let text = text.replace("%2", "%1");
    let preserved = assemble(&text, "spv1.0", IdNumbers::Preserved).unwrap();
    assert_eq!(
        preserved.words[1..],
        [0x1_0000, 0x7_0000, 3, 0, 0x3_0005, 2, 0x66, 0x2_0013, 1, 0x3_0021, 2, 1]
    );
}

#[test]
fn numbers_have_the_width_of_their_type() {
    assert_eq!(constant("OpTypeInt 32 0", "0xffffffff"), [u32::MAX]);
    assert_eq!(constant("OpTypeInt 8 1", "-1"), [u32::MAX]);
    assert_eq!(constant("OpTypeInt 8 1", "0xff"), [u32::MAX]);
    assert_eq!(constant("OpTypeInt 16 0", "65535"), [0xffff]);
    assert_eq!(constant("OpTypeInt 64 1", "-2"), [u32::MAX - 1, u32::MAX]);
    assert_eq!(constant("OpTypeInt 64 0", "4294967296"), [0, 1]);
    assert_eq!(constant("OpTypeFloat 32", "-1.5"), [(-1.5f32).to_bits()]);
    assert_eq!(constant("OpTypeFloat 32", "0x1.8p+1"), [3f32.to_bits()]);
    assert_eq!(constant("OpTypeFloat 32", "0x1p+128"), [f32::INFINITY.to_bits()]);
    assert_eq!(constant("OpTypeFloat 32", "0x1.8p+128"), [f32::NAN.to_bits()]);
    assert_eq!(constant("OpTypeFloat 32", "1e-45"), [1]);
    assert_eq!(constant("OpTypeFloat 32", "0x1p-149"), [1]);
    assert_eq!(constant("OpTypeFloat 64", "0.1"), [0x9999_999a, 0x3fb9_9999]);
    assert_eq!(constant("OpTypeFloat 16", "1.5"), [0x3e00]);
    assert_eq!(constant("OpTypeFloat 16", "0x1.ffcp+15"), [0x7bff]);
    assert_eq!(constant("OpTypeFloat 16 BFloat16KHR", "-2"), [0xc000]);
    for (ty, literal) in [("OpTypeInt 8 0", "256"), ("OpTypeInt 8 0", "-1"), ("OpTypeFloat 32", "x")] {
        assert!(
            assemble(&format!("%t = {ty} %c = OpConstant %t {literal}"), "spv1.6", IdNumbers::FirstUse)
                .is_err()
        );
    }
}

#[test]
fn operands_are_those_of_the_grammar() {
    // A backslash stands before a quote, and a string may have lines and comment signs.
    assert_eq!(words("OpExtension \"a\\\"b;\n\""), [0x3_000a, u32::from_le_bytes(*b"a\"b;"), 0x0a]);
    // The parameters of a mask follow in the order of its bits.
    let load = words("%v = OpLoad %t %p MakePointerVisible|Aligned 4 %scope");
    assert_eq!(load, [0x7_003d, 1, 2, 3, 0x12, 4, 4]);
    // The literals of a switch are as wide as its selector.
    let switch = words("%t = OpTypeInt 64 0 %s = OpUndef %t OpSwitch %s %a 1 %b");
    assert_eq!(switch[7..], [0x6_00fb, 2, 3, 1, 0, 4]);
    let extended = words("%s = OpExtInstImport \"GLSL.std.450\" %r = OpExtInst %t %s Sqrt %x");
    assert_eq!(extended[6..], [0x6_000c, 2, 3, 1, 31, 4]);
    assert_eq!(words("%c = OpConstantDataKHR %t !67305985 !5")[3..], [67_305_985, 5]);
    assert_eq!(words("%r = OpSpecConstantOp %t IAdd %a %b"), [0x6_0034, 1, 2, 128, 3, 4]);
    // Newer grammars add these.
    assert_eq!(words("OpCapability AbortKHR OpAbortKHR %a %b"), [0x2_0011, 5120, 0x3_1401, 1, 2]);
    for wrong in
        ["OpNothing", "OpCapability Nothing", "OpCapability Shader 1", "OpName %a", "Shader", "%a = OpNop"]
    {
        assert!(assemble(wrong, "spv1.6", IdNumbers::FirstUse).is_err(), "{wrong}");
    }
}

#[test]
fn instructions_without_a_result_give_no_value_a_type() {
    let text =
        "%u32 = OpTypeInt 32 0\n%one = OpConstant %u32 1\nOpStore %place %one\nOpSwitch %one %end 1 %end";
    assert_eq!(assemble(text, "spv1.6", IdNumbers::FirstUse).map(|_| ()), Ok(()));
}

/// The texts of the tests are compared where they are assembled.
#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn every_fixture_and_case_becomes_the_words_of_spirv_as() {
    let disassembler = tool("SPIRV_DIS", "spirv-dis");
    let mut texts = Vec::new();
    for (name, words) in all_fixtures() {
        for (option, numbers) in [("--raw-id", IdNumbers::Preserved), ("--comment", IdNumbers::FirstUse)] {
            // spirv-dis reads no module of a newer version than it knows.
            let Ok(text) = run(&disassembler, &["--no-color", option], &bytes_of(&words)) else { continue };
            texts.push((name.clone(), String::from_utf8(text).unwrap(), numbers));
        }
    }
    assert!(texts.len() > 300);
    let mut folders = vec![root().join("cli/tests/cases")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "spvasm") {
                let text = std::fs::read_to_string(&path).unwrap();
                texts.push((Path::display(&path).to_string(), text, IdNumbers::FirstUse));
            }
        }
    }
    let mut different = Vec::new();
    for (name, text, numbers) in texts {
        let theirs = assembled_by_spirv_as(&text, "spv1.6", numbers);
        let ours = assemble(&text, "spv1.6", numbers).map(|assembled| assembled.words);
        different.extend((theirs.is_ok() && ours != theirs).then(|| (name, ours.err())));
    }
    assert!(different.is_empty(), "{different:#?}");
}
