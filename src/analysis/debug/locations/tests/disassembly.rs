//! Locations from the lines in the output of spirv-dis, which must be those of this library.

use std::collections::HashMap;

use crate::analysis::DebugLocations;
use crate::loader::Module;
use crate::test_support::{bytes_of, fixtures, run, tool};

const TERMINATORS: [&str; 7] =
    ["OpBranch", "OpBranchConditional", "OpSwitch", "OpReturn", "OpReturnValue", "OpKill", "OpUnreachable"];

/// Returns, for each instruction, the location that OpLine and DebugLine give it, read from the text.
fn places_in(text: &str) -> Vec<Option<String>> {
    let mut values: HashMap<&str, &str> = HashMap::new();
    let (mut line, mut debug_line): (Option<String>, Option<String>) = (None, None);
    let mut locations = Vec::new();
    for text in text.lines() {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (result, words) = match words[..] {
            [result, "=", ..] if result.starts_with('%') => (result, &words[2..]),
            _ => ("", &words[..]),
        };
        let Some(&opcode) = words.first() else { continue };
        let is_opcode = opcode.strip_prefix("Op").is_some_and(|rest| rest.starts_with(char::is_uppercase));
        // The text of a source in a string spans many lines.
        if !is_opcode {
            continue;
        }
        locations.push(debug_line.clone().or(line.clone()));
        let location = |file: &str, line: &str, column: &str| match column {
            "0" => format!("{file}:{line}"),
            column => format!("{file}:{line}:{column}"),
        };
        match words {
            ["OpString", string] => drop(values.insert(result, string.trim_matches('"'))),
            ["OpConstant", _, value] => drop(values.insert(result, value)),
            ["OpExtInst", _, _, "DebugSource", file, ..] => drop(values.insert(result, values[file])),
            ["OpLine", file, at, column] => line = Some(location(values[file], at, column)),
            ["OpNoLine"] => line = None,
            ["OpExtInst", _, _, "DebugLine", file, at, _, column, _] => {
                debug_line = Some(location(values[file], values[at], values[column]));
            }
            ["OpExtInst", _, _, "DebugNoLine"] => debug_line = None,
            [opcode, ..] if TERMINATORS.contains(opcode) => (line, debug_line) = (None, None),
            _ => {}
        }
    }
    locations
}

#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn every_instruction_of_every_fixture() {
    let disassembler = tool("SPIRV_DIS", "spirv-dis");
    let mut compared = 0;
    for (name, words) in fixtures() {
        let text = run(&disassembler, &["--no-color", "--raw-id"], &bytes_of(&words)).unwrap();
        let expected = places_in(&String::from_utf8_lossy(&text));
        let module = Module::from_words(&words[..]).unwrap();
        let locations = DebugLocations::read(&module);
        assert_eq!(
            module.instructions().count(),
            expected.len(),
            "{name}: spirv-dis prints each instruction"
        );
        for (inst, expected) in module.instructions().zip(expected) {
            let location = locations.location(inst.offset()).map(|location| location.to_string());
            if expected.is_some() {
                assert_eq!(location, expected, "{name}: {} at {}", inst.name(), inst.offset());
                compared += 1;
            }
        }
    }
    assert!(compared > 400, "only {compared} instructions have a line");
}
