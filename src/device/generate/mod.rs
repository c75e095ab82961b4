//! Generation of the tables of aspects and capabilities from `spec-extensions/aspects.csv` and
//! `capability-aspects.csv`. A test writes `generated.rs`, so that no process reads them again.

#![allow(clippy::unwrap_used, reason = "only the package `generate` and tests run it")]

pub mod header_names;

use std::fmt::Write;

use super::capabilities;
use crate::text::csv;

const ASPECTS: &str = include_str!("../../../spec-extensions/aspects.csv");
const FACTS: &str = include_str!("../../../spec-extensions/capability-aspects.csv");

/// A relation of `capability-aspects.csv`, and the generated table for it.
struct AspectRelation {
    word: &'static str,
    table: &'static str,
    comment: &'static str,
}

/// The relations of capabilities to aspects.
const OF_ASPECTS: [AspectRelation; 3] = [
    AspectRelation {
        word: "is",
        table: "IS",
        comment: "Aspects, and the capabilities that a device supports exactly if it has the aspect.",
    },
    AspectRelation {
        word: "implies",
        table: "IMPLIES",
        comment: "Aspects, and other capabilities that every device with the aspect supports.",
    },
    AspectRelation {
        word: "needs",
        table: "NEEDED_BY",
        comment: "Aspects, and the capabilities with which a kernel needs a device with the aspect.",
    },
];

/// The relation of capabilities to environments.
const OF_ENVIRONMENTS: AspectRelation = AspectRelation {
    word: "requires",
    table: "REQUIRES",
    comment: "Environments, and the capabilities that every implementation supports.",
};

fn aspects() -> Vec<(&'static str, u32)> {
    csv::rows(ASPECTS).map(|[name, value]| (name, value.parse().unwrap())).collect()
}

fn aspect(name: &str) -> u32 {
    let aspect = aspects().into_iter().find(|known| known.0 == name);
    aspect.unwrap_or_else(|| panic!("{name} is not an aspect")).1
}

/// Returns the rows of a relation: the aspect or environment, and the number of the capability.
fn facts(relation: &AspectRelation) -> Vec<(&'static str, u32)> {
    let rows = csv::rows(FACTS).filter(|[word, _, _, _]| *word == relation.word);
    let capability =
        |name| capabilities::number(name).unwrap_or_else(|| panic!("{name} is not a capability"));
    rows.map(|[_, of, name, _]| (of, capability(name))).collect()
}

/// Returns the text of `generated.rs`.
pub fn tables() -> String {
    let mut text = String::from("//! Aspects and capabilities: `cargo run -p generate` writes this file.\n");
    let mut add = |name: &str, comment: &str, of: &str, rows: Vec<String>| {
        writeln!(text, "\n/// {comment}").unwrap();
        writeln!(text, "pub(super) static {name}: [({of}, u32); {}] = [", rows.len()).unwrap();
        rows.iter().for_each(|row| writeln!(text, "    {row},").unwrap());
        text += "];\n";
    };
    let shown = |row| format!("{row:?}");
    add(
        "ASPECTS",
        "The names and numbers of aspects, deprecated names last.",
        "&str",
        aspects().into_iter().map(shown).collect(),
    );
    for relation in &OF_ASPECTS {
        let rows =
            facts(relation).into_iter().map(|(of, capability)| format!("({}, {capability})", aspect(of)));
        add(relation.table, relation.comment, "u32", rows.collect());
    }
    let rows = facts(&OF_ENVIRONMENTS).into_iter().map(shown).collect();
    add(OF_ENVIRONMENTS.table, OF_ENVIRONMENTS.comment, "&str", rows);
    text
}

/// Checks that every relation belongs to a table, and that every row names its source.
#[test]
fn every_relation_is_known() {
    for [word, _, _, source] in csv::rows(FACTS) {
        assert!(OF_ASPECTS.iter().chain([&OF_ENVIRONMENTS]).any(|known| known.word == word), "{word}");
        assert!(!source.is_empty());
    }
}
