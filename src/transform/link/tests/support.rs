//! Helpers of the tests of linking.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::loader::Module;
use crate::test_support::{bytes_of, run, tool, words_of};
use crate::transform::definitions::NamedModule;
use crate::transform::link::{LinkError, LinkResult, link};

/// Returns the words of a fixture.
pub fn fixture(name: &str) -> Vec<u32> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(format!("{name}.spv"));
    words_of(&std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// Links modules, each with a name.
pub fn link_words(modules: &[(&str, &[u32])]) -> Result<LinkResult, LinkError> {
    let loaded: Vec<Module> = modules.iter().map(|(_, words)| Module::from_words(*words).unwrap()).collect();
    let inputs: Vec<NamedModule> =
        modules.iter().zip(&loaded).map(|((name, _), module)| NamedModule { name, module }).collect();
    link(&inputs)
}

/// Links fixtures.
pub fn link_fixtures(names: &[&str]) -> LinkResult {
    let words: Vec<Vec<u32>> = names.iter().map(|name| fixture(name)).collect();
    let modules: Vec<(&str, &[u32])> = names.iter().copied().zip(words.iter().map(Vec::as_slice)).collect();
    link_words(&modules).unwrap_or_else(|error| panic!("{names:?}: {error}"))
}

/// Numbers the ids of a module in the order in which they appear. Modules that are equal up to ids become equal.
pub fn canonical(words: &[u32]) -> Vec<u32> {
    let module = Module::from_words(words).unwrap();
    let mut numbers = BTreeMap::new();
    let mut result = words.to_vec();
    for inst in module.instructions() {
        module.walk(&inst, &mut |at: usize, id: u32| {
            let next = numbers.len() as u32 + 1;
            result[inst.offset() as usize + at] = *numbers.entry(id).or_insert(next);
        });
    }
    result[3] = numbers.len() as u32 + 1;
    result
}

/// Returns the disassembly of a module without ids: the instructions with their operands.
pub fn disassemble(words: &[u32]) -> Vec<String> {
    let dis = tool("SPIRV_DIS", "spirv-dis");
    let text = run(&dis, &["--raw-id", "--no-header"], &bytes_of(words)).unwrap();
    let text = String::from_utf8_lossy(&text).into_owned();
    text.lines().map(|line| line.trim().to_string()).filter(|line| !line.is_empty()).collect()
}

/// The properties that two linkers must agree on, read from a disassembly.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Surface {
    /// Execution model and name of each entry point.
    pub entry_points: BTreeSet<String>,
    /// The linkage names by kind.
    pub linkage: BTreeMap<String, BTreeSet<String>>,
    /// The number of each instruction in the blocks of functions.
    pub code: BTreeMap<String, usize>,
    /// The number of each type in the module.
    pub types: BTreeMap<String, usize>,
}

pub fn surface(words: &[u32]) -> Surface {
    let mut surface = Surface::default();
    let mut in_block = false;
    for line in disassemble(words) {
        let (_, inst) = line.split_once(" = ").unwrap_or(("", &line));
        let parts: Vec<&str> = inst.split_whitespace().collect();
        // The lines of a string.
        if !parts.first().is_some_and(|first| first.starts_with("Op")) {
            continue;
        }
        let quoted = || inst.split('"').nth(1).unwrap().to_string();
        match parts[0] {
            "OpEntryPoint" => {
                surface.entry_points.insert(format!("{} {}", parts[1], quoted()));
            }
            "OpDecorate" if parts[2] == "LinkageAttributes" => {
                let kind = parts.last().unwrap().to_string();
                assert!(surface.linkage.entry(kind).or_default().insert(quoted()), "twice: {line}");
            }
            "OpLabel" => in_block = true,
            "OpFunctionEnd" => in_block = false,
            name if name.starts_with("OpType") => *surface.types.entry(name.to_string()).or_default() += 1,
            _ => {}
        }
        if in_block {
            *surface.code.entry(parts[0].to_string()).or_default() += 1;
        }
    }
    surface
}
