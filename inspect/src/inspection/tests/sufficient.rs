//! Comparison of an entry point's capabilities with spirv-val. A module reduced to this entry point is valid with all of them, and invalid
//! if one is removed. The module is reduced as text, by rules that share nothing with the library.

use std::collections::BTreeSet;

use spirv::Capability;

use super::inspected;
use crate::test_support;
use crate::tests::corpus::fixture;
use spirv_if::engine::analysis::closure;

/// Capabilities that Vulkan requires and SPIR-V does not.
const VULKAN_ASKS: [&str; 1] = ["StorageBuffer16BitAccess"];

/// Returns true if a line defines or mentions an id.
fn mentions(line: &str, id: &str) -> bool {
    line.split_whitespace().any(|word| word == id)
}

fn defined(line: &str) -> Option<&str> {
    line.split_once(" = ").map(|(id, _)| id.trim())
}

/// Returns the target of a name or decoration.
fn subject(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let opcode = words.next()?;
    let says = ["OpName", "OpMemberName", "OpDecorate", "OpMemberDecorate", "OpExecutionMode"];
    says.contains(&opcode).then(|| words.next()).flatten()
}

/// A function: its id and its lines.
type FunctionText = (String, Vec<String>);

/// Returns the lines before the functions, and the functions.
fn parse(text: &str) -> (Vec<String>, Vec<FunctionText>) {
    let mut globals = Vec::new();
    let mut functions: Vec<FunctionText> = Vec::new();
    let mut inside = false;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(';')) {
        if let Some(id) = defined(line).filter(|_| line.contains("= OpFunction ")) {
            inside = true;
            functions.push((id.to_owned(), Vec::new()));
        }
        match functions.last_mut().filter(|_| inside) {
            Some((_, lines)) => lines.push(line.to_owned()),
            None => globals.push(line.to_owned()),
        }
        inside &= line != "OpFunctionEnd";
    }
    (globals, functions)
}

/// Returns the module with one of its entry points, no exports, and no capabilities.
fn only(text: &str, entry_point: usize) -> String {
    let (globals, functions) = parse(text);
    let is_entry_point = |line: &&String| line.starts_with("OpEntryPoint ");
    let declaration = globals.iter().filter(is_entry_point).nth(entry_point).unwrap().clone();
    let mut reached = BTreeSet::from([declaration.split_whitespace().nth(2).unwrap().to_owned()]);
    let mut count = 0;
    while count != reached.len() {
        count = reached.len();
        for (_, lines) in functions.iter().filter(|(id, _)| reached.contains(id)).collect::<Vec<_>>() {
            let called =
                functions.iter().map(|(id, _)| id).filter(|id| lines.iter().any(|line| mentions(line, id)));
            reached.extend(called.cloned().collect::<Vec<_>>());
        }
    }
    let bodies: Vec<&String> =
        functions.iter().filter(|(id, _)| reached.contains(id)).flat_map(|(_, lines)| lines).collect();
    let mut remaining: Vec<String> = globals
        .into_iter()
        .filter(|line| {
            !line.starts_with("OpCapability")
                && !line.contains(" LinkageAttributes ")
                && (!line.starts_with("OpEntryPoint ") || *line == declaration)
        })
        .collect();
    // Removes lines with unused ids, then lines that only the removed lines used.
    loop {
        let used: BTreeSet<&str> = remaining
            .iter()
            .chain(bodies.iter().copied())
            .filter(|line| subject(line).is_none())
            .flat_map(|line| {
                let result = defined(line);
                line.split_whitespace().filter(move |word| word.starts_with('%') && Some(*word) != result)
            })
            .collect();
        let inside: BTreeSet<&str> = bodies.iter().filter_map(|line| defined(line)).collect();
        let stays = |line: &&String| {
            let of = defined(line).or_else(|| subject(line));
            of.is_none_or(|id| used.contains(id) || inside.contains(id))
        };
        let next: Vec<String> = remaining.iter().filter(stays).cloned().collect();
        if next.len() == remaining.len() {
            break;
        }
        remaining = next;
    }
    let lines: Vec<String> = remaining.into_iter().chain(bodies.into_iter().cloned()).collect();
    lines.join("\n")
}

/// Returns true if a module is valid with these capabilities.
fn is_valid(text: &str, capabilities: &[String], environment: &str) -> bool {
    let capabilities: String = capabilities.iter().map(|name| format!("OpCapability {name}\n")).collect();
    let words = test_support::assemble(&(capabilities + text), environment);
    test_support::is_valid(&words, environment)
}

#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn they_are_enough_and_none_is_too_many() {
    let dis = test_support::tool("SPIRV_DIS", "spirv-dis");
    let mut tried = 0;
    for name in
        ["opencl/many.spv", "glsl/shade.spv", "glsl/reduce.spv", "glsl/wave.spv", "glsl/histogram.spv"]
    {
        let fixture = fixture(name);
        let words = fixture.words();
        let environment = &format!("spv1.{}", words[1] >> 8 & 0xff);
        let text = test_support::run(
            &dis,
            &["--raw-id", "--no-header", "--no-indent"],
            &test_support::bytes_of(words),
        );
        let text = String::from_utf8(text.unwrap()).unwrap();
        for (index, entry_point) in inspected(fixture.plain.analyses()).entry_points.iter().enumerate() {
            // Imported functions need Linkage for their decoration, and the reduced module has none.
            let chosen: Vec<String> = entry_point
                .capabilities
                .iter()
                .map(|capability| capability.name.to_string())
                .filter(|capability| capability != "Linkage")
                .collect();
            let title = format!("{name}: {}", entry_point.name);
            let only = only(&text, index);
            assert!(is_valid(&only, &chosen, environment), "{title} with {chosen:?}");
            for left_out in 0..chosen.len() {
                let mut fewer = chosen.clone();
                let gone = fewer.remove(left_out);
                // An unconditional requirement may come with another one that is needed under a condition.
                let number = |name: &String| name.parse::<Capability>().unwrap() as u32;
                let implied = closure(fewer.iter().map(number)).iter().any(|other| *other == number(&gone));
                if implied || VULKAN_ASKS.contains(&gone.as_str()) {
                    continue;
                }
                assert!(!is_valid(&only, &fewer, environment), "{title} without {gone}");
                tried += 1;
            }
        }
    }
    assert!(tried >= 60, "{tried}");
}
