//! Tests that the text of modules is that of spirv-dis.

use crate::loader::{Module, disassembly};
use crate::test_support::{bytes_of, fixtures, run, tool};

/// Returns the parts of a line, with numbers in one form. Floating-point numbers of spirv-dis have more digits, or are hexadecimal.
fn normalized(line: &str) -> Vec<String> {
    let is_constant = line.contains("Constant ") || line.contains("ConstantOp ");
    let float = |word: &str| match word.strip_prefix('-').unwrap_or(word).strip_prefix("0x") {
        Some(hexadecimal) if is_constant => {
            let (digits, exponent) = hexadecimal.split_once('p')?;
            let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
            let value = u64::from_str_radix(&format!("{whole}{fraction}"), 16).ok()? as f64;
            let exponent: i32 = exponent.parse().ok()?;
            // What has no number, is none.
            let value = if exponent == 128 || exponent == 1024 { f64::INFINITY } else { value };
            let value = value * 2_f64.powi(exponent - 4 * fraction.len() as i32);
            Some(if word.starts_with('-') { -value } else { value })
        }
        _ => word.parse::<f64>().ok().filter(|_| is_constant),
    };
    line.split(' ')
        .map(|word| float(word).map_or_else(|| word.to_owned(), |value| (value as f32).to_string()))
        .collect()
}

#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn modules_are_written_as_by_spirv_dis() {
    let disassembler = tool("SPIRV_DIS", "spirv-dis");
    let options = ["--raw-id", "--no-header", "--no-indent", "--no-color", "-"];
    let (mut compared, mut different) = (0, Vec::new());
    for (name, words) in fixtures() {
        let expected = String::from_utf8(run(&disassembler, &options, &bytes_of(&words)).unwrap()).unwrap();
        let text = disassembly(&Module::from_words(&words[..]).unwrap());
        assert_eq!(text.lines().count(), expected.lines().count(), "{name}");
        // Debug information and reflection have their own names of instructions and enumerants.
        let is_named = |import: &&str| {
            ["NonSemantic.", "DebugInfo", "OpenCL.DebugInfo"]
                .iter()
                .any(|set| import.contains(&format!("OpExtInstImport \"{set}")))
        };
        let sets: Vec<&str> =
            expected.lines().filter(is_named).filter_map(|import| import.split(' ').next()).collect();
        let is_of_set = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            words.get(2) == Some(&"OpExtInst") && words.get(4).is_some_and(|set| sets.contains(set))
        };
        for (line, expected) in text.lines().zip(expected.lines()).filter(|(_, line)| !is_of_set(line)) {
            compared += 1;
            if normalized(line) != normalized(expected) {
                different.push(format!("{name}: {line}, and not {expected}"));
            }
        }
    }
    assert!(different.is_empty(), "{} lines: {:#?}", different.len(), &different[..different.len().min(40)]);
    assert!(compared > 40_000, "{compared} lines");
}
