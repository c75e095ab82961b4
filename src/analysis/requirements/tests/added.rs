//! A capability that is added to a module is removed again, and nothing else with it.

use std::path::Path;

use rspirv::dr::Operand;
use spirv::{Capability, Op};

use super::subject::{declared, trimmed};
use crate::analysis::requirements::{is_always_kept, is_judged_extension};
use crate::device::capabilities;
use crate::loader::Module;
use crate::test_support::{fixtures, instruction, validate, words_of};

/// A folder of modules to try as well, and the number of them to take.
const FOLDER: &str = "ADDED_DIR";
const COUNT: &str = "ADDED_COUNT";

/// A literal string as words.
fn literal(text: &str) -> Vec<u32> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize(bytes.len() / 4 * 4 + 4, 0);
    words_of(&bytes)
}

/// A module that declares one capability more, and the extensions that it requires. `None` where it declares it already.
fn with(words: &[u32], capability: Capability) -> Option<Vec<u32>> {
    let module = Module::from_words(words).unwrap();
    let names = declared(words);
    let all = module.capabilities().filter(|declared| declared.condition().is_none());
    let mut closure = all.map(|declared| declared.capability()).collect();
    capabilities::close(&mut closure);
    if closure.contains(&(capability as u32)) {
        return None;
    }
    let extensions = Operand::Capability(capability).required_extensions();
    let extension = extensions.first().filter(|name| !names.contains(**name));
    // After those of the module: of equals, the first is kept.
    let after = |op| module.globals().filter(|inst| inst.is(op)).last().map(|inst| inst.end() as usize);
    let place = after(Op::Capability).unwrap_or(5);
    let second = after(Op::Extension).unwrap_or(place);
    let mut result = words[..place].to_vec();
    result.extend(instruction(Op::Capability as u16, &[capability as u32]));
    result.extend_from_slice(&words[place..second]);
    extension.iter().for_each(|name| result.extend(instruction(Op::Extension as u16, &literal(name))));
    result.extend_from_slice(&words[second..]);
    Some(result)
}

/// Adds each capability that is not kept in any case, alone. Modules that are not valid with it are skipped.
fn adds_and_removes(name: &str, words: &[u32], environment: &str) -> (usize, Vec<String>) {
    let expected = trimmed(words);
    let (mut tried, mut wrong) = (0, Vec::new());
    let all = (0..=u32::from(u16::MAX)).filter_map(Capability::from_u32);
    for capability in all.filter(|&capability| !is_always_kept(capability)) {
        let extensions = Operand::Capability(capability).required_extensions();
        let Some(added) = with(words, capability)
            .filter(|_| extensions.first().is_none_or(|name| is_judged_extension(name)))
        else {
            continue;
        };
        tried += 1;
        let result = trimmed(&added);
        if result != expected && validate(&added, environment).is_ok() {
            let (result, expected) = (declared(&result), declared(&expected));
            let more: Vec<_> = result.difference(&expected).collect();
            let less: Vec<_> = expected.difference(&result).collect();
            let valid = validate(&trimmed(&added), environment).is_ok();
            wrong.push(format!("{name}: {capability:?}: more {more:?}, less {less:?}, valid: {valid}"));
        }
    }
    (tried, wrong)
}

fn environment(words: &[u32]) -> String {
    let [_, major, minor, _] = words[1].to_be_bytes();
    format!("spv{major}.{minor}")
}

#[test]
fn added_capabilities_are_removed() {
    let (mut tried, mut wrong) = (0, Vec::new());
    for (name, words) in fixtures() {
        let (count, more) = adds_and_removes(&name, &words, &environment(&words));
        tried += count;
        wrong.extend(more);
    }
    assert!(tried > 1000, "{tried}");
    assert!(wrong.is_empty(), "{} of {tried} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
#[ignore = "for a folder of modules"]
fn added_capabilities_are_removed_in_a_folder() {
    let folder = std::env::var_os(FOLDER).unwrap();
    let count: usize = std::env::var(COUNT).map_or(usize::MAX, |count| count.parse().unwrap());
    let entries = std::fs::read_dir(Path::new(&folder)).unwrap();
    let mut paths: Vec<_> =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    paths.sort();
    let step = (paths.len() / count).max(1);
    let (mut tried, mut wrong) = (0, Vec::new());
    for path in paths.into_iter().step_by(step) {
        let words = words_of(&std::fs::read(&path).unwrap());
        let environment = environment(&words);
        if Module::from_words(&words).is_err() || validate(&words, &environment).is_err() {
            continue;
        }
        let (count, more) = adds_and_removes(&path.display().to_string(), &words, &environment);
        tried += count;
        wrong.extend(more);
    }
    assert!(wrong.is_empty(), "{} of {tried} wrong:\n{}", wrong.len(), wrong.join("\n"));
    println!("{tried} added");
}
