//! Tests that a capability that is added to a module is removed again, and no other one.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use spirv::Op;

use super::subject::{DeclarationNames, declared, trim_alone, trimmed};
use crate::analysis::requirements::{is_always_kept, is_judged_extension};
use crate::device::capabilities;
use crate::loader::Module;
use crate::test_support::{fixtures, instruction, is_valid, words_of};

/// Distance between the capabilities that are added to one fixture. The next fixture starts one further.
const STEP: usize = 5;

/// A folder of modules to try as well, and the number of them to take.
const FOLDER: &str = "ADDED_DIR";
const COUNT: &str = "ADDED_COUNT";

/// Returns a literal string as words.
fn literal(text: &str) -> Vec<u32> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize(bytes.len() / 4 * 4 + 4, 0);
    words_of(&bytes)
}

/// The capabilities that are not always kept, each with the extension that it requires.
static CANDIDATES: LazyLock<Vec<(u32, Option<&'static str>)>> = LazyLock::new(|| {
    let all = capabilities::names().filter_map(capabilities::number);
    let all = all.filter(|&capability| !is_always_kept(capability)).map(|capability| {
        let extensions = capabilities::extensions_of(capability).unwrap();
        (capability, extensions.first().copied())
    });
    all.filter(|(_, extension)| extension.is_none_or(is_judged_extension)).collect()
});

/// A module to which declarations are added.
struct DeclaringModule<'w> {
    words: &'w [u32],
    /// The module's declarations.
    names: DeclarationNames,
    /// The capabilities that it declares, with all that they imply.
    closure: BTreeSet<u32>,
    /// The ends of the module's capabilities and extensions: the first of equal ones is kept.
    ends: [usize; 2],
}

impl<'w> DeclaringModule<'w> {
    fn new(words: &'w [u32]) -> DeclaringModule<'w> {
        let module = Module::from_words(words).unwrap();
        let all = module.capabilities().filter(|declared| declared.condition().is_none());
        let mut closure = all.map(|declared| declared.capability()).collect();
        capabilities::close(&mut closure);
        let after = |op| module.globals().filter(|inst| inst.is(op)).last().map(|inst| inst.end() as usize);
        let first = after(Op::Capability).unwrap_or(5);
        let ends = [first, after(Op::Extension).unwrap_or(first)];
        DeclaringModule { words, names: declared(words), closure, ends }
    }

    /// Returns the module with an additional capability and its extension, or `None` if the module already declares the capability.
    fn with(&self, capability: u32, extension: Option<&str>) -> Option<Vec<u32>> {
        if self.closure.contains(&capability) {
            return None;
        }
        let extension = extension.filter(|name| !self.names.contains(*name));
        let [first, second] = self.ends;
        let mut result = self.words[..first].to_vec();
        result.extend(instruction(Op::Capability as u16, &[capability]));
        result.extend_from_slice(&self.words[first..second]);
        extension.iter().for_each(|name| result.extend(instruction(Op::Extension as u16, &literal(name))));
        result.extend_from_slice(&self.words[second..]);
        Some(result)
    }
}

/// Adds each candidate from `first` on in steps of `step`, alone. Modules that are not valid with it are skipped.
fn adds_and_removes(name: &str, words: &[u32], first: usize, step: usize) -> (usize, Vec<String>) {
    let environment = &environment(words);
    let (subject, expected) = (DeclaringModule::new(words), trimmed(words));
    let (mut tried, mut wrong) = (0, Vec::new());
    for &(capability, extension) in CANDIDATES.iter().skip(first).step_by(step) {
        let Some(added) = subject.with(capability, extension) else { continue };
        tried += 1;
        // The same result as before is as good as it.
        if trim_alone(&added) == expected {
            continue;
        }
        let trimmed = trimmed(&added);
        if is_valid(&added, environment) {
            let (result, expected) = (declared(&trimmed), declared(&expected));
            let more: Vec<_> = result.difference(&expected).collect();
            let less: Vec<_> = expected.difference(&result).collect();
            let valid = is_valid(&trimmed, environment);
            let added = capabilities::name(capability);
            wrong.push(format!("{name}: {added:?}: more {more:?}, less {less:?}, valid: {valid}"));
        }
    }
    (tried, wrong)
}

fn environment(words: &[u32]) -> String {
    let [_, major, minor, _] = words[1].to_be_bytes();
    format!("spv{major}.{minor}")
}

#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn added_capabilities_are_removed() {
    let (mut tried, mut wrong) = (0, Vec::new());
    for (number, (name, words)) in fixtures().into_iter().enumerate() {
        let (count, more) = adds_and_removes(&name, &words, number % STEP, STEP);
        tried += count;
        wrong.extend(more);
    }
    assert!(tried > 1000, "{tried}");
    assert!(wrong.is_empty(), "{} of {tried} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
#[ignore = "takes minutes; scripts/prove.sh added runs it"]
fn folders() {
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
        if Module::from_words(&words).is_err() || !is_valid(&words, &environment(&words)) {
            continue;
        }
        let (count, more) = adds_and_removes(&path.display().to_string(), &words, 0, 1);
        tried += count;
        wrong.extend(more);
    }
    assert!(wrong.is_empty(), "{} of {tried} wrong:\n{}", wrong.len(), wrong.join("\n"));
    println!("{tried} added");
}
